; What stands between the instructions stays.
	.text
	.type	comments, @function
comments:
	in r18, 0x05	; read
	ori r18, 4	/* bit 2 */
; a line of its own
	out 0x05, /* the port */ r18	; site: selected
	ldi r18, 0
	ret
	.type	separators, @function
separators:
	in r18, 0x05 $ ori r18, 4 $ out 0x05, r18	; site: selected
here:	ldi r18, 0
	ret
	.type	strings, @function
strings:
	.ascii "in r18,5 ; no \" comment $ no end"
	.ascii "out 5,r18"
	.even
lab:	nop
	in	r18, 0x05
	ori	r18, 4
	out	0x05, r18	; site: selected
	ldi	r18, 0
	ret

; What stands between the instructions stays.
	.text
	.type	comments, @function
comments:
	; read
	/* bit 2 */
; a line of its own
	/* the port */
	sbi 0x05, 2	; site: selected
	ldi r18, 0
	ret
	.type	separators, @function
separators:
	 $  $ sbi 0x05, 2	; site: selected
here:	ldi r18, 0
	ret
	.type	strings, @function
strings:
	.ascii "in r18,5 ; no \" comment $ no end"
	.ascii "out 5,r18"
	.even
lab:	nop
	sbi	0x05, 2	; site: selected
	ldi	r18, 0
	ret

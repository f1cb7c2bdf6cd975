; Data before an instruction may be the code of a skip.
	.type f, @function
f:
	.word 0xff00
	in r24,5
	ori r24,4
	out 5,r24
	ldi r24,0
	cp r24,r24
	ret

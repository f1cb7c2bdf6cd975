; What an .if leaves standing may be a skip.
	.type f, @function
f:
	.if 1
	sbrs r16,0
	.endif
	in r24,5
	ori r24,4
	out 5,r24
	ldi r24,0
	cp r24,r24
	ret

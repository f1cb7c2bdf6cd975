; A distance that is computed elsewhere: from a name.
	.type f, @function
f:
	.set x,.+8
	rjmp x
	in r24,5
	ori r24,4
	out 5,r24
	nop
	in r24,8
	ori r24,4
	out 8,r24	; site: control-flow
	ldi r24,0
	cp r24,r24
	ret

; With macros the text says more than it shows: here what would be put in is one, and a skip hides in another.
	.macro sbi a b
	nop
	.endm
	.macro ifset
	sbrs r16,0
	.endm
	.type f, @function
f:
	in r24,5
	ori r24,4
	out 5,r24	; site: control-flow
	ldi r24,0
	cp r24,r24
	ret
	.type g, @function
g:
	ifset
	in r24,5
	ori r24,4
	out 5,r24
	ldi r24,0
	cp r24,r24
	ret

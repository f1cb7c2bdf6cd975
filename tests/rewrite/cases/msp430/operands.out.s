; A blank that is a character; an address that is counted from the instruction; a name that may be overridden.
	.type f, @function
f:
	mov.b &x,r15
	bis.b #' ',r15
	mov.b r15,&x
	mov #0,r15
	ret
	.type g, @function
g:
	mov.b &.+20,r15
	bis.b #1,r15
	mov.b r15,&.+20
	mov #0,r15
	ret
	.weak b
	.set b,a
	.type h, @function
h:
	mov.b &b,r15
	bis.b #1,r15
	mov.b r15,&a	; site: addr-mismatch
	mov #0,r15
	ret

; The distance counts the bytes of its own section.
	.section .text.a,"ax",@progbits
	.type f, @function
f:
	rjmp .+8
	.section .text.b,"ax",@progbits
	.type g, @function
g:
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	ret
	.section .text.a,"ax",@progbits
	.type h, @function
h:
	in r24,5
	ori r24,4
	out 5,r24	; site: control-flow
	nop
	ldi r24,0
	cp r24,r24
	ret

; A label and a distance, taken as a value: what lies between keeps its length.
	.type f, @function
f:
	ldi r30,pm_lo8(f+10)
	ldi r31,pm_hi8(f+10)
	ijmp
	in r24,5
	ori r24,4
	out 5,r24	; site: control-flow
	ldi r24,0
	cp r24,r24
	ret
	.type g, @function
g:
	in r24,5
	ori r24,4
	out 5,r24	; site: control-flow
	ldi r24,0
	cp r24,r24
	ret
	.section .rodata
	.word gs(g+6)

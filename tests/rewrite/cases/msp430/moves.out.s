; Words and bytes, on memory and through registers.
	.text
	.type	clear, @function
clear:
	bic.b	#8, &0x21	; site: selected
	bic.b	#8, &0x22	; site: selected
	bic	#2, &flags	; site: selected
	bic	#4, &flags+2	; site: selected
	ret
	.type	as_it_is, @function
as_it_is:
	bis.b	#8, &0x21	; site: cost
	bis	#0x100, &flags	; site: volatile-width
	xor.b	#1, 3(r12)	; site: cost
	ret
	.type	loaded, @function
loaded:
	bis.b	#8, &0x21	; site: selected
	ret
	.type	result, @function
result:
	mov.b	&0x21, r12
	bis.b	#8, r12
	mov.b	r12, &0x21	; site: reg-live
	ret
	.type	flags_needed, @function
flags_needed:
	and.b	#-9, &0x21	; site: flags-live
	jne	.L2
	mov	#0, r12
.L2:	ret
	.type	pointer, @function
pointer:
	bic.b	#2, 32(r12)	; site: selected
	bic.b	#4, 0(r12)	; site: selected
	ret
	.type	both, @function
both:
	mov	&w, r11
	bis	#4, r11
	bic	#1, r11
	mov	r11, &w		; site: selected
	ret
	.type	frame, @function
frame:
	bic.b	#1, 4(sp)	; site: selected
	ret
	.type	table, @function
table:
	inc	r12
	bic.b	#2, &0x21	; site: selected
	bis.b	#36, bytes(r12)
	mov	#0, r12
	ret

; Words and bytes, on memory and through registers.
	.text
	.type	clear, @function
clear:
	and.b	#-9, &0x21	; site: selected
	and.b	#0xf7, &0x22	; site: selected
	and	#~2, &flags	; site: selected
	AND.W	#-5, &flags+2	; site: selected
	ret
	.type	as_it_is, @function
as_it_is:
	bis.b	#8, &0x21	; site: cost
	bis	#0x100, &flags	; site: volatile-width
	xor.b	#1, 3(r12)	; site: cost
	ret
	.type	loaded, @function
loaded:
	mov.b	&0x21, r11
	bis.b	#8, r11
	mov.b	r11, &0x21	; site: selected
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
	and.b	#-3, 32(r12)	; site: selected
	and.b	#-5, 0(R12)	; site: selected
	ret
	.type	both, @function
both:
	mov	&w, r11
	bis	#4, r11
	and	#~1, r11
	mov	r11, &w		; site: selected
	ret
	.type	frame, @function
frame:
	and.b	#-2, 4(r1)	; site: selected
	ret
	.type	table, @function
table:
	inc	r12
	and.b	#-3, &0x21	; site: selected
	bis.b	#36, bytes(r12)
	mov	#0, r12
	ret

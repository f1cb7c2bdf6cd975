; What cuts an update, and what does not.
	.text
	.type	label, @function
label:
	in r18,0x5
.L1:
	ori r18,4
	out 0x5,r18
	ldi r18,0
	rjmp .L1
	.type	quiet_label, @function
quiet_label:
.LVL1:
	.loc 1 12 3
	.cfi_def_cfa_offset 2
	sbi 0x05, 2		; site: selected
	ldi r18,0
	ret
	.size	quiet_label, .-quiet_label
	.type	skipped, @function
skipped:
	sbrc r24,0
	in r18,0x5
	ori r18,4
	out 0x5,r18
	ldi r18,0
	ret
	.type	skip_over_store, @function
skip_over_store:
	in r18,0x5
	ori r18,4
	sbrc r24,0
	out 0x5,r18
	ldi r18,0
	ret
	.type	behind_skip, @function
behind_skip:
	sbrc r24,0
	rjmp .L2
	sbi 0x05, 2		; site: selected
.L2:	ldi r18,0
	ret
	.type	numbered, @function
numbered:
1:
	sbi 0x05, 2		; site: selected
	in r18,0x6
	sbrc r18,0
	rjmp 1b
	ldi r18,0
	ret
	.type	distance, @function
distance:
	breq .+6
	in r18,0x5
	ori r18,4
	out 0x5,r18		; site: control-flow
	ldi r18,0
	ret
	.type	far_enough, @function
far_enough:
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	ret
	.type	inline, @function
inline:
	in r18,0x5
/* #APP */
 ;  7 "x.c" 1
	nop
 ;  0 "" 2
/* #NOAPP */
	ori r18,4
	out 0x5,r18
	ldi r18,0
	ret
	.type	inside_inline, @function
inside_inline:
;APP
	in r18,0x5
	ori r18,4
	out 0x5,r18
	ldi r18,0
;NO_APP
	ret
	.type	before_inline, @function
before_inline:
	in r18,0x5
	ori r18,4
	out 0x5,r18		; site: reg-live
;APP
	mov r20,r18
;NO_APP
	ret
	.type	indirect, @function
indirect:
	in r18,0x5
	ori r18,4
	out 0x5,r18		; site: reg-live
	ijmp
	.type	tail, @function
tail:
	in r26,0x5
	ori r26,4
	out 0x5,r26		; site: reg-live
	rjmp elsewhere
	.type	interrupt, @function
interrupt:
	in r26,0x5
	ori r26,4
	out 0x5,r26		; site: reg-live
	reti
	.type	helper, @function
helper:
	in r26,0x5
	ori r26,4
	out 0x5,r26		; site: reg-live
	call __tablejump2__
	.type	called_by_address, @function
called_by_address:
	in r30,0x5
	ori r30,4
	out 0x5,r30		; site: value-used
	icall
	ret
	.type	own, @function
own:
	in r26,0x5
	ori r26,4
	out 0x5,r26		; site: reg-live
	rcall label
	add r22,r26
	ret
	.type	foreign, @function
foreign:
	sbi 0x05, 2		; site: selected
	rcall elsewhere
	add r22,r26
	ret
	.type	interrupts, @function
interrupts:
	in r18,0x5
	cli
	ori r18,4
	out 0x5,r18		; site: clobber-between
	ldi r18,0
	ret
	.type	other_access, @function
other_access:
	in r18,0x5
	sts flag,r1
	ori r18,4
	out 0x5,r18		; site: clobber-between
	ldi r18,0
	ret
	.type	status, @function
status:
	in r18,0x5
	ori r18,4
	out 0x5,r18		; site: flags-live
	in r18,0x3f
	push r18
	ldi r18,0
	pop r18
	ret
	.ident "GCC: (GNU) 12.1.0"

; Updates of I/O registers become SBI and CBI where nothing needs what the old sequence leaves behind.
PORTB = 0x25
__zero_reg__ = 1
	.text
	.global	set_then_load
	.type	set_then_load, @function
set_then_load:
	in r24,0x5
	ori r24,lo8(4)		; bit 2
	out 0x5,r24		; site: selected
	lds r24,other
	ret
	.size	set_then_load, .-set_then_load
	.type	upper_case, @function
upper_case:
	IN	R24, PORTB-0x20
	ANDI	R24, LO8(~(1<<3))
	OUT	PORTB-0x20, R24	; site: selected
	LDI	R24, 0
	RET
	.type	returned, @function
returned:
	in r24,0x5
	ori r24,4
	out 0x5,r24		; site: reg-live
	ret
	.type	argument, @function
argument:
	in r24,0x5
	ori r24,4
	out 0x5,r24		; site: reg-live
	rcall elsewhere
	ret
	.type	temporary, @function
temporary:
	in r30,0x5
	ori r30,4
	out 0x5,r30		; site: selected
	rcall elsewhere
	ret
	.type	flags, @function
flags:
	in r18,0x5
	andi r18,0xfb
	out 0x5,r18		; site: flags-live
	ldi r18,0
	breq 1f
	inc r18
1:	mov r24,r18
	ret
	.type	through_z, @function
through_z:
	ldi r30,lo8(0x25)
	ldi r31,hi8(0x25)
	ld r18,Z
	ori r18,1
	st Z,r18		; site: selected
	ldi r18,0
	ret
	.type	z_needed, @function
z_needed:
	ldi r30,lo8(0x25)
	ldi r31,hi8(0x25)
	ld r18,Z
	ori r18,1
	st Z,r18		; site: selected
	ldi r18,0
	std Z+3,__zero_reg__
	ret
	.type	toggle, @function
toggle:
	in r18,0x5
	ldi r19,4
	eor r18,r19
	out 0x5,r18		; site: no-form
	ldi r18,0
	ret
	.type	two_bits, @function
two_bits:
	in r18,0x5
	ori r18,5
	out 0x5,r18		; site: multi-bit
	ldi r18,0
	ret
	.type	toggles_a_port, @function
toggles_a_port:
	in r18,0x3
	ori r18,1
	out 0x3,r18		; site: hw-semantics
	ldi r18,0
	ret

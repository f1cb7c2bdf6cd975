r8	=	0xffef0
; Shorter forms, and three instructions made one.
	.text
	.type	_sfr, @function
_sfr:
	clr1	0xfff05.3	; site: selected
	set1	0xfff05.3	; site: selected
	SET1	0xfff05.3	; site: cost
	ret
	.size	_sfr, .-_sfr
	.type	_second, @function
_second:
	set1	!240.0	; site: addr-range
	ret
	.type	_memory, @function
_memory:
	set1	!_flags.4	; site: selected
	clr1	!_flags+1.2	; site: selected
	ret
	.type	_pointer, @function
_pointer:
	movw	hl, ax
	set1	[hl].1	; site: selected
	ret
	.type	_displaced, @function
_displaced:
	movw	hl, ax
	mov	a, [hl+3]
	or	a, #2
	mov	[hl+3], a	; site: nonconst-addr
	ret
	.type	_copied, @function
_copied:
	movw	de, ax
	movw	bc, ax
	mov	a, [de]
	or	a, #2
	mov	[bc], a	; site: reg-live
	ret
	.type	_toggle, @function
_toggle:
	xor	0xfff05, #8	; site: selected
	ret
	.type	_zero, @function
_zero:
	mov	a, !-251
	and	a, #-9
	mov	!-251, a	; site: flags-live
	sknz
	inc	b
	ret
	.type	_skipped, @function
_skipped:
	cmp0	a
	skz
	clr1	!-251.3	; site: control-flow
	ret
	ret
	.type	_word, @function
_word:
	movw	ax, !_w
	or	a, #16
	movw	!_w, ax	; site: volatile-width
	ret
	.type	_bank, @function
_bank:
	mov	a, !_flags
	or	a, #16
	mov	!_flags, a	; site: value-used
	sel	rb2
	ret
	.type	_bank_back, @function
_bank_back:
	sel	rb2
	movw	bc, ax
	sel	rb0
	clr1	0xfff05.3	; site: selected
	mov	a, #1
	ret

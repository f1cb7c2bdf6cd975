	.type	unclean, @function
unclean:
	sbi 0x05, 2 ; site: selected
	ldi r18,0
	ret
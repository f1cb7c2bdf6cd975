	.type	unclean, @function
unclean:
	in r18,5
	ori r18,4
	out 5,r18 ; site: selected
	ldi r18,0
	ret
"""Giving the compiler's own output back, smaller: `llvm` and `asm` rewrite one text each, `options` says how.

Both answer with a `result.Rewritten`: the new text, in which every byte outside a rewritten site is as it was, and
all sites that were found, rewritten or left.
"""

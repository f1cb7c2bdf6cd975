"""Rewriting LLVM IR text: each selected update becomes what makes the target's compiler print the chosen form.

A form that the target's own LLVM back end reaches from plain IR is written as plain IR, narrowed to the bytes that
change; any other as inline assembly::

    %v = load i16, ptr @w              %v = getelementptr i8, ptr @w, i16 1
    %o = or i16 %v, 4096               %o = load i8, ptr %v, align 1
    store i16 %o, ptr @w               %bitsel.0 = or i8 %o, 16
                                       store i8 %bitsel.0, ptr %v, align 1

The text is spliced, never printed anew: whatever wrote it, and whatever stands between, stays as it was.
"""

from bitsel.rewrite.llvm.rewriter import rewrite_llvm

__all__ = ["rewrite_llvm"]

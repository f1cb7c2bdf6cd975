"""One input to rewrite, whichever language it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitsel.errors import InputError, Location, UsageError
from bitsel.inputs import assembly_text
from bitsel.rewrite.options import Options, Ram
from bitsel.rewrite.result import Rewritten

if TYPE_CHECKING:
    from bitsel.api import Selector


def rewrite(data: bytes, path: str, selector: Selector, options: Options) -> Rewritten:
    """The input with its selected updates rewritten; `path` is what reports call it.

    Raises InputError where it cannot be read, UsageError for options that its language has no use for.
    """
    text = assembly_text(data, path)
    if text is not None:
        from bitsel.rewrite.asm import rewrite_assembly

        replacer = None if options.trade or options.undo else selector.replacer
        return rewrite_assembly(text, path, selector.target, selector.device, options, replacer)
    from bitsel.frontends.llvm import decoded, is_bitcode
    from bitsel.rewrite.llvm import rewrite_llvm

    if is_bitcode(data):
        raise InputError("is bitcode: text is what is rewritten", Location(path), hint="run llvm-dis on it first")
    _check_of_llvm(options)
    return rewrite_llvm(decoded(data, path), path, selector, options)


def _check_of_llvm(options: Options) -> None:
    """IR says which accesses are volatile and what is live, so that nothing of that is to be told."""
    given = {
        "--narrow": options.narrow,
        "--ram": options.ram != Ram(),
        "--trade": options.trade,
        "--undo": options.undo,
        "--abi": options.by_hand,
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"{option} is for assembly, not for LLVM IR")

"""One input to rewrite, whichever language it is in."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

from bitsel.api import Selector
from bitsel.errors import InputError, Location, UsageError
from bitsel.rewrite.options import Options, Ram
from bitsel.rewrite.result import Rewritten

Language = Literal["llvm", "assembly"]

_SUFFIXES: dict[str, Language] = {".ll": "llvm", ".bc": "llvm", ".s": "assembly", ".asm": "assembly"}
_LLVM = re.compile(
    rb"(?:\s|;[^\n]*)*(?:(?:source_filename|[@%!][-\w.$]+)[ \t]*=|(?:target|define|declare|attributes)[ \t])"
)


def language_of(data: bytes, path: str) -> Language:
    """By the name's ending, else by how the text begins."""
    from bitsel.frontends.llvm import is_bitcode

    known = _SUFFIXES.get(PurePath(path).suffix.lower())
    if known is not None:
        return known
    return "llvm" if is_bitcode(data) or _LLVM.match(data) else "assembly"


def rewrite(data: bytes, path: str, selector: Selector, options: Options) -> Rewritten:
    """The input with its selected updates rewritten; `path` is what reports call it.

    Raises InputError where it cannot be read, UsageError for options that its language has no use for.
    """
    if language_of(data, path) == "assembly":
        raise InputError("is assembly, which is not rewritten yet", Location(path))
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
        "--abi": options.abi is not None,
    }
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"{option} is for assembly, not for LLVM IR")

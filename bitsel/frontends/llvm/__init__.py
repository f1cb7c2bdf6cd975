"""The LLVM IR front end: text (LLVM 11 to 22) or bitcode to the core IR.

The text is read as it was written, by a line scanner of our own: rewriting later splices that very text, and
whoever wrote it may use an older or newer LLVM than any library here. Functions come one by one, only those a
bit update can be in; everything else is skipped by searches at the speed of C::

    module = llvm.read(text, "x.ll", DataLayout("little", {0: 16}))
    for function in module.functions():
        ...
"""

from __future__ import annotations

from bitsel.errors import InputError, Location
from bitsel.frontends.llvm.bitcode import disassemble, is_bitcode
from bitsel.frontends.llvm.module import Module
from bitsel.ir import DataLayout

__all__ = ["Module", "decoded", "is_bitcode", "read", "read_bytes"]


def read(text: str, path: str, default: DataLayout) -> Module:
    """The module that `text` spells; `path` names it in errors, `default` stands in for a missing data layout.

    Raises InputError for what is no LLVM IR or breaks off; `Module.functions` may raise it too.
    """
    return Module(text, path, default)


def read_bytes(data: bytes, path: str, default: DataLayout) -> Module:
    """As `read`, from a file's bytes: text, or bitcode (which needs the extra ``llvm``, else MissingExtra)."""
    if is_bitcode(data):
        data = disassemble(data, path)
    return read(decoded(data, path), path, default)


def decoded(data: bytes, path: str) -> str:
    """The text that a file's bytes are; encoded in the same way it is these bytes again. InputError for no text."""
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise InputError("expected LLVM IR text or bitcode, found binary data", Location(path, line))
    return data.decode("utf-8", "surrogateescape")

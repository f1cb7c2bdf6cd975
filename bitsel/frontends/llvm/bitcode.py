"""Bitcode to text, by llvmlite (the extra ``llvm``)."""

from __future__ import annotations

from bitsel.errors import InputError, Location, MissingExtra

_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")  # bitcode, and its wrapper (0x0B17C0DE, little-endian)


def is_bitcode(data: bytes) -> bool:
    return data.startswith(_MAGICS)


def disassemble(data: bytes, path: str) -> str:
    """The text of a bitcode module; MissingExtra without llvmlite, InputError if it cannot be read."""
    try:
        from llvmlite import binding
    except ImportError:
        raise MissingExtra(
            "reading bitcode needs llvmlite", Location(path), hint="pip install 'bitsel[llvm]'"
        ) from None
    try:
        return str(binding.parse_bitcode(data))
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise InputError(f"expected bitcode that this llvmlite can read: {reason}", Location(path)) from None

"""Bitcode to text, by llvmlite (the extra ``llvm``).

It runs in a process of its own: on some damaged bitcode LLVM ends the process it is in.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from bitsel.errors import InputError, Location, MissingExtra

_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")  # bitcode, and its wrapper (0x0B17C0DE, little-endian)
_DISASSEMBLE = """
import sys
from llvmlite import binding
try:
    text = str(binding.parse_bitcode(sys.stdin.buffer.read()))
except RuntimeError as error:
    sys.exit(str(error))
sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
"""


def is_bitcode(data: bytes) -> bool:
    return data.startswith(_MAGICS)


def disassemble(data: bytes, path: str) -> bytes:
    """The text of a bitcode module; MissingExtra without llvmlite, InputError if it cannot be read."""
    import subprocess  # here, since text is what is read nearly always

    if find_spec("llvmlite") is None:
        raise MissingExtra("reading bitcode needs llvmlite", Location(path), hint="pip install 'bitsel[llvm]'")
    done = subprocess.run([sys.executable, "-c", _DISASSEMBLE], input=data, capture_output=True, check=False)
    if done.returncode:
        # The last line is the reason; before it there may be a listing of what is wrong.
        reason = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["damaged"])[-1]
        raise InputError(f"expected bitcode that llvmlite can read: {reason}", Location(path))
    return done.stdout

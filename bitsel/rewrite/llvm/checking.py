"""Whether rewritten IR is valid, by llvmlite (the extra ``llvm``).

It runs in a process of its own: on some damaged text LLVM ends the process it is in.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

_VERIFY = """
import sys
from llvmlite import binding
try:
    binding.parse_assembly(sys.stdin.buffer.read().decode("utf-8", "surrogateescape")).verify()
except RuntimeError as error:
    sys.exit(str(error))
"""


def fault(old: bytes, new: bytes) -> str | None:
    """What makes `new` invalid; None where it is valid, or nothing can be said: without llvmlite, and where its
    LLVM does not take `old` either, as text of another version."""
    if old == new or find_spec("llvmlite") is None:
        return None
    found = _refused(new)
    return found if found is not None and _refused(old) is None else None


def _refused(text: bytes) -> str | None:
    done = subprocess.run([sys.executable, "-c", _VERIFY], input=text, capture_output=True, check=False)
    if not done.returncode:
        return None
    return (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["LLVM ended"])[-1]

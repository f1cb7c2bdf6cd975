"""Where a tool is: in the tools folder of bitsel's own source tree, or on the PATH.

``make tools`` fills the folder, ``.tools``; the environment variable BITSEL_TOOLS names another one::

    find("rl78-elf-as")     PosixPath('.../.tools/bin/rl78-elf-as'), or Missing('rl78-elf-as')
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from attrs import frozen

import bitsel

VARIABLE = "BITSEL_TOOLS"


@frozen
class Missing:
    """A tool that is not there; as text, a line that says how to get it."""

    tool: str

    def __str__(self) -> str:
        return f"{self.tool} is not installed: run 'make tools' in bitsel's source tree, or put it on the PATH"


def folder() -> Path:
    """The tools folder; it need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path(bitsel.__file__).parent.parent / ".tools"


def find(tool: str) -> Path | Missing:
    """The program called `tool`."""
    path = os.pathsep.join([str(folder() / "bin"), os.environ.get("PATH", os.defpath)])
    found = shutil.which(tool, path=path)
    return Path(found).absolute() if found else Missing(tool)

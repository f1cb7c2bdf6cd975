"""Running a tool: what can go wrong with any of them, said the same way."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from bitsel.errors import ToolError

MOST_SECONDS = 600
"""No run takes more than a few; one that hangs must not hang whoever asked."""


def run(
    command: Sequence[str], *, folder: Path | None = None, text: str | None = None
) -> subprocess.CompletedProcess[str]:
    """`command`, ended, with its output; `text` goes to its standard input.

    Raises ToolError where it cannot be run or does not end.
    """
    try:
        return subprocess.run(
            command,
            cwd=folder,
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"{command[0]} does not end within {MOST_SECONDS} seconds") from error
    except OSError as error:
        raise ToolError(f"{command[0]} cannot be run: {error.strerror}") from error

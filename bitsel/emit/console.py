"""Where tables are printed: a terminal, a pipe or a file, each in its own way."""

from __future__ import annotations

import os
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table

UNLIMITED = 10_000


def console_on(out: TextIO) -> Console:
    """As wide as the terminal, or as COLUMNS says; in a file or pipe no line is cut. NO_COLOR is honoured."""
    free = not out.isatty() and not os.environ.get("COLUMNS")
    return Console(file=out, width=UNLIMITED if free else None, highlight=False)


def plain_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")


def printable(text: str) -> str:
    """`text` on one line, without characters that would act on a terminal."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)

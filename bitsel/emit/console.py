"""Where tables are printed: a terminal, a pipe or a file, each in its own way."""

from __future__ import annotations

import os
from typing import TextIO

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

UNLIMITED = 10_000
LEAST = 60  # below it a table would lose its columns of numbers; better that the terminal breaks the lines


def console_on(out: TextIO) -> Console:
    """As wide as the terminal, or as COLUMNS says; in a file or pipe no line is cut. NO_COLOR is honoured."""
    free = not out.isatty() and not os.environ.get("COLUMNS")
    console = Console(file=out, width=UNLIMITED if free else None, highlight=False)
    console.width = max(console.width, LEAST)
    return console


def plain_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")


def put(console: Console, renderable: RenderableType) -> None:
    """Print it; in a file or pipe without the blanks that fill up its lines."""
    if console.is_terminal:
        console.print(renderable)
        return
    with console.capture() as capture:
        console.print(renderable)
    console.file.write("".join(f"{line.rstrip()}\n" for line in capture.get().splitlines()))

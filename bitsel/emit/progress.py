"""Progress of a check, on standard error and on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bitsel.verify.check import DeviceResult


def followed(results: Iterable[DeviceResult], rows: int) -> Iterator[DeviceResult]:
    """`results`, `rows` of them in all, as they come, with a bar that follows them."""
    if not sys.stderr.isatty():
        yield from results
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("checking", total=rows)
        for each in results:
            progress.update(task, advance=1, description=f"{each.result.level} {each.device}")
            yield each

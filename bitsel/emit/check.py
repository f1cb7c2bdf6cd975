"""``bitsel target check``: what the levels say, as a table or as ``bitsel.check/1``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, TextIO, get_args

from rich.text import Text

from bitsel.emit.console import console_on, plain_table, put
from bitsel.emit.text import printable
from bitsel.emit.words import count
from bitsel.verify.check import DeviceResult
from bitsel.verify.result import Outcome

SCHEMA = "bitsel.check/1"
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_STYLE: dict[Outcome, str] = {"ok": "green", "failed": "red", "known-error": "yellow", "skipped": "dim"}


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every JSON output obeys."""
    text = files("bitsel.emit").joinpath("check-1.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def write_json(results: Iterable[DeviceResult], target: str, levels: Iterable[str], out: TextIO) -> None:
    """Write the whole document to `out`, each result as soon as it is there."""
    named = ", ".join(map(quoted, levels))
    out.write(f'{{"schema": "{SCHEMA}",\n "target": {quoted(target)}, "levels": [{named}],\n "results": [')
    totals: Counter[Outcome] = Counter()
    separator = "\n  "
    for each in results:
        found = each.result
        totals[found.outcome] += 1
        out.write(
            f'{separator}{{"level": {quoted(found.level)}, "device": {quoted(each.device)},'
            f' "row": {quoted(found.row)}, "outcome": "{found.outcome}", "detail": {quoted(found.detail)}}}'
        )
        separator = ",\n  "
    summary = ", ".join(f'"{outcome}": {totals[outcome]}' for outcome in OUTCOMES)
    out.write(f'\n ],\n "summary": {{{summary}}}}}\n')


def write_table(results: Iterable[DeviceResult], target: str, levels: Iterable[str], out: TextIO) -> None:
    """Write a row per result to `out`, then how many of each level came out how."""
    console = console_on(out)
    table = plain_table()
    for heading in ("level", "device", "instruction", "outcome", "detail"):
        table.add_column(heading, overflow="fold")
    totals: Counter[tuple[str, Outcome]] = Counter()
    for each in results:
        found = each.result
        totals[found.level, found.outcome] += 1
        cells = (found.level, each.device, printable(found.row), found.outcome, printable(found.detail))
        table.add_row(*(Text(cell, _STYLE[found.outcome] if i == 3 else "") for i, cell in enumerate(cells)))
    put(console, table)
    console.print()
    for level in levels:
        numbers = {outcome: totals[level, outcome] for outcome in OUTCOMES}
        rows = count(sum(numbers.values()), "row")
        said = ", ".join(f"{number} {outcome}" for outcome, number in numbers.items() if number)
        console.print(Text(f"{target}, {level}: {rows}{f' ({said})' if said else ''}"))

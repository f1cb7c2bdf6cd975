"""``bitsel compare --format table``: one row per site, and in it what each target does, for people.

A target's cell holds the instructions it executes, their bytes and clocks, and whether an interrupt can fall
inside; where it leaves the site alone, the reason and what plain LOAD-OP-STORE costs there. On a terminal too
narrow for the targets side by side they stand below one another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bitsel.comparison import (
    ComparedInput,
    ComparisonEvent,
    ComparisonSummary,
    SiteComparison,
    TargetTotals,
    executed,
)
from bitsel.emit.console import UNLIMITED, console_on, plain_table, put
from bitsel.emit.text import printable
from bitsel.emit.words import count, site, update
from bitsel.report import Header, SiteReport

BATCH = 500
NUMBERS = ("bytes", "clocks", "interrupt")


def write(events: Iterable[ComparisonEvent], headers: tuple[Header, ...], out: TextIO) -> None:
    """Write a table of all sites to `out`, then the sums of each target."""
    console = console_on(out)
    summary = ComparisonSummary.of(len(headers))
    inputs: list[ComparedInput] = []
    sites = _sites(events, summary, inputs)
    while batch := list(islice(sites, BATCH)):
        put(console, _table(batch, headers, console))
    if summary.sites:
        console.print()
    functions = count(sum(each.functions for each in inputs), "function")
    console.print(Text(f"{count(summary.sites, 'site')} in {functions}"))
    if summary.sites:
        console.print()
        put(console, _totals(summary, headers))
        console.print()
        console.print(Text(_basis(summary, headers)))


def _sites(
    events: Iterable[ComparisonEvent], summary: ComparisonSummary, inputs: list[ComparedInput]
) -> Iterator[SiteComparison]:
    """The sites among `events`; sums and inputs are noted in passing."""
    for event in events:
        if isinstance(event, SiteComparison):
            summary.add(event)
            yield event
        else:
            inputs.append(event)


def _table(sites: Sequence[SiteComparison], headers: tuple[Header, ...], console: Console) -> Table:
    wide = _wide(sites, headers)
    natural = console.measure(wide, options=console.options.update(max_width=UNLIMITED)).maximum
    return wide if natural <= console.width else _narrow(sites, headers)


def _wide(sites: Iterable[SiteComparison], headers: tuple[Header, ...]) -> Table:
    table = plain_table()
    table.add_column("site", overflow="fold")
    table.add_column("update", overflow="fold")
    for header in headers:
        table.add_column(_name(header), overflow="fold")
        _add_numbers(table)
    for each in sites:
        cells = [cell for report in each.reports for cell in (_done(report), *_costs(report))]
        table.add_row(site(each.site), _update(each), *cells)
    return table


def _narrow(sites: Iterable[SiteComparison], headers: tuple[Header, ...]) -> Table:
    table = plain_table()
    table.add_column("site and update, then each target", overflow="fold")
    table.add_column("instructions, or reason", overflow="fold")
    _add_numbers(table)
    for each in sites:
        table.add_row(Text("\n").join((site(each.site), _update(each))))
        for header, report in zip(headers, each.reports, strict=True):
            table.add_row(f"  {_name(header)}", _done(report), *_costs(report))
    return table


def _add_numbers(table: Table) -> None:
    for heading in NUMBERS:
        table.add_column(heading, justify="right", no_wrap=True)


def _name(header: Header) -> str:
    return f"{header.target}:{header.device}"


def _update(each: SiteComparison) -> Text:
    """A constant address is written as the input has it: the targets need not agree on what it means."""
    return update(each.site.idiom, None)


def _done(report: SiteReport | None) -> Text:
    if report is None:
        return Text("no site", "dim")
    if report.chosen is not None:
        return Text("\n").join(Text(printable(instruction), "bold") for instruction in report.chosen.asm)
    assert report.reason is not None, "a site that is not selected has a reason"
    return Text(report.reason.code.value, "yellow")


def _costs(report: SiteReport | None) -> tuple[str, str, str]:
    done = executed(report)
    if done is None:
        return "", "", ""
    return str(done.bytes), str(done.cycles), "yes" if done.interruptible else "no"


def _totals(summary: ComparisonSummary, headers: tuple[Header, ...]) -> Table:
    table = plain_table()
    table.add_column("target", overflow="fold")
    for heading in ("selected", "bytes", "clocks", "interruptible"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("left as they are", overflow="fold")
    for header, totals in zip(headers, summary.targets, strict=True):
        numbers = (totals.selected, totals.bytes, totals.cycles, totals.interruptible)
        table.add_row(_name(header), *map(str, numbers), _reasons(totals))
    return table


def _reasons(totals: TargetTotals) -> str:
    return ", ".join(f"{number} {code}" for code, number in totals.by_reason.most_common())


def _basis(summary: ComparisonSummary, headers: tuple[Header, ...]) -> str:
    which = "all" if summary.costed == summary.sites else f"the {summary.costed} of {summary.sites}"
    objective = headers[0].objective
    return (
        f"bytes, clocks and interruptible sites are those of {which} sites whose cost is known for every target"
        f" ({objective}); a site left as it is counts as plain LOAD-OP-STORE"
    )

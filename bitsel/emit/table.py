"""``--format table``: one row per site, for people.

A row says where the update is, what it does, what the target executes for it, and what that costs before and
after, plain LOAD-OP-STORE being "before"; or why the site stays as it is, and what would help. Rows come out in
batches, so that large inputs are neither collected nor waited for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bitsel.emit.console import UNLIMITED, console_on, plain_table, put
from bitsel.emit.text import printable
from bitsel.emit.words import count, site, update
from bitsel.report import Event, Header, InputReport, SiteReport, Summary
from bitsel.selector import verdict as machine
from bitsel.selector.verdict import Selection

BATCH = 500


def write(events: Iterable[Event], header: Header, out: TextIO) -> None:
    """Write a table of all sites to `out`, then the sums."""
    console = console_on(out)
    summary = Summary()
    inputs: list[InputReport] = []
    sites = _sites(events, summary, inputs)
    while batch := list(islice(sites, BATCH)):
        put(console, _table(batch, console))
    for line in _closing(summary, inputs, header):
        console.print(Text(line))


def _sites(events: Iterable[Event], summary: Summary, inputs: list[InputReport]) -> Iterator[SiteReport]:
    """The sites among `events`; sums and inputs are noted in passing."""
    for event in events:
        if isinstance(event, SiteReport):
            summary.add(event.selection)
            yield event
        else:
            inputs.append(event)


def _table(reports: Sequence[SiteReport], console: Console) -> Table:
    """One line per site where that fits; else the update goes below the site, and the verdict above the reason."""
    wide = _wide(reports)
    natural = console.measure(wide, options=console.options.update(max_width=UNLIMITED)).maximum
    return wide if natural <= console.width else _narrow(reports)


def _wide(reports: Iterable[SiteReport]) -> Table:
    table = _with_costs("site", "update", "verdict", "instructions, or reason")
    for report in reports:
        selection = report.selection
        what = site(report), _update(report), _verdict(selection), _explanation(selection)
        table.add_row(*what, *_costs(selection))
    return table


def _narrow(reports: Iterable[SiteReport]) -> Table:
    table = _with_costs("site and update", "instructions, or reason")
    table.leading = 1
    for report in reports:
        selection = report.selection
        explanation = _explanation(selection)
        if selection.reason is not None:
            explanation = Text("\n").join((_verdict(selection), explanation))
        table.add_row(Text("\n").join((site(report), _update(report))), explanation, *_costs(selection))
    return table


def _with_costs(*headings: str) -> Table:
    table = plain_table()
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for heading in ("bytes", "clocks", "interrupt"):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _update(report: SiteReport) -> Text:
    return update(report.idiom, report.selection.absolute)


def _verdict(selection: Selection) -> Text:
    if selection.reason is None:
        return Text("selected", "green")
    return Text(selection.reason.code.value, "yellow")


def _explanation(selection: Selection) -> Text:
    lines: list[tuple[str, str]] = []
    if selection.chosen is not None:
        *first, last = map(printable, selection.chosen.asm)
        if selection.chosen.emitted_by:
            last += f"  (also by {', '.join(selection.chosen.emitted_by)})"
        lines += [(instruction, "bold") for instruction in (*first, last)]
        if selection.baseline is None:
            lines.append(("no plain LOAD-OP-STORE makes this access", "dim"))
    if selection.reason is not None:
        lines.append((printable(selection.reason.detail), ""))
        if selection.reason.fix:
            lines.append((f"fix: {printable(selection.reason.fix)}", "italic"))
    lines += [(f"warning: {printable(warning)}", "red") for warning in selection.warnings]
    lines += [(f"assumes: {printable(assumption)}", "dim") for assumption in selection.assumes]
    return Text("\n").join(Text(line, style) for line, style in lines)


def _costs(selection: Selection) -> Iterator[Text]:
    """Bytes, clocks, and whether an interrupt can fall inside: of plain LOAD-OP-STORE, then of what is chosen."""
    before, after = _numbers(selection.baseline), _numbers(selection.chosen)
    for old, new in zip(before, after, strict=True):
        yield Text(f"{old} -> {new}" if selection.chosen is not None else old.replace("-", ""))


def _numbers(sequence: machine.Sequence | None) -> tuple[str, str, str]:
    if sequence is None:
        return "-", "-", "-"
    return str(sequence.bytes), str(sequence.cycles), "yes" if sequence.interruptible else "no"


def _closing(summary: Summary, inputs: list[InputReport], header: Header) -> Iterator[str]:
    functions = count(sum(report.functions for report in inputs), "function")
    saving = f": {_saved(summary)} than plain LOAD-OP-STORE" if summary.selected else ""
    rejected = summary.sites - summary.selected
    if summary.sites:
        yield ""
    yield (
        f"{count(summary.sites, 'site')} in {functions}, {summary.selected} selected for"
        f" {header.target}:{header.device} ({header.objective}){saving}"
    )
    if rejected:
        reasons = ", ".join(f"{count} {code}" for code, count in summary.by_reason.most_common())
        yield f"left as {'they are' if rejected > 1 else 'it is'}: {reasons}"


def _saved(summary: Summary) -> str:
    """``3 bytes and 1 clock less``; one of them may grow, for the sake of the other."""
    bytes_, cycles = summary.bytes_saved, summary.cycles_saved
    if bytes_ >= 0 and cycles >= 0:
        return f"{count(bytes_, 'byte')} and {count(cycles, 'clock')} less"
    return f"{_difference(bytes_, 'byte')} and {_difference(cycles, 'clock')}"


def _difference(saved: int, noun: str) -> str:
    return f"{count(abs(saved), noun)} {'more' if saved < 0 else 'less'}"

"""What `bitsel audit` found, as a table, as ``bitsel.audit/1``, and as findings for other formats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, TextIO

from rich.text import Text

from bitsel.audit import STATUSES, Audited, AuditSite, AuditSummary, Status
from bitsel.emit.console import console_on, plain_table, put
from bitsel.emit.findings import Finding, remarked, subject
from bitsel.emit.json import Verdicts, header_text, or_null, site_text
from bitsel.emit.text import printable
from bitsel.emit.words import count, site, update
from bitsel.report import Header, InputReport

SCHEMA = "bitsel.audit/1"
_SAYS: dict[Status, tuple[str, str]] = {
    "single": ("one instruction", "green"),
    "fixable": ("can be one", "yellow"),
    "torn": ("can be torn", "red"),
}


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every JSON output obeys."""
    text = files("bitsel.emit").joinpath("audit-1.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def write_table(events: Iterable[Audited], header: Header, out: TextIO) -> None:
    """Write a row for each update that an interrupt can fall into, then the sums."""
    console = console_on(out)
    table = plain_table()
    for heading in ("site", "update", "interrupt", "instructions, or reason"):
        table.add_column(heading, overflow="fold")
    summary = AuditSummary()
    for event in events:
        if isinstance(event, AuditSite):
            summary.add(event)
            if event.status != "single":
                table.add_row(*_row(event))
    if summary.interruptible:
        put(console, table)
        console.print()
    console.print(Text(_closing(summary, header)))


def _row(found: AuditSite) -> Iterator[Text]:
    report = found.report
    yield site(report)
    yield update(report.idiom, report.selection.absolute)
    yield Text(*_SAYS[found.status])
    lines = [Text(printable(found.detail), "bold" if found.status == "fixable" else "")]
    if found.fix is not None:
        lines.append(Text(f"fix: {printable(found.fix)}", "italic"))
    yield Text("\n").join(lines)


def _closing(summary: AuditSummary, header: Header) -> str:
    counts = summary.counts
    return (
        f"{count(summary.volatile, 'volatile update')} for {header.target}:{header.device}:"
        f" {counts['single']} one instruction, {counts['fixable']} can be one by bitsel rewrite,"
        f" {counts['torn']} can be torn"
    )


def write_json(events: Iterable[Audited], header: Header, out: TextIO) -> None:
    """Write the whole document to `out`, each site as soon as `events` yields it."""
    verdicts, summary = Verdicts(), AuditSummary()
    inputs: list[str] = []
    out.write(header_text(header, SCHEMA))
    separator = "\n  "
    for event in events:
        if isinstance(event, AuditSite):
            out.write(f"{separator}{{{_site(event, verdicts)}}}")
            summary.add(event)
            separator = ",\n  "
        else:
            inputs.append(_input(event))
    sums = ", ".join(f'"{status}": {summary.counts[status]}' for status in STATUSES)
    out.write(
        f'\n ],\n "inputs": [{", ".join(inputs)}],\n "summary": {{"volatile": {summary.volatile}, {sums}}}}}\n'
    )


def _site(found: AuditSite, verdicts: Verdicts) -> str:
    return (
        f'{site_text(found.report, verdicts)}, "status": "{found.status}", "detail": {quoted(found.detail)},'
        f' "fix": {or_null(found.fix)}'
    )


def _input(report: InputReport) -> str:
    return (
        f'{{"path": {quoted(report.path)}, "functions": {report.functions}, "volatile": {report.sites},'
        f' "single": {report.selected}, "error": {or_null(report.error)}}}'
    )


def findings(events: Iterable[Audited]) -> Iterator[Finding | InputReport]:
    """The same for other formats."""
    for event in events:
        if isinstance(event, InputReport):
            yield event
            continue
        yield _finding(event)
        yield from remarked(event.report)


def _finding(found: AuditSite) -> Finding:
    report = found.report
    if found.status == "single":
        return Finding(report, "passed", "uninterruptible", (subject(report), ("Instructions", found.detail)))
    if found.status == "fixable":
        parts = (subject(report), ("String", "bitsel rewrite makes it "), ("Instructions", found.detail))
        return Finding(report, "missed", "interruptible", parts)
    rule = report.reason.code.value if report.reason is not None else "interruptible"
    fix = (("String", "; fix: "), ("Fix", found.fix)) if found.fix is not None else ()
    return Finding(report, "missed", rule, (subject(report), ("Reason", found.detail), *fix))

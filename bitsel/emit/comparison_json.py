"""``bitsel compare --format json``: the schema ``bitsel.comparison/1``, written as it is found.

One site is one line. What a target says to a site is spelled as in ``bitsel.selection/1``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, TextIO

from bitsel.comparison import ComparedInput, ComparisonEvent, ComparisonSummary, SiteComparison, TargetTotals
from bitsel.emit.json import debug_text, idiom_text, or_null, verdict_text
from bitsel.report import Header, SiteReport

SCHEMA = "bitsel.comparison/1"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every output obeys."""
    text = files("bitsel.emit").joinpath("comparison-1.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def write(events: Iterable[ComparisonEvent], headers: tuple[Header, ...], out: TextIO) -> None:
    """Write the whole document to `out`, each site as soon as `events` yields it."""
    inputs: list[str] = []
    summary = ComparisonSummary.of(len(headers))
    out.write(_opening(headers))
    separator = "\n  "
    for event in events:
        if isinstance(event, SiteComparison):
            out.write(separator + _site(event))
            summary.add(event)
            separator = ",\n  "
        else:
            inputs.append(_input(event))
    out.write(f'\n ],\n "inputs": [{", ".join(inputs)}],\n "summary": {_summary(summary)}}}\n')


def _opening(headers: tuple[Header, ...]) -> str:
    targets = ", ".join(
        f'{{"name": {quoted(header.target)}, "device": {quoted(header.device)}}}' for header in headers
    )
    return (
        f'{{"schema": "{SCHEMA}",\n'
        f' "targets": [{targets}],'
        f' "objective": {quoted(headers[0].objective)}, "policy": {quoted(headers[0].policy)},\n'
        ' "sites": ['
    )


def _site(comparison: SiteComparison) -> str:
    report = comparison.site
    return (
        f'{{"id": {quoted(report.id)}, "input": {quoted(report.input)}, "function": {quoted(report.function)},'
        f' "block": {quoted(report.block)}, "line": {report.line}, "debug": {debug_text(report.debug)},'
        f' "results": [{", ".join(map(_result, comparison.reports))}]}}'
    )


def _result(report: SiteReport | None) -> str:
    if report is None:
        return "null"
    selection = report.selection
    return f'{{"idiom": {idiom_text(report.idiom, selection.absolute)}, {verdict_text(selection)}}}'


def _input(given: ComparedInput) -> str:
    return (
        f'{{"path": {quoted(given.path)}, "functions": {given.functions}, "sites": {given.sites},'
        f' "error": {or_null(given.error)}}}'
    )


def _summary(summary: ComparisonSummary) -> str:
    targets = ", ".join(map(_totals, summary.targets))
    return f'{{"sites": {summary.sites}, "costed": {summary.costed}, "targets": [{targets}]}}'


def _totals(totals: TargetTotals) -> str:
    by_reason = ", ".join(f"{quoted(code)}: {number}" for code, number in sorted(totals.by_reason.items()))
    return (
        f'{{"sites": {totals.sites}, "selected": {totals.selected}, "bytes": {totals.bytes},'
        f' "cycles": {totals.cycles}, "interruptible": {totals.interruptible}, "by_reason": {{{by_reason}}}}}'
    )

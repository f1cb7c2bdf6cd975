"""What `bitsel rewrite` did: the report ``bitsel.rewriting/1``, and findings for other formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, TextIO

from bitsel.emit.findings import Finding, costs, missed, remarked, subject
from bitsel.emit.json import Verdicts, header_text, or_null, site_text, strings, summary_text
from bitsel.report import Header, InputReport, Summary
from bitsel.rewrite.result import ALREADY, EXCLUDED, RewriteSite, Rewritten

SCHEMA = "bitsel.rewriting/1"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every report obeys."""
    text = files("bitsel.emit").joinpath("rewriting-1.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def write(rewritten: Rewritten, path: str, output: str | None, header: Header, out: TextIO) -> None:
    """Write the report on the input `path` to `out`; `output` is where the new text went, None for nowhere."""
    verdicts, summary, kept = Verdicts(), Summary(), Counter[str]()
    out.write(header_text(header, SCHEMA))
    separator = "\n  "
    for site in rewritten.sites:
        out.write(f"{separator}{{{_site(site, verdicts)}}}")
        separator = ",\n  "
        summary.add(site.report.selection)
        if site.kept is not None:
            kept[site.kept] += 1
    changed = sum(site.rewritten for site in rewritten.sites)
    by_cause = ", ".join(f"{quoted(cause)}: {count}" for cause, count in sorted(kept.items()))
    out.write(
        f'\n ],\n "input": {{"path": {quoted(path)}, "output": {or_null(output)},'
        f' "functions": {rewritten.functions}, "sites": {summary.sites}, "selected": {summary.selected},'
        f' "rewritten": {changed}}},\n'
        f' "summary": {{{summary_text(summary)}, "rewritten": {changed}, "kept": {{{by_cause}}}}}}}\n'
    )


def _site(site: RewriteSite, verdicts: Verdicts) -> str:
    return (
        f'{site_text(site.report, verdicts)}, "rewritten": {"true" if site.rewritten else "false"},'
        f' "line_after": {site.line_after}, "before": {strings(site.before)}, "after": {strings(site.after)},'
        f' "kept": {or_null(site.kept)}'
    )


def findings(rewritten: Rewritten, path: str) -> Iterator[Finding | InputReport]:
    """The same for other formats."""
    selected = 0
    for site in rewritten.sites:
        report = site.report
        if report.reason is not None:
            yield missed(report, report.reason)
        else:
            selected += 1
            yield _selected(site)
        yield from remarked(report)
    yield InputReport(path, rewritten.functions, len(rewritten.sites), selected)


def _selected(site: RewriteSite) -> Finding:
    report = site.report
    told = (subject(report), *costs(report))
    if site.rewritten:
        return Finding(report, "passed", "rewritten", told)
    because = (*told, ("String", "; kept: "), ("Reason", site.kept or ""))
    if site.kept == ALREADY:
        return Finding(report, "passed", "already", because)
    if site.kept == EXCLUDED:
        return Finding(report, "analysis", "excluded", because)
    return Finding(report, "missed", "kept", because)

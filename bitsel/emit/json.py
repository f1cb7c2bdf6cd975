"""``--format json``: the schema ``bitsel.selection/1``, written as it is found.

One site is one line. Text is put together by hand, and only strings go through the JSON encoder: equal idioms
share one `Selection`, whose text is made once, and a site costs a few microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, TextIO

from bitsel.effect import Effect
from bitsel.ir import Address
from bitsel.match import Idiom
from bitsel.reasons import Reason
from bitsel.report import Event, Header, InputReport, SiteReport, Summary
from bitsel.selector.verdict import Selection, Sequence

SCHEMA = "bitsel.selection/1"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every output obeys."""
    text = files("bitsel.emit").joinpath("selection-1.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def write(events: Iterable[Event], header: Header, out: TextIO) -> None:
    """Write the whole document to `out`, each site as soon as `events` yields it."""
    verdicts = Verdicts()
    inputs: list[str] = []
    summary = Summary()
    out.write(header_text(header, SCHEMA))
    separator = "\n  "
    for event in events:
        if isinstance(event, SiteReport):
            out.write(f"{separator}{{{site_text(event, verdicts)}}}")
            summary.add(event.selection)
            separator = ",\n  "
        else:
            inputs.append(_input(event))
    out.write(f'\n ],\n "inputs": [{", ".join(inputs)}],\n "summary": {{{summary_text(summary)}}}}}\n')


def header_text(header: Header, schema: str) -> str:
    """A document of that schema up to its first site."""
    return (
        f'{{"schema": "{schema}",\n'
        f' "target": {{"name": {quoted(header.target)}, "device": {quoted(header.device)}}},'
        f' "objective": {quoted(header.objective)}, "policy": {quoted(header.policy)},\n'
        ' "sites": ['
    )


def site_text(report: SiteReport, verdicts: Verdicts) -> str:
    """The members of a site's object."""
    site, selection = report.site, report.selection
    return (
        f'"id": {quoted(report.id)}, "input": {quoted(report.input)}, "function": {quoted(site.function)},'
        f' "block": {quoted(site.block)}, "line": {report.line}, "debug": {debug_text(report.debug)},'
        f' "idiom": {idiom_text(site.idiom, selection.absolute)},'
        # A site the matcher itself rejects has a selection of its own, which nothing is gained by keeping.
        f" {verdict_text(selection) if site.reason else verdicts.of(selection)}"
    )


def debug_text(debug: tuple[str, int] | None) -> str:
    return f'{{"file": {quoted(debug[0])}, "line": {debug[1]}}}' if debug else "null"


def idiom_text(idiom: Idiom | None, absolute: int | None) -> str:
    if idiom is None:
        return "null"
    access = idiom.access
    return (
        f'{{"width": {access.width}, "effect": {_effect(idiom.effect)},'
        f' "volatile": {"true" if access.volatile else "false"}, "ordering": {or_null(access.ordering)},'
        f' "address": {_address(idiom.address, absolute)}}}'
    )


@lru_cache(maxsize=4096)
def _effect(effect: Effect) -> str:
    return "[" + ", ".join(f'{{"bit": {change.bit}, "op": "{change.op}"}}' for change in effect.changes) + "]"


def _address(address: Address, absolute: int | None) -> str:
    """`value` of an absolute address is the address on the target, null where the target has no such space."""
    match address.kind:
        case "absolute":
            what = f'"value": {"null" if absolute is None else absolute}, "offset": 0'
        case "symbol":
            what = f'"symbol": {quoted(address.base or "")}, "offset": {address.offset}'
        case "pointer":
            what = f'"value": {quoted(address.base or "")}, "offset": {address.offset}'
        case "stack":
            what = f'"offset": {address.offset}'
    return f'{{"kind": "{address.kind}", {what}, "space": {address.space}}}'


class Verdicts:
    """The text of a selection from "verdict" on, by identity: equal idioms have one selection.

    Holding the selection keeps its identity its own. Bounded, since pointers make selections that never recur.
    """

    LIMIT = 4096

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Selection, str]] = {}

    def of(self, selection: Selection) -> str:
        known = self._texts.get(id(selection))
        if known is not None:
            return known[1]
        if len(self._texts) >= self.LIMIT:
            self._texts.clear()
        text = verdict_text(selection)
        self._texts[id(selection)] = selection, text
        return text


def verdict_text(selection: Selection) -> str:
    return (
        f'"verdict": "{selection.verdict}", "reason": {_reason(selection.reason)},'
        f' "assumes": {strings(selection.assumes)}, "warnings": {strings(selection.warnings)},'
        f' "chosen": {_sequence(selection.chosen)}, "baseline": {_sequence(selection.baseline)}'
    )


def _reason(reason: Reason | None) -> str:
    if reason is None:
        return "null"
    return f'{{"code": {quoted(reason.code)}, "detail": {quoted(reason.detail)}, "fix": {or_null(reason.fix)}}}'


def _sequence(sequence: Sequence | None) -> str:
    if sequence is None:
        return "null"
    return (
        f'{{"asm": {strings(sequence.asm)}, "bytes": {sequence.bytes}, "cycles": {sequence.cycles},'
        f' "interruptible": {"true" if sequence.interruptible else "false"},'
        f' "clobbers": {strings(sequence.clobbers)}, "emitted_by": {strings(sequence.emitted_by)}}}'
    )


def _input(report: InputReport) -> str:
    return (
        f'{{"path": {quoted(report.path)}, "functions": {report.functions}, "sites": {report.sites},'
        f' "selected": {report.selected}, "error": {or_null(report.error)}}}'
    )


def summary_text(summary: Summary) -> str:
    """The members of the sums' object."""
    by_reason = ", ".join(f"{quoted(code)}: {count}" for code, count in sorted(summary.by_reason.items()))
    return (
        f'"sites": {summary.sites}, "selected": {summary.selected}, "bytes_saved": {summary.bytes_saved},'
        f' "cycles_saved": {summary.cycles_saved}, "by_reason": {{{by_reason}}}'
    )


def strings(texts: Iterable[str]) -> str:
    return "[" + ", ".join(map(quoted, texts)) + "]"


def or_null(string: str | None) -> str:
    return "null" if string is None else quoted(string)

"""What is to be said about one site, for formats of other tools: remarks and SARIF.

`select`, `rewrite` and `audit` each make findings of their own results; the emitters know nothing but these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, Union

from attrs import frozen

from bitsel.emit.words import count, update
from bitsel.reasons import Code, Reason
from bitsel.report import Event, InputReport, SiteReport
from bitsel.selector.verdict import Sequence

Kind = Literal["passed", "missed", "analysis"]
"""As optimisation remarks have it: done, not done, or merely said."""

RULES: Mapping[str, str] = {
    "selected": "the target has cheaper instructions for the update",
    "assumes": "what must hold and could not be checked",
    "warning": "what the policy `vendor` lets pass",
    "rewritten": "the update was rewritten",
    "kept": "the update could not be rewritten in the chosen form",
    "already": "the update already is what its compiler makes the chosen form of",
    "excluded": "the update is not among those to rewrite",
    "uninterruptible": "the update is one instruction",
    "interruptible": "an interrupt can fall inside the update, which could be one instruction",
    **{code.value: code.when for code in Code},
}
"""Every `Finding.rule`, with its sentence."""


@frozen
class Finding:
    """`parts` are keys and texts; the texts in a row are the message. What is only text has the key ``String``."""

    report: SiteReport
    kind: Kind
    rule: str
    parts: tuple[tuple[str, str], ...]

    @property
    def message(self) -> str:
        return "".join(text for _, text in self.parts)

    @property
    def place(self) -> tuple[str, int]:
        """File and line in the program's source, where the input knows, else in the input."""
        return self.report.debug or (self.report.input, self.report.line)


Findings = Iterable[Union[Finding, InputReport]]


def of_selection(events: Iterable[Event]) -> Iterator[Finding | InputReport]:
    """What `select` found."""
    for event in events:
        if isinstance(event, InputReport):
            yield event
            continue
        if event.reason is not None:
            yield missed(event, event.reason)
        else:
            yield Finding(event, "passed", "selected", (subject(event), *costs(event)))
        yield from remarked(event)


def missed(report: SiteReport, reason: Reason) -> Finding:
    parts = [subject(report), ("Reason", reason.detail)]
    if reason.fix is not None:
        parts += [("String", "; fix: "), ("Fix", reason.fix)]
    return Finding(report, "missed", reason.code.value, tuple(parts))


def remarked(report: SiteReport) -> Iterator[Finding]:
    """What is assumed and warned of."""
    for text in report.assumes:
        yield Finding(report, "analysis", "assumes", (subject(report), ("String", "assumes: "), ("Assumes", text)))
    for text in report.warnings:
        yield Finding(report, "analysis", "warning", (subject(report), ("String", "warning: "), ("Warning", text)))


def subject(report: SiteReport) -> tuple[str, str]:
    return "Update", f"{update(report.idiom, report.selection.absolute).plain}: "


def costs(report: SiteReport) -> Iterator[tuple[str, str]]:
    """The chosen sequence and what it costs beside the baseline."""
    chosen, baseline = report.chosen, report.baseline
    assert chosen is not None
    yield "Instructions", "; ".join(chosen.asm)
    yield "String", " ("
    yield from _cost(chosen, "")
    if baseline is not None:
        yield "String", ", LOAD-OP-STORE "
        yield from _cost(baseline, "Before")
    yield "String", ")"


def _cost(sequence: Sequence, when: str) -> Iterator[tuple[str, str]]:
    yield f"Bytes{when}", str(sequence.bytes)
    yield "String", f" {count(sequence.bytes, 'byte').partition(' ')[2]} and "
    yield f"Clocks{when}", str(sequence.cycles)
    yield "String", f" {count(sequence.cycles, 'clock').partition(' ')[2]}"

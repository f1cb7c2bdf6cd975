"""What selecting reports, as values: one per site, one per input, and the sums.

`api` makes them, `emit` writes them. The header says what was asked; events come in the order of the work: the
sites of an input as they are found, then the input itself.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, Union

from attrs import Factory, define, frozen

from bitsel.match import Idiom, Site
from bitsel.reasons import Reason
from bitsel.record import record
from bitsel.selector.verdict import Objective, Policy, Selection, Sequence


@frozen
class Header:
    """What was asked: the target and device by name, the objective and the policy."""

    target: str
    device: str
    objective: Objective
    policy: Policy


@record
class SiteReport:
    """One site of one input and the verdict on it. `debug` is the source file and line, where the input knows."""

    input: str
    site: Site
    selection: Selection
    debug: tuple[str, int] | None = None

    @property
    def id(self) -> str:
        """Function, block and ordinal in it: stable under edits elsewhere."""
        return f"{self.site.function}:{self.site.block}:{self.site.ordinal}"

    @property
    def function(self) -> str:
        return self.site.function

    @property
    def block(self) -> str:
        return self.site.block

    @property
    def line(self) -> int:
        """The store's line in the input, from 1."""
        return self.site.at.span.line if self.site.at.span else 0

    @property
    def idiom(self) -> Idiom | None:
        """The update itself; None where its effect could not be computed."""
        return self.site.idiom

    @property
    def verdict(self) -> Literal["selected", "rejected"]:
        return self.selection.verdict

    @property
    def reason(self) -> Reason | None:
        return self.selection.reason

    @property
    def chosen(self) -> Sequence | None:
        return self.selection.chosen

    @property
    def baseline(self) -> Sequence | None:
        return self.selection.baseline

    @property
    def assumes(self) -> tuple[str, ...]:
        return self.selection.assumes

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.selection.warnings


@frozen
class InputReport:
    """One input, after its last site: how many functions and sites it had. `error` says why it ended early,
    `warning` why its sites may mean nothing on the target."""

    path: str
    functions: int
    sites: int
    selected: int
    error: str | None = None
    warning: str | None = None


Event = Union[SiteReport, InputReport]


@define
class Summary:
    """Sums over sites; bytes and cycles are the baseline's less the chosen sequence's, over selected sites."""

    sites: int = 0
    selected: int = 0
    bytes_saved: int = 0
    cycles_saved: int = 0
    by_reason: Counter[str] = Factory(Counter)

    def add(self, selection: Selection) -> None:
        self.sites += 1
        chosen, baseline = selection.chosen, selection.baseline
        if chosen is not None:
            self.selected += 1
            if baseline is not None:
                self.bytes_saved += baseline.bytes - chosen.bytes
                self.cycles_saved += baseline.cycles - chosen.cycles
        elif selection.reason is not None:
            self.by_reason[selection.reason.code.value] += 1


@frozen
class Report:
    """All there is to say about one input."""

    header: Header
    input: InputReport
    sites: tuple[SiteReport, ...]
    summary: Summary

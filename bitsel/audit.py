"""Which volatile updates an interrupt can tear, and what would help.

An update of a volatile object is a read, a change and a write. Where these are several instructions, what an
interrupt routine writes between the read and the write is lost. An atomic update is no case of that: its compiler
sees to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, Union, get_args

from attrs import Factory, define, frozen

from bitsel.api import Selector
from bitsel.errors import InputError, MissingExtra
from bitsel.reasons import Code
from bitsel.report import InputReport, SiteReport
from bitsel.rewrite.inputs import rewrite
from bitsel.rewrite.options import Options
from bitsel.rewrite.result import ALREADY, RewriteSite

Status = Literal["single", "fixable", "torn"]
"""One instruction as it is; one instruction after `bitsel rewrite`; several whatever bitsel does."""

CRITICAL_SECTION = "disable interrupts around it"
_FIXES: Mapping[Code, str] = {
    Code.NONCONST_ADDR: f"use the constant address of the object, or {CRITICAL_SECTION}",
    Code.MULTI_BIT: f"change one bit at a time, if it need not be all at once, or {CRITICAL_SECTION}",
    Code.NONCONST_MASK: f"set or clear by a constant in two branches, or {CRITICAL_SECTION}",
    Code.ADDR_RANGE: f"move the object into reach, or {CRITICAL_SECTION}",
}


@frozen
class AuditSite:
    """A volatile update. `detail` says what it is or could be, `fix` the smallest change that helps where bitsel
    cannot."""

    report: SiteReport
    status: Status
    detail: str
    fix: str | None = None


Audited = Union[AuditSite, InputReport]


@define
class AuditSummary:
    """How many volatile updates there are of each status."""

    counts: Counter[Status] = Factory(Counter)

    def add(self, site: AuditSite) -> None:
        self.counts[site.status] += 1

    @property
    def volatile(self) -> int:
        return sum(self.counts.values())

    @property
    def interruptible(self) -> int:
        return self.volatile - self.counts["single"]


STATUSES: tuple[Status, ...] = get_args(Status)


def audit(data: bytes, path: str, selector: Selector) -> Iterator[Audited]:
    """The volatile updates of one input, followed by the input itself.

    An input that cannot be read is reported with its error: nothing is raised for it.
    """
    from bitsel.frontends.llvm.bitcode import disassemble, is_bitcode

    try:
        text = disassemble(data, path) if is_bitcode(data) else data
        found = rewrite(text, path, selector, Options())
    except (InputError, MissingExtra) as error:
        yield InputReport(path, 0, 0, 0, str(error))
        return
    audited = [_audited(site) for site in found.sites if _is_volatile(site.report)]
    yield from audited
    safe = sum(site.status == "single" for site in audited)
    yield InputReport(path, found.functions, len(audited), safe, warning=found.warning)


def _is_volatile(report: SiteReport) -> bool:
    site = report.site
    return site.load is not None and (site.load.access.volatile or site.at.access.volatile)


def _audited(site: RewriteSite) -> AuditSite:
    report, chosen, baseline = site.report, site.report.chosen, site.report.baseline
    if report.reason is not None:
        if baseline is not None and not baseline.interruptible:  # assembly: it is one instruction already
            return AuditSite(report, "single", baseline.asm[0])
        fix = report.reason.fix or _FIXES.get(report.reason.code, CRITICAL_SECTION)
        return AuditSite(report, "torn", report.reason.detail, fix)
    assert chosen is not None
    asm = "; ".join(chosen.asm)
    if chosen.interruptible:
        return AuditSite(report, "torn", f"no single instruction makes it; best is {asm}", CRITICAL_SECTION)
    if site.kept == ALREADY:
        return AuditSite(report, "single", asm)
    if site.rewritten:
        return AuditSite(report, "fixable", asm)
    return AuditSite(report, "torn", f"{asm} would do, but {site.kept}", CRITICAL_SECTION)

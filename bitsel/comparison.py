"""Comparing targets: one site after the other, what each of several targets does there.

An input is read and matched once for all targets that it reads alike for. That is all of them where it states its
data layout, as compiler output does. Where it does not, pointer widths are the target's, and can move an offset or
decide whether two places are the same: then it is read once per layout, and the sites of the readings are brought
together by their place in the text::

    comparison = compare("x.ll", targets=["rl78:r7f100g", "rl78:s3"])
    for site in comparison.sites:
        print(site.id, [done.bytes for done in map(executed, site.reports) if done])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Union

from attrs import Factory, define, frozen

from bitsel.api import Selector
from bitsel.errors import InputError, MissingExtra, UsageError
from bitsel.inputs import Source, name_of, open_module, sites_of
from bitsel.match import Site
from bitsel.mirror import Mirror
from bitsel.report import Header, SiteReport
from bitsel.selector.verdict import Objective, Policy, Sequence

if TYPE_CHECKING:
    from bitsel.frontends.llvm import Module


@frozen
class SiteComparison:
    """One site and what each target does there, in the order they were asked for.

    None stands for a target under whose data layout there is no such site (see the module).
    """

    reports: tuple[SiteReport | None, ...]

    @property
    def site(self) -> SiteReport:
        """The site itself, as the first target that has it sees it."""
        return next(report for report in self.reports if report is not None)

    @property
    def id(self) -> str:
        return self.site.id

    @property
    def costs(self) -> tuple[Sequence, ...] | None:
        """What each target executes here; None where that is not known for all of them."""
        done = [executed(report) for report in self.reports]
        known = tuple(sequence for sequence in done if sequence is not None)
        return known if len(known) == len(done) else None


def executed(report: SiteReport | None) -> Sequence | None:
    """What runs at a site in the end: the sequence chosen, else plain LOAD-OP-STORE; None where not known."""
    return (report.chosen or report.baseline) if report is not None else None


@frozen
class ComparedInput:
    """One input, after its last site. `error` says why it ended early, `warning` why its sites may mean nothing on
    some of the targets."""

    path: str
    functions: int
    sites: int
    error: str | None = None
    warning: str | None = None


@define
class TargetTotals:
    """Sums for one target. `bytes`, `cycles` and `interruptible` (a number of sites) are those of what it executes
    at the sites whose cost is known for every target, so that they can be compared."""

    sites: int = 0
    selected: int = 0
    bytes: int = 0
    cycles: int = 0
    interruptible: int = 0
    by_reason: Counter[str] = Factory(Counter)


@define
class ComparisonSummary:
    """Sums over sites: how many there are, at how many of them every target's cost is known, and per target."""

    targets: tuple[TargetTotals, ...]
    sites: int = 0
    costed: int = 0

    @classmethod
    def of(cls, targets: int) -> ComparisonSummary:
        """The sums before the first site, for so many targets."""
        return cls(tuple(TargetTotals() for _ in range(targets)))

    def add(self, comparison: SiteComparison) -> None:
        self.sites += 1
        for totals, report in zip(self.targets, comparison.reports, strict=True):
            if report is not None:
                totals.sites += 1
                totals.selected += report.chosen is not None
                if report.reason is not None:
                    totals.by_reason[report.reason.code.value] += 1
        costs = comparison.costs
        if costs is not None:
            self.costed += 1
            for totals, sequence in zip(self.targets, costs, strict=True):
                totals.bytes += sequence.bytes
                totals.cycles += sequence.cycles
                totals.interruptible += sequence.interruptible


@frozen
class Comparison:
    """All there is to say about one input. `headers` are the targets, in the order they were asked for."""

    headers: tuple[Header, ...]
    input: ComparedInput
    sites: tuple[SiteComparison, ...]
    summary: ComparisonSummary


ComparisonEvent = Union[SiteComparison, ComparedInput]


def compare(
    source: Source,
    *,
    targets: Iterable[str],
    objective: Objective = "size",
    policy: Policy = "strict",
    plugins: Iterable[str | PathLike[str]] = (),
) -> Comparison:
    """What each of `targets` (``name`` or ``name:device``) does at every bit update of `source`.

    The other arguments and the errors are those of `select`; naming no target, or one twice, is a UsageError.
    """
    with Comparer(targets, objective=objective, policy=policy, plugins=plugins) as comparer:
        reading = comparer.read(source)
        sites = tuple(reading.sites)
        summary = ComparisonSummary.of(len(comparer.headers))
        for site in sites:
            summary.add(site)
    return Comparison(comparer.headers, reading.report(), sites, summary)


class Comparer:
    """Comparing several targets over any number of inputs. Arguments and errors are those of `compare`.

    Use it as a context manager, or call `close`, so that the shapes it solved are kept for the next run.
    """

    def __init__(
        self,
        targets: Iterable[str],
        *,
        objective: Objective = "size",
        policy: Policy = "strict",
        plugins: Iterable[str | PathLike[str]] = (),
    ) -> None:
        paths = tuple(plugins)
        self._selectors = tuple(
            Selector(target, objective=objective, policy=policy, plugins=paths) for target in targets
        )
        self.headers = tuple(selector.header for selector in self._selectors)
        if not self.headers:
            raise UsageError("no target to compare", hint="name some, as in rl78:r7f100g,rl78:s3")
        for header in self.headers:
            if self.headers.count(header) > 1:
                raise UsageError(f"{header.target}:{header.device} is to be compared with itself")

    def __enter__(self) -> Comparer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with ExitStack() as stack:
            for selector in self._selectors:
                stack.callback(selector.close)

    def read(self, source: Source, *, name: str | None = None) -> ComparedReading:
        """Read one input; arguments and errors are those of `Selector.read`."""
        path = name or name_of(source)
        readings: list[_Reading] = []
        for position, selector in enumerate(self._selectors):
            reading = self._alike(readings, selector)
            if reading is None:
                module = open_module(source, path, selector.layout)
                reading = next(
                    (
                        known
                        for known in readings
                        if known.module.layout == module.layout and known.mirrors == selector.mirrors
                    ),
                    None,
                )
            if reading is None:
                reading = _Reading(module, selector.mirrors, {})
                readings.append(reading)
            selector.check_byte_order(reading.module)
            reading.selectors[position] = selector
        return ComparedReading(path, readings, len(self._selectors))

    @staticmethod
    def _alike(readings: list[_Reading], selector: Selector) -> _Reading | None:
        """A reading that is good for `selector` too, without looking into the input again.

        A module whose layout is not the default that it was read with states its own.
        """
        for known in readings:
            defaults = [each.layout for each in known.selectors.values()]
            alike = selector.layout in defaults or known.module.layout not in defaults
            if alike and known.mirrors == selector.mirrors:
                return known
        return None

    def run(self, source: Source, *, name: str | None = None) -> Iterator[ComparisonEvent]:
        """The sites of one input as they are found, followed by the input itself; arguments as in `read`.

        An input that cannot be read, or not to its end, is reported with its error: nothing is raised for it.
        """
        try:
            reading = self.read(source, name=name)
        except (InputError, MissingExtra) as error:
            yield ComparedInput(name or name_of(source), 0, 0, str(error))
            return
        try:
            yield from reading.sites
        except InputError as error:
            yield reading.report(str(error))
        else:
            yield reading.report()


@frozen
class _Reading:
    """One module as devices with these `mirrors` see it; their selectors by position among the targets."""

    module: Module
    mirrors: tuple[Mirror, ...]
    selectors: dict[int, Selector]

    def sites(self) -> Iterator[Site]:
        for function in self.module.functions():
            yield from sites_of(function, self.module, self.mirrors)


def _position(site: Site) -> int:
    """Where the site stands in the text of the input."""
    assert site.at.span is not None, "a front end says where its stores are"
    return site.at.span.start


class ComparedReading:
    """An input being read: `sites` are found as they are asked for."""

    def __init__(self, path: str, readings: list[_Reading], targets: int) -> None:
        self.path = path
        self.sites: Iterator[SiteComparison] = self._find()
        self._found = 0
        self._readings = readings
        self._targets = targets

    def report(self, error: str | None = None) -> ComparedInput:
        """The input in sums; `error` says why it ended early."""
        functions = max(reading.module.function_count for reading in self._readings)
        doubts = (s.doubt(each.module) for each in self._readings for s in each.selectors.values())
        return ComparedInput(self.path, functions, self._found, error, next(filter(None, doubts), None))

    def _find(self) -> Iterator[SiteComparison]:
        """The sites of all readings in the order of the text, none of them later than it is found."""
        sites = [reading.sites() for reading in self._readings]
        heads = [next(each, None) for each in sites]
        while any(heads):
            first = min(_position(site) for site in heads if site is not None)
            here = {i: site for i, site in enumerate(heads) if site is not None and _position(site) == first}
            self._found += 1
            yield self._comparison(here)
            for i in here:
                heads[i] = next(sites[i], None)

    def _comparison(self, sites: Mapping[int, Site]) -> SiteComparison:
        """What the targets do at one place of the text; `sites` is what their readings have there."""
        reports: list[SiteReport | None] = [None] * self._targets
        for number, site in sites.items():
            reading = self._readings[number]
            debug = reading.module.debug_location(site.at)
            for position, selector in reading.selectors.items():
                reports[position] = SiteReport(self.path, site, selector.verdict(site), debug)
        return SiteComparison(tuple(reports))

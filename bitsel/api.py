"""The Python door: from an input to typed results. The command line is built on it.

`select` answers for one input at once; `Selector` keeps what it has solved between inputs and gives each site as
it is found::

    with Selector("rl78:r7f100g") as selector:
        for path in paths:
            for site in selector.read(path).sites:
                ...

An input is a path, text or data, and its type says which: a `pathlib.Path` or a string without a line break is a
path, a string with a line break is text, `bytes` are text or bitcode. Text is LLVM IR, or GNU assembly of the
target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, get_args

from bitsel.errors import InputError, Location, MissingExtra, UsageError, did_you_mean
from bitsel.inputs import Source, assembly_text, name_of, open_module, sites_of
from bitsel.ir import DataLayout
from bitsel.match import Idiom, Site
from bitsel.mirror import Mirror
from bitsel.plugins import Plugins, find_device
from bitsel.report import Event, Header, InputReport, Report, SiteReport, Summary
from bitsel.selector import Engine
from bitsel.selector.verdict import Instruction, Objective, Policy, Selection
from bitsel.target.facts import Device, Target

if TYPE_CHECKING:
    from bitsel.frontends.llvm import Module
    from bitsel.selector.replace import Replacer


def select(
    source: Source,
    *,
    target: str,
    objective: Objective = "size",
    policy: Policy = "strict",
    plugins: Iterable[str | PathLike[str]] = (),
) -> Report:
    """Find the bit updates in `source` and choose for each the cheapest legal instructions of `target`.

    `source` is an input as above. `target`: ``name`` or ``name:device``. `objective`: ``size`` counts bytes,
    then cycles, ``speed`` the other way round. `policy`: ``strict`` leaves registers alone whose bits react to
    being written or read, ``vendor`` selects there with a warning. `plugins`: further targets, each a directory
    with a ``target.toml`` or a TOML file.

    Raises `errors.InputError` where the input cannot be read, `errors.UsageError` for an unknown target, device or
    option value, `errors.PluginError` and `errors.FactsError` for a target that does not work, and
    `errors.MissingExtra` for bitcode without the extra ``llvm``.
    """
    with Selector(target, objective=objective, policy=policy, plugins=plugins) as selector:
        reading = selector.read(source)
        sites = tuple(reading.sites)
    return Report(selector.header, reading.report(), sites, reading.summary)


class Reading:
    """An input being read: `sites` are found as they are asked for, and `summary` sums up those found so far."""

    def __init__(
        self,
        path: str,
        sites: Iterable[SiteReport],
        functions: Callable[[], int],
        warning: str | None = None,
    ) -> None:
        self.path = path
        self.warning = warning
        self.summary = Summary()
        self.sites: Iterator[SiteReport] = self._summed(sites)
        self._functions = functions

    @property
    def functions(self) -> int:
        """How many functions have been read: all that the input defines, once `sites` has ended."""
        return self._functions()

    def report(self, error: str | None = None) -> InputReport:
        """The input in sums; `error` says why it ended early."""
        found, selected = self.summary.sites, self.summary.selected
        return InputReport(self.path, self.functions, found, selected, error, self.warning)

    def _summed(self, sites: Iterable[SiteReport]) -> Iterator[SiteReport]:
        for site in sites:
            self.summary.add(site.selection)
            yield site


def _sites(path: str, module: Module, selector: Selector) -> Iterator[SiteReport]:
    """The sites of a module as they are found."""
    for function in module.functions():
        for site in sites_of(function, module, selector.mirrors):
            yield SiteReport(path, site, selector.verdict(site), module.debug_location(site.at))


class Selector:
    """Selecting for one target, device, objective and policy. Arguments and errors are those of `select`.

    `layout` is the data layout of a module that states none of its own, `mirrors` what memory of the device has two
    addresses.

    Use it as a context manager, or call `close`, so that the shapes it solved are kept for the next run.
    """

    def __init__(
        self,
        target: str,
        *,
        objective: Objective = "size",
        policy: Policy = "strict",
        plugins: Iterable[str | PathLike[str]] = (),
    ) -> None:
        _one_of("objective", objective, get_args(Objective))
        _one_of("policy", policy, get_args(Policy))
        name, _, device = target.partition(":")
        self._target = Plugins(plugins).target(name)
        self._device = find_device(self._target, device or None)
        if self._target.endian != "little":
            # Cells number their bytes from the least significant one on, which is the lowest address there only.
            raise UsageError(
                f"target {name} is {self._target.endian}-endian: only little-endian ones are selected for"
            )
        self.layout = _layout(self._target)
        self.mirrors = _mirrors(self._target, self._device)
        self._engine = Engine(self._target, self._device, objective, policy)
        self._replacer: Replacer | None = None  # made when the first assembly is read
        self.header = Header(self._target.name, self._device.name, objective, policy)

    def __enter__(self) -> Selector:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._engine.close()
        if self._replacer is not None:
            self._replacer.close()

    def read(self, source: Source, *, name: str | None = None) -> Reading:
        """Read one input; `name` is what reports call it (by default its path, ``<text>`` or ``<data>``).

        Raises InputError or MissingExtra, as iterating over the sites may, further down in the input.
        """
        path = name or name_of(source)
        text = assembly_text(source, path)
        if text is not None:
            return self._read_assembly(text, path)
        module = open_module(source, path, self.layout)
        self.check_byte_order(module)
        return Reading(path, _sites(path, module, self), lambda: module.function_count, self.doubt(module))

    def _read_assembly(self, text: str, path: str) -> Reading:
        from bitsel.rewrite.asm import Assembly
        from bitsel.rewrite.options import Options

        options = Options(objective=self.header.objective, policy=self.header.policy)
        assembly = Assembly(text, path, self._target, self._device, options, self.replacer)
        reports = (found.report for found in assembly.updates())
        return Reading(path, reports, lambda: len(assembly.program.functions))

    def run(self, source: Source, *, name: str | None = None) -> Iterator[Event]:
        """The sites of one input as they are found, followed by the input itself; arguments as in `read`.

        An input that cannot be read, or not to its end, is reported with its error: nothing is raised for it.
        """
        try:
            reading = self.read(source, name=name)
        except (InputError, MissingExtra) as error:
            yield InputReport(name or name_of(source), 0, 0, 0, str(error))
            return
        try:
            yield from reading.sites
        except InputError as error:
            yield reading.report(str(error))
        else:
            yield reading.report()

    def check_byte_order(self, module: Module) -> None:
        """Raises InputError where the module's byte order is not the target's."""
        if module.layout.endian != self._target.endian:
            wrong, right = module.layout.endian, self._target.endian
            raise InputError(
                f"its data layout is {wrong}-endian, but {self._target.name} is {right}-endian",
                Location(module.path),
            )

    @property
    def target(self) -> Target:
        return self._target

    @property
    def device(self) -> Device:
        return self._device

    @property
    def replacer(self) -> Replacer:
        """What chooses in the middle of assembly."""
        from bitsel.selector.replace import Replacer

        if self._replacer is None:
            self._replacer = Replacer(self._target, self._device, self.header.objective, self.header.policy)
        return self._replacer

    def choose(self, idiom: Idiom) -> Selection:
        """What the target says to an update, whatever was found of its surroundings."""
        return self._engine.select(idiom)

    def instructions(self, idiom: Idiom) -> tuple[Instruction, ...]:
        """The sequence that is chosen for a selected update, in pieces."""
        return self._engine.instructions(idiom)

    def doubt(self, module: Module) -> str | None:
        """What makes it doubtful that the module is meant for the target: pointers wider than its own.

        Narrower ones are no mistake: a compiler for a small machine stands in for one of a machine like it.
        """
        stated, ours = module.layout.bits(0), self._target.spaces[0].bits
        if not module.states_layout or stated <= ours:
            return None
        return (
            f"{Location(module.path)}: its data layout has {stated}-bit pointers, and those of {self._target.name}"
            f" have {ours} bits: it was compiled for another machine"
        )

    def verdict(self, site: Site) -> Selection:
        """What the target says to one site that `match` found in a module of its byte order."""
        if site.reason is None and site.idiom is not None:
            return self._engine.select(site.idiom)
        return Selection("rejected", None, None, site.reason, absolute=self._absolute(site))

    def _absolute(self, site: Site) -> int | None:
        """Where a site that never reached the target is, if that is a number."""
        address = site.idiom.address if site.idiom else None
        if address is None or address.kind != "absolute":
            return None
        space = self._target.spaces.get(address.space)
        return space.address(address.offset) if space else None


def _layout(target: Target) -> DataLayout:
    """What a module without a data layout of its own is taken to say."""
    return DataLayout(target.endian, {number: space.bits for number, space in target.spaces.items()})


def _mirrors(target: Target, device: Device) -> tuple[Mirror, ...]:
    """The device's mirrors as the constants that pointers to them are, in each address space."""
    return tuple(
        Mirror(number, *(bound - space.add for bound in (mirror.low, mirror.high, *mirror.other)))
        for number, space in target.spaces.items()
        for mirror in device.mirrors
    )


def _one_of(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UsageError(f"unknown {option} {value!r} (known: {', '.join(known)})", hint=did_you_mean(value, known))

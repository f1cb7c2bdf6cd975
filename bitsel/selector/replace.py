"""Selection in the middle of assembly: the same search, held to what is free there and to what it replaces.

The pointer is in the register it really is in; only registers and flags that nothing needs may be changed; every
access of the source is made once, as wide as it was; and the sequence must cost less than the instructions it takes
the place of, in the objective's measure, and no more in the other one unless that is traded.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from pathlib import Path as FilePath
from typing import Literal

from attrs import frozen

from bitsel.effect import Effect
from bitsel.reasons import Code
from bitsel.selector.cell import ByteRule, Cell, Place, mapped_at
from bitsel.selector.judge import Judge, Situation
from bitsel.selector.memo import Memo, Solution, cache_folder, recall, record
from bitsel.selector.recipes import masks_of
from bitsel.selector.render import Filling, Template
from bitsel.selector.search import Cost, Path, SearchTooLarge
from bitsel.selector.setting import Setting
from bitsel.selector.solver import Solver
from bitsel.selector.verdict import Objective, Policy, Sequence
from bitsel.target.devices import ByteFacts, byte_facts
from bitsel.target.expr import Expr
from bitsel.target.facts import Device, Target

MOST_BYTES = 8
MOST_REMEMBERED = 20_000
MOST_JUDGES = 64
"""For so many sets of free registers what was found out is kept at a time."""


@frozen
class Update:
    """An update as assembly makes it: its effect, and where: an absolute address, a symbol with an offset (by its
    name in C), or `offset` bytes from the address `base`, an expression over registers. `within` are the inclusive
    byte addresses between which it lies in any case. `plain`: it is memory whose accesses may become narrower."""

    effect: Effect
    within: tuple[int, int]
    address: int | None = None
    symbol: str | None = None
    base: Expr | None = None
    offset: int = 0
    plain: bool = False

    @property
    def size(self) -> int:
        return self.effect.width // 8


@frozen
class Surroundings:
    """`free`: registers and flags that may be changed. `removed`: what the instructions cost that make way."""

    free: frozenset[str]
    removed: Cost


@frozen
class Replacement:
    """The sequence, or the code of the reason why there is none. `facts`: what the device says of each byte."""

    sequence: Sequence | None
    code: Code | None
    facts: tuple[ByteFacts, ...] = ()


class Replacer:
    """Finds replacements on one device under one objective."""

    def __init__(
        self,
        target: Target,
        device: Device,
        objective: Objective,
        policy: Policy,
        *,
        trade: bool = False,
        undo: bool = False,
        cache: FilePath | Literal["user"] | None = "user",
    ) -> None:
        """`trade`: the other measure may get worse. `undo`: LOAD-OP-STORE is looked for, whatever it costs."""
        self.target = target
        self.device = device
        self.objective = objective
        self.policy = policy
        self.trade = trade
        self.undo = undo
        self.memo = Memo(f"{target.hash}-{device.name}-replace", cache_folder() if cache == "user" else cache)
        self._setting = Setting.of_device(target, device)
        self._judges: dict[frozenset[str], Judge] = {}
        self._found: dict[tuple[Update, Surroundings], Replacement] = {}

    def close(self) -> None:
        """Keep what was solved for the next run."""
        self.memo.save()

    def replacement(self, update: Update, surroundings: Surroundings) -> Replacement:
        key = (update, surroundings)
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= MOST_REMEMBERED:
                self._found.clear()
            found = self._found[key] = self._replacement(update, surroundings)
        return found

    def _replacement(self, update: Update, surroundings: Surroundings) -> Replacement:
        facts: tuple[ByteFacts, ...] = ()
        if update.address is not None:
            facts = tuple(byte_facts(self.device, update.address + i) for i in range(update.size))
        # A machine that wants words aligned takes one at an odd address for another.
        if (update.address or update.offset) % self.target.align.get(8 * update.size, 1):
            return Replacement(None, Code.COST, facts)
        if update.size > MOST_BYTES or (
            update.address is not None and update.address + update.size > 1 << self.target.address_bits
        ):
            return Replacement(None, Code.COST, facts)
        situation = self._situation(update, facts)
        judge = self._judge(surroundings.free)
        path = self._path(situation, judge, surroundings.removed)
        if path is not None:
            filling = Filling(masks_of(update.effect), update.address, update.symbol or "", update.offset)
            template = Template.of(path, self.target, self._setting.layout)
            return Replacement(template.sequence(self.target, filling), None, facts)
        return Replacement(None, self._reason(situation, surroundings), facts)

    def _situation(self, update: Update, facts: tuple[ByteFacts, ...]) -> Situation:
        address = update.address
        align = 1
        if address is not None:
            align = address & -address if address else 1 << 16
        vocabulary = self._judge(frozenset()).vocabulary
        place = Place(
            kind="absolute" if address is not None else "symbol" if update.symbol is not None else "pointer",
            address=address,
            within=update.within,
            offset=update.offset if address is None else 0,
            align=max(align, self.target.align.get(8 * update.size, 1)),
            literal=address is not None and bool(vocabulary.literals(address, update.size)),
            rounding=vocabulary.rounding,
            mapped=mapped_at(self.target, address, update.size),
        )
        rules = tuple(map(ByteRule.of, facts))
        cell = Cell(
            effect=update.effect,
            place=place,
            access="free" if update.plain else "once",
            rules=rules or (ByteRule(),) * update.size,
        )
        reacts = self.policy == "strict" and any(byte.reacts for byte in facts)
        return Situation(cell=cell, base=update.base, volatile=not update.plain, reacts=reacts)

    def _judge(self, free: frozenset[str]) -> Judge:
        """The questions' setting when only `free` may be changed."""
        known = self._judges.get(free)
        if known is None:
            if len(self._judges) >= MOST_JUDGES:
                self._judges.clear()
            known = self._judges[free] = Judge(self._setting.limited_to(free), self.objective, self.memo)
        return known

    def _path(self, situation: Situation, judge: Judge, removed: Cost) -> Path | None:
        """The cheapest sequence that is worth it."""
        if situation.reacts or situation.cell.place.mapped:
            return None  # where registers of the machine are memory nothing is touched
        primary, secondary = removed.key(self.objective)
        solver = Solver(judge.setting, situation.cell, situation.base, self.objective)
        place = situation.cell.place
        key = (
            "replace",
            self.objective,
            situation.cell.access,
            situation.cell.rules,
            repr(situation.base),
            tuple(sorted(judge.setting.scratch)),
            judge.vocabulary.place(place, situation.cell.size, judge.alignments),
            place.offset if place.kind == "pointer" else 0,
            judge.vocabulary.effect(situation.cell.effect, 9),
        )
        if self.undo:
            return self._baseline(key, solver, judge.setting)
        path = self._cheapest(key, solver, judge.setting, (primary, secondary))
        if path is None or path.cost.key(self.objective) >= (primary, secondary):
            return None
        if not self.trade and path.cost.key(self.objective)[1] > secondary:
            return None
        return path

    def _cheapest(self, key: Hashable, solver: Solver, setting: Setting, below: tuple[int, int]) -> Path | None:
        """The cheapest sequence of all, if it costs less than `below`. That there is none is remembered with the
        cost that none was found below."""
        known = self.memo.get(key)
        path = recall(known, solver, "select") if known is not None and not known.gave_up else None
        if path is not None or (known is not None and known.gave_up):
            return path
        if self.memo.get((key, below)) is not None:
            return None
        try:
            path = solver.solve("select", below=below)
        except SearchTooLarge:
            self.memo.put(key, Solution(None, gave_up=True))
            return None
        self.memo.put(key if path is not None else (key, below), record(path, setting, "select"))
        return path

    def _baseline(self, key: Hashable, solver: Solver, setting: Setting) -> Path | None:
        """The cheapest LOAD-OP-STORE."""
        known = self.memo.get((key, "undo"))
        try:
            path = recall(known, solver, "baseline", believed=False) if known is not None else None
            if known is None or (path is None and known.steps is not None):
                path = solver.solve("baseline")
                self.memo.put((key, "undo"), record(path, setting, "baseline"))
        except SearchTooLarge:
            return None
        return path

    def _reason(self, situation: Situation, surroundings: Surroundings) -> Code:
        judge = self._judge(surroundings.free)
        for code, changed, free in self._relaxations(situation, surroundings, judge):
            if self._path(changed, self._judge(free), surroundings.removed) is not None:
                return code
        solver = Solver(judge.setting, situation.cell, situation.base, self.objective)
        return Code.COST if solver.has_form() else Code.NO_FORM

    def _relaxations(
        self, situation: Situation, surroundings: Surroundings, judge: Judge
    ) -> Iterator[tuple[Code, Situation, frozenset[str]]]:
        free = surroundings.free
        flags = {r.name for r in self.target.registers.values() if r.width == 1}
        if not flags <= free:
            yield Code.FLAGS_LIVE, situation, free | flags
        scratch = {*self.target.abi.scratch, *self.target.abi.address}
        if not scratch <= free:
            yield Code.REG_LIVE, situation, free | flags | scratch
        for code, changed in judge.relaxations(situation):
            yield code, changed, free

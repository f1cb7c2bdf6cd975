"""The selector's door: an idiom in, a `Selection` out.

>>> engine = Engine(target, device, objective="size")           # doctest: +SKIP
>>> engine.select(idiom).chosen.asm                              # doctest: +SKIP
('set1 !_flags.4',)

Equal idioms give equal selections, as a rule the identical one. Three memos stand behind one another: idioms,
cells that differ in nothing but where they lie (the text of the sequence is filled in), and shapes (the search is
spared).
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path as FilePath
from typing import Literal

from attrs import evolve, frozen

from bitsel.effect import Effect
from bitsel.match import Idiom
from bitsel.reasons import Code
from bitsel.selector.cell import MOST_BYTES, ByteRule, Cell, Place
from bitsel.selector.explain import Case, Placement, explain
from bitsel.selector.judge import Judge, Situation, Verdict
from bitsel.selector.memo import Memo, Solution, cache_folder
from bitsel.selector.recipes import masks_of
from bitsel.selector.render import Filling, Template
from bitsel.selector.search import Path
from bitsel.selector.solver import Setting
from bitsel.selector.verdict import Objective, Policy, Selection
from bitsel.target.devices import ByteFacts, byte_facts
from bitsel.target.expand import forms
from bitsel.target.expr import Expr
from bitsel.target.facts import Device, Space, Target

MOST_REMEMBERED = 20_000
"""So many selections, and as many rulings, are kept at a time: memory must not grow with the input."""


@frozen
class _Ruling:
    """The verdict on every cell of one shape; `solution` is the memo of what was chosen."""

    baseline: Template | None
    chosen: Template | None
    code: Code | None
    placements: tuple[Placement, ...] = ()
    solution: Solution | None = None


class Engine:
    """Selects for one device. `cache` is the folder for solved shapes: by default the user's, None for none."""

    def __init__(
        self,
        target: Target,
        device: Device,
        objective: Objective = "size",
        policy: Policy = "strict",
        cache: FilePath | Literal["user"] | None = "user",
    ) -> None:
        self.target = target
        self.device = device
        self.policy = policy
        self.setting = Setting.of(target, forms(target, device))
        self.memo = Memo(f"{target.hash}-{device.name}", cache_folder() if cache == "user" else cache)
        self.judge = Judge(self.setting, objective, self.memo)
        self._selections: dict[Idiom, Selection] = {}
        self._rulings: dict[Hashable, _Ruling] = {}
        self._shapes: dict[Effect, Hashable] = {}
        self._proved: dict[tuple[Effect, Solution], bool] = {}

    def close(self) -> None:
        """Keep what was solved for the next run."""
        self.memo.save()

    def select(self, idiom: Idiom) -> Selection:
        found = self._selections.get(idiom)
        if found is None:
            if len(self._selections) >= MOST_REMEMBERED:
                self._selections.clear()
            found = self._selections[idiom] = self._select(idiom)
        return found

    def _select(self, idiom: Idiom) -> Selection:
        address, facts = self._where(idiom)
        place = self._place(idiom, address, self._space(idiom))
        ruling = self._ruling(idiom, place, facts)
        source = idiom.address
        filling = Filling(masks_of(idiom.effect), address, source.base or "", source.offset)
        case = Case(self.target, self.device, idiom, address, facts)
        reason = explain(ruling.code, case, ruling.placements) if ruling.code is not None else None
        chosen, baseline = ruling.chosen, ruling.baseline
        return Selection(
            verdict="selected" if chosen is not None else "rejected",
            chosen=chosen.sequence(self.target, filling) if chosen is not None else None,
            baseline=baseline.sequence(self.target, filling) if baseline is not None else None,
            reason=reason,
            assumes=case.assumes(),
            warnings=case.warnings() if chosen is not None and self.policy == "vendor" else (),
            absolute=address if self._space(idiom) is not None else None,
        )

    def _space(self, idiom: Idiom) -> Space | None:
        return self.target.spaces.get(idiom.address.space)

    def _where(self, idiom: Idiom) -> tuple[int | None, tuple[ByteFacts, ...]]:
        """The full address, where it is a constant, and what the device says of each byte there."""
        if idiom.address.kind != "absolute":
            return None, ()
        space = self._space(idiom) or self.target.spaces[0]
        address = space.address(idiom.address.offset)
        size = idiom.access.width // 8
        return address, tuple(byte_facts(self.device, address + i) for i in range(size))

    def _place(self, idiom: Idiom, address: int | None, space: Space | None) -> Place:
        space = space or self.target.spaces[0]
        align = idiom.access.align
        if address is not None:
            align = max(align, address & -address) if address else 1 << 16
        source = idiom.address
        size = idiom.access.width // 8
        return Place(
            kind=source.kind,
            address=address,
            within=space.within,
            offset=source.offset if address is None else 0,
            align=align,
            mapped=self._mapped(address, size),
            literal=address is not None and bool(self.judge.vocabulary.literals(address, size)),
            rounding=self.judge.vocabulary.rounding,
        )

    def _mapped(self, address: int | None, size: int) -> frozenset[str]:
        """The registers and flags that the bytes from `address` on are the memory of."""
        if address is None:
            return frozenset()
        spots = range(address, address + size)
        found = []
        for name, (first, bit) in self.target.mapped.items():
            width = (bit + self.target.registers[name].width + 7) // 8
            if any(first + i in spots for i in range(width)):
                found.append(name)
        return frozenset(found)

    def _ruling(self, idiom: Idiom, place: Place, facts: tuple[ByteFacts, ...]) -> _Ruling:
        size = idiom.access.width // 8
        if not self._is_inside(idiom, place):
            return _Ruling(None, None, Code.ADDR_RANGE)
        if size > MOST_BYTES:
            return _Ruling(None, None, Code.COST)
        where = self.judge.vocabulary.place(place, size, self.judge.alignments)
        access = idiom.access
        mode = (access.volatile, access.ordering is not None, idiom.atomic, access.space)
        rules = tuple(_rule(byte) for byte in facts)
        reacts = any(byte.reacts for byte in facts)
        shape = (self._shape(idiom.effect), mode, where, rules, reacts)
        found = self._rulings.get(shape)
        if found is not None and self._holds(found, idiom, place, rules, reacts):
            return found
        alone = (shape, idiom.effect, place.offset)
        found = self._rulings.get(alone)
        if found is None:
            if len(self._rulings) >= MOST_REMEMBERED:
                self._rulings.clear()
            situation = self._situation(idiom, place, rules, reacts)
            verdict = self.judge.verdict(situation, ask_why=True)
            found = self._rule(situation, verdict)
            if found.solution is not None:
                self._proved[idiom.effect, found.solution] = True
            shared = shape not in self._rulings and self.judge.serves_all_offsets(situation, verdict)
            self._rulings[shape if shared else alone] = found
        return found

    def _shape(self, effect: Effect) -> Hashable:
        """What the table can tell of an effect, with all its bits counted."""
        found = self._shapes.get(effect)
        if found is None:
            if len(self._shapes) >= MOST_REMEMBERED:
                self._shapes.clear()
            found = self._shapes[effect] = self.judge.vocabulary.effect(effect, 9)
        return found

    def _holds(
        self, ruling: _Ruling, idiom: Idiom, place: Place, rules: tuple[ByteRule, ...], reacts: bool
    ) -> bool:
        """Whether what was chosen for another cell of this shape makes this cell's update too.

        That is what equal shapes mean; yet nothing is selected unseen. The sequence is run once for each effect: no
        number that names the place is ever data, so that where the cell lies changes nothing. The baseline is only
        compared with, and believed.
        """
        if ruling.solution is None:
            return True
        key = (idiom.effect, ruling.solution)
        found = self._proved.get(key)
        if found is None:
            if len(self._proved) >= MOST_REMEMBERED:
                self._proved.clear()
            situation = self._situation(idiom, place, rules, reacts)
            found = self._proved[key] = self.judge.proves(situation, ruling.solution)
        return found

    def _rule(self, situation: Situation, verdict: Verdict) -> _Ruling:
        exact = verdict.baseline is not None and verdict.baseline.at_least is None
        # A baseline that may not be the cheapest would flatter what is chosen: it is compared by its bound alone.
        baseline = self._template(verdict.baseline) if exact else None
        if verdict.chosen is not None:
            return _Ruling(baseline, self._template(verdict.chosen), None, solution=verdict.solution)
        code = verdict.code
        placements: tuple[Placement, ...] = ()
        if code is Code.NO_FORM and situation.cell.place.kind == "symbol":
            placements = tuple(
                Placement(low, high, Template.of(path, self.target, self.setting.layout))
                for (low, high), path in self.judge.placements(situation)
                if not byte_facts(self.device, low).in_register_area
            )
        return _Ruling(baseline, None, code, placements)

    def _situation(self, idiom: Idiom, place: Place, rules: tuple[ByteRule, ...], reacts: bool) -> Situation:
        access = idiom.access
        ordered = idiom.atomic or access.ordering is not None
        cell = Cell(
            effect=idiom.effect,
            place=place,
            access="single" if ordered else "once" if access.volatile else "free",
            rules=rules or (ByteRule(),) * (access.width // 8),
        )
        space = self._space(idiom)
        base = self._base(place, space)
        reachable = space is not None and (base is not None or place.kind not in ("pointer", "stack"))
        situation = Situation(
            cell=cell,
            base=base,
            update=idiom.atomic,
            volatile=access.volatile,
            reacts=reacts and self.policy == "strict",
            reachable=reachable,
        )
        if reachable or access.space == 0:
            return situation
        near = self.target.spaces[0]
        cell = evolve(cell, place=evolve(place, within=near.within))
        inside = evolve(situation, cell=cell, base=self._base(place, near), reachable=True)
        return evolve(situation, near=inside)

    def _base(self, place: Place, space: Space | None) -> Expr | None:
        if place.kind == "pointer":
            return space.pointer if space is not None else None
        return self.target.abi.stack if place.kind == "stack" else None

    def _is_inside(self, idiom: Idiom, place: Place) -> bool:
        """Whether a constant address, as the IR writes it, and all bytes from there on are places of the space."""
        space = self._space(idiom)
        if place.address is None or space is None:
            return True
        last = place.address + idiom.access.width // 8 - 1
        return (
            idiom.address.offset < 1 << space.bits and space.within[0] <= place.address and last <= space.within[1]
        )

    def _template(self, path: Path | None) -> Template | None:
        return Template.of(path, self.target, self.setting.layout) if path is not None else None


def _rule(byte: ByteFacts) -> ByteRule:
    """What may be done to the byte; a byte that no write changes is left alone."""
    if not byte.writable:
        return ByteRule(frozenset(), False)
    return ByteRule(byte.widths, byte.bit)

"""The selector's door: an idiom in, a `Selection` out.

>>> engine = Engine(target, device, objective="size")           # doctest: +SKIP
>>> engine.select(idiom).chosen.asm                              # doctest: +SKIP
('set1 !_flags.4',)

Equal idioms give equal selections, as a rule the identical one. Three memos stand behind one another: idioms,
cells that differ in nothing but where they lie (the text of the sequence is filled in), and shapes (the search is
spared). What the table and the device say of a place is found once for all updates there.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path as FilePath
from typing import Literal, TypeVar

from attrs import evolve, field, frozen

from bitsel.effect import Effect
from bitsel.match import Idiom
from bitsel.reasons import Code, Reason
from bitsel.selector.cell import MOST_BYTES, ByteRule, Cell, Place, mapped_at
from bitsel.selector.explain import Case, Placement, assumptions, explain
from bitsel.selector.judge import Judge, Situation, Verdict
from bitsel.selector.memo import Memo, Solution, cache_folder
from bitsel.selector.recipes import AddressPart, masks_of
from bitsel.selector.render import Filling, Template
from bitsel.selector.search import Path
from bitsel.selector.setting import Setting
from bitsel.selector.verdict import Instruction, Objective, Policy, Selection
from bitsel.target.devices import ByteFacts, byte_facts
from bitsel.target.expr import Expr
from bitsel.target.facts import Device, Space, Target

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

MOST_REMEMBERED = 20_000
"""So many selections, and as many of all else that is remembered, are kept at a time: memory must not grow with the
input."""


@frozen(eq=False)
class _Spot:
    """What the target and the device say of a place, by whatever symbol or value the source names it.

    `address` is the full one where it is a constant, then `facts` are those on each byte; `space` None: the target
    has no such address space. `inside`: all bytes are places of it. `kind`: what cells have in common that the
    table and the device cannot tell apart by where they lie. `written`: parts of the address, as printed so far.
    """

    place: Place
    address: int | None
    space: Space | None
    inside: bool
    facts: tuple[ByteFacts, ...]
    rules: tuple[ByteRule, ...]
    reacts: bool
    kind: object
    written: dict[AddressPart, str] = field(factory=dict)


@frozen
class _Ruling:
    """The verdict on every cell of one shape; `solution` is the memo of what was chosen."""

    baseline: Template | None
    chosen: Template | None
    code: Code | None
    placements: tuple[Placement, ...] = ()
    solution: Solution | None = None


_OUTSIDE = _Ruling(None, None, Code.ADDR_RANGE)
_TOO_LARGE = _Ruling(None, None, Code.COST)


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
        self.setting = Setting.of_device(target, device)
        self.memo = Memo(f"{target.hash}-{device.name}", cache_folder() if cache == "user" else cache)
        self.judge = Judge(self.setting, objective, self.memo)
        self._selections: dict[Idiom, Selection] = {}
        self._rulings: dict[Hashable, _Ruling] = {}
        self._shapes: dict[Effect, object] = {}
        self._spots: dict[Hashable, _Spot] = {}
        self._kinds: dict[Hashable, object] = {}
        self._proved: dict[tuple[Effect, Solution], bool] = {}

    def close(self) -> None:
        """Keep what was solved for the next run."""
        self.memo.save()

    def select(self, idiom: Idiom) -> Selection:
        found = self._selections.get(idiom)
        if found is None:
            found = self._select(idiom)
            _remember(self._selections, idiom, found)
        return found

    def instructions(self, idiom: Idiom) -> tuple[Instruction, ...]:
        """The chosen sequence in pieces; none where the idiom is not selected."""
        spot = self._spot(idiom)
        chosen = self._ruling(idiom, spot).chosen
        return chosen.instructions(self.target, _filling(idiom, spot)) if chosen is not None else ()

    def _select(self, idiom: Idiom) -> Selection:
        spot = self._spot(idiom)
        ruling = self._ruling(idiom, spot)
        filling = _filling(idiom, spot)
        chosen, baseline = ruling.chosen, ruling.baseline
        reason: Reason | None = None
        warnings: tuple[str, ...] = ()
        if ruling.code is not None:
            reason = explain(ruling.code, self._case(idiom, spot), ruling.placements)
        elif self.policy == "vendor":
            warnings = self._case(idiom, spot).warnings()
        return Selection(
            verdict="selected" if chosen is not None else "rejected",
            chosen=chosen.sequence(self.target, filling) if chosen is not None else None,
            baseline=baseline.sequence(self.target, filling) if baseline is not None else None,
            reason=reason,
            assumes=assumptions(idiom),
            warnings=warnings,
            absolute=spot.address if spot.space is not None else None,
        )

    def _case(self, idiom: Idiom, spot: _Spot) -> Case:
        return Case(self.target, self.device, idiom, spot.address, spot.facts)

    def _spot(self, idiom: Idiom) -> _Spot:
        source, access = idiom.address, idiom.access
        key = (source.kind, source.offset, source.space, access.width, access.align)
        found = self._spots.get(key)
        if found is None:
            found = self._find_spot(idiom)
            _remember(self._spots, key, found)
        return found

    def _find_spot(self, idiom: Idiom) -> _Spot:
        space = self.target.spaces.get(idiom.address.space)
        address = None
        if idiom.address.kind == "absolute":
            address = (space or self.target.spaces[0]).address(idiom.address.offset)
        size = idiom.access.width // 8
        bytes_ = range(address, address + size) if address is not None else ()
        facts = tuple(byte_facts(self.device, byte) for byte in bytes_)
        rules = tuple(map(ByteRule.of, facts))
        reacts = any(byte.reacts for byte in facts)
        place = self._place(idiom, address, space)
        where = self.judge.vocabulary.place(place, size, self.judge.alignments)
        return _Spot(
            place=place,
            address=address,
            space=space,
            inside=space is None or address is None or self._is_inside(idiom, address, space),
            facts=facts,
            rules=rules,
            reacts=reacts,
            kind=self._kind((where, rules, reacts, idiom.address.space)),
        )

    def _kind(self, told: Hashable) -> object:
        """One object for all that is equal: what is told is long, and asked for at every site."""
        found = self._kinds.get(told)
        if found is None:
            found = object()
            _remember(self._kinds, told, found)
        return found

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
            mapped=mapped_at(self.target, address, size),
            literal=address is not None and bool(self.judge.vocabulary.literals(address, size)),
            rounding=self.judge.vocabulary.rounding,
        )

    def _ruling(self, idiom: Idiom, spot: _Spot) -> _Ruling:
        if not spot.inside:
            return _OUTSIDE
        if idiom.access.width // 8 > MOST_BYTES:
            return _TOO_LARGE
        access = idiom.access
        shape = (self._shape(idiom.effect), spot.kind, access.volatile, access.ordering is not None, idiom.atomic)
        found = self._rulings.get(shape)
        if found is not None and self._holds(found, idiom, spot):
            return found
        alone = (shape, idiom.effect, spot.place.offset)
        found = self._rulings.get(alone)
        if found is None:
            situation = self._situation(idiom, spot)
            verdict = self.judge.verdict(situation, ask_why=True)
            found = self._rule(situation, verdict)
            if found.solution is not None:
                self._proved[idiom.effect, found.solution] = True
            shared = shape not in self._rulings and self._serves_shape(situation, verdict)
            _remember(self._rulings, shape if shared else alone, found)
        return found

    def _serves_shape(self, situation: Situation, verdict: Verdict) -> bool:
        """Whether the verdict is that on every cell of the shape, at whatever offset from its pointer."""
        vocabulary, place = self.judge.vocabulary, situation.cell.place
        return vocabulary.tells_offset(place) or self.judge.serves_all_offsets(situation, verdict)

    def _shape(self, effect: Effect) -> object:
        """What the table can tell of an effect, with all its bits counted."""
        found = self._shapes.get(effect)
        if found is None:
            found = self._kind(self.judge.vocabulary.effect(effect, 9))
            _remember(self._shapes, effect, found)
        return found

    def _holds(self, ruling: _Ruling, idiom: Idiom, spot: _Spot) -> bool:
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
            found = self.judge.proves(self._situation(idiom, spot), ruling.solution)
            _remember(self._proved, key, found)
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

    def _situation(self, idiom: Idiom, spot: _Spot) -> Situation:
        access, place, space = idiom.access, spot.place, spot.space
        ordered = idiom.atomic or access.ordering is not None
        cell = Cell(
            effect=idiom.effect,
            place=place,
            access="single" if ordered else "once" if access.volatile else "free",
            rules=spot.rules or (ByteRule(),) * (access.width // 8),
        )
        base = self._base(place, space)
        reachable = space is not None and (base is not None or place.kind not in ("pointer", "stack"))
        situation = Situation(
            cell=cell,
            base=base,
            update=idiom.atomic,
            volatile=access.volatile,
            reacts=spot.reacts and self.policy == "strict",
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

    def _is_inside(self, idiom: Idiom, address: int, space: Space) -> bool:
        """Whether a constant address, as the IR writes it, and all bytes from there on are places of the space."""
        last = address + idiom.access.width // 8 - 1
        return idiom.address.offset < 1 << space.bits and space.within[0] <= address and last <= space.within[1]

    def _template(self, path: Path | None) -> Template | None:
        return Template.of(path, self.target, self.setting.layout) if path is not None else None


def _filling(idiom: Idiom, spot: _Spot) -> Filling:
    source = idiom.address
    return Filling(masks_of(idiom.effect), spot.address, source.base or "", source.offset, spot.written)


def _remember(memo: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    if len(memo) >= MOST_REMEMBERED:
        memo.clear()
    memo[key] = value

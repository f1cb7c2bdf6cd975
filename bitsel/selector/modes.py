"""Addressing modes through registers, shared by all instructions that use the same: which byte of the cell a mode
names, given what the registers hold."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise, product
from operator import itemgetter
from typing import Any, NamedTuple, Union

from bitsel.selector.ground import Ground, walk
from bitsel.selector.lanes import Addr, Sign, Value, Vec
from bitsel.selector.step import Lanes, Stepper
from bitsel.target.expr import Binary, Expr, Mem, Name, Num


class AnyOffset(NamedTuple):
    """This byte of an address, however far from the cell's."""

    piece: int


Wanted = Union[Addr, AnyOffset, int]
Node = tuple[int, Wanted]
"""A place and what is wanted there."""


class Requirement(NamedTuple):
    """`lanes`: what places have to hold. `loose`: places that have to hold some number, which tells the byte."""

    lanes: frozenset[Node]
    loose: frozenset[int] = frozenset()


class Mode:
    """One way to name a byte of the cell.

    `possible`: whether some filling of the registers makes it name a place relative to the cell.
    """

    __slots__ = (
        "_ground",
        "_memo",
        "_names_each",
        "_pick",
        "_required",
        "_stepper",
        "_supply",
        "places",
        "possible",
    )

    def __init__(self, ground: Ground, stepper: Stepper) -> None:
        self._ground = ground
        self._stepper = stepper
        names = {ground.env.get(name, name) for name in _names(ground)}
        registers = sorted(name for name in names if isinstance(name, str))
        self.places = tuple(p for name in registers for p in stepper.layout.places.get(name, ()))
        pick = itemgetter(*self.places) if self.places else None
        self._pick: Any = pick or (lambda registers: ())
        self._memo: dict[Any, int | None] = {}
        self._required: dict[int, Requirement] = {}
        self._supply = _supply(ground, registers, stepper)
        self._names_each = _names_each(ground, stepper)
        self.possible = self._supply is not None

    def byte(self, registers: Lanes) -> int | None:
        """The byte it names, None where that is not known to be one of the cell's."""
        key = self._pick(registers)
        try:
            return self._memo[key]
        except KeyError:
            found = self._memo[key] = self._stepper.offset(self._ground, registers)
            return found

    def requirement(self, byte: int) -> Requirement:
        """What its registers have to hold for it to name `byte`."""
        found = self._required.get(byte)
        if found is None:
            found = self._required[byte] = self._requirement(byte)
        return found

    def _requirement(self, byte: int) -> Requirement:
        assert self._supply is not None
        pieces, distance = self._supply
        shape = self._stepper.domain.shape
        if self._names_each and pieces.keys() == set(self.places):
            lanes = {place: shape.lane(byte - distance, piece) for place, piece in pieces.items()}
            filled = list(self._stepper.layout.blank())
            for place, lane in lanes.items():
                filled[place] = lane
            if self._stepper.relative(self._ground, tuple(filled)) == byte:
                return Requirement(frozenset(lanes.items()))  # type: ignore[arg-type]
        held = {(p, AnyOffset(piece)) for p, piece in pieces.items() if isinstance(shape.lane(0, piece), Addr)}
        return Requirement(frozenset(held), frozenset(self.places) - {place for place, _ in held})


class Gate:
    """Where an instruction with several memory places, some through registers, can stand: where each of them is
    known to name a byte of the cell."""

    __slots__ = ("_ground", "_memo", "_pick", "_stepper")

    def __init__(self, ground: Ground, stepper: Stepper) -> None:
        self._ground = ground
        self._stepper = stepper
        names = {ground.env.get(name, name) for name in _names(ground)}
        registers = sorted(name for name in names if isinstance(name, str))
        places = [p for name in registers for p in stepper.layout.places.get(name, ())]
        self._pick: Any = itemgetter(*places) if places else (lambda registers: ())
        self._memo: dict[Any, bool] = {}

    def is_open(self, registers: Lanes) -> bool:
        key = self._pick(registers)
        try:
            return self._memo[key]
        except KeyError:
            found = self._memo[key] = self._stepper.reaches(self._ground, registers)
            return found


class Modes:
    """The modes and gates of one footprint, each made once."""

    def __init__(self, stepper: Stepper) -> None:
        self._stepper = stepper
        self._modes: dict[Hashable, Mode] = {}
        self._gates: dict[Hashable, Gate] = {}

    def mode(self, key: Hashable, ground: Ground) -> Mode:
        """The mode by which `ground`, with that `mode_key`, reaches memory."""
        if key not in self._modes:
            self._modes[key] = Mode(ground, self._stepper)
        return self._modes[key]

    def gate(self, key: Hashable, ground: Ground) -> Gate:
        if key not in self._gates:
            self._gates[key] = Gate(ground, self._stepper)
        return self._gates[key]


def _supply(ground: Ground, registers: list[str], stepper: Stepper) -> tuple[dict[int, int], int] | None:
    """The pieces (bytes) of the cell's address with which the mode's registers name a place relative to the cell,
    and how far that is from the cell. In each register they adjoin, or are the rounded ones above what a number of
    the instruction adds, over zeros."""
    shape = stepper.domain.shape
    layout = stepper.layout
    # Pieces in numbers of the instruction are of the address of one byte; those in registers must be of the same.
    vectors = [value for name in sorted(_names(ground)) if isinstance(value := ground.env.get(name), Vec)]
    offset = next((lane.offset for v in vectors for lane in v.lanes if isinstance(lane, Addr)), 0)
    cuts = sorted({len(v.lanes) for v in vectors if isinstance(v.above, Sign)})
    fillings = [*((first, 0) for first in range(shape.size)), *((0, cut) for cut in cuts)]
    for filling in product(fillings, repeat=len(registers)):
        lanes = list(layout.blank())
        supply = {}
        for name, (first, cut) in zip(registers, filling, strict=True):
            for piece, place in enumerate(layout.places.get(name, ()), first):
                lanes[place] = shape.lane(offset + (1 << 8 * cut >> 1), piece) if piece >= cut else 0
                if piece >= cut:
                    supply[place] = piece
        found = stepper.relative(ground, tuple(lanes))
        if found is not None:
            return supply, found - offset
    return None


def _names_each(ground: Ground, stepper: Stepper) -> bool:
    """Whether no two fillings of the registers name the same place: they are summed, shifted apart."""
    spans: list[range] = []

    def is_sum(expr: Expr, shift: int = 0) -> bool:
        match expr:
            case Num():
                return True
            case Name(name):
                bound = ground.env.get(name, name)
                if isinstance(bound, str):
                    register = stepper.target.registers[bound]
                    if register.value is None:
                        spans.append(range(shift, shift + register.width))
                    return True
                return isinstance(bound, int)
            case Binary("+", left, right) if not shift:
                return is_sum(left) and is_sum(right)
            case Binary("-", left, Num() | Name() as right) if not shift:
                return is_sum(left) and not isinstance(ground.env.get(getattr(right, "id", ""), 0), (str, Vec))
            case Binary("<<", left, Num(count)):
                return is_sum(left, shift + count)
        return False

    if not is_sum(ground.uses.mems[0].address):
        return False
    spans.sort(key=lambda span: span.start)
    return all(low.stop <= high.start for low, high in pairwise(spans))


def _names(ground: Ground) -> set[str]:
    return {e.id for mem in ground.uses.mems for e in walk(mem.address) if isinstance(e, Name)}


def mode_key(ground: Ground) -> Hashable:
    """What tells one addressing mode, or several of one instruction, from others."""
    bound = {(name, ground.env[name]) for name in _names(ground) if name in ground.env}
    return (tuple(mem.address for mem in ground.uses.mems), frozenset(bound))


def names_places_first(ground: Ground) -> bool:
    """Whether no statement changes a register that a memory place of a later one goes through."""
    names = _names(ground)
    changed: set[str] = set()
    for statement in ground.form.does:
        mentioned = any(isinstance(e, Mem) for expr in (*statement.targets, *statement.values) for e in walk(expr))
        if mentioned and changed & names:
            return False
        changed |= {target.id for target in statement.targets if isinstance(target, Name)}
    return True


def address_pieces(value: str | Value) -> set[int]:
    """Which bytes of the cell's address a value holds."""
    return {lane.place for lane in value.lanes if isinstance(lane, Addr)} if isinstance(value, Vec) else set()

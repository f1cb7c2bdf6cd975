"""One instruction of a sequence: running a ground instruction's `does` on symbolic registers and the cell.

Registers are a flat tuple of lanes. Memory is the cell and nothing else: an access that is not provably to the
cell, or that the cell's rules forbid, makes the instruction impossible here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bitsel.errors import FactsError
from bitsel.selector.cell import Footprint
from bitsel.selector.ground import Ground, walk
from bitsel.selector.lanes import UNKNOWN, Lane, LaneDomain, Value, Vec, bits_of, from_vec, is_data, to_vec
from bitsel.target.expr import Expr, Name
from bitsel.target.facts import Target
from bitsel.target.semantics import evaluate, execute

Lanes = tuple[Lane, ...]


class Registers:
    """Where each register's lanes stand in the flat tuple, and which unit (register without parts) owns which."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.units = tuple(r.name for r in target.registers.values() if not r.parts and r.value is None)
        self.unit_bit = {name: 1 << i for i, name in enumerate(self.units)}
        self.places: dict[str, tuple[int, ...]] = {}
        self.size = 0
        for name in self.units:
            count = (target.registers[name].width + 7) // 8
            self.places[name] = tuple(range(self.size, self.size + count))
            self.size += count
        for register in target.registers.values():
            if register.parts:
                self.places[register.name] = self._pair(register.name)
        self.flags = frozenset(p for n in self.units if target.registers[n].width == 1 for p in self.places[n])

    def _pair(self, name: str) -> tuple[int, ...]:
        parts = self.target.registers[name].parts
        return tuple(place for part in parts for place in (self.places.get(part) or self._pair(part)))

    def units_of(self, name: str) -> tuple[str, ...]:
        """The registers without parts that `name` is made of."""
        parts = self.target.registers[name].parts
        return tuple(unit for part in parts for unit in self.units_of(part)) if parts else (name,)

    def unit_set(self, names: Iterable[str]) -> int:
        """The bit set of the units that `names` are made of."""
        found = 0
        for name in names:
            for unit in self.units_of(name):
                found |= self.unit_bit.get(unit, 0)
        return found

    def closed(self, names: Iterable[str]) -> frozenset[str]:
        """`names`, their units, and every register made of those units alone."""
        units = {unit for name in names for unit in self.units_of(name)}
        return frozenset(r for r in self.target.registers if set(self.units_of(r)) <= units)

    def is_flag(self, places: tuple[int, ...]) -> bool:
        """Whether these are the places of a flag."""
        return len(places) == 1 and places[0] in self.flags

    def blank(self) -> Lanes:
        return (UNKNOWN,) * self.size

    def filled(self, bit: int) -> Lanes:
        """Every bit of every register is `bit`."""
        return tuple(
            -bit & (255 if self.target.registers[name].width > 1 else 1)
            for name in self.units
            for _ in self.places[name]
        )

    def read(self, lanes: Lanes, name: str) -> Value:
        register = self.target.registers[name]
        if register.value is not None:
            return register.value
        return from_vec(Vec(tuple(lanes[i] for i in self.places[name])))

    def holding(self, lanes: Lanes, name: str, value: Value) -> Lanes:
        """`lanes` with register `name` holding `value`'s low lanes."""
        changed = list(lanes)
        for place, lane in zip(self.places[name], _lanes(value, len(self.places[name])), strict=True):
            changed[place] = lane
        return tuple(changed)


def _lanes(value: Value, count: int) -> Lanes:
    lanes, above = to_vec(value)
    return (lanes + (above,) * count)[:count]


def put(lanes: Lanes, written: Iterable[tuple[int, Lane]]) -> Lanes:
    """`lanes` with what was `written`, by place."""
    changed = list(lanes)
    for place, lane in written:
        changed[place] = lane
    return tuple(changed)


class Outcome(NamedTuple):
    """What an instruction does: lanes written to registers (by place) and to the cell (by byte), and its accesses
    (byte offset, width in bits). `clobbers` is the bit set of units changed; `indirect` counts accesses through
    registers."""

    registers: tuple[tuple[int, Lane], ...]
    memory: tuple[tuple[int, Lane], ...]
    loads: tuple[tuple[int, int], ...]
    stores: tuple[tuple[int, int], ...]
    clobbers: int
    indirect: int

    @property
    def idle(self) -> bool:
        """Whether nothing known comes of it."""
        return not (self.loads or self.stores) and all(lane == UNKNOWN for _, lane in self.registers)


class _Impossible(Exception):
    """The instruction cannot stand here."""


class _Machine:
    """`semantics.Machine` over lanes, for one instruction."""

    def __init__(self, stepper: Stepper, ground: Ground, memory: Lanes, registers: Lanes) -> None:
        self.stepper = stepper
        self.env: Mapping[str, str | Value] = ground.env
        self.bit = ground.form.bit
        self.memory = memory
        self.registers = registers
        self.written: dict[int, Lane] = {}
        self.stored: dict[int, Lane] = {}
        self.loads: list[tuple[int, int]] = []
        self.stores: list[tuple[int, int]] = []
        self.clobbers = 0

    def read(self, name: str) -> Value:
        bound = self.env.get(name, name)
        if not isinstance(bound, str):
            return bound
        layout = self.stepper.layout
        constant = layout.target.registers[bound].value
        if constant is not None:
            return constant
        lanes = tuple(self.written.get(i, self.registers[i]) for i in layout.places[bound])
        return from_vec(Vec(lanes))

    def write(self, name: str, value: Value) -> None:
        bound = self.env.get(name, name)
        assert isinstance(bound, str)
        layout = self.stepper.layout
        register = layout.target.registers[bound]
        if register.value is not None:
            return
        places = layout.places[bound]
        low = self.stepper.domain.low(value, register.width)
        lanes = _lanes(low, len(places))
        if register.width == 1 and not is_data(lanes[0]):
            lanes = (UNKNOWN,)
        self.written.update(zip(places, lanes, strict=True))
        for unit in layout.units_of(bound):
            self.clobbers |= layout.unit_bit[unit]

    def _access(self, width: int, address: Value) -> int:
        offset = self.stepper.domain.offset(address)
        align = self.stepper.target.align.get(width, 1)
        if offset is None or not self.stepper.footprint.allows(offset, width, self.bit, align):
            raise _Impossible
        return offset

    def load(self, width: int, address: Value) -> Value:
        offset = self._access(width, address)
        self.loads.append((offset, width))
        return from_vec(Vec(self.memory[offset : offset + width // 8]))

    def store(self, width: int, address: Value, value: Value) -> None:
        offset = self._access(width, address)
        lanes = _lanes(value, width // 8)
        if not all(map(is_data, lanes)):
            raise _Impossible  # the cell never holds what nobody knows, not even for a moment
        self.stores.append((offset, width))
        self.stored.update(zip(range(offset, offset + width // 8), lanes, strict=True))


class _PlacedMachine(_Machine):
    """A machine for which every access is at byte `offset` of the cell."""

    offset = 0

    def _access(self, width: int, address: Value) -> int:
        if not self.stepper.footprint.allows(self.offset, width, self.bit, 1):
            raise _Impossible
        return self.offset


class Stepper:
    """Runs ground instructions against the cell of one footprint, whatever is wanted of it."""

    def __init__(self, target: Target, layout: Registers, footprint: Footprint, domain: LaneDomain) -> None:
        self.target = target
        self.layout = layout
        self.footprint = footprint
        self.domain = domain

    def run(self, ground: Ground, memory: Lanes, registers: Lanes) -> Outcome | None:
        """What `ground` does there, or None where it cannot stand."""
        machine = _Machine(self, ground, memory, registers)
        try:
            execute(ground.form.does, machine, self.domain)
        except _Impossible:
            return None
        indirect = len(machine.loads) + len(machine.stores) if ground.based else 0
        return Outcome(
            tuple(machine.written.items()),
            tuple(machine.stored.items()),
            tuple(machine.loads),
            tuple(machine.stores),
            machine.clobbers,
            indirect,
        )

    def update_of(self, ground: Ground, offset: int, lanes: Lanes, registers: Lanes | None = None) -> Lanes | None:
        """What an updating instruction makes of `lanes` at byte `offset`, were its address there, with `registers`
        (by default nothing known); None where the cell forbids it or the outcome is not known."""
        memory = list(self.footprint.start)
        memory[offset : offset + len(lanes)] = lanes
        machine = _PlacedMachine(self, ground, tuple(memory), registers or self.layout.blank())
        machine.offset = offset
        try:
            execute(ground.form.does, machine, self.domain)
        except _Impossible:
            return None
        return tuple(machine.stored.get(offset + i, lane) for i, lane in enumerate(lanes))

    def may_make(self, ground: Ground, offset: int, wanted: Lanes) -> bool:
        """Whether an updating instruction may make `wanted` of the old bytes from `offset` on, were its address
        there, with some constant in the register that it takes data from.

        What becomes of a bit is one thing where the register has 0 there and one where it has 1.
        """
        names = {e.id for e in walk(ground.uses.mems[0].address) if isinstance(e, Name)}
        if len(ground.reads - {str(ground.env.get(name, name)) for name in names}) > 1:
            return True  # not worth working out: no machine here has one
        old = self.footprint.start[offset : offset + len(wanted)]
        made = [self.update_of(ground, offset, old, self.layout.filled(bit)) for bit in (0, 1)]
        known = [lanes for lanes in made if lanes is not None]
        return bool(known) and all(
            bit in {bits_of(lanes[i])[place] for lanes in known}
            for i, lane in enumerate(wanted)
            for place, bit in enumerate(bits_of(lane))
        )

    def offset(self, ground: Ground, registers: Lanes) -> int | None:
        """The byte of the cell that `ground`'s only memory place is at, None where it is not in the cell."""
        found = self.relative(ground, registers)
        return found if found is not None and 0 <= found < self.footprint.size else None

    def relative(self, ground: Ground, registers: Lanes) -> int | None:
        """How many bytes from the cell's first that place is; None where that is not known."""
        (mem,) = ground.uses.mems
        machine = _Machine(self, ground, (), registers)
        return self.domain.offset(evaluate(mem.address, machine.read, self.domain))

    def reaches(self, ground: Ground, registers: Lanes) -> bool:
        """Whether every memory place of `ground` is known to be in the cell."""
        machine = _Machine(self, ground, (), registers)
        found = (self.domain.offset(evaluate(m.address, machine.read, self.domain)) for m in ground.uses.mems)
        return all(offset is not None and 0 <= offset < self.footprint.size for offset in found)

    def incoming(self, where: Expr, offset: int) -> Lanes:
        """Registers before the sequence when the address cell + `offset` is given by the expression `where`."""
        lanes = self.layout.blank()
        whole = self.domain.shape.vec(offset)
        for name in {e.id for e in walk(where) if isinstance(e, Name)}:
            lanes = self.layout.holding(lanes, name, whole)
        found = evaluate(where, lambda name: self.layout.read(lanes, name), self.domain)
        if self.domain.offset(found) != offset:
            raise FactsError("the address expression of an incoming pointer or stack slot does not name one place")
        return lanes

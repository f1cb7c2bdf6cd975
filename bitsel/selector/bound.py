"""The admissible bound: bytes and cycles that any completion of a state costs at least.

It adds up what cannot be avoided. A byte of the cell that is not yet as wanted needs a bit instruction for each
bit, or another updating instruction, or a store; a store needs the wanted value in a register, so, unless it is
there, an instruction that computes it, and, unless the old byte is in a register, a load. Accesses through a
register need the address in it: either every access is made with the addresses at hand, or at least one
instruction more brings one. Bytes and cycles are bounded each on their own.

Costs are summed in eighths, because one instruction may serve up to eight bytes of the cell at once.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Literal, NamedTuple

from bitsel.selector.access import Discipline, Free, Once, Single, Units
from bitsel.selector.cell import Cell
from bitsel.selector.ground import BitNumber, Ground, Mask, walk
from bitsel.selector.lanes import Addr, Bits, Lane, Old, Value, Vec, bits_of, lane_of
from bitsel.selector.search import Instruction, Objective, State
from bitsel.selector.step import Lanes, Stepper
from bitsel.target.expr import Name

_NEVER = 1 << 40


class Pair(NamedTuple):
    """Bytes and cycles, in eighths."""

    bytes: int
    cycles: int

    def plus(self, other: Pair) -> Pair:
        return Pair(self.bytes + other.bytes, self.cycles + other.cycles)

    def least(self, other: Pair) -> Pair:
        """The smaller of each: a bound for whichever of two ways is taken."""
        return Pair(min(self.bytes, other.bytes), min(self.cycles, other.cycles))

    def times(self, count: int) -> Pair:
        return Pair(self.bytes * count, self.cycles * count)


NOTHING = Pair(0, 0)
NEVER = Pair(_NEVER, _NEVER)


def zero(state: State) -> tuple[int, int]:
    """The bound that knows nothing: the search without pruning, to compare with."""
    return (0, 0)


class _Table:
    """The least cost of what instructions can do to each byte of the cell.

    `flip`: per byte and bit, what one bit instruction can make of the bit (0, 1, or its complement as -1), and the
    cost. `flat`: updating instructions that take nothing from registers, with their costs. `fed`: the least
    cost of one that does.
    """

    __slots__ = ("fed", "flat", "flip", "load", "load_compute", "store")

    def __init__(self, size: int) -> None:
        self.load = [NEVER] * size
        self.load_compute = [NEVER] * size
        self.store = [NEVER] * size
        self.fed = [NEVER] * size
        self.flat: list[dict[Instruction, Pair]] = [{} for _ in range(size)]
        self.flip: list[dict[tuple[int, int], Pair]] = [{} for _ in range(size)]

    def copy(self) -> _Table:
        made = _Table(0)
        for name in ("load", "load_compute", "store", "fed"):
            setattr(made, name, list(getattr(self, name)))
        made.flat = [dict(row) for row in self.flat]
        made.flip = [dict(row) for row in self.flip]
        return made

    def add(self, instruction: Instruction, first: int, count: int, change: _Change) -> None:
        """Note that `instruction` reaches bytes first .. first+count-1."""
        uses = instruction.ground.uses
        share = _cost(instruction, count)
        for byte in range(max(first, 0), min(first + count, len(self.load))):
            if not uses.stores:
                row = self.load if uses.plain else self.load_compute
                row[byte] = row[byte].least(share)
            elif not uses.loads:
                self.store[byte] = self.store[byte].least(share)
            elif change == "fed":
                self.fed[byte] = self.fed[byte].least(share)
            elif change == "flat":
                self.flat[byte][instruction] = share
            else:
                row_of_bits = self.flip[byte]
                row_of_bits[change] = row_of_bits.get(change, NEVER).least(share)

    def add_mover(self, instruction: Instruction, count: int) -> None:
        """Note an instruction that reads one place and writes another: it may serve as anything, anywhere."""
        share = _cost(instruction, count)
        for row in (self.load, self.load_compute, self.store, self.fed):
            for byte in range(len(row)):
                row[byte] = row[byte].least(share)


_Change = Literal["fed", "flat"] | tuple[int, int]
"""How an update changes its byte: a bit and what it becomes (0, 1, or -1 complemented), or see `_Table`."""


def _cost(instruction: Instruction, count: int) -> Pair:
    """The instruction's cost per byte where it serves `count` bytes at once."""
    form = instruction.ground.form
    return Pair(8 * form.bytes // count, 8 * form.cycles // count)


class _Reach:
    """An addressing mode through registers: which byte of the cell it names, with what the registers hold.

    Instructions that share the mode share this.
    """

    __slots__ = ("_ground", "_memo", "_pick", "_stepper", "served")

    def __init__(self, ground: Ground, stepper: Stepper) -> None:
        self.served: list[tuple[Instruction, int, _Change]] = []
        self._ground = ground
        self._stepper = stepper
        names = {ground.env.get(e.id, e.id) for e in walk(ground.uses.mems[0].address) if isinstance(e, Name)}
        registers = sorted(name for name in names if isinstance(name, str))
        places = [p for name in registers for p in stepper.layout.places.get(name, ())]
        self._pick: Any = itemgetter(*places) if places else (lambda registers: ())
        self._memo: dict[Any, int | None] = {}

    def byte(self, registers: Lanes) -> int | None:
        key = self._pick(registers)
        try:
            return self._memo[key]
        except KeyError:
            found = self._memo[key] = self._stepper.offset(self._ground, registers)
            return found


def _mode(ground: Ground) -> tuple[Any, ...]:
    """What tells one addressing mode from another."""
    address = ground.uses.mems[0].address
    bound = {(e.id, ground.env[e.id]) for e in walk(address) if isinstance(e, Name) and e.id in ground.env}
    return (address, frozenset(bound))


def _bit_change(byte: int, lane: Lane) -> _Change:
    """The one bit of the old byte that `lane` changes, and what to."""
    for bit, (code, kept) in enumerate(zip(bits_of(lane), bits_of(Old(byte, 0xFF, 0)), strict=True)):
        if code != kept:
            return (bit, code if code < 2 else -1)
    return "flat"


def _with_bit(lane: Old, bit: int, change: int) -> Lane:
    bits = list(bits_of(lane))
    bits[bit] = bits[bit] ^ 1 if change < 0 else change
    return lane_of(tuple(bits))


def _bit_cost(flips: dict[tuple[int, int], Pair], bit: int, now: int, then: int) -> Pair:
    """The least cost of one bit's way by bit instructions."""
    zero_, one, turn = (flips.get((bit, change), NEVER) for change in (0, 1, -1))
    if then >= 2:
        return turn if now >= 2 else NEVER  # an old bit that is gone never comes back
    direct = one if then else zero_
    other = zero_ if then else one
    turned = turn if now < 2 else turn.plus(other)
    return direct.least(turned)


def _holds_address(value: str | Value) -> bool:
    return isinstance(value, Vec) and any(isinstance(lane, Addr) for lane in value.lanes)


class _Held(NamedTuple):
    """What the registers hold that matters to the bound: per byte of the cell, whether the wanted value and
    whether anything of the old one; whether any data; whether any address."""

    wanted: tuple[bool, ...]
    old: tuple[bool, ...]
    data: bool
    address: bool


class Bound:
    """The bound for one problem; call it with a state. None: no path leads on from there."""

    def __init__(
        self, instructions: tuple[Instruction, ...], stepper: Stepper, discipline: Discipline, objective: Objective
    ) -> None:
        self.cell: Cell = stepper.cell
        self.discipline = discipline
        self.objective = objective
        self._direct = _Table(self.cell.size)
        self._ever = _Table(self.cell.size)
        self._based: dict[Any, _Reach] = {}
        self._compute = self._constant = self._bring = self._move = self._feed = NEVER
        self._stepper = stepper
        self._made: dict[tuple[Instruction, int, Lane], Lane | None] = {}
        for instruction in instructions:
            if instruction.memory:
                self._note_memory(instruction, stepper)
            else:
                self._note_register(instruction, stepper)
        self._tables: dict[tuple[int | None, ...], _Table] = {}
        self._held: dict[Lanes, _Held] = {}
        self._memo: dict[Any, tuple[int, int] | None] = {}

        self._note_feeds(instructions)

    def _note_feeds(self, instructions: tuple[Instruction, ...]) -> None:
        """Find the least cost of bringing data for an update that takes some from a register."""
        taken = {
            name for i in instructions if i.ground.update for name in i.ground.reads
        }
        for instruction in instructions:
            if instruction.ground.writes & taken and not instruction.ground.update:
                self._feed = self._feed.least(_cost(instruction, 1))

    def _note_memory(self, instruction: Instruction, stepper: Stepper) -> None:
        uses = instruction.ground.uses
        if uses.steps_base:
            self._bring = self._move = NOTHING
        if not uses.stores and any(isinstance(r, (Mask, BitNumber)) for r in instruction.ground.recipes.values()):
            self._constant = NOTHING  # a load that computes with an immediate
        size = self.cell.size
        count = sum(mem.width or 8 for mem in uses.mems) // 8
        if len(uses.mems) > 1:
            self._ever.add_mover(instruction, count)
            self._direct.add_mover(instruction, count)
            return
        change = self._change(instruction, stepper)
        if uses.based:
            for first in range(size - count + 1):
                self._ever.add(instruction, first, count, change)
            mode = _mode(instruction.ground)
            if mode not in self._based:
                self._based[mode] = _Reach(instruction.ground, stepper)
            self._based[mode].served.append((instruction, count, change))
        else:
            first_byte = stepper.offset(instruction.ground, stepper.layout.blank())
            if first_byte is not None:
                self._ever.add(instruction, first_byte, count, change)
                self._direct.add(instruction, first_byte, count, change)

    def _change(self, instruction: Instruction, stepper: Stepper) -> _Change:
        """What kind of update an instruction is (of no account for one that is none)."""
        ground = instruction.ground
        if not ground.update:
            return "flat"
        addresses = {e.id for mem in ground.uses.mems for e in walk(mem.address) if isinstance(e, Name)}
        if not ground.uses.reads <= addresses:
            return "fed"
        if ground.form.bit and ground.uses.mems[0].width == 8:
            for offset in range(self.cell.size):
                after = stepper.update_of(ground, offset, (Old(offset, 0xFF, 0),))
                if after is not None:
                    return _bit_change(offset, after[0])
        return "flat"

    def _note_register(self, instruction: Instruction, stepper: Stepper) -> None:
        ground = instruction.ground
        lanes = max((len(stepper.layout.places.get(name, ())) for name in ground.writes), default=1)
        share = _cost(instruction, max(lanes, 1))
        whole = _cost(instruction, 1)
        if ground.uses.computes:
            self._compute = self._compute.least(share)
        if not ground.reads:
            self._constant = self._constant.least(share)
        if any(map(_holds_address, ground.env.values())):
            self._bring = self._bring.least(whole)
        self._move = self._move.least(whole)

    def __call__(self, state: State) -> tuple[int, int] | None:
        memory, registers, _, access = state
        held = self._held.get(registers)
        if held is None:
            held = self._held[registers] = self._look(registers)
        available = tuple(reach.byte(registers) for reach in self._based.values())
        key = (memory, held, available, access)
        try:
            return self._memo[key]
        except KeyError:
            found = self._memo[key] = self._bound(memory, held, available, access)
            return found

    def _look(self, registers: Lanes) -> _Held:
        goal = self.cell.goal
        old = [False] * self.cell.size
        data = address = False
        for lane in registers:
            if isinstance(lane, Old):
                old[lane.byte] = data = True
            elif isinstance(lane, Addr):
                address = True
            elif isinstance(lane, int):
                data = True
            elif isinstance(lane, Bits):
                data = True
                for code in bits_of(lane):
                    if code >= 2:
                        old[(code - 2) // 16] = True
        present = set(registers)
        return _Held(tuple(lane in present for lane in goal), tuple(old), data, address)

    def _bound(
        self, memory: tuple[Lane, ...], held: _Held, available: tuple[int | None, ...], access: int
    ) -> tuple[int, int] | None:
        table = self._tables.get(available)
        if table is None:
            table = self._direct.copy()
            for reach, byte in zip(self._based.values(), available, strict=True):
                if byte is not None:
                    for instruction, count, change in reach.served:
                        table.add(instruction, byte, count, change)
            self._tables[available] = table
        setup = self._move if held.address else self._bring
        # Every completion takes one of the two ways, so the cheaper one bounds it, both measures together.
        with_these = self._rest(table, memory, held, access)
        with_any = self._rest(self._ever, memory, held, access).plus(setup)
        ways = [self._whole(way) for way in (with_these, with_any) if max(way) < _NEVER]
        return min(ways, default=None)

    def _whole(self, way: Pair) -> tuple[int, int]:
        """Eighths rounded up, in the objective's order."""
        left = (-(-way.bytes // 8), -(-way.cycles // 8))
        return left if self.objective == "size" else (left[1], left[0])

    def _rest(self, table: _Table, memory: tuple[Lane, ...], held: _Held, access: int) -> Pair:
        """The least cost of what is left with the accesses of `table`."""
        discipline = self.discipline
        if isinstance(discipline, Free):
            return self._free(table, memory, held)
        if isinstance(discipline, Single):
            if discipline.done(access):
                return NOTHING if memory == self.cell.goal else NEVER
            return self._some_update(table, held)
        if isinstance(discipline, Once):
            return self._once(table, memory, held, access)
        assert isinstance(discipline, Units)
        return self._units(table, discipline, held, access)

    def _free(self, table: _Table, memory: tuple[Lane, ...], held: _Held) -> Pair:
        total = NOTHING
        for byte, (lane, wanted) in enumerate(zip(memory, self.cell.goal, strict=True)):
            if lane != wanted:
                update = self._updates(table, byte, lane, held)
                made = self._produce(table, byte, held).least(self._least_update(table, byte))
                total = total.plus(update.least(table.store[byte].plus(made)))
        return total

    def _least_update(self, table: _Table, byte: int) -> Pair:
        """The least cost of any one update of `byte`."""
        least = table.fed[byte]
        for cost in (*table.flat[byte].values(), *table.flip[byte].values()):
            least = least.least(cost)
        return least

    def _fed(self, table: _Table, byte: int, held: _Held) -> Pair:
        """An update with data from a register, which must be there or be brought."""
        return table.fed[byte] if held.data else table.fed[byte].plus(self._feed)

    def _updates(self, table: _Table, byte: int, lane: Lane, held: _Held) -> Pair:
        """The least cost of bringing `byte` from `lane` to what is wanted by updates alone."""
        wanted = self.cell.goal[byte]
        fed = self._fed(table, byte, held)
        one = NEVER
        for instruction, cost in table.flat[byte].items():
            if self._makes(instruction, byte, lane) == wanted:
                one = one.least(cost)
        bits = NOTHING
        for bit, (now, then) in enumerate(zip(bits_of(lane), bits_of(wanted), strict=True)):
            if now != then:
                bits = bits.plus(_bit_cost(table.flip[byte], bit, now, then))
        if not table.flat[byte]:
            return bits.least(fed)
        two = min(table.flat[byte].values(), key=lambda cost: cost.bytes)
        for cost in table.flat[byte].values():
            two = two.least(cost)
        several = two.plus(self._least_update(table, byte))
        return one.least(several).least(bits).least(fed)

    def _makes(self, instruction: Instruction, byte: int, lane: Lane) -> Lane | None:
        """What an update makes of `byte` holding `lane`; None where that is not one byte's affair."""
        key = (instruction, byte, lane)
        if key not in self._made:
            found = None
            if instruction.ground.uses.mems[0].width == 8:
                after = self._stepper.update_of(instruction.ground, byte, (lane,))
                found = after[0] if after is not None else None
            else:
                found = self.cell.goal[byte]  # a wide update may make it
            self._made[key] = found
        return self._made[key]

    def _produce(self, table: _Table, byte: int, held: _Held) -> Pair:
        """The least cost of having the wanted value of `byte` in a register, or in a store's immediate."""
        if held.wanted[byte] or isinstance(self.cell.goal[byte], int):
            return NOTHING
        by_load = table.load_compute[byte]
        if not held.data:
            by_load = by_load.plus(self._constant)
        compute = self._compute
        if self.cell.goal[byte] == Old(byte, 0xFF, 0):
            compute = NOTHING  # a plain load will do
        if held.old[byte]:
            return compute.least(by_load)
        load = table.load[byte].least(table.load_compute[byte])
        return compute.plus(load).least(by_load)

    def _some_update(self, table: _Table, held: _Held) -> Pair:
        """One updating instruction that does it all."""
        total = NOTHING
        for byte, wanted in enumerate(self.cell.goal):
            old = Old(byte, 0xFF, 0)
            least = self._fed(table, byte, held)
            for instruction, cost in table.flat[byte].items():
                if self._makes(instruction, byte, old) == wanted:
                    least = least.least(cost)
            for (bit, change), cost in table.flip[byte].items():
                if _with_bit(old, bit, change) == wanted:
                    least = least.least(cost)
            total = total.plus(least)
        return total

    def _once(self, table: _Table, memory: tuple[Lane, ...], held: _Held, access: int) -> Pair:
        was_read, was_written = access & 1, access & 2
        load = NOTHING
        store = NOTHING
        made = NOTHING
        for byte in range(self.cell.size):
            if not was_read:
                load = load.plus(table.load[byte].least(table.load_compute[byte]))
            store = store.plus(table.store[byte])
            if not isinstance(self.cell.goal[byte], int) and was_read and not held.old[byte]:
                made = NEVER  # the old value is gone
            elif was_read:
                made = made.plus(self._produce(table, byte, held))
            elif not held.wanted[byte] and self.cell.goal[byte] != Old(byte, 0xFF, 0):
                if not isinstance(self.cell.goal[byte], int):
                    made = made.plus(self._compute_after_load(held))
        if was_written:
            return load if memory == self.cell.goal else NEVER
        by_store = load.plus(store).plus(made)
        return by_store if was_read else by_store.least(self._some_update(table, held))

    def _compute_after_load(self, held: _Held) -> Pair:
        """What computing costs beside the load that is still to come: the load itself may compute, with a
        constant at hand."""
        return self._compute.least(NOTHING if held.data else self._constant)

    def _units(self, table: _Table, discipline: Units, held: _Held, access: int) -> Pair:
        current, was_read = divmod(access, 2)
        total = NOTHING
        for index in range(current, len(discipline.units)):
            first, width = discipline.units[index]
            read = was_read and index == current
            for byte in range(first, first + width // 8):
                total = total.plus(table.store[byte])
                goal = self.cell.goal[byte]
                if not read:
                    total = total.plus(table.load[byte].least(table.load_compute[byte]))
                if isinstance(goal, int):
                    continue
                if read:
                    if not held.old[byte]:
                        return NEVER
                    total = total.plus(self._produce(table, byte, held))
                elif goal != Old(byte, 0xFF, 0):
                    total = total.plus(self._compute_after_load(held))
        return total

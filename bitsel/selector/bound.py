"""The admissible bound: bytes and cycles that any completion of a state costs at least.

It adds up what cannot be avoided. A byte of the cell that is not yet as wanted needs a bit instruction for each
bit, or another updating instruction, or a chain (`chains`) that ends in a store. Accesses through a
register need the address in it: either every access is made with the addresses at hand, or at least one
instruction more brings one. Bytes and cycles are bounded each on their own.

Costs are summed in eighths, because one instruction may serve up to eight bytes of the cell at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from bitsel.selector.access import Discipline, Free, Once, Single, Units
from bitsel.selector.cell import Cell
from bitsel.selector.chains import CELL, DONE, MOST_STEPS, Chains, Edge, Step, steps, steps_from
from bitsel.selector.ground import walk
from bitsel.selector.lanes import UNKNOWN, Addr, Bits, Lane, Old, bits_of, combine, lane_of
from bitsel.selector.modes import Mode, address_pieces
from bitsel.selector.search import Instruction, State
from bitsel.selector.step import Lanes, Stepper
from bitsel.selector.verdict import Objective
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


NOTHING = Pair(0, 0)
NEVER = Pair(_NEVER, _NEVER)


def zero(state: State) -> tuple[int, int]:
    """The bound that knows nothing: the search without pruning, to compare with."""
    return (0, 0)


class _Table:
    """What instructions can do to each byte of the cell, and the least cost.

    `flip`: per byte and bit, what one bit instruction can make of the bit (0, 1, or its complement as -1), and the
    cost. `flat`: updating instructions that take nothing from registers, with their costs. `fed`: the least
    cost of one that does. `load` and `store`: the least costs of each. `edges`: how else the byte can go.
    """

    __slots__ = ("chains", "edges", "fed", "flat", "flip", "least", "load", "store")

    def __init__(self, size: int) -> None:
        self.load = [NEVER] * size
        self.store = [NEVER] * size
        self.fed = [NEVER] * size
        self.flat: list[dict[Instruction, Pair]] = [{} for _ in range(size)]
        self.flip: list[dict[tuple[int, int], Pair]] = [{} for _ in range(size)]
        self.edges: list[list[tuple[Step, Pair]]] = [[] for _ in range(size)]
        self.chains: dict[tuple[int, str], Chains] = {}
        self.least: dict[int, Pair] = {}

    def copy(self) -> _Table:
        made = _Table(0)
        for name in ("load", "store", "fed"):
            setattr(made, name, list(getattr(self, name)))
        made.flat = [dict(row) for row in self.flat]
        made.flip = [dict(row) for row in self.flip]
        made.edges = [list(row) for row in self.edges]
        return made

    def add(self, use: _Access, first: int) -> None:
        """Note that an instruction reaches the cell from byte `first` on."""
        uses = use.instruction.ground.uses
        share = _cost(use.instruction, use.size)
        for byte in range(max(first, 0), min(first + use.size, len(self.load))):
            self.edges[byte] += [(step, share) for step in use.steps[byte - first]]
            if not uses.stores:
                self.load[byte] = self.load[byte].least(share)
            elif not uses.loads:
                self.store[byte] = self.store[byte].least(share)
            elif use.change == "fed":
                self.fed[byte] = self.fed[byte].least(share)
            elif use.change == "flat":
                self.flat[byte][use.instruction] = share
            else:
                row_of_bits = self.flip[byte]
                row_of_bits[use.change] = row_of_bits.get(use.change, NEVER).least(share)

    def add_mover(self, use: _Access) -> None:
        """Note an instruction that reads one place and writes another: it may serve as anything, anywhere."""
        share = _cost(use.instruction, use.size)
        for byte in range(len(self.load)):
            for row in (self.load, self.store, self.fed):
                row[byte] = row[byte].least(share)
            self.edges[byte] += [(step, share) for step in use.steps[0]]


_Change = Literal["fed", "flat"] | tuple[int, int]
"""How an update changes its byte: a bit and what it becomes (0, 1, or -1 complemented), or see `_Table`."""


class _Access(NamedTuple):
    """An instruction that touches `size` bytes of the cell: how it changes them, and per byte how one can go."""

    instruction: Instruction
    size: int
    change: _Change
    steps: list[set[Step]]


def _cost(instruction: Instruction, count: int) -> Pair:
    """The instruction's cost per byte where it serves `count` bytes at once."""
    form = instruction.ground.form
    return Pair(8 * form.bytes // count, 8 * form.cycles // count)


def _bit_change(byte: int, lane: Lane) -> _Change:
    """The one bit of the old byte that `lane` changes, and what to."""
    for bit, (code, kept) in enumerate(zip(bits_of(lane), bits_of(Old(byte, 0xFF, 0)), strict=True)):
        if code != kept:
            return (bit, code if code < 2 else -1)
    return "flat"


def _sharing(cell: Cell) -> list[int]:
    """Per byte, how many bytes of the cell may be changed with a constant that serves this one too."""
    constants = []
    for byte in range(cell.size):
        part = cell.effect.byte(byte)
        masks = (part.clear_mask, part.set_mask, part.toggle_mask)
        unions = {sum(mask for i, mask in enumerate(masks) if union >> i & 1) for union in range(8)}
        constants.append(unions | {union ^ 0xFF for union in unions} - {0, 0xFF})
    return [sum(bool(mine & other - {0, 0xFF}) for other in constants) or 1 for mine in constants]


def _with_bit(lane: Lane, bit: int, change: int) -> Lane:
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


class _Held(NamedTuple):
    """What the registers hold that matters to the bound.

    `lanes`: per byte of the cell, the places that hold something of its old value, and what. `constants`: those in
    registers. `feed`: whether a register that updates take data from holds any. `addresses`: the pieces of
    an address that stand where a mode takes them; `anywhere`: all pieces.
    """

    lanes: tuple[tuple[tuple[int, Lane], ...], ...]
    constants: frozenset[int]
    feed: bool
    addresses: frozenset[int]
    anywhere: frozenset[int]


_NOTHING_HELD = _Held((), frozenset(), False, frozenset(), frozenset())

_Supply = Literal["at hand", "to alter", "to load"]
"""Where the constant that a computing instruction takes from a register comes from."""


class Bound:
    """The bound for one problem; call it with a state. None: no path leads on from there."""

    def __init__(
        self,
        instructions: tuple[Instruction, ...],
        modes: Mapping[Mode, tuple[Instruction, ...]],
        stepper: Stepper,
        discipline: Discipline,
        objective: Objective,
    ) -> None:
        """`modes`: the addressing modes through registers, with their instructions; `instructions`: the others."""
        self.cell: Cell = stepper.cell
        self.discipline = discipline
        self.objective = objective
        self._direct = _Table(self.cell.size)
        self._modes = tuple(modes)
        self._uses: dict[Mode, list[_Access]] = {mode: [] for mode in modes}
        self._compute = self._constant = self._alter = self._move = self._move_share = self._feed = NEVER
        self._bring: dict[int, Pair] = {}
        self._stepper = stepper
        # Which constant helps is worth asking where few states are seen: not where any access may follow any other.
        self._coarse = isinstance(discipline, Free)
        self._edges: list[tuple[Step, Pair]] = []
        self._sharing = _sharing(self.cell)
        self._supplies: dict[Any, _Supply] = {}
        self._update_costs: dict[Any, Pair] = {}
        self._made: dict[tuple[Instruction, int, Lane], Lane | None] = {}
        for instruction in instructions:
            if instruction.memory:
                self._note_direct(instruction)
            else:
                self._note_register(instruction)
        for mode, based in modes.items():
            for instruction in based:
                self._uses[mode].append(self._access(instruction))
                if instruction.ground.uses.steps_base:
                    self._move = self._move_share = NOTHING
                    self._bring = dict.fromkeys(mode.needs, NOTHING)
        every = (*instructions, *(i for based in modes.values() for i in based))
        self._one_kind = all(i.ground.uses.one_kind for i in every)
        self._bases = frozenset(item for mode in modes for item in (mode.supply or {}).items())
        self._groups = self._group()
        self._note_feeds(every)
        self._tables: dict[tuple[int | None, ...], _Table] = {}
        self._held: dict[Lanes, _Held] = {}
        self._memo: dict[Any, tuple[int, int] | None] = {}

    def _note_feeds(self, instructions: tuple[Instruction, ...]) -> None:
        """Find the least cost of bringing data for an update that takes some from a register."""
        taken = {name for i in instructions if i.ground.update for name in i.ground.reads}
        places = self._stepper.layout.places
        bases = {place for place, _ in self._bases}
        self._taken = {place for name in taken for place in places.get(name, ())} - bases
        for instruction in instructions:
            if instruction.ground.writes & taken and not instruction.ground.update:
                self._feed = self._feed.least(_cost(instruction, 1))

    def _access(self, instruction: Instruction) -> _Access:
        ground = instruction.ground
        size = sum(mem.width or 8 for mem in ground.uses.mems) // 8
        ways = [steps(ground, self._stepper.layout, byte) for byte in range(size)]
        return _Access(instruction, size, self._change(instruction, self._stepper), ways)

    def _note_direct(self, instruction: Instruction) -> None:
        """An instruction that names its place itself, or one with several places, which may be any."""
        use = self._access(instruction)
        if len(instruction.ground.uses.mems) > 1:
            self._direct.add_mover(use._replace(change="fed", steps=[set().union(*use.steps)]))
            return
        first = self._stepper.offset(instruction.ground, self._stepper.layout.blank())
        if first is not None:
            self._direct.add(use, first)

    def _add(self, table: _Table, mode: Mode, byte: int) -> None:
        """Note in `table` what the instructions of `mode` can do when it names `byte`."""
        spots = self.discipline.spots
        for use in self._uses[mode]:
            if spots is None or (byte, 8 * use.size) in spots:
                table.add(use, byte)

    def _group(self) -> list[tuple[frozenset[int], _Table]]:
        """The modes by the pieces of the address that registers must hold, each with what can be done with these:
        by modes that need no more, whatever byte they name."""
        groups = []
        for needs in {mode.needs for mode in self._modes}:
            table = self._direct.copy()
            for mode in self._modes:
                if mode.needs <= needs:
                    for byte in range(self.cell.size):
                        self._add(table, mode, byte)
            groups.append((needs, table))
        return groups

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

    def _note_register(self, instruction: Instruction) -> None:
        ground = instruction.ground
        stepper = self._stepper
        wide = (name for name in ground.writes if stepper.target.registers[name].width > 1)
        written = {place for name in wide for place in stepper.layout.places.get(name, ())}
        share = _cost(instruction, max(len(written), 1))
        whole = _cost(instruction, 1)
        if ground.uses.computes:
            self._compute = self._compute.least(share)
        if not ground.reads:
            self._constant = self._constant.least(share)
        elif not ground.uses.plain:
            self._alter = self._alter.least(share)
        self._edges += [(step, share) for step in steps(ground, stepper.layout, None)]
        self._move = self._move.least(whole)
        self._move_share = self._move_share.least(share)
        brought = set().union(*(address_pieces(value) for value in ground.env.values()))
        for piece in brought:
            self._bring[piece] = self._bring.get(piece, NEVER).least(_cost(instruction, len(brought)))

    def __call__(self, state: State) -> tuple[int, int] | None:
        memory, registers, _, access, _ = state
        held = self._held.get(registers)
        if held is None:
            held = self._held[registers] = self._look(registers)
        available = tuple([mode.byte(registers) for mode in self._modes])
        key = (memory, held, available, access)
        try:
            return self._memo[key]
        except KeyError:
            found = self._memo[key] = self._bound(memory, held, available, access)
            return found

    def _steps(self, lane: Lane, byte: int) -> int:
        """How many computing instructions `lane` is from what is wanted of `byte`, at least."""
        found = steps_from(lane, self.cell.goal[byte])
        return found if self._one_kind else min(found, 1)

    def has_form(self) -> bool:
        """Whether updates that take nothing from registers can bring every byte to what is wanted: all in one where
        the discipline asks for it, else byte by byte."""
        return any(self._updates_alone(table) for table in (self._direct, *(t for _, t in self._groups)))

    def _updates_alone(self, table: _Table) -> bool:
        if not isinstance(self.discipline, Free):
            return self._some_update(table, _NOTHING_HELD, with_fed=False).bytes < _NEVER
        return all(self._updates_make(table, byte) for byte in range(self.cell.size))

    def _updates_make(self, table: _Table, byte: int) -> bool:
        """Whether updates that take nothing from registers, one after another, make what is wanted of `byte`."""
        seen = {self.cell.start[byte]}
        todo = list(seen)
        while todo:
            lane = todo.pop()
            made = {self._makes(instruction, byte, lane) for instruction in table.flat[byte]}
            made |= {_with_bit(lane, bit, change) for bit, change in table.flip[byte]}
            fresh = {one for one in made if one is not None} - seen
            seen |= fresh
            todo += fresh
        return self.cell.goal[byte] in seen

    def _look(self, registers: Lanes) -> _Held:
        found: list[list[tuple[int, Lane]]] = [[] for _ in self.cell.goal]
        constants, addresses, anywhere = set(), set(), set()
        feed = False
        for place, lane in enumerate(registers):
            if lane == UNKNOWN:
                continue
            if isinstance(lane, Addr):
                anywhere.add(lane.place)
                if (place, lane.place) in self._bases:
                    addresses.add(lane.place)
                continue
            feed = feed or place in self._taken
            if isinstance(lane, Old):
                found[lane.byte].append((place, lane))
            elif isinstance(lane, int):
                constants.add(lane)
            elif isinstance(lane, Bits):
                for byte in {(code - 2) // 16 for code in lane.bits if code >= 2}:
                    found[byte].append((place, lane))
        lanes = tuple(map(tuple, found))
        if self._coarse and constants:
            constants = {0}
        return _Held(lanes, frozenset(constants), feed, frozenset(addresses), frozenset(anywhere))

    def _bound(
        self, memory: tuple[Lane, ...], held: _Held, available: tuple[int | None, ...], access: int
    ) -> tuple[int, int] | None:
        # Every completion makes do with the addresses at hand or brings those that some group of modes needs, so
        # the cheapest of these ways bounds it, both measures together.
        ways = [self._rest(self._table(available), memory, held, access)]
        for needs, table in self._groups:
            setup = NOTHING
            for piece in needs - held.addresses:
                brought = self._bring.get(piece, NEVER)
                setup = setup.plus(brought.least(self._move_share) if piece in held.anywhere else brought)
            setup = Pair(max(setup.bytes, self._move.bytes), max(setup.cycles, self._move.cycles))
            ways.append(self._rest(table, memory, held, access).plus(setup))
        return min((self._whole(way) for way in ways if max(way) < _NEVER), default=None)

    def _table(self, available: tuple[int | None, ...]) -> _Table:
        """What can be done with the addresses at hand."""
        table = self._tables.get(available)
        if table is None:
            table = self._tables[available] = self._direct.copy()
            for mode, byte in zip(self._modes, available, strict=True):
                if byte is not None:
                    self._add(table, mode, byte)
        return table

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
        return self._units(table, discipline, memory, held, access)

    def _free(self, table: _Table, memory: tuple[Lane, ...], held: _Held) -> Pair:
        total = NOTHING
        for byte, (lane, wanted) in enumerate(zip(memory, self.cell.goal, strict=True)):
            if lane != wanted:
                update = self._updates(table, byte, lane, self._fed(table, byte, held))
                patched = table.store[byte].plus(self._least_update(table, byte))
                in_cell = any(code >= 2 for code in bits_of(lane))
                chain = self._chain(table, byte, held, lane if in_cell else None)
                total = total.plus(update.least(patched).least(chain))
        return total

    def _chain(self, table: _Table, byte: int, held: _Held, in_cell: Lane | None) -> Pair:
        """The least cost of a chain for `byte` that ends in a store; `in_cell`: what of it may be loaded."""
        if isinstance(self.cell.goal[byte], int):
            return table.store[byte]
        lanes = held.lanes[byte]
        if in_cell is not None:
            lanes = (*lanes, (CELL, in_cell))
        # Two different values of the old byte may meet in one instruction, and make up for a constant and a step.
        most = MOST_STEPS if len({lane for _, lane in lanes}) == 1 else 1
        supply = self._supply(byte, lanes[0][1], held.constants) if most > 1 else "at hand"
        chains = table.chains.get((byte, supply))
        if chains is None:
            chains = table.chains[byte, supply] = self._chains(table, byte, supply)
        nodes = [(place, min(self._steps(lane, byte), most)) for place, lane in lanes]
        size = min((chains.bytes.get(node, _NEVER) for node in nodes), default=_NEVER)
        time = min((chains.cycles.get(node, _NEVER) for node in nodes), default=_NEVER)
        return Pair(size, time)

    def _supply(self, byte: int, lane: Lane, constants: frozenset[int]) -> _Supply:
        """Where a constant that brings `lane` nearer to what is wanted comes from."""
        if self._coarse:
            return "at hand" if constants else "to load"
        key = (byte, lane, constants)
        found = self._supplies.get(key)
        if found is None:
            wanted = self.cell.goal[byte]
            left = steps_from(lane, wanted)
            helps = any(
                steps_from(combine(op, lane, constant), wanted) < left for constant in constants for op in "&|^"
            )
            found = "at hand" if helps or not self._one_kind else "to alter" if constants else "to load"
            self._supplies[key] = found
        return found

    def _chains(self, table: _Table, byte: int, supply: _Supply) -> Chains:
        """The distances for `byte`; a constant that is not at hand is brought, once for all bytes it serves."""
        extra = NOTHING
        if supply != "at hand":
            extra = self._constant.least(self._compute)
            extra = extra.least(self._alter) if supply == "to alter" else extra
            sharing = self._sharing[byte]
            extra = Pair(extra.bytes // sharing, extra.cycles // sharing)
        edges: list[Edge] = []
        for step, cost in (*self._edges, *table.edges[byte]):
            source, target = step.source, step.target
            dear = cost.plus(extra) if step.fed else cost
            for left in range(MOST_STEPS + 1):
                if target == DONE and left:
                    continue  # what a store puts there is what is wanted
                if step.moves:
                    edges.append(((source, left), (target, left), cost.bytes, cost.cycles))
                if step.computes:
                    edges.append(((source, min(left + 1, MOST_STEPS)), (target, left), dear.bytes, dear.cycles))
        return Chains.of(edges)

    def _least_update(self, table: _Table, byte: int) -> Pair:
        """The least cost of any one update of `byte`."""
        found = table.least.get(byte)
        if found is None:
            found = table.fed[byte]
            for cost in (*table.flat[byte].values(), *table.flip[byte].values()):
                found = found.least(cost)
            table.least[byte] = found
        return found

    def _fed(self, table: _Table, byte: int, held: _Held) -> Pair:
        """An update with data from a register, which must be there or be brought."""
        return table.fed[byte] if held.feed else table.fed[byte].plus(self._feed)

    def _updates(self, table: _Table, byte: int, lane: Lane, fed: Pair) -> Pair:
        """The least cost of bringing `byte` from `lane` to what is wanted by updates alone; `fed` is that of one
        that takes data from a register."""
        key = (id(table), byte, lane, fed)
        found = self._update_costs.get(key)
        if found is None:
            found = self._update_costs[key] = self._cost_of_updates(table, byte, lane, fed)
        return found

    def _cost_of_updates(self, table: _Table, byte: int, lane: Lane, fed: Pair) -> Pair:
        wanted = self.cell.goal[byte]
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

    def _some_update(self, table: _Table, held: _Held, *, with_fed: bool = True) -> Pair:
        """One updating instruction that does it all."""
        total = NOTHING
        for byte, wanted in enumerate(self.cell.goal):
            old = Old(byte, 0xFF, 0)
            least = self._fed(table, byte, held) if with_fed else NEVER
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
        total = NOTHING
        for byte, goal in enumerate(self.cell.goal):
            chain = NOTHING if was_written else self._chain(table, byte, held, None if was_read else memory[byte])
            if not was_read and (was_written or isinstance(goal, int)):
                chain = chain.plus(table.load[byte])
            total = total.plus(chain)
        if was_written:
            return total if memory == self.cell.goal else NEVER
        return total if was_read else total.least(self._some_update(table, held))

    def _units(self, table: _Table, discipline: Units, memory: tuple[Lane, ...], held: _Held, access: int) -> Pair:
        current, was_read = divmod(access, 2)
        done = discipline.finished(access)
        if memory[:done] != self.cell.goal[:done]:
            return NEVER
        total = NOTHING
        for index in range(current, len(discipline.units)):
            first, width = discipline.units[index]
            read = bool(was_read) and index == current
            for byte in range(first, first + width // 8):
                total = total.plus(self._chain(table, byte, held, None if read else memory[byte]))
                if not read and isinstance(self.cell.goal[byte], int):
                    total = total.plus(table.load[byte])
        return total

"""The admissible bound: bytes and cycles that any completion of a state costs at least.

It adds up what cannot be avoided. A byte of the cell that is not yet as wanted needs a bit instruction for each
bit, or another updating instruction, or a chain that ends in a store (`updates`). Accesses through a register need
an address in it: every completion makes do with the addresses at hand, or brings some others (`setups`), and the
dearest that it brings says what may be done at most. Bytes and cycles are bounded each on their own.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import groupby
from typing import NamedTuple

from bitsel.selector.access import Discipline, Free, Once, Single, Units
from bitsel.selector.cell import Cell
from bitsel.selector.costs import NEVER, NOTHING, Pair
from bitsel.selector.holdings import Held
from bitsel.selector.instruction import Instruction
from bitsel.selector.lanes import UNKNOWN, Addr, Bits, Lane, Old, bits_of
from bitsel.selector.modes import Mode, Requirement
from bitsel.selector.search import State
from bitsel.selector.setups import Setups
from bitsel.selector.stalls import Waits
from bitsel.selector.step import Lanes, Stepper
from bitsel.selector.tables import Table
from bitsel.selector.updates import Work, with_bit
from bitsel.selector.verdict import Objective


def zero(state: State) -> tuple[int, int]:
    """The bound that knows nothing: the search without pruning, to compare with."""
    return (0, 0)


def _is_old(lane: Lane) -> bool:
    """Whether the lane has something of what the cell held."""
    return isinstance(lane, (Old, Bits))


class _Way(NamedTuple):
    """What can be done at the cost of some addresses that are brought."""

    setup: Pair
    table: Table


_Named = tuple[int, int]
"""A mode, by its index, and the byte of the cell that it names."""


class Bound:
    """The bound for one problem; call it with a state. None: no path leads on from there."""

    def __init__(
        self,
        instructions: tuple[Instruction, ...],
        modes: Mapping[Mode, tuple[Instruction, ...]],
        cell: Cell,
        stepper: Stepper,
        discipline: Discipline,
        objective: Objective,
    ) -> None:
        """`modes`: the addressing modes through registers, with their instructions; `instructions`: the others."""
        self.cell = cell
        self._start = cell.footprint.start
        self.discipline = discipline
        self.objective = objective
        every = (*instructions, *(i for based in modes.values() for i in based))
        self._work = Work(every, cell, stepper, coarse=isinstance(discipline, Free))
        self._setups = Setups(every)
        self._modes = tuple(modes)
        self._served = tuple(modes.values())
        self._direct = self._direct_table(instructions)
        places = stepper.layout.places
        self._places = tuple((stepper.layout.unit_bit[unit], places[unit]) for unit in stepper.layout.units)
        # The clocks from a load until what it loads can be used, at least; 0 where nothing is ever late.
        loads = [i.timing for i in every if i.ground.uses.loads and not i.ground.uses.stores]
        late = [min(clocks for _, clocks in timing.late) if timing.late else 0 for timing in loads]
        self._late = min((t.cycles + c for t, c in zip(loads, late, strict=True)), default=0) if any(late) else 0
        self._taken = frozenset(p for name in self._work.taken for p in places.get(name, ()))
        self._required = self._requirements()
        self._numbers = any(isinstance(lane, int) for r in self._required for _, lane in r.lanes)
        self._loose = frozenset(place for r in self._required for place in r.loose)
        self._tables: dict[frozenset[_Named], Table] = {}
        self._held: dict[Lanes, tuple[Held, tuple[_Way, ...]]] = {}
        self._ways: dict[Lanes, tuple[_Way, ...]] = {}
        self._bytes: dict[Hashable, Pair] = {}
        self._memo: dict[Hashable, tuple[int, int] | None] = {}

    def _direct_table(self, instructions: tuple[Instruction, ...]) -> Table:
        """What the instructions can do that name their place themselves, or several places, which may be any."""
        table = Table(self.cell.size)
        for instruction in instructions:
            if not instruction.memory:
                continue
            if len(instruction.ground.uses.mems) > 1:
                table.add_mover(instruction)
                continue
            if instruction.at is not None:
                table.add(instruction, instruction.at)
        return table

    def _requirements(self) -> dict[Requirement, list[_Named]]:
        """What registers may have to hold, each with the places that are named then."""
        found: dict[Requirement, list[_Named]] = {}
        for index, mode in enumerate(self._modes):
            for byte in range(self.cell.size):
                found.setdefault(mode.requirement(byte), []).append((index, byte))
        return found

    def __call__(self, state: State) -> tuple[int, int] | None:
        memory, registers, _, access, _, waits = state
        known = self._held.get(registers)
        if known is None:
            held = Held.of(registers, self.cell.size, self._taken, coarse=self._work.coarse)
            known = self._held[registers] = (held, self._find_ways(registers))
        held, ways = known
        key = (memory, held, id(ways), access)
        try:
            found = self._memo[key]
        except KeyError:
            found = self._memo[key] = self._bound(ways, memory, held, access)
        if found is None or not self._late:
            return found
        clocks = self._in_turn(ways, registers, access, waits)
        first, second = found
        return (first, max(second, clocks)) if self.objective == "size" else (max(first, clocks), second)

    def _in_turn(self, ways: tuple[_Way, ...], registers: Lanes, access: int, waits: Waits) -> int:
        """The clocks of what a baseline's next unit needs one after another, at least: an address, a load, waiting
        for it, an operation, a store. Other instructions may fill the time, and are counted for themselves."""
        discipline = self.discipline
        if not isinstance(discipline, Units) or discipline.done(access):
            return 0
        unit, was_read = divmod(access, 2)
        first, width = discipline.units[unit]
        goal, start = (lanes[first : first + width // 8] for lanes in (self.cell.goal, self._start))
        if all(isinstance(lane, int) for lane in goal):
            return 0
        after = 1 if goal == start else 2
        if not was_read:
            setups = [setup.cycles for setup, table in ways if not table.load[first].never]
            return -(-min(setups) // 8) + self._late + after if setups else 0
        on_the_way = 0
        for units, _ in waits:
            on_the_way |= units
        holders = [unit for unit, places in self._places if any(_is_old(registers[place]) for place in places)]
        if not holders or not all(holder & on_the_way for holder in holders):
            return 0  # some of it may be at hand
        return min(clocks for _, clocks in waits) + after

    def _bound(
        self, ways: tuple[_Way, ...], memory: tuple[Lane, ...], held: Held, access: int
    ) -> tuple[int, int] | None:
        best: tuple[int, int] | None = None
        for setup, table in ways:
            if best is not None and setup.whole(self.objective) >= best:
                continue
            total = self._rest(table, memory, held, access).plus(setup)
            if not total.never:
                found = total.whole(self.objective)
                best = found if best is None or found < best else best
        return best

    def _find_ways(self, registers: Lanes) -> tuple[_Way, ...]:
        """What can be done with the addresses at hand, and with ever dearer ones besides."""
        numbers, loose = self._numbers, self._loose
        key = tuple(
            [
                lane
                if isinstance(lane, Addr) or (isinstance(lane, int) and (numbers or place in loose))
                else UNKNOWN
                for place, lane in enumerate(registers)
            ]
        )
        found = self._ways.get(key)
        if found is None:
            found = self._ways[key] = tuple(self._ways_from(registers))
        return found

    def _ways_from(self, registers: Lanes) -> list[_Way]:
        at_hand = {(i, b) for i, mode in enumerate(self._modes) if (b := mode.byte(registers)) is not None}
        main = 0 if self.objective == "size" else 1
        dear = []
        for requirement, named in self._required.items():
            more = [one for one in named if one not in at_hand]
            if more:
                dear.append((self._setups.cost(requirement, registers), more))
        dear.sort(key=lambda one: one[0][main])
        ways = [_Way(NOTHING, self._table(frozenset(at_hand)))]
        usable = set(at_hand)
        # A completion is as dear as its dearest requirement: what it can do is at most what all cheaper ones serve.
        for _, equal in groupby(dear, key=lambda one: one[0][main]):
            setup = NEVER
            for cost, more in equal:
                setup = setup.least(cost)
                usable.update(more)
            if not setup.never:
                ways.append(_Way(setup, self._table(frozenset(usable))))
        return ways

    def _table(self, usable: frozenset[_Named]) -> Table:
        """What can be done where modes name these bytes."""
        table = self._tables.get(usable)
        if table is None:
            table = self._tables[usable] = self._direct.copy()
            spots = self.discipline.spots
            for index, byte in usable:
                for instruction in self._served[index]:
                    if spots is None or (byte, 8 * instruction.reach.size) in spots:
                        table.add(instruction, byte)
        return table

    # --- what is left, by discipline ---------------------------------------------------------------------

    def _rest(self, table: Table, memory: tuple[Lane, ...], held: Held, access: int) -> Pair:
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

    def _free(self, table: Table, memory: tuple[Lane, ...], held: Held) -> Pair:
        total = NOTHING
        for byte, (lane, wanted) in enumerate(zip(memory, self.cell.goal, strict=True)):
            if lane != wanted:
                total = total.plus(self._free_byte(table, byte, lane, held))
        return total

    def _free_byte(self, table: Table, byte: int, lane: Lane, held: Held) -> Pair:
        """One byte's: by updates alone; else the last store of it puts there what is wanted, or something else, old
        bits kept or not, that updates then complete."""
        key = (id(table), byte, lane, held.lanes[byte], held.constants, held.feed)
        found = self._bytes.get(key)
        if found is None:
            found = self._bytes[key] = self._cost_of_byte(table, byte, lane, held)
        return found

    def _cost_of_byte(self, table: Table, byte: int, lane: Lane, held: Held) -> Pair:
        work = self._work
        in_cell = lane if any(code >= 2 for code in bits_of(lane)) else None
        least = work.updates(table, byte, lane, held).least(work.chain(table, byte, held, in_cell))
        if isinstance(self.cell.goal[byte], int):
            return least
        patched = work.kept(table, byte, held, in_cell).plus(table.least_update(byte))
        return least.least(patched).least(work.restored(table, byte, held))

    def _some_update(self, table: Table, held: Held | None) -> Pair:
        """One updating instruction that does it all."""
        total = NOTHING
        for byte in range(self.cell.size):
            total = total.plus(self._work.one_update(table, byte, held))
        return total

    def _once(self, table: Table, memory: tuple[Lane, ...], held: Held, access: int) -> Pair:
        was_read, was_written = access & 1, access & 2
        total = NOTHING
        for byte, goal in enumerate(self.cell.goal):
            chain = (
                NOTHING if was_written else self._work.chain(table, byte, held, None if was_read else memory[byte])
            )
            if not was_read and (was_written or isinstance(goal, int)):
                chain = chain.plus(table.load[byte])
            total = total.plus(chain)
        if was_written:
            return total if memory == self.cell.goal else NEVER
        return total if was_read else total.least(self._some_update(table, held))

    def _units(self, table: Table, discipline: Units, memory: tuple[Lane, ...], held: Held, access: int) -> Pair:
        current, was_read = divmod(access, 2)
        done = discipline.finished(access)
        if memory[:done] != self.cell.goal[:done]:
            return NEVER
        total = NOTHING
        for index in range(current, len(discipline.units)):
            first, width = discipline.units[index]
            read = bool(was_read) and index == current
            for byte in range(first, first + width // 8):
                total = total.plus(self._work.chain(table, byte, held, None if read else memory[byte]))
                if not read and isinstance(self.cell.goal[byte], int):
                    total = total.plus(table.load[byte])
        return total

    # --- whether there is a form at all -----------------------------------------------------------------

    def has_form(self) -> bool:
        """Whether updates that take nothing from registers can bring every byte to what is wanted: all in one where
        the discipline asks for it, else byte by byte."""
        everywhere = frozenset((i, byte) for i in range(len(self._modes)) for byte in range(self.cell.size))
        table = self._table(everywhere)
        if not isinstance(self.discipline, Free):
            return not self._some_update(table, None).never
        return all(self._updates_make(table, byte) for byte in range(self.cell.size))

    def _updates_make(self, table: Table, byte: int) -> bool:
        """Whether updates that take nothing from registers, one after another, make what is wanted of `byte`."""
        seen = {self._start[byte]}
        todo = list(seen)
        while todo:
            lane = todo.pop()
            made = {self._work.makes(instruction, byte, lane) for instruction in table.flat[byte]}
            made |= {with_bit(lane, bit, change) for bit, change in table.flip[byte]}
            fresh = {one for one in made if one is not None} - seen
            seen |= fresh
            todo += fresh
        return self.cell.goal[byte] in seen

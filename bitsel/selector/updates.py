"""The least cost of what is left of one byte of the cell: by updates in place, or a chain that ends in a store."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Literal

from bitsel.selector.cell import Cell
from bitsel.selector.chains import CELL, DONE, MOST_STEPS, Chains, Edge, Node, Step, steps_from
from bitsel.selector.costs import NEVER, NOTHING, Pair, cost_of
from bitsel.selector.holdings import Held
from bitsel.selector.instruction import Instruction
from bitsel.selector.lanes import Lane, Old, bits_of, combine, lane_of
from bitsel.selector.reach import FlagBit
from bitsel.selector.step import Stepper
from bitsel.selector.tables import Table, add_edges

_Supply = Literal["at hand", "to alter", "to load"]
"""Where the constant that a computing instruction takes from a register comes from."""


class Work:
    """The costs of the bytes' ways, by what can be done with each (`Table`) and what registers hold."""

    def __init__(self, instructions: Iterable[Instruction], cell: Cell, stepper: Stepper, *, coarse: bool) -> None:
        """`instructions`: all that take part. `coarse`: which constant a register holds is not asked."""
        self.cell = cell
        self._stepper = stepper
        # Which constant helps is worth asking where few states are seen: not where any access may follow any other.
        self.coarse = coarse
        self._compute = self._constant = self._alter = self._feed = NEVER
        self._given: dict[int, Pair] = {}
        self._edges: dict[Step, Pair] = {}
        self._sharing = _sharing(self.cell)
        self._supplies: dict[Hashable, _Supply] = {}
        self._costs: dict[Hashable, Pair] = {}
        self._made: dict[tuple[Instruction, int, Lane], Lane | None] = {}
        every = tuple(instructions)
        self._one_kind = all(i.ground.uses.one_kind for i in every)
        self.taken = frozenset(name for i in every if i.ground.update for name in i.ground.reads)
        for instruction in every:
            self._note(instruction)

    def _note(self, instruction: Instruction) -> None:
        ground = instruction.ground
        layout = self._stepper.layout
        wide = (name for name in ground.writes if layout.target.registers[name].width > 1)
        written = {place for name in wide for place in layout.places.get(name, ())}
        # Of a wide register no more bytes are of use than the cell has.
        share = cost_of(ground, max(min(len(written), self.cell.size), 1))
        if ground.writes & self.taken and not ground.update:
            self._feed = self._feed.least(share)
        if instruction.memory:
            return
        if ground.uses.computes:
            self._compute = self._compute.least(share)
        if not ground.reads:
            self._constant = self._constant.least(share)
            self._note_constant(instruction, share)
        elif not ground.uses.plain:
            self._alter = self._alter.least(share)
        for step in instruction.steps:
            # A flag set beside a register is charged with the register.
            beside = step.target in layout.flags and written
            add_edges(self._edges, {step}, NOTHING if beside else share)

    def _note_constant(self, instruction: Instruction, share: Pair) -> None:
        for place, lane in instruction.brings:
            if isinstance(lane, int) and place not in self._stepper.layout.flags:
                self._given[lane] = self._given.get(lane, NEVER).least(share)

    # --- chains --------------------------------------------------------------------------------------

    def chain(self, table: Table, byte: int, held: Held, in_cell: Lane | None) -> Pair:
        """The least cost of a chain for `byte` that ends in a store; `in_cell`: what of it may be loaded."""
        if isinstance(self.cell.goal[byte], int):
            return table.store[byte]
        key = (id(table), byte, held.lanes[byte], held.constants, in_cell)
        found = self._costs.get(key)
        if found is None:
            found = self._costs[key] = self._cost_of_chain(table, byte, held, in_cell)
        return found

    def _cost_of_chain(self, table: Table, byte: int, held: Held, in_cell: Lane | None) -> Pair:
        lanes = _sources(held.lanes[byte], in_cell)
        # Two different values of the old byte may meet in one instruction, and make up for a constant and a step.
        most = MOST_STEPS if len({lane for _, lane in lanes}) == 1 else 1
        supply = self._supply(byte, lanes[0][1], held.constants) if most > 1 else "at hand"
        nodes = [(place, min(self._steps(lane, byte), most)) for place, lane in lanes]
        return self._chains(table, byte, supply).least(nodes)

    def kept(self, table: Table, byte: int, held: Held, in_cell: Lane | None) -> Pair:
        """The least cost of storing something of the old byte, whatever it is."""
        lanes = _sources(held.lanes[byte], in_cell)
        return self._chains(table, byte, "at hand").least([(place, 0) for place, _ in lanes])

    def _steps(self, lane: Lane, byte: int) -> int:
        """How many computing instructions `lane` is from what is wanted of `byte`, at least."""
        found = steps_from(lane, self.cell.goal[byte])
        return found if self._one_kind else min(found, 1)

    def _supply(self, byte: int, lane: Lane, constants: frozenset[int]) -> _Supply:
        """Where a constant that brings `lane` nearer to what is wanted comes from."""
        if self.coarse:
            return "at hand" if constants else "to load"
        key = (byte, lane, constants)
        found = self._supplies.get(key)
        if found is None:
            wanted = self.cell.goal[byte]
            left = steps_from(lane, wanted)
            helps = any(
                steps_from(combine(op, lane, one), wanted) < left
                for constant in constants
                for one in (constant, constant ^ 0xFF)  # there are instructions that complement it on the way
                for op in "&|^"
            )
            found = "at hand" if helps or not self._one_kind else "to alter" if constants else "to load"
            self._supplies[key] = found
        return found

    def _chains(self, table: Table, byte: int, supply: _Supply, goal: int = DONE) -> Chains:
        """The distances for `byte`; a constant that is not at hand is brought, once for all bytes it serves."""
        key = (byte, supply, goal)
        chains = table.chains.get(key)
        if chains is not None:
            return chains
        extra = NOTHING
        if supply != "at hand":
            extra = self._fetch(byte).least(self._compute)
            extra = extra.least(self._alter) if supply == "to alter" else extra
            sharing = self._sharing[byte]
            extra = Pair(extra.bytes // sharing, extra.cycles // sharing)
        edges: list[Edge] = []
        for way in (self._edges, table.edges[byte]):
            for step, cost in way.items():
                edges += _edges_of(step, cost, cost.plus(extra) if step.fed else cost)
        chains = table.chains[key] = Chains.of(edges, (goal, 0))
        return chains

    def _fetch(self, byte: int) -> Pair:
        """The least cost of bringing a number that may help `byte` on, where none is at hand: it is given so, or
        made of one that is."""
        wanted = self.cell.goal[byte]
        cost = self._constant.plus(self._alter)
        for number, given in self._given.items():
            if not self._one_kind or number not in (0, 255) or isinstance(wanted, int):
                cost = cost.least(given)
        return cost

    # --- updates -------------------------------------------------------------------------------------

    def updates(self, table: Table, byte: int, lane: Lane, held: Held) -> Pair:
        """The least cost of bringing `byte` from `lane` to what is wanted by updates alone."""
        wanted = self.cell.goal[byte]
        best = self.fed(table, byte, held)
        for instruction, cost in table.flat[byte].items():
            if self.makes(instruction, byte, lane) == wanted:
                best = best.least(cost)
        bits = NOTHING
        for bit, (now, then) in enumerate(zip(bits_of(lane), bits_of(wanted), strict=True)):
            if now != then:
                by_flag = self._by_flag(table, byte, bit, lane, held)
                bits = bits.plus(_bit_cost(table.flip[byte], bit, now, then).least(by_flag))
        best = best.least(bits)
        if table.flat[byte]:
            one = NEVER
            for cost in table.flat[byte].values():
                one = one.least(cost)
            best = best.least(one.plus(table.least_update(byte)))
        return best

    def _by_flag(self, table: Table, byte: int, bit: int, lane: Lane, held: Held) -> Pair:
        """The least cost of filling one bit from a flag that is made to hold what is wanted of it."""
        wanted = bits_of(self.cell.goal[byte])[bit]
        best = NEVER
        for change, cost in table.flags[byte].items():
            if change.bit == bit:
                best = best.least(cost if wanted < 2 else cost.plus(self._to_flag(table, byte, change, lane, held)))
        return best

    def _to_flag(self, table: Table, byte: int, change: FlagBit, lane: Lane, held: Held) -> Pair:
        """The least cost of bringing an old bit, as it is wanted, into a flag."""
        wanted = bits_of(self.cell.goal[byte])[change.bit]
        nodes: list[Node] = []
        for place, source in _sources(held.lanes[byte], lane):
            codes = bits_of(source)
            if wanted in codes or (change.bit, -1) in table.flip[byte] or table.flat[byte]:
                nodes.append((place, 0))
            elif wanted ^ 1 in codes:
                nodes.append((place, 1))
        return self._chains(table, byte, "at hand", change.place).least(nodes)

    def fed(self, table: Table, byte: int, held: Held) -> Pair:
        """An update with data from a register, which must be there or be brought."""
        return table.fed[byte] if held.feed else table.fed[byte].plus(self._feed)

    def restored(self, table: Table, byte: int, held: Held) -> Pair:
        """The least cost of storing nothing of the old byte and bringing back what is kept of it by updates."""
        kept = [bit for bit, code in enumerate(bits_of(self.cell.goal[byte])) if code >= 2]
        bits = NOTHING
        for bit in kept:
            least = NEVER
            for change, cost in table.flags[byte].items():
                if change.bit == bit:
                    least = least.least(cost)
            bits = bits.plus(least)
        return table.store[byte].plus(bits.least(self.fed(table, byte, held)))

    def makes(self, instruction: Instruction, byte: int, lane: Lane) -> Lane | None:
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

    def one_update(self, table: Table, byte: int, held: Held | None) -> Pair:
        """One update that makes of the old byte what is wanted; without `held`, one that takes no data."""
        wanted = self.cell.goal[byte]
        old = Old(byte, 0xFF, 0)
        least = NEVER
        if held is not None:
            least = self.fed(table, byte, held).least(table.swap[byte])
            for cost in table.flags[byte].values():
                least = least.least(cost)
        for instruction, cost in table.flat[byte].items():
            if self.makes(instruction, byte, old) == wanted:
                least = least.least(cost)
        for (bit, change), cost in table.flip[byte].items():
            if with_bit(old, bit, change) == wanted:
                least = least.least(cost)
        return least


def _sources(held: tuple[tuple[int, Lane], ...], in_cell: Lane | None) -> tuple[tuple[int, Lane], ...]:
    return held if in_cell is None else (*held, (CELL, in_cell))


def _edges_of(step: Step, cost: Pair, dear: Pair) -> Iterable[Edge]:
    """The edges of one way; `dear`: its cost with a constant that it takes from a register."""
    source, target = step.source, step.target
    for left in range(MOST_STEPS + 1):
        if target == DONE and left:
            continue  # what a store puts there is what is wanted
        # A computing instruction may also leave as it is what it passes on.
        yield (source, left), (target, left), cost.bytes, cost.cycles
        if step.computes:
            yield (source, min(left + 1, MOST_STEPS)), (target, left), dear.bytes, dear.cycles


def with_bit(lane: Lane, bit: int, change: int) -> Lane:
    """`lane` with one bit made 0, 1, or (-1) its complement."""
    bits = list(bits_of(lane))
    bits[bit] = bits[bit] ^ 1 if change < 0 else change
    return lane_of(tuple(bits))


def _bit_cost(flips: dict[tuple[int, int], Pair], bit: int, now: int, then: int) -> Pair:
    """The least cost of one bit's way by bit instructions."""
    zero, one, turn = (flips.get((bit, change), NEVER) for change in (0, 1, -1))
    if then >= 2:
        return turn if now >= 2 else NEVER  # an old bit that is gone never comes back
    direct = one if then else zero
    other = zero if then else one
    turned = turn if now < 2 else turn.plus(other)
    return direct.least(turned)


def _sharing(cell: Cell) -> list[int]:
    """Per byte, how many bytes of the cell may be changed with a constant that serves this one too."""
    constants = []
    for byte in range(cell.size):
        part = cell.effect.byte(byte)
        masks = (part.clear_mask, part.set_mask, part.toggle_mask)
        unions = {sum(mask for i, mask in enumerate(masks) if union >> i & 1) for union in range(8)}
        constants.append(unions | {union ^ 0xFF for union in unions} - {0, 0xFF})
    return [sum(bool(mine & other - {0, 0xFF}) for other in constants) or 1 for mine in constants]

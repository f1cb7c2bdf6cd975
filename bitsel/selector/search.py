"""Selection as a shortest path: A* from "the cell as it was" to "the cell as the effect wants it".

A state is what the cell's bytes and the registers hold, which registers were changed, the accesses made, and what
is still on its way to a register (`stalls`).
An edge is one ground instruction. Paths are compared by bytes and cycles in the objective's order, then by
number of changed registers, accesses through registers, and the order of the table. Every edge costs at least
a byte, and the bound never exceeds what is left, so the first goal taken from the queue is optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from attrs import evolve, frozen

from bitsel.selector.access import Discipline
from bitsel.selector.ground import Ground
from bitsel.selector.instruction import Instruction
from bitsel.selector.lanes import UNKNOWN, Lane, is_of
from bitsel.selector.modes import Gate, Mode
from bitsel.selector.stalls import Waits, stalls
from bitsel.selector.step import Lanes, Outcome, put
from bitsel.selector.verdict import Objective


class State(NamedTuple):
    """`clobbers`: bit set of units changed; `access`: the discipline's state; `pending`, `waits`: see there."""

    memory: Lanes
    registers: Lanes
    clobbers: int
    access: int
    pending: Pending = ()
    waits: Waits = ()


Pending = tuple[tuple[int, int], ...]
"""Constants just loaded and not used yet: (number of the edge, bit set of the units it wrote).

An instruction that reads nothing can be moved down a sequence to just before the first that reads what it
wrote, changing nothing. So only sequences are looked at in which every run of such instructions, in the order of
their numbers, is followed by one that reads something of each. Where something is waited for, a constant fills the
time: there it may stand anywhere, and is not counted as pending.
"""


class Cost(NamedTuple):
    """Bytes and cycles."""

    bytes: int
    cycles: int

    def key(self, objective: Objective) -> tuple[int, int]:
        """In the objective's order."""
        return (self.bytes, self.cycles) if objective == "size" else (self.cycles, self.bytes)


@frozen
class Path:
    """A sequence of ground instructions with what it costs, the units it changes, and how many of its
    instructions touch the cell. `at_least`: where it may not be the cheapest, what the cheapest costs at least, in
    the objective's order."""

    steps: tuple[Ground, ...]
    cost: Cost
    clobbers: int
    touches: int
    updates: int
    at_least: tuple[int, int] | None = None

    @classmethod
    def of(cls, steps: tuple[Ground, ...], clobbers: int, stalled: int = 0) -> Path:
        """`stalled`: the clocks that the steps wait for one another."""
        return cls(
            steps=steps,
            cost=Cost(sum(g.form.bytes for g in steps), sum(g.form.cycles for g in steps) + stalled),
            clobbers=clobbers,
            touches=sum(g.uses.loads or g.uses.stores for g in steps),
            updates=sum(g.update for g in steps),
        )

    @property
    def interruptible(self) -> bool:
        """Whether an interrupt can fall inside the update: anything but one instruction that reads and writes."""
        return not (self.touches == 1 and self.updates == 1)


# Costs are packed into one integer, most significant first: primary, secondary, clobbers, indirect, order.
_FIELD = 16


def pack(primary: int, secondary: int, clobbers: int = 0, indirect: int = 0, order: int = 0) -> int:
    packed = primary
    for part in (secondary, clobbers, indirect, order):
        packed = packed << _FIELD | part
    return packed


Bound = Callable[[State], "tuple[int, int] | None"]


class _Edge:
    """An instruction in one search: its number there, and its cost packed."""

    __slots__ = ("instruction", "number", "outcome", "packed", "timing")

    def __init__(self, instruction: Instruction, number: int, objective: Objective) -> None:
        form = instruction.ground.form
        primary, secondary = Cost(form.bytes, form.cycles).key(objective)
        self.instruction = instruction
        self.number = number
        self.packed = pack(primary, secondary, order=form.order)
        self.outcome = instruction.outcome
        self.timing = instruction.timing

    def after(self, pending: Pending, waits: Waits) -> Pending | None:
        """What is pending after this instruction; None where it may not follow."""
        timing = self.timing
        if not self.instruction.constant:
            return () if all(units & timing.reads for _, units in pending) else None
        if waits:
            return pending
        if pending and (pending[-1][0] >= self.number or any(units & timing.writes for _, units in pending)):
            return None
        return (*pending, (self.number, timing.writes))


@frozen(eq=False)
class Problem:
    """One search: from `start`, under `discipline`, to `goal`, by `instructions` and, where a mode names a byte of
    the cell, by its instructions, and, where a gate is open, by those behind it. `ordered`: only sequences in which
    constants are loaded where they are used."""

    instructions: tuple[Instruction, ...]
    modes: Mapping[Mode, tuple[Instruction, ...]]
    gated: Mapping[Gate, tuple[Instruction, ...]]
    start: State
    goal: tuple[Lane, ...]
    discipline: Discipline
    objective: Objective
    bound: Bound
    ordered: bool = True


MOST_WORK = 250_000
"""So many edges (states expanded times instructions) are tried in search of the optimum.

Every 8-bit cell and every 16-bit cell whose bits change in one or two ways stays well below this; what does not is
a cell of several words, or of words in which bits are set, cleared and toggled at once.
"""

LESS_WORK = 100_000
"""So many more are tried greedily: what is found that way is found soon."""

GREEDS = (1, 16)
"""How much the bound weighs against the cost so far: 1 finds the optimum, more finds some path sooner."""


class SearchTooLarge(Exception):
    """Neither a path was found nor that there is none."""


def search(problem: Problem, below: tuple[int, int] | None = None) -> Path | None:
    """The cheapest path, or None where there is none; with `below`, of those of less (primary, secondary) cost.

    Where that would take more than `MOST_WORK`, a path found more greedily, with `at_least` set; without one,
    SearchTooLarge is raised.
    """
    for greed in GREEDS:
        found = _search(problem, below, greed)
        if isinstance(found, Path) and greed > 1:
            return evolve(found, at_least=problem.bound(problem.start))
        if not isinstance(found, _GivenUp):
            return found
    raise SearchTooLarge


class _GivenUp:
    """More states than are looked at."""


def _search(problem: Problem, below: tuple[int, int] | None, weight: int) -> Path | _GivenUp | None:
    goal, discipline, bound = problem.goal, problem.discipline, problem.bound
    ceiling = pack(*below) if below is not None else None
    tail = 3 * _FIELD
    order = count()
    one_clock = pack(*Cost(0, 1).key(problem.objective))
    start = problem.start
    best: dict[State, int] = {start: 0}
    came: dict[State, tuple[State, Instruction]] = {}
    edges = _Edges(problem)
    first = bound(start)
    if first is None:
        return None
    queue: list[tuple[int, int, int, State]] = [((first[0] << _FIELD | first[1]) << tail, next(order), 0, start)]
    work, most = 0, MOST_WORK if weight == 1 else min(MOST_WORK, LESS_WORK)
    while queue:
        _, _, cost, state = heappop(queue)
        if cost > best[state]:
            continue
        memory, registers, clobbers, access, pending, waits = state
        possible = edges.from_(registers)
        work += len(possible)
        if work > most:
            return _GivenUp()
        if memory == goal and discipline.done(access):
            return _path(state, came)
        for edge in possible:
            left_pending = edge.after(pending, waits) if problem.ordered else ()
            if left_pending is None:
                continue
            outcome = edge.outcome(memory, registers)
            if outcome is None:
                continue
            after = _apply(state, outcome, discipline, left_pending)
            if after is None:
                continue
            added = (after.clobbers ^ clobbers).bit_count() << 2 * _FIELD | outcome.indirect << _FIELD
            total = cost + edge.packed + added
            timing = edge.timing
            if waits or timing.late:
                total += one_clock * timing.stall(waits)
                after = after._replace(waits=timing.after(waits))
            known = best.get(after)
            if known is not None and known <= total:
                continue
            left = bound(after)
            if left is None:
                continue
            least = (left[0] << _FIELD | left[1]) << tail
            if ceiling is not None and total + least >= ceiling:
                continue
            best[after] = total
            came[after] = (state, edge.instruction)
            heappush(queue, (total + weight * least, next(order), total, after))
    return None


class _Edges:
    """The edges that may lead on from what the registers hold: of a mode only where it names a byte of the cell, of
    a gate only where it is open."""

    def __init__(self, problem: Problem) -> None:
        numbers = count()

        def edges(instructions: tuple[Instruction, ...]) -> list[_Edge]:
            return [_Edge(one, next(numbers), problem.objective) for one in instructions]

        self._plain = edges(problem.instructions)
        self._doors: list[tuple[Callable[[Lanes], bool], list[_Edge]]] = [
            (partial(_names_a_byte, mode), edges(served)) for mode, served in problem.modes.items()
        ]
        self._doors += [(gate.is_open, edges(behind)) for gate, behind in problem.gated.items()]

    def from_(self, registers: Lanes) -> list[_Edge]:
        found = list(self._plain)
        for is_open, behind in self._doors:
            if is_open(registers):
                found += behind
        return found


def _names_a_byte(mode: Mode, registers: Lanes) -> bool:
    return mode.byte(registers) is not None


def _apply(state: State, outcome: Outcome, discipline: Discipline, pending: Pending) -> State | None:
    """The state after `outcome`, None where the discipline forbids it or nothing changes but clobbers."""
    memory, registers, clobbers, access, _, _ = state
    after_access: int | None = access
    touches = bool(outcome.loads or outcome.stores)
    if touches:
        after_access = discipline.next(access, outcome.loads, outcome.stores)
        if after_access is None:
            return None
        if outcome.memory:
            memory = put(memory, outcome.memory)
    if outcome.registers:
        changed = put(registers, outcome.registers)
        if changed == registers and memory == state.memory and after_access == access:
            return None
        registers = changed
    elif memory == state.memory and after_access == access:
        return None
    assert after_access is not None
    finished = discipline.finished(after_access)
    if finished != discipline.finished(access):
        registers = tuple(UNKNOWN if is_of(lane, finished) else lane for lane in registers)
    return State(memory, registers, clobbers | outcome.clobbers, after_access, pending)


def _path(state: State, came: dict[State, tuple[State, Instruction]]) -> Path:
    clobbers = state.clobbers
    steps: list[Instruction] = []
    while state in came:
        state, instruction = came[state]
        steps.append(instruction)
    steps.reverse()
    stalled = stalls(step.timing for step in steps)
    return Path.of(tuple(step.ground for step in steps), clobbers, stalled)

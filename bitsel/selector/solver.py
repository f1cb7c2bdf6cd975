"""The searches asked of one cell: its baseline, its best sequence, and what-ifs, over one set of instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from attrs import evolve

from bitsel.selector.access import Discipline, Free, Once, Single, Units
from bitsel.selector.bound import Bound
from bitsel.selector.cell import Cell
from bitsel.selector.copies import least_with_copy
from bitsel.selector.ground import Ground, Pool
from bitsel.selector.instruction import Instruction
from bitsel.selector.parts import Parts
from bitsel.selector.search import Path, Problem, SearchTooLarge, State, search
from bitsel.selector.setting import Setting
from bitsel.selector.stalls import Timing, stalls
from bitsel.selector.step import put
from bitsel.selector.verdict import Objective
from bitsel.target.expr import Expr

Question = Literal["baseline", "select", "one-update"]


class Solver:
    """One cell's searches. `objective` orders bytes and cycles."""

    def __init__(self, setting: Setting, cell: Cell, base: Expr | None, objective: Objective) -> None:
        """`base` gives the address that a pointer or stack slot stands for, over registers."""
        self.setting = setting
        self.cell = cell
        self.objective = objective
        self.footprint = cell.footprint
        self.stock = setting.stock(self.footprint, base)
        self.stepper = self.stock.stepper
        self.incoming = self.stock.incoming
        self.pool = Pool(cell, setting.target, self.stock.domain, setting.widths)

    def most_bits(self, below: int) -> int:
        """How many bits can be changed one at a time for no more than `below`, in the objective's first measure:
        all by instructions that name the place themselves, or else one more brings its address to a register,
        unless it is in one that they may take."""
        direct, based, bring = self.stock.bit_costs(self.objective)
        return max(below // direct, (below - bring) // based, 0)

    def discipline(self, question: Question) -> Discipline | None:
        """The accesses a sequence may make; None where there can be none."""
        width = 8 * self.cell.size
        if question == "baseline":
            units = self.units()
            return Units(units) if units is not None else None
        if self.cell.access == "single":
            return Single(width)
        if self.cell.place.mapped:
            question = "one-update"
        if question == "one-update":
            return Single(width if self.cell.access == "once" else None)
        return Once(width) if self.cell.access == "once" else Free()

    def units(self) -> tuple[tuple[int, int], ...] | None:
        """The cell cut into the widest accesses the machine has; a volatile or ordered one is never cut."""
        widths = self.setting.widths
        align = self.setting.target.align
        units = []
        offset = 0
        while offset < self.cell.size:
            fit = (w for w in widths if self.footprint.allows(offset, w, False, align.get(w, 1)))
            width = next(fit, None)
            if width is None:
                return None
            units.append((offset, width))
            offset += width // 8
        if self.cell.access != "free" and len(units) != 1:
            return None
        return tuple(units)

    def _takes_part(self, question: Question, discipline: Discipline) -> Callable[[Instruction], bool]:
        spots = discipline.spots

        def takes_part(instruction: Instruction) -> bool:
            ground = instruction.ground
            if question == "baseline" and (ground.form.bit or ground.update):
                return False
            if not instruction.memory:
                return True
            if isinstance(discipline, Single) and not self._may_do_it_all(ground):
                return False
            return spots is None or self._may_be_at(instruction, spots)

        return takes_part

    def _may_do_it_all(self, ground: Ground) -> bool:
        """Whether one instruction may make the whole update; what it takes from a register is then a constant."""
        if not ground.update:
            return False
        if len(ground.uses.mems) != 1:
            return True
        cell, start = self.cell, self.footprint.start
        count = (ground.uses.mems[0].width or 8) // 8
        for first in range(cell.size - count + 1):
            spot = slice(first, first + count)
            others = (*cell.goal[: spot.start], *cell.goal[spot.stop :])
            if others == (*start[: spot.start], *start[spot.stop :]) and self.stepper.may_make(
                ground, first, cell.goal[spot]
            ):
                return True
        return False

    def _may_be_at(self, instruction: Instruction, spots: frozenset[tuple[int, int]]) -> bool:
        """Whether every access of an instruction can be one of `spots`."""
        ground = instruction.ground
        widths = {width for _, width in spots}
        if any(mem.width not in widths for mem in ground.uses.mems):
            return False
        if ground.based or len(ground.uses.mems) != 1:
            return True
        return (instruction.at, ground.uses.mems[0].width) in spots

    def solve(self, question: Question, below: tuple[int, int] | None = None) -> Path | None:
        """The cheapest path, of those that cost less than `below` (bytes and cycles in the objective's order)."""
        discipline = self.discipline(question)
        if discipline is None:
            return None
        most_bits = 0 if question == "baseline" else 8
        if question == "select" and below is not None:
            most_bits = self.most_bits(below[0])
        best = self._best(self._parts(question, discipline, most_bits), discipline, below)
        limit = best.cost.key(self.objective) if best is not None else below
        least = least_with_copy(self.stock.forms, self.cell, self.objective)
        if least is None or not isinstance(discipline, Free) or (limit is not None and least >= limit):
            return best
        if best is not None and best.at_least is not None:
            return best  # with more instructions it would grow larger still
        every = self._parts(question, discipline, most_bits, copies=True)
        try:
            return self._search(every, discipline, limit, self._bound(every, discipline)) or best
        except SearchTooLarge:
            if best is None:
                raise
            return best

    def _best(self, parts: Parts, discipline: Discipline, below: tuple[int, int] | None) -> Path | None:
        """The cheapest path; where the search for it grows too large, one of few kinds of instructions, if that is
        cheaper than what was found."""
        bound = self._bound(parts, discipline)
        few = parts.in_place() if isinstance(discipline, Units) else parts.updates()
        try:
            found = self._search(parts, discipline, below, bound)
        except SearchTooLarge:
            found = self._search(few, discipline, below, bound)
            if found is None:
                raise
            return evolve(found, at_least=bound(self._start(discipline)))
        if found is None or found.at_least is None:
            return found
        try:
            other = self._search(few, discipline, found.cost.key(self.objective), bound)
        except SearchTooLarge:
            return found
        return evolve(other, at_least=found.at_least) if other is not None else found

    def _search(
        self, parts: Parts, discipline: Discipline, below: tuple[int, int] | None, bound: Bound
    ) -> Path | None:
        problem = Problem(
            instructions=parts.plain,
            modes=parts.modes,
            gated=parts.gated,
            start=self._start(discipline),
            goal=self.cell.goal,
            discipline=discipline,
            objective=self.objective,
            bound=bound,
        )
        return search(problem, below)

    def _parts(self, question: Question, discipline: Discipline, most_bits: int, *, copies: bool = False) -> Parts:
        """The instructions that take part, with or without those from memory to memory."""
        takes_part = self._takes_part(question, discipline)
        spots = discipline.spots
        accesses = frozenset(width for _, width in spots) if spots is not None else None
        every = self.stock.instructions(self.cell, accesses, most_bits, copies=copies)
        return Parts.of(filter(takes_part, every), self.stock.modes)

    def _bound(self, parts: Parts, discipline: Discipline) -> Bound:
        return Bound(parts.direct, parts.modes, self.cell, self.stepper, discipline, self.objective)

    def has_form(self) -> bool:
        """Whether instructions that update the cell in place make this update, at whatever cost."""
        discipline = self.discipline("select")
        if discipline is None:
            return False
        return self._bound(self._parts("select", discipline, 8), discipline).has_form()

    def _start(self, discipline: Discipline) -> State:
        return State(self.footprint.start, self.incoming, 0, discipline.start)

    def replay(self, steps: Sequence[Ground], question: Question) -> Path | None:
        """The path these steps make, run one by one; None where they do not reach what the cell wants."""
        discipline = self.discipline(question)
        if discipline is None:
            return None
        memory, registers, clobbers, access, _, _ = self._start(discipline)
        for step in steps:
            outcome = self.stepper.run(step, memory, registers)
            if outcome is None:
                return None
            after = discipline.next(access, outcome.loads, outcome.stores)
            if after is None:
                return None
            access = after
            memory, registers = put(memory, outcome.memory), put(registers, outcome.registers)
            clobbers |= outcome.clobbers
        if memory != self.cell.goal or not discipline.done(access):
            return None
        stalled = stalls(Timing.of(step, self.setting.layout) for step in steps)
        return Path.of(tuple(steps), clobbers, stalled)

"""The searches asked of one cell: its baseline, its best sequence, and what-ifs, over one set of instructions.

Which rows take part: those that can be grounded for the cell. A row that writes anything but the cell and the
scratch registers may not stand in the sequence; one that reads a register nothing known can be in makes nothing
known; one whose memory place is not the cell touches what the source does not. None of them can be on a path,
so leaving them out loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Literal

from attrs import evolve, field, frozen

from bitsel.selector.access import Discipline, Free, Once, Single, Units
from bitsel.selector.bound import Bound
from bitsel.selector.cell import Cell
from bitsel.selector.copies import is_copy, least_with_copy
from bitsel.selector.ground import FormUses, Ground, Pool, form_uses, ground, takes_upper_part, walk
from bitsel.selector.lanes import LaneDomain
from bitsel.selector.modes import address_pieces
from bitsel.selector.parts import Parts
from bitsel.selector.relevance import relevant
from bitsel.selector.roles import keeps_apart
from bitsel.selector.search import Cost, Instruction, Path, Problem, SearchTooLarge, State, pack, search
from bitsel.selector.stalls import Timing, stalls
from bitsel.selector.step import Registers, Stepper, put
from bitsel.selector.useful import useful
from bitsel.selector.verdict import Objective
from bitsel.target.expr import Expr, Name, Num
from bitsel.target.facts import Form, Number, Target
from bitsel.target.semantics import evaluate

Question = Literal["baseline", "select", "one-update"]


@frozen(eq=False, slots=False)
class Setting:
    """What all cells of one target and device share: the prepared forms and the registers."""

    target: Target
    forms: tuple[FormUses, ...]
    layout: Registers
    scratch: frozenset[str]
    addresses: frozenset[str]
    _relevant: dict[Hashable, tuple[FormUses, ...]] = field(factory=dict)
    _bit_costs: dict[Hashable, tuple[int, int, int]] = field(factory=dict)

    @classmethod
    def of(cls, target: Target, forms: Sequence[Form]) -> Setting:
        layout = Registers(target)
        flags = {r.name for r in target.registers.values() if r.width == 1}
        fixed = {r.name for r in target.registers.values() if r.value is not None}
        scratch = layout.closed({*target.abi.scratch, *target.abi.address, *flags}) | fixed
        uses = tuple(form_uses(form, target) for form in useful(forms, target))
        return cls(target, uses, layout, scratch, layout.closed(target.abi.address))

    def relevant(self, cell: Cell, readable: frozenset[str]) -> tuple[FormUses, ...]:
        """The forms that can matter for cells at places like this one's."""
        place = cell.place
        parts = self.target.parts.values()
        named = tuple(
            place.accepts(number, part, offset)
            for number in self._direct_numbers
            for part in parts
            for offset in range(cell.size)
        )
        shape = place.shape(self.target.address_bits)
        key = (shape.known, shape.origin, cell.size, named, readable)
        if key not in self._relevant:
            self._relevant[key] = relevant(self.forms, self.target, place, cell.size, readable)
        return self._relevant[key]

    @cached_property
    def _direct_numbers(self) -> tuple[Number, ...]:
        """The operands that can name a place by themselves."""
        found = {
            operand.number.name: operand.number
            for uses in self.forms
            for operand, roles in uses.numbers.values()
            if any(use.role == "direct" for use in roles)
        }
        return tuple(found.values())

    def bit_costs(self, cell: Cell, readable: frozenset[str], objective: Objective) -> tuple[int, int, int]:
        """The least costs, in the objective's first measure, of a bit instruction on memory that names its place
        itself, of one that goes through a register, and of bringing part of an address to a register."""
        forms = self.relevant(cell, readable)
        key = (id(forms), objective)
        if key not in self._bit_costs:
            whole = LaneDomain(cell.place.shape(self.target.address_bits))
            vec = whole.shape.vec(0)
            parts = {
                name
                for name, part in self.target.parts.items()
                if address_pieces(evaluate(part.is_, lambda _: vec, whole))
            }
            anywhere = cell.place.address is not None

            def least(wanted: Callable[[FormUses], bool]) -> int:
                costs = (Cost(u.form.bytes, u.form.cycles).key(objective)[0] for u in forms if wanted(u))
                return min(costs, default=99)

            def brings(uses: FormUses) -> bool:
                named = (parts & {*operand.number.symbol} for operand, _ in uses.numbers.values())
                return not uses.mems and any(anywhere or part for part in named)

            self._bit_costs[key] = (
                least(lambda u: u.form.bit and u.stores and not u.based),
                least(lambda u: u.form.bit and u.stores and u.based),
                least(brings),
            )
        return self._bit_costs[key]

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """The widths (bits) at which the machine both loads and stores, widest first."""
        loads: set[int] = set()
        stores: set[int] = set()
        for uses in self.forms:
            if len(uses.mems) == 1 and not uses.form.bit and uses.loads != uses.stores:
                (loads if uses.loads else stores).add(uses.mems[0].width or 8)
        return tuple(sorted(loads & stores, reverse=True))


class Solver:
    """One cell's searches. `objective` orders bytes and cycles."""

    def __init__(self, setting: Setting, cell: Cell, base: Expr | None, objective: Objective) -> None:
        """`base` gives the address that a pointer or stack slot stands for, over registers."""
        self.setting = setting
        self.cell = cell
        self.objective = objective
        target = setting.target
        self.domain = LaneDomain(cell.place.shape(target.address_bits))
        self.stepper = Stepper(target, setting.layout, cell, self.domain)
        self.incoming = setting.layout.blank()
        self.incoming_known = base is not None
        held: frozenset[str] = frozenset()
        if base is not None:
            self.incoming = self.stepper.incoming(base, -cell.place.offset)
            held = setting.layout.closed({e.id for e in walk(base) if isinstance(e, Name)})
        self.readable = setting.scratch | held
        self.addresses = setting.addresses | held if setting.addresses else setting.addresses
        self.pool = Pool(cell, target, self.domain, setting.widths)

    def _forms(self) -> tuple[FormUses, ...]:
        return self.setting.relevant(self.cell, self.readable)

    def instructions(
        self, most_bits: int = 8, discipline: Discipline | None = None, *, copies: bool = True
    ) -> tuple[Instruction, ...]:
        """The ground instructions of the cell, with masks as wide as the accesses of `discipline` (by default any);
        `most_bits` as in `Pool`; with or without those from memory to memory."""
        forms = [uses for uses in self._forms() if copies or not is_copy(uses)]
        upper = any(map(takes_upper_part, forms))
        spots = discipline.spots if discipline is not None else None
        accesses = {width for _, width in spots} if spots is not None else self.setting.widths
        pool = Pool(self.cell, self.setting.target, self.domain, accesses, upper, most_bits)
        grounds = (
            one
            for uses in forms
            for one in ground(uses, pool, self.readable, self.setting.scratch)
            if self._can_reach(one)
            and not self._disturbs(one)
            and not self._goes_round(one)
            and (not self.addresses or keeps_apart(one, self.addresses, self.setting.target))
        )
        return tuple(self._instruction(one, number) for number, one in enumerate(grounds))

    def _instruction(self, one: Ground, number: int) -> Instruction:
        form = one.form
        primary, secondary = Cost(form.bytes, form.cycles).key(self.objective)
        return Instruction(one, self.stepper, pack(primary, secondary, order=form.order), number)

    def _can_reach(self, one: Ground) -> bool:
        """Whether the memory places of an instruction may be in the cell at all."""
        widths = [mem.width or 8 for mem in one.uses.mems]
        if any(width > 8 * self.cell.size for width in widths):
            return False
        if not self.cell.place.inside(one.form.within, self.cell.size):
            return False
        if len(widths) != 1:
            return True
        align = self.setting.target.align.get(widths[0], 1)
        spots = range(self.cell.size - widths[0] // 8 + 1)
        allowed = [spot for spot in spots if self.cell.allows(spot, widths[0], one.form.bit, align)]
        if one.based:
            return bool(allowed)
        return self.stepper.offset(one, self.setting.layout.blank()) in allowed

    def _disturbs(self, one: Ground) -> bool:
        """Whether an instruction changes, other than by its access, the register whose memory the cell is."""
        layout = self.setting.layout
        registers = self.setting.target.registers
        wide = [name for name in self.cell.place.mapped if registers[name].width > 1]
        return not one.uses.stores and bool(layout.unit_set(one.writes) & layout.unit_set(wide))

    def _goes_round(self, one: Ground) -> bool:
        """Whether an instruction reaches a register's memory by another way than rows made for that register: what
        those cost is known, and what the general ones cost there is not."""
        return bool(
            self.cell.place.mapped
            and one.uses.mems
            and self._has_rows_of_its_own
            and not all(isinstance(mem.address, Num) for mem in one.uses.mems)
        )

    @cached_property
    def _has_rows_of_its_own(self) -> bool:
        address = self.cell.place.address
        return address is not None and any(
            isinstance(mem.address, Num) and mem.address.value in range(address, address + self.cell.size)
            for uses in self.setting.forms
            for mem in uses.mems
        )

    def most_bits(self, below: int) -> int:
        """How many bits can be changed one at a time for no more than `below`, in the objective's first measure:
        all by instructions that name the place themselves, or else one more brings its address to a register,
        unless it is in one that they may take."""
        direct, based, bring = self.setting.bit_costs(self.cell, self.readable, self.objective)
        if self.incoming_known:
            bring = 0
        return max(below // direct, (below - bring) // based, 0)

    def discipline(self, question: Question) -> Discipline | None:
        """The accesses a sequence may make; None where there can be none."""
        width = 8 * self.cell.size
        if question == "baseline":
            units = self._units()
            return Units(units) if units is not None else None
        if self.cell.access == "single":
            return Single(width)
        if self.cell.place.mapped:
            question = "one-update"
        if question == "one-update":
            return Single(width if self.cell.access == "once" else None)
        return Once(width) if self.cell.access == "once" else Free()

    def _units(self) -> tuple[tuple[int, int], ...] | None:
        """The cell cut into the widest accesses the machine has; a volatile or ordered one is never cut."""
        widths = self.setting.widths
        align = self.setting.target.align
        units = []
        offset = 0
        while offset < self.cell.size:
            fit = (w for w in widths if self.cell.allows(offset, w, False, align.get(w, 1)))
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
            return spots is None or self._may_be_at(ground, spots)

        return takes_part

    def _may_do_it_all(self, ground: Ground) -> bool:
        """Whether one instruction may make the whole update; what it takes from a register is then a constant."""
        if not ground.update:
            return False
        if len(ground.uses.mems) != 1:
            return True
        cell = self.cell
        count = (ground.uses.mems[0].width or 8) // 8
        for first in range(cell.size - count + 1):
            spot = slice(first, first + count)
            others = (*cell.goal[: spot.start], *cell.goal[spot.stop :])
            if others == (*cell.start[: spot.start], *cell.start[spot.stop :]) and self.stepper.may_make(
                ground, first, cell.goal[spot]
            ):
                return True
        return False

    def _may_be_at(self, ground: Ground, spots: frozenset[tuple[int, int]]) -> bool:
        """Whether every access of an instruction can be one of `spots`."""
        widths = {width for _, width in spots}
        if any(mem.width not in widths for mem in ground.uses.mems):
            return False
        if ground.based or len(ground.uses.mems) != 1:
            return True
        offset = self.stepper.offset(ground, self.setting.layout.blank())
        return (offset, ground.uses.mems[0].width) in spots

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
        least = least_with_copy(self._forms(), self.cell, self.objective)
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
        return Parts.of(filter(takes_part, self.instructions(most_bits, discipline, copies=copies)), self.stepper)

    def _bound(self, parts: Parts, discipline: Discipline) -> Bound:
        return Bound(parts.direct, parts.modes, self.stepper, discipline, self.objective)

    def has_form(self) -> bool:
        """Whether instructions that update the cell in place make this update, at whatever cost."""
        discipline = self.discipline("select")
        if discipline is None:
            return False
        return self._bound(self._parts("select", discipline, 8), discipline).has_form()

    def _start(self, discipline: Discipline) -> State:
        return State(self.cell.start, self.incoming, 0, discipline.start)

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

"""What all cells of one target and device share, and the stock of instructions for each footprint.

Which rows take part: those that can be grounded for the cell. A row that writes anything but the cell and the
scratch registers may not stand in the sequence; one that reads a register nothing known can be in makes nothing
known; one whose memory place is not the cell touches what the source does not. None of them can be on a path,
so leaving them out loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property

from attrs import field, frozen

from bitsel.selector.cell import Cell, Footprint
from bitsel.selector.copies import is_copy
from bitsel.selector.ground import FormUses, Ground, Pool, form_uses, ground, takes_upper_part, walk
from bitsel.selector.instruction import Instruction
from bitsel.selector.lanes import LaneDomain
from bitsel.selector.modes import Modes, address_pieces
from bitsel.selector.relevance import Relevance
from bitsel.selector.roles import keeps_apart
from bitsel.selector.search import Cost
from bitsel.selector.step import Registers, Stepper
from bitsel.selector.useful import useful
from bitsel.selector.verdict import Objective
from bitsel.target.expand import forms as expand
from bitsel.target.expr import Expr, Name, Num
from bitsel.target.facts import Device, Form, Number, Target
from bitsel.target.semantics import evaluate

MOST_STOCKS = 256
"""The instructions of so many footprints are kept at a time."""

MOST_SETTINGS = 8
"""So many settings are kept at a time."""

_kept: dict[tuple[int, int], tuple[Setting, Device]] = {}


@frozen(eq=False, slots=False)
class Setting:
    """What all cells of one target and device share: the prepared forms and the registers."""

    target: Target
    forms: tuple[FormUses, ...]
    layout: Registers
    scratch: frozenset[str]
    addresses: frozenset[str]
    _relevant: dict[Hashable, tuple[FormUses, ...]] = field(factory=dict)
    _stocks: dict[Hashable, Stock] = field(factory=dict)

    @classmethod
    def of(cls, target: Target, forms: Sequence[Form]) -> Setting:
        layout = Registers(target)
        flags = {r.name for r in target.registers.values() if r.width == 1}
        fixed = {r.name for r in target.registers.values() if r.value is not None}
        scratch = layout.closed({*target.abi.scratch, *target.abi.address, *flags}) | fixed
        uses = tuple(form_uses(form, target) for form in useful(forms, target))
        return cls(target, uses, layout, scratch, layout.closed(target.abi.address))

    @classmethod
    def of_device(cls, target: Target, device: Device) -> Setting:
        """The setting of one device, whichever objective and policy it is asked under; the last few are kept."""
        key = (id(target), id(device))
        found = _kept.get(key)
        if found is None:
            if len(_kept) >= MOST_SETTINGS:
                _kept.clear()
            # The device is held so that its id stays its own, as the target's does by the setting.
            found = _kept[key] = (cls.of(target, expand(target, device)), device)
        return found[0]

    def limited_to(self, free: Collection[str]) -> Setting:
        """The same where only `free` may be changed, and no register is kept for addresses."""
        fixed = {r.name for r in self.target.registers.values() if r.value is not None}
        return Setting(self.target, self.forms, self.layout, self.layout.closed(free) | fixed, frozenset())

    def stock(self, footprint: Footprint, base: Expr | None) -> Stock:
        """The instructions for cells of this footprint; `base` as in `Solver`."""
        key = (footprint, base)
        found = self._stocks.get(key)
        if found is None:
            if len(self._stocks) >= MOST_STOCKS:
                self._stocks.clear()
            found = self._stocks[key] = Stock(self, footprint, base)
        return found

    def relevant(self, footprint: Footprint, readable: frozenset[str]) -> tuple[FormUses, ...]:
        """The forms that can matter for cells at places like this one's."""
        place = footprint.place
        parts = self.target.parts.values()
        named = tuple(
            place.accepts(number, part, offset)
            for number in self._direct_numbers
            for part in parts
            for offset in range(footprint.size)
        )
        shape = place.shape(self.target.address_bits)
        key = (shape.known, shape.origin, footprint.size, named, readable)
        if key not in self._relevant:
            self._relevant[key] = self._relevance.at(place, footprint.size, readable)
        return self._relevant[key]

    @cached_property
    def _relevance(self) -> Relevance:
        return Relevance.of(self.forms, self.target)

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

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """The widths (bits) at which the machine both loads and stores, widest first."""
        loads: set[int] = set()
        stores: set[int] = set()
        for uses in self.forms:
            if len(uses.mems) == 1 and not uses.form.bit and uses.loads != uses.stores:
                (loads if uses.loads else stores).add(uses.mems[0].width or 8)
        return tuple(sorted(loads & stores, reverse=True))


class Stock:
    """The instructions for all cells of one footprint, made when they are first asked for."""

    def __init__(self, setting: Setting, footprint: Footprint, base: Expr | None) -> None:
        self.setting = setting
        self.footprint = footprint
        target = setting.target
        self.domain = LaneDomain(footprint.place.shape(target.address_bits))
        self.stepper = Stepper(target, setting.layout, footprint, self.domain)
        self.modes = Modes(self.stepper)
        self.incoming = setting.layout.blank()
        self.incoming_known = base is not None
        held: frozenset[str] = frozenset()
        if base is not None:
            self.incoming = self.stepper.incoming(base, -footprint.place.offset)
            held = setting.layout.closed({e.id for e in walk(base) if isinstance(e, Name)})
        self.readable = setting.scratch | held
        self.addresses = setting.addresses | held if setting.addresses else setting.addresses
        self._made: dict[Hashable, Instruction | None] = {}
        self._bit_costs: dict[Objective, tuple[int, int, int]] = {}

    @cached_property
    def forms(self) -> tuple[FormUses, ...]:
        """The forms that can matter here."""
        return self.setting.relevant(self.footprint, self.readable)

    def instructions(
        self, cell: Cell, accesses: frozenset[int] | None, most_bits: int = 8, *, copies: bool = True
    ) -> Iterator[Instruction]:
        """The instructions that can matter for `cell`, with masks as wide as `accesses` (bits; None: as any that
        the machine has); `most_bits` as in `Pool`; with or without those from memory to memory."""
        setting = self.setting
        forms = [uses for uses in self.forms if copies or not is_copy(uses)]
        upper = any(map(takes_upper_part, forms))
        widths = accesses if accesses is not None else setting.widths
        pool = Pool(cell, setting.target, self.domain, widths, upper, most_bits)
        for uses in forms:
            for one in ground(uses, pool, self.readable, setting.scratch):
                key = (id(uses), *one.env.values(), *one.recipes.values())
                if key not in self._made:
                    self._made[key] = Instruction(one, self.stepper) if self._is_of_use(one) else None
                found = self._made[key]
                if found is not None:
                    yield found

    def _is_of_use(self, one: Ground) -> bool:
        return (
            self._can_reach(one)
            and not self._disturbs(one)
            and not self._goes_round(one)
            and (not self.addresses or keeps_apart(one, self.addresses, self.setting.target))
        )

    def _can_reach(self, one: Ground) -> bool:
        """Whether the memory places of an instruction may be in the cell at all."""
        footprint = self.footprint
        widths = [mem.width or 8 for mem in one.uses.mems]
        if any(width > 8 * footprint.size for width in widths):
            return False
        if not footprint.place.inside(one.form.within, footprint.size):
            return False
        if len(widths) != 1:
            return True
        align = self.setting.target.align.get(widths[0], 1)
        spots = range(footprint.size - widths[0] // 8 + 1)
        allowed = [spot for spot in spots if footprint.allows(spot, widths[0], one.form.bit, align)]
        if one.based:
            return bool(allowed)
        return self.stepper.offset(one, self.setting.layout.blank()) in allowed

    def _disturbs(self, one: Ground) -> bool:
        """Whether an instruction changes, other than by its access, the register whose memory the cell is."""
        layout = self.setting.layout
        registers = self.setting.target.registers
        wide = [name for name in self.footprint.place.mapped if registers[name].width > 1]
        return not one.uses.stores and bool(layout.unit_set(one.writes) & layout.unit_set(wide))

    def _goes_round(self, one: Ground) -> bool:
        """Whether an instruction reaches a register's memory by another way than rows made for that register: what
        those cost is known, and what the general ones cost there is not."""
        return bool(
            self.footprint.place.mapped
            and one.uses.mems
            and self._has_rows_of_its_own
            and not all(isinstance(mem.address, Num) for mem in one.uses.mems)
        )

    @cached_property
    def _has_rows_of_its_own(self) -> bool:
        address = self.footprint.place.address
        return address is not None and any(
            isinstance(mem.address, Num) and mem.address.value in range(address, address + self.footprint.size)
            for uses in self.setting.forms
            for mem in uses.mems
        )

    def bit_costs(self, objective: Objective) -> tuple[int, int, int]:
        """The least costs, in the objective's first measure, of a bit instruction on memory that names its place
        itself, of one that goes through a register, and of bringing part of an address to a register."""
        found = self._bit_costs.get(objective)
        if found is None:
            found = self._bit_costs[objective] = self._least_bit_costs(objective)
        return found

    def _least_bit_costs(self, objective: Objective) -> tuple[int, int, int]:
        vec = self.domain.shape.vec(0)
        parts = {
            name
            for name, part in self.setting.target.parts.items()
            if address_pieces(evaluate(part.is_, lambda _: vec, self.domain))
        }
        anywhere = self.footprint.place.address is not None

        def least(wanted: Callable[[FormUses], bool]) -> int:
            costs = (Cost(u.form.bytes, u.form.cycles).key(objective)[0] for u in self.forms if wanted(u))
            return min(costs, default=99)

        def brings(uses: FormUses) -> bool:
            named = (parts & {*operand.number.symbol} for operand, _ in uses.numbers.values())
            return not uses.mems and any(anywhere or part for part in named)

        return (
            least(lambda u: u.form.bit and u.stores and not u.based),
            least(lambda u: u.form.bit and u.stores and u.based),
            0 if self.incoming_known else least(brings),
        )

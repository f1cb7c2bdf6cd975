"""The cell: one update as the search sees it, with everything target- and device-specific already looked up.

A cell is a *footprint*, the effect wanted on each of its bytes, and how it may be accessed. A footprint is a
*place*, what kind of address it has and which operands can name it, and what may be done to each byte. Which
cells one solution serves says `shape`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import evolve, field, frozen

from bitsel.effect import Effect
from bitsel.selector.lanes import AddressShape, Lane, Old
from bitsel.target.devices import ByteFacts
from bitsel.target.expr import Name
from bitsel.target.facts import Number, Part, Ranges, Target
from bitsel.target.semantics import part_of

MOST_BYTES = 16
"""The largest cell for which addresses at every distance of use are told apart: no integer of C is larger."""


@frozen
class Place:
    """Where a cell lies.

    `address` is its byte address where that is a constant, else None; `within` are the inclusive byte addresses
    between which it lies in any case. `offset` is the constant displacement from what the register or symbol
    names (a pointer's, a symbol's, a stack slot's), in bytes; `align` the known alignment of the cell's first byte.
    `reach`, where set, is a range that a placement would put a symbol in: the operands that cover it may name it
    then. `any_range` lifts every operand's range. Both serve to say what would help, never to select. `mapped` are
    the registers and flags that this place is the memory of: there no other instruction may come between.
    `literal`: some row of the table has an address of the cell written into it, which only then is compared with
    the number. Otherwise a constant address is as symbolic as any: that a mask happens to be the same number must
    not make it one, for the sequence found serves cells at other addresses. `rounding`: constants that the table's
    parts of addresses add before they cut.
    """

    kind: Literal["absolute", "symbol", "pointer", "stack"]
    address: int | None
    within: tuple[int, int]
    offset: int = 0
    align: int = 1
    reach: tuple[int, int] | None = None
    any_range: bool = False
    mapped: frozenset[str] = frozenset()
    literal: bool = False
    rounding: tuple[int, ...] = ()

    def shape(self, address_bits: int) -> AddressShape:
        """Which lanes of the cell's address are the same wherever the cell lies."""
        size = (address_bits + 7) // 8
        low, high = self.within
        known = tuple((i, low >> 8 * i) for i in range(size) if low >> 8 * i == high >> 8 * i)
        # A register is of use within the largest displacement of the cell. Steps from one such value to another,
        # none longer than that, can be taken in an order that never goes further outside than one step.
        reach = 2 * abs(self.offset) + 3 * MOST_BYTES
        origin = self.address if self.literal else None
        return AddressShape(size, tuple((i, value & 255) for i, value in known), origin, reach, self.rounding)

    def accepts(self, number: Number, part: Part, offset: int, less: int = 0) -> bool:
        """Whether an operand of `number` can hold `part` of the address of byte `offset`, less a constant."""
        if self.any_range:
            return True
        if self.address is not None:
            return part_of(part, self.address + offset) - less in number.ranges
        if self.kind in ("pointer", "stack"):
            return False
        whole = part.is_ == Name("A")
        if self.reach is not None:
            return whole and number.ranges.covers(*self.reach)
        return part.name in number.symbol and (not whole or number.ranges.covers(*self.within))

    def inside(self, reach: Ranges | None, size: int) -> bool:
        """Whether all `size` bytes from here on are where an instruction's memory operand works; what a symbol or
        pointer names is taken to be."""
        if reach is None or self.address is None or self.any_range:
            return True
        return all(self.address + i in reach for i in range(size))


@frozen
class ByteRule:
    """What may be done to one byte of the cell, beyond the source's own access: see `devices.ByteFacts`."""

    widths: frozenset[int] | None = None
    bit: bool = True

    @classmethod
    def of(cls, byte: ByteFacts) -> ByteRule:
        """What the device's facts allow; a byte that no write changes is left alone."""
        return cls(byte.widths, byte.bit) if byte.writable else cls(frozenset(), False)


@frozen
class Footprint:
    """A cell apart from what is wanted of it: its place, and what may be done to each byte."""

    place: Place
    rules: tuple[ByteRule, ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.rules)

    @property
    def start(self) -> tuple[Lane, ...]:
        """What its bytes hold before the sequence."""
        return tuple(Old(i, 0xFF, 0) for i in range(self.size))

    def allows(self, offset: int, width: int, bit: bool, align: int) -> bool:
        """Whether an access of `width` bits at byte `offset` may be made; `align` (bytes) is what the machine asks.

        The source's own access is always allowed: what the source does is not ours to forbid. Only where the device
        knows of no access at all that works, none is.
        """
        count = width // 8
        if offset < 0 or offset + count > self.size:
            return False
        if align > 1 and (offset % align or self.place.align % align):
            return False
        for rule in self.rules[offset : offset + count]:
            if not rule.widths and rule.widths is not None:
                return False
            if bit and not rule.bit:
                return False
            if not bit and count == self.size:
                continue
            if not bit and rule.widths is not None and width not in rule.widths:
                return False
        return True


@frozen
class Cell:
    """`effect` is as wide as the cell. `access`:

    free       any number of accesses of any width
    once       exactly one read and one write, each as wide as the cell (volatile)
    single     exactly one instruction that reads and writes the whole cell (atomic)
    """

    effect: Effect
    place: Place
    access: Literal["free", "once", "single"]
    rules: tuple[ByteRule, ...]
    goal: tuple[Lane, ...] = field(init=False, eq=False)

    @goal.default
    def _lanes(self) -> tuple[Lane, ...]:
        return tuple(lane_of_effect(self.effect, i) for i in range(self.size))

    @property
    def size(self) -> int:
        """In bytes."""
        return self.effect.width // 8

    @property
    def footprint(self) -> Footprint:
        return Footprint(self.place, self.rules)

    def single_bits(self) -> Iterator[Cell]:
        """The cells in which one changed bit of this one changes alone, one per byte and kind of change."""
        seen = set()
        for change in self.effect.changes:
            kind = (change.bit // 8, change.op)
            if kind not in seen:
                seen.add(kind)
                yield evolve(self, effect=self.effect.restricted_to(1 << change.bit))


def mapped_at(target: Target, address: int | None, size: int) -> frozenset[str]:
    """The registers and flags that the bytes from `address` on are the memory of."""
    if address is None:
        return frozenset()
    spots = frozenset(range(address, address + size))
    return frozenset(name for name in target.mapped if not spots.isdisjoint(target.memory_of(name)))


def lane_of_effect(effect: Effect, byte: int) -> Lane:
    part = effect.byte(byte)
    return Old(byte, part.keep, part.flip) if part.keep else part.flip

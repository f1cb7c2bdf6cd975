"""The updates that a proof goes through: for one device, every kind of address its table can tell apart.

A place is an address as the source has it, with real addresses it may turn out to be: of constant addresses there
is one, of symbols, pointers and stack slots several, among them those at which a carry or a bank is crossed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal

from attrs import frozen

from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.target.devices import byte_facts
from bitsel.target.expand import forms
from bitsel.target.expr import Expr
from bitsel.target.facts import Device, Space, Target
from bitsel.target.semantics import IntDomain, evaluate
from bitsel.target.vocabulary import mentioned
from bitsel.verify.direct import direct_operands

SYMBOL = "w"
_MOST_BYTES = 4


@frozen
class Real:
    """A real address of a place's cell: where the symbol lies, what registers hold that lead there."""

    address: int
    symbols: Mapping[str, int]
    registers: Mapping[str, int]


@frozen
class Spot:
    """A place for updates of a size. `home`: one of the few where many effects of a byte are proved."""

    where: Address
    align: int
    reals: tuple[Real, ...]
    home: bool = False

    @property
    def text(self) -> str:
        where = self.where
        space = f" in space {where.space}" if where.space else ""
        if where.kind == "absolute":
            return f"{self.reals[0].address:#x}{space}"
        return f"{where.kind}{f'{where.offset:+d}' if where.offset else ''}{space}"


# --- effects ----------------------------------------------------------------------------------------------------


def byte_effects() -> Iterator[Effect]:
    """The effects of a byte that are proved at the home of each kind of address: each set, clear and toggle mask,
    and each constant."""
    for mask in range(1, 256):
        yield from (Effect.or_with(8, mask), Effect.and_with(8, ~mask), Effect.xor_with(8, mask))
    for value in range(1, 255):
        yield Effect.constant(8, value)


def mixed_effects() -> Iterator[Effect]:
    """Effects of a byte that mix set, clear and toggle: any two of them and all three, of one bit each, and all
    three of two bits each. What more bits change is masks alone."""
    for set_mask, clear_mask, toggle_mask in (
        (0x01, 0x02, 0x00),
        (0x01, 0x00, 0x80),
        (0x00, 0x02, 0x80),
        (0x01, 0x02, 0x80),
        (0x11, 0x22, 0x88),
    ):
        yield Effect(8, 0xFF & ~(set_mask | clear_mask), set_mask | toggle_mask)


def single_bits(width: int) -> Iterator[Effect]:
    for bit in range(width):
        mask = 1 << bit
        yield from (Effect.or_with(width, mask), Effect.and_with(width, ~mask), Effect.xor_with(width, mask))


# --- places -----------------------------------------------------------------------------------------------------


def spots(target: Target, device: Device, size: int) -> Iterator[Spot]:
    """Every place of `size` bytes that the table or the device can tell from another."""
    seen: list[Space] = []
    addresses: set[int] = set()
    for number, space in target.spaces.items():
        if space in seen:
            continue  # another number for the same memory
        seen.append(space)
        places = _Places(target, device, size, number, space)
        for spot in places.absolute():
            if spot.reals[0].address not in addresses:
                addresses.add(spot.reals[0].address)
                yield spot
        yield from places.relative()


@frozen
class _Places:
    """The places of `size` bytes in one address space."""

    target: Target
    device: Device
    size: int
    number: int
    space: Space

    def absolute(self) -> Iterator[Spot]:
        """Constant addresses: of every stretch between the ends of operands' ranges the last, and the first of
        every kind of byte that there is in it; for wider cells, whose bytes are of such kinds, fewer."""
        ends = {end for region in self.device.regions for end in (region.low, region.high + 1)}
        for low, high in pairwise(self._cuts()):
            last = high - self.size
            starts = (low, last, *ends, *self.device.registers, *self._mapped)
            found: dict[object, int] = {}
            for address in sorted({start for start in starts if low <= start <= last}):
                found.setdefault(self._kind(address), address)
            plain = next((address for address in found.values() if self._is_plain(address)), None)
            first = min(found.values(), default=low)
            wanted = {1: (*found.values(), last), 2: (first, plain, last)}.get(self.size, (plain or first,))
            for address in sorted({each for each in wanted if each is not None and low <= each <= last}):
                offset = address - self.space.add
                if 0 <= offset < 1 << self.space.bits:
                    align = min(address & -address, self.size) if address else self.size
                    where = Address("absolute", None, offset, self.number)
                    home = address == plain and self.number == 0
                    yield Spot(where, align, (Real(address, {}, {}),), home)

    def relative(self) -> Iterator[Spot]:
        """Symbols, pointers and stack slots: without a displacement, and with ones inside, at the end of and
        beyond what the operands hold."""
        stack = self.target.abi.stack if self.number == 0 else None
        inside, beyond = self._displacements()
        offsets = (0, 2, inside, beyond) if self.size < _MOST_BYTES else (0, beyond)
        yield from self._from("symbol", SYMBOL, None, offsets[:2])
        if self.space.pointer is not None:
            yield from self._from("pointer", "%p", self.space.pointer, (*offsets, -2))
        if stack is not None:
            yield from self._from("stack", "%s", stack, offsets)

    def _from(
        self, kind: Literal["symbol", "pointer", "stack"], name: str, base: Expr | None, offsets: tuple[int, ...]
    ) -> Iterator[Spot]:
        """Places `offsets` away from what `name` is: a symbol, or what the registers of `base` hold."""
        for offset in offsets:
            reals = []
            for address in self._objects(offset):
                origin = address - offset
                if base is None:
                    reals.append(Real(address, {name: origin}, {}))
                elif (registers := _leading_to(base, origin, self.target)) is not None:
                    reals.append(Real(address, {}, registers))
            if reals:
                home = offset == 0 and self.number == 0
                yield Spot(Address(kind, name, offset, self.number), self._align, tuple(reals), home)

    @property
    def _align(self) -> int:
        """What the widest access inside such a place needs."""
        return max((needed for width, needed in self.target.align.items() if width <= 8 * self.size), default=1)

    @property
    def _mapped(self) -> frozenset[int]:
        """The bytes that are the memory of registers or flags."""
        return frozenset(byte for name in self.target.mapped for byte in self.target.memory_of(name))

    def _cell(self, address: int) -> range:
        return range(address, address + self.size)

    def _kind(self, address: int) -> tuple[object, ...]:
        """What can decide about a cell there: what the device says of its bytes, alignment, mapped registers."""
        facts = [byte_facts(self.device, byte) for byte in self._cell(address)]
        widths = facts[0].widths if self.size == 1 else None
        all_bits, none_written = all(f.bit for f in facts), not any(f.writable for f in facts)
        reacts, in_area = any(f.reacts for f in facts), any(f.in_register_area for f in facts)
        mapped = not self._mapped.isdisjoint(self._cell(address))
        return widths, all_bits, none_written, reacts, in_area, mapped, address % self._align

    def _is_plain(self, address: int) -> bool:
        """Whether a cell there is memory that a program's objects may lie in."""
        facts = [byte_facts(self.device, byte) for byte in self._cell(address)]
        plain = all(f.widths is None and f.bit and f.writable and not f.registers for f in facts)
        return plain and self._mapped.isdisjoint(self._cell(address))

    def _cuts(self) -> list[int]:
        """Where an operand's range begins or ends, inside what the space holds: addresses between two are alike."""
        low, high = self.space.within
        cuts = {low, high + 1}
        for form in forms(self.target, self.device):
            for number, add in direct_operands(form):
                for first, last, _ in number.ranges.runs:
                    cuts.update(end + add for end in (first, last + 1) if low <= end + add <= high)
        return sorted(cuts)

    def _displacements(self) -> tuple[int, int]:
        """One a little below the end of the shortest range that starts at 0, and one just beyond it."""
        runs = [run for number in self.target.numbers.values() for run in number.ranges.runs]
        last = min((high for low, high, _ in runs if low == 0 and high >= 31), default=255) & ~1
        return last - _MOST_BYTES, last + 2

    def _objects(self, offset: int) -> Iterator[int]:
        """Addresses of cells in plain memory: at the ends of the space, and where adding `offset`, or the number
        of a byte, to the object's address carries from one byte of the address to the next."""
        low, high = self.space.within
        first, last = low + max(0, offset), high - self.size - max(0, -offset)
        carrying = (low + 0x80FF, 0x1FFFF, (last & ~0xFFF) - 0xF01)  # the last bytes of pages and of a bank
        found: list[int] = []
        for address in (first + self._align, *(base + offset for base in carrying), last):
            address -= address % self._align
            while first <= address <= last and not self._is_plain(address):
                address -= 0x100
            if first <= address <= last and address not in found:
                found.append(address)
        yield from found


def _leading_to(base: Expr, address: int, target: Target) -> dict[str, int] | None:
    """What the registers of `base` hold where it is `address`; None where one register cannot say it."""
    names = mentioned(base)
    if len(names) != 1:
        return None
    [name] = names
    register = target.registers[name]
    value = address - evaluate(base, lambda _: 0, IntDomain())
    if not 0 <= value < 1 << register.width or evaluate(base, lambda _: value, IntDomain()) != address:
        return None
    units = {}
    for unit in register.parts or (name,):
        width = target.registers[unit].width
        units[unit] = value & (1 << width) - 1
        value >>= width
    return units


# --- updates ----------------------------------------------------------------------------------------------------


def updates(target: Target, device: Device) -> Iterator[tuple[Spot, Idiom]]:
    """All updates that are proved on `device`, with the place of each."""
    for size in (1, 2, 4):
        for spot in spots(target, device, size):
            where, space = spot.where, spot.where.space
            # Hardly a machine has volatile accesses of four bytes, and to find out that there is none is dear.
            for volatile in (False, True) if size < _MOST_BYTES or spot.home else (False,):
                access = Access(8 * size, volatile, None, spot.align, space)
                yield from ((spot, Idiom(effect, access, where)) for effect in _effects(spot, size, volatile))
            access = Access(8 * size, False, "seq_cst", spot.align, space)
            yield from ((spot, Idiom(effect, access, where, atomic=True)) for effect in single_bits(8 * size))


def _effects(spot: Spot, size: int, volatile: bool) -> Iterator[Effect]:
    yield from single_bits(8 * size)
    if size == 1 and spot.home:
        yield from byte_effects()
        # The selector takes seconds for each of these: they are proved where the fewest instructions fit.
        if spot.where.kind == "symbol" and volatile:
            yield from mixed_effects()

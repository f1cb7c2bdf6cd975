"""The updates that a proof goes through: for one device, every kind of address its table can tell apart.

A place is an address as the source has it, with real addresses it may turn out to be: of constant addresses there
is one, of symbols, pointers and stack slots several, among them those at which a carry or a bank is crossed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from attrs import frozen

from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.target.devices import byte_facts
from bitsel.target.expand import forms
from bitsel.target.expr import Expr
from bitsel.target.facts import Device, NumberOperand, Space, Target
from bitsel.target.semantics import IntDomain, evaluate
from bitsel.target.vocabulary import memory_in, mentioned

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
    align = max((needed for width, needed in target.align.items() if width <= 8 * size), default=1)
    seen: list[Space] = []
    for number, space in target.spaces.items():
        if space in seen:
            continue  # another number for the same memory
        seen.append(space)
        yield from _absolute(target, device, number, space, size)
        yield from _relative(target, device, number, space, size, align)


def _absolute(target: Target, device: Device, number: int, space: Space, size: int) -> Iterator[Spot]:
    """Constant addresses: of every stretch between the ends of operands' ranges one per kind of byte that there is
    in it, and its last."""
    mapped = _mapped(target)
    ends = {end for region in device.regions for end in (region.low, region.high + 1)}
    for low, high in pairwise(_cuts(target, device, space)):
        seen, home, last = set(), True, high - size
        starts = {at for at in (low, last, *ends, *device.registers, *mapped) if low <= at <= last}
        for address in sorted(starts):
            cell = range(address, address + size)
            kind = (_telling(device, cell), address % size, not mapped.isdisjoint(cell), address == last)
            offset = address - space.add
            if kind not in seen and 0 <= offset < 1 << space.bits:
                seen.add(kind)
                plain = _is_plain(target, device, cell)
                align = min(address & -address, size) if address else size
                where = Address("absolute", None, offset, number)
                yield Spot(where, align, (Real(address, {}, {}),), home and plain)
                home = home and not plain


def _telling(device: Device, cell: range) -> frozenset[tuple[object, ...]]:
    """What the device says of the bytes of `cell` that can decide what may be done to them."""
    facts = [byte_facts(device, address) for address in cell]
    return frozenset((f.widths, f.bit, f.reacts, f.in_register_area, f.writable) for f in facts)


def _cuts(target: Target, device: Device, space: Space) -> list[int]:
    """Where an operand's range begins or ends, inside what the space holds: addresses between two are alike."""
    low, high = space.within
    cuts = {low, high + 1}
    for form in forms(target, device):
        for statement in form.does:
            for tree in (*statement.targets, *statement.values):
                for memory in memory_in(tree):
                    names = mentioned(memory.address)
                    operands = [form.operands.get(name) for name in names]
                    if len(operands) == 1 and isinstance(operands[0], NumberOperand):
                        [name] = names
                        for first, last, _ in operands[0].number.ranges.runs:
                            ends = (
                                evaluate(memory.address, {name: at}.__getitem__, IntDomain())
                                for at in (first, last + 1)
                            )
                            cuts.update(end for end in ends if low <= end <= high)
    return sorted(cuts)


def _relative(target: Target, device: Device, number: int, space: Space, size: int, align: int) -> Iterator[Spot]:
    """Symbols, pointers and stack slots: without a displacement, and with ones inside, at the end of and beyond
    what the operands hold."""
    for kind, base, offsets in (
        ("symbol", None, (0, 2)),
        ("pointer", space.pointer, (0, 2, *_displacements(target), -2)),
        ("stack", target.abi.stack if number == 0 else None, (0, 2, *_displacements(target))),
    ):
        if kind != "symbol" and base is None:
            continue
        for offset in offsets:
            reals = []
            for address in _objects(target, device, space, size, align, offset):
                registers = _leading_to(base, address - offset, target) if base is not None else {}
                symbols = {SYMBOL: address - offset} if base is None else {}
                if registers is not None:
                    reals.append(Real(address, symbols, registers))
            if reals:
                name = {"symbol": SYMBOL, "pointer": "%p", "stack": "%s"}[kind]
                where = Address(kind, name, offset, number)  # type: ignore[arg-type]
                yield Spot(where, align, tuple(reals), home=offset == 0)


def _displacements(target: Target) -> tuple[int, ...]:
    """The greatest even displacement of the shortest range that starts at 0, and the next beyond it."""
    highs = [run[1] for each in target.numbers.values() for run in each.ranges.runs if run[0] == 0 and run[1] >= 31]
    last = min(highs, default=255) & ~1
    return (last - _MOST_BYTES, last + 2)


def _objects(target: Target, device: Device, space: Space, size: int, align: int, offset: int) -> Iterator[int]:
    """Addresses of cells in plain memory: at the ends of the space, and where adding `offset`, or the number of a
    byte, to the object's address carries from one byte of the address to the next."""
    low, high = space.within
    first, last = low + max(0, offset), high - size - max(0, -offset)
    carrying = (low + 0x80FF, 0x1FFFF, (last & ~0xFFF) - 0xF01)  # the last bytes of pages and of a bank
    wanted = (first + align, *(base + offset for base in carrying), last)
    found = []
    for address in wanted:
        address -= address % align
        while first <= address <= last and not _is_plain(target, device, range(address, address + size)):
            address -= 0x100
        if first <= address <= last and address not in found:
            found.append(address)
    yield from found


def _is_plain(target: Target, device: Device, cell: range) -> bool:
    facts = [byte_facts(device, address) for address in cell]
    mapped = _mapped(target)
    return all(f.widths is None and f.bit and f.writable and not f.registers for f in facts) and not any(
        address in mapped for address in cell
    )


def _mapped(target: Target) -> frozenset[int]:
    """The bytes that are the memory of registers or flags."""
    return frozenset(
        first + i
        for name, (first, bit) in target.mapped.items()
        for i in range((bit + target.registers[name].width + 7) // 8)
    )


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
            for volatile in (False, True):
                access = Access(8 * size, volatile, None, spot.align, space)
                yield from ((spot, Idiom(effect, access, where)) for effect in _effects(spot, size, volatile))
            access = Access(8 * size, False, "seq_cst", spot.align, space)
            yield from ((spot, Idiom(effect, access, where, atomic=True)) for effect in single_bits(8 * size))


def _effects(spot: Spot, size: int, volatile: bool) -> Iterator[Effect]:
    yield from single_bits(8 * size)
    if size == 1 and spot.home:
        yield from byte_effects()
        # The selector takes seconds for each of these: they are proved where the fewest instructions fit.
        if spot.where.kind == "symbol" and spot.where.space == 0 and volatile:
            yield from mixed_effects()

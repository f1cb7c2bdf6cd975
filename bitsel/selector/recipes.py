"""How the numbers of a ground instruction were made from its cell, so that a solution found for one cell can be
filled in for another of the same shape.

>>> from bitsel.effect import Effect
>>> Mask(width=8, chunk=1, union=2, inverted=False).value(masks_of(Effect.or_with(16, 0x0400)))
4
"""

from __future__ import annotations

from typing import NamedTuple, Union

from bitsel.effect import Effect
from bitsel.target.facts import Number

Masks = tuple[int, int, int]
"""What a cell's effect clears, sets and toggles."""


def masks_of(effect: Effect) -> Masks:
    return (effect.clear_mask, effect.set_mask, effect.toggle_mask)


class Mask(NamedTuple):
    """A union of the cell's masks (1 clear, 2 set, 4 toggle) in bits [width*chunk, width*(chunk+1))."""

    width: int
    chunk: int
    union: int
    inverted: bool
    kind: str = "mask"

    def value(self, masks: Masks) -> int | None:
        mask = 0
        for i, part in enumerate(masks):
            if self.union >> i & 1:
                if not part:
                    return None  # the same as a smaller union
                mask |= part
        ones = (1 << self.width) - 1
        mask = mask >> self.width * self.chunk & ones
        if not mask:
            return None  # nothing changes so in this piece
        return mask ^ ones if self.inverted else mask


class BitNumber(NamedTuple):
    """The number in its byte of the `nth` bit that changes so (1 clear, 2 set, 4 toggle) in byte `byte`."""

    byte: int
    change: int
    nth: int
    kind: str = "bit"

    def value(self, masks: Masks) -> int | None:
        mask = masks[self.change.bit_length() - 1] >> 8 * self.byte & 255
        for _ in range(self.nth):
            mask &= mask - 1
        return (mask & -mask).bit_length() - 1 if mask else None


class AddressPart(NamedTuple):
    """`part` of the address of the cell's byte `offset`, less a constant of the row (an I/O base)."""

    part: str
    offset: int
    less: int
    kind: str = "part"


class Displacement(NamedTuple):
    """From what the base register holds to the cell's byte `byte`: from the cell's byte `origin`, or (None) from
    what an incoming pointer, symbol or slot names. `sign` -1 is the negative of that."""

    byte: int
    origin: int | None
    sign: int
    kind: str = "displacement"

    def value(self, place_offset: int) -> int:
        """`place_offset`: from what the pointer, symbol or slot names to the cell."""
        return self.sign * (self.byte - self.origin if self.origin is not None else self.byte + place_offset)


Recipe = Union[Mask, BitNumber, AddressPart, Displacement]


def number_of(
    recipe: Mask | BitNumber | Displacement, masks: Masks, place_offset: int, number: Number
) -> int | None:
    """What `recipe` makes of a cell with these masks at this offset from its pointer, as an operand of `number`
    takes it; None where it makes nothing that it takes."""
    match recipe:
        case Mask():
            return _fit(recipe.value(masks), recipe.width, number)
        case BitNumber():
            return _fit(recipe.value(masks), 8, number)
        case Displacement():
            return _fit(recipe.value(place_offset), 0, number)


def _fit(value: int | None, width: int, number: Number) -> int | None:
    """`value`, or the same bits as a negative number, whichever `number` takes."""
    if value is None or value in number.ranges:
        return value
    negative = value - (1 << width)
    return negative if width and negative in number.ranges else None

"""The bit effect: what a chain of and/or/xor with constants does to an old value.

Any such chain maps a `width`-bit old value x to ``(x & keep) ^ flip``, so per bit it does one of four
things: keep it (keep 1, flip 0), toggle it (1, 1), clear it (0, 0) or set it (0, 1). The form is closed
under composition and under and/or/xor of two effects on the same old value::

    >>> Effect.or_with(8, 0x10).then(Effect.and_with(8, ~0x01)).changes
    (BitChange(bit=0, op='clear'), BitChange(bit=4, op='set'))

Identities, per bit, with (k, f) for (keep, flip):

    (x & m)            = (x & m) ^ 0
    (x | m)            = (x & ~m) ^ m
    (x ^ m)            = (x & ~0) ^ m
    (k2, f2) . (k1, f1) = (k1 & k2, (f1 & k2) ^ f2)
"""

from __future__ import annotations

from typing import Literal

from bitsel.record import record

BitOp = Literal["set", "clear", "toggle"]


@record
class BitChange:
    """One changed bit: its number in the value (0 is the least significant) and what happens to it."""

    bit: int
    op: BitOp


@record(cache_hash=True)
class Effect:
    """The map x -> (x & keep) ^ flip on `width`-bit values; `keep` and `flip` lie in [0, 2**width)."""

    width: int
    keep: int
    flip: int

    @classmethod
    def identity(cls, width: int) -> Effect:
        return cls(width, (1 << width) - 1, 0)

    @classmethod
    def constant(cls, width: int, value: int) -> Effect:
        """The effect that forgets the old value: always `value` (taken modulo 2**width)."""
        return cls(width, 0, value & (1 << width) - 1)

    @classmethod
    def and_with(cls, width: int, mask: int) -> Effect:
        return cls(width, mask & (1 << width) - 1, 0)

    @classmethod
    def or_with(cls, width: int, mask: int) -> Effect:
        ones = (1 << width) - 1
        return cls(width, ~mask & ones, mask & ones)

    @classmethod
    def xor_with(cls, width: int, mask: int) -> Effect:
        ones = (1 << width) - 1
        return cls(width, ones, mask & ones)

    def __call__(self, old: int) -> int:
        return (old & self.keep) ^ self.flip

    def then(self, later: Effect) -> Effect:
        """This effect followed by `later` (of the same width)."""
        return Effect(self.width, self.keep & later.keep, (self.flip & later.keep) ^ later.flip)

    def xor(self, other: Effect) -> Effect:
        """x -> self(x) ^ other(x): old bits cancel where both keep them."""
        return Effect(self.width, self.keep ^ other.keep, self.flip ^ other.flip)

    def and_(self, other: Effect) -> Effect:
        """x -> self(x) & other(x)."""
        # The old bit survives where one side is it and the other side is 1 or the same.
        ones = (1 << self.width) - 1
        at0 = self.flip & other.flip
        at1 = ((self.keep ^ self.flip) & (other.keep ^ other.flip)) & ones
        return Effect(self.width, at0 ^ at1, at0)

    def or_(self, other: Effect) -> Effect:
        """x -> self(x) | other(x)."""
        at0 = self.flip | other.flip
        at1 = (self.keep ^ self.flip) | (other.keep ^ other.flip)
        return Effect(self.width, at0 ^ at1, at0)

    def truncated(self, width: int) -> Effect:
        """The effect on the low `width` bits (width <= self.width)."""
        ones = (1 << width) - 1
        return Effect(width, self.keep & ones, self.flip & ones)

    def zero_extended(self, width: int) -> Effect:
        """The same low bits in a wider value whose new bits are zero (width >= self.width)."""
        return Effect(width, self.keep, self.flip)

    def byte(self, index: int) -> Effect:
        """The effect on bits 8*index .. 8*index+7."""
        return Effect(8, self.keep >> 8 * index & 0xFF, self.flip >> 8 * index & 0xFF)

    @property
    def set_mask(self) -> int:
        return ~self.keep & self.flip & (1 << self.width) - 1

    @property
    def clear_mask(self) -> int:
        return ~self.keep & ~self.flip & (1 << self.width) - 1

    @property
    def toggle_mask(self) -> int:
        return self.keep & self.flip

    @property
    def changed_mask(self) -> int:
        return (~self.keep | self.flip) & (1 << self.width) - 1

    @property
    def is_noop(self) -> bool:
        return self.changed_mask == 0

    @property
    def is_single_bit(self) -> bool:
        return self.changed_mask.bit_count() == 1

    @property
    def changes(self) -> tuple[BitChange, ...]:
        """The changed bits in ascending order."""
        found = []
        rest = self.changed_mask
        while rest:
            low = rest & -rest
            op: BitOp = "toggle" if self.keep & low else "set" if self.flip & low else "clear"
            found.append(BitChange(low.bit_length() - 1, op))
            rest ^= low
        return tuple(found)

    def restricted_to(self, bits: int) -> Effect:
        """The effect that changes only the bits of the mask `bits`, and keeps the others."""
        ones = (1 << self.width) - 1
        return Effect(self.width, self.keep | ~bits & ones, self.flip & bits)

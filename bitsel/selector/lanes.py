"""Symbolic values for the search: integers cut into bytes, of which each is a constant, an effect of a byte of
the cell, a byte of the cell's address, a mix of bits, or unknown.

A *lane* is one such byte (a flag is a lane whose upper bits are 0):

    int                       a constant, 0..255
    Old(byte, keep, flip)     (old value of the cell's byte & keep) ^ flip, with keep != 0
    Addr(offset, place)       bits 8*place .. 8*place+7 of the byte address (cell + offset)
    Sign(offset, place)       255 where the top bit of that address byte is set, else 0
    Bits((b0, .., b7))        bit by bit: 0, 1, UNKNOWN_BIT, or the code of an old bit, plain or inverted
    UNKNOWN                   nothing known

A value is an exact integer where that is known (`int`), else a `Vec` of lanes, low to high, with what
stands above them. The domain answers exactly or says unknown, never wrongly.

An address may be put together of halves: its upper lanes rounded, ``A + 0x8000 >> 16 << 16``, and its lower ones
as a signed number, ``sext(A, 16)``. Where the lower half is negative, rounding has carried into the upper one, so
their sum is A.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Union

UNKNOWN_BIT = -1


class Old(NamedTuple):
    byte: int
    keep: int
    flip: int


class Addr(NamedTuple):
    offset: int
    place: int


class Sign(NamedTuple):
    offset: int
    place: int
    kind: str = "sign"  # tuples compare by content: it must not equal an Addr


class Bits(NamedTuple):
    bits: tuple[int, ...]


class Unknown(NamedTuple):
    tag: str = "?"


UNKNOWN = Unknown()
Lane = Union[int, Old, Addr, Sign, Bits, Unknown]


class Vec(NamedTuple):
    """Lanes low to high; `above` (0, 255, a Sign or UNKNOWN) stands in every lane beyond them."""

    lanes: tuple[Lane, ...]
    above: Lane = 0


Value = Union[int, Vec]


def old_bit(byte: int, bit: int, inverted: bool = False) -> int:
    """The code of a bit of the cell's old value: 2 and up; the low bit of the code says inverted."""
    return 2 + 2 * (8 * byte + bit) + inverted


def is_data(lane: Lane) -> bool:
    """Whether every bit of the lane is a constant or an old bit of the cell."""
    if isinstance(lane, Bits):
        return UNKNOWN_BIT not in lane.bits
    return isinstance(lane, (int, Old))


def is_of(lane: Lane, count: int) -> bool:
    """Whether the lane holds old bits, all of the cell's first `count` bytes."""
    if isinstance(lane, Old):
        return lane.byte < count
    if isinstance(lane, Bits):
        return all(code < 2 + 16 * count for code in lane.bits)
    return False


@lru_cache(maxsize=4096)
def bits_of(lane: Lane) -> tuple[int, ...]:
    """The eight bit codes of a lane."""
    if isinstance(lane, int):
        return tuple(lane >> i & 1 for i in range(8))
    if isinstance(lane, Old):
        byte, keep, flip = lane
        return tuple(old_bit(byte, i, bool(flip >> i & 1)) if keep >> i & 1 else flip >> i & 1 for i in range(8))
    if isinstance(lane, Bits):
        return lane.bits
    return (UNKNOWN_BIT,) * 8


def lane_of(bits: tuple[int, ...]) -> Lane:
    """The lane with these bits, in its simplest form."""
    keep = flip = 0
    byte = -1
    for i, code in enumerate(bits):
        if code < 0:
            # Constant bits among unknown ones are not worth telling apart: only old bits are.
            return Bits(bits) if any(b >= 2 for b in bits) else UNKNOWN
        if code < 2:
            flip |= code << i
            continue
        home, place = divmod(code - 2 >> 1, 8)
        if place != i or (byte >= 0 and home != byte):
            return Bits(bits)
        byte = home
        keep |= 1 << i
        flip |= (code & 1) << i
    return Old(byte, keep, flip) if keep else flip


def _and_bit(a: int, b: int) -> int:
    if a == 0 or b == 0:
        return 0
    if a == 1 or a == b:
        return b
    if b == 1:
        return a
    if a >= 2 and b >= 2 and a ^ b == 1:
        return 0
    return UNKNOWN_BIT


def _not_bit(a: int) -> int:
    return a if a < 0 else a ^ 1


def _xor_bit(a: int, b: int) -> int:
    if a < 0 or b < 0:
        return UNKNOWN_BIT
    if a < 2:
        return b ^ a
    if b < 2:
        return a ^ b
    return a ^ b if a ^ b < 2 else UNKNOWN_BIT


def _or_bit(a: int, b: int) -> int:
    return _not_bit(_and_bit(_not_bit(a), _not_bit(b)))


_BIT_OPS = {"&": _and_bit, "|": _or_bit, "^": _xor_bit}
_NEUTRAL = {"&": 255, "|": 0, "^": 0}
_memo: dict[tuple[str, Lane, Lane], Lane] = {}


def combine(op: str, a: Lane, b: Lane) -> Lane:
    """The lane ``a op b`` for one of ``& | ^``."""
    if isinstance(a, int) and isinstance(b, int):
        return a & b if op == "&" else a | b if op == "|" else a ^ b
    key = (op, a, b)
    found = _memo.get(key)
    if found is None:
        found = _memo[key] = _combine(op, a, b)
    return found


def _combine(op: str, a: Lane, b: Lane) -> Lane:
    if b == _NEUTRAL[op]:
        return a
    if a == _NEUTRAL[op]:
        return b
    if a == b and a is not UNKNOWN and not isinstance(a, Bits):
        return 0 if op == "^" else a
    function = _BIT_OPS[op]
    return lane_of(tuple(map(function, bits_of(a), bits_of(b))))


def invert(lane: Lane) -> Lane:
    return combine("^", lane, 255)


def to_vec(value: Value) -> Vec:
    """`value` as lanes; a negative integer has 255 above."""
    if isinstance(value, Vec):
        return value
    lanes = []
    while value not in (0, -1):
        lanes.append(value & 255)
        value >>= 8
    return Vec(tuple(lanes), value & 255)


def from_vec(vec: Vec) -> Value:
    """The integer that a Vec of constants is, else the Vec without lanes that repeat what is above."""
    lanes, above = vec
    if isinstance(above, int) and all(isinstance(lane, int) for lane in lanes):
        number = -1 if above else 0
        for lane in reversed(lanes):
            number = number << 8 | lane  # type: ignore[operator]
        return number
    return vec


class AddressShape(NamedTuple):
    """What is known of the cell's address: how many bytes an address has, and its constant upper lanes.

    `known` pairs a lane's place with its value where every address the cell may have shares it. `origin` is the
    address itself where it is a constant: what a row with a fixed address (a flag register) is compared with.
    Addresses further than `reach` bytes from the cell's are not known: else a search could step a pointer for ever.
    But those are that lie as near to a constant of `rounding`, which the parts of addresses add before they cut.
    """

    size: int
    known: tuple[tuple[int, int], ...]
    origin: int | None = None
    reach: int = 1 << 16
    rounding: tuple[int, ...] = ()

    def lane(self, offset: int, place: int) -> Lane:
        if place >= self.size:
            return 0
        if not self.is_near(offset):
            rounded = any(self.is_near(offset - constant) for constant in self.rounding)
            return Addr(offset, place) if rounded else UNKNOWN
        for known, value in self.known:
            if known == place:
                return value
        return Addr(offset, place)

    def is_near(self, offset: int) -> bool:
        return -self.reach <= offset <= self.reach

    def vec(self, offset: int) -> Vec:
        # What is far away may lie beyond the last address.
        return Vec(tuple(self.lane(offset, i) for i in range(self.size)), 0 if self.is_near(offset) else UNKNOWN)


class LaneDomain:
    """`Domain` over `Value`; `shape` tells which lanes make a whole address."""

    def __init__(self, shape: AddressShape) -> None:
        self.shape = shape

    def const(self, value: int) -> Value:
        return value

    def unspecified(self) -> Value:
        return Vec((), UNKNOWN)

    def low(self, value: Value, bits: int) -> Value:
        if isinstance(value, int):
            return value & (1 << bits) - 1
        lanes, above = value
        whole, rest = divmod(bits, 8)
        cut = [lanes[i] if i < len(lanes) else above for i in range(whole)]
        if rest:
            top = lanes[whole] if whole < len(lanes) else above
            cut.append(combine("&", top, (1 << rest) - 1))
        return from_vec(Vec(tuple(cut)))

    def unary(self, op: str, value: Value) -> Value:
        if isinstance(value, int):
            return ~value if op == "~" else -value
        if op == "-":
            return self.unspecified()
        return Vec(tuple(map(invert, value.lanes)), invert(value.above))

    def binary(self, op: str, left: Value, right: Value) -> Value:
        if op in ("<<", ">>") and isinstance(right, int) and right < 0:
            return self.unspecified()
        if isinstance(left, int) and isinstance(right, int):
            return _INT[op](left, right)
        if op in "&|^":
            return self._logic(op, to_vec(left), to_vec(right))
        if op in ("<<", ">>"):
            if not isinstance(right, int) or isinstance(left, int):
                return self.unspecified()
            return _shift(left, right if op == "<<" else -right)
        return self._sum(op, left, right)

    def _logic(self, op: str, a: Vec, b: Vec) -> Value:
        size = max(len(a.lanes), len(b.lanes))
        lanes = tuple(
            combine(
                op,
                a.lanes[i] if i < len(a.lanes) else a.above,
                b.lanes[i] if i < len(b.lanes) else b.above,
            )
            for i in range(size)
        )
        return from_vec(Vec(lanes, combine(op, a.above, b.above)))

    def _sum(self, op: str, left: Value, right: Value) -> Value:
        if op == "+" and isinstance(left, int):
            left, right = right, left
        if isinstance(left, int):
            return self.unspecified()
        if op == "+":
            # Where at most one summand is nonzero in every lane nothing carries: the sum is the union.
            other = to_vec(right)
            pairs = zip(_padded(left, len(other.lanes)), _padded(other, len(left.lanes)), strict=True)
            if left.above == 0 == other.above and all(a == 0 or b == 0 for a, b in pairs):
                return self._logic("|", left, other)
            if isinstance(right, Vec):
                return self._sum_of_halves(left, right) or self._sum_of_halves(right, left) or self.unspecified()
        if isinstance(right, int):
            moved = self.add_to_address(left, right if op == "+" else -right)
            if moved is not None:
                return moved
        return self.unspecified()

    def _sum_of_halves(self, upper: Vec, lower: Vec) -> Value | None:
        """The sum of an address's rounded upper lanes and its lower ones as a signed number; its upper end may have
        gone round. None where that is not what they are."""
        cut = len(lower.lanes)
        if not isinstance(lower.above, Sign) or lower.above.place != cut - 1:
            return None
        offset, size = lower.above.offset, self.shape.size
        half = 1 << 8 * cut - 1
        rounded = (0,) * cut + tuple(self.shape.lane(offset + half, i) for i in range(cut, size))
        if upper.lanes != rounded or lower.lanes != tuple(self.shape.lane(offset, i) for i in range(cut)):
            return None
        return Vec(self.shape.vec(offset).lanes, UNKNOWN)

    def add_to_address(self, value: Vec, distance: int) -> Value | None:
        """`value` + distance where value is the cell's address plus something, or its low lanes; else None.

        Of a sum whose upper lanes are cut off only the low lanes are known.
        """
        offset = self.offset(value)
        if offset is not None:
            return self.shape.vec(offset + distance)
        if value.lanes and value.above == 0:
            first = value.lanes[0]
            if isinstance(first, Addr) and value.lanes == tuple(
                self.shape.lane(first.offset, i) for i in range(len(value.lanes))
            ):
                moved = tuple(self.shape.lane(first.offset + distance, i) for i in range(len(value.lanes)))
                return Vec(moved, UNKNOWN)
        return None

    def offset(self, value: Value) -> int | None:
        """The n for which `value` is exactly the byte address cell + n, or None."""
        if isinstance(value, int):
            return value - self.shape.origin if self.shape.origin is not None else None
        if not value.lanes or value.above != 0:
            return None
        first = value.lanes[0]
        if not isinstance(first, Addr) or not self.shape.is_near(first.offset):
            return None
        size = max(len(value.lanes), self.shape.size)
        for i, lane in enumerate(_padded(value, size)):
            if lane != self.shape.lane(first.offset, i):
                return None
        return first.offset

    def compare(self, op: str, left: Value, right: Value) -> Value:
        if isinstance(left, int) and isinstance(right, int):
            return int((left == right) == (op == "=="))
        return Vec((Bits((UNKNOWN_BIT, 0, 0, 0, 0, 0, 0, 0)),))

    def sext(self, value: Value, bits: int) -> Value:
        if isinstance(value, int):
            value &= (1 << bits) - 1
            return value - (1 << bits) if value >> bits - 1 else value
        cut = self.low(value, bits)
        if isinstance(cut, int):
            return self.sext(cut, bits)
        top = _padded(cut, (bits + 7) // 8)[(bits - 1) // 8]
        if bits_of(top)[(bits - 1) % 8] == 0:
            return cut
        if bits % 8:
            return self.unspecified()
        above = Sign(top.offset, top.place) if isinstance(top, Addr) else UNKNOWN
        return Vec(_padded(cut, bits // 8)[: bits // 8], above)


_INT = {
    "&": int.__and__,
    "|": int.__or__,
    "^": int.__xor__,
    "<<": int.__lshift__,
    ">>": int.__rshift__,
    "+": int.__add__,
    "-": int.__sub__,
}


def _padded(vec: Vec, size: int) -> tuple[Lane, ...]:
    return vec.lanes + (vec.above,) * (size - len(vec.lanes))


def _shift(value: Vec, left: int) -> Value:
    """`value` << left; a negative count shifts right."""
    lanes, above = value
    if left % 8 == 0:
        if left >= 0:
            return from_vec(Vec((0,) * (left // 8) + lanes, above))
        return from_vec(Vec(lanes[-left // 8 :], above))
    bits = [bit for lane in lanes for bit in bits_of(lane)]
    top = bits_of(above)[0]
    if left > 0:
        bits = [0] * left + bits
    else:
        bits = bits[-left:]
    bits += [top] * (-len(bits) % 8)
    cut = tuple(lane_of(tuple(bits[i : i + 8])) for i in range(0, len(bits), 8))
    return from_vec(Vec(cut, above))

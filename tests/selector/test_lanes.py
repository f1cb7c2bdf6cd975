"""The symbolic domain against plain integers: whatever it says it knows is so, for every old value and address."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsel.selector.lanes import (
    UNKNOWN,
    UNKNOWN_BIT,
    Addr,
    AddressShape,
    Bits,
    Lane,
    LaneDomain,
    Old,
    Sign,
    Value,
    Vec,
    bits_of,
    combine,
    from_vec,
    invert,
    is_data,
    is_of,
    lane_of,
    old_bit,
    to_vec,
)
from bitsel.target.does import expression
from bitsel.target.expr import Binary, Compare, Expr, Name, Num, Sext, Unary
from bitsel.target.semantics import evaluate

SHAPE = AddressShape(size=3, known=((2, 0x0F),), reach=64)
DOMAIN = LaneDomain(SHAPE)

# What a name stands for: symbolically, and as a number for old bytes x, y, a noise byte n and the cell's address c.
LEAVES: dict[str, Value] = {
    "x": Vec((Old(0, 255, 0),)),
    "y": Vec((Old(1, 255, 0),)),
    "changed": Vec((Old(0, 0xF0, 0x3C),)),  # (x & 0xf0) ^ 0x3c
    "word": Vec((Old(0, 255, 0), Old(1, 255, 0))),
    "noise": Vec((UNKNOWN,)),
    "mixed": Vec((UNKNOWN, Old(1, 255, 0))),
    "cell": SHAPE.vec(0),
    "next": SHAPE.vec(3),
    "low": Vec((Addr(0, 0), Addr(0, 1))),
    "middle": Vec((Addr(2, 1),)),
    "far": SHAPE.vec(65),  # beyond the reach
}


def number(name: str, x: int, y: int, n: int, c: int) -> int:
    return {
        "x": x,
        "y": y,
        "changed": x & 0xF0 ^ 0x3C,
        "word": x | y << 8,
        "noise": n,
        "mixed": n | y << 8,
        "cell": c,
        "next": c + 3,
        "low": c & 0xFFFF,
        "middle": c + 2 >> 8 & 0xFF,
        "far": c + 65,
    }[name]


def exact(expr: Expr, values: Mapping[str, int]) -> int:
    """The expression on integers, by Python's own operators."""
    match expr:
        case Name(name):
            return values[name]
        case Num(value):
            return value
        case Unary(op, inner):
            return ~exact(inner, values) if op == "~" else -exact(inner, values)
        case Binary(op, left, right):
            a, b = exact(left, values), exact(right, values)
            return {
                "&": a & b,
                "|": a | b,
                "^": a ^ b,
                "+": a + b,
                "-": a - b,
                "<<": a << b if 0 <= b < 64 else 0,
                ">>": a >> b if 0 <= b < 64 else 0,
            }[op]
        case Compare(op, left, right):
            return int((exact(left, values) == exact(right, values)) == (op == "=="))
        case Sext(inner, bits):
            low = exact(inner, values) % (1 << bits)
            return low - (1 << bits) if low >> bits - 1 else low
    raise AssertionError(expr)


def known_bits(value: Value, x: int, y: int, c: int, count: int) -> list[int | None]:
    """The low `count` bits that `value` claims to know, None where it claims nothing."""
    vec = to_vec(value)
    found: list[int | None] = []
    for i in range((count + 7) // 8):
        lane = vec.lanes[i] if i < len(vec.lanes) else vec.above
        if isinstance(lane, Addr):
            byte = c + lane.offset >> 8 * lane.place & 255
            found += [byte >> bit & 1 for bit in range(8)]
            continue
        for code in bits_of(lane):
            if code == UNKNOWN_BIT:
                found.append(None)
            elif code < 2:
                found.append(code)
            else:
                home, bit = divmod(code - 2 >> 1, 8)
                found.append((x, y)[home] >> bit & 1 ^ code & 1)
    return found[:count]


def shifts(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.builds(Binary, st.sampled_from(["<<", ">>"]), inner, st.builds(Num, st.integers(0, 17)))


def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(Binary, st.sampled_from(["&", "|", "^", "+", "-"]), inner, inner),
        shifts(inner),
        st.builds(Unary, st.sampled_from(["~", "~", "-"]), inner),
        st.builds(Compare, st.sampled_from(["==", "!="]), inner, inner),
        st.builds(Sext, inner, st.sampled_from([1, 4, 8, 12, 16, 24])),
    )


numbers = st.one_of(st.integers(-4, 40), st.integers(0, 255), st.integers(-(1 << 16), 1 << 20))
expressions = st.recursive(
    st.one_of(st.builds(Name, st.sampled_from(sorted(LEAVES))), st.builds(Num, numbers)), grown, max_leaves=6
)
bytes_ = st.integers(0, 255)
# Away from the ends of the space, whose upper byte is taken as known.
addresses = st.integers(0xF0100, 0xFFE00)


@settings(max_examples=600, deadline=None)
@given(expressions, bytes_, bytes_, bytes_, addresses)
def test_every_bit_that_is_known_is_right(expr: Expr, x: int, y: int, n: int, c: int) -> None:
    symbolic = evaluate(expr, LEAVES.__getitem__, DOMAIN)
    value = exact(expr, {name: number(name, x, y, n, c) for name in LEAVES})
    if isinstance(symbolic, int):
        assert symbolic == value
    for bit, claimed in enumerate(known_bits(symbolic, x, y, c, 48)):
        assert claimed is None or claimed == value >> bit & 1, (bit, symbolic)


@settings(max_examples=300, deadline=None)
@given(expressions, st.integers(1, 40), bytes_, bytes_, bytes_, addresses)
def test_the_low_bits_of_a_value(expr: Expr, count: int, x: int, y: int, n: int, c: int) -> None:
    symbolic = DOMAIN.low(evaluate(expr, LEAVES.__getitem__, DOMAIN), count)
    value = exact(expr, {name: number(name, x, y, n, c) for name in LEAVES}) % (1 << count)
    for bit, claimed in enumerate(known_bits(symbolic, x, y, c, 48)):
        assert claimed is None or claimed == value >> bit & 1, (bit, symbolic)


@settings(max_examples=300, deadline=None)
@given(expressions, bytes_, bytes_, bytes_, addresses)
def test_what_counts_as_the_cells_address_is_the_cells_address(expr: Expr, x: int, y: int, n: int, c: int) -> None:
    offset = DOMAIN.offset(evaluate(expr, LEAVES.__getitem__, DOMAIN))
    if offset is not None:
        assert exact(expr, {name: number(name, x, y, n, c) for name in LEAVES}) == c + offset


# Each keeps, clears, sets and toggles two bits, so that together every pair of cases occurs.
FIRST, SECOND = (0b00001111, 0b00110011), (0b01010101, 0b01100110)


@pytest.mark.parametrize("op", ["&", "|", "^"])
def test_logic_of_two_effects_of_a_byte_is_exact(op: str) -> None:
    found = DOMAIN.binary(op, Vec((Old(0, *FIRST),)), Vec((Old(0, *SECOND),)))
    for x in range(256):
        left, right = (x & FIRST[0]) ^ FIRST[1], (x & SECOND[0]) ^ SECOND[1]
        want = left & right if op == "&" else left | right if op == "|" else left ^ right
        assert known_bits(found, x, 0, 0xF1000, 8) == [want >> i & 1 for i in range(8)]


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        ("x & 0xF0 ^ 0x3C", Vec((Old(0, 0xF0, 0x3C),))),
        ("x & ~(1 << 3)", Vec((Old(0, 0xF7, 0),))),
        ("x | 1 << 3", Vec((Old(0, 0xF7, 0x08),))),
        ("~x & 0xFF", Vec((Old(0, 0xFF, 0xFF),))),
        ("x ^ x", 0),
        ("x & 0", 0),
        ("noise & 0", 0),
        ("noise | ~0", -1),
        ("x & ~x", 0),
        ("word >> 8", Vec((Old(1, 255, 0),))),
        ("x << 8 | y", Vec((Old(1, 255, 0), Old(0, 255, 0)))),
        ("(x << 8) + y", Vec((Old(1, 255, 0), Old(0, 255, 0)))),
        ("cell + 1", Vec((Addr(1, 0), Addr(1, 1), 0x0F))),
        ("next - 3", Vec((Addr(0, 0), Addr(0, 1), 0x0F))),
        ("0xF0000 + low", Vec((Addr(0, 0), Addr(0, 1), 0x0F))),
        ("cell == 5", Vec((Bits((UNKNOWN_BIT, 0, 0, 0, 0, 0, 0, 0)),))),
        ("3 == 3", 1),
        ("sext(x & 0x7F, 8)", Vec((Old(0, 0x7F, 0),))),
    ],
)
def test_what_is_worked_out(expr: str, value: Value) -> None:
    found = evaluate(expression(expr), LEAVES.__getitem__, DOMAIN)
    assert from_vec(to_vec(found)) == value


def test_bits_out_of_place_are_followed() -> None:
    shifted = DOMAIN.binary(">>", LEAVES["x"], 3)
    b = old_bit
    assert shifted == Vec((Bits((b(0, 3), b(0, 4), b(0, 5), b(0, 6), b(0, 7), 0, 0, 0)),))
    back = DOMAIN.binary("<<", shifted, 3)
    assert isinstance(back, Vec)
    assert back.lanes[0] == Old(0, 0xF8, 0)


def test_an_address_is_the_cells_only_when_it_is_whole() -> None:
    low = LEAVES["low"]
    assert DOMAIN.offset(SHAPE.vec(7)) == 7
    assert DOMAIN.offset(SHAPE.vec(-64)) == -64
    assert DOMAIN.offset(SHAPE.vec(65)) is None  # out of reach
    assert DOMAIN.offset(low) is None  # the upper byte is missing
    assert DOMAIN.offset(Vec((Addr(0, 0), Addr(1, 1), 0x0F))) is None  # bytes of two addresses
    assert DOMAIN.offset(Vec((Addr(0, 1), Addr(0, 0), 0x0F))) is None  # swapped
    assert DOMAIN.offset(Vec((Addr(0, 0), Addr(0, 1), 0x0E))) is None  # another segment
    assert DOMAIN.offset(Vec((Addr(0, 0), Addr(0, 1), 0x0F), UNKNOWN)) is None  # something above
    assert DOMAIN.offset(0xF1234) is None  # a number is no symbol's address


HALVES = AddressShape(size=4, known=(), reach=64, rounding=(0x8000, 0x80))
HALF_LEAVES: dict[str, Value] = {
    "A": HALVES.vec(0),
    "B": HALVES.vec(3),
    "upper": Vec((0, 0, Addr(0x8000, 2), Addr(0x8000, 3))),
    "lower": Vec((Addr(0, 0), Addr(0, 1)), Sign(0, 1)),
    "last": Vec((Addr(0, 0),), Sign(0, 0)),
    "x": Vec((Old(0, 255, 0),)),
}
HALF_EXPRESSIONS = st.recursive(
    st.one_of(
        st.builds(Name, st.sampled_from(sorted(HALF_LEAVES))),
        st.builds(Num, st.sampled_from([0x80, 0x8000, -0x8000, 0xFF, 0xFFFF, 0xFFFF0000, 1, 16])),
    ),
    grown,
    max_leaves=6,
)
EDGES = st.sampled_from([0x100, 0x7FFF, 0x8000, 0x12348765, 0x1234FFFF, 0xFFFF7FFF, 0xFFFF8000, 0xFFFFFF00])


@settings(max_examples=600, deadline=None)
@given(HALF_EXPRESSIONS, bytes_, st.one_of(EDGES, st.integers(0x100, 0xFFFFFF00)))
def test_what_is_known_of_halves_is_right(expr: Expr, x: int, c: int) -> None:
    domain = LaneDomain(HALVES)
    symbolic = evaluate(expr, HALF_LEAVES.__getitem__, domain)
    lower, last = exact(Sext(Num(c), 16), {}), exact(Sext(Num(c), 8), {})
    numbers = {"A": c, "B": c + 3, "upper": c + 0x8000 & 0xFFFF0000, "lower": lower, "last": last, "x": x}
    value = exact(expr, numbers)
    for bit, claimed in enumerate(known_bits(symbolic, x, 0, c, 48)):
        assert claimed is None or claimed == value >> bit & 1, (bit, symbolic)
    offset = domain.offset(symbolic)
    assert offset is None or value == c + offset


@pytest.mark.parametrize(
    ("expr", "offset"),
    [
        ("upper + lower", 0),
        ("lower + upper", 0),
        ("(A + 0x8000 >> 16 << 16) + sext(A, 16)", 0),
        ("(B + 0x8000 >> 16 << 16) + sext(B, 16)", 3),
        ("(A + 0x80 >> 8 << 8) + sext(A, 8)", 0),
        ("(A >> 16 << 16) + sext(A, 16)", None),  # not rounded
        ("upper + (A & 0xffff)", None),  # rounded, though nothing is taken back
        ("(A + 0x80 >> 16 << 16) + sext(A, 16)", None),  # rounded elsewhere
        ("(B + 0x8000 >> 16 << 16) + sext(A, 16)", None),  # halves of two addresses
        ("(A + 0x8000 >> 16 << 16) + sext(A >> 8, 8)", None),
        ("(A + 0x8000 >> 16 << 16) + sext(A, 8)", None),
        ("A + 0x8000", None),
    ],
)
def test_halves_make_an_address(expr: str, offset: int | None) -> None:
    """Modulo 2**32, where the machine's addresses go round."""
    domain = LaneDomain(HALVES)
    found = evaluate(expression(expr), HALF_LEAVES.__getitem__, domain)
    assert domain.offset(domain.low(found, 32)) == offset
    assert domain.offset(found) is None  # beyond the last address it may be another number


def test_a_sign_is_not_the_byte_it_is_of() -> None:
    assert Sign(0, 1) != Addr(0, 1)
    assert combine("^", Sign(0, 1), Addr(0, 1)) == UNKNOWN


def test_a_number_is_the_cells_address_only_where_that_is_known() -> None:
    fixed = LaneDomain(AddressShape(3, (), origin=0xFFFFA))
    assert fixed.offset(0xFFFFB) == 1
    assert fixed.offset(0xFFFF9) == -1


def test_of_an_address_out_of_reach_nothing_is_known() -> None:
    """Not even what all addresses of the cell share: so far away another segment may begin, or none be."""
    assert DOMAIN.binary("-", SHAPE.vec(0), 65) == Vec((UNKNOWN, UNKNOWN, UNKNOWN), UNKNOWN)


def test_of_a_cut_address_that_is_moved_only_the_low_bytes_are_known() -> None:
    moved = DOMAIN.binary("+", LEAVES["low"], 2)
    assert moved == Vec((Addr(2, 0), Addr(2, 1)), UNKNOWN)
    assert DOMAIN.low(moved, 16) == Vec((Addr(2, 0), Addr(2, 1)))
    assert DOMAIN.binary("+", LEAVES["middle"], 1) == Vec((), UNKNOWN)  # a carry from below may come in


@pytest.mark.parametrize(
    ("bits", "lane"),
    [
        ((1, 0, 1, 0, 0, 0, 0, 1), 0x85),
        (tuple(old_bit(0, i) for i in range(8)), Old(0, 255, 0)),
        (tuple(old_bit(1, i, True) for i in range(8)), Old(1, 255, 255)),
        ((1, *(old_bit(0, i) for i in range(1, 8))), Old(0, 0xFE, 0x01)),
        ((old_bit(0, 1), 0, 0, 0, 0, 0, 0, 0), Bits((old_bit(0, 1), 0, 0, 0, 0, 0, 0, 0))),
        (
            (old_bit(0, 0), old_bit(1, 1), 0, 0, 0, 0, 0, 0),
            Bits((old_bit(0, 0), old_bit(1, 1), 0, 0, 0, 0, 0, 0)),
        ),
        ((UNKNOWN_BIT,) * 8, UNKNOWN),
    ],
)
def test_the_simplest_form_of_a_byte(bits: tuple[int, ...], lane: Lane) -> None:
    assert lane_of(bits) == lane


def test_which_bytes_are_data() -> None:
    mixed = Bits((old_bit(0, 0), UNKNOWN_BIT, 0, 0, 0, 0, 0, 0))
    assert is_data(7)
    assert is_data(Old(0, 1, 0))
    assert is_data(Bits((old_bit(0, 1), 0, 0, 0, 0, 0, 0, 0)))
    assert not is_data(mixed)
    assert not is_data(UNKNOWN)
    assert not is_data(Addr(0, 0))
    assert is_of(Old(0, 255, 0), 1)
    assert not is_of(Old(1, 255, 0), 1)
    assert not is_of(5, 1)


def test_unknown_bits_are_never_taken_for_equal() -> None:
    half = Bits((old_bit(0, 0), UNKNOWN_BIT, 0, 0, 0, 0, 0, 0))
    assert combine("^", UNKNOWN, UNKNOWN) == UNKNOWN
    assert bits_of(combine("^", half, half))[1] == UNKNOWN_BIT
    assert bits_of(combine("&", half, invert(half)))[1] == UNKNOWN_BIT


@pytest.mark.parametrize("value", [0, 1, 255, 256, 0x12345, -1, -2, -256, -70000])
def test_an_integer_is_its_lanes(value: int) -> None:
    assert from_vec(to_vec(value)) == value

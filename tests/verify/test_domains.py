"""The domains of a proof against plain integers: every operator, in every case there is of small values."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from bitsel.target.does import expression
from bitsel.target.expr import Expr
from bitsel.target.semantics import IntDomain, evaluate
from bitsel.verify.domains import NotProvable, Tables, Terms

EXPRESSIONS = [
    *("x & 0x5a", "x | 0x5a", "x ^ 0x5a", "~x", "-x", "x + 200", "x - 200", "200 - x", "x + x", "x - x"),
    *("x << 3", "x << 0", "x >> 3", "x >> 9", "~x >> 2", "-x >> 9", "(x - 100) >> 1", "(x << 5) >> 2"),
    *("x == 0x41", "x != 0x41", "(x & 1) == 1", "sext(x, 8)", "sext(x, 4)", "sext(x, 12)", "sext(~x, 3)"),
    *("(x + 1 >> 8) ^ x", "~(x | 0xf0) & 0x1ff", "(sext(x, 8) + 3) & 0xffff", "x & -2", "x | -256", "x ^ -1"),
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_tables_agree_with_integers_for_every_byte(text: str) -> None:
    tree = expression(text)
    tables = Tables()
    found = evaluate(tree, lambda name: tables.old(0), tables)
    for value in range(256):
        expected = evaluate(tree, lambda name, value=value: value, IntDomain())
        for lane in (value, value + 256):
            assert number(found, lane) == expected, (text, value)


def number(value: int | tuple[int, ...], lane: int) -> int:
    """What a value of `Tables` is in one lane."""
    if isinstance(value, int):
        return value
    bits = [table >> lane & 1 for table in value]
    return sum(bit << i for i, bit in enumerate(bits[:-1])) - (bits[-1] << len(bits) - 1)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_terms_agree_with_integers(text: str) -> None:
    import z3

    tree: Expr = expression(text)
    terms = Terms()
    variable = terms.old(0)
    found = evaluate(tree, lambda name: variable, terms)
    for value in (0, 1, 2, 0x41, 0x7F, 0x80, 0xC8, 0xFF):
        expected = evaluate(tree, lambda name, value=value: value, IntDomain())
        put_in = (
            z3.substitute(found, (z3.BitVec("old0", 8), z3.BitVecVal(value, 8)))
            if not isinstance(found, int)
            else found
        )
        simplified = put_in if isinstance(put_in, int) else z3.simplify(put_in).as_signed_long()
        assert simplified == expected, (text, value)


@pytest.fixture(params=[Tables, Terms])
def domain(request: pytest.FixtureRequest) -> Any:
    return request.param()


def test_same_means_in_every_case(domain: Any) -> None:
    x = domain.old(0)
    assert domain.same(domain.binary("^", x, x), 0)
    assert domain.same(domain.binary("&", domain.binary("|", x, 0x10), 0x10), 0x10)
    assert not domain.same(domain.binary("|", x, 0x10), x)
    assert not domain.same(domain.binary("&", x, 0xFE), x)
    assert not domain.same(x, domain.binary("-", x, 256))  # equal in the low byte, not as numbers
    assert domain.same(domain.low(domain.binary("-", x, 256), 8), x)
    assert domain.same(7, 7)
    assert not domain.same(7, 8)


def test_a_filling_is_like_no_other_and_nothing_of_it_is_known(domain: Any) -> None:
    one, other = domain.filling(8), domain.filling(8)
    assert not domain.same(one, other)
    assert not domain.same(one, 0)
    assert not domain.same(one, domain.old(0))
    assert not domain.same(domain.unspecified(), domain.unspecified())
    assert domain.known(one) is None
    assert domain.known(domain.const(3)) == 3


def test_a_flag_of_a_filling_differs_between_lanes() -> None:
    """One bit that nothing is known of must not look like a constant, nor like a bit of the old value."""
    tables = Tables()
    flag = tables.filling(1)
    assert not tables.same(flag, 0)
    assert not tables.same(flag, 1)
    for bit in range(8):
        assert not tables.same(flag, tables.binary("&", tables.binary(">>", tables.old(0), bit), 1))


def test_what_cannot_be_followed_is_said(domain: Any) -> None:
    x = domain.old(0)
    for left, right in ((1, x), (x, x)):
        with pytest.raises(NotProvable, match="not known"):
            domain.binary("<<", left, right)
    with pytest.raises(NotProvable, match="a shift by -1"):
        domain.binary(">>", x, -1)


def test_tables_hold_one_byte_only() -> None:
    with pytest.raises(NotProvable, match="wider than a byte"):
        Tables().old(1)


@pytest.mark.parametrize("op", ["&", "|", "^", "+", "-"])
def test_two_unknown_values_together(op: str) -> None:
    """In tables, of bits taken from one byte in every way."""
    tables = Tables()
    rng = random.Random(op)
    tree = expression(f"(x >> 4) {op} (x & 15)")
    found = evaluate(tree, lambda name: tables.old(0), tables)
    for high, low in product(range(16), range(16)):
        value = high << 4 | low
        expected = evaluate(tree, lambda name, value=value: value, IntDomain())
        assert number(found, value + rng.choice((0, 256))) == expected

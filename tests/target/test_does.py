"""The `does` language: what its texts mean, and where its errors point."""

from __future__ import annotations

import pytest

from bitsel.target.does import OP, DoesError, PutIn, expression, meaning, put_in, show, statements
from bitsel.target.expr import Assign, Binary, Compare, Mem, Name, Num, Sext, Unary, Unspecified

V, A, X, Z, BIT = Name("v"), Name("a"), Name("x"), Name("z"), Name("bit")


def test_an_augmented_assignment_is_written_out() -> None:
    assert statements("v |= 1 << bit") == (Assign((V,), (Binary("|", V, Binary("<<", Num(1), BIT)),)),)


@pytest.mark.parametrize("op", ["&", "|", "^", "<<", ">>", "+", "-"])
def test_every_operator_assigns_too(op: str) -> None:
    assert statements(f"a {op}= x") == (Assign((A,), (Binary(op, A, X),)),)  # type: ignore[arg-type]


def test_tuples_assign_at_once() -> None:
    assert statements("a, x = x, a") == (Assign((A, X), (X, A)),)


def test_statements_run_in_order() -> None:
    assert statements("a = x; z = a == 0") == (
        Assign((A,), (X,)),
        Assign((Z,), (Compare("==", A, Num(0)),)),
    )


def test_precedence_is_pythons() -> None:
    """A comparison is looser than &, a shift tighter than &, + and - tighter than a shift, ~ tightest."""
    assert expression("a & x == 0") == Compare("==", Binary("&", A, X), Num(0))
    assert expression("~a >> 8 - x & 1") == Binary("&", Binary(">>", Unary("~", A), Binary("-", Num(8), X)), Num(1))


@pytest.mark.parametrize(("text", "width"), [("m[a]", None), ("m8[a]", 8), ("m16[a]", 16), ("m32[a]", 32)])
def test_memory_has_the_rows_width_or_its_own(text: str, width: int | None) -> None:
    assert expression(text) == Mem(width, A)


def test_sext_any_and_put_in() -> None:
    assert expression("sext(m8[a], 8)") == Sext(Mem(8, A), 8)
    assert expression("any") == Unspecified()
    assert statements("{op}; a = {op}") == (PutIn(), Assign((A,), (OP,)))


def test_a_meaning_is_statements_or_an_expression() -> None:
    assert meaning("v | x") == Binary("|", V, X)
    assert meaning("v = x") == (Assign((V,), (X,)),)


def test_statements_are_put_in_where_a_statement_stands() -> None:
    row = statements("{op}; z = a == 0")
    assert put_in(row, meaning("a = x")) == statements("a = x; z = a == 0")


def test_an_expression_is_put_in_where_an_expression_stands() -> None:
    assert put_in(statements("v, x = {op}, v"), meaning("v | x")) == (Assign((V, X), (Binary("|", V, X), V)),)


def test_an_expression_cannot_stand_for_a_statement() -> None:
    with pytest.raises(DoesError, match="its meaning is an expression"):
        put_in(statements("{op}"), meaning("v | x"))


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        ("v = ", "cannot be read: invalid syntax", 3),
        ("v = f(x)", "'f(x)' is not in the language of 'does'", 4),
        ("v = 1; w = x if a else b", "'x if a else b' is not in the language of 'does'", 11),
        ("  v = x * 2", "'x * 2' is not in the language of 'does'", 6),
        ("v = x.y", "'x.y' is not in the language of 'does'", 4),
        ("v = 'é'; w = x / 2", "\"'é'\" is not in the language of 'does'", 4),
        ("é = 1; w = x / 2", "'x / 2' is not in the language of 'does'", 11),
        ("v = 1.5", "'1.5' is not in the language of 'does'", 4),
        ("v = True", "'True' is not in the language of 'does'", 4),
        ("v = a < b", "'a < b' is not in the language of 'does'", 4),
        ("v = a == b == c", "'a == b == c' is not in the language of 'does'", 4),
        ("v = m24[a]", "'m24[a]' is not in the language of 'does'", 4),
        ("v = sext(a, n)", "'sext(a, n)' is not in the language of 'does'", 4),
        ("v = sext(a, 0)", "'sext(a, 0)' is not in the language of 'does'", 4),
        ("v = m", "'m' is not in the language of 'does'", 4),
        ("import os", "expected an assignment such as 'd = s' or 'd |= s'", 0),
        ("a = b = c", "expected an assignment such as 'd = s' or 'd |= s'", 0),
        ("a *= 2", "expected an assignment such as 'd = s' or 'd |= s'", 0),
        ("a == 2", "expected an assignment such as 'd = s' or 'd |= s'", 0),
        ("a, b = c, d, e", "2 places, but 3 values", 0),
        ("1 = a", "cannot be read: cannot assign to literal", 0),
        ("v = x; any = 1", "only a register, an operand or memory can be assigned", 7),
        ("v = 1 << 65", "a shift by more than 64", 9),
        ("v >>= 65", "a shift by more than 64", 6),
        ("v = 0x10000000000000001", "a number beyond 64 bits", 4),
        ("a = \0", "cannot be read", 0),
        ("a = " + "~" * 61 + "x", "nested deeper than 60", 64),
        ("a = " + "x+" * 1100 + "x", "longer than 2000 characters", None),
    ],
)
def test_what_is_not_in_the_language(text: str, message: str, offset: int | None) -> None:
    with pytest.raises(DoesError) as caught:
        statements(text)
    assert caught.value.message.startswith(message)
    assert caught.value.offset == offset


def test_what_pythons_own_parser_gives_up_on() -> None:
    with pytest.raises(DoesError, match="cannot be read"):
        statements("a = " + "(" * 250 + "x" + ")" * 250)


@pytest.mark.parametrize("text", ["a = b", "a; b", ""])
def test_an_expression_is_one_expression(text: str) -> None:
    with pytest.raises(DoesError, match="expected one expression"):
        expression(text)


@pytest.mark.parametrize(
    "text",
    [
        "v = v | (1 << bit)",
        "cy = (ax + i) >> 16",
        "z = ~m8[p + d] >> bit",
        "a, m8[p] = m8[p], a",
        "d = sext(m8[p + i], 8)",
        "a = b - (c - d)",
        "a = b - c - d",
        "a = (b == c) | d",
        "a = any",
        "a = -(b + c)",
    ],
)
def test_what_is_shown_reads_back_as_itself(text: str) -> None:
    (statement,) = statements(text)
    assert isinstance(statement, Assign)
    assert show(statement) == text

"""Expressions as GNU as reads them."""

from __future__ import annotations

import pytest

from bitsel.frontends.gas.expression import UNKNOWN, Address, ExpressionError, Value, evaluate, modifiers
from bitsel.plugins import Plugins

PARTS = modifiers(Plugins(()).target("avr").parts)
SYMBOLS: dict[str, Value] = {"PORTB": 0x25, "alias": Address("flags", 2), "odd": UNKNOWN}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("PORTB-0x20", 5),
        ("lo8(1<<2)", 4),
        ("lo8(-9)", 247),
        ("hi8(0x1234)", 0x12),
        ("x+1", Address("x", 1)),
        ("2+x", Address("x", 2)),
        ("lo8(x+1)", Address("x", 1, "lo8")),
        ("alias+1", Address("flags", 3)),
        ("lo8(-(x))", UNKNOWN),
        ("a-b", UNKNOWN),
        ("gs(x)", UNKNOWN),
        ("odd+1", UNKNOWN),
        ("010", 8),
        ("0b101", 5),
        ("1+2*3", 7),
        ("1|2+4", 7),  # GNU as: the bit operations bind tighter than the sums
        ("6-1|2", 3),
        ("~5", -6),
        (".+4", Address(".", 4)),
        ("1b", Address("1b")),
    ],
)
def test_values(text: str, value: Value) -> None:
    assert evaluate(text, SYMBOLS, PARTS) == value


@pytest.mark.parametrize("text", ["", "1+", "(1", "1 2", ")", "#1", "[hl]", "(" * 500])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, SYMBOLS, PARTS)

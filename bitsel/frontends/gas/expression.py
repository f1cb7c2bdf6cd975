"""Operands' expressions: numbers, symbols with a constant distance, and parts of either, as GNU as reads them.

>>> evaluate("(PORTB-0x20)", {"PORTB": 0x25})
5
>>> evaluate("lo8(x+1)", {})
Address(symbol='x', offset=1, part='lo8')

What the assembler or linker alone can tell (a difference of labels, a modifier unknown here) is `UNKNOWN`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Union

from attrs import frozen

from bitsel.target.facts import Part
from bitsel.target.semantics import IntDomain, part_of


@frozen
class Address:
    """The address of `symbol` plus `offset`, or a part of it, named as in `[part]`."""

    symbol: str
    offset: int = 0
    part: str | None = None


class Unknown:
    """A number that only the assembler or the linker knows."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
_INTEGERS: Final = IntDomain()
Value = Union[int, Address, Unknown]

_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+(?![\w$.]))|([%]?[A-Za-z_.][\w.$]*|[0-9]+[bf](?![\w$.]))"
    r"|'(\\.|[^\\])'?|(<<|>>|[-+~!*/%&|^()]))"
)
_LEVELS = ({"*", "/", "%", "<<", ">>"}, {"|", "&", "^", "!"}, {"+", "-"})  # gas: binding tightest first


class ExpressionError(ValueError):
    """A text that is no expression."""


def evaluate(text: str, symbols: Mapping[str, Value], parts: Mapping[str, Part] | None = None) -> Value:
    """The value of `text`; `symbols` are those assigned a value. Raises `ExpressionError`."""
    reader = _Reader(text, symbols, parts or {})
    value = reader.level(len(_LEVELS))
    if reader.token is not None:
        raise ExpressionError(f"{text!r} is no expression")
    return value


def modifiers(parts: Mapping[str, Part]) -> dict[str, Part]:
    """The parts that are written as a function of the address, by that function's name in lower case."""
    return {part.text.removesuffix("({})").lower(): part for part in parts.values() if part.text.endswith("({})")}


class _Reader:
    """Recursive descent over one text."""

    def __init__(self, text: str, symbols: Mapping[str, Value], parts: Mapping[str, Part]) -> None:
        self.text = text
        self.symbols = symbols
        self.parts = parts
        self.at = 0
        self.depth = 0
        self.token: tuple[str, str] | None = None
        self.advance()

    def advance(self) -> None:
        if not self.text[self.at :].strip():
            self.token = None
            return
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            raise ExpressionError(f"{self.text!r} is no expression")
        self.at = found.end()
        kinds = ("number", "name", "character", "operator")
        self.token = next((k, g) for k, g in zip(kinds, found.groups(), strict=True) if g is not None)

    def level(self, level: int) -> Value:
        if level == 0:
            return self.unary()
        value = self.level(level - 1)
        while self.token is not None and self.token[0] == "operator" and self.token[1] in _LEVELS[level - 1]:
            operator = self.token[1]
            self.advance()
            value = _binary(operator, value, self.level(level - 1))
        return value

    def unary(self) -> Value:
        if self.token is None:
            raise ExpressionError(f"{self.text!r} is no expression")
        kind, word = self.token
        self.advance()
        if kind == "number":
            return int(word, 0) if not word.isdigit() else int(word, 8 if word[0] == "0" and len(word) > 1 else 10)
        if kind == "character":
            return UNKNOWN if word.startswith("\\") else ord(word)
        if kind == "operator":
            return self.operator(word)
        if self.token == ("operator", "("):
            return self.modifier(word)
        known = self.symbols.get(word)
        return Address(word) if known is None else known

    def operator(self, word: str) -> Value:
        self.depth += 1
        if self.depth > 100:
            raise ExpressionError(f"{self.text!r} is nested too deeply")
        if word == "(":
            value = self.level(len(_LEVELS))
            if self.token != ("operator", ")"):
                raise ExpressionError(f"{self.text!r} has an open parenthesis")
            self.advance()
        elif word in "-+~":
            value = self.unary()
            if not isinstance(value, int):
                value = value if word == "+" else UNKNOWN
            elif word != "+":
                value = -value if word == "-" else ~value
        else:
            raise ExpressionError(f"{self.text!r} is no expression")
        self.depth -= 1
        return value

    def modifier(self, word: str) -> Value:
        """``lo8(...)``: a part of an address or number; one unknown here yields `UNKNOWN`."""
        self.advance()
        inner = self.level(len(_LEVELS))
        if self.token != ("operator", ")"):
            raise ExpressionError(f"{self.text!r} has an open parenthesis")
        self.advance()
        part = self.parts.get(word.lower())
        if part is None:
            return UNKNOWN
        if isinstance(inner, int):
            return part_of(part, inner)
        if isinstance(inner, Address) and inner.part is None:
            return Address(inner.symbol, inner.offset, part.name)
        return UNKNOWN


def _binary(operator: str, left: Value, right: Value) -> Value:
    if isinstance(left, int) and isinstance(right, int):
        found = _number(operator, left, right)
        return UNKNOWN if isinstance(found, int) and not -(1 << 63) <= found < 1 << 63 else found
    if isinstance(left, Address) and left.part is None and isinstance(right, int) and operator in "+-":
        return Address(left.symbol, left.offset + (right if operator == "+" else -right))
    if isinstance(right, Address) and right.part is None and isinstance(left, int) and operator == "+":
        return Address(right.symbol, right.offset + left)
    return UNKNOWN


def _number(operator: str, left: int, right: int) -> Value:
    match operator:
        case "*":
            return left * right
        case "+" | "-" | "&" | "|" | "^":
            return _INTEGERS.binary(operator, left, right)
        case "<<" | ">>" if 0 <= right < 64 and (operator == "<<" or left >= 0):
            return _INTEGERS.binary(operator, left, right)
        case "/" | "%" if left >= 0 and right > 0:
            return left // right if operator == "/" else left % right
    return UNKNOWN

"""The syntax tree of the `does` language: expressions over places, and assignments to places.

A *place* is a register or flag (`Name`) or memory (`Mem`). Within one row, equal places are one place: all
its mentions together are one read and one write. Trees are plain values, equal when they read the same::

    v |= 1 << bit     Assign((Name("v"),), (Binary("|", Name("v"), Binary("<<", Num(1), Name("bit"))),))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Union

from attrs import frozen


@frozen
class Num:
    value: int


@frozen
class Name:
    """A register, flag, operand, constant or part argument, until it is resolved."""

    id: str


@frozen(cache_hash=True)
class Mem:
    """`width` bits of memory at byte address `address`; width None means the row's own width."""

    width: int | None
    address: Expr


@frozen
class Unary:
    op: Literal["~", "-"]
    value: Expr


@frozen
class Binary:
    op: Literal["&", "|", "^", "<<", ">>", "+", "-"]
    left: Expr
    right: Expr


@frozen
class Compare:
    """1 where it holds, else 0."""

    op: Literal["==", "!="]
    left: Expr
    right: Expr


@frozen
class Sext:
    """The low `bits` bits of `value` as a signed number."""

    value: Expr
    bits: int


@frozen
class Unspecified:
    """``any``: a value nobody may rely on."""


Expr = Union[Num, Name, Mem, Unary, Binary, Compare, Sext, Unspecified]


@frozen
class Assign:
    """Targets take the values at once: ``a, x = x, a``. Targets are `Name` or `Mem`."""

    targets: tuple[Name | Mem, ...]
    values: tuple[Expr, ...]


def rewrite(expr: Expr, leaf: Callable[[Expr], Expr | None]) -> Expr:
    """`expr` with every subtree for which `leaf` returns something replaced by that; others are rebuilt."""
    new = leaf(expr)
    if new is not None:
        return new
    match expr:
        case Mem(width, address):
            return Mem(width, rewrite(address, leaf))
        case Unary(op, value):
            return Unary(op, rewrite(value, leaf))
        case Binary(bop, left, right):
            return Binary(bop, rewrite(left, leaf), rewrite(right, leaf))
        case Compare(cop, left, right):
            return Compare(cop, rewrite(left, leaf), rewrite(right, leaf))
        case Sext(value, bits):
            return Sext(rewrite(value, leaf), bits)
        case _:
            return expr


def rewrite_statement(statement: Assign, leaf: Callable[[Expr], Expr | None]) -> Assign:
    """`rewrite` on both sides of an assignment; a target must stay a place."""
    targets = tuple(rewrite(t, leaf) for t in statement.targets)
    for target in targets:
        if not isinstance(target, (Name, Mem)):
            raise TypeError(f"not a place: {target}")
    return Assign(targets, tuple(rewrite(v, leaf) for v in statement.values))  # type: ignore[arg-type]

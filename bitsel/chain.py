"""What a value is, bit by bit, in terms of one load: the upward half of matching.

The walk goes from a value through casts and and/or/xor to a load. Each value on the way is, per bit, a function
of the same bit of the old value (an `Effect`), or unknown for one of two causes: it depends on something that is
neither constant nor that load (*foreign*), or it is a copy of the old sign bit (*extended*). An unknown bit may be
decided again further on, by an `and` with 0, an `or` with 1 or a truncation::

    %v = load i8            x
    %s = sext i8 %v to i16  bits 8..15 extended
    %a = and i16 %s, 253    x & 0xfd, bits 8..15 zero

Every value of a function is looked at once, however many stores it reaches, and without recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeGuard

from bitsel.effect import Effect
from bitsel.ir import Binary, Cast, Const, Load, Node
from bitsel.record import record

_LOGIC: dict[str, Callable[[Effect, Effect], Effect]] = {
    "and": Effect.and_,
    "or": Effect.or_,
    "xor": Effect.xor,
}


@record
class Value:
    """A value of `effect.width` bits as a function of the value of `load` (None: of nothing, a constant).

    `effect` holds where neither `foreign` nor `extended` has a bit; there it is 0. Old bits are those of the load
    by number; where the value is wider than the load, no bit above the load's width is kept. `logic`: an
    and/or/xor lies between. `foreigner` is the value that the first foreign bits come from.
    """

    effect: Effect
    load: Load | None = None
    foreign: int = 0
    extended: int = 0
    logic: bool = False
    foreigner: Node | None = None

    @property
    def unknown(self) -> int:
        return self.foreign | self.extended

    @property
    def is_constant(self) -> bool:
        return not (self.effect.keep | self.foreign | self.extended)


class Values:
    """The values of one function, found on demand."""

    def __init__(self) -> None:
        self._known: dict[Node, Value] = {}

    def of(self, node: Node) -> Value:
        known = self._known
        found = known.get(node)
        return self._find(node) if found is None else found

    def _find(self, node: Node) -> Value:
        known = self._known
        if not _is_link(node):
            known[node] = _leaf(node)
            return known[node]
        pending: list[Cast | Binary] = [node]
        entered: set[Node] = set()
        while pending:
            top = pending[-1]
            if top in known:
                pending.pop()
                continue
            missing = []
            for operand in top.operands:
                if operand not in known:
                    if _is_link(operand):
                        missing.append(operand)
                    else:
                        known[operand] = _leaf(operand)
            if not missing:
                known[top] = self._link(top)
            elif top in entered:  # it is its own operand, as unreachable code may have it
                known[top] = _foreign(top)
            else:
                entered.add(top)
                pending += missing
        return known[node]

    def _link(self, node: Cast | Binary) -> Value:
        """The value of a link of a chain whose operands are known."""
        if isinstance(node, Cast):
            return _cast(node, self._known[node.value])
        return _join(node, self._known[node.lhs], self._known[node.rhs])


def _is_link(node: Node) -> TypeGuard[Cast | Binary]:
    """Whether a chain goes through `node` to its operands. Where widths do not fit, nothing is known."""
    if isinstance(node, Binary):
        return node.op in _LOGIC and node.lhs.width == node.rhs.width == node.width
    if not isinstance(node, Cast):
        return False
    if node.op in ("zext", "sext"):
        return 0 < node.value.width <= node.width
    if node.op == "trunc":
        return node.width <= node.value.width
    return node.op in ("freeze", "bitcast") and node.width == node.value.width


def _leaf(node: Node) -> Value:
    """The value of what a chain does not go through."""
    if isinstance(node, Const):
        return _constant(node.width, node.value)
    if isinstance(node, Load):
        return Value(_identity(node.width), node)
    return _foreign(node)


@lru_cache(maxsize=1024)
def _constant(width: int, value: int) -> Value:
    return Value(Effect.constant(width, value))


@lru_cache(maxsize=64)
def _identity(width: int) -> Effect:
    return Effect.identity(width)


def _foreign(node: Node) -> Value:
    return Value(Effect.constant(node.width, 0), foreign=_ones(node.width), foreigner=node)


def _ones(width: int) -> int:
    return (1 << width) - 1


def _cast(node: Cast, value: Value) -> Value:
    """`value` at the width of `node`."""
    width, old_width = node.width, value.effect.width
    if node.op == "trunc":
        return Value(
            value.effect.truncated(width),
            value.load,
            value.foreign & _ones(width),
            value.extended & _ones(width),
            value.logic,
            value.foreigner,
        )
    effect, foreign, extended = value.effect.zero_extended(width), value.foreign, value.extended
    if node.op == "sext":
        sign, added = 1 << old_width - 1, _ones(width) ^ _ones(old_width)
        if foreign & sign:
            foreign |= added
        elif (extended | effect.keep) & sign:
            extended |= added
        elif effect.flip & sign:
            effect = effect.then(Effect.or_with(width, added))
    return Value(effect, value.load, foreign, extended, value.logic, value.foreigner)


def _join(node: Binary, left: Value, right: Value) -> Value:
    """The value of ``left OP right``."""
    if left.load is not None and right.load is not None and left.load is not right.load:
        # Two loads: one of them is the old value, the bits of the other are foreign. Nothing is lost by taking a
        # load whose bits are all decided for the other.
        if left.is_constant:
            left = _without_load(left)
        else:
            right = _without_load(right)
    load = left.load if left.load is not None else right.load
    effect = _LOGIC[node.op](left.effect, right.effect)
    unknown = left.foreign | left.extended | right.foreign | right.extended
    if unknown:
        unknown &= ~(_decided(node.op, left) | _decided(node.op, right))
    if not unknown:
        return Value(effect, load, logic=load is not None)
    foreign = (left.foreign | right.foreign) & unknown
    return Value(
        effect.then(Effect.and_with(effect.width, ~unknown)),
        load,
        foreign,
        unknown & ~foreign,
        load is not None,
        _foreigner(node.lhs, left) or _foreigner(node.rhs, right) if foreign else None,
    )


def _without_load(value: Value) -> Value:
    """`value` seen as a function of another load: all bits that it keeps are foreign to that."""
    effect = value.effect
    foreign = effect.keep | value.unknown
    return Value(effect.then(Effect.and_with(effect.width, ~foreign)), foreign=foreign)


def _decided(op: str, value: Value) -> int:
    """The bits that ``value OP y`` has whatever y is."""
    effect = value.effect
    if op == "and":
        return ~(effect.keep | effect.flip | value.unknown) & _ones(effect.width)
    if op == "or":
        return effect.flip & ~effect.keep
    return 0


def _foreigner(node: Node, value: Value) -> Node | None:
    """Where the foreign bits of an operand come from: the operand itself, unless it is on the chain."""
    if not value.foreign:
        return None
    return node if value.load is None else value.foreigner

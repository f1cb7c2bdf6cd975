"""The one meaning of `does`: running a row's statements over any domain of values.

`execute` knows the language (order, places, simultaneous assignment); a `Domain` knows values. With
`IntDomain` it computes numbers; the selector's search runs the same function over symbolic bytes, so what is
searched is what is proved and what is simulated.

Every place is read at most once and written at most once, at its first and last mention::

    v |= 1 << bit        one load of v, one store of v
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from bitsel.target.expr import (
    Assign,
    Binary,
    Compare,
    Expr,
    Mem,
    Name,
    Num,
    Sext,
    Unary,
)
from bitsel.target.facts import Part

V = TypeVar("V")


class Domain(Protocol[V]):
    """Exact integers, as far as the domain can tell them."""

    def const(self, value: int) -> V: ...
    def unary(self, op: str, value: V) -> V: ...
    def binary(self, op: str, left: V, right: V) -> V: ...
    def compare(self, op: str, left: V, right: V) -> V: ...
    def sext(self, value: V, bits: int) -> V: ...
    def low(self, value: V, bits: int) -> V:
        """The low `bits` bits of `value`, as an unsigned number."""

    def unspecified(self) -> V: ...


class Machine(Protocol[V]):
    """Registers, flags, operands and memory. Values written to a register keep its low bits."""

    def read(self, name: str) -> V: ...
    def write(self, name: str, value: V) -> None: ...
    def load(self, width: int, address: V) -> V: ...
    def store(self, width: int, address: V, value: V) -> None: ...


class _Place(Generic[V]):
    """One memory place of a row while it runs."""

    __slots__ = ("address", "dirty", "value")

    def __init__(self, address: V) -> None:
        self.address = address
        self.value: V | None = None
        self.dirty = False


class _Run(Generic[V]):
    def __init__(self, machine: Machine[V], domain: Domain[V]) -> None:
        self.machine = machine
        self.domain = domain
        self.places: dict[Mem, _Place[V]] = {}

    def place(self, mem: Mem) -> _Place[V]:
        found = self.places.get(mem)
        if found is None:
            found = self.places[mem] = _Place(self.value(mem.address))
        return found

    def value(self, expr: Expr) -> V:
        # This is the search's innermost loop: tests of a class cost a third of what class patterns do.
        domain = self.domain
        if isinstance(expr, Name):
            return self.machine.read(expr.id)
        if isinstance(expr, Binary):
            return domain.binary(expr.op, self.value(expr.left), self.value(expr.right))
        if isinstance(expr, Num):
            return domain.const(expr.value)
        if isinstance(expr, Mem):
            assert expr.width is not None, "a form's memory places have widths"
            place = self.place(expr)
            if place.value is None:
                place.value = self.machine.load(expr.width, place.address)
            return place.value
        if isinstance(expr, Unary):
            return domain.unary(expr.op, self.value(expr.value))
        if isinstance(expr, Compare):
            return domain.compare(expr.op, self.value(expr.left), self.value(expr.right))
        if isinstance(expr, Sext):
            return domain.sext(self.value(expr.value), expr.bits)
        return domain.unspecified()

    def assign(self, statement: Assign) -> None:
        values = [self.value(value) for value in statement.values]
        for target, value in zip(statement.targets, values, strict=True):
            if isinstance(target, Name):
                self.machine.write(target.id, value)
            else:
                assert target.width is not None, "a form's memory places have widths"
                place = self.place(target)
                place.value = self.domain.low(value, target.width)
                place.dirty = True

    def finish(self) -> None:
        for mem, place in self.places.items():
            if place.dirty:
                assert mem.width is not None and place.value is not None
                self.machine.store(mem.width, place.address, place.value)


def execute(does: tuple[Assign, ...], machine: Machine[V], domain: Domain[V]) -> None:
    """Run `does` on `machine`."""
    run = _Run(machine, domain)
    for statement in does:
        run.assign(statement)
    run.finish()


class _Bindings(Generic[V]):
    """A machine that can only be asked what names stand for."""

    def __init__(self, read: Callable[[str], V]) -> None:
        self.read = read

    def write(self, name: str, value: V) -> None:
        raise TypeError(f"an expression does not write {name}")

    def load(self, width: int, address: V) -> V:
        raise TypeError("this expression may not read memory")

    def store(self, width: int, address: V, value: V) -> None:
        raise TypeError("an expression does not write memory")


def evaluate(expr: Expr, read: Callable[[str], V], domain: Domain[V]) -> V:
    """The value of an expression without memory (an address, a part of one); `read` says what names stand for."""
    return _Run(_Bindings(read), domain).value(expr)


class IntDomain:
    """Plain integers; an unspecified value is 0."""

    def const(self, value: int) -> int:
        return value

    def unary(self, op: str, value: int) -> int:
        return ~value if op == "~" else -value

    def binary(self, op: str, left: int, right: int) -> int:
        match op:
            case "&":
                return left & right
            case "|":
                return left | right
            case "^":
                return left ^ right
            case "<<":
                return left << right
            case ">>":
                return left >> right
            case "+":
                return left + right
            case "-":
                return left - right
        raise ValueError(f"unknown operator {op!r}")

    def compare(self, op: str, left: int, right: int) -> int:
        return int(left == right) if op == "==" else int(left != right)

    def sext(self, value: int, bits: int) -> int:
        low = value & (1 << bits) - 1
        return low - (1 << bits) if low >> bits - 1 else low

    def low(self, value: int, bits: int) -> int:
        return value & (1 << bits) - 1

    def unspecified(self) -> int:
        return 0


def part_of(part: Part, address: int) -> int:
    """The number that `part` of a constant address is."""
    return evaluate(part.is_, lambda name: address, IntDomain())

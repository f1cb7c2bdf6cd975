"""Two domains of values in which a row's `does` is proved rather than tried.

`Tables` computes with every value of a byte at once: a bit of a value is a truth table, one bit per *lane*, and
each lane is one old value of the byte together with one random filling of everything else. `Terms` builds
bit-vector terms for Z3, where a value is wider than a byte. In both, what is known is a plain integer; all else is
in two's complement, as wide as it needs to be, so that integers are exact as the language asks::

    tables.old(0)              the byte itself: bit i of it is set in the lanes whose value has bit i
    tables.same(x & 0, 0)      True
"""

from __future__ import annotations

import random
from typing import Any, Protocol, TypeVar

from bitsel.target.semantics import Domain, IntDomain

V = TypeVar("V")

_INTEGERS = IntDomain()
_GARBAGE_BITS = 64


class NotProvable(Exception):
    """A step that the domain cannot follow, such as a shift by a number that is not known."""


class ProofDomain(Domain[V], Protocol[V]):
    """A domain in which a proof can start and end."""

    def old(self, byte: int) -> V:
        """The value of the cell's byte of that number before the sequence."""

    def filling(self, bits: int) -> V:
        """A value about which nothing is known, unlike every other."""

    def known(self, value: V) -> int | None:
        """The number that `value` is, where it is one."""

    def same(self, one: V, other: V) -> bool:
        """Whether the two are the same in every case."""


Bits = tuple[int, ...]
"""A value per lane, in two's complement: the truth table of each bit, the last of them the sign's."""


_LANES = 512
_ONES = (1 << _LANES) - 1
_OLD: Bits = (*(sum(1 << lane for lane in range(_LANES) if lane >> bit & 1) for bit in range(8)), 0)
"""The old value of the byte: in each lane the low bits of the lane's number."""


class Tables:
    """All 256 values of a byte at once, each with two fillings."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    # -- where a proof starts and ends

    def old(self, byte: int) -> int | Bits:
        if byte:
            raise NotProvable("a value wider than a byte")
        return _OLD

    def filling(self, bits: int) -> int | Bits:
        return (*(self._random.getrandbits(_LANES) for _ in range(bits)), 0)

    def known(self, value: int | Bits) -> int | None:
        return value if isinstance(value, int) else None

    def same(self, one: int | Bits, other: int | Bits) -> bool:
        a, b = self._together(one, other)
        return a == b

    # -- the language

    def const(self, value: int) -> int | Bits:
        return value

    def unary(self, op: str, value: int | Bits) -> int | Bits:
        if isinstance(value, int):
            return _INTEGERS.unary(op, value)
        inverted = tuple(bit ^ _ONES for bit in value)
        return inverted if op == "~" else self._add(inverted, 1)

    def binary(self, op: str, left: int | Bits, right: int | Bits) -> int | Bits:
        if isinstance(left, int) and isinstance(right, int):
            return _INTEGERS.binary(op, left, right)
        if op in ("<<", ">>"):
            return self._shift(op, left, right)
        if op in ("+", "-"):
            return self._add(left, right if op == "+" else self.unary("-", right))
        a, b = self._together(left, right)
        if op == "&":
            return tuple(x & y for x, y in zip(a, b, strict=True))
        if op == "|":
            return tuple(x | y for x, y in zip(a, b, strict=True))
        return tuple(x ^ y for x, y in zip(a, b, strict=True))

    def compare(self, op: str, left: int | Bits, right: int | Bits) -> int | Bits:
        if isinstance(left, int) and isinstance(right, int):
            return _INTEGERS.compare(op, left, right)
        a, b = self._together(left, right)
        differ = 0
        for x, y in zip(a, b, strict=True):
            differ |= x ^ y
        return (differ if op == "!=" else differ ^ _ONES, 0)

    def sext(self, value: int | Bits, bits: int) -> int | Bits:
        return _INTEGERS.sext(value, bits) if isinstance(value, int) else self._wide(value, bits)[:bits]

    def low(self, value: int | Bits, bits: int) -> int | Bits:
        return _INTEGERS.low(value, bits) if isinstance(value, int) else (*self._wide(value, bits)[:bits], 0)

    def unspecified(self) -> int | Bits:
        return self.filling(_GARBAGE_BITS)

    def _shift(self, op: str, left: int | Bits, right: int | Bits) -> int | Bits:
        if not isinstance(right, int) or isinstance(left, int):
            raise NotProvable("a shift by a number that is not known")
        if right < 0:
            raise NotProvable(f"a shift by {right}")
        return (0,) * right + left if op == "<<" else left[right:] or left[-1:]

    def _add(self, left: int | Bits, right: int | Bits) -> Bits:
        a, b = self._together(left, right)
        total, carry = [], 0
        for x, y in zip((*a, a[-1]), (*b, b[-1]), strict=True):
            total.append(x ^ y ^ carry)
            carry = x & y | carry & (x ^ y)
        return tuple(total)

    def _together(self, one: int | Bits, other: int | Bits) -> tuple[Bits, Bits]:
        """Both as bits, equally wide."""
        width = max(_width(one), _width(other))
        return self._wide(one, width), self._wide(other, width)

    def _wide(self, value: int | Bits, width: int) -> Bits:
        if isinstance(value, int):
            return tuple(_ONES if value >> bit & 1 else 0 for bit in range(max(width, _width(value))))
        return value + value[-1:] * (width - len(value))


def _width(value: int | Bits) -> int:
    """Bits in two's complement, the sign's included."""
    return value.bit_length() + 1 if isinstance(value, int) else len(value)


class Terms:
    """Bit-vector terms for Z3 (the extra `prove`), as wide as their values with a sign."""

    def __init__(self) -> None:
        import z3

        self._z3: Any = z3
        self._fillings = 0

    # -- where a proof starts and ends

    def old(self, byte: int) -> Any:
        return self._unsigned(self._z3.BitVec(f"old{byte}", 8))

    def filling(self, bits: int) -> Any:
        self._fillings += 1
        return self._unsigned(self._z3.BitVec(f"any{self._fillings}", bits))

    def known(self, value: Any) -> int | None:
        return value if isinstance(value, int) else None

    def same(self, one: Any, other: Any) -> bool:
        if isinstance(one, int) and isinstance(other, int):
            return one == other
        a, b = self._together(one, other)
        claim = self._z3.simplify(a == b)
        if self._z3.is_true(claim):
            return True
        solver = self._z3.Solver()
        solver.add(self._z3.Not(claim))
        return bool(solver.check() == self._z3.unsat)

    # -- the language

    def const(self, value: int) -> Any:
        return value

    def unary(self, op: str, value: Any) -> Any:
        if isinstance(value, int):
            return _INTEGERS.unary(op, value)
        return ~value if op == "~" else -self._wide(value, value.size() + 1)

    def binary(self, op: str, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int):
            return _INTEGERS.binary(op, left, right)
        if op in ("<<", ">>"):
            return self._shift(op, left, right)
        a, b = self._together(left, right, 1 if op in ("+", "-") else 0)
        match op:
            case "&":
                return a & b
            case "|":
                return a | b
            case "^":
                return a ^ b
            case "+":
                return a + b
            case _:
                return a - b

    def compare(self, op: str, left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int):
            return _INTEGERS.compare(op, left, right)
        a, b = self._together(left, right)
        holds = a == b if op == "==" else a != b
        return self._z3.If(holds, self._z3.BitVecVal(1, 2), self._z3.BitVecVal(0, 2))

    def sext(self, value: Any, bits: int) -> Any:
        if isinstance(value, int):
            return _INTEGERS.sext(value, bits)
        return self._z3.Extract(bits - 1, 0, self._wide(value, bits))

    def low(self, value: Any, bits: int) -> Any:
        return _INTEGERS.low(value, bits) if isinstance(value, int) else self._unsigned(self.sext(value, bits))

    def unspecified(self) -> Any:
        return self.filling(_GARBAGE_BITS)

    def _unsigned(self, vector: Any) -> Any:
        return self._z3.ZeroExt(1, vector)

    def _shift(self, op: str, left: Any, right: Any) -> Any:
        if not isinstance(right, int) or isinstance(left, int):
            raise NotProvable("a shift by a number that is not known")
        if right < 0:
            raise NotProvable(f"a shift by {right}")
        if op == "<<":
            return self._z3.Concat(left, self._z3.BitVecVal(0, right)) if right else left
        top = left.size() - 1
        return self._z3.Extract(top, min(right, top), left)

    def _together(self, one: Any, other: Any, more: int = 0) -> tuple[Any, Any]:
        """Both as terms, equally wide, with so many bits more than the wider one needs."""
        width = more + max(v.bit_length() + 1 if isinstance(v, int) else v.size() for v in (one, other))
        return self._wide(one, width), self._wide(other, width)

    def _wide(self, value: Any, width: int) -> Any:
        if isinstance(value, int):
            return self._z3.BitVecVal(value, width)
        return self._z3.SignExt(width - value.size(), value) if width > value.size() else value

"""Costs as a bound adds them up: bytes and cycles side by side, in eighths of each.

Eighths, because one instruction may serve up to eight bytes of the cell, or of registers, at once, and is then
charged to each with its share. Either measure is bounded on its own.
"""

from __future__ import annotations

from typing import NamedTuple

from bitsel.selector.ground import Ground
from bitsel.selector.verdict import Objective

_NEVER = 1 << 40


class Pair(NamedTuple):
    """Bytes and cycles, in eighths."""

    bytes: int
    cycles: int

    def plus(self, other: Pair) -> Pair:
        return Pair(self.bytes + other.bytes, self.cycles + other.cycles)

    def least(self, other: Pair) -> Pair:
        """The smaller of each: a bound for whichever of two ways is taken."""
        return Pair(min(self.bytes, other.bytes), min(self.cycles, other.cycles))

    def most(self, other: Pair) -> Pair:
        """The larger of each: a bound where both bounds hold."""
        return Pair(max(self.bytes, other.bytes), max(self.cycles, other.cycles))

    @property
    def never(self) -> bool:
        """Whether there is no such way."""
        return self.bytes >= _NEVER or self.cycles >= _NEVER

    def whole(self, objective: Objective) -> tuple[int, int]:
        """Rounded up, in the objective's order."""
        left = (-(-self.bytes // 8), -(-self.cycles // 8))
        return left if objective == "size" else (left[1], left[0])


NOTHING = Pair(0, 0)
NEVER = Pair(_NEVER, _NEVER)


def cost_of(ground: Ground, count: int = 1) -> Pair:
    """The instruction's cost per place where it serves `count` at once."""
    form = ground.form
    return Pair(8 * form.bytes // count, 8 * form.cycles // count)

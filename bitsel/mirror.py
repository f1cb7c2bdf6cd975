"""Memory that has two addresses, so that different numbers may name one byte.

Which does is a fact of a device; aliasing asks whether two accesses may meet there::

    ram = Mirror(0, 0x0200, 0x09FF, 0x1100, 0x18FF)
    ram.joins(Run(0x0204, 1, True), Run(0x1104, 1, True), 16)    True
    ram.joins(Run(0x0204, 1, True), Run(0x1105, 1, True), 16)    False
"""

from __future__ import annotations

from bitsel.record import record


@record
class Run:
    """`size` bytes from `start` on; `absolute`: `start` is an address, not a distance from some unknown one."""

    start: int
    size: int
    absolute: bool


@record
class Mirror:
    """The bytes [low, high] and [other_low, other_high] of one address space may be the same memory.

    Of equal length they are the same byte for byte; otherwise any byte of the one may be any of the other.
    """

    space: int
    low: int
    high: int
    other_low: int
    other_high: int

    def joins(self, left: Run, right: Run, width: int) -> bool:
        """Whether a byte of `left` may be the mirror of one of `right`; addresses are modulo 2**width."""
        return self._leads(left, right, width) or self._leads(right, left, width)

    def _leads(self, left: Run, right: Run, width: int) -> bool:
        """Whether a byte of `left`, in the first place, may be one of `right`, in the other."""
        if left.absolute and not (_touches(left, self.low, self.high) and self._touches_other(right)):
            return False
        near, far = self._distances()
        return _meet(
            (near, far - near),
            (right.start - left.start - (left.size - 1), left.size + right.size - 2),
            1 << width,
        )

    def _touches_other(self, run: Run) -> bool:
        return _touches(run, self.other_low, self.other_high)

    def _distances(self) -> tuple[int, int]:
        """How far apart, at least and at most, the two addresses of one byte are."""
        if self.high - self.low == self.other_high - self.other_low:
            return self.other_low - self.low, self.other_low - self.low
        return self.other_low - self.high, self.other_high - self.low


def _touches(run: Run, low: int, high: int) -> bool:
    return run.start <= high and low < run.start + run.size


def _meet(one: tuple[int, int], other: tuple[int, int], modulus: int) -> bool:
    """Whether two intervals, each its first number and how far it goes on, share one modulo `modulus`."""
    return (other[0] - one[0]) % modulus <= one[1] or (one[0] - other[0]) % modulus <= other[1]

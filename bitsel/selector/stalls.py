"""Stalls: the clocks that an instruction waits for a register whose value an earlier one brings late.

On a pipelined core a load is done in one clock, and yet what it loads cannot be used by the next instruction at
once. The table says by how much (`late`); other instructions that stand between fill the time.

    ld.bu 0[r6], r10      1 clock, r10 is 2 clocks late
    ori 8, r10, r10       2 clocks of waiting, and 1
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from bitsel.selector.ground import Ground
from bitsel.selector.step import Registers

Waits = tuple[tuple[int, int], ...]
"""What is on its way: (bit set of units, clocks until they can be used), each more than none."""


@frozen(eq=False)
class Timing:
    """When an instruction reads and brings registers: bit sets of units; `late` as `Waits` just after it."""

    cycles: int
    reads: int
    writes: int
    late: Waits

    @classmethod
    def of(cls, ground: Ground, layout: Registers) -> Timing:
        bound = {name: ground.env.get(name, name) for name in ground.form.late}
        late = ((layout.unit_set({str(bound[name])}), clocks) for name, clocks in ground.form.late.items())
        return cls(
            cycles=ground.form.cycles,
            reads=layout.unit_set(ground.reads),
            writes=layout.unit_set(ground.writes),
            late=tuple((units, clocks) for units, clocks in late if clocks),
        )

    def stall(self, waits: Waits) -> int:
        """The clocks that it waits before it starts."""
        return max((clocks for units, clocks in waits if units & self.reads), default=0)

    def after(self, waits: Waits) -> Waits:
        """What is on its way when the next instruction may start. What it writes itself is no more waited for."""
        passed = self.cycles + self.stall(waits)
        left = ((units & ~self.writes, clocks - passed) for units, clocks in waits)
        return (*((units, clocks) for units, clocks in left if units and clocks > 0), *self.late)


def stalls(timings: Iterable[Timing]) -> int:
    """The clocks that a sequence waits in all."""
    waits: Waits = ()
    total = 0
    for timing in timings:
        total += timing.stall(waits)
        waits = timing.after(waits)
    return total

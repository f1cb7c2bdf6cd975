"""A ground instruction in one footprint, with all that is found out about it kept: it serves every search there."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from operator import itemgetter
from typing import Any

from bitsel.selector.chains import Step, steps
from bitsel.selector.costs import Pair
from bitsel.selector.ground import Ground
from bitsel.selector.lanes import Lane
from bitsel.selector.modes import mode_key
from bitsel.selector.reach import Reach
from bitsel.selector.stalls import Timing
from bitsel.selector.step import Lanes, Outcome, Stepper
from bitsel.selector.writers import Writer, writers

MOST_OUTCOMES = 4096
"""So many outcomes of one instruction are remembered at a time."""


class Instruction:
    """A ground instruction with its outcomes remembered by what it reads.

    `memory`: it touches memory. `constant`: it reads nothing and writes registers, no flags.
    """

    def __init__(self, ground: Ground, stepper: Stepper) -> None:
        self.ground = ground
        self.memory = ground.uses.loads or ground.uses.stores
        registers = stepper.target.registers
        # One that writes a flag too is none: where it stands decides what the flag holds afterwards.
        flags = any(registers[name].width == 1 for name in ground.writes)
        self.constant = not self.memory and not ground.reads and not flags
        self.timing = Timing.of(ground, stepper.layout)
        places = [p for name in sorted(ground.reads) for p in stepper.layout.places.get(name, ())]
        self._inputs = len(places)
        self._pick: Any = itemgetter(*places) if places else None
        self._memo: dict[Any, Outcome | None] = {}
        self._stepper = stepper

    def outcome(self, memory: Lanes, registers: Lanes) -> Outcome | None:
        """What it does there; None where it cannot stand, or where nothing known comes of it."""
        read = self._pick(registers) if self._inputs else None
        key = (read, memory) if self.memory else read
        try:
            return self._memo[key]
        except KeyError:
            found = self._stepper.run(self.ground, memory, registers)
            if found is not None and found.idle:
                found = None
            if len(self._memo) >= MOST_OUTCOMES:
                self._memo.clear()
            self._memo[key] = found
            return found

    @cached_property
    def mode(self) -> Hashable:
        """What tells its addressing mode from others."""
        return mode_key(self.ground)

    @cached_property
    def steps(self) -> frozenset[Step]:
        """The ways a byte can go through it where it touches no memory."""
        return frozenset(steps(self.ground, self._stepper.layout, None))

    @cached_property
    def reach(self) -> Reach:
        """What it does where it touches the cell."""
        return Reach.of(self.ground, self._stepper)

    @cached_property
    def writers(self) -> tuple[tuple[int, Writer, Pair], ...]:
        """Every place that it writes, flags aside, with how, and the share of the cost."""
        return tuple(writers(self.ground, self._stepper))

    @cached_property
    def brings(self) -> tuple[tuple[int, Lane], ...]:
        """What it brings to registers where nothing known is in any, by place."""
        outcome = self._stepper.run(self.ground, (), self._stepper.layout.blank())
        return outcome.registers if outcome is not None else ()

    @cached_property
    def at(self) -> int | None:
        """The byte of the cell that its only memory place is at, named without registers; None where it is not."""
        return self._stepper.offset(self.ground, self._stepper.layout.blank())

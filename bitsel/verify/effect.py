"""Whether two instructions of one form do the same: -1 and 0xffff as an immediate of 16 bits do."""

from __future__ import annotations

from random import Random

from bitsel.target.facts import Ranges, Target
from bitsel.verify.concrete import Layout, OutOfReachError, State, run
from bitsel.verify.instance import Instance

_STATES = 16


def same_effect(one: Instance, other: Instance, target: Target) -> bool:
    """Whether both do the same in some random states, all of memory being there."""
    random = Random(0)
    layout = Layout(target, Ranges(((0, (1 << target.address_bits) - 1, 1),)))
    named = frozenset(layout.mapped_bytes)
    compared = False
    for _ in range(_STATES):
        registers = {name: random.getrandbits(target.registers[name].width) for name in layout.units}
        state = State(layout, registers, named, lambda: random.getrandbits(8))
        try:
            for instance in (one, other):
                run(instance, state)  # draws the memory that both access
        except OutOfReachError:
            continue  # not aligned in this state
        if run(one, state) != run(other, state):
            return False
        compared = True
    return compared

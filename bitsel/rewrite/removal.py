"""Which instructions of a block can go when an update gets a sequence of its own.

The accesses of the update must go. With them goes what was computed for them alone: an instruction that touches no
memory and whose results nothing needs any more. Needs are followed backward through the block as it will be, with
the new sequences in and the removed instructions out, so that removing one never changes a value that is needed.
"""

from __future__ import annotations

from attrs import define, field, frozen

from bitsel.frontends.gas.effects import Effects, Units
from bitsel.frontends.gas.liveness import Liveness
from bitsel.frontends.gas.program import Block
from bitsel.target.expr import Unspecified


@frozen
class Removal:
    """The numbers of the steps that go, in order. `free`: the units that nothing needs where the new sequence
    comes. `needed`: units that the two accesses set and something needs, so that they cannot go; 0 where they
    can."""

    steps: tuple[int, ...]
    free: int
    needed: int


@define
class BlockState:
    """A block while its updates are rewritten one after another: what is gone, and what is put in where."""

    block: Block
    behind: list[int]
    gone: set[int] = field(factory=set)
    reads: dict[int, int] = field(factory=dict)
    """By the step a new sequence takes the place of: the units it reads."""

    @classmethod
    def of(cls, block: Block, liveness: Liveness) -> BlockState:
        return cls(block, liveness.behind(block))


def removal(state: BlockState, liveness: Liveness, load: int, store: int, reads: int, waived: int = 0) -> Removal:
    """What goes with the accesses of steps `load` and `store`, if a sequence that reads `reads` comes for it.

    `waived`: units that something needs, which is left out of account.
    """
    units = liveness.units
    gone = {load, store}
    while True:
        needed = _needed(state, liveness, gone, store, reads, waived)
        wanted = 0
        for number in gone:
            wanted |= _effects(state, units, number).reads
        more = {
            number
            for number in range(store)
            if number not in gone
            and number not in state.gone
            and _may_go(state, units, number, needed[number], wanted)
        }
        if not more:
            break
        gone |= more
    alive = 0
    for number in (load, store):
        alive |= _effects(state, units, number).writes & needed[number]
    return Removal(tuple(sorted(gone)), units.all & ~needed[store], alive)


def _effects(state: BlockState, units: Units, number: int) -> Effects:
    return units.effects(state.block.steps[number].instruction)


def _may_go(state: BlockState, units: Units, number: int, needed: int, wanted: int) -> bool:
    """Whether a step was there for the steps that go alone. One that the table does not give a meaning may do more
    than change registers (it may select others, as RL78's SEL does)."""
    form = state.block.steps[number].instruction.form
    if form.flow is not None or not any(v != Unspecified() for s in form.does for v in s.values):
        return False
    effects = _effects(state, units, number)
    pure = not (effects.loads or effects.stores or effects.special)
    return pure and bool(effects.writes & wanted) and not effects.writes & needed


def _needed(
    state: BlockState, liveness: Liveness, gone: set[int], store: int, reads: int, waived: int
) -> list[int]:
    """What is needed behind each step up to `store`, with all that is gone out and the new sequences in."""
    steps = state.block.steps
    needed = state.behind[store] & ~waived
    found = [0] * (store + 1)
    for number in range(store, -1, -1):
        found[number] = needed
        if number == store:
            needed |= reads
        elif number in state.reads:
            needed |= state.reads[number]
        if number not in gone and number not in state.gone:
            needed = liveness.before(steps[number], needed)
    return found

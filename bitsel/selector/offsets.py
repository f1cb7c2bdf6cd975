"""Whether a sequence found for one displacement serves every displacement that the table cannot tell from it.

A pointer names the cell at a constant offset from it, and code uses many offsets with the same update. Running the
sequence anew for each is safe and slow. Here it is run twice, at two offsets, side by side. It serves all offsets
between the same limits where at every step both runs hold the same things: equal data, equal distances from the
cell, or equal distances from the pointer. For then data never depends on the offset, and every address is the
cell's or the pointer's plus a constant, or one of them plus or less a displacement operand; and what is linear in
the offset and names the same byte at two offsets names it at all.
"""

from __future__ import annotations

from bitsel.selector.ground import Ground
from bitsel.selector.lanes import Addr, Lane
from bitsel.selector.recipes import Displacement
from bitsel.selector.search import Path
from bitsel.selector.solver import Solver
from bitsel.selector.step import Lanes, put

_LINEAR = frozenset({"direct", "based", "sum"})


def serves_all(here: Path, there: Path, at: Solver, elsewhere: Solver) -> bool:
    """Whether `here`, a sequence for the cell of solver `at`, and `there`, the same recipes filled in for the cell
    of `elsewhere` at another offset, show that these recipes serve every offset of their class."""
    if not all(map(_uses_displacements_linearly, here.steps)):
        return False
    distance = elsewhere.cell.place.offset - at.cell.place.offset
    memory, registers = at.footprint.start, at.incoming
    memory_there, registers_there = elsewhere.footprint.start, elsewhere.incoming
    for step, step_there in zip(here.steps, there.steps, strict=True):
        if not _alike(registers, registers_there, distance) or memory != memory_there:
            return False
        first = at.stepper.run(step, memory, registers)
        second = elsewhere.stepper.run(step_there, memory_there, registers_there)
        if first is None or second is None or (first.loads, first.stores) != (second.loads, second.stores):
            return False
        memory, memory_there = put(memory, first.memory), put(memory_there, second.memory)
        registers, registers_there = put(registers, first.registers), put(registers_there, second.registers)
    return memory == memory_there and _alike(registers, registers_there, distance)


def _uses_displacements_linearly(step: Ground) -> bool:
    return all(
        {use.role for use in step.uses.numbers[name][1]} <= _LINEAR
        for name, recipe in step.recipes.items()
        if isinstance(recipe, Displacement) and recipe.origin is None
    )


def _alike(here: Lanes, there: Lanes, distance: int) -> bool:
    return all(a == b or _from_pointer(a, b, distance) for a, b in zip(here, there, strict=True))


def _from_pointer(here: Lane, there: Lane, distance: int) -> bool:
    """Whether both are the same distance from the pointer, which is `distance` further from the cell there."""
    return (
        isinstance(here, Addr)
        and isinstance(there, Addr)
        and here.place == there.place
        and here.offset - there.offset == distance
    )

"""Instructions from memory to memory, which few updates need and which make a search long.

A *copy* moves one memory place into another, or combines it with that: ``mov @r12, 2(r12)``, ``bis &x, &y``. Alone
it never makes an update: a byte would depend on another byte of the cell, or, where both places are one, becomes
all zeros, all ones or what it was. So a path with a copy has one more instruction that stores, and where the best
path without copies costs no more than a copy and that, it is the best of all. And a copy reads twice or changes
nothing, so it has no place where every access is counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bitsel.selector.cell import Cell
from bitsel.selector.ground import FormUses, walk
from bitsel.selector.search import Cost
from bitsel.selector.verdict import Objective
from bitsel.target.expr import Binary, Mem, Unary


@lru_cache(maxsize=4096)
def is_copy(uses: FormUses) -> bool:
    """Whether all a form does with memory is to move one place, or combine it by ``& | ^ + -``, into another."""
    touching = [
        (target, value)
        for statement in uses.form.does
        for target, value in zip(statement.targets, statement.values, strict=True)
        if isinstance(target, Mem) or any(isinstance(e, Mem) for e in walk(value))
    ]
    if len(uses.mems) != 2 or len(touching) != 1:
        return False
    target, value = touching[0]
    if isinstance(value, Binary) and value.op in "&|^+-" and value.left == target:
        value = value.right.value if isinstance(value.right, Unary) else value.right
    return isinstance(target, Mem) and isinstance(value, Mem) and value != target


def least_with_copy(forms: Iterable[FormUses], cell: Cell, objective: Objective) -> tuple[int, int] | None:
    """What a path with a copy costs at least, in the objective's order; None where no form is a copy."""
    stores = [uses for uses in forms if uses.stores]
    copies = [uses for uses in stores if is_copy(uses)]
    if not copies or (cell.size == 1 and cell.effect.keep):
        return None  # of a byte copied onto itself nothing old is left
    least = _least(copies, objective)
    changed = [part for part in map(cell.effect.byte, range(cell.size)) if not part.is_noop]
    if all(part.keep == 0 and part.flip in (0, 0xFF) for part in changed):
        return least  # a place copied onto itself may be all of it
    other = _least(stores, objective)
    return (least[0] + other[0], least[1] + other[1])


def _least(forms: Iterable[FormUses], objective: Objective) -> tuple[int, int]:
    """The least of each measure, in the objective's order."""
    first, second = zip(*(Cost(uses.form.bytes, uses.form.cycles).key(objective) for uses in forms), strict=True)
    return min(first), min(second)

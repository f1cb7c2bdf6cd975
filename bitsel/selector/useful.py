"""Which of a table's forms can be on any path, whatever the cell; the others are left out before anything else.

Left out is what changes the flow and what the table gives no meaning. And a flag that no form reads may hold
anything, so what is written to it may as well be unknown; a form that writes nothing else does nothing on a path
but cost. Such is ``bit`` on MSP430, for nothing that updates memory reads a flag there. Which registers and flags a
form changes is still said in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from bitsel.selector.ground import walk
from bitsel.target.expr import Assign, Expr, Mem, Name, Unspecified
from bitsel.target.facts import Form, Target


def useful(forms: Sequence[Form], target: Target) -> tuple[Form, ...]:
    """The forms that can be on a path, with ``any`` written to the flags that none of them reads."""
    flags = {r.name for r in target.registers.values() if r.width == 1} - target.mapped.keys()
    found = tuple(form for form in forms if form.does and form.flow is None and not form.reads)
    while True:
        unread = flags - {name for form in found for name in _read(form)}
        left = tuple(form for form in found if not _written(form) <= unread)
        if left == found:
            return tuple(_forgetting(form, unread) for form in found)
        found = left


def _read(form: Form) -> Iterator[str]:
    """The names that a form reads. A flag that it reads only after it wrote it counts too."""
    for statement in form.does:
        addresses = (target.address for target in statement.targets if isinstance(target, Mem))
        for expr in (*statement.values, *addresses):
            yield from (e.id for e in walk(expr) if isinstance(e, Name))


def _written(form: Form) -> set[str]:
    """The registers and flags that a form writes; memory is ``m``, which no flag is called."""
    return {target.id if isinstance(target, Name) else "m" for s in form.does for target in s.targets}


def _forgetting(form: Form, unread: set[str]) -> Form:
    def forget(statement: Assign) -> Assign:
        pairs = zip(statement.targets, statement.values, strict=True)
        values: tuple[Expr, ...] = tuple(
            Unspecified() if isinstance(target, Name) and target.id in unread else value for target, value in pairs
        )
        return evolve(statement, values=values)

    return evolve(form, does=tuple(map(forget, form.does)))

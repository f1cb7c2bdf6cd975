"""Which of a table's forms can be on any path, whatever the cell; the others are left out before anything else.

Left out is what changes the flow, what takes its meaning from elsewhere, and what the table gives none. And of a
flag that no instruction reads nothing depends but that it is changed: followed as a value it would only tell states
apart that are alike (after ``ori`` on AVR, ``n`` is a bit of the old value), so what is put there is unspecified; a
form that writes nothing else does nothing on a path but cost (``bit`` on MSP430). Which registers and flags a form
changes is still said in full.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from bitsel.target.expr import Assign, Expr, Mem, Name, Unspecified
from bitsel.target.facts import Form, RegisterOperand, Target
from bitsel.target.vocabulary import mentioned


def useful(forms: Sequence[Form], target: Target) -> tuple[Form, ...]:
    """The forms that can be on a path, leaving unspecified what they put into flags that none of them reads."""
    usable = [form for form in forms if form.flow is None and not form.reads and form.does]
    unread = _unread(usable, target)
    return tuple(
        evolve(form, does=tuple(_left_out(statement, form, unread) for statement in form.does))
        for form in usable
        if not all(_is_of(place, form, unread) for statement in form.does for place in statement.targets)
    )


def _unread(forms: Sequence[Form], target: Target) -> frozenset[str]:
    """The flags whose values reach nothing but one another; one that is also memory may be read there."""
    flags = {register.name for register in target.registers.values() if register.width == 1}
    unread = frozenset(flags - target.mapped.keys())
    while True:
        read = {name for form in forms for statement in form.does for name in _read_by(statement, form, unread)}
        if not unread & read:
            return unread
        unread -= read


def _read_by(statement: Assign, form: Form, unread: frozenset[str]) -> set[str]:
    """The registers that a statement needs, for more than the flags that are unread."""
    needed: list[Expr] = [place.address for place in statement.targets if isinstance(place, Mem)]
    for place, value in zip(statement.targets, statement.values, strict=True):
        if not _is_of(place, form, unread):
            needed.append(value)
    found: set[str] = set()
    for expr in needed:
        for name in mentioned(expr):
            operand = form.operands.get(name)
            found |= set(operand.registers) if isinstance(operand, RegisterOperand) else {name}
    return found


def _left_out(statement: Assign, form: Form, unread: frozenset[str]) -> Assign:
    pairs = zip(statement.targets, statement.values, strict=True)
    values = (Unspecified() if _is_of(place, form, unread) else value for place, value in pairs)
    return Assign(statement.targets, tuple(values))


def _is_of(place: Name | Mem, form: Form, flags: frozenset[str]) -> bool:
    return isinstance(place, Name) and place.id not in form.operands and place.id in flags

"""Operands that are addresses by themselves: the places a form can name without a register's help.

>>> list(direct_operands(form))          # set1 !<addr:abs16>.<bit>       # doctest: +SKIP
[(Number(name='abs16', ...), 0)]
"""

from __future__ import annotations

from collections.abc import Iterator

from bitsel.target.expr import Binary, Expr, Name, Num
from bitsel.target.facts import Form, Number, NumberOperand
from bitsel.target.vocabulary import memory_in


def direct_operands(form: Form) -> Iterator[tuple[Number, int]]:
    """Of each place of memory that the form names by a number operand alone: the number, and what is added to it.

    Through registers every place can be reached, and at a fixed address there is nothing to choose.
    """
    for statement in form.does:
        for tree in (*statement.targets, *statement.values):
            for memory in memory_in(tree):
                found = _direct(memory.address, form)
                if found is not None:
                    yield found


def _direct(address: Expr, form: Form) -> tuple[Number, int] | None:
    match address:
        case Name(name):
            operand = form.operands.get(name)
            return (operand.number, 0) if isinstance(operand, NumberOperand) else None
        case Binary("+", Num(add), Name() as inner) | Binary("+", Name() as inner, Num(add)):
            found = _direct(inner, form)
            return (found[0], add) if found is not None else None
        case _:
            return None

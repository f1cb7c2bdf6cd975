"""A form with values for its operands: its line of assembly, and the values worth trying.

>>> Instance(form, {"addr": 0xffe20, "bit": 3}).line(target)  # doctest: +SKIP
'set1 0xffe20.3'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from math import prod

from attrs import frozen

from bitsel.target.expr import Assign, Mem
from bitsel.target.facts import Form, NumberOperand, Operand, Slot, Target
from bitsel.target.vocabulary import memory_in, mentioned

LABEL = "1f"
"""Where a jump goes to: a batch of `toolchain.assembler` has that label behind each line."""

_WORD = 32  # bits; assemblers drop what goes beyond before they look at it
_MOST = 64  # combinations of boundary values, before they are taken one at a time


@frozen
class Instance:
    """`values`: operand -> number or name of a register, for each of `operands_of(form)`."""

    form: Form
    values: Mapping[str, int | str]

    def line(self, target: Target) -> str:
        """The instruction as GNU as takes it."""
        addresses = addresses_in(self.form.does)

        def spelled(name: str) -> str:
            value = self.values.get(name)
            if value is None:
                return LABEL
            if isinstance(value, str):
                return target.registers[value].text
            # A decimal address before a bit number would be read as a fraction.
            return hex(value) if name in addresses or value > 255 else str(value)

        return "".join(piece if isinstance(piece, str) else spelled(piece.name) for piece in self.form.text)


def operands_of(form: Form) -> dict[str, Operand]:
    """The operands that need a value: all but the place that a jump goes to, which is written last."""
    operands = dict(form.operands)
    slots = [piece.name for piece in form.text if isinstance(piece, Slot)]
    if form.flow in ("jump", "branch", "call") and slots and isinstance(operands[slots[-1]], NumberOperand):
        del operands[slots[-1]]
    return operands


def places_in(does: tuple[Assign, ...]) -> list[Mem]:
    """The memory places that statements mention."""
    trees = (tree for statement in does for tree in (*statement.targets, *statement.values))
    return [mem for tree in trees for mem in memory_in(tree)]


@lru_cache(maxsize=1024)
def addresses_in(does: tuple[Assign, ...]) -> Mapping[str, int]:
    """The names that are part of an address, and the width in bits of the widest access there."""
    found: dict[str, int] = {}
    for mem in places_in(does):
        for name in mentioned(mem.address):
            found[name] = max(found.get(name, 0), mem.width or 0)
    return found


def boundaries(form: Form, target: Target) -> list[Instance]:
    """`form` with its numbers at the ends of their ranges, and with each register it may have, in every combination
    or, where those are many, one at a time.

    What is part of an address is a multiple of the alignment that the access needs.
    """
    choices = {name: _ends(operand, step_of(form, name, target)) for name, operand in operands_of(form).items()}
    if prod(map(len, choices.values())) <= _MOST:
        return [Instance(form, dict(zip(choices, values, strict=True))) for values in product(*choices.values())]
    corners = [{name: values[end] for name, values in choices.items()} for end in (0, -1)]
    return [
        Instance(form, {**corner, name: value})
        for corner in corners
        for name, values in choices.items()
        for value in values
    ]


def each_end(form: Form, target: Target) -> Iterator[tuple[str, Instance]]:
    """Each number at each end of its ranges, the other operands at one end of theirs; with the operand's name."""
    ends = {name: _ends(operand, step_of(form, name, target)) for name, operand in operands_of(form).items()}
    base = {name: values[0] for name, values in ends.items()}
    for name, values in ends.items():
        for value in values:
            if isinstance(value, int):
                yield name, Instance(form, {**base, name: value})


def just_outside(form: Form, target: Target) -> Iterator[tuple[str, Instance]]:
    """Each number next to its range, the other operands at one end of theirs; with the operand's name.

    A hole between two runs is left alone: it says what the row is not to be used for, not what cannot be written.
    """
    operands = operands_of(form)
    base = {name: _ends(operand, step_of(form, name, target))[0] for name, operand in operands.items()}
    for name, operand in operands.items():
        if isinstance(operand, NumberOperand):
            step = step_of(form, name, target)
            runs = operand.number.ranges.runs
            low, high = min(run[0] for run in runs), max(run[1] for run in runs)
            between = [run[0] + 1 for run in runs if run[2] > 1]
            for value in ((low - 1) // step * step, (high // step + 1) * step, *between):
                if value < 1 << _WORD:
                    yield name, Instance(form, {**base, name: value})


def step_of(form: Form, name: str, target: Target) -> int:
    """What the values of an operand are multiples of: if it is part of an address, the alignment that needs."""
    return target.align.get(addresses_in(form.does).get(name, 0), 1)


def _ends(operand: Operand, step: int) -> tuple[int | str, ...]:
    """The registers; or the lowest and highest number of each run that is a multiple of `step`."""
    if not isinstance(operand, NumberOperand):
        return operand.registers
    found: set[int] = set()
    for low, high, stride in operand.number.ranges.runs:
        run = range(low, high + 1, stride)
        fitting = [value for part in (run[:step], run[-step:]) for value in part if value % step == 0]
        found.update((min(fitting), max(fitting)) if fitting else ())
    return tuple(sorted(found)) or (operand.number.ranges.runs[0][0],)

"""The level ``assembler``: every row has the length it says, for the operands it says and for no others.

Each row is assembled with its operands at both ends of their ranges: it must have the declared length, and code
that no other number in the range has that means something else (assemblers drop bits that do not fit). With a
number just outside it must not assemble; or it is another instruction, which the result names: another row's, one
of another length that is not in the table, or the row's own, where the assembler takes the number for another one
(-1 for 255).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from bitsel.errors import ToolError
from bitsel.target.expand import forms
from bitsel.target.facts import Device, Form, NumberOperand, Slot, Target
from bitsel.target.show import table_rows
from bitsel.toolchain.assembler import Rejected, assemble
from bitsel.toolchain.find import Missing, find
from bitsel.verify.effect import same_effect
from bitsel.verify.instance import Instance, boundaries, each_end, just_outside
from bitsel.verify.known import told
from bitsel.verify.result import RowResult

LEVEL = "assembler"


def check(target: Target, device: Device) -> Iterator[RowResult]:
    """One result per row that `device` has, in the order of the table; one in all where the assembler is
    missing or fails."""
    if target.assembler is None:
        yield RowResult(LEVEL, "all rows", "skipped", f"{target.name} names no [assembler]")
        return
    tool = find(target.assembler.tool)
    if isinstance(tool, Missing):
        yield RowResult(LEVEL, "all rows", "skipped", str(tool))
        return
    try:
        yield from _results(target, device, tool, target.assembler.options.get(device.core, ()))
    except ToolError as error:
        yield RowResult(LEVEL, "all rows", "failed", str(error))


def _results(target: Target, device: Device, tool: Path, options: Sequence[str]) -> Iterator[RowResult]:
    """All rows in two runs: of the operands worth trying, and of what the assembler may have taken some for."""
    rows = [
        _Row(row.text, form) for row, form in zip(table_rows(target, device), forms(target, device), strict=True)
    ]

    def assembled(lines: set[str]) -> dict[str, bytes | Rejected]:
        ordered = sorted(lines)
        return dict(zip(ordered, assemble(tool, options, ordered), strict=True))

    code = assembled({instance.line(target) for row in rows for instance in row.tried(target)})
    others = {twin.line(target) for row in rows for twin in row.twins(target, code)}
    code.update(assembled(others - code.keys()))
    known = _Known(target, rows, code)
    for row in rows:
        yield known.judged(row)


Code = Mapping[str, "bytes | Rejected"]
"""What became of each line."""


@frozen
class _Row:
    """A form and its row's text."""

    text: str
    form: Form

    def tried(self, target: Target) -> Iterator[Instance]:
        yield from boundaries(self.form, target)
        for _, instance in each_end(self.form, target):
            yield instance
        for _, instance in just_outside(self.form, target):
            yield instance

    def twins(self, target: Target, code: Code) -> Iterator[Instance]:
        """The row's own instances that one of those tried, inside or outside, may have been taken for."""
        for name, instance in each_end(self.form, target):
            yield from twins(instance, name, target)
        for stray in self.strays(target, code):
            yield from twins(stray.instance, stray.operand, target)
            for echo, _ in stray.echoes(target):
                yield echo

    def strays(self, target: Target, code: Code) -> Iterator[_Stray]:
        """What assembles although it is outside."""
        for name, instance in just_outside(self.form, target):
            made = code[instance.line(target)]
            if isinstance(made, bytes):
                yield _Stray(self, name, instance, made)


@frozen
class _Stray:
    """An instance with one number outside its range that assembles nevertheless."""

    row: _Row
    operand: str
    instance: Instance
    made: bytes

    def echoes(self, target: Target) -> Iterator[tuple[Instance, int]]:
        """The number as far again from a number that the range leaves a hole for, with that number.

        If both are the same code, the assembler drops what makes the difference, and takes the stray number for the
        one in the hole.
        """
        operand, value = self.instance.form.operands[self.operand], self.instance.values[self.operand]
        assert isinstance(operand, NumberOperand) and isinstance(value, int)
        runs = operand.number.ranges.runs
        holes = [range(one[1] + 1, next_[0]) for one, next_ in zip(sorted(runs), sorted(runs)[1:], strict=False)]
        for bits in range(1, target.address_bits + 1):
            for far in (1 << bits, -(1 << bits)):
                if any(value - far in hole for hole in holes):
                    values = {**self.instance.values, self.operand: value + far}
                    yield Instance(self.instance.form, values), value - far


def twins(instance: Instance, operand: str, target: Target) -> Iterator[Instance]:
    """`instance` with other numbers of the operand's range that an assembler may take its own for: those with the
    same low bits, and the next lower of its steps."""
    kind, value = instance.form.operands[operand], instance.values[operand]
    assert isinstance(kind, NumberOperand) and isinstance(value, int)
    for low, high, step in kind.number.ranges.runs:
        found = {value - (value - low) % step}
        for bits in range(1, target.address_bits + 1):
            found.update((low + (value - low) % (1 << bits), high - (high - value) % (1 << bits)))
        for twin in sorted(found - {value}):
            if twin in kind.number.ranges:
                yield Instance(instance.form, {**instance.values, operand: twin})


class _Known:
    """The instructions of the table, by how they are written and by their code; `judged` says what of a row."""

    def __init__(self, target: Target, rows: list[_Row], code: Code) -> None:
        self.target = target
        self.code = code
        self.alike: dict[tuple[str, ...], list[_Row]] = {}
        self.by_code: dict[bytes, _Row] = {}
        for row in rows:
            self.alike.setdefault(_skeleton(row.form), []).append(row)
            for instance in boundaries(row.form, target):
                made = code[instance.line(target)]
                if isinstance(made, bytes):
                    self.by_code.setdefault(made, row)

    def judged(self, row: _Row) -> RowResult:
        instances = boundaries(row.form, self.target)
        refused = self.refused(row, instances)
        if refused is not None:
            return RowResult(LEVEL, row.text, "known-error", refused)
        problem = next(filter(None, map(self.problem, instances)), None) or self.lost_bits(row)
        if problem is not None:
            return RowResult(LEVEL, row.text, "failed", problem)
        notes = []
        for stray in row.strays(self.target, self.code):
            line = stray.instance.line(self.target)
            meant = self.meaning(stray)
            if meant is None:
                problem = f"{line}: assembles ({stray.made.hex(' ')}), though it is outside the declared range"
                return RowResult(LEVEL, row.text, "failed", problem)
            notes.append(f"{line} is taken for {meant}")
        return RowResult(LEVEL, row.text, "ok", "; ".join(notes))

    def refused(self, row: _Row, instances: Sequence[Instance]) -> str | None:
        """The reason, if the assembler is known to refuse the row, and does so whatever its operands."""
        made = [self.code[instance.line(self.target)] for instance in instances]
        if not all(isinstance(one, Rejected) for one in made):
            return None
        assert self.target.assembler is not None
        return told(self.target.assembler.known_errors, row.text, instances[0])

    def problem(self, instance: Instance) -> str | None:
        """What is wrong with an instance that is inside the declared ranges."""
        line = instance.line(self.target)
        made = self.code[line]
        if isinstance(made, Rejected):
            return f"{line}: does not assemble: {made.message}"
        if len(made) != instance.form.bytes:
            return f"{line}: {len(made)} bytes ({made.hex(' ')}), declared {instance.form.bytes}"
        return None

    def lost_bits(self, row: _Row) -> str | None:
        """Two numbers inside the declared range that are written alike, though they mean different things."""
        for name, instance in each_end(row.form, self.target):
            line = instance.line(self.target)
            made = self.code[line]
            if isinstance(made, Rejected):
                return f"{line}: does not assemble: {made.message}"
            for twin in twins(instance, name, self.target):
                other = twin.line(self.target)
                if self.code[other] == made and not same_effect(instance, twin, self.target):
                    return f"{line}: the same code ({made.hex(' ')}) as {other}"
        return None

    def meaning(self, stray: _Stray) -> str | None:
        """What the table knows the stray line as."""
        for row in self.alike[_skeleton(stray.row.form)]:
            if row is not stray.row and _takes(row.form, stray.instance) and len(stray.made) == row.form.bytes:
                return row.text
        for twin in twins(stray.instance, stray.operand, self.target):
            if self.code[twin.line(self.target)] == stray.made:
                return twin.line(self.target)
        for echo, number in stray.echoes(self.target):
            if self.code[echo.line(self.target)] == stray.made:
                return f"{number}, which the row leaves out"
        other = self.by_code.get(stray.made)
        if other is not None and other is not stray.row:
            return other.text
        length = len(stray.made)
        return None if length == stray.row.form.bytes else f"an instruction of {length} bytes"


def _skeleton(form: Form) -> tuple[str, ...]:
    return tuple("" if isinstance(piece, Slot) else piece for piece in form.text)


def _takes(form: Form, instance: Instance) -> bool:
    """Whether `form`, written alike, takes the same values."""
    theirs = [piece.name for piece in instance.form.text if isinstance(piece, Slot)]
    mine = [piece.name for piece in form.text if isinstance(piece, Slot)]
    for his, my in zip(theirs, mine, strict=True):
        value, operand = instance.values.get(his), form.operands[my]
        allowed = operand.number.ranges if isinstance(operand, NumberOperand) else operand.registers
        if value is not None and value not in allowed:
            return False
    return True

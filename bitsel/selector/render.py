"""A path as GNU as takes it: masks, bit numbers and displacements in decimal, addresses in hexadecimal."""

from __future__ import annotations

import re
from typing import NamedTuple

from attrs import field, frozen

from bitsel.record import record
from bitsel.selector.ground import Ground
from bitsel.selector.recipes import AddressPart, Masks, Recipe, number_of
from bitsel.selector.search import Path
from bitsel.selector.step import Registers
from bitsel.selector.verdict import Field, Instruction, Sequence
from bitsel.target.facts import Number, Slot, Target
from bitsel.target.semantics import part_of

_AS_IS = "\x01"
_PLAIN_SYMBOL = re.compile(r"[A-Za-z_.$][\w.$]*", re.ASCII)


@record
class Filling:
    """What a template leaves open: the masks of the cell's effect, and how its address is written: a number, or the
    symbol, pointer or slot that it is `offset` bytes from. Fillings of one number may share what was `written`."""

    masks: Masks
    address: int | None
    symbol: str = ""
    offset: int = 0
    written: dict[AddressPart, str] = field(factory=dict)

    def write(self, target: Target, operand: Operand) -> str:
        recipe, number = operand
        if isinstance(recipe, AddressPart):
            return self._part(target, recipe)
        value = number_of(recipe, self.masks, self.offset, number)
        assert value is not None, "cells of one shape take one another's recipes"
        return str(value)

    def piece(self, target: Target, operand: Operand) -> Field:
        """The operand with what it stands for."""
        recipe, number = operand
        text = self.write(target, operand)
        if not isinstance(recipe, AddressPart) or self.address is not None:
            return Field(text, number.name)
        return Field(text, number.name, target.parts[recipe.part].text, self.offset + recipe.offset)

    def _part(self, target: Target, recipe: AddressPart) -> str:
        part = target.parts[recipe.part]
        if self.address is None:
            return part.text.format(self._symbol(target, recipe.offset))
        found = self.written.get(recipe)
        if found is None:
            value = part_of(part, self.address + recipe.offset) - recipe.less
            sign = "-" if value < 0 else ""
            found = self.written[recipe] = f"{sign}0x{abs(value):0{target.dialect.digits}x}"
        return found

    def _symbol(self, target: Target, offset: int) -> str:
        # LLVM's mark for a name that is the assembler's already: nothing is put before it.
        given = self.symbol.startswith(_AS_IS)
        name = self.symbol[1:] if given else target.dialect.symbol.format(self.symbol)
        if not _PLAIN_SYMBOL.fullmatch(name):
            name = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
        distance = self.offset + offset
        return f"{name}{distance:+d}" if distance else name


class Operand(NamedTuple):
    """A number to fill in: how it is made, and the operand that takes it."""

    recipe: Recipe
    number: Number


Piece = str | Operand


@frozen
class Template:
    """A path printed but for its numbers, so that one serves every cell of a shape.

    `lines` are an instruction's pieces; `formats` the same as `str.format` takes them, for the `operands` in order.
    """

    lines: tuple[tuple[Piece, ...], ...]
    formats: tuple[str, ...]
    operands: tuple[Operand, ...]
    path: Path
    clobbers: tuple[str, ...]
    emitted_by: tuple[str, ...]

    @classmethod
    def of(cls, path: Path, target: Target, layout: Registers) -> Template:
        lines = tuple(_merged(step, target) for step in path.steps)
        operands: dict[Operand, int] = {}
        formats = tuple("".join(_format(piece, operands) for piece in line) for line in lines)
        clobbers = tuple(sorted(u for u in layout.units if path.clobbers & layout.unit_bit[u]))
        return cls(lines, formats, tuple(operands), path, clobbers, _emitted_by(path))

    def sequence(self, target: Target, filling: Filling) -> Sequence:
        path = self.path
        numbers = [filling.write(target, operand) for operand in self.operands]
        return Sequence(
            asm=tuple([line.format(*numbers) for line in self.formats]),
            bytes=path.cost.bytes,
            cycles=path.cost.cycles,
            interruptible=path.interruptible,
            clobbers=self.clobbers,
            emitted_by=self.emitted_by,
        )

    def instructions(self, target: Target, filling: Filling) -> tuple[Instruction, ...]:
        """The same as `sequence` prints, in pieces."""
        return tuple(
            Instruction(
                tuple(piece if isinstance(piece, str) else filling.piece(target, piece) for piece in line),
                touches=step.uses.loads or step.uses.stores,
                updates=step.update,
            )
            for line, step in zip(self.lines, self.path.steps, strict=True)
        )


def _format(piece: Piece, operands: dict[Operand, int]) -> str:
    """The piece as `str.format` takes it; an operand that is not among `operands` yet is added."""
    if isinstance(piece, str):
        return piece.replace("{", "{{").replace("}", "}}")
    return f"{{{operands.setdefault(piece, len(operands))}}}"


def _merged(step: Ground, target: Target) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for item in step.form.text:
        piece: Piece = _operand(step, item.name, target) if isinstance(item, Slot) else item
        if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return tuple(pieces)


def _operand(step: Ground, name: str, target: Target) -> Piece:
    recipe = step.recipes.get(name)
    if recipe is not None:
        return Operand(recipe, step.uses.numbers[name][0].number)
    bound = step.env[name]
    return target.registers[bound].text if isinstance(bound, str) else str(bound)


def _emitted_by(path: Path) -> tuple[str, ...]:
    """The compilers that reach every updating instruction of the path by themselves."""
    named = [set(step.form.emitted_by) for step in path.steps if step.update]
    return tuple(sorted(set.intersection(*named))) if named else ()

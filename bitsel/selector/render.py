"""A path as GNU as takes it: masks, bit numbers and displacements in decimal, addresses in hexadecimal."""

from __future__ import annotations

import re

from attrs import frozen

from bitsel.selector.ground import AddressPart, Ground
from bitsel.selector.search import Path
from bitsel.selector.step import Registers
from bitsel.selector.verdict import Sequence
from bitsel.target.facts import Slot, Target
from bitsel.target.semantics import part_of

_AS_IS = "\x01"
_PLAIN_SYMBOL = re.compile(r"[A-Za-z_.$][\w.$]*", re.ASCII)


@frozen
class Naming:
    """How a cell's address is written: a number, or the symbol that it is `offset` bytes from."""

    address: int | None
    symbol: str = ""
    offset: int = 0

    def part(self, target: Target, recipe: AddressPart) -> str:
        part = target.parts[recipe.part]
        if self.address is not None:
            return f"{part_of(part, self.address + recipe.offset) - recipe.less:#x}"
        return part.text.format(self._symbol(target, recipe.offset))

    def _symbol(self, target: Target, offset: int) -> str:
        # LLVM's mark for a name that is the assembler's already: nothing is put before it.
        given = self.symbol.startswith(_AS_IS)
        name = self.symbol[1:] if given else target.dialect.symbol.format(self.symbol)
        if not _PLAIN_SYMBOL.fullmatch(name):
            name = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
        distance = self.offset + offset
        return f"{name}{distance:+d}" if distance else name


Piece = str | AddressPart


@frozen
class Template:
    """A path printed but for its address, so that one serves every cell of the same effect and kind of place."""

    lines: tuple[tuple[Piece, ...], ...]
    path: Path
    clobbers: tuple[str, ...]

    @classmethod
    def of(cls, path: Path, target: Target, layout: Registers) -> Template:
        lines = tuple(_merged(step, target) for step in path.steps)
        clobbers = tuple(sorted(u for u in layout.units if path.clobbers & layout.unit_bit[u]))
        return cls(lines, path, clobbers)

    def sequence(self, target: Target, naming: Naming) -> Sequence:
        asm = tuple(
            "".join(piece if isinstance(piece, str) else naming.part(target, piece) for piece in line)
            for line in self.lines
        )
        path = self.path
        return Sequence(
            asm=asm,
            bytes=path.cost.bytes,
            cycles=path.cost.cycles,
            interruptible=path.interruptible,
            clobbers=self.clobbers,
            emitted_by=_emitted_by(path),
        )


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
    if isinstance(recipe, AddressPart):
        return recipe
    bound = step.env[name]
    return target.registers[bound].text if isinstance(bound, str) else str(bound)


def _emitted_by(path: Path) -> tuple[str, ...]:
    """The compilers that reach every updating instruction of the path by themselves."""
    named = [set(step.form.emitted_by) for step in path.steps if step.update]
    return tuple(sorted(set.intersection(*named))) if named else ()

"""Reading printed assembly back: a line to the instruction form it is, and what its operands stand for.

By the table's own spellings, and by nothing that the selector knows: what it printed is what is looked at::

    set1 !_w+1.4    ->    the form `set1 !<addr:abs16>.<bit>`, addr = the address of w, plus 1; bit = 4
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from bitsel.target.facts import Form, Number, Operand, RegisterOperand, Slot, Target
from bitsel.target.semantics import part_of

_INTEGER = re.compile(r"-?\d+|-?0x[0-9a-f]+")


@frozen
class Instruction:
    """A line as the table reads it. `names`: each operand's number, or the register it is."""

    form: Form
    names: Mapping[str, int | str]


class Reader:
    """Reads lines of `forms`."""

    def __init__(self, target: Target, forms: tuple[Form, ...]) -> None:
        self._target = target
        self._known: dict[tuple[str, tuple[tuple[str, int], ...]], Instruction | None] = {}
        self._forms: dict[str, list[tuple[re.Pattern[str], Form]]] = {}
        for form in forms:
            if form.does:
                pattern = re.compile("".join(_pattern(piece) for piece in form.text))
                self._forms.setdefault(form.mnemonic, []).append((pattern, form))

    def read(self, line: str, symbols: Mapping[str, int]) -> Instruction | None:
        """The first form of the table that `line` is, with operands in their ranges; None where there is none.

        `symbols` is where each symbol of the program lies.
        """
        key = (line, tuple(symbols.items()))
        if key not in self._known:
            spelled = {self._target.dialect.symbol.format(name): at for name, at in symbols.items()}
            self._known[key] = self._read(line, spelled)
        return self._known[key]

    def _read(self, line: str, symbols: Mapping[str, int]) -> Instruction | None:
        for pattern, form in self._forms.get(line.partition(" ")[0], ()):
            found = pattern.fullmatch(line)
            if found is not None:
                names = {
                    name: self._operand(form.operands[name], text, symbols)
                    for name, text in found.groupdict().items()
                }
                bound = {name: value for name, value in names.items() if value is not None}
                if len(bound) == len(names):
                    return Instruction(form, bound)
        return None

    def _operand(self, operand: Operand, text: str, symbols: Mapping[str, int]) -> int | str | None:
        if isinstance(operand, RegisterOperand):
            registers = self._target.registers
            return next((name for name in operand.registers if registers[name].text == text), None)
        value = int(text, 0) if _INTEGER.fullmatch(text) else self._symbol(operand.number, text, symbols)
        return value if value in operand.number.ranges else None

    def _symbol(self, number: Number, text: str, symbols: Mapping[str, int]) -> int | None:
        for name in number.symbol:
            part = self._target.parts[name]
            before, after = map(re.escape, part.text.split("{}"))
            found = re.fullmatch(rf"{before}(.+?)([+-]\d+)?{after}", text)
            if found is not None and found[1] in symbols:
                return part_of(part, symbols[found[1]] + int(found[2] or 0))
        return None


def _pattern(piece: str | Slot) -> str:
    return re.escape(piece) if isinstance(piece, str) else f"(?P<{piece.name}>.+?)"

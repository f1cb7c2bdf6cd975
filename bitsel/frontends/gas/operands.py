"""Which form of the table a statement spells, and what its operands are.

Every form's `text` is turned into a pattern once, when its mnemonic is first met; there is no other description of
the syntax. Blanks count for nothing, names of registers are read in either case::

    "LDS  R24, flags+1"   ->   lds {d:full}, {a:a16}   with d = r24, a = flags + 1
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from bitsel.frontends.gas.expression import UNKNOWN, Address, ExpressionError, Value, evaluate, modifiers
from bitsel.record import record
from bitsel.target.expand import forms, read_only_forms
from bitsel.target.facts import Device, Form, Number, NumberOperand, Part, RegisterOperand, Slot, Target

_BLANKS = re.compile(r"\s+")
_NAME = re.compile(r"[A-Za-z_.][\w.$]*")
_FIELD = re.compile(r"\\\{(\w+)(?::[^}]*)?\\\}")
_MOST_ALIASES = 4  # one spelling may stand for another in turn


@record
class Instruction:
    """A form with its operands: registers by name, numbers as far as they are known."""

    form: Form
    env: Mapping[str, str | Value]


@frozen
class _Spelling:
    """A form's text behind its mnemonic as a pattern, and the operands its groups are."""

    form: Form
    pattern: re.Pattern[str]
    names: tuple[str, ...]


@frozen
class _Alias:
    """A spelling that is read only: the statement it stands for, with the texts of its groups put in."""

    pattern: re.Pattern[str]
    meant: str


class InstructionReader:
    """Reads the instructions of one device. `symbols` are the file's own assignments."""

    def __init__(self, target: Target, device: Device, symbols: Mapping[str, Value]) -> None:
        self.target = target
        self.symbols = symbols
        self._forms: dict[str, list[Form]] = {}
        for form in (*forms(target, device), *read_only_forms(target, device)):
            self._forms.setdefault(form.mnemonic, []).append(form)
        self._spellings: dict[str, tuple[_Spelling, ...]] = {}
        self._aliases = _aliases(target)
        self._parts: dict[str, Part] = modifiers(target.parts)
        self._names = {name.lower(): meant.lower() for name, meant in target.dialect.synonyms.items()}
        registers = [register for register in target.registers.values() if register.width > 1]
        self._registers = {name.lower() for r in registers for name in (r.name, r.text)}
        self._known: dict[tuple[str, str], Instruction | None] = {}
        self._values: dict[str, Value | None] = {}

    def may_jump(self, mnemonic: str) -> bool:
        """Whether some row of this name changes what runs next."""
        return any(form.flow is not None for form in self._forms.get(mnemonic, ())) or mnemonic in self._aliases

    def read(self, mnemonic: str, operands: str) -> Instruction | None:
        """The instruction, None where no row of the table is written so; `mnemonic` is in lower case."""
        key = (mnemonic, operands)
        if "' " in operands or "'\t" in operands:
            return None  # a blank that is a character, where blanks count for nothing
        if key not in self._known:
            spelled = _BLANKS.sub("", operands)
            if self._names:
                spelled = _NAME.sub(lambda found: self._names.get(found[0].lower(), found[0]), spelled)
            self._known[key] = self._read(mnemonic, spelled, _MOST_ALIASES)
        return self._known[key]

    def _read(self, mnemonic: str, operands: str, aliases: int) -> Instruction | None:
        for spelling in self._of(mnemonic):
            found = spelling.pattern.fullmatch(operands)
            if found is not None:
                env = self._bound(spelling, found.groups())
                if env is not None and (spelling.form.flow is not None or not any(map(_is_here, env.values()))):
                    return Instruction(spelling.form, env)
        for alias in self._aliases.get(mnemonic, ()) if aliases else ():
            found = alias.pattern.fullmatch(operands)
            if found is not None:
                word, _, rest = alias.meant.format(**found.groupdict()).partition(" ")
                return self._read(word, _BLANKS.sub("", rest), aliases - 1)
        return None

    def _of(self, mnemonic: str) -> tuple[_Spelling, ...]:
        known = self._spellings.get(mnemonic)
        if known is None:
            known = self._spellings[mnemonic] = tuple(map(_spelling, self._forms.get(mnemonic, ())))
        return known

    def _bound(self, spelling: _Spelling, groups: tuple[str, ...]) -> dict[str, str | Value] | None:
        env: dict[str, str | Value] = {}
        for name, text in zip(spelling.names, groups, strict=True):
            operand = spelling.form.operands[name]
            bound = (
                self._register(text, operand)
                if isinstance(operand, RegisterOperand)
                else self._number(text, operand)
            )
            if bound is None:
                return None
            env[name] = bound
        return env

    def _register(self, text: str, operand: RegisterOperand) -> str | None:
        spelled = text.lower()
        for register in operand.registers:
            if self.target.registers[register].text.lower() == spelled:
                return register
        numbered = self.target.dialect.numbered
        if numbered is None:
            return None
        value = self._value(text)
        named = numbered.format(value) if isinstance(value, int) else None
        return self._register(named, operand) if named is not None and named != text else None

    def _number(self, text: str, operand: NumberOperand) -> Value | None:
        value = self._value(text)
        if isinstance(value, int):
            return fitted(value, operand.number)
        if any(name.lower() in self._registers for name in _NAME.findall(text)):
            return None  # in "bytes(r12)" the parentheses are no modifier's
        if isinstance(value, Address):
            return value if _takes(operand.number, value, self.target.parts) else None
        return value if operand.number.symbol else None

    def _value(self, text: str) -> Value | None:
        """The value of an expression; None where it is none."""
        if text not in self._values:
            try:
                self._values[text] = evaluate(text, self.symbols, self._parts)
            except (ExpressionError, ValueError):
                self._values[text] = None
        return self._values[text]


def _is_here(value: str | Value) -> bool:
    """Whether it is a distance from the instruction itself: another address in every instruction."""
    return isinstance(value, Address) and value.symbol in (".", "$")


def _spelling(form: Form) -> _Spelling:
    names = [piece.name for piece in form.text if isinstance(piece, Slot)]
    pieces = [
        "(.+)" if isinstance(piece, Slot) else re.escape(_BLANKS.sub("", piece) if i else _behind(piece))
        for i, piece in enumerate(form.text)
    ]
    return _Spelling(form, re.compile("".join(pieces), re.IGNORECASE), tuple(names))


def _behind(piece: str) -> str:
    """What the first piece of a text says behind the mnemonic."""
    return _BLANKS.sub("", piece.partition(" ")[2])


def _aliases(target: Target) -> dict[str, list[_Alias]]:
    found: dict[str, list[_Alias]] = {}
    suffixes = tuple(dict.fromkeys(suffix for row in target.rows for suffix, _ in row.widths))
    for spelling, meant in target.aliases.items():
        for suffix in suffixes if "{w}" in spelling else ("",):
            word, _, rest = spelling.replace("{w}", suffix).partition(" ")
            pattern = _FIELD.sub(r"(?P<\1>.+)", re.escape(_BLANKS.sub("", rest)))
            alias = _Alias(re.compile(pattern, re.IGNORECASE), meant.replace("{w}", suffix))
            found.setdefault(word, []).append(alias)
    return found


def _takes(number: Number, value: Address, parts: Mapping[str, Part]) -> bool:
    """Whether an operand takes this part of a symbol's address; without a modifier, a part that needs none."""
    if value.part is not None:
        return value.part in number.symbol
    return any(parts[part].text == "{}" for part in number.symbol)


def fitted(value: int, number: Number) -> int | None:
    """`value` as an operand of `number` holds it: the assembler cuts it to the operand's bits, so that ``-1`` is
    255, and a near address is one of 16 bits; None where the operand does not take it."""
    if value in number.ranges:
        return value
    if len(number.ranges.runs) != 1:
        # Holes are values that have a form of their own; a negative one is looked for as it is written.
        bits = max(abs(low) for low, _, _ in number.ranges.runs).bit_length()
        other = value - (1 << bits)
        return other if value > 0 and bits in (16, 32) and other in number.ranges else None
    low, high, step = number.ranges.runs[0]
    size = high - low + 1
    if step != 1 or size & size - 1 or size < 256:
        return None
    bits = size.bit_length() - 1
    least, most = -(size >> 1), size if number.symbol and bits == 16 else 0
    if low and bits != 16:
        return None
    return low + (value - low) % size if least <= value < most else None


__all__ = ["UNKNOWN", "Address", "Instruction", "InstructionReader", "Value", "fitted"]

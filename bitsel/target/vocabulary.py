"""The names of a target's file: registers, classes, numbers, parts, constants; and what a `does` text may mention.

The first half of reading a table of facts: everything the rows refer to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from bitsel.errors import did_you_mean
from bitsel.target import does, words
from bitsel.target.does import PutIn, Statement
from bitsel.target.expr import Assign, Expr, Mem, Name, Num, rewrite
from bitsel.target.facts import Number, Part, Ranges, Register
from bitsel.target.kinds import FormatError
from bitsel.target.positions import Path


@frozen
class Vocabulary:
    """What the table's rows can refer to by name."""

    cores: tuple[str, ...]
    address_bits: int
    constants: Mapping[str, int]
    registers: Mapping[str, Register]
    classes: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, Number]
    parts: Mapping[str, Part]

    def names_of_registers(self, text: str, path: Path) -> tuple[str, ...]:
        """The registers listed in `text`, each known. A pair such as ``r1:r0`` is one."""
        with at(path):
            found = words.names(text)
        for name in found:
            if name not in self.registers:
                raise unknown("register", name, self.registers, path)
        return found

    def expression(self, text: str, path: Path, operands: Collection[str] = ()) -> Expr:
        with at(path):
            tree = does.expression(text)
        self.check_names((tree,), operands, path, text)
        return tree

    def resolved(self, text: str, path: Path) -> Expr:
        """An expression over registers, or one pair such as ``r25:r24``, with the constants' numbers put in."""
        if text.strip() in self.registers:
            return Name(text.strip())
        tree = self.expression(text, path)

        def number(item: Expr) -> Expr | None:
            return Num(self.constants[item.id]) if isinstance(item, Name) and item.id in self.constants else None

        return rewrite(tree, number)

    def statements(self, text: str, path: Path, operands: Collection[str] = ()) -> tuple[Statement, ...]:
        with at(path):
            found = does.statements(text)
        self.check_statements(found, operands, path, text)
        return found

    def check_statements(
        self, found: tuple[Statement, ...], operands: Collection[str], path: Path, text: str
    ) -> None:
        for statement in found:
            if isinstance(statement, Assign):
                self.check_names((*statement.targets, *statement.values), operands, path, text)
                for target in statement.targets:
                    if isinstance(target, Name) and target.id in self.constants and target.id not in operands:
                        raise FormatError(path, f"{target.id!r} is a constant and cannot be assigned")

    def check_names(self, trees: tuple[Expr, ...], operands: Collection[str], path: Path, text: str) -> None:
        for tree in trees:
            for name in mentioned(tree):
                if not (name in operands or name in self.registers or name in self.constants or name == "width"):
                    known = [*operands, *self.registers, *self.constants]
                    raise unknown("name", name, known, path, offset=max(text.find(name), 0))


def mentioned(tree: Expr) -> set[str]:
    """The names in a tree, without ``{op}``."""
    found: set[str] = set()

    def note(item: Expr) -> None:
        if isinstance(item, Name) and item != does.OP:
            found.add(item.id)

    rewrite(tree, note)
    return found


def mentioned_in(statements: tuple[Statement, ...]) -> set[str]:
    return {
        name
        for statement in statements
        if not isinstance(statement, PutIn)
        for tree in (*statement.targets, *statement.values)
        for name in mentioned(tree)
    }


def memory_in(tree: Expr) -> list[Mem]:
    """The memory places in a tree, outer ones only."""
    found: list[Mem] = []

    def note(item: Expr) -> Expr | None:
        if isinstance(item, Mem):
            found.append(item)
            return item
        return None

    rewrite(tree, note)
    return found


@contextmanager
def at(path: Path, *, on_key: bool = False) -> Iterator[None]:
    """Turns a `TextError` inside into a `FormatError` at `path`."""
    try:
        yield
    except words.TextError as error:
        raise FormatError(path, error.message, offset=error.offset, on_key=on_key) from None


def unknown(
    what: str, name: str, known: Collection[str], path: Path, *, offset: int | None = None, on_key: bool = False
) -> FormatError:
    """The error for a name that is not among the `known`."""
    hint = did_you_mean(name, known) or (f"known: {', '.join(known)}" if 0 < len(known) <= 12 else None)
    return FormatError(path, f"unknown {what} {name!r}", hint=hint, offset=offset, on_key=on_key)


def read_vocabulary(data: Mapping[str, Any]) -> Vocabulary:
    """The vocabulary of a file whose types and keys are checked."""
    address_bits = data["target"]["address"]
    constants = dict(data.get("constants", {}))
    registers = _registers(data["registers"], address_bits)
    parts = {name: _part(name, item) for name, item in data.get("part", {}).items()}
    classes = _classes(data.get("class", {}), registers)
    numbers = {name: _number(name, item, parts) for name, item in data.get("number", {}).items()}
    named: dict[str, Mapping[str, object]] = {"constants": constants, "class": classes, "number": numbers}
    for table, names in named.items():
        for name in names:
            check_new_name(name, (table, name))
    _check_distinct(("constant", constants), ("register", registers), table="constants")
    _check_distinct(("number", numbers), ("class", classes), table="number")
    _check_distinct(("number", numbers), ("register", registers), table="number")
    _check_distinct(("class", classes), ("register", registers), table="class")
    cores = tuple(data["target"]["cores"])
    if not cores or len(set(cores)) != len(cores):
        raise FormatError(("target", "cores"), "the cores must be one or more different names")
    return Vocabulary(cores, address_bits, constants, registers, classes, numbers, parts)


def check_new_name(name: str, path: Path) -> None:
    """A name that the format itself uses cannot be given to anything."""
    if name in does.RESERVED:
        raise FormatError(
            path, f"{name!r} has a meaning in the language of 'does' and cannot be a name", on_key=True
        )


def _check_distinct(
    mine: tuple[str, Mapping[str, object]], other: tuple[str, Mapping[str, object]], *, table: str
) -> None:
    for name in mine[1]:
        if name in other[1]:
            raise FormatError((table, name), f"{name!r} is a {other[0]} already", on_key=True)


def _registers(table: Mapping[str, int | str], address_bits: int) -> dict[str, Register]:
    found: dict[str, Register] = {}
    pairs: dict[str, str] = {}
    for key, value in table.items():
        path = ("registers", key)
        with at(path, on_key=True):
            names = words.names(key)
        for name in names:
            check_new_name(name, path)
            if name in found or name in pairs:
                raise FormatError(path, f"the register {name!r} is here twice", on_key=True)
            if isinstance(value, str):
                pairs[name] = value
            else:
                found[name] = _register(name, value, len(names), address_bits, path)
    for name, spelled in pairs.items():
        found[name] = _pair(name, spelled, found, ("registers", name))
    if not found:
        raise FormatError(("registers",), "no registers")
    return found


def _register(name: str, value: int, names: int, address_bits: int, path: Path) -> Register:
    if value == 0 and names == 1:
        return Register(name, address_bits, value=0)
    if not 1 <= value <= 64:
        raise FormatError(path, f"a register's width must be 1 to 64 bits, not {value}")
    return Register(name, value)


def _pair(name: str, spelled: str, registers: Mapping[str, Register], path: Path) -> Register:
    """A register made of others, ``high:low``."""
    parts = spelled.split(":")
    for part in parts:
        if part not in registers:
            raise unknown("register", part, registers, path, offset=spelled.find(part))
        if registers[part].parts:
            raise FormatError(path, f"{part!r} is itself made of registers")
    if len(parts) < 2 or len(set(parts)) != len(parts):
        raise FormatError(path, f'expected different registers, high:low, not "{spelled}"')
    text = name if ":" not in name else parts[-1]
    return Register(name, sum(registers[p].width for p in parts), tuple(reversed(parts)), text=text)


def _classes(table: Mapping[str, str], registers: dict[str, Register]) -> dict[str, tuple[str, ...]]:
    """The classes; pairs without a name that they list become registers."""
    found: dict[str, tuple[str, ...]] = {}
    for name, spelled in table.items():
        path = ("class", name)
        with at(path):
            members = words.names(spelled)
        for member in members:
            if ":" in member and member not in registers:
                registers[member] = _pair(member, member, registers, path)
            if member not in registers:
                raise unknown("register", member, registers, path, offset=max(spelled.find(member), 0))
        if not members:
            raise FormatError(path, f"the class {name!r} is empty: no operand could be one of it")
        if len(set(members)) != len(members):
            raise FormatError(path, f"the class {name!r} names a register twice")
        if len({registers[member].width for member in members}) > 1:
            raise FormatError(path, f"the registers of the class {name!r} differ in width")
        found[name] = members
    return found


def _part(name: str, item: Mapping[str, str]) -> Part:
    path = ("part", name, "is")
    with at(path):
        tree = does.expression(item["is"])
    for other in mentioned(tree) - {"A"}:
        raise unknown("name", other, ["A"], path, offset=max(item["is"].find(other), 0))
    return Part(name, tree, item["text"])


def _number(name: str, item: str | Mapping[str, Any], parts: Mapping[str, Part]) -> Number:
    table: Mapping[str, Any] = {"in": item} if isinstance(item, str) else item
    path: Path = ("number", name) if isinstance(item, str) else ("number", name, "in")
    step = table.get("step", 1)
    with at(path):
        runs = tuple((low, high, step) for low, high in words.integers(table["in"]))
    accepted = tuple(table.get("symbol", "").split())
    for part in accepted:
        if part not in parts:
            raise unknown("part", part, parts, ("number", name, "symbol"), offset=table["symbol"].find(part))
    return Number(name, Ranges(runs), accepted)


def per_core(value: object, cores: tuple[str, ...], path: Path) -> tuple[int | None, ...]:
    """`cycles` and the like as one number per core; None where the core lacks it."""
    if not isinstance(value, list):
        assert isinstance(value, int)
        return (value,) * len(cores)
    if len(value) != len(cores):
        raise FormatError(path, f"{len(value)} numbers, but there are {len(cores)} cores ({', '.join(cores)})")
    return tuple(None if item == "-" else item for item in value)

"""Reading the rows and addressing modes of a table of facts, its types and keys checked, into `Row` and `Mode`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from bitsel.errors import Location
from bitsel.target import does
from bitsel.target.does import DoesError, PutIn, Statement
from bitsel.target.expr import Assign, Expr, Name
from bitsel.target.facts import (
    Cell,
    Mode,
    NumberOperand,
    Operand,
    Placeholder,
    Ranges,
    RegisterOperand,
    Row,
    Slot,
)
from bitsel.target.kinds import FormatError
from bitsel.target.positions import Path
from bitsel.target.vocabulary import (
    Vocabulary,
    at,
    check_new_name,
    mentioned,
    mentioned_in,
    per_core,
    unknown,
)
from bitsel.target.words import integers

Modes = Mapping[str, Mapping[str, Mode]]
Alternatives = tuple["Operand | Mode", ...]

_HOLE = re.compile(r"\{([^{}:]*)(:[^{}]*)?\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NO_BRACE = re.compile(r"[{}]")
_IN_PLACE: tuple[Statement, ...] = (PutIn(),)


@frozen
class _Text:
    """A row's or mode's text taken apart; the kinds are (what follows the colon, its offset in the text)."""

    pieces: tuple[str | Slot | Placeholder, ...]
    kinds: Mapping[str, tuple[str, int]]


def _text(text: str, path: Path) -> _Text:
    pieces: list[str | Slot | Placeholder] = []
    kinds: dict[str, tuple[str, int]] = {}
    end = 0

    def literal(upto: int) -> None:
        between = text[end:upto]
        if stray := _NO_BRACE.search(between):
            raise FormatError(path, f"a lone {stray.group()!r}", offset=end + stray.start())
        if between:
            pieces.append(between)

    for hole in _HOLE.finditer(text):
        literal(hole.start())
        end = hole.end()
        name, kind = hole[1], hole[2]
        if kind is None and name == "op":
            pieces.append(Placeholder("op"))
        elif kind is None and name == "w":
            pieces.append(Placeholder("w"))
        elif kind is None:
            raise FormatError(path, f"{{{name}}} must be {{op}}, {{w}} or {{name:kind}}", offset=hole.start())
        elif not _NAME.fullmatch(name):
            raise FormatError(path, f"{name!r} cannot be an operand's name", offset=hole.start())
        elif name in kinds:
            raise FormatError(path, f"the operand {name!r} is here twice", offset=hole.start())
        else:
            pieces.append(Slot(name))
            kinds[name] = (kind[1:], hole.start(2) + 1)
    literal(len(text))
    if not pieces:
        raise FormatError(path, "the text is empty")
    return _Text(tuple(pieces), kinds)


def read_modes(data: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, dict[str, Mode]]:
    found: dict[str, dict[str, Mode]] = {}
    for group, table in data.items():
        if group in vocabulary.registers or group in vocabulary.classes or group in vocabulary.numbers:
            raise FormatError(("mode", group), f"{group!r} is a register, class or number already", on_key=True)
        if not table:
            raise FormatError(("mode", group), f"the group {group!r} has no modes", on_key=True)
        found[group] = {name: _mode(group, name, item, vocabulary) for name, item in table.items()}
    return found


def _mode(group: str, name: str, item: Mapping[str, Any], vocabulary: Vocabulary) -> Mode:
    path = ("mode", group, name)
    text = _text(item["text"], (*path, "text"))
    if any(isinstance(piece, Placeholder) for piece in text.pieces):
        raise FormatError((*path, "text"), "{op} and {w} stand in a row's text only")
    operands: dict[str, Operand] = {}
    for operand in text.kinds:
        alternatives = _alternatives(operand, text, {}, vocabulary, (*path, "text"))
        if len(alternatives) != 1 or isinstance(alternatives[0], Mode):
            raise FormatError((*path, "text"), f"the operand {operand!r} must be of one kind in a mode")
        operands[operand] = alternatives[0]
    place = vocabulary.expression(item["is"], (*path, "is"), operands)
    first = vocabulary.statements(item.get("first", ""), (*path, "first"), operands)
    then = vocabulary.statements(item.get("then", ""), (*path, "then"), operands)
    if PutIn() in (*first, *then) or does.OP in (place,):
        raise FormatError(path, "{op} stands in a row only")
    for operand in operands:
        if operand not in mentioned(place) | mentioned_in(first) | mentioned_in(then):
            raise FormatError((*path, "is"), f"the operand {operand!r} of the text is not used")
    return Mode(
        group,
        name,
        tuple(piece for piece in text.pieces if not isinstance(piece, Placeholder)),
        operands,
        place,
        item.get("bytes", 0),
        per_core(item.get("cycles", 0), vocabulary.cores, (*path, "cycles")),
        first,
        then,
        item.get("unverified", ""),
    )


def _alternatives(name: str, text: _Text, modes: Modes, vocabulary: Vocabulary, path: Path) -> Alternatives:
    """What the operand `name` can be: the registers it names (as one operand), numbers, modes, in written order."""
    check_new_name(name, path)
    kind, offset = text.kinds[name]
    registers: list[str] = []
    others: list[Operand | Mode] = []
    group: Mapping[str, Mode] = {}
    for word in kind.split("|"):
        stem, dot, rest = word.partition(".")
        if dot and stem in modes:
            group = modes[stem]
            if rest not in group:
                raise unknown("mode", word, [f"{stem}.{mode}" for mode in group], path, offset=offset)
            others.append(group[rest])
        elif word in group:
            others.append(group[word])
        elif word in modes:
            group = {}
            others.extend(modes[word].values())
        elif word in vocabulary.classes:
            registers.extend(vocabulary.classes[word])
        elif word in vocabulary.registers:
            registers.append(word)
        elif word in vocabulary.numbers:
            others.append(NumberOperand(name, vocabulary.numbers[word]))
        else:
            known = [*group, *modes, *vocabulary.classes, *vocabulary.numbers, *vocabulary.registers]
            raise unknown("kind of operand", word, known, path, offset=offset)
        offset += len(word) + 1
    if len(set(registers)) != len(registers):
        raise FormatError(path, f"the operand {name!r} names a register twice", offset=text.kinds[name][1])
    if len({vocabulary.registers[register].width for register in registers}) > 1:
        raise FormatError(
            path, f"the registers of the operand {name!r} differ in width", offset=text.kinds[name][1]
        )
    return (*([RegisterOperand(name, tuple(registers))] if registers else []), *others)


def read_rows(
    data: Sequence[Mapping[str, Any]],
    modes: Modes,
    vocabulary: Vocabulary,
    where: Sequence[Location],
    table: str = "insn",
) -> tuple[Row, ...]:
    """The rows of `table` in order; `where` is the place of each."""
    return tuple(_RowReader(item, (table, i), modes, vocabulary).row(i, where[i]) for i, item in enumerate(data))


def read_aliases(data: Mapping[str, str], modes: Modes, vocabulary: Vocabulary) -> dict[str, str]:
    """Spelling -> what it stands for, both row texts; the second names operands of the first as ``{name}``."""
    for spelling, meant in data.items():
        path = ("alias", spelling)
        try:
            text = _text(spelling, path)
            for name in text.kinds:
                _alternatives(name, text, modes, vocabulary, path)
        except FormatError as problem:
            problem.on_key = True  # the text is the key
            raise
        known = {*text.kinds, *(piece.name for piece in text.pieces if isinstance(piece, Placeholder))}
        for hole in _HOLE.finditer(meant):
            if hole[1] not in known or hole[2] is not None:
                raise unknown("operand of the spelling", hole[1], sorted(known), path, offset=hole.start())
    return dict(data)


class _RowReader:
    """One row: its parts are read one by one, then checked against each other."""

    def __init__(self, item: Mapping[str, Any], path: Path, modes: Modes, vocabulary: Vocabulary) -> None:
        self.item = item
        self.path = path
        self.modes = modes
        self.vocabulary = vocabulary
        self.text = _text(item["text"], self.key("text"))
        self.operands = {
            name: _alternatives(name, self.text, modes, vocabulary, self.key("text")) for name in self.text.kinds
        }
        self.let: dict[str, Expr] = {}
        for name, spelled in item.get("let", {}).items():
            check_new_name(name, self.key("let", name))
            if name in self.operands or not _NAME.fullmatch(name):
                raise FormatError(self.key("let", name), f"{name!r} cannot be a name here", on_key=True)
            self.let[name] = vocabulary.expression(spelled, self.key("let", name), self.operands)

    def key(self, *keys: str) -> Path:
        return (*self.path, *keys)

    def row(self, order: int, where: Location) -> Row:
        item, vocabulary = self.item, self.vocabulary
        ops, statements = self.ops(), self.does()
        self.check_meaning(ops, statements)
        row = Row(
            text=self.text.pieces,
            operands=self.operands,
            ops=ops,
            widths=self.widths(),
            does=statements,
            let=self.let,
            bytes=item["bytes"],
            cycles=per_core(item["cycles"], vocabulary.cores, self.key("cycles")),
            cells=tuple(self.cell(key, cell) for key, cell in item.get("cells", {}).items()),
            bit=item.get("bit", False),
            flow=item.get("flow"),
            needs=item.get("needs"),
            within=self.within(),
            emitted_by=tuple(item.get("emitted_by", ())),
            reads=self.used("reads"),
            writes=self.used("writes"),
            idle=item.get("writes") == "",
            late=self.late(),
            source=item.get("source", ""),
            unverified=item.get("unverified", ""),
            order=order,
            where=where,
        )
        self.check_use(row)
        return row

    def scope(self) -> list[str]:
        return [*self.operands, *self.let]

    def ops(self) -> tuple[tuple[str, tuple[Statement, ...] | Expr], ...]:
        placed = Placeholder("op") in self.text.pieces
        if placed != ("ops" in self.item):
            raise FormatError(self.key("text"), "{op} in the text and the key 'ops' belong together")
        found = []
        for name, spelled in self.item.get("ops", {}).items():
            path = self.key("ops", name)
            if not re.fullmatch(r"\S+", name):
                raise FormatError(path, f"{name!r} cannot be a mnemonic", on_key=True)
            with at(path):
                meaning = does.meaning(spelled)
            if isinstance(meaning, tuple):
                if PutIn() in meaning:
                    raise FormatError(path, "{op} cannot stand in its own meaning")
                self.vocabulary.check_statements(meaning, self.scope(), path, spelled)
            else:
                self.vocabulary.check_names((meaning,), self.scope(), path, spelled)
            found.append((name, meaning))
        if placed and not found:
            raise FormatError(self.key("ops"), "no mnemonics")
        return tuple(found)

    def does(self) -> tuple[Statement, ...]:
        item = self.item
        if "does" in item:
            return self.vocabulary.statements(item["does"], self.key("does"), self.scope())
        if "ops" in item:
            return _IN_PLACE
        if not {"reads", "writes", "flow"} & set(item):
            message = "[[insn]] says nothing of what it does: it has no 'does' and no 'ops'"
            raise FormatError(self.path, message, on_key=True)
        return ()

    def check_meaning(
        self, ops: tuple[tuple[str, tuple[Statement, ...] | Expr], ...], statements: tuple[Statement, ...]
    ) -> None:
        """`{op}` is used, and each mnemonic's meaning fits where it stands."""
        spelled = str(self.item.get("does", "{op}"))
        if ops and "{op}" not in spelled.replace(" ", ""):
            raise FormatError(self.key("does"), "the row has 'ops', but {op} is not in its 'does'")
        if not ops and "{op}" in self.item.get("does", "").replace(" ", ""):
            raise FormatError(self.key("does"), "{op} is in 'does', but the row has no 'ops'")
        for name, meaning in ops:
            try:
                does.put_in(statements, meaning)
            except DoesError as error:
                raise FormatError(self.key("ops", name), error.message) from None
            if isinstance(meaning, tuple) and PutIn() not in statements:
                raise FormatError(
                    self.key("ops", name), "{op} stands in an expression, but its meaning is a statement"
                )

    def widths(self) -> tuple[tuple[str, int], ...]:
        placed = Placeholder("w") in self.text.pieces
        if placed != ("w" in self.item):
            raise FormatError(self.key("text"), "{w} in the text and the key 'w' belong together")
        if "w" in self.item and "width" in self.item:
            raise FormatError(self.key("width"), "the key 'w' gives the widths already", on_key=True)
        widths = self.item.get("w", {"": self.item.get("width", 8)})
        if not widths:
            raise FormatError(self.key("w"), "no widths")
        return tuple(widths.items())

    def used(self, key: str) -> tuple[str, ...]:
        """The operands, and registers, that `reads` or `writes` lists."""
        text = self.item.get(key, "")
        operands = tuple(word for word in text.split() if word in self.operands)
        others = " ".join(word for word in text.split() if word not in self.operands)
        return (*operands, *self.vocabulary.names_of_registers(others, self.key(key)))

    def cell(self, key: str, item: Mapping[str, Any]) -> Cell:
        path = self.key("cells", key)
        taken = {f"{m.group}.{m.name}" for group in self.operands.values() for m in group if isinstance(m, Mode)}
        for mode in key.split():
            if mode not in taken:
                raise unknown("mode of this row", mode, sorted(taken), path, on_key=True)
        cycles = item.get("cycles")
        return Cell(
            frozenset(key.split()),
            item.get("bytes"),
            None if cycles is None else per_core(cycles, self.vocabulary.cores, (*path, "cycles")),
        )

    def within(self) -> Ranges | None:
        if "within" not in self.item:
            return None
        top = (1 << self.vocabulary.address_bits) - 1
        with at(self.key("within")):
            runs = integers(self.item["within"])
        if any(low < 0 or high > top for low, high in runs):
            raise FormatError(self.key("within"), f"expected addresses inside the address space 0..{top:#x}")
        return Ranges(tuple((low, high, 1) for low, high in runs))

    def late(self) -> dict[str, tuple[int | None, ...]]:
        found = {}
        for name, cycles in self.item.get("late", {}).items():
            path = self.key("late", name)
            if name not in self.operands and name not in self.vocabulary.registers:
                known = [*self.operands, *self.vocabulary.registers]
                raise unknown("operand or register", name, known, path, on_key=True)
            found[name] = per_core(cycles, self.vocabulary.cores, path)
        return found

    def check_use(self, row: Row) -> None:
        """Every operand is used, no number is assigned, and no operand hides a register that the row needs."""
        bodies = [does.put_in(row.does, meaning) for _, meaning in row.ops] or [does.put_in(row.does, None)]
        used = set(row.reads) | set(row.writes) | {name for body in bodies for name in mentioned_in(body)}
        for name, place in row.let.items():
            if name not in used:
                raise FormatError(self.key("let", name), f"{name!r} is not used", on_key=True)
            used |= mentioned(place)
        for name, alternatives in row.operands.items():
            if name not in used and row.flow is None:
                raise self.operand_problem(name, f"the operand {name!r} is not used in 'does'")
            numeric = any(isinstance(a, NumberOperand) for a in alternatives)
            if numeric and name in row.writes:
                raise self.operand_problem(name, f"the operand {name!r} is a number and cannot be written")
            if numeric and any(Name(name) in statement.targets for body in bodies for statement in body):
                raise self.operand_problem(name, f"the operand {name!r} is a number and cannot be assigned")
            if name in self.vocabulary.registers:
                self.check_hiding(name, bodies)

    def check_hiding(self, name: str, bodies: Sequence[tuple[Assign, ...]]) -> None:
        """The operand `name` hides a register: a row in which a mode needs that register, or which seems to set
        the flag of that name, cannot be told from one that means the operand."""
        in_mode = any(
            name in mentioned(mode.place) | mentioned_in(mode.first) | mentioned_in(mode.then)
            for others in self.operands.values()
            for mode in others
            if isinstance(mode, Mode) and name not in mode.operands
        )
        is_flag = self.vocabulary.registers[name].width == 1
        if in_mode or (is_flag and any(_set_and_used(name, body) for body in bodies)):
            hint = "give the operand another name"
            message = f"the operand {name!r} hides the register {name!r}, which this row needs too"
            raise self.operand_problem(name, message, hint)

    def operand_problem(self, name: str, message: str, hint: str | None = None) -> FormatError:
        return FormatError(self.key("text"), message, hint=hint, offset=self.text.kinds[name][1])


def _set_and_used(name: str, body: tuple[Assign, ...]) -> bool:
    """Whether one statement sets `name` to something new, and another one uses it."""
    for setting in body:
        new = Name(name) in setting.targets and not any(name in mentioned(value) for value in setting.values)
        others = [value for other in body if other is not setting for value in other.values]
        if new and any(name in mentioned(value) for value in others):
            return True
    return False

"""From rows to forms: one per mnemonic, width suffix and choice of addressing modes, for one device.

In a form's `does` nothing is left to look up: modes, `let` names, constants and widths are put in. An operand of a
mode keeps its name unless that name is already taken in the form; then it gets the row operand's in front::

    mov {v:mem.hld}, #{i:u8}    v is m[near + hl + i]    ->    m8[0xf0000 + hl + v_i] = i
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from attrs import field, frozen

from bitsel.target import does
from bitsel.target.expr import Assign, Binary, Expr, Mem, Name, Num, Unary, Unspecified, rewrite, rewrite_statement
from bitsel.target.facts import (
    Device,
    Form,
    Mode,
    NumberOperand,
    Operand,
    Placeholder,
    RegisterOperand,
    Row,
    Slot,
    Target,
)
from bitsel.target.vocabulary import mentioned_in

Leaf = Callable[[Expr], "Expr | None"]


@frozen
class _Request:
    """What the forms depend on; the target stands for its hash."""

    hash: str
    core: str
    features: frozenset[str]
    constants: tuple[tuple[str, int], ...]
    target: Target = field(eq=False)


def forms(target: Target, device: Device) -> tuple[Form, ...]:
    """Every form that `device` has, in the order of the table; costs are those of its core."""
    return _forms(_request(target, device))


def read_only_forms(target: Target, device: Device) -> tuple[Form, ...]:
    """The forms of `device` that assembly is read by, and nothing else."""
    return _read_only_forms(_request(target, device))


def _request(target: Target, device: Device) -> _Request:
    return _Request(target.hash, device.core, device.features, tuple(sorted(device.constants.items())), target)


@lru_cache(maxsize=16)
def _forms(request: _Request) -> tuple[Form, ...]:
    return _expanded(request, request.target.rows)


@lru_cache(maxsize=16)
def _read_only_forms(request: _Request) -> tuple[Form, ...]:
    return _expanded(request, request.target.read_only)


def _expanded(request: _Request, rows: Sequence[Row]) -> tuple[Form, ...]:
    target = request.target
    core = target.cores.index(request.core)
    found: list[Form] = []
    for row in rows:
        if row.needs is None or row.needs in request.features:
            found.extend(row_forms(row, target, core, dict(request.constants), len(found)))
    return tuple(found)


def row_forms(row: Row, target: Target, core: int, constants: Mapping[str, int], order: int = 0) -> Iterator[Form]:
    """The forms of one row on the core of that number; `order` is the first one's place in the table."""
    choices = [_uses(row, name, target) for name in row.operands]
    for suffix, width in row.widths:
        meanings = [(op, does.put_in(row.does, meaning)) for op, meaning in row.ops] or [
            ("", does.put_in(row.does, None))
        ]
        for op, statements in meanings:
            for uses in product(*choices):
                cost = cost_of(row, [use.mode for use in uses if use.mode is not None], core)
                if cost is not None:
                    writer = _FormWriter(row, target, uses, width, constants)
                    yield writer.form(op, suffix, statements, cost, core, order)
                    order += 1


@frozen
class _Use:
    """One alternative of the row's operand `name`: its text, the form's operands of it, and the place it is.

    A mode's place is still to be read with `renamed`, the new names of its operands.
    """

    name: str
    text: tuple[str | Slot, ...]
    operands: Mapping[str, Operand]
    place: Expr
    mode: Mode | None = None
    renamed: Mapping[str, Expr] = field(factory=dict)


def _uses(row: Row, name: str, target: Target) -> list[_Use]:
    """The alternatives of operand `name`; a mode's operands are renamed where the form has the name already."""
    several = sum(any(isinstance(a, Mode) for a in alternatives) for alternatives in row.operands.values()) > 1
    taken = target.registers.keys() | row.operands.keys() | row.let.keys()
    found = []
    for alternative in row.operands[name]:
        if isinstance(alternative, RegisterOperand) and len(alternative.registers) == 1:
            register = target.registers[alternative.registers[0]]
            found.append(_Use(name, (register.text,), {}, Name(register.name)))
            continue
        if not isinstance(alternative, Mode):
            found.append(_Use(name, (Slot(name),), {name: alternative}, Name(name)))
            continue
        names = {}
        for operand in alternative.operands:
            new = operand
            while (several and new == operand) or new in taken:
                new = f"{name}_{new}"
            names[operand] = new
        found.append(
            _Use(
                name,
                tuple(Slot(names[p.name]) if isinstance(p, Slot) else p for p in alternative.text),
                {names[old]: _named(operand, names[old]) for old, operand in alternative.operands.items()},
                alternative.place,
                alternative,
                {old: Name(new) for old, new in names.items()},
            )
        )
    return found


def _named(operand: Operand, name: str) -> Operand:
    if isinstance(operand, RegisterOperand):
        return RegisterOperand(name, operand.registers)
    return NumberOperand(name, operand.number)


def cost_of(row: Row, modes: Sequence[Mode], core: int) -> tuple[int, int] | None:
    """Bytes and cycles of the row with these modes in all, or None where the core lacks it or one of them."""
    cycles = [row.cycles[core], *(mode.cycles[core] for mode in modes)]
    known = [number for number in cycles if number is not None]
    if len(known) < len(cycles):
        return None
    total_bytes, total_cycles = row.bytes + sum(mode.bytes for mode in modes), sum(known)
    taken = {f"{mode.group}.{mode.name}" for mode in modes}
    for cell in row.cells:
        if cell.modes <= taken:
            if cell.bytes is not None:
                total_bytes = cell.bytes
            if cell.cycles is not None:
                number = cell.cycles[core]
                if number is None:
                    return None
                total_cycles = number
    return total_bytes, total_cycles


class _FormWriter:
    """Puts the modes of one choice, names and numbers into a row's text and statements."""

    def __init__(
        self, row: Row, target: Target, uses: tuple[_Use, ...], width: int, constants: Mapping[str, int]
    ) -> None:
        self.row = row
        self.target = target
        self.uses = uses
        self.width = width
        self.constants = constants
        self.numbers: dict[str, Expr] = {name: Num(value) for name, value in constants.items()}
        self.numbers["width"] = Num(width)
        self.operands: dict[str, Operand] = {}
        self.names: dict[str, Expr] = {}
        for use in uses:
            self.operands.update(use.operands)
        for use in uses:
            self.names[use.name] = rewrite(use.place, self.leaf(use.renamed)) if use.mode else use.place
        for name, place in row.let.items():
            self.names[name] = rewrite(place, self.leaf(self.names))

    def leaf(self, names: Mapping[str, Expr]) -> Leaf:
        """Replaces `names`, constants and `width`, and gives every memory place its width."""

        def replace(item: Expr) -> Expr | None:
            match item:
                case Name(name):
                    return names.get(name) or self.numbers.get(name)
                case Mem(None, address):
                    return Mem(self.width, rewrite(address, replace))
                case _:
                    return None

        return replace

    def form(
        self,
        op: str,
        suffix: str,
        statements: tuple[Assign, ...],
        cost: tuple[int, int],
        core: int,
        order: int,
    ) -> Form:
        row = self.row
        text = self.text(op, suffix)
        late = {name: cycles[core] for name, cycles in row.late.items()}
        modes = [use.mode for use in self.uses if use.mode is not None]
        return Form(
            mnemonic=text[0].split(maxsplit=1)[0] if isinstance(text[0], str) else "",
            text=text,
            operands=self.operands,
            does=self.does(statements),
            bytes=cost[0],
            cycles=cost[1],
            order=order,
            bit=row.bit,
            flow=row.flow,
            emitted_by=row.emitted_by,
            source=row.source,
            unverified=bool(row.unverified) or any(mode.unverified for mode in modes),
            reads=tuple(name for name in row.reads if name not in self.names),
            places=tuple(self.names[name] for name in row.operands if self.is_only_named(name, statements)),
            late={name: number for name, number in late.items() if number is not None},
            where=row.where,
            within=row.within,
        )

    def is_only_named(self, name: str, statements: tuple[Assign, ...]) -> bool:
        """Whether the operand `name` is read, though no statement says so."""
        row = self.row
        listed = name in row.reads or (row.flow is not None and name not in row.writes)
        return listed and name not in mentioned_in(statements)

    def text(self, op: str, suffix: str) -> tuple[str | Slot, ...]:
        texts = {use.name: use.text for use in self.uses}
        pieces: list[str | Slot] = []
        for piece in self.row.text:
            new: tuple[str | Slot, ...]
            if isinstance(piece, Placeholder):
                new = (op if piece.name == "op" else suffix,)
            elif isinstance(piece, Slot):
                new = texts[piece.name]
            else:
                new = (piece,)
            for part in new:
                if isinstance(part, str) and pieces and isinstance(pieces[-1], str):
                    pieces[-1] += part
                elif part:
                    pieces.append(part)
        return tuple(pieces)

    def does(self, statements: tuple[Assign, ...]) -> tuple[Assign, ...]:
        found: list[Assign] = []
        modes = [(use.mode, self.leaf(use.renamed)) for use in self.uses if use.mode is not None]
        for mode, leaf in modes:
            found.extend(rewrite_statement(s, leaf) for s in does.put_in(mode.first, None))
        leaf = self.leaf(self.names)
        found.extend(self.narrowed(statement, leaf) for statement in statements)
        for mode, leaf in modes:
            found.extend(rewrite_statement(s, leaf) for s in does.put_in(mode.then, None))
        places = (self.names.get(name, Name(name)) for name in self.row.writes)
        found.extend(Assign((place,), (Unspecified(),)) for place in places if isinstance(place, (Name, Mem)))
        return tuple(found)

    def narrowed(self, statement: Assign, leaf: Leaf) -> Assign:
        """`statement` with everything put in. Where the row is narrower than a register operand, its low bits are
        what is read, and the target's `narrow` says what a write does to the others."""
        wide = {
            name: place for name, place in self.names.items() if isinstance(place, Name) and self.wider(place.id)
        }
        if not wide:
            return rewrite_statement(statement, leaf)
        mask = Num((1 << self.width) - 1)

        def low(item: Expr) -> Expr | None:
            if isinstance(item, Name) and item.id in wide:
                return Binary("&", wide[item.id], mask)
            return leaf(item) if isinstance(item, (Name, Mem)) else None

        targets = tuple(rewrite(t, leaf) for t in statement.targets)
        values = []
        for target, new, value in zip(statement.targets, targets, statement.values, strict=True):
            narrow = isinstance(target, Name) and target.id in wide
            # What is cut to the row's width when it is written needs no cutting before.
            cut = narrow or (isinstance(new, Mem) and new.width == self.width)
            value = rewrite(value, leaf if cut and _low_bits_suffice(value) else low)
            if isinstance(target, Name) and narrow:
                value = self.kept(value, mask, new, wide[target.id])
            values.append(value)
        return Assign(targets, tuple(values))  # type: ignore[arg-type]

    def kept(self, value: Expr, mask: Num, register: Expr, place: Name) -> Expr:
        """`value`, as wide as the row, with the other bits of the wider `register` that it is written to."""
        if not (isinstance(value, Mem) and value.width == self.width):
            value = Binary("&", value, mask)
        if self.target.narrow == "keep":
            ones = (1 << self.register_width(place)) - 1
            value = Binary("|", value, Binary("&", register, Num(ones & ~mask.value)))
        return value

    def wider(self, name: str) -> bool:
        """Whether `name` is a register, or an operand that is one, wider than a row with a width suffix."""
        return Placeholder("w") in self.row.text and self.register_width(Name(name)) > self.width

    def register_width(self, place: Expr) -> int:
        assert isinstance(place, Name)
        operand = self.operands.get(place.id)
        if isinstance(operand, RegisterOperand):
            return self.target.registers[operand.registers[0]].width
        register = None if operand else self.target.registers.get(place.id)
        return register.width if register else 0


def _low_bits_suffice(value: Expr) -> bool:
    """Whether the low bits of a value depend on the low bits of what is in it alone."""
    match value:
        case Name() | Num() | Mem() | Unspecified():
            return True
        case Unary("~" | "-", inner):
            return _low_bits_suffice(inner)
        case Binary("&" | "|" | "^" | "+" | "-", left, right):
            return _low_bits_suffice(left) and _low_bits_suffice(right)
    return False

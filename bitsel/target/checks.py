"""Checks of a whole table: rows nobody can use, two forms with one spelling, numbers that do not fit.

They need all of a target's facts at once, but not its expanded forms: loading must stay cheap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from bitsel.target import does
from bitsel.target.expand import cost_of
from bitsel.target.expr import Assign, Binary, Expr, Mem, Name, Num, rewrite
from bitsel.target.facts import (
    Mode,
    Number,
    NumberOperand,
    Operand,
    Placeholder,
    RegisterOperand,
    Row,
    Slot,
    Target,
)
from bitsel.target.kinds import FormatError
from bitsel.target.positions import Path
from bitsel.target.vocabulary import memory_in, unknown

# A text's shape (operands are blanks) and what may stand in each blank.
_Spelling = tuple[str, tuple[Operand, ...]]


def check(target: Target) -> None:
    """Raises `FormatError` where the table does not hold together."""
    features = {feature for device in target.devices.values() for feature in device.features}
    for row in target.rows:
        _check_usable(row, features)
        _check_costs(row)
        _check_effect(row, target)
    for group in target.modes.values():
        for mode in group.values():
            _check_addresses([mode.place], mode.operands, target)
    _check_spellings(target)


def _check_usable(row: Row, features: set[str]) -> None:
    path: Path = ("insn", row.order)
    cores = range(len(row.cycles))
    if all(row.cycles[core] is None for core in cores):
        raise FormatError((*path, "cycles"), "no core has this instruction")
    for name, alternatives in row.operands.items():
        modes = [a for a in alternatives if isinstance(a, Mode)]
        for mode in modes:
            if not any(row.cycles[core] is not None and mode.cycles[core] is not None for core in cores):
                message = f"no core has this instruction with {mode.group}.{mode.name} as {name!r}"
                raise FormatError((*path, "text"), message)
    if row.within is not None and not _reaches_memory(row):
        raise FormatError((*path, "within"), "the instruction has no memory operand", on_key=True)
    if row.needs is not None and row.needs not in features:
        raise unknown("feature", row.needs, sorted(features), (*path, "needs"))


def _reaches_memory(row: Row) -> bool:
    places = [mode.place for uses in row.operands.values() for mode in uses if isinstance(mode, Mode)]
    for _, meaning in row.ops or [("", None)]:
        for statement in does.put_in(row.does, meaning):
            places += [*statement.targets, *statement.values]
    return any(memory_in(place) for place in (*places, *row.let.values()))


def _check_costs(row: Row) -> None:
    """With whatever modes, the instruction has a length, and takes time: a search for the least cost needs both."""
    path: Path = ("insn", row.order)
    for modes in _choices_of_modes(row):
        for core in range(len(row.cycles)):
            size, time = cost_of(row, modes, core) or (1, 1)
            with_modes = "".join(f" with {mode.group}.{mode.name}" for mode in modes)
            if size < 1:
                raise FormatError((*path, "bytes"), f"the instruction{with_modes} is {size} bytes long")
            if time < 1:
                raise FormatError((*path, "cycles"), f"the instruction{with_modes} takes {time} clocks")


def _choices_of_modes(row: Row) -> Iterator[tuple[Mode, ...]]:
    for uses in product(*row.operands.values()):
        yield tuple(use for use in uses if isinstance(use, Mode))


def _check_effect(row: Row, target: Target) -> None:
    """The row does something, its shifts and immediates fit, and it says what it does to wide registers."""
    for op, meaning in row.ops or [(None, None)]:
        body = does.put_in(row.does, meaning)
        path: Path = ("insn", row.order, *(("does",) if op is None else ("ops", op)))
        if not (body or row.writes or row.flow or row.idle):
            raise FormatError(path, "the instruction does nothing")
        numbers = {
            name: alternative.number
            for name, alternatives in row.operands.items()
            for alternative in alternatives
            if isinstance(alternative, NumberOperand)
        }
        for statement in body:
            for tree in (*statement.targets, *statement.values):
                _check_shifts(tree, numbers, path)
            _check_immediates(statement, row, numbers, target, path)
            operands = {n: a for n, others in row.operands.items() for a in others if not isinstance(a, Mode)}
            _check_addresses([*statement.targets, *statement.values, *row.let.values()], operands, target)
    if target.narrow is None and _has_narrow_operand(row, target):
        message = "an instruction narrower than its registers: what becomes of their other bits?"
        hint = 'say so by narrow = "zero" or "keep" in [target]'
        raise FormatError(("insn", row.order, "w"), message, hint=hint)


def _has_narrow_operand(row: Row, target: Target) -> bool:
    if Placeholder("w") not in row.text:
        return False
    narrowest = min(width for _, width in row.widths)
    places = [a for others in row.operands.values() for a in others if isinstance(a, RegisterOperand)]
    for others in row.operands.values():
        for mode in others:
            if isinstance(mode, Mode) and isinstance(mode.place, Name):
                operand = mode.operands.get(mode.place.id)
                places.extend([operand] if isinstance(operand, RegisterOperand) else [])
    return any(target.registers[place.registers[0]].width > narrowest for place in places)


def _check_shifts(tree: Expr, numbers: Mapping[str, Number], path: Path) -> None:
    """No shift amount of operands alone can be negative or beyond 64."""

    def look(item: Expr) -> None:
        if isinstance(item, Binary) and item.op in ("<<", ">>"):
            bounds = _bounds(item.right, numbers)
            if bounds is not None and (bounds[0] < 0 or bounds[1] > 64):
                message = f"the shift by {does.show(item.right)} can be by {bounds[0]} to {bounds[1]} bits"
                raise FormatError(path, message)

    rewrite(tree, look)


def _bounds(tree: Expr, numbers: Mapping[str, Number]) -> tuple[int, int] | None:
    """The least and the greatest value of an expression of immediates, or None where it is more than that."""
    match tree:
        case Num(value):
            return value, value
        case Name(name) if name in numbers:
            runs = numbers[name].ranges.runs
            return min(low for low, _, _ in runs), max(high for _, high, _ in runs)
        case Binary("+" | "-" as op, left, right):
            a, b = _bounds(left, numbers), _bounds(right, numbers)
            if a is None or b is None:
                return None
            return (a[0] + b[0], a[1] + b[1]) if op == "+" else (a[0] - b[1], a[1] - b[0])
        case _:
            return None


def _check_immediates(
    statement: Assign, row: Row, numbers: Mapping[str, Number], target: Target, path: Path
) -> None:
    """An immediate that is assigned, or combined with what is assigned, fits the place; so does a bit's number."""
    if len(row.widths) > 1:
        return  # such an immediate is cut to the instruction's width
    for place, value in zip(statement.targets, statement.values, strict=True):
        width = _width(place, row, target)
        if width is None:
            continue
        combined = isinstance(value, Binary) and value.op in ("&", "|", "^")
        for part in (value.left, value.right) if isinstance(value, Binary) and combined else (value,):
            match part:
                case Name(name) if name in numbers:
                    low, high = _bounds(part, numbers) or (0, 0)
                    if low < -(1 << width - 1) or high >= 1 << width:
                        message = f"{name!r} can be {low} to {high}, which does not fit {width} bits"
                        raise FormatError(path, message)
                case Binary("<<", Num(1), Name(name)) if name in numbers:
                    high = (_bounds(Name(name), numbers) or (0, 0))[1]
                    if high >= width:
                        raise FormatError(path, f"{name!r} can be {high}, but there are only {width} bits")


def _width(place: Expr, row: Row, target: Target) -> int | None:
    """The width of a place in bits, None where its alternatives differ."""
    if isinstance(place, Mem):
        return place.width or row.widths[0][1]
    if not isinstance(place, Name):
        return None
    if place.id in row.let:
        return _width(row.let[place.id], row, target)
    if place.id not in row.operands:
        return target.registers[place.id].width if place.id in target.registers else None
    widths = set()
    for alternative in row.operands[place.id]:
        if isinstance(alternative, RegisterOperand):
            widths.add(target.registers[alternative.registers[0]].width)
        elif isinstance(alternative, Mode) and isinstance(alternative.place, Mem):
            widths.add(alternative.place.width or row.widths[0][1])
    return widths.pop() if len(widths) == 1 else None


def _check_addresses(trees: list[Expr], operands: Mapping[str, Operand], target: Target) -> None:
    """A number that is by itself the address of memory lies inside the address space."""
    top = (1 << target.address_bits) - 1
    for tree in trees:
        for memory in memory_in(tree):
            operand = operands.get(memory.address.id) if isinstance(memory.address, Name) else None
            if isinstance(operand, NumberOperand):
                bounds = _bounds(memory.address, {operand.name: operand.number})
                if bounds is not None and (bounds[0] < 0 or bounds[1] > top):
                    message = f"an address from {bounds[0]:#x} to {bounds[1]:#x} is outside 0..{top:#x}"
                    raise FormatError(("number", operand.number.name), message)


def _check_spellings(target: Target) -> None:
    """No two forms that a core has can be written alike."""
    seen: dict[str, list[tuple[tuple[Operand, ...], frozenset[int], Row]]] = {}
    for row in target.rows:
        for cores, (shape, blanks) in _spellings(row, target):
            for other_blanks, other_cores, other in seen.get(shape, ()):
                if cores & other_cores and all(map(_alike, blanks, other_blanks)):
                    line = f"line {other.where.line}" if other is not row else "itself"
                    text = shape.replace("\0", "...")
                    raise FormatError(("insn", row.order, "text"), f"'{text}' is written like a form of {line}")
            seen.setdefault(shape, []).append((blanks, cores, row))


def _alike(one: Operand, other: Operand) -> bool:
    if isinstance(one, RegisterOperand):
        return isinstance(other, RegisterOperand) and bool(set(one.registers) & set(other.registers))
    return isinstance(other, NumberOperand) and one.number.ranges == other.number.ranges


def _spellings(row: Row, target: Target) -> Iterator[tuple[frozenset[int], _Spelling]]:
    """Every spelling of a row, with the cores that have it."""
    for uses in product(*row.operands.values()):
        taken = dict(zip(row.operands, uses, strict=True))
        modes = [use for use in uses if isinstance(use, Mode)]
        cores = frozenset(
            core
            for core, cycles in enumerate(row.cycles)
            if cycles is not None and all(mode.cycles[core] is not None for mode in modes)
        )
        for suffix, _ in row.widths:
            for op, _ in row.ops or [("", ())]:
                yield cores, _spelling(row, taken, op, suffix, target)


def _spelling(row: Row, taken: Mapping[str, Operand | Mode], op: str, suffix: str, target: Target) -> _Spelling:
    text: list[str] = []
    blanks: list[Operand] = []

    def put(piece: str | Slot, operands: Mapping[str, Operand | Mode]) -> None:
        operand = piece if isinstance(piece, str) else operands[piece.name]
        if isinstance(operand, str):
            text.append(operand)
        elif isinstance(operand, Mode):
            for inner in operand.text:
                put(inner, operand.operands)
        elif isinstance(operand, RegisterOperand) and len(operand.registers) == 1:
            text.append(target.registers[operand.registers[0]].text)
        else:
            text.append("\0")
            blanks.append(operand)

    for piece in row.text:
        if isinstance(piece, Placeholder):
            text.append(op if piece.name == "op" else suffix)
        else:
            put(piece, taken)
    return "".join(text), tuple(blanks)

"""Level ``facts``: the table holds together, and every instruction form of a device can be used there.

Loading a target has checked its keys, types, names and ranges, so what is left to this level are questions about
whole forms: whether some address that the form can name allows its access; whether its meaning can be computed at
the ends of its operands' ranges; whether another form with another meaning is written like it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from bitsel.target.checks import check as check_table
from bitsel.target.devices import byte_facts
from bitsel.target.expand import forms
from bitsel.target.expr import Assign, Expr, Name, Num, rewrite_statement
from bitsel.target.facts import Device, Form, Number, NumberOperand, Operand, RegisterOperand, Slot, Target
from bitsel.target.kinds import FormatError
from bitsel.target.semantics import IntDomain, execute
from bitsel.target.show import table_rows
from bitsel.verify.direct import direct_operands
from bitsel.verify.result import RowResult

LEVEL = "facts"


def check(target: Target, device: Device) -> Iterator[RowResult]:
    """One result per form of `device`; one more where the table as a whole does not hold together."""
    problem = _table_problem(target)
    if problem is not None:
        yield RowResult(LEVEL, f"{target.name}: the table", "failed", problem)
    alike = _Alike()
    for form, row in zip(forms(target, device), table_rows(target, device), strict=True):
        wrong = _cannot_run(form, target) or alike.clash(form, row.text)
        if wrong:
            yield RowResult(LEVEL, row.text, "failed", wrong)
        else:
            yield _reachability(form, row.text, target, device)


def _table_problem(target: Target) -> str | None:
    """What loading would say of the table: for a target that was not loaded but made or changed in Python."""
    try:
        check_table(target)
    except FormatError as problem:
        return problem.message
    return None


# --- reachability -----------------------------------------------------------------------------------------------


def _reachability(form: Form, text: str, target: Target, device: Device) -> RowResult:
    number = _unreachable(form, target, device)
    if number is None:
        return RowResult(LEVEL, text, "ok", "unverified" if form.unverified else "")
    what = "1-bit manipulation" if form.bit else "access"
    detail = f"no address in the range of {number!r} allows {what} on {device.name}"
    # A table describes several devices: some of its forms are of use on others.
    if any(_unreachable(form, target, other) is None for other in target.devices.values()):
        return RowResult(LEVEL, text, "skipped", detail)
    return RowResult(LEVEL, text, "failed", f"{detail}, or on any other device")


def _unreachable(form: Form, target: Target, device: Device) -> str | None:
    """The number operand that cannot hold the address of any place the form may touch; None where all can."""
    for number, add in direct_operands(form):
        if not any(_usable(form, at, target, device) for at in _telling_addresses(number, add, target, device)):
            return number.name
    return None


def _usable(form: Form, address: int, target: Target, device: Device) -> bool:
    """Whether a program's object can lie there and this form may touch it. Any plain access may be the source's
    own, which is always allowed; a form that manipulates bits is not."""
    inside = any(space.within[0] <= address <= space.within[1] for space in target.spaces.values())
    return inside and (not form.bit or byte_facts(device, address).bit)


def _telling_addresses(number: Number, add: int, target: Target, device: Device) -> Iterator[int]:
    """Addresses `add` and the number can make, one at least of every stretch in which the device says the same."""
    ends = [
        *(end for space in target.spaces.values() for end in space.within),
        *(end for region in device.regions for end in (region.low - 1, region.low, region.high, region.high + 1)),
        *(end for address in device.registers for end in (address, address + 1)),
    ]
    for low, high, step in number.ranges.runs:
        low, high = low + add, high + add
        yield from (low, high - (high - low) % step)
        yield from (end for end in ends if low <= end <= high and (end - low) % step == 0)


# --- meaning ----------------------------------------------------------------------------------------------------


class _Idle:
    """A machine in which every register and all memory reads as `filling`: to see that a form can run."""

    def __init__(self, names: Mapping[str, int], filling: int) -> None:
        self.names = names
        self.filling = filling

    def read(self, name: str) -> int:
        return self.names.get(name, self.filling)

    def write(self, name: str, value: int) -> None:
        pass

    def load(self, width: int, address: int) -> int:
        return self.filling & (1 << width) - 1

    def store(self, width: int, address: int, value: int) -> None:
        pass


def _cannot_run(form: Form, target: Target) -> str | None:
    """Why the meaning cannot be computed at an end of an operand's range; None where it can."""
    numbers = {name: each.number for name, each in form.operands.items() if isinstance(each, NumberOperand)}
    for ends in product(*(_ends(number) for number in numbers.values())):
        names = dict(zip(numbers, ends, strict=True))
        for filling in (0, (1 << target.address_bits) - 1):
            try:
                execute(form.does, _Idle(names, filling), IntDomain())
            except (ValueError, OverflowError) as error:
                at = ", ".join(f"{name} = {value:#x}" for name, value in names.items())
                return f"its meaning cannot be computed at {at or 'any operand'}: {error}"
    return None


def _ends(number: Number) -> tuple[int, int]:
    runs = number.ranges.runs
    return min(low for low, _, _ in runs), max(high - (high - low) % step for low, high, step in runs)


# --- duplicates -------------------------------------------------------------------------------------------------


class _Alike:
    """The forms seen so far, by how they are written."""

    def __init__(self) -> None:
        self._seen: dict[str, list[tuple[Form, str]]] = {}

    def clash(self, form: Form, text: str) -> str | None:
        """What another form does differently under the same spelling; None where there is none."""
        shape = "".join(piece if isinstance(piece, str) else "\0" for piece in form.text)
        others = self._seen.setdefault(shape, [])
        for other, other_text in others:
            common = _common(form, other)
            if common is not None:
                mine, its = (dict(zip(_slots(each), common, strict=True)) for each in (form, other))
                if _bound(form, mine) != _bound(other, its):
                    return (
                        f"with operands {_spelled(common)} it is written like '{other_text}', which does otherwise"
                    )
        others.append((form, text))
        return None


def _slots(form: Form) -> list[str]:
    return [piece.name for piece in form.text if isinstance(piece, Slot)]


def _common(form: Form, other: Form) -> tuple[Expr, ...] | None:
    """Operands that both forms take, in the order of their text; None where there are none."""
    found = []
    for mine, its in zip(_slots(form), _slots(other), strict=True):
        value = _shared(form.operands[mine], other.operands[its])
        if value is None:
            return None
        found.append(value)
    return tuple(found)


def _shared(one: Operand, other: Operand) -> Expr | None:
    if isinstance(one, RegisterOperand) and isinstance(other, RegisterOperand):
        return next((Name(name) for name in one.registers if name in other.registers), None)
    if isinstance(one, NumberOperand) and isinstance(other, NumberOperand):
        starts = [low for each in (one, other) for low, _, _ in each.number.ranges.runs]
        both = (value for value in starts if value in one.number.ranges and value in other.number.ranges)
        return next((Num(value) for value in both), None)
    return None


def _bound(form: Form, operands: Mapping[str, Expr]) -> tuple[Assign, ...]:
    def put(item: Expr) -> Expr | None:
        return operands.get(item.id) if isinstance(item, Name) else None

    return tuple(rewrite_statement(statement, put) for statement in form.does)


def _spelled(operands: tuple[Expr, ...]) -> str:
    return ", ".join(
        each.id if isinstance(each, Name) else f"{each.value:#x}"
        for each in operands
        if isinstance(each, (Name, Num))
    )

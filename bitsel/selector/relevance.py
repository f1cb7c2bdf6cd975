"""Which forms can matter for a place, before any operand is filled in.

A form whose memory place is named through a register that can hold nothing known never reaches the cell. And a
form is *dominated* by another that does the same to the same place, costs no more, and needs fewer registers to
name it: on RL78 ``es:[hl]`` by ``[hl]`` for a cell in the near area, where ``es`` could hold nothing but the near
area's number. In any path the dominated form can be replaced by the other, and the register is free; so leaving
both kinds out loses nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from itertools import product

from attrs import frozen

from bitsel.selector.cell import Place
from bitsel.selector.ground import FormUses, walk
from bitsel.selector.lanes import LaneDomain, Value
from bitsel.target.expr import Assign, Expr, Mem, Name, Num, rewrite_statement
from bitsel.target.facts import Number, NumberOperand, RegisterOperand, Target
from bitsel.target.semantics import evaluate


@frozen(eq=False)
class _Mode:
    """How a form with one memory place names it: the registers, the numbers, and all else that it does."""

    uses: FormUses
    address: Expr
    registers: frozenset[str]
    numbers: tuple[Number, ...]
    rest: object

    @classmethod
    def of(cls, uses: FormUses) -> _Mode | None:
        if len(uses.mems) != 1:
            return None
        address = uses.mems[0].address
        names = {e.id for e in walk(address) if isinstance(e, Name)}
        operands = {name: uses.form.operands[name] for name in names if name in uses.form.operands}
        if any(isinstance(operand, RegisterOperand) for operand in operands.values()):
            return None
        numbers = tuple(o.number for o in operands.values() if isinstance(o, NumberOperand))
        if len(numbers) > 1:
            return None
        return cls(uses, address, frozenset(names - operands.keys()), numbers, _rest(uses, names))


def _rest(uses: FormUses, in_address: set[str]) -> object:
    """What a form does beside naming its place; equal for two forms that differ in that alone."""
    operands: dict[str, object] = {}
    renamed: dict[str, Name] = {}
    for name, operand in uses.form.operands.items():
        if name not in in_address:
            renamed[name] = Name(f"#{len(renamed)}")
            kind = operand.number.ranges if isinstance(operand, NumberOperand) else operand.registers
            operands[renamed[name].id] = kind

    def leaf(expr: Expr) -> Expr | None:
        if isinstance(expr, Mem):
            return Mem(expr.width, Num(0))
        return renamed.get(expr.id) if isinstance(expr, Name) else None

    does: tuple[Assign, ...] = tuple(rewrite_statement(statement, leaf) for statement in uses.form.does)
    return (uses.form.mnemonic, does, tuple(operands.items()), uses.form.bit, uses.form.within)


@frozen(eq=False)
class Relevance:
    """The forms of one table, analysed once, and which of them can matter where."""

    _target: Target
    _bases: tuple[tuple[FormUses, frozenset[str]], ...]
    _groups: tuple[tuple[_Mode, ...], ...]

    @classmethod
    def of(cls, forms: Sequence[FormUses], target: Target) -> Relevance:
        groups: dict[object, list[_Mode]] = {}
        for uses in forms:
            mode = _Mode.of(uses)
            if mode is not None:
                groups.setdefault(mode.rest, []).append(mode)
        several = tuple(tuple(group) for group in groups.values() if len(group) > 1)
        return cls(target, tuple((uses, frozenset(_static_bases(uses))) for uses in forms), several)

    def at(self, place: Place, size: int, readable: frozenset[str]) -> tuple[FormUses, ...]:
        """The forms that can matter for a cell of `size` bytes; `readable`: registers that may hold something
        known."""
        reaching = [uses for uses, bases in self._bases if bases <= readable]
        names = _Names(self._target, place, size)
        dominated = {
            id(worse.uses)
            for group in self._groups
            for worse in group
            if any(better.registers <= readable and names.dominates(better, worse) for better in group)
        }
        return tuple(uses for uses in reaching if id(uses) not in dominated)


def _static_bases(uses: FormUses) -> set[str]:
    """The registers (not operands) in a form's addresses."""
    names = {e.id for mem in uses.mems for e in walk(mem.address) if isinstance(e, Name)}
    return names - set(uses.form.operands)


class _Names:
    """How modes can name a cell of `size` bytes at `place`."""

    def __init__(self, target: Target, place: Place, size: int) -> None:
        self._target = target
        self._place = place
        self._size = size
        self._domain = LaneDomain(place.shape(target.address_bits))
        self._whole = self._domain.shape.vec(0)
        self._known = [value for _, value in self._domain.shape.known]
        self._parts = {
            name: evaluate(part.is_, lambda _: self._whole, self._domain) for name, part in target.parts.items()
        }
        self._naming: dict[Hashable, frozenset[str]] = {}

    def dominates(self, better: _Mode, worse: _Mode) -> bool:
        """Whether whatever `worse` can name, `better` can, for no more and with fewer registers."""
        a, b = better.uses.form, worse.uses.form
        if not (better.registers < worse.registers and a.bytes <= b.bytes and a.cycles <= b.cycles):
            return False
        if max(a.late.values(), default=0) > min(b.late.values(), default=0):
            return False
        extra = sorted(worse.registers - better.registers)
        for values in product(self._known, repeat=len(extra)):
            more = tuple(zip(extra, values, strict=True))
            theirs = self._names(worse, more)
            if theirs and any(self._takes_all(better, worse, name, theirs) for name in self._names(better, ())):
                return True
        return False

    def _names(self, mode: _Mode, more: tuple[tuple[str, int], ...]) -> frozenset[str]:
        """How the mode's number can name the cell with the registers holding its address, those in `more` that:
        a part's name, ``0``, or ``-`` without one."""
        key = (id(mode), more)
        found = self._naming.get(key)
        if found is None:
            registers = self._target.registers
            bound: dict[str, Value] = {
                name: self._domain.low(self._whole, registers[name].width) for name in mode.registers
            }
            bound.update(more)
            choices: dict[str, Value] = {"0": 0, **self._parts} if mode.numbers else {"-": 0}
            found = self._naming[key] = frozenset(
                name
                for name, value in choices.items()
                if self._domain.offset(evaluate(mode.address, partial(_look_up, bound, value), self._domain)) == 0
            )
        return found

    def _takes_all(self, better: _Mode, worse: _Mode, name: str, theirs: frozenset[str]) -> bool:
        """Whether the better mode, naming the cell by `name`, can name every byte that the worse one can."""
        if name == "-":
            return theirs == {"-"}
        if name == "0":
            return theirs == {"0"} and better.numbers[0].ranges == worse.numbers[0].ranges
        part = self._target.parts[name]
        return all(self._place.accepts(better.numbers[0], part, offset) for offset in range(self._size))


def _look_up(bound: dict[str, Value], number: Value, name: str) -> Value:
    """What a name in an address stands for: a register of `bound`, else the mode's number."""
    return bound.get(name, number)

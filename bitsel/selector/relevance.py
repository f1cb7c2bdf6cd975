"""Which forms can matter for a place, before any operand is filled in.

A form whose memory place is named through a register that can hold nothing known never reaches the cell. And a
form is *dominated* by another that does the same to the same place, costs no more, and needs fewer registers to
name it: on RL78 ``es:[hl]`` by ``[hl]`` for a cell in the near area, where ``es`` could hold nothing but the near
area's number. In any path the dominated form can be replaced by the other, and the register is free; so leaving
both kinds out loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def relevant(
    forms: Sequence[FormUses], target: Target, place: Place, size: int, readable: frozenset[str]
) -> tuple[FormUses, ...]:
    """The forms that can matter for a cell of `size` bytes; `readable`: registers that may hold something known."""
    reaching = [uses for uses in forms if _static_bases(uses) <= readable]
    modes = {id(uses): mode for uses in reaching if (mode := _Mode.of(uses)) is not None}
    groups: dict[object, list[_Mode]] = {}
    for mode in modes.values():
        groups.setdefault(mode.rest, []).append(mode)
    dominated = {
        id(worse.uses)
        for group in groups.values()
        for worse in group
        if any(_dominates(better, worse, target, place, size) for better in group)
    }
    return tuple(uses for uses in reaching if id(uses) not in dominated)


def _static_bases(uses: FormUses) -> set[str]:
    """The registers (not operands) in a form's addresses."""
    names = {e.id for mem in uses.mems for e in walk(mem.address) if isinstance(e, Name)}
    return names - set(uses.form.operands)


def _dominates(better: _Mode, worse: _Mode, target: Target, place: Place, size: int) -> bool:
    a, b = better.uses.form, worse.uses.form
    if not (better.registers < worse.registers and a.bytes <= b.bytes and a.cycles <= b.cycles):
        return False
    if max(a.late.values(), default=0) > min(b.late.values(), default=0):
        return False
    domain = LaneDomain(place.shape(target.address_bits))
    extra = sorted(worse.registers - better.registers)
    whole = domain.shape.vec(0)
    low = {name: domain.low(whole, target.registers[name].width) for name in better.registers}
    for values in product([value for _, value in domain.shape.known], repeat=len(extra)):
        bound = {**low, **dict(zip(extra, values, strict=True))}
        ours = set(_naming(better, bound, target, domain))
        theirs = set(_naming(worse, bound, target, domain))
        if theirs and ours and any(_takes_all(better, worse, name, theirs, target, place, size) for name in ours):
            return True
    return False


def _naming(mode: _Mode, bound: dict[str, Value], target: Target, domain: LaneDomain) -> Iterator[str]:
    """How the mode's number can name the cell with these registers: a part's name, ``0``, or ``-`` without one."""
    choices: dict[str, Value] = {"-": 0}
    if mode.numbers:
        whole = domain.shape.vec(0)
        parts = {name: evaluate(p.is_, lambda _: whole, domain) for name, p in target.parts.items()}
        choices = {"0": 0, **parts}
    for name, value in choices.items():
        named = evaluate(mode.address, partial(_look_up, bound, value), domain)
        if domain.offset(named) == 0:
            yield name


def _look_up(bound: dict[str, Value], number: Value, name: str) -> Value:
    """What a name in an address stands for: a register of `bound`, else the mode's number."""
    return bound.get(name, number)


def _takes_all(
    better: _Mode, worse: _Mode, name: str, theirs: set[str], target: Target, place: Place, size: int
) -> bool:
    """Whether the better mode, naming the cell by `name`, can name every byte that the worse one can."""
    if name == "-":
        return theirs == {"-"}
    if name == "0":
        return theirs == {"0"} and better.numbers[0].ranges == worse.numbers[0].ranges
    part = target.parts[name]
    return all(place.accepts(better.numbers[0], part, offset) for offset in range(size))

"""Ground instructions: the table's forms with their operands filled in for one cell.

Registers come from those the replacement may use; numbers from a stated pool, each with the *recipe* that made
it, so that a solution found for one cell can be filled in for another of the same shape:

* every union of the cell's clear, set and toggle masks, and its complement, cut to the width of what it meets, and
  to the narrower accesses that are worked on in registers of that width, where something changes there;
* the numbers of the changed bits in their bytes, unless they are more than can be changed one at a time for less
  than the baseline (and none for a baseline, which has no bit instructions);
* the parts of the cell's address that the assembler can write, for each byte of the cell;
* displacements between what a base register may hold and a byte of the cell, and their negatives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import Literal

from attrs import frozen

from bitsel.selector.cell import Cell
from bitsel.selector.lanes import LaneDomain, Value
from bitsel.selector.recipes import AddressPart, BitNumber, Displacement, Mask, Recipe, masks_of, number_of
from bitsel.target.expr import Binary, Compare, Expr, Mem, Name, Num, Sext, Unary
from bitsel.target.facts import Form, Number, NumberOperand, Part, RegisterOperand, Target
from bitsel.target.semantics import evaluate

Role = Literal["mask", "bit", "direct", "based", "sum"]


@frozen
class Use:
    """How a form uses a number: its role, the width in bits of what it meets, constants summed with it."""

    role: Role
    width: int
    less: frozenset[int] = frozenset()


@frozen(eq=False)
class FormUses:
    """What the grounding needs to know of a form, found once per form.

    `based`: it reaches memory through a register. `plain`: it moves values and computes nothing (flags aside).
    `computes`: some bit of what it puts into a register may be neither a bit that it read nor one of its numbers;
    sums do not count, for a sum of old bits is unknown unless nothing meets in it. `one_kind`: and then it is one
    ``and``, ``or`` or ``xor`` of two things, or moves bits.
    `steps_base`: beside its access it computes a register, as post-increment does.
    """

    form: Form
    numbers: Mapping[str, tuple[NumberOperand, frozenset[Use]]]
    registers: Mapping[str, RegisterOperand]
    reads: frozenset[str]
    writes: frozenset[str]
    loads: bool
    stores: bool
    based: bool
    plain: bool
    computes: bool
    one_kind: bool
    steps_base: bool
    mems: tuple[Mem, ...]


@frozen(eq=False)
class Ground:
    """One instruction with its operands: `env` binds operand names to registers (names) or values.

    `recipes` says how each number was made. `reads`/`writes`: registers and flags, operands resolved.
    """

    uses: FormUses
    env: Mapping[str, str | Value]
    recipes: Mapping[str, Recipe]
    reads: frozenset[str]
    writes: frozenset[str]

    @classmethod
    def of(cls, uses: FormUses, env: Mapping[str, str | Value], recipes: Mapping[str, Recipe]) -> Ground:
        reads = frozenset(_resolved(env, name) for name in uses.reads)
        writes = frozenset(_resolved(env, name) for name in uses.writes)
        return cls(uses, env, recipes, reads, writes)

    @property
    def form(self) -> Form:
        return self.uses.form

    @property
    def based(self) -> bool:
        """Whether it reaches memory through a register."""
        return self.uses.based

    @property
    def update(self) -> bool:
        """Whether it both reads and writes memory."""
        return self.uses.loads and self.uses.stores


def walk(expr: Expr) -> Iterator[Expr]:
    yield expr
    match expr:
        case Mem(_, inner) | Unary(_, inner) | Sext(inner, _):
            yield from walk(inner)
        case Binary(_, left, right) | Compare(_, left, right):
            yield from walk(left)
            yield from walk(right)
        case _:
            pass


def unmasked(value: Expr) -> Expr:
    """`value` without the mask by which a narrow instruction clears the upper bytes of its register: what becomes
    of the bytes it keeps."""
    match value:
        case Binary("&", inner, Num(mask)) if mask in (0xFF, 0xFFFF, 0xFFFFFFFF):
            return inner
    return value


def form_uses(form: Form, target: Target) -> FormUses:
    """Analyse one form."""
    return _Analysis(form, target).result()


class _Analysis:
    """What is found of one form, statement by statement; the fields are those of `FormUses`."""

    def __init__(self, form: Form, target: Target) -> None:
        self.form = form
        self.target = target
        self.numbers: dict[str, set[Use]] = {
            name: set() for name, operand in form.operands.items() if isinstance(operand, NumberOperand)
        }
        self.registers = {n: o for n, o in form.operands.items() if isinstance(o, RegisterOperand)}
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.loads: set[Mem] = set()
        self.stores: set[Mem] = set()
        self.mems: dict[Mem, None] = {}
        self.based = False
        self.plain = self.one_kind = True
        self.computes = self.steps_base = False
        for statement in form.does:
            # A place that an earlier statement has written is not read again.
            read = {e for value in statement.values for e in walk(value) if isinstance(e, Mem)}
            self.loads |= read - self.stores
            for place, value in zip(statement.targets, statement.values, strict=True):
                self._assign(place, value)

    def result(self) -> FormUses:
        return FormUses(
            form=self.form,
            numbers={n: (_number(self.form, n), frozenset(u)) for n, u in self.numbers.items()},
            registers=self.registers,
            reads=frozenset(self.reads),
            writes=frozenset(self.writes),
            loads=bool(self.loads),
            stores=bool(self.stores),
            based=self.based,
            plain=self.plain,
            computes=self.computes,
            one_kind=self.one_kind,
            steps_base=self.steps_base,
            mems=tuple(self.mems),
        )

    def _assign(self, place: Name | Mem, value: Expr) -> None:
        width = self._width(place)
        self._note(value, width, "mask")
        value = unmasked(value)
        self.plain = self.plain and (width == 1 or isinstance(value, (Name, Mem, Num)))
        self.reads |= self._names(value)
        if isinstance(place, Mem):
            self._note_address(place)
            self.reads |= self._names(place.address)
            self.stores.add(place)
            return
        self.writes.add(place.id)
        if width > 1:
            self.computes = self.computes or any(map(_is_logic, walk(value)))
            self.one_kind = self.one_kind and _is_one_kind(value)
            self.steps_base = self.steps_base or not any(isinstance(e, Mem) for e in walk(value))

    def _width(self, place: Name | Mem) -> int:
        if isinstance(place, Mem):
            return place.width or 0
        operand = self.registers.get(place.id)
        return self.target.registers[operand.registers[0] if operand else place.id].width

    def _names(self, expr: Expr) -> set[str]:
        return {e.id for e in walk(expr) if isinstance(e, Name)} - set(self.numbers)

    def _note(self, expr: Expr, width: int, role: Role) -> None:
        """Record how `expr`, met by something `width` bits wide, uses numbers."""
        match expr:
            case Name(name) if name in self.numbers:
                self.numbers[name].add(Use(role, width))
            case Mem():
                self._note_address(expr)
            case Binary("<<" | ">>" as op, left, right):
                # Of what is shifted left only the lower bits find room: a piece of a mask that size will do.
                room = width - right.value if op == "<<" and isinstance(right, Num) else width
                self._note(left, room, role)
                self._note(right, width, "bit")
            case Binary("+" | "-", left, right):
                for side in (left, right):
                    self._note(side, width, role if role == "bit" else "sum")
            case Binary(_, left, right) | Compare(_, left, right):
                self._note(left, width, role)
                self._note(right, width, role)
            case Unary(_, inner) | Sext(inner, _):
                self._note(inner, width, role)
            case _:
                pass

    def _note_address(self, mem: Mem) -> None:
        self.mems.setdefault(mem)
        used = [e.id for e in walk(mem.address) if isinstance(e, Name)]
        based = any(name not in self.numbers for name in used)
        self.based = self.based or based
        constants = frozenset(e.value for e in walk(mem.address) if isinstance(e, Num))
        for name in used:
            if name in self.numbers:
                self.numbers[name].add(Use("direct", 0, constants))
                if based:
                    self.numbers[name].add(Use("based", 0))


def _is_logic(expr: Expr) -> bool:
    match expr:
        case Unary("~", _) | Binary("&" | "|" | "^" | "<<" | ">>", _, _) | Sext():
            return True
    return False


def _is_one_kind(expr: Expr) -> bool:
    """Whether the expression sets bits, clears bits or complements bits of a value, and no two of these."""
    match expr:
        case Name() | Mem() | Num():
            return True
        case Binary("<<" | ">>" | "+" | "-", left, right):
            constant = all(isinstance(e, (Num, Binary)) for e in walk(right))
            return isinstance(left, (Name, Mem)) and (constant or isinstance(right, (Name, Mem)))
        case Binary("&" | "|" | "^", left, right):
            return _is_plain(left) and _is_plain(right)
        case Unary("~", inner):
            return isinstance(inner, (Name, Mem))
    return False


def _is_plain(expr: Expr) -> bool:
    """A value, or its complement, or one bit of a mask: what a logic instruction takes."""
    match expr:
        case Name() | Mem() | Num():
            return True
        case Unary("~", inner):
            return _is_plain(inner)
        case Binary("<<", Num(), Name()):
            return True
    return False


def _number(form: Form, name: str) -> NumberOperand:
    operand = form.operands[name]
    assert isinstance(operand, NumberOperand)
    return operand


class Pool:
    """The numbers that operands may take for one cell, by role."""

    def __init__(
        self,
        cell: Cell,
        target: Target,
        domain: LaneDomain,
        accesses: Collection[int],
        upper: bool = True,
        most_bits: int = 8,
    ) -> None:
        """`accesses`: the widths (bits) of the machine's accesses. `upper`: some memory place takes the upper part
        of its address from a register of its own, so that parts of the address that are the same for all its
        addresses are wanted in registers. `most_bits`: of bits that change alike in one byte, the numbers are given
        only where they are no more."""
        self.cell = cell
        self.upper = upper
        self.most_bits = most_bits
        self.accesses = accesses
        self.target = target
        self.domain = domain
        effect = cell.effect
        self.masks = masks_of(effect)
        self._made: dict[tuple[str, Use], list[tuple[Recipe, Value]]] = {}

    def candidates(self, number: Number, uses: frozenset[Use]) -> list[tuple[Recipe, Value]]:
        """The values an operand may take, each with its first recipe."""
        found: dict[Value, Recipe] = {}
        for use in sorted(uses, key=lambda use: (use.role, use.width, sorted(use.less))):
            key = (number.name, use)
            if key not in self._made:
                made = [(recipe, self.value(recipe, number)) for recipe in self._recipes(use)]
                self._made[key] = [(r, v) for r, v in made if v is not None and self._usable(r, v, use, number)]
            for recipe, value in self._made[key]:
                found.setdefault(value, recipe)
        return [(recipe, value) for value, recipe in found.items()]

    def _usable(self, recipe: Recipe, value: Value, use: Use, number: Number) -> bool:
        """A part that is the same for every address the cell may have names no place in an instruction. One that is
        used otherwise is held by the operands to which the table gives it."""
        if not isinstance(recipe, AddressPart):
            return True
        if use.role in ("direct", "based"):
            return not isinstance(value, int)
        return recipe.part in number.symbol and (self.upper or not isinstance(value, int))

    def _recipes(self, use: Use) -> Iterator[Recipe]:
        size = self.cell.size
        if use.role == "mask" and use.width % 8 == 0 and use.width:
            for width in widths_of_masks(use.width, self.accesses, self.target):
                for chunk in range(max(1, 8 * size // width)):
                    for union in range(1, 8):
                        yield Mask(width, chunk, union, False)
                        yield Mask(width, chunk, union, True)
        if use.role == "bit":
            for byte in range(size):
                for change, mask in zip((1, 2, 4), self.masks, strict=True):
                    count = (mask >> 8 * byte & 255).bit_count()
                    for nth in range(count if count <= self.most_bits else 0):
                        yield BitNumber(byte, change, nth)
        if use.role in ("mask", "direct", "based", "sum"):
            for part in self.target.parts:
                for offset in range(size):
                    for less in (0, *sorted(use.less)):
                        yield AddressPart(part, offset, less)
        if use.role in ("based", "sum"):
            for byte in range(size):
                for origin in self._origins():
                    yield Displacement(byte, origin, 1)
                    if use.role == "sum":
                        yield Displacement(byte, origin, -1)

    def _origins(self) -> tuple[int | None, ...]:
        """What a register may hold the address of: a byte of the cell, or what a pointer or slot names. What a
        symbol names is in no register, and its offset in no shape."""
        known = tuple(range(self.cell.size))
        return (*known, None) if self.cell.place.kind in ("pointer", "stack") else known

    def value(self, recipe: Recipe, number: Number) -> Value | None:
        """What `recipe` makes for this cell, None where it makes nothing that `number` takes."""
        if isinstance(recipe, AddressPart):
            return self._part(self.target.parts[recipe.part], recipe.offset, recipe.less, number)
        return number_of(recipe, self.masks, self.cell.place.offset, number)

    def _part(self, part: Part, offset: int, less: int, number: Number) -> Value | None:
        place = self.cell.place
        if not place.accepts(number, part, offset, less):
            return None
        if less and place.address is None and not place.any_range:
            return None
        whole = self.domain.shape.vec(offset)
        value: Value = evaluate(part.is_, lambda name: whole, self.domain)
        return self.domain.binary("-", value, less) if less else value


def widths_of_masks(width: int, accesses: Collection[int], target: Target) -> tuple[int, ...]:
    """The widths of the masks for an operand that meets `width` bits. A narrower access is worked on there too if
    no register is of its width: a byte in a 32-bit register is cleared by ``andi 0xf7``."""
    registers = {register.width for register in target.registers.values() if register.value is None}
    return (width, *sorted(w for w in accesses if w < width and w not in registers))


def takes_upper_part(uses: FormUses) -> bool:
    """Whether a memory place of the form shifts a register into the upper part of its address."""
    return any(
        isinstance(e, Binary) and e.op == "<<" and any(isinstance(inner, Name) for inner in walk(e.left))
        for mem in uses.mems
        for e in walk(mem.address)
    )


def ground(uses: FormUses, pool: Pool, readable: frozenset[str], writable: frozenset[str]) -> Iterator[Ground]:
    """Every filling of the form's operands: it reads registers that may hold something known, and writes only
    what may be changed."""
    choices: list[list[tuple[str, str | Value, Recipe | None]]] = []
    for name, register in uses.registers.items():
        fit = [
            r
            for r in register.registers
            if (name not in uses.reads or r in readable) and (name not in uses.writes or r in writable)
        ]
        choices.append([(name, r, None) for r in fit])
    for name, (operand, roles) in uses.numbers.items():
        choices.append([(name, v, r) for r, v in pool.candidates(operand.number, roles)])
    for chosen in product(*choices):
        env = {name: value for name, value, _ in chosen}
        made = Ground.of(uses, env, {name: recipe for name, _, recipe in chosen if recipe is not None})
        if made.writes <= writable:
            yield made


def _resolved(env: Mapping[str, str | Value], name: str) -> str:
    bound = env.get(name, name)
    return bound if isinstance(bound, str) else name

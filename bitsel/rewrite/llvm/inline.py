"""An update as inline assembly: the chosen sequence, its operands under the constraints of the target.

What the sequence touches, it declares: memory, by an operand where the place is one, else all of it; registers and
flags that it changes. It is a side effect, so that it stays in order with volatile accesses::

    call void asm sideeffect "bic.b #8, &$0+1", "=*m,*m"(ptr elementtype([2 x i8]) @w, ptr elementtype([2 x i8]) @w)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from bitsel.rewrite.llvm.kept import Kept
from bitsel.rewrite.llvm.plain import Line
from bitsel.rewrite.llvm.spelling import Pointer
from bitsel.selector.verdict import Field, Instruction
from bitsel.target.expr import Binary, Expr, Name
from bitsel.target.facts import InlineAssembly, Target


@frozen
class Place:
    """Where the update is, as the assembly is given it: a symbol, of which it touches some of the first `size`
    bytes, or a pointer; a constant address is neither, and stands in the text."""

    size: int
    symbol: Pointer | None = None
    pointer: Pointer | None = None


@frozen
class Update:
    """The chosen sequence: its instructions, what they change, and whether the access is an ordered one."""

    instructions: tuple[Instruction, ...]
    clobbers: tuple[str, ...]
    ordered: bool


@frozen
class _Operand:
    constraint: str
    argument: str


def call(
    update: Update,
    place: Place,
    target: Target,
    base: str | None,
    spaced: bool,
    names: Iterator[str],
    metadata: str,
) -> Line:
    """The call that makes `update` at `place`.

    `base`: the register in which the sequence has the pointer. `spaced`: functions are in another address space
    than inline assembly is.
    """
    facts = target.inline_assembly
    free_base = facts.pointer if place.pointer is not None and _only_reads(update, base) else None
    text, inputs = _text(update.instructions, facts, bool(place.symbol or free_base), base if free_base else None)
    clobbers = [facts.clobbers.get(name, name) for name in update.clobbers]
    outputs: list[_Operand] = []
    result, whole_memory = "void", True
    if place.symbol is not None:
        if facts.symbol == "*m":
            outputs, last = _memory(place.symbol, place.size)
            inputs.append(last)
            whole_memory = update.ordered
        else:
            inputs.insert(0, _Operand(facts.symbol, str(place.symbol)))
    elif place.pointer is not None and free_base is not None:
        inputs.insert(0, _Operand(free_base, str(place.pointer)))
    elif place.pointer is not None:
        register, clobbered = _base_register(base, target, update.clobbers)
        if clobbered:  # an input that is changed is an output, tied to it
            result = place.pointer.type
            outputs.append(_Operand(f"={{{register}}}", ""))
            inputs.append(_Operand("0", str(place.pointer)))
            clobbers = [name for name in clobbers if name not in clobbered]
        else:
            inputs.append(_Operand(f"{{{register}}}", str(place.pointer)))
    constraints = [each.constraint for each in (*outputs, *inputs)]
    constraints += [f"~{{{name}}}" for name in dict.fromkeys(clobbers)]
    if whole_memory:
        constraints.append("~{memory}")
    arguments = ", ".join(each.argument for each in (*outputs, *inputs) if each.argument)
    space = "addrspace(0) " if spaced else ""
    name = None if result == "void" else next(names)
    defines = f"{name} = " if name else ""
    quoted = f'"{_quoted(text)}", "{",".join(constraints)}"'
    return Line(f"{defines}call {space}{result} asm sideeffect {quoted}({arguments}){metadata}", name)


def base_register(pointer: Expr | None) -> str | None:
    """The register that an incoming pointer is in, where that is a single one."""
    match pointer:
        case Name(name):
            return name
        case Binary("+", left, right):
            found = [name for name in (base_register(left), base_register(right)) if name is not None]
            return found[0] if len(found) == 1 else None
    return None


def _text(
    instructions: Sequence[Instruction], facts: InlineAssembly, placed: bool, base: str | None
) -> tuple[str, list[_Operand]]:
    """The assembly, and the numbers that are operands of it. Operand 0 is the place, if `placed`."""
    operands: list[_Operand] = []

    def spelled(piece: str | Field) -> str:
        if isinstance(piece, str):
            text = piece.replace("$", "$$")
            return re.sub(rf"\b{re.escape(base)}\b", "$0", text) if base is not None else text
        if piece.part is not None:
            return piece.part.format(f"$0{piece.distance:+d}" if piece.distance else "$0")
        constraint = facts.numbers.get(piece.number)
        if constraint is None:
            return piece.text
        value = int(piece.text, 0)
        operands.append(_Operand(constraint, f"i{16 if -(1 << 15) <= value < 1 << 16 else 32} {value}"))
        return f"${placed + len(operands) - 1}"

    return "\n".join("".join(map(spelled, each.pieces)) for each in instructions), operands


def _only_reads(update: Update, base: str | None) -> bool:
    """Whether the sequence names the register `base`, and leaves it alone: then any other would do.

    That other is none of those that the sequence changes, since they are declared.
    """
    if base is None or base in update.clobbers:
        return False
    pieces = (piece for each in update.instructions for piece in each.pieces)
    return any(re.search(rf"\b{re.escape(base)}\b", piece) for piece in pieces if isinstance(piece, str))


def _memory(symbol: Pointer, size: int) -> tuple[list[_Operand], _Operand]:
    """A symbol's memory as an operand that is written, and read."""
    pointee = "i8" if size == 1 else f"[{size} x i8]"
    argument = f"{symbol.type} elementtype({pointee}) {symbol.operand}"
    return [_Operand("=*m", argument)], _Operand("*m", argument)


def _base_register(base: str | None, target: Target, clobbers: tuple[str, ...]) -> tuple[str, frozenset[str]]:
    """What LLVM calls the register of the pointer, and those of its parts that are changed."""
    if base is None or target.registers[base].text != base:
        raise Kept("which register a pointer is to be in has no name in inline assembly")
    parts = target.registers[base].parts or (base,)
    return base, frozenset(part for part in parts if part in clobbers)


def _quoted(text: str) -> str:
    return "".join(c if " " <= c <= "~" and c not in '"\\' else f"\\{ord(c):02X}" for c in text)

"""What inline assembly is given of an update's address: nothing of a constant, a symbol, or a pointer."""

from __future__ import annotations

import re

from attrs import evolve

from bitsel.frontends.llvm.entities import Entities
from bitsel.ir import Address, Binary, Const, Node
from bitsel.match import Idiom, Site
from bitsel.rewrite.llvm.inline import Place
from bitsel.rewrite.llvm.kept import Kept
from bitsel.rewrite.llvm.spelling import Pointer, global_name
from bitsel.target.facts import Target

# LLVM's mark for a name that is the assembler's already may stand before it.
_PLAIN_SYMBOL = re.compile(r"\x01?[A-Za-z_.$][\w.$]*", re.ASCII)


def place_of(site: Site, idiom: Idiom, pointer: Pointer, target: Target, entities: Entities) -> tuple[Place, Idiom]:
    """The place, and the update with its address relative to that. `pointer` is the operand of the store.

    Kept where the address cannot be given.
    """
    address, size = idiom.address, idiom.access.width // 8
    match address.kind:
        case "absolute":
            return Place(size), idiom
        case "symbol":
            return _symbol(idiom, pointer, target, entities), idiom
        case "stack":
            raise Kept("where a stack slot lies is only known to the compiler")
        case "pointer":
            base, offset = (site.at.pointer, 0) if pointer.typed else _base(site.at.pointer)
            operand = pointer.operand if base is site.at.pointer else str(base.name)
            held = Address("pointer", base.name or "", offset, address.space)
            return Place(size, pointer=Pointer(pointer.type, operand)), evolve(idiom, address=held)


def _symbol(idiom: Idiom, pointer: Pointer, target: Target, entities: Entities) -> Place:
    """A symbol, by its name alone: how an address beside it is printed is the back end's affair."""
    address, size = idiom.address, idiom.access.width // 8
    name = address.base or ""
    if not _PLAIN_SYMBOL.fullmatch(name):
        raise Kept(f"assemblers do not agree on how to write {global_name(name)}")
    if pointer.typed:
        # Whether a memory operand names the type it points to depends on the version, which is not known here.
        if target.inline_assembly.symbol == "*m" or pointer.operand != global_name(name):
            raise Kept("the text has typed pointers, as LLVM before 15")
        return Place(size, symbol=pointer)
    found = entities.global_(name)
    if found is None or found.space != address.space or found.kind not in ("global", "constant"):
        raise Kept(f"@{name} is no global variable of its address space")
    if address.offset < 0:
        raise Kept(f"it lies before @{name}")
    return Place(address.offset + size, symbol=Pointer(pointer.type, global_name(name)))


def _base(pointer: Node) -> tuple[Node, int]:
    """The pointer that `pointer`, if ``getelementptr`` with constant indices made it, is so many bytes from.

    No other instruction makes a pointer by an addition.
    """
    if (
        isinstance(pointer, Binary)
        and pointer.op == "add"
        and isinstance(pointer.rhs, Const)
        and (pointer.lhs.name or "").startswith("%")
    ):
        value, sign = pointer.rhs.value, 1 << pointer.width - 1
        return pointer.lhs, (value + sign & (1 << pointer.width) - 1) - sign
    return pointer, 0

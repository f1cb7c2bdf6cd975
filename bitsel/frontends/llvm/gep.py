"""Address arithmetic: ``getelementptr`` as additions, modulo 2**(pointer width).

Constant indices sum up to one byte offset; each variable index is resized to the pointer's width, multiplied by
the size of what it steps over, and added::

    getelementptr [4 x %struct.S], ptr @arr, i16 0, i16 %i, i32 2
        add(add(@arr, mul(%i, 8)), 4)           for a structure of 8 bytes with its third member at 4
"""

from __future__ import annotations

from typing import Any

from bitsel.frontends.llvm.syntax import NotUnderstood
from bitsel.frontends.llvm.types import Type, Types
from bitsel.ir import Binary, Cast, Const, Node, Span


class GepPath:
    """The way from the base pointer's element type down to what is addressed, one index after the other.

    After the last `add`: `offset` is the constant part in bytes, `terms` are the variable indices with their
    width and scale.
    """

    def __init__(self, types: Types, source: Type, pointer: Type) -> None:
        if pointer.kind != "pointer":
            raise NotUnderstood("a vector of pointers")
        spec = types.pointer(pointer.space)
        if spec.index_bits != spec.bits:
            raise NotUnderstood("an index narrower than the pointer")
        self.width = spec.bits
        self.offset = 0
        self.terms: list[tuple[Node, int, int]] = []
        self._types = types
        self._at: Type | None = None  # None before the first index, which steps over whole `source`s
        self._source = source

    def add(self, index_type: Type, index: Node) -> None:
        """Step by `index`; NotUnderstood where the step's size is not known."""
        if index_type.kind != "int":
            raise NotUnderstood("a vector of indices")
        if self._at is None:
            self._at = self._source
            if not (isinstance(index, Const) and index.value == 0):  # the usual 0 asks for no size
                self._step(index_type, index, self._types.alloc_size(self._source))
            return
        at = self._types.resolve(self._at)
        if at.kind == "struct":
            if not isinstance(index, Const):
                raise NotUnderstood("a structure's member by a variable")
            self.offset += self._types.member_offset(at, index.value)
            self._at = at.members[index.value]
        elif at.kind == "array":
            self._at = at.members[0]
            self._step(index_type, index, self._types.alloc_size(self._at))
        elif at.kind == "vector" and self._types.bits(at.members[0]) % 8 == 0:
            self._at = at.members[0]
            self._step(index_type, index, self._types.bits(self._at) // 8)
        else:
            raise NotUnderstood("an index into something without elements")

    def _step(self, index_type: Type, index: Node, scale: int) -> None:
        if isinstance(index, Const):
            value = index.value
            if value >> index.width - 1 & 1:
                value -= 1 << index.width
            self.offset += value * scale
        else:
            self.terms.append((index, index_type.bits, scale))


def lower_gep(path: GepPath, base: Node, name: str | None = None, span: Span | None = None) -> list[Node]:
    """The nodes of the address, in order; the last one is the address itself, and carries the name."""
    width = path.width
    nodes: list[Node] = []
    summands: list[Node] = []
    for index, bits, scale in path.terms:
        term = index
        if bits != width:
            term = Cast(op="sext" if bits < width else "trunc", value=index, width=width, span=span)
            nodes.append(term)
        if scale != 1:
            term = Binary(op="mul", lhs=term, rhs=Const(value=scale, width=width), width=width, span=span)
            nodes.append(term)
        summands.append(term)
    offset = path.offset & (1 << width) - 1
    if offset or not summands:
        summands.append(Const(value=offset, width=width))
    address = base
    for position, term in enumerate(summands, 1):
        named: dict[str, Any] = {"name": name} if position == len(summands) else {}
        address = Binary(op="add", lhs=address, rhs=term, width=width, span=span, **named)
        nodes.append(address)
    return nodes

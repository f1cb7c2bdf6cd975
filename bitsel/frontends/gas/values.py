"""The values of assembly as nodes of the core IR: a `Domain` over which `does` runs.

A value is an integer, `Bits` of a node, or `Mix`, of which only is known what it was computed from. Bits keep their
place in the node they come from: the upper byte of a loaded word is bits 8 to 15 of that load, and what is done to
it is done to the word, so that a word whose bytes went separate ways is put together again as one effect::

    movw ax, !w     ax = bits 0..15 of %w,  a = bits 8..15 of %w
    or   a, #16     a  = bits 8..15 of %w | 4096
    movw !w, ax     (%w | 4096) & 0xff00 | %w & 0xff
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Union

from bitsel.ir import Binary, Cast, Const, Node, Opaque, Span
from bitsel.record import record
from bitsel.target.semantics import IntDomain


@record
class Bits:
    """``(node >> shift) & (2**width - 1)``. `exact`: the value is that, else only its low `width` bits are."""

    node: Node
    shift: int
    width: int
    exact: bool = True


@record
class Mix:
    """A value computed from these nodes in a way that is not followed."""

    inputs: tuple[Node, ...] = ()


Value = Union[int, Bits, Mix]


class NodeDomain:
    """Makes nodes as values are computed; `nodes` are those made since it was last emptied, in order.

    `address`: the width that sums of addresses are made at; `widest`: the width of the widest register.
    """

    def __init__(self, address: int, widest: int) -> None:
        self.address = address
        self.widest = widest
        self.nodes: list[Node] = []
        self.span: Span | None = None
        self.word = ""
        self._pieces: dict[object, Node] = {}  # equal pieces of equal nodes are one node

    # -- the domain -------------------------------------------------------------------------------------------

    def const(self, value: int) -> Value:
        return value

    def unspecified(self) -> Value:
        return Mix()

    def unary(self, op: str, value: Value) -> Value:
        if isinstance(value, int):
            return ~value if op == "~" else -value
        if op == "~" and isinstance(value, Bits):
            ones = (1 << value.width) - 1 << value.shift
            return Bits(
                self._binary("xor", value.node, self._const(ones, value.node)), value.shift, value.width, False
            )
        return Mix(self.inputs(value))

    def binary(self, op: str, left: Value, right: Value) -> Value:
        if isinstance(left, int) and isinstance(right, int):
            return IntDomain().binary(op, left, right)
        if op in _LOGIC and not isinstance(left, Mix) and not isinstance(right, Mix):
            return self._logic(op, left, right)
        if op in ("+", "-") and not isinstance(left, Mix) and not isinstance(right, Mix):
            return self._sum(op, left, right)
        if op == ">>" and isinstance(left, Bits) and isinstance(right, int) and left.exact:
            return Bits(left.node, left.shift + right, left.width - right) if right < left.width else 0
        if op == "<<" and isinstance(left, Bits) and isinstance(right, int):
            return self._shifted(left, right)
        return Mix(self.inputs(left, right))

    def compare(self, op: str, left: Value, right: Value) -> Value:
        if isinstance(left, int) and isinstance(right, int):
            return int(left == right) if op == "==" else int(left != right)
        return Mix(self.inputs(left, right))

    def sext(self, value: Value, bits: int) -> Value:
        if isinstance(value, int):
            low = value & (1 << bits) - 1
            return low - (1 << bits) if low >> bits - 1 else low
        narrow = self.low(value, bits)
        if isinstance(narrow, int):
            return narrow
        node = self._add(Cast(op="sext", value=self.node(narrow, bits), width=self.widest, span=self.span))
        return Bits(node, 0, self.widest, False) if self.widest > bits else Mix(self.inputs(value))

    def low(self, value: Value, bits: int) -> Value:
        if isinstance(value, int):
            return value & (1 << bits) - 1
        if isinstance(value, Bits):
            if bits <= value.width:
                return Bits(value.node, value.shift, bits)
            if value.exact:
                return value
        return Bits(self._add(self._opaque(self.inputs(value), bits)), 0, bits)

    # -- nodes ------------------------------------------------------------------------------------------------

    def node(self, value: Value, width: int) -> Node:
        """`value` as one node of `width` bits."""
        if isinstance(value, int):
            return Const(value=value & (1 << width) - 1, width=width)
        if isinstance(value, Mix) or (value.width < width and not value.exact):
            return self._add(self._opaque(self.inputs(value), width))
        if value.shift:
            known = min(value.width, width)
            piece = self._piece(("extract", value.node, value.shift, known), (value.node,), known)
            return piece if known == width else self._cast("zext", piece, width)
        node = value.node
        if value.width < width:
            node = self._cast("trunc", node, value.width) if node.width > value.width else node
            return self._cast("zext", node, width)
        return self._cast("trunc", node, width) if node.width > width else node

    def joined(self, parts: list[tuple[Value, int]]) -> Value:
        """Registers side by side as one value; each with its width, low to high."""
        if len(parts) == 1:
            return parts[0][0]
        at = total = number = 0
        total = sum(width for _, width in parts)
        pieces: list[tuple[Bits, int]] = []
        in_place = same = True
        first = parts[0][0]
        for value, width in parts:
            if isinstance(value, int):
                number |= (value & (1 << width) - 1) << at
                same = False
            else:
                bits = value if isinstance(value, Bits) else Bits(self.node(value, width), 0, width)
                same = same and isinstance(first, Bits) and bits.node is first.node
                same = same and bits.shift == first.shift + at and bits.width == width  # type: ignore[union-attr]
                in_place = in_place and bits.shift == at and bits.node.width >= total
                pieces.append((bits, at))
            at += width
        if not pieces:
            return number
        if same:
            return Bits(pieces[0][0].node, pieces[0][0].shift, total)
        if in_place:
            return self._in_place(pieces, number, total)
        key = ("pair", number, *((bits.node, bits.shift, bits.width, at) for bits, at in pieces))
        return Bits(self._piece(key, tuple(bits.node for bits, _ in pieces), total), 0, total)

    def _in_place(self, pieces: list[tuple[Bits, int]], number: int, total: int) -> Value:
        found: Node | None = None
        for bits, at in pieces:
            node = self._cast("trunc", bits.node, total) if bits.node.width > total else bits.node
            masked = self._binary("and", node, self._const((1 << bits.width) - 1 << at, node))
            found = masked if found is None else self._binary("or", found, masked)
        assert found is not None
        if number:
            found = self._binary("or", found, self._const(number, found))
        return Bits(found, 0, total)

    def inputs(self, *values: Value) -> tuple[Node, ...]:
        found: dict[Node, None] = {}
        for value in values:
            if isinstance(value, Bits):
                found[value.node] = None
            elif isinstance(value, Mix):
                found.update(dict.fromkeys(value.inputs))
        return tuple(found)

    def opaque(self, values: Iterable[Value], width: int) -> Value:
        """A value of `width` bits computed from these in a way that is not followed."""
        return Bits(self._add(self._opaque(self.inputs(*values), width)), 0, width)

    def add(self, node: Node) -> None:
        self.nodes.append(node)

    def _logic(self, op: str, left: Value, right: Value) -> Value:
        if isinstance(left, int):
            left, right = right, left
        assert isinstance(left, Bits)
        if left == right:
            return 0 if op == "^" else left
        word = _LOGIC[op]
        ones = (1 << left.width) - 1
        if isinstance(right, int):
            if op == "&" and right & ones == ones and right >= 0 and (left.exact or right == ones):
                return Bits(left.node, left.shift, left.width)
            if op == "&" and right >= 0 and right > ones and not left.exact:
                return Mix(self.inputs(left))
            mask = (right & ones) << left.shift
            if op == "&":
                mask |= (1 << left.node.width) - 1 & ~(ones << left.shift)
            node = self._binary(word, left.node, self._const(mask, left.node))
            exact = (left.exact and (op == "&" or 0 <= right <= ones)) or (op == "&" and 0 <= right <= ones)
            return Bits(node, left.shift, left.width, exact)
        assert isinstance(right, Bits)
        width = max(left.width, right.width)
        if (left.width < width and not left.exact) or (right.width < width and not right.exact):
            return Mix(self.inputs(left, right))
        if left.shift == right.shift and left.node.width == right.node.width and left.width == right.width:
            node = self._binary(word, left.node, right.node)
            return Bits(node, left.shift, width, left.exact and right.exact)
        node = self._binary(word, self.node(left, width), self.node(right, width))
        return Bits(node, 0, width, left.exact and right.exact)

    def _sum(self, op: str, left: Value, right: Value) -> Value:
        """A sum, whose bits above its operands' width are not kept: an address wraps around."""
        widths = [value.width for value in (left, right) if isinstance(value, Bits)]
        exact = all(value.exact for value in (left, right) if isinstance(value, Bits))
        width = max(widths)
        large = [
            value for value in (left, right) if isinstance(value, int) and not -(1 << width) < value < 1 << width
        ]
        if large or (len(widths) == 2 and widths[0] != widths[1]):
            if not exact:
                return Mix(self.inputs(left, right))
            width = max(width, self.address)
        word = "add" if op == "+" else "sub"
        return Bits(self._binary(word, self.node(left, width), self.node(right, width)), 0, width, False)

    def _shifted(self, value: Bits, by: int) -> Value:
        if by == 0 or value.shift == by:
            # Back to the place the bits come from: as a number, with zeros below.
            if by == 0:
                return value
            mask = (1 << value.width) - 1 << by
            node = self._binary("and", value.node, self._const(mask, value.node))
            return Bits(node, 0, value.width + by, value.exact)
        width = value.width + by
        if width > 64 or not value.exact:
            return Mix(self.inputs(value))
        node = self._binary("shl", self.node(value, width), Const(value=by, width=width))
        return Bits(node, 0, width)

    def _const(self, value: int, like: Node) -> Const:
        return Const(value=value & (1 << like.width) - 1, width=like.width)

    def _binary(self, op: str, left: Node, right: Node) -> Node:
        return self._add(Binary(op=op, lhs=left, rhs=right, width=left.width, span=self.span))  # type: ignore[arg-type]

    def _cast(self, op: str, value: Node, width: int) -> Node:
        return self._add(Cast(op=op, value=value, width=width, span=self.span))  # type: ignore[arg-type]

    def _opaque(self, inputs: tuple[Node, ...], width: int) -> Node:
        return Opaque(opcode=self.word, inputs=inputs, width=width, span=self.span)

    def _piece(self, key: object, inputs: tuple[Node, ...], width: int) -> Node:
        known = self._pieces.get(key)
        if known is None:
            known = self._pieces[key] = self._add(self._opaque(inputs, width))
        return known

    def _add(self, node: Node) -> Node:
        self.nodes.append(node)
        return node


_LOGIC = {"&": "and", "|": "or", "^": "xor"}

"""The core IR: functions of blocks, each block a DAG of values in program order.

It holds what bit updates are made of (constants, loads, stores, atomic updates, logic, casts, address
arithmetic); everything else is `Opaque`, with what it may read and write. Front ends lower to it, the matcher
reads it; nothing here knows an input format or a target.

Lowering contract, for front ends:

* Pointers are integers of their address space's width. A GEP becomes `Binary("add")` with the pointer as `lhs`
  (and `mul` by a constant for a variable index): what is known about objects follows `lhs`.
  ``inttoptr``/``ptrtoint``/``bitcast`` become `Cast` with the width they end at. ``ptr null`` is ``Const(0)``.
* `Block.nodes` holds the instructions in program order, every node an instruction is lowered to among them.
  `Const`, `Symbol`, `Argument` stand outside any block. An `alloca` is a `StackSlot` in its block. Constant
  expressions are lowered to fresh nodes outside any block. A node defined in another block is the same object
  there.
* No use may be lost. What cannot be named where it is used, since it is defined further down (a phi's value from
  a later block), is an input of a further `Opaque` behind its definition.
* Debug records are no nodes. A lifetime marker is an `Opaque` with `marker=True` that writes through its slot.
* A fence, and a ``cmpxchg`` stronger than monotonic, `writes` without `through`: nothing moves across it.
* A thread-local global is no `Symbol`, since its address is not one constant.

>>> flags = Symbol(name="flags", width=16)
>>> byte = Access(width=8)
>>> old = Load(pointer=flags, access=byte, width=8, name="%0")
>>> new = Binary(op="or", lhs=old, rhs=Const(value=16, width=8), width=8, name="%1")
>>> block = Block(name="entry", nodes=(old, new, Store(pointer=flags, value=new, access=byte)))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from bitsel.record import record

if TYPE_CHECKING:
    import networkx

Ordering = Literal["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"]


@record
class Span:
    """Where a node stands in its source: character offsets [start, end) and the line of `start`, from 1."""

    start: int
    end: int
    line: int


@record(cache_hash=True)
class Access:
    """One memory access: `width` and `align` (bits, bytes); `ordering` None is a plain access.

    `space` is the address space's number. `width` may be any positive number of bits, as in the source.
    """

    width: int
    volatile: bool = False
    ordering: Ordering | None = None
    align: int = 1
    space: int = 0


def _shown(operand: Node | tuple[Node, ...] | None) -> str:
    """Operands in a node's text: by name, since all that a value is computed from may be without end."""
    if isinstance(operand, tuple):
        return f"({', '.join(map(describe, operand))})"
    return "None" if operand is None else describe(operand)


@record(eq=False, kw_only=True)
class Node:
    """A value or an action. `width` is the value's width in bits, 0 where there is none.

    `name` is the value's name as the source writes it (``%4``, ``@flags``), None where it has none.
    Nodes compare by identity: two loads of one place are two nodes.
    """

    width: int = 0
    name: str | None = None
    span: Span | None = None

    @property
    def operands(self) -> tuple[Node, ...]:
        return ()


@record(eq=False, kw_only=True)
class Const(Node):
    """An integer constant; `value` lies in [0, 2**width)."""

    value: int


@record(eq=False, kw_only=True)
class Symbol(Node):
    """The address of a global; `name` is its link name without sigil or quotes.

    Aliases are lowered to what they stand for. Where that is not known (an interposable alias, an ifunc)
    `distinct` is False: such a symbol may be any other place. `section` is the explicit section, if any.
    """

    space: int = 0
    distinct: bool = True
    section: str | None = None


@record(eq=False, kw_only=True)
class Argument(Node):
    """A function's argument; `noalias` says that no other object of the function overlaps what it points to."""

    noalias: bool = False


@record(eq=False, kw_only=True)
class StackSlot(Node):
    """An ``alloca``: the value is the slot's address. `size` in bytes, None where it varies."""

    size: int | None = None
    space: int = 0


@record(eq=False, kw_only=True)
class Cast(Node):
    """``zext``, ``sext``, ``trunc`` between integer widths; ``freeze`` and ``bitcast`` keep the width.

    ``bitcast`` stands for every change of type that keeps the bits: ptrtoint and inttoptr of the pointer's own
    width too. ``addrspacecast`` keeps its name: it may change bits; `space` is the address space it ends in.
    `same_object`: both sides are pointers, so the result points into the object the operand points into. That
    does not hold of ``inttoptr``, whose result may point anywhere.
    """

    op: Literal["zext", "sext", "trunc", "freeze", "bitcast", "addrspacecast"]
    value: Node = field(repr=_shown)
    space: int | None = None
    same_object: bool = False

    @property
    def operands(self) -> tuple[Node, ...]:
        return (self.value,)


@record(eq=False, kw_only=True)
class Binary(Node):
    """Integer arithmetic modulo 2**width."""

    op: Literal["and", "or", "xor", "add", "sub", "mul", "shl"]
    lhs: Node = field(repr=_shown)
    rhs: Node = field(repr=_shown)

    @property
    def operands(self) -> tuple[Node, ...]:
        return (self.lhs, self.rhs)


@record(eq=False, kw_only=True)
class Load(Node):
    pointer: Node = field(repr=_shown)
    access: Access

    @property
    def operands(self) -> tuple[Node, ...]:
        return (self.pointer,)


@record(eq=False, kw_only=True)
class Store(Node):
    """Stores `value` (access.width bits) to `pointer`."""

    pointer: Node = field(repr=_shown)
    value: Node = field(repr=_shown)
    access: Access

    @property
    def operands(self) -> tuple[Node, ...]:
        return (self.value, self.pointer)


@record(eq=False, kw_only=True)
class AtomicRMW(Node):
    """``atomicrmw op``: stores old OP value, yields the old value. `op` is the IR's word (``and``, ``nand``, …)."""

    op: str
    pointer: Node = field(repr=_shown)
    value: Node = field(repr=_shown)
    access: Access

    @property
    def operands(self) -> tuple[Node, ...]:
        return (self.pointer, self.value)


@record(eq=False, kw_only=True)
class Opaque(Node):
    """Anything else: `opcode` is the source's word for it.

    `reads`/`writes`: whether it may touch memory. `through`, when not None, limits that to the objects these
    pointers point into. `ordered`: a volatile access may not move across it (call, fence, inline assembly).
    `marker`: a lifetime marker, whose operands count as no use. `returns_twice`: a call that may return again
    later (``setjmp``), to find even private stack slots changed.
    """

    opcode: str
    inputs: tuple[Node, ...] = field(default=(), repr=_shown)
    reads: bool = False
    writes: bool = False
    through: tuple[Node, ...] | None = field(default=None, repr=_shown)
    ordered: bool = False
    marker: bool = False
    returns_twice: bool = False

    @property
    def operands(self) -> tuple[Node, ...]:
        return self.inputs


@record(eq=False)
class Block:
    """A straight run of nodes in program order; `name` as the source names it (``entry``, ``4``)."""

    name: str
    nodes: tuple[Node, ...]

    def graph(self) -> networkx.MultiDiGraph:
        """The block's DAG: an edge per operand (``kind="value"``) and along memory order (``kind="chain"``)."""
        import networkx

        graph = networkx.MultiDiGraph()
        last: Node | None = None
        for node in self.nodes:
            graph.add_node(node, label=node.name or type(node).__name__.lower())
            for operand in node.operands:
                graph.add_edge(operand, node, kind="value")
            if touches_memory(node):
                if last is not None:
                    graph.add_edge(last, node, kind="chain")
                last = node
        return graph


@record(eq=False)
class Function:
    """A function's blocks in source order; `name` is its link name, `span` all of its definition."""

    name: str
    blocks: tuple[Block, ...]
    span: Span | None = None
    users: dict[Node, list[Node]] = field(init=False, repr=False)

    @users.default
    def _count_users(self) -> dict[Node, list[Node]]:
        users: dict[Node, list[Node]] = {}
        for block in self.blocks:
            for node in block.nodes:
                if isinstance(node, Opaque) and node.marker:
                    continue
                for operand in node.operands:
                    if operand in users:
                        users[operand].append(node)
                    else:
                        users[operand] = [node]
        return users

    def nodes(self) -> Iterator[Node]:
        for block in self.blocks:
            yield from block.nodes


def touches_memory(node: Node) -> bool:
    return isinstance(node, (Load, Store, AtomicRMW)) or (
        isinstance(node, Opaque) and (node.reads or node.writes or node.ordered)
    )


def describe(node: Node) -> str:
    """`node` in a sentence: by its name, or by what it is and where (``store at line 12``)."""
    if isinstance(node, Symbol):
        return f"@{node.name}"
    if isinstance(node, Const):
        return str(node.value)
    return node.name if node.name is not None else describe_action(node)


def describe_action(node: Node) -> str:
    """What `node` does and where (``call to @ext at line 12``), whether or not it has a name."""
    word = node.opcode if isinstance(node, Opaque) else getattr(node, "op", type(node).__name__.lower())
    return f"{word} at line {node.span.line}" if node.span is not None else word


@record
class Address:
    """A location as reports and the selector see it: what it is relative to, and a constant offset in bytes.

    `kind` and `base`: ``absolute`` (base None, `offset` is the number as the IR writes it, unsigned),
    ``symbol`` (link name), ``pointer`` (the value's name), ``stack`` (the slot's name).
    """

    kind: Literal["absolute", "symbol", "pointer", "stack"]
    base: str | None
    offset: int
    space: int = 0
    section: str | None = None


@frozen
class DataLayout:
    """What a module says about memory: byte order, and pointer widths in bits per address space (0 the default)."""

    endian: Literal["little", "big"]
    pointer_bits: dict[int, int]

    def bits(self, space: int) -> int:
        return self.pointer_bits.get(space, self.pointer_bits[0])

"""From instructions to the core IR: each runs by its `does`, over nodes instead of numbers.

Registers are values; what a block does not set has a value of its own at the block's start. Whether a register is
needed behind a block is no matter of the IR, but of `liveness`. Assembly does not say what is volatile, so all
memory is taken to be: an access keeps its width, its number and its place among the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from attrs import frozen

from bitsel import ir
from bitsel.frontends.gas.effects import Units
from bitsel.frontends.gas.expression import Address, Unknown
from bitsel.frontends.gas.operands import Instruction
from bitsel.frontends.gas.program import Block, Function, Step
from bitsel.frontends.gas.values import Bits, Mix, NodeDomain, Value
from bitsel.target.expr import Assign, Name, Num, Unspecified
from bitsel.target.semantics import evaluate, execute


@frozen
class Lifted:
    """A function in the core IR; for each load and store, the block and the number of the step it is of."""

    function: ir.Function
    origin: dict[ir.Node, tuple[Block, int]]


Plain = Callable[[str | int, int], bool]
"""Whether so many bytes from a symbol, by its name in the text, or an address on are memory whose accesses nobody
watches."""


def lift(function: Function, units: Units, plain: Plain) -> Lifted:
    """`function` in the core IR, block by block."""
    origin: dict[ir.Node, tuple[Block, int]] = {}
    blocks = []
    for block in function.blocks:
        nodes = []
        for number, made in enumerate(_Run(units, plain).block(block)):
            nodes.extend(made)
            for node in made:
                if isinstance(node, (ir.Load, ir.Store)):
                    origin[node] = (block, number)
        blocks.append(ir.Block(name=block.name, nodes=tuple(nodes)))
    return Lifted(ir.Function(name=function.name, blocks=tuple(blocks)), origin)


class _Run:
    """The registers of one block while it runs: a `semantics.Machine`."""

    def __init__(self, units: Units, plain: Plain) -> None:
        self.units = units
        self.plain = plain
        target = self.target = units.target
        widths = [register.width for register in target.registers.values() if not register.parts]
        self.domain = NodeDomain(target.address_bits, max(widths))
        self.held: dict[str, Value] = {}
        self.symbols: dict[tuple[str, int], ir.Node] = {}
        self.written: dict[ir.Node, str] = {}  # the nodes of `symbols` by the symbol's name in the text
        self.instruction: Instruction | None = None

    def block(self, block: Block) -> Iterator[list[ir.Node]]:
        """The nodes of each step."""
        for step in block.steps:
            statement = step.statement
            self.domain.nodes = []
            self.domain.span = ir.Span(statement.start, statement.end, statement.line)
            self.domain.word = statement.word
            self.step(step)
            yield self.domain.nodes

    def step(self, step: Step) -> None:
        instruction = self.instruction = step.instruction
        form = instruction.form
        effects = self.units.effects(instruction)
        if form.flow in ("call", "order"):
            self._opaque(effects.reads, reads=True, writes=True, ordered=True)
            if form.flow == "call":
                self.held.clear()
        elif form.places or form.reads:
            memory = effects.loads or effects.stores
            self._opaque(effects.reads, reads=memory, writes=memory, ordered=memory)
        execute(_without_flags(form.does, self.units.flag_names), self, self.domain)
        for name in self.units.named(effects.special):
            self.held.pop(name, None)

    def _opaque(self, used: int, *, reads: bool, writes: bool, ordered: bool) -> None:
        used &= ~self.units.flags
        inputs = self.domain.inputs(*(self._unit(name) for name in self.units.named(used)))
        assert self.domain.span is not None
        self.domain.add(
            ir.Opaque(
                opcode=self.domain.word,
                inputs=inputs,
                span=self.domain.span,
                reads=reads,
                writes=writes,
                ordered=ordered,
            )
        )

    # -- the machine ------------------------------------------------------------------------------------------

    def read(self, name: str) -> Value:
        assert self.instruction is not None
        bound = self.instruction.env.get(name, name)
        if isinstance(bound, str):
            return self._register(bound)
        return self._number(bound)

    def write(self, name: str, value: Value) -> None:
        assert self.instruction is not None
        bound = self.instruction.env.get(name, name)
        assert isinstance(bound, str), "a number is not written"
        width = self.target.registers[bound].width
        if isinstance(value, Mix) and not value.inputs:
            value = self.domain.opaque((), width)
        value = self.domain.low(value, width)
        at = 0
        for unit in self.units.of(bound):
            size = self.target.registers[unit].width
            if self.target.registers[unit].value is None:
                self.held[unit] = _slice(value, at, size)
            at += size

    def load(self, width: int, address: Value) -> Value:
        pointer = self.domain.node(address, self.target.address_bits)
        node = ir.Load(
            pointer=pointer,
            access=self._access(pointer, width),
            width=width,
            span=self.domain.span,
        )
        self.domain.add(node)
        return Bits(node, 0, width)

    def store(self, width: int, address: Value, value: Value) -> None:
        pointer = self.domain.node(address, self.target.address_bits)
        self.domain.add(
            ir.Store(
                pointer=pointer,
                value=self.domain.node(value, width),
                access=self._access(pointer, width),
                span=self.domain.span,
            )
        )

    def _access(self, pointer: ir.Node, width: int) -> ir.Access:
        place = self._place_of(pointer)
        return ir.Access(width=width, volatile=place is None or not self.plain(place, width // 8))

    def _place_of(self, pointer: ir.Node) -> str | int | None:
        """The symbol or address that an access is to, by its name in the text; None where it goes by a register."""
        if isinstance(pointer, ir.Const):
            return pointer.value
        return self.written.get(pointer)

    def _register(self, name: str) -> Value:
        units = self.units.of(name)
        if len(units) == 1:
            return self._unit(name)
        if not any(unit in self.held for unit in units):
            self._begin(name, units)
        return self.domain.joined([(self._unit(unit), self.target.registers[unit].width) for unit in units])

    def _begin(self, name: str, units: tuple[str, ...]) -> None:
        """A pair that the block has not set: one value, of which its registers are pieces."""
        node = ir.Argument(name=self.target.registers[name].text, width=self.target.registers[name].width)
        at = 0
        for unit in units:
            self.held[unit] = Bits(node, at, self.target.registers[unit].width)
            at += self.target.registers[unit].width

    def _unit(self, name: str) -> Value:
        register = self.target.registers[name]
        if register.value is not None:
            return register.value
        known = self.held.get(name)
        if known is None:
            known = self.held[name] = Bits(ir.Argument(name=name, width=register.width), 0, register.width)
        return known

    def _number(self, value: int | Address | Unknown) -> Value:
        if isinstance(value, int):
            return value
        if isinstance(value, Unknown):
            return self.domain.opaque((), self.target.address_bits)
        whole = Bits(self._symbol(value), 0, self.target.address_bits)
        if value.part is None:
            return whole
        return evaluate(self.target.parts[value.part].is_, lambda _: whole, self.domain)

    def _symbol(self, value: Address) -> ir.Node:
        key = (value.symbol, value.offset)
        known = self.symbols.get(key)
        if known is None:
            width = self.target.address_bits
            base: ir.Node = ir.Symbol(name=self._link_name(value.symbol), width=width, distinct=False)
            if value.offset:
                offset = ir.Const(value=value.offset & (1 << width) - 1, width=width)
                base = ir.Binary(op="add", lhs=base, rhs=offset, width=width)
            known = self.symbols[key] = base
            self.written[base] = value.symbol
        return known

    def _link_name(self, written: str) -> str:
        """The name the symbol has in C; one without the dialect's prefix keeps LLVM's mark for a name as it is."""
        prefix, _, suffix = self.target.dialect.symbol.partition("{}")
        if written.startswith(prefix) and written.endswith(suffix):
            return written[len(prefix) : len(written) - len(suffix)]
        return "\x01" + written


@lru_cache(maxsize=4096)
def _without_flags(does: tuple[Assign, ...], flags: frozenset[Name]) -> tuple[Assign, ...]:
    """`does` with what is computed for flags unspecified, so that a flag nobody needs is no use of anything.

    Who needs it is a question to `liveness`; only a constant, or another flag, is followed.
    """
    found = []
    for statement in does:
        values = tuple(
            Unspecified() if place in flags and not isinstance(value, (Num, Name)) else value
            for place, value in zip(statement.targets, statement.values, strict=True)
        )
        found.append(Assign(statement.targets, values))
    return tuple(found)


def _slice(value: Value, at: int, width: int) -> Value:
    if isinstance(value, int):
        return value >> at & (1 << width) - 1
    assert isinstance(value, Bits), "a value cut to a width"
    if at >= value.width:
        return 0
    return Bits(value.node, value.shift + at, min(width, value.width - at))

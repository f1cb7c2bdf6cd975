"""The matcher by execution: random straight-line programs run as written, and with every site it accepts replaced
by one update at the place of the store; both must do the same to memory and to whoever watches.

The interpreter here shares nothing with the code under test: it knows addresses, bytes and integers.
"""

from __future__ import annotations

import random

import pytest
from attrs import define, field

from bitsel.ir import (
    Access,
    Argument,
    AtomicRMW,
    Binary,
    Block,
    Cast,
    Const,
    Function,
    Load,
    Node,
    Opaque,
    StackSlot,
    Store,
    Symbol,
)
from bitsel.match import Site, match

PROGRAMS = 2_000

#: Where things are: first byte and size. Unknown pointers may point to any of them but the private ones.
OBJECTS = {"a": (0x20, 4), "b": (0x24, 4), "%s": (0x28, 4), "%e": (0x2C, 4), "%ps": (0x30, 2), "raw": (0x10, 4)}
NOALIAS = (0x38, 4)
VISIBLE = ("a", "b", "raw")


@define
class Program:
    """A program being made: its nodes, and the values later nodes may pick from."""

    rng: random.Random
    nodes: list[Node] = field(factory=list)
    values: list[Node] = field(factory=list)
    pointers: list[Node] = field(factory=list)
    inputs: dict[Node, int] = field(factory=dict)
    names: int = 0

    def add(self, node: Node) -> Node:
        self.nodes.append(node)
        return node

    def name(self) -> str:
        self.names += 1
        return f"%{self.names}"


def const(value: int, width: int) -> Const:
    return Const(value=value & (1 << width) - 1, width=width)


def generate(seed: int) -> Program:
    program = Program(random.Random(seed))
    rng = program.rng
    symbols = [Symbol(name=name, width=16) for name in ("a", "b")]
    slots = [StackSlot(name=name, width=16, size=4) for name in ("%s", "%e", "%ps")]
    program.nodes += slots
    escapes = rng.random() < 0.5
    if escapes:
        program.add(Opaque(opcode="call", inputs=(slots[1],), reads=True, ordered=True))
    anything = [*VISIBLE, "%e"] if escapes else VISIBLE
    arguments = [Argument(name=name, width=16) for name in ("%p", "%q")]
    for argument in arguments:
        program.inputs[argument] = OBJECTS[rng.choice(VISIBLE)][0]
    noalias = Argument(name="%r", width=16, noalias=True)
    program.inputs[noalias] = NOALIAS[0]
    loaded = Opaque(opcode="call", name="%call", width=16)
    program.inputs[loaded] = OBJECTS[rng.choice(anything)][0]
    program.add(loaded)
    absolute = const(rng.choice([OBJECTS["raw"][0], OBJECTS["a"][0]]), 16)
    program.pointers += [*symbols, *slots[:2], *arguments, noalias, loaded, absolute]
    for width in (8, 16):
        mask = Argument(name=f"%m{width}", width=width)
        program.inputs[mask] = rng.getrandbits(width)
        program.values.append(mask)
    index = Argument(name="%x", width=16)
    program.inputs[index] = rng.choice([0, 1])
    program.add(Store(pointer=slots[2], value=rng.choice(arguments), access=Access(16)))
    for _ in range(rng.randint(1, 4)):
        make_update(program, slots[2], arguments, index)
    return program


def make_update(program: Program, pointer_slot: Node, arguments: list[Argument], index: Node) -> None:
    """A load, some logic on it and a store to what is most often the same place, with other things between."""
    rng = program.rng
    access = Access(rng.choice([8, 8, 16]), volatile=rng.random() < 0.3)
    reload = rng.random() < 0.15
    base, offset, indexed = rng.choice(program.pointers), rng.choice([0, 0, 1]), rng.random() < 0.2

    def pointer() -> Node:
        root = base
        if reload:
            root = program.add(Load(pointer=pointer_slot, access=Access(16), width=16, name=program.name()))
        if indexed:
            root = program.add(Binary(op="add", lhs=root, rhs=index, width=16, name=program.name()))
        if offset:
            root = program.add(Binary(op="add", lhs=root, rhs=const(offset, 16), width=16, name=program.name()))
        return root

    def between() -> None:
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            make_other(program, pointer_slot, arguments)

    at = pointer()
    value: Node = program.add(Load(pointer=at, access=access, width=access.width, name=program.name()))
    program.values.append(value)
    between()
    for _ in range(rng.randint(1, 4)):
        value = make_link(program, value)
        if rng.random() < 0.15:
            program.values.append(value)
    between()
    if value.width != access.width and rng.random() < 0.9:
        op = "trunc" if value.width > access.width else "zext"
        value = program.add(Cast(op=op, value=value, width=access.width, name=program.name()))
    again = rng.random()
    at = at if again < 0.5 else pointer() if again < 0.9 else rng.choice(program.pointers)
    between()
    program.add(Store(pointer=at, value=value, access=Access(value.width, volatile=access.volatile)))


def make_link(program: Program, value: Node) -> Node:
    """One more step up the chain from `value`."""
    rng, width = program.rng, value.width
    kind = rng.random()
    if kind < 0.15:
        op, width = rng.choice([("freeze", width), ("zext", 16), ("sext", 16)] if width < 16 else [("trunc", 8)])
        return program.add(Cast(op=op, value=value, width=width, name=program.name()))
    other: Node = const(rng.choice([1 << rng.randrange(width), rng.getrandbits(width), -1, 0xFF, 0]), width)
    if kind > 0.9:
        other = rng.choice([v for v in [*program.values, value] if v.width == width])
    operands = (value, other) if rng.random() < 0.5 else (other, value)
    op = rng.choice(["and", "or", "xor"])
    return program.add(Binary(op=op, lhs=operands[0], rhs=operands[1], width=width, name=program.name()))


def make_other(program: Program, pointer_slot: Node, arguments: list[Argument]) -> None:
    """Something that has nothing to do with the update, unless it has."""
    rng = program.rng
    at = rng.choice(program.pointers)
    access = Access(rng.choice([8, 16]), volatile=rng.random() < 0.3)
    kind = rng.randrange(7)
    if kind == 0:
        mask = rng.choice([v for v in program.values if v.width == access.width])
        program.add(Store(pointer=at, value=mask, access=access))
    elif kind == 1:
        program.values.append(program.add(Load(pointer=at, access=access, width=access.width, name=program.name())))
    elif kind == 2:
        writes = rng.random() < 0.5
        program.add(Opaque(opcode="call", reads=True, writes=writes, ordered=rng.random() < 0.7))
    elif kind == 3:
        program.add(Opaque(opcode="call", writes=True, through=(at,)))
    elif kind == 4:
        program.add(Store(pointer=pointer_slot, value=rng.choice(arguments), access=Access(16)))
    elif kind == 5:
        program.add(AtomicRMW(op="or", pointer=at, value=const(4, 8), access=Access(8), width=8))
    else:
        program.add(Opaque(opcode="ret", inputs=(rng.choice(program.values),), ordered=False))


# -- running it ----------------------------------------------------------------------------------------------------


@define
class Machine:
    """Memory, the values computed so far, and what watchers see: `ordered` is the order of calls and volatile
    accesses, `called` what each call finds."""

    memory: dict[int, int]
    values: dict[object, int]
    ordered: list[object] = field(factory=list)
    called: list[object] = field(factory=list)

    def value(self, node: Node) -> int:
        if isinstance(node, Const):
            return node.value
        if isinstance(node, Symbol):
            return OBJECTS[node.name][0]
        return self.values[node]

    def read(self, at: int, access: Access) -> int:
        if access.volatile:
            self.ordered.append(("read", at, access.width))
        return sum(self.memory[at + i] << 8 * i for i in range(access.width // 8))

    def write(self, at: int, access: Access, value: int) -> None:
        if access.volatile:
            self.ordered.append(("write", at, access.width, value))
        for i in range(access.width // 8):
            self.memory[at + i] = value >> 8 * i & 0xFF

    def visible(self) -> list[int]:
        """The bytes a call can reach."""
        reached = [OBJECTS[name] for name in (*VISIBLE, "%e")] + [NOALIAS]
        return [at for start, size in reached for at in range(start, start + size)]


def object_bytes(at: int) -> range:
    for start, size in (*OBJECTS.values(), NOALIAS):
        if start <= at < start + size:
            return range(start, start + size)
    raise AssertionError(hex(at))


def run(program: Program, accepted: dict[Node, Site]) -> Machine:
    """Run the program; a store in `accepted` becomes one update there, and its load disappears."""
    gone = {site.load for site in accepted.values()}
    noise = random.Random(1)
    memory = {at: noise.getrandbits(8) for at in range(0x60)}
    machine = Machine(memory, dict(program.inputs))
    for node in program.nodes:
        written_by_calls = noise.getrandbits(8)
        if node not in gone:
            step(machine, node, accepted.get(node), written_by_calls)
    return machine


def step(machine: Machine, node: Node, site: Site | None, noise: int) -> None:
    if site is not None:
        update(machine, node, site)
    elif isinstance(node, StackSlot):
        machine.values[node] = OBJECTS[node.name][0]
    elif isinstance(node, Load):
        machine.values[node] = machine.read(machine.value(node.pointer), node.access)
    elif isinstance(node, Store):
        machine.write(machine.value(node.pointer), node.access, machine.value(node.value))
    elif isinstance(node, AtomicRMW):
        at = machine.value(node.pointer)
        machine.write(at, node.access, machine.read(at, node.access) | machine.value(node.value))
    elif isinstance(node, Opaque):
        call(machine, node, noise)
    elif all(isinstance(o, (Const, Symbol)) or o in machine.values for o in node.operands):
        machine.values[node] = compute(node, [machine.value(o) for o in node.operands])


def update(machine: Machine, node: Node, site: Site) -> None:
    address, access, effect = site.idiom.address, site.idiom.access, site.idiom.effect
    if address.kind == "absolute":
        at = address.offset
    elif address.kind == "symbol":
        at = OBJECTS[address.base][0] + address.offset
    else:
        (base,) = (v for n, v in machine.values.items() if n.name == address.base)
        at = base + address.offset & 0xFFFF
    assert at == machine.value(node.pointer)
    machine.write(at, access, machine.read(at, access) & effect.keep ^ effect.flip)


def call(machine: Machine, node: Opaque, noise: int) -> None:
    if node.ordered:
        machine.ordered.append(node.opcode)
    machine.called.append([machine.value(o) for o in node.inputs])
    if node.reads:
        machine.called.append([machine.memory[at] for at in machine.visible()])
    if node.writes:
        written = machine.visible() if node.through is None else object_bytes(machine.value(node.through[0]))
        for at in written:
            machine.memory[at] ^= noise


def compute(node: Node, operands: list[int]) -> int:
    ones = (1 << node.width) - 1
    if isinstance(node, Cast):
        if node.op == "sext" and operands[0] & 0x80:
            return operands[0] | ones ^ 0xFF
        return operands[0] & ones
    assert isinstance(node, Binary)
    left, right = operands
    return {"and": left & right, "or": left | right, "xor": left ^ right, "add": left + right}[node.op] & ones


def outcome(program: Program, accepted: dict[Node, Site]) -> tuple[object, ...]:
    machine = run(program, accepted)
    return machine.memory, machine.ordered, machine.called


def selected(program: Program) -> dict[Node, Site]:
    function = Function("f", (Block("entry", tuple(program.nodes)),))
    return {site.at: site for site in match(function) if site.reason is None}


@pytest.mark.parametrize("batch", range(10))
def test_accepted_updates_do_what_the_program_does(batch):
    accepted_in_all = 0
    for seed in range(batch * PROGRAMS // 10, (batch + 1) * PROGRAMS // 10):
        program = generate(seed)
        accepted = selected(program)
        accepted_in_all += len(accepted)
        assert outcome(program, {}) == outcome(program, accepted), f"seed {seed}"
    # Most programs must hold an update that is accepted, or nothing is tested.
    assert accepted_in_all > PROGRAMS // 10 // 2


def test_each_accepted_update_alone_does_what_the_program_does():
    for seed in range(PROGRAMS):
        program = generate(seed)
        before = outcome(program, {})
        for node, site in selected(program).items():
            assert outcome(program, {node: site}) == before, f"seed {seed}"

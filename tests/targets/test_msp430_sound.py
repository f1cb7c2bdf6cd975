"""Sequences for MSP430, chosen or baseline, run as printed on a machine of its own: each does what the update says
to those bytes and no others, changes no register it does not name, and takes the bytes and clocks it says.

The machine reads the assembly by the vendor's description of the addressing modes and shares nothing with the
table.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import define, field

import bitsel_msp430
from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.selector import search
from bitsel.selector.engine import Engine
from bitsel.selector.search import Objective
from bitsel.selector.verdict import Sequence
from bitsel.target.facts import Target
from bitsel.target.load import load_target

REGISTERS = ("sp", *(f"r{n}" for n in range(4, 16)))
GENERATED = {0, 1, 2, 4, 8, -1}


@define
class Operand:
    """Where an operand is: a register, a byte address, or a constant; and the words and clocks it adds."""

    register: str | None = None
    address: int | None = None
    constant: int = 0
    words: int = 0
    as_source: int = 0


@define
class Machine:
    """An MSP430 CPU (`cpux`: CPUX) with the bytes of `cell` for memory."""

    registers: dict[str, int]
    memory: dict[int, int]
    symbols: Mapping[str, int]
    cpux: bool
    accesses: list[tuple[str, int, int]] = field(factory=list)
    updates: int = 0
    bytes: int = 0
    cycles: int = 0
    flags_changed: bool = False

    def number(self, text: str) -> int:
        found = re.fullmatch(r"(w)([+-]\d+)?", text)
        if found:
            return self.symbols["w"] + int(found[2] or 0)
        return int(text, 0)

    def operand(self, text: str, size: int) -> Operand:
        if text in REGISTERS:
            return Operand(register=text)
        if text.startswith("#"):
            number = self.number(text[1:])
            free = number in GENERATED and "w" not in text
            return Operand(constant=number, words=0 if free else 1, as_source=0 if free else 1)
        if text.startswith("&"):
            return Operand(address=self.number(text[1:]), words=1, as_source=2)
        found = re.fullmatch(r"@(\w+)(\+?)|(-?\d+)\((\w+)\)", text)
        assert found, f"no operand of this machine: {text}"
        if found[1]:
            address = self.registers[found[1]]
            if found[2]:
                self.registers[found[1]] = (address + size) & 0xFFFF
            return Operand(address=address, as_source=1)
        return Operand(address=(self.registers[found[4]] + int(found[3])) & 0xFFFF, words=1, as_source=2)

    def touch(self, kind: str, address: int, size: int) -> None:
        assert address % size == 0, f"a word {kind} at the odd address {address:#x}"
        for byte in range(address, address + size):
            assert byte in self.memory, f"a {kind} of {byte:#x}, beyond the cell"
        self.accesses.append((kind, address, size))

    def get(self, operand: Operand, size: int) -> int:
        mask = (1 << 8 * size) - 1
        if operand.register:
            return self.registers[operand.register] & mask
        if operand.address is None:
            return operand.constant & mask
        self.touch("read", operand.address, size)
        return sum(self.memory[operand.address + i] << 8 * i for i in range(size))

    def put(self, operand: Operand, size: int, value: int) -> None:
        value &= (1 << 8 * size) - 1
        if operand.register:
            self.registers[operand.register] = value
            return
        assert operand.address is not None
        self.touch("write", operand.address, size)
        for i in range(size):
            self.memory[operand.address + i] = value >> 8 * i & 255

    def run(self, line: str) -> None:
        found = re.fullmatch(r"(\w+)(\.b)? ([^,]+), (.+)", line)
        assert found, line
        name, size = found[1], 1 if found[2] else 2
        source = self.operand(found[3], size)
        s = self.get(source, size)
        target = self.operand(found[4], size)
        before = len(self.accesses)
        d = self.get(target, size) if name != "mov" else 0
        results = {"mov": s, "bis": d | s, "bic": d & ~s, "and": d & s, "xor": d ^ s, "add": d + s, "sub": d - s}
        if name in results:
            self.put(target, size, results[name])
        else:
            assert name in ("bit", "cmp"), line
        self.flags_changed |= name not in ("mov", "bis", "bic")
        self.updates += [kind for kind, _, _ in self.accesses[before:]] == ["read", "write"]
        self.bytes += 2 + 2 * (source.words + target.words)
        less = self.cpux and name in ("mov", "bit", "cmp")
        self.cycles += 1 + source.as_source + (0 if target.register else 2 if less else 3)


@pytest.fixture(scope="module")
def target() -> Target:
    return load_target(Path(bitsel_msp430.__file__).parent)


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found with little work has to be sound as well, and there is more of it in the same time."""
    monkeypatch.setattr(search, "MOST_WORK", 30_000)


def an_effect(width: int, rng: random.Random) -> Effect:
    ones = (1 << width) - 1
    kind = rng.randrange(10)
    if kind == 0:
        return Effect.constant(width, rng.getrandbits(width))
    if kind < 3:
        make = rng.choice((Effect.or_with, Effect.xor_with, lambda w, m: Effect.and_with(w, ~m)))
        return make(width, rng.getrandbits(width) or 1)
    keep, flip = ones, 0
    for bit in rng.sample(range(width), rng.choice((1, 1, 1, 2))):
        op = rng.choice(("set", "clear", "toggle"))
        keep &= ones ^ (1 << bit) if op != "toggle" else ones
        flip |= 1 << bit if op != "clear" else 0
    return Effect(width, keep, flip)


ABSOLUTE = (0x0000, 0x0021, 0x00FE, 0x0100, 0x0162, 0x01FE, 0x0200, 0x0FFE, 0x1100, 0x2401, 0x38FE, 0xFFFC)


def an_idiom(rng: random.Random) -> Idiom:
    width = rng.choice((8, 8, 8, 16, 16, 32))
    kind = rng.choice(("absolute", "symbol", "pointer", "stack"))
    align = rng.choice((1, 2))
    if kind == "absolute":
        where = Address("absolute", None, rng.choice(ABSOLUTE), 0)
        align = 2 if where.offset % 2 == 0 else 1
    else:
        offset = rng.choice((0, 1, 2, 5, 40)) - (3 if kind != "stack" and rng.random() < 0.2 else 0)
        where = Address(kind, {"symbol": "w", "pointer": "%p", "stack": "%s"}[kind], offset, 0)
    return Idiom(an_effect(width, rng), Access(width, rng.random() < 0.3, None, align, 0), where)


def run(idiom: Idiom, sequence: Sequence, cpux: bool, rng: random.Random) -> None:
    """Run `sequence` from a random state, the cell anywhere that the idiom allows, and check what it may do."""
    where, size = idiom.address, idiom.access.width // 8
    address = where.offset if where.kind == "absolute" else rng.randrange(0x1200, 0x3800)
    if where.kind != "absolute":
        address -= address % idiom.access.align
    base = (address - where.offset) & 0xFFFF
    registers = {name: rng.getrandbits(16) for name in REGISTERS}
    registers |= {"pointer": {"r12": base}, "stack": {"sp": base}}.get(where.kind, {})
    machine = Machine(dict(registers), {address + i: rng.getrandbits(8) for i in range(size)}, {"w": base}, cpux)
    old = sum(machine.memory[address + i] << 8 * i for i in range(size))
    for line in sequence.asm:
        machine.run(line)

    new = sum(machine.memory[address + i] << 8 * i for i in range(size))
    assert new == idiom.effect(old), f"{old:#x} became {new:#x}, not {idiom.effect(old):#x}"
    changed = {name for name, value in registers.items() if machine.registers[name] != value}
    assert changed <= set(sequence.clobbers)
    assert not machine.flags_changed or {"n", "z", "c", "v"} <= set(sequence.clobbers)
    assert (machine.bytes, machine.cycles) == (sequence.bytes, sequence.cycles)
    if idiom.access.volatile:
        assert machine.accesses == [("read", address, size), ("write", address, size)]
    assert sequence.interruptible == (not (machine.updates == 1 and len(machine.accesses) == 2))


@pytest.mark.parametrize("objective", ["size", "speed"])
@pytest.mark.parametrize(("device", "seed"), [("msp430f1611", 1), ("msp430f5529", 2)])
def test_every_sequence_makes_the_update_and_nothing_else(
    target: Target, device: str, seed: int, objective: Objective
) -> None:
    rng = random.Random(seed)
    engine = Engine(target, target.devices[device], objective, cache=None)
    chosen = baselines = 0
    for _ in range(15):
        idiom = an_idiom(rng)
        selection = engine.select(idiom)
        for sequence in filter(None, (selection.chosen, selection.baseline)):
            for _ in range(4):
                run(idiom, sequence, device == "msp430f5529", rng)
        chosen += selection.chosen is not None
        baselines += selection.baseline is not None
    assert chosen > 4
    assert baselines > 4


def byte() -> Idiom:
    return Idiom(Effect.or_with(8, 4), Access(8, True, None, 1, 0), Address("symbol", "w", 0, 0))


@pytest.mark.parametrize(
    ("asm", "size", "cycles", "clobbers"),
    [
        (("bis.b #8, &w",), 4, 4, ()),  # another bit
        (("bic.b #4, &w",), 4, 4, ()),  # another operation
        (("bis.b #4, &w+1",), 4, 4, ()),  # another byte
        (("bis #4, &w",), 4, 4, ()),  # one byte more
        (("bis.b #4, &w",), 6, 4, ()),  # other bytes than said
        (("bis.b #4, &w",), 4, 5, ()),  # other clocks
        (("bis.b #4, &w", "bis.b #4, &w"), 8, 8, ()),  # two reads and two writes
        (("mov.b &w, r12", "bis.b #4, r12", "mov.b r12, &w"), 10, 8, ()),  # r12 changes too
        (("xor.b #4, &w", "bis.b #4, &w"), 8, 8, ()),  # the flags change too
    ],
)
def test_the_machine_notices_a_wrong_sequence(
    asm: tuple[str, ...], size: int, cycles: int, clobbers: tuple[str, ...]
) -> None:
    wrong = Sequence(asm, size, cycles, len(asm) > 1, clobbers)
    with pytest.raises(AssertionError):
        run_often(wrong)


def run_often(sequence: Sequence) -> None:
    for seed in range(8):
        run(byte(), sequence, False, random.Random(seed))


def test_the_machine_accepts_a_right_sequence() -> None:
    run_often(Sequence(("bis.b #4, &w",), 4, 4, False, ()))

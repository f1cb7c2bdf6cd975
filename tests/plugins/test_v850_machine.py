"""The fourth target's sequences on a machine that knows no table: a V850 written here from the manuals' words.

Every sequence, chosen or baseline, is read as GNU as would and run from random states. It does what the update says
to those bytes and no others, changes no register that it does not name, and takes the bytes and clocks it says.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import pytest
from attrs import define, field, frozen

from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.selector import search
from bitsel.selector.engine import Engine
from bitsel.selector.verdict import Objective, Sequence
from bitsel.target.facts import Target
from bitsel.target.load import load_target

PLUGIN = Path(__file__).parent / "bitsel_v850" / "bitsel_v850"
WORD = 0xFFFFFFFF
LATE: Mapping[str, int] = {"v850": 1, "v850e1": 1, "v850e2": 2, "rh850g3m": 2, "rh850g3mh": 2}
BIT_CLOCKS: Mapping[str, int] = {"v850": 4, "v850e1": 3, "v850e2": 4, "rh850g3m": 4, "rh850g3mh": 1}
WIDTHS = {"b": 8, "h": 16, "w": 32}


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


@define
class V850:
    """Registers, flags, the bytes of `memory` (nothing else is there), and what was read and written. `ready` says
    at which clock a register that was loaded can be used."""

    device: str
    symbols: Mapping[str, int]
    registers: dict[str, int]
    memory: dict[int, int]
    touched: list[tuple[str, int, int]] = field(factory=list)
    bytes: int = 0
    clock: int = 0
    ready: dict[str, int] = field(factory=dict)

    def run(self, line: str) -> None:
        op, _, rest = line.partition(" ")
        operands = [part.strip() for part in rest.split(",")]
        if op in ("set1", "clr1", "not1"):
            self.bit(op, int(operands[0]), operands[1])
        elif op.startswith("ld."):
            self.load(op, operands[0], operands[1])
        elif op.startswith("st."):
            self.store(WIDTHS[op[3]], operands[0], operands[1])
        elif op in ("ori", "andi", "xori"):
            immediate = int(operands[0])
            assert 0 <= immediate <= 0xFFFF
            self.logic(op[:-1], immediate, self.use(operands[1]), operands[2])
            self.spend(4)
        elif op in ("or", "and", "xor"):
            self.logic(op, self.use(operands[0]), self.use(operands[1]), operands[1])
            self.spend(2)
        elif op in ("movea", "movhi"):
            immediate = self.constant(operands[0])
            assert operands[1] == "r0"
            assert (-0x8000 if op == "movea" else 0) <= immediate <= (0x7FFF if op == "movea" else 0xFFFF)
            self.set(operands[2], immediate << (16 if op == "movhi" else 0))
            self.spend(4)
        else:
            assert op == "mov"
            immediate = self.constant(operands[0])
            self.set(operands[1], immediate)
            if -16 <= immediate <= 15 and "hilo" not in operands[0]:
                self.spend(2)
            else:
                assert self.device != "v850"
                self.spend(6, 2 if self.device == "v850e1" else 1)

    def constant(self, text: str) -> int:
        symbol = re.fullmatch(r"(hilo|hi|lo)\(_(\w+?)([+-]\d+)?\)", text)
        if symbol is None:
            return int(text, 0)
        value = self.symbols[symbol[2]] + int(symbol[3] or 0) & WORD
        lower = signed(value, 16)
        # GNU as: hi() is what lo(), a signed number, leaves of the address.
        return {"hilo": value, "lo": lower, "hi": value - lower >> 16 & 0xFFFF}[symbol[1]]

    def use(self, register: str) -> int:
        self.clock = max(self.clock, self.ready.get(register, 0))
        return self.registers[register]

    def set(self, register: str, value: int) -> None:
        if register != "r0":
            self.registers[register] = value & WORD
            self.ready.pop(register, None)

    def spend(self, size: int, clocks: int = 1) -> None:
        self.bytes += size
        self.clock += clocks

    def flags(self, **flags: int) -> None:
        self.registers.update(flags)

    def logic(self, op: str, left: int, right: int, to: str) -> None:
        result = left | right if op == "or" else left & right if op == "and" else left ^ right
        self.set(to, result)
        self.flags(z=int(result == 0), s=result >> 31, ov=0)

    def address(self, text: str, width: int) -> int:
        match = re.fullmatch(r"(-?(?:0x)?[0-9a-f]+|lo\(.*\))\[(r\d+)\]", text)
        assert match is not None, text
        displacement = self.constant(match[1])
        assert -0x8000 <= displacement <= 0x7FFF
        assert width == 8 or displacement % 2 == 0, "its lowest bit is part of the operation"
        found = self.use(match[2]) + displacement & WORD
        assert found % (width // 8) == 0, "not aligned"
        return found

    def access(self, kind: str, at: int, width: int) -> range:
        self.touched.append((kind, at, width))
        return range(at, at + width // 8)

    def bit(self, op: str, number: int, where: str) -> None:
        at = self.address(where, 8)
        self.access("read", at, 8)
        old = self.memory[at]
        self.flags(z=int(not old >> number & 1))
        mask = 1 << number
        self.access("write", at, 8)
        self.memory[at] = old | mask if op == "set1" else old & ~mask if op == "clr1" else old ^ mask
        self.spend(4, BIT_CLOCKS[self.device])

    def load(self, op: str, where: str, to: str) -> None:
        width = WIDTHS[op[3]]
        at = self.address(where, width)
        assert not (op.endswith("u") and self.device == "v850")
        value = sum(self.memory[a] << 8 * i for i, a in enumerate(self.access("read", at, width)))
        self.set(to, value if op.endswith("u") else signed(value, width))
        self.spend(4)
        self.ready[to] = self.clock + LATE[self.device]

    def store(self, width: int, register: str, where: str) -> None:
        value = self.use(register)
        for i, a in enumerate(self.access("write", self.address(where, width), width)):
            assert a in self.memory
            self.memory[a] = value >> 8 * i & 255
        self.spend(4)


@frozen
class Site:
    idiom: Idiom
    address: int
    symbols: Mapping[str, int]
    registers: Mapping[str, int]


def placed(idiom: Idiom, rng: random.Random) -> Site:
    """A real place for the idiom. A pointer may be anywhere, with the cell over the end of the address space."""
    where = idiom.address
    if where.kind == "absolute":
        return Site(idiom, where.offset, {}, {})
    address = rng.choice((0, 0x7FFC, 0x8000, 0xFFFF7FFC, 0xFFFFF000, rng.getrandbits(32))) & -4
    start = address - where.offset & WORD
    if where.kind == "symbol":
        return Site(idiom, address, {"w": start}, {})
    return Site(idiom, address, {}, {"r6": start})


def run(device: str, site: Site, sequence: Sequence, rng: random.Random) -> None:
    idiom = site.idiom
    size = idiom.access.width // 8
    cell = [site.address + i & WORD for i in range(size)]
    before = {f"r{n}": rng.getrandbits(32) for n in range(1, 32)} | {flag: rng.getrandbits(1) for flag in FLAGS}
    before |= {"r0": 0} | site.registers
    machine = V850(device, site.symbols, dict(before), {a: rng.getrandbits(8) for a in cell})
    old = sum(machine.memory[a] << 8 * i for i, a in enumerate(cell))
    for line in sequence.asm:
        machine.run(line)
    assert set(machine.memory) == set(cell)
    assert sum(machine.memory[a] << 8 * i for i, a in enumerate(cell)) == idiom.effect(old)
    changed = {name for name, value in before.items() if machine.registers[name] != value}
    assert changed <= set(sequence.clobbers)
    assert (sequence.bytes, sequence.cycles) == (machine.bytes, machine.clock)
    if idiom.access.volatile:
        assert machine.touched == [(kind, site.address, 8 * size) for kind in ("read", "write")]
    updates = [line for line in sequence.asm if line[:4] in ("set1", "clr1", "not1")]
    assert sequence.interruptible == (len(updates) != 1 or len(machine.touched) != 2)


FLAGS = ("z", "s", "ov", "cy")
ABSOLUTE = (0, 0x7FFC, 0x8000, 0x12344, 0x4000000, 0xFFFF7FFC, 0xFFFF8000, 0xFFFFEFF0)
OFFSETS = (0, 0, 1, 4, -4, -3, 0x7FFF, 0x7FFC, 0x8000, -0x8000, -0x8001)
EFFECTS: Mapping[str, Callable[[int, int], Effect]] = {
    "set": Effect.or_with,
    "clear": lambda width, bit: Effect.and_with(width, (1 << width) - 1 & ~bit),
    "toggle": Effect.xor_with,
}


def an_idiom(rng: random.Random) -> Idiom:
    width = rng.choice((8, 8, 16, 32))
    effect = EFFECTS[rng.choice(list(EFFECTS))](width, 1 << rng.randrange(width))
    kind: Literal["absolute", "symbol", "pointer"] = rng.choice(("absolute", "symbol", "pointer"))
    if kind == "absolute":
        where = Address(kind, None, rng.choice(ABSOLUTE), 0)
    else:
        where = Address(kind, "w", rng.choice(OFFSETS), 0)
    return Idiom(effect, Access(width, rng.random() < 0.3, align=width // 8), where)


@pytest.fixture(scope="module")
def v850() -> Target:
    return load_target(PLUGIN)


@pytest.mark.parametrize(
    ("device", "objective", "seed"),
    [("v850", "size", 1), ("v850e1", "size", 2), ("rh850g3m", "size", 3)],
)
def test_every_sequence_makes_the_update_and_nothing_else(
    v850: Target, monkeypatch: pytest.MonkeyPatch, device: str, objective: Objective, seed: int
) -> None:
    # What is found with little work has to be right as well, and there is more of it in the same time.
    monkeypatch.setattr(search, "MOST_WORK", 100_000)
    rng = random.Random(seed)
    engine = Engine(v850, v850.devices[device], objective, cache=None)
    chosen = baselines = 0
    for _ in range(10):
        idiom = an_idiom(rng)
        selection = engine.select(idiom)
        for sequence in filter(None, (selection.chosen, selection.baseline)):
            for _ in range(4):
                run(device, placed(idiom, rng), sequence, rng)
        chosen += selection.chosen is not None
        baselines += selection.baseline is not None
    assert chosen >= 3
    assert baselines >= 3


def run_often(where: Site, sequence: Sequence) -> None:
    for seed in range(8):
        run("v850e1", where, sequence, random.Random(seed))


WRONG = [
    (("set1 3, 0[r6]",), ()),  # z changes too
    (("set1 2, 0[r6]",), ("z",)),  # another bit
    (("set1 3, 1[r6]",), ("z",)),  # another byte
    (("mov 8, r10", "st.b r10, 0[r6]"), ("r10",)),  # the other bits are lost
    (("ld.h 0[r6], r10", "ori 8, r10, r10", "st.h r10, 0[r6]"), ("r10", "z", "s", "ov")),  # beyond the cell
]


@pytest.mark.parametrize(("asm", "clobbers"), WRONG)
def test_the_machine_notices_a_wrong_sequence(asm: tuple[str, ...], clobbers: tuple[str, ...]) -> None:
    where = Site(Idiom(Effect.or_with(8, 8), Access(8), Address("pointer", "w", 0)), 0x1000, {}, {"r6": 0x1000})
    size = sum(2 if line.startswith("mov ") else 4 for line in asm)
    clocks = 3 if len(asm) == 1 else 2 if len(asm) == 2 else 4
    with pytest.raises((AssertionError, KeyError)):
        run_often(where, Sequence(asm, size, clocks, len(asm) > 1, clobbers))


@pytest.mark.parametrize("address", [0, 0x7FFC, 0x8000, 0xFFFF7FFC, 0xFFFF8000, 0x12348764])
def test_the_machine_puts_halves_together(address: int) -> None:
    where = Site(Idiom(Effect.or_with(8, 8), Access(8), Address("symbol", "w", 2)), address + 2, {"w": address}, {})
    right = Sequence(("movhi hi(_w+2), r0, r6", "set1 3, lo(_w+2)[r6]"), 8, 4, False, ("r6", "z"))
    run_often(where, right)
    for wrong in ("set1 3, lo(_w+1)[r6]", "set1 3, lo(_w+4)[r6]"):
        with pytest.raises((AssertionError, KeyError)):
            run_often(where, Sequence((right.asm[0], wrong), 8, 4, False, ("r6", "z")))


def test_the_machine_accepts_a_right_sequence() -> None:
    where = Site(Idiom(Effect.or_with(8, 8), Access(8), Address("pointer", "w", 0)), 0x1000, {}, {"r6": 0x1000})
    run_often(where, Sequence(("set1 3, 0[r6]",), 4, 3, False, ("z",)))

"""Every sequence for AVR, chosen or baseline, run as printed on a concrete machine that knows AVR's instructions by
itself, not from the table: it does what the update says, to those bytes and no others, and changes no register that
it does not name."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import define, field, frozen

import bitsel_avr
from bitsel.effect import Effect
from bitsel.ir import Access, Address, Ordering
from bitsel.match import Idiom
from bitsel.selector import search
from bitsel.selector.engine import Engine, Policy
from bitsel.selector.verdict import Objective, Sequence
from bitsel.target.facts import Target
from bitsel.target.load import load_target

POINTERS = {"X": 26, "Y": 28, "Z": 30}
LOGIC: dict[str, Callable[[int, int], int]] = {
    "or": lambda d, r: d | r,
    "and": lambda d, r: d & r,
    "eor": lambda d, r: d ^ r,
}
LOCKED: dict[str, Callable[[int, int], int]] = {
    "las": lambda m, r: m | r,
    "lac": lambda m, r: m & ~r & 255,
    "lat": lambda m, r: m ^ r,
    "xch": lambda m, r: r,
}


@define
class Machine:
    """32 registers, flags as far as sequences may use them, and the bytes of the cell: nothing else may be touched.

    `io`: the data address of I/O register 0. `sram`: where LAS and its kin work.
    """

    io: int
    registers: list[int]
    memory: dict[int, int]
    symbols: dict[str, int]
    sram: range
    t: int = 0
    c: int = 0
    flags: set[str] = field(factory=set)
    accesses: list[tuple[str, int]] = field(factory=list)

    def load(self, address: int) -> int:
        assert address in self.memory, f"reads {address:#x}"
        self.accesses.append(("read", address))
        return self.memory[address]

    def store(self, address: int, value: int) -> None:
        assert address in self.memory, f"writes {address:#x}"
        self.accesses.append(("write", address))
        self.memory[address] = value & 255

    def number(self, text: str) -> int:
        """An immediate or address, of a symbol too."""
        part = re.fullmatch(r"(lo8|hi8)\((.*)\)", text)
        if part:
            return self.number(part[2]) >> (8 if part[1] == "hi8" else 0) & 255
        symbol = re.fullmatch(r"([a-z]+)([+-]\d+)?", text)
        if symbol:
            return self.symbols[symbol[1]] + int(symbol[2] or 0) & 0xFFFF
        return int(text, 0)

    def pair(self, first: int) -> int:
        return self.registers[first] | self.registers[first + 1] << 8

    def set_pair(self, first: int, value: int) -> None:
        self.registers[first : first + 2] = [value & 255, value >> 8 & 255]

    def place(self, text: str) -> int:
        """The address that a pointer operand names; X+ and its like step it."""
        first = POINTERS[text[0]]
        address = self.pair(first)
        if text[1:] == "+":
            self.set_pair(first, address + 1)
            return address
        return address + int(text[2:] or 0) & 0xFFFF

    def result(self, d: int, value: int, flags: str = "svnz") -> None:
        self.registers[d] = value & 255
        self.flags |= set(flags)

    def run(self, line: str) -> None:
        """One instruction. Operands that the machine has no bits for are refused."""
        mnemonic, _, rest = line.partition(" ")
        operands = [operand.strip() for operand in rest.split(",")] if rest else []
        getattr(self, f"do_{KIND.get(mnemonic, mnemonic)}")(mnemonic, *operands)

    def do_bit(self, mnemonic: str, p: str, bit: str) -> None:
        address = self.io + limited(self.number(p), 32)
        mask = 1 << limited(int(bit), 8)
        old = self.load(address)
        self.store(address, old | mask if mnemonic == "sbi" else old & ~mask)

    def do_locked(self, mnemonic: str, z: str, r: str) -> None:
        assert z == "Z"
        address = self.place(z)
        assert address in self.sram, f"{mnemonic} at {address:#x}"
        old = self.load(address)
        self.store(address, LOCKED[mnemonic](old, self.registers[reg(r)]))
        self.registers[reg(r)] = old

    def do_in(self, _: str, d: str, p: str) -> None:
        self.registers[reg(d)] = self.load(self.io + limited(self.number(p), 64))

    def do_out(self, _: str, p: str, r: str) -> None:
        self.store(self.io + limited(self.number(p), 64), self.registers[reg(r)])

    def do_lds(self, _: str, d: str, a: str) -> None:
        self.registers[reg(d)] = self.load(self.number(a))

    def do_sts(self, _: str, a: str, r: str) -> None:
        self.store(self.number(a), self.registers[reg(r)])

    def do_ld(self, _: str, d: str, m: str) -> None:
        self.registers[reg(d)] = self.load(self.place(m))

    def do_st(self, _: str, m: str, r: str) -> None:
        self.store(self.place(m), self.registers[reg(r)])

    def do_immediate(self, mnemonic: str, d: str, i: str) -> None:
        number = limited(self.number(i), 256)
        self.result(upper(d), LOGIC[mnemonic[:-1]](self.registers[reg(d)], number))

    def do_logic(self, mnemonic: str, d: str, r: str) -> None:
        self.result(reg(d), LOGIC[mnemonic](self.registers[reg(d)], self.registers[reg(r)]))

    def do_com(self, _: str, d: str) -> None:
        self.result(reg(d), ~self.registers[reg(d)], "svnzc")
        self.c = 1

    def do_ldi(self, _: str, d: str, i: str) -> None:
        self.registers[upper(d)] = limited(self.number(i), 256)

    def do_mov(self, _: str, d: str, r: str) -> None:
        self.registers[reg(d)] = self.registers[reg(r)]

    def do_movw(self, _: str, d: str, r: str) -> None:
        assert reg(d) % 2 == reg(r) % 2 == 0
        self.set_pair(reg(d), self.pair(reg(r)))

    def do_bst(self, _: str, r: str, bit: str) -> None:
        self.t = self.registers[reg(r)] >> limited(int(bit), 8) & 1
        self.flags.add("t")

    def do_bld(self, _: str, d: str, bit: str) -> None:
        mask = 1 << limited(int(bit), 8)
        self.registers[reg(d)] = self.registers[reg(d)] & ~mask | (mask if self.t else 0)

    def do_adiw(self, mnemonic: str, d: str, k: str) -> None:
        assert reg(d) in (24, 26, 28, 30)
        step = limited(int(k), 64) * (1 if mnemonic == "adiw" else -1)
        self.set_pair(reg(d), self.pair(reg(d)) + step)
        self.flags |= set("svnzc")


KIND = {
    **dict.fromkeys(("sbi", "cbi"), "bit"),
    **dict.fromkeys(LOCKED, "locked"),
    **dict.fromkeys(("ori", "andi"), "immediate"),
    **dict.fromkeys(LOGIC, "logic"),
    "ldd": "ld",
    "std": "st",
    "sbiw": "adiw",
}


def limited(value: int, below: int) -> int:
    assert 0 <= value < below, f"{value} is not below {below}"
    return value


def reg(name: str) -> int:
    assert re.fullmatch(r"r\d+", name), name
    return limited(int(name[1:]), 32)


def upper(name: str) -> int:
    assert reg(name) >= 16
    return reg(name)


@frozen
class Site:
    """An idiom on a device, and the address of the cell's first byte this time."""

    idiom: Idiom
    address: int
    base: int


def run(io: int, site: Site, sequence: Sequence, rng: random.Random) -> None:
    """Run `sequence` from a random state and check all that it may and may not do."""
    idiom = site.idiom
    size = idiom.access.width // 8
    cell = range(site.address, site.address + size)
    registers = [rng.getrandbits(8) for _ in range(32)]
    if idiom.address.kind == "pointer":
        registers[24:26] = [site.base & 255, site.base >> 8]
    memory = {address: rng.getrandbits(8) for address in cell}
    old = sum(memory[address] << 8 * i for i, address in enumerate(cell))
    machine = Machine(io, list(registers), memory, {"w": site.base}, range(0x2000, 0x4000))
    made_by = []
    for line in sequence.asm:
        before = len(machine.accesses)
        machine.run(line)
        if len(machine.accesses) > before:
            made_by.append([kind for kind, _ in machine.accesses[before:]])
    new = sum(machine.memory[address] << 8 * i for i, address in enumerate(cell))
    assert new == idiom.effect(old), f"{old:#x} became {new:#x}, not {idiom.effect(old):#x}"
    changed = {f"r{i}" for i in range(32) if registers[i] != machine.registers[i]} | machine.flags
    assert changed <= set(sequence.clobbers), f"changes {changed}, says {sequence.clobbers}"
    both = [kinds for kinds in made_by if kinds == ["read", "write"]]
    if idiom.atomic:
        assert made_by == [["read", "write"]]
    elif idiom.access.volatile:
        assert machine.accesses == [("read", site.address), ("write", site.address)]
    assert sequence.interruptible == (not (len(made_by) == 1 and bool(both)))


def placed(idiom: Idiom, io: int, rng: random.Random) -> Site:
    """A place for the idiom: the one it names, or, of an object, any in internal SRAM."""
    where = idiom.address
    if where.kind == "absolute":
        return Site(idiom, where.offset, where.offset)
    base = rng.choice((rng.randrange(0x2040, 0x2F00), 0x20F0, 0x2100, 0x21FF))
    return Site(idiom, base + where.offset, base)


ABSOLUTE = (0x20, 0x25, 0x3E, 0x3F, 0x05, 0x1E, 0x1F, 0x40, 0x5C, 0x60, 0x100, 0x2004, 0x2FFF, 0x604)


def an_idiom(rng: random.Random) -> Idiom:
    width = rng.choice((8, 8, 8, 8, 16))
    kind = rng.choice(("absolute", "absolute", "symbol", "pointer"))
    if kind == "absolute":
        number = rng.choice(
            (0x20, 0x25, 0x3E, 0x3F, 0x05, 0x1E, 0x1F, 0x40, 0x5C, 0x60, 0x100, 0x2004, 0x2FFF, 0x604)
        )
        where = Address("absolute", None, number)
    elif kind == "symbol":
        where = Address("symbol", "w", rng.choice((0, 0, 1, 3)))
    else:
        where = Address("pointer", "%p", rng.choice((0, 0, 1, 5, 62, 63, 64, 70, -1)))
    bit = 1 << rng.randrange(width)
    make = rng.choice((Effect.or_with, Effect.xor_with, lambda w, m: Effect.and_with(w, ~m)))
    effect = make(width, bit if rng.random() < 0.8 else bit | 1)
    atomic = width == 8 and rng.random() < 0.2
    ordering: Ordering | None = "seq_cst" if atomic else None
    return Idiom(effect, Access(width, rng.random() < 0.4, ordering), where, atomic)


@pytest.fixture(scope="module")
def avr() -> Target:
    return load_target(Path(bitsel_avr.__file__).parent)


@pytest.mark.parametrize("objective", ["size", "speed"])
@pytest.mark.parametrize("device", ["atmega328p", "at90s2313", "atxmega128a1u", "attiny402", "attiny10"])
def test_every_sequence_makes_the_update_and_nothing_else(
    avr: Target, device: str, objective: Objective, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_WORK", 20_000)  # what is found with little work has to be sound as well
    rng = random.Random(f"{device} {objective}")
    policy: Policy = "vendor" if objective == "speed" else "strict"
    engine = Engine(avr, avr.devices[device], objective, policy, cache=None)
    io = avr.devices[device].constants["io"]
    found = 0
    for _ in range(16):
        idiom = an_idiom(rng)
        selection = engine.select(idiom)
        for sequence in filter(None, (selection.chosen, selection.baseline)):
            found += 1
            for _ in range(8):
                run(io, placed(idiom, io, rng), sequence, rng)
    assert found > 5


def run_often(idiom: Idiom, sequence: Sequence) -> None:
    for seed in range(8):
        run(0x20, Site(idiom, 0x25, 0x25), sequence, random.Random(seed))


@pytest.mark.parametrize(
    ("asm", "clobbers", "volatile"),
    [
        (("sbi 0x05, 3",), (), False),  # another bit
        (("cbi 0x05, 2",), (), False),  # another operation
        (("sbi 0x06, 2",), (), False),  # another place
        (("sbi 0x25, 2",), (), False),  # beyond what it has bits for
        (("in r18, 0x05", "ori r18, 4", "out 0x05, r18"), ("r18",), False),  # flags change too
        (("in r8, 0x05", "ori r8, 4", "out 0x05, r8"), ("r8", "n", "s", "v", "z"), False),  # no such form
        (("sbi 0x05, 2", "sbi 0x05, 2"), (), True),  # two reads and two writes
        (("ldi r30, 37", "ldi r31, 0", "ldi r18, 4", "las Z, r18"), ("r18", "r30", "r31"), False),  # not in SRAM
    ],
)
def test_the_machine_notices_a_wrong_sequence(
    asm: tuple[str, ...], clobbers: tuple[str, ...], volatile: bool
) -> None:
    idiom = Idiom(Effect.or_with(8, 4), Access(8, volatile), Address("absolute", None, 0x25))
    wrong = Sequence(asm, 0, 0, len(asm) > 1, clobbers)
    with pytest.raises(AssertionError):
        run_often(idiom, wrong)


def test_the_machine_accepts_a_right_sequence() -> None:
    idiom = Idiom(Effect.or_with(8, 4), Access(8, True), Address("absolute", None, 0x25))
    asm = ("in r18, 0x05", "ori r18, 4", "out 0x05, r18")
    right = Sequence(asm, 6, 3, True, ("n", "r18", "s", "v", "z"))
    run_often(idiom, right)

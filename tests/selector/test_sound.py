"""Every sequence, chosen or baseline, run as printed on a concrete machine: it does what the update says, to those
bytes and no others, and changes no register it does not name.

The assembly is read back through the table's own spellings and executed on integers, from random memory and
registers, with a real address chosen for every symbol, pointer and stack slot.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest
from attrs import define, field, frozen

import bitsel_rl78
from bitsel.effect import Effect
from bitsel.ir import Access, Address, Ordering
from bitsel.match import Idiom
from bitsel.selector import search
from bitsel.selector.engine import Engine, Policy
from bitsel.selector.verdict import Objective, Sequence
from bitsel.target.expand import forms
from bitsel.target.facts import Form, Number, NumberOperand, Slot, Target
from bitsel.target.load import load_target
from bitsel.target.semantics import IntDomain, execute, part_of

HERE = Path(bitsel_rl78.__file__).parent
UNITS = {
    "a": 8,
    "x": 8,
    "b": 8,
    "c": 8,
    "d": 8,
    "e": 8,
    "h": 8,
    "l": 8,
    "es": 8,
    "sp": 16,
    "z": 1,
    "ac": 1,
    "cy": 1,
}
PAIRS = {"ax": ("x", "a"), "bc": ("c", "b"), "de": ("e", "d"), "hl": ("l", "h")}
PSW = 0xFFFFA
BELOW_REGISTERS = 0xFFE1F
"""No object of a program lies where the machine's own registers are."""
# Registers that are memory too: address of a byte -> the units in it, each with its lowest bit there and its own.
MAPPED = {
    PSW: (("z", 6, 0), ("ac", 4, 0), ("cy", 0, 0)),
    0xFFFF8: (("sp", 0, 0),),
    0xFFFF9: (("sp", 0, 8),),
    0xFFFFD: (("es", 0, 0),),
}


def _registers() -> dict[int, list[tuple[int, int]]]:
    """The device's list: for each byte the width (bits) of the registers there and whether one bit of them may be
    changed. PSW and ES are of the CPU, and not in the list."""
    found: dict[int, list[tuple[int, int]]] = {PSW: [(8, 1)], 0xFFFFD: [(8, 0)]}
    lines = (HERE / "devices" / "r7f100g.csv").read_text().splitlines()
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        width = int(row["width_bits"])
        for byte in range(width // 8):
            found.setdefault(int(row["address"], 0) + byte, []).append((width, int(row["bit_manipulable"])))
    return found


REGISTERS = _registers()
REGISTER_AREAS = (range(0xF0000, 0xF0800), range(0xFFF00, 0x100000))
GENERAL_REGISTERS = range(0xFFEE0, 0xFFF00)

Touch = tuple[str, int, int]
"""An access: ``read`` or ``write``, its width in bits, its byte address."""


@define
class Machine:
    """Integers: registers, memory, and what was touched, all of which has to be in `cell`. `names` are the operands
    of the instruction that runs."""

    registers: dict[str, int]
    memory: dict[int, int]
    cell: range
    names: Mapping[str, int | str] = field(factory=dict)
    accesses: list[Touch] = field(factory=list)

    def read(self, name: str) -> int:
        bound = self.names.get(name, name)
        if isinstance(bound, int):
            return bound
        if bound in PAIRS:
            low, high = PAIRS[bound]
            return self.registers[low] | self.registers[high] << 8
        return self.registers[bound]

    def write(self, name: str, value: int) -> None:
        bound = self.names.get(name, name)
        assert isinstance(bound, str), f"{name} is a number"
        if bound in PAIRS:
            low, high = PAIRS[bound]
            self.registers[low], self.registers[high] = value & 255, value >> 8 & 255
        else:
            self.registers[bound] = value & (1 << UNITS[bound]) - 1

    def byte(self, address: int) -> int:
        """A byte of memory. PSW's other bits are memory, the mapped ones are the flags."""
        value = self.memory[address]
        for unit, at, its in MAPPED.get(address, ()):
            width = min(8, UNITS[unit])
            ones = (1 << width) - 1
            value = value & ~(ones << at) | (self.registers[unit] >> its & ones) << at
        return value

    def set_byte(self, address: int, value: int) -> None:
        self.memory[address] = value
        for unit, at, its in MAPPED.get(address, ()):
            ones = (1 << min(8, UNITS[unit])) - 1
            self.registers[unit] = self.registers[unit] & ~(ones << its) | (value >> at & ones) << its

    def touch(self, kind: str, width: int, address: int) -> None:
        count = width // 8
        assert address % count == 0, f"a {width}-bit {kind} at the odd address {address:#x}"
        assert address in self.cell, f"a {kind} of {address:#x}, before or after the cell"
        assert address + count - 1 in self.cell, f"a {kind} of {address:#x} that goes beyond the cell"
        self.accesses.append((kind, width, address))

    def load(self, width: int, address: int) -> int:
        self.touch("read", width, address)
        return sum(self.byte(address + i) << 8 * i for i in range(width // 8))

    def store(self, width: int, address: int, value: int) -> None:
        self.touch("write", width, address)
        for i in range(width // 8):
            self.set_byte(address + i, value >> 8 * i & 255)


@frozen
class Instruction:
    """A line of assembly as the table reads it: `names` are its operands."""

    form: Form
    names: Mapping[str, int | str]


class Reader:
    """Reads printed assembly by the table's spellings."""

    def __init__(self, target: Target, table: tuple[Form, ...]) -> None:
        self.target = target
        self.forms = [(re.compile("".join(map(self._pattern, form.text))), form) for form in table if form.does]

    def _pattern(self, item: str | Slot) -> str:
        return re.escape(item) if isinstance(item, str) else f"(?P<{item.name}>[^\\[\\]#]+?)"

    def read(self, line: str, symbols: Mapping[str, int]) -> Instruction:
        """The form that `line` is an instance of: the first that takes its operands."""
        for pattern, form in self.forms:
            match = pattern.fullmatch(line)
            if match is None:
                continue
            names: dict[str, int | str] = {}
            for name, text in match.groupdict().items():
                bound = self._operand(form, name, text, symbols)
                if bound is None:
                    break
                names[name] = bound
            else:
                return Instruction(form, names)
        raise AssertionError(f"no instruction of the table is written {line!r}")

    def _operand(self, form: Form, name: str, text: str, symbols: Mapping[str, int]) -> int | str | None:
        operand = form.operands[name]
        if not isinstance(operand, NumberOperand):
            return text if text in operand.registers else None
        if re.fullmatch(r"-?\d+|0x[0-9a-f]+", text):
            value = int(text, 0)
            return value if value in operand.number.ranges else None
        return self._symbol(operand.number, text, symbols)

    def _symbol(self, number: Number, text: str, symbols: Mapping[str, int]) -> int | None:
        for name in number.symbol:
            part = self.target.parts[name]
            before, after = part.text.split("{}")
            match = re.fullmatch(re.escape(before) + r"_(\w+?)([+-]\d+)?" + re.escape(after), text)
            if match is not None and match[1] in symbols:
                value = part_of(part, symbols[match[1]] + int(match[2] or 0))
                # The linker refuses a value that does not fit.
                assert value in number.ranges, f"{text} is {value:#x}, which {number.name} does not take"
                return value
        return None


@frozen
class Site:
    """An idiom, and where it really is this time: the `address` of the cell's first byte, and what leads there."""

    idiom: Idiom
    address: int
    symbols: Mapping[str, int]
    registers: Mapping[str, int]


def randomly_placed(idiom: Idiom, target: Target, rng: random.Random) -> Site:
    """A real place for the idiom: any that its kind of address and its alignment allow."""
    where = idiom.address
    size = idiom.access.width // 8
    space = target.spaces[where.space]
    align = idiom.access.align
    low, high = space.within
    if where.kind == "absolute":
        return Site(idiom, space.add + where.offset, {}, {})
    # The object holds the place that the offset counts from, and the cell.
    first = low - min(where.offset, 0)
    last = min(high, BELOW_REGISTERS) - max(where.offset + size - 1, 0)
    edges = [first, last, 0x1FFFF, 0x20000, 0xF00FF]
    base = min(max(rng.choice([rng.randint(first, last), rng.choice(edges)]), first), last)
    astray = (base + where.offset) % align
    base += align - astray if astray and base - astray < first else -astray
    address = base + where.offset
    if where.kind == "symbol":
        assert where.base is not None
        return Site(idiom, address, {where.base: base}, {})
    pointer = base & 0xFFFF
    if where.kind == "stack":
        return Site(idiom, address, {}, {"sp": pointer})
    return Site(idiom, address, {}, {"x": pointer & 255, "a": pointer >> 8})


def run(reader: Reader, site: Site, sequence: Sequence, rng: random.Random) -> None:
    """Run `sequence` from a random state and check all that it may and may not do."""
    idiom = site.idiom
    size = idiom.access.width // 8
    cell = range(site.address, site.address + size)
    registers = {name: rng.getrandbits(width) for name, width in UNITS.items()} | dict(site.registers)
    machine = Machine(dict(registers), {a: rng.getrandbits(8) for a in cell}, cell)
    old = sum(machine.byte(a) << 8 * i for i, a in enumerate(cell))
    instructions = [reader.read(line, site.symbols) for line in sequence.asm]
    made_by = []
    for instruction in instructions:
        machine.names = instruction.names
        before = len(machine.accesses)
        execute(instruction.form.does, machine, IntDomain())
        if len(machine.accesses) > before:
            made_by.append((instruction, machine.accesses[before:]))
    touching = [made for _, made in made_by]

    new = sum(machine.byte(a) << 8 * i for i, a in enumerate(cell))
    assert new == idiom.effect(old), f"{old:#x} became {new:#x}, not {idiom.effect(old):#x}"
    mapped = {unit for a in cell for unit, _, _ in MAPPED.get(a, ())}
    changed = {name for name, value in registers.items() if machine.registers[name] != value} - mapped
    assert changed <= set(sequence.clobbers), f"changes {changed}, says {sequence.clobbers}"

    if idiom.address.kind == "absolute":
        for instruction, made in made_by:
            check_legal(instruction.form, made, cell)
    width = idiom.access.width
    both = [made for made in touching if {kind for kind, _, _ in made} == {"read", "write"}]
    if idiom.atomic or idiom.access.ordering is not None:
        assert touching == both, "an atomic update that is not one access"
        assert len(touching) == 1, "more than one instruction for an atomic update"
    elif idiom.access.volatile:
        whole = [("read", width, site.address), ("write", width, site.address)]
        assert machine.accesses == whole, "a volatile access changed"
    assert sequence.interruptible == (not (len(touching) == 1 and both))
    assert sequence.bytes == sum(i.form.bytes for i in instructions)
    assert sequence.cycles == sum(i.form.cycles for i in instructions)


def check_legal(form: Form, made: list[Touch], cell: range) -> None:
    """At a constant address: what the list of the device's registers says of its bytes is kept to."""
    for _, width, address in made:
        for byte in range(address, address + width // 8):
            registers = REGISTERS.get(byte, [])
            in_area = any(byte in area for area in REGISTER_AREAS)
            if form.bit:
                assert (8, 1) in registers if registers or in_area else byte not in GENERAL_REGISTERS, hex(byte)
            elif range(address, address + width // 8) != cell and registers:
                assert width in {size for size, _ in registers}, f"a {width}-bit access of {byte:#x}"


# --- idioms of every kind ---------------------------------------------------------------------------------------


Kind = Literal["absolute", "symbol", "pointer", "stack"]


def an_effect(width: int, rng: random.Random) -> Effect:
    """Mostly a bit or few; sometimes a whole mask, a field insert or a constant."""
    ones = (1 << width) - 1
    kind = rng.randrange(16)
    if kind < 13:
        keep, flip = ones, 0
        for bit in rng.sample(range(width), rng.choice((1, 1, 1, 1, 2, 2))):
            op = rng.choice(("set", "clear", "toggle"))
            keep &= ones ^ (1 << bit) if op != "toggle" else ones
            flip |= 1 << bit if op != "clear" else 0
        return Effect(width, keep, flip)
    if kind == 13:
        mask = rng.getrandbits(width) or 1
        make = rng.choice((Effect.or_with, Effect.xor_with, lambda w, m: Effect.and_with(w, ~m)))
        return make(width, mask)
    if kind == 14:
        at = rng.randrange(width - 3)
        return Effect(width, ones & ~(0b1111 << at), (rng.getrandbits(4) & 0b1111) << at)
    return Effect.constant(width, rng.getrandbits(width))


ABSOLUTE = (
    *(0xFE20, 0xFE21, 0xFEDF, 0xFEE8, 0xFF00, 0xFF01, 0xFF10, 0xFF1F, 0xFF1E),  # saddr, registers banks, ports
    *(0xFF20, 0xFFA0, 0xFFE0, 0xFFE4, 0xFFF8, 0xFFFA, 0xFFFD, 0xFFFF - 3),  # sfr, sp, psw, es
    *(0x0010, 0x0020, 0x0030, 0x0100, 0x07FE, 0x0800),  # second sfr
    *(0x2000, 0x2001, 0xC123, 0x0FFF, 0x1000, 0x1FFF),  # memory, data flash
)


def an_idiom(rng: random.Random) -> Idiom:
    width = rng.choice((8, 8, 8, 16, 16, 24, 32))
    kind: Kind = rng.choice(("absolute", "symbol", "pointer", "stack"))
    space = rng.choice((0, 0, 1, 2)) if kind in ("absolute", "symbol") else rng.choice((0, 1))
    if kind == "absolute":
        number = rng.choice(ABSOLUTE)
        if space == 2:
            number = rng.choice((number + 0xF0000, rng.randrange(0xFFFF0), 0x1FFFF, 0xEFFFF))
        where = Address("absolute", None, number, space)
        align = number & -number if number else 8
    else:
        align = rng.choice((1, 2, 4))
        offset = rng.choice((0, 0, 1, 2, 3, 5, 16, 40, 255, 256, 300) + ((-1, -4, -20) if kind != "stack" else ()))
        where = Address(kind, {"symbol": "w", "pointer": "%p", "stack": "%s"}[kind], offset, space)
    volatile = rng.random() < 0.3
    atomic = rng.random() < 0.1
    ordering: Ordering | None = "seq_cst" if atomic else None
    access = Access(width, volatile, ordering, min(align, 4), space)
    return Idiom(an_effect(width, rng), access, where, atomic)


@pytest.fixture(scope="module")
def rl78() -> Target:
    return load_target(HERE)


@pytest.fixture(scope="module")
def reader(rl78: Target) -> Reader:
    return Reader(rl78, forms(rl78, rl78.devices["r7f100g"]))


@pytest.fixture
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found with little work has to be sound as well, and there is more of it in the same time."""
    monkeypatch.setattr(search, "MOST_WORK", 30_000)


@pytest.mark.usefixtures("_little_work")
@pytest.mark.parametrize("objective", ["size", "speed"])
@pytest.mark.parametrize(("policy", "seed"), [("strict", 1), ("vendor", 2)])
def test_every_sequence_makes_the_update_and_nothing_else(
    rl78: Target, reader: Reader, objective: Objective, policy: Policy, seed: int
) -> None:
    rng = random.Random(seed)
    engine = Engine(rl78, rl78.devices["r7f100g"], objective, policy, cache=None)
    chosen = baselines = 0
    for _ in range(55):
        idiom = an_idiom(rng)
        selection = engine.select(idiom)
        for sequence in filter(None, (selection.chosen, selection.baseline)):
            for _ in range(4):
                run(reader, randomly_placed(idiom, rl78, rng), sequence, rng)
        chosen += selection.chosen is not None
        baselines += selection.baseline is not None
    assert chosen > 10
    assert baselines > 25


def site(volatile: bool = False) -> Site:
    idiom = Idiom(Effect.or_with(8, 4), Access(8, volatile), Address("symbol", "w", 0))
    return Site(idiom, 0xF1234, {"w": 0xF1234}, {})


def run_often(reader: Reader, where: Site, sequence: Sequence) -> None:
    for seed in range(8):
        run(reader, where, sequence, random.Random(seed))


@pytest.mark.parametrize(
    ("asm", "clobbers", "volatile"),
    [
        (("set1 !_w.3",), (), False),  # another bit
        (("clr1 !_w.2",), (), False),  # another operation
        (("set1 !_w+1.2",), (), False),  # another byte
        (("mov a, !_w", "or a, #4", "mov !_w, a"), ("a",), False),  # z changes too
        (("movw hl, #_w", "set1 [hl].2"), ("h",), False),  # l changes too
        (("set1 !_w.2", "set1 !_w.2"), (), True),  # two reads and two writes
        (("movw ax, !_w", "or a, #4", "movw !_w, ax"), ("a", "x", "z"), False),  # beyond the cell
        (("mov !_w, #4",), (), False),  # the other bits are lost
    ],
)
def test_the_machine_notices_a_wrong_sequence(
    reader: Reader, asm: tuple[str, ...], clobbers: tuple[str, ...], volatile: bool
) -> None:
    instructions = [reader.read(line, {"w": 0xF1234}).form for line in asm]
    size, time = sum(form.bytes for form in instructions), sum(form.cycles for form in instructions)
    wrong = Sequence(asm, size, time, len(asm) > 1, clobbers)
    with pytest.raises(AssertionError):
        run_often(reader, site(volatile), wrong)


def test_the_machine_accepts_a_right_sequence(reader: Reader) -> None:
    right = Sequence(("movw hl, #_w", "set1 [hl].2"), 5, 3, False, ("h", "l"))
    run_often(reader, site(volatile=True), right)

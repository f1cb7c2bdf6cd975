"""All 65,536 masks of a 16-bit `or` and of a 16-bit `and`, every chosen sequence run on a machine of its own.

The machine below reads the assembly as printed, by the vendor's description of the instructions; it shares nothing
with the package. It runs 256 values at once: a register or memory byte is an integer of 256 lanes of 8 bits, which
the bitwise instructions that such an update needs treat as one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import bitsel
from bitsel.report import SiteReport

LANES = 256
ALL = (1 << 8 * LANES) - 1
# The old values: each byte takes all values of a byte, and the two in an unlike order.
LOW = int.from_bytes(bytes(range(LANES)), "little")
HIGH = int.from_bytes(bytes((value * 167 + 13) % 256 for value in range(LANES)), "little")


@lru_cache(maxsize=256)
def spread(byte: int) -> int:
    """The same byte in every lane."""
    return int.from_bytes(bytes([byte]) * LANES, "little")


class Machine:
    """The part of RL78 that updates of a 16-bit symbol ``_w`` can use. Addresses are (symbol's) offsets."""

    def __init__(self) -> None:
        self.memory = {0: LOW, 1: HIGH}
        self.bytes: dict[str, int] = {}  # registers a x b c d e h l
        self.pointers: dict[str, int] = {}  # register pairs that hold _w + offset

    def run(self, asm: tuple[str, ...]) -> tuple[int, int]:
        for line in asm:
            mnemonic, _, rest = line.partition(" ")
            operands = re.split(r",\s*", rest) if rest else []
            getattr(self, f"do_{mnemonic}")(*operands)
        return self.memory[0], self.memory[1]

    def offset(self, operand: str) -> int:
        """The byte of _w that a memory operand means."""
        if match := re.fullmatch(r"!_w(?:\+(\d+))?", operand):
            return int(match[1] or 0)
        if match := re.fullmatch(r"\[(hl|de)(?:\+(\d+))?\]", operand):
            return self.pointers[match[1]] + int(match[2] or 0)
        raise AssertionError(f"no operand of this machine: {operand}")

    def get(self, operand: str) -> int:
        if operand.startswith("#"):
            return spread(int(operand[1:]))
        if re.fullmatch("[axbcdehl]", operand):
            return self.bytes[operand]
        return self.memory[self.offset(operand)]

    def put(self, operand: str, value: int) -> None:
        if re.fullmatch("[axbcdehl]", operand):
            self.bytes[operand] = value
            for pair in [pair for pair in self.pointers if operand in pair]:
                del self.pointers[pair]
        else:
            self.memory[self.offset(operand)] = value

    def do_mov(self, to: str, value: str) -> None:
        self.put(to, self.get(value))

    def do_or(self, to: str, value: str) -> None:
        self.put(to, self.get(to) | self.get(value))

    def do_and(self, to: str, value: str) -> None:
        self.put(to, self.get(to) & self.get(value))

    def do_xor(self, to: str, value: str) -> None:
        self.put(to, self.get(to) ^ self.get(value))

    def do_clrb(self, to: str) -> None:
        self.put(to, 0)

    def do_xch(self, one: str, other: str) -> None:
        first, second = self.get(one), self.get(other)
        self.put(one, second)
        self.put(other, first)

    def do_set1(self, operand: str) -> None:
        place, bit = operand.rsplit(".", 1)
        self.put(place, self.get(place) | spread(1 << int(bit)))

    def do_clr1(self, operand: str) -> None:
        place, bit = operand.rsplit(".", 1)
        self.put(place, self.get(place) & ~spread(1 << int(bit)) & ALL)

    def do_incw(self, pair: str) -> None:
        self.pointers[pair] += 1

    def do_clrw(self, pair: str) -> None:
        self.do_movw(pair, "#0")

    def do_movw(self, to: str, value: str) -> None:
        """A word's low byte is in the pair's second register, and at the even address."""
        if match := re.fullmatch(r"#_w(?:\+(\d+))?", value):
            self.bytes = {name: held for name, held in self.bytes.items() if name not in to}
            self.pointers[to] = int(match[1] or 0)
            return
        low, high = self.word(value)
        if to in ("ax", "bc", "de", "hl"):
            self.put(to[1], low)
            self.put(to[0], high)
        else:
            at = self.offset(to)
            assert at % 2 == 0, f"a word at an odd address: {to}"
            self.memory[at], self.memory[at + 1] = low, high

    def word(self, operand: str) -> tuple[int, int]:
        if operand.startswith("#"):
            return spread(int(operand[1:]) & 0xFF), spread(int(operand[1:]) >> 8)
        if operand in ("ax", "bc", "de", "hl"):
            return self.bytes[operand[1]], self.bytes[operand[0]]
        at = self.offset(operand)
        assert at % 2 == 0, f"a word at an odd address: {operand}"
        return self.memory[at], self.memory[at + 1]


def module(op: str) -> Iterator[str]:
    yield 'target datalayout = "e-m:o-p:16:16-i32:16-i64:16-a:8-n8:16-S16"\n@w = global i16 0\n'
    for mask in range(1 << 16):
        yield (
            f"define void @f{mask}() {{\n  %v = load i16, ptr @w, align 2\n  %o = {op} i16 %v, {mask}\n"
            "  store i16 %o, ptr @w, align 2\n  ret void\n}\n"
        )


Expected = Callable[[int], tuple[int, int]]


def or_with(mask: int) -> tuple[int, int]:
    return LOW | spread(mask & 0xFF), HIGH | spread(mask >> 8)


def and_with(mask: int) -> tuple[int, int]:
    return LOW & spread(mask & 0xFF), HIGH & spread(mask >> 8)


SET = {1 << bit: f"set1 !_w.{bit}" if bit < 8 else f"set1 !_w+1.{bit - 8}" for bit in range(16)}
CLEAR = {mask ^ 0xFFFF: asm.replace("set1", "clr1") for mask, asm in SET.items()}


@pytest.fixture(scope="module", params=["or", "and"])
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[SiteReport]]:
    path: Path = tmp_path_factory.mktemp("masks") / f"{request.param}.ll"
    path.write_text("".join(module(request.param)))
    before = time.process_time()
    sites = bitsel.select(path, target="rl78:r7f100g").sites
    # The goal is 60 s on a machine that has nothing else to do; here is room for one that has.
    assert time.process_time() - before < 180
    assert len(sites) == 1 << 16
    return request.param, list(sites)


def test_the_single_bit_masks_are_one_bit_instruction(found: tuple[str, list[SiteReport]]) -> None:
    op, sites = found
    expected = SET if op == "or" else CLEAR
    one_instruction = {
        mask: site.chosen.asm[0] for mask, site in enumerate(sites) if site.chosen and len(site.chosen.asm) == 1
    }
    # A byte whose every bit changes the same way is a store: one instruction as well, but no bit instruction.
    bit_instructions = {mask: asm for mask, asm in one_instruction.items() if asm.startswith(("set1", "clr1"))}
    assert bit_instructions == expected


def test_every_sequence_does_what_the_source_says(found: tuple[str, list[SiteReport]]) -> None:
    op, sites = found
    expected: Expected = or_with if op == "or" else and_with
    for mask, site in enumerate(sites):
        for sequence in (site.chosen, site.baseline):
            if sequence is not None:
                assert Machine().run(sequence.asm) == expected(mask), (op, mask, sequence.asm)


def test_the_verdict_follows_from_the_costs(found: tuple[str, list[SiteReport]]) -> None:
    op, sites = found
    nothing = 0 if op == "or" else 0xFFFF
    for mask, site in enumerate(sites):
        chosen, baseline, reason = site.chosen, site.baseline, site.reason
        if mask == nothing:
            assert reason is not None
            assert reason.code.value == "noop"
        elif chosen is None:
            assert reason is not None, mask
            assert reason.code.value in ("multi-bit", "cost"), mask
        else:
            assert baseline is not None, mask
            before, after = (baseline.bytes, baseline.cycles), (chosen.bytes, chosen.cycles)
            assert after < before or (after == before and baseline.interruptible > chosen.interruptible), mask


def test_one_bit_in_each_byte_is_two_bit_instructions(found: tuple[str, list[SiteReport]]) -> None:
    op, sites = found
    site, name = (sites[0x0101], "set1") if op == "or" else (sites[0xFEFE], "clr1")
    assert site.chosen is not None
    assert sorted(site.chosen.asm) == [f"{name} !_w+1.0", f"{name} !_w.0"]
    assert (site.chosen.bytes, site.chosen.cycles, site.chosen.interruptible) == (8, 4, True)

"""AVR's table against the instruction set manual: every form of each core, bytes and clocks written by hand."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from attrs import define

import bitsel_avr
from bitsel.target.expand import forms
from bitsel.target.facts import Device, Target
from bitsel.target.load import load_target
from bitsel.target.semantics import IntDomain, execute
from bitsel.target.show import TableRow, table_rows

R = "r0..r31"
H = "r16..r31"
WIDE = "r25:r24|r27:r26|r29:r28|r31:r30"

# bytes/clocks on AVRe, AVRxm, AVRxt; "-" where a core has it not
FULL = f"""
2/2,1,1 {{sbi,cbi}} <p:io5>, <bit>
2/-,2,- {{las,lac,lat,xch}} Z, <r:{R}>
2/1,1,1 in <reg:{R}>, <p:io6>
2/1,1,1 out <p:io6>, <reg:{R}>
4/2,3,3 lds <d:{R}>, <a:a16>
4/2,2,2 sts <a:a16>, <r:{R}>
2/2,2,2 ld <d_reg:{R}>, {{X,Y,Z}}
2/2,2,2 ld <d_reg:r0..r25|r28..r31>, X+
2/2,2,2 ld <d_reg:r0..r27|r30..r31>, Y+
2/2,2,2 ld <d_reg:r0..r29>, Z+
2/2,3,2 ldd <d:{R}>, {{Y,Z}}+<q:u6>
2/2,1,1 st {{X,Y,Z}}, <r_reg:{R}>
2/2,1,1 st X+, <r_reg:r0..r25|r28..r31>
2/2,1,1 st Y+, <r_reg:r0..r27|r30..r31>
2/2,1,1 st Z+, <r_reg:r0..r29>
2/2,2,1 std {{Y,Z}}+<q:u6>, <r:{R}>
2/1,1,1 {{ori,andi}} <d:{H}>, <i:u8>
2/1,1,1 {{or,and,eor}} <d_reg:{R}>, <r_reg:{R}>
2/1,1,1 com <reg:{R}>
2/1,1,1 ldi <d:{H}>, <i:u8>
2/1,1,1 mov <d_reg:{R}>, <r_reg:{R}>
2/1,1,1 movw <d:r1:r0..r31:r30>, <r:r1:r0..r31:r30>
2/1,1,1 bst <reg:{R}>, <bit>
2/1,1,1 bld <reg:{R}>, <bit>
2/1,1,1 {{set,clt}}
2/2,2,2 {{adiw,sbiw}} <d:{WIDE}>, <k:u6>
2/1,1,1 {{subi,sbci}} <d:{H}>, <i:u8>
"""
REDUCED = f"""
2/1 {{sbi,cbi}} <p:io5>, <bit>
2/1 in <reg:{H}>, <p:io6>
2/1 out <p:io6>, <reg:{H}>
2/1 lds <d:{H}>, <a:a7>
2/1 sts <a:a7>, <r:{H}>
2/1 ld <d_reg:{H}>, {{X,Y,Z}}
2/2 ld <d_reg:r16..r25|r28..r31>, X+
2/2 ld <d_reg:r16..r27|r30..r31>, Y+
2/2 ld <d_reg:r16..r29>, Z+
2/1 st {{X,Y,Z}}, <r_reg:{H}>
2/1 st X+, <r_reg:r16..r25|r28..r31>
2/1 st Y+, <r_reg:r16..r27|r30..r31>
2/1 st Z+, <r_reg:r16..r29>
2/1 {{ori,andi}} <d:{H}>, <i:u8>
2/1 {{or,and,eor}} <d_reg:{H}>, <r_reg:{H}>
2/1 com <reg:{H}>
2/1 ldi <d:{H}>, <i:u8>
2/1 mov <d_reg:{H}>, <r_reg:{H}>
2/1 bst <reg:{H}>, <bit>
2/1 bld <reg:{H}>, <bit>
2/1 {{set,clt}}
2/1 {{subi,sbci}} <d:{H}>, <i:u8>
"""


@pytest.fixture(scope="module")
def avr() -> Target:
    return load_target(Path(bitsel_avr.__file__).parent)


def written(table: str, column: int) -> dict[str, tuple[int, int]]:
    """Text of a form -> bytes and clocks, from the column of a list above."""
    found = {}
    for line in table.strip().splitlines():
        costs, text = line.split(" ", 1)
        size, clocks = costs.split("/")
        time = clocks.split(",")[column]
        parts = re.split(r"\{([^}]*)\}", text)
        choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
        for choice in itertools.product(*choices):
            if time != "-":
                found["".join(choice)] = (int(size), int(time))
    return found


def shown(target: Target, device: str) -> dict[str, tuple[int, int]]:
    return {row.text: (row.bytes, row.cycles) for row in table_rows(target, target.devices[device])}


@pytest.mark.parametrize(("device", "column"), [("atmega328p", 0), ("atxmega128a1u", 1), ("attiny402", 2)])
def test_every_form_of_a_full_core(avr: Target, device: str, column: int) -> None:
    assert shown(avr, device) == written(FULL, column)


def test_every_form_of_the_reduced_core(avr: Target) -> None:
    assert shown(avr, "attiny10") == written(REDUCED, 0)


def without(*mnemonics: str) -> dict[str, tuple[int, int]]:
    return {text: cost for text, cost in written(FULL, 0).items() if text.split()[0] not in mnemonics}


def test_what_older_devices_lack(avr: Target) -> None:
    assert shown(avr, "at90s2313") == without("movw")
    memory = ("lds", "sts", "ld", "ldd", "st", "std")
    assert shown(avr, "at90s1200") == without("movw", "adiw", "sbiw", *memory)
    assert "las Z, <r:r0..r31>" not in shown(avr, "atxmega128a1")


def row(target: Target, device: str, start: str) -> TableRow:
    (found,) = (row for row in table_rows(target, target.devices[device]) if row.text.startswith(start))
    return found


def test_what_forms_do(avr: Target) -> None:
    assert row(avr, "atmega328p", "sbi ").does == "m8[32 + p] = m8[32 + p] | (1 << bit)"
    assert row(avr, "attiny402", "cbi").does == "m8[0 + p] = m8[0 + p] & ~(1 << bit)"
    assert row(avr, "atxmega128a1u", "lac").does == "m8[Z], r = m8[Z] & ~r, m8[Z]"
    assert row(avr, "atmega328p", "ori").does == "d = d | i; z = d == 0; n = d >> 7; v = 0; s = n"


def test_every_form_has_a_source_and_says_what_is_unverified(avr: Target) -> None:
    rows = [row for name in ("atxmega128a1u", "attiny10") for row in table_rows(avr, avr.devices[name])]
    assert all(row.source for row in rows)
    assert row(avr, "atxmega128a1u", "las").unverified
    assert not row(avr, "atmega328p", "sbi ").unverified


def at(device: Device, address: int) -> tuple[str, int, int]:
    (register,) = device.registers[address]
    return register.name, register.w1c, register.toggle


@pytest.mark.parametrize(
    ("device", "address", "register"),
    [
        ("atmega328p", 0x23, ("PINB", 0, 0xFF)),
        ("atmega328p", 0x25, ("PORTB", 0, 0)),
        ("atmega328p", 0x35, ("TIFR0", 0x07, 0)),
        ("atmega328p", 0x36, ("TIFR1", 0x27, 0)),
        ("atmega328p", 0x3B, ("PCIFR", 0x07, 0)),
        ("atmega328p", 0x3C, ("EIFR", 0x03, 0)),
        ("atmega32u4", 0x2F, ("PINF", 0, 0xFF)),
        ("atmega32u4", 0x3B, ("PCIFR", 0x01, 0)),
        ("atmega2560", 0x20, ("PINA", 0, 0xFF)),
        ("atmega2560", 0x3C, ("EIFR", 0xFF, 0)),
        ("attiny85", 0x36, ("PINB", 0, 0xFF)),
        ("attiny85", 0x58, ("TIFR", 0x7E, 0)),
        ("attiny85", 0x5A, ("GIFR", 0x60, 0)),
        ("atmega328pb", 0x2C, ("PINE", 0, 0xFF)),
        ("atmega168", 0x35, ("TIFR0", 0xFF, 0)),
        ("attiny10", 0x00, ("PINB", 0, 0xFF)),
        ("attiny402", 0x03, ("VPORTA_INTFLAGS", 0xFF, 0)),
        ("atxmega128a1", 0x13, ("VPORT0_INTFLAGS", 0x03, 0)),
    ],
)
def test_registers(avr: Target, device: str, address: int, register: tuple[str, int, int]) -> None:
    assert at(avr.devices[device], address) == register


def test_a_register_behind_temp_is_one_of_16_bits(avr: Target) -> None:
    assert [(r.name, r.width) for r in avr.devices["atmega328p"].registers[0x85]] == [("TCNT1", 16)]


@define
class Registers:
    """A machine of d and the flags, for instructions with one register and an immediate."""

    values: dict[str, int]
    width: int

    def read(self, name: str) -> int:
        return self.values[name]

    def write(self, name: str, value: int) -> None:
        self.values[name] = value & (1 << (self.width if name == "d" else 1)) - 1

    def load(self, width: int, address: int) -> int:
        raise AssertionError("no memory here")

    def store(self, width: int, address: int, value: int) -> None:
        raise AssertionError("no memory here")


def executed(avr: Target, mnemonic: str, width: int, **values: int) -> dict[str, int]:
    (form,) = (f for f in forms(avr, avr.devices["atmega328p"]) if f.mnemonic == mnemonic)
    machine = Registers({**dict.fromkeys("thsvnzc", 0), **values}, width)
    execute(form.does, machine, IntDomain())
    return machine.values


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> width - 1 else value


@pytest.mark.parametrize("mnemonic", ["subi", "sbci"])
def test_flags_of_a_subtraction(avr: Target, mnemonic: str) -> None:
    """H, V, S, N, Z, C as the manual's formulas have them: borrows, overflow, sign, zero."""
    for d in range(256):
        for i in (0, 1, 0x0F, 0x10, 0x7F, 0x80, 0x81, 0xFF):
            for c, z in ((0, 1), (1, 0), (1, 1)) if mnemonic == "sbci" else ((0, 0),):
                after = executed(avr, mnemonic, 8, d=d, i=i, c=c, z=z)
                exact = signed(d, 8) - signed(i, 8) - c
                assert after["d"] == d - i - c & 255
                assert after["h"] == ((d & 15) < (i & 15) + c)
                assert after["c"] == (d < i + c)
                assert after["v"] == (not -128 <= exact <= 127)
                assert after["s"] == (exact < 0)
                assert after["z"] == (after["d"] == 0 and (mnemonic == "subi" or z == 1))


@pytest.mark.parametrize(("mnemonic", "sign"), [("adiw", 1), ("sbiw", -1)])
def test_flags_of_a_step_of_a_pair(avr: Target, mnemonic: str, sign: int) -> None:
    for d in (0, 1, 0x3F, 0x7FC0, 0x7FFF, 0x8000, 0x803F, 0xFFC0, 0xFFFF):
        for k in (0, 1, 63):
            after = executed(avr, mnemonic, 16, d=d, k=k)
            exact = signed(d, 16) + sign * k
            assert after["d"] == d + sign * k & 0xFFFF
            assert after["c"] == (not 0 <= d + sign * k <= 0xFFFF)
            assert after["v"] == (not -0x8000 <= exact <= 0x7FFF)
            assert after["s"] == (exact < 0)
            assert after["n"] == after["d"] >> 15
            assert after["z"] == (after["d"] == 0)

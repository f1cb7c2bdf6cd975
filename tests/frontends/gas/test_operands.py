"""Instructions read by the rows of the tables."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bitsel.frontends.gas.expression import Address
from bitsel.frontends.gas.operands import InstructionReader
from bitsel.plugins import Plugins, find_device

DEVICES = {"avr": "atmega328p", "msp430": "msp430g2553", "rl78": "r7f100g"}


def reader(name: str) -> InstructionReader:
    target = Plugins(()).target(name)
    return InstructionReader(target, find_device(target, DEVICES[name]), {"__zero_reg__": 1})


@pytest.mark.parametrize(
    ("target", "mnemonic", "operands", "env"),
    [
        ("avr", "lds", "R24 , flags+1", {"d": "r24", "a": Address("flags", 1)}),
        ("avr", "std", "y+5,__zero_reg__", {"q": 5, "r": "r1"}),
        ("avr", "subi", "r24, -3", {"d": "r24", "i": 253}),
        ("avr", "sts", "-251, r24", {"a": 0xFF05, "r": "r24"}),
        ("avr", "sbr", "r18, 4", {"d": "r18", "i": 4}),
        ("msp430", "mov.w", "#1, 4(R1)", {"s_k": 1, "d_x": 4, "d_p": "sp"}),
        ("msp430", "bis.b", "#8, &-251", {"s_k": 8, "d_a": 0xFF05}),
        ("msp430", "bis.b", "#36, bytes(r12)", {"s_i": 36, "d_a": Address("bytes"), "d_p": "r12"}),
        ("rl78", "set1", "!-20.2", {"addr": 0xFFFEC, "bit": 2}),
        ("rl78", "set1", "0xfffec.2", {"addr": 0xFFFEC, "bit": 2}),
        ("rl78", "mov", "A, !_flags+1", {"addr": Address("_flags", 1)}),
        ("rl78", "mov", "[bc], a", {"base": 0}),
    ],
)
def test_an_instruction_is_the_row_it_is_written_as(
    target: str, mnemonic: str, operands: str, env: Mapping[str, object]
) -> None:
    found = reader(target).read(mnemonic, operands)
    assert found is not None
    assert found.env == env


@pytest.mark.parametrize(
    ("target", "mnemonic", "operands"),
    [
        ("avr", "ldi", "r15, 5"),  # not one of the upper registers
        ("avr", "sbi", "0x25, 3"),  # beyond SBI's reach
        ("avr", "set1", "3, 4[r5]"),  # V850
        ("avr", "bis.b", "#8, &5"),  # MSP430
        ("rl78", "set1", "!_x.9"),
        ("msp430", "mov", "r3"),
    ],
)
def test_what_no_row_spells_is_not_known(target: str, mnemonic: str, operands: str) -> None:
    assert reader(target).read(mnemonic, operands) is None

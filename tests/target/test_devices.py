"""What a device says about one byte."""

from __future__ import annotations

import pytest
from attrs import evolve

from bitsel.target.devices import PLAIN, ByteFacts, byte_facts
from bitsel.target.facts import Device, HardwareRegister, Region

PORT = HardwareRegister("PORT", 0x10, 8)
FIXED = HardwareRegister("FIXED", 0x11, 8, bit=False)
TIMER = HardwareRegister("TIMER", 0x12, 16)
LOW = HardwareRegister("TIMERL", 0x12, 8)
ALONE = HardwareRegister("ALONE", 0x200, 8)
WIDE = HardwareRegister("WIDE", 0x202, 16)

DEVICE = Device(
    name="one",
    core="core",
    constants={},
    registers={
        0x10: (PORT,),
        0x11: (FIXED,),
        0x12: (TIMER, LOW),
        0x13: (TIMER,),
        0x200: (ALONE,),
        0x202: (WIDE,),
        0x203: (WIDE,),
    },
    regions=(
        Region(0x00, 0x1F, (8, 16), "registers"),
        Region(0x20, 0x3F, (8,)),
        Region(0x40, 0x4F, (16,)),
        Region(0x50, 0x5F, ()),
        Region(0x80, 0xFF, (8, 16), writable=False),
        Region(0x90, 0x9F, (8, 16)),
    ),
)


@pytest.mark.parametrize(
    ("address", "facts"),
    [
        # In a register area: an 8-bit register that allows it, one that does not, the low byte of a word that has a
        # name of its own, its high byte, which has none, a byte that no register covers.
        (0x10, ByteFacts(frozenset({8}), True, (PORT,), True)),
        (0x11, ByteFacts(frozenset({8}), False, (FIXED,), True)),
        (0x12, ByteFacts(frozenset({8, 16}), True, (TIMER, LOW), True)),
        (0x13, ByteFacts(frozenset({16}), False, (TIMER,), True)),
        (0x14, ByteFacts(frozenset({8, 16}), False, (), True)),
        # Memory: bits need byte access.
        (0x20, ByteFacts(frozenset({8}), True)),
        (0x3F, ByteFacts(frozenset({8}), True)),
        (0x40, ByteFacts(frozenset({16}), False)),
        (0x50, ByteFacts(frozenset(), False)),
        # Flash, and the memory inside it: the smaller region counts.
        (0x8F, ByteFacts(frozenset({8, 16}), True, writable=False)),
        (0x90, ByteFacts(frozenset({8, 16}), True)),
        (0xA0, ByteFacts(frozenset({8, 16}), True, writable=False)),
        # Registers outside every region are registers as well.
        (0x200, ByteFacts(frozenset({8}), True, (ALONE,))),
        (0x202, ByteFacts(frozenset({16}), False, (WIDE,))),
        (0x203, ByteFacts(frozenset({16}), False, (WIDE,))),
        # Everything else is plain memory.
        (0x60, PLAIN),
        (0x201, PLAIN),
        (0xFFFF, PLAIN),
    ],
)
def test_a_byte(address: int, facts: ByteFacts) -> None:
    assert byte_facts(DEVICE, address) == facts


def test_in_plain_memory_everything_works() -> None:
    assert ByteFacts(widths=None, bit=True, registers=(), in_register_area=False, writable=True) == PLAIN
    assert not PLAIN.reacts


@pytest.mark.parametrize(
    ("register", "reacts"),
    [
        (evolve(PORT, w1c=0x01), True),
        (evolve(PORT, toggle=0x01), True),
        (evolve(PORT, read_effect=0x01), True),
        (evolve(PORT, write_only=0x01), True),
        (evolve(PORT, read_only=0x01), False),
        (PORT, False),
    ],
)
def test_a_register_reacts_where_one_bit_does_more_than_hold_what_was_written(
    register: HardwareRegister, reacts: bool
) -> None:
    device = evolve(DEVICE, registers={0x10: (register,)})
    assert byte_facts(device, 0x10).reacts is reacts


def test_a_byte_reacts_with_any_of_its_registers() -> None:
    device = evolve(DEVICE, registers={0x12: (TIMER, evolve(LOW, w1c=0x80))})
    assert byte_facts(device, 0x12).reacts

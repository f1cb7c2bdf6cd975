"""AVR, from LLVM IR to a verdict: what SBI and CBI reach on which device, registers that react, LAS, LAC, LAT."""

from __future__ import annotations

from typing import Any

import pytest

import bitsel
from bitsel.errors import UsageError
from bitsel.plugins import Plugins
from bitsel.report import Policy, SiteReport
from bitsel.selector.verdict import Objective

LAYOUT = "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8-a:8"
CORES = ("avre", "avrxm", "avrxt", "avrrc")
SET, CLEAR, TOGGLE = "or i8 %old, 4", "and i8 %old, -5", "xor i8 %old, 4"


def at(address: int) -> str:
    return f"inttoptr (i16 {address} to ptr)"


def update(where: str, change: str = SET, volatile: bool = True) -> str:
    """A function that makes `change` of %old, the value at `where`."""
    kind, width = ("volatile " if volatile else ""), change.split()[1]
    return f"""\
target datalayout = "{LAYOUT}"
target triple = "avr"
@flags = global i8 0
@word = global i16 0
@three = external addrspace(1) global i8
define void @f(ptr %p) addrspace(1) {{
  %old = load {kind}{width}, ptr {where}
  %new = {change}
  store {kind}{width} %new, ptr {where}
  ret void
}}
"""


def atomic(where: str, change: str) -> str:
    operation, _, _, mask = change.split()
    text = update(where)
    start = text.index("  %old")
    return f"{text[:start]}  %old = atomicrmw {operation} ptr {where}, i8 {mask} seq_cst\n  ret void\n}}\n"


def select(device: str, source: str, policy: Policy = "strict", objective: Objective = "size") -> SiteReport:
    (site,) = bitsel.select(source, target=f"avr:{device}", policy=policy, objective=objective).sites
    return site


def chosen(device: str, source: str, policy: Policy = "strict") -> tuple[str, ...]:
    sequence = select(device, source, policy).selection.chosen
    assert sequence is not None
    return sequence.asm


def reason(device: str, source: str) -> str:
    found = select(device, source).selection.reason
    assert found is not None
    return found.code.value


# --- reach ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "address", "io"),
    [
        ("atmega328p", 0x25, "0x05"),
        ("atmega328p", 0x20, "0x00"),
        ("atmega328p", 0x3F, "0x1f"),  # the last that SBI reaches
        ("atmega2560", 0x22, "0x02"),
        ("atmega32u4", 0x2B, "0x0b"),
        ("attiny85", 0x38, "0x18"),
        ("at90s1200", 0x38, "0x18"),
        ("attiny402", 0x05, "0x05"),
        ("attiny402", 0x00, "0x00"),
        ("attiny402", 0x1F, "0x1f"),
        ("atmega4809", 0x11, "0x11"),
        ("avr128da28", 0x01, "0x01"),
        ("atxmega128a1", 0x11, "0x11"),
        ("attiny10", 0x02, "0x02"),
    ],
)
def test_sbi_and_cbi_in_reach(device: str, address: int, io: str) -> None:
    assert chosen(device, update(at(address), SET)) == (f"sbi {io}, 2",)
    assert chosen(device, update(at(address), CLEAR)) == (f"cbi {io}, 2",)


@pytest.mark.parametrize(
    ("device", "address"),
    [
        ("atmega328p", 0x05),  # r5
        ("atmega328p", 0x00),
        ("atmega328p", 0x1F),  # r31, the last of the general registers
        ("atmega328p", 0x40),
        ("atmega328p", 0x5F),  # SREG
        ("atmega328p", 0xC0),  # UCSR0A, whose flags react too
        ("atmega328p", 0x100),
        ("attiny402", 0x20),
        ("attiny402", 0x25),
        ("attiny402", 0x3F),  # SREG
        ("attiny402", 0x40),
        ("atxmega128a1", 0x40),
        ("atxmega128a1u", 0x40),
        ("attiny10", 0x40),
        ("at90s2313", 0x60),
    ],
)
def test_out_of_reach(device: str, address: int) -> None:
    assert reason(device, update(at(address))) == "addr-range"


@pytest.mark.parametrize(
    ("device", "cycles"), [("atmega328p", 2), ("atxmega128a1", 1), ("attiny402", 1), ("attiny10", 1)]
)
def test_clocks_of_sbi_and_of_the_sequence_it_replaces(device: str, cycles: int) -> None:
    address = 0x25 if device == "atmega328p" else 0x05
    selection = select(device, update(at(address))).selection
    assert selection.chosen is not None
    assert selection.baseline is not None
    assert (selection.chosen.bytes, selection.chosen.cycles, selection.chosen.interruptible) == (2, cycles, False)
    assert selection.baseline.asm == ("in r18, 0x05", "ori r18, 4", "out 0x05, r18")
    assert (selection.baseline.bytes, selection.baseline.cycles, selection.baseline.interruptible) == (6, 3, True)
    assert selection.chosen.emitted_by == ("gcc", "llvm")


def test_a_byte_beyond_in_and_out_goes_by_lds_and_sts() -> None:
    baseline = select("atmega328p", update(at(0x60))).selection.baseline
    assert baseline is not None
    assert baseline.asm == ("lds r18, 0x60", "ori r18, 4", "sts 0x60, r18")
    assert (baseline.bytes, baseline.cycles) == (10, 5)


def test_no_instruction_toggles_or_changes_two_bits() -> None:
    assert reason("atmega328p", update(at(0x25), TOGGLE)) == "no-form"
    assert reason("atmega328p", update(at(0x25), "or i8 %old, 5")) == "volatile-width"


def test_an_atomic_update_is_one_sbi() -> None:
    assert chosen("atmega328p", atomic(at(0x25), SET)) == ("sbi 0x05, 2",)
    assert reason("atmega328p", atomic("@flags", SET)) == "no-form"


def test_a_symbol_or_pointer_is_not_reached() -> None:
    assert reason("atmega328p", update("@flags")) == "no-form"
    assert reason("atmega328p", update("%p")) == "nonconst-addr"


@pytest.mark.parametrize(
    ("device", "cycles"), [("atmega328p", (5, 5)), ("atxmega128a1", (4, 6)), ("attiny402", (4, 4))]
)
def test_a_stack_slot_is_reached_through_the_frame_pointer(device: str, cycles: tuple[int, int]) -> None:
    for offset, cost in zip((0, 3), cycles, strict=True):
        source = update("%place").replace(
            "  %old", f"  %slot = alloca [8 x i8]\n  %place = getelementptr i8, ptr %slot, i16 {offset}\n  %old", 1
        )
        selection = select(device, source).selection
        assert selection.baseline is not None
        loaded, stored = ("ldd r18, Y+3", "std Y+3, r18") if offset else ("ld r18, Y", "st Y, r18")
        assert selection.baseline.asm == (loaded, "ori r18, 4", stored)
        assert (selection.baseline.bytes, selection.baseline.cycles) == (6, cost)
        assert selection.reason is not None
        assert selection.reason.code.value == "nonconst-addr"


def test_a_byte_of_a_word_is_changed_alone() -> None:
    source = update("@word", "or i16 %old, 1024", volatile=False)
    assert chosen("atmega328p", source) == ("lds r18, word+1", "ori r18, 4", "sts word+1, r18")
    assert reason("atmega328p", update("@word", "or i16 %old, 1024")) == "volatile-width"


# --- registers that react ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "address", "io", "warning"),
    [
        ("atmega328p", 0x23, "0x03", "PINB at 0x23 toggles bits written as 1 (mask 0xff)"),
        ("atmega328p", 0x35, "0x15", "TIFR0 at 0x35 clears bits written as 1 (mask 0x7)"),
        ("atmega328p", 0x3B, "0x1b", "PCIFR at 0x3b clears bits written as 1 (mask 0x7)"),
        ("atmega328p", 0x3C, "0x1c", "EIFR at 0x3c clears bits written as 1 (mask 0x3)"),
        ("atmega32u4", 0x23, "0x03", "PINB at 0x23 toggles bits written as 1 (mask 0xff)"),
        ("atmega2560", 0x38, "0x18", "TIFR3 at 0x38 clears bits written as 1 (mask 0x2f)"),
        ("attiny85", 0x36, "0x16", "PINB at 0x36 toggles bits written as 1 (mask 0xff)"),
        ("attiny85", 0x26, "0x06", "ADCSRA at 0x26 clears bits written as 1 (mask 0x10)"),
        ("attiny402", 0x02, "0x02", "VPORTA_IN at 0x2 toggles bits written as 1 (mask 0xff)"),
        ("attiny402", 0x03, "0x03", "VPORTA_INTFLAGS at 0x3 clears bits written as 1 (mask 0xff)"),
        ("atxmega128a1", 0x13, "0x13", "VPORT0_INTFLAGS at 0x13 clears bits written as 1 (mask 0x3)"),
    ],
)
def test_a_register_that_reacts_is_left_alone_but_for_the_vendors_policy(
    device: str, address: int, io: str, warning: str
) -> None:
    source = update(at(address), "or i8 %old, 1")
    assert reason(device, source) == "hw-semantics"
    selection = select(device, source, "vendor").selection
    assert selection.chosen is not None
    assert selection.chosen.asm == (f"sbi {io}, 0",)
    assert selection.warnings == (warning,)


def test_of_an_architecture_no_registers_are_known() -> None:
    assert reason("avr5", update(at(0x25))) == "not-bit-addressable"
    assert reason("avrtiny", update(at(0x02))) == "not-bit-addressable"


def test_registers_of_the_usart_that_sbi_does_not_reach() -> None:
    assert reason("attiny102", update(at(0x0D))) == "not-bit-addressable"  # UCSRB
    assert chosen("attiny102", update(at(0x05))) == ("sbi 0x05, 2",)  # DDRB


# --- LAS, LAC, LAT ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("change", "mnemonic", "mask"), [(SET, "las", 4), (CLEAR, "lac", 4), (TOGGLE, "lat", 4)])
def test_an_atomic_update_of_a_symbol_where_there_are_such_instructions(
    change: str, mnemonic: str, mask: int
) -> None:
    asm = chosen("atxmega128a1u", atomic("@flags", change))
    assert asm[-1] == f"{mnemonic} Z, r18"
    assert set(asm[:-1]) == {"ldi r30, lo8(flags)", "ldi r31, hi8(flags)", f"ldi r18, {mask}"}
    assert reason("atxmega128a1", atomic("@flags", change)) == "no-form"


def test_a_pointer_is_toggled_by_lat() -> None:
    selection = select("atxmega128a1u", update("%p", TOGGLE)).selection
    assert selection.chosen is not None
    assert selection.chosen.asm == ("movw r30, r24", "ldi r18, 4", "lat Z, r18")
    assert (selection.chosen.bytes, selection.chosen.cycles) == (6, 4)
    assert selection.assumes == ("%p points to memory, not to a register with side effects",)


@pytest.mark.parametrize("address", [0x02, 0x604, 0x1FFF, 0x3000])
def test_las_reaches_internal_sram_only(address: int) -> None:
    assert reason("atxmega128a1u", atomic(at(address), TOGGLE)) == "addr-range"


@pytest.mark.parametrize("address", [0x2000, 0x2FFF])
def test_las_reaches_both_ends_of_internal_sram(address: int) -> None:
    asm = chosen("atxmega128a1u", atomic(at(address), TOGGLE))
    low, high = f"ldi r30, {address & 255:#04x}", f"ldi r31, {address >> 8:#04x}"
    assert set(asm) == {low, high, "ldi r18, 4", "lat Z, r18"}


# --- the device -------------------------------------------------------------------------------------------------


def test_a_device_nobody_gave_is_a_question() -> None:
    with pytest.raises(UsageError) as caught:
        bitsel.select(update(at(0x25)), target="avr")
    message = str(caught.value)
    for name in ("atmega328p", "attiny402", "atxmega128a1u", "attiny10", "avr128db64"):
        assert name in message
    assert message.endswith("name one, as in avr:atmega328p")


def test_an_unknown_device_is_answered_with_its_like() -> None:
    with pytest.raises(UsageError) as caught:
        bitsel.select(update(at(0x25)), target="avr:atmega328x")
    message = str(caught.value)
    assert message.startswith("unknown device 'atmega328x' of target avr; near it: atmega328, atmega328p, ")
    assert message.endswith("; all 376 are listed by bitsel target show avr")
    assert len(message) < 200


def test_the_target_comes_through_its_entry_point() -> None:
    target = Plugins().target("avr")
    assert target.status == "experimental"
    assert Plugins().provider("avr").owner == f"bitsel {bitsel.__version__}"


def test_lists_of_devices_stay_readable(run: Any) -> None:
    (line,) = (line for line in run("target", "list").out.splitlines() if line.startswith("avr "))
    assert line.endswith("such as atmega328p; all in bitsel target show avr")
    assert len(line) < 116
    shown = run("target", "show", "avr").out.splitlines()
    assert shown[0] == "avr: Microchip AVR; experimental, little-endian"
    assert [line.split()[:2] for line in shown[1:5]] == [["core", f"{core},"] for core in CORES]
    assert "attiny402" in shown[3]
    assert shown[5] == "  atmega328p: core avre; its instructions follow"

"""MSP430's table against the timing tables it was made from: every cell written out by hand.

Format I takes 1 word, and one more for each offset, address or immediate that no constant generator makes. Clocks
are those of the tables, by source and destination, on the CPU and on CPUX.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsel_msp430
from bitsel.target.devices import byte_facts
from bitsel.target.expand import forms
from bitsel.target.expr import Name
from bitsel.target.facts import Form, Space, Target
from bitsel.target.load import load_target
from bitsel.target.show import table_rows

REG, BASE = "r4..r15", "sp|r4..r15"
# Source as the table shows it: words beyond the first, clocks to a register, to memory, and what MOV, BIT and CMP
# take to memory on CPUX.
SOURCES = {
    f"<s_r:{BASE}>": (0, 1, 4, 3),
    "#<s_k:cg>": (0, 1, 4, 3),
    f"@<s_p:{BASE}>": (0, 2, 5, 4),
    f"@<s_p:{REG}>+": (0, 2, 5, 4),
    "#<s_i:word>": (1, 2, 5, 4),
    f"<s_x:disp>(<s_p:{BASE}>)": (1, 3, 6, 5),
    "&<s_a:addr>": (1, 3, 6, 5),
}
REGISTER = f"<d_r:{REG}>"
MEMORY = (f"<d_x:disp>(<d_p:{BASE}>)", "&<d_a:addr>")
READS_AND_WRITES = ("bis", "bic", "and", "xor", "add", "sub")
ONE_ACCESS = ("mov", "bit", "cmp")


def expected(core: str) -> dict[str, tuple[int, int]]:
    """Form -> bytes and clocks."""
    found = {}
    for op in (*READS_AND_WRITES, *ONE_ACCESS):
        for suffix in (".b", ""):
            for source, (words, to_register, to_memory, less) in SOURCES.items():
                quick = core == "cpux" and op in ONE_ACCESS
                found[f"{op}{suffix} {source}, {REGISTER}"] = (2 + 2 * words, to_register)
                for memory in MEMORY:
                    found[f"{op}{suffix} {source}, {memory}"] = (4 + 2 * words, less if quick else to_memory)
    return found


@pytest.fixture(scope="module")
def target() -> Target:
    return load_target(Path(bitsel_msp430.__file__).parent)


def table(target: Target, name: str) -> dict[str, Form]:
    device = target.devices[name]
    texts = [row.text for row in table_rows(target, device)]
    assert len(set(texts)) == len(texts)
    return dict(zip(texts, forms(target, device), strict=True))


@pytest.mark.parametrize(
    ("device", "core"),
    [("msp430f1611", "cpu"), ("msp430g2553", "cpu"), ("msp430f5529", "cpux"), ("msp430fr5994", "cpux")],
)
def test_every_form_costs_what_the_timing_tables_say(target: Target, device: str, core: str) -> None:
    assert {t: (form.bytes, form.cycles) for t, form in table(target, device).items()} == expected(core)


def test_every_form_has_a_source(target: Target) -> None:
    found = table(target, "msp430f5529").values()
    assert {tag for form in found for tag in form.source.split()} == {"timing", "cpux", "mc", "sim"}
    assert not [form for form in found if form.unverified]
    assert target.status == "experimental"


def test_there_are_no_1_bit_instructions(target: Target) -> None:
    assert not [form for form in table(target, "msp430f5529").values() if form.bit]


@pytest.mark.parametrize(
    ("number", "inside", "outside"),
    [
        ("cg", {0, 1, 2, 4, 8, -1}, {3, 5, 7, 9, 16, -2, 255, 0xFFFF}),
        # Where GNU as would take the constant generator, what is said of the immediate does not hold.
        ("word", {3, 5, 7, 9, 16, 255, 0xFFFE, -2, -0x8000}, {0, 1, 2, 4, 8, -1, 0xFFFF, 0x10000, -0x8001}),
        ("disp", {-0x8000, -1, 0, 1, 0x7FFF}, {-0x8001, 0x8000}),
        ("addr", {0, 0x21, 0xFFFF}, {-1, 0x10000}),
    ],
)
def test_operands_reach_just_these_numbers(
    target: Target, number: str, inside: set[int], outside: set[int]
) -> None:
    ranges = target.numbers[number].ranges
    assert {n for n in inside | outside if n in ranges} == inside


def test_a_symbol_is_an_address_or_an_immediate(target: Target) -> None:
    accepts = {name: number.symbol for name, number in target.numbers.items() if number.symbol}
    assert accepts == {"word": ("whole",), "addr": ("whole",), "code": ("whole",)}


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("bis.b #<s_k:cg>, &<d_a:addr>", "m8[d_a] = m8[d_a] | s_k"),
        ("bic #<s_i:word>, &<d_a:addr>", "m16[d_a] = m16[d_a] & ~s_i"),
        (f"mov.b &<s_a:addr>, {REGISTER}", "d_r = m8[s_a]"),
        (f"mov.b <s_r:{BASE}>, {REGISTER}", "d_r = s_r & 255"),
        (f"mov @<s_p:{REG}>+, {REGISTER}", "s_p = s_p + (16 >> 3); d_r = m16[s_p - (16 >> 3)]"),
        (f"mov.b @<s_p:{REG}>+, {REGISTER}", "s_p = s_p + (8 >> 3); d_r = m8[s_p - (8 >> 3)]"),
        (
            "and.b #<s_k:cg>, &<d_a:addr>",
            "m8[d_a] = m8[d_a] & s_k; z = m8[d_a] == 0; n = m8[d_a] >> (8 - 1); c = m8[d_a] != 0; v = 0",
        ),
    ],
)
def test_what_an_instruction_does(target: Target, text: str, does: str) -> None:
    assert {row.text: row.does for row in table_rows(target, target.devices["msp430g2553"])}[text] == does


def test_bis_and_bic_and_mov_leave_the_flags_alone(target: Target) -> None:
    flags = {Name(flag) for flag in "nzcv"}
    changing = {
        form.mnemonic.removesuffix(".b")
        for form in table(target, "msp430f1611").values()
        if flags & {place for statement in form.does for place in statement.targets}
    }
    assert changing == {"and", "xor", "add", "sub", "bit", "cmp"}


def test_words_must_be_even_and_a_byte_clears_the_high_byte_of_its_register(target: Target) -> None:
    assert target.align == {16: 2}
    assert target.narrow == "zero"
    assert target.endian == "little"


def test_pointers_and_stack_slots(target: Target) -> None:
    assert target.spaces == {0: Space(16, 0, (0, 0xFFFF), Name("r12"))}
    assert target.abi.stack == Name("sp")
    assert target.abi.scratch == ("r12", "r13")


def test_the_dialect(target: Target) -> None:
    assert (target.dialect.comment, target.dialect.separator, target.dialect.symbol) == (";", "{", "{}")


# --- devices ---------------------------------------------------------------------------------------

BYTES, WORDS, ALL = {8}, {16}, {8, 16, 32, 64}


@pytest.mark.parametrize(
    ("device", "address", "widths", "writable"),
    [
        ("msp430f1611", 0x0000, BYTES, True),  # IE1
        ("msp430f1611", 0x00FF, BYTES, True),
        ("msp430f1611", 0x0100, WORDS, True),
        ("msp430f1611", 0x01FF, WORDS, True),
        ("msp430f1611", 0x0200, None, True),  # the RAM's mirror
        ("msp430f1611", 0x1000, ALL, False),  # information memory
        ("msp430f1611", 0x10FF, ALL, False),
        ("msp430f1611", 0x1100, None, True),  # RAM
        ("msp430f1611", 0x38FF, None, True),
        ("msp430f1611", 0x4000, ALL, False),  # code
        ("msp430g2553", 0x0021, BYTES, True),  # P1OUT
        ("msp430g2553", 0x0120, WORDS, True),  # WDTCTL
        ("msp430g2553", 0x0200, None, True),
        ("msp430g2553", 0x03FF, None, True),
        ("msp430g2553", 0xBFFF, None, True),
        ("msp430g2553", 0xC000, ALL, False),
        ("msp430f5529", 0x0202, WORDS, True),  # P1OUT and P2OUT
        ("msp430f5529", 0x0FFF, WORDS, True),
        ("msp430f5529", 0x1000, ALL, False),
        ("msp430f5529", 0x19FF, ALL, False),
        ("msp430f5529", 0x1C00, None, True),  # RAM of the USB module
        ("msp430f5529", 0x2400, None, True),
        ("msp430f5529", 0x43FF, None, True),
        ("msp430f5529", 0x4400, ALL, False),
        ("msp430fr5994", 0x0009, WORDS, True),
        ("msp430fr5994", 0x000A, None, True),  # tiny RAM
        ("msp430fr5994", 0x001F, None, True),
        ("msp430fr5994", 0x0020, WORDS, True),
        ("msp430fr5994", 0x17FF, ALL, False),
        ("msp430fr5994", 0x1C00, None, True),
        ("msp430fr5994", 0x4000, None, True),  # FRAM
    ],
)
def test_what_works_at_an_address(
    target: Target, device: str, address: int, widths: set[int] | None, writable: bool
) -> None:
    found = byte_facts(target.devices[device], address)
    assert (found.widths, found.writable) == (widths, writable)


def test_regions_have_sources(target: Target) -> None:
    for device in target.devices.values():
        assert all(region.source.split(":")[0].split()[0] in target.sources for region in device.regions)


def test_a_device_must_be_named(target: Target) -> None:
    assert target.default_device is None
    assert {name: device.core for name, device in target.devices.items()} == {
        "msp430f1611": "cpu",
        "msp430g2553": "cpu",
        "msp430f5529": "cpux",
        "msp430fr5994": "cpux",
    }

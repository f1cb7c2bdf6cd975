"""What is selected on MSP430, from LLVM IR to assembly: instructions, bytes, clocks, and reasons.

Bytes and clocks are those of the timing tables: `tests/targets/test_msp430_facts.py`.
"""

from __future__ import annotations

from typing import Literal

import pytest

import bitsel
from bitsel.report import Objective, SiteReport

LAYOUT = 'target datalayout = "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"\n'
CPU, CPUX = "msp430f1611", "msp430f5529"

Ops = tuple[tuple[Literal["and", "or", "xor"], int], ...]


def an_update(ops: Ops, where: str, width: int = 8, *, volatile: bool = False, align: int | None = None) -> str:
    """A function that updates the place `where`: a symbol ``@w``, a number, or ``%p`` with an offset."""
    align = align or width // 8
    before = "%q = getelementptr i8, ptr %p, i16 0"
    if where[0] == "%":
        base, _, offset = where.partition(" ")
        before = f"%q = getelementptr i8, ptr {base}, i16 {offset or 0}"
        place = "%q"
    elif where[0] == "@":
        place = where
    else:
        place = f"inttoptr (i16 {int(where, 0)} to ptr)" if int(where, 0) else "null"
    word = "volatile " if volatile else ""
    steps = [f"%v0 = load {word}i{width}, ptr {place}, align {align}"]
    steps += [f"%v{i + 1} = {op} i{width} %v{i}, {mask}" for i, (op, mask) in enumerate(ops)]
    steps += [f"store {word}i{width} %v{len(ops)}, ptr {place}, align {align}"]
    body = "\n  ".join((before, *steps, "ret void"))
    return f"{LAYOUT}@w = global i{width} 0, align {align}\ndefine void @f(ptr %p) {{\n  {body}\n}}\n"


def site_of(text: str, device: str = CPU, objective: Objective = "size") -> SiteReport:
    (site,) = bitsel.select(text, target=f"msp430:{device}", objective=objective).sites
    return site


Found = tuple[tuple[str, ...], int, int]
"""Instructions, bytes, clocks."""


def chosen(site: SiteReport) -> Found:
    assert site.chosen is not None, site.reason
    return (site.chosen.asm, site.chosen.bytes, site.chosen.cycles)


def baseline(site: SiteReport) -> tuple[int, int]:
    assert site.baseline is not None
    return (site.baseline.bytes, site.baseline.cycles)


BYTES: dict[str, tuple[Ops, str, Found]] = {
    # AND.B #-9 would be 6 bytes and 5 clocks.
    "&= ~8 on a port": ((("and", ~8),), "0x21", (("bic.b #8, &0x21",), 4, 4)),
    "&= ~8 on a symbol": ((("and", ~8),), "@w", (("bic.b #8, &w",), 4, 4)),
    "&= ~8 through a pointer": ((("and", ~8),), "%p", (("bic.b #8, 0(r12)",), 4, 4)),
    "&= ~8 before a pointer": ((("and", ~8),), "%p -3", (("bic.b #8, -3(r12)",), 4, 4)),
    "IE1 |= 2": ((("or", 2),), "0", (("bis.b #2, &0x0",), 4, 4)),
    "a bit that no constant generator makes": ((("or", 16),), "@w", (("bis.b #16, &w",), 6, 5)),
    "several bits": ((("or", 50),), "@w", (("bis.b #50, &w",), 6, 5)),
    "several bits cleared": ((("and", ~50),), "@w", (("bic.b #50, &w",), 6, 5)),
    "a toggle": ((("xor", 4),), "@w", (("xor.b #4, &w",), 4, 4)),
    "several toggles": ((("xor", 0x41),), "@w", (("xor.b #65, &w",), 6, 5)),
    "all bits toggled": ((("xor", -1),), "@w", (("xor.b #-1, &w",), 4, 4)),
}


@pytest.mark.parametrize("objective", ["size", "speed"])
@pytest.mark.parametrize("device", [CPU, CPUX])
@pytest.mark.parametrize("volatile", [False, True])
@pytest.mark.parametrize("case", BYTES)
def test_a_byte_is_updated_by_one_instruction(case: str, volatile: bool, device: str, objective: Objective) -> None:
    ops, where, expected = BYTES[case]
    site = site_of(an_update(ops, where, volatile=volatile), device, objective)
    assert chosen(site) == expected
    assert site.chosen is not None
    assert not site.chosen.interruptible


def test_a_bit_set_and_one_cleared_take_two_instructions() -> None:
    site = site_of(an_update((("and", ~4), ("or", 8)), "@w"))
    assert chosen(site) == (("bis.b #8, &w", "bic.b #4, &w"), 8, 8)
    assert baseline(site) == (12, 9)


def test_a_field_is_inserted_by_two_instructions() -> None:
    """The best there is: MOV.B, BIC.B, BIS.B, MOV.B take 16 bytes and 11 clocks."""
    site = site_of(an_update((("and", ~0xF0), ("or", 0x50)), "@w"))
    assert site.chosen is not None
    assert (sorted(site.chosen.asm), site.chosen.bytes) == (["bic.b #160, &w", "bis.b #80, &w"], 12)


@pytest.mark.parametrize("device", [CPU, CPUX])
@pytest.mark.parametrize(
    ("where", "volatile", "expected"),
    [
        ("@w", False, (("bis.b #4, &w+1",), 4, 4)),
        ("@w", True, (("bis #1024, &w",), 6, 5)),
        ("%p 2", False, (("bis.b #4, 3(r12)",), 4, 4)),
        ("%p 2", True, (("bis #1024, 2(r12)",), 6, 5)),
        ("0x2500", False, (("bis.b #4, &0x2501",), 4, 4)),
        ("0x2500", True, (("bis #1024, &0x2500",), 6, 5)),
    ],
)
def test_a_word_is_narrowed_to_the_byte_with_the_bit_unless_it_is_volatile(
    where: str, volatile: bool, expected: Found, device: str
) -> None:
    assert chosen(site_of(an_update((("or", 0x0400),), where, 16, volatile=volatile), device)) == expected


def test_bits_in_both_bytes_of_a_word_take_one_word_instruction() -> None:
    assert chosen(site_of(an_update((("or", 0x0401),), "@w", 16))) == (("bis #1025, &w",), 6, 5)
    assert chosen(site_of(an_update((("xor", -1),), "@w", 16))) == (("xor #-1, &w",), 4, 4)


def test_a_word_at_an_odd_address_is_updated_by_the_byte() -> None:
    site = site_of(an_update((("or", 0x0401),), "@w", 16, align=1))
    assert chosen(site) == (("bis.b #1, &w", "bis.b #4, &w+1"), 8, 8)


def test_a_volatile_word_at_an_odd_address_cannot_be_accessed_at_once() -> None:
    site = site_of(an_update((("or", 0x0400),), "@w", 16, volatile=True, align=1))
    assert site.baseline is None
    assert site.reason is not None
    assert site.reason.code == "volatile-width"


# --- what a baseline takes, on both cores ------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "mask", "size", "cpu", "cpux"),
    [
        # MOV.B &w, Rn; BIS.B #8, Rn; MOV.B Rn, &w: CPUX does not read what MOV overwrites.
        ("@w", 8, 10, 3 + 1 + 4, 3 + 1 + 3),
        ("@w", 16, 12, 3 + 2 + 4, 3 + 2 + 3),
        # MOV.B @R12, R13; BIS.B; MOV.B R13, 0(R12)
        ("%p", 8, 8, 2 + 1 + 4, 2 + 1 + 3),
    ],
)
def test_load_operate_store(where: str, mask: int, size: int, cpu: int, cpux: int) -> None:
    update = an_update((("or", mask),), where)
    assert baseline(site_of(update, CPU)) == (size, cpu)
    assert baseline(site_of(update, CPUX)) == (size, cpux)
    assert baseline(site_of(update, "msp430g2553")) == (size, cpu)
    assert baseline(site_of(update, "msp430fr5994")) == (size, cpux)


# --- peripherals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", [CPU, "msp430g2553"])
def test_no_byte_of_a_16_bit_peripheral_is_accessed(device: str) -> None:
    """0x200 is memory, or the RAM's mirror."""
    update = (("or", 0x0400),)
    assert chosen(site_of(an_update(update, "0x162", 16), device)) == (("bis #1024, &0x162",), 6, 5)
    assert chosen(site_of(an_update(update, "0x1fe", 16), device)) == (("bis #1024, &0x1fe",), 6, 5)
    assert chosen(site_of(an_update(update, "0x200", 16), device)) == (("bis.b #4, &0x201",), 4, 4)


def test_a_byte_that_the_source_accesses_there_stays_a_byte() -> None:
    assert chosen(site_of(an_update((("or", 0x10),), "0x120"))) == (("bis.b #16, &0x120",), 6, 5)


def test_no_byte_of_a_register_of_cpux_is_accessed_unasked() -> None:
    update = (("or", 0x0400),)
    assert chosen(site_of(an_update(update, "0x202", 16), CPUX)) == (("bis #1024, &0x202",), 6, 5)
    assert chosen(site_of(an_update(update, "0xffe", 16), CPUX)) == (("bis #1024, &0xffe",), 6, 5)
    assert chosen(site_of(an_update((("or", 4),), "0x203"), CPUX)) == (("bis.b #4, &0x203",), 4, 4)


def test_no_word_of_8_bit_peripherals_is_accessed() -> None:
    """The same four bytes are two words on CPUX, where BIS #257 does both."""
    update = an_update((("or", 0x01010000),), "0x20", 32, align=2)
    assert chosen(site_of(update, CPU)) == (("bis.b #1, &0x22", "bis.b #1, &0x23"), 8, 8)
    assert chosen(site_of(update, CPUX)) == (("bis #257, &0x22",), 6, 5)
    assert site_of(update, CPU).baseline is None


# --- why not -------------------------------------------------------------------------------------------


def reason(site: SiteReport) -> str:
    assert site.chosen is None
    assert site.reason is not None
    return site.reason.code


def test_a_volatile_double_word_would_be_accessed_by_the_word() -> None:
    site = site_of(an_update((("or", 1),), "@w", 32, volatile=True))
    assert reason(site) == "volatile-width"
    assert site.baseline is None


def test_one_word_cannot_be_updated_at_once_by_two_instructions() -> None:
    text = LAYOUT + "define void @f(ptr %p) {\n  %v = atomicrmw or ptr %p, i32 65537 monotonic\n  ret void\n}\n"
    assert reason(site_of(text)) == "atomic"


def test_an_atomic_update_is_one_instruction_of_its_width() -> None:
    text = LAYOUT + "define void @f(ptr %p) {\n  %v = atomicrmw or ptr %p, i16 1024 seq_cst\n  ret void\n}\n"
    site = site_of(text)
    assert chosen(site) == (("bis #1024, 0(r12)",), 6, 5)
    assert site.baseline is None


# --- what goes with it -----------------------------------------------------------------------------------


def test_a_stack_slot_is_where_sp_points() -> None:
    text = (
        LAYOUT + "define void @f() {\n  %s = alloca i8\n  %v = load volatile i8, ptr %s\n"
        "  %o = or i8 %v, 8\n  store volatile i8 %o, ptr %s\n  ret void\n}\n"
    )
    site = site_of(text)
    assert chosen(site) == (("bis.b #8, 0(sp)",), 4, 4)
    assert site.assumes == ("%s is the slot at the stack pointer",)


@pytest.mark.parametrize(
    ("ops", "clobbers", "emitted_by"),
    [
        ((("or", 8),), (), ("gcc", "llvm")),
        ((("and", ~8),), (), ("gcc",)),  # llc 19 emits AND.B #-9
        ((("and", ~16),), (), ()),
        ((("xor", 8),), ("c", "n", "v", "z"), ("gcc", "llvm")),
    ],
)
def test_what_it_changes_and_who_emits_it_anyway(
    ops: Ops, clobbers: tuple[str, ...], emitted_by: tuple[str, ...]
) -> None:
    found = site_of(an_update(ops, "@w")).chosen
    assert found is not None
    assert (found.clobbers, found.emitted_by) == (clobbers, emitted_by)

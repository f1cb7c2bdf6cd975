"""The level assembler: RL78 passes it as it is, and no longer when a fact is changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bitsel.target.facts import Device, Target
from bitsel.target.show import table_rows
from bitsel.verify.assembler import check

Tool = Callable[[str], Path]
Change = Callable[..., Target]


@pytest.fixture(scope="module", autouse=True)
def _tools(tool: Tool) -> None:
    tool("rl78-elf-as")


def failures(target: Target, device: Device | None = None) -> dict[str, str]:
    results = check(target, device or target.devices["s3"])
    return {result.row: result.detail for result in results if result.outcome != "ok"}


def test_every_row_of_every_core_passes(rl78: Target) -> None:
    for device in rl78.devices.values():
        results = list(check(rl78, device))
        assert [result.row for result in results] == [row.text for row in table_rows(rl78, device)]
        assert {result.outcome for result in results} == {"ok"}


def test_what_is_outside_a_range_is_another_row_or_is_taken_for_a_number_inside(rl78: Target) -> None:
    details = {result.row: result.detail for result in check(rl78, rl78.devices["s3"])}
    assert details["set1 <addr:saddr>.<bit>"] == "set1 0xfff20.0 is taken for set1 <addr:sfr>.<bit>"
    assert details["mov a, [hl+<disp:u8>]"] == (
        "mov a, [hl+-0x1] is taken for mov a, [hl+0xff]; mov a, [hl+0x100] is taken for mov a, [hl+0x0]"
    )
    assert details["set1 a.<bit>"] == ""  # bit 8 does not assemble
    assert details["or <addr:saddr>, #<i:u8>"].startswith("or 0xffe20, #-1 is taken for or 0xffe20, #255")


def test_a_wrong_length(changed: Change) -> None:
    old = 'text   = "{op} {v:mem.esabs|eshl}.{bit:bit}"\nbytes  = 2'
    target = changed(old, old.replace("bytes  = 2", "bytes  = 1"))
    assert failures(target) == {
        f"{op} {row}": detail
        for op, code in (("set1", 0), ("clr1", 8))
        for row, detail in (
            (
                "es:!<addr:far16>.<bit>",
                f"{op} es:!0x0.0: 5 bytes (11 71 0{code} 00 00), declared 4",
            ),
            ("es:[hl].<bit>", f"{op} es:[hl].0: 3 bytes (11 71 {'82' if op == 'set1' else '83'}), declared 2"),
        )
    }


@pytest.mark.parametrize(
    ("old", "new", "row", "detail"),
    [
        # Too wide: the assembler refuses it, or drops bits of it; too narrow: it takes what is outside.
        (
            'count = "1..7"',
            'count = "1..6"',
            "shl a, <n:count>",
            "shl a, 7: assembles (31 79), though it is outside",
        ),
        (
            'far16 = { in = "0..0xffff",',
            'far16 = { in = "0..0x1ffff",',
            "mov a, es:!<addr:far16>",
            "mov a, es:!0x0: the same code (11 8f 00 00) as mov a, es:!0x10000",
        ),
        (
            'u8    = { in = "0..255",',
            'u8    = { in = "0..127",',
            "mov a, [hl+<disp:u8>]",
            "mov a, [hl+-0x1]: assembles (8c ff), though it is outside",
        ),
        (
            'saddr = "0xffe20..0xfff1f"',
            'saddr = "0xffe20..0xfff20"',
            "xor <addr:saddr>, #<i:u8>",
            "xor 0xfff20, #0: does not assemble: ",
        ),
        (
            'saddr = "0xffe20..0xfff1f"',
            'saddr = "0xffe20..0xfff1e"',
            "xor <addr:saddr>, #<i:u8>",
            "xor 0xfff1f, #0: assembles (7a 1f 00), though it is outside",
        ),
    ],
)
def test_a_wrong_range(changed: Change, old: str, new: str, row: str, detail: str) -> None:
    assert failures(changed(old, new))[row].startswith(detail)


def test_numbers_that_mean_the_same_may_have_the_same_code(changed: Change) -> None:
    # -1 and 0xffff are the same to a move of 16 bits, but not to the carry of an addition as the table has it.
    change = ('u16   = { in = "0..0xffff",', 'u16   = { in = "-1..0xffff",')
    assert failures(changed(*change, "movw {d}, #{i}")) == {}


def test_a_number_that_a_range_leaves_out(changed: Change) -> None:
    # 0x10000 is written as 0, which this range has a hole for: that is no proof that the range is too narrow.
    target = changed('u16   = { in = "0..0xffff",', 'u16   = { in = "-3..-1 1..0xffff",', "movw {d}, #{i}")
    results = list(check(target, target.devices["s3"]))
    assert [result.outcome for result in results] == ["ok"]
    assert results[0].detail.split("; ") == [
        "movw ax, #-4 is taken for movw ax, #0xfffc",
        "movw ax, #0x10000 is taken for 0, which the row leaves out",
    ]


def test_the_same_code_for_another_meaning(changed: Change) -> None:
    # Of a negative summand the upper bits would be added too, and no carry come of them.
    change = ("cy = ax + (i & 0xffff) >> 16", "cy = ax + i >> 16")
    assert failures(changed(*change, "addw ax, #{i}")) == {
        "addw ax, #<i:i16>": "addw ax, #-32768: the same code (04 00 80) as addw ax, #0x8000"
    }


def test_a_spelling_that_does_not_assemble(changed: Change) -> None:
    target = changed('text = "es:[hl]", ', 'text = "es:[hl", ')
    assert failures(target)["mov a, es:[hl"].startswith("mov a, es:[hl: does not assemble: ")

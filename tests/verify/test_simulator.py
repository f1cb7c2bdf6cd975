"""The level simulator: RL78 passes it but for what its simulator is known to get wrong, and no longer when a fact
is changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from bitsel.target.facts import KnownError, Ranges, Target
from bitsel.target.show import table_rows
from bitsel.verify import assembler
from bitsel.verify.result import RowResult
from bitsel.verify.simulator import check

Tool = Callable[[str], Path]
Change = Callable[..., Target]


@pytest.fixture(scope="module", autouse=True)
def _tools(tool: Tool) -> None:
    tool("rl78-elf-as")
    tool("rl78-elf-step")


@pytest.fixture(scope="module")
def results(rl78: Target) -> list[RowResult]:
    return list(check(rl78, rl78.devices["s3"]))


def failures(target: Target) -> dict[str, str]:
    results = check(target, target.devices["s3"])
    return {result.row: result.detail for result in results if result.outcome == "failed"}


def test_every_row_passes(results: list[RowResult], rl78: Target) -> None:
    assert [result.row for result in results] == [row.text for row in table_rows(rl78, rl78.devices["s3"])]
    assert {result.outcome for result in results} == {"ok", "known-error"}


def test_what_the_simulator_is_known_to_get_wrong(results: list[RowResult]) -> None:
    # Clocks of bits written to memory and PSW, of moves to PSW and exchanges with memory; and every ES: prefix.
    wrong = re.compile(
        r"(set1|clr1) .*(addr|\[hl\]|psw).*|mov1 .*(addr|\[hl\]|psw).*, cy|mov psw, .*|xch a, .*addr.*|.* es:.*"
    )
    for result in results:
        assert result.outcome == ("known-error" if wrong.fullmatch(result.row) else "ok"), result
    details = {result.row: result.detail for result in results}
    assert details["set1 es:[hl].<bit>"] == (
        "1 clocks, declared 3: gdb 13 sim/rl78/rl78.c counts 1 for a bit written to memory; "
        "gdb 13 sim/rl78/rl78.c does not count the ES: prefix"
    )
    assert details["bt [hl].<bit>, $<t:label>"] == "clocks only"
    assert details["or a, [hl]"] == ""


OR_RA = 'ops    = { or = "d |= a", and = "d &= a", xor = "d ^= a" }\ntext   = "{op} {d:r}, a"\n'
COUNT = 'text   = "{op} a, {n:count}"\nbytes  = 2\ncycles = 1\n'
BH = 'text   = "{op} ${t:label}"\nreads  = "cy z"\nflow   = "branch"\nbytes  = 3\ncycles = 4\n'
PSW = 'rows   = ["mov psw, *"]\nclocks = -2'


@pytest.mark.parametrize(
    ("old", "new", "start", "row", "detail"),
    [
        # What it does to memory, to a register, to a flag; where it does it.
        (
            'ops    = { or = "v |= i", and = "v &= i", xor = "v ^= i" }',
            'ops    = { or = "v |= i", and = "v &= ~i", xor = "v ^= i" }',
            "{op} {v}, #{i}",
            "and <addr:saddr>, #<i:u8>",
            r"and 0x.*, #.*: memory at 0x.* is 0x.*, should be 0x.*; from a 0x.*",
        ),
        (
            'does   = "a, x = x, a"',
            'does   = "a, x = x, x"',
            "xch a, x",
            "xch a, x",
            r"xch a, x: x is .*, should be .*; from .*",
        ),
        (
            OR_RA + 'does   = "{op}; z = d == 0"',
            OR_RA + 'does   = "{op}; z = d != 0"',
            "{op} {d}, a",
            "or <d:x|b|c|d|e|h|l>, a",
            r"or ., a: z is .*",
        ),
        (
            OR_RA + 'does   = "{op}; z = d == 0"',
            OR_RA + 'does   = "{op}"',
            "{op} {d}, a",
            "xor <d:x|b|c|d|e|h|l>, a",
            r"xor ., a: z is .*",
        ),
        (
            "m[near + hl + disp]",
            "m[near + hl + disp + 1]",
            "mov {v}, a",
            "mov [hl+<disp:u8>], a",
            r"mov \[hl\+0x.*\], a: memory at .*",
        ),
        # Clocks, of a row and of a branch.
        (
            COUNT,
            COUNT.replace("cycles = 1", "cycles = 2"),
            "{op} a, {n}",
            "shl a, <n:count>",
            "shl a, .: 1 clocks, declared 2",
        ),
        (
            BH,
            BH.replace("cycles = 4", "cycles = 2"),
            "{op} ${t}",
            "bh $<t:label>",
            r"bh \$1f: 4 clocks, declared 2",
        ),
        # How long it is: execution goes on elsewhere.
        (
            COUNT,
            COUNT.replace("bytes  = 2", "bytes  = 3"),
            "{op} a, {n}",
            "shl a, <n:count>",
            r"shl a, .: goes on at 0x9002, not 3 bytes further than 0x9000",
        ),
        # A known error is not one of other rows, nor another number of clocks.
        (PSW, PSW.replace("-2", "-1"), "mov {v}, a", "mov psw, a", "mov psw, a: 1 clocks, declared 3"),
        (PSW, PSW.replace(" *", ""), "mov {v}, a", "mov psw, a", "mov psw, a: 1 clocks, declared 3"),
    ],
)
def test_a_wrong_fact(changed: Change, old: str, new: str, start: str, row: str, detail: str) -> None:
    assert re.fullmatch(detail, failures(changed(old, new, start))[row])


def test_a_known_error_of_some_operands(changed: Change) -> None:
    # As if the table said 2 for all, and the simulator were known to count one less for shifts by 1 to 5, or to 7.
    target = changed(COUNT, COUNT.replace("cycles = 1", "cycles = 2"), "{op} a, {n}")
    assert target.simulator is not None

    def with_error(high: int) -> Target:
        error = KnownError(("sh* a, *",), "its manual", -1, {"n": Ranges(((1, high, 1),))})
        return evolve(target, simulator=evolve(target.simulator, known_errors=(error,)))

    assert failures(with_error(7)) == {}
    assert {(r.outcome, r.detail) for r in check(with_error(7), target.devices["s3"])} == {
        ("known-error", "1 clocks, declared 2: its manual")
    }
    assert re.fullmatch("shl a, [67]: 1 clocks, declared 2", failures(with_error(5))["shl a, <n:count>"])


def test_a_core_whose_clocks_the_simulator_does_not_count(changed: Change) -> None:
    target = changed(COUNT, COUNT.replace("cycles = 1", "cycles = 2"), "{op} a, {n}")
    assert target.simulator is not None
    target = evolve(target, simulator=evolve(target.simulator, clocks=frozenset({"s2"})))
    assert {(r.outcome, r.detail) for r in check(target, target.devices["s3"])} == {("ok", "clocks not counted")}


def test_a_row_that_the_assembler_is_known_to_refuse(changed: Change) -> None:
    target = changed('text   = "xch a, x"', 'text   = "xch x, a"', "xch x, a")
    assert target.assembler is not None
    error = KnownError(("xch x, a",), "its manual")
    target = evolve(target, assembler=evolve(target.assembler, known_errors=(error,)))
    assert list(check(target, target.devices["s3"])) == [
        RowResult("simulator", "xch x, a", "known-error", "does not assemble: its manual")
    ]
    assert list(assembler.check(target, target.devices["s3"])) == [
        RowResult("assembler", "xch x, a", "known-error", "its manual")
    ]


def test_what_the_table_leaves_open_is_not_compared(changed: Change) -> None:
    assert failures(changed('does   = "a, x = x, a"', 'does   = "a, x = any, any"', "xch a, x")) == {}


def test_a_row_that_does_not_assemble(changed: Change) -> None:
    target = changed('text   = "xch a, x"', 'text   = "xch x, a"', "xch x, a")
    assert failures(target) == {"xch x, a": "xch x, a: does not assemble"}


def test_a_row_for_which_there_is_no_memory(changed: Change) -> None:
    memory = 'memory    = "0x10000..0xeffff 0xf8000..0xffedf 0xfff00..0xfff0f 0xfff12..0xffff7"'
    target = changed(memory, 'memory    = "0xfff00..0xfff03"', "{op} {v}, #{i}")
    assert set(failures(target)) == set()
    target = evolve(target, simulator=evolve(target.simulator, memory=Ranges(((0x10000, 0x10003, 1),))))
    assert failures(target) == {
        f"{op} <addr:saddr>, #<i:u8>": "none of its accesses can be inside the simulator's memory"
        for op in ("or", "and", "xor")
    }

"""Clocks of waiting for what a load brings late: they are counted, and filled where that is possible."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsel
from bitsel.report import SiteReport
from bitsel.selector.bound import Bound, zero
from bitsel.selector.stalls import Timing, stalls

A, B = 1, 2


def load(late: int, to: int = A) -> Timing:
    return Timing(cycles=1, reads=0, writes=to, late=((to, late),) if late else ())


def other(reads: int = 0, writes: int = 0, cycles: int = 1) -> Timing:
    return Timing(cycles, reads, writes, ())


@pytest.mark.parametrize(
    ("sequence", "waited"),
    [
        ([load(2), other(reads=A)], 2),
        ([load(2), other(reads=B)], 0),
        ([load(2), other(), other(reads=A)], 1),
        ([load(2), other(cycles=2), other(reads=A)], 0),
        ([load(2), other(), other(), other(reads=A)], 0),
        ([load(0), other(reads=A)], 0),
        ([load(2), other(reads=A), other(reads=A)], 2),  # once waited for, it is there
        ([load(2), other(writes=A), other(reads=A)], 0),  # it is another value that is read
        ([load(2), load(2, to=B), other(reads=A | B)], 2),
        ([load(3), other(reads=B), load(1, to=B), other(reads=B), other(reads=A)], 1),
        ([other(reads=A), load(2)], 0),
    ],
)
def test_clocks_of_waiting(sequence: list[Timing], waited: int) -> None:
    assert stalls(sequence) == waited


TABLE = """\
[target]
name    = "late"
endian  = "little"
address = 16
cores   = ["one"]
[registers]
"a b c" = 8
[abi]
scratch = "a b c"
[class]
reg = "a b c"
[number]
addr = { in = "0..0xffff", symbol = "whole" }
u8   = "0..255"
[part]
whole = { is = "A", text = "{}" }
[mode.mem]
abs = { text = "{a:addr}", is = "m[a]" }
[[insn]]
text   = "ld {d:reg}, {v:mem}"
does   = "d = v"
bytes  = 2
cycles = 1
late   = { d = 2 }
[[insn]]
text   = "st {v:mem}, {r:reg}"
does   = "v = r"
bytes  = 2
cycles = 1
[[insn]]
text   = "mov {d:reg}, {i:u8}"
does   = "d = i"
bytes  = 2
cycles = 1
[[insn]]
ops    = { or = "d |= r", xor = "d ^= r" }
text   = "{op} {d:reg}, {r:reg}"
bytes  = 1
cycles = 1
[[insn]]
text   = "set {v:mem}, {i:u8}"
does   = "v |= i"
bytes  = 9
cycles = %d
[device.one]
core = "one"
"""


def site(tmp_path: Path, update: str, cycles: int = 9) -> SiteReport:
    table = tmp_path / "late.toml"
    table.write_text(TABLE % cycles, encoding="utf-8")
    code = f"@x = global i8 0\ndefine void @f() {{\n  %a = load i8, ptr @x\n{update}\n  ret void\n}}\n"
    (found,) = bitsel.select(code, target="late", objective="speed", plugins=[table]).sites
    return found


def plain(tmp_path: Path, update: str) -> tuple[tuple[str, ...], int]:
    found = site(tmp_path, update).baseline
    assert found is not None
    return found.asm, found.cycles


SET = "  %b = or i8 %a, 8\n  store i8 %b, ptr @x"
BOTH = "  %b = or i8 %a, 8\n  %c = xor i8 %b, 1\n  store i8 %c, ptr @x"


def test_a_constant_is_loaded_while_something_is_on_its_way(tmp_path: Path) -> None:
    assert plain(tmp_path, SET) == (("ld a, x", "mov b, 8", "or a, b", "st x, a"), 5)


def test_so_is_one_that_the_next_instruction_does_not_use(tmp_path: Path) -> None:
    asm, cycles = plain(tmp_path, BOTH)
    assert cycles == 6
    assert [line.split()[0] for line in asm[:3]] == ["ld", "mov", "mov"]


def test_waiting_decides_what_is_selected(tmp_path: Path) -> None:
    # LOAD-OP-STORE takes 4 clocks and waits one.
    faster, slower = site(tmp_path, SET, cycles=4).chosen, site(tmp_path, SET, cycles=6).chosen
    assert faster is not None
    assert faster.asm == ("set x, 8",)
    assert slower is None


@pytest.mark.parametrize("update", [SET, "  %b = xor i8 %a, -1\n  store i8 %b, ptr @x"])
def test_the_bound_on_waiting_changes_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update: str
) -> None:
    bounded = plain(tmp_path, update)
    monkeypatch.setattr(Bound, "__call__", lambda self, state: zero(state))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # nothing that was solved before
    assert plain(tmp_path, update) == bounded

"""Memory with two addresses: which accesses meet there, and what that does to updates on real devices."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsel
from bitsel.address import Addresses, Place
from bitsel.errors import FactsError
from bitsel.ir import Argument, Binary, Const, Function, Node, Symbol
from bitsel.mirror import Mirror, Run
from bitsel.target.load import load_target

RAM = Mirror(0, 0x0200, 0x09FF, 0x1100, 0x18FF)
PORTS = Mirror(0, 0x00, 0x1B, 0x0400, 0x04DF)


@pytest.mark.parametrize(
    ("mirror", "left", "right", "joined"),
    [
        (RAM, Run(0x0204, 1, True), Run(0x1104, 1, True), True),
        (RAM, Run(0x0204, 1, True), Run(0x1105, 1, True), False),
        (RAM, Run(0x0204, 2, True), Run(0x1105, 1, True), True),
        (RAM, Run(0x0205, 1, True), Run(0x1104, 2, True), True),
        (RAM, Run(0x0206, 1, True), Run(0x1104, 2, True), False),
        (RAM, Run(0x09FF, 1, True), Run(0x18FF, 1, True), True),
        (RAM, Run(0x0A00, 1, True), Run(0x1900, 1, True), False),  # as far apart, yet no mirror
        (RAM, Run(0x01FF, 1, True), Run(0x10FF, 1, True), False),
        (RAM, Run(0x01FE, 4, True), Run(0x10FE, 4, True), True),  # the ends of both lie inside
        (RAM, Run(0, 1, False), Run(0x0F00, 1, False), True),  # from some pointer: perhaps 0x200
        (RAM, Run(0, 1, False), Run(0x0F01, 1, False), False),
        (RAM, Run(8, 1, False), Run(8 - 0x0F00 & 0xFFFF, 1, False), True),
        (PORTS, Run(0x01, 1, True), Run(0x0404, 1, True), True),
        (PORTS, Run(0x1C, 1, True), Run(0x0404, 1, True), False),
        (PORTS, Run(0x01, 1, True), Run(0x04E0, 1, True), False),
        (PORTS, Run(0, 1, False), Run(0x0400 - 0x1B, 1, False), True),
        (PORTS, Run(0, 1, False), Run(0x0400 - 0x1C, 1, False), False),
        (PORTS, Run(0, 1, False), Run(0x04DF, 1, False), True),
        (PORTS, Run(0, 1, False), Run(0x04E0, 1, False), False),
    ],
)
def test_accesses_that_meet(mirror: Mirror, left: Run, right: Run, joined: bool) -> None:
    assert mirror.joins(left, right, 16) is joined
    assert mirror.joins(right, left, 16) is joined


def const(value: int) -> Const:
    return Const(value=value, width=16)


P = Argument(width=16, name="%p")
FAR = Binary(op="add", lhs=P, rhs=const(0x0F00), width=16)


@pytest.mark.parametrize(
    ("left", "right", "alias"),
    [
        (const(0x0204), const(0x1104), True),
        (const(0x0204), const(0x1106), False),
        (P, FAR, True),
        (Symbol(name="a", width=16), Symbol(name="b", width=16), False),  # a linker puts each into one place
    ],
)
def test_aliasing_knows_mirrors(left: Node, right: Node, alias: bool) -> None:
    function = Function("f", ())
    places = Place(left, 1, 0), Place(right, 1, 0)
    assert Addresses(function, (RAM,)).may_alias(*places) is alias
    assert not Addresses(function).may_alias(*places)
    elsewhere = Mirror(1, RAM.low, RAM.high, RAM.other_low, RAM.other_high)
    assert not Addresses(function, (elsewhere,)).may_alias(*places)


UPDATE = """\
define void @f(i8 %v) {{
  %old = load i8, ptr inttoptr (i16 {update} to ptr)
  store i8 %v, ptr inttoptr (i16 {other} to ptr)
  %new = or i8 %old, 1
  store i8 %new, ptr inttoptr (i16 {update} to ptr)
  ret void
}}
"""


def reason(target: str, update: int, other: int) -> str | None:
    (site,) = bitsel.select(UPDATE.format(update=update, other=other), target=target).sites
    return site.selection.reason.code.value if site.selection.reason is not None else None


@pytest.mark.parametrize(
    ("target", "update", "other", "expected"),
    [
        ("msp430:msp430f1611", 0x0204, 0x1104, "clobber-between"),
        ("msp430:msp430f1611", 0x1104, 0x0204, "clobber-between"),
        ("msp430:msp430f1611", 0x1104, 0x0206, None),
        ("msp430:msp430f1611", 0x1904, 0x0A04, None),  # beyond the mirror
        ("msp430:msp430fr5994", 0x1C04, 0x2B04, None),  # no mirror
        ("avr:attiny402", 0x0001, 0x0404, "clobber-between"),  # VPORTA.OUT, PORTA.OUT
        ("avr:attiny402", 0x0001, 0x0405, "clobber-between"),  # PORTA.OUTSET sets bits of it
        ("avr:attiny402", 0x0001, 0x3F00, None),
        ("avr:atxmega128a1u", 0x0011, 0x0604, "clobber-between"),  # VPORT0.OUT, which may be PORTA.OUT
        ("avr:atmega328p", 0x0025, 0x0404, None),
    ],
)
def test_a_store_through_a_mirror_is_in_the_way(target: str, update: int, other: int, expected: str | None) -> None:
    assert reason(target, update, other) == expected


def test_compared_devices_each_have_their_own_mirrors() -> None:
    text = UPDATE.format(update=0x1104, other=0x0204)
    targets = ["msp430:msp430f1611", "msp430:msp430fr5994", "msp430:msp430f5529"]
    (site,) = bitsel.compare(text, targets=targets).sites
    codes = [each.selection.reason.code.value if each.selection.reason else None for each in site.reports if each]
    assert codes[0] == "clobber-between"
    assert "clobber-between" not in codes[1:]


DEVICE = """\
[target]
name = "tiny"
endian = "little"
address = 16
cores = ["one"]
[registers]
a = 8
[[insn]]
text = "inc a"
does = "a += 1"
bytes = 1
cycles = 1
[device.parent]
core = "one"
mirror = [{ in = "0x100..0x1ff", at = "0x300..0x3ff", source = "a manual" }]
[device.child]
like = "parent"
mirror = [{ in = "0x10", at = "0x20..0x2f" }]
"""


def test_mirrors_are_read(tmp_path: Path) -> None:
    file = tmp_path / "target.toml"
    file.write_text(DEVICE)
    child = load_target(file).devices["child"]
    found = [(mirror.low, mirror.high, mirror.other, mirror.source) for mirror in child.mirrors]
    assert found == [(0x10, 0x10, (0x20, 0x2F), ""), (0x100, 0x1FF, (0x300, 0x3FF), "a manual")]


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ('"0x180..0x27f"', "15:39: 0x180..0x27f overlaps 0x100..0x1ff, whose mirror it is"),
        ('"0x300..0x10000"', "15:39: 0x300..0x10000 is outside the address space 0..0xffff"),
        ('"0x300 0x400"', "15:39: expected one range"),
    ],
)
def test_what_is_no_mirror(tmp_path: Path, at: str, message: str) -> None:
    file = tmp_path / "target.toml"
    file.write_text(DEVICE.replace('"0x300..0x3ff"', at))
    with pytest.raises(FactsError, match=message.replace(".", r"\.")):
        load_target(file)

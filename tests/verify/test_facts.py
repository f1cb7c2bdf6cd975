"""Level ``facts``: what is right with every row of the bundled tables, and what it finds wrong with broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

import bitsel_rl78
from bitsel.target.expr import Assign, Binary, Name, Num
from bitsel.target.facts import Target
from bitsel.target.load import load_target
from bitsel.verify.facts import check
from bitsel.verify.result import RowResult

MACHINES = Path(__file__).parents[1] / "target" / "machines"
FILES = [*sorted(MACHINES.glob("*.toml")), Path(bitsel_rl78.__file__).parent / "target.toml"]

TABLE = """\
[target]
name    = "toy"
endian  = "little"
address = 16
cores   = ["one"]
[registers]
"a b" = 8
[number]
low  = "0..0x7f"
page = "0x40..0xff"
bit  = "0..7"
[[insn]]
text   = "bset {p:low}, {b1:bit}"
let    = { v = "m8[p]" }
does   = "v |= 1 << b1"
bytes  = 2
cycles = 1
bit    = true
[[insn]]
text   = "ld a, {p:low}"
let    = { v = "m8[p]" }
does   = "a = v"
bytes  = 2
cycles = 1
[device.ports]
core   = "one"
memory = [{ in = "0..0xff", kind = "registers" }]
[device.ram]
core = "one"
"""


def results(target: Target, device: str) -> list[RowResult]:
    return list(check(target, target.devices[device]))


def toy(tmp_path: Path, *changes: tuple[str, str]) -> Target:
    text = TABLE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / "toy.toml"
    path.write_text(text)
    return load_target(path)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_wrong_with_real_tables(file: Path) -> None:
    target = load_target(file)
    for device in target.devices:
        assert [result for result in results(target, device) if result.outcome == "failed"] == []


def test_each_form_has_a_row() -> None:
    target = load_target(FILES[-1])
    found = results(target, "r7f100g")
    assert len(found) == 244
    assert found[0] == RowResult("facts", "set1 <addr:saddr>.<bit>", "ok")
    [unverified] = (each for each in found if each.row == "movw ax, [de+<disp:u8>]")
    assert unverified.detail == "unverified"


def test_a_form_that_only_other_devices_can_use_is_skipped(tmp_path: Path) -> None:
    target = toy(tmp_path)
    assert [each.outcome for each in results(target, "ram")] == ["ok", "ok"]
    skipped, other = results(target, "ports")
    assert skipped == RowResult(
        "facts",
        "bset <p:low>, <b1:bit>",
        "skipped",
        "no address in the range of 'low' allows 1-bit manipulation on ports",
    )
    assert other.outcome == "ok"


def test_one_register_that_allows_it_is_enough(tmp_path: Path) -> None:
    target = toy(tmp_path, ("[device.ram]", "[device.ports.registers]\nP = { at = 0x33 }\n[device.ram]"))
    assert [each.outcome for each in results(target, "ports")] == ["ok", "ok"]


def test_a_form_that_no_device_can_use_fails(tmp_path: Path) -> None:
    ram = '[device.ram]\ncore = "one"'
    target = toy(tmp_path, (ram, f'{ram}\nmemory = [{{ in = "0..0x7f", kind = "registers" }}]'))
    failed = results(target, "ram")[0]
    assert failed.outcome == "failed"
    assert failed.detail.endswith("allows 1-bit manipulation on ram, or on any other device")


def test_a_form_outside_every_address_space_fails(tmp_path: Path) -> None:
    space = '[space]\n0 = { bits = 16, within = "0x100..0xffff" }\n[device.ports]'
    found = results(toy(tmp_path, ("[device.ports]", space)), "ram")
    assert [each.outcome for each in found] == ["failed", "failed"]
    assert "no address in the range of 'low' allows access on ram" in found[1].detail


def test_an_offset_to_the_operand_counts(tmp_path: Path) -> None:
    """Operands 0..0x7f are the addresses from 0x100 on, where everything is allowed."""
    target = toy(tmp_path, ('v = "m8[p]"', 'v = "m8[0x100 + p]"'))
    assert results(target, "ports")[0].outcome == "ok"


@pytest.mark.parametrize(("does", "outcome"), [("a = v", "ok"), ("b = v", "failed")])
def test_forms_written_alike_must_do_the_same(does: str, outcome: str, tmp_path: Path) -> None:
    """From 0x40 to 0x7f both take the operand."""
    second = f"""[[insn]]
text   = "ld a, {{q:page}}"
let    = {{ v = "m8[q]" }}
does   = "{does}"
bytes  = 2
cycles = 1
[device.ports]"""
    last = results(toy(tmp_path, ("[device.ports]", second)), "ram")[2]
    assert last.outcome == outcome
    if outcome == "failed":
        assert last.detail == "with operands 0x40 it is written like 'ld a, <p:low>', which does otherwise"


def test_a_meaning_that_cannot_be_computed_fails(tmp_path: Path) -> None:
    """A table made in Python, which loading has not seen: a shift by a negative number."""
    target = toy(tmp_path)
    row = evolve(
        target.rows[1], does=(Assign((Name("a"),), (Binary(">>", Name("v"), Binary("-", Name("p"), Num(1))),)),)
    )
    found = results(evolve(target, rows=(target.rows[0], row), hash="changed"), "ram")
    assert "the table" in found[0].row
    assert found[0].detail == "the shift by p - 1 can be by -1 to 126 bits"
    assert found[2].detail == "its meaning cannot be computed at p = 0x0: negative shift count"

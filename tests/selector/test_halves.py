"""Addresses put together of halves, on a small machine: the bound never keeps the search from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.selector import search as search_module
from bitsel.selector import solver as solver_module
from bitsel.selector.bound import zero
from bitsel.selector.engine import Engine
from bitsel.selector.verdict import Objective, Sequence
from bitsel.target.facts import Target
from bitsel.target.load import load_target

TABLE = """\
[target]
name = "halves"
endian = "little"
address = 32
align = { 16 = 2 }
cores = ["one"]
[registers]
"r1 r2" = 32
z = 1
[class]
reg = "r1 r2"
[abi]
scratch = "r1 r2"
[part]
hi = { is = "A + 0x8000 >> 16 & 0xffff", text = "hi({})" }
lo = { is = "sext(A, 16)", text = "lo({})" }
whole = { is = "A & 0xffffffff", text = "{}" }
[number]
bit = "0..7"
u16 = { in = "0..0xffff", symbol = "hi" }
d16 = { in = "-0x8000..0x7fff", symbol = "lo" }
i32 = { in = "0..0xffffffff", symbol = "whole" }
[mode.mem]
reg = { text = "{i:d16}[{p:reg}]", is = "m[p + i & 0xffffffff]" }
[[insn]]
ops = { set = "v |= 1 << bit", clr = "v &= ~(1 << bit)" }
text = "{op} {bit:bit}, {v:mem}"
bytes = 4
cycles = 3
bit = true
[[insn]]
text = "ldb {d:reg}, {v:mem}"
does = "d = v"
bytes = 4
cycles = 1
[[insn]]
text = "stb {v:mem}, {r:reg}"
does = "v = r"
bytes = 4
cycles = 1
[[insn]]
text = "or {d:reg}, {i:u16}"
does = "d |= i"
bytes = 4
cycles = 1
[[insn]]
text = "high {d:reg}, {i:u16}"
does = "d = i << 16"
bytes = 4
cycles = 1
[[insn]]
text = "addi {d:reg}, {i:d16}"
does = "d += i"
bytes = 4
cycles = 1
[[insn]]
text = "long {d:reg}, {i:i32}"
does = "d = i"
bytes = {long}
cycles = 1
[device.d]
core = "one"
"""


def table(folder: Path, *, long: int = 9, **changes: str) -> Target:
    text = TABLE.replace("{long}", str(long))
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "target.toml").write_text(text)
    return load_target(folder)


def update(effect: Effect, where: Address) -> Idiom:
    return Idiom(effect, Access(effect.width), where)


SYMBOL = Address("symbol", "w", 2)
CASES = [
    update(effect, where)
    for effect in (Effect.or_with(8, 4), Effect.and_with(8, 0x7F), Effect.or_with(8, 5))
    for where in (SYMBOL, Address("absolute", None, 0x12348765), Address("absolute", None, 0x7FFF))
]


def costs(target: Target, objective: Objective) -> list[tuple[Sequence | None, Sequence | None]]:
    engine = Engine(target, target.devices["d"], objective, cache=None)
    found = [engine.select(case) for case in CASES]
    return [(selection.chosen, selection.baseline) for selection in found]


@pytest.mark.parametrize("objective", ["size", "speed"])
@pytest.mark.parametrize("long", [6, 9])
def test_the_bound_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, objective: Objective, long: int
) -> None:
    monkeypatch.setattr(search_module, "MOST_WORK", 1_000_000)
    monkeypatch.setattr(search_module, "GREEDS", (1,))
    target = table(tmp_path, long=long)
    found = costs(target, objective)
    assert any(chosen and "hi(w+2)" in chosen.asm[0] for chosen, _ in found)
    monkeypatch.setattr(solver_module, "Bound", lambda *_: zero)
    assert costs(target, objective) == found


def chosen(target: Target, case: Idiom) -> tuple[str, ...] | None:
    found = Engine(target, target.devices["d"], cache=None).select(case).chosen
    return found.asm if found is not None else None


SET = update(Effect.or_with(8, 4), SYMBOL)


def test_halves_are_taken_where_they_are_shorter(tmp_path: Path) -> None:
    assert chosen(table(tmp_path), SET) == ("high r1, hi(w+2)", "set 2, lo(w+2)[r1]")
    assert chosen(table(tmp_path, long=3), SET) == ("long r1, w+2", "set 2, 0[r1]")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A + 0x8000 >> 16", "A >> 16"),  # not rounded
        ("A + 0x8000 >> 16", "A + 0x80 >> 16"),
        ('"sext(A, 16)"', '"A & 0xffff"'),  # not signed
        ("m[p + i & 0xffffffff]", "m[p + i]"),  # which may be beyond the last address, or before the first
    ],
)
def test_halves_that_do_not_fit_are_not_put_together(tmp_path: Path, old: str, new: str) -> None:
    changes = {old: new, '"-0x8000..0x7fff", symbol': '"-0x8000..0xffff", symbol'}
    found = chosen(table(tmp_path, **changes), SET)
    assert found is None or not any("lo(w+2)[" in line for line in found)


def test_an_address_as_a_number(tmp_path: Path) -> None:
    case = update(Effect.or_with(8, 4), Address("absolute", None, 0x12348765))
    assert chosen(table(tmp_path), case) == ("high r1, 0x1235", "set 2, -0x789b[r1]")


def test_another_instruction_may_add_the_lower_half(tmp_path: Path) -> None:
    """Where no displacement takes it."""
    target = table(tmp_path, **{"{i:d16}[{p:reg}]": "[{p:reg}]", "m[p + i & 0xffffffff]": "m[p]"})
    assert chosen(target, SET) == ("high r1, hi(w+2)", "addi r1, lo(w+2)", "set 2, [r1]")

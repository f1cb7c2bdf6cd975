"""Instructions sorted by how they name the cell, and those from memory to memory told from the others."""

from __future__ import annotations

import pytest

from bitsel.effect import Effect
from bitsel.selector.cell import ByteRule, Cell, Place
from bitsel.selector.copies import is_copy, least_with_copy
from bitsel.selector.instruction import Instruction
from bitsel.selector.parts import Parts
from bitsel.selector.setting import Setting
from bitsel.selector.solver import Solver
from bitsel.target.expand import forms
from bitsel.target.expr import Name
from bitsel.target.load import load_target

TABLE = """\
[target]
name = "two"
endian = "little"
address = 16
cores = ["one"]
[registers]
"p q a" = 16
[abi]
pointer = "p"
scratch = "p q a"
[number]
n8 = "0..255"
n16 = { in = "0..0xffff", symbol = "whole" }
[part]
whole = { is = "A", text = "{}" }
[[insn]]
text = "load a, [p]"
does = "a = m8[p]"
bytes = 1
cycles = 4
[[insn]]
text = "load a, {n:n16}"
does = "a = m8[n]"
bytes = 3
cycles = 3
[[insn]]
text = "store [p], a"
does = "m8[p] = a"
bytes = 2
cycles = 5
[[insn]]
text = "or [p], {i:n8}"
does = "m8[p] |= i"
bytes = 4
cycles = 6
[[insn]]
text = "or a, {i:n16}"
does = "a |= i"
bytes = 3
cycles = 1
[[insn]]
text = "move [p], [q]"
does = "m8[p] = m8[q]"
bytes = 3
cycles = 9
[[insn]]
text = "clear [p], [q]"
does = "m8[p] &= ~m8[q]"
bytes = 3
cycles = 8
[[insn]]
text = "swap [p], [q]"
does = "m8[p], m8[q] = m8[q], m8[p]"
bytes = 9
cycles = 9
[[insn]]
text = "shift [p], [q]"
does = "m8[p] = m8[q] << 1"
bytes = 9
cycles = 9
[[insn]]
text = "step [p], [q]"
does = "p += 1; m8[p] = m8[q]"
bytes = 9
cycles = 9
[[insn]]
text = "twice [p]"
does = "m8[p] = m8[p] & ~m8[p]"
bytes = 9
cycles = 9
[device.d]
core = "one"
"""


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Setting:
    file = tmp_path_factory.mktemp("two") / "target.toml"
    file.write_text(TABLE)
    target = load_target(file)
    return Setting.of(target, forms(target, target.devices["d"]))


def mnemonics(instructions: tuple[Instruction, ...]) -> set[str]:
    """The first word of each, and where it has a number in place of a pointer."""
    found = set()
    for instruction in instructions:
        text = "".join(p if isinstance(p, str) else "#" for p in instruction.ground.form.text)
        found.add(text)
    return found


def cell(effect: Effect) -> Cell:
    place = Place("pointer", None, (0, 0xFFFF))
    return Cell(effect, place, "free", (ByteRule(),) * (effect.width // 8))


@pytest.fixture(scope="module")
def parts(setting: Setting) -> Parts:
    solver = Solver(setting, cell(Effect.or_with(16, 0x0101)), Name("p"), "size")
    return Parts.of(solver.stock.instructions(solver.cell, None, 8), solver.stock.modes)


def test_one_place_through_a_register_is_a_mode(parts: Parts) -> None:
    (mode,) = parts.modes
    assert mnemonics(parts.modes[mode]) == {"load a, [p]", "store [p], a", "or [p], #", "twice [p]"}


def test_several_places_stand_behind_a_gate(parts: Parts) -> None:
    gated = [mnemonics(behind) for behind in parts.gated.values()]
    assert set().union(*gated) == {"move [p], [q]", "clear [p], [q]", "swap [p], [q]", "shift [p], [q]"}


def test_what_steps_its_pointer_first_cannot_be_told_beforehand(parts: Parts) -> None:
    assert mnemonics(parts.plain) == {"or a, #", "step [p], [q]"}
    assert mnemonics(parts.direct) == mnemonics(parts.plain) | {
        "move [p], [q]",
        "clear [p], [q]",
        "swap [p], [q]",
        "shift [p], [q]",
    }


def test_updates_are_what_reads_and_writes_memory(parts: Parts) -> None:
    updates = parts.updates()
    assert mnemonics(updates.plain) == {"step [p], [q]"}
    assert [mnemonics(served) for served in updates.modes.values()] == [{"or [p], #", "twice [p]"}]
    assert not updates.gated


def test_in_place_are_loads_stores_and_what_changes_one_register(parts: Parts) -> None:
    in_place = parts.in_place()
    assert mnemonics(in_place.plain) == {"or a, #"}
    assert [mnemonics(served) for served in in_place.modes.values()] == [{"load a, [p]", "store [p], a"}]
    assert not in_place.gated


def test_a_mode_that_names_no_place_of_the_cell_is_left_out(setting: Setting) -> None:
    """Nothing of a symbol's address is ever in a register here: no row brings it there."""
    place = Place("symbol", None, (0, 0xFFFF))
    symbol = Cell(Effect.or_with(8, 1), place, "free", (ByteRule(),))
    solver = Solver(setting, symbol, None, "size")
    found = Parts.of(solver.stock.instructions(solver.cell, None, 8), solver.stock.modes)
    assert "load a, #" in mnemonics(found.plain)


@pytest.mark.parametrize(
    ("text", "copy"),
    [
        ("move [p], [q]", True),
        ("clear [p], [q]", True),
        ("step [p], [q]", True),
        ("swap [p], [q]", False),  # two places are written
        ("shift [p], [q]", False),  # bits come to other places
        ("twice [p]", False),  # one place
        ("load a, [p]", False),
        ("or [p], #", False),
        ("or a, #", False),
    ],
)
def test_a_copy_moves_or_combines_one_place_into_another(setting: Setting, text: str, copy: bool) -> None:
    (uses,) = (
        uses for uses in setting.forms if "".join(p if isinstance(p, str) else "#" for p in uses.form.text) == text
    )
    assert is_copy(uses) is copy


@pytest.mark.parametrize(
    ("effect", "size", "speed"),
    [
        # A copy (3 bytes, at best 8 clocks) and something else that stores (at best 2 bytes, 5 clocks).
        (Effect.or_with(16, 1), (5, 13), (13, 5)),
        # All zeros or ones in every byte that changes: a copy onto itself may be all.
        (Effect.and_with(16, 0xFF00), (3, 8), (8, 3)),
        (Effect.or_with(8, 0xFF), (3, 8), (8, 3)),
    ],
)
def test_what_a_path_with_a_copy_costs_at_least(
    setting: Setting, effect: Effect, size: tuple[int, int], speed: tuple[int, int]
) -> None:
    assert least_with_copy(setting.forms, cell(effect), "size") == size
    assert least_with_copy(setting.forms, cell(effect), "speed") == speed


def test_of_one_byte_copied_onto_itself_nothing_old_is_left(setting: Setting) -> None:
    assert least_with_copy(setting.forms, cell(Effect.or_with(8, 1)), "size") is None


def test_without_copies_there_is_no_such_path(setting: Setting) -> None:
    others = [uses for uses in setting.forms if not is_copy(uses)]
    assert least_with_copy(others, cell(Effect.or_with(16, 1)), "size") is None

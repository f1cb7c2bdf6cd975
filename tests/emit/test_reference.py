"""Generated reference pages: `BLESS=1 pytest tests/emit/test_reference.py` writes them; read the difference."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bitsel.emit.reference import page
from bitsel.plugins import Plugins

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference" / "targets"
BUNDLED = ["avr", "msp430", "rl78"]


@pytest.mark.parametrize("name", BUNDLED)
def test_the_page_is_what_the_facts_say(name: str) -> None:
    made = page(Plugins().target(name))
    file = PAGES / f"{name}.md"
    if os.environ.get("BLESS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(made, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == made


def test_there_is_a_page_for_every_bundled_target_and_no_other() -> None:
    assert sorted(file.stem for file in PAGES.glob("*.md")) == BUNDLED


def test_a_row_tells_form_meaning_costs_and_source() -> None:
    lines = page(Plugins().target("rl78")).splitlines()
    assert "| `set1 !<addr:abs16>.<bit>` | `m8[addr] = m8[addr] \\| (1 << bit)` | 4 | 2 | gas list |" in lines


def test_a_space_tells_what_a_pointer_means() -> None:
    lines = page(Plugins().target("rl78")).splitlines()
    assert "| 1 | 16 bits | 0xf0000 + c mod 2^16 | 0xf0000..0xfffff |" in lines


def test_registers_with_a_hole_are_listed_with_it() -> None:
    lines = page(Plugins().target("avr")).splitlines()
    assert any(line.startswith("| `ld <d_reg:r0..r25|r28..r31>, X+` |".replace("|r28", "\\|r28")) for line in lines)
    assert any(line.startswith("| `ld <d_reg:r0..r29>, Z+` |") for line in lines)


def test_registers_of_several_kinds_are_listed_by_kind() -> None:
    text = page(Plugins().target("msp430"))
    assert "(<d_p:sp\\|r4..r15>)" in text

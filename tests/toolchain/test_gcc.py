"""What GCC reaches by itself from plain C, on RL78: the rows that say ``emitted_by = ["gcc"]``, and no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bitsel.plugins import Plugins
from bitsel.target.expand import forms
from bitsel.toolchain.find import Missing, find

PLAIN_C = """
typedef unsigned char u8;
u8 near_byte;
extern u8 __far far_byte;
void absolute(void)      { near_byte |= 8; }
void sfr_and_saddr(void) { *(volatile u8 *)0xff20 &= ~8; *(volatile u8 *)0xfe20 |= 8; }
void pointer(u8 *p)      { *p |= 8; }
void far(void)           { far_byte &= ~8; }
void far_pointer(u8 __far *p) { *p |= 8; }
"""

EMITTED = [
    "set1\t!_near_byte.3",
    "clr1\t!-224.3",  # 0xfff20: an SFR, yet not by its short address
    "set1\t!-480.3",  # 0xffe20, likewise
    "set1\t[hl].3",
    "clr1\tes:!%lo16(_far_byte).3",
    "set1\tes:[hl].3",
]


@pytest.fixture
def gcc() -> Path:
    found = find("rl78-elf-gcc")
    if isinstance(found, Missing):
        pytest.skip("rl78-elf-gcc is not installed: run 'make tools-gcc' in bitsel's source tree")
    return found


def compiled(gcc: Path, source: Path) -> list[str]:
    options = ("-mcpu=g14", "-ffreestanding", "-Os", "-S", "-o", "-")
    done = subprocess.run([gcc, *options, source], capture_output=True, text=True, check=True)
    return [line.strip() for line in done.stdout.splitlines()]


def test_bit_instructions_that_gcc_reaches(gcc: Path, tmp_path: Path) -> None:
    source = tmp_path / "plain.c"
    source.write_text(PLAIN_C, encoding="utf-8")
    found = [line for line in compiled(gcc, source) if line.startswith(("set1", "clr1"))]
    assert found == EMITTED


def test_the_table_says_so() -> None:
    target = Plugins().target("rl78")
    rows = {form.text for form in forms(target, target.devices["s3"]) if form.emitted_by == ("gcc",)}
    spelled = {"".join(piece if isinstance(piece, str) else "?" for piece in row) for row in rows}
    assert spelled == {f"{op} {mode}.?" for op in ("set1", "clr1") for mode in ("!?", "[hl]", "es:!?", "es:[hl]")}


@pytest.mark.parametrize("name", ["g23_driver.c", "sha256.c"])
def test_the_examples_compile(gcc: Path, root: Path, name: str) -> None:
    assert "ret" in compiled(gcc, root / "examples" / name)

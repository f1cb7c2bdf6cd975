"""The fourth target: a plugin in a distribution of its own, as its tutorial makes it, and what it selects.

Bytes and clocks are counted by hand from the instruction tables that the plugin's facts cite, V850E1 where nothing
else is said: `set1` 3 clocks, a load 1 and 1 more where the next instruction uses what it loads, all others here 1,
but `mov imm32`, 2.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType
from typing import Literal

import pytest
from attrs import frozen

import bitsel
from bitsel.report import SiteReport
from bitsel.target.load import load_target
from bitsel.toolchain.find import Missing, find
from bitsel.verify import assembler, facts, simulator

HERE = Path(__file__).parent
PLUGIN = HERE / "bitsel_v850"
TUTORIAL = HERE.parent.parent / "docs" / "tutorial" / "write-a-target.md"
Objective = Literal["size", "speed"]


@frozen
class Update:
    """One read-modify-write in LLVM IR: ``or i8 8`` at `address`, an operand of type ptr."""

    op: str
    address: str = "%p"
    offset: int = 0
    width: int = 8
    volatile: bool = False
    align: int | None = None

    @property
    def ir(self) -> str:
        access = "volatile " if self.volatile else ""
        kind = f"i{self.width}"
        align = self.align or self.width // 8
        operation, mask = self.op.split()
        return f"""\
@flags = global i32 0
define void @f(ptr %p) {{
  %q = getelementptr i8, ptr {self.address}, i32 {self.offset}
  %old = load {access}{kind}, ptr %q, align {align}
  %new = {operation} {kind} %old, {mask}
  store {access}{kind} %new, ptr %q, align {align}
  ret void
}}
"""


def at(address: int) -> str:
    return f"inttoptr (i32 {address if address < 1 << 31 else address - (1 << 32)} to ptr)"


def select(update: Update, device: str = "v850e1", objective: Objective = "size") -> SiteReport:
    report = bitsel.select(
        update.ir, target=f"v850:{device}", objective=objective, plugins=[PLUGIN / "bitsel_v850"]
    )
    (site,) = report.sites
    return site


def chosen(
    update: Update, device: str = "v850e1", objective: Objective = "size"
) -> tuple[tuple[str, ...], int, int]:
    found = select(update, device, objective).chosen
    assert found is not None
    return found.asm, found.bytes, found.cycles


def baseline(update: Update, device: str = "v850e1") -> tuple[tuple[str, ...], int, int]:
    found = select(update, device).baseline
    assert found is not None
    return found.asm, found.bytes, found.cycles


# --- a bit of a byte --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("update", "asm"),
    [
        (Update("or 8"), "set1 3, 0[r6]"),
        (Update("and -2"), "clr1 0, 0[r6]"),
        (Update("xor 128"), "not1 7, 0[r6]"),
        (Update("or 8", offset=5), "set1 3, 5[r6]"),
        (Update("or 8", offset=-5), "set1 3, -5[r6]"),
        (Update("or 8", offset=32767), "set1 3, 32767[r6]"),
        (Update("or 8", offset=-32768), "set1 3, -32768[r6]"),
        (Update("or 8", volatile=True), "set1 3, 0[r6]"),
    ],
)
def test_a_bit_by_pointer_is_one_instruction(update: Update, asm: str) -> None:
    assert chosen(update) == ((asm,), 4, 3)


@pytest.mark.parametrize(
    ("op", "asm"),
    [
        ("or 8", "ori 8, r10, r10"),
        ("and -9", "andi 247, r10, r10"),
        ("xor 8", "xori 8, r10, r10"),
    ],
)
def test_it_is_compared_with_load_operate_store(op: str, asm: str) -> None:
    # 4 + 4 + 4 bytes; 1 for the load, 1 of waiting for it, 1, 1
    assert baseline(Update(op)) == (("ld.bu 0[r6], r10", asm, "st.b r10, 0[r6]"), 12, 4)


def test_the_first_v850_loads_signed_bytes_only() -> None:
    assert baseline(Update("or 8"), "v850") == (("ld.b 0[r6], r10", "ori 8, r10, r10", "st.b r10, 0[r6]"), 12, 4)


@pytest.mark.parametrize(
    ("device", "ours", "plain"),
    [
        ("v850", 4, 4),  # 4 clocks, and 1 + 1 + 1 + 1
        ("v850e1", 3, 4),
        ("v850e2", 4, 5),  # a load is 2 clocks late
        ("rh850g3m", 4, 5),
        ("rh850g3mh", 1, 5),
    ],
)
def test_clocks_are_those_of_the_core(device: str, ours: int, plain: int) -> None:
    update = Update("or 8")
    assert chosen(update, device) == (("set1 3, 0[r6]",), 4, ours)
    assert baseline(update, device)[1:] == (12, plain)


@pytest.mark.parametrize("device", ["v850", "v850e1", "rh850g3m"])
def test_it_wins_in_clocks_too_or_is_as_fast_and_uninterruptible(device: str) -> None:
    assert chosen(Update("or 8"), device, "speed")[0] == ("set1 3, 0[r6]",)


def test_what_it_destroys_is_the_flag_of_the_old_bit() -> None:
    site = select(Update("or 8"))
    assert site.chosen is not None
    assert site.baseline is not None
    assert site.chosen.clobbers == ("z",)
    assert site.baseline.clobbers == ("ov", "r10", "s", "z")
    assert (site.chosen.interruptible, site.baseline.interruptible) == (False, True)


# --- addresses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "asm"),
    [
        (0, "set1 3, 0x0[r0]"),
        (0x7FFF, "set1 3, 0x7fff[r0]"),
        (0xFFFF8000, "set1 3, -0x8000[r0]"),
        (0xFFFFEFFF, "set1 3, -0x1001[r0]"),
    ],
)
def test_the_lowest_and_the_highest_addresses_are_reached_from_r0(address: int, asm: str) -> None:
    update = Update("or 8", at(address), volatile=True)
    assert chosen(update) == ((asm,), 4, 3)
    assert baseline(update)[1:] == (12, 4)


@pytest.mark.parametrize("device", ["v850", "v850e1"])
@pytest.mark.parametrize(
    ("address", "upper", "lower"),
    [
        (0x8000, "0x1", "-0x8000"),
        (0xFFFF7FFF, "0xffff", "0x7fff"),
        (0x4000000, "0x400", "0x0"),
        (0x12348765, "0x1235", "-0x789b"),
    ],
)
def test_the_upper_half_of_another_address_goes_into_a_register_first(
    address: int, upper: str, lower: str, device: str
) -> None:
    update = Update("or 8", at(address), volatile=True)
    clocks = {"v850": 5, "v850e1": 4}[device]
    assert chosen(update, device) == ((f"movhi {upper}, r0, r6", f"set1 3, {lower}[r6]"), 8, clocks)
    load = "ld.b" if device == "v850" else "ld.bu"
    assert baseline(update, device) == (
        (f"movhi {upper}, r0, r6", f"{load} {lower}[r6], r10", "ori 8, r10, r10", f"st.b r10, {lower}[r6]"),
        16,
        5,
    )


@pytest.mark.parametrize(("device", "clocks"), [("v850", 5), ("v850e1", 4), ("rh850g3mh", 2)])
def test_a_variable(device: str, clocks: int) -> None:
    update = Update("or 8", "@flags", offset=2)
    assert chosen(update, device) == (("movhi hi(_flags+2), r0, r6", "set1 3, lo(_flags+2)[r6]"), 8, clocks)
    assert baseline(update, device)[1] == 16


def test_each_byte_of_a_variable_has_halves_of_its_own() -> None:
    # _flags may be at 0x7fff: then the upper half of _flags+1 is another.
    update = Update("or 1024", "@flags", width=16, align=2)
    assert chosen(update) == (("movhi hi(_flags+1), r0, r6", "set1 2, lo(_flags+1)[r6]"), 8, 4)


def test_words_of_a_variable_are_reached_by_halves() -> None:
    update = Update("or 1024", "@flags", width=16, volatile=True)
    assert baseline(update) == (
        ("movhi hi(_flags), r0, r6", "ld.hu lo(_flags)[r6], r10", "ori 1024, r10, r10", "st.h r10, lo(_flags)[r6]"),
        16,
        5,
    )


def test_halves_as_gnu_as_makes_and_links_them(tmp_path: Path) -> None:
    """`hi` has made up for the sign of `lo` where the two are put together."""
    tools = [find(f"v850-elf-{name}") for name in ("as", "ld", "objdump")]
    for found in tools:
        if isinstance(found, Missing):
            pytest.skip(str(found))
    gas, ld, objdump = map(str, tools)
    lines = [
        line for update in (Update("or 8", "@flags"), Update("or 8", "@flags", 2)) for line in chosen(update)[0]
    ]
    source, made, linked = (tmp_path / name for name in ("halves.s", "halves.o", "halves.elf"))
    source.write_text("".join(f"\t{line}\n" for line in lines), encoding="utf-8")
    subprocess.run([gas, "-mv850e1", "-o", made, source], check=True)
    place = ["--defsym=_flags=0x12347ffe", "-Ttext=0x1000", "--entry=0x1000"]
    subprocess.run([ld, *place, "-o", linked, made], check=True)
    listing = subprocess.run([objdump, "-d", linked], check=True, capture_output=True, text=True).stdout
    found = [line.split("\t")[2:] for line in listing.splitlines() if ":\t" in line]
    assert found == [
        ["movhi", f"{0x1234}, r0, r6"],
        ["set1", f"3, {0x7FFE}[r6]"],
        ["movhi", f"{0x1235}, r0, r6"],
        ["set1", "3, -32768[r6]"],
    ]


# --- words ------------------------------------------------------------------------------------------------------


def test_a_bit_of_a_word_is_a_bit_of_one_of_its_bytes() -> None:
    update = Update("or 1048576", width=32)  # bit 20 is bit 4 of byte 2
    assert chosen(update) == (("set1 4, 2[r6]",), 4, 3)
    # 4 + 4 + 2 + 4 bytes; movhi fills the clock in which the load is on its way
    assert baseline(update) == (("ld.w 0[r6], r10", "movhi 16, r0, r11", "or r10, r11", "st.w r11, 0[r6]"), 14, 4)


def test_what_is_two_clocks_late_is_waited_for_where_one_instruction_does_not_fill_the_time() -> None:
    assert baseline(Update("or 1048576", width=32), "rh850g3m")[1:] == (14, 5)


def test_a_half_word() -> None:
    update = Update("and -1025", width=16)  # bit 10 is bit 2 of byte 1
    assert chosen(update) == (("clr1 2, 1[r6]",), 4, 3)
    assert baseline(update) == (("ld.hu 0[r6], r10", "andi 64511, r10, r10", "st.h r10, 0[r6]"), 12, 4)


def test_a_volatile_word_keeps_its_width() -> None:
    site = select(Update("or 1048576", width=32, volatile=True))
    assert site.chosen is None
    assert site.reason is not None
    assert site.reason.code.value == "volatile-width"
    assert site.baseline is not None
    assert site.baseline.bytes == 14


def test_an_unaligned_word_is_accessed_by_bytes() -> None:
    update = Update("or 16", width=32, align=1)
    assert chosen(update) == (("set1 4, 0[r6]",), 4, 3)
    # Each byte is read and written, 4 + 4 bytes and 1 + 1 + 1 clocks; in the first, ori follows the load.
    assert baseline(update)[1:] == (4 * 8 + 4, 4 * 3 + 1)


def test_a_word_at_an_odd_displacement_cannot_be_written() -> None:
    # The lowest bit of the displacement is part of the operation there: ld.hu 1[r6] would be ld.hu 0[r6].
    site = select(Update("or 8", offset=1, width=16, volatile=True))
    assert (site.chosen, site.baseline) == (None, None)


# --- devices ----------------------------------------------------------------------------------------------------


def test_a_register_that_allows_it() -> None:
    timer = Update("or 64", at(0xFFFFF148), volatile=True)
    assert chosen(timer, "v850e-ma1") == (("set1 6, -0xeb8[r0]",), 4, 3)


@pytest.mark.parametrize(
    ("device", "address"),
    [
        ("v850e-ma1", 0xFFFFF400),  # not listed
        ("v850e-ma1", 0xFFFFF1FA),  # read only
        ("v850e1", 0xFFFFF148),  # no register is known of a device that is none in particular
        ("v850e1", 0xFFFFF000),
        ("rh850g3m", 0xFF000000),
    ],
)
def test_a_register_that_is_not_known_to_allow_it(device: str, address: int) -> None:
    reason = select(Update("or 64", at(address), volatile=True), device).reason
    assert reason is not None
    assert reason.code.value == "not-bit-addressable"


# --- real tools -------------------------------------------------------------------------------------------------

# 3 bit instructions, 5 loads, 3 stores, in 2 modes each; 6 operations; 4 ways to bring a constant.
# The first V850 has no loads of unsigned bytes and half words, and no `mov imm32`.
ROWS = {"v850": 27, "v850e1": 32, "v850e2": 32, "rh850g3m": 32, "rh850g3mh": 32}


def results(level: ModuleType, device: str, *tools: str) -> list[tuple[str, str]]:
    """What came of each row; a skip that says how to get the tools where they are not there."""
    for tool in tools:
        found = find(tool)
        if isinstance(found, Missing):
            pytest.skip(str(found))
    target = load_target(PLUGIN / "bitsel_v850")
    return [(row.row, row.outcome) for row in level.check(target, target.devices[device])]


@pytest.mark.parametrize("device", ROWS)
def test_every_row_has_the_length_and_the_ranges_of_the_assembler(device: str) -> None:
    rows = results(assembler, device, "v850-elf-as")
    assert len(rows) == ROWS[device]
    assert {outcome for _, outcome in rows} == {"ok"}


@pytest.mark.parametrize("device", ROWS)
def test_every_row_does_in_the_simulator_what_it_says(device: str) -> None:
    rows = results(simulator, device, "v850-elf-as", "v850-elf-step")
    assert len(rows) == ROWS[device]
    assert {outcome for _, outcome in rows} == {"ok"}


@pytest.mark.parametrize("device", ROWS)
def test_the_table_holds_together(device: str) -> None:
    rows = results(facts, device)
    assert len(rows) == ROWS[device]
    assert {outcome for _, outcome in rows} == {"ok"}


# --- the distribution -------------------------------------------------------------------------------------------


def test_the_plugin_is_what_the_tutorial_makes() -> None:
    page = TUTORIAL.read_text(encoding="utf-8")
    blocks = [part.split("\n```\n")[0] for part in page.split("```toml\n")[1:]]
    table, packaging = [b for b in blocks if "[build-system]" not in b], blocks[-1]
    assert "\n\n".join(table) + "\n" == (PLUGIN / "bitsel_v850" / "target.toml").read_text(encoding="utf-8")
    assert packaging + "\n" == (PLUGIN / "pyproject.toml").read_text(encoding="utf-8")
    module = page.split("```python\n")[1].split("```\n")[0]
    assert module == (PLUGIN / "bitsel_v850" / "__init__.py").read_text(encoding="utf-8")


def test_it_installs_and_is_found(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="no hatchling to build the plugin with: pip install hatchling")
    venv.create(tmp_path / "venv", system_site_packages=True, with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    # It sees the packages of the environment that runs the tests: bitsel, what that needs, the build backend.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", PLUGIN]
    subprocess.run(install, env=environment, check=True, timeout=300)
    listing = [python, "-m", "bitsel", "target", "list"]
    done = subprocess.run(listing, env=environment, check=True, capture_output=True, text=True, timeout=60)
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert "v850" in names
    assert "rl78" in names
    assert "bitsel-v850 1.0" in done.stdout
    with pytest.raises(PackageNotFoundError):  # and the environment of the tests is as it was
        distribution("bitsel-v850")

"""Reading [assembler] and [simulator]."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitsel.errors import FactsError
from bitsel.target.facts import Assembler, KnownError, Ranges, Simulator, Target
from bitsel.target.load import load_target

TABLE = """
[target]
name = "tiny"
endian = "little"
address = 16
cores = ["slow", "fast"]
[registers]
zero = 0
"a b" = 8
"f g" = 1
ab = "a:b"
[mapped]
g = "0x10.3"
[[insn]]
text = "inc a"
does = "a += b; f = a == 0; g = f"
bytes = 1
cycles = 1
[device.one]
core = "slow"
"""
SIMULATOR = """
[simulator]
tool = "tiny-step"
arguments = "--model tiny"
registers = { "a b" = 4, f = "9.2" }
pc = 12
code = 0x100
memory = "0x200..0x2ff 0x400"
"""
MISCOUNTED = """
[[simulator.known-error]]
rows = ["inc *"]
clocks = -1
operands = { k = "1 4..8" }
source = "its manual"
"""


def load(folder: Path, text: str) -> Target:
    path = folder / "target.toml"
    path.write_text(TABLE + text, encoding="utf-8")
    return load_target(path)


def test_none(tmp_path: Path) -> None:
    target = load(tmp_path, "")
    assert target.assembler is None
    assert target.simulator is None


def test_an_assembler_with_the_same_options_for_all_cores(tmp_path: Path) -> None:
    target = load(tmp_path, '[assembler]\ntool = "tiny-as"\noptions = "-a -b"')
    assert target.assembler == Assembler("tiny-as", {"slow": ("-a", "-b"), "fast": ("-a", "-b")})


def test_an_assembler_with_options_for_one_core(tmp_path: Path) -> None:
    target = load(tmp_path, '[assembler]\ntool = "tiny-as"\noptions = { fast = "-mfast" }')
    assert target.assembler == Assembler("tiny-as", {"fast": ("-mfast",)})


def test_an_assembler_with_a_known_error(tmp_path: Path) -> None:
    error = '[[assembler.known-error]]\nrows = ["inc a", "dec *"]\nsource = "its manual"'
    target = load(tmp_path, '[assembler]\ntool = "tiny-as"\n' + error)
    assert target.assembler is not None
    assert target.assembler.known_errors == (KnownError(("inc a", "dec *"), "its manual"),)


def test_the_operands_of_a_known_error_are_ranges(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match="the range 8..4 is empty"):
        load(tmp_path, SIMULATOR + MISCOUNTED.replace("4..8", "8..4"))


def test_a_simulator(tmp_path: Path) -> None:
    target = load(tmp_path, SIMULATOR + "offset = 16\nstates = 8\n" + MISCOUNTED)
    assert target.simulator == Simulator(
        tool="tiny-step",
        arguments={"slow": ("--model", "tiny"), "fast": ("--model", "tiny")},
        registers={"a": (4, 0), "b": (5, 0), "f": (9, 2)},
        pc=12,
        code=0x100,
        memory=Ranges(((0x200, 0x2FF, 1), (0x400, 0x400, 1))),
        clocks=frozenset({"slow", "fast"}),
        offset=16,
        states=8,
        known_errors=(KnownError(("inc *",), "its manual", -1, {"k": Ranges(((1, 1, 1), (4, 8, 1)))}),),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"a b" = 4, ', '"a" = 4, ', "nothing says where the simulator has the register 'b'; give its number"),
        ('"a b" = 4', '"a b" = "4.0"', "several registers cannot be at one bit"),
        ('"a b" = 4', '"a b a" = 4', "the register 'a' is here twice"),
        ('"a b" = 4', '"ab" = 4', "'ab' is itself made of registers"),
        ('"a b" = 4', '"a q" = 4', "unknown register 'q'"),
        ('"9.2"', '"9"', "simulator.registers.f' must be a number and a bit of it"),
        ('0x400"', '0x2ff"', "the range 0x2ff overlaps"),
    ],
)
def test_what_does_not_hold_together(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in SIMULATOR
    with pytest.raises(FactsError, match=message) as caught:
        load(tmp_path, SIMULATOR.replace(old, new))
    assert caught.value.where is not None
    assert caught.value.where.line > TABLE.count("\n")


def test_a_simulator_that_knows_one_core(tmp_path: Path) -> None:
    arguments = 'arguments = { fast = "--model fast" }'
    target = load(tmp_path, SIMULATOR.replace('arguments = "--model tiny"', arguments))
    assert target.simulator is not None
    assert target.simulator.arguments == {"fast": ("--model", "fast")}


def test_a_simulator_that_counts_the_clocks_of_one_core(tmp_path: Path) -> None:
    target = load(tmp_path, SIMULATOR + 'clocks = ["fast"]')
    assert target.simulator is not None
    assert target.simulator.clocks == {"fast"}
    with pytest.raises(FactsError, match="unknown core 'fats'; did you mean 'fast'?"):
        load(tmp_path, SIMULATOR + 'clocks = ["fats"]')


def test_options_for_a_core_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match="unknown core 'fats'; did you mean 'fast'?"):
        load(tmp_path, '[assembler]\ntool = "tiny-as"\noptions = { fats = "-mfast" }')

"""Both levels on another kind of machine, V850: a table of the tests, the same drivers, no code of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from bitsel.target.facts import Target
from bitsel.target.load import load_target
from bitsel.verify import assembler, simulator
from bitsel.verify.result import RowResult

Tool = Callable[[str], Path]


@pytest.fixture(scope="module")
def v850(root: Path) -> Target:
    return load_target(root / "tests" / "target" / "machines" / "v850.toml")


@pytest.mark.parametrize("device", ["v850e1", "rh850g3m"])
def test_assembler(v850: Target, device: str, tool: Tool) -> None:
    tool("v850-elf-as")
    results = {result.row: result for result in assembler.check(v850, v850.devices[device])}
    assert len(results) == 27
    assert {result.outcome for result in results.values()} == {"ok"}
    # Two forms are written alike; an odd displacement of a word is rounded; RH850 has a longer form for far ones.
    assert "mov -17, r1 is taken for an instruction of 6 bytes" in results["mov <i:i5>, <d:r1..r31>"].detail
    loads = results["ld.h <i:d16e>[<p:r0..r31>], <d:r1..r31>"].detail
    assert "ld.h -0x7fff[r0], r1 is taken for ld.h -0x8000[r0], r1" in loads
    longer = "ld.h 0x8000[r0], r1 is taken for an instruction of 6 bytes"
    assert (longer in loads) == (device == "rh850g3m")


@pytest.mark.parametrize("device", ["v850e1", "rh850g3m"])
def test_simulator(v850: Target, device: str, tool: Tool) -> None:
    tool("v850-elf-as")
    tool("v850-elf-step")
    results = list(simulator.check(v850, v850.devices[device]))
    assert len(results) == 27
    assert {(result.outcome, result.detail) for result in results} == {("ok", "clocks not counted")}


def test_a_core_that_the_simulator_does_not_know(v850: Target, tool: Tool) -> None:
    tool("v850-elf-as")
    tool("v850-elf-step")
    assert v850.simulator is not None
    known = {"v850": v850.simulator.arguments["v850"]}
    target = evolve(v850, simulator=evolve(v850.simulator, arguments=known))
    assert list(simulator.check(target, target.devices["v850e1"])) == [
        RowResult("simulator", "all rows", "skipped", "v850-elf-step does not know the core v850e1")
    ]

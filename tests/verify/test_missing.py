"""Levels without their tool: one result that is skipped, and says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from bitsel.target.facts import Target
from bitsel.target.load import load_target
from bitsel.verify import assembler, simulator
from bitsel.verify.result import RowResult

INSTALL = "is not installed: run 'make tools' in bitsel's source tree, or put it on the PATH"


@pytest.fixture(autouse=True)
def _no_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITSEL_TOOLS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))


def test_no_assembler(rl78: Target) -> None:
    skipped = RowResult("assembler", "all rows", "skipped", f"rl78-elf-as {INSTALL}")
    assert list(assembler.check(rl78, rl78.devices["s3"])) == [skipped]
    assert list(simulator.check(rl78, rl78.devices["s3"])) == [evolve(skipped, level="simulator")]


def test_no_simulator(rl78: Target, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rl78-elf-as").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "bin" / "rl78-elf-as").chmod(0o755)
    assert list(simulator.check(rl78, rl78.devices["s3"])) == [
        RowResult("simulator", "all rows", "skipped", f"rl78-elf-step {INSTALL}")
    ]


def test_tools_that_fail(rl78: Target, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("rl78-elf-as", "rl78-elf-step"):
        (tmp_path / "bin" / name).write_text("no program", encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    detail = f"{tmp_path}/bin/rl78-elf-as cannot be run: Exec format error"
    for level in (assembler, simulator):
        assert list(level.check(rl78, rl78.devices["s3"])) == [RowResult(level.LEVEL, "all rows", "failed", detail)]


def test_a_target_that_names_no_tools(root: Path) -> None:
    target = load_target(root / "tests" / "target" / "machines" / "msp430.toml")
    device = next(iter(target.devices.values()))
    assert list(assembler.check(target, device)) == [
        RowResult("assembler", "all rows", "skipped", "msp430 names no [assembler]")
    ]
    assert list(simulator.check(target, device)) == [
        RowResult("simulator", "all rows", "skipped", "msp430 names no [simulator] with an [assembler]")
    ]

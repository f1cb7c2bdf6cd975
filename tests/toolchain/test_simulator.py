"""Executing single instructions: the commands a simulator gets, and what is made of its answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bitsel.errors import ToolError
from bitsel.toolchain.simulator import After, Case, execute

Tool = Callable[[str], Path]
CASE = Case(bytes.fromhex("5107"), 0x9000, {1: 0x12}, {0xFFE20: 0x34, 0xFFE21: 0x56, 0xFFE30: 0x78})


def simulator(folder: Path, body: str) -> Path:
    path = folder / "some-step"
    path.write_text(f"#!{sys.executable}\nimport sys\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_commands_and_their_answers(tmp_path: Path) -> None:
    body = "open('seen', 'w').write(sys.stdin.read()); print('hello\\n=2\\n=9002\\nnoise\\n=7\\n=3456\\n=ff')"
    after = execute(simulator(tmp_path, f"import os; os.chdir({str(tmp_path)!r})\n{body}"), (), 35, [CASE])
    assert after == [After({1: 7}, {0xFFE20: 0x34, 0xFFE21: 0x56, 0xFFE30: 0xFF}, 0x9002, 2)]
    assert (tmp_path / "seen").read_text(encoding="utf-8").splitlines() == [
        "m ffe20 3456",
        "m ffe30 78",
        "c 9000 5107",
        "r 1 12",
        "r 23 9000",
        "s",
        "R 23",
        "R 1",
        "M ffe20 2",
        "M ffe30 1",
    ]


def test_a_simulator_that_counts_no_clocks(tmp_path: Path) -> None:
    after = execute(simulator(tmp_path, "print('=-\\n=9002\\n=7\\n=3456\\n=78')"), (), 35, [CASE])
    assert after[0].clocks is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("print('=2'); sys.exit('no such register')", "some-step failed: no such register"),
        ("print('=2'); sys.exit(4)", "some-step failed: exit code 4"),
        ("print('=two')", "some-step failed: exit code 0"),
        ("print('=2\\n=9002\\n=7\\n=34\\n=78')", "some-step failed"),
        ("print('=2\\n=9002\\n=7\\n=3456\\n=78\\n=0')", "some-step gave 1 more answers than it was asked for"),
    ],
)
def test_answers_that_are_missing_or_wrong(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        execute(simulator(tmp_path, body), (), 35, [CASE])


def test_what_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "some-step").write_text("no program", encoding="utf-8")
    (tmp_path / "some-step").chmod(0o755)
    with pytest.raises(ToolError, match="some-step cannot be run: Exec format error"):
        execute(tmp_path / "some-step", (), 35, [CASE])


def test_rl78(tool: Tool) -> None:
    after = execute(tool("rl78-elf-step"), (), 35, [CASE])
    assert after == [After({1: 7}, {0xFFE20: 0x34, 0xFFE21: 0x56, 0xFFE30: 0x78}, 0x9002, 1)]


def test_rl78_refuses_what_it_does_not_have(tool: Tool) -> None:
    with pytest.raises(ToolError, match="no such register"):
        execute(tool("rl78-elf-step"), (), 4000, [CASE])


def test_avr(tool: Tool) -> None:
    case = Case(bytes.fromhex("f29a"), 0, {16: 1, 32: 0x82}, {0x3E: 0x10})  # sbi 0x1e, 2
    after = execute(tool("simavr-step"), ("atmega328p",), 34, [case])
    assert after == [After({16: 1, 32: 0x82}, {0x3E: 0x14}, 2, 2)]

"""mspdebug as a simulator of single instructions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bitsel.errors import ToolError
from bitsel.toolchain.simulator import After, Case, execute

Tool = Callable[[str], Path]


@pytest.fixture(scope="module")
def step(root: Path, tool: Tool) -> Path:
    tool("mspdebug")
    return root / "scripts" / "mspdebug-step"


def test_two_instructions(step: Path) -> None:
    # bis.b #16, &0x200 is f2 d0 10 00 00 02, 5 clocks; and #15, r4 is 34 f0 0f 00, 2 clocks, and sets C (bit 0).
    cases = [
        Case(bytes.fromhex("f2d010000002"), 0xF000, {1: 0x0A00, 2: 0, 4: 0x1234}, {0x1FF: 0x77, 0x200: 0x81}),
        Case(bytes.fromhex("34f00f00"), 0xF000, {2: 0x0104, 4: 0x1234}, {}),
    ]
    assert execute(step, (), 0, cases) == [
        After({1: 0x0A00, 2: 0, 4: 0x1234}, {0x1FF: 0x77, 0x200: 0x91}, 0xF006, 5),
        After({2: 0x0001, 4: 4}, {}, 0xF004, 2),
    ]


def test_a_register_that_is_not_there(step: Path) -> None:
    with pytest.raises(ToolError, match="mspdebug-step failed"):
        execute(step, (), 0, [Case(b"", 0xF000, {99: 0}, {})])

"""Tools that misbehave."""

from __future__ import annotations

import sys

import pytest

from bitsel.errors import ToolError
from bitsel.toolchain import process


def test_a_tool_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_SECONDS", 0.2)
    with pytest.raises(ToolError, match=r"does not end within 0\.2 seconds"):
        process.run([sys.executable, "-c", "import time; time.sleep(60)"])


def test_a_tool_that_is_not_there_is_named() -> None:
    with pytest.raises(ToolError, match="/no/such/tool cannot be run: No such file or directory"):
        process.run(["/no/such/tool"])


def test_what_it_says_is_given_back() -> None:
    done = process.run([sys.executable, "-c", "print(input() + '!')"], text="hello\n")
    assert (done.returncode, done.stdout) == (0, "hello!\n")

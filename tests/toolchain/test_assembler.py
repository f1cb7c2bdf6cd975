"""Assembling in batches: the code of each line, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bitsel.errors import ToolError
from bitsel.toolchain.assembler import Rejected, assemble
from bitsel.toolchain.elf import Object

Tool = Callable[[str], Path]


def test_the_code_of_each_line(tool: Tool) -> None:
    lines = ["set1 0xfff01.3", "mov a, #7", "set1 !0xf0123.7", "bt a.0, $1f"]
    made = assemble(tool("rl78-elf-as"), (), lines)
    # The opcode map of R01US0015: SET1 sfr.b is 71 3A sfr (bit 3), MOV A, #byte 51, SET1 !addr16.b 71 70.
    assert made[:3] == [bytes.fromhex("713a01"), bytes.fromhex("5107"), bytes.fromhex("71702301")]
    assert isinstance(made[3], bytes)
    assert len(made[3]) == 3


def test_a_line_that_does_not_assemble_leaves_the_others_alone(tool: Tool) -> None:
    made = assemble(tool("rl78-elf-as"), (), ["mov a, #7", "set1 [de].3", "movw ax, 0xfff1f", "mov a, #8"])
    assert made == [
        bytes.fromhex("5107"),
        Rejected("syntax error"),
        Rejected("Expression not word-aligned"),
        bytes.fromhex("5108"),
    ]


def test_errors_that_show_only_when_others_are_gone(tool: Tool) -> None:
    # llvm-mc resolves symbols when it writes the object, which it does only if all lines could be read.
    lines = ["nonsense", ".byte nowhere - elsewhere", "bis.b #8, &0x21"]
    made = assemble(tool("llvm-mc-19"), ("-triple=msp430", "-filetype=obj"), lines)
    assert [isinstance(one, Rejected) for one in made] == [True, True, False]
    assert made[2] == bytes.fromhex("f2d22100")


def test_no_lines(tool: Tool) -> None:
    assert assemble(tool("rl78-elf-as"), (), []) == []


def test_another_failure_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken-as"
    broken.write_text("#!/bin/sh\necho 'out of luck' >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.raises(ToolError, match="broken-as failed: out of luck"):
        assemble(broken, (), ["nop"])


def test_a_silent_failure_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken-as"
    broken.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.raises(ToolError, match="broken-as failed: exit code 3"):
        assemble(broken, (), ["nop"])


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF", b"\x7fELF\x02\x01" + bytes(60), b"\x7fELF\x01\x01" + bytes(60)]
)
def test_what_is_no_object_is_an_error(content: bytes) -> None:
    with pytest.raises(ToolError, match="no ELF object"):
        Object.of(content)

"""Executing single instructions in a simulator.

A simulator is a program that reads commands from standard input, one a line, all numbers hexadecimal:

| command | does | prints |
|---|---|---|
| ``r NUMBER VALUE`` | sets the register of that number | |
| ``m ADDRESS BYTES`` | sets memory from there on, two digits a byte | |
| ``c ADDRESS BYTES`` | sets code, which need not be in memory | |
| ``s`` | executes one instruction | the clocks it took, or ``-`` if it counts none |
| ``R NUMBER`` | | the register |
| ``M ADDRESS COUNT`` | | so many bytes of memory, two digits each |

What it prints starts with ``=``; other lines of its output are skipped. ``scripts/gdb-sim-step.c`` makes such a
program of any of GDB's simulators, ``scripts/simavr-step.c`` of simavr.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from bitsel.errors import ToolError
from bitsel.toolchain.process import run


@frozen
class Case:
    """One instruction, `code` at `address`, and the state it starts from; registers by the simulator's numbers."""

    code: bytes
    address: int
    registers: Mapping[int, int]
    memory: Mapping[int, int]


@frozen
class After:
    """The state afterwards: the registers and bytes of memory that the case set, and where execution goes on.
    `clocks` None: the simulator counts none."""

    registers: Mapping[int, int]
    memory: Mapping[int, int]
    pc: int
    clocks: int | None


def execute(tool: Path, arguments: Sequence[str], pc: int, cases: Sequence[Case]) -> list[After]:
    """What becomes of each case; `pc` is the number of the program counter. Raises ToolError."""
    commands = "".join(f"{command}\n" for case in cases for command in _commands(case, pc))
    done = run([str(tool), *arguments], text=commands)
    answers = iter([line[1:] for line in done.stdout.splitlines() if line.startswith("=")])
    try:
        found = [_after(case, answers) for case in cases]
    except (StopIteration, ValueError) as error:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ToolError(f"{tool.name} failed: {said[-1]}") from error
    if (left := len(list(answers))) > 0:  # which answer is whose is not known then
        raise ToolError(f"{tool.name} gave {left} more answers than it was asked for")
    return found


def _commands(case: Case, pc: int) -> Iterator[str]:
    for start, content in _runs(case.memory):
        yield f"m {start:x} {content.hex()}"
    yield f"c {case.address:x} {case.code.hex()}"
    for number, value in case.registers.items():
        yield f"r {number:x} {value:x}"
    yield f"r {pc:x} {case.address:x}"
    yield "s"
    yield f"R {pc:x}"
    for number in case.registers:
        yield f"R {number:x}"
    for start, content in _runs(case.memory):
        yield f"M {start:x} {len(content):x}"


def _after(case: Case, answers: Iterator[str]) -> After:
    counted = next(answers)
    pc = int(next(answers), 16)
    registers = {number: int(next(answers), 16) for number in case.registers}
    memory: dict[int, int] = {}
    for start, content in _runs(case.memory):
        memory.update(zip(range(start, start + len(content)), bytes.fromhex(next(answers)), strict=True))
    return After(registers, memory, pc, None if counted == "-" else int(counted, 16))


def _runs(memory: Mapping[int, int]) -> list[tuple[int, bytes]]:
    """The bytes in runs of neighbouring addresses."""
    found: list[tuple[int, bytearray]] = []
    for address in sorted(memory):
        if found and found[-1][0] + len(found[-1][1]) == address:
            found[-1][1].append(memory[address])
        else:
            found.append((address, bytearray([memory[address]])))
    return [(start, bytes(content)) for start, content in found]

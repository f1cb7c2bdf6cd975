"""Every instruction form of MSP430, with the least and the greatest value of each operand, assembles to the bytes
that the table says. Needs llvm-mc (Debian: ``apt-get install llvm-19``)."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import bitsel_msp430
from bitsel.target.expand import forms
from bitsel.target.facts import Form, NumberOperand, Slot, Target
from bitsel.target.load import load_target

ASSEMBLER = shutil.which("llvm-mc-19") or shutil.which("llvm-mc")

pytestmark = pytest.mark.skipif(
    ASSEMBLER is None, reason="llvm-mc assembles MSP430's forms: apt-get install llvm-19"
)

_ENCODING = re.compile(r"encoding: \[([^\]]*)\]")


@pytest.fixture(scope="module")
def target() -> Target:
    return load_target(Path(bitsel_msp430.__file__).parent)


def values(form: Form, name: str) -> list[str]:
    """The boundary values of an operand, as text."""
    operand = form.operands[name]
    if not isinstance(operand, NumberOperand):
        return [operand.registers[0], operand.registers[-1]]
    runs = operand.number.ranges.runs
    numbers = dict.fromkeys(number for low, high, _ in runs for number in (low, high))
    return [*map(str, numbers), *(["sym", "sym+3"] if operand.number.symbol else [])]


def lines(form: Form) -> Iterator[str]:
    """The form as text: every operand at each of its boundaries, the others at theirs in turn."""
    choices = {name: values(form, name) for name in form.operands}
    longest = max(map(len, choices.values()))
    for turn in range(longest):
        filled = {name: found[turn % len(found)] for name, found in choices.items()}
        yield "".join(filled[p.name] if isinstance(p, Slot) else p for p in form.text)


def encoded(text: list[str]) -> list[int | None]:
    """The length in bytes of each line, None for one that is refused."""
    assert ASSEMBLER is not None
    found: list[int | None] = [None] * len(text)
    run = subprocess.run(
        [ASSEMBLER, "-triple=msp430", "-show-encoding"],
        input="".join(f"l{i}:\n{line}\n" for i, line in enumerate(text)),
        capture_output=True,
        text=True,
        check=False,
    )
    number = -1
    for line in run.stdout.splitlines():
        label = re.match(r"l(\d+):", line)
        number = int(label[1]) if label else number
        encoding = _ENCODING.search(line)
        if encoding:
            found[number] = len(encoding[1].split(","))
    return found


def test_every_form_assembles_to_its_bytes(target: Target) -> None:
    wanted = [(line, form) for form in forms(target, target.devices["msp430f1611"]) for line in lines(form)]
    lengths = encoded([line for line, _ in wanted])
    refused = {line for (line, _), length in zip(wanted, lengths, strict=True) if length is None}
    # LLVM's assembler has no form of these; the machine and GNU as do.
    assert all(re.search(r"@r\d+\+, (&|-?\d+\()", line) for line in refused), sorted(refused)[:5]
    wrong = [
        (line, length, form.bytes)
        for (line, form), length in zip(wanted, lengths, strict=True)
        if length is not None and length != form.bytes
    ]
    assert wrong == []
    assert len(wanted) - len(refused) > 1500


@pytest.mark.parametrize(
    ("line", "length"),
    [
        ("bic.b #8, &0x21", 4),
        ("and.b #-9, &0x21", 6),
        ("bis.b #4, &w+1", 4),
        ("bis #1024, &w", 6),
        ("bis.b #2, &0x0", 4),
        ("xor.b #-1, &w", 4),
        ("bis.b #128, -3(r12)", 6),
        ("bis.b #8, 0(sp)", 4),
        ("mov.b @r12, r13", 2),
        ("mov.b r13, 0(r12)", 4),
    ],
)
def test_what_is_selected_assembles_as_printed(line: str, length: int) -> None:
    assert encoded([line]) == [length]


def test_a_number_of_no_use_to_the_constant_generator_takes_a_word(target: Target) -> None:
    generated = target.numbers["cg"].ranges
    numbers = range(-10, 20)
    assert encoded([f"bis #{n}, r5" for n in numbers]) == [2 if n in generated else 4 for n in numbers]

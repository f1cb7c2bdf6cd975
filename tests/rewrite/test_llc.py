"""What llc 19 makes of rewritten IR: the chosen instruction, nothing dropped, at every optimisation level.

The code is looked at in the object file: a back end that cannot read an instruction of inline assembly may leave it
out without a word.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GLOBALS = """\
@flags = global i8 0
@w = global i16 0
@l = global i32 0
@array = global [10 x i8] zeroinitializer
@hidden = private global i8 0
"""

MSP430 = "msp430:msp430g2553"
ON_MSP430 = {  # name: (before it, access, logic, what the object has)
    "symbol": ("", "volatile i8, ptr @flags", "and i8 %v, -9", r"bic\.b #8, &0 <flags>"),
    "word": ("", "i16, ptr @w", "and i16 %v, -4097", r"bic\.b #16, &0 <w\+1>"),
    "inside": ("", "i16, ptr getelementptr (i8, ptr @array, i16 6)", "and i16 %v, -2", r"bic\.b #1, &0 <array\+6>"),
    "private": ("", "volatile i8, ptr @hidden", "and i8 %v, -9", r"bic\.b #8, &0 <\S+>"),
    "port": ("", "volatile i8, ptr inttoptr (i16 33 to ptr)", "and i8 %v, 127", r"bic\.b #128, &33"),
    "pointer": ("", "volatile i8, ptr %p", "and i8 %v, -9", r"bic\.b #8, 0\(r\d+\)"),
    "member": ("%q = getelementptr i8, ptr %p, i16 6", "i8, ptr %q", "and i8 %v, -9", r"bic\.b #8, 6\(r\d+\)"),
    "element": (
        "%q = getelementptr i8, ptr @array, i16 %i",
        "i8, ptr %q",
        "and i8 %v, -9",
        r"bic\.b #8, 0\(r\d+\)",
    ),
    "set_word": ("", "i16, ptr @w", "or i16 %v, 4096", r"bis\.b #16, &0 <w\+1>"),
    "set_long": ("", "i32, ptr @l", "or i32 %v, 4194304", r"bis\.b #64, &0 <l\+2>"),
    "toggle": ("", "volatile i8, ptr @flags", "xor i8 %v, 8", r"xor\.b #8, &0 <flags>"),
    "volatile_word": ("", "volatile i16, ptr @w", "or i16 %v, 4096", r"bis #4096, &0 <w>"),
}

AVR = "avr:atmega328p"
PORTB = "volatile i8, ptr inttoptr (i16 37 to ptr)"
ON_AVR = {
    "set": ("", PORTB, "or i8 %v, 4", "sbi 0x5, 0x2"),
    "clear": ("", PORTB, "and i8 %v, -5", "cbi 0x5, 0x2"),
    "both": ("", PORTB.replace("volatile ", ""), "or i8 %v, 5", "sbi 0x5, 0x2"),
    "word": ("", "i16, ptr @w", "or i16 %v, 4096", r"sts 0x0, r\d+ <w\+1>"),
}


def functions(cases: dict[str, tuple[str, str, str, str]], attributes: str) -> str:
    texts = []
    for name, (first, access, logic, _) in cases.items():
        type_, pointer = access.split(", ", 1)
        texts.append(
            f"define void @{name}(ptr %p, i16 %i) {attributes} {{\n  {first}\n  %v = load {access}\n"
            f"  %o = {logic}\n  store {type_} %o, {pointer}\n  ret void\n}}\n"
        )
    return "".join(texts)


Compile = Callable[..., dict[str, list[str]]]


@pytest.fixture
def compiled(tool: Callable[[str], Path], tmp_path: Path) -> Compile:
    """``compiled(text, option, ...)``: by function, the instructions in the object that llc makes of it."""

    def output(*command: str | Path) -> str:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def compiled(text: str, *options: str) -> dict[str, list[str]]:
        source, made = tmp_path / "x.ll", tmp_path / "x.o"
        source.write_text(text)
        output(tool("llc-19"), *options, "-filetype=obj", "-o", made, source)
        cpu = [f"-{option}" for option in options if option.startswith("-mcpu")]
        return _by_function(output(tool("llvm-objdump-19"), "-dr", "--no-show-raw-insn", *cpu, made))

    return compiled


def _by_function(listing: str) -> dict[str, list[str]]:
    """Instructions without addresses; what is relocated stands behind them, as in ``bic.b #8, &0 <w+1>``."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in listing.splitlines():
        if header := re.fullmatch(r"[0-9a-f]+ <(\w+)>:", line):
            lines = found[header[1]] = []
        elif relocation := re.match(r"\s+[0-9a-f]+:\s+R_\w+\s+(\S+)", line):
            lines[-1] += f" <{relocation[1].replace('+0x', '+')}>"
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+([^;]+)", line):
            lines.append(" ".join(instruction[1].split()))
    return found


@pytest.mark.parametrize("attributes", ["", "noinline optnone"])
@pytest.mark.parametrize(
    ("target", "cases", "options"),
    [(MSP430, ON_MSP430, ("-march=msp430",)), (AVR, ON_AVR, ("-march=avr", "-mcpu=atmega328p"))],
    ids=["msp430", "avr"],
)
def test_llc_makes_the_chosen_instruction(
    rewrite: Any,
    layout: Any,
    compiled: Compile,
    attributes: str,
    target: str,
    cases: dict[str, tuple[str, str, str, str]],
    options: tuple[str, ...],
) -> None:
    code = compiled(rewrite(layout(target) + GLOBALS + functions(cases, attributes), target).text, *options)
    for name, (*_, expected) in cases.items():
        assert any(re.fullmatch(expected, line) for line in code[name]), f"{name}: {code[name]}"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_an_atomic_update_is_one_instruction(rewrite: Any, layout: Any, compiled: Compile, level: str) -> None:
    """llc itself calls a library on MSP430, and disables interrupts on AVR."""
    text = "define void @f() {\n  atomicrmw or ptr inttoptr (i16 37 to ptr), i8 4 seq_cst\n  ret void\n}\n"
    avr = compiled(rewrite(layout(AVR) + text, AVR).text, level, "-march=avr", "-mcpu=atmega328p")
    assert avr == {"f": ["sbi 0x5, 0x2", "ret"]}
    msp430 = compiled(rewrite(layout(MSP430) + text, MSP430).text, level, "-march=msp430")
    assert msp430 == {"f": ["bis.b #4, &37", "ret"]}


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_values_left_for_their_numbers_are_no_code(
    rewrite: Any, layout: Any, compiled: Compile, level: str
) -> None:
    text = """\
@flags = global i8 0
define void @f() {
  %1 = load volatile i8, ptr @flags, align 1
  %2 = zext i8 %1 to i16
  %3 = and i16 %2, -9
  %4 = trunc i16 %3 to i8
  store volatile i8 %4, ptr @flags, align 1
  ret void
}
"""
    code = compiled(rewrite(layout(MSP430) + text, MSP430).text, level, "-march=msp430")
    assert code == {"f": ["bic.b #8, &0 <flags>", "ret"]}

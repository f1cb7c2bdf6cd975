"""`bitsel audit`: which volatile updates it lists, what it says of them, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bitsel.emit.audit import schema
from bitsel.emit.json import schema as selection_schema

HEAD = """\
target datalayout = "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
@flags = global i8 0
@plain = global i8 0
@word = global i16 0
"""
MSP430, AVR, RL78 = "--target=msp430:msp430g2553", "--target=avr:atmega328p", "--target=rl78:r7f100g"


def function(name: str, place: str, logic: str, volatile: str = "volatile ", width: int = 8) -> str:
    return (
        f"define void @{name}() {{\n"
        f"  %v = load {volatile}i{width}, {place}\n  %o = {logic}\n  store {volatile}i{width} %o, {place}\n"
        "  ret void\n}\n"
    )


SET = function("set", "ptr @flags", "or i8 %v, 8")
CLEAR = function("clear", "ptr @flags", "and i8 %v, -9")
PLAIN = function("plain", "ptr @plain", "or i8 %v, 8", "")
WORD = function("word", "ptr @word", "or i16 %v, 8", width=16)
TWO_BITS = function("two_bits", "ptr @flags", "or i8 %v, 9")
ATOMIC = "define void @atomic() {\n  atomicrmw volatile or ptr @flags, i8 8 monotonic\n  ret void\n}\n"
SLOT = (
    "define void @slot() {\n  %s = alloca i8\n  %v = load volatile i8, ptr %s\n  %o = and i8 %v, -9\n"
    "  store volatile i8 %o, ptr %s\n  ret void\n}\n"
)


@pytest.fixture
def audited(run: Any, tmp_path: Path) -> Any:
    """``audited(text, target)``: per function, status, detail and fix."""

    def audited(text: str, target: str) -> dict[str, tuple[str, str, str | None]]:
        (tmp_path / "x.ll").write_text(HEAD + text)
        done = run("audit", tmp_path / "x.ll", target, "--format=json")
        assert done.code == 0
        document = json.loads(done.out)
        jsonschema.validate(document, schema())
        return {site["function"]: (site["status"], site["detail"], site["fix"]) for site in document["sites"]}

    return audited


def test_what_the_compiler_makes_one_instruction_of_by_itself_is_safe(audited: Any) -> None:
    assert audited(SET, MSP430) == {"set": ("single", "bis.b #8, &flags", None)}


def test_what_only_inline_assembly_makes_one_instruction_is_fixable(audited: Any) -> None:
    assert audited(CLEAR, MSP430) == {"clear": ("fixable", "bic.b #8, &flags", None)}


def test_so_is_what_the_compiler_would_not_optimise(audited: Any) -> None:
    assert audited(SET.replace("() {", "() optnone {"), MSP430) == {"set": ("fixable", "bis.b #8, &flags", None)}


def test_what_no_instruction_makes_is_torn_with_a_fix(audited: Any) -> None:
    found = audited(SET + WORD, AVR)
    assert found["set"][0] == "torn"
    assert found["set"][2] == "disable interrupts around it"
    assert found["word"][0] == "torn"
    assert found["word"][2] == "make the flag a volatile object of one byte"


def test_the_fix_of_the_selector_comes_first(audited: Any) -> None:
    toggle = function("toggle", "ptr @flags", "xor i8 %v, 8")
    assert audited(toggle, RL78)["toggle"][2] == "place flags in 0xffe20..0xfff1f: xor _flags, #8"


def test_several_bits(audited: Any) -> None:
    status, _, fix = audited(TWO_BITS, RL78)["two_bits"]
    assert status == "torn"
    assert fix == "change one bit at a time, if it need not be all at once, or disable interrupts around it"


def test_what_has_a_form_that_cannot_be_written_is_torn(audited: Any) -> None:
    assert audited(SLOT, MSP430)["slot"] == (
        "torn",
        "bic.b #8, 0(sp) would do, but where a stack slot lies is only known to the compiler",
        "disable interrupts around it",
    )


def test_neither_plain_memory_nor_atomic_updates_are_listed(audited: Any) -> None:
    assert audited(PLAIN + ATOMIC, MSP430) == {}


def test_one_volatile_access_is_enough(audited: Any) -> None:
    assert list(audited(CLEAR.replace("store volatile", "store"), MSP430)) == ["clear"]


def test_a_rewritten_input_has_nothing_left_to_fix(run: Any, tmp_path: Path) -> None:
    old, new = tmp_path / "x.ll", tmp_path / "y.ll"
    old.write_text(HEAD + SET + CLEAR)
    assert run("audit", old, MSP430, "--fail-on=interruptible").code == 1
    assert run("rewrite", old, "-o", new, MSP430).code == 0
    done = run("audit", new, MSP430, "--fail-on=interruptible")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "1 volatile update for msp430:msp430g2553:"
        " 1 one instruction, 0 can be one by bitsel rewrite, 0 can be torn\n"
    )


def test_several_files_are_one_table(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ll").write_text(HEAD + CLEAR)
    Path("b.ll").write_text(HEAD + WORD)
    done = run("audit", "a.ll", "b.ll", RL78)
    lines = done.out.splitlines()
    assert lines[0].split() == ["site", "update", "interrupt", "instructions,", "or", "reason"]
    assert lines[2].startswith("a.ll:8 clear:0:0")
    assert "can be one" in lines[2]
    assert lines[2].endswith("clr1 !_flags.3")
    assert lines[3].startswith("b.ll:8 word:0:0")
    assert "can be torn" in lines[3]
    assert lines[4].strip() == "fix: make the flag a volatile object of one byte"
    assert lines[6] == (
        "2 volatile updates for rl78:r7f100g: 0 one instruction, 1 can be one by bitsel rewrite, 1 can be torn"
    )


def test_an_input_that_cannot_be_read_does_not_stop_the_others(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.ll").write_text("hello\n")
    Path("b.ll").write_text(HEAD + CLEAR)
    done = run("audit", "a.ll", "c.ll", "b.ll", MSP430, "--format=json")
    assert done.code == 1
    assert done.err.splitlines() == [
        "bitsel: error: a.ll:1: expected LLVM IR: no module-level entity found",
        "bitsel: error: c.ll: cannot be read: No such file or directory",
    ]
    document = json.loads(done.out)
    jsonschema.validate(document, schema())
    assert document["summary"] == {"volatile": 1, "single": 0, "fixable": 1, "torn": 0}
    assert [bool(each["error"]) for each in document["inputs"]] == [True, True, False]


def test_of_assembly_every_update_counts(run: Any, tmp_path: Path) -> None:
    """It does not say what is volatile; what is one instruction is safe."""
    file = tmp_path / "x.s"
    file.write_text(
        "\t.text\nf:\n\tin r24,0x5\n\tori r24,4\n\tout 0x5,r24\n\tsbi 0x5,1\n"
        "\tlds r24,flags\n\tori r24,4\n\tsts flags,r24\n\tret\n"
    )
    document = json.loads(run("audit", file, AVR, "--format=json").out)
    jsonschema.validate(document, schema())
    assert [site["status"] for site in document["sites"]] == ["fixable", "single", "torn"]


def test_a_module_for_another_machine_is_warned_of(run: Any, tmp_path: Path) -> None:
    (tmp_path / "x.ll").write_text((HEAD + CLEAR).replace("p:16:16", "p:32:32"))
    done = run("audit", tmp_path / "x.ll", MSP430)
    assert done.code == 0
    assert "bitsel: warning: " in done.err
    assert "its data layout has 32-bit pointers" in done.err


def test_the_schema_is_that_of_select_and_more() -> None:
    ours, theirs = schema()["$defs"], selection_schema()["$defs"]
    jsonschema.Draft202012Validator.check_schema(schema())
    for name in ("idiom", "address", "reason", "code", "sequence"):
        assert ours[name] == theirs[name]
    assert ours["site"]["properties"].items() >= theirs["site"]["properties"].items()

"""`bitsel rewrite`: where things are written, what is said, and exit codes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bitsel.emit.json import schema as selection_schema
from bitsel.emit.rewriting import schema
from bitsel.rewrite.llvm import checking

TEXT = """\
@flags = global i8 0
define void @f() {
entry:
  %v = load volatile i8, ptr @flags
  %o = or i8 %v, 16
  store volatile i8 %o, ptr @flags
  ret void
}
"""
REWRITTEN = """\
@flags = global i8 0
define void @f() {
entry:
  call void asm sideeffect "set1 !$0.4", "i,~{memory}"(ptr @flags)
  ret void
}
"""
DIFF = """\
--- x.ll
+++ x.ll
@@ -1,8 +1,6 @@
 @flags = global i8 0
 define void @f() {
 entry:
-  %v = load volatile i8, ptr @flags
-  %o = or i8 %v, 16
-  store volatile i8 %o, ptr @flags
+  call void asm sideeffect "set1 !$0.4", "i,~{memory}"(ptr @flags)
   ret void
 }
"""
TARGET = "--target=rl78:r7f100g"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.ll").write_text(TEXT)
    return Path("x.ll")


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_to_another_file(run: Any, file: Path) -> None:
    done = run("rewrite", file, "-o", "y.ll", TARGET)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert Path("y.ll").read_text() == REWRITTEN
    assert file.read_text() == TEXT


def test_in_place(run: Any, file: Path) -> None:
    assert run("rewrite", file, "-o", file, TARGET).code == 0
    assert file.read_text() == REWRITTEN


def test_from_and_to_pipes(file: Path) -> None:
    command = [sys.executable, "-m", "bitsel", "rewrite", "-", "-o", "-", TARGET]
    done = subprocess.run(command, input=TEXT.replace("\n", "\r\n").encode(), capture_output=True, check=True)
    assert done.stdout == REWRITTEN.replace("\n", "\r\n").encode()


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_dry_run_prints_a_patch(file: Path, end: str) -> None:
    file.write_text(TEXT.rstrip("\n") + end)
    command = [sys.executable, "-m", "bitsel", "rewrite", "x.ll", "--dry-run", TARGET]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == DIFF + ("" if end else "\\ No newline at end of file\n")
    assert file.read_text() == TEXT.rstrip("\n") + end


def test_only_and_except(run: Any, file: Path) -> None:
    for options in (["--only", "g:*"], ["--except", "f:entry:0"], ["--only", "f:*", "--except", "*:0"]):
        assert run("rewrite", file, "-o", "y.ll", TARGET, *options).code == 0
        assert Path("y.ll").read_text() == TEXT


def test_the_report(run: Any, file: Path) -> None:
    assert run("rewrite", file, "-o", "y.ll", TARGET, "--report", "r.json").code == 0
    document = json.loads(Path("r.json").read_text())
    jsonschema.validate(document, schema())
    [site] = document["sites"]
    assert (site["id"], site["rewritten"], site["line"], site["line_after"]) == ("f:entry:0", True, 6, 4)
    assert site["before"] == [
        "%v = load volatile i8, ptr @flags",
        "%o = or i8 %v, 16",
        "store volatile i8 %o, ptr @flags",
    ]
    assert site["after"] == ['call void asm sideeffect "set1 !$0.4", "i,~{memory}"(ptr @flags)']
    assert document["input"] == {
        "path": "x.ll",
        "output": "y.ll",
        "functions": 1,
        "sites": 1,
        "selected": 1,
        "rewritten": 1,
    }
    assert document["summary"]["rewritten"] == 1


def test_the_report_says_why_a_selected_site_was_kept(run: Any, file: Path) -> None:
    done = run("rewrite", file, "-o", "y.ll", TARGET, "--except", "*", "--report", "-")
    document = json.loads(done.out)
    jsonschema.validate(document, schema())
    assert document["sites"][0]["kept"] == "it is not among the sites to rewrite"
    assert document["summary"]["kept"] == {"it is not among the sites to rewrite": 1}


@pytest.mark.parametrize("taken", ["input", "output"])
def test_a_report_takes_nobodys_place(run: Any, file: Path, taken: str) -> None:
    before = Path(file).read_bytes()
    done = run("rewrite", file, "-o", "y.ll", TARGET, "--report", file if taken == "input" else "./y.ll")
    assert (done.code, done.out) == (2, "")
    assert "the report would take the place of the input or the output" in done.err
    assert Path(file).read_bytes() == before
    assert not Path("y.ll").exists()


def test_the_schema_is_that_of_select_and_more() -> None:
    """What both say, both say alike."""
    ours, theirs = schema()["$defs"], selection_schema()["$defs"]
    jsonschema.Draft202012Validator.check_schema(schema())
    for name in ("idiom", "address", "reason", "code", "sequence"):
        assert ours[name] == theirs[name]
    assert ours["site"]["properties"].items() >= theirs["site"]["properties"].items()


def test_what_cannot_be_written_is_one_line(run: Any, file: Path) -> None:
    done = run("rewrite", file, "-o", "nowhere/y.ll", TARGET)
    assert (done.code, done.out) == (1, "")
    assert done.err == "bitsel: error: nowhere/y.ll: cannot be written: No such file or directory\n"


def test_a_full_disk_leaves_everything_as_it_was(run: Any, file: Path) -> None:
    done = run("rewrite", file, "-o", "/dev/full", TARGET)
    assert done.code == 1
    assert done.err == "bitsel: error: /dev/full: cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x7fELF\0\0", "x.ll:1: expected LLVM IR text or bitcode, found binary data"),
        (TEXT.encode().replace(b"%o", b"%\0"), "x.ll:5: expected LLVM IR text or bitcode, found binary data"),
        (b"BC\xc0\xde", "x.ll: is bitcode: text is what is rewritten; run llvm-dis on it first"),
        (TEXT.encode()[:-2], "x.ll:2: @f begins here and does not end"),
        (b"hello\n", "x.ll:1: expected LLVM IR: no module-level entity found"),
        (
            b'target datalayout = "e-p:32:32"\n' + TEXT.encode(),
            "x.ll: its data layout has 32-bit pointers, and those of rl78 have 16 bits",
        ),
        (b'target datalayout = "E-p:16:16"\n', "x.ll: its data layout is big-endian, but rl78 is little-endian"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(run: Any, file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    done = run("rewrite", file, "-o", file, TARGET)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"bitsel: error: {message}")
    assert done.err.count("\n") == 1
    assert file.read_bytes() == content


def test_a_missing_input(run: Any, file: Path) -> None:
    done = run("rewrite", "z.ll", "-o", "y.ll", TARGET)
    assert (done.code, done.err) == (1, "bitsel: error: z.ll: cannot be read: No such file or directory\n")
    assert not Path("y.ll").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing says where to write; -o OUT, or --dry-run"),
        (("-o", "y.ll", "--dry-run"), "-o and --dry-run exclude each other"),
        (("-o", "y.ll", "--format", "sarif"), "--format is that of the report; --report FILE"),
        (("-o", "-", "--report", "-"), "two things cannot go to standard output; --report FILE"),
        (("-o", "y.ll", "--narrow"), "--narrow is for assembly, not for LLVM IR"),
        (("-o", "y.ll", "--ram", "flags"), "--ram is for assembly, not for LLVM IR"),
        (("-o", "y.ll", "--ram", "9..1"), "'9..1' ends before it begins"),
        (("-o", "y.ll", "--abi", "none"), "--abi is for assembly, not for LLVM IR"),
    ],
)
def test_wrong_usage(run: Any, file: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run("rewrite", file, TARGET, *arguments)
    assert (done.code, done.err) == (2, f"bitsel: error: {message}\n")
    assert list(Path().iterdir()) == [file]


def test_what_llvm_refuses_is_not_written(run: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "fault", lambda old, new: "expected type")
    done = run("rewrite", file, "-o", file, TARGET)
    assert done.code == 1
    assert "a defect in bitsel" in done.err
    assert done.err.endswith("LLVM refuses the result: expected type\n")
    assert file.read_text() == TEXT


def test_llvm_checks_what_is_new() -> None:
    pytest.importorskip("llvmlite", reason="no llvmlite: pip install 'bitsel[llvm]'")
    good = b"define void @f() {\n  ret void\n}\n"
    bad = good.replace(b"ret void", b"ret i8 0")
    assert checking.fault(good, good + b"\n") is None
    assert checking.fault(good, bad) is not None
    assert checking.fault(bad, bad + b"\n") is None  # it could not be read before either


ASSEMBLY = """\
\t.text
f:
\tin r18,0x5
\tori r18,lo8(4)
\tout 0x5,r18
\tldi r18,0
\tret
"""


def test_assembly(run: Any, file: Path) -> None:
    file = file.with_suffix(".s")
    file.write_text(ASSEMBLY)
    avr = "--target=avr:atmega328p"
    assert run("rewrite", file, "-o", "y.s", avr, "--report", "r.json").code == 0
    assert Path("y.s").read_text() == "\t.text\nf:\n\tsbi 0x05, 2\n\tldi r18,0\n\tret\n"
    document = json.loads(Path("r.json").read_text())
    jsonschema.validate(document, schema())
    assert document["sites"][0]["before"] == ["in r18,0x5", "ori r18,lo8(4)", "out 0x5,r18"]
    assert run("rewrite", file, "-o", "y.s", avr, "--except", "*", "--report", "r.json").code == 0
    assert Path("y.s").read_text() == ASSEMBLY
    assert json.loads(Path("r.json").read_text())["sites"][0]["kept"] == "it is not among the sites to rewrite"

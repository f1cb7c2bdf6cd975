"""The command line: outputs, exit codes, and manners in a shell."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bitsel
from bitsel.emit.json import schema

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
TARGET = "--target=rl78:r7f100g"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.ll"
    path.write_text(TEXT)
    return path


def document(text: str) -> Any:
    loaded = json.loads(text)
    jsonschema.validate(loaded, schema())
    return loaded


def bitsel_process(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bitsel", *map(str, arguments)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def test_version(run: Any) -> None:
    assert run("--version").out == f"bitsel {bitsel.__version__}\n"


def test_version_imports_nothing_heavy() -> None:
    script = (
        "import sys, contextlib\nfrom bitsel.cli import main\n"
        "with contextlib.suppress(SystemExit): main(['--version'])\n"
        "print(*{'attrs', 'pluggy', 'rich', 'networkx', 'tomli', 'importlib.metadata'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"bitsel {bitsel.__version__}", ""]


def test_select_prints_a_table(run: Any, file: Path) -> None:
    done = run("select", file, TARGET)
    assert (done.code, done.err) == (0, "")
    assert "set bit 4 of volatile i8 flags" in done.out
    assert "set1 !_flags.4" in done.out


def test_select_writes_json(run: Any, file: Path) -> None:
    done = run("select", file, TARGET, "--format", "json", "--objective", "speed", "--policy", "vendor")
    assert (done.code, done.err) == (0, "")
    found = document(done.out)
    assert (found["target"], found["objective"]) == ({"name": "rl78", "device": "r7f100g"}, "speed")
    assert found["policy"] == "vendor"
    [site] = found["sites"]
    assert (site["id"], site["input"], site["line"]) == ("f:entry:0", str(file), 6)
    assert site["chosen"]["asm"] == ["set1 !_flags.4"]


@pytest.mark.parametrize("level", ["O0", "Os", "O2"])
@pytest.mark.parametrize("name", ["sha256", "g23_driver"])
def test_every_example_obeys_the_schema(name: str, level: str, run: Any, root: Path) -> None:
    done = run("select", root / f"examples/{name}.{level}.ll", TARGET, "--format=json")
    assert (done.code, done.err) == (0, "")
    found = document(done.out)
    assert found["summary"]["sites"] == len(found["sites"]) > 0
    assert found["summary"]["selected"] == sum(site["verdict"] == "selected" for site in found["sites"]) > 0


def test_standard_input_is_a_dash(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    found = document(run("select", "-", TARGET, "--format=json").out)
    assert [given["path"] for given in found["inputs"]] == ["<stdin>"]
    assert found["sites"][0]["input"] == "<stdin>"


def test_an_unreadable_input_does_not_stop_the_others(run: Any, file: Path, tmp_path: Path) -> None:
    done = run("select", tmp_path / "missing.ll", file, tmp_path, TARGET, "--format=json")
    assert done.code == 1
    found = document(done.out)
    assert [given["error"] is None for given in found["inputs"]] == [False, True, False]
    assert len(found["sites"]) == 1
    assert done.err.splitlines() == [
        f"bitsel: error: {tmp_path / 'missing.ll'}: cannot be read: No such file or directory",
        f"bitsel: error: {tmp_path}: cannot be read: Is a directory",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "required"),
        (("select", "x.ll"), "--target"),
        (("select", "--target=rl78:r7f100g"), "INPUT"),
        (("select", "x.ll", "--targ=rl78:r7f100g"), "--target"),
        (("select", "x.ll", TARGET, "--objective=fun"), "'size', 'speed'"),
        (("select", "x.ll", TARGET, "--form=json"), "--form"),
        (("select", "x.ll", TARGET, TARGET), "argument --target: given twice"),
        (("select", "x.ll", TARGET, "--objective=size", "--objective=speed"), "argument --objective: given twice"),
        (("select", "x.ll", "--target=RL78:r7f100g"), "did you mean 'rl78'?"),
        (("select", "x.ll", "--target=rl78:R7F100G"), "did you mean 'r7f100g'?"),
        (("select", "x.ll", "--target=rl87"), "rl78); did you mean 'rl78'?"),
        (("select", "x.ll", "--target=rl78:r7f100"), "did you mean 'r7f100g'?"),
        (("select", "x.ll", "--target=rl78"), "r7f100g"),
        (("select", "x.ll", TARGET, "--plugin=missing"), "missing: no such file; a target is a folder"),
        (("target",), "required"),
        (("target", "show", "rl87"), "did you mean 'rl78'?"),
        (("selekt",), "selekt"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str, run: Any) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err.replace("choose from size, speed", "choose from 'size', 'speed'")


def test_a_diagnostic_is_one_line_whatever_the_file_is_called(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "two\nlines\x1b[31m.ll"
    assert run("select", path, TARGET).err == (
        f"bitsel: error: {tmp_path}/two\\nlines\\x1b[31m.ll: cannot be read: No such file or directory\n"
    )


def test_target_list(run: Any) -> None:
    done = run("target", "list")
    assert done.code == 0
    [line] = [line for line in done.out.splitlines() if line.startswith("rl78 ")]
    assert f"bitsel {bitsel.__version__}" in line
    assert "r7f100g" in line


def test_target_list_says_what_is_broken_and_goes_on(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "aaa-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aaa\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[bitsel.targets]\naaa = no_such_module_aaa\n")
    monkeypatch.syspath_prepend(tmp_path)
    done = run("target", "list")
    assert done.code == 0
    first, *others = done.out.splitlines()
    assert first.startswith("aaa ")
    assert "broken: plugin 'aaa' of aaa 1.0 cannot be imported" in first
    assert {"avr", "msp430", "rl78"} <= {line.split()[0] for line in others}


def test_target_show(run: Any) -> None:
    for name in ("rl78", "rl78:r7f100g"):
        done = run("target", "show", name)
        assert (done.code, done.err) == (0, "")
        assert "set1" in done.out


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    many = tmp_path / "many.ll"
    many.write_text(TEXT + "".join(TEXT[21:].replace("@f()", f"@f{number}()") for number in range(3000)))
    process = bitsel_process("select", many, TARGET, "--format=json")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(60) == 141


def test_an_interrupt_is_no_traceback(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    done = run("select", "-", TARGET)
    assert (done.code, done.err) == (130, "")


def test_names_that_the_terminal_cannot_show_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "x.ll"
    path.write_text(TEXT.replace("@f()", '@"naïve"()'), encoding="utf-8")
    process = bitsel_process("select", path, TARGET, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "na\\xefve" in out


def test_results_that_cannot_be_written_are_no_traceback(tmp_path: Path) -> None:
    source = tmp_path / "x.ll"
    source.write_text("define void @f() {\n  ret void\n}\n")
    command = f"{sys.executable} -m bitsel select {source} --target rl78:r7f100g"
    for redirection, message in ((">/dev/full", "the results cannot be written"), (">&-", "output is closed")):
        done = subprocess.run(
            ["sh", "-c", f"exec {command} {redirection}"], stderr=subprocess.PIPE, text=True, timeout=60
        )
        assert done.returncode == 1
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_c_is_no_input_but_can_become_one(run: Any, tmp_path: Path) -> None:
    source = tmp_path / "led.c"
    source.write_text("int main(void) { return 0; }\n")
    done = run("select", source, TARGET)
    assert done.code == 1
    assert done.err == (
        f"bitsel: error: {source}:1: expected LLVM IR: no module-level entity found; compile it first:"
        f" clang --target=msp430 -O2 -S -emit-llvm -o {tmp_path}/led.ll {source}\n"
    )


@pytest.mark.parametrize(
    ("layout", "warned"),
    [
        ('target datalayout = "e-m:e-p270:32:32-i64:64-n8:16:32:64-S128"\n', True),  # x86: pointers of 64 bits
        ('target datalayout = "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"\n', False),  # MSP430
        ("", False),
    ],
)
def test_a_module_of_a_machine_with_wider_pointers_is_warned_of(
    run: Any, file: Path, layout: str, warned: bool
) -> None:
    file.write_text(layout + TEXT)
    warning = (
        f"bitsel: warning: {file}: its data layout has 64-bit pointers, and those of rl78 have 16 bits:"
        " it was compiled for another machine\n"
    )
    for arguments in (("select", file, TARGET), ("compare", file, "--targets=rl78:r7f100g,rl78:s3")):
        done = run(*arguments)
        assert (done.code, done.err) == (0, warning if warned else "")


def test_a_reason_names_the_source_line_of_what_is_at_fault(run: Any, file: Path) -> None:
    file.write_text(
        """\
@flags = global i8 0
define i8 @f() !dbg !3 {
  %v = load i8, ptr @flags, !dbg !4
  %o = or i8 %v, 16, !dbg !4
  store i8 %o, ptr @flags, !dbg !4
  ret i8 %o, !dbg !5
}
!2 = !DIFile(filename: "led.c", directory: "/src")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 6)
!4 = !DILocation(line: 7, column: 3, scope: !3)
!5 = !DILocation(line: 9, column: 3, scope: !3)
"""
    )
    (site,) = document(run("select", file, TARGET, "--format=json").out)["sites"]
    assert site["reason"]["detail"] == "%o is also used by ret at line 6 (led.c:9)"
    compared = run("compare", file, "--targets=rl78:r7f100g,rl78:s3", "--format=json").out
    assert "%o is also used by ret at line 6 (led.c:9)" in compared


def test_a_table_that_is_not_there(run: Any, tmp_path: Path) -> None:
    done = run("target", "check", tmp_path / "toy.toml")
    assert done.code == 1
    assert f"facts {tmp_path / 'toy.toml'} failed no such file; a target is" in " ".join(done.out.split())


def test_facts_of_one_device_name_no_other(run: Any) -> None:
    shown = run("target", "show", "avr:atmega328p").out
    assert "atmega328p" in shown
    assert "atmega2560" not in shown
    assert "atmega2560" in run("target", "show", "avr").out

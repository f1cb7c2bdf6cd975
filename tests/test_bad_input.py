"""Bad input: one clear line, the right exit code, the other inputs still done, and never a traceback or a hang."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitsel.api import Selector
from bitsel.cli import main
from bitsel.emit.json import schema
from bitsel.report import InputReport

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.ll"))]
TARGET = "--target=rl78:r7f100g"
GOOD = """\
@flags = global i8 0
define void @f() {
  %v = load volatile i8, ptr @flags
  %o = or i8 %v, 16
  store volatile i8 %o, ptr @flags
  ret void
}
"""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.ll"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.ll", b"", "empty.ll"),
        ("blank.ll", b"\n\n", "blank.ll"),
        ("garbage.ll", bytes(range(256)) * 20, "garbage.ll"),
        ("picture.ll", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "picture.ll"),
        ("prose.ll", b"Dear Sir or Madam,\nI write to you\n", "prose.ll"),
        ("cut.ll", GOOD[: GOOD.index("  ret void")].encode(), "cut.ll:2"),
        ("short.bc", b"BC\xc0\xde\x35\x14", "short.bc"),
        ("big.ll", f'target datalayout = "E-p:16:16"\n{GOOD}'.encode(), "big.ll"),
    ],
)
def test_a_file_that_is_no_module(
    name: str, content: bytes, said: str, run: Any, good: Path, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    done = run("select", path, good, TARGET)
    assert done.code == 1
    [line] = done.err.splitlines()
    assert line.startswith(f"bitsel: error: {tmp_path / said}")
    assert "set1 !_flags.4" in done.out


def test_bitcode_without_its_extra_says_what_to_install(
    run: Any, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.bc"
    path.write_bytes(b"BC\xc0\xde" + bytes(64))
    for module in ("llvmlite", "llvmlite.binding"):
        monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    done = run("select", path, good, TARGET)
    assert done.code == 1
    [line] = done.err.splitlines()
    assert "x.bc" in line
    assert "bitsel[llvm]" in line
    assert "set1 !_flags.4" in done.out


Damage = Callable[[str], str]


def replaced(old: str, new: str) -> Damage:
    def damage(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return damage


TOY = """\
[target]
name    = "toy"
endian  = "little"
address = 16
cores   = ["one"]

[registers]
a = 8

[number]
addr = { in = "0..0xffff", symbol = "whole" }
bit  = "0..7"
[part]
whole = { is = "A", text = "{}" }
[mode.mem]
abs = { text = "{a:addr}", is = "m[a]", bytes = 2 }

[[insn]]
ops    = { bset = "v |= 1 << bit", bclr = "v &= ~(1 << bit)" }
text   = "{op} {v:mem}, {bit:bit}"
bytes  = 2
cycles = 2
bit    = true

[device.t1]
core = "one"
memory = [{ in = "0x100..0x1ff", widths = [] }]
"""


@pytest.mark.parametrize(
    ("damage", "line", "said"),
    [
        (replaced('"little"', "little"), 3, ""),
        (replaced("bytes  = 2", "byte  = 2"), 21, "did you mean 'bytes'?"),
        (replaced("[registers]", "[register]"), 7, "did you mean 'registers'?"),
        (replaced("cycles = 2", 'cycles = "2"'), 22, "cycles"),
        (replaced('"little"', '"middle"'), 3, "endian"),
        (replaced("{bit:bit}", "{bit:bits}"), 20, "did you mean 'bit'?"),
        (replaced("0..7", "7..0"), 12, ""),
        (replaced("0x100..0x1ff", "0x1ff..0x100"), 27, ""),
        (replaced("widths = [] }", 'widths = [] }, { in = "0x180..0x300", widths = [8] }'), 27, "overlap"),
        (replaced('core = "one"', 'core = "two"'), 26, "one"),
    ],
)
def test_a_table_with_a_mistake_names_file_and_line(
    damage: Damage, line: int, said: str, run: Any, good: Path, tmp_path: Path
) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(damage(TOY))
    done = run("select", good, "--target=toy", "--plugin", path)
    assert (done.code, done.out) == (2, "")
    [error] = done.err.splitlines()
    assert error.startswith(f"bitsel: error: {path}:{line}:")
    assert said in error


def test_the_table_without_a_mistake_works(run: Any, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(TOY)
    assert run("target", "show", "toy", "--plugin", path).code == 0


def test_a_broken_table_is_no_matter_to_other_targets(run: Any, good: Path) -> None:
    assert run("select", good, TARGET).code == 0


@pytest.fixture(scope="module")
def selector() -> Any:
    with Selector("rl78:r7f100g") as selector:
        yield selector


def damaged(text: bytes, seed: int, steps: int) -> bytes:
    """Lines deleted, doubled, swapped or cut, and bytes changed or removed, as `seed` says."""
    chance = random.Random(seed)
    lines = text.split(b"\n")
    for _ in range(steps):
        i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(7):
            case 0:
                del lines[i : i + chance.randrange(1, 4)]
            case 1:
                lines[i], lines[j] = lines[j], lines[i]
            case 2:
                lines[i] = lines[i][: chance.randrange(len(lines[i]) + 1)]
            case 3:
                lines.insert(i, lines[j])
            case 4:
                at = chance.randrange(len(lines[i]) + 1)
                lines[i] = lines[i][:at] + bytes([chance.randrange(256)]) + lines[i][at + 1 :]
            case 5:
                words, others = lines[i].split(b" "), lines[j].split(b" ")
                words[chance.randrange(len(words))] = others[chance.randrange(len(others))]
                lines[i] = b" ".join(words)
            case 6:
                del lines[max(1, i) :]
        lines = lines or [b""]
    return b"\n".join(lines)


def excerpt(text: bytes, seed: int) -> bytes:
    """Some functions of a module and all that is not a function, to keep a single trial short."""
    head, *functions = text.split(b"\ndefine ")
    chosen = random.Random(seed).sample(functions, min(3, len(functions)))
    return b"\ndefine ".join([head, *chosen])


@settings(max_examples=200, deadline=30_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(example=st.sampled_from(EXAMPLES), seed=st.integers(0, 2**32), steps=st.integers(1, 12))
def test_damaged_modules_are_read_or_refused(selector: Selector, example: bytes, seed: int, steps: int) -> None:
    data = damaged(excerpt(example, seed), seed, steps)
    *sites, done = selector.run(data, name="damaged.ll")
    assert isinstance(done, InputReport)
    assert done.sites == len(sites)
    assert done.error is None or (done.error.startswith("damaged.ll") and "\n" not in done.error)


@settings(max_examples=15, deadline=60_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(example=st.sampled_from(EXAMPLES), seed=st.integers(0, 2**32), steps=st.integers(1, 40))
def test_damaged_modules_through_the_command_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, example: bytes, seed: int, steps: int
) -> None:
    path = tmp_path / "damaged.ll"
    path.write_bytes(damaged(example, seed, steps))
    code = main(["select", str(path), TARGET, "--format=json"])
    captured = capsys.readouterr()
    assert code in (0, 1)
    assert len(captured.err.splitlines()) == code
    jsonschema.validate(json.loads(captured.out), schema())


@settings(max_examples=60, deadline=60_000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 3))
def test_a_damaged_table_is_loaded_or_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, seed: int, steps: int
) -> None:
    path = tmp_path / "toy.toml"
    path.write_bytes(damaged(TOY.encode(), seed, steps))
    code = main(["target", "show", "toy", "--plugin", str(path)])
    captured = capsys.readouterr()
    assert code in (0, 2)
    assert len(captured.err.splitlines()) == code // 2

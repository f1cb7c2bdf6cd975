"""Comparing targets: one row per site, the same input for all of them, sums that can be compared."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bitsel
from bitsel.comparison import ComparedInput, Comparer, executed
from bitsel.emit.comparison_json import schema
from bitsel.emit.json import schema as selection_schema
from bitsel.errors import FactsError, InputError, UsageError
from bitsel.frontends.llvm import module as llvm_module

# A machine with an accumulator, `bset`/`bclr` on all of its memory, and pointers of 24 bits.
TOY = """\
[target]
name    = "toy"
endian  = "little"
address = 24
cores   = ["one"]

[registers]
"a p" = 8

[abi]
scratch = "a"

[number]
addr = { in = "0..0xffffff", symbol = "whole" }
bit  = "0..7"
u8   = "0..255"

[part]
whole = { is = "A", text = "{}" }

[mode.mem]
abs = { text = "{a:addr}", is = "m[a]", bytes = 3 }

[[insn]]
ops    = { bset = "v |= 1 << bit", bclr = "v &= ~(1 << bit)" }
text   = "{op} {v:mem}, {bit:bit}"
bytes  = 2
cycles = 3
bit    = true
[[insn]]
text   = "ld a, {v:mem}"
does   = "a = v"
bytes  = 1
cycles = 1
[[insn]]
text   = "st {v:mem}, a"
does   = "v = a"
bytes  = 1
cycles = 1
[[insn]]
ops    = { or = "a |= i", and = "a &= i", xor = "a ^= i" }
text   = "{op} a, {i:u8}"
bytes  = 2
cycles = 1

[device.t1]
core = "one"
"""
TEXT = """\
@flags = global i8 0
define void @set() {
  %v = load volatile i8, ptr @flags
  %o = or i8 %v, 16
  store volatile i8 %o, ptr @flags
  ret void
}
define void @port() {
  %v = load volatile i8, ptr inttoptr (i16 -255 to ptr)
  %o = or i8 %v, 8
  store volatile i8 %o, ptr inttoptr (i16 -255 to ptr)
  ret void
}
define i8 @used() {
  %v = load i8, ptr @flags
  %o = or i8 %v, 16
  store i8 %o, ptr @flags
  ret i8 %v
}
"""
LAYOUT = 'target datalayout = "e-p:16:16-i32:16-a:8"\n'
TWO_CORES = ["rl78:r7f100g", "rl78:s3"]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    path = tmp_path / "toy.toml"
    path.write_text(TOY)
    return path


def document(text: str) -> Any:
    loaded = json.loads(text)
    jsonschema.validate(loaded, schema())
    return loaded


def test_each_target_says_what_it_does_at_each_site() -> None:
    comparison = bitsel.compare(LAYOUT + TEXT, targets=TWO_CORES)
    assert [(header.target, header.device) for header in comparison.headers] == [
        ("rl78", "r7f100g"),
        ("rl78", "s3"),
    ]
    assert comparison.input == ComparedInput("<text>", 3, 3)
    flags, port, used = comparison.sites
    assert flags.id == "set:0:0"
    assert [done.asm for report in flags.reports if (done := executed(report))] == [("set1 !_flags.4",)] * 2
    # P1 is a register that this list of SFRs has, and that a core without a list knows nothing of.
    assert [done.asm for report in port.reports if (done := executed(report))] == [
        ("set1 0xfff01.3",),
        ("or 0xfff01, #8",),
    ]
    assert [report.reason.code.value for report in used.reports if report and report.reason] == ["value-used"] * 2
    assert used.costs is None


def test_sums_are_over_the_sites_whose_cost_is_known_for_every_target() -> None:
    summary = bitsel.compare(LAYOUT + TEXT, targets=TWO_CORES).summary
    assert (summary.sites, summary.costed) == (3, 2)
    listed, unlisted = summary.targets
    assert (listed.sites, listed.selected, listed.bytes, listed.cycles, listed.interruptible) == (3, 2, 7, 4, 0)
    assert (unlisted.selected, unlisted.bytes, unlisted.cycles) == (2, 7, 4)
    assert listed.by_reason == {"value-used": 1}


def test_a_site_left_alone_costs_plain_load_operate_store() -> None:
    toggle = TEXT.replace("or i8 %v, 16", "xor i8 %v, 16").replace("or i8 %v, 8", "xor i8 %v, 8")
    flags = bitsel.compare(toggle, targets=["rl78:s3"]).sites[0]
    assert flags.reports[0] is not None
    assert flags.reports[0].chosen is None
    [done] = flags.costs or ()
    assert (done.asm[2], done.bytes, done.cycles, done.interruptible) == ("xor a, #16", 7, 4, True)


def test_different_targets_by_a_plugin(toy: Path) -> None:
    comparison = bitsel.compare(LAYOUT + TEXT, targets=["toy", "rl78:r7f100g"], plugins=[toy])
    sequences = [executed(report) for report in comparison.sites[0].reports]
    assert [(done.asm, done.bytes, done.cycles) for done in sequences if done] == [
        (("bset flags, 4",), 5, 3),
        (("set1 !_flags.4",), 4, 2),
    ]


@pytest.mark.parametrize(("text", "readings"), [(LAYOUT + TEXT, 1), (TEXT, 2)])
def test_an_input_is_read_once_unless_its_layout_is_the_targets(
    text: str, readings: int, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered: list[str] = []
    lower = llvm_module.lower

    def counting(shared: Any, head: Any, *rest: Any) -> Any:
        lowered.append(head.name)
        return lower(shared, head, *rest)

    monkeypatch.setattr(llvm_module, "lower", counting)
    targets = ["rl78:r7f100g", "toy", "rl78:s3"]
    comparison = bitsel.compare(text, targets=targets, plugins=[toy])
    assert [site.id for site in comparison.sites] == ["set:0:0", "port:0:0", "used:0:0"]
    assert all(report is not None for site in comparison.sites for report in site.reports)
    assert len(lowered) == 3 * readings


def test_a_site_that_one_data_layout_does_not_have_is_none_there(toy: Path) -> None:
    """Pointers of 16 bits wrap around where those of 24 do not: load and store are one place for RL78 only."""
    text = """\
@flags = global i8 0
define void @wraps(ptr %p) {
  %q = getelementptr i8, ptr %p, i32 65536
  %v = load i8, ptr %q
  %o = or i8 %v, 16
  store i8 %o, ptr %p
  ret void
}
define void @set() {
  %v = load i8, ptr @flags
  %o = or i8 %v, 16
  store i8 %o, ptr @flags
  ret void
}
"""
    wraps, plain = bitsel.compare(text, targets=["toy", "rl78:r7f100g"], plugins=[toy]).sites
    assert [report.reason.code.value if report and report.reason else None for report in wraps.reports] == [
        "addr-mismatch",
        None,
    ]
    assert [report.verdict for report in plain.reports if report] == ["selected", "selected"]


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UsageError, match="no target to compare; name some, as in"):
        bitsel.compare(TEXT, targets=[])
    with pytest.raises(UsageError, match="rl78:s3 is to be compared with itself"):
        bitsel.compare(TEXT, targets=["rl78:s3", "rl78:r7f100g", "rl78:s3"])
    with pytest.raises(UsageError, match="unknown target 'rl87'.*did you mean 'rl78'"):
        bitsel.compare(TEXT, targets=["rl78:s3", "rl87:s3"])
    with pytest.raises(FactsError, match="missing: no such file"):
        bitsel.compare(TEXT, targets=["rl78:s3"], plugins=["missing"])
    with pytest.raises(InputError, match="big-endian, but rl78 is little-endian"):
        bitsel.compare('target datalayout = "E-p:16:16"\n' + TEXT, targets=TWO_CORES)


def test_running_reports_errors_and_goes_on(tmp_path: Path) -> None:
    broken = f"{TEXT}define void @h() {{\ndefine void @i() {{\n  ret void\n}}\n"
    with Comparer(TWO_CORES) as comparer:
        [missing] = comparer.run(tmp_path / "missing.ll", name="missing.ll")
        *sites, done = comparer.run(broken)
    assert isinstance(missing, ComparedInput)
    assert (missing.error or "").endswith("missing.ll: cannot be read: No such file or directory")
    assert isinstance(done, ComparedInput)
    assert (len(sites), done.sites) == (3, 3)
    assert (done.error or "").startswith("<text>:20: ")


# --- the command ------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.ll"
    path.write_text(LAYOUT + TEXT)
    return path


def test_the_table_has_a_row_per_site(run: Any, file: Path) -> None:
    done = run("compare", file, "--targets=rl78:r7f100g,rl78:s3")
    assert (done.code, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    numbers = "bytes clocks interrupt"
    assert lines[0] == f"site update rl78:r7f100g {numbers} rl78:s3 {numbers}"
    assert lines[2:5] == [
        f"{file}:6 set:0:0 set bit 4 of volatile i8 flags set1 !_flags.4 4 2 no set1 !_flags.4 4 2 no",
        f"{file}:12 port:0:0 set bit 3 of volatile i8 at 0xff01 set1 0xfff01.3 3 2 no or 0xfff01, #8 3 2 no",
        f"{file}:18 used:0:0 set bit 4 of i8 flags value-used value-used",
    ]
    assert "rl78:s3 2 7 4 0 1 value-used" in lines
    assert "those of the 2 of 3 sites whose cost is known for every target" in lines[-1]
    assert done.out.splitlines() == [line.rstrip() for line in done.out.splitlines()]


def test_on_a_narrow_terminal_targets_stand_below_one_another(
    run: Any, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = [line.strip() for line in run("compare", file, "--targets=rl78:r7f100g,rl78:s3").out.splitlines()]
    at = next(i for i, line in enumerate(lines) if line == "set bit 4 of volatile i8 flags")
    assert [" ".join(line.split()) for line in lines[at + 1 : at + 3]] == [
        "rl78:r7f100g set1 !_flags.4 4 2 no",
        "rl78:s3 set1 !_flags.4 4 2 no",
    ]
    assert max(map(len, lines[: at + 3])) <= 100


def test_json_says_what_select_says(run: Any, file: Path) -> None:
    found = document(run("compare", file, "--targets=rl78:r7f100g,rl78:s3", "--format=json").out)
    assert found["targets"] == [{"name": "rl78", "device": "r7f100g"}, {"name": "rl78", "device": "s3"}]
    assert found["inputs"] == [{"path": str(file), "functions": 3, "sites": 3, "error": None}]
    assert (found["summary"]["costed"], found["summary"]["targets"][1]["bytes"]) == (2, 7)
    for position, target in enumerate(("r7f100g", "s3")):
        alone = json.loads(run("select", file, f"--target=rl78:{target}", "--format=json").out)
        for site, other in zip(found["sites"], alone["sites"], strict=True):
            result = site["results"][position]
            assert {**{k: site[k] for k in site if k != "results"}, **result} == other


@pytest.mark.parametrize("name", ["sha256.O0", "sha256.Os", "sha256.O2", "g23_driver.O0", "g23_driver.O2"])
def test_every_example_obeys_the_schema(name: str, run: Any, root: Path, toy: Path) -> None:
    done = run("compare", root / f"examples/{name}.ll", f"--plugin={toy}", "--targets=rl78:s3,toy", "--format=json")
    assert (done.code, done.err) == (0, "")
    found = document(done.out)
    assert found["summary"]["sites"] == len(found["sites"]) > 0


def test_the_schema_spells_a_verdict_as_that_of_select_does() -> None:
    mine, other = schema()["$defs"], selection_schema()["$defs"]
    for name in ("count", "strings", "idiom", "address", "reason", "code", "sequence"):
        assert mine[name] == other[name]
    shared = ("idiom", "verdict", "reason", "assumes", "warnings", "chosen", "baseline")
    assert mine["result"]["properties"] == {key: other["site"]["properties"][key] for key in shared}
    assert mine["result"]["oneOf"] == other["site"]["oneOf"]


@pytest.mark.parametrize(
    ("path", "value"),
    [(("extra",), 1), (("sites", 0, "results", 0, "extra"), 1), (("sites", 0, "results"), []), (("targets",), [])],
)
def test_the_schema_is_strict(path: tuple[str | int, ...], value: object, run: Any, file: Path) -> None:
    found = document(run("compare", file, "--targets=rl78:s3", "--format=json").out)
    inner = found
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema())


def test_an_unreadable_input_does_not_stop_the_others(
    run: Any, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    done = run("compare", tmp_path / "missing.ll", "-", file, "--targets=rl78:s3", "--format=json")
    assert done.code == 1
    assert done.err == f"bitsel: error: {tmp_path / 'missing.ll'}: cannot be read: No such file or directory\n"
    found = document(done.out)
    assert [(given["path"], given["sites"]) for given in found["inputs"]][1:] == [("<stdin>", 3), (str(file), 3)]


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ("rl87", "rl78); did you mean 'rl78'?"),
        ("rl78:s3,", "unknown target ''"),
        ("rl78", "name one, as in rl78:s3"),
        ("rl78:s3,rl78:s3", "compared with itself"),
    ],
)
def test_wrong_usage(targets: str, said: str, run: Any, file: Path) -> None:
    done = run("compare", file, f"--targets={targets}")
    assert (done.code, done.out) == (2, "")
    assert said in done.err

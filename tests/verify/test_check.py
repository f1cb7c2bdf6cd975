"""``bitsel target check``: which levels and devices, what comes out, and the exit code."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import bitsel_rl78
from bitsel.emit.check import schema
from bitsel.emit.progress import followed
from bitsel.errors import UsageError
from bitsel.target.facts import Device, Target
from bitsel.target.load import load_target
from bitsel.verify import facts
from bitsel.verify.check import LEVELS, DeviceResult, check_of, devices_of, run
from bitsel.verify.result import RowResult

HERE = Path(bitsel_rl78.__file__).parent
MACHINES = Path(__file__).parents[1] / "target" / "machines"


def document(text: str) -> Any:
    loaded = json.loads(text)
    jsonschema.validate(loaded, schema())
    return loaded


def test_levels_are_in_order_and_each_has_a_check() -> None:
    assert LEVELS == ("facts", "proof", "assembler", "simulator")
    assert all(callable(check_of(level)) for level in LEVELS)
    with pytest.raises(UsageError, match="unknown level 'prof' .*did you mean 'proof'"):
        check_of("prof")


def test_of_each_core_the_device_of_which_most_is_known_is_checked() -> None:
    assert [device.name for device in devices_of(load_target(HERE))] == ["r7f100g"]
    avr = load_target(MACHINES / "avr.toml")
    cores = [device.core for device in devices_of(avr)]
    assert cores == [core for core in avr.cores if any(d.core == core for d in avr.devices.values())]


def test_levels_run_one_after_the_other_over_all_devices() -> None:
    target = load_target(MACHINES / "msp430.toml")
    found = list(run(target, devices_of(target), ["facts"]))
    assert list(dict.fromkeys(each.device for each in found)) == ["msp430g2553", "msp430f5529"]
    assert {each.result.level for each in found} == {"facts"}


def test_the_table_has_a_row_per_form_and_sums(run: Any) -> None:
    done = run("target", "check", "rl78", "--level=facts")
    assert (done.code, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert lines[0] == "level device instruction outcome detail"
    assert lines[2] == "facts r7f100g set1 <addr:saddr>.<bit> ok"
    assert lines[-1] == "rl78, facts: 244 rows (244 ok)"
    assert done.out.splitlines() == [line.rstrip() for line in done.out.splitlines()]


def test_a_device_a_path_and_a_plugin_can_be_named(run: Any, tmp_path: Path) -> None:
    assert "rl78, facts: 244 rows (237 ok, 7 skipped)" in run("target", "check", "rl78:s3", "--level=facts").out
    assert "rl78, facts: 244 rows (244 ok)" in run("target", "check", HERE, "--level=facts").out
    one = run("target", "check", f"{MACHINES / 'avr.toml'}:attiny10", "--level=facts")
    assert one.code == 0
    assert "attiny10" in one.out
    assert "atmega328p" not in one.out
    other = tmp_path / "other.toml"
    other.write_text((MACHINES / "avr.toml").read_text().replace('"avr"', '"other"', 1))
    by_plugin = run("target", "check", "other:attiny10", "--level=facts", f"--plugin={other}")
    assert by_plugin.out == one.out.replace("avr, facts", "other, facts")


def test_json(run: Any) -> None:
    found = document(run("target", "check", "rl78:s3", "--level=facts", "--format=json").out)
    assert (found["target"], found["levels"]) == ("rl78", ["facts"])
    assert found["results"][0] == {
        "level": "facts",
        "device": "s3",
        "row": "set1 <addr:saddr>.<bit>",
        "outcome": "ok",
        "detail": "",
    }
    assert found["summary"] == {"ok": 237, "failed": 0, "known-error": 0, "skipped": 7}


@pytest.mark.parametrize(
    ("path", "value"), [(("extra",), 1), (("results", 0, "outcome"), "fine"), (("levels",), [])]
)
def test_the_schema_is_strict(path: tuple[str | int, ...], value: object, run: Any) -> None:
    found = document(run("target", "check", "rl78:s3", "--level=facts", "--format=json").out)
    inner = found
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema())


def test_a_failure_is_exit_code_1(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(target: Target, device: Device) -> Iterator[RowResult]:
        yield RowResult("facts", "one", "ok")
        yield RowResult("facts", "other", "failed", "it is wrong")
        yield RowResult("facts", "third", "known-error", "by the tool")

    monkeypatch.setattr(facts, "check", failing)
    done = run("target", "check", "rl78", "--level=facts")
    assert done.code == 1
    assert "it is wrong" in done.out
    assert done.out.splitlines()[-1] == "rl78, facts: 3 rows (1 ok, 1 failed, 1 known-error)"
    assert run("target", "check", "rl78", "--level=facts", "--format=json").code == 1


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_table_that_cannot_be_loaded_is_a_failure_with_its_place(form: str, run: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text((MACHINES / "avr.toml").read_text().replace("bytes ", "byte ", 1))
    done = run("target", "check", broken, f"--format={form}")
    assert (done.code, done.err) == (1, "")
    assert f"{broken}:" in done.out
    assert "unknown key 'byte'" in done.out
    assert "did you mean 'bytes'" in done.out
    if form == "json":
        assert document(done.out)["results"][0]["device"] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rl87",), "rl78); did you mean 'rl78'?"),
        (("rl78:r7f100",), "did you mean 'r7f100g'?"),
        (("rl78", "--level=prof"), "unknown level 'prof'"),
        ((), "required"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str, run: Any) -> None:
    done = run("target", "check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


RESULTS = [DeviceResult("s3", RowResult("facts", str(number), "ok")) for number in range(3)]


def test_progress_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(followed(RESULTS, 3)) == RESULTS
        assert ("3/3" in stream.getvalue()) == shown

"""The one definition of the format: its JSON Schema and its reference say what the loader checks."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli

import bitsel.target
import bitsel_rl78
from bitsel.target.kinds import FormatError
from bitsel.target.schema import FILE, PUBLISHED, json_schema, published, reference

MACHINES = Path(__file__).parent / "machines"
FILES = [*sorted(MACHINES.glob("*.toml")), Path(bitsel_rl78.__file__).parent / "target.toml"]
REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "fact-format.md"


def data(file: Path) -> dict[str, Any]:
    return tomli.loads(file.read_text())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_tables_follow_the_json_schema(file: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    jsonschema.validate(data(file), json_schema())
    FILE.check(data(file), ())


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"target": {"name": "x"}},
        {"insn": [{"text": "nop", "bytes": "1", "cycles": 1}]},
        {"insn": [{"text": "nop", "bytes": True, "cycles": 1}]},
        {"insn": [{"text": "nop", "bytes": 1, "cycles": ["x"]}]},
        {"registers": {"a": []}},
        {"dialect": {"symbol": "_"}},
        {"device": {"d": {"core": 1}}},
    ],
)
def test_both_refuse_the_same(change: dict[str, Any]) -> None:
    wrong = data(FILES[0]) | change
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, json_schema())
    with pytest.raises(FormatError):
        FILE.check(wrong, ())


def test_the_reference_page_holds_the_key_tables() -> None:
    """If this fails, put the output of `bitsel.target.schema.reference()` between the page's markers."""
    page = REFERENCE.read_text()
    generated = page.split("<!-- keys: generated -->\n")[1].split("<!-- keys: end -->")[0]
    assert generated.strip() == reference().strip()


def test_the_published_schema_is_fresh() -> None:
    """``BLESS=1 pytest tests/target/test_schema.py`` writes it anew from the loader's keys."""
    generated = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("BLESS"):
        Path(bitsel.target.__path__[0], PUBLISHED).write_text(generated, encoding="utf-8")
    assert published() == generated


def test_the_command_prints_the_published_schema(run: Any) -> None:
    done = run("target", "schema")
    assert (done.code, done.err) == (0, "")
    schema = json.loads(done.out)
    for file in FILES:
        jsonschema.validate(data(file), schema)
    broken = data(FILES[0])
    broken["insn"][0]["byte"] = broken["insn"][0].pop("bytes")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_the_schema_says_what_each_key_is_for() -> None:
    """What an editor shows beside a key."""
    row = json.loads(published())["properties"]["insn"]["items"]
    assert row["properties"]["bytes"]["description"] == "its length, modes not counted"
    assert row["required"] == ["text", "bytes", "cycles"]
    assert row["additionalProperties"] is False

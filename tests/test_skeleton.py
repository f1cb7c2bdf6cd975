"""``bitsel target new``: what it writes installs, passes its checks as it is, and never overwrites anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli

from bitsel.errors import FactsError, UsageError
from bitsel.skeleton import write
from bitsel.target.load import load_target
from bitsel.target.schema import json_schema
from bitsel.verify.check import devices_of
from bitsel.verify.facts import check


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write("my-chip", tmp_path_factory.mktemp("new"))


def test_what_is_written(folder: Path) -> None:
    assert folder.name == "bitsel-my-chip"
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert files == [
        "README.md",
        "bitsel_my_chip/__init__.py",
        "bitsel_my_chip/py.typed",
        "bitsel_my_chip/target.toml",
        "pyproject.toml",
        "tests/test_selection.py",
    ]
    for file in files:
        text = (folder / file).read_text()
        assert not any(mark in text for mark in ("@NAME@", "@MODULE@", "@DISTRIBUTION@"))
    project = tomli.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["bitsel.targets"] == {"my-chip": "bitsel_my_chip"}


def test_every_row_of_its_table_passes(folder: Path) -> None:
    target = load_target(folder / "bitsel_my_chip")
    jsonschema.validate(tomli.loads((folder / "bitsel_my_chip/target.toml").read_text()), json_schema())
    devices = devices_of(target)
    assert [device.name for device in devices] == ["v1a", "v2a"]
    results = [result for device in devices for result in check(target, device)]
    assert {(result.outcome, result.detail) for result in results} == {("ok", "unverified")}


def test_the_folder_of_the_distribution_is_its_table(folder: Path, run: Any, tmp_path: Path) -> None:
    assert load_target(folder) == load_target(folder / "bitsel_my_chip")
    done = run("target", "check", folder, "--level", "facts")
    assert (done.code, done.err) == (0, "")
    assert run("target", "show", "my-chip", "--plugin", folder).code == 0


def test_a_distribution_with_several_targets_or_none(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    with pytest.raises(FactsError, match="target.toml: no such file; a target is a folder with a target.toml"):
        load_target(tmp_path)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "target.toml").write_text("")
    with pytest.raises(FactsError, match="there are several targets here: one/target.toml, two/target.toml"):
        load_target(tmp_path)


def test_it_installs_and_its_own_tests_pass(folder: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-build-isolation", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*pip, *offline, str(folder)], check=True, timeout=120)
    environment = os.environ | {"PYTHONPATH": str(site)}
    settings = folder / "pyproject.toml"
    settings.write_text(settings.read_text().replace('["facts", "proof"]', '["facts"]'))  # the proof takes a minute
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert "bitsel_my_chip/target.toml::facts PASSED" in tests.stdout
    assert "2 passed" in tests.stdout
    listing = subprocess.run(
        [sys.executable, "-m", "bitsel", "target", "list"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "bitsel-my-chip 0.1.0" in listing.stdout


def test_the_command_says_where_it_is(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("target", "new", "toy")
    assert (done.code, done.out, done.err) == (0, "bitsel-toy is there; its README says how to go on\n", "")
    before = (tmp_path / "bitsel-toy/bitsel_toy/target.toml").read_text()
    again = run("target", "new", "toy")
    assert (again.code, again.out) == (2, "")
    assert "bitsel-toy is there already; nothing was written" in again.err
    assert (tmp_path / "bitsel-toy/bitsel_toy/target.toml").read_text() == before


def test_an_empty_directory_or_a_file_of_that_name_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "bitsel-one").mkdir()
    (tmp_path / "bitsel-two").write_text("mine")
    for name in ("one", "two"):
        with pytest.raises(UsageError, match="is there already; nothing was written"):
            write(name, tmp_path)
    assert list((tmp_path / "bitsel-one").iterdir()) == []
    assert (tmp_path / "bitsel-two").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rl78", "there is a target 'rl78' already, brought by bitsel "),
        ("My Chip", "'My Chip' cannot be the name of a target; lower-case letters"),
        ("../up", "cannot be the name of a target"),
        ("-x", "cannot be the name of a target"),
        ("", "cannot be the name of a target"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said.replace("(", "\\(")):
        write(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="bitsel-toy cannot be written: No such file or directory"):
        write("toy", tmp_path / "missing")

"""The pytest plugin for targets, in a pytest of its own: a test per level for every table, and no say elsewhere."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

TABLE = Path(__file__).parent / "target" / "machines" / "avr.toml"


def pytest_run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\nbitsel_levels = facts\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "-v", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


PLUGIN = ("-p", "bitsel.pytest_plugin")


def test_a_table_is_a_test_per_level(tmp_path: Path) -> None:
    (tmp_path / "target.toml").write_text(TABLE.read_text())
    done = pytest_run(tmp_path, *PLUGIN)
    assert done.returncode == 0, done.stdout
    assert "target.toml::facts PASSED" in done.stdout
    assert "1 passed" in done.stdout


def test_a_row_that_fails_is_named(tmp_path: Path) -> None:
    text = TABLE.read_text()
    # No object of a program lies where SBI reaches.
    assert "[space" not in text
    (tmp_path / "target.toml").write_text(f'{text}\n[space]\n0 = {{ bits = 16, within = "0x1000..0xffff" }}\n')
    (tmp_path / "target.toml").write_text((tmp_path / "target.toml").read_text().replace("pointer", "# pointer", 1))
    done = pytest_run(tmp_path, *PLUGIN)
    assert done.returncode == 1
    assert "1 failed" in done.stdout
    assert "atmega328p: sbi <p:" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_table_that_cannot_be_loaded_fails_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "target.toml").write_text(TABLE.read_text().replace("bytes ", "byte ", 1))
    done = pytest_run(tmp_path, *PLUGIN)
    assert done.returncode == 1
    assert "unknown key 'byte'" in done.stdout


def test_nobody_who_does_not_ask_for_it_has_it(tmp_path: Path) -> None:
    assert not [entry for entry in entry_points(group="pytest11") if entry.value.startswith("bitsel")]
    (tmp_path / "target.toml").write_text("not even TOML")
    done = pytest_run(tmp_path)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize("plugin", [True, False])
def test_it_leaves_other_tests_alone(plugin: bool, tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine():\n    pass\n")
    done = pytest_run(tmp_path, *(PLUGIN if plugin else ()))
    assert done.returncode == 0
    assert "1 passed" in done.stdout

"""A pytest plugin for targets: every ``target.toml`` that pytest collects becomes one test per level.

It is not announced to pytest: whoever wants it says so, and nobody else's tests load or pay for it::

    [tool.pytest.ini_options]
    addopts = ["-p", "bitsel.pytest_plugin"]
    bitsel_levels = ["facts", "proof"]

A test fails with the instructions that failed, and is skipped where nothing could be checked, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bitsel.errors import BitselError
from bitsel.target.load import FILE_NAME, load_target
from bitsel.verify.check import LEVELS, DeviceResult, devices_of, run

INI = "bitsel_levels"


def pytest_addoption(parser: pytest.Parser) -> None:
    known = ", ".join(LEVELS)
    parser.addini(INI, f"levels at which each {FILE_NAME} is checked (default: all, {known})", "args", [])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return TableFile.from_parent(parent, path=file_path) if file_path.name == FILE_NAME else None


class TableFile(pytest.File):
    """A table of facts."""

    def collect(self) -> Iterator[pytest.Item]:
        for level in self.config.getini(INI) or LEVELS:
            yield LevelItem.from_parent(self, name=level)


class LevelItem(pytest.Item):
    """The check of one table at the level it is named for, on one device per core."""

    def runtest(self) -> None:
        target = load_target(self.path)
        results = list(run(target, devices_of(target), [self.name]))
        failed = [each for each in results if each.result.outcome == "failed"]
        if failed:
            raise CheckFailed(failed)
        skipped = [each.result.detail for each in results if each.result.outcome == "skipped"]
        if len(skipped) == len(results):
            pytest.skip(skipped[0] if skipped else "nothing to check")

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str | pytest.TerminalRepr:  # type: ignore[name-defined]
        if isinstance(excinfo.value, (CheckFailed, BitselError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.name}: {self.name}"


class CheckFailed(Exception):
    """Some instructions of a table failed a check."""

    def __init__(self, failed: list[DeviceResult]) -> None:
        lines = (f"{each.device}: {each.result.row}: {each.result.detail}" for each in failed)
        super().__init__("\n".join(lines))

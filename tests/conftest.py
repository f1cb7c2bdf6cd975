"""What tests of all parts share: where the project is, and running the command line in this process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from attrs import frozen

from bitsel.cli import main
from bitsel.toolchain.find import Missing, find


@frozen
class Outcome:
    """What one command did: its exit code and what it wrote."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's top directory, with `examples/` and `docs/`."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Solved shapes go to a folder of this test run, so that no earlier run can hide a defect."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The summary of skips has one line for each missing tool, not one for each place where it is missed."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and "run 'make tools'" in report.longrepr[2]:
        report.longrepr = ("tools", None, report.longrepr[2])  # type: ignore[assignment]
    return report


@pytest.fixture(scope="session")
def tool() -> Callable[[str], Path]:
    """``tool("rl78-elf-as")`` is where that is; without it the test is skipped, with the reason how to get it."""

    def tool(name: str) -> Path:
        found = find(name)
        if isinstance(found, Missing):
            pytest.skip(str(found))
        return found

    return tool


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """``run("select", "x.ll", ...)`` runs one command; argparse's own exits count as codes."""

    def run(*arguments: str | Path) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run

"""What tests of all parts share: where the project is, and running the command line in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import frozen

from bitsel.cli import main


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

"""RL78 as it is, and with one fact changed, for the tests of all levels."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

import bitsel_rl78
from bitsel.target.facts import Target
from bitsel.target.load import load_target

RL78 = Path(bitsel_rl78.__file__).parent
Change = Callable[..., Target]


@pytest.fixture(scope="session")
def rl78() -> Target:
    return load_target(RL78)


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """``changed(old, new, start)`` is RL78 with that text replaced, reduced to the rows that begin with `start`."""

    def changed(old: str, new: str, start: str = "") -> Target:
        shutil.copytree(RL78, tmp_path / "rl78")
        path = tmp_path / "rl78" / "target.toml"
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        path.write_text(text.replace(old, new), encoding="utf-8")
        target = load_target(tmp_path / "rl78")
        rows = []
        for row in target.rows:
            spelled = "".join(p if isinstance(p, str) else "{" + p.name + "}" for p in row.text)
            if spelled.startswith(start):
                rows.append(row)
        assert rows, start
        return evolve(target, rows=tuple(rows), hash=f"{target.hash} {start}")

    return changed

"""Finding tools: the tools folder first, then the PATH; what is not there is said, with how to get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitsel.toolchain.find import Missing, find, folder


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_tools_folder_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITSEL_TOOLS", str(tmp_path / "tools"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    on_path = program(tmp_path / "path" / "some-as")
    assert find("some-as") == on_path
    in_folder = program(tmp_path / "tools" / "bin" / "some-as")
    assert find("some-as") == in_folder


def test_what_is_missing_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITSEL_TOOLS", str(tmp_path))
    missing = find("some-as")
    assert missing == Missing("some-as")
    assert (
        str(missing) == "some-as is not installed: run 'make tools' in bitsel's source tree, or put it on the PATH"
    )


def test_the_folder_is_that_of_the_source_tree(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BITSEL_TOOLS", raising=False)
    assert folder() == root / ".tools"

"""Solved shapes on disk: what is found again, and what a failure leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitsel.reasons import Code
from bitsel.selector.memo import Memo, Solution, cache_folder
from bitsel.selector.recipes import AddressPart, BitNumber

SOLVED = Solution(((3, (("v", "a"), ("bit", BitNumber(0, 2, 0)), ("n", AddressPart("whole", 1, 0)))),), cap=4)
NONE = Solution(None, "baseline", Code.NO_FORM)
GAVE_UP = Solution(None, gave_up=True)


def test_what_was_solved_is_found_again(tmp_path: Path) -> None:
    memo = Memo("facts", tmp_path)
    for key, solution in (("a", SOLVED), ("b", NONE), ("c", GAVE_UP)):
        memo.put(key, solution)
    assert memo.get("a") == SOLVED
    memo.save()
    again = Memo("facts", tmp_path)
    assert [again.get(key) for key in "abcd"] == [SOLVED, NONE, GAVE_UP, None]
    assert Memo("other facts", tmp_path).get("a") is None


def test_a_second_run_adds_to_the_first(tmp_path: Path) -> None:
    for key in "ab":
        memo = Memo("facts", tmp_path)
        memo.put(key, NONE)
        memo.save()
    memo = Memo("facts", tmp_path)
    assert (memo.get("a"), memo.get("b")) == (NONE, NONE)


def test_a_damaged_file_is_no_cache(tmp_path: Path) -> None:
    memo = Memo("facts", tmp_path)
    memo.put("a", NONE)
    memo.save()
    (file,) = tmp_path.iterdir()
    content = file.read_text(encoding="utf-8")
    for damaged in (content[:-2], content.replace("baseline", "select"), "", "\xff"):
        file.write_text(damaged, encoding="latin-1")
        assert Memo("facts", tmp_path).get("a") is None


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    memo = Memo("facts", None)
    memo.put("a", NONE)
    memo.save()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_take_its_place_leaves_nothing(tmp_path: Path) -> None:
    memo = Memo("facts", tmp_path / "cache")
    memo.put("a", NONE)
    memo.save()
    (file,) = (tmp_path / "cache").iterdir()
    file.unlink()
    (file / "in the way").mkdir(parents=True)
    memo.put("b", NONE)
    memo.save()
    assert list((tmp_path / "cache").iterdir()) == [file]
    assert memo.get("b") == NONE


def test_what_stops_the_writing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memo = Memo("facts", tmp_path)
    memo.put("a", NONE)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        memo.save()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memo = Memo("facts", tmp_path / "file" / "cache")
    memo.put("a", NONE)
    memo.save()


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/cache")
    assert cache_folder() == Path("/some/cache/bitsel")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert cache_folder() == Path("/home/somebody/.cache/bitsel")

    def homeless(*_: object) -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert cache_folder() is None

"""Diffs are what `patch` takes."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitsel.rewrite.diff import changed, unified

LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n"]), max_size=12)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"a\nb\n", b"a\nb\n", ""),
        (b"a\n", b"b\n", "@@ -1 +1 @@\n-a\n+b\n"),
        (b"a\n", b"", "@@ -1 +0,0 @@\n-a\n"),
        (b"", b"a\n", "@@ -0,0 +1 @@\n+a\n"),
        (
            b"a\nb",
            b"a\nc",
            "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
        ),
        (
            b"1\n2\n3\n4\n5\nx\n7\n8\n9\n10\n",
            b"1\n2\n3\n4\n5\n7\n8\n9\n10\n",
            "@@ -3,7 +3,6 @@\n 3\n 4\n 5\n-x\n 7\n 8\n 9\n",
        ),
    ],
)
def test_hunks(old: bytes, new: bytes, expected: str) -> None:
    head = "--- x\n+++ x\n" if expected else ""
    assert b"".join(unified(old, new, b"x")).decode() == head + expected


@given(LINES, LINES)
def test_changes_make_one_text_of_the_other(old: list[bytes], new: list[bytes]) -> None:
    made: list[bytes] = []
    at = 0
    for change in changed(old, new):
        made += old[at : change.start]
        assert len(made) == change.new_start
        made += new[change.new_start : change.new_end]
        assert len(made) == change.new_end
        at = change.end
    assert made + old[at:] == new


@pytest.mark.skipif(not shutil.which("patch"), reason="no patch: apt-get install patch")
def test_patch_takes_it(tmp_path: Path) -> None:
    choice = random.Random(4)
    old = [f"{choice.randrange(30)}\n".encode() for _ in range(400)]
    new = [line for line in old if choice.random() > 0.05]
    for _ in range(20):
        new.insert(choice.randrange(len(new)), b"new\n")
    old.append(b"end")
    (tmp_path / "x").write_bytes(b"".join(old))
    patch = b"".join(unified(b"".join(old), b"".join(new), b"x"))
    subprocess.run(["patch", "-s"], input=patch, cwd=tmp_path, check=True)
    assert (tmp_path / "x").read_bytes() == b"".join(new)

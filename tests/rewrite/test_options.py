"""Picking sites, naming memory, and telling languages apart."""

from __future__ import annotations

import pytest

from bitsel.errors import UsageError
from bitsel.inputs import assembly_text
from bitsel.rewrite.options import Ram, Sites
from bitsel.rewrite.result import Lines, Splice, spliced


@pytest.mark.parametrize(
    ("only", "but", "site", "admitted"),
    [
        ((), (), "f:entry:0", True),
        (("f:*",), (), "f:entry:0", True),
        (("f:*",), (), "ff:entry:0", False),
        (("f:*",), ("*:1",), "f:entry:1", False),
        ((), ("f:entry:0",), "f:entry:0", False),
        (("f[1]:entry:0",), (), "f[1]:entry:0", True),  # an id is itself, whatever is in it
        (("F:*",), (), "f:entry:0", False),
    ],
)
def test_sites(only: tuple[str, ...], but: tuple[str, ...], site: str, admitted: bool) -> None:
    assert Sites(only, but).admit(site) == admitted


def test_ram() -> None:
    assert Ram.of(("flags", "0x200..0x9ff", "s..t")) == Ram(frozenset(("flags", "s..t")), ((0x200, 0x9FF),))


@pytest.mark.parametrize("given", ["0x200..", "1..z", "0x300..0x200"])
def test_a_range_that_is_none(given: str) -> None:
    with pytest.raises(UsageError, match=given.replace(".", r"\.")):
        Ram.of((given,))


@pytest.mark.parametrize(
    ("data", "path", "language"),
    [
        (b"", "x.ll", "llvm"),
        (b"", "x.S", "assembly"),
        (b"BC\xc0\xde", "x", "llvm"),
        (b'; ModuleID\n\nsource_filename = "x.c"\n', "<stdin>", "llvm"),
        (b"@x = global i8 0\n", "<stdin>", "llvm"),
        (b"define void @f() {\n", "x.txt", "llvm"),
        (b"\t.text\n", "<stdin>", "assembly"),
        (b"; a comment\n.global _f\n_f: set1 0xfff00.1\n", "x.out", "assembly"),
        (b" " * 100_000 + b"x", "<stdin>", "llvm"),  # in time that grows with the text
    ],
)
def test_languages(data: bytes, path: str, language: str) -> None:
    assert (assembly_text(data, path) is not None) == (language == "assembly")


def test_splices() -> None:
    assert spliced("abcdef", [Splice(4, 6, "X"), Splice(1, 2, ""), Splice(2, 2, "Y")]) == "aYcdX"


def test_splices_do_not_overlap() -> None:
    with pytest.raises(ValueError, match="offset 2"):
        spliced("abcdef", [Splice(1, 3, ""), Splice(2, 4, "")])


def test_lines() -> None:
    text = "1\n2\n3\n4\n5\n"
    lines = Lines(text, [Splice(2, 4, ""), Splice(6, 7, "a\nb\nc")])
    assert [lines.after(line, offset) for line, offset in ((1, 0), (3, 4), (4, 6), (5, 8))] == [1, 2, 3, 6]

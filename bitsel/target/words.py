"""The small notations inside strings of the fact format: ranges of integers and lists of names.

>>> integers("0..7 -1")
((0, 7), (-1, -1))
>>> names("r0..r2 x")
('r0', 'r1', 'r2', 'x')
"""

from __future__ import annotations

import re

_INTEGER = r"-?(?:0[xX][0-9a-fA-F]+|[0-9]+)"
_RANGE = re.compile(rf"({_INTEGER})(?:\.\.({_INTEGER}))?")
_NUMBERED = re.compile(r"([A-Za-z_]+)([0-9]+)\.\.([A-Za-z_]+)([0-9]+)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PAIR = re.compile(r"([A-Za-z_]+)([0-9]+):([A-Za-z_]+)([0-9]+)")
_WORD = re.compile(r"\S+")
_MOST = 1 << 12  # names in one list


class TextError(ValueError):
    """A string that is not in its notation: `message`, and the fault's offset in it (from 0; None: all of it)."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def integer(word: str) -> int:
    return int(word, 0) if "x" in word.lower() else int(word)


def integers(text: str) -> tuple[tuple[int, int], ...]:
    """The inclusive runs of ``"0..7 16..23 -1"``. Raises `TextError` for an empty or an overlapping range."""
    runs: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        found = _RANGE.fullmatch(word.group())
        if found is None:
            raise TextError(f"{word.group()!r} is no number or range such as 0..0xff", word.start())
        low = integer(found[1])
        high = integer(found[2] or found[1])
        if max(abs(low), abs(high)) >> 64:
            raise TextError(f"{word.group()!r} goes beyond 64 bits", word.start())
        if low > high:
            raise TextError(f"the range {word.group()} is empty", word.start())
        for other in runs:
            if low <= other[1] and other[0] <= high:
                raise TextError(f"the range {word.group()} overlaps {_spelled(other)}", word.start())
        runs.append((low, high))
    if not runs:
        raise TextError("no number or range")
    return tuple(runs)


def _spelled(run: tuple[int, int]) -> str:
    return f"{run[0]:#x}..{run[1]:#x}"


def names(text: str) -> tuple[str, ...]:
    """The names of ``"a r0..r31"`` or ``"r1:r0 r3:r2 .. r31:r30"`` (pairs high:low), in order."""
    found: list[str] = []
    words = list(_WORD.finditer(text))
    for i, word in enumerate(words):
        if word.group() == "..":
            following = words[i + 1].group() if i + 1 < len(words) else ""
            found.extend(_pairs_between(found[-2:], following, word.start()))
        elif numbered := _NUMBERED.fullmatch(word.group()):
            found.extend(_numbered(numbered, word.start()))
        elif _NAME.fullmatch(word.group()) or _PAIR.fullmatch(word.group()) or ":" in word.group():
            found.append(word.group())
        else:
            raise TextError(f"{word.group()!r} is no name or range of names such as r0..r31", word.start())
    return tuple(found)


def _numbered(found: re.Match[str], offset: int) -> list[str]:
    stem, low, other, high = found[1], int(found[2]), found[3], int(found[4])
    if stem != other or low > high or high - low >= _MOST:
        raise TextError(f"{found.group()} is no range of names", offset)
    return [f"{stem}{n}" for n in range(low, high + 1)]


def _pairs_between(last: list[str], following: str, offset: int) -> list[str]:
    """The pairs between ``r1:r0 r3:r2`` (the last two) and the `following` ``r31:r30``."""
    found = [_PAIR.fullmatch(word) for word in (*last, following)]
    if len(found) == 3 and all(found):
        first, second, end = (((f[1], f[3]), int(f[2]), int(f[4])) for f in found if f is not None)
        step = second[1] - first[1]
        same = first[0] == second[0] == end[0]
        steady = second[2] - first[2] == step and end[1] - second[1] == end[2] - second[2]
        if same and steady and step > 0 and (end[1] - second[1]) % step == 0 and end[1] - first[1] < _MOST:
            (high, low), shift = first[0], second[2] - second[1]
            return [f"{high}{n}:{low}{n + shift}" for n in range(second[1] + step, end[1], step)]
    raise TextError("'..' stands between pairs, as in r1:r0 r3:r2 .. r31:r30", offset)

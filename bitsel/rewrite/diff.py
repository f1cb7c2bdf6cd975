"""A unified diff of two texts that differ in few places, in time that grows with their length.

The standard library's looks for the best match of all lines with all others, which takes minutes for a module of
compiler output, whose lines recur. Here both are walked side by side: where they part, the nearest place is looked
for from which some lines are the same again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

CONTEXT = 3
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


class Change(NamedTuple):
    """Lines [start, end) of the old text are lines [new_start, new_end) of the new one."""

    start: int
    end: int
    new_start: int
    new_end: int


def unified(old: bytes, new: bytes, name: bytes) -> Iterator[bytes]:
    """As ``diff -u`` prints it and ``patch`` takes it, line by line; nothing where the texts are the same."""
    before, after = _LINE.findall(old), _LINE.findall(new)
    changes = list(changed(before, after))
    if changes:
        yield b"--- " + name + b"\n"
        yield b"+++ " + name + b"\n"
    for hunk in _hunks(changes):
        yield from _printed(before, after, hunk)


def changed(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Change]:
    """Where the lines differ, in order."""
    i = j = 0
    while True:
        while i < len(old) and j < len(new) and old[i] == new[j]:
            i, j = i + 1, j + 1
        if i == len(old) and j == len(new):
            return
        taken, put = _until_the_same(old, new, i, j)
        yield Change(i, i + taken, j, j + put)
        i, j = i + taken, j + put


def _until_the_same(old: Sequence[bytes], new: Sequence[bytes], i: int, j: int) -> tuple[int, int]:
    """How many lines from there on go, and how many come, until the texts are the same for some lines."""
    for distance in count(1):
        for taken in range(max(0, distance - (len(new) - j)), min(distance, len(old) - i) + 1):
            put = distance - taken
            if old[i + taken : i + taken + CONTEXT] == new[j + put : j + put + CONTEXT]:
                return taken, put
    raise AssertionError("both texts end")


def _hunks(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Changes whose contexts meet, together."""
    hunk: list[Change] = []
    for change in changes:
        if hunk and change.start - hunk[-1].end > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _printed(old: Sequence[bytes], new: Sequence[bytes], hunk: Sequence[Change]) -> Iterator[bytes]:
    first, last = hunk[0], hunk[-1]
    lead = min(CONTEXT, first.start)
    trail = min(CONTEXT, len(old) - last.end)
    before = _range(first.start - lead, last.end + trail)
    after = _range(first.new_start - lead, last.new_end + trail)
    yield f"@@ -{before} +{after} @@\n".encode()
    at = first.start - lead
    for change in hunk:
        yield from _marked(b" ", old[at : change.start])
        yield from _marked(b"-", old[change.start : change.end])
        yield from _marked(b"+", new[change.new_start : change.new_end])
        at = change.end
    yield from _marked(b" ", old[at : at + trail])


def _range(start: int, end: int) -> str:
    """Lines as hunks name them: the first one, from 1, and how many; of none, the one before."""
    if end - start == 1:
        return str(end)
    return f"{start + (end > start)},{end - start}"


def _marked(mark: bytes, lines: Sequence[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"

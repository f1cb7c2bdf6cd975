"""The part of a function that its sites depend on, found in the text: only that is lowered.

Of a function as compilers print it, one instruction a line, matching asks no more than this:

* every line that mentions a value of a chain: what defines it, and all its uses;
* in a block with load and store of chains, all that stands between the first load and the last store;
* what defines the addresses and masks in those lines, up to what address analysis does not look behind::

    %4 = add i16 %1, 7
    %5 = load i8, ptr @x         this line
    %6 = or i8 %5, 1             and this
    store i8 %6, ptr @x          and this
    ret void

A function printed in another way, or with stack slots (whose every use counts), is lowered whole, and so is one
with so many values of chains that searching for each would cost more than time linear in the function.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from bitsel.frontends.llvm.syntax import PLAIN_NAME
from bitsel.record import record

MOST_NAMES: Final = 100
"""Searching for so many takes less time than lowering the whole function."""

_TAIL = r'[^\n;"]*(?:"[^"\n]*"[^\n;"]*)*\n'
_WITHOUT_RESULT = "store|call|tail call|musttail call|notail call|fence"
_STEP = (
    rf"  (?:%{PLAIN_NAME} = (?!invoke|callbr|catch|cleanup|landing)|(?:{_WITHOUT_RESULT}) ){_TAIL}|    #dbg_{_TAIL}"
)
_SWITCH = rf"  switch [^\n;\"]*\[\n(?:    [^\n;\"\[\]]*\n)*  \]{_TAIL}"
_LAST = rf"  (?:br |ret |unreachable){_TAIL}|{_SWITCH}"
# Blocks of one instruction a line. A terminator is followed by a label, so that no block is without one.
_BLOCK = rf"(?:{_STEP})*(?:{_LAST})"
_PLAIN = re.compile(rf"\n(?:\n*{PLAIN_NAME}:[^\n]*\n)?{_BLOCK}(?:\n*{PLAIN_NAME}:[^\n]*\n{_BLOCK})*\Z", re.ASCII)
_TERMINATORS = (" br ", " ret ", " unreachable", " switch ")
_LABEL = re.compile(rf"\n({PLAIN_NAME}):", re.ASCII)
_LOCAL = re.compile(rf"%{PLAIN_NAME}", re.ASCII)
# What matching looks behind: a chain's and an address's instructions, and accesses, for what they access.
_OPEN = re.compile(
    rf"  (?:store|%{PLAIN_NAME} = (load|and|or|xor|add|sub|mul|shl|getelementptr"
    r"|zext|sext|trunc|freeze|bitcast|inttoptr|ptrtoint|addrspacecast)) ",
    re.ASCII,
)
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-")


@record
class Run:
    """Whole lines, text[start:end], of one block; `label` is the block's, None in one without."""

    start: int
    end: int
    label: str | None


def find_runs(text: str, start: int, end: int, chains: set[str]) -> list[Run] | None:
    """The lines of the body text[start:end] that sites depend on, in order; None for the whole body.

    `start` is behind the opening brace, `end` before the closing one; `chains` are the names of the chains' values.
    """
    if len(chains) > MOST_NAMES or text.find("alloca ", start, end) >= 0 or not _PLAIN.match(text, start, end):
        return None
    labels = [(match.end(), match[1]) for match in _LABEL.finditer(text, start, end)]
    blocks = len(labels) + (not labels or not text.startswith(f"{labels[0][1]}:", start + 1))
    # A block may also end where a line holds a second instruction; the next one would have no label.
    if sum(text.count(word, start, end) for word in _TERMINATORS) != blocks:
        return None
    return _Finder(text, start, end, labels).runs(chains)


class _Finder:
    """The lines found so far of one function, by where they begin."""

    def __init__(self, text: str, start: int, end: int, labels: list[tuple[int, str]]) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._labels = labels
        self._lines: set[int] = set()

    def runs(self, chains: set[str]) -> list[Run] | None:
        self._add_mentions(chains)
        opened = self._add_between()
        if not self._add_definitions(opened, set(chains)):
            return None
        return self._joined()

    def _add_mentions(self, names: set[str]) -> None:
        """Add the lines that mention one of the values."""
        text, end = self._text, self._end
        for name in names:
            at = text.find(name, self._start, end)
            while at >= 0:
                behind = at + len(name)
                if text[behind] in _NAME_CHARACTERS:  # the name goes on
                    at = text.find(name, behind, end)
                else:
                    self._lines.add(text.rfind("\n", 0, at) + 1)
                    at = text.find(name, text.find("\n", behind), end)

    def _add_between(self) -> list[int]:
        """Add, in each block with both, what stands between the first load of a chain and the last store.

        The lines behind whose operands matching looks: all those, and the accesses and arithmetic elsewhere.
        """
        text = self._text
        updates: dict[int, list[int]] = {}  # by block: from where to where
        opened = []
        for line in sorted(self._lines):
            kind = _OPEN.match(text, line)
            if kind is None:
                continue
            opened.append(line)
            block = bisect_right(self._labels, (line,))
            if kind[1] == "load":
                updates.setdefault(block, [line, line])
            elif kind[1] is None and block in updates:
                updates[block][1] = line
        for first, last in updates.values():
            while first < last:
                self._lines.add(first)
                opened.append(first)
                first = text.find("\n", first) + 1
        return opened

    def _add_definitions(self, pending: list[int], seen: set[str]) -> bool:
        """Add what defines the values in `pending` lines, and so on; False if it is too much.

        The values of `seen` have been looked for. Arguments have no line.
        """
        text, start, end = self._text, self._start, self._end
        while pending:
            line = pending.pop()
            for name in _LOCAL.findall(text, line, text.find("\n", line)):
                if name in seen:
                    continue
                if len(seen) > MOST_NAMES:
                    return False
                seen.add(name)
                found = text.find(f"\n  {name} = ", start, end) + 1
                if found and found not in self._lines:
                    self._lines.add(found)
                    if _OPEN.match(text, found):
                        pending.append(found)
        return True

    def _joined(self) -> list[Run]:
        """The lines in order, neighbours of one block joined."""
        text = self._text
        runs: list[Run] = []
        start = end = -1
        for line in sorted(self._lines):
            if line != end:
                if end >= 0:
                    runs.append(Run(start, end, self._label(start)))
                start = line
            end = text.find("\n", line) + 1
        if end >= 0:
            runs.append(Run(start, end, self._label(start)))
        return runs

    def _label(self, line: int) -> str | None:
        block = bisect_right(self._labels, (line,))
        return self._labels[block - 1][1] if block else None

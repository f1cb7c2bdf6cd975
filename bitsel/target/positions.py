"""Where the keys and values of a TOML text stand, for error messages.

The TOML reader gives values without places. This scanner gives places without values: it walks a text that is
known to be good TOML and notes the line and column (from 1) of every key and value by its path. It runs only
when there is an error to report::

    >>> places('[target]\\nname = "x"\\n').value[("target", "name")]
    (2, 8)

A path holds keys and, in arrays, indices: the second ``[[insn]]`` is ``("insn", 1)``.
"""

from __future__ import annotations

import re
from typing import Union

from attrs import field, frozen

Path = tuple[Union[str, int], ...]

_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}' + r"|'''.*?'{3,5}" + r'|"(?:[^"\\\n]|\\.)*"' + r"|'[^'\n]*'", re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\n]+")


@frozen
class Places:
    """Line and column of keys (of a table: its header) and of values, by path."""

    key: dict[Path, tuple[int, int]] = field(factory=dict)
    value: dict[Path, tuple[int, int]] = field(factory=dict)

    def of(self, path: Path) -> tuple[int, int]:
        """The place of the value at `path`, else of its key, else of what is around it; (0, 0) if nothing is."""
        while path:
            for known in (self.value, self.key):
                if path in known:
                    return known[path]
            path = path[:-1]
        return (0, 0)

    def of_key(self, path: Path) -> tuple[int, int]:
        return self.key.get(path) or self.of(path)


def places(text: str) -> Places:
    """The places of everything in `text`, which must be valid TOML."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found = Places()
        self.tables: dict[Path, int] = {}  # how often [[path]] was seen

    def document(self) -> None:
        table: Path = ()
        while self.skip(_BLANK) < len(self.text):
            start = self.at
            if self.text[self.at] == "[":
                table = self.header(start)
            else:
                self.pair(table)

    def header(self, start: int) -> Path:
        """A ``[table]`` or ``[[table]]`` line; gives the path of what follows."""
        depth = 2 if self.text.startswith("[[", self.at) else 1
        self.at += depth
        self.skip(_SPACE)
        path = self.resolve(self.dotted())
        self.skip(_SPACE)
        self.at += depth
        if depth == 2:
            count = self.tables.get(path, 0)
            self.tables[path] = count + 1
            path = (*path, count)
        self.found.key[path] = self.place(start)
        return path

    def resolve(self, names: Path) -> Path:
        """`names` with the current index put in after each array of tables on the way."""
        path: Path = ()
        for i, name in enumerate(names):
            path = (*path, name)
            if i + 1 < len(names) and path in self.tables:
                path = (*path, self.tables[path] - 1)
        return path

    def pair(self, table: Path) -> None:
        start = self.at
        path = (*table, *self.dotted())
        for length in range(len(table) + 1, len(path) + 1):
            self.found.key.setdefault(path[:length], self.place(start))
        self.skip(_SPACE)
        self.at += 1  # the equals sign
        self.skip(_SPACE)
        self.value(path)

    def dotted(self) -> Path:
        names = [self.name()]
        while True:
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return tuple(names)
            self.at += 1
            self.skip(_SPACE)
            names.append(self.name())

    def name(self) -> str:
        quoted = self.text[self.at : self.at + 1] in ("'", '"')
        found = (_STRING if quoted else _BARE).match(self.text, self.at)
        if found is None:  # not TOML, though the reader took it: stop here rather than loop
            self.at = len(self.text)
            return ""
        self.at = found.end()
        return found.group()[1:-1] if quoted else found.group()

    def value(self, path: Path) -> None:
        self.found.value[path] = self.place(self.at)
        match self.text[self.at : self.at + 1]:
            case "[":
                self.sequence(path, "]")
            case "{":
                self.sequence(path, "}")
            case '"' | "'":
                found = _STRING.match(self.text, self.at)
                self.at = found.end() if found else len(self.text)
            case _:
                found = _SCALAR.match(self.text, self.at)
                self.at = found.end() if found else len(self.text)

    def sequence(self, path: Path, close: str) -> None:
        """An array or an inline table, from its opening bracket on."""
        self.at += 1
        index = 0
        while self.skip(_BLANK) < len(self.text) and self.text[self.at] != close:
            if self.text[self.at] == ",":
                self.at += 1
            elif close == "]":
                self.value((*path, index))
                index += 1
            else:
                self.pair(path)
        self.at += 1

    def skip(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.at)
        assert found is not None, "the pattern matches the empty text"
        self.at = found.end()
        return self.at

    def place(self, offset: int) -> tuple[int, int]:
        line = self.text.count("\n", 0, offset) + 1
        return line, offset - (self.text.rfind("\n", 0, offset) + 1) + 1

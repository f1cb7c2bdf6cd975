"""Debug locations: from an instruction's ``!dbg !N`` to a file name and a line.

``!DILocation`` names a line and a scope; the scope's chain of lexical blocks ends at a subprogram, and the first
file on the way is the location's. Where code was inlined, the location is the one in the inlined function. Metadata
is indexed once, by number, as an array of text offsets.
"""

from __future__ import annotations

import re
from array import array
from functools import cached_property

from bitsel.frontends.llvm.syntax import decode

_ATTACHED = re.compile(r"!dbg !(?:(\d+)|DILocation\(([^)\n]*)\))", re.ASCII)
_DEFINITION = re.compile(r"\n!(\d{1,10}) = ", re.ASCII)
_LOCATION = re.compile(r"(?:distinct )?!DILocation\(([^\n]*)\)")
_LINE = re.compile(r"\bline: (\d{1,10})", re.ASCII)
_SCOPE = re.compile(r"\bscope: !(\d+)", re.ASCII)
_FILE = re.compile(r"\bfile: !(\d+)", re.ASCII)
_FILE_NAME = re.compile(r'!DIFile\(filename: "([^"\n]*)"')
_STRING = re.compile(r'"[^"\n]*"')
_LONGEST_CHAIN = 1000


class DebugInfo:
    """The debug metadata of one module's text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._files: dict[str, str | None] = {}

    def location(self, start: int, end: int) -> tuple[str, int] | None:
        """File and line of the instruction at text[start:end]; None where it has none."""
        attached = _ATTACHED.search(self._text, start, end)
        if attached is None:
            return None
        fields = attached[2]
        if fields is None:
            location = _LOCATION.match(self._definition(attached[1]))
            if location is None:
                return None
            fields = location[1]
        line, scope = _LINE.search(fields), _SCOPE.search(fields)
        if line is None or scope is None or line[1] == "0":  # line 0: code that no line stands for
            return None
        file = self._file_of(scope[1])
        return None if file is None else (file, int(line[1]))

    def _file_of(self, scope: str) -> str | None:
        """The file name of a scope: its own file, or that of the scope around it."""
        if scope not in self._files:
            self._files[scope] = self._find_file(scope)
        return self._files[scope]

    def _find_file(self, scope: str) -> str | None:
        for _ in range(_LONGEST_CHAIN):
            fields = _STRING.sub("", self._definition(scope))
            if file := _FILE.search(fields):
                name = _FILE_NAME.search(self._definition(file[1]))
                return decode(name[1]) if name else None
            outer = _SCOPE.search(fields)
            if outer is None:
                return None
            scope = outer[1]
        return None

    def _definition(self, number: str) -> str:
        """The text behind ``!number = ``; empty if there is none."""
        index = int(number) if len(number) <= 10 else len(self._offsets)
        start = self._offsets[index] if index < len(self._offsets) else 0
        if not start:
            return ""
        end = self._text.find("\n", start)
        return self._text[start : end if end >= 0 else len(self._text)]

    @cached_property
    def _offsets(self) -> array[int]:
        """By metadata number: where the text behind ``!number = `` begins; 0 for none."""
        offsets = array("Q")
        most = len(self._text) // 8  # compilers number densely: a definition takes more characters than that
        for match in _DEFINITION.finditer(self._text):
            number = int(match[1])
            if number < most:
                if number >= len(offsets):
                    offsets.extend([0] * (number + 1 - len(offsets)))
                offsets[number] = match.end()
        return offsets

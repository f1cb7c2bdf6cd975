"""Where a module's named things are defined: types, globals, functions, attribute groups.

Each index is a dictionary from name to text offset, made by one pass of a regular expression when something
first asks for it; the definitions themselves are read one by one, on demand.
"""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen

from bitsel.frontends.llvm.syntax import NAME, closing, unquote

_TYPE = re.compile(rf"\n[ \t]*%({NAME})[ \t]*=[ \t]*type\b", re.ASCII)
_GLOBAL = re.compile(rf"\n[ \t]*@({NAME})[ \t]*=", re.ASCII)
_FUNCTION = re.compile(
    rf'\n[ \t]*(?:declare|define)\b[^@"\n]*(?:"[^"\n]*"[^@"\n]*)*@({NAME})[ \t]*(?=\()', re.ASCII
)
_ATTRIBUTES = re.compile(r"\n[ \t]*attributes[ \t]+#(\d+)[ \t]*=[ \t]*\{([^\n]*)", re.ASCII)

_LONGEST_PARAMETERS = 100_000  # what keeps an unclosed parenthesis from costing a whole large file

_SECTION = re.compile(r';.*|c?"[^"]*"|,[ \t]*section[ \t]*"([^"]*)"')
_LINKAGE = re.compile(r"(global|constant|alias|ifunc)\b", re.ASCII)
_SPACE = re.compile(r"\baddrspace\((\d{1,8})\)", re.ASCII)
_INTERPOSABLE = re.compile(r"\b(?:weak|linkonce|extern_weak|common)\b", re.ASCII)


@frozen
class Global:
    """A global variable, alias or ifunc: `kind` is its keyword, `rest` the text behind it.

    `interposable`: the linker may replace the definition by another one.
    """

    kind: str
    space: int
    thread_local: bool
    interposable: bool
    section: str | None
    rest: str


class Entities:
    """The named entities of one module's text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def type_definition(self, name: str) -> str | None:
        """The text behind ``%name = type``."""
        end = self._types.get(name)
        return None if end is None else self._rest_of_line(end)

    def global_(self, name: str) -> Global | None:
        """The global variable, alias or ifunc of that (unquoted) name; None for functions and undefined names."""
        start = self._globals.get(name)
        if start is None:
            return None
        line = self._rest_of_line(start)
        keyword = _LINKAGE.search(line)
        if keyword is None:
            return None
        prefix, rest = line[: keyword.start()], line[keyword.end() :]
        space = _SPACE.search(prefix)
        sections = [found[1] for found in _SECTION.finditer(rest) if found[1] is not None]
        return Global(
            kind=keyword[1],
            space=int(space[1]) if space else 0,
            thread_local="thread_local" in prefix,
            interposable=_INTERPOSABLE.search(prefix) is not None,
            section=sections[0] if sections else None,
            rest=rest,
        )

    def function_attributes(self, name: str) -> str:
        """What stands behind the parameters of the function's declaration or definition; empty if there is none."""
        opening = self._functions.get(name)
        if opening is None:
            return ""
        end = closing(self._text, opening, min(opening + _LONGEST_PARAMETERS, len(self._text)))
        return self._rest_of_line(end + 1) if end >= 0 else ""

    def attribute_group(self, number: str) -> str:
        """The inside of ``attributes #number = { … }``."""
        return self._attribute_groups.get(number, "")

    @cached_property
    def _types(self) -> dict[str, int]:
        return self._offsets(_TYPE)

    @cached_property
    def _globals(self) -> dict[str, int]:
        return self._offsets(_GLOBAL)

    @cached_property
    def _functions(self) -> dict[str, int]:
        return self._offsets(_FUNCTION)

    @cached_property
    def _attribute_groups(self) -> dict[str, str]:
        return {match[1]: match[2] for match in _ATTRIBUTES.finditer(self._text)}

    def _offsets(self, pattern: re.Pattern[str]) -> dict[str, int]:
        """Name -> offset behind the match."""
        found = {unquote(match[1]): match.end() for match in pattern.finditer(self._text)}
        # The patterns begin with a line end, to be searched for quickly; the first line has none before it.
        if first := pattern.match("\n" + self._rest_of_line(0)):
            found.setdefault(unquote(first[1]), first.end() - 1)
        return found

    def _rest_of_line(self, start: int) -> str:
        end = self._text.find("\n", start)
        return self._text[start : end if end >= 0 else len(self._text)]

"""A module as the rest of bitsel sees it: its data layout, its functions one by one, debug locations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bitsel.errors import InputError, Location
from bitsel.frontends.llvm.body import Shared
from bitsel.frontends.llvm.constants import Constants
from bitsel.frontends.llvm.debug import DebugInfo
from bitsel.frontends.llvm.effects import CallEffects
from bitsel.frontends.llvm.entities import Entities
from bitsel.frontends.llvm.lower import lower
from bitsel.frontends.llvm.parts import find_runs
from bitsel.frontends.llvm.scan import (
    chain_names,
    check_end,
    find_at_line_start,
    function_extents,
    function_header,
)
from bitsel.frontends.llvm.syntax import NAME
from bitsel.frontends.llvm.types import Types, misspelled
from bitsel.ir import DataLayout, Function, Node, Span

_DATA_LAYOUT = re.compile(r'target datalayout\s*=\s*"([^"\n]*)"')
_BARE_RETURN = re.compile(r"\r(?!\n)")
_BLANK = re.compile(r"(?:\s+|;[^\n]*)*")
_ENTITY = re.compile(
    rf"""(?:define|declare|target|module|attributes|uselistorder|uselistorder_bb)[ \t]
    |source_filename[ \t]*=|(?:[@%!$]{NAME}|\^\d+)[ \t]*=""",
    re.VERBOSE | re.ASCII,
)
_BRACKET = re.compile(r'"[^"]*"?|;.*|[(\[{]|[)\]}]')


class Module:
    """LLVM IR text from the file `path`, read as far as it is asked for."""

    def __init__(self, text: str, path: str, default: DataLayout) -> None:
        """`default` is the data layout of a module that states none.

        InputError if the text holds no module-level entity, or breaks off.
        """
        if "\r" in text:
            # LLVM takes any whitespace as a line end where one is needed; here one character stands for another.
            text = _BARE_RETURN.sub("\n", text)
        _check(text, path)
        self.path = path
        self.function_count = 0
        self._text = text
        entities = Entities(text)
        types = Types(_data_layout(text, path), default, entities.type_definition)
        self.layout = types.layout
        self.states_layout = types.aligned
        self._debug = DebugInfo(text)
        self._shared = Shared(text, types, Constants(types, entities), CallEffects(entities))

    def functions(self, *, whole: bool = False) -> Iterator[Function]:
        """The functions a site can be in, in source order; afterwards `function_count` counts all definitions.

        Of a function there is as much as matching its sites asks for; all of it if `whole`. InputError where a
        function has no end.
        """
        text = self._text
        count, line, counted = 0, 1, 0
        for extent in function_extents(text, self.path):
            count += 1
            self.function_count = count
            chains = chain_names(text, extent)
            if chains is not None and not chains:
                continue
            head = function_header(text, self.path, extent)
            first = line + text.count("\n", counted, extent.start)
            line += text.count("\n", counted, head.body)
            counted = head.body
            runs = find_runs(text, head.body, extent.end - 1, chains) if chains and not whole else None
            yield lower(self._shared, head, Span(extent.start, extent.end, first), line, runs)

    def debug_location(self, node: Node) -> tuple[str, int] | None:
        """The source file and line that `node`'s instruction was compiled from, if the module says so."""
        return self._debug.location(node.span.start, node.span.end) if node.span else None


def _data_layout(text: str, path: str) -> str | None:
    """What ``target datalayout`` says; None without it, InputError if it is none."""
    at = find_at_line_start(text, "target datalayout")
    if at < 0:
        return None
    match = _DATA_LAYOUT.match(text, at)
    if match is None:
        raise _error(text, path, at, "expected 'target datalayout = \"<specifications>\"'")
    wrong = misspelled(match[1])
    if wrong is not None:
        raise _error(
            text, path, at, f'expected a data layout such as "e-p:16:16-i32:16": {wrong!r} is no specification'
        )
    return match[1]


def _check(text: str, path: str) -> None:
    """Refuse what is no LLVM IR, and a file that was cut off, before anything is reported about it."""
    blank = _BLANK.match(text)
    start = blank.end() if blank else 0
    if _ENTITY.match(text, start) is None:
        raise _error(text, path, start, "expected LLVM IR: no module-level entity found", _how_to_compile(path))
    check_end(text, path)
    last_line = text.rfind("\n") + 1
    if not _is_balanced(text[last_line:]):
        raise _error(text, path, last_line, "the file ends inside this line: expected its closing bracket or quote")


def _is_balanced(line: str) -> bool:
    depth = 0
    for match in _BRACKET.finditer(line):
        piece = match[0]
        if piece[0] == '"' and (len(piece) == 1 or piece[-1] != '"'):
            return False
        depth += (piece in "([{") - (piece in ")]}")
    return depth <= 0


def _how_to_compile(path: str) -> str | None:
    """What makes LLVM IR of the file, where its name says that it is C or C++."""
    stem, _, ending = path.rpartition(".")
    compiler = {"c": "clang", **dict.fromkeys(("cc", "cpp", "cxx", "C"), "clang++")}.get(ending)
    if compiler is None:
        return None
    # A machine with 16-bit pointers, little-endian: what clang has that is like the targets here.
    return f"compile it first: {compiler} --target=msp430 -O2 -S -emit-llvm -o {stem}.ll {path}"


def _error(text: str, path: str, at: int, message: str, hint: str | None = None) -> InputError:
    return InputError(message, Location(path, text.count("\n", 0, at) + 1), hint=hint)

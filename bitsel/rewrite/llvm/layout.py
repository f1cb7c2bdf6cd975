"""Where the instructions of one function stand in its text, and what may be spliced there.

An instruction is rewritten where it has its lines to itself, as compilers print it. One whose value has no number
is taken away with its line; the others leave a value of the same name and type behind, since numbers count values
in order, and debug records may speak of it. That value is no code::

    %4 = bitcast i8 undef to i8
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from bitsel.frontends.llvm.body import plain
from bitsel.frontends.llvm.syntax import NAME
from bitsel.ir import Function, Node
from bitsel.rewrite.llvm.kept import Kept
from bitsel.rewrite.llvm.spelling import integer_type
from bitsel.rewrite.result import Splice

_NAMES = re.compile(rf'(%{NAME})|"[^"\r\n]*"|;[^\r\n]*', re.ASCII)
_DEBUG = re.compile(r"#dbg_\w+\(|\bcall\b[^\n]*@llvm\.dbg\.")
_BLANK = re.compile(r"[ \t]*")
_TO_LINE_END = re.compile(r"[ \t]*(;[^\r\n]*)?(?=\r?\n|\r|$)")
_LINE_END = re.compile(r"\r?\n|\r")


class Layout:
    """The text around the instructions of `function`."""

    def __init__(self, text: str, function: Function) -> None:
        assert function.span is not None
        self.text = text
        self._span = function.span
        self._fresh = 0

    def spelled(self, node: Node) -> str:
        start, end = _ends(node)
        return self.text[start:end]

    def indent(self, node: Node) -> str:
        """What separates `node` from an instruction put before it: a line end, and the blanks it begins with."""
        start, _ = _ends(node)
        before = self._line_start(start)
        end = "\r\n" if self.text[before - 2 : before] == "\r\n" else self.text[before - 1]
        return end + self.text[before:start]

    def check(self, node: Node) -> None:
        """Kept unless `node` has one line to itself."""
        start, end = _ends(node)
        before = self._line_start(start)
        if (
            before <= self._span.start
            or _BLANK.fullmatch(self.text, before, start) is None
            or _TO_LINE_END.match(self.text, end) is None
            or any(char in self.text[start:end] for char in ";\r\n")
        ):
            raise Kept(
                f"the instruction at line {node.span.line if node.span else 0} does not have one line to itself"
            )

    def mentioned(self, node: Node, chain: frozenset[Node]) -> bool:
        """Whether a debug record speaks of `node`'s value. Kept where anything else does but the instructions of
        `chain`."""
        if node.name is None:
            return False
        spans = [_ends(each) for each in chain]
        mentioned = False
        for at in self._mentions.get(plain(node.name), ()):
            if any(start <= at < end for start, end in spans):
                continue
            if not _DEBUG.search(self.text, self._line_start(at), at):
                raise Kept(f"{node.name} is named elsewhere too")
            mentioned = True
        return mentioned

    def without(self, node: Node, *, keep_name: bool) -> Splice | None:
        """`node` gone: its line too, unless its name is needed. None where nothing stands for it."""
        start, end = _ends(node)
        if node.name is None:
            return None
        if keep_name or node.name[1:].isdecimal():
            return Splice(start, end, placeholder(node, self.spelled(node)))
        behind = _TO_LINE_END.match(self.text, end)
        assert behind is not None
        if behind[1]:  # a comment stays, where it is
            return Splice(start, end, "")
        line_end = _LINE_END.match(self.text, behind.end())
        return Splice(self._line_start(start), line_end.end() if line_end else behind.end(), "")

    def fresh_names(self) -> Iterator[str]:
        """Names that no value of the function has."""
        while True:
            name = f"%bitsel.{self._fresh}"
            self._fresh += 1
            if name not in self._mentions:
                yield name

    def _line_start(self, at: int) -> int:
        return max(self.text.rfind("\n", 0, at), self.text.rfind("\r", self._span.start, at)) + 1

    @cached_property
    def _mentions(self) -> dict[str, list[int]]:
        """Where the function's text has each local name."""
        found: dict[str, list[int]] = {}
        for match in _NAMES.finditer(self.text, self._span.start, self._span.end):
            if match[1]:
                found.setdefault(plain(match[1]), []).append(match.start())
        return found


def placeholder(node: Node, spelled: str) -> str:
    """A value of `node`'s name and type, of which no code comes."""
    type_ = integer_type(node, spelled)
    return f"{node.name} = bitcast {type_} undef to {type_}"


def _ends(node: Node) -> tuple[int, int]:
    assert node.span is not None
    return node.span.start, node.span.end

"""Lowering one function's text to the core IR, line by line.

The opcode picks a reader from `instructions`; what that does not match is read by tokens (`careful`). What is
not understood then, or not known at all, becomes an `Opaque` that uses every name it mentions and may do
anything to memory::

    %0 = load i8, ptr @flags       Load(pointer=Symbol("flags"), access=Access(8), name="%0")
    %1 = frobnicate i8 %0          Opaque(opcode="frobnicate", inputs=(%0,), reads=writes=ordered=True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bitsel.frontends.llvm.body import Body, Shared
from bitsel.frontends.llvm.careful import read_carefully, read_unknown
from bitsel.frontends.llvm.effects import ANYTHING
from bitsel.frontends.llvm.instructions import READERS
from bitsel.frontends.llvm.parts import Run
from bitsel.frontends.llvm.scan import Header
from bitsel.frontends.llvm.syntax import NAME, NotUnderstood, skip_blanks, unquote
from bitsel.ir import Function, Span


def _parentheses(depth: int) -> str:
    """A regular expression for parentheses on one line that nest up to `depth` more."""
    inner = rf"|{_parentheses(depth - 1)}" if depth else ""
    return rf"\((?:[^()\n]{inner})*\)"


_HEAD = re.compile(rf"[ \t]*((?:(%{NAME})\s*=\s*)?([a-z]\w*)(?=[ \t\r\n]|$))", re.ASCII)
_LABEL = re.compile(rf"[ \t]*({NAME}):", re.ASCII)
#: How LLVM up to 8 announced a block without a name, behind a terminator.
_OLD_LABEL = re.compile(r"[ \t]*;[ \t]*<label>:(\d+)[^\n]*", re.ASCII)
#: Nothing, a debug record, a comment.
_IGNORED = re.compile(rf"[ \t]*(?:#dbg_\w+{_parentheses(4)})?[ \t\r]*(?:;[^\n]*)?(?=\n|$)")


_TERMINATORS = frozenset(
    (
        *("ret", "br", "switch", "indirectbr", "invoke", "callbr", "resume", "unreachable"),
        *("cleanupret", "catchret", "catchswitch"),
    )
)


def lower(shared: Shared, header: Header, span: Span, line: int, runs: Iterable[Run] | None = None) -> Function:
    """The function whose definition is `span`; `line` is the line of the header's brace.

    With `runs`, no more than these lines of it.
    """
    limit = span.end - 1
    body = Body(shared, header, limit)
    at = header.body
    if runs is None:
        if body.text.startswith("\n", at):
            at, line = at + 1, line + 1
        _lower_lines(body, at, limit, line)
        return body.finish(header.name, span)
    label = None
    for run in runs:
        if run.label != label:
            label = run.label
            body.begin_block(label)
        line += body.text.count("\n", at, run.start)
        at = run.start
        _lower_lines(body, at, run.end, line)
    return body.finish(header.name, span)


def _lower_lines(body: Body, at: int, limit: int, line: int) -> None:
    """Lower text[at:limit], which begins at the beginning of a line, `line`."""
    text = body.text
    terminated = False  # the last instruction ended its block
    while at < limit:
        head = _HEAD.match(text, at, limit)
        if head is not None:
            start, at = head.span(1)
            name, opcode = head.group(2, 3)
            if terminated:
                body.begin_block(None)
            try:
                end = READERS.get(opcode, read_carefully)(body, name, opcode, start, at, line)
            except NotUnderstood:
                end = read_carefully(body, name, opcode, start, at, line)
            terminated = opcode in _TERMINATORS
        elif label := _label(text, at, limit, terminated):
            body.begin_block(unquote(label[1]))
            terminated = False
            start = end = label.end()
        elif ignored := _IGNORED.match(text, at, limit):
            start = end = ignored.end()
        else:
            if terminated:
                body.begin_block(None)
            start = skip_blanks(text, at, limit)
            end = read_unknown(body, None, "", start, start, line, ANYTHING)
            terminated = False
        line += text.count("\n", start, end)
        if not text.startswith("\n", end):
            blank = _IGNORED.match(text, end, limit)
            if blank is None:  # another instruction on this line
                at = end
                continue
            end = blank.end()
        at = end + 1
        line += 1


def _label(text: str, at: int, limit: int, terminated: bool) -> re.Match[str] | None:
    return _LABEL.match(text, at, limit) or (_OLD_LABEL.match(text, at, limit) if terminated else None)

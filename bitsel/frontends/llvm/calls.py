"""Reading calls: what is called, with which arguments, and what that may do to memory.

Debug intrinsics (``llvm.dbg.*``) leave no node; lifetime intrinsics become markers. A call through a pointer,
of inline assembly, or with operand bundles may do anything.
"""

from __future__ import annotations

import re

from attrs import evolve

from bitsel.frontends.llvm.body import Body
from bitsel.frontends.llvm.careful import hides_another, read_unknown
from bitsel.frontends.llvm.effects import ANYTHING, Effects
from bitsel.frontends.llvm.results import result_width
from bitsel.frontends.llvm.syntax import (
    NAME,
    Cursor,
    NotUnderstood,
    closing,
    instruction_end,
    split_list,
    tokenize,
    unquote,
)
from bitsel.ir import Node, Opaque, Span

_CALLEE = re.compile(rf"@({NAME})[ \t]*\(", re.ASCII)
_MEMORY = re.compile(r"\bmemory\([^()]*\)", re.ASCII)
_RESULT = re.compile(r"[ \t](i[1-9]\d{0,6}|ptr)[ \t]$", re.ASCII)
_COPIES = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")
_CONSTANT_WORDS = frozenset(
    ("getelementptr", "bitcast", "inttoptr", "addrspacecast", "null", "undef", "poison", "zeroinitializer")
)


def read_call(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    """Read a call or invoke from behind its opcode (``tail``, ``musttail`` and ``notail`` are calls); its end."""
    text = body.text
    opcode = opcode if opcode == "invoke" else "call"
    end = instruction_end(text, start, body.limit)
    callee = _CALLEE.search(text, at, end)
    # Quotes before the callee: inline assembly, or attributes that could hold anything.
    if callee is None or text.find('"', at, callee.start()) >= 0:
        twice = body.shared.calls.of(None, text[at:end]).returns_twice
        return read_unknown(body, name, opcode, start, at, line, evolve(ANYTHING, returns_twice=twice))
    called = unquote(callee[1])
    opening = callee.end() - 1
    close = closing(text, opening, end)
    if close < 0 or hides_another(_MEMORY.sub("", text[close + 1 : end]), 0, end):
        return read_unknown(body, name, opcode, start, at, line, ANYTHING)
    if called.startswith("llvm.dbg."):
        return end
    inputs = body.names(callee.end(), end)
    span = Span(start, end, line)
    if called.startswith("llvm.lifetime."):
        # Besides a number, its only operand is the slot's address.
        body.nodes.append(Opaque(opcode=opcode, inputs=inputs, writes=True, through=inputs, marker=True, span=span))
        return end
    effects = _effects(body, called, text[opening + 1 : close], text[close + 1 : end])
    limited = effects.arguments_only and (effects.reads or effects.writes)
    node = Opaque(
        opcode=opcode,
        inputs=inputs,
        reads=effects.reads,
        writes=effects.writes,
        through=_pointer_arguments(body, text[opening + 1 : close]) if limited else None,
        ordered=effects.orders_volatile,
        returns_twice=effects.returns_twice,
        width=_result_width(body, opcode, at, callee) if name else 0,
        name=name,
        span=span,
    )
    body.define(name, node)
    return end


def _effects(body: Body, callee: str, arguments: str, behind: str) -> Effects:
    """The call's effects, by its callee and what stands behind the arguments."""
    effects = body.shared.calls.of(callee, behind)
    if "[" in behind and callee != "llvm.assume":  # operand bundles may do more than the callee
        return evolve(ANYTHING, returns_twice=effects.returns_twice)
    if callee.startswith(_COPIES):
        # A copy is a volatile access only if its last argument says so.
        return evolve(effects, ordered=arguments.rpartition(",")[2].split() != ["i1", "false"])
    return effects


def _pointer_arguments(body: Body, arguments: str) -> tuple[Node, ...] | None:
    """The pointers among the arguments; None if that is not certain."""
    found = []
    try:
        for text in split_list(arguments):
            cursor = Cursor(tokenize(text))
            type_ = body.shared.types.read(cursor)
            if type_.kind in ("int", "float"):
                continue
            if type_.kind != "pointer":
                return None
            _skip_attributes(cursor)
            found.append(body.operand(cursor, type_))
            if cursor.peek():
                return None
    except NotUnderstood:
        return None
    return tuple(found)


def _skip_attributes(cursor: Cursor) -> None:
    """Skip parameter attributes up to the argument's value."""
    while True:
        token = cursor.peek()
        if token == "align" and cursor.tokens[cursor.at + 1 : cursor.at + 2] != ["("]:
            cursor.at += 2
        elif token[:1].isalpha() and token not in _CONSTANT_WORDS:
            cursor.next()
            if cursor.peek() == "(":
                cursor.skip_brackets()
        else:
            return


def _result_width(body: Body, opcode: str, at: int, callee: re.Match[str]) -> int:
    if match := _RESULT.search(body.text, at, callee.start()):
        return body.shared.types.width(body.shared.types.parse(match[1]))
    return result_width(body, opcode, Cursor(tokenize(body.text, at, callee.end())))

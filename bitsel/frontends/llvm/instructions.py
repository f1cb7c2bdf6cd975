"""Reading the common instructions the way compilers print them: one regular expression each.

A reader gets the instruction from behind its opcode (`at`), adds its node to the body, and returns where it
ends. One that does not find what it expects raises `NotUnderstood`; the instruction is then read by tokens
(`careful`), so an expression here may be as narrow as speed wants.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from bitsel.frontends.llvm.body import Body
from bitsel.frontends.llvm.calls import read_call
from bitsel.frontends.llvm.careful import read_indices, slot_size
from bitsel.frontends.llvm.constants import BinaryOp, cast_kind
from bitsel.frontends.llvm.gep import GepPath, lower_gep
from bitsel.frontends.llvm.syntax import PLAIN_NAME, Cursor, NotUnderstood, tokenize
from bitsel.ir import Access, Binary, Load, Node, Opaque, Span, StackSlot, Store

_LOCAL = rf"%{PLAIN_NAME}"
_INT = r"i[1-9]\d{0,6}"
_VALUE_TYPE = rf"({_INT}\**|ptr|{_LOCAL}\*+)"
_POINTER_TYPE = r'(ptr(?: addrspace\(\d{1,8}\))?|[^\s,;"(){}<>\[\]]+\*)'
_SIMPLE = rf"({_LOCAL}|@{PLAIN_NAME}|-?\w+)"
# A name, or a constant up to what follows; the bound keeps absurd lines from costing quadratic time.
_OPERAND = rf'([%@]{PLAIN_NAME}|(?![%"])[^\n;"]{{1,400}}?)'
_ALIGN = r"(?:, align (\d{1,9}))?"
_END = r"(?:, ![\w.]+ !\d+)*(?=[ \t\r]*(?:[\n;]|$))"


def _line(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern + _END, re.ASCII)


_LOAD = _line(rf" (volatile )?{_VALUE_TYPE}, {_POINTER_TYPE} {_OPERAND}{_ALIGN}")
_STORE = _line(rf" (volatile )?{_VALUE_TYPE} {_SIMPLE}, {_POINTER_TYPE} {_OPERAND}{_ALIGN}")
_BINARY = _line(rf"(?: (?:nuw|nsw|disjoint))* ({_INT}) {_SIMPLE}, {_SIMPLE}")
_CAST = _line(rf"(?: (?:nneg|nuw|nsw))* {_VALUE_TYPE} ({_LOCAL}) to {_VALUE_TYPE}")
_FREEZE = _line(rf" {_VALUE_TYPE} ({_LOCAL})")
_GEP = _line(
    rf'(?: (?:inbounds|nusw|nuw))* ([^\n"!;(]{{1,400}}?), {_POINTER_TYPE} ({_LOCAL}|@{PLAIN_NAME})'
    rf"((?:, {_INT} (?:-?\d{{1,20}}|{_LOCAL}))+)"
)
_ALLOCA = _line(rf' ([^,\n;"!]+){_ALIGN}')
_PHI = _line(rf' {_VALUE_TYPE} (\[ [^\]\n;"]+ \](?:, \[ [^\]\n;"]+ \])*)')
_PHI_NAME = re.compile(rf"\[ ([%@]{PLAIN_NAME}),", re.ASCII)
_JUMP = _line(rf" (?:void|label {_LOCAL})")
_SHIFT_OR_DIVISION = _line(rf"(?: (?:exact|nuw|nsw))* ({_INT}) {_SIMPLE}, {_SIMPLE}")
_COMPARISON = _line(rf"(?: samesign)? \w+ {_VALUE_TYPE} {_SIMPLE}, {_SIMPLE}")
_SELECT = _line(rf" i1 ({_LOCAL}), {_VALUE_TYPE} {_SIMPLE}, {_VALUE_TYPE} {_SIMPLE}")
_RETURN = _line(rf" {_VALUE_TYPE} {_SIMPLE}")
_BRANCH = _line(rf" i1 ({_LOCAL}), label {_LOCAL}, label {_LOCAL}")


def _read_load(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = _LOAD.match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    volatile, type_, pointer_type, pointer_text, align = match.groups()
    access = _access(body, volatile, type_, pointer_type, align)
    pointer = body.value(pointer_type, pointer_text)
    end = match.end()
    body.define(
        name, Load(pointer=pointer, access=access, width=access.width, name=name, span=Span(start, end, line))
    )
    return end


def _read_store(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = _STORE.match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    volatile, type_, value_text, pointer_type, pointer_text, align = match.groups()
    access = _access(body, volatile, type_, pointer_type, align)
    value = body.value(type_, value_text)
    pointer = body.value(pointer_type, pointer_text)
    end = match.end()
    body.nodes.append(Store(pointer=pointer, value=value, access=access, span=Span(start, end, line)))
    return end


def _access(body: Body, volatile: str | None, type_: str, pointer_type: str, align: str | None) -> Access:
    shared = body.shared
    key = volatile, type_, pointer_type, align
    access = shared.accesses.get(key)
    if access is None:
        value, pointer = shared.types.parse(type_), shared.types.parse(pointer_type)
        access = shared.access(value, pointer, volatile is not None, None, int(align) if align else None)
        shared.accesses[key] = access
    return access


def _read_binary(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = _BINARY.match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    type_, lhs, rhs = match.groups()
    end = match.end()
    node = Binary(
        op=cast(BinaryOp, opcode),
        lhs=body.value(type_, lhs),
        rhs=body.value(type_, rhs),
        width=int(type_[1:]),
        name=name,
        span=Span(start, end, line),
    )
    body.define(name, node)
    return end


def _read_cast(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = (_FREEZE if opcode == "freeze" else _CAST).match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    source, operand = match.group(1, 2)
    target = source if opcode == "freeze" else match[3]
    shared = body.shared
    key = opcode, source, target
    kind = shared.casts.get(key)
    if kind is None:
        kind = cast_kind(shared.types, opcode, shared.types.parse(source), shared.types.parse(target))
        shared.casts[key] = kind
    end = match.end()
    value = body.value(source, operand)
    body.define(name, kind.of(value, name, Span(start, end, line)))
    return end


def _read_gep(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = _GEP.match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    source, pointer, base, indices = match.groups()
    end = match.end()
    path = _constant_path(body, source, pointer, indices) if "%" not in indices else None
    if path is None:
        path = _path(body, source, pointer, indices)
    for node in lower_gep(path, body.value(pointer, base), name, Span(start, end, line)):
        body.define(node.name, node)
    return end


def _constant_path(body: Body, source: str, pointer: str, indices: str) -> GepPath:
    key = source, pointer, indices
    path = body.shared.paths.get(key)
    if path is None:
        path = body.shared.paths[key] = _path(body, source, pointer, indices)
    return path


def _path(body: Body, source: str, pointer: str, indices: str) -> GepPath:
    types = body.shared.types
    return read_indices(body, Cursor(tokenize(indices)), types.parse(source), types.parse(pointer))


def _read_alloca(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = _ALLOCA.match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    types = body.shared.types
    size, space = slot_size(types, types.parse(match[1])), types.stack_space
    end = match.end()
    width = types.layout.bits(space)
    body.define(name, StackSlot(size=size, space=space, width=width, name=name, span=Span(start, end, line)))
    return end


def _read_phi(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = _PHI.match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    type_ = match[1]
    inputs = tuple(body.value(type_, found) for found in _PHI_NAME.findall(match[2]))
    width = body.shared.types.width(body.shared.types.parse(type_))
    end = match.end()
    body.define(name, Opaque(opcode=opcode, inputs=inputs, width=width, name=name, span=Span(start, end, line)))
    return end


def _read_jump(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    """``ret`` and ``br``."""
    if match := _JUMP.match(body.text, at, body.limit):
        inputs: tuple[Node, ...] = ()
    elif opcode == "ret" and (match := _RETURN.match(body.text, at, body.limit)):
        inputs = _values(body, match[1], match[2])
    elif opcode == "br" and (match := _BRANCH.match(body.text, at, body.limit)):
        inputs = _values(body, "i1", match[1])
    else:
        raise NotUnderstood
    end = match.end()
    body.nodes.append(Opaque(opcode=opcode, inputs=inputs, span=Span(start, end, line)))
    return end


def _read_select(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    match = _SELECT.match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    condition, type_, chosen, _, other = match.groups()
    inputs = (*_values(body, "i1", condition), *_values(body, type_, chosen, other))
    width = body.shared.types.width(body.shared.types.parse(type_))
    end = match.end()
    body.define(name, Opaque(opcode=opcode, inputs=inputs, width=width, name=name, span=Span(start, end, line)))
    return end


def _values(body: Body, type_: str, *operands: str) -> tuple[Node, ...]:
    """Those of the operands that are no constants: what an opaque instruction uses."""
    return tuple(body.value(type_, operand) for operand in operands if operand[0] in "%@")


def _read_arithmetic(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    """Integer arithmetic that is no `Binary`, and comparisons."""
    compares = opcode == "icmp"
    match = (_COMPARISON if compares else _SHIFT_OR_DIVISION).match(body.text, at, body.limit)
    if match is None:
        raise NotUnderstood
    type_, lhs, rhs = match.groups()
    inputs = _values(body, type_, lhs, rhs)
    end = match.end()
    width = 1 if compares else int(type_[1:])
    body.define(name, Opaque(opcode=opcode, inputs=inputs, width=width, name=name, span=Span(start, end, line)))
    return end


#: By opcode: (body, name, opcode, start, at, line) -> end.
READERS: dict[str, Callable[[Body, str | None, str, int, int, int], int]] = {
    "load": _read_load,
    "store": _read_store,
    "getelementptr": _read_gep,
    "alloca": _read_alloca,
    "phi": _read_phi,
    "select": _read_select,
    **dict.fromkeys(("and", "or", "xor", "add", "sub", "mul", "shl"), _read_binary),
    **dict.fromkeys(("zext", "sext", "trunc", "freeze", "bitcast", "ptrtoint", "inttoptr"), _read_cast),
    **dict.fromkeys(("lshr", "ashr", "udiv", "sdiv", "urem", "srem", "icmp"), _read_arithmetic),
    **dict.fromkeys(("ret", "br"), _read_jump),
    **dict.fromkeys(("call", "tail", "musttail", "notail", "invoke"), read_call),
}

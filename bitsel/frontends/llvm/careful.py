"""Reading instructions by tokens: every spelling of what is known, and anything at all as an opaque node.

This is the slow way, taken where the regular expressions of `instructions` do not match: atomics, old typed
pointers in address spaces, quoted names, types other than integers and pointers, hand-written text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from attrs import evolve

from bitsel.frontends.llvm.body import Body
from bitsel.frontends.llvm.constants import BinaryOp, cast_kind
from bitsel.frontends.llvm.effects import ANYTHING, NOTHING, Effects
from bitsel.frontends.llvm.gep import GepPath, lower_gep
from bitsel.frontends.llvm.results import result_width
from bitsel.frontends.llvm.syntax import Cursor, NotUnderstood, instruction_end, integer, tokenize
from bitsel.frontends.llvm.types import Type, Types
from bitsel.ir import AtomicRMW, Binary, Load, Opaque, Span, StackSlot, Store

_ORDERINGS = frozenset(("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"))
#: Instructions that touch no memory; the others that are not known may do anything.
_HARMLESS = frozenset(
    (
        *("add", "sub", "mul", "shl", "and", "or", "xor", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"),
        *("fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "icmp", "fcmp", "select", "phi", "freeze"),
        *("extractvalue", "insertvalue", "extractelement", "insertelement", "shufflevector"),
        *("getelementptr", "alloca", "zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "ptrtoaddr"),
        *("addrspacecast", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
        *("ret", "br", "switch", "indirectbr", "unreachable"),
    )
)

_ANOTHER = re.compile(
    r"(?<![-%@!.$\w])(?:store|load|call|invoke|callbr|atomicrmw|cmpxchg|fence|va_arg)\b|:", re.ASCII
)


def read_carefully(body: Body, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
    """Read an instruction by its tokens, from behind its opcode; an opaque node if that fails too. Its end."""
    reader = _READERS.get(opcode)
    if reader is not None:
        end = instruction_end(body.text, start, body.limit)
        try:
            reader(body, name, Cursor([opcode, *tokenize(body.text, at, end)]), Span(start, end, line))
        except NotUnderstood:
            pass
        else:
            return end
    return read_unknown(body, name, opcode, start, at, line, NOTHING if opcode in _HARMLESS else ANYTHING)


def hides_another(text: str, start: int, end: int) -> bool:
    """Whether a second instruction with effects, or a label, may stand in text[start:end].

    The language allows several instructions on a line, and damaged text may join them; compilers never do.
    """
    return _ANOTHER.search(text, start, end) is not None


def read_unknown(
    body: Body, name: str | None, opcode: str, start: int, at: int, line: int, effects: Effects
) -> int:
    """An opaque node that uses every name the instruction mentions; the instruction's end."""
    end = max(instruction_end(body.text, start, body.limit), at)
    if hides_another(body.text, at, end):
        effects = evolve(ANYTHING, returns_twice=effects.returns_twice)
    node = Opaque(
        opcode=opcode,
        inputs=body.names(at, end),
        reads=effects.reads,
        writes=effects.writes,
        ordered=effects.ordered,
        returns_twice=effects.returns_twice,
        width=result_width(body, opcode, Cursor(tokenize(body.text, at, end))) if name else 0,
        name=name,
        span=Span(start, end, line),
    )
    body.define(name, node)
    return end


def read_indices(body: Body, cursor: Cursor, source: Type, pointer: Type) -> GepPath:
    """The indices of a ``getelementptr``, up to its metadata."""
    path = GepPath(body.shared.types, source, pointer)
    while not cursor.at_metadata() and cursor.accept(","):
        index_type = body.shared.types.read(cursor)
        path.add(index_type, body.operand(cursor, index_type))
    return path


def slot_size(types: Types, type_: Type) -> int | None:
    """The size in bytes of an ``alloca`` of one element; None if it is not known."""
    try:
        return types.alloc_size(type_)
    except NotUnderstood:
        return None


def _read_load(body: Body, name: str | None, cursor: Cursor, span: Span) -> None:
    types = body.shared.types
    opcode, atomic, volatile = cursor.next(), cursor.accept("atomic"), cursor.accept("volatile")
    type_ = types.read(cursor)
    cursor.expect(",")
    pointer_type = types.read(cursor)
    pointer = body.operand(cursor, pointer_type)
    ordering, align = _read_access_tail(cursor, atomic)
    try:
        access = body.shared.access(type_, pointer_type, volatile, ordering, align)
    except NotUnderstood:
        places, ordered = (pointer,), atomic or volatile
        node = Opaque(
            opcode=opcode, inputs=places, reads=True, through=places, ordered=ordered, name=name, span=span
        )
        body.define(name, node)
    else:
        body.define(name, Load(pointer=pointer, access=access, width=access.width, name=name, span=span))


def _read_store(body: Body, name: str | None, cursor: Cursor, span: Span) -> None:
    types = body.shared.types
    opcode, atomic, volatile = cursor.next(), cursor.accept("atomic"), cursor.accept("volatile")
    type_ = types.read(cursor)
    value = body.operand(cursor, type_)
    cursor.expect(",")
    pointer_type = types.read(cursor)
    pointer = body.operand(cursor, pointer_type)
    ordering, align = _read_access_tail(cursor, atomic)
    try:
        access = body.shared.access(type_, pointer_type, volatile, ordering, align)
    except NotUnderstood:
        inputs, ordered = (value, pointer), atomic or volatile
        body.nodes.append(
            Opaque(opcode=opcode, inputs=inputs, writes=True, through=(pointer,), ordered=ordered, span=span)
        )
    else:
        body.nodes.append(Store(pointer=pointer, value=value, access=access, span=span))


def _read_atomicrmw(body: Body, name: str | None, cursor: Cursor, span: Span) -> None:
    types = body.shared.types
    cursor.next()
    volatile = cursor.accept("volatile")
    op = cursor.next()
    pointer_type = types.read(cursor)
    pointer = body.operand(cursor, pointer_type)
    cursor.expect(",")
    type_ = types.read(cursor)
    value = body.operand(cursor, type_)
    ordering, align = _read_access_tail(cursor, atomic=True)
    if align is None:
        align = (types.bits(type_) + 7) // 8  # what LLVM assumes where old text does not say
    access = body.shared.access(type_, pointer_type, volatile, ordering, align)
    node = AtomicRMW(op=op, pointer=pointer, value=value, access=access, width=access.width, name=name, span=span)
    body.define(name, node)


def _read_access_tail(cursor: Cursor, atomic: bool) -> tuple[str | None, int | None]:
    """What follows the operands of an access: ``syncscope(...)``, the ordering, ``align``, metadata."""
    ordering = None
    if atomic:
        if cursor.accept("syncscope"):
            cursor.skip_brackets()
        ordering = cursor.next()
        if ordering not in _ORDERINGS:
            raise NotUnderstood(ordering)
    align = None
    if not cursor.at_metadata() and cursor.accept(","):
        cursor.expect("align")
        align = integer(cursor.next())
        if align < 1:
            raise NotUnderstood("align")
    _expect_end(cursor)
    return ordering, align


def _read_binary(body: Body, name: str | None, cursor: Cursor, span: Span) -> None:
    op = cast(BinaryOp, cursor.next())
    while cursor.accept("nuw", "nsw", "disjoint"):
        pass
    type_ = body.shared.types.read(cursor)
    if type_.kind != "int":
        raise NotUnderstood("arithmetic on something else than integers")
    lhs = body.operand(cursor, type_)
    cursor.expect(",")
    rhs = body.operand(cursor, type_)
    _expect_end(cursor)
    body.define(name, Binary(op=op, lhs=lhs, rhs=rhs, width=type_.bits, name=name, span=span))


def _read_cast(body: Body, name: str | None, cursor: Cursor, span: Span) -> None:
    types = body.shared.types
    opcode = cursor.next()
    while cursor.accept("nneg", "nuw", "nsw"):
        pass
    source = target = types.read(cursor)
    value = body.operand(cursor, source)
    if opcode != "freeze":
        cursor.expect("to")
        target = types.read(cursor)
    _expect_end(cursor)
    body.define(name, cast_kind(types, opcode, source, target).of(value, name, span))


def _read_gep(body: Body, name: str | None, cursor: Cursor, span: Span) -> None:
    types = body.shared.types
    cursor.next()
    while cursor.accept("inbounds", "nusw", "nuw"):
        pass
    source = types.read(cursor)
    cursor.expect(",")
    pointer_type = types.read(cursor)
    base = body.operand(cursor, pointer_type)
    path = read_indices(body, cursor, source, pointer_type)
    _expect_end(cursor)
    for node in lower_gep(path, base, name, span):
        body.define(node.name, node)


def _read_alloca(body: Body, name: str | None, cursor: Cursor, span: Span) -> None:
    types = body.shared.types
    cursor.next()
    while cursor.accept("inalloca", "swifterror"):
        pass
    size = slot_size(types, types.read(cursor))
    space = types.stack_space
    while not cursor.at_metadata() and cursor.accept(","):
        if cursor.accept("align"):
            cursor.next()
        elif cursor.peek() == "addrspace":
            space = types.read_space(cursor)
        else:
            size = _read_count(body, cursor, size, span)
    _expect_end(cursor)
    width = types.layout.bits(space)
    body.define(name, StackSlot(size=size, space=space, width=width, name=name, span=span))


def _read_count(body: Body, cursor: Cursor, size: int | None, span: Span) -> int | None:
    """The size of a slot of several elements. A number of them that varies is used, by a node of its own."""
    type_ = body.shared.types.read(cursor)
    token = cursor.peek()
    count = body.operand(cursor, type_)
    if token.isdecimal():
        return size * integer(token) if size is not None else None
    body.nodes.append(Opaque(opcode="alloca", inputs=(count,), span=span))
    return None


def _expect_end(cursor: Cursor) -> None:
    """Nothing but metadata attachments may follow: ``, !kind !5``, ``, !kind !{…}``, ``, !kind !Name(…)``."""
    while cursor.peek():
        if not cursor.at_metadata():
            raise NotUnderstood(cursor.peek())
        cursor.at += 2
        value = cursor.next()
        if value[:1] != "!":
            raise NotUnderstood(value)
        if cursor.peek() in ("{", "("):
            cursor.skip_brackets()


_READERS: dict[str, Callable[[Body, str | None, Cursor, Span], None]] = {
    "load": _read_load,
    "store": _read_store,
    "atomicrmw": _read_atomicrmw,
    "getelementptr": _read_gep,
    "alloca": _read_alloca,
    **dict.fromkeys(("and", "or", "xor", "add", "sub", "mul", "shl"), _read_binary),
    **dict.fromkeys(
        ("zext", "sext", "trunc", "freeze", "bitcast", "ptrtoint", "inttoptr", "addrspacecast"), _read_cast
    ),
}

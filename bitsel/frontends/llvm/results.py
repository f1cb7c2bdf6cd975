"""The width of what an opaque instruction yields, where that is an integer, a pointer or a float."""

from __future__ import annotations

from bitsel.frontends.llvm.body import Body
from bitsel.frontends.llvm.syntax import Cursor, NotUnderstood, integer
from bitsel.frontends.llvm.types import Type

_FLAGS = (
    *("exact", "nuw", "nsw", "nneg", "disjoint", "samesign"),
    *("fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"),
)
_OF_FIRST_OPERAND = frozenset(
    (
        *("add", "sub", "mul", "shl", "and", "or", "xor", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"),
        *("fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "phi", "freeze"),
    )
)
_CONVERSIONS = frozenset(
    (
        *("zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "ptrtoaddr", "addrspacecast"),
        *("fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
    )
)
_MOST_ATTRIBUTES = 64  # tokens
_CALLS = frozenset(("call", "tail", "musttail", "notail", "invoke", "callbr"))


def result_width(body: Body, opcode: str, cursor: Cursor) -> int:
    """The result's width in bits; 0 if it is no single number, or not known. `cursor` is behind the opcode."""
    try:
        return body.shared.types.width(_result_type(body, opcode, cursor))
    except NotUnderstood:
        return 0


def _result_type(body: Body, opcode: str, cursor: Cursor) -> Type:
    types = body.shared.types
    if opcode in _CALLS:
        return _called_type(body, cursor.tokens)
    while cursor.accept(*_FLAGS):
        pass
    if opcode in ("icmp", "fcmp"):
        cursor.next()
        return Type("other") if types.read(cursor).kind == "vector" else Type("int", bits=1)
    first = types.read(cursor)
    if opcode in _OF_FIRST_OPERAND:
        return first
    if opcode in _CONVERSIONS:
        body.operand(cursor, first)
        cursor.expect("to")
        return types.read(cursor)
    if opcode in ("select", "va_arg"):
        body.operand(cursor, first)
        cursor.expect(",")
        return types.read(cursor)
    if opcode == "extractelement" and first.kind == "vector":
        return first.members[0]
    if opcode == "extractvalue":
        body.operand(cursor, first)
        return _member(body, cursor, first)
    if opcode == "getelementptr":
        cursor.expect(",")
        return types.read(cursor)
    raise NotUnderstood(opcode)


def _member(body: Body, cursor: Cursor, type_: Type) -> Type:
    """The type that ``extractvalue``'s indices lead to."""
    while cursor.accept(",") and cursor.peek()[:1] != "!":
        index = integer(cursor.next())
        type_ = body.shared.types.resolve(type_)
        if type_.kind == "array":
            index = 0
        if not 0 <= index < len(type_.members):
            raise NotUnderstood("no such member")
        type_ = type_.members[index]
    return type_


def _called_type(body: Body, tokens: list[str]) -> Type:
    """A call's result: the type that stands, behind attributes, right before what is called."""
    for at in range(min(len(tokens), _MOST_ATTRIBUTES)):
        cursor = Cursor(tokens[at:])
        try:
            type_ = body.shared.types.read(cursor)
        except NotUnderstood:
            continue
        if cursor.peek()[:1] in ("%", "@") or cursor.peek() == "asm":
            if type_.kind == "other" and tokens[at + cursor.at - 1] == ")":  # a function's type: what it returns
                return body.shared.types.read(Cursor(_without_parameters(tokens[at : at + cursor.at])))
            return type_
        if cursor.peek() == "":
            break
    raise NotUnderstood("call")


def _without_parameters(tokens: list[str]) -> list[str]:
    """A function type's tokens up to the parenthesis that its last one closes."""
    depth = 0
    for at in range(len(tokens) - 1, -1, -1):
        depth += (tokens[at] == ")") - (tokens[at] == "(")
        if not depth:
            return tokens[:at]
    raise NotUnderstood("unbalanced parentheses")

"""Constants and constant expressions, lowered to nodes outside any block.

Integers are taken modulo 2**width, ``null`` is 0, aliases become what they stand for, and an expression over
numbers is folded. What is no address or integer (``undef``, floats, vectors) is an `Opaque` value::

    ptr inttoptr (i16 -255 to ptr)                 Const(value=0xFF01, width=16)
    ptr getelementptr (i8, ptr @s, i16 4)          Binary("add", Symbol("s"), Const(4))
"""

from __future__ import annotations

from typing import Literal, cast

from attrs import frozen

from bitsel.frontends.llvm.entities import Entities, Global
from bitsel.frontends.llvm.gep import GepPath, lower_gep
from bitsel.frontends.llvm.syntax import MAX_DEPTH, Cursor, NotUnderstood, integer, tokenize, unquote
from bitsel.frontends.llvm.types import Type, Types
from bitsel.ir import Binary, Cast, Const, Node, Opaque, Span, Symbol

_CASTS = frozenset(("bitcast", "inttoptr", "ptrtoint", "addrspacecast", "trunc", "zext", "sext"))
_BINARIES = frozenset(("and", "or", "xor", "add", "sub", "mul", "shl"))
_FLAGS = ("inbounds", "nuw", "nsw", "nusw", "nneg", "exact", "disjoint", "samesign")
_MOST_REMEMBERED = 50_000

CastOp = Literal["zext", "sext", "trunc", "freeze", "bitcast", "addrspacecast"]
BinaryOp = Literal["and", "or", "xor", "add", "sub", "mul", "shl"]


class Constants:
    """The constants of one module; equal spellings of a type share a node."""

    def __init__(self, types: Types, entities: Entities) -> None:
        self._types = types
        self._entities = entities
        self._known: dict[tuple[str, str], Node] = {}
        self._symbols: dict[tuple[str, int], Node] = {}

    def spelled(self, type_: str, text: str) -> Node:
        """The constant `text` of the type spelled `type_`; NotUnderstood if it is not exactly one constant."""
        key = type_, text
        found = self._known.get(key)
        if found is None:
            cursor = Cursor(tokenize(text))
            found = self.read(cursor, self._types.parse(type_))
            if cursor.peek():
                raise NotUnderstood(text)
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = found
        return found

    def symbol(self, name: str, space: int = 0, depth: int = 0) -> Node:
        """The address of the global `name` (unquoted), in address space `space` if the module does not say."""
        key = name, space
        found = self._symbols.get(key)
        if found is None:
            found = self._make_symbol(name, space, depth)
            if len(self._symbols) >= _MOST_REMEMBERED:
                self._symbols.clear()
            self._symbols[key] = found
        return found

    def _make_symbol(self, name: str, space: int, depth: int) -> Node:
        known = self._entities.global_(name)
        width = self._types.layout.bits(space)
        if known is None:
            return Symbol(name=name, width=width, space=space)
        if known.thread_local:
            return Opaque(opcode="thread_local", name=f"@{name}", width=width)
        if known.kind == "alias" and not known.interposable:
            try:
                return self._aliasee(known, depth + 1)
            except NotUnderstood:
                pass
        if known.kind in ("alias", "ifunc"):
            return Symbol(name=name, width=width, space=space, distinct=False)
        # A `constant` is a place like any other: what writes it is undefined behaviour (LangRef, "Global
        # Variables"), so any instructions may stand for that, and no reason of the catalogue speaks against it.
        return Symbol(
            name=name, width=self._types.layout.bits(known.space), space=known.space, section=known.section
        )

    def _aliasee(self, alias: Global, depth: int) -> Node:
        """What stands behind ``alias <type>,``: a typed constant, or a bare constant expression."""
        cursor = Cursor(tokenize(alias.rest))
        self._types.read(cursor)
        cursor.expect(",")
        if cursor.peek() in _CASTS or cursor.peek() == "getelementptr":
            return self.read(cursor, Type("pointer", space=alias.space), depth)
        return self.read(cursor, self._types.read(cursor), depth)

    def read(self, cursor: Cursor, type_: Type, depth: int = 0) -> Node:
        """The constant of that type that stands next."""
        if depth > MAX_DEPTH:
            raise NotUnderstood("constant nests too deep")
        token = cursor.next()
        width = self._types.width(type_)
        if token[:1] == "@":
            return self.symbol(unquote(token[1:]), type_.space, depth)
        if type_.kind == "int" and (token[:1].isdigit() or token[:1] == "-" or token[1:3] == "0x"):
            return Const(value=integer(token) & (1 << width) - 1, width=width)
        if token in ("true", "false"):
            return Const(value=int(token == "true"), width=width)
        if token in ("null", "zeroinitializer") and type_.kind in ("int", "pointer"):
            return Const(value=0, width=width)
        if cursor.peek() in ("(", "inrange", *_FLAGS):
            return self._expression(token, cursor, type_, depth + 1)
        return self._other(token, cursor, width)

    def _other(self, token: str, cursor: Cursor, width: int) -> Node:
        """A constant that is no number or address: a float, an aggregate, ``undef`` …"""
        if token in ("[", "{", "<"):
            cursor.at -= 1
            cursor.skip_brackets()
            return Opaque(opcode="constant", width=width)
        if token in ("dso_local_equivalent", "no_cfi"):
            cursor.next()
        elif not token or token[0] in "%,)]}>=!#":
            raise NotUnderstood(token)
        return Opaque(opcode=token, width=width)

    def _expression(self, word: str, cursor: Cursor, type_: Type, depth: int) -> Node:
        start = cursor.at
        try:
            return self._known_expression(word, cursor, depth)
        except NotUnderstood:
            cursor.at = start
            _skip_flags(cursor)
            cursor.skip_brackets()
            return Opaque(opcode=word, width=self._types.width(type_))

    def _known_expression(self, word: str, cursor: Cursor, depth: int) -> Node:
        _skip_flags(cursor)
        if word == "getelementptr":
            return self._gep(cursor, depth)
        cursor.expect("(")
        found: Node
        if word in _CASTS:
            source = self._types.read(cursor)
            value = self.read(cursor, source, depth)
            cursor.expect("to")
            found = cast_kind(self._types, word, source, self._types.read(cursor)).of(value)
        elif word in _BINARIES:
            source = self._types.read(cursor)
            if source.kind != "int":
                raise NotUnderstood("arithmetic on something else than integers")
            lhs = self.read(cursor, source, depth)
            cursor.expect(",")
            if self._types.read(cursor) != source:
                raise NotUnderstood("operands of two types")
            found = Binary(
                op=cast(BinaryOp, word), lhs=lhs, rhs=self.read(cursor, source, depth), width=source.bits
            )
        else:
            raise NotUnderstood(word)
        cursor.expect(")")
        return folded(found)

    def _gep(self, cursor: Cursor, depth: int) -> Node:
        cursor.expect("(")
        source = self._types.read(cursor)
        cursor.expect(",")
        pointer = self._types.read(cursor)
        base = self.read(cursor, pointer, depth)
        path = GepPath(self._types, source, pointer)
        while cursor.accept(","):
            cursor.accept("inrange")  # before LLVM 19: on one index
            index_type = self._types.read(cursor)
            path.add(index_type, self.read(cursor, index_type, depth))
        cursor.expect(")")
        nodes = lower_gep(path, base)
        return folded(nodes[-1])


def _skip_flags(cursor: Cursor) -> None:
    """What may stand between a constant expression's word and its parenthesis."""
    while cursor.accept("inrange", *_FLAGS):
        if cursor.tokens[cursor.at - 1] == "inrange":  # since LLVM 19: inrange(-8, 16)
            cursor.skip_brackets()


@frozen
class CastKind:
    """What a cast between two types is, whatever its operand; the fields are those of `Cast`."""

    op: CastOp
    width: int
    space: int | None
    same_object: bool

    def of(self, value: Node, name: str | None = None, span: Span | None = None) -> Cast:
        return Cast(
            op=self.op,
            value=value,
            width=self.width,
            space=self.space,
            same_object=self.same_object,
            name=name,
            span=span,
        )


def cast_kind(types: Types, word: str, source: Type, target: Type) -> CastKind:
    """The kind of the source's cast `word`; NotUnderstood for vectors and the like.

    Pointers are integers, so ``ptrtoint`` and ``inttoptr`` truncate or zero-extend where the widths differ.
    """
    if source.kind in ("int", "pointer") and target.kind in ("int", "pointer"):
        before, after = types.width(source), types.width(target)
    elif word in ("bitcast", "freeze"):
        before, after = types.bits(source), types.bits(target)
    else:
        raise NotUnderstood(word)
    op: CastOp
    if word in ("ptrtoint", "inttoptr"):
        op = "bitcast" if before == after else "trunc" if before > after else "zext"
    else:
        op = cast(CastOp, word)
    grows = (after > before) - (after < before)
    if op != "addrspacecast" and grows != {"zext": 1, "sext": 1, "trunc": -1}.get(op, 0):
        raise NotUnderstood("widths that do not fit the cast")
    space = target.space if op == "addrspacecast" else None
    return CastKind(op, after, space, same_object=source.kind == target.kind == "pointer")


def folded(node: Node) -> Node:
    """`node`, or what it is the same as: a number, if its operands are; the operand of a bitcast of a pointer.

    An ``inttoptr`` stays, as what it points to is not bound to the object whose address it was made from.
    """
    if isinstance(node, Binary) and isinstance(node.lhs, Const) and isinstance(node.rhs, Const):
        return _folded_binary(node, node.lhs.value, node.rhs.value)
    if isinstance(node, Cast) and node.op == "bitcast" and node.same_object:
        return node.value
    if isinstance(node, Cast) and isinstance(node.value, Const) and node.op in ("zext", "sext", "trunc", "bitcast"):
        value = signed(node.value) if node.op == "sext" else node.value.value
        return Const(value=value & (1 << node.width) - 1, width=node.width)
    return node


def _folded_binary(node: Binary, lhs: int, rhs: int) -> Node:
    if node.op == "shl" and rhs >= node.width:
        return node  # poison
    value = {
        "and": lambda: lhs & rhs,
        "or": lambda: lhs | rhs,
        "xor": lambda: lhs ^ rhs,
        "add": lambda: lhs + rhs,
        "sub": lambda: lhs - rhs,
        "mul": lambda: lhs * rhs,
        "shl": lambda: lhs << rhs,
    }[node.op]()
    return Const(value=value & (1 << node.width) - 1, width=node.width)


def signed(node: Const) -> int:
    """The constant read as a two's complement number."""
    return node.value - (1 << node.width) if node.value >> node.width - 1 & 1 else node.value

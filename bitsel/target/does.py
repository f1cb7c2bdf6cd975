"""The `does` language: what an instruction does, in Python's expression syntax.

Text is parsed by `ast` against the whitelist below into `expr` trees; it is never evaluated as Python. Integers
are exact; an assignment keeps the low bits that fit its target; statements run in order, tuples assign at once::

    >>> statements("v |= 1 << bit")
    (Assign(targets=(Name(id='v'),), values=(Binary(op='|', left=Name(id='v'), right=Binary(...)),)),)

| syntax | meaning |
|---|---|
| ``m[x]``, ``m8[x]`` | memory at byte address x, of the row's own width or of 8 (16, 32, 64) bits |
| ``& | ^ ~ << >> + -``, ``==``, ``!=`` | as in Python, precedence too |
| ``sext(x, n)`` | the low n bits of x as a signed number |
| ``any`` | an unspecified value |
| ``{op}`` | the meaning of the row's mnemonic: statements, or an expression |
"""

from __future__ import annotations

import ast
from typing import Union

from attrs import frozen

from bitsel.target.expr import Assign, Binary, Compare, Expr, Mem, Name, Num, Sext, Unary, Unspecified, rewrite
from bitsel.target.words import TextError

OP = Name("{op}")
"""Stands for the meaning of a row's mnemonic until it is put in; no name can be spelled so."""

MEMORY = {"m": None, "m8": 8, "m16": 16, "m32": 32, "m64": 64}
RESERVED = frozenset({*MEMORY, "any", "sext", "width"})

_BINARY: dict[type[ast.operator], str] = {
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Add: "+",
    ast.Sub: "-",
}
_UNARY: dict[type[ast.unaryop], str] = {ast.Invert: "~", ast.USub: "-"}
_COMPARE: dict[type[ast.cmpop], str] = {ast.Eq: "==", ast.NotEq: "!="}
_LONGEST = 2000  # characters of one text: far above any instruction, far below what troubles the parser
_DEEPEST = 60  # operators inside one another
_LARGEST = 1 << 64  # no constant or shift of a table is beyond this; a typo must not cost gigabytes


class DoesError(TextError):
    """A text that is not in the language."""


@frozen
class PutIn:
    """The statement ``{op}``: where the statements of the row's mnemonic go."""


Statement = Union[Assign, PutIn]


def statements(text: str) -> tuple[Statement, ...]:
    """The statements of `text`, assignments like ``v |= x`` written out. Raises `DoesError`."""
    return _Reader(text).statements()


def expression(text: str) -> Expr:
    """The one expression that `text` is. Raises `DoesError`."""
    return _Reader(text).expression()


def meaning(text: str) -> tuple[Statement, ...] | Expr:
    """A mnemonic's meaning: an expression if `text` is one (other than a bare ``{op}``), else statements."""
    reader = _Reader(text)
    body = reader.module().body
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        return reader.value(body[0].value)
    return reader.statements()


def put_in(does: tuple[Statement, ...], op: tuple[Statement, ...] | Expr | None) -> tuple[Assign, ...]:
    """`does` with a mnemonic's meaning in the place of ``{op}``. Raises `DoesError` where that is not possible."""
    result: list[Assign] = []

    def of_op(item: Expr) -> Expr | None:
        return op if item == OP and not isinstance(op, tuple) else None

    for statement in does:
        if not isinstance(statement, PutIn):
            result.append(Assign(statement.targets, tuple(rewrite(value, of_op) for value in statement.values)))
        elif isinstance(op, tuple):
            result.extend(s for s in op if isinstance(s, Assign))
        else:
            raise DoesError("'{op}' stands where a statement is, but its meaning is an expression")
    return tuple(result)


class _Reader:
    """One text and its syntax tree; every method turns a Python node into ours or raises at its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lead = len(text) - len(text.lstrip())
        self.depth = 0

    def module(self) -> ast.Module:
        if len(self.text) > _LONGEST:
            raise DoesError(f"longer than {_LONGEST} characters")
        try:
            return ast.parse(self.text.strip())
        except SyntaxError as error:
            offset = self._offset(error.lineno or 1, (error.offset or 1) - 1, in_bytes=False)
            raise DoesError(f"cannot be read: {error.msg}", offset) from None
        except ValueError as error:  # a null byte, before Python 3.11.4
            raise DoesError(f"cannot be read: {error}", self.lead) from None
        except (RecursionError, MemoryError) as error:
            raise DoesError(f"cannot be read: {error or 'nested too deeply'}") from None

    def statements(self) -> tuple[Statement, ...]:
        return tuple(self.statement(node) for node in self.module().body)

    def expression(self) -> Expr:
        body = self.module().body
        if len(body) != 1 or not isinstance(body[0], ast.Expr):
            raise DoesError("expected one expression", self.lead)
        return self.value(body[0].value)

    def statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Expr(value=ast.Set() as hole) if self.value(hole) == OP:
                return PutIn()
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                if len(targets) != len(values):
                    raise self.error(f"{len(targets)} places, but {len(values)} values", node)
                return Assign(tuple(map(self.place, targets)), tuple(map(self.value, values)))
            case ast.Assign(targets=[target], value=value):
                return Assign((self.place(target),), (self.value(value),))
            case ast.AugAssign(target=target, op=op, value=value) if type(op) in _BINARY:
                self.check_shift(op, value)
                place = self.place(target)
                return Assign((place,), (Binary(_BINARY[type(op)], place, self.value(value)),))  # type: ignore[arg-type]
            case _:
                raise self.error("expected an assignment such as 'd = s' or 'd |= s'", node)

    def place(self, node: ast.expr) -> Name | Mem:
        value = self.value(node)
        if isinstance(value, (Name, Mem)) and value != OP:
            return value
        raise self.error("only a register, an operand or memory can be assigned", node)

    def value(self, node: ast.expr) -> Expr:
        if self.depth == _DEEPEST:
            raise self.error(f"nested deeper than {_DEEPEST}", node)
        self.depth += 1
        result = self._value(node)
        self.depth -= 1
        return result

    def _value(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                if number > _LARGEST:
                    raise self.error("a number beyond 64 bits", node)
                return Num(number)
            case ast.Name(id="any"):
                return Unspecified()
            case ast.Name(id=name) if name == "width" or name not in RESERVED:
                return Name(name)
            case ast.Set(elts=[ast.Name(id="op")]):
                return OP
            case ast.Subscript(value=ast.Name(id=memory), slice=address) if memory in MEMORY:
                return Mem(MEMORY[memory], self.value(address))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
                return Unary(_UNARY[type(op)], self.value(operand))  # type: ignore[arg-type]
            case ast.BinOp(left=left, op=bop, right=right) if type(bop) in _BINARY:
                self.check_shift(bop, right)
                return Binary(_BINARY[type(bop)], self.value(left), self.value(right))  # type: ignore[arg-type]
            case ast.Compare(left=left, ops=[cop], comparators=[right]) if type(cop) in _COMPARE:
                return Compare(_COMPARE[type(cop)], self.value(left), self.value(right))  # type: ignore[arg-type]
            case ast.Call(func=ast.Name(id="sext"), args=[value, ast.Constant(value=int(bits))], keywords=[]) if (
                0 < bits <= 64
            ):
                return Sext(self.value(value), bits)
            case _:
                raise self.error(f"{ast.unparse(node)!r} is not in the language of 'does'", node)

    def check_shift(self, op: ast.operator, right: ast.expr) -> None:
        shift = isinstance(op, (ast.LShift, ast.RShift))
        if shift and isinstance(right, ast.Constant) and isinstance(right.value, int) and right.value > 64:
            raise self.error("a shift by more than 64", right)

    def error(self, message: str, node: ast.AST) -> DoesError:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        return DoesError(message, self._offset(line, column, in_bytes=True))

    def _offset(self, line: int, column: int, *, in_bytes: bool) -> int:
        """The offset in the whole text of (line from 1, column from 0) of the stripped one."""
        lines = self.text.strip().splitlines(keepends=True)
        before = sum(map(len, lines[: line - 1]))
        if in_bytes and line <= len(lines):
            column = len(lines[line - 1].encode()[:column].decode(errors="ignore"))
        return min(self.lead + before + column, len(self.text))


def show(item: Expr | Assign) -> str:
    """The text of a tree, fully enough parenthesised to be read back as the same tree."""
    match item:
        case Assign(targets, values):
            return f"{', '.join(map(show, targets))} = {', '.join(map(show, values))}"
        case Num(value):
            return str(value) if value < 256 else hex(value)
        case Name(id):
            return id
        case Mem(width, address):
            return f"m{width or ''}[{show(address)}]"
        case Unary(op, value):
            return f"{op}{_inner(value)}"
        case Binary(op, left, right):
            # A chain of one associative operator needs no parentheses on its left side.
            same = isinstance(left, Binary) and left.op == op
            return f"{show(left) if same else _inner(left)} {op} {_inner(right)}"
        case Compare(op, left, right):
            return (
                f"{show(left)} {op} {show(right)}"
                if _flat(left) and _flat(right)
                else (f"{_inner(left)} {op} {_inner(right)}")
            )
        case Sext(value, bits):
            return f"sext({show(value)}, {bits})"
        case Unspecified():
            return "any"


def _flat(item: Expr) -> bool:
    return not isinstance(item, Compare)


def _inner(item: Expr) -> str:
    text = show(item)
    return f"({text})" if isinstance(item, (Binary, Compare)) else text

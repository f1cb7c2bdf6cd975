"""The state of lowering one function: its values by name, the block being filled, names used before defined.

A name that is used before its definition (``phi``, blocks in another order than control flow) is a placeholder
until the function is complete; `Body.finish` puts the definitions in their place.
"""

from __future__ import annotations

import itertools
import re
from typing import Any, cast

from bitsel.frontends.llvm.constants import CastKind, Constants
from bitsel.frontends.llvm.effects import CallEffects
from bitsel.frontends.llvm.gep import GepPath
from bitsel.frontends.llvm.scan import Header
from bitsel.frontends.llvm.syntax import NAME, PLAIN_NAME, Cursor, NotUnderstood, split_list, tokenize, unquote
from bitsel.frontends.llvm.types import Type, Types
from bitsel.ir import (
    Access,
    Argument,
    AtomicRMW,
    Binary,
    Block,
    Cast,
    Function,
    Load,
    Node,
    Opaque,
    Ordering,
    Span,
    StackSlot,
    Store,
)
from bitsel.record import record

_NAMES = re.compile(rf'"[^"\n]*"|;[^\n]*|label[ \t]+%{NAME}|([%@]{NAME})', re.ASCII)
_PLAIN_NAMES = re.compile(rf"label %{PLAIN_NAME}|([%@]{PLAIN_NAME})", re.ASCII)
_PARAMETER_NAME = re.compile(rf"(?:^|[ \t])(%{NAME})$", re.ASCII)

_MOST_REMEMBERED = 10_000  # parameter lists

_OPERAND_FIELDS: dict[type[Node], tuple[str, ...]] = {
    Load: ("pointer",),
    Store: ("pointer", "value"),
    AtomicRMW: ("pointer", "value"),
    Binary: ("lhs", "rhs"),
    Cast: ("value",),
    Opaque: ("inputs", "through"),
    StackSlot: (),
}


@record
class Parameters:
    """A function's parameters by name, and the name of an entry block without a label."""

    values: dict[str, Node]
    entry: str


class Shared:
    """What the functions of one module share: its types, constants, calls, and what was worked out before.

    The dictionaries remember, by spelling: accesses, constant GEPs, casts, parameter lists.
    """

    def __init__(self, text: str, types: Types, constants: Constants, calls: CallEffects) -> None:
        self.text = text
        self.types = types
        self.constants = constants
        self.calls = calls
        self.accesses: dict[tuple[str | None, ...], Access] = {}
        self.paths: dict[tuple[str, str, str], GepPath] = {}
        self.casts: dict[tuple[str, str, str], CastKind] = {}
        self._parameters: dict[str, Parameters] = {}

    def access(
        self, value: Type, pointer: Type, volatile: bool, ordering: str | None = None, align: int | None = None
    ) -> Access:
        """The access to a `value` at a `pointer`; NotUnderstood if its size is not known."""
        if pointer.kind != "pointer":
            raise NotUnderstood("an address that is no pointer")
        bits = self.types.bits(value)
        width = bits if value.kind == "int" else (bits + 7) // 8 * 8
        if not width:
            raise NotUnderstood("an access to nothing")
        if align is None:
            align = self.types.align(value) if self.types.aligned else 1
        return Access(width, volatile, cast("Ordering | None", ordering), align, pointer.space)

    def parameters(self, text: str) -> Parameters:
        """The parameters spelled `text`; functions with the same list share them."""
        known = self._parameters.get(text)
        if known is None:
            if len(self._parameters) >= _MOST_REMEMBERED:
                self._parameters.clear()
            known = self._parameters[text] = self._read_parameters(text)
        return known

    def _read_parameters(self, parameters: str) -> Parameters:
        number = 0
        values: dict[str, Node] = {}
        for text in split_list(parameters):
            if text == "...":
                continue
            match = _PARAMETER_NAME.search(text)
            type_ = text[: match.start()] if match else text
            name = match[1] if match else f"%{number}"
            if name[1:].isdecimal():
                number += 1
            try:
                width = self.types.width(self.types.read(Cursor(tokenize(type_))))
            except NotUnderstood:
                width = 0
            values[plain(name)] = Argument(name=name, width=width, noalias="noalias" in type_.split())
        return Parameters(values, str(number))


class Body:
    """One function being lowered; its text is ``text[header.body:limit]``."""

    def __init__(self, shared: Shared, header: Header, limit: int) -> None:
        self.shared = shared
        self.text = shared.text
        self.limit = limit
        parameters = shared.parameters(header.parameters)
        self.values: dict[str, Node] = dict(parameters.values)
        self.nodes: list[Node] = []
        self._placeholders: dict[str, Opaque] = {}
        self._blocks: list[Block] = []
        # How many values and blocks `_last_number` accounts for.
        self._numbered = 0, 0
        self._last_number = -1
        self._label = parameters.entry

    # Blocks

    def begin_block(self, label: str | None) -> None:
        """Start a block, named as LLVM numbers it if it has no label. The entry block exists from the start."""
        if self.nodes or self._blocks:
            self._end_block()
        if label is None:
            label = str(self._next_number())
        self._label = label

    def _next_number(self) -> int:
        """The number LLVM gives the next value or block without a name."""
        values = itertools.islice(reversed(self.values), len(self.values) - self._numbered[0])
        blocks = self._blocks[self._numbered[1] :]
        last = max(
            itertools.chain(map(_number, values), (_number(f"%{block.name}") for block in blocks)), default=-1
        )
        self._numbered = len(self.values), len(self._blocks)
        self._last_number = max(self._last_number, last)
        return self._last_number + 1

    def _end_block(self) -> None:
        self._blocks.append(Block(self._label, tuple(self.nodes)))
        self.nodes = []

    def finish(self, name: str, span: Span) -> Function:
        """The function, complete."""
        self._end_block()
        if self._placeholders:
            self._resolve_placeholders()
        return Function(name, tuple(self._blocks), span)

    # Values

    def define(self, name: str | None, node: Node) -> None:
        """Append `node` to the block, as the value `name`."""
        self.nodes.append(node)
        if name is not None:
            self.values[plain(name)] = node

    def local(self, name: str) -> Node:
        """The value of a local name, or a placeholder if it is not defined yet."""
        key = plain(name)
        found = self.values.get(key) or self._placeholders.get(key)
        if found is None:
            found = self._placeholders[key] = Opaque(opcode="undefined", name=name)
        return found

    def value(self, type_: str, text: str) -> Node:
        """The operand `text` of the type spelled `type_`."""
        if text[0] == "%":
            return self.values.get(text) or self.local(text)
        return self.shared.constants.spelled(type_, text)

    def operand(self, cursor: Cursor, type_: Type) -> Node:
        """The operand of that type that stands next."""
        if cursor.peek()[:1] == "%":
            return self.local(cursor.next())
        return self.shared.constants.read(cursor, type_)

    def names(self, start: int, end: int) -> tuple[Node, ...]:
        """The values mentioned in the text, labels left out."""
        quoted = self.text.find('"', start, end) >= 0
        found = (_NAMES if quoted else _PLAIN_NAMES).findall(self.text, start, end)
        symbol = self.shared.constants.symbol
        return tuple(self.local(name) if name[0] == "%" else symbol(unquote(name[1:])) for name in found if name)

    def _resolve_placeholders(self) -> None:
        """Put the definitions where placeholders stand for them.

        Nodes are frozen for everybody else; a cycle through a phi can only be closed after both ends exist.
        """
        values, placeholders = self.values, self._placeholders
        found: dict[Node, Node] = {placeholders[name]: values[name] for name in placeholders if name in values}
        undefined = set(placeholders.values()) - found.keys()

        def resolved(value: Any) -> Any:
            if isinstance(value, tuple):
                # Opaque instructions mention types and the like too, which are no values.
                return tuple(found.get(node, node) for node in value if node not in undefined)
            return found.get(value, value) if isinstance(value, Node) else value

        for block in self._blocks:
            for node in block.nodes:
                for field in _OPERAND_FIELDS[type(node)]:
                    object.__setattr__(node, field, resolved(getattr(node, field)))


def plain(name: str) -> str:
    """A local name with its quotes resolved: what it is known by."""
    return name if '"' not in name else f"%{unquote(name[1:])}"


def _number(name: str) -> int:
    """The number of a value or block without a name; -1 for one with a name."""
    return int(name[1:]) if name[1:].isdecimal() and len(name) < 10 else -1

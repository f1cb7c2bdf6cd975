"""Lowering one function's text to the core IR.

The text is read line by line. The opcode picks a reader; each common instruction has one regular expression
for the way compilers print it, and whatever that does not match is read again by tokens. What is not understood
then, or not known at all, becomes an `Opaque` that uses every name it mentions and may do anything to memory::

    %0 = load i8, ptr @flags       Load(pointer=Symbol("flags"), access=Access(8), name="%0")
    %1 = frobnicate i8 %0          Opaque(opcode="frobnicate", inputs=(%0,), reads=writes=ordered=True)

A name that is used before its definition (``phi``, blocks in another order than control flow) is a placeholder
until the function is complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from bitsel.frontends.llvm.calls import ANYTHING, NOTHING, CallEffects, Effects
from bitsel.frontends.llvm.constants import BinaryOp, Constants, cast_node
from bitsel.frontends.llvm.gep import GepPath, lower_gep
from bitsel.frontends.llvm.scan import Header
from bitsel.frontends.llvm.syntax import (
    NAME,
    PLAIN_NAME,
    Cursor,
    NotUnderstood,
    closing,
    instruction_end,
    integer,
    tokenize,
    unquote,
)
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

# Pieces of the regular expressions for what compilers print.
_END = r"(?:, ![\w.]+ !\d+)*(?=[ \t\r]*(?:[\n;]|$))"
_VALUE_TYPE = r"(i[1-9]\d{0,6}|ptr)"
_POINTER_TYPE = r'(ptr(?: addrspace\(\d{1,8}\))?|[^\s,;"(){}<>\[\]]+\*)'
_LOCAL = rf"%{PLAIN_NAME}"
_SIMPLE = rf"({_LOCAL}|@{PLAIN_NAME}|-?\w+)"
# A local, or a constant up to what follows; the bound keeps absurd lines from costing quadratic time.
_OPERAND = rf'({_LOCAL}|(?![%"])[^\n;"]{{1,400}}?)'
_ALIGN = r"(?:, align (\d{1,9}))?"


def _line(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


_HEAD = _line(rf"[ \t]*((?:(%{NAME})[ \t]*=[ \t]*)?([a-z]\w*)(?=[ \t\r\n]|$))")
_LOAD = _line(rf" (volatile )?{_VALUE_TYPE}, {_POINTER_TYPE} {_OPERAND}{_ALIGN}{_END}")
_STORE = _line(rf" (volatile )?{_VALUE_TYPE} {_SIMPLE}, {_POINTER_TYPE} {_OPERAND}{_ALIGN}{_END}")
_BINARY = _line(rf"(?: (?:nuw|nsw|disjoint))* (i[1-9]\d{{0,6}}) {_SIMPLE}, {_SIMPLE}{_END}")
_CAST = _line(rf"(?: (?:nneg|nuw|nsw))* {_VALUE_TYPE} ({_LOCAL}) to {_VALUE_TYPE}{_END}")
_GEP = _line(
    rf'(?: (?:inbounds|nusw|nuw))* ([^\n"!;(]{{1,400}}?), {_POINTER_TYPE} ({_LOCAL}|@{PLAIN_NAME})'
    rf"((?:, i[1-9]\d{{0,6}} -?\d{{1,20}})+){_END}"
)
_ALLOCA = _line(rf' ([^,\n;"!]+){_ALIGN}{_END}')
_PHI = _line(rf" ([^\[\n;\"]+?) (\[ ?[^\]\n;\"]+\](?:, \[ ?[^\]\n;\"]+\])*){_END}")
_PHI_NAME = _line(rf"\[ ?([%@]{PLAIN_NAME}),")

_LABEL = _line(rf"[ \t]*({NAME}):")
_OLD_LABEL = _line(r"[ \t]*;[ \t]*<label>:(\d+)")
_IGNORED = _line(r"[ \t\r]*(?:;[^\n]*|#dbg_[^\n]*)?(?=\n|$)")
_NAMES = _line(rf'"[^"\n]*"|;[^\n]*|label[ \t]+%{NAME}|([%@]{NAME})')
_PLAIN_NAMES = _line(rf"label %{PLAIN_NAME}|([%@]{PLAIN_NAME})")
_CALLEE = _line(rf"@({NAME})[ \t]*\(")
_ASM = _line(r"\basm\b")
_PARAMETER = _line(rf"(?:^|[ \t])(%{NAME})$")

_TERMINATORS = frozenset(
    "ret br switch indirectbr invoke callbr resume unreachable cleanupret catchret catchswitch".split()
)
_ORDERINGS = frozenset(("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"))
# Of these it is known that they touch no memory.
_HARMLESS = frozenset(
    """add sub mul shl and or xor lshr ashr udiv sdiv urem srem fneg fadd fsub fmul fdiv frem icmp fcmp select phi
    extractvalue insertvalue extractelement insertelement shufflevector getelementptr alloca zext sext trunc freeze
    bitcast ptrtoint inttoptr ptrtoaddr addrspacecast fptrunc fpext fptoui fptosi uitofp sitofp
    ret br switch indirectbr unreachable""".split()
)


class Lowering:
    """Lowers the functions of one module, and holds what they share."""

    def __init__(self, text: str, types: Types, constants: Constants, calls: CallEffects) -> None:
        self.text = text
        self.types = types
        self.constants = constants
        self.calls = calls
        self.accesses: dict[tuple[str | None, ...], Access] = {}
        self.offsets: dict[tuple[str, str, str], GepPath] = {}
        self.parameters: dict[str, tuple[int, bool]] = {}

    def function(self, header: Header, end: int, line: int) -> Function:
        """The function whose body reaches from the header to `end`; `line` is the line of the body's start."""
        return _Body(self, header, end, line).lower()

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


class _Body:
    """One function being lowered."""

    def __init__(self, module: Lowering, header: Header, end: int, line: int) -> None:
        self._module = module
        self._header = header
        self._text = module.text
        self._constants = module.constants
        self._limit = end
        self._line = line
        self._values: dict[str, Node] = {}
        self._placeholders: dict[str, Opaque] = {}
        self._nodes: list[Node] = []
        self._blocks: list[Block] = []
        self._label: str | None = None
        self._next_number = 0
        self._terminated = False

    def lower(self) -> Function:
        self._read_parameters()
        text, limit = self._text, self._limit
        at, line = self._header.body, self._line
        while at < limit:
            head = _HEAD.match(text, at, limit)
            if head is None:
                end = self._read_other(at, line)
            else:
                name, opcode = head.group(2, 3)
                start = head.start(1)
                if self._terminated:
                    self._begin_block(None)
                try:
                    end = _READERS.get(opcode, _Body._careful)(self, name, opcode, start, head.end(), line)
                except NotUnderstood:
                    end = self._careful(name, opcode, start, head.end(), line)
                if opcode in _TERMINATORS:
                    self._terminated = True
            following = text.find("\n", end, limit) + 1
            if not following:
                break
            line += text.count("\n", at, following)
            at = following
        self._end_block()
        if self._placeholders:
            self._resolve_placeholders()
        return Function(self._header.name, tuple(self._blocks))

    # Blocks and names

    def _begin_block(self, label: str | None) -> None:
        if self._nodes or self._terminated:
            self._end_block()
        self._label = label
        self._terminated = False

    def _end_block(self) -> None:
        if self._label is None:
            label = str(self._next_number)
            self._next_number += 1
        else:
            label = self._label
            if label.isdecimal() and len(label) < 10:
                self._next_number = int(label) + 1
        self._blocks.append(Block(label, tuple(self._nodes)))
        self._nodes = []

    def _define(self, name: str | None, node: Node) -> None:
        """Append `node` to the block as the value `name`."""
        self._nodes.append(node)
        if name is not None:
            self._values[_key(name)] = node

    def _local(self, name: str) -> Node:
        """The value of a local name, or a placeholder if it is not defined yet."""
        key = _key(name)
        found = self._values.get(key) or self._placeholders.get(key)
        if found is None:
            found = self._placeholders[key] = Opaque(opcode="undefined", name=name)
        return found

    def _value(self, type_: str, text: str) -> Node:
        if text[0] == "%":
            return self._values.get(text) or self._local(text)
        return self._constants.spelled(type_, text)

    def _operand(self, cursor: Cursor, type_: Type) -> Node:
        if cursor.peek()[:1] == "%":
            return self._local(cursor.next())
        return self._constants.read(cursor, type_)

    def _names(self, start: int, end: int) -> tuple[Node, ...]:
        """The values mentioned in the text, labels left out."""
        quoted = self._text.find('"', start, end) >= 0
        found = (_NAMES if quoted else _PLAIN_NAMES).findall(self._text, start, end)
        return tuple(
            self._local(name) if name[0] == "%" else self._constants.symbol(unquote(name[1:]))
            for name in found
            if name
        )

    def _read_parameters(self) -> None:
        for text in _split_parameters(self._header.parameters):
            if text == "...":
                continue
            match = _PARAMETER.search(text)
            type_ = text[: match.start()] if match else text
            name = match[1] if match else f"%{self._next_number}"
            if not match or name[1:].isdecimal():
                self._next_number += 1
            width, noalias = self._parameter(type_)
            self._values[_key(name)] = Argument(name=name, width=width, noalias=noalias)

    def _parameter(self, text: str) -> tuple[int, bool]:
        """Width and ``noalias`` of a parameter's type and attributes."""
        known = self._module.parameters.get(text)
        if known is None:
            try:
                width = self._module.types.width(self._module.types.read(Cursor(tokenize(text))))
            except NotUnderstood:
                width = 0
            known = self._module.parameters[text] = width, "noalias" in text.split()
        return known

    def _resolve_placeholders(self) -> None:
        """Put the definitions where placeholders stand for them.

        Nodes are frozen for everybody else; a cycle through a phi can only be closed after both ends exist.
        """
        placeholders = self._placeholders
        found: dict[Node, Node] = {
            placeholder: self._values[name] for name, placeholder in placeholders.items() if name in self._values
        }
        undefined = set(placeholders.values()) - found.keys()

        def resolved(value: Any) -> Any:
            if isinstance(value, tuple):
                # Types and the like are mentioned by opaque instructions too, and are no values.
                return tuple(found.get(node, node) for node in value if node not in undefined)
            return found.get(value, value) if isinstance(value, Node) else value

        for block in self._blocks:
            for node in block.nodes:
                for field in _OPERAND_FIELDS[type(node)]:
                    object.__setattr__(node, field, resolved(getattr(node, field)))

    # Lines that are no instruction

    def _read_other(self, at: int, line: int) -> int:
        """Read a label, a comment or nothing; the end of it. Anything else is an unknown instruction."""
        text = self._text
        if match := _LABEL.match(text, at, self._limit):
            self._begin_block(unquote(match[1]))
            rest = _IGNORED.match(text, match.end(), self._limit)
            # An instruction may follow on the same line; it is read as if it began the line.
            return rest.end() if rest else self._same_line(match.end(), line)
        if match := _OLD_LABEL.match(text, at, self._limit):
            self._begin_block(match[1])
        if match := _IGNORED.match(text, at, self._limit):
            return match.end()
        if self._terminated:
            self._begin_block(None)
        start = at + len(text[at : at + 64]) - len(text[at : at + 64].lstrip())
        return self._unknown(None, "", start, start, line, ANYTHING)

    def _same_line(self, at: int, line: int) -> int:
        head = _HEAD.match(self._text, at, self._limit)
        if head is None:
            return self._unknown(None, "", at, at, line, ANYTHING)
        name, opcode = head.group(2, 3)
        self._terminated = opcode in _TERMINATORS
        return self._careful(name, opcode, head.start(1), head.end(), line)

    # Readers of instructions: from behind the opcode to the instruction's end

    def _load(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        match = _LOAD.match(self._text, at, self._limit)
        if match is None:
            raise NotUnderstood
        volatile, type_, pointer_type, pointer_text, align = match.groups()
        access = self._access(volatile, type_, pointer_type, align)
        pointer = self._value(pointer_type, pointer_text)
        end = match.end()
        span = Span(start, end, line)
        self._define(name, Load(pointer=pointer, access=access, width=access.width, name=name, span=span))
        return end

    def _store(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        match = _STORE.match(self._text, at, self._limit)
        if match is None:
            raise NotUnderstood
        volatile, type_, value_text, pointer_type, pointer_text, align = match.groups()
        access = self._access(volatile, type_, pointer_type, align)
        value = self._value(type_, value_text)
        pointer = self._value(pointer_type, pointer_text)
        end = match.end()
        self._nodes.append(Store(pointer=pointer, value=value, access=access, span=Span(start, end, line)))
        return end

    def _access(self, volatile: str | None, type_: str, pointer_type: str, align: str | None) -> Access:
        key = volatile, type_, pointer_type, align
        access = self._module.accesses.get(key)
        if access is None:
            types = self._module.types
            value, pointer = types.parse(type_), types.parse(pointer_type)
            access = self._module.access(value, pointer, volatile is not None, None, int(align) if align else None)
            self._module.accesses[key] = access
        return access

    def _binary(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        match = _BINARY.match(self._text, at, self._limit)
        if match is None:
            raise NotUnderstood
        type_, lhs_text, rhs_text = match.groups()
        lhs, rhs = self._value(type_, lhs_text), self._value(type_, rhs_text)
        end = match.end()
        op, width = cast(BinaryOp, opcode), int(type_[1:])
        self._define(name, Binary(op=op, lhs=lhs, rhs=rhs, width=width, name=name, span=Span(start, end, line)))
        return end

    def _cast(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        match = _CAST.match(self._text, at, self._limit)
        if match is None:
            raise NotUnderstood
        source, operand, target = match.groups()
        types = self._module.types
        end = match.end()
        node = cast_node(
            types,
            opcode,
            self._value(source, operand),
            types.parse(source),
            types.parse(target),
            name=name,
            span=Span(start, end, line),
        )
        self._define(name, node)
        return end

    def _gep(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        """An address with constant indices; any other is read by tokens."""
        match = _GEP.match(self._text, at, self._limit)
        if match is None:
            raise NotUnderstood
        source, pointer, base_text, indices = match.groups()
        key = source, pointer, indices
        path = self._module.offsets.get(key)
        if path is None:
            types = self._module.types
            path = self._read_indices(Cursor(tokenize(indices)), types.parse(source), types.parse(pointer))
            self._module.offsets[key] = path
        base = self._value(pointer, base_text)
        end = match.end()
        for node in lower_gep(path, base, name, Span(start, end, line)):
            self._define(node.name, node)
        return end

    def _read_indices(self, cursor: Cursor, source: Type, pointer: Type) -> GepPath:
        path = GepPath(self._module.types, source, pointer)
        while cursor.accept(","):
            if cursor.peek()[:1] == "!":
                break
            index_type = self._module.types.read(cursor)
            path.add(index_type, self._operand(cursor, index_type))
        return path

    def _alloca(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        match = _ALLOCA.match(self._text, at, self._limit)
        if match is None:
            raise NotUnderstood
        types = self._module.types
        type_ = types.parse(match[1])
        space = types.stack_space
        span = Span(start, match.end(), line)
        slot = StackSlot(size=self._size(type_), space=space, width=types.layout.bits(space), name=name, span=span)
        self._define(name, slot)
        return match.end()

    def _size(self, type_: Type) -> int | None:
        try:
            return self._module.types.alloc_size(type_)
        except NotUnderstood:
            return None

    def _phi(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        match = _PHI.match(self._text, at, self._limit)
        if match is None:
            raise NotUnderstood
        inputs = tuple(
            self._local(found) if found[0] == "%" else self._constants.symbol(found[1:])
            for found in _PHI_NAME.findall(match[2])
        )
        width = self._module.types.width(self._module.types.parse(match[1]))
        end = match.end()
        self._define(
            name, Opaque(opcode=opcode, inputs=inputs, width=width, name=name, span=Span(start, end, line))
        )
        return end

    def _call(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        text = self._text
        end = instruction_end(text, start, self._limit)
        callee = _CALLEE.search(text, at, end)
        if callee is None or text.find('"', at, callee.start()) >= 0 or _ASM.search(text, at, callee.start()):
            return self._unknown(name, opcode, start, at, line, ANYTHING)
        called = unquote(callee[1])
        if called.startswith("llvm.dbg."):
            return end
        opening = callee.end() - 1
        close = closing(text, opening, end)
        span = Span(start, end, line)
        inputs = self._names(callee.end(), end)
        if called.startswith("llvm.lifetime."):
            places = tuple(node for node in inputs if node.width or isinstance(node, StackSlot))
            marker = Opaque(opcode=opcode, inputs=inputs, writes=True, through=places, marker=True, span=span)
            self._nodes.append(marker)
            return end
        effects = self._effects(called, opening, close, end)
        through = None
        if effects.arguments_only and (effects.reads or effects.writes):
            through = self._pointer_arguments(opening, close)
        self._define(
            name,
            Opaque(
                opcode=opcode,
                inputs=inputs,
                reads=effects.reads,
                writes=effects.writes,
                through=through,
                ordered=effects.ordered,
                width=self._call_width(at, callee.start()) if name else 0,
                name=name,
                span=span,
            ),
        )
        return end

    def _effects(self, callee: str, opening: int, close: int, end: int) -> Effects:
        if close < 0:
            return ANYTHING
        tail = self._text[close + 1 : end]
        if "[" in tail and callee != "llvm.assume":  # operand bundles may do more than the callee
            return ANYTHING
        effects = self._module.calls.of(callee, tail)
        if callee.startswith(("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")):
            # A plain copy is no volatile access; its last argument says whether it is one.
            arguments = self._text[opening + 1 : close]
            if arguments.rpartition(",")[2].split() == ["i1", "false"]:
                return Effects(effects.reads, effects.writes, effects.arguments_only, ordered=False)
        return effects

    def _pointer_arguments(self, opening: int, close: int) -> tuple[Node, ...] | None:
        """The pointers among the arguments between the parentheses; None if that is not certain."""
        types = self._module.types
        found = []
        try:
            for text in _split_parameters(self._text[opening + 1 : close]):
                cursor = Cursor(tokenize(text))
                type_ = types.read(cursor)
                if type_.kind == "int" or type_.kind == "float":
                    continue
                if type_.kind != "pointer":
                    return None
                _skip_attributes(cursor)
                found.append(self._operand(cursor, type_))
                if cursor.peek():
                    return None
        except NotUnderstood:
            return None
        return tuple(found)

    def _call_width(self, start: int, end: int) -> int:
        """The width of a call's result, from what stands before the callee."""
        words = tokenize(self._text, start, end)
        types = self._module.types
        for position in range(len(words)):
            cursor = Cursor(words[position:])
            try:
                type_ = types.read(cursor)
            except NotUnderstood:
                continue
            if not cursor.peek():
                # A function type before the callee hides the result's; the plain types suffice for what is asked.
                return types.width(type_)
        return 0

    # Reading by tokens

    def _careful(self, name: str | None, opcode: str, start: int, at: int, line: int) -> int:
        """Read the instruction by its tokens; an opaque node if that fails too."""
        reader = _CAREFUL_READERS.get(opcode)
        if reader is not None:
            end = instruction_end(self._text, start, self._limit)
            try:
                reader(self, name, opcode, Cursor(tokenize(self._text, at, end)), Span(start, end, line))
            except NotUnderstood:
                pass
            else:
                return end
        return self._unknown(name, opcode, start, at, line, NOTHING if opcode in _HARMLESS else ANYTHING)

    def _unknown(self, name: str | None, opcode: str, start: int, at: int, line: int, effects: Effects) -> int:
        end = max(instruction_end(self._text, start, self._limit), at)
        node = Opaque(
            opcode=opcode,
            inputs=self._names(at, end),
            reads=effects.reads,
            writes=effects.writes,
            ordered=effects.ordered,
            width=self._result_width(opcode, at, end) if name else 0,
            name=name,
            span=Span(start, end, line),
        )
        self._define(name, node)
        return end

    def _result_width(self, opcode: str, at: int, end: int) -> int:
        """The width of the result of an opaque instruction; 0 if it is no number or not known."""
        cursor = Cursor(tokenize(self._text, at, end))
        types = self._module.types
        try:
            if opcode in ("icmp", "fcmp"):
                return 1
            while cursor.peek().islower() and cursor.peek().isalpha() and cursor.peek() not in ("ptr", "float"):
                cursor.next()  # flags
            type_ = types.read(cursor)
            if opcode == "select":
                self._operand(cursor, type_)
                cursor.expect(",")
                type_ = types.read(cursor)
            elif opcode == "extractelement":
                type_ = type_.members[0] if type_.members else type_
            elif opcode == "extractvalue":
                type_ = self._extracted(cursor, type_)
            elif "to" in cursor.tokens:
                cursor.at = cursor.tokens.index("to") + 1
                type_ = types.read(cursor)
            return types.width(type_)
        except NotUnderstood:
            return 0

    def _extracted(self, cursor: Cursor, type_: Type) -> Type:
        self._operand(cursor, type_)
        while cursor.accept(",") and cursor.peek()[:1] != "!":
            index = integer(cursor.next())
            type_ = self._module.types.resolve(type_)
            if type_.kind == "array":
                index = 0
            if not 0 <= index < len(type_.members):
                raise NotUnderstood("no such member")
            type_ = type_.members[index]
        return type_

    def _careful_load(self, name: str | None, opcode: str, cursor: Cursor, span: Span) -> None:
        types = self._module.types
        atomic, volatile = _read_access_flags(cursor)
        type_ = types.read(cursor)
        cursor.expect(",")
        pointer_type = types.read(cursor)
        pointer = self._operand(cursor, pointer_type)
        ordering, align = _read_access_tail(cursor, atomic)
        try:
            access = self._module.access(type_, pointer_type, volatile, ordering, align)
        except NotUnderstood:
            through, ordered = (pointer,), atomic or volatile
            opaque = Opaque(
                opcode=opcode, inputs=(pointer,), reads=True, through=through, ordered=ordered, name=name, span=span
            )
            self._define(name, opaque)
            return
        self._define(name, Load(pointer=pointer, access=access, width=access.width, name=name, span=span))

    def _careful_store(self, name: str | None, opcode: str, cursor: Cursor, span: Span) -> None:
        types = self._module.types
        atomic, volatile = _read_access_flags(cursor)
        type_ = types.read(cursor)
        value = self._operand(cursor, type_)
        cursor.expect(",")
        pointer_type = types.read(cursor)
        pointer = self._operand(cursor, pointer_type)
        ordering, align = _read_access_tail(cursor, atomic)
        try:
            access = self._module.access(type_, pointer_type, volatile, ordering, align)
        except NotUnderstood:
            inputs, ordered = (value, pointer), atomic or volatile
            self._nodes.append(
                Opaque(opcode=opcode, inputs=inputs, writes=True, through=(pointer,), ordered=ordered, span=span)
            )
            return
        self._nodes.append(Store(pointer=pointer, value=value, access=access, span=span))

    def _careful_atomic(self, name: str | None, opcode: str, cursor: Cursor, span: Span) -> None:
        types = self._module.types
        volatile = cursor.accept("volatile")
        op = cursor.next()
        pointer_type = types.read(cursor)
        pointer = self._operand(cursor, pointer_type)
        cursor.expect(",")
        type_ = types.read(cursor)
        value = self._operand(cursor, type_)
        ordering, align = _read_access_tail(cursor, atomic=True)
        if align is None:
            align = (types.bits(type_) + 7) // 8  # what LLVM assumes before the alignment was written
        access = self._module.access(type_, pointer_type, volatile, ordering, align)
        width = access.width
        self._define(
            name, AtomicRMW(op=op, pointer=pointer, value=value, access=access, width=width, name=name, span=span)
        )

    def _careful_binary(self, name: str | None, opcode: str, cursor: Cursor, span: Span) -> None:
        while cursor.accept("nuw", "nsw", "disjoint"):
            pass
        type_ = self._module.types.read(cursor)
        if type_.kind != "int":
            raise NotUnderstood("arithmetic on something else than integers")
        lhs = self._operand(cursor, type_)
        cursor.expect(",")
        rhs = self._operand(cursor, type_)
        _expect_metadata(cursor)
        op = cast(BinaryOp, opcode)
        self._define(name, Binary(op=op, lhs=lhs, rhs=rhs, width=type_.bits, name=name, span=span))

    def _careful_cast(self, name: str | None, opcode: str, cursor: Cursor, span: Span) -> None:
        types = self._module.types
        while cursor.accept("nneg", "nuw", "nsw"):
            pass
        source = target = types.read(cursor)
        value = self._operand(cursor, source)
        if opcode != "freeze":
            cursor.expect("to")
            target = types.read(cursor)
        _expect_metadata(cursor)
        self._define(name, cast_node(types, opcode, value, source, target, name=name, span=span))

    def _careful_gep(self, name: str | None, opcode: str, cursor: Cursor, span: Span) -> None:
        types = self._module.types
        while cursor.accept("inbounds", "nusw", "nuw"):
            pass
        source = types.read(cursor)
        cursor.expect(",")
        pointer_type = types.read(cursor)
        base = self._operand(cursor, pointer_type)
        path = self._read_indices(cursor, source, pointer_type)
        for node in lower_gep(path, base, name, span):
            self._define(node.name, node)

    def _careful_alloca(self, name: str | None, opcode: str, cursor: Cursor, span: Span) -> None:
        types = self._module.types
        while cursor.accept("inalloca", "swifterror"):
            pass
        size = self._size(types.read(cursor))
        space = types.stack_space
        while cursor.accept(",") and cursor.peek()[:1] != "!":
            if cursor.accept("align"):
                cursor.next()
            elif cursor.peek() == "addrspace":
                space = types.read(Cursor(["ptr", *cursor.tokens[cursor.at :]])).space
                cursor.next()
                cursor.skip_brackets()
            else:
                size = self._alloca_count(cursor, size, span)
        width = types.layout.bits(space)
        self._define(name, StackSlot(size=size, space=space, width=width, name=name, span=span))

    def _alloca_count(self, cursor: Cursor, size: int | None, span: Span) -> int | None:
        """The size of a slot of several elements; a number of them that varies is used by a node of its own."""
        type_ = self._module.types.read(cursor)
        token = cursor.peek()
        count = self._operand(cursor, type_)
        if token[:1] != "%" and token.isdecimal():
            return size * integer(token) if size is not None else None
        self._nodes.append(Opaque(opcode="alloca", inputs=(count,), span=span))
        return None


def _key(name: str) -> str:
    """A local name with its quotes resolved: what it is known by."""
    return name if '"' not in name else f"%{unquote(name[1:])}"


def _split_parameters(text: str) -> list[str]:
    """The parts of a parameter or argument list, split at the commas outside any bracket."""
    if not text.strip():
        return []
    if not any(mark in text for mark in '(["{<'):
        return [part.strip() for part in text.split(",")]
    parts, depth = [""], 0
    for piece in re.findall(r'"[^"]*"|[^"(){}\[\]<>,]+|.', text, re.DOTALL):
        if piece == "," and not depth:
            parts.append("")
            continue
        if piece in ("(", "[", "{", "<"):
            depth += 1
        elif piece in (")", "]", "}", ">"):
            depth -= 1
        parts[-1] += piece
    return [part.strip() for part in parts]


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


def _read_access_flags(cursor: Cursor) -> tuple[bool, bool]:
    """``atomic`` and ``volatile``."""
    atomic = cursor.accept("atomic")
    return atomic, cursor.accept("volatile")


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
    while cursor.peek():
        cursor.expect(",")
        if cursor.accept("align"):
            align = integer(cursor.next())
            if align < 1:
                raise NotUnderstood("align")
        elif cursor.peek()[:1] == "!":
            break
        else:
            raise NotUnderstood(cursor.peek())
    return ordering, align


def _expect_metadata(cursor: Cursor) -> None:
    """Nothing but metadata may follow."""
    if cursor.peek():
        cursor.expect(",")
        if cursor.peek()[:1] != "!":
            raise NotUnderstood(cursor.peek())


_CONSTANT_WORDS = frozenset(
    "getelementptr bitcast inttoptr addrspacecast null undef poison zeroinitializer none".split()
)
_OPERAND_FIELDS: dict[type[Node], tuple[str, ...]] = {
    Load: ("pointer",),
    Store: ("pointer", "value"),
    AtomicRMW: ("pointer", "value"),
    Binary: ("lhs", "rhs"),
    Cast: ("value",),
    Opaque: ("inputs", "through"),
    StackSlot: (),
}
_READERS: dict[str, Callable[[_Body, str | None, str, int, int, int], int]] = {
    "load": _Body._load,
    "store": _Body._store,
    "getelementptr": _Body._gep,
    "alloca": _Body._alloca,
    "phi": _Body._phi,
    **dict.fromkeys(("and", "or", "xor", "add", "sub", "mul", "shl"), _Body._binary),
    **dict.fromkeys(("zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "addrspacecast"), _Body._cast),
    **dict.fromkeys(("call", "tail", "musttail", "notail", "invoke"), _Body._call),
}
_CAREFUL_READERS: dict[str, Callable[[_Body, str | None, str, Cursor, Span], None]] = {
    "load": _Body._careful_load,
    "store": _Body._careful_store,
    "atomicrmw": _Body._careful_atomic,
    "getelementptr": _Body._careful_gep,
    "alloca": _Body._careful_alloca,
    **dict.fromkeys(("and", "or", "xor", "add", "sub", "mul", "shl"), _Body._careful_binary),
    **dict.fromkeys(
        ("zext", "sext", "trunc", "freeze", "bitcast", "ptrtoint", "inttoptr", "addrspacecast"), _Body._careful_cast
    ),
}

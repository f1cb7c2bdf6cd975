"""Types and the module's data layout: how wide a value is, where a structure's member lies.

Pointee types are dropped, so ``i8*`` and ``ptr`` are one type. Whatever has no size that is certain (scalable
vectors, opaque structures, padding that depends on an unknown data layout) raises `NotUnderstood`::

    >>> types = Types("e-p:16:16-i32:16-a:8", DataLayout("little", {0: 16}), {}.get)
    >>> types.member_offset(types.parse("{ i8, i32 }"), 1)
    2
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from attrs import frozen

from bitsel.frontends.llvm.syntax import MAX_DEPTH, Cursor, NotUnderstood, integer, tokenize, unquote
from bitsel.ir import DataLayout

Kind = Literal["int", "float", "pointer", "vector", "array", "struct", "named", "other"]


@frozen
class Type:
    """`bits` for int and float, `space` for pointer, `count` and `members[0]` for vector and array, `members`
    for struct, `name` for a named structure."""

    kind: Kind
    bits: int = 0
    space: int = 0
    count: int = 0
    members: tuple[Type, ...] = ()
    packed: bool = False
    name: str = ""


@frozen
class PointerSpec:
    """Of one address space: size and index width in bits, ABI alignment in bytes."""

    bits: int
    align: int
    index_bits: int


@frozen
class StructLayout:
    """A structure's member offsets, size (None: not known) and ABI alignment, in bytes."""

    offsets: tuple[int, ...]
    size: int | None
    align: int


_FLOATS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}
_UNSIZED = frozenset(("void", "label", "metadata", "token", "opaque", "x86_amx", "x86_mmx"))
_INT = re.compile(r"i([1-9]\d{0,6})", re.ASCII)
_SPEC = re.compile(r"([ifva])(\d{0,8}):(\d{1,8})(?::\d+)*", re.ASCII)
_POINTER_SPEC = re.compile(r"p[a-z]*(\d{0,8}):(\d{1,8})(?::(\d{1,8}))?(?::(\d{1,8}))?(?::(\d{1,8}))?", re.ASCII)

#: Specifications without a size or alignment: byte order, mangling, native integers, address spaces, the stack.
_OTHER_SPEC = re.compile(
    r"[eE]|m:[a-z]|S\d{1,8}|[APG]\d{1,8}|F[in]\d{1,8}|n\d{1,8}(?::\d{1,8})*|ni(?::\d{1,8})+|s\d*(?::\d{1,8})+",
    re.ASCII,
)


def misspelled(spec: str) -> str | None:
    """The first part of a data layout string that is no specification; None if all are."""
    for part in spec.split("-") if spec else ():
        pointer = _POINTER_SPEC.fullmatch(part)
        if pointer is not None:
            if int(pointer[2]) == 0:
                return part
        elif not (_SPEC.fullmatch(part) or _OTHER_SPEC.fullmatch(part)):
            return part
    return None


#: What LLVM assumes where a data layout says nothing: ABI alignments in bytes by width in bits.
_INT_ALIGN = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4}
_FLOAT_ALIGN = {16: 2, 32: 4, 64: 8, 128: 16}
_VECTOR_ALIGN = {64: 8, 128: 16}


class Types:
    """The types of one module, parsed once per spelling.

    `spec` is the ``target datalayout`` string, None where the module has none: then pointer widths are those of
    `default`, and only sizes that no alignment can change are known. `definition` gives the text of a named type.
    """

    def __init__(self, spec: str | None, default: DataLayout, definition: Callable[[str], str | None]) -> None:
        self.aligned = spec is not None
        self.layout = default
        self.stack_space = 0
        self._definition = definition
        self._parsed: dict[str, Type] = {}
        self._named: dict[str, Type | None] = {}
        self._structs: dict[Type, StructLayout | None] = {}
        self._depth = 0
        self._ints, self._floats, self._vectors = dict(_INT_ALIGN), dict(_FLOAT_ALIGN), dict(_VECTOR_ALIGN)
        self._aggregate_align = 1
        self._pointers: dict[int, PointerSpec] = {}
        if spec is not None:
            self._read_spec(spec)
        else:
            for space, bits in default.pointer_bits.items():
                self._pointers[space] = PointerSpec(bits, _round_up_to_power(bits // 8), bits)

    def _read_spec(self, spec: str) -> None:
        """Take over what the data layout string says; parts it shares with no size or alignment are skipped."""
        self._pointers[0] = PointerSpec(64, 8, 64)
        endian: Literal["little", "big"] = "little"
        for part in spec.split("-"):
            if part in ("e", "E"):
                endian = "big" if part == "E" else "little"
            elif part[:1] == "A" and part[1:].isdecimal():
                self.stack_space = int(part[1:])
            elif match := _POINTER_SPEC.fullmatch(part):
                space, bits, abi, _preferred, index = match.groups()
                align = max(int(abi or bits) // 8, 1)
                self._pointers[int(space or 0)] = PointerSpec(int(bits), align, int(index or bits))
            elif match := _SPEC.fullmatch(part):
                self._read_alignment(match[1], int(match[2] or 0), max(int(match[3]) // 8, 1))
        self.layout = DataLayout(endian, {space: pointer.bits for space, pointer in self._pointers.items()})

    def _read_alignment(self, kind: str, bits: int, align: int) -> None:
        if kind == "a":
            self._aggregate_align = align
        else:
            {"i": self._ints, "f": self._floats, "v": self._vectors}[kind][bits] = align

    def pointer(self, space: int) -> PointerSpec:
        return self._pointers.get(space, self._pointers[0])

    # Reading

    def parse(self, text: str) -> Type:
        """The type that `text` spells, all of it."""
        known = self._parsed.get(text)
        if known is None:
            cursor = Cursor(tokenize(text))
            known = self.read(cursor)
            if cursor.peek():
                raise NotUnderstood(text)
            self._parsed[text] = known
        return known

    def read(self, cursor: Cursor, depth: int = 0) -> Type:
        """The type that stands next."""
        if depth > MAX_DEPTH:
            raise NotUnderstood("type nests too deep")
        found = self._read_plain(cursor, depth)
        while True:
            if cursor.accept("*"):
                found = Type("pointer")
            elif cursor.peek() == "addrspace":
                space = self.read_space(cursor)
                cursor.expect("*")
                found = Type("pointer", space=space)
            elif cursor.peek() == "(":
                cursor.skip_brackets()
                found = Type("other")
            else:
                return found

    def _read_plain(self, cursor: Cursor, depth: int) -> Type:
        token = cursor.next()
        if match := _INT.fullmatch(token):
            return Type("int", bits=int(match[1]))
        if token == "ptr":
            return Type("pointer", space=self.read_space(cursor))
        if token in _FLOATS:
            return Type("float", bits=_FLOATS[token])
        if token[:1] == "%":
            return Type("named", name=unquote(token[1:]))
        if token == "[":
            return self._read_sequence(cursor, "array", "]", depth)
        if token == "{":
            return Type("struct", members=tuple(self._read_members(cursor, depth)))
        if token == "<" and cursor.accept("{"):
            members = tuple(self._read_members(cursor, depth))
            cursor.expect(">")
            return Type("struct", members=members, packed=True)
        if token == "<":
            return self._read_sequence(cursor, "vector", ">", depth)
        if token == "target" and cursor.peek() == "(":
            cursor.skip_brackets()
            return Type("other")
        if token in _UNSIZED:
            return Type("other")
        raise NotUnderstood(token)

    def _read_sequence(self, cursor: Cursor, kind: Kind, close: str, depth: int) -> Type:
        scalable = cursor.accept("vscale")
        if scalable:
            cursor.expect("x")
        count = integer(cursor.next())
        if count < 0:
            raise NotUnderstood("a negative count")
        cursor.expect("x")
        element = self.read(cursor, depth + 1)
        cursor.expect(close)
        return Type("other") if scalable else Type(kind, count=count, members=(element,))

    def _read_members(self, cursor: Cursor, depth: int) -> Iterator[Type]:
        if cursor.accept("}"):
            return
        yield self.read(cursor, depth + 1)
        while cursor.accept(","):
            yield self.read(cursor, depth + 1)
        cursor.expect("}")

    def read_space(self, cursor: Cursor) -> int:
        """``addrspace(N)`` if it stands next, else 0."""
        if not cursor.accept("addrspace"):
            return 0
        cursor.expect("(")
        space = cursor.next()
        cursor.expect(")")
        if not space.isdecimal() or len(space) > 8:
            raise NotUnderstood(space)
        return int(space)

    # Sizes

    def resolve(self, type_: Type) -> Type:
        """The structure a name stands for; any other type as it is."""
        if type_.kind != "named":
            return type_
        if type_.name not in self._named:
            text = self._definition(type_.name)
            self._named[type_.name] = None if text is None else self.read(Cursor(tokenize(text)))
        found = self._named[type_.name]
        if found is None or found.kind != "struct":
            raise NotUnderstood(type_.name)
        return found

    def width(self, type_: Type) -> int:
        """The width in bits of a value that is one number (integer, pointer, float); 0 for any other type."""
        if type_.kind == "pointer":
            return self.layout.bits(type_.space)
        return type_.bits

    def bits(self, type_: Type) -> int:
        """The size of a value in bits, which is a whole number of bytes except for integers and vectors of them."""
        type_ = self.resolve(type_)
        if type_.kind in ("int", "float", "pointer"):
            return self.width(type_)
        if type_.kind == "vector":
            return type_.count * self.bits(type_.members[0])
        if type_.kind == "array":
            return type_.count * self.alloc_size(type_.members[0]) * 8
        size = self._struct(type_).size
        if size is None:
            raise NotUnderstood("a structure of unknown size")
        return size * 8

    def alloc_size(self, type_: Type) -> int:
        """The distance in bytes from one element of an array of this type to the next."""
        return self._padded((self.bits(type_) + 7) // 8, self.align(type_))

    def align(self, type_: Type) -> int:
        """The ABI alignment in bytes."""
        type_ = self.resolve(type_)
        bytes_ = _round_up_to_power((type_.bits + 7) // 8)
        if type_.kind == "int":
            return self._int_align(type_.bits) if self.aligned else bytes_
        if type_.kind == "float":
            return self._floats.get(type_.bits, bytes_)
        if type_.kind == "pointer":
            return self.pointer(type_.space).align
        if type_.kind == "vector":
            bits = self.bits(type_)
            return self._vectors.get(bits, _round_up_to_power((bits + 7) // 8))
        if type_.kind == "array":
            return self.align(type_.members[0])
        return self._struct(type_).align

    def member_offset(self, struct: Type, index: int) -> int:
        """Bytes from a structure's start to its member `index`."""
        offsets = self._struct(self.resolve(struct)).offsets
        if not 0 <= index < len(offsets):
            raise NotUnderstood("no such member")
        return offsets[index]

    def _struct(self, type_: Type) -> StructLayout:
        if type_.kind != "struct":
            raise NotUnderstood("a type without a size")
        if type_ not in self._structs:
            self._structs[type_] = None  # what a structure that contains itself finds
            if self._depth > MAX_DEPTH:
                raise NotUnderstood("type nests too deep")
            self._depth += 1
            try:
                self._structs[type_] = self._lay_out(type_)
            finally:
                self._depth -= 1
        found = self._structs[type_]
        if found is None:
            raise NotUnderstood("a structure of unknown layout")
        return found

    def _lay_out(self, type_: Type) -> StructLayout:
        offsets = []
        at, most = 0, 1 if type_.packed else self._aggregate_align
        for member in type_.members:
            align = 1 if type_.packed else self.align(member)
            at = self._padded(at, align)
            offsets.append(at)
            at += self.alloc_size(member)
            most = max(most, align)
        try:
            size = self._padded(at, most)
        except NotUnderstood:
            size = None
        return StructLayout(tuple(offsets), size, most)

    def _int_align(self, bits: int) -> int:
        """As LLVM does it: that of the next wider integer the layout lists, else of the widest."""
        wider = [known for known in self._ints if known >= bits]
        return self._ints[min(wider) if wider else max(self._ints)]

    def _padded(self, size: int, align: int) -> int:
        padded = -(-size // align) * align
        if padded != size and not self.aligned:
            raise NotUnderstood("padding without a data layout")
        return padded


def _round_up_to_power(value: int) -> int:
    return 1 << max(value - 1, 0).bit_length()

"""The text of one instruction: its operands and metadata as they are spelled, and how names are written."""

from __future__ import annotations

import re

from attrs import frozen

from bitsel.frontends.llvm.syntax import NAME, PLAIN_NAME, split_list
from bitsel.ir import AtomicRMW, Binary, Cast, Load, Node, Store
from bitsel.rewrite.llvm.kept import Kept

_STORE = re.compile(rf"store\s+(?:atomic\s+)?(?:volatile\s+)?.*\s%{NAME}", re.ASCII | re.DOTALL)
_ATOMIC = re.compile(r"(?:%\S+\s*=\s*)?atomicrmw\s+(?:volatile\s+)?[a-z_]+\s+(.*)", re.ASCII | re.DOTALL)
_OPAQUE = re.compile(r"(ptr(?:\s+addrspace\(\d+\))?)\s+(\S.*)", re.ASCII | re.DOTALL)
_TYPED = re.compile(rf"(.*?\*+)\s*([%@]{NAME}|[a-z]\w*\b.*)", re.ASCII | re.DOTALL)
_CONSTANT = re.compile(r"(?:getelementptr|bitcast|inttoptr|addrspacecast|null|undef|poison)\b", re.ASCII)
_POINTEE_SPACE = re.compile(r"\s*addrspace\(\d+\)\s*\*$|\s*\*$", re.ASCII)
_INT_LOAD = re.compile(r"load\s+(?:atomic\s+)?(?:volatile\s+)?i(\d+)\s*,", re.ASCII)
_INT_LOGIC = re.compile(r"(?:and|or|xor|freeze|atomicrmw)\b.*?\si(\d+)\s", re.ASCII | re.DOTALL)
_INT_CAST = re.compile(r"\bto\s+i(\d+)\b", re.ASCII)
_PLAIN = re.compile(PLAIN_NAME, re.ASCII)


@frozen
class Pointer:
    """A pointer operand: its type and itself as spelled."""

    type: str
    operand: str

    @property
    def typed(self) -> bool:
        """Whether its type says what it points to, as before LLVM 17."""
        return self.type.endswith("*")

    @property
    def is_constant(self) -> bool:
        return not self.operand.startswith("%")

    def to(self, pointee: str) -> str:
        """The type of a pointer to `pointee` in the same address space."""
        if not self.typed:
            return self.type
        space = _POINTEE_SPACE.search(self.type)
        assert space is not None
        return pointee + space[0].lstrip() if "addrspace" not in space[0] else f"{pointee} {space[0].lstrip()}"

    def points_to(self, pointee: str) -> bool:
        """Whether it can be accessed as a `pointee` without a cast."""
        return self.type == self.to(pointee)

    def __str__(self) -> str:
        return f"{self.type} {self.operand}"


def pointer_of(node: Store | AtomicRMW, text: str) -> Pointer:
    """The pointer operand of the store or atomic update spelled `text`."""
    parts = split_list(text)
    if isinstance(node, Store):
        if len(parts) < 2 or not _STORE.fullmatch(parts[0]):
            raise Kept("its store is spelled in a way that is not rewritten")
        spelled = parts[1]
    else:
        found = _ATOMIC.fullmatch(parts[0])
        if found is None:
            raise Kept("its update is spelled in a way that is not rewritten")
        spelled = found[1]
    pointer = _OPAQUE.fullmatch(spelled) or _TYPED.fullmatch(spelled)
    if pointer is None or (pointer[2][0] not in "%@" and not _CONSTANT.match(pointer[2])):
        raise Kept("its address is spelled in a way that is not rewritten")
    return Pointer(pointer[1], pointer[2])


def metadata_of(text: str, *, all_of_it: bool = False) -> str:
    """The metadata attachments of the instruction spelled `text`, ready to be appended; only ``!dbg`` if not all.

    What is said of the value or of its type does not hold of a narrower access; where it came from does.
    """
    attached = [part for part in split_list(text) if part.startswith("!")]
    return "".join(f", {part}" for part in attached if all_of_it or part.startswith("!dbg "))


def integer_type(node: Node, text: str) -> str:
    """The type of the value that `text` defines; Kept where that is no integer."""
    if isinstance(node, Load):
        found = _INT_LOAD.search(text)
    elif isinstance(node, Cast) and node.op != "freeze":
        found = _INT_CAST.search(text)
    elif isinstance(node, (Binary, Cast, AtomicRMW)):
        found = _INT_LOGIC.search(text)
    else:
        found = None
    if found is None or int(found[1]) != node.width:
        raise Kept(f"{node.name} is no integer")
    return f"i{found[1]}"


def global_name(name: str) -> str:
    """The global of that link name as LLVM spells it."""
    if _PLAIN.fullmatch(name) and not name[0].isdigit():
        return f"@{name}"
    data = name.encode("utf-8", "surrogateescape")
    return '@"' + "".join(chr(b) if 0x20 <= b < 0x7F and b not in b'"\\' else f"\\{b:02X}" for b in data) + '"'

"""What a call may do to memory: attributes (``memory(...)`` and its older spellings) and known intrinsics.

memory(argmem: read)        reads what its pointer arguments point into
readnone                    no memory at all
(nothing)                   everything
"""

from __future__ import annotations

import re

from attrs import frozen

from bitsel.frontends.llvm.entities import Entities


@frozen
class Effects:
    """`reads` and `writes`: memory that this module can see. `arguments_only`: only through pointer arguments.
    `ordered`: volatile accesses keep their place relative to it, for what it does; `unwinds`, `hangs`: since what
    stands behind it may never run. `returns_twice`: as ``setjmp`` does."""

    reads: bool = True
    writes: bool = True
    arguments_only: bool = False
    ordered: bool = True
    unwinds: bool = True
    hangs: bool = True
    returns_twice: bool = False

    @property
    def orders_volatile(self) -> bool:
        """Whether a volatile access may not move across the call."""
        return self.ordered or self.unwinds or self.hangs

    def and_(self, other: Effects) -> Effects:
        """What both promises together leave possible."""
        return Effects(
            self.reads and other.reads,
            self.writes and other.writes,
            self.arguments_only or other.arguments_only,
            self.ordered and other.ordered,
            self.unwinds and other.unwinds,
            self.hangs and other.hangs,
            self.returns_twice or other.returns_twice,
        )


ANYTHING = Effects()
NOTHING = Effects(reads=False, writes=False, ordered=False)
RETURNS = Effects(unwinds=False, hangs=False)

#: Intrinsics that touch no memory, by the first part of the name behind ``llvm.``.
_HARMLESS = frozenset(
    (
        *("abs", "assume", "bitreverse", "bswap", "canonicalize", "ceil", "copysign", "cos", "ctlz", "ctpop"),
        *("cttz", "donothing", "exp", "exp2", "expect", "fabs", "floor", "fma", "fmuladd", "frameaddress"),
        *("fshl", "fshr", "is", "ldexp", "log", "log10", "log2", "maximum", "maxnum", "minimum", "minnum"),
        *("nearbyint", "objectsize", "pow", "powi", "ptrmask", "returnaddress", "rint", "round"),
        *("roundeven", "sadd", "scmp", "sin", "smax", "smin", "smul", "sqrt", "sshl", "ssub", "threadlocal"),
        *("trunc", "uadd", "ucmp", "umax", "umin", "umul", "ushl", "usub"),
    )
)
_NO_ALIAS_SCOPE = "llvm.experimental.noalias.scope.decl"
_WORDS = {
    "readnone": NOTHING,
    "readonly": Effects(writes=False),
    "writeonly": Effects(reads=False),
    "argmemonly": Effects(arguments_only=True),
    "inaccessiblememonly": Effects(reads=False, writes=False),
    "inaccessiblemem_or_argmemonly": Effects(arguments_only=True),
    "nounwind": Effects(unwinds=False),
    "willreturn": Effects(hangs=False),
    "returns_twice": Effects(returns_twice=True),
}
_ATTRIBUTE = re.compile(rf'"[^"]*"|#(\d+)|\bmemory\(([^)]*)\)|(?<![-\w."])({"|".join(_WORDS)})\b', re.ASCII)


class CallEffects:
    """Effects of the calls of one module; what a declaration says is read once per callee."""

    def __init__(self, entities: Entities) -> None:
        self._entities = entities
        self._callees: dict[str, Effects] = {}
        self._groups: dict[str, Effects] = {}

    def of(self, callee: str | None, attributes: str) -> Effects:
        """The effects of calling `callee` (unquoted; None: not known) with `attributes` behind the arguments."""
        here = self._of_attributes(attributes) if attributes else ANYTHING
        if callee is None:
            return here
        known = self._callees.get(callee)
        if known is None:
            known = self._of_callee(callee)
            self._callees[callee] = known
        return known if here is ANYTHING else here.and_(known)

    def _of_callee(self, name: str) -> Effects:
        if name.startswith("llvm."):
            if name.split(".")[1] in _HARMLESS or name == _NO_ALIAS_SCOPE:
                return RETURNS.and_(NOTHING)
            if name.startswith(("llvm.memcpy.", "llvm.memmove.")):
                return RETURNS.and_(Effects(arguments_only=True))
            if name.startswith("llvm.memset."):
                return RETURNS.and_(Effects(reads=False, arguments_only=True))
        return self._of_attributes(self._entities.function_attributes(name))

    def _of_attributes(self, text: str) -> Effects:
        effects = ANYTHING
        for group, memory, word in _ATTRIBUTE.findall(text):
            if group:
                if group not in self._groups:
                    self._groups[group] = ANYTHING  # a group cannot mention groups; if it does, it says nothing
                    self._groups[group] = self._of_attributes(self._entities.attribute_group(group))
                effects = effects.and_(self._groups[group])
            elif word:
                effects = effects.and_(_WORDS[word])
            elif memory:
                effects = effects.and_(_of_memory(memory))
        return effects


def _of_memory(text: str) -> Effects:
    """``memory(...)``: a kind for everything not named, and kinds for named locations."""
    kinds = {"other": "none"}
    for item in text.split(","):
        location, _, kind = item.rpartition(":")
        kinds[location.strip() or "other"] = kind.strip()
    argument = kinds.pop("argmem", kinds["other"])
    inaccessible = kinds.pop("inaccessiblemem", kinds["other"])
    # A location that is not known here may be any memory.
    elsewhere = set(kinds.values()) - {"none"}
    visible = elsewhere | {argument} - {"none"}
    return Effects(
        reads=bool(visible - {"write"}),
        writes=bool(visible - {"read"}),
        arguments_only=not elsewhere,
        ordered=bool(visible | {inaccessible} - {"none"}),
    )

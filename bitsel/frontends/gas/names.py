"""What a whole text of assembly says of its names, before any of it is followed."""

from __future__ import annotations

import re

from attrs import frozen

from bitsel.frontends.gas.expression import UNKNOWN, Address, ExpressionError, Value, evaluate, modifiers
from bitsel.frontends.gas.scan import OPENS, Scanned, Statement
from bitsel.target.facts import Target

SECTIONS = frozenset(
    [".text", ".data", ".bss", ".section", ".pushsection", ".popsection", ".previous", ".subsection"]
)
_DEBUG = re.compile(r'"?\.(debug|stab|zdebug|gnu\.lto|eh_frame)')
_RAM = re.compile(r'(\.data|\.bss|\.(push)?section\s+"?\.(data|bss|noinit))\b')
_QUIET = frozenset(
    [".size", ".type", ".loc", ".file", ".ident", ".addrsig_sym", ".global", ".globl", ".weak", ".local", ".hidden"]
)
_NAME = re.compile(r"[A-Za-z_.][\w.$]*")
_COMPILERS = re.compile(r"GCC|clang|LLVM")
_ADDRESSING = frozenset([".struct", ".offset", ".org"])


@frozen
class Names:
    """`assigned`: values by ``.set`` and its like. `referenced`: what instructions and data refer to. `data`:
    labels in sections of RAM. `functions`: labels that functions start at. `compiled`: a compiler signed the text,
    so that its functions keep to the convention. `plain`: the text is what it shows; with macros, repetitions,
    conditional parts, other files and addresses by count it is not."""

    assigned: dict[str, Value]
    referenced: frozenset[str]
    data: frozenset[str]
    functions: frozenset[str]
    compiled: bool
    plain: bool

    @classmethod
    def of(cls, scanned: Scanned, target: Target) -> Names:
        statements = scanned.statements
        return cls(
            assigned=_assigned(scanned, target),
            referenced=_referenced(scanned),
            data=_data(scanned),
            functions=_functions(scanned),
            compiled=any(s.word == ".ident" and _COMPILERS.search(s.rest) for s in statements),
            plain=not any(map(_says_more_than_it_shows, statements)),
        )


def _says_more_than_it_shows(statement: Statement) -> bool:
    word = statement.word
    return statement.kind == "directive" and (
        word in OPENS or word in _ADDRESSING or word == ".include" or word.startswith(".if")
    )


def _assigned(scanned: Scanned, target: Target) -> dict[str, Value]:
    """The symbols that the text assigns a value; one that is assigned two, or itself, has none that is known."""
    found: dict[str, Value] = {}
    parts = modifiers(target.parts)
    weak = {name.strip() for s in scanned.statements if s.word == ".weak" for name in s.rest.split(",")}
    for statement in scanned.statements:
        name, text = statement.word, statement.rest
        if statement.kind == "directive" and name in (".set", ".equ", ".equiv", ".eqv"):
            name, _, text = (piece.strip() for piece in text.partition(","))
        elif statement.kind != "assignment":
            continue
        try:
            value = evaluate(text, found, parts)
        except (ExpressionError, ValueError):
            value = UNKNOWN
        is_odd = statement.hidden or name in weak or (isinstance(value, Address) and value.symbol in (name, "."))
        found[name] = UNKNOWN if is_odd or found.get(name, value) != value else value
    return found


def _referenced(scanned: Scanned) -> frozenset[str]:
    """The names that instructions and data refer to; those of debug sections and of sizes do not count."""
    found: set[str] = set()
    debug = False
    for statement in scanned.statements:
        if statement.kind == "directive":
            if statement.word in SECTIONS:
                debug = bool(_DEBUG.match(statement.rest))
            if debug or statement.word in _QUIET or statement.word.startswith(".cfi"):
                continue
        if statement.kind != "label":
            found.update(_NAME.findall(statement.rest))
    return frozenset(found)


def _data(scanned: Scanned) -> frozenset[str]:
    """The labels in sections that are RAM by their name, and what is reserved as common."""
    found = set()
    ram = False
    for statement in scanned.statements:
        if statement.kind == "directive" and statement.word in SECTIONS:
            ram = bool(_RAM.match(statement.word + " " + statement.rest))
        elif statement.kind == "directive" and statement.word in (".comm", ".lcomm"):
            found.add(statement.rest.split(",")[0].strip())
        elif statement.kind == "label" and ram and not statement.hidden:
            found.add(statement.word)
    return frozenset(found)


def _functions(scanned: Scanned) -> frozenset[str]:
    """The labels that functions start at."""
    found = set()
    for statement in scanned.statements:
        if statement.kind != "directive":
            continue
        if statement.word == ".type" and statement.rest.replace("%", "@").endswith("@function"):
            found.add(statement.rest.split(",")[0].strip())
        elif statement.word in (".global", ".globl", ".weak"):
            found.update(name.strip() for name in statement.rest.split(","))
    return frozenset(found)

"""Finding the functions in a module's text, and telling cheaply which of them can hold a bit update.

A site is an ``atomicrmw``, or a store of a value that and/or/xor and casts made of a loaded one. Both show in the
text by a few searches at the speed of C; a function that shows neither is never parsed. The test may find names of
chains where there is no site, never none where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bitsel.errors import InputError, Location
from bitsel.frontends.llvm.syntax import NAME, PLAIN_NAME, closing, unquote
from bitsel.record import record

_HEADER = re.compile(rf'define\b[^@"\n]*(?:"[^"\n]*"[^@"\n]*)*@({NAME})[ \t]*(?=\()', re.ASCII)
# The way compilers print it, in one go: name, parameters, the opening brace.
_PLAIN_HEADER = re.compile(rf'define [^@"\n]*@({PLAIN_NAME})\(([^()"\n]*)\)[^{{"\n;]*\{{', re.ASCII)
_TO_BODY = re.compile(r'[^{";]*(?:(?:"[^"]*"|;[^\n]*\n)[^{";]*)*\{')
_INDENTED_CLOSE = re.compile(r"\n[ \t]+\}[ \t\r]*(?=\n|;|$)")

_BITWISE = "and|or|xor"
_CASTS = "zext|sext|trunc|freeze|bitcast|inttoptr|ptrtoint|ptrtoaddr|addrspacecast"
_BY_LOGIC = re.compile(rf"=\s*(?:{_BITWISE})\s", re.ASCII)
# The rest of the line is only looked at, so that a second instruction on it is found too.
_MADE = re.compile(rf"(%{PLAIN_NAME})\s*=\s*({_BITWISE}|{_CASTS}|load)\s(?=([^\n]*(?:\n\s*,[^\n]*)?))", re.ASCII)
# The first name before a comma is the stored value, unless the type is one of those that hold names or commas.
_STORE = re.compile(rf"store\s([^%({{;,]*)(?:(%{PLAIN_NAME})\s*,|([%({{;][^\n]*))?", re.ASCII)
_LOCAL = re.compile(rf"%{PLAIN_NAME}", re.ASCII)


@record
class Extent:
    """A function definition's text: from ``define`` up to and with the closing brace."""

    start: int
    end: int


@record
class Header:
    """`name` is the link name; `parameters` the text between the parentheses; the body starts behind the brace."""

    name: str
    parameters: str
    body: int


def function_extents(text: str, path: str) -> Iterator[Extent]:
    """The definitions in source order; InputError where one has no end."""
    start = next_define(text, 0)
    while start >= 0:
        following = next_define(text, start + 6)
        end = function_end(text, start, following if following >= 0 else len(text))
        if end < 0:
            raise _unterminated(text, path, start)
        yield Extent(start, end)
        # A following `define` may be a word in this body; the one that counts stands behind it.
        start = following if following < 0 or following >= end else next_define(text, end)


def check_end(text: str, path: str) -> None:
    """InputError if the last function has no end: known at once, before anything is reported about the others."""
    start = text.rfind("\ndefine ") + 1
    if (start or text.startswith("define ")) and function_end(text, start, len(text)) < 0:
        raise _unterminated(text, path, start)


def next_define(text: str, start: int) -> int:
    """The next ``define`` that begins a line, at or behind `start`; -1 if there is none."""
    return find_at_line_start(text, "define", start)


def find_at_line_start(text: str, word: str, start: int = 0) -> int:
    """The next `word` with nothing but blanks before it on its line and a blank behind it; -1 if there is none."""
    while (start := text.find(word, start)) >= 0:
        before = text[max(start - 64, 0) : start].rpartition("\n")[2]
        end = start + len(word)
        if (not before or before.isspace()) and text[end : end + 1] in (" ", "\t"):
            return start
        start = end
    return -1


def function_end(text: str, start: int, limit: int) -> int:
    """The position behind the brace that closes the function at `start`; -1 if there is none before `limit`."""
    end = text.find("\n}", start, limit)
    if end >= 0:
        return end + 2
    opening = _header(text, start, limit)
    if opening is None:
        return -1
    # Written in some other way than compilers do: an indented brace, or everything on one line.
    if indented := _INDENTED_CLOSE.search(text, opening.body - 1, limit):
        return indented.end()
    return closing(text, opening.body - 1, limit) + 1 or -1


def function_header(text: str, path: str, extent: Extent) -> Header:
    """The header of a function; InputError if it is none."""
    found = _header(text, extent.start, extent.end)
    if found is None:
        where = Location(path, text.count("\n", 0, extent.start) + 1)
        raise InputError("expected a function: 'define <type> @<name>(<parameters>) {'", where)
    return found


def _header(text: str, start: int, limit: int) -> Header | None:
    if match := _PLAIN_HEADER.match(text, start, limit):
        return Header(match[1], match[2], match.end())
    match = _HEADER.match(text, start, limit)
    if match is None:
        return None
    opening = match.end()
    end = closing(text, opening, limit)
    body = _TO_BODY.match(text, end, limit) if end >= 0 else None
    if body is None:
        return None
    return Header(unquote(match[1]), text[opening + 1 : end], body.end())


def chain_names(text: str, extent: Extent) -> set[str] | None:
    """The names of the values that a site in the function can be made of, from its load to what is stored.

    Empty where there can be no site; None where a site can be made of anything the function has.
    """
    start, end = extent.start, extent.end
    if text.find("atomicrmw", start, end) >= 0:
        return None
    if text.find('%"', start, end) >= 0:  # quoted names: one name, several spellings
        return None if text.find("store", start, end) >= 0 else set()
    if not _BY_LOGIC.search(text, start, end):
        return set()
    stored = _stored_names(text, start, end)
    if stored is None:
        return None
    return _made_by_logic_on_load(stored, text, start, end) if stored else set()


def _stored_names(text: str, start: int, end: int) -> set[str] | None:
    """The names among the values stored; None where a comment hides one."""
    names = set()
    for _, name, rest in _STORE.findall(text, start, end):
        if name:
            names.add(name)
        elif rest:
            if rest[0] == ";":
                return None
            names.update(_LOCAL.findall(rest))
    return names


def _made_by_logic_on_load(names: set[str], text: str, start: int, end: int) -> set[str] | None:
    """Of what the values `names` are made of by and/or/xor and casts, as `chain_names` says: the names between
    them and a load; empty if no load is under an and/or/xor."""
    found = _MADE.findall(text, start, end)
    made = {name: (opcode, operands) for name, opcode, operands in found}
    if len(made) < len(found):  # a comment speaks of values
        return None
    pending = [(name, False) for name in names if name in made]
    seen: set[tuple[str, bool]] = set()
    uses: dict[str, list[str]] = {}
    loaded: set[str] = set()
    updated = False  # a load under an and/or/xor is found
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        name, by_logic = value
        opcode, operands = made[name]
        if opcode == "load":
            loaded.add(name)
            updated = updated or by_logic
            continue
        # They may go on in the next line.
        if ";" in operands or "%" not in operands or operands.rstrip().endswith(","):
            return None
        by_logic = by_logic or opcode in ("and", "or", "xor")
        for operand in _LOCAL.findall(operands):
            if operand in made:
                pending.append((operand, by_logic))
                uses.setdefault(operand, []).append(name)
    return _with_users(loaded, uses) if updated else set()


def _with_users(names: set[str], uses: dict[str, list[str]]) -> set[str]:
    """`names`, what uses them, what uses that, and so on."""
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += uses.get(name, ())
    return found


def _unterminated(text: str, path: str, start: int) -> InputError:
    match = _HEADER.match(text, start)
    name = f"@{match[1]}" if match else "the function"
    return InputError(
        f"{name} begins here and does not end: expected '}}' before the end of the file or the next 'define'",
        Location(path, text.count("\n", 0, start) + 1),
    )

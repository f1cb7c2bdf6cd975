"""The lexical pieces of LLVM IR text: names, tokens, where an instruction ends.

Tokens are what the general (slow) reading works on; the common lines are matched by the regular expressions
next to their meaning, and never get here::

    >>> tokenize("load atomic i8, ptr @x acquire", 5)
    ['atomic', 'i8', ',', 'ptr', '@x', 'acquire']
"""

from __future__ import annotations

import re

#: An unquoted name, and any name, without its sigil.
PLAIN_NAME = r"[-\w.$]+"
NAME = rf'(?:{PLAIN_NAME}|"[^"\n]*")'

#: How deep types and constant expressions may nest before they count as not understood.
MAX_DEPTH = 64

_TOKEN = re.compile(
    rf'[%@!#$]{NAME}|c?"[^"]*"|[A-Za-z_][\w.]*|-?\d(?:[eE][-+]|[\w.])*|\.\.\.|;[^\n]*|[^\s]', re.ASCII
)
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")
_INTEGER = re.compile(r"-?\d+|([us])0x([0-9A-Fa-f]+)", re.ASCII)

# One physical line without anything that could hide its end or carry it on.
_PLAIN_LINE = re.compile(r'[^\n;"\[{]*')
_STEP = re.compile(r'"[^"\n]*"|;[^\n]*|[(\[{]|[)\]}]|\n')
_CARRIED_ON = re.compile(
    r"[ \t]*(?:to[ \t]+label\b|unwind[ \t]|cleanup[ \t\r]*(?:$|[;,])|catch[ \t]|filter[ \t]|\]"
    # What compilers never put on a line of its own: the rest of an instruction broken anywhere.
    rf"|[,=@]|%{PLAIN_NAME}(?![-\w.$]|\s*=)|(?:i\d+|ptr|void|label|align|to)(?![-\w.$:]))",
    re.M | re.ASCII,
)
# Where another instruction begins on the line: a name that is defined, an opcode without a result, a label.
_ALONE = "store|br|ret|switch|indirectbr|resume|unreachable|fence|cleanupret|catchret"
_CALLS = r"(?:(?:tail|musttail|notail)\s+)?call|invoke|callbr|atomicrmw|cmpxchg"
_BEGINS = rf"%{NAME}\s*=|(?:{_ALONE}|{_CALLS})(?![-\w.$:])|(?:{PLAIN_NAME}|\"[^\"\n]*\"):|#dbg_"
_MAY_BEGIN = re.compile(rf"\s(?:{_BEGINS})", re.ASCII)
_WORD = re.compile(rf'({_BEGINS})|[%@!#$]{NAME}|{PLAIN_NAME}|"[^"\n]*"|;[^\n]*|[(\[{{]|[)\]}}]|\n', re.ASCII)
_OWN_WORDS = re.compile(rf"(?:%{NAME}\s*=\s*)?(?:(?:{_CALLS})(?![-\w.$])|#?[-\w.$]+)?", re.ASCII)
_OPENING = re.compile(r'[(\[{<"]')
_PIECE = re.compile(r'"[^"]*"|[^"(){}\[\]<>,]+|.', re.DOTALL)


class NotUnderstood(Exception):
    """Text that is not what was expected there. Never leaves the front end: the instruction becomes opaque."""


class Cursor:
    """A position in a list of tokens; past the end every token is the empty string."""

    __slots__ = ("at", "tokens")

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def accept(self, *tokens: str) -> bool:
        """Take the next token if it is one of `tokens`."""
        if self.peek() in tokens:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise NotUnderstood(token)

    def at_metadata(self) -> bool:
        """Whether a metadata attachment stands next."""
        return self.peek() == "," and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][0] == "!"

    def skip_brackets(self) -> None:
        """Take everything from an opening bracket to the one that closes it."""
        depth = 0
        while True:
            token = self.next()
            if token in ("(", "[", "{", "<"):
                depth += 1
            elif token in (")", "]", "}", ">"):
                depth -= 1
            elif not token:
                raise NotUnderstood("unbalanced brackets")
            if depth <= 0:
                return


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[str]:
    """The tokens of text[start:end] without comments; quoted names and strings are one token each."""
    found = _TOKEN.findall(text, start, len(text) if end is None else end)
    return [token for token in found if token[0] != ";"]


def integer(token: str) -> int:
    """The value of an integer literal: decimal, ``u0x..`` or ``s0x..``."""
    match = _INTEGER.fullmatch(token)
    if match is None or len(token) > 4000:
        raise NotUnderstood(token)
    signed, digits = match.groups()
    if digits is None:
        return int(token)
    value = int(digits, 16)
    if signed == "s" and int(digits[0], 16) >= 8:
        value -= 1 << 4 * len(digits)
    return value


def unquote(name: str) -> str:
    r"""A name (without sigil) or string as it is meant: quotes dropped, ``\22`` decoded."""
    if name[:1] != '"':
        return name
    return decode(name[1:-1])


def decode(text: str) -> str:
    r"""The inside of a string with its ``\xx`` escapes decoded; the bytes they make are read as UTF-8."""
    if "\\" not in text:
        return text
    raw = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    try:
        return raw.encode("latin-1").decode()
    except UnicodeError:
        return raw


def instruction_end(text: str, start: int, limit: int) -> int:
    """Where the instruction with `start` in it ends: behind its last character that is no blank or comment.

    An instruction goes on over a line end inside brackets, after a comma, before the clauses of ``invoke``,
    ``callbr`` and ``landingpad``, and before what no instruction begins with. It ends before another one on the
    same line.
    """
    own = _OWN_WORDS.match(text, start, limit)
    behind = max(own.end() if own else start, start + 1)
    if (another := _another(text, behind, limit)) >= 0:
        return _without_trailing_blanks(text, start, another)
    return _end_of_lines(text, behind, limit)


def _another(text: str, behind: int, limit: int) -> int:
    """The position of the next instruction, or label, if it is on the same line; -1 if not."""
    possible = _MAY_BEGIN.search(text, behind, limit)
    if possible is None or text.find("\n", behind, possible.start() + 1) >= 0:
        return -1
    depth = 0
    for word in _WORD.finditer(text, behind, limit):
        kind = word[0]
        if not depth and (word[1] is not None or kind == "\n"):
            return -1 if kind == "\n" else word.start()
        depth += (kind in "([{") - (kind in ")]}")
    return -1


def _end_of_lines(text: str, start: int, limit: int) -> int:
    match = _PLAIN_LINE.match(text, start, limit)
    end = match.end() if match else start
    if (end == limit or text[end] == "\n") and text.count("(", start, end) == text.count(")", start, end):
        end = _without_trailing_blanks(text, start, end)
        if text[end - 1] != ",":
            following = text.find("\n", end, limit) + 1
            if not following or not _CARRIED_ON.match(text, following, limit):
                return end
    return _careful_end(text, start, limit)


def _careful_end(text: str, start: int, limit: int) -> int:
    depth = 0
    code = start  # everything before it is known to be no comment
    end = start
    for step in _STEP.finditer(text, start, limit):
        kind = step[0][0]
        if kind == ";":
            end = max(end, _without_trailing_blanks(text, code, step.start()))
            code = step.end()
            continue
        if kind != "\n":
            depth = max(depth + (kind in "([{") - (kind in ")]}"), 0)
            continue
        end = max(end, _without_trailing_blanks(text, code, step.start()))
        code = step.end()
        if depth == 0 and text[end - 1] != "," and not _CARRIED_ON.match(text, step.end(), limit):
            return end
    return max(end, _without_trailing_blanks(text, code, limit))


def _without_trailing_blanks(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return end


def skip_blanks(text: str, at: int, limit: int) -> int:
    """The position of the first character at or behind `at` that is no blank."""
    while at < limit and text[at] in " \t":
        at += 1
    return at


def closing(text: str, opening: int, limit: int) -> int:
    """The position of the bracket that closes the one at `opening`; -1 if there is none before `limit`."""
    depth = 0
    for step in _STEP.finditer(text, opening, limit):
        kind = step[0][0]
        if kind in "([{":
            depth += 1
        elif kind in ")]}":
            depth -= 1
            if depth == 0:
                return step.start()
    return -1


def split_list(text: str) -> list[str]:
    """The parts of a parameter or argument list, split at the commas outside any bracket."""
    if not text or text.isspace():
        return []
    if not _OPENING.search(text):
        return [part.strip() for part in text.split(",")]
    parts, depth = [""], 0
    for piece in _PIECE.findall(text):
        if piece == "," and not depth:
            parts.append("")
            continue
        depth += (piece in "([{<") - (piece in ")]}>")
        parts[-1] += piece
    return [part.strip() for part in parts]

"""Assembly text as statements, each with its exact span: what lies between spans is blanks, comments, separators.

Comments, separators and strings are those of the target's dialect; a ``#`` that begins a line starts a comment, and
``/* */`` encloses one, for every target::

    1: sbiw r24,1 ; count        label "1" and instruction "sbiw r24,1", comment "count"

Inline assembly is told from the compiler's own by what it prints around it (``#APP``, ``/* #APP */``, ``;APP``, and
GCC's line markers ``N "file" 1`` and ``0 "" 2``); macros, repetitions and conditional parts by their directives.
What stands inside is not the text that is assembled, or not only: such statements are `hidden`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from bitsel.errors import InputError, Location
from bitsel.record import record
from bitsel.target.facts import Dialect

Kind = Literal["label", "directive", "assignment", "instruction"]


@record
class Statement:
    """One statement: text[start:end] is `text`, but for comments inside it, which are a blank in `text`.

    `word` is a label's or assigned symbol's name, a directive's name with its dot, or a mnemonic, the latter two in
    lower case; `rest` is what follows it. `hidden`: it stands in inline assembly, a macro, a repetition or a
    conditional part.
    """

    kind: Kind
    word: str
    rest: str
    start: int
    end: int
    line: int
    hidden: bool = False


@record
class Comment:
    """A comment with its marks, as it stands at text[start:end]."""

    start: int
    end: int
    text: str


@record
class Scanned:
    """All statements and comments of a text in order. `macros`: the names that it defines as macros."""

    statements: tuple[Statement, ...]
    comments: tuple[Comment, ...]
    macros: frozenset[str]


_LABEL = re.compile(r"([A-Za-z_.$][\w.$]*|[0-9]+)\s*:(?!:?=)\s*")
_ASSIGNMENT = re.compile(r"([A-Za-z_.$][\w.$]*)\s*==?(?!=)\s*(.*)", re.DOTALL)
_WORD = re.compile(r"(\S+)\s*(.*)", re.DOTALL)
OPENS = frozenset({".macro", ".rept", ".irp", ".irpc", ".irep", ".irepc", ".rep", ".ifndef"})
_CLOSES = {".endm": "macro", ".endr": "repetition", ".endif": "conditional part"}
_PREPROCESSED = re.compile(r"#(?:if|ifdef|ifndef|else|elif|endif|define|undef|include)\b")
_MARK_ON = re.compile(r'[#;\s]*(?:APP|START OF INLINE ASSEMBLER|\d+ ".*" 1)\s*', re.IGNORECASE)
_MARK_OFF = re.compile(r'[#;\s]*(?:NO_?APP|END OF INLINE ASSEMBLER|0 "" 2)\s*', re.IGNORECASE)


@lru_cache(maxsize=16)
def _pieces(dialect: Dialect) -> re.Pattern[str]:
    comment = re.escape(dialect.comment)
    # Behind a comma it is none: in ".type f, @function" the assembler takes RL78's "@" for what it is elsewhere.
    separator = rf"(?<!,)(?<!,[ \t]){re.escape(dialect.separator)}" if dialect.separator else r"(?!)"
    argument = rf"|(?:(?<=,)|(?<=,[ \t])){re.escape(dialect.separator)}" if dialect.separator else ""
    stops = re.escape(dialect.comment[0]) + (re.escape(dialect.separator[0]) if dialect.separator else "")
    return re.compile(
        rf"(?P<line>^[ \t]*\#[^\n]*)|(?P<block>/\*.*?(?:\*/|\Z))|(?P<comment>{comment}[^\n]*)"
        rf"|(?P<end>\n|{separator})"
        rf'|(?P<body>(?:[^"\'/\n{stops}]|"(?:[^"\\\n]|\\.)*"|\'(?:\\.|[^\\\n])\'?|/(?!\*){argument})+)|(?P<stray>.)',
        re.DOTALL | re.MULTILINE,
    )


def scan(text: str, dialect: Dialect, path: str) -> Scanned:
    """The statements of `text`. Raises InputError where a macro, repetition or conditional part is not closed."""
    return _Scanner(text, dialect, path).scanned()


class _Scanner:
    def __init__(self, text: str, dialect: Dialect, path: str) -> None:
        self.text = text
        self.dialect = dialect
        self.path = path
        self.statements: list[Statement] = []
        self.comments: list[Comment] = []
        self.macros: set[str] = set()
        self.open: list[tuple[str, int]] = []  # closing directives waited for, and the lines of their openings
        self.inline = False  # inside inline assembly

    def scanned(self) -> Scanned:
        text = self.text
        line = 1
        bodies: list[tuple[int, int]] = []
        first = 1
        for piece in _pieces(self.dialect).finditer(text):
            kind = piece.lastgroup
            if piece[0] == '"':
                raise InputError("a string is not closed on its line", Location(self.path, line))
            if kind in ("body", "stray"):
                if not bodies:
                    if piece[0].isspace():
                        continue  # blanks before a comment
                    first = line
                bodies.append(piece.span())
            elif kind == "end":
                if bodies:
                    self._statements(bodies, first)
                    bodies = []
                if piece[0] == "\n":
                    line += 1
            else:
                self._comment(piece, line, whole_line=not bodies)
                line += piece[0].count("\n") if kind == "block" else 0
        if bodies:
            self._statements(bodies, first)
        if self.open:
            closing, opened = self.open[-1]
            raise InputError(f"a {_CLOSES[closing]} is not closed by {closing}", Location(self.path, opened))
        return Scanned(tuple(self.statements), tuple(self.comments), frozenset(self.macros))

    def _comment(self, piece: re.Match[str], line: int, *, whole_line: bool) -> None:
        if piece.lastgroup == "line" and _PREPROCESSED.match(piece[0].strip()):
            where = Location(self.path, line)
            raise InputError(
                "has lines for the C preprocessor", where, hint="run it through the compiler's -E first"
            )
        self.comments.append(Comment(piece.start(), piece.end(), piece[0]))
        if not whole_line:
            return
        inside = piece[0].strip()
        if inside.startswith("/*"):
            inside = inside[2:].removesuffix("*/")
        inside = inside.removeprefix(self.dialect.comment).strip()
        if _MARK_ON.fullmatch(inside):
            self.inline = True
        elif _MARK_OFF.fullmatch(inside):
            # The marker of the end comes before the one that says so: either ends it.
            self.inline = False

    def _statements(self, bodies: list[tuple[int, int]], line: int) -> None:
        """The labels and the statement in `bodies`, the pieces between comments."""
        start, end = bodies[0][0], bodies[-1][1]
        text = self.text[start:end] if len(bodies) == 1 else self._without_comments(bodies)
        at = 0
        within = bodies[0][1] - start  # a label with a comment inside is none that is looked for
        while True:
            at += len(text) - at - len(text[at:].lstrip())
            label = _LABEL.match(text, at, within)
            if label is None:
                break
            self._add("label", label[1], "", start + label.start(), start + label.end(1) + 1, line)
            at = label.end()
        rest = text[at:].strip()
        if rest:
            spaces = len(text) - at - len(text[at:].lstrip())
            blank = len(self.text[start:end]) - len(self.text[start:end].rstrip())
            stop = end - blank if len(bodies) > 1 else start + at + spaces + len(rest)
            self._statement(rest, start + at + spaces, stop, line)

    def _without_comments(self, bodies: list[tuple[int, int]]) -> str:
        return " ".join(self.text[a:b] for a, b in bodies)

    def _statement(self, text: str, start: int, end: int, line: int) -> None:
        assigned = _ASSIGNMENT.fullmatch(text)
        if assigned is not None:
            self._add("assignment", assigned[1], assigned[2], start, end, line)
            return
        found = _WORD.fullmatch(text)
        assert found is not None, "a statement is not blank"
        word = found[1].lower()
        if not word.startswith("."):
            self._add("instruction", word, found[2], start, end, line)
            return
        if word in _CLOSES:
            self._close(word, line)
        self._add("directive", word, found[2], start, end, line)
        if word == ".macro":
            self.macros.add(re.split(r"[\s,]", found[2], maxsplit=1)[0].lower())
        if word in OPENS or word.startswith(".if"):
            closing = ".endm" if word == ".macro" else ".endif" if word.startswith(".if") else ".endr"
            self.open.append((closing, line))

    def _close(self, word: str, line: int) -> None:
        if not self.open:
            raise InputError(f"{word} closes nothing", Location(self.path, line))
        if self.open[-1][0] != word:
            waited = self.open[-1][0]
            raise InputError(f"{word} where {waited} is expected", Location(self.path, line))
        self.open.pop()

    def _add(self, kind: Kind, word: str, rest: str, start: int, end: int, line: int) -> None:
        hidden = self.inline or bool(self.open)
        self.statements.append(Statement(kind, word, rest, start, end, line, hidden))


def comments_between(comments: tuple[Comment, ...], start: int, end: int) -> Iterator[Comment]:
    """The comments that lie in text[start:end]."""
    from bisect import bisect_left

    at = bisect_left(comments, start, key=lambda comment: comment.start)
    while at < len(comments) and comments[at].start < end:
        yield comments[at]
        at += 1

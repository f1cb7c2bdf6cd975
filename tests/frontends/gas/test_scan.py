"""Statements of assembly text, and what is none."""

from __future__ import annotations

import pytest

from bitsel.errors import InputError
from bitsel.frontends.gas.scan import scan
from bitsel.target.facts import Dialect

AVR = Dialect(comment=";", separator="$")
RL78 = Dialect(comment=";", line_comment="#", separator="@")
V850 = Dialect(comment="#", separator=";")


def statements(text: str, dialect: Dialect = AVR) -> list[tuple[str, str, str]]:
    return [(s.kind, s.word, s.rest) for s in scan(text, dialect, "x.s").statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1: LDI r24 , 5 ; c", [("label", "a", ""), ("label", "1", ""), ("instruction", "ldi", "r24 , 5")]),
        ("x = 5", [("assignment", "x", "5")]),
        ('# 12 "a.c" 1\n\tnop', [("instruction", "nop", "")]),
        ("nop $ nop", [("instruction", "nop", ""), ("instruction", "nop", "")]),
        ('.ascii "a;b$c\\"d" ; e', [("directive", ".ascii", '"a;b$c\\"d"')]),
        ("ldi /* a ; b $ */ r24, ';'", [("instruction", "ldi", "r24, ';'")]),
        ("nop\r\nret\r\n", [("instruction", "nop", ""), ("instruction", "ret", "")]),
        ("/* never closed\nnop", []),
        ("ret", [("instruction", "ret", "")]),
    ],
)
def test_statements(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert statements(text) == expected


def test_the_separator_is_an_argument_s_mark_behind_a_comma() -> None:
    assert statements(".type f, @function\nnop @ ret", RL78) == [
        ("directive", ".type", "f, @function"),
        ("instruction", "nop", ""),
        ("instruction", "ret", ""),
    ]


def test_another_dialect_s_comments_and_separators() -> None:
    assert statements("nop ; nop # ; ret", V850) == [("instruction", "nop", ""), ("instruction", "nop", "")]


def test_spans_hold_the_statement_and_nothing_else() -> None:
    text = "lab:  in r18, /* x */ 5  ; c\n\tret"
    scanned = scan(text, AVR, "x.s")
    assert [text[s.start : s.end] for s in scanned.statements] == ["lab:", "in r18, /* x */ 5", "ret"]
    assert [s.line for s in scanned.statements] == [1, 1, 2]
    assert [comment.text for comment in scanned.comments] == ["/* x */", "; c"]


@pytest.mark.parametrize(
    ("on", "off"),
    [
        ("#APP", "#NO_APP"),
        ("/* #APP */", "/* #NOAPP */"),
        (";APP", ";NO_APP"),
        (' ; 12 "x.c" 1', ' ; 0 "" 2'),
        (".macro m", ".endm"),
        (".rept 2", ".endr"),
        (".if 1", ".endif"),
    ],
)
def test_what_stands_in_inline_assembly_and_the_like_is_hidden(on: str, off: str) -> None:
    scanned = scan(f"{on}\nnop\n{off}\nret", AVR, "x.s")
    hidden = {s.word: s.hidden for s in scanned.statements if s.kind == "instruction"}
    assert hidden == {"nop": True, "ret": False}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nop\n.if 1\nnop", "x.s:2: a conditional part is not closed by .endif"),
        (".endr", "x.s:1: .endr closes nothing"),
        (".macro m\n.endif", "x.s:2: .endif where .endm is expected"),
    ],
)
def test_what_is_not_balanced_is_an_error(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        scan(text, AVR, "x.s")
    assert str(caught.value) == message

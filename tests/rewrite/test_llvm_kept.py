"""What is left as it is, with the reason; and that text outside the rewritten sites does not change."""

from __future__ import annotations

from typing import Any

import pytest

from bitsel.rewrite.options import Options, Sites
from bitsel.rewrite.result import EXCLUDED

CLEAR = (
    "  %v = load volatile i8, ptr @flags, align 1\n"
    "  %o = and i8 %v, -9\n"
    "  store volatile i8 %o, ptr @flags, align 1\n"
)


FREEZE = """\
  %v = load i8, ptr @flags, align 1
  %z = freeze i8 %v
  %o = and i8 %z, -9
  store i8 %o, ptr @flags, align 1
"""
SLOT = """\
  %s = alloca i8, align 1
  %v = load volatile i8, ptr %s, align 1
  %o = and i8 %v, -9
  store volatile i8 %o, ptr %s, align 1
"""
TWO_ON_A_LINE = """\
  %v = load volatile i8, ptr @flags, align 1 %o = and i8 %v, -9
  store volatile i8 %o, ptr @flags, align 1
"""
TWO_LINES = """\
  %v = load volatile i8, ptr @flags, align 1
  %o = and i8 %v,
    -9
  store volatile i8 %o, ptr @flags, align 1
"""
TYPED = """\
  %v = load volatile i8, i8* @flags, align 1
  %o = and i8 %v, -9
  store volatile i8 %o, i8* @flags, align 1
"""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (FREEZE, "a freeze decides bits of it that may be undefined"),
        (SLOT, "where a stack slot lies is only known to the compiler"),
        (TWO_ON_A_LINE, "the instruction at line 6 does not have one line to itself"),
        (TWO_LINES, "the instruction at line 7 does not have one line to itself"),
        (TYPED, "the text has typed pointers, as LLVM before 15"),
    ],
)
def test_what_cannot_be_written_soundly_stays(body: Any, text: str, kept: str) -> None:
    assert body(text, kept=kept) == text


def test_use_list_orders_count_uses(rewrite: Any) -> None:
    text = (
        "@flags = global i8 0\ndefine void @f() {\n" + CLEAR + "  ret void\n}\nuselistorder ptr @flags, { 1, 0 }\n"
    )
    done = rewrite(text)
    assert done.text == text
    assert [site.kept for site in done.sites] == ["the module has use-list orders, which count uses"]


def test_a_symbol_in_another_address_space_than_its_access_stays(body: Any) -> None:
    text = CLEAR.replace(
        "ptr @flags", "ptr addrspace(1) inttoptr (i16 ptrtoint (ptr @flags to i16) to ptr addrspace(1))"
    )
    kept = "@flags is no global variable of its address space"
    assert body(text, "rl78:r7f100g", kept=kept) == text


@pytest.mark.parametrize(
    ("sites", "expected"),
    [
        (Sites(but=("*",)), []),
        (Sites(only=("g:*",)), ["g:0:0"]),
        (Sites(only=("f:0:1", "g:*"), but=("g:0:0",)), ["f:0:1"]),
        (Sites(but=("f:0:0",)), ["f:0:1", "g:0:0"]),
    ],
)
def test_sites_are_picked_by_id(rewrite: Any, sites: Sites, expected: list[str]) -> None:
    text = (
        "@flags = global i8 0\n"
        f"define void @f() {{\n{CLEAR}{CLEAR.replace('%v', '%x').replace('%o', '%y')}  ret void\n}}\n"
        f"define void @g() {{\n{CLEAR}  ret void\n}}\n"
    )
    done = rewrite(text, options=Options(sites=sites))
    assert [site.report.id for site in done.sites if site.rewritten] == expected
    assert all(site.kept == EXCLUDED for site in done.sites if not site.rewritten)
    assert (done.text == text) == (not expected)


def test_lines_are_those_of_the_old_and_of_the_new_text(rewrite: Any) -> None:
    text = (
        "@flags = global i8 0\n@w = global i16 0\n"
        f"define void @f() {{\n{CLEAR}"
        "  %a = load i16, ptr @w, align 2\n  %b = or i16 %a, 4096\n  store i16 %b, ptr @w, align 2\n"
        "  ret void\n}\n"
        f"define void @g() {{\n{CLEAR}  ret void\n}}\n"
    )
    done = rewrite(text)
    assert [(site.line_before, site.line_after) for site in done.sites] == [(6, 4), (9, 8), (15, 12)]
    lines = done.text.split("\n")
    assert [lines[site.line_after - 1].strip() for site in done.sites] == [site.after[-1] for site in done.sites]


def test_the_report_has_the_instructions_before_and_after(rewrite: Any) -> None:
    text = (
        "@w = global i16 0\n@g = global i8 0\ndefine void @f() {\n"
        "  %1 = load i16, ptr @w, align 2\n"
        "  store i8 0, ptr @g\n"
        "  %2 = and i16 %1, -4097\n"
        "  store i16 %2, ptr @w, align 2 ; here\n"
        "  ret void\n}\n"
    )
    [site] = rewrite(text).sites
    assert site.before == (
        "%1 = load i16, ptr @w, align 2",
        "%2 = and i16 %1, -4097",
        "store i16 %2, ptr @w, align 2",
    )
    assert site.after[:2] == ("%1 = bitcast i16 undef to i16", "%2 = bitcast i16 undef to i16")
    assert site.after[2].startswith("call void asm sideeffect")


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_are_kept_and_the_new_ones_are_like_them(rewrite: Any, end: str) -> None:
    text = (
        "@w = global i16 0\n\ndefine void @f() {\n"
        "\t%v = load i16, ptr @w, align 2 ; one\n"
        "\t%o = or i16 %v, 4096\n"
        "\tstore i16 %o, ptr @w, align 2 \t; two\n"
        "\n  ret void\n} ; \u00e4\udcff\n; the end"
    )
    expected = (
        "@w = global i16 0\n\ndefine void @f() {\n"
        "\t%v = getelementptr i8, ptr @w, i16 1 ; one\n"
        "\t%o = load i8, ptr %v, align 1\n"
        "\t%bitsel.0 = or i8 %o, 16\n"
        "\tstore i8 %bitsel.0, ptr %v, align 1 \t; two\n"
        "\n  ret void\n} ; \u00e4\udcff\n; the end"
    )
    assert rewrite(text.replace("\n", end)).text == expected.replace("\n", end)


def test_a_comment_behind_what_goes_stays(body: Any) -> None:
    assert body(CLEAR.replace("-9\n", "-9 ; bit 3\n")).startswith("   ; bit 3\n")


def test_the_same_names_elsewhere_do_not_matter(rewrite: Any) -> None:
    """In another function, in a comment, in a string, as a label."""
    text = (
        '@flags = global i8 0\n@s = constant [2 x i8] c"%v"\n'
        "define i8 @g(i8 %v) {\n  %o = add i8 %v, 1\n  ret i8 %o\n}\n"
        f"define void @f() {{\n; %v and %o\n{CLEAR}  br label %v1\nv1:\n  ret void\n}}\n"
    )
    done = rewrite(text)
    assert done.text == text.replace(CLEAR, "").replace(
        "; %v and %o\n",
        '; %v and %o\n  call void asm sideeffect "bic.b #8, &$0", "=*m,*m"'
        "(ptr elementtype(i8) @flags, ptr elementtype(i8) @flags)\n",
    )


def test_new_names_are_new(body: Any) -> None:
    assert "%bitsel.1 = or i8 %o, 16" in body(
        "  %bitsel.0 = add i8 1, 1\n"
        "  %v = load i16, ptr @w, align 2\n"
        "  %o = or i16 %v, 4096\n"
        "  store i16 %o, ptr @w, align 2\n"
    )

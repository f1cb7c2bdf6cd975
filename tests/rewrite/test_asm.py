"""Rewriting assembly: options, sites, and text that is not what it should be."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsel
from bitsel.errors import InputError
from bitsel.plugins import Plugins, find_device
from bitsel.rewrite.asm import rewrite_assembly
from bitsel.rewrite.options import Options, Ram, Sites
from bitsel.rewrite.result import Rewritten

DEVICES = {"avr": "atmega328p", "msp430": "msp430g2553", "rl78": "r7f100g"}

TWO = """\t.text
\t.type\tf, @function
f:
\tin r18,5
\tori r18,4
\tout 5,r18
\tcbi 5,3
\tin r18,5
\tandi r18,253
\tout 5,r18
\tldi r18,0
\tret
"""


def rewritten(text: str, name: str = "avr", options: Options | None = None) -> Rewritten:
    target = Plugins(()).target(name)
    return rewrite_assembly(text, "x.s", target, find_device(target, DEVICES[name]), options)


def test_a_site_says_what_was_and_what_is_and_on_which_lines() -> None:
    first, between, last = rewritten(TWO).sites
    assert (first.before, first.after) == (("in r18,5", "ori r18,4", "out 5,r18"), ("sbi 0x05, 2",))
    assert (first.line_before, first.line_after) == (6, 4)
    assert (between.rewritten, between.line_before, between.line_after) == (False, 7, 5)
    assert (last.line_before, last.line_after) == (10, 6)
    assert last.report.id == "f:entry:2"


def test_only_the_sites_that_were_asked_for() -> None:
    only = rewritten(TWO, options=Options(sites=Sites(only=("f:entry:2",))))
    assert only.text == TWO.replace("\tin r18,5\n\tandi r18,253\n\tout 5,r18\n", "\tcbi 0x05, 1\n")
    assert only.sites[0].kept is not None


def test_nothing_is_free_where_no_convention_holds() -> None:
    text = TWO.replace("\tldi r18,0\n", "").replace("r18", "r26")
    assert len([site for site in rewritten(text).sites if site.rewritten]) == 2
    none = rewritten(text, options=Options(by_hand=True))
    assert [site.rewritten for site in none.sites] == [True, False, False]  # r26 is set anew behind the first only


WORD = "\t.text\n\t.type f, @function\nf:\n\tbis #256, &w\n\tret\n"


@pytest.mark.parametrize(
    ("data", "options", "changes"),
    [
        ("\t.bss\nw:\t.word 0\n", Options(narrow=True), True),
        ("\t.bss\nw:\t.word 0\n", Options(), False),
        ("", Options(narrow=True), False),
        ("", Options(narrow=True, ram=Ram(symbols=frozenset({"w"}))), True),
        ('\t.section .rodata,"a"\nw:\t.word 0\n', Options(narrow=True), False),
    ],
)
def test_accesses_become_narrower_only_where_that_is_known_to_be_ram(
    data: str, options: Options, changes: bool
) -> None:
    narrow = WORD.replace("bis #256, &w", "bis.b #1, &w+1") if changes else WORD
    assert rewritten(WORD + data, "msp430", options).text == narrow + data


def test_undoing_is_load_operate_store() -> None:
    text = '\t.text\n\t.type f, @function\nf:\n\tset1\t!-251.3\n\tret\n\t.ident "GCC"\n'
    assert rewritten(text, "rl78", Options(undo=True)).text == text.replace(
        "\tset1\t!-251.3\n", "\tmov\ta, 0xfff05\n\tor\ta, #8\n\tmov\t0xfff05, a\n"
    )


def test_by_hand_anything_may_be_handed_on_between_functions_of_one_file() -> None:
    update = "\tin r26,5\n\tori r26,4\n\tout 5,r26\n"
    given = f"\t.text\n\t.type f, @function\nf:\n{update}\trcall show\n\tret\n"
    given += "\t.type show, @function\nshow:\n\tout 8,r26\n\tret\n"
    returned = "\t.text\n\t.type f, @function\nf:\n\trcall check\n\tmov r24,r26\n\tret\n"
    returned += f"\t.type check, @function\ncheck:\n{update}\tret\n"
    for text in (given, returned):
        assert rewritten(text, "avr").text == text


def test_flags_that_are_pushed_or_tested_in_memory_are_read() -> None:
    update = "\tmov a, 0xfff05\n\tor a, #4\n\tmov 0xfff05, a\n"
    pushed = "\tpush psw\n\tmov a, #0\n\tpop psw\n\tbz $.L3\n"
    tested = "\tmov a, #0\n\tbt psw.6, $.L3\n"
    compared = "\tmov a, #0\n\tcmp a, !0xffffa\n\tbz $.L3\n"
    for after in (pushed, tested, compared):
        text = f"\t.text\n\t.type f, @function\nf:\n{update}{after}\tclrb a\n.L3:\n\tret\n"
        assert rewritten(text, "rl78").text == text


def test_what_the_preprocessor_has_not_seen_is_refused() -> None:
    with pytest.raises(InputError, match="preprocessor"):
        rewritten("\t.text\n#ifdef A\n\tin r18,3\n#endif\n", "avr")


UPDATE = "\tin r18,5\n\tori r18,4\n\tout 5,r18\n"
HEAD = "\t.text\n\t.type f, @function\nf:\n"


def test_a_handler_that_an_instruction_calls_may_be_given_anything() -> None:
    def text(then: str) -> str:
        return f"{HEAD}\tmov a, 0xfff05\n\tor a, #4\n\tmov 0xfff05, a\n\t{then}\n\tclrb a\n\tret\n"

    assert rewritten(text("brk"), "rl78").text == text("brk")
    assert rewritten(text("nop"), "rl78").text != text("nop")


def test_a_label_in_inline_assembly_hides_the_one_of_its_name() -> None:
    def text(inner: str) -> str:
        shown = f"{HEAD}\tnop\n1:\tldi r18,0\n\tnop\n\trjmp 2f\n"
        hidden = f"/* #APP */\n{inner}:\tout 0x08,r18\n/* #NOAPP */\n\tnop\n\tret\n"
        return shown + hidden + f"2:\tnop\n{UPDATE}\trjmp 1b\n"

    assert rewritten(text("3")).text != text("3")
    assert rewritten(text("1")).text == text("1")


@pytest.mark.parametrize(("mask", "goes"), [("4", True), ("(1<<62)*4>>60|4", False)])
def test_constants_are_what_64_bits_hold(mask: str, goes: bool) -> None:
    text = f"{HEAD}\tmov.b &x,r15\n\tbis.b #{mask},r15\n\tmov.b r15,&x\n\tmov #0,r15\n\tret\n"
    assert (rewritten(text, "msp430").text != text) == goes


def test_a_string_that_is_not_closed_is_refused() -> None:
    with pytest.raises(InputError, match=r"^x\.s:2: a string is not closed"):
        rewritten('\t.text\n\t.ascii "abc\n\tin r18,5\n"\n')


@pytest.mark.parametrize(("address", "goes"), [("0x202", True), ("0x203", False), ("x+2", True), ("x+1", False)])
def test_a_word_at_an_odd_address_is_another_word(address: str, goes: bool) -> None:
    text = f"{HEAD}\tmov &{address},r15\n\tbis #1024,r15\n\tmov r15,&{address}\n\tmov #0,r15\n\tret\n"
    assert (rewritten(text, "msp430").text != text) == goes


@pytest.mark.parametrize("opening", [".if 1", ".rept 1", ".irep x,1"])
def test_a_text_that_says_more_than_it_shows_stays(opening: str) -> None:
    closing = ".endif" if opening.startswith(".if") else ".endr"
    shown = f"{HEAD}\tnop\n{UPDATE}\tldi r18,0\n\tret\n"
    more = f"\t{opening}\n\t{closing}\n{shown}"
    assert rewritten(more).text == more
    assert rewritten(shown).text != shown


def test_by_hand_a_caller_may_rely_on_what_a_routine_leaves_alone() -> None:
    routine = (
        "\t.text\n\t.global main\nmain:\n\tldi r26,5\n\trcall led\n\tout 8,r26\n\tret\nled:\n\tsbi 5,1\n\tret\n"
    )
    assert rewritten(routine, options=Options(undo=True)).text == routine


def test_a_jump_to_a_number_may_go_anywhere() -> None:
    def text(where: str) -> str:
        return f"{HEAD}\trjmp {where}\n\tnop\n{UPDATE}\tldi r18,0\n\tret\n"

    assert rewritten(text("8")).text == text("8")
    assert rewritten(text("elsewhere")).text != text("elsewhere")


def test_what_stands_behind_data_may_be_skipped_over() -> None:
    text = f"{HEAD}\t.byte 0x61,0xf8\n\tset1 !-20.2\n\tset1 !-20.3\n\tret\n"
    assert rewritten(text, "rl78").text == text.replace("set1 !-20.3", "set1 0xfffec.3")


def test_undoing_needs_a_free_register() -> None:
    text = "\t.text\n\t.type f, @function\nf:\n\tset1\t!-251.3\n\tbr\tax\n"
    assert rewritten(text, "rl78", Options(undo=True)).text == text


def test_another_target_s_assembly_has_no_sites() -> None:
    v850 = "\t.text\n_f:\n\tld.bu 4[r6], r10\n\tori 4, r10, r10\n\tst.b r10, 4[r6]\n\tset1 3, 4[r6]\n\tjmp [lp]\n"
    assert rewritten(v850).sites == ()


def test_line_ends_stay() -> None:
    assert rewritten(TWO.replace("\n", "\r\n")).text == rewritten(TWO).text.replace("\n", "\r\n")


def test_select_reads_assembly(tmp_path: Path) -> None:
    file = tmp_path / "x.s"
    file.write_text(TWO)
    report = bitsel.select(file, target="avr:atmega328p")
    assert [site.verdict for site in report.sites] == ["selected", "rejected", "selected"]
    assert (report.input.functions, report.summary.bytes_saved) == (1, 8)


def test_text_with_a_null_character_is_none(tmp_path: Path) -> None:
    file = tmp_path / "x.s"
    file.write_bytes(b"\tnop\n\0\n")
    with pytest.raises(InputError, match="x.s:2: not text: a null character"):
        bitsel.select(file, target="avr:atmega328p")

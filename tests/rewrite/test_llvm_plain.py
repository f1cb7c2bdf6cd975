"""Updates that the target's LLVM makes one instruction of by itself: plain IR, no wider than what changes."""

from __future__ import annotations

from typing import Any

import pytest

from bitsel.rewrite.result import ALREADY

MSP430 = "msp430:msp430g2553"


def test_a_word_is_narrowed_to_its_high_byte(body: Any) -> None:
    assert body("  %v = load i16, ptr @w, align 2\n  %o = or i16 %v, 4096\n  store i16 %o, ptr @w, align 2\n") == (
        "  %v = getelementptr i8, ptr @w, i16 1\n"
        "  %o = load i8, ptr %v, align 1\n"
        "  %bitsel.0 = or i8 %o, 16\n"
        "  store i8 %bitsel.0, ptr %v, align 1\n"
    )


def test_the_alignment_is_that_of_the_byte(body: Any) -> None:
    """Two bytes into an object at a multiple of four."""
    assert "load i8, ptr %v, align 2" in body(
        "  %v = load i32, ptr @l, align 4\n  %o = or i32 %v, 4194304\n  store i32 %o, ptr @l, align 4\n"
    )


def test_casts_go(body: Any) -> None:
    assert body(
        "  %v = load volatile i8, ptr @flags, align 1\n"
        "  %x = zext i8 %v to i16\n"
        "  %o = or i16 %x, 2\n"
        "  %t = trunc i16 %o to i8\n"
        "  store volatile i8 %t, ptr @flags, align 1\n"
    ) == (
        "  %v = load volatile i8, ptr @flags, align 1\n"
        "  %x = or i8 %v, 2\n"
        "  store volatile i8 %x, ptr @flags, align 1\n"
    )


def test_a_volatile_word_stays_a_word(body: Any) -> None:
    text = (
        "  %v = load volatile i16, ptr @w, align 2\n"
        "  %o = or i16 %v, 4096\n"
        "  store volatile i16 %o, ptr @w, align 2\n"
    )
    assert body(text, kept=ALREADY) == text


def test_numbers_of_values_stay_consecutive(body: Any) -> None:
    """What is numbered is left with its number, as a value of which no code comes."""
    assert body(
        "  %1 = load volatile i8, ptr @flags, align 1\n"
        "  %2 = zext i8 %1 to i16\n"
        "  %3 = or i16 %2, 2\n"
        "  %4 = trunc i16 %3 to i8\n"
        "  store volatile i8 %4, ptr @flags, align 1\n"
        "  %5 = load i8, ptr %0, align 1\n",
        head="ptr %0",
    ) == (
        "  %1 = load volatile i8, ptr @flags, align 1\n"
        "  %2 = or i8 %1, 2\n"
        "  %3 = bitcast i16 undef to i16\n"
        "  %4 = bitcast i8 undef to i8\n"
        "  store volatile i8 %2, ptr @flags, align 1\n"
        "  %5 = load i8, ptr %0, align 1\n"
    )


def test_the_load_goes_to_the_store_where_an_access_lies_between(body: Any) -> None:
    assert body(
        "  %v = load i8, ptr @flags, align 1\n"
        "  store i16 7, ptr @w, align 2\n"
        "  %o = or i8 %v, 8\n"
        "  store i8 %o, ptr @flags, align 1\n"
    ) == (
        "  store i16 7, ptr @w, align 2\n"
        "  %bitsel.0 = load i8, ptr @flags, align 1\n"
        "  %bitsel.1 = or i8 %bitsel.0, 8\n"
        "  store i8 %bitsel.1, ptr @flags, align 1\n"
    )


def test_the_pointer_may_be_computed_behind_the_load(body: Any) -> None:
    """The new load uses the store's pointer, so it cannot stand where the old one did."""
    assert body(
        "  %q = getelementptr i8, ptr %p, i16 3\n"
        "  %v = load i16, ptr %q, align 1\n"
        "  %r = getelementptr i8, ptr %p, i16 3\n"
        "  %o = or i16 %v, 8\n"
        "  store i16 %o, ptr %r, align 1\n"
    ) == (
        "  %q = getelementptr i8, ptr %p, i16 3\n"
        "  %r = getelementptr i8, ptr %p, i16 3\n"
        "  %bitsel.0 = load i8, ptr %r, align 1\n"
        "  %bitsel.1 = or i8 %bitsel.0, 8\n"
        "  store i8 %bitsel.1, ptr %r, align 1\n"
    )


def test_metadata_stays_with_an_access_of_the_same_width(body: Any) -> None:
    assert body(
        "  %v = load volatile i8, ptr @flags, align 1, !dbg !1, !tbaa !2\n"
        "  %x = zext i8 %v to i16, !dbg !3\n"
        "  %o = or i16 %x, 2, !dbg !3\n"
        "  %t = trunc i16 %o to i8, !dbg !4\n"
        "  store volatile i8 %t, ptr @flags, align 1, !dbg !5, !tbaa !6\n"
    ) == (
        "  %v = load volatile i8, ptr @flags, align 1, !dbg !1, !tbaa !2\n"
        "  %x = or i8 %v, 2, !dbg !4\n"
        "  store volatile i8 %x, ptr @flags, align 1, !dbg !5, !tbaa !6\n"
    )


def test_of_a_narrower_access_only_where_it_came_from_is_known(body: Any) -> None:
    assert body(
        "  %v = load i16, ptr @w, align 2, !dbg !1, !tbaa !2, !noundef !7\n"
        "  %o = or i16 %v, 4096, !dbg !DILocation(line: 3, column: 4, scope: !8)\n"
        "  store i16 %o, ptr @w, align 2, !tbaa !6, !dbg !5\n"
    ) == (
        "  %v = getelementptr i8, ptr @w, i16 1, !dbg !5\n"
        "  %o = load i8, ptr %v, align 1, !dbg !1\n"
        "  %bitsel.0 = or i8 %o, 16, !dbg !DILocation(line: 3, column: 4, scope: !8)\n"
        "  store i8 %bitsel.0, ptr %v, align 1, !dbg !5\n"
    )


@pytest.mark.parametrize(
    "record",
    [
        "    #dbg_value(i16 %o, !9, !DIExpression(), !10)\n",
        "  call void @llvm.dbg.value(metadata i16 %o, metadata !9, metadata !DIExpression()), !dbg !10\n",
        "    #dbg_value(!DIArgList(i16 %o, i16 4), !9, !DIExpression(), !10)\n",
    ],
)
def test_what_a_debug_record_speaks_of_keeps_its_name_and_type(body: Any, record: str) -> None:
    assert body(
        "  %v = load i16, ptr @w, align 2\n  %o = or i16 %v, 4096\n" + record + "  store i16 %o, ptr @w, align 2\n"
    ) == (
        "  %o = bitcast i16 undef to i16\n" + record + "  %bitsel.0 = getelementptr i8, ptr @w, i16 1\n"
        "  %bitsel.1 = load i8, ptr %bitsel.0, align 1\n"
        "  %bitsel.2 = or i8 %bitsel.1, 16\n"
        "  store i8 %bitsel.2, ptr %bitsel.0, align 1\n"
    )


def test_typed_pointers_are_cast(body: Any) -> None:
    assert body(
        "  %v = load i16, i16* @w, align 2\n  %o = or i16 %v, 4096\n  store i16 %o, i16* @w, align 2\n",
        head="i8* %p",
    ) == (
        "  %v = bitcast i16* @w to i8*\n"
        "  %o = getelementptr i8, i8* %v, i16 1\n"
        "  %bitsel.0 = load i8, i8* %o, align 1\n"
        "  %bitsel.1 = or i8 %bitsel.0, 16\n"
        "  store i8 %bitsel.1, i8* %o, align 1\n"
    )


def test_several_changes_are_as_few_instructions_as_they_can_be(body: Any) -> None:
    """Clear bit 2 and set it again, then bit 3: one `or`."""
    assert body(
        "  %v = load i8, ptr @flags, align 1\n"
        "  %a = and i8 %v, -5\n"
        "  %b = or i8 %a, 4\n"
        "  %c = or i8 %b, 8\n"
        "  store i8 %c, ptr @flags, align 1\n"
    ) == ("  %v = load i8, ptr @flags, align 1\n  %a = or i8 %v, 12\n  store i8 %a, ptr @flags, align 1\n")


def test_on_avr_a_word_becomes_a_byte(body: Any) -> None:
    """Two loads and stores less; no bit instruction reaches that far."""
    assert body(
        "  %v = load i16, ptr @w, align 1\n  %o = and i16 %v, -65\n  store i16 %o, ptr @w, align 1\n",
        "avr:atmega328p",
    ) == ("  %v = load i8, ptr @w, align 1\n  %o = and i8 %v, -65\n  store i8 %o, ptr @w, align 1\n")

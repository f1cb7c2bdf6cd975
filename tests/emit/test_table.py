"""The table: what a row says, and that it can be read in a terminal, a pipe and a file."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from attrs import evolve

from bitsel.effect import Effect
from bitsel.emit import table
from bitsel.ir import Access, Address, Const, Span, Store
from bitsel.match import Idiom, Site
from bitsel.reasons import Code, Reason
from bitsel.report import Event, Header, InputReport, SiteReport
from bitsel.selector.verdict import Selection, Sequence

HEADER = Header("rl78", "r7f100g", "size", "strict")
FLAGS = Idiom(Effect.or_with(8, 0x10), Access(8, True), Address("symbol", "flags", 0))
SELECTED = Selection(
    "selected",
    Sequence(("set1 !_flags.4",), 4, 2, False, ()),
    Sequence(("mov a, !_flags", "or a, #16", "mov !_flags, a"), 8, 3, True, ("a", "z")),
    None,
)
WIDTH = Selection("rejected", None, None, Reason(Code.VOLATILE_WIDTH, "the access is 16 bits wide", "use a byte"))


def report(idiom: Idiom | None = FLAGS, selection: Selection = SELECTED, function: str = "f") -> SiteReport:
    zero = Const(value=0, width=8)
    store = Store(pointer=zero, value=zero, access=Access(8), span=Span(9, 20, 41))
    return SiteReport("x.ll", Site(function, "entry", 0, store, idiom, selection.reason), selection)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def written(*events: Event, out: io.StringIO | None = None) -> str:
    out = out or io.StringIO()
    table.write(events, HEADER, out)
    return out.getvalue()


def lines(*events: Event) -> list[str]:
    return [" ".join(line.split()) for line in written(*events).splitlines() if line.strip()]


def test_a_selected_site_and_one_left_alone() -> None:
    other = evolve(report(selection=WIDTH, function="g"), debug=("t.c", 12))
    found = lines(report(), other, InputReport("x.ll", 3, 2, 1))
    assert found[0] == "site update verdict instructions, or reason bytes clocks interrupt"
    assert found[2:-2] == [
        "x.ll:41 f:entry:0 set bit 4 of volatile i8 flags selected set1 !_flags.4 8 -> 4 3 -> 2 yes -> no",
        "t.c:12 g:entry:0 set bit 4 of volatile i8 flags volatile-width the access is 16 bits wide",
        "fix: use a byte",
    ]
    saved = "4 bytes and 1 clock less than plain LOAD-OP-STORE"
    assert found[-2:] == [
        f"2 sites in 3 functions, 1 selected for rl78:r7f100g (size): {saved}",
        "left as it is: 1 volatile-width",
    ]


def test_every_instruction_warning_and_assumption_has_its_line() -> None:
    two = evolve(
        SELECTED,
        chosen=Sequence(("movw hl, ax", "set1 [hl].2"), 3, 3, False, ("h", "l")),
        warnings=("IF0 bits are cleared by writing 1",),
        assumes=("%p points to memory",),
    )
    text = written(report(selection=two))
    for line in (
        "movw hl, ax",
        "set1 [hl].2",
        "warning: IF0 bits are cleared by writing 1",
        "assumes: %p points to memory",
    ):
        assert line in text


@pytest.mark.parametrize(
    ("idiom", "said"),
    [
        (FLAGS, "set bit 4 of volatile i8 flags"),
        (evolve(FLAGS, access=Access(8)), "set bit 4 of i8 flags"),
        (evolve(FLAGS, effect=Effect.and_with(8, 8)), "clear bits 0-2 4-7 of volatile i8 flags"),
        (evolve(FLAGS, effect=Effect(8, 0xFC, 0x81)), "set bit 0, clear bit 1, toggle bit 7 of volatile i8 flags"),
        (evolve(FLAGS, effect=Effect.identity(8)), "no bit of volatile i8 flags"),
        (evolve(FLAGS, access=Access(8, ordering="seq_cst")), "set bit 4 of seq_cst i8 flags"),
        (evolve(FLAGS, address=Address("symbol", "flags", 3)), "set bit 4 of volatile i8 flags+3"),
        (evolve(FLAGS, address=Address("absolute", None, 0xFF01)), "set bit 4 of volatile i8 at 0xff01"),
        (evolve(FLAGS, address=Address("pointer", "%p", -2, 2)), "set bit 4 of volatile i8 at %p-2 in space 2"),
        (evolve(FLAGS, address=Address("stack", "%s", 0)), "set bit 4 of volatile i8 in stack slot %s"),
        (None, "not known"),
    ],
)
def test_the_update_in_words(idiom: Idiom | None, said: str) -> None:
    assert f" {said} " in lines(report(idiom))[2]


def test_an_absolute_address_is_the_one_on_the_target() -> None:
    port = evolve(FLAGS, address=Address("absolute", None, 0xFF01))
    assert " set bit 4 of volatile i8 at 0xfff01 " in lines(report(port, evolve(SELECTED, absolute=0xFFF01)))[2]


def test_an_atomic_update_has_no_before() -> None:
    found = lines(report(selection=evolve(SELECTED, baseline=None)))
    assert found[2].endswith("set1 !_flags.4 - -> 4 - -> 2 - -> no")
    assert found[3] == "no plain LOAD-OP-STORE makes this access"


def test_compilers_that_make_the_same_of_plain_code() -> None:
    chosen = Sequence(("set1 !_flags.4",), 4, 2, False, (), ("clang", "gcc"))
    assert (
        " set1 !_flags.4 (also by clang, gcc) 8 -> 4 "
        in lines(report(selection=evolve(SELECTED, chosen=chosen)))[2]
    )


def test_one_measure_may_grow_for_the_other() -> None:
    faster = evolve(SELECTED, chosen=Sequence(("x", "y"), 9, 1, True, ()))
    assert lines(report(selection=faster), InputReport("x.ll", 1, 1, 1))[-1] == (
        "1 site in 1 function, 1 selected for rl78:r7f100g (size):"
        " 1 byte more and 2 clocks less than plain LOAD-OP-STORE"
    )


def test_a_pipe_gets_one_line_per_row_however_long() -> None:
    long = evolve(WIDTH, reason=Reason(Code.NO_FORM, "because " * 40))
    assert any(line.count("because") == 40 for line in written(report(selection=long)).splitlines())


def test_a_narrow_terminal_has_the_update_below_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    assert lines(report(), report(selection=WIDTH, function="g"))[2:6] == [
        "x.ll:41 f:entry:0 set1 !_flags.4 8 -> 4 3 -> 2 yes -> no",
        "set bit 4 of volatile i8 flags",
        "x.ll:41 g:entry:0 volatile-width",
        "set bit 4 of volatile i8 flags the access is 16 bits wide",
    ]


def test_a_terminal_is_not_overrun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = evolve(WIDTH, reason=Reason(Code.NO_FORM, "because " * 40))
    text = written(report(selection=long, function="a_function_with_a_name_of_some_length"))
    assert max(map(len, text.splitlines())) <= 80


def test_the_narrowest_terminal_loses_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert any(line.endswith(" 8 -> 4 3 -> 2 yes -> no") for line in lines(report()))


def test_colour_on_a_terminal_only() -> None:
    assert "\x1b[" in written(report(), out=Terminal())
    assert "\x1b[" not in written(report())


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in written(report(), out=Terminal())


def test_names_cannot_act_on_the_terminal_nor_as_markup() -> None:
    symbol = evolve(SELECTED, chosen=Sequence(('set1 !"_\x1b[2J".4',), 4, 2, False, ()))
    found = lines(report(selection=symbol, function="\x1b[2J\nname[red]"))[2]
    assert "\\x1b[2J\\nname[red]:entry:0" in found
    assert 'set1 !"_\\x1b[2J".4' in found


def test_rows_come_out_in_batches() -> None:
    out = io.StringIO()

    def events() -> Iterator[Event]:
        for number in range(table.BATCH):
            yield report(function=f"f{number}")
        yield report(function="last")
        assert "f0:entry:0" in out.getvalue()

    table.write(events(), HEADER, out)
    assert "last:entry:0" in out.getvalue()


def test_nothing_found_is_said() -> None:
    found = written(InputReport("x.ll", 3, 0, 0))
    assert found == "0 sites in 3 functions, 0 selected for rl78:r7f100g (size)\n"


def test_nothing_selected_saves_nothing() -> None:
    assert lines(report(selection=WIDTH), InputReport("x.ll", 1, 1, 0))[-2:] == [
        "1 site in 1 function, 0 selected for rl78:r7f100g (size)",
        "left as it is: 1 volatile-width",
    ]

"""Remarks: their exact text, and that LLVM's own tool reads them."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import evolve

from bitsel.effect import Effect
from bitsel.emit.findings import of_selection
from bitsel.emit.remarks import write
from bitsel.ir import Access, Address, Const, Span, Store
from bitsel.match import Idiom, Site
from bitsel.reasons import Code, Reason
from bitsel.report import Event, InputReport, SiteReport
from bitsel.selector.verdict import Selection, Sequence

FLAGS = Idiom(Effect.or_with(8, 0x10), Access(8, True), Address("symbol", "flags", 0))
SELECTED = Selection(
    "selected",
    Sequence(("movw hl, ax", "set1 [hl].4"), 4, 2, False, ()),
    Sequence(("mov a, !_flags", "or a, #16", "mov !_flags, a"), 8, 3, True, ("a", "z")),
    None,
    assumes=("it's memory",),
)
WIDTH = Selection("rejected", None, None, Reason(Code.VOLATILE_WIDTH, "16 bits", "use a byte"))


def report(selection: Selection = SELECTED, debug: tuple[str, int] | None = ("t.c", 12)) -> SiteReport:
    zero = Const(value=0, width=8)
    store = Store(pointer=zero, value=zero, access=Access(8), span=Span(9, 20, 41))
    return SiteReport("x.ll", Site("f", "entry", 0, store, FLAGS, selection.reason), selection, debug)


def written(*events: Event) -> str:
    out = io.StringIO()
    write(of_selection(events), out)
    return out.getvalue()


def test_what_is_selected_passed() -> None:
    assert (
        written(report(evolve(SELECTED, assumes=())))
        == """\
--- !Passed
Pass:            bitsel
Name:            Selected
DebugLoc:        { File: 't.c', Line: 12, Column: 0 }
Function:        'f'
Args:
  - Update:          'set bit 4 of volatile i8 flags: '
  - Instructions:    'movw hl, ax; set1 [hl].4'
  - String:          ' ('
  - Bytes:           '4'
  - String:          ' bytes and '
  - Clocks:          '2'
  - String:          ' clocks'
  - String:          ', LOAD-OP-STORE '
  - BytesBefore:     '8'
  - String:          ' bytes and '
  - ClocksBefore:    '3'
  - String:          ' clocks'
  - String:          ')'
  - String:          ' '
  - Site:            '[f:entry:0]'
...
"""
    )


def test_what_is_left_is_missed_under_its_reason_and_in_the_input_where_nothing_else_is_known() -> None:
    assert (
        written(report(WIDTH, debug=None))
        == """\
--- !Missed
Pass:            bitsel
Name:            VolatileWidth
DebugLoc:        { File: 'x.ll', Line: 41, Column: 0 }
Function:        'f'
Args:
  - Update:          'set bit 4 of volatile i8 flags: '
  - Reason:          '16 bits'
  - String:          '; fix: '
  - Fix:             'use a byte'
  - String:          ' '
  - Site:            '[f:entry:0]'
...
"""
    )


def test_what_is_assumed_is_an_analysis_and_quotes_are_doubled() -> None:
    text = written(report())
    assert text.count("--- ") == 2
    assert "--- !Analysis\nPass:            bitsel\nName:            Assumes\n" in text
    assert "  - Assumes:         'it''s memory'\n" in text


def test_a_line_end_in_a_name_is_escaped() -> None:
    assert "Function:        'f\\n'" in written(evolve(report(), site=evolve(report().site, function="f\n")))


def test_an_input_by_itself_has_no_remark() -> None:
    assert written(InputReport("x.ll", 1, 0, 0)) == ""


def test_llvm_reads_them(tool: Callable[[str], Path], run: Any, root: Path, tmp_path: Path) -> None:
    example = root / "examples" / "g23_driver.Os.ll"
    for command in (("select",), ("audit",), ("rewrite", "--dry-run", "--report", tmp_path / "r.yaml")):
        done = run(*command, example, "--target=rl78:r7f100g", "--format=remarks")
        if command[0] != "rewrite":
            (tmp_path / "r.yaml").write_text(done.out)
        count = (tmp_path / "r.yaml").read_text().count("\n...\n")
        read = [tool("llvm-remarkutil-19"), "count", "--parser=yaml", tmp_path / "r.yaml"]
        counted = subprocess.run(list(map(str, read)), capture_output=True, text=True, check=True)
        assert counted.stdout.splitlines()[-1].split(",")[-1] == str(count)
        assert count > 30

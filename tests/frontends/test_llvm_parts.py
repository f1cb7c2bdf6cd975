"""Which lines of a function are lowered, and that no site is any different for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsel.frontends import llvm
from bitsel.frontends.llvm.parts import MOST_NAMES, find_runs
from bitsel.ir import DataLayout
from bitsel.match import match

NEAR = DataLayout("little", {0: 16})
MODULES = sorted((Path(__file__).parents[2] / "examples").glob("*.ll"))
MODULES.append(Path(__file__).parents[1] / "cases/rmw.ll")


def parts(body: str, *names: str) -> list[tuple[str | None, str]] | None:
    """Of each run its block's label and its lines, without indentation; the body's lines come without it too."""
    text = (
        "{\n"
        + "".join(f"{line if line.endswith(':') or not line else '  ' + line}\n" for line in body.split("\n"))
        + "}"
    )
    runs = find_runs(text, 1, len(text) - 1, set(names))
    if runs is None:
        return None
    return [(run.label, text[run.start : run.end].replace("  ", "").rstrip()) for run in runs]


UPDATE = "%5 = load i8, ptr @x\n%6 = or i8 %5, 1\nstore i8 %6, ptr @x"


def test_an_update_without_what_is_around_it() -> None:
    body = f"%4 = mul i16 %1, 7\nstore i16 %4, ptr @y\n{UPDATE}\ncall void @f(i16 %4)\nret void"
    assert parts(body, "%5", "%6") == [(None, UPDATE)]


def test_what_stands_between_load_and_store() -> None:
    body = "%5 = load i8, ptr @x\ncall void @f()\n%6 = or i8 %5, 1\nfence seq_cst\nstore i8 %6, ptr @x\nret void"
    assert parts(body, "%5", "%6") == [(None, body.removesuffix("\nret void"))]


def test_every_use_in_any_block() -> None:
    body = (
        f"{UPDATE}\nbr label %7\n\n7:\n%8 = phi i8 [ %6, %4 ], [ %9, %7 ]\n%9 = add i8 %8, %55\n"
        "%10 = icmp eq i8 %9, %5\nbr i1 %10, label %7, label %11\n\n11:\nret void"
    )
    assert parts(body, "%5", "%6") == [
        (None, UPDATE),
        ("7", "%8 = phi i8 [ %6, %4 ], [ %9, %7 ]"),
        ("7", "%10 = icmp eq i8 %9, %5"),
    ]


def test_what_an_address_is_made_of_up_to_what_hides_its_origin() -> None:
    body = (
        "%3 = call ptr @f(i16 %2)\n%4 = getelementptr i8, ptr %3, i16 2\n%2 = add i16 %1, 1\n"
        "%5 = load i8, ptr %4\n%6 = or i8 %5, 1\nstore i8 %6, ptr %4\nret void"
    )
    assert parts(body, "%5", "%6") == [
        (None, "%3 = call ptr @f(i16 %2)\n%4 = getelementptr i8, ptr %3, i16 2"),
        (None, "%5 = load i8, ptr %4\n%6 = or i8 %5, 1\nstore i8 %6, ptr %4"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        f"%4 = alloca i8\n{UPDATE}\nret void",  # every use of a slot counts
        f"{UPDATE} ; a comment\nret void",
        f"call void @f(i8 1,\n  i8 2)\n{UPDATE}\nret void",
        f"{UPDATE}\nbr label %l\n%7 = add i8 1, 2\nret void",  # a block without a label
        f"%4 = add i8 1, 2 br label %l\n%7 = add i8 1, 2\n{UPDATE}\nret void",
        f"%4 = invoke i8 @f()\n  to label %l unwind label %m\n\nl:\n{UPDATE}\nret void",
        f"frobnicate\n{UPDATE}\nret void",
        UPDATE,  # no end
    ],
)
def test_what_is_lowered_whole(body: str) -> None:
    assert parts(body, "%5", "%6") is None


def test_so_many_values_of_chains_are_not_searched_for() -> None:
    names = [f"%v{n}" for n in range(MOST_NAMES + 1)]
    assert parts(f"{UPDATE}\nret void", *names) is None
    assert parts(f"{UPDATE}\nret void", *names[1:]) == []


def sites(text: str, *, whole: bool) -> list[tuple[object, ...]]:
    """All that matching says of a module."""
    module = llvm.read(text, "x.ll", NEAR)
    return [
        (site.function, site.block, site.ordinal, site.at.span, site.idiom, site.reason)
        for function in module.functions(whole=whole)
        for site in match(function)
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_sites_are_those_of_whole_functions(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert sites(text, whole=False) == sites(text, whole=True)


POINTERS = ["@x", "@x", "@y", "%p", "inttoptr (i16 -2 to ptr)"]


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """A function's body of one instruction a line: an update, and any code before, in and behind it."""
    update = ["  %old = load {volatile}i8, ptr {pointer}", "  %new = {logic} i8 %old, {other}"]
    update.append("  store {volatile}i8 %new, ptr {pointer}")
    kinds = [
        "  {new} = load {volatile}i8, ptr {pointer}",
        "  {new} = {logic} i8 {value}, 1",
        "  {new} = {logic} i8 {value}, {other}",
        "  {new} = freeze i8 {value}",
        "  {new} = add i8 {value}, {other}",
        "  {new} = phi i8 [ {value}, %a ], [ {other}, %b ]",
        "  {new} = call i8 @f(i8 {value}, ptr {pointer})",
        "  %p{number} = getelementptr i8, ptr {pointer}, i16 1",
        "  store {volatile}i8 {value}, ptr {pointer}",
        "  call void @g(i8 {value}, ptr {pointer}) memory(argmem: readwrite)",
        "    #dbg_value(i8 {value}, !1, !DIExpression(), !2)",
        "  br i1 %t, label %b{number}, label %a\n\nb{number}:    ; preds = %a",
    ]
    lines = [draw(st.sampled_from(kinds)) for _ in range(draw(st.integers(0, 9)))]
    for line, place in zip(update, sorted(draw(st.integers(0, len(lines))) for _ in update), strict=True):
        lines.insert(place + update.index(line), line)
    values, pointers = ["%c", "%d"], list(POINTERS)
    for number, line in enumerate(lines):
        lines[number] = line.format(
            number=number,
            new=f"%{number}",
            value=draw(st.sampled_from([*values, f"%{number + 1}"])),  # the last: defined further down
            other=draw(st.sampled_from([*values, "1", "1", "-2", "-2"])),
            pointer=draw(st.sampled_from(pointers)),
            volatile=draw(st.sampled_from(["", "volatile "])),
            logic=draw(st.sampled_from(["or", "and", "xor"])),
        )
        name, _, rest = lines[number].strip().partition(" = ")
        if rest:
            (pointers if rest.startswith("getelementptr") else values).append(name)
    return "\n".join(lines)


@settings(deadline=None, max_examples=300)
@given(bodies())
def test_sites_of_any_function_are_those_of_the_whole(body: str) -> None:
    globals_ = "@x = global i8 0\n@y = alias i8, ptr @x\n\n"
    text = f"{globals_}define void @f(ptr %p, i8 %c, i8 %d) {{\n{body}\n  ret void\n}}\n"
    assert sites(text, whole=False) == sites(text, whole=True)

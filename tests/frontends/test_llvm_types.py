"""Types and data layouts, as LLVM lays them out."""

from __future__ import annotations

import pytest

from bitsel.frontends.llvm.syntax import NotUnderstood
from bitsel.frontends.llvm.types import Type, Types, misspelled
from bitsel.ir import DataLayout

NEAR = DataLayout("little", {0: 16})
MSP430 = "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
DEFINITIONS = {
    "s": "{ i8, i32 }",
    "packed": "<{ i8, i32 }>",
    "self": "{ i8, %self }",
    "opaque": "opaque",
    **{f"t{i}": f"{{ %t{i + 1}, %t{i + 1} }}" for i in range(1000)},
}


def types(spec: str | None = MSP430) -> Types:
    return Types(spec, NEAR, DEFINITIONS.get)


@pytest.mark.parametrize(
    ("text", "size", "align"),
    [
        ("i1", 1, 1),
        ("i8", 1, 1),
        ("i16", 2, 2),
        ("i24", 4, 2),
        ("i32", 4, 2),
        ("i64", 8, 2),
        ("i128", 16, 2),
        ("float", 4, 2),
        ("double", 8, 2),
        ("ptr", 2, 2),
        ("i8**", 2, 2),
        ("void (i8, ...)*", 2, 2),
        ("[3 x i24]", 12, 2),
        ("<3 x i8>", 4, 4),
        ("{}", 0, 1),
        ("{ i8, i8 }", 2, 1),
        ("%s", 6, 2),
        ("%packed", 5, 1),
        ("{ i8, <{ i16, i8 }>, %s }", 10, 2),
        ("<{ i8, %s }>", 7, 1),
    ],
)
def test_sizes_on_msp430(text: str, size: int, align: int) -> None:
    known = types()
    assert (known.alloc_size(known.parse(text)), known.align(known.parse(text))) == (size, align)


@pytest.mark.parametrize(
    ("text", "size", "align"),
    [("i64", 8, 4), ("i24", 4, 4), ("double", 8, 8), ("ptr", 8, 8), ("{ i8, i64 }", 12, 4)],
)
def test_llvms_defaults_where_the_layout_is_silent(text: str, size: int, align: int) -> None:
    known = types("e")
    assert (known.alloc_size(known.parse(text)), known.align(known.parse(text))) == (size, align)


@pytest.mark.parametrize(
    "text",
    [
        "%self",
        "%opaque",
        "%missing",
        "%t0",
        "<vscale x 2 x i8>",
        'target("x", i8)',
        "void",
        "void (i8)",
        "[2 x %opaque]",
    ],
)
def test_types_without_a_known_size(text: str) -> None:
    known = types()
    with pytest.raises(NotUnderstood):
        known.alloc_size(known.parse(text))


@pytest.mark.parametrize(
    "text", ["", "i0", "i99999999", "[i8]", "[2 x i8", "{ i8", "<{ i8 }", "i8 i8", "[-1 x i8]", "i8 %", "8"]
)
def test_text_that_is_no_type(text: str) -> None:
    with pytest.raises(NotUnderstood):
        types().parse(text)


def test_pointee_types_are_dropped() -> None:
    known = types()
    assert known.parse("i8 addrspace(2)*") == known.parse("ptr addrspace(2)") == Type("pointer", space=2)
    assert known.parse("%s addrspace(2)* addrspace(1)*") == Type("pointer", space=1)


def test_without_a_layout_only_what_no_alignment_changes_is_known() -> None:
    known = types(None)
    assert known.layout == NEAR
    assert known.alloc_size(known.parse("{ i8, [4 x i8] }")) == 5
    assert known.member_offset(known.parse("{ i16, i8 }"), 1) == 2
    for text in ("{ i16, i8 }", "{ i8, i16 }", "i24"):
        with pytest.raises(NotUnderstood):
            known.alloc_size(known.parse(text))


def test_big_endian_layout() -> None:
    assert types("E-p:32:32-p1:16:16").layout == DataLayout("big", {0: 32, 1: 16})


@pytest.mark.parametrize(
    "spec",
    [
        "",
        MSP430,
        "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8-a:8",
        "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64",
        "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
        "e-p:64:64-p7:160:256:256:32-p8:128:128:128:48-v16:16-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9",
        "E-p:32:32:32-i1:8:8-f80:128:128-a0:0:64-s0:64:64-n32",
    ],
)
def test_data_layouts_of_compilers_are_taken(spec: str) -> None:
    assert misspelled(spec) is None


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("hello", "hello"),
        ("e-p:16:16-x8", "x8"),
        ("e--p:16:16", ""),
        ("e-p", "p"),
        ("e-p:0:16", "p:0:16"),
        ("e-i32", "i32"),
        ("e-i32:sixteen", "i32:sixteen"),
        ("e-n", "n"),
        ("e-Sx", "Sx"),
        ("little", "little"),
    ],
)
def test_what_is_no_data_layout(spec: str, part: str) -> None:
    assert misspelled(spec) == part

"""Operands as they are spelled: where the type of a pointer ends, and what of an instruction is metadata."""

from __future__ import annotations

import pytest

from bitsel.ir import Access, AtomicRMW, Const, Store
from bitsel.rewrite.llvm.kept import Kept
from bitsel.rewrite.llvm.spelling import Pointer, global_name, metadata_of, pointer_of

ZERO = Const(value=0, width=16)
STORE = Store(pointer=ZERO, value=ZERO, access=Access(8))
ATOMIC = AtomicRMW(op="or", pointer=ZERO, value=ZERO, access=Access(8))


@pytest.mark.parametrize(
    ("type_", "operand"),
    [
        ("ptr", "@x"),
        ("ptr", '@"a, b"'),
        ("ptr addrspace(1)", "%p"),
        ("ptr", "getelementptr inbounds (i8, ptr @x, i16 2)"),
        ("ptr", "inttoptr (i16 -251 to ptr)"),
        ("ptr", "null"),
        ("i8*", "%p"),
        ("i8**", "%p"),
        ("i8 addrspace(1)*", "@x"),
        ("{ i8*, i16 }*", "%p"),
        ('%"struct a"*', "%p"),
        ("void (i8*)*", "@f"),
        ("i8*", "bitcast (i16* @w to i8*)"),
        ("i8*", "getelementptr (i8, i8* getelementptr inbounds (%s, %s* @x, i32 0, i32 1), i16 1)"),
    ],
)
def test_pointers(type_: str, operand: str) -> None:
    expected = Pointer(type_, operand)
    assert pointer_of(STORE, f"store volatile i8 %o, {type_} {operand}, align 1, !dbg !3") == expected
    atomic = f"%1 = atomicrmw volatile or {type_} {operand}, i8 4 seq_cst, align 1"
    assert pointer_of(ATOMIC, atomic) == expected


@pytest.mark.parametrize(
    "text", ["store i8 %o, ptr blockaddress(@f, %b)", "store i8 %o, ptr dso_local_equivalent @x", "store i8 %o"]
)
def test_what_is_spelled_otherwise_is_kept(text: str) -> None:
    with pytest.raises(Kept):
        pointer_of(STORE, text)


@pytest.mark.parametrize(
    ("pointer", "to_byte"),
    [
        (Pointer("ptr", "%p"), "ptr"),
        (Pointer("ptr addrspace(2)", "%p"), "ptr addrspace(2)"),
        (Pointer("i16*", "%p"), "i8*"),
        (Pointer("i16 addrspace(1)*", "%p"), "i8 addrspace(1)*"),
        (Pointer("i16**", "%p"), "i8*"),
    ],
)
def test_types_of_pointers(pointer: Pointer, to_byte: str) -> None:
    assert pointer.to("i8") == to_byte


def test_metadata() -> None:
    text = 'store i8 %o, ptr @x, align 1, !tbaa !4, !dbg !DILocation(line: 1, scope: !2), !a !{!"b, c"}'
    assert metadata_of(text) == ", !dbg !DILocation(line: 1, scope: !2)"
    assert metadata_of(text, all_of_it=True) == (', !tbaa !4, !dbg !DILocation(line: 1, scope: !2), !a !{!"b, c"}')


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("x", "@x"),
        ("a.b$c-d_1", "@a.b$c-d_1"),
        ("1", '@"1"'),
        ("a b", '@"a b"'),
        ('a"b\\c', '@"a\\22b\\5Cc"'),
        ("\x01_x", '@"\\01_x"'),
        ("\u00e4", '@"\\C3\\A4"'),
    ],
)
def test_names_of_globals(name: str, spelled: str) -> None:
    assert global_name(name) == spelled

"""Matching on LLVM IR as compilers and people write it: what is found, or why it is refused."""

from __future__ import annotations

from textwrap import dedent

import pytest

from bitsel.frontends import llvm
from bitsel.ir import DataLayout
from bitsel.match import Site, match

LAYOUT = DataLayout("little", {0: 16})
MODULE = """\
target datalayout = "e-m:o-p:16:16-p1:16:16-p2:32:16-i32:16-i64:16-n8:16-S16"
@flags = global i8 0
@other = global i8 0
@word = global i16 0
@wide = global i32 0
@array = global [16 x i8] zeroinitializer
@pair = global { i8, i8 } zeroinitializer
@far = addrspace(2) global i8 0
@tls = thread_local global i8 0
@section = global i8 0, section ".saddr"
@same = alias i8, ptr @flags
@second = alias i8, getelementptr (i8, ptr @array, i16 1)
@weak = weak alias i8, ptr @other
declare void @ext()
declare void @takes(ptr readonly)
declare void @reads() memory(read)
declare void @pure() nounwind willreturn readnone
declare void @endless() nounwind readnone
declare void @argument(ptr) argmemonly
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.memset.p0.i16(ptr, i8, i16, i1)
declare i16 @setjmp(ptr) returns_twice
declare void @llvm.dbg.value(metadata, metadata, metadata)
"""


def found(text: str) -> list[Site]:
    module = llvm.read(MODULE + dedent(text), "test.ll", LAYOUT)
    return [site for function in module.functions() for site in match(function)]


def body(text: str, parameters: str = "") -> list[Site]:
    return found(f"define void @f({parameters}) {{\n{dedent(text)}  ret void\n}}\n")


def verdict(site: Site) -> str:
    """``set 4 at symbol flags+0``, or the reason."""
    if site.reason is not None:
        return site.reason.code.value
    address = site.idiom.address
    changes = " ".join(f"{change.op} {change.bit}" for change in site.idiom.effect.changes)
    return f"{changes} at {address.kind} {address.base}{address.offset:+}"


SELECTED = {
    "typed pointers": (
        """
        %v = load i8, i8* @flags, align 1
        %o = or i8 %v, 16
        store i8 %o, i8* @flags, align 1
        """,
        "set 4 at symbol flags+0",
    ),
    "typed and opaque pointers in one update": (
        """
        %v = load i8, i8* bitcast (i16* @word to i8*), align 1
        %o = and i8 %v, -17
        store i8 %o, ptr @word, align 1
        """,
        "clear 4 at symbol word+0",
    ),
    "a member by instruction and by constant expression": (
        """
        %p = getelementptr inbounds { i8, i8 }, ptr @pair, i32 0, i32 1
        %v = load i8, ptr %p
        %o = xor i8 %v, 1
        store i8 %o, ptr getelementptr inbounds ({ i8, i8 }, ptr @pair, i32 0, i32 1)
        """,
        "toggle 0 at symbol pair+1",
    ),
    "numbers made pointers": (
        """
        %v = load volatile i8, ptr inttoptr (i16 -255 to ptr)
        %o = or i8 %v, 8
        store volatile i8 %o, ptr inttoptr (i16 65281 to ptr)
        """,
        "set 3 at absolute None+65281",
    ),
    "null is address 0": (
        """
        %v = load volatile i8, ptr null
        %o = or i8 %v, 8
        store volatile i8 %o, ptr null
        """,
        "set 3 at absolute None+0",
    ),
    "integer arithmetic computed twice": (
        """
        %a = add i16 %x, 8
        %p = inttoptr i16 %a to ptr
        %v = load volatile i16, ptr %p
        %o = or i16 %v, 256
        %b = add i16 %x, 8
        %q = inttoptr i16 %b to ptr
        store volatile i16 %o, ptr %q
        """,
        "set 8 at pointer %x+8",
    ),
    "an index computed twice": (
        """
        %a = getelementptr inbounds [16 x i8], ptr @array, i16 0, i16 %x
        %v = load i8, ptr %a
        %o = or i8 %v, 2
        %b = getelementptr inbounds i8, ptr @array, i16 %x
        store i8 %o, ptr %b
        """,
        "set 1 at pointer %b+0",
    ),
    "unoptimised code": (
        """
        %p.addr = alloca ptr, align 2
        %i = alloca i16, align 2
        store ptr %p, ptr %p.addr, align 2
        store i16 %x, ptr %i, align 2
        %0 = load ptr, ptr %p.addr, align 2
        %1 = load i16, ptr %i, align 2
        %a = getelementptr inbounds i8, ptr %0, i16 %1
        %2 = load i8, ptr %a, align 1
        %conv = zext i8 %2 to i16
        %or = or i16 %conv, 4
        %conv1 = trunc i16 %or to i8
        %3 = load ptr, ptr %p.addr, align 2
        %4 = load i16, ptr %i, align 2
        %b = getelementptr inbounds i8, ptr %3, i16 %4
        store i8 %conv1, ptr %b, align 1
        """,
        "set 2 at pointer %b+0",
    ),
    "flags of casts and logic": (
        """
        %v = load i8, ptr @flags
        %z = zext nneg i8 %v to i16
        %c = and i16 %z, 253
        %d = or disjoint i16 %c, 2
        %t = trunc nuw i16 %d to i8
        %r = freeze i8 %t
        store i8 %r, ptr @flags
        """,
        "set 1 at symbol flags+0",
    ),
    "a bit-field of 24 bits": (
        """
        %v = load i24, ptr @wide, align 2
        %o = or i24 %v, 4194304
        store i24 %o, ptr @wide, align 2
        """,
        "set 22 at symbol wide+0",
    ),
    "a pointer with a tag": (
        """
        %v = load ptr, ptr %p
        %n = ptrtoint ptr %v to i16
        %o = or i16 %n, 1
        %r = inttoptr i16 %o to ptr
        store ptr %r, ptr %p
        """,
        "set 0 at pointer %p+0",
    ),
    "the sign of a float": (
        """
        %v = load float, ptr @wide
        %n = bitcast float %v to i32
        %o = and i32 %n, 2147483647
        %r = bitcast i32 %o to float
        store float %r, ptr @wide
        """,
        "clear 31 at symbol wide+0",
    ),
    "an alias of the location": (
        """
        %v = load i8, ptr @same
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "set 0 at symbol flags+0",
    ),
    "an alias of a part": (
        """
        %v = load i8, ptr @second
        %o = or i8 %v, 1
        store i8 %o, ptr getelementptr (i8, ptr @array, i16 1)
        """,
        "set 0 at symbol array+1",
    ),
    "another address space": (
        """
        %v = load i8, ptr addrspace(2) @far
        %o = or i8 %v, 1
        store i8 %o, ptr addrspace(2) @far
        """,
        "set 0 at symbol far+0",
    ),
    "constant folded by hand": (
        """
        %v = load i16, ptr @word
        %o = or i16 %v, ptrtoint (ptr inttoptr (i16 4 to ptr) to i16)
        store i16 %o, ptr @word
        """,
        "set 2 at symbol word+0",
    ),
    "a global moved to another address space": (
        """
        %v = load i8, ptr addrspace(1) addrspacecast (ptr @flags to ptr addrspace(1))
        %o = or i8 %v, 1
        store i8 %o, ptr addrspace(1) addrspacecast (i8* @flags to i8 addrspace(1)*)
        """,
        "set 0 at pointer addrspacecast+0",
    ),
    "typed pointers to two globals": (
        """
        %v = load i8, i8* @flags
        store i8 0, i8* bitcast (i16* @word to i8*)
        %w = bitcast i32* @wide to i8*
        store i8 0, i8* %w
        %o = or i8 %v, 1
        store i8 %o, i8* @flags
        """,
        "set 0 at symbol flags+0",
    ),
    "the life of another slot": (
        """
        %s = alloca i8
        %v = load i8, i8* @flags
        %c = bitcast i8* %s to i8*
        call void @llvm.lifetime.start.p0(i64 1, i8* %c)
        %o = or i8 %v, 1
        store i8 %o, i8* @flags
        """,
        "set 0 at symbol flags+0",
    ),
    "a lifetime marker is no use of a slot": (
        """
        %s = alloca ptr
        call void @llvm.lifetime.start.p0(i64 2, ptr %s)
        store ptr %p, ptr %s
        %0 = load ptr, ptr %s
        %v = load i8, ptr %0
        %o = or i8 %v, 1
        %1 = load ptr, ptr %s
        store i8 %o, ptr %1
        """,
        "set 0 at pointer %1+0",
    ),
    "debug records and intrinsics": (
        """
        %v = load i8, ptr @flags
          #dbg_value(i8 %v, !1, !DIExpression(), !2)
        %o = or i8 %v, 1
        call void @llvm.dbg.value(metadata i8 %o, metadata !1, metadata !DIExpression())
        store i8 %o, ptr @flags
        """,
        "set 0 at symbol flags+0",
    ),
    "calls that do no harm": (
        """
        %v = load i8, ptr @flags
        call void @reads()
        call void @pure()
        call void @argument(ptr @other)
        call void @llvm.memset.p0.i16(ptr @array, i8 0, i16 4, i1 false)
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "set 0 at symbol flags+0",
    ),
    "atomic": (
        '  %1 = atomicrmw volatile and ptr @flags, i8 -2 syncscope("x") seq_cst\n',
        "clear 0 at symbol flags+0",
    ),
}

REFUSED = {
    "call that may never return": (
        """
        %v = load volatile i8, ptr @flags
        call void @endless()
        %o = or i8 %v, 1
        store volatile i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "undef mask": ("%v = load i8, ptr @flags\n%o = or i8 %v, undef\nstore i8 %o, ptr @flags\n", "nonconst-mask"),
    "loaded mask": (
        """
        %v = load i8, ptr @flags
        %m = load i8, ptr @other
        %o = or i8 %v, %m
        store i8 %o, ptr @flags
        """,
        "nonconst-mask",
    ),
    "a boolean inserted": (
        """
        %v = load i8, ptr @flags
        %z = zext i1 %b to i8
        %c = and i8 %v, -2
        %o = or i8 %c, %z
        store i8 %o, ptr @flags
        """,
        "nonconst-mask",
    ),
    "a call in the chain's mask": (
        """
        %v = load i16, ptr @word
        %m = call i16 @unknown()
        %o = or i16 %v, %m
        store i16 %o, ptr @word
        """,
        "nonconst-mask",
    ),
    "used as an index": (
        """
        %v = load i16, ptr @word
        %o = or i16 %v, 4
        %e = getelementptr [16 x i16], ptr @array, i16 0, i16 %v
        store i16 %o, ptr @word
        """,
        "value-used",
    ),
    "used as an index of another width": (
        """
        %v = load i8, ptr @flags
        %o = or i8 %v, 4
        %e = getelementptr i8, ptr @array, i8 %v
        store i8 %o, ptr @flags
        """,
        "value-used",
    ),
    "used by an instruction nobody knows": (
        """
        %v = load i8, ptr @flags
        %o = or i8 %v, 4
        store i8 %o, ptr @flags
        %z = frobnicate <4 x i8> %o, metadata !3
        """,
        "value-used",
    ),
    "used by a select": (
        """
        %v = load i8, ptr @flags
        %o = or i8 %v, 4
        %s = select i1 icmp eq (ptr @flags, ptr null), i8 0, i8 %o
        store i8 %o, ptr @flags
        """,
        "value-used",
    ),
    "an interposable alias is another place": (
        """
        %v = load i8, ptr @weak
        %o = or i8 %v, 1
        store i8 %o, ptr @other
        """,
        "addr-mismatch",
    ),
    "an interposable alias may be the location": (
        """
        %v = load i8, ptr @flags
        store i8 0, ptr @weak
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "an alias is the location": (
        """
        %v = load i8, ptr @flags
        store i8 0, ptr @same
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "a pointer that is reloaded from memory": (
        """
        %0 = load ptr, ptr @word
        %v = load i8, ptr %0
        %o = or i8 %v, 1
        %1 = load ptr, ptr @word
        store i8 %o, ptr %1
        """,
        "addr-mismatch",
    ),
    "a slot that is changed between its reloads": (
        """
        %s = alloca ptr
        store ptr %p, ptr %s
        %0 = load ptr, ptr %s
        %v = load i8, ptr %0
        %o = or i8 %v, 1
        store ptr @other, ptr %s
        %1 = load ptr, ptr %s
        store i8 %o, ptr %1
        """,
        "addr-mismatch",
    ),
    "a slot that may have changed when setjmp returns again": (
        """
        %s = alloca ptr
        store ptr %p, ptr %s
        %0 = load ptr, ptr %s
        %j = call i16 @setjmp(ptr @array)
        %v = load i8, ptr %0
        %o = or i8 %v, 1
        %1 = load ptr, ptr %s
        store i8 %o, ptr %1
        """,
        "addr-mismatch",
    ),
    "a slot whose address is known elsewhere": (
        """
        %s = alloca ptr
        call void @takes(ptr %s)
        %0 = load ptr, ptr %s
        %v = load i8, ptr %0
        %o = or i8 %v, 1
        %1 = load ptr, ptr %s
        store i8 %o, ptr %1
        """,
        "addr-mismatch",
    ),
    "a boolean in memory": (
        "%v = load i1, ptr @flags\n%o = xor i1 %v, true\nstore i1 %o, ptr @flags\n",
        "width-mismatch",
    ),
    "a widened load": (
        """
        %v = load i8, ptr @word
        %z = zext i8 %v to i16
        %o = or i16 %z, 1
        store i16 %o, ptr @word
        """,
        "width-mismatch",
    ),
    "a call": (
        "%v = load i8, ptr @flags\ncall void @ext()\n%o = or i8 %v, 1\nstore i8 %o, ptr @flags\n",
        "clobber-between",
    ),
    "an attribute of a parameter is none of the call": (
        """
        %v = load i8, ptr @flags
        call void @takes(ptr readnone @other)
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "a call through a pointer": (
        """
        %v = load i8, ptr @flags
        call void %p()
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "a fence": (
        "%v = load i8, ptr @flags\nfence seq_cst\n%o = or i8 %v, 1\nstore i8 %o, ptr @flags\n",
        "clobber-between",
    ),
    "a compare and exchange": (
        """
        %v = load i8, ptr @flags
        %c = cmpxchg ptr @other, i8 0, i8 1 acq_rel acquire
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "a compiler barrier": (
        """
        %v = load i8, ptr @flags
        call void asm sideeffect "", "~{memory}"()
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "a read-only call inside a volatile update": (
        """
        %v = load volatile i8, ptr @flags
        call void @reads()
        %o = or i8 %v, 1
        store volatile i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "a copy over the location": (
        """
        %v = load i8, ptr getelementptr (i8, ptr @array, i16 9)
        call void @llvm.memset.p0.i16(ptr @array, i8 0, i16 4, i1 false)
        %o = or i8 %v, 1
        store i8 %o, ptr getelementptr (i8, ptr @array, i16 9)
        """,
        "clobber-between",
    ),
    "a vector store over the location": (
        """
        %v = load i8, ptr %p
        store <4 x i8> zeroinitializer, ptr @array
        %o = or i8 %v, 1
        store i8 %o, ptr %p
        """,
        "clobber-between",
    ),
    "a number made a pointer may be any global": (
        """
        %v = load i8, ptr @flags
        %n = add i16 ptrtoint (ptr @array to i16), %x
        %q = inttoptr i16 %n to ptr
        store i8 0, ptr %q
        %o = or i8 %v, 1
        store i8 %o, ptr @flags
        """,
        "clobber-between",
    ),
    "the start of the slot's life": (
        """
        %s = alloca i8
        %v = load i8, ptr %s
        call void @llvm.lifetime.start.p0(i64 1, ptr %s)
        %o = or i8 %v, 1
        store i8 %o, ptr %s
        """,
        "clobber-between",
    ),
    "atomic addition": ("%1 = atomicrmw add ptr @flags, i8 1 monotonic\n", "no-form"),
    "atomic nand": ("%1 = atomicrmw nand ptr @flags, i8 1 monotonic\n", "no-form"),
    "atomic with a used result": (
        "%1 = atomicrmw or ptr @flags, i8 1 monotonic\nstore i8 %1, ptr @other\n",
        "value-used",
    ),
}

PARAMETERS = "ptr %p, i16 %x, i1 %b"


@pytest.mark.parametrize(("text", "expected"), SELECTED.values(), ids=SELECTED)
def test_found(text, expected):
    assert [verdict(site) for site in body(text, PARAMETERS)] == [expected]


@pytest.mark.parametrize(("text", "expected"), REFUSED.values(), ids=REFUSED)
def test_refused(text, expected):
    assert [verdict(site) for site in body(text, PARAMETERS)] == [expected]


NO_SITES = {
    "a thread-local global is copied": "%v = load i8, ptr @tls\nstore i8 %v, ptr @tls\n",
    "an unknown name": "%v = load i8, ptr @flags\n%o = or i8 %v, %nothing\nstore i8 %o, ptr @flags\n",
    "a sum": "%v = load i8, ptr @flags\n%o = add i8 %v, 1\nstore i8 %o, ptr @flags\n",
    "vectors": "%v = load <2 x i8>, ptr @word\n%o = or <2 x i8> %v, <i8 1, i8 1>\nstore <2 x i8> %o, ptr @word\n",
    "a select": """
        %v = load i8, ptr @flags
        %o = or i8 %v, 1
        %s = select i1 %b, i8 %o, i8 %v
        store i8 %s, ptr @flags
        """,
}


@pytest.mark.parametrize("text", NO_SITES.values(), ids=NO_SITES)
def test_no_site(text):
    assert body(text, PARAMETERS) == []


def test_a_value_that_a_loop_carries_is_used_by_its_phi():
    sites = found("""\
        define void @f() {
        entry:
          br label %loop
        loop:
          %last = phi i8 [ 0, %entry ], [ %o, %loop ]
          %v = load i8, ptr @flags
          %o = or i8 %v, 16
          store i8 %o, ptr @flags
          store i8 %last, ptr @other
          br i1 undef, label %loop, label %out
        out:
          ret void
        }
        """)
    assert [(verdict(site), site.block, site.at.span.line) for site in sites] == [
        ("value-used", "loop", MODULE.count("\n") + 8)
    ]
    assert sites[0].reason.detail == "%o is also used by %last"


def test_a_load_in_another_block():
    sites = found("""\
        define void @f(i1 %b) {
          %v = load i8, ptr @flags
          br i1 %b, label %yes, label %no
        yes:
          %o = or i8 %v, 16
          store i8 %o, ptr @flags
          br label %no
        no:
          ret void
        }
        """)
    assert [verdict(site) for site in sites] == ["control-flow"]


def test_unreachable_code_that_is_its_own_operand():
    sites = found("""\
        define void @f() {
          ret void
        dead:
          %v = load i8, ptr %p
          %o = or i8 %q, %v
          %q = and i8 %o, -2
          %p = getelementptr i8, ptr %p, i16 1
          store i8 %q, ptr %p
          br label %dead
        }
        """)
    assert [site.reason.code for site in sites if site.reason is None] == []


@pytest.mark.parametrize("kind", ["global i8 0", "constant i8 0", "external constant i8"])
def test_a_constant_global_is_a_place_like_any_other(kind):
    """Writing a constant is undefined behaviour: whatever stands for the update is right."""
    (site,) = found(
        f"""\
        @c = {kind}
        define void @f() {{
          %v = load i8, ptr @c
          %o = or i8 %v, 16
          store i8 %o, ptr @c
          ret void
        }}
        """
    )
    assert verdict(site) == "set 4 at symbol c+0"


def test_noalias_arguments_are_distinct():
    text = """\
        define void @f(ptr {} %p, ptr {} %q) {{
          %v = load i8, ptr %p
          store i8 0, ptr %q
          %o = or i8 %v, 1
          store i8 %o, ptr %p
          ret void
        }}
        """
    assert [verdict(site) for site in found(text.format("noalias", "noalias"))] == ["set 0 at pointer %p+0"]
    assert [verdict(site) for site in found(text.format("noalias", "noundef"))] == ["clobber-between"]


def test_the_section_of_a_symbol_is_kept():
    (site,) = body("%v = load i8, ptr @section\n%o = or i8 %v, 1\nstore i8 %o, ptr @section\n")
    assert site.idiom.address.section == ".saddr"


def test_details_use_the_names_of_the_source():
    (site,) = body(
        '%"a b" = load i8, ptr @flags\n%1 = or i8 %"a b", 1\nstore i8 %1, ptr @flags\nstore i8 %"a b", ptr @other\n'
    )
    line = MODULE.count("\n") + 5
    assert site.reason.detail == f'%"a b" is also used by store at line {line}'

"""The LLVM front end: what each instruction becomes, and where it stands."""

from __future__ import annotations

import itertools

import pytest

from bitsel.frontends import llvm
from bitsel.ir import (
    Access,
    Argument,
    AtomicRMW,
    Binary,
    Cast,
    Const,
    DataLayout,
    Function,
    Load,
    Node,
    Opaque,
    StackSlot,
    Store,
    Symbol,
)

NEAR = DataLayout("little", {0: 16})
LAYOUT = 'target datalayout = "e-m:o-p:16:16-p1:16:16-p2:32:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"\n'

#: A store of a logic operation's result, which makes a function one that is read.
SITE = "  %site.old = load i8, ptr @site\n  %site.new = or i8 %site.old, 1\n  store i8 %site.new, ptr @site\n"


def module(text: str) -> llvm.Module:
    return llvm.read(text, "x.ll", NEAR)


def function(body: str, parameters: str = "", before: str = "", layout: str = LAYOUT) -> Function:
    """The one function of a module, with `body` before the site that gets it read."""
    text = f"{layout}@site = global i8 0\n{before}\ndefine void @f({parameters}) {{\n{body}\n{SITE}  ret void\n}}\n"
    (found,) = module(text).functions(whole=True)
    return found


def values(found: Function) -> dict[str, Node]:
    return {node.name: node for node in found.nodes() if node.name}


def first(body: str, parameters: str = "", before: str = "", layout: str = LAYOUT) -> Node:
    """What the first instruction of `body` becomes."""
    return function(body, parameters, before, layout).blocks[0].nodes[0]


def constant(type_: str, text: str, before: str = "") -> Node:
    """What a constant operand becomes."""
    stored = first(f"  store {type_} {text}, ptr @site", before=before)
    assert isinstance(stored, Store)
    return stored.value


def opaque(body: str, parameters: str = "", before: str = "") -> Opaque:
    found = first(body, parameters, before)
    assert isinstance(found, Opaque)
    return found


# Spans and blocks


def test_spans_cover_the_instruction_without_blanks_comment_and_line_end() -> None:
    text = (
        "@x = global i8 0\n"
        "define void @f() {\n"
        '  %v = load i8, ptr @x  ; "a comment\n'
        "\t%o = or i8 %v, 1, !dbg !3 \t\n"
        "  store i8 %o, ptr @x\n"
        "  ret void\n"
        "}\n"
        "!3 = !{}\n"
    )
    (found,) = module(text).functions(whole=True)
    spelled = [(node.span.line, text[node.span.start : node.span.end]) for node in found.nodes() if node.span]
    assert spelled == [
        (3, "%v = load i8, ptr @x"),
        (4, "%o = or i8 %v, 1, !dbg !3"),
        (5, "store i8 %o, ptr @x"),
        (6, "ret void"),
    ]


def test_spans_in_a_file_with_carriage_returns() -> None:
    text = "@x = global i8 0\r\ndefine void @f() {\r\n  %v = load i8, ptr @x\r\n  %o = or i8 %v, 1\r\n"
    text += "  store i8 %o, ptr @x\r\n  ret void\r\n}\r\n"
    (found,) = module(text).functions(whole=True)
    assert [text[node.span.start : node.span.end] for node in found.nodes() if node.span] == [
        "%v = load i8, ptr @x",
        "%o = or i8 %v, 1",
        "store i8 %o, ptr @x",
        "ret void",
    ]


def test_lines_count_from_the_start_of_the_file_in_every_function() -> None:
    text = "@site = global i8 0\n" + "".join(f"\ndefine void @f{i}() {{\n{SITE}  ret void\n}}\n" for i in range(3))
    lines = [
        found.blocks[0].nodes[0].span.line
        for found in module(text).functions(whole=True)
        if found.blocks[0].nodes[0].span
    ]
    assert lines == [4, 11, 18]


def test_instructions_over_several_lines_are_one_node() -> None:
    found = function(
        "  switch i8 %v, label %a [\n    i8 1, label %b ; ]\n    i8 2, label %a\n  ], !prof !4\n"
        "a:\n  %r = invoke i8 @g(i8 %v)\n          to label %b unwind label %c\n"
        "c:\n  %l = landingpad { ptr, i32 }\n          cleanup, !dbg !3\n          catch ptr null\n"
        "  br label %b\nb:",
        "i8 %v",
    )
    assert [(block.name, [node.span.line for node in block.nodes if node.span]) for block in found.blocks] == [
        ("0", [5]),
        ("a", [10]),
        ("c", [13, 16]),
        ("b", [18, 19, 20, 21]),
    ]


def test_blocks_are_named_by_their_label_or_as_llvm_numbers_them() -> None:
    found = function(
        '  br label %named\nnamed:                  ; preds = %2\n  br label %"a b"\n"a b":\n  br label %7\n'
        "7:\n  %8 = add i8 1, 2\n  ret void\n  ret void\n",
        "i8, i8 %1",
    )
    assert [block.name for block in found.blocks] == ["2", "named", "a b", "7", "9", "10"]


def test_blocks_named_in_a_comment_as_old_llvm_does() -> None:
    found = function(
        "  br label %4\n\n; <label>:4:                       ; preds = %0\n  br label %5\n\n; <label>:5\n"
    )
    assert [block.name for block in found.blocks] == ["0", "4", "5"]


def test_an_instruction_may_follow_its_label_on_the_line() -> None:
    found = function("entry: %a = add i8 1, 2")
    assert found.blocks[0].name == "entry"
    assert isinstance(found.blocks[0].nodes[0], Binary)


def test_an_entry_block_with_a_label_is_one_block() -> None:
    assert [block.name for block in function("entry:\n").blocks] == ["entry"]


# Loads, stores, atomics


def test_load() -> None:
    node = first("  %v = load volatile i16, ptr %p, align 2, !tbaa !4", "ptr %p")
    assert isinstance(node, Load)
    assert (node.width, node.name) == (16, "%v")
    assert node.access == Access(16, volatile=True, align=2)
    assert isinstance(node.pointer, Argument)


@pytest.mark.parametrize(
    ("pointer", "space"),
    [
        ("ptr %p", 0),
        ("i8* %p", 0),
        ("%struct.x* %p", 0),
        ("ptr addrspace(2) %p", 2),
        ("i8 addrspace(2)* %p", 2),
        ("i8 addrspace(2)** %p", 0),
        ('%"a b"* %p', 0),
    ],
)
def test_address_space_comes_from_the_pointer_type(pointer: str, space: int) -> None:
    node = first(f"  %v = load i8, {pointer}, align 1")
    assert isinstance(node, Load)
    assert node.access == Access(8, space=space)


@pytest.mark.parametrize(
    ("type_", "width", "align"),
    [
        ("i1", 1, 1),
        ("i8", 8, 1),
        ("i24", 24, 2),
        ("i64", 64, 2),
        ("ptr", 16, 2),
        ("ptr addrspace(2)", 32, 2),
        ("float", 32, 2),
        ("x86_fp80", 80, 16),
        ("<3 x i1>", 8, 1),
        ("[3 x i16]", 48, 2),
        ("{ i8, i32 }", 48, 2),
        ("<{ i8, i32 }>", 40, 1),
        ("%pair", 32, 2),
    ],
)
def test_access_width_and_abi_alignment_where_none_is_written(type_: str, width: int, align: int) -> None:
    node = first(f"  %v = load {type_}, ptr %p", before="%pair = type { i16, i8 }")
    assert isinstance(node, Load)
    assert node.access == Access(width, align=align)


def test_alignment_is_one_byte_where_nothing_says_more() -> None:
    node = first("  %v = load i32, ptr %p", layout="")
    assert isinstance(node, Load)
    assert node.access == Access(32, align=1)


def test_load_of_unknown_size_reads_through_its_pointer() -> None:
    node = opaque("  %v = load volatile %unknown, ptr %p", "ptr %p")
    assert (node.reads, node.writes, node.ordered, node.through) == (True, False, True, node.inputs)


def test_store_of_unknown_size_writes_through_its_pointer() -> None:
    node = opaque("  store %unknown %v, ptr %p", "%unknown %v, ptr %p")
    assert (node.reads, node.writes, node.ordered) == (False, True, False)
    assert node.through is not None
    assert [place.name for place in node.through] == ["%p"]
    assert [value.name for value in node.inputs] == ["%v", "%p"]


@pytest.mark.parametrize(
    ("text", "access"),
    [
        ("load atomic i8, ptr %p unordered, align 1", Access(8, ordering="unordered")),
        ("load atomic volatile i8, i8* %p acquire, align 1", Access(8, True, "acquire")),
        ('load atomic i16, ptr %p syncscope("agent") seq_cst, align 2, !dbg !1', Access(16, False, "seq_cst", 2)),
    ],
)
def test_atomic_load(text: str, access: Access) -> None:
    node = first(f"  %v = {text}")
    assert isinstance(node, Load)
    assert node.access == access


def test_atomic_store() -> None:
    node = first('  store atomic volatile i8 %v, ptr addrspace(1) %p syncscope("x") release, align 1')
    assert isinstance(node, Store)
    assert node.access == Access(8, True, "release", space=1)
    assert node.value.name == "%v"


@pytest.mark.parametrize("op", ["and", "nand", "or", "xor", "xchg", "umax", "uinc_wrap"])
def test_atomicrmw(op: str) -> None:
    node = first(f"  %v = atomicrmw volatile {op} i16* %p, i16 4 monotonic, align 4")
    assert isinstance(node, AtomicRMW)
    assert (node.op, node.width, node.name) == (op, 16, "%v")
    assert node.access == Access(16, True, "monotonic", 4)
    assert isinstance(node.value, Const)


def test_atomicrmw_is_naturally_aligned_where_old_text_does_not_say() -> None:
    node = first("  %v = atomicrmw or i16* %p, i16 4 seq_cst")
    assert isinstance(node, AtomicRMW)
    assert node.access.align == 2


@pytest.mark.parametrize(
    "text",
    [
        "fence seq_cst",
        "%v = cmpxchg weak ptr %p, i8 0, i8 %n seq_cst monotonic",
        "%v = va_arg ptr %p, i16",
        "frob i8 %n",
    ],
)
def test_what_may_do_anything(text: str) -> None:
    node = opaque(f"  {text}", "ptr %p, i8 %n")
    assert (node.reads, node.writes, node.ordered, node.through, node.marker) == (True, True, True, None, False)


@pytest.mark.parametrize(
    "line",
    [
        "%v = icmp eq i8 %a, 1 store i8 0, ptr %p",
        "%v = or i8 %a, 1 call void @g()",
        "%v = or i8 %a, 1, !md !3 store i8 0, ptr %p",
        "%v = or i8 %a, 1, !md !{i8 1} fence seq_cst",
        "%v = load i8, ptr %p, !md !3 store i8 0, ptr %p",
        "%v = getelementptr i8, ptr %p, i16 1, !md !3 store i8 0, ptr %p",
        "%v = alloca i8, align 1, !md !3 store i8 0, ptr %p",
        "call void @llvm.assume(i1 true) store i8 0, ptr %p",
        "call void @llvm.dbg.value(metadata i8 %a, metadata !4, metadata !5) store i8 0, ptr %p",
        "#dbg_value(i8 %a, !4, !DIExpression(), !5) store i8 0, ptr %p",
        "%v = icmp eq i8 (%a, 1\n  store i8 0, ptr %p",
        "%v = or i8 %a, 1 label:",
        "switch i8 %a, label %b [ i8 1, label %c\n  c:\n  b:",
    ],
)
def test_a_second_instruction_on_the_line_is_not_overlooked(line: str) -> None:
    """It is read by itself, or what hides it may do anything; a label begins a block."""
    found = function(f"  {line}", "i8 %a, ptr %p")
    names = [node.name for node in found.blocks[0].nodes]
    before = found.blocks[0].nodes[: names.index("%site.old") if "%site.old" in names else None]
    if "label:" in line:
        assert [block.name for block in found.blocks] == ["0", "label"]
    else:
        assert any(isinstance(node, Store) or (isinstance(node, Opaque) and node.writes) for node in before)


ONE_BY_ONE = """@x = global i8 0
define void @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %v = load i8, ptr @x, align 1, !md !0
  %o = or i8 %v, 1
  store i8 %o, ptr @x, align 1
  %n = call i8 @g(i8 store (i8 1)) nounwind
  tail call void @h()
  br label %b
b:
  ret void
}
declare i8 @g(i8)
declare void @h()
!0 = !{}
"""


def outline(text: str) -> list[tuple[str, list[tuple[str, str | None, str]]]]:
    """Each block's name, and of each of its nodes the class, the name and the text."""
    (found,) = module(text).functions(whole=True)
    return [(block.name, [_described(node, text) for node in block.nodes]) for block in found.blocks]


def _described(node: Node, text: str) -> tuple[str, str | None, str]:
    assert node.span
    return type(node).__name__, node.name, text[node.span.start : node.span.end]


EXPECTED_OUTLINE = [
    ("0", [("Opaque", None, "br i1 %c, label %a, label %b")]),
    (
        "a",
        [
            ("Load", "%v", "%v = load i8, ptr @x, align 1, !md !0"),
            ("Binary", "%o", "%o = or i8 %v, 1"),
            ("Store", None, "store i8 %o, ptr @x, align 1"),
            ("Opaque", "%n", "%n = call i8 @g(i8 store (i8 1)) nounwind"),
            ("Opaque", None, "tail call void @h()"),
            ("Opaque", None, "br label %b"),
        ],
    ),
    ("b", [("Opaque", None, "ret void")]),
]


def test_one_instruction_per_line() -> None:
    assert outline(ONE_BY_ONE) == EXPECTED_OUTLINE


JOINED = ["{\n  br", "%b\na:", "a:\n", "!0\n  %o", "1\n  store", "1\n  %n", "nounwind\n", "()\n", "b:\n", "void\n}"]


@pytest.mark.parametrize("joined", JOINED)
def test_two_instructions_on_one_line(joined: str) -> None:
    assert ONE_BY_ONE.count(joined) >= 1
    assert outline(ONE_BY_ONE.replace(joined, joined.replace("\n", " "))) == EXPECTED_OUTLINE


def test_a_function_on_one_line() -> None:
    start, end = ONE_BY_ONE.index("define"), ONE_BY_ONE.index("}")
    text = ONE_BY_ONE[:start] + ONE_BY_ONE[start:end].replace("\n", " ") + ONE_BY_ONE[end:]
    assert outline(text) == EXPECTED_OUTLINE


def test_bare_carriage_returns_end_lines() -> None:
    assert outline(ONE_BY_ONE.replace("\n", "\r")) == EXPECTED_OUTLINE
    (found,) = module(ONE_BY_ONE.replace("\n", "\r")).functions(whole=True)
    assert [node.span.line for node in found.nodes() if node.span] == [3, 5, 6, 7, 8, 9, 10, 12]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("%o = or", "%o\n=\nor"),
        ("or i8", "or\n  i8"),
        ("or i8 %v", "or i8\n %v"),
        ("%v, 1", "%v\n, 1"),
        ("store i8", "store\n i8"),
        ("store i8 %o", "store i8\n %o"),
        ("store i8 %o", "store i8 ; the new value\n %o"),
        ("%o, ptr @x", "%o, ptr\n  @x"),
        ("= load i8", "=\n load\n i8"),
    ],
)
def test_an_instruction_broken_anywhere(written: str, read: str) -> None:
    assert written in ONE_BY_ONE
    (found,) = module(ONE_BY_ONE.replace(written, read, 1)).functions(whole=True)
    old, new, store = found.blocks[1].nodes[:3]
    assert isinstance(old, Load)
    assert isinstance(new, Binary)
    assert isinstance(store, Store)
    assert (new.lhs, store.value) == (old, new)


# Values


@pytest.mark.parametrize(
    "text",
    [
        "or i8 %a, 1",
        "or disjoint i8 %a, 1",
        "or i8 %a, u0x01",
        "or i8 %a, 257",
        "or i8 %a, -255",
        "or i8 %a, 1 ; comment",
        "or i8 %a, 1, !foo !{i8 2}",
        'or i8 %"a", 1',
        r'or i8 %"\61", 1',
    ],
)
def test_binary_spellings(text: str) -> None:
    node = first(f"  %v = {text}", "i8 %a")
    assert isinstance(node, Binary)
    assert isinstance(node.lhs, Argument)
    assert isinstance(node.rhs, Const)
    assert (node.op, node.width, node.rhs.value, node.rhs.width) == ("or", 8, 1, 8)


@pytest.mark.parametrize("op", ["and", "or", "xor", "add nuw nsw", "sub nsw", "mul", "shl nuw"])
def test_binary_operations(op: str) -> None:
    node = first(f"  %v = {op} i24 %a, %a", "i24 %a")
    assert isinstance(node, Binary)
    assert (node.op, node.width, node.lhs is node.rhs) == (op.split()[0], 24, True)


@pytest.mark.parametrize(
    ("text", "op", "width"),
    [
        ("zext i8 %a to i16", "zext", 16),
        ("zext nneg i8 %a to i16", "zext", 16),
        ("sext i8 %a to i16", "sext", 16),
        ("trunc i16 %a to i8", "trunc", 8),
        ("trunc nuw nsw i16 %a to i8", "trunc", 8),
        ("freeze i8 %a", "freeze", 8),
        ("freeze float %a", "freeze", 32),
        ("bitcast i8* %a to i16*", "bitcast", 16),
        ("bitcast float %a to i32", "bitcast", 32),
        ("ptrtoint ptr %a to i16", "bitcast", 16),
        ("ptrtoint ptr %a to i8", "trunc", 8),
        ("ptrtoint ptr %a to i32", "zext", 32),
        ("inttoptr i16 %a to ptr", "bitcast", 16),
        ("inttoptr i32 %a to i8*", "trunc", 16),
        ("inttoptr i16 %a to ptr addrspace(2)", "zext", 32),
        ("addrspacecast ptr addrspace(2) %a to ptr", "addrspacecast", 16),
    ],
)
def test_casts(text: str, op: str, width: int) -> None:
    node = first(f"  %v = {text}")
    assert isinstance(node, Cast)
    assert (node.op, node.width, node.value.name) == (op, width, "%a")


@pytest.mark.parametrize(
    ("text", "same_object", "space"),
    [
        ("bitcast i8* %a to i16*", True, None),
        ("bitcast float %a to i32", False, None),
        ("ptrtoint ptr %a to i16", False, None),
        ("inttoptr i16 %a to ptr", False, None),
        ("addrspacecast ptr addrspace(1) %a to ptr addrspace(2)", True, 2),
    ],
)
def test_casts_that_keep_the_object(text: str, same_object: bool, space: int | None) -> None:
    node = first(f"  %v = {text}")
    assert isinstance(node, Cast)
    assert (node.same_object, node.space) == (same_object, space)


def test_an_integer_made_a_pointer_is_not_bound_to_an_object() -> None:
    node = constant("ptr", "inttoptr (i16 ptrtoint (ptr @site to i16) to ptr)")
    assert isinstance(node, Cast)
    assert (node.op, node.same_object) == ("bitcast", False)
    assert isinstance(constant("i16*", "bitcast (i8* @site to i16*)"), Symbol)


@pytest.mark.parametrize(
    "text",
    [
        "zext i16 %a to i8",
        "zext <2 x i8> %a to <2 x i16>",
        "bitcast i8 %a to i16",
        "or <2 x i8> %a, splat (i8 1)",
        "fadd fast float %a, 1.0",
        "lshr exact i8 %a, 1",
        "icmp samesign ult i8 %a, 3",
        "extractvalue { i8, i8 } %a, 0",
        "select i1 %a, i8 1, i8 2",
        "fneg float %a",
    ],
)
def test_harmless_instructions_are_opaque_without_memory(text: str) -> None:
    node = opaque(f"  %v = {text}", "i8 %a")
    assert (node.reads, node.writes, node.ordered) == (False, False, False)
    assert [operand.name for operand in node.inputs] == ["%a"]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("icmp eq i8 %a, 1", 1),
        ("fcmp fast oeq float %a, 1.0", 1),
        ("icmp eq <2 x i8> %a, %a", 0),
        ("lshr i16 %a, 1", 16),
        ("select i1 %a, ptr addrspace(2) %b, ptr addrspace(2) %c", 32),
        ("fptoui float %a to i8", 8),
        ("extractvalue { i8, [2 x i24] } %a, 1, 7", 24),
        ("extractelement <2 x i8> %a, i8 1", 8),
        ("phi ptr [ %a, %x ], [ null, %y ]", 16),
        ("call zeroext i8 @g(i8 %a)", 8),
        ("call noundef range(i8 0, 5) i8 %a(i8 1)", 8),
        ("tail call ptr addrspace(2) (i8, ...) @g(i8 %a)", 32),
        ("call i8* (i8)* %a(i8 1)", 16),
        ("cmpxchg ptr %a, i8 1, i8 2 seq_cst seq_cst", 0),
    ],
)
def test_width_of_opaque_results(text: str, width: int) -> None:
    assert opaque(f"  %v = {text}").width == width


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("%v = select i1 %c, i8 %a, i8 %b", ["%c", "%a", "%b"]),
        ("%v = select i1 %c, i8 4, i8 %b, !prof !1", ["%c", "%b"]),
        ("%v = select i1 %c, ptr @g, ptr null", ["%c", "g"]),
        ("%v = select fast i1 %c, float %a, float %b", ["%c", "%a", "%b"]),
        ("ret i8 %a", ["%a"]),
        ("ret i8 7, !dbg !1", []),
        ("ret ptr @g", ["g"]),
        ("ret { i8, i8 } %a", ["%a"]),
        ("br i1 %c, label %a, label %b", ["%c"]),
        ("br label %a", []),
    ],
)
def test_what_selecting_and_jumping_use(text: str, names: list[str]) -> None:
    node = opaque(f"  {text}", "i8 %a, i8 %b, i1 %c", before="@g = global i8 0")
    assert [operand.name for operand in node.inputs] == names


def test_values_may_be_called_like_instructions() -> None:
    node = opaque("  %v = fadd float %call, %store", "float %call, float %store")
    assert (node.reads, node.writes, node.ordered) == (False, False, False)


def test_labels_types_and_text_are_no_operands() -> None:
    node = opaque(
        '  %v = frob %struct.x %a, label %b, !md !1 "%c" ; %d', "i8 %a, i8 %b, i8 %c, i8 %d", "%struct.x = type {}"
    )
    assert [operand.name for operand in node.inputs] == ["%a"]


def test_users_count_every_mention() -> None:
    found = function(
        "  %a = add i8 1, 2\n  call void @g(i8 %a, i8 zeroext %a)\n  %b = icmp eq i8 %a, 0\n  ret i8 %a"
    )
    assert len(found.users[values(found)["%a"]]) == 4


def test_arguments() -> None:
    found = function(
        "  store i8 %0, ptr %p\n  store i32 %b, ptr addrspace(2) %q",
        'i8, ptr noalias nocapture %p, i8 addrspace(2)* dereferenceable(4) "a,b"="c" %q, i32 %b, ...',
    )
    arguments = {operand.name: operand for node in found.nodes() for operand in node.operands}
    described = {
        name: (argument.width, argument.noalias)
        for name, argument in arguments.items()
        if isinstance(argument, Argument)
    }
    assert described == {"%0": (8, False), "%p": (16, True), "%q": (32, False), "%b": (32, False)}


def test_same_value_is_one_node() -> None:
    found = function("  %a = load i8, ptr %p\n  store i8 %a, ptr %p", "ptr %p")
    load, store = found.blocks[0].nodes[:2]
    assert isinstance(load, Load)
    assert isinstance(store, Store)
    assert store.value is load
    assert store.pointer is load.pointer


def test_phi_of_a_later_value_closes_the_cycle() -> None:
    found = function(
        "  br label %l\nl:\n  %i = phi i8 [ 0, %0 ], [ %n, %l ]\n  %n = add i8 %i, 1\n  br label %l\nx:"
    )
    phi, after = values(found)["%i"], values(found)["%n"]
    assert isinstance(phi, Opaque)
    assert phi.inputs == (after,)
    assert found.users[after] == [phi]


def test_values_defined_in_a_later_line_are_the_same_node() -> None:
    found = function(
        "  br label %b\na:\n  store i8 %v, ptr @site\n  br label %c\n"
        "b:\n  %v = load i8, ptr @site\n  br label %a\nc:"
    )
    store = found.blocks[1].nodes[0]
    assert isinstance(store, Store)
    assert store.value is values(found)["%v"]


def test_undefined_value_is_an_opaque_one() -> None:
    node = first("  store i8 %nowhere, ptr @site")
    assert isinstance(node, Store)
    assert isinstance(node.value, Opaque)


# Addresses


def test_gep_with_constant_indices() -> None:
    node = first(
        "  %v = getelementptr inbounds nuw %struct.s, ptr %p, i32 1, i32 2, i16 -1",
        "ptr %p",
        "%struct.s = type { i8, i32, [4 x i16] }",
    )
    # A structure of 14 bytes, its third member at 6; one element of two bytes back.
    assert isinstance(node, Binary)
    assert isinstance(node.lhs, Argument)
    assert isinstance(node.rhs, Const)
    assert (node.op, node.name, node.width, node.rhs.value, node.rhs.width) == ("add", "%v", 16, 18, 16)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("getelementptr i8, ptr %p, i16 -1", 0xFFFF),
        ("getelementptr i8, ptr %p, i32 65537", 1),
        ("getelementptr [4 x i8], [4 x i8]* %p, i16 0, i16 3", 3),
        ("getelementptr { i8, i8 }, ptr %p, i16 0, i32 0", 0),
        ("getelementptr <{ i8, i32 }>, ptr %p, i16 1", 5),
        ("getelementptr <4 x i16>, ptr %p, i16 0, i16 3", 6),
        ("getelementptr inbounds i24, ptr %p, i8 1", 4),
        ('getelementptr %"a b", %"a b"* %p, i16 0, i32 1', 2),
    ],
)
def test_gep_offsets(text: str, offset: int) -> None:
    node = first(f"  %v = {text}", "ptr %p", '%"a b" = type { i8, i16 }')
    assert isinstance(node, Binary)
    assert isinstance(node.rhs, Const)
    assert node.rhs.value == offset


def test_gep_with_a_variable_index() -> None:
    found = function(
        "  %v = getelementptr inbounds [9 x { i16, i8 }], ptr %p, i16 0, i8 %i, i32 1", "ptr %p, i8 %i"
    )
    cast, mul, add, last = found.blocks[0].nodes[:4]
    assert isinstance(cast, Cast)
    assert isinstance(mul, Binary)
    assert isinstance(add, Binary)
    assert isinstance(last, Binary)
    assert isinstance(mul.rhs, Const)
    assert isinstance(last.rhs, Const)
    assert (cast.op, cast.width, cast.value.name) == ("sext", 16, "%i")
    assert (mul.op, mul.lhs, mul.rhs.value) == ("mul", cast, 4)
    assert (add.op, add.lhs.name, add.rhs) == ("add", "%p", mul)
    assert (last.op, last.name, last.lhs, last.rhs.value) == ("add", "%v", add, 2)
    assert found.users[cast.value] == [cast]


@pytest.mark.parametrize(
    "text",
    [
        "getelementptr %unknown, ptr %p, i16 1",
        "getelementptr { i8, i8 }, ptr %p, i16 0, i32 2",
        "getelementptr i8, <2 x ptr> %p, i16 1",
        "getelementptr i8, ptr %p, <2 x i16> %i",
        "getelementptr <vscale x 4 x i8>, ptr %p, i16 1",
        "getelementptr <8 x i1>, ptr %p, i16 0, i16 1",
    ],
)
def test_gep_of_unknown_size_is_an_opaque_pointer(text: str) -> None:
    node = opaque(f"  %v = {text}", "ptr %p")
    assert (node.reads, node.writes, node.ordered) == (False, False, False)
    assert node.inputs[0].name == "%p"


def test_structure_offsets_without_a_data_layout_need_no_padding() -> None:
    text = "  %v = getelementptr {0}, ptr %p, i16 0, i32 1"
    known = first(text.format("{ i16, i8 }"), "ptr %p", layout="")
    assert isinstance(known, Binary)
    assert isinstance(first(text.format("{ i8, i16 }"), "ptr %p", layout=""), Opaque)


def test_index_narrower_than_the_pointer_is_not_understood() -> None:
    layout = 'target datalayout = "e-p:32:32:32:16"\n'
    assert isinstance(first("  %v = getelementptr i8, ptr %p, i16 1", "ptr %p", layout=layout), Opaque)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("alloca i8, align 1", 1),
        ("alloca { i8, i32 }, align 2", 6),
        ("alloca [3 x i16], i16 4", 24),
        ("alloca %unknown", None),
        ("alloca i8, i16 %n, align 1", None),
    ],
)
def test_alloca(text: str, size: int | None) -> None:
    slot = values(function(f"  %v = {text}", "i16 %n"))["%v"]
    assert isinstance(slot, StackSlot)
    assert (slot.size, slot.width, slot.space) == (size, 16, 0)


def test_alloca_of_varying_size_uses_the_count() -> None:
    found = function("  %n = load i16, ptr @site\n  %v = alloca i8, i16 %n")
    assert len(found.users[values(found)["%n"]]) == 1


def test_alloca_in_another_address_space() -> None:
    slot = first("  %v = alloca i8, align 1, addrspace(2)")
    assert isinstance(slot, StackSlot)
    assert (slot.space, slot.width) == (2, 32)
    slot = first("  %v = alloca i8", layout='target datalayout = "e-p:16:16-p5:32:32-A5"\n')
    assert isinstance(slot, StackSlot)
    assert (slot.space, slot.width) == (5, 32)


# Constants


@pytest.mark.parametrize(
    ("type_", "text", "value", "width"),
    [
        ("i8", "-1", 255, 8),
        ("i8", "u0xF0", 240, 8),
        ("i16", "s0x80", 0xFF80, 16),
        ("i1", "true", 1, 1),
        ("i1", "false", 0, 1),
        ("i8", "zeroinitializer", 0, 8),
        ("ptr", "null", 0, 16),
        ("ptr", "inttoptr (i16 -255 to ptr)", 0xFF01, 16),
        ("i8*", "inttoptr (i32 65536 to i8*)", 0, 16),
        ("ptr addrspace(2)", "inttoptr (i32 983040 to ptr addrspace(2))", 0xF0000, 32),
        ("ptr", "getelementptr (i8, ptr inttoptr (i16 256 to ptr), i16 3)", 259, 16),
        ("ptr", "getelementptr inbounds inrange(-4, 4) (i8, ptr null, i16 2)", 2, 16),
        ("ptr", "getelementptr inbounds (i8, ptr null, inrange i16 2)", 2, 16),
        ("ptr", "getelementptr inbounds nuw ([4 x i16], [4 x i16]* null, i16 0, i16 2)", 4, 16),
        ("i16", "add (i16 ptrtoint (ptr null to i16), i16 -1)", 0xFFFF, 16),
        ("i16", "sext (i8 -128 to i16)", 0xFF80, 16),
        ("i16", "zext (i8 -128 to i16)", 0x80, 16),
        ("i8", "trunc (i16 513 to i8)", 1, 8),
        ("i8", "xor (i8 -1, i8 4)", 251, 8),
    ],
)
def test_integer_constants(type_: str, text: str, value: int, width: int) -> None:
    node = constant(type_, text)
    assert isinstance(node, Const)
    assert (node.value, node.width) == (value, width)


@pytest.mark.parametrize("text", ["undef", "poison", "sdiv (i8 1, i8 0)", "blockaddress(@f, %x)"])
def test_constants_of_no_known_value(text: str) -> None:
    assert isinstance(constant("i8", text), Opaque)


def test_symbols() -> None:
    before = (
        "@far = external addrspace(2) global i8, align 1\n"
        '@placed = global [2 x i8] c"\\22a", section ".sbss", align 1\n'
        '@"a\\22b" = internal constant i8 1\n'
    )
    plain, far = constant("ptr", "@site"), constant("ptr addrspace(2)", "@far", before)
    placed, quoted = constant("ptr", "@placed", before), constant("ptr", '@"a\\22b"', before)
    assert isinstance(plain, Symbol)
    assert isinstance(far, Symbol)
    assert isinstance(placed, Symbol)
    assert isinstance(quoted, Symbol)
    assert (plain.name, plain.width, plain.space, plain.section, plain.distinct) == ("site", 16, 0, None, True)
    assert (far.width, far.space) == (32, 2)
    assert placed.section == ".sbss"
    assert quoted.name == 'a"b'


def test_a_section_in_a_string_or_comment_is_none() -> None:
    node = constant("ptr", "@x", '@x = global [9 x i8] c", section ", align 1 ; , section "y"')
    assert isinstance(node, Symbol)
    assert node.section is None


def test_symbol_with_an_offset() -> None:
    node = constant("ptr", "getelementptr inbounds (i8, ptr @site, i16 4)")
    assert isinstance(node, Binary)
    assert isinstance(node.lhs, Symbol)
    assert isinstance(node.rhs, Const)
    assert (node.op, node.lhs.name, node.rhs.value) == ("add", "site", 4)


@pytest.mark.parametrize(
    "alias",
    [
        "@b = alias i8, ptr @site",
        "@b = dso_local unnamed_addr alias i8, i8* @site",
        "@b = weak_odr alias i8, ptr @site",
        "@b = alias i8, bitcast (i16* @site to i8*)",
        "@b = alias i8, ptr @c\n@c = alias i8, ptr @site",
    ],
)
def test_alias_is_what_it_stands_for(alias: str) -> None:
    node = constant("ptr", "@b", alias)
    assert isinstance(node, Symbol)
    assert (node.name, node.distinct) == ("site", True)


def test_alias_into_an_object() -> None:
    node = constant("ptr", "@b", "@b = alias i8, getelementptr inbounds ([4 x i8], ptr @site, i16 0, i16 3)")
    assert isinstance(node, Binary)
    assert isinstance(node.lhs, Symbol)
    assert isinstance(node.rhs, Const)
    assert (node.lhs.name, node.rhs.value) == ("site", 3)


@pytest.mark.parametrize(
    "alias",
    [
        "@b = weak alias i8, ptr @site",
        "@b = linkonce alias i8, ptr @site",
        "@b = ifunc void (), ptr @site",
        "@b = alias i8, ptr @b",
        "@b = alias nonsense",
    ],
)
def test_alias_that_may_be_any_place_is_not_distinct(alias: str) -> None:
    node = constant("ptr", "@b", alias)
    assert isinstance(node, Symbol)
    assert (node.name, node.distinct) == ("b", False)


def test_weak_variable_is_distinct() -> None:
    node = constant("ptr", "@b", "@b = weak global i8 0")
    assert isinstance(node, Symbol)
    assert node.distinct


def test_thread_local_variable_has_no_constant_address() -> None:
    assert isinstance(constant("ptr", "@b", "@b = thread_local(localexec) global i8 0"), Opaque)


@pytest.mark.parametrize("depth", [1000, 100_000])
def test_deep_nesting_is_not_understood_but_no_error(depth: int) -> None:
    deep = "getelementptr (i8, ptr " * depth + "@site" + ", i16 1)" * depth
    assert isinstance(first(f"  %v = load i8, ptr {deep}"), Load)
    assert isinstance(first(f"  %v = load {'[1 x ' * depth}i8{']' * depth}, ptr @site"), Opaque)


# Calls

DECLARATIONS = """
declare void @pure(ptr) #1
declare void @reader(ptr) memory(read)
declare void @writes_argument(ptr, i8) #2
declare void @hidden() memory(inaccessiblemem: readwrite)
declare void @old_argument(i8*) argmemonly
declare void @mixed(ptr) memory(read, argmem: readwrite)
declare void @other(ptr)
declare i8 @llvm.umax.i8(i8, i8)
attributes #1 = { nounwind willreturn memory(none) "readonly"="memory(read)" }
attributes #2 = { memory(argmem: write) }
attributes #3 = { readnone nounwind willreturn }
"""
ANYTHING = (True, True, True, None)


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("call void @other(ptr %p)", ANYTHING),
        ("call void @undeclared(ptr readnone %p)", ANYTHING),
        ("call void %f(ptr %p)", ANYTHING),
        ("call void @pure(ptr %p)", (False, False, False, None)),
        ("tail call void @pure(ptr %p)", (False, False, False, None)),
        ('call void @pure(ptr %p) [ "deopt"(i8 1) ]', ANYTHING),
        ("call void @other(ptr %p) #3", (False, False, False, None)),
        ("call void @other(ptr %p) nounwind willreturn memory(none)", (False, False, False, None)),
        ("call void @other(ptr %p) nounwind memory(none)", (False, False, True, None)),  # may never return
        ("call void @other(ptr %p) willreturn memory(none)", (False, False, True, None)),  # may unwind
        ("call void @other(ptr %p) readonly", (True, False, True, None)),
        ("call void @reader(ptr %p)", (True, False, True, None)),
        ("call void @writes_argument(ptr nonnull align 2 %p, i8 1)", (False, True, True, ("%p",))),
        ("call void @writes_argument(ptr %p, i8 1) readonly", (False, False, True, None)),
        ("call void @hidden()", (False, False, True, None)),
        ("call void @old_argument(i8* %p)", (True, True, True, ("%p",))),
        ("call void @old_argument(%odd %p)", (True, True, True, None)),
        ("call void @mixed(ptr %p)", (True, True, True, None)),
        ('call void asm sideeffect "@pure(", "r"(ptr %p) #3', ANYTHING),
        ('call void asm "", ""()', ANYTHING),
        ("%v = call i8 @llvm.umax.i8(i8 1, i8 2)", (False, False, False, None)),
        ('call void @llvm.assume(i1 true) [ "align"(ptr %p, i16 2) ]', (False, False, False, None)),
        ("call void @llvm.memset.p0.i16(ptr align 1 %p, i8 0, i16 4, i1 false)", (False, True, False, ("%p",))),
        ("call void @llvm.memset.p0.i16(ptr align 1 %p, i8 0, i16 4, i1 true)", (False, True, True, ("%p",))),
        ("call void @llvm.memcpy.p0.p0.i16(ptr %p, ptr %q, i16 4, i1 false)", (True, True, False, ("%p", "%q"))),
    ],
)
def test_what_a_call_may_do(text: str, effects: tuple[bool, bool, bool, tuple[str, ...] | None]) -> None:
    node = opaque(f"  {text}", "ptr %p, ptr %q, ptr %f", DECLARATIONS)
    through = None if node.through is None else tuple(place.name for place in node.through)
    assert (node.reads, node.writes, node.ordered, through) == effects
    assert not node.marker


@pytest.mark.parametrize(
    "text",
    [
        "call i16 @setjmp(ptr %p)",
        "call i16 %f(ptr %p) #4",
        "call i16 @other(ptr %p) returns_twice",
        'call i16 @setjmp(ptr %p) [ "x"() ]',
    ],
)
def test_call_that_returns_twice(text: str) -> None:
    before = "declare i16 @setjmp(ptr) #4\nattributes #4 = { returns_twice }\n"
    assert opaque(f"  %v = {text}", "ptr %p, ptr %f", before).returns_twice


def test_callbr_may_do_anything() -> None:
    node = opaque(
        '  callbr void asm sideeffect "", "!i"()\n          to label %x [label %y]\nx:\n  br label %y\ny:'
    )
    assert (node.reads, node.writes, node.ordered) == (True, True, True)


def test_debug_records_and_intrinsics_are_no_nodes_and_no_uses() -> None:
    found = function(
        "  %v = load i8, ptr %p\n    #dbg_value(i8 %v, !4, !DIExpression(), !5)\n"
        "  call void @llvm.dbg.value(metadata i8 %v, metadata !4, metadata !DIExpression()), !dbg !5\n"
        "  tail call void @llvm.dbg.declare(metadata ptr %p, metadata !4, metadata !DIExpression())",
        "ptr %p",
    )
    assert len(found.blocks[0].nodes) == 1 + 4
    assert values(found)["%v"] not in found.users


def test_lifetime_intrinsics_are_markers() -> None:
    found = function("  %s = alloca i8\n  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %s)")
    slot, marker = found.blocks[0].nodes[:2]
    assert isinstance(marker, Opaque)
    assert (marker.marker, marker.writes, marker.through) == (True, True, (slot,))
    assert slot not in found.users


# Whole modules


def test_data_layout_of_the_module_or_the_default() -> None:
    assert module(LAYOUT).layout == DataLayout("little", {0: 16, 1: 16, 2: 32})
    assert module('target datalayout = "E-p:32:32"').layout == DataLayout("big", {0: 32})
    assert module("declare void @f()").layout == NEAR
    assert module('; target datalayout = "E"\ntarget datalayout = "e-p:16:16"').layout == NEAR


def test_typed_and_opaque_pointers_in_one_file() -> None:
    found = function("  %a = load i8, i8* %p\n  store i8 %a, ptr %p", "i8* %p")
    load, store = found.blocks[0].nodes[:2]
    assert isinstance(load, Load)
    assert isinstance(store, Store)
    assert (load.pointer is store.pointer, load.access == store.access) == (True, True)


def test_old_text_keeps_its_pointers_types() -> None:
    found = function(
        "  %a = load i8*, i8** %p, align 2\n  %b = load %struct.s*, %struct.s** %q\n"
        "  store i8* %a, i8** %p, align 2\n  %c = bitcast i8* %a to %struct.s*\n"
        "  %d = phi %struct.s* [ %b, %x ], [ null, %y ]\n  %e = icmp eq %struct.s* %b, %c",
        "i8** %p, %struct.s** %q",
    )
    assert [(type(node).__name__, node.width) for node in found.blocks[0].nodes[:6]] == [
        ("Load", 16),
        ("Load", 16),
        ("Store", 0),
        ("Cast", 16),
        ("Opaque", 16),
        ("Opaque", 1),
    ]


def test_functions_come_in_order_and_all_definitions_are_counted() -> None:
    text = "@site = global i8 0\n"
    for name in ("a", '"b c"', "d"):
        text += f"declare void @x{len(text)}()\ndefine void @{name}() {{\n{SITE}  ret void\n}}\n"
        text += f"define void @none{len(text)}() {{\n  ret void\n}}\n"
    read = module(text)
    assert [found.name for found in read.functions(whole=True)] == ["a", "b c", "d"]
    assert read.function_count == 6


def test_any_spacing_around_the_equals_sign() -> None:
    for op, spacing in itertools.product(("and", "or", "xor"), (" = ", "=", "\t=\t")):
        found = function(f"  %v{spacing}{op} i8 %a, 1", "i8 %a")
        node = found.blocks[0].nodes[0]
        assert isinstance(node, Binary)
        assert node.op == op

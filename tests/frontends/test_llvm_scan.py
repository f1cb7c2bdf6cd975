"""Which functions the LLVM front end reads, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitsel.errors import InputError, MissingExtra
from bitsel.frontends import llvm
from bitsel.ir import DataLayout

NEAR = DataLayout("little", {0: 16})
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ll"))

UPDATE = """define void @f() {
  %v = load i8, ptr @x
  %o = or i8 %v, 1
  store i8 %o, ptr @x
  ret void
}
"""


def read_names(text: str) -> list[str]:
    """The functions that are read at all."""
    return [found.name for found in llvm.read(text, "x.ll", NEAR).functions()]


def is_read(body: str) -> bool:
    """Whether a function is, in which `body` may use %a and %b, loaded bytes and words, and %c, an argument."""
    loads = "  %a = load i8, ptr %p\n  %b = load volatile i16, ptr %p"
    return read_names(f"define void @f(ptr %p, i8 %c) {{\n{loads}\n{body}\n  ret void\n}}\n") == ["f"]


@pytest.mark.parametrize(
    "body",
    [
        "  %o = or i8 %a, 1\n  store i8 %o, ptr %p",
        "  %o = and i8 %a, 1\n  store volatile i8 %o , ptr %p",
        "  %o = xor i8 %a, 1\n  store atomic i8 %o, ptr %p release, align 1",
        "\t%o\t=\tor disjoint i8 %a, 1\n\tstore\ti8 %o, i8* %p",
        "  %o=or i8 %a, 1\n  store i8 %o,ptr %p",
        "x: %o = or i8 %a, 1\n  store i8 %o, ptr %p",
        '  %"q r" = or i8 %a, 1\n  store i8 %"q r", ptr %p',
        '  %"o" = or i8 %a, 1\n  store i8 %o, ptr %p',
        "  %o = or i16 %b, 1\n  %t = trunc i16 %o to i8\n  store i8 %t, ptr %p",
        "  %o = or i8 %a, 1\n  %t = zext nneg i8 %o to i16\n  %u = freeze i16 %t\n  store i16 %u, ptr %p",
        "  %o = or i16 %b, 1\n  %t = inttoptr i16 %o to %s*\n  store %s* %t, %s** %p",
        "  %o = or i16 %b, 1\n  %t = inttoptr i16 %o to void (%s)*\n  store void (%s)* %t, void (%s)** %p",
        "  %o = or i16 %b, 1\n  %t = inttoptr i16 %o to ptr addrspace(1)\n  store ptr addrspace(1) %t, ptr %p",
        "  %o = or i8 %a, 1\n  %t = addrspacecast ptr %o to ptr addrspace(1)\n  store ptr addrspace(1) %t, ptr %p",
        "  store i8 %o, ptr %p\n  %o = or i8 %a, 1",
        "  %o = or i8 1,\n    %a\n  store i8 %o, ptr %p",
        "  %o = or i8 1, ; the mask\n    %a\n  store i8 %o, ptr %p",
        "  %o = or i8 %c, 1 %q = and i8 %o, %a\n  store i8 %q, ptr %p",
        "  %o = or i8 %a, 1\n  ; %o = or i8 %c, 1\n  store i8 %o, ptr %p",
        "  ; %a = or i8 %c, 1\n  %o = or i8 %a, 1\n  store i8 %o, ptr %p",
        "  %o = or i8 %a, 1\n  store i8 ; the new value\n    %o, ptr %p",
        "  %o = or i8\n    %a, 1\n  store\n    i8 %o\n    , ptr %p",
        "  %o = or i8 %c\n    , %a\n  store i8 %o, ptr %p",
        "  %t = sext i8 %a to i16\n  %o = xor i16 %t, 1\n  %q = and i16 %o, 3\n  store i16 %q, ptr %p",
        "  %v = atomicrmw or ptr %p, i8 1 seq_cst",
    ],
)
def test_functions_a_site_can_be_in_are_read(body: str) -> None:
    assert is_read(body)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "  store i8 %a, ptr %p",
        "  %o = or i8 %a, 1",
        "  %o = add i8 %a, 1\n  %q = or i8 %o, 1\n  store i8 %o, ptr %p",
        "  %o = or i8 %a, 1\n  store i8 0, ptr @x",
        "  %o = or i8 %a, 1\n  %t = zext i8 %a to i16\n  store i16 %t, ptr %p",
        "  %t = trunc i16 %b to i8\n  store i8 %t, ptr %p",
        "  %o = or i8 %c, 1\n  store i8 %o, ptr %p",
        "  %d = add i8 %a, 1\n  %o = or i8 %d, 1\n  %t = zext i8 %o to i16\n  store i16 %t, ptr %p",
    ],
)
def test_functions_without_a_site_are_skipped(body: str) -> None:
    assert not is_read(body)


@pytest.mark.parametrize(
    "text",
    [
        UPDATE,
        UPDATE.replace("\n", "\r\n"),
        UPDATE.replace("\n}", "\n  }"),
        "  " + UPDATE,
        UPDATE.replace("@f()", '@"f"()'),
        UPDATE.replace("@f()", '@"\\66"()'),
        UPDATE.replace("@f() {", "@f()\n{"),
        UPDATE.replace("@f()", "@f(ptr byval({ i8 }) %p,\n i8 %q)"),
        UPDATE.replace("void @f()", '{ i8, i8 } @f() "a{"="}" section "x{" #0 personality ptr @g !dbg !3'),
        UPDATE.replace("{\n", "{ ; {\n", 1),
        UPDATE.replace("}\n", "} ; end"),
        UPDATE.replace("\n}\n", "\n}"),
        '; define void @c() {\n!0 = !{!"define"}\n' + UPDATE,
    ],
)
def test_spellings_of_a_definition(text: str) -> None:
    assert read_names(text) == ["f"]


def test_a_definition_on_one_line_hides_no_other() -> None:
    assert read_names("define void @g() { ret void }\n" + UPDATE) == ["f"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n\n", 3),
        ("; a comment\n", 2),
        ("\n#include <stdint.h>\n", 2),
        ('\t.file\t"x.c"\n', 1),
        ("int main(void) { return 0; }\n", 1),
        ("@ an ARM comment\n", 1),
    ],
)
def test_text_that_is_no_llvm_ir(text: str, line: int) -> None:
    with pytest.raises(InputError) as caught:
        llvm.read(text, "x.ll", NEAR)
    assert str(caught.value) == f"x.ll:{line}: expected LLVM IR: no module-level entity found"


@pytest.mark.parametrize(
    "text", ["declare void @f()", "@x = global i8 0\n", '; c\n\nsource_filename = "x"\n', "%t = type {}"]
)
def test_a_module_without_functions_is_fine(text: str) -> None:
    module = llvm.read(text, "x.ll", NEAR)
    assert list(module.functions()) == []
    assert module.function_count == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (UPDATE + UPDATE[:-2], 7),
        (UPDATE + UPDATE[:40], 7),
        (UPDATE + "define void @f(", 7),
        (UPDATE + "define ", 7),
        (UPDATE + "define void @g()\n", 7),
        (UPDATE[:-2] + UPDATE, 1),
    ],
)
def test_a_function_without_end(text: str, line: int) -> None:
    with pytest.raises(InputError) as caught:
        read_names(text)
    assert str(caught.value).startswith(f"x.ll:{line}: ")
    assert "begins here and does not end: expected '}'" in str(caught.value)


def test_a_cut_off_file_is_refused_before_anything_is_read() -> None:
    with pytest.raises(InputError):
        llvm.read(UPDATE + UPDATE[:-2], "x.ll", NEAR)


@pytest.mark.parametrize(
    "tail",
    ['!4 = !{i32 1, !"wchar', "!5 = !DILocation(line: 3", "declare void @g(ptr", '@s = constant [2 x i8] c"a'],
)
def test_a_file_cut_off_inside_a_line(tail: str) -> None:
    with pytest.raises(InputError) as caught:
        llvm.read(UPDATE + tail, "x.ll", NEAR)
    assert str(caught.value) == "x.ll:7: the file ends inside this line: expected its closing bracket or quote"


def test_a_function_without_a_header() -> None:
    with pytest.raises(InputError) as caught:
        read_names("\n" + UPDATE.replace("@f()", "f"))
    assert str(caught.value) == "x.ll:2: expected a function: 'define <type> @<name>(<parameters>) {'"


def test_binary_data() -> None:
    with pytest.raises(InputError) as caught:
        llvm.read_bytes(b"define\n\x7fELF\0\1", "x.o", NEAR)
    assert str(caught.value) == "x.o:2: expected LLVM IR text or bitcode, found binary data"


def test_bytes_that_are_no_utf8_are_kept() -> None:
    module = llvm.read_bytes(UPDATE.replace("@f", '@"f\xe4"').encode("latin-1"), "x.ll", NEAR)
    assert [found.name for found in module.functions()] == ["f\udce4"]


def test_bitcode() -> None:
    binding = pytest.importorskip("llvmlite.binding", reason="pip install 'bitsel[llvm]'")
    data = binding.parse_assembly("@x = global i8 0\n" + UPDATE).as_bitcode()
    module = llvm.read_bytes(data, "x.bc", NEAR)
    assert [(found.name, len(found.blocks[0].nodes)) for found in module.functions(whole=True)] == [("f", 4)]
    with pytest.raises(InputError) as caught:
        llvm.read_bytes(data[: len(data) // 2], "x.bc", NEAR)
    assert str(caught.value).startswith("x.bc: expected bitcode that llvmlite can read: ")


def test_bitcode_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    with pytest.raises(MissingExtra) as caught:
        llvm.read_bytes(b"\xde\xc0\x17\x0b" + bytes(40), "x.bc", NEAR)
    assert str(caught.value) == "x.bc: reading bitcode needs llvmlite; pip install 'bitsel[llvm]'"


def test_nothing_heavy_is_imported_for_text() -> None:
    code = "import sys; from bitsel.frontends import llvm; sys.exit('llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ('"hello"', """expected a data layout such as "e-p:16:16-i32:16": 'hello' is no specification"""),
        ("5", """expected 'target datalayout = "<specifications>"'"""),
    ],
)
def test_a_data_layout_that_is_none(layout: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        llvm.read(f"\n; a comment\ntarget datalayout = {layout}\n{UPDATE}", "x.ll", NEAR)
    assert str(caught.value) == f"x.ll:3: {said}"


@pytest.mark.parametrize(
    "body",
    [
        "  ret void\n" * 20_000,
        "".join(f"  %a{i} = add i8 1, 2\n  ret void\n" for i in range(10_000)),
        "  foo (((\n" * 20_000,
        "  load i8, ptr @x" + ", !a !1" * 20_000 + "x",
        "  %r = call zz(" + "i8 1, " * 20_000,
        "  %r = load i8, ptr " + "getelementptr (i8, ptr " * 20_000,
        "  %r = load " + "[" * 50_000,
        '  "' * 20_001,
        "a: " * 20_000,
        "  %s = add i8 %a, 1, !m !{" * 10_000,
        "  store i8 1, ptr @x" * 20_000,
        "  %p = phi i8 " + "[ %z, %y ], " * 20_000,
    ],
    ids=[
        "returns",
        "blocks",
        "brackets",
        "metadata",
        "arguments",
        "expressions",
        "types",
        "quotes",
        "labels",
        "open definitions",
        "stores on one line",
        "phi",
    ],
)
def test_damaged_text_takes_linear_time(body: str) -> None:
    started = time.process_time()
    assert is_read("  %o = or i8 %a, 1\n  store i8 %o, ptr %p\n" + body)
    assert time.process_time() - started < 5


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """An example with lines and characters deleted, swapped, doubled, put in, and its end cut off."""
    text = draw(st.sampled_from(EXAMPLES)).read_text()
    start = draw(st.integers(0, len(text)))
    text = text[:2000] + text[start : start + 6000]
    for _ in range(draw(st.integers(1, 8))):
        at, to = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        piece = draw(
            st.sampled_from(["", "(", "{", '"', "%", "@", ";", "\n", "}\n", "define ", "store i8 ", "\0", "é"])
        )
        how = draw(st.sampled_from(["insert", "delete", "double", "cut", "swap lines"]))
        if how == "insert":
            text = text[:at] + piece + text[at:]
        elif how == "delete":
            text = text[:at] + text[min(at + 30, to) :]
        elif how == "double":
            text = text[:to] + text[at : at + 100] + text[to:]
        elif how == "cut":
            text = text[: max(to, 100)]
        else:
            lines = text.split("\n")
            first, second = at % len(lines), to % len(lines)
            lines[first], lines[second] = lines[second], lines[first]
            text = "\n".join(lines)
    return text


@given(damaged())
@settings(max_examples=150, deadline=None)
def test_damaged_files_are_read_or_refused(text: str) -> None:
    with suppress(InputError):
        module = llvm.read(text, "x.ll", NEAR)
        for found in module.functions():
            for node in found.nodes():
                module.debug_location(node)
                assert node.span is not None
                assert text.count("\n", 0, node.span.start) + 1 == node.span.line

"""Debug locations of nodes."""

from __future__ import annotations

import pytest

from bitsel.frontends import llvm
from bitsel.ir import DataLayout, Store

METADATA = """
!0 = !DIFile(filename: "a.c", directory: "/src")
!1 = distinct !DISubprogram(name: "f, scope: !9", scope: !0, file: !0, line: 3, unit: !7)
!2 = distinct !DILexicalBlock(scope: !1, line: 4, column: 1)
!3 = !DILexicalBlockFile(scope: !2, file: !8, discriminator: 1)
!4 = !DILocation(line: 12, column: 3, scope: !2)
!5 = !DILocation(line: 7, scope: !3, inlinedAt: !4)
!6 = !DILocation(line: 0, scope: !2)
!8 = !DIFile(filename: "inc\\5Cb \\C3\\A4.h", directory: "")
!9 = !DILocation(line: 5, scope: !10)
!10 = !DILexicalBlock(scope: !10)
!11 = !{!4}
!123456789 = !DILocation(line: 5, scope: !1)
"""


def location(attached: str) -> tuple[str, int] | None:
    """The debug location of a store with these attachments."""
    text = (
        "define void @f() {\n  %a = load i8, ptr @x\n  %o = or i8 %a, 1, !dbg !5\n"
        f"  store i8 %o, ptr null, align 1{attached}\n  ret void, !dbg !4\n}}\n{METADATA}"
    )
    module = llvm.read(text, "x.ll", DataLayout("little", {0: 16}))
    (found,) = module.functions(whole=True)
    (store,) = (node for node in found.nodes() if isinstance(node, Store))
    return module.debug_location(store)


@pytest.mark.parametrize(
    ("attached", "expected"),
    [
        (", !dbg !4", ("a.c", 12)),
        (", !dbg !4, !tbaa !5", ("a.c", 12)),
        (", !tbaa !5, !dbg !4", ("a.c", 12)),
        (", !dbg !5", ("inc\\b ä.h", 7)),
        (", !dbg !DILocation(line: 9, scope: !1)", ("a.c", 9)),
        ("", None),
        (", !dbg !6", None),
        (", !dbg !7", None),
        (", !dbg !9", None),
        (", !dbg !11", None),
        (", !dbg !77", None),
        (", !dbg !123456789", None),
        (", !dbg !99999999999999999999", None),
    ],
)
def test_location(attached: str, expected: tuple[str, int] | None) -> None:
    assert location(attached) == expected

"""Rewriting a function's body for a target, in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bitsel.api import Selector
from bitsel.rewrite.llvm import rewrite_llvm
from bitsel.rewrite.options import Options
from bitsel.rewrite.result import Rewritten

AVR_LAYOUT = "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8-a:8"
LAYOUTS = {
    "rl78:r7f100g": "e-m:o-p:16:16-i32:16-a:8-n8:16-S16",
    "msp430:msp430g2553": "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16",
    "avr:atmega328p": AVR_LAYOUT,
    "avr:atxmega128a1u": AVR_LAYOUT,
}

GLOBALS = """\
@flags = global i8 0
@w = global i16 0
@l = global i32 0
"""


@pytest.fixture(scope="session")
def selectors() -> Iterator[Callable[[str], Selector]]:
    made: dict[str, Selector] = {}

    def selector(target: str) -> Selector:
        if target not in made:
            made[target] = Selector(target)
        return made[target]

    yield selector
    for each in made.values():
        each.close()


@pytest.fixture(scope="session")
def layout() -> Callable[[str], str]:
    """The line that states a target's data layout, as clang 19 writes it."""
    return lambda target: f'target datalayout = "{LAYOUTS[target]}"\n'


Rewrite = Callable[..., Rewritten]


@pytest.fixture
def rewrite(selectors: Callable[[str], Selector]) -> Rewrite:
    """``rewrite(text, target)``: the text of a whole module, without its data layout."""

    def rewrite(text: str, target: str = "msp430:msp430g2553", options: Options | None = None) -> Rewritten:
        return rewrite_llvm(text, "x.ll", selectors(target), options or Options())

    return rewrite


Body = Callable[..., str]


@pytest.fixture
def body(rewrite: Rewrite) -> Body:
    """``body(lines, target)``: the lines of a function's body, rewritten. An update is kept as it is only if `kept`
    says why."""

    def body(
        text: str,
        target: str = "msp430:msp430g2553",
        *,
        kept: str | None = None,
        globals_: str = GLOBALS,
        head: str = "ptr %p",
    ) -> str:
        before = f'target datalayout = "{LAYOUTS[target]}"\n{globals_}define void @f({head}) {{\n'
        after = "  ret void\n}\n"
        done = rewrite(before + text + after, target)
        assert [site.kept for site in done.sites if site.kept] == ([kept] if kept else [])
        assert done.text.startswith(before)
        assert done.text.endswith(after)
        return done.text[len(before) : -len(after)]

    return body

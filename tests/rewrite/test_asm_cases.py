"""Assembly before and after, side by side: ``cases/TARGET/NAME.s`` and ``NAME.out.s``.

In the first, a comment ``site: VERDICT`` behind a store says that an update is found there and what becomes of it:
``selected``, or the reason why it stays. There are no other updates.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bitsel.plugins import Plugins, find_device
from bitsel.rewrite.asm import rewrite_assembly

CASES = Path(__file__).parent / "cases"
DEVICES = {"avr": "atmega328p", "msp430": "msp430g2553", "rl78": "r7f100g"}
_SITE = re.compile(r"site: ([\w-]+)")

NAMES = sorted(str(path.relative_to(CASES)) for path in CASES.glob("*/*.s") if not path.name.endswith(".out.s"))


def _case(name: str) -> tuple[str, str, str]:
    path = CASES / name
    expected = path.with_name(f"{path.stem}.out.s")
    return path.parent.name, path.read_text(), expected.read_text()


def test_there_are_cases_for_every_target() -> None:
    assert {name.split("/")[0] for name in NAMES} == set(DEVICES)


@pytest.mark.parametrize("name", NAMES)
def test_the_text_is_rewritten_as_expected(name: str) -> None:
    kind, text, expected = _case(name)
    target = Plugins(()).target(kind)
    assert rewrite_assembly(text, name, target, find_device(target, DEVICES[kind])).text == expected


@pytest.mark.parametrize("name", NAMES)
def test_every_site_gets_the_verdict_that_is_noted_at_its_store(name: str) -> None:
    kind, text, _ = _case(name)
    target = Plugins(()).target(kind)
    sites = rewrite_assembly(text, name, target, find_device(target, DEVICES[kind])).sites
    found = {
        site.report.line: site.report.reason.code.value if site.report.reason else site.report.verdict
        for site in sites
    }
    noted = {
        line: verdict[1] for line, written in enumerate(text.split("\n"), 1) if (verdict := _SITE.search(written))
    }
    assert found == noted


@pytest.mark.parametrize("name", NAMES)
def test_what_was_rewritten_has_nothing_left_to_rewrite(name: str) -> None:
    kind, _, expected = _case(name)
    target = Plugins(()).target(kind)
    again = rewrite_assembly(expected, name, target, find_device(target, DEVICES[kind]))
    assert again.text == expected

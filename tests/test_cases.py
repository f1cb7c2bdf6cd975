"""Whole inputs against expected outcomes written by hand: `cases/NAME.ll` beside `cases/NAME.expected.csv`.

An empty column is not checked. Instructions are joined by ``; ``. Objective size, on rl78:r7f100g.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import bitsel
from bitsel.report import SiteReport

CASES = Path(__file__).parent / "cases"


def expectations() -> list[tuple[str, dict[str, str]]]:
    found = []
    for table in sorted(CASES.glob("*.expected.csv")):
        with table.open(newline="") as lines:
            found += [(table.name.removesuffix(".expected.csv"), row) for row in csv.DictReader(lines)]
    return found


@pytest.fixture(scope="module")
def sites() -> dict[tuple[str, str], list[SiteReport]]:
    found: dict[tuple[str, str], list[SiteReport]] = {}
    for path in sorted(CASES.glob("*.ll")):
        for site in bitsel.select(path, target="rl78:r7f100g").sites:
            found.setdefault((path.stem, site.function), []).append(site)
    return found


def outcome(site: SiteReport) -> dict[str, str]:
    chosen = site.chosen
    return {
        "function": site.function,
        "verdict": site.verdict,
        "reason": site.reason.code.value if site.reason else "",
        "asm": "; ".join(chosen.asm) if chosen else "",
        "bytes": str(chosen.bytes) if chosen else "",
        "cycles": str(chosen.cycles) if chosen else "",
    }


@pytest.mark.parametrize(
    ("case", "expected"), [pytest.param(*row, id=f"{row[0]}-{row[1]['function']}") for row in expectations()]
)
def test_case(case: str, expected: dict[str, str], sites: dict[tuple[str, str], list[SiteReport]]) -> None:
    [site] = sites[case, expected["function"]]
    given = {column: value for column, value in expected.items() if value}
    assert {column: outcome(site)[column] for column in given} == given


def test_no_site_is_without_an_expectation(sites: dict[tuple[str, str], list[SiteReport]]) -> None:
    assert set(sites) == {(case, row["function"]) for case, row in expectations()}

"""A target's table, printed."""

from __future__ import annotations

import io

import pytest

from bitsel.emit.facts import write
from bitsel.plugins import Plugins


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.delenv("COLUMNS", raising=False)
    target = Plugins().target("rl78")
    out = io.StringIO()
    write(target, target.devices["r7f100g"], out)
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def test_the_target_and_its_devices_come_first(lines: list[str]) -> None:
    assert lines[0] == "rl78: Renesas RL78 (S2 and S3 cores); validated, little-endian"
    assert lines[2] == "r7f100g: core s3, RL78/G23; its instructions follow"


def test_a_form_has_its_spelling_meaning_costs_and_source(lines: list[str]) -> None:
    assert "instruction does bytes clocks source" in lines
    assert "set1 !<addr:abs16>.<bit> m8[addr] = m8[addr] | (1 << bit) 4 2 gas list" in lines


def test_the_tags_of_sources_are_explained(lines: list[str]) -> None:
    assert "gas: GNU as and objdump 2.40 for rl78-elf: bytes, measured" in lines

"""The rows that assembly is only read by: each is an instruction as the assembler knows it."""

from __future__ import annotations

import pytest
from attrs import evolve

from bitsel.plugins import Plugins, find_device
from bitsel.target.expand import forms, read_only_forms
from bitsel.verify.assembler import check

DEVICES = [
    ("avr", "atmega328p"),
    ("avr", "atxmega128a1u"),
    ("avr", "attiny402"),
    ("avr", "attiny10"),
    ("msp430", "msp430g2553"),
    ("rl78", "r7f100g"),
]


@pytest.mark.parametrize(("name", "device"), DEVICES)
def test_each_assembles_to_its_bytes(name: str, device: str) -> None:
    target = Plugins(()).target(name)
    alone = evolve(target, rows=target.read_only, hash=f"{target.hash} read only")
    failed = {
        result.row: result.detail for result in check(alone, find_device(alone, device)) if result.outcome != "ok"
    }
    assert failed == {}


@pytest.mark.parametrize(("name", "device"), DEVICES)
def test_none_takes_part_in_selection(name: str, device: str) -> None:
    target = Plugins(()).target(name)
    known = find_device(target, device)
    assert not set(map(id, forms(target, known))) & set(map(id, read_only_forms(target, known)))
    assert all(form.flow is None or form.source for form in forms(target, known))

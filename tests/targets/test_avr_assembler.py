"""AVR's rows against GNU as: the forms of each core assemble to the bytes the table says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import bitsel_avr
from bitsel.target.load import load_target
from bitsel.target.show import table_rows
from bitsel.verify.assembler import check

needs_as = pytest.mark.skipif(
    shutil.which("avr-as") is None, reason="no avr-as: apt-get install gcc-avr binutils-avr"
)


@needs_as
@pytest.mark.parametrize("name", ["atmega328p", "atxmega128a1u", "attiny402", "attiny10"])
def test_every_row_of_every_core_assembles(name: str) -> None:
    avr = load_target(Path(bitsel_avr.__file__).parent)
    device = avr.devices[name]
    results = list(check(avr, device))
    assert [result.row for result in results] == [row.text for row in table_rows(avr, device)]
    assert {result.outcome for result in results} == {"ok"}

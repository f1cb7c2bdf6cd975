"""How far a byte is from what is wanted: a bound on instructions, so never more than it takes."""

from __future__ import annotations

import pytest

from bitsel.selector.chains import steps_from
from bitsel.selector.lanes import Lane, Old


@pytest.mark.parametrize(
    ("lane", "wanted", "steps"),
    [
        (Old(0, 0xFF, 0), Old(0, 0xFF, 0), 0),
        (Old(0, 0xFF, 0), Old(0, 0xFE, 0x01), 1),  # or 1
        (Old(0, 0xFF, 0), Old(0, 0xFE, 0x00), 1),  # and 0xfe
        (Old(0, 0xFF, 0), Old(0, 0xFF, 0x01), 1),  # xor 1
        (Old(0, 0xFF, 0), Old(0, 0xFC, 0x01), 2),  # set bit 0, clear bit 1
        (Old(0, 0xFC, 0x03), Old(0, 0xFC, 0x05), 1),  # xor 6: bit 1 is 1 and becomes 0, bit 2 is complemented
        (Old(0, 0xFC, 0x03), Old(0, 0xFC, 0x01), 1),  # xor 2, or and 0xfd
        (Old(0, 0xFC, 0x00), Old(0, 0xFC, 0x07), 1),  # xor 7
        (Old(0, 0xFC, 0x02), Old(0, 0xFC, 0x05), 1),  # xor 7
        (Old(0, 0xFC, 0x00), Old(0, 0xF8, 0x05), 1),  # or 5
        (Old(0, 0xFC, 0x00), Old(0, 0xF8, 0x01), 2),  # bit 0 becomes 1, bit 2 becomes 0 whatever it was
        (0x12, 0x21, 1),  # xor 0x33
    ],
)
def test_how_many_instructions_it_takes(lane: Lane, wanted: Lane, steps: int) -> None:
    assert steps_from(lane, wanted) == steps

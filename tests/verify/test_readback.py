"""Reading printed lines back: the form, and what each operand stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsel_rl78
from bitsel.target.expand import forms
from bitsel.target.load import load_target
from bitsel.verify.readback import Reader

SYMBOLS = {"w": 0x12FFF}


@pytest.fixture(scope="module")
def reader() -> Reader:
    target = load_target(Path(bitsel_rl78.__file__).parent)
    return Reader(target, forms(target, target.devices["r7f100g"]))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("or a, #16", {"i": 16}),
        ("mov x, a", {"d": "x"}),
        ("set1 0xffe20.3", {"addr": 0xFFE20, "bit": 3}),
        ("mov a, [hl+255]", {"disp": 255}),
        ("mov es, #%hi8(_w)", {"i": 1}),
        ("mov es, #%hi8(_w+1)", {"i": 1}),
        ("mov es, #%hi8(_w+53249)", {"i": 2}),
        ("movw hl, #_w", {"d": "hl", "i": 0x2FFF}),
        ("set1 es:!_w-1.0", {"addr": 0x2FFE, "bit": 0}),
    ],
)
def test_a_line_of_the_table(line: str, names: dict[str, int | str], reader: Reader) -> None:
    found = reader.read(line, SYMBOLS)
    assert found is not None
    assert found.form.mnemonic == line.split()[0]
    assert found.names == names


@pytest.mark.parametrize(
    "line",
    [
        "frob a",  # no such mnemonic
        "or a, #256",  # out of range
        "set1 !_w.8",  # no such bit
        "mov y, a",  # no such register
        "movw hl, #_other",  # no symbol of the program
        "set1 !_w.0",  # a near form cannot reach 0x12fff
        "or a #16",  # not so written
        "",
    ],
)
def test_what_is_no_line_of_the_table(line: str, reader: Reader) -> None:
    assert reader.read(line, SYMBOLS) is None


def test_where_a_symbol_lies_is_asked_anew(reader: Reader) -> None:
    for address in (0xF1000, 0xF2000):
        found = reader.read("set1 !_w.0", {"w": address})
        assert found is not None
        assert address in found.names.values()

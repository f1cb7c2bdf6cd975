"""Whether two instructions of a form mean the same."""

from __future__ import annotations

import pytest

from bitsel.target.expand import forms
from bitsel.target.facts import Target
from bitsel.verify.effect import same_effect
from bitsel.verify.instance import Instance


@pytest.mark.parametrize(
    ("mnemonic", "operands", "one", "other", "same"),
    [
        ("or", {"i"}, {"i": 255}, {"i": -1}, True),  # as 8 bits
        ("or", {"i"}, {"i": 255}, {"i": 254}, False),
        ("shl", {"n"}, {"n": 7}, {"n": 6}, False),
        # An address beyond 20 bits is the one without them; in a word form only the even ones can be compared.
        ("movw", {"d", "addr"}, {"d": "bc", "addr": 0xFFE20}, {"d": "bc", "addr": 0x1FFE20}, True),
        ("movw", {"d", "addr"}, {"d": "bc", "addr": 0xFFE20}, {"d": "bc", "addr": 0xFFE22}, False),
        ("movw", {"d", "addr"}, {"d": "bc", "addr": 0xFFE21}, {"d": "bc", "addr": 0xFFE21}, False),
    ],
)
def test_same_effect(
    rl78: Target,
    mnemonic: str,
    operands: set[str],
    one: dict[str, int | str],
    other: dict[str, int | str],
    same: bool,
) -> None:
    form = next(
        f for f in forms(rl78, rl78.devices["s3"]) if f.mnemonic == mnemonic and set(f.operands) == operands
    )
    assert same_effect(Instance(form, one), Instance(form, other), rl78) is same

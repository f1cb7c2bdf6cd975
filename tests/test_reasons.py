"""The catalogue of reasons: its names are part of the output, its order decides which one is reported."""

from __future__ import annotations

import json

import attrs
import pytest

from bitsel.reasons import Code, Reason


def test_names_in_the_order_they_are_asked():
    assert [code.value for code in Code] == [
        "nonconst-mask",
        "noop",
        "value-used",
        "control-flow",
        "addr-mismatch",
        "width-mismatch",
        "clobber-between",
        "flags-live",
        "reg-live",
        "volatile-width",
        "atomic",
        "not-bit-addressable",
        "hw-semantics",
        "addr-space",
        "addr-range",
        "nonconst-addr",
        "multi-bit",
        "no-form",
        "cost",
    ]


@pytest.mark.parametrize("code", list(Code), ids=str)
def test_every_code_is_its_name_and_has_a_sentence(code):
    assert code == code.value == str(code) == f"{code}"
    assert Code(code.value) is code
    assert json.dumps(code) == f'"{code.value}"'
    assert len(code.when.split()) >= 3


def test_sentences_differ():
    assert len({code.when for code in Code}) == len(Code)


def test_a_reason_is_a_value():
    reason = Reason(Code.NOOP, "%o always equals %v")
    assert reason == Reason(Code.NOOP, "%o always equals %v", None)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        reason.fix = "delete the update"

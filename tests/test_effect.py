"""The effect algebra against integer arithmetic: exhaustive where it is small, sampled where it is wide."""

from __future__ import annotations

import operator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitsel.effect import BitChange, Effect

BYTE = range(256)
ALL_2_BIT = [Effect(2, keep, flip) for keep, flip in product(range(4), repeat=2)]
WIDE = st.sampled_from([1, 7, 8, 16, 24, 32, 64, 128])


@st.composite
def effects(draw: st.DrawFn, count: int) -> tuple[int, list[Effect], int]:
    """A width, that many effects of it, and an old value."""
    width = draw(WIDE)
    value = st.integers(0, (1 << width) - 1)
    return width, [Effect(width, draw(value), draw(value)) for _ in range(count)], draw(value)


@pytest.mark.parametrize(
    ("make", "operation"),
    [(Effect.and_with, operator.and_), (Effect.or_with, operator.or_), (Effect.xor_with, operator.xor)],
)
def test_operation_with_a_constant_is_that_operation_on_every_byte(make, operation):
    for mask in BYTE:
        effect = make(8, mask)
        assert [effect(x) for x in BYTE] == [operation(x, mask) for x in BYTE]


def test_identity_and_constant():
    assert [Effect.identity(8)(x) for x in BYTE] == list(BYTE)
    assert {Effect.constant(8, 0x5A)(x) for x in BYTE} == {0x5A}


@pytest.mark.parametrize(
    ("make", "keep", "flip"),
    [
        (Effect.and_with, 0xEF, 0x00),
        (Effect.or_with, 0x10, 0xEF),
        (Effect.xor_with, 0xFF, 0xEF),
        (Effect.constant, 0x00, 0xEF),
    ],
)
@pytest.mark.parametrize("value", [0xEF, 0xEF - 256, 0xEF + 256])
def test_constants_are_taken_modulo_the_width(make, keep, flip, value):
    assert make(8, value) == Effect(8, keep, flip)


def test_every_8_bit_effect_says_of_every_bit_what_it_does():
    meaning = {(1, 0): None, (1, 1): "toggle", (0, 0): "clear", (0, 1): "set"}
    for keep, flip in product(BYTE, repeat=2):
        expected = []
        for bit in range(8):
            what = meaning[keep >> bit & 1, flip >> bit & 1]
            if what is not None:
                expected.append(BitChange(bit, what))
        effect = Effect(8, keep, flip)
        assert effect.changes == tuple(expected)
        assert effect.is_noop == (not expected)
        assert effect.is_single_bit == (len(expected) == 1)


def test_masks_name_the_bits_by_what_happens_to_them():
    effect = Effect(8, keep=0b11110000, flip=0b10101100)
    assert effect.set_mask == 0b00001100
    assert effect.clear_mask == 0b00000011
    assert effect.toggle_mask == 0b10100000
    assert effect.changed_mask == 0b10101111


@pytest.mark.parametrize(
    ("combine", "operation"),
    [(Effect.and_, operator.and_), (Effect.or_, operator.or_), (Effect.xor, operator.xor)],
)
def test_two_effects_on_one_old_value_combine_as_their_results_do(combine, operation):
    for left, right in product(ALL_2_BIT, repeat=2):
        both = combine(left, right)
        assert [both(x) for x in range(4)] == [operation(left(x), right(x)) for x in range(4)]
        assert 0 <= both.keep < 4
        assert 0 <= both.flip < 4


def test_then_applies_the_second_to_the_result_of_the_first():
    for first, second in product(ALL_2_BIT, repeat=2):
        assert [first.then(second)(x) for x in range(4)] == [second(first(x)) for x in range(4)]


@given(effects(3))
def test_then_is_associative_and_identity_is_neutral(case):
    width, (a, b, c), _ = case
    assert a.then(b).then(c) == a.then(b.then(c))
    assert a.then(Effect.identity(width)) == a == Effect.identity(width).then(a)


@given(effects(2))
def test_combinations_hold_at_any_width(case):
    _, (a, b), x = case
    assert a.and_(b)(x) == a(x) & b(x)
    assert a.or_(b)(x) == a(x) | b(x)
    assert a.xor(b)(x) == a(x) ^ b(x)
    assert a.then(b)(x) == b(a(x))


@given(effects(1))
def test_changes_rebuild_the_effect(case):
    _, (effect,), x = case
    expected = x
    for change in effect.changes:
        bit = 1 << change.bit
        expected = {"set": expected | bit, "clear": expected & ~bit, "toggle": expected ^ bit}[change.op]
    assert effect(x) == expected


def test_truncated_and_zero_extended():
    effect = Effect(16, keep=0xFF0F, flip=0x8001)
    assert effect.truncated(8) == Effect(8, 0x0F, 0x01)
    assert Effect(8, 0xF0, 0x81).zero_extended(16) == Effect(16, 0x00F0, 0x0081)


def test_zero_extended_bits_count_as_cleared():
    assert Effect.identity(8).zero_extended(10).changes == (BitChange(8, "clear"), BitChange(9, "clear"))


def test_byte_is_the_effect_on_that_byte():
    effect = Effect(24, keep=0x12FF56, flip=0xA00A0B)
    assert [effect.byte(i) for i in range(3)] == [
        Effect(8, 0x56, 0x0B),
        Effect(8, 0xFF, 0x0A),
        Effect(8, 0x12, 0xA0),
    ]


def test_effects_are_equal_by_what_they_do():
    assert Effect.or_with(8, 0x10) == Effect.and_with(8, 0xEF).then(Effect.xor_with(8, 0x10))
    assert Effect.or_with(8, 1) != Effect.or_with(16, 1)

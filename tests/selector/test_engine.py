"""What one engine says of cells that share a shape: each gets its own numbers, and nothing is found twice."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsel
import bitsel.selector.judge as judge_module
from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.plugins import Plugins, find_device
from bitsel.reasons import Code
from bitsel.selector import Engine
from bitsel.selector.search import SearchTooLarge


@pytest.fixture
def engine() -> Engine:
    target = Plugins().target("rl78")
    return Engine(target, find_device(target, "r7f100g"), cache=None)


def update(effect: Effect, address: Address, align: int = 1) -> Idiom:
    return Idiom(effect=effect, access=Access(effect.width, align=align), address=address)


def absolute(value: int) -> Address:
    return Address("absolute", None, value)


def chosen(engine: Engine, idiom: Idiom) -> tuple[str, ...] | None:
    found = engine.select(idiom).chosen
    return found.asm if found is not None else None


def baseline(engine: Engine, idiom: Idiom) -> tuple[str, ...]:
    found = engine.select(idiom).baseline
    assert found is not None
    return found.asm


def test_a_mask_that_equals_the_address_is_not_taken_for_it(engine: Engine) -> None:
    # 0xf440 as a mask sets bit 6 of the low byte and 0xf4 in the high one.
    effect = Effect.or_with(16, 0xF440)
    expected = ["movw ax, [hl]", "or a, #244", "movw [hl], ax", "set1 [hl].6"]
    for address, written in ((0xF440, "0xf440"), (0xF43E, "0xf43e"), (0xF442, "0xf442")):
        found = chosen(engine, update(effect, absolute(address), align=2))
        assert found == (f"movw hl, #{written}", *expected)


def test_a_mask_that_equals_the_offset_is_not_taken_for_it(engine: Engine) -> None:
    effect = Effect.or_with(8, 26)
    for offset in (26, 28, 30, 24):
        found = baseline(engine, update(effect, Address("pointer", "%p", offset)))
        assert found == ("movw hl, ax", f"mov a, [hl+{offset}]", "or a, #26", f"mov [hl+{offset}], a")


@pytest.mark.parametrize(
    ("width", "mask", "align", "offsets"), [(32, 0x00400000, 2, (2, 6, 4)), (16, 0x0001, 1, (1, 3, 5))]
)
def test_what_a_symbol_is_the_offset_of_is_no_number_of_an_instruction(
    engine: Engine, width: int, mask: int, align: int, offsets: tuple[int, ...]
) -> None:
    target = Plugins().target("rl78")
    for offset in offsets:
        idiom = update(Effect.or_with(width, mask), Address("symbol", "g", offset), align=align)
        alone = Engine(target, find_device(target, "r7f100g"), cache=None)
        assert baseline(engine, idiom) == baseline(alone, idiom)
        assert engine.select(idiom) == alone.select(idiom)


def test_a_bit_that_was_set_may_be_complemented_together_with_another(engine: Engine) -> None:
    # Bit 0 becomes 1, bit 1 becomes 0, bit 2 is complemented: set both, then complement bits 1 and 2.
    found = baseline(engine, update(Effect(8, 0xFC, 0x05), Address("symbol", "v", 0)))
    assert found == ("movw hl, #_v", "mov a, [hl]", "or a, #3", "xor a, #6", "mov [hl], a")


def test_one_bit_beyond_a_pointer_gets_its_own_offset_and_bit(engine: Engine) -> None:
    for offset in (26, 28, 250):
        for bit in (1, 3, 4):
            found = chosen(engine, update(Effect.or_with(8, 1 << bit), Address("pointer", "%p", offset)))
            assert found == (f"addw ax, #{offset}", "movw hl, ax", f"set1 [hl].{bit}")


def test_before_a_pointer_too(engine: Engine) -> None:
    for offset in (-300, -3, -32768):
        found = chosen(engine, update(Effect.or_with(8, 4), Address("pointer", "%p", offset)))
        assert found == (f"addw ax, #{offset}", "movw hl, ax", "set1 [hl].2")


def test_offsets_of_one_class_are_solved_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.select(update(Effect.or_with(8, 2), Address("pointer", "%p", 26)))

    def solved(*_: object, **__: object) -> None:
        raise AssertionError("was solved before")

    monkeypatch.setattr(engine.judge, "verdict", solved)
    engine.select(update(Effect.or_with(8, 2), Address("pointer", "%p", 28)))
    engine.select(update(Effect.or_with(8, 64), Address("pointer", "%q", 30)))


def test_a_search_that_grew_too_large_is_not_begun_again(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    def solve(self: object, question: str, below: object = None) -> None:
        begun.append(question)
        raise SearchTooLarge

    monkeypatch.setattr(judge_module.Solver, "solve", solve)
    for bit in (1, 2):
        reason = engine.select(update(Effect.or_with(8, bit), Address("symbol", "x", 0))).reason
        assert reason is not None
        assert reason.code is Code.COST
    assert begun == ["baseline"]


def test_what_grew_too_large_is_kept_for_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = Plugins().target("rl78")
    device = find_device(target, "r7f100g")
    idiom = update(Effect.or_with(8, 1), Address("symbol", "x", 0))
    solve = judge_module.Solver.solve

    def too_large(self: object, question: str, below: object = None) -> None:
        raise SearchTooLarge

    monkeypatch.setattr(judge_module.Solver, "solve", too_large)
    first = Engine(target, device, cache=tmp_path)
    first.select(idiom)
    first.close()
    monkeypatch.setattr(judge_module.Solver, "solve", solve)
    reason = Engine(target, device, cache=tmp_path).select(idiom).reason
    assert reason is not None
    assert reason.code is Code.COST


def test_the_door_shows_the_right_address_too() -> None:
    text = "".join(
        f"""\
define void @f{address}() {{
  %1 = load i16, ptr inttoptr (i16 {address} to ptr), align 2
  %2 = or i16 %1, -3008
  store i16 %2, ptr inttoptr (i16 {address} to ptr), align 2
  ret void
}}
"""
        for address in (-3008, -3010)
    )
    first, second = bitsel.select(text, target="rl78:r7f100g").sites
    assert first.selection.chosen is not None
    assert second.selection.chosen is not None
    assert first.selection.chosen.asm[0] == "movw hl, #0xf440"
    assert second.selection.chosen.asm[0] == "movw hl, #0xf43e"

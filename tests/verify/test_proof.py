"""Level ``proof``: right sequences are proved, and each kind of wrong one is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

import bitsel_rl78
from bitsel.effect import Effect
from bitsel.ir import Access, Address, Ordering
from bitsel.match import Idiom
from bitsel.selector import Engine, Selection, Sequence
from bitsel.target.expand import forms
from bitsel.target.facts import Device, Target
from bitsel.target.load import load_target
from bitsel.verify import cells, proof
from bitsel.verify.cells import Real, Spot
from bitsel.verify.proof import MISSING, what_is_wrong
from bitsel.verify.readback import Reader

AT = 0xF1234


@pytest.fixture(scope="module")
def rl78() -> Target:
    return load_target(Path(bitsel_rl78.__file__).parent)


@pytest.fixture(scope="module")
def device(rl78: Target) -> Device:
    return rl78.devices["r7f100g"]


@pytest.fixture(scope="module")
def reader(rl78: Target, device: Device) -> Reader:
    return Reader(rl78, forms(rl78, device))


def problem(
    rl78: Target,
    reader: Reader,
    asm: tuple[str, ...],
    clobbers: tuple[str, ...] = (),
    *,
    effect: Effect | None = None,
    volatile: bool = False,
    ordering: Ordering | None = None,
    interruptible: bool | None = None,
    at: int = AT,
    size: int | None = None,
    registers: dict[str, int] | None = None,
) -> str | None:
    """What is wrong with `asm` as the update of w, which lies at `at`: by default it is to set bit 2 of a byte."""
    effect = effect or Effect.or_with(8, 4)
    idiom = Idiom(effect, Access(effect.width, volatile, ordering), Address("symbol", "w", 0))
    instructions = [reader.read(line, {"w": at}) for line in asm]
    read = [instruction for instruction in instructions if instruction is not None]
    assert len(read) == len(asm)
    total = sum(instruction.form.bytes for instruction in read)
    torn = len(asm) > 1 if interruptible is None else interruptible
    sequence = Sequence(asm, size or total, 1, torn, clobbers)
    return what_is_wrong(rl78, Real(at, {"w": at}, registers or {}), idiom, sequence, read)


@pytest.mark.parametrize(
    ("asm", "clobbers"),
    [
        (("set1 !_w.2",), ()),
        (("mov a, !_w", "or a, #4", "mov !_w, a"), ("a", "z")),
        (("movw hl, #_w", "mov a, [hl]", "set1 a.2", "mov [hl], a"), ("a", "h", "l")),
        (("clr1 cy", "mov a, !_w", "and a, #251", "xor a, #4", "mov !_w, a"), ("a", "cy", "z")),
        (("mov es, #15", "set1 es:!_w.2"), ("es",)),
    ],
)
def test_a_right_sequence_is_proved(
    asm: tuple[str, ...], clobbers: tuple[str, ...], rl78: Target, reader: Reader
) -> None:
    at_once = not any(line.startswith("mov a") for line in asm)
    assert problem(rl78, reader, asm, clobbers, interruptible=not at_once) is None


@pytest.mark.parametrize(
    ("asm", "clobbers", "said"),
    [
        (("set1 !_w.3",), (), "byte 0 is not what"),  # another bit
        (("clr1 !_w.2",), (), "byte 0 is not what"),  # another operation
        (("mov a, !_w", "or a, x", "mov !_w, a"), ("a", "z"), "byte 0 is not what"),  # depends on a register
        (("mov1 !_w.2, cy",), (), None),  # no such form: see below
        (("mov a, !_w", "or a, #4", "mov !_w, a"), ("a",), "z changes, and is not among"),
        (("movw hl, #_w", "set1 [hl].2"), ("h",), "l changes"),
        (("set1 !_w.2",), ("a",), "a is said to change, and is not written"),
        (("set1 !_w+1.2",), (), "outside the update's"),
        (("movw ax, !_w", "or a, #4", "movw !_w, ax"), ("a", "x", "z"), "outside the update's"),
        (("set1 [hl].2",), (), "of an address that is not known"),
    ],
)
def test_a_wrong_sequence_is_noticed(
    asm: tuple[str, ...], clobbers: tuple[str, ...], said: str | None, rl78: Target, reader: Reader
) -> None:
    if said is None:
        assert reader.read(asm[0], {"w": AT}) is None
    else:
        assert said in (problem(rl78, reader, asm, clobbers, interruptible=len(asm) > 2) or "")


def test_accesses_of_a_volatile_update_are_counted(rl78: Target, reader: Reader) -> None:
    twice = ("set1 !_w.2", "set1 !_w.2")
    assert problem(rl78, reader, twice, interruptible=True) is None
    said = problem(rl78, reader, twice, interruptible=True, volatile=True)
    assert said == "not one read and one write of all of it"
    narrow = problem(rl78, reader, ("set1 !_w.2",), effect=Effect.or_with(16, 4), volatile=True)
    assert narrow == said


def test_an_ordered_update_is_one_instruction(rl78: Target, reader: Reader) -> None:
    asm = ("mov a, !_w", "or a, #4", "mov !_w, a")
    said = problem(rl78, reader, asm, ("a", "z"), ordering="monotonic")
    assert said == "not one instruction that reads and writes all of it"
    assert problem(rl78, reader, ("set1 !_w.2",), ordering="monotonic") is None


def test_what_is_said_of_a_sequence_is_held_against_it(rl78: Target, reader: Reader) -> None:
    assert problem(rl78, reader, ("set1 !_w.2",), interruptible=True) == "an interrupt cannot fall inside"
    asm = ("mov a, !_w", "or a, #4", "mov !_w, a")
    assert problem(rl78, reader, asm, ("a", "z"), interruptible=False) == "an interrupt can fall inside"
    assert problem(rl78, reader, ("set1 !_w.2",), size=3) == "4 bytes, not 3"


def test_a_word_at_an_odd_address_is_noticed(rl78: Target, reader: Reader) -> None:
    asm = ("movw ax, !_w", "set1 a.2", "movw !_w, ax")
    effect = Effect.or_with(16, 0x400)
    assert problem(rl78, reader, asm, ("a", "x"), effect=effect) is None
    said = problem(rl78, reader, asm, ("a", "x"), effect=effect, at=AT + 1)
    assert said == "a read of 16 bits at 0xf1235, which is not a multiple of 2"


def test_a_wide_update_is_proved_for_all_values(rl78: Target, reader: Reader) -> None:
    """That z and a flag take part in nothing, that bytes do not change places: nothing but a proof can tell."""
    effect = Effect.or_with(32, 1 << 22)
    assert problem(rl78, reader, ("set1 !_w+2.6",), effect=effect) is None
    assert problem(rl78, reader, ("set1 !_w+2.5",), effect=effect) == "byte 2 is not what the update makes of it"
    swapped = ("movw ax, !_w", "xch a, x", "movw !_w, ax", "set1 !_w+2.6")
    assert problem(rl78, reader, swapped, ("a", "x"), effect=effect) == "byte 0 is not what the update makes of it"


def test_flags_that_are_memory_change_with_it(rl78: Target, reader: Reader) -> None:
    """In PSW bit 6 is Z: a byte operation on it may not set Z by its result."""
    psw = 0xFFFFA
    assert problem(rl78, reader, ("set1 psw.2",), at=psw) is None
    assert problem(rl78, reader, ("set1 psw.3",), at=psw) == "byte 0 is not what the update makes of it"
    through_a = ("mov a, psw", "or a, #4", "mov psw, a")
    assert problem(rl78, reader, through_a, ("a",), at=psw) is None
    z_lost = ("mov a, psw", "mov psw, #4", "or a, #4", "mov psw, a", "xor a, #0")
    assert "byte 0" in (problem(rl78, reader, z_lost, ("a",), at=psw) or "")


# --- the places and updates ---------------------------------------------------------------------------------------


def test_every_range_and_kind_of_address_has_a_place(rl78: Target, device: Device) -> None:
    texts = {spot.text for spot in cells.spots(rl78, device, 1)}
    # Ends of saddr, sfr and abs16; PSW; far memory; each other kind of address.
    expected = ("0xffe1f", "0xffe20", "0xfff00", "0xfff1f", "0xfff20", "0xffff9", "0xffffa", "0xffffb", "0xfffff")
    assert texts >= {*expected, "0xf0000", "0xeffff in space 2"}
    assert texts >= {"symbol", "symbol in space 2", "pointer", "pointer-2", "pointer+256", "stack", "stack+250"}


def test_a_place_is_tried_where_its_address_carries(rl78: Target, device: Device) -> None:
    [symbol] = (spot for spot in cells.spots(rl78, device, 2) if spot.text == "symbol in space 2")
    assert any(real.address >> 16 != real.address + 2 >> 16 for real in symbol.reals)
    [pointer] = (spot for spot in cells.spots(rl78, device, 1) if spot.text == "pointer+2")
    assert any((real.address - 2) >> 8 != real.address >> 8 for real in pointer.reals)
    for real in pointer.reals:
        assert 0xF0000 + (real.registers["a"] << 8 | real.registers["x"]) + 2 == real.address


def test_the_effects_are_what_they_are_said_to_be() -> None:
    bytes_ = list(cells.byte_effects())
    assert len(bytes_) == len(set(bytes_)) == 3 * 255 + 254
    assert {effect for effect in bytes_ if effect.is_single_bit} == set(cells.single_bits(8))
    assert len(set(cells.single_bits(32))) == 96
    assert all(effect.set_mask and effect.clear_mask for effect in list(cells.mixed_effects())[-2:])


# --- the level --------------------------------------------------------------------------------------------------


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bit of a byte and one of a word, set at two kinds of place: the level as it is takes minutes."""
    every = cells.updates
    wanted = (Effect.or_with(8, 1 << 3), Effect.or_with(16, 1 << 12))

    def few(target: Target, device: Device) -> Iterator[tuple[Spot, Idiom]]:
        for spot, idiom in every(target, device):
            if spot.text in ("symbol", "0xffe20") and idiom.effect in wanted:
                yield spot, idiom

    monkeypatch.setattr(proof, "updates", few)


@pytest.mark.usefixtures("_few")
def test_each_form_says_in_how_many_sequences_it_was_proved(rl78: Target, device: Device) -> None:
    results = {result.row: result for result in proof.check(rl78, device)}
    assert len(results) == len(forms(rl78, device))
    assert {result.outcome for result in results.values()} == {"ok", "skipped"}
    assert results["set1 !<addr:abs16>.<bit>"].outcome == "ok"
    assert results["set1 !<addr:abs16>.<bit>"].detail.startswith("in ")
    assert results["set1 <addr:saddr>.<bit>"].outcome == "ok"
    assert results["sknh"].detail == "in no sequence"


@pytest.mark.usefixtures("_few")
def test_without_z3_bytes_are_proved_and_the_rest_is_said_to_be_skipped(
    rl78: Target, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "find_spec", lambda name: None)
    *rows, last = proof.check(rl78, device)
    assert any(row.outcome == "ok" for row in rows)
    assert (last.outcome, last.row, last.detail) == ("skipped", "updates wider than a byte", MISSING)
    assert "pip install 'bitsel[prove]'" in MISSING


def test_for_a_big_endian_target_there_is_nothing_to_prove(rl78: Target, device: Device) -> None:
    [only] = proof.check(evolve(rl78, endian="big"), device)
    assert (only.outcome, only.detail) == ("skipped", "only little-endian targets are selected for")


@pytest.mark.usefixtures("_few")
def test_what_is_selected_wrongly_fails_with_the_update_and_the_reason(
    rl78: Target, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Engine.select

    def wrong(engine: Engine, idiom: Idiom) -> Selection:
        selection = right(engine, idiom)
        chosen = selection.chosen
        if chosen is not None and chosen.asm == ("set1 !_w.3",):
            return evolve(selection, chosen=evolve(chosen, asm=("set1 !_w.4",)))
        return selection

    monkeypatch.setattr(Engine, "select", wrong)
    [failed] = (result for result in proof.check(rl78, device) if result.outcome == "failed")
    assert failed.row == "set1 !<addr:abs16>.<bit>"
    assert failed.detail.startswith("set 3 of i8 at symbol (0xf")
    assert failed.detail.endswith("set1 !_w.4: byte 0 is not what the update makes of it")


@pytest.mark.usefixtures("_few")
def test_a_line_that_no_form_is_written_like_fails(
    rl78: Target, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Engine.select

    def odd(engine: Engine, idiom: Idiom) -> Selection:
        selection = right(engine, idiom)
        chosen = selection.chosen
        return evolve(selection, chosen=evolve(chosen, asm=("set1 !_w.8",))) if chosen is not None else selection

    monkeypatch.setattr(Engine, "select", odd)
    failed = {result.row: result.detail for result in proof.check(rl78, device) if result.outcome == "failed"}
    assert failed["set1 !_w.8"].startswith("no form of the table is written so")

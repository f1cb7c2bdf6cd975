"""What one instruction does to the bytes of the cell that it touches."""

from __future__ import annotations

from typing import Literal, NamedTuple

from attrs import evolve

from bitsel.selector.chains import CELL, DONE, Step, steps
from bitsel.selector.ground import Ground, walk
from bitsel.selector.lanes import Lane, Old, bits_of
from bitsel.selector.step import Stepper
from bitsel.target.expr import Mem, Name


class FlagBit(NamedTuple):
    """A change of one bit to what the flag at `place` holds."""

    bit: int
    place: int


Change = Literal["fed", "flat", "swap"] | tuple[int, int] | FlagBit
"""How an update changes its byte: a bit and what it becomes (0, 1, or -1 complemented), a bit that comes from a
flag, or see `Table`."""


class Reach(NamedTuple):
    """What an instruction does where it touches `size` bytes of the cell: how it changes them, and per byte how one
    can go."""

    size: int
    change: Change
    steps: list[set[Step]]

    @classmethod
    def of(cls, ground: Ground, stepper: Stepper) -> Reach:
        size = sum(mem.width or 8 for mem in ground.uses.mems) // 8
        change = _change(ground, stepper)
        ways = [steps(ground, stepper.layout, byte) for byte in range(size)]
        if ground.update and change != "swap":  # it ends no chain, but what it leaves in the cell may be loaded
            ways = [{evolve(s, target=CELL) if s.target == DONE else s for s in way} for way in ways]
        return cls(size, change, ways)


def _change(ground: Ground, stepper: Stepper) -> Change:
    """What kind of update an instruction is (of no account for one that is none)."""
    if not ground.update:
        return "flat"
    addresses = {e.id for mem in ground.uses.mems for e in walk(mem.address) if isinstance(e, Name)}
    data = ground.uses.reads - addresses
    stored = [v for s in ground.form.does for t, v in zip(s.targets, s.values, strict=True) if isinstance(t, Mem)]
    if all(isinstance(value, Name) and value.id in data for value in stored):
        return "swap"
    byte_wide = len(ground.uses.mems) == 1 and ground.uses.mems[0].width == 8
    if data:
        return (_flag_bit(ground, stepper, data) if byte_wide else None) or "fed"
    if ground.form.bit and byte_wide:
        for offset in range(stepper.footprint.size):
            after = stepper.update_of(ground, offset, (Old(offset, 0xFF, 0),))
            if after is not None:
                return _bit_change(offset, after[0])
    return "flat"


def _bit_change(byte: int, lane: Lane) -> Change:
    """The one bit of the old byte that `lane` changes, and what to."""
    for bit, (code, kept) in enumerate(zip(bits_of(lane), bits_of(Old(byte, 0xFF, 0)), strict=True)):
        if code != kept:
            return (bit, code if code < 2 else -1)
    return "flat"


def _flag_bit(ground: Ground, stepper: Stepper, data: frozenset[str]) -> FlagBit | None:
    """The one bit that an update fills from the only flag it reads, and changes no register by."""
    layout = stepper.layout
    name = str(ground.env.get(min(data), min(data)))
    if len(data) != 1 or layout.target.registers[name].width != 1 or ground.writes:
        return None
    (place,) = layout.places[name]
    for offset in range(stepper.footprint.size):
        made = []
        for value in (0, 1):
            lanes = list(layout.blank())
            lanes[place] = value
            made.append(stepper.update_of(ground, offset, (Old(offset, 0xFF, 0),), tuple(lanes)))
        zero, one = made
        if zero is None or one is None:
            continue
        kept = bits_of(Old(offset, 0xFF, 0))
        changed = [bit for bit in range(8) if bits_of(zero[0])[bit] != bits_of(one[0])[bit]]
        others = all(
            bits_of(lane)[bit] == kept[bit] for lane in (zero[0], one[0]) for bit in range(8) if bit not in changed
        )
        if len(changed) == 1 and others and (bits_of(zero[0])[changed[0]], bits_of(one[0])[changed[0]]) == (0, 1):
            return FlagBit(changed[0], place)
        return None
    return None

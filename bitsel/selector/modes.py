"""Addressing modes through registers, shared by all instructions that use the same: which byte of the cell a mode
names, given what the registers hold."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import product
from operator import itemgetter
from typing import Any

from bitsel.selector.ground import Ground, walk
from bitsel.selector.lanes import Addr, Value, Vec
from bitsel.selector.step import Lanes, Stepper
from bitsel.target.expr import Name


class Mode:
    """One way to name a byte of the cell.

    `supply`: which piece (byte) of the address each lane of its registers has to hold; None where no filling of the
    registers makes it name the cell. `needs`: these pieces.
    """

    __slots__ = ("_ground", "_memo", "_pick", "_stepper", "needs", "supply")

    def __init__(self, ground: Ground, stepper: Stepper) -> None:
        self._ground = ground
        self._stepper = stepper
        names = {ground.env.get(name, name) for name in _names(ground)}
        registers = sorted(name for name in names if isinstance(name, str))
        places = [p for name in registers for p in stepper.layout.places.get(name, ())]
        self._pick: Any = itemgetter(*places) if places else (lambda registers: ())
        self._memo: dict[Any, int | None] = {}
        self.supply = _supply(ground, registers, stepper)
        self.needs = frozenset(self.supply.values()) if self.supply is not None else frozenset()

    def byte(self, registers: Lanes) -> int | None:
        """The byte it names, None where that is not known to be one of the cell's."""
        key = self._pick(registers)
        try:
            return self._memo[key]
        except KeyError:
            found = self._memo[key] = self._stepper.offset(self._ground, registers)
            return found


def _supply(ground: Ground, registers: list[str], stepper: Stepper) -> dict[int, int] | None:
    """The filling of the mode's registers, each with adjoining pieces of an address or what all addresses share
    there, with which it names a byte relative to the cell."""
    shape = stepper.domain.shape
    layout = stepper.layout
    # Pieces in numbers of the instruction are of the address of one byte; those in registers must be of the same.
    vectors = [value for value in ground.env.values() if isinstance(value, Vec)]
    offset = next((lane.offset for v in vectors for lane in v.lanes if isinstance(lane, Addr)), 0)
    for firsts in product(range(shape.size), repeat=len(registers)):
        lanes = list(layout.blank())
        supply = {}
        for name, first in zip(registers, firsts, strict=True):
            for piece, place in enumerate(layout.places.get(name, ()), first):
                lanes[place] = shape.lane(offset, piece)
                if isinstance(lanes[place], Addr):
                    supply[place] = piece
        if stepper.relative(ground, tuple(lanes)) is not None:
            return supply
    return None


def _names(ground: Ground) -> set[str]:
    return {e.id for e in walk(ground.uses.mems[0].address) if isinstance(e, Name)}


def mode_key(ground: Ground) -> Hashable:
    """What tells one addressing mode from another."""
    bound = {(name, ground.env[name]) for name in _names(ground) if name in ground.env}
    return (ground.uses.mems[0].address, frozenset(bound))


def address_pieces(value: str | Value) -> set[int]:
    """Which bytes of the cell's address a value holds."""
    return {lane.place for lane in value.lanes if isinstance(lane, Addr)} if isinstance(value, Vec) else set()

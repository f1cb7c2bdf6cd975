"""What the registers hold that matters to the bound."""

from __future__ import annotations

from typing import NamedTuple

from bitsel.selector.lanes import UNKNOWN, Addr, Bits, Lane, Old
from bitsel.selector.step import Lanes


class Held(NamedTuple):
    """`lanes`: per byte of the cell, the places that hold something of its old value, and what. `constants`: those
    in registers. `feed`: whether a register that updates take data from holds any.
    """

    lanes: tuple[tuple[tuple[int, Lane], ...], ...]
    constants: frozenset[int] = frozenset()
    feed: bool = False

    @classmethod
    def of(cls, registers: Lanes, size: int, taken: frozenset[int], *, coarse: bool) -> Held:
        """`taken`: the places that updates take data from. `coarse`: which constants are held is of no account."""
        found: list[list[tuple[int, Lane]]] = [[] for _ in range(size)]
        constants = set()
        feed = False
        for place, lane in enumerate(registers):
            if lane == UNKNOWN or isinstance(lane, Addr):
                continue
            feed = feed or place in taken
            if isinstance(lane, Old):
                found[lane.byte].append((place, lane))
            elif isinstance(lane, int):
                constants.add(lane)
            elif isinstance(lane, Bits):
                for byte in {(code - 2) // 16 for code in lane.bits if code >= 2}:
                    found[byte].append((place, lane))
        if coarse and constants:
            constants = {0}
        return cls(tuple(map(tuple, found)), frozenset(constants), feed)

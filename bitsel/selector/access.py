"""Access disciplines: which memory accesses a sequence may still make, as a small state beside the search's.

>>> once = Once(width=8)
>>> seen = once.next(once.start, loads=((0, 8),), stores=())      # the one read
>>> once.next(seen, loads=((0, 8),), stores=()) is None          # a second read is no path
True
"""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

Accesses = tuple[tuple[int, int], ...]


class Discipline(Protocol):
    """`start` is the state before the first instruction; `next` the state after one that makes these accesses
    (byte offset, width in bits), or None where it may not; `done` whether nothing is missing. `spots` are all
    accesses that may ever be made; None: any. `finished` is how many bytes, from the first, are done with."""

    @property
    def start(self) -> int: ...
    @property
    def spots(self) -> frozenset[tuple[int, int]] | None: ...
    def next(self, state: int, loads: Accesses, stores: Accesses) -> int | None: ...
    def done(self, state: int) -> bool: ...
    def finished(self, state: int) -> int: ...


@frozen
class Free:
    """Any accesses."""

    start: int = 0
    spots: None = None

    def next(self, state: int, loads: Accesses, stores: Accesses) -> int | None:
        return 0

    def done(self, state: int) -> bool:
        return True

    def finished(self, state: int) -> int:
        return 0


@frozen
class Once:
    """Exactly one read and one write, each of the whole cell. State: 1 read made, 2 write made."""

    width: int
    start: int = 0

    @property
    def spots(self) -> frozenset[tuple[int, int]]:
        return frozenset({(0, self.width)})

    def next(self, state: int, loads: Accesses, stores: Accesses) -> int | None:
        for bit, accesses in ((1, loads), (2, stores)):
            for access in accesses:
                if state & bit or access != (0, self.width):
                    return None
                state |= bit
        return state

    def done(self, state: int) -> bool:
        return state == 3

    def finished(self, state: int) -> int:
        return 0


@frozen
class Single:
    """Exactly one instruction touches memory, and it reads and writes the whole cell (`width` bits), or, with
    `width` None, any part of it. State: 1 made."""

    width: int | None
    start: int = 0

    @property
    def spots(self) -> frozenset[tuple[int, int]] | None:
        return frozenset({(0, self.width)}) if self.width is not None else None

    def next(self, state: int, loads: Accesses, stores: Accesses) -> int | None:
        if not loads and not stores:
            return state
        if state or len(loads) != 1 or len(stores) != 1 or loads != stores:
            return None
        if self.width is not None and loads[0] != (0, self.width):
            return None
        return 1

    def done(self, state: int) -> bool:
        return state == 1

    def finished(self, state: int) -> int:
        return 0


@frozen
class Units:
    """The baseline's: each unit (byte offset, width) in turn is read once, then written once.

    State: twice the unit's index, plus 1 once it was read. Instructions that do both are no part of a baseline.
    What the registers still hold of a finished unit's data is dropped: addresses and constants are carried over.
    """

    units: Accesses
    start: int = 0

    @property
    def spots(self) -> frozenset[tuple[int, int]]:
        return frozenset(self.units)

    def next(self, state: int, loads: Accesses, stores: Accesses) -> int | None:
        if not loads and not stores:
            return state
        if len(loads) + len(stores) != 1 or self.done(state):
            return None
        unit, was_read = divmod(state, 2)
        if (stores if was_read else loads) != (self.units[unit],):
            return None
        return state + 1

    def done(self, state: int) -> bool:
        return state == 2 * len(self.units)

    def finished(self, state: int) -> int:
        return sum(width for _, width in self.units[: state // 2]) // 8

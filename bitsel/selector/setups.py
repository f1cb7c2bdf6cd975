"""The least cost of bringing what an addressing mode needs into its registers.

A *requirement* is what registers have to hold for a mode to name one byte of the cell: lanes of an address that
lies some way from the cell's (the mode's displacement makes up for the rest). Each lane is followed alone, from
wherever something like it is held: through moves, and through sums that shift the address by a constant, up to the
lane that is required.

An instruction is charged to each place that it writes with its share, so the costs of the lanes of one
requirement add up, and so do they and those of the data chains (`chains`): no place holds two things at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Literal, Union

from bitsel.selector.costs import NEVER, NOTHING, Pair
from bitsel.selector.instruction import Instruction
from bitsel.selector.lanes import UNKNOWN, Addr, Lane
from bitsel.selector.modes import AnyOffset, Requirement, Wanted
from bitsel.selector.recipes import Mask
from bitsel.selector.step import Lanes
from bitsel.selector.writers import Writer

FARTHEST = 8 * 12
"""What lies further than this, in eighths, is taken to lie at this distance."""

_Measure = Literal[0, 1]
_Node = tuple[int, Union[int, None]]
"""A place, and what is there: a number, or how far an address lies from the wanted one, None for any."""
_Sources = Callable[[_Node], Iterator[tuple[Union[_Node, None], int]]]
"""Where what is wanted of a node may come from when its place is written, and the cost; None: from nothing."""


class Setups:
    """The costs of requirements, by what registers hold."""

    def __init__(self, instructions: Iterable[Instruction]) -> None:
        self._writers: dict[int, dict[Writer, Pair]] = {}
        self._writing: dict[int, Pair] = {}
        for instruction in instructions:
            masks = any(isinstance(recipe, Mask) for recipe in instruction.ground.recipes.values())
            for place, writer, cost in instruction.writers:
                self._writing[place] = self._writing.get(place, NEVER).least(cost)
                # A number that serves as a mask too is charged with the data.
                price = NOTHING if masks and isinstance(writer.known, int) else cost
                writers = self._writers.setdefault(place, {})
                writers[writer] = writers.get(writer, NEVER).least(price)
        every = [writer for writers in self._writers.values() for writer in writers]
        given = {writer.known.place for writer in every if isinstance(writer.known, Addr)}
        self._obtainable = given.union(*(writer.sums for writer in every))
        self._distances: dict[Hashable, _Distances] = {}
        self._addresses: dict[tuple[int, Wanted, tuple[tuple[int, int], ...]], Pair] = {}
        self._ways: dict[tuple[_Measure, int, int], tuple[tuple[int, int | None, int], ...]] = {}

    def cost(self, requirement: Requirement, registers: Lanes) -> Pair:
        """The least cost of filling the registers so, where the mode does not name its byte yet."""
        lanes, loose = requirement
        numbers: dict[int, Pair] = {}
        total = NOTHING
        for place, wanted in lanes:
            if _is(registers[place], wanted):
                continue
            if isinstance(wanted, int):
                # Two places that need the same number may be served by the same one.
                numbers[wanted] = numbers.get(wanted, NOTHING).most(self._number(place, wanted, registers))
            else:
                total = total.plus(self._address(place, wanted, registers))
        for cost in (*numbers.values(), *(self._write(p) for p in loose if not isinstance(registers[p], int))):
            total = total.plus(cost)
        if loose and total == NOTHING:  # with another number there, or another address, the mode names its byte
            least = NEVER
            for place in (*loose, *(place for place, _ in lanes)):
                least = least.least(self._write(place))
            return least
        return total

    def _write(self, place: int) -> Pair:
        return self._writing.get(place, NEVER)

    def _number(self, place: int, wanted: int, registers: Lanes) -> Pair:
        """The least cost of bringing a number to a place."""
        targets: dict[_Node | None, int] = {None: 0}
        targets |= {(held, lane): 0 for held, lane in enumerate(registers) if isinstance(lane, int)}
        found = []
        measures: tuple[_Measure, ...] = (0, 1)
        for measure in measures:
            key = (place, wanted, measure, "number")
            if key not in self._distances:
                self._distances[key] = _Distances((place, wanted), partial(self._number_sources, measure))
            found.append(self._distances[key].least(targets))
        return Pair(*found)

    def _number_sources(self, measure: _Measure, node: _Node) -> Iterator[tuple[_Node | None, int]]:
        place, wanted = node
        assert wanted is not None
        for writer, cost in self._writers.get(place, {}).items():
            known, moves, _, shifts, low, opaque, _ = writer
            price = cost[measure]
            if known != UNKNOWN:
                if known == wanted:
                    yield None, price
            elif moves is not None:
                yield (moves, wanted), price
            elif low is not None and shifts is not None:
                for shift in shifts:
                    yield (low, (wanted - shift) & 255), price
            elif opaque:
                yield None, price

    def _address(self, place: int, wanted: Addr | AnyOffset, registers: Lanes) -> Pair:
        """The least cost of bringing a byte of an address to a place."""
        piece = wanted.place if isinstance(wanted, Addr) else wanted.piece
        held = tuple(
            [(p, lane.offset) for p, lane in enumerate(registers) if isinstance(lane, Addr) and lane.place == piece]
        )
        if not held and piece not in self._obtainable:
            return NEVER
        key = (place, wanted, held)
        found = self._addresses.get(key)
        if found is None:
            found = self._addresses[key] = self._cost_of_address(place, piece, wanted, held)
        return found

    def _cost_of_address(
        self, place: int, piece: int, wanted: Addr | AnyOffset, held: tuple[tuple[int, int], ...]
    ) -> Pair:
        start = 0 if isinstance(wanted, Addr) else None
        found = []
        measures: tuple[_Measure, ...] = (0, 1)
        for measure in measures:
            key = (place, start, measure, piece)
            if key not in self._distances:
                self._distances[key] = _Distances((place, start), partial(self._address_sources, measure, piece))
            targets: dict[_Node | None, int] = {None: 0}
            for where, offset, more in (*((p, o, 0) for p, o in held), *self._given(piece, measure)):
                nodes: list[_Node] = [(where, None)]
                if isinstance(wanted, Addr):
                    nodes.append((where, wanted.offset - offset))
                for node in nodes:
                    targets[node] = min(more, targets.get(node, more))
            found.append(self._distances[key].least(targets))
        return Pair(*found)

    def _given(self, piece: int, measure: _Measure) -> list[tuple[int, int, int]]:
        """The addresses of which instructions write this byte by themselves: place, offset and cost."""
        return [
            (place, writer.known.offset, cost[measure])
            for place, writers in self._writers.items()
            for writer, cost in writers.items()
            if isinstance(writer.known, Addr) and writer.known.place == piece
        ]

    def _address_sources(self, measure: _Measure, piece: int, node: _Node) -> Iterator[tuple[_Node | None, int]]:
        place, distance = node
        for source, shift, price in self._address_ways(measure, piece, place):
            if source < 0:
                yield None, price
            elif shift is None or distance is None or (shift and not price):
                # A step that costs nothing, as a post-increment beside its access, can be taken any number of times
                yield (source, None), price
            else:
                yield (source, distance - shift), price

    def _address_ways(self, measure: _Measure, piece: int, place: int) -> tuple[tuple[int, int | None, int], ...]:
        """Where an address byte at `place` may come from (-1: nothing), how far it is shifted, and the cost."""
        key = (measure, piece, place)
        if key not in self._ways:
            best: dict[tuple[int, int | None], int] = {}
            for writer, cost in self._writers.get(place, {}).items():
                if writer.known != UNKNOWN:
                    continue  # an address that is given is looked for where the distances are asked
                ways: list[tuple[int, int | None]] = [(-1, None)] if piece in writer.sums else []
                if writer.moves is not None:
                    ways.append((writer.moves, 0))
                else:
                    ways += [(p, shift) for p in writer.sources for shift in writer.shifts or (None,)]
                for way in ways:
                    best[way] = min(best.get(way, cost[measure]), cost[measure])
            self._ways[key] = tuple((source, shift, cost) for (source, shift), cost in best.items())
        return self._ways[key]


class _Distances:
    """How far nodes are from a goal, found as far as they are asked for."""

    def __init__(self, goal: _Node, sources: _Sources) -> None:
        self._sources = sources
        self._best: dict[_Node | None, int] = {goal: 0}
        self._done: dict[_Node | None, int] = {}
        self._queue: list[tuple[int, int, _Node | None]] = [(0, 0, goal)]
        self._count = count(1)

    def least(self, targets: Mapping[_Node | None, int]) -> int:
        """The least distance of any target, each with what it costs besides, up to `FARTHEST`."""
        best, done = FARTHEST, self._done
        for target, more in targets.items():
            if target in done:
                best = min(best, done[target] + more)
        queue = self._queue
        while queue and queue[0][0] < best:
            cost, _, node = heappop(queue)
            if node in done:
                continue
            done[node] = cost
            if node in targets:
                best = min(best, cost + targets[node])
            if node is None:
                continue
            for source, price in self._sources(node):
                total = cost + price
                if total < FARTHEST and total < self._best.get(source, FARTHEST):
                    self._best[source] = total
                    heappush(queue, (total, next(self._count), source))
        return best


def _is(lane: Lane, wanted: Wanted) -> bool:
    return (
        isinstance(lane, Addr) and lane.place == wanted.piece if isinstance(wanted, AnyOffset) else lane == wanted
    )

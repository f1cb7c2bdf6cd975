"""Data chains: the least cost of bringing one byte from where it is, changed as wanted, into its place in the cell.

A relaxation of the search in which one byte is followed and everything else (addresses, the other bytes, what a
register held) comes free. A node is a place (a lane of a register, or the cell) and how many computing
instructions the byte there is from what is wanted; an edge is an instruction that moves it, computes on it, loads
or stores it. An instruction that serves several bytes at once counts for each with its share, so the costs of all
bytes may be added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import Literal

from attrs import field, frozen

from bitsel.selector.costs import NEVER, Pair
from bitsel.selector.ground import Ground, unmasked
from bitsel.selector.lanes import Bits, Lane, bits_of
from bitsel.selector.recipes import BitNumber, Mask
from bitsel.selector.step import Registers
from bitsel.target.expr import Binary, Compare, Expr, Mem, Name, Sext, Unary

CELL = -1
"""The place of a byte that is still in the cell, to be loaded."""
DONE = -2
"""The place of a byte that was stored, as wanted."""

Node = tuple[int, int]
Edge = tuple[Node, Node, int, int]
"""From, to, and the shares of bytes and cycles, in eighths."""


@frozen
class Step:
    """What an instruction can do to a byte: `source` and `target` places; `computes`: it may change the byte;
    `moves`: it may leave it as it is; `fed`: changing it takes another value from a register."""

    source: int
    target: int
    moves: bool
    computes: bool
    fed: bool = False


def steps(ground: Ground, layout: Registers, byte: int | None) -> set[Step]:
    """The ways a byte of the cell can go through `ground`. `byte` is its index within what a memory place of the
    instruction covers; None for an instruction that does not touch the cell."""
    found: set[Step] = set()
    uses = ground.uses
    unmasked_by_numbers = not any(isinstance(recipe, (Mask, BitNumber)) for recipe in ground.recipes.values())

    def places(name: str) -> tuple[int, ...]:
        bound = ground.env.get(name, name)
        return layout.places.get(bound, ()) if isinstance(bound, str) else ()

    read = {p for name in uses.reads for p in places(name)} | ({CELL} if uses.loads else set())
    for statement in uses.form.does:
        for target, value in zip(statement.targets, map(unmasked, statement.values), strict=True):
            targets = places(target.id) if isinstance(target, Name) else (DONE,)
            fed = unmasked_by_numbers and len(_data(value)) > 1
            if isinstance(target, Name) and layout.is_flag(targets):
                found |= {Step(p, q, True, True, fed) for p in read for q in targets}
            elif isinstance(value, Name):
                sources = places(value.id)
                if isinstance(target, Mem):
                    if byte is not None and byte < len(sources):
                        found.add(Step(sources[byte], DONE, True, False))
                else:
                    found |= {Step(p, q, True, False) for p, q in zip(sources, targets, strict=False)}
            elif isinstance(value, Mem) and isinstance(target, Name):
                if byte is not None and byte < len(targets):
                    found.add(Step(CELL, targets[byte], True, False))
            elif uses.computes or isinstance(target, Mem):
                found |= {Step(p, q, False, True, fed) for p in read for q in targets}
    return found


def _data(value: Expr) -> set[Expr]:
    """The registers and memory places that a value is made of, not those that name places."""
    match value:
        case Name() | Mem():
            return {value}
        case Binary(_, left, right) | Compare(_, left, right):
            return _data(left) | _data(right)
        case Unary(_, inner) | Sext(inner, _):
            return _data(inner)
    return set()


MOST_STEPS = 2
"""No byte is further from what is wanted: with ``(x & keep) ^ flip`` two computing instructions make any effect."""


@lru_cache(maxsize=8192)
def steps_from(lane: Lane, wanted: Lane) -> int:
    """How many instructions ``and``, ``or``, ``xor`` with a constant lead from one to the other at least.

    One such instruction sets bits, or clears bits, or complements bits; never two of these. A bit that is 1 and has
    to be 0 may be cleared as well as complemented.
    """
    kinds = {0, 1, 2}
    changed = False
    for now, then in zip(bits_of(lane), bits_of(wanted), strict=True):
        if now != then:
            changed = True
            kinds &= ({then} & {0, 1}) | ({2} if then == now ^ 1 else set())
    if changed and (isinstance(lane, Bits) or isinstance(wanted, Bits)):
        return 1  # a shift may do it
    return 0 if not changed else 1 if kinds else MOST_STEPS


@frozen(eq=False)
class Chains:
    """The least bytes and cycles (eighths) from each node to the goal, by default the byte as wanted."""

    bytes: dict[Node, int] = field(factory=dict)
    cycles: dict[Node, int] = field(factory=dict)

    @classmethod
    def of(cls, edges: Iterable[Edge], goal: Node = (DONE, 0)) -> Chains:
        back: dict[Node, list[tuple[Node, int, int]]] = {}
        for source, target, size, time in edges:
            back.setdefault(target, []).append((source, size, time))
        return cls(_dijkstra(back, goal, "bytes"), _dijkstra(back, goal, "cycles"))

    def least(self, nodes: Sequence[Node]) -> Pair:
        """The least of each measure from any of the nodes."""
        size = min((self.bytes[node] for node in nodes if node in self.bytes), default=NEVER.bytes)
        time = min((self.cycles[node] for node in nodes if node in self.cycles), default=NEVER.cycles)
        return Pair(size, time)


def _dijkstra(
    back: dict[Node, list[tuple[Node, int, int]]], goal: Node, measure: Literal["bytes", "cycles"]
) -> dict[Node, int]:
    """Distances to the goal over reversed edges."""
    best: dict[Node, int] = {goal: 0}
    queue: list[tuple[int, Node]] = [(0, goal)]
    done: set[Node] = set()
    while queue:
        cost, node = heappop(queue)
        if node in done:
            continue
        done.add(node)
        for source, size, time in back.get(node, ()):
            total = cost + (size if measure == "bytes" else time)
            if total < best.get(source, total + 1):
                best[source] = total
                heappush(queue, (total, source))
    return best

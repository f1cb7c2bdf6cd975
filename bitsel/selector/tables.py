"""What instructions can do to each byte of the cell, given the places that they name, and the least cost of it."""

from __future__ import annotations

from bitsel.selector.chains import Chains, Step
from bitsel.selector.costs import NEVER, Pair, cost_of
from bitsel.selector.instruction import Instruction
from bitsel.selector.reach import FlagBit


class Table:
    """`flip`: per byte and bit, what one bit instruction can make of the bit (0, 1, or its complement as -1), and
    the cost; `flags`: the same for those that take it from a flag. `flat`: updating instructions that take nothing
    from registers, with their costs. `fed`: the least cost of one that does; `swap`: of one that stores a register
    as it is, and so is a load and a store besides. `load` and `store`: the least costs of each. `edges`: how else
    the byte can go.
    """

    __slots__ = ("chains", "edges", "fed", "flags", "flat", "flip", "least", "load", "store", "swap")

    def __init__(self, size: int) -> None:
        self.load = [NEVER] * size
        self.store = [NEVER] * size
        self.fed = [NEVER] * size
        self.swap = [NEVER] * size
        self.flat: list[dict[Instruction, Pair]] = [{} for _ in range(size)]
        self.flip: list[dict[tuple[int, int], Pair]] = [{} for _ in range(size)]
        self.flags: list[dict[FlagBit, Pair]] = [{} for _ in range(size)]
        self.edges: list[dict[Step, Pair]] = [{} for _ in range(size)]
        self.chains: dict[tuple[int, str, int], Chains] = {}
        self.least: dict[int, Pair] = {}

    def copy(self) -> Table:
        made = Table(0)
        for name in ("load", "store", "fed", "swap"):
            setattr(made, name, list(getattr(self, name)))
        made.flat = [dict(row) for row in self.flat]
        made.flip = [dict(row) for row in self.flip]
        made.flags = [dict(row) for row in self.flags]
        made.edges = [dict(row) for row in self.edges]
        return made

    def add(self, instruction: Instruction, first: int) -> None:
        """Note that an instruction reaches the cell from byte `first` on."""
        uses, reach = instruction.ground.uses, instruction.reach
        share = cost_of(instruction.ground, reach.size)
        change = reach.change
        for byte in range(max(first, 0), min(first + reach.size, len(self.load))):
            add_edges(self.edges[byte], reach.steps[byte - first], share)
            if not uses.stores:
                self.load[byte] = self.load[byte].least(share)
            elif not uses.loads:
                self.store[byte] = self.store[byte].least(share)
            elif change == "swap":
                for row in (self.load, self.store, self.swap):
                    row[byte] = row[byte].least(share)
            elif change == "fed":
                self.fed[byte] = self.fed[byte].least(share)
            elif change == "flat":
                self.flat[byte][instruction] = share
            elif isinstance(change, FlagBit):
                self.flags[byte][change] = self.flags[byte].get(change, NEVER).least(share)
            else:
                self.flip[byte][change] = self.flip[byte].get(change, NEVER).least(share)

    def add_mover(self, instruction: Instruction) -> None:
        """Note an instruction that reads one place and writes another: it may serve as anything, anywhere."""
        reach = instruction.reach
        share = cost_of(instruction.ground, reach.size)
        ways = set().union(*reach.steps)
        for byte in range(len(self.load)):
            for row in (self.load, self.store, self.fed):
                row[byte] = row[byte].least(share)
            add_edges(self.edges[byte], ways, share)

    def least_update(self, byte: int) -> Pair:
        """The least cost of any one update of `byte`."""
        found = self.least.get(byte)
        if found is None:
            found = self.fed[byte]
            for row in (self.flat[byte], self.flip[byte], self.flags[byte]):
                for cost in row.values():
                    found = found.least(cost)
            self.least[byte] = found
        return found


def add_edges(edges: dict[Step, Pair], ways: set[Step], cost: Pair) -> None:
    """Note ways at `cost`, each at the least that it is had for."""
    for step in ways:
        edges[step] = edges.get(step, NEVER).least(cost)

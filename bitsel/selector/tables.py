"""What instructions can do to each byte of the cell, given the places that they name, and the least cost of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from attrs import evolve

from bitsel.selector.chains import CELL, DONE, Chains, Step, steps
from bitsel.selector.costs import NEVER, Pair, cost_of
from bitsel.selector.ground import walk
from bitsel.selector.lanes import Lane, Old, bits_of
from bitsel.selector.search import Instruction
from bitsel.selector.step import Stepper
from bitsel.target.expr import Mem, Name


class FlagBit(NamedTuple):
    """A change of one bit to what the flag at `place` holds."""

    bit: int
    place: int


Change = Literal["fed", "flat", "swap"] | tuple[int, int] | FlagBit
"""How an update changes its byte: a bit and what it becomes (0, 1, or -1 complemented), a bit that comes from a
flag, or see `Table`."""


class Use(NamedTuple):
    """An instruction that touches `size` bytes of the cell: how it changes them, and per byte how one can go."""

    instruction: Instruction
    size: int
    change: Change
    steps: list[set[Step]]

    @classmethod
    def of(cls, instruction: Instruction, stepper: Stepper) -> Use:
        ground = instruction.ground
        size = sum(mem.width or 8 for mem in ground.uses.mems) // 8
        change = _change(instruction, stepper)
        ways = [steps(ground, stepper.layout, byte) for byte in range(size)]
        if ground.update and change != "swap":  # it ends no chain, but what it leaves in the cell may be loaded
            ways = [{evolve(s, target=CELL) if s.target == DONE else s for s in way} for way in ways]
        return cls(instruction, size, change, ways)


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

    def add(self, use: Use, first: int) -> None:
        """Note that an instruction reaches the cell from byte `first` on."""
        uses = use.instruction.ground.uses
        share = cost_of(use.instruction, use.size)
        for byte in range(max(first, 0), min(first + use.size, len(self.load))):
            add_edges(self.edges[byte], use.steps[byte - first], share)
            change = use.change
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
                self.flat[byte][use.instruction] = share
            elif isinstance(change, FlagBit):
                self.flags[byte][change] = self.flags[byte].get(change, NEVER).least(share)
            else:
                self.flip[byte][change] = self.flip[byte].get(change, NEVER).least(share)

    def add_mover(self, use: Use) -> None:
        """Note an instruction that reads one place and writes another: it may serve as anything, anywhere."""
        share = cost_of(use.instruction, use.size)
        ways = set().union(*use.steps)
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


def _change(instruction: Instruction, stepper: Stepper) -> Change:
    """What kind of update an instruction is (of no account for one that is none)."""
    ground = instruction.ground
    if not ground.update:
        return "flat"
    addresses = {e.id for mem in ground.uses.mems for e in walk(mem.address) if isinstance(e, Name)}
    data = ground.uses.reads - addresses
    stored = [v for s in ground.form.does for t, v in zip(s.targets, s.values, strict=True) if isinstance(t, Mem)]
    if all(isinstance(value, Name) and value.id in data for value in stored):
        return "swap"
    byte_wide = len(ground.uses.mems) == 1 and ground.uses.mems[0].width == 8
    if data:
        return (_flag_bit(instruction, stepper, data) if byte_wide else None) or "fed"
    if ground.form.bit and byte_wide:
        for offset in range(stepper.cell.size):
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


def _flag_bit(instruction: Instruction, stepper: Stepper, data: frozenset[str]) -> FlagBit | None:
    """The one bit that an update fills from the only flag it reads, and changes no register by."""
    ground, layout = instruction.ground, stepper.layout
    name = str(ground.env.get(min(data), min(data)))
    if len(data) != 1 or layout.target.registers[name].width != 1 or ground.writes:
        return None
    (place,) = layout.places[name]
    for offset in range(stepper.cell.size):
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

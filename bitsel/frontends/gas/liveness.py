"""Which registers and flags are needed later: backward over the blocks of one function.

At its edges the calling convention says: a caller may use what a function returns and what it keeps, a called
function what it gets. That holds for functions of other files only: within a file a compiler may know better what a
function leaves alone (GCC's -fipa-ra), and helpers of its run-time library (``__udivmodhi4``) have conventions of
their own. Wherever control may go on to what is not known, everything is needed.
"""

from __future__ import annotations

from attrs import frozen

from bitsel.frontends.gas.effects import Units
from bitsel.frontends.gas.expression import Address
from bitsel.frontends.gas.operands import Instruction
from bitsel.frontends.gas.program import Block, Function, Program, Step, target_of
from bitsel.target.facts import Abi


@frozen
class Convention:
    """Bit sets of units: what a call may change, what it may be given, and what may be returned in."""

    clobbered: int
    arguments: int
    returned: int
    all: int

    @classmethod
    def of(cls, abi: Abi, units: Units, *, known: bool) -> Convention:
        """`known` False: nothing is taken for granted."""
        if not known or not abi.clobbered:
            return cls(0, units.all, units.all, units.all)
        mask = units.mask
        clobbered = mask(abi.clobbered) | (units.flags if abi.clobbered else 0)
        return cls(clobbered, mask(abi.arguments), mask(abi.returned), units.all)

    @property
    def needed_at_return(self) -> int:
        return self.all & ~(self.clobbered & ~self.returned)

    def needed_before_call(self, needed: int, *, foreign: bool) -> int:
        return (needed & ~self.clobbered if foreign else needed) | self.arguments | self.all & ~self.clobbered


class Liveness:
    """What is needed behind each instruction of a function."""

    def __init__(self, function: Function, units: Units, convention: Convention, program: Program) -> None:
        self.units = units
        self.convention = convention
        self.own = program.labels
        # Who writes by hand may pass anything anywhere between functions of one file.
        self._distrusts_calls = not program.compiled
        names = {function.name, *(block.name for block in function.blocks)}
        self._distrusts_returns = not program.compiled and bool(names & program.called)
        self._at_start: dict[Block, int] = dict.fromkeys(function.blocks, 0)
        self._solve(function)

    def _solve(self, function: Function) -> None:
        changed = True
        while changed:
            changed = False
            for block in reversed(function.blocks):
                needed = self.at_end(block)
                for step in reversed(block.steps):
                    needed = self.before(step, needed)
                if needed != self._at_start[block]:
                    self._at_start[block] = needed
                    changed = True

    def at_end(self, block: Block) -> int:
        if block.anywhere:
            return self.convention.all
        needed = 0
        if block.returns:
            needed = self.convention.all if self._distrusts_returns else self.convention.needed_at_return
        for successor in block.successors:
            needed |= self._at_start[successor]
        return needed

    def before(self, step: Step, needed: int) -> int:
        instruction = step.instruction
        if instruction.form.flow == "call":
            if self.is_helper(instruction) or (self._distrusts_calls and not self.is_foreign(instruction)):
                return self.convention.all
            effects = self.units.effects(instruction)
            return effects.reads | self.convention.needed_before_call(needed, foreign=self.is_foreign(instruction))
        effects = self.units.effects(instruction)
        return needed & ~effects.writes | effects.reads

    def is_foreign(self, call: Instruction) -> bool:
        where = target_of(call)
        return where is None or (isinstance(where, Address) and where.symbol not in self.own)

    def is_helper(self, call: Instruction) -> bool:
        where = target_of(call)
        return where is not None and (not isinstance(where, Address) or where.symbol.lstrip(".").startswith("__"))

    def behind(self, block: Block) -> list[int]:
        """What is needed behind each step of `block`."""
        needed = self.at_end(block)
        found = []
        for step in reversed(block.steps):
            found.append(needed)
            needed = self.before(step, needed)
        found.reverse()
        return found

"""Drawing states for an instruction: random ones, with a bias to the ends of everything.

Numbers and registers are drawn so that they often make an address inside the memory there is; what still misses it
is drawn again. The same instruction is given the same states every time.
"""

from __future__ import annotations

from random import Random

from bitsel.target.expr import Num
from bitsel.target.facts import Form, NumberOperand, Operand
from bitsel.verify.concrete import Layout, Outcome, OutOfReachError, State, run
from bitsel.verify.instance import Instance, operands_of, places_in, step_of

_MOST_TRIES = 4000


class Draw:
    """States for the forms of one target. Addresses whose parts, of `offset` bits, carry are not drawn."""

    def __init__(self, layout: Layout, offset: int | None) -> None:
        self.layout = layout
        self.offset = offset
        self.registers = layout.target.registers

    def states(self, form: Form, count: int) -> list[tuple[Instance, State, Outcome]]:
        """`count` instances of `form` in states in which all its accesses are to memory there is, with what `does`
        makes of each; fewer if they are too rare."""
        random = Random("".join(map(str, form.text)))
        named = _named_addresses(form)
        operands = operands_of(form)
        steps = {name: step_of(form, name, self.layout.target) for name in operands}
        found: list[tuple[Instance, State, Outcome]] = []
        for _ in range(_MOST_TRIES):
            if len(found) == count:
                break
            values = {
                name: self._operand(operand, steps[name], len(found), random) for name, operand in operands.items()
            }
            registers = {name: self._number(self.registers[name].width, random) for name in self.layout.units}
            instance = Instance(form, values)
            state = State(self.layout, registers, named, lambda: self._number(8, random))
            try:
                run(instance, state, self.offset)
            except OutOfReachError:
                continue
            self._add_neighbours(state)
            found.append((instance, state, run(instance, state)))
        return found

    def _add_neighbours(self, state: State) -> None:
        """The bytes beside those accessed, which must stay as they are."""
        for address in list(state.memory):
            for beside in (address - 1, address + 1):
                if beside in self.layout.memory and beside not in self.layout.mapped_bytes:
                    state.byte(beside)

    def _operand(self, operand: Operand, step: int, turn: int, random: Random) -> int | str:
        if not isinstance(operand, NumberOperand):
            # Every register has its turn; two operands meet in one now and then.
            return operand.registers[
                (turn if random.random() < 0.75 else random.randrange(64)) % len(operand.registers)
            ]
        low, high, stride = random.choice(operand.number.ranges.runs)
        address = self._address(random) >> random.choice((0, 0, 8, 16))
        value = random.choice((low, high, address, random.randint(low, high), random.randint(low, high)))
        value -= (value - low) % stride
        return value - value % step if value - value % step in operand.number.ranges else low

    def _number(self, bits: int, random: Random) -> int:
        """A register or byte: an end, a single bit, a piece of an address, anything."""
        top = (1 << bits) - 1
        pick = random.randrange(8)
        if pick < 3:
            return (self._address(random) >> random.choice((0, 8, 16))) & top
        if pick < 5:
            return random.choice((0, top, 1 << random.randrange(bits), top ^ 1 << random.randrange(bits)))
        return random.randint(0, top)

    def _address(self, random: Random) -> int:
        low, high, _ = random.choice(self.layout.memory.runs)
        return random.choice((low, high, random.randint(low, high), random.randint(low, high)))


def _named_addresses(form: Form) -> frozenset[int]:
    """The addresses that the form itself names, as those of registers with rows of their own."""
    return frozenset(mem.address.value for mem in places_in(form.does) if isinstance(mem.address, Num))

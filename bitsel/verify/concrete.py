"""A target as a concrete machine: registers, flags and memory as numbers, on which `does` runs.

`State` is a state before an instruction; memory is drawn when it is first asked for. `run` gives the state after
it, and which bits of that the facts leave open (``any``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import define, field, frozen

from bitsel.target.facts import Ranges, Target
from bitsel.target.semantics import IntDomain, evaluate, execute
from bitsel.verify.instance import Instance, places_in


class OutOfReachError(Exception):
    """An access to memory that cannot be used, or that is not aligned."""


@frozen
class Layout:
    """Where a target has its state.

    `memory` says which bytes are plain memory. `units`: the registers and flags that hold something and are not
    made of others. `mapped_bytes`: the bytes that hold registers, each with the mask of the bits that do.
    """

    target: Target
    memory: Ranges
    units: tuple[str, ...] = field(init=False)
    mapped_bytes: Mapping[int, int] = field(init=False)

    @units.default
    def _units(self) -> tuple[str, ...]:
        return tuple(r.name for r in self.target.registers.values() if not r.parts and r.value is None)

    @mapped_bytes.default
    def _masks(self) -> dict[int, int]:
        masks: dict[int, int] = {}
        for name, (address, bit) in self.target.mapped.items():
            mask = (1 << self.target.registers[name].width) - 1 << bit
            for i, byte in enumerate(mask.to_bytes(9, "little")):
                if byte:
                    masks[address + i] = masks.get(address + i, 0) | byte
        return masks

    def mapped(self, registers: Mapping[str, int], address: int) -> int:
        """The bits of the byte at `address` that the registers determine, if these are their values."""
        byte = 0
        for name, (start, bit) in self.target.mapped.items():
            if name in registers and 0 <= address - start <= 8:
                byte |= registers[name] << bit >> 8 * (address - start) & 0xFF
        return byte


@define
class State:
    """A state before an instruction. `registers`: unit -> number. `memory`: the bytes that have been asked for,
    each drawn when it is. Of the bytes that hold registers only those in `named` may be accessed: in others the
    instruction would change registers without saying so. Bits beside a register are 0 there."""

    layout: Layout
    registers: dict[str, int]
    named: frozenset[int]
    draw: Callable[[], int]
    memory: dict[int, int] = field(factory=dict)

    def byte(self, address: int) -> int:
        """Raises OutOfReachError where nothing can be."""
        if address not in self.memory:
            if address in self.layout.mapped_bytes and address in self.named:
                self.memory[address] = self.layout.mapped(self.registers, address)
            elif address in self.layout.memory and address not in self.layout.mapped_bytes:
                self.memory[address] = self.draw()
            else:
                raise OutOfReachError
        return self.memory[address]


@frozen
class Bits:
    """A value of which the bits in `known` are determined."""

    value: int
    known: int

    def agrees(self, other: int) -> bool:
        return not (self.value ^ other) & self.known


@frozen
class Outcome:
    """The state after an instruction; `memory` has every byte that the state before has."""

    registers: Mapping[str, Bits]
    memory: Mapping[int, Bits]


def run(instance: Instance, state: State, offset: int | None = None) -> Outcome:
    """Run the instance's `does` from `state`. Raises OutOfReachError where memory is not to be had, or where a sum
    inside an address carries out of `offset` bits."""
    if offset is not None:
        start = _Machine(instance, state)
        for mem in places_in(instance.form.does):
            evaluate(mem.address, start.read, _NoCarry(offset))
    zeros, ones = (_Machine(instance, state) for _ in range(2))
    execute(instance.form.does, zeros, IntDomain())
    execute(instance.form.does, ones, _Ones())  # where the two differ, the result is unspecified
    layout = state.layout
    registers = {name: Bits(value, ~(value ^ ones.registers[name])) for name, value in zeros.registers.items()}
    memory = {}
    for address, before in state.memory.items():
        byte = zeros.memory.get(address, before)
        known = 0xFF & ~(byte ^ ones.memory.get(address, before))
        mask = layout.mapped_bytes.get(address, 0)  # those bits are compared as registers
        memory[address] = Bits(byte, known & ~mask)
    return Outcome(registers, memory)


class _Ones(IntDomain):
    """Plain integers; an unspecified value is all ones."""

    def unspecified(self) -> int:
        return -1


class _NoCarry(IntDomain):
    """Plain integers; a sum whose low `bits` bits carry is out of reach."""

    def __init__(self, bits: int) -> None:
        self.mask = (1 << bits) - 1

    def binary(self, op: str, left: int, right: int) -> int:
        if op == "+" and (left & self.mask) + (right & self.mask) > self.mask:
            raise OutOfReachError
        return super().binary(op, left, right)


class _Machine:
    def __init__(self, instance: Instance, state: State) -> None:
        self.values = instance.values
        self.state = state
        self.target = state.layout.target
        self.registers = dict(state.registers)
        self.memory: dict[int, int] = {}

    def read(self, name: str) -> int:
        value = self.values.get(name, name)
        if isinstance(value, int):
            return value
        register = self.target.registers[value]
        if register.value is not None:
            return register.value
        found, shift = 0, 0
        for part in register.parts or (value,):
            found |= self.registers[part] << shift
            shift += self.target.registers[part].width
        return found

    def write(self, name: str, value: int) -> None:
        named = self.values.get(name, name)
        assert isinstance(named, str), "numbers are not assigned"
        register = self.target.registers[named]
        if register.value is None:
            for part in register.parts or (named,):
                width = self.target.registers[part].width
                self.registers[part] = value & (1 << width) - 1
                value >>= width

    def load(self, width: int, address: int) -> int:
        content = bytes(self.memory.get(at, self.state.byte(at)) for at in self._bytes(width, address))
        return int.from_bytes(content, self.target.endian)

    def store(self, width: int, address: int, value: int) -> None:
        places = self._bytes(width, address)
        for at, byte in zip(places, value.to_bytes(width // 8, self.target.endian), strict=True):
            self.state.byte(at)
            self.memory[at] = byte

    def _bytes(self, width: int, address: int) -> range:
        address %= 1 << self.target.address_bits
        if address % self.target.align.get(width, 1):
            raise OutOfReachError
        return range(address, address + width // 8)

"""What one instruction reads and writes of registers and flags, as bit sets over the target's units.

A unit is a register that is not made of others; a pair stands for its units. What an instruction writes before it
reads it (``d = i; z = d == 0``) is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from bitsel.frontends.gas.operands import Instruction
from bitsel.target.expr import Assign, Mem, Name
from bitsel.target.facts import Device, Target
from bitsel.target.semantics import IntDomain, evaluate
from bitsel.target.vocabulary import memory_in, mentioned


@frozen
class Effects:
    """Bit sets of units; whether memory is read, and written; `special`: units that it may set by writing the
    memory that they are."""

    reads: int
    writes: int
    loads: bool
    stores: bool
    special: int = 0


class Units:
    """The units of a target by bit, and the effects of instructions, each found once."""

    def __init__(self, target: Target, device: Device) -> None:
        self.target = target
        registers = target.registers.values()
        self.names = tuple(r.name for r in registers if not r.parts and r.value is None)
        self.bit = {name: 1 << i for i, name in enumerate(self.names)}
        self.all = (1 << len(self.names)) - 1
        self.flags = self.mask(r.name for r in registers if r.width == 1)
        self.flag_names = frozenset(Name(r.name) for r in registers if r.width == 1)
        self._memory = self._units_in_memory(device)
        self._effects: dict[int, tuple[Instruction, Effects]] = {}

    def _units_in_memory(self, device: Device) -> dict[int, int]:
        """By byte address, the units that are in memory there."""
        found: dict[int, int] = {}
        for name in self.target.mapped:
            for byte in self.target.memory_of(name):
                found[byte] = found.get(byte, 0) | self.mask((name,))
        status = self.target.abi.status
        if status is not None:
            address = evaluate(status, device.constants.__getitem__, IntDomain())
            found[address] = found.get(address, 0) | self.flags
        return found

    def of(self, register: str) -> tuple[str, ...]:
        """The units that `register` is made of, low to high."""
        parts = self.target.registers[register].parts
        return tuple(unit for part in parts for unit in self.of(part)) if parts else (register,)

    def mask(self, registers: Iterable[str]) -> int:
        found = 0
        for register in registers:
            for unit in self.of(register):
                found |= self.bit.get(unit, 0)
        return found

    def named(self, mask: int) -> tuple[str, ...]:
        return tuple(name for name, bit in self.bit.items() if mask & bit)

    def effects(self, instruction: Instruction) -> Effects:
        known = self._effects.get(id(instruction))
        if known is None:
            known = self._effects[id(instruction)] = (instruction, self._found(instruction))
        return known[1]

    def _found(self, instruction: Instruction) -> Effects:
        form, env = instruction.form, instruction.env
        reads = self._registers(form.reads, env)
        writes = special = 0
        loads = stores = False
        for place in form.places:
            reads |= self._registers(mentioned(place), env)
            for mem in memory_in(place):
                loads = stores = True
                at = self._units_at(mem, env)
                reads, special = reads | at, special | at
        written: set[Mem] = set()
        for statement in form.does:
            for value in statement.values:
                reads |= self._registers(mentioned(value), env) & ~writes
                for mem in memory_in(value):
                    if mem not in written:
                        loads = True
                        reads |= self._units_at(mem, env)
            for place in statement.targets:
                if isinstance(place, Mem):
                    reads |= self._registers(mentioned(place.address), env) & ~writes
                    stores = True
                    special |= self._units_at(place, env)
                    written.add(place)
            writes |= self._written(statement, env)
        return Effects(reads, writes, loads, stores, special)

    def _units_at(self, mem: Mem, env: Mapping[str, object]) -> int:
        """The units that are in memory where an access to a constant address goes."""
        numbers = {name: env.get(name) for name in mentioned(mem.address)}
        if not all(isinstance(number, int) for number in numbers.values()):
            return 0
        first = evaluate(mem.address, lambda name: numbers[name], IntDomain())  # type: ignore[arg-type, return-value]
        found = 0
        for i in range((mem.width or 8) // 8):
            found |= self._memory.get(first + i, 0)
        return found

    def _written(self, statement: Assign, env: Mapping[str, object]) -> int:
        return self._registers((place.id for place in statement.targets if isinstance(place, Name)), env)

    def _registers(self, names: Iterable[str], env: Mapping[str, object]) -> int:
        found = 0
        for name in names:
            bound = env.get(name, name)
            if isinstance(bound, str) and bound in self.target.registers:
                found |= self.mask((bound,))
        return found

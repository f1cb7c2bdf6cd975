"""A machine on which a sequence is run over a domain of values, and everything it may not do is noticed.

Memory is the cell alone: an access outside it is a fault, as is one that is not aligned as the target asks, or at
an address that is not a known number. Registers start with nothing known but what leads to the cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from attrs import frozen

from bitsel.target.facts import Target
from bitsel.target.semantics import execute
from bitsel.verify.domains import ProofDomain
from bitsel.verify.readback import Instruction

V = TypeVar("V")


class Fault(Exception):
    """What an instruction did that no replacement of an update may do."""


@frozen
class Access:
    """One access of memory: by which instruction of the sequence (from 0), its width in bits, its address."""

    by: int
    kind: str
    width: int
    address: int


@frozen
class _Piece:
    """Where a byte of memory shows part of a register: the lowest bit in the byte and in the register, how many."""

    register: str
    in_byte: int
    in_register: int
    bits: int


class Machine(Generic[V]):
    """`cell`: the addresses of the update's bytes. `registers`: what is known of them at the start, by name."""

    def __init__(self, target: Target, domain: ProofDomain[V], cell: range, registers: Mapping[str, int]) -> None:
        self._target = target
        self._domain = domain
        self.cell = cell
        self._pieces = _pieces(target, cell)
        self.units = {
            name: self._start(register.width, registers.get(name), register.value)
            for name, register in target.registers.items()
            if not register.parts
        }
        self.memory = {address: domain.old(i) for i, address in enumerate(cell)}
        for address in cell:
            self._show(address, self.memory[address])
        self.before = dict(self.units)
        self.written: set[str] = set()
        self.accesses: list[Access] = []
        self._names: Mapping[str, int | str] = {}
        self._now = 0

    def run(self, sequence: list[Instruction]) -> None:
        """Run the instructions. Raises `Fault`, and `NotProvable` where the domain cannot follow."""
        for self._now, instruction in enumerate(sequence):
            self._names = instruction.names
            execute(instruction.form.does, self, self._domain)

    @property
    def shown(self) -> set[str]:
        """The registers that bytes of the cell are the memory of: what happens to them is the update itself."""
        return {piece.register for pieces in self._pieces.values() for piece in pieces}

    # -- as `does` sees it

    def read(self, name: str) -> V:
        bound = self._names.get(name, name)
        if isinstance(bound, int):
            return self._domain.const(bound)
        value, at = self._domain.const(0), 0
        for unit in self._target.registers[bound].parts or (bound,):
            value = self._join(value, self.units[unit], at)
            at += self._target.registers[unit].width
        return value

    def write(self, name: str, value: V) -> None:
        bound = self._names.get(name, name)
        if isinstance(bound, int):
            raise Fault(f"{name} is a number and is written")
        for unit in self._target.registers[bound].parts or (bound,):
            register = self._target.registers[unit]
            if register.value is None:
                self.units[unit] = self._domain.low(value, register.width)
                self.written.add(unit)
            value = self._domain.binary(">>", value, self._domain.const(register.width))

    def load(self, width: int, address: V) -> V:
        value = self._domain.const(0)
        for i, at in enumerate(self._touched("read", width, address)):
            value = self._join(value, self._byte(at), 8 * i)
        return value

    def store(self, width: int, address: V, value: V) -> None:
        for i, at in enumerate(self._touched("write", width, address)):
            byte = self._domain.low(self._domain.binary(">>", value, self._domain.const(8 * i)), 8)
            self.memory[at] = byte
            self._show(at, byte)

    # -- inside

    def _start(self, width: int, known: int | None, constant: int | None) -> V:
        number = known if known is not None else constant
        return self._domain.const(number) if number is not None else self._domain.filling(width)

    def _join(self, value: V, more: V, at: int) -> V:
        shifted = self._domain.binary("<<", more, self._domain.const(at)) if at else more
        return self._domain.binary("|", value, shifted) if at else shifted

    def _touched(self, kind: str, width: int, address: V) -> range:
        number = self._domain.known(address)
        if number is None:
            raise Fault(f"a {kind} of an address that is not known")
        touched = range(number, number + width // 8)
        align = self._target.align.get(width, 1)
        if number % align:
            raise Fault(f"a {kind} of {width} bits at {number:#x}, which is not a multiple of {align}")
        if touched.start not in self.cell or touched[-1] not in self.cell:
            raise Fault(f"a {kind} of {number:#x}, outside the update's {self.cell.start:#x}..{self.cell[-1]:#x}")
        self.accesses.append(Access(self._now, kind, width, number))
        return touched

    def _byte(self, address: int) -> V:
        """A byte of the cell; what it shows of registers is what they hold now."""
        domain = self._domain
        value = self.memory[address]
        for piece in self._pieces[address]:
            ones = (1 << piece.bits) - 1
            kept = domain.binary("&", value, domain.const(255 & ~(ones << piece.in_byte)))
            held = domain.binary(">>", self.units[piece.register], domain.const(piece.in_register))
            held = domain.binary("&", held, domain.const(ones))
            value = domain.binary("|", kept, domain.binary("<<", held, domain.const(piece.in_byte)))
        return value

    def _show(self, address: int, byte: V) -> None:
        """A byte that is the memory of registers is written: they hold it now."""
        domain = self._domain
        for piece in self._pieces[address]:
            ones = (1 << piece.bits) - 1
            new = domain.binary("&", domain.binary(">>", byte, domain.const(piece.in_byte)), domain.const(ones))
            new = domain.binary("<<", new, domain.const(piece.in_register))
            full = (1 << self._target.registers[piece.register].width) - 1
            others = domain.const(full & ~(ones << piece.in_register))
            self.units[piece.register] = domain.binary(
                "|", domain.binary("&", self.units[piece.register], others), new
            )

    def final(self, address: int) -> V:
        """The byte of the cell after the sequence."""
        return self._byte(address)


def _pieces(target: Target, cell: range) -> dict[int, list[_Piece]]:
    """What each byte of the cell shows of registers and flags that are memory too."""
    found: dict[int, list[_Piece]] = {address: [] for address in cell}
    for name, (first, bit) in target.mapped.items():
        width = target.registers[name].width
        done = 0
        while done < width:
            at = bit + done
            bits = min(8 - at % 8, width - done)
            if first + at // 8 in found:
                found[first + at // 8].append(_Piece(name, at % 8, done, bits))
            done += bits
    return found

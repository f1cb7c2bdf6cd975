"""Level ``proof``: every sequence that the selector returns makes the update it stands for, and does nothing else.

The selector is asked for every kind of place and access on the device (`cells`), under both objectives. What it
prints is read back (`readback`) and run on a machine (`machine`) by the meaning of each row, at each of the real
addresses a place may turn out to be: for all values of a byte at once, and as terms for Z3 where the update is
wider (`domains`). Nothing of the search takes part. A form's row says in how many sequences it was proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from bitsel.match import Idiom
from bitsel.selector import Engine, Sequence
from bitsel.target.expand import forms
from bitsel.target.facts import Device, Target
from bitsel.target.show import table_rows
from bitsel.verify.cells import Real, Spot, updates
from bitsel.verify.domains import NotProvable, Tables, Terms
from bitsel.verify.machine import Fault, Machine
from bitsel.verify.readback import Instruction, Reader
from bitsel.verify.result import RowResult

LEVEL = "proof"
MISSING = "values wider than a byte need the extra 'prove': pip install 'bitsel[prove]'"


def check(target: Target, device: Device) -> Iterator[RowResult]:
    """One result per form of `device`; one more for every line that no form is written like, and where Z3 is
    missing. For a big-endian target, for which nothing is selected, one that says so."""
    if target.endian != "little":
        yield RowResult(
            LEVEL, f"{target.name}: the table", "skipped", "only little-endian targets are selected for"
        )
        return
    proof = _Proof(target, device)
    has_z3 = find_spec("z3") is not None
    for spot, idiom in updates(target, device):
        if idiom.access.width == 8 or has_z3:
            proof.prove(spot, idiom)
    proof.close()
    yield from proof.results()
    if not has_z3:
        yield RowResult(LEVEL, "updates wider than a byte", "skipped", MISSING)


class _Proof:
    """The proofs of one device so far."""

    def __init__(self, target: Target, device: Device) -> None:
        self._target = target
        self._device = device
        self._forms = forms(target, device)
        # `vendor` selects wherever `strict` does, and the same.
        self._engines = tuple(Engine(target, device, objective, "vendor") for objective in ("size", "speed"))
        self._reader = Reader(target, self._forms)
        self._proved: Counter[int] = Counter()
        self._failed: dict[int, str] = {}
        self._unread: dict[str, str] = {}

    def close(self) -> None:
        for engine in self._engines:
            engine.close()

    def results(self) -> Iterator[RowResult]:
        for form, row in zip(self._forms, table_rows(self._target, self._device), strict=True):
            if form.order in self._failed:
                yield RowResult(LEVEL, row.text, "failed", self._failed[form.order])
            elif form.order in self._proved:
                number = self._proved[form.order]
                yield RowResult(LEVEL, row.text, "ok", f"in {number} sequence{'' if number == 1 else 's'}")
            else:
                yield RowResult(LEVEL, row.text, "skipped", "in no sequence")
        for line, why in self._unread.items():
            yield RowResult(LEVEL, line, "failed", why)

    def prove(self, spot: Spot, idiom: Idiom) -> None:
        """Prove what is selected for `idiom`, and the baseline it is held against."""
        done: set[tuple[str, ...]] = set()
        # Each objective is a search of its own; of wide updates, which are dear, both are made at few places.
        both = spot.home or idiom.access.width == 8
        for engine in self._engines if both else self._engines[:1]:
            selection = engine.select(idiom)
            for sequence in (selection.chosen, selection.baseline):
                if sequence is not None and sequence.asm not in done:
                    done.add(sequence.asm)
                    for real in spot.reals:
                        self._prove_at(spot, real, idiom, sequence)

    def _prove_at(self, spot: Spot, real: Real, idiom: Idiom, sequence: Sequence) -> None:
        instructions = []
        for line in sequence.asm:
            instruction = self._reader.read(line, real.symbols)
            if instruction is None:
                self._unread[line] = f"no form of the table is written so, at {_spelled(spot, real)}"
                return
            instructions.append(instruction)
        wrong = what_is_wrong(self._target, real, idiom, sequence, instructions)
        for order in {instruction.form.order for instruction in instructions}:
            if wrong:
                asm = "; ".join(sequence.asm)
                self._failed.setdefault(order, f"{_update(idiom)} at {_spelled(spot, real)}: {asm}: {wrong}")
            else:
                self._proved[order] += 1


def what_is_wrong(
    target: Target, real: Real, idiom: Idiom, sequence: Sequence, instructions: list[Instruction]
) -> str | None:
    """Why `sequence`, read as `instructions`, is not a right way to make the update at `real`; None where it is."""
    cell = range(real.address, real.address + idiom.access.width // 8)
    domain: Any = Tables() if len(cell) == 1 else Terms()
    try:
        machine = Machine(target, domain, cell, real.registers)
        machine.run(instructions)
        return (
            _wrong_value(machine, idiom, domain)
            or _wrong_clobbers(machine, sequence, domain)
            or _wrong_accesses(machine, idiom, sequence)
            or _wrong_size(sequence, instructions)
        )
    except (Fault, NotProvable) as problem:
        return str(problem)


def _wrong_value(machine: Machine[Any], idiom: Idiom, domain: Any) -> str | None:
    """Every byte of the cell is what the update makes of it."""
    for i, address in enumerate(machine.cell):
        keep, flip = idiom.effect.keep >> 8 * i & 0xFF, idiom.effect.flip >> 8 * i & 0xFF
        wanted = domain.binary("^", domain.binary("&", domain.old(i), keep), flip)
        if not domain.same(machine.final(address), wanted):
            return f"byte {i} is not what the update makes of it"
    return None


def _wrong_clobbers(machine: Machine[Any], sequence: Sequence, domain: Any) -> str | None:
    """The registers said to be changed are those that are written, and no other changes."""
    said = set(sequence.clobbers)
    free = said | machine.shown
    for unit in sorted(machine.written - free):
        if not domain.same(machine.before[unit], machine.units[unit]):
            return f"{unit} changes, and is not among what it is said to change ({', '.join(sequence.clobbers)})"
    never = said - machine.written
    return f"{', '.join(sorted(never))} is said to change, and is not written" if never else None


def _wrong_accesses(machine: Machine[Any], idiom: Idiom, sequence: Sequence) -> str | None:
    """A volatile update is one read and one write; an ordered one is one instruction; and one instruction it is
    exactly where no interrupt is said to fall inside."""
    access = idiom.access
    made = machine.accesses
    whole = all(each.width == access.width and each.address == machine.cell.start for each in made)
    one_each = [each.kind for each in made] == ["read", "write"]
    at_once = one_each and made[0].by == made[1].by and made[0].width == made[1].width
    if access.ordering is not None and not (at_once and whole):
        return "not one instruction that reads and writes all of it"
    if access.volatile and not (one_each and whole):
        return "not one read and one write of all of it"
    if sequence.interruptible == at_once:
        return f"an interrupt {'cannot' if at_once else 'can'} fall inside"
    return None


def _wrong_size(sequence: Sequence, instructions: list[Instruction]) -> str | None:
    total = sum(instruction.form.bytes for instruction in instructions)
    return f"{total} bytes, not {sequence.bytes}" if total != sequence.bytes else None


def _update(idiom: Idiom) -> str:
    access = idiom.access
    changes = ", ".join(f"{change.op} {change.bit}" for change in idiom.effect.changes)
    qualified = " ".join(word for word in ("volatile" if access.volatile else "", access.ordering or "") if word)
    return f"{changes} of {qualified}{' ' if qualified else ''}i{access.width}"


def _spelled(spot: Spot, real: Real) -> str:
    return spot.text if spot.where.kind == "absolute" else f"{spot.text} ({real.address:#x})"

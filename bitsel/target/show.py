"""The table of a target as people read it: one line per instruction form of a device, costs in full.

``bitsel target show`` prints it and the reference pages hold it.
"""

from __future__ import annotations

import re

from attrs import frozen

from bitsel.target import does
from bitsel.target.expand import forms
from bitsel.target.facts import Device, Form, NumberOperand, Slot, Target

MANY_DEVICES = 12
"""Of more devices than these, lists give the names only."""


@frozen
class TableRow:
    """One form: `text` with each operand and what it can be (``set1 !<addr:abs16>.<bit>``), its meaning, bytes,
    clocks, source (tags of `Target.sources`, or a citation) and whether some of it is unverified."""

    text: str
    does: str
    bytes: int
    cycles: int
    source: str
    unverified: bool


def table_rows(target: Target, device: Device) -> list[TableRow]:
    """The forms that `device` has, in the order of the table."""
    return [
        TableRow(
            text="".join(piece if isinstance(piece, str) else _operand(piece, form) for piece in form.text),
            does="; ".join(map(does.show, form.does)),
            bytes=form.bytes,
            cycles=form.cycles,
            source=form.source,
            unverified=form.unverified,
        )
        for form in forms(target, device)
    ]


def devices_by_core(target: Target) -> dict[str, list[Device]]:
    """The devices of each core that has some, in the order of the cores."""
    found: dict[str, list[Device]] = {}
    for core in target.cores:
        devices = [device for device in target.devices.values() if device.core == core]
        if devices:
            found[core] = devices
    return found


def _operand(slot: Slot, form: Form) -> str:
    operand = form.operands[slot.name]
    if isinstance(operand, NumberOperand):
        number = operand.number.name
        return f"<{slot.name}>" if number == slot.name else f"<{slot.name}:{number}>"
    return f"<{slot.name}:{_listed(operand.registers)}>"


def _listed(registers: tuple[str, ...]) -> str:
    """``a|b``; of many, runs of evenly numbered ones by their ends: ``sp|r4..r15``, ``r0..r25|r28..r31``."""
    if len(registers) <= 8:
        return "|".join(registers)
    runs: list[list[str]] = []
    for name in registers:
        if runs and _distance(runs[-1][-1], name) == _distance(*registers[-2:]):
            runs[-1].append(name)
        else:
            runs.append([name])
    return "|".join(run[0] if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)


def _distance(first: str, second: str) -> int | None:
    """How far apart two numbered registers of one kind are."""
    found = [re.fullmatch(r"(.*?)(\d+)", name) for name in (first, second)]
    a, b = found
    return int(b[2]) - int(a[2]) if a and b and a[1] == b[1] else None

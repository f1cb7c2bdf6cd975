"""What the selector is asked, and says about one idiom: the chosen sequence, the baseline, or the reason."""

from __future__ import annotations

from typing import Literal

from bitsel.reasons import Reason
from bitsel.record import record

Objective = Literal["size", "speed"]
"""What is compared first: bytes, or cycles."""

Policy = Literal["strict", "vendor"]
"""Whether registers whose bits react to accesses are left alone, or selected with a warning."""


@record
class Sequence:
    """Machine instructions as GNU as takes them, and what they cost.

    `bytes`; `cycles` (clocks); `interruptible`: an interrupt can fall inside the update (anything but one
    instruction that reads and writes); `clobbers`: registers and flags changed, sorted; `emitted_by`: compilers
    known to reach this form from plain code.
    """

    asm: tuple[str, ...]
    bytes: int
    cycles: int
    interruptible: bool
    clobbers: tuple[str, ...]
    emitted_by: tuple[str, ...] = ()


@record
class Field:
    """A number in an instruction: its text, and the name of the table's number that takes it.

    `part`: where it stands for a part of a symbol's address, how that part is written (``lo8({})``), else None;
    then `distance` is the number of bytes from the symbol.
    """

    text: str
    number: str
    part: str | None = None
    distance: int = 0


@record
class Instruction:
    """One instruction of a sequence in pieces, and whether it touches the cell, and both reads and writes it."""

    pieces: tuple[str | Field, ...]
    touches: bool
    updates: bool


@record
class Selection:
    """The verdict on one idiom. `absolute`: the full address on the target, where it is a constant."""

    verdict: Literal["selected", "rejected"]
    chosen: Sequence | None
    baseline: Sequence | None
    reason: Reason | None
    assumes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    absolute: int | None = None

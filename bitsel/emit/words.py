"""Sites and their updates in a few words, as tables show them."""

from __future__ import annotations

from rich.text import Text

from bitsel.effect import BitOp, Effect
from bitsel.emit.text import printable
from bitsel.ir import Address
from bitsel.match import Idiom
from bitsel.report import SiteReport


def site(report: SiteReport) -> Text:
    """Where it is in the program's source, else in the input, and its identity."""
    return Text(f"{_place(report)} {printable(report.id)}")


def _place(report: SiteReport) -> str:
    file, line = report.debug or (report.input, report.line)
    return printable(f"{file}:{line}")


def update(idiom: Idiom | None, absolute: int | None) -> Text:
    """What changes, and where; `absolute` is the address on the target, where a number is to be shown as that."""
    if idiom is None:
        return Text("not known")
    volatile = "volatile " if idiom.access.volatile else ""
    atomic = f"{idiom.access.ordering} " if idiom.access.ordering else ""
    place = _location(idiom.address, absolute)
    return Text(f"{_effect(idiom.effect)} of {atomic}{volatile}i{idiom.access.width} {place}")


def _effect(effect: Effect) -> str:
    """``set bit 4``, ``set bits 0-3, clear bit 7``, ``no bit``."""
    by_op: dict[BitOp, list[int]] = {}
    for change in effect.changes:
        by_op.setdefault(change.op, []).append(change.bit)
    return ", ".join(f"{op} bit{'s' * (len(bits) > 1)} {_runs(bits)}" for op, bits in by_op.items()) or "no bit"


def _runs(bits: list[int]) -> str:
    """Ascending numbers, neighbours joined: ``0-3 7``."""
    runs: list[list[int]] = []
    for bit in bits:
        if runs and runs[-1][-1] == bit - 1:
            runs[-1].append(bit)
        else:
            runs.append([bit])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _location(address: Address, absolute: int | None) -> str:
    offset = f"{address.offset:+d}" if address.offset and address.kind != "absolute" else ""
    space = f" in space {address.space}" if address.space else ""
    match address.kind:
        case "absolute":
            what = f"at {address.offset if absolute is None else absolute:#x}"
        case "symbol":
            what = f"{address.base}{offset}"
        case "pointer":
            what = f"at {address.base}{offset}"
        case "stack":
            what = f"in stack slot {address.base}{offset}"
    return printable(what + space)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"

"""Why not: the reason for one site in words, naming what is at fault there, and the smallest change that helps."""

from __future__ import annotations

from attrs import frozen

from bitsel.match import Idiom
from bitsel.reasons import Code, Reason
from bitsel.selector.recipes import masks_of
from bitsel.selector.render import Filling, Template
from bitsel.target.devices import ByteFacts
from bitsel.target.facts import Device, HardwareRegister, Target


@frozen
class Placement:
    """A range of addresses in which the update would be selected, with the sequence it would be."""

    low: int
    high: int
    template: Template


@frozen
class Case:
    """One site as its explanation needs it."""

    target: Target
    device: Device
    idiom: Idiom
    address: int | None
    facts: tuple[ByteFacts, ...]

    @property
    def registers(self) -> tuple[HardwareRegister, ...]:
        """The hardware registers that the update's bytes belong to."""
        return tuple(dict.fromkeys(r for byte in self.facts for r in byte.registers))

    @property
    def place(self) -> str:
        """The location in words."""
        source = self.idiom.address
        if self.address is not None:
            names = "/".join(register.name for register in self.registers)
            return f"{self.address:#x} ({names})" if names else f"{self.address:#x}"
        distance = f"{source.offset:+d}" if source.offset else ""
        return f"{source.base}{distance}"

    def warnings(self) -> tuple[str, ...]:
        """What the vendor policy let pass."""
        found = []
        for byte in self.facts:
            for register in byte.registers:
                words = reactions(register)
                if words:
                    found.append(f"{register.name} at {register.address:#x} {words}")
        return tuple(dict.fromkeys(found))


def assumptions(idiom: Idiom) -> tuple[str, ...]:
    """What the selection takes for granted of this site."""
    source = idiom.address
    if source.kind == "pointer" and idiom.access.volatile:
        return (f"{source.base} points to memory, not to a register with side effects",)
    if source.kind == "stack":
        return (f"{source.base} is the slot at the stack pointer",)
    return ()


def reactions(register: HardwareRegister) -> str:
    """What is special about a register, in words; empty for one that only holds its bits."""
    kinds = (
        ("clears bits written as 1", register.w1c),
        ("toggles bits written as 1", register.toggle),
        ("changes when it is read", register.read_effect),
        ("cannot be read back", register.write_only),
    )
    return ", ".join(f"{words} (mask {mask:#x})" for words, mask in kinds if mask)


def explain(code: Code, case: Case, placements: tuple[Placement, ...]) -> Reason:
    """The reason `code` for this site."""
    idiom = case.idiom
    width = idiom.access.width
    where = case.place
    bits = ", ".join(f"{change.op} {change.bit}" for change in idiom.effect.changes)
    match code:
        case Code.VOLATILE_WIDTH if width == 8:
            return Reason(
                code, f"{where} is volatile, and would be read and written more than once ({_cut(bits)}), not once"
            )
        case Code.VOLATILE_WIDTH:
            return Reason(
                code,
                f"one volatile {width}-bit read and one write of {where} would become other accesses",
                "make the flag a volatile object of one byte",
            )
        case Code.ATOMIC:
            return Reason(code, f"no single instruction makes this {width}-bit update of {where}")
        case Code.NOT_BIT_ADDRESSABLE:
            if any(not byte.writable for byte in case.facts):
                return Reason(code, f"{where} is not changed by writing to it on {case.device.name}")
            if any(byte.widths == frozenset() for byte in case.facts):
                return Reason(code, f"no access to {where} works on {case.device.name}")
            by_bit = any(row.bit for row in case.target.rows)
            missing = "1-bit manipulation" if by_bit else "accesses of another width than the source's"
            return Reason(code, f"{where} does not allow {missing} on {case.device.name}")
        case Code.HW_SEMANTICS:
            found = "; ".join(f"{r.name} {reactions(r)}" for r in case.registers if reactions(r))
            return Reason(code, found or where, "the policy 'vendor' selects it, with a warning")
        case Code.ADDR_SPACE:
            return Reason(code, f"address space {idiom.address.space} is not one {case.target.name} can reach so")
        case Code.ADDR_RANGE:
            return Reason(code, f"{where} is outside the range of every form that makes this update")
        case Code.NONCONST_ADDR:
            return Reason(code, f"{where} is known only at run time, and the form needs a constant address")
        case Code.MULTI_BIT:
            return Reason(code, f"{len(idiom.effect.changes)} bits change: {_cut(bits)}")
        case Code.NO_FORM:
            return Reason(
                code, f"no instruction makes this update of {where} ({_cut(bits)})", _place(case, placements)
            )
        case _:
            return Reason(code, f"nothing cheaper than load, operate and store was found for {where}")


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 3].rsplit(",", 1)[0] + ", ..."


def _place(case: Case, placements: tuple[Placement, ...]) -> str | None:
    """The placement that would make the shortest sequence."""
    if not placements:
        return None
    best = min(placements, key=lambda p: (p.template.path.cost.bytes, p.template.path.cost.cycles))
    source = case.idiom.address
    filling = Filling(masks_of(case.idiom.effect), None, source.base or "", source.offset)
    asm = best.template.sequence(case.target, filling).asm
    return f"place {source.base} in {best.low:#x}..{best.high:#x}: {'; '.join(asm)}"

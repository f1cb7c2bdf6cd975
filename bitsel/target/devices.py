"""What a device says about one byte address: which access widths work, whether single bits may be manipulated,
and whether the register there reacts to being read or written.

Outside every region and register a byte is plain memory: everything works.
"""

from __future__ import annotations

from attrs import frozen

from bitsel.target.facts import Device, HardwareRegister, Region


@frozen
class ByteFacts:
    """Facts on one byte. `widths` (bits) None: no restriction. `registers`: those that cover it. `writable`: a
    write has an effect."""

    widths: frozenset[int] | None
    bit: bool
    registers: tuple[HardwareRegister, ...] = ()
    in_register_area: bool = False
    writable: bool = True

    @property
    def reacts(self) -> bool:
        """Whether some bit does more than hold what was written."""
        return any(r.w1c or r.toggle or r.read_effect or r.write_only for r in self.registers)


PLAIN = ByteFacts(widths=None, bit=True)


def byte_facts(device: Device, address: int) -> ByteFacts:
    """The facts on the byte at `address`.

    Inside a register area only an 8-bit register that allows it is bit-manipulable: a byte that no register, or
    only a wider one, covers is not.
    """
    region = _region(device, address)
    registers = device.registers.get(address, ())
    if not registers and region is None:
        return PLAIN
    in_area = region is not None and region.kind == "registers"
    widths = frozenset(region.widths) if region is not None else None
    if registers:
        widths = frozenset(register.width for register in registers)
    if registers or in_area:
        bit = any(register.width == 8 and register.bit for register in registers)
    else:
        bit = widths is None or 8 in widths
    return ByteFacts(widths, bit, registers, in_area, region is None or region.writable)


def _region(device: Device, address: int) -> Region | None:
    """The innermost (smallest) region that holds `address`."""
    found = [region for region in device.regions if region.low <= address <= region.high]
    return min(found, key=lambda region: region.high - region.low, default=None)

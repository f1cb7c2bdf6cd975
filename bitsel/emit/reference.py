"""The reference page of a target, in Markdown: all that its facts say, so that nobody writes it by hand."""

from __future__ import annotations

from collections.abc import Iterator

from bitsel.target.expand import forms
from bitsel.target.facts import Device, Region, Target
from bitsel.target.show import MANY_DEVICES, TableRow, devices_by_core, table_rows


def page(target: Target) -> str:
    """The page, one table of instructions per core."""
    return "\n".join(_lines(target)) + "\n"


def _lines(target: Target) -> Iterator[str]:
    yield f"# {target.name}"
    yield ""
    yield "<!-- Generated from the facts of the target; a test compares. -->"
    yield ""
    yield f"{target.description or 'No description'}. Status: {target.status}. Byte order: {target.endian}."
    yield ""
    yield from _spaces(target)
    for core, devices in devices_by_core(target).items():
        yield from _core(target, core, devices)
    yield "## Sources"
    yield ""
    for tag, meaning in target.sources.items():
        yield f"* `{tag}`: {meaning}"


def _spaces(target: Target) -> Iterator[str]:
    yield "| address space | pointer | constant address | objects lie in |"
    yield "|---|---|---|---|"
    for number, space in target.spaces.items():
        constant = f"{space.add:#x} + c mod 2^{space.bits}" if space.add else f"c mod 2^{space.bits}"
        yield f"| {number} | {space.bits} bits | {constant} | {_range(*space.within)} |"
    yield ""


def _core(target: Target, core: str, devices: list[Device]) -> Iterator[str]:
    yield f"## Core {core}"
    yield ""
    if len(devices) <= MANY_DEVICES:
        for device in devices:
            yield from _device(device)
    else:
        yield f"{len(devices)} devices: {', '.join(f'`{device.name}`' for device in devices)}."
    yield ""
    fullest = max(devices, key=lambda device: len(forms(target, device)))
    if any(len(forms(target, device)) < len(forms(target, fullest)) for device in devices):
        yield f"The instructions of `{fullest.name}`; others of this core have fewer."
        yield ""
    yield "| instruction | does | bytes | clocks | source |"
    yield "|---|---|--:|--:|---|"
    yield from (_row(row) for row in table_rows(target, fullest))
    yield ""


def _device(device: Device) -> Iterator[str]:
    registers = sum(map(len, device.registers.values()))
    known = f"{registers} bytes of registers described" if registers else "no list of its registers"
    yield f"* `{device.name}`: {device.description}{'; ' if device.description else ''}{known}"
    yield from (f"  * {_region(region)}" for region in device.regions)
    yield from (
        f"  * {_range(mirror.low, mirror.high)}: may be the memory at {_range(*mirror.other)}"
        for mirror in device.mirrors
    )


def _region(region: Region) -> str:
    widths = ", ".join(map(str, sorted(region.widths)))
    accesses = f"accesses of {widths} bits" if widths else "no accesses"
    writable = "" if region.writable else ", not writable"
    return f"{_range(region.low, region.high)}: {region.kind}, {accesses}{writable}"


def _row(row: TableRow) -> str:
    source = f"{row.source} (unverified)" if row.unverified else row.source
    cells = (f"`{row.text}`", f"`{row.does}`", str(row.bytes), str(row.cycles), source)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _range(low: int, high: int) -> str:
    return f"{low:#x}..{high:#x}"

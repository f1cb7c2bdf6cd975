"""``bitsel target show``: the table of a target as one of its devices has it, one row per instruction form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from rich.text import Text

from bitsel.emit.console import console_on, plain_table, put
from bitsel.target.facts import Device, Target
from bitsel.target.show import MANY_DEVICES, devices_by_core, table_rows


def write(target: Target, device: Device, out: TextIO, *, alone: bool = False) -> None:
    """Write what `target` is, the instruction forms that `device` has, and what the tags of sources stand for.

    `alone`: no word on other devices.
    """
    console = console_on(out)
    for line in _opening(target, device, alone):
        console.print(Text(line))
    table = plain_table()
    for heading in ("instruction", "does"):
        table.add_column(heading, overflow="fold")
    for heading in ("bytes", "clocks"):
        table.add_column(heading, justify="right")
    table.add_column("source", overflow="fold")
    for row in table_rows(target, device):
        source = f"{row.source} (unverified)" if row.unverified else row.source
        cells = (row.text, row.does, str(row.bytes), str(row.cycles), source)
        table.add_row(*map(Text, cells))
    put(console, table)
    console.print()
    for tag, meaning in target.sources.items():
        console.print(Text(f"{tag}: {meaning}"))


def _opening(target: Target, device: Device, alone: bool) -> Iterator[str]:
    yield f"{target.name}: {target.description or 'no description'}; {target.status}, {target.endian}-endian"
    if alone:
        yield from _line(device, device)
    elif len(target.devices) > MANY_DEVICES:
        for core, devices in devices_by_core(target).items():
            yield f"  core {core}, {len(devices)} devices: {', '.join(each.name for each in devices)}"
        yield from _line(device, device)
    else:
        for each in target.devices.values():
            yield from _line(each, device)
    yield ""


def _line(each: Device, shown: Device) -> Iterator[str]:
    follow = "; its instructions follow" if each is shown else ""
    yield f"  {each.name}: core {each.core}{', ' if each.description else ''}{each.description}{follow}"

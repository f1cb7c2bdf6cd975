"""Checking a target: the levels there are, which devices they are run for, and running them.

Every level is a module of this package with one function, ``check(target, device)``, that yields a `RowResult` per
instruction form. A level that misses a tool or an extra yields a skipped row that says what to install.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module

from attrs import frozen

from bitsel.errors import FactsError, UsageError, did_you_mean
from bitsel.target.facts import Device, Target
from bitsel.verify.result import RowResult

LEVELS = ("facts", "proof", "assembler", "simulator")
"""From the cheapest to the one that needs most; each is a module of this name."""

Check = Callable[[Target, Device], Iterator[RowResult]]


@frozen
class DeviceResult:
    """What one level says about one instruction form of one device, named `device`."""

    device: str
    result: RowResult


def unloadable(problem: FactsError) -> DeviceResult:
    """The one result there is on a table that cannot be loaded."""
    message = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
    return DeviceResult("", RowResult("facts", str(problem.where or "the table"), "failed", message))


def check_of(level: str) -> Check:
    """The function that checks `level`. UsageError for a level that is not there."""
    if level not in LEVELS:
        known = ", ".join(LEVELS)
        raise UsageError(f"unknown level {level!r} (known: {known})", hint=did_you_mean(level, LEVELS))
    check: Check = import_module(f"bitsel.verify.{level}").check
    return check


def devices_of(target: Target) -> tuple[Device, ...]:
    """One device per core: the one of which most registers are known, since it can tell most forms apart."""
    found: list[Device] = []
    for core in target.cores:
        of_core = [device for device in target.devices.values() if device.core == core]
        if of_core:
            found.append(max(of_core, key=lambda device: len(device.registers)))
    return tuple(found)


def run(target: Target, devices: Iterable[Device], levels: Iterable[str]) -> Iterator[DeviceResult]:
    """What each of `levels` says about each of `devices`, level by level."""
    devices = tuple(devices)
    for check in [check_of(level) for level in levels]:
        for device in devices:
            for result in check(target, device):
                yield DeviceResult(device.name, result)

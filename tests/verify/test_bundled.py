"""Every bundled target that names an assembler and a simulator passes both levels, on one device per core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bitsel.plugins import Plugins
from bitsel.target.facts import Device, Target
from bitsel.verify import assembler, simulator

Tool = Callable[[str], Path]


def cores() -> Iterator[Any]:
    plugins = Plugins()
    for name in plugins.names:
        target = plugins.target(name)
        of_core = {device.core: device for device in reversed(target.devices.values())}
        for core, device in of_core.items():
            yield pytest.param(target, device, id=f"{name}-{core}")


@pytest.mark.parametrize(("target", "device"), list(cores()))
def test_assembler(target: Target, device: Device, tool: Tool) -> None:
    if target.assembler is None:
        pytest.skip(f"{target.name} names no [assembler]")
    tool(target.assembler.tool)
    wrong = [result for result in assembler.check(target, device) if result.outcome in ("failed", "skipped")]
    assert wrong == []


@pytest.mark.parametrize(("target", "device"), list(cores()))
def test_simulator(target: Target, device: Device, tool: Tool) -> None:
    if target.assembler is None or target.simulator is None:
        pytest.skip(f"{target.name} names no [simulator]")
    if device.core not in target.simulator.arguments:
        pytest.skip(f"{target.simulator.tool} does not know the core {device.core}")
    tool(target.assembler.tool)
    tool(target.simulator.tool)
    wrong = [result for result in simulator.check(target, device) if result.outcome in ("failed", "skipped")]
    assert wrong == []

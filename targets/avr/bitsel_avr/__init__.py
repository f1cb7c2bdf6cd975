"""The target AVR: `target.toml` beside this file holds the facts."""

from __future__ import annotations

from pathlib import Path

from bitsel.hookspecs import hookimpl


@hookimpl
def bitsel_target() -> Path:
    return Path(__file__).parent

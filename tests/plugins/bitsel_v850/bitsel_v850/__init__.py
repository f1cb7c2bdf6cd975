"""The target V850: `target.toml` beside this file holds the facts."""

from pathlib import Path

from bitsel.hookspecs import hookimpl


@hookimpl
def bitsel_target() -> Path:
    return Path(__file__).parent

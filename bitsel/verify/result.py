"""What a check says of one row of a target's table."""

from __future__ import annotations

from typing import Literal

from attrs import frozen


@frozen
class RowResult:
    """`row` is its text as ``target show`` prints it, or what was skipped as a whole. ``known-error`` is a
    disagreement that the facts declare to be the tool's; ``skipped`` comes with what to do about it."""

    level: str
    row: str
    outcome: Literal["ok", "failed", "known-error", "skipped"]
    detail: str = ""

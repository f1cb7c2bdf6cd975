"""What a check says about one instruction of a table."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Outcome = Literal["ok", "failed", "known-error", "skipped"]


@frozen
class RowResult:
    """One instruction form (`row`, as ``bitsel target show`` writes it), or what else was checked, at one level.

    `known-error`: not as the table says, by a declared fault of the tool that was asked. `detail` says what is
    wrong, why it was skipped, or what there is to know.
    """

    level: str
    row: str
    outcome: Outcome
    detail: str = ""

"""Which rows a tool's known errors are about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bitsel.target.facts import KnownError
from bitsel.verify.instance import Instance


def concerns(error: KnownError, row: str, instance: Instance) -> bool:
    """Whether the error is one of this instance of a row, whose text is `row`."""
    named = any(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), row) for pattern in error.rows)
    return named and all(instance.values.get(name) in values for name, values in error.operands.items())


def told(errors: Iterable[KnownError], row: str, instance: Instance) -> str | None:
    """Where it is known from that the errors concern the instance; None if none of them does."""
    return "; ".join(dict.fromkeys(error.source for error in errors if concerns(error, row, instance))) or None

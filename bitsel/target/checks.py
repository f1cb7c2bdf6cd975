"""Checks of a whole table that need its rows expanded: rows nobody can use, two forms with one spelling."""

from __future__ import annotations

from bitsel.target.facts import Target


def check(target: Target) -> None:
    """Raises `Problem` where the table does not hold together."""

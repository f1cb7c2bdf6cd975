"""Why a selected update is left as it is after all."""

from __future__ import annotations


class Kept(Exception):
    """The update cannot be written soundly in the chosen form; the text is why. Never leaves the rewriter."""

"""Why a selected update is left as it is after all."""

from __future__ import annotations


class Kept(Exception):
    """The update cannot be written soundly in the chosen form; the text is why. Never leaves the rewriter."""


ALREADY = "it already is what the target's compiler makes the chosen form of"
"""The one reason that is no loss."""
EXCLUDED = "it is not among the sites to rewrite"

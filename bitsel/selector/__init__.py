"""Selection: for one bit update on one device, the cheapest legal instructions, the baseline, or the reason."""

from bitsel.selector.engine import Engine
from bitsel.selector.verdict import Selection, Sequence

__all__ = ["Engine", "Selection", "Sequence"]

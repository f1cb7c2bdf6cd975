"""bitsel: the cheapest legal bit instructions for the single-bit updates in compiled code.

>>> import bitsel
>>> report = bitsel.select("examples/sha256.O2.ll", target="rl78:r7f100g")  # doctest: +SKIP
>>> [site.chosen.asm for site in report.sites if site.chosen]  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitsel.api import Selector, select
    from bitsel.comparison import Comparer, Comparison, SiteComparison, compare
    from bitsel.report import InputReport, Report, SiteReport, Summary

__version__ = "0.1.0"

__all__ = [
    "Comparer",
    "Comparison",
    "InputReport",
    "Report",
    "Selector",
    "SiteComparison",
    "SiteReport",
    "Summary",
    "__version__",
    "compare",
    "select",
]

_HOME = {
    "Comparer": "bitsel.comparison",
    "Comparison": "bitsel.comparison",
    "Selector": "bitsel.api",
    "SiteComparison": "bitsel.comparison",
    "compare": "bitsel.comparison",
    "select": "bitsel.api",
}


def __getattr__(name: str) -> object:
    """The public names, imported at first use: `import bitsel` alone costs a build nothing."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(_HOME.get(name, "bitsel.report")), name)
    raise AttributeError(f"module 'bitsel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))

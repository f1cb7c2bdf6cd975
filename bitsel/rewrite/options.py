"""What a rewriting may do, and to which sites."""

from __future__ import annotations

from fnmatch import fnmatchcase

from attrs import field, frozen

from bitsel.errors import UsageError
from bitsel.selector.verdict import Objective, Policy


@frozen
class Sites:
    """Which sites are rewritten, by id (``function:block:ordinal``) or glob pattern of ids.

    `only` empty admits all; `but` takes away from what `only` admits. An id stands for itself, whatever characters
    are in it.
    """

    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def admit(self, site: str) -> bool:
        return (not self.only or _matches(site, self.only)) and not _matches(site, self.but)


def _matches(site: str, patterns: tuple[str, ...]) -> bool:
    return any(site == pattern or fnmatchcase(site, pattern) for pattern in patterns)


@frozen
class Ram:
    """What is known to be plain memory beyond what the input says: symbols by name, inclusive address ranges."""

    symbols: frozenset[str] = frozenset()
    ranges: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, given: tuple[str, ...]) -> Ram:
        """From arguments, each ``SYMBOL`` or ``LOW..HIGH``. UsageError for a range that is none."""
        symbols, ranges = set(), []
        for text in given:
            low, dots, high = text.partition("..")
            if not dots or not low[:1].isdigit():
                symbols.add(text)
                continue
            try:
                found = int(low, 0), int(high, 0)
            except ValueError:
                raise UsageError(f"{text!r} is no range of addresses: expected such as 0x200..0x9ff") from None
            if found[0] > found[1]:
                raise UsageError(f"{text!r} ends before it begins")
            ranges.append(found)
        return cls(frozenset(symbols), tuple(ranges))


@frozen(kw_only=True)
class Options:
    """How to rewrite.

    `narrow`: accesses of memory that is known to be plain may become narrower (assembly does not say what is
    volatile); `ram` names more such memory. `trade`: the objective alone decides, the other measure may get worse.
    `undo`: bit instructions become LOAD-OP-STORE instead. `by_hand`: assembly follows no calling
    convention.
    """

    objective: Objective = "size"
    policy: Policy = "strict"
    narrow: bool = False
    ram: Ram = field(factory=Ram)
    trade: bool = False
    undo: bool = False
    by_hand: bool = False
    sites: Sites = field(factory=Sites)

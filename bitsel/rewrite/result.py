"""What a rewriting yields: the new text, and every site with what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from bitsel.report import SiteReport

ALREADY = "it already is what the target's compiler makes the chosen form of"
EXCLUDED = "it is not among the sites to rewrite"
"""Two reasons for which a site is kept that are no loss."""


@frozen
class RewriteSite:
    """One site of the input. `report` is the site and the verdict on it; its line is that of the old text.

    A rewritten site has `before` and `after`, the instructions as they stood and as they stand, in order, without
    the blanks and comments around them; for any other both are empty. `kept` says why a selected site was left all
    the same, None for any other. `line_after` is the site's line in the new text, from 1.
    """

    report: SiteReport
    line_after: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    kept: str | None = None

    @property
    def rewritten(self) -> bool:
        return bool(self.before)

    @property
    def line_before(self) -> int:
        return self.report.line


@frozen
class Rewritten:
    """The new text, all sites in the input's order, and how many functions were read. `warning` says why its sites
    may mean nothing on the target."""

    text: str
    sites: tuple[RewriteSite, ...]
    functions: int = 0
    warning: str | None = None


@frozen
class Splice:
    """text[start:end] becomes `text`. Splices of one text do not overlap."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Sequence[Splice]) -> str:
    """`text` with the splices made; ValueError where two overlap."""
    pieces: list[str] = []
    at = 0
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.end)):
        if splice.start < at:
            raise ValueError(f"two rewritings overlap at offset {splice.start}")
        pieces += text[at : splice.start], splice.text
        at = splice.end
    pieces.append(text[at:])
    return "".join(pieces)


class Lines:
    """Lines of the new text by lines of the old: what the splices before a line add and take."""

    def __init__(self, text: str, splices: Sequence[Splice]) -> None:
        self._changes = sorted(
            (splice.start, splice.text.count("\n") - text.count("\n", splice.start, splice.end))
            for splice in splices
        )
        self._at = self._shift = 0

    def after(self, line: int, offset: int) -> int:
        """The new line of what stands at `offset` on the old `line`; to be asked in ascending order of `offset`."""
        while self._at < len(self._changes) and self._changes[self._at][0] < offset:
            self._shift += self._changes[self._at][1]
            self._at += 1
        return line + self._shift

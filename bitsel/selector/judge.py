"""The verdict on one cell: its baseline, the sequence chosen, or which condition stands in the way.

A site is selected when the chosen sequence is cheaper than the baseline, or as cheap and uninterruptible where
the baseline is not. Otherwise the reason is the first condition whose relaxation alone would make it selected.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from attrs import evolve, frozen

from bitsel.reasons import Code
from bitsel.selector.cell import ByteRule, Cell
from bitsel.selector.memo import Memo, Solution, recall, record
from bitsel.selector.offsets import serves_all
from bitsel.selector.search import Path, SearchTooLarge
from bitsel.selector.setting import Setting
from bitsel.selector.shape import Vocabulary
from bitsel.selector.solver import Question, Solver
from bitsel.selector.verdict import Objective
from bitsel.target.expr import Expr

_EVERY = 9
"""A cap that no count of bits in a byte reaches."""


@frozen
class Situation:
    """A cell with what else decides about it.

    `base`: the address a pointer or slot stands for, over registers. `update`: the source itself is one atomic
    update, so there is no baseline. `volatile` is kept beside the cell's access, which atomicity may hide.
    `reacts`: a register there does more than hold its bits, and the policy asks to keep off. `reachable`: whether
    the target says what the address space means; where it does not, `near` is the same in the default space.
    """

    cell: Cell
    base: Expr | None
    update: bool = False
    volatile: bool = False
    reacts: bool = False
    reachable: bool = True
    near: Situation | None = None


@frozen
class Verdict:
    """What the searches found: `chosen` is set exactly where the site is selected, then `solution` is its memo;
    `code` where it is not and the reason was asked for."""

    baseline: Path | None
    chosen: Path | None
    code: Code | None = None
    solution: Solution | None = None


class Judge:
    """Judges situations on one device under one objective; solved shapes go to `memo`."""

    def __init__(self, setting: Setting, objective: Objective, memo: Memo) -> None:
        self.setting = setting
        self.objective = objective
        self.vocabulary = Vocabulary.of(setting)
        self.memo = memo
        self.alignments = max(setting.target.align.values(), default=1)

    def verdict(self, situation: Situation, *, ask_why: bool = False) -> Verdict:
        """Baseline and chosen sequence, as they stand, of a situation; with `ask_why` also the reason for none.

        Where a search grows too large nothing is chosen, for what is not compared is not known to be cheaper.
        """
        solver = Solver(self.setting, situation.cell, situation.base, self.objective)
        baseline, cap = None, _EVERY
        try:
            if situation.reachable and not situation.update:
                baseline, cap = self._baseline(situation, solver)
            return self._verdict(situation, solver, baseline, cap, ask_why)
        except SearchTooLarge:
            return Verdict(baseline, None, Code.COST)

    def _verdict(
        self, situation: Situation, solver: Solver, baseline: Path | None, cap: int, ask_why: bool
    ) -> Verdict:
        key = self._key(situation, "select", cap)
        known = self.memo.get(key)
        chosen = None
        if known is not None and (known.steps is not None or known.gave_up):
            chosen = recall(known, solver, known.question)
        if known is None or (chosen is None and known.steps is not None):
            question: Question = "select"
            if situation.reachable and not situation.reacts:
                with self._remembering(key, question):
                    question, chosen = self._choose(solver, baseline)
            known = record(chosen, self.setting, question)
            self.memo.put(key, known)
        if chosen is None and ask_why and known.reason is None:
            known = evolve(known, reason=self._reason(situation))
            self.memo.put(key, known)
        return Verdict(baseline, chosen, known.reason, known if chosen is not None else None)

    def proves(self, situation: Situation, solution: Solution) -> bool:
        """Whether the sequence, run step by step, makes the update of this situation."""
        solver = Solver(self.setting, situation.cell, situation.base, self.objective)
        return recall(solution, solver, solution.question) is not None

    def serves_all_offsets(self, situation: Situation, verdict: Verdict) -> bool:
        """Whether the sequences of the verdict serve every offset that the table cannot tell from this one's."""
        cell = situation.cell
        place = cell.place
        if place.kind not in ("pointer", "stack"):
            return True
        key = self.vocabulary.place(place, cell.size, self.alignments)
        others = (evolve(place, offset=place.offset + step) for step in (2, -2))
        other = next((p for p in others if self.vocabulary.place(p, cell.size, self.alignments) == key), None)
        if other is None:
            return False
        at = Solver(self.setting, cell, situation.base, self.objective)
        elsewhere = Solver(self.setting, evolve(cell, place=other), situation.base, self.objective)
        question = verdict.solution.question if verdict.solution is not None else "select"
        return self._serves_all(verdict.baseline, "baseline", at, elsewhere) and self._serves_all(
            verdict.chosen, question, at, elsewhere
        )

    def _serves_all(self, path: Path | None, question: Question, at: Solver, elsewhere: Solver) -> bool:
        if path is None:
            return True
        there = recall(record(path, self.setting, question), elsewhere, question)
        return there is not None and serves_all(path, there, at, elsewhere)

    def _key(self, situation: Situation, question: str, cap: int | None) -> Hashable:
        cell = situation.cell
        return (
            question,
            self.objective,
            cell.access,
            cell.rules,
            (situation.update, situation.volatile, situation.reacts, situation.reachable, situation.near is None),
            repr(situation.base),
            self.vocabulary.place(cell.place, cell.size, self.alignments),
            self.vocabulary.effect(cell.effect, cap),
        )

    def _baseline(self, situation: Situation, solver: Solver) -> tuple[Path | None, int]:
        """The baseline, and `Solution.cap`."""
        # Nothing of the situation matters to it but the cell, and of how that is accessed only what units it is cut
        # into: so the situations in which one condition is relaxed share it.
        plain = Situation(evolve(situation.cell, access="free"), situation.base)
        key = (self._key(plain, "baseline", None), solver.units())
        known = self.memo.get(key)
        if known is not None:
            path = recall(known, solver, "baseline")
            if path is not None or known.steps is None:
                return path, known.cap if known.cap is not None else _EVERY
        with self._remembering(key, "baseline"):
            found = solver.solve("baseline")
        cap = _EVERY
        if found is not None:
            cap = solver.most_bits((found.at_least or found.cost.key(self.objective))[0]) + 1
        self.memo.put(key, evolve(record(found, self.setting, "baseline"), cap=cap))
        return found, cap

    @contextmanager
    def _remembering(self, key: Hashable, question: Question) -> Iterator[None]:
        """A search that grows too large is not begun again for the next cell of its shape."""
        try:
            yield
        except SearchTooLarge:
            self.memo.put(key, Solution(None, question, gave_up=True))
            raise

    def _choose(self, solver: Solver, baseline: Path | None) -> tuple[Question, Path | None]:
        """The cheapest sequence that beats the baseline, else one as cheap that no interrupt can tear, if the
        baseline can be torn."""
        if baseline is None:
            return "select", solver.solve("select")
        primary, secondary = baseline.at_least or baseline.cost.key(self.objective)
        best = solver.solve("select", below=(primary, secondary))
        if best is not None or not baseline.interruptible:
            return "select", best
        return "one-update", solver.solve("one-update", below=(primary, secondary + 1))

    def _reason(self, situation: Situation) -> Code:
        """Why a situation without a chosen sequence is so."""
        for code, relaxed in self.relaxations(situation):
            if self.verdict(relaxed).chosen is not None:
                return code
        return Code.COST if self._has_form(situation) else Code.NO_FORM

    def relaxations(self, s: Situation) -> Iterator[tuple[Code, Situation]]:
        """The conditions in their order, each with the situation in which it alone is lifted."""
        cell, place = s.cell, s.cell.place
        if cell.access == "once":
            yield Code.VOLATILE_WIDTH, evolve(s, cell=evolve(cell, access="free"))
        if cell.access == "single":
            plain = evolve(cell, access="once" if s.volatile else "free")
            yield Code.ATOMIC, evolve(s, cell=plain, update=False)
        if any(rule != ByteRule() for rule in cell.rules):
            free = (ByteRule(),) * cell.size
            yield Code.NOT_BIT_ADDRESSABLE, evolve(s, cell=evolve(cell, rules=free))
        if s.reacts:
            yield Code.HW_SEMANTICS, evolve(s, reacts=False)
        if s.near is not None:
            yield Code.ADDR_SPACE, s.near
        if place.kind == "absolute":
            # An address in range is another address: what holds of the register at this one does not hold there.
            there = evolve(cell, place=evolve(place, any_range=True), rules=(ByteRule(),) * cell.size)
            yield Code.ADDR_RANGE, evolve(s, cell=there, reacts=False)
        if place.kind in ("pointer", "stack"):
            fixed = evolve(place, kind="symbol", any_range=True)
            yield Code.NONCONST_ADDR, evolve(s, cell=evolve(cell, place=fixed), base=None)
        if cell.effect.changed_mask.bit_count() > 1:
            for alone in cell.single_bits():
                yield Code.MULTI_BIT, evolve(s, cell=alone)

    def _has_form(self, situation: Situation) -> bool:
        if not situation.reachable:
            return False
        return Solver(self.setting, situation.cell, situation.base, self.objective).has_form()

    def placements(self, situation: Situation) -> Iterator[tuple[tuple[int, int], Path]]:
        """For a symbol: the ranges of operands in which this update would be selected, each with the sequence."""
        cell = situation.cell
        seen: set[tuple[int, int]] = set()
        for number, less in self.vocabulary.addresses:
            for low, high, step in number.ranges.runs:
                span = (low + less, high + less)
                if step == 1 and span not in seen:
                    seen.add(span)
                    place = evolve(cell.place, reach=span)
                    chosen = self.verdict(evolve(situation, cell=evolve(cell, place=place))).chosen
                    if chosen is not None:
                        yield span, chosen

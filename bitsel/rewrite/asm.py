"""Assembly in, assembly out: updates are found by the matcher of the core IR and given their sequence in place.

One block after another, one update after another in program order: what makes way (`removal`), what takes its place
(`selector.replace`), and the text with that spliced in. Every byte outside of a rewritten update stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from bitsel.frontends.gas.effects import Units
from bitsel.frontends.gas.lift import Lifted, lift
from bitsel.frontends.gas.liveness import Convention, Liveness
from bitsel.frontends.gas.operands import Instruction
from bitsel.frontends.gas.program import Block, Function, Program, read_program
from bitsel.frontends.gas.scan import Statement, comments_between
from bitsel.match import Site, match
from bitsel.mirror import Mirror
from bitsel.reasons import Code, Reason
from bitsel.report import SiteReport
from bitsel.rewrite.options import Options
from bitsel.rewrite.removal import BlockState, Removal, removal
from bitsel.rewrite.result import EXCLUDED, Lines, RewriteSite, Rewritten, Splice, spliced
from bitsel.selector.explain import Case, assumptions, explain
from bitsel.selector.replace import Replacement, Replacer, Surroundings, Update
from bitsel.selector.search import Cost
from bitsel.selector.verdict import Selection, Sequence
from bitsel.target.expr import Binary, Expr, Mem, Name, Num
from bitsel.target.facts import Device, NumberOperand, Target
from bitsel.target.semantics import IntDomain, evaluate
from bitsel.target.vocabulary import memory_in, mentioned


@frozen
class Found:
    """One update of the text: the site, the verdict, and where it is selected the change: the statements that go,
    the one of them that the new sequence takes the place of."""

    report: SiteReport
    gone: tuple[Statement, ...] = ()
    at: Statement | None = None


def rewrite_assembly(
    text: str,
    path: str,
    target: Target,
    device: Device,
    options: Options | None = None,
    replacer: Replacer | None = None,
) -> Rewritten:
    """`text` with its updates rewritten for `device`, as far as `options` admit; `replacer`: one of these options
    that other texts are rewritten by, too.

    Raises InputError where the text cannot be taken apart into statements.
    """
    assembly = Assembly(text, path, target, device, options or Options(), replacer)
    rewritten = assembly.rewritten()
    if replacer is None:
        assembly.replacer.close()
    return rewritten


class Assembly:
    """One text of assembly on its way to being rewritten."""

    def __init__(
        self,
        text: str,
        path: str,
        target: Target,
        device: Device,
        options: Options,
        replacer: Replacer | None = None,
    ) -> None:
        self.text = text
        self.path = path
        self.target = target
        self.device = device
        self.options = options
        self.program: Program = read_program(text, path, target, device)
        self.units = Units(target, device)
        self.mirrors = tuple(Mirror(0, m.low, m.high, *m.other) for m in device.mirrors)
        self.convention = Convention.of(target.abi, self.units, known=not options.by_hand)
        self.replacer = replacer or Replacer(
            target, device, options.objective, options.policy, trade=options.trade, undo=options.undo
        )

    def rewritten(self) -> Rewritten:
        found = list(self.updates())
        splices = [splice for update in found for splice in self._splices(update)]
        lines = Lines(self.text, splices)
        sites = []
        for update in sorted(found, key=_offset):
            line = lines.after(update.report.line, _offset(update))
            before = tuple(self.text[s.start : s.end] for s in update.gone)
            after = update.report.chosen.asm if update.gone and update.report.chosen is not None else ()
            kept = EXCLUDED if update.report.chosen is not None and not before else None
            sites.append(RewriteSite(update.report, line, before, after, kept))
        return Rewritten(spliced(self.text, splices), tuple(sites), len(self.program.functions))

    def is_plain(self, place: str | int, size: int) -> bool:
        """Whether accesses there may be made narrower: that was asked for, and it is known to be RAM."""
        options = self.options
        if not options.narrow:
            return False
        if isinstance(place, str):
            return place in self.program.data or place in options.ram.symbols
        return any(low <= place and place + size - 1 <= high for low, high in options.ram.ranges)

    def updates(self) -> Iterator[Found]:
        """Every update, function by function."""
        for function in self.program.functions:
            if any(self._may_update(block) for block in function.blocks):
                yield from _FunctionRewriter(self, function).updates()

    def _may_update(self, block: Block) -> bool:
        return any(self.units.effects(step.instruction).stores for step in block.steps)

    # -- splicing ---------------------------------------------------------------------------------------------

    def _splices(self, found: Found) -> Iterator[Splice]:
        """What a selected update changes in the text."""
        for statement in found.gone:
            if statement is found.at:
                yield self._put_in(statement, found.report)
            else:
                yield self._taken_out(statement)

    def _put_in(self, statement: Statement, report: SiteReport) -> Splice:
        """The new sequence in the place of `statement`, with the blanks that stood there."""
        assert report.chosen is not None
        old = self.text[statement.start : statement.end]
        begin = self.text.rfind("\n", 0, statement.start) + 1
        before = self.text[begin : statement.start]
        indent = before if not before.strip() else "\t"
        tab = "\t" if old[len(statement.word) : len(statement.word) + 1] == "\t" else " "
        comments = [comment.text for comment in comments_between(self.program.comments, *_span(statement))]
        lines = [*comments, *(line.replace(" ", tab, 1) for line in report.chosen.asm)]
        return Splice(statement.start, statement.end, ("\n" + indent).join(lines))

    def _taken_out(self, statement: Statement) -> Splice:
        """`statement` without a trace: with its line where nothing else is on it; comments stay."""
        text = self.text
        begin = text.rfind("\n", 0, statement.start) + 1
        end = text.find("\n", statement.end)
        end = len(text) if end < 0 else end
        comments = [comment.text for comment in comments_between(self.program.comments, *_span(statement))]
        follows = text[statement.end : end].strip()
        if not comments and not follows:
            if not text[begin : statement.start].strip():
                return Splice(begin, min(end + 1, len(text)), "")
            return Splice(begin + len(text[begin : statement.start].rstrip()), statement.end, "")
        stop = statement.end
        if follows.startswith((self.target.dialect.comment, "/*")):
            stop += len(text[stop:end]) - len(text[stop:end].lstrip())
        return Splice(statement.start, stop, " ".join(comments))


def _span(statement: Statement) -> tuple[int, int]:
    return statement.start, statement.end


def _offset(found: Found) -> int:
    span = found.report.site.at.span
    return span.start if span is not None else 0


class _FunctionRewriter:
    """The updates of one function."""

    def __init__(self, assembly: Assembly, function: Function) -> None:
        self.assembly = assembly
        self.function = function
        self.target = assembly.target
        self.units = assembly.units
        self.lifted: Lifted = lift(function, self.units, assembly.is_plain)
        self.liveness = Liveness(function, self.units, assembly.convention, assembly.program)
        self.states: dict[Block, BlockState] = {}

    def updates(self) -> Iterator[Found]:
        for site in match(self.lifted.function, self.assembly.mirrors):
            yield self._update(site)

    def _update(self, site: Site) -> Found:
        if site.reason is not None or site.idiom is None or site.load is None:
            return self._left(site, Selection("rejected", None, None, site.reason, absolute=_absolute(site)))
        block, store = self.lifted.origin[site.at]
        _, load = self.lifted.origin[site.load]
        if block.fixed:
            reason = Reason(Code.CONTROL_FLOW, "a skip or a jump by a distance counts its instructions")
            return self._left(site, Selection("rejected", None, None, reason, absolute=_absolute(site)))
        return self._asked(site, block, load, store)

    def _left(self, site: Site, selection: Selection) -> Found:
        return Found(SiteReport(self.assembly.path, site, selection))

    def _asked(self, site: Site, block: Block, load: int, store: int) -> Found:
        """What the target says to an update that is one."""
        state = self.states.get(block)
        if state is None:
            state = self.states[block] = BlockState.of(block, self.liveness)
        place = self._place(site, block.steps[store].instruction)
        if place is None or not self._are_accesses(block, load, store):
            reason = Reason(Code.NO_FORM, "its address is not one that instructions of this table take")
            return self._left(site, Selection("rejected", None, None, reason, absolute=_absolute(site)))
        if self.assembly.options.undo and not (load == store and block.steps[store].instruction.form.bit):
            reason = Reason(Code.NO_FORM, "it is not one bit instruction, which could be undone")
            return self._left(site, Selection("rejected", None, None, reason, absolute=_absolute(site)))
        reads = self.units.mask(mentioned(place.base)) if place.base is not None else 0
        goes = removal(state, self.liveness, load, store, reads)
        if goes.needed:
            return self._left(site, self._needed(site, block, load, store, place, reads))
        removed = self._sequence(block, goes)
        answer = self._answer(block, goes, place, removed)
        selection = self._selection(site, removed, answer)
        report = SiteReport(self.assembly.path, site, selection)
        if answer.sequence is None or not self.assembly.options.sites.admit(report.id):
            return Found(report)
        state.gone.update(goes.steps)
        state.reads[store] = reads
        gone = tuple(block.steps[number].statement for number in goes.steps)
        return Found(report, gone, block.steps[store].statement)

    def _are_accesses(self, block: Block, load: int, store: int) -> bool:
        """Whether the two steps make the update's accesses and no others, and set nothing that is in memory."""
        wanted = {load: (True, load == store), store: (load == store, True)}
        for number, (loads, stores) in wanted.items():
            instruction = block.steps[number].instruction
            effects = self.units.effects(instruction)
            places = {mem for s in instruction.form.does for e in (*s.targets, *s.values) for mem in memory_in(e)}
            if (effects.loads, effects.stores) != (loads, stores) or len(places) != 1 or effects.special:
                return False
        return True

    def _written(self, block: Block, goes: Removal) -> int:
        written = 0
        for number in goes.steps:
            written |= self.units.effects(block.steps[number].instruction).writes
        return written

    def _sequence(self, block: Block, goes: Removal) -> Sequence:
        """The instructions that go, as a report shows them."""
        steps = [block.steps[number] for number in goes.steps]
        text = self.assembly.text
        return Sequence(
            asm=tuple(" ".join(text[s.statement.start : s.statement.end].split()) for s in steps),
            bytes=sum(step.instruction.form.bytes for step in steps),
            cycles=sum(step.instruction.form.cycles for step in steps),
            interruptible=sum(
                effects.loads or effects.stores
                for effects in (self.units.effects(step.instruction) for step in steps)
            )
            > 1,
            clobbers=tuple(sorted(self.units.named(self._written(block, goes)))),
        )

    def _answer(self, block: Block, goes: Removal, place: Update, removed: Sequence) -> Replacement:
        free = self.units.named(goes.free & (self.units.flags | self._usable(block, goes)))
        surroundings = Surroundings(frozenset(free), Cost(removed.bytes, removed.cycles))
        return self.assembly.replacer.replacement(place, surroundings)

    def _usable(self, block: Block, goes: Removal) -> int:
        """The registers that a new sequence may use where they are free.

        What a function leaves alone a caller in the same file may rely on, whatever the convention says.
        """
        if not self.assembly.options.undo:
            return self._written(block, goes)
        written = 0
        for other in self.function.blocks:
            for step in other.steps:
                written |= self.units.effects(step.instruction).writes
        called = self.function.name in self.assembly.program.called
        return written if called else written | self.assembly.convention.clobbered

    def _needed(self, site: Site, block: Block, load: int, store: int, place: Update, reads: int) -> Selection:
        """Why an update stays whose registers or flags are needed: for that, if it would go otherwise."""
        state = self.states[block]
        waived = self.units.flags
        goes = removal(state, self.liveness, load, store, reads, waived)
        while goes.needed & ~waived:
            waived |= goes.needed
            goes = removal(state, self.liveness, load, store, reads, waived)
        removed = self._sequence(block, goes)
        answer = self._answer(block, goes, place, removed)
        if answer.sequence is None:
            return self._selection(site, removed, answer)
        code = Code.REG_LIVE if waived & ~self.units.flags else Code.FLAGS_LIVE
        needed = waived & ~self.units.flags or waived
        reason = Reason(code, f"{', '.join(self.units.named(needed))}: needed later as the update leaves it")
        return Selection("rejected", None, removed, reason, absolute=_absolute(site))

    def _selection(self, site: Site, removed: Sequence, answer: Replacement) -> Selection:
        assert site.idiom is not None
        absolute = _absolute(site)
        case = Case(self.target, self.assembly.device, site.idiom, absolute, answer.facts)
        if answer.sequence is not None:
            warnings = case.warnings() if self.assembly.options.policy == "vendor" else ()
            return Selection(
                "selected", answer.sequence, removed, None, assumptions(site.idiom), warnings, absolute=absolute
            )
        assert answer.code is not None
        return Selection(
            "rejected",
            None,
            removed,
            self._why(answer.code, case, removed),
            assumptions(site.idiom),
            absolute=absolute,
        )

    def _why(self, code: Code, case: Case, removed: Sequence) -> Reason:
        match code:
            case Code.FLAGS_LIVE:
                return Reason(code, "flags that a cheaper sequence changes are needed later")
            case Code.REG_LIVE:
                return Reason(code, "no register that a cheaper sequence changes is free")
            case Code.COST:
                spelled = f"{removed.bytes} bytes and {removed.cycles} clocks"
                return Reason(code, f"nothing was found for {case.place} that costs less than {spelled}")
        return explain(code, case, ())

    # -- where an update is -----------------------------------------------------------------------------------

    def _place(self, site: Site, store: Instruction) -> Update | None:
        """Where the update is, in terms of the registers that the store itself uses."""
        assert site.idiom is not None
        effect, address = site.idiom.effect, site.idiom.address
        top = (0, (1 << self.target.address_bits) - 1)
        plain = not site.idiom.access.volatile
        if address.kind == "absolute":
            return Update(effect, top, address=address.offset, plain=plain)
        operand = _address_of(store)
        if operand is None:
            return None
        if address.kind == "symbol":
            return Update(
                effect, _hull(operand, store) or top, symbol=address.base, offset=address.offset, plain=plain
            )
        base = _based(operand, store.env)
        if base is None:
            return None
        expression, offset = base
        names = mentioned(expression)
        if len(names) != 1 or any(self.target.registers[name].width < 16 for name in names):
            return None  # an index, which no row takes for a pointer
        # What the store steps before its access is not what the register holds before the store.
        stepped = self.units.effects(store).writes & self.units.mask(mentioned(expression))
        if stepped:
            return None
        width = max(self.target.registers[name].width for name in names)
        low = evaluate(expression, lambda name: 0, IntDomain())
        within = (low, min(low + (1 << width) - 1, top[1]))
        return Update(effect, within, base=expression, offset=offset)


def _absolute(site: Site) -> int | None:
    address = site.idiom.address if site.idiom is not None else None
    return address.offset if address is not None and address.kind == "absolute" else None


def _address_of(store: Instruction) -> Expr | None:
    """The address that the store's one memory place is at."""
    for statement in store.form.does:
        for place in statement.targets:
            if isinstance(place, Mem):
                return place.address
    return None


def _hull(address: Expr, store: Instruction) -> tuple[int, int] | None:
    """The addresses that the operand naming a symbol's place can name."""
    if isinstance(address, Name):
        operand = store.form.operands.get(address.id)
        if isinstance(operand, NumberOperand) and "whole" in operand.number.symbol:
            runs = operand.number.ranges.runs
            return min(low for low, _, _ in runs), max(high for _, high, _ in runs)
    return None


def _based(address: Expr, env: Mapping[str, object]) -> tuple[Expr, int] | None:
    """A sum as what its registers and constants are, and the displacement; None where it is not such a sum."""
    match address:
        case Num():
            return address, 0
        case Name(name):
            bound = env.get(name, name)
            if isinstance(bound, int):
                return Num(0), bound
            return (Name(bound), 0) if isinstance(bound, str) else None
        case Binary("+", left, right):
            ours, theirs = _based(left, env), _based(right, env)
            if ours is None or theirs is None:
                return None
            zero = Num(0)
            base = (
                ours[0] if theirs[0] == zero else theirs[0] if ours[0] == zero else Binary("+", ours[0], theirs[0])
            )
            return base, ours[1] + theirs[1]
        case Binary("<<", Name(), Num()):
            return None
    return None

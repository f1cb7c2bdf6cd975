"""The rewriting of one module, site by site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from bitsel.chain import Values
from bitsel.frontends.llvm import Module, read
from bitsel.frontends.llvm.entities import Entities
from bitsel.inputs import sites_of
from bitsel.ir import AtomicRMW, Binary, Block, Cast, Function, Load, Node, Store, touches_memory
from bitsel.match import Idiom, Site
from bitsel.report import SiteReport
from bitsel.rewrite.llvm import inline
from bitsel.rewrite.llvm.kept import Kept
from bitsel.rewrite.llvm.layout import Layout, placeholder
from bitsel.rewrite.llvm.places import place_of
from bitsel.rewrite.llvm.plain import Attached, Line, Window, operations, update
from bitsel.rewrite.llvm.spelling import metadata_of, pointer_of
from bitsel.rewrite.options import Options
from bitsel.rewrite.result import ALREADY, EXCLUDED, Lines, RewriteSite, Rewritten, Splice, spliced
from bitsel.selector.verdict import Instruction, Selection

if TYPE_CHECKING:
    from bitsel.api import Selector

_GROUP = re.compile(r"#(\d+)")
_PROGRAM_SPACE = re.compile(r'^target datalayout\s*=\s*"[^"\n]*-P[1-9]', re.MULTILINE)


def rewrite_llvm(text: str, path: str, selector: Selector, options: Options) -> Rewritten:
    """The IR `text` with its selected updates rewritten; `path` is what reports call it.

    Raises InputError for what is no LLVM IR, or not to its end.
    """
    module = read(text, path, selector.layout)
    selector.check_byte_order(module)
    rewriter = _Module(text, module, selector)
    sites: list[RewriteSite] = []
    splices: list[Splice] = []
    for function in module.functions(whole=True):
        writer = _Function(rewriter, function)
        for site in sites_of(function, module, selector.mirrors):
            found = rewriter.rewrite(writer, site, options)
            splices += found.splices
            sites.append(found.site)
    new = spliced(text, splices)
    return Rewritten(new, _numbered(text, sites, splices), module.function_count, selector.doubt(module))


def _numbered(text: str, sites: list[RewriteSite], splices: list[Splice]) -> tuple[RewriteSite, ...]:
    """The sites with their lines in the new text."""
    lines = Lines(text, splices)
    ordered = sorted(sites, key=lambda site: _end(site))
    after = {id(site): lines.after(site.line_before, _end(site)) for site in ordered}
    return tuple(evolve(site, line_after=after[id(site)]) for site in sites)


def _end(site: RewriteSite) -> int:
    span = site.report.site.at.span
    return span.end if span is not None else 0


@frozen
class _Found:
    site: RewriteSite
    splices: tuple[Splice, ...] = ()


class _Module:
    """What the sites of one module share."""

    def __init__(self, text: str, module: Module, selector: Selector) -> None:
        self.text = text
        self.module = module
        self.selector = selector
        self.entities = Entities(text)
        self.spaced = _PROGRAM_SPACE.search(text) is not None
        # Counts the uses of a value: a use less would make it wrong.
        self.counts_uses = "uselistorder" in text

    def rewrite(self, writer: _Function, site: Site, options: Options) -> _Found:
        selection = self.selector.verdict(site)
        report = SiteReport(self.module.path, site, selection, self.module.debug_location(site.at))
        found = RewriteSite(report, line_after=report.line)
        if selection.chosen is None or site.idiom is None:
            return _Found(found)
        if not options.sites.admit(report.id):
            return _Found(evolve(found, kept=EXCLUDED))
        try:
            if self.counts_uses:
                raise Kept("the module has use-list orders, which count uses")
            return writer.rewritten(found, site.idiom, selection)
        except Kept as reason:
            return _Found(evolve(found, kept=str(reason)))


class _Function:
    """Rewrites the sites of one function."""

    def __init__(self, module: _Module, function: Function) -> None:
        self.module = module
        self.function = function
        self.layout = Layout(module.text, function)
        self._values = Values()

    def rewritten(self, found: RewriteSite, idiom: Idiom, selection: Selection) -> _Found:
        site = found.report.site
        chain = self._chain(site)
        for node in (*chain, site.at):
            self.layout.check(node)
        chosen = selection.chosen
        assert chosen is not None
        instructions = self.module.selector.instructions(idiom)
        if self._reached_by_llvm(idiom, chosen.emitted_by, instructions):
            edit = self._plain(site, idiom, chain)
        else:
            edit = self._inline(site, idiom, chain)
        before = tuple(self.layout.spelled(node) for node in (*chain, site.at))
        return _Found(evolve(found, before=before, after=edit.after), edit.splices)

    def _reached_by_llvm(
        self, idiom: Idiom, emitted_by: tuple[str, ...], instructions: tuple[Instruction, ...]
    ) -> bool:
        """Whether the target's LLVM makes the sequence of a load, logic and a store by itself.

        It does where the sequence is no more than that. Of several instructions that each update memory it makes
        one, an atomic update stays one for it, and where it is not to optimise, it leaves every instruction alone.
        """
        if idiom.atomic or idiom.access.ordering is not None:
            return False
        if not any(each.updates for each in instructions):
            return True
        alone = sum(each.touches for each in instructions) == 1
        return "llvm" in emitted_by and alone and not self._is_optnone

    @cached_property
    def _is_optnone(self) -> bool:
        entities = self.module.entities
        attributes = entities.function_attributes(self.function.name)
        groups = (entities.attribute_group(number) for number in _GROUP.findall(attributes))
        return any("optnone" in each.split() for each in (attributes, *groups))

    def _chain(self, site: Site) -> tuple[Node, ...]:
        """The instructions from the load to the one that makes the value stored, in the order of the text; those of
        an atomic update are itself."""
        if isinstance(site.at, AtomicRMW):
            return ()
        load = site.load
        assert load is not None
        chain: dict[Node, None] = {}
        pending = [site.at.value]
        while pending:
            node = pending.pop()
            if node not in chain and self._values.of(node).load is load:
                chain[node] = None
                pending += node.operands if node is not load else ()
        if any(node.span is None or node.name is None for node in chain):
            raise Kept("an instruction of it has no place in the text")
        if any(isinstance(node, Cast) and node.op == "freeze" for node in chain):
            # Bits that nothing has decided become something by it, also in bytes that a narrower access leaves out.
            raise Kept("a freeze decides bits of it that may be undefined")
        return tuple(sorted(chain, key=_start))

    # -- plain IR -------------------------------------------------------------------------------------------------

    def _plain(self, site: Site, idiom: Idiom, chain: tuple[Node, ...]) -> _Edit:
        assert isinstance(site.at, Store)
        window = Window.of(idiom)
        between = self._between(site, chain)
        whole = window.size == idiom.access.width // 8
        if (
            whole
            and _is_direct(chain, len(operations(idiom.effect)), idiom.access.width)
            and not any(map(touches_memory, between))
        ):
            raise Kept(ALREADY)
        spelled = self.layout.spelled
        load, logic, store = (spelled(node) for node in (chain[0], chain[-1], site.at))
        attached = Attached(
            load=metadata_of(load, all_of_it=whole),
            logic=metadata_of(logic),
            store=metadata_of(store, all_of_it=whole),
            address=metadata_of(store),
        )
        pointer = pointer_of(site.at, store)
        index = self.module.module.layout.bits(site.at.access.space)
        members = frozenset((*chain, site.at))
        spoken_of = [self.layout.mentioned(node, members) for node in chain]
        reused = [] if any(spoken_of) or between else [str(node.name) for node in chain]
        names = _names(reused, self.layout.fresh_names())
        lines = update(idiom, window, pointer, index, attached, names)
        return self._edit(site, chain, spoken_of, lines, len(reused))

    def _between(self, site: Site, chain: tuple[Node, ...]) -> list[Node]:
        """What else stands between the load and the store."""
        block, first = self._places[chain[0]]
        _, last = self._places[site.at]
        inside = set(chain)
        return [node for node in block.nodes[first:last] if node not in inside]

    @cached_property
    def _places(self) -> dict[Node, tuple[Block, int]]:
        """Each instruction's block, and its place in it."""
        return {node: (block, at) for block in self.function.blocks for at, node in enumerate(block.nodes)}

    # -- inline assembly ------------------------------------------------------------------------------------------

    def _inline(self, site: Site, idiom: Idiom, chain: tuple[Node, ...]) -> _Edit:
        target = self.module.selector.target
        pointer = pointer_of(site.at, self.layout.spelled(site.at))
        place, idiom = place_of(site, idiom, pointer, target, self.module.entities)
        selection = self.module.selector.choose(idiom)
        if selection.chosen is None:
            raise Kept("the form is not chosen for the pointer by itself")
        instructions = self.module.selector.instructions(idiom)
        sequence = inline.Update(
            instructions, selection.chosen.clobbers, ordered=idiom.atomic or idiom.access.ordering is not None
        )
        space = target.spaces[idiom.address.space]
        line = inline.call(
            sequence,
            place,
            target,
            inline.base_register(space.pointer),
            self.module.spaced,
            self.layout.fresh_names(),
            metadata_of(self.layout.spelled(site.at)),
        )
        members = frozenset((*chain, site.at))
        spoken_of = [self.layout.mentioned(node, members) for node in chain]
        if isinstance(site.at, AtomicRMW) and site.at.name is not None:
            spoken = self.layout.mentioned(site.at, members)
            if spoken or site.at.name[1:].isdecimal():
                held = Line(placeholder(site.at, self.layout.spelled(site.at)), site.at.name)
                return self._edit(site, chain, spoken_of, [held, line], 0)
        return self._edit(site, chain, spoken_of, [line], 0)

    # -- the text -------------------------------------------------------------------------------------------------

    def _edit(
        self, site: Site, chain: tuple[Node, ...], spoken_of: list[bool], lines: list[Line], reused: int
    ) -> _Edit:
        """The splices that put `lines` in the place of the chain and the store.

        The first of them, up to `reused`, go where the instructions stand whose names they took over.
        """
        splices: list[Splice] = []
        after: list[str] = []
        taken = min(reused, len(lines) - 1)
        for node, line in zip(chain, lines[:taken], strict=False):
            assert node.span is not None
            splices.append(Splice(node.span.start, node.span.end, line.text))
            after.append(line.text)
        for node, spoken in zip(chain[taken:], spoken_of[taken:], strict=True):
            gone = self.layout.without(node, keep_name=spoken)
            if gone is not None:
                splices.append(gone)
                after += [gone.text] if gone.text else []
        rest = [line.text for line in lines[taken:]]
        assert site.at.span is not None
        splices.append(Splice(site.at.span.start, site.at.span.end, self.layout.indent(site.at).join(rest)))
        return _Edit(tuple(splices), (*after, *rest))


@frozen
class _Edit:
    splices: tuple[Splice, ...]
    after: tuple[str, ...]


def _is_direct(chain: tuple[Node, ...], count: int, width: int) -> bool:
    """Whether the chain is a load and `count` instructions of logic, of the update's own width."""
    return len(chain) == count + 1 and all(isinstance(n, (Load, Binary)) and n.width == width for n in chain)


def _names(reused: list[str], fresh: Iterator[str]) -> Iterator[str]:
    yield from reused
    yield from fresh


def _start(node: Node) -> int:
    return node.span.start if node.span is not None else -1

"""Functions and blocks of assembly, and where control goes from each block.

A block ends where control may leave or arrive: at jumps, returns and skips, at labels that something refers to, and
around everything that is not understood: unknown instructions, inline assembly, macros, data among instructions,
changes of section. Where control then goes nobody knows (`Block.anywhere`). A label that only debug data or the
size of a function refers to cuts nothing.
"""

from __future__ import annotations

import re

from attrs import define, field, frozen

from bitsel.frontends.gas.expression import UNKNOWN, Address, Value
from bitsel.frontends.gas.names import SECTIONS, Names
from bitsel.frontends.gas.operands import Instruction, InstructionReader
from bitsel.frontends.gas.scan import Comment, Scanned, Statement, scan
from bitsel.record import record
from bitsel.target.facts import Device, NumberOperand, Slot, Target

_HARMLESS = frozenset(
    [
        ".file",
        ".loc",
        ".loc_mark_labels",
        ".type",
        ".size",
        ".global",
        ".globl",
        ".weak",
        ".local",
        ".ident",
        ".p2align",
        ".align",
        ".balign",
        ".set",
        ".equ",
        ".equiv",
        ".eqv",
        ".comm",
        ".lcomm",
        ".addrsig",
        ".addrsig_sym",
        ".hidden",
        ".internal",
        ".protected",
        ".extern",
        ".arch",
        ".att_syntax",
        ".list",
        ".nolist",
        ".title",
        ".sbttl",
        ".psize",
        ".eject",
        ".version",
        ".gnu_attribute",
        ".mspabi_attribute",
        ".refsym",
    ]
)
_SLACK = 8  # bytes by which a distance may be counted wrongly: from where it counts, instructions that vary
_BEYOND = re.compile(r"(?<![\w.$])([A-Za-z_.$][\w.$]*)\s*[-+]\s*[\d(]")
"""A name and a distance from it: between the two nothing may change its length."""


@record
class Step:
    """One instruction where it stands."""

    statement: Statement
    instruction: Instruction


@define(eq=False)
class Block:
    """A straight run of instructions.

    `successors`: blocks of the same function that control may go on to. `anywhere`: it may also go on to what is
    not known; `returns`: to the caller. `fixed`: a distance counts its bytes, or a skip its only instruction.
    """

    function: str
    name: str
    steps: list[Step] = field(factory=list)
    successors: list[Block] = field(factory=list)
    anywhere: bool = False
    returns: bool = False
    fixed: bool = False
    section: str = ""


@frozen
class Function:
    name: str
    blocks: tuple[Block, ...]


@frozen
class Program:
    """What a text of assembly holds. `unread`: instruction statements that no row of the table spells, outside of
    inline assembly, macros and the like. `labels`: every label that is defined, `data` those in sections of RAM;
    `called`: the names that calls and jumps go to. `compiled`: it is signed by a compiler, which keeps to the
    convention."""

    functions: tuple[Function, ...]
    comments: tuple[Comment, ...]
    unread: tuple[Statement, ...]
    instructions: int
    labels: frozenset[str]
    data: frozenset[str]
    called: frozenset[str]
    compiled: bool


def read_program(text: str, path: str, target: Target, device: Device) -> Program:
    """Reads `text`. Raises InputError where it cannot be taken apart into statements."""
    scanned = scan(text, target.dialect, path)
    return _Builder(scanned, target, device).program()


class _Builder:
    def __init__(self, scanned: Scanned, target: Target, device: Device) -> None:
        self.scanned = scanned
        self.target = target
        self.names = Names.of(scanned, target)
        self.reader = InstructionReader(target, device, self.names.assigned)
        self.function = ""
        self.place = "entry"
        self.count = 0  # cuts since the label that `place` is
        self.current: Block | None = None
        self.after_skip: list[Block] = []  # skips that go on behind the next instruction
        self.skipped = False  # the current block is an instruction that is skipped over
        self.functions: dict[str, list[Block]] = {}
        self.labels: dict[str, list[tuple[int, Block]]] = {}
        self.jumps: list[tuple[Block, int, str]] = []
        self.distances: list[tuple[Block, int]] = []
        self.fixed: set[str] = set()
        self.all_fixed = not self.names.plain
        self.section = ""
        self.hidden: set[str] = set()
        self.unread: list[Statement] = []
        self.called: set[str] = set()
        self.instructions = 0

    def program(self) -> Program:
        for position, statement in enumerate(self.scanned.statements):
            match statement.kind:
                case "label":
                    self._label(statement, position)
                case "directive":
                    self._directive(statement)
                case "assignment":
                    if statement.word == ".":
                        self._barrier()
                case _:
                    self._instruction(statement, position)
        self._barrier()
        self._resolve()
        functions = tuple(Function(name, tuple(blocks)) for name, blocks in self.functions.items())
        labels = frozenset(self.labels)
        return Program(
            functions=functions,
            comments=self.scanned.comments,
            unread=tuple(self.unread),
            instructions=self.instructions,
            labels=labels,
            data=self.names.data,
            called=frozenset(self.called),
            compiled=self.names.compiled,
        )

    # -- cutting ----------------------------------------------------------------------------------------------

    def _open(self) -> Block:
        """The block that the next instruction belongs to."""
        if self.current is None:
            name = self.place if self.count == 0 else f"{self.place}.{self.count}"
            self.count += 1
            self.current = Block(self.function, name, fixed=self.skipped, section=self.section)
            self.functions.setdefault(self.function, []).append(self.current)
        return self.current

    def _go_on(self) -> None:
        """The current block ends, and the next one follows it."""
        before = self.current
        if before is not None:
            self.current = None
            before.successors.append(self._open())

    def _barrier(self) -> None:
        """What follows is not known."""
        for block in (self.current, *self.after_skip):
            if block is not None:
                block.anywhere = True
        self.current = None
        self.after_skip = []
        self.skipped = False

    def _unknown(self, text: str) -> None:
        """Something stands here that is not understood: `text`. It may be a skip, or hold a distance."""
        self._barrier()
        self.skipped = True
        self.after_skip = [Block(self.function, "", anywhere=True)]
        self._note_distances(text)

    def _note_distances(self, text: str) -> None:
        """Keep the length of what lies between a label of the text, or here, and a distance from it."""
        for found in _BEYOND.finditer(text):
            name = found[1]
            if name in (".", "$"):
                self.all_fixed = True
            elif name not in self.names.data:
                self.fixed.add(name)

    def _label(self, statement: Statement, position: int) -> None:
        name = statement.word
        if statement.hidden:
            self.hidden.add(name)
            self._unknown("")
            return
        local = name.startswith(".L") and name not in self.names.referenced
        if local:
            return
        begins = name in self.names.functions or (
            not self.function and not name.startswith(".") and not name.isdigit()
        )
        if begins:
            self._begin_function(name)
        else:
            # A label between a skip and its instruction: both may be gone on to.
            skips, self.after_skip = self.after_skip, []
            was_skipped, self.skipped = self.skipped, False
            before, self.current = self.current, None
            self.place, self.count = name, 0
            self.skipped = was_skipped and not (before is not None and before.steps)
            block = self._open()
            if before is not None:
                before.successors.append(block)
            self.after_skip = skips
        self.labels.setdefault(name, []).append((position, self._open()))

    def _begin_function(self, name: str) -> None:
        self._barrier()
        self.function, self.place, self.count = name, "entry", 0

    def _directive(self, statement: Statement) -> None:
        word = statement.word
        if word in SECTIONS:
            self.section = f"{word} {statement.rest}"
            self._barrier()
        elif statement.hidden or not (word in _HARMLESS or word.startswith(".cfi")):
            self._unknown(statement.rest)

    # -- instructions -----------------------------------------------------------------------------------------

    def _instruction(self, statement: Statement, position: int) -> None:
        if statement.hidden:
            self._unknown(statement.rest)
            return
        self.instructions += 1
        macro = statement.word in self.scanned.macros
        instruction = None if macro else self.reader.read(statement.word, statement.rest)
        if instruction is None:
            self.unread.append(statement)
            self._unknown(statement.rest)
            self.all_fixed = self.all_fixed or self.reader.may_jump(statement.word)
            return
        if instruction.form.flow is None:
            self._note_distances(statement.rest)
        block = self._open()
        block.steps.append(Step(statement, instruction))
        self._flow(block, instruction, position)

    def _flow(self, block: Block, instruction: Instruction, position: int) -> None:
        """Ends the block where the instruction changes what runs next, and behind one that is skipped over."""
        flow = instruction.form.flow
        goes_on = flow not in ("jump", "return")
        if flow in ("jump", "branch", "call") and isinstance(goal := target_of(instruction), Address):
            self.called.add(goal.symbol)
        if flow in ("jump", "branch"):
            self._jump(block, target_of(instruction), position)
        elif flow == "return":
            block.returns = True
        elif flow == "call":
            where = target_of(instruction)
            if isinstance(where, Address) and (where.offset or where.symbol == "."):
                block.anywhere = True
                self._distance(block, where)
                goes_on = False
        skips, self.after_skip = self.after_skip, []
        self.skipped = flow == "skip"
        if not goes_on:
            self.current = None
            if skips:
                after = self._open()
                for skip in skips:
                    skip.successors.append(after)
        elif flow in ("branch", "skip") or skips:
            self._go_on()
            for skip in skips:
                skip.successors.append(self._open())
        if flow == "skip":
            self.after_skip = [block]

    def _jump(self, block: Block, where: Value | None, position: int) -> None:
        if not isinstance(where, Address):
            block.anywhere = True
            self.all_fixed = self.all_fixed or where is not None  # a number, or a value that is not known
        elif where.symbol == "." or where.offset:
            block.anywhere = True
            self._distance(block, where)
        else:
            self.jumps.append((block, position, where.symbol))

    def _distance(self, block: Block, where: Address) -> None:
        """A jump by a number of bytes: what lies between must keep its length."""
        block.fixed = True
        if where.symbol == ".":
            self.distances.append((block, where.offset))
        else:
            self.fixed.add(where.symbol)

    def _resolve(self) -> None:
        for block, position, name in self.jumps:
            found = self._find(name, position)
            if found is None or found.function != block.function or found.name == "entry":
                block.anywhere = True
            else:
                block.successors.append(found)
        for block, distance in self.distances:
            self._fix(block, distance)
        owners = {place[1].function for name in self.fixed for place in self.labels.get(name, ())}
        for function, blocks in self.functions.items():
            for other in blocks:
                other.fixed = other.fixed or self.all_fixed or function in owners

    def _find(self, name: str, position: int) -> Block | None:
        if name in self.hidden or name[:-1] in self.hidden:
            return None  # one of that name is where nobody looks
        places = self.labels.get(name)
        if places is not None:
            return places[0][1] if len(places) == 1 else None
        numbered = self.labels.get(name[:-1], []) if name[:-1].isdigit() else []
        if name.endswith("b"):
            return next((block for at, block in reversed(numbered) if at <= position), None)
        return next((block for at, block in numbered if at > position), None) if name.endswith("f") else None

    def _fix(self, block: Block, distance: int) -> None:
        """The blocks that a jump by `distance` bytes from the end of `block` may cross."""
        blocks = [b for function in self.functions.values() for b in function]
        at = blocks.index(block)
        if distance < 0:
            blocks = blocks[at::-1]
        else:
            blocks = blocks[at:]
        left = abs(distance) + _SLACK
        for other in blocks:
            other.fixed = True
            if other is not block and other.section == block.section:
                left -= sum(step.instruction.form.bytes for step in other.steps)
            if left <= 0:
                break


def target_of(instruction: Instruction) -> Value | None:
    """Where a jump, branch or call goes: its last operand that takes a symbol; None where it has none."""
    form = instruction.form
    for piece in reversed(form.text):
        if isinstance(piece, Slot):
            operand = form.operands[piece.name]
            if not isinstance(operand, NumberOperand) or not operand.number.symbol:
                return None
            value = instruction.env[piece.name]
            return UNKNOWN if isinstance(value, str) else value
    return None

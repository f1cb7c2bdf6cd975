"""The level ``simulator``: every row does what its `does` says, in the clocks it says.

Each row is executed on a few dozen states, and everything it can touch is compared: registers, flags, the memory
accessed and the bytes beside it, where execution goes on. Of a row that changes the flow and has no `does` only the
clocks are compared. Where a simulator is known to count wrongly, the facts say by how much, and so does the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve, frozen

from bitsel.errors import ToolError
from bitsel.target.expand import forms
from bitsel.target.facts import Device, Form, Simulator, Target
from bitsel.target.show import table_rows
from bitsel.toolchain.assembler import assemble
from bitsel.toolchain.find import Missing, find
from bitsel.toolchain.simulator import After, Case, execute
from bitsel.verify.concrete import Layout, Outcome, State
from bitsel.verify.draw import Draw
from bitsel.verify.instance import Instance
from bitsel.verify.known import concerns, told
from bitsel.verify.result import RowResult

LEVEL = "simulator"


def check(target: Target, device: Device) -> Iterator[RowResult]:
    """One result per row that `device` has, in the order of the table; one in all where a tool is missing or
    fails."""
    tools = _tools(target, device)
    if isinstance(tools, str):
        yield RowResult(LEVEL, "all rows", "skipped", tools)
        return
    try:
        yield from _results(target, device, tools)
    except ToolError as error:
        yield RowResult(LEVEL, "all rows", "failed", str(error))


@frozen
class _Tools:
    assembler: Path
    options: tuple[str, ...]
    simulator: Path
    arguments: tuple[str, ...]
    facts: Simulator


def _tools(target: Target, device: Device) -> _Tools | str:
    """The programs for the device, or why they cannot be run."""
    if target.simulator is None or target.assembler is None:
        return f"{target.name} names no [simulator] with an [assembler]"
    arguments = target.simulator.arguments.get(device.core)
    if arguments is None:
        return f"{target.simulator.tool} does not know the core {device.core}"
    assembler, simulator = find(target.assembler.tool), find(target.simulator.tool)
    if isinstance(assembler, Missing):
        return str(assembler)
    if isinstance(simulator, Missing):
        return str(simulator)
    options = target.assembler.options.get(device.core, ())
    return _Tools(assembler, options, simulator, arguments, target.simulator)


def _results(target: Target, device: Device, tools: _Tools) -> Iterator[RowResult]:
    """All rows in one run of each tool."""
    layout = Layout(target, tools.facts.memory)
    draw = Draw(layout, tools.facts.offset)
    rows = [
        _Row(row.text, form, tuple(_Trial(*state) for state in draw.states(form, tools.facts.states)))
        for row, form in zip(table_rows(target, device), forms(target, device), strict=True)
    ]
    trials = [trial for row in rows for trial in row.trials]
    lines = sorted({trial.instance.line(target) for trial in trials})
    code = dict(zip(lines, assemble(tools.assembler, tools.options, lines), strict=True))
    bench = _Bench(target, tools.facts, layout, device.core in tools.facts.clocks)
    cases = [
        bench.case(trial, made) if isinstance(made := code[trial.instance.line(target)], bytes) else None
        for trial in trials
    ]
    run = execute(tools.simulator, tools.arguments, tools.facts.pc, [case for case in cases if case is not None])
    states = iter(run)
    after = iter([None if case is None else next(states) for case in cases])
    for row in rows:
        yield bench.judged(row, [next(after) for _ in row.trials])


@frozen
class _Trial:
    """An instance, the state it starts from, and the state that the facts say it ends in."""

    instance: Instance
    before: State
    expected: Outcome


@frozen
class _Row:
    text: str
    form: Form
    trials: tuple[_Trial, ...]


class _Bench:
    """One simulator: the target's state in its terms, and back. `clocked`: its clocks are those of the core."""

    def __init__(self, target: Target, simulator: Simulator, layout: Layout, clocked: bool) -> None:
        self.target = target
        self.simulator = simulator
        self.layout = layout
        self.clocked = clocked

    def case(self, trial: _Trial, code: bytes) -> Case:
        """The trial as the simulator sees it."""
        before = trial.before
        registers: dict[int, int] = {}
        for name, (number, bit) in self.simulator.registers.items():
            registers[number] = registers.get(number, 0) | before.registers[name] << bit
        memory = {address: self.layout.mapped(before.registers, address) for address in self.layout.mapped_bytes}
        return Case(code, self.simulator.code, registers, {**before.memory, **memory})

    def register(self, name: str, after: After) -> int:
        """The value of a unit in the simulator's state."""
        mask = (1 << self.target.registers[name].width) - 1
        if name in self.simulator.registers:
            number, bit = self.simulator.registers[name]
            return after.registers[number] >> bit & mask
        address, bit = self.target.mapped[name]
        content = bytes(after.memory.get(address + i, 0) for i in range((bit + mask.bit_length() + 7) // 8))
        return int.from_bytes(content, "little") >> bit & mask

    def judged(self, row: _Row, results: Sequence[After | None]) -> RowResult:
        """What the trials of a row say; the first that disagrees is told."""
        if not row.trials:
            return RowResult(LEVEL, row.text, "failed", "none of its accesses can be inside the simulator's memory")
        assert self.target.assembler is not None
        refused = told(self.target.assembler.known_errors, row.text, row.trials[0].instance)
        if refused is not None and all(after is None for after in results):
            return RowResult(LEVEL, row.text, "known-error", f"does not assemble: {refused}")
        timed = []
        for trial, after in zip(row.trials, results, strict=True):
            problem = "does not assemble" if after is None else self.difference(trial, after)
            if problem is not None:
                return RowResult(LEVEL, row.text, "failed", f"{trial.instance.line(self.target)}: {problem}")
            assert after is not None
            if self.clocked and after.clocks is not None and self.counts(row.form, after):
                timed.append((trial.instance, after.clocks))
        if row.form.does:
            return self.timed(row, timed)
        # Where such a row reads is not known, and reading some memory takes longer.
        fastest = min((clocks for _, clocks in timed), default=None)
        result = self.timed(row, [one for one in timed if one[1] == fastest])
        return evolve(result, detail=result.detail or "clocks only")

    def timed(self, row: _Row, timed: Sequence[tuple[Instance, int]]) -> RowResult:
        """A row that does what it should, by the clocks of its instances."""
        if not timed:
            return RowResult(LEVEL, row.text, "ok", "clocks not counted")
        declared, sources = row.form.cycles, dict[str, None]()
        for instance, clocks in timed:
            known = [error for error in self.simulator.known_errors if concerns(error, row.text, instance)]
            if clocks == declared:
                continue
            if clocks != declared + sum(error.clocks for error in known):
                line = instance.line(self.target)
                return RowResult(LEVEL, row.text, "failed", f"{line}: {clocks} clocks, declared {declared}")
            sources.update(dict.fromkeys(error.source for error in known))
        if not sources:
            return RowResult(LEVEL, row.text, "ok")
        counted = ", ".join(map(str, sorted({clocks for _, clocks in timed})))
        detail = f"{counted} clocks, declared {declared}: {'; '.join(sources)}"
        return RowResult(LEVEL, row.text, "known-error", detail)

    def counts(self, form: Form, after: After) -> bool:
        """Whether its clocks are those that the table gives: of a branch taken, of a skip that does not skip."""
        goes_on = after.pc == self.simulator.code + form.bytes
        if form.flow == "branch":
            return not goes_on
        return goes_on or form.flow != "skip"

    def difference(self, trial: _Trial, after: After) -> str | None:
        """Where the simulator's state is not what the facts say."""
        form = trial.instance.form
        if form.flow is None and after.pc != self.simulator.code + form.bytes:
            return f"goes on at {after.pc:#x}, not {form.bytes} bytes further than {self.simulator.code:#x}"
        if form.flow is not None and not form.does:
            return None
        for name, bits in trial.expected.registers.items():
            got = self.register(name, after)
            if not bits.agrees(got):
                return f"{name} is {got:#x}, should be {bits.value:#x}; {self.told(trial)}"
        for address, bits in trial.expected.memory.items():
            got = after.memory[address]
            if not bits.agrees(got):
                return f"memory at {address:#x} is {got:#x}, should be {bits.value:#x}; {self.told(trial)}"
        return None

    def told(self, trial: _Trial) -> str:
        """The state a trial starts from."""
        registers = [f"{name} {value:#x}" for name, value in trial.before.registers.items()]
        memory = [f"{address:#x}: {byte:#x}" for address, byte in sorted(trial.before.memory.items())]
        return f"from {', '.join([*registers, *memory])}"

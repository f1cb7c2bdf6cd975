"""Programs before and after rewriting, run on the same memory: what they leave behind is equal, and none takes
more bytes or clocks.

``make fuzz N=…`` runs so many seeds per compiler and level; ``FUZZ_SEEDS`` and ``FUZZ_FIRST`` say which.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bitsel.plugins import Plugins, find_device
from bitsel.rewrite.asm import rewrite_assembly

from .machines import MACHINES, Batch, Machine, Rejected, compiled, linked
from .programs import program

FIRST = int(os.environ.get("FUZZ_FIRST", "1"))
PROGRAMS = int(os.environ.get("FUZZ_SEEDS", "1"))
REJECTED = 10
"""Of so many seeds one at least makes a program that compiles and links without a library."""
FUNCTIONS = 10
STATES = 3
MOST_STEPS = 400
NOTED: dict[tuple[str, str], int] = {}
"""How many updates were rewritten, by compiler and level."""


@pytest.mark.parametrize("level", ["O0", "O1", "Os", "O2"])
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_nothing_but_the_cost_differs(machine: Machine, level: str, tmp_path: Path) -> None:
    missing = machine.missing()
    if missing:
        pytest.skip(missing[0])
    target = Plugins(()).target(machine.target)
    device = find_device(target, machine.device)
    programs = compared = changed = 0
    for seed in range(FIRST, FIRST + REJECTED * PROGRAMS):
        if programs == PROGRAMS:
            break
        try:
            before = compiled(machine, program(seed, FUNCTIONS, machine.memory), level, tmp_path)
            old = linked(machine, before, tmp_path)
        except Rejected:
            continue  # the compiler's own failure, or a helper of its library
        programs += 1
        after = rewrite_assembly(before, "program.s", target, device)
        changed += sum(bool(site.before) for site in after.sites)
        new = linked(machine, after.text, tmp_path)
        assert len(new.content) <= len(old.content), f"seed {seed}"
        names = sorted(name for name in old.functions if name[0] in "fg" and name[1:].isdigit())
        batches = Batch(machine, old, MOST_STEPS), Batch(machine, new, MOST_STEPS)
        runs = [(name, state) for name in names for state in range(STATES)]
        for name, state in runs:
            for batch in batches:
                batch.add(name, seed * STATES + state)
        for run, was, now in zip(runs, *(batch.outcomes() for batch in batches), strict=True):
            if was is None:
                continue  # it takes longer than is waited for
            assert now is not None, f"seed {seed}, {run}"
            compared += 1
            assert now.left == was.left, f"seed {seed}, {run}"
            assert not machine.counts or now.clocks <= was.clocks, f"seed {seed}, {run}"
    assert programs == PROGRAMS
    assert compared
    NOTED[machine.name, level] = changed


def test_something_was_rewritten() -> None:
    """Of what each compiler printed, at one level at least."""
    if not NOTED:
        pytest.skip("no compiler and simulator were there to run the programs")
    for name in {name for name, _ in NOTED}:
        assert any(changed for (other, _), changed in NOTED.items() if other == name), name

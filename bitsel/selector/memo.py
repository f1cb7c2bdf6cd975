"""Solved shapes, in memory and in the user's cache folder.

A solution is kept as recipes, not as numbers: for each step the form's place in the table, its registers, and
how each number is made from the cell. Recalling one runs it on the cell it is recalled for, so that a stored
sequence, however it came about, is never believed to be right without proof. That none is cheaper, or that there
is none at all, is believed: it rests on equal shapes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Hashable
from contextlib import ExitStack
from functools import cache
from hashlib import blake2s
from pathlib import Path as FilePath
from tempfile import NamedTemporaryFile
from typing import Any

from attrs import evolve, field, frozen

from bitsel import __version__
from bitsel.reasons import Code
from bitsel.selector.ground import Ground
from bitsel.selector.lanes import Value
from bitsel.selector.recipes import AddressPart, BitNumber, Displacement, Mask, Recipe
from bitsel.selector.search import Path, SearchTooLarge
from bitsel.selector.setting import Setting
from bitsel.selector.solver import Question, Solver

_CODES = {code.value: code for code in Code}
_RECIPES = {"mask": Mask, "bit": BitNumber, "part": AddressPart, "displacement": Displacement}
_FORMAT = 7


@frozen(cache_hash=True)
class Solution:
    """Steps as (index of the form, operand -> register name or recipe); None: there is no path, or (`gave_up`) the
    search for one grew too large. `reason`: where there is no sequence to choose, what stands in the way, once that
    was asked; `at_least` as in `Path`. `cap`, of a baseline: with so many bits alike in a byte, changing
    them one at a time costs no less than it. `ran`: what running it made, the first time in this process."""

    steps: tuple[tuple[int, tuple[tuple[str, str | Recipe], ...]], ...] | None
    question: Question = "select"
    reason: Code | None = None
    at_least: tuple[int, int] | None = None
    gave_up: bool = False
    cap: int | None = None
    ran: list[Path] = field(factory=list, eq=False, repr=False)


def record(path: Path | None, setting: Setting, question: Question) -> Solution:
    """`path` as recipes."""
    if path is None:
        return Solution(None, question)
    index = {id(uses): i for i, uses in enumerate(setting.forms)}
    steps = []
    for step in path.steps:
        operands: list[tuple[str, str | Recipe]] = []
        for name, bound in step.env.items():
            operands.append((name, bound if isinstance(bound, str) else step.recipes[name]))
        steps.append((index[id(step.uses)], tuple(operands)))
    return Solution(tuple(steps), question, at_least=path.at_least)


def recall(solution: Solution, solver: Solver, question: Question, *, believed: bool = True) -> Path | None:
    """The path that `solution` makes for the solver's cell; None where it does not reach what the cell wants.
    Raises SearchTooLarge where the search did.

    A baseline is run for the first cell only, if it may be `believed`: where it is what others are compared with,
    and not what is put in. At another cell of equal shape it costs the same.
    """
    if solution.gave_up:
        raise SearchTooLarge
    if solution.steps is None:
        return None
    steps = []
    for number, operands in solution.steps:
        if number >= len(solver.setting.forms):
            return None
        step = _ground(number, operands, solver)
        if step is None:
            return None
        steps.append(step)
    if solution.ran and believed:
        return evolve(solution.ran[0], steps=tuple(steps))
    path = solver.replay(steps, question)
    if path is None:
        return None
    path = evolve(path, at_least=solution.at_least)
    if question == "baseline":
        solution.ran.append(path)
    return path


def _ground(number: int, operands: tuple[tuple[str, str | Recipe], ...], solver: Solver) -> Ground | None:
    uses = solver.setting.forms[number]
    env: dict[str, str | Value] = {}
    recipes: dict[str, Recipe] = {}
    for name, bound in operands:
        if isinstance(bound, str):
            env[name] = bound
            continue
        if name not in uses.numbers:
            return None
        value = solver.pool.value(bound, uses.numbers[name][0].number)
        if value is None:
            return None
        env[name] = value
        recipes[name] = bound
    if set(env) != {*uses.numbers, *uses.registers}:
        return None
    return Ground.of(uses, env, recipes)


class Memo:
    """The solved shapes of one table (`facts` tells it from others). With `folder` None nothing is kept on disk."""

    def __init__(self, facts: str, folder: FilePath | None) -> None:
        self._facts = f"{__version__} {_code()} {facts}"
        digest = blake2s(self._facts.encode(), digest_size=16).hexdigest()
        self._file = folder / f"{digest}.json" if folder is not None else None
        self._solved: dict[Hashable, Solution] = {}
        self._stored: dict[str, Any] | None = None
        self._new: dict[str, Any] = {}

    def get(self, key: Hashable) -> Solution | None:
        found = self._solved.get(key)
        if found is None and self._file is not None:
            if self._stored is None:
                self._stored = self._load()
            raw = self._stored.get(_name(key))
            if raw is not None:
                found = self._solved[key] = _decode(raw)
        return found

    def put(self, key: Hashable, solution: Solution) -> None:
        self._solved[key] = solution
        if self._file is not None:
            self._new[_name(key)] = _encode(solution)

    def _load(self) -> dict[str, Any]:
        assert self._file is not None
        try:
            heading, _, body = self._file.read_text(encoding="utf-8").partition("\n")
        except (OSError, ValueError):
            return {}
        # Another table's, another version's, or a damaged file is no cache: it is made anew.
        return json.loads(body) if heading == self._heading(body) else {}

    def _heading(self, body: str) -> str:
        """The file's first line, which no other file has: nothing that follows need be checked one by one."""
        return f"{_FORMAT} {self._facts} {blake2s(body.encode()).hexdigest()}"

    def save(self) -> None:
        """Write what was solved since; a folder that cannot be written is no error, only no cache."""
        if self._file is None or not self._new:
            return
        solved = {**self._load(), **self._new}
        body = json.dumps(solved)
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            _replace(self._file, f"{self._heading(body)}\n{body}")
        except OSError:
            return
        self._new = {}


def _replace(file: FilePath, text: str) -> None:
    """Put `text` in the place of `file` at once, or leave everything as it was. Raises OSError."""
    with ExitStack() as on_failure:
        with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as handle:
            on_failure.callback(FilePath(handle.name).unlink, missing_ok=True)
            handle.write(text)
        FilePath(handle.name).replace(file)
        on_failure.pop_all()


def _name(key: Hashable) -> str:
    return blake2s(repr(key).encode(), digest_size=16).hexdigest()


def _encode(solution: Solution) -> Any:
    if solution.steps is None:
        reason = solution.reason.value if solution.reason is not None else None
        return [solution.question, None, reason, solution.gave_up]
    steps = []
    for number, operands in solution.steps:
        bound = {name: b if isinstance(b, str) else [b.kind, *b[:-1]] for name, b in operands}
        steps.append([number, bound])
    return [solution.question, steps, solution.at_least, solution.cap]


def _decode(raw: Any) -> Solution:
    question, stored, rest, last = raw
    if stored is None:
        reason = _CODES[rest] if rest is not None else None
        return Solution(None, question, reason, gave_up=last)
    steps = []
    for number, bound in stored:
        operands: list[tuple[str, str | Recipe]] = []
        for name, value in bound.items():
            operands.append((name, value if isinstance(value, str) else _RECIPES[value[0]](*value[1:])))
        steps.append((number, tuple(operands)))
    return Solution(tuple(steps), question, at_least=tuple(rest) if rest is not None else None, cap=last)


@cache
def _code() -> str:
    """What the solutions were found by: that there is none is believed, so another search must find it anew."""
    digest = blake2s(digest_size=16)
    for file in sorted(FilePath(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def cache_folder() -> FilePath | None:
    """``$XDG_CACHE_HOME/bitsel``, by default ``~/.cache/bitsel``; None for a user without a home."""
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (FilePath(base) if base else FilePath.home() / ".cache") / "bitsel"
    except RuntimeError:
        return None

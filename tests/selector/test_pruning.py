"""What makes the search fast changes no result: each rule is compared with the search without it, on RL78's table.

Rules: the bound, relevance of forms, the order of constants, the numbers left out where bits are too many, the
updates left out where one has to do it all, the shapes of the memo, and what is kept on disk.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from attrs import evolve

import bitsel_rl78
from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.selector import search as search_module
from bitsel.selector import solver as solver_module
from bitsel.selector.bound import zero
from bitsel.selector.cell import ByteRule, Cell, Place
from bitsel.selector.engine import Engine
from bitsel.selector.lanes import UNKNOWN, is_of
from bitsel.selector.search import Path as Found
from bitsel.selector.search import Problem, SearchTooLarge, State
from bitsel.selector.setting import Setting, Stock
from bitsel.selector.solver import Question, Solver
from bitsel.selector.verdict import Objective, Selection
from bitsel.target.expand import forms
from bitsel.target.facts import Form, Target
from bitsel.target.load import load_target

Limit = tuple[int, int] | None
QUESTIONS: tuple[Question, ...] = ("baseline", "select", "one-update")
OBJECTIVES: tuple[Objective, ...] = ("size", "speed")


@pytest.fixture(scope="module")
def rl78() -> Target:
    return load_target(Path(bitsel_rl78.__file__).parent)


@pytest.fixture(scope="module")
def setting(rl78: Target) -> Setting:
    return Setting.of(rl78, forms(rl78, rl78.devices["r7f100g"]))


# --- cells ---------------------------------------------------------------------------------------

NEAR = (0xF0000, 0xFFFFF)
PLACES = {
    "short range": Place("absolute", 0xFFE20, NEAR, align=2),
    "register": Place("absolute", 0xFFF30, NEAR, align=2),
    "memory": Place("absolute", 0xF2000, NEAR, align=2),
    "symbol": Place("symbol", None, NEAR, align=2),
    "pointer": Place("pointer", None, NEAR, align=2),
    "pointer + 3": Place("pointer", None, NEAR, offset=3),
    "stack slot": Place("stack", None, NEAR, offset=4, align=2),
    "far symbol": Place("symbol", None, (0, 0xFFFFF), align=2),
}
EFFECTS = (
    Effect.or_with(8, 0x10),
    Effect.and_with(8, 0x7F),
    Effect.xor_with(8, 0x01),
    Effect.or_with(8, 0x81),
    Effect(8, 0xFC, 0x01),
    Effect.constant(8, 0x5A),
    Effect.or_with(16, 0x1000),
    Effect.or_with(16, 0x0101),
    Effect.and_with(16, 0xFF00),
)


Rule = Literal["free", "once", "single"]
RULES: tuple[Rule, ...] = ("free", "once", "single")


def cell(effect: Effect, place: Place, access: Rule = "free") -> Cell:
    return Cell(effect, place, access, (ByteRule(),) * (effect.width // 8))


def solver(setting: Setting, made: Cell, objective: Objective) -> Solver:
    base = None
    if made.place.kind == "pointer":
        base = setting.target.spaces[0].pointer
    if made.place.kind == "stack":
        base = setting.target.abi.stack
    return Solver(setting, made, base, objective)


def cost(path: Found | None) -> tuple[int, int] | None:
    return (path.cost.bytes, path.cost.cycles) if path is not None else None


def ceiling(setting: Setting, made: Cell, objective: Objective) -> Limit:
    """What a sequence must not cost more than: LOAD-OP-STORE."""
    baseline = solver(setting, made, objective).solve("baseline")
    if baseline is None:
        return None
    primary, secondary = baseline.cost.key(objective)
    return primary, secondary + 1


def best(setting: Setting, made: Cell, limit: Limit, objective: Objective) -> tuple[int, int] | Literal["?"] | None:
    """The cost of the best sequence below the limit; a question mark where finding out takes too long."""
    try:
        return cost(solver(setting, made, objective).solve("select", below=limit))
    except SearchTooLarge:
        return "?"


@pytest.fixture
def _thorough(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimum or nothing."""
    monkeypatch.setattr(search_module, "MOST_WORK", 1_000_000)
    monkeypatch.setattr(search_module, "GREEDS", (1,))


def compare(
    setting: Setting, cells: list[Cell], without: Callable[[pytest.MonkeyPatch], None], objective: Objective
) -> None:
    """The same costs with the rule and without it, for nearly all of the cells."""
    limits = [ceiling(setting, made, objective) for made in cells]
    found = [best(setting, made, limit, objective) for made, limit in zip(cells, limits, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        without(patch)
        plain = [best(setting, made, limit, objective) for made, limit in zip(cells, limits, strict=True)]
    pairs = [(a, b) for a, b in zip(found, plain, strict=True) if "?" not in (a, b)]
    assert [a for a, _ in pairs] == [b for _, b in pairs]
    assert 10 * len(pairs) >= 9 * len(cells)
    assert any(a for a, _ in pairs)


# --- rules of the search ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def core(rl78: Target) -> Setting:
    """RL78's moves, logic and bit instructions on a, x and hl: few enough for a search without a bound."""
    few = [form for form in forms(rl78, rl78.devices["r7f100g"]) if _is_core(form)]
    return Setting.of(evolve(rl78, abi=evolve(rl78.abi, scratch=("a", "x", "h", "l"))), few)


def _is_core(form: Form) -> bool:
    text = "".join(item for item in form.text if isinstance(item, str))
    known = {"mov", "or", "and", "xor", "set1", "clr1", "mov1", "not1", "movw", "xch"}
    return form.mnemonic in known and not re.search(r"es|de|bc|\b[bc]\b|psw", text)


@pytest.mark.usefixtures("_thorough")
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("access", RULES)
def test_the_bound(core: Setting, access: Rule, objective: Objective) -> None:
    places = [place for name, place in PLACES.items() if name != "far symbol"]
    cells = [cell(effect, place, access) for effect in EFFECTS[:4] for place in places]
    if access == "free":
        cells += [cell(effect, PLACES["short range"]) for effect in EFFECTS[6:]]
    compare(core, cells, lambda patch: patch.setattr(solver_module, "Bound", lambda *_: zero), objective)


@pytest.mark.usefixtures("_thorough")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_bound_of_a_baseline(core: Setting, objective: Objective) -> None:
    cells = [
        cell(effect, PLACES[place]) for effect in EFFECTS[:3] for place in ("short range", "pointer", "stack slot")
    ]
    found = [cost(solver(core, made, objective).solve("baseline")) for made in cells]
    assert all(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver_module, "Bound", lambda *_: zero)
        assert [cost(solver(core, made, objective).solve("baseline")) for made in cells] == found


EVERYWHERE = [
    cell(effect, place, access) for effect in EFFECTS[:4] for place in PLACES.values() for access in RULES
]


@pytest.mark.usefixtures("_thorough")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_forms_that_are_left_out_as_irrelevant(setting: Setting, objective: Objective) -> None:
    def without(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Stock, "forms", property(lambda self: self.setting.forms))

    assert len(solver(setting, EVERYWHERE[0], objective).stock.forms) < len(setting.forms)
    compare(setting, EVERYWHERE, without, objective)


@pytest.mark.usefixtures("_thorough")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_constants_loaded_where_they_are_used(setting: Setting, objective: Objective) -> None:
    def without(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(solver_module, "Problem", partial(Problem, ordered=False))

    compare(setting, EVERYWHERE, without, objective)


@pytest.mark.usefixtures("_thorough")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_bits_that_are_too_many_to_be_changed_one_by_one(setting: Setting, objective: Objective) -> None:
    several = [
        cell(effect, place)
        for effect in (Effect.or_with(8, 0x07), Effect.and_with(8, 0xE1), Effect.or_with(16, 0x0103))
        for place in (PLACES["short range"], PLACES["memory"], PLACES["pointer"])
    ]
    compare(setting, several, lambda patch: patch.setattr(Solver, "most_bits", lambda self, below: 8), objective)


@pytest.mark.usefixtures("_thorough")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_updates_that_cannot_do_it_all(core: Setting, objective: Objective) -> None:
    def without(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Solver, "_may_do_it_all", lambda self, ground: ground.update)

    atomic = [
        cell(effect, PLACES[place], "single")
        for effect in (*EFFECTS[:6], Effect.or_with(8, 0x03))
        for place in ("short range", "memory", "pointer")
    ]
    compare(core, atomic, without, objective)


def remaining(made: Solver, path: Found, question: Question) -> Iterator[tuple[State, tuple[int, int]]]:
    """The states along a path, each with the cost of what follows."""
    discipline = made.discipline(question)
    assert discipline is not None
    state = State(made.footprint.start, made.incoming, 0, discipline.start)
    for number in range(len(path.steps) + 1):
        rest = Found.of(path.steps[number:], 0)
        yield state, rest.cost.key(made.objective)
        if number == len(path.steps):
            return
        outcome = made.stepper.run(path.steps[number], state.memory, state.registers)
        assert outcome is not None
        access = discipline.next(state.access, outcome.loads, outcome.stores)
        assert access is not None
        memory, registers = list(state.memory), list(state.registers)
        for byte, lane in outcome.memory:
            memory[byte] = lane
        for place, lane in outcome.registers:
            registers[place] = lane
        done = discipline.finished(access)
        if done != discipline.finished(state.access):
            registers = [UNKNOWN if is_of(lane, done) else lane for lane in registers]
        state = State(tuple(memory), tuple(registers), state.clobbers | outcome.clobbers, access)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("question", ["baseline", "select"])
def test_the_bound_is_never_more_than_what_follows(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, question: Question, objective: Objective
) -> None:
    """Along every path that is found; a path found greedily is one too."""
    problems: list[Problem] = []

    def search(problem: Problem, below: Limit = None) -> Found | None:
        problems.append(problem)
        return search_module.search(problem, below)

    monkeypatch.setattr(solver_module, "search", search)
    monkeypatch.setattr(search_module, "MOST_WORK", 50_000)
    monkeypatch.setattr(search_module, "GREEDS", (1, 2, 16))
    rng = random.Random(5)
    states = 0
    for _ in range(60):
        width = rng.choice((8, 8, 16, 16, 32))
        made = cell(an_effect(width, rng), rng.choice(list(PLACES.values())), rng.choice(("free", "once")))
        searching = solver(setting, made, objective)
        try:
            path = searching.solve(question)
        except SearchTooLarge:
            continue
        if path is None:
            continue
        for state, rest in remaining(searching, path, question):
            left = problems[-1].bound(state)
            assert left is not None
            assert left <= rest, [step.form.mnemonic for step in path.steps]
            states += 1
    assert states > 100


# --- the memo --------------------------------------------------------------------------------------


def an_effect(width: int, rng: random.Random) -> Effect:
    """A few bits, all changed alike or not."""
    ones = (1 << width) - 1
    keep, flip = ones, 0
    ops = rng.choice((("set",), ("clear",), ("toggle",), ("set", "clear")))
    for bit in rng.sample(range(width), rng.choice((1, 1, 1, 2))):
        op = rng.choice(ops)
        keep &= ones ^ (1 << bit) if op != "toggle" else ones
        flip |= 1 << bit if op != "clear" else 0
    return Effect(width, keep, flip)


def an_idiom(rng: random.Random) -> Idiom:
    width = rng.choice((8, 8, 16))
    offset = rng.choice((0, 0, 1, 2, 5, 40, 255, 256))
    where = {
        "absolute": Address("absolute", None, rng.choice((0xFE20, 0xFF01, 0xFF10, 0xFFA0, 0x30, 0x2000, 0x2002))),
        "far": Address("absolute", None, rng.randrange(0, 0x60000, 2), 2),
        "symbol": Address("symbol", rng.choice(("v", "w")), offset),
        "far symbol": Address("symbol", "f", offset, 2),
        "pointer": Address("pointer", "%p", offset),
        "stack": Address("stack", "%s", offset),
    }[rng.choice(("absolute", "far", "symbol", "far symbol", "pointer", "stack"))]
    atomic = rng.random() < 0.1
    access = Access(width, rng.random() < 0.3, "seq_cst" if atomic else None, rng.choice((1, 2)), where.space)
    return Idiom(an_effect(width, rng), access, where, atomic)


def said(selection: Selection) -> object:
    """A selection without what placement is proposed."""
    return evolve(selection, reason=None), selection.reason and (selection.reason.code, selection.reason.detail)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_shape_serves_every_cell_that_has_it(
    rl78: Target, monkeypatch: pytest.MonkeyPatch, objective: Objective
) -> None:
    """One engine for all idioms against a new one for each: the same costs, texts and reasons."""
    monkeypatch.setattr(search_module, "MOST_WORK", 20_000)
    device = rl78.devices["r7f100g"]
    shared = Engine(rl78, device, objective, cache=None)
    rng = random.Random(17)
    for _ in range(80):
        idiom = an_idiom(rng)
        alone = Engine(rl78, device, objective, cache=None)
        assert said(shared.select(idiom)) == said(alone.select(idiom))


# --- what is kept on disk --------------------------------------------------------------------------

SITES = [
    Idiom(Effect.or_with(8, 0x10), Access(8), Address("symbol", "w", 0)),
    Idiom(Effect.xor_with(8, 0x01), Access(8), Address("absolute", None, 0x30)),
    Idiom(Effect.and_with(16, 0xFEFF), Access(16, align=2), Address("symbol", "w", 0)),
    Idiom(Effect.or_with(8, 0x10), Access(8, volatile=True), Address("pointer", "%p", 0)),
    Idiom(Effect.or_with(8, 0x10), Access(8), Address("stack", "%s", 2)),
]


def selections(rl78: Target, folder: Path | None, device: str = "r7f100g") -> list[Selection]:
    engine = Engine(rl78, rl78.devices[device], cache=folder)
    found = [engine.select(idiom) for idiom in SITES]
    engine.close()
    return found


@pytest.fixture(scope="module")
def fresh(rl78: Target) -> list[Selection]:
    return selections(rl78, None)


@pytest.fixture
def no_search(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Called, it makes every further search an error."""

    def forbid() -> None:
        def search(problem: Problem, below: Limit = None) -> Found | None:
            raise AssertionError("searched")

        monkeypatch.setattr(solver_module, "search", search)

    return forbid


def test_what_was_kept_serves_the_next_run_without_a_search(
    rl78: Target, fresh: list[Selection], tmp_path: Path, no_search: Callable[[], None]
) -> None:
    assert selections(rl78, tmp_path) == fresh
    (kept,) = tmp_path.iterdir()
    before = kept.read_bytes()
    no_search()
    assert selections(rl78, tmp_path) == fresh
    assert kept.read_bytes() == before


def test_what_later_runs_solve_is_added(rl78: Target, tmp_path: Path, no_search: Callable[[], None]) -> None:
    for idiom in SITES[:2]:
        engine = Engine(rl78, rl78.devices["r7f100g"], cache=tmp_path)
        engine.select(idiom)
        engine.close()
    no_search()
    engine = Engine(rl78, rl78.devices["r7f100g"], cache=tmp_path)
    assert [engine.select(idiom).verdict for idiom in SITES[:2]] == ["selected", "rejected"]


def test_devices_keep_apart(rl78: Target, tmp_path: Path) -> None:
    selections(rl78, tmp_path)
    selections(rl78, tmp_path, "s3")
    assert len(list(tmp_path.iterdir())) == 2


def test_another_tables_file_is_not_read(rl78: Target, fresh: list[Selection], tmp_path: Path) -> None:
    """The file of other facts, under this table's name: its rows have other numbers."""
    selections(rl78, tmp_path)
    (kept,) = tmp_path.iterdir()
    other = tmp_path / "other"
    selections(evolve(rl78, hash="0" * 64), other)
    (foreign,) = other.iterdir()
    assert foreign.name != kept.name
    kept.write_bytes(foreign.read_bytes())
    foreign.unlink()
    other.rmdir()
    assert selections(rl78, tmp_path) == fresh


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "no text": lambda content: bytes(range(256)),
    "cut": lambda content: content[: len(content) // 2],
    "cut at the end": lambda content: content[:-1],
    "without its first line": lambda content: content.partition(b"\n")[2],
    "only its first line": lambda content: content.partition(b"\n")[0] + b"\n",
    "not what was expected": lambda content: b"[]\n[]",
    "one number changed": lambda content: re.sub(rb"\[\d+, \{", b"[7, {", content, count=1),
    "a name for a number": lambda content: content.replace(b'"mask", 8', b'"mask", "eight"'),
    "another recipe": lambda content: content.replace(b'"part"', b'"mask"'),
    "nothing found": lambda content: re.sub(rb'\["select", \[.*?\}\]\], ', b'["select", null, ', content),
    "twice": lambda content: content * 2,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_made_anew(
    rl78: Target, fresh: list[Selection], tmp_path: Path, damage: str, no_search: Callable[[], None]
) -> None:
    selections(rl78, tmp_path)
    (kept,) = tmp_path.iterdir()
    content = kept.read_bytes()
    damaged = DAMAGE[damage](content)
    assert damaged != content
    kept.write_bytes(damaged)
    assert selections(rl78, tmp_path) == fresh
    no_search()
    assert selections(rl78, tmp_path) == fresh


def test_a_folder_that_cannot_be_written_is_no_error(rl78: Target, fresh: list[Selection], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert selections(rl78, tmp_path / "file") == fresh


def test_nothing_is_written_without_a_folder(rl78: Target, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    selections(rl78, None)
    assert list(tmp_path.iterdir()) == []


def test_the_users_folder_by_default(rl78: Target, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    engine = Engine(rl78, rl78.devices["r7f100g"])
    engine.select(SITES[0])
    engine.close()
    assert [kept.suffix for kept in (tmp_path / "bitsel").iterdir()] == [".json"]


FLAGGED = """\
[target]
name = "flagged"
endian = "little"
address = 16
cores = ["one"]
[registers]
a = 8
c = 1
[abi]
scratch = "a"
[number]
wide = { in = "0..0xffff", symbol = "whole" }
[part]
whole = { is = "A", text = "{}" }
[[insn]]
text = "setc"
does = "c = 1"
bytes = 1
cycles = 1
[[insn]]
text = "ld16"
does = "a = 16; c = 0"
bytes = 2
cycles = 1
[[insn]]
text = "mix {n:wide}"
does = "m8[n] = m8[n] | a | c"
bytes = 3
cycles = 2
[device.one]
core = "one"
"""


def test_a_load_that_clears_a_flag_comes_before_the_flag_is_set(tmp_path: Path) -> None:
    # Both read nothing; "setc" stands first in the table, and after "ld16" in the only sequence there is.
    file = tmp_path / "flagged.toml"
    file.write_text(FLAGGED)
    target = load_target(file)
    setting = Setting.of(target, forms(target, target.devices["one"]))
    place = Place("symbol", None, (0, 0xFFFF))
    found = solver(setting, cell(Effect.or_with(8, 0x11), place), "size").solve("select")
    assert found is not None
    assert [step.form.mnemonic for step in found.steps] == ["ld16", "setc", "mix"]

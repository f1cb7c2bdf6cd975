"""What makes the search fast changes no result: each rule is compared with the search without it, on RL78's table.

Rules: the bound, relevance of forms, the order of constants, the numbers left out where bits are too many, the
updates left out where one has to do it all, the shapes of the memo, and what is kept on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bitsel_rl78
from bitsel.effect import Effect
from bitsel.selector import search as search_module
from bitsel.selector import solver as solver_module
from bitsel.selector.bound import zero
from bitsel.selector.cell import ByteRule, Cell, Place
from bitsel.selector.search import Objective
from bitsel.selector.search import Path as Found
from bitsel.selector.solver import Question, Setting, Solver
from bitsel.target.expand import forms
from bitsel.target.facts import Target
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


def cell(effect: Effect, place: Place, access: str = "free") -> Cell:
    kinds: dict[str, Callable[[], Cell]] = {
        "free": lambda: Cell(effect, place, "free", (ByteRule(),) * (effect.width // 8)),
        "once": lambda: Cell(effect, place, "once", (ByteRule(),) * (effect.width // 8)),
        "single": lambda: Cell(effect, place, "single", (ByteRule(),) * (effect.width // 8)),
    }
    return kinds[access]()


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


def results(
    setting: Setting, cells: list[Cell], limits: list[Limit], objective: Objective
) -> list[tuple[int, int] | None]:
    """The costs of the best sequences below the limits."""
    return [
        cost(solver(setting, made, objective).solve("select", below=limit))
        for made, limit in zip(cells, limits, strict=True)
    ]


@pytest.fixture
def _thorough(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimum, however long it takes, and nothing less."""
    monkeypatch.setattr(search_module, "MOST_WORK", 10_000_000)
    monkeypatch.setattr(search_module, "GREEDS", (1,))


def compare(
    setting: Setting, cells: list[Cell], without: Callable[[pytest.MonkeyPatch], None], objective: Objective
) -> None:
    """The same costs with the rule and without it."""
    limits = [ceiling(setting, made, objective) for made in cells]
    found = results(setting, cells, limits, objective)
    assert any(found)
    with pytest.MonkeyPatch.context() as patch:
        without(patch)
        assert results(setting, cells, limits, objective) == found


# --- rules of the search ---------------------------------------------------------------------------

SMALL = [
    cell(effect, PLACES[place], access)
    for effect in EFFECTS[:5]
    for place in ("short range", "pointer", "stack slot")
    for access in ("free", "once")
]


@pytest.mark.usefixtures("_thorough")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_bound(setting: Setting, objective: Objective) -> None:
    def without(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(solver_module, "Bound", lambda *_: zero)

    compare(setting, SMALL, without, objective)

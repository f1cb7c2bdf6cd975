"""How an instruction writes registers: what the costs of addresses (`setups`) are worked out from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bitsel.selector.costs import NOTHING, Pair, cost_of
from bitsel.selector.ground import Ground, walk
from bitsel.selector.lanes import UNKNOWN, Lane
from bitsel.selector.modes import address_pieces
from bitsel.selector.step import Stepper
from bitsel.target.expr import Assign, Binary, Compare, Expr, Mem, Name, Num, Sext, Unary


class Writer(NamedTuple):
    """How one instruction writes one place.

    `known`: what it writes whatever the registers hold, UNKNOWN where that depends. `moves`: the place whose
    content it moves there. `sources`: where a computed address may come from, `shifts`: how far it is shifted then
    (None: by what a register holds). `low`: the place whose content, plus a shift, is the number written.
    `opaque`: it may write any number. `sums`: the bytes of an address that it adds to something.
    """

    known: Lane
    moves: int | None
    sources: tuple[int, ...]
    shifts: frozenset[int] | None
    low: int | None
    opaque: bool
    sums: frozenset[int]


def writers(ground: Ground, stepper: Stepper) -> Iterator[tuple[int, Writer, Pair]]:
    """Every place that an instruction writes, flags aside, with how."""
    layout = stepper.layout
    wide = [name for name in ground.writes if stepper.target.registers[name].width > 1]
    written = {place for name in wide for place in layout.places.get(name, ())}
    if not written:
        return
    known: Mapping[int, Lane] = {}
    if not ground.uses.mems:
        outcome = stepper.run(ground, (), layout.blank())
        known = dict(outcome.registers) if outcome is not None else {}
    done: set[int] = set()
    for statement in ground.form.does:
        found = list(_statement(ground, stepper, statement, known, len(written)))
        for place, writer, cost in found:
            # What one statement passes to the next is one instruction's doing, charged once.
            passed = done & {place, *writer.sources, *({writer.moves} - {None})}
            yield place, writer._replace(known=UNKNOWN) if passed else writer, NOTHING if passed else cost
        done |= {place for place, _, _ in found}


def _statement(
    ground: Ground, stepper: Stepper, statement: Assign, known: Mapping[int, Lane], count: int
) -> Iterator[tuple[int, Writer, Pair]]:
    layout = stepper.layout
    for target, value in zip(statement.targets, statement.values, strict=True):
        places = layout.places.get(_bound(ground, target.id), ()) if isinstance(target, Name) else ()
        if layout.is_flag(places):
            continue
        loads = any(isinstance(e, Mem) for e in walk(value))
        # What an access costs is counted where it is made: what comes beside it is free.
        cost = cost_of(ground, count) if loads or not ground.uses.mems else NOTHING
        for index, place in enumerate(places):
            yield place, _writer(ground, stepper, value, index, known.get(place, UNKNOWN)), cost


def _writer(ground: Ground, stepper: Stepper, value: Expr, index: int, known: Lane) -> Writer:
    layout = stepper.layout
    if isinstance(value, Name):
        bound = ground.env.get(value.id, value.id)
        if isinstance(bound, str):
            places = layout.places.get(bound, ())
            if index < len(places):
                return Writer(UNKNOWN, places[index], (), frozenset(), None, False, frozenset())
    names = {_bound(ground, e.id) for e in _parts(value) if isinstance(e, Name) and _is_register(ground, e.id)}
    read = tuple(sorted({place for name in names for place in layout.places.get(name, ())}))
    shifts = _shifts(ground, value)
    low = None
    if index == 0 and shifts is not None and len(names) == 1 and _is_sum(value):
        low = layout.places.get(min(names), (None,))[0]
    sums = frozenset().union(
        *(address_pieces(ground.env.get(e.id, 0)) for e in _parts(value) if isinstance(e, Name))
    )
    return Writer(known, None, read, shifts, low, True, sums)


def _parts(value: Expr) -> Iterator[Expr]:
    """The expressions in `value`, without those that name a place in memory."""
    yield value
    match value:
        case Unary(_, inner) | Sext(inner, _):
            yield from _parts(inner)
        case Binary(_, left, right) | Compare(_, left, right):
            yield from _parts(left)
            yield from _parts(right)
        case _:
            pass


def _is_sum(value: Expr) -> bool:
    """Whether the expression is a register plus or minus constants."""
    return isinstance(value, Name) or (
        isinstance(value, Binary)
        and value.op in "+-"
        and _is_sum(value.left)
        and isinstance(value.right, (Name, Num))
    )


def _shifts(ground: Ground, value: Expr) -> frozenset[int] | None:
    """By how much an address that `value` computes may lie further than the one it is computed from; None: by
    anything."""
    found = {0}
    for e in _parts(value):
        if isinstance(e, Binary) and e.op in "+-":
            right = e.right
            number = right.value if isinstance(right, Num) else None
            if isinstance(right, Name):
                bound = ground.env.get(right.id, right.id)
                number = bound if isinstance(bound, int) else None
            if number is None:
                return None
            signed = number if e.op == "+" else -number
            found = (
                {before + signed for before in found}
                if _is_sum(value)
                else {before + step for before in found for step in (0, signed)}
            )
    return frozenset(found)


def _is_register(ground: Ground, name: str) -> bool:
    return isinstance(ground.env.get(name, name), str)


def _bound(ground: Ground, name: str) -> str:
    return str(ground.env.get(name, name))

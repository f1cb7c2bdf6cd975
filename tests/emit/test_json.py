"""The JSON document: its exact text, its schema, and that it is written as it is found."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from attrs import evolve

from bitsel.effect import Effect
from bitsel.emit.json import Verdicts, schema, write
from bitsel.ir import Access, Address, Const, Span, Store
from bitsel.match import Idiom, Site
from bitsel.reasons import Code, Reason
from bitsel.report import Event, Header, InputReport, SiteReport
from bitsel.selector.verdict import Selection, Sequence

HEADER = Header("rl78", "r7f100g", "size", "strict")
SET_BIT_12 = Idiom(Effect.or_with(16, 0x1000), Access(width=16), Address("symbol", "w", 0))
SELECTED = Selection(
    "selected",
    Sequence(("set1 !_w+1.4",), 4, 2, False, ()),
    Sequence(
        ("movw hl, #_w", "movw ax, [hl]", "or a, #16", "movw [hl], ax"), 7, 4, True, ("a", "h", "l", "x", "z")
    ),
    None,
)
USED = Selection("rejected", None, None, Reason(Code.VALUE_USED, "%4 is also used by %9"))


def site(idiom: Idiom | None = SET_BIT_12, reason: Reason | None = None, function: str = "f3") -> Site:
    zero = Const(value=0, width=16)
    return Site(
        function,
        "entry",
        0,
        Store(pointer=zero, value=zero, access=Access(16), span=Span(9, 20, 41)),
        idiom,
        reason,
    )


def written(*events: Event) -> str:
    out = io.StringIO()
    write(events, HEADER, out)
    return out.getvalue()


def document(*events: Event) -> Any:
    loaded = json.loads(written(*events))
    jsonschema.validate(loaded, schema())
    return loaded


def address(where: Address, absolute: int | None = None) -> Any:
    report = SiteReport("x.ll", site(evolve(SET_BIT_12, address=where)), evolve(SELECTED, absolute=absolute))
    return document(report)["sites"][0]["idiom"]["address"]


def test_the_whole_text() -> None:
    text = written(
        SiteReport("x.ll", site(), SELECTED, ("t.c", 12)),
        SiteReport("x.ll", site(None, USED.reason), USED),
        InputReport("x.ll", 3, 2, 1),
    )
    assert text == (
        '{"schema": "bitsel.selection/1",\n'
        ' "target": {"name": "rl78", "device": "r7f100g"}, "objective": "size", "policy": "strict",\n'
        ' "sites": [\n'
        '  {"id": "f3:entry:0", "input": "x.ll", "function": "f3", "block": "entry", "line": 41,'
        ' "debug": {"file": "t.c", "line": 12},'
        ' "idiom": {"width": 16, "effect": [{"bit": 12, "op": "set"}], "volatile": false, "ordering": null,'
        ' "address": {"kind": "symbol", "symbol": "w", "offset": 0, "space": 0}},'
        ' "verdict": "selected", "reason": null, "assumes": [], "warnings": [],'
        ' "chosen": {"asm": ["set1 !_w+1.4"], "bytes": 4, "cycles": 2, "interruptible": false, "clobbers": [],'
        ' "emitted_by": []},'
        ' "baseline": {"asm": ["movw hl, #_w", "movw ax, [hl]", "or a, #16", "movw [hl], ax"], "bytes": 7,'
        ' "cycles": 4, "interruptible": true, "clobbers": ["a", "h", "l", "x", "z"], "emitted_by": []}},\n'
        '  {"id": "f3:entry:0", "input": "x.ll", "function": "f3", "block": "entry", "line": 41,'
        ' "debug": null, "idiom": null,'
        ' "verdict": "rejected",'
        ' "reason": {"code": "value-used", "detail": "%4 is also used by %9", "fix": null},'
        ' "assumes": [], "warnings": [], "chosen": null, "baseline": null}\n'
        " ],\n"
        ' "inputs": [{"path": "x.ll", "functions": 3, "sites": 2, "selected": 1, "error": null}],\n'
        ' "summary": {"sites": 2, "selected": 1, "bytes_saved": 3, "cycles_saved": 2,'
        ' "by_reason": {"value-used": 1}}}\n'
    )
    jsonschema.validate(json.loads(text), schema())


def test_nothing_found_is_a_document_too() -> None:
    found = document(InputReport("x.ll", 0, 0, 0, "x.ll: cannot be read"))
    assert found["sites"] == []
    assert found["inputs"] == [
        {"path": "x.ll", "functions": 0, "sites": 0, "selected": 0, "error": "x.ll: cannot be read"}
    ]
    assert found["summary"] == {"sites": 0, "selected": 0, "bytes_saved": 0, "cycles_saved": 0, "by_reason": {}}


def test_an_absolute_address_is_the_one_on_the_target() -> None:
    assert address(Address("absolute", None, 0xFF01), 0xFFF01) == {
        "kind": "absolute", "value": 0xFFF01, "offset": 0, "space": 0,
    }  # fmt: skip


def test_an_absolute_address_in_a_space_the_target_lacks_has_no_value() -> None:
    assert address(Address("absolute", None, 16, 7)) == {"kind": "absolute", "value": None, "offset": 0, "space": 7}


def test_a_pointer_is_named_by_its_value() -> None:
    assert address(Address("pointer", "%p", 3, 1)) == {"kind": "pointer", "value": "%p", "offset": 3, "space": 1}


def test_a_stack_slot_is_an_offset() -> None:
    assert address(Address("stack", "%s", 2)) == {"kind": "stack", "offset": 2, "space": 0}


def test_an_atomic_access_names_its_ordering_and_volatile_is_a_boolean() -> None:
    idiom = Idiom(Effect.xor_with(8, 0x81), Access(8, True, "seq_cst"), Address("symbol", "f", 0), atomic=True)
    found = document(SiteReport("x.ll", site(idiom), evolve(SELECTED, baseline=None)))["sites"][0]
    assert (found["idiom"]["ordering"], found["idiom"]["volatile"]) == ("seq_cst", True)
    assert found["idiom"]["effect"] == [{"bit": 0, "op": "toggle"}, {"bit": 7, "op": "toggle"}]
    assert found["baseline"] is None


@pytest.mark.parametrize("name", ['quo"ted', "back\\slash", "new\nline", "naïve", "\x01asm", "\udc80"])
def test_any_name_survives(name: str) -> None:
    assert document(SiteReport("x.ll", site(function=name), SELECTED))["sites"][0]["function"] == name


def test_a_site_is_written_before_the_next_is_found() -> None:
    out = io.StringIO()

    def events() -> Iterator[Event]:
        yield SiteReport("x.ll", site(function="first"), SELECTED)
        assert '"function": "first"' in out.getvalue()
        yield InputReport("x.ll", 1, 1, 1)

    write(events(), HEADER, out)


def test_texts_kept_by_identity_are_bounded_and_never_mixed_up() -> None:
    verdicts = Verdicts()
    for number in range(3 * Verdicts.LIMIT):
        fresh = evolve(SELECTED, warnings=(f"warning {number}",))
        assert f'"warning {number}"' in verdicts.of(fresh)
    assert len(verdicts._texts) <= Verdicts.LIMIT


def test_the_schema_lists_every_reason_in_the_order_of_the_catalogue() -> None:
    assert schema()["$defs"]["code"]["enum"] == [code.value for code in Code]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("extra",), 1),
        (("sites", 0, "extra"), 1),
        (("sites", 0, "chosen"), None),
        (("sites", 0, "reason"), {"code": "cost", "detail": "", "fix": None}),
        (("sites", 0, "idiom", "address", "kind"), "pointer"),
        (("summary", "by_reason", "bad-luck"), 1),
    ],
)
def test_the_schema_is_strict(path: tuple[str | int, ...], value: object) -> None:
    found = document(SiteReport("x.ll", site(), SELECTED), InputReport("x.ll", 1, 1, 1))
    inner = found
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema())

"""SARIF: what the standard requires of the parts that are used, and what each result says.

Sections are those of SARIF 2.1.0 (OASIS, 27 March 2020).
"""

from __future__ import annotations

import io
import json
from typing import Any

import jsonschema
import pytest

from bitsel.effect import Effect
from bitsel.emit.findings import RULES, of_selection
from bitsel.emit.sarif import write
from bitsel.ir import Access, Address, Const, Span, Store
from bitsel.match import Idiom, Site
from bitsel.reasons import Code, Reason
from bitsel.report import Event, InputReport, SiteReport
from bitsel.selector.verdict import Selection, Sequence

MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
SCHEMA = {
    "type": "object",
    "required": ["version", "runs"],  # 3.13.2, 3.13.4
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "format": "uri"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],  # 3.14.6; results, as the scan was made (3.14.23)
                "properties": {
                    "tool": {
                        "required": ["driver"],  # 3.18.2
                        "properties": {
                            "driver": {
                                "required": ["name"],  # 3.19.8
                                "properties": {
                                    "rules": {
                                        "uniqueItems": True,
                                        "items": {
                                            "required": ["id"],  # 3.49.3
                                            "properties": {"shortDescription": MESSAGE},
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "invocations": {
                        "items": {
                            "required": ["executionSuccessful"],  # 3.20.14
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "items": {"required": ["message"], "properties": {"message": MESSAGE}}  # 3.58.5
                                },
                            },
                        }
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "required": ["message"],  # 3.27.11
                            "properties": {
                                "message": MESSAGE,
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "kind": {  # 3.27.9
                                    "enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]
                                },
                                "level": {"enum": ["none", "note", "warning", "error"]},  # 3.27.10
                                "partialFingerprints": {"additionalProperties": {"type": "string"}},  # 3.27.17
                                "locations": {
                                    "items": {
                                        "properties": {
                                            "physicalLocation": {
                                                "required": ["artifactLocation"],  # 3.29.2
                                                "properties": {
                                                    "artifactLocation": {
                                                        "properties": {
                                                            "uri": {"type": "string", "pattern": r"^[!-~]+$"}
                                                        }
                                                    },
                                                    "region": {
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1}
                                                        }
                                                    },
                                                },
                                            },
                                            "logicalLocations": {"type": "array", "items": {"type": "object"}},
                                        }
                                    }
                                },
                            },
                            # 3.27.10: a level other than none is that of a failure.
                            "if": {"properties": {"kind": {"const": "fail"}}},
                            "else": {"properties": {"level": {"const": "none"}}},
                        },
                    },
                },
            },
        },
    },
}

FLAGS = Idiom(Effect.or_with(8, 0x10), Access(8, True), Address("symbol", "flags", 0))
SELECTED = Selection("selected", Sequence(("set1 !_flags.4",), 4, 2, False, ()), None, None, warnings=("w1c",))
WIDTH = Selection("rejected", None, None, Reason(Code.VOLATILE_WIDTH, "16 bits", "use a byte"))


def report(selection: Selection, debug: tuple[str, int] | None = None) -> SiteReport:
    zero = Const(value=0, width=8)
    store = Store(pointer=zero, value=zero, access=Access(8), span=Span(9, 20, 41))
    return SiteReport("a b/\u00e4.ll", Site("f", "entry", 0, store, FLAGS, selection.reason), selection, debug)


def checked(text: str) -> Any:
    document = json.loads(text)
    jsonschema.validate(document, SCHEMA)
    [run] = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])  # 3.27.6
    return run


def written(*events: Event) -> Any:
    out = io.StringIO()
    write(of_selection(events), out)
    return checked(out.getvalue())


def test_a_missed_site_is_a_failure_that_is_noted() -> None:
    [result] = written(report(WIDTH))["results"]
    assert (result["ruleId"], result["kind"], result["level"]) == ("volatile-width", "fail", "note")
    assert result["message"]["text"] == "set bit 4 of volatile i8 flags: 16 bits; fix: use a byte"
    [location] = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/%C3%A4.ll"},
        "region": {"startLine": 41},
    }
    assert location["logicalLocations"] == [{"name": "f", "fullyQualifiedName": "f:entry:0", "kind": "function"}]


def test_a_selected_site_passes_and_a_warning_informs() -> None:
    results = written(report(SELECTED, ("t.c", 12)))["results"]
    assert [(each["ruleId"], each["kind"], each["level"]) for each in results] == [
        ("selected", "pass", "none"),
        ("warning", "informational", "none"),
    ]
    place = results[0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("t.c", 12)
    assert results[0]["properties"] == {"input": "a b/\u00e4.ll", "line": 41}


def test_every_reason_is_a_rule_with_its_sentence() -> None:
    rules = written()["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    assert {code.value: code.when for code in Code}.items() <= {
        rule["id"]: rule["shortDescription"]["text"] for rule in rules
    }.items()


def test_an_input_that_cannot_be_read_is_told() -> None:
    [invocation] = written(InputReport("x.ll", 0, 0, 0, "x.ll: cannot be read"))["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "x.ll: cannot be read"


@pytest.mark.parametrize("command", ["select", "audit", "rewrite"])
def test_each_command_writes_it(run: Any, root: Any, command: str) -> None:
    more = ("-o", "/dev/null", "--report", "-") if command == "rewrite" else ()
    done = run(command, root / "examples" / "g23_driver.Os.ll", "--target=rl78:r7f100g", "--format=sarif", *more)
    kinds = {result["kind"] for result in checked(done.out)["results"]}
    assert kinds >= {"fail"} if command == "audit" else kinds == {"pass", "fail", "informational"}

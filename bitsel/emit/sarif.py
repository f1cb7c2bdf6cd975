"""``--format sarif``: SARIF 2.1.0, which code hosts and editors show as notes beside the lines.

https://docs.oasis-open.org/sarif/sarif/v2.1.0. An update that is left alone is a result of kind ``fail`` and level
``note``, one that is not of kind ``pass``; what is merely said is ``informational``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TextIO
from urllib.parse import quote

from bitsel import __version__
from bitsel.emit.findings import RULES, Finding, Findings, Kind

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INDICES = {rule: index for index, rule in enumerate(RULES)}
_KINDS: Mapping[Kind, tuple[str, str]] = {
    "passed": ("pass", "none"),
    "missed": ("fail", "note"),
    "analysis": ("informational", "none"),
}


def write(findings: Findings, out: TextIO) -> None:
    """Write one run to `out`, each result as soon as its finding is there."""
    driver = {"name": "bitsel", "version": __version__, "rules": [_rule(*rule) for rule in RULES.items()]}
    out.write(f'{{"$schema": "{SCHEMA}",\n "version": "2.1.0",\n "runs": [{{\n')
    out.write(f'  "tool": {json.dumps({"driver": driver})},\n  "results": [')
    errors: list[str] = []
    separator = "\n   "
    for finding in findings:
        if isinstance(finding, Finding):
            out.write(separator + json.dumps(_result(finding)))
            separator = ",\n   "
        elif finding.error is not None:
            errors.append(finding.error)
    out.write(f'\n  ],\n  "invocations": [{json.dumps(_invocation(errors))}]}}]}}\n')


def _rule(rule: str, sentence: str) -> dict[str, Any]:
    return {"id": rule, "shortDescription": {"text": sentence}}


def _result(finding: Finding) -> dict[str, Any]:
    kind, level = _KINDS[finding.kind]
    file, line = finding.place
    report = finding.report
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(file, errors="surrogateescape")}}
    if line:
        physical["region"] = {"startLine": line}
    return {
        "ruleId": finding.rule,
        "ruleIndex": _INDICES[finding.rule],
        "kind": kind,
        "level": level,
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": physical,
                "logicalLocations": [
                    {"name": report.function, "fullyQualifiedName": report.id, "kind": "function"}
                ],
            }
        ],
        "partialFingerprints": {"bitsel/site/v1": report.id},
        "properties": {"input": report.input, "line": report.line},
    }


def _invocation(errors: list[str]) -> dict[str, Any]:
    return {
        "executionSuccessful": not errors,
        "toolExecutionNotifications": [{"level": "error", "message": {"text": error}} for error in errors],
    }

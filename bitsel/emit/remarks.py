"""``--format remarks``: LLVM's optimisation remarks as YAML, one document per finding, for ``opt-viewer``.

https://llvm.org/docs/Remarks.html::

    --- !Missed
    Pass:            bitsel
    Name:            VolatileWidth
    DebugLoc:        { File: 'timer.c', Line: 140, Column: 0 }
    Function:        'timer_output_enable'
    Args:
      - Update:          'set bit 0 of volatile i16 at 0xf01ba: '
    ...
"""

from __future__ import annotations

from typing import TextIO

from bitsel.emit.findings import Finding, Findings, Kind
from bitsel.emit.text import printable

_TAGS: dict[Kind, str] = {"passed": "!Passed", "missed": "!Missed", "analysis": "!Analysis"}


def write(findings: Findings, out: TextIO) -> None:
    """Write a document for each finding to `out`, as soon as it is there. Inputs by themselves have none."""
    for finding in findings:
        if isinstance(finding, Finding):
            out.write(_document(finding))


def _document(finding: Finding) -> str:
    file, line = finding.place
    lines = [
        f"--- {_TAGS[finding.kind]}",
        f"{'Pass:':<17}bitsel",
        f"{'Name:':<17}{_camel(finding.rule)}",
        # The column is not known; a reader of remarks wants all three.
        f"{'DebugLoc:':<17}{{ File: {_quoted(file)}, Line: {line}, Column: 0 }}",
        f"{'Function:':<17}{_quoted(finding.report.function)}",
        "Args:",
        *(f"  - {f'{key}:':<17}{_quoted(text)}" for key, text in finding.parts),
        "  - String:          ' '",
        f"  - Site:            {_quoted(f'[{finding.report.id}]')}",
        "...",
    ]
    return "\n".join(lines) + "\n"


def _camel(rule: str) -> str:
    """``volatile-width`` as remarks are named: ``VolatileWidth``."""
    return "".join(word.capitalize() for word in rule.split("-"))


def _quoted(text: str) -> str:
    """A flow scalar that YAML and LLVM's own reader, which knows no escapes, take alike."""
    return "'" + printable(text).replace("'", "''") + "'"

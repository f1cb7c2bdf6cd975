"""Assembling many lines in one run, and seeing what became of each.

>>> assemble(tool, (), ["set1 [hl].3", "set1 [de].3"])  # doctest: +SKIP
[b'q\\xb2', Rejected(message='syntax error at `[de].3\'')]

Each line stands between labels. Lines that the assembler complains of are taken out until the rest assembles: some
errors come to light only when the others are gone. After each line there is a place that it may jump to, ``1f``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from bitsel.errors import ToolError
from bitsel.toolchain.elf import Object
from bitsel.toolchain.process import run

# What GNU as and llvm-mc agree on: file, line, perhaps a column, and what kind of message it is.
_MESSAGE = re.compile(r"^[^:\n]*:(\d+):(?:\d+:)? *(?:fatal )?error: *(.*)$", re.IGNORECASE | re.MULTILINE)
_LINES_EACH = 5
_LABEL = "bitsel_line"


@frozen
class Rejected:
    """A line that does not assemble, and what the assembler said."""

    message: str


def assemble(tool: Path, options: Sequence[str], lines: Sequence[str]) -> list[bytes | Rejected]:
    """The code of each line. Raises ToolError where the assembler fails for another reason than a line."""
    rejected: dict[int, Rejected] = {}
    with TemporaryDirectory(prefix="bitsel-") as folder:
        while True:
            left = [i for i in range(len(lines)) if i not in rejected]
            output = _run([str(tool), *options], [lines[i] for i in left], Path(folder))
            if isinstance(output, Object):
                break
            for place, message in output.items():
                rejected[left[place]] = message
    code: dict[int, bytes] = {}
    for place, i in enumerate(left):
        code[i] = output.text[output.labels[f"{_LABEL}{place}"] : output.labels[f"{_LABEL}{place}_end"]]
    return [rejected[i] if i in rejected else code[i] for i in range(len(lines))]


def _run(command: Sequence[str], lines: Sequence[str], folder: Path) -> Object | dict[int, Rejected]:
    """What the lines become, or those that are complained of."""
    source, made = folder / "lines.s", folder / "lines.o"
    source.write_text(
        "".join(f"{_LABEL}{i}:\n\t{line}\n{_LABEL}{i}_end:\n\t.space 4\n1:\n" for i, line in enumerate(lines)),
        encoding="utf-8",
    )
    done = run([*command, "-o", made.name, source.name], folder=folder)
    if done.returncode == 0:
        return Object.of(made.read_bytes())
    found: dict[int, Rejected] = {}
    for number, message in _MESSAGE.findall(done.stderr):
        place, row = divmod(int(number) - 1, _LINES_EACH)
        if row == 1:
            found[place] = Rejected(message.lstrip("^ ").strip())  # of several, the last says most
    if not found:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise ToolError(f"{Path(command[0]).name} failed: {said[0]}")
    return found

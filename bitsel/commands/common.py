"""What several commands share: options, inputs, exit codes, complaining."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO, TypeVar

if TYPE_CHECKING:
    from bitsel.emit.findings import Findings
    from bitsel.inputs import Source

DONE, UNREADABLE, USAGE = 0, 1, 2
FAILED = 1

Commands = argparse._SubParsersAction  # of ArgumentParser; argparse has no public name for it
Event = TypeVar("Event")


class Once(argparse.Action):
    """Stores a value; given again, the option is wrong: the first value would be dropped without a word."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        given: frozenset[str] = getattr(namespace, "given", frozenset())
        if self.dest in given:
            raise argparse.ArgumentError(self, "given twice")
        namespace.given = given | {self.dest}
        setattr(namespace, self.dest, values)


def add_inputs(parser: argparse.ArgumentParser, languages: str = "LLVM IR (.ll, .bc) or assembly (.s)") -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help=f"{languages}; - is standard input")


def add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target",
        action=Once,
        required=True,
        metavar="TARGET[:DEVICE]",
        help="as in rl78:r7f100g; see bitsel target list",
    )


def add_choosing(parser: argparse.ArgumentParser) -> None:
    """What every command that selects asks for besides targets."""
    parser.add_argument(
        "--objective",
        action=Once,
        choices=("size", "speed"),
        default="size",
        help="size: fewest bytes, then cycles; speed: fewest cycles, then bytes (default: size)",
    )
    parser.add_argument(
        "--policy",
        action=Once,
        choices=("strict", "vendor"),
        default="strict",
        help="strict leaves registers alone whose bits react to being written or read;"
        " vendor selects there with a warning (default: strict)",
    )


FORMATS = {
    "table": "for people",
    "json": "for programs",
    "remarks": "LLVM's YAML, for opt-viewer",
    "sarif": "SARIF 2.1.0, for code hosts and editors",
}
FINDINGS = ("remarks", "sarif")


def add_format(parser: argparse.ArgumentParser, *formats: str, of: str = "") -> None:
    """`formats`: those there are, the default first; `of` says of what."""
    says = "; ".join(f"{name}: {FORMATS[name]}" for name in formats)
    parser.add_argument(
        "--format", action=Once, choices=formats, default=formats[0], help=f"{of}{says} (default: {formats[0]})"
    )


def findings_writer(name: str) -> Callable[[Findings, TextIO], None]:
    """What writes findings in one of the formats `FINDINGS`."""
    if name == "remarks":
        from bitsel.emit.remarks import write
    else:
        from bitsel.emit.sarif import write
    return write


def add_plugins(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plugin",
        dest="plugins",
        action="append",
        default=[],
        metavar="PATH",
        help="a further target: a directory with a target.toml, or a TOML file; may be repeated",
    )


def settle() -> None:
    """Tell the garbage collector that what is loaded by now stays."""
    gc.freeze()


def over_inputs(names: Sequence[str], run: Callable[[Source, str], Iterator[Event]]) -> Iterator[Event]:
    """What `run` yields for one input after the other; each is called what reports call it."""
    from pathlib import Path

    for name in names:
        if name == "-":
            yield from run(sys.stdin.buffer.read(), "<stdin>")
        else:
            yield from run(Path(name), name)


def complaining(events: Iterable[Event], failed: list[str]) -> Iterator[Event]:
    """The events as they come; an input's error or warning is told, and the error added to `failed`."""
    for event in events:
        error, warning = getattr(event, "error", None), getattr(event, "warning", None)  # what sums up an input has
        if warning is not None:
            complain(warning, "warning")
        if error is not None:
            complain(error)
            failed.append(error)
        yield event


def complain(message: str, kind: str = "error") -> None:
    """One line on stderr, after what stdout has so far."""
    from bitsel.emit.text import printable

    with suppress(BrokenPipeError):
        sys.stdout.flush()
    print(f"bitsel: {kind}: {printable(message)}", file=sys.stderr)

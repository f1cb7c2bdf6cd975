"""``bitsel select``: find bit updates and choose instructions for them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TextIO

from bitsel.commands.common import (
    DONE,
    FORMATS,
    UNREADABLE,
    Commands,
    add_choosing,
    add_format,
    add_inputs,
    add_plugins,
    add_target,
    complaining,
    findings_writer,
    over_inputs,
    settle,
)

if TYPE_CHECKING:
    from bitsel.report import Event, Header


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "select",
        help="find bit updates and choose instructions for them",
        description="Find the bit updates in LLVM IR or assembly and print for each what the target executes for"
        " it, what that costs beside plain LOAD-OP-STORE, or why it stays as it is.",
        allow_abbrev=False,
    )
    add_inputs(parser)
    add_target(parser)
    add_choosing(parser)
    add_format(parser, *FORMATS)
    add_plugins(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from bitsel.api import Selector

    failed: list[str] = []
    with Selector(args.target, objective=args.objective, policy=args.policy, plugins=args.plugins) as selector:
        settle()
        events = over_inputs(args.inputs, lambda source, name: selector.run(source, name=name))
        _writer(args.format)(complaining(events, failed), selector.header, sys.stdout)
    return UNREADABLE if failed else DONE


def _writer(name: str) -> Callable[[Iterable[Event], Header, TextIO], None]:
    if name == "json":
        from bitsel.emit.json import write
    elif name == "table":
        from bitsel.emit.table import write
    else:
        from bitsel.emit.findings import of_selection

        found = findings_writer(name)
        return lambda events, header, out: found(of_selection(events), out)
    return write

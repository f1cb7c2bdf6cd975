"""``bitsel audit``: the volatile updates that an interrupt can fall into."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

from bitsel.commands.common import (
    DONE,
    FAILED,
    FORMATS,
    UNREADABLE,
    Commands,
    Once,
    add_choosing,
    add_format,
    add_inputs,
    add_plugins,
    add_target,
    complaining,
    findings_writer,
    over_inputs,
)

if TYPE_CHECKING:
    from bitsel.api import Selector
    from bitsel.audit import Audited
    from bitsel.inputs import Source
    from bitsel.report import Header


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "audit",
        help="list the volatile updates that an interrupt can tear",
        description="List the updates of volatile objects that take more than one instruction, so that an interrupt"
        " can fall between read and write: those that bitsel rewrite makes one instruction, and those it cannot,"
        " with the reason and the smallest change that helps.",
        allow_abbrev=False,
    )
    add_inputs(parser)
    add_target(parser)
    parser.add_argument(
        "--fail-on",
        action=Once,
        choices=("interruptible",),
        help="exit with 1 if there is an update that takes more than one instruction",
    )
    add_choosing(parser)
    add_format(parser, *FORMATS)
    add_plugins(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from bitsel.api import Selector
    from bitsel.audit import AuditSite

    failed: list[str] = []
    interruptible = 0

    def watched(events: Iterable[Audited]) -> Iterator[Audited]:
        nonlocal interruptible
        for event in events:
            interruptible += isinstance(event, AuditSite) and event.status != "single"
            yield event

    with Selector(args.target, objective=args.objective, policy=args.policy, plugins=args.plugins) as selector:
        events = over_inputs(args.inputs, lambda source, name: _audited(source, name, selector))
        _writer(args.format)(watched(complaining(events, failed)), selector.header, sys.stdout)
    if failed:
        return UNREADABLE
    return FAILED if args.fail_on and interruptible else DONE


def _audited(source: Source, name: str, selector: Selector) -> Iterator[Audited]:
    from bitsel.audit import audit
    from bitsel.errors import InputError
    from bitsel.inputs import content_of
    from bitsel.report import InputReport

    try:
        data = source if isinstance(source, bytes) else content_of(source)
    except InputError as error:
        yield InputReport(name, 0, 0, 0, str(error))
        return
    yield from audit(data, name, selector)


def _writer(name: str) -> Callable[[Iterable[Audited], Header, TextIO], None]:
    from bitsel.emit.audit import findings, write_json, write_table

    if name in ("table", "json"):
        return write_table if name == "table" else write_json
    found = findings_writer(name)
    return lambda events, header, out: found(findings(events), out)

"""``bitsel target``: the targets there are, their facts, their checks, and the start of a new one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bitsel.commands.common import DONE, FAILED, Commands, add_format, add_plugins

if TYPE_CHECKING:
    from bitsel.target.facts import Device, Target
    from bitsel.verify.check import DeviceResult


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("target", help="the targets there are, and their facts", allow_abbrev=False)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list the targets and who brings them", allow_abbrev=False)
    add_plugins(listing)
    listing.set_defaults(run=run_list)
    show = actions.add_parser("show", help="print a target's table of facts", allow_abbrev=False)
    show.add_argument(
        "target", metavar="TARGET[:DEVICE]", help="as in rl78:r7f100g; without a device, its default or first one"
    )
    add_plugins(show)
    show.set_defaults(run=run_show)
    check = actions.add_parser(
        "check",
        help="check a target's table of facts",
        description="Check a target's table, a row per instruction: against itself (facts), every sequence that is"
        " selected against the update it stands for (proof), against a real assembler and a real simulator.",
        allow_abbrev=False,
    )
    check.add_argument(
        "target",
        metavar="NAME|PATH[:DEVICE]",
        help="a target, or a directory with a target.toml, or a TOML file; without a device, one per core",
    )
    check.add_argument(
        "--level",
        dest="levels",
        action="append",
        metavar="LEVEL",
        help="only this level: facts, proof, assembler or simulator; may be repeated",
    )
    add_format(check, "table", "json")
    add_plugins(check)
    check.set_defaults(run=run_check)
    schema = actions.add_parser(
        "schema", help="print the JSON Schema of a target.toml, for editors", allow_abbrev=False
    )
    schema.set_defaults(run=run_schema)
    new = actions.add_parser(
        "new",
        help="start a new target",
        description="Write the directory bitsel-NAME: an installable plugin whose table has one worked instruction"
        " of every kind, with its tests.",
        allow_abbrev=False,
    )
    new.add_argument("name", metavar="NAME", help="the target's name: lower-case letters, digits, - and _")
    new.set_defaults(run=run_new)


def run_list(args: argparse.Namespace) -> int:
    from bitsel.errors import BitselError
    from bitsel.plugins import Plugins

    plugins = Plugins(args.plugins)
    for name in plugins.names:
        try:
            target = plugins.target(name)
        except BitselError as error:
            print(f"{name:<12} broken: {error}")
        else:
            owner = plugins.provider(name).owner
            print(f"{name:<12} {target.status:<13} {owner:<16} devices: {_devices(target)}")
    return DONE


def _devices(target: Target) -> str:
    """The devices of a target in a line of a list: of many, how many there are and where they are told."""
    from bitsel.target.show import MANY_DEVICES

    names = list(target.devices)
    if len(names) <= MANY_DEVICES:
        return ", ".join(names)
    return f"{len(names)}, such as {names[0]}; all in bitsel target show {target.name}"


def run_show(args: argparse.Namespace) -> int:
    from bitsel.emit.facts import write
    from bitsel.plugins import Plugins, find_device

    name, _, device = args.target.partition(":")
    target = Plugins(args.plugins).target(name)
    # To look at, any device will do where none is named.
    shown = find_device(target, device or target.default_device or next(iter(target.devices)))
    write(target, shown, sys.stdout, alone=bool(device))
    return DONE


def run_check(args: argparse.Namespace) -> int:
    from bitsel.emit.check import write_json, write_table
    from bitsel.emit.progress import followed
    from bitsel.errors import FactsError
    from bitsel.target.expand import forms
    from bitsel.verify.check import LEVELS, check_of, run, unloadable

    levels = tuple(dict.fromkeys(args.levels or LEVELS))
    for level in levels:
        check_of(level)  # an unknown one is wrong usage, before anything is printed
    failed = False

    def watched(results: Iterable[DeviceResult]) -> Iterator[DeviceResult]:
        nonlocal failed
        for each in results:
            failed = failed or each.result.outcome == "failed"
            yield each

    name = args.target
    try:
        target, devices = _to_check(args.target, args.plugins)
    except FactsError as problem:  # what the level `facts` is there to find
        results = iter([unloadable(problem)])
    else:
        name = target.name
        results = run(target, devices, levels)
        # On a terminal the lines of a JSON document would go through the bar.
        if args.format == "table" or not sys.stdout.isatty():
            results = followed(results, len(levels) * sum(len(forms(target, device)) for device in devices))
    write = write_json if args.format == "json" else write_table
    write(watched(results), name, levels, sys.stdout)
    return FAILED if failed else DONE


def _to_check(named: str, plugins: Sequence[str]) -> tuple[Target, tuple[Device, ...]]:
    """The target that ``NAME|PATH[:DEVICE]`` means, and the devices to check: one per core unless one is named."""
    from pathlib import Path

    from bitsel.plugins import Plugins, find_device
    from bitsel.target.load import load_target
    from bitsel.verify.check import devices_of

    name, _, device = (named, "", "") if Path(named).exists() else named.rpartition(":")
    if not name:
        name, device = device, ""
    is_path = Path(name).exists() or name.endswith(".toml") or "/" in name
    target = load_target(Path(name)) if is_path else Plugins(plugins).target(name)
    return target, (find_device(target, device),) if device else devices_of(target)


def run_schema(args: argparse.Namespace) -> int:
    from bitsel.target.schema import published

    sys.stdout.write(published())
    return DONE


def run_new(args: argparse.Namespace) -> int:
    from bitsel.skeleton import write

    folder = write(args.name)
    print(f"{folder} is there; its README says how to go on")
    return DONE

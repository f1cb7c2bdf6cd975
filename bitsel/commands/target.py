"""``bitsel target``: the targets there are, their facts, their checks, and the start of a new one."""

from __future__ import annotations

import argparse
import sys

from bitsel.commands.common import DONE, Commands, add_plugins


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
            print(f"{name:<12} {target.status:<13} {owner:<16} devices: {', '.join(target.devices) or 'none'}")
    return DONE


def run_show(args: argparse.Namespace) -> int:
    from bitsel.emit.facts import write
    from bitsel.plugins import Plugins, find_device

    name, _, device = args.target.partition(":")
    target = Plugins(args.plugins).target(name)
    # To look at, any device will do where none is named.
    shown = find_device(target, device or target.default_device or next(iter(target.devices)))
    write(target, shown, sys.stdout)
    return DONE

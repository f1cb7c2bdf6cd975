"""``bitsel compare``: what several targets do at the same bit updates."""

from __future__ import annotations

import argparse
import sys

from bitsel.commands.common import (
    DONE,
    UNREADABLE,
    Commands,
    Once,
    add_choosing,
    add_format,
    add_inputs,
    add_plugins,
    complaining,
    over_inputs,
)


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "compare",
        help="compare what several targets do at the same bit updates",
        description="Find the bit updates in LLVM IR and print for each, side by side, what several targets execute"
        " for it, and what that costs.",
        allow_abbrev=False,
    )
    add_inputs(parser, "LLVM IR (.ll, .bc)")
    parser.add_argument(
        "--targets",
        action=Once,
        required=True,
        metavar="TARGET[:DEVICE],...",
        help="as in rl78:r7f100g,rl78:s3; one alone has nothing beside it; see bitsel target list",
    )
    add_choosing(parser)
    add_format(parser, "table", "json")
    add_plugins(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from bitsel.comparison import Comparer

    if args.format == "json":
        from bitsel.emit.comparison_json import write
    else:
        from bitsel.emit.comparison_table import write

    failed: list[str] = []
    targets = args.targets.split(",")
    options = {"objective": args.objective, "policy": args.policy, "plugins": args.plugins}
    with Comparer(targets, **options) as comparer:
        events = over_inputs(args.inputs, lambda source, name: comparer.run(source, name=name))
        write(complaining(events, failed), comparer.headers, sys.stdout)
    return UNREADABLE if failed else DONE

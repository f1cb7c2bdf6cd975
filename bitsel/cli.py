"""The command line: arguments in, results to stdout, diagnostics to stderr.

Exit codes: 0 done; 1 an input could not be read (the others are still done) or the results not be written; 2 wrong
usage. Nothing that a
command does not need is imported for it, so that ``bitsel --version`` costs a build nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING

from bitsel import __version__

if TYPE_CHECKING:
    from bitsel.api import Selector
    from bitsel.report import Event

DONE, UNREADABLE, USAGE = 0, 1, 2
UNWRITABLE = 1
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. `argv` is without the program's name, by default sys.argv's."""
    args = _parser().parse_args(argv)
    from bitsel.errors import BitselError

    if sys.stdout is None:  # the caller closed it
        print("bitsel: error: standard output is closed", file=sys.stderr)
        return UNWRITABLE
    if isinstance(sys.stdout, TextIOWrapper):  # a name that the output's encoding lacks is escaped
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except BitselError as error:
        _complain(str(error))
        return USAGE
    except BrokenPipeError:
        _silence_stdout()
        return BROKEN_PIPE
    except OSError as error:  # inputs that cannot be read are a BitselError
        _silence_stdout()
        _complain(f"the results cannot be written: {error.strerror or error}")
        return UNWRITABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bitsel",
        description="Choose the cheapest legal bit instructions for the single-bit updates in compiled code.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"bitsel {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_select(commands)
    _add_target(commands)
    return parser


def _add_select(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "select",
        help="find bit updates and choose instructions for them",
        description="Find the bit updates in LLVM IR and print for each what the target executes for it, what that"
        " costs beside plain LOAD-OP-STORE, or why it stays as it is.",
        allow_abbrev=False,
    )
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="LLVM IR (.ll, .bc); - is standard input")
    parser.add_argument(
        "--target", required=True, metavar="TARGET[:DEVICE]", help="as in rl78:r7f100g; see bitsel target list"
    )
    parser.add_argument(
        "--objective",
        choices=("size", "speed"),
        default="size",
        help="size: fewest bytes, then cycles; speed: fewest cycles, then bytes (default: size)",
    )
    parser.add_argument(
        "--policy",
        choices=("strict", "vendor"),
        default="strict",
        help="strict leaves registers alone whose bits react to being written or read;"
        " vendor selects there with a warning (default: strict)",
    )
    parser.add_argument(
        "--format",
        choices=("table", "json"),
        default="table",
        help="table: for people; json: for programs (default: table)",
    )
    _add_plugin_option(parser)
    parser.set_defaults(run=_select)


def _add_target(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("target", help="the targets there are, and their facts", allow_abbrev=False)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list the targets and who brings them", allow_abbrev=False)
    _add_plugin_option(listing)
    listing.set_defaults(run=_target_list)
    show = actions.add_parser("show", help="print a target's table of facts", allow_abbrev=False)
    show.add_argument(
        "target", metavar="TARGET[:DEVICE]", help="as in rl78:r7f100g; without a device, its default or first one"
    )
    _add_plugin_option(show)
    show.set_defaults(run=_target_show)


def _add_plugin_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plugin",
        dest="plugins",
        action="append",
        default=[],
        metavar="PATH",
        help="a further target: a directory with a target.toml, or a TOML file; may be repeated",
    )


def _select(args: argparse.Namespace) -> int:
    from bitsel.api import Selector
    from bitsel.report import InputReport

    if args.format == "json":
        from bitsel.emit.json import write
    else:
        from bitsel.emit.table import write

    code = DONE

    def events(selector: Selector) -> Iterator[Event]:
        nonlocal code
        for event in _events(selector, args.inputs):
            if isinstance(event, InputReport) and event.error is not None:
                code = UNREADABLE
                _complain(event.error)
            yield event

    with Selector(args.target, objective=args.objective, policy=args.policy, plugins=args.plugins) as selector:
        write(events(selector), selector.header, sys.stdout)
    return code


def _events(selector: Selector, inputs: Sequence[str]) -> Iterator[Event]:
    from pathlib import Path

    for name in inputs:
        if name == "-":
            yield from selector.run(sys.stdin.buffer.read(), name="<stdin>")
        else:
            yield from selector.run(Path(name), name=name)


def _target_list(args: argparse.Namespace) -> int:
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


def _target_show(args: argparse.Namespace) -> int:
    from bitsel.emit.facts import write
    from bitsel.plugins import Plugins, find_device

    name, _, device = args.target.partition(":")
    target = Plugins(args.plugins).target(name)
    # To look at, any device will do where none is named.
    shown = find_device(target, device or target.default_device or next(iter(target.devices)))
    write(target, shown, sys.stdout)
    return DONE


def _complain(message: str) -> None:
    """One line on stderr, after what stdout has so far."""
    from bitsel.emit.text import printable

    with suppress(BrokenPipeError):
        sys.stdout.flush()
    print(f"bitsel: error: {printable(message)}", file=sys.stderr)


def _silence_stdout() -> None:
    """Nobody reads any more: keep the interpreter from complaining when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""The command line: arguments in, results to stdout, diagnostics to stderr.

Exit codes: 0 done; 1 an input could not be read (the others are still done), a check failed, or the results could
not be written; 2 wrong usage. Nothing that a command does not need is imported for it, so that ``bitsel --version``
costs a build nothing.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from bitsel import __version__
from bitsel.commands import audit, compare, rewrite, select, target
from bitsel.commands.common import USAGE, complain

YOUNG_OBJECTS = 50_000
"""So many new objects, some megabytes, are made before cycles are looked for among them: hardly anything here is in
one, and looking after every 700 would take a tenth of the time."""

UNWRITABLE = 1
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. `argv` is without the program's name, by default sys.argv's."""
    gc.set_threshold(YOUNG_OBJECTS)
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
        complain(str(error))
        return USAGE
    except BrokenPipeError:
        _silence_stdout()
        return BROKEN_PIPE
    except OSError as error:  # inputs that cannot be read are a BitselError
        _silence_stdout()
        complain(f"the results cannot be written: {error.strerror or error}")
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
    for command in (select, rewrite, audit, compare, target):
        command.add(commands)
    return parser


def _silence_stdout() -> None:
    """Nobody reads any more: keep the interpreter from complaining when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

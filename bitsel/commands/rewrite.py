"""``bitsel rewrite``: the input with its bit updates made what the target does best."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from bitsel.commands.common import (
    DONE,
    FAILED,
    FINDINGS,
    UNREADABLE,
    Commands,
    Once,
    add_choosing,
    add_format,
    add_plugins,
    add_target,
    complain,
    findings_writer,
)

if TYPE_CHECKING:
    from bitsel.report import Header
    from bitsel.rewrite.options import Options
    from bitsel.rewrite.result import Rewritten

STDIN = "<stdin>"


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "rewrite",
        help="write the input anew, with its bit updates in the best form",
        description="Write assembly with better instructions for its bit updates, or LLVM IR in which every update"
        " for which bitsel select names better ones is what makes the target's compiler print these. Everything"
        " else stays as it was, byte for byte.",
        allow_abbrev=False,
    )
    parser.add_argument("input", metavar="INPUT", help="assembly (.s) or LLVM IR (.ll); - is standard input")
    parser.add_argument(
        "-o", dest="output", action=Once, metavar="OUT", help="where to write; may be INPUT; - is standard output"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="write nothing; print what would change, as a unified diff"
    )
    add_target(parser)
    add_choosing(parser)
    _add_sites(parser)
    _add_of_assembly(parser)
    parser.add_argument("--report", action=Once, metavar="FILE", help="say there what became of every site")
    add_format(parser, "json", *FINDINGS, of="of the report; ")
    add_plugins(parser)
    parser.set_defaults(run=run)


def _add_sites(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="ID",
        help="rewrite only the sites of this id (function:block:ordinal, with * for any text); may be repeated",
    )
    parser.add_argument(
        "--except", dest="but", action="append", default=[], metavar="ID", help="leave these alone; may be repeated"
    )


def _add_of_assembly(parser: argparse.ArgumentParser) -> None:
    """What assembly does not say by itself."""
    group = parser.add_argument_group("for assembly")
    group.add_argument(
        "--narrow", action="store_true", help="accesses of RAM that the input defines may become narrower"
    )
    group.add_argument(
        "--ram",
        action="append",
        default=[],
        metavar="SYMBOL|LOW..HIGH",
        help="this is such RAM too; may be repeated",
    )
    group.add_argument("--trade", action="store_true", help="what is not the objective may get worse")
    group.add_argument("--undo", action="store_true", help="make bit instructions LOAD-OP-STORE instead")
    group.add_argument(
        "--abi",
        action=Once,
        choices=("none",),
        help="none: written by hand, it follows no calling convention",
    )


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from bitsel.api import Selector
    from bitsel.errors import InputError
    from bitsel.inputs import content_of
    from bitsel.rewrite.inputs import rewrite

    _check(args)
    options = _options(args)
    name = STDIN if args.input == "-" else args.input
    choosing = {"objective": args.objective, "policy": args.policy, "plugins": args.plugins}
    with Selector(args.target, **choosing) as selector:
        try:
            data = sys.stdin.buffer.read() if args.input == "-" else content_of(Path(args.input))
            done = rewrite(data, name, selector, options)
        except InputError as error:
            complain(str(error))
            return UNREADABLE
    if done.warning is not None:  # what is selected for another machine is better not written
        complain(done.warning)
        return UNREADABLE
    new = done.text.encode("utf-8", "surrogateescape")
    return _verified(data, new, name) or _written(args, data, new) or _reported(args, done, selector.header)


def _check(args: argparse.Namespace) -> None:
    from bitsel.errors import UsageError

    if args.output is None and not args.dry_run:
        raise UsageError("nothing says where to write", hint="-o OUT, or --dry-run")
    if args.output is not None and args.dry_run:
        raise UsageError("-o and --dry-run exclude each other")
    if args.report is None and "format" in getattr(args, "given", ()):
        raise UsageError("--format is that of the report", hint="--report FILE")
    if args.report not in (None, "-") and any(
        name not in (None, "-") and os.path.realpath(name) == os.path.realpath(args.report)
        for name in (args.input, args.output)
    ):
        raise UsageError("the report would take the place of the input or the output", hint="another --report FILE")
    if args.report == "-" and (args.output == "-" or args.dry_run):
        raise UsageError("two things cannot go to standard output", hint="--report FILE")


def _options(args: argparse.Namespace) -> Options:
    from bitsel.rewrite.options import Options, Ram, Sites

    return Options(
        objective=args.objective,
        policy=args.policy,
        narrow=args.narrow,
        ram=Ram.of(tuple(args.ram)),
        trade=args.trade,
        undo=args.undo,
        by_hand=args.abi == "none",
        sites=Sites(tuple(args.only), tuple(args.but)),
    )


def _verified(old: bytes, new: bytes, name: str) -> int:
    """Nothing invalid is written: that would be a defect, and better here than in the build."""
    from bitsel.inputs import assembly_text

    if assembly_text(old, name) is not None:
        return DONE
    from bitsel.rewrite.llvm.checking import fault

    found = fault(old, new)
    if found is None:
        return DONE
    complain(f"{name}: a defect in bitsel, please report it; nothing is written: LLVM refuses the result: {found}")
    return FAILED


def _written(args: argparse.Namespace, old: bytes, new: bytes) -> int:
    if args.dry_run:
        from bitsel.rewrite.diff import unified

        sys.stdout.flush()
        sys.stdout.buffer.writelines(unified(old, new, os.fsencode(args.input)))
        return DONE
    if args.output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(new)
        return DONE
    return _put(args.output, new)


def _put(path: str, data: bytes) -> int:
    from pathlib import Path

    from bitsel.rewrite.files import write_atomically

    try:
        write_atomically(Path(path), data)
    except OSError as error:
        complain(f"{path}: cannot be written: {error.strerror or error}")
        return FAILED
    return DONE


def _reported(args: argparse.Namespace, done: Rewritten, header: Header) -> int:
    if args.report is None:
        return DONE
    from io import StringIO

    from bitsel.emit import rewriting

    out = StringIO()
    name = STDIN if args.input == "-" else args.input
    if args.format == "json":
        rewriting.write(done, name, args.output, header, out)
    else:
        findings_writer(args.format)(rewriting.findings(done, name), out)
    if args.report == "-":
        sys.stdout.write(out.getvalue())
        return DONE
    return _put(args.report, out.getvalue().encode("utf-8", "backslashreplace"))

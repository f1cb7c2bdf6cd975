#!/usr/bin/env python3
"""How fast bitsel is, as ratios that mean the same on every machine: `python benchmarks/run.py [PART...]`.

Every number is measured in this run, with this interpreter's bitsel; README.md here says what each means. Times are
wall time of a whole process, the best of `--repeat` runs, taken in turns where two programs are compared. bitsel's
cache of solved shapes lies in a temporary folder and starts empty.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import modules
import shapes

MB = 1_000_000
SEED = 20240229
BITSEL = [sys.executable, "-m", "bitsel"]
SELECT = [*BITSEL, "select", "--target", "rl78:r7f100g", "--format", "json"]
LLC = ["llc-19", "-O2", "-o", os.devnull]


class Run(NamedTuple):
    """One finished process: wall seconds, and the peak of its resident memory in bytes."""

    seconds: float
    peak: int


def run(command: list[str]) -> Run:
    """Run `command` with its output thrown away; SystemExit where it fails."""
    start = time.perf_counter()
    actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"{' '.join(command)}: exit code {os.waitstatus_to_exitcode(status)}")
    return Run(seconds, usage.ru_maxrss * 1024)


def best(commands: list[list[str]], repeat: int) -> list[Run]:
    """The fastest run of each command; the commands take turns."""
    rounds = [[run(command) for command in commands] for _ in range(repeat)]
    return [min(runs) for runs in zip(*rounds, strict=True)]


def startup(folder: Path, repeat: int) -> None:
    bare, version = best([[sys.executable, "-c", ""], [*BITSEL, "--version"]], max(repeat, 5))
    print(f"  bitsel --version   {version.seconds:.3f} s   (python -c '': {bare.seconds:.3f} s)   goal < 0.150 s")


def against_llc(path: Path, functions: int, repeat: int, goals: str) -> None:
    size = path.stat().st_size
    select, llc = best([[*SELECT, str(path)], [*LLC, str(path)]], repeat)
    print(f"  {size / MB:.1f} MB, {functions} functions of {size // functions} bytes")
    for name, done in (("bitsel", select), ("llc-19 -O2", llc)):
        print(f"    {name:<11} {done.seconds:7.2f} s  {size / MB / done.seconds:6.2f} MB/s")
    print(f"    bitsel is {llc.seconds / select.seconds:.2f} times as fast   {goals}")


def updates(folder: Path, repeat: int) -> None:
    for surroundings, what in ((6, "one update amid other code"), (0, "one update and nothing else")):
        path = folder / f"updates-{surroundings}.ll"
        count = modules.write_module(path, modules.updates(random.Random(SEED), surroundings), 4 * MB)
        print(f"  Every function is {what}:")
        against_llc(path, count, repeat, "goal >= 2.5, aim 4")


def ordinary(folder: Path, repeat: int) -> None:
    path = folder / "ordinary.ll"
    count = modules.write_module(path, modules.ordinary(random.Random(SEED)), 12 * MB)
    against_llc(path, count, repeat, "goal >= 6, aim 10")


def scale(folder: Path, repeat: int) -> None:
    runs = []
    for size in (10 * MB, 100 * MB):
        path = folder / "scale.ll"
        modules.write_module(path, modules.ordinary(random.Random(SEED)), size)
        (done,) = best([[*SELECT, str(path)]], min(repeat, 2))
        ratio = done.peak / path.stat().st_size
        print(
            f"  {size // MB:4d} MB  {done.seconds:7.2f} s   peak {done.peak / MB:5.0f} MB, {ratio:.2f} of the file"
        )
        runs.append(done)
    print(f"  ten times the file: {runs[1].seconds / runs[0].seconds:.2f} times the time   goal <= 11; memory <= 5")


PARTS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "startup": ("Start-up", startup),
    "updates": ("4 MB, an update in every function", updates),
    "ordinary": ("12 MB, an update in every 20th function", ordinary),
    "scale": ("10 MB and 100 MB", scale),
    "shapes": ("One cell, cold and warm", shapes.measure),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure bitsel; see README.md beside this file.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {', '.join(PARTS)} (default: all)")
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of each command, the fastest counts (default 3)"
    )
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"no part {part!r}; there are: {', '.join(PARTS)}")
    if not shutil.which("llc-19") and {"updates", "ordinary"} & set(arguments.parts or PARTS):
        parser.error("llc-19 is needed to compare with: apt-get install llvm-19")
    with tempfile.TemporaryDirectory(prefix="bitsel-benchmark-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for part in arguments.parts or PARTS:
            title, measure = PARTS[part]
            print(title, flush=True)
            measure(Path(folder), arguments.repeat)


if __name__ == "__main__":
    main()

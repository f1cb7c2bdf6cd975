"""How long the selector takes for one cell nobody asked about before, and for one it knows.

A *cell* is one update: effect, access and kind of address. Cold: the table of facts is loaded, and nothing is
solved, in memory or on disk. Warm: the same cells again, in the same process. Stored: the same cells in a new
selector that reads back what the first one left in the cache folder.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.plugins import Plugins, find_device
from bitsel.selector import Engine

# One of each class of address that RL78's operands tell apart.
ADDRESSES = {
    "port (saddr and sfr)": Address("absolute", None, 0xFF04),
    "sfr": Address("absolute", None, 0xFF24),
    "second sfr": Address("absolute", None, 0x00F0),
    "RAM at a number": Address("absolute", None, 0xF900),
    "symbol": Address("symbol", "state", 0),
    "symbol and offset": Address("symbol", "state", 6),
    "pointer": Address("pointer", "%p", 0),
    "pointer and displacement": Address("pointer", "%p", 6),
    "pointer and far displacement": Address("pointer", "%p", 600),
    "stack": Address("stack", "%s", 2),
    "far symbol": Address("symbol", "state", 0, space=2),
    "far pointer": Address("pointer", "%p", 0, space=2),
}
WORDS = 6  # random 16-bit effects per address


def single_bits() -> Iterator[tuple[str, Idiom]]:
    """Each operation on one bit, at each address, in a byte, a word and a long, volatile and not."""
    for place, address in ADDRESSES.items():
        for width in (8, 16, 32):
            for volatile in (False, True):
                access = Access(width, volatile=volatile, align=min(width // 8, 2), space=address.space)
                for op, effect in (
                    ("set", Effect.or_with(width, 1 << width - 3)),
                    ("clear", Effect.and_with(width, ~(1 << width - 3))),
                    ("toggle", Effect.xor_with(width, 1 << width - 3)),
                ):
                    kind = "volatile " if volatile else ""
                    yield f"{op} a bit of a {kind}i{width}, {place}", Idiom(effect, access, address)


def words() -> Iterator[tuple[str, Idiom]]:
    """16-bit effects of every kind: few bits and many, one operation and several mixed."""
    rng = random.Random(16)
    for place, address in ADDRESSES.items():
        for number in range(WORDS):
            dense = number % 2
            keep, flip = rng.getrandbits(16), rng.getrandbits(16)
            if not dense:
                keep |= rng.getrandbits(16) | rng.getrandbits(16)
                flip &= rng.getrandbits(16) & rng.getrandbits(16)
            effect = Effect(16, keep, flip)
            yield (
                f"keep {keep:#06x} flip {flip:#06x}, {place}",
                Idiom(effect, Access(16, align=2, space=address.space), address),
            )


def measure(folder: Path, repeat: int) -> None:
    """Print median and worst time of the cells of each kind; `folder` is where the caches go."""
    del repeat  # a cell is cold once
    target = Plugins().target("rl78")
    device = find_device(target, "r7f100g")

    def engine(cache: str) -> Engine:
        return Engine(target, device, cache=folder / cache)

    for kind, cells, goal in (
        ("single-bit", list(single_bits()), "goal: median 10 ms, worst 200 ms"),
        ("16-bit", list(words()), "goal: worst 500 ms"),
    ):
        print(f"  {len(cells)} {kind} cells   {goal}")
        report("cold", [(time_one(engine(f"{kind}-{n}"), idiom), name) for n, (name, idiom) in enumerate(cells)])
        first = engine(kind)
        for _, idiom in cells:
            first.select(idiom)
        report("warm", [(time_one(first, idiom), name) for name, idiom in cells])
        first.close()
        second = engine(kind)
        report("stored", [(time_one(second, idiom), name) for name, idiom in cells])


def time_one(engine: Engine, idiom: Idiom) -> float:
    start = time.perf_counter()
    engine.select(idiom)
    return time.perf_counter() - start


def report(kind: str, times: list[tuple[float, str]]) -> None:
    median = statistics.median(seconds for seconds, _ in times)
    worst, name = max(times)
    print(f"    {kind:<7} median {1000 * median:8.3f} ms   worst {1000 * worst:8.3f} ms   ({name})", flush=True)

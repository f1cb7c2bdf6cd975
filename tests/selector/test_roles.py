"""What keeps a search small without changing what it finds: registers for addresses only."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitsel.effect import Effect
from bitsel.ir import Access, Address
from bitsel.match import Idiom
from bitsel.selector.engine import Engine
from bitsel.target.facts import Target
from bitsel.target.load import load_target

TABLE = """\
[target]
name = "even"
endian = "little"
address = 16
cores = ["one"]
[registers]
"r0..r5" = 8
P = "r5:r4"
"z n s c" = 1
[class]
reg = "r0..r5"
[abi]
pointer = "r1:r0"
scratch = "r2 r3"
address = "r4 r5"
[number]
u8 = { in = "0..255", symbol = "lo hi" }
[part]
lo = { is = "A & 0xff", text = "lo({})" }
hi = { is = "A >> 8", text = "hi({})" }
[[insn]]
text = "ldi {d:reg}, {i:u8}"
does = "d = i"
bytes = 2
cycles = 1
[[insn]]
text = "mov {d:reg}, {r:reg}"
does = "d = r"
bytes = 2
cycles = 1
[[insn]]
ops = { or = "d |= r", eor = "d ^= r" }
text = "{op} {d:reg}, {r:reg}"
does = "{op}; z = d == 0; n = d >> 7; s = n ^ c"
bytes = 2
cycles = 1
[[insn]]
text = "ld {d:reg}, P"
does = "d = m8[P]"
bytes = 2
cycles = 1
[[insn]]
text = "st P, {r:reg}"
does = "m8[P] = r"
bytes = 2
cycles = 1
[[insn]]
text = "pick {d:reg}"
does = "d = d | z"
bytes = 2
cycles = 1
[device.d]
core = "one"
"""


def table(folder: Path, text: str = TABLE) -> Target:
    text = text.replace('reg = "r0..r5"', 'reg = "r0..r5"\npair = "r1:r0"')
    (folder / "target.toml").write_text(text)
    return load_target(folder)


def baseline(target: Target, where: Address, effect: Effect) -> tuple[str, ...]:
    engine = Engine(target, target.devices["d"], cache=None)
    sequence = engine.select(Idiom(effect, Access(8, True), where)).baseline
    assert sequence is not None
    return sequence.asm


@pytest.mark.parametrize("where", [Address("symbol", "w", 0), Address("pointer", "%p", 0)])
def test_addresses_and_data_stay_in_their_registers(tmp_path: Path, where: Address) -> None:
    asm = baseline(table(tmp_path), where, Effect.xor_with(8, 4))
    bring = ["ldi r4, lo(w)", "ldi r5, hi(w)"] if where.kind == "symbol" else ["mov r4, r0", "mov r5, r1"]
    assert sorted(asm) == sorted([*bring, "ld r2, P", "ldi r3, 4", "eor r2, r3", "st P, r2"])


def test_keeping_apart_costs_nothing_here(tmp_path: Path) -> None:
    apart = table(tmp_path)
    mixed = table(tmp_path, TABLE.replace('scratch = "r2 r3"\naddress = "r4 r5"', 'scratch = "r2 r3 r4 r5"'))
    for where in (Address("symbol", "w", 0), Address("pointer", "%p", 0)):
        for effect in (Effect.or_with(8, 4), Effect.xor_with(8, 4)):
            assert len(baseline(apart, where, effect)) == len(baseline(mixed, where, effect))


def test_an_address_register_takes_no_part_in_arithmetic_on_data(tmp_path: Path) -> None:
    """With one register for data there is none for the mask: the toggle is not made at all."""
    target = table(tmp_path, TABLE.replace('scratch = "r2 r3"', 'scratch = "r2"'))
    engine = Engine(target, target.devices["d"], cache=None)
    selection = engine.select(Idiom(Effect.xor_with(8, 4), Access(8, True), Address("symbol", "w", 0)))
    assert selection.baseline is None

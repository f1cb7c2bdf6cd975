"""Every condition that keeps a site from being selected is needed: loosen it, and a result changes.

Of the matcher's conditions each is switched off in turn. Of every target's operand ranges each is widened by one at
each of its ends. What a device says of its registers, what the target says of alignment, address spaces and places,
and what the source says of its accesses are each taken back; so is what has to hold for one sequence to serve at
many displacements.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

import bitsel
import bitsel_avr
import bitsel_msp430
import bitsel_rl78
from bitsel import match as matching
from bitsel.effect import Effect
from bitsel.errors import FactsError
from bitsel.ir import Access, Address, Ordering
from bitsel.match import Idiom
from bitsel.report import SiteReport
from bitsel.selector import Engine, Selection, access, offsets
from bitsel.target.facts import Device, HardwareRegister, Target
from bitsel.target.load import load_target
from bitsel.verify import assembler

HERE = Path(bitsel_rl78.__file__).parent
Patch = pytest.MonkeyPatch

# --- the matcher ------------------------------------------------------------------------------------------------

HEAD = """\
target datalayout = "e-p:16:16-i32:16-a:8"
@flags = global i8 0
@word = global i16 0
declare void @other()
"""
CODE = {
    "noop": """\
define void @f() {
  %v = load i8, ptr @flags
  %o = or i8 %v, 0
  store i8 %o, ptr @flags
  ret void
}
""",
    "value-used": """\
define i8 @f() {
  %v = load i8, ptr @flags
  %o = or i8 %v, 16
  store i8 %o, ptr @flags
  ret i8 %v
}
""",
    "control-flow": """\
define void @f() {
  %v = load i8, ptr @flags
  br label %next
next:
  %o = or i8 %v, 16
  store i8 %o, ptr @flags
  ret void
}
""",
    "addr-mismatch": """\
define void @f(ptr %p) {
  %v = load i8, ptr %p
  %o = or i8 %v, 16
  store i8 %o, ptr @flags
  ret void
}
""",
    "width-mismatch": """\
define void @f() {
  %v = load i8, ptr @word
  %w = zext i8 %v to i16
  %o = or i16 %w, 16
  store i16 %o, ptr @word
  ret void
}
""",
    "clobber-between": """\
define void @f() {
  %v = load i8, ptr @flags
  call void @other()
  %o = or i8 %v, 16
  store i8 %o, ptr @flags
  ret void
}
""",
    "nonconst-mask": """\
define void @f(i8 %m) {
  %v = load i8, ptr @flags
  %o = or i8 %v, %m
  store i8 %o, ptr @flags
  ret void
}
""",
}


def _off(name: str, holder: object = matching._Matcher) -> Callable[[Patch], None]:
    return lambda patch: patch.setattr(holder, name, lambda *arguments: None)


def _any_mask_is_a_constant(patch: Patch) -> None:
    """An unknown mask is taken for its known part, which is nothing."""
    of = matching.Values.of
    patch.setattr(matching.Values, "of", lambda self, node: evolve(of(self, node), foreign=0))


SWITCHED_OFF: dict[str, Callable[[Patch], None]] = {
    "noop": _off("_noop", matching),
    "value-used": _off("_value_used"),
    "control-flow": _off("_control_flow"),
    "addr-mismatch": _off("_addr_mismatch"),
    "width-mismatch": _off("_width_mismatch", matching),
    "clobber-between": _off("_clobber_between"),
    "nonconst-mask": _any_mask_is_a_constant,
}


def only_site(code: str) -> SiteReport:
    [site] = bitsel.select(HEAD + code, target="rl78:r7f100g").sites
    return site


@pytest.mark.parametrize("name", CODE)
def test_a_condition_of_the_matcher(name: str, monkeypatch: Patch) -> None:
    before = only_site(CODE[name])
    assert before.reason is not None
    assert before.reason.code.value == name
    if name == "control-flow":  # what is asked next looks for the load in this block
        _off("_clobber_between")(monkeypatch)
    SWITCHED_OFF[name](monkeypatch)
    after = only_site(CODE[name])
    assert after.reason is None or after.reason.code.value != name


# --- operand ranges ---------------------------------------------------------------------------------------------


def set_(bit: int, width: int = 8) -> Effect:
    return Effect.or_with(width, 1 << bit)


def toggle(bit: int, width: int = 8) -> Effect:
    return Effect.xor_with(width, 1 << bit)


def idiom(
    effect: Effect,
    number: int | None = None,
    *,
    space: int = 0,
    volatile: bool = False,
    ordering: Ordering | None = None,
    align: int = 2,
) -> Idiom:
    """At the constant address `number`, else of the symbol w."""
    where = Address("symbol", "w", 0, space) if number is None else Address("absolute", None, number, space)
    return Idiom(effect, Access(effect.width, volatile, ordering, align, space), where, ordering is not None)


def select(target: Target, update: Idiom, device: Device | None = None) -> Selection:
    return Engine(target, device or target.devices["r7f100g"], cache=None).select(update)


@pytest.fixture(scope="module")
def rl78() -> Target:
    return load_target(HERE)


def changed(folder: Path, old: str, new: str, home: Path = HERE) -> Target:
    """The target at `home`, by default RL78, with one text of its table replaced."""
    shutil.copytree(home, folder / "copy")
    table = folder / "copy" / "target.toml"
    text = table.read_text()
    assert text.count(old) == 1
    table.write_text(text.replace(old, new))
    return load_target(table)


SADDR = 'saddr = "0xffe20..0xfff1f"'
SFR = 'sfr   = "0xfff00..0xffff9 0xffffb..0xfffff"'
ABS16 = 'abs16 = { in = "0xf0000..0xfffff"'


@pytest.mark.parametrize(
    ("old", "new", "update", "before", "after"),
    [
        # one byte below and above the short range, where only its `xor` toggles in one instruction
        (SADDR, SADDR.replace("0xffe20", "0xffe1f"), idiom(toggle(3), 0xFE1F), None, ("xor 0xffe1f, #8",)),
        (SADDR, SADDR.replace("0xfff1f", "0xfff20"), idiom(toggle(3), 0xFF20), None, ("xor 0xfff20, #8",)),
        # the last byte of the far memory below the near page
        (
            ABS16,
            ABS16.replace("0xf0000", "0xeffff"),
            idiom(set_(3), 0xEFFFF, space=2),
            ("mov es, #0xe", "set1 es:!0xffff.3"),
            ("set1 !0xeffff.3",),
        ),
    ],
    ids=["saddr, low", "saddr, high", "abs16, low"],
)
def test_an_operand_range_that_decides(
    old: str,
    new: str,
    update: Idiom,
    before: tuple[str, ...] | None,
    after: tuple[str, ...],
    rl78: Target,
    tmp_path: Path,
) -> None:
    chosen = select(rl78, update).chosen
    assert (chosen.asm if chosen else None) == before
    chosen = select(changed(tmp_path, old, new), update).chosen
    assert (chosen.asm if chosen else None) == after


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0xffffb..0xfffff", "0xffffb..0x100000", "an address from 0xfff00 to 0x100000 is outside 0..0xfffff"),
        (ABS16, ABS16.replace("0xfffff", "0x100000"), "an address from 0xf0000 to 0x100000 is outside 0..0xfffff"),
        ('bit   = "0..7"', 'bit   = "0..8"', "'bit' can be 8, but there are only 8 bits"),
        ('count = "1..7"', 'count = "0..7"', "the shift by n - 1 can be by -1 to 6 bits"),
        ('u8    = { in = "0..255"', 'u8    = { in = "0..256"', "'i' can be 0 to 256, which does not fit 8 bits"),
        ('u16   = { in = "0..0xffff"', 'u16   = { in = "0..0x10000"', "which does not fit 16 bits"),
    ],
)
def test_an_operand_range_at_the_end_of_what_there_is(old: str, new: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FactsError) as problem:
        changed(tmp_path, old, new)
    assert said in str(problem.value)


def test_psw_is_no_sfr(rl78: Target, tmp_path: Path) -> None:
    """The hole in the range is not the only thing that keeps other rows off PSW: they would not say that its bits
    are the flags, and the selector knows that they are. (Below 0xfff00 the short range reaches as far.)"""
    update = idiom(set_(7), 0xFFFA, volatile=True)
    for target in (rl78, changed(tmp_path, SFR, 'sfr   = "0xfff00..0xfffff"')):
        chosen = select(target, update).chosen
        assert chosen is not None
        assert chosen.asm == ("set1 psw.7",)


def test_these_are_all_ranges_of_the_table(rl78: Target) -> None:
    """`label` is of branches alone, which no replacement has; `far16` takes `lo16` of an address, never more; `i16`
    is wherever a pointer of 16 bits can be moved. Rows with `bank` or `shift` are only read, never chosen."""
    chosen = {"bit", "count", "u8", "u16", "i16", "saddr", "sfr", "abs16", "far16", "label"}
    assert set(rl78.numbers) == {*chosen, "bank", "shift"}
    assert not any(number in repr(row.operands) for row in rl78.rows for number in ("'bank'", "'shift'"))
    assert all(row.flow for row in rl78.rows if any("label" in repr(each) for each in row.operands.values()))


# --- operand ranges of AVR and MSP430 ----------------------------------------------------------------------------

AVR, MSP430 = (Path(package.__file__).parent for package in (bitsel_avr, bitsel_msp430))


def through(effect: Effect, offset: int) -> Idiom:
    """Through a pointer, at a displacement."""
    return Idiom(effect, Access(effect.width, True), Address("pointer", "%p", offset, 0))


@pytest.mark.parametrize(
    ("old", "new", "device", "update", "before", "after"),
    [
        # what SBI, what IN and OUT, what LDD and STD reach: the first byte beyond
        (
            'io5  = "0..31"',
            'io5  = "0..32"',
            "atmega328p",
            idiom(set_(2), 0x40, volatile=True),
            None,
            ("sbi 0x20, 2",),
        ),
        (
            'io6  = "0..63"',
            'io6  = "0..64"',
            "atmega328p",
            idiom(set_(2), 0x60, volatile=True),
            ("lds r18, 0x60", "ori r18, 4", "sts 0x60, r18"),
            ("in r18, 0x40", "ori r18, 4", "out 0x40, r18"),
        ),
        (
            'u6   = "0..63"',
            'u6   = "0..64"',
            "atmega328p",
            through(set_(2), 64),
            None,
            ("movw r30, r24", "ldd r18, Z+64", "ori r18, 4", "std Z+64, r18"),
        ),
        # LDS and STS of the reduced core
        (
            'a7   = { in = "0x40..0xbf"',
            'a7   = { in = "0x40..0xc0"',
            "attiny10",
            idiom(set_(2), 0xC0, volatile=True),
            ("ldi r30, 0xc0", "ldi r31, 0x00", "ld r18, Z", "ori r18, 4", "st Z, r18"),
            ("lds r18, 0xc0", "ori r18, 4", "sts 0xc0, r18"),
        ),
    ],
    ids=["io5", "io6", "u6", "a7"],
)
def test_an_operand_range_of_avr(
    old: str,
    new: str,
    device: str,
    update: Idiom,
    before: tuple[str, ...] | None,
    after: tuple[str, ...],
    tmp_path: Path,
) -> None:
    """What is chosen, or, where nothing is, the baseline."""
    for target, expected in ((load_target(AVR), before), (changed(tmp_path, old, new, AVR), after)):
        found = select(target, update, target.devices[device])
        sequence = found.chosen or found.baseline
        if len(after) == 1:
            assert (found.chosen.asm if found.chosen else None) == expected
        else:
            assert (sequence.asm if sequence else None) == expected


@pytest.mark.parametrize(
    ("old", "new", "update", "before", "after"),
    [
        # 16 is made by no constant generator, -0x8001 and 0x8000 fit no displacement
        (
            'cg   = "0 1 2 4 8 -1"',
            'cg   = "0 1 2 4 8 16 -1"',
            idiom(set_(4), 0x21, volatile=True),
            (("bis.b #16, &0x21",), 6),
            (("bis.b #16, &0x21",), 4),
        ),
        (
            'disp = "-0x8000..0x7fff"',
            'disp = "-0x8000..0x8000"',
            through(set_(0), 0x8000),
            None,
            (("bis.b #1, 32768(r12)",), 4),
        ),
        (
            'disp = "-0x8000..0x7fff"',
            'disp = "-0x8001..0x7fff"',
            through(set_(0), -0x8001),
            None,
            (("bis.b #1, -32769(r12)",), 4),
        ),
    ],
    ids=["cg", "disp, high", "disp, low"],
)
def test_an_operand_range_of_msp430(
    old: str,
    new: str,
    update: Idiom,
    before: tuple[tuple[str, ...], int] | None,
    after: tuple[tuple[str, ...], int],
    tmp_path: Path,
) -> None:
    for target, expected in ((load_target(MSP430), before), (changed(tmp_path, old, new, MSP430), after)):
        chosen = select(target, update, target.devices["msp430f1611"]).chosen
        if expected is None:  # a longer way there may be
            assert chosen is None or len(chosen.asm) > 1
        else:
            assert chosen is not None
            assert (chosen.asm, chosen.bytes) == expected


@pytest.mark.parametrize(
    ("home", "old", "new", "said"),
    [
        (AVR, 'a16  = { in = "0..0xffff"', 'a16  = { in = "0..0x10000"', "is outside 0..0xffff"),
        (AVR, 'bit  = "0..7"', 'bit  = "0..8"', "'bit' can be 8, but there are only 8 bits"),
        (AVR, 'u8   = { in = "0..255"', 'u8   = { in = "0..256"', "which does not fit 8 bits"),
        (MSP430, 'addr = { in = "0..0xffff"', 'addr = { in = "0..0x10000"', "is outside 0..0xffff"),
    ],
)
def test_other_ranges_of_avr_and_msp430_end_where_everything_does(
    home: Path, old: str, new: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(FactsError) as problem:
        changed(tmp_path, old, new, home)
    assert said in str(problem.value)


def test_constants_that_are_made_by_the_generator(tmp_path: Path, tool: Callable[[str], Path]) -> None:
    """No result hangs on the holes of this range, for what is shorter is chosen; but the lengths would be wrong."""
    tool("llvm-mc-19")
    target = changed(tmp_path, "5..7 9..0xfffe", "5..8 9..0xfffe", MSP430)
    results = assembler.check(target, target.devices["msp430f1611"])
    assert {result.row for result in results if result.outcome == "failed"} >= {"bis #<s_i:word>, <d_r:r4..r15>"}


def test_these_are_all_ranges_of_those_tables() -> None:
    """`label` and `code` are where a jump goes to."""
    assert set(load_target(AVR).numbers) == {"bit", "u8", "io5", "io6", "u6", "a16", "a7", "label"}
    assert set(load_target(MSP430).numbers) == {"cg", "word", "disp", "addr", "code"}


def test_where_an_instruction_works(tmp_path: Path) -> None:
    """LAS reaches internal SRAM only."""
    update = idiom(set_(2), 0x3000)
    within = 'within = "0x2000..0x2fff"'
    for target, expected in ((load_target(AVR), False), (changed(tmp_path, within, "", AVR), True)):
        assert (select(target, update, target.devices["atxmega128a1u"]).chosen is not None) is expected


def test_what_only_some_devices_have(tmp_path: Path) -> None:
    update = idiom(set_(2), 0x2000)
    for target, expected in ((load_target(AVR), False), (changed(tmp_path, 'needs  = "rmw"\n', "", AVR), True)):
        assert (select(target, update, target.devices["atxmega128a1"]).chosen is not None) is expected


# --- devices, alignment, accesses -------------------------------------------------------------------------------


def with_register(device: Device, register: HardwareRegister) -> Device:
    return evolve(device, registers={**device.registers, register.address: (register,)})


def test_a_register_without_bit_access(rl78: Target) -> None:
    device = rl78.devices["r7f100g"]
    [wdte] = device.registers[0xFFFAB]
    update = idiom(set_(2), 0xFFAB, volatile=True)
    reason = select(rl78, update).reason
    assert reason is not None
    assert reason.code.value == "not-bit-addressable"
    chosen = select(rl78, update, with_register(device, evolve(wdte, bit=True))).chosen
    assert chosen is not None
    assert chosen.asm == ("set1 0xfffab.2",)


@pytest.mark.parametrize("fact", ["w1c", "toggle", "read_effect", "write_only"])
def test_a_register_that_reacts(fact: str, rl78: Target) -> None:
    device = rl78.devices["r7f100g"]
    [port] = device.registers[0xFFF01]
    update = idiom(set_(2), 0xFF01, volatile=True)
    reacting = with_register(device, evolve(port, **{fact: 0x80}))
    reason = select(rl78, update, reacting).reason
    assert reason is not None
    assert reason.code.value == "hw-semantics"
    assert select(rl78, update).chosen is not None


def test_flash(rl78: Target) -> None:
    device = rl78.devices["r7f100g"]
    update = idiom(set_(2), 0x1000)
    assert select(rl78, update).chosen is None
    writable = evolve(device, regions=tuple(evolve(region, writable=True) for region in device.regions))
    assert select(rl78, update, writable).chosen is not None


def test_alignment(rl78: Target) -> None:
    """A volatile word at an odd address cannot be accessed as one."""
    update = idiom(set_(2, 16), 0x2001, volatile=True, align=1)
    assert select(rl78, update).baseline is None
    anywhere = evolve(rl78, align={}, hash="changed")
    assert select(anywhere, update).baseline is not None


def test_one_read_and_one_write_of_a_volatile_place(rl78: Target, monkeypatch: Patch) -> None:
    update = idiom(set_(12, 16), volatile=True)
    assert select(rl78, update).chosen is None

    def any_access(self: access.Once, state: int, loads: access.Accesses, stores: access.Accesses) -> int:
        return state | bool(loads) | bool(stores) << 1

    monkeypatch.setattr(access.Once, "next", any_access)
    monkeypatch.setattr(access.Once, "spots", None)
    chosen = select(rl78, update).chosen
    assert chosen is not None
    assert chosen.asm == ("set1 !_w+1.4",)


def test_one_instruction_for_an_atomic_update(rl78: Target, monkeypatch: Patch) -> None:
    update = idiom(set_(12, 16), ordering="seq_cst")
    assert select(rl78, update).chosen is None

    def any_access(self: access.Single, state: int, loads: access.Accesses, stores: access.Accesses) -> int:
        return 1

    monkeypatch.setattr(access.Single, "next", any_access)
    monkeypatch.setattr(access.Single, "spots", None)
    chosen = select(rl78, update).chosen
    assert chosen is not None
    assert chosen.asm == ("set1 !_w+1.4",)


# --- places -----------------------------------------------------------------------------------------------------


def test_an_address_space_of_unknown_meaning(rl78: Target) -> None:
    update = idiom(set_(3), space=5)
    reason = select(rl78, update).reason
    assert reason is not None
    assert reason.code.value == "addr-space"
    known = evolve(rl78, spaces={**rl78.spaces, 5: rl78.spaces[0]}, hash="changed")
    assert select(known, update).chosen is not None


def test_an_address_beyond_its_space(rl78: Target) -> None:
    """A far pointer may be of more bits than there are addresses."""
    update = idiom(set_(3), 0x100000, space=2)
    reason = select(rl78, update).reason
    assert reason is not None
    assert reason.code.value == "addr-range"
    space = evolve(rl78.spaces[2], within=(0, 0x1FFFFF))
    wider = evolve(rl78, spaces={**rl78.spaces, 2: space}, address_bits=24, hash="changed")
    assert select(wider, update).chosen is not None


def test_a_pointer_is_no_symbol() -> None:
    """SBI needs an address that is known; a symbol's would do if it were."""
    target = load_target(AVR)
    device = target.devices["atmega328p"]
    reason = select(target, through(set_(2), 0), device).reason
    assert reason is not None
    assert reason.code.value == "nonconst-addr"
    assert select(target, idiom(set_(2), 0x25, volatile=True), device).chosen is not None


def test_a_symbol_may_lie_outside_an_operands_range(tmp_path: Path) -> None:
    """The short range alone has a toggle in one instruction; a symbol may lie anywhere in the near page."""
    target = changed(tmp_path, SADDR, 'saddr = { in = "0xffe20..0xfff1f", symbol = "whole" }')
    update = idiom(toggle(3))
    assert select(target, update).chosen is None
    space = evolve(target.spaces[0], within=(0xFFE20, 0xFFF1F))
    chosen = select(evolve(target, spaces={**target.spaces, 0: space}, hash="narrow"), update).chosen
    assert chosen is not None
    assert chosen.asm == ("xor _w, #8",)


def test_two_bits_are_not_one(rl78: Target) -> None:
    reason = select(rl78, idiom(Effect.or_with(8, 3), volatile=True)).reason
    assert reason is not None
    assert reason.code.value == "multi-bit"
    assert select(rl78, idiom(set_(0), volatile=True)).chosen is not None


# --- one sequence at many displacements -------------------------------------------------------------------------

STRANGE = """\
[target]
name = "strange"
endian = "little"
address = 16
cores = ["one"]
[registers]
p = 16
a = 8
[abi]
pointer = "p"
scratch = "a"
[number]
u8 = "0..255"
{rows}
[device.d]
core = "one"
"""
# Both toggle bit 0 of the byte at p + i where i is odd, and nothing where it is even.
BY_DISPLACEMENT = """\
[[insn]]
text = "odd {i:u8}"
does = "m8[p + i] ^= i & 1"
bytes = 1
cycles = 1
"""
BY_REGISTER = """\
[[insn]]
text = "get {i:u8}"
does = "a = 0 + i"
bytes = 1
cycles = 1
[[insn]]
text = "put {j:u8}"
does = "m8[p + j] ^= a & 1"
bytes = 1
cycles = 1
"""


@pytest.mark.parametrize(
    ("rows", "condition", "asm"),
    [
        (BY_DISPLACEMENT, "_uses_displacements_linearly", "odd {}"),
        (BY_REGISTER, "_alike", "get {0} put {0}"),
    ],
    ids=["displacements", "lanes"],
)
def test_one_sequence_for_many_displacements(
    rows: str, condition: str, asm: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """At 9, and at 11 where it is tried too, the sequence makes the update; at 10 it does not."""
    table = tmp_path / "target.toml"
    table.write_text(STRANGE.replace("{rows}", rows))
    target = load_target(table)

    def chosen(engine: Engine, offset: int) -> str | None:
        sequence = engine.select(Idiom(toggle(0), Access(8), Address("pointer", "%p", offset, 0))).chosen
        return " ".join(sequence.asm) if sequence is not None else None

    engine = Engine(target, target.devices["d"], cache=None)
    assert [chosen(engine, offset) for offset in (9, 11, 10)] == [asm.format(9), asm.format(11), None]
    monkeypatch.setattr(offsets, condition, lambda *_: True)
    engine = Engine(target, target.devices["d"], cache=None)
    assert [chosen(engine, offset) for offset in (9, 10)] == [asm.format(9), asm.format(10)]

"""Every condition that keeps a site from being selected is needed: loosen it, and a result changes.

Of the matcher's conditions each is switched off in turn. Of RL78's operand ranges each is widened by one at each of
its ends. What a device says of its registers, what the target says of alignment, and what the source says of its
accesses are each taken back.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

import bitsel
import bitsel_rl78
from bitsel import match as matching
from bitsel.effect import Effect
from bitsel.errors import FactsError
from bitsel.ir import Access, Address, Ordering
from bitsel.match import Idiom
from bitsel.report import SiteReport
from bitsel.selector import Engine, Selection, access
from bitsel.target.facts import Device, HardwareRegister, Target
from bitsel.target.load import load_target

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


def changed(folder: Path, old: str, new: str) -> Target:
    """RL78 with one text of its table replaced."""
    shutil.copytree(HERE, folder / "rl78")
    table = folder / "rl78" / "target.toml"
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
    is wherever a pointer of 16 bits can be moved."""
    assert set(rl78.numbers) == {"bit", "count", "u8", "u16", "i16", "saddr", "sfr", "abs16", "far16", "label"}
    assert all(row.flow for row in rl78.rows if any("label" in repr(each) for each in row.operands.values()))


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

"""Why a site is left alone: for every reason of the target a site that has it, and one that differs in that alone
and is selected. What goes with a verdict: the rule itself, costs, clobbers, assumptions, spelling."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve, frozen

import bitsel_rl78
from bitsel.effect import Effect
from bitsel.ir import Access, Address, Ordering
from bitsel.match import Idiom
from bitsel.reasons import Code, Reason
from bitsel.selector.engine import Engine, Policy
from bitsel.selector.verdict import Objective, Selection, Sequence
from bitsel.target.facts import Target
from bitsel.target.load import load_target


def at(number: int, space: int = 0) -> Address:
    return Address("absolute", None, number, space)


def symbol(name: str = "w", offset: int = 0, space: int = 0) -> Address:
    return Address("symbol", name, offset, space)


def pointer(offset: int = 0, space: int = 0) -> Address:
    return Address("pointer", "%p", offset, space)


def slot(offset: int = 0) -> Address:
    return Address("stack", "%s", offset)


def set_(bit: int, width: int = 8) -> Effect:
    return Effect.or_with(width, 1 << bit)


def clear(bit: int, width: int = 8) -> Effect:
    return Effect.and_with(width, ~(1 << bit))


def toggle(bit: int, width: int = 8) -> Effect:
    return Effect.xor_with(width, 1 << bit)


@frozen
class Site:
    """An idiom, said shortly."""

    effect: Effect
    where: Address
    volatile: bool = False
    ordering: Ordering | None = None
    atomic: bool = False
    align: int = 2

    @property
    def idiom(self) -> Idiom:
        access = Access(self.effect.width, self.volatile, self.ordering, self.align, self.where.space)
        return Idiom(self.effect, access, self.where, self.atomic)


@pytest.fixture(scope="module")
def rl78() -> Target:
    return load_target(Path(bitsel_rl78.__file__).parent)


@pytest.fixture(scope="module")
def engine(rl78: Target) -> Engine:
    return Engine(rl78, rl78.devices["r7f100g"], cache=None)


def chosen(selection: Selection) -> Sequence:
    assert selection.chosen is not None, selection.reason
    return selection.chosen


def asm(selection: Selection) -> tuple[str, ...]:
    assert selection.verdict == "selected", selection.reason
    assert selection.reason is None
    return chosen(selection).asm


def reason(selection: Selection) -> Reason:
    assert selection.verdict == "rejected"
    assert selection.chosen is None
    assert selection.reason is not None
    return selection.reason


# --- the reasons, on RL78 -------------------------------------------------------------------------

LIFTED: dict[str, tuple[Site, Reason, Site, tuple[str, ...]]] = {
    "a volatile word": (
        Site(set_(0, 16), symbol(), volatile=True),
        Reason(
            Code.VOLATILE_WIDTH,
            "one volatile 16-bit read and one write of w would become other accesses",
            "make the flag a volatile object of one byte",
        ),
        Site(set_(0, 16), symbol()),
        ("set1 !_w.0",),
    ),
    "a volatile word, and a byte": (
        Site(clear(9, 16), at(0x2000), volatile=True),
        Reason(
            Code.VOLATILE_WIDTH,
            "one volatile 16-bit read and one write of 0xf2000 would become other accesses",
            "make the flag a volatile object of one byte",
        ),
        Site(clear(1), at(0x2001), volatile=True),
        ("clr1 !0xf2001.1",),
    ),
    "an atomic word": (
        Site(set_(0, 16), symbol(), ordering="seq_cst", atomic=True),
        Reason(Code.ATOMIC, "no single instruction makes this 16-bit update of w"),
        Site(set_(0), symbol(), ordering="seq_cst", atomic=True),
        ("set1 !_w.0",),
    ),
    "an ordered word": (
        Site(set_(12, 16), symbol(), ordering="monotonic"),
        Reason(Code.ATOMIC, "no single instruction makes this 16-bit update of w"),
        Site(set_(12, 16), symbol()),
        ("set1 !_w+1.4",),
    ),
    "a register without bit access": (
        Site(set_(0), at(0xFFA0), volatile=True),
        Reason(Code.NOT_BIT_ADDRESSABLE, "0xfffa0 (CMC) does not allow 1-bit manipulation on r7f100g"),
        Site(set_(0), at(0xFFE0), volatile=True),
        ("set1 0xfffe0.0",),
    ),
    "a second register without bit access": (
        Site(set_(0), at(0x11)),
        Reason(Code.NOT_BIT_ADDRESSABLE, "0xf0011 (ADUL) does not allow 1-bit manipulation on r7f100g"),
        Site(set_(0), at(0x10)),
        ("set1 !0xf0010.0",),
    ),
    "a byte of a register area that no register covers": (
        Site(set_(0), at(0x07FF)),
        Reason(Code.NOT_BIT_ADDRESSABLE, "0xf07ff does not allow 1-bit manipulation on r7f100g"),
        Site(set_(0), at(0x0800)),
        ("set1 !0xf0800.0",),
    ),
    "the stack pointer": (
        Site(set_(15, 16), at(0xFFF8)),
        Reason(Code.NOT_BIT_ADDRESSABLE, "0xffff8 (SP) does not allow 1-bit manipulation on r7f100g"),
        Site(set_(15, 16), at(0x2000)),
        ("set1 !0xf2001.7",),
    ),
    "an address space the target does not say": (
        Site(set_(3), symbol(space=3)),
        Reason(Code.ADDR_SPACE, "address space 3 is not one rl78 can reach so"),
        Site(set_(3), symbol(space=1)),
        ("set1 !_w.3",),
    ),
    "a far pointer, which no register holds": (
        Site(set_(3), pointer(space=2)),
        Reason(Code.ADDR_SPACE, "address space 2 is not one rl78 can reach so"),
        Site(set_(3), pointer(space=1)),
        ("movw hl, ax", "set1 [hl].3"),
    ),
    "an address outside the short range": (
        Site(toggle(3), at(0x2000)),
        Reason(Code.ADDR_RANGE, "0xf2000 is outside the range of every form that makes this update"),
        Site(toggle(3), at(0xFE20)),
        ("xor 0xffe20, #8",),
    ),
    "a register outside the short range": (
        Site(toggle(0), at(0x30), volatile=True),
        Reason(Code.ADDR_RANGE, "0xf0030 (PU0) is outside the range of every form that makes this update"),
        Site(toggle(0), at(0xFF01), volatile=True),
        ("xor 0xfff01, #1",),
    ),
    "a pointer": (
        Site(toggle(3), pointer()),
        Reason(Code.NONCONST_ADDR, "%p is known only at run time, and the form needs a constant address"),
        Site(set_(3), pointer()),
        ("movw hl, ax", "set1 [hl].3"),
    ),
    "a stack slot": (
        Site(set_(3), slot(4)),
        Reason(Code.NONCONST_ADDR, "%s+4 is known only at run time, and the form needs a constant address"),
        Site(set_(3), symbol()),
        ("set1 !_w.3",),
    ),
    "two bits": (
        Site(Effect.or_with(8, 0x81), symbol()),
        Reason(Code.MULTI_BIT, "2 bits change: set 0, set 7"),
        Site(set_(7), symbol()),
        ("set1 !_w.7",),
    ),
    "all bits but one": (
        Site(Effect.and_with(8, 0x01), symbol()),
        Reason(Code.MULTI_BIT, "7 bits change: clear 1, clear 2, clear 3, clear 4, clear 5, clear 6, ..."),
        Site(clear(0), symbol()),
        ("clr1 !_w.0",),
    ),
    "a toggle of a symbol": (
        Site(toggle(3), symbol()),
        Reason(
            Code.NO_FORM,
            "no instruction makes this update of w (toggle 3)",
            "place w in 0xffe20..0xfff1f: xor _w, #8",
        ),
        Site(set_(3), symbol()),
        ("set1 !_w.3",),
    ),
    "a toggle of PSW": (
        Site(toggle(7), at(0xFFFA), volatile=True),
        Reason(Code.NO_FORM, "no instruction makes this update of 0xffffa (PSW) (toggle 7)"),
        Site(set_(7), at(0xFFFA), volatile=True),
        ("set1 psw.7",),
    ),
}


@pytest.mark.parametrize("name", LIFTED)
def test_a_reason_of_rl78(engine: Engine, name: str) -> None:
    site, why, _, _ = LIFTED[name]
    assert reason(engine.select(site.idiom)) == why


@pytest.mark.parametrize("name", LIFTED)
def test_without_what_the_reason_names_the_site_is_selected(engine: Engine, name: str) -> None:
    _, _, lifted, sequence = LIFTED[name]
    assert asm(engine.select(lifted.idiom)) == sequence


# --- the reasons that need other facts than RL78's ------------------------------------------------

TINY = """\
[target]
name = "tiny"
endian = "little"
address = 16
cores = ["one"]

[registers]
a = 8
z = 1

[abi]
scratch = "a"

[number]
u8 = "0..255"
bit = "0..7"
wide = {{ in = "0..0xffff", symbol = "whole" }}

[part]
whole = {{ is = "A", text = "{{}}" }}

[mode.mem]
abs = {{ text = "!{{n:wide}}", is = "m[n]", bytes = 2 }}

[[insn]]
text = "ld a, {{v:mem}}"
does = "a = v"
bytes = 1
cycles = 1
[[insn]]
text = "st {{v:mem}}, a"
does = "v = a"
bytes = 1
cycles = 1
[[insn]]
ops = {{ or = "a |= i", and = "a &= i" }}
text = "{{op}} a, #{{i:u8}}"
does = "{{op}}; z = a == 0"
bytes = 2
cycles = 1
[[insn]]
ops = {{ bset = "v |= 1 << bit", bclr = "v &= ~(1 << bit)" }}
text = "{{op}} {{v:mem}}.{{bit:bit}}"
bytes = {bytes}
cycles = {cycles}
bit = true
emitted_by = ["cc", "other"]

[device.one]
core = "one"
memory = [{{ in = "0xff00..0xff0f", kind = "registers" }}]
[device.one.registers]
PORT = {{ at = 0xff00 }}
FLAG = {{ at = 0xff01, w1c = 0x0f }}
FLIP = {{ at = 0xff02, toggle = 0x80 }}
DATA = {{ at = 0xff03, read_effect = 0xff }}
OUT  = {{ at = 0xff04, write_only = 0x01 }}
PIN  = {{ at = 0xff05, read_only = 0xf0 }}
BOTH = {{ at = 0xff06, w1c = 0x01, read_effect = 0x02 }}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tiny")


def tiny(
    folder: Path,
    *,
    size: int = 2,
    time: int = 2,
    objective: Objective = "size",
    policy: Policy = "strict",
) -> Engine:
    """There LOAD-OP-STORE takes 3 + 2 + 3 bytes, 3 cycles, a bit instruction 2 + `size` bytes, `time` cycles."""
    file = folder / f"tiny-{size}-{time}.toml"
    file.write_text(TINY.format(bytes=size, cycles=time))
    target = load_target(file)
    return Engine(target, target.devices["one"], objective, policy, cache=None)


REACTING = {
    0xFF01: ("FLAG", "clears bits written as 1 (mask 0xf)"),
    0xFF02: ("FLIP", "toggles bits written as 1 (mask 0x80)"),
    0xFF03: ("DATA", "changes when it is read (mask 0xff)"),
    0xFF04: ("OUT", "cannot be read back (mask 0x1)"),
    0xFF06: ("BOTH", "clears bits written as 1 (mask 0x1), changes when it is read (mask 0x2)"),
}


@pytest.mark.parametrize("address", REACTING)
def test_a_register_that_reacts_is_left_alone(folder: Path, address: int) -> None:
    name, words = REACTING[address]
    why = reason(tiny(folder).select(Site(set_(7), at(address), volatile=True).idiom))
    assert why == Reason(Code.HW_SEMANTICS, f"{name} {words}", "the policy 'vendor' selects it, with a warning")


@pytest.mark.parametrize("address", REACTING)
def test_a_register_that_reacts_is_selected_with_a_warning_where_the_vendor_says_so(
    folder: Path, address: int
) -> None:
    name, words = REACTING[address]
    selection = tiny(folder, policy="vendor").select(Site(set_(7), at(address), volatile=True).idiom)
    assert asm(selection) == (f"bset !{address:#x}.7",)
    assert selection.warnings == (f"{name} at {address:#x} {words}",)


@pytest.mark.parametrize("policy", ["strict", "vendor"])
@pytest.mark.parametrize("address", [0xFF00, 0xFF05])
def test_a_register_that_only_holds_its_bits_is_selected_without_a_warning(
    folder: Path, address: int, policy: Policy
) -> None:
    selection = tiny(folder, policy=policy).select(Site(set_(7), at(address), volatile=True).idiom)
    assert asm(selection) == (f"bset !{address:#x}.7",)
    assert selection.warnings == ()


def test_the_first_reason_of_the_catalogue_is_given(folder: Path) -> None:
    """A volatile word of which one register reacts: neither condition lifted alone would select it."""
    both = Site(set_(15, 16), at(0xFF00), volatile=True)
    assert reason(tiny(folder).select(both.idiom)).code is not Code.HW_SEMANTICS
    assert reason(tiny(folder, policy="vendor").select(both.idiom)).code is Code.VOLATILE_WIDTH


# --- what is cheaper ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "time", "objective", "selected"),
    [
        (5, 3, "size", True),  # 7 bytes for 8
        (6, 2, "size", True),  # 8 for 8, 2 cycles for 3
        (6, 3, "size", True),  # as dear as LOAD-OP-STORE in both, but no interrupt can fall inside
        (6, 4, "size", False),  # 8 for 8, 4 cycles for 3
        (7, 1, "size", False),  # 9 for 8
        (9, 2, "speed", True),  # 2 cycles for 3
        (5, 3, "speed", True),  # 3 for 3, 7 bytes for 8
        (6, 3, "speed", True),
        (7, 3, "speed", False),
        (1, 4, "speed", False),
    ],
)
def test_what_is_cheaper_or_as_cheap_and_cannot_be_interrupted_is_selected(
    folder: Path, size: int, time: int, objective: Objective, selected: bool
) -> None:
    selection = tiny(folder, size=size, time=time, objective=objective).select(Site(set_(2), symbol()).idiom)
    assert selection.baseline == Sequence(("ld a, !w", "or a, #4", "st !w, a"), 8, 3, True, ("a", "z"))
    if selected:
        assert selection.chosen == Sequence(("bset !w.2",), 2 + size, time, False, (), ("cc", "other"))
    else:
        assert reason(selection) == Reason(
            Code.COST, "nothing cheaper than load, operate and store was found for w"
        )


def test_a_tie_of_two_sequences_that_can_be_interrupted_is_not_selected(folder: Path) -> None:
    """Both bits by bit instructions cost 8 bytes and 3 cycles as well, but an interrupt can fall between them."""
    two = Site(Effect.or_with(16, 0x0101), symbol())
    engine = tiny(folder, size=6, time=3)
    # ld a, !w; or a, #1; st !w, a for each byte: 16 bytes, 6 cycles, as two bit instructions.
    assert reason(engine.select(two.idiom)).code is Code.MULTI_BIT


def test_an_atomic_update_has_no_baseline_and_takes_any_single_instruction(folder: Path) -> None:
    atomic = Site(set_(2), symbol(), ordering="seq_cst", atomic=True)
    selection = tiny(folder, size=60, time=60).select(atomic.idiom)
    assert asm(selection) == ("bset !w.2",)
    assert selection.baseline is None


# --- what goes with a verdict ---------------------------------------------------------------------


def test_a_selection_says_all_there_is_to_say(engine: Engine) -> None:
    assert engine.select(Site(set_(3), pointer(), volatile=True).idiom) == Selection(
        verdict="selected",
        chosen=Sequence(("movw hl, ax", "set1 [hl].3"), 3, 3, False, ("h", "l"), ("gcc",)),
        baseline=Sequence(
            ("movw hl, ax", "mov a, [hl]", "or a, #8", "mov [hl], a"), 5, 4, True, ("a", "h", "l", "z")
        ),
        reason=None,
        assumes=("%p points to memory, not to a register with side effects",),
        warnings=(),
        absolute=None,
    )


def test_two_instructions_that_touch_memory_can_be_interrupted(engine: Engine) -> None:
    word = chosen(engine.select(Site(Effect.or_with(16, 0x0101), at(0xFE20)).idiom))
    assert word == Sequence(("set1 0xffe20.0", "set1 0xffe21.0"), 6, 4, True, ())


def test_a_compiler_emits_a_sequence_only_if_it_emits_every_update_of_it(engine: Engine) -> None:
    assert chosen(engine.select(Site(toggle(3), at(0xFE20)).idiom)).emitted_by == ()


@pytest.mark.parametrize(
    ("site", "assumes"),
    [
        (Site(set_(3), pointer()), ()),
        (Site(set_(3), pointer(2), volatile=True), ("%p points to memory, not to a register with side effects",)),
        (Site(set_(3), symbol(), volatile=True), ()),
        (Site(set_(3), at(0xFF01), volatile=True), ()),
        (Site(set_(3), slot()), ("%s is the slot at the stack pointer",)),
    ],
)
def test_what_is_assumed(engine: Engine, site: Site, assumes: tuple[str, ...]) -> None:
    assert engine.select(site.idiom).assumes == assumes


@pytest.mark.parametrize(
    ("where", "absolute"),
    [
        (at(0xFF01), 0xFFF01),
        (at(0x10), 0xF0010),
        (at(0x10FF01), 0xFFF01),  # taken modulo the pointer's width
        (at(0xFFF01, 2), 0xFFF01),
        (at(0x12345, 2), 0x12345),
        (symbol(), None),
        (pointer(), None),
        (slot(), None),
    ],
)
def test_the_full_address(engine: Engine, where: Address, absolute: int | None) -> None:
    assert engine.select(Site(set_(3), where).idiom).absolute == absolute


@pytest.mark.parametrize(
    ("where", "line"),
    [
        (symbol("flags"), "set1 !_flags.3"),
        (symbol("flags", 2), "set1 !_flags+2.3"),
        (symbol("flags", -2), "set1 !_flags-2.3"),
        (symbol("a.b$c"), "set1 !_a.b$c.3"),
        (symbol("a b"), 'set1 !"_a b".3'),
        (symbol("a b", 1), 'set1 !"_a b"+1.3'),
        (symbol('say "hi"\\'), 'set1 !"_say \\"hi\\"\\\\".3'),
        (symbol("größe"), 'set1 !"_größe".3'),
        (at(0xFF01), "set1 0xfff01.3"),
        (at(0xFE20), "set1 0xffe20.3"),
        (at(0x2000), "set1 !0xf2000.3"),
        (at(0xFF01, 1), "set1 0xfff01.3"),
        (at(0xFF01 + 0xF0000, 2), "set1 0xfff01.3"),
    ],
)
def test_how_a_place_is_written(engine: Engine, where: Address, line: str) -> None:
    assert asm(engine.select(Site(set_(3), where).idiom)) == (line,)


@pytest.mark.parametrize(
    ("where", "lines", "clobbers"),
    [
        (symbol(space=2), ("mov es, #%hi8(_w)", "set1 es:!_w.3"), ("es",)),
        (symbol("w", 5, space=2), ("mov es, #%hi8(_w+5)", "set1 es:!_w+5.3"), ("es",)),
        (at(0x12345, 2), ("mov es, #0x1", "set1 es:!0x2345.3"), ("es",)),
    ],
)
def test_far_data(engine: Engine, where: Address, lines: tuple[str, ...], clobbers: tuple[str, ...]) -> None:
    sequence = chosen(engine.select(Site(set_(3), where).idiom))
    assert sequence == Sequence(lines, 7, 4, False, clobbers, emitted_by=("gcc",))


def test_the_second_byte_of_a_far_word_may_lie_in_another_segment(engine: Engine) -> None:
    far = Site(set_(11, 16), symbol(space=2), align=1)
    assert asm(engine.select(far.idiom)) == ("mov es, #%hi8(_w+1)", "set1 es:!_w+1.3")


def test_psw_is_set_by_its_own_row_whose_flags_are_clobbers(engine: Engine) -> None:
    selection = engine.select(Site(set_(7), at(0xFFFA), volatile=True).idiom)
    assert selection.chosen is not None
    assert selection.chosen.asm == ("set1 psw.7",)
    assert (selection.chosen.bytes, selection.chosen.cycles) == (3, 4)
    assert selection.baseline is not None
    assert selection.baseline.asm == ("mov a, psw", "or a, #128", "mov psw, a")


def test_no_write_changes_data_flash(engine: Engine) -> None:
    assert reason(engine.select(Site(set_(3), at(0x1000)).idiom)).code is Code.NOT_BIT_ADDRESSABLE
    assert asm(engine.select(Site(set_(3), at(0x0FFF)).idiom)) == ("set1 !0xf0fff.3",)


def test_no_instruction_on_the_general_registers(engine: Engine) -> None:
    """Their memory takes no access at all, not even the source's own."""
    assert reason(engine.select(Site(set_(3), at(0xFEE0)).idiom)) == Reason(
        Code.NOT_BIT_ADDRESSABLE, "no access to 0xffee0 works on r7f100g"
    )
    assert asm(engine.select(Site(set_(3), at(0xFEDF)).idiom)) == ("set1 0xffedf.3",)


def test_a_byte_instruction_is_legal_where_only_bits_are_not(engine: Engine) -> None:
    """TXD0 at 0xfff10 allows no 1-bit manipulation; ``or`` with a mask is a byte access."""
    assert asm(engine.select(Site(set_(3), at(0xFF10), volatile=True).idiom)) == ("or 0xfff10, #8",)


def test_a_device_without_a_list_of_registers_allows_no_bit_access_in_their_area(rl78: Target) -> None:
    generic = Engine(rl78, rl78.devices["s3"], cache=None)
    assert reason(generic.select(Site(set_(3), at(0xFFE0)).idiom)) == Reason(
        Code.NOT_BIT_ADDRESSABLE, "0xfffe0 does not allow 1-bit manipulation on s3"
    )
    assert asm(generic.select(Site(set_(3), at(0x2000)).idiom)) == ("set1 !0xf2000.3",)


def test_a_volatile_byte_that_takes_two_instructions(engine: Engine) -> None:
    both = Site(Effect(8, 0xFC, 0x01), symbol(), volatile=True)
    assert reason(engine.select(both.idiom)) == Reason(
        Code.VOLATILE_WIDTH,
        "w is volatile, and would be read and written more than once (set 0, clear 1), not once",
    )


def test_a_volatile_long_cannot_be_accessed_on_a_machine_of_words(engine: Engine) -> None:
    selection = engine.select(Site(set_(3, 32), symbol(), volatile=True).idiom)
    assert selection.baseline is None
    assert reason(selection).code is Code.VOLATILE_WIDTH


def test_an_odd_word_has_no_word_access(engine: Engine) -> None:
    odd = Site(set_(3, 16), symbol(), volatile=True, align=1)
    assert engine.select(odd.idiom).baseline is None
    assert engine.select(evolve(odd, align=2).idiom).baseline is not None


def test_the_objective_decides(rl78: Target) -> None:
    """Two bits through hl are 7 bytes and 5 cycles, one by one 8 bytes and 4 cycles."""
    two = Site(Effect(8, 0xFC, 0x01), symbol()).idiom
    small = Engine(rl78, rl78.devices["r7f100g"], "size", cache=None).select(two)
    quick = Engine(rl78, rl78.devices["r7f100g"], "speed", cache=None).select(two)
    assert asm(small) == ("movw hl, #_w", "set1 [hl].0", "clr1 [hl].1")
    assert asm(quick) == ("set1 !_w.0", "clr1 !_w.1")


def test_equal_idioms_give_the_identical_selection(engine: Engine) -> None:
    assert engine.select(Site(set_(3), symbol()).idiom) is engine.select(Site(set_(3), symbol()).idiom)

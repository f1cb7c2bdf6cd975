"""RL78's table against the fact tables it was made from: every form, its bytes and clocks written out by hand.

The lists follow the sources cell by cell (bytes from GNU as, clocks from the instruction list, RAM or SFR column).
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

import bitsel_rl78
from bitsel.target.expand import forms
from bitsel.target.facts import Device, Form, NumberOperand, Space, Target
from bitsel.target.load import load_target
from bitsel.target.show import table_rows

BITS = """
# SET1 / CLR1: A.b PSW.b sfr.b saddr.b !addr16.b ES:!addr16.b [HL].b ES:[HL].b CY
2/1 {set1,clr1} a.<bit>
3/4 {set1,clr1} psw.<bit>
3/2 {set1,clr1} <addr:sfr>.<bit>
3/2 {set1,clr1} <addr:saddr>.<bit>
4/2 {set1,clr1} !<addr:abs16>.<bit>
5/3 {set1,clr1} es:!<addr:far16>.<bit>
2/2 {set1,clr1} [hl].<bit>
3/3 {set1,clr1} es:[hl].<bit>
2/1 {set1,clr1} cy
# MOV1 dst,CY
2/1 mov1 a.<bit>, cy
3/4 mov1 psw.<bit>, cy
3/2 mov1 <addr:sfr>.<bit>, cy
3/2 mov1 <addr:saddr>.<bit>, cy
2/2 mov1 [hl].<bit>, cy
3/3 mov1 es:[hl].<bit>, cy
# MOV1 / AND1 / OR1 / XOR1 CY,src
2/1 {mov1,and1,or1,xor1} cy, a.<bit>
3/1 {mov1,and1,or1,xor1} cy, psw.<bit>
3/1 {mov1,and1,or1,xor1} cy, <addr:sfr>.<bit>
3/1 {mov1,and1,or1,xor1} cy, <addr:saddr>.<bit>
2/1 {mov1,and1,or1,xor1} cy, [hl].<bit>
3/2 {mov1,and1,or1,xor1} cy, es:[hl].<bit>
# NOT1 CY
2/1 not1 cy
"""

BRANCHES = """
# BT / BF / BTCLR, taken
3/5 {bt,bf,btclr} a.<bit>, $<t:label>
4/5 {bt,bf,btclr} psw.<bit>, $<t:label>
4/5 {bt,bf,btclr} <addr:sfr>.<bit>, $<t:label>
4/5 {bt,bf,btclr} <addr:saddr>.<bit>, $<t:label>
3/5 {bt,bf,btclr} [hl].<bit>, $<t:label>
4/6 {bt,bf,btclr} es:[hl].<bit>, $<t:label>
2/4 {bc,bnc,bz,bnz} $<t:label>
3/4 {bh,bnh} $<t:label>
2/1 {skc,sknc,skz,sknz,skh,sknh}
"""

GENERIC = """
2/1 mov a, <addr:{saddr,sfr}>
3/1 mov a, !<addr:abs16>
1/1 mov a, [{hl,de}]
2/1 mov a, [{hl,de}+<disp:u8>]
2/1 mov a, [sp+<disp:u8>]
2/1 mov a, [hl+{b,c}]
3/1 mov a, <base:u16>[{b,c,bc}]
4/2 mov a, es:!<addr:far16>
2/2 mov a, es:[hl]
3/2 mov a, es:[hl+<disp:u8>]
2/1 mov <addr:{saddr,sfr}>, a
3/1 mov !<addr:abs16>, a
1/1 mov [{hl,de}], a
2/1 mov [{hl,de,sp}+<disp:u8>], a
3/1 mov <base:u16>[b], a
4/2 mov es:!<addr:far16>, a
2/2 mov es:[hl], a
3/1 mov <addr:{saddr,sfr}>, #<i:u8>
4/1 mov !<addr:abs16>, #<i:u8>
3/1 mov [{hl,de,sp}+<disp:u8>], #<i:u8>
2/1 mov es, #<i:u8>
3/3 mov psw, #<i:u8>
2/3 mov psw, a
2/1 {or,and,xor} a, #<i:u8>
3/2 {or,and,xor} <addr:saddr>, #<i:u8>
2/1 {or,and,xor} a, <addr:saddr>
3/1 {or,and,xor} a, !<addr:abs16>
1/1 {or,and,xor} a, [hl]
2/1 {or,and,xor} a, [hl+<disp:u8>]
2/1 {or,and,xor} <d:x|b|c|d|e|h|l>, a
2/1 {or,and,xor} a, <s:x|b|c|d|e|h|l>
1/1 xch a, x
3/2 xch a, <addr:{saddr,sfr}>
4/2 xch a, !<addr:abs16>
2/1 movw ax, <addr:{saddr,sfr}>
2/1 movw <addr:{saddr,sfr}>, ax
3/1 movw ax, !<addr:abs16>
3/1 movw !<addr:abs16>, ax
1/1 movw ax, [{hl,de}]
1/1 movw [{hl,de}], ax
2/1 movw ax, [{hl,sp}+<disp:u8>]
2/1 movw [{hl,sp}+<disp:u8>], ax
3/1 movw <d:ax|bc|de|hl>, #<i:u16>
2/1 movw <d:bc|de|hl>, <addr:saddr>
3/1 movw <d:bc|de|hl>, !<addr:abs16>
1/1 movw <d:bc|de|hl>, ax
1/1 movw ax, <s:bc|de|hl>
1/1 incw <d:ax|bc|de|hl>
3/1 addw ax, #<i:i16>
1/1 addw ax, <s:ax|bc|de|hl>
2/2 {inc,dec} <addr:saddr>
3/2 {inc,dec} !<addr:abs16>
3/2 {inc,dec} [hl+<disp:u8>]
1/1 push <s:ax|bc|de|hl>
1/1 pop <d:ax|bc|de|hl>
2/1 {shl,shr} a, <n:count>
# rows copied from R01US0015
1/1 mov a, <s:x|b|c|d|e|h|l>
1/1 mov <d:x|b|c|d|e|h|l>, a
2/1 mov <d:a|x|b|c|d|e|h|l>, #<i:u8>
2/1 mov a, psw
2/1 mov a, es
2/1 mov es, a
3/1 mov es, <addr:saddr>
"""

# An ES: prefix adds 1 byte and 1 clock to any form that takes it.
FAR = """
2/2 mov a, es:[de]
3/2 mov a, es:[de+<disp:u8>]
3/2 mov a, es:[hl+{b,c}]
4/2 mov a, es:<base:u16>[{b,c,bc}]
3/2 mov es:[hl+<disp:u8>], a
2/2 mov es:[de], a
3/2 mov es:[de+<disp:u8>], a
4/2 mov es:<base:u16>[b], a
5/2 mov es:!<addr:far16>, #<i:u8>
4/2 mov es:[{hl,de}+<disp:u8>], #<i:u8>
5/3 xch a, es:!<addr:far16>
4/2 {or,and,xor} a, es:!<addr:far16>
2/2 {or,and,xor} a, es:[hl]
3/2 {or,and,xor} a, es:[hl+<disp:u8>]
4/2 movw ax, es:!<addr:far16>
4/2 movw es:!<addr:far16>, ax
2/2 movw ax, es:[{hl,de}]
2/2 movw es:[{hl,de}], ax
3/2 movw ax, es:[hl+<disp:u8>]
3/2 movw es:[hl+<disp:u8>], ax
4/2 movw <d:bc|de|hl>, es:!<addr:far16>
4/3 {inc,dec} es:!<addr:far16>
4/3 {inc,dec} es:[hl+<disp:u8>]
"""

# The forms exist and have these bytes; their clocks could not be looked up.
UNVERIFIED = """
2/1 mov [hl+{b,c}], a
3/1 mov <base:u16>[{c,bc}], a
3/2 mov es:[hl+{b,c}], a
4/2 mov es:<base:u16>[{c,bc}], a
2/1 movw ax, [de+<disp:u8>]
3/2 movw ax, es:[de+<disp:u8>]
3/1 movw ax, <base:u16>[{b,c,bc}]
4/2 movw ax, es:<base:u16>[{b,c,bc}]
2/1 movw [de+<disp:u8>], ax
3/2 movw es:[de+<disp:u8>], ax
3/1 movw <base:u16>[{b,c,bc}], ax
4/2 movw es:<base:u16>[{b,c,bc}], ax
1/1 decw <d:ax|bc|de|hl>
"""


def listed(text: str) -> dict[str, str]:
    """Form -> "bytes/clocks", with ``{x,y}`` written out."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        if line.startswith("#"):
            continue
        cost, pattern = line.split(" ", 1)
        pieces = [p[1:-1].split(",") if p.startswith("{") else [p] for p in re.split(r"(\{[^}]*\})", pattern)]
        for choice in itertools.product(*pieces):
            found["".join(choice)] = cost
    return found


@pytest.fixture(scope="module")
def target() -> Target:
    return load_target(Path(bitsel_rl78.__file__).parent)


@pytest.fixture(scope="module")
def g23(target: Target) -> Device:
    return target.devices["r7f100g"]


@pytest.fixture(scope="module")
def table(target: Target, g23: Device) -> dict[str, Form]:
    texts = [row.text for row in table_rows(target, g23)]
    assert len(set(texts)) == len(texts)
    return dict(zip(texts, forms(target, g23), strict=True))


def costs(table: dict[str, Form], *, unverified: bool) -> dict[str, str]:
    return {t: f"{form.bytes}/{form.cycles}" for t, form in table.items() if form.unverified == unverified}


def test_every_form_costs_what_the_sources_say(table: dict[str, Form]) -> None:
    expected = listed(BITS) | listed(BRANCHES) | listed(GENERIC) | listed(FAR)
    assert costs(table, unverified=False) == expected


def test_what_has_no_source_is_marked(table: dict[str, Form]) -> None:
    assert costs(table, unverified=True) == listed(UNVERIFIED)


def test_the_1_bit_manipulation_instructions_are_marked(table: dict[str, Form]) -> None:
    bits = set(listed(BITS)) | {text for text in listed(BRANCHES) if text.startswith(("bt", "bf"))}
    assert {text for text, form in table.items() if form.bit} == bits


def test_there_is_no_bit_instruction_that_the_machine_lacks(table: dict[str, Form]) -> None:
    """Only SET1 and CLR1 reach !addr16; none takes [HL+byte], [DE] or [SP+byte]; none toggles a bit of memory."""
    bits = [text for text, form in table.items() if form.bit and not form.flow]
    assert {text.split()[0] for text in bits if "!" in text} == {"set1", "clr1"}
    assert not [text for text in bits if re.search(r"\+|\[de|\[sp", text)]
    assert [text for text in bits if text.startswith("not1")] == ["not1 cy"]


def test_logic_on_memory_with_an_immediate_is_for_saddr_only(table: dict[str, Form]) -> None:
    stores = [text for text in table if re.match(r"(or|and|xor) (?!a,).*#", text)]
    assert stores == ["or <addr:saddr>, #<i:u8>", "and <addr:saddr>, #<i:u8>", "xor <addr:saddr>, #<i:u8>"]


def test_both_cores_have_the_same_table(target: Target, g23: Device) -> None:
    from attrs import evolve

    assert forms(target, evolve(g23, core="s2")) == forms(target, g23)


def test_every_form_has_a_source(target: Target, table: dict[str, Form]) -> None:
    tags = {tag for form in table.values() for tag in form.source.split()}
    assert tags == set(target.sources)


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [
        ("saddr", 0xFFE20, 0xFFF1F),
        ("abs16", 0xF0000, 0xFFFFF),
        ("far16", 0, 0xFFFF),
        ("u8", 0, 255),
        ("u16", 0, 0xFFFF),
        ("bit", 0, 7),
    ],
)
def test_operands_reach_just_these_numbers(target: Target, number: str, low: int, high: int) -> None:
    ranges = target.numbers[number].ranges
    assert ranges.covers(low, high)
    assert low - 1 not in ranges
    assert high + 1 not in ranges


def test_the_sfr_range_leaves_psw_to_its_own_rows(target: Target) -> None:
    sfr = target.numbers["sfr"].ranges
    assert 0xFFEFF not in sfr
    assert 0xFFF00 in sfr
    assert 0xFFFFA not in sfr
    assert 0xFFFFF in sfr
    assert 0x100000 not in sfr


def test_a_symbol_of_unknown_place_fits_addr16_but_no_saddr_or_sfr(target: Target) -> None:
    accepts = {name: number.symbol for name, number in target.numbers.items() if number.symbol}
    assert accepts == {
        "u8": ("hi8",),
        "u16": ("lo16",),
        "i16": ("lo16",),
        "abs16": ("whole",),
        "far16": ("lo16",),
        "label": ("whole",),
    }


def test_address_spaces(target: Target) -> None:
    from bitsel.target.expr import Binary, Name, Num

    near = Space(16, 0xF0000, (0xF0000, 0xFFFFF), Binary("+", Num(0xF0000), Name("ax")))
    far = Space(32, 0, (0, 0xFFFFF), None)
    assert target.spaces == {0: near, 1: near, 2: far}


def test_the_dialect_is_that_of_gnu_as(target: Target) -> None:
    dialect = target.dialect
    assert (dialect.comment, dialect.line_comment, dialect.separator, dialect.symbol) == (";", "#", "@", "_{}")


def test_words_must_be_even(target: Target) -> None:
    assert target.align == {16: 2}


# --- devices ---------------------------------------------------------------------------------------


def test_the_register_list_of_the_g23_is_whole(g23: Device) -> None:
    """756 registers of iodefine.h, of which PMC is one of the CPU's six."""
    registers = {register.name: register for covering in g23.registers.values() for register in covering}
    assert len(registers) == 756 + 5
    eight = [r for r in registers.values() if r.width == 8 and r.name not in {"PSW", "CS", "ES", "MEM"}]
    sfr = [r for r in eight if r.address >= 0xFFF00]
    second = [r for r in eight if r.address < 0xF0800]
    assert (sum(r.bit for r in sfr), sum(not r.bit for r in sfr)) == (85, 33)
    assert (sum(r.bit for r in second), sum(not r.bit for r in second)) == (145, 230)


@pytest.mark.parametrize(
    ("address", "names"),
    [
        (0xFFF01, {"P1": True}),
        (0xFFFAB, {"WDTE": False}),
        (0xF0030, {"PU0": True}),
        (0xFFFFE, {"PMC": True}),
        (0xFFFFA, {"PSW": True}),
        (0xFFFFD, {"ES": False}),
        (0xFFFF9, {"SP": False}),
        (0xF0021, {"ADCR0": False, "ADCR0H": False}),
    ],
)
def test_registers_by_the_bytes_they_cover(g23: Device, address: int, names: dict[str, bool]) -> None:
    assert {register.name: register.bit for register in g23.registers[address]} == names


def test_regions_of_the_g23(g23: Device) -> None:
    regions = [(r.low, r.high, r.kind, r.widths == (), r.writable, r.read_cycles) for r in g23.regions]
    assert regions == [
        (0xFFF00, 0xFFFFF, "registers", False, True, 0),
        (0xF0000, 0xF07FF, "registers", False, True, 0),
        (0xFFEE0, 0xFFEFF, "memory", True, True, 0),
        (0xF1000, 0xF1FFF, "memory", False, False, 3),
    ]


def test_the_generic_core_knows_the_cpu_registers_only(target: Target) -> None:
    device = target.devices["s3"]
    assert {r.name for covering in device.registers.values() for r in covering} == {
        "PSW",
        "SP",
        "CS",
        "ES",
        "PMC",
        "MEM",
    }
    assert [r.bit for r in device.registers[0xFFFFE]] == [False]
    assert device.regions == target.devices["r7f100g"].regions


def test_a_device_must_be_named(target: Target) -> None:
    assert target.default_device is None


def test_flags_and_registers_that_are_memory(target: Target) -> None:
    psw, sp, es = 0xFFFFA, 0xFFFF8, 0xFFFFD
    assert target.mapped == {"z": (psw, 6), "ac": (psw, 4), "cy": (psw, 0), "sp": (sp, 0), "es": (es, 0)}


def test_a_bit_operand_is_0_to_7_everywhere(table: dict[str, Form]) -> None:
    for form in table.values():
        operand = form.operands.get("bit")
        if operand is not None:
            assert isinstance(operand, NumberOperand)
            assert operand.number.ranges.runs == ((0, 7, 1),)

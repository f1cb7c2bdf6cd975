"""From rows to forms: what is put in, what is renamed, what it costs and which device has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from bitsel.target.does import show
from bitsel.target.expand import forms
from bitsel.target.facts import Form, NumberOperand, RegisterOperand, Slot, Target
from bitsel.target.load import load_target

MACHINES = Path(__file__).parent / "machines"


@pytest.fixture(scope="module")
def msp430() -> Target:
    return load_target(MACHINES / "msp430.toml")


@pytest.fixture(scope="module")
def avr() -> Target:
    return load_target(MACHINES / "avr.toml")


@pytest.fixture(scope="module")
def v850() -> Target:
    return load_target(MACHINES / "v850.toml")


def table(target: Target, device: str) -> dict[str, Form]:
    """The forms by their text, operands as ``{name}``."""
    found: dict[str, Form] = {}
    for form in forms(target, target.devices[device]):
        text = "".join(piece if isinstance(piece, str) else f"{{{piece.name}}}" for piece in form.text)
        found.setdefault(text, form)
    return found


def meaning(form: Form) -> str:
    return "; ".join(map(show, form.does))


@pytest.mark.parametrize(
    ("machine", "device", "count"),
    [
        ("msp430", "msp430g2553", 704),
        ("avr", "atmega328p", 42),
        ("avr", "atxmega128a1", 42),
        ("avr", "atxmega128a1u", 46),
        ("avr", "attiny10", 37),
        ("v850", "v850e1", 27),
    ],
)
def test_number_of_forms(machine: str, device: str, count: int) -> None:
    target = load_target(MACHINES / f"{machine}.toml")
    assert len(forms(target, target.devices[device])) == count


def test_forms_are_numbered_in_the_order_of_the_table(v850: Target) -> None:
    found = forms(v850, v850.devices["v850e1"])
    assert [form.order for form in found] == list(range(27))
    assert [form.mnemonic for form in found[:4]] == ["set1", "clr1", "not1", "set1"]


def test_a_form_of_a_let_place(avr: Target) -> None:
    sbi = table(avr, "atmega328p")["sbi {p}, {bit}"]
    assert sbi.text == ("sbi ", Slot("p"), ", ", Slot("bit"))
    assert meaning(sbi) == "m8[32 + p] = m8[32 + p] | (1 << bit)"
    assert (sbi.bytes, sbi.cycles, sbi.mnemonic) == (2, 2, "sbi")
    assert sbi.operands == {
        "p": NumberOperand("p", avr.numbers["io5"]),
        "bit": NumberOperand("bit", avr.numbers["bit"]),
    }


def test_a_devices_constants_replace_the_targets(avr: Target) -> None:
    assert meaning(table(avr, "attiny402")["in {d}, {p}"]) == "d = m8[0 + p]"


def test_costs_are_those_of_the_devices_core(avr: Target) -> None:
    assert table(avr, "atmega328p")["sbi {p}, {bit}"].cycles == 2
    assert table(avr, "attiny402")["sbi {p}, {bit}"].cycles == 1


def test_a_core_without_the_instruction_has_no_form(avr: Target) -> None:
    """Only the reduced core has the short LDS, and it has no other: one row's operand is 16 bits, one's 7."""
    ranges = {
        device: table(avr, device)["lds {d}, {a}"].operands["a"].number.ranges.runs  # type: ignore[union-attr]
        for device in ("atmega328p", "attiny10")
    }
    assert ranges == {"atmega328p": ((0, 0xFFFF, 1),), "attiny10": ((0x40, 0xBF, 1),)}


def test_a_core_without_the_mode_has_no_form(avr: Target) -> None:
    assert "ldd {d}, Y+{q}" in table(avr, "atmega328p")
    assert "ldd {d}, Y+{q}" not in table(avr, "attiny10")


def test_a_form_that_needs_a_feature(avr: Target) -> None:
    las = table(avr, "atxmega128a1u")["las Z, {r}"]
    assert meaning(las) == "m8[Z], r = m8[Z] | r, m8[Z]"
    assert "las Z, {r}" not in table(avr, "atxmega128a1")


def test_a_mode_changes_its_pointer_before_or_after(avr: Target) -> None:
    found = table(avr, "atmega328p")
    assert meaning(found["ld {d}, -X"]) == "X = X - 1; d = m8[X]"
    assert meaning(found["st X+, {r}"]) == "m8[X] = r; X = X + 1"
    assert table(avr, "atxmega128a1")["ld {d}, -X"].cycles == 3


def test_bytes_and_cycles_of_row_and_modes_add_up(msp430: Target) -> None:
    """BIS.B #N, &ADDR: 3 words, 5 cycles; with a constant-generator constant 2 words, 4 cycles."""
    found = table(msp430, "msp430g2553")
    general = [f for f in forms(msp430, msp430.devices["msp430g2553"]) if f.text[:2] == ("bis.b #", Slot("s_n"))]
    direct = [f for f in general if f.text[2] == ", &"]
    assert [(f.bytes, f.cycles, f.operands["s_n"].number.name) for f in direct] == [  # type: ignore[union-attr]
        (4, 4, "cg"),
        (6, 5, "word"),
    ]
    assert (found["mov.b &{s_a}, {d_r}"].bytes, found["mov.b &{s_a}, {d_r}"].cycles) == (4, 3)


def test_the_other_core_does_not_read_what_it_overwrites(msp430: Target) -> None:
    assert table(msp430, "msp430g2553")["mov.b {s_r}, &{d_a}"].cycles == 4
    assert table(msp430, "msp430f5529")["mov.b {s_r}, &{d_a}"].cycles == 3


def test_operands_of_two_modes_are_told_apart(msp430: Target) -> None:
    form = table(msp430, "msp430g2553")["bis {s_r}, {d_i}({d_p})"]
    assert meaning(form) == "m16[d_p + d_i] = m16[d_p + d_i] | s_r"
    assert form.operands["s_r"] == RegisterOperand("s_r", tuple(f"r{n}" for n in range(4, 16)))


def test_a_byte_written_to_a_wider_register_clears_its_high_byte(msp430: Target) -> None:
    found = table(msp430, "msp430g2553")
    assert meaning(found["bis.b {s_r}, {d_r}"]) == "d_r = (d_r | s_r) & 255"
    assert meaning(found["bis {s_r}, {d_r}"]) == "d_r = d_r | s_r"


def test_a_byte_read_from_memory_has_no_high_bits_to_clear(msp430: Target) -> None:
    assert meaning(table(msp430, "msp430g2553")["mov.b &{s_a}, {d_r}"]) == "d_r = m8[s_a]"


def test_memory_keeps_the_low_bits_of_a_wider_register(msp430: Target) -> None:
    found = table(msp430, "msp430g2553")
    assert meaning(found["mov.b {s_r}, &{d_a}"]) == "m8[d_a] = s_r"
    assert meaning(found["bic.b {s_r}, &{d_a}"]) == "m8[d_a] = m8[d_a] & ~s_r"


def test_what_is_compared_or_shifted_is_the_low_bits(msp430: Target) -> None:
    found = table(msp430, "msp430g2553")
    flags = "z = d_r & 255 == 0; n = (d_r & 255) >> (8 - 1); c = d_r & 255 != 0; v = any"
    assert meaning(found["xor.b {s_r}, {d_r}"]) == f"d_r = (d_r ^ s_r) & 255; {flags}"


def test_or_keeps_its_high_byte(msp430: Target) -> None:
    keeping = evolve(msp430, narrow="keep", hash="keeping")
    form = table(keeping, "msp430g2553")["mov.b {s_r}, {d_r}"]
    assert meaning(form) == "d_r = (s_r & 255) | (d_r & 0xff00)"
    load = table(keeping, "msp430g2553")["mov.b &{s_a}, {d_r}"]
    assert meaning(load) == "d_r = m8[s_a] | (d_r & 0xff00)"


def test_a_pointer_of_a_byte_instruction_is_used_whole(msp430: Target) -> None:
    form = table(msp430, "msp430g2553")["mov.b @{s_p}+, {d_r}"]
    assert meaning(form) == "d_r = m8[s_p]; s_p = s_p + (8 >> 3)"


def test_the_width_of_memory_is_the_suffixs(msp430: Target) -> None:
    form = table(msp430, "msp430g2553")["xor @{s_p}, &{d_a}"]
    assert meaning(form).startswith("m16[d_a] = m16[d_a] ^ m16[s_p]; z = m16[d_a] == 0; n = m16[d_a] >> (16 - 1)")


def test_stalls_are_those_of_the_core(v850: Target) -> None:
    load = "ld.bu {i}[{p}], {d}"
    assert table(v850, "v850e1")[load].late == {"d": 1}
    assert table(v850, "rh850g3m")[load].late == {"d": 2}


def test_a_pair_without_a_name_is_written_as_its_low_register(avr: Target) -> None:
    movw = table(avr, "atmega328p")["movw {d}, {r}"]
    operand = movw.operands["d"]
    assert isinstance(operand, RegisterOperand)
    assert operand.registers[:2] == ("r1:r0", "r3:r2")
    assert len(operand.registers) == 16
    pair = avr.registers["r31:r30"]
    assert (pair.width, pair.parts, pair.text) == (16, ("r30", "r31"), "r30")


def test_an_operand_that_is_one_register_is_put_in(tmp_path: Path) -> None:
    form = one_form(tmp_path, 'text = "clr {d:a}"\ndoes = "d = 0"\nbytes = 1\ncycles = 1')
    assert form.text == ("clr a",)
    assert meaning(form) == "a = 0"
    assert form.operands == {}


def test_a_modes_operand_named_as_a_register_is_renamed(tmp_path: Path) -> None:
    """In the mode `a` is an address, in the row the register."""
    form = one_form(tmp_path, 'text = "mov a, {v:mem.direct}"\ndoes = "a = v"\nbytes = 1\ncycles = 1')
    assert form.text == ("mov a, ", Slot("v_a"))
    assert meaning(form) == "a = m8[v_a]"


def test_a_modes_operand_named_as_the_rows_is_renamed(tmp_path: Path) -> None:
    form = one_form(tmp_path, 'text = "mov {v:mem.base}, #{i:u8}"\ndoes = "v = i"\nbytes = 1\ncycles = 1')
    assert form.text == ("mov [b+", Slot("v_i"), "], #", Slot("i"))
    assert meaning(form) == "m8[b + v_i] = i"


def test_irregular_cells_replace_the_sum(tmp_path: Path) -> None:
    row = (
        'text = "inc {v:mem.base}"\ndoes = "v += 1"\nbytes = 1\ncycles = 2\ncells = { "mem.base" = { bytes = 9 } }'
    )
    form = one_form(tmp_path, row)
    assert (form.bytes, form.cycles) == (9, 3)


def test_a_row_of_liveness_only(tmp_path: Path) -> None:
    form = one_form(tmp_path, 'text = "mul b"\nreads = "b"\nwrites = "a b"\nbytes = 1\ncycles = 2')
    assert meaning(form) == "a = any; b = any"
    assert form.reads == ("b",)


def test_a_form_knows_its_line(tmp_path: Path) -> None:
    form = one_form(tmp_path, 'text = "clr a"\ndoes = "a = 0"\nbytes = 1\ncycles = 1')
    assert form.where is not None
    assert (Path(form.where.path).name, form.where.line) == ("target.toml", 16)


def test_forms_are_expanded_once(avr: Target) -> None:
    device = avr.devices["atxmega128a1"]
    assert forms(avr, device) is forms(avr, device)
    assert forms(avr, device) is not forms(avr, avr.devices["atmega328p"])


def one_form(folder: Path, row: str) -> Form:
    file = folder / "target.toml"
    file.write_text(f"""\
[target]
name = "tiny"
endian = "little"
address = 16
cores = ["one"]
[registers]
"a b" = 8
[number]
u8 = "0..255"
addr = "0..0xffff"
[mode.mem]
direct = {{ text = "{{a:addr}}", is = "m[a]" }}
base = {{ text = "[b+{{i:u8}}]", is = "m[b + i]", bytes = 1, cycles = 1 }}
[device.only]
core = "one"
[[insn]]
{row}
""")
    target = load_target(file)
    (form,) = forms(target, target.devices["only"])
    return form

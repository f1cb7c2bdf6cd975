"""Loading: what a good file gives, and for each way to get it wrong one line with the place and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitsel.errors import FactsError
from bitsel.target.expr import Binary, Name, Num
from bitsel.target.facts import HardwareRegister, Ranges, Region, Register, Space, Target
from bitsel.target.load import load_target

GOOD = """\
[target]
name = "tiny"
endian = "little"
address = 16
align = { 16 = 2 }
cores = ["slow", "fast"]

[constants]
io = 0x20

[registers]
"a b" = 8
ab = "a:b"
z = 1

[class]
reg = "a b"

[number]
bit = "0..7"
u8 = { in = "0..255", symbol = "lo8" }
addr = { in = "0..0xffff", symbol = "whole" }

[part]
whole = { is = "A", text = "{}" }
lo8 = { is = "A & 0xff", text = "lo({})" }

[mode.mem]
direct = { text = "!{n:addr}", is = "m[n]", bytes = 2 }
ind = { text = "[ab]", is = "m[ab]", cycles = [1, 0] }

[[insn]]
ops = { set = "v |= 1 << bit", clr = "v &= ~(1 << bit)" }
text = "{op} {v:mem}.{bit:bit}"
bytes = 2
cycles = [2, 1]
bit = true
source = "manual"

[[insn]]
text = "ld {d:reg}, {v:mem}"
does = "d = v"
bytes = 1
cycles = 1

[[insn]]
text = "or {d:reg}, #{i:u8}"
let = { x = "m[io]" }
does = "d |= i; x = d; z = d == 0"
bytes = 2
cycles = ["-", 1]

[device.one]
core = "slow"
memory = [{ in = "0..0x1f", kind = "registers" }, { in = "0x20..0x3f", widths = [8] }]
[device.one.registers]
P0 = { at = 0x10, w1c = 0x0f }
T0 = { at = 0x12, width = 16 }
[device.two]
like = "one"
core = "fast"
registers = ["more.csv", { T1 = { at = 0x14, bit = false } }]
"""

MORE = """\
# a list
name,address,width_bits,bit_manipulable,area,w1c
P0,0x10,8,0,SFR,
P1,0x11,8,1,SFR,0xff
"""


def load(folder: Path, text: str = GOOD, csv: str | None = MORE) -> Target:
    (folder / "target.toml").write_text(text)
    if csv is not None:
        (folder / "more.csv").write_text(csv)
    return load_target(folder)


def test_a_folder_or_its_file(tmp_path: Path) -> None:
    assert load(tmp_path) == load_target(tmp_path / "target.toml")


def test_the_head_and_names(tmp_path: Path) -> None:
    target = load(tmp_path)
    assert (target.name, target.endian, target.address_bits, target.align) == ("tiny", "little", 16, {16: 2})
    assert target.cores == ("slow", "fast")
    assert target.registers["ab"] == Register("ab", 16, ("b", "a"))
    assert target.classes == {"reg": ("a", "b")}
    assert target.numbers["u8"].ranges == Ranges(((0, 255, 1),))
    assert target.numbers["u8"].symbol == ("lo8",)
    assert target.parts["lo8"].is_ == Binary("&", Name("A"), Num(255))
    assert target.status == "experimental"


def test_rows(tmp_path: Path) -> None:
    rows = load(tmp_path).rows
    assert [row.where.line for row in rows] == [32, 40, 46]
    assert [row.cycles for row in rows] == [(2, 1), (1, 1), (None, 1)]
    assert [row.source for row in rows] == ["manual", "", ""]


def test_without_spaces_space_0_is_all_of_memory(tmp_path: Path) -> None:
    text = GOOD.replace("[number]", '[abi]\npointer = "io + ab"\nscratch = "ab"\n[number]')
    target = load(tmp_path, text)
    assert target.spaces == {0: Space(16, 0, (0, 0xFFFF), Binary("+", Num(0x20), Name("ab")))}
    assert target.abi.scratch == ("b", "a")


def test_spaces(tmp_path: Path) -> None:
    text = GOOD.replace(
        "[number]",
        '[space]\n"0 1" = { bits = 8, add = 0x100, within = "0x100..0x1ff", pointer = "a" }\n'
        "2 = { bits = 16 }\n[number]",
    )
    near = Space(8, 0x100, (0x100, 0x1FF), Name("a"))
    assert load(tmp_path, text).spaces == {0: near, 1: near, 2: Space(16, 0, (0, 0xFFFF), None)}


def test_devices(tmp_path: Path) -> None:
    one, two = load(tmp_path).devices.values()
    registers = Region(0, 0x1F, (8, 16, 32, 64), "registers")
    bytes_only = Region(0x20, 0x3F, (8,))
    assert one.regions == two.regions == (registers, bytes_only)
    assert (one.core, two.core) == ("slow", "fast")
    assert one.constants == {"io": 0x20}
    p0, t0 = HardwareRegister("P0", 0x10, 8, w1c=0x0F), HardwareRegister("T0", 0x12, 16)
    assert one.registers == {0x10: (p0,), 0x12: (t0,), 0x13: (t0,)}


def test_a_device_like_another_adds_and_replaces_registers(tmp_path: Path) -> None:
    found = load(tmp_path).devices["two"].registers
    assert found[0x10] == (HardwareRegister("P0", 0x10, 8, bit=False),)
    assert found[0x11] == (HardwareRegister("P1", 0x11, 8, w1c=0xFF),)
    assert found[0x12] == (HardwareRegister("T0", 0x12, 16),)
    assert found[0x14] == (HardwareRegister("T1", 0x14, 8, bit=False),)


def test_the_hash_is_of_all_files(tmp_path: Path) -> None:
    first = load(tmp_path).hash
    assert load(tmp_path).hash == first
    assert load(tmp_path, GOOD + "# more\n").hash != first
    assert load(tmp_path, csv=MORE + "P2,0x15,8,1,SFR,\n").hash != first


ERRORS = [
    # keys and types
    ("cores = [", "coers = [", "6:1: unknown key 'coers' in [target]; did you mean 'cores'?"),
    ("bytes = 1\n", "byte = 1\n", "43:1: unknown key 'byte' in [[insn]]; did you mean 'bytes'?"),
    ("[constants]", "[constant]", "8:1: unknown key 'constant' in the file; did you mean 'constants'?"),
    (
        'endian = "little"',
        'endian = "litle"',
        '3:10: \'target.endian\' must be "little" or "big", not "litle"; did',
    ),
    ('endian = "little"\n', "", "1:1: [target] has no 'endian'"),
    ("bytes = 1\n", "", "40:1: [[insn]] has no 'bytes'"),
    ("bytes = 1\n", 'bytes = "1"\n', "43:9: 'bytes' of [[insn]] 2 must be an integer from 0 to 64, not \"1\""),
    ("bytes = 1\n", "bytes = true\n", "43:9: 'bytes' of [[insn]] 2 must be an integer from 0 to 64, not true"),
    ("bit = true", "bit = 1", "37:7: 'bit' of [[insn]] 1 must be true or false, not 1"),
    ("cycles = 1\n", 'cycles = "1"\n', "44:10: 'cycles' of [[insn]] 2 must be a number of clocks, or an array"),
    ("address = 16", "address = 64", "4:11: 'target.address' must be an integer from 8 to 32, not 64"),
    ("[device.one]", "[device]\none = 3\n[device.one]", "55:12: not TOML: cannot overwrite a value"),
    ("bytes = 2 }", "byte = 2 }", "29:45: unknown key 'byte' in [mode.GROUP]; did you mean 'bytes'?"),
    ("w1c = 0x0f", "w1x = 0x0f", "57:19: unknown key 'w1x' in registers; did you mean 'w1c'?"),
    # names
    ('reg = "a b"', 'reg = "a c"', "17:10: unknown register 'c'; known: a, b, z, ab"),
    ('reg = "a b"', 'reg = ""', "17:7: the class 'reg' is empty: no operand could be one of it"),
    ('reg = "a b"', 'reg = "a ab"', "17:7: the registers of the class 'reg' differ in width"),
    ('reg = "a b"', 'reg = "a a"', "17:7: the class 'reg' names a register twice"),
    ('reg = "a b"', 'reg = "a +"', "17:10: '+' is no name or range of names such as r0..r31"),
    ('ab = "a:b"', 'ab = "a:c"', "13:9: unknown register 'c'; known: a, b, z"),
    ('ab = "a:b"', 'ab = "a"', '13:6: expected different registers, high:low, not "a"'),
    ('ab = "a:b"', "a = 8", "13:1: the register 'a' is here twice"),
    ("z = 1", "any = 1", "14:1: 'any' has a meaning in the language of 'does' and cannot be a name"),
    ("z = 1", "z = 65", "14:5: a register's width must be 1 to 64 bits, not 65"),
    ("io = 0x20", "a = 0x20", "9:1: 'a' is a register already"),
    ('bit = "0..7"', 'reg = "0..7"', "20:1: 'reg' is a class already"),
    ('symbol = "lo8"', 'symbol = "lo9"', "21:33: unknown part 'lo9'; did you mean 'lo8'?"),
    ('is = "A & 0xff"', 'is = "B & 0xff"', "26:15: unknown name 'B'; known: A"),
    ('"slow", "fast"', '"slow", "slow"', "6:9: the cores must be one or more different names"),
    # rows and modes
    (
        'text = "{op} {v:mem}.{bit:bit}"',
        'text = "{op} {v} {v:mem}.{bit:bit}"',
        "34:14: {v} must be {op}, {w} or {name:kind}",
    ),
    (
        'text = "{op} {v:mem}.{bit:bit}"',
        'text = "{op} {1v:mem}.{bit:bit}"',
        "34:14: '1v' cannot be an operand's name",
    ),
    (
        "[mode.mem]",
        '[mode.bit]\nx = { text = "x", is = "a" }\n[mode.mem]',
        "28:1: 'bit' is a register, class or number already",
    ),
    ("[mode.mem]", "[mode.none]\n[mode.mem]", "28:1: the group 'none' has no modes"),
    (
        'direct = { text = "!{n:addr}"',
        'direct = { text = "!{n:addr|u8}"',
        "29:19: the operand 'n' must be of one kind in a mode",
    ),
    ('is = "m[ab]", cycles', 'is = "m[ab]", then = "{op}", cycles', "30:7: {op} stands in a row only"),
    ('"or {d:reg}, #{i:u8}"', '"or {d:a|b|a}, #{i:u8}"', "47:15: the operand 'd' names a register twice"),
    ('"or {d:reg}, #{i:u8}"', '"or {d:a|ab}, #{i:u8}"', "47:15: the registers of the operand 'd' differ in width"),
    ('let = { x = "m[io]" }', 'let = { d = "m[io]" }', "48:9: 'd' cannot be a name here"),
    ('ops = { set = "v', 'ops = { "s t" = "v', "33:9: 's t' cannot be a mnemonic"),
    (
        'ops = { set = "v |= 1 << bit", clr',
        'ops = { set = "{op}", clr',
        "33:15: '{op}' stands where a statement is, but its meaning is an expression",
    ),
    ('ops = { set = "v |= 1 << bit", clr = "v &= ~(1 << bit)" }', "ops = { }", "33:7: no mnemonics"),
    (
        'let = { x = "m[io]" }',
        'w = { ".b" = 8 }\nlet = { x = "m[io]" }',
        "47:8: {w} in the text and the key 'w' belong together",
    ),
    (
        'text = "{op} {v:mem}.{bit:bit}"',
        'text = "{op}{w} {v:mem}.{bit:bit}"\nw = { "" = 8 }\nwidth = 8',
        "36:1: the key 'w' gives the widths already",
    ),
    ('text = "{op} {v:mem}.{bit:bit}"', 'text = "{op}{w} {v:mem}.{bit:bit}"\nw = { }', "35:5: no widths"),
    # ranges
    ('bit = "0..7"', 'bit = "7..0"', "20:8: the range 7..0 is empty"),
    ('bit = "0..7"', 'bit = "0..7 4"', "20:13: the range 4 overlaps 0x0..0x7"),
    ('bit = "0..7"', 'bit = "0-7"', "20:8: '0-7' is no number or range such as 0..0xff"),
    ('bit = "0..7"', 'bit = ""', "20:7: no number or range"),
    ("0..0xffff", "0..0x1ffff", "22:8: an address from 0x0 to 0x1ffff is outside 0..0xffff"),
    ("0..255", "0..256", "49:8: 'i' can be 0 to 256, which does not fit 8 bits"),
    ('bit = "0..7"', 'bit = "0..8"', "33:15: 'bit' can be 8, but there are only 8 bits"),
    ('bit = "0..7"', 'bit = "0..99"', "33:15: the shift by bit can be by 0 to 99 bits"),
    # texts and operands
    ("{d:reg}, {v:mem}", "{d:rge}, {v:mem}", "41:15: unknown kind of operand 'rge'; did you mean 'reg'?"),
    ("{v:mem}.{", "{v:mem.indd}.{", "34:17: unknown mode 'mem.indd'; did you mean 'mem.ind'?"),
    ('"ld {d:reg}, {v:mem}"', '"ld {d:reg}, {v:mem}{q:u8}"', "41:31: the operand 'q' is not used in 'does'"),
    ("d = v", "d = q", "42:13: unknown name 'q'; known: d, v, a, b, z, ab, io"),
    ("d = v", "d = v; io = 1", "42:8: 'io' is a constant and cannot be assigned"),
    ("d |= i;", "i |= d;", "47:25: the operand 'i' is a number and cannot be assigned"),
    ("{d:reg}, {v:mem}", "{d:reg}, {d:mem}", "41:21: the operand 'd' is here twice"),
    ("{d:reg}, {v:mem}", "{d}, {v:mem}", "41:12: {d} must be {op}, {w} or {name:kind}"),
    ("{d:reg}, {v:mem}", "{d:reg}, {v:mem}}", "41:28: a lone '}'"),
    ('"ld {d:reg}, {v:mem}"', '""', "41:8: the text is empty"),
    ("{op} {v", "set {v", "34:8: {op} in the text and the key 'ops' belong together"),
    ('"ld {d', '"ld{w} {d', "41:8: {w} in the text and the key 'w' belong together"),
    ("[ab]", "[{p:reg}]", "30:34: the operand 'p' of the text is not used"),
    ('"[ab]"', '"[ab] {op}"', "30:16: {op} and {w} stand in a row's text only"),
    ("let = { x", "let = { y", "49:17: unknown name 'x'; known: d, i, y, a, b, z, ab, io"),
    ("x = d; ", "", "48:9: 'x' is not used"),
    # meanings
    ("d = v", "d = f(v)", "42:13: 'f(v)' is not in the language of 'does'"),
    ("v |= 1 << bit", "v |= 1 << ", "33:25: cannot be read: invalid syntax"),
    ("v |= 1 << bit", "v | 1 << bit", "33:15: '{op}' stands where a statement is, but its meaning is an expr"),
    ('does = "d = v"\n', "", "40:1: [[insn]] says nothing of what it does: it has no 'does' and no 'ops'"),
    ("d = v", "", "41:15: the operand 'd' is not used in 'does'"),
    (
        "bit = true",
        'bit = true\n[[insn]]\ntext = "nop"\ndoes = ""\nbytes = 1\ncycles = 1',
        "40:8: the instruction does nothing",
    ),
    ("d = v", "{op}", "42:8: {op} is in 'does', but the row has no 'ops'"),
    ("bit = true", 'does = "z = 1"', "37:8: the row has 'ops', but {op} is not in its 'does'"),
    ("m[ab]", "m[ab", "30:31: cannot be read: '[' was never closed"),
    # costs and cores
    ("cycles = [2, 1]", "cycles = [2]", "36:10: 1 numbers, but there are 2 cores (slow, fast)"),
    ("cycles = [1, 0]", "cycles = [1, 0, 0]", "30:47: 3 numbers, but there are 2 cores (slow, fast)"),
    ('["-", 1]', '["-", "-"]', "51:10: no core has this instruction"),
    ("bytes = 1\n", "bytes = 0\n", "43:9: the instruction with mem.ind is 0 bytes long"),
    ("cycles = [2, 1]", "cycles = [2, 0]", "36:10: the instruction with mem.direct takes 0 clocks"),
    ("cycles = [1, 0]", "cycles = [-2, 0]", "36:10: the instruction with mem.ind takes 0 clocks"),
    ("cycles = [1, 0]", 'cycles = ["-", "-"]', "34:8: no core has this instruction with mem.ind as 'v'"),
    ("bit = true", 'needs = "rmw"', "37:9: unknown feature 'rmw'"),
    ("bit = true", "late = { q = 1 }", "37:10: unknown operand or register 'q'; known: v, bit, a, b, z, ab"),
    (
        "bit = true",
        'cells = { "mem.in" = {} }',
        "37:11: unknown mode of this row 'mem.in'; did you mean 'mem.ind'?",
    ),
    (
        '"or {d:reg}, #{i:u8}"\nlet = { x = "m[io]" }\ndoes = "d |= i; x = d; z = d == 0"',
        '"ld {d:reg}, !{i:addr}"\ndoes = "d = m[i]"',
        "47:8: 'ld ..., !...' is written like a form of line 40",
    ),
    ("{v:mem}.{bit:bit}", "{v:mem|mem}.{bit:bit}", "34:8: 'set !.......' is written like a form of itself"),
    # devices
    ('core = "slow"', 'core = "slwo"', "54:8: unknown core 'slwo'; did you mean 'slow'?"),
    ('core = "slow"\n', "", "53:1: the device has no 'core'"),
    ('like = "one"', 'like = "on"', "60:8: unknown device 'on'; did you mean 'one'?"),
    ('like = "one"', 'like = "two"', "60:8: the device 'two' is like itself"),
    ("0..0x1f", "0..0x2f", "55:58: 0x20..0x3f overlaps 0x0..0x2f"),
    ("0..0x1f", "0..0x1ffff", "55:18: 0..0x1ffff is outside the address space 0..0xffff"),
    ("0..0x1f", "0x1f..0", "55:19: the range 0x1f..0 is empty"),
    ("w1c = 0x0f", "w1c = 0x100", "57:25: the mask 0x100 is wider than the register's 8 bits"),
    ("at = 0x12", "at = 0xffff", "58:6: the register 'T0' must be whole bytes inside the address space"),
    ('"more.csv"', '"mroe.csv"', "62:14: there is no file 'mroe.csv' beside this one"),
    ("io = 0x20", "io = 0x20\n[device.one.constants]\noi = 1", "11:1: unknown constant 'oi'; known: io"),
    # spaces, abi and the rest
    ("[number]", "[space]\n1 = { bits = 16 }\n[number]", "19:1: address space 0 is missing"),
    (
        "[number]",
        "[space]\nx = { bits = 16 }\n[number]",
        "20:1: 'x' is no number of an address space, or here twice",
    ),
    (
        "[number]",
        '[space]\n0 = { bits = 16, within = "0 2" }\n[number]',
        "20:27: expected one range inside the address",
    ),
    ("[number]", '[abi]\npointer = "q"\n[number]', "20:12: unknown name 'q'; known: a, b, z, ab, io"),
    ("[number]", '[mapped]\nz = "0x20000.1"\n[number]', "20:5: expected an address and, for a flag, its bit"),
    ("align = { 16 = 2 }", "align = { 12 = 2 }", "5:11: an access is 8, 16, 32 or 64 bits wide, not 12"),
    ("align = { 16 = 2 }", "align = { 16 = 3 }", "5:16: an alignment is a power of two, not 3"),
    ("cores =", 'default = "oen"\ncores =', "6:11: unknown device 'oen'; did you mean 'one'?"),
    (
        "[device.one]",
        '[alias]\n"clr {d:rge}" = "and {d}, #0"\n[device.one]',
        "54:9: unknown kind of operand 'rge'; did you mean",
    ),
    (
        "[device.one]",
        '[alias]\n"clr {d:reg}" = "and {x}, #0"\n[device.one]',
        "54:22: unknown operand of the spelling 'x'",
    ),
    ("[part]", "[part", "24:6: not TOML: expected"),
]


@pytest.mark.parametrize(("old", "new", "message"), ERRORS, ids=[e[2].split(": ", 1)[1][:50] for e in ERRORS])
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(FactsError) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(f"{tmp_path}/target.toml:{message}")
    assert "\n" not in str(caught.value)


HIDING = [
    # The mode needs the register z, the row has an operand of that name.
    ("{d:reg}, {v:mem}", "{z:reg}, {v:mem}", "d = v", "z = v", "m[ab]", "m[ab + z]"),
    # The operand z is used, and z is set to something new: the flag is meant.
    ("{d:reg}, {v:mem}", "{d:reg}, {z:reg}", "d = v", "d |= z; z = d == 0", "m[ab]", "m[ab]"),
]


@pytest.mark.parametrize("changes", HIDING)
def test_an_operand_that_hides_what_the_row_needs(tmp_path: Path, changes: tuple[str, ...]) -> None:
    text = GOOD
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        text = text.replace(old, new, 1)
    with pytest.raises(FactsError, match="the operand 'z' hides the register 'z', which this row needs too; give"):
        load(tmp_path, text)


def test_an_operand_may_hide_a_register_the_row_does_not_need(tmp_path: Path) -> None:
    target = load(tmp_path, GOOD.replace("{d:reg}, {v:mem}", "{b:reg}, {v:mem}").replace("d = v", "b = v"))
    assert any("b" in row.operands for row in target.rows)


def test_a_narrow_instruction_says_what_it_does_to_wide_registers(tmp_path: Path) -> None:
    row = '[[insn]]\ntext = "mv{w} {d:ab}, #{i:u8}"\nw = { ".b" = 8, "" = 16 }\n'
    row += 'does = "d = i"\nbytes = 1\ncycles = 1\n'
    with pytest.raises(FactsError, match=r'55:5: an instruction narrower .* by narrow = "zero" or "keep"'):
        load(tmp_path, GOOD.replace("[device.one]", row + "[device.one]"))
    load(tmp_path, GOOD.replace("[device.one]", row + "[device.one]").replace("cores", 'narrow = "zero"\ncores', 1))


CSV_ERRORS = [
    ("0x11", "0x1z", "4: address must be a number, not '0x1z'"),
    ("0x11", "0xffff1", "4: a register must be 1 to 8 whole bytes inside the address space"),
    ("P1,0x11,8", "P1,0x11,12", "4: a register must be 1 to 8 whole bytes inside the address space"),
    ("8,1,SFR", "8,yes,SFR", "4: bit_manipulable must be 0 or 1, not 'yes'"),
    ("8,1,SFR", "8,1", "4: 5 fields, but there are 6 columns"),
    ("0xff\n", "0x1ff\n", "4: the mask w1c = 0x1ff is wider than the register's 8 bits"),
    ("width_bits", "width_bit", "2: unknown column 'width_bit'; did you mean 'width_bits'?"),
    ("bit_manipulable,area", "area", "2: there is no column 'bit_manipulable'"),
    ("P1,", '"P1,', "4: not CSV: unexpected end of data"),
]


@pytest.mark.parametrize(("old", "new", "message"), CSV_ERRORS)
def test_what_is_wrong_in_a_register_list(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(FactsError) as caught:
        load(tmp_path, csv=MORE.replace(old, new, 1))
    assert str(caught.value) == f"{tmp_path}/more.csv:{message}"


@pytest.mark.parametrize("csv", ["", "\n# only a comment\n"])
def test_an_empty_register_list(tmp_path: Path, csv: str) -> None:
    with pytest.raises(FactsError, match=r"more\.csv: no registers"):
        load(tmp_path, csv=csv)


def test_a_register_listed_twice_differently(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match="target.toml:62:13: the register 'P1' is here twice, and not the same"):
        load(tmp_path, csv=MORE + "P1,0x11,8,0,SFR,\n")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match=r"nowhere: no such file; a target is a folder with a target\.toml"):
        load_target(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "target.toml: the file has no 'target'"),
        (b"\xff\xfe", "target.toml:1: not UTF-8 text"),
        (b"[target]\nname = \n", "target.toml:2:8: not TOML: invalid value"),
        (b'[target]\nname = "x', "target.toml:2:10: not TOML: "),
        (b"a = " + b"[" * 2000, "target.toml: not TOML: "),
        (b"\0\0\0", "target.toml:1:1: not TOML: "),
    ],
)
def test_what_is_no_table_at_all(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "target.toml"
    file.write_bytes(content)
    with pytest.raises(FactsError) as caught:
        load_target(file)
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_rows_written_as_an_array_have_their_line(tmp_path: Path) -> None:
    before, rows = GOOD.split("[[insn]]", 1)
    inline = 'insn = [\n  { text = "ld a", does = "a = 1", bytes = 1, cycles = 1 },\n  { text = "q" },\n]\n'
    with pytest.raises(FactsError, match="target.toml:3:3: .*has no 'bytes'"):
        load(tmp_path, inline + before + rows[rows.index("[device.one]") :])

"""Devices in a CSV file, registers of several devices in one file, and what is wrong with either."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitsel.errors import FactsError
from bitsel.target.facts import Target
from bitsel.target.load import load_target

TABLE = """\
[target]
name = "tiny"
endian = "little"
address = 16
cores = ["one", "two"]
devices = "devices.csv"
[registers]
a = 8
p = 16
[constants]
io = 0x20
[number]
n = "0..31"
[[insn]]
text = "set {x:n}"
let = { m0 = "m8[io + x]" }
does = "m0 = 1"
bytes = 1
cycles = 1
within = "0x10..0x4f"
[[insn]]
text = "rare"
does = "a = 1"
bytes = 1
cycles = 1
needs = "rare"
[device.core]
abstract = true
core = "one"
constants = { io = 0 }
memory = [{ in = "0..0xf", widths = [] }]
[device.named]
like = "core"
source = "the book"
"""
DEVICES = """\
# who is like whom
name,like,has,registers,description,source
first,core,rare,registers.csv,the first,a b
second,first,,,,a
third,named,rare more,,,b
"""
REGISTERS = """\
device,name,address,width_bits,bit_manipulable,w1c
first,P0,0x10,8,1,0x0f
other,P0,0x12,8,1,
first,P1,0x11,8,0,
"""


def load(folder: Path, table: str = TABLE, devices: str = DEVICES, registers: str = REGISTERS) -> Target:
    (folder / "target.toml").write_text(table)
    (folder / "devices.csv").write_text(devices)
    (folder / "registers.csv").write_text(registers)
    return load_target(folder)


def test_devices_of_a_csv_file_come_after_those_of_the_table(tmp_path: Path) -> None:
    devices = load(tmp_path).devices
    assert list(devices) == ["named", "first", "second", "third"]
    first = devices["first"]
    assert (first.core, first.constants, first.description, first.source) == ("one", {"io": 0}, "the first", "a b")
    assert first.features == {"rare"}
    assert devices["third"].features == {"rare", "more"}
    assert devices["named"].source == "the book"


def test_an_abstract_device_is_none_by_itself(tmp_path: Path) -> None:
    target = load(tmp_path)
    assert "core" not in target.devices
    assert [(region.low, region.high) for region in target.devices["second"].regions] == [(0, 15)]
    alone = TABLE.replace('devices = "devices.csv"\n', "").replace(
        'like = "core"', 'like = "core"\nabstract = true'
    )
    with pytest.raises(FactsError, match="no devices"):
        load(tmp_path, alone.replace('needs = "rare"\n', ""))


def test_registers_count_for_the_device_a_row_names_and_those_like_it(tmp_path: Path) -> None:
    devices = load(tmp_path).devices
    assert [r.name for address in (0x10, 0x11) for r in devices["first"].registers[address]] == ["P0", "P1"]
    assert devices["first"].registers[0x10][0].w1c == 0x0F
    assert 0x12 not in devices["first"].registers
    assert devices["second"].registers == devices["first"].registers
    assert devices["third"].registers == {}


def test_the_hash_is_of_these_files_too(tmp_path: Path) -> None:
    hashes = {
        load(tmp_path).hash,
        load(tmp_path, devices=DEVICES + "fourth,core,,,,\n").hash,
        load(tmp_path, registers=REGISTERS + "first,P2,0x13,8,1,\n").hash,
    }
    assert len(hashes) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name,like", "nmae,like", "2: unknown column 'nmae'; did you mean 'name'?"),
        ("name,like,", "name,", "2: there is no column 'like'"),
        ("name,like,has", "name,like,like", "2: the column 'like' is there twice"),
        ("the first", '"a first\n# of two\n\nlines"\n#', "3: 5 fields, but there are 6 columns"),
        ("second,first,,,,a", 'second,first,,,"of\ntwo lines",a\nfourth', "6: 1 fields, but there are 6 columns"),
        ("second,first", 'second,"fi\nrst"x', "4: not CSV: ',' expected after '\"'"),
        ("second,first", 'second,"first', "4: not CSV: unexpected end of data"),
        ("second,first,,,,a", "second,first,,,a", "4: 5 fields, but there are 6 columns"),
        ("second,first", "second,frist", "4: unknown device 'frist'; did you mean 'first'?"),
        ("second,first", "first,core", "4: the device 'first' is in line 3 already"),
        ("second,first", "named,core", "4: the device 'named' has a table [device.named] already"),
        ("second,first", "second,second", "4: the device 'second' is like itself"),
        ("second,first", "a:b,first", "4: 'a:b' is no name of a device"),
        ("registers.csv", "regs.csv", "3: there is no file 'regs.csv' beside this one"),
        (
            "second,first,,",
            "second,first,,registers.csv",
            "4: 'registers.csv' lists no registers of the device 'second'",
        ),
    ],
)
def test_what_is_wrong_in_a_list_of_devices(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(FactsError) as caught:
        load(tmp_path, devices=DEVICES.replace(old, new, 1))
    assert str(caught.value).startswith(f"{tmp_path}/devices.csv:{message}")


def test_an_empty_list_of_devices(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match=r"devices\.csv: no devices"):
        load(tmp_path, devices="# none\n")


def test_no_such_list_of_devices(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match=r"target\.toml:6:11: there is no file 'more\.csv' beside this one"):
        load(tmp_path, TABLE.replace('"devices.csv"', '"more.csv"'))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'within = "0x10..0x4f"',
            'within = "0x10..0x1ffff"',
            "expected addresses inside the address space 0..0xffff",
        ),
        ('within = "0x10..0x4f"', 'within = "5..4"', "the range 5..4 is empty"),
        ('needs = "rare"', 'within = "0..1"\nneeds = "rare"', "the instruction has no memory operand"),
    ],
)
def test_what_is_wrong_with_where_a_row_works(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(FactsError, match=message):
        load(tmp_path, TABLE.replace(old, new, 1))


def test_a_register_is_for_data_or_for_addresses(tmp_path: Path) -> None:
    abi = '[abi]\nscratch = "a"\naddress = "p"\n[number]'
    target = load(tmp_path, TABLE.replace("[number]", abi))
    assert (target.abi.scratch, target.abi.address) == (("a",), ("p",))
    with pytest.raises(FactsError, match="'a' is in 'scratch' already"):
        load(tmp_path, TABLE.replace("[number]", abi.replace('address = "p"', 'address = "p a"')))

"""AVR's table of devices against the tools that know their names: avr-gcc's device specs, GNU as and llc."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import bitsel_avr
from bitsel.target.facts import Device, Target
from bitsel.target.load import load_target

SPECS = Path("/usr/lib/gcc/avr")
AVR_GCC = "apt-get install gcc-avr binutils-avr"
LLC = "apt-get install llvm-19"

CLASSIC = ("avr1", "avr2", "avr25", "avr3", "avr31", "avr35", "avr4", "avr5", "avr51", "avr6")
XMEGA = ("avrxmega1", "avrxmega2", "avrxmega4", "avrxmega5", "avrxmega6", "avrxmega7")
# Architecture of avr-gcc -> core, data address of I/O register 0.
OF_ARCHITECTURE = {
    **dict.fromkeys(CLASSIC, ("avre", 32)),
    **dict.fromkeys(XMEGA, ("avrxm", 0)),
    "avrxmega3": ("avrxt", 0),
    "avrtiny": ("avrrc", 0),
}
HAS_NO_MOVW = {"avr1", "avr2", "avr3", "avr31", "avrtiny"}


@pytest.fixture(scope="module")
def avr() -> Target:
    return load_target(Path(bitsel_avr.__file__).parent)


def core_and_offset(device: Device) -> tuple[str, int]:
    return device.core, device.constants["io"]


@pytest.mark.parametrize(
    ("name", "core", "offset"),
    [
        ("atmega328p", "avre", 0x20),
        ("atmega32u4", "avre", 0x20),
        ("atmega2560", "avre", 0x20),
        ("attiny85", "avre", 0x20),
        ("at90s1200", "avre", 0x20),
        ("attiny402", "avrxt", 0),
        ("attiny1627", "avrxt", 0),
        ("atmega4809", "avrxt", 0),
        ("avr128da28", "avrxt", 0),
        ("avr64dd32", "avrxt", 0),
        ("atxmega128a1", "avrxm", 0),
        ("atxmega32e5", "avrxm", 0),
        ("attiny10", "avrrc", 0),
        ("attiny104", "avrrc", 0),
    ],
)
def test_core_and_offset(avr: Target, name: str, core: str, offset: int) -> None:
    assert core_and_offset(avr.devices[name]) == (core, offset)


def test_features(avr: Target) -> None:
    def has(name: str) -> set[str]:
        return set(avr.devices[name].features)

    assert has("atxmega128a1u") == {"sram", "movw", "rmw"}
    assert has("atxmega128a1") == {"sram", "movw"}
    assert has("atmega328p") == {"sram", "movw"}
    assert has("at90s2313") == {"sram"}
    assert has("at90s1200") == set()


def test_every_device_says_who_knows_it(avr: Target) -> None:
    for device in avr.devices.values():
        assert set(device.source.split()) <= {"specs", "as", "llc", "mcus"}, device.name
        assert device.source, device.name


def test_cores_that_others_are_like_are_no_devices(avr: Target) -> None:
    assert not any(name.endswith("-core") for name in avr.devices)
    assert len(avr.devices) > 350


# --- avr-gcc ------------------------------------------------------------------------------------------------------


def specs() -> dict[str, Path]:
    return {file.name.removeprefix("specs-"): file for file in SPECS.glob("*/device-specs/specs-*")}


needs_specs = pytest.mark.skipif(not specs(), reason=f"no device specs of avr-gcc: {AVR_GCC}")


@needs_specs
def test_every_device_of_avr_gcc(avr: Target) -> None:
    for name, file in specs().items():
        text = file.read_text()
        architecture = re.search(r"\*asm_arch:\n\s*-mmcu=(\w+)", text)
        assert architecture is not None, name
        device = avr.devices[name]
        assert core_and_offset(device) == OF_ARCHITECTURE[architecture[1]], name
        assert ("movw" in device.features) == (architecture[1] not in HAS_NO_MOVW), name
        assert ("sram" in device.features) == (architecture[1] != "avr1"), name
        assert ("rmw" in device.features) == ("%{!mno-rmw: -mrmw}" in text), name
        assert "specs" in device.source.split(), name


# --- GNU as -------------------------------------------------------------------------------------------------------

AVR_AS = shutil.which("avr-as") or ""
needs_as = pytest.mark.skipif(not AVR_AS, reason=f"no avr-as: {AVR_GCC}")


@needs_as
def test_every_device_of_gnu_as(avr: Target) -> None:
    out = subprocess.run([AVR_AS, "--help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ((?:a[tv]|m3)\w+(?: \w+)*)$", out[out.index("Known MCU names:") :], re.MULTILINE)
    known = {name for line in names for name in line.split()}
    assert "atmega328p" in known
    for name in known:
        assert "as" in avr.devices[name].source.split(), name


@needs_as
@pytest.mark.parametrize("name", ["atmega328p", "attiny85", "atxmega128a1u", "attiny10", "at90s2313"])
def test_gnu_as_takes_sbi_up_to_31_and_las_only_where_it_is(avr: Target, name: str, tmp_path: Path) -> None:
    def takes(line: str) -> bool:
        command = [AVR_AS, f"-mmcu={name}", "-o", str(tmp_path / "out.o"), "-"]
        return subprocess.run(command, input=f"\t{line}\n", capture_output=True, text=True).returncode == 0

    assert takes("sbi 0x1f, 7")
    assert not takes("sbi 0x20, 7")
    assert takes("movw r30, r24") == ("movw" in avr.devices[name].features)


# --- llc ----------------------------------------------------------------------------------------------------------

LLC_19 = shutil.which("llc-19") or ""
needs_llc = pytest.mark.skipif(not LLC_19, reason=f"no llc-19: {LLC}")

SET_A_BIT = """\
target datalayout = "e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8-a:8"
target triple = "avr"
define void @f() addrspace(1) {{
  %old = load volatile i8, ptr inttoptr (i16 {0} to ptr)
  %new = or i8 %old, 4
  store volatile i8 %new, ptr inttoptr (i16 {0} to ptr)
  ret void
}}
"""


def llc_devices() -> list[str]:
    if not LLC_19:
        return []
    command = [LLC_19, "-march=avr", "-mcpu=help"]
    out = subprocess.run(command, input="", capture_output=True, text=True)
    return re.findall(r"^  (\w+) +- Select the \w+ processor", out.stdout + out.stderr, re.MULTILINE)


@needs_llc
def test_every_device_of_llc(avr: Target) -> None:
    names = llc_devices()
    assert "attiny402" in names
    for name in names:
        assert "llc" in avr.devices[name].source.split(), name


@needs_llc
@pytest.mark.parametrize(
    "name", ["atmega328p", "attiny85", "at90s2313", "attiny402", "atmega4809", "atxmega128a1", "attiny10"]
)
def test_llc_counts_from_the_same_offset(avr: Target, name: str) -> None:
    address = avr.devices[name].constants["io"] + 5
    command = [LLC_19, "-march=avr", f"-mcpu={name}", "-o", "-"]
    source = SET_A_BIT.format(address)
    out = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    assert re.search(r"sbi\s+5, 2", out), out

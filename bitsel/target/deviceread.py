"""Reading the devices of a target: cores, regions of memory, and register lists in TOML or CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bitsel.errors import FactsError, Location, did_you_mean
from bitsel.target.facts import Device, HardwareRegister, Region
from bitsel.target.kinds import FormatError
from bitsel.target.positions import Path as KeyPath
from bitsel.target.vocabulary import Vocabulary, at, unknown
from bitsel.target.words import integer, integers

ALL_WIDTHS = (8, 16, 32, 64)

_REQUIRED = ("name", "address", "width_bits", "bit_manipulable")
_MASKS = ("w1c", "toggle", "read_effect", "write_only", "read_only")
_COLUMNS = frozenset((*_REQUIRED, *_MASKS, "area", "source"))
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,18}")


class DeviceReader:
    """The devices of one file. `contents` collects the bytes of the other files they name."""

    def __init__(self, data: Mapping[str, Any], vocabulary: Vocabulary, file: Path) -> None:
        self.data = data
        self.vocabulary = vocabulary
        self.folder = file.parent
        self.top = (1 << vocabulary.address_bits) - 1
        self.contents: list[bytes] = []
        self.lists: dict[str, tuple[HardwareRegister, ...]] = {}

    def devices(self) -> dict[str, Device]:
        if not self.data:
            raise FormatError(("device",), "no devices")
        found: dict[str, Device] = {}
        for name in self.data:
            self.device(name, found, ())
        return {name: found[name] for name in self.data}

    def device(self, name: str, found: dict[str, Device], users: tuple[str, ...]) -> Device:
        """The device `name`, after the one it is like; `users` are those that are like it."""
        if name in found:
            return found[name]
        item: Mapping[str, Any] = self.data[name]
        path: KeyPath = ("device", name)
        parent: Device | None = None
        if "like" in item:
            if item["like"] not in self.data:
                raise unknown("device", item["like"], list(self.data), (*path, "like"))
            if item["like"] in (*users, name):
                raise FormatError((*path, "like"), f"the device {name!r} is like itself")
            parent = self.device(item["like"], found, (*users, name))
        registers = [
            register
            for source, at_path in _listed(item.get("registers", []), (*path, "registers"))
            for register in self.registers(source, at_path)
        ]
        found[name] = Device(
            name,
            self.core(item, parent, path),
            self.constants(item, parent, path),
            frozenset(item.get("has", ())) | (parent.features if parent else frozenset()),
            self.by_address(registers, parent, (*path, "registers")),
            (*self.regions(item, path), *(parent.regions if parent else ())),
            item.get("description", ""),
        )
        return found[name]

    def core(self, item: Mapping[str, Any], parent: Device | None, path: KeyPath) -> str:
        core = item.get("core", parent.core if parent else None)
        if core is None:
            raise FormatError(path, "the device has no 'core'", on_key=True)
        if core not in self.vocabulary.cores:
            raise unknown("core", core, self.vocabulary.cores, (*path, "core"))
        return str(core)

    def constants(self, item: Mapping[str, Any], parent: Device | None, path: KeyPath) -> dict[str, int]:
        own: dict[str, int] = item.get("constants", {})
        for name in own:
            if name not in self.vocabulary.constants:
                raise unknown("constant", name, self.vocabulary.constants, (*path, "constants", name), on_key=True)
        return {**(parent.constants if parent else self.vocabulary.constants), **own}

    def regions(self, item: Mapping[str, Any], path: KeyPath) -> list[Region]:
        found: list[Region] = []
        for i, region in enumerate(item.get("memory", [])):
            in_path = (*path, "memory", i, "in")
            with at(in_path):
                runs = integers(region["in"])
            if len(runs) != 1:
                raise FormatError(in_path, "expected one range")
            low, high = runs[0]
            if low < 0 or high > self.top:
                raise FormatError(in_path, f"{region['in']} is outside the address space 0..{self.top:#x}")
            for other in found:
                if low <= other.high and other.low <= high:
                    raise FormatError(in_path, f"{region['in']} overlaps {other.low:#x}..{other.high:#x}")
            found.append(
                Region(
                    low,
                    high,
                    tuple(region.get("widths", ALL_WIDTHS)),
                    region.get("kind", "memory"),
                    region.get("writable", True),
                    region.get("read-cycles", 0),
                    region.get("source", ""),
                    region.get("unverified", ""),
                )
            )
        return found

    def registers(self, source: str | Mapping[str, Any], path: KeyPath) -> tuple[HardwareRegister, ...]:
        if isinstance(source, str):
            if source not in self.lists:
                self.lists[source] = self.from_csv(source, path)
            return self.lists[source]
        return tuple(self.register(name, item, (*path, name)) for name, item in source.items())

    def register(self, name: str, item: Mapping[str, Any], path: KeyPath) -> HardwareRegister:
        width = item.get("width", 8)
        if width % 8 or item["at"] + width // 8 - 1 > self.top:
            raise FormatError(path, f"the register {name!r} must be whole bytes inside the address space")
        masks = {key: item[key] for key in _MASKS if key in item}
        for key, mask in masks.items():
            if mask >> width:
                raise FormatError((*path, key), f"the mask {mask:#x} is wider than the register's {width} bits")
        return HardwareRegister(
            name, item["at"], width, item.get("bit", True), source=item.get("source", ""), **masks
        )

    def from_csv(self, name: str, path: KeyPath) -> tuple[HardwareRegister, ...]:
        file = self.folder / name
        try:
            content = file.read_bytes()
            text = content.decode()
        except FileNotFoundError:
            raise FormatError(path, f"there is no file {name!r} beside this one") from None
        except (OSError, ValueError) as error:  # ValueError: bytes that are no text, a name that is no path
            raise FormatError(path, f"{name!r} cannot be read: {error}") from None
        self.contents.append(content)
        return _registers_of(text, file, self.top)

    def by_address(
        self, registers: list[HardwareRegister], parent: Device | None, path: KeyPath
    ) -> dict[int, tuple[HardwareRegister, ...]]:
        """The registers by each byte that they cover. One named as the parent's takes its place."""
        known: dict[str, HardwareRegister] = {}
        for register in registers:
            if register.name in known and known[register.name] != register:
                raise FormatError(path, f"the register {register.name!r} is here twice, and not the same")
            known[register.name] = register
        inherited = {r.name: r for rs in (parent.registers if parent else {}).values() for r in rs}
        found: dict[int, tuple[HardwareRegister, ...]] = {}
        for register in {**inherited, **known}.values():
            for address in range(register.address, register.address + register.width // 8):
                found[address] = (*found.get(address, ()), register)
        return found


def _listed(value: Any, path: KeyPath) -> list[tuple[Any, KeyPath]]:
    if isinstance(value, list):
        return [(item, (*path, i)) for i, item in enumerate(value)]
    return [(value, path)]


def _registers_of(text: str, file: Path, top: int) -> tuple[HardwareRegister, ...]:
    """The registers of a CSV text. Lines that start with ``#`` are comments."""
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    if not lines:
        raise FactsError("no registers", Location(str(file)))
    rows = csv.reader((line for _, line in lines), strict=True)
    found: list[HardwareRegister] = []
    try:
        columns = [column.strip() for column in next(rows)]
        _check_columns(columns, file, lines[0][0])
        for (number, _), row in zip(lines[1:], rows, strict=False):
            found.append(_csv_register(columns, row, Location(str(file), number), top))
    except csv.Error as error:
        raise FactsError(f"not CSV: {error}", Location(str(file), lines[len(found) + 1][0])) from None
    return tuple(found)


def _check_columns(columns: list[str], file: Path, line: int) -> None:
    for column in columns:
        if column not in _COLUMNS:
            hint = did_you_mean(column, _COLUMNS) or f"known: {', '.join(sorted(_COLUMNS))}"
            raise FactsError(f"unknown column {column!r}", Location(str(file), line), hint=hint)
    for column in _REQUIRED:
        if column not in columns:
            raise FactsError(f"there is no column {column!r}", Location(str(file), line))


def _csv_register(columns: list[str], row: list[str], where: Location, top: int) -> HardwareRegister:
    if len(row) != len(columns):
        raise FactsError(f"{len(row)} fields, but there are {len(columns)} columns", where)
    item = dict(zip(columns, row, strict=True))
    address = _csv_number(item, "address", where)
    width = _csv_number(item, "width_bits", where)
    if not width or width % 8 or width > 64 or address + width // 8 - 1 > top:
        raise FactsError("a register must be 1 to 8 whole bytes inside the address space", where)
    if item["bit_manipulable"] not in ("0", "1"):
        raise FactsError(f"bit_manipulable must be 0 or 1, not {item['bit_manipulable']!r}", where)
    masks = {key: _csv_number(item, key, where) for key in _MASKS if item.get(key)}
    for key, mask in masks.items():
        if mask >> width:
            raise FactsError(f"the mask {key} = {mask:#x} is wider than the register's {width} bits", where)
    bit = item["bit_manipulable"] == "1"
    return HardwareRegister(item["name"], address, width, bit, source=item.get("source", ""), **masks)


def _csv_number(item: Mapping[str, str], column: str, where: Location) -> int:
    if not _NUMBER.fullmatch(item[column].strip()):
        raise FactsError(f"{column} must be a number, not {item[column]!r}", where)
    return integer(item[column].strip())

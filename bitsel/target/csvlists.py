"""The CSV files of a target: lists of registers, and of devices where they are many.

The first line names the columns; lines that start with ``#`` are comments. What is wrong with a file is a
`FactsError` with its line::

    name,address,width_bits,bit_manipulable
    P0,0xFFF00,8,1
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from bitsel.errors import FactsError, Location, did_you_mean
from bitsel.target.facts import HardwareRegister
from bitsel.target.words import integer

MASKS = ("w1c", "toggle", "read_effect", "write_only", "read_only")

_REGISTER = ("name", "address", "width_bits", "bit_manipulable")
_REGISTER_COLUMNS = frozenset((*_REGISTER, *MASKS, "area", "source", "device"))
_DEVICE = ("name", "like")
_DEVICE_COLUMNS = frozenset((*_DEVICE, "has", "registers", "description", "source"))
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,18}")
_NAME = re.compile(r"[^\s:,]+")


@frozen
class RegisterList:
    """The registers of a file, by the device that a row names; by None where the file has no column for that."""

    by_device: Mapping[str | None, tuple[HardwareRegister, ...]]

    def of(self, device: str) -> tuple[HardwareRegister, ...]:
        """The registers of `device`, none if the file has none of it."""
        return self.by_device.get(None) or self.by_device.get(device, ())


@frozen
class ListedDevice:
    """A device of a file, as the keys of a ``[device.NAME]``, and the line it stands in."""

    keys: Mapping[str, Any]
    where: Location


def register_list(text: str, file: Path, top: int) -> RegisterList:
    """The registers of a CSV text; `top` is the last byte address there is."""
    found: dict[str | None, list[HardwareRegister]] = {}
    for row, where in _rows(text, file, _REGISTER, _REGISTER_COLUMNS, "registers"):
        found.setdefault(row.get("device"), []).append(_register(row, where, top))
    return RegisterList({device: tuple(registers) for device, registers in found.items()})


def device_list(text: str, file: Path) -> dict[str, ListedDevice]:
    """The devices of a CSV text, by name."""
    found: dict[str, ListedDevice] = {}
    for row, where in _rows(text, file, _DEVICE, _DEVICE_COLUMNS, "devices"):
        name = row["name"]
        if not _NAME.fullmatch(name):
            raise FactsError(f"{name!r} is no name of a device", where)
        if name in found:
            raise FactsError(f"the device {name!r} is in line {found[name].where.line} already", where)
        keys: dict[str, Any] = {key: row[key] for key in ("like", "description", "source") if row.get(key)}
        keys.update({key: row[key].split() for key in ("has", "registers") if row.get(key)})
        found[name] = ListedDevice(keys, where)
    return found


class _Lines(Iterator[str]):
    """The lines of a text but for comments and empty ones, which may stand between rows; `first` is the number of
    the one in which the row at hand begins, to be set to None before each row."""

    def __init__(self, text: str) -> None:
        self.first: int | None = None
        self._lines = enumerate(text.splitlines(keepends=True), 1)

    def __next__(self) -> str:
        for number, line in self._lines:
            if self.first is None:
                if not line.strip() or line.startswith("#"):
                    continue
                self.first = number
            return line
        raise StopIteration


def _rows(
    text: str, file: Path, required: tuple[str, ...], known: Collection[str], what: str
) -> list[tuple[Mapping[str, str], Location]]:
    records = list(_records(text, file))
    if not records:
        raise FactsError(f"no {what}", Location(str(file)))
    (heading, where), *rows = records
    columns = [column.strip() for column in heading]
    _check_columns(columns, where, required, known)
    for row, where in rows:
        if len(row) != len(columns):
            raise FactsError(f"{len(row)} fields, but there are {len(columns)} columns", where)
    return [(dict(zip(columns, row, strict=True)), where) for row, where in rows]


def _records(text: str, file: Path) -> Iterator[tuple[list[str], Location]]:
    """The rows with the line in which each begins: a field in quotes may go over several."""
    lines = _Lines(text)
    reader = csv.reader(lines, strict=True)
    try:
        for row in reader:
            yield row, Location(str(file), lines.first or 1)
            lines.first = None
    except csv.Error as error:
        raise FactsError(f"not CSV: {error}", Location(str(file), lines.first or 1)) from None


def _check_columns(columns: list[str], where: Location, required: tuple[str, ...], known: Collection[str]) -> None:
    for column in columns:
        if column not in known:
            hint = did_you_mean(column, known) or f"known: {', '.join(sorted(known))}"
            raise FactsError(f"unknown column {column!r}", where, hint=hint)
        if columns.count(column) > 1:
            raise FactsError(f"the column {column!r} is there twice", where)
    for column in required:
        if column not in columns:
            raise FactsError(f"there is no column {column!r}", where)


def _register(row: Mapping[str, str], where: Location, top: int) -> HardwareRegister:
    address = _number(row, "address", where)
    width = _number(row, "width_bits", where)
    if not width or width % 8 or width > 64 or address + width // 8 - 1 > top:
        raise FactsError("a register must be 1 to 8 whole bytes inside the address space", where)
    if row["bit_manipulable"] not in ("0", "1"):
        raise FactsError(f"bit_manipulable must be 0 or 1, not {row['bit_manipulable']!r}", where)
    masks = {key: _number(row, key, where) for key in MASKS if row.get(key)}
    for key, mask in masks.items():
        if mask >> width:
            raise FactsError(f"the mask {key} = {mask:#x} is wider than the register's {width} bits", where)
    bit = row["bit_manipulable"] == "1"
    return HardwareRegister(row["name"], address, width, bit, source=row.get("source", ""), **masks)


def _number(row: Mapping[str, str], column: str, where: Location) -> int:
    if not _NUMBER.fullmatch(row[column].strip()):
        raise FactsError(f"{column} must be a number, not {row[column]!r}", where)
    return integer(row[column].strip())

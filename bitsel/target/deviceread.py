"""Reading the devices of a target: cores, regions of memory, and registers, of the target's own file and of the
CSV files that it names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bitsel.errors import FactsError, Location
from bitsel.target.csvlists import MASKS, RegisterList, device_list, register_list
from bitsel.target.facts import Device, HardwareRegister, MirroredRegion, Region
from bitsel.target.kinds import FormatError
from bitsel.target.positions import Path as KeyPath
from bitsel.target.vocabulary import Vocabulary, at, unknown
from bitsel.target.words import integers

ALL_WIDTHS = (8, 16, 32, 64)


class DeviceReader:
    """The devices of one file, and of the CSV file `more` beside it. `contents` collects the bytes of the other
    files that they name."""

    def __init__(
        self, data: Mapping[str, Any], vocabulary: Vocabulary, file: Path, more: str | None = None
    ) -> None:
        self.data = dict(data)
        self.vocabulary = vocabulary
        self.folder = file.parent
        self.top = (1 << vocabulary.address_bits) - 1
        self.contents: list[bytes] = []
        self.lists: dict[str, RegisterList] = {}
        self.places: dict[str, Location] = {}
        if more is not None:
            self.add(more)

    def add(self, more: str) -> None:
        """Take in the devices of the CSV file `more`."""
        text, file = self.text_of(more, ("target", "devices"))
        for name, listed in device_list(text, file).items():
            if name in self.data:
                raise FactsError(f"the device {name!r} has a table [device.{name}] already", listed.where)
            self.data[name] = listed.keys
            self.places[name] = listed.where

    def devices(self) -> dict[str, Device]:
        found: dict[str, Device] = {}
        for name in self.data:
            self.device(name, found, ())
        real = {name: found[name] for name in self.data if not self.data[name].get("abstract", False)}
        if not real:
            raise FormatError(("device",), "no devices")
        return real

    def device(self, name: str, found: dict[str, Device], users: tuple[str, ...]) -> Device:
        """The device `name`, after the one it is like; `users` are those that are like it."""
        if name not in found:
            try:
                found[name] = self._device(name, found, users)
            except FormatError as problem:
                if name not in self.places:
                    raise
                raise FactsError(problem.message, self.places[name], hint=problem.hint) from None
        return found[name]

    def _device(self, name: str, found: dict[str, Device], users: tuple[str, ...]) -> Device:
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
            for register in self.registers(source, name, at_path)
        ]
        return Device(
            name,
            self.core(item, parent, path),
            self.constants(item, parent, path),
            frozenset(item.get("has", ())) | (parent.features if parent else frozenset()),
            self.by_address(registers, parent, (*path, "registers")),
            (*self.regions(item, path), *(parent.regions if parent else ())),
            (*self.mirrors(item, path), *(parent.mirrors if parent else ())),
            item.get("description", ""),
            item.get("source", ""),
        )

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
            low, high = self.range(region["in"], in_path)
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

    def mirrors(self, item: Mapping[str, Any], path: KeyPath) -> list[MirroredRegion]:
        found: list[MirroredRegion] = []
        for i, mirror in enumerate(item.get("mirror", [])):
            in_path = (*path, "mirror", i)
            low, high = self.range(mirror["in"], (*in_path, "in"))
            other = self.range(mirror["at"], (*in_path, "at"))
            if low <= other[1] and other[0] <= high:
                raise FormatError((*in_path, "at"), f"{mirror['at']} overlaps {mirror['in']}, whose mirror it is")
            found.append(MirroredRegion(low, high, other, mirror.get("source", ""), mirror.get("unverified", "")))
        return found

    def range(self, spelled: str, path: KeyPath) -> tuple[int, int]:
        """One range of byte addresses."""
        with at(path):
            runs = integers(spelled)
        if len(runs) != 1:
            raise FormatError(path, "expected one range")
        low, high = runs[0]
        if low < 0 or high > self.top:
            raise FormatError(path, f"{spelled} is outside the address space 0..{self.top:#x}")
        return low, high

    def registers(
        self, source: str | Mapping[str, Any], device: str, path: KeyPath
    ) -> tuple[HardwareRegister, ...]:
        if not isinstance(source, str):
            return tuple(self.register(name, item, (*path, name)) for name, item in source.items())
        if source not in self.lists:
            self.lists[source] = register_list(*self.text_of(source, path), self.top)
        found = self.lists[source].of(device)
        if not found:
            raise FormatError(path, f"{source!r} lists no registers of the device {device!r}")
        return found

    def register(self, name: str, item: Mapping[str, Any], path: KeyPath) -> HardwareRegister:
        width = item.get("width", 8)
        if width % 8 or item["at"] + width // 8 - 1 > self.top:
            raise FormatError(path, f"the register {name!r} must be whole bytes inside the address space")
        masks = {key: item[key] for key in MASKS if key in item}
        for key, mask in masks.items():
            if mask >> width:
                raise FormatError((*path, key), f"the mask {mask:#x} is wider than the register's {width} bits")
        return HardwareRegister(
            name, item["at"], width, item.get("bit", True), source=item.get("source", ""), **masks
        )

    def text_of(self, name: str, path: KeyPath) -> tuple[str, Path]:
        """The text of the file `name` beside the target's, and where that is."""
        file = self.folder / name
        try:
            content = file.read_bytes()
            text = content.decode()
        except FileNotFoundError:
            raise FormatError(path, f"there is no file {name!r} beside this one") from None
        except (OSError, ValueError) as error:  # ValueError: bytes that are no text, a name that is no path
            raise FormatError(path, f"{name!r} cannot be read: {error}") from None
        self.contents.append(content)
        return text, file

    def by_address(
        self, registers: list[HardwareRegister], parent: Device | None, path: KeyPath
    ) -> dict[int, tuple[HardwareRegister, ...]]:
        """The registers by each byte that they cover. One named as the parent's takes its place."""
        if parent is not None and not registers:
            return dict(parent.registers)
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

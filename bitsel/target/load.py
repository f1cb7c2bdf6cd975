"""Loading a target: from its `target.toml` (and the files it names) to checked facts.

>>> from pathlib import Path
>>> target = load_target(Path("targets/rl78/bitsel_rl78"))  # doctest: +SKIP
>>> target.devices["r7f100g"].core  # doctest: +SKIP
's3'

Everything wrong with the file is a `FactsError` with file, line and column.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli
from attrs import evolve

from bitsel.errors import FactsError, Location
from bitsel.target import positions, schema
from bitsel.target.checks import check
from bitsel.target.deviceread import DeviceReader
from bitsel.target.facts import Abi, Dialect, Space, Target
from bitsel.target.kinds import FormatError
from bitsel.target.table import read_aliases, read_modes, read_rows
from bitsel.target.tools import read_assembler, read_inline_assembly, read_simulator
from bitsel.target.vocabulary import Vocabulary, at, read_vocabulary, unknown
from bitsel.target.words import integer, integers

FILE_NAME = "target.toml"

_SYNTAX = re.compile(r"(?P<message>.*?)\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")
_ROW = re.compile(r"[ \t]*\[\[[ \t]*(insn|read)[ \t]*\]\]")
_MAPPED = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)(?:\.([0-7]))?")


def load_target(path: Path) -> Target:
    """The facts in `path`: a TOML file, a directory that holds a ``target.toml``, or one that holds a
    ``pyproject.toml`` and one package with a ``target.toml``.

    Raises `FactsError` for a file that cannot be read or does not hold together.
    """
    file = _file_in(path) if path.is_dir() else path
    content = _read(file)
    text = _decoded(content, file)
    data = _parsed(text, file)
    try:
        schema.FILE.check(data, ())
        return _target(data, text, content, file)
    except FormatError as problem:
        raise _located(problem, text, file) from None


def _file_in(folder: Path) -> Path:
    """The table in a target's own folder, or in the folder of the distribution that brings it."""
    own = folder / FILE_NAME
    if own.exists() or not (folder / "pyproject.toml").exists():
        return own
    packages = sorted(folder.glob(f"*/{FILE_NAME}"))
    if len(packages) > 1:
        found = ", ".join(str(file.relative_to(folder)) for file in packages)
        raise FactsError(f"there are several targets here: {found}", Location(str(folder)))
    return packages[0] if packages else own


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        hint = f"a target is a folder with a {FILE_NAME}"
        raise FactsError("no such file", Location(str(file)), hint=hint) from None
    except OSError as error:
        raise FactsError(f"cannot be read: {error.strerror}", Location(str(file))) from None


def _decoded(content: bytes, file: Path) -> str:
    try:
        return content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FactsError("not UTF-8 text", Location(str(file), line)) from None


def _parsed(text: str, file: Path) -> dict[str, Any]:
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        found = _SYNTAX.fullmatch(str(error))
        message = found["message"] if found else str(error)
        end = (text.count("\n") + 1, len(text) - text.rfind("\n"))
        line, column = (int(found["line"]), int(found["column"])) if found and found["line"] else end
        where = Location(str(file), line, column)
        raise FactsError(f"not TOML: {message[:1].lower()}{message[1:]}", where) from None
    except (RecursionError, ValueError) as error:
        raise FactsError(f"not TOML: {error}", Location(str(file))) from None


def _located(problem: FormatError, text: str, file: Path) -> FactsError:
    """The error for `problem`, with its line and column found in the text."""
    places = positions.places(text)
    line, column = places.of_key(problem.path) if problem.on_key else places.of(problem.path)
    if problem.offset is not None and problem.path in places.value:
        before = text.split("\n")[line - 1][column - 1 :]
        if before[:1] in ("'", '"') and before[:3] not in ("'''", '"""'):
            column += 1 + problem.offset  # from behind the opening quote of a string of one line
    return FactsError(problem.message, Location(str(file), line, column), hint=problem.hint)


def _target(data: Mapping[str, Any], text: str, content: bytes, file: Path) -> Target:
    head = data["target"]
    vocabulary = read_vocabulary(data)
    modes = read_modes(data.get("mode", {}), vocabulary)
    rows = read_rows(data["insn"], modes, vocabulary, _row_places(text, "insn", len(data["insn"]), file))
    others = data.get("read", [])
    read_only = read_rows(others, modes, vocabulary, _row_places(text, "read", len(others), file), "read")
    devices = DeviceReader(data["device"], vocabulary, file, head.get("devices"))
    found = devices.devices()
    mapped = _mapped(data.get("mapped", {}), vocabulary)
    default = head.get("default")
    if default is not None and default not in found:
        raise unknown("device", default, found, ("target", "default"))
    target = Target(
        name=head["name"],
        endian=head["endian"],
        address_bits=head["address"],
        align=_align(head.get("align", {})),
        cores=vocabulary.cores,
        dialect=Dialect(**{key.replace("-", "_"): value for key, value in data.get("dialect", {}).items()}),
        registers=vocabulary.registers,
        classes=vocabulary.classes,
        numbers=vocabulary.numbers,
        parts=vocabulary.parts,
        spaces=_spaces(data, vocabulary),
        abi=_abi(data.get("abi", {}), vocabulary),
        devices=found,
        hash=hashlib.sha256(b"\0".join([content, *devices.contents])).hexdigest(),
        status=head.get("status", "experimental"),
        description=head.get("description", ""),
        default_device=default,
        rows=rows,
        read_only=read_only,
        modes=modes,
        constants=vocabulary.constants,
        narrow=head.get("narrow"),
        mapped=mapped,
        aliases=read_aliases(data.get("alias", {}), modes, vocabulary),
        sources=data.get("sources", {}),
        assembler=read_assembler(data.get("assembler"), vocabulary),
        simulator=read_simulator(data.get("simulator"), vocabulary, mapped),
        inline_assembly=read_inline_assembly(data.get("llvm", {}), vocabulary),
    )
    check(target)
    _check_read_only(target)
    return target


def _check_read_only(target: Target) -> None:
    """The checks of rows, of those that are only read; one may be written like a row of the other kind."""
    try:
        check(evolve(target, rows=target.read_only))
    except FormatError as problem:
        problem.path = tuple("read" if key == "insn" else key for key in problem.path)
        raise


def _row_places(text: str, table: str, count: int, file: Path) -> list[Location]:
    lines = [
        i
        for i, line in enumerate(text.split("\n"), 1)
        if "[[" in line and (found := _ROW.match(line)) and found[1] == table
    ]
    if len(lines) == count:
        return [Location(str(file), line) for line in lines]
    known = positions.places(text)  # rows written otherwise: as an inline array, or with comments in the way
    return [Location(str(file), known.of((table, i))[0]) for i in range(count)]


def _align(table: Mapping[str, int]) -> dict[int, int]:
    found = {}
    for width, alignment in table.items():
        path = ("target", "align", width)
        if width not in ("8", "16", "32", "64"):
            raise FormatError(path, f"an access is 8, 16, 32 or 64 bits wide, not {width}", on_key=True)
        if alignment & alignment - 1:
            raise FormatError(path, f"an alignment is a power of two, not {alignment}")
        found[int(width)] = alignment
    return found


def _abi(table: Mapping[str, str], vocabulary: Vocabulary) -> Abi:
    def units(key: str) -> tuple[str, ...]:
        names = vocabulary.names_of_registers(table.get(key, ""), ("abi", key))
        return tuple(dict.fromkeys(unit for name in names for unit in vocabulary.registers[name].parts or [name]))

    scratch, address = units("scratch"), units("address")
    for name in address:
        if name in scratch:
            raise FormatError(("abi", "address"), f"{name!r} is in 'scratch' already")
    stack, status = table.get("stack"), table.get("status")
    return Abi(
        scratch=scratch,
        stack=None if stack is None else vocabulary.resolved(stack, ("abi", "stack")),
        address=address,
        clobbered=units("clobbered"),
        arguments=units("arguments"),
        returned=units("returned"),
        status=None if status is None else vocabulary.expression(status, ("abi", "status")),
    )


def _spaces(data: Mapping[str, Any], vocabulary: Vocabulary) -> dict[int, Space]:
    """The address spaces; without any, space 0 is all of memory."""
    top = (1 << vocabulary.address_bits) - 1
    pointer = data.get("abi", {}).get("pointer")
    found: dict[int, Space] = {}
    for key, item in data.get("space", {}).items():
        path = ("space", key)
        low, high = _within(item, top, path)
        spelled = item.get("pointer")
        place = None if spelled is None else vocabulary.resolved(spelled, (*path, "pointer"))
        for number in key.split():
            if not re.fullmatch(r"[0-9]{1,8}", number) or int(number) in found:
                raise FormatError(path, f"{number!r} is no number of an address space, or here twice", on_key=True)
            found[int(number)] = Space(item["bits"], item.get("add", 0), (low, high), place)
    if found and 0 not in found:
        raise FormatError(("space",), "address space 0 is missing")
    if not found:
        place = None if pointer is None else vocabulary.resolved(pointer, ("abi", "pointer"))
        found[0] = Space(vocabulary.address_bits, 0, (0, top), place)
    elif pointer is not None:
        raise FormatError(("abi", "pointer"), "each address space has its own 'pointer' in [space]", on_key=True)
    return found


def _within(item: Mapping[str, Any], top: int, path: positions.Path) -> tuple[int, int]:
    if "within" not in item:
        return 0, top
    with at((*path, "within")):
        runs = integers(item["within"])
    if len(runs) != 1 or runs[0][0] < 0 or runs[0][1] > top:
        raise FormatError((*path, "within"), f"expected one range inside the address space 0..{top:#x}")
    return runs[0]


def _mapped(table: Mapping[str, str], vocabulary: Vocabulary) -> dict[str, tuple[int, int]]:
    found = {}
    for name, spelled in table.items():
        path = ("mapped", name)
        vocabulary.names_of_registers(name, path)
        place = _MAPPED.fullmatch(spelled)
        if place is None or integer(place[1]) >> vocabulary.address_bits:
            raise FormatError(path, 'expected an address and, for a flag, its bit, as in "0xffffa.6"')
        found[name] = (integer(place[1]), int(place[2] or 0))
    return found

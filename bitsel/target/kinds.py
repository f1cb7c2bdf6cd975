"""The kinds of values of the fact format.

Each checks a value, gives its JSON Schema, and says what it is::

    Integer(0, 64).check(65, ("insn", 1, "bytes"))
    FormatError: 'bytes' of [[insn]] 2 must be an integer from 0 to 64, not 65
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

from attrs import field, frozen

from bitsel.errors import did_you_mean
from bitsel.target.positions import Path


class FormatError(Exception):
    """Something wrong with the value at `path` of a TOML text.

    `offset`: that far into the value, a string; None: the value as a whole. `on_key`: its key is at fault.
    """

    def __init__(
        self, path: Path, message: str, *, hint: str | None = None, offset: int | None = None, on_key: bool = False
    ) -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.hint = hint
        self.offset = offset
        self.on_key = on_key


class Kind(Protocol):
    """A type of the format: `check` raises `FormatError`, `schema` is its JSON Schema, `doc` a few words on it."""

    @property
    def doc(self) -> str: ...
    def check(self, value: object, path: Path) -> None: ...
    def schema(self) -> dict[str, Any]: ...


def _wrong(value: object, path: Path, expected: str) -> FormatError:
    return FormatError(path, f"{named(path)} must be {expected}, not {spelled(value)}")


def named(path: Path) -> str:
    """A path as messages write it: ``mode.mem.hl.bytes``, ``'cycles' of [[insn]] 3``."""
    if path and path[0] in ("insn", "read") and len(path) > 2:
        rest = ".".join(map(str, path[2:]))
        return f"'{rest}' of [[{path[0]}]] {int(path[1]) + 1}"
    return repr(".".join(map(str, path)))


def spelled(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "a table"
        case list():
            return "an array"
        case str():
            return f'"{value}"' if len(value) < 40 else "a string"
        case _:
            return str(value)


@frozen
class String:
    doc: str = "a string"
    pattern: str | None = None

    def check(self, value: object, path: Path) -> None:
        if not isinstance(value, str):
            raise _wrong(value, path, self.doc)
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise _wrong(value, path, self.doc)

    def schema(self) -> dict[str, Any]:
        return {"type": "string"} | ({"pattern": f"^(?:{self.pattern})$"} if self.pattern else {})


@frozen
class Integer:
    low: int
    high: int
    doc: str = field()

    @doc.default
    def _range(self) -> str:
        return f"an integer from {self.low} to {self.high}"

    def check(self, value: object, path: Path) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not self.low <= value <= self.high:
            raise _wrong(value, path, self.doc)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@frozen
class Boolean:
    doc: str = "true or false"

    def check(self, value: object, path: Path) -> None:
        if not isinstance(value, bool):
            raise _wrong(value, path, self.doc)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@frozen
class Choice:
    values: tuple[str, ...]

    @property
    def doc(self) -> str:
        return " or ".join(f'"{value}"' for value in self.values)

    def check(self, value: object, path: Path) -> None:
        if value not in self.values:
            problem = _wrong(value, path, self.doc)
            problem.hint = did_you_mean(value, self.values) if isinstance(value, str) else None
            raise problem

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.values)}


@frozen
class Array:
    items: Kind
    doc: str = field()

    @doc.default
    def _of_items(self) -> str:
        return f"an array, each {self.items.doc}"

    def check(self, value: object, path: Path) -> None:
        if not isinstance(value, list):
            raise _wrong(value, path, self.doc)
        for i, item in enumerate(value):
            self.items.check(item, (*path, i))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.items.schema()}


@frozen
class Either:
    """One of several kinds that differ in their TOML type."""

    kinds: tuple[Kind, ...]

    @property
    def doc(self) -> str:
        return ", or ".join(kind.doc for kind in self.kinds)

    def check(self, value: object, path: Path) -> None:
        for kind in self.kinds:
            if isinstance(value, _TOML_TYPE[type(kind)]):
                return kind.check(value, path)
        raise _wrong(value, path, self.doc)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [kind.schema() for kind in self.kinds]}


@frozen
class Names:
    """A table with names of the author's choosing as keys."""

    item: Kind
    doc: str = "a table"

    def check(self, value: object, path: Path) -> None:
        if not isinstance(value, dict):
            raise _wrong(value, path, self.doc)
        for key, item in value.items():
            self.item.check(item, (*path, key))

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.item.schema()}


@frozen
class Key:
    """One key: its kind, what it says, an example; `required` where the table is nothing without it."""

    kind: Kind
    says: str
    example: str = ""
    required: bool = False


@frozen
class Table:
    """A table with fixed keys. `title` is how messages and the reference name it (``[[insn]]``)."""

    title: str
    keys: Mapping[str, Key]
    doc: str = "a table"

    def check(self, value: object, path: Path) -> None:
        if not isinstance(value, dict):
            raise _wrong(value, path, self.doc)
        for key in value:
            if key not in self.keys:
                hint = did_you_mean(key, self.keys) or f"known: {', '.join(self.keys)}"
                raise FormatError((*path, key), f"unknown key {key!r} in {self.title}", hint=hint, on_key=True)
        for key, spec in self.keys.items():
            if key in value:
                spec.kind.check(value[key], (*path, key))
            elif spec.required:
                raise FormatError(path, f"{self.title} has no {key!r}", on_key=True)

    def schema(self) -> dict[str, Any]:
        properties = {key: spec.kind.schema() | {"description": spec.says} for key, spec in self.keys.items()}
        required = [key for key, spec in self.keys.items() if spec.required]
        return {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        } | ({"required": required} if required else {})


_TOML_TYPE: dict[type, type] = {
    String: str,
    Integer: int,
    Boolean: bool,
    Choice: str,
    Array: list,
    Names: dict,
    Table: dict,
}

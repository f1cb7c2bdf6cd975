"""As much of ELF as it takes to see what an assembler made of each line: the bytes of ``.text`` and its labels."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from attrs import frozen

from bitsel.errors import ToolError

_SYMTAB = 2


@frozen
class _Section:
    name: str
    kind: int
    link: int
    content: bytes


@frozen
class Object:
    """A relocatable object for a little-endian machine of at most 32 bits."""

    text: bytes
    labels: dict[str, int]

    @classmethod
    def of(cls, content: bytes) -> Object:
        """The section ``.text`` of an ELF file, and where in it the labels are. Raises ToolError."""
        try:
            sections = list(_sections(content))
            number = next(i for i, section in enumerate(sections) if section.name == ".text")
            return cls(sections[number].content, dict(_labels(sections, number)))
        except (struct.error, IndexError, StopIteration, ValueError) as error:
            raise ToolError("the assembler's output is no ELF object that can be read here") from error


def _sections(content: bytes) -> Iterator[_Section]:
    if content[:6] != b"\x7fELF\x01\x01":
        raise ValueError("not a little-endian ELF file of 32 bits")
    (start,) = struct.unpack_from("<I", content, 32)
    size, count, names = struct.unpack_from("<HHH", content, 46)
    headers = [struct.unpack_from("<IIIIIII", content, start + size * i) for i in range(count)]
    texts = content[headers[names][4] : headers[names][4] + headers[names][5]]
    for name, kind, _, _, offset, length, link in headers:
        yield _Section(_string(texts, name), kind, link, content[offset : offset + length])


def _labels(sections: list[_Section], number: int) -> Iterator[tuple[str, int]]:
    """The symbols that are defined in the section of that number."""
    for table in sections:
        if table.kind == _SYMTAB:
            for name, value, _, _, _, section in struct.iter_unpack("<IIIBBH", table.content):
                if section == number:
                    yield _string(sections[table.link].content, name), value


def _string(table: bytes, offset: int) -> str:
    return table[offset : table.index(b"\0", offset)].decode(errors="replace")

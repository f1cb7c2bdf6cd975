"""What is given to be read: where it is, which language it is in, and the updates found in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Union

from attrs import evolve

from bitsel.errors import InputError, Location
from bitsel.ir import DataLayout, Function
from bitsel.match import Site, match
from bitsel.mirror import Mirror

if TYPE_CHECKING:
    from bitsel.frontends.llvm import Module

Source = Union[str, bytes, PathLike[str]]
"""A path, text or data: a string without a line break is a path, one with a line break is text."""

ASSEMBLY_SUFFIXES = (".s", ".S", ".asm")
_LLVM_IR = re.compile(rb"^(?:define |declare |target |source_filename|; ModuleID|[@%!$][\w.\"-]+ ?=)", re.MULTILINE)
_DIRECTIVE = re.compile(rb"^[ \t]*\.(?:text|section|file|globl|global|set|data|type)\b", re.MULTILINE)
_LOOKED_AT = 1 << 16  # bytes of an input without a telling name


def assembly_text(source: Source, path: str) -> str | None:
    """The text of an input that is assembly: it is named so, or has directives and nothing of LLVM IR; None for any
    other. Raises InputError where it cannot be read, or is not text."""
    named = path.endswith(ASSEMBLY_SUFFIXES)
    if isinstance(source, (str, bytes)) and (isinstance(source, bytes) or _is_text(source)):
        content = source if isinstance(source, bytes) else source.encode("utf-8", "surrogateescape")
        start = content[:_LOOKED_AT]
        if not named and (_LLVM_IR.search(start) or not _DIRECTIVE.search(start)):
            return None
    elif named:
        content = content_of(source)
    else:
        return None
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise InputError("not text: a null character", Location(path, line))
    return content.decode("utf-8", "surrogateescape")


def open_module(source: Source, path: str, default: DataLayout) -> Module:
    """The module that `source` is; `path` is what errors call it, `default` its layout if it states none.

    Raises InputError or MissingExtra.
    """
    from bitsel.frontends import llvm

    if isinstance(source, str) and _is_text(source):
        return llvm.read(source, path, default)
    return llvm.read_bytes(source if isinstance(source, bytes) else content_of(source), path, default)


def _is_text(source: str) -> bool:
    return "\n" in source


def name_of(source: Source) -> str:
    """What reports call an input that was given no name."""
    if isinstance(source, bytes):
        return "<data>"
    return "<text>" if isinstance(source, str) and _is_text(source) else fspath(source)


def content_of(source: str | PathLike[str]) -> bytes:
    """What a file holds; InputError where it cannot be read."""
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be read: {reason}", Location(fspath(source))) from error


def sites_of(function: Function, module: Module, mirrors: tuple[Mirror, ...]) -> Iterator[Site]:
    """The sites of a function, the reasons with the source line of the node at fault, where the module knows it;
    `mirrors` as in `match`."""
    for site in match(function, mirrors):
        at = site.reason.at if site.reason is not None else None
        where = module.debug_location(at) if at is not None else None
        if where is not None:
            assert site.reason is not None
            reason = evolve(site.reason, detail=f"{site.reason.detail} ({where[0]}:{where[1]})")
            site = evolve(site, reason=reason)
        yield site

"""The programs that meet a target's code: reading ``[assembler]``, ``[simulator]`` and ``[llvm]``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bitsel.target import words
from bitsel.target.facts import Assembler, InlineAssembly, KnownError, Ranges, Simulator
from bitsel.target.kinds import FormatError
from bitsel.target.positions import Path
from bitsel.target.vocabulary import Vocabulary, at, unknown


def read_assembler(item: Mapping[str, Any] | None, vocabulary: Vocabulary) -> Assembler | None:
    if item is None:
        return None
    options = _by_core(item.get("options", ""), vocabulary, ("assembler", "options"))
    return Assembler(item["tool"], options, _known_errors(item, "assembler"))


def read_inline_assembly(item: Mapping[str, Any], vocabulary: Vocabulary) -> InlineAssembly:
    numbers, clobbers = {}, {}
    for names, constraint in item.get("numbers", {}).items():
        for name in names.split():
            if name not in vocabulary.numbers:
                raise unknown("number", name, vocabulary.numbers, ("llvm", "numbers", names), on_key=True)
            numbers[name] = constraint
    for names, register in item.get("clobbers", {}).items():
        for name in vocabulary.names_of_registers(names, ("llvm", "clobbers", names)):
            clobbers[name] = register
    return InlineAssembly(numbers, item.get("symbol", "i"), item.get("pointer"), clobbers)


def _known_errors(item: Mapping[str, Any], tool: str) -> tuple[KnownError, ...]:
    found = []
    for i, error in enumerate(item.get("known-error", ())):
        operands = {}
        for name, text in error.get("operands", {}).items():
            with at((tool, "known-error", i, "operands", name)):
                operands[name] = Ranges(tuple((low, high, 1) for low, high in words.integers(text)))
        found.append(KnownError(tuple(error["rows"]), error["source"], error.get("clocks", 0), operands))
    return tuple(found)


def _by_core(value: str | Mapping[str, str], vocabulary: Vocabulary, path: Path) -> dict[str, tuple[str, ...]]:
    """Arguments of a program: the same for every core, or those of some cores."""
    if isinstance(value, str):
        return dict.fromkeys(vocabulary.cores, tuple(value.split()))
    for core in value:
        if core not in vocabulary.cores:
            raise unknown("core", core, vocabulary.cores, (*path, core), on_key=True)
    return {core: tuple(text.split()) for core, text in value.items()}


def read_simulator(
    item: Mapping[str, Any] | None, vocabulary: Vocabulary, mapped: Collection[str]
) -> Simulator | None:
    """The simulator, each register of the target with its place in it."""
    if item is None:
        return None
    places = _places(item.get("registers", {}), vocabulary)
    for name, register in vocabulary.registers.items():
        if register.value is None and not register.parts and name not in mapped and name not in places:
            raise FormatError(
                ("simulator",),
                f"nothing says where the simulator has the register {name!r}",
                hint="give its number in [simulator.registers]",
                on_key=True,
            )
    with at(("simulator", "memory")):
        memory = Ranges(tuple((low, high, 1) for low, high in words.integers(item["memory"])))
    return Simulator(
        tool=item["tool"],
        arguments=_by_core(item.get("arguments", ""), vocabulary, ("simulator", "arguments")),
        registers=places,
        pc=item["pc"],
        code=item["code"],
        memory=memory,
        clocks=_cores(item.get("clocks", vocabulary.cores), vocabulary),
        offset=item.get("offset"),
        states=item.get("states", 32),
        known_errors=_known_errors(item, "simulator"),
    )


def _cores(names: Sequence[str], vocabulary: Vocabulary) -> frozenset[str]:
    for i, name in enumerate(names):
        if name not in vocabulary.cores:
            raise unknown("core", name, vocabulary.cores, ("simulator", "clocks", i))
    return frozenset(names)


def _places(table: Mapping[str, int | str], vocabulary: Vocabulary) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for key, value in table.items():
        path = ("simulator", "registers", key)
        names = vocabulary.names_of_registers(key, path)
        for i, name in enumerate(names):
            if vocabulary.registers[name].parts:
                raise FormatError(path, f"{name!r} is itself made of registers", on_key=True)
            if name in found:
                raise FormatError(path, f"the register {name!r} is here twice", on_key=True)
            if isinstance(value, int):
                found[name] = (value + i, 0)
            elif len(names) == 1:
                number, _, bit = value.partition(".")
                found[name] = (int(number), int(bit))
            else:
                raise FormatError(path, "several registers cannot be at one bit")
    return found

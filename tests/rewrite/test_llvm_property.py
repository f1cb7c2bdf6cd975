"""Any update, rewritten: the same memory afterwards, a valid module, done once and for all, and only where asked.

The old and the new body are run by a small interpreter of their own kind of text. It knows nothing of bitsel.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from attrs import define, frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitsel.rewrite.options import Options, Sites

MSP430 = "msp430:msp430g2553"
SIZE = 16  # bytes of the object that is updated
SETTINGS = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@frozen
class Update:
    """One update as a compiler might print it."""

    width: int
    offset: int
    kind: str  # symbol, pointer, element
    volatile: bool
    steps: tuple[tuple[str, int], ...]
    promoted: bool
    between: bool
    debug: bool

    def lines(self, name: Any) -> list[str]:
        """`name(i)` is the name of the i-th value."""
        volatile = "volatile " if self.volatile else ""
        number = iter(range(100))
        lines, pointer = self._pointer(lambda: name(next(number)))
        held, type_ = name(next(number)), f"i{self.width}"
        lines.append(f"{held} = load {volatile}{type_}, {pointer}, align {self.align}")
        if self.between:
            lines.append("store i8 1, ptr @other, align 1")
        wide = f"i{2 * self.width}" if self.promoted else type_
        if self.promoted:
            old, held = held, name(next(number))
            lines.append(f"{held} = zext {type_} {old} to {wide}")
        for op, mask in self.steps:
            old, held = held, name(next(number))
            lines.append(f"{held} = {op} {wide} {old}, {mask}")
        if self.debug:
            lines.append(f"call void @llvm.dbg.value(metadata {wide} {held}, metadata !1, metadata !2)")
        if self.promoted:
            old, held = held, name(next(number))
            lines.append(f"{held} = trunc {wide} {old} to {type_}")
        return [*lines, f"store {volatile}{type_} {held}, {pointer}, align {self.align}"]

    @property
    def align(self) -> int:
        return 2 if self.width > 8 else 1

    def _pointer(self, name: Any) -> tuple[list[str], str]:
        if self.kind == "symbol":
            return [], f"ptr getelementptr (i8, ptr @object, i16 {self.offset})"
        base = "%p" if self.kind == "pointer" else "@object"
        index = str(self.offset) if self.kind == "pointer" else "%i"
        new = name()
        return [f"{new} = getelementptr i8, ptr {base}, i16 {index}"], f"ptr {new}"


OPS = ("and", "or", "xor")


@st.composite
def updates(draw: Any) -> Update:
    width = draw(st.sampled_from((8, 16, 32)))
    # One bit, or two of a byte: what there is to choose from is not the matter here, and takes its time.
    mask = draw(st.sampled_from((1, 8, 128, 3) if width == 8 else (1, 8, 128))) << draw(
        st.sampled_from(range(0, width, 8))
    )
    ones = (1 << width) - 1
    steps = {"or": [("or", mask)], "xor": [("xor", mask)], "and": [("and", ones ^ mask)]}[
        draw(st.sampled_from(OPS))
    ]
    if draw(st.booleans()):  # the same in two steps
        steps = [*steps, *steps]
    return Update(
        width=width,
        offset=2 * draw(st.integers(0, 4)),
        kind=draw(st.sampled_from(("symbol", "pointer", "element") if width < 32 else ("symbol",))),
        volatile=draw(st.booleans()) and width < 32,
        steps=tuple(steps),
        promoted=draw(st.booleans()) and width < 32,
        between=draw(st.booleans()),
        debug=draw(st.booleans()),
    )


def module(layout: str, update: Update, numbered: bool) -> str:
    names = (lambda i: f"%{i + 1}") if numbered else (lambda i: f"%v{i}")
    label = "0:\n" if numbered else "entry:\n"
    body = "".join(f"  {line}\n" for line in update.lines(names))
    return (
        f"{layout}@object = global [{SIZE} x i8] zeroinitializer, align 4\n@other = global i8 0\n"
        f"define void @f(ptr %p, i16 %i) {{\n{label}{body}  ret void\n}}\n"
        "declare void @llvm.dbg.value(metadata, metadata, metadata)\n!1 = !{}\n!2 = !{}\n"
    )


# -- running it ----------------------------------------------------------------------------------------------------

LOAD = re.compile(r"(%\S+) = load (?:volatile )?i(\d+), (.+), align \d+")
STORE = re.compile(r"store (?:volatile )?i(\d+) (\S+), (.+), align \d+")
LOGIC = re.compile(r"(%\S+) = (and|or|xor) i(\d+) (\S+), (-?\d+)")
CAST = re.compile(r"(%\S+) = (?:zext|trunc) i\d+ (\S+) to i(\d+)")
GEP = re.compile(r"(%\S+) = getelementptr i8, (ptr .+), i16 (\S+)")
CONSTANT_GEP = re.compile(r"ptr getelementptr \(i8, ptr (@\w+), i16 (\d+)\)")
ASM = re.compile(r'call void asm sideeffect "([^"]+)", "([^"]+)"\((.*)\)')
ASM_ARGUMENT = re.compile(r"ptr (?:elementtype\([^)]*\) )?([%@]\w+)")
MSP430_UPDATE = re.compile(r"(bis|bic|xor|and)(\.b)? #(-?\d+), (?:&(\$0)([+]\d+)?|(\d+)\(\$0\))")


@define
class Machine:
    """Memory, and the values so far; the object is at address 0, the other behind it."""

    memory: bytearray
    values: dict[str, int]

    def run(self, text: str) -> None:
        body = text[text.index(" {\n") + 3 : text.index("\n}\n")]
        for line in body.split("\n")[1:]:
            self.step(line.strip())

    def step(self, line: str) -> None:
        if match := LOAD.fullmatch(line):
            at, size = self.address(match[3]), int(match[2]) // 8
            self.values[match[1]] = int.from_bytes(self.memory[at : at + size], "little")
        elif match := STORE.fullmatch(line):
            value = int(match[2]) if match[2].isdecimal() else self.values[match[2]]
            self.put(self.address(match[3]), int(match[1]) // 8, value)
        elif match := LOGIC.fullmatch(line):
            old, mask = self.values[match[4]], int(match[5])
            new = {"and": old & mask, "or": old | mask, "xor": old ^ mask}[match[2]]
            self.values[match[1]] = new & (1 << int(match[3])) - 1
        elif match := CAST.fullmatch(line):
            self.values[match[1]] = self.values[match[2]] & (1 << int(match[3])) - 1
        elif match := GEP.fullmatch(line):
            index = int(match[3]) if match[3].isdecimal() else self.values[match[3]]
            self.values[match[1]] = self.address(match[2]) + index
        elif match := ASM.fullmatch(line):
            self.assembly(match[1], ASM_ARGUMENT.findall(match[3]))
        else:
            assert line in ("ret void", "") or " undef " in line or "llvm.dbg" in line, line

    def address(self, text: str) -> int:
        if match := CONSTANT_GEP.fullmatch(text):
            return self.address(f"ptr {match[1]}") + int(match[2])
        return {"ptr @object": 0, "ptr @other": SIZE}.get(text) or self.values.get(text.removeprefix("ptr "), 0)

    def assembly(self, text: str, pointers: list[str]) -> None:
        for line in text.split("\\0A"):
            match = MSP430_UPDATE.fullmatch(line)
            assert match, line
            op, byte, mask, _, behind, displacement = match.groups()
            at = self.address(f"ptr {pointers[0]}") + int(behind or displacement or 0)
            size = 1 if byte else 2
            assert at % size == 0
            old = int.from_bytes(self.memory[at : at + size], "little")
            value = int(mask)
            self.put(
                at, size, {"bis": old | value, "bic": old & ~value, "xor": old ^ value, "and": old & value}[op]
            )

    def put(self, at: int, size: int, value: int) -> None:
        self.memory[at : at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")


def after(text: str, memory: bytes, update: Update) -> bytes:
    machine = Machine(bytearray(memory), {"%p": 0, "%i": update.offset})
    machine.run(text)
    return bytes(machine.memory)


# -- what holds ----------------------------------------------------------------------------------------------------


@SETTINGS
@given(updates(), st.booleans(), st.binary(min_size=SIZE + 1, max_size=SIZE + 1))
def test_memory_is_the_same(rewrite: Any, layout: Any, update: Update, numbered: bool, memory: bytes) -> None:
    text = module(layout(MSP430), update, numbered)
    new = rewrite(text).text
    assert after(new, memory, update) == after(text, memory, update)
    numbers = [int(number) for number in re.findall(r"^  %(\d+) = ", new, re.MULTILINE)]
    assert numbers == list(range(1, 1 + len(numbers)))


@SETTINGS
@given(updates(), st.booleans())
def test_a_volatile_update_keeps_its_accesses(rewrite: Any, layout: Any, update: Update, numbered: bool) -> None:
    """One load and one store of the same width, or one instruction."""
    text = module(layout(MSP430), update, numbered)
    new = rewrite(text).text
    if update.volatile:
        loads, stores = re.findall(r"load volatile i(\d+)", new), re.findall(r"store volatile i(\d+)", new)
        made = re.findall(r'asm sideeffect "(?:bis|bic|xor|and)(\.b)? [^\\"]*"', new)
        if made:
            assert made == [".b" if update.width == 8 else ""]
            assert not loads
            assert not stores
        else:
            assert loads == stores == [str(update.width)]


@SETTINGS
@given(updates(), st.booleans())
def test_rewriting_again_changes_nothing(rewrite: Any, layout: Any, update: Update, numbered: bool) -> None:
    once = rewrite(module(layout(MSP430), update, numbered)).text
    assert rewrite(once).text == once


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(updates(), min_size=1, max_size=4), st.booleans())
def test_llvm_takes_it(rewrite: Any, layout: Any, several: list[Update], numbered: bool) -> None:
    llvm = pytest.importorskip("llvmlite.binding", reason="no llvmlite: pip install 'bitsel[llvm]'")
    parts = [module(layout(MSP430), update, numbered) for update in several]
    functions = "".join(
        part[part.index("define") : part.index("declare")].replace("@f(", f"@f{i}(") for i, part in enumerate(parts)
    )
    text = parts[0][: parts[0].index("define")] + functions + parts[0][parts[0].index("declare") :]
    new = rewrite(text).text
    # The records here are no real ones: that what they name is there, in its type, is looked at in a call.
    new = re.sub(r"call void @llvm.dbg.value\(metadata (i\d+ \S+), .*\)", r"call void (...) @use(\1)", new)
    llvm.parse_assembly(
        new.replace("declare void @llvm.dbg.value(metadata, metadata, metadata)", "declare void @use(...)")
    )


EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ll"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_of_the_examples_only_what_is_asked_changes(rewrite: Any, path: Path, data: Any) -> None:
    text = path.read_text()
    rl78 = "rl78:r7f100g"
    assert rewrite(text, rl78, Options(sites=Sites(but=("*",)))).text == text
    ids = [site.report.id for site in rewrite(text, rl78).sites]
    chosen = data.draw(st.lists(st.sampled_from(ids), unique=True, min_size=1))
    done = rewrite(text, rl78, Options(sites=Sites(only=tuple(chosen))))
    assert {site.report.id for site in done.sites if site.rewritten} <= set(chosen)
    # What is left of both texts without the sites' own lines is the same.
    gone = {line for site in done.sites for line in site.before}
    new = {line for site in done.sites for line in site.after}
    rest = [line for line in text.split("\n") if line.strip() not in gone]
    assert [line for line in done.text.split("\n") if line.strip() not in new | gone] == rest
    assert rewrite(done.text, rl78, Options(sites=Sites(but=("*",)))).text == done.text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_are_rewritten_once_and_for_all(rewrite: Any, path: Path) -> None:
    once = rewrite(path.read_text(), "rl78:r7f100g")
    assert sum(site.rewritten for site in once.sites) == (26 if "g23" in path.name else 6)
    again = rewrite(once.text, "rl78:r7f100g")
    assert again.text == once.text
    assert not any(site.rewritten for site in again.sites)

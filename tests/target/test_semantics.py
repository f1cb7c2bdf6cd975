"""Running `does`: order, places, simultaneous assignment, on plain integers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest
from attrs import define, field

from bitsel.target import does
from bitsel.target.expr import Assign, Expr, Mem, Num, rewrite_statement
from bitsel.target.facts import Part
from bitsel.target.semantics import IntDomain, evaluate, execute, part_of


@define
class Machine:
    """Registers of 8 bits, bytes of memory, and every access in order."""

    registers: dict[str, int]
    memory: dict[int, int] = field(factory=dict)
    log: list[tuple[str, int, int]] = field(factory=list)

    def read(self, name: str) -> int:
        return self.registers[name]

    def write(self, name: str, value: int) -> None:
        self.registers[name] = value & 255

    def load(self, width: int, address: int) -> int:
        self.log.append(("load", width, address))
        return sum(self.memory[address + i] << 8 * i for i in range(width // 8))

    def store(self, width: int, address: int, value: int) -> None:
        self.log.append(("store", width, address))
        assert 0 <= value < 1 << width
        self.memory.update({address + i: value >> 8 * i & 255 for i in range(width // 8)})


def run(text: str, registers: Mapping[str, int], memory: Mapping[int, int] | None = None) -> Machine:
    """Run a text in which ``m`` is 8 bits wide."""
    machine = Machine(dict(registers), dict(memory or {}))

    def as_bytes(item: Expr) -> Expr | None:
        return Mem(8, item.address) if isinstance(item, Mem) and item.width is None else None

    statements = (cast(Assign, statement) for statement in does.statements(text))
    execute(tuple(rewrite_statement(one, as_bytes) for one in statements), machine, IntDomain())
    return machine


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a = b", {"a": 0x0F, "b": 0x0F}),
        ("a |= b", {"a": 0xFF, "b": 0x0F}),
        ("a &= ~b", {"a": 0xF0, "b": 0x0F}),
        ("a ^= 0xFF", {"a": 0x0F, "b": 0x0F}),
        ("a, b = b, a", {"a": 0x0F, "b": 0xF0}),
        ("a = b; b = a", {"a": 0x0F, "b": 0x0F}),
        ("a <<= 1", {"a": 0xE0, "b": 0x0F}),
        ("a = -b", {"a": 0xF1, "b": 0x0F}),
        ("a = b - a", {"a": 0x1F, "b": 0x0F}),
        ("a = a + b >> 4", {"a": 0x0F, "b": 0x0F}),
        ("a = a == 0xF0", {"a": 1, "b": 0x0F}),
        ("a = a != 0xF0", {"a": 0, "b": 0x0F}),
        ("a = sext(b, 4) >> 1", {"a": 0xFF, "b": 0x0F}),
        ("a = sext(b, 5) >> 1", {"a": 0x07, "b": 0x0F}),
        ("a = any", {"a": 0, "b": 0x0F}),
    ],
)
def test_registers(text: str, after: dict[str, int]) -> None:
    assert run(text, {"a": 0xF0, "b": 0x0F}).registers == after


def test_an_update_is_one_read_and_one_write() -> None:
    machine = run("m[p] |= 1 << b", {"p": 16, "b": 3}, {16: 0x80})
    assert machine.memory == {16: 0x88}
    assert machine.log == [("load", 8, 16), ("store", 8, 16)]


def test_all_mentions_of_a_place_are_one_read_and_one_write() -> None:
    machine = run("m[p] = m[p] & ~(1 << b) | a << b; z = m[p] >> b", {"p": 16, "b": 3, "a": 1, "z": 0}, {16: 0x80})
    assert machine.memory == {16: 0x88}
    assert machine.registers["z"] == 0x11
    assert machine.log == [("load", 8, 16), ("store", 8, 16)]


def test_a_place_that_is_only_written_is_not_read() -> None:
    assert run("m[p] = a", {"p": 16, "a": 5}).log == [("store", 8, 16)]


def test_a_place_that_is_written_first_is_not_read_later() -> None:
    machine = run("m[p] = a; z = m[p] >> 1", {"p": 16, "a": 5, "z": 0})
    assert machine.log == [("store", 8, 16)]
    assert machine.registers["z"] == 2


def test_an_exchange_takes_the_old_values_of_both() -> None:
    machine = run("a, m[p] = m[p], a", {"p": 16, "a": 5}, {16: 7})
    assert (machine.registers["a"], machine.memory[16]) == (7, 5)
    assert machine.log == [("load", 8, 16), ("store", 8, 16)]


def test_two_places_are_two_accesses() -> None:
    machine = run("m[p] = m[q]", {"p": 16, "q": 17}, {17: 9})
    assert machine.memory == {16: 9, 17: 9}
    assert machine.log == [("load", 8, 17), ("store", 8, 16)]


def test_a_wide_place_is_one_access() -> None:
    machine = run("m16[p] ^= 0x8001", {"p": 16}, {16: 0x34, 17: 0x12})
    assert machine.memory == {16: 0x35, 17: 0x92}
    assert machine.log == [("load", 16, 16), ("store", 16, 16)]


def test_what_is_stored_keeps_its_low_bits() -> None:
    assert run("m[p] = ~a", {"p": 16, "a": 0}).memory == {16: 0xFF}
    assert run("m[p] = a + a", {"p": 16, "a": 0x81}).memory == {16: 0x02}


def test_a_value_read_back_from_a_place_has_its_low_bits_only() -> None:
    assert run("m[p] = a + a; a = m[p] >> 4", {"p": 16, "a": 0xC8}).registers["a"] == 0x09


def test_the_address_is_that_of_the_first_mention() -> None:
    """A row that steps its pointer, after its access or before."""
    after = run("a = m[p]; p += 1", {"p": 16, "a": 0}, {16: 9})
    before = run("p -= 1; a = m[p]", {"p": 17, "a": 0}, {16: 9})
    assert (after.registers, after.log) == ({"p": 17, "a": 9}, [("load", 8, 16)])
    assert (before.registers, before.log) == ({"p": 16, "a": 9}, [("load", 8, 16)])


def test_a_write_back_goes_where_the_read_was() -> None:
    machine = run("m[p] |= 1; p += 1", {"p": 16}, {16: 8})
    assert machine.memory == {16: 9}
    assert machine.registers == {"p": 17}


def test_an_expression_has_names_and_no_memory() -> None:
    values = {"near": 0xF0000, "hl": 0x1234}
    assert evaluate(does.expression("near + hl + 2"), values.__getitem__, IntDomain()) == 0xF1236
    with pytest.raises(TypeError, match="may not read memory"):
        evaluate(Mem(8, Num(0)), values.__getitem__, IntDomain())


def test_an_unknown_operator_is_an_error_in_the_program() -> None:
    with pytest.raises(ValueError, match=r"unknown operator '\*'"):
        IntDomain().binary("*", 2, 3)


@pytest.mark.parametrize(
    ("is_", "value"),
    [("A", 0x12345), ("A & 0xffff", 0x2345), ("A >> 16", 1), ("A - 0x20", 0x12325), ("(A >> 8) & 0xff", 0x23)],
)
def test_a_part_of_an_address(is_: str, value: int) -> None:
    assert part_of(Part("part", does.expression(is_), "{}"), 0x12345) == value


@pytest.mark.parametrize(
    ("bits", "value", "extended"), [(1, 1, -1), (8, 0x80, -128), (8, 0x17F, 127), (16, 0x8000, -32768)]
)
def test_sign_extension_looks_at_the_low_bits(bits: int, value: int, extended: int) -> None:
    assert IntDomain().sext(value, bits) == extended

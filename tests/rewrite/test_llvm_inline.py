"""Forms that a back end does not make by itself: inline assembly that says what it touches."""

from __future__ import annotations

from typing import Any

import pytest

from bitsel.rewrite.result import ALREADY

RL78, MSP430, AVR = "rl78:r7f100g", "msp430:msp430g2553", "avr:atmega328p"


def update(
    pointer: str = "ptr @flags", op: str = "and i8 %v, -9", volatile: str = "volatile ", width: int = 8
) -> str:
    return (
        f"  %v = load {volatile}i{width}, {pointer}, align 1\n"
        f"  %o = {op}\n"
        f"  store {volatile}i{width} %o, {pointer}, align 1, !dbg !5, !tbaa !6\n"
    )


def test_a_symbol_on_msp430_is_a_memory_operand_read_and_written(body: Any) -> None:
    assert body(update()) == (
        '  call void asm sideeffect "bic.b #8, &$0", "=*m,*m"'
        "(ptr elementtype(i8) @flags, ptr elementtype(i8) @flags), !dbg !5\n"
    )


def test_an_offset_is_behind_the_symbol_and_the_operand_reaches_as_far(body: Any) -> None:
    """llc 19 prints the memory at @w+1 as (1+w), which its own assembler drops, with the instruction."""
    assert body(update("ptr @w", "and i16 %v, -4097", "", 16)) == (
        '  call void asm sideeffect "bic.b #16, &$0+1", "=*m,*m"'
        "(ptr elementtype([2 x i8]) @w, ptr elementtype([2 x i8]) @w), !dbg !5\n"
    )


def test_a_constant_address_is_in_the_text_and_all_memory_is_touched(body: Any) -> None:
    assert body(update("ptr inttoptr (i16 33 to ptr)")) == (
        '  call void asm sideeffect "bic.b #8, &0x21", "~{memory}"(), !dbg !5\n'
    )


def test_a_pointer_on_msp430_is_in_any_register(body: Any) -> None:
    assert (
        body(update("ptr %p")) == '  call void asm sideeffect "bic.b #8, 0($0)", "r,~{memory}"(ptr %p), !dbg !5\n'
    )


def test_the_displacement_of_a_pointer_stays_one(body: Any) -> None:
    assert body("  %q = getelementptr i8, ptr %p, i16 5\n" + update("ptr %q")) == (
        "  %q = getelementptr i8, ptr %p, i16 5\n"
        '  call void asm sideeffect "bic.b #8, 5($0)", "r,~{memory}"(ptr %p), !dbg !5\n'
    )


def test_several_instructions_have_the_pointer_in_one_register(body: Any) -> None:
    assert body(update("ptr %p", "and i32 %v, -65538", "", 32)) == (
        '  call void asm sideeffect "bic.b #1, 0($0)\\0Abic.b #1, 2($0)", "r,~{memory}"(ptr %p), !dbg !5\n'
    )


def test_registers_that_the_sequence_loads_are_clobbered(body: Any) -> None:
    """LAS takes its address in Z, and a register; 0x2100 is memory of the device."""
    text = update("ptr inttoptr (i16 8448 to ptr)", "or i8 %v, 8")
    assert body(text, "avr:atxmega128a1u") == (
        '  call addrspace(0) void asm sideeffect "ldi r18, 8\\0Aldi r30, 0x00\\0Aldi r31, 0x21\\0Alas Z, r18",'
        ' "~{r18},~{r30},~{r31},~{memory}"(), !dbg !5\n'
    )


def test_flags_that_change_are_clobbered(body: Any) -> None:
    """`and` with a mask that clears all but bit 3 has no other form; atomic, it is no plain IR."""
    assert body("  atomicrmw and ptr @flags, i8 8 monotonic\n") == (
        '  call void asm sideeffect "and.b #8, &$0", "=*m,*m,~{sr},~{memory}"'
        "(ptr elementtype(i8) @flags, ptr elementtype(i8) @flags)\n"
    )


@pytest.mark.parametrize("ordering", ["monotonic", "seq_cst", 'syncscope("singlethread") acquire'])
def test_an_atomic_update_stays_one_instruction_that_orders_memory(body: Any, ordering: str) -> None:
    text = f"  %1 = atomicrmw or ptr inttoptr (i16 37 to ptr), i8 4 {ordering}, align 1, !dbg !7\n"
    assert body(text, AVR, head="ptr %0") == (
        "  %1 = bitcast i8 undef to i8\n"
        '  call addrspace(0) void asm sideeffect "sbi $0, $1", "I,I,~{memory}"(i16 5, i16 2), !dbg !7\n'
    )


def test_the_name_of_an_atomic_result_goes_with_it(body: Any) -> None:
    text = "  %old = atomicrmw or ptr inttoptr (i16 37 to ptr), i8 4 monotonic, align 1\n"
    assert body(text, AVR) == (
        '  call addrspace(0) void asm sideeffect "sbi $0, $1", "I,I,~{memory}"(i16 5, i16 2)\n'
    )


def test_on_rl78_a_symbol_is_an_immediate(body: Any) -> None:
    assert body(update("ptr @w", "or i16 %v, 4096", "", 16), RL78) == (
        '  call void asm sideeffect "set1 !$0+1.4", "i,~{memory}"(ptr @w), !dbg !5\n'
    )


def test_on_rl78_a_pointer_is_put_where_the_sequence_has_it(body: Any) -> None:
    assert body(update("ptr %p"), RL78) == (
        '  call void asm sideeffect "movw hl, ax\\0Aclr1 [hl].3", "{ax},~{h},~{l},~{memory}"(ptr %p), !dbg !5\n'
    )


def test_a_pointer_register_that_changes_is_an_output(body: Any) -> None:
    assert body("  %q = getelementptr i8, ptr %p, i16 5\n" + update("ptr %q"), RL78) == (
        "  %q = getelementptr i8, ptr %p, i16 5\n"
        '  %bitsel.0 = call ptr asm sideeffect "addw ax, #5\\0Amovw hl, ax\\0Aclr1 [hl].3",'
        ' "={ax},0,~{psw},~{h},~{l},~{memory}"(ptr %p), !dbg !5\n'
    )


@pytest.mark.parametrize("name", ["@a$1", '@"\\01a.b"', "@r5"])
def test_a_symbol_is_named_by_its_operand_alone(body: Any, name: str) -> None:
    assert body(update(f"ptr {name}"), globals_=f"{name} = global i8 0\n") == (
        '  call void asm sideeffect "bic.b #8, &$0", "=*m,*m"'
        f"(ptr elementtype(i8) {name}, ptr elementtype(i8) {name}), !dbg !5\n"
    )


@pytest.mark.parametrize("name", ['@"1x"', '@"a b"', '@"a\\22b"'])
def test_a_symbol_that_needs_quotes_is_left(body: Any, name: str) -> None:
    """llc 19 prints the second one with quotes, the first without, and the third so that it is another name."""
    text = update(f"ptr {name}")
    kept = f"assemblers do not agree on how to write {name}"
    assert body(text, kept=kept, globals_=f"{name} = global i8 0\n") == text


def test_an_alias_is_what_it_stands_for(body: Any) -> None:
    globals_ = "@w = global i16 0\n@b = alias i8, getelementptr (i8, ptr @w, i16 1)\n"
    assert body(update("ptr @b"), globals_=globals_) == (
        '  call void asm sideeffect "bic.b #8, &$0+1", "=*m,*m"'
        "(ptr elementtype([2 x i8]) @w, ptr elementtype([2 x i8]) @w), !dbg !5\n"
    )


def test_two_bits_of_plain_memory_are_two_instructions(body: Any) -> None:
    """Cheaper than in, ori, out; LLVM would make that of plain IR."""
    assert body(update("ptr inttoptr (i16 37 to ptr)", "or i8 %v, 5", ""), AVR) == (
        '  call addrspace(0) void asm sideeffect "sbi $0, $1\\0Asbi $2, $3", "I,I,I,I,~{memory}"'
        "(i16 5, i16 0, i16 5, i16 2), !dbg !5\n"
    )


@pytest.mark.parametrize("attributes", ["optnone", "#3"])
def test_where_nothing_is_optimised_llvm_makes_nothing_by_itself(
    rewrite: Any, layout: Any, attributes: str
) -> None:
    text = (
        f"{layout(MSP430)}@flags = global i8 0\n"
        f"define void @f(ptr %p) {attributes} {{\n{update(op='or i8 %v, 8')}  ret void\n}}\n"
        "attributes #3 = { noinline optnone }\n"
    )
    assert 'asm sideeffect "bis.b #8, &$0"' in rewrite(text).text
    assert rewrite(text.replace("optnone", "nounwind")).sites[0].kept == ALREADY


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("i8* inttoptr (i16 33 to i8*)", '"bic.b #8, &0x21", "~{memory}"()'),
        ("i8* %p", '"bic.b #8, 0($0)", "r,~{memory}"(i8* %p)'),
    ],
)
def test_typed_pointers(body: Any, place: str, expected: str) -> None:
    assert body(update(place), head="i8* %p") == f"  call void asm sideeffect {expected}, !dbg !5\n"


def test_on_rl78_a_symbol_with_a_typed_pointer_is_passed_as_it_stands(body: Any) -> None:
    assert body(update("i16* @w", "or i16 %v, 4096", "", 16), RL78, head="i8* %p") == (
        '  call void asm sideeffect "set1 !$0+1.4", "i,~{memory}"(i16* @w), !dbg !5\n'
    )

"""LLVM IR in the shape clang -O2 gives it, of any size, the same for the same seed.

Two kinds of module. In `updates` every function holds one bit update, alone (`surroundings` 0) or amid other code.
In `ordinary` one function in twenty holds one; the rest is arithmetic, logic, loads, stores, calls and branches.
Some of that looks like an update until one reads it closely: a loaded byte masked and tested, logic that is stored
and has no load behind it. The data layout is MSP430's, so that llc compiles the same file that bitsel reads.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

HEADER = """\
; ModuleID = 'benchmark.c'
source_filename = "benchmark.c"
target datalayout = "e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"
target triple = "msp430"

"""

FOOTER = """\

attributes #0 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #1 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0}
!llvm.ident = !{!1}

!0 = !{i32 1, !"wchar_size", i32 2}
!1 = !{!"clang version 19"}
"""

GLOBALS = 64  # of each width
CALLEES = 16
REGISTERS = [-256 + n for n in range(16)] + [-224 + n for n in range(16)] + [0xF0, 0x1B2, 0x1B4, -32, -31, -28, -27]


class FunctionWriter:
    """One function's text. Values are numbered as clang numbers them: arguments, entry block, instructions."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.lines: list[str] = []
        self.next = 4  # %0 a pointer, %1 and %2 i16, the entry block
        self.block = 3
        self.words = ["%1", "%2"]  # the i16 values at hand; none is a loaded value or logic on one
        self.unused: list[str] = []  # those without a use so far: in clang's output nothing is dead

    def value(self, text: str) -> str:
        name = f"%{self.next}"
        self.next += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def word(self, text: str) -> None:
        """Make an i16 value that later code takes as an operand."""
        name = self.value(text)
        self.words.append(name)
        self.unused.append(name)

    def operand(self, other: str | None = None) -> str:
        """An i16 value, one without a use so far three times in four; not `other`."""
        if self.unused and self.unused[0] != other and self.rng.random() < 0.75:
            return self.unused.pop(0)
        return self.rng.choice([word for word in self.words[-6:] if word != other])

    def operands(self) -> tuple[str, str]:
        first = self.operand()
        return first, self.operand(first)

    # --- the code around updates --------------------------------------------------------------------------

    def arithmetic(self) -> None:
        op = self.rng.choice(["add", "add nsw", "sub", "mul", "shl", "lshr", "ashr"])
        amount = self.rng.randrange(1, 12) if op[-1] in "lr" else self.rng.randrange(2, 999)
        first, second = self.operands()
        if op[:3] not in ("add", "sub") or self.rng.random() < 0.5:
            second = str(amount)
        self.word(f"{op} i16 {first}, {second}")

    def logic(self) -> None:
        op = self.rng.choice(["and", "or", "xor"])
        first, second = self.operands()
        if self.rng.random() < 0.5:
            second = str(1 << self.rng.randrange(12))
        self.word(f"{op} i16 {first}, {second}")

    def flag_test(self) -> None:
        """A bit of a loaded byte is tested: a load and an `and`, and no store."""
        loaded = self.value(f"load i8, ptr @b{self.rng.randrange(GLOBALS)}, align 1")
        masked = self.value(f"and i8 {loaded}, {1 << self.rng.randrange(7)}")
        test = self.value(f"icmp eq i8 {masked}, 0")
        first, second = self.operands()
        self.word(f"select i1 {test}, i16 {first}, i16 {second}")

    def load(self) -> None:
        if self.rng.random() < 0.5:
            pointer = f"@w{self.rng.randrange(GLOBALS)}"
        else:
            pointer = self.value(f"getelementptr inbounds i8, ptr %0, i16 {2 * self.rng.randrange(1, 40)}")
        loaded = self.value(f"load i16, ptr {pointer}, align 2")
        self.word(f"add i16 {loaded}, {self.rng.randrange(1, 99)}")

    def store(self) -> None:
        if self.rng.random() < 0.5:
            self.lines.append(f"  store i16 {self.operand()}, ptr @w{self.rng.randrange(GLOBALS)}, align 2")
        elif self.rng.random() < 0.5:
            self.lines.append(f"  store i16 {self.rng.randrange(99)}, ptr @w{self.rng.randrange(GLOBALS)}, align 2")
        else:
            offset = 2 * self.rng.randrange(1, 40)
            pointer = self.value(f"getelementptr inbounds i8, ptr %0, i16 {offset}")
            self.lines.append(f"  store i16 {self.operand()}, ptr {pointer}, align 2")

    def narrow_store(self) -> None:
        byte = self.value(f"trunc i16 {self.operand()} to i8")
        self.lines.append(f"  store i8 {byte}, ptr @b{self.rng.randrange(GLOBALS)}, align 1")

    def call(self) -> None:
        callee = self.rng.randrange(CALLEES)
        first, second = self.operands()
        self.word(f"tail call i16 @ext{callee}(i16 noundef {first}, i16 noundef {second}) #2")

    def sum_unused(self) -> str:
        total = self.unused.pop() if self.unused else self.words[0]
        while self.unused:
            total = self.value(f"add i16 {total}, {self.unused.pop()}")
        return total

    def branch(self) -> None:
        """A test, one conditional block and the block after it."""
        test = self.value(f"icmp ult i16 {self.operand()}, {self.rng.randrange(1, 500)}")
        before, known = self.block, list(self.words)
        outside, self.unused = self.unused, []
        inner, place = self.next, len(self.lines)
        self.next += 1
        self.lines.append(f"\n{inner}:{'':<46}; preds = %{before}")
        for _ in range(self.rng.randrange(1, 4)):
            self.rng.choice([self.arithmetic, self.logic, self.load, self.store])()
        result = self.sum_unused()
        after = self.next
        self.next += 1
        self.lines.insert(place, f"  br i1 {test}, label %{inner}, label %{after}")
        self.lines.append(f"  br label %{after}")
        self.lines.append(f"\n{after}:{'':<46}; preds = %{inner}, %{before}")
        self.words, self.unused, self.block = known, outside, after
        self.word(f"phi i16 [ {result}, %{inner} ], [ {self.operand()}, %{before} ]")

    def surround(self, count: int) -> None:
        steps: list[Callable[[], None]] = [self.arithmetic, self.logic, self.flag_test, self.load]
        steps += [self.load, self.store, self.narrow_store, self.call, self.branch]
        for _ in range(count):
            self.rng.choice(steps)()

    # --- the update -----------------------------------------------------------------------------------------

    def update(self) -> None:
        """One bit of a byte or word is set, cleared or toggled; at one in eight sites it is two bits."""
        rng = self.rng
        width = 8 if rng.random() < 0.75 else 16
        volatile = "volatile " if rng.random() < 0.5 else ""
        pointer = rng.choice([self.global_address, self.pointer_address, self.register_address])(width)
        mask = 1 << rng.randrange(width)
        if rng.random() < 0.125:
            mask |= 1 << rng.randrange(width)
        op = rng.choice(["or", "or", "and", "and", "xor"])
        constant = (~mask if op == "and" else mask) & (1 << width) - 1
        signed = constant - (1 << width) if constant >> width - 1 else constant
        loaded = self.value(f"load {volatile}i{width}, ptr {pointer}, align {width // 8}")
        changed = self.value(f"{op} i{width} {loaded}, {signed}")
        self.lines.append(f"  store {volatile}i{width} {changed}, ptr {pointer}, align {width // 8}")

    def global_address(self, width: int) -> str:
        return f"@{'b' if width == 8 else 'w'}{self.rng.randrange(GLOBALS)}"

    def pointer_address(self, width: int) -> str:
        offset = self.rng.randrange(0, 64, width // 8)
        return self.value(f"getelementptr inbounds i8, ptr %0, i16 {offset}") if offset else "%0"

    def register_address(self, width: int) -> str:
        return f"inttoptr (i16 {self.rng.choice(REGISTERS) & -(width // 8)} to ptr)"

    def finish(self) -> str:
        result = self.sum_unused()
        signature = "ptr nocapture noundef %0, i16 noundef %1, i16 noundef %2"
        body = "\n".join(self.lines)
        return (
            "; Function Attrs: nounwind\n"
            f"define dso_local i16 @{self.name}({signature}) local_unnamed_addr #0 {{\n"
            f"{body}\n  ret i16 {result}\n}}\n\n"
        )


def updates(rng: random.Random, surroundings: int) -> Iterator[str]:
    """Functions of one update each, with about `surroundings` pieces of other code around it."""
    number = 0
    while True:
        writer = FunctionWriter(rng, f"update_{number}")
        before = rng.randrange(surroundings + 1)
        writer.surround(before)
        writer.update()
        writer.surround(surroundings - before)
        yield writer.finish()
        number += 1


def ordinary(rng: random.Random) -> Iterator[str]:
    """Functions of 4 to 24 pieces of code; every twentieth holds an update too."""
    number = 0
    while True:
        writer = FunctionWriter(rng, f"function_{number}")
        count = rng.randrange(4, 25)
        writer.surround(count // 2)
        if number % 20 == 0:
            writer.update()
        writer.surround(count - count // 2)
        yield writer.finish()
        number += 1


def write_module(path: Path, functions: Iterator[str], size: int) -> int:
    """Write a module of about `size` bytes; how many functions it has."""
    variables = [f"@b{n} = dso_local global i8 0, align 1\n" for n in range(GLOBALS)]
    variables += [f"@w{n} = dso_local global i16 0, align 2\n" for n in range(GLOBALS)]
    declarations = [f"declare dso_local i16 @ext{n}(i16 noundef, i16 noundef) #1\n" for n in range(CALLEES)]
    left, count = size, 0
    with path.open("w", encoding="ascii") as file:
        file.write(HEADER + "".join(variables) + "\n")
        while left > 0:
            left -= file.write(next(functions))
            count += 1
        file.write("".join(declarations) + FOOTER)
    return count

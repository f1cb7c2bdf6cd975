"""Random C functions full of bit updates, for comparing what they do before and after rewriting.

Every function is ``uint16_t NAME(uint16_t a, uint16_t b)`` over the same globals and fixed addresses. Equal seeds
give equal programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import frozen


@frozen
class Memory:
    """Where the target has plain memory that C may name by a number, and bytes of it that may be used so."""

    fixed: Sequence[int]


HEADER = """#include <stdint.h>
typedef struct { uint8_t one : 1, two : 2, four : 4, top : 1; uint8_t byte; uint16_t word; } fields;
volatile uint8_t vb; volatile uint16_t vw; uint8_t nb; uint16_t nw; uint8_t bytes[4]; uint16_t words[2];
uint32_t wide; volatile fields vf; fields nf;
#define AT(address) (*(volatile uint8_t *)(address))
#define AT16(address) (*(volatile uint16_t *)(address))
"""
_BYTES = ["vb", "nb", "bytes[1]", "bytes[2]", "vf.byte", "nf.byte"]
_WORDS = ["vw", "nw", "words[1]", "vf.word", "nf.word"]


def program(seed: int, functions: int, memory: Memory) -> str:
    """The text of a C file with functions ``f0``, ``f1``, …"""
    random = Random(seed)
    return HEADER + "".join(_Function(random, memory, number).text() for number in range(functions))


class _Function:
    def __init__(self, random: Random, memory: Memory, number: int) -> None:
        self.random = random
        self.memory = memory
        self.number = number
        self.depth = 0

    def text(self) -> str:
        random = self.random
        linkage = random.choice(["", "", "", "__attribute__((noinline)) static "])
        result = random.choice(["a", "b", "x", "a ^ b ^ x", "x + nb", "0"])
        body = "".join(self.statement() for _ in range(random.randint(1, 6)))
        name = f"f{self.number}"
        text = (
            f"{linkage}uint16_t {name}(uint16_t a, uint16_t b) {{ uint16_t x = a + b; {body}return {result}; }}\n"
        )
        if linkage:  # called from where it can be seen
            text += (
                f"uint16_t g{self.number}(uint16_t a, uint16_t b) {{ {self.update()}return {name}(b, a) + a; }}\n"
            )
        return text

    def statement(self) -> str:
        random = self.random
        kind = random.randrange(12) if self.depth < 2 else 0
        if kind < 6:
            return self.update()
        self.depth += 1
        inner = "".join(self.statement() for _ in range(random.randint(1, 2)))
        self.depth -= 1
        match kind:
            case 6:
                return f"if ({self.condition()}) {{ {inner}}} "
            case 7:
                return f"if ({self.condition()}) {{ {inner}}} else {{ {self.update()}}} "
            case 8:
                return f"for (uint8_t i = 0; i < {random.randint(1, 3)}; i++) {{ {inner}x += i; }} "
            case 9:
                return f"x ^= {random.choice(_BYTES + _WORDS)}; {inner}"
            case 10 if self.number > 0:
                return f"x += f{random.randrange(self.number)}(x, {random.choice('ab')}); "
            case _:
                return f"a = {random.choice(_BYTES + _WORDS)}; b += x; {inner}"

    def condition(self) -> str:
        random = self.random
        bit = 1 << random.randrange(8)
        return random.choice(
            [f"a & {bit}", f"!({random.choice(_BYTES)} & {bit})", "x > b", "nb == 0", f"(vb |= {bit})"]
        )

    def place(self) -> tuple[str, int]:
        """An lvalue and its width."""
        random = self.random
        if random.randrange(3) == 0:
            return f"AT({random.choice(list(self.memory.fixed)):#x})", 8
        if random.randrange(6) == 0:
            return f"((uint8_t *)&{random.choice(_WORDS)})[{random.randrange(2)}]", 8
        if random.randrange(6) == 0:
            return "wide", 32
        if random.randrange(5) == 0:
            return "bytes[x & 3]", 8
        return random.choice([(place, 8) for place in _BYTES] + [(place, 16) for place in _WORDS])

    def update(self) -> str:
        random = self.random
        if random.randrange(6) == 0:
            field, width = random.choice([("one", 1), ("two", 2), ("four", 4), ("top", 1)])
            value = random.choice([0, (1 << width) - 1])
            return f"{random.choice(['vf', 'nf'])}.{field} = {value}; "
        place, width = self.place()
        mask = 1 << random.randrange(width)
        if random.randrange(3) == 0:
            mask |= 1 << random.randrange(width)
        match random.randrange(8):
            case 0 | 1 | 2:
                return f"{place} |= {mask:#x}{'ul' if width == 32 else ''}; "
            case 3 | 4 | 5:
                return f"{place} &= ~{mask:#x}{'ul' if width == 32 else ''}; "
            case 6:
                return f"{place} ^= {mask:#x}{'ul' if width == 32 else ''}; "
            case _:
                return f"{place} = ({place} | {mask:#x}) & ~{1 << random.randrange(width):#x}; "

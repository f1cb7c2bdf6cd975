"""Compilers, linkers and simulators for each target, and running a function of a program in one.

A run starts from random registers and memory and ends where the function returns to; what is compared is all memory
that the program may write, the result, and the registers that a function has to keep.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from attrs import frozen

from bitsel.toolchain.find import Missing, find

from .programs import Memory

_LOOP = {"avr": "ffcf", "msp430": "ff3f", "rl78": "effe"}
"""A jump to itself."""


@frozen
class Machine:
    """One compiler for one device, and its simulator.

    `compile` makes assembly of C, `link` a program of assembly; ``{c}``, ``{s}``, ``{o}``, ``{elf}``, ``{level}``
    are put in. `code`, `data`, `stack` and `back` (where functions return to) are addresses; `kept` are registers
    that a function may not change, by the simulator's numbers, `result` those its result is in. `counts`: the
    simulator's clocks are right. `helpers`: C of what the compiler calls.
    """

    name: str
    target: str
    device: str
    compile: str
    link: Sequence[str]
    objcopy: str
    nm: str
    step: Sequence[str]
    pc: int
    sp: int
    registers: Sequence[int]
    kept: Sequence[int]
    result: Sequence[int]
    memory: Memory
    code: int
    data: tuple[int, int]
    stack: int
    back: int
    prefix: str = ""
    counts: bool = True
    zero: Sequence[int] = ()
    helpers: str = ""

    def missing(self) -> list[str]:
        words = [self.compile, *self.link, self.objcopy, self.nm, self.step[0]]
        return [str(tool) for word in words if isinstance(tool := find(word.split()[0]), Missing)]


_DATA = (0x800100, 0x40)
AVR_GCC = Machine(
    name="avr-gcc",
    target="avr",
    device="atmega328p",
    compile="avr-gcc -mmcu=atmega328p -{level} -S {c} -o {s}",
    link=("avr-gcc -mmcu=atmega328p -nostartfiles -Wl,-Tdata=0x800100 -Wl,-Ttext=0 {s} -o {elf}",),
    objcopy="avr-objcopy",
    nm="avr-nm",
    step=("simavr-step", "atmega328p"),
    pc=34,
    sp=33,
    registers=range(32),
    kept=(*range(2, 18), 28, 29, 33),
    result=(24, 25),
    memory=Memory((0x3E, 0x4A, 0x4B)),
    code=0,
    data=(0x100, 0x40),
    stack=0x8E0,
    back=0x7F00,
    zero=(1,),
)
AVR_LLC = Machine(
    name="avr-llc",
    target="avr",
    device="atmega328p",
    compile="clang-19 --target=avr -mmcu=atmega328p -fno-addrsig -ffreestanding -{level} -S {c} -o {s}",
    link=AVR_GCC.link,
    objcopy="avr-objcopy",
    nm="avr-nm",
    step=AVR_GCC.step,
    pc=34,
    sp=33,
    registers=range(32),
    kept=AVR_GCC.kept,
    result=(24, 25),
    memory=AVR_GCC.memory,
    code=0,
    data=(0x100, 0x40),
    stack=0x8E0,
    back=0x7F00,
    zero=(1,),
)
MSP430_LLC = Machine(
    name="msp430-llc",
    target="msp430",
    device="msp430g2553",
    compile="clang-19 --target=msp430 -fno-addrsig -ffreestanding -{level} -S {c} -o {s}",
    link=(
        "llvm-mc-19 -triple=msp430 -filetype=obj {s} -o {o}",
        "ld.lld-19 -m msp430elf -Ttext=0xc000 -Tdata=0x200 -Tbss=0x200 -e f0 {o} -o {elf}",
    ),
    objcopy="llvm-objcopy-19",
    nm="llvm-nm-19",
    step=("mspdebug-step",),
    pc=0,
    sp=1,
    registers=range(4, 16),
    kept=(1, *range(4, 11)),
    result=(12,),
    memory=Memory((0x240, 0x242, 0x245)),
    code=0xC000,
    data=(0x200, 0x50),
    stack=0x9F0,
    back=0xBF00,
    counts=False,  # mspdebug 0.22 counts constants of the generator as memory
)
RL78_GCC = Machine(
    name="rl78-gcc",
    target="rl78",
    device="r7f100g",
    compile="rl78-elf-gcc -ffreestanding -{level} -S {c} -o {s}",
    link=(
        "rl78-elf-as --mg14 {s} -o {o}",
        "rl78-elf-gcc -ffreestanding -O2 -c {helpers} -o {helpers}.o",
        "rl78-elf-ld -Ttext=0x9000 -Tdata=0xf8000 --section-start=.bss=0xf8000 -e _f0 {o} {helpers}.o -o {elf}",
    ),
    objcopy="rl78-elf-objcopy",
    nm="rl78-elf-nm",
    step=("rl78-elf-step",),
    pc=35,
    sp=-1,
    registers=range(8),
    kept=(),
    result=(),
    memory=Memory((0xFE20, 0xFE31, 0xFF00, 0xFF03)),
    code=0x9000,
    data=(0xF8000, 0x50),
    stack=0xFBE00,
    back=0x8F00,
    prefix="_",
    # At -Os GCC 12 makes every "and" one of 64 bits, by a function that its own libgcc lacks.
    helpers="unsigned long long __anddi3(unsigned long long a, unsigned long long b) { return a & b; }",
)
MACHINES = (AVR_GCC, AVR_LLC, MSP430_LLC, RL78_GCC)


@frozen
class Code:
    """A linked program: its bytes from the machine's `code` on, and where its functions are."""

    content: bytes
    functions: Mapping[str, int]


class Rejected(Exception):
    """A compiler or linker that refused."""


def _run(command: str, **files: object) -> None:
    words = command.format(**files).split()
    tool = find(words[0])
    done = subprocess.run([str(tool), *words[1:]], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise Rejected(f"{' '.join(words)}: {done.stderr.strip()[:2000]}")


def compiled(machine: Machine, text: str, level: str, folder: Path) -> str:
    """The assembly of a C program."""
    source, assembly = folder / "program.c", folder / "program.s"
    source.write_text(text)
    _run(machine.compile, c=source, s=assembly, level=level)
    return assembly.read_text()


def linked(machine: Machine, assembly: str, folder: Path) -> Code:
    source, elf = folder / "linked.s", folder / "linked.elf"
    source.write_text(assembly)
    helpers = folder / "helpers.c"
    helpers.write_text(machine.helpers)
    for command in machine.link:
        _run(command, s=source, o=folder / "linked.o", elf=elf, helpers=helpers)
    flat = folder / "linked.bin"
    _run(f"{machine.objcopy} -O binary --only-section=.text {{elf}} {{flat}}", elf=elf, flat=flat)
    done = subprocess.run([str(find(machine.nm)), str(elf)], capture_output=True, text=True, check=True)
    functions = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "Tt":
            functions[words[2].removeprefix(machine.prefix)] = int(words[0], 16)
    return Code(flat.read_bytes(), functions)


@frozen
class Outcome:
    """How many instructions and clocks a function took, and what it left behind."""

    steps: int
    clocks: int
    left: tuple[str, ...]


class Batch:
    """Runs of the functions of one program, in one run of the simulator."""

    def __init__(self, machine: Machine, code: Code, most_steps: int) -> None:
        self.machine = machine
        self.most_steps = most_steps
        self.commands: list[str] = []
        self.asked = 0
        self.functions = code.functions
        for start in range(0, len(code.content), 64):  # a simulator may read short lines only
            chunk = code.content[start : start + 64]
            self._say(f"c {machine.code + start:x} {chunk.hex()}")
        # Behind the function's end execution stays where it is.
        self._say(f"c {machine.back:x} {_LOOP[machine.target]}")

    def _say(self, line: str) -> None:
        self.commands.append(line)

    def add(self, function: str, seed: int) -> None:
        """Another run of `function`, from a state that `seed` decides."""
        machine = self.machine
        self._start(Random(seed))
        self._say(f"r {machine.pc:x} {self.functions[function]:x}")
        for _ in range(self.most_steps):
            self._say("s")
            self._say(f"R {machine.pc:x}")
        self._ask()

    def outcomes(self) -> Iterator[Outcome | None]:
        """What became of each run; None of one that did not end."""
        tool = find(self.machine.step[0])
        text = "".join(f"{command}\n" for command in self.commands)
        done = subprocess.run(
            [str(tool), *self.machine.step[1:]], input=text, capture_output=True, text=True, check=True
        )
        answers = iter([line[1:].strip() for line in done.stdout.splitlines() if line.startswith("=")])
        for _ in range(len(self.commands)):
            try:
                first = next(answers)
            except StopIteration:
                return
            yield self._outcome(first, answers)

    def _outcome(self, first: str, answers: Iterator[str]) -> Outcome | None:
        steps = clocks = 0
        ended = False
        for number in range(self.most_steps):
            took = first if number == 0 else next(answers)
            at = int(next(answers), 16)
            if not ended:
                steps += 1
                clocks += 0 if took == "-" else int(took, 16)
                ended = at == self.machine.back
        left = tuple(next(answers) for _ in range(self.asked))
        return Outcome(steps, clocks, left) if ended else None

    def _start(self, random: Random) -> None:
        machine = self.machine
        for register in machine.registers:
            value = 0 if register in machine.zero else random.getrandbits(16 if machine.target == "msp430" else 8)
            self._say(f"r {register:x} {value:x}")
        start, size = machine.data
        self._say(f"m {start:x} {random.randbytes(size).hex()}")
        for address in self._fixed():
            self._say(f"m {address:x} {random.randbytes(1).hex()}")
        back, stack = machine.back, machine.stack
        match machine.target:
            case "avr":
                self._say(f"m {stack + 1:x} {(back >> 1).to_bytes(2, 'big').hex()}")
                self._say(f"r {machine.sp:x} {stack:x}")
            case "msp430":
                self._say("r 2 0")
                self._say(f"m {stack:x} {back.to_bytes(2, 'little').hex()}")
                self._say(f"r {machine.sp:x} {stack:x}")
            case _:
                arguments = random.randbytes(4)
                self._say(f"m {stack:x} {(back.to_bytes(4, 'little') + arguments).hex()}")
                self._say(f"m ffff8 {(stack & 0xFFFF).to_bytes(2, 'little').hex()}")
                self._say(f"m ffee0 {random.randbytes(24).hex()}")
                self._say("m ffffa 06")

    def _fixed(self) -> list[int]:
        high = 0xF0000 if self.machine.target == "rl78" else 0
        return [high + address for address in self.machine.memory.fixed]

    def _ask(self) -> None:
        machine = self.machine
        asked = [f"R {register:x}" for register in (*machine.kept, *machine.result)]
        asked.append(f"M {machine.data[0]:x} {machine.data[1]:x}")
        asked += [f"M {address:x} 1" for address in self._fixed()]
        if machine.target == "rl78":  # r16 to r31 but the frame pointer, the result, and SP
            asked += ["M ffee0 8", "M ffee8 6", "M ffef0 2", "M ffff8 2"]
        self.asked = len(asked)
        self.commands += asked

"""What a target's table says, as values: registers, operands, instruction forms, devices.

`load.py` makes these from TOML; everything downstream (selector, printer, reference pages) reads them and
knows no TOML. A *row* of the table expands to *forms*: one per mnemonic, width suffix and choice of addressing
modes. A form has one spelling, one meaning and one cost per core.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from bitsel.errors import Location
from bitsel.target.does import Statement
from bitsel.target.expr import Assign, Expr

Flow = Literal["jump", "branch", "call", "return", "skip", "order"]
"""How a row changes what runs next. ``jump`` without a label goes anywhere, as a return from an interrupt does.
``order``: it goes on, but no access to memory moves across it (interrupts on or off, sleep)."""


@frozen
class Register:
    """A register or flag of `width` bits. `parts` are the registers it is made of, low to high (a pair);
    empty for one that stands alone. `value` is the number it always holds, where it is a constant.
    `text` is how the assembler writes it (a pair without a name is written as its low register)."""

    name: str
    width: int
    parts: tuple[str, ...] = ()
    value: int | None = None
    text: str = field()

    @text.default
    def _spelled_as_named(self) -> str:
        return self.name


@frozen
class Ranges:
    """A set of integers: inclusive (low, high, step) runs."""

    runs: tuple[tuple[int, int, int], ...]

    def __contains__(self, value: object) -> bool:
        if isinstance(value, int):
            for low, high, step in self.runs:
                if low <= value <= high and (value - low) % step == 0:
                    return True
        return False

    def covers(self, low: int, high: int) -> bool:
        """Whether every integer of [low, high] lies in one run of step 1."""
        return any(a <= low and high <= b and step == 1 for a, b, step in self.runs)


@frozen
class Number:
    """An immediate or address operand: the integers it takes, and the symbol parts (names in `parts`)."""

    name: str
    ranges: Ranges
    symbol: tuple[str, ...] = ()


@frozen
class Part:
    """A piece of an address ``A`` as the assembler can write it: ``lo8({})`` is ``A & 0xff``."""

    name: str
    is_: Expr
    text: str


@frozen
class Dialect:
    """How the assembler writes things. `symbol` is the format of a symbol's name (``_{}``), `digits` the least
    number of hexadecimal digits of an address. `synonyms`: other names of registers, and `numbered`, how the
    register of a number is called, where a number may stand for one; both are read, never printed."""

    comment: str = ";"
    line_comment: str | None = None
    separator: str | None = None
    symbol: str = "{}"
    digits: int = 1
    synonyms: Mapping[str, str] = field(factory=dict, hash=False)
    numbered: str | None = None


@frozen
class RegisterOperand:
    """An operand that is one of these registers."""

    name: str
    registers: tuple[str, ...]


@frozen
class NumberOperand:
    """An operand that is an integer or a symbol part."""

    name: str
    number: Number


Operand = RegisterOperand | NumberOperand


@frozen
class Slot:
    """In a form's text: where the operand of that name is written."""

    name: str


@frozen
class Form:
    """One instruction form on one core.

    `text` is literal pieces and `Slot`s. `does` runs in order; in it a `Name` is an operand of `operands`, a
    register or flag; every `Mem` has its width; constants are numbers. `bytes` and `cycles` are complete, modes
    and core included. `order` is its place in the table. `late`: operand or register -> cycles that a use at
    once waits. `within`: the byte addresses at which its memory operand works, None for all.
    """

    mnemonic: str
    text: tuple[str | Slot, ...]
    operands: Mapping[str, Operand]
    does: tuple[Assign, ...]
    bytes: int
    cycles: int
    order: int
    bit: bool = False
    flow: Flow | None = None
    emitted_by: tuple[str, ...] = ()
    source: str = ""
    unverified: bool = False
    reads: tuple[str, ...] = ()
    places: tuple[Expr, ...] = ()
    late: Mapping[str, int] = field(factory=dict)
    where: Location | None = None
    within: Ranges | None = None


@frozen
class Placeholder:
    """In a row's text: where its mnemonic (``op``) or width suffix (``w``) is written."""

    name: Literal["op", "w"]


@frozen
class Mode:
    """An addressing mode: how it is written, the place (or value) it is, and what it adds to a row that takes it.

    `operands` are its own; in `place`, `first` and `then` (statements before and after the row's) they hide
    registers of the same name. `cycles` is one number per core, None where the core lacks the mode.
    """

    group: str
    name: str
    text: tuple[str | Slot, ...]
    operands: Mapping[str, Operand]
    place: Expr
    bytes: int
    cycles: tuple[int | None, ...]
    first: tuple[Statement, ...] = ()
    then: tuple[Statement, ...] = ()
    unverified: str = ""


@frozen
class Cell:
    """An irregular cell of a row: its bytes and cycles in all, where all these modes (``group.name``) are taken."""

    modes: frozenset[str]
    bytes: int | None = None
    cycles: tuple[int | None, ...] | None = None


@frozen
class Row:
    """One row of the table, before it is expanded: every operand with its alternatives, every mnemonic.

    `ops` are mnemonic and meaning; a row without them has its mnemonic in its text. `widths` are suffix and bits
    of ``m[]``. `idle`: it is said to do nothing. `needs` names the feature a device must have; `within` is the
    form's. `unverified` says what of the row has no source yet.
    """

    text: tuple[str | Slot | Placeholder, ...]
    operands: Mapping[str, tuple[Operand | Mode, ...]]
    ops: tuple[tuple[str, tuple[Statement, ...] | Expr], ...]
    widths: tuple[tuple[str, int], ...]
    does: tuple[Statement, ...]
    let: Mapping[str, Expr]
    bytes: int
    cycles: tuple[int | None, ...]
    cells: tuple[Cell, ...]
    bit: bool
    flow: Flow | None
    needs: str | None
    within: Ranges | None
    emitted_by: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    late: Mapping[str, tuple[int | None, ...]]
    source: str
    unverified: str
    order: int
    where: Location
    idle: bool = False


@frozen
class Space:
    """What a pointer of one LLVM address space means on the target.

    A constant address c there is the byte address ``add + (c mod 2**bits)``; objects lie within `within`
    (inclusive byte addresses); `pointer` is where an incoming pointer lives, as an expression over registers
    (``near + ax``, constants resolved), None where no such convention is known.
    """

    bits: int
    add: int
    within: tuple[int, int]
    pointer: Expr | None = None

    def address(self, constant: int) -> int:
        """The byte address that a constant pointer means."""
        return self.add + constant % (1 << self.bits)


@frozen
class Abi:
    """`scratch`: registers (whole) that the replacement of an update in IR may change; flags always may. `address`:
    more such registers, which hold addresses only; where there are any, those of `scratch` hold none.
    `stack`: the address of a stack slot's base, an expression over registers (``near + sp``), if known.

    Of calls: `clobbered` are the registers that a function may change (flags always), empty where no convention is
    known; `arguments` and `returned` those it may be given something in, and return something in. `status`: the
    address of the register in memory that holds the flags, if any, an expression over constants.
    """

    scratch: tuple[str, ...]
    stack: Expr | None = None
    address: tuple[str, ...] = ()
    clobbered: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()
    status: Expr | None = None


@frozen
class InlineAssembly:
    """How the target's LLVM back end takes inline assembly.

    `numbers`: by number operand, the constraint that it is passed under; others are written into the text.
    `symbol`: the constraint that writes a symbol's name: ``i``, or ``*m`` where an immediate would be decorated.
    `pointer`: the constraint of a pointer in any register that serves as a base; None: it must be the register of
    the convention. `clobbers`: registers and flags by what LLVM calls them, where that is something else.
    """

    numbers: Mapping[str, str] = field(factory=dict)
    symbol: Literal["i", "*m"] = "i"
    pointer: str | None = None
    clobbers: Mapping[str, str] = field(factory=dict)


@frozen
class HardwareRegister:
    """A memory-mapped register: address in bytes, width in bits, and what is special about it.

    Masks name the bits that are: write-1-to-clear, write-1-to-toggle, changed by being read, write-only.
    """

    name: str
    address: int
    width: int
    bit: bool = True
    w1c: int = 0
    toggle: int = 0
    read_effect: int = 0
    write_only: int = 0
    read_only: int = 0
    source: str = ""


@frozen
class Region:
    """A run of byte addresses [low, high] and the access widths (bits) that work there; empty: none.

    In a region of kind "registers" a byte that only a wider register covers, or none, allows no 1-bit manipulation.
    `writable` False: no write has an effect there (flash). `read_cycles`: clocks that a read there takes beyond
    the form's own.
    """

    low: int
    high: int
    widths: tuple[int, ...]
    kind: Literal["memory", "registers"] = "memory"
    writable: bool = True
    read_cycles: int = 0
    source: str = ""
    unverified: str = ""


@frozen
class MirroredRegion:
    """The byte addresses [low, high] and those of `other` may be the same memory: byte for byte where they are
    equally many, else any of the one may be any of the other."""

    low: int
    high: int
    other: tuple[int, int]
    source: str = ""
    unverified: str = ""


@frozen
class Device:
    """One named device: its core, registers by address, regions and mirrors. `features`: what `needs` asks for.

    `constants` are the target's, with the device's own values put in.
    """

    name: str
    core: str
    constants: Mapping[str, int]
    features: frozenset[str] = frozenset()
    registers: Mapping[int, tuple[HardwareRegister, ...]] = field(factory=dict)
    regions: tuple[Region, ...] = ()
    mirrors: tuple[MirroredRegion, ...] = ()
    description: str = ""
    source: str = ""


@frozen
class KnownError:
    """What a tool is known to get wrong: an assembler refuses the row, a simulator counts `clocks` too many.

    `rows` are texts as `show` prints them, in which ``*`` stands for any text. `operands`: only where these have
    such values.
    """

    rows: tuple[str, ...]
    source: str
    clocks: int = 0
    operands: Mapping[str, Ranges] = field(factory=dict)


@frozen
class Assembler:
    """The program that assembles the target's code: ``TOOL OPTIONS -o OBJECT SOURCE``. `options` are by core."""

    tool: str
    options: Mapping[str, tuple[str, ...]] = field(factory=dict)
    known_errors: tuple[KnownError, ...] = ()


@frozen
class Simulator:
    """A program that executes single instructions and speaks the protocol of `toolchain.simulator`.

    `arguments` are by core; it does not know a core that is not there. `registers`: register or flag -> its number
    there and the bit of that where it begins; the others are where `Target.mapped` says. `pc` is the number of the
    program counter, `code` the address an instruction is put at, `memory` where it has plain memory. `offset`: the
    width in bits to which it cuts sums inside addresses, which the facts do not; None: it does not either.
    `states`: in how many states each row is executed. `clocks`: the cores whose clocks it counts.
    """

    tool: str
    arguments: Mapping[str, tuple[str, ...]]
    registers: Mapping[str, tuple[int, int]]
    pc: int
    code: int
    memory: Ranges
    clocks: frozenset[str]
    offset: int | None = None
    states: int = 32
    known_errors: tuple[KnownError, ...] = ()


@frozen
class Target:
    """A target's facts. `hash` is that of everything it was loaded from: equal hash, equal facts.

    `rows` become forms by `expand.forms`. `read_only` are rows that assembly is read by, and nothing else.
    `narrow`: what an instruction narrower than its destination register does to the register's other bits.
    `mapped`: registers and flags that are also memory: name -> (byte address, bit of that byte). `aliases`:
    spellings that are read, never printed, as pairs of row texts. `sources`: what the tags in `source` stand for.
    """

    name: str
    endian: Literal["little", "big"]
    address_bits: int
    align: Mapping[int, int]  # access width in bits -> required alignment in bytes
    cores: tuple[str, ...]
    dialect: Dialect
    registers: Mapping[str, Register]
    classes: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, Number]
    parts: Mapping[str, Part]
    spaces: Mapping[int, Space]
    abi: Abi
    devices: Mapping[str, Device]
    hash: str
    status: str = "experimental"
    description: str = ""
    default_device: str | None = None
    rows: tuple[Row, ...] = ()
    read_only: tuple[Row, ...] = ()
    modes: Mapping[str, Mapping[str, Mode]] = field(factory=dict)
    constants: Mapping[str, int] = field(factory=dict)
    narrow: Literal["zero", "keep"] | None = None
    mapped: Mapping[str, tuple[int, int]] = field(factory=dict)
    aliases: Mapping[str, str] = field(factory=dict)
    sources: Mapping[str, str] = field(factory=dict)
    assembler: Assembler | None = None
    simulator: Simulator | None = None
    inline_assembly: InlineAssembly = field(factory=InlineAssembly)

    def memory_of(self, name: str) -> range:
        """The byte addresses at which a mapped register or flag is memory."""
        first, bit = self.mapped[name]
        return range(first, first + (bit + self.registers[name].width + 7) // 8)

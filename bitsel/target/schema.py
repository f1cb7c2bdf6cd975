"""The fact format: every key of a `target.toml`, its type and what it says, in one table.

`FILE` is the whole format. From it come the checks of types and keys (`FILE.check`), the JSON Schema that editors
use (`json_schema`) and the key tables of the reference page (`reference`). What a table of facts must obey beyond
types and keys is checked where the facts are built, in `load` and `checks`.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from bitsel.target.kinds import Array, Boolean, Choice, Either, Integer, Key, Names, String, Table

TEXT = String()
DOES = String("statements of the 'does' language")
EXPRESSION = String("an expression of the 'does' language")
RANGES = String('ranges and numbers, as in "0..7 16..23"')
WORDS = String("names, separated by spaces")
ADDRESS = Integer(0, (1 << 32) - 1, "a byte address")
CONSTANTS = Names(Integer(-(1 << 32), 1 << 32, "an integer"))
WIDTH = Integer(1, 64, "a width in bits, 1 to 64")
MASK = Integer(0, (1 << 64) - 1, "a mask of bits")
BYTES = Integer(0, 64)
CLOCKS = Integer(-64, 1000, "a number of clocks")
PER_CORE = Array(Either((CLOCKS, Choice(("-",)))), 'an array with one number per core, "-" where the core lacks it')
CYCLES = Either((CLOCKS, PER_CORE))
SOURCE = Key(TEXT, "where the facts come from: a manual and section, or tags of `[sources]`", '"R01US0015"')
UNVERIFIED = Key(TEXT, "what of it no source could be found for yet", '"clocks"')

_CSV = String("the name of a CSV file")

TARGET = Table(
    "[target]",
    {
        "name": Key(String("a name", r"[a-z0-9][a-z0-9_-]*"), "the target's name", '"rl78"', required=True),
        "description": Key(TEXT, "one line for lists of targets"),
        "status": Key(TEXT, "how far the facts have been checked; `experimental` if not said", '"validated"'),
        "endian": Key(
            Choice(("little", "big")), "byte order; for `big` nothing is selected yet", '"little"', required=True
        ),
        "address": Key(Integer(8, 32), "width of a byte address in bits", "20", required=True),
        "align": Key(
            Names(Integer(1, 64, "an alignment in bytes, 1 to 64")),
            "access width in bits = alignment in bytes that it needs",
            "{ 16 = 2 }",
        ),
        "cores": Key(Array(TEXT), "the columns of every `cycles` array", '["cpu", "cpux"]', required=True),
        "narrow": Key(
            Choice(("zero", "keep")),
            "what a row narrower than its destination register does to the register's other bits",
            '"zero"',
        ),
        "default": Key(TEXT, "the device that is meant when none is named"),
        "devices": Key(_CSV, "further devices, where they are many", '"devices.csv"'),
    },
)

DIALECT = Table(
    "[dialect]",
    {
        "comment": Key(TEXT, "starts a comment", '";"'),
        "line-comment": Key(TEXT, "starts a comment in the first column", '"#"'),
        "separator": Key(TEXT, "separates statements on a line", '"@"'),
        "symbol": Key(String('a text with one "{}"', r"[^{}]*\{\}[^{}]*"), "how a symbol is written", '"_{}"'),
        "digits": Key(Integer(1, 16), "least number of hexadecimal digits of an address, 1 if not said", "2"),
        "synonyms": Key(Names(TEXT), "other names of registers, which are read", '{ r1 = "sp" }'),
        "numbered": Key(
            String('a text with one "{}"', r"[^{}]*\{\}[^{}]*"),
            "the register that a number stands for in a register's place; none if not said",
            '"r{}"',
        ),
    },
)

NUMBER = Table(
    "[number]",
    {
        "in": Key(RANGES, "the integers it takes", '"0..0xffff"', required=True),
        "step": Key(Integer(1, 1 << 16), "only every n-th of each range", "2"),
        "symbol": Key(WORDS, "the parts of a symbol's address it accepts; an immediate, of any address", '"lo16"'),
    },
)

PART = Table(
    "[part]",
    {
        "is": Key(EXPRESSION, "the value, of an address `A`", '"A & 0xff"', required=True),
        "text": Key(
            String('a text with one "{}"', r"[^{}]*\{\}[^{}]*"), "how it is written", '"lo8({})"', required=True
        ),
    },
)

MODE = Table(
    "[mode.GROUP]",
    {
        "text": Key(TEXT, "how it is written; `{name:kind}` is an operand", '"[hl+{i:u8}]"', required=True),
        "is": Key(EXPRESSION, "the place, or value, that it is", '"m[near + hl + i]"', required=True),
        "bytes": Key(BYTES, "bytes added to the row's", "1"),
        "cycles": Key(CYCLES, "clocks added to the row's", "[1, 0]"),
        "first": Key(DOES, "done before the row's statements", '"X -= 1"'),
        "then": Key(DOES, "done after them", '"X += 1"'),
        "unverified": UNVERIFIED,
    },
)

CELL = Table(
    "cells",
    {
        "bytes": Key(BYTES, "bytes in all"),
        "cycles": Key(CYCLES, "clocks in all"),
    },
)

ROW_TEXT = "how it is written; `{name:kind}` is an operand"
INSN = Table(
    "[[insn]]",
    {
        "ops": Key(Names(DOES), "mnemonic = meaning, put in at `{op}`", '{ set1 = "v |= 1 << bit" }'),
        "text": Key(TEXT, ROW_TEXT, '"{op} {v:mem.saddr|hl}.{bit:bit}"', required=True),
        "w": Key(Names(WIDTH), "width suffix = width of the row's `m[]`", '{ ".b" = 8, "" = 16 }'),
        "width": Key(WIDTH, "width of the row's `m[]`, 8 if not said", "16"),
        "let": Key(Names(EXPRESSION), "places named for this row", '{ v = "m8[io + p]" }'),
        "does": Key(DOES, "what it does; `{op}` if not said and there are `ops`", '"{op}; z = a == 0"'),
        "bytes": Key(BYTES, "its length, modes not counted", "2", required=True),
        "cycles": Key(CYCLES, "its clocks, modes not counted", '[2, 3, "-"]', required=True),
        "cells": Key(
            Names(CELL),
            "irregular cells: modes = bytes and clocks in all",
            '{ "mem.hld" = { bytes = 3 } }',
        ),
        "late": Key(
            Names(CYCLES), "operand or register = clocks that its next use waits, if at once", "{ d = [1, 2] }"
        ),
        "bit": Key(Boolean(), "a 1-bit manipulation instruction", "true"),
        "needs": Key(TEXT, "a feature the device must have", '"rmw"'),
        "within": Key(
            RANGES, "where its memory operand works: byte addresses, all if not said", '"0x2000..0x2fff"'
        ),
        "flow": Key(
            Choice(("jump", "branch", "call", "return", "skip", "order")),
            "it changes what runs next; `order`: it does not, but no access moves across it",
            '"skip"',
        ),
        "reads": Key(WORDS, "operands and registers read, where `does` is not worth writing", '"d r1"'),
        "writes": Key(
            WORDS, 'operands and registers written, likewise; `""`: none, and it does nothing else', '"d z c"'
        ),
        "emitted_by": Key(
            Array(TEXT), "compilers whose back end reaches this form by itself from plain code", '["gcc"]'
        ),
        "source": SOURCE,
        "unverified": UNVERIFIED,
    },
)

ABI = Table(
    "[abi]",
    {
        "pointer": Key(EXPRESSION, "where an incoming pointer lives, as the address it is", '"near + ax"'),
        "stack": Key(EXPRESSION, "the address of the stack's top", '"near + sp"'),
        "scratch": Key(WORDS, "registers that the replacement of an update may change", '"a x h l"'),
        "address": Key(WORDS, "more of them, for addresses only; those of `scratch` then hold none", '"r30 r31"'),
        "clobbered": Key(WORDS, "registers that a called function may change; flags it always may", '"a x r8"'),
        "arguments": Key(WORDS, "registers that arguments may be passed in", '"r12..r15"'),
        "returned": Key(WORDS, "registers that a result may be returned in", '"r12..r15"'),
        "status": Key(
            EXPRESSION, "the address of the register that holds the flags, if it is memory", '"io + 0x3f"'
        ),
    },
)

SPACE = Table(
    "[space]",
    {
        "bits": Key(Integer(8, 64), "width of a pointer", "16", required=True),
        "add": Key(ADDRESS, "a pointer p is the byte address add + p", "0xf0000"),
        "within": Key(RANGES, "where its objects lie; everywhere if not said", '"0xf0000..0xfffff"'),
        "pointer": Key(EXPRESSION, "where an incoming pointer lives; not known if not said", '"near + ax"'),
    },
)

REGISTER = Table(
    "registers",
    {
        "at": Key(ADDRESS, "its byte address", "0xffffa", required=True),
        "width": Key(Integer(8, 64), "its width in bits, 8 if not said", "16"),
        "bit": Key(Boolean(), "whether 1-bit manipulation is allowed (as it is unless said)", "false"),
        "w1c": Key(MASK, "bits that a written 1 clears", "0xff"),
        "toggle": Key(MASK, "bits that a written 1 toggles (another register's bits, it may be)", "0xff"),
        "read_effect": Key(MASK, "bits that a read changes"),
        "write_only": Key(MASK, "bits that cannot be read back"),
        "read_only": Key(MASK, "bits that a write does not change"),
        "source": SOURCE,
    },
)

REGION = Table(
    "memory",
    {
        "in": Key(RANGES, "its byte addresses, one range", '"0xfff00..0xfffff"', required=True),
        "widths": Key(Array(WIDTH), "access widths that work there, all if not said; `[]`: none", "[8]"),
        "kind": Key(
            Choice(("memory", "registers")), "in `registers`, only listed registers can be manipulated by bit"
        ),
        "writable": Key(Boolean(), "false where a write changes nothing (flash)", "false"),
        "read-cycles": Key(CLOCKS, "clocks that a read there takes beyond the row's", "3"),
        "source": SOURCE,
        "unverified": UNVERIFIED,
    },
)

MIRROR = Table(
    "mirror",
    {
        "in": Key(RANGES, "its byte addresses, one range", '"0x0200..0x09ff"', required=True),
        "at": Key(
            RANGES,
            "the addresses that are the same memory: of an equally long range byte for byte, of another any may be",
            '"0x1100..0x18ff"',
            required=True,
        ),
        "source": SOURCE,
        "unverified": UNVERIFIED,
    },
)

_REGISTERS = Names(REGISTER, "a table of registers")

DEVICE = Table(
    "[device.NAME]",
    {
        "core": Key(TEXT, "one of the cores", '"s3"'),
        "like": Key(TEXT, "a device whose facts it has too; its own come first", '"s3"'),
        "abstract": Key(Boolean(), "true: no device by itself, only what others are `like`", "true"),
        "description": Key(TEXT, "one line for lists of devices"),
        "constants": Key(CONSTANTS, "its values of `[constants]`"),
        "has": Key(Array(TEXT), "features, as rows may need them", '["rmw"]'),
        "memory": Key(Array(REGION), "regions that are not plain memory"),
        "mirror": Key(Array(MIRROR), "memory that has two addresses, so that accesses to either are kept in order"),
        "registers": Key(
            Either((_CSV, _REGISTERS, Array(Either((_CSV, _REGISTERS))))),
            "registers: name = facts, or a CSV file, or several of these",
            '"r7f100g.csv"',
        ),
        "source": SOURCE,
    },
)

ROWS = Key(Array(TEXT), "the rows, as `target show` prints them; `*` is any text", '["set1 *[hl]*"]', required=True)
KNOWN = Key(TEXT, "how that is known", '"gdb 13 sim/rl78/rl78.c"', required=True)

REFUSED = Table("[[assembler.known-error]]", {"rows": ROWS, "source": KNOWN})

ASSEMBLER = Table(
    "[assembler]",
    {
        "tool": Key(TEXT, "the program, run as `TOOL OPTIONS -o OBJECT SOURCE`", '"rl78-elf-as"', required=True),
        "options": Key(
            Either((TEXT, Names(TEXT))), "its options, or core = its options for that core", '{ s3 = "--mg14" }'
        ),
        "known-error": Key(Array(REFUSED), "rows that it refuses, though the machine has them"),
    },
)

MISCOUNTED = Table(
    "[[simulator.known-error]]",
    {
        "rows": ROWS,
        "clocks": Key(CLOCKS, "clocks that it counts beyond the true ones", "-1", required=True),
        "operands": Key(Names(RANGES), "only where these operands have such values", '{ s_k = "2 4 8" }'),
        "source": KNOWN,
    },
)

SIMULATOR = Table(
    "[simulator]",
    {
        "tool": Key(TEXT, "the program, which executes single instructions", '"rl78-elf-step"', required=True),
        "arguments": Key(
            Either((TEXT, Names(TEXT))),
            "its arguments, or core = its arguments for that core; a core that is left out is not simulated",
            '{ v850e1 = "--architecture=v850e1" }',
        ),
        "registers": Key(
            Names(Either((Integer(0, 1 << 16), String('a number and a bit of it: "37.0"', r"\d+\.\d+")))),
            "registers = the first one's number there; for a flag its register's number and the bit. A register"
            " that is `[mapped]` needs none",
            '{ "x a c b" = 0 }',
        ),
        "pc": Key(Integer(0, 1 << 16), "the number of the program counter", "35", required=True),
        "code": Key(ADDRESS, "where an instruction is put", "0x9000", required=True),
        "memory": Key(RANGES, "where it has plain memory", '"0xf8000..0xffedf"', required=True),
        "offset": Key(
            Integer(8, 64),
            "the width to which it cuts sums inside addresses, where the facts do not; what carries is not tried",
            "16",
        ),
        "clocks": Key(Array(TEXT), "the cores whose clocks it counts, if not all", '["cpu"]'),
        "states": Key(Integer(1, 1000), "in how many states each row is executed, 32 if not said", "8"),
        "known-error": Key(Array(MISCOUNTED), "what it is known to count wrongly"),
    },
)

LLVM = Table(
    "[llvm]",
    {
        "numbers": Key(
            Names(TEXT),
            "numbers = the constraint under which inline assembly takes them; others are written into the text",
            '{ "bit io5" = "I" }',
        ),
        "symbol": Key(
            Choice(("i", "*m")),
            "the constraint by which a symbol's bare name is printed, `i` if not said",
            '"*m"',
        ),
        "pointer": Key(
            TEXT,
            "the constraint of a pointer in any base register; if not said, it is put into the one of `[abi]`",
            '"r"',
        ),
        "clobbers": Key(
            Names(TEXT), "registers or flags = what LLVM calls them, if something else", '{ "n z c v" = "sr" }'
        ),
    },
)

FILE = Table(
    "the file",
    {
        "target": Key(TARGET, "the target itself", required=True),
        "sources": Key(Names(TEXT), "tag = what it stands for in `source`"),
        "dialect": Key(DIALECT, "how the assembler writes"),
        "constants": Key(CONSTANTS, "named numbers; a device may have its own"),
        "registers": Key(
            Names(Either((Integer(-(1 << 32), 1 << 32, "a width or value"), String('a pair such as "h:l"')))),
            'names = bits; name = "high:low"; one name = 0: a register that always holds 0',
            required=True,
        ),
        "mapped": Key(
            Names(String('an address, and a bit of it for a flag: "0xffffa.6"')),
            "registers and flags that are memory too",
        ),
        "class": Key(Names(WORDS), "which registers an operand may be"),
        "number": Key(Names(Either((RANGES, NUMBER))), "integers an operand may be"),
        "part": Key(Names(PART), "pieces of a symbol's address"),
        "mode": Key(Names(Names(MODE)), "addressing modes, in groups"),
        "insn": Key(Array(INSN), "the rows of the table", required=True),
        "read": Key(Array(INSN), "more rows, which assembly is read by, and nothing else"),
        "alias": Key(Names(TEXT), "spellings that are read, never printed"),
        "abi": Key(ABI, "what a compiler's code looks like"),
        "space": Key(Names(SPACE), "LLVM address spaces, by number"),
        "assembler": Key(ASSEMBLER, "what assembles its code, to check bytes and ranges with"),
        "simulator": Key(SIMULATOR, "what executes its code, to check effects and clocks with"),
        "llvm": Key(LLVM, "how LLVM's back end takes inline assembly"),
        "device": Key(Names(DEVICE), "devices", required=True),
    },
)


PUBLISHED = "target.schema.json"


def published() -> str:
    """The JSON Schema as it is shipped, for editors: the text of `json_schema`."""
    return files("bitsel.target").joinpath(PUBLISHED).read_text(encoding="utf-8")


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a `target.toml` (as the JSON that it is equal to)."""
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "title": "bitsel target facts"} | FILE.schema()


def reference() -> str:
    """The key tables of the reference page, in Markdown."""
    facts = (FILE, TARGET, DIALECT, NUMBER, PART, MODE, INSN, CELL, ABI, SPACE, DEVICE, REGION, MIRROR, REGISTER)
    tools = (ASSEMBLER, REFUSED, SIMULATOR, MISCOUNTED, LLVM)
    return "\n".join(_reference(table) for table in (*facts, *tools))


def _reference(table: Table) -> str:
    lines = [f"### {table.title}", "", "| key | type | says | example |", "|---|---|---|---|"]
    for key, spec in table.keys.items():
        name = f"**{key}**" if spec.required else key
        example = f"`{spec.example}`" if spec.example else ""
        cells = [cell.replace("|", "\\|") for cell in (name, spec.kind.doc, spec.says, example)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])

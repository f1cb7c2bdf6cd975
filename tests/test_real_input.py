"""Code that nobody here wrote: Arduino's core and libraries for AVR, at three optimisation levels.

What is tested is reading and matching. No input may fail, and the sites found are compared, function by function,
with a count made here from the text alone, by another method than the package's: from each ``store``, follow the
``%names`` back through the defining lines. The target (RL78) is not what the code was written for; that does not
matter to either side.

The package's bootloaders and firmwares are left out. Each is a program for a chip and a board of its own, and most
need the LUFA library, which the package does not hold.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bitsel.api import Selector

ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")
AVR_LIBC = Path("/usr/lib/avr/include")
LEVELS = ("O0", "Os", "O2")

# Three boards, because much of the core is there for one kind only: the 32U4's USB, the 2560's four serial ports.
BOARDS = {"standard": "atmega328p", "leonardo": "atmega32u4", "mega": "atmega2560"}

# On any board: avr-libc's wdt_enable, inline in <avr/wdt.h>, which CDC.cpp includes, has an assembly constraint
# that gcc takes and clang does not ("value '64' out of range for constraint 'I'").
NOT_COMPILED = {"cores/arduino/CDC.cpp": "out of range for constraint 'I'"}


def missing_tools() -> list[str]:
    """The Debian packages that would have to be installed."""
    needed = {
        "clang-19": shutil.which("clang-19"),
        "arduino-core-avr": ARDUINO.is_dir(),
        "avr-libc": AVR_LIBC.is_dir(),
    }
    return [package for package, there in needed.items() if not there]


needs_arduino = pytest.mark.skipif(
    bool(missing_tools()), reason="for Arduino's code: apt-get install " + " ".join(missing_tools())
)


def sources() -> list[str]:
    """The C and C++ files of the core and of the libraries, relative to ARDUINO."""
    found = [
        path.relative_to(ARDUINO).as_posix()
        for folder in ("cores", "libraries")
        for path in (ARDUINO / folder).rglob("*")
        if path.suffix in (".c", ".cpp")
    ]
    return sorted(found)


def compile_source(source: str, board: str, level: str, output: Path) -> str | None:
    """Compile one file to LLVM IR; what clang says where it cannot."""
    libraries = sorted(path for path in (ARDUINO / "libraries").glob("*/src"))
    includes = [ARDUINO / "cores/arduino", ARDUINO / "variants" / board, *libraries]
    command = ["clang-19", "--target=avr", f"-mmcu={BOARDS[board]}", f"-{level}", "-fno-exceptions", "-w"]
    command += ["-nostdlibinc", "-isystem", str(AVR_LIBC), *(f"-I{folder}" for folder in includes)]
    command += ["-DF_CPU=16000000L", "-DARDUINO=10819", "-DARDUINO_ARCH_AVR"]
    command += ["-DUSB_VID=0x2341", "-DUSB_PID=0x8036"]  # as boards.txt has them; used for the 32U4
    command += ["-S", "-emit-llvm", "-o", str(output), str(ARDUINO / source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stderr if done.returncode else None


@pytest.fixture(scope="module", params=LEVELS)
def modules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The .ll files of one optimisation level; what cannot be compiled is exactly what is listed."""
    folder = tmp_path_factory.mktemp(request.param)
    compiled, failed = [], {}
    for board in BOARDS:
        for source in sources():
            output = folder / f"{board}-{source.replace('/', '-')}.ll"
            complaint = compile_source(source, board, request.param, output)
            if complaint is None:
                compiled.append(output)
            else:
                failed[board, source] = complaint
    assert set(failed) == {(board, source) for board in BOARDS for source in NOT_COMPILED}, failed
    for (_, source), complaint in failed.items():
        assert NOT_COMPILED[source] in complaint
    return compiled


# --- the independent count --------------------------------------------------------------------------------

DEFINED = re.compile(r"\s+(%[-\w.$]+) = (?:(?:tail|musttail|notail) )?(\w+) (.*)")
STORE = re.compile(r"\s+store (?:atomic )?(?:volatile )?(.+?), ptr (?:addrspace\(\d+\) )?\S")
LOCAL = re.compile(r"%[-\w.$]+")
LOGIC = {"and", "or", "xor"}
SEEN_THROUGH = LOGIC | {"zext", "sext", "trunc", "freeze", "bitcast", "inttoptr", "ptrtoint"}


def functions(text: str) -> Iterator[tuple[str, list[str]]]:
    """Name and body of each definition in LLVM IR as clang 19 prints it."""
    for header, body in re.findall(r"^define ([^\n]*)\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        name = re.search(r"@([-\w.$]+)\(", header)
        assert name, header
        yield name[1], body.splitlines()


def reaches_load(value: str, defined: dict[str, tuple[str, str]], logic: bool = False) -> bool:
    """Whether `value`, or an operand it is made of, is a load, with an and, or or xor on the way."""
    opcode, operands = defined.get(value, ("", ""))
    if opcode == "load":
        return logic
    if opcode not in SEEN_THROUGH:
        return False
    logic = logic or opcode in LOGIC
    return any(reaches_load(operand, defined, logic) for operand in LOCAL.findall(operands))


def count_sites(text: str) -> Counter[str]:
    """How many sites each function has: stores of logic on a loaded value, and atomic updates."""
    counts: Counter[str] = Counter()
    for name, body in functions(text):
        lines = [line.partition(", !")[0] for line in body]  # operands without metadata
        defined = {made[1]: (made[2], made[3]) for made in map(DEFINED.match, lines) if made}
        for line in lines:
            stored = STORE.match(line)
            if stored:
                counts[name] += any(reaches_load(value, defined) for value in LOCAL.findall(stored[1])[-1:])
            counts[name] += " = atomicrmw " in line
    return +counts


def test_the_count_itself() -> None:
    text = """
define void @both_chains(ptr %p) {
  %a = load i8, ptr %p, align 1, !tbaa !2
  %b = zext nneg i8 %a to i16
  %c = or disjoint i16 %b, 4
  %d = trunc nuw i16 %c to i8
  store i8 %d, ptr %p, align 1, !tbaa !2
  %e = load volatile i8, ptr @g, align 1
  %f = xor i8 %e, %a
  store volatile i8 %f, ptr inttoptr (i16 96 to ptr), align 1
  ret void
}
define void @none(ptr %p, i8 %m) {
  %a = load i8, ptr %p, align 1
  store i8 %a, ptr @g, align 1
  %b = add i8 %a, 1
  %c = and i8 %b, 7
  store i8 %c, ptr %p, align 1
  %d = or i8 %m, 1
  store i8 %d, ptr %p, align 1
  ret void
}
define i8 @atomic(ptr %p) {
  %1 = atomicrmw or ptr %p, i8 1 seq_cst, align 1
  ret i8 %1
}
"""
    assert count_sites(text) == {"both_chains": 2, "atomic": 1}


# --- the tests ------------------------------------------------------------------------------------------------


@needs_arduino
def test_every_update_in_arduinos_code_is_a_site(modules: list[Path]) -> None:
    with Selector("rl78:r7f100g") as selector:
        for path in modules:
            reading = selector.read(path)
            found = Counter(site.function for site in reading.sites)
            assert found == count_sites(path.read_text()), path.name


@needs_arduino
def test_the_inits_of_arduinos_timers_are_all_found(modules: list[Path]) -> None:
    """`init` in wiring.c, by hand for the ATmega328P: each sbi there is one update of a volatile register."""
    (path,) = [path for path in modules if path.name == "standard-cores-arduino-wiring.c.ll"]
    timer0 = 5  # WGM01, WGM00, CS01, CS00, TOIE0
    timer1 = 3  # CS11, CS10, WGM10
    timer2 = 2  # CS22, WGM20
    adc = 4  # ADPS2, ADPS1, ADPS0, ADEN
    with Selector("rl78:r7f100g") as selector:
        sites = [site for site in selector.read(path).sites if site.function == "init"]
    assert len(sites) == timer0 + timer1 + timer2 + adc
    assert all(site.idiom and site.idiom.access.volatile and site.idiom.effect.is_single_bit for site in sites)


@needs_arduino
def test_the_corpus_is_worth_reading(modules: list[Path]) -> None:
    assert len(modules) > 80
    assert sum(count_sites(path.read_text()).total() for path in modules) > 300

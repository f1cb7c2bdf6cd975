"""The shipped examples: what RL78/G23 executes for each of their updates, written out by hand.

Legality never depends on the compiler's optimisation level, and these programs have the same updates at each: one
table stands for -O0, -Os and -O2, but for one function. Beside that: SHA-256 is compiled for the host and checked
against FIPS 180-4, and the committed .ll files are what clang 19 makes of the committed sources.
"""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from bitsel.api import select
from bitsel.report import Report, SiteReport

EXAMPLES = Path(__file__).parents[1] / "examples"
LEVELS = ("O0", "Os", "O2")

needs_cc = pytest.mark.skipif(not shutil.which("cc"), reason="for a host compiler: apt-get install gcc")
needs_clang = pytest.mark.skipif(not shutil.which("clang-19"), reason="for clang 19: apt-get install clang-19")

# Function -> per update, in order: the instructions chosen with their bytes and cycles, or the reason.
# A pointer argument is in ax: `movw hl, ax` (1 byte, 1 cycle) before SET1 [HL].bit (2, 2).
SHA256 = {
    "sha256_init": ["movw hl, ax; clr1 [hl].1 3/3", "movw hl, ax; clr1 [hl].7 3/3", "movw hl, ax; set1 [hl].0 3/3"],
    "sha256_update": ["movw hl, ax; set1 [hl].7 3/3"],
    "sha256_final": ["movw hl, ax; clr1 [hl].0 3/3", "movw hl, ax; set1 [hl].1 3/3"],
}

G23_DRIVER = {
    "led_init": ["clr1 0xfff05.3 3/2", "clr1 0xfff25.3 3/2"],
    "led_on": ["set1 0xfff05.3 3/2"],
    "led_off": ["clr1 0xfff05.3 3/2"],
    "led_toggle": ["xor 0xfff05, #8 3/2"],
    "led_write": ["nonconst-mask"],
    "led_pair_on": ["or 0xfff05, #24 3/2", "addr-range"],
    "button_init": ["set1 0xfff23.0 3/2", "set1 !0xf0033.0 4/2"],
    "button_pressed": ["set1 !_events.0 4/2"],
    "port_pin_as_output": ["addw ax, #32; movw hl, ax; clr1 [hl].1 6/4"],
    "timer_start": ["set1 !0xf00f0.0 4/2", "clr1 0xfffe1.6 3/2", "clr1 0xfffe5.6 3/2", "set1 !0xf01b2.0 4/2"],
    "timer_stop": ["set1 !0xf01b4.0 4/2", "set1 0xfffe5.6 3/2", "clr1 0xfffe1.6 3/2", "clr1 !0xf00f0.0 4/2"],
    "timer_output_enable": ["volatile-width"],
    "timer_output_high": ["not-bit-addressable"],
    "timer_mode_interval": ["no-form", "no-form"],
    "timer_interrupt": ["set1 !_events+1.0 4/2", "no-form", "xor 0xfff05, #8 3/2"],
    "events_take_tick": ["value-used"],
    "external_interrupt_enable": ["clr1 0xfffe0.2 3/2", "clr1 0xfffe4.2 3/2"],
    "serial_start": ["addw ax, #34; movw hl, ax; set1 [hl].0 6/4"],
    "serial_stop": ["set1 !0xf0124.0 4/2"],
    "serial_mark_parity": ["or 0xfff10, #128 3/2"],
    "watchdog_touch": ["not-bit-addressable"],
    "options_lock": ["set1 !_options+2.6 4/2"],
}


def outcome(site: SiteReport) -> str:
    if site.chosen is None:
        assert site.reason is not None
        return site.reason.code.value
    return f"{'; '.join(site.chosen.asm)} {site.chosen.bytes}/{site.chosen.cycles}"


def by_function(report: Report) -> dict[str, list[str]]:
    outcomes: dict[str, list[str]] = {}
    for site in report.sites:
        outcomes.setdefault(site.function, []).append(outcome(site))
    return outcomes


def example(name: str, level: str) -> Report:
    return select(EXAMPLES / f"{name}.{level}.ll", target="rl78:r7f100g")


@pytest.mark.parametrize("level", LEVELS)
def test_sha256_has_its_six_updates_selected(level: str) -> None:
    report = example("sha256", level)
    assert by_function(report) == SHA256
    assert (report.summary.sites, report.summary.selected) == (6, 6)


@pytest.mark.parametrize("level", LEVELS)
def test_the_drivers_updates(level: str) -> None:
    report = example("g23_driver", level)
    expected = dict(G23_DRIVER)
    if level == "O0":  # the old value is stored in a local variable, and what is masked is loaded from there
        expected["events_take_tick"] = ["addr-mismatch"]
    assert by_function(report) == expected
    assert (report.summary.sites, report.summary.selected) == (35, 26)


@pytest.mark.parametrize("level", LEVELS)
def test_a_site_of_the_driver_names_the_line_of_c(level: str) -> None:
    lines = (EXAMPLES / "g23_driver.c").read_text().splitlines()
    for site in example("g23_driver", level).sites:
        if site.function == "watchdog_touch":
            assert site.debug is not None
            file, line = site.debug
            assert file == "g23_driver.c"
            assert lines[line - 1].strip() == "WDTE |= 0x04u;"
            break
    else:
        pytest.fail("no site in watchdog_touch")


@pytest.mark.parametrize("level", LEVELS)
def test_the_update_in_the_interrupt_handler_is_one_instruction(level: str) -> None:
    sites = [site for site in example("g23_driver", level).sites if site.function == "timer_interrupt"]
    event = sites[0]
    assert event.chosen is not None
    assert event.baseline is not None
    assert not event.chosen.interruptible
    assert event.baseline.interruptible


# --- the sources ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sha256_library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library = tmp_path_factory.mktemp("sha256") / "sha256.so"
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", str(library), str(EXAMPLES / "sha256.c")], check=True, timeout=60)
    return ctypes.CDLL(str(library))


def digest(library: ctypes.CDLL, *parts: bytes) -> bytes:
    """The digest of the parts, each given to sha256_update by itself."""
    context = ctypes.create_string_buffer(256)  # zero; struct sha256_context is smaller
    result = ctypes.create_string_buffer(32)
    library.sha256_init(context)
    for part in parts:
        library.sha256_update(context, part, ctypes.c_size_t(len(part)))
    library.sha256_final(context, result)
    return result.raw


@needs_cc
@pytest.mark.parametrize(
    ("message", "expected"),
    [  # the worked examples that go with FIPS 180-4, and the empty message
        (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
        (b"a" * 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ],
    ids=["empty", "one block", "two blocks", "a million"],
)
def test_sha256_vectors(sha256_library: ctypes.CDLL, message: bytes, expected: str) -> None:
    assert digest(sha256_library, message).hex() == expected


@needs_cc
def test_sha256_at_every_length_around_the_padding(sha256_library: ctypes.CDLL) -> None:
    for length in range(200):
        message = bytes(7 * n & 0xFF for n in range(length))
        assert digest(sha256_library, message) == hashlib.sha256(message).digest(), length
        assert digest(sha256_library, message[:33], message[33:]) == hashlib.sha256(message).digest(), length


@needs_cc
def test_sha256_state_bits(sha256_library: ctypes.CDLL) -> None:
    busy, done, error = b"\x01", b"\x02", b"\x80"
    context = ctypes.create_string_buffer(256)
    sha256_library.sha256_update(context, b"x", ctypes.c_size_t(1))
    assert context.raw[:1] == error
    sha256_library.sha256_init(context)
    assert context.raw[:1] == busy
    sha256_library.sha256_final(context, ctypes.create_string_buffer(32))
    assert context.raw[:1] == done


@needs_clang
def test_the_committed_ir_is_what_clang_makes_of_the_sources(tmp_path: Path) -> None:
    subprocess.run([str(EXAMPLES / "regenerate.sh"), str(tmp_path)], check=True, timeout=60)
    made = {path.name: path.read_text() for path in tmp_path.glob("*.ll")}
    committed = {path.name: path.read_text() for path in EXAMPLES.glob("*.ll")}
    assert len(committed) == 2 * len(LEVELS)
    assert made == committed

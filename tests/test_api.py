"""The Python door: what counts as an input, typed results, and errors of the right class."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bitsel
import bitsel_rl78
from bitsel.errors import InputError, UsageError
from bitsel.report import Header, InputReport, SiteReport

TEXT = """\
@flags = global i8 0
define void @f() {
  %v = load volatile i8, ptr @flags
  %o = or i8 %v, 16
  store volatile i8 %o, ptr @flags
  ret void
}
define i8 @g() {
  %v = load i8, ptr @flags
  %o = or i8 %v, 16
  store i8 %o, ptr @flags
  ret i8 %v
}
"""
BIG_ENDIAN = f'target datalayout = "E-p:16:16"\n{TEXT}'
TARGET = "rl78:r7f100g"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.ll"
    path.write_text(TEXT)
    return path


def test_a_report_has_typed_results() -> None:
    report = bitsel.select(TEXT, target=TARGET)
    assert report.header == Header("rl78", "r7f100g", "size", "strict")
    assert report.input == InputReport("<text>", 2, 2, 1)
    first, second = report.sites
    assert (first.id, first.function, first.block, first.line, first.debug) == ("f:0:0", "f", "0", 5, None)
    assert first.chosen is not None
    assert (first.verdict, first.chosen.asm, first.chosen.bytes) == ("selected", ("set1 !_flags.4",), 4)
    assert first.baseline is not None
    assert first.baseline.bytes == 7
    assert (second.verdict, second.chosen) == ("rejected", None)
    assert second.reason is not None
    assert second.reason.code.value == "value-used"
    assert (report.summary.sites, report.summary.selected, report.summary.bytes_saved) == (2, 1, 3)
    assert report.summary.by_reason == {"value-used": 1}


def test_paths_text_and_data_are_told_apart_by_type(file: Path) -> None:
    for source, name in ((file, str(file)), (str(file), str(file)), (TEXT, "<text>"), (TEXT.encode(), "<data>")):
        report = bitsel.select(source, target=TARGET)
        assert report.input == InputReport(name, 2, 2, 1)
        assert {site.input for site in report.sites} == {name}


def test_a_string_without_a_line_break_is_a_path() -> None:
    with pytest.raises(InputError, match="define void @f: cannot be read: No such file or directory"):
        bitsel.select("define void @f", target=TARGET)


def test_an_input_that_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.ll", "null\0character"):
        with pytest.raises(InputError, match="cannot be read"):
            bitsel.select(path, target=TARGET)


def test_a_big_endian_target_is_refused(tmp_path: Path) -> None:
    """There, bit 12 of a word is bit 4 of its first byte, and the selector would take it for one of the second."""
    folder = tmp_path / "big"
    shutil.copytree(Path(bitsel_rl78.__file__).parent, folder)
    table = folder / "target.toml"
    text = table.read_text()
    for old, new in (('"rl78"', '"big"'), ('"little"', '"big"')):
        assert old in text
        text = text.replace(old, new, 1)
    table.write_text(text)
    with pytest.raises(UsageError, match="target big is big-endian: only little-endian ones are selected for"):
        bitsel.select(TEXT, target="big:r7f100g", plugins=[folder])


def test_another_byte_order_is_an_input_error() -> None:
    with pytest.raises(InputError, match="<text>.*big-endian.*rl78 is little-endian"):
        bitsel.select(BIG_ENDIAN, target=TARGET)


def test_wrong_options_are_usage_errors_with_the_known_values() -> None:
    with pytest.raises(UsageError, match="unknown target 'rl87'.*did you mean 'rl78'"):
        bitsel.select(TEXT, target="rl87")
    with pytest.raises(UsageError, match="unknown device 'r7f100'.*did you mean 'r7f100g'"):
        bitsel.select(TEXT, target="rl78:r7f100")
    with pytest.raises(UsageError, match="devices that differ.*s3, r7f100g|devices that differ.*r7f100g, s3"):
        bitsel.select(TEXT, target="rl78")
    with pytest.raises(UsageError, match=r"unknown objective 'sise' \(known: size, speed\); did you mean 'size'"):
        bitsel.select(TEXT, target=TARGET, objective="sise")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"unknown policy 'lax' \(known: strict, vendor\)"):
        bitsel.select(TEXT, target=TARGET, policy="lax")  # type: ignore[arg-type]


def test_sites_are_found_as_they_are_asked_for() -> None:
    broken_below = f"{TEXT}define void @h() {{\ndefine void @i() {{\n  ret void\n}}\n"
    with bitsel.Selector(TARGET) as selector:
        sites = selector.read(broken_below, name="broken.ll").sites
        assert next(sites).function == "f"
        with pytest.raises(InputError, match="broken.ll:14: "):
            list(sites)


def test_running_reports_an_error_instead_of_raising_it(tmp_path: Path) -> None:
    with bitsel.Selector(TARGET) as selector:
        [event] = selector.run(tmp_path / "missing.ll", name="missing.ll")
    assert isinstance(event, InputReport)
    assert event.error is not None
    assert event.error.endswith("missing.ll: cannot be read: No such file or directory")


def test_an_input_broken_further_down_is_reported_after_its_sites() -> None:
    with bitsel.Selector(TARGET) as selector:
        *sites, done = selector.run(f"{TEXT}define void @h() {{\ndefine void @i() {{\n  ret void\n}}\n")
    assert [site.function for site in sites if isinstance(site, SiteReport)] == ["f", "g"]
    assert isinstance(done, InputReport)
    assert (done.sites, done.selected) == (2, 1)
    assert (done.error or "").startswith("<text>:14: ")


def test_running_gives_the_sites_and_then_the_input() -> None:
    with bitsel.Selector(TARGET) as selector:
        events = list(selector.run(TEXT, name="mine"))
    assert [type(event) for event in events] == [SiteReport, SiteReport, InputReport]
    assert events[-1] == InputReport("mine", 2, 2, 1)


def test_importing_bitsel_imports_nothing_heavy() -> None:
    heavy = "{'attrs', 'pluggy', 'rich', 'networkx', 'tomli', 'argparse'}"
    script = f"import sys, bitsel; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_public_names_are_there_and_no_others() -> None:
    assert set(bitsel.__all__) <= set(dir(bitsel))
    assert all(getattr(bitsel, name) is not None for name in bitsel.__all__)
    with pytest.raises(AttributeError, match="no attribute 'selekt'"):
        _ = bitsel.selekt  # type: ignore[attr-defined]

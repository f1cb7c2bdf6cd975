"""Which forms take part: flags that nobody reads are nobody's concern, and what writes nothing else is left out."""

from __future__ import annotations

from pathlib import Path

from bitsel.selector.useful import useful
from bitsel.target.does import show
from bitsel.target.expand import forms
from bitsel.target.facts import Target
from bitsel.target.load import load_target

TABLE = """\
[target]
name = "flags"
endian = "little"
address = 16
cores = ["one"]
[registers]
"d r" = 8
"z n s c" = 1
[mapped]
c = "0x40.0"
[[insn]]
text = "or d, r"
does = "d = d | r; z = d == 0; n = d >> 7; s = n"
bytes = 2
cycles = 1
[[insn]]
text = "pick d"
does = "d = d | z"
bytes = 2
cycles = 1
[[insn]]
text = "test d"
does = "n = d >> 7; s = n"
bytes = 2
cycles = 1
[[insn]]
text = "setc"
does = "c = 1"
bytes = 2
cycles = 1
[device.d]
core = "one"
"""


def found(folder: Path, text: str = TABLE) -> dict[str, list[str]]:
    (folder / "target.toml").write_text(text)
    target: Target = load_target(folder)
    left = useful(forms(target, target.devices["d"]), target)
    return {form.mnemonic: [show(statement) for statement in form.does] for form in left}


def test_flags_that_nobody_reads_are_left_unspecified(tmp_path: Path) -> None:
    # z is read by pick; n by s alone, which nobody reads.
    assert found(tmp_path)["or"] == ["d = d | r", "z = d == 0", "n = any", "s = any"]


def test_without_a_reader_no_flag_is_kept(tmp_path: Path) -> None:
    forms = found(tmp_path, TABLE.replace('does = "d = d | z"', 'does = "d = ~d"'))
    assert forms["or"] == ["d = d | r", "z = any", "n = any", "s = any"]


def test_a_form_that_writes_nothing_but_such_flags_is_left_out(tmp_path: Path) -> None:
    assert "test" not in found(tmp_path)


def test_a_flag_that_is_also_memory_may_be_read_there(tmp_path: Path) -> None:
    assert found(tmp_path)["setc"] == ["c = 1"]

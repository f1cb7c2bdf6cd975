"""A damaged table of facts is refused with a `FactsError` that names its file, or loads; never anything else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bitsel_rl78
from bitsel.errors import FactsError
from bitsel.target.expand import forms
from bitsel.target.load import load_target

RL78 = Path(bitsel_rl78.__file__).parent
TEXTS = [file.read_text() for file in [RL78 / "target.toml", *(Path(__file__).parent / "machines").glob("*.toml")]]
CSV = (RL78 / "devices" / "r7f100g.csv").read_text()

SCRAPS = [*"{}[]'\"=,-~é\n\0", "..", "{op}", "{w}", "0x", "9" * 11, "m["]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("damaged")
    shutil.copytree(RL78 / "devices", found / "devices")
    return found


def check(folder: Path) -> None:
    """Loads what is in `folder` and expands it, or gets an error of one line with a place in it."""
    try:
        target = load_target(folder)
    except FactsError as error:
        message = str(error)
    else:
        for device in target.devices.values():
            forms(target, device)
        return
    assert message.startswith(str(folder))
    assert "\n" not in message


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """A text with some lines deleted, doubled, swapped or cut, some words exchanged, or scraps put in."""
    lines = draw(st.sampled_from(texts)).split("\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        other = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["delete", "double", "swap", "cut", "word", "scrap", "char"])):
            case "delete":
                lines[at] = ""
            case "double":
                lines.insert(other, lines[at])
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "cut":
                lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
            case "word":
                words, donor = lines[at].split(" "), lines[other].split(" ")
                words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(donor))
                lines[at] = " ".join(words)
            case "scrap":
                where = draw(st.integers(0, len(lines[at])))
                lines[at] = lines[at][:where] + draw(st.sampled_from(SCRAPS)) + lines[at][where:]
            case "char":
                where = draw(st.integers(0, len(lines[at])))
                lines[at] = lines[at][:where] + draw(st.characters()) + lines[at][where + 1 :]
    return "\n".join(lines)


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=damaged(TEXTS))
def test_a_damaged_table(folder: Path, text: str) -> None:
    (folder / "target.toml").write_text(text, errors="surrogatepass")
    check(folder)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=damaged([CSV]))
def test_a_damaged_register_list(folder: Path, text: str) -> None:
    (folder / "target.toml").write_text(TEXTS[0])
    (folder / "devices" / "r7f100g.csv").write_text(text, errors="surrogatepass")
    check(folder)


def test_every_line_left_out(folder: Path) -> None:
    """All of the smallest machine's lines, one at a time."""
    lines = (Path(__file__).parent / "machines" / "msp430.toml").read_text().split("\n")
    for i in range(len(lines)):
        (folder / "target.toml").write_text("\n".join(lines[:i] + lines[i + 1 :]))
        check(folder)

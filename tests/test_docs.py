"""Documentation that cannot rot: every block in README and docs/ runs, and nothing public is left out.

* ```` ```console ````: lines after ``$ `` are commands, run by bash in a folder that looks like the project's; what
  follows is all they print. ``...`` stands for any text, alone on a line for any lines.
* ```` ```python ````: run as one program per page; with ``>>>`` as a doctest.
* Any other block must follow ``<!-- file: NAME -->``, and becomes that file for the rest of the page, or
  ``<!-- more of: NAME -->``, and is added to that file, after an empty line.

``BLESS=1 pytest tests/test_docs.py`` writes what the commands now print into the pages; read the difference.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from bitsel import hookspecs
from bitsel.cli import _parser
from bitsel.reasons import Code

ROOT = Path(__file__).resolve().parent.parent
INSTALLED = "installed"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(
    r"(?:<!-- (?P<how>file|more of): (?P<file>\S+) -->\n+)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@frozen
class Block:
    kind: str
    text: str
    line: int
    file: str | None
    adds: bool


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("text")) + 1
        yield Block(match["kind"], match["text"], line, match["file"], match["how"] == "more of")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with everything of the project in it, into which a page may write."""
    for entry in ROOT.iterdir():
        if entry.name != ".git":
            (tmp_path / entry.name).symlink_to(entry)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_page_is_true(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        where = f"{page.relative_to(ROOT)}:{block.line}"
        if block.file:
            write_block(block, folder / block.file)
        elif block.kind == "console":
            shown = ""
            for command, expected in commands(block.text):
                printed = output(command, folder)
                if not matches(expected, printed) and os.environ.get("BLESS"):
                    expected = tidy(printed)
                assert matches(expected, printed), f"{where}: $ {command}\n{printed}"
                shown += f"$ {command}\n{expected}"
            if shown != block.text:
                bless(page, block, shown)
        elif block.kind == "python":
            run_python(block.text, names, where)
        else:
            pytest.fail(f"{where}: a block of kind {block.kind!r} that nothing runs")


def write_block(block: Block, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") + "\n" if block.adds else ""
    path.write_text(before + block.text, encoding="utf-8")


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command with what it must print."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def output(command: str, folder: Path) -> str:
    """What `command` prints, on both streams, as in a pipe."""
    if command == "make test":  # is what runs this; that it would run is all that can be said here
        command = "make --dry-run test"
    elif command == "make demo":
        command = f"make --silent demo {this_environment()}"
    elif command.startswith("pip install "):
        command = f"{command} {beside_this_environment()}"
    programs = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    environment["PYTHONPATH"] = INSTALLED  # what a page installs; there is nothing where it installs nothing
    for inherited in ("COLUMNS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # make's, where make runs the suite
        environment.pop(inherited, None)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        check=False,
    )
    return done.stdout


def this_environment() -> str:
    """Arguments by which make uses the environment of this very process, and counts it as set up."""
    return f"VENV={sys.prefix} --assume-old={sys.prefix}/installed"


def beside_this_environment() -> str:
    """Arguments by which pip installs for this page alone, without asking the network for anything."""
    pytest.importorskip("hatchling", reason="no hatchling to build a plugin with: pip install hatchling")
    return f"--quiet --no-deps --no-build-isolation --target {INSTALLED}"


def tidy(printed: str) -> str:
    """Without white space at line ends, and empty lines around it."""
    return "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())


def bless(page: Path, block: Block, shown: str) -> None:
    """Write `shown` in the place of a block. Of blocks that read alike the first was blessed, if any was."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(f"```console\n{block.text}```", f"```console\n{shown}```", 1), encoding="utf-8")


def matches(expected: str, printed: str) -> bool:
    """Whether `printed` is what the page shows, apart from white space at line ends."""
    lines = [line.rstrip() for line in expected.strip("\n").splitlines()]
    pattern = "\n".join(re.escape(line).replace(r"\.\.\.", ".*") for line in lines)
    # `...` alone on a line: any lines, or none.
    pattern = re.sub(r"(?m)^\.\*$\n?", "(?:.*\n)*", pattern + "\n")
    return (
        re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.strip("\n").splitlines()) + "\n")
        is not None
    )


def run_python(text: str, names: dict[str, object], where: str) -> None:
    if ">>> " not in text:
        exec(compile(text, where, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not report, "".join(report)


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\nb\n", "a  \nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a\n...\nc\n", "a\nc\n", True),
        ("a\n...\nc\n", "a\nb\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b\nb c\n", False),
        ("", "", True),
        ("", "a\n", False),
    ],
)
def test_what_counts_as_the_same_output(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) == same


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


def test_every_reason_is_documented_in_order_with_its_sentence() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| ([^|]+?) \|", reference("reasons.md"), re.MULTILINE)
    assert rows == [(code.value, code.when) for code in Code]


def test_every_hook_is_documented_in_its_own_words() -> None:
    page = " ".join(reference("hooks.md").split())
    hooks = [name for name in vars(hookspecs) if name.startswith("bitsel_")]
    assert hooks
    for hook in hooks:
        promises = " ".join(vars(hookspecs)[hook].__doc__.replace("``", "`").split())
        assert all(word in promises for word in ("Called:", "Gets:", "Returns:"))
        assert f"## `{hook}` {promises}" in page


def test_every_command_and_option_is_documented() -> None:
    page = reference("cli.md")
    for parser in parsers(_parser()):
        assert f"$ {parser.prog} --help" in page
        for action in parser._actions:
            assert all(option in page for option in action.option_strings)


def parsers(parser: object) -> Iterator[object]:
    yield parser
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for inner in action.choices.values():
                yield from parsers(inner)


def test_every_public_name_is_documented() -> None:
    import bitsel

    page = reference("python.md")
    for name in bitsel.__all__:
        assert name in page


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page.relative_to(ROOT)}: {link}"

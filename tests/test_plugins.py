"""The plugin door, with real entry points: a distribution is put on the path as an installer would lay it out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from bitsel.errors import FactsError, PluginError, UsageError
from bitsel.plugins import Plugins, find_device
from bitsel.target.facts import Target

TABLE = """\
[target]
name    = "toy"
endian  = "little"
address = 16
cores   = ["one"]

[registers]
"a p" = 8

[abi]
scratch = "a"

[number]
addr = { in = "0..0xffff", symbol = "whole" }
bit  = "0..7"
u8   = "0..255"
[part]
whole = { is = "A", text = "{}" }

[mode.mem]
abs = { text = "{a:addr}", is = "m[a]", bytes = 2 }

[[insn]]
ops    = { bset = "v |= 1 << bit", bclr = "v &= ~(1 << bit)" }
text   = "{op} {v:mem}, {bit:bit}"
bytes  = 2
cycles = 2
bit    = true
[[insn]]
text   = "ld a, {v:mem}"
does   = "a = v"
bytes  = 1
cycles = 1
[[insn]]
text   = "st {v:mem}, a"
does   = "v = a"
bytes  = 1
cycles = 1
[[insn]]
ops    = { or = "a |= i", and = "a &= i" }
text   = "{op} a, {i:u8}"
bytes  = 2
cycles = 1

[device.t1]
core = "one"
"""
PLUGIN = """\
from pathlib import Path
from bitsel.hookspecs import hookimpl

@hookimpl
def bitsel_target():
    return Path(__file__).with_name("toy.toml")
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """``install("toy_plugin", PLUGIN)``: a distribution whose one module is the entry point of target `target`."""

    def install(module: str, source: str, *, target: str = "toy", table: str = TABLE) -> None:
        site = tmp_path / module
        info = site / f"{module}-1.0.dist-info"
        info.mkdir(parents=True)
        (site / f"{module}.py").write_text(source)
        (site / "toy.toml").write_text(table)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[bitsel.targets]\n{target} = {module}\n")
        monkeypatch.syspath_prepend(site)

    return install


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "target.toml"
    path.write_text(TABLE)
    return path


def test_the_bundled_target_comes_through_the_same_door() -> None:
    plugins = Plugins()
    assert plugins.provider("rl78").owner.startswith("bitsel ")
    assert plugins.target("rl78").name == "rl78"


def test_an_installed_plugin(install: Install) -> None:
    install("toy_ok", PLUGIN)
    plugins = Plugins()
    assert {"rl78", "toy"} <= set(plugins.names)
    assert plugins.provider("toy").owner == "toy_ok 1.0"
    assert set(plugins.target("toy").devices) == {"t1"}


def test_a_bare_file_and_a_bare_directory(table: Path) -> None:
    for path in (table, table.parent, str(table)):
        assert Plugins([path]).target("toy").name == "toy"


def test_a_path_without_a_target(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(FactsError, match="no such file; a target is a folder with a target.toml"):
            Plugins([path])


def test_a_duplicate_names_both_owners(install: Install, table: Path) -> None:
    install("toy_first", PLUGIN)
    install("toy_second", PLUGIN)
    with pytest.raises(PluginError) as caught:
        Plugins().target("toy")
    assert str(caught.value) == "target 'toy' is brought by toy_second 1.0 and toy_first 1.0; only one can stay"
    assert Plugins().target("rl78").name == "rl78"


def test_a_path_is_no_way_around_a_duplicate(install: Install, table: Path) -> None:
    install("toy_installed", PLUGIN)
    with pytest.raises(PluginError, match=r"brought by toy_installed 1\.0 and .*target\.toml"):
        Plugins([table]).target("toy")


@pytest.mark.parametrize(
    ("module", "source", "said"),
    [
        ("toy_import", "import no_such_module", r"cannot be imported: ModuleNotFoundError: .*no_such_module"),
        ("toy_exit", "raise SystemExit('no')", r"cannot be imported: SystemExit: no"),
        ("toy_raise", PLUGIN.replace("return", "raise ValueError('no') #"), "bitsel_target raised ValueError: no"),
        ("toy_none", PLUGIN.replace("return", "return None #"), "must return the path .* is not implemented"),
        ("toy_empty", "", "must return the path .* is not implemented"),
        ("toy_wrong", PLUGIN.replace("return", "return 1 #"), "must return the path .* returned 1"),
        ("toy_unknown", PLUGIN + "\n@hookimpl\ndef bitsel_tarjet():\n    pass\n", "does not fit: .*bitsel_tarjet"),
        ("toy_argument", PLUGIN.replace("bitsel_target()", "bitsel_target(name)"), "does not fit: .*name"),
    ],
)  # fmt: skip
def test_a_broken_plugin_is_named_and_breaks_only_its_own_target(
    module: str, source: str, said: str, install: Install
) -> None:
    install(module, source)
    plugins = Plugins()
    with pytest.raises(PluginError, match=f"plugin 'toy' of {module} 1.0.*{said}"):
        plugins.target("toy")
    assert plugins.target("rl78").name == "rl78"


def test_a_plugin_may_not_bring_another_target(install: Install) -> None:
    install("toy_other", PLUGIN, table=TABLE.replace('"toy"', '"joy"'))
    with pytest.raises(
        PluginError, match=r"plugin 'toy' of toy_other 1\.0 brings a target that calls itself 'joy'"
    ):
        Plugins().target("toy")


def test_an_unknown_target_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        Plugins().target("rl87")
    assert str(caught.value) == "unknown target 'rl87' (known: avr, rl78); did you mean 'rl78'?"


@pytest.fixture
def toy(table: Path) -> Target:
    return Plugins([table]).target("toy")


def test_the_only_device_needs_no_name(toy: Target) -> None:
    assert find_device(toy, None).name == "t1"


def test_devices_that_differ_only_in_name_are_one(toy: Target) -> None:
    twin = evolve(toy.devices["t1"], name="t2", description="the same in another package")
    assert find_device(evolve(toy, devices={**toy.devices, "t2": twin}), None).name in {"t1", "t2"}


def test_devices_that_differ_must_be_named(toy: Target) -> None:
    other = evolve(toy.devices["t1"], name="t2", features=frozenset({"rmw"}))
    two = evolve(toy, devices={**toy.devices, "t2": other})
    with pytest.raises(UsageError) as caught:
        find_device(two, None)
    assert str(caught.value) == (
        "target toy has devices that differ in what is legal (known: t1, t2); name one, as in toy:t1"
    )
    assert find_device(two, "t2").name == "t2"
    assert find_device(evolve(two, default_device="t2"), None).name == "t2"


def test_an_unknown_device_is_answered_with_the_known_ones(toy: Target) -> None:
    with pytest.raises(UsageError) as caught:
        find_device(toy, "t11")
    assert str(caught.value) == "unknown device 't11' of target toy (known: t1); did you mean 't1'?"

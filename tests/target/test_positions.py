"""Where keys and values of a TOML text stand."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli

from bitsel.target.positions import Places, places

TEXT = """\
# comment [no table]
top = 1
[a.b]
c = "x # no comment"  # a comment
"quoted key" = { in = [1, "2", { deep = 3 }], out.er = '''
[[not.a.table]]
''' }
[[row]]
n = [
  1, # one
  2,
]
[[row]]
n = \"\"\"a
b\"\"\"
[row.sub]
m = 2000-01-01
[[row.list]]
k = 1
"""

KEYS = {
    ("top",): (2, 1),
    ("a", "b"): (3, 1),
    ("a", "b", "c"): (4, 1),
    ("a", "b", "quoted key"): (5, 1),
    ("a", "b", "quoted key", "in"): (5, 18),
    ("a", "b", "quoted key", "in", 2, "deep"): (5, 34),
    ("a", "b", "quoted key", "out"): (5, 47),
    ("a", "b", "quoted key", "out", "er"): (5, 47),
    ("row", 0): (8, 1),
    ("row", 0, "n"): (9, 1),
    ("row", 1): (13, 1),
    ("row", 1, "n"): (14, 1),
    ("row", 1, "sub"): (16, 1),
    ("row", 1, "sub", "m"): (17, 1),
    ("row", 1, "list", 0): (18, 1),
    ("row", 1, "list", 0, "k"): (19, 1),
}

VALUES = {
    ("top",): (2, 7),
    ("a", "b", "c"): (4, 5),
    ("a", "b", "quoted key", "in", 1): (5, 27),
    ("row", 0, "n", 1): (11, 3),
    ("row", 1, "n"): (14, 5),
    ("row", 1, "list", 0, "k"): (19, 5),
}


def test_keys() -> None:
    assert places(TEXT).key == KEYS


@pytest.mark.parametrize(("path", "place"), VALUES.items())
def test_values(path: tuple[str | int, ...], place: tuple[int, int]) -> None:
    assert places(TEXT).value[path] == place


def test_what_is_not_there_is_at_what_is_around_it() -> None:
    found = places(TEXT)
    assert found.of(("row", 1, "missing", "deeper")) == (13, 1)
    assert found.of_key(("row", 1, "missing")) == (13, 1)
    assert Places().of(("x",)) == (0, 0)


@pytest.mark.parametrize("name", ["avr", "msp430", "v850"])
def test_every_value_of_a_real_table_has_a_place(name: str) -> None:
    text = (Path(__file__).parent / "machines" / f"{name}.toml").read_text()
    found = places(text)

    def walk(value: object, path: tuple[str | int, ...]) -> None:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in items:
            inner = (*path, key)
            # A table that only has tables in it has no line of its own.
            assert inner in found.value or inner in found.key or isinstance(item, (dict, list))
            walk(item, inner)

    walk(tomli.loads(text), ())

"""``bitsel target new``: the directory of a new target plugin, written from the templates beside this file.

A template is the file itself with three names left open: ``@NAME@``, the target's; ``@DISTRIBUTION@``, what pip
installs; ``@MODULE@``, the Python module that holds the table. Its own name ends in ``.in``.
"""

from __future__ import annotations

import re
from pathlib import Path

from bitsel.errors import UsageError
from bitsel.plugins import Plugins

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")  # that of a target, see `target.schema`

_TEMPLATES = Path(__file__).parent / "files"


def write(name: str, parent: Path | None = None) -> Path:
    """Write the plugin of a new target `name` into a directory of its own in `parent` (by default where one is).

    Returns the directory. Raises UsageError for a name that cannot be one or is taken, where something of the
    directory's name is there already, and where it cannot be written; nothing is ever overwritten.
    """
    if not _NAME.fullmatch(name):
        hint = "lower-case letters, digits, - and _, not starting with one of the last two"
        raise UsageError(f"{name!r} cannot be the name of a target", hint=hint)
    plugins = Plugins()
    if name in plugins.names:
        raise UsageError(f"there is a target {name!r} already, brought by {plugins.provider(name).owner}")
    distribution = f"bitsel-{name}"
    module = distribution.replace("-", "_")
    folder = (parent or Path()) / distribution
    names = {"@NAME@": name, "@DISTRIBUTION@": distribution, "@MODULE@": module}
    try:
        folder.mkdir()
        _write_all(_TEMPLATES, folder, names)
    except FileExistsError:
        raise UsageError(f"{folder} is there already; nothing was written") from None
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}") from error
    return folder


def _write_all(templates: Path, folder: Path, names: dict[str, str]) -> None:
    for template in templates.iterdir():
        if template.is_dir():
            inner = folder / (names["@MODULE@"] if template.name == "module" else template.name)
            inner.mkdir()
            _write_all(template, inner, names)
        elif template.name.endswith(".in"):
            text = template.read_text(encoding="utf-8")
            for mark, value in names.items():
                text = text.replace(mark, value)
            (folder / template.name.removesuffix(".in")).write_text(text, encoding="utf-8")

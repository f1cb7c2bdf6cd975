"""Finding targets: entry points of the group ``bitsel.targets``, and paths given by hand.

bitsel reads the entry points itself. Pluggy's own discovery keeps one of two plugins of the same name without a
word, and stops at the first that fails to import; here a duplicate is an error that names both owners, and a
broken plugin is an error only for whoever asks for its target.

>>> Plugins().names
('avr', 'rl78')
>>> Plugins().target("rl78").name
'rl78'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from os import PathLike
from pathlib import Path

from attrs import frozen

from bitsel.errors import PluginError, UsageError, did_you_mean
from bitsel.target.facts import Device, Target
from bitsel.target.load import load_target
from bitsel.target.show import MANY_DEVICES

GROUP = "bitsel.targets"


@frozen
class Provider:
    """Somebody who brings a target: `owner` is a distribution (``bitsel 0.1.0``) or a path.

    `load` gives the checked facts; it raises PluginError where the plugin is at fault, FactsError where its
    table is.
    """

    name: str
    owner: str
    load: Callable[[], Target]


class Hooks:
    """One plugin's hooks as typed calls. What a plugin raises comes out as a PluginError that names it."""

    def __init__(self, plugin: object, name: str, owner: str) -> None:
        import pluggy

        from bitsel import hookspecs

        self._title = f"plugin {name!r} of {owner}"
        self._manager = pluggy.PluginManager("bitsel")
        self._manager.add_hookspecs(hookspecs)
        try:
            self._manager.register(plugin, name)
            self._manager.check_pending()
        except pluggy.PluginValidationError as error:
            raise PluginError(f"{self._title} does not fit: {_said(error)}") from error

    def target(self) -> Path:
        """The path from ``bitsel_target``: a directory or a TOML file."""
        try:
            path: object = self._manager.hook.bitsel_target()
        except Exception as error:
            raise PluginError(f"{self._title}: bitsel_target raised {_said(error)}") from error
        if not isinstance(path, (str, PathLike)):
            raise PluginError(
                f"{self._title}: bitsel_target must return the path of the target's directory or TOML file, "
                f"and {'is not implemented' if path is None else f'returned {path!r}'}"
            )
        return Path(path)


class Plugins:
    """All targets that can be asked for: those installed, and those at `paths`."""

    def __init__(self, paths: Iterable[str | PathLike[str]] = ()) -> None:
        self.providers: tuple[Provider, ...] = (
            *_installed(sorted(entry_points(group=GROUP), key=lambda entry: entry.name)),
            *(_at_path(Path(path)) for path in paths),
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted({provider.name for provider in self.providers}))

    def provider(self, name: str) -> Provider:
        """The one who brings target `name`; UsageError where nobody does, PluginError where two do."""
        found = [provider for provider in self.providers if provider.name == name]
        if len(found) > 1:
            owners = " and ".join(provider.owner for provider in found)
            raise PluginError(f"target {name!r} is brought by {owners}; only one can stay")
        if not found:
            known = ", ".join(self.names) or "none"
            raise UsageError(f"unknown target {name!r} (known: {known})", hint=did_you_mean(name, self.names))
        return found[0]

    def target(self, name: str) -> Target:
        """The facts of target `name`, loaded and checked."""
        return self.provider(name).load()


def find_device(target: Target, name: str | None) -> Device:
    """The device `name` of `target`; where none is named, the default or the only one there can be.

    Devices that differ in nothing but their name are one. Raises UsageError, listing the devices.
    """
    if name is None:
        name = target.default_device
    known = ", ".join(target.devices)
    if name is not None:
        try:
            return target.devices[name]
        except KeyError:
            message = f"unknown device {name!r} of target {target.name}"
            near = did_you_mean(name, target.devices)
            if len(target.devices) > MANY_DEVICES:
                raise UsageError(message, hint=_near_devices(name, target)) from None
            raise UsageError(f"{message} (known: {known})", hint=near) from None
    distinct = {_legality(device): device for device in target.devices.values()}
    if len(distinct) != 1:
        example = next(iter(target.devices), "DEVICE")
        raise UsageError(
            f"target {target.name} has devices that differ in what is legal (known: {known})",
            hint=f"name one, as in {target.name}:{example}",
        )
    return next(iter(target.devices.values()))


def _near_devices(name: str, target: Target) -> str:
    """What may have been meant, of so many devices that a list of them says nothing, and where they are listed."""
    from difflib import get_close_matches

    spelled = {each.lower(): each for each in target.devices}
    near = [spelled[each] for each in get_close_matches(name.lower(), list(spelled), n=5, cutoff=0.6)]
    all_of_them = f"all {len(target.devices)} are listed by bitsel target show {target.name}"
    return f"near it: {', '.join(near)}; {all_of_them}" if near else all_of_them


def _legality(device: Device) -> tuple[object, ...]:
    """What a device says apart from its name."""
    constants = tuple(sorted(device.constants.items()))
    registers = tuple(sorted(device.registers.items()))
    return device.core, constants, device.features, registers, device.regions, device.mirrors


def _installed(entries: Iterable[EntryPoint]) -> Iterator[Provider]:
    owners: dict[int, str] = {}  # by the identity of the distribution, whose metadata is read anew at each question
    for entry in entries:
        owner = entry.value
        if entry.dist is not None:
            owner = owners.get(id(entry.dist)) or f"{entry.dist.name} {entry.dist.version}"
            owners[id(entry.dist)] = owner
        yield Provider(entry.name, owner, partial(_load_installed, entry, owner))


def _load_installed(entry: EntryPoint, owner: str) -> Target:
    try:
        plugin = entry.load()
    except (Exception, SystemExit) as error:
        raise PluginError(f"plugin {entry.name!r} of {owner} cannot be imported: {_said(error)}") from error
    target = load_target(Hooks(plugin, entry.name, owner).target())
    if target.name != entry.name:
        raise PluginError(f"plugin {entry.name!r} of {owner} brings a target that calls itself {target.name!r}")
    return target


def _at_path(path: Path) -> Provider:
    """A table given by hand. Only the table knows its name, so it is loaded at once."""
    target = load_target(path)
    return Provider(target.name, str(path), lambda: target)


def _said(error: BaseException) -> str:
    """What an exception of somebody else's says, on one line."""
    text = " ".join(str(error).split())
    name = type(error).__name__
    return f"{name}: {text}" if text else name

"""What a plugin may implement: the hooks, all prefixed ``bitsel_``.

A plugin is a module announced by an entry point in the group ``bitsel.targets``, under the name of the target it
brings::

    [project.entry-points."bitsel.targets"]
    rl78 = "bitsel_rl78"

and the module is a few lines::

    from pathlib import Path

    from bitsel.hookspecs import hookimpl

    @hookimpl
    def bitsel_target() -> Path:
        return Path(__file__).parent
"""

from __future__ import annotations

from pathlib import Path

import pluggy

hookspec = pluggy.HookspecMarker("bitsel")
hookimpl = pluggy.HookimplMarker("bitsel")


@hookspec(firstresult=True)
def bitsel_target() -> Path | None:
    """Say where the target's facts are.

    Called: once, when somebody asks for the target by the name of the plugin's entry point; never for
    ``bitsel --version`` or while another target is used.

    Gets: nothing.

    Returns: the path of the target's directory, which holds ``target.toml``, or of the TOML file itself. bitsel
    loads and checks it; its name must be that of the entry point.
    """

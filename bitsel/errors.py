"""The error tree: a sentence, where it is, and what was expected.

Everything that bad input can cause is a `BitselError`; its text is one line a person can act on::

    rl78/target.toml:41:1: unknown key 'byte' in [[insn]]; did you mean 'bytes'?

A traceback therefore always means a defect in bitsel or in a plugin, never in what it was given.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen


@frozen
class Location:
    """A place in a file: `line` and `column` count from 1; 0 means the whole file."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.path]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


@frozen(slots=False)
class BitselError(Exception):
    """Base of every error that input, arguments or a plugin can cause."""

    message: str
    where: Location | None = None
    hint: str | None = field(default=None, kw_only=True)

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}; {self.hint}" if self.hint else text


@frozen(slots=False)
class InputError(BitselError, ValueError):
    """An input (LLVM IR, assembly) that cannot be read. Exit code 1."""


@frozen(slots=False)
class UsageError(BitselError, ValueError):
    """A wrong argument: an unknown target, device or option value. Exit code 2."""


@frozen(slots=False)
class FactsError(BitselError, ValueError):
    """A target's table of facts that does not hold together."""


@frozen(slots=False)
class PluginError(BitselError, RuntimeError):
    """A plugin that cannot be imported, or that raised in one of its hooks."""


@frozen(slots=False)
class MissingExtra(BitselError, ImportError):
    """An optional dependency is needed and not installed; the text says what to install."""


@frozen(slots=False)
class ToolError(BitselError, RuntimeError):
    """An assembler or simulator that does not do its work; a tool that is not there is no error."""


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The hint ``did you mean 'x'?`` for the known word nearest to `word`, or None."""
    from difflib import get_close_matches

    spelled = {each.lower(): each for each in known}  # a name that differs in case alone is the nearest
    near = get_close_matches(word.lower(), list(spelled), n=1, cutoff=0.6)
    return f"did you mean {spelled[near[0]]!r}?" if near else None

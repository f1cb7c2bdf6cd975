"""Text of others, such as names and paths, on its way to a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """`text` on one line, without characters that would act on a terminal."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)

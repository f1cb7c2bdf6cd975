"""Idiom recognition: from a store (or an atomic update) up to the load, one `Site` each.

The contract; see DESIGN for the order of conditions.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from bitsel.effect import Effect
from bitsel.ir import Access, Address, AtomicRMW, DataLayout, Function, Store
from bitsel.reasons import Reason


@frozen
class Idiom:
    """A bit update of one location: `access` is the source's own access (of the store; volatile or ordered if
    either access is; the smaller alignment), `effect` is as wide as it. `atomic`: one ``atomicrmw``, so the access
    may not be split into a read and a write."""

    effect: Effect
    access: Access
    address: Address
    atomic: bool = False


@frozen
class Site:
    """An update that was found. `reason` is set where a condition of the matcher failed; `idiom` may be None then.

    `ordinal` counts the block's sites from 0; with `function` and `block` it is the site's identity.
    """

    function: str
    block: str
    ordinal: int
    at: Store | AtomicRMW
    idiom: Idiom | None
    reason: Reason | None = None


def match(function: Function, layout: DataLayout) -> Iterator[Site]:
    """The sites of `function` in program order."""
    raise NotImplementedError

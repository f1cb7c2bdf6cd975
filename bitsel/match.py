"""Idiom recognition: from a store (or an atomic update) up to the load, one `Site` each.

A store whose value is an and/or/xor chain on a loaded value is a site. Whether it is a bit update that one
instruction may stand for, at the place of the store, is a list of conditions; the first that fails is the site's
reason, and its detail names the node at fault::

    %v = load i8, ptr @flags
    %o = or i8 %v, 16
    store i8 %o, ptr @flags     set bit 4 of @flags
    ret i8 %o                   no: "%o is also used by ret at line 4"

The update takes the place of the store, so it is the load that moves: `clobber-between` asks whether it may.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bitsel.address import Addresses, Place
from bitsel.chain import Value, Values
from bitsel.effect import Effect
from bitsel.ir import (
    Access,
    Address,
    AtomicRMW,
    Block,
    Const,
    Function,
    Load,
    Node,
    Opaque,
    Ordering,
    Store,
    describe,
    describe_action,
    touches_memory,
)
from bitsel.mirror import Mirror
from bitsel.reasons import Code, Reason
from bitsel.record import record

MAX_BETWEEN: Final = 250
"""So many memory accesses between load and store are looked at; more count as a clobber, to keep time linear."""

_STRENGTH: dict[Ordering | None, int] = {
    None: 0,
    "unordered": 1,
    "monotonic": 2,
    "acquire": 3,
    "release": 3,
    "acq_rel": 4,
    "seq_cst": 5,
}


@record(cache_hash=True)
class Idiom:
    """A bit update of one location: `access` is the source's own access (of the store; volatile or ordered if
    either access is; the smaller alignment), `effect` is as wide as it. `atomic`: one ``atomicrmw``, so the access
    may not be split into a read and a write."""

    effect: Effect
    access: Access
    address: Address
    atomic: bool = False


@record
class Site:
    """An update that was found. `reason` is set where a condition of the matcher failed; `idiom` may be None then.

    `ordinal` counts the block's sites from 0; with `function` and `block` it is the site's identity. `load` is
    where the chain to `at` starts; an atomic update has none.
    """

    function: str
    block: str
    ordinal: int
    at: Store | AtomicRMW
    idiom: Idiom | None
    reason: Reason | None = None
    load: Load | None = None


_Found = tuple[Idiom | None, Reason | None, Load | None]
"""What a `Site` says besides where it is."""


def match(function: Function, mirrors: tuple[Mirror, ...] = ()) -> Iterator[Site]:
    """The sites of `function` in program order; `mirrors`: what memory has two addresses."""
    matcher = _Matcher(function, mirrors)
    for block in function.blocks:
        yield from matcher.sites(block)


class _Matcher:
    """The state of one function's matching: what is known of its values, addresses and the block so far."""

    def __init__(self, function: Function, mirrors: tuple[Mirror, ...]) -> None:
        self._function = function
        self._values = Values()
        self._addresses = Addresses(function, mirrors)
        self._memory: list[Node] = []  # the block's accesses so far, in program order
        self._loads: dict[Load, int] = {}  # the position in it of each load

    def sites(self, block: Block) -> Iterator[Site]:
        self._memory, self._loads = [], {}
        ordinal = 0
        for node in block.nodes:
            if isinstance(node, (Store, AtomicRMW)):
                found = self._store(node) if isinstance(node, Store) else self._atomic(node)
                if found is not None:
                    yield Site(self._function.name, block.name, ordinal, node, *found)
                    ordinal += 1
            elif isinstance(node, Load):
                self._loads[node] = len(self._memory)
            elif not touches_memory(node):
                continue
            self._memory.append(node)

    # -- load, logic, store -----------------------------------------------------------------------------------

    def _store(self, store: Store) -> _Found | None:
        """The idiom at `store` and why it may not be taken; None if there is no chain to a load."""
        if isinstance(store.value, (Load, Const)):
            return None
        value = self._values.of(store.value)
        load = value.load
        if load is None or not value.logic or value.effect.width != store.access.width:
            return None
        if value.foreign:
            load, mask = self._old_value_and_mask(store, value, load)
            return None, Reason(Code.NONCONST_MASK, f"{describe(mask)} is not a constant", at=mask), load
        access = _update_access(load.access, store.access)
        reason = self._refused(store, value, load, access)
        if value.extended:
            return None, reason, load
        return Idiom(value.effect, access, self._addresses.address(store.pointer, access.space)), reason, load

    def _refused(self, store: Store, value: Value, load: Load, update: Access) -> Reason | None:
        """The first condition that fails, of those on a constant mask."""
        return (
            _noop(store, value, load)
            or self._value_used(store, load)
            or self._control_flow(load)
            or self._addr_mismatch(store, load)
            or _width_mismatch(store, value, load)
            or self._clobber_between(store, load, update)
        )

    def _old_value_and_mask(self, store: Store, value: Value, load: Load) -> tuple[Load, Node]:
        """The load that is updated and what is combined with it, where that is no constant.

        Of two loads, the one from the store's own place is the old value.
        """
        mask = value.foreigner
        assert mask is not None
        rival = self._values.of(mask).load
        if rival is None or not self._is_same_place(rival, store):
            return load, mask
        joint = next(user for user in self._function.users[mask] if self._values.of(user).load is load)
        return rival, next(operand for operand in joint.operands if operand is not mask)

    def _is_same_place(self, load: Load, store: Store) -> bool:
        return load.access.space == store.access.space and self._addresses.equal(load.pointer, store.pointer)

    def _value_used(self, store: Store, load: Load) -> Reason | None:
        """Every use of a value of the chain must be one by the chain.

        A value is followed up to its operands when all its uses have been met, so that each belongs to one chain
        only; what is left over has a use elsewhere.
        """
        users = self._function.users
        met: dict[Node, int] = {store.value: 1}
        inside: set[Node] = {store}
        ready = [store.value] if len(users[store.value]) == 1 else []
        while ready:
            node = ready.pop()
            inside.add(node)
            for operand in node.operands if node is not load else ():
                if self._values.of(operand).load is load:
                    met[operand] = met.get(operand, 0) + 1
                    if met[operand] == len(users[operand]):
                        ready.append(operand)
        left = [node for node in met if node not in inside]
        if not left:
            return None
        node, user = next(
            (node, user)
            for node in left
            for user in users[node]
            if (user not in inside and user not in met) or (user is store and node is store.pointer)
        )
        who = describe(user)
        fix = None if load.access.volatile else f"read the location once more for {who}"
        return Reason(Code.VALUE_USED, f"{describe(node)} is also used by {who}", fix, at=user)

    def _control_flow(self, load: Load) -> Reason | None:
        if load in self._loads:
            return None
        return Reason(Code.CONTROL_FLOW, f"{describe(load)} is loaded in another block", at=load)

    def _addr_mismatch(self, store: Store, load: Load) -> Reason | None:
        if self._is_same_place(load, store):
            return None
        if load.access.space != store.access.space:
            detail = f"address spaces {load.access.space} and {store.access.space}"
        else:
            loaded, stored = (
                _spelled(self._addresses.address(node.pointer, node.access.space)) for node in (load, store)
            )
            detail = f"{loaded} and {stored}"
        return Reason(Code.ADDR_MISMATCH, f"loaded and stored through {detail}", at=load)

    def _clobber_between(self, store: Store, load: Load, update: Access) -> Reason | None:
        first = self._loads[load] + 1
        if first == len(self._memory):
            return None
        if len(self._memory) - first > MAX_BETWEEN:
            return Reason(Code.CLOBBER_BETWEEN, f"more than {MAX_BETWEEN} memory accesses lie between")
        place = _place(store.pointer, store.access)
        for node in self._memory[first:]:
            cause = self._conflict(node, update, place)
            if cause is not None:
                what = describe_action(node)
                return Reason(
                    Code.CLOBBER_BETWEEN, f"{what} {cause}", f"move the {what} out of the update", at=node
                )
        return None

    def _conflict(self, node: Node, update: Access, place: Place) -> str | None:
        """Why the load of `update`, from `place`, may not move down across `node`; None if it may."""
        if isinstance(node, Opaque):
            volatile, strong = node.ordered, _is_strong(update)
            reads, writes, touched = node.reads, node.writes, _touched(node)
        else:
            assert isinstance(node, (Load, Store, AtomicRMW))
            volatile, strong = node.access.volatile, _is_strong(update) or _is_strong(node.access)
            reads, writes = not isinstance(node, Store), not isinstance(node, Load)
            touched = (_place(node.pointer, node.access),)
        if volatile and update.volatile:
            return "is ordered against a volatile update"
        if strong:
            return "is ordered against the update"
        # Two atomic loads of one location may not change places either.
        if not (writes or (reads and update.ordering is not None)):
            return None
        if touched is None or any(self._addresses.may_alias(place, other) for other in touched):
            return "may write the location" if writes else "may read the location"
        return None

    # -- atomicrmw --------------------------------------------------------------------------------------------

    def _atomic(self, node: AtomicRMW) -> _Found:
        """The idiom of an atomic update and why it may not be taken; no idiom for other atomic operations."""
        if node.op not in ("and", "or", "xor", "nand"):
            return None, self._result_used(node) or _no_atomic_form(node), None
        value = self._values.of(node.value)
        if not value.is_constant:
            return (
                None,
                Reason(Code.NONCONST_MASK, f"{describe(node.value)} is not a constant", at=node.value),
                None,
            )
        effect = _atomic_effect(node.op, value.effect)
        address = self._addresses.address(node.pointer, node.access.space)
        return Idiom(effect, node.access, address, atomic=True), self._atomic_refused(node, effect), None

    def _atomic_refused(self, node: AtomicRMW, effect: Effect) -> Reason | None:
        if effect.is_noop:
            return Reason(Code.NOOP, f"{describe(node)} changes no bit")
        used = self._result_used(node)
        if used is not None:
            return used
        if node.access.width % 8:
            return _partial_byte(node.access.width)
        return _no_atomic_form(node) if node.op == "nand" else None

    def _result_used(self, node: AtomicRMW) -> Reason | None:
        users = self._function.users.get(node)
        if not users:
            return None
        return Reason(
            Code.VALUE_USED, f"the old value {describe(node)} is used by {describe(users[0])}", at=users[0]
        )


def _no_atomic_form(node: AtomicRMW) -> Reason:
    return Reason(Code.NO_FORM, f"no instruction makes an atomic {node.op}")


def _place(pointer: Node, access: Access) -> Place:
    return Place(pointer, -(-access.width // 8), access.space)


def _spelled(address: Address) -> str:
    if address.base is None:
        return f"{address.offset:#x}"
    base = f"@{address.base}" if address.kind == "symbol" else address.base
    return f"{base}{address.offset:+}" if address.offset else base


def _touched(node: Opaque) -> tuple[Place, ...] | None:
    """The places `node` may touch, None for all memory."""
    return None if node.through is None else tuple(Place(pointer) for pointer in node.through)


def _is_strong(access: Access) -> bool:
    """Whether other accesses may not move across this one."""
    return access.ordering in ("acquire", "release", "acq_rel", "seq_cst")


def _update_access(load: Access, store: Access) -> Access:
    """The access of an update made of `load` and `store`."""
    if load == store:
        return store
    return Access(
        store.width,
        load.volatile or store.volatile,
        _stronger(load.ordering, store.ordering),
        min(load.align, store.align),
        store.space,
    )


def _stronger(left: Ordering | None, right: Ordering | None) -> Ordering | None:
    """The weakest ordering that is at least as strong as both."""
    if {left, right} == {"acquire", "release"}:
        return "acq_rel"
    return max(left, right, key=_STRENGTH.__getitem__)


def _atomic_effect(op: str, mask: Effect) -> Effect:
    """The effect of ``atomicrmw OP`` with the constant `mask`."""
    old = Effect.identity(mask.width)
    if op == "or":
        return old.or_(mask)
    if op == "xor":
        return old.xor(mask)
    masked = old.and_(mask)
    return masked.then(Effect.xor_with(mask.width, -1)) if op == "nand" else masked


def _noop(store: Store, value: Value, load: Load) -> Reason | None:
    """The stored value is the loaded one. Where the widths differ, that says nothing about the location."""
    if load.access.width != store.access.width or not value.effect.is_noop:
        return None
    fix = None if store.access.volatile or load.access.volatile else "delete the update"
    return Reason(Code.NOOP, f"{describe(store.value)} always equals {describe(load)}", fix)


def _width_mismatch(store: Store, value: Value, load: Load) -> Reason | None:
    width = store.access.width
    if load.access.width != width:
        return Reason(Code.WIDTH_MISMATCH, f"{load.access.width} bits are loaded, {width} bits stored")
    if width % 8:
        return _partial_byte(width)
    if value.extended:
        bit = value.extended.bit_length() - 1
        return Reason(Code.WIDTH_MISMATCH, f"bit {bit} stored is a copy of a lower bit, made by sign extension")
    return None


def _partial_byte(width: int) -> Reason:
    return Reason(Code.WIDTH_MISMATCH, f"{width} bits are not whole bytes")

"""Addresses of one function: which are equal, which may overlap, and how a report names one.

A pointer is a linear form modulo 2**width, a constant plus multiples of *terms*. Terms are numbered by value:
structurally equal pure expressions are one term, computed once or twice, so addresses are equal where their forms
are::

    %a = add i16 %base, 8        8 + 1*t0
    %b = add i16 8, %base        8 + 1*t0

A load is a term of its own, with one exception that unoptimised code needs: two loads of a stack slot that nothing
but loads and stores can reach, in one block and with nothing between that may change it, are one term.

Everything is found on demand, once, without recursion, in time linear in the function: a form never has more than
`MAX_TERMS` terms (a sum of more is a term itself).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from bitsel.ir import (
    Address,
    Argument,
    AtomicRMW,
    Binary,
    Block,
    Cast,
    Const,
    Function,
    Load,
    Node,
    Opaque,
    StackSlot,
    Store,
    Symbol,
    describe,
)
from bitsel.mirror import Mirror, Run
from bitsel.record import record

MAX_TERMS: Final = 8

_COMMUTATIVE = frozenset({"add", "and", "or", "xor", "mul"})


@record
class Linear:
    """``constant + sum(coefficient * term)`` modulo 2**width.

    `terms` are (number, coefficient) pairs in order of number; coefficients lie in [1, 2**width).
    """

    width: int
    constant: int
    terms: tuple[tuple[int, int], ...] = ()


@record
class Place:
    """The memory one access touches: `size` bytes from `pointer` on, in the address space `space`.

    `size` None: any part of the object `pointer` points into; `space` None: not known.
    """

    pointer: Node
    size: int | None = None
    space: int | None = None


class Addresses:
    """Address analysis of one function; `mirrors`: what memory has two addresses on the device."""

    def __init__(self, function: Function, mirrors: tuple[Mirror, ...] = ()) -> None:
        self._function = function
        self._mirrors = mirrors
        self._forms: dict[Node, Linear] = {}
        self._numbers: dict[Hashable, int] = {}
        self._nodes: list[Node] = []  # by number, the node that was numbered first
        self._frozen: dict[Linear, Node] = {}
        self._private: dict[StackSlot, bool] = {}  # nothing but loads and stores, of the slot itself
        self._contents: dict[Load, Node | Block] | None = None
        self._objects: dict[Node, Node] = {}
        self._bases: dict[Node, tuple[Node, int]] = {}
        self._escapes: dict[StackSlot, bool] = {}

    # -- equality ---------------------------------------------------------------------------------------------

    def equal(self, left: Node, right: Node) -> bool:
        """Whether both values are the same whenever both are computed."""
        return left is right or self.form(left) == self.form(right)

    def form(self, node: Node) -> Linear:
        """The linear form of a value."""
        forms = self._forms
        known = forms.get(node)
        if known is not None:
            return known
        if not isinstance(node, (Binary, Cast)):
            forms[node] = known = self._leaf(node)
            return known
        pending: list[Node] = [node]
        entered: set[Node] = set()
        while pending:
            top = pending[-1]
            if top in forms:
                pending.pop()
            elif not isinstance(top, (Binary, Cast)):
                forms[top] = self._leaf(top)
            elif not (missing := [o for o in top.operands if o not in forms]):
                forms[top] = self._pure(top)
            elif top in entered:  # it is its own operand, as unreachable code may have it
                forms[top] = self._term(top, top)
            else:
                entered.add(top)
                pending += missing
        return forms[node]

    def _leaf(self, node: Node) -> Linear:
        if isinstance(node, Const):
            return Linear(node.width, node.value)
        if isinstance(node, Symbol):
            return self._term(("symbol", node.name), node)
        if isinstance(node, Load):
            return self._term(self._load_key(node), node)
        return self._term(node, node)

    def _pure(self, node: Binary | Cast) -> Linear:
        """The form of an expression whose operands have theirs."""
        if isinstance(node, Cast):
            return self._cast(node, self._forms[node.value])
        left, right = self._forms[node.lhs], self._forms[node.rhs]
        if left.width == right.width == node.width:
            return self._binary(node, left, right)
        return self._term(node, node)

    def _term(self, key: Hashable, node: Node) -> Linear:
        number = self._numbers.setdefault(key, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
        return Linear(node.width, 0, ((number, 1),))

    def _cast(self, node: Cast, value: Linear) -> Linear:
        if node.op == "freeze" and node.width == value.width:
            # A frozen value is the value, but two `freeze` of one poison may differ: only the first counts.
            return value if self._frozen.setdefault(value, node) is node else self._term(node, node)
        if node.op == "addrspacecast":
            return self._term(node if node.space is None else (node.op, node.space, node.width, value), node)
        if node.op == "bitcast" and node.width == value.width:
            return value
        if not value.terms and node.op in ("zext", "trunc"):
            return Linear(node.width, value.constant & (1 << node.width) - 1)
        if not value.terms and node.op == "sext":
            return Linear(node.width, _signed(value.constant, value.width) & (1 << node.width) - 1)
        return self._term((node.op, node.width, value), node)

    def _binary(self, node: Binary, left: Linear, right: Linear) -> Linear:
        if node.op == "add":
            form = _sum(left, right, 1)
        elif node.op == "sub":
            form = _sum(left, right, -1)
        elif node.op == "mul" and not right.terms:
            form = _scaled(left, right.constant)
        elif node.op == "mul" and not left.terms:
            form = _scaled(right, left.constant)
        elif node.op == "shl" and not right.terms and right.constant < node.width:
            form = _scaled(left, 1 << right.constant)
        else:
            form = None
        if form is not None and len(form.terms) <= MAX_TERMS:
            return form
        operands = frozenset((left, right)) if node.op in _COMMUTATIVE else (left, right)
        return self._term((node.op, node.width, operands), node)

    # -- loads of stack slots ---------------------------------------------------------------------------------

    def _load_key(self, load: Load) -> Hashable:
        """What a load is numbered by: itself, or the contents it reads of a private stack slot."""
        slot, access = load.pointer, load.access
        if not isinstance(slot, StackSlot) or access.volatile or access.ordering is not None:
            return load
        if slot not in self._private:
            self._private[slot] = all(
                isinstance(user, Load) or (isinstance(user, Store) and user.value is not slot)
                for user in self._function.users[slot]
            )
        if not self._private[slot]:
            return load
        if self._contents is None:
            self._contents = _contents_read(self._function)
        return ("reload", slot, self._contents[load], access.width)

    # -- aliasing ---------------------------------------------------------------------------------------------

    def may_alias(self, left: Place, right: Place) -> bool:
        """Whether the two may share a byte. True unless the contrary is known."""
        if left.space != right.space and left.space is not None and right.space is not None:
            return True
        left_form, right_form = self.form(left.pointer), self.form(right.pointer)
        if left_form.terms == right_form.terms and left_form.width == right_form.width:
            if left.size is None or right.size is None:
                return True
            distance = right_form.constant - left_form.constant & (1 << left_form.width) - 1
            if distance < left.size or distance + right.size > 1 << left_form.width:
                return True
            absolute = not left_form.terms
            here = Run(left_form.constant, left.size, absolute)
            there = Run(right_form.constant, right.size, absolute)
            spaces = (left.space, right.space)
            return any(
                mirror.joins(here, there, left_form.width) for mirror in self._mirrors if mirror.space in spaces
            )
        return not self._distinct(self._object(left.pointer), self._object(right.pointer))

    def _object(self, pointer: Node) -> Node:
        """The value that `pointer` has its object from: an object itself, or whatever its origin is."""
        path: dict[Node, None] = {}
        node = pointer
        while node not in self._objects:
            origin = _object_operand(node)
            if origin is None or origin in path:  # the latter in unreachable code
                self._objects[node] = node
            else:
                path[node] = None
                node = origin
        found = self._objects[node]
        for node in path:
            self._objects[node] = found
        return found

    def _distinct(self, left: Node, right: Node) -> bool:
        """Whether two origins of pointers certainly are, or lead to, different objects."""
        if _is_object(left) and _is_object(right):
            return self.form(left) != self.form(right)
        return self._unreachable_from(right, left) or self._unreachable_from(left, right)

    def _unreachable_from(self, origin: Node, slot: Node) -> bool:
        """Whether `slot` is a stack slot that a pointer of another `origin` cannot point into."""
        if not isinstance(slot, StackSlot) or isinstance(origin, (Const, Symbol)):
            return False
        return not self._is_escaping(slot)

    def _is_escaping(self, slot: StackSlot) -> bool:
        """Whether the address of `slot` is used for anything but accesses to it."""
        if slot not in self._escapes:
            self._escapes[slot] = _address_escapes(slot, self._function.users)
        return self._escapes[slot]

    # -- naming -----------------------------------------------------------------------------------------------

    def address(self, pointer: Node, space: int) -> Address:
        """`pointer`, into address space `space`, as reports and the selector see it."""
        form = self.form(pointer)
        if not form.terms:
            return Address("absolute", None, form.constant, space)
        if len(form.terms) == 1 and form.terms[0][1] == 1:
            base, offset = self._nodes[form.terms[0][0]], _signed(form.constant, form.width)
            if isinstance(base, Symbol):
                return Address("symbol", base.name, offset, space, base.section)
            if isinstance(base, StackSlot):
                return Address("stack", base.name, offset, space)
        base, offset = self._base(pointer)
        return Address("pointer", describe(base), _signed(offset, form.width), space)

    def _base(self, pointer: Node) -> tuple[Node, int]:
        """The named value furthest up that `pointer` is a constant distance from, and that distance."""
        path: dict[Node, int] = {}
        node = pointer
        while node not in self._bases:
            step = self._step(node)
            if step is None or step[0] in path:  # the latter in unreachable code
                self._bases[node] = (node, 0)
            else:
                path[node] = step[1]
                node = step[0]
        base, offset = self._bases[node]
        for node, distance in reversed(path.items()):
            base, offset = (base, offset + distance) if base.name is not None else (node, 0)
            self._bases[node] = (base, offset)
        return base, offset

    def _step(self, node: Node) -> tuple[Node, int] | None:
        """An operand that `node` is a constant distance from, and that distance."""
        if isinstance(node, Cast) and node.op in ("freeze", "bitcast") and node.width == node.value.width:
            return node.value, 0
        if isinstance(node, Binary) and node.op in ("add", "sub"):
            right = self.form(node.rhs)
            if not right.terms:
                return node.lhs, right.constant if node.op == "add" else -right.constant
            left = self.form(node.lhs)
            if not left.terms and node.op == "add":
                return node.rhs, left.constant
        return None


def _signed(value: int, width: int) -> int:
    """`value` modulo 2**width as a two's complement number."""
    sign = 1 << width >> 1
    return (value + sign & (1 << width) - 1) - sign


def _sum(left: Linear, right: Linear, sign: int) -> Linear:
    """``left + sign * right``."""
    ones = (1 << left.width) - 1
    constant = left.constant + sign * right.constant & ones
    if not right.terms:
        return Linear(left.width, constant, left.terms)
    coefficients = dict(left.terms)
    for number, coefficient in right.terms:
        coefficients[number] = coefficients.get(number, 0) + sign * coefficient & ones
    return Linear(left.width, constant, tuple(sorted((n, c) for n, c in coefficients.items() if c)))


def _scaled(form: Linear, factor: int) -> Linear:
    ones = (1 << form.width) - 1
    scaled = ((number, coefficient * factor & ones) for number, coefficient in form.terms)
    return Linear(form.width, form.constant * factor & ones, tuple((n, c) for n, c in scaled if c))


def _contents_read(function: Function) -> dict[Load, Node | Block]:
    """For each load of a stack slot, what the contents go back to: the last node of its block that may have
    changed them, or the start of the block."""
    contents: dict[Load, Node | Block] = {}
    for block in function.blocks:
        everything: Node | Block = block
        last: dict[Node, Node] = {}
        for node in block.nodes:
            if isinstance(node, Load):
                contents[node] = last.get(node.pointer, everything)
            elif isinstance(node, Store):
                last[node.pointer] = node
            elif isinstance(node, Opaque) and (node.marker or node.returns_twice):
                # Which slot a marker ends does not matter: optimised code has no reloads.
                everything = node
                last.clear()
    return contents


def _object_operand(node: Node) -> Node | None:
    """The operand whose object `node`, a pointer, points into; None if `node` is where that is decided."""
    if isinstance(node, Binary) and node.op == "add":
        return node.lhs
    if isinstance(node, Cast) and (node.op == "freeze" or (node.op == "bitcast" and node.same_object)):
        return node.value
    return None


def _is_object(node: Node) -> bool:
    """Whether `node` is the address of an object that no other such node is the address of."""
    return (
        isinstance(node, StackSlot)
        or (isinstance(node, Symbol) and node.distinct)
        or (isinstance(node, Argument) and node.noalias)
    )


def _address_escapes(slot: StackSlot, users: dict[Node, list[Node]]) -> bool:
    seen: set[Node] = {slot}
    pending: list[Node] = [slot]
    while pending:
        address = pending.pop()
        for user in users.get(address, ()):
            if isinstance(user, (Load, Store, AtomicRMW)):
                if user.operands.count(address) > 1 or user.pointer is not address:
                    return True
            elif _object_operand(user) is address and user.operands.count(address) == 1:
                if user not in seen:
                    seen.add(user)
                    pending.append(user)
            else:
                return True
    return False

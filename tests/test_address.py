"""Address analysis: what is equal, what may overlap, and how an address is named."""

from __future__ import annotations

import operator
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitsel.address import MAX_TERMS, Addresses, Place
from bitsel.ir import (
    Access,
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
)

BYTE, WORD = Access(8), Access(16)


def addresses(*blocks: tuple[Node, ...]) -> Addresses:
    return Addresses(Function("f", tuple(Block(str(n), nodes) for n, nodes in enumerate(blocks))))


def const(value: int, width: int = 16) -> Const:
    return Const(value=value & (1 << width) - 1, width=width)


def binary(op: str, lhs: Node, rhs: Node | int, name: str | None = None) -> Binary:
    rhs = const(rhs, lhs.width) if isinstance(rhs, int) else rhs
    return Binary(op=op, lhs=lhs, rhs=rhs, width=lhs.width, name=name)


def cast(op: str, value: Node, width: int = 16, **rest: object) -> Cast:
    return Cast(op=op, value=value, width=width, **rest)


def add(lhs: Node, rhs: Node | int, name: str | None = None) -> Binary:
    return binary("add", lhs, rhs, name)


def symbol(name: str, **rest: object) -> Symbol:
    return Symbol(name=name, width=16, **rest)


P, Q, X, Y = (Argument(width=16, name=f"%{letter}") for letter in "pqxy")
NARROW = Argument(width=8, name="%n")


# -- equality ------------------------------------------------------------------------------------------------------

EQUAL = {
    "itself": (P, P),
    "constants": (const(0xFF01), const(-255)),
    "one symbol twice": (symbol("a"), symbol("a")),
    "commuted addition": (add(P, X), add(X, P)),
    "reassociated addition": (add(add(P, 3), X), add(P, add(X, 3))),
    "subtraction is addition of the negative": (binary("sub", P, 8), add(P, -8)),
    "offsets wrap around": (add(add(P, 0xFFFF), 2), add(P, 1)),
    "a difference undone": (add(binary("sub", P, Q), Q), P),
    "shift is multiplication": (binary("shl", X, 3), binary("mul", X, 8)),
    "multiplication by a constant on the left": (binary("mul", const(6), X), binary("mul", X, 6)),
    "twice is added to itself": (add(X, X), binary("mul", X, 2)),
    "coefficients wrap around": (binary("mul", X, 0x8000), binary("shl", X, 15)),
    "a coefficient that wraps to nothing": (binary("mul", binary("shl", X, 15), 2), const(0)),
    "bitcast keeps the value": (cast("bitcast", P), P),
    "freeze keeps the value": (cast("freeze", P), P),
    "one extension twice": (add(P, cast("zext", NARROW)), add(P, cast("zext", NARROW))),
    "extension of equal terms": (cast("sext", add(NARROW, 1)), cast("sext", add(binary("sub", NARROW, 1), 2))),
    "extended constants": (cast("sext", const(0x80, 8)), const(0xFF80)),
    "zero-extended constants": (cast("zext", const(0x80, 8)), const(0x80)),
    "truncated constants": (cast("trunc", const(0x12345, 32)), const(0x2345)),
    "truncation of equal terms": (
        cast("trunc", add(P, X), 8),
        cast("trunc", add(X, P), 8),
    ),
    "bit operations on equal terms": (binary("and", add(P, 1), -2), binary("and", add(const(1), P), -2)),
    "bit operations commuted": (binary("or", P, X), binary("or", X, P)),
    "products of two variables": (binary("mul", X, Y), binary("mul", Y, X)),
    "casts into one address space": (
        cast("addrspacecast", symbol("a"), space=1),
        cast("addrspacecast", symbol("a"), space=1),
    ),
    "a pointer through an integer": (
        cast("bitcast", add(cast("bitcast", P), 8)),
        cast("bitcast", add(cast("bitcast", P), 8)),
    ),
}

UNEQUAL = {
    "constants": (const(1), const(2)),
    "symbols": (symbol("a"), symbol("b")),
    "arguments": (P, Q),
    "offsets": (add(P, 1), add(P, 2)),
    "coefficients": (binary("mul", X, 2), binary("mul", X, 3)),
    "subtraction commuted": (binary("sub", P, Q), binary("sub", Q, P)),
    "shift commuted": (binary("shl", X, Y), binary("shl", Y, X)),
    "shift out of range": (binary("shl", X, 16), const(0)),
    "sign and zero extension": (cast("sext", NARROW), cast("zext", NARROW)),
    "extension does not pass an addition": (cast("zext", add(NARROW, 1)), add(cast("zext", NARROW), 1)),
    "different operations": (binary("and", P, X), binary("or", P, X)),
    "addrspacecast keeps no bits": (cast("addrspacecast", P, space=1), P),
    "casts into two address spaces": (cast("addrspacecast", P, space=1), cast("addrspacecast", P, space=2)),
    "casts into unknown address spaces": (cast("addrspacecast", P), cast("addrspacecast", P)),
    "results of two calls": (Opaque(opcode="call", width=16), Opaque(opcode="call", width=16)),
    "two loads": (Load(pointer=P, access=WORD, width=16), Load(pointer=P, access=WORD, width=16)),
    "two freezes may pick two values": (binary("sub", cast("freeze", P), cast("freeze", P)), const(0)),
    "a number and its truncation": (const(1), const(1, 8)),
}


@pytest.mark.parametrize(("left", "right"), EQUAL.values(), ids=EQUAL)
def test_equal(left, right):
    assert addresses(()).equal(left, right)


@pytest.mark.parametrize(("left", "right"), UNEQUAL.values(), ids=UNEQUAL)
def test_not_equal(left, right):
    assert not addresses(()).equal(left, right)


def test_one_freeze_used_twice_is_one_value():
    frozen = cast("freeze", X)
    assert addresses(()).equal(add(P, frozen), add(frozen, P))


def test_sums_of_many_terms_are_compared_whole():
    terms = [Argument(width=16, name=f"%{n}") for n in range(MAX_TERMS + 5)]

    def total(start: Node) -> Node:
        for term in terms:
            start = add(start, term)
        return start

    found = addresses(())
    assert found.equal(total(P), total(P))
    assert not found.equal(total(P), total(Q))


@st.composite
def expressions(draw: st.DrawFn) -> Node:
    """An address expression over P, Q, X, Y."""
    leaf = st.one_of(st.sampled_from([P, Q, X, Y]), st.integers(0, 0xFFFF).map(const))

    def extend(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        linear = st.builds(binary, st.sampled_from(["add", "sub"]), inner, inner)
        scaled = st.builds(binary, st.sampled_from(["mul", "shl"]), inner, st.integers(0, 20))
        logic = st.builds(binary, st.sampled_from(["and", "or", "xor", "mul", "shl"]), inner, inner)
        narrow = inner.map(lambda node: cast("sext", cast("trunc", node, 8)))
        return st.one_of(linear, linear, scaled, logic, narrow, inner.map(lambda node: cast("freeze", node)))

    return draw(st.recursive(leaf, extend, max_leaves=10))


OPERATIONS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    # A shift by the width or more is poison: any value will do.
    "shl": lambda a, b: a << b if b < 16 else 0,
}


def evaluate(node: Node, values: dict[Node, int]) -> int:
    match node:
        case Const():
            return node.value
        case Binary():
            result = OPERATIONS[node.op](evaluate(node.lhs, values), evaluate(node.rhs, values))
        case Cast(op="sext"):
            result = evaluate(node.value, values)
            result -= (result & 0x80) << 1
        case Cast():
            result = evaluate(node.value, values)
        case _:
            return values[node]
    return result & (1 << node.width) - 1


@given(expressions(), expressions(), st.lists(st.tuples(*[st.integers(0, 0xFFFF)] * 4), min_size=1, max_size=4))
def test_what_differs_somewhere_is_never_equal(left, right, samples):
    equal = addresses(()).equal(left, right)
    for sample in samples:
        values = dict(zip((P, Q, X, Y), sample, strict=True))
        if evaluate(left, values) != evaluate(right, values):
            assert not equal


@given(
    st.lists(st.tuples(st.sampled_from([P, Q, X, Y]), st.integers(0, 0xFFFF)), min_size=1, max_size=8), st.data()
)
def test_sums_are_equal_in_any_order(summands, data):
    def total(parts: list[tuple[Node, int]]) -> Node:
        result: Node = const(7)
        for node, scale in parts:
            result = add(result, binary("mul", node, scale))
        return result

    shuffled = data.draw(st.permutations(summands))
    assert addresses(()).equal(total(summands), total(shuffled))


# -- reloads of stack slots ----------------------------------------------------------------------------------------


def reload_case(*between: Node, slot: StackSlot, before: tuple[Node, ...] = (), access: Access = WORD) -> bool:
    """Whether two loads of `slot` with `between` between them are one value."""
    first, second = (Load(pointer=slot, access=access, width=16, name=name) for name in ("%a", "%b"))
    found = addresses((slot, *before, first, *between, second))
    return found.equal(add(first, 3), add(second, 3))


def slot() -> StackSlot:
    return StackSlot(width=16, size=2, name="%s")


def test_two_reloads_of_a_private_slot_are_one_value():
    s = slot()
    assert reload_case(slot=s, before=(Store(pointer=s, value=P, access=WORD),))


def test_a_call_between_cannot_change_a_private_slot():
    assert reload_case(Opaque(opcode="call", reads=True, writes=True, ordered=True), slot=slot())


def test_a_store_elsewhere_between_cannot_change_a_private_slot():
    assert reload_case(Store(pointer=P, value=Q, access=WORD), slot=slot())


def test_a_store_to_the_slot_between_reloads():
    s = slot()
    assert not reload_case(Store(pointer=s, value=P, access=WORD), slot=s)


def test_a_lifetime_marker_between_reloads():
    s = slot()
    marker = Opaque(opcode="call", inputs=(s,), writes=True, through=(s,), marker=True)
    assert not reload_case(marker, slot=s)
    assert not reload_case(marker, slot=s, before=(Store(pointer=s, value=P, access=WORD),))


def test_a_call_that_returns_twice_between_reloads():
    s = slot()
    setjmp = Opaque(opcode="call", reads=True, writes=True, ordered=True, returns_twice=True)
    assert not reload_case(setjmp, slot=s)
    assert not reload_case(setjmp, slot=s, before=(Store(pointer=s, value=P, access=WORD),))


@pytest.mark.parametrize("access", [Access(16, volatile=True), Access(16, ordering="monotonic")], ids=str)
def test_volatile_and_atomic_reloads_are_values_of_their_own(access):
    assert not reload_case(slot=slot(), access=access)


def escapes(s: StackSlot) -> dict[str, Node]:
    part = add(s, 1)
    return {
        "stored": Store(pointer=P, value=s, access=WORD),
        "stored in itself": Store(pointer=s, value=s, access=WORD),
        "passed": Opaque(opcode="call", inputs=(s,), reads=True, writes=True),
        "an integer": cast("bitcast", s),
        "part of an address": part,
        "updated atomically": AtomicRMW(op="or", pointer=s, value=P, access=WORD, width=16),
    }


@pytest.mark.parametrize("how", escapes(slot()))
def test_a_slot_with_any_other_use_is_not_private(how):
    s = slot()
    assert not reload_case(slot=s, before=(escapes(s)[how],))


def test_the_other_use_may_stand_in_another_block():
    s = slot()
    first, second = (Load(pointer=s, access=WORD, width=16) for _ in "ab")
    found = addresses((s, first, second), (Opaque(opcode="call", inputs=(s,)),))
    assert not found.equal(first, second)


def test_loads_and_stores_of_the_slot_in_other_blocks_do_no_harm():
    s = slot()
    first, second = (Load(pointer=s, access=WORD, width=16) for _ in "ab")
    found = addresses(
        (s, Store(pointer=s, value=P, access=WORD)), (first, second), (Store(pointer=s, value=Q, access=WORD),)
    )
    assert found.equal(first, second)


def test_reloads_in_two_blocks_are_two_values():
    s = slot()
    first, second = (Load(pointer=s, access=WORD, width=16) for _ in "ab")
    assert not addresses((s, first), (second,)).equal(first, second)


def test_reloads_of_two_slots_are_two_values():
    s, t = slot(), slot()
    first, second = (Load(pointer=pointer, access=WORD, width=16) for pointer in (s, t))
    assert not addresses((s, t, first, second)).equal(first, second)


def test_reloads_of_two_widths_are_two_values():
    s = slot()
    first, second = Load(pointer=s, access=WORD, width=16), Load(pointer=s, access=BYTE, width=8)
    assert not addresses((s, first, second)).equal(first, cast("zext", second))


def test_reloads_through_a_pointer_are_two_values():
    first, second = (Load(pointer=P, access=WORD, width=16) for _ in "ab")
    assert not addresses((first, second)).equal(first, second)


# -- aliasing ------------------------------------------------------------------------------------------------------


def place(pointer: Node, size: int | None = 1, space: int | None = 0) -> Place:
    return Place(pointer, size, space)


def may_alias(left: Place, right: Place, *nodes: Node) -> bool:
    found = addresses(nodes)
    answer = found.may_alias(left, right)
    assert found.may_alias(right, left) is answer
    return answer


RESTRICT, RESTRICT_2 = (Argument(width=16, name=name, noalias=True) for name in ("%r", "%r2"))
SLOT, SLOT_2 = slot(), slot()

DISJOINT = {
    "symbols": (symbol("a"), symbol("b")),
    "symbols with offsets and indices": (add(symbol("a"), 9), add(symbol("b"), X)),
    "stack slots": (SLOT, SLOT_2),
    "symbol and stack slot": (symbol("a"), SLOT),
    "noalias arguments": (RESTRICT, add(RESTRICT_2, X)),
    "noalias argument and symbol": (RESTRICT, symbol("a")),
    "noalias argument and stack slot": (RESTRICT, SLOT),
    "one pointer, disjoint offsets": (add(P, 1), add(P, 2)),
    "one pointer, below": (P, add(P, -1)),
    "one index, disjoint offsets": (add(add(P, X), 1), add(add(P, 2), X)),
    "absolute addresses": (const(0xFF01), const(0xFF02)),
    "one symbol, disjoint offsets": (symbol("a"), add(symbol("a"), 1)),
    "private slot and argument": (SLOT, P),
    "private slot and the result of a call": (SLOT, Opaque(opcode="call", width=16)),
    "private slot and a loaded pointer": (SLOT, Load(pointer=Q, access=WORD, width=16)),
    "private slot and a number made a pointer": (SLOT, cast("bitcast", X)),
    "casts between pointers keep the object": (cast("bitcast", symbol("a"), same_object=True), symbol("b")),
    "a frozen pointer keeps the object": (cast("freeze", symbol("a")), symbol("b")),
}

OVERLAPPING = {
    "one pointer": (P, P),
    "arguments": (P, Q),
    "argument and symbol": (P, symbol("a")),
    "noalias and plain argument": (RESTRICT, P),
    "noalias argument and the result of a call": (RESTRICT, Opaque(opcode="call", width=16)),
    "noalias argument and a loaded pointer": (RESTRICT, Load(pointer=Q, access=WORD, width=16)),
    "noalias argument and absolute address": (RESTRICT, const(0x100)),
    "symbol and absolute address": (symbol("a"), const(0x100)),
    "stack slot and absolute address": (SLOT, const(0x100)),
    "symbol and itself, indexed": (symbol("a"), add(symbol("a"), X)),
    "two indices": (add(symbol("a"), X), add(symbol("a"), Y)),
    "symbol of unknown place": (symbol("a", distinct=False), symbol("b")),
    "symbol of unknown place and stack slot": (symbol("a", distinct=False), SLOT),
    "symbol of unknown place and noalias argument": (symbol("a", distinct=False), RESTRICT),
    "a number made a pointer has no object": (cast("bitcast", add(cast("bitcast", symbol("a")), X)), symbol("b")),
    "an index is not the object": (add(P, symbol("a")), symbol("b")),
    "an address computed out of a symbol": (binary("and", symbol("a"), -2), symbol("b")),
    "a pointer cast to another space has no object": (cast("addrspacecast", symbol("a"), space=0), symbol("b")),
    "a slot and itself, indexed": (SLOT, add(SLOT, X)),
}


@pytest.mark.parametrize(("left", "right"), DISJOINT.values(), ids=DISJOINT)
def test_disjoint(left, right):
    assert not may_alias(place(left), place(right))


@pytest.mark.parametrize(("left", "right"), OVERLAPPING.values(), ids=OVERLAPPING)
def test_may_overlap(left, right):
    assert may_alias(place(left), place(right))


@pytest.mark.parametrize(
    ("distance", "left_size", "right_size", "overlap"),
    [
        (0, 1, 1, True),
        (1, 1, 1, False),
        (1, 2, 1, True),
        (2, 2, 4, False),
        (-1, 1, 1, False),
        (-1, 1, 2, True),
        (-4, 2, 4, False),
        (-3, 2, 4, True),
        (0x7FFF, 0x7FFF, 1, False),
        (0x8000, 0x8001, 1, True),
    ],
)
def test_byte_ranges_decide_between_equal_terms(distance, left_size, right_size, overlap):
    assert may_alias(place(P, left_size), place(add(P, distance), right_size)) is overlap


def test_a_range_may_wrap_around_the_end_of_memory():
    assert may_alias(place(const(0xFFFF), 2), place(const(0)))
    assert not may_alias(place(const(0xFFFF), 1), place(const(0)))


def test_different_address_spaces_may_overlap():
    assert may_alias(place(symbol("a"), space=0), place(symbol("b"), space=1))
    assert may_alias(place(const(0x100), space=0), place(const(0x200), space=1))


def test_an_unknown_size_reaches_the_whole_object_and_no_other():
    assert may_alias(place(add(symbol("a"), 4), size=None), place(symbol("a")))
    assert may_alias(place(const(0x100), size=None), place(const(0x200)))
    assert not may_alias(place(symbol("a"), size=None, space=None), place(symbol("b")))


@pytest.mark.parametrize("how", sorted(set(escapes(slot())) - {"part of an address", "updated atomically"}))
def test_an_escaped_slot_may_be_what_a_pointer_points_to(how):
    s = slot()
    assert may_alias(place(s), place(P), s, escapes(s)[how])


def test_a_slot_escapes_through_a_derived_pointer():
    s = slot()
    inner = cast("bitcast", add(s, 1), same_object=True)
    assert may_alias(place(s), place(P), s, inner.value, inner, Opaque(opcode="call", inputs=(inner,)))


def test_a_slot_escapes_as_an_index():
    s = slot()
    assert may_alias(place(s), place(add(P, s)), s, add(P, s))
    assert may_alias(place(s), place(P), s, add(s, s))


def test_accesses_through_derived_pointers_are_no_escape():
    s = slot()
    inner = cast("bitcast", add(s, X), same_object=True)
    uses = (Load(pointer=inner, access=BYTE, width=8), Store(pointer=inner, value=NARROW, access=BYTE))
    update = AtomicRMW(op="or", pointer=inner, value=const(1, 8), access=BYTE, width=8)
    marker = Opaque(opcode="call", inputs=(s,), marker=True)
    assert not may_alias(place(s), place(P), s, inner.value, inner, *uses, update, marker)


# -- names ---------------------------------------------------------------------------------------------------------


def named(pointer: Node, space: int = 0) -> Address:
    return addresses(()).address(pointer, space)


def test_absolute():
    assert named(const(-255)) == Address("absolute", None, 0xFF01)
    assert named(add(const(0xFFFF), 2), space=1) == Address("absolute", None, 1, 1)


def test_symbol_with_a_signed_offset_and_its_section():
    flags = symbol("flags", section=".saddr")
    assert named(flags) == Address("symbol", "flags", 0, 0, ".saddr")
    assert named(add(flags, -2), space=2) == Address("symbol", "flags", -2, 2, ".saddr")
    assert named(cast("bitcast", add(cast("bitcast", flags), 5))) == Address("symbol", "flags", 5, 0, ".saddr")


def test_stack_slot():
    assert named(add(slot(), 1)) == Address("stack", "%s", 1)


def test_pointer_with_a_signed_offset():
    assert named(P) == Address("pointer", "%p", 0)
    assert named(add(P, 3, name="%q")) == Address("pointer", "%p", 3)
    assert named(binary("sub", add(P, 3, name="%q"), 4)) == Address("pointer", "%p", -1)
    assert named(add(const(5), P)) == Address("pointer", "%p", 5)


def test_a_negated_pointer_is_no_base():
    assert named(binary("sub", const(5), P, name="%d")) == Address("pointer", "%d", 0)


def test_base_of_integer_arithmetic_is_the_integer():
    assert named(cast("bitcast", add(X, 8, name="%sum"), name="%ptr")) == Address("pointer", "%x", 8)


def test_constant_offset_behind_a_variable_index_stays_a_displacement():
    element = add(P, binary("mul", X, 2), name="%e")
    assert named(add(element, 5, name="%m")) == Address("pointer", "%e", 5)


def test_variable_index_behind_a_constant_offset_is_the_pointer_itself():
    assert named(add(add(P, 5, name="%m"), binary("mul", X, 2), name="%e")) == Address("pointer", "%e", 0)


def test_a_step_without_a_name_is_no_base():
    step = add(P, binary("mul", X, 2))
    member = add(step, 5, name="%m")
    assert named(member) == Address("pointer", "%m", 0)
    assert named(add(member, 1, name="%n")) == Address("pointer", "%m", 1)


def test_indexed_symbol_is_a_pointer():
    assert named(add(symbol("array"), X, name="%e")) == Address("pointer", "%e", 0)


def test_scaled_symbol_is_no_symbol():
    assert named(binary("mul", symbol("a"), 2, name="%x")) == Address("pointer", "%x", 0)


def test_index_that_cancels_leaves_the_symbol():
    assert named(binary("sub", add(symbol("a"), X), X)) == Address("symbol", "a", 0)


def test_a_base_is_named_as_the_pointer_at_hand_knows_it():
    s = slot()
    first, second = (Load(pointer=s, access=WORD, width=16, name=name) for name in ("%0", "%1"))
    found = addresses((s, first, second))
    assert found.equal(first, second)
    assert found.address(add(second, 4), 0) == Address("pointer", "%1", 4)


def test_a_nameless_pointer_says_what_it_is():
    assert named(cast("addrspacecast", symbol("a"), space=1)) == Address("pointer", "addrspacecast", 0)


# -- input that no compiler writes ---------------------------------------------------------------------------------


def test_arithmetic_on_a_value_of_another_width_is_nothing_known():
    odd = Opaque(opcode="undefined", name="%u")
    left, right = (Binary(op="add", lhs=odd, rhs=const(3), width=16, name=name) for name in ("%a", "%b"))
    found = addresses(())
    assert not found.equal(left, right)
    assert found.may_alias(place(left), place(right))
    assert found.address(odd, 0) == Address("pointer", "%u", 0)
    assert not found.equal(cast("freeze", odd), odd)


def test_addresses_that_are_their_own_operands():
    """Unreachable code may hold them."""
    one, two, alone = add(P, 1, name="%one"), add(P, 2, name="%two"), add(P, 3, name="%alone")
    object.__setattr__(one, "lhs", two)
    object.__setattr__(two, "lhs", one)
    object.__setattr__(alone, "lhs", alone)
    found = addresses(())
    assert not found.equal(one, two)
    assert found.may_alias(place(one), place(symbol("a")))
    assert found.may_alias(place(alone), place(symbol("a")))
    assert found.address(two, 0).kind == found.address(alone, 0).kind == "pointer"


# -- depth ---------------------------------------------------------------------------------------------------------


def test_deep_and_wide_expressions_take_linear_time():
    deep: Node = P
    for n in range(20_000):
        deep = binary(("add", "xor", "sub")[n % 3], deep, (n % 7) + 1)
    chain: Node = P
    steps = [chain := add(chain, 1, name=f"%{n}") for n in range(20_000)]
    doubled: Node = P
    for _ in range(2_000):
        doubled = add(doubled, doubled)
    wide: Node = P
    for _ in range(5_000):
        wide = add(wide, Opaque(opcode="call", width=16))
    found = addresses(())
    start = perf_counter()
    assert not found.equal(deep, P)
    assert all(found.address(step, 0).base == "%p" for step in steps)
    assert found.address(steps[-1], 0).offset == 20_000
    assert not found.may_alias(place(steps[-1]), place(steps[0]))
    assert found.may_alias(place(symbol("a")), place(chain))
    assert found.equal(doubled, const(0))
    assert len(found.form(wide).terms) <= MAX_TERMS
    assert perf_counter() - start < 5

"""The matcher's conditions one by one: what is a site, its idiom, and each reason with the node at fault."""

from __future__ import annotations

import sys
from itertools import combinations

import pytest

from bitsel.effect import Effect
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
    Span,
    StackSlot,
    Store,
    Symbol,
)
from bitsel.match import MAX_BETWEEN, Idiom, Site, match
from bitsel.reasons import Code, Reason

FLAGS, OTHER = Symbol(name="flags", width=16), Symbol(name="other", width=16)
P, Q = Argument(width=16, name="%p"), Argument(width=16, name="%q")
M = Argument(width=8, name="%m")
STRONG = ("acquire", "release", "acq_rel", "seq_cst")


def const(value: int, width: int = 8) -> Const:
    return Const(value=value & (1 << width) - 1, width=width)


def load(pointer: Node = FLAGS, width: int = 8, name: str = "%v", **access: object) -> Load:
    return Load(pointer=pointer, access=Access(width, **access), width=width, name=name)


def logic(op: str, lhs: Node, rhs: Node | int, name: str = "%o") -> Binary:
    rhs = const(rhs, lhs.width) if isinstance(rhs, int) else rhs
    return Binary(op=op, lhs=lhs, rhs=rhs, width=lhs.width, name=name)


def cast(op: str, value: Node, width: int, name: str = "%c") -> Cast:
    return Cast(op=op, value=value, width=width, name=name)


def store(value: Node, pointer: Node = FLAGS, line: int = 9, **access: object) -> Store:
    return Store(pointer=pointer, value=value, access=Access(value.width, **access), span=Span(0, 0, line))


def call(*inputs: Node, reads: bool = True, writes: bool = True, ordered: bool = True, **rest: object) -> Opaque:
    return Opaque(
        opcode="call", inputs=inputs, reads=reads, writes=writes, ordered=ordered, span=Span(0, 0, 5), **rest
    )


def marker(slot: Node) -> Opaque:
    return call(slot, reads=False, ordered=False, through=(slot,), marker=True)


def fence() -> Opaque:
    return Opaque(opcode="fence", reads=True, writes=True, ordered=True, span=Span(0, 0, 5))


def sites(*blocks: tuple[Node, ...]) -> list[Site]:
    named = zip(("entry", "next", "last"), blocks, strict=False)
    return list(match(Function("f", tuple(Block(name, nodes) for name, nodes in named))))


def only(*nodes: Node) -> Site:
    (site,) = sites(nodes)
    return site


def update(*between: Node, op: str = "or", mask: Node | int = 16, pointer: Node = FLAGS, **access: object) -> Site:
    """The site of ``*pointer OP= mask`` with `between`, which may hold sites of its own, between load and store."""
    old = load(pointer, **access)
    new = logic(op, old, mask)
    return sites((old, *between, new, store(new, pointer, **access)))[-1]


def value_stored(new: Node, *nodes: Node) -> Site:
    """The site of storing `new`, computed by `nodes` and then itself."""
    return only(*nodes, new, store(new))


# -- what is a site ------------------------------------------------------------------------------------------------


def test_an_update_of_a_global():
    old = load(align=4)
    new = logic("or", old, 16)
    write = store(new, align=2)
    idiom = Idiom(Effect(8, 0xEF, 0x10), Access(8, align=2), Address("symbol", "flags", 0))
    assert sites((old, new, write)) == [Site("f", "entry", 0, write, idiom, None, old)]


@pytest.mark.parametrize(
    ("op", "mask", "keep", "flip"),
    [
        ("or", 0x10, 0xEF, 0x10),
        ("and", 0xEF, 0xEF, 0x00),
        ("and", -17, 0xEF, 0x00),
        ("xor", 0x80, 0xFF, 0x80),
        ("or", 0x101, 0xFE, 0x01),
        ("and", 0, 0x00, 0x00),
        ("or", -1, 0x00, 0xFF),
    ],
)
def test_constant_on_either_side(op, mask, keep, flip):
    old = load()
    left, right = logic(op, old, mask), logic(op, const(mask), old)
    assert value_stored(left, old).idiom.effect == Effect(8, keep, flip)
    assert value_stored(right, old).idiom.effect == Effect(8, keep, flip)


def test_a_chain_composes():
    old = load()
    cleared = logic("and", old, ~0x0C)
    toggled = logic("xor", cleared, 0x80)
    inserted = logic("or", toggled, 0x04)
    site = value_stored(inserted, old, cleared, toggled)
    assert site.idiom.effect == Effect(8, keep=0xF3, flip=0x84)
    assert site.reason is None


def test_a_tree_on_one_load_composes():
    old = load()
    low, high = logic("and", old, 0x0E), logic("and", old, 0xF0)
    joined = logic("or", low, high)
    site = value_stored(joined, old, low, high)
    assert site.idiom.effect == Effect(8, 0xFE, 0)
    assert site.reason is None


def test_a_value_with_itself():
    old = load()
    site = value_stored(logic("xor", old, old), old)
    assert site.idiom.effect == Effect(8, 0, 0)
    assert site.reason is None


@pytest.mark.parametrize("width", [8, 16, 24, 32, 40, 48, 64])
def test_any_width_of_whole_bytes(width):
    old = load(width=width)
    site = value_stored(logic("or", old, 1 << width - 1), old)
    assert site.idiom.effect == Effect(width, (1 << width - 1) - 1, 1 << width - 1)
    assert site.reason is None


def test_a_plain_copy_is_no_site():
    old = load()
    wide = cast("zext", old, 16)
    assert sites((old, store(old, OTHER))) == []
    assert sites((old, wide, store(wide, OTHER))) == []


def test_constants_and_computed_values_are_no_sites():
    new = logic("or", M, 16)
    total = Opaque(opcode="call", width=8)
    sum_ = Binary(op="add", lhs=load(), rhs=const(1), width=8)
    masked = logic("and", sum_, 15)
    assert sites((store(const(1)), new, store(new), total, store(total), sum_, masked, store(masked))) == []


def test_logic_beside_the_load_is_on_no_chain():
    mask = logic("or", M, 1, name="%k")
    old = load(width=16)
    assert sites((mask, old, store(cast("trunc", old, 8)))) == []


def test_sites_are_counted_per_block_rejected_ones_included():
    nodes = []
    for mask in (1, 0, 2):
        old = load()
        new = logic("or", old, mask)
        nodes.append((old, new, store(new)))
    found = sites(nodes[0] + nodes[1], nodes[2])
    assert [(site.block, site.ordinal, site.at) for site in found] == [
        ("entry", 0, nodes[0][2]),
        ("entry", 1, nodes[1][2]),
        ("next", 0, nodes[2][2]),
    ]
    assert [site.reason and site.reason.code for site in found] == [None, Code.NOOP, None]


# -- widths --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extend", ["zext", "sext"])
def test_promotion_and_back(extend):
    old = load()
    wide = cast(extend, old, 16)
    new = logic("and", wide, -3)
    site = value_stored(cast("trunc", new, 8), old, wide, new)
    assert site.idiom.effect == Effect(8, 0xFD, 0)
    assert site.reason is None


@pytest.mark.parametrize("keep_width", ["freeze", "bitcast"])
def test_casts_that_keep_the_width(keep_width):
    old = load()
    same = cast(keep_width, old, 8)
    assert value_stored(logic("or", same, 1), old, same).idiom.effect == Effect(8, 0xFE, 1)


def test_bits_added_by_zext_are_zero():
    old = load(width=16)
    low = cast("trunc", old, 8)
    wide = cast("zext", low, 16)
    assert value_stored(logic("or", wide, 0x0001), old, low, wide).idiom.effect == Effect(16, 0x00FE, 0x0001)


@pytest.mark.parametrize(("op", "mask", "high"), [("and", 0x7F, 0x00), ("or", 0x80, 0xFF)])
def test_bits_added_by_sext_of_a_decided_sign_are_constant(op, mask, high):
    old = load(width=16)
    low = cast("trunc", old, 8)
    decided = logic(op, low, mask)
    wide = cast("sext", decided, 16)
    site = value_stored(wide, old, low, decided)
    assert site.idiom.effect == Effect(16, 0x7F, high << 8 | mask & 0x80)
    assert site.reason is None


def sign_extended(op: str, mask: int) -> Site:
    old = load(width=16)
    low = cast("trunc", old, 8)
    wide = cast("sext", low, 16)
    return value_stored(logic(op, wide, mask), old, low, wide)


def test_bits_added_by_sext_may_be_decided_later():
    assert sign_extended("and", 0x00FE).idiom.effect == Effect(16, 0x00FE, 0)
    assert sign_extended("or", 0xFF01).idiom.effect == Effect(16, 0x00FE, 0xFF01)


@pytest.mark.parametrize(("op", "mask"), [("and", 0x01FE), ("or", 0x7F01), ("xor", 0xFF00)])
def test_bits_added_by_sext_that_reach_the_store(op, mask):
    site = sign_extended(op, mask)
    assert site.idiom is None
    assert site.reason.code is Code.WIDTH_MISMATCH
    assert "sign extension" in site.reason.detail


def test_bits_added_by_sext_may_be_extended_again():
    old = load(width=32)
    low = cast("trunc", old, 8)
    wide = cast("sext", low, 16)
    wider = cast("sext", wide, 32)
    site = value_stored(logic("and", wider, -0x10000), old, low, wide, wider)
    assert site.reason.code is Code.WIDTH_MISMATCH


def test_an_addrspacecast_may_change_bits():
    old = load(width=16)
    moved = cast("addrspacecast", old, 16)
    assert sites((old, moved, new := logic("or", moved, 1), store(new))) == []


@pytest.mark.parametrize("width", [1, 7, 12, 20])
def test_parts_of_bytes(width):
    old = load(width=width)
    site = value_stored(logic("xor", old, 1), old)
    assert site.reason == Reason(Code.WIDTH_MISMATCH, f"{width} bits are not whole bytes")
    assert site.idiom.effect == Effect(width, (1 << width) - 1, 1)


def test_narrower_load():
    old = load()
    wide = cast("zext", old, 16)
    site = value_stored(logic("or", wide, 1), old, wide)
    assert site.reason == Reason(Code.WIDTH_MISMATCH, "8 bits are loaded, 16 bits stored")
    assert site.idiom.effect == Effect(16, 0x00FE, 0x0001)


def test_wider_load():
    old = load(width=16)
    new = logic("or", old, 1)
    site = value_stored(cast("trunc", new, 8), old, new)
    assert site.reason == Reason(Code.WIDTH_MISMATCH, "16 bits are loaded, 8 bits stored")


# -- nonconst-mask -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["and", "or", "xor"])
def test_variable_mask(op):
    for new in (logic(op, old := load(), M), logic(op, M, old)):
        site = value_stored(new, old)
        assert site.idiom is None
        assert site.reason == Reason(Code.NONCONST_MASK, "%m is not a constant")


def test_variable_mask_computed_by_logic_is_named_as_the_operand_it_is():
    old, mask = load(), logic("and", M, 3, name="%mask")
    first = logic("or", old, mask)
    assert value_stored(logic("and", first, -5), old, mask, first).reason.detail == "%mask is not a constant"


def test_a_mask_from_another_load():
    old, mask = load(), load(OTHER, name="%mask")
    for new in (logic("or", old, mask), logic("or", mask, old)):
        site = value_stored(new, old, mask)
        assert site.reason == Reason(Code.NONCONST_MASK, "%mask is not a constant")
        assert site.load is old


def test_a_mask_and_a_value_both_from_elsewhere():
    third = Symbol(name="third", width=16)
    left, right = load(OTHER, name="%left"), load(third, name="%right")
    site = value_stored(logic("or", left, right), left, right)
    assert site.reason.detail == "%right is not a constant"


def test_a_mask_that_is_part_variable():
    old, flag = load(), Argument(width=1, name="%b")
    mask, cleared = cast("zext", flag, 8, name="%mask"), logic("and", old, -2)
    site = value_stored(logic("or", cleared, mask), old, mask, cleared)
    assert site.reason == Reason(Code.NONCONST_MASK, "%mask is not a constant")


def test_copies_of_a_variable_sign_are_variable():
    old = load(width=16)
    low = cast("trunc", old, 8)
    mixed = logic("xor", low, M)
    wide = cast("sext", mixed, 16)
    site = value_stored(logic("and", wide, -0x100), old, low, mixed, wide)
    assert site.reason == Reason(Code.NONCONST_MASK, "%m is not a constant")


def test_copies_of_the_sign_of_another_load_are_variable():
    old, other = load(width=16), load(OTHER, name="%other")
    wide = cast("sext", other, 16)
    high = logic("and", wide, -0x100, name="%high")
    site = value_stored(logic("or", old, high), old, other, wide, high)
    assert site.reason == Reason(Code.NONCONST_MASK, "%high is not a constant")


def test_a_variable_whose_bits_are_all_decided_does_not_count():
    old, gone = load(), logic("and", M, 0)
    assert value_stored(logic("or", old, gone), old, gone).reason.code is Code.NOOP
    new = logic("xor", old, M)
    assert value_stored(logic("and", new, 0), old, new).idiom.effect == Effect(8, 0, 0)


def test_of_two_loads_one_without_kept_bits_is_not_the_old_value():
    first, old = load(OTHER, name="%first"), load()
    one = logic("or", first, 0xFF)
    low = logic("and", old, 0x7F)
    site = value_stored(logic("and", one, low), first, one, old, low)
    assert site.idiom.effect == Effect(8, 0x7F, 0)
    assert site.load is old


def test_shifted_and_summed_values_are_no_constants():
    old = load()
    for op in ("add", "sub", "mul", "shl"):
        mask = Binary(op=op, lhs=old, rhs=const(1), width=8, name="%k")
        assert value_stored(logic("or", old, mask), old, mask).reason.detail == "%k is not a constant"


# -- noop ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("op", "mask"), [("or", 0), ("and", 0xFF), ("xor", 0)])
def test_noop(op, mask):
    site = update(op=op, mask=mask)
    assert site.reason == Reason(Code.NOOP, "%o always equals %v", "delete the update")
    assert site.idiom.effect == Effect(8, 0xFF, 0)


def test_a_volatile_noop_is_not_to_be_deleted():
    assert update(mask=0, volatile=True).reason == Reason(Code.NOOP, "%o always equals %v")


def test_toggled_twice():
    old = load()
    once = logic("xor", old, 4)
    assert value_stored(logic("xor", once, 4), old, once).reason.code is Code.NOOP


# -- value-used ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", range(3))
def test_another_use_of_the_loaded_an_intermediate_or_the_stored_value(which):
    old = load(name="%0")
    middle = logic("and", old, -2, name="%1")
    new = logic("or", middle, 4, name="%2")
    ret = Opaque(opcode="ret", inputs=((old, middle, new)[which],), span=Span(0, 0, 12))
    site = only(old, middle, new, store(new), ret)
    assert site.reason == Reason(
        Code.VALUE_USED,
        f"%{which} is also used by ret at line 12",
        "read the location once more for ret at line 12",
    )
    assert site.idiom.effect == Effect(8, 0xFA, 4)


def test_a_volatile_location_is_not_to_be_read_once_more():
    old = load(volatile=True)
    new = logic("or", old, 4)
    site = only(old, new, store(new), Opaque(opcode="ret", inputs=(new,), name="%r"))
    assert site.reason == Reason(Code.VALUE_USED, "%o is also used by %r")


def test_a_use_in_another_block():
    old = load()
    new = logic("or", old, 4)
    (site,) = sites((old, new, store(new)), (Opaque(opcode="add", inputs=(old,), name="%9"),))
    assert site.reason.detail == "%v is also used by %9"


def test_a_use_by_the_address_of_the_same_store():
    old = load(width=16)
    new = logic("or", old, 4)
    site = only(old, new, store(new, new))
    assert site.reason.code is Code.VALUE_USED
    assert site.reason.detail == "%o is also used by store at line 9"


def test_a_use_of_an_intermediate_by_the_address_of_the_store():
    old = load(width=16)
    middle = logic("or", old, 4, name="%middle")
    new = logic("and", middle, -2)
    site = only(old, middle, new, store(new, middle))
    assert site.reason.detail == "%middle is also used by store at line 9"


def test_a_value_stored_twice():
    old = load()
    new = logic("or", old, 4)
    first, second = sites((old, new, store(new), store(new, OTHER, line=10)))
    assert first.reason.detail == "%o is also used by store at line 10"
    assert second.reason.detail == "%o is also used by store at line 9"


def test_a_use_by_one_side_of_a_tree_only():
    old = load()
    low, high = logic("and", old, 0x0E, name="%low"), logic("and", old, 0xF0, name="%high")
    joined = logic("or", low, high)
    site = only(old, low, high, joined, store(joined), Opaque(opcode="ret", inputs=(low,), name="%r"))
    assert site.reason.detail == "%low is also used by %r"


def test_a_lifetime_marker_is_no_use():
    old = load()
    new = logic("or", old, 4)
    assert only(old, new, store(new), Opaque(opcode="call", inputs=(old,), marker=True)).reason is None


def test_other_uses_of_what_is_beside_the_chain_do_no_harm():
    other, old = load(OTHER, name="%other"), load()
    ones = logic("or", other, 0xFF, name="%ones")
    new = logic("and", old, 0x7F)
    both = logic("and", ones, new, name="%both")
    site = only(other, ones, old, new, both, store(both), Opaque(opcode="ret", inputs=(other,)))
    assert site.reason is None


# -- control-flow --------------------------------------------------------------------------------------------------


def test_load_in_an_earlier_block():
    old = load()
    new = logic("or", old, 4)
    (site,) = sites((old,), (new, store(new)))
    assert site.reason == Reason(Code.CONTROL_FLOW, "%v is loaded in another block")
    assert site.idiom.effect == Effect(8, 0xFB, 4)


def test_load_that_comes_after_the_store():
    """As unreachable code may have it."""
    old = load()
    new = logic("or", old, 4)
    assert only(new, store(new), old).reason.code is Code.CONTROL_FLOW


# -- addr-mismatch -------------------------------------------------------------------------------------------------


def stored_through(loaded: Node, stored: Node, *between: Node, **access: object) -> Site:
    old = load(loaded)
    new = logic("or", old, 4)
    return only(old, new, *between, store(new, stored, **access))


def test_another_location():
    site = stored_through(OTHER, FLAGS)
    assert site.reason == Reason(Code.ADDR_MISMATCH, "loaded and stored through @other and @flags")
    assert site.idiom.address == Address("symbol", "flags", 0)


def test_places_are_named_by_base_and_offset():
    part = Binary(op="add", lhs=FLAGS, rhs=const(2, 16), width=16)
    near, far = (Binary(op="add", lhs=P, rhs=const(n, 16), width=16, name=f"%{n}") for n in (-1, 300))
    assert stored_through(part, const(0xFF01, 16)).reason.detail == "loaded and stored through @flags+2 and 0xff01"
    assert stored_through(near, far).reason.detail == "loaded and stored through %p-1 and %p+300"


def test_another_address_space():
    site = stored_through(FLAGS, FLAGS, space=1)
    assert site.reason == Reason(Code.ADDR_MISMATCH, "loaded and stored through address spaces 0 and 1")


def test_equal_addresses_computed_twice():
    once, again = (Binary(op="add", lhs=P, rhs=const(3, 16), width=16, name=name) for name in ("%a", "%b"))
    site = stored_through(once, again)
    assert site.reason is None
    assert site.idiom.address == Address("pointer", "%p", 3)


def test_pointer_reloaded_from_a_private_slot():
    slot = StackSlot(width=16, size=2, name="%p.addr")
    first, second = (load(slot, 16, name) for name in ("%0", "%1"))
    old = load(first)
    new = logic("or", old, 4)
    site = only(slot, store(P, slot), first, old, new, second, store(new, second))
    assert site.reason is None
    assert site.idiom.address == Address("pointer", "%1", 0)


# -- clobber-between -----------------------------------------------------------------------------------------------

WEAK = {
    "another global": store(M, OTHER),
    "another global, volatile": store(M, OTHER, volatile=True),
    "a pure value": logic("or", M, 1),
    "a load": load(P),
    "a volatile load": load(P, volatile=True),
    "a load of the location": load(),
    "a monotonic load": load(OTHER, ordering="monotonic"),
    "a monotonic store elsewhere": store(M, OTHER, ordering="monotonic"),
    "a call that only reads": call(writes=False),
    "a call without memory": call(reads=False, writes=False, ordered=False),
    "a call that writes elsewhere": call(OTHER, through=(OTHER,)),
    "a call that writes nothing we can see": call(reads=False, writes=False),
    "a monotonic update elsewhere": AtomicRMW(
        op="add", pointer=OTHER, value=M, access=Access(8, ordering="monotonic"), width=8
    ),
    "a stack slot": StackSlot(width=16),
    "the lifetime of something else": marker(OTHER),
}
WRITING = {
    "a store through a pointer": (store(M, P), "store at line 9"),
    "a store to the location": (store(M), "store at line 9"),
    "a wider store that reaches the location": (
        store(const(0, 16), Binary(op="sub", lhs=FLAGS, rhs=const(1, 16), width=16)),
        "store at line 9",
    ),
    "an atomic update through a pointer": (
        AtomicRMW(op="add", pointer=P, value=M, access=Access(8, ordering="monotonic"), width=8),
        "add",
    ),
    "a call": (call(), "call at line 5"),
    "a call that writes only": (call(reads=False), "call at line 5"),
    "a call that writes through a pointer": (call(P, through=(P,)), "call at line 5"),
    "a call that writes through several pointers": (call(OTHER, FLAGS, through=(OTHER, FLAGS)), "call at line 5"),
    "a fence": (fence(), "fence at line 5"),
    "a lifetime marker of the location": (marker(FLAGS), "call at line 5"),
}
ORDERED = {
    f"{order} {what}": node
    for order in STRONG
    for what, node in {
        "load": load(OTHER, ordering=order, name="%x"),
        "store": store(M, OTHER, ordering=order),
        "update": AtomicRMW(op="add", pointer=OTHER, value=M, access=Access(8, ordering=order), width=8),
    }.items()
}


@pytest.mark.parametrize("node", WEAK.values(), ids=WEAK)
def test_what_may_stand_between(node):
    assert update(node).reason is None


@pytest.mark.parametrize(("node", "what"), WRITING.values(), ids=WRITING)
def test_what_may_write_the_location(node, what):
    site = update(node)
    assert site.reason == Reason(
        Code.CLOBBER_BETWEEN, f"{what} may write the location", f"move the {what} out of the update"
    )
    assert site.idiom.effect == Effect(8, 0xEF, 0x10)


@pytest.mark.parametrize("node", ORDERED.values(), ids=ORDERED)
def test_ordered_accesses_keep_every_update_in_its_place(node):
    site = update(node)
    assert site.reason.code is Code.CLOBBER_BETWEEN
    assert site.reason.detail.endswith(" is ordered against the update")


@pytest.mark.parametrize(
    "node",
    [
        load(OTHER, volatile=True),
        store(M, OTHER, volatile=True),
        call(writes=False),
        call(reads=False, writes=False),
        AtomicRMW(op="add", pointer=OTHER, value=M, access=Access(8, volatile=True), width=8),
    ],
    ids=["load", "store", "reading call", "call", "atomicrmw"],
)
@pytest.mark.parametrize("volatile", [(True, True), (True, False), (False, True)], ids=["both", "load", "store"])
def test_volatile_accesses_and_calls_do_not_change_places_with_a_volatile_update(node, volatile):
    old = load(volatile=volatile[0])
    new = logic("or", old, 16)
    site = sites((old, node, new, store(new, volatile=volatile[1])))[-1]
    assert site.reason.code is Code.CLOBBER_BETWEEN
    assert site.reason.detail.endswith("is ordered against a volatile update")


@pytest.mark.parametrize(
    "node",
    [load(OTHER), store(M, OTHER), call(ordered=False, through=(OTHER,))],
    ids=["load", "store", "call"],
)
def test_plain_accesses_elsewhere_may_stand_inside_a_volatile_update(node):
    assert update(node, volatile=True).reason is None


@pytest.mark.parametrize(
    "node", [load(OTHER), store(M, OTHER), call(ordered=False, writes=False)], ids=["load", "store", "call"]
)
@pytest.mark.parametrize("order", STRONG)
def test_nothing_may_stand_inside_an_ordered_update(node, order):
    site = update(node, ordering=order)
    assert site.reason.code is Code.CLOBBER_BETWEEN
    assert site.reason.detail.endswith("is ordered against the update")


def test_a_pure_value_may_stand_inside_an_ordered_update():
    assert update(logic("or", M, 1), ordering="seq_cst").reason is None


@pytest.mark.parametrize("order", ["unordered", "monotonic"])
def test_a_call_without_memory_may_stand_inside_a_weakly_ordered_update(order):
    """Its ``memory(none)`` leaves nothing to order; a load that is moved behind it may as well never run."""
    assert update(call(reads=False, writes=False), ordering=order).reason is None
    site = update(call(writes=False), ordering=order)
    assert site.reason.detail == "call at line 5 may read the location"


@pytest.mark.parametrize("order", ["unordered", "monotonic"])
def test_atomic_reads_of_one_location_keep_their_order(order):
    site = update(load(name="%w", ordering=order), ordering=order)
    assert site.reason == Reason(
        Code.CLOBBER_BETWEEN, "load may read the location", "move the load out of the update"
    )
    assert update(load(OTHER, name="%w", ordering=order), ordering=order).reason is None


def test_what_stands_outside_does_not_matter():
    old = load(volatile=True)
    new = logic("or", old, 1)
    assert only(call(), old, new, store(new, volatile=True), call()).reason is None


def test_updates_that_overlap_each_other():
    a, b = load(FLAGS, name="%a"), load(OTHER, name="%b")
    c, d = logic("or", a, 1), logic("or", b, 1)
    assert [site.reason for site in sites((a, b, c, store(c), d, store(d, OTHER)))] == [None, None]


def test_an_update_of_the_same_location_inside_another():
    a, b = load(name="%a"), load(name="%b")
    c, d = logic("or", a, 1), logic("or", b, 2)
    inner, outer = sites((a, b, d, store(d, line=3), c, store(c, line=4)))
    assert inner.reason is None
    assert outer.reason.detail == "store at line 3 may write the location"


def test_too_many_accesses_between():
    assert update(*[load(OTHER)] * MAX_BETWEEN).reason is None
    assert update(*[load(OTHER)] * (MAX_BETWEEN + 1)).reason.code is Code.CLOBBER_BETWEEN


# -- the access ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "joint"),
    [
        ({"volatile": True}, {}, Access(8, volatile=True)),
        ({}, {"volatile": True}, Access(8, volatile=True)),
        ({"align": 4}, {"align": 2}, Access(8, align=2)),
        ({"align": 1}, {"align": 2}, Access(8, align=1)),
        ({"ordering": "monotonic"}, {}, Access(8, ordering="monotonic")),
        ({}, {"ordering": "unordered"}, Access(8, ordering="unordered")),
        ({"ordering": "unordered"}, {"ordering": "monotonic"}, Access(8, ordering="monotonic")),
        ({"ordering": "seq_cst"}, {"ordering": "release"}, Access(8, ordering="seq_cst")),
        ({"ordering": "acquire"}, {"ordering": "release"}, Access(8, ordering="acq_rel")),
        ({"ordering": "acquire"}, {"ordering": "monotonic"}, Access(8, ordering="acquire")),
    ],
    ids=str,
)
def test_the_access_of_the_update_is_the_stricter_of_both(first, second, joint):
    old = load(**first)
    new = logic("or", old, 1)
    assert only(old, new, store(new, **second)).idiom.access == joint


def test_the_address_space_is_kept():
    assert update(pointer=P, space=2).idiom == Idiom(
        Effect(8, 0xEF, 0x10), Access(8, space=2), Address("pointer", "%p", 0, 2)
    )


# -- order of the conditions ---------------------------------------------------------------------------------------

ORDER = [
    Code.NONCONST_MASK,
    Code.NOOP,
    Code.VALUE_USED,
    Code.CONTROL_FLOW,
    Code.ADDR_MISMATCH,
    Code.WIDTH_MISMATCH,
    Code.CLOBBER_BETWEEN,
]
IMPOSSIBLE = {(Code.NONCONST_MASK, Code.NOOP), (Code.NOOP, Code.WIDTH_MISMATCH)}


def with_faults(*faults: Code) -> Site:
    """An update with all these faults at once."""
    old: Node = load(width=16 if Code.WIDTH_MISMATCH in faults else 8)
    byte = cast("trunc", old, 8) if Code.WIDTH_MISMATCH in faults else old
    mask = M if Code.NONCONST_MASK in faults else const(0 if Code.NOOP in faults else 16)
    new = logic("or", byte, mask)
    write = store(new, OTHER if Code.ADDR_MISMATCH in faults else FLAGS)
    first = (old, call()) if Code.CLOBBER_BETWEEN in faults else (old,)
    rest = (byte, new, write) if byte is not old else (new, write)
    if Code.VALUE_USED in faults:
        rest += (Opaque(opcode="ret", inputs=(new,)),)
    (site,) = sites(first, rest) if Code.CONTROL_FLOW in faults else sites(first + rest)
    return site


def test_no_fault():
    assert with_faults().reason is None


@pytest.mark.parametrize("fault", ORDER, ids=str)
def test_each_fault_alone(fault):
    assert with_faults(fault).reason.code is fault


@pytest.mark.parametrize(
    ("first", "second"), [pair for pair in combinations(ORDER, 2) if pair not in IMPOSSIBLE], ids=str
)
def test_of_two_faults_the_first_in_order_is_the_reason(first, second):
    assert with_faults(first, second).reason.code is first


def test_where_widths_differ_nothing_is_a_noop():
    old = load(width=16)
    low = cast("trunc", old, 8)
    assert value_stored(logic("or", low, 0), old, low).reason.code is Code.WIDTH_MISMATCH


# -- atomicrmw -----------------------------------------------------------------------------------------------------


def atomic(op: str, value: Node | int = 4, width: int = 8, **access: object) -> AtomicRMW:
    value = const(value, width) if isinstance(value, int) else value
    access = {"ordering": "seq_cst", **access}
    return AtomicRMW(op=op, pointer=FLAGS, value=value, access=Access(width, **access), width=width, name="%x")


@pytest.mark.parametrize(
    ("op", "mask", "effect"),
    [
        ("or", 0x04, Effect(8, 0xFB, 0x04)),
        ("and", 0xFB, Effect(8, 0xFB, 0)),
        ("xor", 0x04, Effect(8, 0xFF, 0x04)),
        ("or", 0x104, Effect(8, 0xFB, 0x04)),
    ],
)
def test_atomic_update(op, mask, effect):
    node = atomic(op, mask, align=1, volatile=True)
    idiom = Idiom(effect, Access(8, True, "seq_cst"), Address("symbol", "flags", 0), atomic=True)
    assert sites((node,)) == [Site("f", "entry", 0, node, idiom)]


@pytest.mark.parametrize("op", ["add", "sub", "xchg", "max", "uinc_wrap"])
def test_other_atomic_operations_have_no_form(op):
    site = only(atomic(op, 1))
    assert site.idiom is None
    assert site.reason == Reason(Code.NO_FORM, f"no instruction makes an atomic {op}")


def test_atomic_nand():
    site = only(atomic("nand", 0x0F))
    assert site.reason == Reason(Code.NO_FORM, "no instruction makes an atomic nand")
    assert [site.idiom.effect(x) for x in (0x00, 0x35, 0xFF)] == [0xFF, 0xFA, 0xF0]


@pytest.mark.parametrize("mask", [M, load(), logic("or", load(), 1)], ids=["argument", "load", "chain"])
def test_atomic_update_by_a_variable(mask):
    site = only(atomic("or", mask))
    assert site.idiom is None
    assert site.reason == Reason(Code.NONCONST_MASK, f"{mask.name} is not a constant")


@pytest.mark.parametrize("op", ["or", "and", "nand"])
def test_atomic_update_whose_result_is_used(op):
    node = atomic(op)
    site = only(node, Opaque(opcode="ret", inputs=(node,), span=Span(0, 0, 3)))
    assert site.reason == Reason(Code.VALUE_USED, "the old value %x is used by ret at line 3")


def test_atomic_update_that_changes_nothing():
    assert only(atomic("or", 0)).reason == Reason(Code.NOOP, "%x changes no bit")
    node = atomic("and", -1)
    assert only(node, Opaque(opcode="ret", inputs=(node,))).reason.code is Code.NOOP


def test_atomic_update_of_part_of_a_byte():
    assert only(atomic("or", 1, width=4)).reason == Reason(Code.WIDTH_MISMATCH, "4 bits are not whole bytes")
    assert only(atomic("or", 1, width=16)).reason is None


# -- input that no compiler writes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [0, 16])
def test_an_operand_of_another_width_is_nothing_known(width):
    """As an undefined name has no width."""
    old, odd = load(), Opaque(opcode="undefined", width=width, name="%u")
    new = Binary(op="or", lhs=old, rhs=odd, width=8, name="%o")
    assert sites((old, new, store(new))) == []


@pytest.mark.parametrize(
    ("op", "source", "width"),
    [("zext", 0, 8), ("sext", 0, 8), ("zext", 16, 8), ("trunc", 0, 8), ("freeze", 0, 8), ("bitcast", 16, 8)],
)
def test_a_cast_that_does_not_fit_is_nothing_known(op, source, width):
    old, odd = load(), cast(op, Opaque(opcode="undefined", width=source), width, name="%odd")
    assert value_stored(logic("or", old, odd), old, odd).reason.detail == "%odd is not a constant"


def test_a_store_of_another_width_than_its_value_is_no_site():
    old = load()
    new = logic("or", old, 1)
    assert sites((old, new, Store(pointer=FLAGS, value=new, access=Access(16)))) == []


def test_values_that_are_their_own_operands():
    """Unreachable code may hold them."""
    old = load(width=16)
    one, two = logic("or", old, 1, name="%one"), logic("and", old, -2, name="%two")
    object.__setattr__(one, "lhs", two)
    object.__setattr__(two, "lhs", one)
    object.__setattr__(two, "rhs", old)
    assert sites((old, one, two, store(two, one))) == []


# -- size ----------------------------------------------------------------------------------------------------------


def test_a_chain_of_10_000_links():
    old = load()
    nodes: list[Node] = [old]
    for n in range(10_000):
        nodes.append(logic(("or", "xor", "and")[n % 3], nodes[-1], (0x08, 0x02, 0xEF)[n % 3]))
    # 3334 toggles of bit 1 cancel; the last operation is an `or`.
    assert nodes[-1].op == "or"
    site = only(*nodes, store(nodes[-1]))
    assert site.reason is None
    assert site.idiom.effect == Effect(8, 0xE7, 0x0A if 3333 % 2 else 0x08)


def test_a_doubling_tree_is_walked_once():
    old = load()
    nodes: list[Node] = [old]
    for n in range(200):
        nodes.append(logic("or" if n % 2 else "and", nodes[-1], nodes[-1]))
    last = logic("or", nodes[-1], 1)
    assert only(*nodes, last, store(last)).idiom.effect == Effect(8, 0xFE, 1)


def test_work_is_linear_in_a_chain_stored_at_every_link():
    """Counted in calls, since time on a busy machine is no measure."""

    def calls(count: int) -> int:
        nodes: list[Node] = [old := load()]
        new: Node = old
        for _ in range(count):
            new = logic("xor", new, 1)
            nodes += [new, store(new, OTHER)]
        made = 0

        def count_call(frame: object, event: str, argument: object) -> None:
            nonlocal made
            made += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(count_call)
        try:
            found = sites(tuple(nodes))
        finally:
            sys.setprofile(before)
        assert len(found) == count
        return made

    assert calls(1_600) < 9 * calls(200)  # quadratic work would be 64 times as much

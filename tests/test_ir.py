"""The core IR: uses are counted, blocks are graphs, actions on memory are told from pure values."""

from __future__ import annotations

import pytest

from bitsel.ir import (
    Access,
    Argument,
    AtomicRMW,
    Binary,
    Block,
    Cast,
    Const,
    DataLayout,
    Function,
    Load,
    Opaque,
    Span,
    StackSlot,
    Store,
    Symbol,
    describe,
    describe_action,
    touches_memory,
)

BYTE = Access(8)
FLAGS = Symbol(name="flags", width=16)


def test_users_name_every_use_once_per_operand():
    value = Load(pointer=FLAGS, access=BYTE, width=8)
    twice = Binary(op="xor", lhs=value, rhs=value, width=8)
    store = Store(pointer=FLAGS, value=twice, access=BYTE)
    function = Function("f", (Block("entry", (value, twice, store)),))
    assert function.users == {FLAGS: [value, store], value: [twice, twice], twice: [store]}


def test_lifetime_markers_are_no_users():
    slot = StackSlot(width=16, size=1)
    marker = Opaque(opcode="call", inputs=(slot,), marker=True)
    function = Function("f", (Block("entry", (slot, marker)),))
    assert function.users == {}


def test_nodes_come_block_by_block_in_order():
    a, b, c = (Opaque(opcode=word) for word in ("a", "b", "c"))
    assert list(Function("f", (Block("x", (b, a)), Block("y", (c,)))).nodes()) == [b, a, c]


def test_nodes_are_equal_only_to_themselves():
    assert Const(value=1, width=8) != Const(value=1, width=8)


@pytest.mark.parametrize(
    ("node", "touches"),
    [
        (Load(pointer=FLAGS, access=BYTE, width=8), True),
        (Store(pointer=FLAGS, value=Const(value=0, width=8), access=BYTE), True),
        (AtomicRMW(op="or", pointer=FLAGS, value=Const(value=1, width=8), access=BYTE, width=8), True),
        (Opaque(opcode="call", reads=True), True),
        (Opaque(opcode="call", writes=True), True),
        (Opaque(opcode="call", ordered=True), True),
        (Opaque(opcode="icmp"), False),
        (StackSlot(width=16), False),
        (Binary(op="add", lhs=FLAGS, rhs=FLAGS, width=16), False),
    ],
)
def test_touches_memory(node, touches):
    assert touches_memory(node) is touches


def test_operands():
    value, pointer = Argument(width=8), Argument(width=16)
    assert Store(pointer=pointer, value=value, access=BYTE).operands == (value, pointer)
    assert AtomicRMW(op="or", pointer=pointer, value=value, access=BYTE).operands == (pointer, value)
    assert Load(pointer=pointer, access=BYTE).operands == (pointer,)
    assert Cast(op="zext", value=value, width=16).operands == (value,)
    assert Binary(op="or", lhs=value, rhs=pointer).operands == (value, pointer)
    assert Opaque(opcode="call", inputs=(value, pointer)).operands == (value, pointer)
    assert value.operands == ()


def test_graph_has_value_edges_and_the_order_of_memory_actions():
    old = Load(pointer=FLAGS, access=BYTE, width=8, name="%v")
    call = Opaque(opcode="call", reads=True, writes=True)
    new = Binary(op="or", lhs=old, rhs=Const(value=1, width=8), width=8, name="%o")
    store = Store(pointer=FLAGS, value=new, access=BYTE)
    graph = Block("entry", (old, call, new, store)).graph()
    kinds = {(a, b): kind for a, b, kind in graph.edges(data="kind")}
    assert kinds[old, call] == kinds[call, store] == "chain"
    assert kinds[old, new] == kinds[new, store] == kinds[FLAGS, store] == "value"
    assert (old, store) not in kinds
    assert graph.nodes[old]["label"] == "%v"
    assert graph.nodes[store]["label"] == "store"


def test_graph_keeps_both_edges_where_a_load_feeds_the_next_access():
    old = Load(pointer=FLAGS, access=BYTE, width=8)
    store = Store(pointer=FLAGS, value=old, access=BYTE)
    graph = Block("entry", (old, store)).graph()
    assert sorted(kind for *_, kind in graph.edges([old], data="kind")) == ["chain", "value"]


@pytest.mark.parametrize(
    ("node", "name", "action"),
    [
        (Symbol(name="flags", width=16), "@flags", "symbol"),
        (Const(value=255, width=8), "255", "const"),
        (Load(pointer=FLAGS, access=BYTE, name="%4", span=Span(0, 9, 7)), "%4", "load at line 7"),
        (
            Store(pointer=FLAGS, value=FLAGS, access=BYTE, span=Span(0, 9, 8)),
            "store at line 8",
            "store at line 8",
        ),
        (Opaque(opcode="call", name="%9", span=Span(0, 9, 3)), "%9", "call at line 3"),
        (Binary(op="or", lhs=FLAGS, rhs=FLAGS), "or", "or"),
    ],
)
def test_how_a_sentence_names_a_node(node, name, action):
    assert describe(node) == name
    assert describe_action(node) == action


def test_the_text_of_a_node_names_its_operands_and_goes_no_further():
    value = Load(pointer=FLAGS, access=BYTE, width=8, name="%v")
    for _ in range(10_000):
        value = Binary(op="xor", lhs=value, rhs=value, width=8, name="%x")
    assert repr(value) == "Binary(width=8, name='%x', span=None, op='xor', lhs=%x, rhs=%x)"
    call = Opaque(opcode="call", inputs=(FLAGS, value), through=(FLAGS,))
    assert "inputs=(@flags, %x)" in repr(call)
    assert "through=(@flags)" in repr(call)
    assert "through=None" in repr(Opaque(opcode="call"))


def test_pointer_width_falls_back_to_address_space_0():
    layout = DataLayout("little", {0: 16, 2: 32})
    assert [layout.bits(space) for space in (0, 1, 2)] == [16, 16, 32]

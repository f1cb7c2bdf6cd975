"""The closed catalogue of reasons why a site stays as it is.

Conditions of the matcher come first, then those of the target, each in the order in which they are asked;
the first that fails is the reason a report names.
"""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

from bitsel.ir import Node


class Code(str, Enum):
    """A reason's name, as it stands in reports; `when` is its sentence."""

    when: str

    def __new__(cls, value: str, when: str) -> Code:
        member = str.__new__(cls, value)
        member._value_ = value
        member.when = when
        return member

    def __str__(self) -> str:
        """The name alone, on every version of Python."""
        return str.__str__(self)

    # The matcher's own conditions.
    NONCONST_MASK = "nonconst-mask", "the other operand is not a constant"
    NOOP = "noop", "no bit changes"
    VALUE_USED = "value-used", "the loaded, an intermediate or the stored value has another use"
    CONTROL_FLOW = "control-flow", "load and store are not in one straight run of code"
    ADDR_MISMATCH = "addr-mismatch", "load and store are not provably the same location"
    WIDTH_MISMATCH = "width-mismatch", "load and store widths differ, or the width is not whole bytes"
    CLOBBER_BETWEEN = "clobber-between", "something between load and store may write or order the location"
    # The target's: the first whose relaxation alone would make the site selected.
    FLAGS_LIVE = "flags-live", "a flag the replacement changes is needed later"
    REG_LIVE = "reg-live", "a register the replacement changes is needed later"
    VOLATILE_WIDTH = "volatile-width", "a volatile access would change its width or number"
    ATOMIC = "atomic", "the access is ordered or atomic and one instruction of that width cannot do it"
    NOT_BIT_ADDRESSABLE = "not-bit-addressable", "the register there does not allow 1-bit manipulation"
    HW_SEMANTICS = "hw-semantics", "the register there has bits that react to being written or read"
    ADDR_SPACE = "addr-space", "the address space is not one the instruction reaches"
    ADDR_RANGE = "addr-range", "the constant address is outside the operand's range on this device"
    NONCONST_ADDR = "nonconst-addr", "a pointer, where the form needs a constant address"
    MULTI_BIT = "multi-bit", "more than one bit changes; one of them alone would be selected"
    NO_FORM = "no-form", "no instruction makes this update at this kind of address"
    COST = "cost", "a legal form exists and is not cheaper than LOAD-OP-STORE"


@frozen
class Reason:
    """Why one site was left alone: `detail` names the thing at fault, `fix` the smallest change that helps.

    `at` is the node at fault, where `detail` names one of the input.
    """

    code: Code
    detail: str
    fix: str | None = None
    at: Node | None = field(default=None, eq=False, repr=False)

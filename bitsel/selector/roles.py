"""Registers for addresses: where a target's [abi] names some, they hold addresses only, and the others none.

On a machine whose registers are much alike, most ways to use them differ in nothing but names. With as many for
data and as many for addresses as an update needs, few such ways are left.
"""

from __future__ import annotations

from bitsel.selector.ground import Ground, walk
from bitsel.selector.recipes import AddressPart, Displacement
from bitsel.target.expr import Name
from bitsel.target.facts import RegisterOperand, Target


def keeps_apart(one: Ground, addresses: frozenset[str], target: Target) -> bool:
    """Whether an instruction leaves data in registers for data, and addresses in those of `addresses`.

    One that reaches memory moves data, and its place is named by addresses; any other is of one kind.
    """
    form = one.form
    in_places = {e.id for mem in one.uses.mems for e in walk(mem.address) if isinstance(e, Name)}
    if one.uses.mems:
        moved = [
            name for name, o in form.operands.items() if isinstance(o, RegisterOperand) and name not in in_places
        ]
        return not any(one.env[name] in addresses for name in moved)
    registers = (target.registers[name] for name in one.reads | one.writes)
    used = {register.name for register in registers if register.width > 1 and register.value is None}
    if used & addresses:
        return used <= addresses and all(isinstance(r, (AddressPart, Displacement)) for r in one.recipes.values())
    return not any(isinstance(r, (AddressPart, Displacement)) for r in one.recipes.values())

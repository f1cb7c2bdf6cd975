"""The shape of a cell: the memo key under which a solution serves every cell that the table cannot tell apart.

Two cells of equal shape have the same accesses, rules and kind of address; the same operands can name their
bytes; per byte as many bits are set, cleared and toggled (counted up to `cap`, beyond which changing them one at
a time cannot win); and the numbers of the pool are equal to one another, and in the ranges of the operands, in
the same pattern. Recipes therefore make of one cell's solution the other's, instruction by instruction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from attrs import field, frozen

from bitsel.effect import Effect
from bitsel.selector.cell import Place
from bitsel.selector.ground import FormUses, walk, widths_of_masks
from bitsel.selector.recipes import Masks, masks_of
from bitsel.selector.setting import Setting
from bitsel.target.expr import Binary, Num
from bitsel.target.facts import Number, Part, Ranges
from bitsel.target.semantics import part_of

MOST_REMEMBERED = 20_000
"""So many effects are remembered at a time."""

EXACT_DISPLACEMENT = 4
"""Displacements up to this many bytes are told apart by value (stepping a pointer may win), others by range."""


@frozen(eq=False)
class Vocabulary:
    """What of a table can tell cells apart, found once: operands that name addresses (with the constants their
    rows add), operands for masks and displacements that do not take every value, fixed addresses, where alone some
    forms' memory operands work, and what parts of addresses add before they cut."""

    addresses: tuple[tuple[Number, int], ...]
    restricted: tuple[tuple[Number, int], ...]
    displacements: tuple[Number, ...]
    fixed: tuple[int, ...]
    reaches: tuple[Ranges, ...]
    parts: tuple[Part, ...]
    widths: tuple[int, ...]
    rounding: tuple[int, ...]
    _places: dict[tuple[int, int], Hashable] = field(factory=dict)
    _patterns: dict[Effect, Hashable] = field(factory=dict)

    @classmethod
    def of(cls, setting: Setting) -> Vocabulary:
        addresses: dict[tuple[str, int], Number] = {}
        restricted: dict[tuple[str, int], Number] = {}
        displacements: dict[str, Number] = {}
        fixed: set[int] = set()
        reaches = dict.fromkeys(uses.form.within for uses in setting.forms)
        widths = {8}
        for uses in setting.forms:
            fixed |= _fixed_addresses(uses)
            for operand, roles in uses.numbers.values():
                number = operand.number
                for use in roles:
                    if use.role in ("direct", "mask"):
                        for less in (0, *use.less):
                            addresses[number.name, less] = number
                    if use.role == "mask" and use.width % 8 == 0:
                        for width in widths_of_masks(use.width, setting.widths, setting.target):
                            widths.add(width)
                            if not number.ranges.covers(0, (1 << width) - 1):
                                restricted[number.name, width] = number
                    if use.role in ("based", "sum"):
                        displacements[number.name] = number
        return cls(
            addresses=tuple((n, less) for (_, less), n in sorted(addresses.items())),
            restricted=tuple((n, width) for (_, width), n in sorted(restricted.items())),
            displacements=tuple(n for _, n in sorted(displacements.items())),
            fixed=tuple(sorted(fixed)),
            reaches=tuple(reach for reach in reaches if reach is not None),
            parts=tuple(setting.target.parts.values()),
            widths=tuple(sorted(widths)),
            rounding=tuple(sorted(_added(setting.target.parts.values()))),
        )

    def place(self, place: Place, size: int, alignments: int) -> Hashable:
        """What the table can tell of where a cell of `size` bytes lies. `alignments`: the largest it asks for."""
        align = min(place.align, alignments)
        common = (place.kind, place.within, align, place.reach, place.any_range, tuple(sorted(place.mapped)))
        if place.address is not None:
            key = (place.address, size)
            if key not in self._places:
                self._places[key] = self._absolute(place.address, size)
            return (*common, self._places[key])
        if self.tells_offset(place):
            return (*common, place.offset if place.kind != "symbol" else 0)
        spots = range(place.offset, place.offset + size)
        ranges = tuple(s * spot in n.ranges for n in self.displacements for spot in spots for s in (1, -1))
        return (*common, place.offset > 0, ranges)

    def tells_offset(self, place: Place) -> bool:
        """Whether cells of one key lie at one distance from what names them, or it does not matter."""
        return place.kind in ("absolute", "symbol") or abs(place.offset) <= EXACT_DISPLACEMENT

    def _absolute(self, address: int, size: int) -> Hashable:
        spots = range(address, address + size)
        values = [part_of(part, spot) for part in self.parts for spot in spots]
        accepted = tuple(v - less in n.ranges for n, less in self.addresses for v in values)
        inside = tuple(all(spot in reach for spot in spots) for reach in self.reaches)
        return (accepted, tuple(a - address for a in self.literals(address, size)), inside)

    def literals(self, address: int, size: int) -> tuple[int, ...]:
        """The addresses written into rows that are of the cell of `size` bytes at `address`."""
        return tuple(a for a in self.fixed if a in range(address, address + size))

    def effect(self, effect: Effect, cap: int | None) -> Hashable:
        """What the table can tell of the wanted effect; with `cap` None the counts of bits are left out."""
        masks = masks_of(effect)
        counts = None
        if cap is not None:
            size = effect.width // 8
            counts = tuple([min(cap, (mask >> 8 * i & 255).bit_count()) for mask in masks for i in range(size)])
        pattern = self._patterns.get(effect)
        if pattern is None:
            if len(self._patterns) >= MOST_REMEMBERED:
                self._patterns.clear()
            pattern = self._patterns[effect] = self._pattern(effect.width, masks)
        return (counts, tuple([mask != 0 for mask in masks]), pattern)

    def _pattern(self, width: int, masks: Masks) -> Hashable:
        """Which numbers of the pool are equal to one another, and in the ranges of the operands."""
        unions = [0]
        for i in range(1, 8):
            unions.append(sum(mask for bit, mask in enumerate(masks) if i >> bit & 1))
        pattern = []
        for piece in self.widths:
            ones = (1 << piece) - 1
            values = [0, ones]
            for chunk in range(max(1, width // piece)):
                for union in unions:
                    value = union >> piece * chunk & ones
                    values += (value, value ^ ones)
            first: dict[int, int] = {}
            pattern.append(tuple([first.setdefault(v, i) for i, v in enumerate(values)]))
            for number, restricted_width in self.restricted:
                if restricted_width == piece:
                    pattern.append(tuple([v in number.ranges or v - ones - 1 in number.ranges for v in values]))
        return tuple(pattern)


def _added(parts: Iterable[Part]) -> set[int]:
    """The constants that parts add to an address."""
    sums = (e for part in parts for e in walk(part.is_) if isinstance(e, Binary) and e.op == "+")
    return {side.value for e in sums for side in (e.left, e.right) if isinstance(side, Num)}


def _fixed_addresses(uses: FormUses) -> set[int]:
    return {mem.address.value for mem in uses.mems if isinstance(mem.address, Num)}

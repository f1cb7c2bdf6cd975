"""An update as plain IR: load, logic, store, no wider than what changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

from bitsel.effect import Effect
from bitsel.ir import Access
from bitsel.match import Idiom
from bitsel.rewrite.llvm.spelling import Pointer


@frozen
class Window:
    """The bytes of an update that are accessed: `size` of them, from `start` on."""

    start: int
    size: int

    @classmethod
    def of(cls, idiom: Idiom) -> Window:
        """A volatile update keeps its access; any other is cut to the smallest aligned power of two bytes that
        holds what changes."""
        whole = idiom.access.width // 8
        if idiom.access.volatile:
            return cls(0, whole)
        changed = idiom.effect.changed_mask
        first = ((changed & -changed).bit_length() - 1) // 8
        last = (changed.bit_length() - 1) // 8
        size = 1
        while first // size != last // size:
            size *= 2
        start = first // size * size
        return cls(start, size) if start + size <= whole else cls(0, whole)

    def effect(self, effect: Effect) -> Effect:
        """What happens to the bytes accessed, of what happens to all."""
        return Effect(effect.width, effect.keep >> 8 * self.start, effect.flip >> 8 * self.start).truncated(
            8 * self.size
        )

    def align(self, access: Access) -> int:
        """The alignment of the window in an access."""
        return min(access.align, self.start & -self.start) if self.start else access.align


@frozen
class Line:
    """An instruction, and the name of the value that it defines, if it does."""

    text: str
    name: str | None = None


@frozen
class Attached:
    """The metadata to append to each of the new instructions, by what it stands for."""

    load: str
    logic: str
    store: str
    address: str


def operations(effect: Effect) -> tuple[tuple[str, int], ...]:
    """The fewest instructions with a constant that make `effect`, as opcode and signed constant."""
    masks = (("and", ~effect.clear_mask), ("or", effect.set_mask), ("xor", effect.toggle_mask))
    changed = (effect.clear_mask, effect.set_mask, effect.toggle_mask)
    return tuple((op, _signed(mask, effect.width)) for (op, mask), bits in zip(masks, changed, strict=True) if bits)


def _signed(value: int, width: int) -> int:
    sign = 1 << width - 1
    return (value + sign & (1 << width) - 1) - sign


def update(
    idiom: Idiom, window: Window, pointer: Pointer, index: int, attached: Attached, names: Iterator[str]
) -> list[Line]:
    """The instructions of the update at `pointer`, an address of `index` bits; values are called by `names`."""
    lines: list[Line] = []

    def value(text: str) -> str:
        name = next(names)
        lines.append(Line(f"{name} = {text}", name))
        return name

    type_ = f"i{8 * window.size}"
    if window.start and not pointer.points_to("i8"):
        pointer = _cast(pointer, "i8", attached, value)
    if window.start:
        at = f"getelementptr i8, {pointer}, i{index} {window.start}{attached.address}"
        pointer = Pointer(pointer.type, value(at))
    if not pointer.points_to(type_):
        pointer = _cast(pointer, type_, attached, value)
    volatile = "volatile " if idiom.access.volatile else ""
    place = f"{pointer}, align {window.align(idiom.access)}"
    held = value(f"load {volatile}{type_}, {place}{attached.load}")
    for op, constant in operations(window.effect(idiom.effect)):
        held = value(f"{op} {type_} {held}, {constant}{attached.logic}")
    lines.append(Line(f"store {volatile}{type_} {held}, {place}{attached.store}"))
    return lines


def _cast(pointer: Pointer, pointee: str, attached: Attached, value: Callable[[str], str]) -> Pointer:
    """A typed pointer as one to `pointee`."""
    type_ = pointer.to(pointee)
    return Pointer(type_, value(f"bitcast {pointer} to {type_}{attached.address}"))

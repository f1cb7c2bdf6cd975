"""The instructions of one search, sorted by how they name the cell."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

from attrs import frozen

from bitsel.selector.ground import Ground
from bitsel.selector.instruction import Instruction
from bitsel.selector.modes import Gate, Mode, Modes, names_places_first


@frozen(eq=False)
class Parts:
    """`plain` name no place through registers, or one that cannot be told beforehand; the others are by the mode
    that names their place, or, with several places, behind the gate that says where they can stand."""

    plain: tuple[Instruction, ...]
    modes: Mapping[Mode, tuple[Instruction, ...]]
    gated: Mapping[Gate, tuple[Instruction, ...]]

    @classmethod
    def of(cls, instructions: Iterable[Instruction], modes: Modes) -> Parts:
        plain: list[Instruction] = []
        based: dict[Hashable, list[Instruction]] = {}
        several: dict[Hashable, list[Instruction]] = {}
        for instruction in instructions:
            ground = instruction.ground
            if ground.based and len(ground.uses.mems) == 1:
                based.setdefault(instruction.mode, []).append(instruction)
            elif ground.based and names_places_first(ground):
                several.setdefault(instruction.mode, []).append(instruction)
            else:
                plain.append(instruction)
        served = {modes.mode(key, one[0].ground): tuple(one) for key, one in based.items()}
        gated = {modes.gate(key, behind[0].ground): tuple(behind) for key, behind in several.items()}
        return cls(tuple(plain), {mode: one for mode, one in served.items() if mode.possible}, gated)

    @property
    def direct(self) -> tuple[Instruction, ...]:
        """All that is not by mode."""
        return (*self.plain, *(one for behind in self.gated.values() for one in behind))

    def updates(self) -> Parts:
        """Those alone that both read and write memory."""
        return self._some(lambda ground: ground.update)

    def in_place(self) -> Parts:
        """Loads, stores, and what changes one register by a constant."""

        def takes_part(ground: Ground) -> bool:
            if ground.uses.mems:
                return ground.uses.plain and not ground.update
            return len(ground.reads) == 1 and ground.reads <= ground.writes

        return self._some(takes_part)

    def _some(self, takes_part: Callable[[Ground], bool]) -> Parts:
        def some(every: Iterable[Instruction]) -> tuple[Instruction, ...]:
            return tuple(one for one in every if takes_part(one.ground))

        return Parts(some(self.plain), {mode: some(served) for mode, served in self.modes.items()}, {})

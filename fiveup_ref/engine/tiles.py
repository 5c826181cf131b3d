"""The tiles of the double-six set."""

from __future__ import annotations

import re
from typing import Final

from .faults import Fault, RulesError

PIPS: Final = range(7)
SET_PIPS: Final = 168

_WRITTEN: Final = re.compile(r"([0-9])[-|:]?([0-9])", re.ASCII)


class Tile:
    """One tile: two halves of 0 to 6 pips, the heavier half named first.

    There are 28 tiles and each exists once, so two equal tiles are the same object. Get them by
    `Tile.of` or `Tile.parse`. `index` runs from 0 (0-0) to 27 (6-6) in the order of `DOUBLE_SIX`.

    >>> Tile.of(4, 6), Tile.of(4, 6) is Tile.parse("46")
    (Tile.parse('6-4'), True)
    """

    __slots__ = ("heavy", "index", "is_double", "light", "pips")

    heavy: int
    light: int
    pips: int
    index: int
    is_double: bool

    def __init__(self) -> None:
        raise TypeError("tiles are taken from the set: Tile.of(6, 4) or Tile.parse('6-4')")

    @staticmethod
    def of(one: int, other: int) -> Tile:
        """The tile with these two halves, in either order, 0 to 6 pips each.

        Raises RulesError(NO_SUCH_TILE), source: rules 1 (double-six set).

        >>> Tile.of(0, 5)
        Tile.parse('5-0')
        """
        tile = _BY_HALVES.get((one, other))
        if tile is None:
            raise RulesError(Fault.NO_SUCH_TILE, tile=f"{one}-{other}")
        return tile

    @staticmethod
    def parse(text: str) -> Tile:
        """The tile written as `6-4`, `64`, `6|4`, `6:4` or `[6-4]`, either half first.

        Raises RulesError: NOT_A_TILE where the text has another shape, NO_SUCH_TILE beyond six pips.

        >>> str(Tile.parse("[4:6]"))
        '6-4'
        """
        bare = text.strip()
        if bare.startswith("[") and bare.endswith("]"):
            bare = bare[1:-1]
        written = _WRITTEN.fullmatch(bare)
        if written is None:
            raise RulesError(Fault.NOT_A_TILE, text=text.strip())
        return Tile.of(int(written[1]), int(written[2]))

    def has(self, pip: int) -> bool:
        """Whether one of the halves has this number of pips."""
        return pip in (self.heavy, self.light)

    def other(self, pip: int) -> int:
        """The pips of the half that is not `pip` (a double: the same number).

        Raises ValueError where no half has `pip`.

        >>> Tile.of(6, 4).other(6)
        4
        """
        if pip == self.heavy:
            return self.light
        if pip == self.light:
            return self.heavy
        raise ValueError(f"{self} has no half with {pip} pips")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a tile does not change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a tile does not change: {name}")

    def __copy__(self) -> Tile:
        return self

    def __deepcopy__(self, memo: object) -> Tile:
        return self

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return Tile.of, (self.heavy, self.light)

    def __lt__(self, other: Tile) -> bool:
        return self.index < other.index

    def __str__(self) -> str:
        return f"{self.heavy}-{self.light}"

    def __repr__(self) -> str:
        return f"Tile.parse('{self}')"


def _make(index: int, heavy: int, light: int) -> Tile:
    tile = object.__new__(Tile)
    for name, value in (
        ("heavy", heavy),
        ("light", light),
        ("pips", heavy + light),
        ("index", index),
        ("is_double", heavy == light),
    ):
        object.__setattr__(tile, name, value)
    return tile


DOUBLE_SIX: Final[tuple[Tile, ...]] = tuple(
    _make(index, heavy, light)
    for index, (heavy, light) in enumerate((heavy, light) for heavy in PIPS for light in range(heavy + 1))
)
"""The 28 tiles, lightest heavier half first: 0-0, 1-0, 1-1, 2-0 … 6-6."""

_BY_HALVES: Final = {
    halves: tile for tile in DOUBLE_SIX for halves in ((tile.heavy, tile.light), (tile.light, tile.heavy))
}

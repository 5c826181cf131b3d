"""Where the pips of a tile are."""

from functools import cache
from typing import Final, NamedTuple

from fiveup_ref.engine.tiles import Tile

PIP_RADIUS: Final = 0.1
_LOW, _MID, _HIGH = 0.23, 0.5, 0.77


class PipSpot(NamedTuple):
    """The middle of one pip, in units of half a tile."""

    x: float
    y: float


def half_spots(pips: int) -> tuple[PipSpot, ...]:
    """The pips of one half in the unit square, for a tile that lies with its long edges across.

    Two and three run from corner to corner and six in two rows along the tile, so they turn as the tile is turned.

    >>> half_spots(1)
    (PipSpot(x=0.5, y=0.5),)
    """
    middle = [PipSpot(_MID, _MID)] * (pips % 2)
    corners = [PipSpot(_LOW, _HIGH), PipSpot(_HIGH, _LOW)] * (pips >= 2)
    others = [PipSpot(_LOW, _LOW), PipSpot(_HIGH, _HIGH)] * (pips >= 4)
    rows = [PipSpot(_MID, _LOW), PipSpot(_MID, _HIGH)] * (pips == 6)
    return (*middle, *corners, *others, *rows)


@cache
def pip_spots(tile: Tile) -> tuple[PipSpot, ...]:
    """All pips of a tile lying 2 x 1 about its middle (0, 0), heavy half left: x from -1 to 1, y from -0.5 to 0.5.

    >>> pip_spots(Tile.of(1, 0))
    (PipSpot(x=-0.5, y=0.0),)
    """
    heavy = [PipSpot(spot.x - 1, spot.y - 0.5) for spot in half_spots(tile.heavy)]
    light = [PipSpot(spot.x, spot.y - 0.5) for spot in half_spots(tile.light)]
    return (*heavy, *light)

"""The layout as it could lie on a table: every tile a box, every arm bent where it runs out of room, no overlap."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from fiveup_ref.drawing.ends import Kind
from fiveup_ref.drawing.placing import Limits, Table
from fiveup_ref.drawing.room import CENTRE, STEPS, WIDEST
from fiveup_ref.drawing.settling import Play, settled
from fiveup_ref.engine.tiles import Tile

MARK_RADIUS: Final = 0.45
MARK: Final = 1
NARROWEST: Final = 12
_HIGH: Final = 20
_MARGIN: Final = 0.25
_FRAME: Final = 16.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle in units: left, top, width, height."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile as it lies: its middle in units, and by how many degrees clockwise it is turned.

    At turn 0 the first named (heavier) half lies left, at 90 on top, at 180 right, at 270 at the bottom.
    """

    tile: Tile
    x: float
    y: float
    turn: int
    last: bool

    @property
    def box(self) -> Bounds:
        """The tile's outline: 2 x 1 units lying, 1 x 2 upright."""
        w, h = (1.0, 2.0) if self.turn % 180 else (2.0, 1.0)
        return Bounds(self.x - w / 2, self.y - h / 2, w, h)


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """Where an open end is marked: the middle of a spot of 1 x 1 unit that overlaps no tile.

    `again` is true at the second place of the same open end: the other side of a lone double, the other open tip.
    """

    tile: Tile
    pip: int
    kind: Kind
    x: float
    y: float
    again: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Tiles in order of play and open places; `bounds` is what they fill, `view` the calmer frame to draw them in."""

    tiles: tuple[Placed, ...]
    open_places: tuple[OpenPlace, ...]
    bounds: Bounds
    view: Bounds

    @property
    def frame(self) -> Bounds:
        """The frame of a picture that is not drawn again: no higher than it must be, tiles always as large."""
        w, h = max(self.bounds.w, _FRAME) + 2 * _MARGIN, self.bounds.h + 2 * _MARGIN
        return Bounds(self.bounds.x + (self.bounds.w - w) / 2, self.bounds.y - _MARGIN, w, h)


def plan(plays: Sequence[Play], *, spinners: int, width: int = 16) -> Plan:
    """Lays tiles `(tile, onto)` in order of play; `onto` is None for the set, whose middle is (0, 0).

    Units are half tiles. The plan is at most `width` (12 to 22) wide wherever that can be done at all and grows
    downwards and upwards. `spinners` doubles, in order of play, take four tiles (rules 2 and 5). The same plays
    always give the same plan, and one more play nearly always leaves all tiles where they lie.

    Raises ValueError when a tile cannot be joined to its `onto`.

    >>> six, five = Tile.of(6, 6), Tile.of(6, 5)
    >>> [(str(one.tile), one.x, one.y, one.turn) for one in plan([(six, None), (five, six)], spinners=7).tiles]
    [('6-6', 0.0, 0.0, 90), ('6-5', 1.5, 0.0, 0)]
    """
    if not NARROWEST <= width <= WIDEST // 2:
        raise ValueError(f"width must be from {NARROWEST} to {WIDEST // 2} units")
    table = settled(tuple(plays), Limits(2 * (width - 2 * MARK), _HIGH, spinners))
    tiles = _placed(table)
    places = tuple(_open_places(table))
    boxes = [one.box for one in tiles]
    boxes += [Bounds(place.x - MARK / 2, place.y - MARK / 2, MARK, MARK) for place in places]
    bounds = _hull(boxes)
    return Plan(tiles, places, bounds, _view(bounds, width))


def _placed(table: Table) -> tuple[Placed, ...]:
    return tuple(
        Placed(
            spot.tile,
            (spot.box.x + spot.box.w / 2 - CENTRE[0]) / 2,
            (spot.box.y + spot.box.h / 2 - CENTRE[1]) / 2,
            90 * spot.d,
            number == len(table.spots),
        )
        for number, spot in enumerate(table.spots, 1)
    )


def _open_places(table: Table) -> list[OpenPlace]:
    """Places in order of play of their tiles; tips only where both sides are covered (rules 2)."""
    sided = {end.place.tile for end in table.ends if end.place.kind == "side"}
    order = {spot.tile: number for number, spot in enumerate(table.spots)}
    seen: set[tuple[Tile, int]] = set()
    places: list[OpenPlace] = []
    for end in sorted(table.ends, key=lambda end: order[end.place.tile]):
        tile, pip, kind = end.place
        if kind == "tip" and tile in sided:
            continue
        dx, dy = STEPS[end.kept.d]
        x, y = (end.kept.x + dx - CENTRE[0]) / 2, (end.kept.y + dy - CENTRE[1]) / 2
        places.append(OpenPlace(tile, pip, kind, x, y, (tile, pip) in seen))
        seen.add((tile, pip))
    return places


def _hull(boxes: Sequence[Bounds]) -> Bounds:
    if not boxes:
        return Bounds(0.0, 0.0, 0.0, 0.0)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.w for box in boxes), max(box.y + box.h for box in boxes)
    return Bounds(left, top, right - left, bottom - top)


def _view(bounds: Bounds, width: int) -> Bounds:
    """A frame that changes seldom: always as wide, moved aside and made higher in steps of two units.

    So tiles keep their size from the first to the last, and hardly ever move on the screen.
    """
    w = max(float(width), bounds.w) + 2 * _MARGIN
    spare = (w - 2 * _MARGIN) / 2
    shift = min(0.0, 2 * floor((bounds.x + spare) / 2)) + max(0.0, 2 * ceil((bounds.x + bounds.w - spare) / 2))
    # Steps must not push the far edge out again.
    shift = max(min(shift, bounds.x + spare), bounds.x + bounds.w - spare)
    top = min(-width / 4, 2.0 * floor(bounds.y / 2))
    bottom = max(width / 4, 2.0 * ceil((bounds.y + bounds.h) / 2))
    return Bounds(shift - w / 2, top - _MARGIN, w, bottom - top + 2 * _MARGIN)

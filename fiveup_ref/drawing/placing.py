"""Where one more tile goes: every place that touches rightly, and the most comfortable of them."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from fiveup_ref.drawing.ends import End, Ground, Need, Place, lying, mark_cells, open_end, without, worry
from fiveup_ref.drawing.room import CENTRE, PAD, STEPS, Box, Edge, ahead, around, cells_of, outside
from fiveup_ref.engine.tiles import Tile

BEND: Final = 4.0
# A tile that turns at the very side of a double hides its tip: only where nothing else is left.
BEND_AT_SIDE: Final = 16.0
# How much less an end counts that is known to take no tile of this layout: the next play may still go there.
IDLE: Final = 0.05
NEVER: Final = 1e6


class Limits(NamedTuple):
    """What tiles may fill, in cells, and what is preferred.

    Width is a limit, height beyond `high` costs `higher` a cell. `turns` are the costs of turning clockwise and
    anticlockwise: the same sense everywhere lets arms follow rather than meet each other. `coming` are the places
    that are known to take a tile, and whether that is a double, where the plays to come are known.
    """

    wide: int
    high: int
    spinners: int
    higher: float = 2.5
    turns: tuple[float, float] = (0.0, 1.0)
    coming: Mapping[Place, bool] | None = None
    gap: int = 1

    def weight(self, place: Place) -> float:
        """How much the room at a place matters."""
        return 1.0 if self.coming is None or place in self.coming else IDLE


class Spot(NamedTuple):
    """A tile that lies: its box and cells, and the direction from its heavy to its light half."""

    tile: Tile
    box: Box
    cells: int
    d: int


class Table(NamedTuple):
    """All that lies after some plays: `taken` are the tiles' cells, `box` their limits as left, top, right, bottom.

    `lain` counts the tiles of each pip value, `twins` names the values whose double lies.
    """

    spots: tuple[Spot, ...]
    ends: tuple[End, ...]
    taken: int
    box: tuple[int, int, int, int]
    lain: tuple[int, ...]
    twins: frozenset[int]


class Way(NamedTuple):
    """One way to lay a tile: its price so far, its heading, and the middle of its far half (of a double: its own)."""

    price: float
    end: End | None
    box: Box
    d: int
    x: int
    y: int


BARE: Final = Table((), (), 0, (*CENTRE, *CENTRE), (0,) * 7, frozenset())


def _stretched(table: Table, box: Box) -> tuple[int, int, int, int]:
    left, top, right, bottom = table.box
    return min(left, box.x), min(top, box.y), max(right, box.x + box.w), max(bottom, box.y + box.h)


def _height(table: Table, box: Box, limits: Limits) -> float:
    """What it costs that a box makes the layout higher; more than any patience where it gets too wide."""
    left, top, right, bottom = _stretched(table, box)
    if right - left > limits.wide or top < PAD:
        return NEVER
    grown = min(bottom - top - limits.high, bottom - top - (table.box[3] - table.box[1]))
    return limits.higher * max(grown, 0)


def _ways(table: Table, tile: Tile, end: End, limits: Limits) -> Iterator[Way]:
    """Every way to lay a tile at an end."""
    for edge in end.edges:
        aside = 0.0 if edge.d == end.ahead else BEND
        dx, dy = STEPS[edge.d]
        x, y = edge.x + dx, edge.y + dy
        if tile.is_double:
            box = ahead(edge, 2, 2)
            yield Way(aside + _height(table, box, limits), end, box, edge.d, x, y)
            continue
        for turn, bend in ((0, 0.0), (1, BEND + limits.turns[0]), (3, BEND + limits.turns[1])):
            start, d = lying(edge, turn)
            box = ahead(start, 1, 4)
            price = aside + bend + _height(table, box, limits)
            if bend and end.place.kind == "side":
                price += BEND_AT_SIDE - BEND
            yield Way(price, end, box, d, x + 2 * STEPS[d][0], y + 2 * STEPS[d][1])


def _edges(x: int, y: int, away: int, heading: int) -> tuple[Edge, ...]:
    """The edges of the half with its middle at (x, y): straight on, to the right, to the left."""
    turns = (heading, (heading + 1) % 4, (heading + 3) % 4)
    return tuple(Edge(x + away * STEPS[d][0], y + away * STEPS[d][1], d) for d in turns)


def _opened(tile: Tile, way: Way, *, spinner: bool) -> Iterator[tuple[Place, tuple[Edge, ...]]]:
    """The places a tile brings to the table, each with its edges."""
    back = (way.d + 2) % 4
    joint = way.end.place.pip if way.end else None
    if tile.is_double:
        for d in (way.d,) if way.end else (way.d, back):
            yield Place(tile, tile.heavy, "side"), _edges(way.x, way.y, 1, d)[:1]
        if spinner:
            for d in ((way.d + 3) % 4, (way.d + 1) % 4):
                yield Place(tile, tile.heavy, "tip"), _edges(way.x, way.y, 2, d)[:1]
        return
    far = tile.heavy if joint == tile.light else tile.light
    yield Place(tile, far, "half"), _edges(way.x, way.y, 1, way.d)
    if joint is None:
        yield Place(tile, tile.heavy, "half"), _edges(way.x + 2 * STEPS[back][0], way.y + 2 * STEPS[back][1], 1, back)


class _Needs(NamedTuple):
    """What may still come, once a tile lies."""

    lain: tuple[int, ...]
    twins: frozenset[int]
    tips: bool

    def of(self, place: Place, limits: Limits) -> Need:
        due = None if limits.coming is None else limits.coming.get(place)
        double = place.pip not in self.twins if due is None else due
        return Need(self.lain[place.pip] < 7, double, self.tips)


def _needs(table: Table, tile: Tile, limits: Limits) -> _Needs:
    twins = table.twins | {tile.heavy} if tile.is_double else table.twins
    lain = tuple(count + (pip in (tile.heavy, tile.light)) for pip, count in enumerate(table.lain))
    return _Needs(lain, twins, len(twins) < limits.spinners)


def _lay(table: Table, tile: Tile, way: Way, limits: Limits, patience: float) -> tuple[float, Table] | None:
    """The table with a tile laid that way and what it costs.

    None when the tile would touch what it is not joined to, when a marker loses its room, or when it costs more
    than `patience`.
    """
    onto = 0 if way.end is None else next(spot.cells for spot in table.spots if spot.tile is way.end.place.tile)
    cells = cells_of(way.box)
    if (around(way.box) if limits.gap else cells) & table.taken & ~onto:
        return None
    box = _stretched(table, way.box)
    walls = outside(box[2] - limits.wide - 1, box[0] + limits.wide + 1)
    moved = walls if (box[0], box[2]) != (table.box[0], table.box[2]) else 0
    needs = _needs(table, tile, limits)
    cost = way.price
    ends: list[End] = []
    shaken: list[End] = []
    marks = 0
    for end in table.ends:
        if end is way.end:
            continue
        if end.near & (cells | moved):
            shaken.append(end)
        else:
            ends.append(end)
            marks |= mark_cells(end.kept)
    for end in shaken:
        left = without(end, Ground(cells, marks, moved))
        if left is None:
            return None
        need = needs.of(end.place, limits)
        cost += limits.weight(end.place) * (worry(left, need) - worry(end, need))
        ends.append(left)
        marks |= mark_cells(left.kept)
    if cost >= patience:
        return None
    taken = table.taken | cells
    for place, edges in _opened(tile, way, spinner=len(table.twins) < limits.spinners):
        need = needs.of(place, limits)
        fresh = open_end(place, edges, need, Ground(taken, marks, walls), cells)
        if fresh is None:
            return None
        cost += limits.weight(place) * worry(fresh, need)
        ends.append(fresh)
        marks |= mark_cells(fresh.kept)
    light = (way.d + 2) % 4 if way.end and way.end.place.pip == tile.light else way.d
    spot = Spot(tile, way.box, cells, (way.d + 1) % 2 if tile.is_double else light)
    return cost, Table((*table.spots, spot), tuple(ends), taken, box, needs.lain, needs.twins)


def set_tile(tile: Tile, limits: Limits) -> Table:
    """The table with the set alone: a double upright, so that the straight line runs across."""
    x, y = CENTRE
    box, middle = (Box(x - 1, y - 2, 2, 4), x) if tile.is_double else (Box(x - 2, y - 1, 4, 2), x + 1)
    laid = _lay(BARE, tile, Way(0.0, None, box, 0, middle, y), limits, NEVER)
    if laid is None:
        raise ValueError("an empty table takes any tile")
    return laid[1]


def join(table: Table, tile: Tile, onto: Tile, limits: Limits, rank: int = 0) -> Table | None:
    """The table after one more play, laid in the most comfortable way but `rank`; None when there is none.

    Raises ValueError when the tile has no free place at `onto`: that is no layout.
    """
    ends = [end for end in table.ends if end.place.tile is onto and end.place.pip in (tile.heavy, tile.light)]
    if not ends:
        raise ValueError(f"{tile} cannot be joined to {onto}")
    sides = [end for end in ends if end.place.kind == "side"]
    ways = sorted((way for end in sides or ends for way in _ways(table, tile, end, limits)), key=lambda way: way.price)
    found: list[tuple[float, Table]] = []
    patience = NEVER
    for way in ways:
        if way.price >= patience:
            break
        laid = _lay(table, tile, way, limits, patience)
        if laid is not None:
            found.append(laid)
            if not rank:
                patience = min(patience, laid[0])
    found.sort(key=lambda pair: pair[0])
    return found[rank][1] if rank < len(found) else None

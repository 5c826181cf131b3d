"""Open places as planning sees them: which edges they offer, and whether the next tiles would have room there."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from fiveup_ref.drawing.room import STEPS, Edge, ahead, around, cells_of, onward
from fiveup_ref.engine.tiles import Tile

Kind = Literal["half", "side", "tip"]

# What it costs that a place cannot take any tile, cannot take a double at ease, or leads into a corner. Measured: less
# and arms get stuck, more and they turn long before they have to.
DEAD: Final = 60.0
CRAMPED: Final = 40.0
SHORT: Final = 15.0


class Need(NamedTuple):
    """What may still come to a pip value: any tile, its double, and whether that double would take four tiles."""

    any: bool
    double: bool
    tips: bool


class Ground(NamedTuple):
    """Cells that tiles lie on, cells kept for markers, and cells where no tile may lie."""

    taken: int
    marks: int
    walls: int


class Place(NamedTuple):
    """What names an open place: its tile, its pips, and what it is on that tile."""

    tile: Tile
    pip: int
    kind: Kind


class End(NamedTuple):
    """A place that may take a tile.

    `edges` are those whose marker would have room, straight on first; `kept` is the one the marker is kept for.
    `plain`, `double` and `further` are the cells that a tile, a double, and a tile with a double beyond would want;
    `near` is all of these together, so that what touches none of it changes nothing.
    """

    place: Place
    ahead: int
    edges: tuple[Edge, ...]
    kept: Edge
    near: int
    plain: tuple[int, ...]
    double: tuple[int, ...]
    further: tuple[int, ...]


@lru_cache(maxsize=2048)
def mark_cells(edge: Edge) -> int:
    """The 2 x 2 cells of the marker at an edge."""
    return cells_of(ahead(edge, 1, 2))


def lying(edge: Edge, turn: int) -> tuple[Edge, int]:
    """How a tile lies at an edge, turned by so many quarters: the edge its box begins at, and its heading."""
    d = (edge.d + turn) % 4
    if not turn:
        return edge, d
    dx, dy = STEPS[edge.d]
    tx, ty = STEPS[d]
    return Edge(edge.x + dx - tx, edge.y + dy - ty, d), d


@lru_cache(maxsize=1024)
def _plain(edge: Edge, kind: Kind) -> tuple[int, ...]:
    # A tile turned right at a double's side would lie along the double and close its tip.
    return tuple(around(ahead(lying(edge, turn)[0], 1, 4)) for turn in ((0,) if kind == "side" else (0, 1, 3)))


def _double(edge: Edge, need: Need, own: int) -> int:
    # The double itself, a tile on its far side, and on its tips at least tiles that turn away at once.
    half, depth = (5, 7) if need.tips else (3, 5)
    return (cells_of(ahead(edge, half, 3)) | cells_of(ahead(edge, 2, depth))) & ~own


def open_end(place: Place, edges: Sequence[Edge], need: Need, ground: Ground, own: int) -> End | None:
    """A new end of the tile that lies on the cells `own`, or None when no marker finds room there.

    `edges` are those of its half or side, straight on first.
    """
    kind = place.kind
    free = tuple(edge for edge in edges if not mark_cells(edge) & ground.taken)
    kept = next((edge for edge in free if not mark_cells(edge) & ground.marks), None)
    if kept is None:
        return None
    near = 0
    plain: list[int] = []
    double: list[int] = []
    further: list[int] = []
    blocks = ground.taken | ground.walls
    for edge in free:
        near |= mark_cells(edge)
        if not need.any:
            continue
        plain += [cells for cells in (wanted & ~own for wanted in _plain(edge, kind)) if not cells & blocks]
        # A spinner laid aside at a half would have one tip beside that very tile, where nothing can be joined.
        if kind == "half" and need.double and (edge.d == edges[0].d or not need.tips):
            double += [cells for cells in (_double(edge, need, own),) if not cells & blocks]
        if kind != "half":
            cells = _double(onward(edge, 4), need, own) | cells_of(ahead(edge, 1, 4))
            further += [cells] if not cells & blocks else []
    for cells in (*plain, *double, *further):
        near |= cells
    return End(place, edges[0].d, free, kept, near, tuple(plain), tuple(double), tuple(further))


def without(end: End, ground: Ground) -> End | None:
    """The end after tiles and walls came to `ground`, or None when its marker finds no room any more."""
    edges = tuple(edge for edge in end.edges if not mark_cells(edge) & ground.taken)
    kept = next((edge for edge in edges if not mark_cells(edge) & ground.marks), None)
    if kept is None:
        return None
    blocks = ground.taken | ground.walls
    return end._replace(
        edges=edges,
        kept=kept,
        plain=tuple(wanted for wanted in end.plain if not wanted & blocks),
        double=tuple(wanted for wanted in end.double if not wanted & blocks),
        further=tuple(wanted for wanted in end.further if not wanted & blocks),
    )


def worry(end: End, need: Need) -> float:
    """What the lack of room at an end costs; nothing where no tile can come any more."""
    if not need.any:
        return 0.0
    if not end.plain:
        return DEAD
    bent = 0.0 if end.edges[0].d == end.ahead else 2.0
    if end.place.kind != "half":
        return bent + (0.0 if end.further else SHORT)
    if need.double:
        return bent + (CRAMPED, 4.0, 1.0, 0.0)[len(end.double)]
    return bent + (0.0, 6.0, 3.0, 1.0, 0.0)[min(len(end.plain), 4)]

"""Whole-number geometry for planning: the cells of a box as the bits of one number.

A cell is half a unit and a unit is half a tile; x grows to the right, y downwards. Two boxes share a cell exactly
when their numbers share a bit, so a question about the whole table is one AND.
"""

from typing import Final, NamedTuple

# Directions clockwise from the right: to the right hand of d lies (d + 1) % 4, behind it (d + 2) % 4.
STEPS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))

COLUMNS: Final = 112
# The set lies here. Nothing is ever looked for more than PAD cells beyond a tile, so no box runs over a row's end.
CENTRE: Final = (COLUMNS // 2, 80)
PAD: Final = 12
WIDEST: Final = COLUMNS // 2 - PAD

_ROWS: Final = 256
_COLUMN: Final = sum(1 << (COLUMNS * line) for line in range(_ROWS))
_LEFT: Final = tuple(((1 << x) - 1) * _COLUMN for x in range(COLUMNS + 1))
_RIGHT: Final = tuple(_LEFT[COLUMNS] ^ cells for cells in _LEFT)


class Box(NamedTuple):
    """A rectangle in cells: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int


class Edge(NamedTuple):
    """The middle of an edge that a tile may touch, in cells, and the direction that leads away from it."""

    x: int
    y: int
    d: int


def _shape(w: int, h: int) -> int:
    row = (1 << w) - 1
    return sum(row << (COLUMNS * line) for line in range(h))


_SHAPES: Final = {(w, h): _shape(w, h) for w in range(1, 13) for h in range(1, 13)}


def cells_of(box: Box) -> int:
    """The cells of a box of at most 12 x 12 as one number.

    >>> one, other = Box(10, 20, 2, 4), Box(12, 20, 2, 4)
    >>> cells_of(one) & cells_of(other), cells_of(one) & around(other) != 0
    (0, True)
    """
    return _SHAPES[box.w, box.h] << (box.y * COLUMNS + box.x)


def around(box: Box) -> int:
    """The cells of a box and of the ring one cell wide about it."""
    return _SHAPES[box.w + 2, box.h + 2] << ((box.y - 1) * COLUMNS + box.x - 1)


def ahead(edge: Edge, half: int, depth: int) -> Box:
    """The box that begins at an edge, reaches `depth` cells away from it and `half` cells to either hand.

    >>> ahead(Edge(10, 20, 0), 1, 4)
    Box(x=10, y=19, w=4, h=2)
    """
    x, y, d = edge
    if d == 0:
        return Box(x, y - half, depth, 2 * half)
    if d == 1:
        return Box(x - half, y, 2 * half, depth)
    if d == 2:
        return Box(x - depth, y - half, depth, 2 * half)
    return Box(x - half, y - depth, 2 * half, depth)


def onward(edge: Edge, cells: int) -> Edge:
    """The edge moved straight away from its tile.

    >>> onward(Edge(10, 20, 3), 4)
    Edge(x=10, y=16, d=3)
    """
    dx, dy = STEPS[edge.d]
    return Edge(edge.x + cells * dx, edge.y + cells * dy, edge.d)


def outside(left: int, right: int) -> int:
    """All cells left of the column `left`, and from the column `right` on."""
    return _LEFT[max(left, 0)] | _RIGHT[min(right, COLUMNS)]

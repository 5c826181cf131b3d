"""Tally figures as on paper: a large X, then a small x in each of the four spaces around it (rules 7)."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Style = Literal["hand", "plain"]

STROKES: Final = 10


class Stroke(NamedTuple):
    """A straight line as it is drawn: from (x1, y1) to (x2, y2), in a box from 0 to 1, y downwards."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of at most ten strokes, in the order in which they are drawn; each stands for one point."""

    strokes: tuple[Stroke, ...]


def _cross(x: float, y: float, arm: float) -> tuple[Stroke, Stroke]:
    return Stroke(x - arm, y - arm, x + arm, y + arm), Stroke(x + arm, y - arm, x - arm, y + arm)


_PLAIN: Final = (
    *_cross(0.5, 0.5, 0.36),
    *_cross(0.5, 0.15, 0.1),
    *_cross(0.85, 0.5, 0.1),
    *_cross(0.5, 0.85, 0.1),
    *_cross(0.15, 0.5, 0.1),
)


def _by_hand(stroke: Stroke, figure: int, number: int) -> Stroke:
    """A little off, and always in the same way: sheets that are printed twice must not differ."""

    def off(corner: int) -> float:
        return ((figure * 31 + number * 17 + corner * 11 + figure * number * corner) % 23 - 11) / 11

    reach = 0.035 if number < 2 else 0.025
    x1, y1, x2, y2 = (round(at + reach * off(corner), 4) for corner, at in enumerate(stroke, 1))
    return Stroke(x1, y1, x2, y2)


def tally(points: int, *, style: Style = "hand") -> tuple[Figure, ...]:
    """The figures for a net score in points, one stroke for each; none for zero and below.

    For games whose sheet shows raw figures the caller divides by five first.

    >>> [len(figure.strokes) for figure in tally(15)]
    [10, 5]
    """
    figures: list[Figure] = []
    for number, begun in enumerate(range(0, points, STROKES)):
        strokes = _PLAIN[: points - begun]
        if style == "hand":
            strokes = tuple(_by_hand(stroke, number, place) for place, stroke in enumerate(strokes))
        figures.append(Figure(strokes))
    return tuple(figures)

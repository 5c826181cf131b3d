"""Tally figures as on paper: a large X, then a small x in each of the four spaces around it (rules 7)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

Style = Literal["hand", "plain"]

STROKES: Final = 10
RING: Final = 2
"""Strokes that a small o stands for: 10 raw."""


class Stroke(NamedTuple):
    """A straight line as it is drawn: from (x1, y1) to (x2, y2), in a box from 0 to 1, y downwards."""

    x1: float
    y1: float
    x2: float
    y2: float


class Ring(NamedTuple):
    """A small o: its middle and its radius."""

    x: float
    y: float
    r: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of at most ten points: a point for each stroke and two for each ring, in the order of drawing."""

    strokes: tuple[Stroke, ...]
    rings: tuple[Ring, ...] = ()


# Top, right, bottom, left of the large X.
_SPACES: Final = ((0.5, 0.15), (0.85, 0.5), (0.5, 0.85), (0.15, 0.5))
_ARM: Final = 0.1


def _cross(x: float, y: float, arm: float) -> tuple[Stroke, Stroke]:
    return Stroke(x - arm, y - arm, x + arm, y + arm), Stroke(x + arm, y - arm, x - arm, y + arm)


_PLAIN: Final = (
    *_cross(0.5, 0.5, 0.36),
    *(stroke for x, y in _SPACES for stroke in _cross(x, y, _ARM)),
)


@dataclass(slots=True)
class _Drawn:
    """A figure while it is drawn: the numbers of its strokes (0 to 9) and of the spaces that hold a ring."""

    strokes: list[int] = field(default_factory=list)
    rings: list[int] = field(default_factory=list)

    def is_full(self) -> bool:
        return len(self.strokes) + RING * len(self.rings) == STROKES

    def next_stroke(self) -> int:
        """The first stroke that is missing; so a small x that was begun is finished before another."""
        return next(n for n in range(STROKES) if n not in self.strokes and (n - 2) // 2 not in self.rings)

    def free_space(self) -> int | None:
        """The first space with nothing in it; None while the large X is not finished, or where there is none."""
        if len(self.strokes) < 2:
            return None
        free = (space for space in range(4) if space not in self.rings and 2 + 2 * space not in self.strokes)
        return next(free, None)


def tally(points: int, *, style: Style = "hand") -> tuple[Figure, ...]:
    """The figures for a net score in points, one stroke for each; none for zero and below.

    For games whose sheet shows raw figures the caller divides by five first.

    >>> [len(figure.strokes) for figure in tally(15)]
    [10, 5]
    """
    return tally_of_scores([1] * points, style=style)


def tally_of_scores(scores: Iterable[int], *, style: Style = "hand") -> tuple[Figure, ...]:
    """The figures for scores made one after another, each ten raw (2 points) of one score a small o.

    An o needs a free space beside a finished large X; where there is none, strokes are drawn. What was deducted
    is no score: marks can only grow, so it stands beside them (rules 7).

    >>> [(len(figure.strokes), len(figure.rings)) for figure in tally_of_scores([2, 3, 1])]
    [(4, 1)]
    """
    figures: list[_Drawn] = []
    for score in scores:
        left = score
        while left > 0:
            if not figures or figures[-1].is_full():
                figures.append(_Drawn())
            figure = figures[-1]
            space = figure.free_space()
            if left >= RING and space is not None:
                figure.rings.append(space)
                left -= RING
            else:
                figure.strokes.append(figure.next_stroke())
                left -= 1
    return tuple(_figure(drawn, number, style) for number, drawn in enumerate(figures))


def _figure(drawn: _Drawn, number: int, style: Style) -> Figure:
    by_hand = style == "hand"
    return Figure(
        tuple(_by_hand(_PLAIN[n], number, n) if by_hand else _PLAIN[n] for n in drawn.strokes),
        tuple(_ring(space, number, by_hand=by_hand) for space in drawn.rings),
    )


def _off(figure: int, number: int, corner: int) -> float:
    """A little off, from -1 to 1, and always in the same way: sheets that are printed twice must not differ."""
    return ((figure * 31 + number * 17 + corner * 11 + figure * number * corner) % 23 - 11) / 11


def _by_hand(stroke: Stroke, figure: int, number: int) -> Stroke:
    reach = 0.035 if number < 2 else 0.025
    x1, y1, x2, y2 = (round(at + reach * _off(figure, number, corner), 4) for corner, at in enumerate(stroke, 1))
    return Stroke(x1, y1, x2, y2)


def _ring(space: int, figure: int, *, by_hand: bool) -> Ring:
    x, y = _SPACES[space]
    if by_hand:
        x, y = (round(at + 0.02 * _off(figure, 2 + 2 * space, corner), 4) for corner, at in enumerate((x, y), 1))
    return Ring(x, y, 0.09)

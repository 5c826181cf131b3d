"""The score chart: a line for each team over the plays, steps at settlements, told apart without colour."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, NamedTuple

from fiveup_ref.drawing.steps import Step

WIDTH: Final = 360.0
HEIGHT: Final = 250.0
DASHES: Final = ("none", "8 4", "2 3", "10 3 2 3", "5 2 2 2 2 2")
"""The line of each of up to five teams."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 84.0, 12.0, 28.0
_LABEL: Final = 17.0
_NUMBER: Final = 28.0
_MOST_TICKS: Final = 6


class Spot(NamedTuple):
    """A place on the chart, y downwards."""

    x: float
    y: float


class Tick(NamedTuple):
    """A number beside an axis and where it stands along it."""

    at: float
    value: int


@dataclass(frozen=True, slots=True)
class Line:
    """A team's score: slanted over the plays, upright at a settlement or adjustment, which ends at one of `marks`."""

    spots: tuple[Spot, ...]
    marks: tuple[Spot, ...]
    dash: str
    label: Spot
    score: int

    @property
    def path(self) -> str:
        """The line as the points of an SVG polyline."""
        return " ".join(f"{spot.x:g},{spot.y:g}" for spot in self.spots)


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart in a frame of 360 x 250: `scores` along the left, `rounds` (their ends) along the bottom."""

    lines: tuple[Line, ...]
    scores: tuple[Tick, ...]
    rounds: tuple[Tick, ...]
    ends: tuple[float, ...]
    left: float
    right: float
    top: float
    bottom: float
    zero: float
    target: float


def chart(steps: Sequence[Step], *, teams: int, target: int) -> Chart:
    """The scores of `teams` over their steps, with the target line.

    >>> made = chart([Step("play", 1, (2, 0)), Step("settlement", 1, (1, 0))], teams=2, target=61)
    >>> [spot.x == made.right for spot in made.lines[0].spots]
    [False, True, True]
    """
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    every = [0, target, *(score for step in steps for score in step.scores)]
    low, high = min(every), max(every)

    def y(score: int) -> float:
        return round(bottom - (bottom - _TOP) * (score - low) / (high - low), 2)

    at = _along(steps, right)
    labels = _spread([y(score) for score in _last(steps, teams)], _TOP + 4, bottom)
    lines = tuple(
        Line(
            (Spot(_LEFT, y(0)), *(Spot(x, y(step.scores[team])) for x, step in zip(at, steps, strict=True))),
            tuple(
                Spot(x, y(step.scores[team])) for x, step in zip(at, steps, strict=True) if step.kind == "settlement"
            ),
            DASHES[team],
            Spot(right + 6, labels[team]),
            _last(steps, teams)[team],
        )
        for team in range(teams)
    )
    ends = [(x, step.round) for x, step in zip(at, steps, strict=True) if step.kind == "settlement"]
    ticks = tuple(Tick(y(value), value) for value in _ticks(low, high))
    return Chart(lines, ticks, _numbers(ends), tuple(x for x, _ in ends), _LEFT, right, _TOP, bottom, y(0), y(target))


def _last(steps: Sequence[Step], teams: int) -> tuple[int, ...]:
    return steps[-1].scores if steps else (0,) * teams


def _along(steps: Sequence[Step], right: float) -> list[float]:
    """Each play one step to the right; a settlement or adjustment stands upright where the play before it is."""
    plays = sum(step.kind == "play" for step in steps)
    done, along = 0, []
    for step in steps:
        done += step.kind == "play"
        along.append(round(_LEFT + (right - _LEFT) * done / max(plays, 1), 2))
    return along


def _ticks(low: int, high: int) -> Iterable[int]:
    sizes = (size * 10**power for power in count() for size in (5, 10, 20))
    step = next(size for size in sizes if high - low < size * _MOST_TICKS)
    return range(-(-low // step) * step, high + 1, step)


def _numbers(ends: Sequence[tuple[float, int]]) -> tuple[Tick, ...]:
    """The numbers of the rounds below their ends, as many as there is room for."""
    shown: list[Tick] = []
    for x, number in ends:
        if not shown or x - shown[-1].at >= _NUMBER:
            shown.append(Tick(x, number))
    return tuple(shown)


def _spread(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places for labels near the wanted ones, so that none lies over another."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = list(wanted)
    lowest = top
    for index in order:
        placed[index] = lowest = max(placed[index], lowest)
        lowest += _LABEL
    highest = bottom
    for index in reversed(order):
        placed[index] = highest = min(placed[index], highest)
        highest -= _LABEL
    return placed

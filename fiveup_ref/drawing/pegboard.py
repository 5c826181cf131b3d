"""A cribbage board: 61 holes a lap, two lengths of 30 and the game hole, front and back peg for each team (rules 7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

LENGTH: Final = 30
HOLES: Final = 2 * LENGTH + 1
_LEFT: Final = 4.0
_PITCH: Final = 4.6
_TOP: Final = 2.6


class Hole(NamedTuple):
    """The middle of a hole, in units of the distance between two holes, y downwards."""

    x: float
    y: float


class Pegs(NamedTuple):
    """Where the last two scores put a team's pegs: the holes of its front (now) and back (before) peg.

    After a deduction the front peg stands behind the back peg; 0 and below is before the first hole.
    """

    front: int
    back: int


@dataclass(frozen=True, slots=True)
class Track:
    """A team's two lengths and game hole (`holes`, 1 to 61), two places to start from, and its pegs.

    `lap` is 1 until the front peg has passed hole 61, then 2, and so on.
    """

    holes: tuple[Hole, ...]
    starts: tuple[Hole, Hole]
    front: Hole
    back: Hole
    lap: int
    label: Hole


@dataclass(frozen=True, slots=True)
class Board:
    """A board of two to five tracks and its size in units."""

    width: float
    height: float
    tracks: tuple[Track, ...]


def lap_of(score: int) -> int:
    """The lap a score is in: 61 is still the first.

    >>> [lap_of(score) for score in (-3, 0, 61, 62, 305)]
    [1, 1, 1, 2, 5]
    """
    return max(score - 1, 0) // HOLES + 1


def hole_of(score: int) -> int:
    """The hole of a score within its lap, 1 to 61; 0 before the first.

    >>> [hole_of(score) for score in (-3, 0, 1, 61, 62, 305)]
    [0, 0, 1, 61, 1, 61]
    """
    return (score - 1) % HOLES + 1 if score > 0 else 0


def pegboard(teams: Sequence[Pegs]) -> Board:
    """The board with a track for each team, in holes: one for each five raw.

    >>> track = pegboard([Pegs(3, 1), Pegs(0, 0)]).tracks[0]
    >>> track.front == track.holes[2], track.back == track.holes[0]
    (True, True)
    """
    tracks = tuple(_track(pegs, _TOP + _PITCH * number) for number, pegs in enumerate(teams))
    return Board(_column(LENGTH - 1) + 1.0, _TOP + _PITCH * len(tracks) - 1.6, tracks)


def _track(pegs: Pegs, y: float) -> Track:
    out = [Hole(_column(number), y) for number in range(LENGTH)]
    home = [Hole(_column(LENGTH - 1 - number), y + 1.2) for number in range(LENGTH)]
    game = Hole(_column(0) - 1.5, y + 1.2)
    starts = (Hole(_column(0) - 1.5, y), Hole(_column(0) - 2.5, y))
    holes = (*out, *home, game)
    front, back = (holes[hole - 1] if (hole := hole_of(score)) else None for score in pegs)
    return Track(
        holes,
        starts,
        front or starts[0],
        back or starts[0 if front else 1],
        lap_of(pegs.front),
        Hole(_column(0) - 2.8, y - 1.0),
    )


def _column(number: int) -> float:
    """Holes stand in groups of five."""
    return _LEFT + number + 0.6 * (number // 5)

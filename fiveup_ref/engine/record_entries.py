"""What the lines of a record can say: one value for each kind of entry, and an example of every line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from .events import Adjusted, Counted, Drew, Noted, Passed, Played, PointedOut, RoundEnded, RoundOpened, Scored
from .faults import RulesError
from .scoring import Left
from .seats import Seat, Team


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat did, with the results that are written behind it (None: not written)."""

    event: Played | Counted | Scored | Drew | Passed
    count: int | None = None
    points: int | None = None


class Header(NamedTuple):
    """A line of the header: its words after the first."""

    word: str
    words: tuple[str, ...]


class RoundLine(NamedTuple):
    """`round 2`."""

    number: int


class LeftLine(NamedTuple):
    """`left B 3-0 2-1`."""

    seat: Seat
    hand: Left


class Totals(NamedTuple):
    """`settle …` or `score …`: points by team."""

    word: str
    points: Mapping[Team, int]


class WinnerLine(NamedTuple):
    """`winner A+C`, `winner open` or `winner tie`."""

    word: str


Entry = (
    Act | Header | RoundLine | RoundOpened | RoundEnded | LeftLine | Totals | WinnerLine | Noted | Adjusted | PointedOut
)


@dataclass(frozen=True)
class Line:
    """One entry: its number in the file, its words with one space between, and what they say.

    A line with an `error` may still have an `entry`: as much of it as is sure.
    """

    number: int
    text: str
    entry: Entry | None
    error: RulesError | None = None

    @property
    def word(self) -> str:
        """The first word."""
        return self.text.split(" ", 1)[0]


HEADER: Final[Mapping[str, str]] = {
    "fiveup": "fiveup 1",
    "rules": "rules five-up",
    "set": "set target=61 hand=5",
    "title": "title Friday table",
    "date": "date 2026-11-29T20:15+07:00",
    "player": "player A Ani",
    "partners": "partners A+C B+D",
}
FORMS: Final[Mapping[str, str]] = {
    **HEADER,
    "round": "round 1",
    "opens": "opens A lot (or out, or agreed)",
    "out": "out A",
    "blocked": "blocked",
    "left": "left B 3-0 2-1 (or left B 6 pips)",
    "settle": "settle A+C -1 B+D +2",
    "score": "score A+C 3 B+D 1",
    "note": "note any words",
    "adjust": "adjust B+D -2 the reason",
    "taken": "taken B",
    "winner": "winner A+C (or open, or tie)",
}
"""Every first word but the seats, with an example of its line."""

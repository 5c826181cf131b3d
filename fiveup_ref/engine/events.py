"""The entries of a match: frozen events, their rows, and which stand after undo and correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from .scoring import Ends, Left
from .seats import Seat, Team
from .tiles import Tile

LONGEST_TEXT: Final = 480
"""Characters of a note or a reason: it fits a line of a record with the words before it."""

LONGEST_WORDS: Final = 200
"""Characters of a disputed claim and of what each side says of it."""

LOT: Final = "lot"
OUT: Final = "out"
AGREED: Final = "agreed"

Draws = tuple[tuple[Seat, Tile], ...]
"""One drawing of the lot: the tile each candidate drew, in seat order."""


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """`seat` opens the next round, `by` lot, out (went out last round) or agreed.

    `lots` are the drawings where the app held the lot: the first among all, each later one among the tied.
    """

    seat: Seat
    by: str
    lots: tuple[Draws, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """`tile` was joined to `onto` (None: the set)."""

    seat: Seat
    tile: Tile
    onto: Tile | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """A tile was placed and the counting ends were called as they lie."""

    seat: Seat
    ends: Ends


@dataclass(frozen=True, slots=True)
class Scored:
    """Points were called; nothing says for what."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Drew:
    """`tiles` were drawn; None: nobody counted them."""

    seat: Seat
    tiles: int | None


@dataclass(frozen=True, slots=True)
class Passed:
    """The player could neither play nor draw."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """`out` went out; None: the round is blocked."""

    out: Seat | None


@dataclass(frozen=True, slots=True)
class Settled:
    """What every hand but the one that went out had left, in seat order."""

    left: tuple[tuple[Seat, Left], ...]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The table corrects a score by `points`, for a reason it names."""

    team: Team
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Free text."""

    text: str


@dataclass(frozen=True, slots=True)
class Disputed(Noted):
    """A note on a dispute about entry number `entry`: `text` is what was claimed, `words` what each side says.

    `claim` is a figure with its unit, such as `16 raw`, where one was called. It changes no score.
    """

    entry: int
    claim: str = ""
    words: tuple[tuple[Team, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PointedOut:
    """`seat` pointed out that the last score had been missed, and takes it: the call of "muggins"."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Closed:
    """The match ends without a winner, for a reason."""

    reason: str


GameEvent = (
    RoundOpened
    | Played
    | Counted
    | Scored
    | Drew
    | Passed
    | RoundEnded
    | Settled
    | Adjusted
    | Noted
    | PointedOut
    | Closed
)


@dataclass(frozen=True, slots=True)
class Renamed:
    """The names of all players by seat, first A; scores hang on seats, so that nothing else changes."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The whole match is played by changed rules: fields and values as in the `set` line of a record."""

    changes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Previewed:
    """Pages show what a play would score before it is made, or do not: the table decides."""

    on: bool


@dataclass(frozen=True, slots=True)
class Ringed:
    """The tally has a small o for 10 raw scored at one go, or has none: the table decides."""

    on: bool


Shown = Previewed | Ringed
"""What only pages and sheets show; no count and no score changes by it."""

Affair = Renamed | RulesChanged | Shown
"""What holds for the whole match, from its first entry on, whenever it was entered."""


@dataclass(frozen=True, slots=True)
class Undone:
    """Takes back entry number `entry`; of an Undone: brings back what that took back. `reason` may be empty."""

    entry: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Amended:
    """Entry number `entry` should have been `event`. `reason` may be empty."""

    entry: int
    event: GameEvent
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Inserted:
    """`event` was forgotten: it stands right before entry number `before`. `reason` may be empty.

    `moves_turns`: it was a turn, so what had been entered after it in its round was each time the next player's.
    """

    before: int
    event: GameEvent
    reason: str = ""
    moves_turns: bool = False


Correction = Undone | Amended | Inserted
"""An entry about another entry."""

Event = GameEvent | Affair | Correction


# Rows: each event as one JSON object, told apart by "type".

_TYPES: Final[Mapping[str, type[Any]]] = {
    kind.__name__: kind
    for kind in (
        RoundOpened,
        Played,
        Counted,
        Scored,
        Drew,
        Passed,
        RoundEnded,
        Settled,
        Adjusted,
        Noted,
        Disputed,
        PointedOut,
        Closed,
        Renamed,
        RulesChanged,
        Previewed,
        Ringed,
        Undone,
        Amended,
        Inserted,
    )
}


def to_row(event: Event) -> dict[str, Any]:
    """The event as one row of plain JSON values.

    >>> to_row(Played("B", Tile.of(5, 0), Tile.of(5, 5)))
    {'type': 'Played', 'seat': 'B', 'tile': '5-0', 'onto': '5-5'}
    """
    row: dict[str, Any] = {"type": type(event).__name__}
    for field in fields(event):
        value = getattr(event, field.name)
        write = _WRITERS.get(field.name)
        row[field.name] = write(value) if write and value is not None else value
    return row


def from_row(row: Mapping[str, Any]) -> Event:
    """The event of a row that `to_row` made; one of an older version has no reason. Raises KeyError, TypeError or
    RulesError on any other.

    >>> from_row({"type": "Passed", "seat": "D"})
    Passed(seat='D')
    """
    values = {
        name: _READERS[name](value) if name in _READERS and value is not None else value
        for name, value in row.items()
        if name != "type"
    }
    event: Event = _TYPES[row["type"]](**values)
    return event


def _game_event(row: Mapping[str, Any]) -> GameEvent:
    event = from_row(row)
    if isinstance(event, Affair | Correction):
        raise TypeError(f"{row['type']} is no event of the game")
    return event


_WRITERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "tile": str,
    "onto": str,
    "ends": str,
    "team": str,
    "event": to_row,
    "players": list,
    "changes": dict,
    "left": lambda left: {seat: str(hand) for seat, hand in left},
    "words": lambda words: {str(team): said for team, said in words},
    "lots": lambda lots: [{seat: str(tile) for seat, tile in draws} for draws in lots],
}
_READERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "tile": Tile.parse,
    "onto": Tile.parse,
    "ends": Ends.parse,
    "team": Team.parse,
    "event": _game_event,
    "players": tuple,
    "changes": lambda changes: tuple(changes.items()),
    "left": lambda left: tuple((seat, Left.parse(hand)) for seat, hand in left.items()),
    "words": lambda words: tuple((Team.parse(team), said) for team, said in words.items()),
    "lots": lambda lots: tuple(tuple((seat, Tile.parse(tile)) for seat, tile in draws.items()) for draws in lots),
}

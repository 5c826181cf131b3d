"""Matches to look at: their entries, and how they come into the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from fiveup_ref.engine.events import LOT, Adjusted, Event, Passed, Played, RoundOpened, Settled
from fiveup_ref.engine.record import read
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

RECORDS: Final = Path(__file__).parent.parent / "records"
NAMES: Final = ("Ani", "Budi", "Citra", "Dewi")
SEATS: Final = "ABCD"

# Each opens with A and ends with A out; what the others must hold is left over.
OUT_OF_TWO: Final = "5-5 5-0>5-5 5-4>5-5 4-4>5-4 0-0>5-0 4-1>4-4 1-1>4-1 1-0>1-1 6-5>5-5"
OUT_OF_THREE: Final = (
    "5-5 5-0>5-5 5-4>5-5 4-4>5-4 0-0>5-0 4-1>4-4 1-1>4-1 1-0>1-1 6-5>5-5 5-3>5-5 6-6>6-5 3-3>5-3 6-3>6-6"
)


def plays(seats: str, text: str) -> list[Event]:
    """Plays written as `5-5 5-0>5-5`, in turn from the first of these seats."""
    words = [word.partition(">") for word in text.split()]
    return [
        Played(seats[number % len(seats)], Tile.parse(tile), Tile.parse(onto) if onto else None)
        for number, (tile, _, onto) in enumerate(words)
    ]


def opened(seat: str = "A", by: str = LOT) -> list[Event]:
    return [RoundOpened(seat, by)]


def settled(**left: str) -> Settled:
    """Leftovers by seat: tiles, or `12 pips`."""
    return Settled(tuple((seat, Left.parse(text)) for seat, text in left.items()))


def lead(**points: int) -> list[Event]:
    """A head start, so that a match need not be long."""
    return [Adjusted(Team((seat,)), amount, "head start") for seat, amount in points.items()]


def ended_two(**points: int) -> list[Event]:
    """A of two is out with 2 points, B has 2 points too and one tile left; `points` as a head start."""
    return [*opened(), *lead(**points), *plays("AB", OUT_OF_TWO)]


def ended_three(**points: int) -> list[Event]:
    """A of three is out, B and C hold one tile each."""
    return [*opened(), *lead(**points), *plays("ABC", OUT_OF_THREE)]


def passes(seats: str) -> list[Event]:
    return [Passed(seat) for seat in seats]


def recorded(name: str) -> tuple[Event, ...]:
    """The entries of a record of the tests."""
    return read((RECORDS / f"{name}.fiveup").read_bytes()).log


def first_round(log: Sequence[Event]) -> list[Event]:
    """The entries up to the first settlement, it included."""
    last = next(index for index, event in enumerate(log) if isinstance(event, Settled))
    return list(log[: last + 1])


def keep(
    store: Store,
    log: Iterable[Event] = (),
    *,
    names: Sequence[str] = NAMES[:2],
    title: str = "Friday",
    changes: Mapping[str, str] | None = None,
    preset: str = "five-up",
) -> str:
    """The path of a new match with these entries."""
    match_id = store.create(
        title=title,
        rules=PRESETS[preset].rules(len(names)).changed(changes or {}),
        players=tuple(names),
        zone="+07:00",
    )
    for seen, event in enumerate(log):
        store.append(match_id, event, seen=seen, key="")
    return f"/m/{match_id}"

"""A whole layout, tile after tile, with a way out when an arm gets stuck."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from fiveup_ref.drawing.ends import Place
from fiveup_ref.drawing.placing import Limits, Table, join, set_tile
from fiveup_ref.drawing.room import WIDEST
from fiveup_ref.engine.tiles import Tile

Play = tuple[Tile, Tile | None]


class Effort(NamedTuple):
    """How far a way out is looked for: more width in cells, earlier tiles tried anew, other ways for each, the gap."""

    wider: int
    tries: int
    others: int
    gap: int


# The first are for keeping the page quick and narrow. In one of many thousand layouts tiles have to touch.
_EFFORTS: Final = (
    Effort(0, 24, 2, 1),
    Effort(4, 24, 2, 1),
    Effort(4, 48, 5, 1),
    Effort(8, 200, 8, 1),
    Effort(4, 24, 5, 0),
    Effort(WIDEST, 400, 12, 0),
)
# For laying all anew: what height costs, and what turning clockwise and anticlockwise.
_TEMPERS: Final = ((2.5, (0.0, 1.0)), (2.5, (1.0, 0.0)), (1.0, (0.0, 1.0)), (1.0, (1.0, 0.0)))
EMPTY: Final = Table((), (), 0, (0, 0, 0, 0), (0,) * 7, frozenset())


class Course(NamedTuple):
    """The table after each play, and which of its ways each tile was given: 0 is the most comfortable."""

    history: tuple[Table, ...]
    ranks: tuple[int, ...]


def settled(plays: tuple[Play, ...], limits: Limits) -> Table:
    """The table after all plays: each tile goes to its most comfortable place, and those before it stay.

    Only where a tile finds no place at all is an earlier one laid differently, the one it is joined to first.
    """
    history = _course(plays, limits)[0].history
    return history[-1] if history else EMPTY


# A page shows the layout after each play: what is known of the plays before need not be found again.
@lru_cache(maxsize=256)
def _course(plays: tuple[Play, ...], limits: Limits) -> tuple[Course, Limits]:
    if not plays:
        return Course((), ()), limits
    way, limits = _course(plays[:-1], limits)
    table = _next(way.history, plays[-1], limits, 0)
    if table is None:
        return _made_room(way, plays, limits)
    return Course((*way.history, table), (*way.ranks, 0)), limits


def _next(history: Sequence[Table], play: Play, limits: Limits, rank: int) -> Table | None:
    tile, onto = play
    if onto is None:
        if history:
            raise ValueError(f"{tile} must be joined to a tile: another is the set")
        return set_tile(tile, limits)
    if not history:
        raise ValueError(f"{tile} cannot be joined to {onto}: nothing lies")
    return join(history[-1], tile, onto, limits, rank)


def _suspects(plays: tuple[Play, ...]) -> Iterator[int]:
    """Numbers of earlier plays to lay differently: back along the stuck arm, then all others, latest first."""
    number_of = {tile: number for number, (tile, _) in enumerate(plays)}
    arm: list[int] = []
    onto = plays[-1][1]
    while onto is not None:
        arm.append(number_of[onto])
        onto = plays[arm[-1]][1]
    yield from arm[:-1]
    yield from (number for number in range(len(plays) - 2, 0, -1) if number not in arm)


def _coming(plays: tuple[Play, ...]) -> dict[Place, bool]:
    """The places that take a tile in these plays, and whether it is a double."""
    places: dict[Place, bool] = {}
    joins: dict[Tile, int] = {}
    for tile, onto in plays:
        joins[tile] = 0 if onto is None else 1
        if onto is None:
            continue
        if onto.is_double:
            joins[onto] += 1
            places[Place(onto, onto.heavy, "side" if joins[onto] <= 2 else "tip")] = False
        else:
            pip = onto.heavy if onto.heavy in (tile.heavy, tile.light) else onto.light
            places[Place(onto, pip, "half")] = tile.is_double
    return places


def _made_room(way: Course, plays: tuple[Play, ...], limits: Limits) -> tuple[Course, Limits]:
    """The course including the last play: one earlier tile laid differently, or all anew, or more width."""
    coming = _coming(plays)
    for effort in _EFFORTS:
        limits = limits._replace(wide=min(limits.wide + effort.wider, WIDEST), gap=effort.gap)
        found = _repaired(way, plays, limits, effort)
        for higher, turns in _TEMPERS:
            if found is None:
                knowing = limits._replace(coming=coming, higher=higher, turns=turns)
                found = _anew(plays, knowing, effort._replace(tries=effort.tries // 3))
        if found is not None:
            return found, limits._replace(gap=1)
    return Course(_searched(plays, limits), (0,) * len(plays)), limits._replace(gap=1)


def _repaired(way: Course, plays: tuple[Play, ...], limits: Limits, effort: Effort) -> Course | None:
    """The course including the last play, with at most one earlier tile laid in a less comfortable way."""
    history = way.history
    ranks = (*way.ranks, 0)
    ways = ((number, rank) for number in _suspects(plays) for rank in range(1, 1 + effort.others))
    for number, rank in ((len(plays) - 1, 0), *islice(ways, effort.tries)):
        others = (*ranks[:number], ranks[number] + rank, *(0,) * (len(plays) - number - 1))
        again = _replayed(history[:number], others, plays, limits)
        if again is not None:
            return Course(again, others)
    return None


def _anew(plays: tuple[Play, ...], limits: Limits, effort: Effort) -> Course | None:
    """The course of all plays laid from the set on, knowing what comes."""
    way: Course | None = Course((), ())
    for number in range(1, len(plays) + 1):
        way = way and _repaired(way, plays[:number], limits, effort)
    return way


def _replayed(
    history: tuple[Table, ...], ranks: tuple[int, ...], plays: tuple[Play, ...], limits: Limits
) -> tuple[Table, ...] | None:
    again = list(history)
    for number in range(len(history), len(plays)):
        table = _next(again, plays[number], limits, ranks[number])
        if table is None:
            return None
        again.append(table)
    return tuple(again)


def _searched(plays: tuple[Play, ...], limits: Limits) -> tuple[Table, ...]:
    """Every combination of ways, the comfortable first: finds a history wherever there is one.

    It may take long; no layout is known that gets here.
    """
    history: list[Table] = []
    ranks = [0]
    while len(history) < len(plays):
        table = _next(history, plays[len(history)], limits, ranks[-1]) if ranks[-1] < 27 else None
        if table is not None:
            history.append(table)
            ranks.append(0)
            continue
        history.pop()
        ranks.pop()
        ranks[-1] += 1
    return tuple(history)

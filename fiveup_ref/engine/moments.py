"""The moments at which a player claims to have no tile that fits, and what was seen of the hand afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .events import Counted, Drew, Passed, Played, RoundEnded, Scored
from .findings import Wrong
from .layout import Layout
from .match import Known, Round
from .rules import Rules
from .seats import Seat
from .tiles import Tile


class Moment(NamedTuple):
    """A claim to have no tile that fits, while the layout is known.

    `drawn` tiles came with it (None: not counted); `at` is its last move in the round; `drawable`
    tiles could still be drawn by anybody afterwards (None: unknown).
    """

    kind: Wrong
    entry: int
    seat: Seat
    drawn: int | None
    at: int
    layout: Layout
    drawable: int | None


class Seen(NamedTuple):
    """A tile that left a hand: played as move `at` of the round (from 0), or shown after the last (`entry` None)."""

    tile: Tile
    at: int
    entry: int | None


def doubted(round_: Round) -> bool:
    """Whether less is known than the moves explain: a reader of a faulty record gave up some of it."""
    explained = Known.ALL
    for move in round_.moves:
        if isinstance(move.event, Counted | Scored):
            explained = Known.NOTHING
        elif isinstance(move.event, Drew) and move.event.tiles is None:
            explained &= ~Known.HANDS
    return explained not in round_.known


def moments(round_: Round, rules: Rules) -> Iterator[Moment]:
    """Every pass, every turn's draws, and a call of blocked for each hand, while the layout is known, in order."""
    layout = Layout.empty(rules.spinners, spinner_counts=rules.spinner_counts)
    drawable: int | None = rules.boneyard - rules.reserve
    drawing: Moment | None = None  # the draws of one turn are one claim, made before the first
    for index, move in enumerate(round_.moves):
        entry, event = move.entry, move.event
        if isinstance(event, Drew):
            drawable = _sum(drawable, event.tiles, sign=-1)
            drawing = drawing or Moment(Wrong.DREW, entry, event.seat, 0, index, layout, drawable)
            drawing = drawing._replace(drawn=_sum(drawing.drawn, event.tiles), at=index, drawable=drawable)
        elif drawing and isinstance(event, Played | Passed | Counted | Scored | RoundEnded):
            yield drawing
            drawing = None
        if isinstance(event, Counted | Scored):
            return  # the layout is not known from here on
        if isinstance(event, Played) and move.score and isinstance(move.score.of, Layout):
            layout = move.score.of
        elif isinstance(event, Passed):
            yield Moment(Wrong.PASSED, entry, event.seat, 0, index, layout, drawable)
        elif isinstance(event, RoundEnded) and event.out is None:
            for seat, _left in round_.left:
                yield Moment(Wrong.CALLED_BLOCKED, entry, seat, 0, index, layout, 0)


def _sum(one: int | None, other: int | None, *, sign: int = 1) -> int | None:
    return None if one is None or other is None else one + sign * other


def leaving(round_: Round, moment: Moment) -> Iterator[Seen]:
    """The tiles known to have left the player's hand after the moment, in order."""
    for index, move in enumerate(round_.moves[moment.at + 1 :], moment.at + 1):
        if isinstance(move.event, Played) and move.event.seat == moment.seat:
            yield Seen(move.event.tile, index, move.entry)
    for seat, left in round_.left:
        if seat == moment.seat:
            yield from (Seen(tile, len(round_.moves), None) for tile in left.tiles or ())


def drawn_since(round_: Round, moment: Moment, end: int) -> int | None:
    """How many tiles the player drew after the moment and before the move at `end`; None: unknown."""
    drawn: int | None = 0
    for move in round_.moves[moment.at + 1 : end]:
        if isinstance(move.event, Counted | Scored):
            return None  # in a round kept by counts or points draws need not be entered
        if isinstance(move.event, Drew) and move.event.seat == moment.seat:
            drawn = _sum(drawn, move.event.tiles)
    return drawn

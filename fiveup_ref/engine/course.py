"""The course of a match: `apply` knows what may happen next, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from .affairs import begun, check_changes, units
from .events import (
    Adjusted,
    Affair,
    Amended,
    Correction,
    Counted,
    Drew,
    Event,
    GameEvent,
    Inserted,
    Noted,
    Passed,
    Played,
    PointedOut,
    Renamed,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
    Shown,
    Undone,
)
from .faults import Fault, RulesError
from .log import Standing, check_reference, places, standing
from .match import Fallen, Known, Match, Start, changed, with_round
from .rules import Rules
from .seats import Seat
from .steps import hand_less, step

# What can stand only in the round it was entered in.
_OF_A_ROUND: Final = {Played, Counted, Scored, Drew, Passed, RoundEnded, Settled, PointedOut}
# Faults of what came after the end of its round: nothing of it is carried on.
_PAST: Final = {
    Fault.OTHER_ROUND,
    Fault.NO_ROUND,
    Fault.ROUND_ENDED,
    Fault.ROUND_SETTLED,
    Fault.MATCH_WON,
    Fault.MATCH_CLOSED,
}


def apply(before: Match, event: Event) -> Match:
    """The match after one more entry; a refused entry raises RulesError and changes nothing.

    A correction, new names or new rules fold the log again. What makes later entries impossible is not
    refused: they are listed in `fallen`. While entries of a later round wait there, nothing of a round is entered at
    the end: it would stand behind them and they would wait for ever. Source: rules 3 to 6.

    >>> from .rules import PRESETS
    >>> match = apply(Match.new(PRESETS["five-up"].rules(2), ("Ani", "Budi")), RoundOpened("A", "lot"))
    >>> from .tiles import Tile
    >>> apply(match, Played("A", Tile.of(5, 5))).scores
    (2, 0)
    """
    after = follow(before, event)
    if before.mending and type(event) in (*_OF_A_ROUND, RoundOpened):
        raise RulesError(Fault.LATER_WAIT, number=before.mending)
    return after


def follow(before: Match, event: Event) -> Match:
    """As `apply`, but also behind entries that wait: a log of an earlier version may have that."""
    log = (*before.log, event)
    if not isinstance(event, Affair | Correction):
        return changed(step(before, len(log), event), log=log, within=(*before.within, before.opening))
    if isinstance(event, Correction):
        check_reference(before.log, event)
    opening = _opening_at(before, event.before) if isinstance(event, Inserted) else before.opening
    after = _fold(before.start, log, (*before.within, opening))
    own = event.entry if isinstance(event, Undone | Amended) else len(log)
    for fallen in after.fallen:
        if fallen.entry == own:  # the correction itself cannot be
            raise fallen.error
    if isinstance(event, Affair):
        check_changes(before, after, event)
    elif before.closed and after.closed and not _beside_the_score(before.log, event):
        raise RulesError(Fault.MATCH_CLOSED)  # first take back the closing (rules 6, missed score)
    return after


def replay(rules: Rules, players: Sequence[str], log: Sequence[Event]) -> Match:
    """The match of a whole log, by what it was made with. Raises RulesError where a correction refers to nothing."""
    start = Start(rules, tuple(players))
    match = Match.new(*start)
    within: list[int] = []
    opening = 0
    for number, event in enumerate(log, 1):
        if isinstance(event, Correction):
            check_reference(log[: number - 1], event)
        if isinstance(event, Inserted):
            match = _fold(start, tuple(log[: number - 1]), tuple(within))
            within.append(_opening_at(match, event.before))
        else:
            within.append(opening)
        if isinstance(event, RoundOpened):
            opening = number
        elif isinstance(event, Affair | Correction) and (
            match.fallen or not _stays_within(opening, within, log[:number], event)
        ):
            match = _fold(start, tuple(log[:number]), tuple(within))
            opening = match.opening
    return _fold(start, tuple(log), tuple(within))


def stages(match: Match) -> Iterator[tuple[int, Match]]:
    """The match after each entry that stands now, with its number, in order of their places; first (0) before any.

    By all corrections, names and rules as they are at the end of the log; these matches have no log.

    >>> from .rules import PRESETS
    >>> match = replay(PRESETS["five-up"].rules(2), ("Ani", "Budi"), [RoundOpened("A", "lot"), Scored("A", 3)])
    >>> [(entry, stage.scores) for entry, stage in stages(match)]
    [(0, (0, 0)), (1, (0, 0)), (2, (3, 0))]
    """
    return _stages(match.start, match.log, match.within)


def doubt(match: Match, forget: Known) -> Match:
    """The match with less known about its open round, so that what follows is checked less.

    For a reader of records that met an illegal entry and goes on.
    """
    round_ = match.rounds[-1]
    return with_round(match, round_, known=round_.known & ~forget)


def trust(match: Match, seat: Seat) -> Match:
    """The match with `seat` on turn in its open round, and turns checked again: the counterpart of `doubt`."""
    round_ = match.rounds[-1]
    return with_round(match, round_, turn=seat, known=round_.known | Known.TURN)


def _opening_at(match: Match, place: int) -> int:
    """The entry that opened the round in which an entry has its place; 0 before the first."""
    openings = {round_.moves[0].entry for round_ in match.rounds}
    order = places(match.log)
    return next((entry for entry in reversed(order[: order.index(place)]) if entry in openings), 0)


def _beside_the_score(log: Sequence[Event], event: Correction) -> bool:
    """Whether a correction is of notes and names only."""
    if isinstance(event, Inserted):
        return isinstance(event.event, Noted)
    old = log[event.entry - 1]
    return isinstance(old, Noted | Renamed | Shown) and (isinstance(event, Undone) or isinstance(event.event, Noted))


def _stays_within(opening: int, within: Sequence[int], log: Sequence[Event], event: Event) -> bool:
    """Whether a correction reaches no further back than the entries of the round that is open."""
    number = len(within)
    while isinstance(event, Undone | Amended):
        if isinstance(event, Amended) and isinstance(event.event, RoundOpened):
            return False
        number = event.entry
        event = log[number - 1]
    return not isinstance(event, RoundOpened | Inserted | Affair) and within[number - 1] == opening


def _now(one: Standing, rules: Rules, unit: int) -> GameEvent | Affair:
    """What an event says now: of the player whose turn it was after those forgotten before it, in points of today.

    `unit` is what five raw were worth when it was said.
    """
    event = one.event
    if isinstance(event, Scored | Adjusted) and unit != rules.points_per_five:
        return replace(event, points=round(event.points * rules.points_per_five / unit))
    if one.turns and isinstance(event, Played | Counted | Drew | Passed) and event.seat in rules.seats:
        return replace(event, seat=rules.seats[(rules.seats.index(event.seat) + one.turns) % rules.players])
    return event


def _fold(start: Start, log: tuple[Event, ...], within: tuple[int, ...]) -> Match:
    *_, (_, match) = _stages(start, log, within)
    return changed(match, log=log, within=within)


def _stages(start: Start, log: Sequence[Event], within: Sequence[int]) -> Iterator[tuple[int, Match]]:
    stands = standing(log)
    match = begun(start, stands)
    yield 0, match
    unit = units(start, log)
    for entry, event in ((one.entry, _now(one, match.rules, unit[one.since])) for one in stands):
        if isinstance(event, Affair):
            continue
        try:
            if type(event) in _OF_A_ROUND and within[entry - 1] != match.opening:
                raise RulesError(Fault.OTHER_ROUND)
            match = step(match, entry, event)
        except RulesError as error:
            match = _skip(match, Fallen(entry, event, error.with_traceback(None)))
        yield entry, match


def _skip(match: Match, fallen: Fallen) -> Match:
    """Leave out an entry that fell: its turn passes and its tile leaves the hand, so that later ones may stand."""
    match = changed(match, fallen=(*match.fallen, fallen))
    event = fallen.event
    if fallen.error.fault in _PAST or not isinstance(event, Played | Counted | Scored | Passed):
        return match
    round_ = match.rounds[-1]
    if event.seat not in match.rules.seats:
        return match
    turn = match.rules.after(event.seat)
    if isinstance(event, Passed):
        return with_round(match, round_, turn=turn)
    if not isinstance(event, Played):
        return with_round(match, round_, turn=turn, known=Known.NOTHING, passes=0)
    index = match.rules.seats.index(event.seat)
    hands = hand_less(round_, index)
    ended = Known.HANDS in round_.known and hands[index] == 0
    return with_round(match, round_, turn=turn, hands=hands, passes=0, ended=ended, out=event.seat if ended else None)

"""The course of a match: `apply` knows what may happen next, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from .events import (
    AGREED,
    LONGEST_TEXT,
    LONGEST_WORDS,
    LOT,
    OUT,
    Adjusted,
    Amended,
    Closed,
    Counted,
    Disputed,
    Drew,
    Event,
    GameEvent,
    Noted,
    Passed,
    Played,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
    Undone,
    check_reference,
    standing,
)
from .faults import Fault, RulesError
from .layout import Layout
from .leftovers import check_left
from .lot import lot_winner
from .match import Fallen, Known, Match, Move, Round, Status
from .rules import MOST_POINTS, Rules
from .scoring import advance, score_of, settle
from .seats import Seat

_Frozen = TypeVar("_Frozen", Match, Round)

# What can stand only in the round it was entered in.
_OF_A_ROUND: Final = {Played, Counted, Scored, Drew, Passed, RoundEnded, Settled}
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

    An undo or correction folds the log again. One that makes later entries impossible is not
    refused: they are listed in `fallen`. Source: rules 3 to 6.

    >>> from .rules import PRESETS
    >>> match = apply(Match.new(PRESETS["five-up"].rules(2), ("Ani", "Budi")), RoundOpened("A", "lot"))
    >>> from .tiles import Tile
    >>> apply(match, Played("A", Tile.of(5, 5))).scores
    (2, 0)
    """
    log, within = (*before.log, event), (*before.within, before.opening)
    if not isinstance(event, Undone | Amended):
        return _changed(_step(before, len(log), event), log=log, within=within)
    check_reference(before.log, event)
    after = _fold(before.rules, before.players, log, within)
    for fallen in after.fallen:
        if fallen.entry == event.entry:  # the correction itself cannot be
            raise fallen.error
    if before.closed and after.closed and not isinstance(before.log[event.entry - 1], Noted):
        raise RulesError(Fault.MATCH_CLOSED)  # first take back the closing (rules 6, missed score)
    return after


def replay(rules: Rules, players: Sequence[str], log: Sequence[Event]) -> Match:
    """The match of a whole log. Raises RulesError where an undo or correction refers to nothing."""
    match = Match.new(rules, tuple(players))
    within: list[int] = []
    opening = 0
    for number, event in enumerate(log, 1):
        within.append(opening)
        if isinstance(event, RoundOpened):
            opening = number
        elif isinstance(event, Undone | Amended):
            check_reference(log[: number - 1], event)
            if match.fallen or not _stays_within(opening, within, log, event):
                match = _fold(rules, match.players, tuple(log[:number]), tuple(within))
                opening = match.opening
    return _fold(rules, match.players, tuple(log), tuple(within))


def doubt(match: Match, forget: Known) -> Match:
    """The match with less known about its open round, so that what follows is checked less.

    For a reader of records that met an illegal entry and goes on.
    """
    round_ = match.rounds[-1]
    return _with_round(match, round_, known=round_.known & ~forget)


def trust(match: Match, seat: Seat) -> Match:
    """The match with `seat` on turn in its open round, and turns checked again: the counterpart of `doubt`."""
    round_ = match.rounds[-1]
    return _with_round(match, round_, turn=seat, known=round_.known | Known.TURN)


def _stays_within(opening: int, within: Sequence[int], log: Sequence[Event], event: Event) -> bool:
    """Whether an undo or correction reaches no further back than the entries of the round that is open."""
    number = len(within)
    while isinstance(event, Undone | Amended):
        if isinstance(event, Amended) and isinstance(event.event, RoundOpened):
            return False
        number = event.entry
        event = log[number - 1]
    return not isinstance(event, RoundOpened) and within[number - 1] == opening


def _fold(rules: Rules, players: tuple[str, ...], log: tuple[Event, ...], within: tuple[int, ...]) -> Match:
    match = Match.new(rules, players)
    for entry, event in ((stands.entry, stands.event) for stands in standing(log)):
        try:
            if type(event) in _OF_A_ROUND and within[entry - 1] != match.opening:
                raise RulesError(Fault.OTHER_ROUND)
            match = _step(match, entry, event)
        except RulesError as error:
            match = _skip(match, Fallen(entry, event, error.with_traceback(None)))
    return _changed(match, log=log, within=within)


def _step(match: Match, entry: int, event: GameEvent) -> Match:
    step = _STEPS[type(event)]
    if match.closed and not isinstance(event, Noted):
        raise RulesError(Fault.MATCH_CLOSED)
    return step(match, entry, event)


def _skip(match: Match, fallen: Fallen) -> Match:
    """Leave out an entry that fell: its turn passes and its tile leaves the hand, so that later ones may stand."""
    match = _changed(match, fallen=(*match.fallen, fallen))
    event = fallen.event
    if fallen.error.fault in _PAST or not isinstance(event, Played | Counted | Scored | Passed):
        return match
    round_ = match.rounds[-1]
    if event.seat not in match.rules.seats:
        return match
    turn = match.rules.after(event.seat)
    if isinstance(event, Passed):
        return _with_round(match, round_, turn=turn)
    if not isinstance(event, Played):
        return _with_round(match, round_, turn=turn, known=Known.NOTHING, passes=0)
    index = match.rules.seats.index(event.seat)
    hands = _hand_less(round_, index)
    ended = Known.HANDS in round_.known and hands[index] == 0
    return _with_round(match, round_, turn=turn, hands=hands, passes=0, ended=ended, out=event.seat if ended else None)


# Steps, one for each kind of event.


def _opened(match: Match, entry: int, event: RoundOpened) -> Match:
    rules = match.rules
    _not_won(match)
    _at_table(rules, event.seat)
    if event.by not in (LOT, OUT, AGREED):
        raise RulesError(Fault.FIELD_VALUE, field="by", text=event.by)
    if match.in_round:
        raise RulesError(Fault.ROUND_OPEN, number=match.rounds[-1].number)
    opener = match.next_opener
    if event.by == OUT and opener is None:
        raise RulesError(Fault.NO_ONE_WENT_OUT)
    if event.by != AGREED and opener not in (None, event.seat):
        raise RulesError(Fault.OUT_OPENS, opener=opener)
    if event.by == LOT and opener is not None:
        raise RulesError(Fault.OUT_OPENS, opener=opener)
    if event.lots and (winner := lot_winner(event.lots, rules.seats)) != event.seat:
        raise RulesError(Fault.LOT_WRONG, opener=winner)
    round_ = Round(
        number=len(match.rounds) + 1,
        opener=event.seat,
        by=event.by,
        turn=event.seat,
        layout=Layout.empty(rules.spinners),
        known=Known.ALL,
        hands=(rules.hand,) * rules.players,
        boneyard=rules.boneyard,
        scored=(0,) * len(rules.teams),
        moves=(Move(entry, event),),
    )
    return _changed(match, rounds=(*match.rounds, round_))


def _played(match: Match, entry: int, event: Played) -> Match:
    round_ = _running(match, event.seat)
    if Known.LAYOUT not in round_.known:
        raise RulesError(Fault.LAYOUT_UNKNOWN, tile=event.tile)
    layout = round_.layout.play(event.tile, event.onto)
    score = score_of(layout, match.rules)
    return _placed(match, round_, Move(entry, event, score, score.points), layout=layout)


def _counted(match: Match, entry: int, event: Counted) -> Match:
    round_ = _running(match, event.seat)
    event.ends.check(match.rules)
    score = score_of(event.ends, match.rules)
    return _placed(match, round_, Move(entry, event, score, score.points), known=Known.NOTHING)


def _scored(match: Match, entry: int, event: Scored) -> Match:
    round_ = _running(match, None)  # points as called say nothing about turns
    rules = match.rules
    _at_table(rules, event.seat)
    highest = rules.points(rules.highest_count)
    if not 0 <= event.points <= highest or event.points % rules.points_per_five:
        raise RulesError(Fault.POINTS_UNIT, points=event.points, step=rules.points_per_five, highest=highest)
    return _placed(match, round_, Move(entry, event, None, event.points), known=Known.NOTHING)


def _drew(match: Match, entry: int, event: Drew) -> Match:
    round_ = _running(match, event.seat)
    _set_first(round_, event.seat)
    if event.tiles is None:
        known = round_.known & ~Known.HANDS
        return _with_round(match, round_, known=known, moves=(*round_.moves, Move(entry, event)))
    if event.tiles < 1:
        raise RulesError(Fault.DREW_NONE)
    boneyard = round_.boneyard if Known.HANDS in round_.known else match.rules.boneyard
    drawable = boneyard - match.rules.reserve
    if drawable == 0:
        raise RulesError(Fault.BONEYARD_EMPTY)
    if event.tiles > drawable:
        raise RulesError(Fault.BONEYARD_TOO_SMALL, boneyard=drawable)
    return _with_round(
        match,
        round_,
        hands=_hand_less(round_, match.rules.seats.index(event.seat), -event.tiles),
        boneyard=round_.boneyard - event.tiles,
        moves=(*round_.moves, Move(entry, event)),
    )


def _passed(match: Match, entry: int, event: Passed) -> Match:
    round_ = _running(match, event.seat)
    _set_first(round_, event.seat)
    drawable = round_.boneyard - match.rules.reserve
    if Known.HANDS in round_.known and drawable:
        raise RulesError(Fault.MUST_DRAW, boneyard=drawable)
    passes = round_.passes + 1 if event.seat == round_.turn else 1  # a turn nobody entered breaks the row
    return _with_round(
        match,
        round_,
        passes=passes,
        ended=passes == match.rules.players,  # everyone has passed since the last placement: blocked
        turn=match.rules.after(event.seat),
        moves=(*round_.moves, Move(entry, event)),
    )


def _ended(match: Match, entry: int, event: RoundEnded) -> Match:
    round_ = _running(match, None)
    if event.out is None:
        _set_first(round_, round_.opener)
        drawable = round_.boneyard - match.rules.reserve
        dead = match.rules.stop_when_dead and Known.LAYOUT in round_.known and round_.layout.is_dead()
        if Known.HANDS in round_.known and drawable and not dead:
            raise RulesError(Fault.NOT_BLOCKED, boneyard=drawable)
        fitting = sum(map(round_.layout.fits, round_.layout.unplayed()))
        if Known.HANDS | Known.LAYOUT in round_.known and fitting > round_.boneyard:
            raise RulesError(Fault.CAN_PLAY)  # not all that fit can lie in the boneyard
    else:
        _at_table(match.rules, event.out)
        if Known.HANDS in round_.known:
            tiles = round_.hands[match.rules.seats.index(event.out)]
            raise RulesError(Fault.STILL_HOLDS, seat=event.out, tiles=tiles)
        last = next((move.event for move in reversed(round_.moves) if isinstance(move.event, Played)), None)
        if Known.TURN in round_.known and (last is None or last.seat != event.out):
            raise RulesError(Fault.OUT_BY_PLAYING, seat=event.out)
    return _with_round(match, round_, ended=True, out=event.out, moves=(*round_.moves, Move(entry, event)))


def _settled(match: Match, entry: int, event: Settled) -> Match:
    _not_won(match)
    if not match.rounds:
        raise RulesError(Fault.NO_ROUND)
    round_ = match.rounds[-1]
    if round_.settlement is not None:
        raise RulesError(Fault.ROUND_SETTLED)
    if not round_.ended:
        raise RulesError(Fault.ROUND_GOES_ON)
    left = dict(event.left)
    for seat in left:
        _at_table(match.rules, seat)
    check_left(left, round_, match.rules.seats)
    settlement = settle(left, rules=match.rules, out=round_.out)
    changes = [
        advance(score, settlement.teams[team], match.rules)
        for team, score in zip(match.rules.teams, match.scores, strict=True)
    ]
    scores = tuple(score + change for score, change in zip(match.scores, changes, strict=True))
    unscored = sum(settlement.teams.values()) - sum(changes)
    return _with_round(
        _changed(match, scores=scores),
        round_,
        left=tuple((seat, left[seat]) for seat in match.rules.seats if seat in left),
        settlement=settlement,
        before_settlement=match.scores,
        after_settlement=scores,
        moves=(*round_.moves, Move(entry, event, None, sum(changes), unscored)),
    )


def _adjusted(match: Match, entry: int, event: Adjusted) -> Match:
    if event.team not in match.rules.teams:
        raise RulesError(Fault.NOT_A_TEAM, text=event.team)
    if event.points == 0:
        raise RulesError(Fault.ADJUSTED_BY_ZERO)
    if abs(event.points) > MOST_POINTS:
        raise RulesError(Fault.NUMBER_BOUNDS, lowest=-MOST_POINTS, highest=MOST_POINTS)
    _check_text(event.reason)
    index = match.rules.teams.index(event.team)
    return _changed(_with_move(match, Move(entry, event)), scores=_plus(match.scores, index, event.points))


def _noted(match: Match, entry: int, event: Noted) -> Match:
    _check_text(event.text)
    return _with_move(match, Move(entry, event))


def _disputed(match: Match, entry: int, event: Disputed) -> Match:
    if not 1 <= event.entry < entry:
        raise RulesError(Fault.NO_SUCH_ENTRY, entry=event.entry)
    for team, _words in event.words:
        if team not in match.rules.teams:
            raise RulesError(Fault.NOT_A_TEAM, text=team)
    for text in (event.text, *(words for _, words in event.words)):
        _check_text(text, LONGEST_WORDS)
    return _with_move(match, Move(entry, event))


def _closed(match: Match, entry: int, event: Closed) -> Match:
    _not_won(match)
    _check_text(event.reason)
    return _changed(_with_move(match, Move(entry, event)), closed=True)


_STEPS: Final[Mapping[type[GameEvent], Callable[[Match, int, Any], Match]]] = {
    RoundOpened: _opened,
    Played: _played,
    Counted: _counted,
    Scored: _scored,
    Drew: _drew,
    Passed: _passed,
    RoundEnded: _ended,
    Settled: _settled,
    Adjusted: _adjusted,
    Noted: _noted,
    Disputed: _disputed,
    Closed: _closed,
}


# What several steps share.


def _running(match: Match, seat: Seat | None) -> Round:
    """The round that is being played; `seat` must be on turn there."""
    _not_won(match)
    if not match.rounds:
        raise RulesError(Fault.NO_ROUND)
    round_ = match.rounds[-1]
    if round_.settlement is not None:
        raise RulesError(Fault.ROUND_SETTLED)
    if round_.ended:
        raise RulesError(Fault.ROUND_ENDED)
    if seat is not None:
        _at_table(match.rules, seat)
        if seat != round_.turn and Known.TURN in round_.known:
            raise RulesError(Fault.NOT_ON_TURN, turn=round_.turn, seat=seat)
    return round_


def _not_won(match: Match) -> None:
    if max(match.scores) >= match.rules.target and match.status is Status.WON:
        raise RulesError(Fault.MATCH_WON)


def _at_table(rules: Rules, seat: Seat) -> None:
    if seat not in rules.seats:
        raise RulesError(Fault.NOT_A_SEAT, text=seat)


def _set_first(round_: Round, seat: Seat) -> None:
    if Known.LAYOUT in round_.known and not round_.layout.plays:
        raise RulesError(Fault.MUST_SET, seat=seat)


def _check_text(text: str, longest: int = LONGEST_TEXT) -> None:
    if not text.strip():
        raise RulesError(Fault.REASON_MISSING)
    if len(text) > longest:
        raise RulesError(Fault.TEXT_TOO_LONG, highest=longest)


def _placed(
    match: Match, round_: Round, move: Move, *, layout: Layout | None = None, known: Known | None = None
) -> Match:
    """The match after a placement: the score made, one tile less in the hand, the turn moved on."""
    rules = match.rules
    seat: Seat = move.event.seat  # type: ignore[union-attr]
    team = rules.team_of[seat]
    scores, scored = match.scores, round_.scored
    if move.points:
        gain = advance(scores[team], move.points, rules)
        if gain != move.points:
            move = move._replace(points=gain, unscored=move.points - gain)
        scores, scored = _plus(scores, team, gain), _plus(scored, team, gain)
    index = rules.seats.index(seat)
    known = round_.known if known is None else known
    hands = _hand_less(round_, index)
    went_out = Known.HANDS in known and hands[index] == 0
    round_ = _changed(
        round_,
        layout=round_.layout if layout is None else layout,
        known=known,
        hands=hands,
        scored=scored,
        turn=rules.after(seat),
        passes=0,
        ended=went_out,
        out=seat if went_out else None,
        moves=(*round_.moves, move),
    )
    return _changed(match, scores=scores, rounds=(*match.rounds[:-1], round_))


def _hand_less(round_: Round, index: int, tiles: int = 1) -> tuple[int, ...]:
    return _plus(round_.hands, index, -tiles)


def _plus(numbers: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + more, *numbers[index + 1 :])


def _with_move(match: Match, move: Move) -> Match:
    if not match.rounds:
        return _changed(match, preamble=(*match.preamble, move))
    return _with_round(match, match.rounds[-1], moves=(*match.rounds[-1].moves, move))


def _with_round(match: Match, round_: Round, **fields: object) -> Match:
    return _changed(match, rounds=(*match.rounds[:-1], _changed(round_, **fields)))


def _changed(value: _Frozen, **fields: object) -> _Frozen:
    """As `dataclasses.replace`, at a fifth of the time: folding a long match does this twice an entry."""
    after = object.__new__(type(value))
    after.__dict__.update(value.__dict__)
    after.__dict__.update(fields)
    return after

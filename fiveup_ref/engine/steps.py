"""The steps of a match, one for each kind of event: what it needs to stand, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .events import (
    AGREED,
    LONGEST_TEXT,
    LONGEST_WORDS,
    LOT,
    OUT,
    Adjusted,
    Closed,
    Counted,
    Disputed,
    Drew,
    GameEvent,
    Noted,
    Passed,
    Played,
    PointedOut,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
)
from .faults import Fault, RulesError
from .layout import Layout
from .leftovers import check_left
from .lot import lot_winner
from .match import Known, Match, Move, Round, Status, changed, with_move, with_round
from .rules import MOST_POINTS, Rules
from .scoring import advance, score_of, settle
from .seats import Seat


def step(match: Match, entry: int, event: GameEvent) -> Match:
    """The match after an event that came in as entry number `entry`. Raises RulesError. Source: rules 3 to 6."""
    if match.closed and not isinstance(event, Noted):
        raise RulesError(Fault.MATCH_CLOSED)
    return _STEPS[type(event)](match, entry, event)


def _opened(match: Match, entry: int, event: RoundOpened) -> Match:
    rules = match.rules
    _not_won(match)
    _at_table(rules, event.seat)
    if event.by not in (LOT, OUT, AGREED):
        raise RulesError(Fault.FIELD_VALUE, field="by", text=event.by)
    if match.in_round:
        raise RulesError(Fault.ROUND_OPEN, number=match.rounds[-1].number)
    opener = match.next_opener
    if event.by == LOT and rules.double_opens and opener is None:
        raise RulesError(Fault.DOUBLE_OPENS)
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
        layout=Layout.empty(rules.spinners, spinner_counts=rules.spinner_counts),
        known=Known.ALL,
        hands=(rules.hand,) * rules.players,
        boneyard=rules.boneyard,
        scored=(0,) * len(rules.teams),
        moves=(Move(entry, event),),
    )
    return changed(match, rounds=(*match.rounds, round_))


def _played(match: Match, entry: int, event: Played) -> Match:
    round_ = _running(match, event.seat)
    if Known.LAYOUT not in round_.known:
        raise RulesError(Fault.LAYOUT_UNKNOWN, tile=event.tile)
    if event.onto is None and match.rules.double_opens and round_.by != OUT and not event.tile.is_double:
        raise RulesError(Fault.SET_DOUBLE, tile=event.tile)
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
        return with_round(match, round_, known=known, moves=(*round_.moves, Move(entry, event)))
    if event.tiles < 1:
        raise RulesError(Fault.DREW_NONE)
    boneyard = round_.boneyard if Known.HANDS in round_.known else match.rules.boneyard
    drawable = boneyard - match.rules.reserve
    if drawable == 0:
        raise RulesError(Fault.BONEYARD_EMPTY)
    if event.tiles > drawable:
        raise RulesError(Fault.BONEYARD_TOO_SMALL, boneyard=drawable)
    return with_round(
        match,
        round_,
        hands=hand_less(round_, match.rules.seats.index(event.seat), -event.tiles),
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
    return with_round(
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
    return with_round(match, round_, ended=True, out=event.out, moves=(*round_.moves, Move(entry, event)))


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
    return with_round(
        changed(match, scores=scores),
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
    return changed(with_move(match, Move(entry, event)), scores=_plus(match.scores, index, event.points))


def _noted(match: Match, entry: int, event: Noted) -> Match:
    _check_text(event.text)
    return with_move(match, Move(entry, event))


def _disputed(match: Match, entry: int, event: Disputed) -> Match:
    if not 1 <= event.entry < entry:
        raise RulesError(Fault.NO_SUCH_ENTRY, entry=event.entry)
    for team, _words in event.words:
        if team not in match.rules.teams:
            raise RulesError(Fault.NOT_A_TEAM, text=team)
    for text in (event.text, *(words for _, words in event.words)):
        _check_text(text, LONGEST_WORDS)
    return with_move(match, Move(entry, event))


def _pointed_out(match: Match, entry: int, event: PointedOut) -> Match:
    rules = match.rules
    if not rules.muggins_call:
        raise RulesError(Fault.NO_MUGGINS)
    _at_table(rules, event.seat)
    round_ = match.rounds[-1] if match.rounds else None
    if round_ is None or round_.settlement is not None:
        raise RulesError(Fault.NOTHING_MISSED)
    missed = next((move for move in reversed(round_.moves) if isinstance(move.event, _PLACEMENTS)), None)
    if missed is None or not missed.points or isinstance(missed.event, PointedOut):
        raise RulesError(Fault.NOTHING_MISSED)
    loser = rules.team_of[missed.event.seat]  # type: ignore[union-attr]
    if rules.team_of[event.seat] == loser:
        raise RulesError(Fault.OWN_SCORE)
    match = changed(
        match,
        scores=_plus(match.scores, loser, -missed.points),
        got_in=_replaced(match.got_in, loser, by=match.got_in[loser] and not missed.let_in),
    )
    move, match = _gained(match, Move(entry, event, None, missed.points, lost=(loser, missed.points), took=missed))
    scored = _plus(_plus(round_.scored, loser, -missed.points), rules.team_of[event.seat], move.points)
    moves = (one._replace(taken_by=event.seat) if one is missed else one for one in round_.moves)
    return with_round(match, round_, scored=scored, moves=(*moves, move))


def _closed(match: Match, entry: int, event: Closed) -> Match:
    _not_won(match)
    _check_text(event.reason)
    return changed(with_move(match, Move(entry, event)), closed=True)


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
    PointedOut: _pointed_out,
    Disputed: _disputed,
    Closed: _closed,
}


# What several steps share.


_PLACEMENTS: Final = (Played, Counted, Scored, PointedOut)  # a score that was taken cannot be taken again


def _gained(match: Match, move: Move) -> tuple[Move, Match]:
    """A score made in play as it counts, and the match with it: what is too little or too much is not scored."""
    rules = match.rules
    team = rules.team_of[move.event.seat]  # type: ignore[union-attr]
    if not move.points:
        return move, match
    too_low = not match.got_in[team] and move.points < rules.points(-(-rules.get_in // 5) * 5)
    gain = 0 if too_low else advance(match.scores[team], move.points, rules)
    if gain != move.points:
        move = move._replace(points=gain, unscored=move.points - gain, too_low=too_low)
    if gain and not match.got_in[team]:
        move = move._replace(let_in=True)
        match = changed(match, got_in=_replaced(match.got_in, team, by=True))
    return move, changed(match, scores=_plus(match.scores, team, gain))


def _replaced(values: tuple[bool, ...], index: int, *, by: bool) -> tuple[bool, ...]:
    return (*values[:index], by, *values[index + 1 :])


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
    scored = round_.scored
    if move.points:
        move, match = _gained(match, move)
        scored = _plus(scored, team, move.points)
    index = rules.seats.index(seat)
    known = round_.known if known is None else known
    hands = hand_less(round_, index)
    went_out = Known.HANDS in known and hands[index] == 0
    round_ = changed(
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
    return changed(match, rounds=(*match.rounds[:-1], round_))


def hand_less(round_: Round, index: int, tiles: int = 1) -> tuple[int, ...]:
    """The tiles in each hand with so many less in one, given by its index."""
    return _plus(round_.hands, index, -tiles)


def _plus(numbers: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + more, *numbers[index + 1 :])

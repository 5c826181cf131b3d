"""What leftovers cost or bring, and beside it what people argue for (rules 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from .course import apply, doubt
from .events import LOT, RoundOpened
from .faults import _
from .leftovers import check_left, check_pips_together
from .match import Known, Match
from .rules import Rules, Settling
from .ruling import Change, Changes, Pips, Rule, Ruling, Sentence, sentence
from .scoring import Left, Settlement, rounded, settle
from .seats import Seat, Team
from .tiles import DOUBLE_SIX


class Leftover(StrEnum):
    """The sentences of a ruling on leftovers."""

    # the ruling
    SETTLED = _("The settlement: {changes}.")
    NOBODY = _("The settlement changes nothing: {changes}.")
    # the working
    OUT = _("{seat} went out and has nothing left.")
    HAND = _("{seat}: {pips}, rounded to {rounded}: {change}.")
    HELD = _("{seat} has {pips} left.")
    LEFT_OUT = _("{seat} has {pips} left. That is the partner of who went out, so it is left out.")
    TOGETHER = _("{team} together: {change}.")
    TAKES = _("{team}: the others' {pips} are rounded once, to {rounded}: {change}.")
    SHARES = _("{team} shares the lowest hand: the others' {pips} are rounded to {rounded} and divided: {change}.")
    TIED = _("Each side has {pips} left, so nobody takes anything.")
    LOWEST = _("{team} has the fewest pips left, {pips}, and takes what the others have.")
    # the wrong ways
    ROUNDED_TOGETHER = _("Wrong: partners added up first and rounded once. That would be {changes}.")
    ROUNDED_UP = _("Wrong: every remainder rounded up. That would be {changes}.")
    NOT_ROUNDED = _("Wrong: what is over a five cut off. That would be {changes}.")
    PARTNER_SPARED = _("Wrong: the partner of who went out pays nothing. That would be {changes}.")
    WINNER_GAINS = _("Wrong here: the winner takes what the others have left. That would be {changes}.")
    PARTNER_TAKEN = _("Wrong: the partner's leftovers taken too. That would be {changes}.")
    OWN_DEDUCTED = _("Wrong here: everybody's own leftovers are deducted. That would be {changes}.")
    EACH_ROUNDED = _("Wrong: each hand rounded before adding. That would be {changes}.")
    OWN_SUBTRACTED = _("Wrong: the lowest hand's own pips subtracted from what it takes. That would be {changes}.")
    # what would make it different
    NEXT_STEP = _("With {pips} more, {seat} would be rounded to {rounded}.")
    NEXT_TAKEN = _("With {pips} more among what is taken, it would be rounded to {rounded}.")
    IF_LOWER = _("If one of them had fewer pips left than the others, that side would take what the others have.")
    UNSETTLED = _("The sources do not settle a shared lowest hand; this is the decision of the rule book.")


def rule_on_leftovers(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> Ruling:
    """The settlement hand by hand, and what each wrong way would come to; `out` None: blocked.

    Raises RulesError where these leftovers cannot be, as `check_left` for a round of which nothing else is known, or
    `check_pips_together`.

    >>> from .rules import PRESETS
    >>> left = {"B": Left(3), "C": Left(2), "D": Left(3)}
    >>> ruling = rule_on_leftovers(left, PRESETS["five-up"].rules(4), "A")
    >>> str(ruling.ruling), str(ruling.mistakes[0])
    ('The settlement: A+C 0, B+D -2.', \
'Wrong: partners added up first and rounded once. That would be A+C 0, B+D -1.')
    """
    match = apply(Match.new(rules, rules.seats), RoundOpened(rules.seats[0], LOT))
    seats = tuple(seat for seat in rules.seats if seat != out)
    check_left(left, doubt(match, Known.ALL).rounds[-1], seats)
    check_pips_together(left, DOUBLE_SIX)
    settlement = settle(left, rules=rules, out=out)
    says = Leftover.SETTLED if any(settlement.teams.values()) else Leftover.NOBODY
    return Ruling(
        sentence(says, changes=Changes.of(settlement.teams)),
        tuple(_working(settlement, rules, out)),
        Rule.SETTLEMENT,
        tuple(_otherwise(settlement, rules)),
        tuple(wrong_ways(left, rules, out)),
    )


def _working(settlement: Settlement, rules: Rules, out: Seat | None) -> Iterator[Sentence]:
    apart = rules.settlement is Settling.DEDUCT_OWN
    for seat in rules.seats:
        if seat == out:
            yield sentence(Leftover.OUT, seat=seat)
            continue
        hand = settlement.hands[seat]
        fields = {"rounded": hand.rounded, "change": Change(hand.points)} if apart else {}
        says = Leftover.HAND if apart else Leftover.HELD
        if not apart and out is not None and rules.team_of[seat] == rules.team_of[out]:
            says = Leftover.LEFT_OUT
        yield sentence(says, seat=seat, pips=Pips(hand.pips), **fields)
    if apart:
        for team, change in settlement.teams.items():
            if len(team) > 1:
                yield sentence(Leftover.TOGETHER, team=team, change=Change(change))
    else:
        yield from _takings(settlement, rules, out)


def _takings(settlement: Settlement, rules: Rules, out: Seat | None) -> Iterator[Sentence]:
    held = _held(settlement, rules)
    taken = _taken(settlement, rules)
    alone = len(settlement.takers) == 1
    if settlement.takers == rules.teams:
        yield sentence(Leftover.TIED, pips=Pips(held[rules.teams[0]]))
        return
    for team in settlement.takers:
        if out is None and alone:
            yield sentence(Leftover.LOWEST, team=team, pips=Pips(held[team]))
        change = Change(settlement.teams[team])
        says = Leftover.TAKES if alone else Leftover.SHARES
        yield sentence(says, team=team, pips=Pips(taken), rounded=settlement.raw, change=change)


def _held(settlement: Settlement, rules: Rules) -> dict[Team, int]:
    hands = settlement.hands
    return {team: sum(hands[seat].pips for seat in team if seat in hands) for team in rules.teams}


def _otherwise(settlement: Settlement, rules: Rules) -> Iterator[Sentence]:
    if settlement.shared:
        yield sentence(Leftover.UNSETTLED)
    if rules.settlement is Settling.DEDUCT_OWN:
        for seat, hand in settlement.hands.items():
            more, to = _next_step(hand.pips)
            yield sentence(Leftover.NEXT_STEP, seat=seat, pips=Pips(more), rounded=to)
    elif settlement.takers == rules.teams:
        yield sentence(Leftover.IF_LOWER)
    else:
        more, to = _next_step(_taken(settlement, rules))
        yield sentence(Leftover.NEXT_TAKEN, pips=Pips(more), rounded=to)


def _next_step(pips: int) -> tuple[int, int]:
    """How many pips more are rounded to more, and to what."""
    more = next(more for more in range(1, 6) if rounded(pips + more) > rounded(pips))
    return more, rounded(pips + more)


def _taken(settlement: Settlement, rules: Rules) -> int:
    return sum(pips for team, pips in _held(settlement, rules).items() if team not in settlement.takers)


def wrong_ways(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> Iterator[Sentence]:
    """What people argue for at this settlement, each where it comes to something else."""
    right = dict(settle(left, rules=rules, out=out).teams)
    for says, way in _WRONG_WAYS[rules.settlement].items():
        wrong = way(left, rules, out)
        if wrong != right:
            yield sentence(says, changes=Changes.of(wrong))


_Way = Callable[[Mapping[Seat, Left], Rules, Seat | None], dict[Team, int]]


def _together(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> dict[Team, int]:
    del out
    held = {team: sum(left[seat].pips for seat in team if seat in left) for team in rules.teams}
    return {team: -rules.points(rounded(pips)) for team, pips in held.items()}


def _each(rounding: Callable[[int], int]) -> _Way:
    def way(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> dict[Team, int]:
        del out
        return {
            team: -sum(rules.points(rounding(left[seat].pips)) for seat in team if seat in left) for team in rules.teams
        }

    return way


def _partner_spared(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> dict[Team, int]:
    return {team: 0 if out in team else change for team, change in settle(left, rules=rules, out=out).teams.items()}


def _settled_as(settling: Settling) -> _Way:
    def way(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> dict[Team, int]:
        return dict(settle(left, rules=rules.changed({"settlement": settling}), out=out).teams)

    return way


def _partner_taken(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> dict[Team, int]:
    teams = dict(settle(left, rules=rules, out=out).teams)
    if out is not None:
        teams[rules.teams[rules.team_of[out]]] = rules.points(rounded(sum(hand.pips for hand in left.values())))
    return teams


def _each_rounded(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> dict[Team, int]:
    settlement = settle(left, rules=rules, out=out)
    takers, hands = settlement.takers, settlement.hands
    taken = sum(hands[seat].rounded for seat in hands if rules.teams[rules.team_of[seat]] not in takers)
    return {team: rules.points(taken) if (team,) == takers else change for team, change in settlement.teams.items()}


def _own_subtracted(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> dict[Team, int]:
    settlement = settle(left, rules=rules, out=out)
    if out is not None or len(settlement.takers) != 1:
        return dict(settlement.teams)
    (taker,) = settlement.takers
    held = _held(settlement, rules)
    return {**settlement.teams, taker: rules.points(rounded(sum(held.values()) - 2 * held[taker]))}


_WRONG_WAYS: Final[Mapping[Settling, Mapping[Leftover, _Way]]] = {
    Settling.DEDUCT_OWN: {
        Leftover.ROUNDED_TOGETHER: _together,
        Leftover.ROUNDED_UP: _each(lambda pips: -(-pips // 5) * 5),
        Leftover.NOT_ROUNDED: _each(lambda pips: pips // 5 * 5),
        Leftover.PARTNER_SPARED: _partner_spared,
        Leftover.WINNER_GAINS: _settled_as(Settling.WINNER_TAKES),
    },
    Settling.WINNER_TAKES: {
        Leftover.PARTNER_TAKEN: _partner_taken,
        Leftover.EACH_ROUNDED: _each_rounded,
        Leftover.OWN_SUBTRACTED: _own_subtracted,
        Leftover.OWN_DEDUCTED: _settled_as(Settling.DEDUCT_OWN),
    },
}

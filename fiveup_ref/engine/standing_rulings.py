"""Who has won, and who opens: from a match, or from what the table says (rules 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType

from .course import apply
from .events import LOT, Draws, RoundOpened
from .faults import Fault, RulesError, _
from .lot import tied
from .match import Match, Status
from .rules import Rules, Settling, TargetCheck
from .ruling import Pips, Points, Rule, Ruling, Sentence, sentence
from .scoring import Settlement
from .seats import Seat, Team
from .tiles import Tile


class Winning(StrEnum):
    """The sentences of a ruling on who has won."""

    # the ruling
    WON = _("{team} has won with {score}.")
    OPEN = _("Nobody has won yet.")
    REACHED = _("Nobody has won yet: the round is finished and settled first.")
    FELL_BACK = _("Nobody has won: the target was reached in play, but not any more after the settlement.")
    TIE = _("Nobody has won: the highest score is shared. Everybody plays one more round.")
    CLOSED = _("Nobody has won: the match was closed.")
    FIRST = _("Whoever came to {target} first has won: the scores alone do not say who that was.")
    # the working
    SETTLED = _("{team}: {before} before the settlement, {after} after it.")
    RUNNING = _("{team} has {after}.")
    NOT_SAID = _("The scores before the settlement are not given: it is taken that nobody had won before it.")
    TARGET = _("The target is {target}.")
    AFTER_ROUND = _("It is looked at after the settlement, so what was reached in play decides nothing.")
    AT_ONCE = _("It is looked at as soon as a score is made.")
    IN_PLAY = _("{team} came to it in play, and that ended the match: a settlement changes nothing any more.")
    SEVERAL = _("More than one side has come to it, and the match ended with the first of them.")
    ALONE = _("Of those who have reached it, the highest wins; how far above it makes no difference.")
    # what would make it different
    IF_AT_ONCE = _("In a game where the target is looked at at once, {team} would have won with {score}.")
    IF_SETTLED = _("If the settlement leaves one side alone with the highest score, {target} or more, it wins.")
    IF_LESS = _("With a score below {target} it would not have won, however far ahead.")
    IF_FIRST = _("If only one of them had come to {target}, that side would have won, however the round was settled.")
    IF_HIGHER = _("One point more for one of those who share the highest score, and it would have won.")


class Opening(StrEnum):
    """The sentences of a ruling on who opens."""

    OPENS = _("{seat} opens.")
    LOT_OPENS = _("A lot among all decides who opens.")
    WENT_OUT = _("{seat} went out in the round before, and who went out opens the next one.")
    WAS_BLOCKED = _("The round before was blocked, so nobody has a right to open, whatever the leftovers were.")
    FIRST_ROUND = _("It is the first round, so nobody has a right to open.")
    HOW = _("Everybody draws a tile and the most pips open; those who tie repeat it among themselves only.")
    IF_BLOCKED = _("After a blocked round it would be a new lot among all.")
    IF_OUT = _("If somebody had gone out in the round before, that player would open.")
    DREW = _("{seat} drew {tile}: {pips}.")
    MOST = _("{pips} is the most, and nobody else has as many.")
    REPEAT = _("Not decided: {seats} repeat the lot.")
    TIED = _("They tie with {pips}; the others are out of the lot.")
    IF_TIED = _("With as many pips as another the two would repeat the lot among themselves.")
    IF_MORE = _("In the repeated lot again the most pips decide, whatever was drawn before.")
    DOUBLE_OPENS = _("Whoever holds the highest double opens with it.")
    NO_LOT = _("By this house rule there is no lot; if nobody holds a double, deal again.")
    IF_LOT = _("Without that house rule a lot among all would decide.")
    NO_DOUBLE = _("Holding a double, even 6-6, gives no right to open, and the opener may set any tile.")


def rule_on_scores(rules: Rules, before: Sequence[int] | None, after: Sequence[int] | None) -> Ruling:
    """Who has won with these scores, in the order of `rules.teams`: before and after a settlement.

    `after` None: still in play; `before` None: not known, and taken not to matter (not both of them).
    Where the target is looked at at once, who came to it in play has won before any settlement.
    Raises RulesError: SCORE_ROSE or SCORE_FELL, where the settlement of this game cannot do that (rules 3 and 4), and
    SCORE_PAST above an exact target.

    >>> from .rules import PRESETS
    >>> print(rule_on_scores(PRESETS["five-up"].rules(2), [63, 55], [60, 55]).ruling)
    Nobody has won: the target was reached in play, but not any more after the settlement.
    """
    _check_exact(rules, before, after)
    if before is not None and after is not None:
        _check_settled(rules, before, after)
    if rules.target_check is TargetCheck.AT_ONCE and (ended := _ended_in_play(rules, before, after)):
        return ended
    match = apply(Match.new(rules, rules.seats), RoundOpened(rules.seats[0], LOT))
    if after is not None:
        nothing = Settlement(MappingProxyType({}), MappingProxyType(dict.fromkeys(rules.teams, 0)))
        round_ = replace(
            match.rounds[-1],
            ended=True,
            settlement=nothing,
            before_settlement=tuple(after if before is None else before),
            after_settlement=tuple(after),
        )
        match = replace(match, rounds=(round_,))
    scores = tuple((before or ()) if after is None else after)
    ruling = rule_on_match(replace(match, scores=scores))
    return ruling if before is not None else _before_not_said(ruling, rules, scores)


def _check_settled(rules: Rules, before: Sequence[int], after: Sequence[int]) -> None:
    deducts = rules.settlement is Settling.DEDUCT_OWN
    for team, earlier, later in zip(rules.teams, before, after, strict=True):
        if (later > earlier) if deducts else (later < earlier):
            raise RulesError(Fault.SCORE_ROSE if deducts else Fault.SCORE_FELL, team=team, seat=team[0])


def _check_exact(rules: Rules, before: Sequence[int] | None, after: Sequence[int] | None) -> None:
    for moment, scores in (("before", before), ("after", after)):
        for team, score in zip(rules.teams, scores or (), strict=False):
            if rules.exact and score > rules.target:
                fields = {"target": Points(rules.target), "score": Points(score), "moment": moment}
                raise RulesError(Fault.SCORE_PAST, team=team, seat=team[0], **fields)


def _ended_in_play(rules: Rules, before: Sequence[int] | None, after: Sequence[int] | None) -> Ruling | None:
    """The ruling where the match ended as soon as a score was made; None: the scores after the settlement decide."""
    scores = (after or ()) if before is None else before
    reached = [(team, score) for team, score in zip(rules.teams, scores, strict=True) if score >= rules.target]
    if not reached or (before is None and len(reached) == 1):
        return None
    target = Points(rules.target)
    facts = [*_told(rules, before, after), sentence(Winning.TARGET, target=target), sentence(Winning.AT_ONCE)]
    if len(reached) > 1:
        facts.append(sentence(Winning.SEVERAL))
        return Ruling(
            sentence(Winning.FIRST, target=target),
            tuple(facts),
            Rule.TARGET,
            (sentence(Winning.IF_FIRST, target=target),),
        )
    ((team, score),) = reached
    facts.append(sentence(Winning.IN_PLAY, team=team))
    return Ruling(
        sentence(Winning.WON, team=team, score=Points(score)),
        tuple(facts),
        Rule.TARGET,
        (sentence(Winning.IF_LESS, target=target),),
    )


def _told(rules: Rules, before: Sequence[int] | None, after: Sequence[int] | None) -> Iterator[Sentence]:
    """The scores as they were said."""
    if before is None or after is None:
        for team, score in zip(rules.teams, before or after or (), strict=True):
            yield sentence(Winning.RUNNING, team=team, after=Points(score))
        return
    for team, earlier, later in zip(rules.teams, before, after, strict=True):
        yield sentence(Winning.SETTLED, team=team, before=Points(earlier), after=Points(later))


def _before_not_said(ruling: Ruling, rules: Rules, scores: Sequence[int]) -> Ruling:
    return replace(
        ruling, working=(*_told(rules, None, scores), sentence(Winning.NOT_SAID), *ruling.working[len(rules.teams) :])
    )


def rule_on_match(match: Match) -> Ruling:
    """Who has won a match as it stands."""
    status = match.status
    says = Winning[status.name]
    fields = {"team": match.winner, "score": Points(max(match.scores))} if match.winner else {}
    return Ruling(
        sentence(says, **fields),
        tuple(_standing(match)),
        Rule.TARGET,
        tuple(_if_scores(match, status)),
    )


def _standing(match: Match) -> Iterator[Sentence]:
    rules = match.rules
    round_ = match.round
    for index, team in enumerate(rules.teams):
        after = Points(match.scores[index])
        if round_ and round_.settlement is not None and match.scores == round_.after_settlement:
            before = Points(round_.before_settlement[index])
            yield sentence(Winning.SETTLED, team=team, before=before, after=after)
        else:
            yield sentence(Winning.RUNNING, team=team, after=after)
    yield sentence(Winning.TARGET, target=Points(rules.target))
    after_round = rules.target_check is TargetCheck.AFTER_ROUND
    yield sentence(Winning.AFTER_ROUND if after_round else Winning.AT_ONCE)
    if sum(score >= rules.target for score in match.scores) > 1:
        yield sentence(Winning.ALONE)


def _if_scores(match: Match, status: Status) -> Iterator[Sentence]:
    rules = match.rules
    if status in (Status.REACHED, Status.FELL_BACK):
        in_play = match.scores if status is Status.REACHED else match.rounds[-1].before_settlement
        reached = [one for one in zip(rules.teams, in_play, strict=True) if one[1] >= rules.target]
        if len(reached) == 1:  # of several the scores do not say who came to it first
            yield sentence(Winning.IF_AT_ONCE, team=reached[0][0], score=Points(reached[0][1]))
    if status is Status.WON:
        yield sentence(Winning.IF_LESS, target=Points(rules.target))
    elif status is Status.TIE:
        yield sentence(Winning.IF_HIGHER)
    elif status is not Status.CLOSED:
        yield sentence(Winning.IF_SETTLED, target=Points(rules.target))


def rule_on_opener(out: Seat | None, *, first: bool, double_opens: bool = False) -> Ruling:
    """Who opens the next round: `out` went out in the one before (None: it was blocked, or this is the `first`).

    `double_opens` is the house rule that puts the highest double in place of a lot.

    >>> print(rule_on_opener("C", first=False).ruling)
    C opens.
    """
    if out is not None:
        return Ruling(
            sentence(Opening.OPENS, seat=out),
            (sentence(Opening.WENT_OUT, seat=out),),
            Rule.OPENING,
            (sentence(Opening.IF_BLOCKED), sentence(Opening.NO_DOUBLE)),
        )
    why = Opening.FIRST_ROUND if first else Opening.WAS_BLOCKED
    other = () if first else (sentence(Opening.IF_OUT),)
    if double_opens:
        return Ruling(
            sentence(Opening.DOUBLE_OPENS),
            (sentence(why), sentence(Opening.NO_LOT)),
            Rule.OPENING,
            (*other, sentence(Opening.IF_LOT)),
        )
    return Ruling(
        sentence(Opening.LOT_OPENS),
        (sentence(why), sentence(Opening.HOW)),
        Rule.OPENING,
        (*other, sentence(Opening.NO_DOUBLE)),
    )


def rule_on_lot(draws: Draws) -> Ruling:
    """Who opens after one drawing of the lot, or who repeats it.

    Raises RulesError: LOT_UNDECIDED where fewer than two drew, LEFT_TWICE where two drew the same tile.

    >>> from .tiles import Tile
    >>> print(rule_on_lot((("A", Tile.of(6, 3)), ("B", Tile.of(5, 4)), ("C", Tile.of(6, 1)))).ruling)
    Not decided: A+B repeat the lot.
    """
    seen: dict[Tile, Seat] = {}
    for seat, tile in draws:
        if tile in seen:
            raise RulesError(Fault.LEFT_TWICE, tile=tile, seat=seat, other=seen[tile])
        seen[tile] = seat
    if len(draws) < 2:
        raise RulesError(Fault.LOT_UNDECIDED)
    facts = [sentence(Opening.DREW, seat=seat, tile=tile, pips=Pips(tile.pips)) for seat, tile in draws]
    most = Pips(max(tile.pips for _, tile in draws))
    best = tied(draws)
    if len(best) == 1:
        facts.append(sentence(Opening.MOST, pips=most))
        ruling = sentence(Opening.OPENS, seat=best[0])
        return Ruling(ruling, tuple(facts), Rule.OPENING, (sentence(Opening.IF_TIED), sentence(Opening.NO_DOUBLE)))
    facts.append(sentence(Opening.TIED, pips=most))
    ruling = sentence(Opening.REPEAT, seats=Team(best))
    return Ruling(ruling, tuple(facts), Rule.OPENING, (sentence(Opening.IF_MORE), sentence(Opening.NO_DOUBLE)))

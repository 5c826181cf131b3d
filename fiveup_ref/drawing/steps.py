"""The scores of a match step by step, for the chart and the cribbage board."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from fiveup_ref.engine.events import Adjusted, Counted, Event, Played, PointedOut, Scored, Settled
from fiveup_ref.engine.match import Match, Move

_KINDS: Final[Mapping[type[Event], str]] = {
    Played: "play",
    Counted: "play",
    Scored: "play",
    Settled: "settlement",
    Adjusted: "adjustment",
    PointedOut: "play",
}


class Step(NamedTuple):
    """What a play, settlement or adjustment made of the scores, in points and in the order of `rules.teams`.

    `round` is 0 before the first.
    """

    kind: str
    round: int
    scores: tuple[int, ...]


def steps(match: Match) -> tuple[Step, ...]:
    """Every play, settlement and adjustment that stands, in order; the last has the scores of the match."""
    found: list[Step] = []
    scores = (0,) * len(match.rules.teams)
    for number, moves in ((0, match.preamble), *((round_.number, round_.moves) for round_ in match.rounds)):
        for move in moves:
            if kind := _KINDS.get(type(move.event)):
                scores = tuple(
                    score + change for score, change in zip(scores, _changes(match, number, move), strict=True)
                )
                found.append(Step(kind, number, scores))
    return tuple(found)


def _changes(match: Match, number: int, move: Move) -> tuple[int, ...]:
    rules = match.rules
    match move.event:
        case Settled():
            round_ = match.rounds[number - 1]
            ends = zip(round_.before_settlement, round_.after_settlement, strict=True)
            return tuple(after - before for before, after in ends)
        case Adjusted(team, points, _):
            return tuple(points if team == one else 0 for one in rules.teams)
        case Played(seat) | Counted(seat) | Scored(seat):
            return tuple(move.points if seat in team else 0 for team in rules.teams)
        case PointedOut(seat):
            loser, lost = move.lost
            gains = [move.points if seat in team else 0 for team in rules.teams]
            gains[loser] -= lost
            return tuple(gains)
        case _:
            return (0,) * len(rules.teams)


def scores_of(match: Match, team: int) -> list[int]:
    """The gains of a team in play and at settlements, in points, each as it was made at one go.

    A missed score that another team took is none.
    """
    before, gains = 0, []
    for step in steps(match):
        if step.kind != "adjustment" and step.scores[team] > before:
            gains.append(step.scores[team] - before)
        elif step.kind == "play" and step.scores[team] < before:
            gains.pop()
        before = step.scores[team]
    return gains


def last_two(match: Match, team: int) -> tuple[int, int]:
    """The score of a team now and before it last changed, in points; twice 0 while it has not."""
    seen = [0]
    for step in steps(match):
        if step.scores[team] != seen[-1]:
            seen.append(step.scores[team])
    return seen[-1], seen[-2] if len(seen) > 1 else 0

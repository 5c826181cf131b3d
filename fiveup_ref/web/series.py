"""A series of matches, best of three or five: each is the rematch of the one before, and this keeps the match score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fiveup_ref.engine.match import Match
from fiveup_ref.engine.seats import Team
from fiveup_ref.store import NoSuchMatch, Saved

from .language import gettext as _
from .matches import store
from .words import shown_names, team_name

_MOST: Final = 30  # matches looked back at: those without a winner lengthen a series

People = frozenset[str]


def wins(saved: Saved) -> Mapping[People, int]:
    """The matches that each side of the series has won, this match included; who plays together is a side.

    A series begins anew after a match that decided one.
    """
    chain = [saved]
    while len(chain) < _MOST and chain[0].follows:
        try:
            before = store().load(chain[0].follows)
        except NoSuchMatch:
            break
        if before.match.rules.best_of != saved.match.rules.best_of:
            break
        chain.insert(0, before)
    won: dict[People, int] = {}
    for one in chain:
        if decided(won, one.match):
            won = {}
        if one.match.winner:
            people = _people(one.match, one.match.winner)
            won[people] = won.get(people, 0) + 1
    return won


def decided(won: Mapping[People, int], match: Match) -> bool:
    """Whether a side has won more than half of the matches."""
    return max(won.values(), default=0) > match.rules.best_of // 2


def series_text(saved: Saved) -> str:
    """The match score of the series in a sentence; '' where a match stands alone."""
    match = saved.match
    if match.rules.best_of == 1:
        return ""
    won = wins(saved)
    names = shown_names(match)
    score = ", ".join(f"{team_name(team, names)} {won.get(_people(match, team), 0)}" for team in match.rules.teams)
    fields = {"number": match.rules.best_of, "score": score}
    if decided(won, match):
        return _("Best of %(number)s, decided: %(score)s.") % fields
    return _("Best of %(number)s, matches won: %(score)s.") % fields


def goes_on(saved: Saved) -> bool:
    """Whether another match of the series is to come."""
    return saved.match.rules.best_of > 1 and not decided(wins(saved), saved.match)


def _people(match: Match, team: Team) -> People:
    return frozenset(match.name(seat).casefold() for seat in team)

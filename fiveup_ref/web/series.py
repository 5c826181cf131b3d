"""A series of matches, best of three or five: each is the rematch of the one before, and this keeps the match score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fiveup_ref.engine.events import Renamed, RoundOpened
from fiveup_ref.engine.log import standing
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.seats import Seat
from fiveup_ref.store import NoSuchMatch, Saved

from .language import gettext as _
from .matches import store
from .words import shown_names, team_name

_MOST: Final = 30  # matches looked back at: those without a winner lengthen a series

Side = frozenset[Seat]
"""Who plays together, each by the seat that the player has in the match that is looked at."""


def wins(saved: Saved) -> Mapping[Side, int]:
    """The matches that each side of the series has won, this match included.

    A player is followed from seat to seat and may have a new name. A series begins anew after a match that decided
    one.
    """
    chain: list[tuple[Match, Side]] = []
    now = {seat: seat for seat in saved.match.rules.seats}  # by the seat in a match, the one in the match looked at
    while True:
        match = saved.match
        chain.append((match, frozenset(now[seat] for seat in match.winner or ())))
        if len(chain) == _MOST or not saved.follows:
            break
        try:
            before = store().load(saved.follows)
        except NoSuchMatch:
            break
        if before.match.rules.best_of != match.rules.best_of:
            break
        sat = _sat(before, saved)
        now = {sat[seat]: player for seat, player in now.items()}
        saved = before
    won: dict[Side, int] = {}
    for match, winner in reversed(chain):
        if decided(won, match):
            won = {}
        if winner:
            won[winner] = won.get(winner, 0) + 1
    return won


def _sat(before: Saved, saved: Saved) -> Mapping[Seat, Seat]:
    """For each seat of a match, the one that its player had in the match before."""
    seats, start = saved.match.rules.seats, saved.match.start.players
    # an older version did not keep the seats
    sat = dict(zip(seats, saved.sat, strict=True)) if saved.sat else _came_from(seats, before.match.players, start)
    players = start
    for one in standing(saved.match.log):
        if isinstance(one.event, RoundOpened):  # from here on nobody changes seats
            break
        if isinstance(one.event, Renamed):
            moved = _came_from(seats, players, one.event.players)
            sat, players = {seat: sat[moved[seat]] for seat in seats}, one.event.players
    return sat


def _came_from(seats: Sequence[Seat], before: Sequence[str], after: Sequence[str]) -> Mapping[Seat, Seat]:
    """For each seat, where its player sat before: whom no name tells has a new one and stayed, or took what was left.

    >>> _came_from("AB", ("Ani", "Budi"), ("Budi", "Anisa"))
    {'A': 'B', 'B': 'A'}
    """
    named, names = dict(zip(seats, before, strict=True)), dict(zip(seats, after, strict=True))
    found: dict[Seat, Seat] = {}
    for fits in (
        lambda old, new: old == new and named[old] == names[new],
        lambda old, new: named[old] == names[new],
        lambda old, new: old == new,
        lambda _old, _new: True,
    ):
        for new in (seat for seat in seats if seat not in found):
            free = (old for old in seats if old not in found.values() and fits(old, new))
            if old := next(free, ""):
                found[new] = old
    return found


def decided(won: Mapping[Side, int], match: Match) -> bool:
    """Whether a side has won more than half of the matches."""
    return max(won.values(), default=0) > match.rules.best_of // 2


def series_text(saved: Saved) -> str:
    """The match score of the series in a sentence; '' where a match stands alone."""
    match = saved.match
    if match.rules.best_of == 1:
        return ""
    won = wins(saved)
    names = shown_names(match)
    score = ", ".join(f"{team_name(team, names)} {won.get(frozenset(team), 0)}" for team in match.rules.teams)
    fields = {"number": match.rules.best_of, "score": score}
    if decided(won, match):
        return _("Best of %(number)s, decided: %(score)s.") % fields
    return _("Best of %(number)s, matches won: %(score)s.") % fields


def goes_on(saved: Saved) -> bool:
    """Whether another match of the series is to come."""
    return saved.match.rules.best_of > 1 and not decided(wins(saved), saved.match)

"""Matches for the tests, written as short lines; layouts laid by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import (
    Adjusted,
    Amended,
    Closed,
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
    RulesChanged,
    Scored,
    Settled,
    Undone,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import Layout, Place
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.rules import PRESETS, Rules
from fiveup_ref.engine.scoring import Ends, Left
from fiveup_ref.engine.seats import Seat, Team
from fiveup_ref.engine.tiles import Tile
from tests.playout import NAMES


def rules_of(preset: str, players: int = 2, *, partners: bool | None = None, **fields: str) -> Rules:
    """The rules of a preset with some fields as a record writes them."""
    return PRESETS[preset].rules(players, partners=partners).changed(fields)


def new_match(rules: Rules) -> Match:
    return Match.new(rules, NAMES[: rules.players])


def place(text: str) -> Place:
    """A play written as `5-0>5-5`, the set as `5-5`."""
    tile, joined, onto = text.partition(">")
    return Place(Tile.parse(tile), Tile.parse(onto) if joined else None)


def left(text: str) -> tuple[tuple[Seat, Left], ...]:
    """Leftovers written as `B 3-0 2-1 | C 6 pips`."""
    hands = [hand.strip().partition(" ") for hand in text.split("|")]
    return tuple((seat, Left.parse(held)) for seat, _, held in hands)


def event(text: str) -> Event:
    """An entry written as in the tests: `A opens lot`, `B 5-0>5-5`, `undo 3`, `insert 3 B draw 1`, `rules hand=7` …"""
    first, _, rest = text.partition(" ")
    word, _, more = rest.partition(" ")
    others: dict[str, Callable[[], Event]] = {
        "out": lambda: RoundEnded(rest),
        "blocked": lambda: RoundEnded(None),
        "left": lambda: Settled(left(rest)),
        "note": lambda: Noted(rest),
        "adjust": lambda: Adjusted(Team.parse(word), int(more.split()[0]), more.partition(" ")[2]),
        "muggins": lambda: PointedOut(rest),
        "close": lambda: Closed(rest),
        "undo": lambda: Undone(int(word), more),
        "amend": lambda: Amended(int(word), _of_the_game(more)),
        "insert": lambda: Inserted(int(word), _of_the_game(more)),
        "turn": lambda: Inserted(int(word), _of_the_game(more), moves_turns=True),
        "rename": lambda: Renamed(tuple(rest.split())),
        "rules": lambda: RulesChanged(tuple((field, value) for field, _, value in _settings(rest))),
    }
    if first in others:
        return others[first]()
    of_a_seat: dict[str, Callable[[], Event]] = {
        "opens": lambda: RoundOpened(first, more),
        "ends": lambda: Counted(first, Ends.parse(more)),
        "points": lambda: Scored(first, int(more)),
        "draw": lambda: Drew(first, None if more == "?" else int(more)),
        "pass": lambda: Passed(first),
    }
    return of_a_seat[word]() if word in of_a_seat else Played(first, *place(rest))


def _of_the_game(text: str) -> GameEvent:
    made = event(text)
    assert isinstance(made, GameEvent)
    return made


def _settings(text: str) -> list[tuple[str, str, str]]:
    return [word.partition("=") for word in text.split()]


def go(match: Match, *entries: str) -> Match:
    """The match after more entries, each one line; `;` parts several in one."""
    for entry in "; ".join(entries).split(";"):
        if entry.strip():
            match = apply(match, event(entry.strip()))
    return match


def start(rules: Rules, *entries: str, scores: tuple[int, ...] = ()) -> Match:
    """A new match with these entries; `scores` are given to the teams by adjustments before them."""
    given = [
        f"adjust {team} {points} carried over" for team, points in zip(rules.teams, scores, strict=False) if points
    ]
    return go(new_match(rules), *given, *entries)


def refused(match: Match, entry: str | Event) -> Fault:
    """The fault an entry is refused with; the match must be what it was before."""
    before = repr(match)
    with pytest.raises(RulesError) as caught:
        apply(match, event(entry) if isinstance(entry, str) else entry)
    assert repr(match) == before
    return caught.value.fault


def running_totals(match: Match) -> Iterator[tuple[int, ...]]:
    """The scores as the sum of all moves up to each, added up anew: nothing may be stored beside it."""
    totals = [0] * len(match.rules.teams)
    yield tuple(totals)
    for move in match.steps:
        moved = move.event
        if isinstance(moved, Played | Counted | Scored):
            totals[match.rules.team_of[moved.seat]] += move.points
        elif isinstance(moved, Adjusted):
            totals[match.rules.teams.index(moved.team)] += moved.points
        elif isinstance(moved, Settled):
            round_ = next(round_ for round_ in match.rounds if move in round_.moves)
            pairs = zip(round_.before_settlement, round_.after_settlement, strict=True)
            for index, (before, after) in enumerate(pairs):
                totals[index] += after - before
        yield tuple(totals)


def play_layout(spinners: int, random: Random, *, tiles: int = 28) -> Layout:
    """A layout laid by chance, up to this many tiles."""
    layout = Layout.empty(spinners)
    while len(layout.plays) < tiles and (places := layout.legal_places(layout.unplayed())):
        layout = layout.play(*random.choice(places))
    return layout


ALL_RULES: tuple[Rules, ...] = tuple(
    rules
    for rules in (
        *(rules_of("five-up", players) for players in (2, 3, 4)),
        *(rules_of(preset, players) for preset in ("all-fives", "muggins") for players in (2, 3, 4, 5)),
        rules_of("all-fives", 4, partners=False),
        rules_of("five-up", 2, hand="9", reserve="1"),
        rules_of("five-up", 3, hand="7", reserve="2", exact="yes"),
        rules_of("all-fives", 3, settlement="deduct-own", target_check="after-round", reserve="2"),
        rules_of("muggins", 2, points_per_five="1", target="61", exact="yes"),
    )
)
"""Every preset with every number of players, and house rules of each kind."""

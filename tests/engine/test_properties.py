"""What is always true, tried on layouts, entries and whole matches made by chance."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping, MutableMapping, MutableSequence, MutableSet
from enum import Enum
from functools import partial
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fiveup_ref.engine.course import apply, replay, stages
from fiveup_ref.engine.events import (
    Adjusted,
    Affair,
    Amended,
    Closed,
    Correction,
    Counted,
    Disputed,
    Drew,
    Event,
    GameEvent,
    Inserted,
    Noted,
    Passed,
    Played,
    Renamed,
    RoundEnded,
    RoundOpened,
    RulesChanged,
    Scored,
    Settled,
    Undone,
    from_row,
    to_row,
)
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.layout import EndKind, Layout, Place
from fiveup_ref.engine.log import last_undoable, standing
from fiveup_ref.engine.match import Match, Status
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.scoring import Ends, Left, rounded, score_of, settle
from fiveup_ref.engine.seats import SEATS, Team
from fiveup_ref.engine.tiles import DOUBLE_SIX, SET_PIPS, Tile
from tests.engine.play import ALL_RULES, new_match, play_layout, rules_of, running_totals
from tests.playout import COUNTS, MIXED, POINTS, TILES, playout


def tried(examples: int = 100) -> settings:
    """How often a property is tried; no deadline, since a machine may be busy."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def attempt(make: Callable[[], _Made]) -> _Made | None:
    """What a call gives; None where it is refused with a sentence."""
    try:
        return make()
    except RulesError as error:
        str(error)  # a field that the sentence needs and the error has not would raise KeyError
        return None


_Made = TypeVar("_Made")

TILES_OF_28 = st.sampled_from(DOUBLE_SIX)
ANY_SEAT = st.sampled_from(SEATS)
SPINNERS = st.sampled_from((0, 1, 2, 7))
RULES = st.sampled_from(ALL_RULES)
SEEDS = st.integers(0, 10**6)
LAYOUTS = st.builds(
    lambda spinners, seed, tiles: play_layout(spinners, Random(seed), tiles=tiles),
    SPINNERS,
    SEEDS,
    st.integers(0, 28),
)
ENDS = (
    st.lists(st.sampled_from([*"0123456", *(f"{pip}-{pip}" for pip in range(7))]), min_size=1, max_size=12)
    .filter(lambda words: all(words.count(word) == 1 for word in words if "-" in word))
    .map(lambda words: Ends.parse(" ".join(words)))
)
LEFT = st.one_of(st.integers(0, SET_PIPS).map(Left), st.lists(TILES_OF_28, unique=True, max_size=9).map(Left.of))
TEAMS = st.lists(ANY_SEAT, min_size=1, max_size=5, unique=True).map(lambda seats: Team(sorted(seats)))
TEXTS = st.text(max_size=210)
DRAWS = st.dictionaries(ANY_SEAT, TILES_OF_28, max_size=5).map(lambda draws: tuple(draws.items()))
GAME_EVENTS: st.SearchStrategy[GameEvent] = st.one_of(
    st.builds(
        RoundOpened, ANY_SEAT, st.sampled_from(("lot", "out", "agreed", "?")), st.lists(DRAWS, max_size=2).map(tuple)
    ),
    st.builds(Played, ANY_SEAT, TILES_OF_28, st.none() | TILES_OF_28),
    st.builds(Counted, ANY_SEAT, ENDS),
    st.builds(Scored, ANY_SEAT, st.integers(-5, 80)),
    st.builds(Drew, ANY_SEAT, st.none() | st.integers(-1, 30)),
    st.builds(Passed, ANY_SEAT),
    st.builds(RoundEnded, st.none() | ANY_SEAT),
    st.builds(Settled, st.dictionaries(ANY_SEAT, LEFT, max_size=5).map(lambda left: tuple(left.items()))),
    st.builds(Adjusted, TEAMS, st.integers(-300, 300), TEXTS),
    st.builds(Noted, TEXTS),
    st.builds(
        Disputed,
        TEXTS,
        st.integers(-1, 40),
        st.sampled_from(("", "16 raw", "3 points")),
        st.dictionaries(TEAMS, TEXTS, max_size=2).map(lambda words: tuple(words.items())),
    ),
    st.builds(Closed, TEXTS),
)
ENTRIES = st.integers(-1, 40)
CHANGES = st.dictionaries(
    st.sampled_from(("hand", "target", "spinners", "reserve", "exact", "points_per_five", "?")),
    st.sampled_from(("1", "2", "5", "7", "61", "yes", "no", "?")),
    max_size=3,
).map(lambda changes: tuple(changes.items()))
EVENTS: st.SearchStrategy[Event] = st.one_of(
    GAME_EVENTS,
    st.builds(Undone, ENTRIES, TEXTS),
    st.builds(Amended, ENTRIES, GAME_EVENTS, TEXTS),
    st.builds(Inserted, ENTRIES, GAME_EVENTS, TEXTS, st.booleans()),
    st.builds(Renamed, st.lists(st.text(max_size=41), max_size=5).map(tuple)),
    st.builds(RulesChanged, CHANGES),
)


# What is written can be read again.


@given(st.integers(0, 6), st.integers(0, 6), st.sampled_from(["{}-{}", "{}{}", "{}|{}", "{}:{}", "[{}-{}]", " {}-{} "]))
@tried()
def test_tiles_read_themselves(one: int, other: int, form: str) -> None:
    tile = Tile.parse(form.format(one, other))
    assert tile is Tile.of(one, other)
    assert Tile.parse(str(tile)) is tile


@given(TEAMS)
@tried()
def test_teams_read_themselves(team: Team) -> None:
    assert Team.parse(str(team)) == team


@given(ENDS)
@tried()
def test_ends_read_themselves(ends: Ends) -> None:
    assert Ends.parse(str(ends)) == ends
    assert sum(end.worth for end in ends.open_ends()) == ends.count()


@given(LEFT)
@tried()
def test_leftovers_read_themselves(left: Left) -> None:
    assert Left.parse(str(left)) == left


@given(LAYOUTS)
@tried()
def test_layouts_read_themselves(layout: Layout) -> None:
    assert Layout.read(str(layout), spinners=layout.spinners) == layout


@given(EVENTS)
@tried()
def test_rows_read_themselves(event: Event) -> None:
    assert from_row(json.loads(json.dumps(to_row(event)))) == event


@given(st.text(max_size=12))
@tried()
def test_any_text_is_read_or_refused(text: str) -> None:
    parsers: tuple[Callable[[str], object], ...] = (Tile.parse, Team.parse, Ends.parse, Left.parse)
    for parse in parsers:
        value = attempt(partial(parse, text))
        assert value is None or parse(str(value)) == value


# The layout, counted anew from its plays alone.


def touching(layout: Layout, tile: Tile) -> list[Tile]:
    """The tiles joined to a tile: what it was joined to, and what was joined to it."""
    joined = [onto for own, onto in layout.plays if own is tile and onto]
    return joined + [own for own, onto in layout.plays if onto is tile]


def recount(layout: Layout) -> int:
    """The count by the words of rules 2, half by half over the whole table."""
    count = 0
    for tile, _ in layout.plays:
        others = touching(layout, tile)
        if tile.is_double:
            count += tile.pips if len(others) <= 1 else 0
        else:
            count += sum(pip for pip in (tile.heavy, tile.light) if not any(other.has(pip) for other in others))
    return count


def may_join(layout: Layout, tile: Tile, onto: Tile | None) -> bool:
    """Whether a tile may be joined to another, by the words of rules 2."""
    table = [own for own, _ in layout.plays]
    if tile in table or (onto is None) != (not table):
        return False
    if onto is None:
        return True
    shared = [pip for pip in range(7) if tile.has(pip) and onto.has(pip)]
    if onto not in table or not shared:
        return False
    others = touching(layout, onto)
    if not onto.is_double:
        return not any(other.has(shared[0]) for other in others)
    spinners = [own for own in table if own.is_double][: layout.spinners]
    return len(others) < (4 if onto in spinners else 2)


@given(LAYOUTS)
@tried()
def test_the_count_is_what_a_recount_finds(layout: Layout) -> None:
    assert layout.count() == recount(layout) == sum(end.worth for end in layout.open_ends())
    assert layout.pips() == sum(tile.pips for tile, _ in layout.plays)
    doubles = [tile for tile, _ in layout.plays if tile.is_double]
    assert [tile for tile in doubles if layout.is_spinner(tile)] == doubles[: layout.spinners]
    assert [layout.touching(tile) for tile in doubles] == [len(touching(layout, tile)) for tile in doubles]


@given(LAYOUTS)
@tried(60)
def test_legal_places_are_what_play_accepts(layout: Layout) -> None:
    """All 28 × 29 pairs: what is offered, what is accepted and what the rules say are one and the same."""
    offered = set(layout.legal_places(DOUBLE_SIX))
    for tile in DOUBLE_SIX:
        for onto in (None, *DOUBLE_SIX):
            after = attempt(partial(layout.play, tile, onto))
            accepted = after is not None
            assert accepted == may_join(layout, tile, onto)
            assert accepted == (Place(tile, onto) in offered)
            if after is not None:
                assert after.plays == (*layout.plays, Place(tile, onto))
                assert after.count() == recount(after)
        assert layout.fits(tile) == any(place.tile is tile for place in offered)
    assert layout.is_dead() == (not offered)


@given(LAYOUTS)
@tried()
def test_open_ends_are_the_places_of_the_unplayed(layout: Layout) -> None:
    ends = layout.open_ends()
    assert len({(end.tile, end.pip) for end in ends}) == len(ends)
    for end in ends:
        fitting = [tile for tile in layout.unplayed() if tile.has(end.pip)]
        assert {Place(tile, end.tile) for tile in fitting} <= set(layout.legal_places(layout.unplayed()))
        assert (end.worth == 0) == (end.pip == 0 or end.kind is EndKind.TIP)
        assert 1 <= end.places <= 2


@given(SEEDS, SPINNERS)
@tried()
def test_no_count_is_beyond_the_bound(seed: int, spinners: int) -> None:
    rules = rules_of("five-up", 2, spinners=str(spinners))
    layout = Layout.empty(spinners)
    for tile, onto in play_layout(spinners, Random(seed)).plays:
        layout = layout.play(tile, onto)
        score = score_of(layout, rules)
        assert 0 <= score.count <= rules.highest_count
        assert score.raw in (0, score.count)
        assert (score.raw > 0) == (score.count > 0 and score.count % 5 == 0)
        assert rules.points(score.raw) == score.points
        assert sum(end.worth for end in score.terms) == score.count
        words = " ".join(str(end.tile if end.kind is EndKind.DOUBLE else end.pip) for end in score.terms)
        called = Ends.parse(words)
        called.check(rules)  # what lies can always be called
        assert score_of(called, rules).points == score.points


def doubles_first(spinners: int, random: Random, *, spinner_counts: bool) -> Iterator[Layout]:
    """A layout laid by chance, a double wherever one fits half of the time: many doubles, many ends."""
    layout = Layout.empty(spinners, spinner_counts=spinner_counts)
    while places := layout.legal_places(layout.unplayed()):
        doubles = [place for place in places if place.tile.is_double]
        layout = layout.play(*random.choice(doubles if doubles and random.random() < 0.5 else places))
        yield layout


@pytest.mark.parametrize(
    ("spinners", "spinner_counts"), [*((spinners, False) for spinners in range(8)), (1, True)], ids=str
)
def test_ends_that_lie_are_never_refused(spinners: int, *, spinner_counts: bool) -> None:
    """In thousands of layouts, and the bound on the ends beside doubles is met, so it cannot be lower."""
    rules = rules_of("five-up", 2, spinners=str(spinners), spinner_counts="yes" if spinner_counts else "no")
    least = 12
    for seed in range(150):
        for layout in doubles_first(spinners, Random(seed), spinner_counts=spinner_counts):
            ends = score_of(layout, rules).terms
            Ends(ends).check(rules)
            doubles = sum(end.kind is EndKind.DOUBLE for end in ends)
            least = min(least, 2 + 2 * min(spinners, 7 - doubles) - len(ends))
    assert least >= 0 if spinner_counts else least == 0


# Settlements.


@given(RULES, st.lists(st.integers(0, 80), min_size=5, max_size=5), st.integers(0, 5))
@tried()
def test_settlements(rules: Rules, pips: list[int], who: int) -> None:
    out = rules.seats[who] if who < rules.players else None
    hands = {seat: Left(number) for seat, number in zip(rules.seats, pips, strict=False) if seat != out}
    settlement = settle(hands, rules=rules, out=out)
    assert tuple(settlement.teams) == rules.teams
    assert all(points % rules.points_per_five == 0 for points in settlement.teams.values())
    assert {seat: (hand.pips, hand.rounded) for seat, hand in settlement.hands.items()} == {
        seat: (hand.pips, rounded(hand.pips)) for seat, hand in hands.items()
    }
    changes = settlement.teams.values()
    if rules.settlement.value == "deduct-own":
        assert all(change <= 0 for change in changes)
        assert sum(changes) == sum(hand.points for hand in settlement.hands.values())
    else:
        assert all(change >= 0 for change in changes)
        assert sum(changes) <= rules.points(settlement.raw)
        assert settlement.raw % 5 == 0


# Whole matches.


def matches() -> st.SearchStrategy[Match]:
    return st.builds(
        lambda rules, seed, form, talk: playout(
            seed,
            rules.players,
            rules.preset,
            changes=rules.changes(),
            partners=rules.partners if rules.players == 4 else None,
            rounds=2,
            form=form,
            talk=talk,
        ),
        RULES,
        SEEDS,
        st.sampled_from((TILES, TILES, COUNTS, POINTS, MIXED)),
        st.booleans(),
    )


@given(matches())
@tried(60)
def test_replaying_is_applying_one_by_one(match: Match) -> None:
    assert replay(*match.start, match.log) == match
    rows = [json.loads(json.dumps(to_row(event))) for event in match.log]
    assert replay(*match.start, [from_row(row) for row in rows]) == match
    assert match.fallen == ()
    assert list(running_totals(match))[-1] == match.scores
    assert len(match.steps) == len(match.log) == len(match.within)


@given(RULES, SEEDS)
@tried(40)
def test_hands_boneyard_and_table_are_28(rules: Rules, seed: int) -> None:
    partners = rules.partners if rules.players == 4 else None
    played = playout(seed, rules.players, rules.preset, changes=rules.changes(), partners=partners, rounds=2)
    match = new_match(rules)
    for event in played.log:
        match = apply(match, event)
        round_ = match.rounds[-1]
        assert sum(round_.hands) + round_.boneyard + len(round_.layout.plays) == 28
        assert min(round_.hands) >= 0
        assert round_.boneyard >= rules.reserve
        assert (0 in round_.hands) == (round_.out is not None)
        if round_.settlement is not None and round_.blocked:
            assert round_.boneyard == rules.reserve
    assert match == played


@given(matches(), st.data())
@tried(40)
def test_a_refused_entry_changes_nothing(match: Match, data: st.DataObject) -> None:
    before = repr(match)
    for event in data.draw(st.lists(EVENTS, min_size=8, max_size=20)):
        after = attempt(partial(apply, match, event))
        assert after is None or after.log == (*match.log, event)
        assert repr(match) == before
    assert match == replay(*match.start, match.log)


@given(RULES, st.lists(EVENTS, max_size=40))
@tried(80)
def test_any_entries_whatever(rules: Rules, events: list[Event]) -> None:
    """Entries by chance alone: each is taken or refused with a sentence, and what was taken replays to the same."""
    match = new_match(rules)
    for event in events:
        match = attempt(partial(apply, match, event)) or match
    assert replay(*match.start, match.log) == match
    assert list(running_totals(match))[-1] == match.scores


@given(matches())
@tried(25)
def test_undo_to_the_beginning_gives_the_new_match(match: Match) -> None:
    undone = match
    while (entry := last_undoable(undone.log)) is not None:
        undone = apply(undone, Undone(entry))
        assert undone.fallen == ()
    new = new_match(match.rules)
    assert dataclasses.replace(undone, log=(), within=()) == new
    assert len(undone.log) == 2 * len(match.log)
    assert replay(*match.start, undone.log) == undone


@given(matches(), st.data())
@tried(40)
def test_an_undo_that_is_undone_leaves_all_as_it_was(match: Match, data: st.DataObject) -> None:
    entry = data.draw(st.integers(1, len(match.log)))
    undone = apply(match, Undone(entry))
    again = apply(undone, Undone(len(undone.log)))
    assert (again.rounds, again.scores, again.preamble, again.fallen) == (
        match.rounds,
        match.scores,
        match.preamble,
        (),
    )
    assert again.status is match.status


@given(matches(), SEEDS)
@tried(60)
def test_a_correction_that_is_undone_leaves_all_as_it_was(match: Match, seed: int) -> None:
    random = Random(seed)
    for correction in corrections(match, random):
        corrected = attempt(partial(apply, match, correction))
        if corrected is not None:
            back = apply(corrected, Undone(len(corrected.log)))
            assert dataclasses.replace(back, log=match.log, within=match.within) == match
            match = random.choice((corrected, back))


def corrections(match: Match, random: Random) -> Iterator[Event]:
    """Undo, redo, correction and insertion of entries by chance; a third reaches into any round."""
    for _ in range(6):
        log = match.log
        number = random.randrange(1, len(log) + 1) if random.random() < 0.4 else max(1, len(log) - random.randrange(9))
        old = log[number - 1]
        if random.random() < 0.2:
            yield random.choice((Renamed(match.players[::-1]), RulesChanged((("hand", str(random.randrange(3, 8))),))))
        if random.random() < 0.4 or isinstance(old, Correction | Affair):
            yield Undone(number)
        elif random.random() < 0.5:
            yield Inserted(number, _forgotten(old, match, random), moves_turns=random.random() < 0.5)
        elif isinstance(old, Played):
            yield Amended(number, dataclasses.replace(old, tile=random.choice(DOUBLE_SIX)))
        elif isinstance(old, Drew):
            yield Amended(number, dataclasses.replace(old, tiles=random.randrange(1, 4)))
        elif isinstance(old, RoundOpened):
            yield Amended(number, RoundOpened(random.choice(match.rules.seats), "agreed"))
        elif isinstance(old, RoundEnded):
            yield Amended(number, RoundEnded(random.choice(match.rules.seats)))
        else:
            yield Amended(number, Passed(getattr(old, "seat", "A")))


@given(matches(), SEEDS)
@tried(15)
def test_undo_walks_back_through_corrections(match: Match, seed: int) -> None:
    """By the one button, whatever was taken out or corrected before: nothing that fell is met, and an end is reached."""
    for correction in corrections(match, Random(seed)):
        match = attempt(partial(apply, match, correction)) or match
    for _ in match.log:
        entry = last_undoable(match.log)
        if entry is None:
            break
        assert entry not in {fallen.entry for fallen in match.fallen}
        match = apply(match, Undone(entry))
    assert (match.steps, match.fallen, last_undoable(match.log)) == ((), (), None)


def _forgotten(old: Event, match: Match, random: Random) -> GameEvent:
    """Something that may well have been forgotten before an entry."""
    seat = getattr(old, "seat", random.choice(match.rules.seats))
    return random.choice(
        (
            Drew(seat, 1),
            Drew(seat, None),
            Passed(seat),
            Scored(seat, match.rules.points_per_five),
            Noted("forgotten"),
            Adjusted(match.rules.teams[0], 2, "forgotten"),
            RoundOpened(seat, "agreed"),
        )
    )


@given(matches(), SEEDS)
@tried(120)
def test_corrections_replay_to_the_same(match: Match, seed: int) -> None:
    """Corrections anywhere and play that goes on between them: folding the log is applying one by one."""
    random = Random(seed)
    for correction in corrections(match, random):
        match = attempt(partial(apply, match, correction)) or match
        for event in _going_on(match, random):
            match = attempt(partial(apply, match, event)) or match
        entered = {stands.entry for stands in standing(match.log) if not isinstance(stands.event, Affair)}
        steps, fallen = [move.entry for move in match.steps], [entry.entry for entry in match.fallen]
        assert sorted(steps + fallen) == sorted(entered)  # each entry that stands is a step or listed as fallen
        assert list(running_totals(match))[-1] == match.scores
        *_, (_, last) = stages(match)
        assert dataclasses.replace(last, log=match.log, within=match.within) == match
        for round_ in match.rounds:
            for move in round_.moves:
                if not isinstance(move.event, Noted | Adjusted | Closed):
                    inside = (match.within[move.entry - 1], move.entry)
                    assert round_.moves[0].entry in inside  # none stands in another round than its own
    assert replay(*match.start, match.log) == match


def _going_on(match: Match, random: Random) -> Iterator[Event]:
    """Up to three entries that may well come next."""
    for _ in range(random.randrange(4)):
        if match.status is Status.WON or not match.in_round:
            yield RoundOpened(random.choice(match.rules.seats), "agreed")
            return
        round_ = match.rounds[-1]
        places = round_.layout.legal_places(round_.layout.unplayed())
        if places and not round_.ended:
            yield Played(round_.turn, *random.choice(places))
        yield RoundEnded(round_.turn)
        yield Settled(tuple((seat, Left(20)) for seat in match.rules.seats if seat != round_.out))


# Everything is frozen.


def values(value: object, seen: set[int]) -> Iterator[object]:
    """A value and everything that can be reached from it."""
    if id(value) in seen or isinstance(value, str | int | Enum):
        return
    seen.add(id(value))
    yield value
    parts: list[object] = []
    if dataclasses.is_dataclass(value):
        parts += [getattr(value, field.name) for field in dataclasses.fields(value)]
    parts += [getattr(value, name) for name in getattr(type(value), "__slots__", ()) if hasattr(value, name)]
    if isinstance(value, tuple):
        parts += value
    if isinstance(value, Mapping):
        parts += [*value.keys(), *value.values()]
    for part in parts:
        yield from values(part, seen)


def test_nothing_can_be_changed() -> None:
    match = playout(3, 4, rounds=2, form=MIXED, talk=True)
    taken = playout(3, 3, "all-fives", rounds=2)
    corrected = apply(taken, Undone(2))
    assert corrected.fallen
    roots = [match, taken, corrected, corrected.fallen[0].event, match.rules, match.rules.team_of]
    found = [value for root in roots for value in values(root, set())]
    kinds = {type(value).__name__ for value in found}
    assert kinds >= {"Match", "Round", "Rules", "Layout", "Tile", "Move", "Score", "Settlement", "Left", "Fallen"}
    assert kinds >= {"Played", "Counted", "Scored", "Drew", "Noted", "Adjusted", "Team", "Ends", "OpenEnd", "Place"}
    for value in found:
        assert not isinstance(value, MutableMapping | MutableSequence | MutableSet)
        if isinstance(value, RulesError) or type(value) is tuple or isinstance(value, Mapping):
            continue  # an error is raised and carries its way through the code; nobody keeps it to compute with
        names = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
        names += [*getattr(type(value), "_fields", ()), *getattr(type(value), "__slots__", ()), "another"]
        for name in names:
            with pytest.raises((AttributeError, TypeError)):  # a frozen record with slots says TypeError for new names
                setattr(value, name, None)
            with pytest.raises((AttributeError, TypeError)):
                delattr(value, name)

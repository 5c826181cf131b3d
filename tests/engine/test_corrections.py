"""Forgotten entries put in at their place; names and rules changed for the whole match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fiveup_ref.engine.course import apply, replay, stages
from fiveup_ref.engine.events import Amended, Inserted, Passed, Scored, Undone
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.match import Known, Match, Status
from fiveup_ref.engine.record import Record, read, write
from tests.engine.play import go, new_match, refused, rules_of, start

TWO = rules_of("five-up", 2)
SHORT = rules_of("five-up", 2, hand="2")
ROUND = "A opens lot; A 5-5; B 5-0>5-5; A 6-5>5-5; B draw 2; B 6-4>6-5"  # entries 1 to 6
FIRST = "A opens lot; A 6-6; B 6-3>6-6; A 3-2>6-3; left B 0-0"  # entries 1 to 5; A goes out with the second tile
SECOND = "A opens out; A 3-3; B 6-3>3-3; A 3-1>3-3"  # entries 6 to 9


def fallen(match: Match) -> list[str]:
    """The entries that no longer stand, each with its sentence; the log replays to the same."""
    assert match == replay(*match.start, match.log)
    return [f"{entry.entry}: {entry.error}" for entry in match.fallen]


def taken_back(match: Match, before: Match) -> bool:
    """Whether an undo of the last entry gives all that was there before."""
    after = apply(match, Undone(len(match.log)))
    return (after.rounds, after.scores, after.preamble, after.fallen, after.rules, after.players, after.status) == (
        before.rounds,
        before.scores,
        before.preamble,
        before.fallen,
        before.rules,
        before.players,
        before.status,
    )


# Entries that were forgotten.


@pytest.mark.parametrize(
    ("entries", "scores", "hands", "falls"),
    [
        ("insert 3 B draw 1", (2, 2), (3, 6), []),
        ("insert 4 A draw ?", (2, 2), None, []),
        ("insert 3 B draw 1; amend 7 B draw 4", (2, 2), (3, 9), []),
        ("insert 3 B draw 1; undo 7", (2, 2), (3, 5), []),
        ("insert 3 B draw 1; insert 7 B draw 2; undo 7", (2, 2), (3, 7), []),
        ("insert 2 note tea", (2, 2), (3, 5), []),
        ("insert 1 adjust B 5 carried over", (2, 7), (3, 5), []),
        ("insert 3 B 5-4>5-5", (4, 0), (3, 4), ["3: It is A's turn, not B's."]),
        ("insert 3 B 5-4>5-5; undo 3", (4, 0), (3, 5), []),
    ],
)
def test_what_was_forgotten_stands_before_its_neighbour(
    entries: str, scores: tuple[int, int], hands: tuple[int, int] | None, falls: list[str]
) -> None:
    before = start(TWO, ROUND)
    match = go(before, entries)
    assert (match.scores, fallen(match)) == (scores, falls)
    round_ = match.rounds[-1]
    assert (round_.hands if Known.HANDS in round_.known else None) == hands
    first = go(before, entries.split(";", maxsplit=1)[0])
    assert taken_back(first, before)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("insert 2 A draw 1", Fault.MUST_SET),
        ("insert 6 B pass", Fault.MUST_DRAW),
        ("insert 3 A 5-4>5-5", Fault.NOT_ON_TURN),
        ("insert 4 A 5-0>5-5", Fault.TILE_PLAYED),
        ("insert 1 A 5-5", Fault.NO_ROUND),
        ("insert 4 A opens agreed", Fault.ROUND_OPEN),
        ("insert 7 note late", Fault.NO_SUCH_ENTRY),
    ],
)
def test_what_cannot_have_been_there_is_refused(entry: str, fault: Fault) -> None:
    assert refused(start(TWO, ROUND), entry) is fault


def test_before_an_opening_belongs_to_the_round_before() -> None:
    match = start(SHORT, FIRST, SECOND, "undo 5")
    assert fallen(match)[0] == "6: Round 1 is not settled yet."
    match = go(match, "insert 6 left B 0-0")
    assert (fallen(match), match.scores, len(match.rounds)) == ([], (0, 3), 2)
    assert [move.entry for move in match.rounds[0].moves] == [1, 2, 3, 4, 11]


def test_a_whole_round_that_was_forgotten() -> None:
    match = start(SHORT, FIRST, SECOND, "insert 6 A opens out")
    assert fallen(match)[0] == "6: Round 2 is not settled yet."
    match = go(match, "insert 6 A points 3; insert 6 out A; insert 6 left B 5 pips")
    assert (fallen(match), match.scores) == ([], (3, 2))
    assert [round_.moves[0].entry for round_ in match.rounds] == [1, 10, 6]
    assert str(match.rounds[2].layout) == "3-3 6-3>3-3 3-1>3-3"
    assert len(fallen(go(match, "undo 13"))) == 4


FOUR = rules_of("five-up", 4)
BEGUN = "A opens lot; A 5-5; B 5-0>5-5; C 6-5>5-5; D draw 1; D 6-4>6-5"  # entries 1 to 6


def seats(match: Match) -> str:
    return "".join(getattr(move.event, "seat", "") for move in match.rounds[-1].moves[1:])


@pytest.mark.parametrize(
    ("entries", "turns", "scores", "falls"),
    [
        ("turn 3 B 5-4>5-5", "ABCDAA", (2, 2), []),
        ("turn 6 D 5-3>5-5", "ABCDDA", (2, 2), []),
        ("turn 6 D 5-3>5-5; B 4-4>6-4", "ABCDDAB", (2, 2), []),  # what is entered after it knows of it
        ("turn 6 D 5-3>5-5; amend 6 A 6-0>6-5", "ABCDDA", (2, 2), []),  # and what is corrected after it
        ("amend 6 D 6-0>6-5; turn 6 D 5-3>5-5", "ABCDDA", (2, 2), []),
        ("turn 6 D 5-3>5-5; undo 7", "ABCDD", (2, 2), []),
        ("turn 6 D 5-3>5-5; turn 6 A 3-3>5-3", "ABCDDAB", (2, 4), []),  # two turns forgotten
    ],
)
def test_a_forgotten_turn_moves_those_after_it_on(
    entries: str, turns: str, scores: tuple[int, int], falls: list[str]
) -> None:
    before = start(FOUR, BEGUN)
    match = go(before, entries)
    assert (seats(match), fallen(match)) == (turns, falls)
    assert match.scores == scores
    assert taken_back(go(before, entries.split(";", maxsplit=1)[0]), before)


def test_an_opening_that_was_forgotten_opens_the_round_of_what_follows() -> None:
    match = start(SHORT, FIRST, "note tea", "insert 6 A opens out", "A 3-3", "undo 8")
    assert (fallen(match), match.opening, match.within) == ([], 7, (0, 1, 1, 1, 1, 1, 1, 7, 7))
    match = go(match, "undo 7", "A opens agreed", "A 5-5")
    assert (fallen(match), match.opening, match.scores) == ([], 11, (2, 3))


def test_a_place_in_a_round_that_has_gone_on_to_the_next() -> None:
    """What is put in counts in the round of its place and in every total after it."""
    match = start(SHORT, FIRST, SECOND, "insert 3 adjust A 5 claimed")
    assert (fallen(match), match.scores) == ([], (5, 3))
    assert [round_.after_settlement for round_ in match.rounds] == [(5, 3), ()]
    assert [entry for entry, _ in stages(match)] == [0, 1, 2, 10, 3, 4, 5, 6, 7, 8, 9]


def test_a_reason_is_kept_and_bounded() -> None:
    match = start(TWO, ROUND)
    assert apply(match, Undone(6, "x" * 480)).log[-1] == Undone(6, "x" * 480)
    for entry in (Undone(6, "x" * 481), Amended(6, Passed("B"), "x" * 481), Inserted(6, Passed("B"), "x" * 481)):
        assert refused(match, entry) is Fault.TEXT_TOO_LONG


# Names.


def test_new_names_change_nothing_else_k43() -> None:
    before = start(SHORT, FIRST, SECOND)
    match = go(before, "rename Ani Budi-S")
    assert match.players == ("Ani", "Budi-S")
    assert (match.scores, match.rounds, match.start, fallen(match)) == (before.scores, before.rounds, before.start, [])
    assert taken_back(match, before)
    again = go(match, "rename Ina Budi-S")
    assert go(again, "undo 10").players == ("Ina", "Budi-S")
    assert go(again, "undo 11").players == ("Ani", "Budi-S")


def test_seats_changed_before_the_start_k45() -> None:
    match = go(new_match(rules_of("five-up", 4)), "rename Ani Citra Budi Dewi", "A opens lot; A 5-5; B 5-0>5-5")
    partners = [[match.name(seat) for seat in team] for team in match.rules.teams]
    assert partners == [["Ani", "Budi"], ["Citra", "Dewi"]]
    assert (match.name("B"), match.scores) == ("Citra", (2, 2))


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("rename Ani", Fault.NAMES),
        ("rename Ani Budi Citra", Fault.NAMES),
        ("rename Ani " + "W" * 41, Fault.NAME_TOO_LONG),
        ("rename Ani Budi", Fault.NOTHING_CHANGED),
    ],
)
def test_names_that_cannot_be(entry: str, fault: Fault) -> None:
    assert refused(new_match(TWO), entry) is fault


# Rules.


def test_a_new_target_before_the_first_entry() -> None:
    match = go(new_match(TWO), "rules target=100 exact=yes")
    assert (match.rules.target, match.rules.exact, match.start.rules.target) == (100, True, 61)
    assert taken_back(match, new_match(TWO))


def test_a_won_match_with_a_higher_target_goes_on() -> None:
    won = start(SHORT, FIRST, "adjust A 61 carried over")
    assert won.status is Status.WON
    match = go(won, "rules target=100")
    assert (match.status, match.scores, fallen(match)) == (Status.OPEN, won.scores, [])
    assert taken_back(match, won)


def test_the_whole_match_is_counted_again() -> None:
    before = start(TWO, "A opens lot; A 5-5; B ends 5-5 5; A ends 5 5; B points 2")
    match = go(before, "rules points_per_five=5")
    assert before.scores == (4, 5)
    assert (match.scores, fallen(match)) == ((20, 25), [])
    assert taken_back(match, before)


UNITS: Sequence[tuple[str, tuple[int, int]]] = [
    ("A points 3", (3, 2)),
    ("rules points_per_five=5", (15, 10)),  # 7
    ("B points 15", (15, 25)),
    ("adjust A -5 the table says so", (10, 25)),
    ("undo 7", (2, 5)),  # 10: what was called in fives is a fifth of it again
    ("B points 1", (2, 6)),
    ("undo 10", (10, 30)),
    ("amend 6 A points 20", (15, 30)),  # entry 6 said 3 points of five raw, its correction says 20 raw
    ("rules points_per_five=1", (3, 6)),
    ("rules points_per_five=2", (6, 12)),
]


def test_points_called_are_worth_the_same_in_another_unit() -> None:
    match = start(TWO, "A opens lot; adjust B 2 carried over; note a; note b; note c")
    for entry, scores in UNITS:
        match = go(match, entry)
        assert (match.scores, fallen(match)) == (scores, [])
        assert replay(TWO, match.players, match.log) == match


def test_the_record_has_points_in_the_unit_that_stands() -> None:
    match = go(start(TWO, "A opens lot; adjust B 2 carried over; A points 3"), "rules points_per_five=5")
    text = write(Record(match, "", ""))
    assert ("adjust B +10 carried over" in text, "A points 15" in text) == (True, True)
    again = read(text).record
    assert again
    assert again.match.scores == match.scores


def test_a_correction_begins_with_the_points_of_today() -> None:
    match = go(start(TWO, "A opens lot; A points 3"), "rules points_per_five=5")
    assert match.events[2] == Scored("A", 15)


def test_what_cannot_stand_under_new_rules_is_listed() -> None:
    match = start(SHORT, FIRST, SECOND, "rules hand=3")
    assert fallen(match)[:2] == ["5: The round has not ended yet.", "6: Round 1 is not settled yet."]
    lower = start(SHORT, FIRST, SECOND, "rules target=3")
    assert (fallen(lower)[0], lower.status) == ("6: The match is over: it has been won.", Status.WON)


def test_rules_that_contradict_each_other_after_an_undo_fall() -> None:
    match = go(new_match(rules_of("five-up", 2, hand="14")), "rules hand=13; rules reserve=2")
    assert (match.rules.hand, match.rules.reserve) == (13, 2)
    match = go(match, "undo 1")
    assert (match.rules.hand, match.rules.reserve) == (14, 0)
    assert [fall.partition(":")[0] for fall in fallen(match)] == ["2"]
    assert fallen(go(match, "undo 2")) == []


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("rules hand=15", Fault.FIELD_BOUNDS),
        ("rules hand=14 reserve=1", Fault.TOO_MANY_DEALT),
        ("rules colour=red", Fault.NO_SUCH_FIELD),
        ("rules target=many", Fault.FIELD_VALUE),
        ("rules target=61", Fault.NOTHING_CHANGED),
    ],
)
def test_rules_that_cannot_be(entry: str, fault: Fault) -> None:
    assert refused(start(TWO, ROUND), entry) is fault


# What a closed match still takes, and what is written of all this.


def test_a_closed_match_takes_names_and_notes_only() -> None:
    match = start(TWO, "note hello", ROUND, "close rain")
    for entry in ("rules target=100", "insert 4 B draw 1", "amend 1 A opens lot", "undo 4", "insert 3 adjust A 2 x"):
        assert refused(match, entry) is Fault.MATCH_CLOSED
    match = go(match, "rename Ina Budi; insert 4 note it rained; undo 9")
    assert (match.players, match.status, fallen(match)) == (("Ani", "Budi"), Status.CLOSED, [])


def test_the_record_has_the_names_and_rules_as_they_stand() -> None:
    match = start(SHORT, FIRST, SECOND, "rename Ina Budi; rules target=100; insert 3 B draw 1; insert 4 A draw 2")
    text = write(Record(match))
    assert "set hand=2 target=100\n" in text
    assert "player A Ina\nplayer B Budi\n" in text
    again = read(text)
    assert again.record is not None
    assert write(again.record) == text
    assert [line for line in text.splitlines() if " draw " in line] == ["B draw 1", "A draw 2"]


def test_no_correction_of_what_is_not_there_is_replayed() -> None:
    with pytest.raises(RulesError) as caught:
        replay(TWO, ("Ani", "Budi"), [Inserted(1, Passed("A"))])
    assert caught.value.fault is Fault.NO_SUCH_ENTRY

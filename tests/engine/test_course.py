"""The course of a match: what may happen next, house rules, undo and correction (rules 3 to 6)."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.course import apply, doubt, follow, replay, trust
from fiveup_ref.engine.events import LONGEST_TEXT, Adjusted, Noted, Played, RoundOpened, Scored, Undone
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.match import Known, Match, Status
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from tests.engine.play import go, new_match, refused, rules_of, running_totals, start

TWO = rules_of("five-up", 2)
THREE = rules_of("five-up", 3)
FOUR = rules_of("five-up", 4)


def fallen(match: Match) -> list[str]:
    """The entries that no longer stand, each with its sentence."""
    assert match == replay(match.rules, match.players, match.log)
    return [f"{entry.entry}: {entry.error}" for entry in match.fallen]


# What may happen next. Entries that lead there, the next one, its fault (None: accepted).

OUT_ROUND = "A opens lot; A points 0; out A; left B 1-0"
BLOCKED_ROUND = "A opens lot; A points 0; blocked; left A 2-0 | B 1-0"

NEXT = [
    ("", "A 5-5", Fault.NO_ROUND),
    ("", "A draw 1", Fault.NO_ROUND),
    ("", "A pass", Fault.NO_ROUND),
    ("", "A points 1", Fault.NO_ROUND),
    ("", "A ends 5", Fault.NO_ROUND),
    ("", "out A", Fault.NO_ROUND),
    ("", "blocked", Fault.NO_ROUND),
    ("", "left A 1-0", Fault.NO_ROUND),
    ("", "note hello", None),
    ("", "adjust A 1 carried over", None),
    ("", "close rain", None),
    ("", "A opens lot", None),
    ("", "A opens agreed", None),
    ("", "A opens out", Fault.NO_ONE_WENT_OUT),
    ("", "A opens highest", Fault.FIELD_VALUE),
    ("", "C opens lot", Fault.NOT_A_SEAT),
    ("A opens lot", "B opens lot", Fault.ROUND_OPEN),
    ("A opens lot", "left A 1-0", Fault.ROUND_GOES_ON),
    ("A opens lot", "B 5-5", Fault.NOT_ON_TURN),
    ("A opens lot", "C 5-5", Fault.NOT_A_SEAT),
    ("A opens lot", "A draw 1", Fault.MUST_SET),
    ("A opens lot", "A pass", Fault.MUST_SET),
    ("A opens lot", "blocked", Fault.MUST_SET),
    ("A opens lot", "out A", Fault.STILL_HOLDS),
    ("A opens lot", "out C", Fault.NOT_A_SEAT),
    ("A opens lot", "A 0-0", None),
    ("A opens lot; A 5-5", "A 5-0>5-5", Fault.NOT_ON_TURN),
    ("A opens lot; A 5-5", "A draw 1", Fault.NOT_ON_TURN),
    ("A opens lot; A 5-5", "A pass", Fault.NOT_ON_TURN),
    ("A opens lot; A 5-5", "A points 1", None),
    ("A opens lot", "B points 1", None),
    ("A opens lot; A 5-5", "B draw 0", Fault.DREW_NONE),
    ("A opens lot; A 5-5", "B draw -1", Fault.DREW_NONE),
    ("A opens lot; A 5-5", "B draw 18", None),
    ("A opens lot; A 5-5", "B draw 19", Fault.BONEYARD_TOO_SMALL),
    ("A opens lot; A 5-5; B draw 18", "B draw 1", Fault.BONEYARD_EMPTY),
    ("A opens lot; A 5-5; B draw 17", "B draw 1", None),
    ("A opens lot; A 5-5; B draw 17", "B draw 2", Fault.BONEYARD_TOO_SMALL),
    ("A opens lot; A 5-5; B draw 17", "A draw 1", Fault.NOT_ON_TURN),  # who draws stays on turn
    ("A opens lot; A 5-5; B draw 17", "B pass", Fault.MUST_DRAW),
    ("A opens lot; A 5-5", "B pass", Fault.MUST_DRAW),
    ("A opens lot; A 5-5; B draw 18", "B pass", None),
    ("A opens lot; A 5-5; B draw 17", "blocked", Fault.NOT_BLOCKED),
    ("A opens lot; A 5-5; B draw 18", "blocked", Fault.CAN_PLAY),
    ("A opens lot; A 5-5; B draw 18", "out B", Fault.STILL_HOLDS),
    ("A opens lot; A 5-5; B draw ?", "B pass", None),
    ("A opens lot; A 5-5; B draw ?", "blocked", None),
    ("A opens lot; A 5-5; B draw ?", "B draw 18", None),
    ("A opens lot; A 5-5; B draw ?", "B draw 19", Fault.BONEYARD_TOO_SMALL),  # no more than were there at first
    ("A opens lot; A 5-5; B draw ?", "A 5-0>5-5", Fault.NOT_ON_TURN),
    ("A opens lot; A 5-5; B draw ?", "out B", Fault.OUT_BY_PLAYING),
    ("A opens lot; A 5-5; B draw ?", "out A", None),
    ("A opens lot; A 5-5; B ends 5-5 0", "A 5-1>5-5", Fault.LAYOUT_UNKNOWN),
    ("A opens lot; A 5-5; B points 2", "A 5-1>5-5", Fault.LAYOUT_UNKNOWN),
    ("A opens lot; A 5-5; B points 2", "B points 1", None),  # nobody is known to be on turn
    ("A opens lot; A 5-5; B points 2", "A ends 1 0", None),
    ("A opens lot; A 5-5; B points 2", "B pass", None),
    ("A opens lot; A 5-5; B points 2", "blocked", None),
    ("A opens lot; A points 1", "out B", None),
    ("A opens lot", "A points 15", None),
    ("A opens lot", "A points 16", Fault.POINTS_UNIT),
    ("A opens lot", "A points -1", Fault.POINTS_UNIT),
    ("A opens lot", "A points 0", None),
    ("A opens lot", "A ends 6 6 6 6 6 6 6", Fault.ENDS_PIP_TOO_OFTEN),
    ("A opens lot; A points 0; out A", "B points 1", Fault.ROUND_ENDED),
    ("A opens lot; A points 0; out A", "B pass", Fault.ROUND_ENDED),
    ("A opens lot; A points 0; out A", "out B", Fault.ROUND_ENDED),
    ("A opens lot; A points 0; out A", "blocked", Fault.ROUND_ENDED),
    ("A opens lot; A points 0; out A", "A opens out", Fault.ROUND_OPEN),
    ("A opens lot; A points 0; out A", "note hello", None),
    (OUT_ROUND, "left B 1-0", Fault.ROUND_SETTLED),
    (OUT_ROUND, "B points 1", Fault.ROUND_SETTLED),
    (OUT_ROUND, "blocked", Fault.ROUND_SETTLED),
    (OUT_ROUND, "A opens out", None),
    (OUT_ROUND, "B opens out", Fault.OUT_OPENS),
    (OUT_ROUND, "A opens lot", Fault.OUT_OPENS),
    (OUT_ROUND, "B opens lot", Fault.OUT_OPENS),
    (OUT_ROUND, "B opens agreed", None),
    (BLOCKED_ROUND, "A opens out", Fault.NO_ONE_WENT_OUT),
    (BLOCKED_ROUND, "B opens lot", None),
    ("close rain", "A opens lot", Fault.MATCH_CLOSED),
    ("close rain", "adjust A 1 late", Fault.MATCH_CLOSED),
    ("close rain", "close again", Fault.MATCH_CLOSED),
    ("close rain", "note hello", None),
    ("adjust A 61 carried over", "A opens lot", Fault.MATCH_WON),
    ("adjust A 61 carried over", "close rain", Fault.MATCH_WON),
    ("adjust A 61 carried over", "note hello", None),
    ("adjust A 61 carried over", "adjust A -1 wrong", None),
    ("", "adjust C 1 nobody", Fault.NOT_A_TEAM),
    ("", "adjust A+B 1 no pair", Fault.NOT_A_TEAM),
    ("", "adjust A 0 nothing", Fault.ADJUSTED_BY_ZERO),
    ("", "adjust A 10001 much", Fault.NUMBER_BOUNDS),
    ("", "adjust A -10001 much", Fault.NUMBER_BOUNDS),
    ("", "adjust A 10000 much", None),
    ("", "adjust A -10000 much", None),
    ("", "adjust A 1", Fault.REASON_MISSING),
    ("", "close", Fault.REASON_MISSING),
    ("", "undo 1", Fault.NO_SUCH_ENTRY),
    ("note hello", "amend 1 A 5-5", Fault.NO_ROUND),
    ("note hello", "amend 1 note good day", None),
]


@pytest.mark.parametrize(("entries", "entry", "fault"), NEXT)
def test_what_may_happen_next(entries: str, entry: str, fault: Fault | None) -> None:
    match = start(TWO, entries)
    if fault is not None:
        assert refused(match, entry) is fault
        return
    after = go(match, entry)
    assert len(after.log) == len(after.within) == len(match.log) + 1
    assert fallen(after) == []


def test_a_round_is_opened_in_one_of_three_ways() -> None:
    with pytest.raises(RulesError, match=r"^highest is not a value of by\.$"):
        go(new_match(TWO), "A opens highest")


@pytest.mark.parametrize(("text", "fault"), [("x", None), ("x" * LONGEST_TEXT, None), (" \n", Fault.REASON_MISSING)])
def test_texts(text: str, fault: Fault | None) -> None:
    for entry in (Noted(text), Adjusted(Team(("A",)), 1, text)):
        if fault is None:
            assert apply(new_match(TWO), entry).log == (entry,)
        else:
            assert refused(new_match(TWO), entry) is fault
    assert refused(new_match(TWO), Noted("x" * (LONGEST_TEXT + 1))) is Fault.TEXT_TOO_LONG


@pytest.mark.parametrize(
    ("preset", "fields", "most", "step"),
    [
        ("five-up", {}, 15, 1),
        ("all-fives", {}, 35, 5),
        ("muggins", {}, 20, 5),
        ("all-fives", {"points_per_five": "1"}, 7, 1),
        ("five-up", {"points_per_five": "2"}, 30, 2),
    ],
)
def test_points_that_can_be_called(preset: str, fields: dict[str, str], most: int, step: int) -> None:
    """The bounds of rules 8, in the unit of the match."""
    match = start(rules_of(preset).changed(fields), "A opens lot")
    accepted = []
    for points in range(-step, most + 3 * step):
        if points in range(0, most + 1, step):
            accepted.append(apply(match, Scored("A", points)).scores[0])
        else:
            assert refused(match, Scored("A", points)) is Fault.POINTS_UNIT
    assert accepted == list(range(0, most + 1, step))


def test_the_lot_must_be_the_opener() -> None:
    lots = (
        (("A", Tile.of(6, 3)), ("B", Tile.of(5, 4)), ("C", Tile.of(0, 0))),
        (("A", Tile.of(1, 0)), ("B", Tile.of(6, 6))),
    )
    match = new_match(THREE)
    assert apply(match, RoundOpened("B", "lot", lots)).rounds[-1].turn == "B"
    assert refused(match, RoundOpened("A", "lot", lots)) is Fault.LOT_WRONG
    assert refused(match, RoundOpened("A", "lot", lots[:1])) is Fault.LOT_UNDECIDED


# Turns, draws and passes.


def test_turns_go_clockwise_and_hands_are_counted() -> None:
    match = start(FOUR, "C opens lot; C 5-5; D draw 2; D 5-0>5-5; A 5-1>5-5")
    round_ = match.rounds[-1]
    assert (round_.turn, round_.hands, round_.boneyard, round_.scored) == ("B", (4, 5, 4, 6), 6, (2, 2))
    assert match.scores == (2, 2)
    assert [move.points for move in round_.moves] == [0, 2, 0, 2, 0]
    assert [move.score.count if move.score else None for move in round_.moves] == [None, 10, None, 10, 1]


@pytest.mark.parametrize(
    ("fields", "players", "drawable"),
    [
        ({}, 2, 18),
        ({"reserve": "1"}, 2, 17),
        ({"reserve": "2"}, 2, 16),
        ({"reserve": "2"}, 3, 11),
        ({"reserve": "2", "hand": "13"}, 2, 0),
        ({"hand": "9"}, 3, 1),
    ],
)
def test_a_reserve_is_never_drawn(fields: dict[str, str], players: int, drawable: int) -> None:
    """Passing begins when only the reserve is left (rules 4)."""
    match = start(rules_of("five-up", players).changed(fields), "A opens lot; A 5-5")
    if drawable:
        assert refused(match, "B pass") is Fault.MUST_DRAW
        assert refused(match, f"B draw {drawable + 1}") is Fault.BONEYARD_TOO_SMALL
        match = go(match, f"B draw {drawable}")
    assert refused(match, "B draw 1") is Fault.BONEYARD_EMPTY
    assert go(match, "B pass").rounds[-1].passes == 1


def test_the_round_is_blocked_when_all_have_passed() -> None:
    match = start(FOUR, "A opens lot; A 6-6; B draw 8; B pass; C pass; D pass")
    assert (match.rounds[-1].ended, match.rounds[-1].passes, match.rounds[-1].turn) == (False, 3, "A")
    match = go(match, "A 6-0>6-6; B pass; C pass; D pass")
    assert (match.rounds[-1].ended, match.rounds[-1].passes) == (False, 3)  # a placement begins the row anew
    match = go(match, "A pass")
    assert (match.rounds[-1].blocked, match.rounds[-1].out, match.scores) == (True, None, (0, 0))
    assert refused(match, "B 6-1>6-6") is Fault.ROUND_ENDED


def test_passes_that_leave_somebody_out_block_nothing() -> None:
    """Where not every turn is entered, only passes of all in turn prove a blocked round."""
    match = start(THREE, "A opens lot; A points 0; B pass; A pass; C pass")
    assert (match.rounds[-1].passes, match.rounds[-1].ended) == (1, False)
    match = go(match, "A pass; B pass")
    assert (match.rounds[-1].passes, match.rounds[-1].blocked) == (3, True)


def test_a_block_can_be_declared_unless_somebody_can_play() -> None:
    """Only the reserve is left: the layout shows whether all tiles that fit can be in it."""
    rules = rules_of("muggins", 2, hand="13", reserve="2")
    match = start(rules, "A opens lot; A 6-3; B 3-0>6-3; A 6-0>6-3; B 5-0>6-0; A 5-1>5-0; B 1-0>5-1")
    layout = match.rounds[-1].layout
    assert [str(tile) for tile in layout.unplayed() if layout.fits(tile)] == ["0-0", "2-0", "4-0"]
    assert refused(match, "blocked") is Fault.CAN_PLAY
    match = go(match, "A 0-0>1-0")
    layout = match.rounds[-1].layout
    assert [str(tile) for tile in layout.unplayed() if layout.fits(tile)] == ["2-0", "4-0"]
    assert go(match, "blocked").rounds[-1].blocked
    assert go(match, "B pass; A pass").rounds[-1].blocked  # each says for himself that nothing fits


DEAD = "A 0-0; B 1-0>0-0; A 3-1>1-0; B 3-0>3-1; A 2-0>0-0; B 4-2>2-0; A 4-0>4-2; B 5-0>3-0; A 6-5>5-0; B 6-0>6-5"


def test_a_dead_layout() -> None:
    """By the text the boneyard is drawn; with the house rule the round may be ended at once (rules 6)."""
    usual = start(rules_of("muggins", 2), "A opens lot", DEAD)
    assert usual.rounds[-1].layout.is_dead()
    assert refused(usual, "blocked") is Fault.NOT_BLOCKED
    assert go(usual, "A draw 10; A pass; B pass").rounds[-1].blocked
    house = start(rules_of("muggins", 2, stop_when_dead="yes"), "A opens lot", DEAD)
    assert go(house, "blocked").rounds[-1].blocked
    assert refused(start(house.rules, "A opens lot; A 0-0"), "blocked") is Fault.NOT_BLOCKED
    assert refused(house, "A pass") is Fault.MUST_DRAW  # a dead layout is declared, not passed over
    unknown = doubt(house, Known.LAYOUT)
    assert refused(unknown, "blocked") is Fault.NOT_BLOCKED


# House rules on scores.


def test_an_exact_target_in_play() -> None:
    rules = rules_of("five-up", 2, exact="yes")
    match = start(rules, "A opens lot; A 5-5; B 5-0>5-5", scores=(60, 59))
    assert (match.scores, match.rounds[-1].scored) == ((60, 61), (0, 2))
    assert [(move.points, move.unscored) for move in match.rounds[-1].moves] == [(0, 0), (0, 2), (2, 0)]
    match = go(match, "A points 1; B points 3")
    assert (match.scores, match.rounds[-1].scored) == ((61, 61), (1, 2))
    assert (match.rounds[-1].moves[-1].points, match.rounds[-1].moves[-1].unscored) == (0, 3)
    match = go(match, "out A; left B 20 pips")
    assert (match.scores, match.status, str(match.winner)) == ((61, 57), Status.WON, "A")


def test_an_exact_target_at_the_settlement() -> None:
    """A gain that overshoots is dropped, a deduction never is."""
    rules = rules_of("all-fives", 2, exact="yes", target_check="after-round")
    match = start(rules, "A opens lot; A points 0; out A; left B 13 pips", scores=(240, 0))
    assert (match.scores, match.status) == ((240, 0), Status.OPEN)
    assert (match.rounds[-1].moves[-1].points, match.rounds[-1].moves[-1].unscored) == (0, 15)
    match = go(match, "A opens out; A points 5; B points 10; out A; left B 6 pips")
    assert (match.scores, match.status) == ((250, 10), Status.WON)
    assert (match.rounds[-1].moves[-1].points, match.rounds[-1].moves[-1].unscored) == (5, 0)


def test_deduct_own_in_all_fives() -> None:
    rules = rules_of("all-fives", 3, settlement="deduct-own", target_check="after-round")
    match = start(rules, "A opens lot; A 5-5; B points 5; out A; left B 7 pips | C 8 pips")
    assert match.scores == (10, 0, -10)


def test_only_the_settlement_of_a_whole_round() -> None:
    match = start(FOUR, "A opens lot; A points 3; out A")
    assert refused(match, "left B 3 pips | C 2 pips") is Fault.LEFT_MISSING
    after = go(match, "left D 3 pips | C 2 pips | B 3 pips")
    assert (after.scores, after.rounds[-1].before_settlement, after.rounds[-1].after_settlement) == (
        (3, -2),
        (3, 0),
        (3, -2),
    )
    assert [seat for seat, _ in after.rounds[-1].left] == ["B", "C", "D"]
    assert after.rounds[-1].moves[-1].points == -2


def test_five_singly_to_the_end() -> None:
    rules = rules_of("all-fives", 5)
    match = start(rules, "E opens lot; E points 35; A points 0; B points 0; C points 0; D points 5; out D")
    match = go(match, "left A 6 pips | B 6 pips | C 6 pips | E 30 pips; D opens out")
    assert (match.scores, match.rounds[-1].turn) == ((0, 0, 0, 55, 35), "D")
    assert go(match, "D 5-5; E 5-0>5-5; A 5-1>5-5").rounds[-1].turn == "B"


def test_won_at_once_ends_the_round_in_its_middle() -> None:
    match = start(rules_of("all-fives", 2), "A opens lot; A 5-5", scores=(240, 0))
    assert (match.status, str(match.winner)) == (Status.WON, "A")
    for entry in ("B 5-0>5-5", "B draw 1", "B pass", "blocked", "out A", "left B 1-0", "B opens lot", "close rain"):
        assert refused(match, entry) is Fault.MATCH_WON
    assert go(match, "adjust A -10 not agreed; B 5-0>5-5").scores == (240, 10)


# Undo.

ROUND = "A opens lot; A 5-5; B 5-0>5-5; A 6-5>5-5; B draw 2; B 6-4>6-5"  # entries 1 to 6


@pytest.mark.parametrize(
    ("entries", "scores", "layout", "turn"),
    [
        ("", (2, 2), "5-5 5-0>5-5 6-5>5-5 6-4>6-5", "A"),
        ("undo 6", (2, 2), "5-5 5-0>5-5 6-5>5-5", "B"),
        ("undo 6; undo 7", (2, 2), "5-5 5-0>5-5 6-5>5-5 6-4>6-5", "A"),  # redo
        ("undo 6; undo 7; undo 8", (2, 2), "5-5 5-0>5-5 6-5>5-5", "B"),
        ("undo 6; undo 5; undo 4; undo 3", (2, 0), "5-5", "B"),
        ("undo 6; undo 5; undo 4; undo 3; undo 10", (2, 2), "5-5 5-0>5-5", "A"),
        ("undo 6; undo 5; undo 4; undo 3; undo 2", (0, 0), "", "A"),
        ("undo 6; B 6-1>6-5", (2, 2), "5-5 5-0>5-5 6-5>5-5 6-1>6-5", "A"),
    ],
)
def test_undo(entries: str, scores: tuple[int, int], layout: str, turn: str) -> None:
    match = start(TWO, ROUND, entries)
    assert (match.scores, str(match.rounds[-1].layout), match.rounds[-1].turn) == (scores, layout, turn)
    assert fallen(match) == []
    assert len(match.log) == 6 + len([entry for entry in entries.split(";") if entry])  # nothing is ever deleted


def test_undo_of_all_gives_the_new_match_but_for_the_log() -> None:
    match = start(TWO, ROUND, *(f"undo {entry}" for entry in range(6, 0, -1)))
    new = new_match(TWO)
    assert (match.rounds, match.scores, match.preamble, match.fallen) == (new.rounds, new.scores, (), ())
    assert len(match.log) == 12


def test_undo_in_the_middle_lists_what_no_longer_stands() -> None:
    match = start(TWO, ROUND, "undo 3")
    assert fallen(match) == [
        "4: It is B's turn, not A's.",
        "6: 6-5 is not on the table, so 6-4 cannot be joined to it.",
    ]
    assert match.scores == (2, 0)  # still right up to there
    assert fallen(go(match, "undo 7")) == []
    match = start(TWO, ROUND, "undo 4")
    assert fallen(match) == [
        "5: It is A's turn, not B's.",
        "6: It is A's turn, not B's.",
    ]


# Correction.


@pytest.mark.parametrize(
    ("entries", "scores", "layout"),
    [
        ("amend 3 B 5-4>5-5", (4, 0), "5-5 5-4>5-5 6-5>5-5 6-4>6-5"),
        ("amend 3 B 5-4>5-5; amend 3 B 5-3>5-5", (2, 0), "5-5 5-3>5-5 6-5>5-5 6-4>6-5"),
        ("amend 3 B 5-4>5-5; undo 7", (2, 2), "5-5 5-0>5-5 6-5>5-5 6-4>6-5"),  # undo of a correction
        ("amend 3 B 5-4>5-5; undo 7; undo 8", (4, 0), "5-5 5-4>5-5 6-5>5-5 6-4>6-5"),
        ("amend 6 B 6-6>6-5", (2, 2), "5-5 5-0>5-5 6-5>5-5 6-6>6-5"),
        ("amend 5 B draw 3", (2, 2), "5-5 5-0>5-5 6-5>5-5 6-4>6-5"),
        ("amend 1 A opens agreed", (2, 2), "5-5 5-0>5-5 6-5>5-5 6-4>6-5"),
    ],
)
def test_a_correction_keeps_later_entries(entries: str, scores: tuple[int, int], layout: str) -> None:
    match = start(TWO, ROUND, entries)
    assert (match.scores, str(match.rounds[-1].layout)) == (scores, layout)
    assert fallen(match) == []
    for move in match.steps:
        assert move.entry <= 6  # each stands at its own place


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("amend 3 B 5-5>5-5", Fault.TILE_PLAYED),
        ("amend 3 A 5-0>5-5", Fault.NOT_ON_TURN),
        ("amend 3 B 4-3>5-5", Fault.NO_FIT),
        ("amend 2 A 6-4>5-5", Fault.NOTHING_LIES),
        ("amend 5 B draw 19", Fault.BONEYARD_TOO_SMALL),
        ("amend 5 B pass", Fault.MUST_DRAW),
        ("amend 1 A opens out", Fault.NO_ONE_WENT_OUT),
        ("amend 7 B pass", Fault.NO_SUCH_ENTRY),
    ],
)
def test_a_correction_that_cannot_be(entry: str, fault: Fault) -> None:
    assert refused(start(TWO, ROUND), entry) is fault


def test_a_correction_lists_what_no_longer_fits() -> None:
    """Two later tiles fall, one for the number it lost and one for the tile; the others are kept."""
    entries = "A opens lot; A 6-6; B 6-3>6-6; A 6-1>6-6; B 3-2>6-3; A 1-1>6-1; B 5-2>3-2; A 6-2>6-6"
    match = start(TWO, entries, "amend 3 B 6-4>6-6")
    assert fallen(match) == [
        "5: 6-3 is not on the table, so 3-2 cannot be joined to it.",
        "7: 3-2 is not on the table, so 5-2 cannot be joined to it.",
    ]
    assert str(match.rounds[-1].layout) == "6-6 6-4>6-6 6-1>6-6 1-1>6-1 6-2>6-6"
    assert match.rounds[-1].hands == (1, 2)  # a tile that fell left the hand all the same
    again = go(match, "amend 5 B 4-2>6-4", "amend 7 B 5-2>4-2")
    assert fallen(again) == []
    assert str(again.rounds[-1].layout) == "6-6 6-4>6-6 6-1>6-6 4-2>6-4 1-1>6-1 5-2>4-2 6-2>6-6"


def test_the_last_tile_of_a_hand_may_fall_and_the_round_has_ended() -> None:
    short = rules_of("five-up", 2, hand="2")
    match = start(short, "A opens lot; A 6-6; B 6-3>6-6; A 3-2>6-3; left B 1-0; A opens out; A 5-5")
    assert match.rounds[0].out == "A"
    match = go(match, "amend 3 B 6-4>6-6")
    assert fallen(match) == ["4: 6-3 is not on the table, so 3-2 cannot be joined to it."]
    assert (match.rounds[0].out, match.rounds[0].settlement is not None, len(match.rounds)) == ("A", True, 2)
    assert match.scores == (2, 0)


def test_a_fallen_pass_passes_the_turn() -> None:
    rules = rules_of("five-up", 3, hand="9")
    match = start(rules, "A opens lot; A 6-6; B draw 1; B pass; C 6-3>6-6; amend 3 B 6-5>6-6")
    assert fallen(match) == ["4: It is C's turn, not B's."]
    assert str(match.rounds[-1].layout) == "6-6 6-5>6-6 6-3>6-6"
    match = start(rules, "A opens lot; A 6-6; B draw 1; B pass; C 6-3>6-6; undo 3")
    assert fallen(match) == [f"4: {Fault.MUST_DRAW.format(boneyard=1)}"]
    assert str(match.rounds[-1].layout) == "6-6 6-3>6-6"


def test_fallen_counts_leave_nothing_known() -> None:
    match = start(TWO, "A opens lot; A 5-5; B ends 5-5 0; A points 1; B pass; undo 2")
    assert fallen(match) == ["3: It is A's turn, not B's."]
    assert (match.rounds[-1].known, match.scores) == (Known.NOTHING, (1, 0))

    match = start(TWO, "A opens lot; A 5-5; B ends 5-5 0; undo 2")
    assert (match.rounds[-1].known, match.rounds[-1].turn, match.rounds[-1].hands) == (Known.NOTHING, "A", (5, 5))
    match = start(THREE, "A opens lot; A 5-5; B 5-0>5-5; C ends 5-5 0; undo 3")
    assert (match.rounds[-1].known, match.rounds[-1].turn) == (Known.NOTHING, "A")


def test_a_fallen_placement_begins_the_row_of_passes_anew() -> None:
    rules = rules_of("five-up", 3, hand="9")
    entries = "A opens lot; A 6-6; B 6-5>6-6; C 5-1>6-5; A draw 1; A pass; B pass; C 2-1>5-1; A pass; B pass"
    match = start(rules, entries, "amend 4 C 5-3>6-5")
    assert fallen(match) == ["8: 5-1 is not on the table, so 2-1 cannot be joined to it."]
    assert (match.rounds[-1].passes, match.rounds[-1].ended, match.rounds[-1].out) == (2, False, None)
    counted = "A opens lot; A 6-6; B draw 1; B pass; C pass; A ends 6-6 1; B pass; C pass; undo 5"
    match = start(rules, counted)
    assert [entry.entry for entry in match.fallen] == [6]
    assert (match.rounds[-1].passes, match.rounds[-1].ended, match.rounds[-1].out) == (2, False, None)


def test_draws_somebody_counted_after_one_that_nobody_did() -> None:
    match = start(TWO, "A opens lot; A 5-5; B draw 5; B draw ?; B draw 18")
    assert match.rounds[-1].known == Known.LAYOUT | Known.TURN


def test_notes_and_adjustments_stay_where_they_were_entered() -> None:
    match = start(TWO, "note a; A opens lot; note b; A 5-5; adjust B 1 found; close rain; note c")
    assert [move.entry for move in match.preamble] == [1]
    assert [move.entry for move in match.rounds[0].moves] == [2, 3, 4, 5, 6, 7]
    assert [move.entry for move in match.steps] == [1, 2, 3, 4, 5, 6, 7]


def test_entries_fall_with_a_seat_that_is_not_there() -> None:
    """A log of another number of players, as no form can send it, is still folded to its end."""
    events = start(THREE, "A opens lot; A 5-5; B 5-0>5-5; C 5-1>5-5; A 6-5>5-5").log
    match = replay(TWO, ("Ani", "Budi"), events)
    assert [(entry.entry, entry.error.fault) for entry in match.fallen] == [(4, Fault.NOT_A_SEAT)]
    assert match.scores == (2, 2)


# Undo and correction that reach into an earlier round.

FIRST = "A opens lot; A 6-6; B 6-3>6-6; A 3-2>6-3"  # A goes out with the second tile
SECOND = "left B 0-0; A opens out; A 3-3; B 6-3>3-3; A 3-1>3-3"
SHORT = rules_of("five-up", 2, hand="2")


def test_no_entry_slips_into_another_round() -> None:
    """The last tile of round 1 is taken back: round 2 is set aside whole, though 3-3>… could go on in round 1."""
    match = start(SHORT, FIRST, SECOND, "undo 4")
    assert (match.scores, match.rounds[-1].number, str(match.rounds[-1].layout)) == ((0, 3), 1, "6-6 6-3>6-6")
    assert fallen(match) == [
        "5: The round has not ended yet.",
        "6: Round 1 is not settled yet.",
        "7: The round this was entered in is not open here any more.",
        "8: The round this was entered in is not open here any more.",
        "9: The round this was entered in is not open here any more.",
    ]
    back = go(match, "undo 10")
    assert (back.rounds, back.scores, fallen(back)) == (start(SHORT, FIRST, SECOND).rounds, (0, 3), [])


@pytest.mark.parametrize(
    ("taken", "entry", "number"),
    [
        ("undo 4", "A 6-5>6-6", 1),
        ("undo 4", "A draw 1", 1),
        ("undo 4", "A points 2", 1),
        ("undo 4", "A ends 6-6 3", 1),
        ("undo 5", "left B 0-0", 1),
        ("undo 6", "A opens out", 2),
        ("undo 1", "B opens lot", 1),
    ],
)
def test_nothing_of_a_round_goes_behind_entries_that_wait(taken: str, entry: str, number: int) -> None:
    """It would strand them for ever; what is put in before them brings them back."""
    match = start(SHORT, FIRST, SECOND, taken)
    assert match.mending == number
    assert refused(match, entry) is Fault.LATER_WAIT
    beside = go(match, "note tea; adjust A 5 carried over; rename Budi Ani; close rain")
    assert (beside.closed, beside.fallen[0].entry) == (True, match.fallen[0].entry)
    back = go(match, "undo 10")
    assert (back.mending, back.rounds) == (0, start(SHORT, FIRST, SECOND).rounds)


def test_a_log_that_went_on_behind_entries_that_wait_is_still_read() -> None:
    """Earlier versions took that."""
    match = start(SHORT, FIRST, SECOND, "undo 4")
    log = (*match.log, Played("A", Tile.of(6, 5), Tile.of(6, 6)))
    went_on = replay(match.rules, match.players, log)
    assert (went_on.rounds[-1].out, len(went_on.fallen)) == ("A", 5)
    assert follow(match, log[-1]) == went_on


def test_a_settlement_alone_does_not_keep_a_round_from_going_on() -> None:
    match = start(SHORT, FIRST, "left B 0-0; undo 4")
    assert (match.mending, len(match.fallen)) == (0, 1)
    assert go(match, "A 6-5>6-6; undo 5; left B 0-0").scores == (0, 3)


def test_undo_of_an_opening_sets_its_round_aside() -> None:
    match = start(SHORT, FIRST, SECOND, "undo 6")
    assert len(match.rounds) == 1
    assert [entry.partition(":")[0] for entry in fallen(match)] == ["7", "8", "9"]
    assert [str(entry.error) for entry in match.fallen] == [str(Fault.OTHER_ROUND)] * 3
    match = go(match, "undo 7; undo 8; undo 9; A opens out; A 1-1")  # the whole round again
    assert (fallen(match), str(match.rounds[-1].layout)) == ([], "1-1")


def test_an_opening_can_be_brought_back() -> None:
    match = start(SHORT, FIRST, "left B 0-0; A opens out; undo 6; undo 7; A 5-5")
    assert fallen(match) == []
    assert (match.opening, match.scores) == (6, (2, 3))


def test_a_log_may_not_refer_to_nothing() -> None:
    match = start(TWO, ROUND)
    for entry, fault in ((Undone(0), Fault.NO_SUCH_ENTRY), (Undone(7), Fault.NO_SUCH_ENTRY)):
        with pytest.raises(RulesError) as caught:
            replay(match.rules, match.players, (*match.log, entry))
        assert caught.value.fault is fault


def test_a_correction_of_an_opening_keeps_its_round() -> None:
    match = start(SHORT, FIRST, SECOND, "amend 6 A opens agreed")
    assert fallen(match) == []
    assert (match.rounds[-1].by, match.opening, len(match.rounds[-1].moves)) == ("agreed", 6, 4)


def test_who_went_out_is_corrected_and_the_next_opening_with_it() -> None:
    points = "A opens lot; A points 2; out A; left B 5 pips; A opens out; A points 3; B points 1"
    match = start(TWO, points, "amend 3 out B")
    assert fallen(match) == [
        "4: Enter what A has left.",
        "5: Round 1 is not settled yet.",
        "6: The round this was entered in is not open here any more.",
        "7: The round this was entered in is not open here any more.",
    ]
    match = go(match, "amend 4 left A 5 pips")
    assert fallen(match)[0] == "5: B went out and opens this round."
    match = go(match, "amend 5 A opens agreed")
    assert (fallen(match), match.scores) == ([], (4, 1))


def test_undo_in_an_open_round_after_a_correction_of_another() -> None:
    """Replaying takes the short way for corrections within the open round; it must come to the same."""
    match = start(SHORT, FIRST, SECOND)
    for entry in ("amend 5 left B 1-0", "undo 8", "undo 11", "amend 8 B 3-2>3-3", "undo 10", "undo 6", "undo 15"):
        match = go(match, entry)
        assert replay(match.rules, match.players, match.log) == match
    assert fallen(match) == []
    assert str(match.rounds[-1].layout) == "3-3 3-2>3-3 3-1>3-3"


def test_a_play_corrected_into_an_opening_opens_a_round() -> None:
    match = start(SHORT, FIRST, "left B 0-0; note here; amend 6 A opens out; A 5-5; undo 8; undo 7; undo 10")
    assert match == replay(match.rules, match.players, match.log)
    assert (match.opening, len(match.rounds)) == (6, 2)


def test_undo_of_the_first_opening() -> None:
    match = start(SHORT, FIRST, "undo 1")
    assert [str(entry.error) for entry in match.fallen] == [str(Fault.OTHER_ROUND)] * 3
    match = go(match, "undo 2; undo 3; undo 4; B opens lot; B 5-5")
    assert (match.scores, match.opening, match.fallen) == ((0, 2), 9, ())


def test_what_comes_after_a_win_falls() -> None:
    rules = rules_of("all-fives", 2)
    match = start(rules, "adjust A 239 carried over; A opens lot; A 5-5; B 5-0>5-5; A 5-1>5-5; B draw 2; note hello")
    match = go(match, "amend 1 adjust A 240 carried over")
    won = "The match is over: it has been won."
    assert fallen(match) == [f"4: {won}", f"5: {won}", f"6: {won}"]
    assert (match.status, match.scores) == (Status.WON, (250, 0))
    assert (match.rounds[-1].turn, match.rounds[-1].hands) == ("B", (8, 9))  # as it lay when it was won


# A closed match.


def test_a_closed_match_is_first_opened_again() -> None:
    match = start(TWO, ROUND, "close rain")
    assert refused(match, "undo 3") is Fault.MATCH_CLOSED
    assert refused(match, "amend 3 B 5-4>5-5") is Fault.MATCH_CLOSED
    assert refused(match, "amend 7 close snow") is Fault.MATCH_CLOSED
    match = go(match, "note good evening; amend 8 note good night; undo 8")  # notes are no part of the score
    match = go(match, "undo 7")
    assert (match.status, match.closed) == (Status.OPEN, False)
    match = go(match, "amend 3 B 5-4>5-5; undo 11")
    assert (match.status, match.scores, fallen(match)) == (Status.CLOSED, (4, 0), [])
    assert go(match, "undo 13").status is Status.OPEN


# Less is known than was entered.


def test_doubt_and_trust() -> None:
    match = start(TWO, "A opens lot; A 5-5")
    doubted = doubt(match, Known.TURN)
    assert doubted.rounds[-1].known == Known.LAYOUT | Known.HANDS
    assert go(doubted, "A 5-0>5-5").rounds[-1].turn == "B"
    trusted = trust(doubted, "A")
    assert (trusted.rounds[-1].known, trusted.rounds[-1].turn) == (Known.ALL, "A")
    assert refused(trusted, "B 5-0>5-5") is Fault.NOT_ON_TURN
    assert doubt(match, Known.ALL).rounds[-1].known == Known.NOTHING


def test_counts_then_points_keep_the_last_known_layout() -> None:
    match = start(TWO, "A opens lot; A 5-5; B ends 5-5 0; A ends 0 1")
    assert match.rounds[-1].layout == Layout.read("5-5", spinners=7)
    assert match.scores == (2, 2)
    assert [str(move.score) for move in match.rounds[-1].moves[1:]] == [
        "5-5 10 = 10: 2 points",
        "5-5 10 + 0 = 10: 2 points",
        "0 + 1 = 1: no score",
    ]


def test_scores_are_the_sum_of_the_moves() -> None:
    match = start(FOUR, "adjust A+C 3 carried over; A opens lot; A 5-5; B points 2; C ends 5 5; D points 0")
    match = go(match, "out D; left A 3 pips | B 8 pips | C 2 pips; adjust B+D -1 wrong; D opens out; D 6-4")
    assert list(running_totals(match))[-1] == match.scores == (6, 1)
    assert match.rounds[0].scored == (4, 2)

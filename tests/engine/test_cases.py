"""Cases met in the wild, by their number: the rules cases R01 to R64, and K and S where they touch the engine."""

from __future__ import annotations

import json

import pytest

from fiveup_ref.engine.course import apply, replay
from fiveup_ref.engine.events import Adjusted, Played, RoundOpened, Settled, from_row, to_row
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import EndKind, Layout
from fiveup_ref.engine.match import Match, Status
from fiveup_ref.engine.rules import PRESETS, Settling
from fiveup_ref.engine.scoring import Ends, Left, rounded, score_of, settle
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from tests.engine.play import go, left, new_match, refused, rules_of, running_totals, start

FIVE_UP = {players: rules_of("five-up", players) for players in (2, 3, 4)}
ALL_FIVES = {players: rules_of("all-fives", players) for players in (2, 3, 4)}


# 1A Counting the open ends, spinners and branches.

COUNTS = [
    ("R01", "five-up", "5-5 5-3>5-5 5-4>5-5 6-3>5-3 4-4>5-4 6-5>5-5", "10 13 7 10 14 20", "2 0 0 2 0 4"),
    ("R02", "five-up", "1-1 6-1>1-1 5-1>1-1 4-1>1-1", "2 8 11 15", "0 0 0 3"),
    ("R04", "five-up", "6-4 4-4>6-4", "10 14", "2 0"),
    ("R05", "all-fives", "5-3 5-5>5-3 5-1>5-5", "8 13 4", "0 0 0"),
    ("R05", "five-up", "5-3 5-5>5-3 5-1>5-5", "8 13 4", "0 0 0"),
    ("R05", "muggins", "5-3 5-5>5-3 5-1>5-5", "8 13 4", "0 0 0"),
    ("R08", "five-up", "5-5 5-2>5-5", "10 12", "2 0"),
    ("R10", "all-fives", "6-4 4-4>6-4 4-1>4-4 4-3>4-4", "10 14 7 10", "10 0 0 10"),
    ("R11", "five-up", "5-5 5-0>5-5", "10 10", "2 2"),
    ("R13", "five-up", "6-6 6-3>6-6", "12 15", "0 3"),
    ("R16", "five-up", "6-3", "9", "0"),
    ("R16", "five-up", "6-6", "12", "0"),
    ("R16", "five-up", "0-0", "0", "0"),
    ("R46", "five-up", "2-1", "3", "0"),
    (
        "R59",
        "five-up",
        "4-3 5-3>4-3 4-2>4-3 2-2>4-2 2-0>2-2 0-0>2-0 3-0>0-0 6-3>3-0 6-4>6-3 4-4>6-4 4-0>4-4 6-0>4-0 5-4>5-3 6-6>6-0",
        "7 9 7 9 5 5 8 11 9 13 5 11 10 16",
        "0 0 0 0 1 1 0 0 0 0 1 0 2 0",
    ),
    ("R62", "five-up", "2-1 1-1>2-1", "3 4", "0 0"),
]


@pytest.mark.parametrize(
    ("preset", "plays", "counts", "points"),
    [case[1:] for case in COUNTS],
    ids=[f"{number} {case[0]}" for number, case in enumerate(COUNTS)],
)
def test_counts(preset: str, plays: str, counts: str, points: str) -> None:
    rules = rules_of(preset)
    layout = Layout.empty(rules.spinners)
    scores = []
    for play in plays.split():
        layout = Layout.read(f"{layout} {play}", spinners=rules.spinners)
        scores.append(score_of(layout, rules))
    assert [score.count for score in scores] == [int(count) for count in counts.split()]
    assert [score.points for score in scores] == [int(point) for point in points.split()]


def test_r02_both_branches_are_offered_after_the_third_tile() -> None:
    layout = Layout.read("1-1 6-1>1-1 5-1>1-1", spinners=7)
    (tip,) = (end for end in layout.open_ends() if end.kind is EndKind.TIP)
    assert (tip.tile, tip.places, tip.worth) == (Tile.of(1, 1), 2, 0)
    assert [str(onto) for _, onto in layout.legal_places([Tile.of(4, 1)])] == ["1-1"]


def test_r04_every_counted_end_is_named() -> None:
    score = score_of(Layout.read("6-4 4-4>6-4", spinners=7), FIVE_UP[2])
    assert [(str(end.tile), end.worth) for end in score.terms] == [("6-4", 6), ("4-4", 8)]
    assert str(score) == "6 + 4-4 8 = 14: no score"


def test_r07_a_covered_end_is_gone() -> None:
    layout = Layout.read("6-6 6-3>6-6 6-4>6-6", spinners=7)
    ends = [(str(end.tile), end.pip, end.kind.value, end.places) for end in layout.open_ends()]
    assert ends == [("6-6", 6, "tip", 2), ("6-3", 3, "half", 1), ("6-4", 4, "half", 1)]
    for tile, onto in (("6-5", "6-3"), ("6-5", "6-4"), ("6-1", "6-4")):  # the sixes that joined are covered
        with pytest.raises(RulesError) as caught:
            layout.play(Tile.parse(tile), Tile.parse(onto))
        assert caught.value.fault is Fault.END_COVERED
    assert str(layout) == "6-6 6-3>6-6 6-4>6-6"


@pytest.mark.parametrize("double", range(7))
def test_r08_one_place_on_a_lone_double(double: int) -> None:
    layout = Layout.empty(7).play(Tile.of(double, double))
    fitting = [tile for tile in DOUBLE_SIX if tile.has(double) and not tile.is_double]
    assert len(layout.open_ends()) == 1
    assert len(layout.legal_places(fitting)) == len(fitting) == 6


def test_r10_a_new_round_has_its_own_spinner() -> None:
    """The first double of each round is its spinner in All Fives; any is in Five Up."""
    first = "A opens lot; A 2-2; B points 0; out A; left B 1-0; A opens out"
    second = "A 6-4; B 4-4>6-4; A 4-1>4-4; B 4-3>4-4; A 1-1>4-1; B 2-1>1-1"
    match = start(ALL_FIVES[2], first, second)
    spinners = [str(tile) for tile in DOUBLE_SIX if match.rounds[-1].layout.is_spinner(tile)]
    assert spinners == ["4-4"]
    assert match.rounds[-1].moves[4].points == 10  # 6 + 1 + 3
    assert refused(match, "A 5-1>1-1") is Fault.DOUBLE_FULL
    five_up = go(start(FIVE_UP[2], first, second), "A 5-1>1-1")
    assert [str(tile) for tile in DOUBLE_SIX if five_up.rounds[-1].layout.is_spinner(tile)] == ["1-1", "4-4"]


def test_r11_the_end_of_the_round_follows_the_rules_not_the_page() -> None:
    match = start(FIVE_UP[2], "A opens lot; A 5-5; B 5-0>5-5; A points 0; out A; left B 13 pips")
    assert match.scores == (2, -1)  # a deduction, nothing for the winner


def test_r13_one_placement_is_one_turn() -> None:
    match = start(FIVE_UP[2], "A opens lot; A 6-6")
    assert refused(match, "A 6-3>6-6") is Fault.NOT_ON_TURN
    assert go(match, "B 6-3>6-6").scores == (0, 3)


def test_r14_undo_follows_the_order_of_play() -> None:
    match = start(FIVE_UP[2], "A opens lot; A 6-4; B 4-1>6-4; A 6-3>6-4; undo 4")
    layout = match.rounds[-1].layout
    assert (str(layout), layout.count(), match.rounds[-1].turn) == ("6-4 4-1>6-4", 7, "A")


@pytest.mark.parametrize(("raw", "points"), [("6 3", 0), ("6-6", 0), ("6-6 3", 3), ("0 0", 0)])
def test_r16_only_fives_score(raw: str, points: int) -> None:
    assert score_of(Ends.parse(raw), FIVE_UP[2]).points == points


def test_r17_unit_and_target_are_the_matchs_own() -> None:
    raw, shown = new_match(ALL_FIVES[2]), new_match(FIVE_UP[2])
    for match in (raw, shown, raw):
        played = go(match, "A opens lot; A 6-4")
        assert played.scores == ((10, 0) if match is raw else (2, 0))
        assert go(match, f"adjust A {match.rules.target - 1} carried over").status is Status.OPEN
        assert go(match, f"adjust A {match.rules.target} carried over").status is Status.WON
    assert [match.rules.target for match in (raw, shown)] == [250, 61]


# 1B Drawing, passing, blocked rounds.


def test_r19_blocked_needs_an_empty_boneyard() -> None:
    match = start(ALL_FIVES[2], "A opens lot; A 6-6")
    assert match.rounds[-1].boneyard == 10
    with pytest.raises(RulesError) as caught:
        go(match, "blocked")
    assert (caught.value.fault, caught.value.fields) == (Fault.NOT_BLOCKED, {"boneyard": 10})
    drawn = go(match, "B draw 10; B pass; A pass")
    assert (drawn.rounds[-1].boneyard, drawn.rounds[-1].blocked) == (0, True)


BLANKS = "A 1-0; B 6-0>1-0; A 6-1>6-0; B 1-1>1-0; A 2-1>1-1; B 2-0>2-1; A 0-0>2-0; B 3-0>0-0; A 3-1>3-0"


def test_r20_a_pass_of_one_does_not_block() -> None:
    """The only open number is 1 and Budi holds 4-1 or 5-1: after Ani's pass he is on turn."""
    match = start(rules_of("muggins", 2, hand="14"), "A opens lot", BLANKS, "B pass")
    layout = match.rounds[-1].layout
    assert {end.pip for end in layout.open_ends()} == {1}
    assert [str(tile) for tile in layout.unplayed() if layout.fits(tile)] == ["4-1", "5-1"]
    assert (match.rounds[-1].turn, match.rounds[-1].ended) == ("A", False)
    assert refused(match, "blocked") is Fault.CAN_PLAY  # everything is dealt, so somebody holds them
    after = go(match, "A 4-1>6-1; B 5-4>4-1; A 5-1>5-4")
    assert {end.pip for end in after.rounds[-1].layout.open_ends()} == {1}
    assert go(after, "B pass; A pass").rounds[-1].blocked
    assert go(after, "blocked").rounds[-1].blocked


def test_r22_passes_right_after_the_opening() -> None:
    match = start(rules_of("five-up", 4, hand="7"), "A opens lot; A 6-6; B pass; C pass")
    round_ = match.rounds[-1]
    assert (round_.turn, round_.ended, match.scores) == ("D", False, (0, 0))
    assert [(type(move.event).__name__, move.points) for move in round_.moves[1:]] == [
        ("Played", 0),
        ("Passed", 0),
        ("Passed", 0),
    ]


def test_r23_a_new_round_starts_fresh() -> None:
    match = start(FIVE_UP[4], "A opens lot; A 6-6; B draw 8; B pass; C pass; D pass; A pass")
    assert match.rounds[-1].blocked
    match = go(match, settle_text(match), "C opens lot; C 6-6")
    round_ = match.rounds[-1]
    assert (round_.passes, round_.boneyard, round_.hands, len(round_.layout.plays)) == (0, 8, (5, 5, 4, 5), 1)
    assert refused(match, "D pass") is Fault.MUST_DRAW
    match = go(match, "D draw 8; D pass")
    assert (match.rounds[-1].blocked, match.rounds[-1].turn) == (False, "A")


def settle_text(match: Match) -> str:
    """Some tiles for every hand of a round that is blocked, as many as each holds."""
    round_ = match.rounds[-1]
    unplayed = list(round_.layout.unplayed())
    hands = []
    for seat, held in zip(match.rules.seats, round_.hands, strict=True):
        hands.append(f"{seat} " + " ".join(str(unplayed.pop()) for _ in range(held)))
    return "left " + " | ".join(hands)


def test_r25_r44_blocked_with_equal_hands() -> None:
    match = start(FIVE_UP[4], "A opens lot; A points 0; blocked; left A 7 pips | B 7 pips | C 7 pips | D 7 pips")
    settlement = match.rounds[-1].settlement
    assert settlement is not None
    assert [hand.points for hand in settlement.hands.values()] == [-1] * 4
    assert (match.scores, match.status, match.winner, match.next_opener) == ((-2, -2), Status.OPEN, None, None)
    assert refused(match, "A opens out") is Fault.NO_ONE_WENT_OUT
    for seat in "ABCD":
        assert go(match, f"{seat} opens lot").rounds[-1].opener == seat


def test_r26_a_settled_round_keeps_its_result() -> None:
    match = start(FIVE_UP[2], "A opens lot; A points 3; blocked; left A 7 pips | B 7 pips")
    settled = match.rounds[0]
    later = go(match, "B opens lot; B 5-5; A 5-0>5-5; adjust A 5 found")
    assert later.rounds[0] == settled
    assert (settled.left, settled.before_settlement, settled.after_settlement) == (
        left("A 7 pips | B 7 pips"),
        (3, 0),
        (2, -1),
    )


# 1C End of round: leftovers, rounding, sides.


@pytest.mark.parametrize("blocked", [True, False], ids=["blocked", "out"])
@pytest.mark.parametrize(
    ("pips", "cost"),
    [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1), (7, 1), (8, 2), (12, 2), (13, 3), (22, 4), (23, 5), (42, 8)],
)
def test_r28_what_leftovers_cost(pips: int, cost: int, *, blocked: bool) -> None:
    end = f"blocked; left A 0 pips | B {pips} pips" if blocked else f"out A; left B {pips} pips"
    match = start(FIVE_UP[2], "A opens lot; A points 0", end)
    assert match.scores == (0, -cost)


@pytest.mark.parametrize(
    ("one", "other", "change"), [(3, 3, -2), (8, 8, -4), (7, 7, -2), (2, 2, 0), (1, 2, 0), (0, 3, -1)]
)
def test_r29_partners_are_rounded_apart(one: int, other: int, change: int) -> None:
    hands = {"A": Left(one), "B": Left(0), "C": Left(other), "D": Left(0)}
    assert list(settle(hands, rules=FIVE_UP[4], out=None).teams.values()) == [change, 0]


def test_r31_nobody_moves_after_the_last_tile() -> None:
    match = start(rules_of("five-up", 4, hand="1"), "A opens lot; A 5-5")
    assert (match.rounds[-1].out, match.rounds[-1].ended) == ("A", True)
    assert refused(match, "B 5-0>5-5") is Fault.ROUND_ENDED
    assert refused(match, "left A 5-5 | B 6-6 | C 6-5 | D 6-4") is Fault.LEFT_OF_OUT
    assert refused(match, "left B 6-6 | C 6-5") is Fault.LEFT_MISSING
    after = go(match, "left B 6-6 | C 6-5 | D 6-4")
    assert (after.scores, len(after.log)) == ((0, -4), 3)


def test_r32_a_match_keeps_the_rules_it_was_played_by() -> None:
    rules = rules_of("five-up", 2, settlement="winner-takes")
    match = start(rules, "A opens lot; A points 0; out A; left B 13 pips")
    rows = json.loads(json.dumps([to_row(event) for event in match.log]))
    stored = PRESETS[rules.preset].rules(rules.players).changed(json.loads(json.dumps(rules.changes())))
    again = replay(stored, match.players, [from_row(row) for row in rows])
    assert again == match
    assert (again.scores, again.rules.settlement) == ((3, 0), Settling.WINNER_TAKES)


def test_r34_an_edit_of_leftovers_reaches_every_later_total() -> None:
    entries = "A opens lot; A points 2; out A; left B 12 pips; A opens out; A points 3; out A; left B 2 pips"
    match = start(FIVE_UP[2], entries, scores=(57, 0))
    assert (match.scores, match.status) == ((62, -2), Status.WON)
    edited = go(match, "amend 5 left B 13 pips")
    assert edited.scores == (62, -3)
    assert [round_.after_settlement for round_ in edited.rounds] == [(59, -3), (62, -3)]
    assert edited.rounds[1].before_settlement == (62, -3)
    assert go(edited, "amend 3 A points 0").status is Status.OPEN


@pytest.mark.parametrize(
    ("hands", "fault"),
    [
        ("A 0-0 | B 1-0", Fault.LEFT_ON_TABLE),
        ("A 1-0 | B 3-5", Fault.LEFT_ON_TABLE),
        ("A 1-0 | B 0-1", Fault.LEFT_TWICE),
    ],
)
def test_r35_a_tile_exists_once(hands: str, fault: Fault) -> None:
    match = start(FIVE_UP[2], "A opens lot; A 0-0; B 5-0>0-0; A 5-3>5-0; B points 0; blocked")
    assert refused(match, Settled(left(hands))) is fault
    assert len(set(DOUBLE_SIX)) == 28


def test_r35_nor_can_it_be_played_twice() -> None:
    match = start(FIVE_UP[2], "A opens lot; A 0-0")
    assert refused(match, "B 0-0>0-0") is Fault.TILE_PLAYED
    assert refused(match, "B 0-0") is Fault.TILE_PLAYED


def test_r37_r38_the_last_tile_scores_before_the_settlement() -> None:
    match = start(rules_of("five-up", 2, hand="1"), "A opens lot; A 6-4")
    assert (match.scores, match.rounds[-1].out, match.rounds[-1].ended) == ((2, 0), "A", True)
    match = go(match, "left B 5-4")
    assert (match.scores, match.rounds[-1].before_settlement) == ((2, -2), (2, 0))
    fifteen = start(rules_of("five-up", 2, hand="1"), "B opens lot; B 6-6; left A 6-3")
    assert (fifteen.scores, fifteen.next_opener) == ((-2, 0), "B")


def test_r40_nobody_is_skipped() -> None:
    match = start(FIVE_UP[4], "C opens lot; C points 0; blocked; left A 3 pips | B 3 pips | C 3 pips | D 3 pips")
    assert match.scores == (-2, -2)


@pytest.mark.parametrize(
    ("preset", "boneyards"), [("five-up", {2: 18, 3: 13, 4: 8}), ("all-fives", {2: 10, 3: 7, 4: 8, 5: 3})]
)
def test_r41_the_boneyard(preset: str, boneyards: dict[int, int]) -> None:
    for players, boneyard in boneyards.items():
        match = start(rules_of(preset, players), "A opens lot")
        assert match.rounds[-1].boneyard == boneyard
        assert sum(match.rounds[-1].hands) + boneyard == 28


# 1D Who opens.


def test_r43_the_tied_of_an_earlier_round_are_forgotten() -> None:
    lots = (
        (("A", Tile.of(6, 3)), ("B", Tile.of(5, 4)), ("C", Tile.of(1, 0)), ("D", Tile.of(0, 0))),
        (("A", Tile.of(1, 0)), ("B", Tile.of(6, 6))),
    )
    blocked = "A opens lot; A points 0; blocked; left A 7 pips | B 7 pips | C 7 pips | D 7 pips"
    match = start(FIVE_UP[4], blocked)
    assert refused(match, RoundOpened("B", "lot", lots[1:])) is Fault.LOT_UNDECIDED  # all four draw first
    match = apply(match, RoundOpened("B", "lot", lots))
    match = go(match, "B points 0; out B; left A 7 pips | C 7 pips | D 7 pips")
    assert match.next_opener == "B"
    assert refused(match, RoundOpened("B", "lot", lots)) is Fault.OUT_OPENS
    assert go(match, "B opens out").rounds[-1].turn == "B"


@pytest.mark.parametrize("tile", DOUBLE_SIX, ids=str)
def test_r46_the_opener_may_set_any_tile(tile: Tile) -> None:
    match = apply(start(FIVE_UP[2], "A opens lot"), Played("A", tile))
    assert match.scores[0] == (tile.pips // 5 if tile.pips % 5 == 0 else 0)


def test_r47_only_the_opener_plays_first() -> None:
    match = start(FIVE_UP[4], "C opens lot")
    for seat in "ABD":
        assert refused(match, f"{seat} 5-5") is Fault.NOT_ON_TURN
    assert go(match, "C 5-5").rounds[-1].turn == "D"


# 1E Reaching 61, ties, winner.


def test_r49_reached_in_play_and_lost_again() -> None:
    match = start(FIVE_UP[2], "A opens lot; A points 3", scores=(60, 55))
    assert (match.scores, match.status, match.winner) == ((63, 55), Status.REACHED, None)
    match = go(match, "out B; left A 13 pips")
    assert (match.scores, match.status, match.winner) == ((60, 55), Status.FELL_BACK, None)
    assert go(match, "B opens out").status is Status.OPEN


def test_r50_equal_leaders_play_on() -> None:
    hands = "left B 0 pips | C 0 pips"
    match = start(FIVE_UP[3], "A opens lot; A points 5; B points 5; C points 5; out A", hands, scores=(58, 58, 56))
    assert (match.scores, match.status, match.winner) == ((63, 63, 61), Status.TIE, None)
    match = go(match, "A opens out; A points 1; B points 3; C points 9; out A; left B 0 pips | C 0 pips")
    assert (match.scores, match.status, str(match.winner)) == ((64, 66, 70), Status.WON, "C")


@pytest.mark.parametrize(
    ("scores", "status", "leaders"),
    [
        ((62, 62), Status.TIE, "A B"),  # R52
        ((58, 58), Status.OPEN, "A B"),  # R53
        ((61, 61, 40), Status.TIE, "A B"),  # R53
        ((61, 61, 61), Status.TIE, "A B C"),
        ((61, 62, 62), Status.TIE, "B C"),
        ((62, 61, 61), Status.WON, "A"),
        ((61, 60), Status.WON, "A"),
        ((60, 60, 61), Status.WON, "C"),
    ],
)
def test_r52_r53_ties(scores: tuple[int, ...], status: Status, leaders: str) -> None:
    match = start(FIVE_UP[len(scores)], scores=scores)
    assert (match.status, " ".join(map(str, match.leaders))) == (status, leaders)
    assert str(match.winner or "") == (leaders if status is Status.WON else "")


def test_r52_a_tie_of_four_singly() -> None:
    match = start(rules_of("all-fives", 4, partners=False), scores=(200, 200, 200, 200))
    assert (match.status, len(match.leaders)) == (Status.TIE, 4)


def test_r55_one_total_decides() -> None:
    match = start(FIVE_UP[2], "A opens lot; A points 2", scores=(59, 0))
    assert (match.scores[0], match.status) == (61, Status.REACHED)
    match = go(match, "out B; left A 8 pips")
    assert (match.scores[0], match.status, match.rounds[-1].before_settlement[0]) == (59, Status.FELL_BACK, 61)


def test_r56_points_after_the_target_count() -> None:
    match = start(FIVE_UP[2], "A opens lot; A points 2; B points 4; A points 4", scores=(60, 60))
    assert (match.scores, match.status) == ((66, 64), Status.REACHED)
    assert str(go(match, "out A; left B 0 pips").winner) == "A"


# 1F Public game files.

R59 = (
    "B opens lot; B 4-3; A 5-3>4-3; B draw 1; B 4-2>4-3; A 2-2>4-2; B 2-0>2-2; A 0-0>2-0; B 3-0>0-0; A 6-3>3-0; "
    "B 6-4>6-3; A 4-4>6-4; B 4-0>4-4; A 6-0>4-0"
)


def test_r59_going_out_is_not_winning() -> None:
    match = start(rules_of("five-up", 2, hand="7"), R59)
    layout = match.rounds[-1].layout
    flagged = [f"{tile}>{onto}" for tile, onto in layout.legal_places([Tile.of(1, 0), Tile.of(3, 1)])]
    assert flagged == ["1-0>0-0"]  # the draw was not allowed: a tip of 0-0 was open
    without = Layout.read(str(layout), spinners=0)
    assert not without.legal_places([Tile.of(1, 0), Tile.of(3, 1)])
    match = go(match, "B draw 2; B 5-4>5-3; A 6-6>6-0")
    assert (match.rounds[-1].out, match.rounds[-1].hands, match.scores) == ("A", (0, 3), (1, 4))
    match = go(match, "left B 1-0 3-1 2-1")
    assert (match.scores, [str(team) for team in match.leaders]) == ((1, 2), ["B"])


def test_r61_three_doubles_inside_the_line() -> None:
    line = "5-4 6-4>5-4 6-6>6-4 6-0>6-6 0-0>6-0 3-0>0-0 3-3>3-0 6-3>3-3 6-1>6-3 2-1>6-1 3-2>2-1 3-1>3-2 4-1>3-1"
    layout = Layout.read(line, spinners=7)
    assert layout.count() == 9
    tips = [(str(end.tile), end.places, end.worth) for end in layout.open_ends() if end.kind is EndKind.TIP]
    assert tips == [("6-6", 2, 0), ("0-0", 2, 0), ("3-3", 2, 0)]
    rules = rules_of("five-up", 2, target="120", hand="9")
    plays = [f"{'AB'[turn % 2]} {play}" for turn, play in enumerate(line.split())]
    match = start(rules, "A opens lot", *plays)
    match = go(match, *level(match, (119, 119)), "B 5-1>5-4")
    assert (match.scores, match.status, match.winner) == ((119, 120), Status.REACHED, None)
    assert match.rounds[-1].moves[-1].score == score_of(Layout.read(f"{line} 5-1>5-4", spinners=7), rules)
    match = go(match, "A points 1; out B; left A 2 pips")
    assert (match.scores, match.status, match.winner) == ((120, 120), Status.TIE, None)


def level(match: Match, scores: tuple[int, ...]) -> list[str]:
    """Adjustments that bring the match to these scores."""
    pairs = zip(match.rules.teams, match.scores, scores, strict=True)
    return [f"adjust {team} {after - now} as saved" for team, now, after in pairs if now != after]


def test_r62_the_last_tile_of_a_long_line() -> None:
    match = start(rules_of("five-up", 2, hand="2"), "B opens lot; B 2-1; A draw 1; A 1-1>2-1; B draw 1; B points 0")
    assert match.rounds[-1].moves[3].score == score_of(Layout.read("2-1\t1-1>2-1 ", spinners=7), match.rules)
    match = go(match, "out A; left B 0-1 3-4")
    assert match.scores == (0, -2)


@pytest.mark.parametrize(("text", "tile"), [("7-8", "7-8"), ("[9|9]", "9-9"), ("0:7", "0-7"), ("86", "8-6")])
def test_r64_double_six_only(text: str, tile: str) -> None:
    with pytest.raises(RulesError, match=f"^There is no tile {tile}\\. The set goes from 0-0 to 6-6\\.$"):
        Tile.parse(text)


# Undo and correction (K), at the level of the engine.


def test_k01_the_deciding_entry_can_be_corrected_after_the_end() -> None:
    match = start(FIVE_UP[2], "A opens lot; A points 0; B points 4; out A; left B 3 pips", scores=(0, 58))
    assert (match.scores, match.status, str(match.winner)) == ((0, 61), Status.WON, "B")
    corrected = go(match, "amend 6 left B 23 pips")
    assert (corrected.scores, corrected.status, corrected.winner) == ((0, 57), Status.FELL_BACK, None)
    assert len(corrected.log) == len(match.log) + 1  # the step is logged
    assert go(corrected, "A opens out").status is Status.OPEN


def test_k04_no_stored_total_differs_from_the_sum_of_its_rows() -> None:
    rounds = "A opens {by}; A points 1; out A; left B {pips} pips"
    match = start(FIVE_UP[2], *(rounds.format(by="out" if n else "lot", pips=12) for n in range(5)))
    assert match.scores == (5, -10)
    edited = go(match, "amend 8 left B 3 pips")
    assert [round_.after_settlement[1] for round_ in edited.rounds] == [-2, -3, -5, -7, -9]
    assert [round_.before_settlement[1] for round_ in edited.rounds] == [0, -2, -3, -5, -7]
    assert list(running_totals(edited))[-1] == edited.scores == (5, -9)


def test_k07_a_correction_keeps_what_comes_after() -> None:
    plays = "6-6 6-3>6-6 6-2>6-6 3-3>6-3 2-2>6-2 6-5>6-6 3-1>3-3 2-1>2-2 5-5>6-5 6-1>6-6 5-0>5-5 4-2>2-2"
    entries = [f"{'AB'[turn % 2]} {play}" for turn, play in enumerate(plays.split())]
    match = start(rules_of("five-up", 2, hand="9"), "A opens lot", *entries)
    corrected = go(match, "amend 3 B 6-4>6-6")
    assert [f"{fallen.entry} {fallen.error}" for fallen in corrected.fallen] == [
        "5 6-3 is not on the table, so 3-3 cannot be joined to it.",
        "8 3-3 is not on the table, so 3-1 cannot be joined to it.",
    ]
    assert len(corrected.rounds[-1].layout.plays) == 10
    assert len(corrected.log) == len(match.log) + 1
    assert go(corrected, f"undo {len(corrected.log)}").rounds == match.rounds


def test_k09_points_leave_the_round_they_were_made_in() -> None:
    short = rules_of("five-up", 2, hand="2")
    match = start(short, "A opens lot; A 6-6; B 6-1>6-6; A 6-4>6-6; left B 1-0; A opens out; A 1-1; B 6-1>1-1")
    assert [round_.scored for round_ in match.rounds] == [(1, 0), (0, 0)]
    undone = go(match, "undo 4")
    assert [round_.scored for round_ in undone.rounds] == [(0, 0)]
    assert undone.scores == (0, 0)
    amended = go(match, "amend 4 A 6-5>6-6")
    assert [round_.scored for round_ in amended.rounds] == [(0, 0), (0, 0)]
    assert amended.fallen == ()


def test_k24_an_open_round_is_not_settled_by_leaving() -> None:
    match = start(FIVE_UP[2], "A opens lot; A 5-5; B draw 1; B 5-0>5-5")
    again = replay(match.rules, match.players, match.log)
    assert again == match
    assert (again.scores, again.in_round, again.rounds[-1].settlement) == ((2, 2), True, None)


def test_k57_nobody_has_scored() -> None:
    match = start(FIVE_UP[2], "A opens lot; A 0-0; B points 0; blocked; left A 1-0 | B 2-0")
    assert (match.scores, match.status, match.leaders) == ((0, 0), Status.OPEN, match.rules.teams)
    assert sum(move.points for move in match.steps) == 0


def test_k58_a_negative_score_is_negative() -> None:
    match = start(FIVE_UP[2], "A opens lot; A points 0; out B; left A 23 pips")
    assert match.scores == (-5, 0)
    assert [str(team) for team in match.leaders] == ["B"]
    assert sorted(match.scores) == [-5, 0]
    assert isinstance(match.scores[0], int)


@pytest.mark.parametrize("pips", range(169))
def test_s26_rounding_in_whole_numbers(pips: int) -> None:
    assert rounded(pips) // 5 == (pips + 2) // 5
    settlement = settle({"B": Left(pips)}, rules=FIVE_UP[2], out="A")
    assert settlement.hands["B"].points == -((pips + 2) // 5)


def test_an_adjustment_is_named_and_never_hidden() -> None:
    """K06: no hidden offsets; what moved a score is an entry with a reason."""
    match = start(FIVE_UP[2], "adjust A 3 carried over")
    assert match.preamble[0].event == Adjusted(match.rules.teams[0], 3, "carried over")
    assert refused(match, "adjust A 3") is Fault.REASON_MISSING

"""House rules beyond the sources: off unless the table wants them, and read and written like any other."""

from __future__ import annotations

from random import Random

import pytest

from fiveup_ref.drawing.steps import steps
from fiveup_ref.engine.claims import rule_on_count
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import EndKind, Layout, Place
from fiveup_ref.engine.match import Status
from fiveup_ref.engine.record import Record, read, write
from fiveup_ref.engine.rules import PRESETS, Advice, Rules, advice
from fiveup_ref.engine.scoring import Ends, score_of
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from tests.engine.play import go, new_match, refused, rules_of, start

BEYOND = {"get_in": "10", "double_opens": "yes", "muggins_call": "yes", "false_claim": "5", "best_of": "3"}
SNIFF = {"spinners": "1", "spinner_counts": "yes"}


@pytest.mark.parametrize("game", PRESETS)
def test_they_are_off(game: str) -> None:
    rules = rules_of(game)
    assert not BEYOND.keys() & rules.row().keys()
    assert Rules(**rules.row()) == rules
    assert rules.changed(BEYOND).changes() == BEYOND
    assert BEYOND.keys() <= rules.changed(BEYOND).row().keys()


# To get in


@pytest.mark.parametrize(
    ("game", "unit", "five", "ten"),
    [("five-up", {}, 1, 2), ("all-fives", {}, 5, 10), ("muggins", {"points_per_five": "3"}, 3, 6)],
)
def test_ten_to_get_in(game: str, unit: dict[str, str], five: int, ten: int) -> None:
    """Less than ten raw scores nothing until a score of ten or more; then everything counts, for that side alone."""
    match = start(rules_of(game, 2, get_in="10").changed(unit), "A opens lot")
    match = go(
        match, f"A points {five}; B points {ten}; A points {five}; B points {five}; A points {ten}; A points {five}"
    )
    moves = [(move.points, move.unscored, move.too_low) for move in match.rounds[-1].moves[1:]]
    assert moves == [
        *((0, five, True), (ten, 0, False), (0, five, True)),
        *((five, 0, False), (ten, 0, False), (five, 0, False)),
    ]
    assert match.scores == match.rounds[-1].scored == (ten + five, ten + five)
    assert match.got_in == (True, True)


def test_partners_get_in_together() -> None:
    match = start(rules_of("five-up", 4, get_in="15"), "A opens lot; A points 3; C points 1; B points 2; D points 1")
    assert match.scores == (4, 0)
    assert match.got_in == (True, False)


def test_a_settlement_is_applied_and_lets_nobody_in() -> None:
    match = start(rules_of("all-fives", 2, get_in="10"), "A opens lot; A points 5; out A; left B 6-6")
    assert (match.scores, match.got_in) == ((10, 0), (False, False))
    assert go(match, "A opens out; A points 5; B points 10").scores == (10, 10)
    deducted = start(rules_of("five-up", 2, get_in="10"), "A opens lot; A points 1; out A; left B 6-6")
    assert deducted.scores == (0, -2)


def test_what_would_overshoot_an_exact_target_lets_nobody_in() -> None:
    match = start(
        rules_of("five-up", 2, get_in="10", exact="yes"), "A opens lot; A points 2; B points 2", scores=(60, 0)
    )
    assert (match.scores, match.got_in) == ((60, 2), (False, True))
    assert [(move.unscored, move.too_low) for move in match.rounds[-1].moves[1:]] == [(2, False), (0, False)]


def test_getting_in_is_folded_again_after_an_undo() -> None:
    match = start(rules_of("five-up", 2, get_in="10"), "A opens lot; A points 2; B points 0; A points 1")
    assert match.scores == (3, 0)
    assert go(match, "undo 2").scores == (0, 0)


# The highest double opens


def test_the_highest_double_opens_where_a_lot_would() -> None:
    rules = rules_of("five-up", 2, double_opens="yes")
    assert refused(new_match(rules), "A opens lot") is Fault.DOUBLE_OPENS
    match = start(rules, "B opens agreed")
    assert refused(match, "B 6-5") is Fault.SET_DOUBLE
    match = go(match, "B 4-4; A 4-1>4-4")
    assert match.scores == (0, 0)
    ended = start(rules, "B opens agreed; B points 0; out A; left B 1-0; A opens out")
    assert go(ended, "A 6-5").rounds[-1].layout.plays  # whoever went out opens with any tile
    blocked = start(rules, "B opens agreed; B points 0; blocked; left A 2-0 | B 1-0")
    assert refused(blocked, "B opens lot") is Fault.DOUBLE_OPENS
    assert refused(go(blocked, "A opens agreed"), "A 2-1") is Fault.SET_DOUBLE


# Sniff


def rules_counting(plays: tuple[Place, ...]) -> int:
    """The count by the words of the rule, without the layout: how many tiles touch each, and which half is free."""
    touching = {tile: sum(tile in pair for pair in plays if None not in pair) for tile, _ in plays}
    spinner = next((tile for tile, _ in plays if tile.is_double), None)
    count = 0
    for tile, _ in plays:
        if tile is spinner:
            count += (2, 2, 2, 1, 0)[touching[tile]] * tile.heavy
        elif tile.is_double:
            count += tile.pips if touching[tile] < 2 else 0
        else:
            joined = [
                other.heavy if other.is_double else (set(_halves(tile)) & set(_halves(other))).pop()
                for other in _beside(tile, plays)
            ]
            count += tile.pips - sum(joined)
    return count


def _halves(tile: Tile) -> tuple[int, int]:
    return tile.heavy, tile.light


def _beside(tile: Tile, plays: tuple[Place, ...]) -> list[Tile]:
    return [one if other is tile else other for one, other in plays if other and tile in (one, other)]


@pytest.mark.parametrize("seed", range(150))
def test_sniff_counts_as_its_words_say(seed: int) -> None:
    random = Random(seed)
    layout = Layout.empty(1, spinner_counts=True)
    most = 0
    while places := layout.legal_places(DOUBLE_SIX):
        layout = layout.play(*random.choice(places))
        assert layout.count() == rules_counting(layout.plays), layout
        assert layout.count() == sum(end.worth for end in layout.open_ends())
        most = max(most, layout.count())
    assert most <= rules_of("all-fives").changed(SNIFF).highest_count
    assert eval(repr(layout)) == layout


@pytest.mark.parametrize(
    ("plays", "sum_"),
    [
        ("6-6", "6-6 12 = 12"),
        ("6-6 6-3>6-6", "6-6 12 + 3 = 15"),
        ("6-6 6-3>6-6 6-5>6-6", "6-6 12 + 3 + 5 = 20"),
        ("6-6 6-3>6-6 6-5>6-6 6-1>6-6", "6-6 6 + 3 + 5 + 1 = 15"),
        ("6-6 6-3>6-6 6-5>6-6 6-1>6-6 6-2>6-6", "3 + 5 + 1 + 2 = 11"),
        ("6-6 6-3>6-6 6-5>6-6 5-5>6-5", "6-6 12 + 3 + 5-5 10 = 25"),
        ("6-6 6-3>6-6 6-5>6-6 5-5>6-5 5-1>5-5", "6-6 12 + 3 + 1 = 16"),
        ("6-3 3-3>6-3 3-1>3-3", "6 + 3-3 6 + 1 = 13"),
    ],
)
def test_sniff(plays: str, sum_: str) -> None:
    rules = rules_of("all-fives").changed(SNIFF)
    score = score_of(Layout.read(plays, spinners=1, spinner_counts=True), rules)
    assert str(score).split(":")[0] == sum_
    ruling = rule_on_count(score.of, rules)
    assert sum_.partition(" = ")[0] in " ".join(str(one) for one in ruling.working)
    assert ("6-6 is the spinner" in " ".join(map(str, ruling.working))) == ("6-6 " in sum_)


def test_the_ends_of_sniff_can_be_called_as_they_lie() -> None:
    for plays, called in (("6-6 6-3>6-6 6-5>6-6", "6-6 3 5"), ("6-6 6-3>6-6 6-5>6-6 6-1>6-6", "6 3 5 1")):
        layout = Layout.read(plays, spinners=1, spinner_counts=True)
        ends = Ends(end for end in layout.open_ends() if end.kind is not EndKind.TIP)
        assert str(ends) == called
        assert Ends.parse(called).count() == layout.count()


@pytest.mark.parametrize("spinners", ["0", "2", "7"])
def test_sniff_needs_its_one_spinner(spinners: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_of("all-fives").changed(SNIFF | {"spinners": spinners})
    assert caught.value.fault is Fault.ONE_SPINNER
    with pytest.raises(RulesError):
        rules_of("five-up").changed({"spinner_counts": "yes"})


def test_sniff_is_played_and_written() -> None:
    match = start(rules_of("all-fives").changed(SNIFF), "A opens lot; A 5-5; B 5-0>5-5; A 6-5>5-5; B 5-4>5-5")
    assert match.scores == (10, 10 + 15)
    assert read(write(Record(match, "", ""))).problems == ()


# Records


def test_a_record_has_them_in_its_set_line() -> None:
    rules = rules_of("all-fives").changed(BEYOND)
    match = start(rules, "B opens agreed; B 5-5; A 5-0>5-5; B 6-0>5-0")
    text = write(Record(match, "", ""))
    assert "\nset get_in=10 double_opens=yes muggins_call=yes false_claim=5 best_of=3\n" in text
    reading = read(text)
    assert reading.problems == ()
    assert reading.record is not None
    assert reading.record.match.rules == rules


@pytest.mark.parametrize(("written", "right"), [("+0", True), ("+1", False)])
def test_a_record_knows_what_is_too_little(written: str, right: bool) -> None:
    text = f"fiveup 1\nrules five-up\nset get_in=10\nplayer A Ani\nplayer B Budi\nround 1\nopens A lot\nA 5-0 = 5 {written}\n"
    assert (read(text).problems == ()) == right


# What is said of rules


@pytest.mark.parametrize(
    ("game", "changes", "said"),
    [
        ("five-up", {}, []),
        ("five-up", {"target": "100", "hand": "7"}, []),
        ("five-up", {"points_per_five": "5"}, [Advice.OTHER_UNIT]),
        ("all-fives", {"points_per_five": "1", "target": "61"}, []),
        ("all-fives", {"settlement": "deduct-own"}, []),
        ("all-fives", {"settlement": "deduct-own", "points_per_five": "1", "target": "61"}, [Advice.PEGS_GO_BACK]),
        ("muggins", {"settlement": "deduct-own", "points_per_five": "1"}, [Advice.PEGS_GO_BACK, Advice.OTHER_UNIT]),
    ],
)
def test_advice(game: str, changes: dict[str, str], said: list[Advice]) -> None:
    found = advice(rules_of(game).changed(changes))
    assert [one for one, _ in found] == said
    assert not any("{" in str(one.value).format(**fields) for one, fields in found)


def test_the_raw_points_of_a_target_in_another_unit() -> None:
    ((_, fields),) = advice(rules_of("all-fives", 2, points_per_five="3"))
    assert fields == {"target": 250, "raw": 420}
    assert (
        rules_of("all-fives", 2, points_per_five="3").points(420)
        >= 250
        > rules_of("all-fives", 2, points_per_five="3").points(415)
    )


def test_at_once_is_at_once_with_a_way_in() -> None:
    match = start(rules_of("all-fives", 2, get_in="10", target="10"), "A opens lot; A points 5; B points 10")
    assert (match.status, str(match.winner)) == (Status.WON, "B")


# The call of muggins


def test_an_opponent_takes_a_missed_score() -> None:
    rules = rules_of("five-up", 4, muggins_call="yes")
    match = start(rules, "A opens lot; A 5-5")
    assert match.scores == (2, 0)
    assert refused(match, "muggins C") is Fault.OWN_SCORE
    match = go(match, "muggins B")
    assert (match.scores, match.rounds[-1].scored, match.rounds[-1].turn) == ((0, 2), (0, 2), "B")
    assert refused(match, "muggins D") is Fault.NOTHING_MISSED  # it is taken already
    match = go(match, "B 5-3>5-5")
    assert refused(match, "muggins A") is Fault.NOTHING_MISSED  # 13 is no score
    assert go(match, "undo 3; C 5-4>5-5").scores == (2, 0)
    assert refused(start(rules, ""), "muggins B") is Fault.NOTHING_MISSED
    assert refused(start(rules, "A opens lot"), "muggins B") is Fault.NOTHING_MISSED
    assert refused(start(rules, "A opens lot; A 5-5"), "muggins E") is Fault.NOT_A_SEAT
    assert refused(start(rules_of("five-up", 4), "A opens lot; A 5-5"), "muggins B") is Fault.NO_MUGGINS


def test_it_is_too_late_after_the_settlement() -> None:
    rules = rules_of("five-up", 2, muggins_call="yes")
    ended = start(rules, "A opens lot; A points 3; out A")
    assert go(ended, "muggins B").scores == (0, 3)
    assert refused(go(ended, "left B 1-0"), "muggins B") is Fault.NOTHING_MISSED


def test_a_missed_score_that_had_won_at_once() -> None:
    rules = rules_of("all-fives", 2, muggins_call="yes", target="10")
    match = start(rules, "A opens lot; A 5-5")
    assert match.status is Status.WON
    match = go(match, "muggins B")
    assert (match.scores, str(match.winner)) == ((0, 10), "B")


def test_a_missed_score_lets_in_who_takes_it_and_nobody_else() -> None:
    rules = rules_of("five-up", 2, muggins_call="yes", get_in="10")
    match = start(rules, "A opens lot; A points 2; muggins B")
    assert (match.scores, match.got_in) == ((0, 2), (False, True))
    match = go(match, "B points 1; A points 1")
    assert match.scores == (0, 3)
    assert refused(match, "muggins B") is Fault.NOTHING_MISSED  # it was too little to score
    match = go(match, "B points 1; muggins A")  # and too little for A
    assert (match.scores, match.got_in) == ((0, 3), (False, True))


def test_what_is_taken_may_overshoot_an_exact_target() -> None:
    rules = rules_of("five-up", 2, muggins_call="yes", exact="yes")
    match = start(rules, "A opens lot; A points 3; muggins B", scores=(0, 60))
    assert match.scores == (0, 60)
    assert match.rounds[-1].moves[-1].unscored == 3


def test_a_record_of_a_missed_score() -> None:
    rules = rules_of("all-fives", 2, muggins_call="yes")
    match = start(rules, "A opens lot; A 5-5; muggins B; B 5-0>5-5")
    text = write(Record(match, "", ""))
    assert "A 5-5 = 10 +10\ntaken B\nB 5-0>5-5 = 10 +10\n" in text
    reading = read(text)
    assert reading.problems == ()
    assert reading.record is not None
    assert reading.record.match.scores == match.scores == (0, 20)
    off = text.replace("set muggins_call=yes\n", "")
    assert [problem.error.fault for problem in read(off).problems] == [Fault.NO_MUGGINS]
    assert [step.scores for step in steps(match)] == [(10, 0), (0, 10), (0, 20)]

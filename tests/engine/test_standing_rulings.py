"""Who has won, who opens, and what a lot says."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import Adjusted, RoundOpened, Scored
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.match import Status
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.ruling import Rule
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.standing_rulings import (
    Opening,
    Winning,
    rule_on_lot,
    rule_on_match,
    rule_on_opener,
    rule_on_scores,
)
from fiveup_ref.engine.tiles import Tile
from tests.engine.play import rules_of
from tests.playout import playout

TWO = rules_of("five-up")
THREE = rules_of("five-up", 3)
AT_ONCE = rules_of("all-fives", target="61", points_per_five="1")
AT_ONCE_DEDUCTED = rules_of("five-up", target_check="at-once")


@pytest.mark.parametrize(
    ("rules", "before", "after", "says"),
    [
        (TWO, [63, 55], None, Winning.REACHED),
        (TWO, [63, 55], [60, 55], Winning.FELL_BACK),  # R49
        (TWO, [61, 40], [59, 40], Winning.FELL_BACK),  # R55
        (TWO, [66, 64], [66, 64], Winning.WON),  # R56
        (TWO, [58, 58], [58, 58], Winning.OPEN),  # R53
        (TWO, [62, 62], [62, 62], Winning.TIE),  # R52
        (THREE, [61, 61, 40], [61, 61, 40], Winning.TIE),  # R53
        (THREE, [63, 63, 61], [63, 63, 61], Winning.TIE),  # R50
        (THREE, [64, 66, 70], [64, 66, 70], Winning.WON),  # R50
        (TWO, [62, 62], [61, 60], Winning.WON),
        (TWO, [-3, 5], [-4, 5], Winning.OPEN),
        (AT_ONCE, [61, 40], None, Winning.WON),
        (AT_ONCE, [60, 40], None, Winning.OPEN),
        (AT_ONCE, [61, 40], [61, 64], Winning.WON),
        (AT_ONCE, [61, 40], [61, 61], Winning.WON),
        (AT_ONCE, [61, 64], None, Winning.FIRST),
        (AT_ONCE, [61, 61], [61, 66], Winning.FIRST),
        (AT_ONCE, [60, 59], [60, 64], Winning.WON),
        (AT_ONCE, None, [60, 64], Winning.WON),
        (AT_ONCE, None, [62, 64], Winning.FIRST),
        (AT_ONCE_DEDUCTED, [63, 40], [59, 40], Winning.WON),
    ],
)
def test_who_has_won(rules: Rules, before: list[int] | None, after: list[int] | None, says: Winning) -> None:
    ruling = rule_on_scores(rules, before, after)
    assert ruling.ruling.says is says
    assert ruling.rule is Rule.TARGET
    assert ruling.otherwise
    assert "{" not in " ".join(map(str, (ruling.ruling, *ruling.working, *ruling.otherwise)))


def test_who_has_won_and_why() -> None:
    ruling = rule_on_scores(THREE, [64, 66, 70], [64, 65, 70])
    assert [str(ruling.ruling), *map(str, ruling.working)] == [
        "C has won with 70 points.",
        "A: 64 points before the settlement, 64 points after it.",
        "B: 66 points before the settlement, 65 points after it.",
        "C: 70 points before the settlement, 70 points after it.",
        "The target is 61 points.",
        "It is looked at after the settlement, so what was reached in play decides nothing.",
        "Of those who have reached it, the highest wins; how far above it makes no difference.",
    ]
    fell = rule_on_scores(TWO, [63, 55], [60, 55])
    assert str(fell.otherwise[0]) == (
        "In a game where the target is looked at at once, A would have won with 63 points."
    )


@pytest.mark.parametrize("after", [[255, 270], [255, 255], [255, 245]])
def test_who_came_to_the_target_in_play_has_won_whatever_the_settlement_brings(after: list[int]) -> None:
    ruling = rule_on_scores(rules_of("all-fives"), [255, 245], after)
    assert [str(ruling.ruling), *map(str, ruling.working)] == [
        "A has won with 255 points.",
        f"A: 255 points before the settlement, {after[0]} points after it.",
        f"B: 245 points before the settlement, {after[1]} points after it.",
        "The target is 250 points.",
        "It is looked at as soon as a score is made.",
        "A came to it in play, and that ended the match: a settlement changes nothing any more.",
    ]


def test_the_desk_and_a_match_agree_who_has_won_at_once() -> None:
    """A match says so itself the moment the target is reached, and takes no settlement after it."""
    rules = rules_of("all-fives")
    head_start = [Adjusted(Team("A"), 240, "start"), Adjusted(Team("B"), 245, "start")]
    match = replay(rules, ("Ani", "Budi"), [*head_start, RoundOpened("A", "lot"), Scored("A", 15)])
    assert (match.status, match.scores) == (Status.WON, (255, 245))
    assert rule_on_match(match).ruling == rule_on_scores(rules, match.scores, (255, 270)).ruling


@pytest.mark.parametrize(
    ("before", "after", "seat", "moment"),
    [([245, 240], [245, 255], "B", "after"), ([251, 240], None, "A", "before"), (None, [250, 260], "B", "after")],
)
def test_nobody_is_past_an_exact_target(
    before: list[int] | None, after: list[int] | None, seat: str, moment: str
) -> None:
    with pytest.raises(RulesError) as caught:
        rule_on_scores(rules_of("all-fives", exact="yes"), before, after)
    error = caught.value
    assert (error.fault, error.fields["seat"], error.fields["moment"]) == (Fault.SCORE_PAST, seat, moment)
    rule_on_scores(rules_of("all-fives", exact="yes"), [245, 240], [245, 250])


def test_of_several_at_the_target_nobody_would_have_won_at_once() -> None:
    for after, says in (([60, 59], Winning.FELL_BACK), (None, Winning.REACHED)):
        ruling = rule_on_scores(TWO, [63, 62], after)
        assert ruling.ruling.says is says
        assert Winning.IF_AT_ONCE not in [one.says for one in ruling.otherwise]


def test_by_a_house_rule_the_highest_double_opens_where_a_lot_would_decide() -> None:
    for first in (True, False):
        ruling = rule_on_opener(None, first=first, double_opens=True)
        assert str(ruling.ruling) == "Whoever holds the highest double opens with it."
        assert Opening.NO_DOUBLE not in [one.says for one in ruling.otherwise]
    assert str(rule_on_opener("C", first=False, double_opens=True).ruling) == "C opens."


def test_a_shared_lead_would_not_have_won_at_once_either() -> None:
    shared = rule_on_scores(TWO, [63, 63], [60, 59])
    assert [one.says for one in shared.otherwise] == [Winning.IF_SETTLED]
    reached = rule_on_scores(TWO, [63, 63], None)
    assert [one.says for one in reached.otherwise] == [Winning.IF_SETTLED]


def test_the_ruling_on_a_match_is_its_status() -> None:
    for seed in range(6):
        match = playout(seed, 2, "all-fives" if seed % 2 else "five-up")
        assert rule_on_match(match).ruling.says.name == match.status.name


@pytest.mark.parametrize(
    ("out", "first", "says", "why"),
    [
        ("C", False, Opening.OPENS, Opening.WENT_OUT),
        (None, False, Opening.LOT_OPENS, Opening.WAS_BLOCKED),  # R25, R44
        (None, True, Opening.LOT_OPENS, Opening.FIRST_ROUND),
    ],
)
def test_who_opens(out: str | None, first: bool, says: Opening, why: Opening) -> None:
    ruling = rule_on_opener(out, first=first)
    assert (ruling.ruling.says, ruling.working[0].says) == (says, why)
    assert ruling.otherwise[-1].says is Opening.NO_DOUBLE  # R46


@pytest.mark.parametrize(
    ("draws", "ruling"),
    [
        ("A 6-3 B 5-4 C 6-1 D 0-0", "Not decided: A+B repeat the lot."),  # R43
        ("A 6-3 B 5-3", "A opens."),
        ("A 5-5 B 6-5 C 6-4", "B opens."),  # pips decide, not doubles
        ("A 3-0 B 2-1 C 1-1", "Not decided: A+B repeat the lot."),
    ],
)
def test_the_lot(draws: str, ruling: str) -> None:
    words = draws.split()
    drawn = tuple(zip(words[::2], map(Tile.parse, words[1::2]), strict=True))
    assert str(rule_on_lot(drawn).ruling) == ruling


@pytest.mark.parametrize(("draws", "fault"), [("A 6-3", Fault.LOT_UNDECIDED), ("A 6-3 B 3-6", Fault.LEFT_TWICE)])
def test_a_lot_that_cannot_be(draws: str, fault: Fault) -> None:
    words = draws.split()
    with pytest.raises(RulesError) as caught:
        rule_on_lot(tuple(zip(words[::2], map(Tile.parse, words[1::2]), strict=True)))
    assert caught.value.fault is fault

"""Who has won, who opens, and what a lot says."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.ruling import Rule
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
    ],
)
def test_who_has_won(rules: Rules, before: list[int], after: list[int] | None, says: Winning) -> None:
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

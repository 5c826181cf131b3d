"""Is that count right: what stands, what does not, and how a wrong claim comes about."""

from __future__ import annotations

from random import Random

import pytest

from fiveup_ref.engine.claims import HIGHEST_CLAIM, Claim, Counting, Unit, rule_on_count, terms_of
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import EndKind, Layout
from fiveup_ref.engine.ruling import Rule, Ruling
from fiveup_ref.engine.scoring import Ends, score_of
from tests.engine.play import play_layout, rules_of

FIVE_UP = rules_of("five-up")
ALL_FIVES = rules_of("all-fives")
LAID = "5-5 5-0>5-5 5-4>5-5"  # 0 + 4, 5-5 inside with both branches open
CROSS = f"{LAID} 6-5>5-5 0-0>5-0"  # 4 + 6 + 0-0; one branch open


def layout(plays: str, spinners: int = 7) -> Layout:
    return Layout.read(plays, spinners=spinners)


def ruled(counted: Layout | Ends, claim: str = "", rules: str = "five-up") -> Ruling:
    """The ruling on a claim written as `10 raw` or `2 points`."""
    figure, _, unit = claim.partition(" ")
    return rule_on_count(counted, rules_of(rules), Claim(int(figure), Unit(unit)) if claim else None)


@pytest.mark.parametrize(
    ("ends", "claim", "says"),
    [
        ("6-6 5 4", "", "The count is 21: no score."),
        ("6-6 3", "", "The count is 15: 3 points."),
        ("5", "", "refused"),
        ("6-6", "", "The count is 12: no score."),
        ("6-6 3", "15 raw", "The claim of 15 raw points stands: the count is 15, 3 points."),
        ("6-6 3", "3 points", "The claim of 3 points stands: the count is 15, 3 points."),
        ("6-6 3", "15 points", "The claim of 15 points does not stand: the count is 15, 3 points."),
        ("6-6 3", "3 raw", "The claim of 3 raw points does not stand: the count is 15, 3 points."),
        ("6-6 3", "0 points", "The claim of 0 points does not stand: the count is 15, 3 points."),
        ("6-6 3", "0 raw", "The claim of 0 raw points does not stand: the count is 15, 3 points."),
        ("6-6 5 4", "21 raw", "The count of 21 is right, but it scores nothing."),
        ("6-6 5 4", "0 raw", "The claim of 0 raw points stands: the count is 21, no score."),
        ("6-6 5 4", "0 points", "The claim of 0 points stands: the count is 21, no score."),
        ("6-6 5 4", "4 points", "The claim of 4 points does not stand: the count is 21, no score."),
        ("0 0", "0 raw", "The claim of 0 raw points stands: the count is 0, no score."),
        ("0 0", "1 points", "The claim of 1 point does not stand: the count is 0, no score."),
    ],
)  # fmt: skip
def test_what_stands(ends: str, claim: str, says: str) -> None:
    if says == "refused":
        with pytest.raises(RulesError) as caught:
            ruled(Ends.parse(ends), claim)
        assert caught.value.fault is Fault.ENDS_TOO_FEW
    else:
        ruling = ruled(Ends.parse(ends), claim)
        assert str(ruling.ruling) == says
        assert ruling.stands is (None if not claim else "does not stand" not in says)


@pytest.mark.parametrize(
    ("plays", "claim", "mistakes"),
    [
        (LAID, "14 raw", ["With 5-5 counted although both its sides are covered, it would be 14."]),
        (LAID, "9 raw", [
            "With an open branch of 5-5 counted, it would be 9.",
            "With the covered 5 of 5-0 counted, it would be 9.",
            "With the covered 5 of 5-4 counted, it would be 9.",
        ]),
        (LAID, "8 raw", ["With the 4 of 5-4 added twice, it would be 8."]),
        (LAID, "3 raw", []),
        ("6-4 4-4>6-4", "10 raw", ["With only one half of 4-4 counted, it would be 10."]),
        ("6-4 4-4>6-4", "2 points", ["With only one half of 4-4 counted, it would be 10."]),
        ("6-4 4-4>6-4", "18 raw", ["With the covered 4 of 6-4 counted, it would be 18."]),  # R04
        ("6-4 4-4>6-4", "6 raw", ["With 4-4 left out, it would be 6."]),
        ("6-4 4-4>6-4", "8 raw", ["With the 6 of 6-4 left out, it would be 8."]),
        ("5-5 5-0>5-5", "10 points", ["10 is the raw figure. On the sheet 10 raw points are 2 points."]),
        ("6-5", "11 points", [
            "11 is the count itself, not points: no multiple of five, so on the sheet it is nothing.",
        ]),
        ("5-5 5-0>5-5", "2 raw", ["2 is the figure on the sheet. 2 points are 10 raw points."]),
        ("5-5 5-0>5-5 0-0>5-0", "5 raw", ["With only one half of 5-5 counted, it would be 5."]),
        ("4-1 4-4>4-1 1-1>4-1", "5 raw", ["With only one half of every double counted, it would be 5."]),
        ("5-5 5-4>5-5 5-0>5-5 4-4>5-4 4-3>4-4", "21 raw", [
            "With every double counted whose sides are both covered, it would be 21.",
        ]),
        (CROSS, "4 points", ["With 5-5 counted although both its sides are covered, it would be 20."]),
        (CROSS, "15 raw", [
            "With an open branch of 5-5 counted, it would be 15.",
            "With the covered 5 of 5-0 counted, it would be 15.",
            "With the covered 5 of 5-4 counted, it would be 15.",
            "With the covered 5 of 6-5 counted, it would be 15.",
        ]),
    ],
)  # fmt: skip
def test_how_a_claim_comes_about(plays: str, claim: str, mistakes: list[str]) -> None:
    ruling = ruled(layout(plays), claim)
    assert ruling.stands is False
    assert [str(one) for one in ruling.mistakes] == mistakes


@pytest.mark.parametrize(
    ("ends", "claim", "mistakes"),
    [
        ("6-6 5 4", "15 raw", ["With only one half of 6-6 counted, it would be 15."]),
        ("6-6 5 4", "5 points", ["With an end of 4 added twice, it would be 25."]),
        ("6-6 5 4", "16 raw", ["With an end of 5 left out, it would be 16."]),
        ("6-6 5 4", "9 raw", ["With 6-6 left out, it would be 9."]),
        ("6-6 5-5 3", "14 raw", ["With only one half of every double counted, it would be 14."]),
        ("5 5 2", "7 raw", ["With an end of 5 left out, it would be 7."]),
    ],
)
def test_how_a_claim_on_called_ends_comes_about(ends: str, claim: str, mistakes: list[str]) -> None:
    assert [str(one) for one in ruled(Ends.parse(ends), claim).mistakes] == mistakes


def test_in_a_game_that_writes_raw_figures_no_unit_is_confused() -> None:
    ruling = ruled(layout("5-5 5-0>5-5"), "10 points", "all-fives")
    assert (ruling.stands, ruling.mistakes) == (True, ())


@pytest.mark.parametrize(
    ("claim", "too_high"), [("75 raw", False), ("76 raw", True), ("15 points", False), ("16 points", True)]
)
def test_a_claim_that_no_layout_counts_is_called_so(claim: str, too_high: bool) -> None:
    working = ruled(layout(LAID), claim).working
    assert (Counting.TOO_HIGH in {line.says for line in working}) is too_high


@pytest.mark.parametrize(
    ("game", "ends", "fault"),
    [
        ("five-up", "1 1 1 1 1 1 1", Fault.ENDS_PIP_TOO_OFTEN),
        ("five-up", "6-6 5-5 6 6 6 6 6 6 5 5 4 4", Fault.COUNT_TOO_HIGH),
        ("five-up", " ".join(["0"] * 6 + ["1"] * 6 + ["2"] * 5), Fault.ENDS_TOO_MANY),
        ("five-up", "1 1 1 1 1 1 2 2 2 2 2 2", Fault.ENDS_PIPS_TOO_OFTEN),
        ("five-up", "0 0 0 0 0 1 1 1 1 1 1", None),
        ("five-up", "0 0 0 0 0 0 1 1 1 1 1 2 2 2 2 2", Fault.ENDS_PIPS_TOO_OFTEN),
        ("five-up", "0 0 0 0 0 0 1 1 1 1 1 2 2 2 2 3", None),
        ("all-fives", "1 2 3 4 5", Fault.ENDS_TOO_MANY),
        ("muggins", "1 2 3", Fault.ENDS_TOO_MANY),
        ("muggins", "6-6 5-5", None),
        ("all-fives", "6-6 5-5 4-4 3-3", None),
        ("five-up", "6-6 5-5 4-4 3-3", None),
    ],
)
def test_ends_that_cannot_be_are_refused(game: str, ends: str, fault: Fault | None) -> None:
    if fault is None:
        ruled(Ends.parse(ends), rules=game)
        return
    with pytest.raises(RulesError) as caught:
        ruled(Ends.parse(ends), rules=game)
    assert caught.value.fault is fault


@pytest.mark.parametrize("spinners", [0, 1, 7])
def test_every_layout_the_game_can_make_is_ruled_on(spinners: int) -> None:
    """Its ends as called are never refused, its true count always stands, no other figure does, nothing is misexplained."""
    random = Random(spinners)
    rules = rules_of("five-up", spinners=str(spinners))
    for _ in range(20):
        laid = play_layout(spinners, random, tiles=random.randint(1, 28))
        score = score_of(laid, rules)
        called = Ends(end for end in laid.open_ends() if end.kind is not EndKind.TIP)
        assert str(rule_on_count(Ends.parse(str(called)), rules).ruling) == str(rule_on_count(laid, rules).ruling)
        for figure in range(rules.highest_count + 2):
            for unit, right in ((Unit.RAW, score.count), (Unit.POINTS, score.points)):
                ruling = rule_on_count(laid, rules, Claim(figure, unit))
                assert ruling.stands is (figure == right or (figure == 0 and not score.raw))
                if ruling.stands:
                    assert not ruling.mistakes
                for one in ruling.mistakes:
                    if "count" in one.fields:
                        count = int(str(one.fields["count"]))
                        assert figure == (count if unit is Unit.RAW else rules.points(count))
                assert ruling.otherwise
                assert "{" not in " ".join(map(str, (ruling.ruling, *ruling.working, *ruling.otherwise)))


def test_the_terms_add_up() -> None:
    assert terms_of(score_of(layout("6-6 6-3>6-6"), FIVE_UP)) == "6-6 12 + 3"


@pytest.mark.parametrize(
    ("plays", "claim", "rule"),
    [
        ("6-4", "", Rule.COUNT),
        ("5-5", "", Rule.DOUBLES),
        (LAID, "", Rule.DOUBLES),
        ("5-5", "10 points", Rule.UNITS),
        ("6-4", "10 points", Rule.UNITS),
        ("6-5", "11 points", Rule.UNITS),
        ("6-4", "9 points", Rule.COUNT),
    ],
)
def test_the_rule_it_rests_on(plays: str, claim: str, rule: Rule) -> None:
    assert ruled(layout(plays), claim).rule is rule


def test_the_bound_of_a_claim_is_beyond_every_count() -> None:
    assert all(rules.points(rules.highest_count) < HIGHEST_CLAIM for rules in (FIVE_UP, ALL_FIVES))

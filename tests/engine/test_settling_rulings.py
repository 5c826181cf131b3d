"""What leftovers cost, and what the wrong ways would come to."""

from __future__ import annotations

from random import Random

import pytest

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.ruling import Ruling
from fiveup_ref.engine.scoring import Left, rounded, settle
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.settling_rulings import Leftover, rule_on_leftovers
from tests.engine.play import ALL_RULES, left, rules_of

PAIRS = rules_of("five-up", 4)
TAKES = rules_of("all-fives", 4)


def ruled(rules: Rules, hands: str, out: Seat | None) -> Ruling:
    return rule_on_leftovers(dict(left(hands)), rules, out)


@pytest.mark.parametrize(
    ("rules", "out", "hands", "ruling"),
    [
        # R29: partners with 3+3, 8+8, 7+7, 2+2, 1+2
        (PAIRS, None, "A 3 pips | B 8 pips | C 3 pips | D 8 pips", "The settlement: A+C -2, B+D -4."),
        (PAIRS, None, "A 7 pips | B 2 pips | C 7 pips | D 2 pips", "The settlement: A+C -2, B+D 0."),
        (PAIRS, None, "A 1 pips | B 0-0 | C 2 pips | D 5 pips", "The settlement: A+C 0, B+D -1."),
        (PAIRS, None, "A 3 pips | B 3 pips | C 3 pips | D 3 pips", "The settlement: A+C -2, B+D -2."),  # R40
        (PAIRS, "A", "B 3-0 2-1 | C 6 pips | D 0-0", "The settlement: A+C -1, B+D -1."),
        (PAIRS, "A", "B 1 pips | C 2 pips | D 0-0", "The settlement changes nothing: A+C 0, B+D 0."),
        (rules_of("five-up"), "A", "B 4-2 2-0", "The settlement: A 0, B -2."),  # R59
        (rules_of("five-up"), None, "A 13 pips | B 12 pips", "The settlement: A -3, B -2."),  # R34
        (TAKES, "A", "B 3 pips | C 20 pips | D 9 pips", "The settlement: A+C +10, B+D 0."),
        (TAKES, None, "A 3 pips | B 20 pips | C 4 pips | D 9 pips", "The settlement: A+C +30, B+D 0."),
        (TAKES, None, "A 3 pips | B 3 pips | C 4 pips | D 4 pips", "The settlement changes nothing: A+C 0, B+D 0."),
        (rules_of("all-fives", 3), None, "A 3 pips | B 3 pips | C 14 pips", "The settlement: A +5, B +5, C 0."),
    ],
)
def test_settlements(rules: Rules, out: Seat | None, hands: str, ruling: str) -> None:
    assert str(ruled(rules, hands, out).ruling) == ruling


@pytest.mark.parametrize(
    ("rules", "out", "hands", "wrong"),
    [
        (PAIRS, "A", "B 3 pips | C 0-0 | D 3 pips", {
            "ROUNDED_TOGETHER": "A+C 0, B+D -1", "NOT_ROUNDED": "A+C 0, B+D 0", "WINNER_GAINS": "A+C +1, B+D 0",
        }),
        (PAIRS, "A", "B 1 pips | C 6 pips | D 0-0", {
            "ROUNDED_UP": "A+C -2, B+D -1", "PARTNER_SPARED": "A+C 0, B+D 0", "WINNER_GAINS": "A+C 0, B+D 0",
        }),
        (PAIRS, None, "A 5 pips | B 5 pips | C 10 pips | D 10 pips", {"WINNER_GAINS": "A+C 0, B+D 0"}),
        (TAKES, "A", "B 3 pips | C 20 pips | D 3 pips", {
            "PARTNER_TAKEN": "A+C +25, B+D 0", "EACH_ROUNDED": "A+C +10, B+D 0", "OWN_DEDUCTED": "A+C -20, B+D -10",
        }),
        (TAKES, "B", "A 3 pips | C 3 pips | D 1 pips", {
            "EACH_ROUNDED": "A+C 0, B+D +10", "OWN_DEDUCTED": "A+C -10, B+D 0",
        }),  # with the 1 of the partner it is 5 all the same
        (TAKES, None, "A 3 pips | B 10 pips | C 4 pips | D 10 pips", {
            "OWN_SUBTRACTED": "A+C +15, B+D 0", "OWN_DEDUCTED": "A+C -10, B+D -20",
        }),
    ],
)  # fmt: skip
def test_wrong_ways(rules: Rules, out: Seat | None, hands: str, wrong: dict[str, str]) -> None:
    assert {one.says.name: str(one.fields["changes"]) for one in ruled(rules, hands, out).mistakes} == wrong


def test_each_hand_is_rounded_before_the_eyes() -> None:
    working = [str(line) for line in ruled(PAIRS, "B 3-0 2-1 | C 6 pips | D 3 pips", "A").working]
    assert working == [
        "A went out and has nothing left.",
        "B: 6 pips, rounded to 5: -1.",
        "C: 6 pips, rounded to 5: -1.",
        "D: 3 pips, rounded to 5: -1.",
        "A+C together: -1.",
        "B+D together: -2.",
    ]
    takes = [str(line) for line in ruled(TAKES, "A 3 pips | B 20 pips | C 4 pips | D 9 pips", None).working]
    assert takes[-2:] == [
        "A+C has the fewest pips left, 7 pips, and takes what the others have.",
        "A+C: the others' 29 pips are rounded once, to 30: +30.",
    ]
    partner = [str(line) for line in ruled(TAKES, "B 3 pips | C 20 pips | D 9 pips", "A").working]
    assert partner == [
        "A went out and has nothing left.",
        "B has 3 pips left.",
        "C has 20 pips left. That is the partner of who went out, so it is left out.",
        "D has 9 pips left.",
        "A+C: the others' 12 pips are rounded once, to 10: +10.",
    ]
    three = ruled(rules_of("all-fives", 3), "A 3 pips | B 3 pips | C 14 pips", None)
    assert str(three.working[-1]) == "B shares the lowest hand: the others' 14 pips are rounded to 15 and divided: +5."
    assert three.otherwise[0].says is Leftover.UNSETTLED


@pytest.mark.parametrize(
    ("rules", "hands"),
    [
        (rules_of("all-fives"), "A 7 pips | B 7 pips"),
        (TAKES, "A 7 pips | B 4 pips | C 9 pips | D 12 pips"),
        (rules_of("all-fives", 3), "A 4 pips | B 4 pips | C 4 pips"),
    ],
)
def test_where_all_are_lowest_nobody_takes_and_one_pip_less_would(rules: Rules, hands: str) -> None:
    ruling = ruled(rules, hands, None)
    assert ruling.working[-1].says is Leftover.TIED
    assert Leftover.SHARES not in {line.says for line in ruling.working}
    assert [line.says for line in ruling.otherwise] == [Leftover.IF_LOWER]


@pytest.mark.parametrize(
    ("hands", "out", "fault"),
    [
        ("B 3-0 | C 3-0 | D 0-0", "A", Fault.LEFT_TWICE),
        ("B 3-0 3-0 | C 2-0 | D 0-0", "A", Fault.LEFT_REPEATED),
        ("B 169 pips | C 2-0 | D 0-0", "A", Fault.LEFT_NUMBER),
        ("B 3-0 | C 2-0", "A", Fault.LEFT_MISSING),
        ("B 7-8 | C 2-0 | D 0-0", "A", Fault.NO_SUCH_TILE),  # R64
        ("A 1-0 | B 3-0 | C 2-0", None, Fault.LEFT_MISSING),
    ],
)
def test_leftovers_that_cannot_be_are_refused(hands: str, out: Seat | None, fault: Fault) -> None:
    with pytest.raises(RulesError) as caught:
        ruled(PAIRS, hands, out)
    assert caught.value.fault is fault


def test_r28_every_leftover_is_rounded_alike_whether_won_or_blocked() -> None:
    for pips, cost in zip(
        (0, 1, 2, 3, 4, 5, 7, 8, 12, 13, 22, 23, 42), (0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 5, 8), strict=True
    ):
        for out, hands in (("A", {"B": Left(pips)}), (None, {"A": Left(1), "B": Left(pips)})):
            ruling = rule_on_leftovers(hands, rules_of("five-up"), out)
            assert str(ruling.ruling.fields["changes"]) == f"A 0, B {-cost}"


def test_no_wrong_way_is_the_right_one_and_the_next_step_is_one() -> None:
    random = Random(29)
    for _ in range(300):
        rules = random.choice(ALL_RULES)
        out = random.choice((None, *rules.seats))
        hands = {seat: Left(random.randint(2, 33)) for seat in rules.seats if seat != out}
        ruling = rule_on_leftovers(hands, rules, out)
        right = ruling.ruling.fields["changes"]
        assert dict(right) == dict(settle(hands, rules=rules, out=out).teams)  # type: ignore[call-overload]
        assert all(one.fields["changes"] != right for one in ruling.mistakes)
        for one in ruling.otherwise:
            if one.says is Leftover.NEXT_STEP:
                pips = hands[str(one.fields["seat"])].pips
                more = int(one.fields["pips"])  # type: ignore[call-overload]
                assert rounded(pips + more) == one.fields["rounded"]
                assert rounded(pips + more - 1) == rounded(pips) < rounded(pips + more)

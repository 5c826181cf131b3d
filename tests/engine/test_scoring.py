"""Scores and their reasons, ends as called, rounding, and the settlements (rules 2, 3, 4, 6 and 8)."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import EndKind, Layout
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.scoring import Ends, HandSettled, Left, advance, rounded, score_of, settle
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import DOUBLE_SIX, SET_PIPS
from tests.engine.play import left, rules_of

# Scores of a layout.


@pytest.mark.parametrize(
    ("plays", "written"),
    [
        ("5-5", "5-5 10 = 10: 2 points"),
        ("5-0", "5 + 0 = 5: 1 point"),
        ("5-5 5-0>5-5", "5-5 10 + 0 = 10: 2 points"),
        ("5-5 5-0>5-5 6-5>5-5", "0 + 6 = 6: no score"),
        ("0-0", "0-0 0 = 0: no score"),
        ("6-6", "6-6 12 = 12: no score"),
        ("6-6 6-3>6-6", "6-6 12 + 3 = 15: 3 points"),
        ("1-0 1-1>1-0 2-1>1-1 2-0>2-1", "0 + 0 = 0: no score"),
        ("", "0 = 0: no score"),
    ],
)
def test_a_score_says_why(plays: str, written: str) -> None:
    assert str(score_of(Layout.read(plays, spinners=7), rules_of("five-up"))) == written


@pytest.mark.parametrize(
    ("preset", "fields", "points"),
    [
        ("five-up", {}, 3),
        ("all-fives", {}, 15),
        ("muggins", {}, 15),
        ("all-fives", {"points_per_five": "1"}, 3),
        ("five-up", {"points_per_five": "10"}, 30),
    ],
)
def test_the_unit_of_15_raw(preset: str, fields: dict[str, str], points: int) -> None:
    score = score_of(Layout.read("6-6 6-3>6-6", spinners=7), rules_of(preset).changed(fields))
    assert (score.count, score.raw, score.points) == (15, 15, points)


def test_the_terms_and_the_silent_doubles() -> None:
    layout = Layout.read("6-4 6-6>6-4 4-4>6-4 4-0>4-4 4-1>4-4", spinners=7)
    score = score_of(layout, rules_of("five-up"))
    assert [str(end.tile) for end in score.terms] == ["6-6", "4-0", "4-1"]
    assert [str(tile) for tile in score.silent] == ["4-4"]
    assert sum(end.worth for end in score.terms) == score.count == 13
    in_line = score_of(Layout.read("6-4 4-4>6-4 4-0>4-4", spinners=7), rules_of("five-up"))
    assert [str(tile) for tile in in_line.silent] == ["4-4"]  # both sides are covered, no branch is
    assert score_of(Layout.read("6-4 4-4>6-4", spinners=7), rules_of("five-up")).silent == ()
    called = score_of(Ends.parse("6-6 0 1"), rules_of("five-up"))
    assert (called.count, called.silent, str(called)) == (13, (), "6-6 12 + 0 + 1 = 13: no score")
    assert called.terms == Ends.parse("6-6 0 1").open_ends()


@pytest.mark.parametrize("count", range(76))
def test_which_counts_score(count: int) -> None:
    """Every count from 0 to 75 as ends: only a positive multiple of five scores."""
    doubles = ["6-6", "5-5", "4-4", "3-3", "2-2"]
    words: list[str] = []
    rest = count
    for double in doubles:
        if rest >= 2 * int(double[0]):
            words, rest = [*words, double], rest - 2 * int(double[0])
    while rest > 6:
        words, rest = [*words, "6"], rest - 6
    score = score_of(Ends.parse(" ".join([*words, str(rest)])), rules_of("five-up"))
    assert score.count == count
    assert score.raw == (count if count in range(5, 76, 5) else 0)
    assert score.points == score.raw // 5


def test_which_openings_score() -> None:
    scores = {str(tile): score_of(Layout.empty(7).play(tile), rules_of("five-up")).raw for tile in DOUBLE_SIX}
    assert {tile: raw for tile, raw in scores.items() if raw} == {"5-5": 10, "6-4": 10, "5-0": 5, "4-1": 5, "3-2": 5}


# Ends as called.


@pytest.mark.parametrize(
    ("text", "count", "written"),
    [("6-6 5 4", 21, "6-6 5 4"), ("66 [4|4] 0", 20, "6-6 4-4 0"), ("5\t5 5", 15, "5 5 5"), ("0-0", 0, "0-0")],
)
def test_ends_as_called(text: str, count: int, written: str) -> None:
    ends = Ends.parse(text)
    assert (ends.count(), str(ends), repr(ends)) == (count, written, f"Ends.parse('{written}')")
    assert ends == Ends.parse(written)
    assert hash(ends) == hash(Ends.parse(written))
    assert [end.places for end in ends.open_ends()] == [1] * len(text.split())


@pytest.mark.parametrize(
    ("text", "fault", "fields"),
    [
        ("", Fault.ENDS_NONE, {}),
        ("  ", Fault.ENDS_NONE, {}),
        ("7", Fault.ENDS_PIP, {"text": "7"}),
        ("x", Fault.ENDS_PIP, {"text": "x"}),
        ("5 ²", Fault.ENDS_PIP, {"text": "²"}),
        ("77", Fault.ENDS_PIP, {"text": "77"}),
        ("5,4", Fault.ENDS_PIP, {"text": "5,4"}),
        ("10", Fault.ENDS_NOT_DOUBLE, {"tile": "1-0"}),
        ("6-4", Fault.ENDS_NOT_DOUBLE, {"tile": "6-4"}),
        ("6-6 5 66", Fault.ENDS_DOUBLE_TWICE, {"tile": "6-6"}),
    ],
)
def test_what_is_no_end(text: str, fault: Fault, fields: dict[str, str]) -> None:
    with pytest.raises(RulesError) as caught:
        Ends.parse(text)
    assert caught.value.fault is fault
    assert {name: str(value) for name, value in caught.value.fields.items()} == fields


@pytest.mark.parametrize(
    ("preset", "text", "fault"),
    [
        ("five-up", "6 6 6 6 6 6", None),
        ("five-up", "6 6 6 6 6 6 6", Fault.ENDS_PIP_TOO_OFTEN),
        ("five-up", "6-6 5-5 6 6 6 6 6 6 5 4 4 4", None),  # 75
        ("five-up", "6-6 5-5 6 6 6 6 6 6 5 5 4 4", Fault.COUNT_TOO_HIGH),  # 76
        ("five-up", "6-6 5-5 4-4 3-3 2-2 1 1 0", Fault.ENDS_DOUBLES),  # two other doubles: six ends
        ("five-up", "6-6 5-5 4-4 3-3 2-2 1", None),
        ("five-up", "6-6 5-5 4-4 3-3 2-2 1-1", Fault.ENDS_DOUBLES),
        ("five-up", "6-6 5-5 4-4 3-3 2-2 1-1 0-0", Fault.ENDS_DOUBLES),
        ("five-up", "1 1 1 1 1 1 0 0 0 0 0 2 2 2 2 3", None),  # 16 ends
        ("five-up", "1 " * 6 + "0 " * 5 + "2 2 2 2 2", Fault.ENDS_PIPS_TOO_OFTEN),  # 15 tiles have a 0, 1 or 2
        ("five-up", "1 " * 6 + "0 " * 6 + "2 2 2 2 2", Fault.ENDS_TOO_MANY),
        ("all-fives", "6-6 5-5 6 6", None),
        ("all-fives", "6-6 5-5 4-4 6", None),  # 36
        ("all-fives", "6-6 5-5 4-4 3-3", None),  # 36
        ("all-fives", "6-6 5-5 4-4 6 0", Fault.ENDS_TOO_MANY),
        ("muggins", "6-6 5-5", None),  # 22
        ("muggins", "6-6 5 0", Fault.ENDS_TOO_MANY),
        ("muggins", "6 6", None),
    ],
)
def test_ends_no_layout_of_the_game_can_show(preset: str, text: str, fault: Fault | None) -> None:
    ends = Ends.parse(text)
    if fault is None:
        ends.check(rules_of(preset))
        return
    with pytest.raises(RulesError) as caught:
        ends.check(rules_of(preset))
    assert caught.value.fault is fault


def test_the_bounds_of_each_game() -> None:
    """One pip above the highest count of rules 8 is refused, the highest itself is not."""
    highest = {"five-up": "6-6 5-5 6 6 6 6 6 6 5 4 4 4", "all-fives": "6-6 5-5 4-4 6", "muggins": "6-6 5-5"}
    for preset, text in highest.items():
        rules = rules_of(preset)
        assert Ends.parse(text).count() == rules.highest_count
        Ends.parse(text).check(rules)
    with pytest.raises(RulesError) as caught:
        Ends.parse("1 " * 6 + "0 " * 6 + "2 " * 6).check(rules_of("five-up"))
    assert (caught.value.fault, caught.value.fields) == (Fault.ENDS_TOO_MANY, {"highest": 16})
    with pytest.raises(RulesError) as caught:
        Ends.parse("6-6 5-5 6 6 6 6 6 6 5 5 4 4").check(rules_of("five-up"))
    assert caught.value.fields == {"count": 76, "highest": 75}


OF_24_TILES = """
    2-0 0-0>2-0 6-0>0-0 6-6>6-0 5-0>0-0 2-2>2-0 4-0>0-0 6-2>2-2 4-4>4-0 5-2>2-2 5-5>5-2 6-4>4-4 4-2>2-2 4-3>4-4
    3-3>4-3 6-3>3-3 5-3>3-3 5-4>4-4 3-1>3-3 1-1>3-1 4-1>1-1 6-5>5-0 6-1>1-1 5-1>1-1
"""
HIGHEST = [
    ("muggins", "6-5 6-6>6-5 5-5>6-5", 22),
    ("all-fives", "0-0 6-0>0-0 5-0>0-0 4-0>0-0 3-0>0-0 6-6>6-0 5-5>5-0 4-4>4-0 5-3>3-0", 35),
    ("all-fives", "0-0 6-0>0-0 5-0>0-0 4-0>0-0 3-0>0-0 6-6>6-0 5-5>5-0 4-4>4-0 3-3>3-0", 36),
    ("five-up", "1-1 4-1>1-1 4-4>4-1 6-1>1-1 5-1>1-1 6-6>6-1 5-5>5-1", 30),
    (
        "five-up",
        "2-2 3-2>2-2 3-3>3-2 6-3>3-3 6-6>6-3 5-2>2-2 5-3>3-3 6-2>2-2 4-2>2-2 5-5>5-2 4-3>3-3 4-4>4-3",
        45,
    ),
    ("five-up", OF_24_TILES, 75),
]


@pytest.mark.parametrize(("preset", "plays", "count"), HIGHEST, ids=[f"{case[0]} {case[2]}" for case in HIGHEST])
def test_the_highest_counts_can_lie(preset: str, plays: str, count: int) -> None:
    """Layouts that reach the bounds: 22 in Muggins, 36 in All Fives, 75 with 24 tiles in Five Up."""
    rules = rules_of(preset)
    layout = Layout.read(plays, spinners=rules.spinners)
    assert layout.count() == count <= rules.highest_count
    ends = score_of(layout, rules).terms
    words = " ".join(str(end.tile if end.kind is EndKind.DOUBLE else end.pip) for end in ends)
    Ends.parse(words).check(rules)


def test_ends_do_not_change() -> None:
    ends = Ends.parse("6-6 5")
    with pytest.raises(AttributeError, match=r"^ends do not change: _ends$"):
        ends._ends = ()
    with pytest.raises(AttributeError, match=r"^ends do not change: _ends$"):
        del ends._ends
    assert ends != "6-6 5"


# Rounding and the exact target.


@pytest.mark.parametrize("pips", range(SET_PIPS + 1))
def test_rounding_to_the_nearest_five(pips: int) -> None:
    remainder = pips % 5
    assert rounded(pips) == (pips - remainder if remainder <= 2 else pips - remainder + 5)


@pytest.mark.parametrize(
    ("exact", "score", "gain", "scored"),
    [
        ("no", 59, 3, 3),
        ("yes", 59, 2, 2),
        ("yes", 59, 3, 0),
        ("yes", 61, 1, 0),
        ("yes", 62, -1, -1),
        ("yes", 70, -3, -3),
        ("yes", 61, 0, 0),
        ("yes", -5, 15, 15),
        ("yes", 46, 15, 15),
        ("yes", 47, 15, 0),
    ],
)
def test_an_exact_target(exact: str, score: int, gain: int, scored: int) -> None:
    assert advance(score, gain, rules_of("five-up", exact=exact)) == scored


# Leftovers.


@pytest.mark.parametrize(
    ("text", "pips", "written"),
    [
        ("3-0 2-1", 6, "3-0 2-1"),
        ("12 30", 6, "3-0 2-1"),
        ("5-3 6-1 6-6", 27, "6-6 6-1 5-3"),
        ("0-0", 0, "0-0"),
        ("", 0, ""),
        ("6 pips", 6, "6 pips"),
        ("0 pips", 0, "0 pips"),
        ("007  pips", 7, "7 pips"),
        ("168 pips", 168, "168 pips"),
    ],
)
def test_leftovers_as_written(text: str, pips: int, written: str) -> None:
    hand = Left.parse(text)
    assert (hand.pips, str(hand)) == (pips, written)
    assert Left.parse(written) == hand


@pytest.mark.parametrize(
    ("text", "fault"),
    [(f"{number} pips", Fault.LEFT_NUMBER) for number in ("169", "-1", "1e1", "3,5", "1_0", "+1", "²", "x")]
    + [("7-1", Fault.NO_SUCH_TILE), ("pips", Fault.NOT_A_TILE), ("6 pips more", Fault.NOT_A_TILE)],
)
def test_what_is_no_leftover(text: str, fault: Fault) -> None:
    with pytest.raises(RulesError) as caught:
        Left.parse(text)
    assert caught.value.fault is fault


# Settlements. The table: leftovers in pips by seat (- is nothing), who went out, the change of each team.

SINGLES = {"five-up": rules_of("five-up", 3), "all-fives": rules_of("all-fives", 3), "muggins": rules_of("muggins", 3)}
PAIRS = {preset: rules_of(preset, 4) for preset in ("five-up", "all-fives", "muggins")}


def settled(rules: Rules, pips: str, out: str | None) -> list[int]:
    hands = {seat: Left(int(text)) for seat, text in zip(rules.seats, pips.split(), strict=True) if text != "-"}
    settlement = settle(hands, rules=rules, out=out)
    assert list(settlement.teams) == list(rules.teams)
    return list(settlement.teams.values())


@pytest.mark.parametrize(
    ("pips", "out", "changes"),
    [
        ("- 2 3", "A", [0, 0, -1]),
        ("- 7 8", "A", [0, -1, -2]),
        ("12 - 13", "B", [-2, 0, -3]),
        ("7 7 7", None, [-1, -1, -1]),
        ("0 2 42", None, [0, 0, -8]),
        ("168 0 0", None, [-34, 0, 0]),
    ],
)
def test_deduct_own_singly(pips: str, out: str | None, changes: list[int]) -> None:
    assert settled(SINGLES["five-up"], pips, out) == changes


@pytest.mark.parametrize(
    ("pips", "out", "changes"),
    [
        ("- 3 2 3", "A", [0, -2]),  # partners are rounded apart: 3 and 3 cost 1 + 1
        ("- 0 7 0", "A", [-1, 0]),  # the partner of who went out pays too
        ("- 8 0 8", "A", [0, -4]),
        ("2 - 0 2", "B", [0, 0]),
        ("1 2 2 -", "D", [0, 0]),
        ("7 7 7 7", None, [-2, -2]),
        ("3 3 3 3", None, [-2, -2]),
    ],
)
def test_deduct_own_in_pairs(pips: str, out: str | None, changes: list[int]) -> None:
    assert settled(PAIRS["five-up"], pips, out) == changes


@pytest.mark.parametrize("preset", ["all-fives", "muggins"])
@pytest.mark.parametrize(
    ("pips", "out", "changes", "shared"),
    [
        ("- 3 0", "A", [5, 0, 0], False),
        ("- 1 1", "A", [0, 0, 0], False),
        ("- 3 3", "A", [5, 0, 0], False),  # summed, then rounded once: 6 is 5, not 5 and 5
        ("20 - 13", "B", [0, 35, 0], False),
        ("3 8 9", None, [15, 0, 0], False),  # blocked: 17 taken whole, the 3 are not subtracted
        ("9 3 8", None, [0, 15, 0], False),
        ("4 4 15", None, [5, 5, 0], True),  # 15 halved is 7, cut down to 5 (rules 6)
        ("4 15 4", None, [5, 0, 5], True),
        ("4 4 20", None, [10, 10, 0], True),
        ("4 4 7", None, [0, 0, 0], True),  # 5 halved is 2, cut down to nothing
        ("0 0 2", None, [0, 0, 0], False),  # 2 is rounded to nothing: there is nothing to share
        ("7 7 7", None, [0, 0, 0], False),
    ],
)
def test_winner_takes_singly(preset: str, pips: str, out: str | None, changes: list[int], *, shared: bool) -> None:
    rules = SINGLES[preset]
    assert settled(rules, pips, out) == changes
    hands = {seat: Left(int(text)) for seat, text in zip("ABC", pips.split(), strict=True) if text != "-"}
    assert settle(hands, rules=rules, out=out).shared == shared


@pytest.mark.parametrize(
    ("players", "pips", "out", "changes"),
    [
        (2, "- 3", "A", [5, 0]),
        (2, "2 -", "B", [0, 0]),
        (2, "7 7", None, [0, 0]),
        (2, "7 8", None, [10, 0]),
        (5, "- 1 2 3 4", "A", [10, 0, 0, 0, 0]),
        (5, "9 9 9 9 8", None, [0, 0, 0, 0, 35]),
        (5, "1 1 9 9 9", None, [10, 10, 0, 0, 0]),  # 27 is 25, halved and cut down
        (5, "1 1 1 9 9", None, [5, 5, 5, 0, 0]),  # 18 is 20, a third is 6
        (5, "1 1 1 1 9", None, [0, 0, 0, 0, 0]),
    ],
)
def test_winner_takes_two_and_five(players: int, pips: str, out: str | None, changes: list[int]) -> None:
    assert settled(rules_of("all-fives", players), pips, out) == changes


@pytest.mark.parametrize(
    ("pips", "out", "changes"),
    [
        ("- 4 20 4", "A", [10, 0]),  # the partner's 20 are not counted
        ("5 4 0 -", "D", [0, 5]),
        ("5 9 5 2", None, [10, 0]),  # 10 against 11: sums of the pairs are compared
        ("0 9 12 2", None, [0, 10]),  # the lowest hand is A's, but B and D have less together
        ("5 6 6 5", None, [0, 0]),
    ],
)
def test_winner_takes_in_pairs(pips: str, out: str | None, changes: list[int]) -> None:
    assert settled(PAIRS["all-fives"], pips, out) == changes


def test_four_singly() -> None:
    rules = rules_of("all-fives", 4, partners=False)
    assert settled(rules, "- 4 20 4", "A") == [30, 0, 0, 0]
    assert settled(rules, "2 2 20 5", None) == [10, 10, 0, 0]


@pytest.mark.parametrize(("unit", "changes"), [("1", [0, -1, -2]), ("5", [0, -5, -10]), ("2", [0, -2, -4])])
def test_deduction_in_other_units(unit: str, changes: list[int]) -> None:
    rules = rules_of("all-fives", 3, settlement="deduct-own", points_per_five=unit)
    assert settled(rules, "- 7 8", "A") == changes


def test_winner_takes_divided_by_five() -> None:
    rules = rules_of("five-up", 3, settlement="winner-takes")
    assert settled(rules, "- 7 8", "A") == [3, 0, 0]
    assert settled(rules, "4 4 15", None) == [1, 1, 0]


def test_what_a_settlement_says_of_each_hand() -> None:
    hands = dict(left("B 3 pips | C 2-0 | D 0-0"))
    deducted = settle(hands, rules=PAIRS["five-up"], out="A")
    assert deducted.hands == {
        "B": HandSettled(3, 5, -1),
        "C": HandSettled(2, 0, 0),
        "D": HandSettled(0, 0, 0),
    }
    assert deducted.teams == {Team(("A", "C")): 0, Team(("B", "D")): -1}
    assert (deducted.raw, deducted.shared) == (0, False)
    taken = settle(hands, rules=PAIRS["all-fives"], out="A")
    assert taken.hands["B"] == HandSettled(3, 5, 0)
    assert (taken.raw, taken.shared) == (5, False)
    assert settle(dict(left("A 4 pips | B 4 pips | C 15 pips")), rules=SINGLES["muggins"], out=None).raw == 15


def test_who_went_out_has_nothing_left_whatever_is_named() -> None:
    hands = {"A": Left(50), "B": Left(5), "C": Left(5)}
    for preset, changes in (("five-up", [0, -1, -1]), ("all-fives", [10, 0, 0])):
        settlement = settle(hands, rules=SINGLES[preset], out="A")
        assert (list(settlement.teams.values()), list(settlement.hands)) == (changes, ["B", "C"])

"""The referee's desk as people use it: what they tap, what they are told, and that each ruling is a link."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from fiveup_ref.engine.rules import FIELDS
from fiveup_ref.engine.ruling import Rule
from fiveup_ref.rule_sets import RuleSet
from fiveup_ref.store import Store
from fiveup_ref.web import create_app

from .desk import Desk
from .device import Device, Page
from .test_language import english_only

QUESTIONS = ("count", "place", "left", "won", "opens", "blocked", "turn")


# Is that count right, and may it go there: cases met in the wild, laid tile by tile.


@pytest.mark.parametrize(
    ("game", "plays", "said"),
    [
        ("Five Up", "5-5 5-3>5-5 5-4>5-5 6-3>5-3 4-4>5-4 6-5>5-5", "10 2|13 0|7 0|10 2|14 0|20 4"),  # R01
        ("Five Up", "1-1 6-1>1-1 5-1>1-1 4-1>1-1", "2 0|8 0|11 0|15 3"),  # R02
        ("All Fives", "5-3 5-5>5-3 5-1>5-5", "8 0|13 0|4 0"),  # R05
        ("Five Up", "5-5 5-0>5-5", "10 2|10 2"),  # R11
        ("Five Up", "6-6 6-3>6-6", "12 0|15 3"),  # R13
        ("All Fives", "6-6 6-3>6-6", "12 0|15 15"),  # R17
        ("Five Up", "2-1", "3 0"),  # R46
        ("Five Up", "5-4 6-4>5-4 6-6>6-4 6-0>6-6 0-0>6-0 3-0>0-0 3-3>3-0 6-3>3-3 6-1>6-3 2-1>6-1 3-2>2-1 3-1>3-2 4-1>3-1",
         "9 0|11 0|17 0|5 1|5 1|8 0|11 0|11 0|6 0|7 0|8 0|6 0|9 0"),  # R61
        ("Muggins", "4-3 5-3>4-3 4-2>4-3 2-2>4-2 2-0>2-2 0-0>2-0 3-0>0-0 6-3>3-0 6-4>6-3 4-4>6-4 4-0>4-4 6-0>4-0 5-4>5-3 6-6>6-0",
         "7 0|9 0|7 0|9 0|5 5|5 5|8 0|11 0|9 0|13 0|5 5|11 0|10 10|16 0"),  # R59, without spinners
        ("Five Up", "4-3 5-3>4-3 4-2>4-3 2-2>4-2 2-0>2-2 0-0>2-0 3-0>0-0 6-3>3-0 6-4>6-3 4-4>6-4 4-0>4-4 6-0>4-0 5-4>5-3 6-6>6-0",
         "7 0|9 0|7 0|9 0|5 1|5 1|8 0|11 0|9 0|13 0|5 1|11 0|10 2|16 0"),  # R59
    ],
)  # fmt: skip
def test_counts_laid_tile_by_tile(app: Flask, game: str, plays: str, said: str) -> None:
    desk = Desk(app, "count")
    desk.tap("Lay the tiles")
    desk.tap(game)
    expected = []
    for one in said.split("|"):
        count, points = one.split()
        worth = "no score" if points == "0" else f"{points} point" + "s" * (points != "1")
        expected.append(f"The count is {count}: {worth}.")
    assert desk.lay(plays) == expected


def test_r61_open_branches_count_nothing(app: Flask) -> None:
    desk = Desk(app, "count")
    desk.tap("Lay the tiles")
    desk.lay("5-4 6-4>5-4 6-6>6-4 6-0>6-6 0-0>6-0 3-0>0-0 3-3>3-0 6-3>3-3")
    tips = [line for line in desk.part("steps") if line.startswith("A branch of")]
    assert tips == [
        f"A branch of {tile} is open, but it counts nothing until a tile lies on it." for tile in ("6-6", "0-0", "3-3")
    ]


def test_r04_the_claim_of_18_is_explained(app: Flask) -> None:
    desk = Desk(app, "count")
    desk.tap("Lay the tiles")
    desk.lay("6-4 4-4>6-4")
    desk.ask(claim="18", unit="raw")
    assert (desk.verdict, desk.stands) == (
        "The claim of 18 raw points does not stand: the count is 14, no score.",
        "no",
    )
    assert desk.part("mistakes") == ["With the covered 4 of 6-4 counted, it would be 18."]
    assert "Added up: 6 + 4-4 8 = 14." in desk.part("steps")


def test_r14_the_last_tile_is_taken_back_not_the_leftmost(app: Flask) -> None:
    desk = Desk(app, "count")
    desk.tap("Lay the tiles")
    assert desk.lay("6-4 4-1>6-4 6-3>6-4")[1:] == ["The count is 7: no score.", "The count is 4: no score."]
    desk.tap("↶ Take back 6-3 on 6-4")
    assert desk.verdict == "The count is 7: no score."


@pytest.mark.parametrize(
    ("ends", "claim", "unit", "verdict"),
    [
        ("5 4", "9", "raw", "The count of 9 is right, but it scores nothing."),  # R16
        ("6-6", "12", "raw", "The count of 12 is right, but it scores nothing."),
        ("1 2", "3", "raw", "The count of 3 is right, but it scores nothing."),  # R62
        ("1-1 2", "4", "raw", "The count of 4 is right, but it scores nothing."),
        ("6-6 3", "3", "points", "The claim of 3 points stands: the count is 15, 3 points."),
        ("6-6 3", "8", "points", "The claim of 8 points does not stand: the count is 15, 3 points."),
        ("0 0", "0", "points", "The claim of 0 points stands: the count is 0, no score."),
        ("6-6 5 4", "21", "raw", "The count of 21 is right, but it scores nothing."),
        ("5-5 0", "10", "points", "The claim of 10 points does not stand: the count is 10, 2 points."),
    ],
)
def test_counts_by_the_ends_as_they_lie(app: Flask, ends: str, claim: str, unit: str, verdict: str) -> None:
    desk = Desk(app, "count")
    for end in ends.split():
        desk.tap(f"Add {end}")
    desk.ask(claim=claim, unit=unit)
    assert desk.page.status == 200
    assert desk.verdict == verdict


def test_a_claim_without_its_unit_is_asked_for_and_nothing_is_lost(app: Flask) -> None:
    desk = Desk(app, "count")
    desk.tap("Add 6-6")
    desk.tap("Add 3")
    desk.ask(claim="15")
    assert (desk.page.status, desk.ruled) == (422, False)
    assert desk.errors == {"unit": "Say what it was called in: 10 raw points are not 10 points."}
    desk.ask(unit="raw")
    assert desk.verdict == "The claim of 15 raw points stands: the count is 15, 3 points."
    desk.tap("Take out 3")
    assert desk.verdict == "The claim of 15 raw points does not stand: the count is 12, no score."


@pytest.mark.parametrize(
    ("plays", "tile", "game", "verdict", "lines"),
    [
        ("1-1 6-1>1-1 5-1>1-1", "4-1", "Five Up", "Yes: 4-1 may go on 1-1.",
         ["On a branch of 1-1: 6 + 5 + 4 = 15, 3 points.", "The 1 of 6-1 is already covered.",
          "The 1 of 5-1 is already covered."]),  # R02
        ("6-6 6-3>6-6 6-4>6-6", "6-5", "Five Up", "Yes: 6-5 may go on 6-6.",
         ["On a branch of 6-6: 3 + 4 + 5 = 12, no score.", "The 6 of 6-3 is already covered.",
          "The 6 of 6-4 is already covered."]),  # R07
        ("5-5", "5-2", "Five Up", "Yes: 5-2 may go on 5-5.",
         ["On a side of 5-5: 5-5 10 + 2 = 12, no score.",
          "On a branch of 5-5: not yet. A branch opens only when both sides are covered."]),  # R08
        ("6-4 4-4>6-4 4-1>4-4", "4-3", "All Fives", "Yes: 4-3 may go on 4-4.",
         ["On a branch of 4-4: 6 + 1 + 3 = 10, 10 points.", "The 4 of 6-4 is already covered.",
          "The 4 of 4-1 is already covered."]),  # R10
        ("6-4 4-4>6-4 4-1>4-4 4-3>4-4 1-1>4-1 2-1>1-1", "5-1", "All Fives", "No: 5-1 fits nowhere now.",
         ["The 1 of 4-1 is already covered.",
          "Both sides of 1-1 are covered, and in this game it has no branches.",
          "The 1 of 2-1 is already covered."]),  # R10
        ("6-4 4-4>6-4 4-1>4-4 4-3>4-4 1-1>4-1 2-1>1-1", "5-1", "Five Up", "Yes: 5-1 may go on 1-1.",
         ["On a branch of 1-1: 6 + 3 + 2 + 5 = 16, no score.", "The 1 of 4-1 is already covered.",
          "The 1 of 2-1 is already covered."]),
        ("0-0 3-0>0-0", "0-0", "Five Up", "No: 0-0 lies on the table already.",
         ["0-0 is already on the table. Every tile exists once."]),  # R35
        ("4-3 5-3>4-3 4-2>4-3 2-2>4-2 2-0>2-2 0-0>2-0 3-0>0-0 6-3>3-0 6-4>6-3 4-4>6-4 4-0>4-4 6-0>4-0", "1-0",
         "Five Up", "Yes: 1-0 may go on 0-0.", None),  # R59: the branch that made the draw wrong
    ],
)  # fmt: skip
def test_places(app: Flask, plays: str, tile: str, game: str, verdict: str, lines: list[str] | None) -> None:
    desk = Desk(app, "place")
    desk.tap(game)
    desk.lay(plays)
    desk.tap(f"Ask about {tile}")
    assert desk.verdict == verdict
    if lines is not None:
        assert desk.part("steps") == lines


def test_what_lies_covered_cannot_be_tapped(app: Flask) -> None:
    """R07: the page offers the open places only, each once."""
    desk = Desk(app, "place")
    desk.lay("6-6 6-3>6-6 6-4>6-6")
    rows = [row.one("span", "end").text for row in desk.page.tree.all("div", "grid-row")]
    assert rows == ["46-4", "36-3", "66-6"]


# Leftovers


@pytest.mark.parametrize(
    ("sides", "out", "left", "verdict"),
    [
        ("4 players, partners", "blocked", "3|3|3|3", "The settlement: A + C −2, B + D −2."),  # R29, R40
        ("4 players, partners", "blocked", "8|7|8|7", "The settlement: A + C −4, B + D −2."),
        ("4 players, partners", "blocked", "2|1|2|2", "The settlement changes nothing: A + C 0, B + D 0."),
        ("4 players, partners", "blocked", "7|7|7|7", "The settlement: A + C −2, B + D −2."),  # R25
        ("4 players, partners", "A", "|3-0 2-1|6|0-0", "The settlement: A + C −1, B + D −1."),
        ("2 players", "A", "|4-2 2-0", "The settlement: A 0, B −2."),  # R59
        ("2 players", "A", "|1-0 4-3", "The settlement: A 0, B −2."),  # R62
        *((sides, out, left, f"The settlement{'' if cost else ' changes nothing'}: A 0, B {'−' * bool(cost)}{cost}.")
          for pips, cost in zip((0, 2, 3, 7, 8, 12, 13, 22, 23, 42), (0, 0, 1, 1, 2, 2, 3, 4, 5, 8), strict=True)
          for sides, out, left in (("2 players", "A", f"|{pips}"), ("2 players", "blocked", f"0|{pips}"))
          if pips),  # R28, R34
    ],
)  # fmt: skip
def test_leftovers(app: Flask, sides: str, out: str, left: str, verdict: str) -> None:
    desk = Desk(app, "left")
    desk.tap(sides)
    hands: dict[str, str | list[str]] = {
        f"left-{seat}": one for seat, one in zip("ABCD", left.split("|"), strict=False)
    }
    desk.ask(out=out, **hands)
    assert desk.errors == {}
    assert desk.verdict == verdict


def test_leftovers_can_be_tapped_and_the_wrong_ways_stand_beside(app: Flask) -> None:
    desk = Desk(app, "left")
    desk.ask(out="A", left_B=["", "3-0"], left_C="6", left_D="3")
    assert desk.verdict == "The settlement: A + C −1, B + D −2."
    assert "Wrong: partners added up first and rounded once. That would be A + C −1, B + D −1." in desk.part("mistakes")
    assert [
        node.get("value") for node in desk.page.tree.all("input", type="checkbox") if "checked" in node.attributes
    ] == ["3-0"]


def test_in_all_fives_the_partners_leftovers_are_left_out(app: Flask) -> None:
    desk = Desk(app, "left")
    desk.tap("All Fives")
    desk.ask(out="A", left_B="3", left_C="20", left_D="3")
    assert desk.verdict == "The settlement: A + C +5, B + D 0."
    assert "C has 20 pips left. That is the partner of who went out, so it is left out." in desk.part("steps")
    assert "Wrong: the partner's leftovers taken too. That would be A + C +25, B + D 0." in desk.part("mistakes")


def test_leftovers_together_are_of_one_set(app: Flask) -> None:
    desk = Desk(app, "left")
    desk.tap("2 players")
    for hands, sentence in (
        (("100", "69"), "All cannot have 169 pips left together: with these tiles it is 1 to 168."),
        (("0", "0"), "All cannot have 0 pips left together: with these tiles it is 1 to 168."),
        (("0", "0-0"), "All cannot have 0 pips left together: with these tiles it is 1 to 168."),
        (("99", "69"), ""),
        (("1", "0-0"), ""),
    ):
        desk.ask(out="blocked", left_A=hands[0], left_B=hands[1])
        assert desk.errors.get("left", "") == sentence
        assert desk.ruled != bool(sentence)


@pytest.mark.parametrize("doubles", [6, 7])
def test_doubles_that_count_leave_too_few_to_branch(app: Flask, doubles: int) -> None:
    desk = Desk(app, "count")
    for pip in range(doubles):
        desk.tap(f"Add {pip}-{pip}")
    assert list(desk.errors) == ["ends"]
    assert f"Doubles that count here: {doubles}." in desk.errors["ends"]


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"left-B": "3"}, {"out", "left-A", "left-C", "left-D"}),
        ({"out": "A", "left-A": "1", "left-B": "3", "left-C": "1", "left-D": "1"}, {"left-A"}),
        ({"out": "A", "left-B": "7-8", "left-C": "1", "left-D": "1"}, {"left-B"}),  # R64
        ({"out": "A", "left-B": "5-3", "left-C": "3-5", "left-D": "1"}, {"left-B"}),  # R35
        ({"out": "A", "left-B": "12a", "left-C": "999", "left-D": "-3"}, {"left-B", "left-C", "left-D"}),
        ({"out": "A", "left-B": "1_0", "left-C": "٣", "left-D": "3,5"}, {"left-B", "left-C", "left-D"}),
    ],
)
def test_wrong_leftovers_are_told_beside_their_field(app: Flask, fields: dict[str, str], errors: set[str]) -> None:
    desk = Desk(app, "left")
    desk.ask(**fields)
    assert (desk.page.status, desk.ruled, set(desk.errors)) == (422, False, errors)
    kept = {node.get("name"): node.get("value") for node in desk.page.tree.all("input", type="text")}
    assert {name: value for name, value in fields.items() if name != "out"}.items() <= kept.items()


# Who has won, who opens, blocked, one more tile


@pytest.mark.parametrize(
    ("sides", "before", "after", "verdict"),
    [
        ("2 players", "63 55", "60 55", "Nobody has won: the target was reached in play, but not any more after the settlement."),  # R49
        ("2 players", "63 55", "", "Nobody has won yet: the round is finished and settled first."),
        ("3 players", "64 64 62", "63 63 61", "Nobody has won: the highest score is shared. Everybody plays one more round."),  # R50
        ("3 players", "64 66 70", "64 66 70", "C has won with 70 points."),
        ("2 players", "62 62", "62 62", "Nobody has won: the highest score is shared. Everybody plays one more round."),  # R52
        ("2 players", "58 58", "58 58", "Nobody has won yet."),  # R53
        ("3 players", "61 61 40", "61 61 40", "Nobody has won: the highest score is shared. Everybody plays one more round."),
        ("2 players", "61 50", "59 50", "Nobody has won: the target was reached in play, but not any more after the settlement."),  # R55
        ("4 players, partners", "66 64", "66 64", "A + C has won with 66 points."),  # R56
        ("2 players", "-5 3", "−6 3", "Nobody has won yet."),
        ("2 players", "", "62 40", "A has won with 62 points."),
    ],
)  # fmt: skip
def test_who_has_won(app: Flask, sides: str, before: str, after: str, verdict: str) -> None:
    desk = Desk(app, "won")
    desk.tap(sides)
    fields = {f"before-{seat}": one for seat, one in zip("ABC", before.split(), strict=False)}
    fields |= {f"after-{seat}": one for seat, one in zip("ABC", after.split(), strict=False)}
    desk.ask(**fields)
    assert desk.verdict == verdict


def test_an_empty_field_is_called_empty_and_what_is_not_said_is_assumed(app: Flask) -> None:
    desk = Desk(app, "won")
    desk.tap("2 players")
    desk.ask(before_A="60")
    assert desk.errors == {"before-B": "This field is empty. Enter a whole number."}
    desk.ask(before_A="", after_A="60", after_B="55")
    assert desk.part("steps")[:3] == [
        "A has 60 points.",
        "B has 55 points.",
        "The scores before the settlement are not given: it is taken that nobody had won before it.",
    ]


def test_a_settlement_goes_one_way_only(app: Flask) -> None:
    desk = Desk(app, "won")
    desk.ask(before_A="60", before_B="50", after_A="59", after_B="51")
    assert desk.errors == {
        "after-B": "In this game the settlement only deducts, so B + D cannot have more points after it."
    }
    desk.tap("All Fives")
    desk.tap("2 players")
    desk.ask(before_A="60", before_B="50", after_A="59", after_B="51")
    assert desk.errors == {
        "after-A": "In this game the settlement deducts nothing, so A cannot have fewer points after it."
    }


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("255 245", "255 270", "A has won with 255 points."),
        ("255 245", "255 255", "A has won with 255 points."),
        ("255 255", "255 270", "Whoever came to 250 points first has won: the scores alone do not say who that was."),
        ("245 240", "245 255", "B has won with 255 points."),
    ],
)
def test_where_the_target_is_looked_at_at_once_a_settlement_takes_no_win(
    app: Flask, before: str, after: str, verdict: str
) -> None:
    for game in ("All Fives", "Muggins"):
        desk = Desk(app, "won")
        desk.tap(game)
        desk.tap("2 players")
        scores = dict(zip(("before_A", "before_B", "after_A", "after_B"), f"{before} {after}".split(), strict=True))
        desk.ask(**scores)
        assert desk.verdict == verdict


def test_r17_each_game_has_its_own_target(app: Flask) -> None:
    desk = Desk(app, "won")
    assert desk.page.tree.one("input", name="target").get("value") == "61"
    desk.tap("All Fives")
    assert desk.page.tree.one("input", name="target").get("value") == "200"
    desk.tap("2 players")
    assert desk.page.tree.one("input", name="target").get("value") == "250"
    desk.ask(before_A="250", before_B="90")
    assert desk.verdict == "A has won with 250 points."  # looked at at once


@pytest.mark.parametrize(
    ("question", "fields", "verdict"),
    [
        ("opens", {"last": "blocked"}, "A lot among all decides who opens."),  # R25, R44
        ("opens", {"last": "first"}, "A lot among all decides who opens."),
        ("opens", {"last": "out", "who": "B"}, "B opens."),  # R43
        ("opens", {"last": "blocked", "lot-A": "6-3", "lot-B": "5-4", "lot-C": "1-0", "lot-D": "0-0"},
         "Not decided: A + B repeat the lot."),  # R43
        ("opens", {"last": "blocked", "lot-A": "6-3", "lot-B": "6-4"}, "B opens."),
        ("blocked", {"drawable": "10", "holding": "nobody"}, "Not blocked: tiles can still be drawn."),  # R19
        ("blocked", {"drawable": "0", "holding": "nobody"}, "Blocked: the round is over and is settled."),
        ("blocked", {"drawable": "0", "holding": "somebody"}, "Not blocked: somebody can still play."),  # R20
        ("blocked", {"drawable": "3", "holding": "dead"},
         "Not blocked yet: the player on turn draws what can be drawn, and then all pass."),
        ("blocked", {"drawable": "3", "holding": "dead", "stop": "yes"},
         "Blocked: no tile that is left fits anywhere, and this game lets the round end at once."),
        ("turn", {"drawable": "3", "fitting": "none"}, "Draw one more tile."),
        ("turn", {"drawable": "3", "fitting": "drawn"}, "Stop drawing, and play that tile at once."),
        ("turn", {"drawable": "3", "fitting": "hand"}, "Play: whoever can play must play."),
        ("turn", {"drawable": "0", "fitting": "none"}, "Pass: it is the next player's turn."),
    ],
)  # fmt: skip
def test_a_few_answers_of_the_table(app: Flask, question: str, fields: dict[str, str], verdict: str) -> None:
    desk = Desk(app, question)
    desk.ask(**fields)
    assert desk.verdict == verdict


@pytest.mark.parametrize(
    ("question", "fields", "errors"),
    [
        ("opens", {"last": "out"}, {"who"}),
        ("opens", {"last": "first", "lot-A": "9-9", "lot-B": "x"}, {"lot-A", "lot-B"}),
        ("opens", {"last": "first", "lot-A": "6-3", "lot-B": "3-6"}, {"lot-B"}),
        ("opens", {"last": "first", "lot-A": "6-3"}, {"lot"}),
        ("opens", {"last": "first", "lot-A": "12", "lot-B": "6-3"}, {"lot-A"}),
        ("blocked", {"drawable": "", "holding": "nobody"}, {"drawable"}),
        ("blocked", {"drawable": "27"}, {"drawable", "holding"}),
        ("turn", {"drawable": "1e1", "fitting": "none"}, {"drawable"}),
        ("won", {"before-A": "x", "before-B": "1"}, {"before-A"}),
        ("won", {"before-A": "1", "before-B": "1", "after-A": "1"}, {"after-B"}),
        ("won", {"before-A": "1", "before-B": "99999", "target": "0"}, {"before-B", "target"}),
        ("won", {"before-A": "", "before-B": ""}, {"before-A", "before-B"}),
        ("won", {"after-A": "1"}, {"after-B"}),
        ("won", {"before-A": "60", "before-B": "60", "after-A": "60", "after-B": "61"}, {"after-B"}),
    ],
)
def test_missing_answers_are_asked_for(app: Flask, question: str, fields: dict[str, str], errors: set[str]) -> None:
    desk = Desk(app, question)
    desk.ask(**fields)
    assert (desk.page.status, desk.ruled, set(desk.errors)) == (422, False, errors)


# Each ruling is a link, has four parts, and says the same as JSON.

RULINGS = [
    "/judge/count?game=five-up&ends=6-6+5+4&claim=16&unit=raw",
    "/judge/count?game=five-up&plays=5-5+5-0>5-5+5-4>5-5&claim=14&unit=raw",
    "/judge/count?game=all-fives&five=1&ends=6+4&claim=10&unit=points",
    "/judge/place?game=five-up&plays=5-5+5-0>5-5&tile=5-2",
    "/judge/place?game=muggins&plays=5-5+5-0>5-5+5-4>5-5&tile=5-2",
    "/judge/left?game=five-up&sides=pairs&out=A&left-B=3-0+2-1&left-C=6&left-D=0-0",
    "/judge/left?game=all-fives&sides=pairs&out=A&left-B=3&left-C=20&left-D=3",
    "/judge/won?game=all-fives&sides=2&before-A=255&before-B=245&after-A=255&after-B=270",
    "/judge/won?game=muggins&sides=2&before-A=255&before-B=250",
    "/judge/left?game=all-fives&sides=3&out=blocked&left-A=3&left-B=3&left-C=14",
    "/judge/won?game=five-up&sides=2&target=61&before-A=63&before-B=55&after-A=60&after-B=54",
    "/judge/count?game=all-fives&spinner_counts=yes&plays=6-6+6-3>6-6+6-0>6-6&claim=3&unit=raw",
    "/judge/left?game=all-fives&sides=2&settlement=deduct-own&out=A&left-B=8",
    "/judge/won?game=all-fives&sides=2&target=300&exact=yes&target_check=after-round&before-A=300&before-B=250",
    "/judge/opens?double_opens=yes&last=blocked",
    "/judge/opens?last=out&who=C",
    "/judge/blocked?drawable=0&holding=nobody&stop=no",
    "/judge/turn?drawable=3&fitting=none",
]


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("address", RULINGS)
def test_a_ruling_is_a_link_with_four_parts(app: Flask, address: str, language: str) -> None:
    device = Device(app, language=language)
    page = Page(device.client.get(address, headers=device.headers))
    assert page.status == 200
    slip = page.tree.one("section", "ruling")
    verdict = slip.one("p", "verdict").text
    assert verdict
    assert len(slip.all("li")) >= 2
    assert slip.all("ul", "otherwise")[0].all("li")
    rule = slip.one("a", "rule-link").get("href")
    rules = device.get("/rules")
    assert urlsplit(rule).fragment in {node.get("id") for node in rules.tree.all("section")}
    again = slip.one("a", "permanent").get("href")
    assert sorted(parse_qsl(urlsplit(again).query)) == sorted(parse_qsl(urlsplit(address).query))
    assert Page(device.client.get(again, headers=device.headers)).tree.one("p", "verdict").text == verdict
    path, _, query = address.partition("?")
    answer = device.client.get(f"{path}.json?{query}", headers=device.headers)
    value = json.loads(answer.text)
    assert answer.mimetype == "application/json"
    assert value["ruling"] == verdict
    lines = [*value["working"], *value["mistakes"], *value["otherwise"]]
    assert lines == [line.text for one in slip.all("ul") for line in one.all("li")]
    assert value["rule"] == {"title": slip.one("a", "rule-link").text, "address": rule}


@pytest.mark.parametrize("address", RULINGS)
def test_an_indonesian_ruling_has_no_english_sentence(app: Flask, address: str) -> None:
    device = Device(app, language="id")
    text = device.client.get(address, headers=device.headers).text
    seen = re.sub(r'="/[^"]*"|name="[^"]*"|http\S+', "", text)  # an address has the settings by their identifiers
    assert [one for one in english_only() if one in seen] == []


def test_what_cannot_be_read_is_said_as_json_too(app: Flask) -> None:
    answer = app.test_client().get("/judge/count.json?ends=1+2+3+4+5&game=muggins")
    assert answer.status_code == 422
    value = json.loads(answer.text)
    assert value["errors"] == {"ends": "There cannot be more than 2 counting ends in this game."}
    assert "ruling" not in value


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/judge/count?ends=6-6+6-6", "6-6 cannot be an end twice. Every tile exists once."),
        ("/judge/count?ends=6-6+7", "7 is not an end. Ends are numbers from 0 to 6 and doubles such as 6-6."),
        ("/judge/count?ends=5&claim=5&unit=raw", "Only a double that lies alone is the one end of a layout. Enter every end."),
        ("/judge/count?ends=&claim=5&unit=raw", "Enter at least one counting end."),
        ("/judge/count?ends=5+0&claim=1001&unit=raw", "Enter a whole number from 0 to 1000."),
        ("/judge/count?ends=5+0&claim=5&unit=pounds", "Choose one of those offered."),
        ("/judge/count?plays=5-5+5-0>5-5+5-0>5-5", "5-0 is already on the table. Every tile exists once."),
        ("/judge/count?plays=&claim=5&unit=raw", "Lay at least one tile."),
        ("/judge/count?plays=7-8", "There is no tile 7-8. The set goes from 0-0 to 6-6."),  # R64
        ("/judge/count?game=chess", "Choose one of those offered."),
        ("/judge/place?plays=5-5&tile=55x", "55x is not a tile. Write a tile as two numbers from 0 to 6, such as 6-4."),
        ("/judge/left?game=five-up&sides=4", "In this game four players are two partnerships."),
        ("/judge/left?game=five-up&sides=5", "This game is for 2 to 4 players."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_reason(device: Device, address: str, sentence: str) -> None:
    page = Page(device.client.get(address))
    assert page.status == 422
    assert sentence in [node.text for node in page.tree.all("span", "error")]
    assert page.tree.all("section", "ruling") == []


def test_what_was_laid_before_the_fault_stays(device: Device) -> None:
    page = device.get("/judge/count", plays="5-5 5-0>5-5 6-4>5-5 4-4>6-4")
    assert (page.status, len(page.tree.all("g", "tile"))) == (422, 2)
    assert page.tree.one("span", "error").text == "6-4 does not fit 5-5: they have no number in common."
    links = [parse_qsl(urlsplit(link.get("href")).query) for link in page.tree.one("div", "grid").all("a")]
    assert ("plays", "5-5 5-0>5-5 6-0>5-0") in [pair for link in links for pair in link]


def test_the_first_end_of_several_is_no_mistake(app: Flask) -> None:
    desk = Desk(app, "count")
    desk.tap("Add 5")
    assert (desk.page.status, desk.ruled, desk.errors) == (200, False, {})


TEXT = st.text(alphabet=st.sampled_from("0123456-> +ABabc\x00é<'%{}"), max_size=40)


@given(
    question=st.sampled_from(QUESTIONS),
    fields=st.dictionaries(
        st.sampled_from(("game", "five", "sides", "ends", "plays", "tile", "claim", "unit", "out", "left-A", "left-B",
                         "left-C", "left-D", "before-A", "after-A", "before-B", "after-B", "target", "last", "who", "lot-A", "lot-B",
                         "drawable", "holding", "stop", "fitting", *FIELDS)),
        TEXT | st.sampled_from(("all-fives", "muggins", "raw", "points", "5", "3-0", "5-5", "A", "blocked", "2", "pairs",
                                "nobody", "dead", "none", "out", "yes", "at-once", "1")),
        max_size=8,
    ),
)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_no_address_breaks_the_desk(fuzzed_app: Flask, question: str, fields: dict[str, str]) -> None:
    client = fuzzed_app.test_client()
    for path in (f"/judge/{question}", f"/judge/{question}.json"):
        answer = client.get(path, query_string=fields)
        assert answer.status_code in (200, 422)
        if path.endswith("json"):
            json.loads(answer.text)
        else:
            told = [node.text for node in Page(answer).tree.all("span", "error")]
            assert bool(told) == (answer.status_code == 422)


@pytest.fixture(scope="module")
def fuzzed_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    app = create_app(Store(tmp_path_factory.mktemp("desk")), secret_key="for tests", everyone_here=True)
    app.config["PROPAGATE_EXCEPTIONS"] = True
    return app


# House rules


HOUSE = [
    ("count?game=all-fives&spinner_counts=yes&plays=6-6+6-3>6-6+6-0>6-6", "The count is 15: 15 points."),
    ("count?game=all-fives&points_per_five=2&ends=6+4", "The count is 10: 4 points."),
    ("count?game=five-up&spinners=0&ends=5-5+0", "The count is 10: 2 points."),
    ("place?game=five-up&spinners=1&plays=5-5+5-4>5-5+4-4>5-4+4-1>4-4&tile=4-2", "No: 4-2 fits nowhere now."),
    ("place?game=all-fives&spinners=7&plays=5-5+5-4>5-5+4-4>5-4+4-1>4-4&tile=4-2", "Yes: 4-2 may go on 4-4."),
    ("left?game=all-fives&sides=2&settlement=deduct-own&out=A&left-B=8", "The settlement: A 0, B −10."),
    ("left?game=five-up&sides=2&points_per_five=5&out=A&left-B=8", "The settlement: A 0, B −10."),
    ("won?game=all-fives&sides=2&target_check=after-round&before-A=250&before-B=240&after-A=250&after-B=260",
     "B has won with 260 points."),
    ("won?game=five-up&sides=2&target=100&before-A=61&before-B=55&after-A=61&after-B=55", "Nobody has won yet."),
    ("won?game=all-fives&sides=4&target=150&before-A=150&before-B=1&before-C=1&before-D=1",
     "A has won with 150 points."),
    ("opens?double_opens=yes&last=first", "Whoever holds the highest double opens with it."),
    ("blocked?stop_when_dead=yes&drawable=3&holding=dead",
     "Blocked: no tile that is left fits anywhere, and this game lets the round end at once."),
]  # fmt: skip


@pytest.mark.parametrize(("address", "verdict"), HOUSE)
def test_every_question_is_ruled_by_the_house_rules_of_its_address(device: Device, address: str, verdict: str) -> None:
    page = Page(device.client.get(f"/judge/{address}"))
    assert page.tree.one("section", "ruling").one("p", "verdict").text == verdict
    assert "House rules: " in page.tree.all("section", "asking")[0].text
    assert "House rules: " in page.tree.one("section", "ruling").one("p", "facts").text
    question, _, query = address.partition("?")
    assert "House rules: " in json.loads(device.client.get(f"/judge/{question}.json?{query}").text)["facts"][0]


@pytest.mark.parametrize(
    ("address", "game"),
    [
        ("count?game=all-fives&ends=6-6+4+4", "All Fives"),
        ("count?ends=6-6+4+4", "Five Up"),
        ("place?game=muggins&plays=5-5&tile=5-4", "Muggins"),
        ("left?game=all-fives&sides=2&out=A&left-B=8", "All Fives"),
        ("won?after-A=61&after-B=55", "Five Up"),
        ("blocked?game=all-fives&drawable=0&holding=nobody", "All Fives"),
    ],
)
def test_a_ruling_names_its_game_on_the_slip_and_as_json(device: Device, address: str, game: str) -> None:
    page = Page(device.client.get(f"/judge/{address}"))
    assert page.tree.one("section", "ruling").one("p", "facts").text.split(" · ")[0] == game
    question, _, query = address.partition("?")
    assert json.loads(device.client.get(f"/judge/{question}.json?{query}").text)["facts"][0] == game


def test_a_question_that_asks_for_no_game_names_none(device: Device) -> None:
    page = Page(device.client.get("/judge/turn?drawable=3&fitting=none"))
    assert not page.tree.one("section", "ruling").all("p", "facts")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("house", "sentence"),
    [
        (
            "game=five-up&spinner_counts=yes",
            "A spinner whose open edges count must be the only one: choose one spinner.",
        ),
        ("spinners=99", "For number of spinners, enter a number from 0 to 7."),
        ("exact=perhaps", "perhaps is not a value of exact target."),
        ("hand=14&reserve=2", "The set has 28 tiles: 2 hands of 14 and a reserve of 2 are too many."),
        ("target=1e9", "1e9 is not a value of target."),
    ],
)
def test_house_rules_that_cannot_be_are_refused(device: Device, question: str, house: str, sentence: str) -> None:
    page = Page(device.client.get(f"/judge/{question}?sides=2&{house}"))
    assert page.status == 422
    assert page.tree.texts("span", "error") == [sentence]
    assert Page(device.client.get(f"/judge?sides=2&{house}")).status == 200


def test_sniff_is_chosen_on_the_desk_and_stays_as_the_form_is_sent_on(app: Flask) -> None:
    desk = Desk(app, "count")
    desk.tap("All Fives")
    desk.tap("Sniff: its open edges go on counting")
    desk.tap("Lay the tiles")
    assert desk.lay("6-6 6-3>6-6 6-0>6-6")[-1] == "The count is 15: 15 points."
    desk.ask(claim="15", unit="points")
    assert desk.stands == "yes"
    desk.tap("The spinner counts as in All Fives")
    assert desk.verdict == "The claim of 15 points does not stand: the count is 3, no score."
    desk.tap("Five Up")
    assert "Sniff" not in desk.page.tree.all("section", "asking")[0].text


def test_the_tables_own_rules_are_chosen_beside_the_games(app: Flask, store: Store) -> None:
    changes = {"spinner_counts": "yes", "exact": "yes", "target": "150"}
    kept = store.rule_sets.keep(RuleSet("", "Friday", "all-fives", changes))
    desks = [Desk(app, question) for question in ("count", "place", "left", "won")]
    for desk in desks:
        desk.tap("Friday")
        (chosen,) = [one for one in desk.page.tree.all("a", "button") if one.text == "Friday"]
        assert chosen.get("aria-current") == "true"
        assert "exact target" in desk.page.tree.all("section", "asking")[0].text
    desk = desks[-1]
    desk.tap("2 players")  # the rules stay
    desk.ask(before_A="140", before_B="90", after_A="140", after_B="155")
    assert desk.errors == {"after-B": "With an exact target nobody gets past 150 points, so B cannot have 155 points."}
    store.rule_sets.drop(kept.id)
    desk.ask(after_B="150")
    assert desk.verdict == "B has won with 150 points."


def test_the_desk_hands_the_house_rules_on_to_every_question(device: Device) -> None:
    page = device.get("/judge", game="all-fives", sides="2", spinner_counts="yes")
    assert "Sniff" in page.tree.one("p", "facts").text
    links = [link.get("href") for link in page.tree.one("ul", "questions").all("a")][: len(QUESTIONS)]
    assert {tuple(sorted(parse_qsl(urlsplit(link).query))) for link in links} == {
        (("game", "all-fives"), ("sides", "2"), ("spinner_counts", "yes"))
    }
    for link in links:
        again = Page(device.client.get(link))
        assert again.status == 200
        assert "Sniff" in again.tree.all("section", "asking")[0].one("p", "facts").text


@pytest.mark.parametrize("address", ["/judge", "/judge/sheet", "/rules", "/rules?q=%3Cb%3E", *RULINGS])
def test_pages_of_the_desk_obey_the_policy(device: Device, address: str) -> None:
    page = Page(device.client.get(address))
    assert page.tree.all("script") + page.tree.all("style") == []
    for node in page.tree.walk():
        assert not [name for name in node.attributes if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action"):
            assert node.get(name)[:1] in ("", "/", "#"), node.attributes


def test_every_rule_has_its_section(device: Device) -> None:
    sections = {node.get("id") for node in device.get("/rules").tree.all("section")}
    assert set(map(str, Rule)) <= sections


def test_the_desk_is_reached_from_every_page(device: Device) -> None:
    for path in ("/", "/new", "/rules", "/judge/count"):
        links = {node.get("href") for node in device.get(path).tree.all("a")}
        assert {"/judge", "/rules"} <= links

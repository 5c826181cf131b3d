"""The referee's desk on the command line: the same words as on its pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fiveup_ref.cli import main


def judge(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["judge", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("arguments", "status", "ruling", "rule"),
    [
        ("count 6-6 5 4", 0, "The count is 21: no score.", "doubles"),
        ("count 6-6 5 4 --claim 21 --unit raw", 0, "The count of 21 is right, but it scores nothing.", "doubles"),
        ("count 6 4 --claim 10 --unit points", 1,
         "The claim of 10 points does not stand: the count is 10, 2 points.", "units"),
        ("count 6 4 --claim 10 --unit points --rules all-fives", 0,
         "The claim of 10 points stands: the count is 10, 10 points.", "count"),
        ("count --plays 5-5 5-0>5-5", 0, "The count is 10: 2 points.", "doubles"),
        ("place 4-4 5-5 5-4>5-5", 0, "Yes: 4-4 may go on 5-4.", "places"),
        ("place 5-2 5-5 5-0>5-5 5-4>5-5 --rules muggins", 1, "No: 5-2 fits nowhere now.", "doubles"),
        ("place 6-6", 0, "Yes: the first tile of a round may be any tile, so 6-6 too.", "places"),
        ("left A=3-0,2-1 B=6 C=- D=0", 0, "The settlement: A+C -1, B+D -1.", "settlement"),
        ("left A=3 B=14 --rules all-fives", 0, "The settlement: A +15, B 0.", "settlement"),
        ("won A+C=63,60 B+D=55,55", 0,
         "Nobody has won: the target was reached in play, but not any more after the settlement.", "target"),
        ("won A=64,64 B=66,66 C=70,70", 0, "C has won with 70 points.", "target"),
        ("won A=-3 B=62 --rules muggins --set target=61", 0, "B has won with 62 points.", "target"),
        ("won A=255,255 B=245,270 --rules all-fives", 0, "A has won with 255 points.", "target"),
        ("opens C", 0, "C opens.", "opening"),
        ("opens first --set double_opens=yes", 0, "Whoever holds the highest double opens with it.", "opening"),
        ("opens blocked", 0, "A lot among all decides who opens.", "opening"),
        ("blocked 0 nobody", 0, "Blocked: the round is over and is settled.", "blocked"),
        ("blocked 3 nobody", 1, "Not blocked: tiles can still be drawn.", "blocked"),
        ("blocked 3 dead --set stop_when_dead=yes", 0,
         "Blocked: no tile that is left fits anywhere, and this game lets the round end at once.", "blocked"),
        ("turn 3 none", 0, "Draw one more tile.", "turns"),
    ],
)  # fmt: skip
def test_rulings(capsys: pytest.CaptureFixture[str], arguments: str, status: int, ruling: str, rule: str) -> None:
    done, out, err = judge(capsys, *arguments.split())
    assert (done, err) == (status, "")
    lines = out.splitlines()
    assert lines[0] == ruling
    assert f"Rule: {rule}" in lines
    assert any(line.startswith("Otherwise: ") for line in lines) or arguments == "place 6-6"
    done, out, err = judge(capsys, *arguments.split(), "--json")
    value: dict[str, Any] = json.loads(out)
    assert (done, value["ruling"], value["rule"]) == (status, ruling, rule)
    assert [f"  {line}" for line in (*value["working"], *value["mistakes"])] == [
        line for line in lines if line.startswith("  ")
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ("count 6 4 --claim 10", 2, "Say what the claim was called in: --unit raw or --unit points."),
        ("count 6 4 --claim 10 --unit pips", 2, None),
        ("count 6 4 --claim 1e1 --unit raw", 2, "Enter a whole number from 0 to 1000."),
        ("count 7", 2, "7 is not an end. Ends are numbers from 0 to 6 and doubles such as 6-6."),
        ("count 5", 1, "Only a double that lies alone is the one end of a layout. Enter every end."),
        ("count --plays 5-5 6-4>5-5", 1, "6-4 does not fit 5-5: they have no number in common."),
        ("place 7-8 5-5", 1, "There is no tile 7-8. The set goes from 0-0 to 6-6."),
        ("left A=3 C=2", 2, "Name every hand, from A to B."),
        ("left A=3-0 B=0-3", 1, "3-0 cannot be in two places: A and B both show it."),
        ("won B=3 A=2", 2, "Name every side in order: A B."),
        ("won A=3,4 B=2", 2, "Expected one score for each side, or for each side two: before and after the settlement."),
        ("won A=x B=2", 2, "Enter a whole number from -10000 to 10000."),
        ("won A=3", 2, None),
        ("won A=245,245 B=240,255 --rules all-fives --set exact=yes", 1,
         "With an exact target nobody gets past 250 points, so B cannot have 255 points."),
        ("blocked 99 nobody", 2, "Enter a whole number from 0 to 28."),
        ("opens F", 2, None),
        ("nothing", 2, None),
    ],
)  # fmt: skip
def test_refusals(capsys: pytest.CaptureFixture[str], arguments: str, status: int, sentence: str | None) -> None:
    done, out, err = judge(capsys, *arguments.split())
    assert (done, out, err.count("\n")) == (status, "", 1)
    if sentence:
        assert err == f"{sentence}\n"

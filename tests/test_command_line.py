"""The command line, as a person or a script runs it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fiveup_ref.cli import main

PROJECT = Path(__file__).parent.parent
RECORD = PROJECT / "tests" / "records" / "five-up-two-players.fiveup"
GOOD = RECORD.read_text(encoding="utf-8")


class Ran:
    """One command: its exit status and what it said."""

    def __init__(self, capsys: pytest.CaptureFixture[str], arguments: str | list[str]) -> None:
        self.status = main(arguments.split() if isinstance(arguments, str) else arguments)
        self.out, self.err = capsys.readouterr()

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1
        return json.loads(self.out)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A record with a wrong count in line 9."""
    path = tmp_path / "wrong.fiveup"
    lines = GOOD.splitlines()
    at = next(index for index, line in enumerate(lines) if " = " in line)
    placed, _, results = lines[at].partition(" = ")
    count, _, points = results.partition(" ")
    lines[at] = f"{placed} = {int(count) + 1} {points}"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        ("count 6-6 5 4", "6-6 12 + 5 + 4 = 21: no score\n"),
        ("count 0", "0 = 0: no score\n"),
        ("count 5 --rules all-fives", "5 = 5: 5 points\n"),
        ("count 5 --set points_per_five=2", "5 = 5: 2 points\n"),
        (
            "count --plays 5-5 5-0>5-5 5-6>5-5",
            "5-5: 5-5 10 = 10: 2 points\n5-0>5-5: 5-5 10 + 0 = 10: 2 points\n6-5>5-5: 0 + 6 = 6: no score\n",
        ),
        (
            "settle A=3-0,2-1 B=6 C=- --partners A+C,B+D",
            (
                "A: 3-0 2-1 = 6 pips, rounded 5: -1\nB: 6 pips, rounded 5: -1\nC: went out\n"
                "A+C: -1 (partners are rounded apart)\nB+D: -1 (partners are rounded apart)\n"
            ),
        ),
        (
            "settle B=3 D=3 --partners A+C,B+D",
            "B: 3 pips, rounded 5: -1\nD: 3 pips, rounded 5: -1\nB+D: -2 (partners are rounded apart)\n",
        ),
        ("settle A=1-0 C=2", "A: 1-0 = 1 pip, rounded 0: 0\nC: 2 pips, rounded 0: 0\nA: 0\nC: 0\n"),
        ("settle A=15", "A: 15 pips, rounded 15: -3\nA: -3\n"),
        (
            "settle A=- B=6-6 C=1 --rules all-fives",
            "A: went out\nB: 6-6 = 12 pips\nC: 1 pip\nA: +15 (takes 15 raw points)\nB: 0\nC: 0\n",
        ),
        (
            "settle A=2 B=2 C=15 --rules all-fives",
            (
                "A: 2 pips\nB: 2 pips\nC: 15 pips\nA: +5 (takes 15 raw points, shared)\n"
                "B: +5 (takes 15 raw points, shared)\nC: 0\n"
            ),
        ),
    ],
)
def test_what_is_asked_is_answered(arguments: str, out: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, arguments)
    assert (ran.status, ran.out, ran.err) == (0, out, "")


@pytest.mark.parametrize(
    ("arguments", "status", "error"),
    [
        ("count 6-6 6-6", 1, "6-6 cannot be an end twice."),
        ("count 6-6 5-5 4-4 --rules muggins", 1, "There cannot be more than 2 counting ends"),
        ("count 5-5 4-4 3-3 2-2 6-6 1-1 6 6 6 6 6 6", 1, "Doubles that count here: 6."),
        ("count 9", 2, "9 is not an end."),
        ("count 6-5", 2, "6-5 is not a double."),
        ("count --plays 5-5 4-4>5-5", 1, "Play 2: 4-4 does not fit 5-5"),
        ("count --plays 5-5 x>5-5", 2, "Play 2: x is not a tile."),
        ("count --plays 5-0>5-5", 1, "Play 1: There is no tile on the table yet"),
        ("count 5 --set hand", 2, "hand is not a house rule."),
        ("count 5 --set colour=red", 2, "There is no setting colour."),
        ("count 5 --set hand=99", 2, "from 1 to 14"),
        ("count", 2, "fiveup_ref count: the following arguments are required"),
        ("", 2, "fiveup_ref: the following arguments are required"),
        ("guess 5", 2, "fiveup_ref: argument COMMAND: invalid choice"),
        ("count 5 --rules sixup", 2, "fiveup_ref count: argument --rules: invalid choice"),
        ("settle A=3-0 B=0-3", 1, "3-0 cannot be in two places: A and B both show it."),
        ("settle A=3-0,3-0", 1, "A shows 3-0 twice."),
        ("settle A=169", 2, "Enter the pips as a whole number"),
        ("settle A=- B=-", 2, "Only one player can have gone out, not A and B."),
        ("settle A=5 A=6", 2, "The hand of A is named twice."),
        ("settle A", 2, "A is not a hand."),
        ("settle F=5", 2, "F=5 is not a hand."),
        ("settle A=5 B=5 --partners A+B,C+D", 2, "Partners sit opposite each other"),
        ("settle A=5 B=5 C=5 D=5 E=5", 2, "This game is for 2 to 4 players."),
        ("settle A=5 --rules muggins", 2, "The winner takes what the others have left"),
        ("check /nowhere/at-all.fiveup", 2, "/nowhere/at-all.fiveup: No such file or directory."),
        ("show .", 2, ".: Is a directory."),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    arguments: str, status: int, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(capsys, arguments)
    assert (ran.status, ran.out) == (status, "")
    assert error in ran.err
    assert ran.err.count("\n") == 1


def test_count_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert Ran(capsys, "count 6-6 5 4 --json").json == {
        "rules": "five-up",
        "ends": [
            {"tile": "6-6", "worth": 12},
            {"tile": None, "pip": 5, "worth": 5},
            {"tile": None, "pip": 4, "worth": 4},
        ],
        "count": 21,
        "raw": 0,
        "points": 0,
    }


def test_plays_as_json_and_in_one_quoted_word(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, ["count", "--json", "--plays", "55 0-5>5-5"])
    assert ran.json == {
        "plays": [
            {"tile": "5-5", "onto": None, "ends": [{"tile": "5-5", "worth": 10}], "count": 10, "raw": 10, "points": 2},
            {
                "tile": "5-0",
                "onto": "5-5",
                "ends": [{"tile": "5-5", "worth": 10}, {"tile": "5-0", "pip": 0, "worth": 0}],
                "count": 10,
                "raw": 10,
                "points": 2,
            },
        ]
    }


def test_settle_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert Ran(capsys, "settle A=3-0,2-1 B=6 C=- --partners A+C,B+D --json").json == {
        "hands": {
            "A": {"pips": 6, "rounded": 5, "points": -1},
            "B": {"pips": 6, "rounded": 5, "points": -1},
            "C": {"pips": 0, "rounded": 0, "points": 0},
        },
        "teams": {"A+C": -1, "B+D": -1},
    }


def test_four_hands_are_partners_unless_they_say_none(capsys: pytest.CaptureFixture[str]) -> None:
    four = "settle A=5 B=5 C=5 D=- --json --rules all-fives"
    assert Ran(capsys, four).json["teams"] == {"A+C": 0, "B+D": 10}
    assert Ran(capsys, four + " --partners none").json["teams"] == {"A": 0, "B": 0, "C": 0, "D": 15}


def test_check_says_ok(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, ["check", str(RECORD)])
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"{RECORD}: ok, A 26 B 20, winner A\n"


def test_check_reports_a_difference(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, ["check", str(wrong), str(RECORD)])
    assert ran.status == 1
    assert ran.err.startswith(f"{wrong}:10: Written is ")
    assert ran.err.count("\n") == 1
    assert ran.out.startswith(f"{RECORD}: ok")


def test_check_as_json(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, ["check", "--json", str(wrong), str(RECORD)])
    assert (ran.status, ran.err) == (1, "")
    bad, good = ran.json["files"]
    [problem] = bad["problems"]
    assert (problem["line"], problem["kind"]) == (10, "difference")
    assert problem["written"] != problem["right"]
    assert problem["message"]
    scores = {"A": 26, "B": 20}
    assert (bad["ok"], bad["scores"], bad["status"], bad["winner"]) == (False, scores, "won", "A")
    assert good == {
        "file": str(RECORD),
        "ok": True,
        "problems": [],
        "scores": scores,
        "status": "won",
        "winner": "A",
    }


@pytest.mark.parametrize(
    ("line", "status", "kind"), [("B 6-6>6-6", 1, "illegal"), ("?", 2, "unreadable"), ("winner B", 1, "difference")]
)
def test_the_exit_status_tells_the_kind_of_problem(
    line: str, status: int, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.fiveup"
    path.write_text(f"fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\nround 1\nopens A lot\nA 6-6\n{line}\n")
    ran = Ran(capsys, ["check", "--json", str(path)])
    [file] = ran.json["files"]
    assert (ran.status, [problem["kind"] for problem in file["problems"]]) == (status, [kind])
    assert (file["status"], file["winner"]) == ("open", None)


def test_files_that_are_not_there_do_not_stop_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, ["check", "/nowhere", str(RECORD)])
    assert (ran.status, ran.err) == (2, "/nowhere: No such file or directory.\n")
    assert ran.out.startswith(f"{RECORD}: ok")


def test_a_tie_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\nadjust A +61 r\nadjust B +61 r\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    [file] = Ran(capsys, "check - --json").json["files"]
    assert (file["status"], file["winner"], file["file"]) == ("tie", None, "-")


def test_show_fills_in_and_corrects_the_results(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, ["show", str(wrong)])
    assert (ran.status, ran.out, ran.err) == (0, GOOD, "")
    assert Ran(capsys, ["show", "--json", str(wrong)]).json == {"file": str(wrong), "record": GOOD}


def test_show_refuses_what_may_not_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.fiveup"
    path.write_text(GOOD.replace("\nwinner", "\nB 5-5\nwinner"), encoding="utf-8")
    ran = Ran(capsys, ["show", str(path)])
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"{path}:")


def test_other_rules_take_the_place_of_the_written_ones(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, ["check", "--set", "target=200", str(RECORD)])
    assert ran.status == 1
    assert "Written is A, right is open." in ran.err


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-S", "-E", "-m", "fiveup_ref", *arguments]
    return subprocess.run(command, cwd=PROJECT, input=stdin, capture_output=True, check=False, timeout=30)


def test_it_runs_without_any_package_and_reads_standard_input() -> None:
    done = run("show", "-", stdin=GOOD.replace("\n", "\r\n").encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, GOOD.encode(), b"")


def test_nothing_but_the_engine_is_imported() -> None:
    code = (
        "import sys; from fiveup_ref.cli import main; main(['count', '5-5']); "
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('flask', 'jinja2', 'sqlite3', 'datetime', 'random') "
        "or m.startswith('fiveup_ref.') and not m.startswith(('fiveup_ref.engine', 'fiveup_ref.cli', 'fiveup_ref.settle', 'fiveup_ref.judge'))))"
    )
    command = [sys.executable, "-S", "-E", "-c", code]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True, timeout=30, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = [sys.executable, "-S", "-E", "-m", "fiveup_ref", "show", str(RECORD)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0

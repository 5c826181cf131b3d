"""The score chart and the steps it is drawn from."""

from itertools import pairwise
from pathlib import Path

import pytest

from fiveup_ref.drawing.chart import DASHES, HEIGHT, WIDTH, chart
from fiveup_ref.drawing.steps import Step, last_two, scores_of, steps
from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import PointedOut
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.record import read
from tests.engine.play import rules_of, start

RECORDS = sorted((Path(__file__).parent.parent / "records").glob("*.fiveup"))


def match_of(path: Path) -> Match:
    record = read(path.read_bytes()).record
    assert record
    return record.match


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_steps_of_a_match_lead_to_its_scores(path: Path) -> None:
    match = match_of(path)
    made = steps(match)
    zero = (0,) * len(match.rules.teams)
    assert (made[-1].scores if made else zero) == match.scores
    settled = [step.scores for step in made if step.kind == "settlement"]
    assert settled == [round_.after_settlement for round_ in match.rounds if round_.settlement]
    before = zero
    for team in range(len(match.rules.teams)):
        gained = sum(scores_of(match, team))
        lost = sum(
            min(0, b.scores[team] - a.scores[team])
            for a, b in pairwise([Step("", 0, before), *made])
            if b.kind != "adjustment"
        )
        adjusted = sum(
            b.scores[team] - a.scores[team] for a, b in pairwise([Step("", 0, before), *made]) if b.kind == "adjustment"
        )
        assert gained + lost + adjusted == match.scores[team]
        now, earlier = last_two(match, team)
        assert now == match.scores[team]
        assert now != earlier or not any(step.scores[team] for step in made)


def test_a_missed_score_that_was_taken_is_among_the_gains_of_who_took_it() -> None:
    match = start(rules_of("five-up", 2, muggins_call="yes"), "A opens lot; A points 2; B points 1; A points 3")
    taken = apply(match, PointedOut("B"))
    assert [scores_of(match, team) for team in (0, 1)] == [[2, 3], [1]]
    assert [scores_of(taken, team) for team in (0, 1)] == [[2], [1, 3]]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_chart_is_whole(path: Path) -> None:
    match = match_of(path)
    made = steps(match)
    teams = len(match.rules.teams)
    drawn = chart(made, teams=teams, target=match.rules.target)
    assert len({line.dash for line in drawn.lines}) == teams
    for team, line in enumerate(drawn.lines):
        assert len(line.spots) == len(made) + 1
        assert line.score == match.scores[team]
        for spot in (*line.spots, *line.marks):
            assert drawn.left <= spot.x <= drawn.right < WIDTH
            assert drawn.top <= spot.y <= drawn.bottom < HEIGHT
        heights = [spot.y for spot in line.spots[1:]]
        for (one, y), (other, z) in pairwise(zip((step.scores[team] for step in made), heights, strict=True)):
            assert (one < other) == (y > z)  # more is higher
        assert len(line.marks) == sum(step.kind == "settlement" for step in made)
    labels = sorted(line.label.y for line in drawn.lines)
    assert all(below - above >= 16.99 for above, below in pairwise(labels))
    assert labels[0] >= drawn.top
    assert labels[-1] <= drawn.bottom + 0.01
    assert drawn.top <= drawn.target <= drawn.zero <= drawn.bottom


def test_a_settlement_is_a_step_and_a_play_a_slope() -> None:
    made = [Step("play", 1, (2, 0)), Step("play", 1, (2, 1)), Step("settlement", 1, (1, -2)), Step("play", 2, (4, -2))]
    drawn = chart(made, teams=2, target=61)
    xs = [spot.x for spot in drawn.lines[0].spots]
    assert xs[0] < xs[1] < xs[2] == xs[3] < xs[4]
    assert drawn.ends == (xs[3],)
    assert [tick.value for tick in drawn.rounds] == [1]
    assert drawn.lines[0].marks == (drawn.lines[0].spots[3],)


@pytest.mark.parametrize(
    ("low", "target", "values"),
    [
        (0, 61, [0, 20, 40, 60]),
        (-28, 61, [-20, 0, 20, 40, 60]),
        (0, 250, [0, 50, 100, 150, 200, 250]),
        (0, 1, [0]),
        (-10_000, 10_000, [-10_000, -5_000, 0, 5_000, 10_000]),
        (-900_000, 61, [-800_000, -600_000, -400_000, -200_000, 0]),
    ],
)
def test_numbers_beside_the_axis_are_few_and_round(low: int, target: int, values: list[int]) -> None:
    drawn = chart([Step("adjustment", 0, (low, 0))], teams=2, target=target)
    assert [tick.value for tick in drawn.scores] == values


@pytest.mark.parametrize("rounds", [1, 12, 40, 200])
def test_numbers_of_rounds_do_not_run_into_one_another(rounds: int) -> None:
    made = [Step(kind, number, (0, 0)) for number in range(1, rounds + 1) for kind in ("play", "settlement")]
    drawn = chart(made, teams=2, target=61)
    assert len(drawn.ends) == rounds
    assert all(after.at - before.at >= 28 for before, after in pairwise(drawn.rounds))


def test_nothing_played_is_a_chart_too() -> None:
    drawn = chart([], teams=5, target=61)
    assert [line.dash for line in drawn.lines] == list(DASHES)
    assert all(len(line.spots) == 1 for line in drawn.lines)

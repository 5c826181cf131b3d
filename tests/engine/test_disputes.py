"""Disputes are kept with both sides' words, and change nothing else."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import Amended, Closed, Disputed, Noted, Played, Undone
from fiveup_ref.engine.faults import Fault
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from tests.engine.play import refused, rules_of, start
from tests.playout import playout

A, B = Team(("A",)), Team(("B",))
OPEN = start(rules_of("five-up"), "A opens lot; A 5-5")


def test_a_dispute_changes_no_score_and_is_no_turn() -> None:
    after = apply(OPEN, Disputed("it was 20", 2, "20 raw", ((A, "I counted it"), (B, "no"))))
    assert (after.scores, after.rounds[-1].turn) == (OPEN.scores, OPEN.rounds[-1].turn)
    assert after.rounds[-1].moves[-1].event == after.log[-1]


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (Disputed("x", 3), Fault.NO_SUCH_ENTRY),  # itself
        (Disputed("x", 0), Fault.NO_SUCH_ENTRY),
        (Disputed(" ", 2), Fault.REASON_MISSING),
        (Disputed("x" * 201, 2), Fault.TEXT_TOO_LONG),
        (Disputed("x", 2, "", ((A, " "),)), Fault.REASON_MISSING),
        (Disputed("x", 2, "", ((A, "x" * 201),)), Fault.TEXT_TOO_LONG),
        (Disputed("x", 2, "", ((Team(("C",)), "x"),)), Fault.NOT_A_TEAM),
    ],
)
def test_a_dispute_about_nothing_is_refused(event: Disputed, fault: Fault) -> None:
    assert refused(OPEN, event) is fault


def test_a_finished_match_can_be_disputed() -> None:
    won = playout(1, 2)
    closed = apply(OPEN, Closed("late"))
    for match in (won, closed):
        assert apply(match, Disputed("it was 20", 2)).status is match.status


def test_an_agreed_correction_leaves_the_dispute_standing() -> None:
    disputed = apply(OPEN, Disputed("it was 6-4", 2))
    after = apply(disputed, Amended(2, Played("A", Tile.of(6, 4))))
    assert not after.fallen
    assert isinstance(after.rounds[-1].moves[-1].event, Disputed)
    assert apply(after, Undone(3)).rounds[-1].moves[-1].event == Played("A", Tile.of(6, 4))
    assert Disputed("x", 2) != Noted("x")

"""Where a match stands: target, ties, fell back, closed (rules 3 and 6)."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.match import Known, Match, Status
from fiveup_ref.engine.rules import Rules
from tests.engine.play import go, new_match, rules_of, start

FIVE_UP = rules_of("five-up", 3)
AT_ONCE = rules_of("all-fives", 3)


def ledger(*, rules: Rules, before: tuple[int, ...], gains: tuple[int, ...], pips: tuple[int, ...]) -> Match:
    """One round kept by points, from these scores; `pips` are left after it, 0 for the one seat that is out."""
    scored = [f"{seat} points {gain}" for seat, gain in zip(rules.seats, gains, strict=True)]
    out = rules.seats[pips.index(0)]
    hands = " | ".join(f"{seat} {left} pips" for seat, left in zip(rules.seats, pips, strict=True) if seat != out)
    return start(rules, "A opens lot", *scored, f"out {out}", f"left {hands}", scores=before)


# scores before, gains in play, pips left | in play, after settlement | scores after
STATUSES = [
    ((0, 0, 0), (3, 2, 1), (0, 5, 5), Status.OPEN, Status.OPEN, (3, 1, 0)),
    ((60, 55, 0), (3, 0, 0), (13, 0, 2), Status.REACHED, Status.FELL_BACK, (60, 55, 0)),  # R49
    ((60, 55, 0), (1, 0, 0), (0, 5, 5), Status.REACHED, Status.WON, (61, 54, -1)),  # exactly at the target
    ((58, 58, 0), (1, 1, 0), (0, 1, 5), Status.OPEN, Status.OPEN, (59, 59, -1)),  # a tie below is none (R53)
    ((59, 59, 0), (2, 3, 0), (0, 5, 5), Status.REACHED, Status.TIE, (61, 61, -1)),
    ((59, 59, 37), (2, 3, 3), (0, 5, 1), Status.REACHED, Status.TIE, (61, 61, 40)),
    ((59, 59, 59), (4, 5, 6), (0, 5, 8), Status.REACHED, Status.TIE, (63, 63, 63)),
    ((63, 63, 61), (1, 3, 9), (1, 0, 1), Status.REACHED, Status.WON, (64, 66, 70)),  # R50, the extra round
    ((63, 63, 10), (0, 0, 0), (13, 8, 0), Status.REACHED, Status.WON, (60, 61, 10)),
    ((63, 63, 10), (0, 0, 0), (13, 13, 0), Status.REACHED, Status.FELL_BACK, (60, 60, 10)),  # nobody at the target
    ((63, 63, 10), (0, 0, 0), (3, 3, 0), Status.REACHED, Status.TIE, (62, 62, 10)),  # again and again
    ((61, 61, 60), (0, 0, 2), (0, 0, 0), Status.REACHED, Status.WON, (61, 61, 62)),  # the third passes both
    ((60, 50, 0), (15, 15, 9), (0, 1, 1), Status.REACHED, Status.WON, (75, 65, 9)),  # no cap
    ((-5, -3, -60), (0, 0, 0), (0, 168, 0), Status.OPEN, Status.OPEN, (-5, -37, -60)),  # no floor
]


@pytest.mark.parametrize(("before", "gains", "pips", "in_play", "settled", "after"), STATUSES)
def test_the_target_after_the_round(
    before: tuple[int, ...],
    gains: tuple[int, ...],
    pips: tuple[int, ...],
    in_play: Status,
    settled: Status,
    after: tuple[int, ...],
) -> None:
    match = start(FIVE_UP, "A opens lot", scores=before)
    for seat, gain in zip("ABC", gains, strict=True):
        match = go(match, f"{seat} points {gain}")
    assert match.status is in_play
    assert match.winner is None
    match = go(match, "blocked")
    assert match.status is in_play
    match = go(match, "left " + " | ".join(f"{seat} {left} pips" for seat, left in zip("ABC", pips, strict=True)))
    assert match.scores == after
    assert match.status is settled
    assert (match.winner is None) == (settled is not Status.WON)
    if match.winner:
        assert match.scores[match.rules.teams.index(match.winner)] == max(match.scores)
        assert match.leaders == (match.winner,)


def test_an_extra_round_that_goes_on_and_on() -> None:
    """A tie, a round after which nobody is at the target, and one that is won alone."""
    match = ledger(rules=FIVE_UP, before=(60, 60, 30), gains=(2, 3, 0), pips=(0, 5, 5))
    assert (match.status, [str(team) for team in match.leaders]) == (Status.TIE, ["A", "B"])
    match = go(match, "A opens out")
    assert match.status is Status.REACHED
    match = go(match, "A points 0; B points 0; C points 9; out C; left A 8 pips | B 8 pips")
    assert (match.status, match.scores) == (Status.FELL_BACK, (60, 60, 38))
    match = go(match, "C opens out")
    assert match.status is Status.OPEN
    match = go(match, "C points 0; A points 0; B points 1; out B; left A 0 pips | C 5 pips")
    assert (match.status, str(match.winner), match.scores) == (Status.WON, "B", (60, 61, 37))


@pytest.mark.parametrize(
    ("before", "entries", "status", "scores"),
    [
        ((190, 0, 0), "A points 10", Status.WON, (200, 0, 0)),
        ((190, 195, 0), "A points 5; B points 5", Status.WON, (195, 200, 0)),
        (
            (195, 0, 0),
            "A points 0; B points 30; C points 35; out A; left B 2 pips | C 1 pips",
            Status.WON,
            (200, 30, 35),
        ),
        ((195, 195, 0), "A points 0; blocked; left A 1 pips | B 1 pips | C 10 pips", Status.TIE, (200, 200, 0)),
        ((190, 190, 0), "A points 0; blocked; left A 1 pips | B 1 pips | C 10 pips", Status.OPEN, (195, 195, 0)),
    ],
)
def test_the_target_at_once(before: tuple[int, ...], entries: str, status: Status, scores: tuple[int, ...]) -> None:
    match = start(AT_ONCE, "A opens lot", entries, scores=before)
    assert (match.status, match.scores) == (status, scores)


def test_a_tie_at_once_is_broken_by_the_next_score() -> None:
    hands = "left A 1 pips | B 1 pips | C 10 pips"
    match = start(AT_ONCE, "A opens lot; A points 0; blocked", hands, "C opens lot; C points 0", scores=(195, 195, 0))
    assert (match.status, match.winner) == (Status.TIE, None)
    match = go(match, "A points 5")
    assert (match.status, str(match.winner)) == (Status.WON, "A")


def test_after_the_round_is_a_setting() -> None:
    rules = rules_of("all-fives", 3, target_check="after-round")
    match = start(rules, "A opens lot; A points 10; B points 20", scores=(195, 195, 0))
    assert (match.status, match.winner) == (Status.REACHED, None)
    match = go(match, "out A; left B 5 pips | C 5 pips")
    assert (match.status, str(match.winner), match.scores) == (Status.TIE, "None", (215, 215, 0))


def test_an_adjustment_moves_the_status() -> None:
    match = ledger(rules=FIVE_UP, before=(60, 0, 0), gains=(2, 0, 0), pips=(5, 0, 5))
    assert match.status is Status.WON
    fallen = go(match, "adjust A -1 wrong claim")
    assert (fallen.status, fallen.scores) == (Status.OPEN, (60, 0, -1))  # it was not the settlement that did it
    assert go(fallen, "adjust A 1 right after all").status is Status.WON
    assert go(match, "adjust B 61 found it").status is Status.TIE
    assert go(new_match(FIVE_UP), "adjust B 61 carried over").status is Status.WON


def test_closed() -> None:
    match = start(FIVE_UP, "A opens lot; A 5-5; close rain")
    assert (match.status, match.winner, match.closed, match.scores) == (Status.CLOSED, None, True, (2, 0, 0))
    assert match.rounds[-1].moves[-1].event == match.steps[-1].event


def test_a_new_match() -> None:
    match = new_match(FIVE_UP)
    assert (match.status, match.winner, match.round, match.next_opener) == (Status.OPEN, None, None, None)
    assert (match.in_round, match.opening, match.steps, match.scores) == (False, 0, (), (0, 0, 0))
    assert match.leaders == FIVE_UP.teams
    assert [match.name(seat) for seat in "ABC"] == ["Ani", "Budi", "Citra"]
    with pytest.raises(ValueError, match=r"^3 names are needed, not 2$"):
        Match.new(FIVE_UP, ("Ani", "Budi"))


def test_a_round() -> None:
    match = start(FIVE_UP, "note hello; B opens agreed")
    round_ = match.rounds[-1]
    assert match.round is round_
    assert (round_.number, round_.opener, round_.by, round_.turn) == (1, "B", "agreed", "B")
    assert (round_.known, round_.hands, round_.boneyard, round_.scored) == (Known.ALL, (5, 5, 5), 13, (0, 0, 0))
    assert (round_.ended, round_.blocked, round_.out, match.in_round, match.opening) == (False, False, None, True, 2)
    assert (round_.layout, round_.passes) == (Layout.empty(7), 0)
    assert [move.entry for move in match.steps] == [1, 2]
    assert [move.entry for move in match.preamble] == [1]


def test_what_is_known() -> None:
    assert Known.ALL == Known.LAYOUT | Known.HANDS | Known.TURN
    match = start(FIVE_UP, "A opens lot; A 5-5")
    assert go(match, "B draw ?").rounds[-1].known == Known.LAYOUT | Known.TURN
    assert go(match, "B ends 5-5 0").rounds[-1].known == Known.NOTHING
    assert go(match, "B points 2").rounds[-1].known == Known.NOTHING
    assert go(match, "B points 2; out B; left A 1-0 | C 2-0; B opens out").rounds[-1].known == Known.ALL


def test_the_words_of_a_status() -> None:
    assert [status.value for status in Status] == ["open", "reached", "fell-back", "tie", "won", "closed"]


def test_blocked_is_not_out() -> None:
    blocked = start(FIVE_UP, "A opens lot; A points 0; blocked").rounds[-1]
    out = start(FIVE_UP, "A opens lot; A points 0; out A").rounds[-1]
    assert (blocked.ended, blocked.blocked, blocked.out) == (True, True, None)
    assert (out.ended, out.blocked, out.out) == (True, False, "A")

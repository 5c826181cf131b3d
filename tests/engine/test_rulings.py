"""The look back at passes and draws: finds what is proved, and accuses nobody else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from fiveup_ref.engine.course import doubt
from fiveup_ref.engine.findings import Because, Finding, Wrong
from fiveup_ref.engine.match import Known, Match
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.rulings import audit
from tests.engine.cheating import Cheats, Claim
from tests.engine.play import rules_of, start
from tests.playout import MIXED, POINTS, TILES, playout

R59 = """
B opens agreed; B 4-3; A 5-3>4-3; B 4-2>4-3; A 2-2>4-2; B draw 1; B 2-0>2-2; A 0-0>2-0; B 3-0>0-0; A 6-3>3-0;
B 6-4>6-3; A 4-4>6-4; B 4-0>4-4; A 6-0>4-0; B draw 2; B 5-4>5-3; A 6-6>6-0; left B 1-0 3-1 2-1
"""


def found(match: Match) -> list[str]:
    """The findings about the latest round in short, as in `5 B drew: 1-0>0-0`."""
    return [short(finding) for finding in audit(match.rounds[-1], match.rules)]


def short(finding: Finding) -> str:
    places = " ".join(f"{tile}>{onto}" for tile, onto in finding.places)
    return f"{finding.entry} {finding.seat} {finding.kind.value}: {places}"


def test_the_draw_of_case_r59_is_flagged() -> None:
    match = start(rules_of("five-up", hand="7"), R59)
    assert match.scores == (1, 2)
    (finding,) = audit(match.rounds[0], match.rules)
    assert short(finding) == "15 B drew: 5-4>5-3 2-1>2-2 1-0>0-0"
    assert [step.because.name for step in finding.proof] == [
        *("DREW", "FITTED", "PLAYED", "FITTED_BRANCH", "SHOWN", "FITTED_BRANCH", "SHOWN", "NONE_DRAWN", "HELD_BEFORE")
    ]
    assert str(finding) == (
        "B drew (entry 15, tiles: 2). Only a player with no tile that fits may draw. "
        "5-4 fitted 5-3 at that moment. B played 5-4 afterwards (entry 16). "
        "2-1 fitted a branch of 2-2 at that moment. B showed 2-1 at the end of the round. "
        "1-0 fitted a branch of 0-0 at that moment. B showed 1-0 at the end of the round. "
        "B drew nothing after that turn until this was seen. "
        "At least 3 of what fitted came from the hand or that turn's draw, more than the 2 drawn: "
        "so B had a tile that fitted before drawing and had to play."
    )


def test_without_spinners_the_same_draw_was_right() -> None:
    match = start(rules_of("muggins", hand="7"), R59)
    assert found(match) == []


OPEN = "A opens lot; A 5-5;"  # entries 1 and 2
FIVE = rules_of("five-up")
ALL = rules_of("five-up", hand="14")  # no boneyard
RESERVE = rules_of("five-up", hand="13", reserve="2")  # two tiles lie there and are never drawn
FEW = rules_of("five-up", hand="13")  # two tiles can be drawn


@pytest.mark.parametrize(
    ("entries", "findings"),
    [
        # one tile drawn: a second that fitted was in the hand
        ("B draw 1; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5", ["3 B drew: 5-1>5-5 5-0>5-5"]),
        ("B draw 1; B 5-1>5-5; A 4-1>5-1; B 4-0>4-1", []),
        # two drawn: one of two that fitted may have been drawn, but not first
        ("B draw 2; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5", ["3 B drew-or-drew-on: 5-1>5-5 5-0>5-5"]),
        ("B draw 1; B draw 1; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5", ["3 B drew-or-drew-on: 5-1>5-5 5-0>5-5"]),
        ("B draw 1; note x; B draw 1; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5", ["3 B drew-or-drew-on: 5-1>5-5 5-0>5-5"]),
        ("B draw ?; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5", ["3 B drew-or-drew-on: 5-1>5-5 5-0>5-5"]),
        ("B draw 1; B draw ?; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5", ["3 B drew-or-drew-on: 5-1>5-5 5-0>5-5"]),
        # the second was drawn later, or may have been
        ("B draw 1; B 5-1>5-5; A 4-1>5-1; B draw 1; B 5-0>5-5", []),
        ("B draw 1; B 5-1>5-5; A 4-1>5-1; B draw ?; B 5-0>5-5", []),
        ("B draw 1; B 5-1>5-5; A draw 3; A 4-1>5-1; B 5-0>5-5", ["3 B drew: 5-1>5-5 5-0>5-5"]),
        # later draws explain one tile, not two; and none that was seen before them
        (
            "B draw 1; B 5-1>5-5; A 4-1>5-1; B draw 1; B 5-0>5-5; A 4-4>4-1; B 5-2>5-5",
            ["3 B drew: 5-1>5-5 5-0>5-5 5-2>5-5", "6 B drew: 5-0>5-5 5-2>5-5"],
        ),
        (
            "B draw 1; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5; A 4-4>4-1; B draw 2; B 5-2>5-5",
            ["3 B drew: 5-1>5-5 5-0>5-5"],
        ),
        # the shortest proof
        (
            "B draw 1; B 5-1>5-5; A 4-1>5-1; B 5-0>5-5; A 4-4>4-1; B draw 1; B 5-2>5-5",
            ["3 B drew: 5-1>5-5 5-0>5-5"],
        ),
        # what is placed without saying which tile may be any, and draws need not be entered from there on
        ("B draw 1; B points 0", []),
        ("B draw 1; B 5-1>5-5; A points 0; B points 0; out A; left B 5-0", []),
        ("B draw 1; B 5-1>5-5; A points 0; B draw 1; B points 0; out B; left A 5-0", []),
        ("B points 0; A draw 1; A points 0; out B; left A 5-0 5-1", []),
    ],
)
def test_draws(entries: str, findings: list[str]) -> None:
    assert found(start(FIVE, OPEN, entries)) == findings


@pytest.mark.parametrize(
    ("rules", "entries", "findings"),
    [
        (ALL, "B pass; A 5-1>5-5; B 5-0>5-5", ["3 B passed: 5-0>5-5"]),
        (ALL, "B pass; A 5-1>5-5; B 4-1>5-1", []),
        (ALL, "B pass; A 5-1>5-5; B pass; A 5-2>5-5; B 5-0>5-5", ["3 B passed: 5-0>5-5", "5 B passed: 5-0>5-5"]),
        (ALL, "B 5-1>5-5; A pass; B 5-2>5-5; A 1-1>5-1", ["4 A passed: 1-1>5-1"]),
        (RESERVE, "B pass; A 5-1>5-5; B 5-0>5-5", ["3 B passed: 5-0>5-5"]),
        # nothing could be drawn any more, whatever is left unsaid afterwards
        (ALL, "B pass; A points 0; B points 0; out A; left B 5-0 4-4", ["3 B passed: 5-0>5-5"]),
        (RESERVE, "B pass; A points 0; B points 0; out A; left B 5-0 4-4", ["3 B passed: 5-0>5-5"]),
        (FEW, "B draw 2; B points 0; A points 0; out A; left B 5-0 5-1", ["3 B drew-or-drew-on: 5-1>5-5 5-0>5-5"]),
        (ALL, "B pass; A points 0; B points 0; out A; left B 9 pips", []),
        (ALL, "B points 0; A pass; B points 0; out B; left A 5-0", []),
        (FEW, "B draw 1; B 5-1>5-5; A 4-1>5-1; B draw ?; B 5-0>5-5; A 4-4>4-1", []),
        (
            FEW,
            "B draw 1; B 5-1>5-5; A 4-1>5-1; B draw ?; B 5-0>5-5; A 4-4>4-1; B 5-2>5-5",
            ["3 B drew: 5-1>5-5 5-0>5-5 5-2>5-5", "6 B drew-or-drew-on: 5-0>5-5 5-2>5-5"],
        ),
        # a draw that nobody counted: the boneyard is unknown, so tiles may have been drawn after a pass
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B 4-1>5-1; A 5-0>5-5", ["5 A passed: 5-0>5-5"]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B 4-1>5-1; A draw 1; A 5-0>5-5", []),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B 4-1>5-1; A draw ?; A 5-0>5-5; B 4-4>4-1; A 6-5>5-5", [
            "7 A drew-or-drew-on: 5-0>5-5 6-5>5-5"
        ]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B 4-1>5-1; A draw 1; A 5-0>5-5; B 4-4>4-1; A 6-5>5-5", [
            "5 A passed: 5-0>5-5 6-5>5-5", "7 A drew: 5-0>5-5 6-5>5-5"
        ]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B points 0; A points 0; out B; left A 5-0", []),
        # called blocked; a wrong pass on the same layout says it already
        (FIVE, "B draw ?; B 5-1>5-5; blocked; left A 5-0 | B 6-6", ["5 A called-blocked: 5-0>5-5"]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; blocked; left A 5-0 | B 6-6", ["5 A passed: 5-0>5-5"]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; blocked; left A 5-0 | B 1-1", [
            "5 A passed: 5-0>5-5", "6 B called-blocked: 1-1>5-1"
        ]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B 4-1>5-1; blocked; left A 5-0 | B 6-6", [
            "5 A passed: 5-0>5-5", "7 A called-blocked: 5-0>5-5"
        ]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B pass; left A 5-0 | B 6-6", ["5 A passed: 5-0>5-5"]),
        (FIVE, "B draw ?; B 5-1>5-5; blocked; left A 5 pips | B 6-6", []),
        (FIVE, "B draw ?; B 5-1>5-5; blocked", []),
        (FIVE, "B draw ?; B 5-1>5-5; A draw 2; blocked; left A 5-0 2-1 | B 6-6", [
            "5 A drew-or-drew-on: 5-0>5-5 2-1>5-1", "6 A called-blocked: 5-0>5-5 2-1>5-1"
        ]),
    ],
)  # fmt: skip
def test_passes_and_calls(rules: Rules, entries: str, findings: list[str]) -> None:
    assert found(start(rules, OPEN, entries)) == findings


@pytest.mark.parametrize("forget", Known)
def test_a_round_of_which_something_was_given_up_is_not_judged(forget: Known) -> None:
    match = start(ALL, OPEN, "B pass; A 5-1>5-5; B 5-0>5-5")
    assert found(doubt(match, forget)) == []


def test_a_proof_says_what_can_be_new() -> None:
    """Each sentence that speaks of later draws, once."""
    pass_ = "B draw ?; B 5-1>5-5; A pass; B 4-1>5-1; A draw 1; A 5-0>5-5; B 4-4>4-1; A 6-5>5-5"
    texts = [str(finding) for finding in audit(start(FIVE, OPEN, pass_).rounds[0], FIVE)]
    assert texts[0].endswith(
        "Tiles that A drew after that turn until this was seen: 1. "
        "So A had at least 1 of what fitted in the hand at that moment and had to play."
    )
    few = "B draw 1; B 5-1>5-5; A 4-1>5-1; B draw ?; B 5-0>5-5; A 4-4>4-1; B 5-2>5-5"
    texts = [str(finding) for finding in audit(start(FEW, OPEN, few).rounds[0], FEW)]
    assert "Tiles that could still be drawn from the boneyard after that turn: 1. At least 2 of" in texts[0]
    assert "5-0 fitted 5-5 at that moment." in texts[0]  # a side of a double is no branch
    assert texts[1].endswith(
        "Drawing stops at the first tile that fits, so only one of the tiles drawn in that turn may fit. "
        "But at least 2 of what fitted came from the hand or that turn's draw: "
        "B could play before drawing, or drew on after a tile that fitted."
    )


@pytest.mark.parametrize("form", [TILES, MIXED, POINTS])
@pytest.mark.parametrize(("preset", "players"), [("five-up", 2), ("five-up", 4), ("all-fives", 3), ("muggins", 5)])
def test_honest_players_are_never_accused(preset: str, players: int, form: str) -> None:
    for seed in range(15):
        for reserve in ("0", "2"):
            match = playout(seed, players, preset, rounds=3, form=form, talk=True, changes={"reserve": reserve})
            assert [audit(round_, match.rules) for round_ in match.rounds] == [()] * len(match.rounds)


VAGUE = (
    rules_of("five-up", 2),
    rules_of("five-up", 3, hand="8"),
    rules_of("five-up", 4, reserve="2"),
    rules_of("all-fives", 2, hand="12", reserve="1"),
    rules_of("muggins", 4, hand="6"),
)
TRUTHS: dict[Wrong, Callable[[Claim], bool]] = {
    Wrong.PASSED: lambda claim: claim.held,
    Wrong.DREW: lambda claim: claim.held,
    Wrong.DREW_OR_DREW_ON: lambda claim: claim.held or claim.drew_on,
    Wrong.CALLED_BLOCKED: lambda claim: claim.held,
}


def test_what_is_found_is_true_however_much_is_left_unsaid() -> None:
    tally: Counter[Wrong] = Counter()
    sentences: set[Because] = set()
    wrong = 0
    for seed in range(400):
        table = Cheats(VAGUE[seed % len(VAGUE)], Random(seed), vague=True)
        for finding in audit(table.play(), table.rules):
            claim = table.claims[finding.entry, finding.seat]
            assert TRUTHS[finding.kind](claim), (seed, finding)
            assert all(place in claim.layout.legal_places((place.tile,)) for place in finding.places)
            assert "{" not in str(finding)
            tally[finding.kind] += 1
            sentences |= {step.because for step in finding.proof}
        wrong += sum(claim.held or claim.drew_on for claim in table.claims.values())
    assert sentences == set(Because)
    assert min(tally[kind] for kind in Wrong) >= 10
    assert tally.total() > wrong / 3


EXACT = (
    rules_of("five-up", 3, hand="8"),
    rules_of("five-up", 2, hand="12"),
    rules_of("all-fives", 4, hand="6"),
    rules_of("muggins", 2, hand="11", reserve="2"),
)


def test_a_claim_is_found_wrong_exactly_where_no_honest_history_agrees_with_the_record() -> None:
    tally: Counter[Wrong | None] = Counter()
    for seed in range(120):
        table = Cheats(EXACT[seed % len(EXACT)], Random(seed), vague=False)
        findings = {(finding.entry, finding.seat): finding.kind for finding in audit(table.play(), table.rules)}
        if not table.round.settlement:
            continue
        for (entry, seat), claim in table.claims.items():
            kind = table.proved(entry, seat, claim)
            assert findings.pop((entry, seat), None) == kind, (seed, entry, seat)
            tally[kind] += 1
        assert not findings
    assert min(tally[kind] for kind in (None, Wrong.PASSED, Wrong.DREW, Wrong.DREW_OR_DREW_ON)) >= 10

"""Every pass and draw judged: what is called right was right, and nothing that can be proved is left out."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from fiveup_ref.engine.findings import Wrong
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.verdicts import Proof, Shown, verdicts
from tests.engine.cheating import Cheats, Claim
from tests.engine.play import rules_of, start
from tests.engine.test_rulings import EXACT, VAGUE

OPEN = "A opens lot; A 5-5;"  # entries 1 and 2
FIVE = rules_of("five-up")
ALL = rules_of("five-up", hand="14")  # no boneyard


def judged(match: Match) -> list[str]:
    """The verdicts on the latest round in short, each with its last step."""
    return [
        f"{one.entry} {one.seat} {one.kind.value} {one.proof.value} {one.steps[-1].says.name}"
        for one in verdicts(match.rounds[-1], match.rules)
    ]


@pytest.mark.parametrize(
    ("rules", "entries", "found"),
    [
        (ALL, "B pass; A 5-1>5-5; B 5-0>5-5", ["3 B passed wrong HELD"]),
        (ALL, "B pass; A 5-1>5-5; B 4-1>5-1", ["3 B passed none NOT_SETTLED"]),
        # the whole hand seen, by play and at the end
        (ALL, "B pass; A points 0; B points 0; out A; left B 4-4", ["3 B passed none NOT_SHOWN"]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; blocked; left A 6-0 | B 6-6", [
            "3 B drew none MAY_BE_DRAWN", "5 A passed right NONE_FITTED",
            "6 A called-blocked right NONE_FITTED", "6 B called-blocked right NONE_FITTED",
        ]),
        (FIVE, "B draw ?; B 5-1>5-5; A pass; B 4-1>5-1; blocked; left A 6-0 | B 6-6", [
            "3 B drew none MAY_BE_DRAWN", "5 A passed right NONE_FITTED",
            "7 A called-blocked right NONE_FITTED", "7 B called-blocked right NONE_FITTED",
        ]),
        # pips say nothing about what fitted
        (FIVE, "B draw ?; B 5-1>5-5; A pass; blocked; left A 6 pips | B 6-6", [
            "3 B drew none MAY_BE_DRAWN", "5 A passed none NOT_SHOWN",
            "6 A called-blocked none NOT_SHOWN", "6 B called-blocked right NONE_FITTED",
        ]),
        # a wrong pass says already that the call of blocked was wrong
        (FIVE, "B draw ?; B 5-1>5-5; A pass; blocked; left A 5-0 | B 6-6", [
            "3 B drew none MAY_BE_DRAWN", "5 A passed wrong HELD", "6 B called-blocked right NONE_FITTED",
        ]),
        # a draw that found nothing can be right; one that found a tile cannot be proved
        (FIVE, "B draw 1; B 5-1>5-5; A 4-1>5-1; B 4-0>4-1", ["3 B drew none MAY_BE_DRAWN"]),
    ],
)  # fmt: skip
def test_verdicts(rules: Rules, entries: str, found: list[str]) -> None:
    assert judged(start(rules, OPEN, entries)) == found


def wrong(claim: Claim) -> bool:
    return claim.held or claim.drew_on


def test_what_is_called_right_was_right_however_much_is_left_unsaid() -> None:
    tally: Counter[Proof] = Counter()
    sentences: set[object] = set()
    for seed in range(400):
        table = Cheats(VAGUE[seed % len(VAGUE)], Random(seed), vague=True)
        for verdict in verdicts(table.play(), table.rules):
            claim = table.claims[verdict.entry, verdict.seat]
            tally[verdict.proof] += 1
            sentences |= {step.says for step in verdict.steps}
            assert "{" not in " ".join(map(str, verdict.steps))
            if verdict.proof is Proof.RIGHT:
                assert not wrong(claim), (seed, verdict)
            elif verdict.proof is Proof.WRONG:
                assert wrong(claim), (seed, verdict)
    assert min(tally[proof] for proof in Proof) >= 100
    assert set(Shown) <= sentences


def test_a_claim_is_called_right_exactly_where_every_history_that_agrees_is_honest() -> None:
    tally: Counter[Proof] = Counter()
    for seed in range(120):
        table = Cheats(EXACT[seed % len(EXACT)], Random(seed), vague=False)
        found = {(one.entry, one.seat): one for one in verdicts(table.play(), table.rules)}
        if not table.round.settlement:
            continue
        for (entry, seat), claim in table.claims.items():
            verdict = found.pop((entry, seat), None)
            if verdict is None:  # a wrong pass on the same layout said it
                assert any(one.kind is Wrong.PASSED and one.seat == seat for one in verdicts(table.round, table.rules))
                continue
            assert (verdict.proof is Proof.RIGHT) == table.surely_right(entry, seat, claim), (seed, verdict)
            tally[verdict.proof] += 1
        assert not found
    assert min(tally[proof] for proof in Proof) >= 10

"""What hands can have left: against the hands, the table and the set (rules 3 and 6)."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import Settled
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.leftovers import check_left
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.rules import Rules
from tests.engine.play import left, rules_of, start

# Three players of two tiles each: A goes out with the second, B and C hold one tile.
SHORT = rules_of("five-up", 3, hand="2")
WENT_OUT = start(SHORT, "A opens lot; A 5-5; B 5-0>5-5; C 5-1>5-5; A 5-2>5-5")

# All 28 tiles of the set, one after the other; as far as is wanted, played by the seats in turn.
WHOLE_SET = """
    4-4 5-4>4-4 5-3>5-4 4-3>4-4 4-0>4-4 6-4>4-4 3-1>4-3 2-1>3-1 6-2>6-4 5-0>4-0 3-2>5-3 2-2>2-1 5-2>5-0 4-2>2-2
    2-0>3-2 0-0>2-0 1-0>0-0 5-1>1-0 6-0>0-0 6-6>6-0 6-5>6-6 6-3>6-6 5-5>5-1 3-0>0-0 3-3>3-0 4-1>4-2 1-1>4-1 6-1>6-6
"""


def played(rules: Rules, tiles: int) -> Match:
    turns = (f"{rules.seats[turn % rules.players]} {play}" for turn, play in enumerate(WHOLE_SET.split()[:tiles]))
    return start(rules, "A opens lot", *turns)


# Everything is dealt: A goes out with the 27th tile of two players, B holds the last.
ALL_DEALT = played(rules_of("five-up", 2, hand="14"), 27)

# Kept by points: nothing is known of hands, and of the layout only what was entered before.
BY_POINTS = start(SHORT, "A opens lot; A 0-0; B points 1; C points 0; out C")
BLOCKED = start(SHORT, "A opens lot; A 6-6; B points 1; blocked")


def test_the_positions() -> None:
    assert [match.rounds[-1].out for match in (WENT_OUT, ALL_DEALT, BY_POINTS, BLOCKED)] == ["A", "A", "C", None]
    assert WENT_OUT.rounds[-1].hands == (0, 1, 1)
    assert (ALL_DEALT.rounds[-1].hands, ALL_DEALT.rounds[-1].boneyard) == ((0, 1), 0)
    assert [str(tile) for tile in ALL_DEALT.rounds[-1].layout.unplayed()] == ["6-1"]


@pytest.mark.parametrize(
    ("match", "hands"),
    [
        (WENT_OUT, "B 6-6 | C 0-0"),
        (WENT_OUT, "C 0-0 | B 6-6"),  # in any order
        (WENT_OUT, "B 12 pips | C 0 pips"),
        (ALL_DEALT, "B 6-1"),
        (ALL_DEALT, "B 7 pips"),
        (BY_POINTS, "A 6-6 5-5 4-4 3-3 | B 1-0"),
        (BY_POINTS, "A 168 pips | B 1 pips"),
        (BLOCKED, "A 0 pips | B 1-0 | C 156 pips"),
    ],
)
def test_leftovers_that_can_be(match: Match, hands: str) -> None:
    after = apply(match, Settled(left(hands)))
    assert dict(after.rounds[-1].left) == dict(left(hands))
    assert [seat for seat, _ in after.rounds[-1].left] == sorted(seat for seat, _ in left(hands))


@pytest.mark.parametrize(
    ("match", "hands", "fault", "fields"),
    [
        (WENT_OUT, "B 6-6", Fault.LEFT_MISSING, {"seat": "C"}),
        (WENT_OUT, "C 6-6", Fault.LEFT_MISSING, {"seat": "B"}),
        (WENT_OUT, "A 6-6 | B 6-5 | C 0-0", Fault.LEFT_OF_OUT, {"seat": "A"}),
        (WENT_OUT, "A 0 pips | B 6-5 | C 0-0", Fault.LEFT_OF_OUT, {"seat": "A"}),
        (WENT_OUT, "B 5-5 | C 0-0", Fault.LEFT_ON_TABLE, {"seat": "B", "tile": "5-5"}),
        (WENT_OUT, "B 6-6 | C 5-2", Fault.LEFT_ON_TABLE, {"seat": "C", "tile": "5-2"}),
        (WENT_OUT, "B 6-6 | C 6-6", Fault.LEFT_TWICE, {"seat": "B", "other": "C", "tile": "6-6"}),
        (WENT_OUT, "B 6-6 6-6 | C 6-5", Fault.LEFT_REPEATED, {"seat": "B", "tile": "6-6"}),
        (WENT_OUT, "B 6-6 6-5 | C 0-0", Fault.LEFT_TILE_COUNT, {"seat": "B", "tiles": "1", "given": "2"}),
        (WENT_OUT, "B  | C 0-0", Fault.LEFT_TILE_COUNT, {"seat": "B", "tiles": "1", "given": "0"}),
        (WENT_OUT, "B 13 pips | C 0-0", Fault.LEFT_PIPS, {"seat": "B", "pips": "13", "lowest": "0", "highest": "12"}),
        (ALL_DEALT, "B 5 pips", Fault.LEFT_PIPS, {"seat": "B", "pips": "5", "lowest": "7", "highest": "7"}),
        (ALL_DEALT, "B 0-0", Fault.LEFT_ON_TABLE, {"seat": "B", "tile": "0-0"}),
        (BY_POINTS, "A  | B 1-0", Fault.LEFT_EMPTY, {"seat": "A"}),
        (BY_POINTS, "A 0-0 | B 1-0", Fault.LEFT_ON_TABLE, {"seat": "A", "tile": "0-0"}),
        (BY_POINTS, "A 0 pips | B 1-0", Fault.LEFT_PIPS, {"seat": "A", "pips": "0", "lowest": "1", "highest": "168"}),
        (BLOCKED, "A 157 pips | B 1-0 | C 0-0", Fault.LEFT_PIPS, {"seat": "A", "pips": "157", "highest": "156"}),
        (BLOCKED, "A 1-0 | B  | C 0-0", Fault.LEFT_EMPTY, {"seat": "B"}),
        (BLOCKED, "A 1-0 | B 2-0", Fault.LEFT_MISSING, {"seat": "C"}),
        (BLOCKED, "A 1-0 2-0 | B 3-0 | C 0-0 2-0", Fault.LEFT_TWICE, {"seat": "A", "other": "C", "tile": "2-0"}),
        (BLOCKED, "A 1-0 | B 2-0 | C 3-0 | D 4-0", Fault.NOT_A_SEAT, {"text": "D"}),
    ],
)
def test_leftovers_that_cannot_be(match: Match, hands: str, fault: Fault, fields: dict[str, str]) -> None:
    with pytest.raises(RulesError) as caught:
        apply(match, Settled(left(hands)))
    assert caught.value.fault is fault
    named = {name: str(value) for name, value in caught.value.fields.items()}
    assert fields.items() <= named.items()


@pytest.mark.parametrize(("pips", "can_be"), [(0, False), (1, True), (19, True), (20, False)])
def test_pips_of_a_hand_of_two_tiles(pips: int, *, can_be: bool) -> None:
    """The bounds are those of the lightest and the heaviest tiles that do not lie on the table."""
    opening = "A opens lot; A 6-6; B 6-5>6-6; A 6-4>6-6; B draw 1; B 6-3>6-6; A 6-2>6-6"
    match = start(rules_of("five-up", 2, hand="3"), opening)
    assert (match.rounds[-1].out, match.rounds[-1].hands) == ("A", (0, 2))
    settled = Settled(left(f"B {pips} pips"))
    if can_be:
        assert apply(match, settled).rounds[-1].settlement is not None
        return
    with pytest.raises(RulesError) as caught:
        apply(match, settled)
    assert caught.value.fault is Fault.LEFT_PIPS
    assert caught.value.fields == {"seat": "B", "pips": pips, "lowest": 1, "highest": 19}


def test_the_set_has_168_pips() -> None:
    """With every tile dealt, the leftovers and the table make up the set."""
    match = played(rules_of("five-up", 4, hand="7"), 25)
    assert (match.rounds[-1].out, match.rounds[-1].hands) == ("A", (0, 1, 1, 1))
    assert [str(tile) for tile in match.rounds[-1].layout.unplayed()] == ["1-1", "4-1", "6-1"]
    assert apply(match, Settled(left("B 2 pips | C 5 pips | D 6-1"))).rounds[-1].settlement is not None
    with pytest.raises(RulesError) as caught:
        apply(match, Settled(left("B 2 pips | C 5 pips | D 6 pips")))
    assert caught.value.fault is Fault.LEFT_TOTAL
    assert caught.value.fields == {"pips": 167, "total": 168}


def test_the_check_alone() -> None:
    check_left(dict(left("B 6-6 | C 0-0")), WENT_OUT.rounds[-1], SHORT.seats)

"""Every fault the engine can find, raised once, with its exact sentence."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from fiveup_ref.engine import faults
from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import LONGEST_TEXT, Noted, RoundOpened
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.leftovers import check_pips_together
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.scoring import Ends, Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from tests.engine.play import event, go, new_match, rules_of, start
from tests.engine.test_leftovers import ALL_DEALT, BY_POINTS, WENT_OUT, played

TWO = rules_of("five-up", 2)
PACKAGE = Path(faults.__file__).parent.parent
CORE = (
    "tiles",
    "rules",
    "seats",
    "layout",
    "scoring",
    "log",
    "match",
    "course",
    "steps",
    "affairs",
    "leftovers",
    "lot",
)

Raises = Callable[[], object]


def plays(text: str, spinners: int = 7) -> Raises:
    return lambda: Layout.read(text, spinners=spinners)


def ends(text: str, preset: str = "five-up") -> Raises:
    return lambda: Ends.parse(text).check(rules_of(preset))


def entry(text: str, last: str) -> Raises:
    return lambda: apply(start(TWO, text), event(last))


def after(match: Match, last: str) -> Raises:
    return lambda: apply(match, event(last))


def fallen(match: Match) -> Raises:
    def raised() -> None:
        raise match.fallen[-1].error

    return raised


FAULTS: list[tuple[Fault, Raises, str]] = [
    (
        Fault.NOT_A_TILE,
        lambda: Tile.parse("six"),
        "six is not a tile. Write a tile as two numbers from 0 to 6, such as 6-4.",
    ),
    (Fault.NO_SUCH_TILE, lambda: Tile.parse("7-8"), "There is no tile 7-8. The set goes from 0-0 to 6-6."),
    (Fault.TILE_PLAYED, plays("5-5 5-5>5-5"), "5-5 is already on the table. Every tile exists once."),
    (
        Fault.SET_LIES,
        plays("5-5 5-0"),
        "The first tile already lies on the table: say which tile 5-0 is joined to.",
    ),
    (
        Fault.NOTHING_LIES,
        plays("5-0>5-5"),
        "There is no tile on the table yet, so 5-0 cannot be joined to 5-5.",
    ),
    (Fault.ONTO_NOT_PLAYED, plays("5-5 5-0>6-5"), "6-5 is not on the table, so 5-0 cannot be joined to it."),
    (Fault.NO_FIT, plays("5-5 6-4>5-5"), "6-4 does not fit 5-5: they have no number in common."),
    (Fault.END_COVERED, plays("6-4 4-3>6-4 4-1>6-4"), "The 4 of 6-4 is already covered."),
    (
        Fault.SPINNER_FULL,
        plays("5-5 5-0>5-5 5-1>5-5 5-2>5-5 5-3>5-5 5-4>5-5"),
        "All four edges of 5-5 are covered.",
    ),
    (
        Fault.DOUBLE_FULL,
        plays("5-5 5-0>5-5 5-1>5-5 5-2>5-5", spinners=0),
        "Both sides of 5-5 are covered, and in this game it has no branches.",
    ),
    (Fault.ENDS_NONE, ends(" "), "Enter at least one counting end."),
    (Fault.ENDS_NOT_DOUBLE, ends("6-4"), "6-4 is not a double. Write an ordinary end as its number alone."),
    (Fault.ENDS_DOUBLE_TWICE, ends("6-6 6-6"), "6-6 cannot be an end twice. Every tile exists once."),
    (Fault.ENDS_PIP, ends("9"), "9 is not an end. Ends are numbers from 0 to 6 and doubles such as 6-6."),
    (Fault.ENDS_TOO_MANY, ends("1 1 1", "muggins"), "There cannot be more than 2 counting ends in this game."),
    (
        Fault.ENDS_DOUBLES,
        ends("6-6 5-5 4-4 3-3 2-2 1-1"),
        "Doubles that count here: 6. Only the others can have branches, so there cannot be more than 4 counting ends.",
    ),
    (Fault.ENDS_PIP_TOO_OFTEN, ends("1 1 1 1 1 1 1"), "The number 1 cannot be an end more than six times."),
    (
        Fault.ENDS_PIPS_TOO_OFTEN,
        ends("1 1 1 1 1 1 0 0 0 0 0 0"),
        "Only 11 tiles have one of the numbers 0 1, so they cannot be ends so often.",
    ),
    (
        Fault.COUNT_TOO_HIGH,
        ends("6-6 5-5 6 6 6 6 6 6 5 5 5 5"),
        "No layout of this game counts 78. The highest count is 75.",
    ),
    (
        Fault.POINTS_UNIT,
        entry("A opens lot", "A points 16"),
        "16 cannot be scored at one go. Scores go in steps of 1, up to 15.",
    ),
    (Fault.FIELD_BOUNDS, lambda: TWO.changed({"reserve": "3"}), "For reserve, enter a number from 0 to 2."),
    (Fault.FIELD_VALUE, lambda: TWO.changed({"exact": "maybe"}), "maybe is not a value of exact."),
    (
        Fault.NO_SUCH_FIELD,
        lambda: TWO.changed({"colour": "red"}),
        (
            "There is no setting colour. The settings are spinners, hand, reserve, settlement, points_per_five, "
            "target, target_check, exact, stop_when_dead, get_in, double_opens, muggins_call, false_claim, best_of, spinner_counts."
        ),
    ),
    (
        Fault.ONE_SPINNER,
        lambda: TWO.changed({"spinner_counts": "yes"}),
        "A spinner whose open edges count must be the only one: choose one spinner.",
    ),
    (Fault.PLAYERS, lambda: PRESETS["five-up"].rules(5), "This game is for 2 to 4 players."),
    (
        Fault.FOUR_ARE_PARTNERS,
        lambda: PRESETS["five-up"].rules(4, partners=False),
        "In this game four players are two partnerships.",
    ),
    (
        Fault.PARTNERS_NEED_FOUR,
        lambda: PRESETS["five-up"].rules(3, partners=True),
        "Only four players can play as partners.",
    ),
    (
        Fault.TOO_MANY_DEALT,
        lambda: rules_of("five-up", 3, hand="9", reserve="2"),
        "The set has 28 tiles: 3 hands of 9 and a reserve of 2 are too many.",
    ),
    (Fault.NOT_A_SEAT, entry("", "C opens lot"), "There is no seat C in this match."),
    (Fault.NOT_A_TEAM, lambda: Team.parse("A+F"), "A+F is not a side of this match."),
    (Fault.MATCH_WON, entry("adjust A 61 given", "A opens lot"), "The match is over: it has been won."),
    (Fault.MATCH_CLOSED, entry("close rain", "A opens lot"), "The match is closed."),
    (Fault.NO_ROUND, entry("", "A 5-5"), "No round is open yet: first say who opens."),
    (Fault.ROUND_OPEN, entry("A opens lot", "B opens lot"), "Round 1 is not settled yet."),
    (Fault.ROUND_ENDED, after(WENT_OUT, "B 5-3>5-5"), "The round has ended. Enter the leftovers."),
    (
        Fault.ROUND_SETTLED,
        after(go(ALL_DEALT, "left B 6-1"), "A 5-5"),
        "The round is settled. Say who opens the next one.",
    ),
    (Fault.ROUND_GOES_ON, entry("A opens lot", "left B 6-1"), "The round has not ended yet."),
    (
        Fault.NO_ONE_WENT_OUT,
        entry("", "A opens out"),
        "Nobody went out in the round before, so the opener is found by lot.",
    ),
    (Fault.OUT_OPENS, after(go(ALL_DEALT, "left B 6-1"), "B opens lot"), "A went out and opens this round."),
    (
        Fault.LOT_UNDECIDED,
        lambda: apply(new_match(TWO), RoundOpened("A", "lot", ((("A", Tile.of(5, 4)), ("B", Tile.of(6, 3))),))),
        "The lot is not decided: the highest tile must be one player's alone.",
    ),
    (
        Fault.LOT_WRONG,
        lambda: apply(new_match(TWO), RoundOpened("A", "lot", ((("A", Tile.of(1, 0)), ("B", Tile.of(6, 3))),))),
        "The lot says that B opens.",
    ),
    (Fault.NOT_ON_TURN, entry("A opens lot", "B 5-5"), "It is A's turn, not B's."),
    (
        Fault.DOUBLE_OPENS,
        after(start(TWO.changed({"double_opens": "yes"}), ""), "A opens lot"),
        "By this house rule there is no lot: whoever holds the highest double opens.",
    ),
    (
        Fault.SET_DOUBLE,
        after(start(TWO.changed({"double_opens": "yes"}), "A opens agreed"), "A 6-5"),
        "By this house rule the round opens with a double, so 6-5 cannot be set.",
    ),
    (
        Fault.NO_MUGGINS,
        entry("A opens lot; A 5-5", "muggins B"),
        "A missed score cannot be taken here: that is a house rule, and it is off.",
    ),
    (
        Fault.NOTHING_MISSED,
        after(start(TWO.changed({"muggins_call": "yes"}), "A opens lot; A 6-6"), "muggins B"),
        "The last tile made no score that could be taken.",
    ),
    (
        Fault.OWN_SCORE,
        after(start(TWO.changed({"muggins_call": "yes"}), "A opens lot; A 5-5"), "muggins A"),
        "Only an opponent can take a missed score.",
    ),
    (Fault.MUST_SET, entry("A opens lot", "A pass"), "A opens and can play any tile."),
    (
        Fault.LAYOUT_UNKNOWN,
        entry("A opens lot; A points 2", "B 5-5"),
        "This round is kept by counts or points now, so the app does not know where 5-5 lies.",
    ),
    (
        Fault.DREW_NONE,
        entry("A opens lot; A 5-5", "B draw 0"),
        "Enter how many tiles were drawn, at least one.",
    ),
    (
        Fault.BONEYARD_EMPTY,
        entry("A opens lot; A 5-5; B draw 18", "B draw 1"),
        "No tile can be drawn any more.",
    ),
    (
        Fault.BONEYARD_TOO_SMALL,
        entry("A opens lot; A 5-5; B draw 1", "B draw 18"),
        "Tiles that can still be drawn: 17.",
    ),
    (
        Fault.MUST_DRAW,
        entry("A opens lot; A 5-5; B draw 2", "B pass"),
        "Passing is not allowed yet. Tiles that can still be drawn: 16.",
    ),
    (
        Fault.OUT_BY_PLAYING,
        entry("A opens lot; A 5-5; B draw ?", "out B"),
        "B can only go out by playing the last tile.",
    ),
    (
        Fault.STILL_HOLDS,
        entry("A opens lot; A 5-5", "out A"),
        "A has not gone out. Tiles still in the hand: 4.",
    ),
    (
        Fault.NOT_BLOCKED,
        entry("A opens lot; A 5-5", "blocked"),
        "The round is not blocked. Tiles that can still be drawn: 18.",
    ),
    (
        Fault.CAN_PLAY,
        entry("A opens lot; A 5-5; B draw 18", "blocked"),
        "The round is not blocked: somebody still holds a tile that fits.",
    ),
    (
        Fault.OTHER_ROUND,
        fallen(start(TWO, "A opens lot; A 5-5; undo 1")),
        "The round this was entered in is not open here any more.",
    ),
    (
        Fault.LATER_WAIT,
        after(start(TWO, "A opens lot; A 5-5; B 5-0>5-5; undo 1"), "B opens lot"),
        (
            "Round 1 is being put right: later entries wait for it. Put in before them what is missing, "
            "or bring back what was taken out."
        ),
    ),
    (Fault.LEFT_MISSING, after(WENT_OUT, "left B 6-6"), "Enter what C has left."),
    (Fault.LEFT_OF_OUT, after(WENT_OUT, "left A 6-6"), "A went out and has nothing left."),
    (
        Fault.LEFT_EMPTY,
        after(BY_POINTS, "left A  | B 1-0"),
        "A did not go out, so at least one tile must be left.",
    ),
    (Fault.LEFT_TILE_COUNT, after(WENT_OUT, "left B 6-6 6-5 | C 0-0"), "Tiles in the hand of B: 1, not 2."),
    (
        Fault.LEFT_ON_TABLE,
        after(WENT_OUT, "left B 5-5 | C 0-0"),
        "5-5 is on the table, so B cannot hold it.",
    ),
    (
        Fault.LEFT_REPEATED,
        after(WENT_OUT, "left B 6-6 6-6 | C 0-0"),
        "B shows 6-6 twice. Every tile exists once.",
    ),
    (
        Fault.LEFT_TWICE,
        after(WENT_OUT, "left B 6-6 | C 6-6"),
        "6-6 cannot be in two places: B and C both show it.",
    ),
    (
        Fault.LEFT_PIPS,
        after(WENT_OUT, "left B 13 pips | C 0-0"),
        "B cannot have 13 pips left: with these tiles it is 0 to 12.",
    ),
    (
        Fault.LEFT_TOTAL,
        after(played(rules_of("five-up", 4, hand="7"), 25), "left B 7 pips | C 5 pips | D 6-1"),
        "The leftovers and the table make 173 pips together, but the set has 168.",
    ),
    (
        Fault.LEFT_TOGETHER,
        lambda: check_pips_together({"A": Left(100), "B": Left(69)}, DOUBLE_SIX),
        "All cannot have 169 pips left together: with these tiles it is 1 to 168.",
    ),
    (Fault.LEFT_NUMBER, lambda: Left.parse("many pips"), "Enter the pips as a whole number, such as 12."),
    (Fault.NO_SUCH_ENTRY, entry("", "undo 7"), "There is no entry 7."),
    (Fault.ENTRY_UNDONE, entry("note a; undo 1", "undo 1"), "Entry 1 has been taken back already."),
    (
        Fault.NOT_AMENDABLE,
        entry("note a; undo 1", "amend 2 note b"),
        "Entry 2 cannot be corrected. Take it back instead.",
    ),
    (
        Fault.NO_PLACE,
        entry("note a; undo 1", "insert 2 note b"),
        "Nothing can be put in before entry 2: it is no part of a round.",
    ),
    (Fault.NOTHING_CHANGED, entry("", "rename Ani Budi"), "That changes nothing."),
    (Fault.NAMES, entry("", "rename Ani"), "Names are needed for 2 players."),
    (Fault.REASON_MISSING, entry("", "close"), "Say why."),
    (
        Fault.TEXT_TOO_LONG,
        lambda: apply(new_match(TWO), Noted("x" * (LONGEST_TEXT + 1))),
        f"Keep it to {LONGEST_TEXT} characters.",
    ),
    (
        Fault.NUMBER_BOUNDS,
        entry("", "adjust A 10001 much"),
        "Enter a whole number from -10000 to 10000.",
    ),
    (Fault.ADJUSTED_BY_ZERO, entry("", "adjust A 0 nothing"), "A correction of 0 points changes nothing."),
]


@pytest.mark.parametrize(("fault", "raises", "sentence"), FAULTS, ids=[fault.name for fault, *_ in FAULTS])
def test_sentences(fault: Fault, raises: Raises, sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        raises()
    assert (caught.value.fault, str(caught.value)) == (fault, sentence)


def named_in(path: Path) -> set[str]:
    """The members of Fault that a module names."""
    return {
        node.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Fault"
    }


def test_every_fault_of_the_core_is_in_the_table() -> None:
    named = set.union(*(named_in(PACKAGE / "engine" / f"{module}.py") for module in CORE))
    assert {fault.name for fault, *_ in FAULTS} == named


def test_no_fault_is_left_that_nobody_finds() -> None:
    used = set.union(*(named_in(path) for path in PACKAGE.rglob("*.py")))
    assert {fault.name for fault in Fault} - used == set()


def test_no_two_faults_have_one_sentence() -> None:
    assert len(Fault.__members__) == len(set(Fault))


def test_an_error_is_a_value() -> None:
    error = RulesError(Fault.TILE_PLAYED, tile="6-4")
    assert error == RulesError(Fault.TILE_PLAYED, tile="6-4")
    assert hash(error) == hash(RulesError(Fault.TILE_PLAYED, tile="6-4"))
    assert error != RulesError(Fault.TILE_PLAYED, tile="6-5")
    assert error != RulesError(Fault.SET_LIES, tile="6-4")
    assert error != ValueError("6-4")
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (again, str(again)) == (error, "6-4 is already on the table. Every tile exists once.")

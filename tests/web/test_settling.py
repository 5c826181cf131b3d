"""The settlement form without HTTP: what each hand and all together say while leftovers are entered."""

from __future__ import annotations

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import Drew, Settled
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.scoring import Left
from fiveup_ref.web.settling import HandForm, SettleForm

from .matches import NAMES, ended_two, opened, passes, plays
from .test_forms import NO_NUMBERS, Sent

# One hand's leftovers


def test_a_hand_is_ticked_or_typed() -> None:
    assert HandForm("B", ["1-2", "6-6"], "").entered() == Left.parse("6-6 2-1")
    assert HandForm("B", [], " 12 ").entered() == Left(12)
    assert HandForm("B", [], "0").entered() == Left(0)
    assert HandForm("B", [], "168").entered() == Left(168)


@pytest.mark.parametrize("typed", [*NO_NUMBERS, "+5", "-2", "−2", "169", "0169"])
def test_a_hand_takes_whole_pips_only_k51_k54(typed: str) -> None:
    with pytest.raises(RulesError) as refused:
        HandForm("B", [], typed).entered()
    assert refused.value.fault == Fault.LEFT_NUMBER


@pytest.mark.parametrize(
    ("ticked", "typed", "fault"),
    [
        ([], "", Fault.LEFT_MISSING),  # K51: never a silent 0
        ([], " \t", Fault.LEFT_MISSING),
        (["6-6"], "12", Fault.LEFT_BOTH),
        (["7-7"], "", Fault.NO_SUCH_TILE),
        (["<script>"], "", Fault.NOT_A_TILE),
    ],
)
def test_a_hand_that_says_nothing_or_two_things(ticked: list[str], typed: str, fault: Fault) -> None:
    with pytest.raises(RulesError) as refused:
        HandForm("B", ticked, typed).entered()
    assert refused.value.fault == fault


@given(st.text())
def test_whatever_is_typed_as_pips_is_those_digits_or_refused(typed: str) -> None:
    try:
        left = HandForm("A", [], typed).entered()
    except RulesError:
        return
    assert left.tiles is None
    assert str(left.pips) == typed.strip().lstrip("0") or left.pips == 0


def read_settlement(app: Flask, sent: Sent, *, working: bool = False) -> SettleForm:
    """The settlement of a round of two where A is out and B holds one tile."""
    match = replay(PRESETS["five-up"].rules(2), NAMES[:2], ended_two())
    data = MultiDict(sent)
    with app.test_request_context("/", method="POST", data=data):
        form: SettleForm = SettleForm()  # type: ignore[no-untyped-call]
        form.read(match, data, {"A": "Ani", "B": "Budi"}, working=working)
        return form


def test_only_the_others_are_asked_r31(app: Flask) -> None:
    form = read_settlement(app, {"left-A": "6-6", "pips-A": "3", "left-B": "3-2"})
    assert [(hand.seat, hand.error, hand.working) for hand in form.hands] == [("B", "", "5 → 5 → −1")]
    assert form.event() == Settled((("B", Left.parse("3-2")),))


@pytest.mark.parametrize(
    ("pips", "working"), [("0", ""), ("2", "2 → 0 → 0"), ("3", "3 → 5 → −1"), ("7", "7 → 5 → −1"), ("8", "8 → 10 → −2")]
)
def test_the_working_of_a_hand_r28(app: Flask, pips: str, working: str) -> None:
    form = read_settlement(app, {"pips-B": pips})
    lowest = "Budi cannot have 0 pips left: with these tiles it is 2 to 12."
    assert [(hand.working, hand.error) for hand in form.hands] == [("", lowest) if pips == "0" else (working, "")]


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({}, "Enter what Budi has left."),
        ({"left-B": ["3-2", "6-6"]}, "Tiles in the hand of Budi: 1, not 2."),
        ({"left-B": ["3-2", "2-3"]}, "Budi shows 3-2 twice. Every tile exists once."),
        ({"left-B": "5-5"}, "5-5 is on the table, so Budi cannot hold it."),  # R35
        ({"pips-B": "13"}, "Budi cannot have 13 pips left: with these tiles it is 2 to 12."),
        ({"pips-B": "x"}, "Enter the pips as a whole number, such as 12."),
        ({"pips-B": "5", "left-B": "3-2"}, "Enter the tiles of Budi or the pips, not both."),
    ],
)
def test_the_fault_of_a_hand(app: Flask, sent: Sent, error: str) -> None:
    assert [hand.error for hand in read_settlement(app, sent).hands] == [error]


# While leftovers are entered


def test_what_is_only_missing_is_no_fault_while_it_is_entered(app: Flask) -> None:
    form = read_settlement(app, {}, working=True)
    assert ([hand.error for hand in form.hands], form.faulty, form.together) == ([""], False, [])
    assert read_settlement(app, {}).faulty


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"left-B": ["3-2", "6-6"]}, "Tiles in the hand of Budi: 1, not 2."),
        ({"left-B": "5-5"}, "5-5 is on the table, so Budi cannot hold it."),
        ({"pips-B": "13"}, "Budi cannot have 13 pips left: with these tiles it is 2 to 12."),
        ({"pips-B": "x"}, "Enter the pips as a whole number, such as 12."),
    ],
)
def test_what_cannot_be_is_said_at_once(app: Flask, sent: Sent, said: str) -> None:
    form = read_settlement(app, sent, working=True)
    assert ([hand.error for hand in form.hands], form.faulty) == ([said], True)


def test_the_boneyard_follows_when_every_hand_is_shown(app: Flask) -> None:
    form = read_settlement(app, {"left-B": "6-6"}, working=True)
    assert form.together == ["Ani: 0", "Budi: −2"]
    boneyard = form.boneyard.split()
    assert len(boneyard) == 18
    assert not {"6-6", "5-5", "6-5"} & set(boneyard)
    assert read_settlement(app, {"pips-B": "12"}, working=True).boneyard == ""


def settle_blocked(app: Flask, sent: Sent) -> SettleForm:
    """A holds 4 tiles, B 23, and the boneyard is empty."""
    match = replay(
        PRESETS["five-up"].rules(2), NAMES[:2], [*opened(), *plays("A", "6-6"), Drew("B", 18), *passes("BA")]
    )
    data = MultiDict(sent)
    with app.test_request_context("/", method="POST", data=data):
        form: SettleForm = SettleForm()  # type: ignore[no-untyped-call]
        form.read(match, data, {"A": "Ani", "B": "Budi"}, working=True)
        return form


def test_a_hand_in_the_making_says_how_much_it_has_and_what_is_left_for_the_other(app: Flask) -> None:
    some = settle_blocked(app, {"left-A": ["0-0", "1-0"]})
    assert [hand.working for hand in some.hands] == ["2 of 4 tiles", ""]
    all_of_one = settle_blocked(app, {"left-A": ["0-0", "1-0", "1-1", "2-0"]})
    working, left = (hand.working for hand in all_of_one.hands)
    assert working == "5 → 5 → −1"
    assert left.startswith("Only these are left: ")
    tiles = left.partition(": ")[2].split()
    assert len(tiles) == 23
    whole = settle_blocked(app, {"left-A": ["0-0", "1-0", "1-1", "2-0"], "left-B": tiles})
    assert (whole.faulty, whole.together) == (False, ["Ani: −1", "Budi: −30"])


def test_a_tile_in_two_hands_and_a_total_that_is_not_168_are_said_at_once(app: Flask) -> None:
    twice = settle_blocked(app, {"left-A": ["0-0"], "left-B": ["0-0"]})
    assert [hand.error for hand in twice.hands] == ["", "0-0 cannot be in two places: Ani and Budi both show it."]
    total = settle_blocked(app, {"pips-A": "5", "pips-B": "150"})
    assert total.problem == "The leftovers and the table make 167 pips together, but the set has 168."

"""Blocked or not, one more tile or stop."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.round_rulings import (
    Blocking,
    Fitting,
    Holding,
    Turn,
    rule_on_blocked,
    rule_on_round,
    rule_on_turn,
)
from fiveup_ref.engine.rules import Rules
from tests.engine.play import rules_of, start
from tests.playout import playout

TWO = rules_of("five-up")
ALL = rules_of("five-up", hand="14")  # no boneyard


@pytest.mark.parametrize(
    ("drawable", "holding", "stop", "says"),
    [
        (10, Holding.NOBODY, "no", Blocking.DRAW_FIRST),  # R19
        (0, Holding.NOBODY, "no", Blocking.BLOCKED),
        (0, Holding.SOMEBODY, "no", Blocking.CAN_PLAY),  # R20
        (3, Holding.SOMEBODY, "yes", Blocking.CAN_PLAY),
        (3, Holding.DEAD, "no", Blocking.DEAD_DRAWS),
        (3, Holding.DEAD, "yes", Blocking.DEAD),
        (0, Holding.DEAD, "no", Blocking.BLOCKED),
        (3, Holding.NOBODY, "yes", Blocking.DRAW_FIRST),
    ],
)
def test_blocked_or_not(drawable: int, holding: Holding, stop: str, says: Blocking) -> None:
    ruling = rule_on_blocked(TWO.changed({"stop_when_dead": stop}), drawable, holding)
    assert ruling.ruling.says is says
    assert ruling.stands is (says in (Blocking.BLOCKED, Blocking.DEAD))


@pytest.mark.parametrize(("game", "says"), [("five-up", Blocking.NO_PENALTY), ("all-fives", Blocking.LOWEST)])
def test_what_a_blocked_round_brings_is_said_as_the_game_has_it(game: str, says: Blocking) -> None:
    assert rule_on_blocked(rules_of(game), 0, Holding.NOBODY).otherwise[-1].says is says


@pytest.mark.parametrize(
    ("rules", "entries", "says"),
    [
        (TWO, "A opens lot; A 5-5", Blocking.DRAW_FIRST),
        (rules_of("five-up", hand="11"), "A opens lot; A 5-5", Blocking.DRAW_FIRST),  # all six that fit may lie there
        (rules_of("five-up", hand="12"), "A opens lot; A 5-5", Blocking.CAN_PLAY),  # only four can
        (ALL, "A opens lot; A 5-5", Blocking.CAN_PLAY),  # no boneyard: somebody holds a five
        (TWO, "A opens lot; A 5-5; B draw ?", Blocking.UNKNOWN),
        (TWO, "A opens lot; A points 0", Blocking.UNKNOWN),
        (ALL, "A opens lot; A 5-5; B pass; A pass", Blocking.BLOCKED),
        (TWO, "A opens lot; A 5-5; B draw ?; B 5-1>5-5; blocked", Blocking.BLOCKED),
    ],
)
def test_blocked_or_not_from_the_entries(rules: Rules, entries: str, says: Blocking) -> None:
    ruling = rule_on_round(start(rules, entries))
    assert ruling is not None
    assert ruling.ruling.says is says


def test_no_round_is_ruled_on_where_none_is_open() -> None:
    assert rule_on_round(start(TWO)) is None
    assert rule_on_round(playout(1, 2)) is None


@pytest.mark.parametrize(
    ("drawable", "fitting", "says"),
    [
        (5, Fitting.HAND, Turn.PLAY),
        (0, Fitting.HAND, Turn.PLAY),
        (5, Fitting.DRAWN, Turn.STOP),
        (5, Fitting.NONE, Turn.DRAW),
        (0, Fitting.NONE, Turn.PASS),
    ],
)
def test_one_more_tile_or_stop(drawable: int, fitting: Fitting, says: Turn) -> None:
    assert rule_on_turn(TWO, drawable, fitting).ruling.says is says


def test_a_reserve_is_named() -> None:
    ruling = rule_on_turn(TWO.changed({"reserve": "2"}), 0, Fitting.NONE)
    assert [line.says for line in ruling.working] == [Turn.EMPTY, Turn.RESERVED]

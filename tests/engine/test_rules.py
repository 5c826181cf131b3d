"""The presets, house rules, and what their fields may be (rules 5)."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.rules import FIELDS, PRESETS, Rules
from fiveup_ref.engine.seats import Team
from tests.engine.play import ALL_RULES, rules_of

# preset, players | spinners hand boneyard reserve settlement unit target check exact dead | teams
TABLE = """
five-up   2 | 7 5 18 0 deduct-own   1  61 after-round no no | A B
five-up   3 | 7 5 13 0 deduct-own   1  61 after-round no no | A B C
five-up   4 | 7 5  8 0 deduct-own   1  61 after-round no no | A+C B+D
all-fives 2 | 1 9 10 0 winner-takes 5 250 at-once     no no | A B
all-fives 3 | 1 7  7 0 winner-takes 5 200 at-once     no no | A B C
all-fives 4 | 1 5  8 0 winner-takes 5 200 at-once     no no | A+C B+D
all-fives 5 | 1 5  3 0 winner-takes 5 200 at-once     no no | A B C D E
muggins   2 | 0 9 10 0 winner-takes 5 250 at-once     no no | A B
muggins   3 | 0 7  7 0 winner-takes 5 200 at-once     no no | A B C
muggins   4 | 0 5  8 0 winner-takes 5 200 at-once     no no | A+C B+D
muggins   5 | 0 5  3 0 winner-takes 5 200 at-once     no no | A B C D E
""".strip().splitlines()


@pytest.mark.parametrize("line", TABLE)
def test_presets(line: str) -> None:
    game, figures, teams = (part.split() for part in line.split("|"))
    rules = PRESETS[game[0]].rules(int(game[1]))
    written = [write(getattr(rules, name)) for name, (_, write) in FIELDS.items()]
    spinners, hand, boneyard, *others = figures
    assert written == [spinners, hand, *others, "0", "no", "no", "0", "1", "no"]  # what is beyond the sources is off
    assert rules.boneyard == int(boneyard)
    assert [str(team) for team in rules.teams] == teams
    assert rules.changes() == {}
    assert rules.preset == game[0]
    assert len(rules.seats) == rules.players == int(game[1])


def test_the_fields_are_those_of_the_record() -> None:
    assert set(FIELDS) == {field.name for field in fields(Rules)} - {"preset", "players", "partners"}
    assert sorted(PRESETS) == ["all-fives", "five-up", "muggins"]
    assert [name == preset.name for name, preset in PRESETS.items()] == [True] * 3


@pytest.mark.parametrize(
    ("preset", "players", "partners", "fault"),
    [
        ("five-up", 1, None, Fault.PLAYERS),
        ("five-up", 5, None, Fault.PLAYERS),
        ("all-fives", 1, None, Fault.PLAYERS),
        ("all-fives", 6, None, Fault.PLAYERS),
        ("muggins", 0, None, Fault.PLAYERS),
        ("five-up", 4, False, Fault.FOUR_ARE_PARTNERS),
        ("five-up", 2, True, Fault.PARTNERS_NEED_FOUR),
        ("all-fives", 3, True, Fault.PARTNERS_NEED_FOUR),
        ("muggins", 5, True, Fault.PARTNERS_NEED_FOUR),
    ],
)
def test_players_a_game_is_not_for(preset: str, players: int, *, partners: bool | None, fault: Fault) -> None:
    with pytest.raises(RulesError) as caught:
        PRESETS[preset].rules(players, partners=partners)
    assert caught.value.fault is fault


@pytest.mark.parametrize("preset", ["all-fives", "muggins"])
def test_four_may_play_singly(preset: str) -> None:
    rules = PRESETS[preset].rules(4, partners=False)
    assert [str(team) for team in rules.teams] == ["A", "B", "C", "D"]
    assert rules.changes() == {}
    assert PRESETS[preset].rules(4, partners=True) == PRESETS[preset].rules(4)


@pytest.mark.parametrize(
    ("field", "lowest", "highest"),
    [("spinners", 0, 7), ("hand", 1, 14), ("reserve", 0, 2), ("points_per_five", 1, 10), ("target", 1, 10_000)],
)
def test_bounds_of_a_field(field: str, lowest: int, highest: int) -> None:
    usual = rules_of("five-up", 2)
    for value in (lowest, highest):
        hand = {"hand": "13"} if field == "reserve" else {}
        rules = usual.changed({**hand, field: str(value)})
        assert getattr(rules, field) == value
    for value in (lowest - 1, highest + 1):
        with pytest.raises(RulesError) as caught:
            replace(usual, **figure(field, value))
        assert caught.value.fault is Fault.FIELD_BOUNDS
        assert caught.value.fields == {"field": field, "lowest": lowest, "highest": highest}


def figure(field: str, value: int) -> dict[str, Any]:
    return {field: value}


@pytest.mark.parametrize("players", [1, 6])
def test_bounds_of_players(players: int) -> None:
    with pytest.raises(RulesError) as caught:
        replace(rules_of("five-up", 2), players=players)
    assert caught.value.fields == {"field": "players", "lowest": 2, "highest": 5}


@pytest.mark.parametrize(
    ("players", "hand", "reserve", "fits"),
    [
        (2, 14, 0, True),
        (2, 14, 1, False),
        (2, 13, 2, True),
        (3, 9, 1, True),
        (3, 9, 2, False),
        (3, 10, 0, False),
        (4, 7, 0, True),
        (4, 7, 1, False),
        (4, 6, 2, True),
        (5, 5, 2, True),
        (5, 6, 0, False),
    ],
)
def test_hands_and_reserve_against_28(players: int, hand: int, reserve: int, *, fits: bool) -> None:
    usual = rules_of("all-fives", players)
    written = {"hand": str(hand), "reserve": str(reserve)}
    if fits:
        rules = usual.changed(written)
        assert rules.players * rules.hand + rules.boneyard == 28
        assert rules.boneyard >= rules.reserve
        return
    with pytest.raises(RulesError) as caught:
        usual.changed(written)
    assert caught.value.fault is Fault.TOO_MANY_DEALT
    assert caught.value.fields == {"players": players, "hand": hand, "reserve": reserve}


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_changes_are_what_changed_takes(rules: Rules) -> None:
    usual = PRESETS[rules.preset].rules(rules.players, partners=rules.partners)
    assert usual.changed(rules.changes()) == rules


def test_changes_are_in_the_order_of_the_rules() -> None:
    every = {
        "stop_when_dead": "yes",
        "exact": "yes",
        "target_check": "at-once",
        "target": "305",
        "points_per_five": "5",
        "settlement": "winner-takes",
        "reserve": "2",
        "hand": "7",
        "spinners": "1",
    }
    changes = rules_of("five-up", 3).changed(every).changes()
    assert changes == every
    assert list(changes) == list(reversed(every))


@pytest.mark.parametrize(
    ("field", "text"),
    [("target", text) for text in ("", "-1", "+1", "1e1", "6 1", " 61", "61.0", "1_0", "٦١", "²", "1234567", "no")]
    + [("exact", text) for text in ("", "Yes", "true", "1", "0", "y", "no ")]
    + [("stop_when_dead", "True"), ("settlement", "deduct"), ("target_check", "AT_ONCE"), ("settlement", "")],
)
def test_values_that_cannot_be_read(field: str, text: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_of("five-up", 2).changed({field: text})
    assert caught.value.fault is Fault.FIELD_VALUE
    assert caught.value.fields == {"field": field, "text": text}


@pytest.mark.parametrize("field", ["partners", "players", "preset", "hand_sizes", "", "Target"])
def test_fields_that_cannot_be_set(field: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_of("five-up", 2).changed({field: "1"})
    assert caught.value.fault is Fault.NO_SUCH_FIELD
    assert caught.value.fields == {"field": field, "fields": ", ".join(FIELDS)}


def test_a_preset_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        PRESETS["five-up"].spinners = 1  # type: ignore[misc]


def test_numbers_may_have_zeros_before_them() -> None:
    assert rules_of("five-up", 2).changed({"target": "000061", "exact": "no"}) == rules_of("five-up", 2)


@pytest.mark.parametrize(("spinners", "highest"), [("0", 22), ("1", 36), ("2", 75), ("6", 75), ("7", 75)])
def test_highest_count(spinners: str, highest: int) -> None:
    assert rules_of("five-up", 2, spinners=spinners).highest_count == highest


@pytest.mark.parametrize(("unit", "raw", "points"), [("1", 15, 3), ("5", 15, 15), ("10", 75, 150), ("3", 0, 0)])
def test_points_of_raw(unit: str, raw: int, points: int) -> None:
    assert rules_of("five-up", 2, points_per_five=unit).points(raw) == points


def test_seats_go_clockwise_and_partners_sit_opposite() -> None:
    rules = rules_of("five-up", 4)
    assert [rules.after(seat) for seat in "ABCD"] == ["B", "C", "D", "A"]
    assert rules.team_of == {"A": 0, "B": 1, "C": 0, "D": 1}
    assert rules_of("five-up", 2).after("B") == "A"
    assert rules_of("muggins", 5).after("E") == "A"


@pytest.mark.parametrize(
    ("text", "seats"), [("A", ("A",)), ("A+C", ("A", "C")), ("D+B", ("B", "D")), ("E+D+A", ("A", "D", "E"))]
)
def test_teams_as_written(text: str, seats: tuple[str, ...]) -> None:
    team = Team.parse(text)
    assert team == Team(seats)
    assert str(team) == "+".join(seats)
    assert repr(team) == f"Team.parse('{'+'.join(seats)}')"


@pytest.mark.parametrize("text", ["", "F", "a", "A+", "+A", "A+A", "A C", "A,C", "AC"])
def test_what_is_no_team(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        Team.parse(text)
    assert caught.value.fault is Fault.NOT_A_TEAM
    assert caught.value.fields == {"text": text}

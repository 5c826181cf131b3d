"""Forms without HTTP: what each makes of what was typed, and what it refuses."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TypeVar

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from fiveup_ref.engine.events import (
    Counted,
    Drew,
    Event,
    Passed,
    Played,
    RoundEnded,
    RoundOpened,
    Scored,
    Undone,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.record_values import check_name
from fiveup_ref.engine.rules import FIELDS
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.affairs import advised_against
from fiveup_ref.web.forms import (
    CountForm,
    DrawForm,
    EndForm,
    EntryForm,
    OpenForm,
    OurForm,
    PassForm,
    PlayForm,
    ScoreForm,
    UndoForm,
    WholeNumber,
    one_line,
)
from fiveup_ref.web.new_match import NewMatchForm

Sent = dict[str, str | list[str]]
OneForm = TypeVar("OneForm", bound=OurForm)
FAMILY = "👨‍👩‍👧‍👦🁣🀱"
NO_NUMBERS = [
    *("+", "-", "−", "3,5", "3.0", "3.", "1_0", "_2", "- 2", "--2", "1e1", "12a", "0x10", "½", "²", "Ⅻ"),
    *("٣", "१२", "１２", "𝟙𝟚", "1 2", "five", "NaN", "inf", "9" * 7, "9" * 5_000, "1\x00", "\u200b5"),
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One app for all, since nothing is stored here."""
    store = Store(tmp_path_factory.mktemp("forms"))
    yield create_app(store, secret_key="for tests", everyone_here=True)
    store.close()


def made(kind: type[OneForm]) -> OneForm:
    """The form as this request fills it, without its token."""
    return kind(meta={"csrf": False})


def filled(app: Flask, kind: type[OneForm], **sent: str | list[str]) -> OneForm:
    """The form as read from a request that sent this."""
    with app.test_request_context("/", method="POST", data=MultiDict(sent)):
        return made(kind)


def checked(app: Flask, **sent: str | list[str]) -> tuple[NewMatchForm, bool]:
    """The form of a new match, and whether it is valid."""
    usual: Sent = {"players": "2", "name_a": "Ani", "name_b": "Budi"}
    with app.test_request_context("/new", method="POST", data=MultiDict(usual | sent)):
        form = made(NewMatchForm)
        return form, form.validate()


@pytest.mark.parametrize(
    ("kind", "sent", "event"),
    [
        (OpenForm, {"opener": "B lot"}, RoundOpened("B", "lot")),
        (OpenForm, {"opener": "C out"}, RoundOpened("C", "out")),
        (OpenForm, {"opener": "D agreed"}, RoundOpened("D", "agreed")),
        (PlayForm, {"seat": "A", "play": "5-5"}, Played("A", Tile.of(5, 5))),
        (PlayForm, {"seat": "B", "play": "0-5>5-5"}, Played("B", Tile.of(5, 0), Tile.of(5, 5))),
        (PlayForm, {"seat": "B", "play": " 50 > [5:5] "}, Played("B", Tile.of(5, 0), Tile.of(5, 5))),
        (CountForm, {"seat": "A", "ends": " 6-6  5 4 "}, Counted("A", Ends.parse("6-6 5 4"))),
        (ScoreForm, {"seat": "A", "points": "3"}, Scored("A", 3)),
        (ScoreForm, {"seat": "A", "points": "0"}, Scored("A", 0)),
        (DrawForm, {"seat": "A"}, Drew("A", 1)),
        (DrawForm, {"seat": "A", "tiles": "?"}, Drew("A", None)),
        (PassForm, {"seat": "A"}, Passed("A")),
        (EndForm, {"out": "blocked"}, RoundEnded(None)),
        (EndForm, {"out": "C"}, RoundEnded("C")),
        (UndoForm, {"entry": "12"}, Undone(12)),
    ],
)
def test_a_form_makes_its_event(app: Flask, kind: type[EntryForm], sent: Sent, event: Event) -> None:
    assert filled(app, kind, **sent).event() == event


@pytest.mark.parametrize(
    ("kind", "sent", "fault"),
    [
        (OpenForm, {}, Fault.NOT_A_SEAT),
        (OpenForm, {"opener": "A"}, Fault.NOT_A_SEAT),
        (OpenForm, {"opener": "A won"}, Fault.NOT_A_SEAT),
        (PlayForm, {"seat": "A"}, Fault.NOT_A_TILE),
        (PlayForm, {"seat": "A", "play": ""}, Fault.NOT_A_TILE),
        (PlayForm, {"seat": "A", "play": "5-5>"}, Fault.NOT_A_TILE),
        (PlayForm, {"seat": "A", "play": ">5-5"}, Fault.NOT_A_TILE),
        (PlayForm, {"seat": "A", "play": "5-5>5-0>5-5"}, Fault.NOT_A_TILE),
        (PlayForm, {"seat": "A", "play": "٥-٥"}, Fault.NOT_A_TILE),
        (PlayForm, {"seat": "A", "play": "7-8"}, Fault.NO_SUCH_TILE),  # R64
        (PlayForm, {"seat": "A", "play": ["6-6", "6-3>6-6"]}, Fault.NOT_A_TILE),  # R13: one placement is one turn
        (CountForm, {"seat": "A", "ends": ""}, Fault.ENDS_NONE),
        (CountForm, {"seat": "A", "ends": "7"}, Fault.ENDS_PIP),
        (CountForm, {"seat": "A", "ends": "٣"}, Fault.ENDS_PIP),
        (CountForm, {"seat": "A", "ends": "6-5"}, Fault.ENDS_NOT_DOUBLE),
        (CountForm, {"seat": "A", "ends": "6-6 66"}, Fault.ENDS_DOUBLE_TWICE),
        *((ScoreForm, {"seat": "A", "points": text}, Fault.NUMBER_BOUNDS) for text in ["", "-5", "+5", *NO_NUMBERS]),
    ],
)
def test_a_form_refuses_what_is_no_event(app: Flask, kind: type[EntryForm], sent: Sent, fault: Fault) -> None:
    with pytest.raises(RulesError) as refused:
        filled(app, kind, **sent).event()
    assert refused.value.fault == fault


@pytest.mark.parametrize(
    ("seen", "number"), [("0", 0), ("12", 12), ("", -1), ("-1", -1), ("٣", -1), ("1_0", -1), ("9" * 7, -1), ("x", -1)]
)
def test_a_number_of_entries_that_cannot_be_makes_a_conflict(app: Flask, seen: str, number: int) -> None:
    assert filled(app, PassForm, seen=seen).seen_number == number


class Signed(OurForm):
    """A number that may be below zero."""

    points = WholeNumber(lowest=-10, highest=10)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("-2", -2),
        ("−2", -2),
        ("+2", 2),
        (" 2 ", 2),
        ("007", 7),
        ("0", 0),
        ("-0", 0),
        ("10", 10),
        ("-10", -10),
        ("", None),
    ],
)
def test_whole_number_k49(app: Flask, typed: str, value: int | None) -> None:
    form = filled(app, Signed, points=typed)
    assert (form.points.data, form.points.process_errors) == (value, [])


@pytest.mark.parametrize("typed", [*NO_NUMBERS, "11", "-11", "−11", "-−2"])
def test_whole_number_refuses_and_keeps_what_was_typed_k49_k51_k54(app: Flask, typed: str) -> None:
    form = filled(app, Signed, points=typed)
    assert form.points.data is None
    assert form.points.process_errors == ["Enter a whole number from -10 to 10."]
    assert form.points._value() == typed.strip()


def test_an_emptied_number_is_not_zero_k51(app: Flask) -> None:
    assert filled(app, Signed).points.data is None
    assert filled(app, Signed, points="  ").points.data is None


# A new match


SEATED: Sent = {"name_c": "Citra", "name_d": "Dewi", "name_e": "Eka"}


@pytest.mark.parametrize(
    ("game", "players", "hand", "target", "teams"),
    [
        *(("five-up", "2", 5, 61, 2), ("five-up", "3", 5, 61, 3), ("five-up", "4", 5, 61, 2)),
        *(("all-fives", "2", 9, 250, 2), ("all-fives", "3", 7, 200, 3), ("all-fives", "4", 5, 200, 2)),
        *(("all-fives", "single", 5, 200, 4), ("all-fives", "5", 5, 200, 5)),
        *(("muggins", "2", 9, 250, 2), ("muggins", "single", 5, 200, 4), ("muggins", "5", 5, 200, 5)),
    ],
)
def test_what_is_not_entered_is_usual(app: Flask, game: str, players: str, hand: int, target: int, teams: int) -> None:
    form, valid = checked(app, game=game, players=players, **SEATED)
    assert valid
    rules = form.rules()
    assert rules is not None
    assert (rules.preset, rules.hand, rules.target, len(rules.teams)) == (game, hand, target, teams)
    assert rules.changes() == {}


HOUSE: dict[str, str] = {
    "spinners": "1",
    "hand": "7",
    "reserve": "2",
    "settlement": "winner-takes",
    "points_per_five": "5",
    "target": "300",
    "target_check": "at-once",
    "exact": "yes",
    "stop_when_dead": "yes",
    "get_in": "10",
    "double_opens": "yes",
    "muggins_call": "yes",
    "false_claim": "5",
    "best_of": "3",
    "spinner_counts": "yes",
}


def test_every_setting_is_a_house_rule(app: Flask) -> None:
    assert HOUSE.keys() == FIELDS.keys()
    form, valid = checked(app, **HOUSE)
    assert valid
    rules = form.rules()
    assert rules is not None
    assert rules.changes() == HOUSE
    assert not form.folded


def test_the_usual_match_is_five_up_for_four_k64(app: Flask) -> None:
    with app.test_request_context("/new"):
        form = made(NewMatchForm)
    assert (form.game.data, form.players.data, form.folded) == ("five-up", "4", True)
    rules = form.rules()
    assert rules is not None
    assert (rules.target, rules.changes()) == (61, {})


@pytest.mark.parametrize(
    ("sent", "beside"),
    [
        ({"game": "five-up", "players": "5"}, {"players": "This game is for 2 to 4 players."}),
        ({"game": "five-up", "players": "single"}, {"players": "In this game four players are two partnerships."}),
        ({"game": "whist"}, {"game": "Choose a game."}),
        ({"game": "own"}, {"game": "Choose a game."}),
        (
            {"players": "4", "hand": "7", "reserve": "1"},
            {"hand": "The set has 28 tiles: 4 hands of 7 and a reserve of 1 are too many."},
        ),
        ({"hand": "15"}, {"hand": "For tiles dealt to each, enter a number from 1 to 14."}),
        ({"reserve": "3"}, {"reserve": "For tiles never drawn, enter a number from 0 to 2."}),
        ({"settlement": "none"}, {"settlement": "none is not a value of settlement of leftovers."}),
        ({"get_in": "40"}, {"get_in": "For raw points to get in, enter a number from 0 to 35."}),
        *(({"target": text}, {"target": f"{text.strip()[:20]} is not a value of target."}) for text in ("-61", "1_0")),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(app: Flask, sent: Sent, beside: dict[str, str]) -> None:
    form, valid = checked(app, **(SEATED | sent))
    assert not valid
    said = {name: " ".join(map(str, errors)) for name, errors in form.errors.items() if name}
    assert said | {line.field: line.error for line in form.house if line.error} == beside


def test_what_sources_advise_against_is_said(app: Flask) -> None:
    for sent, told in (
        ({}, []),
        ({"game": "all-fives"}, []),
        ({"game": "all-fives", "points_per_five": "1", "target": "61"}, []),
        ({"game": "all-fives", "settlement": "deduct-own"}, []),
        ({"game": "all-fives", "settlement": "deduct-own", "points_per_five": "1", "target": "61"}, ["pegs"]),
        ({"game": "all-fives", "points_per_five": "1"}, ["1250 raw"]),
    ):
        with app.test_request_context("/new", method="POST", data=MultiDict({"players": "2", **sent})):
            rules = made(NewMatchForm).rules()
            assert rules is not None
            against = advised_against(rules)
        assert len(against) == len(told)
        assert [word for word in told if word not in " ".join(against)] == []


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_every_seat_needs_a_name_k42(app: Flask, players: str) -> None:
    form, valid = checked(app, players=players, name_a="", name_b=" ", name_c="\t\x00", name_d="\u200b\u2060")
    assert not valid
    missing = [["Enter a name."]] * int(players) + [[]] * (5 - int(players))
    assert [list(field.errors) for field in form.names] == missing


@pytest.mark.parametrize("target", [*NO_NUMBERS, "+5", "0", "10001"])
def test_a_target_is_a_whole_number(app: Flask, target: str) -> None:
    form, valid = checked(app, target=target)
    assert not valid
    assert [line.field for line in form.house if line.error] == ["target"]


@pytest.mark.parametrize(("target", "value"), [("1", 1), ("10000", 10000), (" 61 ", 61), ("", 61), ("  ", 61)])
def test_targets_that_can_be(app: Flask, target: str, value: int) -> None:
    form, valid = checked(app, target=target)
    rules = form.rules()
    assert rules is not None
    assert (valid, rules.target) == (True, value)


def test_choices_that_are_not_offered(app: Flask) -> None:
    for sent in ({"players": "6"}, {"players": "٣"}, {"players": "1_0"}, {"exact": "maybe"}):
        assert not checked(app, **sent)[1]


@pytest.mark.parametrize("name", ["W" * 40, "Ѡ" * 40, FAMILY, "ديوي", "<script>", "=1+1", "A_i", "%(name)s", "{0}"])
def test_names_are_kept_as_they_are_k37_k76(app: Flask, name: str) -> None:
    form, valid = checked(app, name_a=name)
    assert (valid, form.name_a.data) == (True, name)


def test_a_name_that_is_too_long_is_refused_and_not_cut_k36(app: Flask) -> None:
    form, valid = checked(app, name_a="W" * 41, title="T" * 61)
    assert not valid
    assert list(form.name_a.errors) == ["Keep it to 40 characters."]
    assert list(form.title.errors) == ["Field cannot be longer than 60 characters."]
    assert (form.name_a.data, form.title.data) == ("W" * 41, "T" * 61)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  Ni   Luh\r\n Śrī ", "Ni Luh Śrī"),
        ("a\x00b\x1b[31m\x7f\x85c", "a b [31m c"),
        ("a\u2028b", "a b"),
        ("Ani\u202egnp", "Anignp"),
        ("\u2067ديوي\u2069", "ديوي"),
        ("\u200d\u200e\ufeff", ""),
        (FAMILY, FAMILY),
        ("می‌خواهم", "می‌خواهم"),
        ("🫩", "🫩"),  # newer than the tables of this Python
        (None, ""),
    ],
)
def test_one_line(text: str | None, line: str) -> None:
    assert one_line(text) == line


@given(st.text())
def test_one_line_is_one_line_and_stays_so(text: str) -> None:
    line = one_line(text)
    assert one_line(line) == line
    assert line.splitlines() in ([], [line])
    assert line.strip() == line
    assert not any(sign < " " for sign in line)


# What is no form


@pytest.mark.parametrize(
    "json", [{"points": 0}, {"points": None}, {}, {"points": False}, {"points": 3.9}, [1, 2], "3", None]
)
def test_json_is_no_form_s08_s09(app: Flask, json: object) -> None:
    with app.test_request_context("/", method="POST", json=json):
        form = made(ScoreForm)
    assert form.points.data is None
    with pytest.raises(RulesError):
        form.event()


def test_a_file_is_no_field(app: Flask) -> None:
    data = {"play": (io.BytesIO(b"5-5"), "5-5"), "seat": "A"}
    with app.test_request_context("/", method="POST", data=data):
        form = made(PlayForm)
    with pytest.raises(RulesError):
        form.event()


def test_what_is_in_the_address_is_no_field(app: Flask) -> None:
    with app.test_request_context("/?points=3", method="POST"):
        assert made(ScoreForm).points.data is None


@pytest.mark.parametrize(
    "text", ["", " ", "\u2800", "\u115f", "\u1160", "\u3164 \u3164", "\uffa0", "\u200b\u2800", "\ufe0f", "\u034f"]
)
def test_a_text_that_shows_nothing_is_none(text: str) -> None:
    assert one_line(text) == ""
    assert one_line(f"{text}Ani{text}").strip(text or None) == "Ani"
    with pytest.raises(RulesError) as caught:
        check_name(text)
    assert caught.value.fault is Fault.NAME_MISSING


@pytest.mark.parametrize("text", ["Ani", "\u0e14\u0e35", "\u28ff", "\ud55c", "\u2764\ufe0f", "."])
def test_a_text_that_shows_something_is_kept(text: str) -> None:
    assert one_line(text) == text
    check_name(text)

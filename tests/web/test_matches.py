"""Matches entered by HTTP, as a table does it: round by round, refused, in conflict, taken back, settled, won."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from flask import Flask

from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import AGREED, OUT, Closed, Drew, Event, Played, RoundEnded, RoundOpened, Settled, Undone
from fiveup_ref.engine.lot import lot_winner, tied
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.seats import SEATS
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from fiveup_ref.store import Store
from fiveup_ref.web.language import number
from fiveup_ref.web.matches import hold_lot

from .device import Device, Page, match_at, saved_at
from .matches import (
    NAMES,
    OUT_OF_TWO,
    ended_three,
    ended_two,
    first_round,
    keep,
    lead,
    opened,
    passes,
    plays,
    recorded,
    settled,
)

FIVE = Tile.of(5, 5)


def start(device: Device, players: int = 2, **more: str) -> Page:
    """Fill in the form of a new match and go to its table."""
    page = device.get("/new")
    form = page.tree.one("form", "new")
    names = dict(zip(("name_a", "name_b", "name_c", "name_d"), NAMES, strict=True))
    sent = page.hidden(form) | {"players": str(players), "game": "five-up"} | names | more
    answer = device.post("/new", sent)
    assert answer.status_code == 303
    device.path = answer.headers["Location"]
    return device.get()


def shown_scores(match: Match) -> dict[str, str]:
    return {str(team): number(score) for team, score in zip(match.rules.teams, match.scores, strict=True)}


def level(**points: int) -> list[Event]:
    """A round of two that brings A 2 points and B 1; `points` as a head start."""
    return [*ended_two(**points), settled(B="3-2")]


# A whole round


@pytest.mark.parametrize(
    ("players", "name"), [(2, "five-up-two-players"), (3, "five-up-three-players"), (4, "five-up-four-partners")]
)
def test_a_round_from_the_lot_to_its_settlement(device: Device, store: Store, players: int, name: str) -> None:
    """Every entry by a button that the page offers, and every score as the engine says of the record."""
    log = first_round(recorded(name))
    page = start(device, players)
    assert page.phase == "open"
    rules = PRESETS["five-up"].rules(players)
    expected = Match.new(rules, NAMES[:players])
    for count, event in enumerate(log, 1):
        if isinstance(event, RoundEnded) and page.phase == "settle":
            continue  # the app saw it by itself
        page = device.enter(event)
        expected = replay(expected.rules, expected.players, log[:count])
        assert page.scores == shown_scores(expected), event
    match = match_at(store, device.path)
    assert match.scores == expected.scores
    assert match.rounds[0].settlement == expected.rounds[0].settlement
    assert page.phase == "open"
    working = page.tree.one(of="working")
    hands = [[cell.text for cell in row.all("td")] for row in working.one("tbody").all("tr")]
    assert [hand[0] for hand in hands if len(hand) == 1] == ["went out"] * (match.rounds[0].out is not None)
    assert [int(hand[1]) for hand in hands if len(hand) > 1] == [left.pips for _, left in match.rounds[0].left]


def test_each_play_says_why_it_scores(device: Device, store: Store) -> None:
    """R01, R05: the sum with its terms, and which double counts nothing."""
    device.path = keep(store, opened())
    sentences = [device.enter(event).sentence for event in plays("AB", "5-5 5-3>5-5 5-4>5-5 6-3>5-3 4-4>5-4 6-5>5-5")]
    assert sentences == [
        "5-5 10 = 10 +2",
        "5-5 10 + 3 = 13 no score",
        "3 + 4 = 7 no score",
        "4 + 6 = 10 +2",
        "6 + 4-4 8 = 14 no score",
        "6 + 4-4 8 + 6 = 20 +4",
    ]
    why = device.get().tree.one(of="result").texts("li")
    assert "5-5 counts nothing: both its sides are covered." in why
    assert "4-4: a double with an uncovered side counts both halves, 8." in why
    assert why[-1] == "20 is a multiple of five: 4 points."


def test_a_count_that_scores_nothing_says_so(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "6-4"), *plays("B", "4-4>6-4")])  # R04: 14, not 18
    page = device.get()
    assert page.sentence == "6 + 4-4 8 = 14 no score"
    assert page.tree.one(of="result").texts("li")[-1] == "14 is not a positive multiple of five: no score."


def test_places_are_offered_once_and_covered_ones_not(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    assert sorted(device.get().buttons("play")) == sorted(map(str, DOUBLE_SIX))
    device.enter(Played("A", FIVE))
    assert device.get().buttons("play") == [f"5-{pip}>5-5" for pip in range(5)] + ["6-5>5-5"]  # R08
    for event in plays("BA", "5-0>5-5 5-4>5-5"):
        device.enter(event)
    offered = device.get().buttons("play")
    assert len(offered) == len(set(offered))
    assert {one for one in offered if one.endswith(">5-5")} == {"5-1>5-5", "5-2>5-5", "5-3>5-5", "6-5>5-5"}  # R02


def test_the_page_names_its_buttons_for_those_who_cannot_see(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5 5-4>5-5")])
    labels = [button.get("aria-label") for form in device.get().forms("play") for button in form.all("button")]
    assert {"Play 4-0 on 5-0", "Play 4-0 on 5-4", "Play 6-5 on 5-5, branch"} <= set(labels)
    assert all(labels)
    assert len(labels) == len(set(labels))


def test_the_score_is_in_the_page_once_k18(device: Device, store: Store) -> None:
    device.path = keep(store, [*lead(A=37), *opened()])
    page = device.get()
    assert len(page.tree.all(of="score")) == 2
    assert re.findall(r"(?<!\+)\b37\b(?! strokes)", page.tree.one("main").text) == ["37"]


def test_partners_share_one_score_k66(device: Device, store: Store) -> None:
    device.path = keep(store, opened("C"), names=NAMES)
    assert device.enter(Played("C", FIVE)).scores == {"A+C": "2", "B+D": "0"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_turn_moves_on_clockwise(device: Device, store: Store, players: int) -> None:
    device.path = keep(store, opened("B"), names=NAMES[:players])
    seats = "".join(SEATS[(1 + step) % players] for step in range(3))
    pages = [device.get(), *(device.enter(event) for event in plays(seats, "5-5 5-0>5-5 5-4>5-5"))]
    turns = [page.tree.one(of="turn-name").one("bdi").text for page in pages]
    assert turns == [NAMES[(1 + step) % players] for step in range(4)]


# Drawing, passing, blocked


def test_drawing_counts_down_and_passing_waits_for_it(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "5-5"), Drew("B", 16)])
    page = device.get()
    assert page.button("draw")[1].text == "Draw 2 left"
    too_early = Page(device.press(page, "pass"))
    assert (too_early.status, match_at(store, device.path).rounds[-1].passes) == (422, 0)
    assert too_early.refusal == "Passing is not allowed yet. Tiles that can still be drawn: 2."
    page = device.do("draw")
    assert page.button("draw")[1].text == "Draw 1 left"
    page = device.do("draw")
    assert "not-now" in page.button("draw")[1].get("class")
    assert Page(device.press(page, "draw")).refusal == "No tile can be drawn any more."
    page = device.do("pass")
    assert page.tree.one(of="turn-name").one("bdi").text == "Ani"
    assert page.scores == {"A": "2", "B": "0"}  # R22
    assert device.do("pass").phase == "settle"  # everybody has passed


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("typed", ["99", "29", "\u00b2", "0", "-3", "1.5", "", "1 1", "??"])
def test_a_number_of_tiles_that_cannot_be_drawn_is_refused(app: Flask, store: Store, typed: str, language: str) -> None:
    device = Device(app, keep(store, [*opened(), *plays("A", "5-5")]), language=language)
    refused = device.send("draw", seat="B", tiles=typed)
    assert refused.status == 422
    assert {"en": "from 1 to 28", "id": "dari 1 sampai 28"}[language] in refused.refusal
    assert len(match_at(store, device.path).log) == 2
    assert "18" in device.send("draw", seat="B", tiles="19").refusal  # more than there are
    (form,) = [one for one in refused.forms("draw") if not one.one("button").get("value")]
    assert device.post(form.get("action"), refused.hidden(form) | {"tiles": "2"}).status_code == 303
    assert match_at(store, device.path).log[-1] == Drew("B", 2)


def test_blocked_and_nobody_has_the_right_to_open_r25_r44(device: Device, store: Store) -> None:
    log = [*opened(), *plays("AB", "6-6"), Drew("B", 18), *passes("B")]
    device.path = keep(store, log)
    page = device.do("pass")
    assert page.tree.one("h2", "ask").text == "The round is blocked. What does everybody have left?"
    assert [node.get("data-seat") for node in page.tree.all(of="hand")] == ["A", "B"]
    page = device.do("settle", "do", "settle", **{"pips-A": "14", "pips-B": "142"})
    assert page.phase == "open"
    assert page.scores == {"A": "−3", "B": "−28"}
    assert page.buttons("open") == ["A lot", "B lot", "A agreed", "B agreed"]
    assert page.forms("lot")
    page = device.do("lot")
    assert page.phase == "set"
    assert page.button("play", "play", "6-6")  # R23: all begins afresh


def test_a_round_is_not_blocked_while_tiles_can_be_drawn_r19(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "5-5")], changes={"hand": "9"})
    answer = device.press(device.get(), "end", "out", "blocked")
    assert answer.status_code == 422
    assert Page(answer).refusal == "The round is not blocked. Tiles that can still be drawn: 10."


def test_a_draw_that_nobody_counted_turns_checks_off_and_says_so(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "5-5")])
    page = device.do("draw", "tiles", "?")
    assert "The number of tiles in the hands is not known" in page.tree.one("main").text
    assert device.do("pass").phase == "play"
    page = device.do("end", "out", "blocked")
    assert page.phase == "settle"


# Who opens


def test_the_app_holds_the_lot(device: Device, store: Store) -> None:
    start(device, 4)
    page = device.do("lot")
    event = match_at(store, device.path).log[0]
    assert isinstance(event, RoundOpened)
    assert event.seat == lot_winner(event.lots, SEATS[:4])
    lines = page.tree.one(of="lots").texts("p")
    assert len(lines) == len(event.lots)
    best = dict(event.lots[-1])[event.seat]
    assert lines[-1].startswith(f"{NAMES[SEATS.index(event.seat)]} {best} ({best.pips})")
    assert page.tree.one(of="turn-name").one("bdi").text == NAMES[SEATS.index(event.seat)]


def test_only_the_tied_draw_again_r43() -> None:
    drawn = [hold_lot(SEATS[:4]) for _ in range(400)]
    assert {lot_winner(lots, SEATS[:4]) for lots in drawn} == set(SEATS[:4])
    assert any(len(lots) > 1 for lots in drawn)
    for lots in drawn:
        for before, after in pairwise(lots):
            assert tuple(seat for seat, _ in after) == tied(before)


@pytest.mark.parametrize(("value", "said"), [("C lot", "Citra opens by lot"), ("D agreed", "Dewi opens, as agreed")])
def test_the_table_says_who_opens(device: Device, value: str, said: str) -> None:
    start(device, 4)
    page = device.do("open", "opener", value)
    assert page.button("undo", "entry", "1")[1].text == f"↶ Undo: {said}"
    assert page.phase == "set"


def test_any_first_tile_will_do_r46(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    assert device.enter(Played("A", Tile.of(2, 1))).sentence == "2 + 1 = 3 no score"


def test_who_went_out_opens_the_next_round(device: Device, store: Store) -> None:
    device.path = keep(store, level())
    page = device.get()
    assert page.buttons("open") == ["A out", "A agreed", "B agreed"]
    assert page.forms("lot") == []
    assert page.button("open", "opener", "A out")[1].text == "Ani went out and opens"
    for act, fields in (("lot", {}), ("open", {"opener": "B lot"}), ("open", {"opener": "B out"})):
        refused = device.send(act, **fields)
        assert (refused.status, refused.refusal) == (422, "Ani went out and opens this round.")
    page = device.do("open", "opener", "A out")
    assert page.tree.one("h1").text == "Friday · round 2"


# Refusals


@pytest.mark.parametrize(
    ("act", "fields", "sentence"),
    [
        ("play", {"play": "5-5"}, "5-5 is already on the table. Every tile exists once."),
        ("play", {"play": "0-5>5-5"}, "5-0 is already on the table. Every tile exists once."),
        ("play", {"play": "6-6>5-5"}, "6-6 does not fit 5-5: they have no number in common."),
        ("play", {"play": "6-5"}, "The first tile already lies on the table: say which tile 6-5 is joined to."),
        ("play", {"play": "6-5>6-6"}, "6-6 is not on the table, so 6-5 cannot be joined to it."),
        ("play", {"play": "7-8"}, "There is no tile 7-8. The set goes from 0-0 to 6-6."),
        ("play", {"play": "1_0"}, "1_0 is not a tile. Write a tile as two numbers from 0 to 6, such as 6-4."),
        ("play", {"play": "6-5>5-5", "seat": "B"}, "It is Ani's turn, not Budi's."),  # R47
        ("play", {"play": "6-5>5-5", "seat": "Z"}, "There is no seat Z in this match."),
        ("pass", {}, "Passing is not allowed yet. Tiles that can still be drawn: 18."),
        ("open", {"opener": "A lot"}, "Round 1 is not settled yet."),
        ("lot", {}, "Round 1 is not settled yet."),
        ("end", {"out": "A"}, "Ani has not gone out. Tiles still in the hand: 4."),
        ("end", {"out": "blocked"}, "The round is not blocked. Tiles that can still be drawn: 18."),
        ("end", {}, "There is no seat in this match."),
        ("settle", {"pips-A": "3", "pips-B": "3"}, "The round has not ended yet."),  # K24
        ("score", {"points": "1_0"}, "Enter a whole number from 0 to 1000."),
        ("score", {"points": "٣"}, "Enter a whole number from 0 to 1000."),
        ("score", {"points": "99"}, "99 cannot be scored at one go. Scores go in steps of 1, up to 15."),
        ("count", {"ends": ""}, "Enter at least one counting end."),
        ("count", {"ends": "6-6 6-6"}, "6-6 cannot be an end twice. Every tile exists once."),
        ("count", {"ends": "5 " * 7}, "The number 5 cannot be an end more than six times."),
        ("undo", {"entry": "99"}, "There is no entry 99."),
        ("undo", {"entry": "1_0"}, "That form was not complete. Please enter it again."),
    ],
)
def test_what_is_refused_says_why_and_writes_nothing(
    device: Device, store: Store, act: str, fields: dict[str, str], sentence: str
) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    before = match_at(store, device.path)
    refused = device.send(act, **fields)
    assert (refused.status, refused.refusal) == (422, sentence)
    assert match_at(store, device.path) == before
    assert refused.scores == {"A": "2", "B": "2"}
    assert refused.button("undo", "entry", "3")
    assert (
        device.press(refused, "play", "play", "6-5>5-5").status_code == 303 if act not in ("count", "score") else True
    )


@pytest.mark.parametrize(
    ("log", "act", "fields", "sentence"),
    [
        ([], "play", {"play": "5-5", "seat": "A"}, "No round is open yet: first say who opens."),
        ([], "undo", {"entry": "1"}, "There is no entry 1."),
        ([], "open", {"opener": "A out"}, "Nobody went out in the round before, so the opener is found by lot."),
        ([], "open", {"opener": "E lot"}, "There is no seat E in this match."),
        (opened(), "draw", {"seat": "A"}, "Ani opens and can play any tile."),
        (opened(), "pass", {"seat": "A"}, "Ani opens and can play any tile."),
        (ended_two(), "play", {"play": "6-6>6-5", "seat": "B"}, "The round has ended. Enter the leftovers."),  # R31
        (level(), "play", {"play": "6-6", "seat": "B"}, "The round is settled. Say who opens"),
        (level(), "settle", {"pips-B": "5"}, "The round is settled. Say who opens"),  # S41
        ([Closed("late")], "open", {"opener": "A lot"}, "The match is closed."),
    ],
)
def test_what_cannot_be_at_this_time(
    device: Device, store: Store, log: Sequence[Event], act: str, fields: dict[str, str], sentence: str
) -> None:
    device.path = keep(store, log)
    fields = {"seen": str(len(log)), "key": "0123456789", **fields}
    refused = device.page(f"{device.path}/{act}", {"csrf_token": device.get().csrf, **fields})
    assert refused.status == 422
    assert refused.refusal.startswith(sentence)
    assert len(match_at(store, device.path).log) == len(log)


def test_a_refused_count_keeps_its_form_and_what_was_called(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    page = device.get(form="counts", ends="6-6 6-6")
    assert page.tree.one(of="calling").one(of="error").text == "6-6 cannot be an end twice. Every tile exists once."
    refused = Page(device.press(page, "count"))
    assert refused.status == 422
    assert refused.hidden(refused.forms("count")[0])["ends"] == "6-6 6-6"
    chips = [chip.text for chip in refused.tree.all("a", "chip")]
    assert chips == ["6-6 ×", "6-6 ×"]
    refused = device.send("score", points="99", form="points")
    assert refused.status == 422
    assert len(refused.forms("score")) == 2


def test_a_form_without_its_key_is_not_complete(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    for key in ("", "short", "x" * 65):
        refused = device.send("play", play="5-5", key=key)
        assert (refused.status, refused.refusal) == (422, "That form was not complete. Please enter it again.")
    assert len(match_at(store, device.path).log) == 1


def test_a_new_match_is_refused_beside_its_fields_and_keeps_what_was_typed(device: Device, store: Store) -> None:
    page = device.get("/new")
    typed = {
        "players": "3",
        "game": "all-fives",
        "exact": "yes",
        "target": "1_0",
        "title": "Friday & <b>",
        "name_a": "A" * 41,
    }
    sent = page.hidden(page.tree.one("form", "new")) | typed | {"name_b": "ديوي", "name_c": " ", "name_d": "Dewi"}
    refused = device.page("/new", sent)
    assert refused.status == 422
    errors = {node.get("id"): node.text for node in refused.tree.all(of="error")}
    assert errors == {
        "name_a-error": "Keep it to 40 characters.",
        "name_c-error": "Enter a name.",
        "target-error": "1_0 is not a value of target.",
    }
    kept = {node.get("name"): node.get("value") for node in refused.tree.one("form", "new").all("input", type="text")}
    expected = {"name_a": "A" * 41, "name_b": "ديوي", "name_c": "", "name_d": "Dewi", "target": "1_0"}
    assert {name: text for name, text in kept.items() if text or name in expected} == expected | {
        "title": "Friday & <b>"
    }
    checked = [node.get("value") for node in refused.tree.all("input", type="radio") if "checked" in node.attributes]
    assert checked == ["all-fives", "3"]
    assert [node.get("value") for node in refused.tree.all("option") if "selected" in node.attributes] == ["yes"]
    invalid = {node.get("name"): node.get("aria-describedby") for node in refused.tree.all(**{"aria-invalid": "true"})}
    assert invalid == {"name_a": "name_a-error", "name_c": "name_c-error", "target": "target-usual target-error"}
    assert store.recent(None) == []
    assert device.post("/new", sent | {"name_a": "Ani", "name_c": "Citra", "target": "61"}).status_code == 303


def test_a_refusal_loaded_once_more_leads_back_to_the_match(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    refused = device.send("play", play="7-7")
    assert refused.path == f"{device.path}/play"
    answer = device.client.get(refused.path)
    assert (answer.status_code, answer.headers["Location"]) == (303, device.path)
    language = refused.tree.all("form")[-1]
    assert refused.hidden(language)["back"] == refused.path


# The same twice, two at once


def test_the_same_request_again_is_answered_and_entered_once_k25_k31(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    page = device.get()
    answers = [device.press(page, "play", "play", "5-5") for _ in range(3)]
    assert [(one.status_code, one.headers["Location"]) for one in answers] == [(303, device.path)] * 3
    assert device.get().scores == {"A": "2", "B": "0"}
    assert len(match_at(store, device.path).log) == 2


def test_undo_tapped_twice_takes_back_one_entry(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    page = device.get()
    assert [device.press(page, "undo", "entry", "3").status_code for _ in range(2)] == [303, 303]
    assert match_at(store, device.path).log[3:] == (Undone(3),)


def test_the_same_new_match_again_is_one_match(device: Device, store: Store) -> None:
    page = device.get("/new")
    sent = page.hidden(page.tree.one("form", "new")) | {"players": "2", "deal": "5", "target": "61"}
    sent |= {"name_a": "Ani", "name_b": "Budi"}
    paths = {device.post("/new", sent).headers["Location"] for _ in range(3)}
    assert len(paths) == len(store.recent(None)) == 1


def test_200_requests_at_once_with_one_key_are_one_entry_k25(app: Flask, device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    form, _ = device.get().button("play", "play", "5-5")
    sent = Page.hidden(form) | {"play": "5-5"}
    cookie = device.client.get_cookie("session")
    assert cookie

    def send(_: int) -> tuple[int, str]:
        other = app.test_client()
        other.set_cookie("session", cookie.value)
        answer = other.post(form.get("action"), data=sent)
        return answer.status_code, answer.headers["Location"]

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(send, range(200)))
    assert answers == [(303, device.path)] * 200
    match = match_at(store, device.path)
    assert (match.log[1:], match.scores) == ((Played("A", FIVE),), (2, 0))


def test_two_different_at_once_and_the_loser_enters_its_own_after_k27_k30(
    app: Flask, device: Device, store: Store
) -> None:
    device.path = keep(store, opened(), names=("Ani", "Budi", "Citra"))
    device.enter(Played("A", FIVE))
    device.do("draw", "tiles", "?")
    devices = [Device(app, device.path), Device(app, device.path)]
    pages = [one.get() for one in devices]
    wishes = [("play", "play", "5-0>5-5"), ("draw", "", "")]
    with ThreadPoolExecutor(2) as threads:
        waiting = [
            threads.submit(one.press, page, *wish) for one, page, wish in zip(devices, pages, wishes, strict=True)
        ]
        answers = [one.result() for one in waiting]
    assert sorted(one.status_code for one in answers) == [303, 409]
    assert len(match_at(store, device.path).log) == 4
    loser = 0 if answers[0].status_code == 409 else 1
    page = Page(answers[loser])
    said = ["Budi 5-0 on 5-5", "Budi drew 1 tile"]
    assert page.refusal == (
        f"Somebody else entered something meanwhile Entered: {said[1 - loser]} "
        f"You wanted: {said[loser]}. It was not entered. Enter mine as well Drop mine"
    )
    form = page.tree.one("section", "refusal").one("form")
    act, name, value = wishes[loser]
    assert page.hidden(form).get(name, "") == value
    answer = devices[loser].post(form.get("action") or page.path, page.hidden(form))
    if loser == 0:
        assert answer.status_code == 303
        assert match_at(store, device.path).log[4:] == (Played("B", Tile.of(5, 0), FIVE),)
    else:
        again = Page(answer)
        assert (act, again.status, again.refusal) == ("draw", 422, "It is Citra's turn, not Budi's.")


def test_what_was_typed_for_a_settlement_survives_a_conflict_k46(app: Flask, device: Device, store: Store) -> None:
    device.path = keep(store, ended_three(), names=NAMES[:3])
    page = device.get()
    other = Device(app, device.path)
    other.do("undo", "entry", "14")
    refused = Page(device.press(page, "settle", "do", "settle", **{"pips-B": "12", "left-C": ["2-0", "2-1"]}))
    assert refused.status == 409
    assert "Entered: takes back: Ani 6-3 on 6-6" in refused.refusal
    assert "You wanted: the settlement." in refused.refusal
    form = refused.tree.one("section", "refusal").one("form")
    kept = [(node.get("name"), node.get("value")) for node in form.all("input")]
    assert {("pips-B", "12"), ("left-C", "2-0"), ("left-C", "2-1"), ("do", "settle")} <= set(kept)
    assert {name for name, _ in kept} >= {"csrf_token", "seen", "key"}
    assert len({value for name, value in kept if name == "csrf_token"}) == 1
    assert match_at(store, device.path).in_round


@pytest.mark.parametrize(("act", "fields"), [("open", {"opener": "Z lot"}), ("end", {"out": "<b>"}), ("pass", {})])
def test_a_late_request_of_any_kind_is_a_conflict(
    device: Device, store: Store, act: str, fields: dict[str, str]
) -> None:
    device.path = keep(store, opened())
    for seen in ("0", "7", "", "x"):
        assert device.send(act, seen=seen, **fields).status == 409
    assert len(match_at(store, device.path).log) == 1


# Undo and redo


def test_undo_says_what_it_takes_back_and_redo_brings_it_again_k13(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    page = device.get()
    assert page.button("undo", "entry", "3")[1].text == "↶ Undo: Budi 5-0 on 5-5"
    page = device.do("undo", "entry", "3")
    assert page.scores == {"A": "2", "B": "0"}
    assert page.button("undo", "entry", "2")[1].text == "↶ Undo: Ani 5-5"
    assert page.button("undo", "entry", "4")[1].text == "Bring it back"
    page = device.do("undo", "entry", "4")
    assert page.scores == {"A": "2", "B": "2"}
    assert page.button("undo", "entry", "3")
    assert "Bring it back" not in page.markup


def test_undo_goes_back_over_rounds_to_the_first_entry_k09(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(), settled(B="6-6"), RoundOpened("A", OUT)])
    assert device.get().scores == {"A": "2", "B": "0"}
    page = [device.do("undo", "entry", str(entry)) for entry in range(12, 0, -1)][-1]
    assert (page.phase, page.scores) == ("open", {"A": "0", "B": "0"})
    assert page.buttons("undo") == ["24"]  # only the last undo can be taken back


def test_the_settlement_that_won_can_be_taken_back_k01_k03(device: Device, store: Store) -> None:
    log = level(A=60)
    device.path = keep(store, log)
    page = device.get()
    assert page.phase == "over"
    old = device.path
    start(device)
    device.path = old
    page = device.do("undo", "entry", str(len(log)))
    assert (page.phase, page.status_line[0]) == ("settle", "reached")
    page = device.do("settle", "do", "settle", **{"pips-B": "3"})
    assert page.phase == "over"


def test_entries_that_can_no_longer_stand_are_listed_k07(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5 0-0>5-0"), Undone(3)])
    page = device.get()
    lines = page.tree.one("section", "refusal").texts("li")
    assert lines == ["4. Ani 0-0 on 5-0: It is Budi's turn, not Ani's."]
    assert page.scores == {"A": "2", "B": "0"}


# Settlement


def test_settling_by_tiles(device: Device, store: Store) -> None:
    device.path = keep(store, ended_two())
    page = device.get()
    assert page.tree.one("h2", "ask").text == "Ani went out. What do the others have left?"
    hand = page.tree.one(of="hand")
    assert hand.one("legend").text == "Budi 1 tile"
    offered = [node.get("value") for node in hand.all("input", type="checkbox")]
    assert set(offered) == set(map(str, DOUBLE_SIX)) - {word.split(">")[0] for word in OUT_OF_TWO.split()}
    page = device.do("settle", "do", "settle", **{"left-B": "3-2"})
    rows = [[cell.text for cell in row.all("th") + row.all("td")] for row in page.tree.one(of="working").all("tr")]
    assert rows == [
        ["Player", "Left", "Pips", "Rounded", "Points"],
        ["Ani", "went out"],
        ["Budi", "3-2", "5", "5", "−1"],
    ]
    assert page.tree.one(of="together").texts("li") == ["Ani: 2 ± 0 = 2", "Budi: 2 −1 = 1"]


def test_settling_by_pips(device: Device, store: Store) -> None:
    device.path = keep(store, ended_two())
    page = device.do("settle", "do", "settle", **{"pips-B": " 12 "})
    assert match_at(store, device.path).log[-1] == settled(B="12 pips")
    assert page.scores == {"A": "2", "B": "0"}


def test_partners_are_rounded_apart_r29(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("ABCD", "5-5"), RoundOpened("A", AGREED)][:2], names=NAMES)
    device.do("draw", "tiles", "?")
    device.do("end", "out", "blocked")
    page = device.do("settle", "do", "settle", **{"pips-A": "8", "pips-B": "2", "pips-C": "8", "pips-D": "1"})
    assert page.tree.one(of="together").texts("li") == ["Ani + Citra: 2 −4 = −2", "Budi + Dewi: 0 ± 0 = 0"]


def test_the_working_is_shown_before_anything_is_written(device: Device, store: Store) -> None:
    device.path = keep(store, ended_three(), names=NAMES[:3])
    answer = device.press(device.get(), "settle", "do", "work", **{"pips-B": "3", "left-C": "6-2"})
    assert answer.status_code == 200
    page = Page(answer)
    assert page.tree.texts(of="work") == ["3 → 5 → −1", "8 → 10 → −2"]
    assert page.tree.one(of="together").texts("li") == ["Ani: 0", "Budi: −1", "Citra: −2"]
    hands = {hand.get("data-seat"): hand for hand in page.tree.all(of="hand")}
    assert hands["B"].one("input", type="text").get("value") == "3"
    ticked = [node.get("value") for node in hands["C"].all("input") if "checked" in node.attributes]
    assert ticked == ["6-2"]
    assert match_at(store, device.path).in_round
    assert device.press(page, "settle", "do", "settle", **{"pips-B": "3", "left-C": "6-2"}).status_code == 303


@pytest.mark.parametrize("do", ["settle", "work"])
def test_each_fault_beside_its_hand_and_all_that_was_typed_kept_s12(device: Device, store: Store, do: str) -> None:
    """Leftovers 3, 'x', 8, 'y': messages at rows 2 and 4, valid rows kept."""
    device.path = keep(store, [*opened(), *plays("A", "5-5"), Drew("B", None)], names=NAMES)
    device.do("end", "out", "blocked")
    typed = {"pips-A": "3", "pips-B": "x", "left-C": ["6-2", "4-0"], "pips-D": "1_0"}
    refused = Page(device.press(device.get(), "settle", "do", do, **typed))
    assert refused.status == {"settle": 422, "work": 200}[do]
    hands = {hand.get("data-seat"): hand for hand in refused.tree.all(of="hand")}
    sentence = "Enter the pips as a whole number, such as 12."
    assert {seat: hand.texts(of="error") for seat, hand in hands.items()} == {
        "A": [],
        "B": [sentence],
        "C": [],
        "D": [sentence],
    }
    assert {seat: hand.texts(of="work") for seat, hand in hands.items() if hand.all(of="work")} == {
        "A": ["3 → 5 → −1"],
        "C": ["12 → 10 → −2"],
    }
    fields = {seat: hand.one("input", type="text") for seat, hand in hands.items()}
    assert {seat: one.get("value") for seat, one in fields.items()} == {"A": "3", "B": "x", "C": "", "D": "1_0"}
    assert {one.get("aria-describedby") for one in fields.values()} == {f"said-{seat}" for seat in "ABCD"}
    ticked = [node.get("value") for node in hands["C"].all("input") if "checked" in node.attributes]
    assert sorted(ticked) == ["4-0", "6-2"]
    assert match_at(store, device.path).in_round


@pytest.mark.parametrize(
    ("sent", "seats", "sentence"),
    [
        ({"pips-B": "3"}, "C", "Enter what Citra has left."),  # S11: never half a settlement
        ({"left-B": "6-2", "left-C": "2-6"}, "C", "6-2 cannot be in two places: Budi and Citra both show it."),
        ({"left-B": ["6-2", "2-0"], "left-C": "3-0"}, "B", "Tiles in the hand of Budi: 1, not 2."),
        ({"left-B": "6-6", "left-C": "3-0"}, "B", "6-6 is on the table, so Budi cannot hold it."),  # R35
        ({"pips-B": "0", "left-C": "3-0"}, "B", "Budi cannot have 0 pips left: with these tiles it is 2 to 10."),
        ({"pips-B": "", "left-C": "3-0"}, "B", "Enter what Budi has left."),  # K51
        ({"pips-B": "3", "left-B": "2-1", "left-C": "3-0"}, "B", "Enter the tiles of Budi or the pips, not both."),
    ],
)
def test_leftovers_that_cannot_be(
    device: Device, store: Store, sent: dict[str, str | list[str]], seats: str, sentence: str
) -> None:
    device.path = keep(store, ended_three(), names=NAMES[:3])
    refused = Page(device.press(device.get(), "settle", "do", "settle", **sent))
    assert refused.status == 422
    errors = {hand.get("data-seat"): hand.texts(of="error") for hand in refused.tree.all(of="hand")}
    assert {seat: found for seat, found in errors.items() if found} == {seat: [sentence] for seat in seats}
    assert match_at(store, device.path).in_round


def test_leftovers_that_do_not_make_up_the_set(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "6-6"), Drew("B", 18), *passes("BA")])
    refused = Page(device.press(device.get(), "settle", "do", "settle", **{"pips-A": "15", "pips-B": "142"}))
    assert refused.status == 422
    assert "The leftovers and the table make 169 pips together, but the set has 168." in refused.tree.texts(of="error")
    typed = [hand.one("input", type="text").get("value") for hand in refused.tree.all(of="hand")]
    assert typed == ["15", "142"]


def test_the_last_tile_scores_and_ends_the_round_r37_r38(device: Device, store: Store) -> None:
    log = [*opened(), *plays("AB", "6-2 2-2>6-2 6-6>6-2 6-3>6-6 2-1>2-2 6-0>6-6 2-0>2-2 1-1>2-1 5-2>2-2")]
    device.path = keep(store, log[:-1])
    before = match_at(store, device.path).scores[0]
    page = device.enter(log[-1])
    assert page.phase == "settle"
    assert page.sentence == "3 + 0 + 0 + 1-1 2 + 5 = 10 +2"
    assert page.scores["A"] == str(before + 2)
    assert "Ani went out" in page.tree.one("h2", "ask").text


def test_a_wrong_pass_or_draw_is_shown_with_its_proof(device: Device, store: Store) -> None:
    drew = "5-5 5-1>5-5 4-1>5-1 5-0>5-5 4-4>4-1 0-0>5-0 5-4>5-5 6-5>5-5 6-4>6-5"
    log = [*opened(), *plays("AB", drew)]
    device.path = keep(store, [*log[:2], Drew("B", 1), *log[2:]])
    page = device.do("settle", "do", "settle", **{"left-B": ["2-2", "3-2"]})
    assert "What the tiles shown prove" in page.tree.texts("h3")
    proof = page.tree.one("ol", "proof").texts("li")
    assert proof[0] == "Budi drew (entry 3, tiles: 1). Only a player with no tile that fits may draw."
    assert "5-0 fitted 5-5 at that moment." in proof
    assert "No points change by it" in page.markup.replace("change by this", "change by it")
    honest = keep(store, level())
    assert device.get(honest).tree.all("ol", "proof") == []


# By counts and by points


def test_a_round_by_counts(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    page = device.get(form="counts")
    links = {link.text: link.get("href") for link in page.tree.one(of="calling").all("a")}
    page = Page(device.client.get(links["5-5"]))
    assert page.tree.one(of="sum").text == "5-5 10 = 10: 2 points"
    assert device.press(page, "count").status_code == 303
    page = device.get()
    assert page.scores == {"A": "2", "B": "0"}
    assert page.sentence == "5-5 10 = 10 +2"
    assert page.buttons("pass") == page.buttons("draw")[:1] == [""]
    assert "This round is kept by counts or points" in page.tree.one("main").text
    assert page.hidden(page.forms("count")[0])["ends"] == "5-5"  # the last ends are there, change what changed
    assert page.forms("play") == []
    button = page.forms("count")[0].all("button")[0]
    assert "disabled" in button.attributes  # no placement leaves the ends as they were
    assert device.press(device.get(form="counts", seat="B", ends="5-5 0"), "count").status_code == 303
    page = device.get()
    assert page.scores == {"A": "2", "B": "2"}
    page = device.do("end", "out", "B")
    assert page.phase == "settle"
    page = device.do("settle", "do", "settle", **{"pips-A": "13"})
    assert page.scores == {"A": "−1", "B": "2"}


def test_points_as_called(device: Device, store: Store) -> None:
    device.path = keep(store, opened(), names=NAMES)
    page = device.get(form="points")
    sides = {form.get("aria-label"): form for form in page.forms("score")}
    assert list(sides) == ["Ani + Citra", "Budi + Dewi"]
    assert [button.text for button in sides["Ani + Citra"].all("button")] == [str(amount) for amount in range(1, 16)]
    assert device.press(page, "score", "points", "4").status_code == 303
    page = device.get()
    assert page.scores == {"A+C": "4", "B+D": "0"}
    form = page.forms("score")[1]
    assert device.post(form.get("action"), page.hidden(form) | {"points": "2"}).status_code == 303
    assert device.get().scores == {"A+C": "4", "B+D": "2"}


def test_the_first_points_may_be_the_other_sides(device: Device, store: Store) -> None:
    device.path = keep(store, opened(), names=NAMES)
    page = device.get(form="points")
    form = page.forms("score")[1]
    assert device.post(form.get("action"), page.hidden(form) | {"points": "2"}).status_code == 303
    assert device.get().scores == {"A+C": "0", "B+D": "2"}


@pytest.mark.parametrize("wish", [{"form": "x"}, {"form": "counts", "seat": "Z"}, {"form": "counts", "ends": "7 x"}])
def test_wishes_in_the_address_that_cannot_be(device: Device, store: Store, wish: dict[str, str]) -> None:
    device.path = keep(store, opened())
    page = device.get(**wish)
    assert page.status == 200
    assert page.phase == "set"


# How the match stands


STATUSES = [
    (level(A=56), "open", ""),
    (level(A=56, B=57), "open", ""),  # K53, R53: 58 all is no case of the target
    (
        ended_two(A=60),
        "reached",
        "Ani has reached 61. Finish the round: what counts is the score after settlement.",
    ),
    (
        [*ended_two(A=50, B=60), settled(B="12 pips")],
        "fell-back",
        "61 was reached in play, but not any more after settlement. The match goes on.",
    ),  # R49, R55
    (level(A=60, B=61), "tie", "Tie at 62: Ani and Budi. Everybody plays one more round."),  # R50, R52
    (level(A=60), "won", "Ani wins the match with 62."),
    (level(A=62, B=64), "won", "Budi wins the match with 65."),  # R56: no cap
    ([*level(), Closed("late")], "closed", "The match was closed without a winner."),
]


@pytest.mark.parametrize(("log", "status", "sentence"), STATUSES)
def test_how_the_match_stands(device: Device, store: Store, log: list[Event], status: str, sentence: str) -> None:
    device.path = keep(store, log)
    page = device.get()
    assert page.status_line == ((status, sentence) if sentence else ("", ""))
    over = status in ("won", "closed")
    assert (page.phase == "over") == over
    assert bool(page.tree.texts("a", "primary", href=f"{device.path}/sheet")) == over
    home = device.get("/").tree.one("a", "match")
    assert home.texts(of="match-status") == ([sentence] if sentence else [])
    sheet = device.get(f"{device.path}/sheet").tree.one(of="result-line").text
    assert sheet == (sentence or "So far: the match goes on.")
    if over:
        refused = device.send("open", opener="A out", seen=str(len(log)), key="0123456789")
        assert refused.status == 422  # K60


@pytest.mark.parametrize(
    ("lead_of_c", "status", "sentence"),
    [
        (60, "tie", "Tie at 63: Ani and Budi. Everybody plays one more round."),
        (70, "won", "Citra wins the match with 70."),
    ],
)
def test_three_go_on_together_after_a_tie_of_two_r50_r53(
    device: Device, store: Store, lead_of_c: int, status: str, sentence: str
) -> None:
    start = match_at(store, keep(store, [*ended_three(), settled(B="2-0", C="3-0")], names=NAMES[:3])).scores
    leads = {"A": 63 - start[0], "B": 63 - start[1], "C": lead_of_c - start[2]}
    device.path = keep(store, ended_three(**leads), names=NAMES[:3])
    page = device.do("settle", "do", "settle", **{"left-B": "2-0", "left-C": "3-0"})
    assert page.status_line == (status, sentence)
    if status == "tie":
        assert page.buttons("open") == ["A out", "A agreed", "B agreed", "C agreed"]
        page = device.do("open", "opener", "A out")
        assert (page.phase, page.scores["C"]) == ("set", "60")


def test_the_target_of_each_match_is_its_own_r17_k63(device: Device, store: Store) -> None:
    device.path = keep(store, level(A=60))
    assert device.get().status_line[0] == "won"
    page = start(device, target="100", hand="9")
    rules = match_at(store, device.path).rules
    assert (rules.target, rules.hand, rules.boneyard) == (100, 9, 10)
    assert page.status_line == ("", "")
    device.path = keep(store, level(A=60), changes={"target": "100"})
    assert device.get().status_line == ("", "")


def test_below_zero_is_said_with_its_sign_k58(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(B=-7), settled(B="12 pips")])
    page = device.get()
    assert page.scores == {"A": "2", "B": "−7"}
    assert page.tree.all(of="box")[1].all("svg") == []
    assert "−7" in device.get("/").tree.one("a", "match").text


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Settlement of round 1."), ("id", "Hitungan sisa ronde 1.")], ids=["en", "id"]
)
def test_who_hears_the_page_hears_what_a_settlement_made(app: Flask, store: Store, language: str, title: str) -> None:
    device = Device(app, keep(store, [*ended_two(B=-7), settled(B="12 pips")]), language=language)
    assert device.get().tree.one("main").get("data-said") == f"{title} Ani: 2 ± 0 = 2. Budi: −5 −2 = −7."


def test_the_layout_can_still_be_seen_after_the_end_k61(device: Device, store: Store) -> None:
    device.path = keep(store, level(A=60))
    page = device.get()
    assert page.tree.one("svg", "layout-picture").get("aria-label").startswith("The layout: 5-5 5-0>5-5")
    assert "Settlement of round 1" in page.tree.texts("h2")


# The list, and names


def test_an_unfinished_match_stays_in_the_list_k21(device: Device, store: Store) -> None:
    first = start(device, title="First").path
    second = start(device, 4, title="").path
    links = {link.get("href"): link for link in device.get("/").tree.all("a", "match")}
    assert list(links) == [second, first]
    assert links[first].one(of="match-title").text == "First"
    assert links[second].one(of="match-title").text == "Five Up"
    assert links[second].texts(of="match-team") == ["0 Ani + Citra", "0 Budi + Dewi"]


def test_equal_names_are_told_apart_by_their_seats_k34(device: Device, store: Store) -> None:
    device.path = keep(store, opened(), names=("Mawar",) * 4)
    page = device.enter(Played("A", FIVE))
    assert page.scores == {"A+C": "2", "B+D": "0"}
    assert page.tree.texts(of="names") == ["Mawar (A) + Mawar (C)", "▸ Mawar (B) plays + Mawar (D)"]


def test_partners_sit_opposite_k45(device: Device, store: Store) -> None:
    start(device, 4, name_b="Citra", name_c="Budi")
    saved = saved_at(store, device.path)
    assert saved.match.players == ("Ani", "Citra", "Budi", "Dewi")
    assert device.get().tree.texts(of="names") == ["Ani + Budi", "Citra + Dewi"]


def test_an_address_that_names_no_match(device: Device) -> None:
    for path in ("/m/nobody", "/m/nobody/sheet", "/m/%F0%9F%81%A3", "/m/%ff%fe"):
        page = device.get(path)
        assert (page.status, page.tree.one("h2").text) == (404, "There is no such match")
    token = device.get("/new").csrf
    page = device.page("/m/nobody/play", {"csrf_token": token})
    assert (page.status, page.tree.one("h2").text) == (404, "There is no such match")
    assert device.get("/nowhere").tree.one("h2").text == "There is no such page"


def test_the_pages_are_in_indonesian_too(app: Flask, store: Store) -> None:
    device = Device(app, keep(store, level(A=60)), language="id-ID, en;q=0.5")
    assert device.get().tree.one("html").get("lang") == "id"
    assert device.get().status_line[1] not in ("", "Ani wins the match with 62.")
    assert isinstance(match_at(store, device.path).log[-1], Settled)

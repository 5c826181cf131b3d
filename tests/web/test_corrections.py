"""Any entry of any round corrected, put in or taken out at the pages: looked at first, then saved as one entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from fiveup_ref.engine.events import (
    LOT,
    OUT,
    Adjusted,
    Amended,
    Closed,
    Counted,
    Drew,
    Event,
    Inserted,
    Noted,
    Passed,
    Played,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
    Undone,
)
from fiveup_ref.engine.match import Status
from fiveup_ref.engine.scoring import Ends, Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .device import Device, Node, Page, match_at
from .matches import NAMES, ended_three, ended_two, keep, opened, plays, recorded, settled

FIVE = Tile.of(5, 5)
THREE: list[Event] = [*opened(), *plays("AB", "5-5 5-0>5-5")]


def look(device: Device, entry: int, way: str = "edit", **query: str) -> Page:
    return device.get(f"{device.path}/entry/{entry}/{way}", **query)


def form_of(page: Page) -> Node:
    return page.tree.one("form", of="mend")


def filled(page: Page) -> dict[str, list[str]]:
    """The fields of the form as a browser would send them."""
    form = form_of(page)
    sent: dict[str, list[str]] = {}
    for node in form.all("input"):
        if node.get("type") not in ("checkbox", "radio") or "checked" in node.attributes:
            sent.setdefault(node.get("name"), []).append(node.get("value"))
    for node in form.all("select"):
        chosen = [option.get("value") for option in node.all("option") if "selected" in option.attributes]
        sent[node.get("name")] = chosen[:1] or [""]
    return sent


def send(device: Device, page: Page, **fields: str | Sequence[str]) -> Page:
    """Look at what would change: an address, which is only read."""
    query = {**filled(page), **fields, "do": "preview"}
    return Page(device.client.get(page.path, query_string=query, headers=device.headers))


def save(device: Device, page: Page, **fields: str) -> TestResponse:
    return device.post(page.path, {**filled(page), **fields})


def correct(device: Device, entry: int, way: str = "edit", kind: str = "", **fields: str | Sequence[str]) -> Page:
    """Open the form, look at what would change, save it; what was looked at is returned."""
    page = look(device, entry, way, **({"kind": kind} if kind else {}))
    looked = send(device, page, **fields)
    assert looked.status == 200, [looked.refusal, looked.tree.texts(of="error")]
    assert save(device, looked).status_code == 303
    return looked


def changes(page: Page) -> dict[str, tuple[str, str]]:
    """What a preview says that differs."""
    section = page.tree.one("section", of="preview")
    told = {
        row.one("th").text: (row.all("td")[0].text, row.all("td")[1].text) for row in section.all("tr", of="differs")
    }
    result = section.one("p", of="result-change")
    return told | ({"Result": (result.one("del").text, result.one("b").text)} if result.all("del") else {})


def falls(page: Page) -> list[str]:
    return [line.partition(".")[0] for line in page.tree.one("section", of="preview").texts("li")]


# A log with every kind of entry, and what each becomes.
LOG: list[Event] = [
    *opened(),
    *plays("AB", "5-5"),
    Drew("B", 2),
    *plays("B", "5-0>5-5"),
    Counted("A", Ends.parse("5-5 0")),
    Scored("B", 3),
    RoundEnded("B"),
    settled(A="12 pips"),
    Adjusted(Team(("A",)), -2, "late"),
    Noted("tea"),
]
RIGHT: list[tuple[int, dict[str, Any], Event]] = [
    (1, {"by": "agreed"}, RoundOpened("A", "agreed")),
    (2, {"tile": "6-5"}, Played("A", Tile.of(6, 5))),
    (3, {"tiles": "3"}, Drew("B", 3)),
    (3, {"uncounted": "yes"}, Drew("B", None)),
    (4, {"tile": "5-4", "onto": "5-5"}, Played("B", Tile.of(5, 4), FIVE)),
    (5, {"ends": "5-5 5"}, Counted("A", Ends.parse("5-5 5"))),
    (6, {"points": "4"}, Scored("B", 4)),
    (6, {"seat": "A"}, Scored("A", 3)),
    (7, {"out": "A"}, RoundEnded("A")),
    (7, {"out": "blocked"}, RoundEnded(None)),
    (8, {"pips-A": "13"}, settled(A="13 pips")),
    (8, {"pips-A": "", "left-A": ["3-0", "2-1"]}, Settled((("A", Left.of([Tile.of(3, 0), Tile.of(2, 1)])),))),
    (9, {"amount": "3"}, Adjusted(Team(("A",)), -3, "late")),
    (9, {"sign": "+", "team": "B"}, Adjusted(Team(("B",)), 2, "late")),
    (9, {"text": "very late"}, Adjusted(Team(("A",)), -2, "very late")),
    (10, {"text": "coffee"}, Noted("coffee")),
]


@pytest.mark.parametrize(("entry", "fields", "event"), RIGHT, ids=[f"{one[0]} {one[1]}" for one in RIGHT])
def test_each_kind_of_entry_is_corrected(
    device: Device, store: Store, entry: int, fields: dict[str, Any], event: Event
) -> None:
    device.path = keep(store, LOG)
    before = match_at(store, device.path)
    page = look(device, entry)
    unchanged = send(device, page)  # the form holds what the entry says, no more and no less
    assert (unchanged.status, unchanged.tree.texts(of="error")) == (422, ["That changes nothing."])
    looked = send(device, page, **fields, why="misread")
    assert looked.status == 200
    assert match_at(store, device.path) == before
    again = save(device, looked)
    assert (again.status_code, again.headers["Location"]) == (303, f"{device.path}/history#entry-{entry}")
    assert match_at(store, device.path).log == (*LOG, Amended(entry, event, "misread"))  # type: ignore[arg-type]
    assert send(device, look(device, entry)).tree.texts(of="error") == ["That changes nothing."]


KINDS: list[tuple[str, dict[str, Any], Event]] = [
    ("Counted", {"ends": "5-5 1"}, Counted("B", Ends.parse("5-5 1"))),
    ("Scored", {"points": "2"}, Scored("B", 2)),
    ("Drew", {"tiles": "1"}, Drew("B", 1)),
    ("Passed", {"seat": "B"}, Passed("B")),
]


@pytest.mark.parametrize(("kind", "fields", "event"), KINDS, ids=[one[0] for one in KINDS])
def test_an_entry_of_one_kind_was_of_another(
    device: Device, store: Store, kind: str, fields: dict[str, Any], event: Event
) -> None:
    device.path = keep(store, THREE, changes={"hand": "14"})
    page = look(device, 3)
    links = {link.text: link.get("href") for link in form_of(page).one("nav", of="kinds").all("a")}
    assert len(links) == 6
    if kind == "Drew":
        device.path = keep(store, THREE)
    correct(device, 3, kind=kind, **fields)
    assert match_at(store, device.path).log[3:] == (Amended(3, event),)  # type: ignore[arg-type]


def test_opening_a_form_writes_nothing_k24(device: Device, store: Store) -> None:
    device.path = keep(store, LOG)
    for entry in range(1, len(LOG) + 1):
        for way in ("edit", "insert", "remove"):
            assert look(device, entry, way).status == 200
            for kind in ("Played", "Settled", "RoundOpened", "Closed", "nothing"):
                assert look(device, entry, way, kind=kind).status == 200
    assert match_at(store, device.path).log == tuple(LOG)


INSERTED: list[tuple[int, str, dict[str, Any], Event]] = [
    (3, "Drew", {"tiles": "1"}, Drew("B", 1)),
    (3, "Noted", {"text": "here"}, Noted("here")),
    (3, "Adjusted", {"team": "B", "amount": "5", "text": "claimed"}, Adjusted(Team(("B",)), 5, "claimed")),
    (3, "Scored", {"points": "2", "seat": "A"}, Scored("A", 2)),
]


@pytest.mark.parametrize(("entry", "kind", "fields", "event"), INSERTED, ids=[one[1] for one in INSERTED])
def test_a_forgotten_entry_is_put_in(
    device: Device, store: Store, entry: int, kind: str, fields: dict[str, Any], event: Event
) -> None:
    device.path = keep(store, THREE)
    correct(device, entry, "insert", kind, **fields, why="forgotten")
    assert match_at(store, device.path).log[3:] == (Inserted(entry, event, "forgotten"),)  # type: ignore[arg-type]
    page = device.get(f"{device.path}/history")
    assert [node.get("id") for node in page.tree.all(of="entry")] == [f"entry-{n}" for n in (1, 2, 4, 3)]
    assert page.tree.one(id="entry-4").one(of="entry-when").text.endswith("this device")


def test_what_is_likely_to_be_forgotten_is_offered(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(), settled(B="12 pips"), RoundOpened("A", OUT)])
    kinds = [filled(look(device, entry, "insert"))["kind"][0] for entry in (1, 3, 11, 12)]
    assert kinds == ["RoundOpened", "Played", "Settled", "RoundOpened"]
    assert filled(look(device, 3, "insert"))["seat"] == ["B"]  # who was on turn there


def test_an_entry_is_taken_out_and_brought_back(device: Device, store: Store) -> None:
    device.path = keep(store, THREE)
    page = look(device, 3, "remove")
    assert changes(page) == {"Budi": ("2", "0")}
    assert save(device, page, why="not played").status_code == 303
    assert match_at(store, device.path).log[3:] == (Undone(3, "not played"),)
    back = look(device, 4, "remove")
    assert back.tree.one("main").all("h2")[0].text == "Bring back what entry 4 took back"
    assert changes(back) == {"Budi": ("0", "2")}
    correct(device, 4, "remove")
    assert match_at(store, device.path).scores == (2, 2)
    for entry, way in ((4, "remove"), (4, "edit"), (4, "insert")):  # nothing more to do there
        answer = device.client.get(f"{device.path}/entry/{entry}/{way}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{device.path}/history#entry-4")


# What the preview says.


def test_a_leftover_of_an_earlier_round_k04(device: Device, store: Store) -> None:
    """Round 2 of 5: Budi's leftover from 12 to 3; he has one point more in every total from then on."""
    one: list[Event] = [*opened(), Scored("A", 2), RoundEnded("A"), settled(B="12 pips")]
    later: list[Event] = [RoundOpened("A", OUT), Scored("B", 3), RoundEnded("A"), settled(B="12 pips")]
    device.path = keep(store, [*one, *later * 4])
    looked = correct(device, 8, **{"pips-B": "3"})
    assert changes(looked) == {
        "Budi": ("2", "3"),
        "After round 2": ("2 : −1", "2 : 0"),
        "After round 3": ("2 : 0", "2 : 1"),
        "After round 4": ("2 : 1", "2 : 2"),
        "After round 5": ("2 : 2", "2 : 3"),
    }
    match = match_at(store, device.path)
    assert [round_.after_settlement[1] for round_ in match.rounds] == [-2, 0, 1, 2, 3]
    rows = device.get(f"{device.path}/sheet").tree.one("table", of="standing").one("tbody").all("tr")
    assert [row.all("td")[-1].text for row in rows] == ["−2", "0", "1", "2", "3"]


def test_a_leftover_from_12_to_13_costs_a_point_more_r34(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), Scored("A", 2), RoundEnded("A"), settled(B="12 pips")])
    looked = send(device, look(device, 4), **{"pips-B": "13"})
    assert looked.status == 200
    total = {"Budi": ("−2", "−3"), "After round 1": ("2 : −2", "2 : −3")}
    assert changes(looked) == total
    assert save(device, looked).status_code == 303
    assert device.get().scores == {"A": "2", "B": "−3"}


def test_a_settlement_that_won_by_a_slip_is_put_right_k01(app: Flask, device: Device, store: Store) -> None:
    """Budi's leftover was typed 3 instead of 23, so that he won at 61; a new match has begun meanwhile."""
    log = [*opened(), Adjusted(Team(("B",)), 62, "so far"), Scored("A", 2), RoundEnded("A"), settled(B="3 pips")]
    device.path = keep(store, log)
    assert device.get().status_line == ("won", "Budi wins the match with 61.")
    keep(store, opened())
    looked = correct(device, 5, **{"pips-B": "23"})
    assert changes(looked)["Result"] == (
        "Budi wins the match with 61.",
        "61 was reached in play, but not any more after settlement. The match goes on.",
    )
    match = match_at(store, device.path)
    assert (match.scores, match.status, match.winner) == ((2, 57), Status.FELL_BACK, None)
    assert len(match.log) == 6
    correct(device, 6, "remove")
    assert match_at(store, device.path).status is Status.WON


def test_tile_3_of_12_is_corrected_and_the_later_ones_are_kept_k07(device: Device, store: Store) -> None:
    laid = "3-3 6-3>3-3 6-6>6-3 6-5>6-6 5-5>6-5 6-2>6-6 5-4>5-5 2-2>6-2 4-4>5-4 2-1>2-2 4-1>4-4 1-1>2-1"
    device.path = keep(store, [*opened(), *plays("ABC", laid)], names=NAMES[:3])
    looked = correct(device, 3, tile="3-1")
    assert falls(looked) == ["4", "5", "6", "7", "8", "9", "10", "11", "12", "13"]
    match = match_at(store, device.path)
    assert len(match.log) == 14
    assert len(match.fallen) == 10
    page = device.get(f"{device.path}/history")
    mend = page.tree.one("section", of="refusal").all("a")[0]
    device.page(mend.get("href"), {})
    correct(device, 14, "remove")
    assert match_at(store, device.path).fallen == ()


def test_entries_that_fell_are_mended_one_by_one(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5 6-5>5-5 6-4>6-5")])
    correct(device, 3, tile="6-5", why="swapped")
    assert [one.entry for one in match_at(store, device.path).fallen] == [4]
    looked = correct(device, 4, tile="5-0")
    assert looked.tree.one("section", of="preview").texts("li") == ["4. Ani 6-5 on 5-5"]  # it would stand again
    match = match_at(store, device.path)
    assert (match.fallen, str(match.rounds[0].layout)) == ((), "5-5 6-5>5-5 5-0>5-5 6-4>6-5")
    assert "needs attention" not in device.get().markup


def test_what_fell_before_is_not_said_to_fall_again(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5 6-5>5-5 6-4>6-5"), Undone(4)])
    assert [one.entry for one in match_at(store, device.path).fallen] == [5]
    assert falls(send(device, look(device, 3), tile="5-1")) == []
    assert falls(send(device, look(device, 2), tile="5-0")) == ["3"]


def test_points_moved_between_rounds_leave_the_total_k06(device: Device, store: Store) -> None:
    first: list[Event] = [*opened(), Scored("A", 2), RoundEnded("A"), settled(B="2 pips")]
    second: list[Event] = [RoundOpened("A", OUT), Scored("A", 3), RoundEnded("A"), settled(B="2 pips")]
    device.path = keep(store, [*first, *second])
    correct(device, 3, "insert", "Scored", seat="A", points="3")
    correct(device, 6, "remove")
    match = match_at(store, device.path)
    assert (match.scores, [round_.scored for round_ in match.rounds]) == ((5, 0), [(5, 0), (0, 0)])
    for entry in (8, 7):
        correct(device, entry, "remove")
    looked = look(device, 5, "remove")  # the empty round goes, and takes no points with it
    assert (changes(looked), falls(looked)) == ({}, [])
    correct(device, 5, "remove")
    assert match_at(store, device.path).scores == (5, 0)


def test_undo_in_round_1_leaves_round_2_at_0_k09(device: Device, store: Store) -> None:
    log = [*opened(), Scored("B", 1), Scored("A", 2), RoundEnded("A"), settled(B="2 pips"), RoundOpened("A", OUT)]
    device.path = keep(store, log)
    looked = correct(device, 3, "remove")
    assert changes(looked) == {"Ani": ("2", "0"), "After round 1": ("2 : 1", "0 : 1")}
    match = match_at(store, device.path)
    assert ([round_.scored for round_ in match.rounds], match.fallen) == ([(0, 1), (0, 0)], ())


def test_the_entry_that_won_can_be_undone_and_corrected_k03(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(A=60), settled(B="3-2")])
    assert device.get().phase == "over"
    assert device.get().button("undo", "entry", "12")
    looked = look(device, 12)
    assert filled(looked)["left-B"] == ["3-2"]
    correct(device, 11, "remove")
    assert match_at(store, device.path).status is not Status.WON


# What is refused, and what meanwhile happened.

REFUSED: list[tuple[int, str, str, dict[str, Any], str, str]] = [
    (3, "insert", "Played", {}, "tile", "– is not a tile. Write a tile as two numbers from 0 to 6, such as 6-4."),
    (3, "edit", "", {"tile": "5-5"}, "tile", "5-5 is already on the table. Every tile exists once."),
    (3, "edit", "", {"tile": "7-7"}, "tile", "There is no tile 7-7. The set goes from 0-0 to 6-6."),
    (3, "edit", "", {"tile": "6-4"}, "onto", "6-4 does not fit 5-5: they have no number in common."),
    (3, "edit", "", {"onto": ""}, "onto", "The first tile already lies on the table: say which tile 5-0 is joined to."),
    (3, "edit", "", {"seat": "A"}, "seat", "It is Budi's turn, not Ani's."),
    (3, "edit", "", {"seat": "Z"}, "seat", "There is no seat Z in this match."),
    (
        3,
        "edit",
        "Counted",
        {"ends": "nine"},
        "ends",
        "nine is not an end. Ends are numbers from 0 to 6 and doubles such as 6-6.",
    ),
    (
        3,
        "edit",
        "Scored",
        {"points": "16"},
        "points",
        "16 cannot be scored at one go. Scores go in steps of 1, up to 15.",
    ),
    (3, "edit", "Scored", {"points": "1_0"}, "points", "Enter a whole number from 0 to 1000."),
    (3, "edit", "Scored", {"points": ""}, "points", "Enter a whole number from 0 to 1000."),
    (3, "edit", "Drew", {"tiles": ""}, "tiles", "Enter how many tiles were drawn, at least one."),
    (3, "edit", "Drew", {"tiles": "0"}, "tiles", "Enter a whole number from 1 to 28."),
    (3, "edit", "Passed", {}, "seat", "Passing is not allowed yet. Tiles that can still be drawn: 18."),
    (3, "edit", "RoundEnded", {"out": "A"}, "out", "Ani has not gone out. Tiles still in the hand: 4."),
    (3, "insert", "Noted", {"text": " "}, "text", "Say why."),
    (
        3,
        "insert",
        "Adjusted",
        {"team": "A", "amount": "_2", "text": "x"},
        "amount",
        "Enter a whole number from −10000 to 10000.",
    ),
    (
        3,
        "insert",
        "Adjusted",
        {"team": "A", "amount": "0", "text": "x"},
        "amount",
        "A correction of 0 points changes nothing.",
    ),
    (
        3,
        "insert",
        "Adjusted",
        {"team": "A+B", "amount": "2", "text": "x"},
        "team",
        "Ani + Budi is not a side of this match.",
    ),
    (1, "edit", "", {"by": "out"}, "by", "Nobody went out in the round before, so the opener is found by lot."),
    (3, "edit", "", {"tile": "5-1", "why": "w" * 481}, "why", "Field cannot be longer than 480 characters."),
]


@pytest.mark.parametrize(("entry", "way", "kind", "fields", "field", "sentence"), REFUSED)
def test_bad_input_is_answered_beside_its_field(
    device: Device, store: Store, entry: int, way: str, kind: str, fields: dict[str, Any], field: str, sentence: str
) -> None:
    device.path = keep(store, THREE)
    page = send(device, look(device, entry, way, kind=kind), **fields)
    assert page.status == 422
    assert page.tree.one(id=f"{field}-error").text.replace("-10000", "−10000") == sentence
    assert not page.tree.all("section", of="preview")
    typed = {name: [value.strip()] for name, value in fields.items() if page.tree.all("input", type="text", name=name)}
    assert typed.items() <= filled(page).items()
    entered = {**page.hidden(page.tree.one("footer").one("form")), "seen": "3", "key": "0123456789"}
    assert device.post(page.path, {**filled(page), **entered}).status_code == 422
    assert match_at(store, device.path).log == tuple(THREE)


@pytest.mark.parametrize("pips", ["", "x", "1e1", "12a", "-", "3,5", "1_0", "٣", "999"])
def test_leftovers_that_cannot_be_k51_k54(device: Device, store: Store, pips: str) -> None:
    device.path = keep(store, [*ended_three(), settled(B="3-2", C="2-0")], names=NAMES[:3])
    page = send(device, look(device, 15), **{"left-B": [], "pips-B": pips})
    assert page.status == 422
    assert page.tree.one("p", id="error-B").text
    assert filled(page)["pips-B"] == [pips]
    assert filled(page)["left-C"] == ["2-0"]
    assert len(match_at(store, device.path).log) == 15


def test_a_wrong_hand_is_named_beside_it(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_three(), settled(B="3-2", C="2-0")], names=NAMES[:3])
    page = send(device, look(device, 15), **{"left-B": ["2-0"]})
    assert page.status == 422
    assert "cannot be in two places" in page.tree.one("p", of="error").text


def test_a_correction_that_others_overtook_keeps_what_was_typed(app: Flask, device: Device, store: Store) -> None:
    device.path = keep(store, THREE)
    looked = send(device, look(device, 3), tile="5-4", why="misread")
    other = Device(app, device.path)
    other.enter(Played("A", Tile.of(6, 5), FIVE))
    page = Page(save(device, looked))
    assert page.status == 409
    assert "Entered: Ani 6-5 on 5-5" in page.refusal
    assert [filled(page)[name] for name in ("tile", "onto", "why")] == [["5-4"], ["5-5"], ["misread"]]
    assert len(match_at(store, device.path).log) == 4
    assert changes(page)["4. Ani 6-5 on 5-5"] == ("6 → 0", "10 → +2")
    assert save(device, page).status_code == 303
    assert match_at(store, device.path).scores == (4, 0)


def test_a_correction_of_what_another_took_back_keeps_what_was_typed(app: Flask, device: Device, store: Store) -> None:
    device.path = keep(store, THREE)
    looked = send(device, look(device, 3), tile="5-4", why="misread")
    Device(app, device.path).do("undo", "entry", "3")
    page = Page(save(device, looked))
    assert page.status == 409
    assert "Entered: takes back: " in page.refusal
    assert "Entry 3 has been taken back already." in page.markup
    assert filled(page)["tile"] == ["5-4"]


def test_a_correction_sent_again_is_one_entry(device: Device, store: Store) -> None:
    device.path = keep(store, THREE)
    for entry, way, fields in (
        (3, "edit", {"tile": "5-4"}),
        (3, "insert", {"kind": "Drew", "tiles": "1"}),
        (3, "remove", {}),
    ):
        page = look(device, entry, way, **({"kind": fields["kind"]} if "kind" in fields else {}))
        looked = send(device, page, **fields)
        before = len(match_at(store, device.path).log)
        assert [save(device, looked).status_code for _ in range(3)] == [303] * 3
        assert len(match_at(store, device.path).log) == before + 1


def test_what_is_looked_at_is_what_would_change_now(app: Flask, device: Device, store: Store) -> None:
    device.path = keep(store, THREE)
    page = look(device, 3)
    Device(app, device.path).enter(Played("A", Tile.of(6, 5), FIVE))
    looked = send(device, page, tile="5-4")
    assert changes(looked)["4. Ani 6-5 on 5-5"] == ("6 → 0", "10 → +2")
    assert save(device, looked).status_code == 303


def test_what_was_looked_at_can_be_changed_again(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_three(), settled(B="3-2", C="2-0")], names=NAMES[:3])
    looked = send(device, look(device, 15), **{"left-B": ["2-1"]}, why="misread")
    back = next(link.get("href") for link in looked.tree.one("main").all("a") if "do=edit" in link.get("href"))
    again = Page(device.client.get(back))
    assert [filled(again)[name] for name in ("left-B", "left-C", "why")] == [["2-1"], ["2-0"], ["misread"]]
    assert changes(send(device, again)) == changes(looked)


def test_a_reason_that_is_too_long_is_told_where_something_is_taken_out(device: Device, store: Store) -> None:
    device.path = keep(store, THREE)
    page = Page(save(device, look(device, 3, "remove"), why="w" * 481))
    assert (page.status, page.tree.one(id="why-error").text) == (422, "Field cannot be longer than 480 characters.")
    assert len(match_at(store, device.path).log) == 3
    assert save(device, page, why="w" * 480).status_code == 303


def test_a_form_without_its_key_is_refused(device: Device, store: Store) -> None:
    device.path = keep(store, THREE)
    looked = send(device, look(device, 3), tile="5-4")
    assert save(device, looked, key="").status_code == 422
    assert len(match_at(store, device.path).log) == 3


def test_a_closed_match_is_opened_before_it_is_corrected(device: Device, store: Store) -> None:
    device.path = keep(store, [*THREE, Closed("rain")])
    page = send(device, look(device, 3), tile="5-4")
    assert (page.status, page.tree.texts(of="error")) == (422, ["The match is closed."])
    assert look(device, 3, "remove").refusal == "The match is closed."
    assert look(device, 4).status == 200


def test_lots_stay_where_the_opener_stays(device: Device, store: Store) -> None:
    lots = ((("A", Tile.of(6, 3)), ("B", Tile.of(0, 0))),)
    device.path = keep(store, [RoundOpened("A", LOT, lots)])
    assert send(device, look(device, 1)).tree.texts(of="error") == ["That changes nothing."]
    correct(device, 1, seat="B")
    assert match_at(store, device.path).log[1:] == (Amended(1, RoundOpened("B", LOT)),)


def test_every_entry_of_a_whole_match_can_be_looked_at(device: Device, store: Store) -> None:
    log = recorded("five-up-tiles-then-counts")
    device.path = keep(store, log)
    for entry in range(1, len(log) + 1):
        for way in ("edit", "insert", "remove"):
            assert look(device, entry, way).status == 200, (entry, way)
        assert send(device, look(device, entry)).tree.texts(of="error") == ["That changes nothing."], entry


def test_a_forgotten_turn_gives_those_after_it_to_the_next_player(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("ABC", "5-5 5-0>5-5 6-5>5-5")], names=NAMES)
    page = look(device, 4, "insert")
    assert (filled(page)["seat"], filled(page)["moves"]) == (["C"], ["yes"])
    looked = send(device, page, tile="5-4", onto="5-5")
    assert changes(looked)["4. Dewi 6-5 on 5-5"] == ("6 → 0", "10 → +2")
    assert save(device, looked).status_code == 303
    told = device.get(f"{device.path}/history").tree.one(id="entry-4")
    assert (told.one("del").text, told.one("p", of="entry-text").one("a").text) == (
        "Citra 6-5 on 5-5",
        "Dewi 6-5 on 5-5",
    )
    assert filled(look(device, 4))["seat"] == ["D"]
    assert device.get().tree.one(of="turn-name").text == "▸ Ani"
    unmoved = send(device, look(device, 3, "insert"), tile="6-4", onto="5-5")
    assert unmoved.status == 422
    query = {key: value for key, value in filled(look(device, 3, "insert")).items() if key != "moves"}
    other = device.client.get(
        f"{device.path}/entry/3/insert", query_string={**query, "tile": "5-1", "onto": "5-5", "do": "preview"}
    )
    assert "3. Budi 5-0 on 5-5" in Page(other).tree.one("section", of="preview").text


# A round that later entries wait for.

TWO_ROUNDS: list[Event] = [*ended_two(), settled(B="6-6"), RoundOpened("A", OUT), *plays("AB", "5-5 5-0>5-5")]


@pytest.mark.parametrize(
    ("taken", "number", "asks"),
    [(10, 1, "Played"), (11, 1, "Settled"), (12, 2, "RoundOpened"), (1, 1, "RoundOpened")],
)
def test_while_later_entries_wait_the_table_offers_only_what_brings_them_back(
    device: Device, store: Store, taken: int, number: int, asks: str
) -> None:
    device.path = keep(store, TWO_ROUNDS)
    before = match_at(store, device.path)
    correct(device, taken, "remove")
    page = device.get()
    told = page.tree.one("section", of="refusal")
    assert (page.phase, told.one("h2").text) == ("mend", f"Round {number} is being put right")
    assert {form.get("action").rpartition("/")[2] for form in page.tree.one("main").all("form")} == {"undo"}
    assert not page.tree.all(of="turn-name")
    into, back, all_of_it = told.all("a")
    assert all_of_it.get("href") == f"{device.path}/history#attention"
    fell = match_at(store, device.path).fallen[0].entry
    assert into.get("href") == f"{device.path}/entry/{fell}/insert"
    kind = device.get(into.get("href")).tree.one("form", of="mend").one("input", name="kind")
    assert kind.get("value") == asks
    looked = device.get(back.get("href"))
    assert save(device, looked).status_code == 303
    again = match_at(store, device.path)
    assert (again.rounds, again.fallen) == (before.rounds, ())


def test_a_tile_taken_out_and_tapped_again_strands_nothing(device: Device, store: Store) -> None:
    device.path = keep(store, TWO_ROUNDS)
    correct(device, 10, "remove")
    seen = str(len(match_at(store, device.path).log))
    for act, fields in (
        ("play", {"play": "6-5>5-5", "seat": "A"}),
        ("draw", {"seat": "A"}),
        ("score", {"points": "2", "seat": "A"}),
    ):
        refused = device.send(act, **fields)
        assert (refused.status, refused.phase) == (422, "mend")
        assert refused.refusal.startswith("Round 1 is being put right: later entries wait for it.")
    assert len(match_at(store, device.path).log) == len(TWO_ROUNDS) + 1
    page = device.do("undo", "entry", seen)  # the one button brings it back
    assert (page.phase, match_at(store, device.path).fallen) == ("play", ())


@pytest.mark.parametrize(
    "rest", ["", "/facing", "/board", "/history", "/round/1/1", "/pictures", "/sheet", "/manage", "/judge"]
)
def test_every_page_says_that_the_match_needs_attention(device: Device, store: Store, rest: str) -> None:
    sentences = ("This match needs attention", "Round 1 is being put right")
    device.path = keep(store, TWO_ROUNDS)
    assert not any(sentence in device.get(device.path + rest).markup for sentence in sentences)
    correct(device, 10, "remove")
    assert any(sentence in device.get(device.path + rest).tree.one("main").text for sentence in sentences)


def test_undo_names_what_was_taken_out(device: Device, store: Store) -> None:
    device.path = keep(store, TWO_ROUNDS)
    correct(device, 10, "remove")
    assert device.get().button("undo", "entry", "15")[1].text == "↶ Undo: taking out Ani 6-5 on 5-5"
    assert device.get().buttons("undo") == ["15"]


@pytest.mark.parametrize("do", ["settle", "work"])
def test_leftovers_are_not_settled_behind_a_later_round(device: Device, store: Store, do: str) -> None:
    device.path = keep(store, TWO_ROUNDS)
    correct(device, 11, "remove")
    page = device.send("settle", do=do, **{"pips-B": "12"})
    assert (page.status, page.phase) == (422, "mend")
    assert len(match_at(store, device.path).log) == 15


@pytest.mark.parametrize(
    ("newest", "line"),
    [
        (Amended(3, Played("B", Tile.of(5, 1), FIVE)), "corrects: Budi 5-0 on 5-5; now: Budi 5-1 on 5-5."),
        (Inserted(3, Noted("tea")), "puts in before entry 3: note: tea."),
        (Undone(3), "takes back: Budi 5-0 on 5-5."),
    ],
)
def test_a_correction_that_moves_the_score_is_said(device: Device, store: Store, newest: Event, line: str) -> None:
    """On the table, on the wall and turned round; until something new is entered."""
    log = [*opened(), *plays("ABC", "5-5 5-0>5-5 5-4>5-5"), newest]
    device.path = keep(store, log, names=NAMES[:4])
    views = [device.path + view for view in ("", "/board", "/facing")]
    assert all(line in device.get(view).tree.one("main").text for view in views)
    device.do("draw")
    assert not any(line in device.get(view).tree.one("main").text for view in views)


def test_taking_back_the_newest_entry_needs_no_line(device: Device, store: Store) -> None:
    device.path = keep(store, [*THREE, Undone(3)])
    assert "takes back" not in device.get().tree.one("main").text

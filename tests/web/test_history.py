"""The history of a match and the steps of its rounds: what was entered, what became of it, how it stood then."""

from __future__ import annotations

from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from fiveup_ref.engine.events import (
    OUT,
    Adjusted,
    Amended,
    Drew,
    Inserted,
    Noted,
    Played,
    Renamed,
    RoundOpened,
    RulesChanged,
    Settled,
    Undone,
)
from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from tests.engine.play import running_totals
from tests.storing import Clock

from .device import Device, Node, Page, match_at
from .matches import ended_two, keep, opened, passes, plays, recorded, settled
from .test_language import english_only

FIVE = Tile.of(5, 5)


def entry(page: Page, number: int) -> Node:
    """The line or remark of an entry."""
    return page.tree.one(id=f"entry-{number}")


def body(page: Page, number: int) -> str:
    """What is read on the line of an entry, without its time and device."""
    line = entry(page, number)
    return " ".join(part.text for part in line.all("p") if part.get("class") != "entry-when")


def standing(page: Page) -> list[str]:
    return page.tree.one(of="standing-line").texts("b")


def test_every_entry_is_there_once_in_plain_words(device: Device, store: Store) -> None:
    log = [*opened(), *plays("AB", "5-5 5-0>5-5"), Drew("A", 2), Noted("tea"), Undone(4)]
    device.path = keep(store, [*log, Amended(3, Played("B", Tile.of(5, 1), FIVE), "wrong tile"), Undone(6)])
    page = device.get(f"{device.path}/history")
    assert [node.get("id") for node in page.tree.all(of="entry")] == [f"entry-{n}" for n in (1, 2, 3, 4, 5)]
    told = ["Ani opens by lot", "Ani 5-5 5-5 10 = 10 +2", "Ani drew 2 tiles", "note: tea"]
    assert [body(page, n) for n in (1, 2, 4, 5)] == told
    assert body(page, 3) == "Budi 5-0 on 5-5 Budi 5-1 on 5-5 5-5 10 + 1 = 11"
    assert entry(page, 3).one("del").text == "Budi 5-0 on 5-5"
    assert entry(page, 6).one("del").text == "taken back"
    assert entry(page, 7).text.startswith("7. corrected: Budi 5-1 on 5-5 (wrong tile)")
    assert entry(page, 8).text.startswith("8. brought back")
    assert not entry(page, 8).all("del")


def test_what_is_taken_back_stays_visible_struck_through(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5"), Undone(3, "not her turn")])
    page = device.get(f"{device.path}/history")
    assert entry(page, 3).one("del").text == "Budi 5-0 on 5-5"
    assert "+2" not in entry(page, 3).text
    assert entry(page, 4).text.startswith("4. taken back (not her turn)")
    assert page.tree.one(of="standing-line").text == "Ani 2Budi 0"


def test_what_was_forgotten_stands_at_its_place(device: Device, store: Store) -> None:
    log = [*opened(), *plays("AB", "5-5 5-0>5-5"), Inserted(3, Drew("B", 1), "forgotten")]
    device.path = keep(store, log)
    page = device.get(f"{device.path}/history")
    assert [node.get("id") for node in page.tree.all(of="entry")] == [f"entry-{n}" for n in (1, 2, 4, 3)]
    assert body(page, 4) == "Budi drew 1 tile put in later: forgotten"


def test_rounds_are_chapters_and_settlements_are_written_out(device: Device, store: Store) -> None:
    log = [Noted("good evening"), *ended_two(), settled(B="12 pips"), RoundOpened("A", OUT)]
    device.path = keep(store, log)
    page = device.get(f"{device.path}/history")
    chapters = page.tree.all("section", of="chapter")
    assert [one.one("h2").text for one in chapters] == ["Before the first round", "Round 1", "Round 2"]
    assert [len(one.all(of="entry")) for one in chapters] == [1, 11, 1]
    assert body(page, 12) == "the settlement Ani 0 · Budi −2"


def test_names_and_rules_are_entries_too(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), Renamed(("Ani", "Budi S.")), RulesChanged((("target", "100"),)), Undone(2)])
    page = device.get(f"{device.path}/history")
    assert entry(page, 2).one("del").text == "new names: Ani, Budi S."
    assert body(page, 3) == "new rules: target 100"
    assert page.tree.one(of="standing-line").text == "Ani 0Budi 0"


def test_the_device_of_an_entry_is_told(app: Flask, store: Store) -> None:
    path = keep(store, opened())
    one, other = Device(app, path), Device(app, path)
    one.enter(Played("A", FIVE))
    other.enter(Played("B", Tile.of(5, 0), FIVE))
    whens = [
        [entry(device.get(f"{path}/history"), number).one(of="entry-when").text for number in (1, 2, 3)]
        for device in (one, other)
    ]
    told = [[when.partition(" · ")[2] for when in lines] for lines in whens]
    assert told == [["", "this device", "another device"], ["", "another device", "this device"]]


@pytest.mark.parametrize(("language", "time"), [("en", "8:15 PM"), ("id", "20.15")])
def test_times_are_the_tables(tmp_path: Path, language: str, time: str) -> None:
    with closing(Store(tmp_path, clock=Clock())) as store:  # 13.15 UTC, and the table is at +07:00
        path = keep(store, [*opened(), Noted("tea")])
        app = create_app(store, secret_key="for tests", everyone_here=True)
        page = Device(app, path, language=language).get(f"{path}/history")
    lines = [entry(page, number).one(of="entry-when").text.replace("\u202f", " ") for number in (1, 2)]
    assert [line[-len(time) :] for line in lines] == [time, time]
    assert ["2026" in line for line in lines] == [True, False]  # the date where it changes


def test_what_fell_is_listed_with_a_way_to_mend_each_k07(device: Device, store: Store) -> None:
    log = recorded("five-up-two-players")
    tile = next(number for number, event in enumerate(log, 1) if isinstance(event, Played) and event.onto)
    device.path = keep(store, [*log, Undone(tile)])
    page = device.get(f"{device.path}/history")
    attention = page.tree.one("section", of="refusal")
    waiting = {int(line.partition(".")[0]) for line in attention.one("details").texts("li")}
    now = [one.entry for one in match_at(store, device.path).fallen if one.entry not in waiting]
    assert now
    assert waiting
    links = [link.get("href") for link in attention.all("a")]
    assert links == [f"{device.path}/entry/{number}/{way}" for number in now for way in ("edit", "remove")]
    assert [number for number in now if not entry(page, number).all(of="error")] == []
    assert [number for number in waiting if entry(page, number).all(of="error")] == []
    for path in ("/", device.path, f"{device.path}/sheet", f"{device.path}/manage", f"{device.path}/round/1/1"):
        assert "needs attention" in device.get(path).markup, path


INDONESIAN = (
    *("/history", "/round/1/1", "/round/1/4", "/entry/3/edit", "/entry/3/remove", "/manage", "/rematch"),
    *(
        f"/entry/3/insert?kind={kind}"
        for kind in ("Played", "Counted", "Drew", "RoundEnded", "RoundOpened", "Adjusted")
    ),
    *(
        "/entry/10/edit?do=preview&tile=7",
        "/entry/10/edit?do=preview&kind=Passed&seat=B",
        "/manage/rules/preview?target=x",
    ),
)


@pytest.mark.parametrize("rest", INDONESIAN)
def test_pages_are_said_in_indonesian(app: Flask, store: Store, rest: str) -> None:
    log = [*ended_two(), settled(B="12 pips"), Undone(11, "salah"), Renamed(("Ani", "Budi S."))]
    path = keep(store, [*log, RulesChanged((("target", "100"),)), Inserted(3, Drew("B", 1))])
    answer = app.test_client().get(path + rest, headers={"Accept-Language": "id"})
    assert answer.status_code in (200, 422)
    said = Page(answer).tree.text
    assert [one for one in map(unescape, english_only()) if one in said] == []


# Steps


def test_a_round_is_stepped_through_as_it_was(device: Device, store: Store) -> None:
    device.path = keep(store, recorded("five-up-two-players"))
    match = match_at(store, device.path)
    totals = iter(list(running_totals(match))[1:])
    for number, round_ in enumerate(match.rounds, 1):
        for step, move in enumerate(round_.moves, 1):
            page = device.get(f"{device.path}/round/{number}/{step}")
            assert standing(page) == [str(score).replace("-", "−") for score in next(totals)]
            laid = sum(isinstance(one.event, Played) for one in round_.moves[:step])
            labels = [node.get("aria-label") for node in page.tree.all("svg", of="layout-picture")]
            assert [len(label.removeprefix("The layout: ").split()) for label in labels] == ([laid] if laid else [])
            if move.score:
                assert page.tree.one(of="sum").one("b").text == str(move.score.count)


def test_ways_through_a_round(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(), settled(B="12 pips")])
    steps = f"{device.path}/round/1"
    ways = {
        step: {
            link.get("data-key"): link.get("href")
            for link in device.get(f"{steps}/{step}").tree.one("nav", of="ways").all("a")
        }
        for step in (1, 5, 11)
    }
    assert ways[1] == {"ArrowRight": f"{steps}/2", "End": f"{steps}/11"}
    assert ways[5] == {
        "Home": f"{steps}/1",
        "ArrowLeft": f"{steps}/4",
        "ArrowRight": f"{steps}/6",
        "End": f"{steps}/11",
    }
    assert ways[11] == {"Home": f"{steps}/1", "ArrowLeft": f"{steps}/10"}
    page = device.get(f"{steps}/5")
    assert [page.tree.one("a", rel=rel).get("href") for rel in ("prev", "next")] == [f"{steps}/4", f"{steps}/6"]
    assert [link.get("href") for link in page.tree.one("ol", of="steps").all("a")] == [
        f"{steps}/{n}" for n in range(1, 12)
    ]
    assert page.tree.one("a", **{"aria-current": "step"}).text == "Budi 4-4 on 5-4"


def test_the_result_of_a_round_stays_when_the_next_is_played_r26(app: Flask, device: Device, store: Store) -> None:
    """Blocked with 7 and 7; another phone has begun the next round."""
    blocked = [*opened(), *plays("AB", "6-6"), Drew("B", None), *passes("BA"), settled(A="7 pips", B="7 pips")]
    device.path = keep(store, blocked)
    result = f"{device.path}/round/1/6"
    before = device.get(result).tree.one("table", of="working").text
    other = Device(app, device.path)
    other.enter(RoundOpened("B", "lot"))
    other.enter(Played("B", FIVE))
    page = device.get(result)
    assert page.tree.one("table", of="working").text == before
    assert page.tree.one("ul", of="together").texts("li") == ["Ani: 0 −1 = −1", "Budi: 0 −1 = −1"]
    assert standing(page) == ["−1", "−1"]


def test_the_last_layout_is_there_after_the_end_k61(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(A=60), settled(B="3-2")])
    assert device.get().phase == "over"
    page = device.get(f"{device.path}/round/1/12")
    assert "5-5 5-0>5-5" in page.tree.one("svg", of="layout-picture").get("aria-label")
    assert page.tree.one("ul", of="together").texts("li")[0] == "Ani: 62 ± 0 = 62"


def test_steps_follow_corrections(device: Device, store: Store) -> None:
    path = keep(
        store,
        [*opened(), *plays("AB", "5-5 5-0>5-5"), Inserted(3, Drew("B", 1)), Amended(2, Played("A", Tile.of(5, 0)))],
    )
    page = device.get(f"{path}/round/1/2")
    assert page.tree.one(of="sum").text == "5 + 0 = 5"
    assert device.get(f"{path}/round/1/3").tree.one(of="moment-text").text == "Budi drew 1 tile"


@pytest.mark.parametrize(
    "rest",
    [
        "round/0/1",
        "round/1/0",
        "round/٣/1",
        "round/1/" + "9" * 5000,
        "entry/9/edit",
        "entry/0/edit",
        "entry/1/burn",
    ],
)
def test_what_is_not_there_is_no_page(device: Device, store: Store, rest: str) -> None:
    path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    assert device.get(f"{path}/{rest}").status == 404


def test_an_adjustment_before_the_first_round_is_told(device: Device, store: Store) -> None:
    path = keep(store, [Adjusted(Team(("B",)), -2, "late"), *opened()])
    assert body(device.get(f"{path}/history"), 1) == "Budi −2: late"


def test_a_match_without_entries(device: Device, store: Store) -> None:
    path = keep(store)
    assert "Nothing is entered yet." in device.get(f"{path}/history").markup


def test_of_a_corrected_settlement_it_says_which_hand_changed(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(), settled(B="3-2"), Amended(len(ended_two()) + 1, settled(B="2-1"))])
    number = len(ended_two()) + 1
    page = device.get(f"{device.path}/history")
    line = entry(page, number)
    assert line.one("p", of="entry-text").text.startswith("the settlement: Budi 3-2 the settlement: Budi 2-1 ")
    assert line.one("del").text == "the settlement: Budi 3-2"
    assert "corrected: the settlement: Budi 2-1" in entry(page, number + 1).text


def test_settled_hands_are_written_as_they_were_entered(device: Device, store: Store) -> None:
    path = keep(store, [*ended_two(), Settled((("B", Left.of([Tile.of(3, 2)])),))])
    page = device.get(f"{path}/round/1/11")
    assert "3-2" in page.tree.one("table", of="working").text


def test_an_old_link_to_a_step_leads_to_the_last_one_of_a_round_made_shorter(device: Device, store: Store) -> None:
    path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    assert device.get(f"{path}/round/1/3").status == 200
    store.append(path.split("/")[2], Undone(3), seen=3, key="")
    answer = device.client.get(f"{path}/round/1/3", headers=device.headers)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{path}/round/1/2")
    assert device.get(f"{path}/round/1/2").status == 200
    assert device.get(f"{path}/round/2/1").status == 404

"""Undo across devices: what another device entered is asked about first."""

from __future__ import annotations

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from fiveup_ref.engine.events import Amended, Noted, Played, Undone
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .device import Device, Page, match_at, saved_at
from .matches import keep, opened, plays

SET = Played("A", Tile.of(5, 5))
JOINED = Played("B", Tile.of(5, 0), Tile.of(5, 5))


def two(app: Flask, store: Store) -> tuple[Device, Device]:
    """Phone A has recorded the set, phone B the tile after it."""
    path = keep(store, opened())
    one, other = Device(app, path), Device(app, path)
    one.enter(SET)
    other.enter(JOINED)
    return one, other


def ask(device: Device, entry: int) -> Page:
    page = Page(device.press(device.get(), "undo", "entry", str(entry)))
    assert page.status == 409
    return page


def test_undo_asks_before_it_reaches_another_device_k13(app: Flask, store: Store) -> None:
    one, _other = two(app, store)
    assert one.get().button("undo", "entry", "3")[1].text == "↶ Undo: Budi 5-0 on 5-5"
    asked = ask(one, 3)
    said = asked.tree.one("section", of="card").text
    assert "Budi 5-0 on 5-5" in said
    assert "Entry 3 was entered on another device" in said
    assert "Take it back all the same?" in said
    assert len(match_at(store, one.path).log) == 3
    assert [link.get("href") for link in asked.tree.one("section", of="card").all("a")] == [one.path]
    answers = [one.press(asked, "undo", "sure", "yes") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert match_at(store, one.path).log[3:] == (Undone(3),)


def test_undo_of_ones_own_stays_one_tap(app: Flask, store: Store) -> None:
    _one, other = two(app, store)
    assert other.press(other.get(), "undo", "entry", "3").status_code == 303
    asked = ask(other, 2)  # but the set came from the first phone
    assert "Ani 5-5" in asked.markup


def test_what_nobody_knows_the_device_of_is_not_asked_about(app: Flask, store: Store) -> None:
    path = keep(store, [*opened(), SET])
    device = Device(app, path)
    assert device.press(device.get(), "undo", "entry", "2").status_code == 303


def test_redo_of_anothers_undo_asks_too(app: Flask, store: Store) -> None:
    one, other = two(app, store)
    other.press(other.get(), "undo", "entry", "3")
    assert "takes back: Budi 5-0 on 5-5" in ask(one, 4).markup


def test_an_answer_that_others_overtook_is_a_conflict(app: Flask, store: Store) -> None:
    one, _other = two(app, store)
    asked = ask(one, 3)
    store.append(one.path[3:], Noted("meanwhile"), seen=len(match_at(store, one.path).log), key="")
    assert one.press(asked, "undo", "sure", "yes").status_code == 409
    assert not any(isinstance(event, Undone) for event in match_at(store, one.path).log)


def test_an_undo_from_a_page_that_is_out_of_date_is_a_conflict_and_no_question(app: Flask, store: Store) -> None:
    one, other = two(app, store)
    page = one.get()
    other.enter(Played("A", Tile.of(6, 5), Tile.of(5, 5)))
    assert one.press(page, "undo", "entry", "3").status_code == 409
    own = other.get()
    assert [other.press(own, "undo", "entry", "4").status_code for _ in range(2)] == [303, 303]


def test_each_browser_has_a_name_of_its_own_that_it_keeps(app: Flask, store: Store) -> None:
    one, other = two(app, store)
    one.enter(Played("A", Tile.of(6, 5), Tile.of(5, 5)))
    names = [info.who for info in saved_at(store, one.path).entries]
    assert names[0] == ""
    assert names[1] == names[3] != names[2]
    assert all(len(name) == 8 for name in names[1:])
    assert other.client.get_cookie("session") is not None


def call(device: Device, name: str) -> TestResponse:
    page = device.get("/display")
    form = page.tree.one("main").one("form")
    chosen = {node.get("name"): node.get("value") for node in form.all("input", checked="")}
    return device.post("/display", {**page.hidden(form), **chosen, "name": name})


def test_the_name_of_a_device_stands_beside_what_it_entered(app: Flask, store: Store) -> None:
    one, other = two(app, store)
    assert call(other, "  kitchen   tablet<i> ").status_code == 303
    assert other.get("/display").tree.one("input", id="name").get("value") == "kitchen tablet<i>"
    assert "Entry 3 was entered on kitchen tablet<i>" in ask(one, 3).tree.one("section", of="card").text
    for device, first in ((one, "this device"), (other, "another device")):
        said = [
            line.rpartition(" · ")[2] for line in device.get(f"{one.path}/history").tree.texts("p", of="entry-when")
        ]
        assert said[1:] == [first, "kitchen tablet<i>"]
    assert "entered on kitchen tablet<i>" in one.get(f"{one.path}/entry/3/edit").tree.one("main").text
    call(other, "")  # and the name can be taken away again
    assert "Entry 3 was entered on another device" in ask(one, 3).tree.one("section", of="card").text


def test_a_name_too_long_is_refused_beside_the_field(app: Flask) -> None:
    device = Device(app)
    page = Page(call(device, "x" * 41))
    assert page.status == 422
    assert "40" in page.tree.one(id="name-error").text
    assert page.tree.one("input", id="name").get("value") == "x" * 41
    assert device.get("/display").tree.one("input", id="name").get("value") == ""


@pytest.mark.parametrize("way", ["taken back", "corrected"])
def test_what_stands_no_more_was_not_entered_already(app: Flask, store: Store, way: str) -> None:
    """Another phone entered the same and put it right; that is news, and what was typed here is kept."""
    path = keep(store, [*opened(), *plays("A", "5-5")])
    late, other = Device(app, path), Device(app, path)
    page = late.get()
    other.enter(Played("B", Tile.parse("5-0"), Tile.parse("5-5")))
    right = Undone(3) if way == "taken back" else Amended(3, Played("B", Tile.parse("5-1"), Tile.parse("5-5")))
    store.append(path[3:], right, seen=3, key="")
    answer = Page(late.press(page, "play", "play", "5-0>5-5"))
    assert answer.status == 409
    assert "Budi 5-0 on 5-5" in answer.tree.one("section", of="refusal").text
    assert len(match_at(store, path).log) == 4

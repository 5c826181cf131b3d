"""Deleting a match at the page: it asks, the match is gone everywhere, and it comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from fiveup_ref.store import Store
from fiveup_ref.web import create_app

from .device import Device, match_at
from .matches import keep, opened, plays

LOG = [*opened(), *plays("AB", "5-5 5-0>5-5")]


def test_it_asks_goes_and_comes_back_k12(device: Device, store: Store) -> None:
    path, other = keep(store, LOG, title="by mistake"), keep(store, LOG, title="kept")
    sheet = device.get(f"{path}/sheet")
    files = device.get(sheet.tree.one("a", href=f"{path}/files").get("href"))
    ask = device.get(files.tree.one("a", href=f"{path}/delete").get("href"))
    assert {"by mistake", "3 entries"} <= {*ask.tree.texts("bdi"), *ask.tree.texts("p")}
    assert ask.tree.one("main").one("a").get("href") == path  # the way out
    assert device.get("/").tree.all("a", href=path)
    done = device.post(ask.path, ask.hidden(ask.tree.one("main").one("form")))
    assert (done.status_code, done.headers["Location"]) == (303, "/deleted")
    home = device.get("/")
    assert not home.tree.all("a", href=path)
    assert home.tree.all("a", href=other)
    assert home.tree.one("a", href="/deleted").text == "Deleted matches"
    listed = device.get("/deleted")
    (card,) = listed.tree.all("li", "card")
    assert "by mistake" in card.text
    assert "Can be restored until" in card.text
    back = device.post(card.one("form").get("action"), listed.hidden(card.one("form")))
    assert (back.status_code, back.headers["Location"]) == (303, path)
    assert device.get(path).scores == {"A": "2", "B": "2"}
    assert "No match has been deleted." in device.get("/deleted").tree.text


def test_the_address_of_a_deleted_match_says_so_and_offers_it_back(device: Device, store: Store) -> None:
    path = keep(store, LOG, title="by mistake")
    page = device.get(path)
    store.delete(path.split("/")[2])
    for ending in ("", "/sheet", "/files", "/delete", ".json", ".fiveup", "/rounds.csv", "/plays.csv"):
        answer = device.get(path + ending)
        assert (answer.status, answer.tree.one("h2").text) == (410, "This match was deleted")
        assert "by mistake" in answer.tree.text
    for act, fields in (("undo", {"entry": "3"}), ("play", {"play": "5-4>5-5", "seat": "A"}), ("pass", {"seat": "A"})):
        sent = {"csrf_token": page.csrf, "seen": "3", "key": "0123456789", **fields}
        assert device.page(f"{path}/{act}", sent).status == 410
    gone = device.get(path)
    form = gone.tree.one("main").one("form")
    assert device.post(form.get("action"), gone.hidden(form)).status_code == 303
    assert match_at(store, path).log == tuple(LOG)


def test_the_same_forms_once_more(device: Device, store: Store) -> None:
    path = keep(store, LOG)
    token = {"csrf_token": device.get(path).csrf}
    for _ in range(2):
        assert device.post(f"{path}/delete", token).headers["Location"] == "/deleted"
    assert len(store.deleted(None)) == 1
    for _ in range(2):
        assert device.post(f"{path}/restore", token).headers["Location"] == path
    assert device.client.get(f"{path}/restore").headers["Location"] == path
    assert match_at(store, path).log == tuple(LOG)


@pytest.mark.parametrize("act", ["delete", "restore"])
def test_a_match_that_is_none(device: Device, act: str) -> None:
    token = {"csrf_token": device.get("/new").csrf}
    assert device.page(f"/m/nobody/{act}", token).status == 404


def test_on_the_network_a_device_sees_what_it_had_open(store: Store) -> None:
    app = create_app(store, secret_key="for tests", everyone_here=False)
    mine, others = keep(store, LOG, title="mine"), keep(store, LOG, title="others")
    device, host = Device(app, address="192.168.1.20"), Device(app)
    device.get(mine)
    for path in (mine, others):
        store.delete(path.split("/")[2])
    listed = device.get("/deleted").tree
    assert "mine" in listed.text
    assert "others" not in listed.text
    assert "others" in host.get("/deleted").tree.text


def test_in_indonesian_with_the_local_time(app: Flask, store: Store, tmp_path: Path) -> None:
    path = keep(store, LOG)
    device = Device(app, language="id")
    assert device.get(f"{path}/delete").tree.one("h1").text == "Hapus pertandingan ini?"
    store.delete(path.split("/")[2])
    assert "Bisa dikembalikan sampai" in device.get(path).tree.text

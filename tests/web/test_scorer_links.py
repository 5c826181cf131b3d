"""Scorer links: handed on, taken, withdrawn, and nowhere to be found by others."""

from __future__ import annotations

import logging
import sqlite3
from urllib.parse import urlsplit

import pytest
from flask import Flask

from fiveup_ref.scorers import Scorers
from fiveup_ref.store import Store
from fiveup_ref.web import create_app, rights
from fiveup_ref.web.network import Network
from fiveup_ref.web.phones import Phones

from .device import Device, Page
from .matches import keep, opened

PHONE = "192.168.1.20"


def phone(lan: Flask, path: str, token: str = "", **how: str) -> Device:
    device = Device(lan, path, address=PHONE, **how)
    if token:
        assert device.client.get(f"/s/{token}").status_code == 303
    return device


def hand_on(device: Device, label: str) -> Page:
    page = device.get(f"{device.path}/scorers")
    return device.page(f"{device.path}/scorers", {"csrf_token": page.csrf, "label": label})


def link_on(page: Page) -> str:
    return urlsplit(page.tree.one("input", id="link").get("value")).path


def test_a_link_is_handed_on_shown_once_and_lets_another_write(lan: Flask, store: Store, scorers: Scorers) -> None:
    path = keep(store, opened())
    maker, other = phone(lan, path, scorers.make(path[3:], None)), phone(lan, path)
    made = hand_on(maker, "Dewi <b>")
    assert made.status == 200
    link = link_on(made)
    assert made.tree.one("input", id="link").get("value").endswith(link)
    assert made.headers["Referrer-Policy"] == "no-referrer"
    listed = maker.get(f"{path}/scorers")
    assert "Dewi <b>" in listed.tree.one("ul", of="scorers").text
    assert link not in listed.markup
    assert "this device" in listed.tree.one("ul", of="scorers").all("li")[0].text
    assert other.get(f"{path}/manage").status == 403
    taken = other.client.get(link)
    assert (taken.status_code, taken.headers["Location"]) == (303, path)
    assert taken.headers["Referrer-Policy"] == "no-referrer"
    assert taken.headers["Cache-Control"] == "no-store"
    assert "HttpOnly" in taken.headers["Set-Cookie"]
    assert other.do("play", "play", "5-5").phase == "play"


def test_one_withdraws_what_was_made_after_ones_own(lan: Flask, store: Store, scorers: Scorers) -> None:
    path = keep(store, opened())
    maker = phone(lan, path, scorers.make(path[3:], None))
    second = phone(lan, path, link_on(hand_on(maker, "second"))[3:])
    third = phone(lan, path, link_on(hand_on(second, "third"))[3:])
    numbers = [one.number for one in scorers.of(path[3:])]

    def offered(device: Device) -> list[str]:
        forms = device.get(f"{path}/scorers").tree.all("form", action="")
        assert forms == []
        return [
            form.get("action")
            for form in device.get(f"{path}/scorers").tree.all("form", method="post")
            if form.get("action").endswith("/withdraw")
        ]

    def of(*those: int) -> list[str]:
        return [f"{path}/scorers/{numbers[one]}/withdraw" for one in those]

    assert (offered(maker), offered(second), offered(third)) == (of(1, 2), of(2), [])
    assert offered(Device(lan, path)) == of(0, 1, 2)  # the host
    csrf = second.get(f"{path}/scorers").csrf
    for one in of(0, 1):
        assert second.post(one, {"csrf_token": csrf}).status_code == 403
    assert second.post(of(2)[0], {"csrf_token": csrf}).status_code == 303
    assert third.get(f"{path}/scorers").status == 403
    assert third.get(path).status == 200
    page = maker.get(f"{path}/scorers")
    assert page.tree.texts("li")[-1].startswith("third")
    assert maker.post(of(1)[0], {"csrf_token": page.csrf}).status_code == 303
    assert second.get(f"{path}/manage").status == 403
    assert maker.get(f"{path}/manage").status == 200


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_link_that_is_withdrawn_or_wrong_says_so_and_grants_nothing(
    lan: Flask, store: Store, scorers: Scorers, language: str
) -> None:
    path = keep(store)
    token = scorers.make(path[3:], None)
    scorers.withdraw(path[3:], scorers.of(path[3:])[0].number)
    device = phone(lan, path, language=language)
    for wrong in (token, token[:-1], "x", "%00", "\u00e9"):
        page = device.get(f"/s/{wrong}")
        assert page.status == 404
        assert {"en": "nobody keep score", "id": "tidak memberi hak"}[language] in page.tree.one("h2").text
        assert page.headers["Referrer-Policy"] == "no-referrer"
    with device.client.session_transaction() as kept:
        assert "scorer" not in kept


def test_a_device_holds_so_many_tokens_and_its_cookie_fits(lan: Flask, store: Store, scorers: Scorers) -> None:
    device = phone(lan, "")
    paths = [keep(store) for _ in range(rights.MOST_TOKENS + 1)]
    for path in paths:
        device.client.get(f"/s/{scorers.make(path[3:], None)}")
        device.client.get(path)
    answer = device.client.get(paths[0])  # listed first again, so that the cookie is written
    assert len(answer.headers["Set-Cookie"]) < 4093
    with device.client.session_transaction() as kept:
        assert len(kept["scorer"]) == rights.MOST_TOKENS
    assert device.get(f"{paths[-1]}/manage").status == 200
    assert device.get(f"{paths[0]}/manage").status == 403  # the oldest gave way


def test_a_label_too_long_is_refused_beside_what_was_typed(lan: Flask, store: Store, scorers: Scorers) -> None:
    path = keep(store)
    device = phone(lan, path, scorers.make(path[3:], None))
    page = hand_on(device, "x" * 41)
    assert page.status == 422
    assert page.refusal
    assert page.tree.one("input", id="label").get("value") == "x" * 41
    assert len(scorers.of(path[3:])) == 1


def test_neither_log_nor_export_holds_what_grants_writing(
    lan: Flask, store: Store, scorers: Scorers, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = keep(store, opened())
    token = scorers.make(path[3:], None)
    device = phone(lan, path, token)
    for name in (".json", ".fiveup", "/rounds.csv", "/plays.csv", "/sheet", "/share"):
        assert token.encode() not in device.client.get(path + name).data
    assert token.encode() not in device.client.get("/matches.zip").data
    lan.config["PROPAGATE_EXCEPTIONS"] = False

    def broken(error: Exception) -> None:
        def fail(*_args: object) -> str:
            raise error

        monkeypatch.setattr(Scorers, "match_of", fail)

    with caplog.at_level(logging.DEBUG):
        broken(RuntimeError("on purpose"))
        assert device.client.get(f"/s/{token}").status_code == 500
        full = sqlite3.OperationalError("disk full")
        full.sqlite_errorcode = sqlite3.SQLITE_FULL
        broken(full)
        assert device.client.get(f"/s/{token}").status_code == 507
    assert caplog.text.count("/s/<token>") == 2
    assert token not in caplog.text


def test_a_single_device_never_meets_any_of_this(device: Device, store: Store) -> None:
    path = keep(store, opened())
    for at in (path, f"{path}/share", f"{path}/manage"):
        assert "/scorers" not in device.get(at).markup
    assert device.get(f"{path}/share").tree.all("input", readonly="") == []


def test_addresses_are_those_that_phones_reach(store: Store, scorers: Scorers) -> None:
    network = Network(phones=Phones(8000, given="192.168.1.5"))
    app = create_app(store, secret_key="for tests", everyone_here=False, network=network)
    path = keep(store)
    for asked, shown in (("127.0.0.1:8000", "192.168.1.5:8000"), ("192.168.1.9:8000", "192.168.1.9:8000")):
        page = Page(Device(app).client.get(f"{path}/share", headers={"Host": asked}))
        assert page.tree.one("input", id="board").get("value") == f"http://{shown}{path}/board"
        assert len(page.tree.all("svg")) == len(page.tree.all("input", readonly="")) == 3

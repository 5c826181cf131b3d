"""Each team agrees to a standing; a correction takes it back and says so; nothing waits for it."""

from __future__ import annotations

from typing import Final

import pytest
from flask import Flask

from fiveup_ref.engine.events import Adjusted, Counted, Event, RoundEnded, Undone
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.seats import Team
from fiveup_ref.store import Store

from .device import Device, Page
from .matches import ended_two, keep, opened, plays, settled

PHONE: Final = "192.168.1.20"
LOG: Final[list[Event]] = [*ended_two(), settled(B="12 pips")]


def seated(app: Flask, path: str, seat: str, *, language: str = "en") -> Device:
    device = Device(app, path, address=PHONE, language=language)
    page = device.get(f"{path}/seat")
    assert device.press(page, "take", "seat", seat).headers["Location"] == f"{path}/seat"
    return device


def agree(device: Device) -> Page:
    page = device.get(f"{device.path}/seat")
    assert device.press(page, "agree").status_code == 303
    return device.get(f"{device.path}/seat")


def test_each_side_agrees_on_its_own_phone_and_the_sheet_says_so(lan: Flask, store: Store) -> None:
    path = keep(store, LOG)
    ani, budi = seated(lan, path, "A"), seated(lan, path, "B", language="id")
    page = ani.get(f"{path}/seat")
    assert "You are Ani." in page.markup
    assert page.tree.texts("ul", of="agreed-scores") == ["Ani 2Budi 0"]
    assert page.forms("agree")
    page = agree(ani)
    assert page.forms("agree") == []
    assert "Ani agreed at" in page.tree.one("ul", of="agreed").text
    assert ani.get(f"{path}/version").markup == f"{len(LOG)}.1"  # the other phones learn of it
    assert "Ani setuju pukul" in agree(budi).tree.one("ul", of="agreed").text
    for at, mark in ((path, "✓ "), (f"{path}/sheet", ""), (f"{path}/seat", "✓ ")):
        lines = ani.get(at).tree.one("ul", of="agreed").texts("li")
        assert [line.partition(" at ")[0] for line in lines] == [f"{mark}Ani agreed", f"{mark}Budi agreed"]
    assert ani.client.get(f"{path}/sheet.pdf").data.startswith(b"%PDF")
    assert store.version(path[3:]) == len(LOG)  # the log knows nothing of it


def test_a_correction_takes_it_back_and_says_so(lan: Flask, store: Store) -> None:
    path = keep(store, LOG)
    ani = seated(lan, path, "A")
    agree(ani)
    store.append(path[3:], Undone(2), seen=len(LOG), key="")
    page = ani.get(f"{path}/seat")
    assert "had agreed to 2 : 0 at" in page.tree.one("ul", of="agreed").text
    assert "took that back" in ani.get(f"{path}/sheet").tree.one("ul", of="agreed").text
    store.append(path[3:], Undone(len(LOG) + 1), seen=len(LOG) + 1, key="")
    assert "Ani agreed at" in ani.get(f"{path}/seat").tree.one("ul", of="agreed").text


def test_one_agrees_to_what_was_on_the_page_only(lan: Flask, store: Store) -> None:
    path = keep(store, LOG)
    ani = seated(lan, path, "A")
    page = ani.get(f"{path}/seat")
    store.append(path[3:], Undone(2), seen=len(LOG), key="")
    refused = Page(ani.press(page, "agree"))
    assert refused.status == 409
    assert "corrected meanwhile" in refused.refusal
    assert ani.get(f"{path}/version").markup == str(len(LOG) + 1)


def test_at_the_end_it_is_the_result_and_the_game_waits_for_nobody(lan: Flask, store: Store) -> None:
    path = keep(store, [*ended_two(A=60), settled(B="3-2")])
    host, budi = Device(lan, path), seated(lan, path, "B")
    assert host.get().phase == "over"
    assert budi.get(f"{path}/seat").tree.one("main").texts("h2") == ["The result", "After round 1"]
    assert "Budi agreed" in agree(budi).tree.all("ul", of="agreed")[0].text
    store.append(path[3:], Adjusted(Team(("A",)), -20, "claim"), seen=store.version(path[3:]), key="")
    assert "took that back" in budi.get(f"{path}/seat").tree.all("ul", of="agreed")[0].text
    going = keep(store, LOG)
    assert Device(lan, going).get().buttons("open")


def test_partners_have_one_agreement(lan: Flask, store: Store) -> None:
    names = ("Ani", "Budi", "Citra", "Dewi")
    left = settled(A="3 pips", C="3 pips", D="0 pips")
    path = keep(
        store, [*opened(), *plays("A", "5-5"), Counted("B", Ends.parse("5 5")), RoundEnded("B"), left], names=names
    )
    first, partner = seated(lan, path, "A"), seated(lan, path, "C")
    agree(first)
    page = partner.get(f"{path}/seat")
    assert page.forms("agree") == []
    assert "Ani + Citra agreed at" in page.tree.one("ul", of="agreed").text


@pytest.mark.parametrize("fields", [{}, {"seat": "E"}, {"seat": ""}])
def test_a_seat_that_is_none_is_refused(lan: Flask, store: Store, fields: dict[str, str]) -> None:
    path = keep(store, LOG)
    device = Device(lan, path, address=PHONE)
    csrf = device.get(f"{path}/seat").csrf
    assert device.page(f"{path}/seat/take", fields | {"csrf_token": csrf}).status == 422
    refused = device.page(f"{path}/seat/agree", {"csrf_token": csrf, "round": "1", "standing": "[2,0]"})
    assert refused.status == 422
    assert refused.refusal == "Tap your name first."


@pytest.mark.parametrize("language", ["en", "id"])
def test_one_device_agrees_to_a_standing_for_one_side_only(lan: Flask, store: Store, language: str) -> None:
    path = keep(store, LOG)
    device = seated(lan, path, "A", language=language)
    agree(device)
    device.press(device.get(f"{path}/seat", change="1"), "take", "seat", "B")
    refused = Page(device.press(device.get(f"{path}/seat"), "agree"))
    assert refused.status == 409
    assert {"en": "agreed to it for Ani already", "id": "menyetujuinya untuk Ani"}[language] in refused.refusal
    assert len(refused.tree.one("ul", of="agreed").all("li")) == 1
    assert device.press(refused, "back", "team", "A").status_code == 303  # what it said itself it can take back
    page = agree(device)
    assert page.tree.one("ul", of="agreed").all("li", of="fell")[0].text.startswith("✗ Ani")
    assert page.forms("back")[0].one("button").get("value") == "B"


def test_the_last_word_of_a_side_counts(lan: Flask, store: Store) -> None:
    """Whoever comes to sit there can take back what another device said for it, and nobody else can."""
    path = keep(store, LOG)
    stranger = seated(lan, path, "A")
    agree(stranger)
    ani, budi = seated(lan, path, "A"), seated(lan, path, "B")
    page = budi.get(f"{path}/seat")
    assert page.forms("back") == []
    sent = page.hidden(page.forms("agree")[0])
    refused = budi.page(f"{path}/seat/back", sent | {"team": "A"})
    assert (refused.status, refused.refusal) == (422, "Tap your name first.")
    assert budi.page(f"{path}/seat/back", sent | {"team": "Z"}).status == 422
    assert budi.page(f"{path}/seat/back", sent | {"team": "A", "standing": "[9,9]"}).status == 409
    assert ani.get(f"{path}/version").markup == f"{len(LOG)}.1"
    assert ani.press(ani.get(f"{path}/seat"), "back", "team", "A").status_code == 303
    assert ani.get(f"{path}/version").markup == f"{len(LOG)}.2"  # the other phones learn of it
    for at in (path, f"{path}/sheet", f"{path}/seat"):
        (line,) = ani.get(at).tree.one("ul", of="agreed").all("li", of="fell")
        assert "Ani had agreed to 2 : 0 at" in line.text
        assert "and took that back at" in line.text
    page = agree(ani)
    assert "Ani agreed at" in page.tree.one("ul", of="agreed").text
    assert page.markup.count("took that back") == 0
    assert ani.get(f"{path}/version").markup == f"{len(LOG)}.3"
    for seen in (ani.get(f"{path}/seat"), stranger.get(f"{path}/seat")):
        assert len(seen.forms("back")) == 1


def test_an_agreement_says_on_which_device_it_was_given(lan: Flask, store: Store) -> None:
    path = keep(store, LOG)
    ani = seated(lan, path, "A")
    assert ani.get(f"{path}/seat").button("agree")[1].text == "Agree for Ani"
    page = ani.get("/display")
    assert ani.post("/display", {"csrf_token": page.csrf, "name": "kitchen <b> tablet"}).status_code == 303
    assert "(Ani, kitchen <b> tablet)." in agree(ani).tree.one("ul", of="agreed").text


def test_who_shares_the_address_to_watch_is_told_what_it_lets_one_do(lan: Flask, store: Store) -> None:
    path = keep(store, LOG)
    assert "can agree to its score for a side" in Device(lan, path).get(f"{path}/share").markup
    assert "menyetujui skornya" in Device(lan, path, language="id").get(f"{path}/share").markup


def test_somebody_else_can_take_the_phone(lan: Flask, store: Store) -> None:
    path = keep(store, LOG)
    device = seated(lan, path, "A")
    page = device.get(f"{path}/seat", change="1")
    device.press(page, "take", "seat", "B")
    assert "You are Budi." in device.get(f"{path}/seat").markup

"""The affairs of a match: names, seats, rules, an adjustment, its end, a rematch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from fiveup_ref.engine.events import (
    OUT,
    Adjusted,
    Closed,
    Event,
    Played,
    Renamed,
    RoundEnded,
    RoundOpened,
    RulesChanged,
    Scored,
    Undone,
)
from fiveup_ref.engine.match import Status
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .device import Device, Node, Page, match_at, saved_at
from .matches import NAMES, ended_three, ended_two, keep, opened, plays, settled

FIVE = Tile.of(5, 5)


def manage(device: Device) -> Page:
    return device.get(f"{device.path}/manage")


def form_of(page: Page, act: str) -> Node:
    return next(
        form for form in page.tree.all("form", of="mend") if form.get("action").partition("#")[0].endswith(f"/{act}")
    )


def filled(form: Node) -> dict[str, str]:
    sent = {node.get("name"): node.get("value") for node in form.all("input") if node.get("type") != "radio"}
    sent |= {
        node.get("name"): node.get("value") for node in form.all("input", type="radio") if "checked" in node.attributes
    }
    for node in form.all("select"):
        options = node.all("option")
        chosen = next((one for one in options if "selected" in one.attributes), options[0])
        sent[node.get("name")] = chosen.get("value") or chosen.text
    return sent


def send(device: Device, act: str, **fields: str) -> TestResponse:
    return send_from(manage(device), device, act, **fields)


def send_from(page: Page, device: Device, act: str, **fields: str) -> TestResponse:
    form = form_of(page, act)
    return device.post(form.get("action"), {**filled(form), "do": "save", **fields})


def hyphened(fields: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in fields.items()}


# Names and seats


def test_a_player_is_renamed_and_all_rounds_stay_k43(device: Device, store: Store) -> None:
    log = [*ended_two(), settled(B="12 pips"), RoundOpened("A", OUT), *plays("AB", "5-5 5-0>5-5")]
    device.path = keep(store, log)
    before = device.get().scores
    assert send(device, "names", **{"name-B": " Budi  S. "}).status_code == 303
    match = match_at(store, device.path)
    assert (match.log[-1], match.players) == (Renamed(("Ani", "Budi S.")), ("Ani", "Budi S."))
    assert device.get().scores == before
    for path in ("", "/sheet", "/history", "/round/1/3", "/manage"):
        page = device.get(device.path + path)
        assert "Budi S." in page.tree.one("main").text
    assert "Budi S. 5-0 on 5-5" in device.get(f"{device.path}/history").markup


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", "Enter a name."),
        ("  ", "Enter a name."),
        ("\u202e", "Enter a name."),
        ("W" * 41, "Keep names to 40 characters."),
    ],
)
def test_a_name_that_cannot_be_k42(device: Device, store: Store, name: str, error: str) -> None:
    device.path = keep(store, opened())
    page = Page(send(device, "names", **{"name-A": "Anita", "name-B": name}))
    assert (page.status, page.tree.one(id="name-B-error").text) == (422, error)
    assert page.tree.one("input", id="name-A").get("value") == "Anita"
    assert match_at(store, device.path).players == ("Ani", "Budi")
    assert len(match_at(store, device.path).log) == 1


def test_names_that_are_as_they_were_are_no_entry(device: Device, store: Store) -> None:
    device.path = keep(store)
    page = Page(send(device, "names"))
    assert (page.status, page.tree.one("p", of="error").text) == (422, "That changes nothing.")


def test_seats_are_swapped_before_the_start_k45(device: Device, store: Store) -> None:
    device.path = keep(store, names=NAMES)
    assert send(device, "names", **{"sits-B": "C", "sits-C": "B"}).status_code == 303
    match = match_at(store, device.path)
    assert match.players == ("Ani", "Citra", "Budi", "Dewi")
    boxes = [box.one(of="names").text for box in device.get().tree.all(of="box")]
    assert boxes == ["Ani + Budi", "Citra + Dewi"]
    device.enter(RoundOpened("A", "lot"))
    page = device.enter(Played("A", FIVE))
    assert page.tree.one(of="turn-name").text == "▸ Citra"


def test_two_cannot_sit_in_one_seat(device: Device, store: Store) -> None:
    device.path = keep(store, names=NAMES)
    page = Page(send(device, "names", **{"sits-B": "C"}))
    assert [page.tree.one(id=f"name-{seat}-error").text for seat in "BC"] == ["Two cannot sit in one seat."] * 2
    assert match_at(store, device.path).log == ()


def test_seats_stay_once_a_round_was_opened(device: Device, store: Store) -> None:
    device.path = keep(store, opened(), names=NAMES)
    assert not form_of(manage(device), "names").all("select")
    page = Page(send(device, "names", **{"sits-B": "C", "sits-C": "B"}))
    assert page.status == 422
    assert match_at(store, device.path).players == NAMES


def test_leftovers_begun_before_the_seats_changed_are_a_conflict_k46(app: Flask, device: Device, store: Store) -> None:
    device.path = keep(store, ended_three(), names=NAMES[:3])
    page = device.get()
    other = Device(app, device.path)
    assert send(other, "names", **{"name-A": "Citra", "name-C": "Ani"}).status_code == 303
    refused = Page(device.press(page, "settle", "do", "settle", **{"pips-B": "12", "left-C": ["2-0", "2-1"]}))
    assert refused.status == 409
    assert "Entered: new names: Citra, Budi, Ani" in refused.refusal
    assert match_at(store, device.path).in_round


# Rules


def test_rules_are_free_before_the_first_score(device: Device, store: Store) -> None:
    device.path = keep(store)
    assert send(device, "rules", target="100", hand="7").status_code == 303
    match = match_at(store, device.path)
    assert match.log == (RulesChanged((("hand", "7"), ("target", "100"))),)
    assert (match.rules.target, match.rules.boneyard) == (100, 14)
    page = device.get(f"{device.path}/sheet")
    assert "target 100 points" in page.markup


def look_at_rules(device: Device, **fields: str) -> Page:
    form = form_of(manage(device), "preview")
    return device.get(form.get("action").partition("#")[0], **{**filled(form), **fields})


def test_rules_after_a_score_are_looked_at_and_one_step_in_the_history(device: Device, store: Store) -> None:
    log: list[Event] = [*opened(), Scored("A", 3), RoundEnded("A"), settled(B="12 pips")]
    device.path = keep(store, log)
    page = look_at_rules(device, settlement="winner-takes")
    assert page.status == 200
    rows = {row.one("th").text: [cell.text for cell in row.all("td")] for row in page.tree.all("tr", of="differs")}
    assert rows["Ani"] == ["3", "5"]
    assert rows["Budi"] == ["−2", "0"]
    assert match_at(store, device.path).log == tuple(log)
    form = next(form for form in page.tree.all("form", method="post") if form.get("action").endswith("/rules"))
    sent = page.hidden(form)
    assert [device.post(form.get("action"), sent).status_code for _ in range(2)] == [303, 303]
    match = match_at(store, device.path)
    assert (match.log[4:], match.scores) == ((RulesChanged((("settlement", "winner-takes"),)),), (5, 0))
    assert "new rules: settlement of leftovers: winner takes leftovers" in device.get(f"{device.path}/history").markup
    device.do("undo", "entry", "5")
    assert match_at(store, device.path).scores == (3, -2)


def test_a_lower_target_may_end_the_match(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(A=60), settled(B="12 pips")], changes={"target": "100"})
    page = look_at_rules(device, target="61")
    result = page.tree.one("p", of="result-change")
    assert (result.one("del").text, result.one("b").text) == ("The match goes on.", "Ani wins the match with 62.")


@pytest.mark.parametrize(
    ("fields", "field", "error"),
    [
        ({"target": "many"}, "target", "many is not a value of target."),
        ({"target": ""}, "target", " is not a value of target."),
        ({"target": "0"}, "target", "For target, enter a number from 1 to 10000."),
        ({"target": "9" * 400}, "target", f"{'9' * 40}… is not a value of target."),
        ({"hand": "15"}, "hand", "For tiles dealt to each, enter a number from 1 to 14."),
        (
            {"hand": "14", "reserve": "2"},
            "hand",
            "The set has 28 tiles: 2 hands of 14 and a reserve of 2 are too many.",
        ),
        ({"exact": "maybe"}, "exact", "maybe is not a value of exact target."),
    ],
)
def test_rules_that_cannot_be(device: Device, store: Store, fields: dict[str, str], field: str, error: str) -> None:
    device.path = keep(store, opened())
    page = Page(send(device, "rules", **fields))
    assert (page.status, page.tree.one(id=f"rule-{field}-error").text) == (422, error.strip())
    assert len(match_at(store, device.path).log) == 1
    device.path = keep(store, [*opened(), Scored("A", 3)])
    looked = look_at_rules(device, **fields)
    assert (looked.status, looked.tree.one(id=f"rule-{field}-error").text) == (422, error.strip())


def test_rules_that_are_as_they_were_are_no_entry(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    assert send(device, "rules").status_code == 422
    assert len(match_at(store, device.path).log) == 1


# An adjustment


@pytest.mark.parametrize(
    ("sign", "typed", "points"),
    [("+", "2", 2), ("-", "2", -2), ("+", "-2", -2), ("+", "−2", -2), ("-", "−2", -2)],
)
def test_a_minus_beside_the_number_or_before_it_k48_k49(
    device: Device, store: Store, sign: str, typed: str, points: int
) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5")], names=NAMES)
    assert send(device, "adjust", team="B+D", sign=sign, amount=typed, text="wrong claim").status_code == 303
    match = match_at(store, device.path)
    assert match.log[-1] == Adjusted(Team(("B", "D")), points, "wrong claim")
    assert device.get().scores == {"A+C": "2", "B+D": str(points).replace("-", "−")}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"amount": "_2"}, "amount"),
        ({"amount": "- 2"}, "amount"),
        ({"amount": ""}, "amount"),
        ({"amount": "0"}, "amount"),
        ({"amount": "99999"}, "amount"),
        ({"text": ""}, "text"),
        ({"text": "w" * 481}, "text"),
        ({"team": "Z"}, "team"),
        ({"team": ""}, "team"),
    ],
)
def test_an_adjustment_that_cannot_be_k49(device: Device, store: Store, fields: dict[str, str], field: str) -> None:
    device.path = keep(store, opened())
    sent = {"team": "A", "sign": "+", "amount": "2", "text": "late"} | fields
    page = Page(send(device, "adjust", **sent))
    assert page.status == 422
    assert page.tree.one(id="adjust-reason-error" if field == "text" else f"{field}-error").text
    kept = filled(form_of(page, "adjust"))
    assert filled(form_of(page, "close"))["text"] == ""
    assert (kept["amount"], kept["text"]) == (sent["amount"], sent["text"])
    assert len(match_at(store, device.path).log) == 1


# The end, and after it


def test_a_match_is_ended_and_opened_again(app: Flask, device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5")])
    assert Page(send(device, "close", text="")).tree.one(id="close-reason-error").text == "Say why."
    assert send(device, "close", text="rain").status_code == 303
    match = match_at(store, device.path)
    assert (match.log[-1], match.status) == (Closed("rain"), Status.CLOSED)
    other = Device(app, device.path)
    button = manage(other).button("undo", "entry", "3")[0]
    asked = other.page(button.get("action"), {**Page.hidden(button), "entry": "3"})
    assert "was entered on another device" in asked.markup
    device.press(manage(device), "undo", "entry", "3")
    assert (match_at(store, device.path).status, device.get().scores) == (Status.OPEN, {"A": "2", "B": "0"})


def test_a_won_match_leads_to_what_decided_it(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(A=60), settled(B="3-2")])
    card = manage(device).tree.one("section", id="close")
    assert card.one("a").get("href") == f"{device.path}/history#entry-12"
    assert not card.all("form")


def test_a_rematch_has_the_same_people_and_rules_and_leaves_the_old_match_k63(device: Device, store: Store) -> None:
    device.path = keep(
        store, [*opened(), RulesChanged((("reserve", "1"),)), Renamed(("Ani", "Bu Di"))], changes={"target": "100"}
    )
    old = saved_at(store, device.path)
    page = device.get(f"{device.path}/rematch")
    form = page.tree.one("form", of="mend")
    sent = filled(form) | {"hand": "7", "sits-A": "B", "sits-B": "A", "name-B": "Budi S."}
    answers = [device.post(page.path, sent) for _ in range(2)]
    assert [one.status_code for one in answers] == [303, 303]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    made = saved_at(store, answers[0].headers["Location"])
    assert (made.match.players, made.title, made.zone) == (("Budi S.", "Ani"), old.title, old.zone)
    assert (made.match.rules.target, made.match.rules.reserve) == (100, 1)
    assert made.match.rules == old.match.rules.changed({"hand": "7"})
    assert (made.match.log, saved_at(store, device.path)) == ((), old)


def test_a_rematch_that_cannot_be(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    page = device.get(f"{device.path}/rematch")
    sent = filled(page.tree.one("form", of="mend"))
    for fields, error in (
        ({"name-A": ""}, "name-A-error"),
        ({"target": "x"}, "rule-target-error"),
        ({"sits-A": "B"}, "name-A-error"),
    ):
        refused = device.page(page.path, {**sent, **fields})
        assert refused.status == 422
        assert refused.tree.one(id=error).text
        assert refused.refusal
    assert device.page(page.path, {**sent, "key": ""}).status == 422
    assert len(store.recent(None)) == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "The rematch has begun: open it"), ("id", "Tanding ulang sudah dimulai: buka")],
)
@pytest.mark.parametrize("best_of", ["1", "3"])
def test_who_has_the_old_match_open_is_led_to_the_rematch(
    lan: Flask, store: Store, best_of: str, language: str, words: str
) -> None:
    path = keep(store, [*ended_two(A=60), settled(B="3-2")], changes={"best_of": best_of})
    devices = [Device(lan, path, language=language, address=address) for address in ("127.0.0.1", "192.168.1.20")]

    def links() -> list[list[str]]:
        views = ("", "/seat", "/board")
        pages = [device.get(path + view) for device in devices for view in views] + [devices[0].get(f"{path}/rematch")]
        return [[one.get("href") for one in page.tree.one("main").all("a") if one.text == words] for page in pages]

    assert links() == [[]] * 7
    form = devices[0].get(f"{path}/rematch").tree.one("form", of="mend")
    made = []
    for key in ("the first", "the second"):
        answer = devices[0].post(f"{path}/rematch", filled(form) | {"key": key})
        assert answer.status_code == 303, Page(answer).refusal
        made.append(answer.headers["Location"])
        newest = [made[-1]], [made[-1]], [f"{made[-1]}/board"]
        assert links() == [*newest, *newest, [made[-1]]]
    for device in devices:
        addresses = [one.get("href") for one in device.get().tree.all("a")]
        assert f"{path}/rematch" not in addresses  # it is made once
        assert not any("/s/" in one for one in addresses)
    store.delete(made[1][3:])
    assert links()[0] == [made[0]]
    store.delete(made[0][3:])
    assert links() == [[]] * 7
    assert f"{path}/rematch" in [one.get("href") for one in devices[0].get().tree.all("a")]
    store.restore(made[0][3:])
    store.append(path[3:], Undone(len(match_at(store, path).log)), seen=store.version(path[3:]), key="")
    assert links() == [[]] * 7  # the old match is played on


def test_a_new_match_never_ends_the_old_one_k21(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("AB", "5-5")])
    page = device.get(f"{device.path}/rematch")
    assert device.post(page.path, filled(page.tree.one("form", of="mend"))).status_code == 303
    new = device.get("/new")
    sent = new.hidden(new.tree.one("form", "new")) | {"players": "2", "deal": "5", "target": "61"}
    assert device.post("/new", {**sent, "name_a": "Ani", "name_b": "Budi"}).status_code == 303
    assert (match_at(store, device.path).status, device.get().scores) == (Status.OPEN, {"A": "2", "B": "0"})
    assert device.path in device.get("/").markup


# Repeats and conflicts


ACTS: Sequence[tuple[str, dict[str, str]]] = [
    ("names", {"name_A": "Anita"}),
    ("rules", {"target": "100"}),
    ("adjust", {"team": "A", "amount": "2", "text": "late"}),
    ("close", {"text": "rain"}),
]


@pytest.mark.parametrize(("act", "fields"), ACTS)
def test_each_sent_twice_is_one_entry(device: Device, store: Store, act: str, fields: dict[str, str]) -> None:
    device.path = keep(store, opened())
    page = manage(device)
    assert [send_from(page, device, act, **hyphened(fields)).status_code for _ in range(2)] == [303, 303]
    assert len(match_at(store, device.path).log) == 2
    assert saved_at(store, device.path).entries[-1].who


@pytest.mark.parametrize(("act", "fields"), ACTS)
def test_each_that_others_overtook_keeps_what_was_typed(
    app: Flask, device: Device, store: Store, act: str, fields: dict[str, str]
) -> None:
    device.path = keep(store, opened())
    page = manage(device)
    Device(app, device.path).enter(Played("A", FIVE))
    refused = Page(send_from(page, device, act, **hyphened(fields)))
    assert refused.status == 409
    assert "Entered: Ani 5-5" in refused.refusal
    kept = form_of(refused, "preview" if act == "rules" else act)  # there are points now: it is looked at first
    assert hyphened(fields).items() <= filled(kept).items()
    assert len(match_at(store, device.path).log) == 2
    if act != "rules":
        assert send_from(refused, device, act).status_code == 303


@pytest.mark.parametrize("act", ["names", "rules", "adjust", "close"])
def test_the_address_of_a_refusal_leads_back(device: Device, store: Store, act: str) -> None:
    path = keep(store, opened())
    answer = device.client.get(f"{path}/manage/{act}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{path}/manage#{act}")
    assert Page(device.post(f"{path}/manage/{act}", {"csrf_token": device.get(path).csrf})).status == 422

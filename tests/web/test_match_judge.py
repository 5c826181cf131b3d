"""The desk of a match: its rulings, every pass and draw with its proof, and disputes kept with both sides' words."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask

from fiveup_ref.engine.events import (
    Amended,
    Closed,
    Counted,
    Disputed,
    Drew,
    Event,
    Noted,
    Passed,
    Played,
    RoundEnded,
    Scored,
    Undone,
)
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .device import Device, Page, match_at
from .matches import NAMES, ended_two, first_round, keep, lead, opened, plays, recorded, settled

R59 = [
    *opened("B", "agreed"),
    *plays("BABA", "4-3 5-3>4-3 4-2>4-3 2-2>4-2"),
    Drew("B", 1),
    *plays("BABABABA", "2-0>2-2 0-0>2-0 3-0>0-0 6-3>3-0 6-4>6-3 4-4>6-4 4-0>4-4 6-0>4-0"),
    Drew("B", 2),
    *plays("BA", "5-4>5-3 6-6>6-0"),
    settled(B="1-0 3-1 2-1"),
]


def questions(page: Page) -> dict[str, str]:
    return {one.one("h2").text: one.one("p", "verdict").text for one in page.tree.all("section", "ruling")}


def proofs(page: Page) -> list[tuple[str, str]]:
    return [(node.get("data-entry"), node.get("data-proof")) for node in page.tree.all("details", "proved")]


def test_r59_the_draw_is_proved_wrong_with_its_proof(device: Device, store: Store) -> None:
    path = keep(store, R59, changes={"hand": "7"})
    page = device.get(f"{path}/judge")
    assert proofs(page) == [("6", "none"), ("15", "wrong")]
    (wrong,) = page.tree.all("details", "proved-wrong")
    assert wrong.one("summary").one("b").text == "Budi drew: proved wrong."
    assert "1-0 fitted a branch of 0-0 at that moment." in [step.text for step in wrong.all("li")]
    figures = wrong.all("figure")
    assert [one.one("figcaption").text for one in figures] == [
        "The layout at that moment",
        "It fitted: 5-4 on 5-3",
        "It fitted: 2-1 on 2-2",
        "It fitted: 1-0 on 0-0",
    ]
    assert [len(one.all("g", "tile")) for one in figures] == [12, 13, 13, 13]
    assert questions(page) == {"Who opens?": "Ani opens.", "Who has won?": "Nobody has won yet."}


def test_the_same_as_values(device: Device, store: Store) -> None:
    path = keep(store, R59, changes={"hand": "7"})
    page = device.get(f"{path}/judge")
    value = json.loads(device.client.get(f"{path}/judge.json").text)
    found = [one for round_ in value["rounds"] for one in round_["found"]]
    assert [(str(one["entry"]), one["proof"]) for one in found] == proofs(page)
    assert [one["steps"] for one in found] == [
        [step.text for step in node.all("li")] for node in page.tree.all("details", "proved")
    ]
    assert {one["question"]: one["ruling"] for one in value["rulings"]} == questions(page)


@pytest.mark.parametrize(
    ("log", "changes", "said"),
    [
        ([], {}, {"Who opens?": "A lot among all decides who opens.", "Who has won?": "Nobody has won yet."}),
        ([*opened(), *plays("AB", "5-5 5-0>5-5")], {},
         {"Blocked or not?": "Not blocked: tiles can still be drawn.", "Who has won?": "Nobody has won yet."}),
        ([*opened(), *plays("A", "5-5"), Passed("B"), Passed("A")], {"hand": "14"},
         {"Blocked or not?": "Blocked: the round is over and is settled.", "Who has won?": "Nobody has won yet."}),
        (ended_two(A=60), {}, {"Who has won?": "Nobody has won yet: the round is finished and settled first."}),
        ([*ended_two(A=60), settled(B="3-2")], {}, {"Who has won?": "Ani has won with 62 points."}),
        ([*opened(), Closed("late")], {}, {"Who has won?": "Nobody has won: the match was closed."}),
    ],
)  # fmt: skip
def test_what_the_entries_answer(
    device: Device, store: Store, log: list[Event], changes: dict[str, str], said: dict[str, str]
) -> None:
    assert questions(device.get(f"{keep(store, log, changes=changes)}/judge")) == said


def test_a_pass_proved_right(device: Device, store: Store) -> None:
    log = [*opened(), *plays("A", "5-5"), Drew("B", None), *plays("B", "5-1>5-5"), Passed("A"), RoundEnded(None)]
    path = keep(store, [*log, settled(A="6-0", B="6-6")])
    page = device.get(f"{path}/judge")
    assert proofs(page) == [("3", "none"), ("5", "right"), ("6", "right"), ("6", "right")]


def test_the_questions_about_the_match_come_filled_in(device: Device, store: Store) -> None:
    path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    links = {link.text: link.get("href") for link in device.get(f"{path}/judge").tree.all("a", "button")}
    count = Page(device.client.get(links["Is that count right?"]))
    assert count.tree.one("p", "verdict").text == "The count is 10: 2 points."
    assert Page(device.client.get(links["May it go there?"])).tree.all("svg", "layout-picture")
    turn = Page(device.client.get(links["One more tile or stop?"]))
    assert (turn.status, turn.tree.one("input", id="drawable").get("value")) == (200, "18")


SNIFF = {"spinner_counts": "yes", "exact": "yes", "target": "100", "points_per_five": "2"}


def test_the_questions_about_the_match_come_with_its_house_rules(device: Device, store: Store) -> None:
    log = [*opened(), *plays("AB", "6-6 6-3>6-6"), *plays("A", "6-0>6-6")]
    path = keep(store, log, preset="all-fives", changes=SNIFF)
    addresses = [link.get("href") for link in device.get(f"{path}/judge").tree.one("p", "choices").all("a")]
    assert len(addresses) == 5
    for address in addresses:
        sent = dict(parse_qsl(urlsplit(address).query))
        assert SNIFF.items() | {("game", "all-fives"), ("sides", "2")} <= sent.items()
        page = Page(device.client.get(address))
        assert (page.status, "Sniff" in page.tree.one("main").text) == (200, True)
    count = Page(device.client.get(addresses[0]))
    assert count.tree.one("p", "verdict").text == "The count is 15: 6 points."


def test_who_opens_by_the_house_rule_of_the_match(device: Device, store: Store) -> None:
    path = keep(store, [], changes={"double_opens": "yes"})
    assert questions(device.get(f"{path}/judge"))["Who opens?"] == "Whoever holds the highest double opens with it."


def test_the_ends_last_called_come_filled_in(device: Device, store: Store) -> None:
    called = [*opened(), *plays("A", "5-5"), Counted("B", Ends.parse("5-5 0"))]
    for log, count in ((called, "The count is 10: 2 points."), ([*called, Scored("A", 1)], "")):
        links = {
            link.text: link.get("href") for link in device.get(f"{keep(store, log)}/judge").tree.all("a", "button")
        }
        assert "May it go there?" not in links
        assert ("Is that count right?" in links) is bool(count)
        if count:
            page = Page(device.client.get(links["Is that count right?"]))
            assert page.tree.one("p", "verdict").text == count


def test_nothing_is_proved_while_a_match_needs_attention(device: Device, store: Store) -> None:
    path = keep(store, [*R59[:8], Undone(3)], changes={"hand": "7"})
    assert match_at(store, path).fallen
    page = device.get(f"{path}/judge")
    assert proofs(page) == []
    assert "Nothing can be proved" in page.tree.one("p", "refusal").text


def test_the_table_and_the_sheet_lead_to_the_desk_of_the_match(device: Device, store: Store) -> None:
    path = keep(store, opened())
    for page in (device.get(path), device.get(f"{path}/sheet")):
        assert f"{path}/judge" in {link.get("href") for link in page.tree.all("a")}


@pytest.mark.parametrize(
    ("name", "players", "preset"),
    [
        ("five-up-two-players", 2, "five-up"),
        ("five-up-four-partners", 4, "five-up"),
        ("five-up-points", 4, "five-up"),
        ("all-fives-three-players", 3, "all-fives"),
        ("muggins-two-players", 2, "muggins"),
    ],
)
def test_every_match_has_a_desk(app: Flask, store: Store, name: str, players: int, preset: str) -> None:
    path = keep(store, first_round(recorded(name)), names=NAMES[:players], preset=preset)
    for language in ("en", "id"):
        assert Device(app, language=language).get(f"{path}/judge").status == 200


# Disputes

PLAYED = [*opened(), *plays("AB", "5-5 5-0>5-5")]
CLAIM = {"text": "She counted 15", "claim": "15", "unit": "raw", "words-A": "I saw 15", "words-B": "It was 10"}


def dispute(device: Device, path: str, entry: int, **fields: str) -> Page:
    page = device.get(f"{path}/entry/{entry}/dispute")
    (form,) = [one for one in page.tree.all("form", method="post") if one.all(name="text")]
    answer = device.post(f"{path}/entry/{entry}/dispute", {**page.hidden(form), **fields})
    if answer.status_code != 303:
        return Page(answer)
    assert answer.headers["Location"] == f"{path}/entry/{entry}/dispute"
    return device.get(f"{path}/entry/{entry}/dispute")


def test_a_dispute_is_kept_with_both_sides_words_and_changes_no_score(device: Device, store: Store) -> None:
    path = keep(store, PLAYED)
    before = match_at(store, path)
    page = dispute(device, path, 3, **CLAIM)
    kept = page.tree.one("section", id="dispute-4")
    assert kept.one("p", "verdict").text == "The claim of 15 raw points does not stand: the count is 10, 2 points."
    assert "Ani: “I saw 15”" in kept.text
    assert "Budi: “It was 10”" in kept.text
    after = match_at(store, path)
    assert (after.scores, after.round and after.round.turn) == (before.scores, before.round and before.round.turn)
    assert after.log[-1] == Disputed("She counted 15", 3, "15 raw", ((Team("A"), "I saw 15"), (Team("B"), "It was 10")))
    history = " ".join(line.text for line in device.get(path).tree.all("ol", "moves")[0].all("li"))
    assert "She counted 15" in history
    assert "I saw 15" in history


def test_the_ruling_stays_what_it_was_when_the_entry_is_corrected(device: Device, store: Store) -> None:
    path = keep(store, PLAYED)
    dispute(device, path, 3, **CLAIM)
    five = Tile.of(5, 5)
    store.append(path.split("/")[2], Amended(3, Played("B", Tile.of(5, 4), five)), seen=4, key="")
    page = device.get(f"{path}/entry/3/dispute")
    verdicts = page.tree.texts("p", "verdict")
    assert verdicts == [
        "The count is 14: no score.",
        "The claim of 15 raw points does not stand: the count is 10, 2 points.",
    ]


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"text": " "}, {"text"}),
        ({"text": "x" * 201}, {"text"}),
        ({"text": "x", "claim": "1e3", "unit": "raw"}, {"claim"}),
        ({"text": "x", "claim": "15"}, {"unit"}),
        ({"text": "x", "words-A": "y" * 250}, {"words-A"}),
    ],
)
def test_an_incomplete_dispute_is_not_kept_and_nothing_is_lost(
    device: Device, store: Store, fields: dict[str, str], errors: set[str]
) -> None:
    path = keep(store, PLAYED)
    page = dispute(device, path, 3, **{"words-B": "no", **fields})
    told = {node.get("id").removesuffix("-error") for node in page.tree.all("span", "error")}
    assert (page.status, told) == (422, errors)
    typed = {node.get("name"): node.get("value") for node in page.tree.all("input", type="text")}
    assert typed["words-B"] == "no"
    assert len(match_at(store, path).log) == 3


def test_two_who_dispute_at_once_both_keep_what_they_typed(app: Flask, store: Store) -> None:
    path = keep(store, PLAYED)
    device = Device(app)
    page = device.get(f"{path}/entry/3/dispute")
    (form,) = [one for one in page.tree.all("form", method="post") if one.all(name="text")]
    store.append(path.split("/")[2], Noted("tea"), seen=3, key="")
    late = device.page(f"{path}/entry/3/dispute", {**page.hidden(form), **CLAIM})
    assert late.status == 409
    assert "Somebody else entered something meanwhile" in late.tree.one("span", id="text-error").text
    (form,) = [one for one in late.tree.all("form", method="post") if one.all(name="text")]
    again = {node.get("name"): node.get("value") for node in form.all("input") if node.get("type") != "radio"}
    assert device.post(f"{path}/entry/3/dispute", {**again, "unit": "raw"}).status_code == 303
    assert device.post(f"{path}/entry/3/dispute", {**again, "unit": "raw"}).status_code == 303  # the same key again
    assert len(match_at(store, path).log) == 5


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (1, "Budi opens, as agreed"),
        (2, "The count is 7: no score."),
        (15, "Budi drew: proved wrong."),
        (18, "The settlement: A 0, B −2."),
    ],
)
def test_every_kind_of_entry_can_be_disputed(device: Device, store: Store, entry: int, said: str) -> None:
    path = keep(store, R59, changes={"hand": "7"})
    page = dispute(device, path, entry, text="that was otherwise")
    assert said.replace("A 0, B", "Ani 0, Budi") in page.tree.all("section", "ruling")[0].text
    assert "that was otherwise" in page.tree.one("section", id="dispute-19").text


def test_finished_and_taken_back_entries(device: Device, store: Store) -> None:
    won = keep(store, [*ended_two(A=60), settled(B="3-2")])
    assert dispute(device, won, 5, text="late doubt").tree.all("section", id="dispute-13")
    undone = keep(store, [*PLAYED, Undone(3)])
    page = dispute(device, undone, 3, text="it was laid")
    assert "does not stand any more" in page.tree.all("section", "ruling")[0].text


@pytest.mark.parametrize("entry", ["0", "4", "99999999999999999999", "x", "-1"])
def test_no_such_entry(device: Device, store: Store, entry: str) -> None:
    path = keep(store, PLAYED)
    assert device.get(f"{path}/entry/{entry}/dispute").status == 404
    assert device.get(f"/m/nobody/entry/{entry}/dispute").status == 404


def test_every_entry_of_a_round_can_be_chosen(device: Device, store: Store) -> None:
    path = keep(store, [*PLAYED, *lead(A=1)])
    links = [link.get("href") for link in device.get(f"{path}/judge").tree.one("ul", "entries").all("a")]
    assert links == [f"{path}/entry/{entry}/dispute" for entry in (1, 2, 3, 4)]


def test_no_dispute_without_the_token_of_its_form(device: Device, store: Store) -> None:
    path = keep(store, PLAYED)
    assert device.post(f"{path}/entry/3/dispute", CLAIM).status_code == 400
    assert len(match_at(store, path).log) == 3


def test_words_are_text_wherever_they_stand(device: Device, store: Store) -> None:
    evil = "<script>alert(1)</script> %(x)s {y}"
    path = keep(store, PLAYED, names=("<b>", "{seat}"))
    dispute(device, path, 3, text=evil, **{"words-A": evil})
    for page in (
        device.get(f"{path}/entry/3/dispute"),
        device.get(path),
        device.get(f"{path}/sheet"),
        device.get(f"{path}/judge"),
    ):
        assert "<script>alert" not in page.markup
        assert page.status == 200

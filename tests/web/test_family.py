"""The family at the table: the page of a new match, own rule sets, house rules, and a match by other rules."""

from __future__ import annotations

import io
import re
from typing import Final

import pytest
from flask import Flask

from fiveup_ref.engine.events import (
    Adjusted,
    Counted,
    Event,
    PointedOut,
    Previewed,
    Ringed,
    RoundEnded,
    RoundOpened,
    RulesChanged,
    Scored,
)
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.match import Status
from fiveup_ref.engine.record import Record, write
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.seats import Team
from fiveup_ref.exchange_json import from_json, to_json
from fiveup_ref.rule_sets import RuleSet
from fiveup_ref.rule_sets import to_json as to_file
from fiveup_ref.store import Store
from fiveup_ref.web.rulebook_text import GAMES, SECOND_DOUBLE

from .device import Device, Page, match_at, saved_at
from .matches import NAMES, ended_two, keep, lead, opened, plays, recorded, settled
from .test_rights import addresses

PEOPLE = {f"name_{seat}": name for seat, name in zip("abcde", (*NAMES, "Eka"), strict=True)}


def sent(device: Device, **fields: str) -> dict[str, str]:
    page = device.get("/new")
    form = page.tree.one("form", "new")
    return page.hidden(form) | {"players": "2", "game": "five-up", "do": "start"} | PEOPLE | fields


def made(device: Device, **fields: str) -> Page:
    answer = device.post("/new", sent(device, **fields))
    assert answer.status_code == 303, Page(answer).markup
    device.path = answer.headers["Location"]
    return device.get()


# A new match


def test_every_game_is_offered_with_its_line_and_its_drawing(device: Device) -> None:
    page = device.get("/new")
    offered = page.tree.all("label", "game")
    assert [label.one("input").get("value") for label in offered] == list(PRESETS) == list(GAMES)
    for label, preset in zip(offered, PRESETS.values(), strict=True):
        layout = Layout.read(SECOND_DOUBLE, spinners=preset.spinners)
        assert GAMES[preset.name] in label.text
        assert len(label.all("g", "open")) == sum(end.places for end in layout.open_ends())
    assert len({len(label.all("g", "open")) for label in offered}) == len(PRESETS)  # it tells them apart


def test_what_is_usual_for_how_many_players_is_told(device: Device) -> None:
    page = device.get("/new").tree
    rows = [
        [cell.text for cell in row.walk() if cell.tag in ("th", "td")] for row in page.one("table", "hands").all("tr")
    ]
    assert rows == [
        ["Players", "2", "3", "4", "5"],
        ["Five Up", "5", "5", "5", "–"],
        ["All Fives, Muggins", "9", "7", "5", "5"],
        ["also dealt", "5 7 9", "5 7 9", "5 7", "5"],
        ["at most, less the reserve", "14", "9", "7", "5"],
    ]
    told = "Usual: Five Up: 61 · All Fives, Muggins: 250 with 2 players, 200 with 3/4/5 players"
    assert page.one(id="target-usual").text == told
    seatings = [label.text for label in page.all("label") if label.all("input", name="players")]
    assert seatings[2:] == [
        "4 players, partners",
        "4 players, each alone (All Fives, Muggins)",
        "5 players (All Fives, Muggins)",
    ]


@pytest.mark.parametrize(
    ("game", "players", "teams"),
    [
        *(("five-up", "2", 2), ("five-up", "4", 2), ("all-fives", "single", 4), ("all-fives", "5", 5)),
        *(("muggins", "3", 3), ("muggins", "4", 2), ("muggins", "5", 5)),
    ],
)
def test_a_match_is_made_with_what_is_usual(device: Device, store: Store, game: str, players: str, teams: int) -> None:
    page = made(device, game=game, players=players)
    rules = match_at(store, device.path).rules
    assert (rules.preset, rules.changes(), len(rules.teams)) == (game, {}, teams)
    assert len(page.scores) == teams
    name = {"five-up": "Five Up", "all-fives": "All Fives", "muggins": "Muggins"}[game]
    alone = ". House rules: 4 players, each alone" if players == "single" else ""
    assert page.tree.texts(of="game-line") == [name + alone]
    assert name in page.tree.one("h1").text


def test_what_differs_is_named_on_every_page_and_sheet(device: Device) -> None:
    made(device, game="all-fives", target="300", exact="yes", get_in="10")
    said = "All Fives. House rules: target 300, exact target, raw points to get in 10"
    pages = ("", "/sheet", "/history", "/manage", "/rematch", "/files", "/what-if", "/pictures", "/judge", "/delete")
    for page in pages:
        assert said in device.get(device.path + page).tree.one("main").text, page
    assert said in device.get("/").tree.one("main").text


HOUSE: Final = {"target": "300", "exact": "yes", "muggins_call": "yes", "best_of": "3"}
HOUSE_SAID: Final = (
    "All Fives. House rules: target 300, exact target, whoever points out a missed score takes it, "
    "matches of a series (best of) 3"
)
NO_PAGES: Final = "version .json .fiveup .csv .pdf .png /tally/".split()  # files, and a drawing of strokes alone
OF_A_ROUND: Final = [*opened(), *plays("AB", "5-5 5-0>5-5")]


@pytest.mark.parametrize(
    "log",
    [
        [],
        opened(),
        OF_A_ROUND,
        [*OF_A_ROUND, Scored("A", 5), RoundEnded("A")],
        [*OF_A_ROUND, Scored("A", 5), RoundEnded("A"), settled(B="6 pips")],
        [*OF_A_ROUND, Scored("A", 5), RoundEnded("A"), settled(B="6 pips"), Adjusted(Team(("A",)), 290, "as played")],
    ],
    ids=["new", "set", "play", "settle", "open", "over"],
)
@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.20"], ids=["scorer", "viewer"])
def test_every_page_of_a_match_names_what_differs(lan: Flask, store: Store, log: list[Event], address: str) -> None:
    path = keep(store, log, preset="all-fives", changes=HOUSE)
    device = Device(lan, path, address=address)
    values = {"match_id": path.split("/")[2], "number:entry": f"{max(len(log), 1)}"}
    seen, lacking = 0, []
    for rule in lan.url_map.iter_rules():
        if "match_id" not in rule.arguments or "GET" not in (rule.methods or ()):
            continue
        for made in addresses(rule.rule):
            page = re.sub("<(.*?)>", lambda found: values.get(found.group(1), "1"), made)
            answer = None if any(part in page for part in NO_PAGES) else device.client.get(page, follow_redirects=True)
            if answer and answer.status_code == 200:
                seen += 1
                if HOUSE_SAID not in Page(answer).tree.text:
                    lacking.append(page)
    assert lacking == []
    assert seen > 20


def test_a_combination_that_cannot_be_is_refused_beside_its_field(device: Device, store: Store) -> None:
    fields = {"players": "5", "hand": "6", "game": "muggins", "title": "Jumat"}
    page = device.page("/new", sent(device, **fields))
    assert page.status == 422
    said = "The set has 28 tiles: 5 hands of 6 and a reserve of 0 are too many."
    assert page.tree.one(id="hand-error").text == said
    assert "open" in page.tree.one("details", "house").attributes
    kept = {node.get("name"): node.get("value") for node in page.tree.all("input", type="text")}
    assert (kept["hand"], kept["title"], kept["name_e"]) == ("6", "Jumat", "Eka")
    assert page.tree.one("input", id="game-muggins").attributes.keys() >= {"checked"}
    page = device.page("/new", sent(device, players="5"))
    assert page.tree.one(id="players-error").text == "This game is for 2 to 4 players."
    assert store.recent(None) == []


def test_what_sources_advise_against_is_said_and_can_be_had(device: Device, store: Store) -> None:
    fields = {"game": "all-fives", "settlement": "deduct-own", "points_per_five": "1", "target": "61"}
    first = sent(device, **fields)
    page = device.page("/new", first)
    assert (page.status, store.recent(None)) == (200, [])
    assert "its pegs only go forward" in page.refusal
    again = device.post("/new", first | {"do": "anyway"})
    assert again.status_code == 303
    assert device.post("/new", first | {"do": "anyway"}).headers["Location"] == again.headers["Location"]
    assert [saved.match.rules.changes() for saved in store.recent(None)] == [
        {name: fields[name] for name in ("settlement", "points_per_five", "target")}
    ]


AGAINST = {"settlement": "deduct-own", "points_per_five": "1", "target": "61"}
PEGS = "its pegs only go forward"


def test_it_is_said_of_a_rematch_and_of_new_rules_too(device: Device, store: Store) -> None:
    device.path = keep(store, opened(), preset="all-fives")
    first = device.path
    for scored in (False, True):
        page = device.get(f"{first}/manage")
        assert PEGS not in page.tree.one("main").text
        if scored:
            device.enter(Scored("A", 5))
            page = device.get(f"{first}/manage/rules/preview", **AGAINST)
            assert PEGS in page.tree.one("main").text
            assert page.hidden(page.forms("rules")[0])["do"] == "anyway"
        else:
            asked = device.page(f"{first}/manage/rules", page.hidden(page.forms("rules")[0]) | AGAINST)
            assert (asked.status, PEGS in asked.refusal) == (200, True)
            form = asked.forms("rules")[0]
            assert form.one("input", name="target").get("value") == "61"
            assert form.texts("button", value="anyway") == ["Yes, save them"]
    assert match_at(store, first).rules.changes() == {}
    asked = rematch(device, **AGAINST)
    assert (asked.status, PEGS in asked.refusal, device.path) == (200, True, first)
    assert asked.tree.one("main").one("form").texts("button", value="anyway") == ["Yes, start with them"]
    assert not rematch(device, **AGAINST, do="anyway").refusal
    second = device.path
    assert match_at(store, second).rules.changes() == AGAINST
    for path in ("/manage", "/rematch"):  # as they are: said, and not asked again
        page = device.get(second + path)
        assert PEGS in page.tree.one("main").text, path
        assert page.refusal == ""
    assert rematch(device).status == 200
    assert device.path not in (first, second)


def test_previews_can_be_wanted_from_the_start(device: Device, store: Store) -> None:
    first = sent(device, previews="yes")
    device.path = device.post("/new", first).headers["Location"]
    device.post("/new", first)
    assert match_at(store, device.path).previews
    assert len(match_at(store, device.path).log) == 1


@pytest.mark.parametrize("page", ["", "/manage"])
def test_small_o_is_a_setting_of_the_match(device: Device, store: Store, page: str) -> None:
    """What was scored is drawn, the deductions stand beside it: 10 + 15 raw, and 2 points are lost at the settlement."""
    log: list[Event] = [*opened(), Scored("B", 2), Scored("B", 3), RoundEnded("A"), settled(B="12 pips")]
    log += opened("A", "out")
    device.path = keep(store, log)
    saved = saved_at(store, device.path)
    shown = ("", "/board", "/sheet", "/tally/B.svg")

    def tallies(path: str, **query: str) -> list[str]:
        return [
            svg.get("aria-label")
            for svg in device.get(device.path + path, **query).tree.all("svg")
            if svg.get("aria-label").startswith("Tally")
        ]

    assert [tallies(path) for path in shown] == [["Tally: 3 strokes"]] * len(shown)
    path, device.path = device.path, device.path + page
    answer = device.press(device.get(), "rings", "on", "yes")
    assert (answer.status_code, answer.headers["Location"]) == (303, device.path + ("#rings" if page else ""))
    device.path = path
    said = "Tally of what was scored: 3 strokes and 1 o"
    assert [tallies(path) for path in shown] == [[said]] * len(shown)
    for path in shown:
        assert "scored 5" in device.get(device.path + path).tree.text, path
    assert tallies("/sheet", o="0") == tallies("/tally/B.svg", o="0") == ["Tally: 3 strokes"]
    sheet = device.get(f"{device.path}/sheet").tree
    assert "checked" in sheet.one("input", type="checkbox", name="o").attributes
    assert sheet.one("input", type="hidden", name="o").get("value") == "0"  # so that it can be taken away there
    now = saved_at(store, device.path)
    assert write(Record(now.match)) == write(Record(saved.match))  # a written record has no word for it
    assert from_json(to_json(now)).match == now.match
    assert now.match.rings
    assert "small o in the tally: on" in device.get(f"{device.path}/history").tree.one("main").text
    undo = device.get().buttons("undo")
    assert undo == [str(len(log))]  # one undo takes back what was played
    device.do("rings", "on", "no")
    assert tallies("") == ["Tally: 3 strokes"]


def test_a_rematch_keeps_what_is_shown(device: Device, store: Store) -> None:
    device.path = device.post("/new", sent(device, previews="yes", rings="yes")).headers["Location"]
    assert (match_at(store, device.path).previews, match_at(store, device.path).rings) == (True, True)
    rematch(device)
    assert match_at(store, device.path).log == (Previewed(on=True), Ringed(on=True))
    device.enter(RoundOpened("A", "lot"))
    device.do("rings", "on", "no")
    rematch(device)
    assert match_at(store, device.path).log == (Previewed(on=True),)


def test_what_differs_is_said_in_the_language_of_the_page(app: Flask, store: Store) -> None:
    path = keep(store, preset="all-fives", changes={"target": "300"})
    assert Device(app, path, language="id").get().tree.texts(of="game-line") == ["All Fives. Aturan meja: target 300"]
    path = keep(store, preset="muggins", changes={"settlement": "deduct-own", "reserve": "1", "stop_when_dead": "yes"})
    said = "Muggins. House rules: tiles never drawn 1, settlement of leftovers: own leftovers deducted, stop when no tile fits"
    assert Device(app, path).get().tree.texts(of="game-line") == [said]


# Own rule sets


def test_rules_are_kept_under_a_name_and_chosen_again(device: Device, store: Store) -> None:
    page = device.page(
        "/new", sent(device, do="keep", set_name="Jumat  malam", game="all-fives", target="300", title="Kopi")
    )
    assert page.status == 200
    (kept,) = store.rule_sets.all()
    assert (kept.name, kept.preset, kept.changes) == ("Jumat malam", "all-fives", {"target": "300"})
    chosen = page.tree.one("input", id=f"game-{kept.id}")
    assert "checked" in chosen.attributes
    typed = {node.get("name"): node.get("value") for node in page.tree.all("input", type="text")}
    assert (typed["target"], typed["title"], typed["name_b"]) == ("", "Kopi", "Budi")
    made(device, game=kept.id, exact="yes", players="3")
    rules = match_at(store, device.path).rules
    assert (rules.preset, rules.changes()) == ("all-fives", {"target": "300", "exact": "yes"})
    again = device.page("/new", sent(device, do="keep", set_name="Jumat malam", game="muggins"))
    assert (again.status, again.tree.one(id="set_name-error").text) == (422, "Other rules have this name already.")
    nameless = device.page("/new", sent(device, do="keep", game="muggins"))
    assert (nameless.status, nameless.tree.one(id="set_name-error").text) == (422, "Give the rules a name.")


def test_rule_sets_as_files(device: Device, store: Store) -> None:
    kept = store.rule_sets.keep(RuleSet("", "Jumat / malam", "muggins", {"hand": "5"}))
    page = device.get("/rule-sets")
    assert "Muggins: tiles dealt to each 5" in page.tree.one("main").text
    file = device.client.get(f"/rule-sets/{kept.id}.json")
    assert file.data == to_file(kept)
    assert 'filename="Jumat malam.json"' in file.headers["Content-Disposition"]
    deleted = device.post(f"/rule-sets/{kept.id}/delete", {"csrf_token": page.csrf})
    assert (deleted.status_code, store.rule_sets.all()) == (303, [])

    def bring(data: bytes) -> Page:
        fields = {"csrf_token": page.csrf, "file": (io.BytesIO(data), "rules.json")}
        return Page(device.client.post("/rule-sets", data=fields, content_type="multipart/form-data"))

    refused = bring(b"{}")
    assert (refused.status, refused.refusal) == (422, "This file is no rule set that was saved here.")
    refused = bring(file.data.replace(b'"hand": "5"', b'"reserve": "5"'))
    assert (refused.status, refused.refusal) == (
        422,
        "tiles never drawn is 5 in this file, but can only be from 0 to 2.",
    )
    answer = device.client.post(
        "/rule-sets",
        data={"csrf_token": page.csrf, "file": (io.BytesIO(file.data), "rules.json")},
        content_type="multipart/form-data",
    )
    assert answer.status_code == 303
    assert [one._replace(id="") for one in store.rule_sets.all()] == [kept._replace(id="")]
    assert device.get("/rule-sets/nobody.json").status == 404


# House rules at the table


def test_too_little_to_get_in_is_explained(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "5-0")], changes={"get_in": "10"})
    page = device.get()
    assert page.scores == {"A": "0", "B": "0"}
    result = page.tree.one(of="result")
    assert result.one(of="not-scored").text == "It is too little to get in, so it is not scored."
    assert result.one(of="made").text == "no score"


def test_the_highest_double_opens(device: Device, store: Store) -> None:
    device.path = keep(store, changes={"double_opens": "yes"})
    page = device.get()
    assert page.forms("lot") == []
    assert page.buttons("open") == ["A agreed", "B agreed"]
    device.enter(RoundOpened("B", "agreed"))
    refused = Page(device.press(device.get(), "play", "play", "6-5"))
    assert refused.status == 422
    assert refused.refusal == "By this house rule the round opens with a double, so 6-5 cannot be set."
    assert device.enter(plays("B", "6-6")[0]).phase == "play"


def test_a_false_claim_costs_what_the_house_rule_says(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "5-5")], changes={"false_claim": "3"})
    page = device.do("claim", "team", "B")
    assert page.scores == {"A": "2", "B": "−3"}
    assert match_at(store, device.path).log[-1] == Adjusted(Team(("B",)), -3, "false claim")
    assert "false claim" in device.get(f"{device.path}/sheet").tree.one("main").text
    device.path = keep(store, opened())
    assert device.get().forms("claim") == []
    assert device.send("claim", team="B").status == 422
    assert device.send("claim", team="E").status == 422


def test_a_missed_score_goes_to_who_points_it_out(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "5-5")], changes={"muggins_call": "yes"})
    assert device.get().buttons("muggins") == ["B"]
    page = device.do("muggins", "taker", "B")
    assert page.scores == {"A": "0", "B": "2"}
    assert page.forms("muggins") == []
    assert page.tree.one(of="result").one(of="who").text == "Budi"
    result = page.tree.one(of="result")
    assert (result.one(of="what").text, result.one(of="made").text) == ("Budi muggins, 5-5 by Ani", "+2")
    assert result.one(of="sum").text == "5-5 10 = 10"
    assert page.tree.one(of="undo").text == "↶ Undo: muggins by Budi"
    assert page.tree.one("main").get("data-said") == "Budi muggins, 5-5 by Ani: 2 points. Budi is on turn."
    assert "points out a missed score and takes it" in device.get(f"{device.path}/history").tree.one("main").text
    entry = len(match_at(store, device.path).log)
    edit = device.get(f"{device.path}/entry/{entry}/edit")
    assert edit.status == 200
    assert edit.tree.all(name="seat")
    device.enter(plays("B", "5-3>5-5")[0])
    assert device.get().forms("muggins") == []
    refused = device.send("muggins", taker="A")
    assert (refused.status, refused.refusal) == (422, "The last tile made no score that could be taken.")
    device.path = keep(store, [*opened(), *plays("A", "5-5")])
    assert device.get().forms("muggins") == []
    assert device.send("muggins", taker="B").status == 422


@pytest.mark.parametrize(("language", "taken"), [("en", "taken by Budi"), ("id", "diambil Budi")])
def test_a_score_that_was_taken_counts_once_wherever_plays_are_listed(
    app: Flask, store: Store, language: str, taken: str
) -> None:
    log = [*opened(), *plays("A", "5-5"), PointedOut("B"), *plays("BA", "5-0>5-5 5-4>5-5")]
    path = keep(store, log, changes={"muggins_call": "yes"})
    assert match_at(store, path).scores == (0, 4)
    device = Device(app, path, language=language)
    for page in (device.get(), device.get(f"{path}/history"), device.get(f"{path}/sheet", form="full")):
        main = page.tree.one("main")
        assert main.texts("s") == ["+2"], page.path
        assert taken in main.text, page.path
    step = device.get(f"{path}/round/1/2").tree.one(of="moment-text")
    assert (step.one("s").text, taken in step.text) == ("+2", True)
    rows = [re.split("[;,]", line) for line in device.client.get(f"{path}/plays.csv").text.splitlines()]
    assert [row[-1].strip('"') for row in rows if "5-" in ",".join(row)][:1] == ["0"]
    assert sum(int(row[-1]) for row in rows if row[-1].isdigit()) == 4


def test_one_tap_takes_a_missed_score_where_the_rule_is_on(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *plays("A", "5-5")], names=NAMES[:3], changes={"muggins_call": "yes"})
    (form,) = device.get().forms("muggins")
    assert [button.text for button in form.all("button")] == ["Budi", "Citra"]
    assert device.get().tree.one(of="laid").all("form", "muggins")  # beside the result, not behind anything
    device.path = keep(store, [*opened(), *plays("A", "5-5")], changes={"muggins_call": "yes"})
    assert [button.text for button in device.get().forms("muggins")[0].all("button")] == ["Muggins! Budi"]


def test_points_that_were_called_and_missed(device: Device, store: Store) -> None:
    log = [*opened(), Scored("A", 3), PointedOut("B")]
    device.path = keep(store, log, changes={"muggins_call": "yes"})
    assert device.get().tree.one(of="result").one(of="what").text == "Budi muggins, 3 points by Ani"


OVERSHOOT: Final = "It would overshoot the exact target, so it is not scored."


def test_an_overshoot_of_an_exact_target_is_said(device: Device, store: Store) -> None:
    device.path = keep(store, [*opened(), *lead(A=60), Scored("A", 3)], changes={"exact": "yes"})
    page = device.get()
    assert page.scores == {"A": "60", "B": "0"}
    assert page.tree.one(of="result").one(of="not-scored").text == OVERSHOOT
    assert page.tree.one("main").get("data-said").endswith(OVERSHOOT)
    assert OVERSHOOT in device.get(f"{device.path}/history").tree.one("main").text
    device.path = keep(store, [*opened(), *lead(A=60), *plays("A", "5-5")], changes={"exact": "yes"})
    result = device.get().tree.one(of="result")
    assert result.one("summary").one(of="not-scored").text == OVERSHOOT  # without unfolding anything
    assert result.one(of="made").text == "no score"


def test_turns_are_not_shown_where_points_alone_are_called(device: Device, store: Store) -> None:
    device.path = keep(store, opened())
    assert device.get().tree.texts(of="turn-name") == ["▸ Ani"]
    assert device.get(form="points").tree.all(of="on-turn") == []
    page = device.enter(Scored("A", 3))
    assert page.tree.all(of="on-turn") == page.tree.all(of="turn-name") == []
    assert page.tree.one("main").get("data-said") == "Ani called 3 points: 3 points."
    assert device.get(form="counts", seat="B").tree.one(id="calling").text == "The ends as they lie after Budi"
    counted = device.enter(Counted("B", Ends.parse("5-5 5")))
    assert (counted.scores, counted.tree.texts(of="turn-name")) == ({"A": "3", "B": "3"}, ["▸ Ani"])


@pytest.mark.parametrize("form", ["", "points", "counts"])
def test_a_match_that_was_won_at_once_is_over_in_every_form(device: Device, store: Store, form: str) -> None:
    log = [*opened(), *lead(A=57), *plays("AB", "5-5 5-0>5-5"), *plays("A", "0-0>5-0")]
    device.path = keep(store, log, changes={"target_check": "at-once"})
    page = device.get(form=form)
    assert page.phase == "over"
    assert page.tree.all(of="on-turn") == page.tree.all(of="calling") == page.forms("score") == []
    assert page.tree.one(of="result").one(of="made").text == "+2"
    assert page.tree.one(of="over").texts("a") == ["Agree to the result", "Match sheet", "Rematch", "New match"]
    assert device.get(f"{device.path}/rematch").status == 200


def test_a_call_of_muggins_that_was_forgotten_is_put_in(device: Device, store: Store) -> None:
    """Put in before the next tile, given to another, taken out: the score goes along each time."""
    log = [*opened(), *plays("ABC", "5-5 5-0>5-5 5-6>5-5")]  # Ani 2, Budi 2, Citra nothing
    device.path = path = keep(store, log, names=NAMES[:3], changes={"muggins_call": "yes"})
    at = f"{path}/entry/3/insert"
    page = device.get(at)
    assert "a missed score taken" in page.tree.texts("a")
    form = device.get(at, kind="PointedOut").tree.one("form", method="get")
    assert [one.get("value") or one.text for one in form.one("select", name="seat").all("option")] == list("ABC")

    def save(address: str, **sent: str) -> dict[str, str]:
        looked_at = device.get(address, do="preview", **sent)
        assert looked_at.status == 200, looked_at.tree.texts(of="error")
        assert device.press(looked_at, address.rpartition("/")[2]).status_code == 303
        return device.get(path).scores

    own = device.get(at, kind="PointedOut", seat="A", do="preview")
    assert (own.status, own.tree.one(id="seat-error").text) == (422, "Only an opponent can take a missed score.")
    late = device.get(f"{path}/entry/2/insert", kind="PointedOut", seat="B", do="preview")
    assert (late.status, late.tree.one(id="seat-error").text) == (
        422,
        "The last tile made no score that could be taken.",
    )
    assert save(at, kind="PointedOut", seat="B") == {"A": "0", "B": "4", "C": "0"}
    assert match_at(store, path).rounds[0].turn == "A"  # it was no turn
    called = len(match_at(store, path).log)
    assert save(f"{path}/entry/{called}/edit", kind="PointedOut", seat="C") == {"A": "0", "B": "2", "C": "2"}
    assert save(f"{path}/entry/{called}/remove") == {"A": "2", "B": "2", "C": "0"}
    device.path = keep(store, log, names=NAMES[:3])
    assert "a missed score taken" not in device.get(f"{device.path}/entry/3/insert").tree.texts("a")


def test_what_a_winner_takes_is_said_before_and_after(device: Device, store: Store) -> None:
    device.path = keep(store, [RoundOpened("A", "lot"), Scored("A", 0)], names=NAMES[:3], preset="all-fives")
    device.enter(Scored("A", 5))
    device.do("end", "out", "A")
    work = Page(device.press(device.get(), "settle", "do", "work", **{"pips-B": "6", "pips-C": "7"}))
    said = "The others have 13 pips together, rounded once to 15 raw points."
    assert said in work.tree.one("form", "settle").text
    page = device.enter(settled(B="6 pips", C="7 pips"))
    assert said in page.tree.one("main").text
    assert page.scores == {"A": "20", "B": "0", "C": "0"}


def test_a_settlement_that_would_overshoot_an_exact_target(device: Device, store: Store) -> None:
    log = [*opened(), Adjusted(Team(("A",)), 240, "head start"), Scored("A", 0)]
    changes = {"exact": "yes", "target_check": "after-round"}
    device.path = keep(store, log, preset="all-fives", changes=changes)
    device.do("end", "out", "A")
    work = Page(device.press(device.get(), "settle", "do", "work", **{"pips-B": "13"}))
    assert "Ani: 0" in work.tree.one("form", "settle").texts("li")
    assert OVERSHOOT in work.tree.one("form", "settle").texts("p", "hint")
    page = device.enter(settled(B="13 pips"))
    assert page.scores == {"A": "240", "B": "0"}
    assert "It would overshoot the exact target, so it is not scored." in page.tree.one("main").text


# A series


def rematch(device: Device, **fields: str) -> Page:
    """What comes of the form, which leads to the new match unless it asks or refuses."""
    page = device.get(f"{device.path}/rematch")
    form = page.tree.one("main").one("form")
    kept = {node.get("name"): node.get("value") for node in form.all("input")}
    chosen = {
        node.get("name"): next((o.get("value") or o.text for o in node.all("option") if "selected" in o.attributes), "")
        for node in form.all("select")
    }
    answer = device.post(f"{device.path}/rematch", kept | chosen | fields)
    if answer.status_code != 303:
        return Page(answer)
    device.path = answer.headers["Location"]
    return device.get()


def win(device: Device, store: Store, seat: str) -> None:
    match = match_at(store, device.path)
    store.append(device.path.split("/")[2], Adjusted(Team(tuple(seat)), 61, "as played"), seen=len(match.log), key="")


def test_best_of_three_is_kept_by_people_not_by_seats(device: Device, store: Store) -> None:
    device.path = keep(store, changes={"best_of": "3"}, title="Final")
    assert "Best of 3, matches won: Ani 0, Budi 0." in device.get().tree.one(of="game-line").text
    win(device, store, "A")
    page = device.get()
    assert "Best of 3, matches won: Ani 1, Budi 0." in page.tree.one(of="game-line").text
    assert "Next match of the series" in page.tree.texts("a", "button")
    rematch(device, **{"sits-A": "B", "sits-B": "A"})
    assert "matches won: Budi 0, Ani 1." in device.get().tree.one(of="game-line").text
    win(device, store, "A")
    assert "matches won: Budi 1, Ani 1." in device.get(f"{device.path}/sheet").tree.one("main").text
    rematch(device)
    win(device, store, "B")
    page = device.get()
    assert "Best of 3, decided: Budi 1, Ani 2." in page.tree.one(of="game-line").text
    assert "Next match of the series" not in page.tree.texts("a", "button")
    assert "Best of 3, decided: Budi 1, Ani 2." in device.get("/").tree.one("main").text
    rematch(device)  # a new series
    assert "matches won: Budi 0, Ani 0." in device.get().tree.one(of="game-line").text


def test_a_series_outlives_new_names_and_seats(device: Device, store: Store) -> None:
    """Names change in the match before, with the rematch and in it, together with the seats; wins go along."""

    def named(path: str, **fields: str) -> None:
        page = device.get(f"{path}/manage")
        form = page.forms("names")[0]
        now = {one.get("name"): one.get("value") for one in form.all("input")}
        assert device.post(f"{path}/manage/names", now | fields).status_code == 303

    def line() -> str:
        return device.get().tree.one(of="game-line").text.rpartition("won: ")[2]

    device.path = first = keep(store, changes={"best_of": "5"}, names=NAMES)
    win(device, store, "AC")
    rematch(device, **{"sits-A": "B", "sits-B": "A", "sits-C": "D", "sits-D": "C"})
    assert line() == "Budi + Dewi 0, Ani + Citra 1."
    # each side has new names in another match than the other
    named(device.path, **{"name-A": "Budiman", "name-B": "Anisa", "name-C": "Dewi S.", "name-D": "Citra P."})
    assert line() == "Budiman + Dewi S. 0, Anisa + Citra P. 1."
    named(first, **{"name-A": "Nisa", "name-B": "Iman"})
    assert line() == "Budiman + Dewi S. 0, Anisa + Citra P. 1."
    # back to the seats of before, with one new name, before the first round
    named(device.path, **{"sits-A": "B", "sits-B": "A", "sits-C": "D", "sits-D": "C", "name-A": "Budi"})
    assert line() == "Anisa + Citra P. 1, Budi + Dewi S. 0."
    device.enter(RoundOpened("B", "lot"))
    named(device.path, **{"name-A": "Budi", "name-B": "Anisa"})  # typed the other way round: no seat changes any more
    assert line() == "Budi + Citra P. 1, Anisa + Dewi S. 0."
    win(device, store, "BD")
    rematch(device, **{"name-A": "Ani", "name-B": "Budi", "sits-A": "D", "sits-D": "A"})
    assert line() == "Dewi S. + Citra P. 0, Budi + Ani 0."  # others play together now


def test_a_series_of_an_older_version_is_told_by_names(device: Device, store: Store) -> None:
    first = keep(store, changes={"best_of": "3"})
    device.path = first
    win(device, store, "A")
    saved = saved_at(store, first)
    made = store.create(title="", rules=saved.match.rules, players=("Budi", "Anisa"), follows=saved.id)
    device.path = f"/m/{made}"
    assert "Best of 3, matches won: Budi 0, Anisa 1." in device.get().tree.one(of="game-line").text


def test_a_series_goes_on_where_a_match_was_closed_or_deleted(device: Device, store: Store) -> None:
    device.path = first = keep(store, changes={"best_of": "5"})
    win(device, store, "A")
    rematch(device)
    page = device.get(f"{device.path}/manage")
    device.post(f"{device.path}/manage/close", page.hidden(page.forms("close")[0]) | {"text": "rain"})
    rematch(device)
    assert "Best of 5, matches won: Ani 1, Budi 0." in device.get().tree.one(of="game-line").text
    store.delete(first.split("/")[2])
    assert "Best of 5, matches won: Ani 0, Budi 0." in device.get().tree.one(of="game-line").text


# A match by other rules


def test_a_match_by_other_rules_and_nothing_changes(device: Device, store: Store) -> None:
    """A branch of a second double is not allowed in All Fives; before that a double counts the same."""
    log = [*opened(), *plays("AB", "6-6 6-3>6-6 6-2>6-6 3-3>6-3 3-1>3-3 5-3>3-3")]
    device.path = keep(store, log)
    before = saved_at(store, device.path)
    page = device.get(f"{device.path}/what-if", game="all-fives")
    assert page.status == 200
    text = page.tree.one(id="found").text
    assert "All Fives. House rules: tiles dealt to each 5" in text
    assert "7. Budi 5-3 on 3-3 Both sides of 3-3 are covered, and in this game it has no branches." in text
    assert [saved_at(store, device.path)] == [before]
    assert match_at(store, device.path).status is Status.OPEN
    rows = [
        [cell.text for cell in row.walk() if cell.tag in ("th", "td")] for row in page.tree.one(id="found").all("tr")
    ]
    assert [row for row in rows if row[0] in ("Ani", "Budi")] == [["Ani", "1", "5"], ["Budi", "3", "15"]]
    same = device.get(f"{device.path}/what-if", game="five-up")
    assert "Every tile counts the same." in same.tree.one(id="found").text


def test_who_would_lead(device: Device, store: Store) -> None:
    device.path = keep(store, [*ended_two(), settled(B="6-6")])
    page = device.get(f"{device.path}/what-if", game="five-up", settlement="winner-takes", points_per_five="5")
    text = page.tree.one(id="found").text
    assert "By the other rules: After round 1 Ani leads" in text


@pytest.mark.parametrize("name", ["all-fives-won-at-settlement", "five-up-two-players", "muggins-three-players"])
def test_any_match_can_be_looked_at_by_any_game(device: Device, store: Store, name: str) -> None:
    log = recorded(name)
    game = next(one for one in PRESETS if name.startswith(one))
    players = 3 if "three" in name else 2
    device.path = keep(store, log, names=NAMES[:players], preset=game)
    for other in PRESETS:
        assert device.get(f"{device.path}/what-if", game=other).status == 200
    assert match_at(store, device.path).log == log


def test_a_closed_match_and_one_whose_rules_were_changed_can_be_looked_at(device: Device, store: Store) -> None:
    changes = RulesChanged((("target", "100"),))
    device.path = keep(store, [*ended_two(), settled(B="6-6"), changes])
    page = device.get(f"{device.path}/manage")
    device.post(f"{device.path}/manage/close", page.hidden(page.forms("close")[0]) | {"text": "rain"})
    assert match_at(store, device.path).closed
    assert device.get(f"{device.path}/what-if", game="muggins").status == 200


def test_rules_that_cannot_be_are_refused_there_too(device: Device, store: Store) -> None:
    device.path = keep(store, opened(), names=(*NAMES, "Eka"), preset="muggins")
    page = device.get(f"{device.path}/what-if", game="five-up")
    assert (page.status, page.refusal) == (422, "This game is for 2 to 4 players.")
    page = device.get(f"{device.path}/what-if", game="all-fives", target="x" * 50)
    assert page.status == 422
    assert page.tree.one(id="target-error").text == f"{'x' * 40}… is not a value of target."
    assert device.get(f"{device.path}/what-if", game="whist").status == 422
    assert device.get(f"{device.path}/what-if").status == 200


@pytest.mark.parametrize("language", ["en", "id"])
def test_five_players_are_shown_everywhere(app: Flask, store: Store, language: str) -> None:
    log = recorded("all-fives-five-players")
    path = keep(store, log, names=(*NAMES, "Eka"), preset="all-fives", changes={"target": "75"})
    device = Device(app, path, language=language)
    for page in ("", "/sheet", "/history", "/manage", "/facing", "/rematch"):
        text = device.get(path + page).tree.one("body")
        shown = text.text + " ".join(node.get("value") for node in text.all("input"))
        assert [name for name in (*NAMES, "Eka") if name not in shown] == [], page


def test_points_called_are_carried_into_another_unit(device: Device, store: Store) -> None:
    """A match of points as called; what the settlement changes stands in the rounds, not among the counts."""
    device.path = keep(store, [*opened(), Scored("A", 3), Scored("B", 1), RoundEnded("A"), settled(B="12 pips")])
    page = device.get(f"{device.path}/what-if", game="five-up", points_per_five="5", target="305")
    found = page.tree.one(id="found")
    rows = [[cell.text for cell in row.walk() if cell.tag in ("th", "td")] for row in found.all("tr")]
    assert [row for row in rows if row[0] in ("Ani", "Budi")] == [["Ani", "3", "15"], ["Budi", "−1", "−5"]]
    assert ["After round 1", "3 : −1", "15 : −5"] in rows
    assert "Every tile counts the same." in found.text


SNIFF: Final = "5-0 5-5>5-0 5-4>5-5 5-3>5-5 4-4>5-4 5-1>5-5 6-3>5-3"


@pytest.mark.parametrize("laid", range(1, 8))
def test_the_circles_of_a_drawing_add_up_to_the_count(device: Device, store: Store, laid: int) -> None:
    """With Sniff the spinner counts half at each open tip."""
    log = [*opened(), *plays("AB", " ".join(SNIFF.split()[:laid]))]
    device.path = keep(store, log, preset="all-fives", changes={"spinner_counts": "yes"})
    page = device.get(f"{device.path}/board").tree
    worths = [int(text) for text in page.texts("text", of="open-worth")]
    (move,) = match_at(store, device.path).rounds[0].moves[-1:]
    assert move.score
    assert sum(worths) == move.score.count

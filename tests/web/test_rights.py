"""Who may do what: every route, by every method, asked by everybody there can be."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import secrets
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from fiveup_ref.backups import Backups
from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import OUT, Event, Undone
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.rule_sets import RuleSet
from fiveup_ref.scorers import Scorers
from fiveup_ref.store import EntryInfo, Saved, Store
from fiveup_ref.web import create_app
from fiveup_ref.web.limits import Buckets, Limits
from fiveup_ref.web.network import Network
from fiveup_ref.web.rights import LOOK, SEND, Right

from .device import Device, Page
from .matches import NAMES, ended_two, keep, opened, plays, settled

PHONE: Final = "192.168.1.20"
START: Final = datetime(2026, 11, 29, 13, 15, tzinfo=UTC)
TWO: Final = PRESETS["five-up"].rules(2)
LOG: Final[list[Event]] = [*ended_two(), settled(B="3-2")]

# For each address the least that looking at it and sending to it needs; `-` cannot be done at all.
TABLE: Final = """
/                                                               stranger  -
/new                                                            stranger  stranger
/language                                                       -         stranger
/display                                                        stranger  stranger
/static/<path:filename>                                         stranger  -
/manifest.webmanifest                                           stranger  -
/sw.js                                                          stranger  -
/phones                                                         stranger  -
/judge                                                          stranger  -
/judge/<any(count, place, left, won, opens, blocked, turn):question>       stranger -
/judge/<any(count, place, left, won, opens, blocked, turn):question>.json  stranger -
/judge/sheet                                                    stranger  stranger
/rules                                                          stranger  -
/blank                                                          stranger  -
/blank.pdf                                                      stranger  -
/matches.zip                                                    stranger  -
/import                                                         stranger  stranger
/deleted                                                        stranger  -
/s/<token>                                                      stranger  -
/rule-sets                                                      stranger  host
/rule-sets/<set_id>.json                                        stranger  -
/rule-sets/<set_id>/delete                                      stranger  host
/m/<match_id>                                                   viewer    -
/m/<match_id>/version                                           viewer    -
/m/<match_id>/facing                                            viewer    -
/m/<match_id>/board                                             viewer    -
/m/<match_id>/share                                             viewer    -
/m/<match_id>/seat                                              viewer    -
/m/<match_id>/seat/take                                         viewer    viewer
/m/<match_id>/seat/agree                                        viewer    viewer
/m/<match_id>/seat/back                                         viewer    viewer
/m/<match_id>/seat/<any(take, agree, back):act>                 viewer    viewer
/m/<match_id>/sheet                                             viewer    -
/m/<match_id>/sheet.pdf                                         viewer    -
/m/<match_id>/pictures                                          viewer    -
/m/<match_id>/tally/<team>.svg                                  viewer    -
/m/<match_id>/round/<number:round_number>.svg                   viewer    -
/m/<match_id>/round/<number:round_number>.png                   viewer    -
/m/<match_id>/history                                           viewer    -
/m/<match_id>/round/<number:number>/<number:step>               viewer    -
/m/<match_id>/judge                                             viewer    -
/m/<match_id>/judge.json                                        viewer    -
/m/<match_id>/entry/<number:entry>/dispute                      viewer    scorer
/m/<match_id>/files                                             viewer    -
/m/<match_id>.fiveup                                            viewer    -
/m/<match_id>.json                                              viewer    -
/m/<match_id>/rounds.csv                                        viewer    -
/m/<match_id>/plays.csv                                         viewer    -
/m/<match_id>/lot                                               viewer    scorer
/m/<match_id>/claim                                             viewer    scorer
/m/<match_id>/what-if                                           viewer    -
/m/<match_id>/<any(open, play, count, score, draw, pass, end, settle, muggins, undo, previews, rings):act>              viewer scorer
/m/<match_id>/<any(lot, claim, open, play, count, score, draw, pass, end, settle, muggins, undo, previews, rings):act>  viewer scorer
/m/<match_id>/entry/<number:entry>/<any(edit, insert, remove):way>                               scorer scorer
/m/<match_id>/manage                                            scorer    -
/m/<match_id>/manage/<any(names, rules, previews, rings, adjust, close):act>  viewer scorer
/m/<match_id>/manage/rules/preview                              scorer    -
/m/<match_id>/rematch                                           scorer    scorer
/m/<match_id>/delete                                            scorer    scorer
/m/<match_id>/restore                                           viewer    scorer
/m/<match_id>/scorers                                           scorer    scorer
/m/<match_id>/scorers/<number:number>/withdraw                  viewer    scorer
/backups                                                        host      host
/backups/<name>/restore                                         host      host
"""
ROWS: Final = {
    rule: (look, send) for rule, look, send in (line.rsplit(maxsplit=2) for line in TABLE.strip().splitlines())
}
SAVED: Final = Saved(
    "", "Friday", START, "", replay(TWO, NAMES[:2], LOG), tuple(EntryInfo(n, START, "") for n in range(1, len(LOG) + 1))
)
ROLES: Final = ("stranger", "viewer", "neighbour", "withdrawn", "scorer", "host")
HAS: Final = {"neighbour": "viewer", "withdrawn": "viewer"}
SEVERAL: Final = re.compile(r"<any\((.*?)\):\w+>")


def rules_of(app: Flask) -> set[str]:
    return {rule.rule for rule in app.url_map.iter_rules()}


def addresses(rule: str) -> list[str]:
    """The rule once for each word that it allows."""
    found = SEVERAL.search(rule)
    return [SEVERAL.sub(word, rule) for word in found.group(1).split(", ")] if found else [rule]


@dataclass
class Party:
    """Somebody who asks for pages of a match, which is made anew after each request that wrote."""

    role: str
    store: Store
    scorers: Scorers
    device: Device
    csrf: str = field(init=False)
    match_id: str = ""

    def __post_init__(self) -> None:
        self.csrf = self.device.get("/display").csrf

    def prepare(self) -> None:
        self.match_id = self.store.bring_in([replace(SAVED, uid=secrets.token_hex(16))])[0].id
        token, _later = self.scorers.make(self.match_id, None), self.scorers.make(self.match_id, "later")
        if self.role == "neighbour":
            other = self.store.bring_in([replace(SAVED, uid=secrets.token_hex(16))])[0].id
            token = self.scorers.make(other, None)
        if self.role in ("scorer", "withdrawn", "neighbour"):
            assert self.device.client.get(f"/s/{token}").status_code == 303
        if self.role == "withdrawn":
            self.scorers.withdraw(self.match_id, self.scorers.of(self.match_id)[0].number)

    def ask(self, method: str, address: str) -> tuple[TestResponse, bool]:
        """The answer, and whether anything was written meanwhile."""
        if not self.match_id:
            self.prepare()
        restores = address == "/m/<match_id>/restore" and method == "POST"
        if restores:
            self.store.delete(self.match_id)
        later = str(self.scorers.of(self.match_id)[-1].number)
        values = {
            "match_id": "no-match-of-this-name" if self.role == "stranger" else self.match_id,
            "number:number": later if "withdraw" in address else "1",
            "number:step": "1",
            "number:entry": "2",
            "number:round_number": "1",
            "team": "A",
            "token": "no-token",
            "set_id": self.store.rule_sets.keep(RuleSet("", "Friday", "muggins", {})).id,
            "path:filename": "style.css",
            "name": "no-backup",
        }
        before = self.state()
        url = re.sub("<(.*?)>", lambda found: values[found.group(1)], address)
        data = {"csrf_token": self.csrf} if method == "POST" else None
        answer = self.device.client.open(url, method=method, data=data)
        answer.close()
        wrote = self.state() != before
        if wrote or restores:
            self.match_id = ""
        return answer, wrote

    def state(self) -> object:
        """How many rows there are, and how many of them are deleted or withdrawn."""
        return (
            self.store.connections.here()
            .execute(
                "SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM seats), "
                "(SELECT count(*) FROM agreements), (SELECT count(*) FROM matches), "
                "(SELECT count(deleted) FROM matches), (SELECT count(*) FROM scorers), "
                "(SELECT count(withdrawn) FROM scorers), (SELECT count(*) FROM rule_sets)"
            )
            .fetchone()
        )


def party(role: str, lan: Flask, store: Store, scorers: Scorers) -> Party:
    return Party(role, store, scorers, Device(lan, address="127.0.0.1" if role == "host" else PHONE))


def test_every_route_has_a_row(app: Flask, lan: Flask) -> None:
    assert rules_of(app) == set(ROWS) - {"/phones"}  # nobody else can come
    assert rules_of(lan) == set(ROWS)


def test_the_rows_are_what_the_app_enforces(app: Flask, lan: Flask) -> None:
    """By endpoint; and the app's own table has neither more nor less than there is."""

    def least(rule: Rule, method: str) -> str:
        assert rule.endpoint in (SEND if method == "POST" else LOOK)
        return (SEND if method == "POST" else LOOK)[rule.endpoint].name.lower()

    used: set[tuple[str, str]] = set()
    for rule in (*app.url_map.iter_rules(), *lan.url_map.iter_rules()):
        for method, wanted in zip(("GET", "POST"), ROWS[rule.rule], strict=True):
            if method in (rule.methods or ()):
                assert least(rule, method) == wanted, (rule.rule, method)
                used.add((rule.endpoint, method))
    assert used == {*((name, "GET") for name in LOOK), *((name, "POST") for name in SEND)}


@pytest.mark.parametrize("role", ROLES)
def test_everybody_may_do_what_the_table_says_and_no_more(
    role: str, lan: Flask, store: Store, scorers: Scorers
) -> None:
    who = party(role, lan, store, scorers)
    right = Right[HAS.get(role, role).upper()]
    for rule in rules_of(lan):
        of_a_match = "<match_id>" in rule
        for address in addresses(rule):
            for method, least in (("GET", ROWS[rule][0]), ("HEAD", ROWS[rule][0]), ("POST", ROWS[rule][1])):
                answer, wrote = who.ask(method, address)
                case = (role, method, address, answer.status_code)
                assert answer.status_code < 500, case
                if least == "-":
                    assert (answer.status_code, wrote) == (405, False), case
                elif role == "stranger" and of_a_match:
                    assert answer.status_code in ((404,) if method == "POST" else (404, 303)), case
                    assert not wrote, case
                elif right < Right[least.upper()]:
                    assert (answer.status_code, wrote) == (403, False), case
                else:
                    assert answer.status_code not in (403, 405), case
            for method in ("PUT", "PATCH", "DELETE"):
                answer, wrote = who.ask(method, address)
                assert (answer.status_code, wrote) == (405, False), (role, method, address)


def test_a_route_that_is_not_in_the_table_is_refused_to_everybody(lan: Flask, app: Flask) -> None:
    for one in (app, lan):
        one.add_url_rule("/forgotten", "forgotten", lambda: "open", methods=["GET", "POST"])
        device = Device(one)
        assert device.get("/forgotten").status == 403
        assert device.page("/forgotten", {"csrf_token": device.get("/display").csrf}).status == 403


# The host


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {"Host": "[::1]:8000"}, 200),
        ("127.0.0.1", {"Host": "127.0.0.1:8000"}, 200),
        ("127.0.0.1", {"Host": "table.example"}, 421),  # a name made to lead here, or a proxy
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 403),
        ("127.0.0.1", {"Forwarded": "for=203.0.113.9"}, 403),
        ("192.168.1.20", {}, 403),
        ("192.168.1.20", {"Host": "127.0.0.1"}, 403),
        ("", {}, 403),
    ],
)
def test_who_is_at_the_computer_that_keeps_the_matches(
    lan: Flask, store: Store, address: str, headers: dict[str, str], status: int
) -> None:
    path = keep(store)  # made before anybody had a token
    device = Device(lan, address=address)
    assert device.client.get(f"{path}/manage", headers=headers).status_code == status


@pytest.mark.parametrize("network", [Network(proxies=1), Network(fronted=True)])
def test_behind_a_proxy_nobody_is_the_host(store: Store, backups: Backups, network: Network) -> None:
    """A request of others comes from this computer then."""
    app = create_app(store, secret_key="for tests", everyone_here=False, backups=backups, network=network)
    path = keep(store)
    device = Device(app)
    assert path not in device.get("/").markup
    assert device.get("/backups").status == 403
    assert device.get(f"{path}/manage").status == 403


def test_the_host_finds_every_match_and_a_phone_its_own(lan: Flask, store: Store) -> None:
    mine, others, gone = keep(store, title="mine"), keep(store, title="others"), keep(store, title="gone")
    store.delete(gone[3:])
    host, phone = Device(lan), Device(lan, address=PHONE)
    assert phone.get("/").tree.all("a", "match") == []
    phone.get(mine)
    assert [one.get("href") for one in phone.get("/").tree.all("a", "match")] == [mine]
    assert {one.get("href") for one in host.get("/").tree.all("a", "match")} == {mine, others}
    for device, listed in ((host, 2), (phone, 1)):
        with zipfile.ZipFile(io.BytesIO(device.client.get("/matches.zip").data)) as files:
            assert len(files.namelist()) == listed
    assert "gone" in host.get("/deleted").tree.one("main").text
    assert "gone" not in phone.get("/deleted").tree.one("main").text


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("127.0.0.1", {"Host": "192.168.1.5:8000"}),  # the page of another site, by a name that was made to lead here,
        ("127.0.0.1", {"Host": "evil.example"}),  # never has a name of this computer's own
        ("127.0.0.1", {"Host": "localhost.evil.example"}),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}),
        ("127.0.0.1", {"X-Real-Ip": "127.0.0.1"}),
        ("192.168.1.20", {"Host": "localhost"}),
        ("192.168.1.20", {"X-Forwarded-For": "127.0.0.1"}),
    ],
)
def test_nobody_else_finds_them(
    lan: Flask, store: Store, backups: Backups, address: str, headers: dict[str, str]
) -> None:
    path, name = keep(store, title="Friday"), backups.make().name
    device = Device(lan, address=address)
    assert path not in device.client.get("/", headers=headers).text
    for at in ("/backups", f"/backups/{name}/restore"):
        assert device.client.get(at, headers=headers).status_code in (403, 421)
    assert name not in device.client.get("/backups", headers=headers).text
    for at in ("/deleted", "/matches.zip"):
        assert b"Friday" not in device.client.get(at, headers=headers).data


# What a viewer sees


PHASES: Final[dict[str, list[Event]]] = {
    "open": [],
    "set": opened(),
    "play": [*opened(), *plays("AB", "5-5 5-0>5-5")],
    "settle": ended_two(),
    "between": LOG,
    "mend": [*LOG, *opened("A", OUT), Undone(len(ended_two()))],
    "over": [*ended_two(A=60), settled(B="3-2")],
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_viewers_table_has_no_forms_and_shows_how_things_stand(lan: Flask, store: Store, phase: str) -> None:
    path = keep(store, PHASES[phase])
    viewer, host = Device(lan, path, address=PHONE).get(), Device(lan, path).get()
    assert viewer.tree.one("main").all("form") == []
    assert viewer.tree.one("main").all("button") == []
    assert viewer.scores == host.scores
    assert len(viewer.tree.all("svg")) == len(host.tree.all("svg"))
    assert viewer.tree.texts(of="result") == host.tree.texts(of="result")
    assert "You are watching." in viewer.tree.one("main").text
    assert host.tree.one("main").all("form") or phase == "over"


def links(page: Page) -> Iterator[str]:
    for node in page.tree.all("a"):
        yield node.get("href").partition("#")[0]


@pytest.mark.parametrize("phase", PHASES)
def test_no_page_offers_a_viewer_what_is_refused(lan: Flask, store: Store, scorers: Scorers, phase: str) -> None:
    """Every link of a match is followed; nothing on the way is refused, and no link that lets one write is there."""
    path = keep(store, PHASES[phase])
    scorers.make(path[3:], "second")
    device = Device(lan, path, address=PHONE)
    urls = lan.url_map.bind("localhost")
    seen: set[str] = set()
    todo = [path, f"{path}/delete".replace("/delete", "/files")]
    while todo:
        at = todo.pop()
        if at in seen or not at.startswith("/m/"):
            continue
        seen.add(at)
        answer = device.client.get(at)
        assert answer.status_code in (200, 303), at
        assert "/s/" not in answer.headers.get("Location", "")
        if answer.mimetype != "text/html":
            continue
        page = Page(answer)
        assert "/s/" not in page.markup, at
        for form in page.tree.all("form", method="post"):
            endpoint, _ = urls.match((form.get("action") or at).partition("?")[0], method="POST")
            assert SEND[endpoint] <= Right.VIEWER, (at, endpoint)
        todo += [one for one in links(page) if one not in seen]
    assert len(seen) > 8


def test_the_crawl_would_find_what_is_refused(lan: Flask, store: Store) -> None:
    """The same links on the host's pages do lead to what a viewer may not."""
    path = keep(store, PHASES["play"])
    urls = lan.url_map.bind("localhost")
    host = Device(lan, path)
    found = [one.partition("?")[0] for at in ("", "/history", "/files") for one in links(host.get(path + at))]
    assert {"manage.manage", "corrections.change", "deleting.ask"} <= {urls.match(one)[0] for one in found if one}


def test_a_deleted_match_is_restored_by_a_scorer_only(lan: Flask, store: Store, scorers: Scorers) -> None:
    path = keep(store)
    scorer, viewer = Device(lan, path, address=PHONE), Device(lan, path, address=PHONE)
    scorer.get(path)
    viewer.get(path)
    scorer.client.get(f"/s/{scorers.make(path[3:], None)}")
    store.delete(path[3:])
    for at in (path, "/deleted"):
        assert scorer.get(at).forms("restore")
        page = viewer.get(at)
        assert not page.forms("restore")
        assert "Friday" in page.markup


# A refusal


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_refusal_says_how_to_get_the_right_and_keeps_what_was_entered(
    lan: Flask, store: Store, scorers: Scorers, language: str
) -> None:
    path = keep(store, opened())
    device = Device(lan, path, address=PHONE, language=language)
    sent = {"seen": "1", "key": "0123456789", "seat": "A", "play": '5-5"><b>'}
    refused = device.page(f"{path}/play", sent | {"csrf_token": device.get("/display").csrf})
    assert refused.status == 403
    assert refused.tree.one("html").get("lang") == language
    assert {"en": "Ask the scorer for a link", "id": "Mintalah tautan"}[language] in refused.markup
    (form,) = refused.forms("play")
    assert {name: value for name, value in refused.hidden(form).items() if name != "csrf_token"} == sent
    device.client.get(f"/s/{scorers.make(path[3:], None)}")
    again = device.post(form.get("action"), refused.hidden(form) | {"play": "5-5"})
    assert again.status_code == 303
    assert len(store.load(path[3:]).match.log) == 2


def test_a_withdrawn_scorer_is_refused_from_the_next_request_on(lan: Flask, store: Store, scorers: Scorers) -> None:
    path = keep(store, opened())
    device = Device(lan, path, address=PHONE)
    device.client.get(f"/s/{scorers.make(path[3:], None)}")
    page = device.get()
    scorers.withdraw(path[3:], scorers.of(path[3:])[0].number)
    assert device.press(page, "play", "play", "5-5").status_code == 403
    assert len(store.load(path[3:]).match.log) == 1
    assert device.get().tree.one("main").all("form") == []


TAPS: Final[list[tuple[str, dict[str, str], str, str]]] = [
    ("play", {"seat": "A", "play": "5-5"}, "Not entered: Ani 5-5.", "Tidak dicatat: Ani 5-5."),
    ("undo", {"entry": "1"}, "Not entered: Undo:", "Tidak dicatat: Batalkan:"),
    ("draw", {"tiles": "?"}, "Not entered: Ani", "Tidak dicatat: Ani"),
    ("settle", {"left-A": "5-5", "left-B": "6-6"}, "Not entered:", "Tidak dicatat:"),
    ("play", {"seat": "A", "play": "9-9"}, "", ""),
    ("lot", {}, "", ""),
]


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize(("act", "fields", "english", "indonesian"), TAPS)
def test_who_was_withdrawn_learns_what_was_not_entered_and_why(
    lan: Flask,
    store: Store,
    scorers: Scorers,
    language: str,
    act: str,
    fields: dict[str, str],
    english: str,
    indonesian: str,
) -> None:
    path = keep(store, opened())
    withdrawn, viewer = (Device(lan, path, address=PHONE, language=language) for _ in range(2))
    withdrawn.client.get(f"/s/{scorers.make(path[3:], None)}")
    scorers.withdraw(path[3:], scorers.of(path[3:])[0].number)
    why = {"en": "this device kept score was withdrawn", "id": "sudah dicabut"}[language]
    for device, told in ((withdrawn, True), (viewer, False)):
        csrf = device.get("/display").csrf
        refused = device.page(f"{path}/{act}", {"csrf_token": csrf, "seen": "1", "key": "0123456789"} | fields)
        assert refused.status == 403
        said = {"en": english, "id": indonesian}[language]
        assert [one.startswith(said) for one in refused.tree.texts("p", "refusal")] == ([True] if said else [])
        assert (why in refused.refusal) is told
        assert refused.tree.one("main").one("a", "primary").get("href") == path
    assert len(store.load(path[3:]).match.log) == 1


# Starting a match


NEW: Final = {"players": "2", "deal": "5", "target": "61", "name_a": "Ani", "name_b": "Budi", "key": "0123456789"}


def test_who_starts_a_match_may_write_and_others_may_not(lan: Flask, store: Store) -> None:
    maker, other = Device(lan, address=PHONE), Device(lan, address=PHONE)
    path = maker.post("/new", NEW | {"csrf_token": maker.get("/new").csrf}).headers["Location"]
    for phone, status in ((maker, 200), (other, 403)):
        assert phone.get(f"{path}/manage").status == status
    rematch = maker.get(f"{path}/rematch")
    form = rematch.tree.one("main").one("form")
    typed = {node.get("name"): node.get("value") for node in form.all("input") if node.get("type") == "text"}
    typed |= {node.get("name"): node.one("option", selected="").get("value") for node in form.all("select")}
    second = maker.post(f"{path}/rematch", {**rematch.hidden(form), **typed}).headers["Location"]
    assert second != path
    assert maker.get(f"{second}/manage").status == 200
    assert other.get(f"{second}/manage").status == 403


def test_who_imports_a_match_may_write_it(lan: Flask, store: Store) -> None:
    phone = Device(lan, address=PHONE)
    record = b"fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\n"
    fields = {"csrf_token": phone.get("/import").csrf, "file": (io.BytesIO(record), "a.fiveup")}
    assert phone.client.post("/import", data=fields).status_code == 303
    (saved,) = store.recent(None)
    assert phone.get(f"/m/{saved.id}/manage").status == 200
    assert Device(lan, address=PHONE).get(f"/m/{saved.id}/manage").status == 403


PASSCODE: Final = "kopi tubruk \N{HOT BEVERAGE}"
WRONG: Final = {"en": "That is not the passcode.", "id": "Kode sandinya salah."}


def guarded(store: Store, passcode: str = PASSCODE, limits: Limits | None = None) -> Flask:
    network = Network(limits=limits)
    return create_app(store, secret_key="for tests", everyone_here=False, network=network, passcode=passcode)


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("typed", ["", "wrong", PASSCODE.upper(), f" {PASSCODE}", "\udc80"])
def test_a_wrong_passcode_starts_nothing_and_loses_nothing(store: Store, typed: str, language: str) -> None:
    phone = Device(guarded(store), address=PHONE, language=language)
    page = phone.get("/new")
    assert page.tree.one("input", id="passcode").get("value") == ""
    sent = typed.encode("utf-8", "surrogateescape")
    answer = phone.client.post("/new", data=NEW | {"csrf_token": page.csrf, "passcode": sent}, headers=phone.headers)
    refused = Page(answer)
    assert refused.status == 422
    assert WRONG[language] in refused.tree.one(id="passcode-error").text
    assert refused.tree.one("input", id="passcode").get("aria-describedby") == "passcode-error"
    assert refused.tree.one("input", id="passcode").get("value") == ""
    assert refused.tree.one("input", id="name_a").get("value") == "Ani"
    brought = Page(
        phone.client.post("/import", data={"csrf_token": page.csrf, "passcode": sent}, headers=phone.headers)
    )
    assert (brought.status, WRONG[language] in brought.refusal) == (422, True)
    keeps = NEW | {"csrf_token": page.csrf, "do": "keep", "set_name": "House"}
    assert phone.post("/new", keeps).status_code == 422
    assert (store.recent(None), store.rule_sets.all()) == ([], [])


def test_the_right_passcode_is_asked_once_on_each_device(store: Store) -> None:
    phone, other = Device(guarded(store), address=PHONE), Device(guarded(store), address=PHONE)
    page = phone.get("/new")
    sent = NEW | {"csrf_token": page.csrf, "passcode": PASSCODE}
    assert phone.post("/new", sent).status_code == 303
    for at in ("/new", "/import"):
        assert phone.get(at).tree.all("input", id="passcode") == []
        assert len(other.get(at).tree.all("input", id="passcode")) == 1
    assert phone.post("/new", NEW | {"csrf_token": page.csrf, "key": "a second one"}).status_code == 303
    assert other.post("/new", NEW | {"csrf_token": other.get("/new").csrf}).status_code == 422
    assert len(store.recent(None)) == 2


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_rematch_asks_for_the_passcode_as_well(store: Store, language: str) -> None:
    app = guarded(store)
    path = keep(store)
    scorer = Device(app, path, address=PHONE, language=language)
    scorer.client.get(f"/s/{app.extensions['scorers'].make(path[3:], None)}")
    page = scorer.get(f"{path}/rematch")
    form = page.tree.one("main").one("form")
    typed = {node.get("name"): node.get("value") for node in form.all("input") if node.get("type") == "text"}
    typed |= {node.get("name"): node.one("option", selected="").get("value") for node in form.all("select")}
    typed |= page.hidden(form) | {"title": "The second"}
    for wrong in ({}, {"passcode": "wrong"}):
        refused = scorer.page(f"{path}/rematch", typed | wrong)
        assert refused.status == 422
        assert WRONG[language] in refused.tree.one(id="passcode-error").text
        assert refused.tree.one("input", id="title").get("value") == "The second"
    assert len(store.recent(None)) == 1
    assert scorer.post(f"{path}/rematch", typed | {"passcode": PASSCODE}).status_code == 303
    assert scorer.get(f"{path}/rematch").tree.all("input", id="passcode") == []
    host = Device(create_app(store, secret_key="for tests", everyone_here=False, passcode=PASSCODE), path)
    assert host.get(f"{path}/rematch").tree.all("input", id="passcode") == []


def test_another_passcode_is_asked_anew(store: Store) -> None:
    phone = Device(guarded(store), address=PHONE)
    phone.post("/new", NEW | {"csrf_token": phone.get("/new").csrf, "passcode": PASSCODE})
    cookie = phone.client.get_cookie("session")
    assert cookie
    changed = Device(guarded(store, "teh tarik"), address=PHONE)
    changed.client.set_cookie("session", cookie.value)
    page = changed.get("/new")
    assert len(page.tree.all("input", id="passcode")) == 1
    assert changed.post("/new", NEW | {"csrf_token": page.csrf, "key": "a second one"}).status_code == 422


def test_guessing_a_passcode_has_a_rate(store: Store) -> None:
    phone = Device(guarded(store, limits=Limits(new=Buckets(3, 10, lambda: 1000.0))), address=PHONE)
    sent = NEW | {"csrf_token": phone.get("/new").csrf}
    answers = [phone.post(at, sent | {"passcode": "wrong"}) for at in ("/new", "/import", "/new", "/new", "/import")]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 429, 429]
    assert phone.post("/new", sent | {"passcode": PASSCODE}).status_code == 429  # so that it cannot be told


def test_a_passcode_is_in_no_address_no_log_and_no_cookie(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    phone = Device(guarded(store, "kopitubruk"), address=PHONE)
    page = phone.get("/new")
    assert page.tree.one("form", "new").get("method") == "post"
    answers = [
        phone.post("/new", NEW | {"csrf_token": page.csrf, "passcode": typed}) for typed in ("kopisusu", "kopitubruk")
    ]
    told = caplog.text + "".join(f"{answer.headers}{answer.text}" for answer in answers)
    cookie = phone.client.get_cookie("session")
    assert cookie
    signed = cookie.value.partition(".")[0]
    told += base64.urlsafe_b64decode(signed + "=" * (-len(signed) % 4)).decode()
    assert "kopi" not in told
    assert hashlib.sha256(b"kopitubruk").hexdigest() not in told


def test_the_host_is_asked_for_no_passcode(store: Store, backups: Backups) -> None:
    for everyone_here in (True, False):
        app = create_app(store, secret_key="for tests", everyone_here=everyone_here, backups=backups, passcode="kopi")
        host = Device(app)
        page = host.get("/new")
        assert page.tree.all("input", id="passcode") == []
        key = f"0123456789{everyone_here}"
        assert host.post("/new", NEW | {"csrf_token": page.csrf, "key": key}).status_code == 303

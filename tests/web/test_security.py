"""What strangers, other pages and odd input can do: nothing, and what they are told."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from fiveup_ref.backups import Backups
from fiveup_ref.engine.events import Event, Played, RoundOpened
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.rights import LOOK, Right

from .device import Device, Page, match_at
from .matches import NAMES, ended_two, keep, lead, opened, plays, settled

PHONE: Final = "192.168.1.20"
ACTS: Final = ("open", "play", "count", "score", "draw", "pass", "end", "settle", "undo", "lot")
POLICY: Final = {
    "default-src": "'none'",
    "style-src": "'self'",
    "script-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
PHASES: Final[dict[str, list[Event]]] = {
    "open": [],
    "set": opened(),
    "play": [*opened(), *plays("AB", "5-5 5-0>5-5")],
    "reached": ended_two(A=60),
    "fell back": [*ended_two(B=60), settled(B="12 pips")],
    "tie": [*ended_two(A=60, B=61), settled(B="3-2")],
    "won": [*ended_two(A=60), settled(B="3-2")],
    "fallen": [*opened(), *plays("AB", "5-5 5-0>5-5")],
}


@pytest.fixture
def path(store: Store) -> str:
    return keep(store, PHASES["play"])


# Headers


def check_headers(answer: TestResponse, *, static: bool = False) -> None:
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";"))
    assert policy == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    if not static:
        assert answer.headers["Cache-Control"] == "no-store"  # S32
        assert {"Cookie", "Accept-Language"} <= set(answer.vary)


def test_every_kind_of_answer_has_its_headers(
    app: Flask, device: Device, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> str:
        raise RuntimeError("on purpose")

    app.add_url_rule("/broken", "broken", broken)
    monkeypatch.setitem(LOOK, "broken", Right.STRANGER)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    token = device.get().csrf if device.path else device.get("/new").csrf
    client = device.client
    answers = {
        "home": client.get("/"),
        "new": client.get("/new"),
        "table": client.get(path),
        "sheet": client.get(f"{path}/sheet"),
        "head": client.head(path),
        "options": client.options(path),
        "moved": client.get(f"{path}/play"),
        "chosen": client.post("/language", data={"csrf_token": token, "language": "en", "back": "/"}),
        "refused": client.post("/new", data={"csrf_token": token}),
        "conflict": client.post(f"{path}/pass", data={"csrf_token": token, "seen": "0", "key": "0123456789"}),
        "stale": client.post("/new"),
        "unknown": client.get("/nowhere"),
        "no match": client.get("/m/nobody"),
        "method": client.put(path),
        "large": client.post("/new", data={"csrf_token": token, "title": "x" * 300_000}),
        "broken": client.get("/broken"),
    }
    for answer in answers.values():
        check_headers(answer)
    statuses = {name: answer.status_code for name, answer in answers.items()}
    assert statuses == dict.fromkeys(("home", "new", "table", "sheet", "head", "options"), 200) | {
        "moved": 303,
        "chosen": 303,
        "refused": 422,
        "conflict": 409,
        "stale": 400,
        "unknown": 404,
        "no match": 404,
        "method": 405,
        "large": 413,
        "broken": 500,
    }
    assert set(answers["method"].headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    for name in ("stale", "unknown", "no match", "method", "large", "broken"):
        page = Page(answers[name])
        assert page.tree.one("h2").text
        assert page.tree.one("main").one("a", "button").get("href") == "/"
    static = client.get("/static/style.css")
    check_headers(static, static=True)
    static.close()
    check_headers(client.get("/static/nothing.css"), static=True)


@pytest.mark.parametrize("phase", PHASES)
def test_pages_obey_the_policy_and_need_no_network(device: Device, store: Store, phase: str) -> None:
    path = keep(store, PHASES[phase])
    gone = keep(store)
    store.delete(gone.split("/")[2])
    others = (
        "",
        "/sheet",
        "/files",
        "/delete",
        "/pictures",
        "/history",
        "/manage",
        "/judge",
        "/facing",
        "/board",
        "/share",
        "/seat",
        "/scorers",
        "/what-if",
    )
    pages = (
        *(path + one for one in others),
        gone,
        "/",
        "/new",
        "/import",
        "/deleted",
        "/backups",
        "/blank",
        "/rules",
        "/rule-sets",
        "/judge",
    )
    for page in map(device.get, pages):
        assert page.tree.all("style") == []
        assert [node for node in page.tree.all("script") if not node.get("src") or node.text] == []
        for node in page.tree.walk():
            assert not [name for name in node.attributes if name.startswith("on") or name == "style"]
            for name in ("href", "src", "action", "formaction"):
                assert not re.match(r"(?i)[a-z]+:|//", node.get(name)), node
        assert not re.search(r"https?://", page.markup)


# Tokens


@pytest.mark.parametrize("token", [None, "", "wrong", "other"])
def test_a_form_of_another_page_enters_nothing_s02(
    app: Flask, store: Store, backups: Backups, path: str, token: str | None
) -> None:
    device = Device(app, path, language="id")
    page = device.get()
    fields = {"seen": "3", "key": "0123456789", "seat": "A", "play": "6-5>5-5", "opener": "A lot", "entry": "3"}
    fields |= {"players": "2", "deal": "5", "target": "61", "name_a": "Ani", "name_b": "Budi"}
    if token is not None:
        fields["csrf_token"] = Device(app, path).get().csrf if token == "other" else token
    before = match_at(store, path)
    gone = keep(store)
    store.delete(gone.split("/")[2])
    name = backups.make().name
    others = ("/import", "/backups", f"/backups/{name}/restore", f"{path}/delete", f"{gone}/restore")
    for target in ("/new", "/language", *others, *(f"{path}/{act}" for act in ACTS)):
        refused = device.page(target, fields | {"language": "en"})
        assert refused.status == 400
        assert refused.tree.one("html").get("lang") == "id"
        assert refused.tree.one("h2").text not in ("", "This page is out of date")
        assert refused.tree.one("main").one("a", "button").get("href") == "/"
    assert match_at(store, path) == before
    assert len(store.recent(None)) == len(store.deleted(None)) == len(backups.all()) == 1
    fields["csrf_token"] = page.csrf
    assert device.post(f"{path}/play", fields).status_code == 303


def test_the_token_of_a_form_outlives_a_long_night(app: Flask, device: Device, path: str) -> None:
    assert app.config["WTF_CSRF_TIME_LIMIT"] is None
    assert app.config["WTF_CSRF_ENABLED"]
    assert device.get(path).csrf


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_do_nothing(client: FlaskClient, store: Store, path: str, method: str) -> None:
    for target in ("/", "/new", path, f"{path}/play", f"{path}/sheet", "/language"):
        assert getattr(client, method)(target).status_code in (400, 405)
    assert len(match_at(store, path).log) == 3


def test_looking_changes_nothing(client: FlaskClient, store: Store, path: str) -> None:
    for act in ACTS:
        answer = client.get(f"{path}/{act}", query_string={"play": "6-5>5-5", "seat": "A", "seen": "3"})
        assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert client.get("/language").status_code == 405
    assert len(match_at(store, path).log) == 3


# Cookies


def test_the_cookie_is_kept_from_scripts_and_other_sites_s05_s06(client: FlaskClient, path: str) -> None:
    for page in ("/new", path):
        (cookie,) = client.get(page).headers.getlist("Set-Cookie")
        parts = [part.strip().split("=")[0] + "=" + part.partition("=")[2] for part in cookie.split(";")[1:]]
        assert {"HttpOnly=", "SameSite=Lax", "Path=/"} <= set(parts)
        assert "Secure=" not in parts  # on http://192.168.1.20 it would never come back
        assert ("Expires=" in cookie) == (page == path)  # a match is remembered when the browser is closed


def test_a_cookie_that_was_tampered_with_is_no_cookie(app: Flask, store: Store) -> None:
    app = create_app(store, secret_key="for tests", everyone_here=False)
    match = keep(store)
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = PHONE
    client.get(match)
    cookie = client.get_cookie("session")
    assert cookie
    assert match in client.get("/").text
    for value in (cookie.value[:-3] + "AAA", "", "x" * 3_000, "é"):
        client.set_cookie("session", value)
        page = client.get("/")
        assert (page.status_code, match in page.text) == (200, False)


# Addresses


def test_others_see_only_what_they_opened(store: Store) -> None:
    app = create_app(store, secret_key="for tests", everyone_here=False)
    paths = [keep(store, title=title) for title in ("First", "Second")]
    mine, other = Device(app, address=PHONE), Device(app, address=PHONE)
    assert "No match yet." in mine.get("/").markup
    mine.get(paths[0])
    assert [link.get("href") for link in mine.get("/").tree.all("a", "match")] == [paths[0]]
    mine.get("/m/nobody")
    mine.get(f"{paths[1]}/version")
    assert [link.get("href") for link in mine.get("/").tree.all("a", "match")] == [paths[0]]
    mine.get(f"{paths[1]}/sheet")
    assert [link.get("href") for link in mine.get("/").tree.all("a", "match")] == [paths[1], paths[0]]
    assert other.get("/").tree.all("a", "match") == []


def test_a_device_keeps_its_latest_matches_in_a_small_cookie(store: Store) -> None:
    app = create_app(store, secret_key="for tests", everyone_here=False)
    device = Device(app, address=PHONE)
    paths = [keep(store) for _ in range(42)]
    sizes = [len(device.client.get(path).headers["Set-Cookie"]) for path in paths]
    assert max(sizes) < 4_000
    listed = {link.get("href") for link in device.get("/").tree.all("a", "match")}
    assert listed == set(paths[2:])


def test_addresses_cannot_be_guessed(store: Store) -> None:
    ids = [keep(store).removeprefix("/m/") for _ in range(50)]
    assert len(set(ids)) == 50
    assert all(re.fullmatch(r"[\w-]{22}", one) for one in ids)
    assert len({one[:4] for one in ids}) > 45


@pytest.mark.parametrize(
    ("back", "leads_to"),
    [
        ("/", "/"),
        ("/m/abc?form=counts&ends=6-6+5", "/m/abc?form=counts&ends=6-6+5"),
        ("", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("\\/evil.example", "/"),
        ("/\t/evil.example", "/"),
        ("/\n/evil.example", "/"),
        ("https://evil.example/", "/"),
        ("http:evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("evil.example", "/"),
        (" //evil.example", "/"),
        ("/\r\nSet-Cookie: a=b", "/"),
        ("/\x00/evil.example", "/"),
        ("/\u2028/evil.example", "/"),
    ],
)
def test_the_way_back_from_a_language_stays_here(device: Device, back: str, leads_to: str) -> None:
    token = device.get("/").csrf
    answer = device.post("/language", {"csrf_token": token, "language": "id", "back": back})
    assert (answer.status_code, answer.headers["Location"]) == (303, leads_to)
    assert device.get("/").tree.one("html").get("lang") == "id"


@given(back=st.text(alphabet=st.sampled_from("/\\.:@?#%evil \t\r\n\x00é")))
@settings(max_examples=60, deadline=None)
def test_no_way_back_leads_elsewhere(fuzzed: Fuzzed, back: str) -> None:
    client = fuzzed.client
    answer = client.post("/language", data={"csrf_token": fuzzed.token, "language": "en", "back": back})
    location = answer.headers["Location"]
    assert location.startswith("/")
    assert location[1:2] not in ("/", "\\")
    assert not re.search(r"[\x00-\x1f\\]", location)


def test_slashes_at_the_front_do_not_lead_elsewhere(app: Flask) -> None:
    for start in ("//evil.example/m/x", "///evil.example", "/m//x"):
        answer = app.test_client().get("/", environ_overrides={"PATH_INFO": start, "RAW_URI": start})
        assert answer.status_code in (308, 404)
        assert re.match(r"http://localhost/(?!/)", answer.headers.get("Location", "http://localhost/x"))


# Names


EVIL: Final = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "%(name)s %s {seat} {{ 7*7 }} {% x %}",
    "</title></bdi><b onclick=x>&lt;&amp;",
)


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("phase", PHASES)
def test_names_are_text_wherever_they_stand_s51(app: Flask, store: Store, phase: str, language: str) -> None:
    device = Device(app, language=language)
    for names in (EVIL[:2], EVIL[2:]):
        path = device.path = keep(store, PHASES[phase], names=names, title=names[0])
        pages = [device.get(), device.get(form="points"), device.get("/")]
        pages += [device.get(f"{path}/{part}") for part in ("sheet", "facing", "pictures", "history", "judge")]
        pages.append(device.get(form="counts"))
        token = pages[0].csrf
        for act in ("open", "play", "end", "settle"):
            for seen in ("0", str(len(PHASES[phase]))):
                fields = {"csrf_token": token, "seat": "B", "play": names[0], "opener": names[0], "out": names[1]}
                fields |= {"seen": seen, "key": "0123456789", "ends": names[0], "points": names[0], "pips-B": names[0]}
                answer = device.post(f"{path}/{act}", fields)
                if answer.status_code != 303:
                    pages.append(Page(answer))
        for page in pages:
            assert page.status < 500
            check_only_text(page, names)


def check_only_text(page: Page, names: tuple[str, ...]) -> None:
    """No element and no attribute came out of a name, and the names are there as they were written."""
    assert page.tree.all("img") == []
    assert {node.get("src") for node in page.tree.all("script")} <= {"/static/table.js"}
    for node in page.tree.walk():
        assert not [name for name in node.attributes if name.startswith("on")]
    assert all(name in page.tree.text for name in names)
    assert "&amp;lt;script" not in page.markup
    assert "49" not in page.tree.text.replace("4 9", "")


def test_names_in_titles_and_labels_are_text(device: Device, store: Store) -> None:
    device.path = keep(store, PHASES["play"], names=EVIL[:2], title=EVIL[3])
    page = device.get(form="points")
    assert page.tree.one("head").one("title").text == f"{EVIL[3]} · {EVIL[0]} – {EVIL[1]}"
    assert [form.get("aria-label") for form in page.forms("score")] == list(EVIL[:2])
    assert page.tree.one("h1").text == f"{EVIL[3]} · round 1 · before settlement"
    assert page.button("undo", "entry", "3")[1].text == f"↶ Undo: {EVIL[1]} 5-0 on 5-5"


@pytest.mark.parametrize("name", ["W" * 40, "Ѡ" * 40, "👨‍👩‍👧‍👦🁣🀱", "ديوي", "=1+1", "A_i", "%", "O'Brien & Söhne"])
def test_odd_names_are_whole_on_every_page_k36_k37_k39_k40(device: Device, store: Store, name: str) -> None:
    device.path = keep(store, PHASES["won"], names=("Ani", name))
    for page in (device.get(), device.get("/"), device.get(f"{device.path}/sheet")):
        assert name in [node.text for node in page.tree.all("bdi")]  # apart, so that numbers stay on their side


@pytest.mark.parametrize("field", ["title", "name_a", "target"])
def test_what_was_typed_comes_back_as_text(device: Device, field: str) -> None:
    page = device.get("/new")
    sent = page.hidden(page.tree.one("form", "new")) | {field: EVIL[1] * 2, "players": "2"}
    refused = device.page("/new", sent)
    assert refused.status == 422
    assert refused.tree.one("form", "new").one("input", name=field).get("value") == EVIL[1] * 2
    assert refused.tree.all("img") == []


# No answer is a crash


class Fuzzed:
    """An app that has matches in every phase, for requests of any kind."""

    def __init__(self, store: Store) -> None:
        self.app = create_app(store, secret_key="for tests", everyone_here=True)
        self.app.config["PROPAGATE_EXCEPTIONS"] = True
        self.paths = [keep(store, log) for log in PHASES.values()]
        self.paths.append(keep(store, [RoundOpened("C", "lot"), Played("C", Tile.of(5, 5))], names=NAMES))
        self.paths.append(keep(store, lead(A=-3), names=NAMES[:3], changes={"hand": "7"}))
        self.client = self.app.test_client()
        self.token = Page(self.client.get("/new")).csrf


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    store = Store(tmp_path_factory.mktemp("fuzzed"))
    yield Fuzzed(store)
    store.close()


FIELDS: Final = (
    *("seen", "key", "seat", "opener", "play", "ends", "points", "tiles", "out", "entry", "do", "form"),
    *("left-A", "left-B", "left-C", "pips-A", "pips-B", "pips-C"),
    *("kind", "tile", "onto", "uncounted", "by", "text", "team", "sign", "amount", "why", "sure"),
    *("name-A", "name-B", "sits-A", "hand", "exact", "reserve", "settlement"),
    *("title", "players", "deal", "target", "name_a", "name_b", "name_c", "name_d", "language", "back"),
)
LIKELY: Final = (
    *("", "0", "1", "2", "3", "11", "13", "-1", "−2", "1_0", "٣", "9" * 400, "A", "B", "C", "Z", "A lot", "B out"),
    *("Z agreed", "5-5", "6-5>5-5", "5-0>5-5", "7-7", "6-6 5", "blocked", "?", "work", "settle", "counts", "points"),
    *("0123456789", "<script>", "%s%(x)d{y}", "\x00", "\ud7ff", "a\r\nb", "//x", "2", "4", "9/7/5", "61", "en"),
)
VALUES: Final = st.sampled_from(LIKELY) | st.text(max_size=12)
SENT: Final = st.dictionaries(st.sampled_from(FIELDS), st.lists(VALUES, min_size=1, max_size=3), max_size=9)
MENDING: Final = (
    *(f"entry/{entry}/{way}" for entry in (1, 2, 3, 99) for way in ("edit", "insert", "remove")),
    *("history", "round/1/2", "manage", "manage/rules/preview", "rematch"),
    *(f"manage/{act}" for act in ("names", "rules", "adjust", "close")),
)
ENDS: Final = st.sampled_from(["", *(f"/{act}" for act in (*ACTS, *MENDING, "sheet", "nothing", "")), "/play/x"])
KINDS: Final = st.sampled_from(["form", "form", "form", "file", "json"])
ANSWERS: Final = {200, 303, 308, 400, 404, 405, 409, 422}


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_no_request_is_answered_by_a_crash(fuzzed: Fuzzed, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(fuzzed.paths) - 1))
    path = data.draw(st.sampled_from(["/new", "/language", *[""] * 10])) or fuzzed.paths[number] + data.draw(ENDS)
    sent: dict[str, Any] = dict(data.draw(SENT))
    kind = data.draw(KINDS)
    headers = {"X-CSRFToken": fuzzed.token, "Accept-Language": data.draw(st.sampled_from(["en", "id"]))}
    if kind == "json":
        body = data.draw(st.sampled_from([sent, [sent], None, 3, "x", {"points": 3.9}]))
        answer = fuzzed.client.post(path, json=body, headers=headers)
    elif kind == "file":
        files = {name: [(io.BytesIO(b"\xff"), value) for value in values] for name, values in sent.items()}
        answer = fuzzed.client.post(path, data=files, headers=headers, content_type="multipart/form-data")
    else:
        answer = fuzzed.client.post(path, data=sent, headers=headers)
    assert answer.status_code in ANSWERS
    check_headers(answer)


@given(
    path=st.text(max_size=20), query=SENT, method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "OPTIONS", "TRACE"])
)
@settings(max_examples=60, deadline=None)
def test_no_address_is_answered_by_a_crash(fuzzed: Fuzzed, path: str, query: dict[str, list[str]], method: str) -> None:
    headers = {"X-CSRFToken": fuzzed.token}
    for start in ("/", "/m/", f"{fuzzed.paths[2]}/"):
        answer = fuzzed.client.open(
            start,
            method=method,
            query_string=query,
            headers=headers,
            environ_overrides={"PATH_INFO": start + path.encode().decode("latin-1")},
        )
        assert answer.status_code in ANSWERS
        check_headers(answer, static=(start + path).startswith("/static/"))


@given(query=SENT)
@settings(max_examples=40, deadline=None)
def test_a_table_page_with_any_wishes_is_shown(fuzzed: Fuzzed, query: dict[str, list[str]]) -> None:
    for path in fuzzed.paths[1:3]:
        assert fuzzed.client.get(path, query_string=query).status_code == 200
        for rest in MENDING:
            assert fuzzed.client.get(f"{path}/{rest}", query_string=query).status_code in (200, 303, 404, 422)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"\xff\xfe%ZZ=%&&==;", "application/x-www-form-urlencoded", 422),
        (b"a" * 300_000, "application/x-www-form-urlencoded", 413),
        (b"--x", "multipart/form-data", 422),
        (b"", "multipart/form-data; boundary=x", 422),
        (b"not json", "application/json", 422),
        (b"\x80", "text/plain", 422),
    ],
)
def test_bodies_that_are_no_form(
    client: FlaskClient, store: Store, path: str, body: bytes, kind: str, status: int
) -> None:
    headers = {"X-CSRFToken": Page(client.get("/new")).csrf}
    for target in ("/new", f"{path}/play", f"{path}/settle"):
        answer = client.post(target, data=body, content_type=kind, headers=headers)
        assert answer.status_code == status
    assert len(match_at(store, path).log) == 3


def test_too_many_fields_are_too_large(device: Device, path: str) -> None:
    device.path = path
    token = device.get().csrf
    fields = {"csrf_token": token} | {f"left-{number}": "6-6" for number in range(600)}
    answer = device.client.post(f"{path}/settle", data=fields, content_type="multipart/form-data")
    assert answer.status_code == 413
    assert Page(answer).tree.one("h2").text == "That was too much at once"

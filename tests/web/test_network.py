"""Behind a proxy, under a path, under a name: links stay right, headers of strangers count for nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask

from fiveup_ref.scorers import Scorers
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.network import Network, answers_to

from .device import Device, Node, Page, match_at
from .matches import keep, opened, plays

FORWARDED: Final = {
    "X-Forwarded-For": "198.51.100.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "club.example",
    "X-Forwarded-Prefix": "/domino",
    "Forwarded": "for=198.51.100.7;proto=https;host=club.example",
}
NAMES: Final = frozenset({"club.example"})
PROJECT: Final = Path(__file__).parents[2]


def made(store: Store, network: Network) -> Flask:
    app = create_app(store, secret_key="for tests", everyone_here=True, network=network)
    app.config["PROPAGATE_EXCEPTIONS"] = True
    return app


def targets(page: Page) -> list[str]:
    """Every address a page leads to or loads."""
    nodes: list[Node] = list(page.tree.walk())
    return [node.get(name) for node in nodes for name in ("href", "src", "action", "formaction", "data-match") if node.get(name)]  # fmt: skip


# Under a path


def taking_away(app: Any) -> Any:
    """A proxy that hands on what stands behind the prefix."""

    def proxy(environ: dict[str, Any], start_response: Any) -> Any:
        environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix("/domino") or "/"
        return app(environ, start_response)

    return proxy


@pytest.mark.parametrize("kept", [True, False], ids=["the proxy leaves the path", "the proxy takes it away"])
def test_a_match_under_a_prefix_never_leaves_it_s47(store: Store, kept: bool) -> None:
    app = made(store, Network(prefix="/domino"))
    if not kept:
        app.wsgi_app = taking_away(app.wsgi_app)  # type: ignore[method-assign]
    device = Device(app)

    def get(path: str) -> Page:
        page = device.get(path)
        assert page.status < 400, path
        for target in targets(page):
            assert target.startswith(("/domino/", "#", "?")), (path, target)
        return page

    home = get("/domino/")
    new = get("/domino/new")
    form = new.tree.one("form", "new")
    assert form.get("action") in ("", "/domino/new")
    fields = new.hidden(form) | {"players": "2", "deal": "5", "target": "61", "name_a": "Ani", "name_b": "Budi"}
    answer = device.post("/domino/new", fields)
    path = answer.headers["Location"]
    assert re.fullmatch(r"/domino/m/[\w-]{22}", path)
    for act, name, value in (("open", "opener", "A lot"), ("play", "play", "5-5"), ("play", "play", "5-0>5-5")):
        page = get(path)
        pressed, _ = page.button(act, name, value)
        sent = {**page.hidden(pressed), name: value}
        answer = device.post(pressed.get("action"), sent)
        assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert len(store.load(path.split("/")[-1]).match.log) == 3

    seen, left = set(), [target for page in (home, get(path)) for target in targets(page)]
    while left:
        target = left.pop().partition("#")[0]
        known = re.sub(r"entry/\d+|round/\d+/\d+|\?.*|/static/.*", "", target)
        if not target.startswith("/domino/") or known in seen or "/static/" in target:
            continue
        seen.add(known)
        asked = device.client.get(target, headers=device.headers)
        assert asked.status_code < 500, target
        assert asked.headers.get("Location", "/domino/").startswith("/domino/"), target
        if asked.mimetype == "text/html" and asked.status_code == 200:
            left += targets(Page(asked))
            for one in targets(Page(asked)):
                assert one.startswith(("/domino/", "#", "?")), (target, one)
    assert len(seen) > 25


def test_files_manifest_and_worker_stand_under_the_prefix_s47(store: Store) -> None:
    client = made(store, Network(prefix="/domino")).test_client()
    with client.get("/domino/static/style.css") as style:
        assert style.status_code == 200
    manifest = json.loads(client.get("/domino/manifest.webmanifest").text)
    assert {manifest["id"], manifest["start_url"], manifest["scope"]} == {"/domino/"}
    assert all(icon["src"].startswith("/domino/static/") for icon in manifest["icons"])
    assert client.get("/domino/sw.js").mimetype == "text/javascript"
    assert client.get("/domino").status_code == 200
    assert client.get("/dominoes").status_code == 404


def test_the_language_and_display_lead_back_under_the_prefix(store: Store) -> None:
    device = Device(made(store, Network(prefix="/domino")))
    path = f"/domino{keep(store, opened())}"
    page = device.get(path, form="counts")
    (form,) = (one for one in page.tree.all("form") if one.get("action") == "/domino/language")
    answer = device.post("/domino/language", page.hidden(form) | {"language": "id"})
    assert answer.headers["Location"] == f"{path}?form=counts"
    for back in ("/", "/elsewhere", "//evil.example", "/domino", "/dominoes/x"):
        answer = device.post("/domino/language", {"csrf_token": page.csrf, "language": "en", "back": back})
        assert answer.headers["Location"] == "/domino/"


def test_the_cookie_comes_back_under_the_prefix_only(store: Store) -> None:
    (cookie,) = made(store, Network(prefix="/domino")).test_client().get("/domino/new").headers.getlist("Set-Cookie")
    assert "Path=/domino;" in f"{cookie};"


# Behind a proxy


def test_forwarded_headers_of_strangers_count_for_nothing_s48(store: Store) -> None:
    client = made(store, Network(names=NAMES)).test_client()
    answer = client.get("/judge/count?ends=5-5", headers=FORWARDED)
    assert "/domino" not in answer.text
    assert "club.example" not in answer.text
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert "Secure" not in cookie
    assert "Path=/;" in f"{cookie};"


def test_those_of_a_known_proxy_are_believed_s48_s05_s06(store: Store) -> None:
    client = made(store, Network(names=NAMES, proxies=1)).test_client()
    answer = client.get("/new", headers=FORWARDED)
    assert all(target.startswith(("/domino/", "#")) for target in targets(Page(answer)))
    (cookie,) = answer.headers.getlist("Set-Cookie")
    parts = {part.strip() for part in cookie.split(";")}
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/domino"} <= parts
    slip = client.get("/judge/count?ends=5-5", headers=FORWARDED).text
    assert "https://club.example/domino/judge/count" in slip


def test_a_form_goes_through_over_https(store: Store) -> None:
    app = made(store, Network(names=NAMES, proxies=1))
    path = keep(store, [*opened(), *plays("A", "5-5")])
    client = app.test_client()
    headers = {name: value for name, value in FORWARDED.items() if name != "X-Forwarded-Prefix"}
    base = {"base_url": "https://club.example", "headers": headers | {"Referer": f"https://club.example{path}"}}
    client.get(f"/s/{Scorers(store.connections).make(path[3:], None)}", **base)
    page = Page(client.get(path, **base))
    form, _ = page.button("play", "play", "5-0>5-5")
    answer = client.post(f"{path}/play", data={**page.hidden(form), "play": "5-0>5-5"}, **base)
    assert answer.status_code == 303
    assert len(match_at(store, path).log) == 3


def test_only_as_many_proxies_as_were_named(store: Store) -> None:
    """What a client wrote itself stands before what the proxies added."""
    app = made(store, Network(names=NAMES, proxies=1))
    headers = {"X-Forwarded-For": "1.2.3.4, 198.51.100.7", "X-Forwarded-Host": "evil.example, club.example"}
    assert app.test_client().get("/", headers=headers).status_code == 200
    assert made(store, Network(names=NAMES, proxies=2)).test_client().get("/", headers=headers).status_code == 421


# Under a name


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        *((host, True) for host in ("localhost", "localhost:8000", "127.0.0.1:1", "192.168.1.20:8000", "[::1]:8000")),
        *((host, True) for host in ("club.example", "CLUB.example:443", "club.example.")),
        *((host, False) for host in ("evil.example", "club.example.evil.example", "localhost.evil.example", "x@y")),
        *(
            (host, False)
            for host in (
                "",
                ":",
                "[",
                "a b",
                "a_b.evil.example",
                "..",
                f"{'a' * 64}.example",
                "a, b",
                ".",
                "127.0.0.1.evil.example",
                "256.1.1.1",
                "evil.example:8000",
            )
        ),
    ],
)
def test_only_names_that_are_its_own_are_answered(store: Store, host: str, answered: bool) -> None:
    """Another site can have its name lead here, and would then read what a browser of this network may read."""
    assert answers_to(host, NAMES | {""}) == answered
    path = keep(store)
    app = made(store, Network(names=NAMES | {""}))
    for target in ("/", path, "/nowhere", "/m//x"):
        answer = app.test_client().get(target, environ_overrides={"HTTP_HOST": host})
        assert (answer.status_code != 421) == answered
        assert answered or "Location" not in answer.headers
    if not answered:
        token = Page(app.test_client().get("/new")).csrf
        answer = app.test_client().post("/new", data={"csrf_token": token}, environ_overrides={"HTTP_HOST": host})
        assert answer.status_code == 421
        assert Page(answer).tree.one("h2").text == "The app does not answer to this name"


# The log


def test_a_fault_inside_is_logged_without_the_address_of_the_match(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = create_app(store, secret_key="for tests", everyone_here=False)
    path = keep(store, names=("Ani Rahasia", "Budi"))

    def broken(*_: object) -> None:
        raise OSError(5, "on purpose")

    def closed(*_: object) -> None:
        raise PermissionError(13, "no rights")

    for fault, status in ((broken, 500), (closed, 503)):
        monkeypatch.setattr(store, "load", fault)
        assert app.test_client().get(f"{path}?name=Ani+Rahasia").status_code == status
    logged = caplog.text
    assert "/m/<match_id>" in logged
    assert path.split("/")[2] not in logged
    assert "Rahasia" not in logged
    assert "127.0.0.1" not in logged


def test_no_template_and_no_module_forgets_the_prefix() -> None:
    """The path of a request is that behind the prefix."""
    for place in (*PROJECT.glob("templates/*.html"), *PROJECT.glob("fiveup_ref/web/*.py")):
        for line in place.read_text("utf-8").splitlines():
            if re.search(r"request\.(path|full_path)", line):
                assert "request.script_root" in line, (place.name, line)

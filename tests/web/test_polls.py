"""The question that phones ask every other second: answered ahead of Flask, to the byte as Flask answers it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask, request
from werkzeug.test import EnvironBuilder, run_wsgi_app

from fiveup_ref.agreements import Agreements
from fiveup_ref.backups import Backups
from fiveup_ref.engine.events import Noted
from fiveup_ref.engine.seats import Seat
from fiveup_ref.scorers import Scorers
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.limits import Buckets, Limits
from fiveup_ref.web.network import Network
from fiveup_ref.web.polls import Poll, Polls, poll_in

from .device import Device
from .matches import ended_two, keep, opened, settled

Answer = tuple[bytes, str, list[tuple[str, str]]]
PHONE: Final = "192.168.1.20"
LOG: Final = [*ended_two(), settled(B="3-2")]
UNDER: Final[dict[str, tuple[dict[str, Any], str, dict[str, str]]]] = {
    "this machine alone": ({}, "", {}),
    "a network": ({"limits": Limits()}, "", {}),
    "a path": ({"prefix": "/domino", "limits": Limits()}, "/domino", {}),
    "a proxy": (
        {"proxies": 1, "names": frozenset({"club.example"}), "limits": Limits()},
        "",
        {"X-Forwarded-For": PHONE, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "club.example"},
    ),
}


def ask(app: Flask, path: str, **given: Any) -> Answer:
    """Body, status and headers in their order."""
    environ = EnvironBuilder(path=path, **given).get_environ() | {"REMOTE_ADDR": PHONE}
    told, status, headers = run_wsgi_app(app, environ)
    return b"".join(told), status, list(headers)


class Asked:
    """An app, and the addresses that got as far as Flask."""

    def __init__(self, store: Store, network: Network | None = None) -> None:
        self.app = create_app(store, secret_key="for tests", everyone_here=False, network=network)
        self.flask: list[str] = []
        self.app.before_request_funcs[None].insert(0, lambda: self.flask.append(request.path))

    def by_flask(self, monkeypatch: pytest.MonkeyPatch, path: str, **given: Any) -> Answer:
        """What Flask alone answers."""
        with monkeypatch.context() as only:
            only.setattr(Polls, "__call__", lambda polls, *arguments: polls._app(*arguments))
            return ask(self.app, path, **given)


@pytest.fixture
def path(store: Store) -> str:
    return keep(store, LOG)


@pytest.mark.parametrize("under", UNDER)
def test_an_answer_is_the_one_of_flask_to_the_byte(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch, under: str
) -> None:
    settings, prefix, headers = UNDER[under]
    asked = Asked(store, Network(**settings))
    agreements = Agreements(store.connections)
    told = [str(len(LOG)), f"{len(LOG)}.1"]
    for version in told:
        for more in ("", "?a=b", "?"):
            for language in ("en", "id"):
                given = {"headers": {**headers, "Accept-Language": language}}
                fast = ask(asked.app, f"{prefix}{path}/version{more}", **given)
                assert asked.flask == []
                assert fast == asked.by_flask(monkeypatch, f"{prefix}{path}/version{more}", **given)
                assert asked.flask.pop() == f"{path}/version"
                assert (fast[0].decode(), fast[1]) == (version, "200 OK")
        agreements.agree(path[3:], store.load(path[3:]).match, round_=1, seat=Seat("A"), device="a")


def test_nobody_sees_more_or_less_than_flask_shows_him(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a stranger with the address, nor a viewer, nor a scorer, nor one whose link was withdrawn."""
    asked = Asked(store)
    scorers = Scorers(store.connections)
    answers = []
    for role in ("stranger", "viewer", "scorer", "withdrawn"):
        device = Device(asked.app, path, address=PHONE)
        if role in ("scorer", "withdrawn"):
            device.client.get(f"/s/{scorers.make(path[3:], role)}")
        if role != "stranger":
            device.get()
        if role == "withdrawn":
            scorers.withdraw(path[3:], scorers.of(path[3:])[-1].number)
        cookie = device.client.get_cookie("session")
        asked.flask.clear()
        given = {"headers": {"Cookie": f"session={cookie.value}"} if cookie else {}}
        assert bool(cookie) == (role != "stranger")
        answers.append(ask(asked.app, f"{path}/version", **given))
        assert asked.flask == []
        assert answers[-1] == asked.by_flask(monkeypatch, f"{path}/version", **given)
    assert answers == answers[:1] * 4
    assert "Set-Cookie" not in dict(answers[0][2])  # it might bring back a cookie that was changed meanwhile


@pytest.mark.parametrize(
    ("asks", "given", "status"),
    [
        ("/m/nobody/version", {}, 404),
        ("/m/{id}/versions", {}, 404),
        ("/m/{id}/version/", {}, 404),
        ("/m/{id}x/version", {}, 404),
        ("/m/{id}%0A/version", {}, 404),
        ("/m/%C3%A9/version", {}, 404),
        ("/m/%FF/version", {}, 404),
        ("/m/{id}/version%0A", {}, 404),
        ("/M/{id}/version", {}, 404),
        ("/m/{id}/version", {"method": "HEAD"}, 200),
        ("/m/{id}/version", {"method": "OPTIONS"}, 200),
        ("/m/{id}/version", {"method": "POST"}, 405),
        ("/m/{id}/version", {"method": "PUT"}, 405),
        ("/m/{id}/version", {"headers": {"Host": "evil.example"}}, 421),
        ("/m/{id}/version", {"headers": {"Host": "evil.example:8000"}}, 421),
        ("/m/{id}/version", {"headers": {"Host": ""}}, 421),
        ("/m/nobody/version", {"headers": {"Host": "evil.example"}}, 421),
    ],
)
def test_all_else_goes_on_to_flask(store: Store, path: str, asks: str, given: dict[str, Any], status: int) -> None:
    asked = Asked(store, Network(limits=Limits()))
    _, found, headers = ask(asked.app, asks.replace("{id}", path[3:]), **given)
    assert found.startswith(f"{status} ")
    assert len(asked.flask) == 1
    assert "default-src 'none'" in dict(headers)["Content-Security-Policy"]


def test_a_match_that_was_deleted_is_gone_at_once(store: Store, path: str) -> None:
    asked = Asked(store)
    assert ask(asked.app, f"{path}/version")[1] == "200 OK"
    store.delete(path[3:])
    assert ask(asked.app, f"{path}/version")[1].startswith("410 ")
    store.restore(path[3:])
    assert ask(asked.app, f"{path}/version")[1] == "200 OK"


def test_who_guessed_too_often_waits_unless_the_match_was_opened_before(store: Store, path: str) -> None:
    asked = Asked(store, Network(limits=Limits(wrong=Buckets(2, 10, lambda: 1000.0))))
    device = Device(asked.app, path, address=PHONE)
    device.get()
    statuses = [ask(asked.app, one)[1][:3] for one in ("/m/a/version", "/m/b/version", "/m/c/version")]
    assert statuses == ["404", "404", "429"]
    assert ask(asked.app, f"{path}/version")[1].startswith("429 ")
    assert device.client.get(f"{path}/version").text == str(len(LOG))


def poll_of(app: Flask, path: str, host: str = "localhost") -> Poll:
    environ = EnvironBuilder(path=f"{path}/version").get_environ() | {"HTTP_HOST": host}
    poll = poll_in(app, environ)
    assert poll
    return poll


def test_many_are_answered_each_with_its_own(store: Store) -> None:
    """Among them one that asks by another name, and one for a match that is not there."""
    paths = [keep(store, LOG[:entries]) for entries in (1, 4, 2)]
    app = Asked(store).app
    polls = [poll_of(app, path) for path in (*paths, "/m/nobody", paths[1])]
    polls.append(poll_of(app, paths[0], "evil.example"))
    assert app.extensions["polls"].answers(polls) == [b"1", b"4", b"2", None, b"4", None]
    assert poll_in(app, EnvironBuilder(path="/").get_environ()) is None


def test_a_fault_of_the_program_is_said_by_flask(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong ahead of it must not end the loop that answers all."""
    app = Asked(store).app
    poll = poll_of(app, path)
    monkeypatch.setattr(store, "editions", lambda _: 1 // 0)
    assert app.extensions["polls"].answers([poll, poll]) == [None, None]


@pytest.mark.parametrize("fault", [sqlite3.OperationalError("disk I/O error"), PermissionError(13, "no rights")])
def test_a_fault_of_storage_is_answered_with_its_page(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    asked = Asked(store)

    def broken(_: object) -> int:
        raise fault

    if isinstance(fault, sqlite3.Error):
        fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
    for name in ("edition", "editions"):
        monkeypatch.setattr(store, name, broken)
    told, status, _ = ask(asked.app, f"{path}/version")
    assert status.startswith("503 ")
    assert b"<main" in told


def test_an_entry_is_seen_at_once(store: Store) -> None:
    path = keep(store)
    asked = Asked(store)
    versions = []
    for number, event in enumerate(opened()):
        versions.append(ask(asked.app, f"{path}/version")[0])
        store.append(path[3:], event, seen=number, key="")
    versions.append(ask(asked.app, f"{path}/version")[0])
    assert versions == [str(number).encode() for number in range(len(opened()) + 1)]


def test_a_rematch_is_another_version_and_each_in_its_place(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    path = keep(store, LOG)
    match = store.load(path[3:]).match
    asked = Asked(store)

    def versions() -> tuple[str, str, str]:
        page = Device(asked.app, path).get()
        assert page.hidden(page.forms("undo")[0])["seen"] == str(len(LOG))
        polled = ask(asked.app, f"{path}/version")[0].decode()
        by_flask = asked.by_flask(monkeypatch, f"{path}/version")[0].decode()
        return polled, by_flask, page.tree.one("main").get("data-seen")

    found, made = [versions()], []
    for _ in range(2):
        made.append(store.create(title="", rules=match.rules, players=match.players, follows=path[3:]))
        found.append(versions())
        store.delete(made[-1])
        found.append(versions())
    store.restore(made[0])
    found.append(versions())
    assert [len(set(one)) for one in found] == [1] * 6
    texts = [polled for polled, *_ in found]
    assert [texts[at] for at in (0, 2, 4)] == [str(len(LOG))] * 3
    assert texts[1] == texts[5] == f"{len(LOG)}.0.0.{made[0][:4]}"
    assert len({texts[0], texts[1], texts[3]}) == 3


def test_a_restored_backup_is_another_version_even_with_as_many_entries(store: Store, tmp_path: Path) -> None:
    path = keep(store, opened())
    backups = Backups(tmp_path / "data")
    made = backups.make()
    asked = Asked(store)
    store.append(path[3:], Noted("before"), seen=1, key="")
    before = ask(asked.app, f"{path}/version")[0]
    backups.restore(made.name)
    store.append(path[3:], Noted("after"), seen=1, key="")
    after = ask(asked.app, f"{path}/version")[0]
    assert before != after
    assert Device(asked.app, path).get().tree.one("main").get("data-seen") == after.decode()

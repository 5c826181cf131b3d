"""What one client may do in a while; and those who share its address."""

from __future__ import annotations

from itertools import count

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.limits import Buckets, Limits
from fiveup_ref.web.network import Network

from .device import Device, Page
from .matches import keep


class Clock:
    """Seconds that pass only when told."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limited(store: Store, clock: Clock) -> Flask:
    limits = Limits(new=Buckets(3, 10, clock), wrong=Buckets(3, 10, clock), kept=Buckets(2, 600, clock))
    return create_app(store, secret_key="for tests", everyone_here=False, network=Network(limits=limits))


def ask(app: Flask, path: str, client: str = "192.168.1.5") -> TestResponse:
    return app.test_client().get(path, environ_overrides={"REMOTE_ADDR": client}, headers={"Accept-Language": "id"})


def test_new_matches_have_a_rate(limited: Flask, store: Store, clock: Clock) -> None:
    device = Device(limited)
    page = device.get("/new")
    fields = {"players": "2", "deal": "5", "target": "61", "name_a": "Ani", "name_b": "Budi", "csrf_token": page.csrf}
    answers = [device.post("/new", fields | {"key": f"0123456789{number}"}) for number in range(5)]
    assert [answer.status_code for answer in answers] == [303, 303, 303, 429, 429]
    assert answers[3].headers["Retry-After"] == "10"
    refused = Page(answers[3])
    assert refused.tree.one("h2").text == "That was too often"
    assert "Wait 10 seconds" in refused.tree.one("main").text
    assert len(store.recent(None)) == 3
    assert device.get("/new").status == 200
    clock.now += 10
    assert device.post("/new", fields | {"key": "01234567899"}).status_code == 303
    assert device.post("/new", fields | {"key": "01234567890"}).status_code == 429


def test_wrong_addresses_have_a_rate_and_the_right_one_is_not_found_by_it(
    limited: Flask, store: Store, clock: Clock
) -> None:
    path = keep(store)
    wrong = (f"/m/guess{number}{rest}" for number, rest in zip(count(), ["", "/sheet", ".json"] * 5, strict=False))
    assert [ask(limited, next(wrong)).status_code for _ in range(5)] == [404, 404, 404, 429, 429]
    refused = ask(limited, path)  # else it could be told from the others
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "10")
    assert Page(refused).tree.one("html").get("lang") == "id"
    assert ask(limited, path, "192.168.1.6").status_code == 200
    clock.now += 10
    assert ask(limited, path).status_code == 200


def test_who_has_opened_a_match_plays_on_whatever_a_neighbour_types(limited: Flask, store: Store) -> None:
    path = keep(store)
    device = Device(limited, path)
    device.get()
    for number in range(5):
        limited.test_client().get(f"/m/guess{number}")
    assert device.get("/m/nobody").status == 429
    assert device.get().status == 200
    assert device.do("open", "opener", "A lot").status == 200


@pytest.mark.parametrize("rest", ["/board", "/facing", "/seat", "/sheet", "/share", "/history", ".json", "/judge"])
def test_any_page_of_a_match_is_remembered(limited: Flask, store: Store, rest: str) -> None:
    path = keep(store)
    device = Device(limited, path, address="192.168.1.5")
    assert device.client.get(path + rest).status_code == 200
    for number in range(5):
        ask(limited, f"/m/guess{number}")
    assert ask(limited, f"{path}/board").status_code == 429
    for at in (rest, "/board", "/version", ""):
        assert device.client.get(path + at).status_code == 200


def test_what_a_match_has_not_is_no_guess(limited: Flask, store: Store) -> None:
    path, gone = keep(store), keep(store)
    store.delete(gone[3:])
    for at in ("/round/99.svg", "/round/99.png", "/tally/Z.svg", "/round/9/9", "/entry/99/dispute"):
        assert {ask(limited, path + at).status_code for _ in range(4)} == {404}, at
    assert {ask(limited, gone).status_code for _ in range(4)} <= {404, 410}
    assert [ask(limited, "/m/guess/round/99.svg").status_code for _ in range(4)] == [404, 404, 404, 429]


def test_rule_sets_are_kept_at_a_slower_rate_since_all_share_them(limited: Flask, store: Store, clock: Clock) -> None:
    device = Device(limited, address="192.168.1.5")
    fields = {"players": "2", "csrf_token": device.get("/new").csrf, "do": "keep", "target": "100"}

    def keeps(name: str) -> int:
        clock.now += 10  # the limit of new matches is not what holds it back
        return device.post("/new", fields | {"set_name": name}).status_code

    assert [keeps(f"set {number}") for number in range(4)] == [200, 200, 429, 429]
    assert len(store.rule_sets.all()) == 2
    clock.now += 600
    assert keeps("another") == 200
    assert [device.post("/new", fields | {"set_name": ""}).status_code for _ in range(2)] == [429, 429]


def test_a_network_in_ipv6_is_one_client(limited: Flask) -> None:
    for number in range(3):
        assert ask(limited, "/m/guess", f"2001:db8::{number}").status_code == 404
    assert ask(limited, "/m/guess", "2001:db8::9").status_code == 429
    assert ask(limited, "/m/guess", "2001:db8:0:1::9").status_code == 404


def test_what_is_remembered_of_clients_is_bounded(clock: Clock) -> None:
    buckets = Buckets(1, 10, clock)
    for number in range(12_000):
        assert buckets.take(str(number)) == 0
    assert len(buckets) == 10_000
    assert buckets.take("11999") > 0
    assert buckets.take("0") == 0


def test_on_this_machine_alone_nothing_is_counted(app: Flask) -> None:
    assert {ask(app, f"/m/guess{number}").status_code for number in range(50)} == {404}


def test_a_form_of_too_many_small_fields_is_too_large(app: Flask, store: Store) -> None:
    path = keep(store)
    client = app.test_client()
    headers = {"X-CSRFToken": Page(client.get("/new")).csrf}
    for fields, status in ((400, 422), (600, 413)):
        body = "&".join(f"f{number}=" for number in range(fields))
        kind = "application/x-www-form-urlencoded"
        answer = client.post(f"{path}/play", data=body, content_type=kind, headers=headers)
        assert answer.status_code == status


def test_wrong_links_of_scorers_count_as_well(limited: Flask) -> None:
    assert [ask(limited, f"/s/guess{number}").status_code for number in range(4)] == [404, 404, 404, 429]
    assert ask(limited, "/m/guess").status_code == 429

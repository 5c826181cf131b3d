"""Repeats and races at the real server: many requests at one moment, each phone with a connection of its own."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from secrets import token_urlsafe
from threading import Thread
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import pytest
from waitress.server import TcpWSGIServer

from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import Drew, Event, Played, Renamed, RoundEnded, Scored, Settled
from fiveup_ref.engine.match import Status
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from tests.storing import together

from .device import Node, Page, match_at, read
from .matches import NAMES, keep, lead, opened, plays

FIVE = Tile.of(5, 5)
_PATIENCE: Final = 60


class Answer(NamedTuple):
    status: int
    location: str
    tree: Node
    text: str


class Phone:
    """A phone on the network: its cookie, and the server's address."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.port = port
        self.cookie = cookie

    def get(self, path: str) -> Answer:
        return self._ask("GET", path)

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        return self._ask("POST", path, urlencode(fields))

    def _ask(self, method: str, path: str, body: str | None = None) -> Answer:
        headers = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        if set_now := answer.getheader("Set-Cookie"):
            self.cookie = set_now.partition(";")[0]
        tree = read("" if answer.status == 303 else text)
        return Answer(answer.status, answer.getheader("Location", ""), tree, text)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, int]]:
    """The store and the port of the app, served as `app.py` serves it."""
    store = Store(tmp_path_factory.mktemp("races") / "data")
    channels: dict[int, Any] = {}
    app = create_app(store, secret_key="for tests", everyone_here=True)
    server = TcpWSGIServer(app, map=channels, host="127.0.0.1", port=0, threads=8, backlog=1024, ident=None)
    serving = Thread(target=server.run)
    serving.start()
    yield store, int(server.getsockname()[1])
    left = list(channels.values())
    channels.clear()
    server.pull_trigger()
    serving.join()
    for channel in left:
        channel.close()
    server.task_dispatcher.shutdown()
    store.close()


def fields_of(answer: Answer, act: str) -> dict[str, str]:
    form = next(form for form in answer.tree.all("form") if form.get("action").endswith(f"/{act}"))
    return Page.hidden(form)


def at_once(requests: Sequence[Callable[[], Answer]]) -> list[Answer]:
    answers = together(list(requests))
    assert [one for one in answers if not isinstance(one, Answer)] == []
    return [one for one in answers if isinstance(one, Answer)]


SCORED: list[Event] = [*opened(), Scored("A", 2), RoundEnded("A")]
SAME: list[tuple[str, list[Event], str, str, dict[str, str]]] = [
    ("a play k25", opened(), "", "play", {"play": "5-5"}),
    ("an undo", [*opened(), *plays("AB", "5-5")], "", "undo", {"entry": "2"}),
    ("a settlement k31", SCORED, "", "settle", {"pips-B": "12", "do": "settle"}),
    ("new names", opened(), "/manage", "manage/names", {"name-A": "Anita"}),
    ("an adjustment", opened(), "/manage", "manage/adjust", {"team": "A", "amount": "2", "sign": "-", "text": "late"}),
]


@pytest.mark.parametrize(("log", "page", "act", "fields"), [one[1:] for one in SAME], ids=[one[0] for one in SAME])
def test_200_identical_requests_at_once_are_one_entry(
    served: tuple[Store, int], log: list[Event], page: str, act: str, fields: dict[str, str]
) -> None:
    store, port = served
    path = keep(store, log)
    phone = Phone(port)
    sent = fields_of(phone.get(path + page), act) | fields
    answers = at_once([partial(Phone(port, phone.cookie).post, f"{path}/{act}", sent)] * 200)
    assert {(one.status, one.location.partition("#")[0]) for one in answers} == {(303, path + page)}
    match = match_at(store, path)
    assert len(match.log) == len(log) + 1
    assert match == replay(*match.start, match.log)


def test_200_identical_corrections_at_once_are_one_entry(served: tuple[Store, int]) -> None:
    store, port = served
    path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    phone = Phone(port)
    address = f"{path}/entry/3/edit"
    fields = {"kind": "Played", "seat": "B", "tile": "5-4", "onto": "5-5", "do": "preview"}
    looked = phone.get(f"{address}?{urlencode(fields)}")
    sent = Page.hidden(looked.tree.one("form", of="mend"))
    answers = at_once([partial(Phone(port, phone.cookie).post, address, sent)] * 200)
    assert {one.status for one in answers} == {303}
    assert (len(match_at(store, path).log), match_at(store, path).scores) == (4, (2, 0))


def test_200_identical_new_matches_at_once_are_one_match(served: tuple[Store, int]) -> None:
    store, port = served
    path = keep(store, opened())
    phone = Phone(port)
    form = phone.get(f"{path}/rematch").tree.one("form", of="mend")
    sent = Page.hidden(form) | {"name-A": "Ani", "name-B": "Budi"}
    before = len(store.recent(None, 10_000))
    answers = at_once([partial(Phone(port, phone.cookie).post, f"{path}/rematch", sent)] * 200)
    assert {one.status for one in answers} == {303}
    assert len({one.location for one in answers}) == 1
    assert len(store.recent(None, 10_000)) == before + 1


def test_two_partners_record_the_same_opening_tile_k30(served: tuple[Store, int]) -> None:
    store, port = served
    for _ in range(20):
        path = keep(store, opened(), names=NAMES)
        phones = [Phone(port), Phone(port)]
        sent = [fields_of(phone.get(path), "play") | {"play": "5-5"} for phone in phones]
        answers = at_once([partial(phone.post, f"{path}/play", one) for phone, one in zip(phones, sent, strict=True)])
        assert sorted(one.status for one in answers) == [200, 303]
        other = next(one for one in answers if one.status == 200)
        assert other.tree.one("p", of="status").text == "Entered already: Ani 5-5."
        match = match_at(store, path)
        assert (match.log[1:], match.scores) == ((Played("A", FIVE),), (2, 0))


def test_two_different_entries_at_once_one_wins_and_the_other_keeps_its_input(served: tuple[Store, int]) -> None:
    store, port = served
    for _ in range(20):
        path = keep(store, [*opened(), *plays("AB", "5-5")])
        phones = [Phone(port), Phone(port)]
        wishes = [("play", {"play": "5-0>5-5"}), ("draw", {})]
        sent = [
            (f"{path}/{act}", fields_of(phone.get(path), act) | fields)
            for phone, (act, fields) in zip(phones, wishes, strict=True)
        ]
        answers = at_once([partial(phone.post, *one) for phone, one in zip(phones, sent, strict=True)])
        assert sorted(one.status for one in answers) == [303, 409]
        loser = answers.index(next(one for one in answers if one.status == 409))
        said = ["Budi 5-0 on 5-5", "Budi drew 1 tile"]
        refusal = answers[loser].tree.one("section", of="refusal")
        assert f"Entered: {said[1 - loser]}" in refusal.text
        assert f"You wanted: {said[loser]}" in refusal.text
        assert Page.hidden(refusal.one("form")).items() >= wishes[loser][1].items()
        won = (Played("B", Tile.of(5, 0), FIVE), Drew("B", 1))[1 - loser]
        assert match_at(store, path).log[2:] == (won,)


def test_a_correction_and_a_play_at_once(served: tuple[Store, int]) -> None:
    store, port = served
    for _ in range(20):
        path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
        one, other = Phone(port), Phone(port)
        address = f"{path}/entry/3/edit"
        fields = {"kind": "Played", "seat": "B", "tile": "5-4", "onto": "5-5"}
        looked = one.get(f"{address}?{urlencode(fields | {'do': 'preview'})}")
        saving = Page.hidden(looked.tree.one("form", of="mend")) | {"why": "misread"}
        playing = fields_of(other.get(path), "play") | {"play": "6-5>5-5"}
        answers = at_once([partial(one.post, address, saving), partial(other.post, f"{path}/play", playing)])
        assert sorted(answer.status for answer in answers) == [303, 409]
        assert len(match_at(store, path).log) == 4
        if answers[0].status == 409:
            form = answers[0].tree.one("form", of="mend")
            assert form.one("input", name="why").get("value") == "misread"
            assert Page.hidden(form).items() >= fields.items()
        else:
            assert "corrects: Budi 5-0 on 5-5; now: Budi" in answers[1].tree.one("section", of="refusal").text


def test_two_phones_settle_one_round_200_times_k28(served: tuple[Store, int]) -> None:
    """Each enters other leftovers, one of which wins the match: one settlement each time, and one result."""
    store, port = served
    phones = [Phone(port), Phone(port)]
    tokens = [Page.hidden(phone.get("/new").tree.all("form")[0])["csrf_token"] for phone in phones]
    results = set()
    for _ in range(200):
        path = keep(store, [*opened(), *lead(A=59, B=62), Scored("A", 2), RoundEnded("A")])
        wishes = [{"pips-B": "12"}, {"pips-B": "3"}]
        sent = [
            {"csrf_token": token, "seen": "5", "key": token_urlsafe(12), "do": "settle", **wish}
            for token, wish in zip(tokens, wishes, strict=True)
        ]
        answers = at_once([partial(phone.post, f"{path}/settle", one) for phone, one in zip(phones, sent, strict=True)])
        assert sorted(one.status for one in answers) == [303, 409]
        match = match_at(store, path)
        assert [type(event) for event in match.log].count(Settled) == 1
        assert match == replay(*match.start, match.log)
        twelve = answers[0].status == 303
        assert match.scores == ((61, 60) if twelve else (61, 61))
        assert match.status is (Status.WON if twelve else Status.TIE)
        results.add(match.status)
    assert results <= {Status.WON, Status.TIE}


def test_leftovers_and_new_seats_at_once_k46(served: tuple[Store, int]) -> None:
    store, port = served
    for _ in range(20):
        path = keep(store, SCORED)
        one, other = Phone(port), Phone(port)
        settling = fields_of(one.get(path), "settle") | {"pips-B": "12", "do": "settle"}
        naming = fields_of(other.get(f"{path}/manage"), "manage/names") | {"name-A": "Budi", "name-B": "Ani"}
        answers = at_once(
            [partial(one.post, f"{path}/settle", settling), partial(other.post, f"{path}/manage/names", naming)]
        )
        assert sorted(answer.status for answer in answers) == [303, 409]
        last = match_at(store, path).log[-1]
        assert isinstance(last, Settled if answers[0].status == 303 else Renamed)

"""Forms and files of any kind: each is answered, none by a crash, and what was taken in can be shown."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from fiveup_ref.exchange_json import to_json
from fiveup_ref.store import Store
from fiveup_ref.web import create_app

from .device import Node, Page, read
from .matches import NAMES, keep, lead, recorded
from .test_security import PHASES

LIKELY: Final = (
    *("", "0", "1", "-1", "61", "1_0", "٣", "9" * 400, "−5", "3.5", "A", "B", "Z", "blocked", "5-5", "7-7", "5-0>5-5"),
    *("yes", "no", "?", "<b>", "%s%(x)d{y}", "\x00", "\ud7ff", "a\r\nb", "x" * 300, "after-round", "five-up", "A+C"),
)
TYPED: Final = st.sampled_from(LIKELY) | st.text(max_size=12)
ODD: Final = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.sampled_from([[], {}, [[]], {"": {}}, [None] * 40, "\x00", "2026-13-01T00:00:00", "9999-12-31T23:59:59.999999+00:00"])
    | TYPED
)  # fmt: skip
PAGES: Final = (
    *("", "?form=counts", "?form=points", "/manage", "/rematch", "/entry/1/edit", "/entry/2/insert", "/entry/2/remove"),
    *("/entry/2/dispute", "/judge", "/history", "/files", "/sheet"),
)


@dataclass
class Target:
    """An app with matches in every phase."""

    client: FlaskClient
    paths: list[str]
    exports: list[Any]
    token: str


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    store = Store(tmp_path_factory.mktemp("fuzz"))
    app = create_app(store, secret_key="for tests", everyone_here=True)
    app.config["PROPAGATE_EXCEPTIONS"] = True
    paths = [keep(store, log) for log in PHASES.values()]
    paths.append(keep(store, lead(A=-3), names=NAMES[:3], changes={"hand": "7"}))
    whole = keep(store, recorded("five-up-two-players"))
    exports = [json.loads(to_json(store.load(path.split("/")[2]))) for path in (*paths, whole)]
    client = app.test_client()
    yield Target(client, paths, exports, Page(client.get("/new")).csrf)
    store.close()


def answered(answer: TestResponse) -> None:
    assert answer.status_code in {200, 303, 308, 400, 404, 405, 409, 413, 422}


def fields_of(form: Node) -> dict[str, str]:
    """The fields of a form with what stands in them."""
    fields = {one.get("name"): one.get("value") for tag in ("input", "button") for one in form.all(tag)}
    fields |= {one.get("name"): one.text for one in form.all("textarea")}
    fields |= {one.get("name"): next(iter(one.all("option"))).get("value") for one in form.all("select") if one.all("option")}  # fmt: skip
    return {name: value for name, value in fields.items() if name and name != "csrf_token"}


NUMBERS: Final = st.integers(0, 999)
_Thing = TypeVar("_Thing")


@given(
    match=NUMBERS,
    page=NUMBERS,
    form=NUMBERS,
    changes=st.lists(st.tuples(NUMBERS, TYPED), max_size=4),
    left_out=st.lists(NUMBERS, max_size=1),
)
@settings(max_examples=200, deadline=None)
def test_every_form_of_every_page_with_anything_in_it(
    target: Target, match: int, page: int, form: int, changes: list[tuple[int, str]], left_out: list[int]
) -> None:
    """Numbers choose among what is there, since each form may change what the next page has."""
    path = one_of([*target.paths, ""], match)
    address = path + one_of(PAGES if path else ("/new", "/display", "/import", "/judge/count", "/blank"), page)
    answer = target.client.get(address)
    answered(answer)
    if answer.status_code != 200 or not (forms := read(answer.text).all("form")):
        return
    chosen = one_of(forms, form)
    fields = fields_of(chosen) or {"x": ""}
    for number, text in changes:
        fields[one_of(sorted(fields), number)] = text
    for number in left_out:
        fields.pop(one_of(sorted(fields), number))
    action = chosen.get("action") or address.partition("?")[0]
    if chosen.get("method") == "post":
        answered(target.client.post(action, data=fields, headers={"X-CSRFToken": target.token}))
    else:
        answered(target.client.get(action, query_string=fields))


def one_of(things: Sequence[_Thing], number: int) -> _Thing:
    return things[number % len(things)]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from places(one, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    if isinstance(value, dict) or path[-1] < len(value):
        value[path[-1]] = new


def sent(target: Target, name: str, content: bytes) -> TestResponse:
    data = {"file": (io.BytesIO(content), name)}
    return target.client.post(
        "/import", data=data, content_type="multipart/form-data", headers={"X-CSRFToken": target.token}
    )


def shown(target: Target, answer: TestResponse) -> None:
    """What came in can be looked at in every way."""
    answered(answer)
    if answer.status_code != 303:
        return
    links = {one.get("href") for one in read(target.client.get("/import").text).one("main").all("a")}
    for path in (link for link in links if link.startswith("/m/")):
        for way in ("", "/sheet", "/history", "/files", ".json", ".fiveup", "/rounds.csv", "/plays.csv", "/manage"):
            assert target.client.get(path + way).status_code == 200, way
    assert target.client.get("/").status_code == 200


@given(data=st.data())
@settings(max_examples=120, deadline=None)
def test_a_match_as_json_with_anything_in_it(target: Target, data: st.DataObject) -> None:
    row = json.loads(json.dumps(data.draw(st.sampled_from(target.exports))))
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(list(places(row))))
        try:
            put(row, way, data.draw(ODD))
        except (KeyError, TypeError, IndexError):
            continue  # it lay in what was replaced before
    content = json.dumps(row).encode()
    if data.draw(st.booleans()):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(data.draw(st.sampled_from(["a.json", "../a.json", "a.fiveup", "a"])), content)
        shown(target, sent(target, "a.zip", packed.getvalue()))
    else:
        shown(target, sent(target, "a.json", content))


@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode), name=st.text(max_size=12))
@settings(max_examples=60, deadline=None)
def test_a_file_of_any_kind(target: Target, content: bytes, name: str) -> None:
    for start in (b"", b"fiveup 1\n", b"PK\x03\x04", b'{"format": '):
        shown(target, sent(target, name or "x", start + content))


def test_the_walk_reaches_the_forms(target: Target) -> None:
    """The names that the pages have are those that are tried."""
    found: set[str] = set()
    for path in target.paths:
        for page in PAGES:
            answer = target.client.get(path + page)
            if answer.status_code == 200:
                found |= {name for form in read(answer.text).all("form") for name in fields_of(form)}
    assert {"play", "opener", "entry", "out", "points", "seen", "key"} <= found
    assert len(found) > 25

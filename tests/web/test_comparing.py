"""Comparing a paper sheet: every difference at its line, and what the totals become."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.comparing import compare

from .device import Device, Page
from .matches import RECORDS

GOOD = (RECORDS / "five-up-two-players.fiveup").read_text(encoding="utf-8")


def compared(device: Device, record: str = "", **more: str) -> Page:
    page = device.get("/judge/sheet")
    fields = {"csrf_token": page.csrf, "record": record, **more}
    return device.page("/judge/sheet", fields)


def differences(page: Page) -> list[list[str]]:
    return [
        [cell.text for cell in row.all("th") + row.all("td")]
        for row in page.tree.all("table", "differences")[0].one("tbody").all("tr")
    ]


def totals(page: Page) -> list[str]:
    return [line.text for line in page.tree.one("ul", "totals").all("li")]


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDS.glob("*.fiveup")))
def test_a_right_record_has_no_difference(device: Device, name: str) -> None:
    page = compared(device, (RECORDS / f"{name}.fiveup").read_text(encoding="utf-8"))
    assert page.status == 200
    assert page.tree.one("p", "verdict").get("data-stands") == "yes"
    assert totals(page)


def test_a_wrong_count_is_found_at_its_line(device: Device) -> None:
    lines = GOOD.splitlines()
    at = next(index for index, line in enumerate(lines) if " = 10 +2" in line)
    lines[at] = lines[at].replace("= 10 +2", "= 15 +3")
    page = compared(device, "\n".join(lines))
    assert page.tree.one("p", "verdict").text == "1 difference found."
    ((line, written, right, why),) = differences(page)
    assert (line, written, right) == (str(at + 1), "15 +3", "10 +2")
    assert "right is 10 +2" in why
    assert lines[at] in page.tree.one("textarea").text  # nothing typed is lost


@pytest.mark.parametrize(
    ("column", "found", "sums"),
    [
        ("A 2\nB +3\n\nA 1", [], ["A 3", "B 3"]),
        ("A 2\nB 16", [("2", "B points 16", "–")], ["A 2", "B 0"]),
        ("A ends 6-6 5 4 = 21 +0\nB ends 5 5 = 10 +3", [("2", "10 +3", "10 +2")], ["A 0", "B 2"]),
        ("A 5-5 = 10 +2\nB 5-0>5-5 = 5 +1", [("2", "5 +1", "10 +2")], ["A 2", "B 2"]),
        ("A 2\nout A\nleft B 6 pips\nsettle A 0 B -2\nscore A 2 B -2",
         [("4", "A 0 B -2", "A 0 B -1")], ["A 2", "B −1"]),
        ("A two", [("1", "A two", "–")], ["A 0", "B 0"]),
        ("A 7-8", [("1", "A 7-8", "–")], ["A 0", "B 0"]),  # R64
    ],
)  # fmt: skip
def test_a_column_of_called_points(
    device: Device, column: str, found: list[tuple[str, str, str]], sums: list[str]
) -> None:
    page = compared(device, column, sides="2")
    if found:
        assert [tuple(row[:3]) for row in differences(page)] == found
    else:
        assert page.tree.one("p", "verdict").get("data-stands") == "yes"
    assert totals(page) == sums


def test_a_file_is_read_by_its_own_game_r32(device: Device) -> None:
    page = device.get("/judge/sheet")
    file = (RECORDS / "all-fives-two-players.fiveup").read_bytes()
    answer = device.client.post(
        "/judge/sheet",
        data={"csrf_token": page.csrf, "game": "five-up", "file": (io.BytesIO(file), "x.fiveup")},
        headers=device.headers,
    )
    assert Page(answer).tree.one("p", "verdict").get("data-stands") == "yes"


def test_r62_white_space_does_not_matter(device: Device) -> None:
    loose = GOOD.replace(" = ", "\t=  ").replace("\n", "  \r\n").rstrip()
    assert compared(device, loose).tree.one("p", "verdict").get("data-stands") == "yes"


@pytest.mark.parametrize("data", [b"\x00\x01\xff", b"\xff\xfe", b"PK\x03\x04" * 50, b"fiveup 2\n", b"fiveup 1\n"])
def test_what_is_no_record_is_told(device: Device, data: bytes) -> None:
    page = device.get("/judge/sheet")
    sent = {"csrf_token": page.csrf, "file": (io.BytesIO(data), "x.fiveup")}
    answer = Page(device.client.post("/judge/sheet", data=sent, headers=device.headers))
    assert answer.status == 200
    assert differences(answer)


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["A 2", "B +3", "A 5-5 = 10 +2", "B 5-0>5-5", "out A", "left B 6 pips", "settle A 0 B -1",
                                "score A 2 B -1", "round 2", "note x", "fiveup 1", "rules muggins", "player C C", "\x00"]),
               max_size=12).map("\n".join),
    st.sampled_from(["five-up", "muggins"]),
    st.sampled_from(["2", "3", "pairs", "4", "5"]),
)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_no_text_breaks_the_comparison(shown: Flask, text: str, game: str, sides: str) -> None:
    with shown.test_request_context():
        for data in (text, text.encode("utf-8", "surrogatepass")):
            found = compare(data, game, sides)
            assert all(one.line >= 1 and one.message for one in found.differences)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app(Store(tmp_path_factory.mktemp("paper")), secret_key="for tests", everyone_here=True)


def test_nothing_given_is_asked_for_and_no_form_without_its_token(app: Flask, device: Device) -> None:
    page = compared(device, "  \n")
    assert (page.status, page.tree.one("span", "error").text) == (422, "Paste a record or a column, or choose a file.")
    assert app.test_client().post("/judge/sheet", data={"record": "A 2"}).status_code == 400


def test_the_differences_in_indonesian(app: Flask) -> None:
    page = compared(Device(app, language="id"), "A ends 6-6 3 = 15 +2", sides="2")
    assert page.tree.one("p", "verdict").text == "Ada 1 perbedaan."

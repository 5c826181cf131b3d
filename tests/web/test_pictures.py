"""Pictures: the page with cribbage board and chart, tallies and rounds as files."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as Xml

import pytest
from flask import Flask
from flask.testing import FlaskClient

from fiveup_ref.drawing.tally import Style
from fiveup_ref.engine.events import Counted, Event, RoundOpened, Scored
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.store import Store

from .device import Device
from .matches import NAMES, ended_three, ended_two, keep, lead, opened, plays, recorded, settled

GOLDEN: Final = Path(__file__).parent.parent / "drawing" / "golden"
SVG: Final = "{http://www.w3.org/2000/svg}"


def drawing(client: FlaskClient, path: str) -> Xml.Element:
    """A picture as any program reads it: well-formed, and with nothing that a policy forbids or a file lacks."""
    answer = client.get(path)
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    root = Xml.fromstring(answer.text)
    assert root.tag == f"{SVG}svg"
    assert root.get("width")
    for node in root.iter():
        assert node.tag not in (f"{SVG}style", f"{SVG}script", f"{SVG}a", f"{SVG}image")
        assert "style" not in node.attrib
    return root


# The tally by itself


@pytest.mark.parametrize("style", ["hand", "plain"])
@pytest.mark.parametrize("points", [*range(13), 61])
def test_the_tally_of_a_team_is_as_it_was(client: FlaskClient, store: Store, points: int, style: Style) -> None:
    """Figures 0 to 12 and 61 against files that were looked at. A changed one is written anew only on purpose."""
    log = lead(A=points) if points else []
    path = keep(store, log, changes={"target": "100"})
    assert client.get(f"{path}/tally/A.svg?tally={style}").text == (GOLDEN / f"tally-{points}-{style}.svg").read_text(
        "utf-8"
    ).removesuffix("\n")


def test_a_tally_with_small_o_has_what_was_scored(client: FlaskClient, store: Store) -> None:
    log = [*opened(), *(Scored("A", points) for points in (2, 2, 3)), *(Scored("B", 1) for _ in range(2))]
    path = keep(store, log)
    tally = drawing(client, f"{path}/tally/A.svg?o=1")
    assert tally.get("aria-label") == "Tally of what was scored: 3 strokes and 2 o"
    strokes = sum(path.get("d", "").count("M") for path in tally.iter(f"{SVG}path"))
    assert (strokes, len(tally.findall(f".//{SVG}circle"))) == (3, 2)
    assert [text.text for text in tally.iter(f"{SVG}text")] == ["scored 7"]
    net = drawing(client, f"{path}/tally/A.svg")
    assert net.get("aria-label") == "Tally: 0 strokes"  # before the settlement of the round


@pytest.mark.parametrize("team", ["C", "A+B", "a", "", "A.svg", "%00", "é"])
def test_a_team_that_does_not_play_has_no_tally(client: FlaskClient, store: Store, team: str) -> None:
    assert client.get(f"{keep(store)}/tally/{team}.svg").status_code == 404


def test_partners_have_one_tally(client: FlaskClient, store: Store) -> None:
    path = keep(store, names=NAMES)
    assert drawing(client, f"{path}/tally/A+C.svg").get("aria-label") == "Tally: 0 strokes"
    assert client.get(f"{path}/tally/A.svg").status_code == 404


# Rounds


def words(picture: Xml.Element) -> list[str]:
    return ["".join(text.itertext()) for text in picture.findall(f"{SVG}text")]


def test_the_picture_of_a_round_says_who_went_out_and_the_standing(client: FlaskClient, store: Store) -> None:
    path = keep(store, [*ended_two(), settled(B="3-2")], title="Friday & friends")
    picture = drawing(client, f"{path}/round/1.svg")
    assert words(picture) == ["Friday & friends · Round 1", "Ani goes out", "2  Ani", "1  Budi"]
    assert len([node for node in picture.iter() if node.get("class") == "tile-face"]) == 9


def test_the_picture_of_a_round_names_what_differs(client: FlaskClient, store: Store) -> None:
    path = keep(store, [*opened(), *plays("A", "5-5")], changes={"target": "100", "exact": "yes"})
    picture = drawing(client, f"{path}/round/1.svg")
    assert " ".join(words(picture)[4:]) == "Five Up. House rules: target 100, exact target"
    low = max(float(text.get("y", "")) for text in picture.findall(f"{SVG}text"))
    _left, top, _width, height = map(float, picture.get("viewBox", "").split())
    assert low < top + height


def test_the_picture_of_a_round_that_goes_on(client: FlaskClient, store: Store) -> None:
    path = keep(store, [*ended_two(), settled(B="3-2"), *opened("A", "out"), *plays("A", "6-4")])
    assert words(drawing(client, f"{path}/round/2.svg"))[1:] == ["so far · before settlement", "4  Ani", "1  Budi"]
    assert words(drawing(client, f"{path}/round/1.svg"))[1:] == ["Ani goes out", "2  Ani", "1  Budi"]
    indonesian = client.get(f"{path}/round/1.svg", headers={"Accept-Language": "id"}).text
    assert "Ani habis" in indonesian


def test_the_picture_of_a_blocked_round(client: FlaskClient, store: Store) -> None:
    path = keep(store, recorded("five-up-blocked-round"), names=NAMES)
    page = client.get(f"{path}/pictures").text
    numbers = [number for number in range(1, 30) if f"{path}/round/{number}.svg" in page]
    said = [words(drawing(client, f"{path}/round/{number}.svg"))[1] for number in numbers]
    assert "the round is blocked" in said


@pytest.mark.parametrize(
    "log",
    [
        [],
        opened(),
        [*opened(), Counted("A", Ends.parse("5-5"))],
        [*opened(), *plays("A", "5-5"), Counted("B", Ends.parse("5-5 0"))],
    ],
)
def test_a_round_whose_tiles_are_not_known_has_no_picture(client: FlaskClient, store: Store, log: list[Event]) -> None:
    path = keep(store, log)
    assert client.get(f"{path}/round/1.svg").status_code == 404
    assert client.get(f"{path}/round/1.png").status_code == 404
    assert "/round/" not in client.get(f"{path}/pictures").text


@pytest.mark.parametrize("number", ["0", "2", "-1", "x", "9" * 30, "1.5"])
def test_there_is_no_such_round(client: FlaskClient, store: Store, number: str) -> None:
    path = keep(store, [*opened(), *plays("A", "5-5")])
    for kind in ("svg", "png"):
        assert client.get(f"{path}/round/{number}.{kind}").status_code == 404


@pytest.mark.parametrize("names", [NAMES[:2], ("W" * 40, "王小明😀"), ("مريم", "<b>&\"'")])
def test_the_picture_as_png(client: FlaskClient, store: Store, names: tuple[str, str]) -> None:
    path = keep(store, [*ended_two(), settled(B="3-2")], names=names, title="Meja 1")
    answer = client.get(f"{path}/round/1.png")
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", answer.data[16:24])
    assert width == 1200
    assert 300 < height < 2400
    assert answer.headers["Content-Disposition"].startswith('inline; filename="Meja 1 ')
    assert client.get(f"{path}/round/1.png").data == answer.data


def test_captions_are_as_wide_as_the_picture_at_most(client: FlaskClient, store: Store) -> None:
    path = keep(store, [*ended_three(), settled(B="3-2", C="6-4")], names=("W" * 40, "i" * 40, "家" * 40))
    picture = drawing(client, f"{path}/round/1.svg")
    left, _, width, _ = map(float, picture.get("viewBox", "").split())
    for text in picture.findall(f"{SVG}text"):
        size, said = float(text.get("font-size", "0")), "".join(text.itertext())
        em = 1.0 if "W" in said or "家" in said else 0.6
        assert float(text.get("x", "0")) + size * em * len(said) <= left + width


# The page


def test_the_pegs_in_words(device: Device, store: Store) -> None:
    log = [*ended_two(A=60), settled(B="3-2")]
    tree = device.get(f"{keep(store, log)}/pictures").tree
    assert tree.one("svg", "pegboard-picture").texts("text") == ["A", "B"]
    assert [item.text for item in tree.all("section")[0].all("li")] == [
        "A Ani: front peg hole 1 of lap 2, back peg hole 60",
        "B Budi: front peg hole 1, back peg hole 2",
    ]


def test_a_hole_for_each_five_raw_in_every_game(device: Device, store: Store) -> None:
    path = keep(store, [*opened(), *plays("A", "5-5")], preset="all-fives")
    tree = device.get(f"{path}/pictures").tree
    assert tree.all("section")[0].texts("li") == [
        "A Ani: front peg hole 2, back peg before the first hole",
        "B Budi: front peg before the first hole, back peg before the first hole",
    ]


def test_the_chart_stands_beside_its_table(app: Flask, device: Device, store: Store) -> None:
    path = keep(store, recorded("five-up-two-players"))
    tree = device.get(f"{path}/pictures").tree
    rows = tree.one("table", "standing").one("tbody").all("tr")
    chart = tree.one("svg", "chart-picture")
    assert len(chart.all("circle", "chart-mark")) == 2 * len(rows)
    finals = [cell.text for cell in rows[-1].all("td", "score-cell")]
    assert [text.split()[-1] for text in chart.texts("text")[-2:]] == finals
    assert "kedudukan" in Device(app, language="id").get(f"{path}/sheet").markup.lower()


def test_pictures_of_a_match_with_nothing_entered(device: Device, store: Store) -> None:
    page = device.get(f"{keep(store)}/pictures")
    assert page.status == 200
    assert page.tree.one("table", "standing").one("tbody").text == "No round is settled yet."


def test_pictures_change_nothing_and_ask_for_no_round_opened(client: FlaskClient, store: Store) -> None:
    path = keep(store, [RoundOpened("A", "lot")])
    for part in ("pictures", "tally/A.svg", "round/1.svg"):
        for method in ("POST", "PUT", "DELETE"):
            assert client.open(f"{path}/{part}", method=method).status_code in (400, 405)

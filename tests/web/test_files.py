"""Downloads that open right elsewhere, and the import with all that can be wrong with a file."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.http import parse_options_header
from werkzeug.test import TestResponse

from fiveup_ref.engine.events import OUT, Event, Noted, Undone
from fiveup_ref.engine.record import read
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.exchange import unpack
from fiveup_ref.exchange_json import to_json
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.files import LARGEST_UPLOAD, record_text
from fiveup_ref.web.language import in_zone

from .device import Device, Page, match_at, saved_at
from .matches import NAMES, RECORDS, ended_two, keep, opened, plays, recorded, settled

ALL = sorted(RECORDS.glob("*.fiveup"))
PHONE = "192.168.1.20"
LOG: list[Event] = [*opened(), *plays("AB", "5-5 5-0>5-5")]


def name_of(answer: TestResponse) -> str:
    """The file name that a browser takes: the one in UTF-8 where there is one."""
    kind, options = parse_options_header(answer.headers["Content-Disposition"])
    assert kind == "attachment"
    return options["filename"]


def upload(device: Device, data: bytes, name: str = "file") -> TestResponse:
    token = device.get("/import").csrf
    body = (
        f'--edge\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{token}\r\n'
        f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    )
    return device.client.post(
        "/import",
        data=body.encode() + data + b"\r\n--edge--\r\n",
        headers=device.headers,
        content_type="multipart/form-data; boundary=edge",
    )


def bring(device: Device, data: bytes) -> Page:
    answer = upload(device, data)
    assert (answer.status_code, answer.headers.get("Location")) == (303, "/import"), Page(answer).tree.texts(
        role="alert"
    )
    return device.get("/import")


def refused(device: Device, data: bytes, name: str = "file") -> Page:
    answer = upload(device, data, name)
    assert answer.status_code == 422
    return Page(answer)


# Files that go out


def test_every_download_is_on_the_page_and_has_its_name(device: Device, store: Store) -> None:
    path = keep(store, LOG, title="Friday table")
    saved = saved_at(store, path)
    day = f"{in_zone(saved.started, saved.zone):%Y-%m-%d}"
    links = [node.get("href") for node in device.get(f"{path}/files").tree.all("a") if "download" in node.attributes]
    assert links == [f"{path}.fiveup", f"{path}.json", f"{path}/rounds.csv", f"{path}/plays.csv"]
    names = [name_of(device.client.get(link)) for link in links]
    assert names == [
        f"{day} Friday table.fiveup",
        f"{day} Friday table.json",
        f"{day} Friday table rounds.csv",
        f"{day} Friday table plays.csv",
    ]


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_match_that_needs_attention_goes_out_whole_or_not_at_all(
    app: Flask, store: Store, language: str, tmp_path: Path
) -> None:
    log = [*ended_two(), settled(B="6-6"), *opened("A", OUT), *plays("A", "5-5"), Undone(10)]
    path = keep(store, log)
    device = Device(app, path, language=language)
    for file in (f"{path}.fiveup", f"{path}/rounds.csv", f"{path}/plays.csv"):
        page = device.get(file)
        assert (page.status, "Content-Disposition" in page.headers) == (409, False)
        told = page.tree.one("section", role="alert")
        sentence = {"en": "would not have the whole match", "id": "tidak akan memuat seluruh pertandingan"}
        assert sentence[language] in told.text
        assert told.one("a").get("href") == f"{path}/history#attention"
        assert [n.get("href") for n in page.tree.all("a") if "download" in n.attributes] == [f"{path}.json"]
    with closing(Store(tmp_path / "other")) as other:
        for data in (device.client.get(f"{path}.json").data, device.client.get("/matches.zip").data):
            (arrived,) = other.bring_in(unpack(data, now=datetime.now(UTC)).matches)
            assert other.load(arrived.id).match == match_at(store, path)
    device.do("undo", "entry", str(len(log)))
    assert all(device.client.get(link).status_code == 200 for link in (f"{path}.fiveup", f"{path}/rounds.csv"))


@pytest.mark.parametrize(
    ("started", "zone", "name"),
    [
        ("2026-11-29T17:30+00:00", "+07:00", "2026-11-30 Five Up.fiveup"),  # 00.30 in Jakarta
        ("2026-11-29T16:59+00:00", "+07:00", "2026-11-29 Five Up.fiveup"),
        ("2026-11-29T03:00+00:00", "-05:00", "2026-11-28 Five Up.fiveup"),
        ("2026-11-29T05:05+00:00", "", "2026-11-29 Five Up.fiveup"),
    ],
)
def test_the_file_has_the_date_at_the_table_k81(
    device: Device, store: Store, started: str, zone: str, name: str
) -> None:
    rules = PRESETS["five-up"].rules(2)
    now = datetime.fromisoformat(started)
    match_id = store.create(title="", rules=rules, players=NAMES[:2], zone=zone, now=now)
    answer = device.client.get(f"/m/{match_id}.fiveup")
    assert name_of(answer) == name
    (date,) = (line for line in answer.text.splitlines() if line.startswith("date "))
    assert date[5:15] == name[:10]
    assert datetime.fromisoformat(date[5:]) == now
    plays_file = device.client.get(f"/m/{match_id}/plays.csv")
    assert name_of(plays_file).startswith(name[:10])


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ('a/b\\c:d*e?f"g<h>i|j', "a b c d e f g h i j"),
        ("Jürgen ديوي 🁣", "Jürgen ديوي 🁣"),
        ("../../etc/passwd", ".. .. etc passwd"),
        ("dots...", "dots"),
        ('"; filename="x', "; filename= x"),
        ("/", "Five Up"),
        ("x" * 60, "x" * 60),
    ],
    ids=range(7),
)
def test_a_title_as_a_file_name(device: Device, store: Store, title: str, stem: str) -> None:
    path = keep(store, title=title)
    assert name_of(device.client.get(f"{path}.json"))[11:] == f"{stem}.json"


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_record_goes_in_and_comes_out_byte_for_byte_r32(device: Device, store: Store, path: Path) -> None:
    data = path.read_bytes()
    page = bring(device, data)
    link = page.tree.one(role="status").one("a").get("href")
    assert device.client.get(f"{link}.fiveup").data == data
    again = bring(device, device.client.get(f"{link}.json").data)
    assert "1 match was here already." in again.tree.one(role="status").text
    assert device.get(link).status == device.get(f"{link}/sheet").status == device.get(f"{link}/files").status == 200
    for name in ("rounds", "plays"):
        assert device.client.get(f"{link}/{name}.csv").status_code == 200
    assert len(store.recent(None)) == 1


def test_the_written_record_of_a_match_of_this_app_is_that_match(device: Device, store: Store) -> None:
    path = keep(store, [*ended_two(A=10), settled(B="3-2")])
    data = device.client.get(f"{path}.fiveup").data
    assert read(data).ok
    page = bring(device, data)
    assert page.tree.one(role="status").one("a").get("href") == path
    assert len(store.recent(None)) == 1


def rows(answer: TestResponse, delimiter: str = ",") -> list[list[str]]:
    """A CSV as a spreadsheet reads it: with the mark of UTF-8, CRLF after every row."""
    data = answer.data
    assert data.startswith(b"\xef\xbb\xbf")
    text = data.decode("utf-8-sig")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def test_rounds_for_a_spreadsheet(device: Device, store: Store) -> None:
    path = keep(store, [*ended_two(), settled(B="6-6 6-4"[:3])])
    head, first = rows(device.client.get(f"{path}/rounds.csv"))
    assert head == [
        "Round", "Opener", "Went out",
        "Ani: Scored", "Ani: Settlement", "Ani: Score",
        "Budi: Scored", "Budi: Settlement", "Budi: Score",
    ]  # fmt: skip
    assert first == ["1", "Ani", "Ani", "2", "0", "2", "2", "-2", "0"]


def test_a_minus_stays_a_number(device: Device, store: Store) -> None:
    path = keep(store, recorded("five-up-below-zero"), names=NAMES)
    match = match_at(store, path)
    body = rows(device.client.get(f"{path}/rounds.csv"))[1:]
    for row, round_ in zip(body, match.rounds, strict=True):
        assert [int(cell) for cell in row[5::3]] == list(round_.after_settlement)
    assert min(int(cell) for row in body for cell in row[3:]) < 0


def test_plays_for_a_spreadsheet(device: Device, store: Store) -> None:
    path = keep(store, [*LOG, Noted("=1+1"), *plays("A", "5-4>5-5")])
    found = rows(device.client.get(f"{path}/plays.csv"))
    assert found[0] == ["Round", "Entry", "Time", "Player", "Play", "Count", "Points"]
    assert [[row[0], row[1], *row[3:]] for row in found[1:]] == [
        ["1", "1", "", "Ani opens by lot", "", ""],
        ["1", "2", "Ani", "[5-5]", "10", "2"],
        ["1", "3", "Budi", "[5-0] on [5-5]", "10", "2"],
        ["1", "4", "", "note: =1+1", "", ""],
        ["1", "5", "Ani", "[5-4] on [5-5]", "4", "0"],
    ]
    for row in found[1:]:
        datetime.strptime(row[2], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)


@pytest.mark.parametrize("name", ["=1+1", "@sum", "+62", "-Ani", "＝1+1"])
def test_a_name_is_no_formula_k76(device: Device, store: Store, name: str) -> None:
    path = keep(store, [*ended_two(), settled(B="3-2")], names=(name, "Budi"))
    for file in ("rounds", "plays"):
        for row in rows(device.client.get(f"{path}/{file}.csv")):
            for cell in row:
                assert not cell.startswith(("=", "@", "+", "＝")), cell
                assert not cell.startswith("-") or cell[1:].isdigit()
    assert f"'{name}" in [cell for row in rows(device.client.get(f"{path}/plays.csv")) for cell in row]
    for ending in (".json", ".fiveup"):
        data = device.client.get(path + ending).data
        store.delete(path.split("/")[2])
        if ending == ".fiveup":
            link = bring(device, data).tree.one(role="status").one("a", "primary").get("href")
            assert match_at(store, link).players == (name, "Budi")
        store.restore(path.split("/")[2])


@pytest.mark.parametrize("name", ["Ni Luh Śrī", "Jürgen", "ديوي"])
def test_names_of_every_script_k78(device: Device, store: Store, name: str) -> None:
    path = keep(store, LOG, names=(name, "Budi"))
    assert name in [cell for row in rows(device.client.get(f"{path}/plays.csv")) for cell in row]


def test_in_indonesian_the_cells_are_parted_as_a_spreadsheet_there_expects(app: Flask, store: Store) -> None:
    path = keep(store, LOG)
    device = Device(app, language="id")
    answer = device.client.get(f"{path}/rounds.csv", headers=device.headers)
    assert rows(answer, ";")[0][:3] == ["Ronde", "Pembuka", "Penuntas ronde"]
    assert name_of(answer).endswith(" Friday ronde.csv")


def test_all_matches_in_one_archive_and_back(app: Flask, device: Device, store: Store, tmp_path: Path) -> None:
    paths = [keep(store, LOG, title=f"match {number}") for number in range(60)]
    gone = keep(store, LOG, title="gone")
    store.delete(gone.split("/")[2])
    answer = device.client.get("/matches.zip")
    assert answer.data == device.client.get("/matches.zip").data
    assert not any(path.split("/")[2].encode() in answer.data for path in paths)
    with zipfile.ZipFile(io.BytesIO(answer.data)) as files:
        assert len(files.namelist()) == 60
    assert "60 matches were here already." in bring(device, answer.data).tree.one(role="status").text
    other = Store(tmp_path / "elsewhere")
    there = Device(create_app(other, secret_key="for tests", everyone_here=True))
    assert "60 matches were imported." in bring(there, answer.data).tree.one(role="status").text
    assert there.client.get("/matches.zip").data == answer.data
    other.close()


def test_on_the_network_the_archive_has_what_the_device_had_open(store: Store) -> None:
    app = create_app(store, secret_key="for tests", everyone_here=False)
    mine, _ = keep(store, LOG, title="mine"), keep(store, LOG, title="others")
    device = Device(app, address=PHONE)
    with zipfile.ZipFile(io.BytesIO(device.client.get("/matches.zip").data)) as files:
        assert files.namelist() == []
    device.get(mine)
    with zipfile.ZipFile(io.BytesIO(device.client.get("/matches.zip").data)) as files:
        (name,) = files.namelist()
        assert json.loads(files.read(name))["title"] == "mine"


# Files that come in


def test_it_says_what_became_of_each(device: Device, store: Store) -> None:
    path = keep(store, LOG)
    data = device.client.get(f"{path}.json").data
    store.append(path.split("/")[2], Noted("more"), seen=3, key="")
    assert "It stays as it is here." in bring(device, data).tree.one(role="status").text
    store.delete(path.split("/")[2])
    page = bring(device, data)
    assert "1 match was deleted here. It can be restored." in page.tree.one(role="status").text
    assert device.get("/import").tree.all(role="status") == []


def test_an_import_to_go_on_with(device: Device, store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "elsewhere")
    there = Device(create_app(other, secret_key="for tests", everyone_here=True))
    path = keep(store, LOG)
    page = bring(there, device.client.get(f"{path}.json").data)
    there.path = page.tree.one(role="status").one("a", "primary").get("href")
    for event in plays("A", "5-4>5-5"):
        assert there.enter(event).scores == {"A": "2", "B": "2"}
    other.close()


def test_problems_are_named_by_line_in_the_language(app: Flask, store: Store) -> None:
    text = "fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\nround 1\nopens A lot\nA 5-5 = 9 +2\nB [7-8]\n"
    english = refused(Device(app), text.encode(), "bad.fiveup")
    assert english.tree.one("section", "refusal").one("h2").text == "Nothing was imported from bad.fiveup"
    assert english.tree.one("ul", "troubles").texts("li")[:2] == [
        "Line 7: Written is 9 +2, right is 10 +2: 5-5 10 = 10: 2 points.",
        "Line 8: There is no tile 7-8. The set goes from 0-0 to 6-6.",
    ]
    indonesian = refused(Device(app, language="id"), text.encode()).tree.texts("li")
    assert indonesian[0].endswith("= 10: 2 poin.")
    assert indonesian[0].startswith("Baris 7: ")
    assert indonesian[1].startswith("Baris 8: ")
    assert "right is" not in indonesian[0]
    assert store.recent(None) == []


def test_a_bad_entry_is_named_by_its_number(device: Device, store: Store) -> None:
    path = keep(store, LOG)
    row = json.loads(device.client.get(f"{path}.json").data)
    row["log"][2]["event"]["tile"] = "6-4"
    (said,) = refused(device, json.dumps(row).encode()).tree.one("ul", "troubles").texts("li")
    assert said == "Entry 3: 6-4 does not fit 5-5: they have no number in common."


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "There is nothing in this file. A record begins with the line: fiveup 1"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "This is not a text file in UTF-8, so it is no record."),
        (b'{"fiveup_ref": 1, "uid"', "The file is cut off or damaged from here on, so nothing of it can be used."),
        (b"PK\x03\x04", "The archive is cut off or damaged, so nothing of it can be used."),
        (b"x" * 1_100_000, "The file is larger than 1 MiB, the most a record may have."),
        (b"{" + b" " * 4_200_000, "The file is larger than 4 MiB, the most a match may have."),
    ],
    ids=["empty", "photo", "cut", "cut archive", "large record", "large match"],
)
def test_what_is_no_match_is_said_and_nothing_is_stored_k79(
    device: Device, store: Store, data: bytes, said: str
) -> None:
    assert said in refused(device, data).tree.one("ul", "troubles").text
    assert store.recent(None) == []


def test_a_file_beyond_the_limit_is_told_the_limit_k79(app: Flask, store: Store) -> None:
    for language, said in (("en", "The file is larger than 8 MiB."), ("id", "Berkas ini lebih besar dari 8 MiB.")):
        answer = upload(Device(app, language=language), b"x" * (LARGEST_UPLOAD + 1))
        assert answer.status_code == 413
        assert said in Page(answer).refusal
    assert store.recent(None) == []


def test_only_the_import_takes_more(device: Device, store: Store) -> None:
    path = keep(store, LOG)
    token = device.get(path).csrf
    page = device.page(f"{path}/undo", {"csrf_token": token, "x": "x" * 300_000})
    assert page.status == 413
    assert "at most 256 KiB" in page.tree.text


def test_no_file_chosen(device: Device) -> None:
    page = device.get("/import")
    assert device.page("/import", {"csrf_token": page.csrf}).refusal == "Choose a file first."
    answer = upload(device, b"", "")
    assert (answer.status_code, Page(answer).refusal) == (422, "Choose a file first.")


def test_many_problems_are_cut_short(device: Device) -> None:
    text = "fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\n" + "what is this\n" * 80
    page = refused(device, text.encode())
    assert len(page.tree.one("ul", "troubles").all("li")) == 50
    assert "And 30 more." in page.tree.text


def test_on_the_network_nothing_drops_off_the_list_of_a_device(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "elsewhere")
    many = [keep(other, LOG, title=f"match {number}") for number in range(40)]
    full = Device(create_app(other, secret_key="for tests", everyone_here=True)).client.get("/matches.zip").data
    device = Device(create_app(store, secret_key="for tests", everyone_here=False), address=PHONE)
    mine = keep(store, LOG, title="mine")
    device.get(mine)
    answer = upload(device, full)
    assert answer.status_code == 422
    assert "this device can list 39 more" in Page(answer).refusal
    assert len(store.recent(None)) == 1
    other.delete(many[0].split("/")[2])
    fewer = Device(create_app(other, secret_key="for tests", everyone_here=True)).client.get("/matches.zip").data
    assert "39 matches were imported." in bring(device, fewer).tree.one(role="status").text
    assert len(device.get("/").tree.all("a", "match")) == 40
    assert device.get("/").tree.all("a", href=mine)
    other.close()


def test_on_the_network_an_import_opens_no_match_of_others(store: Store) -> None:
    """Who has the address may enter: a file that names a match must not lead to its address."""
    path = keep(store, LOG)
    device = Device(create_app(store, secret_key="for tests", everyone_here=False), address=PHONE)
    for data in (to_json(saved_at(store, path)), record_text(saved_at(store, path)).encode()):
        page = bring(device, data)
        assert "1 match was here already." in page.tree.one(role="status").text
        assert path.split("/")[2] not in page.markup
        assert device.get("/").tree.all("a", "match") == []


# Cases


def imported(device: Device, store: Store, text: str) -> str:
    return bring(device, text.encode()).tree.one(role="status").one("a", "primary").get("href")


def test_the_branches_of_a_line_of_doubles_r61(device: Device, store: Store) -> None:
    tiles = "4-5 4-6>4-5 6-6>6-4 6-0>6-6 0-0>6-0 0-3>0-0 3-3>3-0 3-6>3-3 6-1>6-3 1-2>6-1 2-3>2-1 3-1>3-2 1-4>3-1"
    lines = [f"{seat} {play}" for seat, play in zip("AB" * 7, tiles.split(), strict=False)]
    head = "fiveup 1\nrules five-up\nset target=120 hand=9\nplayer A Ani\nplayer B Budi\n"
    lead_text = "adjust A +119 head start\nadjust B +119 head start\n"
    path = imported(device, store, head + "round 1\nopens A lot\n" + lead_text + "\n".join(lines))
    match = match_at(store, path)
    assert match.round is not None
    before = match.scores
    assert match.round.layout.count() == 9
    device.path = path
    page = device.enter(plays("B", "5-1>5-4")[0])
    match = match_at(store, path)
    assert match.rounds[-1].moves[-1].points == 1
    assert match.scores == (before[0], before[1] + 1)
    assert page.status_line[0] in ("reached", "open")
    assert match.winner is None


def test_white_space_and_no_last_line_end_r62(device: Device, store: Store) -> None:
    data = (RECORDS / "five-up-two-players.fiveup").read_text("utf-8")
    noisy = data.replace(" ", "\t ").replace("\n", " \t\r\n").rstrip()
    path = imported(device, store, noisy)
    assert device.client.get(f"{path}.fiveup").text == data


def test_the_game_that_is_named_is_kept_r32(device: Device, store: Store) -> None:
    path = imported(device, store, (RECORDS / "muggins-two-players.fiveup").read_text("utf-8"))
    assert match_at(store, path).rules.preset == "muggins"
    assert "Muggins" in device.get(f"{path}/sheet").tree.text


@pytest.mark.parametrize(
    ("started", "english", "indonesian"),
    [
        ("2026-11-29T17:30+00:00", "30 November 2026, 12:30 AM", "30 November 2026, 00.30"),
        ("2026-11-29T05:05+00:00", "29 November 2026, 12:05 PM", "29 November 2026, 12.05"),
        ("2026-11-29T17:05+00:00", "30 November 2026, 12:05 AM", "30 November 2026, 00.05"),
    ],
)
def test_list_sheet_and_deletion_have_the_local_date_k81_k82(
    app: Flask, store: Store, started: str, english: str, indonesian: str
) -> None:
    now = datetime.fromisoformat(started)
    rules = PRESETS["five-up"].rules(2)
    match_id = store.create(title="", rules=rules, players=NAMES[:2], zone="+07:00", now=now)
    for language, said in (("en", english), ("id", indonesian)):
        device = Device(app, language=language)
        for page in ("/", f"/m/{match_id}/sheet", f"/m/{match_id}/delete"):
            assert said in " ".join(device.get(page).tree.text.split())
    (record,) = (line for line in record_text(store.load(match_id)).splitlines() if line.startswith("date "))
    assert datetime.fromisoformat(record[5:]) == now
    assert record.endswith("+07:00")


@pytest.mark.parametrize("language", ["en", "id"])
def test_a_match_without_a_title_is_called_by_its_game_everywhere(app: Flask, store: Store, language: str) -> None:
    device, game = Device(app, language=language), "All Fives"
    path = keep(store, LOG, title="", preset="all-fives")
    assert device.get("/").tree.one("span", "match-title").text == game
    for page in ("", "/sheet", "/pictures", "/history", "/files", "/manage", "/facing", "/board", "/judge", "/rematch"):
        shown = device.get(path + page)
        assert shown.status == 200, page
        said = shown.tree.all("title")[0].text + (shown.tree.all("h1") + shown.tree.all("bdi"))[0].text
        assert game in said, page
        assert "Five Up" not in said, page
    for file in (".fiveup", ".json", "/rounds.csv", "/sheet.pdf"):
        answer = device.client.get(path + file, headers=device.headers)
        assert game in answer.headers["Content-Disposition"], file
    store.delete(path.split("/")[2])
    for page in ("/deleted", path):
        assert game in device.get(page).tree.one("main").text, page


def test_a_text_file_says_its_charset_once(device: Device, store: Store) -> None:
    path = keep(store, LOG)
    for file, kind in ((".fiveup", "text/plain"), ("/rounds.csv", "text/csv"), ("/plays.csv", "text/csv")):
        assert device.client.get(path + file).headers["Content-Type"] == f"{kind}; charset=utf-8"

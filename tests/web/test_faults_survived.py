"""What must be survived, each really done to a real server on a real file: kills, a full disk, a folder that is closed."""

from __future__ import annotations

import http.client
import os
import random
import secrets
import sqlite3
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from flask import Flask

from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import (
    Adjusted,
    Drew,
    Event,
    Noted,
    Settled,
    Undone,
)
from fiveup_ref.engine.seats import Team
from fiveup_ref.exchange import unpack
from fiveup_ref.exchange_json import to_json
from fiveup_ref.store import Arrival, Conflict, Store
from fiveup_ref.web import create_app, rights
from tests.storing import together

from .device import Device, Page, match_at
from .matches import NAMES, keep, opened, plays, recorded
from .test_serve import POSIX, PROJECT, free_port, launch
from .wire import connected, serving

ENTRIES: Final = 500
LOG: Final = [*opened(), *plays("AB", "5-5 5-0>5-5")]
NEW: Final = {"players": "2", "deal": "5", "target": "61", "name_a": "Ani", "name_b": "Budi"}


# Kills


def whole_matches() -> list[list[Event]]:
    """Matches with settlements, as single taps: each tile drawn is an entry; together at least 500."""
    names = (
        "five-up-61-reached-and-lost",
        "five-up-four-partners",
        "five-up-blocked-round",
        "five-up-tie-at-the-target",
    )
    matches = []
    for name in names:
        taps: list[Event] = []
        for event in recorded(name):
            drawn = event.tiles if isinstance(event, Drew) else None
            taps += [Drew(event.seat, 1)] * drawn if isinstance(event, Drew) and drawn else [event]
        matches.append(taps)
    return matches


def test_killed_again_and_again_no_answered_entry_is_lost_k15_k19(tmp_path: Path) -> None:
    """A settlement is one row, so that it is there whole or not at all; the rest follows by folding."""
    luck = random.Random(61)
    matches = whole_matches()
    assert sum(map(len, matches)) >= ENTRIES
    assert sum(isinstance(event, Settled) for log in matches for event in log) >= 20
    with closing(Store(tmp_path)) as store:
        paths = [keep(store, names=NAMES) for _ in matches]
    script = [(path, seen, event) for path, log in zip(paths, matches, strict=True) for seen, event in enumerate(log)]
    keys = [secrets.token_urlsafe(12) for _ in script]
    answered, kills = 0, 0
    limits = sorted(luck.sample(range(10, len(script)), 8))
    while answered < len(script):
        port = free_port()
        with (
            serving(launch("--port", str(port), "--data", str(tmp_path))) as process,
            suppress(OSError, http.client.HTTPException),
            connected(port) as client,
        ):
            limit = limits[kills] if kills < len(limits) else len(script)
            while answered < len(script):
                if answered >= limit:  # from here on it may fall at any moment of a request
                    limit = len(script)
                    threading.Timer(luck.uniform(0, 0.03), process.kill).start()
                path, seen, event = script[answered]
                assert client.enter(path, event, seen, keys[answered]) == 303, (path, seen, event)
                answered += 1
        with closing(Store(tmp_path)) as store:
            stored = [store.load(path.split("/")[2]) for path in paths]
        kept = sum(len(saved.entries) for saved in stored)
        assert kept in (answered, answered + 1)  # one may have been written and not answered any more
        for saved, log in zip(stored, matches, strict=True):
            assert list(saved.match.log) == log[: len(saved.entries)]
            assert saved.match == replay(saved.match.rules, saved.match.players, saved.match.log)
            assert all(round_.settlement is None or len(round_.left) for round_ in saved.match.rounds)
        kills += 1
    assert kills >= len(limits)
    with closing(sqlite3.connect(tmp_path / "fiveup.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# A full disk


def fill_up(store: Store) -> None:
    """From here on SQLite may not enlarge the file, and says what it says on a full disk."""
    db = store._connections.here()
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (limit,) = db.execute(f"PRAGMA max_page_count = {pages}").fetchone()
    assert limit == pages


@pytest.mark.parametrize(("language", "said"), [("en", "The disk is full"), ("id", "Penyimpanan penuh")])
def test_a_full_disk_is_said_and_leaves_nothing_half(
    app: Flask, store: Store, tmp_path: Path, language: str, said: str
) -> None:
    path = keep(store, LOG)
    device = Device(app, path, language=language)
    token = device.get().csrf
    fill_up(store)

    def entry(seen: int) -> dict[str, str]:
        return {"csrf_token": token, "seen": str(seen), "key": f"0123456789{seen}", "entry": str(seen)}

    while (answer := device.post(f"{path}/undo", entry(len(match_at(store, path).log)))).status_code == 303:
        pass  # what still fits on the last page is entered, and then nothing more
    before = match_at(store, path)
    refused = Page(answer)
    assert (refused.status, refused.tree.one("h2").text) == (507, said)
    with closing(Store(tmp_path / "data")) as fresh:
        assert match_at(fresh, path) == before
    assert {device.get(page).status for page in ("/", path, f"{path}/sheet", f"{path}/files")} == {200}
    assert device.client.get(f"{path}.json").status_code == 200
    again = refused.tree.one("main").one("form")
    assert refused.hidden(again) == entry(len(before.log))
    store._connections.here().execute("PRAGMA max_page_count = 1000000")
    assert device.post(again.get("action"), refused.hidden(again)).status_code == 303
    assert device.post(again.get("action"), refused.hidden(again)).status_code == 303
    assert len(match_at(store, path).log) == len(before.log) + 1


LIMITED: Final = """
import resource, sys
sys.path.insert(0, sys.argv.pop(1))
limit = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
from fiveup_ref.web.serve import serve
serve(sys.argv[1:])
"""


@pytest.mark.skipif(not POSIX, reason="limits of a process")
def test_a_file_that_may_not_grow_is_said_by_a_real_server(tmp_path: Path) -> None:
    """The limit of the system stops the write-ahead log in the middle of a write."""
    with closing(Store(tmp_path)) as store:
        path = keep(store, opened())
    port = free_port()
    arguments = ("--port", str(port), "--data", str(tmp_path))
    code = [sys.executable, "-c", LIMITED, str(PROJECT), "90000", *arguments]
    limited = subprocess.Popen(code, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=tmp_path)
    with serving(limited), connected(port) as client:
        seen = 1
        while (status := client.enter(path, [LOG[1], Undone(seen)][seen > 1], seen, f"0123456789{seen}")) == 303:
            seen += 1
        assert status == 507
        for page in ("/", path, f"{path}/sheet", f"{path}.json"):
            assert client.get(page)
        (kept,) = unpack(client.get(f"{path}.json"), now=datetime.now(UTC)).matches
        assert len(kept.entries) == seen
    with closing(Store(tmp_path)) as store:
        store.check()
        assert len(store.load(path.split("/")[2]).entries) == seen


# A folder that cannot be written

# Root may write anywhere; on Linux it is held to the rights of files once it has laid down its capabilities.
WITHOUT_PRIVILEGES: Final = """
import ctypes, os, sys
if os.getuid() == 0:
    nobody_special = (ctypes.c_uint32 * 6)()
    assert ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), nobody_special) == 0
sys.path.insert(0, sys.argv.pop(1))
from fiveup_ref.web.serve import serve
serve(sys.argv[1:])
"""


@pytest.fixture
def closed_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that the test will close; it is opened again, so that it can be cleared away."""
    folder = tmp_path / "closed"
    folder.mkdir()
    yield folder
    folder.chmod(0o755)


def close(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)


@pytest.mark.skipif(not POSIX or (os.getuid() == 0 and sys.platform != "linux"), reason="rights of files")
@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
def test_a_folder_that_cannot_be_written_is_for_reading(closed_folder: Path, killed: bool) -> None:
    store = Store(closed_folder)
    path = keep(store, LOG)
    if killed:  # the newest entries are in the log beside the file only
        kept = {one.name: one.read_bytes() for one in closed_folder.iterdir()}
        store.close()
        for name, data in kept.items():
            (closed_folder / name).write_bytes(data)
        assert (closed_folder / "fiveup.db-wal").stat().st_size
    else:
        store.close()
    close(closed_folder)
    before = {one.name: one.read_bytes() for one in closed_folder.iterdir() if one.suffix != ".db-shm"}
    port = free_port()
    code = [sys.executable, "-c", WITHOUT_PRIVILEGES, str(PROJECT), "--port", str(port), "--data", str(closed_folder)]
    process = subprocess.Popen(code, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd="/")
    with serving(process):
        assert process.stdout
        process.stdout.readline()
        assert process.stdout.readline().startswith("The data folder cannot be written to")
        with connected(port) as client:
            for page in ("/", path, f"{path}/sheet", f"{path}/files", "/deleted", "/backups", f"{path}.json"):
                assert client.get(page)
            (seen,) = unpack(client.get(f"{path}.json"), now=datetime.now(UTC)).matches
            assert list(seen.match.log) == LOG
            assert client.enter(path, Undone(3), 3, "0123456789") == 503
            assert client.post("/new", list(NEW.items())) == 503
            assert client.post(f"{path}/delete", []) == 503
            assert client.post("/backups", []) == 503
            assert "Nothing can be saved here" in client.body.decode()
    assert {one.name: one.read_bytes() for one in closed_folder.iterdir() if one.suffix != ".db-shm"} == before


# The clock


def test_a_clock_that_is_set_back_changes_no_order(tmp_path: Path) -> None:
    now = datetime(2026, 11, 29, 20, tzinfo=UTC)
    hours = [0, 1, -30, -2, 5, -9000]
    times = iter([now, *(now + timedelta(hours=hour) for hour in hours)])
    with closing(Store(tmp_path, clock=lambda: next(times))) as store:
        path = keep(store, [Noted(str(hour)) for hour in hours])
    with closing(Store(tmp_path)) as store:
        saved = store.load(path.split("/")[2])
        assert saved.match.log == tuple(Noted(str(hour)) for hour in hours)
        assert [info.number for info in saved.entries] == list(range(1, len(hours) + 1))
        assert [info.time for info in saved.entries] == [now + timedelta(hours=hour) for hour in hours]
        with closing(Store(tmp_path / "elsewhere")) as other:
            (back,) = unpack(to_json(saved), now=now).matches
            (arrived,) = other.bring_in([back])
            assert other.load(arrived.id).match == saved.match


# Everybody at once


def test_twenty_writers_and_an_export_at_once(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        paths = [keep(store, LOG, title=f"match {number}") for number in range(20)]
    port = free_port()
    states: list[dict[str, int]] = []
    wrong: list[object] = []
    written = threading.Event()

    def write(path: str) -> None:
        with connected(port) as client:
            for seen in range(len(LOG), len(LOG) + 15):
                status = client.enter(path, Undone(seen), seen, f"0123456789{seen}")
                if status != 303:
                    wrong.append((path, seen, status))

    def export() -> None:
        with connected(port) as client:
            while True:
                last = written.is_set()
                parcel = unpack(client.get("/matches.zip"), now=datetime.now(UTC))
                wrong.extend(parcel.troubles)
                states.append({saved.title: len(saved.entries) for saved in parcel.matches})
                if last:
                    return

    with serving(launch("--port", str(port), "--data", str(tmp_path))):
        writers = [threading.Thread(target=write, args=(path,)) for path in paths]
        exporter = threading.Thread(target=export)
        for thread in (*writers, exporter):
            thread.start()
        for thread in writers:
            thread.join()
        written.set()
        exporter.join()
    assert wrong == []
    assert set(states[-1].values()) == {len(LOG) + 15}
    for earlier, later in pairwise(states):
        assert earlier.keys() == later.keys()
        assert all(earlier[title] <= later[title] for title in earlier)


# SQLite as it is used here


def test_of_two_phones_with_the_same_tile_one_is_told_s21(app: Flask, store: Store) -> None:
    """Many times, so that a read before the lock would be seen to lie."""
    for _ in range(20):
        path = keep(store, opened())
        answers = together([partial(play_the_set, Device(app, path), str(number)) for number in range(2)])
        assert sorted(map(str, answers)) == [
            "200",
            "303",
        ]  # the same tile: it is entered, and who came second is told so
        assert len(match_at(store, path).log) == 2


def play_the_set(device: Device, key: str) -> int:
    fields = {"csrf_token": device.get().csrf, "seen": "1", "seat": "A", "play": "5-5", "key": f"012345678{key}"}
    return device.post(f"{device.path}/play", fields).status_code


def test_read_and_write_five_hundred_times_from_two_threads_s20_s24(store: Store) -> None:
    path = keep(store)
    match_id = path.split("/")[2]

    def add(name: str) -> None:
        for number in range(250):
            while True:
                seen = store.version(match_id)
                with suppress(Conflict):
                    store.append(match_id, Adjusted(Team(("A",)), 1, name), seen=seen, key=f"{name}{number}")
                    break

    assert together([lambda: add("one"), lambda: add("two")]) == [None, None]
    assert match_at(store, path).scores == (500, 0)


@pytest.mark.parametrize("fails_at", [1, 2, 5])
def test_what_fails_half_way_leaves_nothing_s14_s15(store: Store, tmp_path: Path, fails_at: int) -> None:
    """A match with its log is many rows, and one of them fails: none is there, also after a restart."""
    path = keep(store, recorded("five-up-counts"), names=NAMES)
    saved = replace(store.load(path.split("/")[2]), uid="0" * 32)
    with closing(sqlite3.connect(tmp_path / "data" / "fiveup.db")) as db, db:
        db.execute(
            f"CREATE TRIGGER fails BEFORE INSERT ON entries WHEN new.number = {fails_at} BEGIN SELECT RAISE(ABORT, 'x'); END"
        )
    with pytest.raises(sqlite3.IntegrityError):
        store.bring_in([saved])
    with closing(Store(tmp_path / "data")) as fresh:
        assert [f"/m/{one.id}" for one in fresh.recent(None)] == [path]
    with closing(sqlite3.connect(tmp_path / "data" / "fiveup.db")) as db, db:
        assert db.execute("SELECT count(*) FROM matches").fetchone() == (1,)
        db.execute("DROP TRIGGER fails")
    assert store.bring_in([saved])[0].arrival is Arrival.NEW
    with closing(Store(tmp_path / "data")) as fresh:  # committed, without another write after it
        assert len(fresh.recent(None)) == 2
    assert not store._connections.here().conn.in_transaction


def test_looking_at_an_open_round_settles_nothing_k24(app: Flask, store: Store) -> None:
    """Open, leave, take out as a file, bring back, open: no deduction is booked."""
    path = keep(store, LOG)
    device = Device(app, path)
    before = store.load(path.split("/")[2])
    for page in ("", "/sheet", "/files"):
        device.get(path + page)
    for ending in (".json", ".fiveup"):
        data = device.client.get(path + ending).data
        (back,) = unpack(data, now=datetime.now(UTC)).matches
        assert back.match.scores == before.match.scores
        assert back.match.rounds[-1].settlement is None
    assert store.load(path.split("/")[2]) == before


def test_the_two_hundredth_entry_asks_no_more_of_the_file_than_the_second_k16(store: Store) -> None:
    """By the statements that reach SQLite, not by a clock."""
    path = keep(store, LOG[:2])
    match_id = path.split("/")[2]
    asked: list[str] = []
    counts = []
    store._connections.here().conn.set_trace_callback(asked.append)
    for seen in range(2, 200):
        asked.clear()
        store.append(match_id, Undone(seen), seen=seen, key=str(seen))
        counts.append(len(asked))
    assert len(set(counts)) == 1


def test_the_range_of_the_library_is_bounded_s18() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [line for line in project["dependencies"] if line.startswith("sqlite-utils")] == ["sqlite-utils>=4.2,<5"]


def test_another_program_that_holds_the_file_is_waited_for_and_then_said(
    app: Flask, store: Store, tmp_path: Path
) -> None:
    path = keep(store, LOG)
    device = Device(app, path)
    page = device.get()
    store._connections.here().execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(tmp_path / "data" / "fiveup.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = Page(device.press(page, "undo", "entry", "3"))
        assert (refused.status, refused.tree.one("h2").text) == (503, "Another program holds the matches")
        assert device.get().status == 200
    again = refused.tree.one("main").one("form")
    assert device.post(again.get("action"), refused.hidden(again)).status_code == 303


def test_damage_that_is_met_while_the_app_runs_is_said(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        paths = [keep(store, LOG) for _ in range(40)]
    data = (tmp_path / "fiveup.db").read_bytes()
    with closing(Store(tmp_path)) as store:
        (tmp_path / "fiveup.db").write_bytes(data[: 3 * 4096].ljust(len(data), b"\xa5"))
        device = Device(create_app(store, secret_key="for tests", everyone_here=True))
        pages = [device.get(path) for path in ("/", "/deleted", *paths)]
    assert {(page.status, page.tree.texts("h2")[0]) for page in pages if page.status != 200} == {
        (500, "The file with the matches is damaged")
    }


def test_an_error_of_the_program_is_none_of_storage(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise sqlite3.IntegrityError("on purpose")

    app.add_url_rule("/broken", "broken", broken)
    monkeypatch.setitem(rights.LOOK, "broken", rights.Right.STRANGER)
    with pytest.raises(sqlite3.IntegrityError, match="on purpose"):
        Device(app).get("/broken")

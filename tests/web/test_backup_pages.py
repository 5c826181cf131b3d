"""Backups at the page, by command, and by themselves."""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from fiveup_ref.backups import Backup, Backups
from fiveup_ref.engine.events import Noted
from fiveup_ref.store import Store
from fiveup_ref.web.housekeeping import Housekeeping
from tests.test_backups import spoil

from .device import Device
from .matches import keep, opened, plays
from .test_serve import PROJECT, Browser, free_port, served

LOG = [*opened(), *plays("AB", "5-5 5-0>5-5")]


# The page


def test_made_listed_and_restored(device: Device, store: Store, backups: Backups) -> None:
    path = keep(store, LOG)
    assert device.get("/").tree.one("a", href="/backups").text == "Backups"
    empty = device.get("/backups")
    assert "There is no backup yet." in empty.tree.text
    made = device.press(empty, "backups")
    assert (made.status_code, made.headers["Location"]) == (303, "/backups")
    page = device.get("/backups")
    assert page.tree.texts(role="status") == ["A backup was made, and all in it can be read."]
    assert device.get("/backups").tree.texts(role="status") == []
    (kept,) = backups.all()
    (entry,) = page.tree.all("li", "backup")
    assert "1 match, 3 entries" in entry.text
    store.append(path.split("/")[2], Noted("later"), seen=3, key="")
    ask = device.get(entry.one("a").get("href"))
    assert kept.name in ask.tree.text
    assert len(store.load(path.split("/")[2]).entries) == 4
    done = (
        device.press(ask, "", "", "") if ask.forms("") else device.post(ask.path, ask.hidden(ask.tree.all("form")[0]))
    )
    assert (done.status_code, done.headers["Location"]) == (303, "/backups")
    assert len(store.load(path.split("/")[2]).entries) == 3
    page = device.get("/backups")
    assert "as it was before another backup was restored" in page.tree.all("li", "backup")[0].text
    assert backups.all()[0].name in page.tree.one(role="status").text
    assert device.get(path).scores == {"A": "2", "B": "2"}


@pytest.mark.parametrize("name", ["x", "20261129-120000.db", "..%2Ffiveup.db", "%00"])
def test_a_backup_that_is_none(device: Device, store: Store, name: str) -> None:
    keep(store)
    token = device.get("/backups").csrf
    assert device.get(f"/backups/{name}/restore").status == 404
    assert device.page(f"/backups/{name}/restore", {"csrf_token": token}).status == 404


def test_a_damaged_backup_is_refused_and_changes_nothing(
    device: Device, store: Store, backups: Backups, tmp_path: Path
) -> None:
    for _ in range(30):
        keep(store, LOG)
    name = backups.make().name
    spoil(tmp_path / "data" / "backups" / name)
    token = device.get("/backups").csrf
    page = device.page(f"/backups/{name}/restore", {"csrf_token": token})
    assert page.status == 422
    assert "this backup is damaged" in page.refusal
    assert len(store.recent(None)) == 30


def test_in_a_network_backups_are_for_the_host_alone(lan: Flask, store: Store, backups: Backups) -> None:
    """Whoever restores a backup reaches every match, and others of the network may see only what they opened."""
    path = keep(store)
    name = backups.make().name
    store.delete(path[3:])
    host, phone = Device(lan), Device(lan, address="192.168.1.20")
    csrf = phone.get("/new").csrf
    assert phone.get("/").tree.all("a", href="/backups") == []
    for at in ("/backups", f"/backups/{name}/restore"):
        assert phone.get(at).status == 403
        assert phone.post(at, {"csrf_token": csrf}).status_code == 403
    assert (len(backups.all()), store.recent(None)) == (1, [])
    assert len(host.get("/").tree.all("a", href="/backups")) == 1
    page = host.get(f"/backups/{name}/restore")
    assert host.post(f"/backups/{name}/restore", {"csrf_token": page.csrf}).status_code == 303
    assert [f"/m/{saved.id}" for saved in store.recent(None)] == [path]


def test_the_page_speaks_indonesian(app: Flask, store: Store, backups: Backups) -> None:
    keep(store)
    backups.make("before-upgrade")
    page = Device(app, language="id").get("/backups")
    assert page.tree.one("h1").text == "Cadangan"
    assert "1 pertandingan, 0 entri keadaan sebelum versi baru aplikasi" in page.tree.one("li", "backup").text


# By command


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "app.py", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False
    )


def test_the_commands_while_the_app_runs(tmp_path: Path) -> None:
    folder = str(tmp_path / "data")
    with closing(Store(Path(folder))) as store:
        path = keep(store, LOG)
    assert command("backups", "--data", folder).stdout.startswith("There is no backup yet.")
    port = free_port()
    with served("--port", str(port), "--data", folder):
        made = command("--data", folder, "backup")
        assert (made.returncode, made.stderr) == (0, "")
        name, _, said = made.stdout.partition(" ")
        assert said.endswith("matches: 1, entries: 3)\n")
        with closing(Store(Path(folder))) as store:
            store.append(path.split("/")[2], Noted("x"), seen=3, key="")
        browser = Browser(f"http://127.0.0.1:{port}")
        assert "x" in browser.open(f"{path}.json")[1].split('"Noted"')[1]
        done = command("restore", name, "--data", folder)
        assert (done.returncode, done.stderr) == (0, "")
        first, second = done.stdout.splitlines()
        assert first.startswith(f"Restored: {name} (")
        aside = second.removeprefix("What was there before is kept as ")
        assert '"Noted"' not in browser.open(f"{path}.json")[1]
    listed = command("backups", "--data", folder).stdout.splitlines()
    assert {aside, name} <= {line.split()[0] for line in listed}
    assert any("entries: 4, before-restore)" in line for line in listed)


@pytest.mark.parametrize("name", ["x", "20261129-120000.db", "../fiveup.db"])
def test_a_command_on_a_backup_that_is_none(tmp_path: Path, name: str) -> None:
    Store(tmp_path).close()
    done = command("restore", name, "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"There is no backup {name} in {tmp_path}. To list them: python3 app.py backups\n"


@pytest.mark.parametrize("damage", ["page", "photograph"])
def test_a_damaged_file_is_said_at_the_start_with_the_way_back(tmp_path: Path, damage: str) -> None:
    with closing(Store(tmp_path)) as store:
        for _ in range(30):
            keep(store, LOG)
    backups = Backups(tmp_path)
    good = backups.make()
    worse = backups.make()
    spoil(tmp_path / "backups" / worse.name)
    if damage == "page":
        spoil(tmp_path / "fiveup.db")
    else:
        (tmp_path / "fiveup.db").write_bytes(b"a photograph" * 1000)
    done = command("--data", str(tmp_path), "--port", str(free_port()))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"The database in {tmp_path} is damaged: ")
    assert f"The newest good backup is {good.name} (" in line
    assert line.endswith(f" matches: 30, entries: 90). To go back to it: python3 app.py restore {good.name}")
    refused = command("restore", worse.name, "--data", str(tmp_path))
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Nothing was restored: {worse.name} is damaged: ")
    done = command("restore", good.name, "--data", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    with closing(Store(tmp_path)) as store:
        store.check()
        assert len(store.recent(None)) == 30


# By themselves


class Watched(Backups):
    """Backups that tell when one was looked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.looked = threading.Event()

    def due(self) -> bool:
        try:
            return super().due()
        finally:
            self.looked.set()


def kept_after_a_start(store: Store, folder: Path) -> list[Backup]:
    backups = Watched(folder)
    housekeeping = Housekeeping(store, backups)
    housekeeping.start()
    assert backups.looked.wait(20)
    housekeeping.stop()
    assert not housekeeping.is_alive()
    return backups.all()


def test_one_is_made_at_the_start_if_anything_was_entered(store: Store, tmp_path: Path) -> None:
    assert kept_after_a_start(store, tmp_path / "data") == []
    path = keep(store, LOG)
    assert [one.entries for one in kept_after_a_start(store, tmp_path / "data")] == [3]
    assert [one.entries for one in kept_after_a_start(store, tmp_path / "data")] == [3]
    store.append(path.split("/")[2], Noted("x"), seen=3, key="")
    assert [one.entries for one in kept_after_a_start(store, tmp_path / "data")] == [4, 3]


def test_what_was_deleted_long_ago_goes_at_the_start(store: Store, tmp_path: Path) -> None:
    path = keep(store, LOG)
    store.delete(path.split("/")[2])
    with closing(sqlite3.connect(tmp_path / "data" / "fiveup.db")) as db, db:
        db.execute("UPDATE matches SET deleted = '2020-01-01T00:00:00.000000+00:00'")
    (made,) = kept_after_a_start(store, tmp_path / "data")
    assert made.matches == 1
    assert store.deleted(None) == []


def test_a_backup_that_fails_is_said_and_the_app_goes_on(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keep(store, LOG)
    (tmp_path / "data" / "backups").touch()
    with caplog.at_level(logging.ERROR):
        assert kept_after_a_start(store, tmp_path / "data") == []
    assert caplog.messages
    assert caplog.messages[0].startswith("No backup could be made: ")


def test_one_that_was_never_started_can_be_stopped(store: Store, backups: Backups) -> None:
    Housekeeping(store, backups).stop()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_server_makes_one_at_its_start_and_stops_cleanly(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        keep(store, LOG)
    with served("--port", str(free_port()), "--data", str(tmp_path)) as (process, _):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, "", "")
    assert [one.entries for one in Backups(tmp_path).all()] == [3]

"""The database file: durable, append-only, opened by many, moved forward and never back."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fiveup_ref.engine.events import Noted, RoundOpened
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.store import NewerDatabaseError, Store

from .storing import child, raw, rows, together

OPENED = RoundOpened("A", "lot")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path)) as store:
        yield store


def new(store: Store) -> str:
    return store.create(title="", rules=PRESETS["five-up"].rules(2), players=("Ani", "Budi"))


def test_two_processes_write_one_log(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    code = """
folder, match, name = sys.argv[1:]
store, seen = Store(Path(folder)), 0
for n in range(30):
    while True:
        try:
            seen = len(store.append(match, Noted(f"{name}{n}"), seen=seen, key=f"{name}{n}").entries)
            break
        except Conflict as conflict:
            seen = len(conflict.saved.entries)
store.close()
"""
    store.load(match_id)
    children = [child(code, str(tmp_path), match_id, name) for name in "ab"]
    assert [process.communicate()[0] for process in children] == ["", ""]
    assert [process.returncode for process in children] == [0, 0]
    saved = store.load(match_id)
    texts = [event.text for event in saved.match.log if isinstance(event, Noted)]
    assert len(texts) == len(saved.entries) == 60
    for name in "ab":
        assert [text for text in texts if text[0] == name] == [f"{name}{n}" for n in range(30)]
    with closing(Store(tmp_path)) as fresh:
        assert fresh.load(match_id) == saved


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_process_loses_nothing_that_it_answered(store: Store, tmp_path: Path, seed: int) -> None:
    match_id = new(store)
    code = """
folder, match = sys.argv[1:]
store, seen = Store(Path(folder)), 0
while True:
    seen = len(store.append(match, Noted(str(seen + 1)), seen=seen, key=str(seen)).entries)
    print(seen, flush=True)
"""
    luck = random.Random(seed)
    process = child(code, str(tmp_path), match_id)
    assert process.stdout
    answered = [process.stdout.readline() for _ in range(luck.randint(1, 20))]
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=luck.random() / 50)
    process.kill()
    answered += process.communicate()[0].splitlines(keepends=True)
    last = max(int(line) for line in answered if line.endswith("\n"))
    saved = store.load(match_id)
    assert len(saved.entries) in (last, last + 1)  # the last one may have been written and not yet answered
    assert saved.match.log == tuple(Noted(str(n + 1)) for n in range(len(saved.entries)))
    assert len(store.append(match_id, OPENED, seen=len(saved.entries), key="on").entries) == len(saved.entries) + 1
    with raw(tmp_path) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET who = 'me'",
        "UPDATE entries SET number = number + 1",
        "DELETE FROM entries",
        "DELETE FROM entries WHERE number = 2",
        "INSERT OR REPLACE INTO entries SELECT match, 2, 'z', time, who, event FROM entries WHERE number = 1",
        "INSERT INTO entries SELECT match, 4, 'z', time, who, event FROM entries WHERE number = 1",
        "INSERT INTO entries SELECT match, 0, 'z', time, who, event FROM entries WHERE number = 1",
        "INSERT INTO entries SELECT match, 3, 'k1', time, who, event FROM entries WHERE number = 1",
        "INSERT INTO entries SELECT match, 3, 'z', time, who, NULL FROM entries WHERE number = 1",
    ],
)
def test_no_program_can_change_what_was_entered(store: Store, tmp_path: Path, change: str) -> None:
    match_id = new(store)
    store.append(match_id, OPENED, seen=0, key="k0")
    store.append(match_id, Noted("tea"), seen=1, key="k1")
    before = rows(tmp_path)
    with raw(tmp_path) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(change)
    assert rows(tmp_path) == before


def test_an_entry_needs_its_match(store: Store) -> None:
    db = store._connections.here()
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        db.execute("INSERT INTO entries VALUES ('nobody', 1, 'k', '', '', '{}')")


def test_every_connection_is_durable(store: Store) -> None:
    def pragmas() -> list[object]:
        db = store._connections.here()
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [db.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert [pragmas(), *together([pragmas, pragmas])] == [["wal", 2, 1, 10_000]] * 3


def test_connections_are_closed_with_their_thread_or_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    match_id = new(store)
    here = store._connections.here().conn
    ended: list[sqlite3.Connection] = []
    thread = threading.Thread(target=lambda: ended.append(store._connections.here().conn))
    thread.start()
    thread.join()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        ended[0].execute("SELECT 1")
    assert store.version(match_id) == 0
    store.close()
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        here.execute("SELECT 1")
    (result,) = together([lambda: store.load(match_id)])
    assert isinstance(result, ValueError)


def test_a_closed_store_leaves_one_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    Store(folder).close()
    assert [path.name for path in folder.iterdir()] == ["fiveup.db"]
    if os.name == "posix":
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "fiveup.db").stat().st_mode & 0o777 == 0o600


def schema(folder: Path) -> list[tuple[object, ...]]:
    with raw(folder) as db:
        return (
            db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
            + db.execute("SELECT migration_set, name FROM _sqlite_migrations").fetchall()
        )


def test_opening_again_changes_nothing(store: Store, tmp_path: Path) -> None:
    before = schema(tmp_path)
    Store(tmp_path).close()
    assert schema(tmp_path) == before


@pytest.mark.parametrize("turn", range(3))
def test_four_processes_may_open_a_new_folder_at_once(tmp_path: Path, turn: int) -> None:
    code = """
print("ready", flush=True)
sys.stdin.readline()
Store(Path(sys.argv[1])).close()
"""
    folder = tmp_path / "data"
    children = [child(code, str(folder)) for _ in range(4)]
    for process in children:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in children:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in children:
        process.communicate()
    assert [process.returncode for process in children] == [0] * 4
    Store(tmp_path / "alone").close()
    assert schema(folder) == schema(tmp_path / "alone")


def test_opening_waits_for_a_process_that_is_making_the_file(tmp_path: Path) -> None:
    opened: list[Store] = []
    thread = threading.Thread(target=lambda: opened.append(Store(tmp_path)))
    with raw(tmp_path) as db:
        db.execute("BEGIN IMMEDIATE")
        thread.start()
        thread.join(timeout=0.2)
        assert thread.is_alive()
        db.execute("COMMIT")
        thread.join()
    (store,) = opened
    assert store.recent(None) == []
    store.close()


def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(store: Store, tmp_path: Path) -> None:
    with raw(tmp_path) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('fiveup_ref', 'm9999', '')"
        )
    before = schema(tmp_path)
    with pytest.raises(NewerDatabaseError, match=r"newer version.*m9999"):
        Store(tmp_path)
    assert schema(tmp_path) == before

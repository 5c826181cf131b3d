"""Backups: whole, checked, thinned out, and restored under a running store."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fiveup_ref.backups import Backups, NoSuchBackup
from fiveup_ref.copies import DamagedDatabaseError, check_pages, copy, named
from fiveup_ref.engine.events import Noted, to_row
from fiveup_ref.store import NewerDatabaseError, Store, check_logs

from .storing import LOG, START, Clock, child, fill, new, raw, together

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path, clock=Clock())) as store:
        yield store


class Hand:
    """A clock that stands where it is put."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def notes(store: Store, match_id: str) -> list[str]:
    return [event.text for event in store.load(match_id).match.log if isinstance(event, Noted)]


def test_a_backup_has_what_is_only_in_the_log_beside_the_file_s23(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    fill(store, match_id)
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "fiveup.db").write_bytes((tmp_path / "fiveup.db").read_bytes())  # the copy that S23 warns of
    with suppress(sqlite3.OperationalError), raw(alone) as db:
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (0,)
    made = Backups(tmp_path, clock=Hand()).make()
    assert made == ("20261129-120000.db", NOON, "", 1, len(LOG))
    with closing(sqlite3.connect(tmp_path / "backups" / made.name)) as db:
        assert [row[0] for row in db.execute("SELECT number FROM entries")] == list(range(1, len(LOG) + 1))
    assert [path.name for path in (tmp_path / "backups").iterdir()] == [made.name]
    if os.name == "posix":
        assert (tmp_path / "backups").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "backups" / made.name).stat().st_mode & 0o777 == 0o600


def test_backups_made_while_others_write_are_whole(store: Store, tmp_path: Path) -> None:
    ids = [new(store) for _ in range(3)]
    backups = Backups(tmp_path, clock=Hand())

    def write(match_id: str) -> None:
        for seen in range(40):
            store.append(match_id, Noted(str(seen)), seen=seen, key="")

    def back_up() -> list[str]:
        return [backups.make().name for _ in range(5)]

    *written, names = together([*(lambda one=one: write(one) for one in ids), back_up])
    assert written == [None] * 3
    assert names == ["20261129-120000.db", *(f"20261129-120000-{number}.db" for number in range(2, 6))]
    sizes = [one.entries for one in backups.all()]
    assert sizes == sorted(sizes, reverse=True)
    for one in backups.all():
        with closing(sqlite3.connect(tmp_path / "backups" / one.name)) as db:
            check_pages(db)
            check_logs(db)


def test_one_is_due_when_something_was_entered_since(store: Store, tmp_path: Path) -> None:
    backups = Backups(tmp_path, clock=Clock())
    assert not backups.due()
    match_id = new(store)
    assert backups.due()
    backups.make()
    assert not backups.due()
    store.append(match_id, Noted("tea"), seen=0, key="")
    assert backups.due()
    backups.make()
    assert not backups.due()
    assert [one.entries for one in backups.all()] == [1, 0]


def test_the_newest_ten_and_one_a_day_for_thirty_days_are_kept(store: Store, tmp_path: Path) -> None:
    new(store)
    clock = Hand(NOON - timedelta(days=40))
    backups = Backups(tmp_path, clock=clock)
    backups.make("before-restore")
    clock.now = NOON - timedelta(days=20)
    aside = backups.make("before-upgrade")
    for hours in range(0, 40 * 24 + 1, 6):
        clock.now = NOON - timedelta(days=40) + timedelta(hours=hours)
        backups.make()
    times = [one.time for one in backups.all() if not one.reason]
    assert times[:10] == [NOON - timedelta(hours=6 * number) for number in range(10)]
    days = [time.date() for time in times[10:]]
    assert days == [NOON.date() - timedelta(days=number) for number in range(3, 30)]
    assert {time.hour for time in times[10:]} == {18}
    assert [one for one in backups.all() if one.reason] == [aside]


def test_what_a_killed_backup_left_is_cleared_away_a_day_later(store: Store, tmp_path: Path) -> None:
    new(store)
    backups = Backups(tmp_path)
    backups.make()
    for name, age in (("old.part", 25), ("young.part", 1)):
        (tmp_path / "backups" / name).touch()
        then = datetime.now(UTC).timestamp() - age * 3600
        os.utime(tmp_path / "backups" / name, (then, then))
    backups.make()
    assert [path.name for path in (tmp_path / "backups").glob("*.part")] == ["young.part"]


def spoil(path: Path) -> None:
    """Overwrite a page in the middle of a file, as a failing card does."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 4096 // 2 * 4096
    data[middle : middle + 4096] = b"\xa5" * 4096
    path.write_bytes(data)


def test_a_damaged_database_gives_no_backup_and_takes_none_away(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        for _ in range(20):
            fill(store, new(store))
    backups = Backups(tmp_path)
    good = backups.make()
    spoil(tmp_path / "fiveup.db")
    with pytest.raises(DamagedDatabaseError):
        backups.make()
    assert [path.name for path in (tmp_path / "backups").iterdir()] == [good.name]
    assert backups.newest_good() == good


def test_a_log_that_cannot_be_read_is_no_good_backup(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    backups = Backups(tmp_path, clock=Clock())
    good = backups.make()
    with raw(tmp_path) as db:
        db.execute("INSERT INTO entries VALUES (?, 1, 'x', '', '', '{\"type\":\"Nonsense\"}')", (match_id,))
    with pytest.raises(DamagedDatabaseError, match="cannot be read"):
        backups.make()
    copy(tmp_path, now=START + timedelta(hours=1))  # its pages are as they should be
    assert [one.entries for one in backups.all()] == [1, 0]
    assert backups.newest_good() == good


def test_a_restored_backup_is_seen_by_every_store_at_once(store: Store, tmp_path: Path) -> None:
    match_id = new(store, title="kept")
    backups = Backups(tmp_path, clock=Clock())
    with closing(Store(tmp_path)) as other:
        for number, text in enumerate("abcd"):
            store.append(match_id, Noted(text), seen=number, key=text)
            backups.make()
        later = new(store, title="later")
        assert notes(store, match_id) == notes(other, match_id) == list("abcd")
        aside = backups.restore(backups.all()[2].name)
        for one in (store, other):
            assert notes(one, match_id) == ["a", "b"]
            assert [saved.title for saved in one.recent(None)] == ["kept"]
        other.append(match_id, Noted("C"), seen=2, key="c")
        assert notes(store, match_id) == ["a", "b", "C"]
        assert (named(aside) or ())[1:] == ("before-restore",)
        backups.restore(aside)
        assert notes(store, match_id) == notes(other, match_id) == list("abcd")
        assert store.load(later).title == "later"
    with raw(tmp_path) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert sorted(path.suffix for path in (tmp_path / "backups").iterdir()) == [".db"] * 6


def test_a_state_folded_while_a_backup_is_restored_is_not_kept(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    backups = Backups(tmp_path)
    made = backups.make()
    fill(store, match_id)
    saved = store._read(store._connections.here(), match_id)
    backups.restore(made.name)
    assert store.load(match_id).match.log == ()
    store._keep(saved)  # what a thread does that read before
    assert store.load(match_id).match.log == ()


def test_another_process_goes_on_after_a_restore(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    backups = Backups(tmp_path)
    made = backups.make()
    code = """
store = Store(Path(sys.argv[1]))
for number in range(2):
    seen = store.version(sys.argv[2])
    print(len(store.append(sys.argv[2], Noted("x"), seen=seen, key=str(number)).entries), flush=True)
    sys.stdin.readline()
store.close()
"""
    fill(store, match_id)
    process = child(code, str(tmp_path), match_id)
    assert process.stdout
    assert process.stdout.readline() == f"{len(LOG) + 1}\n"
    backups.restore(made.name)
    assert process.communicate("on\n\n")[0] == "1\n"


@pytest.mark.parametrize("damage", ["page", "photograph", "cut", "empty"])
def test_a_backup_takes_the_place_of_a_damaged_file(tmp_path: Path, damage: str) -> None:
    with closing(Store(tmp_path)) as store:
        ids = [new(store) for _ in range(20)]
        for match_id in ids:
            fill(store, match_id)
    backups = Backups(tmp_path, clock=Hand())
    made = backups.make()
    path = tmp_path / "fiveup.db"
    if damage == "page":
        spoil(path)
    else:
        whole = path.read_bytes()
        path.write_bytes({"photograph": b"\xff\xd8\xff" * 9000, "cut": whole[: len(whole) // 2], "empty": b""}[damage])
    wrong = path.read_bytes()
    aside = backups.restore(made.name)
    if damage != "empty":  # that is a database with nothing in it
        assert aside == "fiveup.db.damaged-20261129-120000"
        assert (tmp_path / aside).read_bytes() == wrong
    with closing(Store(tmp_path)) as store:
        assert {saved.id for saved in store.recent(None)} == set(ids)
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_damaged_or_newer_backup_changes_nothing(store: Store, tmp_path: Path) -> None:
    for _ in range(20):
        fill(store, new(store))
    backups = Backups(tmp_path)
    path = tmp_path / "backups" / backups.make().name
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('fiveup_ref', 'z', '')")
    match_id = new(store)
    with pytest.raises(NewerDatabaseError):
        backups.restore(path.name)
    spoil(path)
    with pytest.raises(DamagedDatabaseError):
        backups.restore(path.name)
    assert store.load(match_id).match.log == ()
    assert len(list((tmp_path / "backups").iterdir())) == 1


@pytest.mark.parametrize(
    "name",
    ["", "x", "..", "../fiveup.db", "20261129-120000.db", "../backups/20261129-120001.db", "20269929-120001.db"],
)
def test_a_name_that_is_none(store: Store, tmp_path: Path, name: str) -> None:
    backups = Backups(tmp_path, clock=Hand(NOON + timedelta(seconds=1)))
    backups.make()
    with pytest.raises(NoSuchBackup):
        backups.restore(name)
    with pytest.raises(NoSuchBackup):
        backups.find(name)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process")
def test_a_full_disk_leaves_no_half_backup(store: Store, tmp_path: Path) -> None:
    for _ in range(20):
        fill(store, new(store))
    code = """
import resource, sqlite3
from fiveup_ref.backups import Backups
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    Backups(Path(sys.argv[1])).make()
except sqlite3.Error as error:
    print("refused")
"""
    process = child(code, str(tmp_path))
    assert process.communicate()[0] == "refused\n"
    assert list((tmp_path / "backups").iterdir()) == []


def test_the_usual_tools_open_a_backup(store: Store, tmp_path: Path) -> None:
    new(store)
    made = Backups(tmp_path).make()
    code = "import sqlite3, sys; print(sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True).execute('SELECT title FROM matches').fetchall())"
    path = str(tmp_path / "backups" / made.name)
    assert (
        subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout
        == "[('',)]\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process")
def test_a_disk_that_fills_up_while_a_backup_is_put_in_place_changes_nothing(store: Store, tmp_path: Path) -> None:
    """The copies still fit below the limit; the write-ahead log, which has a head for every page, does not."""
    match_id = new(store)
    with raw(tmp_path) as db:
        db.execute("BEGIN")
        event = json.dumps(to_row(Noted("x" * 480)))
        for number in range(1, 6001):
            db.execute(
                "INSERT INTO entries VALUES (?, ?, NULL, ?, '', ?)", (match_id, number, START.isoformat(), event)
            )
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    backups = Backups(tmp_path, clock=Clock())
    name = backups.make().name
    store.append(match_id, Noted("later"), seen=6000, key="later")
    limit = (tmp_path / "backups" / name).stat().st_size + 3 * 4096
    code = """
import resource, sqlite3
from fiveup_ref.backups import Backups
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    Backups(Path(sys.argv[1])).restore(sys.argv[2])
except sqlite3.Error as error:
    print(error)
"""
    process = child(code, str(tmp_path), name, str(limit))
    assert process.communicate()[0] == "disk I/O error\n"
    assert [one.reason for one in backups.all()].count("before-restore") == 1  # so it came to the last step
    assert notes(store, match_id)[-1] == "later"
    with closing(Store(tmp_path)) as fresh:
        fresh.check()
        assert fresh.load(match_id) == store.load(match_id)
    assert list((tmp_path / "backups").glob("*.part")) == []

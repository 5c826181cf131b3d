"""From an older version's database to this one: everything is there, and a copy from before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fiveup_ref.backups import Backups
from fiveup_ref.copies import named
from fiveup_ref.store import Store

from .storing import LOG, child, fill, new, raw, rows

FIRST, SECOND = "first-match-of-m0001aa", "second-match-of-m0001a"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A data folder as the first version left it."""
    with raw(tmp_path) as db:
        db.executescript((Path(__file__).parent / "m0001.sql").read_text("utf-8"))
    return tmp_path


def schema(folder: Path) -> list[tuple[object, ...]]:
    with raw(folder) as db:
        return db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


def steps(folder: Path) -> list[tuple[object, ...]]:
    with raw(folder) as db:
        return db.execute("SELECT migration_set, name FROM _sqlite_migrations ORDER BY name").fetchall()


def test_an_older_database_is_brought_up_with_all_that_was_in_it(old: Path) -> None:
    before = rows(old)
    with closing(Store(old)) as store:
        saved = store.load(FIRST)
        assert saved.match.log == LOG
        assert (saved.title, saved.zone, saved.match.players) == ("Friday", "+07:00", ("Ani", "Budi"))
        assert store.load(SECOND).match.rules.preset == "all-fives"
        assert [len(saved.uid) for saved in store.recent(None)] == [32, 32]
        assert len({saved.uid for saved in store.recent(None)}) == 2
        fill(store, SECOND, LOG[:1])
        store.delete(SECOND)
    assert rows(old)[: len(before)] == before


def test_it_has_the_same_rules_as_a_new_one(old: Path, tmp_path: Path) -> None:
    Store(old).close()
    Store(tmp_path / "new").close()
    made = {name: sql for kind, name, sql in schema(old) if kind != "table"}
    assert made == {name: sql for kind, name, sql in schema(tmp_path / "new") if kind != "table"}
    assert steps(old) == steps(tmp_path / "new")
    assert len(steps(old)) > 2


def test_a_copy_of_before_is_kept_once(old: Path) -> None:
    before = schema(old)
    for _ in range(2):
        Store(old).close()
    (copy,) = (old / "backups").iterdir()
    assert (named(copy.name) or ())[1:] == ("before-upgrade",)
    with closing(sqlite3.connect(copy)) as db:
        kept = db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        assert kept == before
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (len(LOG),)
    (listed,) = Backups(old).all()
    assert (listed.matches, listed.entries) == (2, len(LOG))


def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    Store(tmp_path).close()
    assert not (tmp_path / "backups").exists()


def test_without_the_copy_nothing_is_changed(old: Path) -> None:
    before = schema(old), rows(old)
    (old / "backups").touch()  # so that there can be no such folder
    with pytest.raises(OSError, match="exists"):
        Store(old)
    assert (schema(old), rows(old)) == before


def test_a_step_that_fails_changes_nothing(old: Path) -> None:
    before = schema(old), rows(old)
    with raw(old) as db:
        db.execute("CREATE TABLE idx_matches_uid (a)")  # the name of the index that the step makes
    with pytest.raises(sqlite3.OperationalError, match="idx_matches_uid"):
        Store(old)
    with raw(old) as db:
        db.execute("DROP TABLE idx_matches_uid")
    assert (schema(old), rows(old)) == before
    Store(old).close()


def test_four_processes_bring_it_up_once(old: Path) -> None:
    code = """
print("ready", flush=True)
sys.stdin.readline()
Store(Path(sys.argv[1])).close()
"""
    children = [child(code, str(old)) for _ in range(4)]
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
    assert len(list((old / "backups").iterdir())) == 1


def test_a_backup_of_an_older_version_is_brought_up_when_it_is_restored(old: Path) -> None:
    with closing(Store(old)) as store:
        later = new(store)
        backups = Backups(old)
        (kept,) = backups.all()
        backups.restore(kept.name)
        assert store.load(FIRST).match.log == LOG
        assert {saved.id for saved in store.recent(None)} == {FIRST, SECOND} - {later}
        fill(store, SECOND, LOG[:1])
    assert backups.find(kept.name) == kept

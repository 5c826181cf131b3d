"""Deleting and restoring a match, and its end after 30 days."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fiveup_ref.store import DeletedMatch, NoSuchMatch, Store

from .storing import LOG, OPENED, Clock, fill, new, raw, rows, together


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path, clock=Clock())) as store:
        yield store


def uses(store: Store) -> list[Callable[[str], object]]:
    return [store.load, store.version, store.delete]


def deleted_before(folder: Path, age: timedelta) -> str:
    """A match with a log that was deleted so long ago; another, that is still there, is in the folder as well."""
    with closing(Store(folder, clock=lambda: datetime.now(UTC) - age)) as store:
        fill(store, new(store))
        match_id = new(store)
        fill(store, match_id)
        store.delete(match_id)
        return match_id


def test_a_deleted_match_is_gone_for_every_use_and_comes_back_whole(store: Store, tmp_path: Path) -> None:
    match_id, other = new(store, title="one", key="k"), new(store, title="two")
    fill(store, match_id)
    before = store.load(match_id)
    with closing(Store(tmp_path)) as elsewhere:
        elsewhere.load(match_id)
        store.delete(match_id)
        for at in (store, elsewhere):
            for use in uses(at):
                with pytest.raises(DeletedMatch):
                    use(match_id)
            with pytest.raises(DeletedMatch):
                at.append(match_id, OPENED, seen=len(LOG), key="")
            assert [saved.id for saved in at.recent(None)] == [other]
            assert at.recent([match_id]) == at.like("one", ("Ani", "Budi")) == []
            (listed,) = at.deleted(None)
            assert (listed.match, listed.title, listed.entries) == (before.match, "one", before.entries)
            assert listed.deleted is not None
            assert [saved.id for saved in at.deleted([match_id, other])] == [match_id]
            assert at.deleted([other]) == at.deleted([]) == []
        elsewhere.restore(match_id)
        assert store.load(match_id) == elsewhere.load(match_id) == before
        assert store.deleted(None) == []
        store.restore(match_id)
    assert len(rows(tmp_path)) == len(LOG)


def test_those_deleted_last_are_listed_first(store: Store) -> None:
    ids = [new(store) for _ in range(3)]
    for match_id in (ids[1], ids[2], ids[0]):
        store.delete(match_id)
    assert [saved.id for saved in store.deleted(None)] == [ids[0], ids[2], ids[1]]


@pytest.mark.parametrize("match_id", ["", "nobody", "é", "\ud800"])
def test_what_is_not_there_is_neither_deleted_nor_restored(store: Store, match_id: str) -> None:
    for use in (store.delete, store.restore):
        with pytest.raises(NoSuchMatch):
            use(match_id)


def test_deleting_and_entering_at_one_moment(store: Store) -> None:
    match_id = new(store)
    results = together([lambda: store.append(match_id, OPENED, seen=0, key="a"), lambda: store.delete(match_id)])
    assert results[1] is None
    store.restore(match_id)
    assert store.version(match_id) == (0 if isinstance(results[0], DeletedMatch) else 1)


def test_after_thirty_days_it_is_removed_with_its_log_and_nothing_else(tmp_path: Path) -> None:
    match_id = deleted_before(tmp_path, timedelta(days=30, minutes=1))
    with closing(Store(tmp_path)) as store:
        assert len(rows(tmp_path)) == 2 * len(LOG)
        assert store.purge() == 1
        assert store.purge() == 0
        assert store.deleted(None) == []
        with pytest.raises(NoSuchMatch) as gone:
            store.load(match_id)
        assert not isinstance(gone.value, DeletedMatch)
        assert [len(saved.entries) for saved in store.recent(None)] == [len(LOG)]
    assert len(rows(tmp_path)) == len(LOG)


def test_before_that_it_stays(tmp_path: Path) -> None:
    match_id = deleted_before(tmp_path, timedelta(days=29, hours=23))
    with closing(Store(tmp_path)) as store:
        assert store.purge() == 0
        store.restore(match_id)
        assert len(store.load(match_id).entries) == len(LOG)


@pytest.mark.parametrize("age", [None, timedelta(0), timedelta(days=29)])
@pytest.mark.parametrize("change", ["DELETE FROM entries", "DELETE FROM matches"])
def test_no_program_can_remove_a_match_before(tmp_path: Path, age: timedelta | None, change: str) -> None:
    match_id = deleted_before(tmp_path, age or timedelta(0))
    if age is None:
        with closing(Store(tmp_path)) as store:
            store.restore(match_id)
    before = rows(tmp_path)
    with raw(tmp_path) as db:
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(change)
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(f"{change} WHERE {'match' if 'entries' in change else 'id'} = ?", (match_id,))
        assert db.execute("SELECT count(*) FROM matches").fetchone() == (2,)
    assert rows(tmp_path) == before


def test_an_old_deleted_log_can_be_removed_but_not_changed(tmp_path: Path) -> None:
    match_id = deleted_before(tmp_path, timedelta(days=31))
    with raw(tmp_path) as db:
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("UPDATE entries SET who = 'me' WHERE match = ?", (match_id,))
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("DELETE FROM entries")
        db.execute("DELETE FROM entries WHERE match = ?", (match_id,))
    assert len(rows(tmp_path)) == len(LOG)

"""Entries are added one at a time, whoever else writes, and a refusal leaves nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fiveup_ref import store as store_module
from fiveup_ref.engine.events import Event, Noted, Passed, Played, Undone
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Conflict, Store

from .storing import LOG, OPENED, SET, Clock, fill, new, raw, rows, together


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path, clock=Clock())) as store:
        yield store


def test_the_same_key_again_writes_nothing_and_returns_the_state_now(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    fill(store, match_id, LOG[:3])
    before = rows(tmp_path)
    with closing(Store(tmp_path)) as other:
        for at in (store, other):
            for event, seen in ((OPENED, 0), (SET, 1), (Passed("B"), 99), (Undone(77), -1)):
                assert at.append(match_id, event, seen=seen, key="k1") == store.load(match_id)
    assert rows(tmp_path) == before


def test_a_key_belongs_to_its_match(store: Store) -> None:
    one, two = new(store), new(store)
    store.append(one, OPENED, seen=0, key="same")
    store.append(two, OPENED, seen=0, key="same")
    assert (store.version(one), store.version(two)) == (1, 1)


def test_no_key_is_no_protection(store: Store) -> None:
    match_id = new(store)
    store.append(match_id, OPENED, seen=0, key="")
    assert store.append(match_id, SET, seen=1, key="").match.scores == (2, 0)


@pytest.mark.parametrize(("seen", "since"), [(0, LOG[:3]), (1, LOG[1:3]), (2, LOG[2:3]), (4, ()), (-1, LOG[:3])])
def test_who_has_not_seen_the_last_entry_is_told_what_happened(
    store: Store, tmp_path: Path, seen: int, since: tuple[Event, ...]
) -> None:
    match_id = new(store)
    fill(store, match_id, LOG[:3])
    with pytest.raises(Conflict) as conflict:
        store.append(match_id, Noted("late"), seen=seen, key="late")
    assert conflict.value.since == since
    assert conflict.value.saved == store.load(match_id)
    assert len(rows(tmp_path)) == 3


def test_a_refused_entry_leaves_nothing(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    fill(store, match_id, LOG[:2])
    before, state = rows(tmp_path), store.load(match_id)
    for event in (SET, Undone(9), Played("B", Tile.of(6, 4), Tile.of(5, 5))):
        with pytest.raises(RulesError):
            store.append(match_id, event, seen=2, key="k")
    assert (rows(tmp_path), store.load(match_id)) == (before, state)
    assert store.append(match_id, LOG[2], seen=2, key="k").match.log == LOG[:3]


def test_a_failing_disk_leaves_nothing_and_the_store_goes_on(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    fill(store, match_id, LOG[:2])
    state = store.load(match_id)
    with raw(tmp_path) as db:
        db.execute("CREATE TRIGGER full AFTER INSERT ON entries BEGIN SELECT RAISE(ABORT, 'disk full'); END")
        with pytest.raises(sqlite3.IntegrityError, match="disk full"):
            store.append(match_id, LOG[2], seen=2, key="k")
        assert store.load(match_id) == state
        db.execute("DROP TRIGGER full")
    assert store.append(match_id, LOG[2], seen=2, key="k").match.log == LOG[:3]
    assert len(rows(tmp_path)) == 3


def test_one_key_from_twenty_threads_is_one_entry(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    results = together([lambda: store.append(match_id, OPENED, seen=0, key="tap")] * 20)
    assert results == [store.load(match_id)] * 20
    assert len(rows(tmp_path)) == 1


def test_of_twenty_threads_that_saw_the_same_one_wins(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    store.append(match_id, OPENED, seen=0, key="open")
    results = together([lambda n=n: store.append(match_id, Noted(str(n)), seen=1, key=str(n)) for n in range(20)])  # type: ignore[misc]
    saved = store.load(match_id)
    conflicts = [result for result in results if isinstance(result, Conflict)]
    assert len(conflicts) == 19
    assert results.count(saved) == 1
    assert {conflict.since for conflict in conflicts} == {saved.match.log[1:]}
    assert len(rows(tmp_path)) == 2


def test_many_threads_with_matches_of_their_own_do_not_hinder_each_other(store: Store) -> None:
    def one() -> int:
        match_id = new(store)
        fill(store, match_id)
        return store.version(match_id)

    assert together([one] * 8) == [len(LOG)] * 8


def test_a_store_sees_what_another_wrote_meanwhile(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    with closing(Store(tmp_path)) as other:
        for seen, event in enumerate(LOG):
            saved = (store, other)[seen % 2].append(match_id, event, seen=seen, key=str(seen))
            assert store.load(match_id) == other.load(match_id) == saved
            assert store.version(match_id) == seen + 1
            assert store._folded == other._folded == {match_id: saved}  # so that the next look folds nothing


def test_more_matches_than_are_kept_folded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_HELD", 3 * len(LOG))
    ids = [new(store) for _ in range(4)]
    for match_id in ids:
        fill(store, match_id)
    assert len(store._folded) == 2
    for _ in range(3):
        assert [store.load(match_id).match.log for match_id in ids] == [LOG] * 4
        assert len(store._folded) == 2
        assert store._held == sum(len(one.entries) + 2 for one in store._folded.values())


def test_a_match_longer_than_all_that_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is folded at every look, and leaves room for others when it is gone."""
    monkeypatch.setattr(store_module, "_HELD", 4)
    match_id, small = new(store), new(store)
    fill(store, match_id)
    assert [store.load(match_id).match.log for _ in range(2)] == [LOG] * 2
    store.load(small)
    assert (list(store._folded), store._held) == ([small], 2)

"""The store: which matches there are, and that they come back as they were entered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from fiveup_ref.engine.events import Noted
from fiveup_ref.engine.faults import Fault
from fiveup_ref.engine.rules import PRESETS, Preset
from fiveup_ref.store import NoSuchMatch, Store

from .storing import LOG, OPENED, SET, START, TWO, Clock, fill, new, raw, rows


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path, clock=Clock())) as store:
        yield store


def test_a_stored_match_comes_back_as_it_was_folded(store: Store, tmp_path: Path) -> None:
    match_id = new(store, title="Friday")
    fill(store, match_id)
    saved = store.load(match_id)
    with closing(Store(tmp_path)) as fresh:
        assert fresh.load(match_id) == saved
    assert saved.match.log == LOG
    assert (saved.id, saved.title, saved.started, saved.zone) == (match_id, "Friday", START, "")
    assert [entry.number for entry in saved.entries] == list(range(1, len(LOG) + 1))
    assert {entry.who for entry in saved.entries} == {"Ani's phone"}
    assert [entry.time for entry in saved.entries] == [START + timedelta(seconds=n + 1) for n in range(len(LOG))]


def test_append_returns_the_match_after_the_entry(store: Store) -> None:
    match_id = new(store)
    store.append(match_id, OPENED, seen=0, key="a")
    saved = store.append(match_id, SET, seen=1, key="b")
    assert saved.match.scores == (2, 0)
    assert saved == store.load(match_id)
    assert store.version(match_id) == 2


def test_times_are_kept_in_utc_whatever_the_clock_shows(tmp_path: Path) -> None:
    jakarta = timezone(timedelta(hours=7))
    moment = datetime(2026, 11, 30, 2, 0, tzinfo=jakarta)
    with closing(Store(tmp_path, clock=lambda: moment)) as store:
        match_id = store.create(title="", rules=TWO, players=("a", "b"), zone="Asia/Jakarta", now=moment)
        saved = store.append(match_id, OPENED, seen=0, key="a")
        assert (saved.started, saved.zone, saved.entries[0].time) == (moment, "Asia/Jakarta", moment)
        assert saved.started.tzinfo is saved.entries[0].time.tzinfo is UTC
    assert rows(tmp_path)[0][3] == "2026-11-29T19:00:00.000000+00:00"


def test_names_are_kept_as_they_are_written(store: Store, tmp_path: Path) -> None:
    players = ("<script>alert('1')</script>", "أحمد 🁣 \u202e'; DROP TABLE entries; --")
    title = 'ü🀱\n\x00\\ "%s{}'
    match_id = store.create(title=title, rules=TWO, players=players)
    store.append(match_id, Noted(players[1]), seen=0, key="🀱", who=players[0])
    with closing(Store(tmp_path)) as fresh:
        saved = fresh.load(match_id)
    assert (saved.title, saved.match.players, saved.entries[0].who) == (title, players, players[0])
    assert saved.match.log == (Noted(players[1]),)


@pytest.fixture
def presets() -> Iterator[dict[str, Preset]]:
    """The table of games, to be changed; afterwards it is as it was, the order of its rows too."""
    kept = dict(PRESETS)
    table: dict[str, Preset] = PRESETS  # type: ignore[assignment] # which a Mapping does not let anybody do
    yield table
    table.clear()
    table.update(kept)


def test_later_presets_do_not_change_a_stored_match(store: Store, tmp_path: Path, presets: dict[str, Preset]) -> None:
    rules = TWO.changed({"target": "100", "exact": "yes", "reserve": "2"})
    match_ids = [new(store), new(store, rules=rules)]
    presets["five-up"] = replace(PRESETS["five-up"], hands={2: 7}, targets={2: 31}, spinners=1)
    with closing(Store(tmp_path)) as later:
        assert [later.load(match_id).match.rules for match_id in match_ids] == [TWO, rules]
    del presets["five-up"]
    with closing(Store(tmp_path)) as much_later:
        assert [much_later.load(match_id).match.rules for match_id in match_ids] == [TWO, rules]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_field_of_the_rules_is_stored(store: Store, tmp_path: Path, preset: str, players: int) -> None:
    rules = PRESETS[preset].rules(players)
    match_id = store.create(title="", rules=rules, players=("a", "b", "c", "d")[:players])
    with closing(Store(tmp_path)) as fresh:
        assert fresh.load(match_id).match.rules == rules


def test_an_entry_that_this_version_refuses_is_listed_and_the_match_still_opens(store: Store, tmp_path: Path) -> None:
    match_id = new(store)
    fill(store, match_id, LOG[:2])
    event = {"type": "Played", "seat": "B", "tile": "6-4", "onto": "5-5"}
    with raw(tmp_path) as db:
        db.execute("INSERT INTO entries VALUES (?, 3, 'x', ?, '', ?)", (match_id, START.isoformat(), json.dumps(event)))
    warm = store.load(match_id)
    with closing(Store(tmp_path)) as fresh:
        for match in (warm.match, fresh.load(match_id).match):
            assert match.log[:2] == LOG[:2]
            assert match.scores == (2, 0)
            assert [(fallen.entry, fallen.error.fault) for fallen in match.fallen] == [(3, Fault.NO_FIT)]


@pytest.mark.parametrize(
    "match_id", ["", "nobody", "../x", "x" * 10_000, "\0", "a\0b", "é", "\ud800", "' OR 1=1 --", "%", "0"]
)
def test_an_id_that_is_none_is_refused_by_name(store: Store, match_id: str) -> None:
    new(store)
    with pytest.raises(NoSuchMatch):
        store.load(match_id)
    with pytest.raises(NoSuchMatch):
        store.version(match_id)
    with pytest.raises(NoSuchMatch):
        store.append(match_id, OPENED, seen=0, key="a")
    assert store.recent([match_id]) == []


def test_the_editions_of_many_are_those_of_each(store: Store) -> None:
    ids = [new(store) for _ in range(4)]
    for number, match_id in enumerate(ids):
        for seen, event in enumerate(LOG[:number]):
            store.append(match_id, event, seen=seen, key="")
    rematches = [store.create(title="", rules=TWO, players=("Ani", "Budi"), follows=ids[at]) for at in (1, 2, 2, 2)]
    for gone in (ids[3], rematches[3]):
        store.delete(gone)
    asked = {*ids, "", "nobody", "\0", "é", "' OR 1=1 --", "%"}
    assert store.editions(asked) == {match_id: store.edition(match_id) for match_id in ids[:3]}
    assert store.editions(asked) == {ids[0]: (0, 0, ""), ids[1]: (1, 0, rematches[0]), ids[2]: (2, 0, rematches[2])}
    assert store.editions(set()) == {}


def test_no_poll_looks_through_all_matches(store: Store) -> None:
    match_id = new(store)
    db = store.connections.here().conn
    asked: list[str] = []
    db.set_trace_callback(asked.append)
    store.editions([match_id])
    store.edition(match_id)
    db.set_trace_callback(None)
    steps = [step[-1] for one in asked if one.startswith("SELECT") for step in db.execute(f"EXPLAIN QUERY PLAN {one}")]
    assert len([step for step in steps if "matches_by_follows" in step]) == 2
    assert [step for step in steps if step.startswith(("SCAN matches", "SCAN rematch", "SCAN entries"))] == []


def test_ids_are_long_and_all_different(store: Store) -> None:
    ids = {new(store) for _ in range(20)}
    assert len(ids) == 20
    assert min(map(len, ids)) >= 22


def test_the_same_key_makes_one_match(store: Store, tmp_path: Path) -> None:
    first = new(store, title="one", key="k")
    assert new(store, title="two", key="k") == first
    with closing(Store(tmp_path)) as other:
        assert new(other, key="k") == first
    assert store.load(first).title == "one"
    assert new(store, key="l") != first
    assert new(store) != new(store)


def test_a_match_with_too_few_names_is_not_stored(store: Store) -> None:
    with pytest.raises(ValueError, match="2 names"):
        store.create(title="", rules=TWO, players=("Ani",))
    assert store.recent(None) == []


def test_recent_lists_the_newest_activity_first(store: Store) -> None:
    first, second, third = (new(store, title=title) for title in ("first", "second", "third"))
    assert [saved.id for saved in store.recent(None)] == [third, second, first]
    store.append(first, OPENED, seen=0, key="a")
    assert [saved.id for saved in store.recent(None)] == [first, third, second]
    store.append(second, OPENED, seen=0, key="a")
    store.append(first, SET, seen=1, key="b")
    assert [saved.id for saved in store.recent(None)] == [first, second, third]
    assert [saved.id for saved in store.recent(None, limit=2)] == [first, second]
    assert [saved.id for saved in store.recent([second, "nobody", first, second])] == [first, second]
    assert store.recent([]) == []
    assert store.recent(None)[0].id != (fourth := new(store))
    assert store.recent(None)[0].id == fourth


def test_of_matches_made_at_one_moment_the_last_is_listed_first(store: Store) -> None:
    ids = [store.create(title="", rules=TWO, players=("Ani", "Budi"), now=START) for _ in range(3)]
    assert [saved.id for saved in store.recent(None)] == ids[::-1]

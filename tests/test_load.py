"""A hall in small: nothing fails, nothing is lost; and a list beside many matches asks for none but those it shows."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from bench.big import beside, measure
from bench.load import BEFORE, load
from fiveup_ref.store import Store

from .storing import raw

POSIX = os.name == "posix"


@pytest.mark.skipif(not POSIX, reason="the bound on open files is asked as POSIX has it")
def test_tables_phones_screens_and_bad_clients_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:  # a thread without the loop that a browser test left running in this one
        seen = pool.submit(load, tmp_path, tables=6, seconds=3, rate=8, awake=5).result()
    assert seen.faults == []
    assert len(seen.entries) >= 6
    assert len(seen.polls) >= 6 * 5
    assert seen.pages
    assert seen.bad_clients >= 10 + 10 + 1 + 1
    with closing(Store(tmp_path)) as store:
        logs = [len(saved.match.log) for saved in store.recent(None)]
    assert (len(logs), sum(logs)) == (6, 6 * BEFORE + len(seen.entries))


def test_list_page_and_entry_are_right_beside_others() -> None:
    with beside(0, 0) as none, beside(80, 20) as others, ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(measure([none, others], looks=3))).result()
    for side in (none, others):
        assert {name: len(times) for name, times in side.took.items()} == {"list": 3, "table page": 3, "entry": 3}


def test_the_list_is_read_from_an_index_and_stops_where_it_ends(tmp_path: Path) -> None:
    """So that ten thousand matches cost it no more than fifty."""
    Store(tmp_path).close()
    with raw(tmp_path) as db:
        plan = db.execute(
            "EXPLAIN QUERY PLAN SELECT id FROM matches WHERE deleted IS NULL ORDER BY active DESC, rowid DESC LIMIT 50"
        ).fetchall()
    assert [line[3] for line in plan] == ["SCAN matches USING INDEX matches_by_active"]

"""What the tests of the store share: a log, other programs, other processes, many threads at one moment."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from fiveup_ref.engine.events import Adjusted, Amended, Drew, Event, Noted, Played, RoundOpened, Undone
from fiveup_ref.engine.rules import PRESETS, Rules
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

_ROOT = Path(__file__).parent.parent
TWO = PRESETS["five-up"].rules(2)
OPENED = RoundOpened("A", "lot")
SET = Played("A", Tile.of(5, 5))
START = datetime(2026, 11, 29, 13, 15, tzinfo=UTC)

LOG: tuple[Event, ...] = (
    OPENED,
    SET,
    Played("B", Tile.of(5, 0), Tile.of(5, 5)),
    Drew("A", 2),
    Played("A", Tile.of(6, 5), Tile.of(5, 5)),
    Undone(5),
    Undone(6),
    Amended(3, Played("B", Tile.of(5, 1), Tile.of(5, 5))),
    Adjusted(Team(("A",)), -2, "house rule"),
    Noted("tea"),
)


class Clock:
    """A clock that gives START and then one second more at each look."""

    def __init__(self) -> None:
        self._looks = count()

    def __call__(self) -> datetime:
        return START + timedelta(seconds=next(self._looks))


def new(store: Store, *, rules: Rules = TWO, title: str = "", key: str = "") -> str:
    return store.create(title=title, rules=rules, players=("Ani", "Budi"), key=key)


def fill(store: Store, match_id: str, log: tuple[Event, ...] = LOG) -> None:
    for seen, event in enumerate(log):
        store.append(match_id, event, seen=seen, key=f"k{seen}", who="Ani's phone")


def raw(folder: Path) -> closing[sqlite3.Connection]:
    """The file as any other program opens it."""
    return closing(sqlite3.connect(folder / "fiveup.db", isolation_level=None))


def rows(folder: Path) -> list[tuple[object, ...]]:
    with raw(folder) as db:
        return db.execute("SELECT * FROM entries ORDER BY match, number").fetchall()


def child(code: str, *args: str) -> subprocess.Popen[str]:
    """Another process that runs `code` with the program's modules at hand."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD + code, *args],
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


CHILD = """
import sys
from pathlib import Path
from fiveup_ref.engine.events import Noted
from fiveup_ref.store import Conflict, Store
"""


def together(actions: list[Callable[[], object]]) -> list[object]:
    """What each action returned or raised, all begun at one moment in threads of their own."""
    barrier = threading.Barrier(len(actions))
    results: list[object] = [None] * len(actions)

    def run(index: int) -> None:
        barrier.wait()
        try:
            results[index] = actions[index]()
        except Exception as error:  # noqa: BLE001 - it is the result
            results[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results

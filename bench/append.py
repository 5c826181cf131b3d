"""What an entry costs: a bare durable insert beside `Store.append` into a match of 300 entries.

`python bench/append.py [FOLDER]`; the folder names the disk to measure, the default is the system's temporary one.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fiveup_ref.engine.events import Adjusted, Event, Noted, Played, RoundOpened, Undone
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

ENTRIES = 300
SAMPLES = 400
ROUND: tuple[Event, ...] = (
    Played("A", Tile.of(5, 5)),
    Played("B", Tile.of(5, 0), Tile.of(5, 5)),
    Played("A", Tile.of(5, 6), Tile.of(5, 5)),
    Played("B", Tile.of(6, 6), Tile.of(6, 5)),
)


def log() -> Iterator[Event]:
    """A round of which a part is played, taken back, noted and adjusted, over and over."""
    yield RoundOpened("A", "lot")
    number = 1
    while True:
        yield from ROUND
        yield from (Undone(entry) for entry in range(number + len(ROUND), number, -1))
        yield Noted("tea")
        yield Adjusted(Team(("A",)), 1, "house rule")
        number += 2 * len(ROUND) + 2


def row(label: str, samples: list[float]) -> str:
    """One line of the table, in milliseconds."""
    ordered = sorted(samples)
    return f"{label:34} p50 {ordered[len(ordered) // 2]:7.2f} ms   p99 {ordered[len(ordered) * 99 // 100]:7.2f} ms"


def timed(act: Callable[[], object]) -> float:
    """Milliseconds that `act` takes."""
    began = perf_counter()
    act()
    return (perf_counter() - began) * 1e3


def bare(folder: Path) -> list[float]:
    """One row, one commit, the same pragmas, and nothing else."""
    with closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, event TEXT)")
        text = '{"type":"Played","seat":"B","tile":"5-0","onto":"5-5"}'
        return [timed(lambda: db.execute("INSERT INTO entries (event) VALUES (?)", (text,))) for _ in range(SAMPLES)]


def appends(folder: Path) -> tuple[list[float], list[float]]:
    """Milliseconds of each append that makes entry 300 or one of the next few, and of those that undo."""
    store = Store(folder)
    plays: list[float] = []
    undos: list[float] = []
    while min(len(plays), len(undos)) < SAMPLES // 2:
        match_id = store.create(title="", rules=PRESETS["five-up"].rules(2), players=("Ani", "Budi"))
        for seen, event in enumerate(islice(log(), ENTRIES + 20)):
            took = timed(lambda: store.append(match_id, event, seen=seen, key=str(seen)))  # noqa: B023 - run at once
            if seen >= ENTRIES - 20:
                (undos if isinstance(event, Undone) else plays).append(took)
    store.close()
    return plays, undos


def main() -> None:
    """Measure and print."""
    with TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        plays, undos = appends(Path(folder))
        print(row("bare durable insert", bare(Path(folder))))
        print(row(f"Store.append at entry {ENTRIES}", plays))
        print(row(f"Store.append of an undo, {ENTRIES}", undos))


if __name__ == "__main__":
    main()

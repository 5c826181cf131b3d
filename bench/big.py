"""Prints how long the list, a table page and an entry take beside 10,000 matches and a million entries, beside none.

Both databases hold the fifty matches that are looked at, so that the same is shown and only what lies beside differs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fiveup_ref.engine.events import Event

from .load import BEFORE, Connection, Table, let_go
from .tables import fill, long_match, percentile, serving

LISTED: Final = 50
LOOKS: Final = 60
UNCOUNTED: Final = 5


class Side:
    """One of the two servers: what is asked of it, and seconds of each look and entry."""

    def __init__(self, port: int, ids: Sequence[str], log: list[Event]) -> None:
        self.tables = [Table(port, one, log) for one in ids]
        self.took: dict[str, list[float]] = {"list": [], "table page": [], "entry": []}
        self._phone = Connection(port)

    async def look(self, number: int) -> None:
        """The list, a page and an entry. Raises ValueError at a wrong answer."""
        table = self.tables[number % len(self.tables)]
        for name, path in (("list", "/"), ("table page", table.path)):
            began = time.perf_counter()
            status, page = await self._phone.ask("GET", path)
            if status != 200 or (name == "list" and page.count(b'class="card match"') != LISTED):
                raise ValueError(f"{path} answered with {status}")
            self.took[name].append(time.perf_counter() - began)
        self.took["entry"].append(await table.enter())

    async def close(self) -> None:
        """Let go of it."""
        self._phone.close()
        await let_go(self.tables)


async def measure(sides: Sequence[Side], looks: int = LOOKS) -> None:
    """Look at one side and the other in turn, so that a busy machine slows both alike; the first looks do not count."""
    for number in range(looks + UNCOUNTED):
        for side in sides:
            await side.look(number)
    for side in sides:
        side.took = {name: times[UNCOUNTED:] for name, times in side.took.items()}
        await side.close()


@contextmanager
def beside(matches: int, entries: int) -> Iterator[Side]:
    """A server on a database that holds so many matches beside those that are looked at."""
    match, log = long_match(BEFORE + LOOKS)
    with TemporaryDirectory() as name:
        folder = Path(name)
        if matches:
            other, longer = long_match(entries)
            fill(folder, matches, longer, other, entries)
        ids = fill(folder, LISTED, log, match, BEFORE)
        with serving(folder) as (port, _):
            yield Side(port, ids, log)


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description="The app beside many matches.")
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=100, help="in each match")
    wanted = parser.parse_args()
    with beside(0, 0) as none, beside(wanted.matches, wanted.entries) as all_of_them:
        asyncio.run(measure([none, all_of_them]))
    print(f"{wanted.matches} matches with {wanted.entries} entries each; load {os.getloadavg()[0]:.1f}")
    for name in none.took:
        empty, full = (percentile(one.took[name], 50) for one in (none, all_of_them))
        print(f"{name:10}  p50 beside none {empty:6.2f} ms, beside all {full:6.2f} ms: {full / empty:.2f} times")


if __name__ == "__main__":
    main()

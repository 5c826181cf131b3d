"""Prints how long the list, a table page and an entry take beside 10,000 matches and a million entries, beside none.

Both databases hold the fifty matches that are looked at, so that the same is shown and only what lies beside differs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from .load import BEFORE, Connection, Table, let_go
from .tables import fill, long_match, percentile, serving

LISTED: Final = 50
LOOKS: Final = 60
UNCOUNTED: Final = 5


async def measure(port: int, tables: Sequence[Table], looks: int = LOOKS) -> dict[str, list[float]]:
    """Seconds of each look and entry, after a first round that is not counted. Raises ValueError at a wrong answer."""
    phone = Connection(port)
    took: dict[str, list[float]] = {"list": [], "table page": [], "entry": []}
    for number in range(looks + UNCOUNTED):
        for name, path in (("list", "/"), ("table page", tables[number % LISTED].path)):
            began = time.perf_counter()
            status, page = await phone.ask("GET", path)
            if status != 200 or (name == "list" and page.count(b'class="card match"') != LISTED):
                raise ValueError(f"{path} answered with {status}")
            took[name].append(time.perf_counter() - began)
        took["entry"].append(await tables[number % LISTED].enter())
    phone.close()
    await let_go(tables)
    return {name: times[UNCOUNTED:] for name, times in took.items()}


def beside(folder: Path, matches: int, entries: int) -> dict[str, list[float]]:
    """The times in a database that holds so many matches more."""
    match, log = long_match(BEFORE + LOOKS)
    if matches:
        _, longer = long_match(entries)
        fill(folder, matches, longer, match, entries)
    ids = fill(folder, LISTED, log, match, BEFORE)
    with serving(folder) as (port, _):
        return asyncio.run(measure(port, [Table(port, one, log) for one in ids]))


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description="The app beside many matches.")
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=100, help="in each match")
    wanted = parser.parse_args()
    found = []
    for matches in (0, wanted.matches):
        with TemporaryDirectory() as folder:
            found.append(beside(Path(folder), matches, wanted.entries))
    print(f"{wanted.matches} matches with {wanted.entries} entries each; load {os.getloadavg()[0]:.1f}")
    for name in found[0]:
        empty, full = (percentile(one[name], 50) for one in found)
        print(f"{name:10}  p50 beside none {empty:6.2f} ms, beside all {full:6.2f} ms: {full / empty:.2f} times")


if __name__ == "__main__":
    main()

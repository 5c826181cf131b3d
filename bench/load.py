"""Loads a server of its own as a full hall does, and prints how it holds: `.venv/bin/python -m bench.load 60`.

Each table has four phones and a screen that ask for the version every other second, and entries are made at a steady
rate over all tables. Beside them clients that send a byte a second, vanish, leave connections half open, send 50 MB.
Only ever against a server it has started itself on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fiveup_ref.database import Connections
from fiveup_ref.engine.events import Event
from fiveup_ref.scorers import Scorers

from .crowd import HERE, PATIENCE, Crowd, Screen, request
from .tables import body, cpu, fill, long_match, memory, percentile, serving, token_of

BEFORE: Final = 60
HALL: Final = "hall.example"  # by that name nobody is at the computer that serves, so that rights and limits hold


@dataclass
class Seen:
    """What came of it: seconds of each entry, poll and page, faults by name, MB at each look, seconds of processor."""

    entries: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    bad_clients: int = 0
    cpu_server: float = 0.0
    cpu_client: float = 0.0


class Connection:
    """One connection of a phone, made again when the server has closed it."""

    def __init__(self, port: int, name: str = HERE) -> None:
        self._port = port
        self._name = name
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.cookie = ""

    async def ask(self, method: str, path: str, sent: bytes = b"") -> tuple[int, bytes]:
        """The status and body of an answer; asks once more where a kept connection had been closed meanwhile."""
        fresh = self._streams is None
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(method, path, sent)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            if fresh:
                raise
            return await self.ask(method, path, sent)
        except TimeoutError:
            self.close()  # its answer must not be taken for the next one's
            raise

    async def _ask(self, method: str, path: str, sent: bytes) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(HERE, self._port)
        reader, writer = self._streams
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._name}\r\nCookie: {self.cookie}\r\n"
        if method == "POST":
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(sent)}\r\n"
        writer.write(head.encode() + b"\r\n" + sent)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = dict(line.lower().split(": ", 1) for line in answer.split("\r\n")[1:] if ": " in line)
        for line in answer.split("\r\n"):
            if line.lower().startswith("set-cookie: "):
                self.cookie = line.partition(": ")[2].partition(";")[0]
        told = await reader.readexactly(int(fields.get("content-length", "0")))
        if fields.get("connection") == "close":
            self.close()
        return int(answer.split(" ", 2)[1]), told

    def close(self) -> None:
        """Let it go."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


class Table:
    """A match at which entries are made one after the other."""

    def __init__(self, port: int, match_id: str, log: list[Event], *, scorer: str = "", name: str = HERE) -> None:
        self.path = f"/m/{match_id}"
        self._scorer = scorer
        self.number = BEFORE
        self.lost = False  # an entry had no answer, so that nobody knows whether it was made
        self._log = log
        self._phone = Connection(port, name)
        self._token = ""
        self._busy = asyncio.Lock()

    async def enter(self) -> float:
        """Seconds of one entry. Raises ValueError where it is refused."""
        async with self._busy:
            if not self._token:
                self._token = token_of((await self._phone.ask("GET", self.path))[1].decode())
            act, sent = body(self._token, self.number, self._log[self.number])
            began = time.perf_counter()
            status, _ = await self._phone.ask("POST", f"{self.path}/{act}", sent)
            took = time.perf_counter() - began
            if status != 303:
                raise ValueError(f"entry answered with {status}")
            self.number += 1
            return took

    async def open(self) -> None:
        """Take the scorer's link and load the page, as everyone has before the first entry."""
        async with self._busy:
            await self._phone.ask("GET", f"/s/{self._scorer}")
            self._token = token_of((await self._phone.ask("GET", self.path))[1].decode())

    def screens(self, awake: int) -> list[Screen]:
        """Its phones and its screen; so many of them, the screen first, load the page when something was entered."""
        asks = request(HALL, f"{self.path}/version", self._phone.cookie)
        pages = [request(HALL, path, self._phone.cookie) for path in (f"{self.path}/board", *[self.path] * 4)]
        return [Screen(asks, page if number < awake else b"") for number, page in enumerate(pages)]

    def close(self) -> None:
        """Its phone goes home."""
        self._phone.close()

    async def version(self) -> int:
        """How many entries the server has."""
        return int((await self._phone.ask("GET", f"{self.path}/version"))[1])


async def enter_steadily(tables: list[Table], rate: float, end: float, seen: Seen) -> None:
    """So many entries a second over all tables, each begun when its time has come, whatever became of the others."""

    async def one(table: Table) -> None:
        try:
            seen.entries.append(await table.enter())
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError) as error:
            seen.faults.append(f"entry: {error!r}")
            table.lost = True

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number, table in enumerate(cycle(tables)):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            if time.perf_counter() >= end:
                break
            group.create_task(one(table))


async def slow(port: int, end: float, seen: Seen) -> None:
    """A byte a second."""
    reader, writer = await asyncio.open_connection(HERE, port)
    seen.bad_clients += 1
    for sign in cycle(b"GET / HTTP/1.1\r\nX-Slow: "):
        if time.perf_counter() >= end or reader.at_eof():
            break
        writer.write(bytes([sign]))
        await asyncio.sleep(1)
    writer.close()


async def vanishing(port: int, path: str, end: float, seen: Seen) -> None:
    """Asks for a page and is gone before it comes."""
    while time.perf_counter() < end:
        _, writer = await asyncio.open_connection(HERE, port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {HALL}\r\n\r\n".encode())
        writer.transport.abort()
        seen.bad_clients += 1
        await asyncio.sleep(0.2)


async def half_open(port: int, end: float, seen: Seen) -> None:
    """Connects, promises a body and says nothing more."""
    reader, writer = await asyncio.open_connection(HERE, port)
    writer.write(f"POST /new HTTP/1.1\r\nHost: {HALL}\r\nContent-Length: 1000\r\n\r\nname".encode())
    seen.bad_clients += 1
    while time.perf_counter() < end and not reader.at_eof():
        await asyncio.sleep(0.5)
    writer.close()


async def heavy(port: int, seen: Seen) -> None:
    """50 MB at once, which is refused: the status where the answer arrives before the connection ends."""
    reader, writer = await asyncio.open_connection(HERE, port)
    size = 50_000_000
    writer.write(f"POST /new HTTP/1.1\r\nHost: {HALL}\r\nContent-Length: {size}\r\n\r\n".encode())
    seen.bad_clients += 1
    try:
        for _ in range(size // 500_000):
            writer.write(b"x" * 500_000)
            await writer.drain()
        status = (await reader.readline()).split(b" ")[1:2]
        if status and status != [b"413"]:
            seen.faults.append(f"50 MB answered with {status[0].decode()}")
    except ConnectionError:
        pass  # cut off, as it should be
    writer.close()


async def watch(process: int, every: float, end: float, seen: Seen) -> None:
    """The memory of the server every so many seconds, and at the end."""
    while time.perf_counter() < end:
        seen.memory.append(memory(process))
        await asyncio.sleep(min(every, max(0.2, end - time.perf_counter())))
    seen.memory.append(memory(process))


async def run(port: int, process: int, tables: list[Table], seconds: float, rate: float, awake: int) -> Seen:
    """Everything at once for so many seconds; afterwards every table must have what was entered."""
    seen = Seen()
    for at in range(0, len(tables), 20):
        await asyncio.gather(*(table.open() for table in tables[at : at + 20]))
    crowd = Crowd(port, [screen for table in tables for screen in table.screens(awake)])
    seen.polls, seen.pages, seen.faults = crowd.polls, crowd.pages, crowd.faults
    server, client, end = cpu(process), time.process_time(), time.perf_counter() + seconds
    async with asyncio.TaskGroup() as group:
        group.create_task(watch(process, min(60.0, seconds / 10), end, seen))
        group.create_task(enter_steadily(tables, rate, end, seen))
        group.create_task(asyncio.to_thread(crowd.follow, end))
        for _ in range(10):
            group.create_task(slow(port, end, seen))
            group.create_task(half_open(port, end, seen))
        group.create_task(vanishing(port, tables[0].path, end, seen))
        group.create_task(heavy(port, seen))
    seen.cpu_server, seen.cpu_client = cpu(process) - server, time.process_time() - client
    for table in tables:
        if (found := await table.version()) != table.number and not table.lost:
            seen.faults.append(f"a table has {found} entries of {table.number}")
    await let_go(tables)
    return seen


async def let_go(tables: Sequence[Table]) -> None:
    """Close what is open, and let the loop see that it is closed."""
    for table in tables:
        table.close()
    await asyncio.sleep(0.1)


def load(folder: Path, *, tables: int, seconds: float, rate: float, awake: int) -> Seen:
    """Load a server on this folder."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, tables * 8 + 200)), hard))
    match, log = long_match(BEFORE + int(seconds * rate / tables) + 5)
    ids = fill(folder, tables, log, match, BEFORE)
    connections = Connections(folder)
    scorers = Scorers(connections)
    links = [scorers.make(one, None) for one in ids]
    connections.close()
    with serving(folder, "--lan", "--host", HALL) as (port, process):
        halls = [Table(port, one, log, scorer=scorer, name=HALL) for one, scorer in zip(ids, links, strict=True)]
        return asyncio.run(run(port, process, halls, seconds, rate, awake))


def main() -> None:
    """Load it for as long as is asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rate", type=float, default=63, help="entries a second over all tables")
    parser.add_argument("--awake", type=int, default=0, help="screens of each table that load each new page, to 5")
    wanted = parser.parse_args()
    began = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        seen = load(Path(folder), tables=wanted.tables, seconds=wanted.seconds, rate=wanted.rate, awake=wanted.awake)
    print(f"{wanted.tables} tables, {wanted.seconds:g} s, load before {began:.1f}, after {os.getloadavg()[0]:.1f}")
    for name, times in (("entry", seen.entries), ("version", seen.polls), ("page", seen.pages)):
        p50, p99 = percentile(times, 50), percentile(times, 99)
        print(
            f"{name:8} {len(times):7} {len(times) / wanted.seconds:7.1f} a second  p50 {p50:7.1f} ms  p99 {p99:7.1f} ms"
        )
    print(
        f"processor: server {seen.cpu_server:.1f} s, {seen.cpu_server / wanted.seconds:.2f} of one core; "
        f"these clients {seen.cpu_client:.1f} s, {seen.cpu_client / wanted.seconds:.2f}"
    )
    print(f"faults   {len(seen.faults):7}", *sorted(set(seen.faults))[:10])
    print("memory, MB, at the start, in between and at the end:", *(f"{one:.0f}" for one in seen.memory))


if __name__ == "__main__":
    main()

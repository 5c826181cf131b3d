"""Prints how long a request takes that records an entry of a match with 300 entries, beside the bare insert.

The app is served by waitress on this machine and asked over HTTP, one request after the other, as a phone does.
"""

from __future__ import annotations

import http.client
import sqlite3
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import waitress.server

from fiveup_ref.store import Store
from fiveup_ref.web import create_app

from .tables import body, long_match, percentile, token_of

BEFORE, MEASURED = 300, 200


def main() -> None:
    """Measure both on the disk of the temporary folder."""
    with TemporaryDirectory() as folder:
        bare = bare_inserts(Path(folder) / "bare.db")
        requests = recorded(Path(folder) / "data")
    for name, times in (("bare insert", bare), ("request", requests)):
        print(f"{name:12} p50 {percentile(times, 50):6.2f} ms   p99 {percentile(times, 99):6.2f} ms")
    print(f"request / bare insert: p50 {percentile(requests, 50) / percentile(bare, 50):.2f}")


def bare_inserts(path: Path) -> list[float]:
    """Seconds for each of many inserts of one row that is on the disk when it returns."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, event TEXT)")
    times = []
    for number in range(MEASURED):
        began = perf_counter()
        db.execute("INSERT INTO entries VALUES (?, ?)", (number, '{"type": "Passed", "seat": "A"}'))
        times.append(perf_counter() - began)
    db.close()
    return times


def recorded(folder: Path) -> list[float]:
    """Seconds for each request after the first 300 entries of a long match."""
    match, log = long_match(BEFORE + MEASURED)
    store = Store(folder)
    match_id = store.create(title="bench", rules=match.rules, players=match.players)
    for seen, event in enumerate(log[:BEFORE]):
        store.append(match_id, event, seen=seen, key=f"prepared-{seen}")
    app = create_app(store, secret_key="bench", everyone_here=True)
    server = waitress.server.create_server(app, host="127.0.0.1", port=0)
    threading.Thread(target=server.run, daemon=True).start()
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port)  # type: ignore[union-attr] # one address, one server
    connection.request("GET", f"/m/{match_id}")
    page = connection.getresponse()
    cookie = (page.getheader("Set-Cookie") or "").split(";")[0]
    token = token_of(page.read().decode())
    times = []
    for seen, event in enumerate(log[BEFORE : BEFORE + MEASURED], BEFORE):
        act, sent = body(token, seen, event)
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        began = perf_counter()
        connection.request("POST", f"/m/{match_id}/{act}", sent, headers)
        answer = connection.getresponse()
        answer.read()
        times.append(perf_counter() - began)
        if answer.status != 303:
            raise SystemExit(f"entry {seen + 1} was answered with {answer.status}")
    connection.close()
    store.close()
    return times


if __name__ == "__main__":
    main()

"""What the load scripts share: a server of its own with matches in it, and forms sent as a phone sends them."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from fiveup_ref.database import Connections
from fiveup_ref.engine.events import Drew, Event, Passed, Played, RoundOpened, Settled, to_row
from fiveup_ref.engine.match import Match
from tests.playout import playout

PROJECT: Final = Path(__file__).resolve().parent.parent
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


def entered(event: Event) -> tuple[str, list[tuple[str, str]]]:
    """The form that enters an event: its act and its own fields."""
    match event:
        case RoundOpened(seat, by):
            return "open", [("opener", f"{seat} {by}")]
        case Played(seat, tile, onto):
            return "play", [("seat", seat), ("play", f"{tile}>{onto}" if onto else str(tile))]
        case Drew(seat, _):
            return "draw", [("seat", seat)]
        case Passed(seat):
            return "pass", [("seat", seat)]
        case Settled(left):
            return "settle", [(f"left-{seat}", str(tile)) for seat, hand in left for tile in hand.tiles or ()]
    raise TypeError(event)


def one_by_one(event: Event) -> list[Event]:
    """Draws as they are tapped: one tile each."""
    return [Drew(event.seat, 1)] * (event.tiles or 1) if isinstance(event, Drew) else [event]


def long_match(entries: int) -> tuple[Match, list[Event]]:
    """A match of more than so many entries, and its log as it is tapped."""
    for number in range(1000):
        match = playout(number)
        log = [one for event in match.log for one in one_by_one(event)]
        if len(log) > entries:
            return match, log
    raise LookupError(entries)


def fill(folder: Path, matches: int, log: Sequence[Event], match: Match, entries: int) -> list[str]:
    """Matches with the first so many entries each, put straight into the database; their ids, the newest last."""
    rows = [json.dumps(to_row(event), separators=(",", ":")) for event in log[:entries]]
    rules, players = json.dumps(asdict(match.rules)), json.dumps(match.players)
    ids = [secrets.token_urlsafe(16) for _ in range(matches)]
    connections = Connections(folder)
    with connections.writing() as db:
        for number, match_id in enumerate(ids):
            began = START + timedelta(minutes=number)
            db.execute(
                "INSERT INTO matches (id, title, started, zone, rules, players, uid) VALUES (?, ?, ?, '', ?, ?, ?)",
                (match_id, f"Table {number + 1}", began.isoformat(timespec="microseconds"), rules, players, match_id),
            )
            db.conn.executemany(
                "INSERT INTO entries (match, number, time, who, event) VALUES (?, ?, ?, '', ?)",
                [
                    (match_id, place, (began + timedelta(seconds=place)).isoformat(timespec="microseconds"), row)
                    for place, row in enumerate(rows, 1)
                ],
            )
    connections.close()
    return ids


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[int, int]]:
    """`app.py` on a free port of this machine: its port and process; stopped at the end."""
    code = (
        "import logging, sys\n"
        "from fiveup_ref.web.options import server_settings\n"
        "from fiveup_ref.web.serve import application\n"
        "from fiveup_ref.web.server import Server\n"
        "logging.getLogger('waitress.queue').setLevel(logging.ERROR)\n"
        "server = Server(application(*sys.argv[1:]), host='127.0.0.1', port=0, **server_settings())\n"
        "print(server.effective_port, flush=True)\n"
        "server.run()\n"
    )
    command = [sys.executable, "-c", code, "--data", str(folder), *options]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield int(process.stdout.readline()), process.pid
        finally:
            process.terminate()


def body(token: str, seen: int, event: Event) -> tuple[str, bytes]:
    """The act and the body of an entry."""
    act, fields = entered(event)
    common = [("csrf_token", token), ("seen", str(seen)), ("key", secrets.token_urlsafe(12))]
    return act, urlencode(common + fields).encode()


def token_of(page: str) -> str:
    """The token of the forms of a page."""
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    return found[1] if found else ""


def memory(process: int) -> float:
    """What a process holds in memory, in MB; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1000 if found else 0.0


def cpu(process: int) -> float:
    """Seconds of processor that a process has had; 0 where the system does not tell."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def percentile(times: Sequence[float], percent: float) -> float:
    """A percentile in milliseconds of times in seconds; 0 of none."""
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))] * 1000 if ranked else 0.0

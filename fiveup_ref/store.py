"""Matches and their logs in SQLite: the log is what is kept, everything shown is the log folded."""

from __future__ import annotations

import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database

from .database import Connections, NewerDatabaseError
from .engine.course import apply, replay
from .engine.events import Event, from_row, to_row
from .engine.faults import RulesError
from .engine.match import Match
from .engine.rules import Rules, Settling, TargetCheck

__all__ = ["Conflict", "EntryInfo", "NewerDatabaseError", "NoSuchMatch", "Saved", "Store"]

_FOLDED_MATCHES: Final = 256  # about 0.2 MB each; one that is not among them is folded again in milliseconds


@dataclass(frozen=True, slots=True)
class EntryInfo:
    """What the store adds to a log entry: its number (1 is the first), time (UTC) and device name ('' unknown)."""

    number: int
    time: datetime
    who: str


@dataclass(frozen=True)
class Saved:
    """A match as stored, with its folded state.

    `id` cannot be guessed: who has it may enter. `started` is UTC; `zone` the table's local time as an
    IANA name or an offset such as `+07:00`, '' unknown; `entries` has one item for each of `match.log`.
    """

    id: str
    title: str
    started: datetime
    zone: str
    match: Match
    entries: tuple[EntryInfo, ...]


class NoSuchMatch(LookupError):  # noqa: N818 - it reads as what happened
    """No match has this id."""


class Conflict(Exception):  # noqa: N818 - it reads as what happened
    """Others entered something meanwhile: `saved` is the match now, `since` the entries after the one last seen."""

    def __init__(self, saved: Saved, since: tuple[Event, ...]) -> None:
        super().__init__(f"{len(since)} entries since the one last seen")
        self.saved = saved
        self.since = since


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """The matches kept in a folder, for any number of threads; other processes may have it open too.

    Make it after a fork, not before. `clock` gives the time of an entry. Raises NewerDatabaseError.

    >>> from tempfile import TemporaryDirectory
    >>> from .engine.events import RoundOpened
    >>> from .engine.rules import PRESETS
    >>> with TemporaryDirectory() as folder:
    ...     store = Store(Path(folder))
    ...     id = store.create(title="Friday", rules=PRESETS["five-up"].rules(2), players=("Ani", "Budi"))
    ...     saved = store.append(id, RoundOpened("A", "lot"), seen=0, key="a")
    ...     again = store.append(id, RoundOpened("A", "lot"), seen=0, key="a")
    ...     store.close()
    >>> saved.match.log == again.match.log, len(again.entries)
    (True, 1)
    """

    def __init__(self, folder: Path, *, clock: Callable[[], datetime] = _utc_now) -> None:
        self._connections = Connections(folder)
        self._clock = clock
        self._lock = threading.Lock()
        self._folded: OrderedDict[str, Saved] = OrderedDict()

    def create(
        self,
        *,
        title: str,
        rules: Rules,
        players: tuple[str, ...],
        zone: str = "",
        key: str = "",
        now: datetime | None = None,
    ) -> str:
        """Store a new match and return its id; the same key again returns the id made the first time.

        `players` are names in seat order; `key` '' is none; `now` must be aware. Raises ValueError where
        the names are too few or too many.
        """
        Match.new(rules, players)
        with self._connections.writing() as db:
            if made := db.execute("SELECT id FROM matches WHERE key = ?", (key,)).fetchone():  # '' is never stored
                return str(made[0])
            match_id = secrets.token_urlsafe(16)
            db.execute(
                "INSERT INTO matches (id, key, title, started, zone, rules, players) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    match_id,
                    key or None,
                    title,
                    _written(now or self._clock()),
                    zone,
                    _json(asdict(rules)),
                    _json(players),
                ),
            )
        return match_id

    def load(self, match_id: str) -> Saved:
        """The match as it stands now. Raises NoSuchMatch."""
        saved = self._read(self._connections.here(), match_id)
        self._keep(saved)
        return saved

    def version(self, match_id: str) -> int:
        """The number of entries, without folding them: cheap enough to ask every second. Raises NoSuchMatch."""
        if match_id.isascii():  # every id is; and what is no text in UTF-8 cannot be asked for
            found = self._connections.here().execute(
                "SELECT (SELECT max(number) FROM entries WHERE match = matches.id) FROM matches WHERE id = ?",
                (match_id,),
            )
            for (number,) in found.fetchall():
                return number or 0
        raise NoSuchMatch(match_id)

    def append(self, match_id: str, event: Event, *, seen: int, key: str, who: str = "") -> Saved:
        """Add an entry and return the match after it; what is returned is on the disk.

        `seen` is the number of the last entry the sender knew of. The same key again (in this match; '' is
        none) writes nothing and returns the match now. Raises NoSuchMatch, Conflict where `seen` is not the
        last entry, RulesError where the rules refuse the event; each time nothing is written.
        """
        self.load(match_id)  # so that a long log is not folded while others wait for the lock
        with self._connections.writing() as db:
            before = self._read(db, match_id)
            if db.execute("SELECT 1 FROM entries WHERE match = ? AND key = ?", (match_id, key)).fetchone():
                return before
            log = before.match.log
            if seen != len(log):
                raise Conflict(before, log[max(seen, 0) :])
            after = apply(before.match, event)
            info = EntryInfo(len(after.log), self._clock().astimezone(UTC), who)
            db.execute(
                "INSERT INTO entries (match, number, key, time, who, event) VALUES (?, ?, ?, ?, ?, ?)",
                (match_id, info.number, key or None, _written(info.time), who, _json(to_row(event))),
            )
        saved = replace(before, match=after, entries=(*before.entries, info))
        self._keep(saved)
        return saved

    def recent(self, ids: Sequence[str] | None, limit: int = 50) -> list[Saved]:
        """The matches among `ids` (None: all) that exist, the one with the newest entry first, at most `limit`."""
        among = "" if ids is None else "WHERE id IN (SELECT value FROM json_each(:ids))"
        found = self._connections.here().execute(
            f"SELECT id FROM matches {among} ORDER BY coalesce("  # noqa: S608 - one of two fixed texts
            "(SELECT time FROM entries WHERE match = matches.id ORDER BY number DESC LIMIT 1), started) DESC, "
            "rowid DESC LIMIT :limit",
            {"ids": _json(list(ids or ())), "limit": limit},
        )
        return [self.load(match_id) for (match_id,) in found.fetchall()]

    def close(self) -> None:
        """Close the connections of every thread; no other call may be under way or follow."""
        self._connections.close()

    def _read(self, db: Database, match_id: str) -> Saved:
        """The state last folded, moved forward by the entries added since, by whichever process."""
        with self._lock:
            saved = self._folded.get(match_id)
        saved = saved or _begin(db, match_id)
        rows = db.execute(
            "SELECT number, time, who, event FROM entries WHERE match = ? AND number > ? ORDER BY number",
            (match_id, len(saved.entries)),
        ).fetchall()
        if not rows:
            return saved
        infos = [EntryInfo(number, datetime.fromisoformat(time), who) for number, time, who, _ in rows]
        events = [from_row(json.loads(event)) for *_, event in rows]
        return replace(saved, match=_forward(saved.match, events), entries=(*saved.entries, *infos))

    def _keep(self, saved: Saved) -> None:
        """Remember a state, which must be committed, unless a newer one is known already."""
        with self._lock:
            known = self._folded.get(saved.id)
            if known is None or len(known.entries) < len(saved.entries):
                self._folded[saved.id] = saved
            self._folded.move_to_end(saved.id)
            while len(self._folded) > _FOLDED_MATCHES:
                self._folded.popitem(last=False)


def _begin(db: Database, match_id: str) -> Saved:
    """The stored match before its first entry."""
    if match_id.isascii():
        found = db.execute("SELECT title, started, zone, rules, players FROM matches WHERE id = ?", (match_id,))
        for title, started, zone, rules, players in found.fetchall():
            match = Match.new(_rules(json.loads(rules)), tuple(json.loads(players)))
            return Saved(match_id, title, datetime.fromisoformat(started), zone, match, ())
    raise NoSuchMatch(match_id)


def _forward(match: Match, events: Iterable[Event]) -> Match:
    if match.log:
        try:
            return reduce(apply, events, match)
        except RulesError:
            pass  # taken by a version with a fault since put right: folded as a whole, it is listed as fallen
    return replay(*match.start, (*match.log, *events))


def _rules(row: dict[str, Any]) -> Rules:
    settlement, check = Settling(row["settlement"]), TargetCheck(row["target_check"])
    return Rules(**{**row, "settlement": settlement, "target_check": check})


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _written(time: datetime) -> str:
    """The moment in UTC, always equally long, so that texts sort as times do."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")

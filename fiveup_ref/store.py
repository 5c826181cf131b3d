"""Matches and their logs in SQLite: the log is what is kept, everything shown is the log folded."""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database

from .copies import DamagedDatabaseError, check_pages
from .database import Connections, NewerDatabaseError
from .engine.course import apply, replay
from .engine.events import Event, from_row, to_row
from .engine.faults import RulesError
from .engine.match import Match
from .engine.rules import Rules, Settling, TargetCheck
from .rule_sets import RuleSets

__all__ = [
    "KEPT_DELETED",
    "Arrival",
    "Arrived",
    "Conflict",
    "DamagedDatabaseError",
    "DeletedMatch",
    "EntryInfo",
    "NewerDatabaseError",
    "NoSuchMatch",
    "Saved",
    "Store",
]

KEPT_DELETED: Final = timedelta(days=30)
"""How long a deleted match can be restored; the triggers of the database hold it too."""
# Entries of all matches held folded: some 40 MB. A match that is not among them is folded again in milliseconds.
_HELD: Final = 60_000
_REMATCH: Final = (
    "coalesce((SELECT id FROM matches AS rematch WHERE rematch.follows = matches.id AND rematch.deleted IS NULL "
    "ORDER BY rematch.rowid DESC LIMIT 1), '')"
)


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
    `uid` names the match outside and grants nothing; `date` is that of an imported record as it was written
    ('': it had none; None: no imported record); `deleted` is UTC, None while it is not deleted. `follows` is the id
    of the match that this one is a rematch of, '' none; `sat` has for each seat the one that its player had there.
    `restored` names the restored backup that it comes from, 0 none.
    """

    id: str
    title: str
    started: datetime
    zone: str
    match: Match
    entries: tuple[EntryInfo, ...]
    uid: str = ""
    date: str | None = None
    deleted: datetime | None = None
    follows: str = ""
    sat: str = ""
    restored: int = 0


class Arrival(StrEnum):
    """What became of a match that was brought in."""

    NEW = "new"
    HERE = "here"  # it was here with the same entries
    DIFFERS = "differs"  # it was here with other entries, and stays as it is here
    DELETED = "deleted"  # it was here, and has been deleted


@dataclass(frozen=True, slots=True)
class Arrived:
    """A match that was brought in: its id here, and what became of it."""

    id: str
    arrival: Arrival


class NoSuchMatch(LookupError):  # noqa: N818 - it reads as what happened
    """No match has this id."""


class DeletedMatch(NoSuchMatch):
    """The match with this id has been deleted; `args[0]` is the id."""


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

    Make it after a fork, not before. `clock` gives the time of an entry. Raises NewerDatabaseError,
    DamagedDatabaseError.

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
        self.rule_sets = RuleSets(self._connections)
        self._clock = clock
        self._lock = threading.Lock()
        self._folded: dict[str, Saved] = {}
        self._held = 0
        self._restored = 0

    @property
    def readonly(self) -> bool:
        """Whether the data folder cannot be written, so that matches can only be looked at."""
        return self._connections.readonly

    @property
    def connections(self) -> Connections:
        """The connections to the same database, for what is kept beside the logs."""
        return self._connections

    def create(  # noqa: PLR0913 - the columns of a match
        self,
        *,
        title: str,
        rules: Rules,
        players: tuple[str, ...],
        zone: str = "",
        key: str = "",
        now: datetime | None = None,
        follows: str = "",
        sat: str = "",
    ) -> str:
        """Store a new match and return its id; the same key again returns the id made the first time.

        `players` are names in seat order; `key` '' is none; `now` must be aware. Raises ValueError where
        the names are too few or too many.
        """
        Match.new(rules, players)
        with self._connections.writing() as db:
            if made := db.execute("SELECT id FROM matches WHERE key = ?", (key,)).fetchone():  # '' is never stored
                return str(made[0])
            started, uid = now or self._clock(), secrets.token_hex(16)
            match = Match.new(rules, players)
            return _insert(db, Saved("", title, started, zone, match, (), uid, follows=follows, sat=sat), key)

    def bring_in(self, matches: Iterable[Saved]) -> list[Arrived]:
        """Store matches that come from elsewhere, each with its log and its `uid`: all of them or, if it fails, none.

        One that is here already (the same uid) is left as it is. Their ids are made here.
        """
        arrived = []
        with self._connections.writing() as db:
            for saved in matches:
                found = db.execute("SELECT id FROM matches WHERE uid = ?", (saved.uid,)).fetchone()
                match_id = found[0] if found else _insert(db, saved)
                arrived.append(Arrived(match_id, self._arrival(db, match_id, saved) if found else Arrival.NEW))
        return arrived

    def _arrival(self, db: Database, match_id: str, saved: Saved) -> Arrival:
        try:
            here = self._read(db, match_id)
        except DeletedMatch:
            return Arrival.DELETED
        return Arrival.HERE if here.match.log == saved.match.log else Arrival.DIFFERS

    def like(self, title: str, players: tuple[str, ...]) -> list[Saved]:
        """The matches with this title and these players."""
        found = self._connections.here().execute(
            "SELECT id FROM matches WHERE title = ? AND players = ? AND deleted IS NULL", (title, _json(players))
        )
        return [self.load(match_id) for (match_id,) in found.fetchall()]

    def load(self, match_id: str) -> Saved:
        """The match as it stands now. Raises NoSuchMatch, DeletedMatch."""
        saved = self._read(self._connections.here(), match_id)
        self._keep(saved)
        return saved

    def version(self, match_id: str) -> int:
        """The number of entries, without folding them. Raises NoSuchMatch, DeletedMatch."""
        return self.edition(match_id)[0]

    def edition(self, match_id: str) -> tuple[int, int, str]:
        """The number of entries, `restored` and `rematch`: cheap enough to ask every second.

        Raises NoSuchMatch, DeletedMatch.
        """
        db = self._connections.here()
        restored = _present(db, match_id)
        (number,) = db.execute("SELECT coalesce(max(number), 0) FROM entries WHERE match = ?", (match_id,)).fetchone()
        return int(number), restored, self.rematch(match_id)

    def editions(self, ids: Iterable[str]) -> dict[str, tuple[int, int, str]]:
        """What `edition` says of each of these matches, at the price of one; those that are not there are left out."""
        found = self._connections.here().execute(
            f"SELECT id, (SELECT coalesce(max(number), 0) FROM entries WHERE match = id), user_version, {_REMATCH} "  # noqa: S608 - fixed texts
            "FROM matches, pragma_user_version WHERE deleted IS NULL AND id IN (SELECT value FROM json_each(?))",
            (_json(list(ids)),),
        )
        return {match_id: tuple(edition) for match_id, *edition in found.fetchall()}

    def rematch(self, match_id: str) -> str:
        """The id of the newest match that follows this one and is not deleted; '' where there is none."""
        found = self._connections.here().execute(
            f"SELECT {_REMATCH} FROM matches WHERE id = ?",  # noqa: S608 - a fixed text
            (match_id,),
        )
        return next((rematch for (rematch,) in found.fetchall()), "")

    def append(self, match_id: str, event: Event, *, seen: int, key: str, who: str = "") -> Saved:
        """Add an entry and return the match after it; what is returned is on the disk.

        `seen` is the number of the last entry the sender knew of. The same key again (in this match; '' is
        none) writes nothing and returns the match now. Raises NoSuchMatch, DeletedMatch, Conflict where `seen`
        is not the last entry, RulesError where the rules refuse the event; each time nothing is written.
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
            _insert_entry(db, match_id, info, event, key)
        saved = replace(before, match=after, entries=(*before.entries, info))
        self._keep(saved)
        return saved

    def recent(self, ids: Sequence[str] | None, limit: int = 50) -> list[Saved]:
        """The matches among `ids` (None: all) that exist, the one with the newest entry first.

        At most `limit`; -1: every one.
        """
        found = self._connections.here().execute(
            f"SELECT id FROM matches WHERE deleted IS NULL {_among(ids)} "  # noqa: S608 - fixed texts
            "ORDER BY active DESC, rowid DESC LIMIT :limit",
            {"ids": _json(list(ids or ())), "limit": limit},
        )
        return [self.load(match_id) for (match_id,) in found.fetchall()]

    def delete(self, match_id: str) -> None:
        """Take a match out of use; it can be restored for 30 days. Raises NoSuchMatch, DeletedMatch."""
        with self._connections.writing() as db:
            _present(db, match_id)
            db.execute("UPDATE matches SET deleted = ? WHERE id = ?", (_written(self._clock()), match_id))

    def restore(self, match_id: str) -> None:
        """Bring a deleted match back; one that is not deleted stays as it is. Raises NoSuchMatch."""
        with self._connections.writing() as db:
            if match_id not in {saved.id for saved in self.deleted([match_id])}:
                _present(db, match_id)
            db.execute("UPDATE matches SET deleted = NULL WHERE id = ?", (match_id,))

    def deleted(self, ids: Sequence[str] | None) -> list[Saved]:
        """The matches among `ids` (None: all) that can be restored, the one deleted last first."""
        db = self._connections.here()
        found = db.execute(
            f"SELECT id, deleted FROM matches WHERE deleted IS NOT NULL {_among(ids)} "  # noqa: S608 - fixed texts
            "ORDER BY deleted DESC, rowid DESC",
            {"ids": _json(list(ids or ()))},
        )
        return [
            replace(_go_on(db, _begin(db, match_id)), deleted=datetime.fromisoformat(time))
            for match_id, time in found.fetchall()
        ]

    def purge(self) -> int:
        """Remove for good what was deleted more than 30 days ago, and return how many matches that were."""
        due = "SELECT id FROM matches WHERE deleted < ?"
        before = (_written(self._clock() - KEPT_DELETED),)
        with self._connections.writing() as db:
            db.execute(f"DELETE FROM entries WHERE match IN ({due})", before)  # noqa: S608 - a fixed text
            return db.execute(f"DELETE FROM matches WHERE id IN ({due})", before).rowcount  # noqa: S608

    def check(self) -> None:
        """Read every page of the database. Raises DamagedDatabaseError, sqlite3.Error."""
        check_pages(self._connections.here().conn)

    def close(self) -> None:
        """Close the connections of every thread; no other call may be under way or follow."""
        self._connections.close()

    def _read(self, db: Database, match_id: str) -> Saved:
        """The state last folded, moved forward by the entries added since, by whichever process."""
        restored = _present(db, match_id)
        with self._lock:
            if restored != self._restored:  # a backup was restored, by whichever process: nothing folded is sure
                self._folded.clear()
                self._held, self._restored = 0, restored
            saved = self._folded.get(match_id)
        return _go_on(db, saved or replace(_begin(db, match_id), restored=restored))

    def _keep(self, saved: Saved) -> None:
        """Remember a state, which must be committed, unless a newer one is known or it is of before a restore."""
        with self._lock:
            known = self._folded.get(saved.id)
            if saved.restored == self._restored and (known is None or len(known.entries) < len(saved.entries)):
                self._folded[saved.id] = saved
                self._held += _weight(saved) - (_weight(known) if known else 0)
            while self._held > _HELD:  # any goes: where all tables play, the one unused for longest is the next to play
                gone = self._folded.pop(random.choice(list(self._folded)))  # noqa: S311 - no secret
                self._held -= _weight(gone)


def _weight(saved: Saved) -> int:
    """In entries; the match itself is worth about two."""
    return len(saved.entries) + 2


def size(db: sqlite3.Connection) -> tuple[int, int]:
    """The numbers of matches and of entries in a database of any version."""
    matches, entries = db.execute("SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM entries)").fetchone()
    return int(matches), int(entries)


def check_logs(db: sqlite3.Connection) -> None:
    """Read every match and entry, in a database of any version. Raises DamagedDatabaseError where that fails."""
    try:
        for rules, players in db.execute("SELECT rules, players FROM matches"):
            Match.new(_rules(json.loads(rules)), tuple(json.loads(players)))
        last: dict[str, int] = {}
        for match_id, number, event in db.execute("SELECT match, number, event FROM entries ORDER BY match, number"):
            from_row(json.loads(event))
            last[match_id] = last.get(match_id, 0) + 1
            if number != last[match_id]:
                raise DamagedDatabaseError(f"entry {last[match_id]} of a match is missing")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedDatabaseError(f"an entry or a match cannot be read ({type(error).__name__}: {error})") from error


def _among(ids: Sequence[str] | None) -> str:
    return "" if ids is None else "AND id IN (SELECT value FROM json_each(:ids))"


def _present(db: Database, match_id: str) -> int:
    """Which restored backup the database comes from (0: none), so that all else is asked only where a match is.

    Raises NoSuchMatch, DeletedMatch.
    """
    if match_id.isascii():  # every id is; and what is no text in UTF-8 cannot be asked for
        found = db.execute("SELECT deleted, user_version FROM matches, pragma_user_version WHERE id = ?", (match_id,))
        for deleted, restored in found.fetchall():
            if deleted is not None:
                raise DeletedMatch(match_id)
            return int(restored)
    raise NoSuchMatch(match_id)


def _insert(db: Database, saved: Saved, key: str = "") -> str:
    """A new row, with its log; its id cannot be guessed."""
    match_id = secrets.token_urlsafe(16)
    db.execute(
        "INSERT INTO matches (id, key, title, started, zone, rules, players, uid, date, follows, sat) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            match_id,
            key or None,
            saved.title,
            _written(saved.started),
            saved.zone,
            _json(saved.match.start.rules.row()),
            _json(saved.match.start.players),
            saved.uid,
            saved.date,
            saved.follows or None,
            saved.sat or None,
        ),
    )
    for info, event in zip(saved.entries, saved.match.log, strict=True):
        _insert_entry(db, match_id, info, event)
    return match_id


def _insert_entry(db: Database, match_id: str, info: EntryInfo, event: Event, key: str = "") -> None:
    db.execute(
        "INSERT INTO entries (match, number, key, time, who, event) VALUES (?, ?, ?, ?, ?, ?)",
        (match_id, info.number, key or None, _written(info.time), info.who, _json(to_row(event))),
    )


def _begin(db: Database, match_id: str) -> Saved:
    """The stored match before its first entry. Raises NoSuchMatch."""
    found = db.execute(
        "SELECT title, started, zone, rules, players, uid, date, coalesce(follows, ''), coalesce(sat, '') "
        "FROM matches WHERE id = ?",
        (match_id,),
    )
    for title, started, zone, rules, players, uid, date, *series in found.fetchall():
        match = Match.new(_rules(json.loads(rules)), tuple(json.loads(players)))
        return Saved(match_id, title, datetime.fromisoformat(started), zone, match, (), uid, date, None, *series)
    raise NoSuchMatch(match_id)


def _go_on(db: Database, saved: Saved) -> Saved:
    """The match with the entries that were added since, by whichever process."""
    rows = db.execute(
        "SELECT number, time, who, event FROM entries WHERE match = ? AND number > ? ORDER BY number",
        (saved.id, len(saved.entries)),
    ).fetchall()
    if not rows:
        return saved
    infos = [EntryInfo(number, datetime.fromisoformat(time), who) for number, time, who, _ in rows]
    events = [_event(written) for *_, written in rows]
    return replace(saved, match=_forward(saved.match, events), entries=(*saved.entries, *infos))


@lru_cache(maxsize=4096)  # the plays of a seat are some hundreds, and every match is made of them
def _event(written: str) -> Event:
    return from_row(json.loads(written))


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

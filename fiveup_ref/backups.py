"""Backups of the whole database: made while it is in use, checked, thinned out with time, and restored."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from sqlite_utils import Database

from .copies import (
    BEFORE_RESTORE,
    FILE,
    FOLDER,
    UNFINISHED,
    DamagedDatabaseError,
    check_pages,
    copy,
    found_damage,
    named,
    opened,
    unfinished,
)
from .migrations import NewerDatabaseError, migrate
from .store import check_logs, size

__all__ = ["Backup", "Backups", "DamagedDatabaseError", "NewerDatabaseError", "NoSuchBackup"]

NEWEST_KEPT: Final = 10
DAYS_KEPT: Final = 30


class NoSuchBackup(LookupError):  # noqa: N818 - it reads as what happened
    """No backup has this name."""


class Backup(NamedTuple):
    """A backup: its file name, time (UTC), why it was made ('': nothing special), and what is in it."""

    name: str
    time: datetime
    reason: str
    matches: int
    entries: int


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Backups:
    """The backups in a data folder, for any number of threads; the database may be in use meanwhile.

    >>> from tempfile import TemporaryDirectory
    >>> from .engine.rules import PRESETS
    >>> from .store import Store
    >>> with TemporaryDirectory() as folder:
    ...     store = Store(Path(folder))
    ...     id = store.create(title="", rules=PRESETS["five-up"].rules(2), players=("Ani", "Budi"))
    ...     backups = Backups(Path(folder))
    ...     due, made = backups.due(), backups.make()
    ...     store.close()
    >>> due, made.matches, made.entries
    (True, 1, 0)
    """

    def __init__(self, folder: Path, *, clock: Callable[[], datetime] = _utc_now) -> None:
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()

    def all(self) -> list[Backup]:
        """Every backup whose contents can be counted, the newest first."""
        found = []
        for path in self._paths():
            with suppress(sqlite3.Error):
                found.append(_described(path))
        return found

    def make(self, reason: str = "") -> Backup:
        """Make a backup now, check that all in it can be read, and remove those that are kept no longer.

        Raises DamagedDatabaseError where the database cannot be read, OSError, sqlite3.Error.
        """
        with self._lock:
            made = _described(copy(self._folder, now=self._clock(), reason=reason, check=check_logs))
            self._thin_out()
        return made

    def due(self) -> bool:
        """Whether there is something that the newest backup lacks. Raises sqlite3.Error."""
        with closing(opened(self._folder / FILE, "rw")) as db:
            now = size(db)
        newest = next(iter(self.all()), None)
        return now != ((newest.matches, newest.entries) if newest else (0, 0))

    def newest_good(self) -> Backup | None:
        """The newest backup in which everything can be read."""
        for path in self._paths():
            with suppress(DamagedDatabaseError, sqlite3.Error), closing(opened(path, "ro")) as db:
                check_pages(db)
                check_logs(db)
                return _described(path)
        return None

    def find(self, name: str) -> Backup:
        """The backup with this name. Raises NoSuchBackup, DamagedDatabaseError, sqlite3.Error."""
        with found_damage():
            return _described(self._path(name))

    def restore(self, name: str) -> str:
        """Put a backup in the place of the database, also under a running app, and return where that one is now.

        What is there is kept aside first: as a backup, or where it is damaged as it is, beside the database. The
        backup is checked and brought up to this version before anything changes. Raises NoSuchBackup,
        DamagedDatabaseError (the backup is damaged), NewerDatabaseError, OSError, sqlite3.Error.
        """
        path = self._path(name)
        with closing(opened(path, "ro")) as source:
            part = unfinished(source, path.parent, check=check_logs)
        try:
            with closing(opened(part, "rw")) as prepared:
                migrate(Database(prepared, execute_plugins=False))
                prepared.execute("PRAGMA journal_mode=DELETE")
                try:
                    aside = copy(self._folder, now=self._clock(), reason=BEFORE_RESTORE).name
                except DamagedDatabaseError:
                    aside = self._damaged_aside()
                _put_in_place(prepared, self._folder / FILE)
        finally:
            part.unlink()
        return aside

    def _damaged_aside(self) -> str:
        """Give the damaged files names of their own, so that whoever knows how may still save something from them."""
        name = f"{FILE}.damaged-{self._clock().astimezone(UTC):%Y%m%d-%H%M%S}"
        for ending in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self._folder.joinpath(FILE + ending).rename(self._folder / (name + ending))
        self._folder.joinpath(FILE).touch(mode=0o600)
        return name

    def _path(self, name: str) -> Path:
        path = self._folder / FOLDER / name
        _named(path)
        if path.name != name or not path.is_file():
            raise NoSuchBackup(name)
        return path

    def _paths(self) -> list[Path]:
        """The backups' files, the newest first."""
        found = [path for path in (self._folder / FOLDER).glob("*.db") if named(path.name)]
        return sorted(found, key=_age, reverse=True)

    def _thin_out(self) -> None:
        """Keep the newest ten, the newest of each of the last 30 days, and for 30 days what was kept aside."""
        oldest_day = self._clock().astimezone(UTC).date() - timedelta(days=DAYS_KEPT)
        days: set[date] = set()
        for number, path in enumerate(self._paths()):
            time, reason = _named(path)
            day = time.date()
            recent = day > oldest_day and (reason or day not in days)
            days.add(day)
            if number >= NEWEST_KEPT and not recent:
                path.unlink()
        for part in (self._folder / FOLDER).glob(f"*{UNFINISHED}"):  # of a process that was killed at it
            if self._clock().timestamp() - part.stat().st_mtime > timedelta(days=1).total_seconds():
                part.unlink()


def _age(path: Path) -> tuple[str, int]:
    """Sorts by the time in the name; of one second by when they were written."""
    return path.name[:15], path.stat().st_mtime_ns


def _named(path: Path) -> tuple[datetime, str]:
    if found := named(path.name):
        return found
    raise NoSuchBackup(path.name)


def _described(path: Path) -> Backup:
    time, reason = _named(path)
    with closing(opened(path, "ro")) as db:
        return Backup(path.name, time, reason, *size(db))


def _put_in_place(prepared: sqlite3.Connection, target: Path) -> None:
    """Write a whole database over another in one transaction, which every other connection sees or does not see.

    The mark in `user_version` goes with it: by it the stores of all processes know that what they have folded is void.
    """
    with closing(opened(target, "rw")) as live:
        live.execute("PRAGMA synchronous=FULL")
        with suppress(sqlite3.DatabaseError):
            live.execute("PRAGMA journal_mode=WAL")
        (mark,) = live.execute("PRAGMA user_version").fetchone()
        prepared.execute(f"PRAGMA user_version={int(mark) + 1}")
        prepared.backup(live)

"""The database file: one connection a thread, and transactions that are alone from their first read."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from .copies import BEFORE_UPGRADE, FILE, copy, found_damage
from .migrations import NewerDatabaseError, migrate, up_to_date

__all__ = ["Connections", "NewerDatabaseError"]

_BUSY_SECONDS: Final = 10.0


class Connections:
    """The connections to the database of a folder; both are made and brought up to this version if need be.

    A copy of the database is kept aside before it is changed to this version. `readonly`: the folder or the file
    cannot be written, so there is only reading. Raises NewerDatabaseError, DamagedDatabaseError, OSError,
    sqlite3.Error.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / FILE
        self.readonly = self._path.exists() and not all(os.access(path, os.W_OK) for path in (folder, self._path))
        if not self.readonly:
            self._path.touch(mode=0o600)  # whoever reads the ids may enter, also where the folder was open before
        self._local = threading.local()
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._closers: list[weakref.finalize[[], Database]] = []
        self._closed = False
        try:
            with found_damage():
                if not self.readonly or not up_to_date(self.here()):
                    migrate(self.here(), keep_aside=lambda: copy(folder, now=datetime.now(UTC), reason=BEFORE_UPGRADE))
        except BaseException:
            self.close()
            raise

    def here(self) -> Database:
        """This thread's connection; it is closed with the others or when the thread has ended."""
        db: Database | None = getattr(self._local, "db", None)
        if db is None:
            db = self._local.db = self._connect()
        return db

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """One transaction, alone from its first read: a deferred one could not become a writer's under load."""
        db = self.here()
        with self._turn:  # SQLite lets who waits sleep and look again; a lock wakes the next one at once
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.commit()
            except BaseException:
                db.rollback()
                raise

    def close(self) -> None:
        """Close the connections of every thread; no other call may be under way or follow."""
        with self._lock:
            self._closed = True
            closers, self._closers = self._closers, []
        for close in closers:
            close()

    def _connect(self) -> Database:
        with self._lock:
            if self._closed:
                raise ValueError("the database is closed")
            # Each thread uses its own alone; that is not checked because another thread may close it.
            connection = sqlite3.connect(self._address(), timeout=_BUSY_SECONDS, check_same_thread=False, uri=True)
            db = Database(connection, execute_plugins=False)
            self._closers = [close for close in self._closers if close.alive]
            self._closers.append(weakref.finalize(db, connection.close))
        db.execute("PRAGMA synchronous=FULL")  # an entry that was answered survives a loss of power
        db.execute("PRAGMA foreign_keys=ON")
        return db

    def _address(self) -> str:
        """Where nothing can be written, a file without a log beside it is read as one that cannot change.

        Else SQLite would have to make the index of the write-ahead log, and would refuse to read at all.
        """
        address = self._path.absolute().as_uri()
        if not self.readonly:
            return address
        log = self._path.with_name(f"{FILE}-wal")
        return f"{address}?{'mode=ro' if log.exists() and log.stat().st_size else 'immutable=1'}"

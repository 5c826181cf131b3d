"""The database file: one connection a thread, and transactions that are alone from their first read."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from .migrations import NewerDatabaseError, migrate

__all__ = ["Connections", "NewerDatabaseError"]

FILE: Final = "fiveup.db"
_BUSY_SECONDS: Final = 10.0


class Connections:
    """The connections to the database of a folder; both are made and brought up to this version if need be.

    Raises NewerDatabaseError, OSError, sqlite3.Error.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / FILE
        self._path.touch(mode=0o600)  # whoever reads the ids may enter, also where the folder was open before
        self._local = threading.local()
        self._lock = threading.Lock()
        self._closers: list[weakref.finalize[[], Database]] = []
        self._closed = False
        try:
            migrate(self.here())
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
            connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, check_same_thread=False)
            db = Database(connection, execute_plugins=False)
            self._closers = [close for close in self._closers if close.alive]
            self._closers.append(weakref.finalize(db, connection.close))
        db.execute("PRAGMA synchronous=FULL")  # an entry that was answered survives a loss of power
        db.execute("PRAGMA foreign_keys=ON")
        return db

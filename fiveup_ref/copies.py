"""Copies of the database file: taken whole from a running one, checked, and named by their time."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkstemp
from typing import Final

FILE: Final = "fiveup.db"
FOLDER: Final = "backups"
BEFORE_UPGRADE: Final = "before-upgrade"
BEFORE_RESTORE: Final = "before-restore"
UNFINISHED: Final = ".part"

_NAME: Final = re.compile(rf"(\d{{8}}-\d{{6}})(?:-(\d{{1,3}}))?(?:-({BEFORE_UPGRADE}|{BEFORE_RESTORE}))?\.db", re.ASCII)
_TIME: Final = "%Y%m%d-%H%M%S"
_BUSY_SECONDS: Final = 10.0


class DamagedDatabaseError(Exception):
    """The database file is damaged; the text says what was found."""


def named(name: str) -> tuple[datetime, str] | None:
    """The time (UTC) and the reason ('': none) in the name of a copy; None: it is no such name.

    >>> named("20261129-201500-before-restore.db")
    (datetime.datetime(2026, 11, 29, 20, 15, tzinfo=datetime.timezone.utc), 'before-restore')
    """
    if written := _NAME.fullmatch(name):
        with suppress(ValueError):
            return datetime.strptime(written[1], _TIME).replace(tzinfo=UTC), written[3] or ""
    return None


def copy(
    folder: Path, *, now: datetime, reason: str = "", check: Callable[[sqlite3.Connection], None] | None = None
) -> Path:
    """Copy the database of a data folder into its `backups`, and return where the copy is.

    It gets its name only once it has been checked: what cannot be read leaves nothing behind. `check` raises
    where the contents are not as they should be. Raises DamagedDatabaseError, OSError, sqlite3.Error.
    """
    kept = folder / FOLDER
    kept.mkdir(mode=0o700, exist_ok=True)
    with closing(opened(folder / FILE, "rw")) as source:
        part = unfinished(source, kept, check=check)
    stem = now.astimezone(UTC).strftime(_TIME)
    ending = f"-{reason}.db" if reason else ".db"
    numbers = ("", *(f"-{number}" for number in range(2, 1000)))
    target = next(path for number in numbers if not (path := kept / f"{stem}{number}{ending}").exists())
    part.replace(target)
    return target


def unfinished(
    source: sqlite3.Connection, kept: Path, *, check: Callable[[sqlite3.Connection], None] | None = None
) -> Path:
    """A checked copy in `kept` that has no name yet: one file, without a write-ahead log beside it."""
    handle, name = mkstemp(suffix=UNFINISHED, dir=kept)  # for its owner only, as the database
    os.close(handle)
    part = Path(name)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as copied:
            with found_damage():
                source.backup(copied)
            copied.execute("PRAGMA journal_mode=DELETE")
            check_pages(copied)
            if check:
                check(copied)
    except BaseException:
        part.unlink()
        raise
    return part


def opened(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that never makes the file: `ro` for a copy, `rw` for a database that may be running."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)


def check_pages(db: sqlite3.Connection) -> None:
    """Read every page, index and reference. Raises DamagedDatabaseError, sqlite3.Error."""
    with found_damage():
        (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise DamagedDatabaseError(" ".join(str(found).split()))
        if broken := db.execute("PRAGMA foreign_key_check").fetchone():
            raise DamagedDatabaseError(f"a row of {broken[0]} belongs to nothing")


@contextmanager
def found_damage() -> Iterator[None]:
    """Turn the errors with which SQLite says that a file is damaged into DamagedDatabaseError."""
    try:
        yield
    except sqlite3.Error as error:
        if primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise DamagedDatabaseError(str(error)) from error
        raise


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's code of an error without its refinement; 0 where it comes from elsewhere."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF

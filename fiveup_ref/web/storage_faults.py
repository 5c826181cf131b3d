"""What a page says when the disk is full, cannot be written, or its file is damaged."""

from __future__ import annotations

import errno
import sqlite3
from typing import Final

from flask import Flask, current_app, render_template, request

from fiveup_ref.copies import primary_code

from .logs import page_asked

_FULL: Final = (507, "full")
_CLOSED: Final = (503, "closed")
_BUSY: Final = (503, "busy")
_DAMAGED: Final = (500, "damaged")

# Codes of SQLite and the answer to each; every other error is one of the program and stays an error.
_PRIMARY: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _CLOSED,
    sqlite3.SQLITE_READONLY: _CLOSED,
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
_EXACT: Final = {
    sqlite3.SQLITE_IOERR_WRITE: _FULL,  # a quota or the largest file the system allows
    sqlite3.SQLITE_IOERR_SHMSIZE: _FULL,
}
# The same from the system, which backups meet.
_SYSTEM: Final = {
    errno.ENOSPC: _FULL,
    errno.EFBIG: _FULL,
    getattr(errno, "EDQUOT", errno.ENOSPC): _FULL,
    errno.EACCES: _CLOSED,
    errno.EPERM: _CLOSED,
    errno.EROFS: _CLOSED,
}


def install(app: Flask) -> None:
    """Answer the faults of storage with a page that says what to do, and has what was sent to send it again."""
    app.register_error_handler(sqlite3.DatabaseError, _answer)
    app.register_error_handler(OSError, _answer)


def _answer(error: sqlite3.DatabaseError | OSError) -> tuple[str, int]:
    if isinstance(error, OSError):
        found = _SYSTEM.get(error.errno or 0)
    else:
        found = _EXACT.get(getattr(error, "sqlite_errorcode", 0)) or _PRIMARY.get(primary_code(error))
    if found is None:
        raise error
    status, kind = found
    current_app.logger.error("%s %s: %s", request.method, page_asked(), error)
    again = [] if request.files or request.method != "POST" else list(request.form.items(multi=True))
    return render_template("storage_fault.html", kind=kind, again=again), status

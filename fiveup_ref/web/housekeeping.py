"""What is done to the data folder beside the app: backups by themselves and by command, and its faults in one line."""

from __future__ import annotations

import argparse
import logging
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fiveup_ref.backups import Backup, Backups, DamagedDatabaseError, NewerDatabaseError, NoSuchBackup
from fiveup_ref.store import Store

_HOUR: Final = 3600.0
_LOG: Final = logging.getLogger(__name__)


class Housekeeping(threading.Thread):
    """At the start and then every hour: a backup if anything was entered, and the end of what was deleted long ago."""

    def __init__(self, store: Store, backups: Backups) -> None:
        super().__init__(name="housekeeping", daemon=True)
        self._store = store
        self._backups = backups
        self._stopped = threading.Event()

    def run(self) -> None:
        """Go on until `stop`; a fault is said and the next hour tried again."""
        while not self._stopped.is_set():
            try:
                if self._backups.due():
                    self._backups.make()
                self._store.purge()
            except (OSError, sqlite3.Error, DamagedDatabaseError) as error:
                _LOG.error("No backup could be made: %s", error)
            self._stopped.wait(_HOUR)

    def stop(self) -> None:
        """Let a backup under way be finished, and no other begin."""
        self._stopped.set()
        if self.is_alive():
            self.join()


@contextmanager
def refusals(folder: Path) -> Iterator[None]:
    """End with status 1 and one line where the data folder or its database cannot be used."""
    try:
        yield
    except DamagedDatabaseError as error:
        sys.exit(f"The database in {folder} is damaged: {error}. {_way_out(folder)}")
    except OSError as error:
        sys.exit(f"The data folder {folder} cannot be used: {error.strerror}.")
    except sqlite3.Error as error:
        sys.exit(f"The database in {folder} cannot be used: {error}.")
    except NewerDatabaseError as error:
        sys.exit(str(error))


def _way_out(folder: Path) -> str:
    good = Backups(folder).newest_good()
    if good is None:
        return "There is no good backup of it."
    return f"The newest good backup is {_line(good)}. To go back to it: python3 app.py restore {good.name}"


def add_commands(parser: argparse.ArgumentParser) -> None:
    """The commands on backups; without a command the app is served."""
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", type=Path, default=argparse.SUPPRESS, metavar="DIR", help="data folder")
    backup = commands.add_parser("backup", parents=[common], help="make a backup now, also while the app runs")
    backup.set_defaults(command=_backup)
    listing = commands.add_parser("backups", parents=[common], help="list the backups, the newest first")
    listing.set_defaults(command=_backups)
    restore = commands.add_parser("restore", parents=[common], help="go back to a backup, also while the app runs")
    restore.add_argument("name", metavar="NAME", help="a name that the list shows")
    restore.set_defaults(command=_restore)


def _backup(wanted: argparse.Namespace) -> None:
    with refusals(wanted.data):
        Store(wanted.data).close()  # so that there is a database of this version
        _say(_line(Backups(wanted.data).make()))


def _backups(wanted: argparse.Namespace) -> None:
    with refusals(wanted.data):
        found = Backups(wanted.data).all()
    _say(*map(_line, found) if found else ["There is no backup yet. To make one: python3 app.py backup"])


def _restore(wanted: argparse.Namespace) -> None:
    backups = Backups(wanted.data)
    with refusals(wanted.data):
        try:
            restored = backups.find(wanted.name)
            aside = backups.restore(wanted.name)
        except NoSuchBackup:
            sys.exit(f"There is no backup {wanted.name} in {wanted.data}. To list them: python3 app.py backups")
        except DamagedDatabaseError as error:
            sys.exit(f"Nothing was restored: {wanted.name} is damaged: {error}.")
    _say(f"Restored: {_line(restored)}", f"What was there before is kept as {aside}")


def _line(backup: Backup) -> str:
    why = f", {backup.reason}" if backup.reason else ""
    time = backup.time.astimezone()
    return f"{backup.name} ({time:%Y-%m-%d %H:%M}, matches: {backup.matches}, entries: {backup.entries}{why})"


def _say(*lines: str) -> None:
    print("\n".join(lines), flush=True)  # noqa: T201

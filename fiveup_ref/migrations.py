"""The tables of the database, and the steps that lead to them from any earlier version."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

from sqlite_utils import Database, Migrations

_ATTEMPTS: Final = 5  # whenever one process must wait, another has just made the switch or is making it


class NewerDatabaseError(Exception):
    """The database was written by a newer version of the program, which may keep things this one cannot."""

    def __init__(self, steps: list[str]) -> None:
        super().__init__(
            "This database was written by a newer version of fiveup_ref. Use that version or a newer one. "
            f"(Unknown here: {', '.join(steps)}.)"
        )


def migrate(db: Database, *, keep_aside: Callable[[], object] = lambda: None) -> None:
    """Bring the database up to this version; any number of processes may do so at once.

    `keep_aside` is called before the first step on a database that has been in use. Raises NewerDatabaseError and
    what `keep_aside` raises, and then changes nothing.

    >>> db = Database(memory=True)
    >>> migrate(db), migrate(db), sorted(set(db.table_names()) - {"_sqlite_migrations"})
    (None, None, ['agreements', 'devices', 'entries', 'matches', 'rule_sets', 'scorers', 'seats'])
    """
    _write_ahead(db)
    db.execute("BEGIN IMMEDIATE")  # a deferred transaction fails where two processes begin together
    try:
        known = {step.__name__ for step in _STEPS}
        applied = [step.name for step in _MIGRATIONS.applied(db)]
        if unknown := [name for name in applied if name not in known]:
            raise NewerDatabaseError(unknown)
        if applied and not up_to_date(db):
            keep_aside()
        _MIGRATIONS.apply(db)
        db.commit()
    except BaseException:
        db.rollback()
        raise


def up_to_date(db: Database) -> bool:
    """Whether no step is missing; asks only."""
    return not _MIGRATIONS.pending(db)


def _write_ahead(db: Database) -> None:
    """Switch to the write-ahead log; kept in the file, so that only the first process has to.

    The switch does not wait for another process that is just making it, so wait for that one's lock and look again.
    """
    for _ in range(_ATTEMPTS):
        try:
            db.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            db.execute("BEGIN IMMEDIATE")
            db.rollback()
        else:
            return
    db.execute("PRAGMA journal_mode=WAL")


def m0001_matches_and_entries(db: Database) -> None:
    """A match, and its log with one row an entry."""
    db.table("matches").create(
        {"id": str, "key": str, "title": str, "started": str, "zone": str, "rules": str, "players": str},
        pk="id",
        not_null={"id", "title", "started", "zone", "rules", "players"},
    )
    db.table("matches").create_index(["key"], unique=True)
    db.table("entries").create(
        {"match": str, "number": int, "key": str, "time": str, "who": str, "event": str},
        pk=("match", "number"),
        not_null={"match", "number", "time", "who", "event"},
        foreign_keys=[("match", "matches", "id")],
    )
    db.table("entries").create_index(["match", "key"], unique=True)
    _append_only(db)


def _append_only(db: Database) -> None:
    """Triggers that keep a log a log. A later step that transforms the table must make them again: that drops them."""
    for change in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER entries_no_{change.lower()} BEFORE {change} ON entries "
            "BEGIN SELECT RAISE(ABORT, 'entries are never changed: enter an undo or a correction'); END"
        )
    db.execute(
        "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries "
        "WHEN new.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM entries WHERE match = new.match) "
        "BEGIN SELECT RAISE(ABORT, 'entries are numbered one after another'); END"
    )


def m0002_identity_and_deletion(db: Database) -> None:
    """What a match is called outside (`uid`), the date of an imported record as written, and when it was deleted.

    `uid` is not the id: who has the id may enter, and the uid stands in every export. A log may go only with its
    match, and a match only 30 days after it was deleted.
    """
    for column in ("uid", "date", "deleted"):
        db.execute(f"ALTER TABLE matches ADD COLUMN {column} TEXT")
    db.execute("UPDATE matches SET uid = lower(hex(randomblob(16)))")
    db.table("matches").create_index(["uid"], unique=True)
    db.execute("DROP TRIGGER entries_no_delete")
    db.execute(
        "CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries WHEN NOT EXISTS (SELECT 1 FROM matches "
        "WHERE id = old.match AND deleted < strftime('%Y-%m-%dT%H:%M:%f', 'now', '-30 days')) "
        "BEGIN SELECT RAISE(ABORT, 'entries are never changed: enter an undo or a correction'); END"
    )
    db.execute(
        "CREATE TRIGGER matches_no_delete BEFORE DELETE ON matches "
        "WHEN (old.deleted < strftime('%Y-%m-%dT%H:%M:%f', 'now', '-30 days')) IS NOT TRUE "
        "BEGIN SELECT RAISE(ABORT, 'a match is kept for 30 days after it was deleted'); END"
    )


def m0003_scorers_devices_and_agreements(db: Database) -> None:
    """Who may keep score of a match, what devices are called, who sits where, and who agreed to which standing.

    A scorer's token and a device's id are kept as hashes only. All of it goes with its match.
    """
    of_a_match = "match TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE"
    db.execute(
        f"CREATE TABLE scorers (number INTEGER PRIMARY KEY, {of_a_match}, hash TEXT NOT NULL UNIQUE, "
        "label TEXT, made TEXT NOT NULL, withdrawn TEXT)"
    )
    db.execute("CREATE INDEX scorers_of_a_match ON scorers (match)")
    db.execute("CREATE TABLE devices (hash TEXT PRIMARY KEY, name TEXT NOT NULL)")
    db.execute(
        f"CREATE TABLE seats ({of_a_match}, device TEXT NOT NULL, seat TEXT NOT NULL, time TEXT NOT NULL, "
        "PRIMARY KEY (match, device))"
    )
    db.execute(
        f"CREATE TABLE agreements ({of_a_match}, round INTEGER NOT NULL, standing TEXT NOT NULL, team TEXT NOT NULL, "
        "entries INTEGER NOT NULL, seat TEXT NOT NULL, device TEXT NOT NULL, time TEXT NOT NULL, "
        "PRIMARY KEY (match, round, team, standing))"
    )


def m0004_newest_entry(db: Database) -> None:
    """When something was entered last in a match (`active`), so that the list needs not look for it in every log."""
    db.execute("ALTER TABLE matches ADD COLUMN active TEXT")
    db.execute(
        "UPDATE matches SET active = coalesce("
        "(SELECT time FROM entries WHERE match = matches.id ORDER BY number DESC LIMIT 1), started)"
    )
    db.execute("CREATE INDEX matches_by_active ON matches (active) WHERE deleted IS NULL")
    db.execute(
        "CREATE TRIGGER matches_begin AFTER INSERT ON matches "
        "BEGIN UPDATE matches SET active = new.started WHERE rowid = new.rowid; END"
    )
    db.execute(
        "CREATE TRIGGER entries_are_newest AFTER INSERT ON entries "
        "BEGIN UPDATE matches SET active = new.time WHERE id = new.match; END"
    )


def m0005_rule_sets_and_series(db: Database) -> None:
    """Rule sets of the table's own, and the match (its id) that a rematch follows."""
    db.table("rule_sets").create(
        {"id": str, "name": str, "preset": str, "changes": str},
        pk="id",
        not_null={"name", "preset", "changes"},
    )
    db.table("rule_sets").create_index(["name"], unique=True)
    db.execute("ALTER TABLE matches ADD COLUMN follows TEXT")


def m0006_seats_of_a_series(db: Database) -> None:
    """Which seat each player of a rematch had in the match it follows (`sat`), so that a series outlives new names."""
    db.execute("ALTER TABLE matches ADD COLUMN sat TEXT")


def m0007_agreements_taken_back(db: Database) -> None:
    """When a side took its agreement back, and how often it said one or the other (`words`, for what is new)."""
    db.execute("ALTER TABLE agreements ADD COLUMN withdrawn TEXT")
    db.execute("ALTER TABLE agreements ADD COLUMN words INTEGER NOT NULL DEFAULT 1")


def m0008_rematches(db: Database) -> None:
    """The rematches of a match are found at once: every poll asks for the newest."""
    db.execute("CREATE INDEX matches_by_follows ON matches (follows) WHERE follows IS NOT NULL")


_STEPS: Final = (
    m0001_matches_and_entries,
    m0002_identity_and_deletion,
    m0003_scorers_devices_and_agreements,
    m0004_newest_entry,
    m0005_rule_sets_and_series,
    m0006_seats_of_a_series,
    m0007_agreements_taken_back,
    m0008_rematches,
)
"""Every step there ever was, in order; a step that was released never changes."""

_MIGRATIONS: Final = Migrations("fiveup_ref")
for _step in _STEPS:
    _MIGRATIONS()(_step)

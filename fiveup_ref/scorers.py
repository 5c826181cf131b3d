"""Who may keep score of a match: whoever holds a token that was made for it and has not been withdrawn."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from .database import Connections


@dataclass(frozen=True, slots=True)
class Scorer:
    """Somebody who may keep score: `label` says who, None is the device that started the match; times are UTC.

    `number` grows with the time it was made.
    """

    number: int
    label: str | None
    made: datetime
    withdrawn: datetime | None


def hashed(secret: str) -> str:
    """What is kept of a secret. Whoever reads the database cannot use it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


class Scorers:
    """The tokens of all matches, kept as hashes; what another process withdraws is withdrawn at once."""

    def __init__(self, connections: Connections, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._connections = connections
        self._clock = clock

    def make(self, match_id: str, label: str | None) -> str:
        """A new token for a match that exists; it is told this once and never again."""
        token = secrets.token_urlsafe(16)
        with self._connections.writing() as db:
            db.execute(
                "INSERT INTO scorers (match, hash, label, made) VALUES (?, ?, ?, ?)",
                (match_id, hashed(token), label, self._clock().isoformat()),
            )
        return token

    def match_of(self, token: str) -> str | None:
        """The match that a token lets one keep score of; None where it was withdrawn or never made."""
        found = self._connections.here().execute(
            "SELECT match FROM scorers WHERE hash = ? AND withdrawn IS NULL", (hashed(token),)
        )
        return next((str(match_id) for (match_id,) in found.fetchall()), None)

    def holder(self, match_id: str, tokens: Sequence[str]) -> int | None:
        """The number of the oldest of these tokens that counts for the match; None where none does."""
        if not tokens:
            return None
        (number,) = (
            self._connections.here()
            .execute(
                "SELECT min(number) FROM scorers WHERE match = ? AND withdrawn IS NULL "
                "AND hash IN (SELECT value FROM json_each(?))",
                (match_id, json.dumps([hashed(token) for token in tokens])),
            )
            .fetchone()
        )
        return None if number is None else int(number)

    def withdrawn(self, match_id: str, tokens: Sequence[str]) -> bool:
        """Whether one of these tokens counted for the match until it was withdrawn."""
        found = self._connections.here().execute(
            "SELECT 1 FROM scorers WHERE match = ? AND withdrawn IS NOT NULL "
            "AND hash IN (SELECT value FROM json_each(?))",
            (match_id, json.dumps([hashed(token) for token in tokens])),
        )
        return found.fetchone() is not None

    def of(self, match_id: str) -> list[Scorer]:
        """All that were ever made for a match, the oldest first."""
        found = self._connections.here().execute(
            "SELECT number, label, made, withdrawn FROM scorers WHERE match = ? ORDER BY number", (match_id,)
        )
        return [
            Scorer(number, label, datetime.fromisoformat(made), datetime.fromisoformat(gone) if gone else None)
            for number, label, made, gone in found.fetchall()
        ]

    def withdraw(self, match_id: str, number: int) -> None:
        """From now on this one only reads; one that was withdrawn before, or is of another match, stays as it is."""
        with self._connections.writing() as db:
            db.execute(
                "UPDATE scorers SET withdrawn = ? WHERE match = ? AND number = ? AND withdrawn IS NULL",
                (self._clock().isoformat(), match_id, number),
            )

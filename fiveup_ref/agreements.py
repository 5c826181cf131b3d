"""Which seat a device has taken, and which team agreed to which standing. The log knows nothing of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from .database import Connections
from .engine.match import Match
from .engine.seats import Seat, Team
from .scorers import hashed

RESULT = 0
"""In place of a round's number: the standing at the end of the match."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """A team agreed to a standing after a round (0: at the end); `time` is UTC, `scores` in points by team.

    `stands`: that is still the standing; a correction that changes it makes the agreement fall. So does the side
    itself, `withdrawn` says when. `device` is the hash of the one it was given on, `device_name` what that is called.
    """

    round: int
    team: Team
    seat: Seat
    time: datetime
    scores: tuple[int, ...]
    stands: bool
    withdrawn: datetime | None
    device: str
    device_name: str


class OtherSideError(ValueError):
    """A device has agreed to this standing already, for another side: `team`."""

    def __init__(self, team: Team) -> None:
        super().__init__(str(team))
        self.team = team


def standings(match: Match) -> dict[int, str]:
    """What can be agreed to, by round (0: the end of the match, last): the standing after it as a text to compare.

    >>> from .engine.rules import PRESETS
    >>> standings(Match.new(PRESETS["five-up"].rules(2), ("Ani", "Budi")))
    {}
    """
    found = {round_.number: _text(round_.after_settlement) for round_ in match.rounds if round_.settlement}
    if match.over:
        found[RESULT] = _text(match.scores, str(match.status))
    return found


def _text(scores: tuple[int, ...], status: str = "") -> str:
    return json.dumps([*scores, status] if status else scores, separators=(",", ":"))


class Agreements:
    """Seats taken and standings agreed to, of all matches."""

    def __init__(self, connections: Connections, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._connections = connections
        self._clock = clock

    def take_seat(self, match_id: str, device: str, seat: Seat) -> None:
        """From now on this device speaks for a seat of a match that exists."""
        with self._connections.writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO seats (match, device, seat, time) VALUES (?, ?, ?, ?)",
                (match_id, hashed(device), seat, self._clock().isoformat()),
            )

    def seat_of(self, match_id: str, device: str) -> Seat | None:
        """The seat that a device speaks for."""
        found = self._connections.here().execute(
            "SELECT seat FROM seats WHERE match = ? AND device = ?", (match_id, hashed(device))
        )
        return next((seat for (seat,) in found.fetchall()), None)

    def agree(self, match_id: str, match: Match, *, round_: int, seat: Seat, device: str) -> None:
        """The team of a seat agrees to the standing after a round as it is now; said twice it counts once.

        Raises KeyError where that round has no standing, OtherSideError where the device spoke for another side.
        """
        team = next(team for team in match.rules.teams if seat in team)
        with self._connections.writing() as db:
            for other in self.of(match_id, match):
                if other.stands and (other.round, other.device) == (round_, hashed(device)) and other.team != team:
                    raise OtherSideError(other.team)
            db.execute(
                "INSERT INTO agreements (match, round, standing, team, entries, seat, device, time) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (match, round, team, standing) DO UPDATE SET "
                "entries = excluded.entries, seat = excluded.seat, device = excluded.device, time = excluded.time, "
                "withdrawn = NULL, words = words + 1 WHERE withdrawn IS NOT NULL",
                (
                    match_id,
                    round_,
                    standings(match)[round_],
                    str(team),
                    len(match.log),
                    seat,
                    hashed(device),
                    self._clock().isoformat(),
                ),
            )

    def take_back(self, match_id: str, match: Match, *, round_: int, team: Team, device: str) -> bool:
        """The team no longer agrees to the standing after a round as it is now.

        The device that agreed may say so, and every device with a seat of that side; False: this is neither.
        """
        seat = self.seat_of(match_id, device)
        with self._connections.writing() as db:
            given = [one for one in self.of(match_id, match) if one.stands and (one.round, one.team) == (round_, team)]
            if seat not in team and not any(one.device == hashed(device) for one in given):
                return False
            if given:
                db.execute(
                    "UPDATE agreements SET withdrawn = ?, words = words + 1 "
                    "WHERE match = ? AND round = ? AND team = ? AND standing = ?",
                    (self._clock().isoformat(), match_id, round_, str(team), standings(match)[round_]),
                )
        return True

    def count(self, match_id: str) -> int:
        """How often somebody agreed in a match or took that back."""
        return self.counts([match_id]).get(match_id, 0)

    def counts(self, ids: Iterable[str]) -> dict[str, int]:
        """The same for many matches; those in which nobody did are left out."""
        found = self._connections.here().execute(
            "SELECT match, sum(words) FROM agreements WHERE match IN (SELECT value FROM json_each(?)) GROUP BY match",
            (json.dumps(list(ids)),),
        )
        return dict(found.fetchall())

    def of(self, match_id: str, match: Match) -> list[Agreed]:
        """Every agreement, the oldest first, and whether it stands."""
        now = standings(match)
        teams = {str(team): team for team in match.rules.teams}
        found = self._connections.here().execute(
            "SELECT round, team, seat, time, standing, withdrawn, device, coalesce(name, '') FROM agreements "
            "LEFT JOIN devices ON devices.hash = device WHERE match = ? ORDER BY time, agreements.rowid",
            (match_id,),
        )
        return [
            Agreed(
                round_,
                teams[team],
                seat,
                datetime.fromisoformat(time),
                tuple(score for score in json.loads(standing) if isinstance(score, int)),
                now.get(round_) == standing and withdrawn is None,
                datetime.fromisoformat(withdrawn) if withdrawn else None,
                device,
                name,
            )
            for round_, team, seat, time, standing, withdrawn, device, name in found.fetchall()
            if team in teams
        ]

"""The log of a match as it is read: every entry by its place, with all that was said about it later."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from fiveup_ref.engine.events import (
    Amended,
    Event,
    GameEvent,
    Inserted,
    Settled,
    Undone,
)
from fiveup_ref.engine.log import amendments, places, taken_back
from fiveup_ref.engine.match import Match, Move
from fiveup_ref.store import Saved

from .devices import whose
from .language import clock, in_zone, local_time, signed
from .language import gettext as _
from .preview import attention
from .words import move_line, said, said_in_full, shown_names, team_name


class Remark(NamedTuple):
    """A later entry about a line: an undo, its undo, a correction. `gone`: it is itself taken back."""

    entry: int
    when: str
    who: str
    text: str
    reason: str
    gone: bool


@dataclass
class EntryLine:
    """An entry at its place.

    `texts` are all that it has said, the last one what holds unless the line is `gone`; `sum`, `points`, `lost` and
    `note` are there where it stands, and `step` is its number among the steps of its round; `fell` says why it cannot
    stand, `waits` that an earlier one must be mended first.
    """

    entry: int
    when: str
    who: str
    texts: list[str]
    gone: bool
    forgotten: bool
    reason: str
    sum: str
    points: int | None
    lost: int
    note: str
    step: int
    fell: str
    waits: bool
    of_the_game: bool
    remarks: list[Remark] = field(default_factory=list)


@dataclass
class Chapter:
    """The lines of a round; number 0 are those before the first."""

    number: int
    lines: list[EntryLine] = field(default_factory=list)


def chapters(saved: Saved) -> list[Chapter]:
    """The whole log: every entry is there once, as a line at its place or as a remark on one."""
    return _Reader(saved).chapters()


class _Reader:
    def __init__(self, saved: Saved) -> None:
        self.saved = saved
        self.match: Match = saved.match
        self.log = saved.match.log
        self.names = shown_names(saved.match)
        self.undone = taken_back(self.log)
        self.amendments = [amended for _number, amended in amendments(self.log)]
        self.fallen = {one.entry: one for one in attention(self.match)}
        self.stands = self.match.events
        self.moves: dict[int, tuple[Move, int]] = {move.entry: (move, 0) for move in self.match.preamble}
        for round_ in self.match.rounds:
            self.moves |= {move.entry: (move, step) for step, move in enumerate(round_.moves, 1)}
        self.dates = [in_zone(info.time, saved.zone).date() for info in saved.entries]

    def chapters(self) -> list[Chapter]:
        openings = {round_.moves[0].entry: round_.number for round_ in self.match.rounds}
        told = [Chapter(0)]
        lines = {}
        for entry in places(self.log):
            if entry in openings:
                told.append(Chapter(openings[entry]))
            lines[entry] = self._line(entry)
            told[-1].lines.append(lines[entry])
        for entry, event in enumerate(self.log, 1):
            if isinstance(event, Undone | Amended):
                lines[self._root(entry)].remarks.append(self._remark(entry, event))
        return [chapter for chapter in told if chapter.lines]

    def _line(self, entry: int) -> EntryLine:
        event = self.log[entry - 1]
        forgotten = isinstance(event, Inserted)
        said_first = event.event if isinstance(event, Inserted) else event
        corrected = [amended.event for amended in self.amendments if amended.entry == entry]
        fallen = self.fallen.get(entry)
        now = self.stands.get(entry)
        say = said_in_full if corrected else said
        texts = [say(one, self.names) for one in (said_first, *corrected)]
        if now and say(now, self.names) != texts[-1]:  # its turn is another player's, after a forgotten one
            texts.append(say(now, self.names))
        move, step = self.moves.get(entry, (None, 0))
        line = move_line(move, self.names) if move else None
        return EntryLine(
            entry,
            self._when(entry),
            whose(self.saved.entries[entry - 1]),
            texts,
            entry in self.undone,
            forgotten,
            event.reason if isinstance(event, Inserted) else "",
            (line.sum or self._settled(move)) if line and move else "",
            line.points if line else None,
            line.lost if line else 0,
            line.note if line else "",
            step,
            fallen.why if fallen else "",
            fallen is not None and fallen.waits,
            isinstance(said_first, GameEvent),
        )

    def _settled(self, move: Move) -> str:
        """What a settlement changed, for each team."""
        if not isinstance(move.event, Settled):
            return ""
        round_ = next(one for one in self.match.rounds if move in one.moves)
        pairs = zip(self.match.rules.teams, round_.before_settlement, round_.after_settlement, strict=True)
        return " · ".join(f"{team_name(team, self.names)} {signed(new - old)}" for team, old, new in pairs)

    def _remark(self, entry: int, event: Undone | Amended) -> Remark:
        text = self._about(event)
        who = whose(self.saved.entries[entry - 1])
        return Remark(entry, self._when(entry), who, text, event.reason, entry in self.undone)

    def _about(self, event: Undone | Amended) -> str:
        if isinstance(event, Amended):
            return _("corrected: %(what)s") % {"what": said_in_full(event.event, self.names)}
        old: Event = self.log[event.entry - 1]
        if isinstance(old, Undone):
            return _("brought back")
        return (
            _("correction %(entry)s taken back") % {"entry": event.entry}
            if isinstance(old, Amended)
            else _("taken back")
        )

    def _root(self, entry: int) -> int:
        """The entry that a correction is about in the end."""
        while isinstance(event := self.log[entry - 1], Undone | Amended):
            entry = event.entry
        return entry

    def _when(self, entry: int) -> str:
        """The time of an entry; with its date where that is another than the entry before has."""
        time = self.saved.entries[entry - 1].time
        if entry > 1 and self.dates[entry - 1] == self.dates[entry - 2]:
            return clock(time, self.saved.zone)
        return local_time(time, self.saved.zone)

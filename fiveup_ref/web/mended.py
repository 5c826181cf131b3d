"""The corrections of a match: what was entered first, what stands instead, when and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from fiveup_ref.engine import events
from fiveup_ref.engine.events import Amended, Event, Inserted, Undone
from fiveup_ref.engine.log import taken_back
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.seats import Seat
from fiveup_ref.store import EntryInfo, Saved

from .devices import name_of
from .language import gettext as _
from .language import local_time
from .words import said_in_full


class Correction(NamedTuple):
    """A correction in force: of which entry, what it said, what stands, when, by which device, why ('': unsaid)."""

    entry: int
    round: int
    was: str
    now: str
    when: str
    who: str
    reason: str


class _Now(NamedTuple):
    text: str
    reason: str


_NOW: Final[Mapping[type[Event], Callable[[Any, Mapping[Seat, str]], _Now]]] = {
    Undone: lambda event, _names: _Now(_("taken back"), event.reason),
    Amended: lambda event, names: _Now(said_in_full(event.event, names), event.reason),
    Inserted: lambda event, names: _Now(said_in_full(event.event, names), event.reason),
}


def corrections(saved: Saved, names: Mapping[Seat, str]) -> list[Correction]:
    """The corrections in force, in the order they were made; an undo that was itself taken back is none."""
    log = saved.match.log
    undone = taken_back(log)
    found = []
    for number, event in enumerate(log, 1):
        if not isinstance(event, events.Correction) or number in undone:
            continue
        if isinstance(event, Inserted) or not isinstance(log[event.entry - 1], Undone):
            found.append(_correction(event, saved, saved.entries[number - 1], names))
    return found


def _correction(event: events.Correction, saved: Saved, info: EntryInfo, names: Mapping[Seat, str]) -> Correction:
    match = saved.match
    now = _NOW[type(event)](event, names)
    if isinstance(event, Inserted):
        first, was = info.number, _("missing")
    else:
        first = _first(match.log, event.entry)
        was = said_in_full(_before(match.log, info.number, event.entry), names)
    return Correction(
        first,
        _round_of(match, first),
        was,
        now.text,
        local_time(info.time, saved.zone),
        name_of(info.who),
        now.reason,
    )


def _first(log: Sequence[Event], entry: int) -> int:
    """The entry that was corrected, where it was a correction that was taken back."""
    event = log[entry - 1]
    return event.entry if isinstance(event, Amended) else entry


def _before(log: Sequence[Event], number: int, entry: int) -> Event:
    """What an entry said before it was corrected by entry `number`: as it came in, or as last corrected."""
    said_then = log[entry - 1]
    if isinstance(said_then, Amended):
        return said_then.event
    undone = taken_back(log[: number - 1])
    for index, event in enumerate(log[: number - 1], 1):
        if isinstance(event, Amended) and event.entry == entry and index not in undone:
            said_then = event.event
    return said_then


def _round_of(match: Match, entry: int) -> int:
    """The number of the round an entry was made in; 0 before the first and for a round that was taken back."""
    opening = entry if any(round_.moves[0].entry == entry for round_ in match.rounds) else match.within[entry - 1]
    return next((round_.number for round_ in match.rounds if round_.moves[0].entry == opening), 0)

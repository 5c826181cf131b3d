"""What an entry would change in a match: shown before it is saved, nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import Event, Settled
from fiveup_ref.engine.match import Match, Move, Status
from fiveup_ref.engine.seats import Seat

from .language import gettext as _
from .language import ngettext, number, say, signed
from .words import said, shown_names, status_text, team_name


class Attention(NamedTuple):
    """An entry that can no longer stand, and why; `waits` as of `Fallen`."""

    entry: int
    text: str
    why: str
    waits: bool


def attention(match: Match) -> list[Attention]:
    """What must be mended before the whole log stands."""
    names = shown_names(match)
    return [Attention(one.entry, said(one.event, names), say(one.error, names), one.waits) for one in match.fallen]


def attention_lines(match: Match) -> list[str]:
    """The same as lines, where there is no room for what only waits."""
    found = attention(match)
    waiting = sum(one.waits for one in found)
    lines = [f"{one.entry}. {one.text}: {one.why}" for one in found if not one.waits]
    return [*lines, waiting_text(waiting)] if waiting else lines


def waiting_text(entries: int) -> str:
    """How many entries wait for their round."""
    sentence = ngettext(
        "%(num)s entry waits for its round to be there again",
        "%(num)s entries wait for their round to be there again",
        entries,
    )
    return sentence % {"num": entries}


class Change(NamedTuple):
    """One thing before and after."""

    what: str
    before: str
    after: str

    @property
    def differs(self) -> bool:
        """Whether it changes at all."""
        return self.before != self.after


class Preview(NamedTuple):
    """All that would change: the scores and result are there in any case, of the rest what differs.

    `falls` could no longer stand, `stands` could again.
    """

    scores: list[Change]
    result: Change
    rounds: list[Change]
    counts: list[Change]
    falls: list[Attention]
    stands: list[str]

    @property
    def nothing(self) -> bool:
        """Whether neither a score nor another entry changes."""
        changes = (*self.scores, self.result, *self.rounds, *self.counts)
        return not (self.falls or self.stands or any(change.differs for change in changes))


def preview(before: Match, event: Event) -> Preview:
    """What would change. Raises RulesError where the event cannot be entered."""
    return compared(before, apply(before, event))


def compared(before: Match, after: Match) -> Preview:
    """What differs between a match and the same match otherwise."""
    names = shown_names(after)
    fell = {one.entry for one in before.fallen}
    falls = [one for one in attention(after) if one.entry not in fell]
    standing = {move.entry for move in after.steps}
    return Preview(
        _scores(before, after, names),
        Change("", _result(before), _result(after)),
        [change for change in _rounds(before, after) if change.differs],
        [change for change in _counts(before, after, names) if change.differs],
        falls,
        [f"{one.entry}. {said(one.event, names)}" for one in before.fallen if one.entry in standing],
    )


def _scores(before: Match, after: Match, names: Mapping[Seat, str]) -> list[Change]:
    scores = zip(before.rules.teams, before.scores, after.scores, strict=True)
    return [Change(team_name(team, names), number(old), number(new)) for team, old, new in scores]


def _result(match: Match) -> str:
    if match.status is Status.OPEN:
        return _("The match goes on.")
    return status_text(match, shown_names(match))


def _rounds(before: Match, after: Match) -> Iterator[Change]:
    """The standing after each round; a round that is not settled, or not there, has none."""
    for index in range(max(len(before.rounds), len(after.rounds))):
        standings = [_standing(match, index) for match in (before, after)]
        yield Change(_("After round %(number)s") % {"number": index + 1}, *standings)


def _standing(match: Match, index: int) -> str:
    scores: Sequence[int] = match.rounds[index].after_settlement if index < len(match.rounds) else ()
    return " : ".join(map(number, scores)) or "–"


def _counts(before: Match, after: Match, names: Mapping[Seat, str]) -> Iterator[Change]:
    """Each entry that stands before and after, with its count and points."""
    new = {move.entry: move for move in after.steps}
    for move in before.steps:
        if move.entry in new and not isinstance(move.event, Settled):  # those are in the standing of each round
            texts = [made(one) for one in (move, new[move.entry])]
            yield Change(f"{move.entry}. {said(new[move.entry].event, names)}", *texts)


def made(move: Move) -> str:
    """The count of a placement and the points it made."""
    count = f"{move.score.count} → " if move.score else ""
    return f"{count}{signed(move.points)}"

"""Reading a record: its lines, one after the other, as entries of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from .events import Adjusted, Noted, PointedOut, RoundEnded, RoundOpened
from .faults import Fault, RulesError
from .match import Known, Match, Status
from .record_entries import FORMS, HEADER, Act, Header, LeftLine, Line, RoundLine, Totals, WinnerLine
from .record_follower import Follower
from .record_header import HeaderReader
from .record_problems import Problems
from .record_settling import Settler
from .record_values import Reading, Record, shortened
from .record_writer import winner
from .seats import SEATS, Team


def read_lines(lines: Iterable[Line], *, game: str, changes: Mapping[str, str]) -> Reading:
    """The record of these lines, and every problem; at least one line. See `record.read`."""
    entries = list(lines)
    problems = Problems()
    first = entries[0]
    if first.entry != Header("fiveup", ("1",)):
        if first.word == "fiveup":
            problems.add(first, RulesError(Fault.FILE_VERSION, text=shortened(first.text.partition(" ")[2])))
            return Reading(None, problems.in_order())
        if first.word not in FORMS:
            problems.add(first, RulesError(Fault.FILE_OTHER, text=shortened(first.text)))
            return Reading(None, problems.in_order())
        problems.add(first, RulesError(Fault.FILE_FIRST, text=shortened(first.text)))
        entries.insert(0, first)
    body = next((at for at, line in enumerate(entries) if at and _ends_header(line)), len(entries))
    header = HeaderReader(problems.add)
    for line in entries[1:body]:
        if isinstance(line.entry, Header):
            header.take(line, line.entry)
        elif not isinstance(line.entry, Noted):
            problems.add(line, line.error or RulesError(Fault.LINE_LATE, text=line.word))
            header.bad(line)
    rules = header.rules(entries[body] if body < len(entries) else entries[-1], game, changes)
    if rules is None:
        for line in entries[body:]:
            if line.error:
                problems.add(line, line.error)
        return Reading(None, problems.in_order())
    follower = Follower(Match.new(rules, tuple(header.players)), problems, over=header.doubtful, fewer=header.fewer)
    reader = _Reader(follower)
    reader.round_lost = any(line.entry is None for line in entries[1:body])
    for line in entries[1:body]:
        if isinstance(line.entry, Noted):
            reader.take(line)
    for line in entries[body:]:
        reader.take(line)
    reader.end()
    return Reading(Record(follower.match, header.title, header.date), problems.in_order())


def _ends_header(line: Line) -> bool:
    return line.word in SEATS or (line.word in FORMS and line.word not in HEADER and line.word != "note")


class _Reader:
    """Takes the lines after the header, one by one."""

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.settler = Settler(follower)
        self.problems = follower.problems
        self.number = 0  # the round's number as written
        self.rounds = 0
        self.round_lost = False  # a bad line may have been the next `round`
        self.winner_read = False

    def take(self, line: Line) -> None:
        """One line of the body."""
        if line.error is not None:
            self.problems.add(line, line.error)
        if self.winner_read and not isinstance(line.entry, Noted):
            self.problems.add(line, RulesError(Fault.LINE_AFTER_WINNER))
            self.winner_read = False
        if self.follower.over:
            return
        if line.entry is None:
            self._unreadable(line)
        else:
            _TAKERS[type(line.entry)](self, line, line.entry)

    def end(self) -> None:
        """The end of the file."""
        if self.settler.rough:
            self.settler.close()

    def _unreadable(self, line: Line) -> None:
        """Forget what a line may have said that nobody can read."""
        if line.word in HEADER or line.word in ("note", "score", "settle", "winner"):
            return
        if line.word == "round":
            self._round(line, RoundLine(self.number + 1))
        elif line.word == "left":
            self.settler.rough = True
        else:
            self.settler.lost = self.round_lost = True
            self.follower.unsure()

    def _late(self, line: Line, entry: Header) -> None:
        self.problems.add(line, RulesError(Fault.LINE_LATE, text=entry.word))

    def _round(self, line: Line, entry: RoundLine) -> None:
        follower = self.follower
        self.settler.finish(line)
        if follower.match.status is Status.WON:
            follower.check_over(line)
        if follower.over:
            return
        if follower.round is not None:
            if not follower.end_doubtful and not self.settler.rough:
                self.problems.add(line, RulesError(Fault.ROUND_OPEN, number=follower.round.number))
            self.settler.close()
        if entry.number not in (self.number + 1, self.rounds + 1):
            self.problems.add(line, RulesError(Fault.ROUND_NUMBER, number=self.number + 1, text=entry.number))
            follower.adrift = follower.end_doubtful = True
        self._begin(entry.number)

    def _begin(self, number: int) -> None:
        self.number = number
        self.rounds += 1
        self.round_lost = False
        self.follower.begin()
        self.settler.begin()

    def _begin_unsaid(self, line: Line) -> None:
        """Where no round is open and no `round` line was read, one is missing here."""
        if not self.follower.announced and self.follower.round is None:
            if not self.round_lost:
                self.problems.add(line, RulesError(Fault.ROUND_MISSING, number=self.number + 1))
            self._begin(self.number + 1)

    def _opens(self, line: Line, entry: RoundOpened) -> None:
        self._begin_unsaid(line)
        if self.follower.announced:
            self.follower.open(line, entry)
        else:
            self.problems.add(line, RulesError(Fault.WRITTEN_TWICE, text="opens"))

    def _act(self, line: Line, entry: Act) -> None:
        self._begin_unsaid(line)
        self.follower.act(line, entry)

    def _out(self, line: Line, entry: RoundEnded) -> None:
        """Who went out: a statement to compare where the tiles show it, else an entry."""
        follower = self.follower
        round_ = follower.round
        if round_ is None or not round_.ended:
            won = follower.match.status is Status.WON
            if not (won and round_ and Known.HANDS not in round_.known):  # else nothing can say that it is wrong
                follower.end(line, entry)
        elif round_.out != entry.out:
            self.problems.differ(line, line.text, f"out {round_.out}" if round_.out else "blocked")
            follower.end_doubtful = True

    def _left(self, line: Line, entry: LeftLine) -> None:
        self.settler.take_left(line, entry)

    def _totals(self, line: Line, entry: Totals) -> None:
        self.settler.take_totals(line, entry)

    def _winner(self, line: Line, entry: WinnerLine) -> None:
        follower = self.follower
        self.settler.finish(line)
        if self.settler.rough:
            self.settler.close()
        self.winner_read = True
        if entry.word not in ("open", "tie") and Team.parse(entry.word) not in follower.rules.teams:
            form = f"winner {follower.rules.teams[0]} (or open, or tie)"
            self.problems.add(line, RulesError(Fault.LINE_FORM, text=line.text, form=form))
            return
        right = winner(follower.match)
        own = winner(replace(follower.match, scores=tuple(follower.own)))
        if entry.word not in (right, own) and not follower.adrift:
            self.problems.differ(line, entry.word, right)

    def _note(self, line: Line, entry: Noted) -> None:
        self.follower.enter(line, entry)

    def _adjust(self, line: Line, entry: Adjusted) -> None:
        follower = self.follower
        if follower.enter(line, entry):
            follower.own[follower.rules.teams.index(entry.team)] += entry.points
        else:
            follower.adrift = True

    def _taken(self, line: Line, entry: PointedOut) -> None:
        follower = self.follower
        if follower.enter(line, entry):
            move = follower.match.rounds[-1].moves[-1]
            loser, lost = move.lost
            follower.own[loser] -= lost
            follower.own[follower.rules.team_of[entry.seat]] += move.points
        else:
            follower.adrift = True


_TAKERS: Final[dict[type, Callable[[_Reader, Line, Any], None]]] = {
    Header: _Reader._late,
    RoundLine: _Reader._round,
    RoundOpened: _Reader._opens,
    Act: _Reader._act,
    RoundEnded: _Reader._out,
    LeftLine: _Reader._left,
    Totals: _Reader._totals,
    WinnerLine: _Reader._winner,
    Noted: _Reader._note,
    Adjusted: _Reader._adjust,
    PointedOut: _Reader._taken,
}

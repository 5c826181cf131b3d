"""Following a round of a record through `course.apply`, past lines that may not be.

No rule is here. What `apply` refuses is reported once, at its line; then the follower forgets what that
line has made doubtful and goes on, so that a later line is not blamed for an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from .course import apply, doubt, trust
from .events import AGREED, OUT, Counted, Drew, Event, Passed, Played, RoundEnded, RoundOpened, Scored
from .faults import Fault, RulesError
from .match import Known, Match, Round, Status
from .record_entries import Act, Line
from .record_problems import CLAIM_FAULTS, DRAW_FAULTS, HANDS_FAULTS, LAYOUT_FAULTS, OPENER_FAULTS, Problems
from .record_writer import results
from .rules import Rules
from .scoring import advance
from .seats import Seat


class Follower:
    """A match that is moved forward line by line.

    `own` is the standing as the file's own lines make it, beside the right one in `match.scores`: a later
    standing that `own` explains is not blamed again. `adrift`: points may have gone to the wrong team, so
    the next standing that is written is taken as it is. `over`: nothing more can be checked.
    """

    def __init__(self, match: Match, problems: Problems, *, over: bool = False, fewer: bool = False) -> None:
        """`over`: check nothing; `fewer`: the header may lack a player, so a seat too many is no news."""
        self.match = match
        self.own = list(match.scores)
        self.problems = problems
        self.adrift = False
        self.over = over
        self._fewer = fewer
        self.announced = False  # a `round` line was read whose opener is still to come
        self.end_doubtful = False  # who went out last is not sure
        self.doubts = Known.NOTHING  # forgotten in this round because of a bad line
        self._missing = False  # a line of this round may be missing or may be another's
        self._sound: frozenset[Seat] | None = None  # see _whose_turn
        self._before_end: tuple[Match, Event] | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.match.rules

    @property
    def round(self) -> Round | None:
        """The round that is being played or settled; None between rounds."""
        return self.match.rounds[-1] if self.match.in_round and not self.announced else None

    def begin(self) -> None:
        """A new round: what was doubtful about the last one's tiles is no longer of interest."""
        self.announced = True
        self.doubts = Known.NOTHING
        self._missing = False
        self._sound = None
        self._before_end = None

    def enter(self, line: Line, event: Event) -> bool:
        """Apply one entry, with every tolerance; False: it was refused and left out."""
        trial: Event | None = event
        while trial is not None and not self.over:
            try:
                after = apply(self.match, trial)
            except RulesError as error:
                trial = self._forgive(line, trial, error)
            else:
                if isinstance(trial, Played | Passed) and after.rounds[-1].ended:
                    self._before_end = (self.match, trial)
                self.match = after
                return True
        return False

    def open(self, line: Line, event: RoundOpened) -> None:
        """A round's opener as written."""
        if self.end_doubtful:
            event = replace(event, by=AGREED)
        if self.enter(line, event):
            self.announced = False
            self.end_doubtful = False

    def act(self, line: Line, act: Act) -> None:
        """What a seat did, compared with the results written behind it."""
        seat = act.event.seat
        if self.announced:
            self._open_unsaid(line, seat)
        if self.over or not self._whose_turn(line, seat):
            return
        if line.error is not None and isinstance(act.event, Scored):
            self._lose_layout()
        before = self.match
        if self.enter(line, act.event) or self._enter_as_points(act):
            self._compare(line, act, before)

    def end(self, line: Line, event: RoundEnded) -> None:
        """Who went out, or that the round is blocked, as written."""
        if self.announced:
            self.problems.add(line, RulesError(Fault.NO_ROUND))
        else:
            self.enter(line, event)

    def check_over(self, line: Line) -> None:
        """Another round is written though the match is won."""
        self._won(line, None, RulesError(Fault.MATCH_WON))

    def unsure(self) -> None:
        """A line that cannot be read: it may have been a turn, a draw or an adjustment."""
        self.adrift = True
        if self.round is None:
            return
        self.end_doubtful = True
        self.doubts |= Known.HANDS
        if not self.round.ended:
            self._sound = frozenset({self.round.turn})
            self.match = doubt(self.match, Known.HANDS | Known.TURN)

    def rebase(self, scores: tuple[int, ...]) -> None:
        """Take a standing as it is written; no entry says so, and no record is written of it."""
        self.match = replace(self.match, scores=scores)

    def _open_unsaid(self, line: Line, seat: Seat) -> None:
        opener = None if self.end_doubtful else self.match.next_opener
        self.open(line, RoundOpened(opener or seat, OUT if opener else AGREED))

    def _whose_turn(self, line: Line, seat: Seat) -> bool:
        """Settle a turn that a bad line left open: this seat has it. False: there is no such seat.

        `_sound` are the seats that show that the bad line was at its place; any other shows that a line is
        missing or was another's, and then the layout may lack a tile.
        """
        if seat not in self.rules.seats:
            if not self._fewer:
                self.problems.add(line, RulesError(Fault.NOT_A_SEAT, text=seat))
            self.over = True
            return False
        if self._sound is not None:
            self._missing = self._missing or seat not in self._sound
            self._sound = None
            if self.round and not self.round.ended and Known.LAYOUT in self.round.known:
                self.match = trust(self.match, seat)
        return True

    def _forgive(self, line: Line, event: Event, error: RulesError) -> Event | None:
        """Report a refusal unless an earlier line explains it, and what to try in its place."""
        fault = error.fault
        if fault in LAYOUT_FAULTS:
            self._report(line, error, unless=self._missing or Known.LAYOUT in self.doubts)
            self._lose_layout()
            return None
        if fault in HANDS_FAULTS:
            self._report(line, error, unless=Known.HANDS in self.doubts)
            self._lose(Known.HANDS | (Known.TURN if fault is Fault.OUT_BY_PLAYING else Known.NOTHING))
            if isinstance(event, RoundEnded):
                self.end_doubtful = self.adrift = True
            if isinstance(event, Passed):  # it may have been a draw: the next line says whether the turn is over
                self.end_doubtful = True
                self._sound = frozenset({event.seat, self.rules.after(event.seat)})
                return Drew(event.seat, None)
            return event
        if fault in DRAW_FAULTS and isinstance(event, Drew):
            self._report(line, error, unless=Known.HANDS in self.doubts)
            self.doubts |= Known.HANDS
            return replace(event, tiles=None)
        return _FORGIVE.get(fault, Follower._refuse)(self, line, event, error)

    def _refuse(self, line: Line, event: Event, error: RulesError) -> Event | None:
        self.problems.add(line, error)
        if error.fault in CLAIM_FAULTS:
            self.adrift = True
        if error.fault in OPENER_FAULTS and isinstance(event, RoundOpened):
            self._sound = frozenset(self.rules.seats)
            return replace(event, by=AGREED)
        return None

    def _not_on_turn(self, line: Line, event: Event, error: RulesError) -> Event:
        self.problems.add(line, error)
        round_ = self.match.rounds[-1]
        self._sound = frozenset({round_.turn if isinstance(event, Drew) else self.rules.after(round_.turn)})
        self.adrift = self.end_doubtful = True
        self._lose(Known.TURN | Known.HANDS)
        return event

    def _set_missing(self, line: Line, event: Event, error: RulesError) -> Event:
        self._report(line, error, unless=self._missing)
        self._lose(Known.LAYOUT | Known.HANDS)
        return event

    def _goes_on(self, line: Line, event: Event, error: RulesError) -> Event | None:
        """The file goes on with a round that has ended: take back its end, where it ended by itself."""
        self._report(line, error, unless=self._missing)
        if self._before_end is None or isinstance(event, RoundEnded):
            return None  # it was ended by an entry, and that stands
        self.match, last = self._before_end
        self._before_end = None
        self.end_doubtful = True
        self._lose(Known.HANDS)
        if isinstance(last, Passed):
            self._lose(Known.TURN)
        else:
            self.match = apply(self.match, last)
        self._sound = frozenset(self.rules.seats)
        self._whose_turn(line, getattr(event, "seat", self.rules.seats[0]))
        return event

    def _won(self, line: Line, event: Event | None, error: RulesError) -> Event | None:
        """The match is over. A file whose own standing says otherwise is followed from there."""
        if self.adrift:
            self.rebase(tuple(min(score, self.rules.target - 1) for score in self.match.scores))
            return event
        self.problems.add(line, error)
        if replace(self.match, scores=tuple(self.own)).status is Status.WON:
            self.over = True
            return None
        self.rebase(tuple(self.own))
        return event

    def _report(self, line: Line, error: RulesError, *, unless: bool) -> None:
        if not unless:
            self.problems.add(line, error)

    def _lose(self, forget: Known) -> None:
        self.doubts |= forget & ~Known.TURN
        self.match = doubt(self.match, forget)

    def _lose_layout(self) -> None:
        self.adrift = self.end_doubtful = True
        self._lose(Known.LAYOUT | Known.HANDS)

    def _enter_as_points(self, act: Act) -> bool:
        """A placement that may not be, taken for the points that are written behind it."""
        if self.over or not isinstance(act.event, Played | Counted | Scored):
            return False
        seat = act.event.seat
        turns = self.round is not None and Known.TURN in self.round.known
        if not self.round or self.round.ended:
            return False
        try:
            after = apply(self.match, Scored(seat, act.points or 0))
        except RulesError:
            after = apply(self.match, Scored(seat, 0))
        self.match = trust(after, self.rules.after(seat)) if turns else after
        self.doubts |= Known.LAYOUT | Known.HANDS
        return True

    def _compare(self, line: Line, act: Act, before: Match) -> None:
        move = self.match.rounds[-1].moves[-1]
        if not isinstance(move.event, Played | Counted | Scored):
            return
        team = self.rules.team_of[act.event.seat]
        if move.score is None or isinstance(act.event, Scored):
            self.own[team] += move.points
            return
        count, points = move.score.count, move.points
        count_differs = act.count not in (None, count)
        # An exact target looks at the standing, and the file's own may be another.
        explained = (None, points, points if move.too_low else advance(self.own[team], move.score.points, self.rules))
        if count_differs or act.points not in explained:
            if isinstance(move.event, Played) and (self._missing or self.problems.at(line)):
                self._again_as_points(act, before)
                return
            written = results(act.count, act.points)
            right = results(None if act.count is None else count, None if act.points is None else points)
            self.problems.differ(line, written, right, move.score)
        self.own[team] += points if act.points is None else act.points

    def _again_as_points(self, act: Act, before: Match) -> None:
        """The count shows that the layout lacks a tile: what was placed is taken for its points after all."""
        turns = Known.TURN in self.match.rounds[-1].known
        self.match = before
        self._lose_layout()
        if not turns:
            self._lose(Known.TURN)
        if self._enter_as_points(act):
            self.own[self.rules.team_of[act.event.seat]] += self.match.rounds[-1].moves[-1].points


_FORGIVE: Final[dict[Fault, Callable[[Follower, Line, Event, RulesError], Event | None]]] = {
    Fault.NOT_ON_TURN: Follower._not_on_turn,
    Fault.MUST_SET: Follower._set_missing,
    Fault.ROUND_ENDED: Follower._goes_on,
    Fault.MATCH_WON: Follower._won,
}

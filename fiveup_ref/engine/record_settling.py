"""The end of a round in a record: leftovers, and the settlement and standing that are written behind them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .course import apply, doubt
from .events import RoundEnded, Settled
from .faults import Fault, RulesError
from .leftovers import check_hand
from .match import Known, Round
from .record_entries import LeftLine, Line, Totals
from .record_follower import Follower
from .record_values import shortened
from .record_writer import standing
from .scoring import Left, Settlement
from .seats import Seat, Team


class Settler:
    """Settles the follower's rounds as soon as every hand is written, and compares what stands behind.

    `rough`: the leftovers cannot be right, so the round is settled as it is written. `lost`: a bad line may
    have been one of the hands.
    """

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.problems = follower.problems
        self.left: dict[Seat, tuple[Line, Left]] = {}
        self.rough = False
        self.lost = False

    def begin(self) -> None:
        """A new round."""
        self.left = {}
        self.rough = self.lost = False

    def take_left(self, line: Line, entry: LeftLine) -> None:
        """One hand, checked at once; with the last of them the round is settled."""
        follower = self.follower
        round_ = follower.round
        if (fault := self._misplaced(entry, round_)) is not None or round_ is None:
            if fault:
                self.problems.add(line, fault)
                self.lost = True  # the seat may be wrong, and then another's hand is missing
            return
        if not round_.ended and not self.left and not follower.end_doubtful:
            self.problems.add(line, RulesError(Fault.ROUND_GOES_ON))
        self.left[entry.seat] = (line, entry.hand)
        if not round_.ended:
            return
        if entry.seat == round_.out:
            if follower.end_doubtful:
                self.rough = True
            else:
                self._refused(line, RulesError(Fault.LEFT_OF_OUT, seat=entry.seat))
            return
        seats = follower.rules.seats
        try:
            check_hand(entry.seat, entry.hand, round_, round_.hands[seats.index(entry.seat)])
        except RulesError as error:
            self._refused(line, error)
        if not self.rough and len(self.left) == len(seats) - (round_.out is not None):
            self._settle(line)

    def finish(self, line: Line) -> None:
        """No more leftovers come: settle with what there is, where there is any."""
        follower = self.follower
        round_ = follower.round
        if round_ is None or self.rough or not self.left:
            return
        if not round_.ended:
            # Nothing says who went out but the hand that is not there.
            missing = [seat for seat in follower.rules.seats if seat not in self.left]
            follower.match = doubt(follower.match, Known.HANDS | Known.TURN)
            if len(missing) > 1 or not follower.enter(line, RoundEnded(missing[0] if missing else None)):
                self.rough = True
                return
        self._settle(line)

    def close(self, teams: dict[Team, int] | None = None) -> None:
        """A round that could not be settled counts as settled with what is written, or with nothing.

        No entry says so: what follows is to be checked, but a record with a bad line is not imported.
        """
        follower = self.follower
        if follower.round is None:
            return
        match = follower.match
        changes = [teams[team] if teams else 0 for team in match.rules.teams]
        scores = tuple(score + change for score, change in zip(match.scores, changes, strict=True))
        round_ = replace(
            match.rounds[-1],
            settlement=Settlement({}, dict(zip(match.rules.teams, changes, strict=True))),
            before_settlement=match.scores,
            after_settlement=scores,
        )
        follower.match = replace(match, rounds=(*match.rounds[:-1], round_), scores=scores)
        follower.adrift = follower.adrift or teams is None
        self._add_own(changes)

    def take_totals(self, line: Line, entry: Totals) -> None:
        """A `settle` or `score` line."""
        rules = self.follower.rules
        if set(entry.points) != set(rules.teams):
            form = f"{entry.word} {standing(rules, [0] * len(rules.teams))}"
            self.problems.add(line, RulesError(Fault.LINE_FORM, text=shortened(line.text), form=form))
            return
        written = [entry.points[team] for team in rules.teams]
        if entry.word == "settle":
            self._settlement(line, written)
        else:
            self._score(line, written)

    def _misplaced(self, entry: LeftLine, round_: Round | None) -> RulesError | None:
        follower = self.follower
        if round_ is None:
            settled = bool(follower.match.rounds) and not follower.announced
            return RulesError(Fault.ROUND_SETTLED if settled else Fault.NO_ROUND)
        if entry.seat not in follower.rules.seats:
            return RulesError(Fault.NOT_A_SEAT, text=entry.seat)
        if entry.seat in self.left and not self.problems.at(self.left[entry.seat][0]):
            return RulesError(Fault.WRITTEN_TWICE, text=f"left {entry.seat}")
        return None

    def _refused(self, line: Line, error: RulesError) -> None:
        self.problems.add(line, error)
        self.rough = True
        if error.fault in (Fault.LEFT_OF_OUT, Fault.LEFT_MISSING, Fault.ROUND_GOES_ON):
            self.follower.end_doubtful = True

    def _settle(self, line: Line) -> None:
        """Settle with the leftovers read so far; a refusal is reported at the line of the hand it names."""
        follower = self.follower
        event = Settled(tuple((seat, self.left[seat][1]) for seat in follower.rules.seats if seat in self.left))
        before = follower.match.scores
        try:
            follower.match = apply(follower.match, event)
        except RulesError as error:
            if error.fault is Fault.MATCH_WON:
                follower.enter(line, event)
            elif error.fault is Fault.LEFT_MISSING and (self.lost or follower.end_doubtful):
                self.rough = True
            else:
                named = {error.fields.get("seat"), error.fields.get("other")}
                lines = [at for seat, (at, _) in self.left.items() if seat in named]
                self._refused(max(lines, key=lambda at: at.number, default=line), error)
            return
        self._add_own(new - old for new, old in zip(follower.match.scores, before, strict=True))

    def _add_own(self, changes: Iterable[int]) -> None:
        own = self.follower.own
        own[:] = [score + change for score, change in zip(own, changes, strict=True)]

    def _settlement(self, line: Line, written: list[int]) -> None:
        follower = self.follower
        rules = follower.rules
        if follower.round is not None and not self.left:
            self._nothing_left(line, follower.round)
        self.finish(line)
        if follower.round is not None:
            self.close(dict(zip(rules.teams, written, strict=True)))
            return
        if not follower.match.rounds or follower.announced:
            self.problems.add(line, RulesError(Fault.NO_ROUND))
            return
        last = follower.match.rounds[-1]
        right = [new - old for new, old in zip(last.after_settlement, last.before_settlement, strict=True)]
        if written != right and last.left:
            self.problems.differ(line, standing(rules, written, sign=True), standing(rules, right, sign=True))
            self._add_own(now - then for now, then in zip(written, right, strict=True))

    def _score(self, line: Line, written: list[int]) -> None:
        follower = self.follower
        if follower.round is not None and follower.round.ended and not self.left:
            self._nothing_left(line, follower.round)
        self.finish(line)
        if self.rough:
            self.close()
        right = follower.match.scores
        if follower.adrift:
            follower.rebase(tuple(written))
            follower.adrift = False
        elif any(points not in pair for points, *pair in zip(written, right, follower.own, strict=True)):
            self.problems.differ(line, standing(follower.rules, written), standing(follower.rules, right))
        follower.own[:] = written

    def _nothing_left(self, line: Line, round_: Round) -> None:
        """A settlement or standing of a round for which no leftovers are written."""
        doubtful = self.rough or self.lost
        if not doubtful and round_.ended:
            missing = next(seat for seat in self.follower.rules.seats if seat != round_.out)
            self._refused(line, RulesError(Fault.LEFT_MISSING, seat=missing))
        elif not doubtful and not self.follower.end_doubtful:
            self._refused(line, RulesError(Fault.ROUND_GOES_ON))
        self.rough = True

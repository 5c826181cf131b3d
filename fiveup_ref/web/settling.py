"""The settlement form: what every hand has left, checked while it is entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fiveup_ref.engine.events import Event, Settled
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.leftovers import check_hand, check_left, check_together, nobody_shows
from fiveup_ref.engine.match import Match, Round
from fiveup_ref.engine.rules import Settling
from fiveup_ref.engine.scoring import HandSettled, Left, Settlement, advance, settle
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import Tile

from .forms import EntryForm
from .language import gettext as _
from .language import ngettext, number, say, signed
from .words import taken_text, team_name

_UNFINISHED = {Fault.LEFT_MISSING, Fault.LEFT_TILE_COUNT}


class HandForm:
    """What one seat has left: tiles that were ticked, or pips that were typed.

    `left` is None until something that can be was entered; `whole` once it is all that the hand must show.
    """

    def __init__(self, seat: Seat, ticked: Sequence[str] = (), typed: str = "") -> None:
        self.seat = seat
        self.ticked = tuple(ticked)
        self.typed = typed.strip()
        self.left: Left | None = None
        self.whole = False
        self.error = ""
        self.working = ""

    def check(self, round_: Round, held: int) -> None:
        """Read and check the hand by itself. Raises RulesError."""
        left = self.entered()
        try:
            check_hand(self.seat, left, round_, held)
        except RulesError as error:
            if error.fault is Fault.LEFT_TILE_COUNT and len(left.tiles or ()) < held:
                self.left = left  # so far
                self.working = ngettext("%(num)s of %(all)s tile", "%(num)s of %(all)s tiles", held) % {
                    "num": len(left.tiles or ()),
                    "all": held,
                }
            raise
        self.left, self.whole = left, True

    def entered(self) -> Left:
        """What was entered, by itself. Raises RulesError where it is nothing, both or something else."""
        if self.typed and self.ticked:
            raise RulesError(Fault.LEFT_BOTH, seat=self.seat)
        if self.ticked:
            return Left.of(Tile.parse(tile) for tile in self.ticked[:28])
        if not self.typed:
            raise RulesError(Fault.LEFT_MISSING, seat=self.seat)
        return Left.typed(self.typed)


class SettleForm(EntryForm):
    """Leftovers for every hand but the one that went out.

    `problem` is what is wrong with all hands together, `boneyard` the tiles that are left for it, `together` what
    each team's hands come to, `taken` what a winner takes, `unscored` that a gain would
    overshoot the target; the last four as soon as they are known.
    """

    problem = ""
    taken = ""
    unscored = False

    def read(self, match: Match, sent: Any, names: Mapping[Seat, str], *, working: bool) -> None:
        """Take the hands from what was sent, each with its own fault beside it.

        `working`: they are still being entered, so what is only missing is no fault yet.
        """
        round_ = match.round
        seats = match.rules.seats if round_ is None else tuple(s for s in match.rules.seats if s != round_.out)
        self.hands = [HandForm(seat, sent.getlist(f"left-{seat}"), sent.get(f"pips-{seat}", "")) for seat in seats]
        self.problem = ""
        self.boneyard = ""
        self.together: list[str] = []
        self.taken = ""
        if round_ is None:
            return
        for hand in self.hands:
            try:
                hand.check(round_, round_.hands[match.rules.seats.index(hand.seat)])
            except RulesError as error:
                unfinished = error.fault in _UNFINISHED and (hand.left or not hand.ticked)
                hand.error = "" if working and unfinished else say(error, names)
        settlement = settle(self.left, rules=match.rules, out=round_.out)
        for hand in self.hands:
            if hand.whole:
                hand.working = _working(settlement.hands[hand.seat], match.rules.settlement)
        if not self.faulty:
            self._together(match, round_, settlement, names)

    @property
    def left(self) -> dict[Seat, Left]:
        """The hands entered so far."""
        return {hand.seat: hand.left for hand in self.hands if hand.left}

    @property
    def faulty(self) -> bool:
        """Whether anything stands in the way of settling."""
        return bool(self.problem) or any(hand.error for hand in self.hands)

    def blame(self, error: RulesError, names: Mapping[Seat, str]) -> None:
        """Put a fault beside the hand it is about, or below all of them."""
        sentence = say(error, names)
        for hand in self.hands:
            if hand.seat == error.fields.get("other", error.fields.get("seat")):
                hand.error = sentence
                return
        self.problem = sentence

    def _together(self, match: Match, round_: Round, settlement: Settlement, names: Mapping[Seat, str]) -> None:
        left = self.left
        whole = all(hand.whole for hand in self.hands)
        try:
            if whole:
                check_left(left, round_, match.rules.seats)
            else:
                check_together(left)
        except RulesError as error:
            self.blame(error, names)
            return
        rest = nobody_shows(left, round_)
        if whole:
            together, alone = _("%(name)s together: %(points)s"), _("%(name)s: %(points)s")
            self.together = [
                (together if len(team) > 1 else alone) % {"name": team_name(team, names), "points": signed(gain)}
                for (team, points), score in zip(settlement.teams.items(), match.scores, strict=True)
                for gain in (advance(score, points, match.rules),)
            ]
            self.taken = taken_text(settlement)
            self.unscored = any(
                advance(score, points, match.rules) != points
                for points, score in zip(settlement.teams.values(), match.scores, strict=True)
            )
            self.boneyard = " ".join(map(str, rest or ()))
        elif rest and round_.boneyard == 0:
            missing = [hand for hand in self.hands if not hand.whole]
            if len(missing) == 1 and not missing[0].left:
                missing[0].working = _("Only these are left: %(tiles)s") % {"tiles": " ".join(map(str, rest))}

    def event(self) -> Event:
        return Settled(tuple(self.left.items()))


def _working(hand: HandSettled, settling: Settling) -> str:
    """`3 → 5 → −1` where own leftovers are deducted; else only the pips, which the winner takes together."""
    if settling is Settling.DEDUCT_OWN:
        return f"{hand.pips} → {hand.rounded} → {signed(hand.points)}"
    return ngettext("%(num)s pip", "%(num)s pips", hand.pips) % {"num": number(hand.pips)}

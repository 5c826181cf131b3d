"""The form that corrects an entry or puts a forgotten one in: prefilled by its kind, it makes one event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import request
from wtforms import Field, HiddenField, StringField
from wtforms.form import BaseForm
from wtforms.validators import Length

from fiveup_ref.engine.events import (
    LONGEST_TEXT,
    Adjusted,
    Closed,
    Counted,
    Drew,
    GameEvent,
    Noted,
    Passed,
    Played,
    PointedOut,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.match import Known, Match
from fiveup_ref.engine.rules import MOST_POINTS
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.seats import Seat, Team
from fiveup_ref.engine.tiles import Tile

from .calling import LONGEST_ENDS
from .forms import WholeNumber, one_line
from .language import gettext as _
from .language import say
from .settling import HandForm, SettleForm

BLOCKED: Final = "blocked"
OF_A_ROUND: Final = ("Played", "Counted", "Scored", "Drew", "Passed", "RoundEnded")
ALONE: Final = ("RoundOpened", "Settled", "Adjusted", "Noted")

TURNS: Final = ("Played", "Counted", "Passed")
"""After these the next player is on turn."""

# Where a fault is shown if its kind has that field; else at the first.
_BESIDE: Final[Mapping[Fault, str]] = {
    Fault.NOT_ON_TURN: "seat",
    Fault.NOT_A_SEAT: "seat",
    Fault.OUT_OPENS: "seat",
    Fault.OWN_SCORE: "seat",
    Fault.NOTHING_LIES: "onto",
    Fault.SET_LIES: "onto",
    Fault.ONTO_NOT_PLAYED: "onto",
    Fault.NO_FIT: "onto",
    Fault.END_COVERED: "onto",
    Fault.SPINNER_FULL: "onto",
    Fault.DOUBLE_FULL: "onto",
    Fault.NO_ONE_WENT_OUT: "by",
    Fault.NOT_A_TEAM: "team",
    Fault.ADJUSTED_BY_ZERO: "amount",
    Fault.NUMBER_BOUNDS: "amount",
}
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "Played": ("tile", "onto", "seat"),
    "Counted": ("ends", "seat"),
    "Scored": ("points", "seat"),
    "Drew": ("tiles", "seat"),
    "Passed": ("seat",),
    "RoundEnded": ("out",),
    "RoundOpened": ("seat", "by"),
    "PointedOut": ("seat",),
    "Adjusted": ("text", "team", "amount"),
    "Noted": ("text",),
    "Closed": ("text",),
}


def kind_names() -> Mapping[str, str]:
    """The kinds of entry, as they are chosen."""
    return {
        "Played": _("a tile"),
        "Counted": _("a count"),
        "Scored": _("called points"),
        "Drew": _("a draw"),
        "Passed": _("a pass"),
        "RoundEnded": _("the end of the round"),
        "RoundOpened": _("the opener"),
        "Settled": _("the leftovers"),
        "PointedOut": _("a missed score taken"),
        "Adjusted": _("an adjustment"),
        "Noted": _("a note"),
        "Closed": _("the end of the match"),
    }


class MendForm(SettleForm):
    """One event of any kind, and why; only the fields of its kind are read.

    What is only looked at comes in an address, so that going back to it sends nothing; `EntryForm` has the rest of
    what an entry needs.
    """

    seen = None  # type: ignore[assignment]
    key = None  # type: ignore[assignment]

    class Meta(SettleForm.Meta):
        def wrap_formdata(self, form: BaseForm, formdata: object) -> Any:
            looked_at = request.method == "GET" and "do" in request.args and formdata is not None
            return request.args if looked_at else super().wrap_formdata(form, formdata)

    why = StringField(filters=[one_line], validators=[Length(max=LONGEST_TEXT)])
    kind = HiddenField()
    seat = StringField()
    tile = StringField()
    onto = StringField()
    ends = StringField()
    points = WholeNumber(lowest=0, highest=1000)
    tiles = WholeNumber(lowest=1, highest=28)
    uncounted = StringField()
    moves = StringField()
    out = StringField()
    by = StringField()
    team = StringField()
    sign = StringField()
    amount = WholeNumber(lowest=-MOST_POINTS, highest=MOST_POINTS)
    text = StringField(filters=[one_line])

    def prefill(self, kind: str, event: GameEvent | None, before: Match) -> None:
        """Fill in what an event says, as far as the kind asks for it; None: what is likely at this place."""
        round_ = before.round
        self.kind.data = kind
        self.seat.data = getattr(event, "seat", None) or (round_.turn if round_ else before.rules.seats[0])
        self.hands = [HandForm(seat) for seat in _still_holding(before)]
        self.moves.data = "yes" if round_ and Known.TURN in round_.known else ""
        match event:
            case Played(_, tile, onto):
                self.tile.data, self.onto.data = str(tile), str(onto or "")
            case Counted(_, ends):
                self.ends.data = str(ends)
            case Scored(_, points):
                self.points.data = points
            case Drew(_, tiles):
                self.tiles.data, self.uncounted.data = tiles, "" if tiles else "yes"
            case RoundEnded(out):
                self.out.data = out or BLOCKED
            case RoundOpened(_, by):
                self.by.data = by
            case Adjusted(team, points, reason):
                self.team.data, self.text.data = str(team), reason
                self.sign.data, self.amount.data = "-" if points < 0 else "+", abs(points)
            case Noted(text) | Closed(text):
                self.text.data = text
            case Settled(left):
                tiles_of = {seat: [str(tile) for tile in hand.tiles or ()] for seat, hand in left}
                pips_of = {seat: "" if hand.tiles is not None else str(hand.pips) for seat, hand in left}
                self.hands = [
                    HandForm(one.seat, tiles_of.get(one.seat, ()), pips_of.get(one.seat, "")) for one in self.hands
                ]

    def event(self) -> GameEvent:
        """The event of this form; of `Settled` the hands must have been read. Raises RulesError."""
        return _MADE[str(self.kind.data)](self)

    def beside(self, error: RulesError, names: Mapping[Seat, str]) -> None:
        """Put the sentence of a refusal beside the field it is about."""
        if self.kind.data == "Settled":
            self.blame(error, names)
            return
        fields = _FIELDS.get(str(self.kind.data), ("why",))
        name = _BESIDE.get(error.fault, "")
        field: Field = self[name if name in fields else fields[0]]
        field.errors = [*field.errors, say(error, names)]

    @property
    def wrong(self) -> str:
        """What stands above a form that was refused; empty where nothing is wrong with it."""
        refused = self.errors or (self.kind.data == "Settled" and self.faulty)
        return (
            _("Something is missing or cannot be: see the red notes below. Nothing was saved yet.") if refused else ""
        )

    def signed_amount(self) -> int:
        """The points of an adjustment; a minus typed before the number is as good as the one beside it."""
        if self.amount.data is None:
            raise RulesError(Fault.NUMBER_BOUNDS, lowest=-MOST_POINTS, highest=MOST_POINTS)
        amount = int(self.amount.data)
        return -abs(amount) if self.sign.data == "-" else amount


def _still_holding(match: Match) -> list[Seat]:
    """The seats that did not go out in the latest round."""
    out = match.round.out if match.round else None
    return [seat for seat in match.rules.seats if seat != out]


def likely_kind(match: Match) -> str:
    """What is most likely to have been forgotten at this place of a match."""
    round_ = match.round
    if round_ is None or not match.in_round:
        return "RoundOpened"
    if round_.ended:
        return "Settled"
    return "Played" if Known.LAYOUT in round_.known else "Counted"


def _played(form: MendForm) -> Played:
    onto = (form.onto.data or "")[:20]
    return Played(form.seat.data or "", Tile.parse((form.tile.data or "–")[:20]), Tile.parse(onto) if onto else None)


def _scored(form: MendForm) -> Scored:
    if form.points.data is None:
        raise RulesError(Fault.NUMBER_BOUNDS, lowest=0, highest=1000)
    return Scored(form.seat.data or "", form.points.data)


def _drew(form: MendForm) -> Drew:
    if not form.uncounted.data and form.tiles.data is None:
        raise RulesError(Fault.DREW_NONE)
    return Drew(form.seat.data or "", None if form.uncounted.data else form.tiles.data)


_MADE: Final[Mapping[str, Callable[[MendForm], GameEvent]]] = {
    "Played": _played,
    "Counted": lambda form: Counted(form.seat.data or "", Ends.parse((form.ends.data or "")[:LONGEST_ENDS])),
    "Scored": _scored,
    "Drew": _drew,
    "PointedOut": lambda form: PointedOut(form.seat.data or ""),
    "Passed": lambda form: Passed(form.seat.data or ""),
    "RoundEnded": lambda form: RoundEnded(None if form.out.data == BLOCKED else form.out.data or ""),
    "RoundOpened": lambda form: RoundOpened(form.seat.data or "", form.by.data or ""),
    "Settled": lambda form: Settled(tuple(form.left.items())),
    "Adjusted": lambda form: Adjusted(
        Team.parse((form.team.data or "")[:20]), form.signed_amount(), form.text.data or ""
    ),
    "Noted": lambda form: Noted(form.text.data or ""),
    "Closed": lambda form: Closed(form.text.data or ""),
}

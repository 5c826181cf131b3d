"""Forms: each reads one request and makes one event of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from flask import request
from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField
from wtforms.form import BaseForm
from wtforms.validators import Length

from fiveup_ref.engine.events import (
    AGREED,
    LOT,
    OUT,
    Adjusted,
    Counted,
    Drew,
    Event,
    Passed,
    Played,
    PointedOut,
    Previewed,
    Ringed,
    RoundEnded,
    RoundOpened,
    Scored,
    Undone,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.numbers import number_within, whole_number
from fiveup_ref.engine.record_values import is_seen
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from fiveup_ref.exchange_json import TURNS

from .calling import LONGEST_ENDS
from .language import catalogue, language, say
from .language import gettext as _

LONGEST_NAME = 40
LONGEST_TITLE = 60


def one_line(text: str | None) -> str:
    """Text as one line: white space folded, control signs and turns of direction taken out; '' if nothing is seen."""
    line = " ".join("".join(" " if unicodedata.category(sign) == "Cc" else sign for sign in text or "").split())
    line = line.translate(TURNS)
    return line if is_seen(line) else ""


class OurForm(FlaskForm):
    """A form that speaks the language of the request and reads its fields only, never JSON or files."""

    class Meta(FlaskForm.Meta):
        def wrap_formdata(self, form: BaseForm, formdata: object) -> Any:
            del form
            return request.form if request.method == "POST" and formdata is not None else None

        @staticmethod
        def get_translations(form: BaseForm) -> Any:
            del form
            return catalogue(language())


def number_typed(typed: str, *, lowest: int, highest: int) -> int | None:
    """A whole number that somebody typed; None where nothing is. Raises RulesError(NUMBER_BOUNDS)."""
    return number_within(text, lowest=lowest, highest=highest) if (text := typed.strip()) else None


class WholeNumber(StringField):
    """A field for a whole number; an empty field is None, not 0."""

    data: Any

    def __init__(self, *args: Any, lowest: int, highest: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lowest, self.highest = lowest, highest

    def process_formdata(self, valuelist: Sequence[Any]) -> None:
        self.typed = str(valuelist[0]).strip() if valuelist else ""
        self.data = None
        try:
            self.data = number_typed(self.typed, lowest=self.lowest, highest=self.highest)
        except RulesError:
            raise ValueError(self.bounds()) from None

    def bounds(self) -> str:
        """What may be entered, as a sentence."""
        return say(RulesError(Fault.NUMBER_BOUNDS, lowest=self.lowest, highest=self.highest), {})

    def _value(self) -> str:
        return getattr(self, "typed", "") or ("" if self.data is None else str(self.data))


class EntryForm(OurForm):
    """An entry of a match: `seen` entries were there when the page was made, `key` makes a repeat harmless."""

    seen = HiddenField()
    key = HiddenField(validators=[Length(min=8, max=64)])

    @property
    def seen_number(self) -> int:
        """The number of entries seen; one that cannot be makes a conflict."""
        try:
            return whole_number(str(self.seen.data or ""), highest=999_999)
        except ValueError:
            return -1

    def event(self) -> Event:
        """The event that this form enters. Raises RulesError."""
        raise NotImplementedError


class OpenForm(EntryForm):
    """Who opens, and why."""

    opener = StringField()

    def event(self) -> Event:
        seat, _, by = (self.opener.data or "").partition(" ")
        if by not in (LOT, OUT, AGREED):
            raise RulesError(Fault.NOT_A_SEAT, text=self.opener.data or "")
        return RoundOpened(seat, by)


class TurnForm(EntryForm):
    """Something a player does; the page names the seat it was made for."""

    seat = HiddenField()


class PlayForm(TurnForm):
    """A tile, and the tile it is joined to: `5-0>5-5`, or `5-5` for the set."""

    play = StringField()

    def event(self) -> Event:
        sent = " ".join(self.play.raw_data or ())  # two at once are no tile
        tile, joined, onto = sent[:20].partition(">")
        return Played(self.seat.data or "", Tile.parse(tile), Tile.parse(onto) if joined else None)


class CountForm(TurnForm):
    """The counting ends as they lie after a placement: `6-6 5 4`."""

    ends = StringField()

    def event(self) -> Event:
        return Counted(self.seat.data or "", Ends.parse((self.ends.data or "")[:LONGEST_ENDS]))


class ScoreForm(TurnForm):
    """Points as called."""

    points = WholeNumber(lowest=0, highest=1000)

    def event(self) -> Event:
        if self.points.data is None:
            raise RulesError(Fault.NUMBER_BOUNDS, lowest=0, highest=1000)
        return Scored(self.seat.data or "", self.points.data)


class DrawForm(TurnForm):
    """Tiles drawn, one where nothing else is sent; `?` is an unknown number."""

    tiles = StringField()

    def event(self) -> Event:
        typed = " ".join(self.tiles.raw_data or ("1",))
        tiles = None if typed == "?" else number_within(typed, lowest=1, highest=len(DOUBLE_SIX))
        return Drew(self.seat.data or "", tiles)


class PassForm(TurnForm):
    """A pass."""

    def event(self) -> Event:
        return Passed(self.seat.data or "")


class EndForm(EntryForm):
    """The table says that the round is over: who went out, or blocked."""

    out = StringField()

    def event(self) -> Event:
        return RoundEnded(None if self.out.data == "blocked" else self.out.data or "")


class ClaimForm(EntryForm):
    """The penalty for a false claim, at the charge of one side."""

    team = StringField()

    def penalty(self, rules: Rules) -> Event:
        """The adjustment that the house rule sets. Raises RulesError."""
        if not rules.false_claim:
            raise RulesError(Fault.ADJUSTED_BY_ZERO)
        return Adjusted(Team.parse((self.team.data or "")[:20]), -rules.false_claim, _("false claim"))


class MugginsForm(EntryForm):
    """Who pointed out a missed score."""

    taker = StringField()

    def event(self) -> Event:
        return PointedOut(self.taker.data or "")


class UndoForm(EntryForm):
    """Takes back one entry, which the button named."""

    entry = WholeNumber(lowest=1, highest=100_000)

    def event(self) -> Event:
        return Undone(self.entry.data or 0)


class PreviewForm(EntryForm):
    """Whether cells show what a play would score."""

    on = StringField()

    def event(self) -> Event:
        return Previewed(self.on.data == "yes")


class RingForm(PreviewForm):
    """Whether the tally has small o."""

    def event(self) -> Event:
        return Ringed(self.on.data == "yes")

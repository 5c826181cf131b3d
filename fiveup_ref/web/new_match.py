"""The form of a new match: the game, who sits where, and house rules that are usual where nothing is entered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from flask import request
from wtforms import BooleanField, Field, HiddenField, RadioField, StringField
from wtforms.validators import Length

from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.rules import FIELDS, PRESETS, Rules
from fiveup_ref.engine.seats import SEATS
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from fiveup_ref.rule_sets import RuleSet

from .affairs import CHOICES, LONGEST_VALUE, RuleLine, beside
from .forms import LONGEST_NAME, LONGEST_TITLE, OurForm, one_line
from .language import gettext as _
from .language import say
from .rulebook_text import GAMES, SECOND_DOUBLE
from .words import rules_text


class Seating(NamedTuple):
    """How many play, and whether four of them as partners (None: the game decides)."""

    players: int
    partners: bool | None


SEATINGS: Final[Mapping[str, Seating]] = {
    "2": Seating(2, None),
    "3": Seating(3, None),
    "4": Seating(4, partners=True),
    "single": Seating(4, partners=False),
    "5": Seating(5, None),
}


def seating_names() -> Mapping[str, str]:
    """The ways to sit down, in words; of those that not every game has, with the games that do."""
    names = {
        "2": _("2 players"),
        "3": _("3 players"),
        "4": _("4 players, partners"),
        "single": _("4 players, each alone"),
        "5": _("5 players"),
    }
    return {value: f"{name}{_only(SEATINGS[value])}" for value, name in names.items()}


def _only(seating: Seating) -> str:
    games = []
    for preset in PRESETS.values():
        with suppress(RulesError):
            preset.rules(seating.players, partners=seating.partners)
            games.append(_(preset.name))
    return "" if len(games) == len(PRESETS) else f" ({', '.join(games)})"


class Offered(NamedTuple):
    """A game to choose: what differs in it, and the drawing that tells it apart with its sum."""

    value: str
    name: str
    line: str
    plan: Plan
    marks: Mapping[tuple[Tile, int], int]
    label: str
    places: int


def offered() -> Iterator[Offered]:
    """Every game, with the same tiles laid in each: a second double, both its sides covered."""
    for preset in PRESETS.values():
        layout = Layout.read(SECOND_DOUBLE, spinners=preset.spinners)
        ends = layout.open_ends()
        yield Offered(
            preset.name,
            _(preset.name),
            _(GAMES[preset.name]),
            plan(layout.plays, spinners=preset.spinners, width=12),
            {(end.tile, end.pip): end.worth for end in ends},
            _("The layout: %(plays)s") % {"plays": layout},
            sum(end.places for end in ends),
        )


def game_of(value: str, sets: Sequence[RuleSet]) -> RuleSet | None:
    """A game by its name, as a rule set without changes, or one of these by its id; None: there is none."""
    if value in PRESETS:
        return RuleSet("", "", value, {})
    return next((one for one in sets if one.id == value), None)


@dataclass
class HouseLine(RuleLine):
    """A setting of which '' is the usual value, and what that is."""

    usual: str = ""


def house_lines(sent: Mapping[str, str]) -> list[HouseLine]:
    """The settings as sent."""
    return [
        HouseLine(field, sent.get(field, "").strip()[:LONGEST_VALUE], CHOICES.get(field, ()), usual=_usual(field))
        for field in FIELDS
    ]


def _usual(field: str) -> str:
    """The usual value, of each game and number of players where they differ: `Five Up 5 · All Fives 9 / 7 / 5 / 5`."""
    write = FIELDS[field][1]
    told = {
        preset.name: _told({players: _(write(getattr(preset.rules(players), field))) for players in preset.hands})
        for preset in PRESETS.values()
    }
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    return " · ".join(
        f"{', '.join(_(name) for name, other in told.items() if other == value)}: {value}"
        for value in dict.fromkeys(told.values())
    )


def _told(values: Mapping[int, str]) -> str:
    """A value by number of players: alone where it is the same for all, else as in `250 (2), 200 (3, 4, 5)`."""
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return ", ".join(
        _("%(value)s with %(players)s players")
        % {"value": value, "players": "/".join(str(players) for players, other in values.items() if other == value)}
        for value in dict.fromkeys(values.values())
    )


ALSO_DEALT: Final[Mapping[int, str]] = {2: "5 7 9", 3: "5 7 9", 4: "5 7", 5: "5"}
"""The hands that tables deal, whatever the game (rules 4)."""


class HandRow(NamedTuple):
    """A row of the table of hands: what is dealt to each, by number of players."""

    name: str
    dealt: Mapping[int, str]


def hand_rows() -> list[HandRow]:
    """What is usual in each game, what is dealt as well, and the most that the set allows."""
    usual: dict[tuple[str, ...], list[str]] = {}
    for preset in PRESETS.values():
        usual.setdefault(tuple(str(preset.hands.get(players, "–")) for players in ALSO_DEALT), []).append(preset.name)
    most = {players: f"{min(14, len(DOUBLE_SIX) // players)}" for players in ALSO_DEALT}
    return [
        *(HandRow(", ".join(map(_, names)), dict(zip(ALSO_DEALT, row, strict=True))) for row, names in usual.items()),
        HandRow(_("also dealt"), ALSO_DEALT),
        HandRow(_("at most, less the reserve"), most),
    ]


class NewMatchForm(OurForm):
    """Title, game, who sits where, and house rules; `sets` are the table's own rules, which can be chosen as a game."""

    key = HiddenField()
    title = StringField(validators=[Length(max=LONGEST_TITLE)], filters=[one_line])
    game = StringField(default=next(iter(PRESETS)))
    players = RadioField(choices=list(SEATINGS), default="4")  # type: ignore[arg-type] # the stubs know pairs only
    name_a = StringField(filters=[one_line])
    name_b = StringField(filters=[one_line])
    name_c = StringField(filters=[one_line])
    name_d = StringField(filters=[one_line])
    name_e = StringField(filters=[one_line])
    passcode = StringField()
    previews = BooleanField()
    rings = BooleanField()
    set_name = StringField(filters=[one_line])

    def __init__(self, sets: Sequence[RuleSet] = (), **more: Any) -> None:
        super().__init__(**more)
        self.sets = sets
        self.house = house_lines(request.form if request.method == "POST" else {})

    @property
    def names(self) -> list[Field]:
        """The name fields in seat order."""
        return [self[f"name_{seat.lower()}"] for seat in SEATS]

    @property
    def seating(self) -> Seating:
        """How many play; four partners where what was sent is none of the choices."""
        return SEATINGS.get(str(self.players.data), SEATINGS["4"])

    @property
    def chosen(self) -> RuleSet | None:
        """The game as a rule set without changes, or one of the table's own; None: it is not there."""
        return game_of(str(self.game.data), self.sets)

    @property
    def folded(self) -> bool:
        """Whether no house rule is entered or refused."""
        return not any(line.value or line.error for line in self.house) and not self.set_name.errors

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Names are asked for as many seats as there are players."""
        valid = bool(super().validate(extra_validators))
        for field in self.names[: self.seating.players]:
            if not field.data:
                field.errors = [_("Enter a name.")]
                valid = False
            elif len(field.data) > LONGEST_NAME:
                field.errors = [_(Fault.TEXT_TOO_LONG.value).format(highest=LONGEST_NAME)]
                valid = False
        return self.rules() is not None and valid

    def changes(self) -> dict[str, str]:
        """What was entered as house rules, and what a chosen rule set has beside it."""
        own = dict(self.chosen.changes) if self.chosen else {}
        return own | {line.field: line.value for line in self.house if line.value}

    def rules(self) -> Rules | None:
        """The rules of the match as chosen; None, with a sentence beside the field, where they cannot be."""
        if self.chosen is None:
            self.game.errors = [_("Choose a game.")]
            return None
        players, partners = self.seating
        try:
            usual = PRESETS[self.chosen.preset].rules(players, partners=partners)
        except RulesError as error:
            self.players.errors = [say(error, {})]
            return None
        try:
            return usual.changed(self.changes())
        except RulesError as error:
            beside(error, self.house)
            return None

    def rule_set(self) -> RuleSet:
        """What is entered as a rule set under its name; one that says the usual value again does not keep it."""
        chosen = self.chosen or RuleSet("", "", next(iter(PRESETS)), {})
        return RuleSet("", self.set_name.data or "", chosen.preset, self.changes())


def set_lines(sets: Sequence[RuleSet]) -> list[tuple[RuleSet, str]]:
    """The table's own rules, each with its game and what differs."""
    return [(one, ": ".join(filter(None, (_(one.preset), rules_text(one.changes))))) for one in sets]

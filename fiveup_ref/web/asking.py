"""What was asked of the desk, read from an address: every value bounded, every fault kept beside its field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from werkzeug.datastructures import MultiDict

from fiveup_ref.engine.claims import HIGHEST_CLAIM, Claim, Unit
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.rules import FIELDS, PRESETS, Rules
from fiveup_ref.engine.ruling import Ruling
from fiveup_ref.engine.seats import Seat

from .forms import number_typed
from .language import gettext as _
from .language import say
from .ruled import Ruled, ruled

LONGEST: Final = 300
"""Characters of any value; the 28 plays of a layout are 223."""
SIDES: Final = ("2", "3", "pairs", "4", "5")
"""How many play; `pairs` are four as partners, `4` four on their own."""
OF_GAME: Final = ("game", "sides", "five", *FIELDS)
"""The fields that say which game is played; `five` is what `points_per_five` was called in older links."""

_Value = TypeVar("_Value")


@dataclass
class Asked:
    """One question as it was asked: `values` as typed, `errors` by field, and what a template needs besides."""

    args: MultiDict[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    ruling: Ruling | None = None
    facts: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)
    names: Mapping[Seat, str] = field(default_factory=dict)
    rules: Rules | None = None

    def value(self, name: str, usual: str = "") -> str:
        """A value as typed, white space folded."""
        return " ".join(self.args.get(name, usual)[:LONGEST].split())

    def values(self, name: str) -> str:
        """All values of a name as words: what was ticked and what was typed."""
        return " ".join(" ".join(self.args.getlist(name)[:30]).split())[:LONGEST]

    def has(self, *starts: str) -> bool:
        """Whether a field is there whose name begins so."""
        return any(name.startswith(starts) for name in self.args)

    def choice(self, name: str, choices: tuple[str, ...], usual: str) -> str:
        """One of `choices`; anything else is the usual one, with its fault."""
        chosen = self.value(name) or usual
        if chosen in choices:
            return chosen
        self.errors[name] = _("Choose one of those offered.")
        return usual

    def read(self, name: str, read: Callable[[str], _Value]) -> _Value | None:
        """A value as `read` takes it; None where it cannot, with the fault beside the field."""
        try:
            return read(self.value(name))
        except RulesError as error:
            self.refuse(name, error)
            return None

    def number(self, name: str, lowest: int, highest: int) -> int | None:
        """A whole number; None where nothing or none is typed."""
        return self.read(name, lambda typed: number_typed(typed, lowest=lowest, highest=highest))

    def needed(self, name: str, lowest: int, highest: int) -> int:
        """A whole number that must be there; 0 with the fault where it is not."""
        number = self.number(name, lowest, highest)
        if number is None and name not in self.errors:
            self.refuse(name, RulesError(Fault.NUMBER_MISSING))
        return number or 0

    def refuse(self, name: str, error: RulesError) -> None:
        """Put a fault beside a field."""
        self.errors[name] = say(error, self.names)

    def rule(self, answer: Callable[[], Ruling], name: str) -> None:
        """Let the engine answer; what it refuses stands beside the field `name`."""
        if self.errors:
            return
        try:
            self.ruling = answer()
        except RulesError as error:
            seat, of = (str(error.fields.get(field, "")) for field in ("seat", "moment"))
            self.refuse(f"{of or name}-{seat}" if seat else name, error)

    @property
    def ruled(self) -> Ruled | None:
        """The ruling in words."""
        return ruled(self.ruling, self.names) if self.ruling else None


def game_of(asked: Asked, sides: str = "2") -> Rules:
    """The game that was chosen, with its players and every house rule of the address: `spinner_counts=yes`.

    House rules that cannot be are refused, each beside its field; then the game is the usual one.
    """
    preset = PRESETS[asked.choice("game", tuple(PRESETS), next(iter(PRESETS)))]
    sides = asked.choice("sides", SIDES, sides)
    partners = {"pairs": True, "4": False}.get(sides)
    try:
        rules = preset.rules(4 if partners else int(sides), partners=partners)
    except RulesError as error:
        asked.refuse("sides", error)
        rules = preset.rules(2)
    usual = str(rules.points_per_five)
    house = {"points_per_five": asked.choice("five", ("1", "5"), usual)}
    house |= {name: value for name in FIELDS if (value := asked.value(name))}
    try:
        rules = rules.changed(house)
    except RulesError as error:
        asked.refuse(str(error.fields.get("field", "rules")), error)
    asked.more["fives"] = [("5", _("15 scores 15")), ("1", _("15 scores 3"))] if usual == "5" else []
    asked.rules = rules
    return rules


def sides_of(rules: Rules) -> str:
    """The players of a game as an address says them."""
    return "pairs" if rules.partners else str(rules.players)


def address_of(rules: Rules) -> dict[str, Any]:
    """A game as an address says it: its players, and every house rule."""
    return {"game": rules.preset, "sides": sides_of(rules), **rules.changes()}


def read_claim(asked: Asked) -> Claim | None:
    """The figure that was called, and in what; None where nothing was."""
    figure = asked.number("claim", 0, HIGHEST_CLAIM)
    unit = asked.choice("unit", ("", *Unit), "")
    if figure is None:
        return None
    if not unit:
        asked.errors.setdefault("unit", _("Say what it was called in: 10 raw points are not 10 points."))
        return None
    return Claim(figure, Unit(unit))

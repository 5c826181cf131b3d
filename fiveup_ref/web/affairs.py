"""The forms for what holds for a whole match: who sits where and is called what, and the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fiveup_ref.engine.affairs import check_names
from fiveup_ref.engine.events import Renamed, RulesChanged
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.record_values import check_name
from fiveup_ref.engine.rules import FIELDS, Rules, Settling, TargetCheck, advice
from fiveup_ref.engine.seats import Seat

from .forms import one_line
from .language import gettext as _
from .language import say, say_sentence

LONGEST_VALUE: Final = 200
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "settlement": tuple(Settling),
    "target_check": tuple(TargetCheck),
    "exact": ("no", "yes"),
    "stop_when_dead": ("no", "yes"),
    "double_opens": ("no", "yes"),
    "muggins_call": ("no", "yes"),
    "best_of": ("1", "3", "5"),
    "spinner_counts": ("no", "yes"),
}


@dataclass
class SeatLine:
    """A name as typed, the seat it had and the seat it is to have."""

    seat: Seat
    name: str
    sits: Seat
    error: str = ""


def seat_lines(match: Match) -> list[SeatLine]:
    """The names as they are."""
    return [SeatLine(seat, name, seat) for seat, name in zip(match.rules.seats, match.players, strict=True)]


def read_seats(match: Match, sent: Mapping[str, str], *, may_move: bool) -> list[SeatLine]:
    """The names as sent, each with what is wrong with it; seats only where they may be changed."""
    lines = []
    for seat, name in zip(match.rules.seats, match.players, strict=True):
        line = SeatLine(seat, one_line(sent.get(f"name-{seat}", name)), seat)
        if may_move and sent.get(f"sits-{seat}", seat) in match.rules.seats:
            line.sits = sent.get(f"sits-{seat}", seat)
        lines.append(line)
        try:
            check_name(line.name)
        except RulesError as error:
            line.error = say(error, {})
    for line in lines:
        if not line.error and sum(line.sits == other.sits for other in lines) > 1:
            line.error = _("Two cannot sit in one seat.")
    return lines


def renamed(match: Match, lines: list[SeatLine]) -> Renamed:
    """The names by seat that these lines make. Raises RulesError."""
    by_seat = {line.sits: line.name for line in lines}
    names = tuple(by_seat.get(seat, "") for seat in match.rules.seats)
    check_names(names, match.rules)
    return Renamed(names)


@dataclass
class RuleLine:
    """A setting: its value as a record writes it, what can be chosen (nothing: a number is typed), what is wrong."""

    field: str
    value: str
    choices: tuple[str, ...]
    error: str = ""


def rule_lines(rules: Rules) -> list[RuleLine]:
    """The settings as they are."""
    values = {field: write(getattr(rules, field)) for field, (_read, write) in FIELDS.items()}
    return [RuleLine(field, value, CHOICES.get(field, ())) for field, value in values.items()]


def read_rules(rules: Rules, sent: Mapping[str, str]) -> list[RuleLine]:
    """The settings as sent; one that is not there stays."""
    lines = rule_lines(rules)
    for line in lines:
        line.value = sent.get(line.field, line.value).strip()[:LONGEST_VALUE]
    return lines


def changed_rules(rules: Rules, lines: list[RuleLine]) -> RulesChanged:
    """The settings of these lines that differ. Raises RulesError, with its sentence beside the setting."""
    now = {line.field: line.value for line in rule_lines(rules)}
    changes = {line.field: line.value for line in lines if line.value != now[line.field]}
    try:
        rules.changed(changes)
    except RulesError as error:
        beside(error, lines)
        raise
    return RulesChanged(tuple(changes.items()))


def advised_against(rules: Rules, before: Rules | None = None) -> list[str]:
    """What speaks against these rules, in sentences; what spoke against those of `before` is known and left out."""
    known = advice(before) if before else []
    return [say_sentence(*one, {}) for one in advice(rules) if one not in known]


def beside(error: RulesError, lines: Sequence[RuleLine]) -> None:
    """Put the sentence of a refusal beside the setting it is about."""
    field = error.fields.get("field", "hand" if error.fault is Fault.TOO_MANY_DEALT else "")
    next((line for line in lines if line.field == field), lines[0]).error = say(error, {})

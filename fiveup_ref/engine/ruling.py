"""What the referee's desk answers: a ruling, its working, the rule it rests on, and what would make it different."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from .faults import RulesError
from .seats import Team


def ngettext(one: str, many: str) -> tuple[str, str]:
    """Marks a number with its word for the catalogues of translations."""
    return one, many


class Amount(int):
    """A number that a sentence shows with its unit, in the language of the sentence.

    >>> f"{Raw(10)} = {Points(2)}, {Pips(1)}"
    '10 raw points = 2 points, 1 pip'
    """

    words: ClassVar[tuple[str, str]]

    def __format__(self, spec: str) -> str:
        del spec
        one, many = self.words
        return (one if self == 1 else many) % {"num": int(self)}

    def __str__(self) -> str:
        return format(self)


class Pips(Amount):
    """Dots."""

    words = ngettext("%(num)s pip", "%(num)s pips")


class Raw(Amount):
    """Multiples of five pips, as they are counted."""

    words = ngettext("%(num)s raw point", "%(num)s raw points")


class Points(Amount):
    """What the score sheet shows."""

    words = ngettext("%(num)s point", "%(num)s points")


class Gain(Points):
    """Points for a placement, of which zero is no score."""

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if self else "no score"


class Change(int):
    """A change in points, shown with its sign."""

    def __format__(self, spec: str) -> str:
        del spec
        return f"{int(self):+d}" if self else "0"

    def __str__(self) -> str:
        return format(self)


class Changes(tuple[tuple[Team, Change], ...]):
    """The change of each team, in points.

    >>> str(Changes([(Team.parse("A+C"), Change(-1)), (Team.parse("B+D"), Change(0))]))
    'A+C -1, B+D 0'
    """

    __slots__ = ()

    @staticmethod
    def of(teams: Mapping[Team, int]) -> Changes:
        """The changes of a settlement, in the order of its teams."""
        return Changes((team, Change(points)) for team, points in teams.items())

    def __str__(self) -> str:
        return ", ".join(f"{team} {change}" for team, change in self)

    def __format__(self, spec: str) -> str:
        del spec
        return str(self)


class Rule(StrEnum):
    """A section of the rule book, by its anchor."""

    COUNT = "count"
    DOUBLES = "doubles"
    UNITS = "units"
    PLACES = "places"
    TURNS = "turns"
    OPENING = "opening"
    BLOCKED = "blocked"
    SETTLEMENT = "settlement"
    TARGET = "target"
    CORRECTIONS = "corrections"


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English sentence with its fields, as in `Fault`: it can be translated, and names put for seats."""

    says: StrEnum
    fields: Mapping[str, object]

    def __str__(self) -> str:
        return str(self.says.value).format(**self.fields)


def sentence(says: StrEnum, **fields: object) -> Sentence:
    """The sentence with these fields."""
    return Sentence(says, fields)


def refusal(error: RulesError) -> Sentence:
    """A fault as a line of a ruling."""
    return Sentence(error.fault, error.fields)


NOTHING: Final[tuple[Sentence, ...]] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """The four parts of an answer; `stands` says whether what was claimed or asked does (None: nothing was).

    `mistakes` are what usually leads to the claim, where the claim equals it.
    """

    ruling: Sentence
    working: tuple[Sentence, ...]
    rule: Rule
    otherwise: tuple[Sentence, ...]
    mistakes: tuple[Sentence, ...] = NOTHING
    stands: bool | None = None

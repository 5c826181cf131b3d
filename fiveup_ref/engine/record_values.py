"""What a written record is once it has been read: the record, the problems on its lines, and both together."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .events import Event
from .faults import Fault, RulesError
from .match import Match

LONGEST_NAME: Final = 40
LONGEST_LINE: Final = 500
LONGEST_TITLE: Final = LONGEST_LINE - len("title ")

_DATE: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.\d{1,6})?)?)?(?:Z|[+-](\d\d):(\d\d))?)?", re.ASCII
)
_BLANK: Final = frozenset("\u2800\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")  # a blank of braille, fillers and joiners
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def one_line(text: str) -> str:
    """The text as a line holds it: one space between words, no line ends.

    >>> one_line(" Friday\\n table ")
    'Friday table'
    """
    return " ".join(text.split())


def is_seen(text: str) -> bool:
    """Whether a text shows anything: neither spaces and joiners alone, nor signs that are letters but drawn as nothing.

    >>> is_seen("Ani"), is_seen("\N{HANGUL FILLER}\N{BRAILLE PATTERN BLANK}")
    (True, False)
    """
    return any(
        sign not in _BLANK and unicodedata.category(sign) not in _UNSEEN and not "\ufe00" <= sign <= "\ufe0f"
        for sign in text
    )


def shortened(text: str) -> str:
    """The text cut to what a sentence can quote."""
    return text if len(text) <= 60 else text[:59] + "…"


def check_date(text: str) -> None:
    """Refuse what is no ISO 8601 date, or date and time, of the calendar. Raises RulesError(DATE_FORM).

    >>> check_date("2026-11-29T20:15+07:00")
    """
    written = _DATE.fullmatch(text)
    if written is None:
        raise RulesError(Fault.DATE_FORM, text=shortened(text))
    year, month, day, hour, minute, second, zone_hour, zone_minute = (int(part or 0) for part in written.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if (
        year < 1
        or not 1 <= month <= 12
        or not 1 <= day <= _DAYS[month - 1] + (leap and month == 2)
        or max(hour, zone_hour) > 23
        or max(minute, second, zone_minute) > 59
    ):
        raise RulesError(Fault.DATE_FORM, text=shortened(text))


def check_name(name: str) -> None:
    """Refuse a player's name that a record cannot hold. Raises RulesError: NAME_MISSING, NAME_TOO_LONG.

    >>> check_name("Ani #1")
    """
    if not is_seen(name):
        raise RulesError(Fault.NAME_MISSING)
    if len(name) > LONGEST_NAME:
        raise RulesError(Fault.NAME_TOO_LONG, highest=LONGEST_NAME)


@dataclass(frozen=True)
class Record:
    """A match as it is written down, with its title and date ("": none).

    `date` is ISO 8601 text, at least `2026-11-29`. Raises RulesError where title, date or a name cannot be
    written: DATE_FORM, NAME_MISSING, NAME_TOO_LONG, TEXT_TOO_LONG.
    """

    match: Match
    title: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        if len(one_line(self.title)) > LONGEST_TITLE:
            raise RulesError(Fault.TEXT_TOO_LONG, highest=LONGEST_TITLE)
        if self.date:
            check_date(self.date)
        for name in self.match.players:
            check_name(one_line(name))


class Kind(StrEnum):
    """What is wrong with a line: a result that differs, an entry that may not be, or no entry at all."""

    DIFFERENCE = "difference"
    ILLEGAL = "illegal"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Problem:
    """A bad line, counted from 1: what is written there, what is right (None where nothing can say), and why."""

    line: int
    kind: Kind
    written: str
    right: str | None
    error: RulesError

    @property
    def message(self) -> str:
        """The English sentence; `error` has its parts for a translation."""
        return str(self.error)


@dataclass(frozen=True)
class Reading:
    """What was read: the record (None where not even the game and the players are known) and every problem.

    With problems the record is what could be followed, for a person to look at; it is not to be imported.
    """

    record: Record | None
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no line is bad and there is a record."""
        return self.record is not None and not self.problems

    @property
    def log(self) -> tuple[Event, ...]:
        """The entries the record stands for."""
        return self.record.match.log if self.record else ()

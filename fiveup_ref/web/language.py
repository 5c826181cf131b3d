"""English and Indonesian: which one a request gets, and how a sentence is said in it."""

from __future__ import annotations

import gettext as gettext_files
import io
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Final

from babel import Locale
from babel.dates import format_datetime
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import g, request, session

from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.ruling import Amount, Change, Changes, Gain
from fiveup_ref.engine.scoring import Score
from fiveup_ref.engine.seats import Team

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "id": "Bahasa Indonesia"}
_OLD_CODES: Final[Mapping[str, str]] = {"in": "id"}  # Java and old Android still send in-ID
_CATALOGUES: Final = Path(__file__).parent / "translations"
_MARK: Final = gettext_files.NullTranslations()  # changes nothing: it only marks sentences for the catalogues

WORDS: Final = frozenset(
    (
        _MARK.gettext("five-up"),
        _MARK.gettext("all-fives"),
        _MARK.gettext("muggins"),
        _MARK.gettext("players"),
        _MARK.gettext("spinners"),
        _MARK.gettext("hand"),
        _MARK.gettext("reserve"),
        _MARK.gettext("settlement"),
        _MARK.gettext("points_per_five"),
        _MARK.gettext("target"),
        _MARK.gettext("target_check"),
        _MARK.gettext("exact"),
        _MARK.gettext("stop_when_dead"),
        _MARK.gettext("get_in"),
        _MARK.gettext("double_opens"),
        _MARK.gettext("muggins_call"),
        _MARK.gettext("false_claim"),
        _MARK.gettext("best_of"),
        _MARK.gettext("spinner_counts"),
        _MARK.gettext("deduct-own"),
        _MARK.gettext("winner-takes"),
        _MARK.gettext("after-round"),
        _MARK.gettext("at-once"),
        _MARK.gettext("yes"),
        _MARK.gettext("no"),
    )
)
"""The identifiers of games, their settings and values, which every language says in words, English too."""

FORM_SENTENCES: Final = (
    _MARK.gettext("This field is required."),
    _MARK.gettext("Not a valid choice."),
    _MARK.gettext("Invalid Choice: could not coerce."),
    _MARK.gettext("Field must be between %(min)d and %(max)d characters long."),
    _MARK.ngettext(
        "Field must be at least %(min)d character long.", "Field must be at least %(min)d characters long.", 2
    ),
    _MARK.ngettext(
        "Field cannot be longer than %(max)d character.", "Field cannot be longer than %(max)d characters.", 2
    ),
)
"""What WTForms says of our forms; it has no Indonesian of its own."""


@cache
def catalogue(language: str) -> gettext_files.NullTranslations:
    """The sentences of a language; one that its file leaves out is said as it is written in the code, in English.

    The text file is compiled here, in memory, so that no compiled copy can be out of date.
    """
    compiled = io.BytesIO()
    with (_CATALOGUES / f"{language}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return gettext_files.GNUTranslations(compiled)


def preferred(header: str) -> str:
    """The language for an Accept-Language header: the first of ours by weight, whatever its region.

    >>> preferred("id-ID, en-US;q=0.7"), preferred("in-ID"), preferred("nl, en;q=0.5"), preferred("")
    ('id', 'id', 'en', 'en')
    """
    weighted: list[tuple[float, int, str]] = []
    for place, wish in enumerate(header.split(",")):
        tag, _, parameter = wish.partition(";")
        code = tag.strip().lower().split("-")[0]
        code = _OLD_CODES.get(code, code)
        try:
            weight = float(parameter.strip().removeprefix("q=")) if parameter.strip() else 1.0
        except ValueError:
            continue
        if code in LANGUAGES and 0 < weight <= 1:
            weighted.append((-weight, place, code))
    return min(weighted)[2] if weighted else "en"


def language() -> str:
    """The language of this request: what was chosen on this device, else what the browser asks for."""
    if "language" not in g:
        chosen = session.get("language")
        g.language = chosen if chosen in LANGUAGES else preferred(request.headers.get("Accept-Language", ""))
    return str(g.language)


def gettext(sentence: str) -> str:
    """The sentence in the language of this request."""
    return catalogue(language()).gettext(sentence)


def ngettext(one: str, many: str, number: int) -> str:
    """The sentence for this number in the language of this request."""
    return catalogue(language()).ngettext(one, many, number)


_SEAT_FIELDS: Final = ("seat", "turn", "opener", "other")
_WORD_FIELDS: Final = ("field", "game")


def say(error: RulesError, names: Mapping[str, str]) -> str:
    """The sentence of a fault in this language, with names in place of seats."""
    return say_sentence(error.fault, error.fields, names)


def say_sentence(sentence: str, fields: Mapping[str, object], names: Mapping[str, str]) -> str:
    """A sentence of the engine in this language, with names in place of seats and numbers with their units."""
    filled = {name: _said(name, value, names) for name, value in fields.items()}
    return gettext(str(sentence)).format(**filled)


def _said(name: str, value: object, names: Mapping[str, str]) -> object:
    if name in _SEAT_FIELDS:
        return names.get(str(value), value)
    if name in _WORD_FIELDS and value in WORDS:
        return gettext(str(value))
    if isinstance(value, Changes):
        return ", ".join(f"{_said('team', team, names)} {signed(int(change))}" for team, change in value)
    if isinstance(value, Team):
        return " + ".join(names.get(seat, seat) for seat in value)
    if isinstance(value, Amount):
        return amount(value)
    if isinstance(value, Change):
        return signed(int(value))
    if isinstance(value, Score):
        return f"{str(value).partition(':')[0]}: {amount(Gain(value.points))}"
    return value


def amount(value: Amount) -> str:
    """A number with its unit, as in `3 points`."""
    if isinstance(value, Gain) and not value:
        return gettext("no score")
    one, many = value.words
    return ngettext(one, many, int(value)) % {"num": number(int(value))}


def number(value: int) -> str:
    """A number with a real minus sign."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def signed(value: int) -> str:
    """A change: always with its sign, zero without."""
    return f"+{value}" if value > 0 else number(value)


def bytes_text(size: int) -> str:
    """A size in bytes in the unit that people read, such as `256 KiB` or `8 MiB`."""
    return f"{size // 1024**2} MiB" if size >= 1024**2 else f"{size // 1024} KiB"


def local_time(moment: datetime, zone: str) -> str:
    """Date and time at the table, in this language; `zone` is the table's offset such as `+07:00`."""
    return format_datetime(
        in_zone(moment, zone),
        "d MMMM yyyy, HH.mm" if language() == "id" else "d MMMM yyyy, h:mm a",
        locale=Locale(language()),
    )


def clock(moment: datetime, zone: str) -> str:
    """The time of day at the table, in this language."""
    written = "HH.mm" if language() == "id" else "h:mm a"
    return format_datetime(in_zone(moment, zone), written, locale=Locale(language()))


def in_zone(moment: datetime, zone: str) -> datetime:
    """The moment at an offset such as `+07:00`; UTC where none is known."""
    if not zone:
        return moment.astimezone(UTC)
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    offset = timedelta(hours=hours, minutes=minutes)
    return moment.astimezone(timezone(-offset if zone[0] == "-" else offset))

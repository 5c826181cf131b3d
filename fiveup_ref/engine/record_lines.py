"""The lines of a record, each read by itself: what it says, or the sentence that says what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from .events import (
    AGREED,
    LOT,
    OUT,
    Adjusted,
    Counted,
    Drew,
    Noted,
    Passed,
    Played,
    PointedOut,
    RoundEnded,
    RoundOpened,
    Scored,
)
from .faults import Fault, RulesError
from .numbers import whole_number
from .record_entries import FORMS, HEADER, Act, Entry, Header, LeftLine, Line, RoundLine, Totals, WinnerLine
from .record_values import LONGEST_LINE, shortened
from .rules import MOST_POINTS
from .scoring import Ends, Left
from .seats import SEATS, Seat, Team
from .tiles import Tile

__all__ = [
    "Act",
    "Entry",
    "Header",
    "LeftLine",
    "Line",
    "RoundLine",
    "Totals",
    "WinnerLine",
    "read_line",
]

_PLAY_FORM: Final = "A 5-0>5-5 = 10 +2"
_ACT_FORMS: Final[Mapping[str, str]] = {
    "ends": "A ends 6-6 5 4 = 21 +0",
    "points": "B points 2",
    "draw": "C draw 2 (or draw ?)",
    "pass": "D pass",
}
# How many words stand before free text, in which a # is part of the text.
_BEFORE_TEXT: Final[Mapping[str, int]] = {"title": 1, "note": 1, "player": 2, "adjust": 3}
_RESULTS: Final = re.compile(r"([^=+]*?) ?(?:= ?([0-9]{1,3}))? ?(?:\+ ?([0-9]{1,5}))?", re.ASCII)


def read_line(number: int, raw: str) -> Line | None:
    """What one line says; None where it is blank or a comment."""
    words = _words(raw)
    if not words:
        return None
    text = " ".join(words)
    if len(raw) > LONGEST_LINE:
        return Line(number, text, None, RulesError(Fault.LINE_TOO_LONG, highest=LONGEST_LINE))
    word, rest = words[0], tuple(words[1:])
    try:
        if word in SEATS:
            return _act(number, text, word, rest)
        if word not in _READERS:
            known = ", ".join(FORMS)
            raise RulesError(Fault.LINE_WORD, text=shortened(word), words=known)
        return Line(number, text, _READERS[word](rest))
    except RulesError as error:
        return Line(number, text, None, error)
    except ValueError:
        form = FORMS.get(word) or _ACT_FORMS.get(rest[0] if rest else "", _PLAY_FORM)
        return Line(number, text, None, RulesError(Fault.LINE_FORM, text=shortened(text), form=form))


def _words(raw: str) -> list[str]:
    first = raw.split(maxsplit=1)[:1]
    before = _BEFORE_TEXT.get(first[0], 0) if first else 0
    words = raw.split(maxsplit=before)
    if before and not any("#" in word for word in words[:before]):
        return [*words[:before], *(" ".join(text.split()) for text in words[before:])]
    return raw.partition("#")[0].split()


def _act(number: int, text: str, seat: Seat, rest: tuple[str, ...]) -> Line:
    word, *more = rest or ("",)
    if word == "pass" and not more:
        return Line(number, text, Act(Passed(seat)))
    if word == "draw" and len(more) == 1:
        return _draw(number, text, seat, more[0])
    if word == "points" and len(more) == 1:
        return Line(number, text, Act(Scored(seat, whole_number(more[0], highest=MOST_POINTS))))
    if word in ("", "pass", "draw", "points"):
        raise ValueError(text)
    return _placement(number, text, seat, " ".join(rest))


def _draw(number: int, text: str, seat: Seat, tiles: str) -> Line:
    try:
        return Line(number, text, Act(Drew(seat, None if tiles == "?" else whole_number(tiles, highest=MOST_POINTS))))
    except ValueError:
        error = RulesError(Fault.LINE_FORM, text=shortened(text), form=_ACT_FORMS["draw"])
        return Line(number, text, Act(Drew(seat, None)), error)


def _placement(number: int, text: str, seat: Seat, rest: str) -> Line:
    """A placement with its results; where one of the two cannot be read the other is kept."""
    error: RulesError | None = None
    written = _RESULTS.fullmatch(rest)
    if written is None:
        what, count, points = re.split("[=+]", rest, maxsplit=1)[0], None, None
        form = _ACT_FORMS.get(what.partition(" ")[0], _PLAY_FORM)
        error = RulesError(Fault.LINE_FORM, text=shortened(text), form=form)
    else:
        what, count, points = written[1], *(int(part) if part else None for part in written.group(2, 3))
    try:
        event = _event(seat, what.strip())
    except RulesError as unsure:
        return Line(number, text, Act(Scored(seat, points or 0), None, points), error or unsure)
    return Line(number, text, Act(event, count, points), error)


def _event(seat: Seat, what: str) -> Played | Counted:
    word, _, called = what.partition(" ")
    if word == "ends":
        return Counted(seat, Ends.parse(called))
    tile, joined, onto = what.partition(">")
    return Played(seat, Tile.parse(tile), Tile.parse(onto) if joined else None)


def _opens(words: tuple[str, ...]) -> RoundOpened:
    seat, by = words
    if seat not in SEATS or by not in (LOT, OUT, AGREED):
        raise ValueError(by)
    return RoundOpened(seat, by)


def _out(words: tuple[str, ...]) -> RoundEnded:
    (seat,) = words
    if seat not in SEATS:
        raise ValueError(seat)
    return RoundEnded(seat)


def _blocked(words: tuple[str, ...]) -> RoundEnded:
    if words:
        raise ValueError(words)
    return RoundEnded(None)


def _left(words: tuple[str, ...]) -> LeftLine:
    seat, *hand = words
    if seat not in SEATS or not hand:
        raise ValueError(seat)
    return LeftLine(seat, Left.parse(" ".join(hand)))


def _round(words: tuple[str, ...]) -> RoundLine:
    (number,) = words
    return RoundLine(whole_number(number, lowest=1, highest=MOST_POINTS))


def _totals(word: str) -> Callable[[tuple[str, ...]], Totals]:
    def read(words: tuple[str, ...]) -> Totals:
        teams = [Team.parse(team) for team in words[::2]]
        points = [whole_number(points, lowest=-MOST_POINTS, highest=MOST_POINTS) for points in words[1::2]]
        if not teams or len(set(teams)) != len(teams):
            raise ValueError(words)
        return Totals(word, dict(zip(teams, points, strict=True)))

    return read


def _winner(words: tuple[str, ...]) -> WinnerLine:
    (word,) = words
    return WinnerLine(word if word in ("open", "tie") else str(Team.parse(word)))


def _adjust(words: tuple[str, ...]) -> Adjusted:
    team, points, *reason = words
    if not reason:
        raise RulesError(Fault.REASON_MISSING)
    return Adjusted(Team.parse(team), whole_number(points, lowest=-MOST_POINTS, highest=MOST_POINTS), " ".join(reason))


def _taken(words: tuple[str, ...]) -> PointedOut:
    (seat,) = words
    if seat not in SEATS:
        raise ValueError(seat)
    return PointedOut(seat)


def _note(words: tuple[str, ...]) -> Noted:
    if not words:
        raise ValueError(words)
    return Noted(" ".join(words))


def _header(word: str) -> Callable[[tuple[str, ...]], Header]:
    def read(words: tuple[str, ...]) -> Header:
        if not words:
            raise ValueError(word)
        return Header(word, words)

    return read


_READERS: Final[Mapping[str, Callable[[tuple[str, ...]], Entry]]] = {
    **{word: _header(word) for word in HEADER},
    "round": _round,
    "opens": _opens,
    "out": _out,
    "blocked": _blocked,
    "left": _left,
    "settle": _totals("settle"),
    "score": _totals("score"),
    "note": _note,
    "adjust": _adjust,
    "taken": _taken,
    "winner": _winner,
}

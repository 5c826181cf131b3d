"""The problems found on the lines of a record, each reported once, at its line."""

from __future__ import annotations

from typing import Final

from .faults import Fault, RulesError
from .record_entries import Line
from .record_values import Kind, Problem

_ABOUT_THE_TEXT: Final = ("FILE_", "LINE_", "NAME_", "DATE_", "RULES_", "PLAYERS_")
UNREADABLE: Final = frozenset(
    {
        Fault.NOT_A_TILE,
        Fault.ENDS_NONE,
        Fault.ENDS_PIP,
        Fault.ENDS_NOT_DOUBLE,
        Fault.LEFT_NUMBER,
        Fault.FIELD_BOUNDS,
        Fault.FIELD_VALUE,
        Fault.NO_SUCH_FIELD,
        Fault.NO_SUCH_GAME,
        Fault.PLAYERS,
        Fault.FOUR_ARE_PARTNERS,
        Fault.PARTNERS_NEED_FOUR,
        Fault.PARTNERS_OPPOSITE,
        Fault.TOO_MANY_DEALT,
        Fault.NOT_A_TEAM,
        Fault.REASON_MISSING,
        Fault.TEXT_TOO_LONG,
        Fault.NUMBER_BOUNDS,
        *(
            fault
            for fault in Fault
            if fault.name.startswith(("FILE_", "LINE_", "NAME_", "DATE_", "RULES_", "PLAYERS_"))
        ),
        Fault.ROUND_MISSING,
    }
)
"""Faults of the writing; every other one is of an entry that can be read and may not be."""


# The kinds of fault a line can be refused for, by what is doubtful from there on.
LAYOUT_FAULTS: Final = frozenset(
    {
        Fault.TILE_PLAYED,
        Fault.SET_LIES,
        Fault.NOTHING_LIES,
        Fault.ONTO_NOT_PLAYED,
        Fault.NO_FIT,
        Fault.END_COVERED,
        Fault.SPINNER_FULL,
        Fault.DOUBLE_FULL,
        Fault.LAYOUT_UNKNOWN,
    }
)
HANDS_FAULTS: Final = frozenset(
    {Fault.MUST_DRAW, Fault.STILL_HOLDS, Fault.NOT_BLOCKED, Fault.CAN_PLAY, Fault.OUT_BY_PLAYING}
)
DRAW_FAULTS: Final = frozenset({Fault.DREW_NONE, Fault.BONEYARD_EMPTY, Fault.BONEYARD_TOO_SMALL})
CLAIM_FAULTS: Final = frozenset(
    {
        Fault.ENDS_TOO_MANY,
        Fault.ENDS_DOUBLES,
        Fault.ENDS_PIP_TOO_OFTEN,
        Fault.ENDS_PIPS_TOO_OFTEN,
        Fault.COUNT_TOO_HIGH,
        Fault.POINTS_UNIT,
    }
)
OPENER_FAULTS: Final = frozenset({Fault.NO_ONE_WENT_OUT, Fault.OUT_OPENS})


class Problems:
    """The problems found so far, one a line at most."""

    def __init__(self) -> None:
        self._found: dict[int, Problem] = {}

    def add(self, line: Line, error: RulesError, kind: Kind | None = None) -> None:
        """A line that cannot stand. The first problem of a line is the one that is kept."""
        if kind is None:
            kind = Kind.UNREADABLE if error.fault in UNREADABLE else Kind.ILLEGAL
        self._found.setdefault(line.number, Problem(line.number, kind, line.text, None, error))

    def differ(self, line: Line, written: str, right: str, score: object = None) -> None:
        """A result that is written otherwise than it is; `score` is the sum that shows it."""
        if score is None:
            error = RulesError(Fault.DIFFERENT, written=written, right=right)
        else:
            error = RulesError(Fault.DIFFERENT_SCORE, written=written, right=right, score=score)
        self._found.setdefault(line.number, Problem(line.number, Kind.DIFFERENCE, written, right, error))

    def at(self, line: Line) -> bool:
        """Whether this line has a problem already."""
        return line.number in self._found

    def in_order(self) -> tuple[Problem, ...]:
        """All of them by line."""
        return tuple(self._found[number] for number in sorted(self._found))

"""Seats round the table and who scores together."""

from __future__ import annotations

from typing import Final

from .faults import Fault, RulesError

Seat = str
"""One of `SEATS`: a place at the table, clockwise from A."""

SEATS: Final[tuple[Seat, ...]] = ("A", "B", "C", "D", "E")


class Team(tuple[Seat, ...]):
    """The seats that share one score: a player, or partners; written `A+C`.

    >>> str(Team.parse("A+C")), Team.parse("B") == Team(("B",))
    ('A+C', True)
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Team:
        """The team written as its seats joined by `+`. Raises RulesError(NOT_A_TEAM)."""
        seats = text.split("+")
        if any(seat not in SEATS for seat in seats) or len(set(seats)) != len(seats):
            raise RulesError(Fault.NOT_A_TEAM, text=text)
        return cls(sorted(seats))

    def __str__(self) -> str:
        return "+".join(self)

    def __repr__(self) -> str:
        return f"Team.parse('{self}')"

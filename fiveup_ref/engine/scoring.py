"""Scores with their reasons, rounding, and the settlements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Final, NamedTuple

from .faults import Fault, RulesError
from .layout import NAMED, EndKind, Layout, OpenEnd
from .numbers import whole_number
from .rules import Rules, Settling
from .seats import Seat, Team
from .tiles import DOUBLE_SIX, PIPS, SET_PIPS, Tile


class Ends:
    """The counting ends as they lie: numbers, and doubles as tiles that count both halves.

    >>> str(Ends.parse("6-6 5 4")), Ends.parse("6-6 5 4").count()
    ('6-6 5 4', 21)
    """

    __slots__ = ("_ends",)
    _ends: tuple[OpenEnd, ...]

    def __init__(self, ends: Iterable[OpenEnd]) -> None:
        object.__setattr__(self, "_ends", tuple(ends))

    @staticmethod
    def parse(text: str) -> Ends:
        """The ends written as words: `6-6` for a double, `5` for an ordinary end.

        An ordinary end names no tile, so its `OpenEnd.tile` is the double of its number, of which it
        is only a half. Raises RulesError: ENDS_NONE, ENDS_NOT_DOUBLE, ENDS_DOUBLE_TWICE, ENDS_PIP.
        """
        ends: list[OpenEnd] = []
        for word in text.split():
            if len(word) == 1:
                if word not in "0123456":
                    raise RulesError(Fault.ENDS_PIP, text=word)
                pip = int(word)
                ends.append(OpenEnd(Tile.of(pip, pip), pip, pip, EndKind.HALF, 1))
                continue
            try:
                tile = Tile.parse(word)
            except RulesError:
                raise RulesError(Fault.ENDS_PIP, text=word) from None
            if not tile.is_double:
                raise RulesError(Fault.ENDS_NOT_DOUBLE, tile=tile)
            end = OpenEnd(tile, tile.heavy, tile.pips, EndKind.DOUBLE, 1)
            if end in ends:
                raise RulesError(Fault.ENDS_DOUBLE_TWICE, tile=tile)
            ends.append(end)
        if not ends:
            raise RulesError(Fault.ENDS_NONE)
        return Ends(ends)

    def count(self) -> int:
        """The sum of the worths, in pips."""
        return sum(end.worth for end in self._ends)

    def open_ends(self) -> tuple[OpenEnd, ...]:
        """The ends in the order they were named."""
        return self._ends

    def check(self, rules: Rules) -> None:
        """Refuse what no layout of this game can show.

        Raises RulesError: ENDS_TOO_MANY (a line has two ends, a spinner adds two), ENDS_DOUBLES (a double
        that counts has no branch yet, so only the other doubles add ends), ENDS_PIP_TOO_OFTEN (six tiles but
        the double have a number), ENDS_PIPS_TOO_OFTEN (a tile is one end at most, once others lie),
        COUNT_TOO_HIGH. Source: rules 8.

        >>> from .rules import PRESETS
        >>> Ends.parse("6-6 5-5 4-4 3-3 2-2 1-1").check(PRESETS["five-up"].rules(2))
        Traceback (most recent call last):
        fiveup_ref.engine.faults.RulesError: Doubles that count here: 6. Only the others can have branches, so there \
cannot be more than 4 counting ends.
        """
        if len(self._ends) > 2 + 2 * rules.spinners:
            raise RulesError(Fault.ENDS_TOO_MANY, highest=2 + 2 * rules.spinners)
        doubles = sum(end.kind is EndKind.DOUBLE for end in self._ends)
        highest = 2 + 2 * (len(PIPS) - doubles)  # one spinner that goes on counting has too few ends for this bound
        if len(self._ends) > highest:
            raise RulesError(Fault.ENDS_DOUBLES, doubles=doubles, highest=highest)
        halves = [end.pip for end in self._ends if end.kind is EndKind.HALF]
        for pip in halves:
            if halves.count(pip) > 6:
                raise RulesError(Fault.ENDS_PIP_TOO_OFTEN, pip=pip)
        for pips in (*combinations(PIPS, 2), *combinations(PIPS, 3)) if len(halves) > 11 else ():
            tiles = sum(not tile.is_double and (tile.heavy in pips or tile.light in pips) for tile in DOUBLE_SIX)
            if sum(pip in pips for pip in halves) > tiles:
                raise RulesError(Fault.ENDS_PIPS_TOO_OFTEN, tiles=tiles, pips=" ".join(map(str, pips)))
        if self.count() > rules.highest_count:
            raise RulesError(Fault.COUNT_TOO_HIGH, count=self.count(), highest=rules.highest_count)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ends do not change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"ends do not change: {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ends) and self._ends == other._ends

    def __hash__(self) -> int:
        return hash(self._ends)

    def __str__(self) -> str:
        return " ".join(
            str(end.tile) if end.kind in NAMED and end.worth == end.tile.pips else str(end.pip) for end in self._ends
        )

    def __repr__(self) -> str:
        return f"Ends.parse('{self}')"


class Score(NamedTuple):
    """What a layout, or the ends as called, counts: `count` in pips, `raw` 0 unless it scores, `points`.

    `of` is what was counted; `terms` are the worths that make the sum.
    """

    count: int  # type: ignore[assignment]  # the word of the rules, though tuples have a method of that name
    raw: int
    points: int
    of: Layout | Ends

    @property
    def terms(self) -> tuple[OpenEnd, ...]:
        """The counting ends; their worths sum to `count`."""
        return tuple(end for end in self.of.open_ends() if end.kind is not EndKind.TIP)

    @property
    def silent(self) -> tuple[Tile, ...]:
        """The doubles on the table that count nothing, since both their sides are covered (of a spinner that goes on
        counting all its edges).
        """
        if isinstance(self.of, Ends):
            return ()
        layout = self.of
        counting = {end.tile for end in self.terms}
        return tuple(tile for tile, _ in layout.plays if tile.is_double and tile not in counting)

    def __str__(self) -> str:
        """The sum written out, as in `6-6 12 + 3 = 15: 3 points`."""
        terms = " + ".join(f"{end.tile} {end.worth}" if end.kind in NAMED else str(end.worth) for end in self.terms)
        worth = "no score" if not self.raw else f"{self.points} point{'' if self.points == 1 else 's'}"
        return f"{terms or 0} = {self.count}: {worth}"


_new_score: Final = tuple.__new__


def score_of(counted: Layout | Ends, rules: Rules) -> Score:
    """The score of a layout after a placement: only a positive multiple of five scores (rules 2).

    >>> from .rules import PRESETS
    >>> str(score_of(Layout.read("6-6 6-3>6-6", spinners=7), PRESETS["five-up"].rules(2)))
    '6-6 12 + 3 = 15: 3 points'
    """
    count = counted.count()
    if count % 5:
        return _new_score(Score, (count, 0, 0, counted))
    return _new_score(Score, (count, count, count // 5 * rules.points_per_five, counted))


def rounded(pips: int) -> int:
    """Pips rounded to the nearest five: a remainder of 1 or 2 down, 3 or 4 up (rules 3).

    >>> [rounded(pips) for pips in (2, 3, 7, 8, 12, 13)]
    [0, 5, 5, 10, 10, 15]
    """
    return (pips + 2) // 5 * 5


def advance(score: int, gain: int, rules: Rules) -> int:
    """The part of a gain that is scored, in points: with an exact target a gain that overshoots is none.

    >>> from .rules import PRESETS
    >>> advance(59, 3, PRESETS["five-up"].rules(2).changed({"exact": "yes"}))
    0
    """
    return 0 if rules.exact and gain > 0 and score + gain > rules.target else gain


@dataclass(frozen=True, slots=True)
class Left:
    """What a hand still held: its pips, and its tiles where they were shown (else None).

    >>> str(Left.parse("2-1 3-0")), Left.parse("6 pips").pips
    ('3-0 2-1', 6)
    """

    pips: int
    tiles: tuple[Tile, ...] | None = None

    @staticmethod
    def of(tiles: Iterable[Tile]) -> Left:
        """Shown tiles, kept heaviest first half first."""
        shown = tuple(sorted(tiles, reverse=True))
        return Left(sum(tile.pips for tile in shown), shown)

    @staticmethod
    def parse(text: str) -> Left:
        """Leftovers written as tiles, or as `6 pips`. Raises RulesError: LEFT_NUMBER, NOT_A_TILE, NO_SUCH_TILE."""
        words = text.split()
        if len(words) == 2 and words[1] == "pips":
            return Left.typed(words[0])
        return Left.of(Tile.parse(word) for word in words)

    @staticmethod
    def typed(pips: str) -> Left:
        """Leftovers of which only the pips are known, as a number is written. Raises RulesError: LEFT_NUMBER."""
        try:
            return Left(whole_number(pips, highest=SET_PIPS))
        except ValueError:
            raise RulesError(Fault.LEFT_NUMBER) from None

    def __str__(self) -> str:
        return f"{self.pips} pips" if self.tiles is None else " ".join(map(str, self.tiles))


class HandSettled(NamedTuple):
    """What one hand came to: pips, pips rounded to fives, and the change in points."""

    pips: int
    rounded: int
    points: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """The end of a round: each hand by seat and the change of each team, in points.

    `raw` is what the winner takes before it is divided by five (0 with deductions); `shared` is
    True where lowest hands shared it, which the source does not settle (rules 6). `takers` are the
    teams that take what the others have left (none with deductions).
    """

    hands: Mapping[Seat, HandSettled]
    teams: Mapping[Team, int]
    raw: int = 0
    shared: bool = False
    takers: tuple[Team, ...] = ()


def settle(left: Mapping[Seat, Left], *, rules: Rules, out: Seat | None) -> Settlement:
    """What the leftovers cost or bring; `out` went out, None: blocked. All at once (rules 3 and 4).

    A seat without an entry in `left` has nothing left. Partners are rounded apart where hands are deducted.

    >>> from .rules import PRESETS
    >>> left = {"B": Left.parse("3 pips"), "C": Left.parse("2 pips"), "D": Left.parse("3 pips")}
    >>> settled = settle(left, rules=PRESETS["five-up"].rules(4), out="A")
    >>> {str(team): points for team, points in settled.teams.items()}
    {'A+C': 0, 'B+D': -2}
    """
    return _SETTLEMENTS[rules.settlement](left, rules, out)


def _deduct_own(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> Settlement:
    hands = {
        seat: HandSettled(hand.pips, rounded(hand.pips), -rules.points(rounded(hand.pips)))
        for seat, hand in left.items()
        if seat != out
    }
    teams = {team: sum(hands[seat].points for seat in team if seat in hands) for team in rules.teams}
    return Settlement(MappingProxyType(hands), MappingProxyType(teams))


def _winner_takes(left: Mapping[Seat, Left], rules: Rules, out: Seat | None) -> Settlement:
    hands = {seat: HandSettled(hand.pips, rounded(hand.pips), 0) for seat, hand in left.items() if seat != out}
    held = {team: sum(hands[seat].pips for seat in team if seat in hands) for team in rules.teams}
    if out is not None:
        winners = [rules.teams[rules.team_of[out]]]
    else:
        winners = [team for team, pips in held.items() if pips == min(held.values())]
    raw = rounded(sum(pips for team, pips in held.items() if team not in winners))
    each = raw // len(winners) // 5 * 5  # cut down to a multiple of five (rules 6)
    teams = {team: rules.points(each) if team in winners else 0 for team in rules.teams}
    shared = len(winners) > 1 and raw > 0
    return Settlement(MappingProxyType(hands), MappingProxyType(teams), raw, shared, tuple(winners))


_SETTLEMENTS: Final[Mapping[Settling, Callable[[Mapping[Seat, Left], Rules, Seat | None], Settlement]]] = {
    Settling.DEDUCT_OWN: _deduct_own,
    Settling.WINNER_TAKES: _winner_takes,
}

"""The games as data: one frozen record describes a match's game, presets are rows (rules 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from .faults import Fault, RulesError, _
from .numbers import whole_number
from .seats import SEATS, Seat, Team
from .tiles import DOUBLE_SIX

MOST_POINTS: Final = 10_000
"""Beyond any match; figures from outside are bounded by it before use."""


class Settling(StrEnum):
    """What leftovers do at the end of a round (rules 3 and 4)."""

    DEDUCT_OWN = "deduct-own"
    WINNER_TAKES = "winner-takes"


class TargetCheck(StrEnum):
    """When the target is looked at."""

    AFTER_ROUND = "after-round"
    AT_ONCE = "at-once"


type_of_value = int | bool | Settling | TargetCheck


@dataclass(frozen=True)
class Rules:
    """The game of one match, every figure settled for its number of players.

    `players` 2 to 5; `hand` tiles dealt to each; `reserve` 0 to 2 boneyard tiles never drawn;
    `spinners` 0 to 7 doubles, in order of play, that take four tiles; `points_per_five` 1 to 10
    points on the sheet for five raw; `target` in points. Raises RulesError where the fields
    contradict each other or the set of 28. Source: rules 5.

    The last fields are beyond the sources and off unless a table wants them: `get_in`, the raw points that a
    team's first score in play must have; `double_opens`, where a lot would decide whoever holds the highest double
    opens with it; `muggins_call`, an opponent who points out a missed score takes it; `false_claim`, the points that a
    refuted claim costs once the table enters one; `best_of`, 1, 3 or 5 matches of a series; `spinner_counts`, the open
    edges of the one spinner go on counting (Sniff).
    """

    preset: str
    players: int
    spinners: int
    hand: int
    reserve: int
    settlement: Settling
    points_per_five: int
    target: int
    target_check: TargetCheck
    exact: bool
    partners: bool
    stop_when_dead: bool
    get_in: int = 0
    double_opens: bool = False
    muggins_call: bool = False
    false_claim: int = 0
    best_of: int = 1
    spinner_counts: bool = False

    def __post_init__(self) -> None:
        for field, lowest, highest in (
            ("players", 2, 5),
            ("spinners", 0, 7),
            ("hand", 1, 14),
            ("reserve", 0, 2),
            ("points_per_five", 1, 10),
            ("target", 1, MOST_POINTS),
            ("get_in", 0, 35),
            ("false_claim", 0, 100),
            ("best_of", 1, 5),
        ):
            if not lowest <= getattr(self, field) <= highest:
                raise RulesError(Fault.FIELD_BOUNDS, field=field, lowest=lowest, highest=highest)
        if self.players * self.hand + self.reserve > len(DOUBLE_SIX):
            raise RulesError(Fault.TOO_MANY_DEALT, players=self.players, hand=self.hand, reserve=self.reserve)
        if self.partners and self.players != 4:
            raise RulesError(Fault.PARTNERS_NEED_FOUR)
        if self.spinner_counts and self.spinners != 1:
            raise RulesError(Fault.ONE_SPINNER, field="spinner_counts")

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in clockwise order."""
        return SEATS[: self.players]

    @cached_property
    def teams(self) -> tuple[Team, ...]:
        """Who scores together, in seat order: partners sit opposite each other."""
        if self.partners:
            return (Team(("A", "C")), Team(("B", "D")))
        return tuple(Team((seat,)) for seat in self.seats)

    @cached_property
    def team_of(self) -> Mapping[Seat, int]:
        """For each seat the index of its team in `teams`."""
        return MappingProxyType({seat: index for index, team in enumerate(self.teams) for seat in team})

    def after(self, seat: Seat) -> Seat:
        """The seat that follows clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % self.players]

    @property
    def boneyard(self) -> int:
        """Tiles nobody was dealt."""
        return len(DOUBLE_SIX) - self.players * self.hand

    @property
    def highest_count(self) -> int:
        """No layout of this game counts more, in pips (rules 8); proved for 0, 1 and 7 spinners.

        One spinner that goes on counting brings no more: two ends beside both its halves make 30 at most, three beside
        one half 33, and with four ends it counts nothing.
        """
        return {0: 22, 1: 36}.get(self.spinners, 75)

    def points(self, raw: int) -> int:
        """Points on the sheet for `raw` points, a multiple of five."""
        return raw // 5 * self.points_per_five

    def changes(self) -> dict[str, str]:
        """The fields that differ from the preset, as they are written, in the order of rules 5."""
        usual = PRESETS[self.preset].rules(self.players)
        return {
            name: write(getattr(self, name))
            for name, (_, write) in FIELDS.items()
            if getattr(self, name) != getattr(usual, name)
        }

    def row(self) -> dict[str, Any]:
        """Every field, as plain values; of those that came later only the ones that are on, so that old rows stay."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default or field.default is MISSING
        }

    def changed(self, written: Mapping[str, str]) -> Rules:
        """These rules with some fields as written, such as `{"target": "100"}`.

        Raises RulesError: NO_SUCH_FIELD, FIELD_VALUE, or what the fields together contradict.
        """
        values: dict[str, type_of_value] = {}
        for name, text in written.items():
            if name not in FIELDS:
                raise RulesError(Fault.NO_SUCH_FIELD, field=name, fields=", ".join(FIELDS))
            read, _ = FIELDS[name]
            try:
                values[name] = read(text)
            except ValueError:
                raise RulesError(Fault.FIELD_VALUE, field=name, text=_short(text)) from None
        return replace(self, **values)  # type: ignore[arg-type]


def _short(text: str) -> str:
    """What was written, as far as a sentence has room for it."""
    return text if len(text) <= 40 else f"{text[:40]}…"


def _number(text: str) -> int:
    return whole_number(text, highest=999_999)


def _odd(text: str) -> int:
    number = _number(text)
    if number % 2 == 0:
        raise ValueError(text)
    return number


def _yes_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(text)
    return text == "yes"


def _write_yes_no(value: object) -> str:
    return "yes" if value else "no"


FIELDS: Final[Mapping[str, tuple[Callable[[str], type_of_value], Callable[[object], str]]]] = {
    "spinners": (_number, str),
    "hand": (_number, str),
    "reserve": (_number, str),
    "settlement": (Settling, str),
    "points_per_five": (_number, str),
    "target": (_number, str),
    "target_check": (TargetCheck, str),
    "exact": (_yes_no, _write_yes_no),
    "stop_when_dead": (_yes_no, _write_yes_no),
    "get_in": (_number, str),
    "double_opens": (_yes_no, _write_yes_no),
    "muggins_call": (_yes_no, _write_yes_no),
    "false_claim": (_number, str),
    "best_of": (_odd, str),
    "spinner_counts": (_yes_no, _write_yes_no),
}
"""The fields a record may `set`: how each is read and written."""


@dataclass(frozen=True)
class Preset:
    """A row of the table of games; `hands` and `targets` by number of players.

    `pairs` says whether four play as partners: always (True), or unless they say no (None).
    """

    name: str
    spinners: int
    hands: Mapping[int, int]
    settlement: Settling
    points_per_five: int
    targets: Mapping[int, int]
    target_check: TargetCheck
    single_four: bool

    def rules(self, players: int, *, partners: bool | None = None) -> Rules:
        """The usual rules for this many players; `partners` None leaves it to the game.

        Raises RulesError: PLAYERS, FOUR_ARE_PARTNERS, PARTNERS_NEED_FOUR.

        >>> PRESETS["all-fives"].rules(2).target
        250
        """
        if players not in self.hands:
            raise RulesError(Fault.PLAYERS, game=self.name, lowest=min(self.hands), highest=max(self.hands))
        if players == 4 and partners is False and not self.single_four:
            raise RulesError(Fault.FOUR_ARE_PARTNERS, game=self.name)
        return Rules(
            preset=self.name,
            players=players,
            spinners=self.spinners,
            hand=self.hands[players],
            reserve=0,
            settlement=self.settlement,
            points_per_five=self.points_per_five,
            target=self.targets[players],
            target_check=self.target_check,
            exact=False,
            partners=players == 4 if partners is None else partners,
            stop_when_dead=False,
        )


PRESETS: Final[Mapping[str, Preset]] = {
    row.name: row
    for row in (
        Preset(
            name="five-up",
            spinners=7,
            hands={2: 5, 3: 5, 4: 5},
            settlement=Settling.DEDUCT_OWN,
            points_per_five=1,
            targets={2: 61, 3: 61, 4: 61},
            target_check=TargetCheck.AFTER_ROUND,
            single_four=False,
        ),
        Preset(
            name="all-fives",
            spinners=1,
            hands={2: 9, 3: 7, 4: 5, 5: 5},
            settlement=Settling.WINNER_TAKES,
            points_per_five=5,
            targets={2: 250, 3: 200, 4: 200, 5: 200},
            target_check=TargetCheck.AT_ONCE,
            single_four=True,
        ),
        Preset(
            name="muggins",
            spinners=0,
            hands={2: 9, 3: 7, 4: 5, 5: 5},
            settlement=Settling.WINNER_TAKES,
            points_per_five=5,
            targets={2: 250, 3: 200, 4: 200, 5: 200},
            target_check=TargetCheck.AT_ONCE,
            single_four=True,
        ),
    )
}


class Advice(StrEnum):
    """What speaks against rules that are allowed; the fields in braces are filled in as those of a fault."""

    PEGS_GO_BACK = _(
        "A cribbage board cannot show deductions: its pegs only go forward. Let the winner take what is left, or keep "
        "the score on paper."
    )
    OTHER_UNIT = _("The target of {target} is the usual one for another unit. In this one it takes {raw} raw points.")


def advice(rules: Rules) -> list[tuple[Advice, Mapping[str, object]]]:
    """What speaks against these rules, each with the fields of its sentence. Source: rules 4 and 7.

    >>> [str(one) for one, _ in advice(PRESETS["all-fives"].rules(2).changed({"points_per_five": "1"}))]
    ['The target of {target} is the usual one for another unit. In this one it takes {raw} raw points.']
    """
    changes = rules.changes()
    said: list[tuple[Advice, Mapping[str, object]]] = []
    if rules.settlement is Settling.DEDUCT_OWN and "settlement" in changes and rules.points_per_five == 1:
        said.append((Advice.PEGS_GO_BACK, {}))
    if "points_per_five" in changes and "target" not in changes:
        raw = -(-rules.target // rules.points_per_five) * 5
        said.append((Advice.OTHER_UNIT, {"target": rules.target, "raw": raw}))
    return said

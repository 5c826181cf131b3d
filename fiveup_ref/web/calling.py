"""Keeping a round by counts or points as they are called, for tables that do not enter tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from fiveup_ref.engine.events import Counted, Scored
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.layout import EndKind
from fiveup_ref.engine.match import Known, Match, Round
from fiveup_ref.engine.scoring import Ends, score_of
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import PIPS, Tile

from .language import say
from .words import Reason, reason_of, team_name

TILES: Final = "tiles"
COUNTS: Final = "counts"
POINTS: Final = "points"
LONGEST_ENDS: Final = 100
"""Characters of counting ends as typed or tapped."""


class Chip(NamedTuple):
    """An end that can be put in or taken out, and the ends as they are after that."""

    text: str
    after: str


@dataclass(frozen=True)
class Calling:
    """How the open round is kept: its form, who is asked for, and what the form offers.

    `ends` are the counting ends so far, each with what is left without it; `more` what can be added;
    `amounts` the points that can be called, in points; `unchanged` says that the ends are those of before, which no
    placement leaves as they were.
    """

    form: str
    seat: Seat
    text: str
    unchanged: bool
    ends: list[Chip]
    numbers: list[Chip]
    doubles: list[Chip]
    reason: Reason | None
    error: str
    amounts: list[int]
    sides: list[tuple[Seat, str]]


def calling(match: Match, names: Mapping[Seat, str], wish: Mapping[str, str]) -> Calling | None:
    """The form for the open round; `wish` are `form`, `seat` and `ends` from the address. None: none is played on."""
    round_ = match.round
    if round_ is None or round_.ended or match.mending or match.over:
        return None
    seat = wish.get("seat", "")
    seat = seat if seat in match.rules.seats and Known.TURN not in round_.known else round_.turn
    now = _ends_now(round_)
    text = " ".join(wish.get("ends", "")[:LONGEST_ENDS].split()) if "ends" in wish else now
    words = text.split()
    reason, error = _sum(match, text, names)
    rules = match.rules
    return Calling(
        form=_form(round_, wish.get("form", "")),
        seat=seat,
        text=text,
        unchanged=bool(text) and text == now,
        ends=[Chip(word, " ".join(words[:place] + words[place + 1 :])) for place, word in enumerate(words)],
        numbers=[Chip(str(pip), " ".join([*words, str(pip)])) for pip in PIPS],
        doubles=[
            Chip(double, " ".join([*words, double]))
            for double in (str(Tile.of(pip, pip)) for pip in PIPS)
            if double not in words
        ],
        reason=reason,
        error=error,
        amounts=list(range(rules.points_per_five, rules.points(rules.highest_count) + 1, rules.points_per_five)),
        sides=[(seat if seat in team else team[0], team_name(team, names)) for team in rules.teams],
    )


def _form(round_: Round, wanted: str) -> str:
    """Tiles while the layout is known and nothing else is wanted, then what was used last."""
    usual = TILES if Known.LAYOUT in round_.known else POINTS if kept_by_points(round_) else COUNTS
    return wanted if wanted in (COUNTS, POINTS) else usual


def kept_by_points(round_: Round) -> bool:
    """Whether points alone are called now, which say nothing about turns."""
    last = next((m.event for m in reversed(round_.moves) if isinstance(m.event, Counted | Scored)), None)
    return isinstance(last, Scored)


def _ends_now(round_: Round) -> str:
    """The ends of the last count, or of the layout while it is known: one only changes what changed."""
    if Known.LAYOUT in round_.known:
        return str(Ends(end for end in round_.layout.open_ends() if end.kind is not EndKind.TIP))
    return next((str(move.event.ends) for move in reversed(round_.moves) if isinstance(move.event, Counted)), "")


def _sum(match: Match, text: str, names: Mapping[Seat, str]) -> tuple[Reason | None, str]:
    if not text:
        return None, ""
    try:
        ends = Ends.parse(text)
        ends.check(match.rules)
    except RulesError as error:
        return None, say(error, names)
    return reason_of(score_of(ends, match.rules)), ""

"""The command `settle`: leftovers named on the command line, settled by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .engine.course import apply, doubt
from .engine.events import LOT, RoundOpened
from .engine.faults import Fault, RulesError
from .engine.leftovers import check_left
from .engine.match import Known, Match
from .engine.rules import Preset, Rules, Settling
from .engine.scoring import Left, Settlement, settle
from .engine.seats import SEATS, Seat, Team


class Settled(NamedTuple):
    """What was settled: `seats` are the named ones, each with its place in `rules`."""

    rules: Rules
    seats: Mapping[Seat, Seat]
    left: Mapping[Seat, Left]
    out: Seat | None
    settlement: Settlement

    def team(self, team: Team) -> Team:
        """A team of the rules, with the seats as they were named."""
        named = {place: seat for seat, place in self.seats.items()}
        return Team(named.get(place, place) for place in team)

    @property
    def teams(self) -> list[Team]:
        """The teams of the rules that have a named seat."""
        return [team for team in self.rules.teams if set(team) & set(self.seats.values())]


def settled(words: Sequence[str], partners: str | None, preset: Preset, changes: Mapping[str, str]) -> Settled:
    """The settlement of hands such as `A=3-0,2-1`, `B=6` (pips) and `C=-` (went out).

    Raises RulesError where these leftovers cannot be, and any other ValueError where they cannot be read.

    >>> from .engine.rules import PRESETS
    >>> settled_lines(settled(["A=3-0,2-1", "B=6", "C=-"], "A+C,B+D", PRESETS["five-up"], {}))[-2:]
    ['A+C: -1 (partners are rounded apart)', 'B+D: -1 (partners are rounded apart)']
    """
    hands = _hands(words)
    pairs = _pairs(partners)
    fixed = pairs or (pairs is None and len(hands) == 4)
    places = dict(zip(SEATS, SEATS, strict=True)) if fixed else dict(zip(hands, SEATS, strict=False))
    if fixed and "E" in hands:
        raise RulesError(Fault.PARTNERS_NEED_FOUR)
    rules = preset.rules(4 if fixed else max(2, len(hands)), partners=pairs).changed(changes)
    gone = [seat for seat, hand in hands.items() if hand is None]
    if len(gone) > 1:
        raise ValueError(f"Only one player can have gone out, not {' and '.join(gone)}.")
    out = places[gone[0]] if gone else None
    left = {places[seat]: hand for seat, hand in hands.items() if hand is not None}
    # A round of which nothing is known but who went out: so the leftovers are checked as in any other.
    match = apply(Match.new(rules, rules.seats), RoundOpened("A", LOT))
    named = tuple(places[seat] for seat in hands)
    check_left(left, doubt(match, Known.ALL).rounds[-1], tuple(seat for seat in named if seat != out))
    result = Settled(rules, {seat: places[seat] for seat in hands}, left, out, settle(left, rules=rules, out=out))
    if rules.settlement is Settling.WINNER_TAKES and len(result.teams) < len(rules.teams):
        raise ValueError("The winner takes what the others have left: name a hand of every side.")
    return result


def settled_lines(result: Settled) -> list[str]:
    """The settlement as text: every hand, then every team."""
    rules = result.rules
    apart = rules.settlement is Settling.DEDUCT_OWN
    lines = []
    for seat, place in result.seats.items():
        if place == result.out:
            lines.append(f"{seat}: went out")
            continue
        hand = result.settlement.hands[place]
        shown = "" if result.left[place].tiles is None else f"{result.left[place]} = "
        pips = f"{shown}{hand.pips} pip{'' if hand.pips == 1 else 's'}"
        lines.append(f"{seat}: {pips}, rounded {hand.rounded}: {_signed(hand.points)}" if apart else f"{seat}: {pips}")
    for team in result.teams:
        points = result.settlement.teams[team]
        why = " (partners are rounded apart)" if apart and len(team) > 1 else ""
        if not apart and points:
            why = f" (takes {result.settlement.raw} raw points{', shared' if result.settlement.shared else ''})"
        lines.append(f"{result.team(team)}: {_signed(points)}{why}")
    return lines


def settled_json(result: Settled) -> dict[str, Any]:
    """The settlement as plain values; who went out has nothing left."""
    hands = {}
    for seat, place in result.seats.items():
        hand = result.settlement.hands.get(place)
        pips, rounded, points = hand or (0, 0, 0)
        hands[seat] = {"pips": pips, "rounded": rounded, "points": points}
    return {"hands": hands, "teams": {str(result.team(team)): result.settlement.teams[team] for team in result.teams}}


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _hands(words: Sequence[str]) -> dict[Seat, Left | None]:
    """The hands in seat order; None: went out."""
    hands: dict[Seat, Left | None] = {}
    for word in words:
        seat, equals, text = word.partition("=")
        if seat not in SEATS or not equals or not text:
            raise ValueError(f"{word} is not a hand. Expected SEAT=LEFT, such as A=3-0,2-1 or B=6 or C=-.")
        if seat in hands:
            raise ValueError(f"The hand of {seat} is named twice.")
        if text == "-":
            hands[seat] = None
        else:
            hands[seat] = Left.parse(f"{text} pips" if text.isdigit() else text.replace(",", " "))
    return {seat: hands[seat] for seat in SEATS if seat in hands}


def _pairs(partners: str | None) -> bool | None:
    if partners is None:
        return None
    if partners == "none":
        return False
    if {Team.parse(team) for team in partners.split(",")} != {Team(("A", "C")), Team(("B", "D"))}:
        raise RulesError(Fault.PARTNERS_OPPOSITE)
    return True

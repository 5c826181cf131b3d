"""Matches that play themselves from a seed, by the rules, through the engine."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import (
    LOT,
    OUT,
    Adjusted,
    Counted,
    Drew,
    Noted,
    Passed,
    Played,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
)
from fiveup_ref.engine.layout import EndKind, Layout, Place
from fiveup_ref.engine.match import Match, Status
from fiveup_ref.engine.rules import PRESETS, Rules
from fiveup_ref.engine.scoring import Ends, Left, score_of
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile

NAMES: Final = ("Ani", "Budi", "Citra", "Dewi", "Eka")
TILES, COUNTS, POINTS, MIXED = "tiles", "counts", "points", "mixed"


def playout(
    seed: int,
    players: int = 4,
    preset: str = "five-up",
    *,
    changes: Mapping[str, str] | None = None,
    partners: bool | None = None,
    rounds: int | None = None,
    greedy: bool = False,
    form: str = TILES,
    talk: bool = False,
) -> Match:
    """A match to its win, or to the end of `rounds`; the same arguments always give the same match.

    `greedy` players take what scores most, so that matches are short. `form` is how it is written down: by
    tiles, counts, points, or a mixture of them with draws that nobody counted; `talk` adds notes and adjustments.

    >>> playout(1, 2, rounds=1) == playout(1, 2, rounds=1)
    True
    """
    rules = PRESETS[preset].rules(players, partners=partners).changed(changes or {})
    return _Table(rules, Random(seed), greedy, form, talk).play(rounds)


class _Table:
    """The tiles nobody sees, and the match that is written down about them."""

    def __init__(self, rules: Rules, random: Random, greedy: bool, form: str, talk: bool) -> None:
        self.rules = rules
        self.random = random
        self.greedy = greedy
        self.form = form
        self.talk = talk
        self.match = Match.new(rules, NAMES[: rules.players])
        self.bag: list[Tile] = []
        self.hands: dict[Seat, list[Tile]] = {}

    def play(self, rounds: int | None) -> Match:
        while not self._won() and (rounds is None or len(self.match.rounds) < rounds):
            self._say()
            if not self._won():  # an adjustment may win it
                self._round()
        return self.match

    def _won(self) -> bool:
        return self.match.status is Status.WON

    def _say(self) -> None:
        if self.talk and self.random.random() < 0.2:
            self.match = apply(self.match, Noted(f"Kopi #{self.random.randrange(100)}: the table agreed"))
        if self.talk and self.random.random() < 0.1:
            team = self.random.choice(self.rules.teams)
            self.match = apply(self.match, Adjusted(team, self.random.choice((-2, 5)), "claimed twice, house rule"))

    def _round(self) -> None:
        rules = self.rules
        opener = self.match.next_opener
        seat = opener or self.random.choice(rules.seats)
        self.match = apply(self.match, RoundOpened(seat, OUT if opener else LOT))
        self.bag = list(DOUBLE_SIX)
        self.random.shuffle(self.bag)
        self.hands = {seat: [self.bag.pop() for _ in range(rules.hand)] for seat in rules.seats}
        layout, passes, out = Layout.empty(rules.spinners), 0, None
        while out is None and passes < rules.players and not self._won():
            self._draw(seat, layout)
            if places := layout.legal_places(self.hands[seat]):
                place = self._choice(layout, places)
                layout = layout.play(*place)
                self.hands[seat].remove(place.tile)
                self._write(seat, place, layout)
                passes, out = 0, None if self.hands[seat] else seat
            else:
                self.match = apply(self.match, Passed(seat))
                passes += 1
            self._say()
            seat = rules.after(seat)
        self._settle(out)

    def _draw(self, seat: Seat, layout: Layout) -> None:
        drawn = 0
        while not layout.legal_places(self.hands[seat]) and len(self.bag) > self.rules.reserve:
            self.hands[seat].append(self.bag.pop())
            drawn += 1
        if drawn:
            unsaid = self.form == MIXED and self.random.random() < 0.2
            self.match = apply(self.match, Drew(seat, None if unsaid else drawn))

    def _choice(self, layout: Layout, places: list[Place]) -> Place:
        self.random.shuffle(places)
        if not self.greedy:
            return places[0]
        return max(places, key=lambda place: score_of(layout.play(*place), self.rules).points)

    def _write(self, seat: Seat, place: Place, layout: Layout) -> None:
        form = self.form
        if form == MIXED:
            form = self.random.choice((TILES, TILES, TILES, COUNTS, POINTS))
        if form == TILES and self._layout_known():
            self.match = apply(self.match, Played(seat, *place))
        elif form != POINTS and (score := score_of(layout, self.rules)).count:
            words = [str(end.tile if end.kind is EndKind.DOUBLE else end.pip) for end in score.terms]
            self.match = apply(self.match, Counted(seat, Ends.parse(" ".join(words))))
        else:
            self.match = apply(self.match, Scored(seat, score_of(layout, self.rules).points))

    def _layout_known(self) -> bool:
        return not any(isinstance(move.event, Counted | Scored) for move in self.match.rounds[-1].moves)

    def _settle(self, out: Seat | None) -> None:
        if self._won():
            return
        if not self.match.rounds[-1].ended:
            self.match = apply(self.match, RoundEnded(out))
        left = []
        for seat in self.rules.seats:
            if seat != out:
                hand = Left.of(self.hands[seat])
                left.append((seat, Left(hand.pips) if self.form == POINTS else hand))
        self.match = apply(self.match, Settled(tuple(left)))

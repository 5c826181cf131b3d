"""Rounds in which players draw, pass and call without right; what they really held; and every other way it can have been."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import NamedTuple

from fiveup_ref.engine.course import apply
from fiveup_ref.engine.events import Drew, Event, Noted, Passed, Played, RoundEnded, RoundOpened, Scored, Settled
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.findings import Wrong
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.match import Known, Round
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.scoring import Left, score_of
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from tests.engine.play import new_match

NEVER = 10_000  # later than any entry: the end of the round


class Claim(NamedTuple):
    """A pass, the draws of one turn or a call, on this layout; `held` and `drew_on` say in what way it was wrong."""

    layout: Layout
    drawn: int
    held: bool
    drew_on: bool


@dataclass
class Cheats:
    """A table that plays one round from a seed; `vague` leaves draws uncounted, hands unshown, placements unsaid."""

    rules: Rules
    random: Random
    vague: bool
    lies: float = 0.3
    claims: dict[tuple[int, Seat], Claim] = field(default_factory=dict)
    left_hand: dict[Seat, dict[Tile, int]] = field(default_factory=dict)  # the entry that each tile left with

    def __post_init__(self) -> None:
        self.bag = self.random.sample(DOUBLE_SIX, 28)
        self.hands = {seat: [self.bag.pop() for _ in range(self.rules.hand)] for seat in self.rules.seats}
        self.left_hand = {seat: {} for seat in self.rules.seats}
        self.layout = Layout.empty(self.rules.spinners)
        self.match = new_match(self.rules)
        self.by_points = False

    @property
    def round(self) -> Round:
        return self.match.rounds[-1]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def enter(self, event: Event) -> int:
        self.match = apply(self.match, event)
        return len(self.match.log)

    def play(self) -> Round:
        """The round as it was written down."""
        self.enter(RoundOpened("A", "agreed"))
        seat, passes = "A", 0
        while all(self.hands.values()) and passes < self.rules.players and not self.round.ended:
            placed = self.turn(seat)
            passes = 0 if placed else passes + 1
            seat = self.rules.after(seat)
            if self.chance(0.1):
                self.enter(Noted("tea"))
            if self.vague and self.chance(0.02):
                break
        self.settle()
        return self.round

    def turn(self, seat: Seat) -> bool:
        lie = bool(self.layout.plays) and self.chance(self.lies)
        if self.drawable and (lie or not self.fitting(self.hands[seat])):
            self.draw(seat, lie=lie)
        fitting = self.fitting(self.hands[seat])
        must = Known.HANDS in self.round.known and self.drawable > 0
        if fitting and (must or not lie or self.chance(0.5)):
            self.place(seat, self.random.choice(fitting))
            return True
        if must:
            self.draw(seat, lie=False)
            return self.turn(seat)
        entry = self.enter(Passed(seat))
        self.claim(entry, seat, Claim(self.layout, 0, held=bool(fitting), drew_on=False))
        return False

    @property
    def drawable(self) -> int:
        return len(self.bag) - self.rules.reserve

    def fitting(self, tiles: list[Tile]) -> list[Tile]:
        return [tile for tile in tiles if self.layout.fits(tile)]

    def draw(self, seat: Seat, *, lie: bool) -> None:
        held = bool(self.fitting(self.hands[seat]))
        drawn: list[Tile] = []
        wanted = self.random.randint(1, 3)
        while self.drawable and (len(drawn) < wanted if lie else not self.fitting(self.hands[seat])):
            drawn.append(self.bag.pop())
            self.hands[seat].append(drawn[-1])
        if not drawn or (self.by_points and self.chance(0.5)):
            return
        parts = [1, len(drawn) - 1] if len(drawn) > 1 and self.chance(0.2) else [len(drawn)]
        entries = [self.enter(Drew(seat, None if self.vague and self.chance(0.2) else part)) for part in parts]
        drew_on = bool(self.fitting(drawn[:-1]))
        before = self.claims.get((self.round_turn(seat), seat))
        if before is None:
            self.claim(entries[0], seat, Claim(self.layout, len(drawn), held, drew_on))
        else:  # drew again in the same turn: one claim, made before the first
            more = Claim(self.layout, before.drawn + len(drawn), before.held, before.drew_on or held or drew_on)
            self.claim(self.round_turn(seat), seat, more)

    def round_turn(self, seat: Seat) -> int:
        """The entry of the first draw of this turn; 0: none."""
        first = 0
        for move in reversed(self.round.moves):
            if isinstance(move.event, Drew) and move.event.seat == seat and (move.entry, seat) in self.claims:
                first = move.entry
            elif not isinstance(move.event, Drew | Noted):
                break
        return first

    def claim(self, entry: int, seat: Seat, claim: Claim) -> None:
        if not self.by_points:
            self.claims[entry, seat] = claim

    def place(self, seat: Seat, tile: Tile) -> None:
        place = self.random.choice(self.layout.legal_places((tile,)))
        self.layout = self.layout.play(*place)
        self.hands[seat].remove(tile)
        self.by_points = self.by_points or (self.vague and self.chance(0.03))
        points = score_of(self.layout, self.rules).points
        entry = self.enter(Scored(seat, points) if self.by_points else Played(seat, *place))
        self.left_hand[seat][tile] = entry

    def settle(self) -> None:
        out = next((seat for seat, hand in self.hands.items() if not hand), None)
        if not self.round.ended:
            try:
                entry = self.enter(RoundEnded(out))
            except RulesError:
                return  # the call is refused at once, and the round stays open
            for seat in self.rules.seats if out is None else ():
                held = bool(self.fitting(self.hands[seat]))
                self.claim(entry, seat, Claim(self.layout, 0, held=held, drew_on=False))
        left = {seat: Left.of(hand) for seat, hand in self.hands.items() if seat != out}
        for seat, hand in left.items():
            if self.vague and self.chance(0.3):
                left[seat] = Left(hand.pips)
            self.left_hand[seat] |= dict.fromkeys(hand.tiles or (), NEVER)
        self.enter(Settled(tuple(left.items())))

    def histories(self, seat: Seat) -> Iterator[dict[Tile, int]]:
        """Every way the player's tiles can have come: for each the entry of its draw, 0 where it was dealt.

        For a round of which all was entered and shown; it says nothing about what the player really held.
        """
        draws = [(entry, claim.drawn) for (entry, who), claim in self.claims.items() if who == seat and claim.drawn]
        return _ways(self.left_hand[seat], draws)

    def surely_right(self, entry: int, seat: Seat, claim: Claim) -> bool:
        """Whether in every history that agrees with the record nothing in the hand fitted, nor any but the last draw."""
        left = self.left_hand[seat]
        fits = {tile: claim.layout.fits(tile) for tile in left}
        return all(
            not any(fits[tile] and came[tile] < entry < left[tile] for tile in left)
            and sum(fits[tile] and came[tile] == entry for tile in left) <= (claim.drawn == 1)
            for came in self.histories(seat)
        )

    def proved(self, entry: int, seat: Seat, claim: Claim) -> Wrong | None:
        """What holds in every history that agrees with the record: found by trying them all."""
        left = self.left_hand[seat]
        fits = {tile: claim.layout.fits(tile) for tile in left}
        held: list[bool] = []
        right = False
        for came in self.histories(seat):
            before = any(fits[tile] and came[tile] < entry < left[tile] for tile in left)
            drawn = sum(fits[tile] and came[tile] == entry for tile in left)
            held.append(before)
            right = right or (
                not before and drawn < 2
            )  # the order of a turn's draws is free: the one that fits was last
        if right:
            return None
        if claim.drawn == 0:
            return Wrong.PASSED
        return Wrong.DREW if all(held) else Wrong.DREW_OR_DREW_ON


def _ways(left_hand: dict[Tile, int], draws: list[tuple[int, int]]) -> Iterator[dict[Tile, int]]:
    if not draws:
        yield dict.fromkeys(left_hand, 0)
        return
    (entry, number), *others = draws
    for chosen in combinations([tile for tile, left in left_hand.items() if left > entry], number):
        rest = {tile: left for tile, left in left_hand.items() if tile not in chosen}
        for way in _ways(rest, others):
            yield {**way, **dict.fromkeys(chosen, entry)}

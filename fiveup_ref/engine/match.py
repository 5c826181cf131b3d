"""A match as it stands: its rounds, scores and status. `course` moves it forward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from typing import NamedTuple, TypeVar

from .events import Affair, Event, GameEvent
from .faults import Fault, RulesError
from .layout import Layout
from .rules import Rules, TargetCheck
from .scoring import Left, Score, Settlement
from .seats import Seat, Team


class Known(Flag):
    """What the entries of a round vouch for; what is not known is not checked (and a page says so)."""

    NOTHING = 0
    LAYOUT = auto()  # which tiles lie where
    HANDS = auto()  # how many tiles each hand and the boneyard have
    TURN = auto()  # that every turn was entered
    ALL = LAYOUT | HANDS | TURN


class Status(StrEnum):
    """Where the match stands against its target."""

    OPEN = "open"
    REACHED = "reached"  # someone is at the target in play; the round is finished and settled first
    FELL_BACK = "fell-back"  # it was reached in the round, and lost again at its settlement
    TIE = "tie"  # the highest at the target is shared: everybody plays one more round
    WON = "won"
    CLOSED = "closed"  # ended by agreement without a winner


class Move(NamedTuple):
    """An event that stands, with the entry it came in as and what it made.

    `points` were scored by the team of its seat; `unscored` would have overshot an exact target, or `too_low` says
    that they are too few to be the team's first score, and `let_in` that they were the first. `lost` is the index of
    a team that had points taken from it, and how many; `took` the move that had made them, and that move has in
    `taken_by` who took them: its points count for nobody any more.
    """

    entry: int
    event: GameEvent
    score: Score | None = None
    points: int = 0
    unscored: int = 0
    too_low: bool = False
    let_in: bool = False
    lost: tuple[int, int] = (0, 0)
    took: Move | None = None
    taken_by: Seat | None = None


class Fallen(NamedTuple):
    """An entry that can no longer stand after a correction before it, and why."""

    entry: int
    event: GameEvent | Affair
    error: RulesError

    @property
    def waits(self) -> bool:
        """Whether its round is not there while an earlier one is not whole."""
        return self.error.fault in (Fault.OTHER_ROUND, Fault.ROUND_OPEN)


class Start(NamedTuple):
    """What a match was made with; `rules` and `players` of the match are these, changed by its log."""

    rules: Rules
    players: tuple[str, ...]


@dataclass(frozen=True)
class Round:
    """One round as far as it has been entered.

    `layout` is the last known one; `hands` (tiles in each hand, in seat order) and `boneyard` hold
    while `known` has HANDS, `turn` is only a suggestion without TURN. `scored` are the points made in
    play by each team; `before_settlement` the scores when it was settled.
    """

    number: int
    opener: Seat
    by: str
    turn: Seat
    layout: Layout
    known: Known
    hands: tuple[int, ...]
    boneyard: int
    scored: tuple[int, ...]
    passes: int = 0
    ended: bool = False
    out: Seat | None = None
    left: tuple[tuple[Seat, Left], ...] = ()
    settlement: Settlement | None = None
    before_settlement: tuple[int, ...] = ()
    after_settlement: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()

    @property
    def blocked(self) -> bool:
        """Whether it ended with nobody out."""
        return self.ended and self.out is None


@dataclass(frozen=True)
class Match:
    """A match: its log, folded. `scores` in points, in the order of `rules.teams`.

    `within` says for each entry of the log which one had opened the round it was entered in (0: none); an
    inserted entry was entered in the round of its place.
    `got_in` says for each team whether its scores count, which they do from the first that `rules.get_in` lets in.
    `preamble` are the notes and adjustments before the first round; `fallen` entries no longer stand
    after a correction before them, so the match needs attention. `previews`: the table wants to see what a
    play would score before it is made; `rings`: its tally has a small o for 10 raw scored at one go.
    """

    start: Start
    rules: Rules
    players: tuple[str, ...]
    scores: tuple[int, ...]
    got_in: tuple[bool, ...] = ()
    log: tuple[Event, ...] = ()
    within: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    preamble: tuple[Move, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    closed: bool = False
    previews: bool = False
    rings: bool = False

    @staticmethod
    def new(rules: Rules, players: tuple[str, ...]) -> Match:
        """A match with nothing entered; `players` are the names in seat order."""
        if len(players) != rules.players:
            raise ValueError(f"{rules.players} names are needed, not {len(players)}")
        teams = len(rules.teams)
        return Match(Start(rules, players), rules, players, (0,) * teams, (not rules.get_in,) * teams)

    @property
    def round(self) -> Round | None:
        """The latest round; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def mending(self) -> int:
        """The number of the round that must be put right before later entries that wait can stand; 0: none waits."""
        if not any(one.waits for one in self.fallen):
            return 0
        return len(self.rounds) + (not self.in_round)

    @property
    def opening(self) -> int:
        """The entry that opened the latest round; 0 before the first."""
        return self.rounds[-1].moves[0].entry if self.rounds else 0

    @property
    def in_round(self) -> bool:
        """Whether a round is open or waits for its settlement."""
        return bool(self.rounds) and self.rounds[-1].settlement is None

    @property
    def status(self) -> Status:
        """The target test: after settlement, or at once where the rules say so (rules 3)."""
        target = self.rules.target
        top = max(self.scores)
        if self.closed:
            return Status.CLOSED
        if top >= target:
            if self.in_round and self.rules.target_check is TargetCheck.AFTER_ROUND:
                return Status.REACHED
            return Status.WON if self.scores.count(top) == 1 else Status.TIE
        last = self.rounds[-1] if self.rounds else None
        if last and last.settlement and max(last.before_settlement) >= target > max(last.after_settlement):
            return Status.FELL_BACK
        return Status.OPEN

    @property
    def over(self) -> bool:
        """Whether it is won or closed, so that nothing more is played."""
        return self.status in (Status.WON, Status.CLOSED)

    @property
    def leaders(self) -> tuple[Team, ...]:
        """The teams that share the highest score."""
        top = max(self.scores)
        return tuple(team for team, score in zip(self.rules.teams, self.scores, strict=True) if score == top)

    @property
    def winner(self) -> Team | None:
        """Who has won, if the match is won."""
        return self.leaders[0] if self.status is Status.WON else None

    @property
    def next_opener(self) -> Seat | None:
        """Who must open the next round; None: a lot decides."""
        return self.rounds[-1].out if self.rounds else None

    @property
    def steps(self) -> tuple[Move, ...]:
        """Every move that stands, in order."""
        return self.preamble + tuple(move for round_ in self.rounds for move in round_.moves)

    @property
    def events(self) -> Mapping[int, GameEvent | Affair]:
        """What each entry that stands or fell says now, by its number: corrected, and given to whose turn it was."""
        now: dict[int, GameEvent | Affair] = {move.entry: move.event for move in self.steps}
        now.update((one.entry, one.event) for one in self.fallen)
        return now

    def name(self, seat: Seat) -> str:
        """The name of the player in a seat."""
        return self.players[self.rules.seats.index(seat)]


_Frozen = TypeVar("_Frozen", Match, Round)


def with_move(match: Match, move: Move) -> Match:
    """The match with a move more, in its latest round if there is one."""
    if not match.rounds:
        return changed(match, preamble=(*match.preamble, move))
    return with_round(match, match.rounds[-1], moves=(*match.rounds[-1].moves, move))


def with_round(match: Match, round_: Round, **fields: object) -> Match:
    """The match with fields of its latest round, `round_`, changed."""
    return changed(match, rounds=(*match.rounds[:-1], changed(round_, **fields)))


def changed(value: _Frozen, **fields: object) -> _Frozen:
    """As `dataclasses.replace`, at a fifth of the time: folding a long match does this twice an entry."""
    after = object.__new__(type(value))
    after.__dict__.update(value.__dict__)
    after.__dict__.update(fields)
    return after

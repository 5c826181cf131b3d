"""What the look back can find, and the sentences of its proofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from .faults import _
from .layout import Place
from .seats import Seat


class Wrong(StrEnum):
    """What is proved."""

    PASSED = "passed"  # passed with a tile in the hand that fitted
    DREW = "drew"  # drew with a tile in the hand that fitted
    DREW_OR_DREW_ON = "drew-or-drew-on"  # did that, or drew on after a tile that fitted: one of the two for certain
    CALLED_BLOCKED = "called-blocked"  # the table ended the round as blocked, and this player could play


class Because(StrEnum):
    """A step of a proof and its English sentence, with named fields as in `Fault`."""

    # the claim
    PASSED = _("{seat} passed (entry {entry}). Only a player with no tile that fits may pass.")
    DREW = _("{seat} drew (entry {entry}, tiles: {drawn}). Only a player with no tile that fits may draw.")
    DREW_UNCOUNTED = _("{seat} drew (entry {entry}, not counted). Only a player with no tile that fits may draw.")
    CALLED_BLOCKED = _("The round was ended as blocked (entry {entry}). It is not while anybody has a tile that fits.")
    # what speaks against it
    FITTED = _("{tile} fitted {onto} at that moment.")
    FITTED_BRANCH = _("{tile} fitted a branch of {onto} at that moment.")
    PLAYED = _("{seat} played {tile} afterwards (entry {entry}).")
    SHOWN = _("{seat} showed {tile} at the end of the round.")
    # how much of it can be new
    NONE_DRAWN = _("{seat} drew nothing after that turn until this was seen.")
    SOME_DRAWN = _("Tiles that {seat} drew after that turn until this was seen: {new}.")
    FEW_LEFT = _("Tiles that could still be drawn from the boneyard after that turn: {new}.")
    ONE_STOPS = _("Drawing stops at the first tile that fits, so only one of the tiles drawn in that turn may fit.")
    # what follows
    HELD = _("So {seat} had what fitted in the hand at that moment and had to play.")
    HELD_SOME = _("So {seat} had at least {held} of what fitted in the hand at that moment and had to play.")
    HELD_OR_DREW_ON = _(
        "But at least {held} of what fitted came from the hand or that turn's draw: "
        "{seat} could play before drawing, or drew on after a tile that fitted."
    )
    HELD_BEFORE = _(
        "At least {held} of what fitted came from the hand or that turn's draw, more than the {drawn} drawn: "
        "so {seat} had a tile that fitted before drawing and had to play."
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof; the field `{seat}` is a seat, so that a page can put a name there."""

    because: Because
    fields: Mapping[str, object]

    def __str__(self) -> str:
        return self.because.format(**self.fields)


@dataclass(frozen=True, slots=True)
class Finding:
    """A pass, a draw or a call of blocked that was wrong, with its proof step by step.

    `entry` as in `Move.entry`, of a turn's several draws the first; `places` are the tiles that prove it,
    each with a place where it fitted at that moment. As text: the proof in English.
    """

    entry: int
    seat: Seat
    kind: Wrong
    places: tuple[Place, ...]
    proof: tuple[Step, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.proof))

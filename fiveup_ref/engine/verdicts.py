"""Was that pass or draw right: every one of a round proved wrong, proved right, or not provable."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from .events import Counted, Played, Scored
from .faults import _
from .findings import Wrong
from .layout import Layout, Place
from .match import Round
from .moments import Moment, doubted, leaving, moments
from .rules import Rules
from .ruling import Sentence, sentence
from .rulings import audit, claim_of
from .seats import Seat
from .tiles import Tile


class Proof(StrEnum):
    """What the tiles seen later prove of a pass, a draw or a call of blocked."""

    WRONG = "wrong"
    RIGHT = "right"
    NONE = "none"


class Shown(StrEnum):
    """The sentences of a proof that it was right, and of why nothing can be proved; `Because` has the others."""

    # right
    NOTHING_FITTED = _("No tile that was not on the table fitted anywhere at that moment.")
    ALL_SEEN = _("Everything {seat} held at that moment was seen later: {tiles}.")
    NONE_FITTED = _("None of these tiles fitted at that moment, so {seat} could not play.")
    SEEN_WITH = _("{tile} fitted, but {other} had it or drew it later.")
    NO_MORE_FITTED = _("No other tile fitted, so {seat} could not play.")
    # not provable
    NOT_SETTLED = _("The round is not settled, so the hands have not been shown yet.")
    NOT_SHOWN = _("Not everything {seat} held at that moment was shown as tiles.")
    MAY_BE_DRAWN = _("{tile} fitted, but {seat} may have drawn it in that turn or later.")


class Verdict(NamedTuple):
    """What is proved of one claim to have no tile that fits, on this layout, step by step.

    `entry` as in `Move.entry`, of a turn's several draws the first; `kind` says what was claimed; `places` are
    those of the tiles that prove it wrong.
    """

    entry: int
    seat: Seat
    kind: Wrong
    proof: Proof
    layout: Layout
    steps: tuple[Sentence, ...]
    places: tuple[Place, ...] = ()


def verdicts(round_: Round, rules: Rules) -> tuple[Verdict, ...]:
    """Every pass, draw and call of blocked of a round while its layout is known, in the order they were entered.

    Wrong as `audit` proves it. Right where no tile that fitted can have been in the hand: all of the hand was
    seen later, or all that fitted was seen with others. No entry of the round may have fallen.

    >>> from .course import replay
    >>> from .events import Passed, Played, RoundOpened
    >>> from .rules import PRESETS
    >>> rules = PRESETS["five-up"].rules(2).changed({"hand": "14"})
    >>> five, one = Tile.of(5, 5), Tile.of(5, 1)
    >>> log = (RoundOpened("A", "lot"), Played("A", five), Passed("B"), Played("A", one, five))
    >>> log += (Played("B", Tile.of(4, 1), one),)
    >>> [(one.entry, one.proof.value) for one in verdicts(replay(rules, ("Ani", "Budi"), log).rounds[0], rules)]
    [(3, 'none')]
    """
    if doubted(round_):
        return ()
    wrong = {(found.entry, found.seat): found for found in audit(round_, rules)}
    found: list[Verdict] = []
    for moment in moments(round_, rules):
        finding = wrong.get((moment.entry, moment.seat))
        claim = claim_of(moment)
        if finding is not None:
            proof, steps = Proof.WRONG, [Sentence(step.because, step.fields) for step in finding.proof]
        elif moment.kind is Wrong.CALLED_BLOCKED and _told(found, moment):
            continue
        else:
            proof, more = _weighed(round_, moment)
            steps = [Sentence(claim.because, claim.fields), *more]
        places = finding.places if finding else ()
        found.append(Verdict(moment.entry, moment.seat, moment.kind, proof, moment.layout, tuple(steps), places))
    return tuple(found)


def _told(found: list[Verdict], moment: Moment) -> bool:
    """Whether a wrong pass on the same layout says already that the player could play."""
    return any(
        one.kind is Wrong.PASSED and one.proof is Proof.WRONG and (one.seat, one.layout) == (moment.seat, moment.layout)
        for one in found
    )


def _weighed(round_: Round, moment: Moment) -> tuple[Proof, list[Sentence]]:
    """Right or not provable, and why."""
    seat = moment.seat
    fitting = [tile for tile in moment.layout.unplayed() if moment.layout.fits(tile)]
    if not fitting:
        return Proof.RIGHT, [sentence(Shown.NOTHING_FITTED)]
    seen = [one.tile for one in leaving(round_, moment)]
    kept = [tile for tile in fitting if tile in seen]
    if not kept and _complete(round_, moment):
        tiles = " ".join(map(str, seen))
        return Proof.RIGHT, [
            sentence(Shown.ALL_SEEN, seat=seat, tiles=tiles),
            sentence(Shown.NONE_FITTED, seat=seat),
        ]
    elsewhere = dict(_elsewhere(round_, moment))
    if all(tile in elsewhere for tile in fitting):
        lines = [sentence(Shown.SEEN_WITH, tile=tile, other=elsewhere[tile]) for tile in fitting]
        return Proof.RIGHT, [*lines, sentence(Shown.NO_MORE_FITTED, seat=seat)]
    if kept:
        return Proof.NONE, [sentence(Shown.MAY_BE_DRAWN, tile=tile, seat=seat) for tile in kept]
    if round_.settlement is None:
        return Proof.NONE, [sentence(Shown.NOT_SETTLED)]
    return Proof.NONE, [sentence(Shown.NOT_SHOWN, seat=seat)]


def _complete(round_: Round, moment: Moment) -> bool:
    """Whether every tile that left the hand after the moment is known."""
    if round_.settlement is None or any(
        isinstance(move.event, Counted | Scored) for move in round_.moves[moment.at + 1 :]
    ):
        return False
    left = dict(round_.left).get(moment.seat)
    return moment.seat == round_.out or (left is not None and left.tiles is not None)


def _elsewhere(round_: Round, moment: Moment) -> Iterator[tuple[Tile, Seat]]:
    """The tiles that others played after the moment or showed at the end: so they never were in this hand."""
    for move in round_.moves[moment.at + 1 :]:
        if isinstance(move.event, Played) and move.event.seat != moment.seat:
            yield move.event.tile, move.event.seat
    for seat, left in round_.left:
        if seat != moment.seat:
            yield from ((tile, seat) for tile in left.tiles or ())

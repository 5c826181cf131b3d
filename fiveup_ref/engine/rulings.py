"""The referee's look back: passes and draws that the tiles seen later prove wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .findings import Because, Finding, Step, Wrong
from .layout import Layout, Place
from .match import Round
from .moments import Moment, Seen, doubted, drawn_since, leaving, moments
from .rules import Rules
from .seats import Seat


def audit(round_: Round, rules: Rules) -> tuple[Finding, ...]:
    """The passes, draws and calls of blocked in a round that are proved wrong, in the order they were entered.

    Proved from the tiles played and shown; silent where nothing can be. No points change by it (rules 6).
    No entry of the round may have fallen: its tiles are not among the moves.

    >>> from .course import replay
    >>> from .events import Drew, Played, RoundOpened
    >>> from .rules import PRESETS
    >>> from .tiles import Tile
    >>> rules, five = PRESETS["five-up"].rules(2), Tile.of(5, 5)
    >>> log = (RoundOpened("A", "lot"), Played("A", five), Drew("B", 1), Played("B", Tile.of(5, 1), five))
    >>> log += (Played("A", Tile.of(4, 1), Tile.of(5, 1)), Played("B", Tile.of(5, 0), five))
    >>> [(found.entry, found.kind.value) for found in audit(replay(rules, ("Ani", "Budi"), log).rounds[0], rules)]
    [(3, 'drew')]
    """
    if doubted(round_):
        return ()
    findings: list[Finding] = []
    passed: set[tuple[Seat, Layout]] = set()
    for moment in moments(round_, rules):
        evidence = _evidence(round_, moment)
        kind = _proved(moment, evidence)
        if kind is None or (kind is Wrong.CALLED_BLOCKED and (moment.seat, moment.layout) in passed):
            continue
        if kind is Wrong.PASSED:
            passed.add((moment.seat, moment.layout))
        places = tuple(moment.layout.legal_places((seen.tile,))[0] for seen in evidence.seen)
        steps = tuple(_steps(moment, kind, evidence, places))
        findings.append(Finding(moment.entry, moment.seat, kind, places, steps))
    return tuple(findings)


class _Evidence(NamedTuple):
    """Tiles that fitted, of which at most `new` were drawn after the moment's turn: as entered, or (`entered` False)
    because the boneyard had no more."""

    seen: tuple[Seen, ...]
    new: int
    entered: bool

    @property
    def held(self) -> int:
        """How many of them, at least, came from the hand or the moment's own draw."""
        return len(self.seen) - self.new


_NO_EVIDENCE: Final = _Evidence((), 0, entered=True)


def _evidence(round_: Round, moment: Moment) -> _Evidence:
    """The tiles that prove most: those seen up to the moment by which the fewest of them can be new.

    A tile seen at some time is new only if it was drawn before that time, so each such time is a test of its own.
    """
    best = _NO_EVIDENCE
    fitted: list[Seen] = []
    for seen in leaving(round_, moment):
        if not moment.layout.fits(seen.tile):
            continue
        fitted.append(seen)
        drawn = drawn_since(round_, moment, seen.at)
        new = moment.drawable if drawn is None else drawn
        if new is None:
            break  # nor is it known for what was seen after that
        if len(fitted) - new > best.held:
            best = _Evidence(tuple(fitted), new, entered=drawn is not None)
    return best


def _proved(moment: Moment, evidence: _Evidence) -> Wrong | None:
    """What the evidence proves of the moment; one tile that fitted may have ended a right draw (rules 3)."""
    if moment.kind is not Wrong.DREW:
        return moment.kind if evidence.held > 0 else None
    if evidence.held < 2:
        return None
    return Wrong.DREW if moment.drawn is not None and evidence.held > moment.drawn else Wrong.DREW_OR_DREW_ON


def claim_of(moment: Moment) -> Step:
    """What the player claimed at this moment."""
    fields = {"seat": moment.seat, "entry": moment.entry, "drawn": moment.drawn}
    return Step(_CLAIMS[moment.kind, moment.drawn is None], fields)


def _steps(moment: Moment, kind: Wrong, evidence: _Evidence, places: tuple[Place, ...]) -> Iterator[Step]:
    """The claim, the tiles that speak against it, how many of them can be new, and what follows."""
    seat, drawn, new = moment.seat, moment.drawn, evidence.new
    tips = {end.tile for end in moment.layout.open_ends() if moment.layout.is_branch(end)}
    yield claim_of(moment)
    for seen, place in zip(evidence.seen, places, strict=True):
        fitted = Because.FITTED_BRANCH if place.onto in tips else Because.FITTED
        yield Step(fitted, {"tile": place.tile, "onto": place.onto})
        sight = Because.SHOWN if seen.entry is None else Because.PLAYED
        yield Step(sight, {"seat": seat, "tile": seen.tile, "entry": seen.entry})
    if kind is not Wrong.CALLED_BLOCKED:
        counted = Because.SOME_DRAWN if new else Because.NONE_DRAWN
        yield Step(counted if evidence.entered else Because.FEW_LEFT, {"seat": seat, "new": new})
    if kind is Wrong.DREW_OR_DREW_ON:
        yield Step(Because.ONE_STOPS, {})
    follows = Because.HELD_SOME if kind is Wrong.PASSED and new else _FOLLOWS[kind]
    yield Step(follows, {"seat": seat, "held": evidence.held, "drawn": drawn})


_CLAIMS: Final = {
    (Wrong.PASSED, False): Because.PASSED,
    (Wrong.DREW, False): Because.DREW,
    (Wrong.DREW, True): Because.DREW_UNCOUNTED,
    (Wrong.CALLED_BLOCKED, False): Because.CALLED_BLOCKED,
}
_FOLLOWS: Final = {
    Wrong.PASSED: Because.HELD,
    Wrong.DREW: Because.HELD_BEFORE,
    Wrong.DREW_OR_DREW_ON: Because.HELD_OR_DREW_ON,
    Wrong.CALLED_BLOCKED: Because.HELD,
}

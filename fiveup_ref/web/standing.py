"""The table of rounds and the tallies: what each team scored, what was deducted, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from fiveup_ref.drawing.steps import scores_of
from fiveup_ref.drawing.tally import RING, Figure, Style, tally, tally_of_scores
from fiveup_ref.engine.events import Adjusted
from fiveup_ref.engine.match import Match, Round
from fiveup_ref.engine.rules import Settling
from fiveup_ref.engine.seats import Seat

from .language import gettext as _
from .language import ngettext
from .words import net, strokes, tally_text, team_name

_ROWS_BY_HAND: Final = 10
_FEWEST_BY_HAND: Final = 4


class Marks(NamedTuple):
    """Tally figures and the same in words; `scored` are the points they are of where that is not the net score."""

    figures: tuple[Figure, ...]
    text: str
    scored: int | None = None


class Column(NamedTuple):
    """A team's columns: scored, changed at settlement and the score after each settled round, and what they come to.

    `running` is the score with what an open round has made, None where it has made nothing; `tally` has the net
    score, or with small o what was scored.
    """

    name: str
    rounds: list[tuple[int, int, int]]
    scored: int
    settled: int
    adjusted: int
    net: int
    running: int | None
    tally: Marks


class Standing(NamedTuple):
    """The table of rounds: the numbers of those that are settled, and of those to be filled in by hand."""

    columns: list[Column]
    rounds: list[int]
    by_hand: list[int]
    deducts: bool


def standing(match: Match, names: Mapping[Seat, str], *, style: Style = "hand", rings: bool = False) -> Standing:
    """The table of rounds; a match that is over has no rows to fill in, and counts the round in which it ended."""
    over = match.over
    rounds = [round_ for round_ in match.rounds if over or round_.settlement is not None]
    blank = 0 if over else max(_FEWEST_BY_HAND, _ROWS_BY_HAND - len(rounds))
    return Standing(
        [
            _column(match, rounds, index, names, marks_of(match, index, style=style, rings=rings))
            for index in range(len(match.rules.teams))
        ],
        [round_.number for round_ in rounds],
        list(range(len(rounds) + 1, len(rounds) + 1 + blank)),
        match.rules.settlement is Settling.DEDUCT_OWN,
    )


def _column(match: Match, rounds: Sequence[Round], team: int, names: Mapping[Seat, str], tally: Marks) -> Column:
    rows = [_row(match, round_, team) for round_ in rounds]
    points = net(match, team)
    return Column(
        team_name(match.rules.teams[team], names),
        rows,
        sum(scored for scored, _settled, _score in rows),
        sum(settled for _scored, settled, _score in rows),
        _adjusted(match, team),
        points,
        match.scores[team] if match.scores[team] != points else None,
        tally,
    )


def _row(match: Match, round_: Round, team: int) -> tuple[int, int, int]:
    if round_.settlement is None:
        return round_.scored[team], 0, match.scores[team]
    after = round_.after_settlement[team]
    return round_.scored[team], after - round_.before_settlement[team], after


def _adjusted(match: Match, team: int) -> int:
    events = (move.event for move in match.steps)
    ours = match.rules.teams[team]
    return sum(event.points for event in events if isinstance(event, Adjusted) and event.team == ours)


def marks_of(match: Match, team: int, *, style: Style = "hand", rings: bool = False) -> Marks:
    """The tally of a team: of its net score, or with small o of its scores one by one, before deductions (rules 7)."""
    if not rings:
        points = net(match, team)
        return Marks(tally(strokes(points, match), style=style), tally_text(points, match))
    made = scores_of(match, team)
    scores = [strokes(points, match) for points in made]
    figures = tally_of_scores(scores, style=style)
    drawn = sum(len(figure.rings) for figure in figures)
    plain = sum(scores) - RING * drawn
    said_strokes = ngettext("%(num)s stroke", "%(num)s strokes", plain) % {"num": plain}
    return Marks(
        figures,
        _("Tally of what was scored: %(strokes)s and %(rings)s o") % {"strokes": said_strokes, "rings": drawn},
        sum(made),
    )

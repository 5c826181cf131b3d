"""What the match sheet prints of a match: values only, every decision made here."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from fiveup_ref.drawing.chart import Chart, chart
from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.drawing.steps import scores_of, steps
from fiveup_ref.drawing.tally import Figure, Style, tally, tally_of_scores
from fiveup_ref.engine.events import Adjusted, Amended, Event, Settled, Undone, to_row
from fiveup_ref.engine.log import taken_back
from fiveup_ref.engine.match import Known, Match, Round, Status
from fiveup_ref.engine.rules import PRESETS, Settling
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import EntryInfo, Saved

from .devices import name_of
from .language import gettext as _
from .language import local_time, ngettext
from .pages import SettlementLines, TeamBox, settlement_lines, team_boxes
from .words import (
    MoveLine,
    describe,
    lot_lines,
    move_lines,
    net,
    proofs,
    said,
    standing_text,
    status_text,
    strokes,
    tally_text,
    team_name,
)

_ROWS_BY_HAND: Final = 10
_FEWEST_BY_HAND: Final = 4
_LINES_BY_HAND: Final = 8
_LONGEST_IN_COLUMN: Final = 14


class SheetRound(NamedTuple):
    """One round on paper; `plan` is None where no tiles of it are known, `proofs` what the tiles shown prove."""

    round: Round
    opened: str
    lots: list[str]
    moves: list[MoveLine]
    settlement: SettlementLines | None
    plan: Plan | None
    marks: Mapping[tuple[Tile, int], int]
    proofs: list[list[str]]


class Marks(NamedTuple):
    """Tally figures and the same in words."""

    figures: tuple[Figure, ...]
    text: str


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


class Correction(NamedTuple):
    """A correction in force: of which entry, what it said, what stands, when, by which device, why ('': unsaid)."""

    entry: int
    round: int
    was: str
    now: str
    when: str
    who: str
    reason: str


@dataclass(frozen=True)
class Sheet:
    """Everything the sheet shows; rounds, corrections and chart are printed by the full form only."""

    saved: Saved
    match: Match
    names: Mapping[Seat, str]
    brief: Mapping[Seat, str]
    game: str
    house_rules: Mapping[str, str]
    boxes: list[TeamBox]
    standing: Standing
    rounds: list[SheetRound]
    lines_by_hand: int
    preamble: list[MoveLine]
    corrections: list[Correction]
    chart: Chart
    status: str
    reading: str  # the standing in a sentence; of a match that is over the status says it
    code: str


def sheet(saved: Saved, names: Mapping[Seat, str], *, style: Style = "hand", rings: bool = False) -> Sheet:
    """The sheet of a match with these names; `style` and `rings` (small o for 10 raw at one go) are of the tally."""
    match = saved.match
    over = match.status in (Status.WON, Status.CLOSED)
    return Sheet(
        saved=saved,
        match=match,
        names=names,
        brief=_brief(names),
        game=PRESETS[match.rules.preset].name,
        house_rules=match.rules.changes(),
        boxes=team_boxes(match, names),
        standing=standing(match, names, style=style, rings=rings),
        rounds=[_round(round_, match, names) for round_ in match.rounds],
        lines_by_hand=_LINES_BY_HAND if match.in_round and not over else 0,
        preamble=move_lines(match.preamble, names),
        corrections=corrections(saved, names),
        chart=chart(steps(match), teams=len(match.rules.teams), target=match.rules.target),
        status=status_text(match, names),
        reading="" if over else standing_text(match, names),
        code=code(saved),
    )


def standing(match: Match, names: Mapping[Seat, str], *, style: Style = "hand", rings: bool = False) -> Standing:
    """The table of rounds; a match that is over has no rows to fill in."""
    settled = [round_.number for round_ in match.rounds if round_.settlement is not None]
    over = match.status in (Status.WON, Status.CLOSED)
    blank = 0 if over else max(_FEWEST_BY_HAND, _ROWS_BY_HAND - len(settled))
    return Standing(
        [_column(match, index, names, style=style, rings=rings) for index in range(len(match.rules.teams))],
        settled,
        list(range(len(settled) + 1, len(settled) + 1 + blank)),
        match.rules.settlement is Settling.DEDUCT_OWN,
    )


def _column(match: Match, team: int, names: Mapping[Seat, str], *, style: Style, rings: bool) -> Column:
    rounds = [
        (
            round_.scored[team],
            round_.after_settlement[team] - round_.before_settlement[team],
            round_.after_settlement[team],
        )
        for round_ in match.rounds
        if round_.settlement is not None
    ]
    points = net(match, team)
    return Column(
        team_name(match.rules.teams[team], names),
        rounds,
        sum(scored for scored, _settled, _score in rounds),
        sum(settled for _scored, settled, _score in rounds),
        _adjusted(match, team),
        points,
        match.scores[team] if match.scores[team] != points else None,
        marks_of(match, team, style=style, rings=rings),
    )


def _adjusted(match: Match, team: int) -> int:
    events = (move.event for move in match.steps)
    ours = match.rules.teams[team]
    return sum(event.points for event in events if isinstance(event, Adjusted) and event.team == ours)


def marks_of(match: Match, team: int, *, style: Style = "hand", rings: bool = False) -> Marks:
    """The tally of a team: of its net score, or with small o of its scores one by one, before deductions (rules 7)."""
    if not rings:
        points = net(match, team)
        return Marks(tally(strokes(points, match), style=style), tally_text(points, match))
    scores = [strokes(points, match) for points in scores_of(match, team)]
    figures = tally_of_scores(scores, style=style)
    drawn = sum(len(figure.rings) for figure in figures)
    plain = sum(scores) - 2 * drawn
    said_strokes = ngettext("%(num)s stroke", "%(num)s strokes", plain) % {"num": plain}
    return Marks(
        figures, _("Tally of what was scored: %(strokes)s and %(rings)s o") % {"strokes": said_strokes, "rings": drawn}
    )


def _brief(names: Mapping[Seat, str]) -> Mapping[Seat, str]:
    """The names for lists of plays; the seats where a name would break its column."""
    return names if max(map(len, names.values())) <= _LONGEST_IN_COLUMN else {seat: seat for seat in names}


def is_laid(round_: Round) -> bool:
    """Whether the tiles of a round are known, so that its layout can be drawn."""
    return bool(round_.layout.plays) and Known.LAYOUT in round_.known


def _round(round_: Round, match: Match, names: Mapping[Seat, str]) -> SheetRound:
    brief = _brief(names)
    return SheetRound(
        round_,
        describe(round_.moves[0].event, names),
        lot_lines(round_, names),
        move_lines([move for move in round_.moves[1:] if not isinstance(move.event, Settled)], brief),
        settlement_lines(round_, match, brief),
        plan(round_.layout.plays, spinners=match.rules.spinners) if is_laid(round_) else None,
        {(end.tile, end.pip): end.worth for end in round_.layout.open_ends()},
        proofs(round_, match, names) if round_.settlement else [],
    )


# Corrections: a line for each kind of entry that corrects another.


def _now_undone(event: Undone, names: Mapping[Seat, str]) -> str:
    del event, names
    return _("taken back")


def _now_amended(event: Amended, names: Mapping[Seat, str]) -> str:
    return said(event.event, names)


_NOW: Final[Mapping[type[Event], Callable[[Any, Mapping[Seat, str]], str]]] = {
    Undone: _now_undone,
    Amended: _now_amended,
}


def corrections(saved: Saved, names: Mapping[Seat, str]) -> list[Correction]:
    """The corrections in force, in the order they were made; an undo that was itself taken back is none."""
    log = saved.match.log
    undone = taken_back(log)
    found = []
    for number, event in enumerate(log, 1):
        if (
            isinstance(event, Undone | Amended)
            and number not in undone
            and not isinstance(log[event.entry - 1], Undone)
        ):
            found.append(_correction(event, saved, saved.entries[number - 1], names))
    return found


def _correction(event: Undone | Amended, saved: Saved, info: EntryInfo, names: Mapping[Seat, str]) -> Correction:
    match = saved.match
    first = _first(match.log, event.entry)
    return Correction(
        first,
        _round_of(match, first),
        said(_before(match.log, info.number, event.entry), names),
        _NOW[type(event)](event, names),
        local_time(info.time, saved.zone),
        name_of(info.who),
        "",
    )


def _first(log: Sequence[Event], entry: int) -> int:
    """The entry that was corrected, where it was a correction that was taken back."""
    event = log[entry - 1]
    return event.entry if isinstance(event, Amended) else entry


def _before(log: Sequence[Event], number: int, entry: int) -> Event:
    """What an entry said before it was corrected by entry `number`: as it came in, or as last corrected."""
    said_then = log[entry - 1]
    if isinstance(said_then, Amended):
        return said_then.event
    undone = taken_back(log[: number - 1])
    for index, event in enumerate(log[: number - 1], 1):
        if isinstance(event, Amended) and event.entry == entry and index not in undone:
            said_then = event.event
    return said_then


def _round_of(match: Match, entry: int) -> int:
    """The number of the round an entry was made in; 0 before the first and for a round that was taken back."""
    opening = entry if any(round_.moves[0].entry == entry for round_ in match.rounds) else match.within[entry - 1]
    return next((round_.number for round_ in match.rounds if round_.moves[0].entry == opening), 0)


def code(saved: Saved) -> str:
    """Eight letters and digits as in `K7QF-2M9X`: a sheet can be compared with the app.

    They change with the title, a name, a rule, or anything entered that stands.
    """
    match = saved.match
    stands = [to_row(move.event) for move in match.steps]
    said_so = json.dumps([saved.title, saved.started.isoformat(), asdict(match.rules), match.players, stands])
    letters = base64.b32encode(hashlib.sha256(said_so.encode()).digest()[:5]).decode()
    return f"{letters[:4]}-{letters[4:]}"

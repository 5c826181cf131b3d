"""What a page may print of a match: values only, every decision made here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.drawing.tally import Figure, tally
from fiveup_ref.engine import events
from fiveup_ref.engine.events import Event, last_undoable, taken_back
from fiveup_ref.engine.layout import EndKind, OpenEnd
from fiveup_ref.engine.match import Known, Match, Move, Round, Status
from fiveup_ref.engine.rulings import audit
from fiveup_ref.engine.scoring import Ends, Score
from fiveup_ref.engine.seats import Seat, Team
from fiveup_ref.engine.tiles import DOUBLE_SIX, PIPS, Tile

from .language import gettext as _
from .language import ngettext, number, say_sentence, signed


def shown_names(match: Match) -> Mapping[Seat, str]:
    """The names by seat; equal names are told apart by their seat."""
    seats = match.rules.seats
    return {
        seat: f"{name} ({seat})" if match.players.count(name) > 1 else name
        for seat, name in zip(seats, match.players, strict=True)
    }


def team_name(team: Team, names: Mapping[Seat, str]) -> str:
    """The names of a team, joined."""
    return " + ".join(names[seat] for seat in team)


def points_text(points: int) -> str:
    """Points with their word, as in `3 points`."""
    return ngettext("%(num)s point", "%(num)s points", points) % {"num": number(points)}


class TeamBox(NamedTuple):
    """A team at the head of the page."""

    team: Team
    name: str
    score: int
    figures: tuple[Figure, ...]
    tally_text: str
    on_turn: Seat | None


def team_boxes(match: Match, names: Mapping[Seat, str]) -> list[TeamBox]:
    """The teams with their scores; marks are drawn from the net score after each settlement."""
    round_ = match.round if match.in_round and match.round and not match.round.ended else None
    return [
        TeamBox(
            team,
            team_name(team, names),
            score,
            figures_of(score, match),
            tally_text(score, match),
            round_.turn if round_ and round_.turn in team else None,
        )
        for team, score in zip(match.rules.teams, match.scores, strict=True)
    ]


def strokes(points: int, match: Match) -> int:
    """Tally strokes of a score: one for each five raw, none below zero (rules 7)."""
    return max(0, points // match.rules.points_per_five)


def figures_of(points: int, match: Match) -> tuple[Figure, ...]:
    """The tally figures of a score."""
    return tally(strokes(points, match))


def tally_text(points: int, match: Match) -> str:
    """The tally in words, for those who cannot see it."""
    drawn = strokes(points, match)
    return ngettext("Tally: %(num)s stroke", "Tally: %(num)s strokes", drawn) % {"num": drawn}


class Term(NamedTuple):
    """One worth of a count, and why."""

    text: str
    why: str


class Reason(NamedTuple):
    """A count written out: its terms and the doubles that count nothing."""

    terms: list[Term]
    silent: list[str]
    count: int
    result: str
    scores: bool


def reason_of(score: Score) -> Reason:
    """The sum in words and numbers."""
    return Reason(
        [Term(_term(end, score), _why(end, score)) for end in score.terms],
        [_("%(tile)s counts nothing: both its sides are covered.") % {"tile": tile} for tile in score.silent],
        score.count,
        points_text(score.points) if score.raw else _("no score"),
        bool(score.raw),
    )


def _term(end: OpenEnd, score: Score) -> str:
    return f"{end.tile} {end.worth}" if end.kind is EndKind.DOUBLE else str(end.worth)


def _why(end: OpenEnd, score: Score) -> str:
    if end.kind is EndKind.DOUBLE:
        return _("%(tile)s: a double with an uncovered side counts both halves, %(worth)s.") % {
            "tile": end.tile,
            "worth": end.worth,
        }
    if isinstance(score.of, Ends):
        return _("An end with %(pip)s.") % {"pip": end.pip}
    return _("%(tile)s: its free half counts %(worth)s.") % {"tile": end.tile, "worth": end.worth}


class Cell(NamedTuple):
    """One play of the grid: what the button shows, sends and is called."""

    pip: int
    play: str
    label: str


class Row(NamedTuple):
    """One open end of the grid; a cell is None where its tile is on the table."""

    pip: int
    tile: Tile
    kind: str
    cells: list[Cell | None]


def grid(round_: Round) -> list[Row]:
    """The open ends × 0–6: counting ends first, the heaviest number on top, then the branches."""
    ends = sorted(round_.layout.open_ends(), key=lambda end: (end.kind is EndKind.TIP, -end.pip))
    return [Row(end.pip, end.tile, _kind(end), [_cell(round_, end, pip) for pip in PIPS]) for end in ends]


def _kind(end: OpenEnd) -> str:
    if end.kind is EndKind.DOUBLE:
        return _("double")
    return _("branch") if end.kind is EndKind.TIP else ""


def _cell(round_: Round, end: OpenEnd, pip: int) -> Cell | None:
    tile = Tile.of(end.pip, pip)
    if round_.layout.has(tile):
        return None
    label = _("Play %(tile)s on %(onto)s") % {"tile": tile, "onto": end.tile}
    kind = _kind(end)
    return Cell(pip, f"{tile}>{end.tile}", f"{label}, {kind}" if kind else label)


def set_triangle() -> list[list[Tile]]:
    """The 28 tiles for the set, a row for each heavier half."""
    return [[tile for tile in DOUBLE_SIX if tile.heavy == pip] for pip in PIPS]


class MoveLine(NamedTuple):
    """A move in words: who, what, its count and points."""

    entry: int
    who: str
    what: str
    sum: str
    count: int | None
    points: int | None
    unscored: int


def move_line(move: Move, names: Mapping[Seat, str], match: Match) -> MoveLine:
    """One entry as a line of a list."""
    seat = getattr(move.event, "seat", None)
    scored = isinstance(move.event, events.Played | events.Counted | events.Scored)
    written = str(move.score).split(":")[0] if move.score else ""
    return MoveLine(
        move.entry,
        names.get(seat, "") if seat else "",
        describe(move.event, names, match),
        written,
        move.score.count if move.score else None,
        move.points if scored else None,
        move.unscored,
    )


def describe(event: Event, names: Mapping[Seat, str], match: Match) -> str:
    """What an entry says, without who did it."""
    match event:
        case events.RoundOpened(seat, by):
            name = {"name": names[seat]}
            if by == "out":
                return _("%(name)s opens after going out") % name
            return (_("%(name)s opens by lot") if by == "lot" else _("%(name)s opens, as agreed")) % name
        case events.Played(_seat, tile, onto):
            return _("%(tile)s on %(onto)s") % {"tile": tile, "onto": onto} if onto else str(tile)
        case events.Counted(_seat, ends):
            return _("ends %(ends)s") % {"ends": ends}
        case events.Scored():
            return _("points as called")
        case events.Drew(_seat, tiles):
            if tiles is None:
                return _("drew, nobody counted")
            return ngettext("drew %(num)s tile", "drew %(num)s tiles", tiles) % {"num": tiles}
        case events.Passed():
            return _("passes")
        case events.RoundEnded(out):
            return _("%(name)s goes out") % {"name": names[out]} if out else _("the round is blocked")
        case events.Settled():
            return _("leftovers")
        case events.Adjusted(team, points, reason):
            return _("%(name)s %(points)s: %(reason)s") % {
                "name": team_name(team, names),
                "points": signed(points),
                "reason": reason,
            }
        case events.Noted(text):
            return _("note: %(text)s") % {"text": text}
        case events.Closed(reason):
            return _("closed: %(text)s") % {"text": reason}
        case events.Undone() | events.Amended():
            return _("entry %(entry)s taken back or corrected") % {"entry": event.entry}


@dataclass(frozen=True)
class Undo:
    """What one undo takes back, and its name on the button."""

    entry: int
    text: str


def undo_of(match: Match, names: Mapping[Seat, str]) -> Undo | None:
    """The newest entry that can be taken back."""
    entry = last_undoable(match.log)
    if entry is None:
        return None
    event = match.log[entry - 1]
    seat = getattr(event, "seat", None)
    text = describe(event, names, match)
    if seat and not isinstance(event, events.RoundOpened):
        text = f"{names[seat]} {text}"
    return Undo(entry, text)


def redo_of(match: Match) -> int | None:
    """The undo that was the very last entry and still stands: taking it back is a redo."""
    last = len(match.log)
    if last and isinstance(match.log[-1], events.Undone) and last not in taken_back(match.log):
        return last
    return None


class HandLine(NamedTuple):
    """A hand at settlement: pips → rounded → points."""

    seat: Seat
    name: str
    tiles: str
    pips: int
    rounded: int
    points: int
    out: bool


class TeamLine(NamedTuple):
    """A team at settlement: its hands together, and the standing before and after."""

    name: str
    change: int
    before: int
    after: int


class SettlementLines(NamedTuple):
    """The working of a settled round."""

    hands: list[HandLine]
    teams: list[TeamLine]
    deducts: bool
    shared: bool


def settlement_lines(round_: Round, match: Match, names: Mapping[Seat, str]) -> SettlementLines | None:
    """Each hand rounded and deducted apart, each team added up; None before the settlement."""
    settlement = round_.settlement
    if settlement is None:
        return None
    left = dict(round_.left)
    hands = []
    for seat in match.rules.seats:
        if seat == round_.out:
            hands.append(HandLine(seat, names[seat], "", 0, 0, 0, True))
        else:
            hand = settlement.hands[seat]
            tiles = left[seat].tiles
            shown = " ".join(map(str, tiles)) if tiles is not None else ""
            hands.append(HandLine(seat, names[seat], shown, hand.pips, hand.rounded, hand.points, False))
    teams = [
        TeamLine(team_name(team, names), after - before, before, after)
        for team, before, after in zip(
            match.rules.teams, round_.before_settlement, round_.after_settlement, strict=True
        )
    ]
    return SettlementLines(hands, teams, match.rules.settlement == "deduct-own", settlement.shared)


def status_text(match: Match, names: Mapping[Seat, str]) -> str:
    """Where the match stands, in a sentence; empty while there is nothing to say."""
    fields = {
        "target": match.rules.target,
        "name": _(" and ").join(team_name(team, names) for team in match.leaders),
        "score": number(max(match.scores)),
    }
    match match.status:
        case Status.REACHED:
            return _("%(name)s has reached %(target)s. Finish the round: what counts is the score after settlement.") % fields
        case Status.FELL_BACK:
            return _("%(target)s was reached in play, but not any more after settlement. The match goes on.") % fields
        case Status.TIE:
            return _("Tie at %(score)s: %(name)s. Everybody plays one more round.") % fields
        case Status.WON:
            return _("%(name)s wins the match with %(score)s.") % fields
        case Status.CLOSED:
            return _("The match was closed without a winner.")
        case _:
            return ""


def checks_off(round_: Round) -> str:
    """Which checks are off in this round, in a sentence; empty while all are on."""
    if round_.known is Known.ALL:
        return ""
    if Known.LAYOUT not in round_.known:
        return _("This round is kept by counts or points: tiles, draws, passes and turns are not checked.")
    return _("The number of tiles in the hands is not known: draws, passes and going out are not checked.")


def lot_lines(round_: Round, names: Mapping[Seat, str]) -> list[str]:
    """Each drawing of the lot that the app held: who drew what, the most pips first."""
    opened = round_.moves[0].event
    if not isinstance(opened, events.RoundOpened):
        return []
    return [
        ", ".join(f"{names[seat]} {tile} ({tile.pips})" for seat, tile in sorted(draws, key=lambda one: -one[1].pips))
        for draws in opened.lots
    ]


def finding_lines(round_: Round, match: Match, names: Mapping[Seat, str]) -> list[str]:
    """What the tiles shown at settlement prove about passes and draws, each with its proof in words."""
    return [
        " ".join(say_sentence(step.sentence, step.fields, names) for step in finding.proof)
        for finding in audit(round_, match.rules)
    ]


class Called(NamedTuple):
    """A seat with its name."""

    seat: Seat
    name: str


@dataclass(frozen=True)
class TablePage:
    """Everything the table page shows."""

    match: Match
    round: Round | None
    names: Mapping[Seat, str]
    boxes: list[TeamBox]
    phase: str  # open, set, play, settle or over
    turn: Called | None
    status: str
    plan: Plan | None
    marks: Mapping[tuple[Tile, int], int]
    last: MoveLine | None
    reason: Reason | None
    rows: list[Row]
    drawable: int | None
    undo: Undo | None
    redo: int | None
    settlement: SettlementLines | None
    next_opener: Called | None
    seats: list[Called]
    unseen: tuple[Tile, ...]
    held: Mapping[Seat, int | None]
    moves: list[MoveLine]
    checks_off: str
    lots: list[str]
    findings: list[str]


def table_page(match: Match) -> TablePage:
    """The table page of a match as it stands."""
    names = shown_names(match)
    round_ = match.round
    shown = round_.layout if round_ else None
    last = next((m for m in reversed(round_.moves) if m.score or m.points), None) if round_ else None
    sure = round_ is not None and Known.HANDS in round_.known
    opener = match.next_opener
    return TablePage(
        match=match,
        round=round_,
        names=names,
        boxes=team_boxes(match, names),
        phase=_phase(match),
        turn=Called(round_.turn, names[round_.turn]) if round_ and not round_.ended else None,
        status=status_text(match, names),
        plan=plan(shown.plays, spinners=match.rules.spinners) if shown and shown.plays else None,
        marks={(end.tile, end.pip): end.worth for end in shown.open_ends()} if shown else {},
        last=move_line(last, names, match) if last else None,
        reason=reason_of(last.score) if last and last.score else None,
        rows=grid(round_) if round_ else [],
        drawable=round_.boneyard - match.rules.reserve if round_ and sure else None,
        undo=undo_of(match, names),
        redo=redo_of(match),
        settlement=settlement_lines(round_, match, names) if round_ else None,
        next_opener=Called(opener, names[opener]) if opener else None,
        seats=[Called(seat, name) for seat, name in names.items()],
        unseen=shown.unplayed() if shown else (),
        held={
            seat: tiles if sure else None
            for seat, tiles in zip(match.rules.seats, round_.hands if round_ else (), strict=bool(round_))
        },
        moves=[move_line(move, names, match) for move in round_.moves] if round_ else [],
        checks_off=checks_off(round_) if round_ else "",
        lots=lot_lines(round_, names) if round_ else [],
        findings=finding_lines(round_, match, names) if round_ and round_.settlement else [],
    )


def _phase(match: Match) -> str:
    round_ = match.round
    if match.status in (Status.WON, Status.CLOSED):
        return "over"
    if round_ is None or not match.in_round:
        return "open"
    if round_.ended:
        return "settle"
    return "play" if round_.layout.plays else "set"

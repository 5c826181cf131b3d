"""What a page may print of a match: values only, every decision made here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.engine import events
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.log import last_redoable, last_taken_out, last_undoable
from fiveup_ref.engine.match import Known, Match, Round
from fiveup_ref.engine.seats import Seat, Team
from fiveup_ref.engine.steps import step
from fiveup_ref.engine.tiles import Tile

from .calling import kept_by_points
from .grid import Rows, grid
from .language import gettext as _
from .language import number, signed
from .preview import attention_lines
from .standing import Marks, marks_of
from .words import (
    MoveLine,
    Reason,
    checks_off,
    lot_lines,
    move_line,
    move_lines,
    points_text,
    proofs,
    reason_of,
    said,
    shown_names,
    status_text,
    taken_text,
    team_name,
    told,
)


class TeamBox(NamedTuple):
    """A team at the head of the page."""

    team: Team
    name: str
    score: int
    marks: Marks
    on_turn: Seat | None


def team_boxes(match: Match, names: Mapping[Seat, str]) -> list[TeamBox]:
    """The teams with their scores and the marks that the table wants of them."""
    turn = on_turn(match)
    return [
        TeamBox(
            team,
            team_name(team, names),
            score,
            marks_of(match, index, rings=match.rings),
            turn if turn and turn in team else None,
        )
        for index, (team, score) in enumerate(zip(match.rules.teams, match.scores, strict=True))
    ]


def on_turn(match: Match) -> Seat | None:
    """Who is to play; None where nobody is, or where turns are not kept because only points are called."""
    round_ = match.round
    return round_.turn if round_ and _phase(match) in ("set", "play") and not kept_by_points(round_) else None


@dataclass(frozen=True)
class Undo:
    """What one undo takes back, and its name on the button."""

    entry: int
    text: str


def undo_of(match: Match, names: Mapping[Seat, str]) -> Undo | None:
    """The newest step that can be taken back; of what took an entry out, which one it was."""
    entry = last_undoable(match.log)
    if entry is None:
        return None
    event = match.log[entry - 1]
    taken = match.log[event.entry - 1] if isinstance(event, events.Undone) else None
    if taken and not isinstance(taken, events.Undone):
        return Undo(entry, _("taking out %(what)s") % {"what": said(taken, names)})
    if isinstance(event, events.PointedOut):
        return Undo(entry, _("muggins by %(name)s") % {"name": names[event.seat]})
    return Undo(entry, said(event, names))


class Mending(NamedTuple):
    """A round that later entries wait for: what is missing goes in before entry `place`; `back` undoes a take-out."""

    number: int
    place: int
    back: Undo | None


def _mending(match: Match, names: Mapping[Seat, str]) -> Mending:
    """Before the first entry that fell something is missing; what was taken out last may be that."""
    place = next(one.entry for one in match.fallen if not isinstance(one.event, events.Affair))
    entry = last_taken_out(match.log)
    event = match.log[entry - 1] if entry else None
    back = Undo(entry, said(match.log[event.entry - 1], names)) if entry and isinstance(event, events.Undone) else None
    return Mending(match.mending, place, back)


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
    """The working of a settled round.

    `taken` says what the others had left where a winner takes it; `unscored` that a gain would have overshot.
    """

    hands: list[HandLine]
    teams: list[TeamLine]
    deducts: bool
    shared: bool
    taken: str
    unscored: bool


def settlement_lines(round_: Round, match: Match, names: Mapping[Seat, str]) -> SettlementLines | None:
    """Each hand rounded and deducted apart, each team added up; None before the settlement."""
    settlement = round_.settlement
    if settlement is None:
        return None
    left = dict(round_.left)
    hands = []
    for seat in match.rules.seats:
        if seat == round_.out:
            hands.append(HandLine(seat, names[seat], "", 0, 0, 0, out=True))
        else:
            hand = settlement.hands[seat]
            tiles = left[seat].tiles
            shown = " ".join(map(str, tiles)) if tiles is not None else ""
            hands.append(HandLine(seat, names[seat], shown, hand.pips, hand.rounded, hand.points, out=False))
    teams = [
        TeamLine(team_name(team, names), after - before, before, after)
        for team, before, after in zip(
            match.rules.teams, round_.before_settlement, round_.after_settlement, strict=True
        )
    ]
    changes = [line.change for line in teams]
    return SettlementLines(
        hands,
        teams,
        match.rules.settlement == "deduct-own",
        settlement.shared,
        taken_text(settlement),
        changes != list(settlement.teams.values()),
    )


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
    phase: str  # open, set, play, settle, mend or over
    turn: Called | None
    status: str
    plan: Plan | None
    marks: Mapping[tuple[Tile, int], int]
    last: MoveLine | None
    reason: Reason | None
    grid: list[Rows]
    known_layout: bool
    sure: bool
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
    adjusted: list[str]
    lots: list[str]
    proofs: list[list[str]]
    fallen: list[str]
    mending: Mending | None
    false_claim: str
    takers: list[Called]
    said: str


def table_page(match: Match) -> TablePage:
    """The table page of a match as it stands."""
    names = shown_names(match)
    round_ = match.round
    shown = round_.layout if round_ else None
    last = next((m for m in reversed(round_.moves) if m.score or m.points or m.unscored), None) if round_ else None
    score = last.took.score if last and last.took else last.score if last else None
    sure = round_ is not None and Known.HANDS in round_.known
    opener = match.next_opener
    phase = _phase(match)
    seat = on_turn(match)
    turn = Called(seat, names[seat]) if seat else None
    status = status_text(match, names)
    line = move_line(last, names) if last else None
    settlement = settlement_lines(round_, match, names) if round_ else None
    return TablePage(
        match=match,
        round=round_,
        names=names,
        boxes=team_boxes(match, names),
        phase=phase,
        turn=turn,
        status=status,
        plan=plan(shown.plays, spinners=match.rules.spinners)
        if shown and shown.plays and round_ and Known.LAYOUT in round_.known
        else None,
        marks={(end.tile, end.pip): end.worth for end in shown.open_ends()} if shown else {},
        last=line,
        reason=reason_of(score) if score else None,
        grid=grid(round_.layout, match.rules, previews=match.previews) if round_ else [],
        known_layout=round_ is not None and Known.LAYOUT in round_.known,
        sure=sure,
        drawable=round_.boneyard - match.rules.reserve if round_ and sure else None,
        undo=undo_of(match, names),
        redo=last_redoable(match.log),
        settlement=settlement,
        next_opener=Called(opener, names[opener]) if opener else None,
        seats=[Called(seat, name) for seat, name in names.items()],
        unseen=shown.unplayed() if shown else (),
        held={
            seat: tiles if sure else None
            for seat, tiles in zip(match.rules.seats, round_.hands if round_ else (), strict=bool(round_))
        },
        moves=move_lines(round_.moves, names) if round_ else [],
        checks_off=checks_off(round_) if round_ else "",
        adjusted=_adjusted(match, names),
        lots=lot_lines(round_, names) if round_ else [],
        proofs=proofs(round_, match, names) if round_ and round_.settlement else [],
        said=_said(match, names, settlement, line, status, turn),
        fallen=attention_lines(match),
        mending=_mending(match, names) if phase == "mend" else None,
        false_claim=points_text(match.rules.false_claim),
        takers=[Called(team[0], team_name(team, names)) for team in match.rules.teams if _may_take(match, team)],
    )


def _said(
    match: Match,
    names: Mapping[Seat, str],
    settlement: SettlementLines | None,
    last: MoveLine | None,
    status: str,
    turn: Called | None,
) -> str:
    """What the newest entry brought, for those who hear it."""
    log = match.log
    newest = log[-1] if log else None
    news = ""
    if settlement and isinstance(newest, events.Settled):
        news = _settled(match.rounds[-1].number, settlement)
    elif last and last.entry == len(log):
        worth = points_text(last.points) if last.points else _("no score")
        news = f"{last.who} {last.what}. {last.sum}: {worth}." if last.sum else f"{last.who} {last.what}: {worth}."
        news = f"{news} {last.note}" if last.note else news
    elif isinstance(newest, events.Undone):
        news = _("Taken back: %(what)s.") % {"what": said(log[newest.entry - 1], names)}
    elif newest:
        news = f"{said(newest, names)}."
    round_ = match.round
    if isinstance(newest, events.Drew) and round_ and Known.HANDS in round_.known:
        news += " " + _("%(num)s left") % {"num": round_.boneyard - match.rules.reserve} + "."
    next_ = _("%(name)s is on turn.") % {"name": turn.name} if turn else ""
    return " ".join(filter(None, (news, status, next_)))


def _settled(round_number: int, lines: SettlementLines) -> str:
    """What a settlement made of each side's score."""
    teams = [
        f"{one.name}: {number(one.before)} {signed(one.change) if one.change else '± 0'} = {number(one.after)}."
        for one in lines.teams
    ]
    why = [_("It would overshoot the exact target, so it is not scored.")] if lines.unscored else []
    return " ".join([_("Settlement of round %(number)s") % {"number": round_number} + ".", *teams, *why])


def _adjusted(match: Match, names: Mapping[Seat, str]) -> list[str]:
    """What else changed the scores since the last score or settlement: adjustments, and a correction just made."""
    lines: list[str] = []
    for move in reversed(match.steps):
        if isinstance(move.event, events.Adjusted):
            lines.insert(0, said(move.event, names))
        elif move.points or isinstance(move.event, events.Settled):
            break
    for newest in match.log[-1:]:
        long_past = isinstance(newest, events.Undone) and newest.entry < len(match.log) - 1
        if isinstance(newest, events.Amended | events.Inserted) or long_past:
            lines.append(f"{told(newest, match)}.")
    return lines


def _may_take(match: Match, team: Team) -> bool:
    """Whether this side may take the last score, if it was missed."""
    if match.mending:
        return False
    try:
        step(match, len(match.log) + 1, events.PointedOut(team[0]))
    except RulesError:
        return False
    return True


def _phase(match: Match) -> str:
    round_ = match.round
    if match.over:
        return "over"
    if match.mending:
        return "mend"
    if round_ is None or not match.in_round:
        return "open"
    if round_.ended:
        return "settle"
    return "set" if Known.LAYOUT in round_.known and not round_.layout.plays else "play"

"""What the match sheet prints of a match: values only, every decision made here."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from fiveup_ref.drawing.chart import Chart, chart
from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.drawing.steps import steps
from fiveup_ref.drawing.tally import Style
from fiveup_ref.engine.events import Settled, to_row
from fiveup_ref.engine.match import Known, Match, Round
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Saved

from .mended import Correction, corrections
from .pages import SettlementLines, TeamBox, settlement_lines, team_boxes
from .standing import Standing, standing
from .words import MoveLine, describe, lot_lines, move_lines, proofs, standing_text, status_text

_LINES_BY_HAND: Final = 8
_LONGEST_IN_COLUMN: Final = 10


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


@dataclass(frozen=True)
class Sheet:
    """Everything the sheet shows; rounds, corrections and chart are printed by the full form only."""

    saved: Saved
    match: Match
    names: Mapping[Seat, str]
    brief: Mapping[Seat, str]
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
    over = match.over
    return Sheet(
        saved=saved,
        match=match,
        names=names,
        brief=_brief(names),
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


def code(saved: Saved) -> str:
    """Eight letters and digits as in `K7QF-2M9X`: a sheet can be compared with the app.

    They change with the title, a name, a rule, or anything entered that stands.
    """
    match = saved.match
    stands = [to_row(move.event) for move in match.steps]
    said_so = json.dumps([saved.title, saved.started.isoformat(), match.rules.row(), match.players, stands])
    letters = base64.b32encode(hashlib.sha256(said_so.encode()).digest()[:5]).decode()
    return f"{letters[:4]}-{letters[4:]}"

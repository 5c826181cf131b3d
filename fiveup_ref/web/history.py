"""The history of a match: its log in plain words, and each round step by step."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.engine.course import stages
from fiveup_ref.engine.events import Settled
from fiveup_ref.engine.match import Known, Match, Move, Round

from .log_lines import chapters
from .matches import store
from .pages import SettlementLines, TeamBox, settlement_lines, team_boxes
from .preview import attention
from .words import MoveLine, Reason, checks_off, lot_lines, move_line, reason_of, said, shown_names, status_text


def blueprint() -> Blueprint:
    """The history of matches."""
    pages = Blueprint("history", __name__)
    pages.add_url_rule("/m/<match_id>/history", "history", _history)
    pages.add_url_rule("/m/<match_id>/round/<number:number>/<number:step>", "step", _step)
    return pages


def _history(match_id: str) -> str:
    saved = store().load(match_id)
    names = shown_names(saved.match)
    return render_template(
        "history.html",
        saved=saved,
        boxes=team_boxes(saved.match, names),
        status=status_text(saved.match, names),
        attention=attention(saved.match),
        chapters=chapters(saved),
    )


class StepPage(NamedTuple):
    """A round right after one of its steps."""

    boxes: list[TeamBox]
    text: str
    line: MoveLine
    reason: Reason | None
    plan: Plan | None
    label: str
    marks: dict[tuple[object, int], int]
    settlement: SettlementLines | None
    checks_off: str
    lots: list[str]


def step_page(match: Match, round_: Round, move: Move) -> StepPage:
    """The round as it was after `move`, one of its moves; by all corrections that stand now."""
    stage = next(stage for entry, stage in stages(match) if entry == move.entry)
    names = shown_names(match)
    now = stage.rounds[-1]
    known = Known.LAYOUT in now.known and now.layout.plays
    return StepPage(
        team_boxes(stage, names),
        said(move.event, names),
        move_line(move, names),
        reason_of(move.score) if move.score else None,
        plan(now.layout.plays, spinners=match.rules.spinners) if known else None,
        str(now.layout),
        {(end.tile, end.pip): end.worth for end in now.layout.open_ends()},
        settlement_lines(now, stage, names) if isinstance(move.event, Settled) else None,
        checks_off(now),
        lot_lines(round_, names) if move is round_.moves[0] else [],
    )


def _step(match_id: str, number: int, step: int) -> str | BaseResponse:
    saved = store().load(match_id)
    match = saved.match
    if number > len(match.rounds):
        abort(404)
    round_ = match.rounds[number - 1]
    last = len(round_.moves)
    if step > last:  # a link from before a correction that made the round shorter
        return redirect(url_for("history.step", match_id=match_id, number=number, step=last), 303)
    names = shown_names(match)
    return render_template(
        "step.html",
        saved=saved,
        page=step_page(match, round_, round_.moves[step - 1]),
        round=round_,
        rounds=len(match.rounds),
        step=step,
        last=last,
        steps=[said(move.event, names) for move in round_.moves],
        attention=attention(match),
    )

"""The match sheet, for paper."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, render_template

from fiveup_ref.engine.events import Settled
from fiveup_ref.engine.match import Match, Round
from fiveup_ref.engine.rules import PRESETS

from .matches import store
from .pages import SettlementLines, figures_of, settlement_lines, team_boxes
from .words import MoveLine, describe, move_lines, net, shown_names, status_text, tally_text, team_name


def blueprint() -> Blueprint:
    """The sheets of matches."""
    pages = Blueprint("sheets", __name__)
    pages.add_url_rule("/m/<match_id>/sheet", "sheet", _sheet)
    return pages


class SheetRound(NamedTuple):
    """One round on paper."""

    round: Round
    opened: str
    moves: list[MoveLine]
    settlement: SettlementLines | None


class Column(NamedTuple):
    """A team's two columns: what was scored and what was deducted in each round, and the net score."""

    name: str
    rounds: list[tuple[int, int, int]]
    net: int
    running: int | None
    tally: tuple[object, ...]
    tally_text: str


def columns(match: Match) -> list[Column]:
    """Scored, changed at settlement and the standing after each settled round, for each team."""
    names = shown_names(match)
    result = []
    for index, team in enumerate(match.rules.teams):
        rounds = [
            (
                round_.scored[index],
                round_.after_settlement[index] - round_.before_settlement[index],
                round_.after_settlement[index],
            )
            for round_ in match.rounds
            if round_.settlement is not None
        ]
        points = net(match, index)
        running = match.scores[index] if match.scores[index] != points else None
        marks = figures_of(points, match)
        result.append(Column(team_name(team, names), rounds, points, running, marks, tally_text(points, match)))
    return result


def _sheet(match_id: str) -> str:
    saved = store().load(match_id)
    match = saved.match
    names = shown_names(match)
    return render_template(
        "sheet.html",
        saved=saved,
        match=match,
        names=names,
        boxes=team_boxes(match, names),
        columns=columns(match),
        settled=[round_.number for round_ in match.rounds if round_.settlement is not None],
        rounds=[
            SheetRound(
                round_,
                describe(round_.moves[0].event, names),
                move_lines([move for move in round_.moves[1:] if not isinstance(move.event, Settled)], names),
                settlement_lines(round_, match, names),
            )
            for round_ in match.rounds
        ],
        preamble=move_lines(match.preamble, names),
        house_rules=match.rules.changes(),
        game=PRESETS[match.rules.preset].name,
        status=status_text(match, names),
    )

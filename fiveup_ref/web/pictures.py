"""Pictures of a match: cribbage board and score chart on a page, tallies and rounds as files to share."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Final, NamedTuple

from flask import Blueprint, Response, abort, render_template, request, send_file

from fiveup_ref.drawing.chart import chart
from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.drawing.pegboard import Board, Pegs, hole_of, lap_of, pegboard
from fiveup_ref.drawing.steps import last_two, steps
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Saved

from .language import gettext as _
from .language import number
from .matches import store
from .printing import png, printable
from .scoresheet import is_laid
from .sheets import file_name, wishes
from .standing import Standing, marks_of, standing
from .words import game_text, house_rules, shown_names, shown_title, team_name

_PIXELS: Final = 1200
_TITLE: Final = 0.9
_LINE: Final = 0.75
_SMALL: Final = 0.6
_EM: Final = 0.62  # the width of a letter in any usual font, W and its like apart


def blueprint() -> Blueprint:
    """The page of pictures, and pictures by themselves."""
    pages = Blueprint("pictures", __name__)
    pages.add_url_rule("/m/<match_id>/pictures", "pictures", _pictures)
    pages.add_url_rule("/m/<match_id>/tally/<team>.svg", "tally", _tally)
    pages.add_url_rule("/m/<match_id>/round/<number:round_number>.svg", "round_svg", _round_svg)
    pages.add_url_rule("/m/<match_id>/round/<number:round_number>.png", "round_png", _round_png)
    return pages


class PegLine(NamedTuple):
    """A team on the cribbage board, in words."""

    name: str
    text: str


def pegs_of(match: Match) -> list[Pegs]:
    """The pegs of each team: a hole for each five raw, whatever the unit of the sheet."""
    each = match.rules.points_per_five
    return [Pegs(*(score // each for score in last_two(match, team))) for team in range(len(match.rules.teams))]


def _hole(score: int) -> str:
    if score <= 0:
        return _("before the first hole")
    if lap_of(score) == 1:
        return _("hole %(hole)s") % {"hole": hole_of(score)}
    return _("hole %(hole)s of lap %(lap)s") % {"hole": hole_of(score), "lap": lap_of(score)}


def _peg_lines(match: Match, names: Mapping[Seat, str]) -> list[PegLine]:
    return [
        PegLine(
            team_name(team, names),
            _("front peg %(front)s, back peg %(back)s") % {"front": _hole(pegs.front), "back": _hole(pegs.back)},
        )
        for team, pegs in zip(match.rules.teams, pegs_of(match), strict=True)
    ]


class PicturesPage(NamedTuple):
    """Everything the page of pictures shows; `drawn` are the rounds that have a picture of their layout."""

    match: Match
    board: Board
    pegs: list[PegLine]
    standing: Standing
    drawn: list[int]


def _pictures(match_id: str) -> str:
    saved = store().load(match_id)
    match, names = saved.match, shown_names(saved.match)
    page = PicturesPage(
        match,
        pegboard(pegs_of(match)),
        _peg_lines(match, names),
        standing(match, names),
        [round_.number for round_ in match.rounds if is_laid(round_)],
    )
    drawn = chart(steps(match), teams=len(match.rules.teams), target=match.rules.target)
    return render_template("pictures.html", saved=saved, page=page, chart=drawn)


def _tally(match_id: str, team: str) -> Response:
    match = store().load(match_id).match
    teams = [str(one) for one in match.rules.teams]
    if team not in teams:
        abort(404)
    wished = wishes(rings=match.rings)
    marks = marks_of(match, teams.index(team), style=wished.style, rings=wished.rings)
    return Response(render_template("tally.html", marks=marks).strip(), mimetype="image/svg+xml")


class Caption(NamedTuple):
    """A line of text in a picture: its size and the height of its base line, in units of half a tile."""

    text: str
    size: float
    y: float


class RoundPicture(NamedTuple):
    """The layout of a round with what is said above and below it; `top` and `height` are those of the whole picture."""

    plan: Plan
    marks: Mapping[tuple[Tile, int], int]
    label: str
    captions: list[Caption]
    top: float
    height: float


def round_picture(saved: Saved, round_number: int, names: Mapping[Seat, str]) -> RoundPicture | None:
    """The picture of a round; None where there is no such round, or nobody entered its tiles."""
    match = saved.match
    round_ = next((one for one in match.rounds if one.number == round_number), None)
    if round_ is None or not is_laid(round_):
        return None
    drawn = plan(round_.layout.plays, spinners=match.rules.spinners)
    view = drawn.frame
    head = f"{shown_title(saved)} · {_('Round %(number)s') % {'number': round_number}}"
    if round_.out:
        how = _("%(name)s goes out") % {"name": names[round_.out]}
    else:
        how = _("the round is blocked") if round_.ended else _("so far")
    scores = round_.after_settlement or match.scores
    teams = [
        f"{number(score)}  {team_name(team, names)}" for team, score in zip(match.rules.teams, scores, strict=True)
    ]
    if not round_.after_settlement:
        how = f"{how} · {_('before settlement')}"
    below = list(_captions([(team, _LINE) for team in teams], view.w, view.y + view.h))
    if house_rules(match.rules):
        wide = int((view.w - 0.6) / (_SMALL * _EM))
        below += _captions([(line, _SMALL) for line in wrap(game_text(match.rules), wide)], view.w, below[-1].y)
    above = list(_captions([(head, _TITLE), (how, _LINE)], view.w, view.y - 2.4))
    layout = _("The layout: %(plays)s") % {"plays": round_.layout}
    top = view.y - 2.6
    return RoundPicture(
        drawn,
        {(end.tile, end.pip): end.worth for end in round_.layout.open_ends()},
        f"{head}: {how}. {layout}" + (f". {game_text(match.rules)}" if house_rules(match.rules) else ""),
        [*above, *below],
        top,
        below[-1].y + 0.6 - top,
    )


def _captions(lines: Iterable[tuple[str, float]], width: float, y: float) -> Iterable[Caption]:
    for text, size in lines:
        y += 1.1
        yield Caption(text, round(min(size, (width - 0.6) / _ems(text)), 3), round(y, 2))


def _ems(text: str) -> float:
    """No narrower than the text in any usual font, in units of its size."""
    wide = sum(letter in "WMwm@%" or unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return _EM * len(text) + 0.45 * wide + 0.1


def _round_markup(saved: Saved, round_number: int, names: Mapping[Seat, str]) -> str:
    picture = round_picture(saved, round_number, names)
    if picture is None:
        abort(404)
    return render_template("round.html", picture=picture).strip()


def _round_svg(match_id: str, round_number: int) -> Response:
    saved = store().load(match_id)
    return Response(_round_markup(saved, round_number, shown_names(saved.match)), mimetype="image/svg+xml")


def _round_png(match_id: str, round_number: int) -> Response:
    saved = store().load(match_id)
    markup = printable(_round_markup(saved, round_number, shown_names(saved.match)))
    name = file_name(saved, _("Round %(number)s") % {"number": round_number})
    picture = io.BytesIO(png(markup, width=_PIXELS))
    return send_file(picture, mimetype="image/png", download_name=f"{name}.png", as_attachment="save" in request.args)

"""The desk for one match: who has won and opens, blocked or not, and every pass and draw with its proof."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from flask import Blueprint, Response, render_template, url_for

from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.engine.events import Counted, Scored
from fiveup_ref.engine.findings import Wrong
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.match import Known, Match, Round
from fiveup_ref.engine.round_rulings import rule_on_round
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.standing_rulings import rule_on_match, rule_on_opener
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.engine.verdicts import Proof, Verdict, verdicts

from .asking import address_of
from .language import gettext as _
from .matches import store
from .ruled import Ruled, as_json, lines, ruled
from .words import MoveLine, checks_off, move_lines, shown_names


class Drawn(NamedTuple):
    """A layout to draw, with the worths of its ends, and a caption."""

    plan: Plan
    marks: dict[tuple[Tile, int], int]
    label: str
    caption: str


class Judged(NamedTuple):
    """One pass, draw or call with its verdict: the headline, the proof, the layout it was made on, and what fitted."""

    entry: int
    proof: str
    headline: str
    steps: list[str]
    drawn: list[Drawn]


class RoundJudged(NamedTuple):
    """All of a round, and which checks are off in it."""

    number: int
    found: list[Judged]
    checks_off: str
    moves: list[MoveLine]


class Link(NamedTuple):
    """A question about the match that the desk answers on a page of its own."""

    title: str
    address: str


def blueprint() -> Blueprint:
    """The desk of a match."""
    pages = Blueprint("match_judge", __name__)
    pages.add_url_rule("/m/<match_id>/judge", "judge", _judge)
    pages.add_url_rule("/m/<match_id>/judge.json", "answer", _answer)
    return pages


def _judge(match_id: str) -> str:
    saved = store().load(match_id)
    match = saved.match
    return render_template(
        "judge_match.html",
        saved=saved,
        title=_("Settle a dispute"),
        rulings=_rulings(match),
        links=_links(match),
        rounds=[] if match.fallen else [_round(one, match) for one in reversed(match.rounds)],
        fallen=bool(match.fallen),
    )


def _answer(match_id: str) -> Response:
    """The same words as values."""
    match = store().load(match_id).match
    rounds = [] if match.fallen else [_round(one, match) for one in match.rounds]
    value = {
        "rulings": [{"question": title, **as_json(one)} for title, one in _rulings(match)],
        "rounds": [
            {
                "round": one.number,
                "checks_off": one.checks_off,
                "found": [
                    {"entry": found.entry, "proof": found.proof, "ruling": found.headline, "steps": found.steps}
                    for found in one.found
                ],
            }
            for one in rounds
        ],
    }
    return Response(json.dumps(value, ensure_ascii=False), mimetype="application/json")


def _rulings(match: Match) -> list[tuple[str, Ruled]]:
    """What the entries answer by themselves."""
    names = shown_names(match)
    found = [(_("Who has won?"), rule_on_match(match))]
    if not match.over:
        if not match.in_round:
            opener = rule_on_opener(match.next_opener, first=not match.rounds, double_opens=match.rules.double_opens)
            found.insert(0, (_("Who opens?"), opener))
        elif blocked := rule_on_round(match):
            found.insert(0, (_("Blocked or not?"), blocked))
    return [(title, ruled(one, names)) for title, one in found]


def _links(match: Match) -> list[Link]:
    """Questions that need an answer of the table, with what the match knows filled in."""
    round_, rules = match.round, match.rules
    links = []
    laid = _what_lies(round_) if round_ else {}
    if laid:
        links.append(_link(rules, _("Is that count right?"), "count", **laid))
    if "plays" in laid and round_ and not round_.ended:
        links.append(_link(rules, _("May it go there?"), "place", **laid))
    if round_ and not round_.ended and Known.HANDS in round_.known:
        drawable = round_.boneyard - rules.reserve
        links.append(_link(rules, _("One more tile or stop?"), "turn", drawable=drawable))
    if match.in_round:
        links.append(_link(rules, _("What do these leftovers cost?"), "left"))
    links.append(Link(_("Other questions"), url_for("judge.desk", **address_of(rules))))
    return links


def _link(rules: Rules, title: str, question: str, **known: Any) -> Link:
    """A question about this match, with its game and every house rule of it."""
    return Link(title, url_for("judge.ask", question=question, **address_of(rules), **known))


def _what_lies(round_: Round) -> dict[str, Any]:
    """The layout as far as it is known, else the ends as they were last called."""
    if Known.LAYOUT in round_.known:
        return {"plays": str(round_.layout)} if round_.layout.plays else {}
    last = next((move.event for move in reversed(round_.moves) if isinstance(move.event, Counted | Scored)), None)
    return {"ends": str(last.ends)} if isinstance(last, Counted) else {}


def _round(round_: Round, match: Match) -> RoundJudged:
    found = [judged(one, match) for one in verdicts(round_, match.rules)]
    return RoundJudged(round_.number, found, checks_off(round_), move_lines(round_.moves, shown_names(match)))


def judged(verdict: Verdict, match: Match) -> Judged:
    """A verdict in words, with the layout it was made on, and with each tile that proves it wrong laid there."""
    names = shown_names(match)
    layout = verdict.layout
    drawn = [_drawn(layout, _("The layout at that moment"))] if layout.plays else []
    for tile, onto in verdict.places:
        fitted = _("%(tile)s on %(onto)s") % {"tile": tile, "onto": onto}
        drawn.append(_drawn(layout.play(tile, onto), _("It fitted: %(play)s") % {"play": fitted}))
    headline = _headlines()[verdict.kind][verdict.proof] % {"name": names[verdict.seat]}
    return Judged(verdict.entry, str(verdict.proof), headline, lines(verdict.steps, names), drawn)


def _drawn(layout: Layout, caption: str) -> Drawn:
    marks = {(end.tile, end.pip): end.worth for end in layout.open_ends()}
    label = _("The layout: %(plays)s") % {"plays": layout}
    return Drawn(plan(layout.plays, spinners=layout.spinners), marks, label, caption)


def _headlines() -> dict[Wrong, dict[Proof, str]]:
    return {
        Wrong.PASSED: {
            Proof.WRONG: _("%(name)s passed: proved wrong."),
            Proof.RIGHT: _("%(name)s passed: proved right."),
            Proof.NONE: _("%(name)s passed: not provable."),
        },
        Wrong.DREW: {
            Proof.WRONG: _("%(name)s drew: proved wrong."),
            Proof.RIGHT: _("%(name)s drew: proved right."),
            Proof.NONE: _("%(name)s drew: not provable."),
        },
        Wrong.CALLED_BLOCKED: {
            Proof.WRONG: _("Blocked though %(name)s could play: proved."),
            Proof.RIGHT: _("%(name)s could not play when the round was called blocked: proved."),
            Proof.NONE: _("Whether %(name)s could play when the round was called blocked: not provable."),
        },
    }

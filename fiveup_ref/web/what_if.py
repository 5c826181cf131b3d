"""What a match would have come to by other rules: looked at beside the match, which stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from flask import Blueprint, render_template, request

from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import RulesChanged, Settled
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.match import Match, Move
from fiveup_ref.engine.rules import FIELDS, PRESETS, Rules
from fiveup_ref.rule_sets import RuleSet

from .affairs import beside
from .language import gettext as _
from .language import say
from .matches import store
from .new_match import HouseLine, game_of, house_lines
from .preview import Change, compared, made
from .words import game_text, said, shown_names, standing_text

_DEALT: Final = ("hand", "reserve")
"""What was dealt was dealt: these stay as they are in the match."""


def blueprint() -> Blueprint:
    """The page of other rules."""
    pages = Blueprint("what_if", __name__)
    pages.add_url_rule("/m/<match_id>/what-if", "what_if", _what_if)
    return pages


def otherwise(match: Match, rules: Rules) -> Match:
    """The same entries by other rules; those that they do not allow have fallen."""
    fields = tuple((name, write(getattr(rules, name))) for name, (_read, write) in FIELDS.items())
    return replay(*match.start, (*match.log, RulesChanged(fields)))


def _what_if(match_id: str) -> str | tuple[str, int]:
    saved = store().load(match_id)
    match = saved.match
    sets = store().rule_sets.all()
    lines = [line for line in house_lines(request.args) if line.field not in _DEALT]
    value = request.args.get("game", "")
    chosen = game_of(value, sets)
    rules, refusal = _rules(match, chosen, lines) if chosen else (None, _("Choose a game.") if value else "")
    after = otherwise(match, rules) if rules else None
    names = shown_names(match)
    page = render_template(
        "what_if.html",
        saved=saved,
        games=[*((name, _(name)) for name in PRESETS), *((one.id, one.name) for one in sets)],
        value=value or next((name for name in PRESETS if name != match.rules.preset), ""),
        lines=lines,
        folded=not any(line.value or line.error for line in lines),
        refusal=refusal,
        found=compared(match, after) if after else None,
        counts=list(_counts(match, after)) if after else [],
        here=game_text(match.rules),
        there=game_text(rules) if rules else "",
        leads=(standing_text(match, names), standing_text(after, names)) if after else None,
    )
    return (page, 422) if value and not rules else page


def _counts(match: Match, after: Match) -> Iterator[Change]:
    """Each entry that counts or scores otherwise, apart from the unit of the sheet."""
    names = shown_names(match)
    there = {move.entry: move for move in after.steps}
    for move in match.steps:
        other = there.get(move.entry)
        if other and not isinstance(move.event, Settled) and _worth(move, match) != _worth(other, after):
            yield Change(f"{move.entry}. {said(move.event, names)}", made(move), made(other))


def _worth(move: Move, match: Match) -> tuple[int | None, int]:
    return move.score.count if move.score else None, move.points // match.rules.points_per_five


def _rules(match: Match, chosen: RuleSet, lines: Sequence[HouseLine]) -> tuple[Rules | None, str]:
    """The other rules for the people of this match, or the sentence that says why there are none."""
    rules = match.rules
    dealt = {field: str(getattr(rules, field)) for field in _DEALT}
    entered = {line.field: line.value for line in lines if line.value}
    try:
        usual = PRESETS[chosen.preset].rules(rules.players, partners=rules.partners if rules.players == 4 else None)
    except RulesError as error:
        return None, say(error, {})
    try:
        return usual.changed({**chosen.changes, **entered, **dealt}), ""
    except RulesError as error:
        beside(error, lines)
        return None, _("These rules cannot be: see the red notes below.")

"""The referee's desk: each question a form whose answer is in its address, as a page and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.rules import FIELDS, PRESETS, Rules
from fiveup_ref.engine.tiles import PIPS, Tile
from fiveup_ref.rule_sets import RuleSet

from . import comparing, facts_questions, layout_questions
from .asking import OF_GAME, Asked, game_of
from .language import gettext as _
from .matches import store
from .ruled import as_json
from .words import game_text, house_rules

_KEPT: Final = ("game", "sides", "ends", "plays", "tile", "claim", "unit")


class Game(NamedTuple):
    """A game to choose: the three, and the table's own rule sets, of which the address then has every house rule."""

    name: str
    address: str
    chosen: bool


class _Question(NamedTuple):
    read: Callable[[Asked], None]
    template: str
    by_game: bool = True  # the page asks for the game, and the ruling names it


_QUESTIONS: Final = {
    "count": _Question(layout_questions.count, "judge_count.html"),
    "place": _Question(layout_questions.place, "judge_place.html"),
    "left": _Question(facts_questions.left, "judge_left.html"),
    "won": _Question(facts_questions.won, "judge_won.html"),
    "opens": _Question(facts_questions.opens, "judge_facts.html", by_game=False),
    "blocked": _Question(facts_questions.blocked, "judge_facts.html", by_game=False),
    "turn": _Question(facts_questions.turn, "judge_facts.html", by_game=False),
}


def blueprint() -> Blueprint:
    """The pages of the desk."""
    pages = Blueprint("judge", __name__)
    named = f"<any({', '.join(_QUESTIONS)}):question>"
    pages.add_url_rule("/judge", "desk", _desk)
    pages.add_url_rule(f"/judge/{named}", "ask", _ask)
    pages.add_url_rule(f"/judge/{named}.json", "answer", _answer)
    pages.add_url_rule("/judge/sheet", "sheet", comparing.sheet, methods=["GET", "POST"])
    return pages


def _titles() -> dict[str, tuple[str, str]]:
    return {
        "count": (_("Is that count right?"), _("the sum written out, and whether a claim stands")),
        "place": (_("May it go there?"), _("every place a tile may take, and why not the others")),
        "left": (_("What do these leftovers cost?"), _("each hand rounded, and the wrong ways beside it")),
        "won": (_("Who has won?"), _("from the scores before and after the settlement")),
        "opens": (_("Who opens?"), _("from how the round before ended")),
        "blocked": (_("Blocked or not?"), _("from what can be drawn and who can play")),
        "turn": (_("One more tile or stop?"), _("draw, play or pass")),
    }


def _desk() -> str:
    """The questions, each with the game and the house rules that the address of the desk has."""
    asked = Asked(request.args)
    game_of(asked)
    of_game = _of_game(asked)
    questions = [(url_for("judge.ask", question=name, **of_game), *title) for name, title in _titles().items()]
    return render_template("judge.html", questions=questions, house="" if asked.errors else _house(asked))


def _of_game(asked: Asked) -> dict[str, Any]:
    """What the address says about the game."""
    return {name: value for name in OF_GAME if (value := asked.value(name))}


def _house(asked: Asked) -> str:
    """The game with its house rules; '' where it has none."""
    return game_text(asked.rules) if asked.rules and house_rules(asked.rules) else ""


def _asked(question: str) -> Asked:
    asked = Asked(request.args)
    _QUESTIONS[question].read(asked)
    if asked.rules and (_QUESTIONS[question].by_game or asked.value("game") or house_rules(asked.rules)):
        asked.facts.insert(0, game_text(asked.rules))
    return asked


def _ask(question: str) -> tuple[str, int]:
    asked = _asked(question)
    link = _linker(question, asked)
    page = render_template(
        _QUESTIONS[question].template,
        asked=asked,
        title=_titles()[question][0],
        here=url_for("judge.ask", question=question),
        address=_address(question, [(name, value) for name, value in asked.args.items(multi=True) if value]),
        link=link,
        games=_games(asked, link),
        house=_house(asked),
        of_game=_of_game(asked),
        of_game_fields=OF_GAME,
        all_doubles=[str(Tile.of(pip, pip)) for pip in PIPS],
        **asked.more,
    )
    return page, 422 if asked.errors else 200


def _linker(question: str, asked: Asked) -> Callable[..., str]:
    """Makes addresses of the same question with values changed; None leaves one out."""

    def link(**changes: object) -> str:
        fresh = "game" in changes or "sides" in changes  # seats and units are others then
        kept = {*_KEPT, *(asked.rules.changes() if asked.rules and "game" not in changes else ())}
        pairs = [
            (name, value)
            for name, value in asked.args.items(multi=True)
            if name not in changes and (name in kept or not fresh)
        ]
        return _address(question, [*pairs, *((name, str(one)) for name, one in changes.items() if one is not None)])

    return link


def _games(asked: Asked, link: Callable[..., str]) -> list[Game]:
    """The three games and the table's own rule sets, as links to the same question."""
    own = [
        Game(one.name, link(game=one.preset, **dict.fromkeys(FIELDS) | dict(one.changes)), _plays(asked.rules, one))
        for one in store().rule_sets.all()
    ]
    chosen = "" if any(one.chosen for one in own) or not asked.rules else asked.rules.preset
    return [*(Game(_(name), link(game=name), name == chosen) for name in PRESETS), *own]


def _plays(rules: Rules | None, one: RuleSet) -> bool:
    """Whether these are the rules of this set."""
    if rules is None or one.preset != rules.preset:
        return False
    try:
        return one.rules(rules.players, partners=rules.partners) == rules
    except RulesError:
        return False


def _address(question: str, pairs: list[tuple[str, str]]) -> str:
    values: Any = MultiDict(pairs).to_dict(flat=False)
    return url_for("judge.ask", question=question, **values)


def _answer(question: str) -> tuple[Response, int]:
    """The same words as values: the ruling, or the sentence beside each field that is wrong."""
    asked = _asked(question)
    value: dict[str, Any] = {"question": question, "asked": asked.args.to_dict(flat=False), "errors": asked.errors}
    if asked.ruled and not asked.errors:
        value |= {"facts": asked.facts, **as_json(asked.ruled)}
    words = json.dumps(value, ensure_ascii=False)
    return Response(words, mimetype="application/json"), 422 if asked.errors else 200

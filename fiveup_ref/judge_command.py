"""The command `judge`: a question put to the referee's desk, answered in its four parts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from .engine.claims import HIGHEST_CLAIM, Claim, Unit, rule_on_count
from .engine.layout import Layout
from .engine.numbers import number_within
from .engine.placing_rulings import rule_on_place
from .engine.round_rulings import Fitting, Holding, rule_on_blocked, rule_on_turn
from .engine.rules import MOST_POINTS, PRESETS, Rules
from .engine.ruling import Ruling
from .engine.scoring import Ends
from .engine.seats import SEATS, Team
from .engine.settling_rulings import rule_on_leftovers
from .engine.standing_rulings import rule_on_opener, rule_on_scores
from .engine.tiles import DOUBLE_SIX, Tile
from .settle_command import settled

_Ask = Callable[[argparse.Namespace, Mapping[str, str]], Ruling]


def add_judge(commands: Any, common: argparse.ArgumentParser, parser_class: type[argparse.ArgumentParser]) -> None:
    """Put `judge` and its questions among the commands; each sets `ask`, which answers it."""
    judge = commands.add_parser("judge", help="settle a dispute")
    questions = judge.add_subparsers(required=True, metavar="QUESTION", parser_class=parser_class)

    def question(name: str, ask: _Ask, text: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = questions.add_parser(name, parents=[common], help=text)
        parser.set_defaults(ask=ask)
        return parser

    count = question("count", _count, "is that count right")
    count.add_argument("--plays", action="store_true", help="the words are plays, as in the command count")
    count.add_argument("--claim", help="what was called")
    count.add_argument("--unit", choices=tuple(map(str, Unit)), help="what it was called in: 10 raw are not 10 points")
    count.add_argument("words", nargs="+", metavar="END")
    place = question("place", _place, "may it go there")
    place.add_argument("tile", metavar="TILE")
    place.add_argument("plays", nargs="*", metavar="PLAY", help="the layout: 5-5 '5-0>5-5'")
    left = question("left", _left, "what do these leftovers cost")
    left.add_argument("--partners", help="A+C,B+D, or none")
    left.add_argument("hands", nargs="+", metavar="SEAT=LEFT", help="as in the command settle, every hand")
    won = question("won", _won, "who has won")
    won.add_argument("scores", nargs="+", metavar="SIDE=BEFORE[,AFTER]", help="A+C=63,60: before and after settlement")
    opens = question("opens", _opens, "who opens")
    opens.add_argument("last", choices=("first", "blocked", *SEATS), help="how the round before ended, or who went out")
    blocked = question("blocked", _blocked, "blocked or not")
    blocked.add_argument("drawable", metavar="TILES", help="tiles that can still be drawn")
    blocked.add_argument(
        "holding", choices=tuple(map(str, Holding)), help="who can play; dead: no tile of the set fits"
    )
    turn = question("turn", _turn, "one more tile or stop")
    turn.add_argument("drawable", metavar="TILES", help="tiles that can still be drawn")
    turn.add_argument("fitting", choices=tuple(map(str, Fitting)), help="which tile of the player on turn fits")


def answer(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    """The ruling. Raises RulesError where there can be none, and any other ValueError where it cannot be read."""
    ask: _Ask = asked.ask
    return ask(asked, changes)


def ruling_lines(ruling: Ruling) -> list[str]:
    """The four parts as text."""
    return [
        str(ruling.ruling),
        *(f"  {line}" for line in ruling.working),
        *(f"  {line}" for line in ruling.mistakes),
        f"Rule: {ruling.rule}",
        *(f"Otherwise: {line}" for line in ruling.otherwise),
    ]


def ruling_json(ruling: Ruling) -> dict[str, Any]:
    """The four parts as plain values."""
    return {
        "ruling": str(ruling.ruling),
        "stands": ruling.stands,
        "working": list(map(str, ruling.working)),
        "mistakes": list(map(str, ruling.mistakes)),
        "rule": str(ruling.rule),
        "otherwise": list(map(str, ruling.otherwise)),
    }


def _rules(asked: argparse.Namespace, changes: Mapping[str, str]) -> Rules:
    return PRESETS[asked.rules or next(iter(PRESETS))].rules(2).changed(changes)


def _count(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    rules = _rules(asked, changes)
    words = " ".join(asked.words)
    counted = (
        Layout.read(words, spinners=rules.spinners, spinner_counts=rules.spinner_counts)
        if asked.plays
        else Ends.parse(words)
    )
    if asked.claim is None:
        return rule_on_count(counted, rules)
    if asked.unit is None:
        raise ValueError("Say what the claim was called in: --unit raw or --unit points.")
    return rule_on_count(
        counted, rules, Claim(number_within(asked.claim, lowest=0, highest=HIGHEST_CLAIM), Unit(asked.unit))
    )


def _place(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    rules = _rules(asked, changes)
    return rule_on_place(
        Layout.read(" ".join(asked.plays), spinners=rules.spinners, spinner_counts=rules.spinner_counts),
        Tile.parse(asked.tile),
        rules,
    )


def _left(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    result = settled(asked.hands, asked.partners, PRESETS[asked.rules or next(iter(PRESETS))], changes)
    if tuple(result.seats) != result.rules.seats:
        raise ValueError(f"Name every hand, from A to {result.rules.seats[-1]}.")
    return rule_on_leftovers(result.left, result.rules, result.out)


def _won(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    named = [word.partition("=") for word in asked.scores]
    teams = [Team.parse(side) for side, _, _ in named]
    partners = any(len(team) > 1 for team in teams)
    preset = PRESETS[asked.rules or next(iter(PRESETS))]
    rules = preset.rules(sum(map(len, teams)), partners=partners).changed(changes)
    if tuple(teams) != rules.teams:
        raise ValueError(f"Name every side in order: {' '.join(map(str, rules.teams))}.")
    scores = [
        [number_within(one, lowest=-MOST_POINTS, highest=MOST_POINTS) for one in text.split(",")]
        for _, _, text in named
    ]
    if {len(one) for one in scores} not in ({1}, {2}):
        raise ValueError("Expected one score for each side, or for each side two: before and after the settlement.")
    before = [one[0] for one in scores]
    return rule_on_scores(rules, before, [one[1] for one in scores] if len(scores[0]) == 2 else None)


def _opens(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    out = asked.last if asked.last in SEATS else None
    return rule_on_opener(out, first=asked.last == "first", double_opens=_rules(asked, changes).double_opens)


def _blocked(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    return rule_on_blocked(_rules(asked, changes), _drawable(asked), Holding(asked.holding))


def _turn(asked: argparse.Namespace, changes: Mapping[str, str]) -> Ruling:
    return rule_on_turn(_rules(asked, changes), _drawable(asked), Fitting(asked.fitting))


def _drawable(asked: argparse.Namespace) -> int:
    return number_within(asked.drawable, lowest=0, highest=len(DOUBLE_SIX))

"""Blank sheets for tables without a phone: columns for the teams, and the rules, as data, in five lines."""

from __future__ import annotations

from typing import Final, NamedTuple

from fiveup_ref.drawing.tally import Figure, tally
from fiveup_ref.engine.rules import PRESETS, Rules, Settling, TargetCheck
from fiveup_ref.engine.scoring import rounded

from .language import gettext as _
from .language import ngettext

ROWS: Final = 10
"""Rounds of one blank sheet: two sheets fit a page, A4 or Letter."""
_MOST_PIPS: Final = 22
_KEY: Final = (1, 2, 3, 4, 6, 8, 10)


class Choice(NamedTuple):
    """A game and who plays it; `value` names it in an address, as in `five-up-2` or `five-up-pairs`."""

    value: str
    game: str
    players: int
    rules: Rules


def _choices() -> tuple[Choice, ...]:
    made = []
    for game, preset in PRESETS.items():
        for players in preset.hands:
            if players < 4 or preset.single_four:
                single = preset.rules(players, partners=False)
                made.append(Choice(f"{game}-{players}", game, players, single))
        made.append(Choice(f"{game}-pairs", game, 4, preset.rules(4, partners=True)))
    return tuple(made)


CHOICES: Final = _choices()


class Rounding(NamedTuple):
    """Pips from the least to the most that are rounded to the same, and what they come to in points."""

    least: int
    most: int
    points: int


class Blank(NamedTuple):
    """A blank sheet; `teams` has the seats of each team, `key` tally figures with their number of strokes."""

    choice: Choice
    teams: list[tuple[str, ...]]
    rows: range
    rounding: list[Rounding]
    key: list[tuple[int, tuple[Figure, ...]]]
    rules: list[str]
    deducts: bool


def blank_sheet(choice: Choice) -> Blank:
    """The sheet for a game and its players."""
    rules = choice.rules
    return Blank(
        choice,
        [tuple(team) for team in rules.teams],
        range(1, ROWS + 1),
        _rounding(rules),
        [(count, tally(count, style="plain")) for count in _KEY],
        _five_lines(rules),
        rules.settlement is Settling.DEDUCT_OWN,
    )


def _rounding(rules: Rules) -> list[Rounding]:
    """Each row of the table of rounding, worked out by the rule itself."""
    rows: list[Rounding] = []
    for pips in range(_MOST_PIPS + 1):
        points = rules.points(rounded(pips))
        if rows and rows[-1].points == points:
            rows[-1] = rows[-1]._replace(most=pips)
        else:
            rows.append(Rounding(pips, pips, points))
    return rows


def _five_lines(rules: Rules) -> list[str]:
    return [
        ngettext(
            "Deal %(num)s tile each. Lots decide who opens; later, who went out.",
            "Deal %(num)s tiles each. Lots decide who opens; later, who went out.",
            rules.hand,
        )
        % {"num": rules.hand},
        _spinners(rules),
        _("After every tile add up all open ends; a double counts both halves until both its sides are covered. ")
        + ngettext(
            "Only a multiple of five scores: %(num)s point for each five.",
            "Only a multiple of five scores: %(num)s points for each five.",
            rules.points_per_five,
        )
        % {"num": rules.points_per_five},
        _("Who cannot play draws until a tile fits, and passes only when the boneyard is empty. ") + _settling(rules),
        _target(rules),
    ]


def _spinners(rules: Rules) -> str:
    if rules.spinners == 0:
        return _("No double is a spinner: each takes two tiles, one on either side.")
    if rules.spinners == 1:
        return _("The first double of the round takes four tiles: first on its two sides, then on its two tips.")
    return _("Every double takes four tiles: first on its two sides, then on its two tips.")


def _settling(rules: Rules) -> str:
    if rules.settlement is Settling.DEDUCT_OWN:
        return _("At the end each player's leftover pips are rounded to fives and deducted, each hand apart.")
    return _("Who goes out scores the opponents' leftover pips, rounded to fives; in a blocked round the lowest does.")


def _target(rules: Rules) -> str:
    if rules.target_check is TargetCheck.AT_ONCE:
        return _("The first to reach %(target)s wins at once.") % {"target": rules.target}
    return _("Who alone has most after a settlement, and at least %(target)s, wins; a tie is played on.") % {
        "target": rules.target
    }

"""Is that count right, and may it go there: the ends as they lie or the layout tile by tile, put to the desk."""

from __future__ import annotations

from typing import NamedTuple

from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.engine.claims import Claim, Unit, rule_on_count
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import EndKind, Layout, Place
from fiveup_ref.engine.placing_rulings import rule_on_place
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.tiles import PIPS, Tile

from .asking import Asked, game_of, read_claim
from .calling import Chip
from .grid import Rows, grid, set_triangle
from .language import gettext as _


class Chips(NamedTuple):
    """The ends so far, each with what is left without it, and what can be added."""

    ends: list[Chip]
    numbers: list[Chip]
    doubles: list[Chip]


class Laid(NamedTuple):
    """A layout on the page: its drawing, the worths of its ends, the grid of plays, and the plays without the last."""

    layout: Layout
    plan: Plan | None
    marks: dict[tuple[Tile, int], int]
    grid: list[Rows]
    triangle: list[list[Tile]]
    last: str
    before: str


def count(asked: Asked) -> None:
    """Is that count right: `ends` or `plays`, and a `claim` in `unit`."""
    rules = game_of(asked)
    claim = read_claim(asked)
    if "plays" in asked.args:
        layout = _laid(asked, rules)
        if layout.plays:
            asked.rule(lambda: rule_on_count(layout, rules, claim), "plays")
        elif claim is not None:
            asked.errors.setdefault("plays", _("Lay at least one tile."))
    else:
        _count_of_ends(asked, rules, claim)
    _say_claim(asked, claim)


def _say_claim(asked: Asked, claim: Claim | None) -> None:
    if claim is None:
        return
    called = _("raw points") if claim.unit is Unit.RAW else _("points on the sheet")
    asked.facts.append(_("Claimed: %(figure)s %(unit)s") % {"figure": claim.figure, "unit": called})


def _count_of_ends(asked: Asked, rules: Rules, claim: Claim | None) -> None:
    words = asked.value("ends").split()
    asked.more["chips"] = Chips(
        [Chip(word, " ".join(words[:place] + words[place + 1 :])) for place, word in enumerate(words)],
        [Chip(str(pip), " ".join([*words, str(pip)])) for pip in PIPS],
        [
            Chip(double, " ".join([*words, double]))
            for double in (str(Tile.of(pip, pip)) for pip in PIPS)
            if double not in words
        ],
    )
    if not words:
        if claim is not None:
            asked.refuse("ends", RulesError(Fault.ENDS_NONE))
        return
    ends = asked.read("ends", Ends.parse)
    if ends is None:
        return
    asked.facts.append(_("The ends as they lie: %(ends)s") % {"ends": ends})
    lone = len(words) == 1 and ends.open_ends()[0].kind is EndKind.HALF
    if lone and claim is None:
        return  # the first of several: nobody has asked yet
    asked.rule(lambda: rule_on_count(ends, rules, claim), "ends")


def place(asked: Asked) -> None:
    """May it go there: `plays` and a `tile`."""
    rules = game_of(asked)
    layout = _laid(asked, rules)
    asked.more["tiles"] = set_triangle()
    if asked.value("tile"):
        tile = asked.read("tile", Tile.parse)
        if tile is not None:
            asked.facts.append(_("The tile: %(tile)s") % {"tile": tile})
            asked.rule(lambda: rule_on_place(layout, tile, rules), "tile")


def describe_place(place: Place) -> str:
    """A play as it is said."""
    return _("%(tile)s on %(onto)s") % {"tile": place.tile, "onto": place.onto} if place.onto else str(place.tile)


def _laid(asked: Asked, rules: Rules) -> Layout:
    """The layout of `plays`, and what the page shows of it; up to the first play that cannot be."""
    layout = Layout.empty(rules.spinners, spinner_counts=rules.spinner_counts)
    words = asked.value("plays").split()
    try:
        for laid in range(1, len(words) + 1):
            layout = Layout.read(" ".join(words[:laid]), spinners=rules.spinners, spinner_counts=rules.spinner_counts)
    except RulesError as error:
        asked.refuse("plays", error)
    plays = str(layout).split()
    asked.more["laid"] = Laid(
        layout,
        plan(layout.plays, spinners=layout.spinners) if plays else None,
        {(end.tile, end.pip): end.worth for end in layout.open_ends()},
        grid(layout, rules, previews=False) if plays else [],
        set_triangle(),
        describe_place(layout.plays[-1]) if plays else "",
        " ".join(plays[:-1]),
    )
    if plays:
        asked.facts.append(_("The layout: %(plays)s") % {"plays": layout})
    return layout

"""May it go there: every place that a tile may take, and why it may not take the others (rules 2)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from .claims import terms_of
from .faults import Fault, RulesError, _
from .layout import Layout, Place
from .rules import Rules
from .ruling import Gain, Rule, Ruling, Sentence, refusal, sentence
from .scoring import score_of
from .tiles import Tile


class Placing(StrEnum):
    """The sentences of a ruling on a place; Fault has those that refuse one."""

    # the ruling
    SET = _("Yes: the first tile of a round may be any tile, so {tile} too.")
    FITS = _("Yes: {tile} may go on {places}.")
    FITS_NOWHERE = _("No: {tile} fits nowhere now.")
    LIES = _("No: {tile} lies on the table already.")
    # the working
    AS_SET = _("As the first tile: {terms} = {count}, {gain}.")
    ON_HALF = _("On the {pip} of {onto}: {terms} = {count}, {gain}.")
    ON_SIDE = _("On a side of {onto}: {terms} = {count}, {gain}.")
    ON_BRANCH = _("On a branch of {onto}: {terms} = {count}, {gain}.")
    BRANCH_SHUT = _("On a branch of {onto}: not yet. A branch opens only when both sides are covered.")
    NO_NUMBER = _("No tile on the table has a {heavy} or a {light}.")
    # what would make it different
    IF_SPINNER = _("In a game in which {onto} is a spinner, {tile} would fit its branch.")
    IF_SIDES = _("Once both sides of {onto} are covered, its two branches are open.")
    IF_SHOWN = _("It fits as soon as a {heavy} or a {light} is open.")
    IF_LAID = _(
        "A tile that was laid where it may not lie goes back, unless the next player has acted since and the table "
        "lets it stand."
    )


def rule_on_place(layout: Layout, tile: Tile, rules: Rules) -> Ruling:
    """Where `tile` may go, each place with its count, and for every other tile with its number why not there.

    >>> from .rules import PRESETS
    >>> five_up = PRESETS["five-up"].rules(2)
    >>> ruling = rule_on_place(Layout.read("5-5 5-0>5-5 5-4>5-5", spinners=7), Tile.of(4, 0), five_up)
    >>> print(ruling.ruling, *ruling.working, sep="\\n")
    Yes: 4-0 may go on 5-4, 5-0.
    On the 4 of 5-4: 0 + 0 = 0, no score.
    On the 0 of 5-0: 4 + 4 = 8, no score.
    """
    places = layout.legal_places((tile,))
    working = [_place(layout, place, rules) for place in places]
    shut = [end.tile for end in layout.open_ends() if _branch_shut(layout, end.tile, tile)]
    working += [sentence(Placing.BRANCH_SHUT, onto=onto) for onto in dict.fromkeys(shut)]
    refusals = list(_refusals(layout, tile))
    working += [refusal(error) for error in refusals]
    if not working:
        working = [sentence(Placing.NO_NUMBER, heavy=tile.heavy, light=tile.light)]
    branches = any(error.fault in _OF_DOUBLES for error in refusals) or bool(shut)
    return Ruling(
        _ruling(layout, tile, places),
        tuple(working),
        Rule.DOUBLES if branches else Rule.PLACES,
        tuple(_otherwise(layout, tile, refusals, shut)),
        stands=bool(places),
    )


_OF_DOUBLES: Final = (Fault.DOUBLE_FULL, Fault.SPINNER_FULL)


def _ruling(layout: Layout, tile: Tile, places: list[Place]) -> Sentence:
    if layout.has(tile):
        return sentence(Placing.LIES, tile=tile)
    if not layout.plays:
        return sentence(Placing.SET, tile=tile)
    if not places:
        return sentence(Placing.FITS_NOWHERE, tile=tile)
    return sentence(Placing.FITS, tile=tile, places=", ".join(str(place.onto) for place in places))


def _place(layout: Layout, place: Place, rules: Rules) -> Sentence:
    tile, onto = place
    score = score_of(layout.play(tile, onto), rules)
    sums = {"terms": terms_of(score), "count": score.count, "gain": Gain(score.points)}
    if onto is None:
        return sentence(Placing.AS_SET, **sums)
    end = next(end for end in layout.open_ends() if end.tile is onto and tile.has(end.pip))
    on_double = Placing.ON_BRANCH if layout.is_branch(end) else Placing.ON_SIDE
    says = on_double if end.tile.is_double else Placing.ON_HALF
    return sentence(says, onto=onto, pip=end.pip, **sums)


def _branch_shut(layout: Layout, onto: Tile, tile: Tile) -> bool:
    """Whether the tile would fit a branch that is not open yet."""
    return not layout.has(tile) and layout.is_spinner(onto) and tile.has(onto.heavy) and layout.touching(onto) < 2


def _refusals(layout: Layout, tile: Tile) -> Iterator[RulesError]:
    """One for each tile on the table that shares a number with this one and cannot take it."""
    if layout.has(tile):
        yield RulesError(Fault.TILE_PLAYED, tile=tile)
        return
    for onto, _joined in layout.plays:
        if onto.has(tile.heavy) or onto.has(tile.light):
            try:
                layout.play(tile, onto)
            except RulesError as error:
                yield error


def _otherwise(layout: Layout, tile: Tile, refusals: list[RulesError], shut: list[Tile]) -> Iterator[Sentence]:
    for error in refusals:
        if error.fault is Fault.DOUBLE_FULL:
            yield sentence(Placing.IF_SPINNER, onto=error.fields["onto"], tile=tile)
    for onto in dict.fromkeys(shut):
        yield sentence(Placing.IF_SIDES, onto=onto)
    if layout.plays and not layout.has(tile) and not layout.fits(tile):
        yield sentence(Placing.IF_SHOWN, heavy=tile.heavy, light=tile.light)
    if layout.plays:
        yield sentence(Placing.IF_LAID)

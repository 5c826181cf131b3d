"""Whether leftovers can be: against the hands, the table and the whole set."""

from __future__ import annotations

from collections.abc import Mapping

from .faults import Fault, RulesError
from .match import Known, Round
from .scoring import Left
from .seats import Seat
from .tiles import SET_PIPS, Tile


def check_left(left: Mapping[Seat, Left], round_: Round, seats: tuple[Seat, ...]) -> None:
    """Refuse leftovers that cannot be after this round, seat by seat and then together.

    Raises RulesError: LEFT_OF_OUT, LEFT_MISSING, LEFT_EMPTY, LEFT_ON_TABLE, LEFT_REPEATED, LEFT_TWICE, LEFT_TILE_COUNT,
    LEFT_PIPS, LEFT_TOTAL. Source: rules 3 and 6 (a round is settled whole or not at all).
    """
    for seat in seats:
        if seat == round_.out:
            if seat in left:
                raise RulesError(Fault.LEFT_OF_OUT, seat=seat)
        elif seat not in left:
            raise RulesError(Fault.LEFT_MISSING, seat=seat)
        else:
            check_hand(seat, left[seat], round_, round_.hands[seats.index(seat)])
    check_together(left)
    if Known.LAYOUT | Known.HANDS in round_.known and round_.boneyard == 0:
        together = round_.layout.pips() + sum(hand.pips for hand in left.values())
        if together != SET_PIPS:
            raise RulesError(Fault.LEFT_TOTAL, pips=together, total=SET_PIPS)


def check_hand(seat: Seat, hand: Left, round_: Round, held: int) -> None:
    """Refuse one hand's leftovers that cannot be; `held` tiles are in it while HANDS is known."""
    unplayed = round_.layout.unplayed()
    sure = Known.HANDS in round_.known
    if hand.tiles is None:
        worths = sorted(tile.pips for tile in unplayed)
        fewest, most = (held, held) if sure else (1, len(worths))  # who did not go out holds a tile
        lowest, highest = sum(worths[:fewest]), sum(worths[::-1][:most])
        if not lowest <= hand.pips <= highest:
            raise RulesError(Fault.LEFT_PIPS, seat=seat, pips=hand.pips, lowest=lowest, highest=highest)
        return
    for tile in hand.tiles:
        if tile not in unplayed:
            raise RulesError(Fault.LEFT_ON_TABLE, tile=tile, seat=seat)
        if hand.tiles.count(tile) > 1:
            raise RulesError(Fault.LEFT_REPEATED, tile=tile, seat=seat)
    given = len(hand.tiles)
    if sure and given != held:
        raise RulesError(Fault.LEFT_TILE_COUNT, seat=seat, tiles=held, given=given)
    if not given:
        raise RulesError(Fault.LEFT_EMPTY, seat=seat)


def check_together(left: Mapping[Seat, Left]) -> None:
    """Refuse a tile that two hands show. Raises RulesError: LEFT_TWICE."""
    shown: dict[Tile, Seat] = {}
    for seat, hand in left.items():
        for tile in hand.tiles or ():
            if tile in shown:
                raise RulesError(Fault.LEFT_TWICE, tile=tile, seat=shown[tile], other=seat)
            shown[tile] = seat


def check_pips_together(left: Mapping[Seat, Left], unplayed: tuple[Tile, ...]) -> None:
    """Refuse hands that are more, or less, together than tiles that are not on the table and that nobody shows can be.

    Each hand of which only the pips are known holds a tile at least. Raises RulesError: LEFT_TOGETHER.
    """
    shown = {tile for hand in left.values() for tile in hand.tiles or ()}
    worths = sorted(tile.pips for tile in unplayed if tile not in shown)
    counted = sum(hand.tiles is None for hand in left.values())
    known = sum(tile.pips for tile in shown)
    together = sum(hand.pips for hand in left.values())
    lowest, highest = known + sum(worths[:counted]), known + (sum(worths) if counted else 0)
    if not lowest <= together <= highest:
        raise RulesError(Fault.LEFT_TOGETHER, pips=together, lowest=lowest, highest=highest)


def nobody_shows(left: Mapping[Seat, Left], round_: Round) -> tuple[Tile, ...] | None:
    """The tiles that lie neither on the table nor in a hand of `left`; None where that is not known.

    Once every hand is in `left` they are the boneyard.
    """
    if Known.LAYOUT | Known.HANDS not in round_.known or any(hand.tiles is None for hand in left.values()):
        return None
    shown = {tile for hand in left.values() for tile in hand.tiles or ()}
    return tuple(tile for tile in round_.layout.unplayed() if tile not in shown)

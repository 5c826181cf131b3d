"""Pips sit on their halves."""

import pytest

from fiveup_ref.drawing.pips import PIP_RADIUS, half_spots, pip_spots
from fiveup_ref.engine.tiles import DOUBLE_SIX


@pytest.mark.parametrize("pips", range(7))
def test_a_half_has_its_pips_apart_and_turned_half_round_looks_the_same(pips: int) -> None:
    spots = half_spots(pips)
    assert len(set(spots)) == pips
    assert {(round(1 - x, 9), round(1 - y, 9)) for x, y in spots} == {(round(x, 9), round(y, 9)) for x, y in spots}


def test_six_lies_in_two_rows_along_the_tile() -> None:
    assert len({spot.y for spot in half_spots(6)}) == 2
    assert len({spot.x for spot in half_spots(6)}) == 3


def test_the_heavy_half_lies_left() -> None:
    for tile in DOUBLE_SIX:
        spots = pip_spots(tile)
        assert sum(spot.x < 0 for spot in spots) == tile.heavy
        assert sum(spot.x > 0 for spot in spots) == tile.light
        assert all(abs(spot.y) + PIP_RADIUS < 0.5 and PIP_RADIUS < abs(spot.x) < 1 - PIP_RADIUS for spot in spots)

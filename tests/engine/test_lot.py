"""The neutral lot: the most pips open, the tied repeat it among themselves only (rules 3)."""

from __future__ import annotations

import pytest

from fiveup_ref.engine.events import Draws
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.lot import lot_winner, tied
from fiveup_ref.engine.tiles import Tile


def draws(text: str) -> Draws:
    return tuple((word[0], Tile.parse(word[1:])) for word in text.split())


@pytest.mark.parametrize(
    ("drawn", "seats"),
    [
        ("A6-6 B5-5", "A"),
        ("A6-3 B5-4 C1-0", "AB"),
        ("A3-3 B6-0 C5-1", "ABC"),  # a double is worth no more than its pips
        ("A0-0", "A"),
        ("B1-0 D2-0", "D"),
    ],
)
def test_who_is_tied(drawn: str, seats: str) -> None:
    assert tied(draws(drawn)) == tuple(seats)


@pytest.mark.parametrize(
    ("lots", "winner"),
    [
        (["A6-6 B5-5 C4-4 D3-3"], "A"),
        (["A1-0 B5-5 C4-4 D3-3"], "B"),
        (["A6-3 B5-4 C1-0 D0-0", "A1-1 B2-1"], "B"),
        (["A6-3 B5-4 C1-0 D0-0", "A2-1 B3-0", "A6-6 B5-5"], "A"),
        (["A6-0 B5-1 C4-2 D3-3", "A1-0 B2-0 C3-0 D4-0"], "D"),
        (["A6-0 B5-1 C4-2 D0-0", "A6-3 B1-0 C5-4", "A0-0 C1-0"], "C"),
    ],
)
def test_who_opens(lots: list[str], winner: str) -> None:
    assert lot_winner([draws(lot) for lot in lots], tuple("ABCD")) == winner


@pytest.mark.parametrize(
    "lots",
    [
        [],
        ["A6-3 B5-4 C1-0 D0-0"],  # a tie
        ["A6-3 B5-4 C1-0"],  # not all
        ["B5-4 A6-3 C1-0 D0-0"],  # not in seat order
        ["A6-3 B6-3 C1-0 D0-0"],  # one tile twice
        ["A6-6 B6-6 C1-0 D0-0", "A1-0 B2-0"],
        ["A6-3 B5-4 C1-0 D0-0", "A1-0 C2-0"],  # not the tied
        ["A6-3 B5-4 C1-0 D0-0", "A1-0 B2-0 C3-0"],
        ["A6-3 B5-4 C1-0 D0-0", "A2-1 B3-0"],  # a tie again
        ["A6-6 B5-4 C1-0 D0-0", "A1-0"],  # decided already
        ["A6-6 B5-4 C1-0 D0-0", "A1-0 B2-0"],
    ],
)
def test_lots_that_decide_nothing(lots: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        lot_winner([draws(lot) for lot in lots], tuple("ABCD"))
    assert caught.value.fault is Fault.LOT_UNDECIDED

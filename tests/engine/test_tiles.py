"""The set, and tiles as they are written."""

from __future__ import annotations

import copy
import pickle

import pytest

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.tiles import DOUBLE_SIX, PIPS, SET_PIPS, Tile


def test_the_set() -> None:
    assert len(DOUBLE_SIX) == len(set(DOUBLE_SIX)) == 28
    assert sum(tile.pips for tile in DOUBLE_SIX) == SET_PIPS == 168
    assert [str(tile) for tile in DOUBLE_SIX][:4] == ["0-0", "1-0", "1-1", "2-0"]
    assert str(DOUBLE_SIX[-1]) == "6-6"
    assert [tile.index for tile in DOUBLE_SIX] == list(range(28))
    assert sum(tile.is_double for tile in DOUBLE_SIX) == 7
    assert list(PIPS) == [0, 1, 2, 3, 4, 5, 6]


def test_a_tile_exists_once() -> None:
    for one in PIPS:
        for other in PIPS:
            tile = Tile.of(one, other)
            assert tile is Tile.of(other, one)
            assert (tile.heavy, tile.light) == (max(one, other), min(one, other))
            assert tile.pips == one + other
            assert tile.is_double == (one == other)
            assert DOUBLE_SIX[tile.index] is tile


@pytest.mark.parametrize("text", ["6-4", "4-6", "64", "46", "6|4", "4:6", "[6-4]", "[46]", "  6-4\t", "[4|6]"])
def test_ways_to_write_a_tile(text: str) -> None:
    assert Tile.parse(text) is Tile.of(6, 4)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.NOT_A_TILE),
        ("6", Fault.NOT_A_TILE),
        ("6-", Fault.NOT_A_TILE),
        ("6--4", Fault.NOT_A_TILE),
        ("6-4-1", Fault.NOT_A_TILE),
        ("6 4", Fault.NOT_A_TILE),
        ("[6-4", Fault.NOT_A_TILE),
        ("[644", Fault.NOT_A_TILE),
        ("644]", Fault.NOT_A_TILE),
        ("6-4]", Fault.NOT_A_TILE),
        ("[[6-4]]", Fault.NOT_A_TILE),
        ("six", Fault.NOT_A_TILE),
        ("٦-٤", Fault.NOT_A_TILE),  # digits of another script, which int() would take
        ("6²", Fault.NOT_A_TILE),
        ("-6-4", Fault.NOT_A_TILE),
        ("12-4", Fault.NOT_A_TILE),
        ("7-8", Fault.NO_SUCH_TILE),
        ("6-7", Fault.NO_SUCH_TILE),
        ("99", Fault.NO_SUCH_TILE),
    ],
)
def test_what_is_no_tile(text: str, fault: Fault) -> None:
    with pytest.raises(RulesError) as caught:
        Tile.parse(text)
    assert caught.value.fault is fault


@pytest.mark.parametrize(("one", "other"), [(7, 0), (0, 7), (-1, 3), (6, 60)])
def test_no_such_halves(one: int, other: int) -> None:
    with pytest.raises(RulesError) as caught:
        Tile.of(one, other)
    assert caught.value.fault is Fault.NO_SUCH_TILE
    assert caught.value.fields == {"tile": f"{one}-{other}"}


def test_halves() -> None:
    tile = Tile.of(6, 4)
    assert [pip for pip in PIPS if tile.has(pip)] == [4, 6]
    assert (tile.other(6), tile.other(4), Tile.of(3, 3).other(3)) == (4, 6, 3)
    with pytest.raises(ValueError, match=r"^6-4 has no half with 5 pips$"):
        tile.other(5)


def test_order_is_heaviest_half_then_the_other() -> None:
    assert [str(tile) for tile in sorted((Tile.of(5, 5), Tile.of(6, 0), Tile.of(5, 1), Tile.of(0, 0)))] == [
        "0-0",
        "5-1",
        "5-5",
        "6-0",
    ]


def test_no_tile_is_before_itself() -> None:
    pairs = [(one.index < other.index, one < other) for one in DOUBLE_SIX for other in DOUBLE_SIX]
    assert all(by_index == by_tile for by_index, by_tile in pairs)


def test_a_tile_cannot_be_made_changed_or_copied() -> None:
    with pytest.raises(TypeError, match=r"^tiles are taken from the set"):
        Tile()
    tile = Tile.of(6, 4)
    for name in ("heavy", "light", "pips", "index", "is_double", "another"):
        with pytest.raises(AttributeError, match=f"^a tile does not change: {name}$"):
            setattr(tile, name, 1)
        with pytest.raises(AttributeError, match=f"^a tile does not change: {name}$"):
            delattr(tile, name)
    assert copy.copy(tile) is copy.deepcopy(tile) is pickle.loads(pickle.dumps(tile)) is tile
    assert repr(tile) == "Tile.parse('6-4')"

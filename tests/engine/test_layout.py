"""Where a tile may go and what the table counts (rules 2): published layouts, perft, each refusal."""

from __future__ import annotations

import copy
import csv
import pickle
from pathlib import Path

import pytest

from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.layout import EndKind, Layout, OpenEnd, Place
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from tests.engine.play import place

DATA = Path(__file__).parent.parent
LAYOUTS = [
    line
    for line in (DATA / "layouts.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
with (DATA / "perft.csv").open(encoding="utf-8", newline="") as perft_file:
    PERFT = list(csv.DictReader(perft_file))


@pytest.mark.parametrize("line", LAYOUTS, ids=[f"{number} {line.split()[0]}" for number, line in enumerate(LAYOUTS, 1)])
def test_published_layouts(line: str) -> None:
    preset, plays, counts, *illegal = line.split("\t")
    layout = Layout.empty(PRESETS[preset].spinners)
    expected = [int(count) for count in counts.split()]
    written = plays.split()
    for text, count in zip(written, expected, strict=False):
        layout = layout.play(*place(text))
        assert layout.count() == count, text
    if illegal and illegal[0]:
        assert illegal[0] == f"illegal at {len(expected) + 1}"
        with pytest.raises(RulesError) as caught:
            layout.play(*place(written[len(expected)]))
        assert caught.value.fault is Fault.DOUBLE_FULL
    else:
        assert len(written) == len(expected)
        assert str(layout) == plays


def perft(layout: Layout, depth: int) -> tuple[int, int]:
    """Sequences of this many plays, and the points (a fifth of the count) of their last plays, summed."""
    nodes = points = 0
    for tile, onto in layout.legal_places(layout.unplayed()):
        after = layout.play(tile, onto)
        if depth == 1:
            nodes, points = nodes + 1, points + (after.count() // 5 if after.count() % 5 == 0 else 0)
        else:
            more, scored = perft(after, depth - 1)
            nodes, points = nodes + more, points + scored
    return nodes, points


@pytest.mark.parametrize("row", PERFT, ids=lambda row: f"{row['spinners']}/{row['position']}/{row['depth']}")
def test_perft(row: dict[str, str]) -> None:
    layout = Layout.read(row["position"], spinners=int(row["spinners"]))
    assert perft(layout, int(row["depth"])) == (int(row["nodes"]), int(row["points"]))


@pytest.mark.parametrize(
    ("spinners", "before", "play", "fault", "fields"),
    [
        (7, "", "5-0>5-5", Fault.NOTHING_LIES, {"tile": "5-0", "onto": "5-5"}),
        (7, "", "5-5>5-5", Fault.NOTHING_LIES, {"tile": "5-5", "onto": "5-5"}),
        (7, "", "6-4>5-1", Fault.NOTHING_LIES, {"tile": "6-4", "onto": "5-1"}),
        (7, "5-5", "5-0", Fault.SET_LIES, {"tile": "5-0"}),
        (7, "5-5", "5-5", Fault.TILE_PLAYED, {"tile": "5-5"}),
        (7, "5-5", "5-5>5-5", Fault.TILE_PLAYED, {"tile": "5-5"}),
        (7, "5-5 5-0>5-5", "5-0>5-5", Fault.TILE_PLAYED, {"tile": "5-0"}),
        (7, "5-5 5-0>5-5", "5-5>5-0", Fault.TILE_PLAYED, {"tile": "5-5"}),
        (7, "5-5 5-0>5-5", "5-0", Fault.TILE_PLAYED, {"tile": "5-0"}),
        (7, "5-5", "5-0>5-1", Fault.ONTO_NOT_PLAYED, {"tile": "5-0", "onto": "5-1"}),
        (7, "5-5", "5-0>5-0", Fault.ONTO_NOT_PLAYED, {"tile": "5-0", "onto": "5-0"}),
        (7, "5-5", "6-4>6-6", Fault.ONTO_NOT_PLAYED, {"tile": "6-4", "onto": "6-6"}),
        (7, "5-5", "6-4>5-5", Fault.NO_FIT, {"tile": "6-4", "onto": "5-5"}),
        (7, "5-5 5-0>5-5", "5-1>5-0", Fault.END_COVERED, {"onto": "5-0", "pip": "5"}),
        (7, "6-4 4-3>6-4", "4-1>6-4", Fault.END_COVERED, {"onto": "6-4", "pip": "4"}),
        (7, "6-4 4-3>6-4", "4-1>4-3", Fault.END_COVERED, {"onto": "4-3", "pip": "4"}),
        (7, "5-5 5-0>5-5 5-1>5-5 5-2>5-5 5-3>5-5", "5-4>5-5", Fault.SPINNER_FULL, {"onto": "5-5"}),
        (1, "5-5 5-0>5-5 5-1>5-5 5-2>5-5 5-3>5-5", "5-4>5-5", Fault.SPINNER_FULL, {"onto": "5-5"}),
        (7, "5-4 5-5>5-4 5-1>5-5 5-2>5-5 5-3>5-5", "6-5>5-5", Fault.SPINNER_FULL, {"onto": "5-5"}),
        (1, "6-6 6-5>6-6 5-5>6-5 5-4>5-5", "5-3>5-5", Fault.DOUBLE_FULL, {"onto": "5-5"}),
        (0, "5-5 5-0>5-5 5-1>5-5", "5-3>5-5", Fault.DOUBLE_FULL, {"onto": "5-5"}),
    ],
)
def test_refusals(spinners: int, before: str, play: str, fault: Fault, fields: dict[str, str]) -> None:
    layout = Layout.read(before, spinners=spinners)
    with pytest.raises(RulesError) as caught:
        layout.play(*place(play))
    assert caught.value.fault is fault
    assert {name: str(value) for name, value in caught.value.fields.items()} == fields
    assert str(layout) == before


@pytest.mark.parametrize(
    ("spinners", "plays", "ends"),
    [
        (7, "", ""),
        (7, "5-5", "5-5:5=10 double x2"),
        (0, "5-5", "5-5:5=10 double x2"),
        (7, "5-5 5-0>5-5", "5-5:5=10 double x1, 5-0:0=0 half x1"),
        (7, "5-5 5-0>5-5 5-1>5-5", "5-5:5=0 tip x2, 5-0:0=0 half x1, 5-1:1=1 half x1"),
        (7, "5-5 5-0>5-5 5-1>5-5 5-2>5-5", "5-5:5=0 tip x1, 5-0:0=0 half x1, 5-1:1=1 half x1, 5-2:2=2 half x1"),
        (0, "5-5 5-0>5-5 5-1>5-5", "5-0:0=0 half x1, 5-1:1=1 half x1"),
        (7, "6-4", "6-4:6=6 half x1, 6-4:4=4 half x1"),
        (7, "6-4 6-6>6-4", "6-4:4=4 half x1, 6-6:6=12 double x1"),
        (7, "6-4 4-4>6-4 4-1>4-4", "6-4:6=6 half x1, 4-4:4=0 tip x2, 4-1:1=1 half x1"),
        (1, "6-6 6-4>6-6 4-4>6-4 4-1>4-4", "6-6:6=12 double x1, 4-1:1=1 half x1"),
    ],
)
def test_open_ends(spinners: int, plays: str, ends: str) -> None:
    layout = Layout.read(plays, spinners=spinners)
    shown = (f"{end.tile}:{end.pip}={end.worth} {end.kind} x{end.places}" for end in layout.open_ends())
    assert ", ".join(shown) == ends


def test_the_first_doubles_in_order_of_play_are_spinners() -> None:
    layout = Layout.read("6-4 4-4>6-4 6-6>6-4 6-1>6-6 1-1>6-1", spinners=2)
    assert [str(tile) for tile in DOUBLE_SIX if layout.is_spinner(tile)] == ["4-4", "6-6"]
    assert not layout.is_spinner(Tile.of(6, 4))
    assert [layout.touching(Tile.of(pip, pip)) for pip in (4, 6, 1, 0)] == [1, 2, 1, 0]
    assert [Layout.read("5-5", spinners=n).is_spinner(Tile.of(5, 5)) for n in (0, 1, 7)] == [False, True, True]


def test_the_order_of_a_hand_and_of_its_places() -> None:
    layout = Layout.read("5-5 5-0>5-5 5-1>5-5", spinners=7)
    hand = [Tile.of(6, 6), Tile.of(5, 3), Tile.of(1, 0), Tile.of(5, 5)]
    assert [f"{tile}>{onto}" for tile, onto in layout.legal_places(hand)] == ["5-3>5-5", "1-0>5-1", "1-0>5-0"]
    assert [layout.fits(tile) for tile in hand] == [False, True, True, False]
    assert Layout.empty(7).legal_places(hand) == [Place(tile, None) for tile in hand]
    assert Layout.empty(7).fits(Tile.of(0, 0))


def test_a_dead_layout() -> None:
    line = Layout.read("0-0 1-0>0-0 3-1>1-0 3-0>3-1 2-0>0-0 4-2>2-0 4-0>4-2", spinners=0)
    assert not line.is_dead()  # 5-0 and 6-0 are still out
    line = line.play(*place("5-0>3-0")).play(*place("6-5>5-0")).play(*place("6-0>6-5"))
    assert [str(end.tile) for end in line.open_ends()] == ["4-0", "6-0"]
    assert line.is_dead()
    assert not line.legal_places(DOUBLE_SIX)
    with_branches = Layout.read(str(line), spinners=7)
    assert with_branches.is_dead()  # the tips of 0-0 are open, but no blank is left
    assert len(line.unplayed()) == 18
    assert not Layout.empty(7).is_dead()


def test_a_layout_is_a_value() -> None:
    one, same = (Layout.read("5-5 5-0>5-5", spinners=7) for _ in range(2))
    assert one == same
    assert hash(one) == hash(same)
    assert one != Layout.read("5-5 5-0>5-5", spinners=1)
    assert one != Layout.read("5-5 5-1>5-5", spinners=7)
    assert one != str(one)
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    assert repr(one) == "Layout.read('5-5 5-0>5-5', spinners=7)"
    assert (one.pips(), one.spinners, len(one.unplayed()), one.has(Tile.of(5, 0))) == (15, 7, 26, True)
    assert one.plays == (Place(Tile.of(5, 5), None), Place(Tile.of(5, 0), Tile.of(5, 5)))
    with pytest.raises(AttributeError, match=r"^a layout does not change: count$"):
        one.count = None  # type: ignore[method-assign, assignment]
    with pytest.raises(AttributeError, match=r"^a layout does not change: _facts$"):
        del one._facts
    with pytest.raises(TypeError, match=r"^a layout begins as Layout\.empty"):
        Layout()


def test_white_space_between_plays_does_not_matter() -> None:
    assert Layout.read(" 5-5\t5|0>[55]  \n", spinners=7) == Layout.read("5-5 5-0>5-5", spinners=7)


def test_ends_of_every_kind_have_their_worth() -> None:
    ends = Layout.read("6-4 6-6>6-4 4-4>6-4 4-0>4-4", spinners=7).open_ends()
    assert ends == (
        OpenEnd(Tile.of(6, 6), 6, 12, EndKind.DOUBLE, 1),
        OpenEnd(Tile.of(4, 4), 4, 0, EndKind.TIP, 2),
        OpenEnd(Tile.of(4, 0), 0, 0, EndKind.HALF, 1),
    )

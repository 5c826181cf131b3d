"""Every plan must be one that could lie on a table."""

from collections.abc import Sequence
from itertools import combinations

import pytest

from fiveup_ref.drawing.layout_plan import Bounds, Placed, Plan, plan
from fiveup_ref.drawing.placing import Limits
from fiveup_ref.drawing.settling import _searched
from fiveup_ref.engine.tiles import Tile

from .dealer import Play, anything, bush, finished_round, one_line

STEPS = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}
WIDTH = 16


def gap(one: Bounds, other: Bounds) -> float:
    """The space between two boxes; negative where they overlap, zero where they touch."""
    across = max(one.x - other.x - other.w, other.x - one.x - one.w)
    down = max(one.y - other.y - other.h, other.y - one.y - one.h)
    return max(across, down)


def half(placed: Placed, pip: int) -> tuple[float, float]:
    """The middle of the half with these pips; of a double, its own middle."""
    if placed.tile.is_double:
        return placed.x, placed.y
    dx, dy = STEPS[placed.turn]
    side = -0.5 if pip == placed.tile.heavy else 0.5
    return placed.x + side * dx, placed.y + side * dy


def reach(placed: Placed, dx: float, dy: float) -> float:
    """How far it is from a half's or a double's middle to its edge in a direction, and whether that is its tip."""
    lies_along = STEPS[placed.turn][0] * dx + STEPS[placed.turn][1] * dy
    return 1.0 if placed.tile.is_double and lies_along else 0.5


def check_joints(plays: Sequence[Play], lies: dict[Tile, Placed]) -> None:
    """Joined halves touch middle to middle, and doubles are joined at their sides first, on opposite edges."""
    joins: dict[Tile, list[tuple[float, float]]] = {tile: [] for tile in lies}
    for tile, onto in plays:
        if onto is None:
            continue
        one, other = lies[tile], lies[onto]
        pip = tile.heavy if tile.heavy in (onto.heavy, onto.light) else tile.light
        (x1, y1), (x2, y2) = half(other, pip), half(one, pip)
        dx, dy = x2 - x1, y2 - y1
        assert dx == 0 or dy == 0, f"{tile} does not meet the middle of {onto}"
        assert abs(dx + dy) == reach(one, dx, dy) + reach(other, dx, dy), f"{tile} does not touch {onto}"
        way = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
        joins[onto].append(way)
        joins[tile].append((-way[0], -way[1]))
    for tile, ways in joins.items():
        if tile.is_double:
            along = [reach(lies[tile], *way) for way in ways]
            assert along == [0.5, 0.5, 1.0, 1.0][: len(ways)], f"{tile}: sides before tips"
        assert len(set(ways)) == len(ways), f"{tile}: two tiles at one edge"


def expected_places(plays: Sequence[Play], spinners: int) -> list[tuple[Tile, int, str]]:
    joins = {tile: int(onto is not None) for tile, onto in plays}
    free = {tile: {tile.heavy, tile.light} for tile, _ in plays}
    for tile, onto in plays:
        if onto is not None:
            joins[onto] += 1
            pip = tile.heavy if tile.heavy in (onto.heavy, onto.light) else tile.light
            free[onto].discard(pip)
            free[tile].discard(pip)
    turning = [tile for tile, _ in plays if tile.is_double][:spinners]
    places: list[tuple[Tile, int, str]] = []
    for tile, count in joins.items():
        if not tile.is_double:
            places += [(tile, pip, "half") for pip in free[tile]]
        elif count < 2:
            places += [(tile, tile.heavy, "side")] * (2 - count)
        elif tile in turning:
            places += [(tile, tile.heavy, "tip")] * (4 - count)
    return sorted(places, key=str)


def check(plays: Sequence[Play], made: Plan, spinners: int, least: float = 0.2) -> None:
    lies = {placed.tile: placed for placed in made.tiles}
    assert [placed.tile for placed in made.tiles] == [tile for tile, _ in plays]
    assert [placed.last for placed in made.tiles] == [False] * (len(plays) - 1) + [True]
    joined = {frozenset(play) for play in plays}
    boxes = {tile: placed.box for tile, placed in lies.items()}
    for (one, box), (other, another) in combinations(boxes.items(), 2):
        assert gap(box, another) >= (0.0 if {one, other} in joined else least), f"{one} and {other} are too close"
    check_joints(plays, lies)
    assert sorted(((p.tile, p.pip, p.kind) for p in made.open_places), key=str) == expected_places(plays, spinners)
    marks = [Bounds(place.x - 0.5, place.y - 0.5, 1, 1) for place in made.open_places]
    for place, mark in zip(made.open_places, marks, strict=True):
        assert all(gap(mark, box) >= 0 for box in boxes.values()), f"the marker of {place.tile} lies on a tile"
        assert gap(mark, boxes[place.tile]) == 0, f"the marker of {place.tile} is not beside it"
    assert all(gap(one, other) >= 0 for one, other in combinations(marks, 2))
    filled = [*boxes.values(), *marks]
    bounds = made.bounds
    assert bounds.x == min(box.x for box in filled)
    assert bounds.y == min(box.y for box in filled)
    assert bounds.x + bounds.w == max(box.x + box.w for box in filled)
    assert bounds.y + bounds.h == max(box.y + box.h for box in filled)
    view = made.view
    assert view.x < bounds.x
    assert view.y < bounds.y
    assert view.x + view.w > bounds.x + bounds.w
    assert view.y + view.h > bounds.y + bounds.h


@pytest.mark.no_cover  # tracing would make the longest test of all two and a half times as long
@pytest.mark.parametrize("chunk", range(100))
def test_twenty_thousand_rounds_of_five_up(chunk: int) -> None:
    wide = high = 0
    for seed in range(200 * chunk, 200 * chunk + 200):
        plays = finished_round(seed, 7)
        made = plan(plays, spinners=7, width=WIDTH)
        check(plays, made, 7)
        wide += made.bounds.w > WIDTH
        high += made.bounds.h > 1.5 * WIDTH
    assert wide + high <= 4, f"{wide} too wide, {high} too high for a phone"


@pytest.mark.parametrize("spinners", [0, 1])
@pytest.mark.parametrize("chunk", range(2))
def test_rounds_with_one_spinner_and_with_none(chunk: int, spinners: int) -> None:
    for seed in range(500 * chunk, 500 * chunk + 500):
        plays = finished_round(seed, spinners)
        check(plays, plan(plays, spinners=spinners, width=WIDTH), spinners)


@pytest.mark.parametrize("chunk", range(4))
def test_tiles_stay_where_they_lie_when_one_more_is_played(chunk: int) -> None:
    steps = stayed = 0
    for seed in range(25 * chunk, 25 * chunk + 25):
        plays = finished_round(seed, 7)
        before: tuple[Placed, ...] = ()
        for number in range(1, len(plays) + 1):
            after = plan(plays[:number], spinners=7).tiles
            steps += 1
            stayed += all((a.x, a.y, a.turn) == (b.x, b.y, b.turn) for a, b in zip(before, after, strict=False))
            before = after
    assert stayed >= 0.96 * steps, f"only {stayed} of {steps} plays moved no tile"


@pytest.mark.parametrize("seed", range(20))
def test_layouts_of_all_tiles(seed: int) -> None:
    plays = anything(seed)
    check(plays, plan(plays, spinners=7), 7)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(30))
def test_bushes_of_spinners(seed: int) -> None:
    plays = bush(seed)
    # So crowded that now and then tiles of different arms can only lie side by side.
    check(plays, plan(plays, spinners=7), 7, least=0.0)


def test_all_seven_spinners_with_every_tip_that_can_be_used() -> None:
    """27 joins are all that 28 tiles have, so 6 doubles take four tiles and the last takes three."""
    plays = max((bush(seed) for seed in range(200)), key=lambda plays: sum(map(on_double, plays)))
    assert sum(map(on_double, plays)) == 27
    check(plays, plan(plays, spinners=7), 7, least=0.0)


def on_double(play: Play) -> bool:
    tile, onto = play
    return onto is not None and (onto.is_double or tile.is_double)


@pytest.mark.parametrize("width", [12, 16, 22])
def test_one_line_of_all_tiles_keeps_within_the_width(width: int) -> None:
    plays = one_line()
    assert len(plays) == 28
    made = plan(plays, spinners=0, width=width)
    check(plays, made, 0)
    assert made.bounds.w <= width


def test_the_line_runs_across_and_the_first_spinner_branches_up_and_down() -> None:
    five, one, two, three, four = (Tile.of(5, pip) for pip in (5, 1, 2, 3, 4))
    made = plan([(five, None), (one, five), (two, five), (three, five), (four, five)], spinners=7)
    assert [(p.x, p.y, p.turn) for p in made.tiles] == [
        (0.0, 0.0, 90), (1.5, 0.0, 0), (-1.5, 0.0, 180), (0.0, -2.0, 270), (0.0, 2.0, 90),
    ]  # fmt: skip


def test_both_sides_of_a_lone_double_are_one_end() -> None:
    made = plan([(Tile.of(6, 6), None)], spinners=7)
    assert [(place.kind, place.x, place.again) for place in made.open_places] == [
        ("side", 1.0, False),
        ("side", -1.0, True),
    ]


def test_an_empty_table_has_a_view() -> None:
    made = plan([], spinners=7)
    assert (made.tiles, made.open_places, made.bounds) == ((), (), Bounds(0, 0, 0, 0))
    assert made.view.w > WIDTH


def test_the_same_plays_give_the_same_plan() -> None:
    assert plan(anything(3), spinners=7) == plan(anything(3), spinners=7)


def test_the_last_resort_finds_its_way_alone() -> None:
    plays = tuple(bush(1)[:12])
    assert len(_searched(plays, Limits(20, 12, 7))) == 12


@pytest.mark.parametrize(
    ("plays", "says"),
    [
        ([("6-4", "6-6")], "nothing lies"),
        ([("6-4", None), ("5-5", None)], "another is the set"),
        ([("6-4", None), ("5-5", "6-4")], "cannot be joined"),
        ([("6-4", None), ("6-6", "6-4"), ("6-2", "6-4")], "cannot be joined"),
        ([("6-4", None), ("6-6", "5-5")], "cannot be joined"),
    ],
)
def test_what_is_no_layout_is_refused(plays: list[tuple[str, str | None]], says: str) -> None:
    tiles = [(Tile.parse(tile), Tile.parse(onto) if onto else None) for tile, onto in plays]
    with pytest.raises(ValueError, match=says):
        plan(tiles, spinners=7)


@pytest.mark.parametrize("width", [11, 23])
def test_a_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="width"):
        plan([], spinners=7, width=width)

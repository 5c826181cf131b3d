"""Tally figures: rules 7."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fiveup_ref.drawing.tally import Stroke, Style, tally, tally_of_scores


def middle(one: Stroke, other: Stroke) -> tuple[float, float]:
    xs, ys = (one.x1, one.x2, other.x1, other.x2), (one.y1, one.y2, other.y1, other.y2)
    return sum(xs) / 4, sum(ys) / 4


@pytest.mark.parametrize(
    ("points", "strokes"),
    [(-3, []), (0, []), (1, [1]), (2, [2]), (10, [10]), (11, [10, 1]), (15, [10, 5]), (61, [10] * 6 + [1])],
)
@pytest.mark.parametrize("style", ["hand", "plain"])
def test_one_stroke_a_point(points: int, strokes: list[int], style: Style) -> None:
    assert [len(figure.strokes) for figure in tally(points, style=style)] == strokes


def test_a_large_x_then_small_ones_on_top_right_bottom_left() -> None:
    strokes = tally(10, style="plain")[0].strokes
    middles = [middle(*strokes[at : at + 2]) for at in range(0, 10, 2)]
    assert middles == [pytest.approx(at) for at in ((0.5, 0.5), (0.5, 0.15), (0.85, 0.5), (0.5, 0.85), (0.15, 0.5))]
    lengths = [abs(stroke.x2 - stroke.x1) for stroke in strokes]
    assert min(lengths[:2]) > 2 * max(lengths[2:])


def test_a_hand_is_never_quite_exact_and_never_out_of_the_box() -> None:
    figures = tally(130)
    assert len({figure.strokes for figure in figures}) == 13
    plain = tally(10, style="plain")[0].strokes
    for figure in figures:
        for stroke, exact in zip(figure.strokes, plain, strict=True):
            assert all(0 <= at <= 1 for at in stroke)
            assert all(abs(a - b) <= 0.036 for a, b in zip(stroke, exact, strict=True))


def test_a_tally_is_drawn_the_same_every_time_and_only_grows() -> None:
    for points in range(1, 70):
        before = [stroke for figure in tally(points) for stroke in figure.strokes]
        after = [stroke for figure in tally(points + 1) for stroke in figure.strokes]
        assert after[:points] == before


@pytest.mark.parametrize("style", ["hand", "plain"])
def test_every_net_score_from_200_below_zero_to_1000_raw_can_be_drawn(style: Style) -> None:
    for raw in range(-200, 1001, 5):
        drawn = tally(raw // 5, style=style)
        assert sum(len(figure.strokes) for figure in drawn) == max(0, raw // 5)
        assert all(len(figure.strokes) == 10 for figure in drawn[:-1])


# Small o: a row for each list of scores, in points; strokes and rings of each figure.
@pytest.mark.parametrize(
    ("scores", "figures"),
    [
        ([], []),
        ([0], []),
        ([2], [(2, 0)]),  # the large X first
        ([1, 2], [(3, 0)]),  # which is not finished yet
        ([2, 2], [(2, 1)]),
        ([2, 1, 1], [(4, 0)]),  # twice five is no ten
        ([2, 3], [(3, 1)]),
        ([2, 4], [(2, 2)]),
        ([2, 1, 2, 1], [(4, 1)]),  # a free space, and then the x that was begun
        ([2, 1, 2, 2, 2, 2], [(4, 3), (1, 0)]),  # no space is free: strokes
        ([2, 2, 2, 2, 2], [(2, 4)]),
        ([2, 2, 2, 2, 2, 2], [(2, 4), (2, 0)]),
        ([15], [(2, 4), (3, 1)]),
    ],
)
def test_a_small_o_for_ten_raw_at_one_go(scores: list[int], figures: list[tuple[int, int]]) -> None:
    drawn = tally_of_scores(scores)
    assert [(len(figure.strokes), len(figure.rings)) for figure in drawn] == figures


@given(st.lists(st.integers(0, 15), max_size=60))
def test_what_is_drawn_is_what_was_scored(scores: list[int]) -> None:
    drawn = tally_of_scores(scores, style="plain")
    points = [len(figure.strokes) + 2 * len(figure.rings) for figure in drawn]
    assert sum(points) == sum(scores)
    assert all(one == 10 for one in points[:-1])
    for figure in drawn:
        spots = [middle(*figure.strokes[at : at + 2]) for at in range(0, len(figure.strokes) // 2 * 2, 2)]
        taken = [(round(x, 3), round(y, 3)) for x, y in spots] + [(ring.x, ring.y) for ring in figure.rings]
        if len(figure.strokes) + 2 * len(figure.rings) == 10:
            assert sorted(taken) == sorted([(0.5, 0.5), (0.5, 0.15), (0.85, 0.5), (0.5, 0.85), (0.15, 0.5)])
        assert len({*taken}) == len(taken)  # no two in one place


def test_rings_by_hand_stay_in_their_spaces() -> None:
    for figure in tally_of_scores([2] * 65):
        for ring in figure.rings:
            assert min(ring.x, ring.y) - ring.r >= 0
            assert max(ring.x, ring.y) + ring.r <= 1

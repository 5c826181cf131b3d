"""Tally figures: rules 7."""

import pytest

from fiveup_ref.drawing.tally import Stroke, Style, tally


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

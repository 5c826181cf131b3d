"""The cribbage board: rules 7."""

from itertools import pairwise

import pytest

from fiveup_ref.drawing.pegboard import HOLES, Hole, Pegs, hole_of, lap_of, pegboard


def test_two_lengths_of_thirty_and_the_game_hole() -> None:
    holes = pegboard([Pegs(0, 0)]).tracks[0].holes
    assert len(holes) == 61
    out, home, game = holes[:30], holes[30:60], holes[60]
    assert [hole.x for hole in out] == sorted(hole.x for hole in out)
    assert [hole.x for hole in home] == sorted((hole.x for hole in home), reverse=True)
    assert {hole.y for hole in out} != {hole.y for hole in home}
    assert game.x < home[-1].x == out[0].x
    gaps = [round(after.x - before.x, 3) for before, after in pairwise(out)]
    assert [number for number, gap in enumerate(gaps, 1) if gap > 1] == [5, 10, 15, 20, 25]


@pytest.mark.parametrize(
    ("front", "back", "front_hole", "back_hole"),
    [
        (1, 0, 1, 0),
        (12, 9, 12, 9),
        (9, 12, 9, 12),  # fell at the settlement: the front peg stands behind
        (61, 58, 61, 58),
        (62, 61, 1, 61),
        (305, 300, 61, 56),
        (0, 4, 0, 4),
        (-3, 2, 0, 2),
        (-3, -1, 0, 0),
        (1000, 995, 24, 19),
    ],
)
def test_pegs_stand_where_the_last_two_scores_put_them(front: int, back: int, front_hole: int, back_hole: int) -> None:
    track = pegboard([Pegs(front, back)]).tracks[0]
    places = dict(enumerate(track.holes, 1))
    assert (hole_of(front), hole_of(back)) == (front_hole, back_hole)
    assert track.front == places.get(front_hole, track.starts[0])
    assert track.back == (places[back_hole] if back_hole else track.starts[0 if front_hole else 1])
    assert track.lap == lap_of(front) == max(1, -(-front // HOLES))


@pytest.mark.parametrize("teams", range(2, 6))
def test_tracks_lie_apart_and_inside_the_board(teams: int) -> None:
    board = pegboard([Pegs(0, 0)] * teams)
    assert len(board.tracks) == teams
    every: list[Hole] = []
    for track in board.tracks:
        assert track.front != track.back
        every += [*track.holes, *track.starts]
    assert len(set(every)) == len(every) == teams * 63
    for hole in every:
        assert 0.5 < hole.x < board.width - 0.5
        assert 0.5 < hole.y < board.height - 0.5
    tops = [min(hole.y for hole in track.holes) for track in board.tracks]
    for track, top, above in zip(board.tracks[1:], tops[1:], board.tracks, strict=False):
        assert max(hole.y for hole in above.holes) + 1 < track.label.y < top

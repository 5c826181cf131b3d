"""May it go there: every place offered is legal and counts as it is said; every other tile has its reason."""

from __future__ import annotations

from random import Random

import pytest

from fiveup_ref.engine.faults import Fault
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.placing_rulings import Placing, rule_on_place
from fiveup_ref.engine.ruling import Ruling
from fiveup_ref.engine.scoring import score_of
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile
from tests.engine.play import play_layout, rules_of

TWO_COVERED = "3-1 3-3>3-1 3-2>3-3"  # 3-3 later in the line, both sides covered


def ruled(plays: str, tile: str, game: str = "five-up") -> Ruling:
    rules = rules_of(game)
    return rule_on_place(Layout.read(plays, spinners=rules.spinners), Tile.parse(tile), rules)


@pytest.mark.parametrize(
    ("plays", "tile", "game", "lines"),
    [
        ("", "6-6", "five-up", ["Yes: the first tile of a round may be any tile, so 6-6 too.",
            "As the first tile: 6-6 12 = 12, no score."]),
        ("5-5", "5-2", "five-up", ["Yes: 5-2 may go on 5-5.", "On a side of 5-5: 5-5 10 + 2 = 12, no score.",
            "On a branch of 5-5: not yet. A branch opens only when both sides are covered."]),  # R08
        ("6-6 6-3>6-6 6-4>6-6", "6-5", "five-up", ["Yes: 6-5 may go on 6-6.",
            "On a branch of 6-6: 3 + 4 + 5 = 12, no score.", "The 6 of 6-3 is already covered.",
            "The 6 of 6-4 is already covered."]),  # R07
        (TWO_COVERED, "4-3", "five-up", ["Yes: 4-3 may go on 3-3.", "On a branch of 3-3: 1 + 2 + 4 = 7, no score.",
            "The 3 of 3-1 is already covered.", "The 3 of 3-2 is already covered."]),
        (TWO_COVERED, "4-3", "muggins", ["No: 4-3 fits nowhere now.", "The 3 of 3-1 is already covered.",
            "Both sides of 3-3 are covered, and in this game it has no branches.",
            "The 3 of 3-2 is already covered."]),
        ("5-5 5-0>5-5", "0-5", "five-up", ["No: 5-0 lies on the table already.",
            "5-0 is already on the table. Every tile exists once."]),
        ("6-6", "5-4", "five-up", ["No: 5-4 fits nowhere now.", "No tile on the table has a 5 or a 4."]),
        ("6-6", "5-5", "five-up", ["No: 5-5 fits nowhere now.", "No tile on the table has a 5 or a 5."]),
        ("5-5 5-0>5-5 5-1>5-5 5-2>5-5 5-3>5-5", "5-4", "five-up", ["No: 5-4 fits nowhere now.",
            "All four edges of 5-5 are covered.", "The 5 of 5-0 is already covered.",
            "The 5 of 5-1 is already covered.", "The 5 of 5-2 is already covered.", "The 5 of 5-3 is already covered."]),
        ("4-2 2-2>4-2", "2-1", "all-fives", ["Yes: 2-1 may go on 2-2.", "On a side of 2-2: 4 + 1 = 5, 5 points.",
            "On a branch of 2-2: not yet. A branch opens only when both sides are covered.",
            "The 2 of 4-2 is already covered."]),
    ],
)  # fmt: skip
def test_places(plays: str, tile: str, game: str, lines: list[str]) -> None:
    ruling = ruled(plays, tile, game)
    assert [str(ruling.ruling), *map(str, ruling.working)] == lines
    assert ruling.stands is lines[0].startswith("Yes")


@pytest.mark.parametrize(
    ("plays", "tile", "game", "says"),
    [
        ("5-5", "5-2", "five-up", [Placing.IF_SIDES, Placing.IF_LAID]),
        (TWO_COVERED, "4-3", "muggins", [Placing.IF_SPINNER, Placing.IF_SHOWN, Placing.IF_LAID]),
        (TWO_COVERED, "4-3", "five-up", [Placing.IF_LAID]),
        ("6-6", "5-4", "five-up", [Placing.IF_SHOWN, Placing.IF_LAID]),
        ("", "5-4", "five-up", []),
    ],
)
def test_what_would_make_it_different(plays: str, tile: str, game: str, says: list[Placing]) -> None:
    assert [one.says for one in ruled(plays, tile, game).otherwise] == says


@pytest.mark.parametrize("game", ["five-up", "all-fives", "muggins"])
def test_every_tile_on_the_table_with_its_number_has_one_line(game: str) -> None:
    rules = rules_of(game)
    random = Random(game)
    for _ in range(60):
        layout = play_layout(rules.spinners, random, tiles=random.randint(1, 20))
        for tile in DOUBLE_SIX:
            ruling = rule_on_place(layout, tile, rules)
            on = [Placing.ON_HALF, Placing.ON_SIDE, Placing.ON_BRANCH]
            offered = {line.fields["onto"]: line for line in ruling.working if line.says in on}
            refused = [line.fields.get("onto") for line in ruling.working if isinstance(line.says, Fault)]
            if layout.has(tile):
                assert not offered
                continue
            assert list(offered) == [place.onto for place in layout.legal_places((tile,))]
            for onto, line in offered.items():
                assert isinstance(onto, Tile)
                score = score_of(layout.play(tile, onto), rules)
                assert (line.fields["count"], line.fields["gain"]) == (score.count, score.points)
            shares = {onto for onto, _ in layout.plays if onto.has(tile.heavy) or onto.has(tile.light)}
            assert {*offered, *refused} == shares
            assert len(offered) + len(refused) == len(shares)
            assert "{" not in " ".join(map(str, (ruling.ruling, *ruling.working, *ruling.otherwise)))

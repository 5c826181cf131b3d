"""Placements applied and scored, and legal places of a hand of seven, a second. Run: python -m bench.placements"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from fiveup_ref.engine.layout import Layout, Place
from fiveup_ref.engine.rules import PRESETS, Rules
from fiveup_ref.engine.scoring import score_of
from fiveup_ref.engine.tiles import Tile

GAMES = 60
BEST_OF = 100

Position = tuple[Layout, list[Tile]]


def lay(random: Random, spinners: int) -> Layout:
    """A whole layout laid by chance."""
    layout = Layout.empty(spinners)
    while places := layout.legal_places(layout.unplayed()):
        layout = layout.play(*random.choice(places))
    return layout


def play_all(games: list[tuple[Place, ...]], rules: Rules) -> None:
    for plays in games:
        layout = Layout.empty(rules.spinners)
        for tile, onto in plays:
            layout = layout.play(tile, onto)
            score_of(layout, rules)


def look_at_all(positions: list[Position]) -> None:
    for layout, hand in positions:
        layout.legal_places(hand)


def rate(things: int, run: Callable[[], None]) -> int:
    """The best of several runs, in things a second: what the machine can do while nobody else uses it."""
    best = 0.0
    for _ in range(BEST_OF):
        start = perf_counter()
        run()
        best = max(best, things / (perf_counter() - start))
    return round(best)


def main() -> None:
    for preset in PRESETS.values():
        rules = preset.rules(2)
        random = Random(1)
        layouts = [lay(random, rules.spinners) for _ in range(GAMES)]
        games = [layout.plays for layout in layouts]
        tiles = sum(map(len, games))
        positions: list[Position] = []
        for plays in games:
            layout = Layout.empty(rules.spinners)
            for place in plays[: len(plays) // 2]:
                layout = layout.play(*place)
            positions.append((layout, random.sample(layout.unplayed(), 7)))
        played = rate(tiles, lambda games=games, rules=rules: play_all(games, rules))  # type: ignore[misc]
        looked = rate(len(positions), lambda positions=positions: look_at_all(positions))  # type: ignore[misc]
        print(f"{preset.name:<10} {played:>9,} placements and scores/s {looked:>9,} hands/s")


if __name__ == "__main__":
    main()

"""Layouts for the planner: rounds played at random, bushes of spinners, and one line of all tiles."""

import random
from collections.abc import Callable
from itertools import pairwise

from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile

Play = tuple[Tile, Tile | None]
Choice = tuple[Tile, Tile]


class Lying:
    """The open places of a growing layout, kept apart from the engine's own so that each checks the other."""

    def __init__(self, spinners: int) -> None:
        self.plays: list[Play] = []
        self.spinners = spinners
        self.free: dict[Tile, list[int]] = {}

    def lay(self, tile: Tile, onto: Tile | None) -> None:
        spins = sum(played.is_double for played, _ in self.plays) < self.spinners
        self.plays.append((tile, onto))
        places = [tile.heavy] * (4 if spins else 2) if tile.is_double else [tile.heavy, tile.light]
        if onto is not None:
            pip = next(pip for pip in self.free[onto] if pip in (tile.heavy, tile.light))
            self.free[onto].remove(pip)
            places.remove(pip)
        self.free[tile] = places

    def choices(self, tiles: list[Tile]) -> list[Choice]:
        return [
            (tile, onto)
            for tile in tiles
            for onto, pips in self.free.items()
            if tile.heavy in pips or tile.light in pips
        ]


def finished_round(seed: int, spinners: int) -> list[Play]:
    """A round of two to four players with five tiles each, who play whatever fits until one is out or all are stuck."""
    dice = random.Random(seed)
    tiles = list(DOUBLE_SIX)
    dice.shuffle(tiles)
    hands = [[tiles.pop() for _ in range(5)] for _ in range(dice.choice((2, 3, 4)))]
    lying = Lying(spinners)
    lying.lay(hands[0].pop(), None)
    seat, passed = 1, 0
    while all(hands) and passed < len(hands):
        hand = hands[seat % len(hands)]
        choices = lying.choices(hand)
        while not choices and tiles:
            hand.append(tiles.pop())
            choices = lying.choices(hand[-1:])
        passed = 0 if choices else passed + 1
        if choices:
            tile, onto = dice.choice(choices)
            hand.remove(tile)
            lying.lay(tile, onto)
        seat += 1
    return lying.plays


def all_laid(seed: int, spinners: int, liking: Callable[[Choice], int]) -> list[Play]:
    """As many of the 28 tiles as can be laid, nearly always one that is liked best."""
    dice = random.Random(seed)
    tiles = list(DOUBLE_SIX)
    dice.shuffle(tiles)
    tiles.sort(key=lambda tile: tile.is_double)
    lying = Lying(spinners)
    lying.lay(tiles.pop(), None)
    while choices := lying.choices(tiles):
        best = max(map(liking, choices))
        liked = [choice for choice in choices if liking(choice) == best]
        tile, onto = dice.choice(liked if dice.random() < 0.9 else choices)
        tiles.remove(tile)
        lying.lay(tile, onto)
    return lying.plays


def bush(seed: int, spinners: int = 7) -> list[Play]:
    """All tiles, doubles first and everything on doubles: as many tips used as there can be."""
    return all_laid(seed, spinners, lambda choice: 2 * choice[0].is_double + choice[1].is_double)


def anything(seed: int, spinners: int = 7) -> list[Play]:
    """All tiles that fit, wherever they fit."""
    return all_laid(seed, spinners, lambda _: 0)


def one_line() -> list[Play]:
    """All 28 tiles one after another: a closed walk over every pair of numbers, each double where it is met first."""
    walk = [number * step % 7 for step in (1, 2, 3) for number in range(7)] + [0]
    plays: list[Play] = []
    met: set[int] = set()
    for one, other in pairwise(walk):
        for tile in ([] if one in met else [Tile.of(one, one)]) + [Tile.of(one, other)]:
            plays.append((tile, plays[-1][0] if plays else None))
        met.add(one)
    return plays

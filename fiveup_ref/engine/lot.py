"""The neutral lot for who opens: each candidate draws a tile, the most pips win, the tied repeat it (rules 3)."""

from __future__ import annotations

from collections.abc import Sequence

from .events import Draws
from .faults import Fault, RulesError
from .seats import Seat


def tied(draws: Draws) -> tuple[Seat, ...]:
    """The seats whose tile has the most pips: one, or those who repeat the lot among themselves only.

    >>> from .tiles import Tile
    >>> tied((("A", Tile.of(6, 3)), ("B", Tile.of(5, 4)), ("C", Tile.of(1, 0))))
    ('A', 'B')
    """
    most = max(tile.pips for _, tile in draws)
    return tuple(seat for seat, tile in draws if tile.pips == most)


def lot_winner(lots: Sequence[Draws], seats: tuple[Seat, ...]) -> Seat:
    """Who opens after these drawings: the first among `seats`, each later one among the tied.

    Raises RulesError(LOT_UNDECIDED) where the candidates are others, a tile is drawn twice or nobody wins.
    """
    candidates = seats
    for draws in lots:
        tiles = {tile for _, tile in draws}
        if tuple(seat for seat, _ in draws) != candidates or len(tiles) < len(draws) or len(candidates) < 2:
            raise RulesError(Fault.LOT_UNDECIDED)
        candidates = tied(draws)
    if len(candidates) != 1:
        raise RulesError(Fault.LOT_UNDECIDED)
    return candidates[0]

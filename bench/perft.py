"""Perft to depth 5, against the pinned numbers of nodes and points. Run: python -m bench.perft"""

from __future__ import annotations

import sys
from time import perf_counter

from fiveup_ref.engine.layout import Layout

PINNED = {0: (433_440, 120_000), 1: (507_360, 148_192), 7: (509_040, 148_992)}


def perft(layout: Layout, depth: int) -> tuple[int, int]:
    """Sequences of this many plays, and a fifth of each last count that scores, summed."""
    nodes = points = 0
    for tile, onto in layout.legal_places(layout.unplayed()):
        after = layout.play(tile, onto)
        if depth > 1:
            more, scored = perft(after, depth - 1)
            nodes, points = nodes + more, points + scored
        else:
            count = after.count()
            nodes, points = nodes + 1, points + (0 if count % 5 else count // 5)
    return nodes, points


def main() -> int:
    wrong = 0
    for spinners, pinned in PINNED.items():
        start = perf_counter()
        found = perft(Layout.empty(spinners), 5)
        seconds = perf_counter() - start
        wrong += found != pinned
        verdict = "as pinned" if found == pinned else f"WRONG, pinned are {pinned[0]:,} and {pinned[1]:,}"
        print(f"{spinners} spinners: {found[0]:,} nodes, {found[1]:,} points in {seconds:.1f} s: {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

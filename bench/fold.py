"""Folding a match of 300 entries, without and with corrections. Run: python -m bench.fold"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import perf_counter

from fiveup_ref.engine.course import apply, replay
from fiveup_ref.engine.events import Undone, from_row, to_row
from fiveup_ref.engine.match import Match
from tests.playout import playout

ENTRIES = 300
BEST_OF = 50


def milliseconds(run: Callable[[], object]) -> float:
    """The best of several runs: what the machine can do while nobody else uses it."""
    best = float("inf")
    for _ in range(BEST_OF):
        start = perf_counter()
        run()
        best = min(best, perf_counter() - start)
    return best * 1000


def fold_ms(match: Match) -> float:
    return milliseconds(lambda: replay(match.rules, match.players, match.log))


def main() -> None:
    whole = playout(3, 4, changes={"target": "10000"}, rounds=ENTRIES // 12)
    match = replay(whole.rules, whole.players, whole.log[:ENTRIES])
    print(f"{len(match.log)} entries, {len(match.rounds)} rounds: {fold_ms(match):.2f} ms")
    for name, reach in (("of the newest entry", len), ("of entry 20, in round 1", lambda _: 20)):
        corrected = match
        for _ in range(10):
            corrected = apply(corrected, Undone(reach(corrected.log)))
            corrected = apply(corrected, Undone(len(corrected.log)))
        print(f"… and 20 undos {name}: {fold_ms(corrected):.2f} ms")
    print(f"one undo, applied: {milliseconds(lambda: apply(match, Undone(len(match.log)))):.2f} ms")
    rows = [json.dumps(to_row(event)) for event in match.log]
    print(f"{len(rows)} rows read: {milliseconds(lambda: [from_row(json.loads(row)) for row in rows]):.2f} ms")


if __name__ == "__main__":
    main()

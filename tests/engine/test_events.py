"""Entries as rows, and which stand after undo and correction."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fiveup_ref.engine.events import (
    Adjusted,
    Amended,
    Closed,
    Correction,
    Counted,
    Disputed,
    Drew,
    Event,
    Inserted,
    Noted,
    Passed,
    Played,
    PointedOut,
    Previewed,
    Renamed,
    Ringed,
    RoundEnded,
    RoundOpened,
    RulesChanged,
    Scored,
    Settled,
    Undone,
    from_row,
    to_row,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.log import check_reference, last_redoable, last_undoable, standing, taken_back
from fiveup_ref.engine.scoring import Ends
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from tests.engine.play import event, left

LOTS = (
    (("A", Tile.of(6, 3)), ("B", Tile.of(5, 4)), ("C", Tile.of(0, 0))),
    (("A", Tile.of(1, 0)), ("B", Tile.of(6, 6))),
)

ROWS: list[tuple[Event, dict[str, Any]]] = [
    (RoundOpened("A", "out"), {"type": "RoundOpened", "seat": "A", "by": "out", "lots": []}),
    (
        RoundOpened("B", "lot", LOTS),
        {
            "type": "RoundOpened",
            "seat": "B",
            "by": "lot",
            "lots": [{"A": "6-3", "B": "5-4", "C": "0-0"}, {"A": "1-0", "B": "6-6"}],
        },
    ),
    (Played("A", Tile.of(5, 5)), {"type": "Played", "seat": "A", "tile": "5-5", "onto": None}),
    (Counted("A", Ends.parse("6-6 5")), {"type": "Counted", "seat": "A", "ends": "6-6 5"}),
    (Scored("B", 2), {"type": "Scored", "seat": "B", "points": 2}),
    (Drew("C", None), {"type": "Drew", "seat": "C", "tiles": None}),
    (Drew("C", 3), {"type": "Drew", "seat": "C", "tiles": 3}),
    (Passed("D"), {"type": "Passed", "seat": "D"}),
    (PointedOut("D"), {"type": "PointedOut", "seat": "D"}),
    (RoundEnded(None), {"type": "RoundEnded", "out": None}),
    (RoundEnded("A"), {"type": "RoundEnded", "out": "A"}),
    (Settled(left("B 3-0 2-1 | C 6 pips")), {"type": "Settled", "left": {"B": "3-0 2-1", "C": "6 pips"}}),
    (
        Adjusted(Team(("B", "D")), -2, "wrong claim"),
        {"type": "Adjusted", "team": "B+D", "points": -2, "reason": "wrong claim"},
    ),
    (Noted("“Sate” #1\n"), {"type": "Noted", "text": "“Sate” #1\n"}),
    (
        Disputed("it was 20", 4, "20 raw", ((Team(("A", "C")), "we saw it"), (Team(("B", "D")), "no"))),
        {
            "type": "Disputed",
            "text": "it was 20",
            "entry": 4,
            "claim": "20 raw",
            "words": {"A+C": "we saw it", "B+D": "no"},
        },
    ),
    (Closed("rain"), {"type": "Closed", "reason": "rain"}),
    (Undone(7), {"type": "Undone", "entry": 7, "reason": ""}),
    (
        Amended(3, Played("B", Tile.of(5, 0), Tile.of(5, 5)), "wrong end"),
        {
            "type": "Amended",
            "entry": 3,
            "event": {"type": "Played", "seat": "B", "tile": "5-0", "onto": "5-5"},
            "reason": "wrong end",
        },
    ),
    (
        Inserted(3, Passed("B")),
        {"type": "Inserted", "before": 3, "event": {"type": "Passed", "seat": "B"}, "reason": "", "moves_turns": False},
    ),
    (Renamed(("Ani", "Budi S.")), {"type": "Renamed", "players": ["Ani", "Budi S."]}),
    (
        RulesChanged((("target", "100"), ("exact", "yes"))),
        {"type": "RulesChanged", "changes": {"target": "100", "exact": "yes"}},
    ),
    (Previewed(on=True), {"type": "Previewed", "on": True}),
    (Ringed(on=False), {"type": "Ringed", "on": False}),
]


@pytest.mark.parametrize(
    ("entry", "row"), ROWS, ids=[f"{number} {type(entry).__name__}" for number, (entry, _) in enumerate(ROWS, 1)]
)
def test_rows(entry: Event, row: dict[str, Any]) -> None:
    assert to_row(entry) == row
    assert from_row(json.loads(json.dumps(row))) == entry


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"seat": "A"}, KeyError),
        ({"type": "Other", "seat": "A"}, KeyError),
        ({"type": "Passed"}, TypeError),
        ({"type": "Passed", "seat": "A", "tiles": 1}, TypeError),
        ({"type": "Played", "seat": "A", "tile": "7-7", "onto": None}, RulesError),
        ({"type": "Played", "seat": "A", "tile": "5-5", "onto": "x"}, RulesError),
        ({"type": "Adjusted", "team": "Q", "points": 1, "reason": "x"}, RulesError),
        ({"type": "Amended", "entry": 2, "event": {"type": "Undone", "entry": 1}}, TypeError),
        ({"type": "Inserted", "before": 2, "event": {"type": "Renamed", "players": ["Ani"]}}, TypeError),
        ({"type": "Amended", "entry": 3, "event": {"type": "Amended", "entry": 1, "event": {}}}, KeyError),
    ],
)
def test_rows_nobody_wrote(row: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        from_row(row)
    assert str(caught.value)


def test_rows_of_an_older_version_have_no_reason() -> None:
    assert from_row({"type": "Undone", "entry": 7}) == Undone(7)
    assert from_row({"type": "Amended", "entry": 3, "event": {"type": "Passed", "seat": "B"}}) == Amended(
        3, Passed("B")
    )


def log(*entries: str) -> list[Event]:
    return [event(entry) for entry in entries]


# entries | what stands, `number text`
STANDING = [
    (["note a", "note b"], ["1 a", "2 b"]),
    (["note a", "note b", "undo 2"], ["1 a"]),
    (["note a", "note b", "undo 1"], ["2 b"]),
    (["note a", "undo 1", "undo 2"], ["1 a"]),  # redo
    (["note a", "undo 1", "undo 2", "undo 3"], []),  # undo of the redo
    (["note a", "undo 1", "undo 2", "undo 1"], []),
    (["note a", "note b", "undo 1", "undo 3", "note c"], ["1 a", "2 b", "5 c"]),
    (["note a", "amend 1 note b"], ["1 b"]),
    (["note a", "note z", "amend 1 note b"], ["1 b", "2 z"]),  # at the place of the entry it corrects
    (["note a", "amend 1 note b", "amend 1 note c"], ["1 c"]),
    (["note a", "amend 1 note b", "undo 2"], ["1 a"]),
    (["note a", "amend 1 note b", "amend 1 note c", "undo 3"], ["1 b"]),
    (["note a", "amend 1 note b", "amend 1 note c", "undo 2"], ["1 c"]),
    (["note a", "amend 1 note b", "undo 2", "undo 3"], ["1 b"]),
    (["note a", "amend 1 note b", "undo 1"], []),
    (["note a", "amend 1 note b", "undo 1", "undo 3"], ["1 b"]),
    (["note a", "insert 1 note b"], ["2 b", "1 a"]),
    (["note a", "insert 1 note b", "insert 1 note c"], ["2 b", "3 c", "1 a"]),  # each right before its neighbour
    (["note a", "insert 1 note b", "insert 2 note c"], ["3 c", "2 b", "1 a"]),
    (["note a", "insert 1 note b", "note z"], ["2 b", "1 a", "3 z"]),
    (["note a", "insert 1 note b", "undo 2"], ["1 a"]),
    (["note a", "insert 1 note b", "undo 2", "undo 3"], ["2 b", "1 a"]),
    (["note a", "insert 1 note b", "undo 1"], ["2 b"]),  # the place stays when the neighbour goes
    (["note a", "insert 1 note b", "insert 2 note c", "undo 2"], ["3 c", "1 a"]),
    (["note a", "insert 1 note b", "amend 2 note c"], ["2 c", "1 a"]),
    (["note a", "insert 1 note b", "amend 2 note c", "undo 3"], ["2 b", "1 a"]),
]


@pytest.mark.parametrize(("entries", "stands"), STANDING)
def test_what_stands(entries: list[str], stands: list[str]) -> None:
    found = standing(log(*entries))
    assert [f"{one.entry} {one.event.text}" for one in found if isinstance(one.event, Noted)] == stands
    assert [one.turns for one in found] == [0] * len(stands)


@pytest.mark.parametrize(("entries", "_"), STANDING)
def test_each_entry_of_these_logs_may_be_entered(entries: list[str], _: list[str]) -> None:
    whole = log(*entries)
    for number, entry in enumerate(whole):
        if isinstance(entry, Correction):
            check_reference(whole[:number], entry)


def test_what_is_taken_back() -> None:
    assert taken_back([]) == {}
    assert taken_back(log("note a", "undo 1")) == {1: 2}
    assert taken_back(log("note a", "note b", "undo 1", "undo 2", "undo 3")) == {2: 4, 3: 5}
    assert taken_back(log("note a", "undo 1", "undo 2", "undo 1")) == {1: 4, 2: 3}  # by the undo that holds


@pytest.mark.parametrize(
    ("entries", "entry", "fault"),
    [
        ([], "undo 1", Fault.NO_SUCH_ENTRY),
        (["note a"], "undo 0", Fault.NO_SUCH_ENTRY),
        (["note a"], "undo -1", Fault.NO_SUCH_ENTRY),
        (["note a"], "undo 2", Fault.NO_SUCH_ENTRY),  # not itself
        (["note a"], "amend 2 note b", Fault.NO_SUCH_ENTRY),
        (["note a", "undo 1"], "undo 1", Fault.ENTRY_UNDONE),
        (["note a", "undo 1"], "amend 1 note b", Fault.ENTRY_UNDONE),
        (["note a", "undo 1", "undo 2"], "undo 2", Fault.ENTRY_UNDONE),
        (["note a", "undo 1"], "amend 2 note b", Fault.NOT_AMENDABLE),
        (["note a", "amend 1 note b"], "amend 2 note c", Fault.NOT_AMENDABLE),
        (["note a", "amend 1 note b", "undo 2"], "undo 2", Fault.ENTRY_UNDONE),
        (["rename Ani Budi"], "amend 1 note b", Fault.NOT_AMENDABLE),
        (["note a"], "insert 2 note b", Fault.NO_SUCH_ENTRY),
        (["note a", "undo 1"], "insert 1 note b", Fault.ENTRY_UNDONE),
        (["note a", "undo 1"], "insert 2 note b", Fault.NO_PLACE),
        (["note a", "amend 1 note b"], "insert 2 note c", Fault.NO_PLACE),
        (["rules target=100"], "insert 1 note b", Fault.NO_PLACE),
    ],
)
def test_references_to_nothing(entries: list[str], entry: str, fault: Fault) -> None:
    reference = event(entry)
    assert isinstance(reference, Correction)
    with pytest.raises(RulesError) as caught:
        check_reference(log(*entries), reference)
    assert caught.value.fault is fault
    assert caught.value.fields == {"entry": reference.before if isinstance(reference, Inserted) else reference.entry}


@pytest.mark.parametrize(
    ("entries", "last"),
    [
        ([], None),
        (["note a"], 1),
        (["note a", "note b"], 2),
        (["note a", "note b", "undo 2"], 1),
        (["note a", "note b", "undo 2", "undo 1"], None),
        (["note a", "undo 1", "undo 2"], 1),
        (["note a", "undo 1", "undo 2", "undo 3"], None),
        (["note a", "note b", "undo 2", "undo 1", "undo 4"], 1),
        (["note a", "note b", "undo 1"], 3),  # it took out an older entry
        (["note a", "note b", "undo 1", "undo 3"], 2),
        (["note a", "note b", "undo 1", "undo 3", "undo 4"], 3),
        (["note a", "note b", "undo 1", "note c"], 4),
        (["note a", "note b", "undo 1", "note c", "undo 4"], 3),
        (["note a", "note b", "undo 1", "note c", "undo 4", "undo 3"], 2),
        (["note a", "note b", "undo 1", "undo 2"], 4),  # an older one too: the newest was the undo of a
        (["note a", "note b", "undo 1", "undo 2", "undo 4", "undo 3"], 2),
        (["note a", "note b", "undo 2", "note c", "undo 3"], 5),  # brought back after something else
        (["note a", "note b", "undo 2", "note c", "undo 3", "undo 5"], 4),
        (["note a", "amend 1 note b"], 2),
        (["note a", "amend 1 note b", "undo 2"], 1),
        (["note a", "insert 1 note b"], 2),
        (["note a", "rename Ani Budi"], 2),
    ],
)
def test_what_one_undo_takes_back(entries: list[str], last: int | None) -> None:
    assert last_undoable(log(*entries)) == last


@pytest.mark.parametrize(
    ("entries", "undo"),
    [
        ([], None),
        (["note a"], None),
        (["note a", "undo 1"], 2),
        (["note a", "undo 1", "note b"], None),
        (["note a", "undo 1", "undo 2"], None),
        (["note a", "undo 1", "undo 2", "undo 3"], 2),
        (["note a", "note b", "undo 2", "undo 1"], 4),
        (["note a", "note b", "undo 2", "undo 1", "undo 4"], 3),
        (["note a", "note b", "undo 1"], None),  # an undo takes back that it was taken out
        (["note a", "note b", "undo 1", "undo 3"], 4),
    ],
)
def test_what_one_redo_takes_back(entries: list[str], undo: int | None) -> None:
    assert last_redoable(log(*entries)) == undo

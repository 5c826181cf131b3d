"""Matches as files: what goes out comes back the same, and what is bad brings nothing."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from fiveup_ref import exchange
from fiveup_ref.engine.events import Adjusted, Noted, Renamed, RoundOpened, RulesChanged, Undone
from fiveup_ref.engine.faults import Fault
from fiveup_ref.engine.record import Record, read, write
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.seats import Team
from fiveup_ref.exchange import archive, unpack
from fiveup_ref.exchange_flaws import Flaw
from fiveup_ref.exchange_json import to_json
from fiveup_ref.store import Arrival, Saved, Store

from .storing import LOG, TWO, Clock, fill, new

RECORDS: Final = sorted((Path(__file__).parent / "records").glob("*.fiveup"))
NOW: Final = datetime(2026, 12, 1, 8, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "data", clock=Clock())) as store:
        yield store


@pytest.fixture
def saved(store: Store) -> Saved:
    match_id = new(store, title="Friday")
    fill(store, match_id)
    return store.load(match_id)


def unnamed(saved: Saved) -> Saved:
    """A match as a file brings it: which device entered what is in none."""
    return replace(saved, entries=tuple(replace(info, who="") for info in saved.entries))


def brought(data: bytes) -> tuple[Saved, ...]:
    parcel = unpack(data, now=NOW)
    assert parcel.troubles == ()
    return parcel.matches


def flaws(data: bytes) -> list[tuple[str, int, int]]:
    """Each trouble of a file that must bring nothing: what, at which line, at which entry."""
    parcel = unpack(data, now=NOW)
    assert parcel.matches == ()
    assert parcel.troubles
    for trouble in parcel.troubles:
        assert trouble.sentence.format(**trouble.values)
    return [(trouble.sentence, trouble.line, trouble.entry) for trouble in parcel.troubles]


# Out and back


def test_a_match_comes_back_with_its_whole_log(store: Store, saved: Saved, tmp_path: Path) -> None:
    data = to_json(saved)
    assert to_json(saved) == data
    (back,) = brought(data)
    assert back == unnamed(replace(saved, id=""))
    with closing(Store(tmp_path / "elsewhere")) as elsewhere:
        (arrived,) = elsewhere.bring_in([back])
        assert arrived.arrival is Arrival.NEW
        assert replace(elsewhere.load(arrived.id), id=saved.id) == unnamed(saved)
        assert to_json(elsewhere.load(arrived.id)) == data


def test_no_file_says_which_device_entered_what_and_none_is_believed(saved: Saved) -> None:
    data = to_json(saved)
    assert {info.who for info in saved.entries} == {"Ani's phone"}
    with zipfile.ZipFile(io.BytesIO(archive([("x", saved)]))) as files:
        written = [data, *(files.read(name) for name in files.namelist())]
    assert not any(b"Ani's phone" in one or b'"who"' in one for one in written)
    row = json.loads(data)
    for number, entry in enumerate(row["log"]):
        entry["who"] = ["Ani's phone", None, 7][number % 3]
    (back,) = brought(json.dumps(row).encode())
    assert {info.who for info in back.entries} == {""}


def test_who_has_the_file_cannot_enter(saved: Saved, store: Store) -> None:
    assert saved.id.encode() not in to_json(saved)
    assert saved.id.encode() not in archive([("x", saved)])
    assert saved.uid not in saved.id


def test_every_entry_is_a_line_of_its_own(saved: Saved) -> None:
    lines = to_json(saved).decode().splitlines()
    assert [json.loads(line.rstrip(","))["event"]["type"] for line in lines if '"event"' in line] == [
        type(event).__name__ for event in LOG
    ]


def test_the_same_match_twice_is_one(store: Store, saved: Saved) -> None:
    for data in (to_json(saved), archive([("x", saved)])):
        (arrived,) = store.bring_in(brought(data))
        assert (arrived.id, arrived.arrival) == (saved.id, Arrival.HERE)
    store.append(saved.id, Noted("more"), seen=len(LOG), key="")
    (arrived,) = store.bring_in(brought(to_json(saved)))
    assert (arrived.id, arrived.arrival) == (saved.id, Arrival.DIFFERS)
    assert len(store.load(saved.id).entries) == len(LOG) + 1
    store.delete(saved.id)
    (arrived,) = store.bring_in(brought(to_json(saved)))
    assert (arrived.id, arrived.arrival) == (saved.id, Arrival.DELETED)
    assert store.recent(None) == []
    assert len(store.deleted(None)) == 1


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_keeps_its_game_its_results_and_its_bytes_r32(store: Store, path: Path) -> None:
    data = path.read_bytes()
    (back,) = brought(data)
    (arrived,) = store.bring_in([back])
    kept = store.load(arrived.id)
    record = read(data).record
    assert record is not None
    assert kept.match == record.match
    assert kept.match.rules == record.match.rules
    assert write(Record(kept.match, kept.title, kept.date or "")) == write(record)
    (again,) = brought(to_json(kept))
    assert again.match == record.match
    noisy = b"\xef\xbb\xbf# a comment\r\n" + data.replace(b"\n", b"  \r\n\r\n").replace(b" = ", b"\t=  ")
    (twin,) = brought(noisy)
    (arrived,) = store.bring_in([twin])
    assert (arrived.id, arrived.arrival) == (kept.id, Arrival.HERE)
    assert len(store.recent(None)) == 1


@pytest.mark.parametrize(
    ("date", "started", "zone"),
    [
        ("", NOW, ""),
        ("2026-11-29", datetime(2026, 11, 29, tzinfo=UTC), ""),
        ("2026-11-29T20:15", datetime(2026, 11, 29, 20, 15, tzinfo=UTC), ""),
        ("2026-11-29T20", datetime(2026, 11, 29, 20, tzinfo=UTC), ""),
        ("2026-11-29T20:15+07:00", datetime(2026, 11, 29, 13, 15, tzinfo=UTC), "+07:00"),
        ("2026-11-29T20:15:30.5-03:30", datetime(2026, 11, 29, 23, 45, 30, 500_000, tzinfo=UTC), "-03:30"),
        ("2026-11-29T20:15Z", datetime(2026, 11, 29, 20, 15, tzinfo=UTC), "+00:00"),
        ("2026-11-30T00:30+07:00", datetime(2026, 11, 29, 17, 30, tzinfo=UTC), "+07:00"),
        ("0001-01-01T00:00+23:59", datetime(1, 1, 1, tzinfo=UTC), ""),
        ("9999-12-31T23:59-23:59", datetime(9999, 12, 31, 23, 59, tzinfo=UTC), ""),
    ],
)
def test_every_date_of_a_record(store: Store, date: str, started: datetime, zone: str) -> None:
    line = f"date {date}\n" if date else ""
    (back,) = brought(f"fiveup 1\nrules five-up\n{line}player A Ani\nplayer B Budi\n".encode())
    assert (back.started, back.zone, back.date) == (started, zone, date)
    (arrived,) = store.bring_in([back])
    assert store.load(arrived.id).started == started


@pytest.mark.parametrize("name", ["=1+1", "@sum", "+62", "-Ani", "Ni Luh Śrī", "Jürgen", "ديوي", 'O\'Neill, "Bo"', "🁣"])
def test_names_come_back_unchanged_k76_k78(store: Store, name: str) -> None:
    match_id = store.create(title=name, rules=TWO, players=(name, "Budi"))
    saved = store.load(match_id)
    record = write(Record(saved.match, saved.title)).encode()
    for data in (to_json(saved), record, b"\xef\xbb\xbf" + to_json(saved), b"\xef\xbb\xbf" + record):
        (back,) = brought(data)
        assert (back.title, back.match.players) == (name, (name, "Budi"))


def test_what_would_turn_the_text_after_it_is_left_out(store: Store) -> None:
    (back,) = brought("fiveup 1\nrules five-up\nplayer A A\u202eni\nplayer B \u2067Budi\u2069\n".encode())
    assert back.match.players == ("Ani", "Budi")
    match_id = store.create(title="a\u202e\nb", rules=TWO, players=("A\u0007ni", "Budi"))
    (back,) = brought(to_json(store.load(match_id)))
    assert (back.title, back.match.players) == ("a b", ("A ni", "Budi"))


# Archives


def test_all_matches_as_one_archive_and_back(store: Store, tmp_path: Path) -> None:
    ids = [new(store, title=f"match {number}") for number in range(5)]
    for match_id in ids[1:]:
        fill(store, match_id)
    matches = store.recent(None)
    data = archive([("name", saved) for saved in matches])
    assert archive([("name", saved) for saved in reversed(matches)]) == data
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        assert len(set(files.namelist())) == 5
    with closing(Store(tmp_path / "elsewhere")) as elsewhere:
        for arrival in (Arrival.NEW, Arrival.HERE):
            assert {one.arrival for one in elsewhere.bring_in(brought(data))} == {arrival}
        back = {saved.title: saved for saved in elsewhere.recent(None)}
        assert {title: replace(saved, id="") for title, saved in back.items()} == {
            saved.title: unnamed(replace(saved, id="")) for saved in matches
        }


def packed(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_an_archive_may_hold_records_and_folders(saved: Saved) -> None:
    data = packed({"folder/": b"", "folder/a.fiveup": RECORDS[0].read_bytes(), "b": to_json(saved), "__MACOSX/b": b"x"})
    assert len(brought(data)) == 2
    assert len(brought(packed({"a": to_json(saved), "b": to_json(saved)}))) == 1


def test_one_bad_file_of_an_archive_keeps_all_out_and_is_named(saved: Saved) -> None:
    bad = RECORDS[0].read_bytes().replace(b"rules", b"ruels") + b"A 9-9\n"
    parcel = unpack(packed({"good.json": to_json(saved), "bad.fiveup": bad, "cut.json": b"{"}), now=NOW)
    assert parcel.matches == ()
    assert {trouble.file for trouble in parcel.troubles} == {"bad.fiveup", "cut.json"}
    assert [trouble.line for trouble in parcel.troubles if trouble.file == "cut.json"] == [1]


def test_two_states_of_one_match_in_an_archive(saved: Saved) -> None:
    fewer = replace(saved, match=replace(saved.match, log=()), entries=())
    assert flaws(packed({"a": to_json(saved), "b": to_json(fewer)})) == [(Flaw.TWICE, 0, 0)]


def test_archives_beyond_the_limits(monkeypatch: pytest.MonkeyPatch, saved: Saved) -> None:
    assert flaws(packed({})) == [(Flaw.ZIP_EMPTY, 0, 0)]
    assert flaws(packed({"photo.jpg": b"\xff\xd8\xff\xe0" * 99})) == [(Fault.FILE_NOT_TEXT, 1, 0)]
    monkeypatch.setattr(exchange, "MOST_FILES", 3)
    assert flaws(packed(dict.fromkeys("abcd", b"x"))) == [(Flaw.ZIP_FILES, 0, 0)]
    bomb = packed({"a": b"{" + b" " * 80_000_000})
    assert len(bomb) < 100_000
    assert flaws(bomb) == [(Flaw.JSON_TOO_BIG, 0, 0)]
    monkeypatch.setattr(exchange, "LARGEST_ARCHIVE", 10_000)
    assert flaws(bomb) == [(Flaw.ZIP_TOO_BIG, 0, 0)]


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_archive_never_brings_something_else(saved: Saved, seed: int) -> None:
    luck = random.Random(seed)
    data = bytearray(archive([("x", saved)]))
    if seed % 2:
        del data[luck.randrange(2, len(data)) :]
    else:
        data[luck.randrange(2, len(data))] ^= 1 << luck.randrange(8)
    parcel = unpack(bytes(data), now=NOW)
    assert parcel.troubles or parcel.matches == (unnamed(replace(saved, id="")),)


# Bad files


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", (Fault.FILE_EMPTY, 1, 0)),
        (b" \n\n", (Fault.FILE_EMPTY, 1, 0)),
        (b"\xff\xd8\xff\xe0 a photo", (Fault.FILE_NOT_TEXT, 1, 0)),
        (b"\x89PNG\r\n\x1a\n", (Fault.FILE_NOT_TEXT, 1, 0)),
        (b"PK", (Flaw.ZIP_BROKEN, 0, 0)),
        (b"PK\x03\x04 cut", (Flaw.ZIP_BROKEN, 0, 0)),
        (b"hello", (Fault.FILE_OTHER, 1, 0)),
        (b"x" * (1024 * 1024 + 1), (Fault.FILE_TOO_BIG, 1, 0)),
        (b"{" + b" " * 5_000_000, (Flaw.JSON_TOO_BIG, 0, 0)),
        (b"{", (Flaw.JSON_BROKEN, 1, 0)),
        (b"{}", (Flaw.JSON_OTHER, 0, 0)),
        (b'{"a": ' + b"[" * 100_000, (Flaw.JSON_OTHER, 0, 0)),
        (b'{"a": ' + b"9" * 10_000 + b"}", (Flaw.JSON_OTHER, 0, 0)),
        (b'{"a": "\\ud800"}', (Fault.FILE_NOT_TEXT, 0, 0)),
        (b'{"a": "\xff"}', (Fault.FILE_NOT_TEXT, 0, 0)),
        (b'{"fiveup_ref": 2}', (Flaw.JSON_VERSION, 0, 0)),
        (b'{"fiveup_ref": [[[]]]}', (Flaw.JSON_VERSION, 0, 0)),
    ],
    ids=range(17),
)
def test_what_is_no_match(data: bytes, found: tuple[str, int, int]) -> None:
    assert flaws(data) == [found]


def test_a_file_that_was_cut_off_k79(saved: Saved) -> None:
    data = to_json(saved)
    for length in range(1, len(data) - 1, 7):
        (found,) = flaws(data[:length])
        assert found == (Flaw.JSON_BROKEN, data[:length].count(b"\n") + 1, 0) or found[0] is Fault.FILE_NOT_TEXT
    record = RECORDS[0].read_bytes()
    assert unpack(record[: len(record) // 2], now=NOW).matches or flaws(record[: len(record) // 2])


def test_every_bad_line_of_a_record_is_named() -> None:
    text = "fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\nround 1\nopens A lot\nA 5-5 = 9 +2\nB 7-8>5-5\nwhat"
    assert [(line, entry) for _, line, entry in flaws(text.encode())] == [(7, 0), (8, 0), (9, 0)]


def test_a_tile_of_another_set_is_named_r64() -> None:
    head = "fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\nround 1\nopens A lot\n"
    parcel = unpack((head + "A [7-8]\n").encode(), now=NOW)
    (trouble,) = parcel.troubles
    assert trouble.line == 7
    assert "7-8" in trouble.sentence.format(**trouble.values)


def put(*path: str | int, value: Any) -> Callable[[Any], None]:
    def change(row: Any) -> None:
        for step in path[:-1]:
            row = row[step]
        row[path[-1]] = value

    return change


def event(**fields: Any) -> Callable[[Any], None]:
    return put("log", 2, "event", value=fields)


BAD: Final[list[tuple[Callable[[Any], None], str, int]]] = [
    (put("uid", value="x"), Flaw.JSON_FIELD, 0),
    (put("uid", value=None), Flaw.JSON_FIELD, 0),
    (put("uid", value="A" * 32), Flaw.JSON_FIELD, 0),
    (put("title", value=7), Flaw.JSON_FIELD, 0),
    (put("title", value="x" * 1000), Fault.TEXT_TOO_LONG, 0),
    (put("zone", value="Mars"), Flaw.JSON_FIELD, 0),
    (put("zone", value="+99:00"), Flaw.JSON_FIELD, 0),
    (put("date", value="yesterday"), Fault.DATE_FORM, 0),
    (put("date", value=5), Flaw.JSON_FIELD, 0),
    (put("started", value="2026-11-29T20:15"), Flaw.JSON_FIELD, 0),
    (put("started", value="0001-01-01T00:00+23:00"), Flaw.JSON_FIELD, 0),
    (put("players", value=["Ani"]), Flaw.JSON_FIELD, 0),
    (put("players", value="AB"), Flaw.JSON_FIELD, 0),
    (put("players", 0, value=1), Flaw.JSON_FIELD, 0),
    (put("players", 0, value=""), Fault.NAME_MISSING, 0),
    (put("players", 0, value="\u202e"), Fault.NAME_MISSING, 0),
    (put("players", 0, value="\u2800\u3164"), Fault.NAME_MISSING, 0),
    (put("players", 0, value="x" * 41), Fault.NAME_TOO_LONG, 0),
    (put("rules", value=None), Flaw.JSON_FIELD, 0),
    (put("rules", "target", value="61"), Flaw.JSON_FIELD, 0),
    (put("rules", "target", value=True), Flaw.JSON_FIELD, 0),
    (put("rules", "target", value=10**9), Fault.FIELD_BOUNDS, 0),
    (put("rules", "exact", value=1), Flaw.JSON_FIELD, 0),
    (put("rules", "preset", value="chess"), Flaw.JSON_FIELD, 0),
    (put("rules", "preset", value=[]), Flaw.JSON_FIELD, 0),
    (put("rules", "settlement", value="all"), Flaw.JSON_FIELD, 0),
    (put("rules", "settlement", value=[]), Flaw.JSON_FIELD, 0),
    (put("rules", "more", value=1), Flaw.JSON_FIELD, 0),
    (put("rules", "players", value=5), Fault.PLAYERS, 0),
    (put("rules", "partners", value=True), Fault.PARTNERS_NEED_FOUR, 0),
    (put("log", value={}), Flaw.JSON_FIELD, 0),
    (put("log", value=[{}] * 5001), Flaw.JSON_ENTRIES, 0),
    (put("log", 2, value=7), Flaw.JSON_ENTRY, 3),
    (put("log", 2, value=None), Flaw.JSON_ENTRY, 3),
    (put("log", 2, "time", value="soon"), Flaw.JSON_FIELD, 3),
    (put("log", 2, "event", value=[]), Flaw.JSON_ENTRY, 3),
    (event(), Flaw.JSON_ENTRY, 3),
    (event(type="Store"), Flaw.JSON_ENTRY, 3),
    (event(type=[]), Flaw.JSON_ENTRY, 3),
    (event(type="Passed"), Flaw.JSON_ENTRY, 3),
    (event(type="Passed", seat=["B"]), Flaw.JSON_ENTRY, 3),
    (event(type="Passed", seat="B"), Fault.MUST_DRAW, 3),
    (event(type="Played", seat="B", tile="5-0", onto=5), Flaw.JSON_ENTRY, 3),
    (event(type="Played", seat="B", tile="9-9", onto="5-5"), Fault.NO_SUCH_TILE, 3),
    (event(type="Played", seat="B", tile="05", onto="5-5"), Flaw.JSON_ENTRY, 3),
    (event(type="Played", seat="B", tile="5-0", onto="5-5", also=1), Flaw.JSON_ENTRY, 3),
    (event(type="Drew", seat="B", tiles=True), Flaw.JSON_ENTRY, 3),
    (event(type="Drew", seat="B", tiles=1.0), Flaw.JSON_ENTRY, 3),
    (event(type="Drew", seat="B", tiles=-1), Fault.DREW_NONE, 3),
    (event(type="Scored", seat="B", points=10**9), Fault.POINTS_UNIT, 3),
    (event(type="Adjusted", team="A+A", points=1, reason="x"), Fault.NOT_A_TEAM, 3),
    (event(type="Adjusted", team=["A"], points=1, reason="x"), Flaw.JSON_ENTRY, 3),
    (event(type="Noted", text=""), Fault.REASON_MISSING, 3),
    (event(type="Noted", text=5), Flaw.JSON_ENTRY, 3),
    (event(type="Undone", entry=99, reason=""), Fault.NO_SUCH_ENTRY, 3),
    (event(type="Undone", entry="1"), Flaw.JSON_ENTRY, 3),
    (event(type="Amended", entry=2, event={"type": "Undone", "entry": 1}), Flaw.JSON_ENTRY, 3),
    (event(type="Amended", entry=2, event=None), Flaw.JSON_ENTRY, 3),
    (event(type="Amended", entry=2, event={"type": "Passed", "seat": 5}), Flaw.JSON_ENTRY, 3),
    (event(type="Settled", left=[]), Flaw.JSON_ENTRY, 3),
    (event(type="Settled", left={"B": 5}), Flaw.JSON_ENTRY, 3),
    (event(type="RoundOpened", seat="A", by="lot", lots=[[]]), Flaw.JSON_ENTRY, 3),
    (event(type="Counted", seat="B", ends=[5]), Flaw.JSON_ENTRY, 3),
]


@pytest.mark.parametrize(("change", "fault", "entry"), BAD, ids=range(len(BAD)))
def test_every_field_from_outside_is_checked(
    saved: Saved, change: Callable[[Any], None], fault: str, entry: int
) -> None:
    row = json.loads(to_json(saved))
    change(row)
    assert flaws(json.dumps(row).encode()) == [(fault, 0, entry)]


def test_a_log_of_many_undos_is_read_in_time(store: Store) -> None:
    log = (Noted("x"), Undone(1), Noted("y"), Adjusted(Team(("A",)), 1, "z"))
    match_id = new(store)
    fill(store, match_id, log)
    row = json.loads(to_json(store.load(match_id)))
    row["log"] = [row["log"][0], row["log"][3]] * 1000
    (back,) = brought(json.dumps(row).encode())
    assert len(back.entries) == 2000


def test_nothing_is_stored_if_one_cannot_be(store: Store, saved: Saved) -> None:
    good = replace(saved, id="", uid="0" * 32)
    bad = replace(saved, id="", uid="1" * 32, entries=saved.entries[:-1])
    with pytest.raises(ValueError, match="zip"):
        store.bring_in([good, bad])
    assert [one.id for one in store.recent(None)] == [saved.id]


def test_a_match_whose_rules_and_names_were_changed_comes_back_as_it_was(store: Store) -> None:
    """The changes are entries of the log: what goes out beside them is what the match was made with."""
    match_id = store.create(title="", rules=PRESETS["five-up"].rules(2), players=("Ani", "Budi"))
    changes = (Renamed(("Ani S.", "Budi")), RulesChanged((("target", "100"),)))
    fill(store, match_id, (RoundOpened("A", "lot"), *changes))
    saved = store.load(match_id)
    (back,) = unpack(to_json(saved), now=NOW).matches
    assert (back.match.players, back.match.rules.target) == (("Ani S.", "Budi"), 100)
    assert (back.match.start, back.match) == (saved.match.start, saved.match)

"""The `.fiveup` format both ways: what is written is read back, and every way people write it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fiveup_ref.engine.course import apply, replay
from fiveup_ref.engine.events import (
    AGREED,
    LOT,
    Amended,
    Closed,
    Disputed,
    Drew,
    Noted,
    Played,
    RoundEnded,
    RoundOpened,
    Scored,
    Undone,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.match import Match, Move, Status
from fiveup_ref.engine.record import LARGEST_FILE, MOST_LINES, Kind, Reading, Record, read, write
from fiveup_ref.engine.record_entries import FORMS
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.seats import SEATS, Team
from fiveup_ref.engine.tiles import Tile
from tests.playout import COUNTS, MIXED, POINTS, TILES, playout

RECORDS = Path(__file__).parent.parent / "records"
SHARED = RECORDS.parent.parent.parent / "shared" / "records"
OURS = sorted(RECORDS.glob("*.fiveup"))
THEIRS = sorted(SHARED.glob("*/*.fiveup"))

HEAD = "fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\n"


def problems(text: str | bytes) -> list[tuple[int, str, Fault]]:
    return [(problem.line, str(problem.kind), problem.error.fault) for problem in read(text).problems]


def match_of(text: str) -> Match:
    reading = read(text)
    assert reading.problems == ()
    assert reading.record is not None
    return reading.record.match


@pytest.mark.parametrize("path", OURS + THEIRS, ids=lambda path: path.stem)
def test_a_record_is_its_own_test(path: Path) -> None:
    written = path.read_bytes()
    reading = read(written)
    assert reading.problems == ()
    assert reading.record is not None
    assert write(reading.record).encode() == written
    match = reading.record.match
    assert replay(match.rules, match.players, reading.log) == match


def _settled(match: Match) -> list[tuple[int, ...]]:
    return [round_.after_settlement for round_ in match.rounds if round_.settlement]


CLAIMS: dict[str, Callable[[Match], object]] = {
    "five-up-tie-at-the-target": lambda match: (
        match.status is Status.WON
        and match.rules.target == 61
        and any(max(scores) >= 61 and len(set(scores)) == 1 for scores in _settled(match))
    ),
    "five-up-61-reached-and-lost": lambda match: (
        match.status is Status.WON
        and match.rules.target == 61
        and any(max(r.before_settlement) >= 61 > max(r.after_settlement) for r in match.rounds)
    ),
    "five-up-blocked-round": lambda match: match.status is Status.WON and any(r.blocked for r in match.rounds),
    "five-up-below-zero": lambda match: min(match.scores) < 0,
    "five-up-unknown-draws": lambda match: any(isinstance(event, Drew) and event.tiles is None for event in match.log),
    "five-up-exact-target": lambda match: match.rules.exact and any(move.unscored for move in match.steps),
    "five-up-unfinished-round": lambda match: match.in_round and not match.rounds[-1].ended,
    "five-up-waiting-for-leftovers": lambda match: match.rounds[-1].ended and not match.rounds[-1].settlement,
    "five-up-nothing-played": lambda match: not match.rounds,
    "all-fives-won-at-settlement": lambda match: (
        match.winner is not None and max(match.rounds[-1].before_settlement) < match.rules.target
    ),
    "all-fives-won-by-the-last-tile": lambda match: (
        match.winner is not None and match.rounds[-1].out and not match.rounds[-1].settlement
    ),
    "all-fives-blocked-tie": lambda match: any(
        r.settlement and r.blocked and not any(r.settlement.teams.values()) for r in match.rounds
    ),
    "all-fives-blocked-and-shared": lambda match: any(r.settlement and r.settlement.shared for r in match.rounds),
    "all-fives-four-single": lambda match: match.rules.players == 4 and not match.rules.partners,
    "all-fives-five-players": lambda match: match.rules.players == 5,
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_record_is_what_its_name_says(name: str) -> None:
    assert CLAIMS[name](match_of((RECORDS / f"{name}.fiveup").read_text(encoding="utf-8")))


MATCHES = st.builds(
    playout,
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.sampled_from(list(PRESETS)),
    form=st.sampled_from([TILES, COUNTS, POINTS, MIXED]),
    rounds=st.integers(1, 4),
    talk=st.booleans(),
    changes=st.sampled_from([{}, {"hand": "6"}, {"reserve": "1"}, {"exact": "yes", "target": "20"}, {"target": "3"}]),
)


@given(MATCHES)
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_back(match: Match) -> None:
    record = Record(match, "Ani's #1 table", "2026-11-29T20:15+07:00")
    text = write(record)
    assert read(text) == Reading(record)
    assert read(text.encode()) == Reading(record)


@given(st.text() | st.binary())
@example("fiveup")
@example("fiveup 1\nadjust")
@example("fiveup 1\nplayer")
@example("\udcff")
def test_nothing_makes_the_reader_raise(data: str | bytes) -> None:
    reading = read(data)
    assert reading.problems
    assert all(problem.message for problem in reading.problems)


PIECES = (
    "pass draw ends points 5-5 5-0>5-5 6-6 7-7 = + 10 +2 -1 ? pips lot agreed none A+C B+D tie open hand=9 hand=x #"
)
WORDS = st.sampled_from([*FORMS, *SEATS, *PRESETS, *PIECES.split()])


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), max_size=30))
@settings(max_examples=400, deadline=None)
def test_no_mixture_of_its_words_makes_the_reader_raise(lines: list[str]) -> None:
    reading = read(HEAD + "\n".join(lines))
    if reading.ok and reading.record:
        text = write(reading.record)
        assert read(text) == Reading(reading.record)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_a_file_cut_anywhere_is_read(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(0, len(whole), 1 + len(whole) // 150):
        reading = read(whole[:length])
        if reading.ok and reading.record:
            again = write(reading.record)
            assert read(again).ok
            assert write(Record(match_of(again), reading.record.title, reading.record.date)) == again


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(" ", " \t  ").replace("\n", "   \n\n\n"),
        lambda text: "# ours\n" + text.replace("\n\n", "\n  # a round\n"),
        lambda text: text.replace("\npartners A+C B+D", "\npartners D+B C+A"),
    ],
    ids=["crlf", "bom", "no last newline", "white space", "comments", "partners the other way round"],
)
def test_the_way_it_is_typed_does_not_matter(path: Path, changed: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    assert read(changed(text)) == read(text)


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_results_may_be_left_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = [line.partition(" = ")[0] for line in text.splitlines() if line.split(" ")[0] not in ("settle", "score")]
    reading = read("\n".join(line for line in lines if not line.startswith("winner")))
    assert reading.record is not None
    assert write(reading.record) == text


def test_what_the_tiles_and_passes_show_need_not_be_written() -> None:
    text = (RECORDS / "five-up-blocked-round.fiveup").read_text(encoding="utf-8")
    shorter = "\n".join(line for line in text.splitlines() if not line.startswith(("out ", "blocked")))
    reading = read(shorter)
    assert reading.record is not None
    assert write(reading.record) == text


@pytest.mark.parametrize("tile", ["0-5", "50", "05", "5|0", "0:5", "[5-0]", "[0|5]"])
def test_a_tile_may_be_written_in_many_ways(tile: str) -> None:
    for line in (f"B {tile}>[5|5] = 10 +2", f"B {tile} > 55=10+2", f"B {tile}>5:5"):
        match = match_of(f"{HEAD}round 1\nopens A lot\nA 55\n{line}")
        assert match.log[-1] == Played("B", Tile.of(5, 0), Tile.of(5, 5))


def test_an_opener_may_be_left_out() -> None:
    rest = "A 5-5\nB 5-0>5-5\nA pass\nB pass\n"
    match = match_of(HEAD + "set hand=14\nround 1\n" + rest + "left A 78 pips\nleft B 75 pips\nround 2\nB 1-1")
    assert [event for event in match.log if isinstance(event, RoundOpened)] == [
        RoundOpened("A", AGREED),
        RoundOpened("B", AGREED),
    ]
    text = (RECORDS / "five-up-two-players.fiveup").read_text(encoding="utf-8")
    shorter = "\n".join(line for line in text.splitlines() if not (line.startswith("opens") and line.endswith("out")))
    assert read(shorter) == read(text)


def test_draws_of_one_turn_are_added_up() -> None:
    turn = "round 1\nopens A lot\nA 5-5\nB draw 1\nnote a pause\nB draw 2\n"
    match = match_of(HEAD + turn)
    assert "\nB draw 3\nnote a pause\n" in write(Record(match))
    unsure = match_of(HEAD + turn + "B draw ?\nB 5-0>5-5\nA draw 1\n")
    assert "\nB draw ?\nnote a pause\nB 5-0>5-5 = 10 +2\nA draw 1\n" in write(Record(unsure))


def test_draws_of_two_seats_are_not_added_up() -> None:
    text = HEAD + "\nround 1\nopens A lot\nA points 2\nB draw 1\nA draw 2\n\nwinner open\n"
    assert write(Record(match_of(text))) == text


def test_text_may_have_a_hash_and_nothing_but_the_text() -> None:
    text = (
        "fiveup 1 # first\nrules five-up#x\ntitle #1 of # two\nplayer A Ani # one\nplayer B #\nnote #\n"
        "adjust A -2 #1 reason # really\nadjust B +5 x\n"
    )
    reading = read(text)
    assert reading.ok
    assert reading.record is not None
    assert reading.record.title == "#1 of # two"
    assert reading.record.match.players == ("Ani # one", "#")
    assert reading.record.match.scores == (-2, 5)
    assert "\nnote #\nadjust A -2 #1 reason # really\nadjust B +5 x\n" in write(reading.record)


def test_a_typographic_minus_is_a_minus() -> None:
    assert match_of(HEAD + "adjust A \N{MINUS SIGN}2 a reason").scores == (-2, 0)
    assert problems(HEAD + "adjust A _2 a reason") == [(5, "unreadable", Fault.LINE_FORM)]


def test_what_was_taken_back_or_corrected_is_not_written() -> None:
    match = playout(2, 2, rounds=1)
    note = len(match.log) + 1
    for event in (
        Noted("wrong\n\nround 7"),
        Undone(note),
        Noted("one\nround 2"),
        Amended(note + 2, Noted(" two\tor ")),
    ):
        match = apply(match, event)
    text = write(Record(match))
    assert "wrong" not in text
    assert "\nnote two or\n" in text
    assert read(text).ok


def test_a_dispute_is_written_as_notes() -> None:
    match = playout(2, 2, rounds=1)
    words = (Team(("A",)), "six and six\nthree"), (Team(("B",)), "only once")
    text = write(Record(apply(match, Disputed("15 was\nright", 2, "15 raw", words))))
    assert "\nnote entry 2 disputed: 15 was right 15 raw\nnote A: six and six three\nnote B: only once\n" in text
    assert read(text).ok
    longest = Disputed("x" * 200, 99_999, "1000 points", ((Team(("A",)), "y" * 200),))
    assert read(write(Record(replace(match, preamble=(Move(1, longest),))))).ok


def test_a_closed_match_has_its_reason_as_a_note() -> None:
    text = write(Record(apply(playout(2, 2, rounds=1), Closed("it is late"))))
    assert text.endswith("\nnote it is late\n\nwinner open\n")
    assert read(text).ok


def test_a_round_that_is_ended_by_an_entry() -> None:
    match = Match.new(PRESETS["five-up"].rules(2), ("Ani", "Budi"))
    for event in (RoundOpened("B", LOT), Scored("B", 2), Noted("quick"), RoundEnded("B")):
        match = apply(match, event)
    text = write(Record(match))
    assert "\nopens B lot\nB points 2\nnote quick\nout B\n" in text
    assert match_of(text) == match


@pytest.mark.parametrize(
    ("scores", "word"),
    [((61, 60), "A"), ((70, 70), "tie"), ((60, 60), "open")],
)
def test_the_winner_is_a_team_a_tie_or_open(scores: tuple[int, int], word: str) -> None:
    text = f"{HEAD}adjust A {scores[0]:+d} r\nadjust B {scores[1]:+d} r\n"
    assert write(Record(match_of(text))).splitlines()[-1] == f"winner {word}"
    assert read(text + f"winner {word}\n").ok
    assert problems(text + "winner B\n") == [(7, "difference", Fault.DIFFERENT)]


def test_a_tie_in_a_running_round_is_open() -> None:
    text = HEAD + "set target_check=at-once\nadjust A +61 r\nadjust B +61 r\nround 1\nopens A lot\nA 6-6 = 12 +0\n"
    assert write(Record(match_of(text))).splitlines()[-1] == "winner open"


@pytest.mark.parametrize(
    "line",
    ["date 2026-11-29", "date 2026-11-29T20:15+07:00", "date 2024-02-29T00:00:00.5Z", "date 2026-11-29T20"],
)
def test_dates_of_the_calendar(line: str) -> None:
    reading = read(HEAD + line)
    assert reading.ok
    assert reading.record is not None
    assert line in write(reading.record)


@pytest.mark.parametrize(
    "date",
    [
        *("2026-13-01", "2026-00-01", "2026-02-29", "2100-02-29", "2026-11-31", "20261129", "0000-01-01", "today"),
        *("2026-11-29T24:00", "2026-11-29T20:60", "2026-11-29T20:15+24:00", "2026-11-29T20:15+07", "29.11.2026"),
        "\N{FULLWIDTH DIGIT TWO}026-11-29",
    ],
)
def test_dates_of_no_calendar(date: str) -> None:
    assert problems(f"{HEAD}date {date}") == [(5, "unreadable", Fault.DATE_FORM)]
    with pytest.raises(RulesError):
        Record(Match.new(PRESETS["five-up"].rules(2), ("Ani", "Budi")), date=date)


@pytest.mark.parametrize("names", [("", "Budi"), ("Ani", " \n"), ("Ani", "B" * 41)])
def test_names_that_no_record_can_hold(names: tuple[str, str]) -> None:
    with pytest.raises(RulesError):
        Record(Match.new(PRESETS["five-up"].rules(2), names))


def test_names_of_forty_characters() -> None:
    assert match_of(HEAD.replace("Ani", "A" * 40)).players[0] == "A" * 40
    assert problems(HEAD.replace("Ani", "A" * 41)) == [(3, "unreadable", Fault.NAME_TOO_LONG)]


@pytest.mark.parametrize(
    ("data", "line", "fault"),
    [
        (b"", 1, Fault.FILE_EMPTY),
        (b"\n \n# nothing\n", 1, Fault.FILE_EMPTY),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", 1, Fault.FILE_NOT_TEXT),
        (HEAD.encode("utf-16"), 1, Fault.FILE_NOT_TEXT),
        (HEAD.replace("Ani", "J\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen").encode("latin-1"), 3, Fault.FILE_NOT_TEXT),
        (HEAD.replace("Budi", "Bu\x00di").encode(), 4, Fault.FILE_NOT_TEXT),
        (HEAD.replace("Budi", "\x1b[31m").encode(), 4, Fault.FILE_NOT_TEXT),
        (HEAD + "title \ud800", 5, Fault.FILE_NOT_TEXT),
        ("#" * (LARGEST_FILE + 1), 1, Fault.FILE_TOO_BIG),
        ("\N{LATIN SMALL LETTER U WITH DIAERESIS}" * (LARGEST_FILE // 2 + 1), 1, Fault.FILE_TOO_BIG),
        (HEAD + "\n" * (MOST_LINES - 3), MOST_LINES + 1, Fault.FILE_TOO_LONG),
        ("fiveup 2\nwhatever\n", 1, Fault.FILE_VERSION),
        ("fiveup\nwhatever\n", 1, Fault.FILE_VERSION),
        ("# Read me\n\nDear all,\nhello\n", 3, Fault.FILE_OTHER),
    ],
)
def test_what_is_no_record_is_one_problem(data: str | bytes, line: int, fault: Fault) -> None:
    assert problems(data) == [(line, "unreadable", fault)]
    assert read(data).record is None


def test_the_limits_themselves_are_allowed() -> None:
    assert read(HEAD + "\n" * (MOST_LINES - 4)).ok
    assert read((HEAD + "# ").encode() + b"\n# ".join([b"x" * 400] * 2000)).ok
    assert read(HEAD + "#" + "x" * 499).ok
    assert problems(HEAD + "note " + "x" * 496) == [(5, "unreadable", Fault.LINE_TOO_LONG)]


def test_a_record_may_be_checked_by_other_rules() -> None:
    text = HEAD + "round 1\nopens A lot\nA 5-5 = 10 +2\nout B\n"
    [difference] = read(text, game="all-fives").problems[:1]
    assert (difference.line, difference.written, difference.right) == (7, "10 +2", "10 +10")
    changed = read(HEAD + "round 1\nopens A lot\nA 5-5 = 10 +4\n", changes={"points_per_five": "2"})
    assert changed.ok


def test_every_sentence_can_be_said() -> None:
    reading = read(HEAD + "round 1\nopens A lot\nA 5-5 = 11 +2\nB 7-7\nfoo\n")
    assert [(problem.kind, problem.written, problem.right) for problem in reading.problems] == [
        (Kind.DIFFERENCE, "11 +2", "10 +2"),
        (Kind.ILLEGAL, "B 7-7", None),
        (Kind.UNREADABLE, "foo", None),
    ]
    assert reading.problems[0].message == "Written is 11 +2, right is 10 +2: 5-5 10 = 10: 2 points."
    assert not reading.ok
    assert reading.log[:2] == (RoundOpened("A", LOT), Played("A", Tile.of(5, 5)))
    assert read("").log == ()

"""Faults planted in right records: each is reported once, at its line, and nothing after it is blamed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest

from fiveup_ref.engine.faults import Fault
from fiveup_ref.engine.record import Record, read, write
from fiveup_ref.engine.rules import PRESETS
from tests.playout import COUNTS, MIXED, TILES, playout

RECORDS = Path(__file__).parent.parent / "records"
PLACED = re.compile(r"([A-E]) (\d-\d)(>\d-\d)? = (\d+) \+(\d+)")
CALLED = re.compile(r"([A-E]) ends (.*) = (\d+) \+(\d+)")
ANY = ""
"""Of any kind, at the line or at the first one after it where it shows, or nowhere: at most one problem."""


class Planted(NamedTuple):
    """A record with one fault: its lines, the number of the bad one, and the kind of problem it is."""

    lines: list[str]
    number: int
    kind: str


class Sound(NamedTuple):
    """A right record: its lines, the seats, and whether all of it is kept by tiles."""

    lines: list[str]
    seats: list[str]
    by_tiles: bool

    @staticmethod
    def of(text: str) -> Sound:
        lines = text.splitlines()
        seats = [line.split()[1] for line in lines if line.startswith("player")]
        return Sound(lines, seats, not re.search(r"^. (ends|points|draw \?)", text, re.MULTILINE))

    def having(self, form: str | re.Pattern[str]) -> list[int]:
        return [index for index, line in enumerate(self.lines) if re.fullmatch(form, line)]

    def instead(self, index: int, line: str, kind: str) -> Planted:
        return Planted([*self.lines[:index], line, *self.lines[index + 1 :]], index + 1, kind)

    def placed(self) -> Iterator[tuple[int, str, str, str, int, int]]:
        for index in self.having(PLACED):
            found = PLACED.fullmatch(self.lines[index])
            assert found
            seat, tile, onto, count, points = found.groups()
            yield index, seat, tile, onto or "", int(count), int(points)

    def played_before(self, index: int) -> list[str]:
        start = max(at for at in self.having(r"round \d+") if at <= index)
        return [self.lines[at].split()[1].split(">")[0] for at in self.having(PLACED) if start < at < index]

    def others(self, seat: str) -> list[str]:
        return [other for other in self.seats if other != seat]


def wrong_count(sound: Sound) -> Iterator[Planted]:
    for index, seat, tile, onto, count, points in sound.placed():
        yield sound.instead(index, f"{seat} {tile}{onto} = {count + 1} +{points}", "difference")


def wrong_points(sound: Sound) -> Iterator[Planted]:
    for index, seat, tile, onto, count, points in sound.placed():
        yield sound.instead(index, f"{seat} {tile}{onto} = {count} +{points + 5}", "difference")


def wrong_count_and_points(sound: Sound) -> Iterator[Planted]:
    for index, seat, tile, onto, count, points in sound.placed():
        yield sound.instead(index, f"{seat} {tile}{onto} = {count + 5} +{points + 1}", "difference")


def wrong_count_of_called_ends(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(CALLED):
        found = CALLED.fullmatch(sound.lines[index])
        assert found
        seat, ends, count, points = found.groups()
        yield sound.instead(index, f"{seat} ends {ends} = {int(count) + 1} +{points}", "difference")


def _wrong_total(sound: Sound, word: str) -> Iterator[Planted]:
    for index in sound.having(f"{word} .*"):
        words = sound.lines[index].split()
        for at in range(2, len(words), 2):
            changed = f"{int(words[at]) + 1:+d}" if word == "settle" else str(int(words[at]) + 1)
            yield sound.instead(index, " ".join([*words[:at], changed, *words[at + 1 :]]), "difference")


def wrong_settlement(sound: Sound) -> Iterator[Planted]:
    yield from _wrong_total(sound, "settle")


def wrong_standing(sound: Sound) -> Iterator[Planted]:
    yield from _wrong_total(sound, "score")


def wrong_winner(sound: Sound) -> Iterator[Planted]:
    for index in sound.having("winner .*"):
        for word in {"open", "tie", *re.findall(r"score (\S+)", "\n".join(sound.lines))}:
            if word != sound.lines[index].split()[1]:
                yield sound.instead(index, f"winner {word}", "difference")


def tile_twice(sound: Sound) -> Iterator[Planted]:
    for index, seat, _, onto, count, points in sound.placed():
        for tile in sound.played_before(index)[:2]:
            yield sound.instead(index, f"{seat} {tile}{onto} = {count} +{points}", "illegal")


def tile_that_does_not_fit(sound: Sound) -> Iterator[Planted]:
    for index, seat, _, onto, count, points in sound.placed():
        if onto:
            one, other = [pip for pip in "0123456" if pip not in onto][:2]
            yield sound.instead(index, f"{seat} {one}-{other}{onto} = {count} +{points}", "illegal")


def no_tile_of_the_set(sound: Sound) -> Iterator[Planted]:
    for index, seat, _, onto, count, points in sound.placed():
        yield sound.instead(index, f"{seat} 7-1{onto} = {count} +{points}", "illegal")


def joined_to_what_does_not_lie(sound: Sound) -> Iterator[Planted]:
    for index, seat, tile, onto, count, points in sound.placed():
        lying = sound.played_before(index)
        absent = next(f"{a}-{b}" for a, b in product(range(7), repeat=2) if a >= b and f"{a}-{b}" not in lying)
        if onto:
            yield sound.instead(index, f"{seat} {tile}>{absent} = {count} +{points}", "illegal")


def seat_of_a_placement(sound: Sound) -> Iterator[Planted]:
    for index, seat, tile, onto, count, points in sound.placed():
        if sound.by_tiles and not sound.lines[index - 1].startswith("opens"):
            for other in sound.others(seat):
                yield sound.instead(index, f"{other} {tile}{onto} = {count} +{points}", "illegal")


def seat_of_a_pass_or_draw(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(r"[A-E] (pass|draw .*)"):
        seat, _, rest = sound.lines[index].partition(" ")
        for other in sound.others(seat):
            yield sound.instead(index, f"{other} {rest}", "illegal" if sound.by_tiles else ANY)


def too_many_drawn(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(r"[A-E] draw .*"):
        seat, _, tiles = sound.lines[index].split()
        yield sound.instead(index, f"{seat} draw 27", "illegal")
        yield sound.instead(index, f"{seat} draw 0", "illegal")
        if tiles != "?":
            yield sound.instead(index, f"{seat} draw {int(tiles) + 1}", ANY)


def pass_where_tiles_can_be_drawn(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(r"[A-E] draw .*"):
        seat = sound.lines[index][0]
        yield sound.instead(index, f"{seat} pass", ANY)
        if sound.by_tiles:
            yield Planted([*sound.lines[:index], f"{seat} pass", *sound.lines[index:]], index + 1, "illegal")


def wrong_opener(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(r"opens .*"):
        _, seat, by = sound.lines[index].split()
        for other in sound.others(seat):
            yield sound.instead(index, f"opens {other} {by}", "illegal" if by == "out" else ANY)
        if by == "out":
            yield sound.instead(index, f"opens {seat} lot", "illegal")


def wrong_end(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(r"out .|blocked"):
        for line in ["blocked", *(f"out {seat}" for seat in sound.seats)]:
            if line != sound.lines[index]:
                yield sound.instead(index, line, "difference" if sound.by_tiles else ANY)


def wrong_round_number(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(r"round \d+"):
        yield sound.instead(index, "round 17", "illegal")


def leftovers_that_cannot_be(sound: Sound) -> Iterator[Planted]:
    for index in sound.having(r"left . .*\d-\d"):
        words = sound.lines[index].split()
        for tile in sound.played_before(index)[:1]:
            yield sound.instead(index, " ".join([*words[:2], tile, *words[3:]]), "illegal")
        yield sound.instead(index, " ".join([*words, words[2]]), "illegal")
        yield sound.instead(index, f"{words[0]} {words[1]} 168 pips", "illegal" if sound.by_tiles else ANY)
        for other in sound.others(words[1]):
            yield sound.instead(index, " ".join(["left", other, *words[2:]]), ANY)


def dropped_line(sound: Sound) -> Iterator[Planted]:
    for index in range(sound.lines.index("round 1") if "round 1" in sound.lines else 0, len(sound.lines)):
        yield Planted([*sound.lines[:index], *sound.lines[index + 1 :]], index + 1, ANY)


def dropped_placement(sound: Sound) -> Iterator[Planted]:
    """Where every turn is written the next line shows it, unless that ends the round or begins a settlement."""
    for index, *_ in sound.placed():
        following = sound.lines[index + 1]
        if sound.by_tiles and re.match("[A-E] ", following) and sound.lines[index - 1][:2] != following[:2]:
            opener = sound.lines[index - 1].startswith("opens")
            yield Planted([*sound.lines[:index], *sound.lines[index + 1 :]], index + 1, ANY if opener else "illegal")


def unreadable_line(sound: Sound) -> Iterator[Planted]:
    for index in range(sound.lines.index("round 1") if "round 1" in sound.lines else 0, len(sound.lines)):
        line = sound.lines[index]
        if line:
            yield sound.instead(index, f"?? {line}", "unreadable")
            yield sound.instead(index, line[:1].swapcase() + line[1:], "unreadable")
        if line and not line.startswith("note"):
            yield sound.instead(index, f"{line.split()[0]} ?? %", "unreadable")
        yield Planted([*sound.lines[:index], "xyzzy 17", *sound.lines[index:]], index + 1, "unreadable")


def unreadable_part(sound: Sound) -> Iterator[Planted]:
    for index, seat, tile, onto, count, points in sound.placed():
        yield sound.instead(index, f"{seat} {tile}{onto} = x +{points}", "unreadable")
        yield sound.instead(index, f"{seat} {tile[:2]}x{onto} = {count} +{points}", "unreadable")
        yield sound.instead(index, f"{seat} {tile}{onto} = {count} {points}", "unreadable")


def unknown_line_in_the_header(sound: Sound) -> Iterator[Planted]:
    for index in range(1, sound.having("player B .*")[0]):
        yield Planted([*sound.lines[:index], "xyzzy 17", *sound.lines[index:]], index + 1, "unreadable")
        yield Planted([*sound.lines[:index], "titel ours", *sound.lines[index:]], index + 1, "unreadable")
    for form, line in (
        ("rules .*", "rules sixup"),
        ("rules .*", "rulez five-up"),
        ("player A .*", "player A"),
        ("player B .*", "player C Budi"),
        ("player B .*", "plyer B Budi"),
        ("set .*", "set hand=99"),
        ("set .*", "set hands=5"),
        ("set .*", "sett hand=5"),
        ("partners A.*", "partners A+B C+D"),
        ("partners A.*", "partner A+C B+D"),
    ):
        for index in sound.having(form):
            yield sound.instead(index, line, "unreadable")


KINDS: Final[list[Callable[[Sound], Iterator[Planted]]]] = [
    wrong_count,
    wrong_points,
    wrong_count_and_points,
    wrong_count_of_called_ends,
    wrong_settlement,
    wrong_standing,
    wrong_winner,
    tile_twice,
    tile_that_does_not_fit,
    no_tile_of_the_set,
    joined_to_what_does_not_lie,
    seat_of_a_placement,
    seat_of_a_pass_or_draw,
    too_many_drawn,
    pass_where_tiles_can_be_drawn,
    wrong_opener,
    wrong_end,
    wrong_round_number,
    leftovers_that_cannot_be,
    dropped_line,
    dropped_placement,
    unreadable_line,
    unreadable_part,
    unknown_line_in_the_header,
]


@cache
def sound_records() -> list[Sound]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(RECORDS.glob("*.fiveup"))]
    for preset, players, form in product(PRESETS, (2, 3, 4), (TILES, COUNTS, MIXED)):
        match = playout(11, players, preset, form=form, talk=form is TILES, rounds=3, changes={"target": "500"})
        texts.append(write(Record(match)))
    return [Sound.of(text) for text in texts]


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_is_reported_once_at_its_line(kind: Callable[[Sound], Iterator[Planted]]) -> None:
    tried = 0
    for number, sound in enumerate(sound_records()):
        planted = list(kind(sound))
        for lines, at, expected in Random(number).sample(planted, min(len(planted), 6)):
            found = [(problem.line, str(problem.kind)) for problem in read("\n".join(lines)).problems]
            shown = "\n".join([*lines[max(0, at - 3) : at + 2], f"line {at}: {expected or 'any'}, but {found}"])
            if expected == ANY:
                assert len(found) <= 1, shown
                assert all(line >= at for line, _ in found), shown
            else:
                assert found == [(at, expected)], shown
            tried += 1
    assert tried > 20


HEAD = "fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\n"
ROUND = HEAD + "round 1\nopens A lot\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Five lines of header, so a round's first play is line 7.
        (ROUND + "A 5-5 = 10", []),
        (ROUND + "A 5-5 +2", []),
        (ROUND + "A 5-5 = 11 +2\nB 5-0>5-5 = 11 +0", [(7, Fault.DIFFERENT_SCORE), (8, Fault.DIFFERENT_SCORE)]),
        (ROUND + "A 5-5\nB 6-4>5-5\nA 5-0>5-5 = 3 +0", [(8, Fault.NO_FIT)]),
        (ROUND + "A 5-5\nB 5-0>5-5\nA 5-0>5-5", [(9, Fault.TILE_PLAYED)]),
        (ROUND + "A 5-5\nB 5-0", [(8, Fault.SET_LIES)]),
        (ROUND + "A 5-5>5-0", [(7, Fault.NOTHING_LIES)]),
        (ROUND + "B 5-5\nA 5-0>5-5\nB 5-1>5-5", [(7, Fault.NOT_ON_TURN)]),
        (ROUND + "A 5-5\nA 5-0>5-5\nB 5-1>5-5\nB 5-2>5-5", [(8, Fault.NOT_ON_TURN), (10, Fault.NOT_ON_TURN)]),
        (ROUND + "A draw 1\nA 5-5", [(7, Fault.MUST_SET)]),
        (ROUND + "A 5-5\nB pass", [(8, Fault.MUST_DRAW)]),
        (ROUND + "A 5-5\nC 5-0>5-5", [(8, Fault.NOT_A_SEAT)]),
        (ROUND + "A ends 6-6 6-6 = 24 +0", [(7, Fault.ENDS_DOUBLE_TWICE)]),
        (ROUND + "A ends 7 = 7 +0", [(7, Fault.ENDS_PIP)]),
        (ROUND + "A ends = 7 +0", [(7, Fault.ENDS_NONE)]),
        (ROUND + "A ends 6-6 5-5 4-4 6 6 6 6 6 6 = 66 +0", []),
        (ROUND + "A ends 6-6 5-5 4-4 6 6 6 6 6 6 6 = 72 +0", [(7, Fault.ENDS_PIP_TOO_OFTEN)]),
        (ROUND + "A ends 5-5 = 10 +2\nB 5-0>5-5", [(8, Fault.LAYOUT_UNKNOWN)]),
        (ROUND + "A points 16", [(7, Fault.POINTS_UNIT)]),
        (ROUND + "A points x\nB draw", [(7, Fault.LINE_FORM), (8, Fault.LINE_FORM)]),
        (ROUND + "A\nopens A lot", [(7, Fault.LINE_FORM), (8, Fault.WRITTEN_TWICE)]),
        (ROUND + "A 5-5\nblocked", [(8, Fault.NOT_BLOCKED)]),
        (ROUND + "A 5-5\nout A", [(8, Fault.STILL_HOLDS)]),
        (ROUND + "A 5-5\nleft B 6 pips", [(8, Fault.ROUND_GOES_ON)]),
        (ROUND + "A 5-5\nsettle A 0 B -1\nscore A 2 B -1", [(8, Fault.ROUND_GOES_ON)]),
        (ROUND + "A 5-5\nround 2\nopens B lot", [(8, Fault.ROUND_OPEN)]),
        (ROUND + "A points 2\nout A\nleft B 5 pips\nsettle A 0 B -1\nout B", [(11, Fault.ROUND_SETTLED)]),
        (ROUND + "A points 2\nout A\nleft B 5 pips\nleft B 5 pips", [(10, Fault.ROUND_SETTLED)]),
        (ROUND + "A points 2\nout A\nleft B 5 pips\nA points 2", [(10, Fault.ROUND_MISSING)]),
        (ROUND + "A points 2\nout A\nsettle A 0 B -1", [(9, Fault.LEFT_MISSING)]),
        (ROUND + "A points 2\nout A\nleft B 5 pips\nscore A 2", [(10, Fault.LINE_FORM)]),
        (ROUND + "A points 2\nout A\nleft C 5 pips", [(9, Fault.NOT_A_SEAT)]),
        (ROUND + "winner A+B", [(7, Fault.LINE_FORM)]),
        (ROUND + "winner open\nnote bye\nA 5-5", [(9, Fault.LINE_AFTER_WINNER)]),
        (ROUND + "rules muggins", [(7, Fault.LINE_LATE)]),
        (HEAD + "out A", [(5, Fault.NO_ROUND)]),
        (HEAD + "left A 6-6", [(5, Fault.NO_ROUND)]),
        (HEAD + "settle A 0 B 0", [(5, Fault.NO_ROUND)]),
        (HEAD + "round 1\nout A", [(6, Fault.NO_ROUND)]),
        (HEAD + "round 1\nopens C lot", [(6, Fault.NOT_A_SEAT)]),
        (HEAD + "round 1\nopens A out", [(6, Fault.NO_ONE_WENT_OUT)]),
        (HEAD + "round one", [(5, Fault.LINE_FORM)]),
        (HEAD + "adjust A 0 nothing", [(5, Fault.ADJUSTED_BY_ZERO)]),
        (HEAD + "adjust A -2", [(5, Fault.REASON_MISSING)]),
        (HEAD + "adjust A+B -2 x", [(5, Fault.NOT_A_TEAM)]),
        (HEAD + "adjust A -99999 x", [(5, Fault.LINE_FORM)]),
        (HEAD + "adjust A +61 r\nround 1\nopens A lot\nA 6-6", [(6, Fault.MATCH_WON)]),
        (HEAD + "note", [(5, Fault.LINE_FORM)]),
        (HEAD + "title a\ntitle b", [(6, Fault.WRITTEN_TWICE)]),
        (HEAD + "fiveup 1", [(5, Fault.WRITTEN_TWICE)]),
        (HEAD + "set hand=5 hand=6", [(5, Fault.WRITTEN_TWICE)]),
        (HEAD + "set hand", [(5, Fault.LINE_FORM)]),
        (HEAD + "set hand=x", [(5, Fault.FIELD_VALUE)]),
        (HEAD + "set hand=15", [(5, Fault.FIELD_BOUNDS)]),
        (HEAD + "set target=5\nset hand=14 reserve=1\nround 1", [(6, Fault.TOO_MANY_DEALT)]),
        (HEAD + "set colour=red", [(5, Fault.NO_SUCH_FIELD)]),
        (HEAD + "partners A+C B+D", [(5, Fault.PARTNERS_NEED_FOUR)]),
        (HEAD + "partners A+B", [(5, Fault.PARTNERS_OPPOSITE)]),
        (HEAD + "player F Foo", [(5, Fault.LINE_FORM)]),
        (HEAD + "player B Bob", [(5, Fault.PLAYERS_ORDER)]),
        (HEAD + "player C C\nplayer D D\npartners none", [(7, Fault.FOUR_ARE_PARTNERS)]),
        (HEAD + "player C C\nplayer D D\nplayer E E\nround 1", [(8, Fault.PLAYERS)]),
        ("fiveup 1\nrules five-up\nplayer A Ani", [(3, Fault.PLAYERS)]),
        ("fiveup 1\nplayer A Ani\nplayer B Budi\nround 1", [(4, Fault.RULES_MISSING)]),
        ("rules five-up\nplayer A Ani\nplayer B Budi", [(1, Fault.FILE_FIRST)]),
    ],
)
def test_the_fault_at_a_line(text: str, expected: list[tuple[int, Fault]]) -> None:
    assert [(problem.line, problem.error.fault) for problem in read(text).problems] == expected


def test_two_faults_are_two_problems() -> None:
    text = (RECORDS / "five-up-two-players.fiveup").read_text(encoding="utf-8")
    sound = Sound.of(text)
    placed = list(sound.placed())
    lines = list(sound.lines)
    for index, seat, tile, onto, count, points in (placed[2], placed[-2]):
        lines[index] = f"{seat} {tile}{onto} = {count + 5} +{points}"
    wanted = [placed[2][0] + 1, placed[-2][0] + 1]
    assert [problem.line for problem in read("\n".join(lines)).problems] == wanted


def test_a_standing_that_carries_an_earlier_fault_on_is_not_blamed_again() -> None:
    text = ROUND + (
        "A 5-5 = 10 +3\nB points 1\nout B\nleft A 8 pips\nsettle A -2 B 0\nscore A 1 B 1\n"
        "round 2\nopens B out\nB points 2\nout B\nleft A 2 pips\nsettle A 0 B 0\nscore A 1 B 3\nwinner open\n"
    )
    [problem] = read(text).problems
    assert (problem.line, problem.written, problem.right) == (7, "10 +3", "10 +2")
    corrected = text.replace("score A 1 B 3", "score A 0 B 3")
    assert [problem.line for problem in read(corrected).problems] == [7]
    third = text.replace("score A 1 B 3", "score A 7 B 3")
    assert [(problem.line, problem.right) for problem in read(third).problems] == [(7, "10 +2"), (19, "A 0 B 3")]


def test_a_winner_that_follows_from_an_earlier_fault_is_not_blamed_again() -> None:
    text = HEAD + (
        "set target=3\nround 1\nopens A lot\nA 5-5 = 10 +3\nB points 1\nout B\nleft A 2 pips\n"
        "settle A 0 B 0\nscore A 3 B 1\nwinner A\n"
    )
    assert [(problem.line, problem.right) for problem in read(text).problems] == [(8, "10 +2")]
    assert [problem.line for problem in read(text.replace("winner A", "winner B")).problems] == [8, 14]


def test_a_match_that_goes_on_after_its_right_end_is_followed_by_its_own_standing() -> None:
    text = HEAD + (
        "set target=3 target_check=at-once\nround 1\nopens A lot\nA 5-5 = 10 +2\nB 5-0>5-5 = 10 +1\n"
        "A 5-1>5-5 = 1 +0\nB 5-2>5-5 = 3 +0\nwinner open\n"
    )
    assert [problem.line for problem in read(text).problems] == [9]
    late = text.replace("target=3", "target=2").replace("+1", "+2")
    assert [(problem.line, problem.error.fault) for problem in read(late).problems] == [(9, Fault.MATCH_WON)]
    short = late.replace("A 5-5 = 10 +2\nB 5-0>5-5 = 10 +2", "A 5-5 = 10 +1\nB 6-5>5-5 = 16 +0")
    short = short.replace("= 1 +0", "= 7 +0").replace("= 3 +0", "= 9 +0")
    assert [(problem.line, problem.error.fault) for problem in read(short).problems] == [
        (8, Fault.DIFFERENT_SCORE),
        (9, Fault.MATCH_WON),
    ]

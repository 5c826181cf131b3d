"""The match sheet: what is printed of matches that are whole, unfinished, below zero, by house rules, or corrected."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask import Flask

from fiveup_ref.device_names import DeviceNames
from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import (
    OUT,
    Adjusted,
    Amended,
    Closed,
    Counted,
    Drew,
    Event,
    Noted,
    Played,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
    Undone,
)
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.record import read
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from fiveup_ref.web.language import number, signed
from fiveup_ref.web.words import shown_names, standing_text, status_text

from .device import Device, Node, match_at, saved_at
from .matches import (
    NAMES,
    OUT_OF_TWO,
    RECORDS,
    ended_three,
    ended_two,
    keep,
    lead,
    opened,
    passes,
    plays,
    recorded,
    settled,
)

RECORDED = {
    "five-up-two-players": 2,
    "five-up-three-players": 3,
    "five-up-four-partners": 4,
    "five-up-61-reached-and-lost": 4,
    "five-up-blocked-round": 4,
    "five-up-tie-at-the-target": 4,
    "five-up-points": 4,
    "five-up-counts": 4,
    "five-up-unfinished-round": 4,
}


def sheet(device: Device, path: str) -> Node:
    page = device.get(f"{path}/sheet")
    assert page.status == 200
    return page.tree


def cells(table: Node) -> list[list[str]]:
    """The rows of a table's body, as they are read."""
    body = table.one("tbody")
    return [[cell.text for cell in row.all("th") + row.all("td")] for row in body.all("tr")]


def expected_standing(match: Match) -> list[list[str]]:
    """Scored, changed at settlement and the score after each settled round, for each team."""
    rows = []
    for round_ in match.rounds:
        if round_.settlement is None:
            continue
        row = [str(round_.number)]
        for made, before, after in zip(round_.scored, round_.before_settlement, round_.after_settlement, strict=True):
            row += [signed(made), signed(after - before), number(after)]
        rows.append(row)
    return rows or [["No round is settled yet."]]


def running(match: Match, team: int) -> str:
    """What the sheet says of a score that an open round has changed."""
    score, round_ = match.scores[team], match.round
    changed = round_ is not None and round_.settlement is None and round_.scored[team]
    return f" ({number(score)} before the settlement of this round)" if changed else ""


def net(match: Match, team: int) -> int:
    """The score of a team as it stood after the last settlement."""
    settled = [round_ for round_ in match.rounds if round_.settlement is not None]
    return settled[-1].after_settlement[team] if settled else 0


@pytest.mark.parametrize(("name", "players"), RECORDED.items())
def test_a_sheet_says_what_the_record_says(device: Device, store: Store, name: str, players: int) -> None:
    log = recorded(name)
    match = replay(PRESETS["five-up"].rules(players), NAMES[:players], log)
    tree = sheet(device, keep(store, log, names=NAMES[:players], title=name))
    assert tree.one("h1").text == name
    assert cells(tree.one("table", "standing")) == expected_standing(match)
    teams = [" + ".join(match.name(seat) for seat in team) for team in match.rules.teams]
    assert tree.texts("figcaption") == [
        f"{team} {number(net(match, index))}" + running(match, index) for index, team in enumerate(teams)
    ]
    assert tree.texts("p", "signature") == teams
    sections = tree.all("section", "played")
    assert len(sections) == len(match.rounds)
    for round_, section in zip(match.rounds, sections, strict=True):
        opener = match.name(round_.opener)
        assert section.one("h2").text.startswith(f"Round {round_.number} · {opener} opens")
        rows = cells(section.one("table", "plays"))
        placed = [move for move in round_.moves if isinstance(move.event, Played | Counted | Scored)]
        points = [row[3] for row in rows if row[3:]]
        assert points == [signed(move.points) for move in placed]
        sums = [row[2] for row in rows if row[2:3] != [""] and row[2:]]
        assert sums == [str(move.score).split(":")[0] for move in placed if move.score]
        assert bool(section.all(of="working")) == (round_.settlement is not None)
        assert ("Not settled yet." in section.text) == (round_.settlement is None)


def test_the_head_of_a_sheet(app: Flask, device: Device, store: Store) -> None:
    """K82: five past noon and five past midnight at the table."""
    for hour, shown in ((5, "12:05 PM"), (17, "12:05 AM")):
        match_id = store.create(
            title="",
            rules=PRESETS["five-up"].rules(4),
            players=NAMES,
            zone="+07:00",
            now=datetime(2026, 5, 2, hour, 5, tzinfo=UTC),
        )
        tree = sheet(device, f"/m/{match_id}")
        head = tree.one("main").all("section")[0].texts("p")
        day = 2 if hour == 5 else 3  # K81
        assert head[0] == f"{day} May 2026, {shown} · Five Up · target 61 points · 5 tiles each"
        assert head[1] == "A Ani · B Budi · C Citra · D Dewi Partners: Ani + Citra, Budi + Dewi"
        assert tree.one("title").text == "Match sheet · Five Up"
        assert "House rules" not in tree.text
        indonesian = sheet(Device(app, language="id"), f"/m/{match_id}")
        assert f"{day} Mei 2026, {'12.05' if hour == 5 else '00.05'}" in indonesian.text


def test_house_rules_are_on_the_sheet(device: Device, store: Store) -> None:
    changes = {"hand": "9", "target": "100", "reserve": "2", "exact": "yes"}
    tree = sheet(device, keep(store, names=NAMES[:2], changes=changes))
    head = tree.one("main").all("section")[0].texts("p")
    rules = "tiles dealt to each 9, tiles never drawn 2, target 100, exact target"
    assert f"Five Up. House rules: {rules} · target 100 points · 9 tiles each" in head[0]
    assert "Partners" not in head[1]


def test_nothing_entered_yet(device: Device, store: Store) -> None:
    tree = sheet(device, keep(store))
    assert cells(tree.one("table", "standing")) == [["No round is settled yet."]]
    assert tree.texts("figcaption") == ["Ani 0", "Budi 0"]
    assert tree.all("svg") == []
    assert tree.one(of="result-line").text == "So far: the match goes on."


def test_a_round_that_is_under_way(device: Device, store: Store) -> None:
    log = [*opened(), *plays("AB", "5-5 5-0>5-5")]
    tree = sheet(device, keep(store, log))
    assert cells(tree.one("table", "plays")) == [
        ["Ani", "5-5", "5-5 10 = 10", "+2"],
        ["Budi", "5-0 on 5-5", "5-5 10 + 0 = 10", "+2"],
    ]
    assert tree.one("section", "played").texts("p") == ["Not settled yet."]
    assert tree.texts("figcaption") == [
        "Ani 0 (2 before the settlement of this round)",
        "Budi 0 (2 before the settlement of this round)",
    ]


def test_draws_of_one_turn_are_one_line_and_passes_are_there(device: Device, store: Store) -> None:
    log = [*opened(), *plays("A", "5-5"), Drew("B", 16), Drew("B", 2), *passes("B"), Drew("A", None)][:-1]
    rows = cells(sheet(device, keep(store, log)).one("table", "plays"))
    assert rows == [
        ["Ani", "5-5", "5-5 10 = 10", "+2"],
        ["Budi", "drew 18 tiles"],
        ["Budi", "passes"],
    ]


def test_the_settlement_on_paper(device: Device, store: Store) -> None:
    tree = sheet(device, keep(store, [*ended_two(), settled(B="6-6")]))
    assert cells(tree.one(of="working")) == [["Ani", "went out"], ["Budi", "6-6", "12", "10", "−2"]]
    assert tree.one(of="together").texts("li") == ["Ani: 2 ± 0 = 2", "Budi: 2 −2 = 0"]
    tree = sheet(device, keep(store, [*ended_two(), settled(B="12 pips")]))
    assert cells(tree.one(of="working")) == [["Ani", "went out"], ["Budi", "–", "12", "10", "−2"]]


def test_below_zero_with_its_sign_and_without_marks_k58_r58(device: Device, store: Store) -> None:
    log: list[Event] = [*opened(), *plays("A", "6-6"), Drew("B", 18), *passes("BA"), settled(A="14 pips", B="142 pips")]
    tree = sheet(device, keep(store, log))
    assert tree.texts("figcaption") == ["Ani −3", "Budi −28"]
    assert tree.all("svg", "tally-picture") == []
    assert cells(tree.one("table", "standing")) == [["1", "0", "−3", "−3", "0", "−28", "−28"]]


@pytest.mark.parametrize(
    ("points", "figures", "label"),
    [
        (1, [1], "Tally: 1 stroke"),
        (15, [10, 5], "Tally: 15 strokes"),
        (60, [10] * 6, "Tally: 60 strokes"),
        (130, [10] * 13, "Tally: 130 strokes"),
    ],
)
def test_the_tally_marks_of_a_score_r58(
    device: Device, store: Store, points: int, figures: list[int], label: str
) -> None:
    tree = sheet(device, keep(store, lead(A=points), changes={"target": "200"}))
    picture = tree.one("svg", "tally-picture")
    assert picture.get("aria-label") == label
    assert strokes(picture) == figures


def strokes(picture: Node) -> list[int]:
    """How many strokes each figure has."""
    return [figure.one("path").get("d").count("M") for figure in picture.all(of="tally-figure")]


def test_the_marks_stay_after_the_end_k66_r17(device: Device, store: Store) -> None:
    path = keep(store, [*ended_two(A=60), settled(B="3-2")])
    tree = sheet(device, path)
    assert tree.one(of="result-line").text == "Ani wins the match with 62."
    first = tree.all("svg", "tally-picture")[0]
    assert strokes(first) == [10] * 6 + [2]
    assert "61" in tree.one("main").all("section")[0].text


def test_a_blocked_round_in_which_nobody_scored_k57(device: Device, store: Store) -> None:
    log: list[Event] = [*opened(), *plays("A", "6-6"), Drew("B", 18), *passes("BA"), settled(A="14 pips", B="142 pips")]
    path = keep(store, log)
    assert [row[3:] for row in cells(sheet(device, path).one("table", "plays"))] == [["0"], [], [], []]
    assert device.get(path).status == 200


def test_what_was_said_and_adjusted_is_on_the_sheet(device: Device, store: Store) -> None:
    log: list[Event] = [
        Noted("tea first"),
        *lead(A=-2),
        *opened(),
        Noted("cat on the table"),
        *lead(B=3),
        *plays("A", "5-5"),
        Closed("late"),
    ]
    tree = sheet(device, keep(store, log))
    assert tree.one("main").all("ul")[0].texts("li") == ["note: tea first", "Ani −2: head start"]
    rows = [row[1] for row in cells(tree.one("table", "plays"))]
    assert rows == ["note: cat on the table", "Budi +3: head start", "5-5", "closed: late"]
    assert tree.texts("figcaption") == ["Ani 0", "Budi 3"]
    assert tree.one(of="result-line").text == "The match was closed without a winner."


def test_what_was_taken_back_is_not_printed_and_what_fell_is_told_k07(device: Device, store: Store) -> None:
    log = [*opened(), *plays("AB", "5-5 5-0>5-5")]
    tree = sheet(device, keep(store, [*log, Undone(3)]))
    assert [row[1] for row in cells(tree.one("table", "plays"))] == ["5-5"]
    assert tree.all("p", "refusal") == []
    tree = sheet(device, keep(store, [*log, *plays("A", "0-0>5-0"), Undone(3)]))
    assert tree.one("p", "refusal").text.startswith("This match needs attention")


def test_round_one_is_still_there_when_the_next_has_begun_r26(device: Device, store: Store) -> None:
    log = [*ended_two(), settled(B="3-2"), RoundOpened("A", OUT), *plays("A", "4-1")]
    path = keep(store, log)
    first, second = sheet(device, path).all("section", "played")
    assert cells(first.one(of="working")) == [["Ani", "went out"], ["Budi", "3-2", "5", "5", "−1"]]
    assert second.one("h2").text == "Round 2 · Ani opens after going out"
    assert cells(second.one("table", "plays")) == [["Ani", "4-1", "4 + 1 = 5", "+1"]]
    assert [len(round_.left) for round_ in match_at(store, path).rounds] == [1, 0]
    assert isinstance(match_at(store, path).rounds[0].moves[-1].event, Settled)


def test_equal_names_on_the_sheet_k34(device: Device, store: Store) -> None:
    tree = sheet(device, keep(store, [*opened(), *plays("A", "5-5")], names=("Mawar", "Mawar")))
    assert tree.texts("figcaption") == ["Mawar (A) 0 (2 before the settlement of this round)", "Mawar (B) 0"]
    assert tree.texts("p", "signature") == ["Mawar (A)", "Mawar (B)"]


# The two forms, and going on by hand


def test_the_short_form_has_the_rounds_and_no_plays(device: Device, store: Store) -> None:
    path = keep(store, recorded("five-up-two-players"))
    full, short = (device.get(f"{path}/sheet", form=form).tree for form in ("full", "short"))
    assert cells(short.one("table", "standing")) == cells(full.one("table", "standing"))
    assert short.texts("p", "result-line") == full.texts("p", "result-line")
    assert (short.all("table", "plays"), short.all("svg", "chart-picture"), short.all("svg", "layout-picture")) == (
        [],
        [],
        [],
    )
    assert len(full.all("svg", "layout-picture")) == len(full.all("table", "plays")) > 2
    assert len(full.all("svg", "chart-picture")) == 1
    assert sheet(device, path).text == full.text  # the full form is the usual one


def test_the_columns_add_up_to_the_score(device: Device, store: Store) -> None:
    for name in ("five-up-notes-and-adjustments", "five-up-below-zero", "five-up-exact-target"):
        log = recorded(name)
        match = reading_match(name)
        rules = match.rules
        path = keep(store, log, names=NAMES[: rules.players], changes=rules.changes())
        foot = sheet(device, path).one("table", "standing").one("tfoot")
        rows = {row.one("th").text: [cell.text for cell in row.all("td")] for row in foot.all("tr")}
        adjusted = rows.get("Adjusted", ["0"] * 3 * len(rules.teams))
        for team in range(len(rules.teams)):
            scored, settled, score = (worth(text) for text in rows["Sum"][3 * team : 3 * team + 3])
            assert scored + settled + worth(adjusted[3 * team + 1] or "0") == score
            assert score == match.scores[team]


def worth(text: str) -> int:
    return int(text.replace("−", "-"))


def reading_match(name: str) -> Match:
    record = read((RECORDS / f"{name}.fiveup").read_bytes()).record
    assert record
    return record.match


@pytest.mark.parametrize(
    ("settled_rounds", "over", "numbers"),
    [(0, False, range(1, 11)), (1, False, range(2, 11)), (9, False, range(10, 14)), (1, True, range(0))],
)
def test_a_match_that_goes_on_has_room_to_go_on_by_hand(
    device: Device, store: Store, settled_rounds: int, over: bool, numbers: range
) -> None:
    log: list[Event] = []
    for played in range(settled_rounds):
        log += [RoundOpened("A", OUT if played else "lot"), *plays("AB", OUT_OF_TWO), settled(B="3-2")]
    tree = sheet(device, keep(store, [*log, *([Closed("late")] if over else [])]))
    rows = tree.one("table", "standing").all("tr", "by-hand")
    assert [row.one("th").text for row in rows] == [str(number) for number in numbers]
    assert all(cell.text == "" for row in rows for cell in row.all("td"))


def test_a_round_that_goes_on_has_lines_for_plays_and_leftovers(device: Device, store: Store) -> None:
    path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5")])
    round_ = sheet(device, path).one("section", "played")
    assert len(round_.one("table", "plays").all("tr", "by-hand")) == 8
    assert cells(round_.one("table", "left")) == [["Ani", "", "", "", ""], ["Budi", "", "", "", ""]]
    waiting = sheet(device, keep(store, ended_two())).one("section", "played")
    assert waiting.one("table", "plays").all("tr", "by-hand") == []
    assert len(waiting.all("table", "left")) == 1


def test_four_or_five_teams_have_signs_for_headings(device: Device, store: Store) -> None:
    path = keep(
        store, recorded("all-fives-five-players"), names=(*NAMES, "Eka"), preset="all-fives", changes={"target": "75"}
    )
    tree = sheet(device, path)
    heads = tree.one("table", "standing").one("thead").all("tr")[1].texts("th")
    assert heads == ["+", "±", "="] * 5
    assert "+ scored · ± settlement of leftovers · = score" in tree.texts("p", "hint")


# Corrections


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ([], []),
        ([Undone(3)], ["Entry 3, round 1: Budi 5-0 on 5-5 → taken back."]),
        ([Undone(3), Undone(4)], []),  # brought back: nothing was corrected
        ([Undone(3), Undone(4), Undone(5)], ["Entry 3, round 1: Budi 5-0 on 5-5 → taken back."]),
        (
            [Amended(3, Played("B", Tile.parse("5-1"), Tile.parse("5-5")))],
            ["Entry 3, round 1: Budi 5-0 on 5-5 → Budi 5-1 on 5-5."],
        ),
        (
            [
                Amended(3, Played("B", Tile.parse("5-1"), Tile.parse("5-5"))),
                Amended(3, Played("B", Tile.parse("5-2"), Tile.parse("5-5"))),
            ],
            [
                "Entry 3, round 1: Budi 5-0 on 5-5 → Budi 5-1 on 5-5.",
                "Entry 3, round 1: Budi 5-1 on 5-5 → Budi 5-2 on 5-5.",
            ],
        ),
        (
            [Amended(3, Played("B", Tile.parse("5-1"), Tile.parse("5-5"))), Undone(4)],
            ["Entry 3, round 1: Budi 5-1 on 5-5 → taken back."],
        ),
        (
            [Noted("a"), Noted("b"), Amended(4, Noted("c")), Amended(5, Noted("d"))],
            ["Entry 4, round 1: note: a → note: c.", "Entry 5, round 1: note: b → note: d."],
        ),
        (
            [Scored("A", 3), Amended(4, Scored("A", 2))],
            ["Entry 4, round 1: Ani +3 → Ani +2."],
        ),
    ],
)
def test_corrections_have_old_value_time_and_who(
    device: Device, store: Store, more: list[Event], lines: list[str]
) -> None:
    path = keep(store, [*opened(), *plays("AB", "5-5 5-0>5-5"), *more])
    saved = saved_at(store, path)
    assert sorted({info.who for info in saved.entries}) == [""]
    tree = sheet(device, path)
    listed = [item.text for section in tree.all("section", "corrections") for item in section.all("li")]
    assert [re.sub(r" \d+ \w+ \d{4}, \d+:\d\d [AP]M\.$", "", line) for line in listed] == lines
    assert [node.text for node in tree.all("s")] == [line.split(": ", 1)[1].split(" → ")[0] for line in lines]
    short = device.get(f"{path}/sheet", form="short").tree.one("p", "code").text
    assert short.endswith(
        {0: "changes.", 1: "1 correction: see the full sheet."}.get(len(lines), "2 corrections: see the full sheet.")
    )


def test_a_corrected_settlement_says_both_in_full(device: Device, store: Store) -> None:
    path = keep(store, [*ended_two(), settled(B="3-2")])
    match_id = path.split("/")[2]
    DeviceNames(store.connections).call("a7Xk", "Ani's phone")
    store.append(match_id, Amended(11, settled(B="12 pips")), seen=11, key="", who="a7Xk")
    (line,) = sheet(device, path).one("section", "corrections").texts("li")
    assert line.startswith("Entry 11, round 1: the settlement: Budi 3-2 → the settlement: Budi 12 pips. ")
    assert line.endswith("M, Ani's phone.")


# The code


def test_the_code_changes_with_whatever_the_record_says(device: Device, store: Store) -> None:
    def code(path: str) -> str:
        found = re.search(r"[A-Z2-7]{4}-[A-Z2-7]{4}", sheet(device, path).one("p", "code").text)
        assert found
        return found[0]

    log = [*opened(), *plays("AB", "5-5 5-0>5-5")]
    path = keep(store, log)
    match_id, first = path.split("/")[2], code(path)
    store.append(match_id, Noted("tea"), seen=3, key="")
    noted = code(path)
    store.append(match_id, Undone(4), seen=4, key="")
    store.append(match_id, Amended(3, Played("B", Tile.parse("5-1"), Tile.parse("5-5"))), seen=5, key="")
    assert len({first, noted, code(path), code(keep(store, log, title="Saturday"))}) == 4
    store.append(match_id, Undone(6), seen=6, key="")
    assert code(path) == first
    assert match_id not in sheet(device, path).one("main").text  # who has the address may enter


# To be read out


@pytest.mark.parametrize(
    ("log", "english", "indonesian"),
    [
        (
            [],
            "Before the first round: Ani 0, Budi 0. The target is 61.",
            "Sebelum ronde pertama: Ani 0, Budi 0. Targetnya 61.",
        ),
        (
            ended_two(B=4),
            "Round 1, before settlement: Budi 6, Ani 2.",
            "Ronde 1, sebelum hitungan sisa: Budi 6, Ani 2.",
        ),
        (
            [*ended_two(), settled(B="3-2")],
            "After round 1 Ani leads: Ani 2, Budi 1.",
            "Setelah ronde 1 Ani memimpin: Ani 2, Budi 1.",
        ),
        (
            [*ended_two(B=1), settled(B="3-2")],
            "After round 1 all are level: Ani 2, Budi 2.",
            "Setelah ronde 1 semua seri: Ani 2, Budi 2.",
        ),
        (
            [*ended_two(B=-9), settled(B="3-2")],
            "After round 1 Ani leads: Ani 2, Budi −8.",
            "Setelah ronde 1 Ani memimpin: Ani 2, Budi −8.",
        ),
        (
            [*ended_two(A=60), settled(B="3-2")],
            "Ani wins the match: Ani 62, Budi 1.",
            "Ani memenangkan pertandingan: Ani 62, Budi 1.",
        ),
        (
            [*ended_two(), settled(B="3-2"), Closed("x")],
            "The match is closed: Ani 2, Budi 1.",
            "Pertandingan ditutup: Ani 2, Budi 1.",
        ),
    ],
)
def test_the_standing_in_one_sentence(
    app: Flask, store: Store, log: list[Event], english: str, indonesian: str
) -> None:
    match = match_at(store, keep(store, log))
    for language, said in (("en", english), ("id", indonesian)):
        with app.test_request_context(headers={"Accept-Language": language}):
            assert standing_text(match, shown_names(match)) == said


@pytest.mark.parametrize(
    ("start", "standing", "status"),
    [
        (60, "Ani + Citra win the match: Ani + Citra 62, Budi + Dewi 1.", "Ani + Citra win the match with 62."),
        (2, "After round 1 Ani + Citra lead: Ani + Citra 4, Budi + Dewi 1.", ""),
    ],
)
def test_partners_are_more_than_one(app: Flask, store: Store, start: int, standing: str, status: str) -> None:
    log: list[Event] = [
        *opened(),
        Adjusted(Team(("A", "C")), start, "head start"),
        Scored("A", 2),
        Scored("B", 1),
        RoundEnded("A"),
        settled(B="1 pips", C="1 pips", D="1 pips"),
    ]
    match = match_at(store, keep(store, log, names=NAMES[:4]))
    with app.test_request_context():
        assert standing_text(match, shown_names(match)) == standing
        assert status_text(match, shown_names(match)) == status


def test_some_of_three_share_the_lead(app: Flask, device: Device, store: Store) -> None:
    path = keep(store, [*ended_three(B=4, C=-4), settled(B="0-0", C="0-0")][:-1], names=NAMES[:3])
    match = match_at(store, path)
    store.append(path.split("/")[2], settled(B="2-0", C="2-1"), seen=len(match.log), key="")
    match = match_at(store, path)
    assert sheet(device, path).one("p", "reading").text.startswith("After round 1 ")
    with app.test_request_context():
        level = replace(match, scores=(7, 7, 3))
        assert (
            standing_text(level, shown_names(level))
            == "After round 1 Ani and Budi share the lead: Ani 7, Budi 7, Citra 3."
        )


# Blank sheets


@pytest.mark.parametrize(
    ("value", "teams", "lines"),
    [
        (
            "five-up-2",
            ["A", "B"],
            ["Deal 5 tiles each.", "Every double takes four tiles", "1 point for each five", "deducted", "at least 61"],
        ),
        (
            "five-up-3",
            ["A", "B", "C"],
            ["Deal 5 tiles each.", "Every double", "1 point for each five", "deducted", "at least 61"],
        ),
        (
            "five-up-pairs",
            ["A + C", "B + D"],
            ["Deal 5", "Every double", "1 point for each five", "each hand apart", "61"],
        ),
        (
            "all-fives-4",
            ["A", "B", "C", "D"],
            ["Deal 5", "The first double", "5 points for each five", "opponents", "reach 200 wins at once"],
        ),
        (
            "muggins-2",
            ["A", "B"],
            ["Deal 9", "No double is a spinner", "5 points for each five", "opponents", "reach 250 wins at once"],
        ),
    ],
)
def test_a_blank_sheet_has_the_rules_of_its_game(
    device: Device, value: str, teams: list[str], lines: list[str]
) -> None:
    page = device.get("/blank", **{"for": value})
    one, other = page.tree.all("section", "blank-sheet")
    assert one.text == other.text
    assert one.one("table", "standing").one("thead").texts("th", "team") == teams
    rules = one.one("ol", "rules").texts("li")
    assert len(rules) == 5
    for line, part in zip(rules, lines, strict=True):
        assert part in line
    rounding = one.one("table", "rounding").all("tr")
    assert rounding[0].texts("td") == ["0–2", "3–7", "8–12", "13–17", "18–22"]
    sign, each = ("−", 1) if value.startswith("five-up") else ("+", 5)
    assert rounding[1].texts("td") == ["0", *(f"{sign}{each * fives}" for fives in range(1, 5))]
    assert [part.text.split("=")[1] for part in one.all(of="key-part")] == [
        f" {each * count}" for count in (1, 2, 3, 4, 6, 8, 10)
    ]


def test_every_choice_of_a_blank_sheet_can_be_had(device: Device) -> None:
    page = device.get("/blank")
    values = [option.get("value") for option in page.tree.all("option")]
    assert {"five-up-2", "five-up-3", "five-up-pairs", "all-fives-4", "all-fives-5"} <= set(values)
    assert "five-up-4" not in values  # in Five Up four are always two pairs
    for value in values:
        chosen = device.get("/blank", **{"for": value}).tree.all("option", selected="")
        assert [option.get("value") for option in chosen] == [value]
    assert device.get("/").tree.one("footer").one("a", href="/blank").text == "Blank sheets"


def test_a_sheet_of_the_network_leads_phones_to_the_match_and_another_has_no_address(
    lan: Flask, device: Device, store: Store
) -> None:
    """The address shows the match and grants nothing; where no phone can come it would lead nowhere."""
    path = keep(store, [*opened(), *plays("A", "5-5")])
    shown = Device(lan).get(f"{path}/sheet").tree.one("main").one("div", "watch")
    assert f"http://192.168.1.20:8000{path}" in shown.text
    assert shown.all("svg", "qr-picture")
    assert device.get(f"{path}/sheet").tree.all("div", "watch") == []

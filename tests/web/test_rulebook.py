"""The rule book: every section found by its anchor and by searching, its figures made by the engine."""

from __future__ import annotations

import pytest
from flask import Flask

from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.rules import FIELDS
from fiveup_ref.engine.scoring import rounded, score_of
from fiveup_ref.web.rulebook_text import BOOK

from .device import Device, Node, Page

EXAMPLES = [(section.anchor, example) for section in BOOK for example in section.examples]


def section(page: Page, anchor: str) -> Node:
    return page.tree.one("section", "rule", id=anchor)


def rows(page: Page, anchor: str) -> list[list[str]]:
    return [
        [cell.text for cell in row.all("th") + row.all("td")] for row in section(page, anchor).one("tbody").all("tr")
    ]


@pytest.mark.parametrize("language", ["en", "id"])
def test_every_section_is_in_the_contents_and_has_its_anchor(app: Flask, language: str) -> None:
    page = Device(app, language=language).get("/rules")
    anchors = [one.anchor for one in BOOK]
    assert [link.get("href") for link in page.tree.one("nav", "contents").all("a")] == [f"#{one}" for one in anchors]
    assert [node.get("id") for node in page.tree.all("section", "rule")] == anchors
    assert len(set(anchors)) == len(anchors)


@pytest.mark.parametrize(("anchor", "example"), EXAMPLES)
def test_every_example_can_be_played_and_its_sum_is_the_engines(device: Device, anchor: str, example: object) -> None:
    (shown,) = [one for place, one in EXAMPLES if one is example]
    rules = shown.rules
    layout = Layout.read(shown.plays, spinners=rules.spinners, spinner_counts=rules.spinner_counts)
    score = score_of(layout, rules)
    figures = section(device.get("/rules"), anchor).all("figure")
    (figure,) = [one for one in figures if shown.caption in one.text]
    assert figure.one("b").text == str(score)
    assert len(figure.all("g", "tile")) == len(layout.plays)
    assert figure.one("svg").get("aria-label") == f"The layout: {layout}"


def test_tables_are_the_engines(device: Device) -> None:
    page = device.get("/rules")
    assert rows(page, "openings") == [
        ["6-4", "10 raw points", "2 points"],
        ["5-5", "10 raw points", "2 points"],
        ["5-0", "5 raw points", "1 point"],
        ["4-1", "5 raw points", "1 point"],
        ["3-2", "5 raw points", "1 point"],
    ]
    assert rows(page, "highest") == [
        ["Five Up", "75", "75", "15 points"],
        ["All Fives", "36", "35", "35 points"],
        ["Muggins", "22", "20", "20 points"],
    ]
    for pips, to, points in rows(page, "settlement"):
        lowest, _, highest = pips.partition("–")
        for one in range(int(lowest), int(highest) + 1):
            assert (rounded(one), -rounded(one) // 5) == (int(to), int(points.replace("−", "-")))
    games = {row[0]: row[1:] for row in rows(page, "games")}
    assert games["number of spinners"] == ["7", "1", "0"]
    assert games["target (with 2 / 3 / 4 / 5 players)"] == ["61", *["250 / 200 / 200 / 200"] * 2]
    assert len(rows(page, "house")) == len(FIELDS)


@pytest.mark.parametrize("language", ["en", "id"])
def test_what_announces_stands_right_above_what_it_announces(app: Flask, language: str) -> None:
    page = Device(app, language=language).get("/rules")
    for one in (node for node in page.tree.all("section", "rule") if node.all("table")):
        told = one.text.partition(one.one("table").text)[0]
        paragraphs = [node.text for node in one.all("p") if node.text in told]
        assert told.rstrip().endswith(paragraphs[-1])
        assert [text for text in paragraphs[:-1] if text.endswith(":")] == []


def test_sniff_is_drawn_and_counted_by_its_own_rule(device: Device) -> None:
    sums = [figure.one("b").text for figure in section(device.get("/rules"), "house").all("figure")]
    assert sums == ["6-6 12 + 3 + 0 = 15: 15 points", "6-6 6 + 3 + 0 + 1 = 10: 10 points"]


@pytest.mark.parametrize(
    ("language", "q", "found"),
    [
        ("en", "branch", ["doubles", "places", "turns", "blocked"]),
        ("en", "BRANCH spinner", ["doubles"]),
        ("en", "75", ["highest"]),
        ("en", "xyzzy", []),
        ("id", "cabang samping", ["doubles", "places", "turns", "blocked"]),
        ("en", "cribbage", ["pegboard"]),
        ("en", "peg", ["pegboard"]),
        ("en", "61 holes", ["pegboard"]),
        ("id", "papan", ["pegboard"]),
        ("id", "pasak", ["pegboard"]),
        ("en", "  ", [one.anchor for one in BOOK]),
        ("en", ".*", []),
        ("en", "<b>", []),
    ],
)
def test_searching_shows_the_sections_that_have_the_words(app: Flask, language: str, q: str, found: list[str]) -> None:
    page = Device(app, language=language).get("/rules", q=q)
    anchors = [node.get("id") for node in page.tree.all("section", "rule")]
    assert set(found) <= set(anchors)
    if len(found) < 2:
        assert anchors == found
    marks = {mark.casefold() for mark in page.tree.texts("mark")}
    assert marks <= set(q.casefold().split())
    assert bool(marks) == bool(q.strip() and anchors and q != "75")
    assert page.tree.one("input", id="q").get("value") == q.strip()

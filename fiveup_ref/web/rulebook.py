"""The rule book as a page: translated, searched, with tables and drawings that the engine makes."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from flask import Blueprint, render_template, request

from fiveup_ref.drawing.layout_plan import Plan, plan
from fiveup_ref.engine.layout import Layout
from fiveup_ref.engine.rules import FIELDS, PRESETS, Rules
from fiveup_ref.engine.ruling import Gain, Raw
from fiveup_ref.engine.scoring import rounded, score_of
from fiveup_ref.engine.tiles import DOUBLE_SIX, Tile

from .language import amount, gettext, number
from .language import gettext as _
from .rulebook_text import BOOK, Example, Section

_LONGEST_SEARCH: Final = 60
_LEFT_OVER: Final = 23  # leftovers shown in the rounding table, from 0


class Piece(NamedTuple):
    """Part of a text, marked where the search found it."""

    text: str
    marked: bool


class Drawn(NamedTuple):
    """An example: the drawing, the worths of its ends, and the sum under the caption."""

    plan: Plan
    marks: dict[tuple[Tile, int], int]
    label: str
    sum: str
    caption: list[Piece]


class Table(NamedTuple):
    """A table in words: its head and its rows, the first cell of each a heading."""

    head: list[str]
    rows: list[list[str]]


class Shown(NamedTuple):
    """A section as it is printed."""

    anchor: str
    title: list[Piece]
    paragraphs: list[list[Piece]]
    further: list[list[Piece]]
    examples: list[Drawn]
    table: Table | None


def blueprint() -> Blueprint:
    """The page of the rule book."""
    pages = Blueprint("rulebook", __name__)
    pages.add_url_rule("/rules", "rules", _rules)
    return pages


def title_of(anchor: str) -> str:
    """The title of a section."""
    return gettext(next(section.title for section in BOOK if section.anchor == anchor))


def _rules() -> str:
    wanted = " ".join(request.args.get("q", "")[:_LONGEST_SEARCH].split())
    words = wanted.casefold().split()
    found = [section for section in BOOK if _has(section, words)]
    contents = [(section.anchor, gettext(section.title)) for section in BOOK]
    return render_template("rules.html", contents=contents, sections=[_shown(one, words) for one in found], q=wanted)


def _has(section: Section, words: list[str]) -> bool:
    texts = (section.title, *section.paragraphs, *section.further, *(example.caption for example in section.examples))
    text = " ".join(map(gettext, texts)).casefold()
    table = _table(section)
    if table:
        text += " ".join(cell for row in (table.head, *table.rows) for cell in row).casefold()
    return all(word in text for word in words)


def _shown(section: Section, words: list[str]) -> Shown:
    return Shown(
        section.anchor,
        marked(gettext(section.title), words),
        [marked(gettext(text), words) for text in section.paragraphs],
        [marked(gettext(text), words) for text in section.further],
        [_drawn(example, words) for example in section.examples],
        _table(section),
    )


def marked(text: str, words: list[str]) -> list[Piece]:
    """The text in pieces, those marked that are one of the words, whatever their case.

    >>> [piece.text for piece in marked("Branches and sides", ["branch"]) if piece.marked]
    ['Branch']
    """
    if not words:
        return [Piece(text, marked=False)]
    parts = re.split("(" + "|".join(map(re.escape, words)) + ")", text, flags=re.IGNORECASE)
    return [Piece(part, marked=at % 2 == 1) for at, part in enumerate(parts) if part]


@cache
def _laid(example: Example) -> tuple[Layout, Plan]:
    rules = example.rules
    layout = Layout.read(example.plays, spinners=rules.spinners, spinner_counts=rules.spinner_counts)
    return layout, plan(layout.plays, spinners=layout.spinners, width=12)


def _drawn(example: Example, words: list[str]) -> Drawn:
    layout, drawing = _laid(example)
    score = score_of(layout, example.rules)
    marks = {(end.tile, end.pip): end.worth for end in layout.open_ends()}
    label = _("The layout: %(plays)s") % {"plays": layout}
    written = f"{str(score).split(':', maxsplit=1)[0]}: {amount(Gain(score.points))}"
    return Drawn(drawing, marks, label, written, marked(gettext(example.caption), words))


def _usual(game: str) -> Rules:
    return PRESETS[game].rules(4)


def _table(section: Section) -> Table | None:
    return _TABLES[section.table]() if section.table else None


def _games() -> Table:
    """What the presets differ in; a cell has one value, or one for each number of players."""
    rows = []
    for field, (_read, write) in FIELDS.items():
        values = [
            [gettext(write(getattr(preset.rules(players), field))) for players in preset.hands]
            for preset in PRESETS.values()
        ]
        if len({tuple(set(one)) for one in values}) == 1:
            continue
        alike = all(len(set(one)) == 1 for one in values)
        cells = [one[0] if len(set(one)) == 1 else " / ".join(one) for one in values]
        rows.append([gettext(field) if alike else _by_players(field), *cells])
    return Table([_("Rule"), *map(gettext, PRESETS)], rows)


def _by_players(field: str) -> str:
    most = max((preset.hands for preset in PRESETS.values()), key=len)
    with_players = _("with %(players)s players") % {"players": " / ".join(map(str, most))}
    return f"{gettext(field)} ({with_players})"


def _house() -> Table:
    head = [_("Setting"), *map(gettext, PRESETS)]
    rows = [
        [gettext(field), *(gettext(write(getattr(_usual(game), field))) for game in PRESETS)]
        for field, (_read, write) in FIELDS.items()
    ]
    return Table(head, rows)


def _rounding() -> Table:
    rules = _usual("five-up")
    groups: dict[int, list[int]] = {}
    for pips in range(_LEFT_OVER):
        groups.setdefault(rounded(pips), []).append(pips)
    rows = [[f"{pips[0]}–{pips[-1]}", str(to), number(-rules.points(to))] for to, pips in groups.items()]
    return Table([_("Pips left"), _("Rounded to"), _("Points in Five Up")], rows)


def _openings() -> Table:
    rows = []
    for tile in reversed(DOUBLE_SIX):
        score = score_of(Layout.empty(7).play(tile), _usual("five-up"))
        if score.raw:
            rows.append([str(tile), amount(Raw(score.raw)), amount(Gain(score.points))])
    return Table([_("Tile"), _("Raw"), _("Points in Five Up")], rows)


def _highest() -> Table:
    rows = []
    for game in PRESETS:
        rules = _usual(game)
        most = rules.highest_count // 5 * 5
        rows.append([gettext(game), str(rules.highest_count), str(most), amount(Gain(rules.points(most)))])
    return Table([_("Game"), _("Highest count"), _("Highest that scores"), _("On the sheet")], rows)


_TABLES: Final = {
    "games": _games,
    "house": _house,
    "rounding": _rounding,
    "openings": _openings,
    "highest": _highest,
}

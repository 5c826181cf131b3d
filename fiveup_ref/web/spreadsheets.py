"""Rounds and plays of a match as CSV that opens right in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from fiveup_ref.engine.events import Counted, Played
from fiveup_ref.engine.match import Move
from fiveup_ref.store import Saved

from .language import gettext as _
from .language import in_zone, language
from .words import describe, move_line, shown_names, team_name

# A spreadsheet reads a cell that begins with one of these as a formula, also in quotes. The apostrophe is its own sign
# for text: it is seen, and it is still there when the sheet is saved and opened again, where a tab would be gone.
_FORMULA: Final = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # the last four are their full-width forms
_TILE: Final = re.compile(r"\b([0-6]-[0-6])\b")

Cell = str | int | None


def rounds_csv(saved: Saved) -> bytes:
    """A row for each round, with three columns for each side: scored, settlement, score."""
    match, names = saved.match, shown_names(saved.match)
    teams = [team_name(team, names) for team in match.rules.teams]
    words = (_("Scored"), _("Settlement"), _("Score"))
    head: list[Cell] = [_("Round"), _("Opener"), _("Went out")]
    head += [f"{team}: {word}" for team in teams for word in words]
    rows: list[list[Cell]] = [head]
    for round_ in match.rounds:
        out = names[round_.out] if round_.out else _("blocked") if round_.blocked else ""
        row: list[Cell] = [round_.number, names[round_.opener], out]
        for index, scored in enumerate(round_.scored):
            settled = round_.settlement is not None
            after = round_.after_settlement[index] if settled else None
            row += [scored, after - round_.before_settlement[index] if after is not None else None, after]
        rows.append(row)
    return _csv(rows)


def plays_csv(saved: Saved) -> bytes:
    """A row for each entry that stands, with the time at the table."""
    match, names = saved.match, shown_names(saved.match)
    head: list[Cell] = [_("Round"), _("Entry"), _("Time"), _("Player"), _("Play"), _("Count"), _("Points")]
    rows: list[list[Cell]] = [head]
    parts: list[tuple[int | None, Sequence[Move]]] = [(None, match.preamble)]
    for number, moves in [*parts, *((round_.number, round_.moves) for round_ in match.rounds)]:
        for move in moves:
            line = move_line(move, names)
            time = in_zone(saved.entries[move.entry - 1].time, saved.zone)
            what = describe(move.event, names)
            if isinstance(move.event, Played | Counted):  # 5-4 alone would be the fifth of April
                what = _TILE.sub(r"[\1]", what)
            what = f"{what} ({line.note})" if line.note else what
            rows.append([number, move.entry, f"{time:%Y-%m-%d %H:%M:%S}", line.who, what, line.count, line.points])
    return _csv(rows)


def _csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    """With the mark of UTF-8 and CRLF, as spreadsheets expect it; numbers plain, with an ASCII minus.

    Between the cells stands what a spreadsheet in this language looks for: where a comma is the decimal sign, `;`.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";" if language() == "id" else ",", lineterminator="\r\n")
    writer.writerows([[_cell(value) for value in row] for row in rows])
    return text.getvalue().encode("utf-8-sig")


def _cell(value: Cell) -> Cell:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value

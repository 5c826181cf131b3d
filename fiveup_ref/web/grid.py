"""The grid of plays: one row for each open end, one cell for each tile that may come there."""

from __future__ import annotations

from typing import NamedTuple

from fiveup_ref.engine.layout import EndKind, Layout, OpenEnd
from fiveup_ref.engine.rules import Rules
from fiveup_ref.engine.scoring import score_of
from fiveup_ref.engine.tiles import DOUBLE_SIX, PIPS, Tile

from .language import gettext as _
from .words import points_text


class Cell(NamedTuple):
    """One play: what the button shows, sends and is called; `points` it would score, None: not shown beforehand.

    `what` it enters is said of it while it waits, `label` also what kind of end it goes on.
    """

    pip: int
    play: str
    what: str
    label: str
    points: int | None


class Row(NamedTuple):
    """One open end; `end` names it in the drawing too; a cell is None where its tile is on the table."""

    end: str
    pip: int
    tile: Tile
    kind: str
    cells: list[Cell | None]


class Rows(NamedTuple):
    """The rows of one kind of open end, under their heading (empty for ordinary ends)."""

    heading: str
    rows: list[Row]


def grid(layout: Layout, rules: Rules, *, previews: bool) -> list[Rows]:
    """The open ends × 0–6: ordinary ends, then doubles, then branches, each with the heaviest number on top.

    `previews`: each cell with the points it would score.
    """
    ends = layout.open_ends()
    words = {
        EndKind.HALF: ("", ""),
        EndKind.DOUBLE: (_("double"), _("Doubles: both halves count")),
        EndKind.SPINNER: (_("spinner"), _("The spinner: its open edges count")),
        EndKind.TIP: (_("branch"), _("Branches: open, worth 0")),
    }

    def cell(end: OpenEnd, pip: int, kind: str) -> Cell | None:
        tile = Tile.of(end.pip, pip)
        if layout.has(tile):
            return None
        points = score_of(layout.play(tile, end.tile), rules).points if previews else None
        worth = "" if points is None else points_text(points) if points else _("no score")
        what = _("Play %(tile)s on %(onto)s") % {"tile": tile, "onto": end.tile}
        return Cell(pip, f"{tile}>{end.tile}", what, ", ".join(filter(None, (what, kind, worth))), points)

    return [
        Rows(
            heading,
            [
                Row(f"{end.tile}:{end.pip}", end.pip, end.tile, kind, [cell(end, pip, kind) for pip in PIPS])
                for end in sorted(ends, key=lambda end: -end.pip)
                if end.kind is of_kind
            ],
        )
        for of_kind, (kind, heading) in words.items()
        if any(end.kind is of_kind for end in ends)
    ]


def set_triangle() -> list[list[Tile]]:
    """The 28 tiles for the set, a row for each heavier half."""
    return [[tile for tile in DOUBLE_SIX if tile.heavy == pip] for pip in PIPS]

"""Comparing a paper sheet: a written record, or a column of called points, against what the engine makes of it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from flask import render_template, request

from fiveup_ref.engine.record import Reading, read
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.ruling import Rule
from fiveup_ref.engine.seats import SEATS

from .language import gettext as _
from .language import number, say
from .rulebook import title_of
from .words import shown_names, status_text, team_name

_SIDES: Final = {"2": "", "3": "", "pairs": "partners A+C B+D", "4": "partners none", "5": ""}
_SAMPLES: Final = (
    "A 2",
    "A ends 6-6 5 4 = 21 +0",
    "B 5-0>5-5 = 10 +2",
    "left B 6 pips",
    "settle A 0 B -1",
    "score A 2 B -1",
)
_CALLED: Final = re.compile(r"\s*([A-E])\s+\+?([0-9]{1,4})\s*(#.*)?", re.ASCII)


class Difference(NamedTuple):
    """A bad line: what is written there, what is right ('' where nothing can say), and the sentence."""

    line: int
    written: str
    right: str
    message: str


class Compared(NamedTuple):
    """What came of a sheet: its differences, the totals that are right, and the status."""

    differences: list[Difference]
    totals: list[tuple[str, str]]
    status: str


def sheet() -> str | tuple[str, int]:
    """The form, and below it what was found."""
    game = request.form.get("game", "")
    game = game if game in PRESETS else next(iter(PRESETS))
    sides = request.form.get("sides", "")
    sides = sides if sides in _SIDES else "pairs"
    uploaded = request.files.get("file")
    typed = request.form.get("record", "")
    data: str | bytes = uploaded.read() if uploaded and uploaded.filename else typed
    given = bool(data.strip())
    compared = compare(data, game, sides) if given else None
    refusal = _("Paste a record or a column, or choose a file.") if request.method == "POST" and not given else ""
    page = render_template(
        "judge_sheet.html",
        title=_("Compare a paper sheet"),
        typed=typed,
        game=game,
        sides=sides,
        games=[(name, _(name)) for name in PRESETS],
        all_sides=_side_names(),
        compared=compared,
        samples=_SAMPLES,
        rule_title=title_of(Rule.CORRECTIONS),
        refusal=refusal,
        of_game={},
    )
    return (page, 422) if refusal else page


def _side_names() -> dict[str, str]:
    return {
        "2": _("2 players"),
        "3": _("3 players"),
        "pairs": _("4 players, partners"),
        "4": _("4 players, each alone"),
        "5": _("5 players"),
    }


def compare(data: str | bytes, game: str, sides: str) -> Compared:
    """Every difference of a record, or of the entries of one round without their heading."""
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    head = "" if _is_record(text) else _heading(game, sides)
    reading = read(f"{head}{_as_entries(text)}" if head else data)
    return _told(reading, head.count("\n"))


def _is_record(text: str) -> bool:
    first = next((line for line in text.lstrip("\ufeff").splitlines() if line.split("#")[0].strip()), "")
    return first.split()[:1] == ["fiveup"]


def _heading(game: str, sides: str) -> str:
    seats = SEATS[: 4 if sides == "pairs" else int(sides)]
    players = [f"player {seat} {seat}" for seat in seats]
    return "\n".join(["fiveup 1", f"rules {game}", *players, *filter(None, [_SIDES[sides]]), "round 1", ""])


def _as_entries(text: str) -> str:
    """A line of a column is a seat and its points; every other line stays as it is."""
    return "\n".join(
        f"{called[1]} points {called[2]}" if (called := _CALLED.fullmatch(line)) else line for line in text.splitlines()
    )


def _told(reading: Reading, before: int) -> Compared:
    """In words; lines are counted without the `before` lines of a heading that nobody typed."""
    match = reading.record.match if reading.record else None
    names = shown_names(match) if match else {}
    differences = [
        Difference(max(1, problem.line - before), problem.written, problem.right or "", say(problem.error, names))
        for problem in reading.problems
    ]
    totals = (
        [(team_name(team, names), number(score)) for team, score in zip(match.rules.teams, match.scores, strict=True)]
        if match
        else []
    )
    return Compared(differences, totals, status_text(match, names) if match else "")

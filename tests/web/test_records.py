"""All Fives and Muggins as they were written down, played through the pages: made by the form, entered by its buttons.

What is compared against is what stands in the file; the engine's reader only takes the lines apart.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from flask import Flask

from fiveup_ref.engine.events import Played, RoundEnded, RoundOpened, Settled
from fiveup_ref.engine.record_lines import Act, Header, LeftLine, Line, RoundLine, Totals, WinnerLine, read_line
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.seats import Seat

from .device import Device, Page
from .matches import RECORDS

SHARED: Final = RECORDS.parent.parent.parent / "shared" / "records"
ALL: Final = "FIVEUP_ALL_RECORDS"
"""Set to anything, this environment variable asks for every record beside the project as well."""

FAMILY: Final = [name for name in PRESETS if name != "five-up"]
OURS: Final = sorted(path for game in FAMILY for path in RECORDS.glob(f"{game}-*.fiveup"))
THEIRS: Final = (
    sorted(path for game in FAMILY for path in SHARED.glob(f"{game}/*.fiveup")) if os.environ.get(ALL) else []
)


class Replay:
    """A record as it is played, line by line."""

    def __init__(self, device: Device, text: str) -> None:
        self.device = device
        self.lines = [line for number, raw in enumerate(text.splitlines(), 1) if (line := read_line(number, raw))]
        self.page = self.made()
        self.teams = list(self.page.scores)
        self.scores = dict.fromkeys(self.teams, 0)
        self.left: dict[Seat, Left] = {}

    def made(self) -> Page:
        """The match, made by the form with what the header says."""
        header = [line.entry for line in self.lines if isinstance(line.entry, Header)]
        words = {entry.word: entry.words for entry in header}
        names = {
            f"name_{entry.words[0].lower()}": " ".join(entry.words[1:]) for entry in header if entry.word == "player"
        }
        players = "single" if words.get("partners") == ("none",) else str(len(names))
        house = dict(setting.split("=") for setting in words.get("set", ()))
        page = self.device.get("/new")
        sent = page.hidden(page.tree.one("form", "new")) | {
            "do": "start",
            "game": words["rules"][0],
            "players": players,
        }
        answer = self.device.post("/new", sent | names | house)
        assert answer.status_code == 303, Page(answer).markup
        self.device.path = answer.headers["Location"]
        return self.device.get()

    def play(self) -> None:
        for line in self.lines:
            self.enter(line)
            assert self.page.scores == {team: str(score).replace("-", "−") for team, score in self.scores.items()}, line

    def enter(self, line: Line) -> None:
        match line.entry:
            case RoundLine():
                self.left = {}
            case RoundOpened() as event:
                self.page = self.device.enter(event)
            case Act() as act:
                self.act(line, act)
            case RoundEnded() as event if self.page.phase not in ("settle", "over"):
                self.page = self.device.enter(event)
            case LeftLine(seat, hand):
                self.left[seat] = hand
            case Totals("settle", points_of):
                self.page = self.device.enter(Settled(tuple(self.left.items())))
                for team, change in points_of.items():
                    self.scores[str(team)] += change
            case Totals(_, points_of):
                assert {str(team): points for team, points in points_of.items()} == self.scores, line
            case WinnerLine(word):
                status, _sentence = self.page.status_line
                assert (status == "won") == (word in self.teams), line
                if word in self.teams:
                    assert self.scores[word] == max(self.scores.values())
            case Header() | RoundEnded():
                pass
            case _:
                raise AssertionError(line)

    def act(self, line: Line, act: Act) -> None:
        self.page = self.device.enter(act.event)
        if isinstance(act.event, Played) and act.points is not None:
            self.scores[next(team for team in self.teams if act.event.seat in team)] += act.points
            if self.page.phase != "over":
                shown = self.page.tree.one(of="result")
                assert (shown.get("data-count"), shown.get("data-points")) == (str(act.count), str(act.points)), line


@pytest.mark.parametrize("path", OURS + THEIRS, ids=lambda path: path.stem)
def test_a_record_of_the_family_is_played_at_the_pages(path: Path, app: Flask) -> None:
    Replay(Device(app), path.read_text("utf-8")).play()


def test_the_sample_has_what_makes_the_family() -> None:
    texts = [path.read_text("utf-8") for path in OURS]
    assert len(texts) >= 12
    for words in ("player E ", "partners none", "partners A+C", "\nblocked", "settlement=deduct-own", "rules muggins"):
        assert any(words in text for text in texts), words

"""Whole matches, played on a phone from written records; after every line the page is compared with the record.

What is compared against is what stands in the file: its counts, points, settlements, standings and winner. The
engine's reader only takes the lines apart.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError

from fiveup_ref.engine.events import Drew, Passed, Played, RoundEnded, RoundOpened
from fiveup_ref.engine.record_lines import Act, Header, LeftLine, RoundLine, Totals, WinnerLine, read_line
from fiveup_ref.engine.scoring import Left

from .table import Hand, Shown, Standing, Table, hurry, phone

RECORDS: Final = Path(__file__).parent.parent / "records"
TILES: Final = 28
MATCHES: Final = {
    "five-up-two-players": {"won"},
    "five-up-three-players": {"won"},
    "five-up-tie-at-the-target": {"won", "tie"},
    "five-up-61-reached-and-lost": {"won", "fell-back"},
    "five-up-blocked-round": {"won", "blocked"},
    "five-up-nine-each": set[str](),
    "five-up-unknown-draws": set[str](),
    "all-fives-five-players": {"won"},
    "muggins-four-partners": {"blocked"},
}
"""Each record with what must have been met in it, so that it stays the test it was chosen for."""

USUAL: Final[dict[str, dict[int, tuple[int, int]]]] = {
    "five-up": {2: (5, 61), 3: (5, 61), 4: (5, 61)},
    "all-fives": {2: (9, 250), 3: (7, 200), 4: (5, 200), 5: (5, 200)},
    "muggins": {2: (9, 250), 3: (7, 200), 4: (5, 200), 5: (5, 200)},
}
"""The hand and target that are usual, by game and number of players."""

# Nothing on the pages needs JavaScript: these are played without it.
BY_FORMS_ALONE: Final = ("five-up-nine-each", "five-up-blocked-round")


class Replay:
    """Plays a record, line by line. `met` is what was seen on the way: statuses, and `blocked`."""

    def __init__(self, table: Table, name: str, text: str) -> None:
        self.table = table
        self.name = name
        self.lines = [line for number, raw in enumerate(text.splitlines(), 1) if (line := read_line(number, raw))]
        self.line = self.lines[0]
        self.game = ""
        self.settings: dict[str, str] = {}
        self.title = ""
        self.names: dict[str, str] = {}
        self.teams: list[str] = []
        self.scores: dict[str, int] = {}
        self.number = 0
        self.boneyard: int | None = 0
        self.status: str | None = None
        self.last: tuple[str, int, int] | None = None
        self.left: dict[str, Left] = {}
        self.met: set[str] = set()
        self.settlements: list[str] = []
        self.ending = ""

    @property
    def target(self) -> int:
        return int(self.settings.get("target", USUAL[self.game][len(self.names)][1]))

    @property
    def hand_size(self) -> int:
        return int(self.settings.get("hand", USUAL[self.game][len(self.names)][0]))

    @property
    def at_once(self) -> bool:
        """Whether the target is looked at as soon as a score is made, and whoever goes out takes what is left."""
        return self.game != "five-up"

    def play(self) -> None:
        """All of it, to the end."""
        body = next(index for index, line in enumerate(self.lines) if isinstance(line.entry, RoundLine))
        for line in self.lines[:body]:
            self.line = line
            assert isinstance(line.entry, Header), f"{self.where}: this test cannot enter such a line"
            self.header(line.entry)
        self.teams = self.teams or list(self.names)
        self.scores = dict.fromkeys(self.teams, 0)
        with self.told():
            self.table.begin(list(self.names.values()), game=self.game, house=self.settings, title=self.title)
        self.compare()
        for line in self.lines[body:]:
            self.line = line
            assert type(line.entry) in _PLAYERS, f"{self.where}: this test cannot enter such a line"
            with self.told():
                _PLAYERS[type(line.entry)](self, line.entry)

    @property
    def where(self) -> str:
        return f"{self.name}.fiveup:{self.line.number}: {self.line.text!r}"

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say at which line the browser could not go on."""
        try:
            yield
        except BrowserError as error:
            said = self.table.shown().refusal or "no refusal"
            pytest.fail(f"{self.where}: could not be entered; the page shows: {said}\n{error}", pytrace=False)

    def same(self, what: str, shown: object, written: object) -> None:
        if shown != written:
            pytest.fail(f"{self.where}: {what}: the page shows {shown!r}, the record {written!r}", pytrace=False)

    def header(self, entry: Header) -> None:
        word, words = entry
        if word == "set":
            self.settings.update({name: value for name, _, value in (word.partition("=") for word in words)})
            self.same("settings that this test knows", set(self.settings) | {"hand", "target"}, {"hand", "target"})
        elif word == "rules":
            (self.game,) = words
        elif word == "player":
            self.names[words[0]] = " ".join(words[1:])
        elif word == "partners":
            self.teams = list(words)
        elif word == "title":
            self.title = " ".join(words)

    # Entering a line

    def round(self, entry: RoundLine) -> None:
        self.number = entry.number
        self.boneyard = TILES - self.hand_size * len(self.names)
        self.last = None
        self.left = {}

    def opens(self, entry: RoundOpened) -> None:
        self.table.open(entry.seat, entry.by)
        self.status = "reached" if max(self.scores.values()) >= self.target else None
        shown = self.compare("set")
        self.same("round", shown.heading.rpartition(" ")[2], str(self.number))
        self.same("opener", shown.turn, self.names[entry.seat])

    def act(self, entry: Act) -> None:
        event = entry.event
        self.same("whose turn it is", self.shown.turn, self.names[event.seat])
        if isinstance(event, Played):
            assert entry.count is not None
            assert entry.points is not None
            self.table.play(event.tile, event.onto)
            self.score(event.seat, entry.points)
            self.last = (self.names[event.seat], entry.count, entry.points)
        elif isinstance(event, Drew):
            self.table.draw(event.tiles)
            known = self.boneyard is not None and event.tiles is not None
            self.boneyard = (self.boneyard or 0) - (event.tiles or 0) if known else None
        else:
            assert isinstance(event, Passed), f"{self.where}: this test cannot enter such a line"
            self.table.pass_turn()
        self.compare("over" if self.status == "won" else "settle" if self.ends() else "play")

    def ends(self) -> bool:
        """Whether the line that follows says that the round has ended."""
        following = self.lines[self.lines.index(self.line) + 1].entry
        return isinstance(following, RoundEnded) and self.boneyard is not None

    def score(self, seat: str, points: int) -> None:
        self.scores[next(team for team in self.teams if seat in team)] += points
        if max(self.scores.values()) >= self.target:
            self.status = "won" if self.at_once else "reached"
            self.met.add(self.status)

    def ended(self, entry: RoundEnded) -> None:
        if self.shown.phase != "settle":
            self.table.end(entry.out)
        shown = self.compare("settle")
        self.met.update([] if entry.out else ["blocked"])
        named = [seat for seat, name in self.names.items() if name in (shown.asked or "")]
        self.same("who went out", named, [entry.out] if entry.out else [])

    def hand(self, entry: LeftLine) -> None:
        """The hands' tiles are ticked, but in every other round the first hand's pips are typed."""
        typed = self.number % 2 == 0 and not self.left
        left = Left(entry.hand.pips) if typed else entry.hand
        self.left[entry.seat] = left
        self.table.leave(entry.seat, left)

    def totals(self, entry: Totals) -> None:
        if entry.word == "settle":
            self.settle({str(team): points for team, points in entry.points.items()})
        else:
            written = {str(team): points for team, points in entry.points.items()}
            self.same("standing", self.compare("open", "over").scores, written)

    def settle(self, changes: dict[str, int]) -> None:
        hands, teams = self.table.work()
        self.same("pips in the working", [int(line.split()[0]) for line in hands], [h.pips for h in self.left.values()])
        self.same("working of the teams", teams, [self.working(team, changes[team]) for team in self.teams])
        self.table.settle()
        before = dict(self.scores)
        for team in self.teams:
            self.scores[team] += changes[team]
        self.status = self.settled_status(max(before.values()))
        self.met.update([self.status] if self.status else [])
        shown = self.compare("open", "over")
        self.same("settlement", list(shown.teams), [self.standing(team, before[team]) for team in self.teams])
        self.same("hands", [(hand.name, hand.tiles, hand.pips) for hand in shown.hands], self.hands())
        for team in self.teams:
            if not self.at_once:  # else the winner takes them all together
                self.same(f"points of the hands of {team}", self.points_of(team, shown.hands), changes[team])
        self.settlements += [self.as_printed(team, before[team]) for team in self.teams]

    def settled_status(self, before: int) -> str | None:
        """The target test of the rules, on the scores that the record states."""
        top = max(self.scores.values())
        if top >= self.target:
            return "won" if list(self.scores.values()).count(top) == 1 else "tie"
        return "fell-back" if before >= self.target else None

    def winner(self, entry: WinnerLine) -> None:
        shown = self.compare()
        if entry.word in ("open", "tie"):
            self.same("winner", shown.status and shown.status[0], "tie" if entry.word == "tie" else None)
        else:
            status, sentence = shown.status or ("", "")
            self.same("status at the end", (status, shown.phase), ("won", "over"))
            self.same("winner", [team for team in self.teams if self.team_name(team) in sentence], [entry.word])
            self.ending = sentence

    # What the record says, as a page puts it

    def team_name(self, team: str) -> str:
        return " + ".join(self.names[seat] for seat in team.split("+"))

    def working(self, team: str, change: int) -> str:
        together = " together" if "+" in team else ""
        return f"{self.team_name(team)}{together}: {signed(change)}"

    def standing(self, team: str, before: int) -> Standing:
        return Standing(self.team_name(team), before, self.scores[team] - before, self.scores[team])

    def as_printed(self, team: str, before: int) -> str:
        change = self.scores[team] - before
        after = signed(self.scores[team]).removeprefix("+")
        return f"{self.team_name(team)}: {signed(before).removeprefix('+')} {signed(change) if change else '± 0'} = {after}"

    def hands(self) -> list[tuple[str, str, int | None]]:
        return [
            (name, self.tiles(self.left[seat]), self.left[seat].pips) if seat in self.left else (name, "went out", None)
            for seat, name in self.names.items()
        ]

    @staticmethod
    def tiles(left: Left) -> str:
        return "–" if left.tiles is None else str(left)

    def points_of(self, team: str, hands: Sequence[Hand]) -> int:
        mine = {self.names[seat] for seat in team.split("+")}
        return sum(hand.points or 0 for hand in hands if hand.name in mine)

    def compare(self, *phases: str) -> Shown:
        """Everything the page shows all the time, against the record up to this line."""
        self.shown = shown = self.table.shown()
        self.same("refusal", shown.refusal, None)
        if phases and shown.phase not in phases:
            self.same("phase", shown.phase, " or ".join(phases))
        self.same("scores", shown.scores, self.scores)
        names = {team: name.replace("▸ ", "").replace(" plays", "") for team, name in shown.names.items()}
        self.same("teams", names, {team: self.team_name(team) for team in self.teams})
        self.same("status", shown.status and shown.status[0], self.status)
        if shown.phase in ("play", "settle"):
            self.compare_last(shown)
        if shown.phase == "play":
            self.same("boneyard", shown.boneyard, None if self.boneyard is None else f"{self.boneyard} left")
        return shown

    def compare_last(self, shown: Shown) -> None:
        assert self.last is not None
        who, count, points = self.last
        if shown.last is None:
            pytest.fail(f"{self.where}: the page shows no last play", pytrace=False)
        self.same("player of the last play", shown.last.who, who)
        self.same("count", (shown.last.count, shown.last.sum), (str(count), str(count)))
        made = f"+{points}" if points else "no score"
        self.same("points", (shown.last.points, shown.last.made), (str(points), made))


def signed(points: int) -> str:
    return f"{points:+d}".replace("-", "\N{MINUS SIGN}") if points else "0"


_PLAYERS: Final[dict[type, Callable[[Replay, Any], None]]] = {
    RoundLine: Replay.round,
    RoundOpened: Replay.opens,
    Act: Replay.act,
    RoundEnded: Replay.ended,
    LeftLine: Replay.hand,
    Totals: Replay.totals,
    WinnerLine: Replay.winner,
}


def printed(page: Page, paper: str, folder: Path) -> str:
    """The text of the page on paper; every word of it must lie inside the page's margins."""
    pdf = folder / f"{paper}.pdf"
    page.pdf(path=pdf, format=paper)
    boxes = subprocess.run(["pdftotext", "-bbox", pdf, "-"], check=True, capture_output=True, text=True).stdout
    width = height = 0.0
    for line in boxes.splitlines():
        if size := re.search(r'<page width="([\d.]+)" height="([\d.]+)"', line):
            width, height = map(float, size.groups())
        elif word := re.search(r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">', line):
            left, top, right, bottom = map(float, word.groups())
            assert left > 18, f"cut off on {paper}: {line}"
            assert top > 18, f"cut off on {paper}: {line}"
            assert right < width - 18, f"cut off on {paper}: {line}"
            assert bottom < height - 18, f"cut off on {paper}: {line}"
    text = subprocess.run(["pdftotext", "-raw", pdf, "-"], check=True, capture_output=True, text=True).stdout
    return " ".join(text.split())


def in_order(parts: Sequence[str], text: str) -> str | None:
    """The first of the parts that does not follow the one before it in the text."""
    at = 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            return part
        at = found + len(part)
    return None


@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", MATCHES)
def test_a_match_ends_as_its_record_says(name: str, browser: Browser, live_server: str, tmp_path: Path) -> None:
    text = (RECORDS / f"{name}.fiveup").read_text("utf-8")
    with phone(browser, live_server, script=name not in BY_FORMS_ALONE) as page:
        hurry(page)
        replay = Replay(Table(page), name, text)
        replay.play()
        assert MATCHES[name] <= replay.met, f"{name} is not the record it was: {replay.met}"
        page.get_by_role("link", name="Sheet", exact=True).tap()
        page.wait_for_url("**/sheet")
        for paper in ("A4", "Letter"):
            sheet = printed(page, paper, tmp_path)
            missing = in_order(replay.settlements, sheet)
            assert missing is None, f"{name} on {paper}: {missing!r} is not on the sheet, or not in its place"
            assert replay.ending in sheet, f"{name} on {paper}: {replay.ending!r} is not on the sheet"

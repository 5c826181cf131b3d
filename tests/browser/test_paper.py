"""Every form of the sheets on paper, through the browser's printing and through the PDF route."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from fiveup_ref.engine.events import (
    OUT,
    Adjusted,
    Amended,
    Event,
    Played,
    RoundEnded,
    RoundOpened,
    Scored,
    Settled,
    Undone,
)
from fiveup_ref.engine.record import read
from fiveup_ref.engine.rules import PRESETS, Rules
from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

RECORDS: Final = Path(__file__).parent.parent / "records"
LONG: Final = (
    "Maharani Kusumawardhani Hadiningrat Putr",
    "Bo",
    "Christabella-Wilhelmina von Hohenzollern",
    "W" * 40,
    "İpek Đorđević-Świątek Ağaoğlu Yıldırımlı",
)
SHORT: Final = ("Ani", "Budi", "Citra", "Dewi", "Eka")
OUT_OF_TWO: Final = "5-5 5-0>5-5 5-4>5-5 4-4>5-4 0-0>5-0 4-1>4-4 1-1>4-1 1-0>1-1 6-5>5-5"

LYING_ON_ANOTHER: Final = """() => {
    const parts = [...document.querySelectorAll(".blank-sheet > *, .side > *, .keys > .rules")]
        .filter(one => one.className !== "keys").map(one => [one, one.getBoundingClientRect()]);
    return parts.flatMap(([one, a]) => parts.filter(([other, b]) => one !== other && a.left < b.right - 1
        && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1).map(([other]) => one.className));
}"""
LINES_OF_TALLY: Final = """() => {
    const words = document.createRange();
    words.selectNodeContents(document.querySelector(".tally-row th"));
    return words.getClientRects().length;
}"""


class Paper(NamedTuple):
    """A paper as the file's address, the browser and a ruler know it; sides in points."""

    size: str
    name: str
    across: bool
    width: int
    height: int


A4: Final = Paper("a4", "A4", across=False, width=595, height=842)
A4_ACROSS: Final = Paper("a4", "A4", across=True, width=842, height=595)
LETTER: Final = Paper("us-letter", "Letter", across=False, width=612, height=792)
LETTER_ACROSS: Final = Paper("us-letter", "Letter", across=True, width=792, height=612)
PAPERS: Final = (A4, A4_ACROSS, LETTER, LETTER_ACROSS)
MARGIN: Final = 18.0  # points: what the usual printers can print on


def rounds_by_points(count: int, seats: str) -> list[Event]:
    """Rounds kept by points: everybody scores, A goes out, the others lose a point; nobody comes near 1,000."""
    log: list[Event] = []
    for number in range(count):
        log += [RoundOpened("A", OUT if number else "lot"), *(Scored(seat, 2) for seat in seats), RoundEnded("A")]
        log.append(Settled(tuple((seat, Left(3)) for seat in seats[1:])))
    return log


def rounds_by_tiles(count: int) -> list[Event]:
    """The same round of two again and again."""
    words = [word.partition(">") for word in OUT_OF_TWO.split()]
    tiles = [(Tile.parse(tile), Tile.parse(onto) if onto else None) for tile, _, onto in words]
    log: list[Event] = []
    for number in range(count):
        log.append(RoundOpened("A", OUT if number else "lot"))
        log += [Played("AB"[turn % 2], tile, onto) for turn, (tile, onto) in enumerate(tiles)]
        log.append(Settled((("B", Left.of([Tile.of(3, 2)])),)))
    return log


def corrected() -> list[Event]:
    """An entry put right, one taken back, points given by the table."""
    log = rounds_by_tiles(1)
    return [
        *log,
        Amended(11, Settled((("B", Left.of([Tile.of(6, 4)])),))),
        Adjusted(Team(("B",)), 3, "late"),
        Undone(13),
    ]


class Kept(NamedTuple):
    """A match to print."""

    log: Sequence[Event]
    names: Sequence[str]
    rules: Rules | None = None


def recorded(name: str, names: Sequence[str]) -> Kept:
    """A record with its own rules, and with as many of these names as it needs."""
    reading = read((RECORDS / f"{name}.fiveup").read_bytes())
    assert reading.record
    rules = reading.record.match.rules
    return Kept(reading.log, names[: rules.players], rules)


MATCHES: Final[Mapping[str, Kept]] = {
    "nothing": Kept([], SHORT[:2]),
    "1 round": Kept(rounds_by_tiles(1), SHORT[:2]),
    "12 rounds": Kept(rounds_by_points(12, "ABC"), SHORT[:3]),
    "12 rounds of pairs": Kept(rounds_by_points(12, "ABCD"), LONG[:4]),
    "40 rounds": Kept(rounds_by_points(40, "AB"), SHORT[:2]),
    "80 rounds": Kept(rounds_by_points(80, "AB"), SHORT[:2]),
    "40 rounds by tiles": Kept(rounds_by_tiles(40), SHORT[:2]),
    "tiles": recorded("five-up-61-reached-and-lost", SHORT[:4]),
    "counts": recorded("five-up-counts", SHORT[:4]),
    "mixed": recorded("five-up-tiles-then-counts", SHORT[:4]),
    "unfinished": recorded("five-up-unfinished-round", SHORT[:4]),
    "waiting": recorded("five-up-waiting-for-leftovers", SHORT[:4]),
    "notes": recorded("five-up-notes-and-adjustments", SHORT[:4]),
    "three": recorded("five-up-three-players", LONG[:3]),
    "taking": recorded("all-fives-blocked-and-shared", SHORT[:3]),
    "five": recorded("all-fives-five-players", LONG),
    "pairs": recorded("five-up-four-partners", LONG[:4]),
    "corrected": Kept(corrected(), SHORT[:2]),
}


@pytest.fixture(scope="session")
def kept(live_store: Store) -> Mapping[str, str]:
    """The path of each match."""
    paths = {}
    for title, (log, names, own) in MATCHES.items():
        rules = own or PRESETS["five-up"].rules(len(names)).changed({"target": "1000"})
        match_id = live_store.create(title=title, rules=rules, players=tuple(names), zone="+07:00")
        for seen, event in enumerate(log):
            live_store.append(match_id, event, seen=seen, key="")
        paths[title] = f"/m/{match_id}"
    return paths


@pytest.fixture(scope="module")
def screen(browser: Browser, live_server: str) -> Iterator[Page]:
    """A dark screen, which must not show on paper."""
    context = browser.new_context(base_url=live_server, color_scheme="dark", locale="en")
    yield context.new_page()
    context.close()


class Word(NamedTuple):
    text: str
    left: float
    top: float
    right: float
    bottom: float


class Sheet(NamedTuple):
    """A page of paper: its size and its words, in points."""

    width: float
    height: float
    words: list[Word]

    @property
    def said(self) -> list[str]:
        """Its words without the number of the page, which stands alone at the foot."""
        return [word.text for word in self.words if word.top < self.height - 45]


def pages_of(pdf: Path) -> list[Sheet]:
    boxes = subprocess.run(["pdftotext", "-bbox", pdf, "-"], check=True, capture_output=True, text=True).stdout
    found: list[Sheet] = []
    for line in boxes.splitlines():
        if size := re.search(r'<page width="([\d.]+)" height="([\d.]+)"', line):
            found.append(Sheet(float(size[1]), float(size[2]), []))
        elif word := re.search(r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*)</word>', line):
            left, top, right, bottom = map(float, word.groups()[:4])
            found[-1].words.append(
                Word(re.sub("[\u200b\u2068\u2069]", "", unescape(word[5])), left, top, right, bottom)
            )
    return found


Route = Callable[[Page, str, Paper, Path], list[Sheet]]


def by_browser(page: Page, path: str, paper: Paper, folder: Path) -> list[Sheet]:
    page.goto(path)
    page.pdf(path=folder / "printed.pdf", format=paper.name, landscape=paper.across)
    return pages_of(folder / "printed.pdf")


def by_file(page: Page, path: str, paper: Paper, folder: Path) -> list[Sheet]:
    at, _, query = path.partition("?")
    answer = page.request.get(f"{at}.pdf?{query}&paper={paper.size}&across={int(paper.across)}")
    assert answer.status == 200
    (folder / "file.pdf").write_bytes(answer.body())
    return pages_of(folder / "file.pdf")


ROUTES: Final[Mapping[str, Route]] = {"browser": by_browser, "file": by_file}


def check_pages(pages: Sequence[Sheet], paper: Paper) -> None:
    """Of the size asked for, none empty (K73), nothing cut at an edge and nothing printed over (K75)."""
    for page in pages:
        assert (page.width, page.height) == pytest.approx((paper.width, paper.height), abs=2)
        assert len(page.said) > 6, f"a lonely page: {page.said}"
        for word in page.words:
            assert word.left > MARGIN, word
            assert word.right < page.width - MARGIN, word
            assert word.top > MARGIN, word
            assert word.bottom < page.height - MARGIN, word
        assert overlapping(page.words) == []


def overlapping(words: Sequence[Word]) -> list[tuple[Word, Word]]:
    """Pairs of words that lie over one another by more than their edges."""
    ordered = sorted(words, key=lambda word: word.left)
    found = []
    for index, one in enumerate(ordered):
        for other in ordered[index + 1 :]:
            if other.left > one.right - 1.5:
                break
            across = min(one.right, other.right) - other.left
            down = min(one.bottom, other.bottom) - max(one.top, other.top)
            if across > 1.5 and down > 0.55 * min(one.bottom - one.top, other.bottom - other.top):
                found.append((one, other))
    return found


@pytest.mark.timeout(240)
@pytest.mark.parametrize("form", ["full", "short"])
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("name", MATCHES)
def test_a_sheet_is_whole_on_every_paper(
    name: str, route: str, form: str, screen: Page, kept: Mapping[str, str], tmp_path: Path
) -> None:
    for paper in (A4, LETTER_ACROSS) if route == "browser" else PAPERS:
        pages = ROUTES[route](screen, f"{kept[name]}/sheet?form={form}", paper, tmp_path)
        check_pages(pages, paper)
        if form == "short" and not paper.across:
            assert len(pages) in {"40": (2,), "80": (2, 3)}.get(name[:2], (1,)), "K72"


@pytest.mark.parametrize("route", ROUTES)
def test_headings_of_columns_are_repeated_k72(
    route: str, screen: Page, kept: Mapping[str, str], tmp_path: Path
) -> None:
    pages = ROUTES[route](screen, f"{kept['80 rounds']}/sheet?form=short", LETTER, tmp_path)
    for page in pages[:2]:
        assert page.said.count("Scored") == page.said.count("Deducted") == 2
    first = [word.text for page in pages for word in page.words if word.left < 60]
    rows = [text for text in first[first.index("Round") :] if text.isdigit() and len(text) < 3]
    assert rows == [str(number) for number in range(1, 85)]  # 80 and four to fill in, none twice


@pytest.mark.parametrize(
    ("language", "heads"), [("en", ["Scored", "Settlement", "Score"]), ("id", ["Didapat", "Hitungan", "sisa", "Skor"])]
)
def test_headings_of_three_sides_are_whole_and_apart(
    language: str, heads: list[str], browser: Browser, live_server: str, kept: Mapping[str, str], tmp_path: Path
) -> None:
    """No word broken or over the next, and the last column keeps off its border."""
    with browser.new_context(base_url=live_server, locale=language) as context:
        for paper in PAPERS:
            pages = by_browser(context.new_page(), f"{kept['taking']}/sheet?form=short", paper, tmp_path)
            check_pages(pages, paper)
            assert {head: pages[0].said.count(head) for head in heads} == dict.fromkeys(heads, 3)
            border = paper.width - 14 * 72 / 25.4
            assert max(word.right for word in pages[0].words if word.text == heads[-1]) < border - 2


@pytest.mark.parametrize("form", ["full", "short"])
@pytest.mark.parametrize("name", [name for name, one in MATCHES.items() if one.names[0] == SHORT[0]])
def test_both_ways_print_the_same_words(
    name: str, form: str, screen: Page, kept: Mapping[str, str], tmp_path: Path
) -> None:
    """Apart from headings, which are repeated once more where a table is broken elsewhere."""
    printed, filed = (
        Counter(word for page in route(screen, f"{kept[name]}/sheet?form={form}", A4, tmp_path) for word in page.said)
        for route in ROUTES.values()
    )
    headings = set(
        "Round Player Play Count Points Scored Deducted Score Ani Budi Citra Dewi + Left Pips Rounded".split()
    )
    differ = {word for word in printed | filed if printed[word] != filed[word]}
    assert differ <= headings
    assert set(printed) == set(filed)
    assert {"Signed", "Code", *name.split()} <= set(printed)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: f"{paper.name}{' across' * paper.across}")
@pytest.mark.parametrize("game", ["five-up-2", "five-up-3", "five-up-pairs", "all-fives-4", "all-fives-5"])
def test_blank_sheets_are_two_to_a_page(game: str, paper: Paper, route: str, screen: Page, tmp_path: Path) -> None:
    pages = ROUTES[route](screen, f"/blank?for={game}", paper, tmp_path)
    assert len(pages) == 1
    check_pages(pages, paper)
    words = [word.text for word in pages[0].words]
    for word in ("target", "Tally", "Date", "0–2", "18–22", "10"):
        assert words.count(word) >= 2, word


@pytest.mark.parametrize("language", ["en", "id"])
def test_nothing_lies_on_anything_else_of_a_blank_sheet(language: str, browser: Browser, live_server: str) -> None:
    """On paper and on a phone with large type: no part over another, none beside the page, no word broken."""
    context = browser.new_context(base_url=live_server, locale=language)
    page = context.new_page()
    for media, width, letters in (("print", 700, "usual"), ("screen", 360, "usual"), ("screen", 360, "large")):
        page.set_viewport_size({"width": width, "height": 740})
        page.emulate_media(media=media)  # type: ignore[arg-type]
        page.goto("/blank?for=five-up-pairs")
        page.evaluate("letters => document.documentElement.dataset.type = letters", letters)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (media, letters)
        assert page.evaluate(LYING_ON_ANOTHER) == [], (media, letters)
        assert page.evaluate(LINES_OF_TALLY) == 1, (media, letters)
    context.close()


@pytest.mark.parametrize("path", ["/sheet", "/blank"])
def test_paper_is_white_however_dark_the_screen(
    path: str, screen: Page, kept: Mapping[str, str], tmp_path: Path
) -> None:
    at = path if path == "/blank" else kept["tiles"] + path
    for route in ROUTES.values():
        route(screen, at, A4, tmp_path)
    for pdf in tmp_path.glob("*.pdf"):
        shown = subprocess.run(["pdftoppm", "-r", "20", "-gray", pdf], check=True, capture_output=True).stdout
        size, pixels = re.match(rb"P5\s(\d+)\s(\d+)\s255\s", shown), shown
        assert size
        width, height = int(size[1]), int(size[2])
        pixels = shown[size.end() : size.end() + width * height]
        light = sum(pixel > 200 for pixel in pixels) / len(pixels)
        assert {pixels[0], pixels[width - 1], pixels[-1]} == {255}
        assert 0.7 < light < 0.999, pdf.name


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("name", ["tiles", "counts", "40 rounds by tiles"])
def test_no_round_is_broken(
    name: str, paper: Paper, route: str, screen: Page, kept: Mapping[str, str], tmp_path: Path
) -> None:
    """Its heading, its plays and its settlement lie in one column of one page."""
    pages = ROUTES[route](screen, f"{kept[name]}/sheet", paper, tmp_path)
    rounds = sum(isinstance(event, Settled) for event in MATCHES[name].log)
    assert sum(page.said.count("opens") for page in pages) == rounds
    for page in pages:
        for left, right in ((0.0, page.width / 2), (page.width / 2, page.width)):
            column = [word for word in page.words if left < word.left < right and word.text in ("opens", "Rounded")]
            column.sort(key=lambda word: word.top)
            assert [word.text for word in column] == ["opens", "Rounded"] * (len(column) // 2)


ODD: Final = ("#panic() $x$ *b* _i_ \\", "مريم 王小明", "<b>&\"' @x", "李")


def test_a_file_says_which_letters_it_lacks_and_takes_names_as_text(
    screen: Page, live_store: Store, tmp_path: Path
) -> None:
    rules = PRESETS["five-up"].rules(4)
    match_id = live_store.create(title="= 1 + 1", rules=rules, players=ODD, zone="+07:00")
    live_store.append(match_id, Adjusted(Team(("A", "C")), 3, "[#x] 王"), seen=0, key="")
    pages = by_file(screen, f"/m/{match_id}/sheet?form=full", A4, tmp_path)
    text = " ".join(word for page in pages for word in page.said)
    assert "[?] stands for letters that this file's fonts lack." in text
    assert text.count(ODD[0]) >= 3
    assert text.count(ODD[2]) >= 3
    assert "[?] (D)" in text  # told apart, though both names have lost letters
    assert "+3: [#x] [?]" in text
    plain = by_file(screen, "/blank?for=five-up-2", A4, tmp_path)
    assert "[?]" not in " ".join(plain[0].said)

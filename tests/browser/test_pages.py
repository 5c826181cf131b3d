"""Every page in a real browser: nothing leaves the host, nothing is cut off, too small, or out of reach."""

from __future__ import annotations

import io
import itertools
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect

from fiveup_ref.engine.events import (
    LOT,
    OUT,
    Adjusted,
    Event,
    Noted,
    Played,
    PointedOut,
    Ringed,
    RoundOpened,
    Scored,
    Settled,
    Undone,
)
from fiveup_ref.engine.record import read
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.scoring import Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .table import PHONE, Table, hurry, phone

RECORDS: Final = Path(__file__).parent.parent / "records"
LANGUAGES: Final = ("en", "id")
WIDTHS: Final = (320, 360, 768, 1280)
FOUR: Final = ("Ani", "Budi", "Citra", "Dewi")
LONG_NAMES: Final = (
    "Maharani Kusumawardhani Hadiningrat Putri",
    "Bo",
    "Christabella-Wilhelmina von Hohenzollern",
    "W" * 40,
)
FIVE_ENDS: Final = "5-5 5-0>5-5 5-3>5-5 0-0>5-0 6-3>5-3 5-4>5-5 6-6>6-3 1-0>0-0"
# As many ends, and the last play scores: 4 + 12 + 4.
MISSED: Final = FIVE_ENDS.replace("1-0>0-0", "4-0>0-0")
HOUSE: Final = {name: {"muggins_call": "yes"} for name in ("missed", "taken")}
SCHEMES: Final[Sequence[Literal["light", "dark"]]] = ("light", "dark")
WCAG: Final = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
}


def recorded(name: str) -> tuple[Event, ...]:
    """The entries of a record of the tests."""
    return read((RECORDS / f"{name}.fiveup").read_bytes()).log


def until(log: Sequence[Event], kind: type[Event], nth: int, *, and_it: bool = False) -> list[Event]:
    """The entries before the nth of a kind (1 is the first), or up to it."""
    at = [index for index, event in enumerate(log) if isinstance(event, kind)][nth - 1]
    return list(log[: at + and_it])


def plays(first: str, text: str) -> list[Event]:
    """Plays in turn, from a seat on."""
    begin = "ABCD".index(first)
    words = [word.partition(">") for word in text.split()]
    return [
        Played("ABCD"[(begin + number) % 4], Tile.parse(tile), Tile.parse(onto) if onto else None)
        for number, (tile, _, onto) in enumerate(words)
    ]


def logs() -> Mapping[str, tuple[Sequence[str], list[Event]]]:
    """Names and entries of the matches whose pages are looked at."""
    lost = recorded("five-up-61-reached-and-lost")
    third = until(lost, RoundOpened, 3)
    five_ends = [*third, RoundOpened("D", OUT), *plays("D", FIVE_ENDS)]
    missed = [*third, RoundOpened("D", OUT), *plays("D", MISSED)]
    settling = until(lost, Settled, 2)
    return {
        "open": (FOUR, []),
        "set": (FOUR, [RoundOpened("A", LOT)]),
        "play": (FOUR, five_ends),
        "long names": (LONG_NAMES, five_ends),
        "missed": (LONG_NAMES, missed),
        "taken": (LONG_NAMES, [*missed, PointedOut("D")]),
        "reached": (FOUR, until(lost, Settled, 5)[:-2]),
        "settle": (FOUR, settling),
        "settled": (FOUR, until(lost, Settled, 2, and_it=True)),
        "fell back": (FOUR, until(lost, Settled, 5, and_it=True)),
        "attention": (FOUR, [*settling, Undone(5)]),
        "undone": (FOUR, [*five_ends, Undone(len(five_ends))]),
        "two": (FOUR[:2], until(recorded("five-up-two-players"), Settled, 1)[:-3]),
        "three": (FOUR[:3], until(recorded("five-up-three-players"), Settled, 3)[:-3]),
        "over": (FOUR, list(lost)),
        "collision": (FOUR, five_ends),
    }


def match_with(
    store: Store, names: Sequence[str], log: Iterable[Event], changes: Mapping[str, str] | None = None
) -> str:
    """The path of a new match with these entries."""
    rules = PRESETS["five-up"].rules(len(names)).changed(changes or {})
    match_id = store.create(title="Friday table", rules=rules, players=tuple(names), zone="+07:00")
    for seen, event in enumerate(log):
        store.append(match_id, event, seen=seen, key="")
    return f"/m/{match_id}"


@pytest.fixture(scope="session")
def paths(live_store: Store) -> Mapping[str, str]:
    """The path of each match by its name."""
    return {name: match_with(live_store, names, log, HOUSE.get(name)) for name, (names, log) in logs().items()}


# Ways to a page: by its address, or by doing something wrong on another.

Way = Callable[[Page, Mapping[str, str], Store], None]


def at(path: str) -> Way:
    return lambda page, paths, store: (page.goto(path), None)[1]


def match_page(name: str, rest: str = "") -> Way:
    return lambda page, paths, store: (page.goto(paths[name] + rest), None)[1]


def refuse_new(page: Page, paths: Mapping[str, str], store: Store) -> None:
    page.goto("/new")
    page.locator("details.house summary").tap()
    page.locator("#target").fill("many")
    page.locator('button[value="start"]').tap()
    page.locator(".refusal").wait_for()


def refuse_settlement(page: Page, paths: Mapping[str, str], store: Store) -> None:
    page.goto(paths["settle"])
    hurry(page)
    Table(page).leave("A", Left.parse("0-0"))
    page.locator('button[value="settle"]').tap()
    page.locator("fieldset .error").first.wait_for()


def collide(page: Page, paths: Mapping[str, str], store: Store) -> None:
    """Tap a play after somebody else has entered something, of which the page has not heard yet."""
    page.route("**/version", lambda route: route.abort())
    page.goto(paths["collision"])
    hurry(page)
    match_id = paths["collision"].rpartition("/")[2]
    store.append(match_id, Noted("coffee"), seen=store.version(match_id), key="")
    page.locator(".grid button").first.tap()
    page.locator(".refusal").wait_for()


def grow_old(page: Page, paths: Mapping[str, str], store: Store) -> None:
    """Send a form that was made for a device with other cookies; one of a match would be sent again by its script."""
    page.goto("/display")
    page.locator('input[name="csrf_token"]').evaluate_all("all => all.forEach(one => { one.value = 'of another'; })")
    page.locator("main button").tap()
    page.locator("main form").wait_for(state="detached")


def thrown_away(ending: str) -> Way:
    """A page about a match that was deleted."""

    def way(page: Page, paths: Mapping[str, str], store: Store) -> None:
        match_id = store.create(title="By mistake", rules=PRESETS["five-up"].rules(4), players=LONG_NAMES)
        store.delete(match_id)
        page.goto(ending or f"/m/{match_id}")

    return way


def refuse_import(page: Page, paths: Mapping[str, str], store: Store) -> None:
    """An archive with a record that has a bad line, and with half a match."""
    page.goto("/import")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as files:
        files.writestr(f"{'x' * 60}.fiveup", "fiveup 1\nrules five-up\nplayer A Ani\nplayer B Budi\nA 7-8\n")
        files.writestr("half.json", "{")
    page.set_input_files("#file", {"name": "a.zip", "mimeType": "application/zip", "buffer": packed.getvalue()})
    page.locator("main button").click()
    page.locator(".refusal").wait_for()


def back_up(page: Page, paths: Mapping[str, str], store: Store) -> None:
    """Make a backup, and be shown it."""
    page.goto("/backups")
    page.locator("main button").click()
    page.locator(".backup").first.wait_for()


def ask_to_restore(page: Page, paths: Mapping[str, str], store: Store) -> None:
    back_up(page, paths, store)
    page.locator(".backup a").first.click()
    page.locator(".danger").wait_for()


def hand_on(page: Page, paths: Mapping[str, str], store: Store) -> None:
    page.goto(f"{paths['play']}/scorers")
    page.locator("#label").fill(LONG_NAMES[0])
    page.locator("main form .primary").click()
    page.locator("#link").wait_for()


def agree(page: Page, paths: Mapping[str, str], store: Store) -> None:
    page.goto(f"{paths['settled']}/seat?change=1")
    page.locator("main [name=seat]").first.click()
    page.locator(".whose-seat").wait_for()
    if page.locator(".agree").count():  # by the first of these tests
        page.locator(".agree").click()
    page.locator(".agreed li").first.wait_for()


PAGES: Final[Mapping[str, Way]] = {
    "home": at("/"),
    "new match": at("/new"),
    "new match refused": refuse_new,
    "rule sets": at("/rule-sets"),
    "what if": match_page("over", "/what-if?game=all-fives"),
    **{name: match_page(name) for name in logs() if name != "collision"},
    "facing": match_page("reached", "/facing"),
    "facing a taken score": match_page("taken", "/facing"),
    "facing a new match": match_page("open", "/facing"),
    "board": match_page("play", "/board"),
    "board between rounds": match_page("settled", "/board"),
    "board of a taken score": match_page("taken", "/board"),
    "history of a taken score": match_page("taken", "/history"),
    "sheet of a taken score": match_page("taken", "/sheet"),
    "board of long names": match_page("long names", "/board"),
    "other screens": match_page("play", "/share"),
    "who keeps score": hand_on,
    "who are you": match_page("long names", "/seat"),
    "agreed": agree,
    "display": at("/display"),
    "counts": match_page("play", "?form=counts&ends=6-6+4+1"),
    "points": match_page("play", "?form=points"),
    "settlement refused": refuse_settlement,
    "collision": collide,
    "sheet": match_page("settled", "/sheet"),
    "sheet of a first round": match_page("two", "/sheet"),
    "short sheet of long names": match_page("long names", "/sheet?form=short&o=1"),
    "pictures": match_page("settled", "/pictures"),
    "pictures of long names": match_page("long names", "/pictures"),
    "blank sheets": at("/blank"),
    "files": match_page("settled", "/files"),
    "delete": match_page("settled", "/delete"),
    "deleted": thrown_away(""),
    "list of deleted": thrown_away("/deleted"),
    "import": at("/import"),
    "import refused": refuse_import,
    "backups": back_up,
    "restore": ask_to_restore,
    "no such page": at("/nowhere"),
    "no such match": at("/m/nobody"),
    "old page": grow_old,
}


class Witness:
    """Hears what a page complains of and where it asks for something."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        page.on("console", self.console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self.request)

    def console(self, message: ConsoleMessage) -> None:
        """Whatever is said, except that a page which tells of an error, or an entry refused, has such a status."""
        told = message.text.startswith("Failed to load resource") and message.location["url"].startswith(self.page.url)
        kept_out = message.text == "Service Worker registration blocked by Playwright"  # see `phone`
        if not (told or kept_out):
            self.complaints.append(f"console: {message.text}")

    def request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.address}/", "data:")):
            self.complaints.append(f"request: {request.url}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_quiet_and_fits(
    name: str, language: str, browser: Browser, live_server: str, live_store: Store, paths: Mapping[str, str]
) -> None:
    """Nothing in the console, no request to elsewhere, and nothing to scroll sideways at any width."""
    with phone(browser, live_server, language=language) as page:
        witness = Witness(page, live_server)
        PAGES[name](page, paths, live_store)
        page.wait_for_load_state()  # with its styles
        assert page.locator("html").get_attribute("lang") == language
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"wider than {width} px"
        assert witness.complaints == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(
    name: str, language: str, browser: Browser, live_server: str, live_store: Store, paths: Mapping[str, str]
) -> None:
    with phone(browser, live_server, language=language) as page:
        PAGES[name](page, paths, live_store)
        page.wait_for_load_state()  # with its styles
        for width, scheme in itertools.product((360, 768, 1280), SCHEMES):
            check_accessible(page, width, scheme)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        check_accessible(page, 360, "light")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, "text of 200 % makes it too wide"


def check_accessible(page: Page, width: int, scheme: Literal["light", "dark"]) -> None:
    # all of it at once: what the bar at the bottom covers for the moment is not out of reach
    page.set_viewport_size({"width": width, "height": 740})
    page.set_viewport_size({"width": width, "height": page.evaluate("document.body.scrollHeight")})
    page.emulate_media(color_scheme=scheme)
    found = Axe().run(page, options=WCAG)
    assert found.violations_count == 0, f"{width} px, {scheme}: {found.generate_report()}"


ON_ONE_SCREEN: Final = (
    ".boxes",
    ".felt",
    ".result",
    ".grid",
    ".undo",
    '.actions [action$="/draw"] button',
    '.actions [action$="/pass"] button',
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["play", "long names", "missed", "taken"])
def test_a_play_needs_no_scrolling(
    name: str, language: str, browser: Browser, live_server: str, paths: Mapping[str, str]
) -> None:
    with phone(browser, live_server, language=language) as page:
        page.goto(paths[name])
        assert page.locator(".grid-row").count() == 5
        for selector in (*ON_ONE_SCREEN, ".muggins button") if name == "missed" else ON_ONE_SCREEN:
            box = page.locator(selector).bounding_box()
            assert box is not None
            assert box["y"] >= 0, selector
            assert box["height"] >= 44, selector
            assert box["y"] + box["height"] <= PHONE[1], selector
            assert box["x"] >= 0, selector
            assert box["x"] + box["width"] <= PHONE[0], selector
        bottom = page.locator(".grid").bounding_box()
        assert bottom is not None
        bar = page.locator(".actions").bounding_box()
        assert bar is not None
        assert bottom["y"] + bottom["height"] <= bar["y"], "the bar covers an end"
        assert page.locator(".grid").evaluate("one => one.scrollHeight <= one.clientHeight"), (
            "an end is to be scrolled to"
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_asked_is_seen_at_once_by_who_watches_before_the_first_tile(
    language: str, browser: Browser, watched_server: str, paths: Mapping[str, str]
) -> None:
    """No empty table lies above it."""
    for size in (PHONE, (1280, 800)):
        with phone(browser, watched_server, size=size, language=language) as page:
            page.goto(paths["set"])
            page.wait_for_load_state()  # with its styles
            assert page.locator("body.watching").count() == 1
            boxes, asked = page.locator(".boxes").bounding_box(), page.locator(".ask").bounding_box()
            assert boxes is not None
            assert asked is not None
            assert asked["y"] - (boxes["y"] + boxes["height"]) < 20
            expect(page.locator(".foot")).to_be_in_viewport()


def test_a_longer_name_is_not_cut_where_there_is_room(browser: Browser, live_server: str, live_store: Store) -> None:
    path = match_with(live_store, ("Ani", "Bambang Setiawan", "Citra", "Dewi Kartikasari"), logs()["play"][1])
    with phone(browser, live_server) as page:
        page.goto(path)
        page.wait_for_load_state()  # with its styles
        fits = "all => all.map(one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight)"
        assert page.locator(".boxes :is(.name, .names)").evaluate_all(fits) == [True] * 6


@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [LONG_NAMES, ("Ani", "Bambang Setiawan", "Citra", "Dewi Kartikasari")])
def test_the_figures_of_a_settlement_are_all_to_be_seen(
    names: Sequence[str], language: str, size: str, browser: Browser, live_server: str, live_store: Store
) -> None:
    """Names give way, down to a phone 320 px wide."""
    lost = recorded("five-up-61-reached-and-lost")
    ends = [until(lost, Settled, 2, and_it=True), list(lost)]
    with phone(browser, live_server, language=language) as page:
        for log in ends:
            page.goto(match_with(live_store, names, log))
            page.wait_for_load_state()  # with its styles
            page.evaluate("size => { document.documentElement.dataset.type = size }", size)
            for width in (360, 320):
                page.set_viewport_size({"width": width, "height": 740})
                wide = page.locator(".card .scroll").evaluate_all(
                    "all => all.map(one => one.scrollWidth - one.clientWidth)"
                )
                assert wide == [0], width


@pytest.mark.parametrize("name", ["set", "play", "settle", "counts", "points"])
def test_what_is_tapped_is_big_enough(
    name: str, browser: Browser, live_server: str, live_store: Store, paths: Mapping[str, str]
) -> None:
    with phone(browser, live_server) as page:
        PAGES[name](page, paths, live_store)
        page.wait_for_load_state()  # with its styles
        cells = page.evaluate(
            """() => [...document.querySelectorAll(".screen :is(a, button, label.cell, summary)")].map(cell => {
              const {width, height} = cell.getBoundingClientRect();
              return [cell.textContent.trim(), width, height];
            })"""
        )
        assert len(cells) > 7
        assert [cell for cell in cells if cell[1] < 44 or cell[2] < 44] == []


@pytest.mark.parametrize("name", ["set", "play", "settle", "counts", "points"])
def test_what_is_read_is_big_enough(
    name: str, browser: Browser, live_server: str, live_store: Store, paths: Mapping[str, str]
) -> None:
    """At least 16 px while a round is played. The drawing is a picture: what it counts is written out below it."""
    with phone(browser, live_server) as page:
        PAGES[name](page, paths, live_store)
        page.wait_for_load_state()  # with its styles
        small = page.evaluate(
            """() => [...document.querySelectorAll(".bar *, .screen *")]
              .filter(one => !one.closest("svg, .unseen") && parseFloat(getComputedStyle(one).fontSize) < 16
                && [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()))
              .map(one => one.outerHTML)"""
        )
        assert small == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_of_a_call_says_who_took_what_of_whom(
    language: str, browser: Browser, live_server: str, paths: Mapping[str, str]
) -> None:
    """Nothing lies over anything else, and of long names at least the beginning is there."""
    with phone(browser, live_server, language=language) as page:
        page.goto(paths["taken"])
        result = page.locator(".result")
        parts = [result.locator(part).bounding_box() for part in (".who", ".who + span", ".sum", ".made")]
        boxes = [(box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]) for box in parts if box]
        assert len(boxes) == 4
        for (left, top, right, bottom), (x, y, *_) in itertools.combinations(boxes, 2):
            assert right <= x + 1 or bottom <= y + 1 or top > y, "one over the other"
            assert right - left > 20
        assert "4-0" in result.locator(".who + span").inner_text()
        assert "muggins" in page.locator(".undo").inner_text()


@pytest.mark.parametrize("scores", [(140, 95, 33), (99, 61, 7), (40, 140, 1250)])
@pytest.mark.parametrize("view", ["", "/board"])
def test_a_tally_is_readable_or_not_there(
    scores: Sequence[int], view: str, browser: Browser, live_server: str, live_store: Store
) -> None:
    log: list[Event] = [Ringed(on=True), RoundOpened("A", LOT)]
    log += [Adjusted(Team((seat,)), points, "head start") for seat, points in zip("ABC", scores, strict=True)]
    path = match_with(live_store, FOUR[:3], [*log, Scored("A", 3)], {"target": "2000"})
    plain = match_with(live_store, FOUR[:3], [*log[1:], Scored("A", 3)], {"target": "2000"})
    for address, size in itertools.product((path, plain), (PHONE, (1280, 720))):
        with phone(browser, live_server) as page:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.goto(address + view)
            drawn = page.locator(".tally-figure").evaluate_all(
                "all => all.map(one => one.getBoundingClientRect().width)"
            )
            assert [width for width in drawn if 0 < width < 10] == []
            for note in page.locator(":is(.marks-note, .marks-brief):visible").all():
                assert note.evaluate("one => one.getClientRects().length") == 1
                assert note.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth")


@pytest.fixture(params=[True, False], ids=["script", "forms alone"])
def table(request: pytest.FixtureRequest, browser: Browser, live_server: str, live_store: Store) -> Iterator[Table]:
    """A phone at a match of its own, with one tile on the table."""
    path = match_with(live_store, FOUR, [RoundOpened("A", LOT), Played("A", Tile.parse("5-5"))])
    with phone(browser, live_server, script=request.param) as page:
        page.goto("/")
        page.goto(path)
        yield Table(page)


def entries(table: Table, store: Store) -> int:
    return store.version(table.page.url.rpartition("/")[2])


def middle(cell: Locator) -> tuple[float, float]:
    box = cell.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_two_fast_taps_before_the_page_answers_are_one_play(table: Table, live_store: Store) -> None:
    hurry(table.page)
    table.cell("5-0>5-5").dblclick()
    table.page.locator('main[data-seen="3"]').wait_for()
    table.page.reload()
    assert entries(table, live_store) == 3
    assert table.seen() == 3


def test_the_second_half_of_a_double_tap_does_not_play_on_the_page_that_follows(
    table: Table, live_store: Store
) -> None:
    """A page that has just come takes no taps for a third of a second; here that time stands still."""
    page = table.page
    hurry(page)
    draw = page.locator('.actions [action$="/draw"] button')
    draw.tap(trial=True)
    page.evaluate("scrollTo(0, 0)")  # as a new page lies
    where = middle(draw)
    hurry(page, 0.01)
    page.touchscreen.tap(*where)
    page.locator('main[data-seen="3"]').wait_for()
    page.wait_for_load_state()  # with its styles
    assert not page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button') !== null", list(where))
    page.touchscreen.tap(*where)
    held = page.evaluate("document.getAnimations().map(one => one.effect.getComputedTiming().duration)")
    assert held == [350]
    page.reload()
    assert entries(table, live_store) == 3


def test_reload_and_back_repeat_nothing(table: Table, live_store: Store) -> None:
    page = table.page
    match = page.url
    hurry(page)
    table.play(Tile.parse("5-0"), Tile.parse("5-5"))
    table.draw(1)
    page.reload()
    page.go_back()
    page.go_forward()
    assert entries(table, live_store) == 4
    table.undo()
    page.reload()
    page.go_back()
    page.reload()
    page.goto(match)
    assert entries(table, live_store) == 5
    assert table.shown().boneyard == "8 left"


def test_undo_takes_back_a_play_and_bringing_it_back_repeats_it(table: Table) -> None:
    hurry(table.page)
    before = table.shown()
    table.play(Tile.parse("5-0"), Tile.parse("5-5"))
    after = table.shown()
    assert after.scores == {"A+C": 2, "B+D": 2}
    table.undo()
    assert table.shown() == before
    table.enter(table.page.locator(".redo button"))
    assert table.shown() == after


def test_a_refused_settlement_keeps_what_was_ticked(
    browser: Browser, live_server: str, live_store: Store, paths: Mapping[str, str]
) -> None:
    with phone(browser, live_server) as page:
        refuse_settlement(page, paths, live_store)
        assert page.locator('[data-seat="A"] input:checked').count() == 1

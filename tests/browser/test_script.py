"""What the scripts add to the table page: no page loads, nothing lost without a network, keys, ends that light up."""

from __future__ import annotations

import gzip
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from fiveup_ref.engine.events import LOT, Drew, Event, Noted, Played, RoundOpened, Settled
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .table import PHONE, Shown, Table, hurry, phone, takes_taps, wait_until
from .test_pages import FOUR, HOUSE, LANGUAGES, entries, logs, match_with, plays, recorded, until

STATIC: Final = Path(__file__).parents[2] / "static"
KILO: Final = 1000
WORD_JOINER: Final = "\N{WORD JOINER}"
SET: Final[Sequence[Event]] = (RoundOpened("A", LOT), Played("A", Tile.parse("5-5")))


@pytest.fixture
def table(browser: Browser, live_server: str, live_store: Store) -> Iterator[Table]:
    """A phone at a match of its own, with one tile on the table."""
    path = match_with(live_store, FOUR, SET)
    with phone(browser, live_server) as page:
        page.goto(path)
        hurry(page)
        takes_taps(page)
        yield Table(page)


def wait(table: Table, entry: int) -> None:
    """Until the page shows the match after this entry, and takes taps and keys again."""
    table.page.locator(f'main[data-seen="{entry}"]').wait_for()
    takes_taps(table.page)


# No page loads


def test_a_play_changes_the_page_where_it_is(table: Table) -> None:
    page = table.page
    page.evaluate("window.same = true; scrollTo(0, 40)")
    bar = page.locator(".actions").bounding_box()
    table.cell("5-0>5-5").evaluate("one => one.click()")
    wait(table, 3)
    assert page.evaluate("[window.same, scrollY]") == [True, 40]
    assert page.locator(".actions").bounding_box() == bar
    shown = table.shown()
    assert (shown.scores, shown.turn) == ({"A+C": 2, "B+D": 2}, "Citra")
    assert page.locator("#said").text_content() == "Budi 5-0 on 5-5. 5-5 10 + 0 = 10: 2 points. Citra is on turn."


def test_another_part_of_the_game_is_shown_from_its_top(browser: Browser, live_server: str, live_store: Store) -> None:
    log = recorded("five-up-61-reached-and-lost")
    names, settling = logs()["settle"]
    settled = log[len(settling)]
    assert isinstance(settled, Settled)
    with phone(browser, live_server) as page:
        page.goto(match_with(live_store, names, settling))
        hurry(page)
        table = Table(page)
        for seat, left in settled.left:
            table.leave(seat, left)
        page.evaluate("window.same = true; scrollTo(0, document.body.scrollHeight)")
        assert page.evaluate("scrollY") > 100
        table.settle()
        expect(page.locator("body")).to_have_class(re.compile("phase-open"))
        assert page.evaluate("[window.same, scrollY]") == [True, 0]


def test_nothing_shifts_while_a_round_is_played(table: Table) -> None:
    page = table.page
    page.evaluate(
        """() => {
          window.shifts = [];
          new PerformanceObserver(list => shifts.push(...list.getEntries().map(one => one.value)))
            .observe({type: "layout-shift", buffered: true});
        }"""
    )
    for play in ("5-0>5-5", "5-4>5-5", "5-3>5-5", "0-0>5-0"):
        table.enter(table.cell(play))
    assert page.evaluate("shifts") == []


def test_the_cell_answers_before_the_server_does(table: Table) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    table.page.route("**/play", hold)
    table.cell("5-0>5-5").tap()
    expect(table.cell("5-0>5-5")).to_have_class("cell pressed")
    held[0].continue_()
    wait(table, 3)


def test_a_refusal_is_shown_where_the_page_is(table: Table, live_store: Store) -> None:
    table.enter(table.page.locator('.actions form[action$="/pass"] button'))
    assert table.shown().refusal == "Passing is not allowed yet. Tiles that can still be drawn: 8."
    assert table.page.locator("#said").text_content() == ""
    assert entries(table, live_store) == 2
    table.draw(1)
    assert table.shown().refusal is None


def test_chips_of_the_count_form_load_no_page(table: Table) -> None:
    page = table.page
    page.goto(f"{page.url}?form=counts")
    page.evaluate("window.same = true")
    page.get_by_role("link", name="Add 3", exact=True).tap()
    expect(page.locator(".calling .sum")).to_have_text("5-5 10 + 3 = 13: no score")
    assert page.evaluate("window.same")
    table.enter(page.get_by_role("button", name="Enter this count"))
    assert page.locator(".result").get_attribute("data-count") == "13"


def test_what_another_phone_enters_appears(table: Table, live_store: Store) -> None:
    match_id = table.page.url.rpartition("/")[2]
    live_store.append(match_id, Played("B", Tile.parse("5-0"), Tile.parse("5-5")), seen=2, key="")
    wait(table, 3)
    assert table.shown().turn == "Citra"


def test_what_another_phone_enters_does_not_clear_a_form_half_filled_in(
    browser: Browser, live_server: str, live_store: Store
) -> None:
    path = match_with(live_store, *logs()["settle"])
    with phone(browser, live_server) as page:
        page.goto(path)
        ticks = page.locator('[data-seat="A"] .tick input')
        ticks.nth(0).tap()
        match_id, seen = path.rpartition("/")[2], Table(page).seen()
        live_store.append(match_id, Noted("coffee"), seen=seen, key="")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        ticks.nth(1).tap()
        expect(page.locator('[data-seat="A"] .live')).to_have_text(re.compile("^2 of"))
        assert (page.locator('[data-seat="A"] input:checked').count(), Table(page).seen()) == (2, seen)


# Without a network


def cut(table: Table, path: str = "**/m/*/*", *, after: bool = False) -> None:
    """No entry gets an answer any more; `after`: it arrives, and only the answer is lost."""

    def lose(route: Route) -> None:
        if route.request.method == "POST" and after:
            route.fetch(max_redirects=0)
        route.abort()

    table.page.route(path, lose)


def mend(table: Table) -> None:
    table.page.unroute_all(behavior="ignoreErrors")


def unsent(table: Table) -> str | None:
    banner = table.page.locator("#unsent")
    return banner.locator("bdi").inner_text().replace(WORD_JOINER, "") if banner.is_visible() else None


def test_an_entry_without_an_answer_is_kept_through_a_reload_and_sent(table: Table, live_store: Store) -> None:
    page = table.page
    cut(table)
    table.cell("5-0>5-5").tap()
    page.locator("#unsent").wait_for()
    assert unsent(table) == "Play 5-0 on 5-5"
    page.reload()
    assert unsent(table) == "Play 5-0 on 5-5"
    assert entries(table, live_store) == 2
    mend(table)
    wait(table, 3)
    assert unsent(table) is None
    assert table.shown().scores == {"A+C": 2, "B+D": 2}
    page.reload()
    assert (unsent(table), entries(table, live_store)) == (None, 3)


def test_an_entry_whose_answer_was_lost_is_entered_once(table: Table, live_store: Store) -> None:
    cut(table, after=True)
    table.page.locator('.actions form[action$="/draw"] button').tap()
    table.page.locator("#unsent").wait_for()
    table.page.locator("#unsent .send").tap()
    assert entries(table, live_store) == 3
    mend(table)
    wait(table, 3)
    assert (unsent(table), entries(table, live_store)) == (None, 3)
    assert table.shown().boneyard == "7 left"


def test_entries_are_sent_in_their_order(table: Table, live_store: Store) -> None:
    page = table.page
    cut(table)
    draw = page.locator('.actions form[action$="/draw"] button')
    draw.tap()
    page.locator("#unsent").wait_for()
    for text in ("Draw · Draw", "Draw · Draw · Play 5-1 on 5-5"):
        (draw if "Play" not in text else table.cell("5-1>5-5")).tap()
        expect(page.locator("#unsent bdi")).to_have_text(text.replace("-", f"-{WORD_JOINER}"))
    mend(table)
    wait(table, 5)
    log = live_store.load(page.url.rpartition("/")[2]).match.log
    assert log[2:] == (Drew("B", 1), Drew("B", 1), Played("B", Tile.parse("5-1"), Tile.parse("5-5")))


def test_a_tile_that_was_not_sent_stands_on_one_line(table: Table) -> None:
    page = table.page
    cut(table)
    table.cell("5-0>5-5").tap()
    page.locator("#unsent").wait_for()
    undo = page.locator(".undo .short")
    for place, width in itertools.product((page.locator("#unsent bdi"), undo), range(60, 200, 4)):
        pieces = place.evaluate(
            """(one, width) => {
              one.style.display = "inline-block";
              one.style.width = `${width}px`;
              const text = one.firstChild;
              return [...text.data.matchAll(/\\d-\\W?\\d/g)].map(({index, 0: tile}) => {
                const range = new Range();
                range.setStart(text, index);
                range.setEnd(text, index + tile.length);
                const tops = [...range.getClientRects()].map(box => box.top);
                return new Set(tops).size;
              });
            }""",
            width,
        )
        assert pieces == [1, 1], width


def test_undo_takes_back_what_was_not_sent_and_nothing_else(table: Table, live_store: Store) -> None:
    page = table.page
    cut(table)
    table.cell("5-0>5-5").tap()
    page.locator("#unsent").wait_for()
    page.locator("button.undo").tap()
    expect(page.locator("#unsent")).to_be_hidden()
    mend(table)
    page.reload()
    assert (unsent(table), entries(table, live_store)) == (None, 2)


# The drawing and the grid


def test_an_end_tapped_in_the_drawing_chooses_its_row(browser: Browser, live_server: str, live_store: Store) -> None:
    path = match_with(live_store, *logs()["play"])
    with phone(browser, live_server) as page:
        page.goto(path)
        hurry(page)
        for mark in page.locator(".open[data-end]").all():
            end = mark.get_attribute("data-end")
            box = mark.bounding_box()
            assert box is not None
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            lit = page.locator(".lit")
            assert {one.get_attribute("data-end") for one in lit.all()} == {end}
            row = page.locator(f'.grid-row[data-end="{end}"]')
            assert "lit" in (row.get_attribute("class") or "")
            assert row.locator(":focus").count() == min(1, row.locator("button").count())


def test_a_row_lights_up_its_end_in_the_drawing(browser: Browser, live_server: str, live_store: Store) -> None:
    path = match_with(live_store, *logs()["play"])
    with phone(browser, live_server) as page:
        page.goto(path)
        for row in page.locator(".grid-row:has(button)").all():
            row.locator("button").last.focus()
            ends = {one.get_attribute("data-end") for one in page.locator(".open.lit").all()}
            assert ends == {row.get_attribute("data-end")}


MANY_ENDS: Final = "5-5 5-0>5-5 5-3>5-5 5-4>5-5 5-1>5-5 0-0>5-0 0-1>0-0 0-2>0-0 3-3>5-3 4-4>5-4 1-1>5-1 6-0>0-0"


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("size", [PHONE, (360, 640), (740, 360), (1280, 800)])
def test_more_ends_than_find_room_scroll_in_the_grid(
    script: bool, size: tuple[int, int], browser: Browser, live_server: str, live_store: Store
) -> None:
    path = match_with(live_store, FOUR[:2], [RoundOpened("A", LOT), *two(MANY_ENDS, draws=8)])
    with phone(browser, live_server, size=size, script=script) as page:
        page.goto(path)
        assert page.locator(".grid-row").count() > 5
        last = page.locator(".grid-row button").last
        last.scroll_into_view_if_needed()
        assert page.evaluate("scrollY") == 0
        for selector in (".boxes", ".result", ".undo", '.actions [action$="/draw"] button', ".felt"):
            box = page.locator(selector).bounding_box()
            assert box is not None
            assert box["y"] >= 0, selector
            assert box["y"] + box["height"] <= size[1], selector
        box, bar = last.bounding_box(), page.locator(".actions").bounding_box()
        assert box is not None
        assert bar is not None
        assert box["y"] + box["height"] <= bar["y"], "the bar covers an end"


def two(text: str, *, draws: int = 0) -> list[Event]:
    """Plays of two players in turn, who draw before so that nobody runs out."""
    made: list[Event] = []
    for number, event in enumerate(plays("A", text)):
        assert isinstance(event, Played)
        seat = "AB"[number % 2]
        made.append(Played(seat, event.tile, event.onto))
        if number < 2 and draws and made:
            following = "AB"[(number + 1) % 2]
            made.append(Drew(following, draws))
    return made


# The settlement


def test_the_working_follows_what_is_ticked(browser: Browser, live_server: str, live_store: Store) -> None:
    path = match_with(live_store, *logs()["settle"])
    with phone(browser, live_server) as page:
        page.goto(path)
        hurry(page)
        hands = page.locator("fieldset.hand")
        first = hands.nth(0)
        wanted = int((first.locator("small").text_content() or "").split()[0])
        boxes = first.locator(".tick input")
        boxes.nth(0).tap()
        said = first.locator(".live")
        expect(said).to_have_text(f"1 of {wanted} tiles")
        for number in range(1, wanted):
            boxes.nth(number).tap()
        expect(said).to_contain_text("→")
        boxes.nth(wanted).tap()
        expect(said).to_contain_text(f": {wanted}, not {wanted + 1}.")
        boxes.nth(wanted).tap()
        expect(said).to_contain_text("→")
        value = boxes.nth(0).get_attribute("value")
        other = hands.nth(1).locator(f'input[value="{value}"]')
        assert "elsewhere" in (other.locator("..").get_attribute("class") or "")
        page.locator('input[name^="pips"]').nth(1).fill("x")
        expect(hands.nth(1).locator(".live")).to_have_text("Enter the pips as a whole number, such as 12.")
        assert page.locator('input[name^="pips"]').nth(1).input_value() == "x"


# Keys


def test_a_round_by_keyboard_alone(table: Table, live_store: Store) -> None:
    """Arrows and figures choose the cell, Enter plays it; d, u and p do what the buttons do."""
    page = table.page
    press = page.keyboard.press
    press("ArrowDown")
    assert page.evaluate("document.activeElement.value") == "5-0>5-5"
    press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "5-1>5-5"
    press("4")
    assert page.evaluate("document.activeElement.value") == "5-4>5-5"
    press("Enter")
    wait(table, 3)
    assert page.evaluate("document.activeElement.closest('main') !== null"), "the focus is lost"
    press("d")
    wait(table, 4)
    assert table.shown().boneyard == "7 left"
    press("p")
    page.locator(".refusal").wait_for()
    takes_taps(page)
    press("u")
    wait(table, 5)
    assert table.shown().boneyard == "8 left"
    assert entries(table, live_store) == 5


def test_the_list_of_keys_opens_and_closes(table: Table) -> None:
    page = table.page
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("d")  # nothing is entered behind it
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    assert table.seen() == 2


def test_letter_keys_can_be_switched_off(table: Table, live_store: Store) -> None:
    page = table.page
    path = page.url
    page.get_by_role("link", name="Display").tap()
    page.get_by_role("radio", name="Off").last.check()
    page.get_by_role("button", name="Save").tap()
    page.wait_for_url(path)
    page.keyboard.press("d")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait(table, 3)
    assert isinstance(live_store.load(path.rpartition("/")[2]).match.log[2], Played)


# Comfort


@pytest.mark.parametrize(("theme", "page_colour"), [("Light", "rgb(243, 239, 231)"), ("Dark", "rgb(22, 24, 22)")])
@pytest.mark.parametrize("device_is_dark", [False, True])
def test_the_theme_chosen_counts_before_that_of_the_device(
    theme: str, page_colour: str, device_is_dark: bool, browser: Browser, live_server: str
) -> None:
    with phone(browser, live_server, dark=device_is_dark) as page:
        page.goto("/display")
        page.get_by_role("radio", name=theme).check()
        page.get_by_role("radio", name="Large").check()
        page.get_by_role("button", name="Save").tap()
        page.wait_for_url("**/")
        style = page.evaluate(
            "(({backgroundColor, fontSize}) => [backgroundColor, fontSize])(getComputedStyle(document.documentElement))"
        )
        assert style == [page_colour, "20px"]


def test_the_score_turned_to_the_player_opposite(table: Table, live_store: Store) -> None:
    page = table.page
    page.get_by_role("link", name="Turn it").tap()
    page.wait_for_url("**/facing")
    hurry(page)
    assert page.locator(".across").evaluate("one => getComputedStyle(one).rotate") == "180deg"
    assert page.locator(".half .score").all_inner_texts() == ["2", "0", "2", "0"]
    match_id = page.url.split("/")[-2]
    live_store.append(match_id, Played("B", Tile.parse("5-0"), Tile.parse("5-5")), seen=2, key="")
    wait(table, 3)
    assert page.locator(".half .score").all_inner_texts() == ["2", "2", "2", "2"]
    page.get_by_role("link", name="Back to the table").tap()
    page.wait_for_url(f"**/m/{match_id}")


def test_previews_are_off_until_the_table_wants_them(table: Table) -> None:
    page = table.page
    assert page.locator(".cell small").count() == 0
    table.unfold('form[action$="/previews"]')
    table.enter(page.get_by_role("button", name="Show what a play would score"))
    assert table.cell("5-0>5-5").inner_text().split() == ["0", "+2"]
    assert table.cell("5-1>5-5").inner_text().split() == ["1"]
    assert table.cell("5-0>5-5").get_attribute("aria-label") == "Play 5-0 on 5-5, double, 2 points"


def test_where_the_screen_cannot_be_kept_on_it_is_said_once(
    browser: Browser, live_server: str, live_store: Store
) -> None:
    """Over plain http browsers have no wake lock; the name is mapped to this machine by the browser."""
    path = match_with(live_store, FOUR, SET)
    address = live_server.replace("127.0.0.1", "table.test")
    with phone(browser, address) as page:
        page.goto(path)
        page.locator("#awake").wait_for()
        page.locator("#awake button").tap()
        expect(page.locator("#awake")).to_be_hidden()
        page.reload()
        page.locator(".grid").wait_for()
        expect(page.locator("#awake")).to_be_hidden()
    with phone(browser, live_server) as page:
        page.goto(path)
        expect(page.locator("#awake")).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("note", ["awake", "unsent", "offline"])
def test_what_is_said_above_the_page_covers_nothing_and_needs_no_scrolling(
    note: str, language: str, browser: Browser, live_server: str, live_store: Store
) -> None:
    path = match_with(live_store, ("Ani", "Bambang Setiawan", "Citra", "Dewi Kartikasari"), logs()["play"][1])
    with phone(browser, live_server.replace("127.0.0.1", "table.test"), language=language) as page:
        page.goto(path)
        page.wait_for_load_state()  # with its styles
        page.locator("#awake").wait_for()
        if note != "awake":
            page.locator("#awake button").tap()
            page.route("**/*", lambda route: route.abort())
            hurry(page)
            if note == "unsent":
                page.locator(".grid button").first.tap()
            else:
                page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.locator(f"#{note}").wait_for()
        # as much lower as the note is high, once its height is known
        wait_until(page, "Math.abs(document.querySelector('.screen').getBoundingClientRect().bottom - innerHeight) < 1")
        assert page.locator(".grid-row").count() == 5
        assert page.locator(".grid").evaluate("one => one.scrollHeight <= one.clientHeight"), (
            "an end is to be scrolled to"
        )
        grid, bar = page.locator(".grid").bounding_box(), page.locator(".actions").bounding_box()
        assert grid is not None
        assert bar is not None
        assert grid["y"] + grid["height"] <= bar["y"], "the bar covers an end"
        assert bar["y"] + bar["height"] <= PHONE[1]
        assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("view", ["", "/board"])
def test_who_only_watches_is_not_told_that_the_screen_goes_dark(
    view: str, browser: Browser, live_server: str, watched_server: str, live_store: Store
) -> None:
    """Nobody sits before it who would press OK."""
    path = match_with(live_store, FOUR, SET)
    with phone(browser, watched_server) as page:
        page.goto(path + view)
        page.wait_for_load_state("networkidle")
        assert page.locator("body.watching, body.board-page").count() == 1
        assert not page.locator("#awake").is_visible()


# Weight

WHOLE: Final = """
    4-4 5-4>4-4 5-3>5-4 4-3>4-4 4-0>4-4 6-4>4-4 3-1>4-3 2-1>3-1 6-2>6-4 5-0>4-0 3-2>5-3 2-2>2-1 5-2>5-0 4-2>2-2
    2-0>3-2 0-0>2-0 1-0>0-0 5-1>1-0 6-0>0-0 6-6>6-0 6-5>6-6 6-3>6-6 5-5>5-1 3-0>0-0 3-3>3-0
"""


def test_scripts_and_pages_are_light(browser: Browser, live_server: str, live_store: Store) -> None:
    scripts = b"".join(path.read_bytes() for path in sorted(STATIC.glob("*.js")))
    assert len(gzip.compress(scripts)) < 10 * KILO
    pages: Mapping[str, str] = {name: match_with(live_store, *log, HOUSE.get(name)) for name, log in logs().items()}
    pages = {
        **pages,
        "nearly all tiles": match_with(live_store, FOUR[:2], [RoundOpened("A", LOT), *two(WHOLE, draws=9)]),
    }
    for name, path in pages.items():
        with phone(browser, live_server) as page:
            page.goto(path)
            page.wait_for_load_state()
            sizes = page.evaluate(
                """() => performance.getEntries().filter(one => one.transferSize !== undefined && !one.name.endsWith("/version"))
                  .map(one => one.transferSize)"""
            )
            assert len(sizes) >= 8
            assert sum(sizes) < 60 * KILO, name


def test_the_page_is_right_when_reloaded_and_turned_k18(table: Table) -> None:
    page = table.page

    def shown() -> Shown:
        return replace(table.shown(), heading="")  # which is written in two lines or in one

    table.enter(table.cell("5-0>5-5"))
    before = shown()
    page.reload()
    assert shown() == before
    page.set_viewport_size({"width": PHONE[1], "height": PHONE[0]})
    assert shown() == before
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert shown() == before


def test_a_round_by_the_names_that_are_read_out(table: Table) -> None:
    page = table.page
    for name in ("Play 5-0 on 5-5, double", "Play 5-4 on 5-5, double", "Play 5-1 on 5-5, branch"):
        table.enter(page.get_by_role("button", name=name, exact=True))
    table.enter(page.get_by_role("button", name="Draw"))
    table.enter(page.get_by_role("button", name="Undo: Ani drew 1 tile"))
    assert table.shown().turn == "Ani"


# Found by trying it out: each was lost, doubled or given to another once


def test_mine_as_well_is_entered_after_a_conflict(table: Table, live_store: Store) -> None:
    page = table.page
    page.route("**/version", lambda route: route.abort())
    live_store.append(page.url.rpartition("/")[2], Drew("B", 1), seen=2, key="")
    table.cell("5-0>5-5").tap()
    page.locator(".refusal form button").tap()
    wait(table, 4)
    assert table.shown().scores == {"A+C": 2, "B+D": 2}


def test_a_conflict_stays_until_it_is_decided(table: Table, live_store: Store) -> None:
    page = table.page
    match_id = page.url.rpartition("/")[2]
    page.route("**/version", lambda route: route.abort())
    live_store.append(match_id, Drew("B", 1), seen=2, key="")
    table.cell("5-0>5-5").tap()
    page.locator(".refusal form").wait_for()
    page.unroute_all(behavior="ignoreErrors")
    live_store.append(match_id, Drew("B", 1), seen=3, key="")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.evaluate("() => fetch(location.href)")  # an answer later than that of a refresh would be
    assert page.locator(".refusal form").count() == 1


def test_what_followed_a_refused_entry_is_named_and_never_sent(table: Table, live_store: Store) -> None:
    """Another phone was quicker: the second draw was meant for a player who is not on turn any more."""
    page = table.page
    match_id = page.url.rpartition("/")[2]
    cut(table)
    draw = page.locator('.actions form[action$="/draw"] button')
    draw.tap()
    page.locator("#unsent").wait_for()
    draw.tap()
    expect(page.locator("#unsent bdi")).to_have_text("Draw · Draw")
    live_store.append(match_id, Played("B", Tile.parse("5-0"), Tile.parse("5-5")), seen=2, key="")
    mend(table)
    page.locator(".refusal form").wait_for()
    assert unsent(table) == "Draw"
    page.reload()
    assert unsent(table) == "Draw"
    page.locator("#unsent .drop").tap()
    expect(page.locator("#unsent")).to_be_hidden()
    assert entries(table, live_store) == 3


@pytest.mark.parametrize("key", ["d", "Enter"])
def test_a_key_held_down_enters_once(key: str, table: Table, live_store: Store) -> None:
    page = table.page
    page.keyboard.press("ArrowDown")
    takes_taps(page)
    hurry(page, 0.001)  # the moment in which nothing is taken does not pass
    for _ in range(12):
        page.keyboard.down(key)
    page.keyboard.up(key)
    page.locator('main[data-seen="3"]').wait_for()
    page.reload()
    assert entries(table, live_store) == 3


def test_a_double_tap_without_a_network_enters_once(table: Table) -> None:
    page = table.page
    draw = page.locator('.actions form[action$="/draw"] button')
    cut(table)
    draw.tap()
    page.locator("#unsent").wait_for()
    takes_taps(page)
    hurry(page, 0.001)
    draw.evaluate("one => { one.click(); one.click(); }")
    assert page.locator("#unsent bdi").inner_text() == "Draw · Draw"


def test_an_entry_outlives_the_loss_of_its_cookie(table: Table, live_store: Store) -> None:
    table.page.context.clear_cookies()
    table.enter(table.page.locator('.actions form[action$="/draw"] button'))
    assert (table.shown().refusal, entries(table, live_store)) == (None, 3)


def test_a_settlement_half_entered_outlives_a_reload(browser: Browser, live_server: str, live_store: Store) -> None:
    path = match_with(live_store, *logs()["settle"])
    with phone(browser, live_server) as page:
        page.goto(path)
        hurry(page)
        page.locator('[data-seat="A"] .tick input').nth(0).tap()
        page.locator('[data-seat="B"] input[type="text"]').fill("5")
        expect(page.locator('[data-seat="B"] .live')).to_contain_text("→")
        page.reload()
        assert page.locator('[data-seat="A"] .tick input').nth(0).is_checked()
        assert page.locator('[data-seat="B"] input[type="text"]').input_value() == "5"
        expect(page.locator('[data-seat="B"] .live')).to_contain_text("→")


def test_a_refused_settlement_shows_where(browser: Browser, live_server: str, live_store: Store) -> None:
    path = match_with(live_store, *logs()["settle"])
    with phone(browser, live_server) as page:
        page.goto(path)
        hurry(page)
        page.locator('button[value="settle"]').tap()
        error = page.locator('[data-seat="A"] .error')
        expect(error).to_be_in_viewport()
        expect(page.locator('[data-seat="A"] input[type="text"]')).to_be_focused()


def test_a_tile_is_struck_out_as_long_as_any_hand_shows_it(
    browser: Browser, live_server: str, live_store: Store
) -> None:
    path = match_with(live_store, *logs()["settle"])
    with phone(browser, live_server) as page:
        page.goto(path)
        hurry(page)
        ticks = {seat: page.locator(f'[data-seat="{seat}"] .tick label').nth(0) for seat in "ABC"}
        ticks["A"].tap()
        ticks["B"].tap()
        ticks["B"].tap()
        struck = {seat: "elsewhere" in (one.get_attribute("class") or "") for seat, one in ticks.items()}
        assert struck == {"A": False, "B": True, "C": True}


def test_a_page_without_a_connection_says_so(table: Table) -> None:
    page = table.page
    page.route("**/*", lambda route: route.abort())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#offline")).to_contain_text("No connection since")
    page.unroute_all(behavior="ignoreErrors")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#offline")).to_be_hidden()


def test_a_draw_and_its_undo_are_read_out(table: Table) -> None:
    page = table.page
    said = page.locator("#said")
    table.draw(1)
    assert said.text_content() == "Budi drew 1 tile. 7 left. Budi is on turn."
    table.draw(1)
    assert said.text_content() == "Budi drew 1 tile. 6 left. Budi is on turn."
    table.undo()
    assert said.text_content() == "Taken back: Budi drew 1 tile. Budi is on turn."


# Answers that come late


@contextmanager
def late(page: Page, address: str, body: str, ask: Callable[[], None]) -> Iterator[None]:
    """Ask for something whose answer comes only after what is done inside, and wait until the script has had it."""
    answers: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if answers or body not in (route.request.post_data or ""):
            route.fallback()
        else:
            answers.append((route, route.fetch()))

    page.route(address, hold)
    with page.expect_request(lambda request: body in (request.post_data or "")):
        ask()
    yield
    ((route, answer),) = answers
    with page.expect_event("requestfinished", lambda request: request == route.request):
        route.fulfill(response=answer)
    page.evaluate("new Promise(requestAnimationFrame)")


@pytest.fixture
def settling(browser: Browser, live_server: str, live_store: Store) -> Iterator[Table]:
    """A phone at a match whose round is to be settled."""
    with phone(browser, live_server) as page:
        page.goto(match_with(live_store, *logs()["settle"]))
        hurry(page)
        yield Table(page)


def test_a_working_that_comes_late_leaves_a_refusal_alone(settling: Table) -> None:
    page = settling.page
    error = page.locator("fieldset .error").first
    with late(page, "**/settle", "do=work", page.locator('[data-seat="A"] .tick input').nth(0).tap):
        settling.settle()
        expect(error).to_be_visible()
    assert error.is_visible()


def test_a_working_is_not_asked_for_once_it_is_settled(browser: Browser, live_server: str, live_store: Store) -> None:
    settled = until(recorded("five-up-61-reached-and-lost"), Settled, 2, and_it=True)[-1]
    assert isinstance(settled, Settled)
    with phone(browser, live_server) as page:
        page.clock.install(time=0)
        page.goto(match_with(live_store, *logs()["settle"]))
        page.clock.pause_at(10_000)
        hurry(page)
        table = Table(page)
        for seat, left in settled.left:
            table.leave(seat, left)
        table.settle()
        assert table.shown().phase == "open"
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        with page.expect_response("**/version"):
            page.clock.run_for(3000)
        assert set(asked) == {"version"}


def test_a_view_that_comes_late_is_asked_for_again(table: Table) -> None:
    page = table.page
    table.unfold('a[href$="form=points"]')
    with late(page, "**/m/*?form=points", "", page.locator('a[href$="form=points"]').tap):
        table.play(Tile.parse("5-0"), Tile.parse("5-5"))
    page.locator('button[name="points"]').first.wait_for()
    assert page.locator("main").get_attribute("data-seen") == "3"


def test_a_table_whose_match_is_deleted_says_so(table: Table, live_store: Store) -> None:
    live_store.delete(table.page.url.rpartition("/")[2])
    expect(table.page.locator("main h2")).to_have_text("This match was deleted")


def test_a_question_stops_what_waits_behind_it(table: Table, live_store: Store) -> None:
    """An undo of what another device entered is asked about, also where it was tapped without a network."""
    page = table.page
    match_id = page.url.rpartition("/")[2]
    live_store.append(match_id, Played("B", Tile.parse("5-0"), Tile.parse("5-5")), seen=2, key="", who="another")
    wait(table, 3)
    cut(table)
    page.locator("button.undo").tap()
    page.locator("#unsent").wait_for()
    table.cell("5-1>5-5").tap()
    expect(page.locator("#unsent bdi")).to_contain_text(f"5-{WORD_JOINER}1 on 5-{WORD_JOINER}5")
    mend(table)
    expect(page.locator('button[name="sure"]')).to_be_visible()
    expect(page.locator("#unsent")).to_be_visible()  # what was tapped after it was not sent, and is named
    assert entries(table, live_store) == 3


def test_an_agreement_that_waits_is_no_entry(table: Table, live_store: Store) -> None:
    page = table.page
    path = match_with(live_store, *logs()["settled"])
    page.goto(f"{path}/seat")
    table.enter(page.locator('button[name="seat"][value="A"]'))
    cut(table, "**/agree")
    page.locator("button.agree").tap()
    page.locator("#unsent").wait_for()
    page.goto(path)
    opener = page.locator('button[name="opener"]').first
    opener.tap()
    expect(page.locator("#unsent bdi")).to_contain_text("·")
    mend(table)
    opener.wait_for(state="detached")
    assert table.shown().refusal is None
    assert live_store.load(path[3:]).match.rounds[-1].number == 3

"""History, corrections and match affairs in a real browser: they fit, can be read and reached, and repeat nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from fiveup_ref.engine.events import (
    LOT,
    Adjusted,
    Amended,
    Closed,
    Counted,
    Drew,
    Event,
    Inserted,
    Noted,
    Played,
    Renamed,
    RoundEnded,
    RoundOpened,
    RulesChanged,
    Scored,
    Settled,
    Undone,
)
from fiveup_ref.engine.scoring import Ends, Left
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .table import Table, hurry, phone
from .test_pages import LANGUAGES, LONG_NAMES, SCHEMES, WCAG, WIDTHS, Witness, match_with, plays, recorded, until

FOUR: Final = ("Ani", "Budi", "Citra", "Dewi")
LONGEST: Final = tuple(name[:40] for name in LONG_NAMES)
Way = Callable[[Page, Mapping[str, str]], None]


def logs() -> Mapping[str, tuple[Sequence[str], list[Event]]]:
    """Names and entries of the matches whose pages are looked at."""
    lost = recorded("five-up-61-reached-and-lost")
    rounds = until(lost, Settled, 2, and_it=True)
    corrections: list[Event] = [
        Undone(41, "not played"),
        Undone(len(rounds) + 1),
        Amended(4, Drew("A", 3), "miscounted"),
        Inserted(8, Drew("D", 1), "forgotten"),
        Renamed(LONGEST),
        Adjusted(Team(("A", "C")), -2, "wrong claim, house rule"),
        RulesChanged((("target", "100"), ("exact", "yes"))),
        Noted("w" * 480),
    ]
    return {
        "mended": (FOUR, [*rounds, *corrections]),
        "attention": (FOUR, [*rounds, Undone(12)]),
        "new": (LONGEST, []),
        "closed": (FOUR, [RoundOpened("A", LOT), *plays("A", "5-5"), Closed("rain")]),
        "over": (FOUR, list(lost)),
        "question": (FOUR, [RoundOpened("A", LOT), *plays("A", "5-5 5-0>5-5")]),
    }


@pytest.fixture(scope="module")
def mended(live_store: Store) -> Mapping[str, str]:
    """The path of each match by its name; every entry came from another device."""
    paths = {}
    for name, (names, log) in logs().items():
        paths[name] = match_with(live_store, names, [])
        for seen, event in enumerate(log):
            live_store.append(paths[name].rpartition("/")[2], event, seen=seen, key="", who="another")
    return paths


def at(name: str, rest: str) -> Way:
    return lambda page, paths: (page.goto(paths[name] + rest), None)[1]


def look_at_a_tile(page: Page, paths: Mapping[str, str]) -> None:
    page.goto(f"{paths['mended']}/entry/11/edit")
    page.locator("#tile").select_option("5-1")
    page.locator('button[value="preview"]').tap()
    page.locator("#preview").wait_for()


def look_at_rules(page: Page, paths: Mapping[str, str]) -> None:
    page.goto(f"{paths['over']}/manage")
    page.locator("#rule-target").fill("40")
    page.locator("#rules button").tap()
    page.locator("#preview").wait_for()


def refuse_an_adjustment(page: Page, paths: Mapping[str, str]) -> None:
    page.goto(f"{paths['mended']}/manage")
    page.locator("#amount").fill("_2")
    page.locator("#adjust button").tap()
    page.locator("#amount-error").wait_for()


def ask(page: Page, paths: Mapping[str, str]) -> None:
    page.goto(paths["question"])
    hurry(page)
    page.locator("button.undo").tap()
    page.locator('button[name="sure"]').wait_for()


PAGES: Final[Mapping[str, Way]] = {
    "history": at("mended", "/history"),
    "history with attention": at("attention", "/history"),
    "history of nothing": at("new", "/history"),
    "table with attention": at("attention", ""),
    "first step": at("mended", "/round/1/1"),
    "step": at("mended", "/round/1/12"),
    "settlement": at("mended", "/round/1/20"),
    "edit a tile": at("mended", "/entry/11/edit"),
    "edit leftovers": at("over", "/entry/20/edit"),
    "edit an opener": at("mended", "/entry/1/edit"),
    "put in a draw": at("mended", "/entry/11/insert?kind=Drew"),
    "put in an adjustment": at("mended", "/entry/11/insert?kind=Adjusted"),
    "take out": at("mended", "/entry/11/remove"),
    "look at a tile": look_at_a_tile,
    "affairs": at("mended", "/manage"),
    "affairs of a new match": at("new", "/manage"),
    "affairs of a closed match": at("closed", "/manage"),
    "affairs of a won match": at("over", "/manage"),
    "look at rules": look_at_rules,
    "adjustment refused": refuse_an_adjustment,
    "rematch": at("over", "/rematch"),
    "question": ask,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_quiet_and_fits(
    name: str, language: str, browser: Browser, live_server: str, mended: Mapping[str, str]
) -> None:
    with phone(browser, live_server, language=language) as page:
        witness = Witness(page, live_server)
        PAGES[name](page, mended)
        page.wait_for_load_state()  # with its styles
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"wider than {width} px"
        assert witness.complaints == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(name: str, browser: Browser, live_server: str, mended: Mapping[str, str]) -> None:
    with phone(browser, live_server) as page:
        PAGES[name](page, mended)
        page.wait_for_load_state()  # with its styles
        for width, scheme in itertools.product((360, 1280), SCHEMES):
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page, options=WCAG)
            assert found.violations_count == 0, f"{width} px, {scheme}: {found.generate_report()}"


@pytest.mark.parametrize("name", PAGES)
def test_what_is_tapped_and_read_is_big_enough(
    name: str, browser: Browser, live_server: str, mended: Mapping[str, str]
) -> None:
    with phone(browser, live_server) as page:
        PAGES[name](page, mended)
        page.wait_for_load_state()  # with its styles
        targets = page.evaluate(
            """() => [...document.querySelectorAll("main :is(a, button, select, input[type=text], label:has(input), summary)")]
              .map(one => [one.textContent.trim().slice(0, 40), ...(box => [box.width, box.height])(one.getBoundingClientRect())])
              .filter(one => one[1] && one[2])"""
        )
        assert [one for one in targets if one[1] < 44 or one[2] < 44] == []
        small = page.evaluate(
            """() => [...document.querySelectorAll("main *")]
              .filter(one => !one.closest("svg, .unseen") && parseFloat(getComputedStyle(one).fontSize) < 16
                && [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()))
              .map(one => one.outerHTML)"""
        )
        assert small == []


@pytest.fixture
def table(browser: Browser, live_server: str, live_store: Store) -> Iterator[Table]:
    """A phone at a match of its own that waits for the leftovers of B, C and D."""
    log: list[Event] = [RoundOpened("A", LOT), *plays("A", "5-5")]
    log += [Counted("B", Ends.parse("5-5 0")), Scored("C", 3), RoundEnded("A")]
    path = match_with(live_store, FOUR, log)
    with phone(browser, live_server) as page:
        hurry(page)
        page.goto(path)
        yield Table(page)


def entries(page: Page, store: Store) -> int:
    return store.version(page.url.partition("/m/")[2].partition("/")[0])


def test_settle_then_back_forward_and_refresh_settle_once_k31(table: Table, live_store: Store) -> None:
    page = table.page
    path = page.url
    for seat in "BCD":
        table.leave(seat, Left(3))
    table.settle()
    shown = table.shown()
    for step in (page.go_back, page.go_forward, page.reload, page.go_back, page.reload, page.go_forward):
        step()
        assert live_store.version(path.rpartition("/")[2]) == 6
    page.goto(path)
    assert table.shown() == shown


def test_a_tap_on_save_twice_and_a_way_back_correct_once(table: Table, live_store: Store) -> None:
    page = table.page
    path = page.url
    page.goto(f"{path}/entry/4/edit")
    page.locator("#points").fill("2")
    page.locator('button[value="preview"]').tap()
    page.locator("#preview").wait_for()
    with page.expect_event("domcontentloaded"):
        page.get_by_role("button", name="Save", exact=True).dblclick()
    page.wait_for_url("**/history*")
    assert entries(page, live_store) == 6
    page.go_back()
    page.go_forward()
    page.reload()
    assert entries(page, live_store) == 6
    assert page.locator("#entry-4 del").count() == 1


def test_a_number_that_was_only_typed_is_saved_k10(table: Table, live_store: Store) -> None:
    """Without leaving the field, and by the keyboard's own button."""
    page = table.page
    path = page.url
    page.goto(f"{path}/entry/4/edit")
    page.locator("#points").fill("2")
    page.locator("#points").press("Enter")
    page.locator("#preview").wait_for()
    page.get_by_role("button", name="Save", exact=True).tap()
    page.wait_for_url("**/history*")
    assert live_store.load(path.rpartition("/")[2]).match.log[-1] == Amended(4, Scored("C", 2))


def test_a_round_is_stepped_through_without_script(
    browser: Browser, live_server: str, mended: Mapping[str, str]
) -> None:
    with phone(browser, live_server, script=False) as page:
        page.goto(f"{mended['over']}/history")
        page.get_by_role("link", name="Step through round 1").tap()
        for way, step in (("Forward", 2), ("Last", 20), ("Back", 19), ("First", 1)):
            page.get_by_role("link", name=way, exact=True).tap()
            page.wait_for_url(f"**/round/1/{step}")
        assert page.locator("nav.ways a").count() == 2


@pytest.mark.parametrize("letters", ["on", "off"])
def test_a_round_is_stepped_through_by_keys(
    browser: Browser, live_server: str, mended: Mapping[str, str], letters: str
) -> None:
    with phone(browser, live_server) as page:
        page.goto("/display")
        page.locator(f"input[name=letters][value={letters}]").check()
        page.locator("main form button").last.click()
        page.goto(f"{mended['over']}/round/1/1")
        for key, step in (("ArrowRight", 2), ("End", 20), ("ArrowLeft", 19), ("Home", 1)):
            page.keyboard.press(key)
            page.wait_for_url(f"**/round/1/{step}")
        page.keyboard.press("ArrowLeft")  # there is none before the first
        page.keyboard.press("?")  # nor a list of keys
        assert page.url.endswith("/round/1/1")


def test_everything_is_mended_without_script(browser: Browser, live_server: str, live_store: Store) -> None:
    log: list[Event] = [RoundOpened("A", LOT), *plays("A", "5-5 5-0>5-5 6-5>5-5")]
    path = match_with(live_store, FOUR, log)
    with phone(browser, live_server, script=False) as page:
        page.goto(path)
        page.get_by_role("link", name="History").tap()
        page.locator("#entry-3 > .entry-act").tap()
        page.locator("#tile").select_option("5-4")
        page.locator("#why").fill("misread")
        page.locator('button[value="preview"]').tap()
        page.get_by_role("button", name="Save", exact=True).tap()
        page.wait_for_url("**/history*")
        page.locator("#entry-5 .entry-act").tap()
        page.get_by_role("button", name="Save", exact=True).tap()
        page.wait_for_url("**/history*")
        page.get_by_role("link", name="Match affairs").tap()
        page.locator("#name-B").fill("Budi S.")
        page.get_by_role("button", name="Save the names").tap()
        page.wait_for_url("**/manage#names")
    match = live_store.load(path.rpartition("/")[2]).match
    right = Played("B", Tile.of(5, 4), Tile.of(5, 5))
    assert match.log[4:] == (Amended(3, right, "misread"), Undone(5), Renamed(("Ani", "Budi S.", "Citra", "Dewi")))
    assert match.scores == (2, 2)

"""The screen on the wall in a real browser: it follows, says when it has lost the server, and shows nothing old as new."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from fiveup_ref.engine.events import Played
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from tests.web.matches import keep, opened, plays


@pytest.fixture
def path(live_store: Store) -> str:
    return keep(live_store, [*opened(), *plays("A", "5-5")])


@pytest.fixture
def screen(browser: Browser, live_server: str, path: str) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en-GB") as context:
        page = context.new_page()
        page.clock.install()
        page.goto(f"{live_server}{path}/board")
        yield page


def play(store: Store, path: str) -> None:
    store.append(path[3:], Played("B", Tile.of(5, 0), Tile.of(5, 5)), seen=2, key="")


def test_it_follows(screen: Page, live_store: Store, path: str) -> None:
    expect(screen.locator(".last-what")).to_have_text("Ani 5-5")
    play(live_store, path)
    screen.clock.run_for(2000)
    expect(screen.locator(".last-what")).to_have_text("Budi 5-0 on 5-5")
    expect(screen.locator("#lost")).to_be_hidden()


def test_it_says_since_when_it_has_lost_the_server(screen: Page, live_store: Store, path: str) -> None:
    screen.clock.run_for(1000)
    expect(screen.locator("#lost")).to_be_hidden()
    screen.context.set_offline(True)
    play(live_store, path)
    screen.clock.run_for(8000)
    expect(screen.locator("#lost")).to_be_visible()
    said = screen.locator("#lost .since").text_content() or ""
    assert said.count(":") == 2
    expect(screen.locator("body")).to_have_class("board-page phase-play old")
    expect(screen.locator(".last-what")).to_have_text("Ani 5-5")  # as it was, and said to be old; no zeros
    screen.clock.run_for(8000)
    assert screen.locator("#lost .since").text_content() == said
    screen.context.set_offline(False)
    screen.clock.run_for(1000)
    expect(screen.locator(".last-what")).to_have_text("Budi 5-0 on 5-5")
    expect(screen.locator("#lost")).to_be_hidden()


def test_after_a_sleep_it_is_new_at_once(screen: Page, live_store: Store, path: str) -> None:
    screen.clock.run_for(1000)
    play(live_store, path)
    screen.clock.fast_forward(3_600_000)  # timers fire once, as after a sleep
    expect(screen.locator(".last-what")).to_have_text("Budi 5-0 on 5-5")
    expect(screen.locator("#lost")).to_be_hidden()


def test_what_a_sleeping_screen_shows_is_said_to_be_old_until_there_is_an_answer(screen: Page) -> None:
    screen.clock.run_for(1000)
    screen.context.set_offline(True)
    screen.clock.fast_forward(3_600_000)
    expect(screen.locator("#lost")).to_be_visible()


def test_a_match_that_is_deleted_says_so(screen: Page, live_store: Store, path: str) -> None:
    live_store.delete(path[3:])
    screen.clock.run_for(2000)
    expect(screen.locator("main h2")).to_have_text("This match was deleted")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800), (1920, 1080)])
def test_it_fits_its_screen(browser: Browser, live_server: str, path: str, width: int, height: int) -> None:
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        page = context.new_page()
        page.goto(f"{live_server}{path}/board")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        felt = page.locator(".felt").bounding_box()
        assert felt is not None
        assert felt["y"] + felt["height"] <= height + 1
        team = page.locator(".team").last.bounding_box()
        assert team is not None
        assert team["x"] + team["width"] > width * 0.97  # the scores have the whole width
        score = page.locator(".team-score").first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
        assert score >= min(height / 6, width / 6)


def test_without_scripts_it_loads_itself_again(
    browser: Browser, live_server: str, live_store: Store, path: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{live_server}{path}/board")
        play(live_store, path)
        expect(page.locator(".last-what")).to_have_text("Budi 5-0 on 5-5")

"""The table page without a network: opened from its last state, which it says, and what is entered is sent later."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from fiveup_ref.engine.events import LOT, Event, Noted, Played, RoundOpened
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from fiveup_ref.web import installable

from .table import Table, hurry, phone, takes_taps, wait_until
from .test_pages import FOUR, match_with

STATIC: Final = Path(__file__).parents[2] / "static"
SET: Final[Sequence[Event]] = (RoundOpened("A", LOT), Played("A", Tile.parse("5-5")))
KEPT: Final = "caches.keys().then(async names => (await Promise.all(names.map(async name => (await (await caches.open(name)).keys()).map(one => new URL(one.url).pathname)))).flat())"


@pytest.fixture
def table(browser: Browser, live_server: str, live_store: Store) -> Iterator[Table]:
    """A phone with a service worker, at a match of its own that the worker has seen."""
    path = match_with(live_store, FOUR, SET)
    with phone(browser, live_server, worker=True) as page:
        page.goto(path)
        page.evaluate("navigator.serviceWorker.ready")
        wait_until(page, "navigator.serviceWorker.controller")
        page.reload()
        hurry(page)
        takes_taps(page)
        yield Table(page)


def kept(page: Page) -> set[str]:
    return set(page.evaluate(KEPT))


def until(table: Table, entry: int) -> None:
    table.page.locator(f'main[data-seen="{entry}"]').wait_for()


def test_a_table_opens_without_a_network_and_says_that_it_is_old(table: Table, live_store: Store) -> None:
    page = table.page
    path = page.evaluate("location.pathname")
    expect(page.locator("#offline")).to_be_hidden()
    table.play(Tile.parse("5-0"), Tile.parse("5-5"))  # the answer to an entry is the last state too
    wait_until(page, f"({KEPT}).then(kept => kept.includes('{path}'))")
    page.context.set_offline(True)
    live_store.append(path.split("/")[2], Noted("meanwhile"), seen=3, key="other")
    page.reload()
    expect(page.locator("#offline")).to_be_visible()
    assert re.fullmatch(
        r"No connection since\s+\d+:\d\d\s[AP]M\s+This is the table as it stood then\. .+",
        page.locator("#offline").inner_text(),
    )
    assert page.locator("main").get_attribute("data-seen") == "3"
    assert page.evaluate("getComputedStyle(document.querySelector('.bar')).display") == "flex"  # the style is there
    page.context.set_offline(False)
    until(table, 4)
    expect(page.locator("#offline")).to_be_hidden()


def test_entries_made_without_a_network_are_sent_once_and_in_order_s33(table: Table, live_store: Store) -> None:
    page = table.page
    match = page.evaluate("location.pathname").split("/")[2]
    page.context.set_offline(True)
    page.reload()
    table.cell("5-0>5-5").tap()
    page.locator("#unsent .waiting", has_text=re.compile("5-.?0")).wait_for()  # no line ends within it
    takes_taps(page)
    table.cell("5-4>5-5").tap()
    page.locator("#unsent .waiting", has_text=re.compile("5-.?4")).wait_for()
    expect(page.locator("#offline")).to_be_visible()
    page.context.clear_cookies()  # so that the token they were entered with has ended
    page.context.set_offline(False)
    until(table, 4)
    expect(page.locator("#unsent")).to_be_hidden()
    expect(page.locator("#offline")).to_be_hidden()
    assert list(live_store.load(match).match.log[2:]) == [
        Played("B", Tile.parse("5-0"), Tile.parse("5-5")),
        Played("C", Tile.parse("5-4"), Tile.parse("5-5")),
    ]


def test_only_files_and_tables_are_kept_s32(table: Table, live_store: Store) -> None:
    page = table.page
    path = page.evaluate("location.pathname")
    for other in ("/", "/new", f"{path}/sheet", f"{path}?form=points", "/rules", path):
        page.goto(other)
    assert {one for one in kept(page) if not one.startswith("/static/")} == {path}
    live_store.append(path.split("/")[2], Noted("elsewhere"), seen=2, key="other")
    page.goto(path)
    assert page.locator("main").get_attribute("data-seen") == "3"  # a page comes from the server while there is one
    page.context.set_offline(True)
    with pytest.raises(Exception, match=r"ERR_INTERNET_DISCONNECTED|ERR_FAILED"):
        page.goto("/")


def test_a_table_that_is_gone_is_kept_no_longer(table: Table, live_store: Store) -> None:
    page = table.page
    path = page.evaluate("location.pathname")
    assert path in kept(page)
    live_store.delete(path.split("/")[2])
    page.goto(path)
    wait_until(page, f"({KEPT}).then(kept => !kept.includes('{path}'))")


def test_files_of_another_version_are_dropped_before_a_page_asks_for_them(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = table.page
    page.evaluate(
        """async () => {
            const name = (await caches.keys()).find(one => !one.endsWith(" tables"));
            const style = new Response("body { outline: 7px solid }", { headers: { "Content-Type": "text/css" } });
            await (await caches.open(name)).put("/static/drawing.css", style);
        }"""
    )
    outline = "getComputedStyle(document.body).outlineWidth"
    page.reload()
    assert page.evaluate(outline) == "7px"  # the files do come from the cache
    other = copy(installable.Files(STATIC))
    other.digest = "0" * 16
    monkeypatch.setattr(installable, "_files", lambda: other)
    page.reload()
    assert page.evaluate(outline) != "7px"
    wait_until(
        page, "caches.keys().then(names => names.length > 0 && names.every(name => name.includes('0'.repeat(16))))"
    )


def files(table: Table) -> installable.Files:
    del table
    return installable.Files(Path(__file__).parents[2] / "static")


def test_over_plain_http_nothing_is_promised_and_nothing_breaks(
    browser: Browser, live_server: str, live_store: Store
) -> None:
    path = match_with(live_store, FOUR, SET)
    with phone(browser, live_server.replace("127.0.0.1", "table.test"), worker=True) as page:
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.goto(path)
        hurry(page)
        assert page.evaluate("navigator.serviceWorker === undefined")
        Table(page).play(Tile.parse("5-0"), Tile.parse("5-5"))
        assert faults == []

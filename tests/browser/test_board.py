"""The screen on the wall in a real browser: it follows, says when it has lost the server, and shows nothing old as new."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from fiveup_ref.agreements import Agreements
from fiveup_ref.engine.events import Adjusted, Drew, Event, Played, RoundEnded
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store
from tests.web.matches import ended_two, keep, opened, plays, settled


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


def teams(players: int) -> list[Team]:
    return [Team(("A", "C")), Team(("B", "D"))] if players == 4 else [Team((seat,)) for seat in "ABCDE"[:players]]


def lead_of(players: int) -> list[Event]:
    """Scores of several figures, one of them below zero."""
    return [Adjusted(team, points, "head start") for team, points in zip(teams(players), (-125, 45), strict=False)]


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


def test_it_goes_on_to_the_rematch_by_itself(browser: Browser, live_server: str, live_store: Store) -> None:
    path = keep(live_store, [*ended_two(A=60), settled(B="3-2")])
    match = live_store.load(path[3:]).match
    with browser.new_context(locale="en-GB") as context, browser.new_context(java_script_enabled=False) as plain:
        screen = context.new_page()
        screen.goto(f"{live_server}{path}/board")
        expect(screen.locator(".status")).to_contain_text("Ani wins")
        made = live_store.create(title="", rules=match.rules, players=match.players, follows=path[3:])
        screen.wait_for_url(f"**/m/{made}/board")
        live_store.append(made, opened()[0], seen=0, key="")
        expect(screen.locator("h1")).to_contain_text("round 1")  # and follows that one
        page = plain.new_page()
        page.goto(f"{live_server}{path}/board")
        page.get_by_role("link", name="The rematch has begun: open it").click()
        page.wait_for_url(f"**/m/{made}/board")


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


NAMES: Final = ("Ani", "Budi Santoso", "Citra", "Dewi", "Eko Prasetyo Wibowo of the second table")
ROUND: Final = "5-5 5-0>5-5 5-4>5-5 4-4>5-4 0-0>5-0"
HOUSE: Final = {"get_in": "10", "false_claim": "5", "best_of": "3", "exact": "yes"}


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("house", [{}, HOUSE])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("settles", [False, True])
def test_nobody_need_scroll_it(
    browser: Browser,
    live_server: str,
    live_store: Store,
    players: int,
    house: dict[str, str],
    settles: bool,
    language: str,
) -> None:
    """On the usual screens, with as many as can play, with and without notes and a line of house rules."""
    seats = "ABCDE"[:players]
    preset = "all-fives" if players == 5 else "five-up"
    log: list[Event] = [*opened(), *plays(seats, ROUND)]
    if settles:
        log = [*opened(), *plays(seats, "6-6"), Drew("B", None), RoundEnded(None)]
        log.append(settled(**dict.fromkeys(seats, "12 pips")))
    noted = [Adjusted(live_team, -5, "a false claim, said twice") for live_team in teams(players)[:2]]
    for entries in (log, [*log, *noted]):
        path = keep(live_store, [*lead_of(players), *entries], names=NAMES[:players], preset=preset, changes=house)
        for side in teams(players) if settles else ():
            match = live_store.load(path[3:]).match
            Agreements(live_store.connections).agree(path[3:], match, round_=1, seat=side[0], device=side[0])
        for width, height in ((1280, 720), (1920, 1080)):
            with browser.new_context(viewport={"width": width, "height": height}, locale=language) as context:
                page = context.new_page()
                page.goto(f"{live_server}{path}/board")
                size = page.evaluate(
                    "(({scrollWidth, scrollHeight}) => [scrollWidth, scrollHeight])(document.documentElement)"
                )
                assert size == [width, height]
                cut = "(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)"
                found = page.locator("main, .last-play, .team-names").evaluate_all(
                    f"(all) => ({cut})(all).map((one) => one.className)"
                )
                assert found == []
                for part in (".felt", ".last-play", ".game-line", ".team >> nth=-1"):
                    box = page.locator(part).bounding_box()
                    assert box is not None
                    assert box["height"] > 15
                    assert box["y"] + box["height"] <= height
                felt = page.locator(".felt").bounding_box()
                assert felt is not None
                assert felt["height"] > height * 0.4  # the layout has most of it
                for score in page.locator(".team-score").all():
                    one, team = score.bounding_box(), score.locator("..").bounding_box()
                    assert one is not None
                    assert team is not None
                    assert one["x"] + one["width"] <= team["x"] + team["width"]
                    assert one["height"] >= height / 10


def test_without_scripts_it_loads_itself_again(
    browser: Browser, live_server: str, live_store: Store, path: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{live_server}{path}/board")
        play(live_store, path)
        expect(page.locator(".last-what")).to_have_text("Budi 5-0 on 5-5")

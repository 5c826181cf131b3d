"""The referee's desk and the rule book in a real browser: quiet, accessible, in reach of a thumb, and on paper."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from fiveup_ref.engine.events import LOT, Disputed, Drew, Event, Played, RoundOpened
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.engine.seats import Team
from fiveup_ref.engine.tiles import Tile
from fiveup_ref.store import Store

from .table import phone
from .test_pages import LANGUAGES, LONG_NAMES, SCHEMES, WCAG, WIDTHS, Witness

LAID: Final = "5-5+5-0>5-5+5-3>5-5+0-0>5-0+6-3>5-3+5-4>5-5+6-6>6-3+1-0>0-0"
PAGES: Final[Mapping[str, str]] = {
    "desk": "/judge",
    "count": "/judge/count",
    "count of ends": "/judge/count?ends=6-6+5+4&claim=16&unit=raw",
    "count of a layout": f"/judge/count?plays={LAID}&claim=14&unit=points",
    "count refused": "/judge/count?ends=6-6+5+7&claim=x",
    "place": f"/judge/place?plays={LAID}&tile=6-5",
    "left": "/judge/left?out=A&left-B=3-0&left-B=2-1&left-C=6&left-D=3",
    "left refused": "/judge/left?out=A&left-B=7-8",
    "won": "/judge/won?before-A=63&before-B=-105&after-A=60&after-B=-108",
    "opens": "/judge/opens?last=out&who=C",
    "blocked": "/judge/blocked?drawable=x&holding=nobody",
    "turn": "/judge/turn?drawable=3&fitting=none",
    "sheet": "/judge/sheet",
    "rules": "/rules",
    "rules searched": "/rules?q=branch",
    "match": "{match}/judge",
    "dispute": "{match}/entry/3/dispute",
}


@pytest.fixture(scope="module")
def match(live_store: Store) -> str:
    """A match with a draw that is proved wrong and a dispute."""
    five = Tile.of(5, 5)
    log: list[Event] = [RoundOpened("A", LOT), Played("A", five), Played("B", Tile.of(5, 0), five), Drew("C", 1)]
    log += [Played("C", Tile.of(5, 1), five), Played("D", Tile.of(4, 1), Tile.of(5, 1))]
    log += [Played("A", Tile.of(5, 3), five), Played("B", Tile.of(0, 0), Tile.of(5, 0))]
    log += [Played("C", Tile.of(5, 2), five)]
    words = ((Team("AC"), "W" * 60), (Team("BD"), "no"))
    log += [Disputed("It was fifteen", 3, "15 raw", words)]
    match_id = live_store.create(title="Friday", rules=PRESETS["five-up"].rules(4), players=LONG_NAMES)
    for seen, event in enumerate(log):
        live_store.append(match_id, event, seen=seen, key="")
    return f"/m/{match_id}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_desk_is_quiet_and_fits(
    name: str, language: str, browser: Browser, live_server: str, match: str
) -> None:
    with phone(browser, live_server, language=language) as page:
        witness = Witness(page, live_server)
        page.goto(PAGES[name].format(match=match))
        assert page.locator("html").get_attribute("lang") == language
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"wider than {width} px"
        assert witness.complaints == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_desk_is_accessible(name: str, browser: Browser, live_server: str, match: str) -> None:
    with phone(browser, live_server) as page:
        page.goto(PAGES[name].format(match=match))
        for width, scheme in itertools.product((360, 1280), SCHEMES):
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page, options=WCAG)
            assert found.violations_count == 0, f"{width} px, {scheme}: {found.generate_report()}"


@pytest.mark.parametrize("name", PAGES)
def test_what_is_tapped_and_read_is_big_enough(name: str, browser: Browser, live_server: str, match: str) -> None:
    """Targets of 44 px, links within a sentence excepted, and no text under 16 px but in the pictures."""
    with phone(browser, live_server) as page:
        page.goto(PAGES[name].format(match=match))
        small = page.evaluate(
            """() => [...document.querySelectorAll("main :is(a, button, summary, label:has(input)), main .cell")]
              .filter(one => one.getClientRects().length && getComputedStyle(one).display !== "inline"
                && !one.matches("span") && !one.matches("label.cell input"))
              .map(one => [one.textContent.trim(), one.getBoundingClientRect()])
              .filter(([_, box]) => box.width < 44 || box.height < 44).map(([text, box]) => [text, box.width, box.height])"""
        )
        assert small == []
        tiny = page.evaluate(
            """() => [...document.querySelectorAll("main *")]
              .filter(one => !one.closest("svg, .unseen") && parseFloat(getComputedStyle(one).fontSize) < 16
                && [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()))
              .map(one => one.outerHTML)"""
        )
        assert tiny == []


@pytest.mark.parametrize("path", ["/rules", "{match}/sheet", "{match}/pictures"])
def test_a_table_that_goes_on_shows_it_on_a_screen(path: str, browser: Browser, live_server: str, match: str) -> None:
    """A table wider than the phone scrolls by keys too, with shadows at its edges; paper has none."""
    wide = """() => [...document.querySelectorAll("main table")].filter(one => getComputedStyle(one).display !== "none")
        .map(one => [one.scrollWidth > one.closest("section, main").clientWidth, one.closest(".scroll")])
        .filter(([wide, _]) => wide).map(([_, box]) => box && [box.tabIndex, box.getAttribute("role"),
            box.matches("[aria-label], [aria-labelledby]"), getComputedStyle(box).backgroundAttachment])"""
    with phone(browser, live_server) as page:
        page.set_viewport_size({"width": 280, "height": 740})
        page.goto(path.format(match=match))
        page.evaluate("document.documentElement.dataset.type = 'large'")
        found = page.evaluate(wide)
        assert found
        assert [one for one in found if one != [0, "region", True, "local, local, scroll, scroll"]] == []
        page.emulate_media(media="print")
        boxes = page.locator(".scroll").all()
        assert {one.evaluate("one => getComputedStyle(one).backgroundImage") for one in boxes} == {"none"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slip_prints_the_ruling_alone(language: str, browser: Browser, live_server: str) -> None:
    with phone(browser, live_server, language=language) as page:
        page.goto(PAGES["count of ends"])
        page.emulate_media(media="print")
        seen = page.locator("header, header a, footer, main > *, .skip").all()
        kinds = [one.get_attribute("class") for one in seen if one.is_visible()]
        assert kinds == ["bar", "card ruling"]
        link = page.locator(".rule-link").evaluate("one => getComputedStyle(one).color")
        assert link == "rgb(0, 0, 0)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_entry_of_a_finding_stands_on_one_line(
    language: str, browser: Browser, live_server: str, match: str
) -> None:
    with phone(browser, live_server, language=language) as page:
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 740})
            page.goto(PAGES["match"].format(match=match))
            page.evaluate("document.documentElement.dataset.type = 'large'")
            entries = page.locator(".proved summary .hint")
            assert entries.count()
            lines = entries.evaluate_all("all => all.map(one => one.getClientRects().length)")
            assert set(lines) == {1}


def test_a_dispute_is_settled_in_a_few_taps(browser: Browser, live_server: str) -> None:
    """From the front page to the ruling: eight taps and one number."""
    with phone(browser, live_server, script=False) as page:
        page.goto("/")
        page.get_by_role("link", name="Settle a dispute").first.tap()
        page.get_by_role("link", name="Is that count right?").tap()
        for end in ("6-6", "5", "4"):
            page.get_by_role("link", name=f"Add {end}", exact=True).tap()
        page.locator("#claim").fill("16")
        page.get_by_label("raw points").tap()
        page.get_by_role("button", name="Rule on it").tap()
        page.wait_for_url("**claim=16**")
        verdict = page.locator(".verdict")
        assert verdict.inner_text() == "The claim of 16 raw points does not stand: the count is 21, no score."
        assert page.url.endswith("#ruling")
        box = verdict.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= 740 - box["height"], "the ruling is not on the screen"
        page.reload()
        assert verdict.inner_text().startswith("The claim of 16")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("name", ["count of ends", "count of a layout", "place", "left", "won", "opens"])
def test_a_ruling_prints_as_a_slip(name: str, paper: str, browser: Browser, live_server: str, tmp_path: Path) -> None:
    """One page, with the ruling and without the form."""
    pdf = tmp_path / "slip.pdf"
    with phone(browser, live_server) as page:
        page.goto(PAGES[name])
        verdict = page.locator(".verdict").inner_text()
        page.pdf(path=pdf, format=paper)
    text = subprocess.run(["pdftotext", "-raw", pdf, "-"], check=True, capture_output=True, text=True).stdout
    assert text.count("\f") == 1
    printed = " ".join(text.split())
    assert verdict in printed
    assert "What would make it different" in printed
    assert "Rule on it" not in printed
    assert "Settle it" not in printed
    assert "Bahasa Indonesia" not in printed

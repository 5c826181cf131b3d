"""The page that brings phones in: its code is big enough to scan, and the page is for everybody."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from .table import PHONE, phone
from .test_pages import WCAG


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [PHONE, (1280, 800), (240, 500)])
def test_the_code_can_be_scanned(browser: Browser, live_server: str, size: tuple[int, int], dark: bool) -> None:
    with phone(browser, live_server, size=size, dark=dark) as page:
        page.goto("/")
        page.locator('a[href="/phones"]').tap()
        page.wait_for_url("**/phones")  # and its styles, which say how big the code is
        box = page.locator(".qr svg").bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 200
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = Axe().run(page, options=WCAG)
        assert found.response["violations"] == []

"""Files through a real browser: a match goes out as a download and comes back by the file chooser."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser

from fiveup_ref.engine.events import Noted, RoundOpened
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.exchange import unpack
from fiveup_ref.store import Store
from fiveup_ref.web.language import in_zone

from .table import phone


def test_out_by_the_sheet_and_in_again(browser: Browser, live_server: str, live_store: Store, tmp_path: Path) -> None:
    with closing(Store(tmp_path / "elsewhere")) as elsewhere:
        players = ("Ni Luh Śrī", "=1+1")
        match_id = elsewhere.create(title='Friday: "table"', rules=PRESETS["five-up"].rules(2), players=players)
        elsewhere.append(match_id, RoundOpened("A", "lot"), seen=0, key="")
        elsewhere.append(match_id, Noted("tea"), seen=1, key="")
        saved = elsewhere.load(match_id)
    (there,) = live_store.bring_in([saved])
    with phone(browser, live_server) as page:
        page.goto(f"/m/{there.id}/sheet")
        page.get_by_role("link", name="Download, delete").click()
        with page.expect_download() as waiting:
            page.get_by_role("link", name="Everything").click()
        download = waiting.value
        assert download.suggested_filename == f"{in_zone(saved.started, saved.zone):%Y-%m-%d} Friday table.json"
        file = tmp_path / download.suggested_filename
        download.save_as(file)
        (back,) = unpack(file.read_bytes(), now=saved.started).matches
        assert (back.match, back.entries) == (saved.match, saved.entries)
        page.get_by_role("link", name="Import and export").click()
        page.set_input_files("#file", file)
        page.get_by_role("button", name="Import").click()
        assert page.get_by_role("status").text_content() is not None
        page.get_by_role("link", name="Open the match").click()
        assert page.url == f"{live_server}/m/{there.id}"

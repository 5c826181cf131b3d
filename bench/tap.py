"""Prints how long it takes from a tap on a cell until the page shows the play, in a browser on this machine."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import waitress.server
from playwright.sync_api import sync_playwright

from fiveup_ref.engine.events import LOT, RoundOpened
from fiveup_ref.engine.rules import PRESETS
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from tests.browser.conftest import FLAGS, find_chromium

MATCHES, PLAYS = 10, 8
# A tap on the n-th cell, timed by the page's own clock until what the server answered has been painted.
_TAP = """n => new Promise(done => {
  const began = performance.now();
  const painted = () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  document.addEventListener("shown", painted, {once: true});
  const cells = document.querySelectorAll("button.cell");
  cells[n % cells.length].click();
})"""


def main() -> None:
    """Play in some matches, and measure every play."""
    times: list[float] = []
    with TemporaryDirectory() as folder, served(Path(folder)) as (store, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 360, "height": 740})
        rules = PRESETS["five-up"].rules(2).changed({"hand": "9"})
        for match in range(MATCHES):
            match_id = store.create(title="bench", rules=rules, players=("Ani", "Budi"))
            store.append(match_id, RoundOpened("A", LOT), seen=0, key="")
            page.goto(f"{address}/m/{match_id}")
            times += [page.evaluate(_TAP, match + play) for play in range(PLAYS)]
        browser.close()
    p50, p99 = statistics.median(times), statistics.quantiles(times, n=100, method="inclusive")[98]
    print(f"from a tap to the play on the screen: p50 {p50:.0f} ms   p99 {p99:.0f} ms")


@contextmanager
def served(folder: Path) -> Iterator[tuple[Store, str]]:
    """The app on this machine, with its store."""
    store = Store(folder)
    app = create_app(store, secret_key="bench", everyone_here=True)
    server = waitress.server.create_server(app, host="127.0.0.1", port=0)
    Thread(target=server.run, daemon=True).start()
    yield store, f"http://127.0.0.1:{server.effective_port}"  # type: ignore[union-attr] # one address, one server
    store.close()


if __name__ == "__main__":
    main()

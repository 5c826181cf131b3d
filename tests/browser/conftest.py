"""What the tests in this folder run against: a real Chromium that is found on this machine, and the real app.

Without Chromium these tests are skipped, and one line at the end says so; with FIVEUP_BROWSER=required they fail.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect, sync_playwright
from waitress.server import TcpWSGIServer

from fiveup_ref.backups import Backups
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.network import Network
from fiveup_ref.web.phones import Phones
from fiveup_ref.web.reach import Found

from .table import PATIENCE

expect.set_options(timeout=PATIENCE)

CARDS = [Found("wlan0", "192.168.1.20"), Found("docker0", "172.17.0.1"), Found("tun0", "10.8.0.2")]
PLACES = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    *(
        str(Path(os.environ[folder], "Google", "Chrome", "Application", "chrome.exe"))
        for folder in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        if folder in os.environ
    ),
]
# Root has no sandbox; the rest keeps Chromium from calling home while it is tested.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP table.test 127.0.0.1",  # plain http under a name that is not this machine itself
]
ABSENT = (
    "No Chromium found, so the browser tests do not run. Install one (Debian: sudo apt install -y chromium) "
    "or name one in FIVEUP_CHROMIUM."
)


def find_chromium() -> str | None:
    """The browser named in FIVEUP_CHROMIUM, or else the first one found in the usual places."""
    named = os.environ.get("FIVEUP_CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else PLACES)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    absent = find_chromium() is None and os.environ.get("FIVEUP_BROWSER") != "required"
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if absent:
                item.add_marker(pytest.mark.skip(reason=ABSENT))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if any(ABSENT in str(report.longrepr) for report in terminalreporter.getreports("skipped")):
        terminalreporter.write_line(ABSENT, yellow=True)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this process; each test opens its own context in it."""
    chromium = find_chromium()
    if chromium is None:
        pytest.fail(ABSENT, pytrace=False)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def live_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the app that is served."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="session")
def live_store(live_folder: Path) -> Iterator[Store]:
    """The store of the app that is served."""
    store = Store(live_folder)
    yield store
    store.close()


@pytest.fixture(scope="session")
def live_server(live_store: Store, live_folder: Path) -> Iterator[str]:
    """The address of the app, served as `app.py` serves it."""
    backups, network = (
        Backups(live_folder),
        Network(names=frozenset({"table.test"}), phones=Phones(8000, look=lambda: CARDS)),
    )
    app = create_app(live_store, secret_key="for tests", everyone_here=True, backups=backups, network=network)
    with served(app) as address:
        yield address


@pytest.fixture(scope="session")
def watched_server(live_store: Store) -> Iterator[str]:
    """The address of the app as devices on the network have it, over plain http: one that holds no link only watches."""
    network = Network(names=frozenset({"table.test"}))
    with served(create_app(live_store, secret_key="for tests", everyone_here=False, network=network)) as address:
        yield address.replace("127.0.0.1", "table.test")


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """An app on a port of its own."""
    channels: dict[int, Any] = {}
    server = TcpWSGIServer(app, map=channels, host="127.0.0.1", port=0, threads=4, ident=None)
    address, port = server.getsockname()
    serving = Thread(target=server.run)
    serving.start()
    yield f"http://{address}:{port}"
    # Without channels the loop of the server ends; only then are they closed, since it must not poll what is closed.
    left = list(channels.values())
    channels.clear()
    server.pull_trigger()
    serving.join()
    for channel in left:
        channel.close()
    server.task_dispatcher.shutdown()

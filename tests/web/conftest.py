"""A store of its own for each test, the app on it, and a device at the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from fiveup_ref.backups import Backups
from fiveup_ref.scorers import Scorers
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.network import Network
from fiveup_ref.web.phones import Phones

from .device import Device


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "data")
    yield store
    store.close()


@pytest.fixture
def backups(tmp_path: Path) -> Backups:
    return Backups(tmp_path / "data")


@pytest.fixture
def app(store: Store, backups: Backups) -> Flask:
    """The app as it is served, but what goes wrong inside fails the test with its traceback."""
    app = create_app(store, secret_key="for tests", everyone_here=True, backups=backups)
    app.config["PROPAGATE_EXCEPTIONS"] = True
    return app


@pytest.fixture
def lan(store: Store, backups: Backups) -> Flask:
    """The app as it is served to a network."""
    network = Network(phones=Phones(8000, "192.168.1.20"))
    app = create_app(store, secret_key="for tests", everyone_here=False, backups=backups, network=network)
    app.config["PROPAGATE_EXCEPTIONS"] = True
    return app


@pytest.fixture
def scorers(lan: Flask) -> Scorers:
    scorers: Scorers = lan.extensions["scorers"]
    return scorers


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def device(app: Flask) -> Device:
    return Device(app)

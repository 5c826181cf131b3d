"""Static texts are packed, pages are not."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from flask.testing import FlaskClient

STATIC = Path(__file__).parents[2] / "static"
ASKS = {"Accept-Encoding": "gzip, deflate, br"}


@pytest.mark.parametrize("name", ["style.css", "table.js", "icon.svg"])
def test_a_text_is_packed_for_who_unpacks_it(client: FlaskClient, name: str) -> None:
    with client.get(f"/static/{name}") as plain, client.get(f"/static/{name}", headers=ASKS) as packed:
        assert plain.data == gzip.decompress(packed.data) == (STATIC / name).read_bytes()
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.content_length == len(packed.data) < len(plain.data)
        assert "Accept-Encoding" in plain.vary
        assert "Accept-Encoding" in packed.vary


def test_a_packed_text_that_is_known_is_not_sent_again(client: FlaskClient) -> None:
    with client.get("/static/style.css", headers=ASKS) as first:
        etag = first.headers["ETag"]
    with client.get("/static/style.css", headers={**ASKS, "If-None-Match": etag}) as again:
        assert (again.status_code, again.data) == (304, b"")


def test_pages_are_not_packed(client: FlaskClient) -> None:
    assert "Content-Encoding" not in client.get("/", headers=ASKS).headers

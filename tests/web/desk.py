"""Somebody at the referee's desk: opens it, taps what is on the page, and reads the ruling."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Flask

from .device import Device, Fields, Node, Page


class Desk:
    """A phone at the desk, on the page of one question."""

    def __init__(self, app: Flask, question: str, *, language: str = "en") -> None:
        self.device = Device(app, language=language)
        self.page = self.device.get("/judge")
        self.follow(self.link(lambda node: node.get("href") == f"/judge/{question}"))

    def link(self, wanted: Any) -> str:
        """The address of the one link on the page for which `wanted(node)` holds."""
        found = [node.get("href") for node in self.page.tree.all("a") if wanted(node)]
        assert len(set(found)) == 1, found
        return found[0]

    def follow(self, address: str) -> Page:
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        assert parts.path.startswith(("/judge", "/m/"))
        self.page = self.device.get(parts.path, **query)
        return self.page

    def tap(self, text: str) -> Page:
        """Follow the link with this text, or with this spoken name up to a comma."""
        return self.follow(self.link(lambda one: one.text == text or one.get("aria-label").split(",")[0] == text))

    def lay(self, plays: str) -> list[str]:
        """Tap these plays one after the other; the ruling after each."""
        said = []
        for play in plays.split():
            tile, joined, onto = play.partition(">")
            self.tap(f"Play {tile} on {onto}" if joined else f"Set {tile}")
            said.append(self.verdict if self.ruled else "")
        return said

    def ask(self, **fields: str | list[str]) -> Page:
        """Fill in the form and press its button."""
        (form,) = [one for one in self.page.tree.all("form", method="get") if one.all("button")]
        names = {one.get("name") for tag in ("input", "select") for one in form.all(tag)}
        filled = {name.replace("_", "-"): value for name, value in fields.items()}
        assert set(filled) <= names, set(filled) - names
        sent: Fields = {**self.page.hidden(form), **_typed(form), **filled}
        answer = self.device.client.get(
            form.get("action").split("#")[0], query_string=dict(sent), headers=self.device.headers
        )
        self.page = Page(answer)
        return self.page

    @property
    def ruled(self) -> bool:
        return bool(self.page.tree.all("section", "ruling"))

    def part(self, of: str) -> list[str]:
        return [line.text for one in self.page.tree.all("ul", of) for line in one.all("li")]

    @property
    def verdict(self) -> str:
        return self.page.tree.one("section", "ruling").one("p", "verdict").text

    @property
    def stands(self) -> str:
        return self.page.tree.one("section", "ruling").one("p", "verdict").get("data-stands")

    @property
    def errors(self) -> dict[str, str]:
        return {node.get("id").removesuffix("-error"): node.text for node in self.page.tree.all("span", "error")}


def _typed(form: Node) -> dict[str, str | list[str]]:
    """What stands in the fields already."""
    typed: dict[str, str | list[str]] = {}
    for node in form.all("input"):
        if node.get("type") == "text" or (node.get("type") == "radio" and "checked" in node.attributes):
            typed[node.get("name")] = node.get("value")
    return typed

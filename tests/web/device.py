"""A device at the table, without a browser: it reads a page as a tree and presses only what is on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from flask import Flask
from werkzeug.test import TestResponse

from fiveup_ref.engine.events import Counted, Drew, Event, Passed, Played, RoundEnded, RoundOpened, Scored, Settled
from fiveup_ref.engine.match import Match
from fiveup_ref.store import Saved, Store

_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
_ACTS: Final = {RoundOpened: "open", Played: "play", Passed: "pass", RoundEnded: "end", Drew: "draw"}


@dataclass
class Node:
    """An element; `parts` are its children and texts in order."""

    tag: str
    attributes: Mapping[str, str]
    parts: list[Node | str] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for part in self.parts:
            if isinstance(part, Node):
                yield from part.walk()

    def all(self, tag: str = "", of: str = "", **attributes: str) -> list[Node]:
        """The elements inside with this tag, class and attributes."""
        return [
            node
            for node in self.walk()
            if (not tag or node.tag == tag)
            and (not of or of in node.get("class").split())
            and all(node.attributes.get(name) == value for name, value in attributes.items())
        ]

    def one(self, tag: str = "", of: str = "", **attributes: str) -> Node:
        found = self.all(tag, of, **attributes)
        assert len(found) == 1, (tag, of, attributes, len(found))
        return found[0]

    def texts(self, tag: str = "", of: str = "", **attributes: str) -> list[str]:
        return [node.text for node in self.all(tag, of, **attributes)]

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    @property
    def text(self) -> str:
        """What is read there, white space folded."""
        return " ".join("".join(part if isinstance(part, str) else part.raw for part in self.parts).split())

    @property
    def raw(self) -> str:
        return "\n" if self.tag == "br" else "".join(part if isinstance(part, str) else part.raw for part in self.parts)


class _Reader(HTMLParser):
    """Builds the tree, and fails where tags do not close in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), (tag, attrs)
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, (self.getpos(), tag)

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read(markup: str) -> Node:
    """The tree of a page."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    assert reader.open == [reader.root]
    return reader.root


class Page:
    """An answer of the app, as it is read."""

    def __init__(self, answer: TestResponse) -> None:
        self.status = answer.status_code
        self.headers = answer.headers
        self.markup = answer.text
        self.path = answer.request.path
        self.tree = read(self.markup)

    @property
    def csrf(self) -> str:
        return self.hidden(self.tree.all("form")[0])["csrf_token"]

    @staticmethod
    def hidden(form: Node) -> dict[str, str]:
        return {node.get("name"): node.get("value") for node in form.all("input", type="hidden")}

    def forms(self, act: str) -> list[Node]:
        """The forms that lead to an action of this match."""
        return [form for form in self.tree.all("form", method="post") if form.get("action").endswith(f"/{act}")]

    def button(self, act: str, name: str = "", value: str = "") -> tuple[Node, Node]:
        """The form and button of an action, which must be there and not be greyed out."""
        for form in self.forms(act):
            for button in form.all("button"):
                if (button.get("name"), button.get("value")) == (name, value):
                    assert "disabled" not in button.attributes, (act, name, value)
                    return form, button
        raise AssertionError(f"no button {act} {name}={value} on {self.path}")

    def buttons(self, act: str) -> list[str]:
        """The values of the buttons of an action that can be pressed."""
        return [
            button.get("value")
            for form in self.forms(act)
            for button in form.all("button")
            if "disabled" not in button.attributes
        ]

    @property
    def phase(self) -> str:
        return self.tree.one("body").get("class").rpartition("phase-")[2]

    @property
    def scores(self) -> dict[str, str]:
        """The scores as they are read, by team."""
        return {box.get("data-team"): box.one(of="score").text for box in self.tree.all(of="box")}

    @property
    def refusal(self) -> str:
        return " ".join(self.tree.texts(role="alert"))

    @property
    def status_line(self) -> tuple[str, str]:
        """The status and its sentence; twice empty where there is none."""
        found = [node for node in self.tree.walk() if "data-status" in node.attributes]
        return (found[0].get("data-status"), found[0].text) if found else ("", "")

    @property
    def sentence(self) -> str:
        return self.tree.one(of="result").one(of="sum").text + " " + self.tree.one(of="result").one(of="made").text


Fields = Mapping[str, str | Sequence[str]]


class Device:
    """A phone: its cookies, and the match it has open."""

    def __init__(self, app: Flask, path: str = "", *, language: str = "en", address: str = "127.0.0.1") -> None:
        self.client = app.test_client()
        self.client.environ_base["REMOTE_ADDR"] = address
        self.headers = {"Accept-Language": language}
        self.path = path

    def get(self, path: str = "", **query: str) -> Page:
        answer = self.client.get(path or self.path, query_string=query, headers=self.headers)
        return Page(answer)

    def post(self, path: str, fields: Fields) -> TestResponse:
        return self.client.post(path, data=dict(fields), headers=self.headers)

    def page(self, path: str, fields: Fields) -> Page:
        return Page(self.post(path, fields))

    def press(self, page: Page, act: str, name: str = "", value: str = "", **more: str | Sequence[str]) -> TestResponse:
        """Send a form by one of its buttons."""
        form, _ = page.button(act, name, value)
        pressed = {name: value} if name else {}
        return self.post(form.get("action"), {**page.hidden(form), **pressed, **more})

    def do(self, act: str, name: str = "", value: str = "", **more: str | Sequence[str]) -> Page:
        """Load the match, press a button, and be led to what came of it."""
        answer = self.press(self.get(), act, name, value, **more)
        assert answer.status_code == 303, Page(answer).refusal
        assert answer.headers["Location"] == self.path
        return self.get()

    def send(self, act: str, **fields: str | Sequence[str]) -> Page:
        """Send what no button of the page sends, with what the page hides in its forms; not led on."""
        page = self.get()
        hidden: dict[str, str] = {}
        for form in page.tree.all("form"):
            if form.get("action").startswith(self.path):
                hidden = page.hidden(form) | hidden
        return self.page(f"{self.path}/{act}", {**hidden, **fields})

    def enter(self, event: Event) -> Page:
        """Do at the page what an event says, by the buttons that are there for it."""
        match event:
            case RoundOpened(seat, by):
                return self.do("open", "opener", f"{seat} {by}")
            case Played(_, tile, onto):
                return self.do("play", "play", str(tile) if onto is None else f"{tile}>{onto}")
            case Drew(_, drawn):
                return self.do("draw", "tiles", "?") if drawn is None else [self.do("draw") for _ in range(drawn)][-1]
            case Passed():
                return self.do("pass")
            case RoundEnded(out):
                return self.do("end", "out", out or "blocked")
            case Settled(left):
                hands: dict[str, str | list[str]] = {}
                for seat, hand in left:
                    tiles = hand.tiles
                    name = f"pips-{seat}" if tiles is None else f"left-{seat}"
                    hands[name] = str(hand.pips) if tiles is None else [str(tile) for tile in tiles]
                return self.do("settle", "do", "settle", **hands)
            case Counted(seat, ends):
                page = self.get(form="counts", seat=seat, ends=str(ends))
            case Scored(seat, _):
                page = self.get(form="points", seat=seat)
            case _:
                raise AssertionError(event)
        name, value = ("points", str(event.points)) if isinstance(event, Scored) else ("", "")
        act = "score" if isinstance(event, Scored) else "count"
        assert self.press(page, act, name, value).status_code == 303
        return self.get()


def saved_at(store: Store, path: str) -> Saved:
    return store.load(path.split("/")[2])


def match_at(store: Store, path: str) -> Match:
    return saved_at(store, path).match

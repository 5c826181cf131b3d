"""What of a page goes on paper: its heading and main part as plain nodes, its pictures as files of their own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import Final

_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
_SKIPPED: Final = frozenset({"form", "nav", "footer"})
_OF_BLOCKS: Final = frozenset(
    {"main", "section", "div", "figure", "table", "thead", "tbody", "tfoot", "tr", "ul", "ol"}
)
_LONG_WORD: Final = re.compile(r"\S{16,}")
_INSIDE: Final = re.compile(r"(?<=\S{4})(?=\S{4})")
_XMLNS: Final = '<svg xmlns="http://www.w3.org/2000/svg"'


@dataclass
class Node:
    """An element: its name, its classes, what is in it, and `more`: spans of a cell, columns of a table, a picture."""

    tag: str
    classes: list[str] = field(default_factory=list)
    kids: list[Node | str] = field(default_factory=list)
    more: dict[str, str | int] = field(default_factory=dict)

    def walk(self, tags: frozenset[str]) -> Iterator[Node]:
        """The elements of these names inside, in order, without those inside one another."""
        for kid in self.kids:
            if isinstance(kid, Node):
                if kid.tag in tags:
                    yield kid
                else:
                    yield from kid.walk(tags)

    def row(self) -> dict[str, object]:
        """The node as plain JSON values."""
        kids = [kid if isinstance(kid, str) else kid.row() for kid in self.kids]
        return {"tag": self.tag, "class": self.classes, "kids": kids, **self.more}


def paper(markup: str) -> list[Node]:
    """The heading and the main part of a page of ours, whose elements all close in order.

    Forms, navigation and what is marked `screen-only` stay behind; both nodes have the classes of the body too.

    >>> [node.kids for node in paper("<body><h1>Friday</h1><main>so <b>far</b></main><footer>x</footer></body>")]
    [['Friday'], ['so ', Node(tag='b', classes=[], kids=['far'], more={})]]
    """
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    """Builds the nodes. `_open` are the elements around what is read now, None those that stay behind."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Node] = []
        self._open: list[Node | None] = []
        self._body: list[str] = []
        self._svg: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self._svg or tag == "svg":
            self._picture(tag, given)
        elif tag not in _VOID:
            self._open.append(self._node(tag, given))
        elif tag == "br":
            self._add(Node(tag))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._svg:
            self._svg.append(self.get_starttag_text() or "")
        else:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._svg:
            self._svg.append(f"</{tag}>")
            if tag == "svg":
                self._finish_picture()
        elif tag not in _VOID and (node := self._open.pop()):
            if tag == "table":
                node.more["columns"] = _columns(node)
            if tag in ("h1", "main"):
                self.found.append(node)
            else:
                self._add(node)

    def handle_data(self, data: str) -> None:
        if self._svg:
            self._svg.append(escape(data))
        elif self._open and (around := self._open[-1]):
            text = re.sub(r"[ \t\n\r]+", " ", data)
            if around.tag not in _OF_BLOCKS or text.strip():
                around.kids.append(_apart(text) if around.tag == "bdi" else _breaking(text))

    def _node(self, tag: str, given: dict[str, str]) -> Node | None:
        classes = given.get("class", "").split()
        if tag == "body":
            self._body = classes
        inside = bool(self._open and self._open[-1])
        if tag in ("h1", "main"):
            classes = [*classes, *self._body]
        elif not inside or tag in _SKIPPED or "screen-only" in classes:
            return None
        return Node(tag, classes, more={name: int(given[name]) for name in ("colspan", "rowspan") if name in given})

    def _picture(self, tag: str, given: dict[str, str]) -> None:
        source = self.get_starttag_text() or ""
        if tag == "svg":
            source = source.replace("<svg", _XMLNS, 1)
            self._add(Node(tag, given.get("class", "").split(), more={"alt": given.get("aria-label", "")}))
        self._svg.append(source)

    def _finish_picture(self) -> None:
        if self._open and (around := self._open[-1]) and isinstance(picture := around.kids[-1], Node):
            picture.more["svg"] = "".join(self._svg)
        self._svg = []

    def _add(self, node: Node) -> None:
        if self._open and (around := self._open[-1]):
            around.kids.append(node)


def _columns(table: Node) -> int:
    """The columns of a table: the cells of its first row, each as wide as it says."""
    first = next(table.walk(frozenset({"tr"})), table)
    return sum(int(cell.more.get("colspan", 1)) for cell in first.walk(frozenset({"td", "th"})))


def _breaking(text: str) -> str:
    """The text with places where a word too long for its column may break."""
    return _LONG_WORD.sub(lambda word: _INSIDE.sub("\N{ZERO WIDTH SPACE}", word[0]), text)


def _apart(name: str) -> str:
    """A name kept apart from what is around it, where its letters run from right to left."""
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    name = _breaking(name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if turns else name

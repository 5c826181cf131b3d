"""PDF and PNG without a browser: a page's own markup, set by typst. So paper says exactly what the page says."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import typst

PAPERS: Final = ("a4", "us-letter")
LACKING: Final = "[?]"
"""What stands in a file for letters that its fonts lack."""

_HERE: Final = Path(__file__).parent
_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
_SKIPPED: Final = frozenset({"form", "nav", "footer"})
_IN_ORDER: Final = frozenset({"table", "thead", "tbody", "tfoot", "tr", "ul", "ol"})
_LONGEST_WORD: Final = 16
_BREAK: Final = "\N{ZERO WIDTH SPACE}"
_APART: Final = ("\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}")
_INVISIBLE: Final = ("Cc", "Cf")

Node = dict[str, object]


def pdf(markup: str, *, paper: str, across: bool, language: str) -> bytes:
    """The heading and the main part of a page as a PDF; `paper` is one of PAPERS. The same page, the same bytes.

    What is marked `screen-only`, forms and navigation are left out. Letters that the fonts lack must have been
    replaced (`printable`).
    """
    inputs = {"page": json.dumps(tree(markup)), "paper": paper, "across": json.dumps(across), "language": language}
    return _typst(_HERE / "printing.typ", "pdf", inputs)


def png(svg: str, *, width: int) -> bytes:
    """An SVG file as a PNG of `width` pixels."""
    inputs = {"svg": svg, "width": str(width)}
    return _typst(_HERE / "picture.typ", "png", inputs)


def _typst(template: Path, kind: str, inputs: dict[str, str]) -> bytes:
    """Everything that differs from sheet to sheet is data: nothing in it is read as typst's markup."""
    return typst.compile(
        template, root=_HERE, ignore_system_fonts=True, format=kind, ppi=72, sys_inputs=inputs, timestamp=0
    )


def printable(text: str) -> str:
    """The text with `[?]` for each run of letters that the fonts of a file lack.

    >>> printable("İpek Đorđe"), printable("王小明 Ming")
    ('İpek Đorđe', '[?] Ming')
    """
    lacking = lacking_in(text)
    if not lacking:
        return text
    gone = "".join(map(re.escape, sorted(lacking)))
    return re.sub(rf"[{gone}](?:[{gone}\N{{ZERO WIDTH JOINER}}\N{{VARIATION SELECTOR-16}}])*", LACKING, text)


def lacking_in(text: str) -> frozenset[str]:
    """The letters of a text that the fonts of a file lack."""
    letters = sorted(letter for letter in set(text) if not letter.isascii() and unicodedata.category(letter) != "Cf")
    return frozenset(_lacking("".join(letters)))


@lru_cache(maxsize=512)
def _lacking(letters: str) -> str:
    """Halves what cannot be set until each letter that is missing is found; the standard refuses a letter without a shape."""
    if not letters or _can_set(letters):
        return ""
    if len(letters) == 1:
        return letters
    half = len(letters) // 2
    return _lacking(letters[:half]) + _lacking(letters[half:])


def _can_set(letters: str) -> bool:
    source = b"#for letter in json(bytes(sys.inputs.letters)) { box(text(font: (\"Libertinus Serif\",), letter)) }"
    try:
        typst.compile(
            source,
            ignore_system_fonts=True,
            format="pdf",
            pdf_standards="a-2u",
            sys_inputs={"letters": json.dumps(list(letters))},
            timestamp=0,
        )
    except typst.TypstError:
        return False
    return True


def tree(markup: str) -> list[Node | str]:
    """What of a page goes on paper, as nodes `{"tag", "class", "kids"}` and texts; pictures as files of their own."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    """Reads the heading and the main part of a page of ours, whose elements all close in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Node | str] = []
        self._open: list[tuple[str, Node | None]] = []
        self._svg: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self._svg or tag == "svg":
            self._picture(tag, given)
        elif tag in _VOID:
            self._add({"tag": tag, "class": [], "kids": []})
        else:
            node = self._node(tag, given)
            self._open.append((tag, node))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._svg:
            self._svg.append(self.get_starttag_text() or "")
        else:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._svg:
            self._svg.append(f"</{tag}>")
            if tag == "svg":
                parent = self._parent()
                if parent is not None:
                    picture = parent[-1]
                    assert isinstance(picture, dict)
                    picture["svg"] = "".join(self._svg)
                self._svg = []
        elif tag not in _VOID:
            _, node = self._open.pop()
            if node is not None and node["tag"] == "table":
                node["columns"] = _columns(node)
            if node is not None:
                self._add(node)

    def handle_data(self, data: str) -> None:
        if self._svg:
            self._svg.append(escape(data))
        elif self._open and self._open[-1][1] is not None:
            tag = self._open[-1][0]
            text = re.sub(r"[ \t\n\r]+", " ", data)
            if tag not in _IN_ORDER or text.strip():
                self._add(_broken(f"{_APART[0]}{text}{_APART[1]}" if tag == "bdi" and _turns(text) else text))

    def _node(self, tag: str, given: dict[str, str]) -> Node | None:
        """A node that goes on paper: the heading, the main part and what is inside them."""
        classes = given.get("class", "").split()
        inside = bool(self._open) and self._open[-1][1] is not None
        if not (inside or tag in ("h1", "main")) or tag in _SKIPPED or "screen-only" in classes:
            return None
        node: Node = {"tag": tag, "class": classes, "kids": []}
        for name in ("colspan", "rowspan"):
            if name in given:
                node[name] = int(given[name])
        return node

    def _picture(self, tag: str, given: dict[str, str]) -> None:
        source = self.get_starttag_text() or ""
        if tag == "svg":
            source = source.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
            self._add({"tag": "svg", "class": given.get("class", "").split(), "alt": given.get("aria-label", "")})
        self._svg.append(source)

    def _parent(self) -> list[Node | str] | None:
        if not self._open:
            return self.found
        node = self._open[-1][1]
        if node is None:
            return None
        kids = node["kids"]
        assert isinstance(kids, list)
        return kids

    def _add(self, part: Node | str) -> None:
        parent = self._parent()
        if isinstance(part, dict) and part["tag"] in ("h1", "main"):
            self.found.append(part)
        elif parent is not None and self._open:
            parent.append(part)


def _columns(table: Node) -> int:
    """The columns of a table: the cells of its first row, each as wide as it says."""
    for part in _nodes(table, ("tr",)):
        return sum(int(str(cell.get("colspan", 1))) for cell in _nodes(part, ("td", "th")))
    return 1


def _nodes(node: Node, tags: Sequence[str]) -> Iterable[Node]:
    kids = node["kids"]
    assert isinstance(kids, list)
    for kid in kids:
        if isinstance(kid, dict):
            if kid["tag"] in tags:
                yield kid
            elif "kids" in kid:
                yield from _nodes(kid, tags)


def _turns(text: str) -> bool:
    """Whether it has letters that are written from right to left."""
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


def _broken(text: str) -> str:
    """The text with places where a word too long for its column may break."""
    return re.sub(rf"\S{{{_LONGEST_WORD},}}", lambda word: re.sub(r"(?<=\S{4})(?=\S{4})", _BREAK, word[0]), text)

"""PDF and PNG without a browser: a page's own markup, set by typst. So paper says exactly what the page says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import typst

from .paper import Node, paper

PAPERS: Final[Mapping[str, str]] = {"a4": "A4", "us-letter": "Letter"}
"""The sizes of paper, by typst's names for them, and as people call them."""
LACKING: Final = "[?]"
"""What stands in a file for letters that its fonts lack."""

_TYPESET: Final = Path(__file__).with_name("typeset.py")
_ONE_AT_A_TIME: Final = threading.Lock()  # each takes up to some hundred MB
_JOINERS: Final = "\N{ZERO WIDTH JOINER}\N{VARIATION SELECTOR-16}"
_PROBE: Final = b'#set text(font: "Libertinus Serif")\n#for letter in json(bytes(sys.inputs.letters)) { box(letter) }'


def pdf(markup: str, *, size: str, across: bool, language: str, lacking: str) -> bytes:
    """The heading and the main part of a page as a PDF; `size` is a key of PAPERS. The same page, the same bytes.

    Where letters had to be replaced because the fonts lack them, the sentence `lacking` stands below the heading.
    """
    nodes = paper(printable(markup))
    inputs = {"paper": size, "across": json.dumps(across), "language": language}
    if LACKING in json.dumps([node.row() for node in nodes]):
        nodes.insert(1, Node("p", ["hint"], [lacking]))
    inputs["page"] = json.dumps([node.row() for node in nodes])
    return _typeset("printing.typ", "pdf", inputs)


def png(svg: str, *, width: int) -> bytes:
    """An SVG file as a PNG of `width` pixels."""
    return _typeset("picture.typ", "png", {"svg": svg, "width": str(width)})


def _typeset(template: str, kind: str, inputs: Mapping[str, str]) -> bytes:
    """Everything that differs from file to file is data: nothing in it is read as typst's mark-up."""
    job = json.dumps({"template": template, "kind": kind, "inputs": inputs}).encode()
    with _ONE_AT_A_TIME:
        done = subprocess.run([sys.executable, "-P", _TYPESET], input=job, stdout=subprocess.PIPE, check=True)
    return done.stdout


def printable(text: str) -> str:
    """The text with `[?]` for each run of letters that the fonts of a file lack.

    >>> printable("İpek Đorđe"), printable("王小明 Ming")
    ('İpek Đorđe', '[?] Ming')
    """
    lacking = lacking_in(text)
    if not lacking:
        return text
    gone = "".join(map(re.escape, sorted(lacking)))
    return re.sub(rf"[{gone}][{gone}{_JOINERS}]*", LACKING, text)


def lacking_in(text: str) -> frozenset[str]:
    """The letters of a text that the fonts of a file lack."""
    letters = {letter for letter in text if not letter.isascii() and unicodedata.category(letter) != "Cf"}
    return frozenset(_lacking("".join(sorted(letters))))


@lru_cache(maxsize=512)
def _lacking(letters: str) -> str:
    """Halves what cannot be set until each letter that is missing is found."""
    if not letters or _can_set(letters):
        return ""
    if len(letters) == 1:
        return letters
    half = len(letters) // 2
    return _lacking(letters[:half]) + _lacking(letters[half:])


def _can_set(letters: str) -> bool:
    """Whether each letter has a shape: PDF/A refuses those without."""
    inputs = {"letters": json.dumps(list(letters))}
    try:
        typst.compile(_PROBE, ignore_system_fonts=True, format="pdf", pdf_standards="a-2u", sys_inputs=inputs)
    except typst.TypstError:
        return False
    return True

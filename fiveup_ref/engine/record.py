"""The `.fiveup` format, both ways: a match as a text file that people can write, read and check."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .faults import Fault, RulesError
from .record_lines import read_line
from .record_reader import read_lines
from .record_values import Kind, Problem, Reading, Record
from .record_writer import write

__all__ = ["LARGEST_FILE", "MOST_LINES", "Kind", "Problem", "Reading", "Record", "read", "write"]

LARGEST_FILE: Final = 1024 * 1024
"""Bytes of a record."""
MOST_LINES: Final = 10_000

# What no text has; a tab and the line ends are white space.
_NOT_TEXT: Final = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f]")
_AS_WRITTEN: Final[Mapping[str, str]] = MappingProxyType({})


def read(data: str | bytes, *, game: str = "", changes: Mapping[str, str] = _AS_WRITTEN) -> Reading:
    """The record in a file's text or bytes, with a problem for every bad line; no file makes it raise.

    At most 1 MiB, 10,000 lines, 500 characters a line; more than that, and what is no UTF-8 text, is one problem.
    To check it by other rules, `game` (the name of a preset) and `changes` take the place of what is written.

    >>> reading = read("fiveup 1\\nrules five-up\\nplayer A Ani\\nplayer B Budi\\nround 1\\nA 5-5 = 9 +2")
    >>> [(problem.line, str(problem.kind), problem.right) for problem in reading.problems]
    [(6, 'difference', '10 +2')]
    """
    text = _text(data)
    if isinstance(text, Reading):
        return text
    lines = text.split("\n")
    if len(lines) > MOST_LINES + (not lines[-1]):
        return _refused(MOST_LINES + 1, Fault.FILE_TOO_LONG, highest=f"{MOST_LINES:,}")
    entries = [line for number, raw in enumerate(lines, 1) if (line := read_line(number, raw.removesuffix("\r")))]
    return read_lines(entries, game=game, changes=changes) if entries else _refused(1, Fault.FILE_EMPTY)


def _text(data: str | bytes) -> str | Reading:
    if len(data) > LARGEST_FILE:
        return _refused(1, Fault.FILE_TOO_BIG)
    try:
        encoded = data.encode() if isinstance(data, str) else data
        if len(encoded) > LARGEST_FILE:
            return _refused(1, Fault.FILE_TOO_BIG)
        text = encoded.decode("utf-8-sig")
    except UnicodeEncodeError as error:
        return _refused(str(error.object).count("\n", 0, error.start) + 1, Fault.FILE_NOT_TEXT)
    except UnicodeDecodeError as error:
        return _refused(error.object.count(b"\n", 0, error.start) + 1, Fault.FILE_NOT_TEXT)
    if found := _NOT_TEXT.search(text):
        return _refused(text.count("\n", 0, found.start()) + 1, Fault.FILE_NOT_TEXT)
    return text


def _refused(line: int, fault: Fault, **fields: object) -> Reading:
    return Reading(None, (Problem(line, Kind.UNREADABLE, "", None, RulesError(fault, **fields)),))

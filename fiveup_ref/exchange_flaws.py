"""What can be wrong with a file that brings matches: one sentence for each flaw, with named values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

_NONE: Final[Mapping[str, object]] = MappingProxyType({})


def _(sentence: str) -> str:
    """Marks a sentence for the catalogues of translations."""
    return sentence


class Flaw(StrEnum):
    """What can be wrong with a file beyond the faults of a record, and its English sentence."""

    JSON_BROKEN = _("The file is cut off or damaged from here on, so nothing of it can be used.")
    JSON_OTHER = _("This file is not a match of this app.")
    JSON_VERSION = _("This file was written by a newer version of the app (its format is {text}).")
    JSON_TOO_BIG = _("The file is larger than {limit}, the most a match may have.")
    JSON_ENTRIES = _("The match has more than {highest} entries, the most a file may have.")
    JSON_FIELD = _("{field} is missing or cannot be read.")
    JSON_ENTRY = _("This entry cannot be read.")
    ZIP_BROKEN = _("The archive is cut off or damaged, so nothing of it can be used.")
    ZIP_EMPTY = _("There is no match in this archive.")
    ZIP_TOO_BIG = _("The files of the archive are larger than {limit} together, the most it may have.")
    ZIP_FILES = _("The archive has more than {highest} files, the most it may have.")
    TWICE = _("This match is in the archive twice, with different entries.")


class Trouble(NamedTuple):
    """What is wrong, and where: in which file of an archive (''), at which line or entry (0: in the whole)."""

    sentence: str
    values: Mapping[str, object]
    file: str = ""
    line: int = 0
    entry: int = 0


class FlawError(ValueError):
    """A flaw with the values of its sentence, and the line or entry where it is (0: in the whole)."""

    def __init__(self, flaw: str, values: Mapping[str, object] = _NONE, *, line: int = 0, entry: int = 0) -> None:
        super().__init__(flaw)
        self.trouble = Trouble(flaw, values, line=line, entry=entry)

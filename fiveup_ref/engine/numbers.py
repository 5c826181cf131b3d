"""Whole numbers as people write them."""

from __future__ import annotations

import re
from typing import Final

from .faults import Fault, RulesError

_WRITTEN: Final = re.compile(r"[0-9]{1,6}", re.ASCII)
_SIGNED: Final = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)


def whole_number(text: str, *, lowest: int = 0, highest: int) -> int:
    """A whole number of at most six ordinary digits, within bounds; a sign only where it may be below zero.

    The minus may be the typographic one. `int()` alone would take `1_0`, `٣` or ` 3 `. Raises ValueError.

    >>> whole_number("−2", lowest=-5, highest=5)
    -2
    """
    written = text.replace("\N{MINUS SIGN}", "-")
    if not (_SIGNED if lowest < 0 else _WRITTEN).fullmatch(written) or not lowest <= int(written) <= highest:
        raise ValueError(text)
    return int(written)


def number_within(text: str, *, lowest: int, highest: int) -> int:
    """As `whole_number`, with the sentence for who typed it. Raises RulesError(NUMBER_BOUNDS)."""
    try:
        return whole_number(text, lowest=lowest, highest=highest)
    except ValueError:
        raise RulesError(Fault.NUMBER_BOUNDS, lowest=lowest, highest=highest) from None

"""What a page of a match was drawn from, so that it knows when there is something new."""

from __future__ import annotations

from typing import cast

from flask import current_app

from fiveup_ref.agreements import Agreements
from fiveup_ref.store import Saved


def agreements() -> Agreements:
    """The agreements of this app."""
    return cast(Agreements, current_app.extensions["agreements"])


def version_of(match_id: str, entries: int) -> str:
    """The version of a match with so many entries."""
    return version_text(entries, agreements().count(match_id))


def version_text(entries: int, agreed: int) -> str:
    """The number of entries, and after a point that of agreements where there are any.

    >>> version_text(12, 0), version_text(12, 1)
    ('12', '12.1')
    """
    return f"{entries}.{agreed}" if agreed else str(entries)


def seen_of(saved: Saved) -> str:
    """The version of a match that is loaded."""
    return version_of(saved.id, len(saved.match.log))

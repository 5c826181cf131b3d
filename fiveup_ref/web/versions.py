"""What a page of a match was drawn from, so that it knows when there is something new."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from flask import current_app

from fiveup_ref.agreements import Agreements
from fiveup_ref.store import Saved, Store


def agreements() -> Agreements:
    """The agreements of this app."""
    return cast(Agreements, current_app.extensions["agreements"])


def version_text(entries: int, restored: int, agreed: int) -> str:
    """The number of entries; after points, where there are any, those of agreements and of the backup restored last.

    >>> version_text(12, 0, 0), version_text(12, 0, 1), version_text(12, 3, 0)
    ('12', '12.1', '12.0.3')
    """
    return f"{entries}.{agreed}.{restored}" if restored else f"{entries}.{agreed}" if agreed else str(entries)


def versions_of(ids: Collection[str], store: Store, agreements: Agreements) -> dict[str, str]:
    """The versions of these matches as they are stored now; those that are not there are left out."""
    agreed = agreements.counts(ids)
    return {
        match_id: version_text(*edition, agreed.get(match_id, 0)) for match_id, edition in store.editions(ids).items()
    }


def version_now(match_id: str) -> str:
    """The version of a match as it is stored now."""
    store: Store = current_app.extensions["store"]
    return version_text(*store.edition(match_id), agreements().count(match_id))


def seen_of(saved: Saved) -> str:
    """The version of a match that is loaded."""
    return version_text(len(saved.match.log), saved.restored, agreements().count(saved.id))

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


def version_text(entries: int, restored: int, rematch: str, agreed: int) -> str:
    """The number of entries; after points, as far as there are any: agreements, the backup restored last, the rematch.

    Of the id of the rematch a few letters do: they tell it from one that was made in its place.

    >>> version_text(12, 0, "", 0), version_text(12, 0, "", 1), version_text(12, 3, "", 0)
    ('12', '12.1', '12.0.3')
    >>> version_text(12, 0, "mWJZ3pD0h1kQ", 1)
    '12.1.0.mWJZ'
    """
    if rematch:
        return f"{entries}.{agreed}.{restored}.{rematch[:4]}"
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
    store: Store = current_app.extensions["store"]
    return version_text(len(saved.match.log), saved.restored, store.rematch(saved.id), agreements().count(saved.id))

"""Who may do what: one decision, one table, and one place where it is enforced.

Who has the address of a match may look at it. To write one must hold a scorer's token, or be at the computer that
keeps the matches.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import IntEnum
from ipaddress import ip_address
from typing import Final, cast

from flask import Flask, current_app, g, render_template, request, session

from fiveup_ref.scorers import Scorers
from fiveup_ref.store import DeletedMatch, Store

MOST_TOKENS: Final = 40
"""As many as a device lists matches."""
_FORWARDED: Final = (
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Real-Ip",
    "Via",
)


class Right(IntEnum):
    """What somebody may do; each may all that those before may."""

    STRANGER = 0  # knows no match
    VIEWER = 1  # has the address of the match
    SCORER = 2  # holds a token that was not withdrawn
    HOST = 3  # is at the computer that keeps the matches


_LOOKING: Final[Mapping[Right, str]] = {
    Right.STRANGER: """
        static display.choose matches.home matches.new judge.desk judge.ask judge.answer judge.sheet
        rulebook.rules sheets.blank sheets.blank_pdf files.archive files.bring deleting.deleted scorers.take
        installable.manifest installable.worker phones.phones
        rule_sets.listed rule_sets.json rule_sets.again
    """,
    Right.VIEWER: """
        matches.table matches.version matches.facing matches.again board.board agreeing.seat agreeing.again
        sharing.share sheets.sheet sheets.sheet_pdf pictures.pictures pictures.tally pictures.round_svg
        pictures.round_png history.history history.step match_judge.judge match_judge.answer disputes.dispute
        files.files files.record files.json files.rounds files.plays deleting.again manage.again scorers.again
        what_if.what_if
    """,
    Right.SCORER: "corrections.change manage.manage manage.preview manage.rematch deleting.ask scorers.scorers",
    Right.HOST: "backups.backups backups.ask",
}
_SENDING: Final[Mapping[Right, str]] = {
    Right.STRANGER: "language display.choose matches.new judge.sheet files.bring",
    Right.VIEWER: "agreeing.take agreeing.agree agreeing.back",
    Right.SCORER: """
        matches.enter matches.lot matches.claim corrections.change manage.change manage.rematch disputes.dispute
        deleting.delete deleting.restore scorers.scorers scorers.withdraw
    """,
    Right.HOST: "backups.make backups.restore rule_sets.bring rule_sets.delete",
}


def _table(rows: Mapping[Right, str]) -> dict[str, Right]:
    def pairs() -> Iterator[tuple[str, Right]]:
        for right, endpoints in rows.items():
            yield from ((endpoint, right) for endpoint in endpoints.split())

    return dict(pairs())


LOOK: Final[dict[str, Right]] = _table(_LOOKING)
"""The least right to look at a page, by endpoint."""
SEND: Final[dict[str, Right]] = _table(_SENDING)
"""The least right to send a form, by endpoint."""


def install(app: Flask, *, everyone_here: bool, behind_proxy: bool, passcode: str) -> None:
    """Enforce the table on every request; an endpoint that is not in it is refused to everybody."""
    app.config.update(EVERYONE_HERE=everyone_here, BEHIND_PROXY=behind_proxy, PASSCODE=passcode)
    store: Store = app.extensions["store"]
    app.extensions["scorers"] = Scorers(store.connections)
    app.before_request(_guard)
    app.context_processor(
        lambda: {"may_write": may_write, "everyone_here": everyone_here, "asks_passcode": asks_passcode}
    )


def scorers() -> Scorers:
    """The scorers of this app."""
    return cast(Scorers, current_app.extensions["scorers"])


def tokens() -> list[str]:
    """The scorers' tokens that this device holds, the newest first."""
    return list(session.get("scorer", ()))


def is_host() -> bool:
    """Whether the request comes from the computer that keeps the matches.

    What comes through a proxy may come from anywhere, whatever address it seems to have; and a name that a page
    elsewhere made to lead here is none of this computer's.
    """
    config = current_app.config
    if config["EVERYONE_HERE"]:
        return True
    if config["BEHIND_PROXY"] or any(name in request.headers for name in _FORWARDED):
        return False
    return loops_back(request.remote_addr or "") and loops_back(request.host.rpartition(":")[0] or request.host)


def listed_here() -> list[str] | None:
    """The matches whose list this device sees: those that were opened on it, or None for the host, who sees all."""
    return None if is_host() else list(session.get("matches", ()))


def loops_back(host: str) -> bool:
    """Whether a name or an address is that of this computer to itself."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def right_of(match_id: str | None) -> Right:
    """What this device may do with a match; without one, whether it is the host."""
    known: dict[str | None, Right] = g.setdefault("rights", {})
    if match_id not in known:
        known[match_id] = _right_of(match_id)
    return known[match_id]


def _right_of(match_id: str | None) -> Right:
    if is_host():
        return Right.HOST
    if match_id is None:
        return Right.STRANGER
    return Right.VIEWER if scorers().holder(match_id, tokens()) is None else Right.SCORER


def may_write(match_id: str | None = None) -> bool:
    """For templates: whether this device may keep score of a match, or of the one the page is about."""
    return right_of(match_id or (request.view_args or {}).get("match_id")) >= Right.SCORER


def let_this_device_write(match_id: str) -> None:
    """Give a token to the device that started a match; a host needs none."""
    if right_of(match_id) < Right.SCORER:
        hold(scorers().make(match_id, None))


def hold(token: str) -> None:
    """Put a token into this device's cookie."""
    session.permanent = True
    session["scorer"] = [token, *(one for one in tokens() if one != token)][:MOST_TOKENS]
    g.pop("rights", None)


def asks_passcode() -> bool:
    """Whether one must type the passcode of the host to start a match: on each device once, until there is another."""
    if not current_app.config["PASSCODE"] or is_host():
        return False
    return not hmac.compare_digest(str(session.get("passcode", "")).encode(), _knows().encode())


def may_start(passcode: str) -> bool:
    """Whether this passcode, or having typed it before, or being the host, lets one start a match."""
    if not asks_passcode():
        return True
    wanted: str = current_app.config["PASSCODE"]
    if not hmac.compare_digest(passcode.encode("utf-8", "replace"), wanted.encode("utf-8", "replace")):
        return False
    session.permanent = True
    session["passcode"] = _knows()
    return True


def _knows() -> str:
    """What the cookie of a device says that knows the passcode: nothing that leads back to it without the key."""
    config = current_app.config
    return hmac.new(config["SECRET_KEY"].encode(), config["PASSCODE"].encode("utf-8", "replace"), "sha256").hexdigest()


def _guard() -> tuple[str, int] | None:
    """Before every request: refuse what the table does not give to whoever asks."""
    if request.endpoint is None or request.method == "OPTIONS":
        return None  # there is no such page, or it is only asked what can be done with it
    match_id = (request.view_args or {}).get("match_id")
    least = (SEND if request.method == "POST" else LOOK).get(request.endpoint)
    if least is not None and least <= (Right.VIEWER if match_id else Right.STRANGER):
        return None  # whoever knows the address: pages that poll are not looked up
    return None if least is not None and right_of(match_id) >= least else refused(match_id)


def refused(match_id: str | None) -> tuple[str, int]:
    """The page that says how to get the right, with what was sent, to send it again."""
    if match_id is None:
        return render_template("refused.html", match_id=None, again=[]), 403
    with suppress(DeletedMatch):
        current_app.extensions["store"].version(match_id)  # one that never was is not found rather than refused
    again = list(request.form.items(multi=True)) if request.method == "POST" else []
    withdrawn = scorers().withdrawn(match_id, tokens())
    return render_template("refused.html", match_id=match_id, again=again, withdrawn=withdrawn), 403

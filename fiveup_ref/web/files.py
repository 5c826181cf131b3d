"""Matches as files: downloads of one or all, and the import."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, send_file, session, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response

from fiveup_ref.engine.record import Record, write
from fiveup_ref.engine.scoring import Score
from fiveup_ref.exchange import archive, unpack
from fiveup_ref.exchange_flaws import Trouble
from fiveup_ref.exchange_json import to_json
from fiveup_ref.store import Arrival, Arrived, Saved

from .language import bytes_text, in_zone, ngettext, say_sentence
from .language import gettext as _
from .matches import MOST_ON_A_DEVICE, store, zone_here
from .rights import let_this_device_write, listed_here, may_start
from .spreadsheets import plays_csv, rounds_csv
from .words import reason_of

LARGEST_UPLOAD: Final = 8 * 1024**2
_MOST_SHOWN: Final = 50
_LONGEST_TOLD: Final = 500  # a sentence may quote what is wrong, however long that is
_NOT_IN_NAMES: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*\x7f]+')  # signs that some system refuses in a file name
_LONGEST_STEM: Final = 80


def blueprint() -> Blueprint:
    """The downloads and the import."""
    pages = Blueprint("files", __name__)
    pages.add_url_rule("/m/<match_id>/files", "files", _files)
    pages.add_url_rule("/m/<match_id>.fiveup", "record", _record)
    pages.add_url_rule("/m/<match_id>.json", "json", _json)
    pages.add_url_rule("/m/<match_id>/rounds.csv", "rounds", _rounds)
    pages.add_url_rule("/m/<match_id>/plays.csv", "plays", _plays)
    pages.add_url_rule("/matches.zip", "archive", _archive)
    pages.add_url_rule("/import", "bring", _bring, methods=["GET", "POST"])
    pages.url_value_preprocessor(_allow_more)
    pages.register_error_handler(RequestEntityTooLarge, _too_large)
    return pages


def _allow_more(endpoint: str | None, values: Mapping[str, Any] | None) -> None:
    """Before anything reads the form: the import takes more than an entry."""
    del values
    if endpoint == "files.bring":
        request.max_content_length = LARGEST_UPLOAD


def record_text(saved: Saved) -> str:
    """The written record of what stands; an imported one keeps its date as it was written."""
    here = in_zone(saved.started, saved.zone).isoformat(timespec="minutes")
    return write(Record(saved.match, saved.title, here if saved.date is None else saved.date))


def file_stem(saved: Saved) -> str:
    """What a file of the match is called, without its ending: the date at the table and the title."""
    title = " ".join(_NOT_IN_NAMES.sub(" ", saved.title).split()) or _(saved.match.rules.preset)
    return f"{in_zone(saved.started, saved.zone):%Y-%m-%d} {title}"[:_LONGEST_STEM].rstrip(" .")


def _sent(data: bytes, name: str, kind: str) -> Response:
    return send_file(io.BytesIO(data), kind, as_attachment=True, download_name=name)


def _files(match_id: str) -> str:
    return _downloads(store().load(match_id))


def _downloads(saved: Saved) -> str:
    return render_template("files.html", saved=saved, stem=file_stem(saved))


def _incomplete(saved: Saved) -> tuple[str, int] | None:
    """Instead of a file of what stands, while entries fell: it would not be the match, nor be read in again."""
    return (_downloads(saved), 409) if saved.match.fallen else None


def _record(match_id: str) -> Response | tuple[str, int]:
    saved = store().load(match_id)
    return _incomplete(saved) or _sent(record_text(saved).encode(), f"{file_stem(saved)}.fiveup", "text/plain")


def _json(match_id: str) -> Response:
    saved = store().load(match_id)
    return _sent(to_json(saved), f"{file_stem(saved)}.json", "application/json")


def _rounds(match_id: str) -> Response | tuple[str, int]:
    saved = store().load(match_id)
    what = _("rounds")
    return _incomplete(saved) or _sent(rounds_csv(saved), f"{file_stem(saved)} {what}.csv", "text/csv")


def _plays(match_id: str) -> Response | tuple[str, int]:
    saved = store().load(match_id)
    what = _("plays")
    return _incomplete(saved) or _sent(plays_csv(saved), f"{file_stem(saved)} {what}.csv", "text/csv")


def _archive() -> Response:
    """Every match that the device may see."""
    matches = store().recent(listed_here(), limit=-1)
    return _sent(archive((file_stem(saved), saved) for saved in matches), "Five Up.zip", "application/zip")


def _bring() -> str | Response | tuple[str, int]:
    if request.method == "GET":
        return _page(arrived=session.pop("arrived", None))
    if not may_start(request.form.get("passcode", "")):
        return _page(refusal=_("That is not the passcode. The host of this server knows it.")), 422
    file = request.files.get("file")
    if not file or not file.filename:
        return _page(refusal=_("Choose a file first.")), 422
    with closing(file):
        parcel = unpack(file.read(), now=datetime.now(UTC), zone=zone_here())
    if parcel.troubles:
        return _page(name=file.filename[:100], troubles=_told(parcel.troubles), more=len(parcel.troubles)), 422
    mine = listed_here()
    room = MOST_ON_A_DEVICE - len(mine or ())
    if mine is not None and len(parcel.matches) > room:
        return _page(refusal=_no_room(room)), 422
    arrived = store().bring_in([_known(saved) for saved in parcel.matches])
    for one in arrived:
        if one.arrival is Arrival.NEW:
            let_this_device_write(one.id)
    if mine is not None:
        session.permanent = True
        session["matches"] = [*mine, *(one.id for one in arrived if one.arrival is Arrival.NEW)]
    session["arrived"] = _summary(arrived, listed_here())
    return redirect(url_for("files.bring"), 303)


def _page(**more: Any) -> str:
    return render_template("import.html", limit=bytes_text(LARGEST_UPLOAD), shown=_MOST_SHOWN, **more)


def _known(saved: Saved) -> Saved:
    """The match with the uid it has here, if it is the written record of a match that was made here."""
    if saved.date is None:
        return saved
    text = record_text(saved)
    twins = store().like(saved.title, saved.match.players)
    return next((replace(saved, uid=twin.uid) for twin in twins if record_text(twin) == text), saved)


def _no_room(room: int) -> str:
    """A device lists so many matches; one that drops off its list could not be found again."""
    return ngettext(
        "The file has too many matches: this device can list %(num)s more. The computer that keeps them has room.",
        "The file has too many matches: this device can list %(num)s more. The computer that keeps them has room.",
        room,
    ) % {"num": room}


def _told(troubles: Sequence[Trouble]) -> list[tuple[str, list[tuple[str, str]]]]:
    """For each file in the archive ('': the file itself) where in it, and the sentence."""
    return [
        (file[:200], [(_where(one), _sentence(one)) for one in found])
        for file, found in groupby(troubles[:_MOST_SHOWN], key=lambda one: one.file)
    ]


def _where(trouble: Trouble) -> str:
    if trouble.line:
        return _("Line %(num)s") % {"num": trouble.line}
    return _("Entry %(num)s") % {"num": trouble.entry} if trouble.entry else ""


def _sentence(trouble: Trouble) -> str:
    values = {name: _sum(one) if isinstance(one, Score) else one for name, one in trouble.values.items()}
    return say_sentence(trouble.sentence, values, {})[:_LONGEST_TOLD]


def _sum(score: Score) -> str:
    reason = reason_of(score)
    return f"{' + '.join(term.text for term in reason.terms) or 0} = {reason.count}: {reason.result}"


def _summary(arrived: Sequence[Arrived], mine: Sequence[str] | None) -> dict[str, Any]:
    """How many of each kind, and the address of a single match that this device may see (`mine`, None: all)."""
    counts: dict[str, Any] = {kind.value: sum(one.arrival is kind for one in arrived) for kind in Arrival}
    (*_others, last) = arrived
    if len(arrived) == 1 and (mine is None or last.id in mine):
        counts["id"] = last.id
    return counts


def _too_large(error: RequestEntityTooLarge) -> tuple[str, int]:
    del error
    limit = bytes_text(LARGEST_UPLOAD)
    return _page(refusal=_("The file is larger than %(limit)s. Nothing was imported.") % {"limit": limit}), 413

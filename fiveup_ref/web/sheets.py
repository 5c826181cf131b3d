"""The match sheet and blank sheets: as pages that print well, and as PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from flask import Blueprint, Response, current_app, render_template, request, send_file, url_for

from fiveup_ref.drawing.tally import Style
from fiveup_ref.store import Saved

from .blank import CHOICES, Choice, blank_sheet
from .language import gettext as _
from .language import in_zone, language
from .links import address
from .matches import store
from .printing import LACKING, PAPERS, pdf, printable
from .scoresheet import sheet
from .words import shown_names, shown_title

_Word = TypeVar("_Word", bound=str)
_FORMS: Final = ("full", "short")
_STYLES: Final[Sequence[Style]] = ("hand", "plain")
_NOT_IN_NAMES: Final = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_LONGEST_NAME: Final = 80


def blueprint() -> Blueprint:
    """The sheets of matches, and blank ones."""
    pages = Blueprint("sheets", __name__)
    pages.add_url_rule("/m/<match_id>/sheet", "sheet", _sheet)
    pages.add_url_rule("/m/<match_id>/sheet.pdf", "sheet_pdf", _sheet_pdf)
    pages.add_url_rule("/blank", "blank", _blank)
    pages.add_url_rule("/blank.pdf", "blank_pdf", _blank_pdf)
    return pages


class Wishes(NamedTuple):
    """How the sheet is to be: what an address does not say, or says wrongly, is as usual."""

    form: str
    style: Style
    rings: bool
    paper: str
    across: bool


def wishes(*, rings: bool = False) -> Wishes:
    """What the address of this request says; small o as the match has it where it says nothing of it."""
    return Wishes(
        _wish("form", _FORMS),
        _wish("tally", _STYLES),
        "1" in request.args.getlist("o") if "o" in request.args else rings,
        _wish("paper", tuple(PAPERS)),
        request.args.get("across") == "1",
    )


def _wish(name: str, allowed: Sequence[_Word]) -> _Word:
    return next((word for word in allowed if word == request.args.get(name)), allowed[0])


def _sheet(match_id: str) -> str:
    saved = store().load(match_id)
    return _sheet_page(saved, wishes(rings=saved.match.rings), file=False)


def _sheet_pdf(match_id: str) -> Response:
    saved = store().load(match_id)
    wished = wishes(rings=saved.match.rings)
    return _download(_sheet_page(saved, wished, file=True), wished, file_name(saved))


def file_name(saved: Saved, part: str = "") -> str:
    """The name of a file of this match: its title and local date, without what no file may be called."""
    day = in_zone(saved.started, saved.zone).date().isoformat()
    title = _NOT_IN_NAMES.sub(" ", shown_title(saved)).strip(" .")[:_LONGEST_NAME]
    return " ".join(f"{title} {day} {part}".split())


def _sheet_page(saved: Saved, wished: Wishes, *, file: bool) -> str:
    """The page; for a file, with names that its fonts can print, told apart by their seats where they cannot."""
    names = dict(shown_names(saved.match))
    if file:
        names = {
            seat: name if printable(name) == name else f"{printable(name)} ({seat})" for seat, name in names.items()
        }
    return render_template(
        "sheet.html",
        sizes=PAPERS,
        page=sheet(saved, names, style=wished.style, rings=wished.rings),
        wishes=wished,
        saved=saved,
        watch=_watched_at(saved.id),
    )


def _watched_at(match_id: str) -> str:
    """Where phones see the match, for the sheet's QR code; '' where none can come. It grants nothing but a look."""
    return "" if current_app.config["EVERYONE_HERE"] else address(url_for("matches.table", match_id=match_id))


def _choice() -> Choice:
    return next((one for one in CHOICES if one.value == request.args.get("for")), CHOICES[0])


def _blank() -> str:
    return render_template("blank.html", sizes=PAPERS, choices=CHOICES, blank=blank_sheet(_choice()), wishes=wishes())


def _blank_pdf() -> Response:
    return _download(_blank(), wishes(), _("Blank sheets"))


def _download(markup: str, wished: Wishes, name: str) -> Response:
    """The page as a PDF to keep."""
    made = pdf(
        markup,
        size=wished.paper,
        across=wished.across,
        language=language(),
        lacking=_(
            "%(sign)s stands for letters that this file's fonts lack. Print the page from the browser to have them."
        )
        % {"sign": LACKING},
    )
    return send_file(io.BytesIO(made), mimetype="application/pdf", as_attachment=True, download_name=f"{name}.pdf")

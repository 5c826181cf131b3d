"""The match sheet and blank sheets: as pages that print well, and as PDF."""

from __future__ import annotations

import io
import re
from typing import Final, NamedTuple, get_args

from flask import Blueprint, Response, render_template, request, send_file

from fiveup_ref.drawing.tally import Style
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.store import Saved

from .blank import CHOICES, Choice, blank_sheet
from .language import gettext as _
from .language import in_zone, language, say
from .matches import store
from .printing import LACKING, PAPERS, pdf, printable
from .scoresheet import sheet
from .words import shown_names

_FORMS: Final = ("full", "short")
_STYLES: Final = get_args(Style)
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


def _wishes() -> Wishes:
    form, style, paper = (
        found if (found := request.args.get(name)) in allowed else allowed[0]
        for name, allowed in (("form", _FORMS), ("tally", _STYLES), ("paper", PAPERS))
    )
    return Wishes(form, style, request.args.get("o") == "1", paper, request.args.get("across") == "1")


def _sheet(match_id: str) -> str:
    return _sheet_page(store().load(match_id), _wishes(), file=False)


def _sheet_pdf(match_id: str) -> Response:
    saved = store().load(match_id)
    wishes = _wishes()
    day = in_zone(saved.started, saved.zone).date().isoformat()
    return _download(_sheet_page(saved, wishes, file=True), wishes, f"{saved.title or _('Five Up')} {day}")


def _sheet_page(saved: Saved, wishes: Wishes, *, file: bool) -> str:
    """The page; for a file, with names that its fonts can print, told apart by their seats where they cannot."""
    names = dict(shown_names(saved.match))
    if file:
        names = {seat: name if printable(name) == name else f"{printable(name)} ({seat})" for seat, name in names.items()}
    return render_template(
        "sheet.html", page=sheet(saved, names, style=wishes.style, rings=wishes.rings), wishes=wishes, saved=saved
    )


def _choice() -> Choice:
    return next((one for one in CHOICES if one.value == request.args.get("for")), CHOICES[0])


def _blank_page() -> str:
    return render_template("blank.html", choices=CHOICES, blank=blank_sheet(_choice()), wishes=_wishes())


def _blank() -> str:
    return _blank_page()


def _blank_pdf() -> Response:
    return _download(_blank_page(), _wishes(), _("Blank sheets"))


def _download(markup: str, wishes: Wishes, name: str) -> Response:
    """The page as a PDF to keep, with a note on letters that it lacks."""
    can = printable(markup)
    if LACKING in can:
        note = _("%(sign)s stands for letters that this file's fonts lack. Print the page from the browser to have them.")
        can = can.replace("</main>", f'<p class="lacking">{note % {"sign": LACKING}}</p></main>')
    made = pdf(can, paper=wishes.paper, across=wishes.across, language=language())
    file_name = _NOT_IN_NAMES.sub(" ", name).strip(" .")[:_LONGEST_NAME]
    return send_file(
        io.BytesIO(made), mimetype="application/pdf", as_attachment=True, download_name=f"{file_name}.pdf"
    )

"""The web app: forms make one event, views add it, pages say what a template may print."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Final

from flask import Flask, Response, redirect, render_template, request, session
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from fiveup_ref.agreements import Agreements
from fiveup_ref.backups import Backups
from fiveup_ref.device_names import DeviceNames
from fiveup_ref.drawing.pips import pip_spots
from fiveup_ref.store import DeletedMatch, NoSuchMatch, Store

from . import (
    agreeing,
    backup_pages,
    board,
    corrections,
    deleting,
    display,
    disputes,
    files,
    history,
    installable,
    judge,
    language,
    logs,
    manage,
    match_judge,
    matches,
    packing,
    pictures,
    polls,
    rights,
    rule_set_pages,
    rulebook,
    scorer_links,
    series,
    sharing,
    sheets,
    storage_faults,
    versions,
    what_if,
    words,
)
from .addresses import Number
from .language import LANGUAGES
from .limits import few_fields
from .network import Network

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final = (
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),  # a page may ask for a narrower one
)
_NOT_KEPT: Final = "no-store"
_DEPENDS: Final = ("Accept-Language", "Cookie")


def create_app(
    store: Store,
    *,
    secret_key: str,
    everyone_here: bool,
    backups: Backups | None = None,
    network: Network | None = None,
    passcode: str = "",
) -> Flask:
    """The app on a store.

    `everyone_here`: only this machine can reach the server, so the front page lists every match and all may be
    written; otherwise `rights` says who may. `backups` are shown to the host. `network` says how it is reached, None:
    by this machine alone. `passcode`, if there is one, is asked once of those who start a match, the host apart.
    """
    network = network or Network()
    app = logs.App("fiveup_ref", template_folder=str(_ROOT / "templates"), static_folder=str(_ROOT / "static"))
    app.config.update(
        SECRET_KEY=secret_key,
        WTF_CSRF_TIME_LIMIT=None,  # a form may lie open for a whole match
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
        MAX_CONTENT_LENGTH=256 * 1024,
        MAX_FORM_MEMORY_SIZE=256 * 1024,
        MAX_FORM_PARTS=500,
    )
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.extensions["store"] = store
    app.extensions["device_names"] = DeviceNames(store.connections)
    app.extensions["agreements"] = agreements = Agreements(store.connections)
    app.extensions["polls"] = answered = polls.Polls(
        app.wsgi_app,
        versions=lambda ids: versions.versions_of(ids, store, agreements),
        lets_in=network.lets_in,
        headers=(*_ALWAYS, ("Cache-Control", _NOT_KEPT), ("Vary", ", ".join(_DEPENDS))),
    )
    app.wsgi_app = answered  # type: ignore[method-assign] # as Flask says to add middleware
    network.install(app)
    app.before_request(few_fields)
    CSRFProtect(app)
    rights.install(
        app, everyone_here=everyone_here, behind_proxy=network.fronted or network.proxies > 0, passcode=passcode
    )
    _speak(app)
    app.url_map.converters["number"] = Number
    app.register_blueprint(matches.blueprint())
    for subject in (
        sheets,
        pictures,
        history,
        corrections,
        manage,
        judge,
        match_judge,
        disputes,
        rulebook,
        display,
        agreeing,
        board,
        scorer_links,
        sharing,
        installable,
        rule_set_pages,
        what_if,
    ):
        app.register_blueprint(subject.blueprint())
    app.register_blueprint(files.blueprint())
    app.register_blueprint(deleting.blueprint())
    if backups:
        app.register_blueprint(backup_pages.blueprint(backups))
    app.add_url_rule("/language", "language", _choose_language, methods=["POST"])
    app.register_error_handler(CSRFError, _stale_form)
    app.register_error_handler(NoSuchMatch, _no_such_match)
    app.register_error_handler(DeletedMatch, deleting.deleted_match)
    storage_faults.install(app)
    app.register_error_handler(HTTPException, _http_error)
    app.after_request(_headers)
    app.after_request(packing.packed)
    return app


def _speak(app: Flask) -> None:
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        language.gettext, language.ngettext, newstyle=True
    )
    app.jinja_env.filters.update(
        number=language.number,
        signed=language.signed,
        local_time=language.local_time,
        pip_spots=pip_spots,
        game_text=words.game_text,
        shown_title=words.shown_title,
        series_text=series.series_text,
        series_goes_on=series.goes_on,
    )
    app.context_processor(lambda: {"lang": language.language(), "languages": LANGUAGES, "display": display.chosen()})


def _choose_language() -> BaseResponse:
    """Remember the language on this device and go back to the page it was chosen on."""
    if request.form.get("language") in LANGUAGES:
        session.permanent = True
        session["language"] = request.form["language"]
    return redirect(display.page_of_ours(request.form.get("back", "")), 303)


def _headers(response: Response) -> Response:
    for name, value in _ALWAYS:
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers["Cache-Control"] = _NOT_KEPT
        response.vary.update(_DEPENDS)
    return response


def _stale_form(error: CSRFError) -> tuple[str, int]:
    del error
    return render_template("error.html", kind="stale"), 400


def _no_such_match(error: NoSuchMatch) -> tuple[str, int]:
    del error
    return render_template("error.html", kind="match"), 404


def _http_error(error: HTTPException) -> tuple[str, int, list[tuple[str, str]]] | HTTPException:
    if error.code is None or error.code < 400:
        return error
    kind = {404: "page", 413: "large", 421: "name", 429: "often"}.get(error.code, "other")
    kept = [header for header in error.get_headers() if header[0] in ("Allow", "Retry-After")]
    limit = language.bytes_text(request.max_content_length or 0)
    return render_template("error.html", kind=kind, limit=limit, wait=dict(kept).get("Retry-After")), error.code, kept

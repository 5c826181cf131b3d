"""Backups: the list, one made now, and going back to one."""

from __future__ import annotations

import logging
from typing import Final

from flask import Blueprint, abort, redirect, render_template, session, url_for
from werkzeug.wrappers import Response

from fiveup_ref.backups import Backup, Backups, DamagedDatabaseError, NewerDatabaseError, NoSuchBackup
from fiveup_ref.copies import BEFORE_RESTORE, BEFORE_UPGRADE

from .language import gettext as _
from .language import local_time
from .matches import zone_here

_LOG: Final = logging.getLogger(__name__)


def blueprint(backups: Backups) -> Blueprint:
    """The pages, for the host: a backup reaches every match there is."""
    pages = Blueprint("backups", __name__)

    def listing(refusal: str = "") -> str:
        done = session.pop("backup", None)
        return render_template("backups.html", listed=backups.all(), when=_when, why=_why, refusal=refusal, done=done)

    def make() -> Response | tuple[str, int]:
        try:
            session["backup"] = {"made": backups.make().name}
        except DamagedDatabaseError as error:
            _LOG.error("No backup could be made: %s", error)
            return listing(_("No backup was made: the file with the matches is damaged.")), 500
        return redirect(url_for("backups.backups"), 303)

    def ask(name: str) -> str:
        return render_template("restore.html", backup=_found(backups, name), when=_when)

    def restore(name: str) -> Response | tuple[str, int]:
        try:
            aside = backups.restore(name)
        except NoSuchBackup:
            abort(404)
        except (DamagedDatabaseError, NewerDatabaseError) as error:
            _LOG.error("%s was not restored: %s", name, error)
            return listing(_("Nothing was restored: this backup is damaged, or of a newer version of the app.")), 422
        session["backup"] = {"restored": name, "aside": aside}
        return redirect(url_for("backups.backups"), 303)

    pages.add_url_rule("/backups", "backups", listing)
    pages.add_url_rule("/backups", "make", make, methods=["POST"])
    pages.add_url_rule("/backups/<name>/restore", "ask", ask)
    pages.add_url_rule("/backups/<name>/restore", "restore", restore, methods=["POST"])
    return pages


def _found(backups: Backups, name: str) -> Backup:
    try:
        return backups.find(name)
    except (NoSuchBackup, DamagedDatabaseError):
        abort(404)


def _when(backup: Backup) -> str:
    """The time by the clock of this computer: it is where the page is seen."""
    return local_time(backup.time, zone_here())


def _why(backup: Backup) -> str:
    """Why it was made, where that was not to have a backup."""
    return {
        BEFORE_RESTORE: _("as it was before another backup was restored"),
        BEFORE_UPGRADE: _("as it was before a new version of the app"),
    }.get(backup.reason, "")

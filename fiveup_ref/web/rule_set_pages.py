"""The table's own rule sets: listed, as files, read in again, deleted."""

from __future__ import annotations

import io
import re
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, send_file, url_for
from werkzeug.wrappers import Response

from fiveup_ref.engine.faults import RulesError
from fiveup_ref.rule_sets import RuleSet, RuleSetError, from_json, to_json

from .forms import one_line
from .language import gettext as _
from .language import say, say_sentence
from .matches import store
from .new_match import set_lines

_NOT_IN_NAMES: Final = re.compile(r'[\x00-\x1f<>:"/\\|?*\x7f]+')


def blueprint() -> Blueprint:
    """The pages of rule sets."""
    pages = Blueprint("rule_sets", __name__)
    pages.add_url_rule("/rule-sets", "listed", _listed)
    pages.add_url_rule("/rule-sets", "bring", _bring, methods=["POST"])
    pages.add_url_rule("/rule-sets/<set_id>.json", "json", _json)
    pages.add_url_rule("/rule-sets/<set_id>/delete", "delete", _delete, methods=["POST"])
    pages.add_url_rule("/rule-sets/<set_id>/delete", "again", _again)
    return pages


def _listed(refusal: str = "") -> str:
    return render_template("rule_sets.html", own=set_lines(store().rule_sets.all()), refusal=refusal)


def _found(set_id: str) -> RuleSet:
    return next((one for one in store().rule_sets.all() if one.id == set_id), None) or abort(404)


def _json(set_id: str) -> Response:
    one = _found(set_id)
    name = " ".join(_NOT_IN_NAMES.sub(" ", one.name).split()).strip(" .") or _("rules")
    return send_file(io.BytesIO(to_json(one)), "application/json", as_attachment=True, download_name=f"{name}.json")


def _bring() -> Response | tuple[str, int]:
    file = request.files.get("file")
    if not file or not file.filename:
        return _listed(_("Choose a file first.")), 422
    try:
        one = from_json(file.read())
        kept = store().rule_sets.keep(one._replace(name=one_line(one.name)))
    except RuleSetError as error:
        return _listed(say_sentence(error.sentence, error.fields, {})), 422
    except RulesError as error:
        return _listed(say(error, {})), 422
    return redirect(url_for("rule_sets.listed", _anchor=f"set-{kept.id}"), 303)


def _delete(set_id: str) -> Response:
    store().rule_sets.drop(_found(set_id).id)
    return redirect(url_for("rule_sets.listed"), 303)


def _again(set_id: str) -> Response:
    """The address of a deletion, loaded once more."""
    del set_id
    return redirect(url_for("rule_sets.listed"), 303)

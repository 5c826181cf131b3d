"""How this device shows the pages: its theme, size of type, and what a tap and a key do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from fiveup_ref.engine.faults import Fault

from .devices import call_this_device, name_here
from .forms import LONGEST_NAME, one_line
from .language import gettext as _

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": ("device", "light", "dark"),
    "type": ("normal", "large"),
    "buzz": ("off", "on"),
    "letters": ("on", "off"),
}
"""What can be chosen on a device; the first of each is the default."""


def blueprint() -> Blueprint:
    """The page of these choices."""
    pages = Blueprint("display", __name__)
    pages.add_url_rule("/display", "choose", _choose, methods=["GET", "POST"])
    return pages


def chosen() -> Mapping[str, str]:
    """What was chosen on this device."""
    kept = session.get("display", {})
    return {name: kept[name] if kept.get(name) in options else options[0] for name, options in CHOICES.items()}


def _choose() -> str | Response | tuple[str, int]:
    if request.method == "GET":
        return render_template("display.html", back=page_of_ours(request.args.get("back", "")), name=name_here())
    name = one_line(request.form.get("name", ""))
    if len(name) > LONGEST_NAME:
        return _too_long(name), 422
    call_this_device(name)
    wanted = {name: request.form.get(name, "") for name in CHOICES}
    session.permanent = True
    session["display"] = {name: value for name, value in wanted.items() if value in CHOICES[name]}
    return redirect(page_of_ours(request.form.get("back", "")), 303)


def _too_long(name: str) -> str:
    wrong = _(Fault.TEXT_TOO_LONG.value).format(highest=LONGEST_NAME)
    return render_template("display.html", back=page_of_ours(request.form.get("back", "")), name=name, wrong=wrong)


def page_of_ours(path: str) -> str:
    """A path to go back to, if it is one of this app; else the front page.

    It begins with our prefix, and with one slash, no second and no back-slash that a browser reads as one: it must not
    lead elsewhere.
    """
    ours = path.startswith(f"{request.script_root}/") and not path.startswith("//")
    local = ours and "\\" not in path and path.isprintable()
    return path if local else url_for("matches.home")

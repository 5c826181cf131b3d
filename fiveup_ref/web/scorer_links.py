"""Links that let others keep score: taken, handed on, and withdrawn."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from fiveup_ref.store import Saved

from .forms import LONGEST_NAME, OurForm, one_line
from .language import gettext as _
from .links import address
from .matches import store
from .rights import Right, hold, refused, right_of, scorers, tokens


def blueprint() -> Blueprint:
    """The pages; a link itself stands only in the answer to whoever asked for it."""
    pages = Blueprint("scorers", __name__)
    pages.add_url_rule("/s/<token>", "take", _take)
    pages.add_url_rule("/m/<match_id>/scorers", "scorers", _scorers, methods=["GET", "POST"])
    pages.add_url_rule("/m/<match_id>/scorers/<number:number>/withdraw", "withdraw", _withdraw, methods=["POST"])
    pages.add_url_rule("/m/<match_id>/scorers/<number:number>/withdraw", "again", _again)
    return pages


def _take(token: str) -> BaseResponse:
    """Keep the token in the cookie of this device and go to the match, so that it stays in no address."""
    match_id = scorers().match_of(token)
    if match_id is None:
        answer: BaseResponse = make_response(render_template("error.html", kind="link"), 404)
    else:
        hold(token)
        answer = redirect(url_for("matches.table", match_id=match_id), 303)
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


def _scorers(match_id: str) -> str | tuple[str, int] | Response:
    saved = store().load(match_id)
    if request.method == "GET":
        return _page(saved)
    if not OurForm().validate():
        return _page(saved, refusal=_("That form was not complete. Please enter it again.")), 422
    label = one_line(request.form.get("label", ""))
    if len(label) > LONGEST_NAME:
        refusal = _("At most %(most)s characters.") % {"most": LONGEST_NAME}
        return _page(saved, refusal=refusal, label=label), 422
    token = scorers().make(match_id, label)
    answer = make_response(_page(saved, link=address(url_for("scorers.take", token=token)), made_for=label))
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


def _page(saved: Saved, **more: str) -> str:
    found = scorers().of(saved.id)
    return render_template(
        "scorers.html",
        saved=saved,
        valid=[one for one in found if not one.withdrawn],
        withdrawn=[one for one in found if one.withdrawn],
        own=_rank(saved.id),
        mine=scorers().holder(saved.id, tokens()),
        longest=LONGEST_NAME,
        **more,
    )


def _rank(match_id: str) -> int:
    """One may withdraw what was made after one's own, so that nobody can lock out who let them in."""
    return 0 if right_of(match_id) is Right.HOST else scorers().holder(match_id, tokens()) or 0


def _withdraw(match_id: str, number: int) -> BaseResponse | tuple[str, int]:
    store().load(match_id)
    if number <= _rank(match_id):
        return refused(match_id)
    scorers().withdraw(match_id, number)
    return redirect(url_for("scorers.scorers", match_id=match_id), 303)


def _again(match_id: str, number: int) -> BaseResponse:
    """The address of the button, loaded once more."""
    del number
    return redirect(url_for("matches.table", match_id=match_id), 303)

"""The affairs of a match: names, seats, rules, what is shown, an adjustment, its end, a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from fiveup_ref.engine.events import Closed, Event, Previewed, Ringed, RulesChanged, Settled, Shown
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.match import Match
from fiveup_ref.store import Conflict, Saved

from .affairs import (
    RuleLine,
    SeatLine,
    advised_against,
    changed_rules,
    read_rules,
    read_seats,
    renamed,
    rule_lines,
    seat_lines,
)
from .devices import this_device
from .forms import LONGEST_TITLE, EntryForm, one_line
from .language import gettext as _
from .language import say
from .matches import passed, show_from_the_start, store
from .mending import MendForm
from .pages import team_boxes
from .preview import attention, preview
from .rights import let_this_device_write
from .words import shown_names, status_text, told

Answer = str | Response | tuple[str, int]
_SHOWN: Final[Mapping[str, type[Shown]]] = {"previews": Previewed, "rings": Ringed}
_ACTS: Final = ("names", "rules", *_SHOWN, "adjust", "close")


def blueprint() -> Blueprint:
    """The pages of a match's affairs."""
    pages = Blueprint("manage", __name__)
    pages.add_url_rule("/m/<match_id>/manage", "manage", _manage)
    pages.add_url_rule(f"/m/<match_id>/manage/<any({', '.join(_ACTS)}):act>", "change", _change, methods=["POST"])
    pages.add_url_rule(f"/m/<match_id>/manage/<any({', '.join(_ACTS)}):act>", "again", _again)
    pages.add_url_rule("/m/<match_id>/manage/rules/preview", "preview", _preview)
    pages.add_url_rule("/m/<match_id>/rematch", "rematch", _rematch, methods=["GET", "POST"])
    pages.app_context_processor(lambda: {"rematch_of": _rematch_of})
    return pages


def _manage(match_id: str) -> str:
    return _show(store().load(match_id), {})


def _again(match_id: str, act: str) -> Response:
    """The address of a refusal, loaded once more."""
    return redirect(url_for("manage.manage", match_id=match_id, _anchor=act), 303)


def _preview(match_id: str) -> Answer:
    """What other rules would change; nothing is written."""
    saved = store().load(match_id)
    settings = read_rules(saved.match.rules, request.args)
    typed: dict[str, Any] = {"settings": settings}
    try:
        event = changed_rules(saved.match.rules, settings)
        typed["against"] = _against(saved.match, event)
        return _show(saved, typed, preview=preview(saved.match, event))
    except RulesError as error:
        beside = any(line.error for line in settings)
        sentence = "" if beside else say(error, shown_names(saved.match))
        return _show(saved, typed, wrong="rules", sentence=sentence), 422


def _against(match: Match, event: RulesChanged) -> list[str]:
    """What speaks against the rules that this event makes, and did not against those of the match."""
    return advised_against(match.rules.changed(dict(event.changes)), match.rules)


def may_move(match: Match) -> bool:
    """Whether seats can still be changed: no round was opened yet."""
    return not match.rounds


def _rematch_of(saved: Saved) -> str:
    """The id of the match that goes on where this one is over; '' where none does. Who may watch one may watch both."""
    return store().rematch(saved.id) if saved.match.over else ""


def has_scored(match: Match) -> bool:
    """Whether new rules would count again what was scored: a point was made or a round settled."""
    return any(move.points or isinstance(move.event, Settled) for move in match.steps)


def _change(match_id: str, act: str) -> Answer:
    saved = store().load(match_id)
    entry = EntryForm()
    typed: dict[str, Any] = {}
    if not entry.validate():
        return _show(saved, typed, refusal=_("That form was not complete. Please enter it again.")), 422
    try:
        event = _event(saved.match, act, typed)
        if isinstance(event, RulesChanged) and request.form.get("do") != "anyway":
            typed["against"] = _against(saved.match, event)
        if typed.get("against"):
            return _show(saved, typed)
        if event is None:
            return _show(saved, typed, wrong=act), 422
        store().append(saved.id, event, seen=entry.seen_number, key=entry.key.data or "", who=this_device())
    except RulesError as error:
        names = shown_names(saved.match)
        if isinstance(form := typed.get(act), MendForm):
            form.beside(error, names)
            return _show(saved, typed, wrong=act), 422
        return _show(saved, typed, wrong=act, sentence=say(error, names)), 422
    except Conflict as conflict:
        meanwhile = [told(one, conflict.saved.match) for one in conflict.since]
        return _show(conflict.saved, typed, meanwhile=meanwhile), 409
    return redirect(url_for("manage.manage", match_id=saved.id, _anchor=act), 303)


def _event(match: Match, act: str, typed: dict[str, Any]) -> Event | None:
    """The entry that was sent, with what was typed kept; None where something is wrong beside a field.

    Raises RulesError.
    """
    if act == "names":
        typed["seats"] = read_seats(match, request.form, may_move=may_move(match))
        return None if any(line.error for line in typed["seats"]) else renamed(match, typed["seats"])
    if act == "rules":
        typed["settings"] = read_rules(match.rules, request.form)
        try:
            return changed_rules(match.rules, typed["settings"])
        except RulesError:
            return None
    if act in _SHOWN:
        return _SHOWN[act](request.form.get("on") == "yes")
    form = typed[act] = MendForm()
    form.kind.data = "Adjusted" if act == "adjust" else "Closed"
    form.hands = []
    if not form.validate():
        return None
    try:
        return form.event()
    except RulesError as error:
        form.beside(error, shown_names(match))
        return None


def _show(saved: Saved, typed: dict[str, Any], **more: Any) -> str:
    match = saved.match
    names = shown_names(match)
    closing = next((move.entry for move in match.steps if isinstance(move.event, Closed)), None)
    return render_template(
        "manage.html",
        saved=saved,
        match=match,
        names=names,
        boxes=team_boxes(match, names),
        status=status_text(match, names),
        attention=attention(match),
        seen=len(match.log),
        key=secrets.token_urlsafe(12),
        seats=typed.get("seats") or seat_lines(match),
        settings=typed.get("settings") or rule_lines(match.rules),
        known=advised_against(match.rules),
        against=typed.get("against", ()),
        adjust=_with_reason("adjust", typed),
        close=_with_reason("close", typed),
        may_move=may_move(match),
        scored=has_scored(match),
        closing=closing if match.closed else None,
        over=match.over,
        last=len(match.log),
        **more,
    )


def _with_reason(act: str, typed: dict[str, Any]) -> MendForm:
    """One of the two forms with a reason: as it was sent, or empty."""
    form: MendForm = typed.get(act) or MendForm(None)
    form.text.id = f"{act}-reason"
    return form


class RematchForm(EntryForm):
    """What a rematch asks for beside names and rules."""

    passcode = StringField()


def _rematch(match_id: str) -> Answer:
    """A new match of the same people by the same rules; the old one stays as it is."""
    saved = store().load(match_id)
    match = saved.match
    form = RematchForm()
    seats, settings, title = seat_lines(match), rule_lines(match.rules), saved.title
    if request.method == "GET":
        return _offer(saved, form, seats, settings, title)
    seats = read_seats(match, request.form, may_move=True)
    settings = read_rules(match.rules, request.form)
    title = one_line(request.form.get("title", ""))[:LONGEST_TITLE]
    if not form.validate():
        return _offer(
            saved, form, seats, settings, title, wrong=_("That form was not complete. Please enter it again.")
        ), 422
    try:
        event = changed_rules(match.rules, settings)
        rules = match.rules.changed(dict(event.changes))
        players = renamed(match, seats).players
    except RulesError:  # it stands beside its field
        return _offer(saved, form, seats, settings, title), 422
    if request.form.get("do") != "anyway" and (against := _against(match, event)):
        return _offer(saved, form, seats, settings, title, against=against)
    if not passed(form.passcode):
        return _offer(saved, form, seats, settings, title), 422
    sat = {line.sits: line.seat for line in seats}
    made = store().create(
        title=title,
        rules=rules,
        players=players,
        zone=saved.zone,
        key=(form.key.data or "")[:64],
        follows=saved.id,
        sat="".join(sat[seat] for seat in rules.seats),
    )
    let_this_device_write(made)
    show_from_the_start(made, previews=match.previews, rings=match.rings)
    return redirect(url_for("matches.table", match_id=made), 303)


def _offer(
    saved: Saved, form: RematchForm, seats: list[SeatLine], settings: list[RuleLine], title: str, **more: Any
) -> str:
    if any([form.passcode.errors, *(line.error for line in seats), *(line.error for line in settings)]):
        more.setdefault(
            "wrong", _("Something is missing or cannot be: see the red notes below. Nothing was saved yet.")
        )
    return render_template(
        "rematch.html",
        saved=saved,
        form=form,
        seats=seats,
        settings=settings,
        title_typed=title,
        known=advised_against(saved.match.rules),
        key=secrets.token_urlsafe(12),
        **more,
    )

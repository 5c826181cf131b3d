"""Matches: the list, a new one, and the table page with all that is entered there."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, cast

from flask import Blueprint, current_app, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response
from wtforms import Field

from fiveup_ref.engine.events import (
    LOT,
    Draws,
    Event,
    Passed,
    Played,
    Previewed,
    Ringed,
    RoundEnded,
    RoundOpened,
    Settled,
    Undone,
)
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.lot import tied
from fiveup_ref.engine.seats import Seat
from fiveup_ref.engine.tiles import DOUBLE_SIX
from fiveup_ref.rule_sets import RuleSetError
from fiveup_ref.store import Conflict, Saved, Store

from .affairs import advised_against
from .calling import calling
from .devices import question, this_device
from .forms import (
    ClaimForm,
    CountForm,
    DrawForm,
    EndForm,
    EntryForm,
    MugginsForm,
    OpenForm,
    PassForm,
    PlayForm,
    PreviewForm,
    RingForm,
    ScoreForm,
    TurnForm,
    UndoForm,
)
from .grid import set_triangle
from .language import gettext as _
from .language import say, say_sentence
from .new_match import NewMatchForm, hand_rows, offered, seating_names, set_lines
from .pages import table_page, team_boxes
from .rights import is_host, let_this_device_write, listed_here, may_start
from .settling import HandForm, SettleForm
from .versions import version_now
from .words import said, shown_names, status_text, told

MOST_ON_A_DEVICE: Final = 40
_OF_THE_PAGE: Final = ("csrf_token", "seen", "key")
_ONCE: Final = (RoundOpened, Played, Passed, RoundEnded, Settled)
_FORMS: Final[dict[str, type[EntryForm]]] = {
    "open": OpenForm,
    "play": PlayForm,
    "count": CountForm,
    "score": ScoreForm,
    "draw": DrawForm,
    "pass": PassForm,
    "end": EndForm,
    "settle": SettleForm,
    "muggins": MugginsForm,
    "undo": UndoForm,
    "previews": PreviewForm,
    "rings": RingForm,
}


def blueprint() -> Blueprint:
    """The pages of matches."""
    pages = Blueprint("matches", __name__)
    pages.add_url_rule("/", "home", _home)
    pages.add_url_rule("/new", "new", _new, methods=["GET", "POST"])
    pages.add_url_rule("/m/<match_id>", "table", _table)
    pages.add_url_rule("/m/<match_id>/version", "version", _version)
    pages.add_url_rule("/m/<match_id>/facing", "facing", _facing)
    pages.add_url_rule("/m/<match_id>/lot", "lot", _lot, methods=["POST"])
    pages.add_url_rule("/m/<match_id>/claim", "claim", _claim, methods=["POST"])
    pages.add_url_rule(f"/m/<match_id>/<any({', '.join(_FORMS)}):act>", "enter", _enter, methods=["POST"])
    pages.add_url_rule(f"/m/<match_id>/<any({', '.join(('lot', 'claim', *_FORMS))}):act>", "again", _again)
    pages.after_app_request(_remember)
    pages.app_context_processor(lambda: {"entry_sent": _entry_sent})
    return pages


def store() -> Store:
    """The store of this app."""
    return cast(Store, current_app.extensions["store"])


def _home() -> str:
    saved = store().recent(listed_here())
    listed = [
        (one, team_boxes(one.match, names), status_text(one.match, names))
        for one in saved
        for names in (shown_names(one.match),)
    ]
    return render_template("home.html", listed=listed, backups_here=is_host() and "backups" in current_app.blueprints)


def _new() -> str | Response | tuple[str, int]:
    form = NewMatchForm(store().rule_sets.all())
    if request.method == "GET":
        form.key.data = secrets.token_urlsafe(12)
        form.game.data = request.args.get("game", form.game.data)
        return _new_page(form)
    if request.form.get("do") == "keep":
        return _keep(form)
    if not form.validate_on_submit():
        return _new_page(form), 422
    rules = form.rules()
    if rules is None:
        return _new_page(form)
    if request.form.get("do") != "anyway" and (against := advised_against(rules)):
        return _new_page(form, against=against)
    if not passed(form.passcode):
        return _new_page(form), 422
    match_id = store().create(
        title=form.title.data or "",
        rules=rules,
        players=tuple(field.data for field in form.names[: rules.players]),
        zone=zone_here(),
        key=(form.key.data or "")[:64],
    )
    let_this_device_write(match_id)
    show_from_the_start(match_id, previews=bool(form.previews.data), rings=bool(form.rings.data))
    return redirect(url_for("matches.table", match_id=match_id), 303)


def show_from_the_start(match_id: str, *, previews: bool, rings: bool) -> None:
    """Enter what the pages of a new match are to show; once, however often its form was sent."""
    wanted = [kind(on=True) for kind, on in ((Previewed, previews), (Ringed, rings)) if on]
    if not store().version(match_id):
        for seen, event in enumerate(wanted):
            store().append(match_id, event, seen=seen, key=type(event).__name__, who=this_device())


def passed(passcode: Field) -> bool:
    """Whether the passcode, where one is asked for, is right; if not it is said beside its field."""
    if may_start(passcode.data or ""):
        return True
    passcode.errors = [_("That is not the passcode. The host of this server knows it.")]
    return False


def _keep(form: NewMatchForm) -> str | tuple[str, int]:
    """Keep the rules under a name, and show the form with them chosen; nothing else that was typed is lost."""
    kept = form.rule_set()
    try:
        if form.rules() is None or not passed(form.passcode):
            return _new_page(form), 422
        kept = store().rule_sets.keep(kept)
    except RuleSetError as error:
        form.set_name.errors = [say_sentence(error.sentence, error.fields, {})]
        return _new_page(form), 422
    form.sets = store().rule_sets.all()
    form.game.data, form.set_name.data = kept.id, ""
    for line in form.house:
        line.value = ""
    return _new_page(form, kept=kept.name)


def _new_page(form: NewMatchForm, *, kept: str = "", against: Sequence[str] = ()) -> str:
    return render_template(
        "new.html",
        form=form,
        games=list(offered()),
        own=set_lines(form.sets),
        seatings=seating_names(),
        hands=hand_rows(),
        kept=kept,
        against=against,
    )


def zone_here() -> str:
    """The offset of the table's clock, such as `+07:00`: the server stands at the table."""
    offset = datetime.now().astimezone().strftime("%z")
    return f"{offset[:3]}:{offset[3:5]}"


def _table(match_id: str) -> str:
    return _show(store().load(match_id))


def _version(match_id: str) -> tuple[str, dict[str, str]]:
    """The version of a match: a few bytes for pages that ask every other second whether anything is new."""
    return version_now(match_id), {"Content-Type": "text/plain"}


def _facing(match_id: str) -> str:
    """Score and last play upright for both sides of the table."""
    saved = store().load(match_id)
    return render_template("facing.html", saved=saved, page=table_page(saved.match), seen=len(saved.match.log))


def _remember(response: Response) -> Response:
    """Keep a match, any page of which was shown, on this device's list, newest first."""
    match_id = (request.view_args or {}).get("match_id")
    if match_id is None or response.status_code != 200 or request.endpoint == "matches.version":  # which sets no cookie
        return response
    mine = [match_id, *(one for one in session.get("matches", []) if one != match_id)][:MOST_ON_A_DEVICE]
    if mine != session.get("matches"):
        session.permanent = True
        session["matches"] = mine
    return response


def _show(saved: Saved, **more: Any) -> str:
    """The table page, with a fresh key for the next entry."""
    settle: SettleForm | None = more.get("settle")
    match = saved.match
    hands = settle.hands if settle else [HandForm(seat) for seat in match.rules.seats]
    return render_template(
        "table.html",
        saved=saved,
        page=table_page(match),
        seen=len(match.log),
        key=secrets.token_urlsafe(12),
        triangle=set_triangle(),
        calling=calling(match, shown_names(match), request.values),
        hands={hand.seat: hand for hand in hands},
        **more,
    )


def _lot(match_id: str) -> Response | tuple[str, int]:
    """The app holds the lot: everyone draws a tile, the most pips win, the tied repeat it."""
    form = EntryForm()
    saved = store().load(match_id)
    lots = hold_lot(saved.match.rules.seats)
    winner = tied(lots[-1])[0]
    return _add(saved, form, RoundOpened(winner, LOT, lots))


def _claim(match_id: str) -> Response | tuple[str, int]:
    """A claim was refuted, and the table enters what that costs by its house rule."""
    form = ClaimForm()
    saved = store().load(match_id)
    try:
        return _add(saved, form, form.penalty(saved.match.rules))
    except RulesError as error:
        return _refused(saved, form, error)


def hold_lot(seats: tuple[Seat, ...]) -> tuple[Draws, ...]:
    """Drawings until one candidate alone has the most pips."""
    lots: list[Draws] = []
    candidates = seats
    while len(candidates) > 1:
        tiles = secrets.SystemRandom().sample(DOUBLE_SIX, len(candidates))
        lots.append(tuple(zip(candidates, tiles, strict=True)))
        candidates = tied(lots[-1])
    return tuple(lots)


def _again(match_id: str, act: str) -> Response:
    """The address of a refusal, loaded once more: what it refused is gone, the match is not."""
    del act
    return redirect(url_for("matches.table", match_id=match_id), 303)


def _enter(match_id: str, act: str) -> Response | tuple[str, int]:
    form = _FORMS[act]()
    saved = store().load(match_id)
    round_ = saved.match.round
    if isinstance(form, SettleForm):
        working = request.form.get("do") == "work"
        form.read(saved.match, request.form, shown_names(saved.match), working=working)
        fresh = working or form.seen_number == len(saved.match.log)  # a working enters nothing
        if fresh and round_ and round_.ended and not round_.settlement and not saved.match.mending:
            if working:
                return _show(saved, settle=form), 200
            if form.faulty:
                summary = _("Something is missing or cannot be: see the red notes below. Nothing was saved yet.")
                return _show(saved, settle=form, refusal=summary), 422
    elif isinstance(form, TurnForm) and round_ and not form.seat.data:
        form.seat.data = round_.turn  # sent late, by a page that could not know whose turn it would be
    try:
        event = form.event()
    except RulesError as error:
        return _refused(saved, form, error)
    if asked := question(saved, form, event, request.form.get("sure", "")):
        return asked, 409
    return _add(saved, form, event)


def _add(saved: Saved, form: EntryForm, event: Event) -> Response | tuple[str, int]:
    if not form.validate_on_submit():
        return _show(saved, refusal=_("That form was not complete. Please enter it again."), settle=None), 422
    try:
        store().append(saved.id, event, seen=form.seen_number, key=form.key.data or "", who=this_device())
    except RulesError as error:
        return _refused(store().load(saved.id), form, error)
    except Conflict as conflict:
        return _conflict(conflict, event)
    return redirect(url_for("matches.table", match_id=saved.id), 303)


def _refused(saved: Saved, form: EntryForm, error: RulesError) -> tuple[str, int]:
    """The same page with the sentence, nothing written and what was typed kept."""
    refusal = say(error, shown_names(saved.match))
    if not isinstance(form, SettleForm):
        return _show(saved, refusal=refusal), 422
    form.blame(error, shown_names(saved.match))
    return _show(saved, refusal=refusal, settle=form), 422


def _conflict(conflict: Conflict, event: Event) -> tuple[str, int]:
    """Somebody else entered something meanwhile: both sides, and nothing written.

    Where two phones entered the same placement, pass or settlement, there is nothing to ask: it happened once.
    """
    log, names = conflict.saved.match.log, shown_names(conflict.saved.match)
    entered = range(len(log) - len(conflict.since) + 1, len(log) + 1)
    if isinstance(event, _ONCE) and any(conflict.saved.match.events.get(entry) == event for entry in entered):
        return _show(conflict.saved, notice=_("Entered already: %(what)s.") % {"what": said(event, names)}), 200
    wanted = _wish(event, log, names)
    meanwhile = [told(one, conflict.saved.match) for one in conflict.since]
    again = [(name, value) for name, value in request.form.items(multi=True) if name not in _OF_THE_PAGE]
    return _show(conflict.saved, meanwhile=meanwhile, wanted=wanted, again=again), 409


def _wish(event: Event, log: Sequence[Event], names: Mapping[Seat, str]) -> str:
    """What somebody wanted to enter, in words."""
    taken = log[event.entry - 1] if isinstance(event, Undone) and 1 <= event.entry <= len(log) else None
    return _("Undo: %(what)s") % {"what": said(taken, names)} if taken else said(event, names)


def _entry_sent() -> str:
    """For the page of a refusal: the entry that was sent at the table, in words; '' where it was none."""
    if request.endpoint != "matches.enter":
        return ""
    values = request.view_args or {}
    match = store().load(values["match_id"]).match
    form = _FORMS[values["act"]]()
    if isinstance(form, SettleForm):
        form.read(match, request.form, shown_names(match), working=False)
    elif isinstance(form, TurnForm) and match.round and not form.seat.data:
        form.seat.data = match.round.turn
    try:
        return _wish(form.event(), match.log, shown_names(match))
    except (RulesError, KeyError):  # no entry, or one of nobody who plays here
        return ""

"""Claims in a match: what was claimed of an entry, what the record says, the ruling, and both sides' words."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from fiveup_ref.engine.claims import HIGHEST_CLAIM, Claim, Unit, rule_on_count
from fiveup_ref.engine.course import replay
from fiveup_ref.engine.events import LONGEST_WORDS, Disputed, Settled
from fiveup_ref.engine.faults import RulesError
from fiveup_ref.engine.match import Match, Move
from fiveup_ref.engine.settling_rulings import rule_on_leftovers
from fiveup_ref.engine.verdicts import verdicts
from fiveup_ref.store import Conflict, Saved

from .asking import Asked, read_claim
from .devices import this_device
from .forms import EntryForm, one_line
from .language import gettext as _
from .match_judge import Judged, judged
from .matches import store
from .ruled import Ruled, ruled
from .words import claim_text, move_line, said, shown_names, team_name


class Record(NamedTuple):
    """What the record says of an entry: a ruling on a count or settlement, or a verdict on a pass or draw."""

    text: str
    ruled: Ruled | None
    judged: Judged | None


class Past(NamedTuple):
    """A dispute that was entered: the claim, what each side said, and what the record said then."""

    number: int
    text: str
    claim: str
    words: list[tuple[str, str]]
    record: Record | None


def blueprint() -> Blueprint:
    """The disputes of a match."""
    pages = Blueprint("disputes", __name__)
    pages.add_url_rule("/m/<match_id>/entry/<number:entry>/dispute", "dispute", _dispute, methods=["GET", "POST"])
    return pages


def _dispute(match_id: str, entry: int) -> str | Response | tuple[str, int]:
    saved = store().load(match_id)
    if not 1 <= entry <= len(saved.match.log):
        abort(404)
    asked = Asked(request.form, names=shown_names(saved.match))
    if request.method == "GET":
        return _show(saved, entry, asked)
    form = EntryForm()
    event = _event(asked, entry, saved.match)
    if asked.errors or not form.validate_on_submit():
        return _show(saved, entry, asked), 422
    try:
        store().append(match_id, event, seen=form.seen_number, key=form.key.data or "", who=this_device())
    except RulesError as error:
        asked.refuse("text", error)
        return _show(saved, entry, asked), 422
    except Conflict as conflict:
        asked.errors["text"] = _("Somebody else entered something meanwhile. Look at it, then enter yours again.")
        return _show(conflict.saved, entry, asked), 409
    return redirect(url_for("disputes.dispute", match_id=match_id, entry=entry), 303)


def _event(asked: Asked, entry: int, match: Match) -> Disputed:
    claim = read_claim(asked)
    words = tuple((team, text) for team in match.rules.teams if (text := one_line(asked.value(f"words-{team}"))))
    text = one_line(asked.value("text"))
    for name, given in (("text", text), *((f"words-{team}", given) for team, given in words)):
        if len(given) > LONGEST_WORDS or (name == "text" and not given):
            asked.errors[name] = _("Write what it is about, in at most %(most)s characters.") % {"most": LONGEST_WORDS}
    return Disputed(text, entry, f"{claim.figure} {claim.unit}" if claim else "", words)


def _show(saved: Saved, entry: int, asked: Asked) -> str:
    match = saved.match
    names = shown_names(match)
    past = [
        _past(number, event, match)
        for number, event in enumerate(match.log, 1)
        if isinstance(event, Disputed) and event.entry == entry
    ]
    move = _move(match, entry)
    return render_template(
        "judge_dispute.html",
        saved=saved,
        entry=entry,
        asked=asked,
        title=_("Dispute entry %(entry)s") % {"entry": entry},
        what=said(move.event if move else match.log[entry - 1], names),
        stands=move is not None,
        record=_record(match, entry, None),
        counted=move is not None and move.score is not None,
        sides=[(str(team), team_name(team, names)) for team in match.rules.teams],
        past=past,
        longest=LONGEST_WORDS,
        highest=HIGHEST_CLAIM,
        seen=len(match.log),
        key=secrets.token_urlsafe(12),
        edit=f"{url_for('matches.table', match_id=saved.id)}/entry/{entry}/edit",
    )


def _past(number: int, event: Disputed, match: Match) -> Past:
    """A dispute with the ruling on the record as it stood when it was entered."""
    names = shown_names(match)
    then = replay(*match.start, match.log[: number - 1])
    figure, _space, unit = event.claim.partition(" ")
    claim = Claim(int(figure), Unit(unit)) if event.claim else None
    words = [(team_name(team, names), text) for team, text in event.words]
    return Past(number, event.text, claim_text(event.claim) if claim else "", words, _record(then, event.entry, claim))


def _move(match: Match, entry: int) -> Move | None:
    """The entry as it stands; None where it was taken back or fell."""
    return next((move for move in match.steps if move.entry == entry), None)


def _record(match: Match, entry: int, claim: Claim | None) -> Record | None:
    move = _move(match, entry)
    if move is None:
        return None
    names = shown_names(match)
    line = move_line(move, names)
    round_ = next((one for one in match.rounds if move in one.moves), None)
    text = " ".join(filter(None, (line.who, line.what))) + (f": {line.sum}" if line.sum else "")
    if move.score is not None:
        return Record(text, ruled(rule_on_count(move.score.of, match.rules, claim), names), None)
    if isinstance(move.event, Settled) and round_ is not None:
        ruling = rule_on_leftovers(dict(move.event.left), match.rules, round_.out)
        return Record(text, ruled(ruling, names), None)
    found = verdicts(round_, match.rules) if round_ is not None and not match.fallen else ()
    verdict = next((one for one in found if one.entry == entry), None)
    return Record(text, None, judged(verdict, match) if verdict else None)

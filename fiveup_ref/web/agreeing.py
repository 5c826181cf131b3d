"""Each team agrees to a standing on its own phone. It changes no score, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from fiveup_ref.agreements import RESULT, Agreed, OtherSideError, standings
from fiveup_ref.engine.seats import Seat
from fiveup_ref.scorers import hashed
from fiveup_ref.store import Saved

from .devices import this_device
from .forms import OurForm
from .language import clock, number
from .language import gettext as _
from .matches import store
from .versions import agreements, seen_of
from .words import shown_names, status_text, team_name

Answer = str | Response | tuple[str, int]


def blueprint() -> Blueprint:
    """The page of a seat."""
    pages = Blueprint("agreeing", __name__)
    pages.add_url_rule("/m/<match_id>/seat", "seat", _seat)
    pages.add_url_rule("/m/<match_id>/seat/take", "take", _take, methods=["POST"])
    pages.add_url_rule("/m/<match_id>/seat/agree", "agree", _agree, methods=["POST"])
    pages.add_url_rule("/m/<match_id>/seat/back", "back", _back, methods=["POST"])
    pages.add_url_rule("/m/<match_id>/seat/<any(take, agree, back):act>", "again", _again)
    pages.app_context_processor(lambda: {"agreeables_of": agreeables, "seen_of": seen_of})
    return pages


class AgreedLine(NamedTuple):
    """An agreement in words: the team, who tapped for it, on what device and when, to which scores, whether it stands.

    `side` is the team as it is sent; `back` says when it took that back, '' where it did not.
    """

    side: str
    team: str
    who: str
    device: str
    when: str
    scores: str
    stands: bool
    back: str


@dataclass(frozen=True)
class Agreeable:
    """A standing: after which round (0: at the end), its title, the scores, what `_agree` compares, who agreed.

    `open` are the seats' teams that have not agreed to it as it stands.
    """

    round: int
    title: str
    scores: list[tuple[str, str]]
    standing: str
    lines: list[AgreedLine]
    open: list[str]

    def last_words(self, *, stands: bool) -> list[str]:
        """The teams that agree to it as it stands; or else those that did and no longer do."""
        last = {line.side: line for line in sorted(self.lines, key=lambda line: line.stands)}
        return [line.team for line in last.values() if line.stands == stands]


def agreeables(saved: Saved) -> list[Agreeable]:
    """All that can be agreed to or was, the newest first; at the end of a match the result is first."""
    match = saved.match
    names = shown_names(match)
    found = agreements().of(saved.id, match)
    now = standings(match)
    after = {round_.number: round_.after_settlement for round_ in match.rounds} | {RESULT: match.scores}
    rounds = sorted({*now, *(one.round for one in found)}, key=lambda one: (one != RESULT, -one))
    return [
        Agreeable(
            round_,
            _("After round %(number)s") % {"number": round_} if round_ else _("The result"),
            [
                (team_name(team, names), number(score))
                for team, score in zip(match.rules.teams, after[round_], strict=True)
            ]
            if round_ in now
            else [],
            now.get(round_, ""),
            [_line(one, names, saved.zone) for one in found if one.round == round_],
            [
                str(team)
                for team in match.rules.teams
                if round_ in now and not any(one.stands and (one.round, one.team) == (round_, team) for one in found)
            ],
        )
        for round_ in rounds
    ]


def _line(agreed: Agreed, names: Mapping[Seat, str], zone: str) -> AgreedLine:
    scores = " : ".join(map(number, agreed.scores))
    return AgreedLine(
        str(agreed.team),
        team_name(agreed.team, names),
        names[agreed.seat],
        agreed.device_name,
        clock(agreed.time, zone),
        scores,
        agreed.stands,
        clock(agreed.withdrawn, zone) if agreed.withdrawn else "",
    )


def _seat(match_id: str) -> str:
    return _page(store().load(match_id))


def _page(saved: Saved, **more: str) -> str:
    match = saved.match
    names = shown_names(match)
    device = this_device()
    seat = agreements().seat_of(saved.id, device)
    seat = seat if seat in match.rules.seats else None
    return render_template(
        "seat.html",
        saved=saved,
        names=names,
        seat=None if request.args.get("change") else seat,
        team=next((str(team) for team in match.rules.teams if seat in team), ""),
        team_name=next((team_name(team, names) for team in match.rules.teams if seat in team), ""),
        agreeables=agreeables(saved),
        backs=[
            (one.round, str(one.team))
            for one in agreements().of(saved.id, match)
            if one.stands and (seat in one.team or one.device == hashed(device))
        ],
        status=status_text(match, names),
        **more,
    )


def _take(match_id: str) -> Answer:
    saved = store().load(match_id)
    seat = request.form.get("seat", "")
    if not OurForm().validate() or seat not in saved.match.rules.seats:
        return _page(saved, refusal=_("That form was not complete. Please enter it again.")), 422
    agreements().take_seat(match_id, this_device(), seat)
    return redirect(url_for("agreeing.seat", match_id=match_id), 303)


def _agree(match_id: str) -> Answer:
    saved = store().load(match_id)
    seat = agreements().seat_of(match_id, this_device())
    if not OurForm().validate() or seat not in saved.match.rules.seats:
        return _page(saved, refusal=_("Tap your name first.")), 422
    round_ = _round(saved)
    if round_ is None:
        return _corrected(saved)
    try:
        agreements().agree(match_id, saved.match, round_=round_, seat=str(seat), device=this_device())
    except OtherSideError as error:
        sentence = _("This device agreed to it for %(team)s already. The other sides agree on devices of their own.")
        return _page(saved, refusal=sentence % {"team": team_name(error.team, shown_names(saved.match))}), 409
    return redirect(url_for("agreeing.seat", match_id=match_id), 303)


def _back(match_id: str) -> Answer:
    saved = store().load(match_id)
    team = next((team for team in saved.match.rules.teams if str(team) == request.form.get("team")), None)
    if not OurForm().validate() or team is None:
        return _page(saved, refusal=_("That form was not complete. Please enter it again.")), 422
    round_ = _round(saved)
    if round_ is None:
        return _corrected(saved)
    if not agreements().take_back(match_id, saved.match, round_=round_, team=team, device=this_device()):
        return _page(saved, refusal=_("Tap your name first.")), 422
    return redirect(url_for("agreeing.seat", match_id=match_id), 303)


def _round(saved: Saved) -> int | None:
    """The round whose standing was sent; None where it is another now."""
    sent = request.form.get("round"), request.form.get("standing")
    return next((one for one, standing in standings(saved.match).items() if (str(one), standing) == sent), None)


def _corrected(saved: Saved) -> Answer:
    return _page(saved, refusal=_("The score was corrected meanwhile. Look at it, then agree to what it is now.")), 409


def _again(match_id: str, act: str) -> Response:
    """The address of a button, loaded once more."""
    del act
    return redirect(url_for("agreeing.seat", match_id=match_id), 303)
